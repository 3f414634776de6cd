/* PHP's builtin functions. Each checks and coerces its own arguments, as weak or strict as its caller
   (context->frame->function->flags), with PHP's errors; arguments are borrowed; the result is owned; tag ERROR = thrown.
   s2l_fn_NAME is PHP's NAME. min, max, printf, sprintf and var_dump take any number of arguments. Arguments that PHP
   takes by reference (settype, sort, array_push, next, str_replace's count …) are REFERENCEs. Callbacks are names. */
#ifndef S2L_BUILTINS_H
#define S2L_BUILTINS_H

#include "layout.h"

/* ---- types and conversion (builtins_type.c) ---- */

s2l_value s2l_fn_gettype(s2l_context *context, uint32_t argc, const s2l_value *argv);
s2l_value s2l_fn_get_debug_type(s2l_context *context, uint32_t argc, const s2l_value *argv);
s2l_value s2l_fn_settype(s2l_context *context, uint32_t argc, const s2l_value *argv);
s2l_value s2l_fn_intval(s2l_context *context, uint32_t argc, const s2l_value *argv);
s2l_value s2l_fn_floatval(s2l_context *context, uint32_t argc, const s2l_value *argv);
s2l_value s2l_fn_doubleval(s2l_context *context, uint32_t argc, const s2l_value *argv);
s2l_value s2l_fn_boolval(s2l_context *context, uint32_t argc, const s2l_value *argv);
s2l_value s2l_fn_strval(s2l_context *context, uint32_t argc, const s2l_value *argv);
s2l_value s2l_fn_is_null(s2l_context *context, uint32_t argc, const s2l_value *argv);
s2l_value s2l_fn_is_bool(s2l_context *context, uint32_t argc, const s2l_value *argv);
s2l_value s2l_fn_is_int(s2l_context *context, uint32_t argc, const s2l_value *argv);
s2l_value s2l_fn_is_integer(s2l_context *context, uint32_t argc, const s2l_value *argv);
s2l_value s2l_fn_is_long(s2l_context *context, uint32_t argc, const s2l_value *argv);
s2l_value s2l_fn_is_float(s2l_context *context, uint32_t argc, const s2l_value *argv);
s2l_value s2l_fn_is_double(s2l_context *context, uint32_t argc, const s2l_value *argv);
s2l_value s2l_fn_is_string(s2l_context *context, uint32_t argc, const s2l_value *argv);
s2l_value s2l_fn_is_numeric(s2l_context *context, uint32_t argc, const s2l_value *argv);
s2l_value s2l_fn_is_scalar(s2l_context *context, uint32_t argc, const s2l_value *argv);
s2l_value s2l_fn_is_array(s2l_context *context, uint32_t argc, const s2l_value *argv);
s2l_value s2l_fn_is_object(s2l_context *context, uint32_t argc, const s2l_value *argv);
s2l_value s2l_fn_is_callable(s2l_context *context, uint32_t argc, const s2l_value *argv);
s2l_value s2l_fn_is_iterable(s2l_context *context, uint32_t argc, const s2l_value *argv);
s2l_value s2l_fn_is_countable(s2l_context *context, uint32_t argc, const s2l_value *argv);
s2l_value s2l_fn_is_resource(s2l_context *context, uint32_t argc, const s2l_value *argv);
s2l_value s2l_fn_is_nan(s2l_context *context, uint32_t argc, const s2l_value *argv);
s2l_value s2l_fn_is_finite(s2l_context *context, uint32_t argc, const s2l_value *argv);
s2l_value s2l_fn_is_infinite(s2l_context *context, uint32_t argc, const s2l_value *argv);

/* ---- strings (builtins_string.c, builtins_case.c, builtins_search.c) ---- */

s2l_value s2l_fn_strlen(s2l_context *context, uint32_t argc, const s2l_value *argv);
s2l_value s2l_fn_str_repeat(s2l_context *context, uint32_t argc, const s2l_value *argv);
s2l_value s2l_fn_substr(s2l_context *context, uint32_t argc, const s2l_value *argv);
s2l_value s2l_fn_strpos(s2l_context *context, uint32_t argc, const s2l_value *argv);
s2l_value s2l_fn_stripos(s2l_context *context, uint32_t argc, const s2l_value *argv);
s2l_value s2l_fn_strrpos(s2l_context *context, uint32_t argc, const s2l_value *argv);
s2l_value s2l_fn_strrev(s2l_context *context, uint32_t argc, const s2l_value *argv);
s2l_value s2l_fn_strtoupper(s2l_context *context, uint32_t argc, const s2l_value *argv);
s2l_value s2l_fn_strtolower(s2l_context *context, uint32_t argc, const s2l_value *argv);
s2l_value s2l_fn_ucfirst(s2l_context *context, uint32_t argc, const s2l_value *argv);
s2l_value s2l_fn_lcfirst(s2l_context *context, uint32_t argc, const s2l_value *argv);
s2l_value s2l_fn_ucwords(s2l_context *context, uint32_t argc, const s2l_value *argv);
s2l_value s2l_fn_trim(s2l_context *context, uint32_t argc, const s2l_value *argv);
s2l_value s2l_fn_ltrim(s2l_context *context, uint32_t argc, const s2l_value *argv);
s2l_value s2l_fn_rtrim(s2l_context *context, uint32_t argc, const s2l_value *argv);
s2l_value s2l_fn_chop(s2l_context *context, uint32_t argc, const s2l_value *argv);
s2l_value s2l_fn_chr(s2l_context *context, uint32_t argc, const s2l_value *argv);
s2l_value s2l_fn_ord(s2l_context *context, uint32_t argc, const s2l_value *argv);
s2l_value s2l_fn_strcmp(s2l_context *context, uint32_t argc, const s2l_value *argv);
s2l_value s2l_fn_strncmp(s2l_context *context, uint32_t argc, const s2l_value *argv);
s2l_value s2l_fn_strcasecmp(s2l_context *context, uint32_t argc, const s2l_value *argv);
s2l_value s2l_fn_strncasecmp(s2l_context *context, uint32_t argc, const s2l_value *argv);
s2l_value s2l_fn_str_contains(s2l_context *context, uint32_t argc, const s2l_value *argv);
s2l_value s2l_fn_str_starts_with(s2l_context *context, uint32_t argc, const s2l_value *argv);
s2l_value s2l_fn_str_ends_with(s2l_context *context, uint32_t argc, const s2l_value *argv);
s2l_value s2l_fn_str_pad(s2l_context *context, uint32_t argc, const s2l_value *argv);
s2l_value s2l_fn_substr_count(s2l_context *context, uint32_t argc, const s2l_value *argv);
s2l_value s2l_fn_strstr(s2l_context *context, uint32_t argc, const s2l_value *argv);
s2l_value s2l_fn_nl2br(s2l_context *context, uint32_t argc, const s2l_value *argv);
s2l_value s2l_fn_bin2hex(s2l_context *context, uint32_t argc, const s2l_value *argv);
s2l_value s2l_fn_md5(s2l_context *context, uint32_t argc, const s2l_value *argv);
s2l_value s2l_fn_sha1(s2l_context *context, uint32_t argc, const s2l_value *argv);
s2l_value s2l_fn_crc32(s2l_context *context, uint32_t argc, const s2l_value *argv);

/* ---- numbers (builtins_math.c, builtins_base.c) ---- */

s2l_value s2l_fn_dechex(s2l_context *context, uint32_t argc, const s2l_value *argv);
s2l_value s2l_fn_hexdec(s2l_context *context, uint32_t argc, const s2l_value *argv);
s2l_value s2l_fn_bindec(s2l_context *context, uint32_t argc, const s2l_value *argv);
s2l_value s2l_fn_decbin(s2l_context *context, uint32_t argc, const s2l_value *argv);
s2l_value s2l_fn_octdec(s2l_context *context, uint32_t argc, const s2l_value *argv);
s2l_value s2l_fn_decoct(s2l_context *context, uint32_t argc, const s2l_value *argv);
s2l_value s2l_fn_intdiv(s2l_context *context, uint32_t argc, const s2l_value *argv);
s2l_value s2l_fn_abs(s2l_context *context, uint32_t argc, const s2l_value *argv);
s2l_value s2l_fn_min(s2l_context *context, uint32_t argc, const s2l_value *argv);
s2l_value s2l_fn_max(s2l_context *context, uint32_t argc, const s2l_value *argv);
s2l_value s2l_fn_floor(s2l_context *context, uint32_t argc, const s2l_value *argv);
s2l_value s2l_fn_ceil(s2l_context *context, uint32_t argc, const s2l_value *argv);
s2l_value s2l_fn_round(s2l_context *context, uint32_t argc, const s2l_value *argv);
s2l_value s2l_fn_sqrt(s2l_context *context, uint32_t argc, const s2l_value *argv);
s2l_value s2l_fn_fmod(s2l_context *context, uint32_t argc, const s2l_value *argv);
s2l_value s2l_fn_fdiv(s2l_context *context, uint32_t argc, const s2l_value *argv);
s2l_value s2l_fn_pow(s2l_context *context, uint32_t argc, const s2l_value *argv);
s2l_value s2l_fn_exp(s2l_context *context, uint32_t argc, const s2l_value *argv);
s2l_value s2l_fn_expm1(s2l_context *context, uint32_t argc, const s2l_value *argv);
s2l_value s2l_fn_log(s2l_context *context, uint32_t argc, const s2l_value *argv);
s2l_value s2l_fn_log10(s2l_context *context, uint32_t argc, const s2l_value *argv);
s2l_value s2l_fn_log1p(s2l_context *context, uint32_t argc, const s2l_value *argv);
s2l_value s2l_fn_sin(s2l_context *context, uint32_t argc, const s2l_value *argv);
s2l_value s2l_fn_cos(s2l_context *context, uint32_t argc, const s2l_value *argv);
s2l_value s2l_fn_tan(s2l_context *context, uint32_t argc, const s2l_value *argv);
s2l_value s2l_fn_asin(s2l_context *context, uint32_t argc, const s2l_value *argv);
s2l_value s2l_fn_acos(s2l_context *context, uint32_t argc, const s2l_value *argv);
s2l_value s2l_fn_atan(s2l_context *context, uint32_t argc, const s2l_value *argv);
s2l_value s2l_fn_atan2(s2l_context *context, uint32_t argc, const s2l_value *argv);
s2l_value s2l_fn_sinh(s2l_context *context, uint32_t argc, const s2l_value *argv);
s2l_value s2l_fn_cosh(s2l_context *context, uint32_t argc, const s2l_value *argv);
s2l_value s2l_fn_tanh(s2l_context *context, uint32_t argc, const s2l_value *argv);
s2l_value s2l_fn_asinh(s2l_context *context, uint32_t argc, const s2l_value *argv);
s2l_value s2l_fn_acosh(s2l_context *context, uint32_t argc, const s2l_value *argv);
s2l_value s2l_fn_atanh(s2l_context *context, uint32_t argc, const s2l_value *argv);
s2l_value s2l_fn_pi(s2l_context *context, uint32_t argc, const s2l_value *argv);
s2l_value s2l_fn_hypot(s2l_context *context, uint32_t argc, const s2l_value *argv);
s2l_value s2l_fn_deg2rad(s2l_context *context, uint32_t argc, const s2l_value *argv);
s2l_value s2l_fn_rad2deg(s2l_context *context, uint32_t argc, const s2l_value *argv);
s2l_value s2l_fn_number_format(s2l_context *context, uint32_t argc, const s2l_value *argv);

/* ---- output (printf.c, var_dump.c, var_export.c) ---- */

s2l_value s2l_fn_printf(s2l_context *context, uint32_t argc, const s2l_value *argv);
s2l_value s2l_fn_sprintf(s2l_context *context, uint32_t argc, const s2l_value *argv);
s2l_value s2l_fn_vprintf(s2l_context *context, uint32_t argc, const s2l_value *argv);
s2l_value s2l_fn_vsprintf(s2l_context *context, uint32_t argc, const s2l_value *argv);
s2l_value s2l_fn_var_dump(s2l_context *context, uint32_t argc, const s2l_value *argv);
s2l_value s2l_fn_var_export(s2l_context *context, uint32_t argc, const s2l_value *argv);
s2l_value s2l_fn_print_r(s2l_context *context, uint32_t argc, const s2l_value *argv);

/* ---- functions, constants and time (builtins_system.c, throwable.c) ---- */

s2l_value s2l_fn_function_exists(s2l_context *context, uint32_t argc, const s2l_value *argv);
s2l_value s2l_fn_define(s2l_context *context, uint32_t argc, const s2l_value *argv);
s2l_value s2l_fn_defined(s2l_context *context, uint32_t argc, const s2l_value *argv);
s2l_value s2l_fn_constant(s2l_context *context, uint32_t argc, const s2l_value *argv);
s2l_value s2l_fn_hrtime(s2l_context *context, uint32_t argc, const s2l_value *argv);
s2l_value s2l_fn_microtime(s2l_context *context, uint32_t argc, const s2l_value *argv);
s2l_value s2l_fn_time(s2l_context *context, uint32_t argc, const s2l_value *argv);
s2l_value s2l_fn_memory_get_usage(s2l_context *context, uint32_t argc, const s2l_value *argv);
s2l_value s2l_fn_memory_get_peak_usage(s2l_context *context, uint32_t argc, const s2l_value *argv);
s2l_value s2l_fn_error_reporting(s2l_context *context, uint32_t argc, const s2l_value *argv);
s2l_value s2l_fn_flush(s2l_context *context, uint32_t argc, const s2l_value *argv);
s2l_value s2l_fn_ob_start(s2l_context *context, uint32_t argc, const s2l_value *argv);
s2l_value s2l_fn_ob_get_clean(s2l_context *context, uint32_t argc, const s2l_value *argv);
s2l_value s2l_fn_ob_end_clean(s2l_context *context, uint32_t argc, const s2l_value *argv);
s2l_value s2l_fn_ob_end_flush(s2l_context *context, uint32_t argc, const s2l_value *argv);
s2l_value s2l_fn_get_class(s2l_context *context, uint32_t argc, const s2l_value *argv);

/* ---- arrays (builtins_array.c, builtins_stack.c, builtins_query.c, builtins_set.c, builtins_pointer.c, builtins_range.c) ---- */

s2l_value s2l_fn_count(s2l_context *context, uint32_t argc, const s2l_value *argv);
s2l_value s2l_fn_sizeof(s2l_context *context, uint32_t argc, const s2l_value *argv);
s2l_value s2l_fn_array_keys(s2l_context *context, uint32_t argc, const s2l_value *argv);
s2l_value s2l_fn_array_values(s2l_context *context, uint32_t argc, const s2l_value *argv);
s2l_value s2l_fn_array_merge(s2l_context *context, uint32_t argc, const s2l_value *argv);
s2l_value s2l_fn_array_combine(s2l_context *context, uint32_t argc, const s2l_value *argv);
s2l_value s2l_fn_array_fill_keys(s2l_context *context, uint32_t argc, const s2l_value *argv);
s2l_value s2l_fn_array_flip(s2l_context *context, uint32_t argc, const s2l_value *argv);
s2l_value s2l_fn_array_reverse(s2l_context *context, uint32_t argc, const s2l_value *argv);
s2l_value s2l_fn_array_fill(s2l_context *context, uint32_t argc, const s2l_value *argv);
s2l_value s2l_fn_array_pad(s2l_context *context, uint32_t argc, const s2l_value *argv);
s2l_value s2l_fn_array_slice(s2l_context *context, uint32_t argc, const s2l_value *argv);
s2l_value s2l_fn_array_chunk(s2l_context *context, uint32_t argc, const s2l_value *argv);
s2l_value s2l_fn_array_push(s2l_context *context, uint32_t argc, const s2l_value *argv);
s2l_value s2l_fn_array_pop(s2l_context *context, uint32_t argc, const s2l_value *argv);
s2l_value s2l_fn_array_shift(s2l_context *context, uint32_t argc, const s2l_value *argv);
s2l_value s2l_fn_array_unshift(s2l_context *context, uint32_t argc, const s2l_value *argv);
s2l_value s2l_fn_array_splice(s2l_context *context, uint32_t argc, const s2l_value *argv);
s2l_value s2l_fn_array_key_exists(s2l_context *context, uint32_t argc, const s2l_value *argv);
s2l_value s2l_fn_key_exists(s2l_context *context, uint32_t argc, const s2l_value *argv);
s2l_value s2l_fn_array_key_first(s2l_context *context, uint32_t argc, const s2l_value *argv);
s2l_value s2l_fn_array_key_last(s2l_context *context, uint32_t argc, const s2l_value *argv);
s2l_value s2l_fn_array_is_list(s2l_context *context, uint32_t argc, const s2l_value *argv);
s2l_value s2l_fn_in_array(s2l_context *context, uint32_t argc, const s2l_value *argv);
s2l_value s2l_fn_array_search(s2l_context *context, uint32_t argc, const s2l_value *argv);
s2l_value s2l_fn_array_sum(s2l_context *context, uint32_t argc, const s2l_value *argv);
s2l_value s2l_fn_array_product(s2l_context *context, uint32_t argc, const s2l_value *argv);
s2l_value s2l_fn_array_count_values(s2l_context *context, uint32_t argc, const s2l_value *argv);
s2l_value s2l_fn_array_column(s2l_context *context, uint32_t argc, const s2l_value *argv);
s2l_value s2l_fn_array_unique(s2l_context *context, uint32_t argc, const s2l_value *argv);
s2l_value s2l_fn_array_diff(s2l_context *context, uint32_t argc, const s2l_value *argv);
s2l_value s2l_fn_array_diff_key(s2l_context *context, uint32_t argc, const s2l_value *argv);
s2l_value s2l_fn_array_diff_assoc(s2l_context *context, uint32_t argc, const s2l_value *argv);
s2l_value s2l_fn_array_intersect(s2l_context *context, uint32_t argc, const s2l_value *argv);
s2l_value s2l_fn_array_intersect_key(s2l_context *context, uint32_t argc, const s2l_value *argv);
s2l_value s2l_fn_current(s2l_context *context, uint32_t argc, const s2l_value *argv);
s2l_value s2l_fn_pos(s2l_context *context, uint32_t argc, const s2l_value *argv);
s2l_value s2l_fn_key(s2l_context *context, uint32_t argc, const s2l_value *argv);
s2l_value s2l_fn_next(s2l_context *context, uint32_t argc, const s2l_value *argv);
s2l_value s2l_fn_prev(s2l_context *context, uint32_t argc, const s2l_value *argv);
s2l_value s2l_fn_reset(s2l_context *context, uint32_t argc, const s2l_value *argv);
s2l_value s2l_fn_end(s2l_context *context, uint32_t argc, const s2l_value *argv);
s2l_value s2l_fn_range(s2l_context *context, uint32_t argc, const s2l_value *argv);

/* ---- strings and arrays (builtins_join.c) ---- */

s2l_value s2l_fn_implode(s2l_context *context, uint32_t argc, const s2l_value *argv);
s2l_value s2l_fn_join(s2l_context *context, uint32_t argc, const s2l_value *argv);
s2l_value s2l_fn_explode(s2l_context *context, uint32_t argc, const s2l_value *argv);
s2l_value s2l_fn_str_split(s2l_context *context, uint32_t argc, const s2l_value *argv);
s2l_value s2l_fn_str_replace(s2l_context *context, uint32_t argc, const s2l_value *argv);

/* ---- sorting and callbacks (builtins_sort.c, builtins_callback.c) ---- */

s2l_value s2l_fn_sort(s2l_context *context, uint32_t argc, const s2l_value *argv);
s2l_value s2l_fn_rsort(s2l_context *context, uint32_t argc, const s2l_value *argv);
s2l_value s2l_fn_asort(s2l_context *context, uint32_t argc, const s2l_value *argv);
s2l_value s2l_fn_arsort(s2l_context *context, uint32_t argc, const s2l_value *argv);
s2l_value s2l_fn_ksort(s2l_context *context, uint32_t argc, const s2l_value *argv);
s2l_value s2l_fn_krsort(s2l_context *context, uint32_t argc, const s2l_value *argv);
s2l_value s2l_fn_usort(s2l_context *context, uint32_t argc, const s2l_value *argv);
s2l_value s2l_fn_uasort(s2l_context *context, uint32_t argc, const s2l_value *argv);
s2l_value s2l_fn_uksort(s2l_context *context, uint32_t argc, const s2l_value *argv);
s2l_value s2l_fn_array_map(s2l_context *context, uint32_t argc, const s2l_value *argv);
s2l_value s2l_fn_array_filter(s2l_context *context, uint32_t argc, const s2l_value *argv);
s2l_value s2l_fn_array_reduce(s2l_context *context, uint32_t argc, const s2l_value *argv);
s2l_value s2l_fn_array_walk(s2l_context *context, uint32_t argc, const s2l_value *argv);
s2l_value s2l_fn_call_user_func(s2l_context *context, uint32_t argc, const s2l_value *argv);
s2l_value s2l_fn_call_user_func_array(s2l_context *context, uint32_t argc, const s2l_value *argv);

/* ---- the same on native types, for when inference knows them; none warns or throws ---- */

/* round($number, $places) */
double s2l_round(double number, int64_t places);
/* abs of an int: DOUBLE for PHP_INT_MIN */
s2l_value s2l_abs_long(int64_t number);
/* ord: the first byte, 0 for an empty string */
/* substr, strpos with in-range arguments: -1 for not found */
s2l_string *s2l_substr(s2l_context *context, s2l_string *string, int64_t offset, int64_t length);
int64_t s2l_strpos(const s2l_string *haystack, const s2l_string *needle, int64_t offset);

#endif
