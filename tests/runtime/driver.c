/* Runs the runtime's operators and builtins on cases read from standard input, one a line: an operation and its arguments,
   as words. A value is null, true, false, int:DECIMAL, float:16 HEX DIGITS, str:PERCENT-ENCODED or an array of them,
   [KEY=VALUE,KEY=VALUE]. Answers one line a case:
   the result (or `throw:Class:message`), a tab, and what was printed, percent-encoded. Ends with a line `live:N`, the
   number of objects that were not dropped. evaluate.php answers the same with PHP. */
#include "array_internal.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#define MAXIMAL_LINE 70000
#define MAXIMAL_ARGUMENTS 3000

static char printed[1 << 20];
static uint64_t printed_length;

static void capture(void *user, const char *bytes, uint64_t length)
{
    (void)user;
    if (printed_length + length > sizeof printed)
        length = sizeof printed - printed_length;
    memcpy(printed + printed_length, bytes, length);
    printed_length += length;
}

static void put_encoded(const char *bytes, uint64_t length)
{
    for (uint64_t i = 0; i < length; i++) {
        uint8_t byte = (uint8_t)bytes[i];
        bool plain = (byte >= '0' && byte <= '9') || (byte >= 'A' && byte <= 'Z') || (byte >= 'a' && byte <= 'z')
            || strchr("-_.~", byte) != NULL;
        if (plain && byte != 0)
            putchar(byte);
        else
            printf("%%%02X", byte);
    }
}

static void put_value(s2l_value value)
{
    value = dereference(value);
    double number = as_double(value);
    uint64_t bits = (uint64_t)value.payload;
    switch (value.tag) {
    case S2L_TAG_LONG:
        printf("int:%" PRId64, value.payload);
        break;
    case S2L_TAG_DOUBLE:
        /* NaN has many bit patterns and PHP does not choose between them. */
        printf("float:%016" PRIx64, number != number ? UINT64_C(0x7ff8000000000000) : bits);
        break;
    case S2L_TAG_STRING:
        fputs("str:", stdout);
        put_encoded(string_bytes(as_string(value)), as_string(value)->length);
        break;
    case S2L_TAG_ARRAY: {
        s2l_value key;
        s2l_value element;
        uint64_t position = 0;
        const char *separator = "[";
        while (s2l_array_next(as_array(value), &position, &key, &element)) {
            fputs(separator, stdout);
            put_value(key);
            putchar('=');
            put_value(element);
            separator = ",";
        }
        fputs(separator[0] == '[' ? "[]" : "]", stdout);
        break;
    }
    case S2L_TAG_TRUE:
        fputs("true", stdout);
        break;
    case S2L_TAG_FALSE:
        fputs("false", stdout);
        break;
    default:
        fputs("null", stdout);
        break;
    }
}

static s2l_value read_scalar(s2l_context *context, const char *word)
{
    if (strncmp(word, "int:", 4) == 0)
        return long_value(strtoll(word + 4, NULL, 10));
    if (strncmp(word, "float:", 6) == 0)
        return make_value((int64_t)strtoull(word + 6, NULL, 16), S2L_TAG_DOUBLE);
    if (strncmp(word, "str:", 4) == 0) {
        static char bytes[MAXIMAL_LINE];
        uint64_t length = 0;
        for (const char *at = word + 4; *at != '\0'; at++) {
            char hex[3] = {0, 0, 0};
            if (*at == '%') {
                memcpy(hex, at + 1, 2);
                at += 2;
            }
            bytes[length++] = hex[0] != 0 ? (char)strtoul(hex, NULL, 16) : *at;
        }
        return string_value(s2l_string_new(context, bytes, length));
    }
    return strcmp(word, "null") == 0 ? null_value() : bool_value(strcmp(word, "true") == 0);
}

typedef s2l_value binary_operation(s2l_context *context, s2l_value left, s2l_value right);
static const struct {
    const char *name;
    binary_operation *operation;
} binary_operations[] = {{"add", s2l_add}, {"sub", s2l_sub}, {"mul", s2l_mul}, {"div", s2l_div}, {"mod", s2l_mod},
    {"pow", s2l_pow}, {"sl", s2l_shift_left}, {"sr", s2l_shift_right}, {"or", s2l_bw_or}, {"and", s2l_bw_and},
    {"xor", s2l_bw_xor}, {"concat", s2l_concat}, {"dim", s2l_fetch_dim_read}, {"dim_is", s2l_fetch_dim_is}};

typedef bool test_operation(s2l_context *context, s2l_value left, s2l_value right);
static const struct {
    const char *name;
    test_operation *operation;
} test_operations[] = {{"equal", s2l_is_equal}, {"smaller", s2l_is_smaller}, {"smaller_or_equal", s2l_is_smaller_or_equal},
    {"isset_dim", s2l_isset_dim}, {"empty_dim", s2l_empty_dim}};

static s2l_value coerce(s2l_context *context, bool strict, const char *type, s2l_value argument)
{
    static const struct {
        const char *name;
        uint32_t mask;
    } types[] = {{"int", 1 << 4}, {"float", 1 << 5}, {"string", 1 << 6}, {"bool", 3 << 2}, {"?int", 1 << 4 | 2},
        {"int|float", 3 << 4}, {"?string", 1 << 6 | 2}, {"string|int", 5 << 4}, {"float|bool", 1 << 5 | 3 << 2}};
    s2l_function_info caller_info = {NULL, "CASE", NULL, strict ? S2L_FUNCTION_STRICT : 0, 0};
    s2l_function_info callee_info = {"f", "CASE", NULL, 0, 0};
    s2l_frame caller = {NULL, &caller_info, 1, 0};
    s2l_frame callee = {&caller, &callee_info, 1, 0};
    s2l_frame *outer = context->frame;
    s2l_parameter_info parameter = {"x", type, 0, 1};
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        if (strcmp(types[i].name, type) == 0)
            parameter.mask = types[i].mask;
    }
    context->frame = &callee;
    s2l_value_dup(argument);
    s2l_value result = s2l_coerce_parameter(context, argument, &parameter);
    context->frame = outer;
    return result;
}

/* Reads a value and moves `at` behind it. */
static s2l_value read_at(s2l_context *context, const char **at)
{
    if (**at != '[') {
        static char word[MAXIMAL_LINE];
        size_t length = strcspn(*at, ",=]");
        memcpy(word, *at, length);
        word[length] = '\0';
        *at += length;
        return read_scalar(context, word);
    }
    s2l_array *array = s2l_array_empty();
    while (*++*at != ']') {
        s2l_value key = read_at(context, at);
        ++*at;
        s2l_array_set(context, &array, key, read_at(context, at));
        s2l_value_drop(context, key);
        if (**at == ']')
            break;
    }
    ++*at;
    return pointer_value(array, S2L_TAG_ARRAY);
}

static s2l_value read_value(s2l_context *context, const char *word)
{
    return read_at(context, &word);
}

/* A script on one array: (operation, key, value) three at a time; "copy" keeps a copy, which later writes must not change.
   Gives [the array, its copies…]. */
static s2l_value run_script(s2l_context *context, char *const *words, uint32_t count)
{
    s2l_value variable = null_value();
    s2l_array *all = s2l_array_new(context, 0, S2L_ARRAY_PACKED_LONG);
    bool ok = true;
    for (uint32_t i = 0; ok && i + 2 < count; i += 3) {
        s2l_value key = read_value(context, words[i + 1]);
        s2l_value value = read_value(context, words[i + 2]);
        s2l_value *slot = NULL;
        switch (words[i][0]) {
        case 'p': /* push */
            s2l_value_dup(value);
            ok = s2l_append_dim(context, &variable, value);
            break;
        case 's': /* set */
            s2l_value_dup(value);
            ok = s2l_assign_dim(context, &variable, key, value);
            break;
        case 'u': /* unset */
            ok = s2l_unset_dim(context, &variable, key);
            break;
        case 'n': /* nested: $a[key][] = value */
            slot = s2l_fetch_dim_slot(context, &variable, key, false);
            s2l_value_dup(value);
            ok = slot != NULL && s2l_append_dim(context, slot, value);
            if (slot == NULL)
                s2l_value_drop(context, value);
            break;
        case 'r': /* read-modify-write: $a[key] .= value */
            slot = s2l_fetch_dim_slot(context, &variable, key, true);
            ok = slot != NULL;
            if (ok)
                *slot = s2l_assign_concat(context, *slot, value);
            break;
        case 'g': /* get: $a[] = $a[key] */
            slot = &value;
            s2l_value_drop(context, value);
            value = s2l_fetch_dim_read(context, variable, key);
            ok = !is_error(value);
            s2l_value_dup(value);
            ok = ok && s2l_append_dim(context, &variable, value);
            break;
        default: /* copy */
            s2l_value_dup(variable);
            s2l_array_push(context, &all, variable);
            break;
        }
        s2l_value_drop(context, key);
        s2l_value_drop(context, value);
    }
    s2l_array_push(context, &all, variable);
    if (ok)
        return pointer_value(all, S2L_TAG_ARRAY);
    s2l_value_drop(context, pointer_value(all, S2L_TAG_ARRAY));
    return error_value();
}

/* foreach by reference over a copy of values[0]; the first turn removes the key values[1] and appends values[2]; every turn
   appends "!" to the element. Gives [the array, the keys seen]. */
static s2l_value loop_by_reference(s2l_context *context, const s2l_value *values)
{
    s2l_value variable = dup(values[0]);
    s2l_array *seen = s2l_array_new(context, 0, S2L_ARRAY_PACKED_LONG);
    uint64_t position = 0;
    s2l_value key;
    s2l_reference *element;
    s2l_foreach_begin_reference(context, &variable);
    while ((element = s2l_foreach_next_reference(context, &variable, &position, &key)) != NULL) {
        s2l_value held = pointer_value(element, S2L_TAG_REFERENCE);
        s2l_value_dup(held);
        s2l_array_push(context, &seen, dup(key));
        if (seen->count == 1) {
            s2l_unset_dim(context, &variable, values[1]);
            s2l_append_dim(context, &variable, dup(values[2]));
        }
        s2l_value longer = s2l_concat(context, dereference(held), string_value(s2l_string_of_byte('!')));
        s2l_slot_assign(context, &held, longer);
        s2l_value_drop(context, held);
    }
    s2l_foreach_end_reference(context);
    s2l_array *both = s2l_array_new(context, 2, S2L_ARRAY_PACKED_VALUE);
    s2l_array_push(context, &both, dup(dereference(variable)));
    s2l_array_push(context, &both, array_value(seen));
    s2l_value_drop(context, variable);
    return array_value(both);
}

/* Functions that builtins call back. spaceship shows its arguments, so that the order of calls is seen. */

static s2l_value spaceship(s2l_context *context, uint32_t argc, const s2l_value *argv)
{
    (void)argc;
    s2l_echo(context, argv[0]);
    s2l_echo_bytes(context, ":", 1);
    s2l_echo(context, argv[1]);
    s2l_echo_bytes(context, " ", 1);
    return long_value(s2l_compare(context, argv[0], argv[1]));
}

static s2l_value greater(s2l_context *context, uint32_t argc, const s2l_value *argv)
{
    (void)argc;
    return bool_value(s2l_is_smaller(context, argv[1], argv[0]));
}

static s2l_value truthful(s2l_context *context, uint32_t argc, const s2l_value *argv)
{
    (void)context;
    return bool_value(s2l_to_bool(argv[argc - 1]));
}

static s2l_value twice(s2l_context *context, uint32_t argc, const s2l_value *argv)
{
    (void)argc;
    return s2l_concat(context, argv[0], argv[0]);
}

static s2l_value glue(s2l_context *context, uint32_t argc, const s2l_value *argv)
{
    return argc > 1 ? s2l_concat(context, argv[0], argv[1]) : dup(argv[0]);
}

static s2l_value throws(s2l_context *context, uint32_t argc, const s2l_value *argv)
{
    (void)argc;
    (void)argv;
    s2l_throw(context, "TypeError", "thrown by a callback");
    return error_value();
}

static const s2l_function_info callbacks[] = {{"glue", "CASE", glue, 0, 1}, {"greater", "CASE", greater, 0, 1},
    {"spaceship", "CASE", spaceship, 0, 1}, {"throws", "CASE", throws, 0, 1}, {"truthful", "CASE", truthful, 0, 1},
    {"twice", "CASE", twice, 0, 1}};
static const s2l_function_info *const functions[] = {
    &callbacks[0], &callbacks[1], &callbacks[2], &callbacks[3], &callbacks[4], &callbacks[5]};

/* A builtin that takes argument `index` by reference: [its result, the variable afterwards]. */
static s2l_value call_by_reference(
    s2l_context *context, const s2l_function_info *function, uint32_t index, uint32_t count, s2l_value *values)
{
    s2l_reference *variable = s2l_reference_new(context, dup(values[index]));
    s2l_value outer = values[index];
    values[index] = pointer_value(variable, S2L_TAG_REFERENCE);
    s2l_value result = function->entry(context, count, values);
    s2l_value after = dereference(values[index]);
    if (!is_error(result)) {
        s2l_array *both = s2l_array_new(context, 2, S2L_ARRAY_PACKED_VALUE);
        s2l_array_append(context, both, result);
        s2l_array_append(context, both, dup(after));
        result = array_value(both);
    }
    s2l_value_drop(context, values[index]);
    values[index] = outer;
    return result;
}

static s2l_value truth(s2l_context *context, bool result)
{
    return context->pending == S2L_PENDING_NONE ? bool_value(result) : error_value();
}

/* The result of `operation` on borrowed values. */
static s2l_value perform(
    s2l_context *context, const char *operation, const char *word, uint32_t count, s2l_value *values)
{
    for (size_t i = 0; i < sizeof binary_operations / sizeof binary_operations[0]; i++) {
        if (strcmp(binary_operations[i].name, operation) == 0)
            return binary_operations[i].operation(context, values[0], values[1]);
    }
    for (size_t i = 0; i < sizeof test_operations / sizeof test_operations[0]; i++) {
        if (strcmp(test_operations[i].name, operation) == 0)
            return truth(context, test_operations[i].operation(context, values[0], values[1]));
    }
    if (strcmp(operation, "compare") == 0)
        return long_value(s2l_compare(context, values[0], values[1]));
    if (strcmp(operation, "identical") == 0)
        return bool_value(s2l_is_identical(values[0], values[1]));
    if (strcmp(operation, "assign_concat") == 0) {
        s2l_value_dup(values[0]);
        return s2l_assign_concat(context, values[0], values[1]);
    }
    if (strcmp(operation, "increment") == 0 || strcmp(operation, "decrement") == 0) {
        s2l_value_dup(values[0]);
        return operation[0] == 'i' ? s2l_increment(context, values[0]) : s2l_decrement(context, values[0]);
    }
    if (strcmp(operation, "not") == 0)
        return s2l_bw_not(context, values[0]);
    if (strcmp(operation, "to_bool") == 0)
        return bool_value(s2l_to_bool(values[0]));
    if (strcmp(operation, "to_int") == 0)
        return long_value(s2l_to_long(values[0]));
    if (strcmp(operation, "to_float") == 0)
        return double_value(s2l_to_double(values[0]));
    if (strcmp(operation, "to_string") == 0)
        return string_value(s2l_to_string(context, values[0]));
    if (strcmp(operation, "echo") == 0) {
        s2l_echo(context, values[0]);
        return null_value();
    }
    if (strcmp(operation, "weak") == 0 || strcmp(operation, "strict") == 0)
        return coerce(context, operation[0] == 's', word, values[1]);
    if (strcmp(operation, "match") == 0) {
        s2l_throw_unhandled_match(context, values[0]);
        return error_value();
    }
    if (strcmp(operation, "loop_by_reference") == 0)
        return loop_by_reference(context, values);
    bool by_reference = operation[0] == '&';
    uint32_t index = by_reference ? (uint32_t)(operation[1] - '0') : 0;
    if (by_reference)
        operation += 2;
    s2l_string *name = s2l_string_new(context, operation, strlen(operation));
    const s2l_function_info *function = s2l_function_find(context, name);
    string_drop(context, name);
    if (function == NULL) {
        fprintf(stderr, "driver: no operation %s\n", operation);
        exit(2);
    }
    if (by_reference)
        return call_by_reference(context, function, index, count, values);
    return function->entry(context, count, values);
}

static void run_case(s2l_context *context, char *line)
{
    static char *words[MAXIMAL_ARGUMENTS + 1];
    static s2l_value values[MAXIMAL_ARGUMENTS];
    uint32_t count = 0;
    for (char *word = strtok(line, " \n"); word != NULL && count <= MAXIMAL_ARGUMENTS; word = strtok(NULL, " \n"))
        words[count++] = word;
    if (count == 0)
        return;
    bool script = strcmp(words[0], "script") == 0;
    bool typed = strcmp(words[0], "weak") == 0 || strcmp(words[0], "strict") == 0;
    for (uint32_t i = 1; i < count; i++)
        values[i - 1] = script || (typed && i == 1) ? null_value() : read_value(context, words[i]);
    s2l_value result = script ? run_script(context, words + 1, count - 1) : perform(
        context, words[0], count > 1 ? words[1] : "", count - 1, values);
    s2l_flush(context);
    if (is_error(result)) {
        const s2l_throwable *error = context->hidden->error;
        printf("throw:%s:", error->class_name);
        put_encoded(string_bytes(error->message), error->message->length);
        s2l_clear_error(context);
    } else {
        put_value(result);
        s2l_value_drop(context, result);
    }
    putchar('\t');
    put_encoded(printed, printed_length);
    putchar('\n');
    printed_length = 0;
    for (uint32_t i = 1; i < count; i++)
        s2l_value_drop(context, values[i - 1]);
}

static bool run_cases(s2l_context *context)
{
    static char line[MAXIMAL_LINE];
    s2l_function_info info = {NULL, "CASE", NULL, 0, 0};
    s2l_frame frame = {NULL, &info, 1, 0};
    context->frame = &frame;
    while (fgets(line, sizeof line, stdin) != NULL)
        run_case(context, line);
    context->frame = NULL;
    return true;
}

int main(void)
{
    static const s2l_program program = {
        "CASE", run_cases, NULL, 0, functions, sizeof functions / sizeof functions[0]};
    s2l_options options = {capture, NULL, 0, 0, NULL};
    s2l_report report;
    s2l_run(&program, &options, &report);
    printf("live:%" PRId64 "\n", report.live);
    return report.live == 0 ? 0 : 1;
}
