/* Warnings, thrown errors, fatal errors and exit.

   Problem: the text that PHP prints for each is part of a program's output and must be equal to the byte
   (main.c:php_error_cb, zend_exceptions.c: zend_exception_error), with display_errors=1, html_errors=0, log_errors=0 and
   zend.exception_ignore_args=1.
   A thrown error is a state of the context: class, message, place and trace, taken when it is thrown. The first error
   wins: nothing can be thrown while one is pending. A fatal error is printed at once and ends the run by a jump to the
   host's stack. */
#include "exceptions.h"
#include "internal.h"

#include <stdio.h>
#include <stdlib.h>

#define EXIT_FATAL 255

static void print_diagnostic(s2l_context *context, int64_t level, const char *kind, const char *message)
{
    if ((context->hidden->error_reporting & level) == 0)
        return;
    s2l_text text = s2l_text_start(context);
    s2l_text_cstring(&text, "\n");
    s2l_text_cstring(&text, kind);
    s2l_text_cstring(&text, ": ");
    s2l_text_cstring(&text, message);
    s2l_text_cstring(&text, " in ");
    s2l_text_cstring(&text, s2l_current_file(context));
    s2l_text_cstring(&text, " on line ");
    s2l_text_long(&text, s2l_current_line(context));
    s2l_text_cstring(&text, "\n");
    s2l_echo_bytes(context, string_bytes(text.string), text.string->length);
    s2l_text_abandon(&text);
}

void s2l_warning(s2l_context *context, const char *message)
{
    print_diagnostic(context, S2L_REPORT_WARNING, "Warning", message);
}

void s2l_notice(s2l_context *context, const char *message)
{
    print_diagnostic(context, S2L_REPORT_NOTICE, "Notice", message);
}

void s2l_deprecated(s2l_context *context, const char *message)
{
    print_diagnostic(context, S2L_REPORT_DEPRECATED, "Deprecated", message);
}

void s2l_warning_format(s2l_context *context, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    s2l_string *message = s2l_message_list(context, format, arguments);
    va_end(arguments);
    s2l_warning(context, string_bytes(message));
    string_drop(context, message);
}

void s2l_deprecated_format(s2l_context *context, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    s2l_string *message = s2l_message_list(context, format, arguments);
    va_end(arguments);
    s2l_deprecated(context, string_bytes(message));
    string_drop(context, message);
}

int64_t s2l_begin_silence(s2l_context *context)
{
    int64_t level = context->hidden->error_reporting;
    context->hidden->error_reporting &= S2L_REPORT_SILENCED;
    return level;
}

void s2l_end_silence(s2l_context *context, int64_t level)
{
    /* A level that was set meanwhile stays. */
    if ((context->hidden->error_reporting & ~(int64_t)S2L_REPORT_SILENCED) == 0)
        context->hidden->error_reporting = level;
}

void s2l_undefined_variable(s2l_context *context, const char *name)
{
    s2l_warning_format(context, "Undefined variable $%s", name);
}

/* `message` is consumed. */
static void raise(s2l_context *context, const char *builtin, const char *class_name, s2l_string *message)
{
    if (context->pending != S2L_PENDING_NONE) {
        string_drop(context, message);
        return;
    }
    context->hidden->error = s2l_throwable_new(context, class_name, message);
    s2l_trace_start(context, context->hidden->error, builtin);
    context->pending = S2L_PENDING_THROW;
}

void s2l_throw(s2l_context *context, const char *class_name, const char *message)
{
    raise(context, NULL, class_name, s2l_string_new(context, message, strlen(message)));
}

void s2l_throw_format(s2l_context *context, const char *class_name, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    raise(context, NULL, class_name, s2l_message_list(context, format, arguments));
    va_end(arguments);
}

s2l_value s2l_throw_in(s2l_context *context, const char *function, const char *class_name, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    raise(context, function, class_name, s2l_message_list(context, format, arguments));
    va_end(arguments);
    return error_value();
}

void s2l_throw_division_by_zero(s2l_context *context)
{
    s2l_throw(context, "DivisionByZeroError", "Division by zero");
}

void s2l_throw_modulo_by_zero(s2l_context *context)
{
    s2l_throw(context, "DivisionByZeroError", "Modulo by zero");
}

void s2l_throw_negative_shift(s2l_context *context)
{
    s2l_throw(context, "ArithmeticError", "Bit shift by negative number");
}

void s2l_throw_undefined_function(s2l_context *context, const char *name)
{
    s2l_throw_format(context, "Error", "Call to undefined function %s()", name);
}

void s2l_clear_error(s2l_context *context)
{
    if (context->hidden->error != NULL)
        s2l_value_drop(context, s2l_catch(context));
    context->pending = S2L_PENDING_NONE;
}

void s2l_report_uncaught(s2l_context *context)
{
    s2l_hidden *hidden = context->hidden;
    const s2l_throwable *error = hidden->error;
    s2l_text text = s2l_text_start(context);
    if (hidden->is_library) {
        s2l_throwable_head(&text, error);
        hidden->failure = s2l_text_finish(&text);
    } else {
        s2l_text_cstring(&text, "\nFatal error: Uncaught ");
        s2l_throwable_text(&text, error);
        s2l_text_cstring(&text, "\n  thrown in ");
        s2l_text_cstring(&text, error->file);
        s2l_text_cstring(&text, " on line ");
        s2l_text_long(&text, error->line);
        s2l_text_cstring(&text, "\n");
        s2l_echo_bytes(context, string_bytes(text.string), text.string->length);
        s2l_text_abandon(&text);
    }
    hidden->exit_code = EXIT_FATAL;
    s2l_clear_error(context);
}

void s2l_report_fatal(s2l_context *context, const char *message)
{
    s2l_hidden *hidden = context->hidden;
    hidden->exit_code = EXIT_FATAL;
    context->pending = S2L_PENDING_FATAL;
    if (hidden->is_library)
        hidden->failure = s2l_message(
            context, "%s in %s:%u", message, s2l_current_file(context), (unsigned)s2l_current_line(context));
    else
        print_diagnostic(context, S2L_REPORT_ALL, "Fatal error", message);
}

_Noreturn void s2l_fatal(s2l_context *context, const char *message)
{
    if (context->hidden->stack.landing == NULL) {
        /* Not inside any run: only the making of a context can fail here, and only for want of memory. */
        fprintf(stderr, "ssa2llvm: %s\n", message);
        abort();
    }
    s2l_report_fatal(context, message);
    s2l_stack_leave(context);
}

void s2l_exit(s2l_context *context, s2l_value status)
{
    if (status.tag == S2L_TAG_LONG)
        context->hidden->exit_code = status.payload;
    else
        s2l_echo(context, status);
    context->pending = S2L_PENDING_EXIT;
}
