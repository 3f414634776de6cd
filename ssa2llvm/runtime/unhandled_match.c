/* The error of a `match` without an arm for its subject: the subject is in the message, shortened and escaped.
   Follows zend_smart_str.c: smart_str_append_scalar, smart_str_append_escaped_truncated. */
#include "internal.h"

#include <stdio.h>

#define SHOWN_BYTES 15

static void write_escaped(s2l_text *text, const char *bytes, uint64_t length)
{
    static const char plain[] = "\n\r\t\f\v\\\033";
    static const char letters[] = "nrtfv\\e";
    for (uint64_t i = 0; i < length; i++) {
        uint8_t byte = (uint8_t)bytes[i];
        const char *found = byte != 0 ? strchr(plain, byte) : NULL;
        char escape[5] = {(char)byte, '\0'};
        if (found != NULL)
            snprintf(escape, sizeof escape, "\\%c", letters[found - plain]);
        else if (byte < 32 || byte > 126)
            snprintf(escape, sizeof escape, "\\x%02X", byte);
        s2l_text_cstring(text, escape);
    }
}

void s2l_throw_unhandled_match(s2l_context *context, s2l_value subject)
{
    s2l_text text = s2l_text_start(context);
    s2l_text_cstring(&text, "Unhandled match case ");
    switch (subject.tag) {
    case S2L_TAG_UNDEF:
    case S2L_TAG_NULL:
        s2l_text_cstring(&text, "NULL");
        break;
    case S2L_TAG_FALSE:
    case S2L_TAG_TRUE:
        s2l_text_cstring(&text, subject.tag == S2L_TAG_TRUE ? "true" : "false");
        break;
    case S2L_TAG_LONG:
        s2l_text_long(&text, subject.payload);
        break;
    case S2L_TAG_DOUBLE:
        s2l_text_double(&text, as_double(subject), context->hidden->precision, true);
        break;
    case S2L_TAG_STRING: {
        const s2l_string *string = as_string(subject);
        bool shortened = string->length > SHOWN_BYTES;
        s2l_text_cstring(&text, "'");
        write_escaped(&text, string_bytes(string), shortened ? SHOWN_BYTES : string->length);
        s2l_text_cstring(&text, shortened ? "...'" : "'");
        break;
    }
    default:
        s2l_text_cstring(&text, "of type ");
        s2l_text_cstring(&text, s2l_type_name(subject));
        break;
    }
    s2l_throw(context, "UnhandledMatchError", string_bytes(text.string));
    s2l_text_abandon(&text);
}
