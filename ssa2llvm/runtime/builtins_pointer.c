/* The internal pointer of arrays: current, key, next, prev, reset, end. Follows ext/standard/array.c and zend_hash.c: the
   pointer is a position; a removed element under it counts as the one after it; behind the end there is none. */
#include "array_internal.h"

/* The first position from `at` on that holds an element, or the end. */
static uint64_t forward(const s2l_array *array, uint64_t at)
{
    while (at < position_count(array) && raw_element(array, at).tag == S2L_TAG_UNDEF)
        at++;
    return at;
}

/* The first position from `at` back that holds an element, or the end. */
static uint64_t backward(const s2l_array *array, uint64_t at)
{
    while (at < position_count(array)) {
        if (raw_element(array, at).tag != S2L_TAG_UNDEF)
            return at;
        at--;
    }
    return position_count(array);
}

static s2l_value value_at(const s2l_array *array, uint64_t at)
{
    return at < position_count(array) ? dup(dereference(raw_element(array, at))) : bool_value(false);
}

static s2l_value current(s2l_arguments *arguments)
{
    s2l_array *array;
    if (!s2l_take_array(arguments, 0, "array", &array))
        return error_value();
    return value_at(array, forward(array, array->position));
}

BUILTIN(current)
{
    TAKE(current, 1, 1);
    return current(&arguments);
}

BUILTIN(pos)
{
    TAKE(pos, 1, 1);
    return current(&arguments);
}

BUILTIN(key)
{
    TAKE(key, 1, 1);
    s2l_array *array;
    if (!s2l_take_array(&arguments, 0, "array", &array))
        return error_value();
    uint64_t at = forward(array, array->position);
    return at < position_count(array) ? dup(key_value(key_at(array, at))) : null_value();
}

static s2l_value move_to(s2l_array *array, uint64_t at)
{
    array->position = (uint32_t)at;
    return value_at(array, at);
}

BUILTIN(next)
{
    TAKE(next, 1, 1);
    s2l_array *array;
    if (!s2l_take_array_variable(&arguments, 0, "array", &array))
        return error_value();
    uint64_t at = forward(array, array->position);
    return move_to(array, at < position_count(array) ? forward(array, at + 1) : at);
}

BUILTIN(prev)
{
    TAKE(prev, 1, 1);
    s2l_array *array;
    if (!s2l_take_array_variable(&arguments, 0, "array", &array))
        return error_value();
    uint64_t at = forward(array, array->position);
    return move_to(array, at < position_count(array) ? backward(array, at - 1) : at);
}

BUILTIN(reset)
{
    TAKE(reset, 1, 1);
    s2l_array *array;
    if (!s2l_take_array_variable(&arguments, 0, "array", &array))
        return error_value();
    return move_to(array, forward(array, 0));
}

BUILTIN(end)
{
    TAKE(end, 1, 1);
    s2l_array *array;
    if (!s2l_take_array_variable(&arguments, 0, "array", &array))
        return error_value();
    return move_to(array, backward(array, position_count(array) - 1));
}
