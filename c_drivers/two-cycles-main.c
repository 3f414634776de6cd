/* Calls ll_examples/two-cycles.ll. Returns the number of failed assertions. */

#include "check.h"

extern int two_cycles(int n);

int main(void)
{
    CHECK(two_cycles(0), 12345);
    CHECK(two_cycles(1), 21453);
    CHECK(two_cycles(2), 12534);
    CHECK(two_cycles(6), 12345);
    return failures;
}
