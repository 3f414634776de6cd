/* range. Follows ext/standard/array.c:PHP_FUNCTION(range) of PHP 8.2: letters for two non-numeric strings, floats if a
   bound or the step is one, else ints; the step's sign is ignored. */
#include "array_internal.h"

#include <math.h>

#define SIZE_LIMIT 0x40000000

static s2l_value step_error(s2l_arguments *arguments)
{
    return s2l_argument_error(arguments, 2, "step", "must not exceed the specified range");
}

static s2l_value float_range(s2l_arguments *arguments, double low, double high, double step)
{
    s2l_context *context = arguments->context;
    if (isinf(low) || isinf(high))
        return s2l_throw_in(
            context, "range", "ValueError", "Invalid range supplied: start=%0.0f end=%0.0f", low, high);
    double distance = fabs(high - low);
    double sign = high > low ? 1 : -1;
    s2l_array *result = s2l_array_new(context, 0, S2L_ARRAY_PACKED_DOUBLE);
    if (!(low > high || high > low)) {
        s2l_array_append(context, result, double_value(low));
        return array_value(result);
    }
    double size = distance / step + 1;
    s2l_value error = null_value();
    if (distance < step || step <= 0)
        error = step_error(arguments);
    else if (size >= SIZE_LIMIT)
        error = s2l_throw_in(context, "range", "ValueError",
            "The supplied range exceeds the maximum array size: start=%0.0f end=%0.0f", low, high);
    if (is_error(error)) {
        s2l_value_drop(context, array_value(result));
        return error;
    }
    double count = isnan(size) ? 0 : s2l_round(size, 0);
    for (double index = 0; index < count; index++) {
        double number = index == 0 ? low : low + sign * (index * step);
        if (sign * number > sign * high)
            break;
        s2l_array_append(context, result, double_value(number));
    }
    return array_value(result);
}

static s2l_value long_range(s2l_arguments *arguments, int64_t low, int64_t high, double step)
{
    s2l_context *context = arguments->context;
    uint64_t distance = low < high ? (uint64_t)high - (uint64_t)low : (uint64_t)low - (uint64_t)high;
    uint64_t whole_step = (uint64_t)s2l_double_to_long(step);
    if (distance == 0 ? step <= 0 : distance < whole_step || whole_step == 0)
        return step_error(arguments);
    uint64_t count = distance == 0 ? 1 : distance / whole_step + 1;
    if (count >= SIZE_LIMIT)
        return s2l_throw_in(context, "range", "ValueError",
            "The supplied range exceeds the maximum array size: start=%lld end=%lld", (long long)low, (long long)high);
    s2l_array *result = s2l_array_new(context, count, S2L_ARRAY_PACKED_LONG);
    for (uint64_t i = 0; i < count; i++) {
        uint64_t offset = i * whole_step;
        s2l_array_append(context, result, long_value((int64_t)((uint64_t)low + (high < low ? 0 - offset : offset))));
    }
    return array_value(result);
}

static s2l_value letter_range(s2l_arguments *arguments, uint8_t low, uint8_t high, double step)
{
    int64_t distance = low < high ? high - low : low - high;
    int64_t whole_step = s2l_double_to_long(step);
    if (distance != 0 && (distance < whole_step || whole_step <= 0))
        return step_error(arguments);
    s2l_array *result = s2l_array_new(arguments->context, 0, S2L_ARRAY_PACKED_VALUE);
    for (int64_t offset = 0; offset <= distance; offset += whole_step > 0 ? whole_step : 1) {
        int64_t code = high < low ? low - offset : low + offset;
        s2l_array_append(arguments->context, result, string_value(s2l_string_of_byte((uint8_t)code)));
    }
    return array_value(result);
}

BUILTIN(range)
{
    TAKE(range, 2, 3);
    s2l_value step = long_value(1);
    if (argc > 2 && !s2l_take_number(&arguments, 2, "step", &step))
        return error_value();
    double width = fabs(s2l_to_double(step));
    bool is_float = step.tag == S2L_TAG_DOUBLE;
    s2l_value start = argv[0];
    s2l_value end = argv[1];
    bool texts = start.tag == S2L_TAG_STRING && end.tag == S2L_TAG_STRING && as_string(start)->length > 0
        && as_string(end)->length > 0;
    if (texts) {
        s2l_number low = s2l_parse_whole_number(string_bytes(as_string(start)), as_string(start)->length);
        s2l_number high = s2l_parse_whole_number(string_bytes(as_string(end)), as_string(end)->length);
        if (low.kind == 0 && high.kind == 0 && !is_float)
            return letter_range(
                &arguments, (uint8_t)string_bytes(as_string(start))[0], (uint8_t)string_bytes(as_string(end))[0], width);
        is_float = is_float || low.kind == S2L_TAG_DOUBLE || high.kind == S2L_TAG_DOUBLE;
    } else if (start.tag == S2L_TAG_DOUBLE || end.tag == S2L_TAG_DOUBLE) {
        is_float = true;
    }
    if (is_float)
        return float_range(&arguments, s2l_to_double(start), s2l_to_double(end), width);
    return long_range(&arguments, s2l_to_long(start), s2l_to_long(end), width);
}
