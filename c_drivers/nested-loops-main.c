/* Calls ll_examples/nested-loops.ll. Returns the number of failed assertions. */

#include "check.h"

extern int triangle(int n);

int main(void)
{
    CHECK(triangle(0), 0);
    CHECK(triangle(1), 0);
    CHECK(triangle(3), 4);
    CHECK(triangle(10), 165);
    return failures;
}
