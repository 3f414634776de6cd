/* Calls ll_examples/phi-of-phis.ll. Returns the number of failed assertions. */

#include "check.h"

#include <stdbool.h>

extern int four_way(bool a, bool b);

int main(void)
{
    CHECK(four_way(false, false), 1);
    CHECK(four_way(false, true), 2);
    CHECK(four_way(true, false), 3);
    CHECK(four_way(true, true), 4);
    return failures;
}
