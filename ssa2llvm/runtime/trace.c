/* Where a program is, and the trace that an error carries.

   Frames are lazy: hot code keeps none. A cold path that may warn or throw links a frame {previous, function, line} into
   the context, calls the runtime, and unlinks it; usually that is one frame, two where a callee's arguments are checked.
   An error takes the calls it sees in that chain when it is made; each call site that the error then unwinds through
   adds its own with s2l_trace_add, innermost first; {main} is added when the trace is printed. A program that may look at
   traces before that links a frame in each call instead (llvm/traces.py), and adds nothing. The text is that of
   zend_exceptions.c:_build_trace_string with arguments left out; a function called by a C host has no caller: PHP writes
   "[internal function]" there. */
#include "internal.h"

const char *s2l_current_file(const s2l_context *context)
{
    if (context->frame != NULL)
        return context->frame->function->file;
    return context->hidden->program != NULL ? context->hidden->program->file : "Unknown";
}

uint32_t s2l_current_line(const s2l_context *context)
{
    return context->frame != NULL ? context->frame->line : 0;
}

static void add_entry(s2l_context *context, s2l_throwable *error, const s2l_function_info *caller, uint32_t line,
    const char *callee)
{
    s2l_text text = {context, error->trace};
    s2l_text_cstring(&text, "#");
    s2l_text_long(&text, error->trace_depth++);
    if (caller != NULL && caller->file != NULL) {
        s2l_text_cstring(&text, " ");
        s2l_text_cstring(&text, caller->file);
        s2l_text_cstring(&text, "(");
        s2l_text_long(&text, line);
        s2l_text_cstring(&text, "): ");
    } else {
        s2l_text_cstring(&text, " [internal function]: ");
    }
    const char *method = strstr(callee, "::"); /* messages name a method Class::method, traces Class->method */
    s2l_text_bytes(&text, callee, method != NULL ? (size_t)(method - callee) : strlen(callee));
    if (method != NULL) {
        s2l_text_cstring(&text, "->");
        s2l_text_cstring(&text, method + 2);
    }
    s2l_text_cstring(&text, "()\n");
    error->trace = text.string;
}

void s2l_trace_start(s2l_context *context, s2l_throwable *error, const char *builtin)
{
    const s2l_frame *frame = context->frame;
    if (builtin != NULL)
        add_entry(context, error, frame != NULL ? frame->function : NULL, s2l_current_line(context), builtin);
    for (; frame != NULL && frame->previous != NULL; frame = frame->previous) {
        if (frame->function->name != NULL)
            add_entry(context, error, frame->previous->function, frame->previous->line, frame->function->name);
    }
}

void s2l_trace_add(
    s2l_context *context, const s2l_function_info *caller, uint32_t line, const s2l_function_info *callee)
{
    if (context->pending != S2L_PENDING_THROW)
        return;
    s2l_throwable *error = context->hidden->error;
    add_entry(context, error, caller, line, callee->name);
    while (error->chained && error->previous.tag == S2L_TAG_OBJECT) {
        error = as_throwable(error->previous);
        add_entry(context, error, caller, line, callee->name);
    }
}
