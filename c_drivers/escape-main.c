/* Calls ll_examples/escape.ll. Returns the number of failed assertions. */

#include "check.h"

extern int larger(int x, int y);
extern int counted(int n);
extern int low_byte(int x);
extern int twice(int x);

int main(void)
{
    CHECK(larger(3, 4), 4);
    CHECK(larger(4, 3), 4);
    CHECK(larger(-1, -1), -1);
    CHECK(counted(0), 0);
    CHECK(counted(9), 9);
    CHECK(low_byte(0x1234), 0x34);
    CHECK(low_byte(-1), 255);
    CHECK(twice(21), 42);
    return failures;
}
