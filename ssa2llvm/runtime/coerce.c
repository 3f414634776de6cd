/* Declared parameter and return types of user functions.

   Follows zend_execute.c: zend_verify_weak_scalar_type_hint, zend_verify_scalar_type_hint, zend_verify_arg_error,
   zend_verify_return_error; zend_API.c: zend_parse_arg_long_weak and its kin. In strict mode only int -> float is
   converted; in weak mode the order of preference is int, float, string, bool, and null is never converted. Generated code
   comes here when the argument's tag is not in the declared mask. */
#include "internal.h"

#include <math.h>

#define MASK_BOOL (MAY_BE(S2L_TAG_FALSE) | MAY_BE(S2L_TAG_TRUE))

bool s2l_weak_to_long(s2l_context *context, s2l_value value, int64_t *result)
{
    double real;
    if (value.tag == S2L_TAG_DOUBLE) {
        real = as_double(value);
    } else if (value.tag == S2L_TAG_STRING) {
        s2l_number number = s2l_parse_whole_number(string_bytes(as_string(value)), as_string(value)->length);
        if (number.kind == 0)
            return false;
        if (number.kind == S2L_TAG_LONG) {
            *result = number.integer;
            return true;
        }
        real = number.real;
    } else {
        *result = s2l_to_long(value);
        return value.tag < S2L_TAG_STRING;
    }
    if (isnan(real) || !s2l_double_fits_long(real))
        return false;
    *result = (int64_t)real;
    if ((double)*result != real) {
        if (value.tag == S2L_TAG_DOUBLE)
            s2l_deprecated_float_to_int(context, real);
        else
            s2l_deprecated_string_to_int(context, as_string(value));
    }
    return true;
}

bool s2l_weak_to_double(s2l_value value, double *result)
{
    if (value.tag == S2L_TAG_STRING) {
        s2l_number number = s2l_parse_whole_number(string_bytes(as_string(value)), as_string(value)->length);
        *result = number.kind == S2L_TAG_LONG ? (double)number.integer : number.real;
        return number.kind != 0;
    }
    *result = s2l_to_double(value);
    return value.tag < S2L_TAG_STRING;
}

/* Converts a scalar that is not null and not of the type; the result is new. */
static bool convert_weakly(s2l_context *context, s2l_value value, uint32_t mask, s2l_value *result)
{
    int64_t integer;
    double real;
    bool either = (mask & MAY_BE(S2L_TAG_LONG)) && (mask & MAY_BE(S2L_TAG_DOUBLE));
    if (either && value.tag == S2L_TAG_STRING) {
        s2l_number number = s2l_parse_whole_number(string_bytes(as_string(value)), as_string(value)->length);
        *result = number.kind == S2L_TAG_LONG ? long_value(number.integer) : double_value(number.real);
        if (number.kind != 0)
            return true;
    } else if ((mask & MAY_BE(S2L_TAG_LONG)) && s2l_weak_to_long(context, value, &integer)) {
        *result = long_value(integer);
        return true;
    }
    if ((mask & MAY_BE(S2L_TAG_DOUBLE)) && s2l_weak_to_double(value, &real)) {
        *result = double_value(real);
        return true;
    }
    if ((mask & MAY_BE(S2L_TAG_STRING)) && value.tag < S2L_TAG_STRING) {
        *result = string_value(s2l_to_string(context, value));
        return true;
    }
    if ((mask & MASK_BOOL) == MASK_BOOL && value.tag <= S2L_TAG_STRING) {
        *result = bool_value(s2l_to_bool(value));
        return true;
    }
    return false;
}

static bool convert(s2l_context *context, s2l_value value, uint32_t mask, bool strict, s2l_value *result)
{
    if (value.tag <= S2L_TAG_ARRAY && (mask & MAY_BE(value.tag))) {
        *result = value;
        return true;
    }
    if (value.tag <= S2L_TAG_NULL)
        return false;
    if (strict) {
        if (!(mask & MAY_BE(S2L_TAG_DOUBLE)) || value.tag != S2L_TAG_LONG)
            return false;
        *result = double_value((double)value.payload);
        return true;
    }
    if (!convert_weakly(context, value, mask, result))
        return false;
    s2l_value_drop(context, value);
    return true;
}

/* The frame of the program that calls the function on top; NULL if a builtin or a host does. */
static const s2l_frame *calling_frame(const s2l_context *context)
{
    const s2l_frame *caller = context->frame->previous;
    return caller != NULL && caller->function->file != NULL ? caller : NULL;
}

s2l_value s2l_coerce_parameter(s2l_context *context, s2l_value argument, const s2l_parameter_info *parameter)
{
    const s2l_frame *callee = context->frame;
    const s2l_frame *caller = calling_frame(context);
    bool strict = caller != NULL && (caller->function->flags & S2L_FUNCTION_STRICT) != 0;
    s2l_value result;
    if (convert(context, argument, parameter->mask, strict, &result))
        return result;
    s2l_text text = s2l_text_start(context);
    if (caller != NULL) {
        s2l_text_cstring(&text, ", called in ");
        s2l_text_cstring(&text, caller->function->file);
        s2l_text_cstring(&text, " on line ");
        s2l_text_long(&text, caller->line);
    }
    /* The arguments that a variadic parameter gathers have no names. */
    bool named = parameter->name != NULL;
    s2l_throw_format(context, "TypeError", "%s(): Argument #%u%s%s%s must be of type %s, %s given%s",
        callee->function->name, (unsigned)parameter->number, named ? " ($" : "", named ? parameter->name : "",
        named ? ")" : "", parameter->type, s2l_type_name(argument), string_bytes(text.string));
    s2l_text_abandon(&text);
    s2l_value_drop(context, argument);
    return error_value();
}

s2l_value s2l_coerce_return(s2l_context *context, s2l_value value, const s2l_parameter_info *type)
{
    const s2l_function_info *function = context->frame->function;
    s2l_value result;
    if (value.tag != S2L_TAG_UNDEF
        && convert(context, value, type->mask, (function->flags & S2L_FUNCTION_STRICT) != 0, &result))
        return result;
    s2l_throw_format(context, "TypeError", "%s(): Return value must be of type %s, %s returned", function->name,
        type->type, value.tag == S2L_TAG_UNDEF ? "none" : s2l_type_name(value));
    s2l_value_drop(context, value);
    return error_value();
}

void s2l_throw_too_few_arguments(s2l_context *context, uint32_t passed, uint32_t required, bool exactly)
{
    const s2l_frame *caller = calling_frame(context);
    const char *name = context->frame->function->name;
    const char *bound = exactly ? "exactly" : "at least";
    if (caller != NULL)
        s2l_throw_format(context, "ArgumentCountError",
            "Too few arguments to function %s(), %u passed in %s on line %u and %s %u expected", name, (unsigned)passed,
            caller->function->file, (unsigned)caller->line, bound, (unsigned)required);
    else
        s2l_throw_format(context, "ArgumentCountError",
            "Too few arguments to function %s(), %u passed and %s %u expected", name, (unsigned)passed, bound,
            (unsigned)required);
}
