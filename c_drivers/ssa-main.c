/* Calls the two functions of ll_examples/ssa.ll (and of examples/ssa.zir, compiled). Returns the number of failed assertions. */

#include <stdint.h>

#include "check.h"

extern int64_t choose(int64_t c);
extern int64_t count_to(int64_t n);

int main(void)
{
    CHECK(choose(1), 3);
    CHECK(choose(0), 2);
    CHECK(count_to(-1), 0);
    CHECK(count_to(0), 0);
    CHECK(count_to(2), 2);
    return failures;
}
