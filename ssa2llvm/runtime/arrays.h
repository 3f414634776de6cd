/* Arrays as generated code sees them; the words of api.h (borrowed, consumed, owned, fails) hold here too.

   `s2l_array **array` is a variable of type array: the function takes its count and leaves a count of the same or another
   array there (a copy when it was shared). Generated code keeps the pointer in a register and copies it to memory for the
   call. `s2l_value *container` is any variable or element: references are followed, null becomes an array where PHP makes
   one, strings have offsets. Slots (`s2l_value *` results) are valid until the next operation on any array.
   Fast paths that may be inline, on layout.h: packed read: element_kind is one of the PACKED kinds and the unsigned key is
   below count; packed write: besides, refcount is 1 and the value fits the kind; packed push: besides, 0 < count <
   capacity (store the element, add one to count). */
#ifndef S2L_ARRAYS_H
#define S2L_ARRAYS_H

#include "layout.h"

/* ---- making (array.c) ---------------------------------------------------------------------------------------------- */

/* The literal `[]`; immortal. */
s2l_array *s2l_array_empty(void);
/* A new array (count 1) with room for `capacity` elements of a kind (S2L_ARRAY_*); it widens by itself. */
s2l_array *s2l_array_new(s2l_context *context, uint64_t capacity, uint32_t element_kind);
/* (array) of any value, owned. */
s2l_array *s2l_to_array(s2l_context *context, s2l_value value);
/* Frees an array whose count has become 0 (the cold half of DROP). */
void s2l_array_free(s2l_context *context, s2l_array *array);
/* A copy (count 1) of an array. */
s2l_array *s2l_array_copy(s2l_context *context, const s2l_array *array);
/* `array` (consumed) as an array that nobody else holds. */
s2l_array *s2l_array_separate(s2l_context *context, s2l_array *array);

/* ---- reading (array_read.c); results owned --------------------------------------------------------------------------- */

/* `$array[$key]`: null with PHP's warning when there is none. The last fails: illegal offset type. */
s2l_value s2l_array_read_long(s2l_context *context, const s2l_array *array, int64_t key);
s2l_value s2l_array_read_string(s2l_context *context, const s2l_array *array, s2l_string *key);
s2l_value s2l_array_read(s2l_context *context, const s2l_array *array, s2l_value key);

/* The element, borrowed, or UNDEF when there is none; no warning; references are followed. */
s2l_value s2l_array_find_long(const s2l_array *array, int64_t key);
s2l_value s2l_array_find_string(const s2l_array *array, s2l_string *key);
/* The same of a key written in the program; `*guess` is set to where it was. */
s2l_value s2l_array_find_guessed(const s2l_array *array, s2l_string *key, int64_t *guess);

/* ---- writing (array_write.c) ------------------------------------------------------------------------------------------- */

/* `$array[] = value` (consumed). Fails when the next key is taken. */
bool s2l_array_push(s2l_context *context, s2l_array **array, s2l_value value);
/* `$array[$key] = value` (consumed). A string key is an integer key if it looks like one. The last fails. */
void s2l_array_set_long(s2l_context *context, s2l_array **array, int64_t key, s2l_value value);
void s2l_array_set_string(s2l_context *context, s2l_array **array, s2l_string *key, s2l_value value);
bool s2l_array_set(s2l_context *context, s2l_array **array, s2l_value key, s2l_value value);
/* `[..., $key => value]` (consumed) in a literal with references, `value` maybe one: it replaces what an equal key before
   gave, where `$array[$key] = value` would write through a reference. Fails. */
bool s2l_array_define(s2l_context *context, s2l_array **array, s2l_value key, s2l_value value);
/* [...$array, ...$other]: appends the elements of `other`, string keys kept. Fails. */
bool s2l_array_append_all(s2l_context *context, s2l_array **array, const s2l_array *other);
/* unset($array[$key]). The last fails. */
void s2l_array_unset_long(s2l_context *context, s2l_array **array, int64_t key);
void s2l_array_unset_string(s2l_context *context, s2l_array **array, s2l_string *key);
bool s2l_array_unset(s2l_context *context, s2l_array **array, s2l_value key);
/* left + right, owned. */
s2l_array *s2l_array_union(s2l_context *context, s2l_array *left, s2l_array *right);

/* ---- elements of any variable (dimension_write.c) ---------------------------------------------------------------------- */

/* `variable = value` (consumed) through a reference; the old value is dropped after. */
void s2l_slot_assign(s2l_context *context, s2l_value *slot, s2l_value value);
/* Makes the slot a reference if it is none; borrowed. */
s2l_reference *s2l_slot_reference(s2l_context *context, s2l_value *slot);

/* The slot of `$container[$dimension]` to write into: an element is made (null) when there is none; `reads` says that it
   is read first (`+=`, `++`), so that a missing one is warned about. NULL = failed, without an error for a string: what
   is wrong with that, only the caller knows. */
s2l_value *s2l_fetch_dim_slot(s2l_context *context, s2l_value *container, s2l_value dimension, bool reads);
/* Before `$container[$dimension] op= …` where there is no such element: PHP's warnings; the container becomes an array.
   Fails. */
bool s2l_fetch_dim_operand(s2l_context *context, s2l_value *container, s2l_value dimension);
/* What a write does to its container before it looks at key and value: null becomes an array, a scalar throws if
   `scalars_throw`; and the check of the key that comes then. For unset: whether the container can have elements at all. Fail. */
bool s2l_prepare_container(s2l_context *context, s2l_value *container, bool scalars_throw);
bool s2l_check_dimension(s2l_context *context, s2l_value *container, s2l_value dimension);
bool s2l_check_unset(s2l_context *context, s2l_value *container);
/* Throws the error of a write below a string's offset, unless one is pending or the offset itself is illegal. */
void s2l_throw_string_slot(s2l_context *context, s2l_value dimension, const char *message);
/* The slot of an element of a hash that nobody else holds; NULL when there is none. `*guess` is set to where it was. */
s2l_value *s2l_slot_find(s2l_array *array, s2l_string *key, int64_t *guess);
/* The slot of `$container[]`. NULL = failed. */
s2l_value *s2l_append_dim_slot(s2l_context *context, s2l_value *container);
/* The slot for unset($container[$dimension][...]): NULL when there is nothing to unset, or failed (context->pending). */
s2l_value *s2l_fetch_dim_unset_slot(s2l_context *context, s2l_value *container, s2l_value dimension);
/* `$container[$dimension] = value`, `$container[] = value` (value consumed). Fail. */
bool s2l_assign_dim(s2l_context *context, s2l_value *container, s2l_value dimension, s2l_value value);
bool s2l_append_dim(s2l_context *context, s2l_value *container, s2l_value value);
/* unset($container[$dimension]). Fails. */
bool s2l_unset_dim(s2l_context *context, s2l_value *container, s2l_value dimension);

/* ---- foreach (array_foreach.c) ---------------------------------------------------------------------------------------- */

/* The element at or after `position` (0 to start), which is moved behind it; false at the end. Key and value are borrowed,
   references followed; `key` may be NULL. */
bool s2l_array_next(const s2l_array *array, uint64_t *position, s2l_value *key, s2l_value *value);
/* "foreach() argument must be of type array|object, TYPE given" */
void s2l_foreach_warning(s2l_context *context, s2l_value subject);
/* foreach by reference: begin makes `*variable` hold an array of its own; next gives the element as a reference
   (borrowed), NULL at the end; end must be called on every way out. */
void s2l_foreach_begin_reference(s2l_context *context, s2l_value *variable);
s2l_reference *s2l_foreach_next_reference(
    s2l_context *context, s2l_value *variable, uint64_t *position, s2l_value *key);
/* A loop by reference has found no further element: report it if the variable holds no array any more. */
void s2l_foreach_stopped(s2l_context *context, s2l_value *variable);
void s2l_foreach_end_reference(s2l_context *context);

/* count($array) for a known array is array->count. */

#endif
