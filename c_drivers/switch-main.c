/* Calls ll_examples/switch.ll. Returns the number of failed assertions. */

#include "check.h"

extern int pick(int x, int k);
extern int pick_seven(int x, int k);

int main(void)
{
    CHECK(pick(1, 7), 7);
    CHECK(pick(3, 7), 70);
    CHECK(pick(4, 7), 7);
    CHECK(pick(99, 7), 7);
    CHECK(pick_seven(2, 5), 7);
    CHECK(pick_seven(3, 5), 50);
    CHECK(pick_seven(-1, 5), 7);
    return failures;
}
