/* What the files of the runtime share among themselves and hide from generated code.

   Small helpers that make and read values are here, inline and without prefix; everything with external linkage has the
   prefix s2l_. A function here documents what api.h's words mean for it: borrowed unless said otherwise. */
#ifndef S2L_INTERNAL_H
#define S2L_INTERNAL_H

#include "api.h"
#include "arrays.h"
#include "builtins.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#define LIKELY(condition) __builtin_expect(!!(condition), 1)
#define UNLIKELY(condition) __builtin_expect(!!(condition), 0)
#define MAY_BE(tag) (1u << (tag))

/* ---- values --------------------------------------------------------------------------------------------------------- */

static inline s2l_value make_value(int64_t payload, int64_t tag)
{
    s2l_value value = {payload, tag};
    return value;
}

static inline s2l_value null_value(void)
{
    return make_value(0, S2L_TAG_NULL);
}

static inline s2l_value error_value(void)
{
    return make_value(0, S2L_TAG_ERROR);
}

static inline s2l_value bool_value(bool truth)
{
    return make_value(0, truth ? S2L_TAG_TRUE : S2L_TAG_FALSE);
}

static inline s2l_value long_value(int64_t number)
{
    return make_value(number, S2L_TAG_LONG);
}

static inline s2l_value double_value(double number)
{
    s2l_value value = {0, S2L_TAG_DOUBLE};
    memcpy(&value.payload, &number, sizeof number);
    return value;
}

static inline s2l_value pointer_value(const void *object, int64_t tag)
{
    return make_value((int64_t)(intptr_t)object, tag);
}

/* The count of `string` passes to the value. */
static inline s2l_value string_value(const s2l_string *string)
{
    return pointer_value(string, S2L_TAG_STRING);
}

static inline double as_double(s2l_value value)
{
    double number;
    memcpy(&number, &value.payload, sizeof number);
    return number;
}

static inline s2l_string *as_string(s2l_value value)
{
    return (s2l_string *)(intptr_t)value.payload;
}

static inline s2l_array *as_array(s2l_value value)
{
    return (s2l_array *)(intptr_t)value.payload;
}

static inline s2l_reference *as_reference(s2l_value value)
{
    return (s2l_reference *)(intptr_t)value.payload;
}

static inline s2l_counted *as_counted(s2l_value value)
{
    return (s2l_counted *)(intptr_t)value.payload;
}

static inline bool is_counted(s2l_value value)
{
    return value.tag >= S2L_TAG_STRING && value.tag != S2L_TAG_ERROR;
}

static inline bool is_error(s2l_value value)
{
    return value.tag == S2L_TAG_ERROR;
}

/* s2l_value_dup and s2l_value_drop where they are hot. */
static inline void value_dup(s2l_value value)
{
    if (is_counted(value) && as_counted(value)->refcount >= 0)
        as_counted(value)->refcount++;
}

static inline void value_drop(s2l_context *context, s2l_value value)
{
    if (is_counted(value) && as_counted(value)->refcount >= 0 && --as_counted(value)->refcount == 0)
        s2l_value_free(context, value);
}

/* What a variable holds, seen through a reference. */
static inline s2l_value dereference(s2l_value value)
{
    if (UNLIKELY(value.tag == S2L_TAG_REFERENCE)) {
        const s2l_reference *reference = as_reference(value);
        return make_value(reference->payload, reference->tag);
    }
    return value;
}

/* ---- strings -------------------------------------------------------------------------------------------------------- */

static inline char *string_bytes(const s2l_string *string)
{
    return (char *)(uintptr_t)(string + 1);
}

static inline s2l_string *string_dup(s2l_string *string)
{
    if (string->refcount >= 0)
        string->refcount++;
    return string;
}

static inline void string_drop(s2l_context *context, s2l_string *string)
{
    if (string->refcount >= 0 && --string->refcount == 0)
        s2l_string_free(context, string);
}

typedef struct s2l_byte_string {
    s2l_string head;
    char bytes[8];
} s2l_byte_string;
_Static_assert(sizeof(s2l_byte_string) == 40, "prelude_strings.ll");
extern s2l_byte_string s2l_one_byte_strings[256];

static inline s2l_string *one_byte_string(uint8_t byte)
{
    return &s2l_one_byte_strings[byte].head;
}

/* An owned string of `length` bytes still to be written (its NUL is written). Fatal when PHP would give up. */
s2l_string *s2l_string_allocate(s2l_context *context, uint64_t length);
/* `string` (consumed) with room for `capacity` bytes and count 1; moves when it must, and forgets the hash. */
s2l_string *s2l_string_reserve(s2l_context *context, s2l_string *string, uint64_t capacity);
/* Sets the length of a string of count 1 within its capacity. */
void s2l_string_set_length(s2l_string *string, uint64_t length);

/* The bytes of a scalar as (string) would have them, without allocation: `scratch` is used for numbers. */
#define S2L_SCRATCH_SIZE 80
typedef struct s2l_bytes {
    const char *bytes;
    uint64_t length;
} s2l_bytes;
s2l_bytes s2l_bytes_of(s2l_context *context, s2l_value value, char scratch[S2L_SCRATCH_SIZE]);

/* ---- growing text (text.c) -------------------------------------------------------------------------------------------- */

/* A string under construction; text_finish gives it away, text_abandon drops it. */
typedef struct s2l_text {
    s2l_context *context;
    s2l_string *string;
} s2l_text;

s2l_text s2l_text_start(s2l_context *context);
void s2l_text_bytes(s2l_text *text, const char *bytes, uint64_t length);
void s2l_text_cstring(s2l_text *text, const char *bytes);
void s2l_text_fill(s2l_text *text, char byte, uint64_t count);
void s2l_text_long(s2l_text *text, int64_t number);
/* As `echo` with the given `precision` (-1 = shortest); `zero_fraction` adds ".0" to a whole number, as var_export does. */
void s2l_text_double(s2l_text *text, double number, int precision, bool zero_fraction);
s2l_string *s2l_text_finish(s2l_text *text);
void s2l_text_abandon(s2l_text *text);
/* Formats like printf into a string that the caller owns; for messages. */
s2l_string *s2l_message_list(s2l_context *context, const char *format, va_list arguments);
__attribute__((format(printf, 2, 3))) s2l_string *s2l_message(s2l_context *context, const char *format, ...);

/* ---- memory (alloc.c) --------------------------------------------------------------------------------------------------- */

/* Sized allocation: the size given to free must be the size asked for. Memory is 16-byte aligned. Fatal when exhausted. */
void *s2l_allocate_any(s2l_context *context, uint64_t size);
void s2l_free_any(s2l_context *context, void *block, uint64_t size);

/* Under AddressSanitizer every block is malloc'ed and freed singly, so that it sees each use after free. */
#if defined(__SANITIZE_ADDRESS__)
#define S2L_POOLED 0
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define S2L_POOLED 0
#endif
#endif
#ifndef S2L_POOLED
#define S2L_POOLED 1
#endif

#define S2L_SMALL_LIMIT ((uint64_t)(S2L_SMALL_CLASS_COUNT - 1) * S2L_SMALL_GRANULE)

static inline uint64_t s2l_small_class(uint64_t size)
{
    return (size + S2L_SMALL_GRANULE - 1) / S2L_SMALL_GRANULE;
}

/* A free block of a small size begins with the address of the next. */
static inline void *s2l_allocate(s2l_context *context, uint64_t size)
{
    if (S2L_POOLED && LIKELY(size <= S2L_SMALL_LIMIT)) {
        void **list = &context->free_lists[s2l_small_class(size)];
        void *block = *list;
        if (LIKELY(block != NULL)) {
            memcpy(list, block, sizeof *list);
            return block;
        }
    }
    return s2l_allocate_any(context, size);
}

static inline void s2l_free(s2l_context *context, void *block, uint64_t size)
{
    if (!S2L_POOLED || UNLIKELY(size > S2L_SMALL_LIMIT)) {
        s2l_free_any(context, block, size);
        return;
    }
    void **list = &context->free_lists[s2l_small_class(size)];
    memcpy(block, list, sizeof *list);
    *list = block;
}
void *s2l_reallocate(s2l_context *context, void *block, uint64_t old_size, uint64_t new_size);
/* The whole size of the block that s2l_allocate(size) gives: the caller may use all of it. */
uint64_t s2l_block_size(uint64_t size);
void s2l_memory_release_all(s2l_context *context);

/* ---- numbers as text (digits.c, number_format.c, numeric_string.c) --------------------------------------------------------- */

#define S2L_MAX_DIGITS 1100

/* Decimal digits of a finite non-zero |number|: 0.d1d2d3… * 10^exponent. Correctly rounded, ties to even; trailing zeros
   are removed. DIGITS_SHORTEST: the fewest that read back as the same double. DIGITS_COUNT: at most `limit` digits.
   DIGITS_FRACTION: `limit` digits after the decimal point (count may then be 0). */
typedef enum { DIGITS_SHORTEST, DIGITS_COUNT, DIGITS_FRACTION } s2l_digit_mode;
typedef struct s2l_digits {
    int32_t count;
    int32_t exponent;
    char digit[S2L_MAX_DIGITS];
} s2l_digits;
void s2l_make_digits(double number, s2l_digit_mode mode, int32_t limit, s2l_digits *digits);
/* The same for the numbers that it can do quickly (digits_fast.c); false for others. `number` is positive. */
bool s2l_make_digits_fast(double number, s2l_digit_mode mode, int32_t limit, s2l_digits *digits);

/* Writes decimal text ending just before `end`; gives its first byte. At most 20 bytes. */
char *s2l_write_long(char *end, int64_t number);
char *s2l_write_unsigned(char *end, uint64_t number);
/* As PHP's %.*G with `precision` (-1: shortest form) and `exponent_letter`; gives the length (<= S2L_SCRATCH_SIZE). */
uint64_t s2l_write_double(char *buffer, double number, int precision, char exponent_letter);

/* A numeric prefix: kind LONG or DOUBLE, or 0 when there is none. */
typedef struct s2l_number {
    int64_t kind;
    int64_t integer;
    double real;
    bool trailing;    /* bytes that are not white space follow */
    int32_t overflow; /* an integer too large for int64: 1, too small: -1 */
} s2l_number;
s2l_number s2l_parse_number(const char *bytes, uint64_t length);
/* The same, but 0 unless the whole string is numeric. */
s2l_number s2l_parse_whole_number(const char *bytes, uint64_t length);
/* Like C's strtod, without locale, hexadecimal, inf and nan; `end` may be NULL. */
double s2l_parse_double(const char *bytes, uint64_t length, const char **end);

/* ---- arrays (array_compare.c; the rest is in array_internal.h) ------------------------------------------------------------- */

bool s2l_array_is_identical(const s2l_array *left, const s2l_array *right);
int32_t s2l_array_compare(s2l_context *context, const s2l_array *left, const s2l_array *right);

/* ---- conversion ------------------------------------------------------------------------------------------------------------- */

const char *s2l_type_name(s2l_value value);   /* "int", as in TypeErrors */
const char *s2l_gettype_name(s2l_value value); /* "integer", as gettype() */
/* (int) of a float inside a numeric string: saturating. */
int64_t s2l_double_to_long_saturating(double number);
bool s2l_double_fits_long(double number);
/* The operand of % << >> | & ^: false without a warning being possible = TypeError by the caller. */
bool s2l_operand_to_long(s2l_context *context, s2l_value operand, int64_t *result);
void s2l_deprecated_float_to_int(s2l_context *context, double number);
void s2l_deprecated_string_to_int(s2l_context *context, const s2l_string *string);

/* Arguments in weak mode (zend_parse_arg_*_weak): false when the type does not convert. Null counts as 0. */
bool s2l_weak_to_long(s2l_context *context, s2l_value value, int64_t *result);
bool s2l_weak_to_double(s2l_value value, double *result);

static inline bool is_digit(char byte)
{
    return byte >= '0' && byte <= '9';
}

/* ASCII white space as C's isspace has it in the C locale. */
static inline bool is_space(char byte)
{
    return byte == ' ' || (byte >= '\t' && byte <= '\r');
}

static inline int32_t s2l_lower_byte(char byte)
{
    return (uint8_t)(byte >= 'A' && byte <= 'Z' ? byte - 'A' + 'a' : byte);
}

/* PHP's E_* bits. */
#define S2L_REPORT_WARNING 2
#define S2L_REPORT_NOTICE 8
#define S2L_REPORT_DEPRECATED 8192
#define S2L_REPORT_ALL 32767
#define S2L_REPORT_SILENCED 4437 /* what @ leaves on: errors that end the program */

/* ---- errors ------------------------------------------------------------------------------------------------------------------- */

__attribute__((format(printf, 3, 4))) void s2l_throw_format(
    s2l_context *context, const char *class_name, const char *format, ...);
/* Thrown by the builtin `function`, which stands in the trace (NULL: in none). Gives the error value. */
__attribute__((format(printf, 4, 5))) s2l_value s2l_throw_in(
    s2l_context *context, const char *function, const char *class_name, const char *format, ...);
__attribute__((format(printf, 2, 3))) void s2l_warning_format(s2l_context *context, const char *format, ...);
__attribute__((format(printf, 2, 3))) void s2l_deprecated_format(s2l_context *context, const char *format, ...);
/* Prints the pending error as PHP prints an uncaught one (a library keeps it as its failure), and clears it. */
void s2l_report_uncaught(s2l_context *context);
/* The same for a fatal error, which is no exception: "Fatal error: message in FILE on line N". */
void s2l_report_fatal(s2l_context *context, const char *message);
void s2l_clear_error(s2l_context *context);
/* Where the program is: file (never NULL) and line of the top frame. */
const char *s2l_current_file(const s2l_context *context);
uint32_t s2l_current_line(const s2l_context *context);

/* An Error or Exception (throwable.c), the only objects so far. */
typedef struct s2l_throwable {
    int32_t refcount;
    uint32_t kind;
    const char *class_name;
    s2l_string *message;
    s2l_value previous;
    s2l_string *trace; /* complete lines, without {main} */
    s2l_string *text;  /* __toString, when it was asked for */
    int64_t trace_depth;
    bool chained; /* `previous` came along: what is added to this trace belongs to that one too */
    int64_t code;
    const char *file;
    uint32_t line;
} s2l_throwable;

static inline s2l_throwable *as_throwable(s2l_value value)
{
    return (s2l_throwable *)(intptr_t)value.payload;
}

/* A new error (count 1) of a class whose name outlives the context, at the current place; `message` is consumed. */
s2l_throwable *s2l_throwable_new(s2l_context *context, const char *class_name, s2l_string *message);
void s2l_throwable_free(s2l_context *context, s2l_throwable *error);
/* Gives a new error its trace: `builtin` (may be NULL), then the calls between the frames that are linked. */
void s2l_trace_start(s2l_context *context, s2l_throwable *error, const char *builtin);
/* "Class: message in FILE:LINE", without ": message" when that is empty. */
void s2l_throwable_head(s2l_text *text, const s2l_throwable *error);
/* That with the trace, and after those of its causes: __toString. */
void s2l_throwable_text(s2l_text *text, const s2l_throwable *error);
/* The same as a string that belongs to the error. */
s2l_string *s2l_throwable_string(s2l_context *context, s2l_throwable *error);

/* ---- the hidden part of a context ------------------------------------------------------------------------------------------------ */

typedef struct s2l_large_block {
    struct s2l_large_block *previous;
    struct s2l_large_block *next;
    uint64_t size;
    uint64_t reserved;
} s2l_large_block;

#define S2L_LARGE_CLASS_COUNT 160

typedef struct s2l_memory {
    char *bump;
    char *bump_limit;
    uint64_t obtained; /* bytes from malloc now, and the most there were */
    uint64_t most_obtained;
    s2l_large_block blocks; /* head of the ring of everything obtained from malloc */
    void *large_free_lists[S2L_LARGE_CLASS_COUNT];
} s2l_memory;

typedef struct s2l_stack {
    char *lowest; /* of the mapping: the guard lies from here to `usable` */
    char *usable;
    uint64_t size;    /* usable bytes */
    jmp_buf *landing; /* where a stack overflow or fatal error jumps to; NULL outside a run */
} s2l_stack;

typedef struct s2l_constant {
    s2l_string *name;
    s2l_value value;
} s2l_constant;

typedef struct s2l_hidden {
    s2l_memory memory;
    s2l_stack stack;
    s2l_throwable *error; /* what is pending by a throw */
    s2l_write *write;
    void *write_user;
    uint64_t argument_count;
    char **arguments;
    char *output;
    s2l_text *captures; /* ob_start: the innermost last */
    uint64_t capture_count;
    uint64_t capture_capacity;
    int64_t error_reporting;
    const s2l_program *program;
    int64_t exit_code;
    int32_t precision;
    int32_t serialize_precision;
    s2l_constant *constants;
    uint64_t constant_count;
    uint64_t constant_capacity;
    const s2l_function_info **declared;
    uint64_t declared_count;
    uint64_t declared_capacity;
    uint32_t comparison_depth; /* arrays within arrays that are being compared */
    s2l_reference *returned; /* by the function that has just returned, or NULL */
    uint64_t reference_loops; /* foreach loops by reference that are running: positions in hashes must not move */
    bool is_library; /* errors are kept in `failure` for the host instead of printed */
    s2l_string *failure;
} s2l_hidden;

/* ---- output (output.c) ----------------------------------------------------------------------------------------------------------- */

#define S2L_OUTPUT_SIZE ((uint64_t)1 << 16)
void s2l_capture_start(s2l_context *context);
/* What the innermost capture holds, owned; NULL when there is none. */
s2l_string *s2l_capture_end(s2l_context *context);
/* Prints what all captures hold. */
void s2l_capture_flush_all(s2l_context *context);

/* ---- the large stack (stack.c) ------------------------------------------------------------------------------------------------------ */

/* Why a call on the large stack ended. */
typedef enum { STACK_RETURNED, STACK_FATAL, STACK_EXHAUSTED } s2l_stack_end;
bool s2l_stack_map(s2l_context *context, uint64_t size);
void s2l_stack_unmap(s2l_context *context);
/* Calls body(context, argument) on the large stack; directly if this context is running on it already. */
s2l_stack_end s2l_stack_call(s2l_context *context, void (*body)(s2l_context *context, void *argument), void *argument);
/* Abandons everything on the large stack: s2l_stack_call returns STACK_FATAL. */
_Noreturn void s2l_stack_leave(s2l_context *context);

/* ---- contexts (context.c) ---------------------------------------------------------------------------------------------------------------- */

s2l_context *s2l_context_create(const s2l_program *program, const s2l_options *options);
/* Drops what the program still owns (cells, constants, error); gives the number of objects that are left. */
int64_t s2l_context_clear(s2l_context *context);
void s2l_context_destroy(s2l_context *context);

/* ---- builtins (arguments.c) ----------------------------------------------------------------------------------------------------------- */

/* The arguments of one call of a builtin. Indices count from 0; `name` is the parameter's without `$`. The take functions
   coerce as PHP's parameter parsing does, in the caller's mode; false = an error is pending. */
typedef struct s2l_arguments {
    s2l_context *context;
    const char *function;
    uint32_t count;
    const s2l_value *values;
    bool is_instruction; /* PHP compiles the call to an instruction, so its errors have no frame of their own */
    uint32_t temporary_count;
    s2l_string *temporaries[4]; /* strings made from arguments of other types; s2l_done drops them */
} s2l_arguments;

#define NO_LIMIT UINT32_MAX
bool s2l_check_count(const s2l_arguments *arguments, uint32_t least, uint32_t most);
bool s2l_take_long(const s2l_arguments *arguments, uint32_t index, const char *name, int64_t *result);
bool s2l_take_double(const s2l_arguments *arguments, uint32_t index, const char *name, double *result);
bool s2l_take_bool(const s2l_arguments *arguments, uint32_t index, const char *name, bool *result);
/* A string that lives until s2l_done. */
bool s2l_take_string(s2l_arguments *arguments, uint32_t index, const char *name, s2l_string **result);
/* The same for a parameter that may be an array, which this argument is not. */
bool s2l_take_array_or_string_text(
    s2l_arguments *arguments, uint32_t index, const char *name, s2l_string **result);
/* A LONG or DOUBLE. */
bool s2l_take_number(const s2l_arguments *arguments, uint32_t index, const char *name, s2l_value *result);
/* Optional parameters: `result` keeps its value when the argument is missing or (nullable) null. */
bool s2l_take_optional_long(const s2l_arguments *arguments, uint32_t index, const char *name, int64_t *result);
bool s2l_take_optional_bool(const s2l_arguments *arguments, uint32_t index, const char *name, bool *result);
bool s2l_take_optional_string(s2l_arguments *arguments, uint32_t index, const char *name, s2l_string **result);
bool s2l_take_nullable_string(s2l_arguments *arguments, uint32_t index, const char *name, s2l_string **result);
bool s2l_take_nullable_long(const s2l_arguments *arguments, uint32_t index, const char *name, int64_t *result);
/* Ends a builtin that took strings: gives `result` back. */
s2l_value s2l_done(s2l_arguments *arguments, s2l_value result);
/* "f(): Argument #2 ($name) <what>" as ValueError; gives the error value. */
s2l_value s2l_argument_error(const s2l_arguments *arguments, uint32_t index, const char *name, const char *what);

/* Marks the bytes named by a list with ranges ("a..z"), as trim and ucwords take it. */
void s2l_byte_mask(s2l_context *context, const char *function, const s2l_string *list, bool mask[256]);

/* Declares a builtin and its arguments; returns at once when their number is wrong. */
#define BUILTIN(name) s2l_value s2l_fn_##name(s2l_context *context, uint32_t argc, const s2l_value *argv)
#define TAKE(name, least, most)                                                                                         \
    s2l_arguments arguments = {context, #name, argc, argv, false, 0, {NULL}};                                                  \
    if (!s2l_check_count(&arguments, least, most))                                                                      \
    return error_value()

/* Order of two function names without regard to case: `left` ends in NUL. */
int32_t s2l_order_names(const char *left, const char *right, uint64_t right_length);
/* The builtin called `name` (any case), or NULL. */
const s2l_function_info *s2l_builtin_find(const char *name, uint64_t length);
/* The constant called `name`, dup'ed into `value`. */
bool s2l_constant_find(s2l_context *context, const s2l_string *name, s2l_value *value);
/* The predefined constant called `name`, owned; false if there is none. */
bool s2l_predefined_constant(s2l_context *context, const char *name, uint64_t length, s2l_value *value);

#endif
