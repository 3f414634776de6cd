/* Calls ll_examples/phi-scc.ll. Returns the number of failed assertions. */

#include "check.h"

extern int one_value(int v, int turns);
extern int two_values(int v, int w, int turns);

int main(void)
{
    CHECK(one_value(42, 0), 42);
    CHECK(one_value(42, 5), 42);
    CHECK(two_values(1, 2, 0), 1);
    CHECK(two_values(1, 2, 1), 2);
    CHECK(two_values(1, 2, 4), 2);
    return failures;
}
