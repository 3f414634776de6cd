/* round and number_format.

   Follows ext/standard/math.c of PHP 8.2: _php_math_round with its pre-rounding to 15 significant digits, so that
   round(1.005, 2) is 1.01 although the float is below; _php_math_number_format_ex. (PHP 8.4 rounds differently.) */
#include "internal.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>

#define HALF_UP 1
#define HALF_DOWN 2
#define HALF_EVEN 3
#define HALF_ODD 4
#define GUARANTEED_DIGITS 14
#define ROUNDABLE_LIMIT 1e15
#define EXACT_POWERS 23
#define KEPT_DECIMALS 318

static double power_of_ten(int64_t power)
{
    static const double powers[EXACT_POWERS] = {1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13,
        1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    return power < EXACT_POWERS ? powers[power] : pow(10.0, (double)power);
}

/* floor(log10(|number|)); exact next to powers of ten in the range where they are exact. */
static int64_t decimal_magnitude(double number)
{
    number = fabs(number);
    if (number < 1e-8 || number > 1e22)
        return (int64_t)floor(log10(number));
    static const double small[] = {1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 1e-1};
    int64_t magnitude = -8;
    while (magnitude < 0 && number >= small[magnitude + 8])
        magnitude++;
    if (magnitude < 0 || number < 1.0)
        return magnitude - 1;
    while (magnitude < EXACT_POWERS - 1 && number >= power_of_ten(magnitude + 1))
        magnitude++;
    return magnitude;
}

/* Scales by 10^places, down for negative places. */
static double scale(double number, int64_t places)
{
    return places >= 0 ? number * power_of_ten(places) : number / power_of_ten(-places);
}

static double round_to_whole(double number, int64_t mode)
{
    double whole = number >= 0.0 ? floor(number + 0.5) : ceil(number - 0.5);
    double step = number >= 0.0 ? 1.0 : -1.0;
    if (mode == HALF_UP || number != whole - 0.5 * step)
        return whole;
    /* Exactly half way: `whole` is the one away from zero. */
    bool odd = fmod(whole, 2.0) != 0;
    bool keep = mode == HALF_EVEN ? !odd : mode == HALF_ODD ? odd : mode != HALF_DOWN;
    return keep ? whole : whole - step;
}

static double round_places(double number, int64_t places, int64_t mode)
{
    if (!isfinite(number) || number == 0.0)
        return number;
    int64_t precision = GUARANTEED_DIGITS - decimal_magnitude(number);
    double scaled;
    if (precision > places && precision - 15 < places) {
        /* Round to what a float guarantees first, then move the point. */
        scaled = round_to_whole(scale(number, precision), mode);
        scaled /= power_of_ten(precision - places);
    } else {
        scaled = scale(number, places);
        if (fabs(scaled) >= ROUNDABLE_LIMIT)
            return number;
    }
    scaled = round_to_whole(scaled, mode);
    if (places > -EXACT_POWERS && places < EXACT_POWERS)
        return scale(scaled, -places);
    char text[64];
    int length = snprintf(text, sizeof text, "%lld", (long long)scaled);
    snprintf(text + length, sizeof text - (size_t)length, "e%lld", (long long)-places);
    double result = s2l_parse_double(text, strlen(text), NULL);
    return isfinite(result) ? result : number;
}

static int64_t clamp_to_int(int64_t places)
{
    return places > INT_MAX ? INT_MAX : places < -INT_MAX ? -INT_MAX : places;
}

double s2l_round(double number, int64_t places)
{
    return round_places(number, clamp_to_int(places), HALF_UP);
}

BUILTIN(round)
{
    TAKE(round, 1, 3);
    s2l_value num;
    int64_t precision = 0;
    int64_t mode = HALF_UP;
    if (!s2l_take_number(&arguments, 0, "num", &num) || !s2l_take_optional_long(&arguments, 1, "precision", &precision)
        || !s2l_take_optional_long(&arguments, 2, "mode", &mode))
        return error_value();
    if (num.tag == S2L_TAG_LONG && precision >= 0)
        return double_value((double)num.payload);
    return double_value(round_places(s2l_to_double(num), clamp_to_int(precision), mode));
}

/* The whole part, in groups of three. */
static void write_groups(s2l_text *text, const s2l_digits *digits, const s2l_string *separator)
{
    if (digits->exponent <= 0)
        s2l_text_bytes(text, "0", 1);
    for (int32_t position = digits->exponent; position > 0; position--) {
        int32_t index = digits->exponent - position;
        s2l_text_fill(text, index < digits->count ? digits->digit[index] : '0', 1);
        if (position % 3 == 1 && position > 1)
            s2l_text_bytes(text, string_bytes(separator), separator->length);
    }
}

static void write_decimals(s2l_text *text, const s2l_digits *digits, int64_t decimals)
{
    int64_t zeros = digits->exponent < 0 ? -(int64_t)digits->exponent : 0;
    if (zeros > decimals)
        zeros = decimals;
    int64_t first = digits->exponent > 0 ? digits->exponent : 0;
    int64_t count = digits->count > first ? digits->count - first : 0;
    s2l_text_fill(text, '0', (uint64_t)zeros);
    s2l_text_bytes(text, digits->digit + first, (uint64_t)count);
    s2l_text_fill(text, '0', (uint64_t)(decimals - zeros - count));
}

static s2l_string *format_number(
    s2l_context *context, double number, int64_t decimals, const s2l_string *point, const s2l_string *separator)
{
    decimals = decimals < 0 ? 0 : clamp_to_int(decimals);
    bool negative = number < 0;
    number = round_places(fabs(number), decimals, HALF_UP);
    if (!isfinite(number))
        return s2l_string_new(context, isnan(number) ? "nan" : "inf", 3);
    s2l_digits digits = {0, 1, {0}};
    if (number != 0)
        s2l_make_digits(
            number, DIGITS_FRACTION, (int32_t)(decimals < KEPT_DECIMALS ? decimals : KEPT_DECIMALS), &digits);
    s2l_text text = s2l_text_start(context);
    if (negative && number != 0)
        s2l_text_bytes(&text, "-", 1);
    write_groups(&text, &digits, separator);
    if (decimals > 0) {
        s2l_text_bytes(&text, string_bytes(point), point->length);
        write_decimals(&text, &digits, decimals);
    }
    return s2l_text_finish(&text);
}

BUILTIN(number_format)
{
    TAKE(number_format, 1, 4);
    double num;
    int64_t decimals = 0;
    s2l_string *point = s2l_string_of_byte('.');
    s2l_string *separator = s2l_string_of_byte(',');
    if (!s2l_take_double(&arguments, 0, "num", &num) || !s2l_take_optional_long(&arguments, 1, "decimals", &decimals)
        || !s2l_take_nullable_string(&arguments, 2, "decimal_separator", &point)
        || !s2l_take_nullable_string(&arguments, 3, "thousands_separator", &separator))
        return s2l_done(&arguments, error_value());
    return s2l_done(&arguments, string_value(format_number(context, num, decimals, point, separator)));
}
