"""Call-heavy and scalar programs against PHP's tracing JIT and against C.

    python bench/calls.py [--runs N] [--markdown]

Each kernel exists in PHP, once with and once without declared types, and in C, once as a C programmer writes it and
once with PHP's overflow checks (``__builtin_*_overflow``, a trap instead of PHP's change to float). Every program
times its own kernel with a monotonic clock and prints nanoseconds; the machine is noisy, so runs of all programs are
interleaved and medians compared. What is reported are ratios: PHP's time over ours (more is better) and ours over C's
(less is better).
"""

from __future__ import annotations

import argparse
import shutil
import statistics
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

from ssa2llvm.llvm.driver import emit
from ssa2llvm.php import compile_php

JIT = ["-d", "opcache.enable_cli=1", "-d", "opcache.jit=tracing", "-d", "opcache.jit_buffer_size=64M"]


@dataclass(frozen=True)
class Kernel:
    """``php`` with ``%`` before each type that only the typed version has; ``call`` is the timed expression; ``c`` is
    the C version, in which ADD, SUB and MUL are either plain or checked."""

    name: str
    php: str
    call: str
    c: str
    c_call: str


KERNELS = [
    Kernel(
        "fib",
        "function fib(%int $n)%: int { return $n < 2 ? $n : fib($n - 1) + fib($n - 2); }",
        "fib(30)",
        "static i64 fib(i64 n) { return n < 2 ? n : ADD(fib(SUB(n, 1)), fib(SUB(n, 2))); }",
        "fib(30)",
    ),
    Kernel(
        "ackermann",
        "function ack(%int $m, %int $n)%: int {"
        " return $m === 0 ? $n + 1 : ($n === 0 ? ack($m - 1, 1) : ack($m - 1, ack($m, $n - 1))); }",
        "ack(3, 8)",
        "static i64 ack(i64 m, i64 n) { return m == 0 ? ADD(n, 1) : n == 0 ? ack(SUB(m, 1), 1)"
        " : ack(SUB(m, 1), ack(m, SUB(n, 1))); }",
        "ack(3, 8)",
    ),
    Kernel(
        "tak",
        "function tak(%int $x, %int $y, %int $z)%: int {"
        " return $y >= $x ? $z : tak(tak($x - 1, $y, $z), tak($y - 1, $z, $x), tak($z - 1, $x, $y)); }",
        "tak(20, 13, 6)",
        "static i64 tak(i64 x, i64 y, i64 z) { return y >= x ? z : tak(tak(SUB(x, 1), y, z), tak(SUB(y, 1), z, x),"
        " tak(SUB(z, 1), x, y)); }",
        "tak(20, 13, 6)",
    ),
    Kernel(
        "collatz",
        "function collatz(%int $limit)%: int { $best = 0; for ($i = 1; $i < $limit; $i++) { $n = $i; $s = 0;"
        " while ($n !== 1) { $n = $n % 2 === 0 ? $n >> 1 : 3 * $n + 1; $s++; } if ($s > $best) { $best = $s; } }"
        " return $best; }",
        "collatz(200000)",
        "static i64 collatz(i64 limit) { i64 best = 0; for (i64 i = 1; i < limit; i++) { i64 n = i, s = 0;"
        " while (n != 1) { n = n % 2 == 0 ? n >> 1 : ADD(MUL(3, n), 1); s++; } if (s > best) best = s; }"
        " return best; }",
        "collatz(200000)",
    ),
    Kernel(
        "gcd",
        "function gcd(%int $a, %int $b)%: int { while ($b !== 0) { $t = $a % $b; $a = $b; $b = $t; } return $a; }"
        " function gcds(%int $n)%: int { $s = 0; for ($i = 1; $i < $n; $i++) { for ($j = 1; $j < $n; $j++) {"
        " $s += gcd($i, $j); } } return $s; }",
        "gcds(700)",
        "static i64 gcd(i64 a, i64 b) { while (b != 0) { i64 t = a % b; a = b; b = t; } return a; }"
        " static i64 gcds(i64 n) { i64 s = 0; for (i64 i = 1; i < n; i++) for (i64 j = 1; j < n; j++)"
        " s = ADD(s, gcd(i, j)); return s; }",
        "gcds(700)",
    ),
    Kernel(
        "mandelbrot int",
        "function mandel(%int $size)%: int { $hits = 0; for ($y = 0; $y < $size; $y++) {"
        " for ($x = 0; $x < $size; $x++) {"
        " $cr = intdiv($x * 12288, $size) - 8192; $ci = intdiv($y * 8192, $size) - 4096; $zr = 0; $zi = 0; $k = 0;"
        " while ($k < 60) { $a = ($zr * $zr) >> 12; $b = ($zi * $zi) >> 12; if ($a + $b > 16384) { break; }"
        " $zi = (($zr * $zi) >> 11) + $ci; $zr = $a - $b + $cr; $k++; } $hits += $k; } } return $hits; }",
        "mandel(300)",
        "static i64 mandel(i64 size) { i64 hits = 0; for (i64 y = 0; y < size; y++) for (i64 x = 0; x < size; x++) {"
        " i64 cr = SUB(MUL(x, 12288) / size, 8192), ci = SUB(MUL(y, 8192) / size, 4096), zr = 0, zi = 0, k = 0;"
        " while (k < 60) { i64 a = MUL(zr, zr) >> 12, b = MUL(zi, zi) >> 12; if (ADD(a, b) > 16384) break;"
        " zi = ADD(MUL(zr, zi) >> 11, ci); zr = ADD(SUB(a, b), cr); k++; } hits = ADD(hits, k); } return hits; }",
        "mandel(300)",
    ),
    Kernel(
        "mandelbrot float",
        "function mandel(%int $size)%: int { $hits = 0; for ($y = 0; $y < $size; $y++) {"
        " for ($x = 0; $x < $size; $x++) {"
        " $cr = 3.0 * $x / $size - 2.0; $ci = 2.0 * $y / $size - 1.0; $zr = 0.0; $zi = 0.0; $k = 0;"
        " while ($k < 60) { $a = $zr * $zr; $b = $zi * $zi; if ($a + $b > 4.0) { break; }"
        " $zi = 2.0 * $zr * $zi + $ci; $zr = $a - $b + $cr; $k++; } $hits += $k; } } return $hits; }",
        "mandel(400)",
        "static i64 mandel(i64 size) { i64 hits = 0; for (i64 y = 0; y < size; y++) for (i64 x = 0; x < size; x++) {"
        " double cr = 3.0 * x / size - 2.0, ci = 2.0 * y / size - 1.0, zr = 0, zi = 0; i64 k = 0;"
        " while (k < 60) { double a = zr * zr, b = zi * zi; if (a + b > 4.0) break;"
        " zi = 2.0 * zr * zi + ci; zr = a - b + cr; k++; } hits = ADD(hits, k); } return hits; }",
        "mandel(400)",
    ),
]

C_HEAD = """
#include <stdint.h>
#include <stdio.h>
#include <time.h>
typedef int64_t i64;
#ifdef CHECKED
static inline i64 add(i64 a, i64 b) { i64 r; if (__builtin_add_overflow(a, b, &r)) __builtin_trap(); return r; }
static inline i64 sub(i64 a, i64 b) { i64 r; if (__builtin_sub_overflow(a, b, &r)) __builtin_trap(); return r; }
static inline i64 mul(i64 a, i64 b) { i64 r; if (__builtin_mul_overflow(a, b, &r)) __builtin_trap(); return r; }
#define ADD(a, b) add(a, b)
#define SUB(a, b) sub(a, b)
#define MUL(a, b) mul(a, b)
#else
#define ADD(a, b) ((a) + (b))
#define SUB(a, b) ((a) - (b))
#define MUL(a, b) ((a) * (b))
#endif
"""
C_MAIN = """
int main(void) {
    struct timespec a, b;
    clock_gettime(CLOCK_MONOTONIC, &a);
    i64 result = CALL;
    __asm__ volatile("" : : "r"(result));
    clock_gettime(CLOCK_MONOTONIC, &b);
    long long elapsed = (b.tv_sec - a.tv_sec) * 1000000000LL + b.tv_nsec - a.tv_nsec;
    printf("%lld %lld\\n", elapsed, (long long)result);
}
"""


def php_source(kernel: Kernel, typed: bool) -> str:
    """The kernel with its timing. The result is printed, so that nobody may drop the call."""
    code = kernel.php
    for declared in ("%int ", "%: int"):
        code = code.replace(declared, declared[1:] if typed else "")
    return f"<?php\n{code}\n$t = hrtime(true); $r = {kernel.call}; $u = hrtime(true); echo $u - $t, ' ', $r, \"\\n\";\n"


def build(kernel: Kernel, folder: Path) -> dict[str, list[str]]:
    """Command lines by variant."""
    commands: dict[str, list[str]] = {}
    for typed in (False, True):
        word = "typed" if typed else "untyped"
        source = folder / f"{word}.php"
        source.write_text(php_source(kernel, typed))
        emit(compile_php(source.read_bytes(), source.name), str(folder / word), 2)
        commands[f"ours {word}"] = [str(folder / word)]
        commands[f"php {word}"] = ["php", *JIT, str(source)]
    (folder / "kernel.c").write_text(C_HEAD + kernel.c + C_MAIN.replace("CALL", kernel.c_call))
    compiler = shutil.which("clang-22") or "cc"
    for variant, flags in (("C", []), ("C checked", ["-DCHECKED"])):
        out = folder / variant.replace(" ", "_")
        subprocess.run([compiler, "-O2", *flags, folder / "kernel.c", "-o", out], check=True)
        commands[variant] = [str(out)]
    return commands


def measure(commands: dict[str, list[str]], runs: int) -> dict[str, float]:
    """Median nanoseconds of each variant; runs are interleaved. All must print the same result."""
    times: dict[str, list[int]] = {name: [] for name in commands}
    results: set[str] = set()
    for _ in range(runs):
        for name, command in commands.items():
            nanoseconds, result = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
            times[name].append(int(nanoseconds))
            results.add(result)
    if len(results) != 1:
        raise SystemExit(f"results differ: {sorted(results)}")
    return {name: statistics.median(values) for name, values in times.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=7)
    parser.add_argument("--kernel", help="only the kernel of this name")
    arguments = parser.parse_args()
    print("| kernel | types | ours, ms | PHP JIT / ours | ours / C | ours / C checked |")
    print("|---|---|---|---|---|---|")
    for kernel in KERNELS:
        if arguments.kernel not in (None, kernel.name):
            continue
        with tempfile.TemporaryDirectory() as folder:
            medians = measure(build(kernel, Path(folder)), arguments.runs)
        for word in ("untyped", "typed"):
            ours = medians[f"ours {word}"]
            print(
                f"| {kernel.name} | {word} | {ours / 1e6:.2f} | {medians[f'php {word}'] / ours:.1f} "
                f"| {ours / medians['C']:.2f} | {ours / medians['C checked']:.2f} |"
            )


if __name__ == "__main__":
    main()
