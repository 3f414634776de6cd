/* Constants that PHP itself defines, for names that are only known at run time: the language's own, and those of
   mathematics, errors and strings. Sorted by name (binary search). */
#include "internal.h"

#include <math.h>

typedef struct integer_constant {
    const char *name;
    int64_t value;
} integer_constant;

typedef struct real_constant {
    const char *name;
    double value;
} real_constant;

typedef struct string_constant {
    const char *name;
    const char *value;
} string_constant;

static const integer_constant integers[] = {
    {"COUNT_NORMAL", 0},
    {"COUNT_RECURSIVE", 1},
    {"E_ALL", 32767},
    {"E_COMPILE_ERROR", 64},
    {"E_COMPILE_WARNING", 128},
    {"E_CORE_ERROR", 16},
    {"E_CORE_WARNING", 32},
    {"E_DEPRECATED", 8192},
    {"E_ERROR", 1},
    {"E_NOTICE", 8},
    {"E_PARSE", 4},
    {"E_RECOVERABLE_ERROR", 4096},
    {"E_STRICT", 2048},
    {"E_USER_DEPRECATED", 16384},
    {"E_USER_ERROR", 256},
    {"E_USER_NOTICE", 1024},
    {"E_USER_WARNING", 512},
    {"E_WARNING", 2},
    {"LC_ALL", 6},
    {"LC_COLLATE", 3},
    {"LC_CTYPE", 0},
    {"LC_MESSAGES", 5},
    {"LC_MONETARY", 4},
    {"LC_NUMERIC", 1},
    {"LC_TIME", 2},
    {"PHP_FLOAT_DIG", 15},
    {"PHP_INT_MAX", INT64_MAX},
    {"PHP_INT_MIN", INT64_MIN},
    {"PHP_INT_SIZE", 8},
    {"PHP_MAJOR_VERSION", 8},
    {"PHP_MAXPATHLEN", 4096},
    {"PHP_MINOR_VERSION", 2},
    {"PHP_RELEASE_VERSION", 36},
    {"PHP_ROUND_HALF_DOWN", 2},
    {"PHP_ROUND_HALF_EVEN", 3},
    {"PHP_ROUND_HALF_ODD", 4},
    {"PHP_ROUND_HALF_UP", 1},
    {"PHP_VERSION_ID", 80236},
    {"SORT_ASC", 4},
    {"SORT_DESC", 3},
    {"SORT_FLAG_CASE", 8},
    {"SORT_LOCALE_STRING", 5},
    {"SORT_NATURAL", 6},
    {"SORT_NUMERIC", 1},
    {"SORT_REGULAR", 0},
    {"SORT_STRING", 2},
    {"STR_PAD_BOTH", 2},
    {"STR_PAD_LEFT", 0},
    {"STR_PAD_RIGHT", 1},
};

static const real_constant reals[] = {
    {"INF", INFINITY},
    {"M_1_PI", 0.3183098861837907},
    {"M_2_PI", 0.6366197723675814},
    {"M_2_SQRTPI", 1.1283791670955126},
    {"M_E", 2.718281828459045},
    {"M_EULER", 0.5772156649015329},
    {"M_LN10", 2.302585092994046},
    {"M_LN2", 0.6931471805599453},
    {"M_LNPI", 1.1447298858494002},
    {"M_LOG10E", 0.4342944819032518},
    {"M_LOG2E", 1.4426950408889634},
    {"M_PI", 3.141592653589793},
    {"M_PI_2", 1.5707963267948966},
    {"M_PI_4", 0.7853981633974483},
    {"M_SQRT1_2", 0.7071067811865476},
    {"M_SQRT2", 1.4142135623730951},
    {"M_SQRT3", 1.7320508075688772},
    {"M_SQRTPI", 1.772453850905516},
    {"NAN", NAN},
    {"PHP_FLOAT_EPSILON", 2.220446049250313e-16},
    {"PHP_FLOAT_MAX", 1.7976931348623157e+308},
    {"PHP_FLOAT_MIN", 2.2250738585072014e-308},
};

static const string_constant strings[] = {
    {"DIRECTORY_SEPARATOR", "/"},
    {"PATH_SEPARATOR", ":"},
    {"PHP_EOL", "\n"},
    {"PHP_EXTRA_VERSION", ""},
    {"PHP_OS", "Linux"},
    {"PHP_OS_FAMILY", "Linux"},
    {"PHP_VERSION", "8.2.36"},
};

#define COUNT(table) (sizeof(table) / sizeof(table)[0])

/* The row of a sorted table whose first member is the name, or NULL. */
static const void *find(const void *table, size_t count, size_t row_size, const char *name, uint64_t length)
{
    size_t low = 0;
    while (low < count) {
        size_t middle = low + (count - low) / 2;
        const char *row = (const char *)table + middle * row_size;
        const char *row_name;
        memcpy(&row_name, row, sizeof row_name);
        int order = strncmp(row_name, name, length);
        if (order == 0 && row_name[length] == '\0')
            return row;
        if (order < 0)
            low = middle + 1;
        else
            count = middle;
    }
    return NULL;
}

bool s2l_predefined_constant(s2l_context *context, const char *name, uint64_t length, s2l_value *value)
{
    const integer_constant *integer = find(integers, COUNT(integers), sizeof integers[0], name, length);
    const real_constant *real = find(reals, COUNT(reals), sizeof reals[0], name, length);
    const string_constant *string = find(strings, COUNT(strings), sizeof strings[0], name, length);
    if (integer != NULL)
        *value = long_value(integer->value);
    else if (real != NULL)
        *value = double_value(real->value);
    else if (string != NULL)
        *value = string_value(s2l_string_new(context, string->value, strlen(string->value)));
    else
        return false;
    return true;
}
