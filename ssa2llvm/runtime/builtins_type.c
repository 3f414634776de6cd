/* Builtin functions that ask for or change a value's type. Follows ext/standard/type.c. */
#include "internal.h"

BUILTIN(gettype)
{
    TAKE(gettype, 1, 1);
    const char *name = s2l_gettype_name(arguments.values[0]);
    return string_value(s2l_string_new(context, name, strlen(name)));
}

BUILTIN(get_debug_type)
{
    TAKE(get_debug_type, 1, 1);
    const char *name = s2l_type_name(arguments.values[0]);
    return string_value(s2l_string_new(context, name, strlen(name)));
}

#define TYPE_TEST(name, mask)                                                                                           \
    BUILTIN(name)                                                                                                       \
    {                                                                                                                   \
        TAKE(name, 1, 1);                                                                                               \
        return bool_value((MAY_BE(arguments.values[0].tag) & (mask)) != 0);                                             \
    }

#define MASK_NULL (MAY_BE(S2L_TAG_UNDEF) | MAY_BE(S2L_TAG_NULL))
#define MASK_BOOL (MAY_BE(S2L_TAG_FALSE) | MAY_BE(S2L_TAG_TRUE))
#define MASK_NUMBER (MAY_BE(S2L_TAG_LONG) | MAY_BE(S2L_TAG_DOUBLE))

TYPE_TEST(is_null, MASK_NULL)
TYPE_TEST(is_bool, MASK_BOOL)
TYPE_TEST(is_int, MAY_BE(S2L_TAG_LONG))
TYPE_TEST(is_integer, MAY_BE(S2L_TAG_LONG))
TYPE_TEST(is_long, MAY_BE(S2L_TAG_LONG))
TYPE_TEST(is_float, MAY_BE(S2L_TAG_DOUBLE))
TYPE_TEST(is_double, MAY_BE(S2L_TAG_DOUBLE))
TYPE_TEST(is_string, MAY_BE(S2L_TAG_STRING))
TYPE_TEST(is_scalar, MASK_BOOL | MASK_NUMBER | MAY_BE(S2L_TAG_STRING))
TYPE_TEST(is_array, MAY_BE(S2L_TAG_ARRAY))
TYPE_TEST(is_object, MAY_BE(S2L_TAG_OBJECT))
TYPE_TEST(is_iterable, MAY_BE(S2L_TAG_ARRAY))
TYPE_TEST(is_countable, MAY_BE(S2L_TAG_ARRAY))
TYPE_TEST(is_resource, MAY_BE(S2L_TAG_RESOURCE))

BUILTIN(is_numeric)
{
    TAKE(is_numeric, 1, 1);
    s2l_value value = arguments.values[0];
    if (value.tag != S2L_TAG_STRING)
        return bool_value((MAY_BE(value.tag) & MASK_NUMBER) != 0);
    return bool_value(s2l_parse_whole_number(string_bytes(as_string(value)), as_string(value)->length).kind != 0);
}

BUILTIN(is_callable)
{
    TAKE(is_callable, 1, 3);
    s2l_value value = arguments.values[0];
    return bool_value(value.tag == S2L_TAG_STRING && s2l_function_find(context, as_string(value)) != NULL);
}

/* C's strtol on a counted string: saturating, base 0 chooses by prefix; PHP's 0b prefix besides. */
static int64_t parse_in_base(const s2l_string *string, int64_t base)
{
    const char *at = string_bytes(string);
    while (is_space(*at))
        at++;
    bool negative = *at == '-';
    if (*at == '-' || *at == '+')
        at++;
    int32_t prefix = *at == '0' ? s2l_lower_byte(at[1]) : 0;
    if (prefix == 'x' && (base == 0 || base == 16)) {
        base = 16;
        at += 2;
    } else if (prefix == 'b' && (base == 0 || base == 2)) {
        base = 2;
        at += 2;
    } else if (base == 0) {
        base = *at == '0' ? 8 : 10;
    }
    if (base < 2 || base > 36)
        return 0;
    int64_t number = 0;
    for (;; at++) {
        int32_t byte = s2l_lower_byte(*at);
        int32_t digit = byte >= '0' && byte <= '9' ? byte - '0' : byte >= 'a' && byte <= 'z' ? byte - 'a' + 10 : 36;
        int64_t step = negative ? -digit : digit;
        if (digit >= base)
            return number;
        if (__builtin_mul_overflow(number, base, &number) || __builtin_add_overflow(number, step, &number))
            return negative ? INT64_MIN : INT64_MAX;
    }
}

BUILTIN(intval)
{
    TAKE(intval, 1, 2);
    int64_t base = 10;
    if (!s2l_take_optional_long(&arguments, 1, "base", &base))
        return error_value();
    s2l_value value = arguments.values[0];
    if (value.tag == S2L_TAG_STRING && base != 10)
        return long_value(parse_in_base(as_string(value), base));
    return long_value(s2l_to_long(value));
}

BUILTIN(floatval)
{
    TAKE(floatval, 1, 1);
    return double_value(s2l_to_double(arguments.values[0]));
}

BUILTIN(doubleval)
{
    TAKE(doubleval, 1, 1);
    return double_value(s2l_to_double(arguments.values[0]));
}

BUILTIN(boolval)
{
    TAKE(boolval, 1, 1);
    return bool_value(s2l_to_bool(arguments.values[0]));
}

BUILTIN(strval)
{
    TAKE(strval, 1, 1);
    return string_value(s2l_to_string(context, arguments.values[0]));
}

static bool names(const s2l_string *string, const char *name)
{
    uint64_t length = strlen(name);
    if (string->length != length)
        return false;
    for (uint64_t i = 0; i < length; i++) {
        if (s2l_lower_byte(string_bytes(string)[i]) != name[i])
            return false;
    }
    return true;
}

/* The cast that settype names: false when there is no such type. */
static bool cast_to(s2l_context *context, const s2l_string *type, s2l_value value, s2l_value *result)
{
    if (names(type, "int") || names(type, "integer"))
        *result = long_value(s2l_to_long(value));
    else if (names(type, "float") || names(type, "double"))
        *result = double_value(s2l_to_double(value));
    else if (names(type, "string"))
        *result = string_value(s2l_to_string(context, value));
    else if (names(type, "bool") || names(type, "boolean"))
        *result = bool_value(s2l_to_bool(value));
    else if (names(type, "array"))
        *result = pointer_value(s2l_to_array(context, value), S2L_TAG_ARRAY);
    else if (names(type, "null"))
        *result = null_value();
    else
        return false;
    return true;
}

BUILTIN(settype)
{
    TAKE(settype, 2, 2);
    s2l_reference *variable = as_reference(argv[0]);
    s2l_string *type;
    if (!s2l_take_string(&arguments, 1, "type", &type))
        return error_value();
    s2l_value old = make_value(variable->payload, variable->tag);
    s2l_value result;
    if (!cast_to(context, type, old, &result)) {
        s2l_value error = names(type, "resource")
            ? s2l_throw_in(context, "settype", "ValueError", "Cannot convert to resource type")
            : s2l_argument_error(&arguments, 1, "type", "must be a valid type");
        return s2l_done(&arguments, error);
    }
    variable->payload = result.payload;
    variable->tag = result.tag;
    s2l_value_drop(context, old);
    return s2l_done(&arguments, bool_value(true));
}
