/* What every driver here does: count the assertions that fail, say which, and return their number. */

#ifndef C_DRIVERS_CHECK_H
#define C_DRIVERS_CHECK_H

#include <stdio.h>

static int failures;

/* Compare as long long, so that one macro serves every integer type. */
#define CHECK(expression, wanted)                                                                        \
    do {                                                                                                 \
        long long got_ = (long long)(expression), wanted_ = (long long)(wanted);                         \
        if (got_ != wanted_) {                                                                           \
            failures++;                                                                                  \
            fprintf(stderr, "%s:%d: %s is %lld, not %lld\n", __FILE__, __LINE__, #expression, got_, wanted_); \
        }                                                                                                \
    } while (0)

#endif
