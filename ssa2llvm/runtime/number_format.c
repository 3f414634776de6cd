/* Numbers as PHP writes them: integers, and floats in the manner of %.*G.

   Follows zend_strtod.c:zend_gcvt as a format: at most `precision` significant digits (17, shortest, for -1), exponent
   form below 1.0E-4 and from 10^precision, at least one digit after the point in exponent form and none otherwise, no
   zero padding of the exponent. -0 is "-0"; NAN has no sign. */
#include "internal.h"

#include <math.h>

#define SHORTEST_PRECISION 17
#define SMALLEST_PLAIN_EXPONENT (-3)
#define PRECISION_LIMIT 53

static const char digit_pairs[] = "00010203040506070809101112131415161718192021222324252627282930313233343536373839"
                                  "40414243444546474849505152535455565758596061626364656667686970717273747576777879"
                                  "8081828384858687888990919293949596979899";

char *s2l_write_unsigned(char *end, uint64_t number)
{
    while (number >= 100) {
        end -= 2;
        memcpy(end, digit_pairs + number % 100 * 2, 2);
        number /= 100;
    }
    if (number >= 10) {
        end -= 2;
        memcpy(end, digit_pairs + number * 2, 2);
    } else {
        *--end = (char)('0' + number);
    }
    return end;
}

char *s2l_write_long(char *end, int64_t number)
{
    char *start = s2l_write_unsigned(end, number < 0 ? 0 - (uint64_t)number : (uint64_t)number);
    if (number < 0)
        *--start = '-';
    return start;
}

static char *write_exponent_form(char *target, const s2l_digits *digits, char exponent_letter)
{
    *target++ = digits->digit[0];
    *target++ = '.';
    if (digits->count == 1) {
        *target++ = '0';
    } else {
        memcpy(target, digits->digit + 1, (size_t)digits->count - 1);
        target += digits->count - 1;
    }
    int32_t exponent = digits->exponent - 1;
    *target++ = exponent_letter;
    *target++ = exponent < 0 ? '-' : '+';
    char text[20];
    char *start = s2l_write_unsigned(text + sizeof text, (uint64_t)(exponent < 0 ? -exponent : exponent));
    size_t length = (size_t)(text + sizeof text - start);
    memcpy(target, start, length);
    return target + length;
}

static char *write_plain_form(char *target, const s2l_digits *digits)
{
    int32_t position = digits->exponent;
    int32_t next = 0;
    if (position <= 0)
        *target++ = '0';
    for (; position > 0; position--)
        *target++ = next < digits->count ? digits->digit[next++] : '0';
    if (next < digits->count) {
        *target++ = '.';
        for (; position < 0; position++)
            *target++ = '0';
        memcpy(target, digits->digit + next, (size_t)(digits->count - next));
        target += digits->count - next;
    }
    return target;
}

uint64_t s2l_write_double(char *buffer, double number, int precision, char exponent_letter)
{
    char *target = buffer;
    if (isnan(number)) {
        memcpy(target, "NAN", 3);
        return 3;
    }
    if (signbit(number))
        *target++ = '-';
    if (isinf(number)) {
        memcpy(target, "INF", 3);
        return (uint64_t)(target + 3 - buffer);
    }
    if (number == 0) {
        *target++ = '0';
        return (uint64_t)(target - buffer);
    }
    int limit = precision < 0 ? SHORTEST_PRECISION : precision == 0 ? 1 : precision;
    if (limit > PRECISION_LIMIT)
        limit = PRECISION_LIMIT;
    s2l_digits digits;
    s2l_make_digits(number, precision < 0 ? DIGITS_SHORTEST : DIGITS_COUNT, limit, &digits);
    if (digits.exponent > limit || digits.exponent < SMALLEST_PLAIN_EXPONENT)
        target = write_exponent_form(target, &digits, exponent_letter);
    else
        target = write_plain_form(target, &digits);
    return (uint64_t)(target - buffer);
}

s2l_string *s2l_long_to_string(s2l_context *context, int64_t number)
{
    char text[20];
    char *start = s2l_write_long(text + sizeof text, number);
    return s2l_string_new(context, start, (uint64_t)(text + sizeof text - start));
}

s2l_string *s2l_double_to_string(s2l_context *context, double number)
{
    char text[S2L_SCRATCH_SIZE];
    return s2l_string_new(context, text, s2l_write_double(text, number, context->hidden->precision, 'E'));
}
