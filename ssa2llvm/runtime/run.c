/* Hosts: running a whole program, and calling into a library.

   A program runs once, on its large stack, to its end: return, exit, uncaught error (exit code 255) or fatal error. A
   library's top-level code runs once when it is opened; its functions are then called through thunks. A library never
   ends its host and prints no error: failures are texts that the host may ask for. After a fatal error a library's
   objects are unreachable but still belong to its context, and go with it. */
#include "array_internal.h"

#include <stdio.h>
#include <stdlib.h>

#define EXIT_LEAK 99
#define EXIT_NO_MEMORY 254

/* Runs the program and drops what it leaves, on the large stack: a long chain of arrays is dropped recursively. */
static void run_main(s2l_context *context, void *live)
{
    if (!context->hidden->program->main(context) && context->pending == S2L_PENDING_THROW)
        s2l_report_uncaught(context);
    s2l_capture_flush_all(context);
    *(int64_t *)live = s2l_context_clear(context);
}

int32_t s2l_run(const s2l_program *program, const s2l_options *options, s2l_report *report)
{
    s2l_context *context = s2l_context_create(program, options);
    if (context == NULL) {
        fputs("ssa2llvm: not enough memory to start the program\n", stderr);
        return EXIT_NO_MEMORY;
    }
    int64_t live = 0;
    bool complete = s2l_stack_call(context, run_main, &live) == STACK_RETURNED;
    s2l_capture_flush_all(context);
    s2l_flush(context);
    int64_t exit_code = context->hidden->exit_code;
    if (report != NULL) {
        report->exit_code = exit_code;
        /* What a fatal error leaves behind was not dropped by anyone: it counts as no leak. */
        report->live = complete ? live : 0;
    }
    s2l_context_destroy(context);
    return (int32_t)exit_code;
}

int32_t s2l_main_entry(const s2l_program *program, int32_t argc, char **argv)
{
    s2l_report report = {0, 0};
    s2l_options options = {NULL, NULL, 0, (uint64_t)argc, argv};
    int32_t exit_code = s2l_run(program, &options, &report);
    const char *check = getenv("S2L_CHECK_LEAKS");
    if (report.live != 0 && check != NULL && check[0] == '1') {
        fprintf(stderr, "ssa2llvm: %lld objects leaked\n", (long long)report.live);
        return EXIT_LEAK;
    }
    return exit_code;
}

s2l_array *s2l_argument_list(s2l_context *context)
{
    const s2l_hidden *hidden = context->hidden;
    s2l_array *list = s2l_array_new(context, hidden->argument_count, S2L_ARRAY_PACKED_VALUE);
    for (uint64_t i = 0; i < hidden->argument_count; i++)
        s2l_array_append(
            context, list, string_value(s2l_string_new(context, hidden->arguments[i], strlen(hidden->arguments[i]))));
    return list;
}

typedef struct library_call {
    bool (*thunk)(s2l_context *context, void *arguments);
    void *arguments;
    bool succeeded;
} library_call;

static void run_thunk(s2l_context *context, void *argument)
{
    library_call *call = argument;
    call->succeeded = call->thunk(context, call->arguments);
    if (call->succeeded)
        return;
    if (context->pending == S2L_PENDING_THROW)
        s2l_report_uncaught(context);
    else if (context->pending == S2L_PENDING_EXIT)
        context->hidden->failure = s2l_message(context, "exit(%lld)", (long long)context->hidden->exit_code);
}

bool s2l_library_call(s2l_context *context, bool (*thunk)(s2l_context *context, void *arguments), void *arguments)
{
    s2l_hidden *hidden = context->hidden;
    if (hidden->failure != NULL) {
        string_drop(context, hidden->failure);
        hidden->failure = NULL;
    }
    library_call call = {thunk, arguments, false};
    bool returned = s2l_stack_call(context, run_thunk, &call) == STACK_RETURNED;
    context->pending = S2L_PENDING_NONE;
    if (hidden->stack.landing == NULL)
        s2l_flush(context);
    return returned && call.succeeded;
}

static bool run_top_level(s2l_context *context, void *arguments)
{
    (void)arguments;
    return context->hidden->program->main(context);
}

s2l_context *s2l_library_open(const s2l_program *program, const s2l_options *options)
{
    s2l_context *context = s2l_context_create(program, options);
    if (context == NULL)
        return NULL;
    context->hidden->is_library = true;
    s2l_library_call(context, run_top_level, NULL);
    return context;
}

const char *s2l_library_error(s2l_context *context)
{
    return context->hidden->failure != NULL ? string_bytes(context->hidden->failure) : NULL;
}

static void clear(s2l_context *context, void *live)
{
    *(int64_t *)live = s2l_context_clear(context);
}

int64_t s2l_library_close(s2l_context *context)
{
    int64_t live = 0;
    s2l_stack_call(context, clear, &live);
    s2l_flush(context);
    s2l_context_destroy(context);
    return live;
}
