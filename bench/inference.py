"""What the sound configuration knows more than PHP's optimizer, and what inference costs.

    python bench/inference.py gain FILE…      sound against zend facts, definition by definition
    python bench/inference.py growth          time on pathological functions of growing size

``gain`` compares what both configurations infer of the same definition (instruction and operand; PHP at level 0x68-like
conditions, that is with known call results): how many sound facts are strictly better, how many worse, and for how many
additions, subtractions, multiplications, ``++`` and ``--`` on integers the result is proved to stay an integer.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from ssa2llvm.analysis.context import Options, ScriptContext
from ssa2llvm.analysis.facts import Facts
from ssa2llvm.analysis.infer import infer
from ssa2llvm.analysis.infer_script import infer_script, infer_zend_script
from ssa2llvm.analysis.ranges import INT_MAX, INT_MIN, Range
from ssa2llvm.formats.load import load_any
from ssa2llvm.ir.builder import FunctionBuilder
from ssa2llvm.ir.config import Config
from ssa2llvm.ir.function import Function
from ssa2llvm.ir.op_array import OpArray
from ssa2llvm.ir.opcode import Opcode
from ssa2llvm.ir.types import MAY_BE_ANY, MAY_BE_LONG, MAY_BE_REF, MAY_BE_UNDEF
from ssa2llvm.ssa.build import SsaContext, build_ssa

_COUNTING = {Opcode.ADD, Opcode.SUB, Opcode.MUL}
_STEPPING = {Opcode.PRE_INC, Opcode.PRE_DEC, Opcode.POST_INC, Opcode.POST_DEC}
_TYPES = MAY_BE_ANY | MAY_BE_UNDEF | MAY_BE_REF


@dataclass
class Gain:
    definitions: int = 0
    better: int = 0
    worse: int = 0
    sums: int = 0
    sums_safe_zend: int = 0
    sums_safe_sound: int = 0

    def __iadd__(self, other: Gain) -> Gain:
        for name in self.__dataclass_fields__:
            setattr(self, name, getattr(self, name) + getattr(other, name))
        return self

    def __str__(self) -> str:
        return (
            f"{self.definitions:6} {100 * self.better / max(self.definitions, 1):6.1f} % {self.worse:5} "
            f"{self.sums:6} {self.sums_safe_zend:6} {self.sums_safe_sound:6}"
        )


def _definitions(function: Function, facts: Facts) -> Iterator[tuple[tuple[int, str], int, Range | None]]:
    """((instruction number, operand), types, range) of every definition that somebody reads."""
    for instr in function.instructions():
        for operand, name in (("op1", instr.op1_def), ("op2", instr.op2_def), ("result", instr.result_def)):
            if name >= 0 and not function.ssa_vars[name].no_val:
                yield (instr.number, operand), facts.types[name], facts.ranges[name]


def _ends(mask: int, known: Range | None) -> tuple[int, int]:
    if not mask & MAY_BE_LONG:
        return 0, -1
    return (known.min, known.max) if known is not None and not mask & MAY_BE_REF else (INT_MIN, INT_MAX)


def _safe_sums(function: Function, facts: Facts) -> dict[int, bool]:
    """For each integer sum: whether its result is an integer for certain. Sums are told by instruction number."""
    found: dict[int, bool] = {}
    for instr in function.instructions():
        opcode, name = instr.opcode, instr.result_def
        if (opcode == Opcode.ASSIGN_OP and instr.extended_value in _COUNTING) or opcode in _STEPPING:
            name = instr.op1_def
        elif opcode not in _COUNTING:
            continue
        if name >= 0:
            found[instr.number] = facts.types[name] & _TYPES == MAY_BE_LONG
    return found


def _is_integer_sum(function: Function, facts: Facts) -> set[int]:
    """Instructions whose result may be an integer by the better facts."""
    integers = set()
    for instr in function.instructions():
        name = instr.op1_def if instr.opcode in _STEPPING or instr.opcode == Opcode.ASSIGN_OP else instr.result_def
        if name >= 0 and facts.types[name] & MAY_BE_LONG:
            integers.add(instr.number)
    return integers


def gain_of(path: Path) -> Gain:
    script = load_any(str(path))
    zend = {
        id(function.op_array): (function, facts)
        for function, facts in infer_zend_script(script, Options())
        if function is not None and facts is not None
    }
    ssa_context = SsaContext(script)
    functions = [build_ssa(op_array, Config.SOUND, ssa_context) for op_array in script.op_arrays()]
    gain = Gain()
    for function, facts in zip(functions, infer_script(functions, ScriptContext(script)), strict=True):
        if id(function.op_array) not in zend:
            continue
        zend_function, zend_facts = zend[id(function.op_array)]
        theirs = {key: (mask, known) for key, mask, known in _definitions(zend_function, zend_facts)}
        for key, mask, known in _definitions(function, facts):
            if key not in theirs:
                continue
            gain.definitions += 1
            zend_mask, zend_known = theirs[key]
            low, high = _ends(mask, known)
            zend_low, zend_high = _ends(zend_mask, zend_known)
            tighter = (low, high) != (zend_low, zend_high) and low >= zend_low and high <= zend_high
            if mask & ~zend_mask or low < zend_low or high > zend_high:
                gain.worse += not mask & MAY_BE_LONG or bool(mask & ~zend_mask) or low <= high
            elif mask != zend_mask or tighter:
                gain.better += 1
        ours, other = _safe_sums(function, facts), _safe_sums(zend_function, zend_facts)
        for number in _is_integer_sum(function, facts):
            if number in ours and number in other:
                gain.sums += 1
                gain.sums_safe_zend += other[number]
                gain.sums_safe_sound += ours[number]
    return gain


def show_gain(paths: list[str]) -> None:
    total = Gain()
    print("definitions, strictly better, worse; integer sums: all, without overflow by zend, by sound")
    for path in paths:
        gain = gain_of(Path(path))
        total += gain
        print(f"{Path(path).name:28} {gain}")
    print(f"{'all':28} {total}")


def _phi_chain(size: int) -> OpArray:
    """``if ($x) $y = 1; else $y = 2;`` ``size`` times."""
    b = FunctionBuilder("chain", params=["x"])
    y = b.cv("y")
    for number in range(size):
        other, end = b.label(), b.label()
        b.branch_zero(b.cv("x"), other)
        b.assign(y, b.const(number))
        b.jump(end)
        b.place(other)
        b.assign(y, b.const(-number))
        b.place(end)
        b.echo(y)
    b.ret()
    return b.finish()


def _nested_loops(depth: int) -> OpArray:
    """``for ($i = 0; $i < 10; $i++)``, ``depth`` deep, all counters their own."""
    b = FunctionBuilder("nest", params=[])
    ends = []
    for level in range(depth):
        counter, test, body = b.cv(f"i{level}"), b.label(), b.label()
        b.assign(counter, b.const(0))
        b.jump(test)
        b.place(body)
        ends.append((counter, test, body))
    b.echo(b.const(b"x"))
    for counter, test, body in reversed(ends):
        b.emit(Opcode.PRE_INC, counter, result=None)
        b.place(test)
        b.branch_nonzero(b.emit(Opcode.IS_SMALLER, counter, b.const(10)), body)
    b.ret()
    return b.finish()


def _one_component(size: int) -> OpArray:
    """A loop in which ``size`` variables are rotated: one component of all of them."""
    b = FunctionBuilder("rotate", params=["n"])
    names = [b.cv(f"v{number}") for number in range(size)]
    for number, name in enumerate(names):
        b.assign(name, b.const(number))
    body, test = b.label(), b.label()
    b.jump(test)
    b.place(body)
    first = b.emit(Opcode.QM_ASSIGN, names[0])
    for left, right in pairwise(names):
        b.assign(left, right)
    b.assign(names[-1], b.emit(Opcode.ADD, first, b.const(1)))
    b.place(test)
    b.branch_nonzero(b.cv("n"), body)
    b.ret(names[0])
    return b.finish()


_SHAPES: dict[str, tuple[Callable[[int], OpArray], tuple[int, ...]]] = {
    "phi chain": (_phi_chain, (1000, 2000, 4000)),
    "loops deep": (_nested_loops, (12, 25, 50)),
    "component": (_one_component, (1250, 2500, 5000)),
}


def show_growth() -> None:
    print("shape, size: names, seconds (zend, sound)")
    for shape, (make, sizes) in _SHAPES.items():
        for size in sizes:
            figures = []
            for config in (Config.ZEND, Config.SOUND):
                function = build_ssa(make(size), config)
                start = time.perf_counter()
                infer(function)
                figures.append(time.perf_counter() - start)
            print(f"{shape:12} {size:6}: {len(function.ssa_vars):7} {figures[0]:8.2f} {figures[1]:8.2f}")


def main(arguments: list[str]) -> None:
    if arguments[:1] == ["gain"]:
        show_gain(arguments[1:])
    elif arguments == ["growth"]:
        show_growth()
    else:
        print(__doc__)


if __name__ == "__main__":
    main(sys.argv[1:])
