/* Builtin functions that ask something of an array. Follows ext/standard/array.c. */
#include "array_internal.h"

static s2l_value key_exists(s2l_arguments *arguments)
{
    s2l_array *array;
    s2l_key key;
    arguments->is_instruction = strcmp(arguments->function, "array_key_exists") == 0;
    if (!s2l_take_array(arguments, 1, "array", &array))
        return error_value();
    s2l_value value = arguments->values[0];
    if (!s2l_value_key(arguments->context, value, &key)) {
        if (arguments->is_instruction)
            return s2l_throw_in(arguments->context, NULL, "TypeError", "Illegal offset type");
        return s2l_throw_in(arguments->context, arguments->function, "TypeError",
            "%s(): Argument #1 ($key) must be a valid array offset type", arguments->function);
    }
    return bool_value(s2l_array_position(array, key) != NO_POSITION);
}

BUILTIN(array_key_exists)
{
    TAKE(array_key_exists, 2, 2);
    return key_exists(&arguments);
}

BUILTIN(key_exists)
{
    TAKE(key_exists, 2, 2);
    return key_exists(&arguments);
}

BUILTIN(array_key_first)
{
    TAKE(array_key_first, 1, 1);
    s2l_array *array;
    if (!s2l_take_array(&arguments, 0, "array", &array))
        return error_value();
    uint64_t position = 0;
    s2l_value key;
    s2l_value value;
    return s2l_array_next(array, &position, &key, &value) ? dup(key) : null_value();
}

BUILTIN(array_key_last)
{
    TAKE(array_key_last, 1, 1);
    s2l_array *array;
    if (!s2l_take_array(&arguments, 0, "array", &array))
        return error_value();
    return array->count == 0 ? null_value() : dup(key_value(key_at(array, s2l_array_last(array))));
}

BUILTIN(array_is_list)
{
    TAKE(array_is_list, 1, 1);
    s2l_array *array;
    if (!s2l_take_array(&arguments, 0, "array", &array))
        return error_value();
    int64_t expected = 0;
    s2l_value key;
    s2l_value value;
    if (!is_hash(array))
        return bool_value(true);
    FOR_EACH (array, key, value) {
        if (key.tag != S2L_TAG_LONG || key.payload != expected++)
            return bool_value(false);
    }
    return bool_value(true);
}

/* The key of the first element equal to the first argument, borrowed; UNDEF if there is none, ERROR if it has thrown. */
static s2l_value search(s2l_arguments *arguments)
{
    s2l_array *array;
    bool strict = false;
    if (!s2l_take_array(arguments, 1, "haystack", &array) || !s2l_take_optional_bool(arguments, 2, "strict", &strict))
        return error_value();
    s2l_value needle = arguments->values[0];
    s2l_value key;
    s2l_value value;
    FOR_EACH (array, key, value) {
        if (strict ? s2l_is_identical(needle, value) : s2l_is_equal(arguments->context, needle, value))
            return key;
    }
    return make_value(0, S2L_TAG_UNDEF);
}

BUILTIN(in_array)
{
    TAKE(in_array, 2, 3);
    s2l_value found = search(&arguments);
    return is_error(found) ? found : bool_value(found.tag != S2L_TAG_UNDEF);
}

BUILTIN(array_search)
{
    TAKE(array_search, 2, 3);
    s2l_value found = search(&arguments);
    return found.tag == S2L_TAG_UNDEF ? bool_value(false) : dup(found);
}

/* An element as array_sum and array_product take it: the numeric prefix, silently. */
static s2l_value number_of(s2l_value value)
{
    if (value.tag == S2L_TAG_LONG || value.tag == S2L_TAG_DOUBLE)
        return value;
    if (value.tag != S2L_TAG_STRING)
        return long_value(s2l_to_long(value));
    s2l_number number = s2l_parse_number(string_bytes(as_string(value)), as_string(value)->length);
    return number.kind == S2L_TAG_DOUBLE ? double_value(number.real) : long_value(number.integer);
}

static s2l_value accumulate(
    s2l_arguments *arguments, int64_t start, s2l_value (*operation)(s2l_context *, s2l_value, s2l_value))
{
    s2l_array *array;
    if (!s2l_take_array(arguments, 0, "array", &array))
        return error_value();
    s2l_value total = long_value(start);
    s2l_value key;
    s2l_value value;
    FOR_EACH (array, key, value) {
        if (value.tag != S2L_TAG_ARRAY)
            total = operation(arguments->context, total, number_of(value));
    }
    return total;
}

BUILTIN(array_sum)
{
    TAKE(array_sum, 1, 1);
    return accumulate(&arguments, 0, s2l_add);
}

BUILTIN(array_product)
{
    TAKE(array_product, 1, 1);
    return accumulate(&arguments, 1, s2l_mul);
}

BUILTIN(array_count_values)
{
    TAKE(array_count_values, 1, 1);
    s2l_array *array;
    if (!s2l_take_array(&arguments, 0, "array", &array))
        return error_value();
    s2l_array *result = s2l_array_new(context, 0, S2L_ARRAY_PACKED_LONG);
    s2l_value ignored;
    s2l_value value;
    FOR_EACH (array, ignored, value) {
        s2l_key key;
        if (value.tag != S2L_TAG_LONG && value.tag != S2L_TAG_STRING) {
            s2l_warning(context, "array_count_values(): Can only count string and integer values, entry skipped");
            continue;
        }
        s2l_value_key(context, value, &key);
        uint64_t position = s2l_array_position(result, key);
        int64_t before = position == NO_POSITION ? 0 : raw_element(result, position).payload;
        s2l_array_put(context, result, key, long_value(before + 1));
    }
    return array_value(result);
}

BUILTIN(array_column)
{
    TAKE(array_column, 2, 3);
    s2l_array *array;
    if (!s2l_take_array(&arguments, 0, "array", &array))
        return error_value();
    s2l_array *result = s2l_array_new(context, 0, S2L_ARRAY_PACKED_LONG);
    s2l_key column;
    s2l_key index;
    bool whole = argv[1].tag <= S2L_TAG_NULL || !s2l_value_key(context, argv[1], &column);
    bool indexed = argc > 2 && argv[2].tag > S2L_TAG_NULL && s2l_value_key(context, argv[2], &index);
    s2l_value key;
    s2l_value row;
    FOR_EACH (array, key, row) {
        if (row.tag != S2L_TAG_ARRAY) {
            if (whole)
                s2l_array_append(context, result, dup(row));
            continue;
        }
        uint64_t position = whole ? NO_POSITION : s2l_array_position(as_array(row), column);
        if (!whole && position == NO_POSITION)
            continue;
        s2l_value value = dup(whole ? row : dereference(raw_element(as_array(row), position)));
        uint64_t index_position = indexed ? s2l_array_position(as_array(row), index) : NO_POSITION;
        s2l_key made;
        if (index_position != NO_POSITION
            && s2l_value_key(context, dereference(raw_element(as_array(row), index_position)), &made))
            s2l_array_put(context, result, made, value);
        else
            s2l_array_append(context, result, value);
    }
    return array_value(result);
}
