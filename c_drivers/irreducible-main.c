/* Calls ll_examples/irreducible.ll. Returns the number of failed assertions. */

#include "check.h"

#include <stdbool.h>

extern int parity_steps(bool start_odd, int n);

int main(void)
{
    CHECK(parity_steps(true, 1), 1);
    CHECK(parity_steps(true, 2), 2);
    CHECK(parity_steps(true, 5), 3);
    CHECK(parity_steps(false, 1), 1);
    CHECK(parity_steps(false, 2), 1);
    CHECK(parity_steps(false, 6), 3);
    return failures;
}
