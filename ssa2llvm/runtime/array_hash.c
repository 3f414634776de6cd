/* The hash kind of arrays: buckets in order of insertion, and an index over them.

   Buckets lie side by side, so iteration is a walk; a removed one keeps its place with tag UNDEF until the array is
   compacted, except at the end. The index is open addressing: a slot holds 1 + the bucket's number, 0 for empty, or
   REMOVED. Probing starts at the key's low bits and goes on with its higher ones (as CPython's dict does): consecutive
   integers, and strings that differ in their last letters, lie side by side in the index and do not collide, which keeps
   walks over a large array in the cache; strides of any size are told apart by the higher bits. It has twice as many
   slots as there are buckets; when three quarters are in use or removed it is made anew, so every probe ends. The number
   in use stands behind the last slot. (Zend chains buckets instead; the order of elements is the same.)
   One thing of Zend's own representation is visible and therefore kept track of: while Zend still holds an array as a
   packed table with holes, a new largest key sets the next free key even if that is lower than before
   (_zend_hash_index_add_or_update_i: add_to_packed).
   Complexity: O(1) expected for each operation, growth amortised. */
#include "array_internal.h"

#define SMALLEST_CAPACITY 8
#define SLOTS_PER_BUCKET 2
#define REMOVED UINT32_MAX
#define PERTURB_SHIFT 5
#define CAPACITY_LIMIT (UINT64_C(1) << 31)

/* A block of 16 bytes behind the slots holds the number in use. */
uint64_t s2l_hash_data_size(uint64_t capacity)
{
    return capacity * (sizeof(s2l_bucket) + SLOTS_PER_BUCKET * sizeof(uint32_t)) + 16;
}

static uint64_t slot_count(const s2l_array *array)
{
    return UINT64_C(1) << array->index_bits;
}

static uint32_t *slots_in_use(const s2l_array *array)
{
    return &array->index[slot_count(array)];
}

/* The sequence of slots in which a key may be. */
typedef struct probe {
    uint64_t mask;
    uint64_t perturb;
    uint64_t slot;
} probe;

static inline probe start_probe(const s2l_array *array, int64_t key)
{
    probe at = {slot_count(array) - 1, (uint64_t)key, 0};
    at.slot = at.perturb & at.mask;
    return at;
}

static inline void next_slot(probe *at)
{
    at->perturb >>= PERTURB_SHIFT;
    at->slot = (at->slot * 5 + at->perturb + 1) & at->mask;
}

static inline bool is_key(const s2l_bucket *bucket, s2l_key key)
{
    if (bucket->key != key.number)
        return false;
    if (key.string == bucket->string)
        return true;
    if (key.string == NULL || bucket->string == NULL || key.string->length != bucket->string->length)
        return false;
    return memcmp(string_bytes(bucket->string), string_bytes(key.string), key.string->length) == 0;
}

uint64_t s2l_hash_position(const s2l_array *array, s2l_key key)
{
    if (array->capacity == 0)
        return NO_POSITION;
    const uint32_t *index = array->index;
    const s2l_bucket *data = array->data;
    for (probe at = start_probe(array, key.number);; next_slot(&at)) {
        uint32_t entry = index[at.slot];
        if (entry == 0)
            return NO_POSITION;
        if (LIKELY(entry != REMOVED) && is_key(&data[entry - 1], key))
            return entry - 1;
    }
}

/* Puts a bucket whose key is not there yet into the index. */
static void enter(s2l_array *array, uint64_t position)
{
    probe at = start_probe(array, buckets(array)[position].key);
    while (array->index[at.slot] != 0 && array->index[at.slot] != REMOVED)
        next_slot(&at);
    if (array->index[at.slot] == 0)
        ++*slots_in_use(array);
    array->index[at.slot] = (uint32_t)(position + 1);
}

static void clear_index(s2l_array *array)
{
    memset(array->index, 0, (slot_count(array) + 1) * sizeof *array->index);
}

/* Gives the array its data: `capacity` is a power of two. */
static void set_data(s2l_context *context, s2l_array *array, uint64_t capacity)
{
    if (capacity > CAPACITY_LIMIT)
        s2l_fatal(context, "Possible integer overflow in memory allocation");
    array->capacity = capacity;
    array->data = s2l_allocate(context, s2l_hash_data_size(capacity));
    array->index = (uint32_t *)(void *)(buckets(array) + capacity);
    array->index_bits = (uint32_t)__builtin_ctzll(capacity * SLOTS_PER_BUCKET);
    clear_index(array);
}

/* Moves the live buckets of `old` together into the array's new data. */
static void refill(s2l_array *array, const s2l_bucket *old, uint64_t old_used, bool compact)
{
    uint64_t used = 0;
    for (uint64_t i = 0; i < old_used; i++) {
        if (old[i].tag == S2L_TAG_UNDEF && compact)
            continue;
        buckets(array)[used] = old[i];
        if (i == array->position)
            array->position = (uint32_t)used;
        if (old[i].tag != S2L_TAG_UNDEF)
            enter(array, used);
        used++;
    }
    array->used = used;
}

void s2l_hash_make_room(s2l_context *context, s2l_array *array, uint64_t capacity)
{
    /* Positions of running foreach loops by reference must stay what they are. */
    bool compact = context->hidden->reference_loops == 0;
    uint64_t needed = compact ? array->count + (capacity - array->used) : capacity;
    uint64_t new_capacity = SMALLEST_CAPACITY;
    while (new_capacity < needed)
        new_capacity *= 2;
    s2l_bucket *old = array->data;
    uint64_t old_capacity = array->capacity;
    uint64_t old_used = array->used;
    set_data(context, array, new_capacity);
    refill(array, old, old_used, compact);
    if (old_capacity != 0)
        s2l_free(context, old, s2l_hash_data_size(old_capacity));
}

static void raise_next_key(s2l_array *array, int64_t key)
{
    if (key >= array->next_key)
        array->next_key = key < INT64_MAX ? key + 1 : INT64_MAX;
}

/* Follows what Zend's table becomes by a new key, before the element is added. */
static void follow_zend(s2l_array *array, s2l_key key)
{
    if (array->zend_bits != 0 && key.string == NULL) {
        /* The packed table of Zend is in order, so its last key is its largest. */
        uint64_t number = (uint64_t)key.number;
        uint64_t used = array->count > 0 ? (uint64_t)buckets(array)[s2l_array_last(array)].key + 1 : 0;
        uint64_t size = UINT64_C(1) << array->zend_bits;
        if (number >= used && (number < size || (number / 2 < size && size / 2 < array->count))) {
            array->zend_bits += number >= size;
            array->next_key = key.number + 1;
            return;
        }
    }
    array->zend_bits = 0;
    if (key.string == NULL)
        raise_next_key(array, key.number);
}

/* Makes the index anew, without what was removed. */
static void make_index(s2l_array *array)
{
    clear_index(array);
    for (uint64_t i = 0; i < array->used; i++) {
        if (buckets(array)[i].tag != S2L_TAG_UNDEF)
            enter(array, i);
    }
}

uint64_t s2l_hash_add(s2l_context *context, s2l_array *array, s2l_key key, s2l_value value)
{
    follow_zend(array, key);
    if (array->used == array->capacity) {
        /* Mostly holes: the same room will do after compaction. */
        bool mostly_removed = array->count < array->used / 2;
        s2l_hash_make_room(context, array, mostly_removed ? array->used + 1 : array->used * 2);
    }
    uint64_t position = array->used++;
    s2l_bucket *bucket = &buckets(array)[position];
    bucket->payload = value.payload;
    bucket->tag = value.tag;
    bucket->key = key.number;
    bucket->string = key.string != NULL ? string_dup(key.string) : NULL;
    if (*slots_in_use(array) >= slot_count(array) / 4 * 3)
        make_index(array);
    else
        enter(array, position);
    array->count++;
    return position;
}

static void leave(s2l_array *array, uint64_t position)
{
    probe at = start_probe(array, buckets(array)[position].key);
    while (array->index[at.slot] != position + 1)
        next_slot(&at);
    array->index[at.slot] = REMOVED;
}

void s2l_hash_remove(s2l_context *context, s2l_array *array, uint64_t position)
{
    leave(array, position);
    s2l_bucket *bucket = &buckets(array)[position];
    s2l_value value = make_value(bucket->payload, bucket->tag);
    s2l_string *key = bucket->string;
    bucket->tag = S2L_TAG_UNDEF;
    bucket->string = NULL;
    array->count--;
    /* A running loop by reference has yet to visit what will be added, so its position must not come to lie behind. */
    while (context->hidden->reference_loops == 0 && array->used > 0
        && buckets(array)[array->used - 1].tag == S2L_TAG_UNDEF)
        array->used--;
    if (key != NULL)
        string_drop(context, key);
    value_drop(context, value);
}

/* Without holes the index of a copy is the same. */
static void copy_whole(s2l_context *context, s2l_array *target, const s2l_array *source)
{
    uint64_t capacity = source->capacity;
    target->capacity = capacity;
    target->data = s2l_allocate(context, s2l_hash_data_size(capacity));
    target->index = (uint32_t *)(void *)(buckets(target) + capacity);
    target->index_bits = source->index_bits;
    target->used = source->used;
    target->position = source->position;
    memcpy(target->data, source->data, source->used * sizeof(s2l_bucket));
    memcpy(target->index, source->index, (slot_count(source) + 1) * sizeof *source->index);
    for (uint64_t i = 0; i < source->used; i++) {
        if (buckets(target)[i].string != NULL)
            string_dup(buckets(target)[i].string);
    }
}

void s2l_hash_copy(s2l_context *context, s2l_array *target, const s2l_array *source)
{
    bool compact = context->hidden->reference_loops == 0;
    if (source->used == source->count && source->used * SLOTS_PER_BUCKET * SMALLEST_CAPACITY > source->capacity) {
        copy_whole(context, target, source);
        return;
    }
    uint64_t needed = compact ? source->count : source->used;
    uint64_t capacity = SMALLEST_CAPACITY;
    while (capacity < needed)
        capacity *= 2;
    set_data(context, target, capacity);
    target->position = source->position;
    refill(target, buckets(source), source->used, compact);
    for (uint64_t i = 0; i < target->used; i++) {
        s2l_bucket *bucket = &buckets(target)[i];
        if (bucket->string != NULL)
            string_dup(bucket->string);
    }
}
