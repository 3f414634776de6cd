/* Array arguments of builtin functions. */
#include "array_internal.h"

static bool wrong_type(const s2l_arguments *arguments, uint32_t index, const char *name, s2l_value given)
{
    const char *frame = arguments->is_instruction ? NULL : arguments->function;
    s2l_throw_in(arguments->context, frame, "TypeError",
        "%s(): Argument #%u ($%s) must be of type array, %s given", arguments->function, (unsigned)index + 1, name,
        s2l_type_name(given));
    return false;
}

bool s2l_take_array(const s2l_arguments *arguments, uint32_t index, const char *name, s2l_array **result)
{
    s2l_value value = dereference(arguments->values[index]);
    *result = as_array(value);
    return value.tag == S2L_TAG_ARRAY || wrong_type(arguments, index, name, value);
}

bool s2l_take_array_variable(const s2l_arguments *arguments, uint32_t index, const char *name, s2l_array **result)
{
    s2l_value value = dereference(arguments->values[index]);
    if (value.tag != S2L_TAG_ARRAY)
        return wrong_type(arguments, index, name, value);
    *result = s2l_array_separate(arguments->context, as_array(value));
    as_reference(arguments->values[index])->payload = array_value(*result).payload;
    return true;
}

void s2l_give_array(const s2l_arguments *arguments, uint32_t index, s2l_array *array)
{
    s2l_reference *variable = as_reference(arguments->values[index]);
    s2l_value old = make_value(variable->payload, variable->tag);
    if (as_array(old) == array)
        return;
    variable->payload = array_value(array).payload;
    value_drop(arguments->context, old);
}

void s2l_array_put_key(s2l_context *context, s2l_array *array, s2l_value key, s2l_value value)
{
    s2l_key made = long_key(key.payload);
    if (key.tag == S2L_TAG_STRING) {
        made.string = as_string(key);
        made.number = (int64_t)s2l_string_hash(made.string);
    }
    s2l_array_put(context, array, made, value);
}
