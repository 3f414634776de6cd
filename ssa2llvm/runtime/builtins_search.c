/* Builtin functions that look for one string in another. Follows ext/standard/string.c.

   The search is memchr for the first byte and memcmp for the rest: linear on ordinary text, O(n*m) in the worst case;
   Zend switches to Sunday's algorithm for long needles, whose worst case is the same. */
#include "internal.h"

/* The first position of `needle` in the bytes from `from` on, or -1. */
static int64_t find(const s2l_string *haystack, uint64_t from, const s2l_string *needle)
{
    if (needle->length == 0)
        return (int64_t)from;
    if (needle->length > haystack->length - from)
        return -1;
    const char *bytes = string_bytes(haystack);
    const char *at = bytes + from;
    const char *last = bytes + haystack->length - needle->length;
    while (at <= last) {
        at = memchr(at, string_bytes(needle)[0], (size_t)(last - at) + 1);
        if (at == NULL)
            return -1;
        if (memcmp(at, string_bytes(needle), needle->length) == 0)
            return at - bytes;
        at++;
    }
    return -1;
}

int64_t s2l_strpos(const s2l_string *haystack, const s2l_string *needle, int64_t offset)
{
    return find(haystack, (uint64_t)offset, needle);
}

static bool equals_at(const s2l_string *haystack, uint64_t position, const s2l_string *needle)
{
    for (uint64_t i = 0; i < needle->length; i++) {
        if (s2l_lower_byte(string_bytes(haystack)[position + i]) != s2l_lower_byte(string_bytes(needle)[i]))
            return false;
    }
    return true;
}

static int64_t find_ignoring_case(const s2l_string *haystack, uint64_t from, const s2l_string *needle)
{
    for (uint64_t at = from; at + needle->length <= haystack->length; at++) {
        if (equals_at(haystack, at, needle))
            return (int64_t)at;
    }
    return -1;
}

static s2l_value position_or_false(int64_t position)
{
    return position < 0 ? bool_value(false) : long_value(position);
}

static s2l_value first_position(
    s2l_arguments *arguments, int64_t (*search)(const s2l_string *, uint64_t, const s2l_string *))
{
    s2l_string *haystack;
    s2l_string *needle;
    int64_t offset = 0;
    if (!s2l_take_string(arguments, 0, "haystack", &haystack) || !s2l_take_string(arguments, 1, "needle", &needle)
        || !s2l_take_optional_long(arguments, 2, "offset", &offset))
        return s2l_done(arguments, error_value());
    if (offset < 0)
        offset += (int64_t)haystack->length;
    if (offset < 0 || (uint64_t)offset > haystack->length)
        return s2l_done(
            arguments, s2l_argument_error(arguments, 2, "offset", "must be contained in argument #1 ($haystack)"));
    return s2l_done(arguments, position_or_false(search(haystack, (uint64_t)offset, needle)));
}

BUILTIN(strpos)
{
    TAKE(strpos, 2, 3);
    return first_position(&arguments, find);
}

BUILTIN(stripos)
{
    TAKE(stripos, 2, 3);
    return first_position(&arguments, find_ignoring_case);
}

BUILTIN(strrpos)
{
    TAKE(strrpos, 2, 3);
    s2l_string *haystack;
    s2l_string *needle;
    int64_t offset = 0;
    if (!s2l_take_string(&arguments, 0, "haystack", &haystack) || !s2l_take_string(&arguments, 1, "needle", &needle)
        || !s2l_take_optional_long(&arguments, 2, "offset", &offset))
        return s2l_done(&arguments, error_value());
    int64_t length = (int64_t)haystack->length;
    if (offset > length || offset < -length)
        return s2l_done(
            &arguments, s2l_argument_error(&arguments, 2, "offset", "must be contained in argument #1 ($haystack)"));
    /* A negative offset says where the last match may start, counted from the end. */
    int64_t first = offset < 0 ? 0 : offset;
    int64_t last = length - (int64_t)needle->length;
    if (offset < 0 && length + offset < last)
        last = length + offset;
    int64_t at = last;
    while (at >= first && memcmp(string_bytes(haystack) + at, string_bytes(needle), needle->length) != 0)
        at--;
    return s2l_done(&arguments, position_or_false(at >= first ? at : -1));
}

BUILTIN(strstr)
{
    TAKE(strstr, 2, 3);
    s2l_string *haystack;
    s2l_string *needle;
    bool before = false;
    if (!s2l_take_string(&arguments, 0, "haystack", &haystack) || !s2l_take_string(&arguments, 1, "needle", &needle)
        || !s2l_take_optional_bool(&arguments, 2, "before_needle", &before))
        return s2l_done(&arguments, error_value());
    int64_t position = find(haystack, 0, needle);
    if (position < 0)
        return s2l_done(&arguments, bool_value(false));
    s2l_string *result = before ? s2l_substr(context, haystack, 0, position)
                                : s2l_substr(context, haystack, position, INT64_MAX);
    return s2l_done(&arguments, string_value(result));
}

typedef bool string_predicate(const s2l_string *haystack, const s2l_string *needle);

static bool contains(const s2l_string *haystack, const s2l_string *needle)
{
    return find(haystack, 0, needle) >= 0;
}

static bool starts_with(const s2l_string *haystack, const s2l_string *needle)
{
    return needle->length <= haystack->length
        && memcmp(string_bytes(haystack), string_bytes(needle), needle->length) == 0;
}

static bool ends_with(const s2l_string *haystack, const s2l_string *needle)
{
    return needle->length <= haystack->length
        && memcmp(string_bytes(haystack) + (haystack->length - needle->length), string_bytes(needle), needle->length)
        == 0;
}

static s2l_value test_strings(s2l_arguments *arguments, string_predicate *test)
{
    s2l_string *haystack;
    s2l_string *needle;
    if (!s2l_take_string(arguments, 0, "haystack", &haystack) || !s2l_take_string(arguments, 1, "needle", &needle))
        return s2l_done(arguments, error_value());
    return s2l_done(arguments, bool_value(test(haystack, needle)));
}

BUILTIN(str_contains)
{
    TAKE(str_contains, 2, 2);
    return test_strings(&arguments, contains);
}

BUILTIN(str_starts_with)
{
    TAKE(str_starts_with, 2, 2);
    return test_strings(&arguments, starts_with);
}

BUILTIN(str_ends_with)
{
    TAKE(str_ends_with, 2, 2);
    return test_strings(&arguments, ends_with);
}

BUILTIN(substr_count)
{
    TAKE(substr_count, 2, 4);
    s2l_string *haystack;
    s2l_string *needle;
    int64_t offset = 0;
    int64_t length = INT64_MAX;
    if (!s2l_take_string(&arguments, 0, "haystack", &haystack) || !s2l_take_string(&arguments, 1, "needle", &needle)
        || !s2l_take_optional_long(&arguments, 2, "offset", &offset)
        || !s2l_take_nullable_long(&arguments, 3, "length", &length))
        return s2l_done(&arguments, error_value());
    if (needle->length == 0)
        return s2l_done(&arguments, s2l_argument_error(&arguments, 1, "needle", "cannot be empty"));
    int64_t total = (int64_t)haystack->length;
    if (offset < 0)
        offset += total;
    if (offset < 0 || offset > total)
        return s2l_done(
            &arguments, s2l_argument_error(&arguments, 2, "offset", "must be contained in argument #1 ($haystack)"));
    int64_t rest = total - offset;
    if (length == INT64_MAX)
        length = rest;
    if (length < 0)
        length += rest;
    if (length < 0 || length > rest)
        return s2l_done(
            &arguments, s2l_argument_error(&arguments, 3, "length", "must be contained in argument #1 ($haystack)"));
    int64_t count = 0;
    int64_t limit = offset + length;
    for (;;) {
        int64_t at = find(haystack, (uint64_t)offset, needle);
        if (at < 0 || at + (int64_t)needle->length > limit)
            break;
        count++;
        offset = at + (int64_t)needle->length;
    }
    return s2l_done(&arguments, long_value(count));
}
