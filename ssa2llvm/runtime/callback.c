/* Calling back from a builtin into a function that the program names. */
#include "array_internal.h"

bool s2l_take_callable(
    const s2l_arguments *arguments, uint32_t index, const char *name, bool nullable, const s2l_function_info **result)
{
    s2l_value value = dereference(arguments->values[index]);
    *result = NULL;
    if (value.tag <= S2L_TAG_NULL && nullable)
        return true;
    const char *problem = "no array or string given";
    s2l_string *message = NULL;
    if (value.tag == S2L_TAG_STRING) {
        *result = s2l_function_find(arguments->context, as_string(value));
        if (*result != NULL && (*result)->entry != NULL)
            return true;
        message = s2l_message(arguments->context, "function \"%s\" not found or invalid function name",
            string_bytes(as_string(value)));
        problem = string_bytes(message);
    } else if (value.tag == S2L_TAG_ARRAY) {
        problem = "array callback must have exactly two members";
    }
    s2l_throw_in(arguments->context, arguments->function, "TypeError",
        "%s(): Argument #%u ($%s) must be a valid callback%s, %s", arguments->function, (unsigned)index + 1, name,
        nullable ? " or null" : "", problem);
    if (message != NULL)
        string_drop(arguments->context, message);
    return false;
}

s2l_value s2l_call_back(
    const s2l_arguments *builtin, const s2l_function_info *function, uint32_t count, const s2l_value *values)
{
    s2l_context *context = builtin->context;
    s2l_frame *frame = context->frame;
    /* The callee is called by the engine, which is not strict: the frame of the builtin has no file. */
    s2l_function_info self = {builtin->function, NULL, NULL, 0, 0};
    s2l_frame link = {frame, &self, 0, 0};
    context->frame = &link;
    s2l_value result = function->entry(context, count, values);
    context->frame = frame;
    return result;
}
