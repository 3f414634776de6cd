/* Builtin functions by name: for dynamic calls and function_exists. Sorted (binary search); a test keeps the list equal to
   builtins.h. */
#include "internal.h"

#define ENTRY(name) {#name, NULL, s2l_fn_##name, 0, 0}

static const s2l_function_info builtins[] = {
    ENTRY(abs),
    ENTRY(acos),
    ENTRY(acosh),
    ENTRY(asin),
    ENTRY(asinh),
    ENTRY(atan),
    ENTRY(atan2),
    ENTRY(atanh),
    ENTRY(bin2hex),
    ENTRY(bindec),
    ENTRY(boolval),
    ENTRY(ceil),
    ENTRY(chop),
    ENTRY(chr),
    ENTRY(constant),
    ENTRY(cos),
    ENTRY(cosh),
    ENTRY(crc32),
    ENTRY(decbin),
    ENTRY(dechex),
    ENTRY(decoct),
    ENTRY(define),
    ENTRY(defined),
    ENTRY(deg2rad),
    ENTRY(doubleval),
    ENTRY(exp),
    ENTRY(expm1),
    ENTRY(fdiv),
    ENTRY(floatval),
    ENTRY(floor),
    ENTRY(fmod),
    ENTRY(function_exists),
    ENTRY(get_debug_type),
    ENTRY(gettype),
    ENTRY(hexdec),
    ENTRY(hrtime),
    ENTRY(hypot),
    ENTRY(intdiv),
    ENTRY(intval),
    ENTRY(is_array),
    ENTRY(is_bool),
    ENTRY(is_callable),
    ENTRY(is_countable),
    ENTRY(is_double),
    ENTRY(is_finite),
    ENTRY(is_float),
    ENTRY(is_infinite),
    ENTRY(is_int),
    ENTRY(is_integer),
    ENTRY(is_iterable),
    ENTRY(is_long),
    ENTRY(is_nan),
    ENTRY(is_null),
    ENTRY(is_numeric),
    ENTRY(is_object),
    ENTRY(is_resource),
    ENTRY(is_scalar),
    ENTRY(is_string),
    ENTRY(lcfirst),
    ENTRY(log),
    ENTRY(log10),
    ENTRY(log1p),
    ENTRY(ltrim),
    ENTRY(max),
    ENTRY(md5),
    ENTRY(microtime),
    ENTRY(min),
    ENTRY(nl2br),
    ENTRY(number_format),
    ENTRY(octdec),
    ENTRY(ord),
    ENTRY(pi),
    ENTRY(pow),
    ENTRY(print_r),
    ENTRY(printf),
    ENTRY(rad2deg),
    ENTRY(round),
    ENTRY(rtrim),
    ENTRY(settype),
    ENTRY(sin),
    ENTRY(sinh),
    ENTRY(sprintf),
    ENTRY(sqrt),
    ENTRY(str_contains),
    ENTRY(str_ends_with),
    ENTRY(str_pad),
    ENTRY(str_repeat),
    ENTRY(str_starts_with),
    ENTRY(strcasecmp),
    ENTRY(strcmp),
    ENTRY(stripos),
    ENTRY(strlen),
    ENTRY(strncasecmp),
    ENTRY(strncmp),
    ENTRY(strpos),
    ENTRY(strrev),
    ENTRY(strrpos),
    ENTRY(strstr),
    ENTRY(strtolower),
    ENTRY(strtoupper),
    ENTRY(strval),
    ENTRY(substr),
    ENTRY(substr_count),
    ENTRY(tan),
    ENTRY(tanh),
    ENTRY(time),
    ENTRY(trim),
    ENTRY(ucfirst),
    ENTRY(ucwords),
    ENTRY(var_dump),
    ENTRY(var_export),
};

static int32_t order_names(const char *left, const char *right, uint64_t right_length)
{
    for (uint64_t i = 0; i < right_length; i++) {
        int32_t difference = (uint8_t)left[i] - s2l_lower_byte(right[i]);
        if (difference != 0)
            return difference;
    }
    return left[right_length] == '\0' ? 0 : 1;
}

const s2l_function_info *s2l_builtin_find(const char *name, uint64_t length)
{
    size_t low = 0;
    size_t high = sizeof builtins / sizeof builtins[0];
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        int32_t order = order_names(builtins[middle].name, name, length);
        if (order == 0)
            return &builtins[middle];
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}
