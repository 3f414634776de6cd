/* foreach over arrays.

   By value the loop holds a count of the array, so what the body writes goes to a copy, and a position is enough. By
   reference the loop follows the variable's array, which the body may change: positions of a hash then must not move
   (reference_loops keeps it from being compacted), and elements added behind the position are visited (Zend keeps
   iterators that each change adjusts). */
#include "array_internal.h"

bool s2l_array_next(const s2l_array *array, uint64_t *position, s2l_value *key, s2l_value *value)
{
    uint64_t positions = position_count(array);
    for (uint64_t at = *position; at < positions; at++) {
        s2l_value found = raw_element(array, at);
        if (found.tag == S2L_TAG_UNDEF)
            continue;
        *value = dereference(found);
        if (key != NULL)
            *key = key_value(key_at(array, at));
        *position = at + 1;
        return true;
    }
    *position = positions;
    return false;
}

void s2l_foreach_warning(s2l_context *context, s2l_value subject)
{
    s2l_warning_format(
        context, "foreach() argument must be of type array|object, %s given", s2l_type_name(subject));
}

void s2l_foreach_begin_reference(s2l_context *context, s2l_value *variable)
{
    s2l_slot_reference(context, variable);
    context->hidden->reference_loops++;
}

s2l_reference *s2l_foreach_next_reference(
    s2l_context *context, s2l_value *variable, uint64_t *position, s2l_value *key)
{
    s2l_value *slot = s2l_dereference_slot(variable);
    if (slot->tag != S2L_TAG_ARRAY)
        return NULL;
    s2l_array *array = s2l_array_separate(context, as_array(*slot));
    *slot = pointer_value(array, S2L_TAG_ARRAY);
    s2l_value ignored;
    if (!s2l_array_next(array, position, key, &ignored))
        return NULL;
    s2l_array_make_slots(context, array);
    return s2l_slot_reference(context, s2l_array_slot_at(array, *position - 1));
}

void s2l_foreach_stopped(s2l_context *context, s2l_value *variable)
{
    const s2l_value *slot = s2l_dereference_slot(variable);
    if (slot->tag != S2L_TAG_ARRAY)
        s2l_foreach_warning(context, *slot);
}

void s2l_foreach_end_reference(s2l_context *context)
{
    context->hidden->reference_loops--;
}
