/* Calls ll_examples/cycle-with-tails.ll. Returns the number of failed assertions. */

#include "check.h"

extern int tails(int n);

int main(void)
{
    CHECK(tails(0), 1234);
    CHECK(tails(1), 2112);
    CHECK(tails(2), 1221);
    CHECK(tails(3), 2112);
    return failures;
}
