#!/bin/sh
# The demo: compile a real PHP program to an executable, run it, run it again under the JIT, compare with what PHP printed.
# PYTHON names the interpreter of the environment that `make setup` made.
set -eu
cd "$(dirname "$0")/.."
PYTHON=${PYTHON:-.venv/bin/python}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

show() { printf '\n$ %s\n' "$*"; }

show python -m ssa2llvm compile examples/mandelbrot.php -o mandelbrot
"$PYTHON" -m ssa2llvm compile examples/mandelbrot.php -o "$work/mandelbrot"
show ./mandelbrot
"$work/mandelbrot" | tee "$work/executable.out"
cmp "$work/executable.out" examples/mandelbrot.out

for name in mandelbrot collatz gcd fib; do
    show python -m ssa2llvm run "examples/$name.php"
    "$PYTHON" -m ssa2llvm run "examples/$name.php" >"$work/jit.out"
    if [ "$name" = mandelbrot ]; then echo "(the same picture)"; else cat "$work/jit.out"; fi
    cmp "$work/jit.out" "examples/$name.out"
    # The same program from the opcodes that PHP itself printed (the text cannot tell everything; it says so on stderr).
    "$PYTHON" -m ssa2llvm run "examples/$name.zend" >"$work/zend.out" 2>/dev/null
    cmp "$work/zend.out" "examples/$name.out"
done

cat <<'END'

All of it is what PHP prints: as an executable, under the JIT, from PHP source and from PHP's own opcodes.
Try next:
  .venv/bin/python -m ssa2llvm dump examples/ssa.zir --stage ssa        SSA form, as PHP's optimizer prints it
  .venv/bin/python -m ssa2llvm dump examples/fib.php --stage llvm       the LLVM IR of your PHP
  .venv/bin/python -m ssa2llvm compile examples/fib.php -o fib.so       a library, and fib.h beside it
  docs/tour.md                                                          one function through every stage
END
