/* The runtime as generated code and hosts see it.

   One prototype a function, in one statement without macros: ssa2llvm/llvm/runtime_api.py reads this file and gives the
   lowering the LLVM signature of each (`s2l_value` parameter = two i64, `s2l_value` result = {i64, i64}, bool = zeroext
   i1, uint8_t = zeroext i8, pointers = ptr). No function takes more than six register words, so that a value passed by
   value lies in two registers on every supported ABI.

   Words used below:
     borrowed  the caller keeps its count; the function adds one if it keeps the object.      (the default)
     consumed  the caller's count passes to the function, whether it fails or not.
     owned     the caller gets a count of its own that it must drop. Immortal objects may come back: dropping them is free.
   Failure: a function that returns s2l_value fails by a result whose tag is S2L_TAG_ERROR; one that returns bool and is
   marked "fails" by false. context->pending then says why (S2L_PENDING_*), and the caller must unwind: drop what it owns,
   pop its frame, return failure itself. Functions not marked "fails" never fail.
   Places: whoever warns or throws reads context->frame for function, file and line. Frames are lazy: a cold path links
   one with its line just before it calls such a function and unlinks it afterwards (context->frame is NULL between
   statements). Calls that an error unwinds through are added to its trace by s2l_trace_add.
   No parameter is a REFERENCE and none but those named so is UNDEF: generated code dereferences and warns first.
   Builtin functions are in builtins.h. */
#ifndef S2L_API_H
#define S2L_API_H

#include "layout.h"

/* ---- programs, contexts, hosts (context.c, run.c) ------------------------------------------------------------------ */

/* Takes `length` bytes of output; `user` is the host's. */
typedef void s2l_write(void *user, const char *bytes, uint64_t length);

/* All zero means: standard output, 1 GiB of stack, no arguments. `arguments` are $argv: the script's name first. */
typedef struct s2l_options {
    s2l_write *write;
    void *user;
    uint64_t stack_size;
    uint64_t argument_count;
    char **arguments;
} s2l_options;

/* How a run ended: PHP's exit code, and the counted objects still alive after everything was dropped (a leak; told as 0
   after a fatal error, which drops nothing). */
typedef struct s2l_report {
    int64_t exit_code;
    int64_t live;
} s2l_report;

/* Runs a whole program on its own stack; prints an uncaught error as PHP does; returns the exit code. `options` and
   `report` may be NULL. For JIT hosts. */
int32_t s2l_run(const s2l_program *program, const s2l_options *options, s2l_report *report);

/* The body of an executable's main(). With S2L_CHECK_LEAKS=1 in the environment, live objects at the end are told on
   standard error and make the exit code 99. */
int32_t s2l_main_entry(const s2l_program *program, int32_t argc, char **argv);

/* $argv, owned: a list of strings. $argc is its count. */
s2l_array *s2l_argument_list(s2l_context *context);

/* Opens a library: makes its context and runs its top-level code once. NULL only without memory; an error of the
   top-level code is reported by s2l_library_error. `options` may be NULL. */
s2l_context *s2l_library_open(const s2l_program *program, const s2l_options *options);

/* Calls thunk(context, arguments) on the library's stack (directly if already on it). Fails: if the thunk failed, threw
   or ran out of stack; the error text is then kept until the next call. Output is flushed after each outermost call. */
bool s2l_library_call(s2l_context *context, bool (*thunk)(s2l_context *context, void *arguments), void *arguments);

/* Text of the last failure, "Class: message in FILE:LINE" (or "exit(CODE)"), or NULL when the last call succeeded. It
   belongs to the context and lives until the next call. */
const char *s2l_library_error(s2l_context *context);

/* Drops everything the library owns. Returns the number of objects that leaked. */
int64_t s2l_library_close(s2l_context *context);

/* ---- counted objects (alloc.c, value.c) ---------------------------------------------------------------------------- */

/* Frees the object behind a counted value whose count has just become 0 (the cold half of DROP). */
void s2l_value_free(s2l_context *context, s2l_value value);
/* The same for a string: only for a string nobody counts any more. */
void s2l_string_free(s2l_context *context, s2l_string *string);
void s2l_reference_free(s2l_context *context, s2l_reference *reference);

/* Whole DROP and DUP, any tag. */
void s2l_value_drop(s2l_context *context, s2l_value value);
void s2l_value_dup(s2l_value value);

/* A new cell (owned, count 1) holding `value` (consumed). */
s2l_reference *s2l_reference_new(s2l_context *context, s2l_value value);

/* A function that returns by reference leaves the reference here (consumed) besides its value; who called it takes it at
   once (NULL: there was none), as nobody else may find it. */
void s2l_return_reference(s2l_context *context, s2l_reference *reference);
s2l_reference *s2l_returned_reference(s2l_context *context);
void s2l_forget_reference(s2l_context *context);

/* Turns cell number `cell` of context->cells into a REFERENCE if it is none yet; the reference, borrowed. */
s2l_reference *s2l_cell_reference(s2l_context *context, uint64_t cell);

/* ---- strings (string.c, string_build.c) ----------------------------------------------------------------------------- */

/* The empty string and the 256 one-byte strings; immortal. */
s2l_string *s2l_string_empty(void);
s2l_string *s2l_string_of_byte(uint8_t byte);

/* A copy of `length` bytes, owned. Lengths 0 and 1 give immortal strings. */
s2l_string *s2l_string_new(s2l_context *context, const char *bytes, uint64_t length);

/* left . right, owned. */
s2l_string *s2l_string_concat(s2l_context *context, s2l_string *left, s2l_string *right);

/* `.=`: left (consumed) . right (borrowed; may be the same object), owned. In place when the count of `left` is 1. */
s2l_string *s2l_string_append(s2l_context *context, s2l_string *left, s2l_string *right);
s2l_string *s2l_string_append_long(s2l_context *context, s2l_string *left, int64_t right);
s2l_string *s2l_string_append_double(s2l_context *context, s2l_string *left, double right);

/* Interpolation: `count` strings (borrowed) joined, owned. */
s2l_string *s2l_string_join(s2l_context *context, uint64_t count, s2l_string *const *parts);

uint64_t s2l_string_hash(s2l_string *string);

/* === of strings, == of strings (numeric strings compare as numbers), <=> of strings (-1, 0, 1) */
bool s2l_string_is_identical(const s2l_string *left, const s2l_string *right);
bool s2l_string_is_equal(const s2l_string *left, const s2l_string *right);
int32_t s2l_string_compare(const s2l_string *left, const s2l_string *right);

/* `$string[$offset]`, owned (an immortal one-byte string), with PHP's warning when there is no such byte. */
s2l_string *s2l_string_read_offset(s2l_context *context, const s2l_string *string, int64_t offset);

/* ---- conversion (convert.c, numeric_string.c, number_format.c) ------------------------------------------------------- */

bool s2l_to_bool(s2l_value value);
int64_t s2l_to_long(s2l_value value);
double s2l_to_double(s2l_value value);
/* (string), owned. */
s2l_string *s2l_to_string(s2l_context *context, s2l_value value);

s2l_string *s2l_long_to_string(s2l_context *context, int64_t number);
s2l_string *s2l_double_to_string(s2l_context *context, double number);
bool s2l_string_to_bool(const s2l_string *string);
int64_t s2l_string_to_long(const s2l_string *string);
double s2l_string_to_double(const s2l_string *string);
/* (int) of a float: modulo 2^64, NaN and infinities give 0. */
int64_t s2l_double_to_long(double number);
/* The same for operators (% << | …): deprecation when precision is lost. */
int64_t s2l_double_to_long_operand(s2l_context *context, double number);

/* ---- operators on any pair of values (arith.c, arith_bits.c, incdec.c, compare.c) --------------------------------------- */

/* Results owned. Fail with TypeError, DivisionByZeroError, ArithmeticError. UNDEF counts as NULL. */
s2l_value s2l_add(s2l_context *context, s2l_value left, s2l_value right);
s2l_value s2l_sub(s2l_context *context, s2l_value left, s2l_value right);
s2l_value s2l_mul(s2l_context *context, s2l_value left, s2l_value right);
s2l_value s2l_div(s2l_context *context, s2l_value left, s2l_value right);
s2l_value s2l_mod(s2l_context *context, s2l_value left, s2l_value right);
s2l_value s2l_pow(s2l_context *context, s2l_value left, s2l_value right);
s2l_value s2l_shift_left(s2l_context *context, s2l_value left, s2l_value right);
s2l_value s2l_shift_right(s2l_context *context, s2l_value left, s2l_value right);
s2l_value s2l_bw_or(s2l_context *context, s2l_value left, s2l_value right);
s2l_value s2l_bw_and(s2l_context *context, s2l_value left, s2l_value right);
s2l_value s2l_bw_xor(s2l_context *context, s2l_value left, s2l_value right);
s2l_value s2l_bw_not(s2l_context *context, s2l_value operand);
s2l_value s2l_concat(s2l_context *context, s2l_value left, s2l_value right);

/* `.=`: left consumed, right borrowed; in place when possible. Fails. */
s2l_value s2l_assign_concat(s2l_context *context, s2l_value left, s2l_value right);

/* int ** int: LONG, or DOUBLE when it overflows or the exponent is negative. */
s2l_value s2l_pow_long(int64_t base, int64_t exponent);

/* ++ and --: operand consumed, result owned. Fail. UNDEF counts as NULL. */
s2l_value s2l_increment(s2l_context *context, s2l_value operand);
s2l_value s2l_decrement(s2l_context *context, s2l_value operand);

/* ==, ===, <, <=, <=> (-1, 0, 1; an unordered pair gives 1) and xor-able truth; UNDEF counts as NULL. */
bool s2l_is_equal(s2l_context *context, s2l_value left, s2l_value right);
bool s2l_is_identical(s2l_value left, s2l_value right);
bool s2l_is_smaller(s2l_context *context, s2l_value left, s2l_value right);
bool s2l_is_smaller_or_equal(s2l_context *context, s2l_value left, s2l_value right);
int32_t s2l_compare(s2l_context *context, s2l_value left, s2l_value right);

/* `$container[$dimension]` for reading: owned; warns; fails. _is is the quiet form of `??` (NULL when there is none). */
s2l_value s2l_fetch_dim_read(s2l_context *context, s2l_value container, s2l_value dimension);
s2l_value s2l_fetch_dim_is(s2l_context *context, s2l_value container, s2l_value dimension);
/* isset($container[$dimension]) and empty($container[$dimension]); they throw for an illegal key (see context->pending) */
bool s2l_isset_dim(s2l_context *context, s2l_value container, s2l_value dimension);
bool s2l_empty_dim(s2l_context *context, s2l_value container, s2l_value dimension);

/* ---- output (output.c) ------------------------------------------------------------------------------------------------ */

void s2l_echo(s2l_context *context, s2l_value value);
void s2l_echo_string(s2l_context *context, const s2l_string *string);
void s2l_echo_bytes(s2l_context *context, const char *bytes, uint64_t length);
void s2l_echo_long(s2l_context *context, int64_t number);
void s2l_echo_double(s2l_context *context, double number);
void s2l_flush(s2l_context *context);

/* ---- errors (errors.c, trace.c); messages are NUL-terminated, borrowed --------------------------------------------------- */

void s2l_warning(s2l_context *context, const char *message);
void s2l_notice(s2l_context *context, const char *message);
void s2l_deprecated(s2l_context *context, const char *message);
/* @: begin gives the level to hand to end (ZEND_BEGIN_SILENCE, ZEND_END_SILENCE). */
int64_t s2l_begin_silence(s2l_context *context);
void s2l_end_silence(s2l_context *context, int64_t level);
/* "Undefined variable $name" */
void s2l_undefined_variable(s2l_context *context, const char *name);

/* Sets the pending error; the caller then unwinds. class_name must outlive the context (a literal). */
void s2l_throw(s2l_context *context, const char *class_name, const char *message);
void s2l_throw_division_by_zero(s2l_context *context);
void s2l_throw_modulo_by_zero(s2l_context *context);
void s2l_throw_negative_shift(s2l_context *context);
/* UnhandledMatchError for `subject` */
void s2l_throw_unhandled_match(s2l_context *context, s2l_value subject);
/* Error "Call to undefined function name()" */
void s2l_throw_undefined_function(s2l_context *context, const char *name);

/* Adds "caller.file(line): callee.name()" to the trace of the pending error: each call site does it while unwinding,
   innermost first. A `caller` of NULL is a C host. Does nothing when what is pending is no thrown error. */
void s2l_trace_add(
    s2l_context *context, const s2l_function_info *caller, uint32_t line, const s2l_function_info *callee);

/* ArgumentCountError of a user function: called when the callee's frame is on top (its caller's below it). `required` of
   the declared parameters are required; `exactly` says that none is optional (and none variadic). */
void s2l_throw_too_few_arguments(s2l_context *context, uint32_t passed, uint32_t required, bool exactly);

/* exit / die: an int is the exit code, anything else is echoed (pass UNDEF for none); sets pending EXIT; the caller unwinds. */
void s2l_exit(s2l_context *context, s2l_value status);

/* Ends the program now, like a PHP fatal error ("Fatal error: message in FILE on line N", exit code 255); no return. */
_Noreturn void s2l_fatal(s2l_context *context, const char *message);

/* ---- calls (coerce.c, functions.c) ---------------------------------------------------------------------------------------- */

/* Checks and coerces an argument (consumed) to a declared type: owned. Called with the callee's frame on top; strictness
   is the caller's. Fails with TypeError. */
s2l_value s2l_coerce_parameter(s2l_context *context, s2l_value argument, const s2l_parameter_info *parameter);
/* The same for a returned value; strictness is the function's own. A `void`-less missing value is UNDEF. */
s2l_value s2l_coerce_return(s2l_context *context, s2l_value value, const s2l_parameter_info *type);

/* The function called `name` (any case, a leading backslash allowed), or NULL: user functions and builtins. */
const s2l_function_info *s2l_function_find(s2l_context *context, const s2l_string *name);
/* A conditional declaration has been reached. Fails (fatal) if the name is taken. */
void s2l_function_declare(s2l_context *context, const s2l_function_info *function);

/* ---- constants (constants.c) ------------------------------------------------------------------------------------------------ */

/* `const NAME = value` at run time (value borrowed). Warns and gives false if it exists already. */
bool s2l_constant_define(s2l_context *context, const s2l_string *name, s2l_value value);
/* Owned; fails with Error `Undefined constant "NAME"`. `fallback` (may be NULL) is the global name that an unqualified name
   inside a namespace also means. */
s2l_value s2l_constant_fetch(s2l_context *context, const s2l_string *name, const s2l_string *fallback);

#endif
