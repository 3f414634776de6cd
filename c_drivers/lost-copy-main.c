/* Calls ll_examples/lost-copy.ll. Returns the number of failed assertions. */

#include "check.h"

extern int last_below(int n);

int main(void)
{
    CHECK(last_below(0), 1);
    CHECK(last_below(2), 1);
    CHECK(last_below(3), 2);
    CHECK(last_below(100), 99);
    return failures;
}
