/* sort, rsort, asort, arsort, ksort, krsort, usort, uasort, uksort. Follows ext/standard/array.c.

   Ties keep their order (stable since PHP 8.0): the comparison falls back to the original position. Packed ints and floats
   sorted the usual way need no comparison function: their order is total (but for NaN), so any sort gives PHP's result. */
#include "sort.h"

#include <stdlib.h>

#define SORT_NUMERIC 1
#define SORT_STRING 2
#define SORT_FLAG_CASE 8

static int32_t compare_items(s2l_sorter *sorter, const s2l_sort_item *left, const s2l_sort_item *right)
{
    s2l_value left_value = sorter->by_key ? key_value(left->key) : left->value;
    s2l_value right_value = sorter->by_key ? key_value(right->key) : right->value;
    int32_t order = sorter->order(sorter, left_value, right_value);
    if (order != 0)
        return sorter->reverse ? -order : order;
    return left->position > right->position ? 1 : -1;
}

static int32_t order_regular(s2l_sorter *sorter, s2l_value left, s2l_value right)
{
    return s2l_compare(sorter->arguments->context, left, right);
}

static int32_t order_numeric(s2l_sorter *sorter, s2l_value left, s2l_value right)
{
    (void)sorter;
    double left_number = s2l_to_double(left);
    double right_number = s2l_to_double(right);
    return left_number == right_number ? 0 : left_number < right_number ? -1 : 1;
}

static int32_t order_text(s2l_sorter *sorter, s2l_value left, s2l_value right)
{
    s2l_context *context = sorter->arguments->context;
    char left_scratch[S2L_SCRATCH_SIZE];
    char right_scratch[S2L_SCRATCH_SIZE];
    s2l_bytes left_bytes = s2l_bytes_of(context, left, left_scratch);
    s2l_bytes right_bytes = s2l_bytes_of(context, right, right_scratch);
    uint64_t common = left_bytes.length < right_bytes.length ? left_bytes.length : right_bytes.length;
    for (uint64_t i = 0; i < common; i++) {
        char left_byte = left_bytes.bytes[i];
        char right_byte = right_bytes.bytes[i];
        int32_t difference = sorter->ignore_case ? s2l_lower_byte(left_byte) - s2l_lower_byte(right_byte)
                                                 : (uint8_t)left_byte - (uint8_t)right_byte;
        if (difference != 0)
            return difference;
    }
    return (left_bytes.length > right_bytes.length) - (left_bytes.length < right_bytes.length);
}

/* The callback's answer as a number, and its tag; 0 once it has thrown. */
static int64_t ask(s2l_sorter *sorter, s2l_value left, s2l_value right, int64_t *tag)
{
    *tag = S2L_TAG_LONG;
    s2l_context *context = sorter->arguments->context;
    if (context->pending != S2L_PENDING_NONE)
        return 0;
    s2l_value values[2] = {left, right};
    s2l_value result = s2l_call_back(sorter->arguments, sorter->callback, 2, values);
    if (is_error(result))
        return 0;
    *tag = result.tag;
    int64_t number = s2l_to_long(result);
    s2l_value_drop(context, result);
    return number;
}

/* A function that gives false where it should give -1 is asked again the other way round, as before PHP 8. */
static int32_t order_by_user(s2l_sorter *sorter, s2l_value left, s2l_value right)
{
    int64_t tag;
    int64_t number = ask(sorter, left, right, &tag);
    if (tag == S2L_TAG_FALSE || tag == S2L_TAG_TRUE) {
        if (!sorter->warned_bool)
            s2l_deprecated_format(sorter->arguments->context,
                "%s(): Returning bool from comparison function is deprecated, return an integer less than, equal to, or "
                "greater than zero",
                sorter->arguments->function);
        sorter->warned_bool = true;
        if (tag == S2L_TAG_FALSE && ask(sorter, right, left, &tag) != 0)
            return -1;
    }
    return (number > 0) - (number < 0);
}

static int compare_longs(const void *left, const void *right)
{
    int64_t left_long = *(const int64_t *)left;
    int64_t right_long = *(const int64_t *)right;
    return (left_long > right_long) - (left_long < right_long);
}

/* The array's elements in the sorter's order, as a new array. */
static s2l_array *sorted_array(s2l_sorter *sorter, const s2l_array *array, bool renumber)
{
    s2l_context *context = sorter->arguments->context;
    uint64_t size = array->count * sizeof *sorter->items;
    sorter->items = s2l_allocate(context, size);
    for (uint64_t at = 0; at < position_count(array); at++) {
        s2l_value value = raw_element(array, at);
        if (value.tag == S2L_TAG_UNDEF)
            continue;
        s2l_sort_item *item = &sorter->items[sorter->count];
        item->value = dereference(value);
        item->key = key_at(array, at);
        item->position = sorter->count++;
    }
    s2l_zend_sort(sorter);
    s2l_array *result = s2l_array_new(context, array->count, renumber ? S2L_ARRAY_PACKED_LONG : S2L_ARRAY_HASH);
    for (size_t i = 0; i < sorter->count; i++) {
        s2l_sort_item *item = &sorter->items[i];
        if (renumber)
            s2l_array_append(context, result, dup(item->value));
        else
            s2l_array_put(context, result, item->key, dup(item->value));
    }
    s2l_free(context, sorter->items, size);
    return result;
}

static s2l_value sort_variable(s2l_sorter *sorter, bool renumber)
{
    s2l_array *array;
    const s2l_arguments *arguments = sorter->arguments;
    if (!s2l_take_array_variable(arguments, 0, "array", &array))
        return error_value();
    bool plain = renumber && sorter->order == order_regular && !sorter->reverse;
    if (plain && array->element_kind == S2L_ARRAY_PACKED_LONG && array->count > 0) {
        qsort(array->data, array->count, sizeof(int64_t), compare_longs);
    } else if (array->count > 0) {
        /* The callback may see or change the variable: its array is kept alive, and replaced when all is done. */
        array->refcount++;
        s2l_array *result = sorted_array(sorter, array, renumber);
        s2l_value_drop(arguments->context, array_value(array));
        s2l_give_array(arguments, 0, result);
    }
    return arguments->context->pending == S2L_PENDING_NONE ? bool_value(true) : error_value();
}

static s2l_value sort_by_flags(s2l_arguments *arguments, bool by_key, bool reverse, bool renumber)
{
    int64_t flags = 0;
    if (!s2l_take_optional_long(arguments, 1, "flags", &flags))
        return error_value();
    int64_t kind = flags & ~(int64_t)SORT_FLAG_CASE;
    s2l_sorter sorter = {arguments, NULL, 0, order_regular, compare_items, by_key, reverse, false, false, NULL};
    if (kind == SORT_NUMERIC)
        sorter.order = order_numeric;
    if (kind == SORT_STRING)
        sorter.order = order_text;
    sorter.ignore_case = (flags & SORT_FLAG_CASE) != 0;
    return sort_variable(&sorter, renumber);
}

static s2l_value sort_by_user(s2l_arguments *arguments, bool by_key, bool renumber)
{
    s2l_sorter sorter = {arguments, NULL, 0, order_by_user, compare_items, by_key, false, false, false, NULL};
    if (!s2l_take_callable(arguments, 1, "callback", false, &sorter.callback))
        return error_value();
    return sort_variable(&sorter, renumber);
}

BUILTIN(sort)
{
    TAKE(sort, 1, 2);
    return sort_by_flags(&arguments, false, false, true);
}

BUILTIN(rsort)
{
    TAKE(rsort, 1, 2);
    return sort_by_flags(&arguments, false, true, true);
}

BUILTIN(asort)
{
    TAKE(asort, 1, 2);
    return sort_by_flags(&arguments, false, false, false);
}

BUILTIN(arsort)
{
    TAKE(arsort, 1, 2);
    return sort_by_flags(&arguments, false, true, false);
}

BUILTIN(ksort)
{
    TAKE(ksort, 1, 2);
    return sort_by_flags(&arguments, true, false, false);
}

BUILTIN(krsort)
{
    TAKE(krsort, 1, 2);
    return sort_by_flags(&arguments, true, true, false);
}

BUILTIN(usort)
{
    TAKE(usort, 2, 2);
    return sort_by_user(&arguments, false, true);
}

BUILTIN(uasort)
{
    TAKE(uasort, 2, 2);
    return sort_by_user(&arguments, false, false);
}

BUILTIN(uksort)
{
    TAKE(uksort, 2, 2);
    return sort_by_user(&arguments, true, false);
}
