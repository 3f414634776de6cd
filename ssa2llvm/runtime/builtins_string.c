/* Builtin functions that take strings apart and put them together. Follows ext/standard/string.c. */
#include "internal.h"

#define PAD_LEFT 0
#define PAD_RIGHT 1
#define PAD_BOTH 2
#define TRIM_LEFT 1u
#define TRIM_RIGHT 2u

BUILTIN(strlen)
{
    TAKE(strlen, 1, 1);
    arguments.is_instruction = true;
    s2l_string *string;
    if (!s2l_take_string(&arguments, 0, "string", &string))
        return error_value();
    return s2l_done(&arguments, long_value((int64_t)string->length));
}

BUILTIN(ord)
{
    TAKE(ord, 1, 1);
    s2l_string *character;
    if (!s2l_take_string(&arguments, 0, "character", &character))
        return error_value();
    return s2l_done(&arguments, long_value((uint8_t)string_bytes(character)[0]));
}

BUILTIN(chr)
{
    TAKE(chr, 1, 1);
    int64_t codepoint;
    if (!s2l_take_long(&arguments, 0, "codepoint", &codepoint))
        return error_value();
    return string_value(s2l_string_of_byte((uint8_t)codepoint));
}

/* Fills `target` with repetitions of `pattern`, the last one cut short. */
static void fill_pattern(char *target, uint64_t length, const s2l_string *pattern)
{
    uint64_t done = pattern->length < length ? pattern->length : length;
    memcpy(target, string_bytes(pattern), done);
    while (done < length) {
        uint64_t more = done < length - done ? done : length - done;
        memcpy(target + done, target, more);
        done += more;
    }
}

BUILTIN(str_repeat)
{
    TAKE(str_repeat, 2, 2);
    s2l_string *string;
    int64_t times;
    if (!s2l_take_string(&arguments, 0, "string", &string) || !s2l_take_long(&arguments, 1, "times", &times))
        return s2l_done(&arguments, error_value());
    if (times < 0)
        return s2l_done(
            &arguments, s2l_argument_error(&arguments, 1, "times", "must be greater than or equal to 0"));
    if (string->length == 0 || times == 0)
        return s2l_done(&arguments, string_value(s2l_string_empty()));
    uint64_t length;
    if (__builtin_mul_overflow(string->length, (uint64_t)times, &length))
        length = UINT64_MAX;
    s2l_string *result = s2l_string_allocate(context, length);
    fill_pattern(string_bytes(result), length, string);
    return s2l_done(&arguments, string_value(result));
}

s2l_string *s2l_substr(s2l_context *context, s2l_string *string, int64_t offset, int64_t length)
{
    int64_t total = (int64_t)string->length;
    if (offset > total)
        return s2l_string_empty();
    if (offset < 0)
        offset = offset < -total ? 0 : total + offset;
    int64_t rest = total - offset;
    if (length < 0)
        length = length < -rest ? 0 : rest + length;
    if (length > rest)
        length = rest;
    if (length == total)
        return string_dup(string);
    return s2l_string_new(context, string_bytes(string) + offset, (uint64_t)length);
}

BUILTIN(substr)
{
    TAKE(substr, 2, 3);
    s2l_string *string;
    int64_t offset;
    int64_t length = INT64_MAX;
    if (!s2l_take_string(&arguments, 0, "string", &string) || !s2l_take_long(&arguments, 1, "offset", &offset)
        || !s2l_take_nullable_long(&arguments, 2, "length", &length))
        return s2l_done(&arguments, error_value());
    return s2l_done(&arguments, string_value(s2l_substr(context, string, offset, length)));
}

BUILTIN(strrev)
{
    TAKE(strrev, 1, 1);
    s2l_string *string;
    if (!s2l_take_string(&arguments, 0, "string", &string))
        return error_value();
    uint64_t length = string->length;
    if (length <= 1)
        return s2l_done(&arguments, string_value(string_dup(string)));
    s2l_string *result = s2l_string_allocate(context, length);
    for (uint64_t i = 0; i < length; i++)
        string_bytes(result)[i] = string_bytes(string)[length - 1 - i];
    return s2l_done(&arguments, string_value(result));
}

BUILTIN(str_pad)
{
    TAKE(str_pad, 2, 4);
    s2l_string *string;
    int64_t length;
    s2l_string *pad = s2l_string_of_byte(' ');
    int64_t type = PAD_RIGHT;
    if (!s2l_take_string(&arguments, 0, "string", &string) || !s2l_take_long(&arguments, 1, "length", &length)
        || !s2l_take_optional_string(&arguments, 2, "pad_string", &pad)
        || !s2l_take_optional_long(&arguments, 3, "pad_type", &type))
        return s2l_done(&arguments, error_value());
    if (length < 0 || (uint64_t)length <= string->length)
        return s2l_done(&arguments, string_value(string_dup(string)));
    if (pad->length == 0)
        return s2l_done(&arguments, s2l_argument_error(&arguments, 2, "pad_string", "must be a non-empty string"));
    if (type < PAD_LEFT || type > PAD_BOTH)
        return s2l_done(&arguments,
            s2l_argument_error(&arguments, 3, "pad_type", "must be STR_PAD_LEFT, STR_PAD_RIGHT, or STR_PAD_BOTH"));
    uint64_t missing = (uint64_t)length - string->length;
    uint64_t left = type == PAD_LEFT ? missing : type == PAD_BOTH ? missing / 2 : 0;
    s2l_string *result = s2l_string_allocate(context, (uint64_t)length);
    char *target = string_bytes(result);
    fill_pattern(target, left, pad);
    memcpy(target + left, string_bytes(string), string->length);
    fill_pattern(target + left + string->length, missing - left, pad);
    return s2l_done(&arguments, string_value(result));
}

/* Marks the bytes that a list like "a..z\n" names; a malformed range is warned about and its dots count as bytes not at
   all (php_charmask). */
void s2l_byte_mask(s2l_context *context, const char *function, const s2l_string *list, bool mask[256])
{
    const uint8_t *bytes = (const uint8_t *)string_bytes(list);
    uint64_t length = list->length;
    memset(mask, 0, 256 * sizeof *mask);
    for (uint64_t i = 0; i < length; i++) {
        if (i + 3 < length && bytes[i + 1] == '.' && bytes[i + 2] == '.' && bytes[i + 3] >= bytes[i]) {
            for (uint32_t byte = bytes[i]; byte <= bytes[i + 3]; byte++)
                mask[byte] = true;
            i += 3;
        } else if (i + 1 < length && bytes[i] == '.' && bytes[i + 1] == '.') {
            const char *reason = i == 0 ? ", no character to the left of '..'"
                : i + 2 >= length       ? ", no character to the right of '..'"
                : bytes[i - 1] > bytes[i + 2] ? ", '..'-range needs to be incrementing"
                                              : "";
            s2l_warning_format(context, "%s(): Invalid '..'-range%s", function, reason);
        } else {
            mask[bytes[i]] = true;
        }
    }
}

static s2l_value trim(s2l_arguments *arguments, uint32_t sides)
{
    static const char usual[] = " \n\r\t\v";
    s2l_context *context = arguments->context;
    s2l_string *string;
    s2l_string *characters = NULL;
    if (!s2l_take_string(arguments, 0, "string", &string)
        || !s2l_take_optional_string(arguments, 1, "characters", &characters))
        return s2l_done(arguments, error_value());
    bool mask[256] = {true}; /* NUL is trimmed by default */
    if (characters != NULL) {
        s2l_byte_mask(context, arguments->function, characters, mask);
    } else {
        for (const char *byte = usual; *byte != '\0'; byte++)
            mask[(uint8_t)*byte] = true;
    }
    const char *start = string_bytes(string);
    const char *end = start + string->length;
    while ((sides & TRIM_LEFT) && start < end && mask[(uint8_t)*start])
        start++;
    while ((sides & TRIM_RIGHT) && start < end && mask[(uint8_t)end[-1]])
        end--;
    uint64_t length = (uint64_t)(end - start);
    s2l_string *result = length == string->length ? string_dup(string) : s2l_string_new(context, start, length);
    return s2l_done(arguments, string_value(result));
}

BUILTIN(trim)
{
    TAKE(trim, 1, 2);
    return trim(&arguments, TRIM_LEFT | TRIM_RIGHT);
}

BUILTIN(ltrim)
{
    TAKE(ltrim, 1, 2);
    return trim(&arguments, TRIM_LEFT);
}

BUILTIN(rtrim)
{
    TAKE(rtrim, 1, 2);
    return trim(&arguments, TRIM_RIGHT);
}

BUILTIN(chop)
{
    TAKE(chop, 1, 2);
    return trim(&arguments, TRIM_RIGHT);
}

BUILTIN(nl2br)
{
    TAKE(nl2br, 1, 2);
    s2l_string *string;
    bool use_xhtml = true;
    if (!s2l_take_string(&arguments, 0, "string", &string)
        || !s2l_take_optional_bool(&arguments, 1, "use_xhtml", &use_xhtml))
        return s2l_done(&arguments, error_value());
    s2l_text text = s2l_text_start(context);
    const char *bytes = string_bytes(string);
    for (uint64_t i = 0; i < string->length; i++) {
        if (bytes[i] == '\n' || bytes[i] == '\r') {
            char other = bytes[i] == '\n' ? '\r' : '\n';
            s2l_text_cstring(&text, use_xhtml ? "<br />" : "<br>");
            if (bytes[i + 1] == other)
                s2l_text_bytes(&text, &bytes[i++], 1);
        }
        s2l_text_bytes(&text, &bytes[i], 1);
    }
    return s2l_done(&arguments, string_value(s2l_text_finish(&text)));
}

BUILTIN(bin2hex)
{
    TAKE(bin2hex, 1, 1);
    static const char digits[] = "0123456789abcdef";
    s2l_string *string;
    if (!s2l_take_string(&arguments, 0, "string", &string))
        return error_value();
    if (string->length == 0)
        return s2l_done(&arguments, string_value(s2l_string_empty()));
    s2l_string *result = s2l_string_allocate(context, 2 * string->length);
    char *target = string_bytes(result);
    for (uint64_t i = 0; i < string->length; i++) {
        uint8_t byte = (uint8_t)string_bytes(string)[i];
        *target++ = digits[byte >> 4];
        *target++ = digits[byte & 15];
    }
    return s2l_done(&arguments, string_value(result));
}
