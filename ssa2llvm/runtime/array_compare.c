/* Comparison of arrays: ==, ===, <=>.

   Follows zend_operators.c: zend_compare_arrays, zend_hash.c: zend_hash_compare. Fewer elements are smaller; == looks each
   key of the left up in the right; === wants the same order and types too. An array that contains itself through a
   reference would never end: the depth is limited, as PHP's is ("Nesting level too deep - recursive dependency?"). */
#include "array_internal.h"

#define DEEPEST 20000

static uint64_t skip_removed(const s2l_array *array, uint64_t position)
{
    while (position < position_count(array) && raw_element(array, position).tag == S2L_TAG_UNDEF)
        position++;
    return position;
}

static bool same_key(s2l_key left, s2l_key right)
{
    if (left.string == NULL || right.string == NULL)
        return left.string == right.string && left.number == right.number;
    return s2l_string_is_identical(left.string, right.string);
}

bool s2l_array_is_identical(const s2l_array *left, const s2l_array *right)
{
    if (left == right)
        return true;
    if (left->count != right->count)
        return false;
    uint64_t left_at = skip_removed(left, 0);
    uint64_t right_at = skip_removed(right, 0);
    while (left_at < position_count(left)) {
        if (!same_key(key_at(left, left_at), key_at(right, right_at))
            || !s2l_is_identical(dereference(raw_element(left, left_at)), dereference(raw_element(right, right_at))))
            return false;
        left_at = skip_removed(left, left_at + 1);
        right_at = skip_removed(right, right_at + 1);
    }
    return true;
}

int32_t s2l_array_compare(s2l_context *context, const s2l_array *left, const s2l_array *right)
{
    if (left == right)
        return 0;
    if (left->count != right->count)
        return left->count < right->count ? -1 : 1;
    if (context->hidden->comparison_depth == DEEPEST)
        s2l_fatal(context, "Nesting level too deep - recursive dependency?");
    context->hidden->comparison_depth++;
    int32_t order = 0;
    for (uint64_t at = 0; at < position_count(left) && order == 0; at++) {
        s2l_value value = dereference(raw_element(left, at));
        if (value.tag == S2L_TAG_UNDEF)
            continue;
        uint64_t other = s2l_array_position(right, key_at(left, at));
        /* A key that only one has makes them unordered. */
        order = other == NO_POSITION ? 1 : s2l_compare(context, value, dereference(raw_element(right, other)));
    }
    context->hidden->comparison_depth--;
    return order;
}
