/* Reading numbers from strings: PHP's numeric and leading-numeric strings.

   Follows Zend/zend_operators.c:_is_numeric_string_ex: white space, sign, digits, fraction, exponent, white space. An
   integer that does not fit becomes a float and is marked as overflowed. Two oddities of Zend are kept, since they are
   visible: the smallest integer followed by white space is a float, and leading zeros do not count as digits.
   The float reader hands libc's strtod digits and an exponent only, so the locale's decimal point cannot matter; up to 19
   digits with a small power of ten are exact without it (Clinger, PLDI 1990). */
#include "internal.h"

#include <stdlib.h>

#define LONG_DIGITS 19
#define EXACT_POWER 22
#define EXACT_INTEGER (UINT64_C(1) << 53)
#define KEPT_DIGITS 800
#define EXPONENT_CAP 100000

/* value * 10^exponent, correctly rounded, for decimal digits of any number. */
static double scale_digits(const char *digits, uint32_t count, uint64_t value, int64_t exponent)
{
    static const double powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                    1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    if (count <= LONG_DIGITS && value <= EXACT_INTEGER && exponent >= -EXACT_POWER && exponent <= EXACT_POWER) {
        double whole = (double)value;
        return exponent < 0 ? whole / powers[-exponent] : whole * powers[exponent];
    }
    char text[KEPT_DIGITS + 32];
    char end[20];
    memcpy(text, digits, count);
    text[count] = 'e';
    char *start = s2l_write_long(end + sizeof end, exponent);
    size_t length = (size_t)(end + sizeof end - start);
    memcpy(text + count + 1, start, length);
    text[count + 1 + length] = '\0';
    return strtod(text, NULL);
}

/* Reads the exponent part at `at`; gives `at` itself when there is none. */
static const char *read_exponent(const char *at, const char *limit, int64_t *exponent)
{
    const char *next = at + 1;
    bool negative = false;
    if (next < limit && (*next == '-' || *next == '+'))
        negative = *next++ == '-';
    if (next >= limit || !is_digit(*next))
        return at;
    int64_t value = 0;
    for (; next < limit && is_digit(*next); next++) {
        if (value < EXPONENT_CAP)
            value = value * 10 + (*next - '0');
    }
    *exponent += negative ? -value : value;
    return next;
}

double s2l_parse_double(const char *bytes, uint64_t length, const char **end)
{
    const char *at = bytes;
    const char *limit = bytes + length;
    char digits[KEPT_DIGITS];
    uint32_t count = 0;
    uint64_t value = 0;
    int64_t exponent = 0;
    bool any = false;
    bool point = false;
    bool negative = at < limit && *at == '-';
    if (at < limit && (*at == '-' || *at == '+'))
        at++;
    for (; at < limit; at++) {
        if (*at == '.' && !point) {
            point = true;
            continue;
        }
        if (!is_digit(*at))
            break;
        any = true;
        if (point)
            exponent--;
        if (count == 0 && *at == '0')
            continue;
        if (count < KEPT_DIGITS - 1) {
            digits[count++] = *at;
            value = count <= LONG_DIGITS ? value * 10 + (uint64_t)(*at - '0') : value;
        } else {
            /* No double needs more than 767 digits to be told from its neighbours; any digit beyond is "more". */
            if (*at != '0')
                digits[KEPT_DIGITS - 2] = '1';
            exponent++;
        }
    }
    if (!any) {
        if (end != NULL)
            *end = bytes;
        return 0.0;
    }
    if (at < limit && (*at == 'e' || *at == 'E'))
        at = read_exponent(at, limit, &exponent);
    if (end != NULL)
        *end = at;
    double result = count == 0 ? 0.0 : scale_digits(digits, count, value, exponent);
    return negative ? -result : result;
}

static bool is_double_from(const char *at, const char *limit)
{
    if (at < limit && *at == '.')
        return true;
    if (at < limit && (*at == 'e' || *at == 'E')) {
        int64_t ignored = 0;
        return read_exponent(at, limit, &ignored) != at;
    }
    return false;
}

/* An integer of `count` significant digits from `digits` on: true if it fits; `rest` says that something follows it. */
static bool integer_fits(const char *digits, uint64_t count, bool negative, bool rest)
{
    static const char smallest[] = "9223372036854775808";
    if (count != LONG_DIGITS)
        return count < LONG_DIGITS;
    int order = memcmp(digits, smallest, LONG_DIGITS);
    return order < 0 || (order == 0 && negative && !rest);
}

s2l_number s2l_parse_number(const char *bytes, uint64_t length)
{
    s2l_number number = {0, 0, 0.0, false, 0};
    const char *limit = bytes + length;
    const char *start = bytes;
    while (start < limit && is_space(*start))
        start++;
    const char *at = start;
    bool negative = at < limit && *at == '-';
    if (at < limit && (*at == '-' || *at == '+'))
        at++;
    if (at >= limit || !(is_digit(*at) || (*at == '.' && at + 1 < limit && is_digit(at[1]))))
        return number;
    while (at < limit && *at == '0')
        at++;
    const char *digits = at;
    uint64_t value = 0;
    for (; at < limit && is_digit(*at); at++)
        value = value * 10 + (uint64_t)(*at - '0');
    uint64_t count = (uint64_t)(at - digits);

    number.kind = S2L_TAG_LONG;
    if (is_double_from(at, limit)) {
        number.kind = S2L_TAG_DOUBLE;
        /* Zend stops looking after 20 digits and then calls even a fraction an overflowed integer. */
        if (count > LONG_DIGITS)
            number.overflow = negative ? -1 : 1;
    } else if (!integer_fits(digits, count, negative, at < limit)) {
        number.kind = S2L_TAG_DOUBLE;
        number.overflow = negative ? -1 : 1;
    }
    if (number.kind == S2L_TAG_DOUBLE)
        number.real = s2l_parse_double(start, (uint64_t)(limit - start), &at);
    else
        number.integer = (int64_t)(negative ? 0 - value : value);
    while (at < limit && is_space(*at))
        at++;
    number.trailing = at < limit;
    return number;
}

s2l_number s2l_parse_whole_number(const char *bytes, uint64_t length)
{
    s2l_number number = {0, 0, 0.0, false, 0};
    /* Most strings that are compared start with a letter. */
    if (length == 0 || bytes[0] > '9')
        return number;
    number = s2l_parse_number(bytes, length);
    if (number.trailing)
        number.kind = 0;
    return number;
}
