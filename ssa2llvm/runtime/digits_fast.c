/* Decimal digits of the doubles that programs print, in 128-bit arithmetic.

   digits.c is exact for every double, on long integers. Most numbers need less: number = mantissa / 2^shift, and
   mantissa * 10^scale fits 128 bits for scale <= 22, so rounding to a given number of digits is one multiplication, a
   shift and an exact look at what was shifted out. Here the shortest form has at most 15 digits exactly when rounding to
   15 digits reads back as the number, since 15 decimal digits survive a double; that many digits and 10^scale are exact
   doubles, so their quotient is the correctly rounded reading (Clinger, PLDI 1990). Otherwise it has 16 if the rounded 16
   digits lie within half a unit of the mantissa's last place, else 17.
   Ties, powers of two (whose lower neighbour is nearer), very large and very small numbers are left to digits.c. */
#include "internal.h"

#include <math.h>

#define LARGEST_SCALE 22
#define LARGEST_SHIFT 116
#define MANTISSA_BITS 52
#define EXPONENT_BIAS 1075
#define MOST_DIGITS 17
#define SURVIVING_DIGITS 15

typedef unsigned __int128 wide;

typedef struct binary {
    uint64_t mantissa;
    uint32_t shift; /* number = mantissa / 2^shift */
} binary;

static uint64_t small_power(int32_t power)
{
    static const uint64_t powers[] = {1ull, 10ull, 100ull, 1000ull, 10000ull, 100000ull, 1000000ull, 10000000ull,
        100000000ull, 1000000000ull, 10000000000ull, 100000000000ull, 1000000000000ull, 10000000000000ull,
        100000000000000ull, 1000000000000000ull, 10000000000000000ull, 100000000000000000ull, 1000000000000000000ull,
        10000000000000000000ull};
    return powers[power];
}

static wide power_of_ten(int32_t power)
{
    return power < 20 ? small_power(power) : (wide)small_power(19) * small_power(power - 19);
}

/* False when the number is none of those handled here. */
static bool take_apart(double number, binary *parts)
{
    uint64_t bits;
    memcpy(&bits, &number, sizeof bits);
    int32_t exponent = (int32_t)(bits >> MANTISSA_BITS & 0x7ff);
    int32_t shift = EXPONENT_BIAS - exponent;
    uint64_t fraction = bits & ((UINT64_C(1) << MANTISSA_BITS) - 1);
    if (exponent == 0 || fraction == 0 || shift <= 0 || shift > LARGEST_SHIFT)
        return false;
    parts->mantissa = fraction | UINT64_C(1) << MANTISSA_BITS;
    parts->shift = (uint32_t)shift;
    return true;
}

/* number * 10^scale, rounded; false on a tie. `error` is what was rounded away, in units of 2^-shift. */
static bool scaled(binary number, int32_t scale, wide *quotient, wide *error)
{
    wide product = number.mantissa * power_of_ten(scale);
    wide unit = (wide)1 << number.shift;
    wide rest = product & (unit - 1);
    *quotient = product >> number.shift;
    *error = rest;
    if (rest * 2 > unit) {
        ++*quotient;
        *error = unit - rest;
    }
    return rest * 2 != unit;
}

static void set_digits(s2l_digits *digits, uint64_t value, int32_t scale)
{
    char text[20];
    char *start = s2l_write_unsigned(text + sizeof text, value);
    digits->count = value == 0 ? 0 : (int32_t)(text + sizeof text - start);
    digits->exponent = digits->count - scale;
    memcpy(digits->digit, start, (size_t)digits->count);
    while (digits->count > 0 && digits->digit[digits->count - 1] == '0')
        digits->count--;
}

/* The scale that leaves `count` digits before the point, and the number rounded so. */
static bool round_to_count(binary number, int32_t decimal, int32_t count, int32_t *scale, wide *quotient, wide *error)
{
    *scale = count - decimal;
    if (*scale < 0 || *scale > LARGEST_SCALE || !scaled(number, *scale, quotient, error))
        return false;
    if (*quotient < small_power(count))
        return true;
    /* The decimal exponent was one too small, or rounding carried into a new digit. */
    --*scale;
    return *scale >= 0 && scaled(number, *scale, quotient, error);
}

static bool shortest(double number, binary parts, int32_t decimal, s2l_digits *digits)
{
    int32_t scale;
    wide quotient;
    wide error;
    if (!round_to_count(parts, decimal, SURVIVING_DIGITS, &scale, &quotient, &error))
        return false;
    double power = (double)small_power(scale < 19 ? scale : 19) * (double)small_power(scale < 19 ? 0 : scale - 19);
    if ((double)(uint64_t)quotient / power == number) {
        set_digits(digits, (uint64_t)quotient, scale);
        return true;
    }
    for (int32_t count = SURVIVING_DIGITS + 1; count <= MOST_DIGITS; count++) {
        if (!round_to_count(parts, decimal, count, &scale, &quotient, &error))
            return false;
        if (count == MOST_DIGITS || error * 2 < power_of_ten(scale)) {
            set_digits(digits, (uint64_t)quotient, scale);
            return true;
        }
    }
    return false;
}

bool s2l_make_digits_fast(double number, s2l_digit_mode mode, int32_t limit, s2l_digits *digits)
{
    binary parts;
    wide quotient;
    wide error;
    if (!take_apart(number, &parts))
        return false;
    int32_t log2 = MANTISSA_BITS - (int32_t)parts.shift;
    int32_t decimal = (int32_t)ceil(log2 * 0.30102999566398120 - 1e-10);
    if (mode == DIGITS_SHORTEST)
        return shortest(number, parts, decimal, digits);
    if (mode == DIGITS_COUNT) {
        int32_t scale;
        if (limit < 1 || limit > MOST_DIGITS || !round_to_count(parts, decimal, limit, &scale, &quotient, &error))
            return false;
        set_digits(digits, (uint64_t)quotient, scale);
        return true;
    }
    if (limit < 0 || limit > LARGEST_SCALE || decimal + limit >= 18 || !scaled(parts, limit, &quotient, &error))
        return false;
    set_digits(digits, (uint64_t)quotient, limit);
    return true;
}
