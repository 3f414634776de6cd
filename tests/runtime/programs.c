/* Programs as the compiler would emit them, by hand, to test how runs end. argv[1] chooses one. */
#include "api.h"
#include "arrays.h"
#include "exceptions.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const s2l_function_info main_info = {NULL, "main.php", NULL, 0, 1};
static const s2l_function_info f_info = {"f", "main.php", NULL, 0, 3};

static void link_frame(s2l_context *context, s2l_frame *frame, const s2l_function_info *function, uint32_t line)
{
    frame->previous = context->frame;
    frame->function = function;
    frame->line = line;
    frame->reserved = 0;
    context->frame = frame;
}

static s2l_value string_value(s2l_string *string)
{
    s2l_value value = {(int64_t)(intptr_t)string, S2L_TAG_STRING};
    return value;
}

/* depth == 0 ? 0 : 1 + recurse(depth - 1); the call goes through a variable, so that it stays a call */
static int64_t recurse(int64_t depth);
static int64_t (*volatile recurse_again)(int64_t depth) = recurse;

static int64_t recurse(int64_t depth)
{
    return depth == 0 ? 0 : 1 + recurse_again(depth - 1);
}

static bool deep(s2l_context *context)
{
    s2l_echo_long(context, recurse(1000000));
    return true;
}

static bool endless(s2l_context *context)
{
    s2l_frame frame;
    s2l_string *leaked = s2l_string_new(context, "never dropped", 13);
    s2l_echo_string(context, leaked);
    link_frame(context, &frame, &main_info, 7);
    s2l_echo_long(context, recurse(-1));
    return true;
}

/* f() at line 5 calls something that throws; main calls f at line 9. */
static bool uncaught(s2l_context *context)
{
    s2l_frame frame;
    s2l_echo_bytes(context, "before", 6);
    link_frame(context, &frame, &f_info, 5);
    s2l_throw(context, "TypeError", "no good");
    context->frame = NULL;
    s2l_trace_add(context, &main_info, 9, &f_info);
    return false;
}

static bool builtin_throws(s2l_context *context)
{
    s2l_frame frame;
    const s2l_value arguments[2] = {{1, S2L_TAG_LONG}, {0, S2L_TAG_LONG}};
    link_frame(context, &frame, &f_info, 5);
    s2l_string *name = s2l_string_new(context, "\\IntDiv", 7);
    s2l_value result = s2l_function_find(context, name)->entry(context, 2, arguments);
    s2l_value_drop(context, string_value(name));
    context->frame = NULL;
    s2l_trace_add(context, &main_info, 9, &f_info);
    return result.tag != S2L_TAG_ERROR;
}

/* main calls f("x") at line 9; f(int $n) is at line 3. */
static bool wrong_argument(s2l_context *context)
{
    static const s2l_parameter_info parameter = {"n", "int", 1 << S2L_TAG_LONG, 1};
    s2l_frame caller;
    s2l_frame callee;
    link_frame(context, &caller, &main_info, 9);
    link_frame(context, &callee, &f_info, 3);
    s2l_coerce_parameter(context, string_value(s2l_string_of_byte('x')), &parameter);
    context->frame = NULL;
    return false;
}

static void call_and_echo(s2l_context *context, s2l_value object, const char *method)
{
    s2l_string *name = s2l_string_new(context, method, strlen(method));
    s2l_value result = s2l_call_method(context, object, name, 0, NULL);
    s2l_echo(context, result);
    s2l_echo_bytes(context, "|", 1);
    s2l_value_drop(context, result);
    s2l_value_drop(context, string_value(name));
}

/* try { 1 % 0 } catch (ArithmeticError $e) { … } then throw new LogicException("second", 7, $e), which nobody catches. */
static bool catches(s2l_context *context)
{
    s2l_frame frame;
    const s2l_value one = {1, S2L_TAG_LONG};
    const s2l_value zero = {0, S2L_TAG_LONG};
    link_frame(context, &frame, &f_info, 5);
    s2l_mod(context, one, zero);
    context->frame = NULL;
    s2l_trace_add(context, &main_info, 9, &f_info);
    if (s2l_pending_is(context, "LogicException") || !s2l_pending_is(context, "\\arithmeticerror"))
        return false;
    s2l_value error = s2l_catch(context);
    if (context->pending != S2L_PENDING_NONE || !s2l_instanceof(error, "Throwable") || s2l_instanceof(error, "Exception"))
        return false;
    if (!s2l_is_equal(context, error, error) || s2l_is_equal(context, error, zero) || !s2l_to_bool(error))
        return false;
    call_and_echo(context, error, "getMessage");
    call_and_echo(context, error, "GETLINE");
    call_and_echo(context, error, "getTraceAsString");
    s2l_echo(context, error);
    s2l_value arguments[3] = {string_value(s2l_string_of_byte('2')), {7, S2L_TAG_LONG}, error};
    link_frame(context, &frame, &main_info, 11);
    s2l_value second = s2l_new_throwable(context, "logicException", 3, arguments);
    context->frame = NULL;
    s2l_value_drop(context, error);
    call_and_echo(context, second, "getCode");
    s2l_throw_value(context, second);
    return false;
}

/* Errors of the operations on exceptions themselves. */
static bool misuses(s2l_context *context)
{
    s2l_frame frame;
    const s2l_value five = {5, S2L_TAG_LONG};
    link_frame(context, &frame, &main_info, 3);
    for (int i = 0; i < 5; i++) {
        s2l_value made = {0, S2L_TAG_UNDEF};
        switch (i) {
        case 0:
            s2l_throw_value(context, five);
            break;
        case 1:
            s2l_new_throwable(context, "Nonsense", 0, NULL);
            break;
        case 2:
            s2l_new_throwable(context, "Throwable", 0, NULL);
            break;
        case 3:
            s2l_call_method(context, five, s2l_string_of_byte('m'), 0, NULL);
            break;
        default:
            made = s2l_new_throwable(context, "Exception", 0, NULL);
            s2l_call_method(context, made, s2l_string_of_byte('m'), 0, NULL);
            s2l_value_drop(context, made);
            break;
        }
        s2l_value error = s2l_catch(context);
        call_and_echo(context, error, "getMessage");
        s2l_value_drop(context, error);
    }
    context->frame = NULL;
    return true;
}

static bool arguments(s2l_context *context)
{
    s2l_array *list = s2l_argument_list(context);
    s2l_echo(context, s2l_array_find_long(list, 1));
    s2l_echo_long(context, (int64_t)list->count);
    s2l_value_drop(context, (s2l_value){(int64_t)(intptr_t)list, S2L_TAG_ARRAY});
    return true;
}

static bool exits(s2l_context *context)
{
    s2l_value code = {42, S2L_TAG_LONG};
    s2l_echo_bytes(context, "bye", 3);
    s2l_exit(context, code);
    return false;
}

static bool fatal(s2l_context *context)
{
    s2l_frame frame;
    link_frame(context, &frame, &f_info, 4);
    s2l_fatal(context, "Cannot go on");
}

static bool leaks(s2l_context *context)
{
    s2l_string_new(context, "lost", 4);
    return true;
}

static bool crashes(s2l_context *context)
{
    volatile int *volatile nowhere = NULL;
    (void)context;
    *nowhere = 1;
    return true;
}

/* Cells: a global that becomes a reference, and a string in place. */
static bool cells(s2l_context *context)
{
    s2l_reference *reference = s2l_cell_reference(context, 1);
    s2l_string *string = s2l_string_new(context, "ab", 2);
    for (int i = 0; i < 1000; i++)
        string = s2l_string_append(context, string, string->length < 50 ? string : s2l_string_of_byte('c'));
    reference->payload = string_value(string).payload;
    reference->tag = S2L_TAG_STRING;
    s2l_echo_long(context, (int64_t)string->length + context->cells[0].payload);
    return true;
}

static bool inner(s2l_context *context)
{
    s2l_echo_bytes(context, "inner", 5);
    return deep(context);
}

static const s2l_program inner_program = {"inner.php", inner, NULL, 0, NULL, 0};

static bool nested(s2l_context *context)
{
    s2l_echo_bytes(context, "outer ", 6);
    s2l_flush(context);
    s2l_run(&inner_program, NULL, NULL);
    s2l_echo_bytes(context, " outer", 6);
    return true;
}

static bool nothing(s2l_context *context)
{
    s2l_echo_bytes(context, "top level\n", 10);
    return true;
}

static bool call_deep(s2l_context *context, void *arguments)
{
    (void)context;
    *(int64_t *)arguments = recurse(1000000);
    return true;
}

static bool call_endless(s2l_context *context, void *arguments)
{
    (void)arguments;
    s2l_string_new(context, "lost with the context", 21);
    return recurse(-1) == 0;
}

static bool call_throw(s2l_context *context, void *arguments)
{
    s2l_frame frame;
    (void)arguments;
    link_frame(context, &frame, &f_info, 5);
    s2l_throw_division_by_zero(context);
    context->frame = NULL;
    return false;
}

static bool call_exit(s2l_context *context, void *arguments)
{
    (void)arguments;
    return exits(context);
}

static void tell(s2l_context *context, const char *what, bool succeeded)
{
    const char *error = s2l_library_error(context);
    printf("%s: %s %s\n", what, succeeded ? "true" : "false", error != NULL ? error : "-");
    fflush(stdout);
}

static int run_library(void)
{
    static const s2l_program program = {"lib.php", nothing, NULL, 0, NULL, 0};
    int64_t depth = 0;
    s2l_context *context = s2l_library_open(&program, NULL);
    s2l_context *other = s2l_library_open(&program, NULL);
    tell(context, "deep", s2l_library_call(context, call_deep, &depth) && depth == 1000000);
    tell(context, "throw", s2l_library_call(context, call_throw, NULL));
    tell(context, "endless", s2l_library_call(context, call_endless, NULL));
    tell(context, "exit", s2l_library_call(context, call_exit, NULL));
    tell(context, "deep again", s2l_library_call(context, call_deep, &depth));
    tell(other, "other", s2l_library_call(other, call_deep, &depth));
    printf("left: %" PRId64 " %" PRId64 "\n", s2l_library_close(context), s2l_library_close(other));
    return 0;
}

int main(int argc, char **argv)
{
    static const s2l_value initial[2] = {{7, S2L_TAG_LONG}, {0, S2L_TAG_UNDEF}};
    static const struct {
        const char *name;
        s2l_main *main;
    } programs[] = {{"deep", deep}, {"endless", endless}, {"uncaught", uncaught}, {"builtin_throws", builtin_throws},
        {"wrong_argument", wrong_argument}, {"catches", catches}, {"misuses", misuses}, {"arguments", arguments}, {"exits", exits}, {"fatal", fatal}, {"leaks", leaks}, {"crashes", crashes}, {"cells", cells}, {"nested", nested}};
    const char *name = argc > 1 ? argv[1] : "";
    if (strcmp(name, "library") == 0)
        return run_library();
    for (size_t i = 0; i < sizeof programs / sizeof programs[0]; i++) {
        s2l_program program = {"main.php", programs[i].main, initial, 2, NULL, 0};
        if (strcmp(programs[i].name, name) == 0)
            return s2l_main_entry(&program, argc, argv);
    }
    return 2;
}
