/* var_dump, var_export and print_r of scalars. Follows ext/standard/var.c and zend.c:zend_print_zval_r_to_str. */
#include "internal.h"

static void dump(s2l_context *context, s2l_value value)
{
    s2l_text text = s2l_text_start(context);
    switch (value.tag) {
    case S2L_TAG_FALSE:
    case S2L_TAG_TRUE:
        s2l_text_cstring(&text, value.tag == S2L_TAG_TRUE ? "bool(true)\n" : "bool(false)\n");
        break;
    case S2L_TAG_LONG:
        s2l_text_cstring(&text, "int(");
        s2l_text_long(&text, value.payload);
        s2l_text_cstring(&text, ")\n");
        break;
    case S2L_TAG_DOUBLE:
        s2l_text_cstring(&text, "float(");
        s2l_text_double(&text, as_double(value), context->hidden->serialize_precision, false);
        s2l_text_cstring(&text, ")\n");
        break;
    case S2L_TAG_STRING:
        s2l_text_cstring(&text, "string(");
        s2l_text_long(&text, (int64_t)as_string(value)->length);
        s2l_text_cstring(&text, ") \"");
        s2l_text_bytes(&text, string_bytes(as_string(value)), as_string(value)->length);
        s2l_text_cstring(&text, "\"\n");
        break;
    default:
        s2l_text_cstring(&text, "NULL\n");
        break;
    }
    s2l_echo_bytes(context, string_bytes(text.string), text.string->length);
    s2l_text_abandon(&text);
}

BUILTIN(var_dump)
{
    TAKE(var_dump, 1, NO_LIMIT);
    for (uint32_t i = 0; i < argc; i++)
        dump(context, arguments.values[i]);
    return null_value();
}

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

static void export(s2l_context *context, s2l_text *text, s2l_value value)
{
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
        s2l_text_double(text, as_double(value), context->hidden->serialize_precision, true);
        break;
    case S2L_TAG_STRING:
        export_string(text, as_string(value));
        break;
    default:
        s2l_text_cstring(text, "NULL");
        break;
    }
}

/* Prints `text` (consumed), or returns it when the builtin's second argument says so. */
static s2l_value deliver(s2l_arguments *arguments, s2l_text *text, s2l_value when_printed)
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
    export(context, &text, argv[0]);
    return deliver(&arguments, &text, null_value());
}

BUILTIN(print_r)
{
    TAKE(print_r, 1, 2);
    char scratch[S2L_SCRATCH_SIZE];
    s2l_bytes bytes = s2l_bytes_of(context, argv[0], scratch);
    s2l_text text = s2l_text_start(context);
    s2l_text_bytes(&text, bytes.bytes, bytes.length);
    return deliver(&arguments, &text, bool_value(true));
}
