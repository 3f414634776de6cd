/* sprintf and printf.

   Follows ext/standard/formatted_print.c (php_formatted_print) and main/snprintf.c (php_conv_fp) to the byte, oddities
   included: -0.0 loses its sign in %f, INF has none at all and no width, and a zero-padded negative INF loses its first
   letter; an argument that is missing is told only when the whole format has been read. */
#include "array_internal.h"

#include <limits.h>
#include <math.h>

#define DEFAULT_PRECISION 6
#define MAXIMAL_PRECISION 53
#define WORD_BITS 64

typedef struct print_state {
    const char *function;
    const s2l_value *values;
    int64_t count;
    const char *at;
    const char *end;
    s2l_text text;
    int64_t next;
    int64_t last_missing; /* the highest argument index that was asked for and is not there, or -1 */
} print_state;

typedef struct print_item {
    int64_t argument;
    int64_t width;
    int64_t precision;
    bool has_precision;
    bool left;
    bool sign;
    char padding;
} print_item;

static bool value_error(print_state *state, const char *message)
{
    s2l_throw_in(state->text.context, state->function, "ValueError", "%s", message);
    return false;
}

static char peek(const print_state *state)
{
    return state->at < state->end ? *state->at : '\0';
}

/* A decimal number; -1 when it is too large. */
static int64_t read_number(print_state *state)
{
    int64_t number = 0;
    for (; is_digit(peek(state)); state->at++) {
        if (number <= INT_MAX)
            number = number * 10 + (*state->at - '0');
    }
    return number >= INT_MAX ? -1 : number;
}

/* "n$": an index from 0, or -1 when there is none. False when n is out of range. */
static bool read_argument_number(print_state *state, int64_t *index)
{
    const char *after = state->at;
    while (after < state->end && is_digit(*after))
        after++;
    *index = -1;
    if (after >= state->end || *after != '$')
        return true;
    int64_t number = read_number(state);
    if (number <= 0)
        return value_error(state, "Argument number specifier must be greater than zero and less than 2147483647");
    state->at++;
    *index = number - 1;
    return true;
}

/* The value number `index` (-1: the next one), or NULL when it is missing. */
static const s2l_value *argument(print_state *state, int64_t index)
{
    if (index < 0)
        index = state->next++;
    if (index < state->count)
        return &state->values[index];
    if (index > state->last_missing)
        state->last_missing = index;
    return NULL;
}

static bool read_modifiers(print_state *state, print_item *item)
{
    for (;; state->at++) {
        char byte = peek(state);
        if (byte == ' ' || byte == '0') {
            item->padding = byte;
        } else if (byte == '-') {
            item->left = true;
        } else if (byte == '+') {
            item->sign = true;
        } else if (byte == '\'') {
            if (state->end - state->at <= 1)
                return value_error(state, "Missing padding character");
            item->padding = *++state->at;
        } else {
            return true;
        }
    }
}

typedef enum { READ_OK, READ_FAILED, READ_MISSING } read_result;

/* Width or precision: digits, or `*` for an argument. `smallest` is the least value allowed from an argument. */
static read_result read_size(
    print_state *state, const char *what, int64_t smallest, const char *bounds, int64_t *size, bool *given)
{
    if (peek(state) == '*') {
        int64_t index;
        state->at++;
        if (!read_argument_number(state, &index))
            return READ_FAILED;
        const s2l_value *value = argument(state, index);
        if (value == NULL)
            return READ_MISSING;
        *given = true;
        *size = value->payload;
        if (value->tag == S2L_TAG_LONG && value->payload >= smallest && value->payload <= INT_MAX)
            return READ_OK;
        s2l_throw_in(state->text.context, state->function, "ValueError", "%s must be %s", what,
            value->tag != S2L_TAG_LONG ? "an integer" : bounds);
        return READ_FAILED;
    }
    if (is_digit(peek(state))) {
        *given = true;
        *size = read_number(state);
        if (*size < 0) {
            s2l_throw_in(state->text.context, state->function, "ValueError",
                "%s must be greater than zero and less than 2147483647", what);
            return READ_FAILED;
        }
    }
    return READ_OK;
}

static void put_padded(print_state *state, const print_item *item, const char *bytes, uint64_t length, bool negative)
{
    uint64_t width = (uint64_t)item->width;
    uint64_t fill = width > length ? width - length : 0;
    if (!item->left) {
        if ((negative || item->sign) && item->padding == '0' && length > 0) {
            s2l_text_fill(&state->text, negative ? '-' : '+', 1);
            bytes++;
            length--;
        }
        s2l_text_fill(&state->text, item->padding, fill);
    }
    s2l_text_bytes(&state->text, bytes, length);
    if (item->left)
        s2l_text_fill(&state->text, item->padding, fill);
}

static void put_string(print_state *state, print_item *item, s2l_value value)
{
    s2l_string *string = s2l_to_string(state->text.context, value);
    uint64_t length = string->length;
    if (item->has_precision && (uint64_t)item->precision < length)
        length = (uint64_t)item->precision;
    item->sign = false;
    put_padded(state, item, string_bytes(string), length, false);
    string_drop(state->text.context, string);
}

static void put_integer(print_state *state, print_item *item, int64_t number, bool is_unsigned)
{
    char digits[24];
    char *end = digits + sizeof digits;
    char *start = is_unsigned ? s2l_write_unsigned(end, (uint64_t)number) : s2l_write_long(end, number);
    bool negative = !is_unsigned && number < 0;
    if (is_unsigned)
        item->sign = false;
    else if (item->sign && !negative)
        *--start = '+';
    if (item->left && item->padding == '0')
        item->padding = ' '; /* zeros on the right would be another number */
    put_padded(state, item, start, (uint64_t)(end - start), negative);
}

static void put_bits(print_state *state, print_item *item, int64_t number, uint32_t bits, const char *digits)
{
    char text[WORD_BITS];
    char *end = text + sizeof text;
    char *start = end;
    uint64_t word = (uint64_t)number;
    do {
        *--start = digits[word & ((1u << bits) - 1)];
        word >>= bits;
    } while (word != 0);
    /* Zend cuts the digits at a width that it passes as 0, so a precision leaves none. */
    uint64_t length = item->has_precision ? 0 : (uint64_t)(end - start);
    item->sign = false;
    put_padded(state, item, start, length, false);
}

/* Appends digits first..first+count-1 of `digits`, zeros where there are none. */
static char *copy_digits(char *target, const s2l_digits *digits, int64_t first, int64_t count)
{
    for (int64_t i = first; i < first + count; i++)
        *target++ = i >= 0 && i < digits->count ? digits->digit[i] : '0';
    return target;
}

static char *write_fixed(char *target, const s2l_digits *digits, int64_t precision)
{
    if (digits->exponent <= 0)
        *target++ = '0';
    else
        target = copy_digits(target, digits, 0, digits->exponent);
    if (precision > 0) {
        *target++ = '.';
        target = copy_digits(target, digits, digits->exponent, precision);
    }
    return target;
}

static char *write_scientific(char *target, const s2l_digits *digits, int64_t precision, char letter)
{
    target = copy_digits(target, digits, 0, 1);
    if (precision > 0) {
        *target++ = '.';
        target = copy_digits(target, digits, 1, precision);
    }
    int64_t exponent = digits->exponent - 1;
    *target++ = letter;
    *target++ = exponent < 0 ? '-' : '+';
    char text[20];
    char *start = s2l_write_unsigned(text + sizeof text, (uint64_t)(exponent < 0 ? -exponent : exponent));
    memcpy(target, start, (size_t)(text + sizeof text - start));
    return target + (text + sizeof text - start);
}

static void put_double(print_state *state, print_item *item, double number, char letter)
{
    char buffer[512];
    int64_t precision = item->has_precision ? item->precision : DEFAULT_PRECISION;
    if (precision > MAXIMAL_PRECISION) {
        s2l_string *message = s2l_message(state->text.context,
            "%s(): Requested precision of %lld digits was truncated to PHP maximum of %d digits",
            state->function, (long long)precision, MAXIMAL_PRECISION);
        s2l_notice(state->text.context, string_bytes(message));
        string_drop(state->text.context, message);
        precision = MAXIMAL_PRECISION;
    }
    if (!isfinite(number)) {
        item->width = 0;
        put_padded(state, item, isnan(number) ? "NaN" : "INF", 3, number < 0);
        return;
    }
    char *start = buffer + 1; /* room for a sign */
    char *end;
    bool negative = number < 0;
    bool general = letter == 'g' || letter == 'G' || letter == 'h' || letter == 'H';
    if (general) {
        bool upper = letter == 'G' || letter == 'H';
        end = start + s2l_write_double(start, number, precision == 0 ? 1 : (int)precision, upper ? 'E' : 'e');
        negative = *start == '-';
    } else {
        s2l_digits digits = {0, letter == 'f' || letter == 'F' ? 0 : 1, {0}};
        bool fixed = letter == 'f' || letter == 'F';
        if (number != 0)
            s2l_make_digits(number, fixed ? DIGITS_FRACTION : DIGITS_COUNT,
                (int32_t)(fixed ? precision : precision + 1), &digits);
        end = fixed ? write_fixed(start, &digits, precision) : write_scientific(start, &digits, precision, letter);
        if (negative)
            *--start = '-';
    }
    if (item->sign && !negative)
        *--start = '+';
    put_padded(state, item, start, (uint64_t)(end - start), negative);
}

static bool put_item(print_state *state, print_item *item, s2l_value value)
{
    static const char lower[] = "0123456789abcdef";
    static const char upper[] = "0123456789ABCDEF";
    char letter = peek(state);
    switch (letter) {
    case 's':
        put_string(state, item, value);
        break;
    case 'd':
    case 'u':
        put_integer(state, item, s2l_to_long(value), letter == 'u');
        break;
    case 'e':
    case 'E':
    case 'f':
    case 'F':
    case 'g':
    case 'G':
    case 'h':
    case 'H':
        put_double(state, item, s2l_to_double(value), letter);
        break;
    case 'c':
        s2l_text_fill(&state->text, (char)s2l_to_long(value), 1);
        break;
    case 'o':
        put_bits(state, item, s2l_to_long(value), 3, lower);
        break;
    case 'x':
        put_bits(state, item, s2l_to_long(value), 4, lower);
        break;
    case 'X':
        put_bits(state, item, s2l_to_long(value), 4, upper);
        break;
    case 'b':
        put_bits(state, item, s2l_to_long(value), 1, lower);
        break;
    case '%':
        s2l_text_fill(&state->text, '%', 1);
        break;
    default:
        if (state->at >= state->end)
            return value_error(state, "Missing format specifier at end of string");
        s2l_throw_in(state->text.context, state->function, "ValueError",
            "Unknown format specifier \"%c\"", letter);
        return false;
    }
    state->at++;
    return true;
}

/* One conversion, from behind its percent sign. A missing argument is noted; what follows is then read as text. */
static bool print_one(print_state *state)
{
    print_item item = {-1, 0, 0, false, false, false, ' '};
    bool width_given = false;
    read_result result = READ_OK;
    if (!read_argument_number(state, &item.argument) || !read_modifiers(state, &item))
        return false;
    result = read_size(state, "Width", 0, "greater than zero and less than 2147483647", &item.width, &width_given);
    if (result != READ_OK)
        return result == READ_MISSING;
    if (peek(state) == '.') {
        state->at++;
        result = read_size(
            state, "Precision", -1, "between -1 and 2147483647", &item.precision, &item.has_precision);
        if (result != READ_OK)
            return result == READ_MISSING;
    }
    if (peek(state) == 'l')
        state->at++;
    const s2l_value *value = argument(state, item.argument);
    if (value == NULL)
        return true;
    char letter = peek(state);
    if (item.has_precision && item.precision == -1 && letter != 'g' && letter != 'G' && letter != 'h' && letter != 'H')
        return value_error(state, "Precision -1 is only supported for %g, %G, %h and %H");
    return put_item(state, &item, *value);
}

/* The format with its values; an owned string, or the error value. `from_array` says where the values are from, which the
   error of a missing one tells. */
static s2l_value format_values(s2l_arguments *arguments, const s2l_string *format, uint64_t count,
    const s2l_value *values, bool from_array)
{
    s2l_context *context = arguments->context;
    print_state state = {arguments->function, values, (int64_t)count, string_bytes(format),
        string_bytes(format) + format->length, s2l_text_start(context), 0, -1};
    bool ok = true;
    while (ok && state.at < state.end) {
        const char *percent = memchr(state.at, '%', (size_t)(state.end - state.at));
        const char *stop = percent != NULL ? percent : state.end;
        s2l_text_bytes(&state.text, state.at, (uint64_t)(stop - state.at));
        state.at = stop;
        if (percent == NULL)
            break;
        state.at++;
        if (peek(&state) == '%') {
            s2l_text_fill(&state.text, '%', 1);
            state.at++;
        } else {
            ok = print_one(&state);
        }
    }
    if (ok && state.last_missing < 0)
        return string_value(s2l_text_finish(&state.text));
    if (ok && from_array)
        s2l_throw_in(context, arguments->function, "ValueError",
            "The arguments array must contain %lld items, %lld given", (long long)state.last_missing + 1,
            (long long)count);
    else if (ok)
        s2l_throw_in(context, arguments->function, "ArgumentCountError", "%lld arguments are required, %lld given",
            (long long)state.last_missing + 2, (long long)count + 1);
    s2l_text_abandon(&state.text);
    return error_value();
}

/* sprintf and vsprintf. */
static s2l_value format_arguments(s2l_arguments *arguments, bool from_array)
{
    s2l_string *format;
    s2l_array *array = NULL;
    if (!s2l_take_string(arguments, 0, "format", &format) || (from_array && !s2l_take_array(arguments, 1, "values", &array)))
        return s2l_done(arguments, error_value());
    if (!from_array)
        return s2l_done(
            arguments, format_values(arguments, format, arguments->count - 1, arguments->values + 1, false));
    uint64_t size = array->count * sizeof(s2l_value);
    s2l_value *values = s2l_allocate(arguments->context, size);
    uint64_t count = 0;
    s2l_value key;
    s2l_value value;
    FOR_EACH (array, key, value)
        values[count++] = value;
    s2l_value result = format_values(arguments, format, count, values, true);
    s2l_free(arguments->context, values, size);
    return s2l_done(arguments, result);
}

/* printf and vprintf: print what was formatted (consumed); its length. */
static s2l_value print(s2l_context *context, s2l_value text)
{
    if (is_error(text))
        return text;
    int64_t length = (int64_t)as_string(text)->length;
    s2l_echo_string(context, as_string(text));
    s2l_value_drop(context, text);
    return long_value(length);
}

BUILTIN(sprintf)
{
    TAKE(sprintf, 1, NO_LIMIT);
    return format_arguments(&arguments, false);
}

BUILTIN(vsprintf)
{
    TAKE(vsprintf, 2, 2);
    return format_arguments(&arguments, true);
}

BUILTIN(printf)
{
    TAKE(printf, 1, NO_LIMIT);
    return print(context, format_arguments(&arguments, false));
}

BUILTIN(vprintf)
{
    TAKE(vprintf, 2, 2);
    return print(context, format_arguments(&arguments, true));
}
