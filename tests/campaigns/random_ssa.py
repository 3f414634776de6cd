"""SSA construction against live PHP on random functions.

    python -m tests.campaigns.random_ssa [--programs 200] [--functions 10] [--seed 0]

Each program has so many functions of 8 to 80 statements (``tests.ssa.random_php``: nested loops, breaks, gotos,
switches, comparisons of variables, constants and sums, ``++`` and ``--`` in conditions). Blocks, dominators, loops,
liveness, phi and pi placement, SSA names with constraints, NOVAL and components are compared with what PHP 8.2 prints
of the same file. Prints the first differing line of each difference, then the count; exit code 1 if there is any.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

from ssa2llvm.php import compile_php
from tests.ssa.random_php import random_program
from tests.ssa.stages import BITS, differences
from tests.tools import php_dump

SIZES = (8, 15, 25, 40, 80)


def main() -> int:
    """Run the comparison; return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--programs", type=int, default=200, help="how many files (default 200)")
    parser.add_argument("--functions", type=int, default=10, help="functions in each (default 10)")
    parser.add_argument("--seed", type=int, default=0, help="number of the first program")
    options = parser.parse_args()
    functions = different = 0
    with tempfile.TemporaryDirectory() as directory:
        for seed in range(options.seed, options.seed + options.programs):
            file = Path(directory) / f"random{seed}.php"
            source = random_program(seed, functions=options.functions, size=SIZES[seed % len(SIZES)])
            file.write_text(source)
            script = compile_php(source.encode(), str(file))
            functions += len(script.op_arrays())
            for difference in differences(php_dump(file, 0x20, BITS), script):
                different += 1
                print(f"program {seed}, {difference.function}, {difference.stage}:")
                print(f"  PHP:  {difference.php.decode(errors='replace')}")
                print(f"  ours: {difference.ours.decode(errors='replace')}", flush=True)
    print(f"{functions} functions in {options.programs} programs, {different} stages differ")
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
