/* Text under construction: what printf, var_export, print_r, error messages and traces write into.

   A string of count 1 that doubles its room when full, so n pieces cost O(total length). */
#include "internal.h"

#include <stdio.h>

#define FIRST_CAPACITY 64

s2l_text s2l_text_start(s2l_context *context)
{
    s2l_text text = {context, s2l_string_allocate(context, FIRST_CAPACITY)};
    s2l_string_set_length(text.string, 0);
    return text;
}

void s2l_text_bytes(s2l_text *text, const char *bytes, uint64_t length)
{
    uint64_t start = text->string->length;
    text->string = s2l_string_reserve(text->context, text->string, start + length);
    memcpy(string_bytes(text->string) + start, bytes, length);
    s2l_string_set_length(text->string, start + length);
}

void s2l_text_cstring(s2l_text *text, const char *bytes)
{
    s2l_text_bytes(text, bytes, strlen(bytes));
}

void s2l_text_fill(s2l_text *text, char byte, uint64_t count)
{
    uint64_t start = text->string->length;
    text->string = s2l_string_reserve(text->context, text->string, start + count);
    memset(string_bytes(text->string) + start, byte, count);
    s2l_string_set_length(text->string, start + count);
}

void s2l_text_long(s2l_text *text, int64_t number)
{
    char digits[20];
    char *start = s2l_write_long(digits + sizeof digits, number);
    s2l_text_bytes(text, start, (uint64_t)(digits + sizeof digits - start));
}

void s2l_text_double(s2l_text *text, double number, int precision, bool zero_fraction)
{
    char digits[S2L_SCRATCH_SIZE];
    uint64_t length = s2l_write_double(digits, number, precision, 'E');
    s2l_text_bytes(text, digits, length);
    /* INF and NAN have no fraction; a number in exponent form has one already. */
    if (zero_fraction && memchr(digits, '.', length) == NULL && memchr(digits, 'N', length) == NULL)
        s2l_text_bytes(text, ".0", 2);
}

s2l_string *s2l_text_finish(s2l_text *text)
{
    s2l_string *string = text->string;
    text->string = NULL;
    if (string->length > 1)
        return string;
    s2l_string *constant = s2l_string_new(text->context, string_bytes(string), string->length);
    string_drop(text->context, string);
    return constant;
}

void s2l_text_abandon(s2l_text *text)
{
    string_drop(text->context, text->string);
    text->string = NULL;
}

s2l_string *s2l_message_list(s2l_context *context, const char *format, va_list arguments)
{
    va_list again;
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, again);
    va_end(again);
    s2l_string *message = s2l_string_allocate(context, (uint64_t)length);
    vsnprintf(string_bytes(message), (size_t)length + 1, format, arguments);
    return message;
}

s2l_string *s2l_message(s2l_context *context, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    s2l_string *message = s2l_message_list(context, format, arguments);
    va_end(arguments);
    return message;
}
