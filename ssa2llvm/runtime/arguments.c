/* Arguments of builtin functions.

   Follows zend_API.c: zend_wrong_parameters_count_error, zend_parse_arg_*_slow, zend_null_arg_deprecated. In weak mode
   scalars convert to each other and null is accepted with a deprecation; in strict mode (declared by the caller's file)
   only int -> float converts. */
#include "internal.h"

static bool is_strict(const s2l_arguments *arguments)
{
    const s2l_frame *frame = arguments->context->frame;
    return frame != NULL && (frame->function->flags & S2L_FUNCTION_STRICT) != 0;
}

bool s2l_check_count(const s2l_arguments *arguments, uint32_t least, uint32_t most)
{
    uint32_t count = arguments->count;
    if (LIKELY(count >= least && count <= most))
        return true;
    uint32_t bound = count < least ? least : most;
    const char *word = least == most ? "exactly" : count < least ? "at least" : "at most";
    s2l_throw_in(arguments->context, arguments->function, "ArgumentCountError", "%s() expects %s %u argument%s, %u given",
        arguments->function, word, (unsigned)bound, bound == 1 ? "" : "s", (unsigned)count);
    return false;
}

s2l_value s2l_argument_error(const s2l_arguments *arguments, uint32_t index, const char *name, const char *what)
{
    return s2l_throw_in(arguments->context, arguments->function, "ValueError", "%s(): Argument #%u ($%s) %s",
        arguments->function, (unsigned)index + 1, name, what);
}

static bool wrong_type(const s2l_arguments *arguments, uint32_t index, const char *name, const char *type)
{
    const char *frame = arguments->is_instruction ? NULL : arguments->function;
    s2l_throw_in(arguments->context, frame, "TypeError",
        "%s(): Argument #%u ($%s) must be of type %s, %s given", arguments->function, (unsigned)index + 1, name, type,
        s2l_type_name(arguments->values[index]));
    return false;
}

/* True if weak conversion may go on: not strict; null is noted as deprecated. */
static bool may_convert(const s2l_arguments *arguments, uint32_t index, const char *name, const char *type)
{
    if (is_strict(arguments))
        return false;
    if (arguments->values[index].tag <= S2L_TAG_NULL)
        s2l_deprecated_format(arguments->context, "%s(): Passing null to parameter #%u ($%s) of type %s is deprecated",
            arguments->function, (unsigned)index + 1, name, type);
    return true;
}

static bool take_long(
    const s2l_arguments *arguments, uint32_t index, const char *name, const char *type, int64_t *result)
{
    s2l_value value = arguments->values[index];
    if (LIKELY(value.tag == S2L_TAG_LONG)) {
        *result = value.payload;
        return true;
    }
    return (may_convert(arguments, index, name, type) && s2l_weak_to_long(arguments->context, value, result))
        || wrong_type(arguments, index, name, type);
}

bool s2l_take_long(const s2l_arguments *arguments, uint32_t index, const char *name, int64_t *result)
{
    return take_long(arguments, index, name, "int", result);
}

bool s2l_take_optional_long(const s2l_arguments *arguments, uint32_t index, const char *name, int64_t *result)
{
    return index >= arguments->count || take_long(arguments, index, name, "int", result);
}

bool s2l_take_nullable_long(const s2l_arguments *arguments, uint32_t index, const char *name, int64_t *result)
{
    return index >= arguments->count || arguments->values[index].tag <= S2L_TAG_NULL
        || take_long(arguments, index, name, "?int", result);
}

bool s2l_take_double(const s2l_arguments *arguments, uint32_t index, const char *name, double *result)
{
    s2l_value value = arguments->values[index];
    if (LIKELY(value.tag == S2L_TAG_DOUBLE)) {
        *result = as_double(value);
        return true;
    }
    if (value.tag == S2L_TAG_LONG) {
        *result = (double)value.payload;
        return true;
    }
    return (may_convert(arguments, index, name, "float") && s2l_weak_to_double(value, result))
        || wrong_type(arguments, index, name, "float");
}

bool s2l_take_bool(const s2l_arguments *arguments, uint32_t index, const char *name, bool *result)
{
    s2l_value value = arguments->values[index];
    if (value.tag != S2L_TAG_TRUE && value.tag != S2L_TAG_FALSE
        && (!may_convert(arguments, index, name, "bool") || value.tag > S2L_TAG_STRING))
        return wrong_type(arguments, index, name, "bool");
    *result = s2l_to_bool(value);
    return true;
}

bool s2l_take_optional_bool(const s2l_arguments *arguments, uint32_t index, const char *name, bool *result)
{
    return index >= arguments->count || s2l_take_bool(arguments, index, name, result);
}

static bool take_string(
    s2l_arguments *arguments, uint32_t index, const char *name, const char *type, s2l_string **result)
{
    s2l_value value = arguments->values[index];
    if (LIKELY(value.tag == S2L_TAG_STRING)) {
        *result = as_string(value);
        return true;
    }
    if (!may_convert(arguments, index, name, type) || value.tag > S2L_TAG_STRING)
        return wrong_type(arguments, index, name, type);
    *result = s2l_to_string(arguments->context, value);
    arguments->temporaries[arguments->temporary_count++] = *result;
    return true;
}

bool s2l_take_string(s2l_arguments *arguments, uint32_t index, const char *name, s2l_string **result)
{
    return take_string(arguments, index, name, "string", result);
}

bool s2l_take_array_or_string_text(
    s2l_arguments *arguments, uint32_t index, const char *name, s2l_string **result)
{
    return take_string(arguments, index, name, "array|string", result);
}

bool s2l_take_optional_string(s2l_arguments *arguments, uint32_t index, const char *name, s2l_string **result)
{
    return index >= arguments->count || take_string(arguments, index, name, "string", result);
}

bool s2l_take_nullable_string(s2l_arguments *arguments, uint32_t index, const char *name, s2l_string **result)
{
    return index >= arguments->count || arguments->values[index].tag <= S2L_TAG_NULL
        || take_string(arguments, index, name, "?string", result);
}

s2l_value s2l_done(s2l_arguments *arguments, s2l_value result)
{
    for (uint32_t i = 0; i < arguments->temporary_count; i++)
        string_drop(arguments->context, arguments->temporaries[i]);
    return result;
}

bool s2l_take_number(const s2l_arguments *arguments, uint32_t index, const char *name, s2l_value *result)
{
    s2l_value value = arguments->values[index];
    *result = value;
    if (value.tag == S2L_TAG_LONG || value.tag == S2L_TAG_DOUBLE)
        return true;
    if (!may_convert(arguments, index, name, "int|float") || value.tag > S2L_TAG_STRING)
        return wrong_type(arguments, index, name, "int|float");
    if (value.tag != S2L_TAG_STRING) {
        *result = long_value(value.tag == S2L_TAG_TRUE ? 1 : 0);
        return true;
    }
    s2l_number number = s2l_parse_whole_number(string_bytes(as_string(value)), as_string(value)->length);
    if (number.kind == 0)
        return wrong_type(arguments, index, name, "int|float");
    *result = number.kind == S2L_TAG_LONG ? long_value(number.integer) : double_value(number.real);
    return true;
}
