/* Calls ll_examples/critical-edge.ll. Returns the number of failed assertions. */

#include "check.h"

extern int clamp(int x);

int main(void)
{
    CHECK(clamp(-5), 0);
    CHECK(clamp(0), 0);
    CHECK(clamp(5), 5);
    return failures;
}
