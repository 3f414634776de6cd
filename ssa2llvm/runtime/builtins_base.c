/* Numbers in other bases: dechex decbin decoct hexdec bindec octdec.

   Follows ext/standard/math.c: _php_math_longtobase_pwr2 (the word is unsigned) and _php_math_basetozval (bytes that are no
   digits are skipped, deprecated; what does not fit an int becomes a float). */
#include "internal.h"

#define WORD_BITS 64

static s2l_value to_base(s2l_context *context, int64_t number, uint32_t bits_a_digit)
{
    static const char digits[] = "0123456789abcdef";
    char text[WORD_BITS];
    char *end = text + sizeof text;
    char *start = end;
    uint64_t word = (uint64_t)number;
    do {
        *--start = digits[word & ((1u << bits_a_digit) - 1)];
        word >>= bits_a_digit;
    } while (word != 0);
    return string_value(s2l_string_new(context, start, (uint64_t)(end - start)));
}

static int32_t digit_of(char byte)
{
    if (byte >= '0' && byte <= '9')
        return byte - '0';
    int32_t lower = s2l_lower_byte(byte);
    return lower >= 'a' && lower <= 'z' ? lower - 'a' + 10 : INT32_MAX;
}

static s2l_value from_base(s2l_context *context, const s2l_string *string, int32_t base, char prefix)
{
    const char *at = string_bytes(string);
    const char *end = at + string->length;
    while (at < end && is_space(*at))
        at++;
    while (at < end && is_space(end[-1]))
        end--;
    if (end - at >= 2 && at[0] == '0' && s2l_lower_byte(at[1]) == prefix)
        at += 2;
    int64_t integer = 0;
    double real = 0;
    bool is_real = false;
    bool skipped = false;
    for (; at < end; at++) {
        int32_t digit = digit_of(*at);
        int64_t longer;
        if (digit >= base) {
            skipped = true;
        } else if (is_real) {
            real = real * base + digit;
        } else if (__builtin_mul_overflow(integer, base, &longer) || __builtin_add_overflow(longer, digit, &longer)) {
            is_real = true;
            real = (double)integer * base + digit;
        } else {
            integer = longer;
        }
    }
    if (skipped)
        s2l_deprecated(context, "Invalid characters passed for attempted conversion, these have been ignored");
    return is_real ? double_value(real) : long_value(integer);
}

#define TO_BASE(name, bits)                                                                                             \
    BUILTIN(name)                                                                                                       \
    {                                                                                                                   \
        TAKE(name, 1, 1);                                                                                               \
        int64_t num;                                                                                                    \
        if (!s2l_take_long(&arguments, 0, "num", &num))                                                                 \
            return error_value();                                                                                       \
        return to_base(context, num, bits);                                                                             \
    }

#define FROM_BASE(name, parameter, base, prefix)                                                                        \
    BUILTIN(name)                                                                                                       \
    {                                                                                                                   \
        TAKE(name, 1, 1);                                                                                               \
        s2l_string *string;                                                                                             \
        if (!s2l_take_string(&arguments, 0, parameter, &string))                                                        \
            return error_value();                                                                                       \
        return s2l_done(&arguments, from_base(context, string, base, prefix));                                          \
    }

TO_BASE(decbin, 1)
TO_BASE(decoct, 3)
TO_BASE(dechex, 4)
FROM_BASE(bindec, "binary_string", 2, 'b')
FROM_BASE(octdec, "octal_string", 8, 'o')
FROM_BASE(hexdec, "hex_string", 16, 'x')
