/* Arrays as sets: array_unique, array_diff, array_intersect and their kin. Follows ext/standard/array.c.

   Values are compared as strings; those of each other array are put into a table once, so the work is linear. Zend sorts
   for array_intersect, and therefore warns more often of an array among the values. */
#include "array_internal.h"

#define SORT_NUMERIC 1
#define SORT_STRING 2

typedef struct set_rule {
    bool by_key;
    bool by_value;
    bool keep_common; /* intersect, not diff */
} set_rule;

/* A text as a key as it is: not even "5" becomes an integer. */
static s2l_key text_key(s2l_string *text)
{
    s2l_key key = {(int64_t)s2l_string_hash(text), text};
    return key;
}

/* A table whose keys are the texts of an array's values. */
static s2l_array *texts_of(s2l_context *context, const s2l_array *array)
{
    s2l_array *texts = s2l_array_new(context, 0, S2L_ARRAY_HASH);
    s2l_value key;
    s2l_value value;
    FOR_EACH (array, key, value) {
        s2l_string *text = s2l_to_string(context, value);
        s2l_array_put(context, texts, text_key(text), null_value());
        string_drop(context, text);
    }
    return texts;
}

/* The element being looked for; its text is made when it is first needed, since an array's warns. */
typedef struct wanted {
    s2l_key key;
    s2l_value value;
    s2l_string *text;
} wanted;

static s2l_string *wanted_text(s2l_context *context, wanted *element)
{
    if (element->text == NULL)
        element->text = s2l_to_string(context, element->value);
    return element->text;
}

/* Whether an element is in `other` in the rule's sense; `texts` are other's values if the rule needs them alone. */
static bool is_in(
    s2l_context *context, set_rule rule, wanted *element, const s2l_array *other, const s2l_array *texts)
{
    if (!rule.by_key)
        return texts->count > 0 && s2l_array_position(texts, text_key(wanted_text(context, element))) != NO_POSITION;
    uint64_t position = s2l_array_position(other, element->key);
    if (position == NO_POSITION || !rule.by_value)
        return position != NO_POSITION;
    s2l_string *text = wanted_text(context, element);
    s2l_string *other_text = s2l_to_string(context, dereference(raw_element(other, position)));
    bool same = s2l_string_is_identical(text, other_text);
    string_drop(context, other_text);
    return same;
}

static s2l_value combine_sets(s2l_arguments *arguments, set_rule rule)
{
    s2l_context *context = arguments->context;
    uint32_t count = arguments->count;
    for (uint32_t i = 0; i < count; i++) {
        s2l_value value = arguments->values[i];
        if (value.tag != S2L_TAG_ARRAY)
            return s2l_throw_in(context, arguments->function, "TypeError",
                "%s(): Argument #%u%s must be of type array, %s given", arguments->function, (unsigned)i + 1,
                i == 0 ? " ($array)" : "", s2l_type_name(value));
    }
    s2l_array *first = as_array(arguments->values[0]);
    s2l_array **texts = s2l_allocate(context, count * sizeof *texts);
    for (uint32_t i = 1; i < count; i++)
        texts[i] = rule.by_key || first->count == 0 ? NULL : texts_of(context, as_array(arguments->values[i]));
    s2l_array *result = s2l_array_new(context, 0, S2L_ARRAY_PACKED_LONG);
    for (uint64_t at = 0; at < position_count(first); at++) {
        wanted element = {key_at(first, at), dereference(raw_element(first, at)), NULL};
        if (element.value.tag == S2L_TAG_UNDEF)
            continue;
        bool keep = true;
        for (uint32_t i = 1; keep && i < count; i++)
            keep = is_in(context, rule, &element, as_array(arguments->values[i]), texts[i]) == rule.keep_common;
        if (element.text != NULL)
            string_drop(context, element.text);
        if (keep)
            s2l_array_put(context, result, element.key, dup(element.value));
    }
    for (uint32_t i = 1; i < count; i++) {
        if (texts[i] != NULL)
            s2l_value_drop(context, array_value(texts[i]));
    }
    s2l_free(context, texts, count * sizeof *texts);
    return array_value(result);
}

#define SET_FUNCTION(name, by_key, by_value, keep_common)                                                               \
    BUILTIN(name)                                                                                                       \
    {                                                                                                                   \
        TAKE(name, 1, NO_LIMIT);                                                                                        \
        return combine_sets(&arguments, (set_rule){by_key, by_value, keep_common});                                     \
    }

SET_FUNCTION(array_diff, false, true, false)
SET_FUNCTION(array_diff_key, true, false, false)
SET_FUNCTION(array_diff_assoc, true, true, false)
SET_FUNCTION(array_intersect, false, true, true)
SET_FUNCTION(array_intersect_key, true, false, true)

static bool equal_for_unique(s2l_context *context, s2l_value left, s2l_value right, int64_t flags)
{
    if (flags == SORT_NUMERIC)
        return s2l_to_double(left) == s2l_to_double(right);
    return s2l_is_equal(context, left, right);
}

static bool is_among(s2l_context *context, const s2l_array *kept, s2l_value value, int64_t flags)
{
    s2l_value key;
    s2l_value other;
    FOR_EACH (kept, key, other) {
        if (equal_for_unique(context, value, other, flags))
            return true;
    }
    return false;
}

BUILTIN(array_unique)
{
    TAKE(array_unique, 1, 2);
    s2l_array *array;
    int64_t flags = SORT_STRING;
    if (!s2l_take_array(&arguments, 0, "array", &array) || !s2l_take_optional_long(&arguments, 1, "flags", &flags))
        return error_value();
    s2l_array *result = s2l_array_new(context, 0, S2L_ARRAY_PACKED_LONG);
    s2l_array *seen = s2l_array_new(context, 0, S2L_ARRAY_HASH);
    s2l_value key;
    s2l_value value;
    FOR_EACH (array, key, value) {
        if (flags != SORT_STRING) {
            if (!is_among(context, result, value, flags))
                s2l_array_put_key(context, result, key, dup(value));
            continue;
        }
        s2l_string *text = s2l_to_string(context, value);
        if (s2l_array_position(seen, text_key(text)) == NO_POSITION) {
            s2l_array_put(context, seen, text_key(text), null_value());
            s2l_array_put_key(context, result, key, dup(value));
        }
        string_drop(context, text);
    }
    s2l_value_drop(context, array_value(seen));
    return array_value(result);
}
