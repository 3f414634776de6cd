/* Contexts: the making and unmaking of everything one running program owns.

   A context holds all state (two programs live in one process without knowing of each other). It is made before anything
   can fail in PHP's sense; want of memory here is told to the host. */
#include "internal.h"

#include <stdlib.h>

#define STACK_SIZE ((uint64_t)1 << 30)
#define ECHO_PRECISION 14
#define SHORTEST (-1)

static bool make_cells(s2l_context *context, const s2l_program *program)
{
    if (program->cell_count == 0)
        return true;
    context->cells = calloc(program->cell_count, sizeof *context->cells);
    if (context->cells == NULL)
        return false;
    if (program->initial_cells != NULL)
        memcpy(context->cells, program->initial_cells, program->cell_count * sizeof *context->cells);
    return true;
}

s2l_context *s2l_context_create(const s2l_program *program, const s2l_options *options)
{
    s2l_context *context = calloc(1, sizeof *context);
    s2l_hidden *hidden = calloc(1, sizeof *hidden);
    if (context == NULL || hidden == NULL) {
        free(context);
        free(hidden);
        return NULL;
    }
    context->hidden = hidden;
    context->byte_strings = s2l_one_byte_strings;
    hidden->program = program;
    hidden->memory.blocks.next = hidden->memory.blocks.previous = &hidden->memory.blocks;
    hidden->precision = ECHO_PRECISION;
    hidden->serialize_precision = SHORTEST;
    hidden->error_reporting = S2L_REPORT_ALL;
    hidden->output = malloc(S2L_OUTPUT_SIZE);
    uint64_t stack_size = STACK_SIZE;
    if (options != NULL) {
        hidden->write = options->write;
        hidden->write_user = options->user;
        hidden->argument_count = options->argument_count;
        hidden->arguments = options->arguments;
        if (options->stack_size != 0)
            stack_size = options->stack_size;
    }
    if (hidden->output == NULL || !make_cells(context, program) || !s2l_stack_map(context, stack_size)) {
        s2l_context_destroy(context);
        return NULL;
    }
    context->output_cursor = hidden->output;
    context->output_limit = hidden->output + S2L_OUTPUT_SIZE;
    return context;
}

int64_t s2l_context_clear(s2l_context *context)
{
    s2l_hidden *hidden = context->hidden;
    s2l_clear_error(context);
    for (uint64_t cell = 0; cell < hidden->program->cell_count; cell++) {
        s2l_value value = context->cells[cell];
        context->cells[cell] = make_value(0, S2L_TAG_UNDEF);
        s2l_value_drop(context, value);
    }
    for (uint64_t i = 0; i < hidden->constant_count; i++) {
        string_drop(context, hidden->constants[i].name);
        s2l_value_drop(context, hidden->constants[i].value);
    }
    hidden->constant_count = 0;
    if (hidden->failure != NULL) {
        string_drop(context, hidden->failure);
        hidden->failure = NULL;
    }
    return context->live;
}

void s2l_context_destroy(s2l_context *context)
{
    s2l_hidden *hidden = context->hidden;
    s2l_memory_release_all(context);
    s2l_stack_unmap(context);
    free(hidden->output);
    free(hidden->captures);
    free(hidden->constants);
    free(hidden->declared);
    free(context->cells);
    free(hidden);
    free(context);
}
