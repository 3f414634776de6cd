/* Decimal digits of a double, exactly.

   Problem: PHP prints floats in two ways, rounded to 14 digits (echo) and as the shortest text that reads back equal
   (var_dump), and rounds to a number of decimals (printf, number_format). libc prints correctly rounded digits too, but
   with the host's locale, and cannot print the shortest form; and the smallest precision that round-trips is not always
   the shortest one next to powers of two.
   Method: the fixed-up digit generation of Steele and White, "How to Print Floating-Point Numbers Accurately" (PLDI
   1990), on integers of up to 1408 bits: number = R / S, digits are floor(10 R / S) again and again; M+ and M- are half
   the distance to the neighbours. Ties go to even, as in David Gay's dtoa, which PHP uses. One oddity of Gay's is visible
   and kept: a whole number below 1e15 that lies half way and is rounded down keeps its trailing zeros
   (100000000000005.0 prints as 1.0000000000000E+14).
   Complexity: O(digits * limbs); whole numbers below 2^53 and what digits_fast.c can do take a short cut. */
#include "internal.h"

#include <math.h>

#define LIMBS 44
#define SMALL_INTEGER 1e15

typedef struct big {
    uint32_t count;
    uint32_t limb[LIMBS];
} big;

static void big_from(big *number, uint64_t value)
{
    number->limb[0] = (uint32_t)value;
    number->limb[1] = (uint32_t)(value >> 32);
    number->count = number->limb[1] != 0 ? 2 : number->limb[0] != 0 ? 1 : 0;
}

static void big_multiply(big *number, uint32_t factor)
{
    uint64_t carry = 0;
    for (uint32_t i = 0; i < number->count; i++) {
        carry += (uint64_t)number->limb[i] * factor;
        number->limb[i] = (uint32_t)carry;
        carry >>= 32;
    }
    if (carry != 0)
        number->limb[number->count++] = (uint32_t)carry;
}

static void big_multiply_power_of_ten(big *number, int32_t power)
{
    for (; power >= 9; power -= 9)
        big_multiply(number, 1000000000);
    for (; power > 0; power--)
        big_multiply(number, 10);
}

static void big_shift(big *number, int32_t bits)
{
    if (number->count == 0)
        return;
    uint32_t limbs = (uint32_t)bits / 32;
    memmove(number->limb + limbs, number->limb, number->count * sizeof *number->limb);
    memset(number->limb, 0, limbs * sizeof *number->limb);
    number->count += limbs;
    big_multiply(number, 1u << (bits % 32));
}

/* Sign of (left + addend) - right. `addend` may be NULL. */
static int32_t big_compare_sum(const big *left, const big *addend, const big *right)
{
    big sum = *left;
    if (addend != NULL) {
        uint64_t carry = 0;
        uint32_t count = left->count > addend->count ? left->count : addend->count;
        for (uint32_t i = 0; i < count; i++) {
            carry += (i < left->count ? left->limb[i] : 0);
            carry += (i < addend->count ? addend->limb[i] : 0);
            sum.limb[i] = (uint32_t)carry;
            carry >>= 32;
        }
        sum.count = count;
        if (carry != 0)
            sum.limb[sum.count++] = (uint32_t)carry;
    }
    if (sum.count != right->count)
        return sum.count < right->count ? -1 : 1;
    for (uint32_t i = sum.count; i-- > 0;) {
        if (sum.limb[i] != right->limb[i])
            return sum.limb[i] < right->limb[i] ? -1 : 1;
    }
    return 0;
}

static int32_t big_compare(const big *left, const big *right)
{
    return big_compare_sum(left, NULL, right);
}

/* number %= divisor; gives the quotient, which is known to be below 10. */
static char big_divide(big *number, const big *divisor)
{
    char quotient = 0;
    while (big_compare(number, divisor) >= 0) {
        int64_t borrow = 0;
        for (uint32_t i = 0; i < number->count; i++) {
            borrow += (int64_t)number->limb[i] - (i < divisor->count ? divisor->limb[i] : 0);
            number->limb[i] = (uint32_t)borrow;
            borrow >>= 32;
        }
        while (number->count > 0 && number->limb[number->count - 1] == 0)
            number->count--;
        quotient++;
    }
    return quotient;
}

typedef struct fraction {
    big numerator;   /* R */
    big denominator; /* S */
    big above;       /* M+ */
    big below;       /* M- */
    bool even;       /* the bounds themselves read back as the number */
} fraction;

/* The decimal exponent k with 10^(k-1) <= number < 10^k, perhaps one too small. */
static int32_t estimate_exponent(uint64_t mantissa, int32_t exponent)
{
    int32_t log2 = exponent + 63 - __builtin_clzll(mantissa);
    return (int32_t)ceil(log2 * 0.30102999566398120 - 1e-10);
}

static int32_t split(double number, fraction *parts)
{
    uint64_t bits;
    memcpy(&bits, &number, sizeof bits);
    uint64_t mantissa = bits & ((UINT64_C(1) << 52) - 1);
    int32_t exponent = (int32_t)(bits >> 52 & 0x7ff);
    bool lower_is_closer = mantissa == 0 && exponent > 1;
    if (exponent != 0)
        mantissa |= UINT64_C(1) << 52;
    else
        exponent = 1;
    exponent -= 1075;

    /* Everything is doubled, so that half a distance is whole; doubled again when the lower neighbour is half as far. */
    int32_t extra = lower_is_closer ? 2 : 1;
    big_from(&parts->numerator, mantissa);
    big_from(&parts->denominator, 1);
    big_from(&parts->above, 1);
    big_from(&parts->below, 1);
    if (exponent >= 0) {
        big_shift(&parts->numerator, exponent + extra);
        big_shift(&parts->denominator, extra);
        big_shift(&parts->above, exponent + extra - 1);
        big_shift(&parts->below, exponent);
    } else {
        big_shift(&parts->numerator, extra);
        big_shift(&parts->denominator, extra - exponent);
        big_shift(&parts->above, extra - 1);
    }
    parts->even = (mantissa & 1) == 0;

    int32_t decimal = estimate_exponent(mantissa, exponent);
    if (decimal >= 0) {
        big_multiply_power_of_ten(&parts->denominator, decimal);
    } else {
        big_multiply_power_of_ten(&parts->numerator, -decimal);
        big_multiply_power_of_ten(&parts->above, -decimal);
        big_multiply_power_of_ten(&parts->below, -decimal);
    }
    return decimal;
}

static void append_digit(s2l_digits *digits, char digit)
{
    digits->digit[digits->count++] = (char)('0' + digit);
}

/* Adds one to the last digit; 99 becomes 1 with a larger exponent. */
static void round_up(s2l_digits *digits)
{
    while (digits->count > 0 && digits->digit[digits->count - 1] == '9')
        digits->count--;
    if (digits->count > 0) {
        digits->digit[digits->count - 1]++;
    } else {
        append_digit(digits, 1);
        digits->exponent++;
    }
}

static void strip_zeros(s2l_digits *digits)
{
    while (digits->count > 0 && digits->digit[digits->count - 1] == '0')
        digits->count--;
}

static bool last_is_odd(const s2l_digits *digits)
{
    return digits->count > 0 && (digits->digit[digits->count - 1] & 1) != 0;
}

/* Sign of R - S/2. */
static int32_t compare_with_half(const fraction *parts)
{
    return big_compare_sum(&parts->numerator, &parts->numerator, &parts->denominator);
}

static void make_shortest(fraction *parts, s2l_digits *digits)
{
    int32_t reach = big_compare_sum(&parts->numerator, &parts->above, &parts->denominator);
    if (reach > 0 || (reach == 0 && parts->even)) {
        digits->exponent++;
        big_multiply(&parts->denominator, 10);
    }
    for (;;) {
        big_multiply(&parts->numerator, 10);
        big_multiply(&parts->above, 10);
        big_multiply(&parts->below, 10);
        char digit = big_divide(&parts->numerator, &parts->denominator);
        int32_t low = big_compare(&parts->numerator, &parts->below);
        int32_t high = big_compare_sum(&parts->numerator, &parts->above, &parts->denominator);
        bool low_enough = low < 0 || (low == 0 && parts->even);
        bool high_enough = high > 0 || (high == 0 && parts->even);
        append_digit(digits, digit);
        if (!low_enough && !high_enough)
            continue;
        int32_t half = compare_with_half(parts);
        if (high_enough && (!low_enough || half > 0 || (half == 0 && last_is_odd(digits))))
            round_up(digits);
        return;
    }
}

/* True if the number lay exactly half way and was rounded down, to an even digit. */
static bool make_rounded(fraction *parts, bool fraction_digits, int32_t limit, s2l_digits *digits)
{
    if (big_compare(&parts->numerator, &parts->denominator) >= 0) {
        digits->exponent++;
        big_multiply(&parts->denominator, 10);
    }
    int32_t wanted = fraction_digits ? digits->exponent + limit : limit;
    if (wanted < 0)
        return false;
    if (wanted > S2L_MAX_DIGITS)
        wanted = S2L_MAX_DIGITS;
    while (digits->count < wanted && parts->numerator.count > 0) {
        big_multiply(&parts->numerator, 10);
        append_digit(digits, big_divide(&parts->numerator, &parts->denominator));
    }
    int32_t half = compare_with_half(parts);
    bool up = half > 0 || (half == 0 && last_is_odd(digits));
    if (up)
        round_up(digits);
    return half == 0 && !up;
}

void s2l_make_digits(double number, s2l_digit_mode mode, int32_t limit, s2l_digits *digits)
{
    number = fabs(number);
    digits->count = 0;
    if (number < 9007199254740992.0 && number == floor(number)) {
        char text[20];
        char *start = s2l_write_unsigned(text + sizeof text, (uint64_t)number);
        digits->exponent = (int32_t)(text + sizeof text - start);
        if (mode != DIGITS_COUNT || digits->exponent <= limit) {
            digits->count = digits->exponent;
            memcpy(digits->digit, start, (size_t)digits->count);
            strip_zeros(digits);
            return;
        }
    }
    if (s2l_make_digits_fast(number, mode, limit, digits))
        return;
    fraction parts;
    digits->exponent = split(number, &parts);
    bool keep_zeros = false;
    if (mode == DIGITS_SHORTEST)
        make_shortest(&parts, digits);
    else
        keep_zeros = make_rounded(&parts, mode == DIGITS_FRACTION, limit, digits) && number < SMALL_INTEGER
            && number == floor(number);
    if (!keep_zeros)
        strip_zeros(digits);
}
