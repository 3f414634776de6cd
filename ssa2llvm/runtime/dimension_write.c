/* `$variable[…]` as a place to write: any container, any dimension.

   Follows zend_execute.c: zend_fetch_dimension_address (W, RW, UNSET), ZEND_ASSIGN_DIM, ZEND_UNSET_DIM. null becomes an
   array, false too (deprecated), other scalars throw; strings take single bytes (string_offset.c). A slot that has been
   fetched belongs to an array that nobody else holds, so nested writes copy each level once. */
#include "array_internal.h"

s2l_value *s2l_dereference_slot(s2l_value *slot)
{
    /* A reference holds its value where a slot of its own would be. */
    return slot->tag == S2L_TAG_REFERENCE ? (s2l_value *)(void *)&as_reference(*slot)->payload : slot;
}

void s2l_slot_assign(s2l_context *context, s2l_value *slot, s2l_value value)
{
    s2l_value *target = s2l_dereference_slot(slot);
    s2l_value old = *target;
    *target = value;
    value_drop(context, old);
}

s2l_reference *s2l_slot_reference(s2l_context *context, s2l_value *slot)
{
    if (slot->tag != S2L_TAG_REFERENCE) {
        s2l_value value = slot->tag == S2L_TAG_UNDEF ? null_value() : *slot;
        *slot = pointer_value(s2l_reference_new(context, value), S2L_TAG_REFERENCE);
    }
    return as_reference(*slot);
}

/* The container's array, made and separated: NULL when it is a string (no error yet) or an error was thrown. */
static s2l_array *array_for_writing(s2l_context *context, s2l_value *container)
{
    s2l_array *array = NULL;
    switch (container->tag) {
    case S2L_TAG_ARRAY:
        array = s2l_array_separate(context, as_array(*container));
        break;
    case S2L_TAG_FALSE:
        s2l_deprecated(context, "Automatic conversion of false to array is deprecated");
        array = s2l_array_new(context, 0, S2L_ARRAY_PACKED_LONG);
        break;
    case S2L_TAG_UNDEF:
    case S2L_TAG_NULL:
        array = s2l_array_new(context, 0, S2L_ARRAY_PACKED_LONG);
        break;
    case S2L_TAG_STRING:
        return NULL;
    default:
        s2l_throw(context, "Error", "Cannot use a scalar value as an array");
        return NULL;
    }
    *container = pointer_value(array, S2L_TAG_ARRAY);
    return array;
}

static s2l_value *slot_of_key(s2l_context *context, s2l_array *array, s2l_key key, bool reads)
{
    uint64_t position = s2l_array_position(array, key);
    s2l_array_make_slots(context, array);
    if (position == NO_POSITION) {
        if (reads)
            s2l_undefined_key(context, key);
        position = s2l_array_add(context, array, key, null_value());
    }
    return s2l_array_slot_at(array, position);
}

/* The usual case: an element that is there, of an array with slots that nobody else holds; else NULL. */
static inline s2l_value *present_slot(s2l_value container, s2l_value dimension)
{
    if (container.tag != S2L_TAG_ARRAY || as_array(container)->refcount != 1)
        return NULL;
    const s2l_array *array = as_array(container);
    if (dimension.tag == S2L_TAG_LONG && array->element_kind == S2L_ARRAY_PACKED_VALUE)
        return (uint64_t)dimension.payload < array->count ? (s2l_value *)array->data + dimension.payload : NULL;
    if (dimension.tag != S2L_TAG_STRING || !is_hash(array))
        return NULL;
    uint64_t position = s2l_hash_position(array, s2l_string_key(as_string(dimension)));
    return position != NO_POSITION ? (s2l_value *)(void *)&buckets(array)[position] : NULL;
}

s2l_value *s2l_fetch_dim_slot(s2l_context *context, s2l_value *container, s2l_value dimension, bool reads)
{
    s2l_value *target = s2l_dereference_slot(container);
    s2l_value *present = present_slot(*target, dimension);
    if (LIKELY(present != NULL))
        return present;
    s2l_array *array = array_for_writing(context, target);
    s2l_key key;
    if (array == NULL)
        return NULL;
    if (!s2l_value_key(context, dimension, &key)) {
        s2l_throw(context, "TypeError", "Illegal offset type");
        return NULL;
    }
    return slot_of_key(context, array, key, reads);
}

bool s2l_fetch_dim_operand(s2l_context *context, s2l_value *container, s2l_value dimension)
{
    const s2l_value *target = s2l_dereference_slot(container);
    s2l_key key;
    if (target->tag != S2L_TAG_ARRAY || !s2l_value_key(context, dimension, &key))
        return s2l_fetch_dim_slot(context, container, dimension, true) != NULL;
    s2l_undefined_key(context, key);
    return true;
}

bool s2l_prepare_container(s2l_context *context, s2l_value *container, bool scalars_throw)
{
    s2l_value *target = s2l_dereference_slot(container);
    if (!scalars_throw && target->tag > S2L_TAG_FALSE)
        return true;
    return array_for_writing(context, target) != NULL || context->pending == S2L_PENDING_NONE;
}

bool s2l_check_dimension(s2l_context *context, s2l_value *container, s2l_value dimension)
{
    if (s2l_dereference_slot(container)->tag != S2L_TAG_ARRAY
        || (dimension.tag != S2L_TAG_ARRAY && dimension.tag != S2L_TAG_OBJECT))
        return true;
    s2l_throw(context, "TypeError", "Illegal offset type");
    return false;
}

bool s2l_check_unset(s2l_context *context, s2l_value *container)
{
    int64_t tag = s2l_dereference_slot(container)->tag;
    if (tag == S2L_TAG_ARRAY || tag == S2L_TAG_STRING || tag <= S2L_TAG_FALSE)
        return true;
    s2l_throw(context, "Error", "Cannot unset offset in a non-array variable");
    return false;
}

void s2l_throw_string_slot(s2l_context *context, s2l_value dimension, const char *message)
{
    int64_t offset;
    if (context->pending == S2L_PENDING_NONE && s2l_string_offset(context, dimension, false, &offset) == OFFSET_OK)
        s2l_throw(context, "Error", message);
}

s2l_value *s2l_slot_find(s2l_array *array, s2l_string *key, int64_t *guess)
{
    if (!is_hash(array))
        return NULL;
    uint64_t position = s2l_hash_position(array, s2l_string_key(key));
    if (position == NO_POSITION)
        return NULL;
    *guess = (int64_t)position;
    return s2l_array_slot_at(array, position);
}

s2l_value *s2l_append_dim_slot(s2l_context *context, s2l_value *container)
{
    s2l_value *target = s2l_dereference_slot(container);
    s2l_array *array = array_for_writing(context, target);
    if (array == NULL) {
        if (target->tag == S2L_TAG_STRING)
            s2l_throw(context, "Error", "[] operator not supported for strings");
        return NULL;
    }
    s2l_array_make_slots(context, array);
    if (!s2l_array_push(context, &array, null_value()))
        return NULL;
    return s2l_array_slot_at(array, position_count(array) - 1);
}

s2l_value *s2l_fetch_dim_unset_slot(s2l_context *context, s2l_value *container, s2l_value dimension)
{
    s2l_value *target = s2l_dereference_slot(container);
    s2l_key key;
    switch (target->tag) {
    case S2L_TAG_ARRAY:
        break;
    case S2L_TAG_STRING:
        s2l_throw_string_slot(context, dimension, "Cannot use string offset as an array");
        return NULL;
    case S2L_TAG_FALSE:
        s2l_deprecated(context, "Automatic conversion of false to array is deprecated");
        return NULL;
    case S2L_TAG_UNDEF:
    case S2L_TAG_NULL:
        return NULL;
    default:
        s2l_throw(context, "Error", "Cannot unset offset in a non-array variable");
        return NULL;
    }
    if (!s2l_value_key(context, dimension, &key)) {
        s2l_throw(context, "TypeError", "Illegal offset type");
        return NULL;
    }
    if (s2l_array_position(as_array(*target), key) == NO_POSITION)
        return NULL;
    return slot_of_key(context, array_for_writing(context, target), key, false);
}

/* The usual case: an element that is there, of a packed array that nobody else holds. */
static bool assign_packed(s2l_context *context, s2l_value container, s2l_value dimension, s2l_value value)
{
    if (container.tag != S2L_TAG_ARRAY || dimension.tag != S2L_TAG_LONG)
        return false;
    const s2l_array *array = as_array(container);
    if (array->refcount != 1 || is_hash(array) || (uint64_t)dimension.payload >= array->count
        || !fits_kind(array->element_kind, value))
        return false;
    if (array->element_kind == S2L_ARRAY_PACKED_VALUE)
        s2l_slot_assign(context, (s2l_value *)array->data + dimension.payload, value);
    else
        write_packed(array, (uint64_t)dimension.payload, value);
    return true;
}

bool s2l_assign_dim(s2l_context *context, s2l_value *container, s2l_value dimension, s2l_value value)
{
    s2l_value *target = s2l_dereference_slot(container);
    if (LIKELY(assign_packed(context, *target, dimension, value)))
        return true;
    s2l_array *array = array_for_writing(context, target);
    if (array != NULL && dimension.tag == S2L_TAG_LONG) {
        s2l_array_set_long(context, &array, dimension.payload, value);
        return true;
    }
    if (array != NULL)
        return s2l_array_set(context, &array, dimension, value);
    bool assigned = target->tag == S2L_TAG_STRING && s2l_string_assign_offset(context, target, dimension, value);
    value_drop(context, value);
    return assigned;
}

bool s2l_append_dim(s2l_context *context, s2l_value *container, s2l_value value)
{
    s2l_value *target = s2l_dereference_slot(container);
    s2l_array *array = array_for_writing(context, target);
    if (array != NULL)
        return s2l_array_push(context, &array, value);
    if (target->tag == S2L_TAG_STRING)
        s2l_throw(context, "Error", "[] operator not supported for strings");
    value_drop(context, value);
    return false;
}

bool s2l_unset_dim(s2l_context *context, s2l_value *container, s2l_value dimension)
{
    s2l_value *target = s2l_dereference_slot(container);
    switch (target->tag) {
    case S2L_TAG_ARRAY: {
        s2l_array *array = as_array(*target);
        bool done = s2l_array_unset(context, &array, dimension);
        *target = pointer_value(array, S2L_TAG_ARRAY);
        return done;
    }
    case S2L_TAG_UNDEF:
    case S2L_TAG_NULL:
        return true;
    case S2L_TAG_FALSE:
        s2l_deprecated(context, "Automatic conversion of false to array is deprecated");
        return true;
    case S2L_TAG_STRING:
        s2l_throw(context, "Error", "Cannot unset string offsets");
        return false;
    default:
        s2l_throw(context, "Error", "Cannot unset offset in a non-array variable");
        return false;
    }
}
