"""What copies of functions for the types of their arguments gain.

    python bench/specialize.py [--runs N]

Each kernel is a function without declared types that is called with integers where it counts and with something else
elsewhere. It is compiled at -O2 with the pass ``specialize`` and without, and both are run in turns. Reported is the
least processor time without over the least with (more is better), the opcodes with over those without, and the time to
optimize with over that without.
"""

from __future__ import annotations

import argparse
import os
import tempfile
import time

from ssa2llvm.llvm.driver import Program, compile_program
from ssa2llvm.opt.pipeline import Pipeline, level_names
from ssa2llvm.opt.reachable import reachable_units
from ssa2llvm.opt.standard import TABLE
from ssa2llvm.opt.unit import build_program
from ssa2llvm.php import compile_php

KERNELS = {
    "fib, fib('7') elsewhere": (
        "function fib($n) { return $n < 2 ? $n : fib($n - 1) + fib($n - 2); } echo fib('7'), ' ';",
        "fib(30)",
    ),
    "ackermann": (
        "function ack($m, $n) { return $m === 0 ? $n + 1"
        " : ($n === 0 ? ack($m - 1, 1) : ack($m - 1, ack($m, $n - 1))); }",
        "ack(3, 8)",
    ),
    "tak, floats elsewhere": (
        "function tak($x, $y, $z) { return $y >= $x ? $z"
        " : tak(tak($x - 1, $y, $z), tak($y - 1, $z, $x), tak($z - 1, $x, $y)); } echo tak(2.5, 1.5, 0.5), ' ';",
        "tak(18, 12, 6)",
    ),
    "gcd, called by name too": (
        "function gcd($a, $b) { while ($b !== 0) { $t = $a % $b; $a = $b; $b = $t; } return $a; }"
        " function gcds($n) { $s = 0; for ($i = 1; $i < $n; $i++) { for ($j = 1; $j < $n; $j++) {"
        " $s += gcd($i, $j); } } return $s; } $f = 'gcd'; echo $f('12', 9), ' ';",
        "gcds(500)",
    ),
    "sum of ints, of floats": (
        "function sum($a) { $s = 0; foreach ($a as $v) { $s += $v; } return $s; }"
        " function sums($n) { $a = range(1, 1000); $s = 0; for ($i = 0; $i < $n; $i++) { $s += sum($a); }"
        " return $s; } echo sum([1.5, 2.5]), ' ';",
        "sums(10000)",
    ),
    "mandelbrot, called by name too": (
        "function escapes($cr, $ci) { $zr = $cr; $zi = $ci; $k = 0; while ($k < 60) { $a = $zr * $zr; $b = $zi * $zi;"
        " if ($a + $b > 4) { break; } $zi = 2 * $zr * $zi + $ci; $zr = $a - $b + $cr; $k++; } return $k; }"
        " function picture($n) { $s = 0; for ($y = 0; $y < $n; $y++) { for ($x = 0; $x < $n; $x++) {"
        " $s += escapes(3.0 * $x / $n - 2.0, 2.0 * $y / $n - 1.0); } } return $s; }"
        " $f = 'escapes'; echo $f(1, 1), ' ';",
        "picture(200)",
    ),
    "powers mod m, called by name too": (
        "function powmod($b, $e, $m) { $r = 1; while ($e > 0) { if ($e & 1) { $r = $r * $b % $m; } $b = $b * $b % $m;"
        " $e >>= 1; } return $r; } function sum($n) { $s = 0; for ($i = 1; $i < $n; $i++) {"
        " $s += powmod($i, $n, 1000003); } return $s; } $f = 'powmod'; echo $f('3', 4, 5), ' ';",
        "sum(50000)",
    ),
}


def compiled(source: str, without: frozenset[str]) -> tuple[Program, int, float]:
    """The program compiled without some passes, the opcodes of its functions, and the seconds to optimize it."""
    script = compile_php(source.encode(), "kernel.php")
    started = time.perf_counter()
    program = build_program(script)
    Pipeline(TABLE, [name for name in level_names(TABLE, 2) if name not in without]).run(program)
    seconds = time.perf_counter() - started
    opcodes = sum(len(unit.function.instructions()) for unit in reachable_units(program))
    return compile_program(script, 2, optimised=program), opcodes, seconds


def run(program: Program) -> tuple[bytes, float]:
    """What a run prints, and its seconds of processor time."""
    with tempfile.TemporaryFile() as caught:
        saved = os.dup(1)
        os.dup2(caught.fileno(), 1)
        try:
            started = time.process_time()
            program.run(["kernel.php"])
            seconds = time.process_time() - started
        finally:
            os.dup2(saved, 1)
            os.close(saved)
        caught.seek(0)
        return caught.read(), seconds


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=9)
    arguments = parser.parse_args()
    print("| kernel | time | opcodes | optimizing |")
    print("|---|---|---|---|")
    for name, (functions, call) in KERNELS.items():
        source = f"<?php {functions} echo {call};"
        builds = [compiled(source, without) for without in (frozenset(), frozenset({"specialize"}))]
        times: list[list[float]] = [[], []]
        results: set[bytes] = set()
        for _ in range(arguments.runs):
            for (program, _, _), taken in zip(builds, times, strict=True):
                result, seconds = run(program)
                results.add(result)
                taken.append(seconds)
        if len(results) != 1:
            raise SystemExit(f"results differ: {sorted(results)}")
        fast, slow = (min(taken) for taken in times)
        (_, grown, long), (_, plain, short) = builds
        print(f"| {name} | {slow / fast:.2f} | {grown / plain:.2f} | {long / short:.1f} |")


if __name__ == "__main__":
    main()
