/* The output buffer and echo.

   Output is collected in one buffer and handed to the host's write function when it is full, before anything that may end
   the process, and at the program's end. cursor and limit are in the open part of the context, so that generated code may
   append short literals inline. While the program captures output itself (ob_start), cursor and limit leave no room, so
   that everything comes here and goes into the innermost capture. */
#include "internal.h"

#include <stdlib.h>
#include <unistd.h>

static void write_standard_output(const char *bytes, uint64_t length)
{
    while (length > 0) {
        ssize_t written = write(STDOUT_FILENO, bytes, length);
        if (written <= 0)
            return; /* nobody is listening: PHP's CLI goes quiet as well */
        bytes += written;
        length -= (uint64_t)written;
    }
}

static void hand_over(s2l_context *context, const char *bytes, uint64_t length)
{
    s2l_hidden *hidden = context->hidden;
    if (length == 0)
        return;
    if (hidden->write != NULL)
        hidden->write(hidden->write_user, bytes, length);
    else
        write_standard_output(bytes, length);
}

void s2l_flush(s2l_context *context)
{
    s2l_hidden *hidden = context->hidden;
    if (hidden->capture_count > 0)
        return;
    hand_over(context, hidden->output, (uint64_t)(context->output_cursor - hidden->output));
    context->output_cursor = hidden->output;
}

void s2l_capture_start(s2l_context *context)
{
    s2l_hidden *hidden = context->hidden;
    if (hidden->capture_count == hidden->capture_capacity) {
        uint64_t capacity = hidden->capture_capacity * 2 + 4;
        s2l_text *grown = realloc(hidden->captures, capacity * sizeof *grown);
        if (grown == NULL)
            s2l_fatal(context, "Out of memory");
        hidden->captures = grown;
        hidden->capture_capacity = capacity;
    }
    if (hidden->capture_count == 0) {
        s2l_flush(context);
        context->output_limit = context->output_cursor;
    }
    hidden->captures[hidden->capture_count++] = s2l_text_start(context);
}

s2l_string *s2l_capture_end(s2l_context *context)
{
    s2l_hidden *hidden = context->hidden;
    if (hidden->capture_count == 0)
        return NULL;
    s2l_string *text = s2l_text_finish(&hidden->captures[--hidden->capture_count]);
    if (hidden->capture_count == 0)
        context->output_limit = hidden->output + S2L_OUTPUT_SIZE;
    return text;
}

void s2l_capture_flush_all(s2l_context *context)
{
    s2l_string *text;
    while ((text = s2l_capture_end(context)) != NULL) {
        s2l_echo_string(context, text);
        string_drop(context, text);
    }
}

void s2l_echo_bytes(s2l_context *context, const char *bytes, uint64_t length)
{
    if (UNLIKELY((uint64_t)(context->output_limit - context->output_cursor) < length)) {
        s2l_hidden *hidden = context->hidden;
        if (hidden->capture_count > 0) {
            s2l_text_bytes(&hidden->captures[hidden->capture_count - 1], bytes, length);
            return;
        }
        s2l_flush(context);
        if ((uint64_t)(context->output_limit - context->output_cursor) < length) {
            hand_over(context, bytes, length);
            return;
        }
    }
    memcpy(context->output_cursor, bytes, length);
    context->output_cursor += length;
}

void s2l_echo_string(s2l_context *context, const s2l_string *string)
{
    s2l_echo_bytes(context, string_bytes(string), string->length);
}

void s2l_echo(s2l_context *context, s2l_value value)
{
    char scratch[S2L_SCRATCH_SIZE];
    s2l_bytes bytes = s2l_bytes_of(context, value, scratch);
    s2l_echo_bytes(context, bytes.bytes, bytes.length);
}

void s2l_echo_long(s2l_context *context, int64_t number)
{
    s2l_echo(context, long_value(number));
}

void s2l_echo_double(s2l_context *context, double number)
{
    s2l_echo(context, double_value(number));
}
