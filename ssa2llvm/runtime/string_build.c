/* Concatenation: `.`, `.=` and interpolation, on strings and on any scalar.

   `.=` is a read-modify-write: it consumes its left side, so a string that only one variable holds grows in place
   (Zend: concat_function with result == op1). Numbers are formatted into a buffer on the stack, not into strings.
   "" . $x and $x . "" share $x, as in Zend. */
#include "internal.h"

s2l_bytes s2l_bytes_of(s2l_context *context, s2l_value value, char scratch[S2L_SCRATCH_SIZE])
{
    s2l_bytes result = {"", 0};
    switch (value.tag) {
    case S2L_TAG_TRUE:
        result.bytes = "1";
        result.length = 1;
        break;
    case S2L_TAG_LONG: {
        char *end = scratch + S2L_SCRATCH_SIZE;
        result.bytes = s2l_write_long(end, value.payload);
        result.length = (uint64_t)(end - result.bytes);
        break;
    }
    case S2L_TAG_DOUBLE:
        result.bytes = scratch;
        result.length = s2l_write_double(scratch, as_double(value), context->hidden->precision, 'E');
        break;
    case S2L_TAG_STRING:
        result.bytes = string_bytes(as_string(value));
        result.length = as_string(value)->length;
        break;
    case S2L_TAG_ARRAY:
        s2l_warning(context, "Array to string conversion");
        result.bytes = "Array";
        result.length = 5;
        break;
    case S2L_TAG_OBJECT: {
        const s2l_string *text = s2l_throwable_string(context, as_throwable(value));
        result.bytes = string_bytes(text);
        result.length = text->length;
        break;
    }
    default:
        break;
    }
    return result;
}

static s2l_string *join_two(s2l_context *context, s2l_bytes left, s2l_bytes right)
{
    s2l_string *result = s2l_string_allocate(context, left.length + right.length);
    memcpy(string_bytes(result), left.bytes, left.length);
    memcpy(string_bytes(result) + left.length, right.bytes, right.length);
    return result;
}

s2l_string *s2l_string_concat(s2l_context *context, s2l_string *left, s2l_string *right)
{
    if (left->length == 0)
        return string_dup(right);
    if (right->length == 0)
        return string_dup(left);
    s2l_bytes left_bytes = {string_bytes(left), left->length};
    s2l_bytes right_bytes = {string_bytes(right), right->length};
    return join_two(context, left_bytes, right_bytes);
}

/* left (consumed) . bytes that are not inside `left` */
static s2l_string *append_bytes(s2l_context *context, s2l_string *left, s2l_bytes right)
{
    uint64_t length = left->length;
    if (right.length == 0)
        return left;
    left = s2l_string_reserve(context, left, length + right.length);
    memcpy(string_bytes(left) + length, right.bytes, right.length);
    s2l_string_set_length(left, length + right.length);
    return left;
}

s2l_string *s2l_string_append(s2l_context *context, s2l_string *left, s2l_string *right)
{
    if (left->length == 0) {
        string_drop(context, left);
        return string_dup(right);
    }
    if (UNLIKELY(left == right)) {
        /* `$s .= $s`: the bytes to copy move with the string, and both names may be the one count. */
        uint64_t length = left->length;
        left = s2l_string_reserve(context, left, 2 * length);
        memcpy(string_bytes(left) + length, string_bytes(left), length);
        s2l_string_set_length(left, 2 * length);
        return left;
    }
    s2l_bytes bytes = {string_bytes(right), right->length};
    return append_bytes(context, left, bytes);
}

s2l_string *s2l_string_append_long(s2l_context *context, s2l_string *left, int64_t right)
{
    char scratch[S2L_SCRATCH_SIZE];
    return append_bytes(context, left, s2l_bytes_of(context, long_value(right), scratch));
}

s2l_string *s2l_string_append_double(s2l_context *context, s2l_string *left, double right)
{
    char scratch[S2L_SCRATCH_SIZE];
    return append_bytes(context, left, s2l_bytes_of(context, double_value(right), scratch));
}

s2l_string *s2l_string_join(s2l_context *context, uint64_t count, s2l_string *const *parts)
{
    uint64_t length = 0;
    for (uint64_t i = 0; i < count; i++)
        length += parts[i]->length;
    if (length == 0)
        return s2l_string_empty();
    s2l_string *result = s2l_string_allocate(context, length);
    char *target = string_bytes(result);
    for (uint64_t i = 0; i < count; i++) {
        memcpy(target, string_bytes(parts[i]), parts[i]->length);
        target += parts[i]->length;
    }
    return result;
}

s2l_value s2l_concat(s2l_context *context, s2l_value left, s2l_value right)
{
    if (left.tag == S2L_TAG_STRING && right.tag == S2L_TAG_STRING)
        return string_value(s2l_string_concat(context, as_string(left), as_string(right)));
    char left_scratch[S2L_SCRATCH_SIZE];
    char right_scratch[S2L_SCRATCH_SIZE];
    s2l_bytes left_bytes = s2l_bytes_of(context, left, left_scratch);
    s2l_bytes right_bytes = s2l_bytes_of(context, right, right_scratch);
    if (left_bytes.length == 0 && right.tag == S2L_TAG_STRING)
        return string_value(string_dup(as_string(right)));
    if (right_bytes.length == 0 && left.tag == S2L_TAG_STRING)
        return string_value(string_dup(as_string(left)));
    if (left_bytes.length + right_bytes.length <= 1)
        return string_value(left_bytes.length == 1 ? s2l_string_new(context, left_bytes.bytes, 1)
                                                   : s2l_string_new(context, right_bytes.bytes, right_bytes.length));
    return string_value(join_two(context, left_bytes, right_bytes));
}

s2l_value s2l_assign_concat(s2l_context *context, s2l_value left, s2l_value right)
{
    if (left.tag != S2L_TAG_STRING) {
        s2l_value result = s2l_concat(context, left, right);
        s2l_value_drop(context, left);
        return result;
    }
    if (right.tag == S2L_TAG_STRING)
        return string_value(s2l_string_append(context, as_string(left), as_string(right)));
    char scratch[S2L_SCRATCH_SIZE];
    return string_value(append_bytes(context, as_string(left), s2l_bytes_of(context, right, scratch)));
}
