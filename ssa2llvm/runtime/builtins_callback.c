/* Builtin functions that call back: array_map, array_filter, array_reduce, array_walk, call_user_func(_array). Follows
   ext/standard/array.c and basic_functions.c. */
#include "array_internal.h"

#define USE_KEY 2
#define USE_BOTH 1

/* array_map of one array: keys are kept. */
static s2l_value map_one(s2l_arguments *arguments, const s2l_function_info *callback, const s2l_array *array)
{
    s2l_context *context = arguments->context;
    s2l_array *result = s2l_array_new(context, is_hash(array) ? 0 : array->count, S2L_ARRAY_PACKED_LONG);
    s2l_value key;
    s2l_value value;
    FOR_EACH (array, key, value) {
        s2l_value mapped = s2l_call_back(arguments, callback, 1, &value);
        if (is_error(mapped)) {
            s2l_value_drop(context, array_value(result));
            return mapped;
        }
        s2l_array_put_key(context, result, key, mapped);
    }
    return array_value(result);
}

/* A row of array_map over several arrays: null where one is shorter. Without a callback the row itself. */
static s2l_value map_row(s2l_arguments *arguments, const s2l_function_info *callback, uint64_t *positions)
{
    s2l_context *context = arguments->context;
    uint32_t count = arguments->count - 1;
    s2l_array *row = s2l_array_new(context, count, S2L_ARRAY_PACKED_VALUE);
    for (uint32_t i = 0; i < count; i++) {
        s2l_value value;
        if (!s2l_array_next(as_array(arguments->values[i + 1]), &positions[i], NULL, &value))
            value = null_value();
        s2l_array_append(context, row, dup(value));
    }
    if (callback == NULL)
        return array_value(row);
    s2l_value mapped = s2l_call_back(arguments, callback, count, row->data);
    s2l_value_drop(context, array_value(row));
    return mapped;
}

BUILTIN(array_map)
{
    TAKE(array_map, 2, NO_LIMIT);
    const s2l_function_info *callback;
    uint64_t longest = 0;
    if (!s2l_take_callable(&arguments, 0, "callback", true, &callback))
        return error_value();
    for (uint32_t i = 1; i < argc; i++) {
        if (argv[i].tag != S2L_TAG_ARRAY)
            return s2l_throw_in(context, "array_map", "TypeError",
                "array_map(): Argument #%u%s must be of type array, %s given", (unsigned)i + 1, i == 1 ? " ($array)" : "",
                s2l_type_name(argv[i]));
        if (as_array(argv[i])->count > longest)
            longest = as_array(argv[i])->count;
    }
    if (argc == 2)
        return callback != NULL ? map_one(&arguments, callback, as_array(argv[1])) : dup(argv[1]);
    uint64_t size = (argc - 1) * sizeof(uint64_t);
    uint64_t *positions = s2l_allocate(context, size);
    memset(positions, 0, size);
    s2l_value result = array_value(s2l_array_new(context, longest, S2L_ARRAY_PACKED_LONG));
    for (uint64_t i = 0; i < longest && !is_error(result); i++) {
        s2l_value mapped = map_row(&arguments, callback, positions);
        if (is_error(mapped)) {
            s2l_value_drop(context, result);
            result = mapped;
        } else {
            s2l_array_append(context, as_array(result), mapped);
        }
    }
    s2l_free(context, positions, size);
    return result;
}

/* What array_filter decides by: the element itself, or the callback's answer (owned). */
static s2l_value verdict(
    s2l_arguments *arguments, const s2l_function_info *callback, int64_t mode, s2l_value key, s2l_value value)
{
    s2l_value both[2] = {value, key};
    if (callback == NULL)
        return dup(value);
    if (mode == USE_KEY)
        return s2l_call_back(arguments, callback, 1, &key);
    return s2l_call_back(arguments, callback, mode == USE_BOTH ? 2 : 1, both);
}

BUILTIN(array_filter)
{
    TAKE(array_filter, 1, 3);
    s2l_array *array;
    const s2l_function_info *callback = NULL;
    int64_t mode = 0;
    if (!s2l_take_array(&arguments, 0, "array", &array)
        || (argc > 1 && !s2l_take_callable(&arguments, 1, "callback", true, &callback))
        || !s2l_take_optional_long(&arguments, 2, "mode", &mode))
        return error_value();
    s2l_array *result = s2l_array_new(context, 0, S2L_ARRAY_PACKED_LONG);
    s2l_value key;
    s2l_value value;
    FOR_EACH (array, key, value) {
        s2l_value decision = verdict(&arguments, callback, mode, key, value);
        if (is_error(decision)) {
            s2l_value_drop(context, array_value(result));
            return decision;
        }
        if (s2l_to_bool(decision))
            s2l_array_put_key(context, result, key, dup(value));
        s2l_value_drop(context, decision);
    }
    return array_value(result);
}

BUILTIN(array_reduce)
{
    TAKE(array_reduce, 2, 3);
    s2l_array *array;
    const s2l_function_info *callback;
    if (!s2l_take_array(&arguments, 0, "array", &array)
        || !s2l_take_callable(&arguments, 1, "callback", false, &callback))
        return error_value();
    s2l_value carry = argc > 2 ? dup(argv[2]) : null_value();
    s2l_value key;
    s2l_value value;
    FOR_EACH (array, key, value) {
        s2l_value both[2] = {carry, value};
        s2l_value result = s2l_call_back(&arguments, callback, 2, both);
        s2l_value_drop(context, carry);
        carry = result;
        if (is_error(carry))
            break;
    }
    return carry;
}

BUILTIN(array_walk)
{
    TAKE(array_walk, 2, 3);
    s2l_array *array;
    const s2l_function_info *callback;
    if (!s2l_take_array_variable(&arguments, 0, "array", &array)
        || !s2l_take_callable(&arguments, 1, "callback", false, &callback))
        return error_value();
    /* As foreach by reference: the callback may take the element by reference, and change the array. */
    s2l_value variable = argv[0];
    s2l_value result = bool_value(true);
    uint64_t position = 0;
    s2l_value key;
    s2l_reference *element;
    context->hidden->reference_loops++;
    while (!is_error(result)
        && (element = s2l_foreach_next_reference(context, &variable, &position, &key)) != NULL) {
        s2l_value values[3] = {pointer_value(element, S2L_TAG_REFERENCE), dup(key), argc > 2 ? argv[2] : null_value()};
        s2l_value_dup(values[0]);
        s2l_value answer = s2l_call_back(&arguments, callback, argc, values);
        s2l_value_drop(context, values[0]);
        s2l_value_drop(context, values[1]);
        if (is_error(answer))
            result = answer;
        else
            s2l_value_drop(context, answer);
    }
    context->hidden->reference_loops--;
    return result;
}

BUILTIN(call_user_func)
{
    TAKE(call_user_func, 1, NO_LIMIT);
    const s2l_function_info *callback;
    if (!s2l_take_callable(&arguments, 0, "callback", false, &callback))
        return error_value();
    return s2l_call_back(&arguments, callback, argc - 1, argv + 1);
}

BUILTIN(call_user_func_array)
{
    TAKE(call_user_func_array, 2, 2);
    const s2l_function_info *callback;
    s2l_array *array;
    if (!s2l_take_callable(&arguments, 0, "callback", false, &callback)
        || !s2l_take_array(&arguments, 1, "args", &array))
        return error_value();
    s2l_array *values = s2l_array_new(context, array->count, S2L_ARRAY_PACKED_VALUE);
    s2l_value key;
    s2l_value value;
    FOR_EACH (array, key, value) {
        if (key.tag == S2L_TAG_STRING) {
            s2l_value_drop(context, array_value(values));
            return s2l_throw_in(context, "call_user_func_array", "Error", "Unknown named parameter $%s",
                string_bytes(as_string(key)));
        }
        s2l_array_append(context, values, dup(value));
    }
    s2l_value result = s2l_call_back(&arguments, callback, (uint32_t)values->count, values->data);
    s2l_value_drop(context, array_value(values));
    return result;
}
