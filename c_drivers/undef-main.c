/* Calls ll_examples/undef.ll. Returns the number of failed assertions. */

#include "check.h"

#include <stdbool.h>

extern int maybe(bool c, int x);

int main(void)
{
    CHECK(maybe(true, 6), 7);
    CHECK(maybe(false, 6), -1);
    return failures;
}
