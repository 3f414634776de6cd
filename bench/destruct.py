"""Out of SSA: how the time grows with the function, and how many copies are left on real programs.

    python bench/destruct.py [DIRECTORY OF PHP FILES…]      default: ../shared/bench if it exists, and examples

Two families of functions grow to 100,000 instructions: a chain of joins (every `if` redefines variables that live
through the whole function), and the same inside a loop, in SSA form made unconventional by copy propagation, so that
swaps and lost copies remain. Times are of this process alone. The exit code is 1 if time per instruction at the largest
size is more than three times that at the smallest.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from pathlib import Path

from ssa2llvm.destruct.destruct import destruct
from ssa2llvm.destruct.out_of_ssa import Statistics
from ssa2llvm.ir.builder import FunctionBuilder
from ssa2llvm.ir.diagnostics import CompileError
from ssa2llvm.ir.function import Function
from ssa2llvm.ir.op_array import OpArray
from ssa2llvm.ir.opcode import Opcode
from ssa2llvm.ir.types import MAY_BE_LONG
from ssa2llvm.llvm.driver import optimised_program, prepared_units
from ssa2llvm.php import compile_php
from ssa2llvm.ssa.build import build_ssa

ROOT = Path(__file__).resolve().parents[1]
SIZES = (6_250, 12_500, 25_000, 50_000, 100_000)
LIMIT = 3.0


def chain(instructions: int, in_loop: bool) -> OpArray:
    """`if ($a < k) { $t = $b; $b = $c; $c = $t; }`, again and again; in a loop if wanted."""
    builder = FunctionBuilder("big", params=[("a", MAY_BE_LONG)])
    a, b, c, t = (builder.cv(name) for name in "abct")
    for variable in (b, c, t):
        builder.assign(variable, builder.const(1))
    head, after = builder.label(), builder.label()
    builder.place(head)
    if in_loop:
        builder.branch_zero(builder.emit(Opcode.IS_SMALLER, b, a), after)
    for number in range(instructions // 5):
        skip = builder.label()
        builder.branch_zero(builder.emit(Opcode.IS_SMALLER, a, builder.const(number % 1000)), skip)
        builder.assign(t, b)
        builder.assign(b, c)
        builder.assign(c, t)
        builder.place(skip)
    if in_loop:
        builder.jump(head)
    builder.place(after)
    builder.ret(builder.emit(Opcode.ADD, b, c))
    return builder.finish()


def propagate_copies(function: Function) -> None:
    """Let every reader of `$x = $y` read $y, and drop the assignment."""
    source: dict[int, int] = {}
    for instr in function.instructions():
        if instr.opcode == Opcode.ASSIGN and instr.op2_use >= 0:
            source[instr.op1_def] = source.get(instr.op2_use, instr.op2_use)
    for block in function.blocks:
        block.instrs = [i for i in block.instrs if not (i.opcode == Opcode.ASSIGN and i.op2_use >= 0)]
        for phi in block.phis:
            phi.sources = [_follow(source, name) for name in phi.sources]
        for instr in block.instrs:
            if instr.opcode != Opcode.ASSIGN:
                instr.op1_use = _follow(source, instr.op1_use)
            instr.op2_use = _follow(source, instr.op2_use)


def _follow(source: dict[int, int], name: int) -> int:
    while name in source:
        name = source[name]
    return name


def measure(prepare: Callable[[int], Function], title: str) -> float:
    """Print a row for each size; return how much dearer an instruction is at the largest size than at the smallest."""
    columns = f"{'phis':>8} {'naive':>8} {'left':>7} {'temps':>6} {'seconds':>8} {'us each':>8}"
    print(f"{title}\n{'instructions':>14} {'blocks':>8} {columns}")
    each: list[float] = []
    for size in SIZES:
        function = prepare(size)
        started = time.process_time()
        result = destruct(function, lambda name: "value")
        seconds = time.process_time() - started
        count = len(function.instructions())
        each.append(seconds / size)
        s = result.statistics
        counts = f"{s.phis:>8} {s.copies_before:>8} {s.copies_after:>7} {s.temporaries:>6}"
        print(f"{count:>14} {len(function.blocks):>8} {counts} {seconds:>8.2f} {each[-1] * 1e6:>8.1f}")
    return each[-1] / each[0]


def prepare_chain(size: int) -> Function:
    """The first family."""
    return build_ssa(chain(size, in_loop=False))


def prepare_propagated(size: int) -> Function:
    """The second family; `size` counts the instructions before propagation."""
    function = build_ssa(chain(size, in_loop=True))
    propagate_copies(function)
    return function


def measure_programs(directories: list[Path]) -> None:
    """Print copies left per phi for every program in `directories`, as it is compiled at -O2: after the passes, with
    the representations that types choose (copies between two of them convert, and stay)."""
    columns = f"{'phis':>6} {'naive':>6} {'left':>5} {'temps':>6} {'split':>6} {'left per phi':>13}"
    print(f"{'program':>24} {columns}")
    for directory in directories:
        for path in sorted(directory.glob("*.php")):
            total = Statistics()
            try:
                program = optimised_program(compile_php(path.read_bytes(), str(path)), 2, False)
            except CompileError as error:
                print(f"{path.stem:>24} cannot be compiled: {error.message}")
                continue
            for unit in prepared_units(program, False):
                s = unit.destructed.statistics
                total.phis += s.phis
                total.copies_before += s.copies_before
                total.copies_after += s.copies_after
                total.temporaries += s.temporaries
                total.edges_split += s.edges_split
            left = total.copies_after / total.phis if total.phis else 0.0
            counts = f"{total.phis:>6} {total.copies_before:>6} {total.copies_after:>5}"
            print(f"{path.stem:>24} {counts} {total.temporaries:>6} {total.edges_split:>6} {left:>13.3f}")


def main(arguments: list[str]) -> int:
    """Run both parts."""
    growth = measure(prepare_chain, "a chain of joins")
    growth = max(growth, measure(prepare_propagated, "the same in a loop, copies propagated"))
    defaults = [path for path in (ROOT.parent / "shared" / "bench", ROOT / "examples") if path.is_dir()]
    measure_programs([Path(argument) for argument in arguments] or defaults)
    print(f"an instruction costs {growth:.2f} times as much at {SIZES[-1]} as at {SIZES[0]}")
    return 1 if growth > LIMIT else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
