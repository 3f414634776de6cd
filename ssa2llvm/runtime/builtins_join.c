/* Builtin functions between strings and arrays: implode, explode, str_split, str_replace. Follows ext/standard/string.c. */
#include "array_internal.h"

/* The pieces with `separator` between them: their length first, then one copy. */
static s2l_string *join(s2l_context *context, const char *separator, uint64_t separator_length, const s2l_array *array)
{
    s2l_text text = s2l_text_start(context);
    char scratch[S2L_SCRATCH_SIZE];
    bool first = true;
    s2l_value key;
    s2l_value value;
    FOR_EACH (array, key, value) {
        if (!first)
            s2l_text_bytes(&text, separator, separator_length);
        first = false;
        s2l_bytes bytes = s2l_bytes_of(context, value, scratch);
        s2l_text_bytes(&text, bytes.bytes, bytes.length);
    }
    return s2l_text_finish(&text);
}

static s2l_value implode(s2l_arguments *arguments)
{
    s2l_context *context = arguments->context;
    s2l_value first = arguments->values[0];
    s2l_value second = arguments->count > 1 ? arguments->values[1] : null_value();
    s2l_string *separator = NULL;
    if (first.tag != S2L_TAG_ARRAY && !s2l_take_array_or_string_text(arguments, 0, "separator", &separator))
        return error_value();
    if (second.tag <= S2L_TAG_NULL) {
        if (first.tag == S2L_TAG_ARRAY)
            return string_value(join(context, "", 0, as_array(first)));
        return s2l_done(arguments,
            s2l_throw_in(context, arguments->function, "TypeError",
                "%s(): Argument #1 ($array) must be of type array, string given", arguments->function));
    }
    if (second.tag != S2L_TAG_ARRAY)
        return s2l_done(arguments,
            s2l_throw_in(context, arguments->function, "TypeError",
                "%s(): Argument #2 ($array) must be of type ?array, %s given", arguments->function,
                s2l_type_name(second)));
    if (first.tag == S2L_TAG_ARRAY)
        return s2l_throw_in(context, arguments->function, "TypeError",
            "%s(): Argument #1 ($separator) must be of type string, array given", arguments->function);
    return s2l_done(
        arguments, string_value(join(context, string_bytes(separator), separator->length, as_array(second))));
}

BUILTIN(implode)
{
    TAKE(implode, 1, 2);
    return implode(&arguments);
}

BUILTIN(join)
{
    TAKE(join, 1, 2);
    return implode(&arguments);
}

static void append_piece(s2l_context *context, s2l_array *array, const s2l_string *string, int64_t start, int64_t end)
{
    s2l_array_append(
        context, array, string_value(s2l_string_new(context, string_bytes(string) + start, (uint64_t)(end - start))));
}

BUILTIN(explode)
{
    TAKE(explode, 2, 3);
    s2l_string *separator;
    s2l_string *string;
    int64_t limit = INT64_MAX;
    if (!s2l_take_string(&arguments, 0, "separator", &separator) || !s2l_take_string(&arguments, 1, "string", &string)
        || !s2l_take_optional_long(&arguments, 2, "limit", &limit))
        return s2l_done(&arguments, error_value());
    if (separator->length == 0)
        return s2l_done(&arguments, s2l_argument_error(&arguments, 0, "separator", "cannot be empty"));
    int64_t most = limit > 0 ? limit : limit == 0 ? 1 : INT64_MAX;
    s2l_array *result = s2l_array_new(context, 0, S2L_ARRAY_PACKED_VALUE);
    int64_t start = 0;
    int64_t end;
    while ((int64_t)result->count + 1 < most && (end = s2l_strpos(string, separator, start)) >= 0) {
        append_piece(context, result, string, start, end);
        start = end + (int64_t)separator->length;
    }
    append_piece(context, result, string, start, (int64_t)string->length);
    /* A negative limit leaves that many pieces out at the end. */
    for (; limit < 0 && result->count > 0; limit++)
        s2l_value_drop(context, raw_element(result, --result->count));
    return s2l_done(&arguments, array_value(result));
}

BUILTIN(str_split)
{
    TAKE(str_split, 1, 2);
    s2l_string *string;
    int64_t length = 1;
    if (!s2l_take_string(&arguments, 0, "string", &string) || !s2l_take_optional_long(&arguments, 1, "length", &length))
        return s2l_done(&arguments, error_value());
    if (length <= 0)
        return s2l_done(&arguments, s2l_argument_error(&arguments, 1, "length", "must be greater than 0"));
    s2l_array *result = s2l_array_new(context, 0, S2L_ARRAY_PACKED_VALUE);
    int64_t total = (int64_t)string->length;
    int64_t start = 0;
    while (start < total) {
        int64_t piece = length < total - start ? length : total - start;
        append_piece(context, result, string, start, start + piece);
        start += piece;
    }
    return s2l_done(&arguments, array_value(result));
}

/* All of `needle` in `subject` (consumed) replaced by `by`; counts them. */
static s2l_string *replace_one(
    s2l_context *context, s2l_string *subject, const s2l_string *needle, const s2l_string *by, int64_t *count)
{
    int64_t found = needle->length == 0 ? -1 : s2l_strpos(subject, needle, 0);
    if (found < 0)
        return subject;
    s2l_text text = s2l_text_start(context);
    int64_t start = 0;
    for (; found >= 0; found = s2l_strpos(subject, needle, start)) {
        s2l_text_bytes(&text, string_bytes(subject) + start, (uint64_t)(found - start));
        s2l_text_bytes(&text, string_bytes(by), by->length);
        start = found + (int64_t)needle->length;
        ++*count;
    }
    s2l_text_bytes(&text, string_bytes(subject) + start, subject->length - (uint64_t)start);
    string_drop(context, subject);
    return s2l_text_finish(&text);
}

/* One subject (consumed) with every pair of search and replacement. */
static s2l_string *replace_all(
    s2l_context *context, s2l_string *subject, s2l_value search, s2l_value replace, int64_t *count)
{
    if (search.tag == S2L_TAG_STRING)
        return replace_one(context, subject, as_string(search), as_string(replace), count);
    uint64_t position = 0;
    s2l_value key;
    s2l_value needle;
    FOR_EACH (as_array(search), key, needle) {
        s2l_value by = replace;
        if (replace.tag == S2L_TAG_ARRAY && !s2l_array_next(as_array(replace), &position, NULL, &by))
            by = null_value();
        s2l_string *needle_text = s2l_to_string(context, needle);
        s2l_string *by_text = s2l_to_string(context, by);
        subject = replace_one(context, subject, needle_text, by_text, count);
        string_drop(context, needle_text);
        string_drop(context, by_text);
    }
    return subject;
}

/* An argument of type array|string, borrowed. */
static bool take_array_or_string(s2l_arguments *arguments, uint32_t index, const char *name, s2l_value *result)
{
    *result = arguments->values[index];
    if (result->tag == S2L_TAG_ARRAY)
        return true;
    s2l_string *string;
    if (!s2l_take_array_or_string_text(arguments, index, name, &string))
        return false;
    *result = string_value(string);
    return true;
}

BUILTIN(str_replace)
{
    TAKE(str_replace, 3, 4);
    s2l_value search;
    s2l_value replace;
    s2l_value subject;
    int64_t count = 0;
    if (!take_array_or_string(&arguments, 0, "search", &search)
        || !take_array_or_string(&arguments, 1, "replace", &replace)
        || !take_array_or_string(&arguments, 2, "subject", &subject))
        return s2l_done(&arguments, error_value());
    if (search.tag == S2L_TAG_STRING && replace.tag == S2L_TAG_ARRAY)
        return s2l_done(&arguments,
            s2l_throw_in(context, "str_replace", "TypeError",
                "str_replace(): Argument #2 ($replace) must be of type string when argument #1 ($search) is a string"));
    s2l_value result;
    if (subject.tag == S2L_TAG_ARRAY) {
        s2l_array *replaced = s2l_array_new(context, 0, S2L_ARRAY_PACKED_VALUE);
        s2l_value key;
        s2l_value value;
        FOR_EACH (as_array(subject), key, value) {
            s2l_string *text = replace_all(context, s2l_to_string(context, value), search, replace, &count);
            s2l_array_put_key(context, replaced, key, string_value(text));
        }
        result = array_value(replaced);
    } else {
        result = string_value(replace_all(context, string_dup(as_string(subject)), search, replace, &count));
    }
    if (argc > 3) {
        s2l_reference *variable = as_reference(argv[3]);
        s2l_value old = make_value(variable->payload, variable->tag);
        variable->payload = count;
        variable->tag = S2L_TAG_LONG;
        s2l_value_drop(context, old);
    }
    return s2l_done(&arguments, result);
}
