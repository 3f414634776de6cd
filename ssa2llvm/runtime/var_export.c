/* var_export. Follows ext/standard/var.c:php_var_export_ex: PHP source text that gives the value again. */
#include "array_internal.h"

/* A string in single quotes; a NUL byte stands outside them, since single quotes have no escape for it. */
static void export_string(s2l_text *text, const s2l_string *string)
{
    s2l_text_cstring(text, "'");
    for (uint64_t i = 0; i < string->length; i++) {
        char byte = string_bytes(string)[i];
        if (byte == '\0') {
            s2l_text_cstring(text, "' . \"\\0\" . '");
            continue;
        }
        if (byte == '\'' || byte == '\\')
            s2l_text_bytes(text, "\\", 1);
        s2l_text_bytes(text, &byte, 1);
    }
    s2l_text_cstring(text, "'");
}

static void export(s2l_text *text, s2l_value value, uint64_t indent, const s2l_enclosing *chain);

static void export_array(s2l_text *text, const s2l_array *array, uint64_t indent, const s2l_enclosing *chain)
{
    s2l_enclosing inner = {chain, array};
    if (chain != NULL) {
        s2l_text_cstring(text, "\n");
        s2l_text_fill(text, ' ', indent);
    }
    s2l_text_cstring(text, "array (\n");
    uint64_t positions = position_count(array);
    for (uint64_t i = 0; i < positions; i++) {
        s2l_value value = raw_element(array, i);
        s2l_key key = key_at(array, i);
        if (value.tag == S2L_TAG_UNDEF)
            continue;
        s2l_text_fill(text, ' ', indent + 2);
        if (key.string != NULL)
            export_string(text, key.string);
        else
            s2l_text_long(text, key.number);
        s2l_text_cstring(text, " => ");
        export(text, value, indent + 2, &inner);
        s2l_text_cstring(text, ",\n");
    }
    s2l_text_fill(text, ' ', indent);
    s2l_text_cstring(text, ")");
}

static void export(s2l_text *text, s2l_value value, uint64_t indent, const s2l_enclosing *chain)
{
    value = dereference(value);
    switch (value.tag) {
    case S2L_TAG_FALSE:
    case S2L_TAG_TRUE:
        s2l_text_cstring(text, value.tag == S2L_TAG_TRUE ? "true" : "false");
        break;
    case S2L_TAG_LONG:
        /* The literal 9223372036854775808 would be a float before the minus applies. */
        s2l_text_long(text, value.payload == INT64_MIN ? INT64_MIN + 1 : value.payload);
        if (value.payload == INT64_MIN)
            s2l_text_cstring(text, "-1");
        break;
    case S2L_TAG_DOUBLE:
        s2l_text_double(text, as_double(value), text->context->hidden->serialize_precision, true);
        break;
    case S2L_TAG_STRING:
        export_string(text, as_string(value));
        break;
    case S2L_TAG_ARRAY:
        if (s2l_is_open(chain, as_array(value))) {
            s2l_text_cstring(text, "NULL");
            s2l_warning(text->context, "var_export does not handle circular references");
        } else {
            export_array(text, as_array(value), indent, chain);
        }
        break;
    case S2L_TAG_OBJECT:
        s2l_fatal(text->context, "ssa2llvm: printing the inside of an object is not supported");
    default:
        s2l_text_cstring(text, "NULL");
        break;
    }
}

s2l_value s2l_print_or_return(s2l_arguments *arguments, s2l_text *text, s2l_value when_printed)
{
    bool as_result = false;
    s2l_string *string = s2l_text_finish(text);
    if (!s2l_take_optional_bool(arguments, 1, "return", &as_result)) {
        string_drop(arguments->context, string);
        return error_value();
    }
    if (as_result)
        return string_value(string);
    s2l_echo_string(arguments->context, string);
    string_drop(arguments->context, string);
    return when_printed;
}

BUILTIN(var_export)
{
    TAKE(var_export, 1, 2);
    s2l_text text = s2l_text_start(context);
    export(&text, argv[0], 0, NULL);
    return s2l_print_or_return(&arguments, &text, null_value());
}
