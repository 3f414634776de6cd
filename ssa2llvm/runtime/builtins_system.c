/* Builtin functions on the running program: functions, constants, output, memory, time. */
#include "array_internal.h"

#include <stdio.h>
#include <sys/time.h>
#include <time.h>

#define NANOSECONDS INT64_C(1000000000)
#define MICROSECONDS 1000000.0

BUILTIN(function_exists)
{
    TAKE(function_exists, 1, 1);
    s2l_string *function;
    if (!s2l_take_string(&arguments, 0, "function", &function))
        return error_value();
    return s2l_done(&arguments, bool_value(s2l_function_find(context, function) != NULL));
}

BUILTIN(define)
{
    TAKE(define, 2, 3);
    s2l_string *name;
    bool ignore_case = false;
    if (!s2l_take_string(&arguments, 0, "constant_name", &name)
        || !s2l_take_optional_bool(&arguments, 2, "case_insensitive", &ignore_case))
        return s2l_done(&arguments, error_value());
    if (ignore_case)
        s2l_warning(context,
            "define(): Argument #3 ($case_insensitive) is ignored since declaration of case-insensitive constants is no "
            "longer supported");
    return s2l_done(&arguments, bool_value(s2l_constant_define(context, name, argv[1])));
}

BUILTIN(defined)
{
    TAKE(defined, 1, 1);
    s2l_string *name;
    if (!s2l_take_string(&arguments, 0, "constant_name", &name))
        return error_value();
    s2l_value value;
    bool found = s2l_constant_find(context, name, &value);
    if (found)
        s2l_value_drop(context, value);
    return s2l_done(&arguments, bool_value(found));
}

BUILTIN(constant)
{
    TAKE(constant, 1, 1);
    s2l_string *name;
    if (!s2l_take_string(&arguments, 0, "name", &name))
        return error_value();
    s2l_value value;
    if (!s2l_constant_find(context, name, &value))
        value = s2l_throw_in(context, "constant", "Error", "Undefined constant \"%s\"", string_bytes(name));
    return s2l_done(&arguments, value);
}

BUILTIN(memory_get_usage)
{
    TAKE(memory_get_usage, 0, 1);
    return long_value((int64_t)context->hidden->memory.obtained);
}

BUILTIN(memory_get_peak_usage)
{
    TAKE(memory_get_peak_usage, 0, 1);
    return long_value((int64_t)context->hidden->memory.most_obtained);
}

BUILTIN(error_reporting)
{
    TAKE(error_reporting, 0, 1);
    int64_t before = context->hidden->error_reporting;
    if (!s2l_take_nullable_long(&arguments, 0, "error_level", &context->hidden->error_reporting))
        return error_value();
    return long_value(before);
}

BUILTIN(flush)
{
    TAKE(flush, 0, 0);
    s2l_flush(context);
    return null_value();
}

BUILTIN(ob_start)
{
    TAKE(ob_start, 0, 3);
    if (argc > 0 && argv[0].tag > S2L_TAG_NULL)
        s2l_fatal(context, "ssa2llvm: ob_start() with a callback is not supported");
    s2l_capture_start(context);
    return bool_value(true);
}

BUILTIN(ob_get_clean)
{
    TAKE(ob_get_clean, 0, 0);
    s2l_string *text = s2l_capture_end(context);
    return text != NULL ? string_value(text) : bool_value(false);
}

BUILTIN(ob_end_clean)
{
    TAKE(ob_end_clean, 0, 0);
    s2l_string *text = s2l_capture_end(context);
    if (text == NULL)
        s2l_notice(context, "ob_end_clean(): Failed to delete buffer. No buffer to delete");
    else
        string_drop(context, text);
    return bool_value(text != NULL);
}

BUILTIN(ob_end_flush)
{
    TAKE(ob_end_flush, 0, 0);
    s2l_string *text = s2l_capture_end(context);
    if (text == NULL) {
        s2l_notice(context, "ob_end_flush(): Failed to delete and flush buffer. No buffer to delete or flush");
        return bool_value(false);
    }
    s2l_echo_string(context, text);
    string_drop(context, text);
    return bool_value(true);
}

BUILTIN(hrtime)
{
    TAKE(hrtime, 0, 1);
    bool as_number = false;
    if (!s2l_take_optional_bool(&arguments, 0, "as_number", &as_number))
        return error_value();
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    if (as_number)
        return long_value(now.tv_sec * NANOSECONDS + now.tv_nsec);
    s2l_array *pair = s2l_array_new(context, 2, S2L_ARRAY_PACKED_LONG);
    s2l_array_append(context, pair, long_value(now.tv_sec));
    s2l_array_append(context, pair, long_value(now.tv_nsec));
    return array_value(pair);
}

BUILTIN(microtime)
{
    TAKE(microtime, 0, 1);
    bool as_float = false;
    if (!s2l_take_optional_bool(&arguments, 0, "as_float", &as_float))
        return error_value();
    struct timeval now;
    gettimeofday(&now, NULL);
    if (as_float)
        return double_value((double)now.tv_sec + (double)now.tv_usec / MICROSECONDS);
    s2l_string *text = s2l_message(
        context, "%.8f %lld", (double)now.tv_usec / MICROSECONDS, (long long)now.tv_sec);
    return string_value(text);
}

BUILTIN(time)
{
    TAKE(time, 0, 0);
    return long_value((int64_t)time(NULL));
}
