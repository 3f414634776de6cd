/* var_dump. Follows ext/standard/var.c:php_var_dump: one line a scalar, arrays indented by two; "&" before what a reference
   shares, *RECURSION* for an array that is inside itself. */
#include "array_internal.h"

static void dump(s2l_text *text, s2l_value value, uint64_t indent, const s2l_enclosing *chain);

static void dump_array(s2l_text *text, const s2l_array *array, uint64_t indent, const s2l_enclosing *chain)
{
    s2l_enclosing inner = {chain, array};
    s2l_text_cstring(text, "array(");
    s2l_text_long(text, (int64_t)array->count);
    s2l_text_cstring(text, ") {\n");
    uint64_t positions = position_count(array);
    for (uint64_t i = 0; i < positions; i++) {
        s2l_value value = raw_element(array, i);
        s2l_key key = key_at(array, i);
        if (value.tag == S2L_TAG_UNDEF)
            continue;
        s2l_text_fill(text, ' ', indent + 2);
        s2l_text_cstring(text, "[");
        if (key.string != NULL) {
            s2l_text_cstring(text, "\"");
            s2l_text_bytes(text, string_bytes(key.string), key.string->length);
            s2l_text_cstring(text, "\"");
        } else {
            s2l_text_long(text, key.number);
        }
        s2l_text_cstring(text, "]=>\n");
        s2l_text_fill(text, ' ', indent + 2);
        dump(text, value, indent + 2, &inner);
    }
    s2l_text_fill(text, ' ', indent);
    s2l_text_cstring(text, "}\n");
}

static void dump(s2l_text *text, s2l_value value, uint64_t indent, const s2l_enclosing *chain)
{
    bool shared = value.tag == S2L_TAG_REFERENCE && as_reference(value)->refcount > 1;
    value = dereference(value);
    bool recursive = value.tag == S2L_TAG_ARRAY && s2l_is_open(chain, as_array(value));
    if (shared && !recursive)
        s2l_text_cstring(text, "&");
    switch (value.tag) {
    case S2L_TAG_FALSE:
    case S2L_TAG_TRUE:
        s2l_text_cstring(text, value.tag == S2L_TAG_TRUE ? "bool(true)\n" : "bool(false)\n");
        break;
    case S2L_TAG_LONG:
        s2l_text_cstring(text, "int(");
        s2l_text_long(text, value.payload);
        s2l_text_cstring(text, ")\n");
        break;
    case S2L_TAG_DOUBLE:
        s2l_text_cstring(text, "float(");
        s2l_text_double(text, as_double(value), text->context->hidden->serialize_precision, false);
        s2l_text_cstring(text, ")\n");
        break;
    case S2L_TAG_STRING:
        s2l_text_cstring(text, "string(");
        s2l_text_long(text, (int64_t)as_string(value)->length);
        s2l_text_cstring(text, ") \"");
        s2l_text_bytes(text, string_bytes(as_string(value)), as_string(value)->length);
        s2l_text_cstring(text, "\"\n");
        break;
    case S2L_TAG_ARRAY:
        if (recursive)
            s2l_text_cstring(text, "*RECURSION*\n");
        else
            dump_array(text, as_array(value), indent, chain);
        break;
    case S2L_TAG_OBJECT:
        s2l_fatal(text->context, "ssa2llvm: printing the inside of an object is not supported");
    default:
        s2l_text_cstring(text, "NULL\n");
        break;
    }
}

BUILTIN(var_dump)
{
    TAKE(var_dump, 1, NO_LIMIT);
    for (uint32_t i = 0; i < argc; i++) {
        s2l_text text = s2l_text_start(context);
        dump(&text, arguments.values[i], 0, NULL);
        s2l_echo_string(context, text.string);
        s2l_text_abandon(&text);
    }
    return null_value();
}
