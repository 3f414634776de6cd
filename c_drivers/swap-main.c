/* Calls ll_examples/swap.ll. Returns the number of failed assertions. */

#include "check.h"

extern int swap_turns(int n, int x, int y);

int main(void)
{
    CHECK(swap_turns(0, 1, 2), 12);
    CHECK(swap_turns(1, 1, 2), 21);
    CHECK(swap_turns(2, 1, 2), 12);
    CHECK(swap_turns(7, 3, 4), 43);
    return failures;
}
