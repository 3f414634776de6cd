/* Constants by name: those that the program defines while it runs, and PHP's own.

   The front end puts in the value of every constant that it knows; here come the names that are only known at run time:
   define(), constant(), defined(), and unqualified names inside a namespace. The program's constants are a table searched
   from the front: programs define few, and generated code fetches each place once. A name's namespace ignores case, the
   rest does not. */
#include "internal.h"

#include <stdlib.h>

static uint64_t namespace_length(const char *name, uint64_t length)
{
    while (length > 0 && name[length - 1] != '\\')
        length--;
    return length;
}

static bool is_same_name(const s2l_string *left, const char *right, uint64_t length)
{
    if (left->length != length)
        return false;
    const char *bytes = string_bytes(left);
    uint64_t prefix = namespace_length(bytes, length);
    for (uint64_t i = 0; i < prefix; i++) {
        if (s2l_lower_byte(bytes[i]) != s2l_lower_byte(right[i]))
            return false;
    }
    return memcmp(bytes + prefix, right + prefix, length - prefix) == 0;
}

bool s2l_constant_find(s2l_context *context, const s2l_string *name, s2l_value *value)
{
    const s2l_hidden *hidden = context->hidden;
    const char *bytes = string_bytes(name);
    uint64_t length = name->length;
    if (length > 0 && bytes[0] == '\\') {
        bytes++;
        length--;
    }
    for (uint64_t i = 0; i < hidden->constant_count; i++) {
        if (is_same_name(hidden->constants[i].name, bytes, length)) {
            *value = hidden->constants[i].value;
            s2l_value_dup(*value);
            return true;
        }
    }
    return s2l_predefined_constant(context, bytes, length, value);
}

s2l_value s2l_constant_fetch(s2l_context *context, const s2l_string *name, const s2l_string *fallback)
{
    s2l_value value;
    if (s2l_constant_find(context, name, &value) || (fallback != NULL && s2l_constant_find(context, fallback, &value)))
        return value;
    s2l_throw_format(context, "Error", "Undefined constant \"%s\"", string_bytes(name));
    return error_value();
}

bool s2l_constant_define(s2l_context *context, const s2l_string *name, s2l_value value)
{
    s2l_hidden *hidden = context->hidden;
    s2l_value existing;
    if (s2l_constant_find(context, name, &existing)) {
        s2l_value_drop(context, existing);
        s2l_warning_format(context, "Constant %s already defined", string_bytes(name));
        return false;
    }
    if (hidden->constant_count == hidden->constant_capacity) {
        uint64_t capacity = hidden->constant_capacity * 2 + 8;
        s2l_constant *grown = realloc(hidden->constants, capacity * sizeof *grown);
        if (grown == NULL)
            s2l_fatal(context, "Out of memory");
        hidden->constants = grown;
        hidden->constant_capacity = capacity;
    }
    s2l_constant *constant = &hidden->constants[hidden->constant_count++];
    constant->name = s2l_string_new(context, string_bytes(name), name->length);
    constant->value = value;
    s2l_value_dup(value);
    return true;
}
