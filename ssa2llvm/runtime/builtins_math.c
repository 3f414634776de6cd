/* Builtin functions on numbers. Follows ext/standard/math.c for results and messages. */
#include "array_internal.h"

#include <math.h>

#define PI 3.14159265358979323846

/* A function float -> float of one argument $num. */
#define REAL_FUNCTION(name, expression)                                                                                 \
    BUILTIN(name)                                                                                                       \
    {                                                                                                                   \
        TAKE(name, 1, 1);                                                                                               \
        double num;                                                                                                     \
        if (!s2l_take_double(&arguments, 0, "num", &num))                                                               \
            return error_value();                                                                                       \
        return double_value(expression);                                                                                \
    }

/* A function (float, float) -> float. */
#define REAL_FUNCTION_2(name, first_name, second_name, expression)                                                      \
    BUILTIN(name)                                                                                                       \
    {                                                                                                                   \
        TAKE(name, 2, 2);                                                                                               \
        double first;                                                                                                   \
        double second;                                                                                                  \
        if (!s2l_take_double(&arguments, 0, first_name, &first) || !s2l_take_double(&arguments, 1, second_name, &second)) \
            return error_value();                                                                                       \
        return double_value(expression);                                                                                \
    }

/* A predicate on a float $num. */
#define REAL_PREDICATE(name, expression)                                                                                \
    BUILTIN(name)                                                                                                       \
    {                                                                                                                   \
        TAKE(name, 1, 1);                                                                                               \
        double num;                                                                                                     \
        if (!s2l_take_double(&arguments, 0, "num", &num))                                                               \
            return error_value();                                                                                       \
        return bool_value(expression);                                                                                  \
    }

REAL_FUNCTION(sqrt, sqrt(num))
REAL_FUNCTION(exp, exp(num))
REAL_FUNCTION(expm1, expm1(num))
REAL_FUNCTION(log10, log10(num))
REAL_FUNCTION(log1p, log1p(num))
REAL_FUNCTION(sin, sin(num))
REAL_FUNCTION(cos, cos(num))
REAL_FUNCTION(tan, tan(num))
REAL_FUNCTION(asin, asin(num))
REAL_FUNCTION(acos, acos(num))
REAL_FUNCTION(atan, atan(num))
REAL_FUNCTION(sinh, sinh(num))
REAL_FUNCTION(cosh, cosh(num))
REAL_FUNCTION(tanh, tanh(num))
REAL_FUNCTION(asinh, asinh(num))
REAL_FUNCTION(acosh, acosh(num))
REAL_FUNCTION(atanh, atanh(num))
REAL_FUNCTION(deg2rad, num / 180.0 * PI)
REAL_FUNCTION(rad2deg, num / PI * 180.0)
REAL_FUNCTION_2(atan2, "y", "x", atan2(first, second))
REAL_FUNCTION_2(fmod, "num1", "num2", fmod(first, second))
REAL_FUNCTION_2(fdiv, "num1", "num2", first / second)
REAL_FUNCTION_2(hypot, "x", "y", hypot(first, second))
REAL_PREDICATE(is_nan, isnan(num))
REAL_PREDICATE(is_finite, isfinite(num))
REAL_PREDICATE(is_infinite, isinf(num))

BUILTIN(pi)
{
    TAKE(pi, 0, 0);
    return double_value(PI);
}

BUILTIN(log)
{
    TAKE(log, 1, 2);
    double num;
    double base = 0;
    if (!s2l_take_double(&arguments, 0, "num", &num))
        return error_value();
    if (argc == 1)
        return double_value(log(num));
    if (!s2l_take_double(&arguments, 1, "base", &base))
        return error_value();
    if (base == 2.0)
        return double_value(log2(num));
    if (base == 10.0)
        return double_value(log10(num));
    if (base == 1.0)
        return double_value(NAN);
    if (base <= 0.0)
        return s2l_argument_error(&arguments, 1, "base", "must be greater than 0");
    return double_value(log(num) / log(base));
}

BUILTIN(pow)
{
    TAKE(pow, 2, 2);
    return s2l_pow(context, argv[0], argv[1]);
}

s2l_value s2l_abs_long(int64_t number)
{
    if (number == INT64_MIN)
        return double_value(-(double)INT64_MIN);
    return long_value(number < 0 ? -number : number);
}

BUILTIN(abs)
{
    TAKE(abs, 1, 1);
    s2l_value num;
    if (!s2l_take_number(&arguments, 0, "num", &num))
        return error_value();
    return num.tag == S2L_TAG_LONG ? s2l_abs_long(num.payload) : double_value(fabs(as_double(num)));
}

BUILTIN(floor)
{
    TAKE(floor, 1, 1);
    s2l_value num;
    if (!s2l_take_number(&arguments, 0, "num", &num))
        return error_value();
    return double_value(num.tag == S2L_TAG_LONG ? (double)num.payload : floor(as_double(num)));
}

BUILTIN(ceil)
{
    TAKE(ceil, 1, 1);
    s2l_value num;
    if (!s2l_take_number(&arguments, 0, "num", &num))
        return error_value();
    return double_value(num.tag == S2L_TAG_LONG ? (double)num.payload : ceil(as_double(num)));
}

BUILTIN(intdiv)
{
    TAKE(intdiv, 2, 2);
    int64_t dividend;
    int64_t divisor;
    if (!s2l_take_long(&arguments, 0, "num1", &dividend) || !s2l_take_long(&arguments, 1, "num2", &divisor))
        return error_value();
    if (divisor == 0)
        return s2l_throw_in(context, "intdiv", "DivisionByZeroError", "Division by zero");
    if (divisor == -1 && dividend == INT64_MIN)
        return s2l_throw_in(
            context, "intdiv", "ArithmeticError", "Division of PHP_INT_MIN by -1 is not an integer");
    return long_value(dividend / divisor);
}

/* min and max of an array's values. */
static s2l_value extreme_element(const s2l_arguments *arguments, int32_t sign)
{
    s2l_array *array;
    if (!s2l_take_array(arguments, 0, "value", &array))
        return error_value();
    if (array->count == 0)
        return s2l_argument_error(arguments, 0, "value", "must contain at least one element");
    s2l_value best = make_value(0, S2L_TAG_UNDEF);
    s2l_value key;
    s2l_value value;
    FOR_EACH (array, key, value) {
        if (best.tag == S2L_TAG_UNDEF || s2l_compare(arguments->context, best, value) * sign < 0)
            best = value;
    }
    return dup(best);
}

/* min and max of at least two values: the first of those that no other is better than. */
static s2l_value extreme(const s2l_arguments *arguments, int32_t sign)
{
    s2l_context *context = arguments->context;
    if (arguments->count == 1)
        return extreme_element(arguments, sign);
    s2l_value best = arguments->values[0];
    for (uint32_t i = 1; i < arguments->count; i++) {
        if (s2l_compare(context, arguments->values[i], best) * sign > 0)
            best = arguments->values[i];
    }
    s2l_value_dup(best);
    return best;
}

BUILTIN(min)
{
    TAKE(min, 1, NO_LIMIT);
    return extreme(&arguments, -1);
}

BUILTIN(max)
{
    TAKE(max, 1, NO_LIMIT);
    return extreme(&arguments, 1);
}
