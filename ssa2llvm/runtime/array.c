/* Arrays: kinds, making, copying, growing.

   Problem: PHP has one array type for lists of numbers, records and dictionaries, with value semantics. An array starts as
   the narrowest kind its elements allow (packed ints or floats of 8 bytes an element, packed bools of one, packed values
   of 16, or a hash) and widens when it must, never back. It is copied when it is written while somebody else holds it (copy on write).
   Packed kinds have no holes: the keys are 0..count-1; removing any but the end, or a key that leaves a gap, makes a hash.
   The next free key of a packed array is its count; an array that never had an element starts at -2^63, which counts as
   0, but `$a[-5] = 1` then makes the next key -4 (as in PHP 8.2, where only a copy of the literal [] starts at 0). */
#include "array_internal.h"

#define SMALLEST_PACKED 8
#define SMALLEST_ZEND_BITS 3

static s2l_array empty_array = {S2L_IMMORTAL, S2L_TAG_ARRAY, 0, NULL, 0, S2L_ARRAY_PACKED_LONG, 0, NULL, 0, 0, 0, 0};

s2l_array *s2l_array_empty(void)
{
    return &empty_array;
}

static uint64_t data_size(const s2l_array *array)
{
    return is_hash(array) ? s2l_hash_data_size(array->capacity) : array->capacity * element_size(array->element_kind);
}

static s2l_array *new_head(s2l_context *context, uint32_t element_kind)
{
    s2l_array *array = s2l_allocate(context, sizeof *array);
    memset(array, 0, sizeof *array);
    array->refcount = 1;
    array->kind = S2L_TAG_ARRAY;
    array->element_kind = element_kind;
    array->next_key = INT64_MIN;
    context->live++;
    return array;
}

/* Sets the room of a packed array to at least `capacity`, using the whole block it gets. */
static void set_packed_capacity(s2l_context *context, s2l_array *array, uint64_t capacity)
{
    uint64_t size = s2l_block_size(capacity * element_size(array->element_kind));
    if (array->capacity == 0)
        array->data = s2l_allocate(context, size);
    else
        array->data = s2l_reallocate(context, array->data, data_size(array), size);
    array->capacity = size / element_size(array->element_kind);
}

s2l_array *s2l_array_new(s2l_context *context, uint64_t capacity, uint32_t element_kind)
{
    s2l_array *array = new_head(context, element_kind);
    if (capacity > 0 && element_kind == S2L_ARRAY_HASH)
        s2l_hash_make_room(context, array, capacity);
    else if (capacity > 0)
        set_packed_capacity(context, array, capacity);
    return array;
}

s2l_array *s2l_to_array(s2l_context *context, s2l_value value)
{
    if (value.tag == S2L_TAG_ARRAY) {
        value_dup(value);
        return as_array(value);
    }
    if (value.tag <= S2L_TAG_NULL)
        return s2l_array_empty();
    s2l_array *array = s2l_array_new(context, 1, S2L_ARRAY_PACKED_LONG);
    s2l_array_append(context, array, dup(value));
    return array;
}

void s2l_array_free(s2l_context *context, s2l_array *array)
{
    if (array->element_kind == S2L_ARRAY_PACKED_VALUE) {
        const s2l_value *values = array->data;
        for (uint64_t i = 0; i < array->count; i++)
            value_drop(context, values[i]);
    } else if (is_hash(array)) {
        for (uint64_t i = 0; i < array->used; i++) {
            s2l_string *key = buckets(array)[i].string;
            if (key != NULL)
                string_drop(context, key);
            value_drop(context, raw_element(array, i));
        }
    }
    if (array->capacity != 0)
        s2l_free(context, array->data, data_size(array));
    context->live--;
    s2l_free(context, array, sizeof *array);
}

/* What a copy of an array holds for an element: a reference that only the array holds is none any more. */
static s2l_value copied_element(s2l_value value)
{
    if (value.tag == S2L_TAG_REFERENCE && as_reference(value)->refcount == 1)
        value = dereference(value);
    value_dup(value);
    return value;
}

s2l_array *s2l_array_copy(s2l_context *context, const s2l_array *array)
{
    s2l_array *copy = new_head(context, array->element_kind);
    copy->next_key = array->next_key;
    copy->count = array->count;
    copy->position = array->position;
    /* Zend copies an array without elements as one that never had any (zend_array_dup). */
    copy->zend_bits = array->count == 0 ? SMALLEST_ZEND_BITS : array->zend_bits;
    if (is_hash(array))
        s2l_hash_copy(context, copy, array);
    else if (array->count > 0) {
        set_packed_capacity(context, copy, array->count);
        memcpy(copy->data, array->data, array->count * element_size(array->element_kind));
    }
    if (array->element_kind == S2L_ARRAY_PACKED_VALUE || is_hash(array)) {
        uint64_t positions = position_count(copy);
        for (uint64_t i = 0; i < positions; i++) {
            s2l_value *slot = s2l_array_slot_at(copy, i);
            *slot = copied_element(*slot);
        }
    }
    return copy;
}

s2l_array *s2l_array_separate(s2l_context *context, s2l_array *array)
{
    if (array->refcount == 1)
        return array;
    s2l_array *copy = s2l_array_copy(context, array);
    if (array->refcount > 0)
        array->refcount--;
    return copy;
}

s2l_value *s2l_array_slot_at(const s2l_array *array, uint64_t position)
{
    if (is_hash(array))
        return (s2l_value *)(void *)&buckets(array)[position];
    return (s2l_value *)array->data + position;
}

void s2l_array_make_slots(s2l_context *context, s2l_array *array)
{
    if (array->element_kind >= S2L_ARRAY_PACKED_VALUE)
        return;
    s2l_array old = *array;
    array->element_kind = S2L_ARRAY_PACKED_VALUE;
    array->capacity = 0;
    if (old.capacity == 0)
        return;
    /* A room for bools would be sixteen times as large for values. */
    set_packed_capacity(context, array, old.element_kind == S2L_ARRAY_PACKED_BOOL ? old.count + 1 : old.capacity);
    for (uint64_t i = 0; i < old.count; i++)
        ((s2l_value *)array->data)[i] = raw_element(&old, i);
    s2l_free(context, old.data, data_size(&old));
}

/* An array without elements takes the kind of its first one. */
static void choose_kind(s2l_context *context, s2l_array *array, s2l_value first)
{
    uint32_t wanted = kind_for(first);
    if (wanted == S2L_ARRAY_PACKED_VALUE) {
        s2l_array_make_slots(context, array);
    } else if (array->element_kind < S2L_ARRAY_PACKED_VALUE) {
        uint64_t size = data_size(array);
        array->element_kind = wanted;
        array->capacity = size / element_size(wanted);
    }
}

void s2l_array_make_hash(s2l_context *context, s2l_array *array)
{
    if (is_hash(array))
        return;
    s2l_array old = *array;
    array->element_kind = S2L_ARRAY_HASH;
    array->count = 0;
    array->used = 0;
    array->capacity = 0;
    array->zend_bits = SMALLEST_ZEND_BITS;
    s2l_hash_make_room(context, array, old.count + 1);
    for (uint64_t i = 0; i < old.count; i++)
        s2l_hash_add(context, array, long_key((int64_t)i), raw_element(&old, i));
    if (old.capacity != 0)
        s2l_free(context, old.data, data_size(&old));
}

void s2l_array_grow(s2l_context *context, s2l_array *array, uint64_t more)
{
    uint64_t used = position_count(array);
    if (used + more <= array->capacity)
        return;
    if (is_hash(array)) {
        s2l_hash_make_room(context, array, used + more);
        return;
    }
    uint64_t wanted = array->capacity * 2 < SMALLEST_PACKED ? SMALLEST_PACKED : array->capacity * 2;
    set_packed_capacity(context, array, wanted > used + more ? wanted : used + more);
}

uint64_t s2l_array_add(s2l_context *context, s2l_array *array, s2l_key key, s2l_value value)
{
    if (!is_hash(array) && (key.string != NULL || (uint64_t)key.number != array->count))
        s2l_array_make_hash(context, array);
    if (is_hash(array))
        return s2l_hash_add(context, array, key, value);
    if (array->count == 0)
        choose_kind(context, array, value);
    else if (!fits_kind(array->element_kind, value))
        s2l_array_make_slots(context, array);
    s2l_array_grow(context, array, 1);
    write_packed(array, array->count, value);
    return array->count++;
}

void s2l_array_store(s2l_context *context, s2l_array *array, uint64_t position, s2l_value value)
{
    if (!fits_kind(array->element_kind, value))
        s2l_array_make_slots(context, array);
    if (array->element_kind < S2L_ARRAY_PACKED_VALUE)
        write_packed(array, position, value);
    else
        s2l_slot_assign(context, s2l_array_slot_at(array, position), value);
}

void s2l_array_put(s2l_context *context, s2l_array *array, s2l_key key, s2l_value value)
{
    uint64_t position = s2l_array_position(array, key);
    if (position == NO_POSITION)
        s2l_array_add(context, array, key, value);
    else
        s2l_array_store(context, array, position, value);
}

void s2l_array_remove(s2l_context *context, s2l_array *array, uint64_t position)
{
    s2l_array_make_hash(context, array);
    s2l_hash_remove(context, array, position);
}

bool s2l_array_append(s2l_context *context, s2l_array *array, s2l_value value)
{
    bool packed = !is_hash(array) && array->count > 0;
    int64_t next = packed ? (int64_t)array->count : array->next_key == INT64_MIN ? 0 : array->next_key;
    if (next == INT64_MAX && s2l_array_position(array, long_key(next)) != NO_POSITION)
        return false;
    if (!is_hash(array) && array->count == 0 && next != 0)
        s2l_array_make_hash(context, array);
    s2l_array_add(context, array, long_key(next), value);
    return true;
}

bool s2l_array_append_packed(
    s2l_context *context, s2l_array *target, const s2l_array *source, uint64_t start, uint64_t end)
{
    if (start >= end || is_hash(source) || is_hash(target) || (target->count == 0 && target->next_key != INT64_MIN))
        return start >= end;
    if (source->element_kind == S2L_ARRAY_PACKED_VALUE && target->count == 0)
        s2l_array_make_slots(context, target);
    else if (target->count == 0)
        choose_kind(context, target, raw_element(source, start));
    if (target->element_kind != source->element_kind)
        return false;
    s2l_array_grow(context, target, end - start);
    uint64_t size = element_size(source->element_kind);
    if (source->element_kind != S2L_ARRAY_PACKED_VALUE)
        memcpy((char *)target->data + target->count * size, (const char *)source->data + start * size,
            (end - start) * size);
    for (uint64_t i = start; source->element_kind == S2L_ARRAY_PACKED_VALUE && i < end; i++)
        write_packed(target, target->count + (i - start), dup(dereference(raw_element(source, i))));
    target->count += end - start;
    return true;
}
