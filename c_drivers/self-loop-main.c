/* Calls ll_examples/self-loop.ll. Returns the number of failed assertions. */

#include "check.h"

extern int power_of_two_above(int n);

int main(void)
{
    CHECK(power_of_two_above(0), 2);
    CHECK(power_of_two_above(2), 4);
    CHECK(power_of_two_above(3), 4);
    CHECK(power_of_two_above(1000), 1024);
    return failures;
}
