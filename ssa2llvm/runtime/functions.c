/* Functions by name: for dynamic calls and function_exists.

   Names are compared without regard to ASCII case, a leading backslash is ignored. Functions that exist from the start and
   builtins are sorted tables (binary search); functions declared while the program runs are a list, searched last: a
   program that declares thousands of them conditionally is not known. */
#include "internal.h"

#include <stdlib.h>

int32_t s2l_order_names(const char *left, const char *right, uint64_t right_length)
{
    for (uint64_t i = 0; i < right_length; i++) {
        int32_t difference = s2l_lower_byte(left[i]) - s2l_lower_byte(right[i]);
        /* A shorter `left` ends in NUL, which is below every byte of a name. */
        if (difference != 0)
            return difference;
    }
    return left[right_length] == '\0' ? 0 : 1;
}

static const s2l_function_info *find_sorted(
    const s2l_function_info *const *functions, uint64_t count, const char *name, uint64_t length)
{
    uint64_t low = 0;
    while (low < count) {
        uint64_t middle = low + (count - low) / 2;
        int32_t order = s2l_order_names(functions[middle]->name, name, length);
        if (order == 0)
            return functions[middle];
        if (order < 0)
            low = middle + 1;
        else
            count = middle;
    }
    return NULL;
}

static const s2l_function_info *find(const s2l_context *context, const char *name, uint64_t length)
{
    const s2l_hidden *hidden = context->hidden;
    if (length > 0 && name[0] == '\\') {
        name++;
        length--;
    }
    if (length == 0 || memchr(name, '\0', length) != NULL)
        return NULL;
    const s2l_program *program = hidden->program;
    const s2l_function_info *found = find_sorted(program->functions, program->function_count, name, length);
    if (found == NULL)
        found = s2l_builtin_find(name, length);
    for (uint64_t i = 0; found == NULL && i < hidden->declared_count; i++) {
        if (s2l_order_names(hidden->declared[i]->name, name, length) == 0)
            found = hidden->declared[i];
    }
    return found;
}

const s2l_function_info *s2l_function_find(s2l_context *context, const s2l_string *name)
{
    return find(context, string_bytes(name), name->length);
}

void s2l_function_declare(s2l_context *context, const s2l_function_info *function)
{
    s2l_hidden *hidden = context->hidden;
    const s2l_function_info *existing = find(context, function->name, strlen(function->name));
    if (existing != NULL) {
        s2l_string *message = existing->file == NULL
            ? s2l_message(context, "Cannot redeclare %s()", function->name)
            : s2l_message(context, "Cannot redeclare %s() (previously declared in %s:%u)", function->name,
                  existing->file, (unsigned)existing->line);
        s2l_fatal(context, string_bytes(message));
    }
    if (hidden->declared_count == hidden->declared_capacity) {
        hidden->declared_capacity = hidden->declared_capacity * 2 + 8;
        hidden->declared = realloc(hidden->declared, hidden->declared_capacity * sizeof *hidden->declared);
        if (hidden->declared == NULL)
            s2l_fatal(context, "Out of memory");
    }
    hidden->declared[hidden->declared_count++] = function;
}
