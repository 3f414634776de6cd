"""How long SSA construction takes: opcodes a second, and growth from 1,000 to 100,000 opcodes.

    python bench/ssa_build.py [--sizes 1000 10000 100000] [--repeat 3]

Programs: ``mixed`` is case 099 (assignments, branches, swaps through list()), ``ifs`` and ``loops`` are nests as deep
as the function is long (up to 10,000 levels), ``straight`` is one block in which every statement has a variable of its
own. Prints one line a program and size: the best of the repetitions, with Python's garbage collector off, as the cyclic
collector's passes over the growing heap would be counted too. Growth is time per opcode against the smallest size.
"""

from __future__ import annotations

import argparse
import gc
import time
from collections.abc import Callable

from ssa2llvm.ir.builder import FunctionBuilder
from ssa2llvm.ir.op_array import OpArray
from ssa2llvm.ir.opcode import Opcode
from ssa2llvm.ir.operands import OpKind
from ssa2llvm.ssa.build import build_ssa

MAX_DEPTH = 10_000


def mixed(opcodes: int) -> OpArray:
    """Case 099's statements in turn, as PHP compiles them: five make 19 opcodes."""
    b = FunctionBuilder("big", ["x"])
    for name, value in (("a", 0), ("b", 1), ("c", 2)):
        b.assign(b.cv(name), b.const(value))
    one, two, three = b.cv("a"), b.cv("b"), b.cv("c")
    for step in range(opcodes * 5 // 19):
        kind = step % 5
        if kind == 0:
            b.assign(one, b.emit(Opcode.ADD, one, b.emit(Opcode.MUL, two, b.const(step % 11))))
        elif kind == 1:
            otherwise, end = b.label(), b.label()
            b.branch_zero(b.emit(Opcode.IS_SMALLER, b.const(step % 1000), one), otherwise)
            b.assign(two, three)
            b.jump(end)
            b.place(otherwise)
            b.assign(three, b.const(step % 13))
            b.place(end)
        elif kind == 2:
            pair = b.emit(Opcode.INIT_ARRAY, three, b.const(0), ext=8)
            b.emit(Opcode.ADD_ARRAY_ELEMENT, two, b.const(1), result=pair)
            for target, key in ((two, 0), (three, 1)):
                b.assign(target, b.emit(Opcode.FETCH_LIST_R, pair, b.const(key), result=OpKind.VAR))
            b.emit(Opcode.FREE, pair, result=None)
        elif kind == 3:
            b.assign(one, b.emit(Opcode.MOD, one, b.const(997 + step % 50)))
        else:
            b.assign(two, b.emit(Opcode.ADD, two, b.const(1)))
    b.ret(one)
    return b.finish()


def ifs(opcodes: int) -> OpArray:
    """``if ($n > 0) { $s += 0; if ($n > 1) { … } … }``"""
    depth = min(opcodes // 4, MAX_DEPTH)
    b = FunctionBuilder("ifs", ["n"])
    ends = [b.label() for _ in range(depth)]
    b.assign(b.cv("s"), b.const(0))
    for level in range(depth):
        b.branch_zero(b.emit(Opcode.IS_SMALLER, b.const(level), b.cv("n")), ends[level])
        b.emit(Opcode.ASSIGN_OP, b.cv("s"), b.const(level), result=None, ext=Opcode.ADD)
    for end in reversed(ends):
        b.place(end)
        b.emit(Opcode.PRE_INC, b.cv("s"), result=None)
    b.ret(b.cv("s"))
    return b.finish()


def loops(opcodes: int) -> OpArray:
    """``while ($s < $n) { $s++; while ($s < $n) { … } }``"""
    depth = min(opcodes // 4, MAX_DEPTH)
    b = FunctionBuilder("loops", ["n"])
    bodies, tests = [b.label() for _ in range(depth)], [b.label() for _ in range(depth)]
    b.assign(b.cv("s"), b.const(0))
    for level in range(depth):
        b.jump(tests[level])
        b.place(bodies[level])
        b.emit(Opcode.PRE_INC, b.cv("s"), result=None)
    for level in reversed(range(depth)):
        b.place(tests[level])
        b.branch_nonzero(b.emit(Opcode.IS_SMALLER, b.cv("s"), b.cv("n")), bodies[level])
    b.ret(b.cv("s"))
    return b.finish()


def straight(opcodes: int) -> OpArray:
    """``$v1 = $v0 + 1; $v2 = $v1 + 1; …``"""
    b = FunctionBuilder("straight", ["v0"])
    for number in range(1, opcodes // 2):
        b.assign(b.cv(f"v{number}"), b.emit(Opcode.ADD, b.cv(f"v{number - 1}"), b.const(1)))
    b.ret(b.cv("v0"))
    return b.finish()


PROGRAMS: dict[str, Callable[[int], OpArray]] = {"mixed": mixed, "ifs": ifs, "loops": loops, "straight": straight}


def best_time(op_array: OpArray, repeat: int) -> float:
    times = []
    for _ in range(repeat):
        gc.collect()
        started = time.process_time()
        build_ssa(op_array)
        times.append(time.process_time() - started)
    return min(times)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", type=int, nargs="+", default=[1_000, 10_000, 100_000])
    parser.add_argument("--repeat", type=int, default=3)
    options = parser.parse_args()
    gc.disable()
    print(f"{'program':10} {'opcodes':>8} {'seconds':>8} {'opcodes/s':>10} {'growth':>7}")
    for name, make in PROGRAMS.items():
        first = 0.0
        for size in options.sizes:
            op_array = make(size)
            seconds = best_time(op_array, options.repeat)
            per_opcode = seconds / len(op_array.ops)
            first = first or per_opcode
            rate = 1 / per_opcode
            print(f"{name:10} {len(op_array.ops):8} {seconds:8.3f} {rate:10.0f} {per_opcode / first:6.2f}x", flush=True)


if __name__ == "__main__":
    main()
