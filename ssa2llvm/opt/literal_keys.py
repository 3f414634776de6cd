"""Which elements added without key surely find a free index.

``[$x, $y]`` and ``$a[] = $x`` add elements without key. That throws if the index after the greatest one so far is
taken, which only an integer key close to PHP_INT_MAX can bring about: nobody lives to see 2**62 elements added. So it
is enough that all integer keys in an array's history, but for those that such additions chose, are small.

That is followed through the names that arrays pass: literals, elements added, stores, copies, phis. Optimistic: an
array is thought to have small keys until a key that may be big, or an array of unknown history, flows in. Linear.
Zend removes such an element even where it throws (Zend/Optimizer/dce.c with zend_may_throw).
"""

from __future__ import annotations

from collections.abc import Iterator

from ssa2llvm.analysis.facts import Facts
from ssa2llvm.ir.function import Function, Instr
from ssa2llvm.ir.literals import ArrayConst
from ssa2llvm.ir.opcode import Opcode
from ssa2llvm.ir.operands import Operand
from ssa2llvm.ir.types import MAY_BE_ANY, MAY_BE_ARRAY, MAY_BE_INDIRECT, MAY_BE_REF, MAY_BE_UNDEF
from ssa2llvm.opt.evaluate import key_of
from ssa2llvm.opt.lattice import literal_value
from ssa2llvm.values.types import is_int

SMALL = 2**62

_ELEMENTS = frozenset({Opcode.INIT_ARRAY, Opcode.ADD_ARRAY_ELEMENT})
_WRITES = frozenset({Opcode.ASSIGN_DIM, Opcode.ASSIGN_DIM_OP, Opcode.FETCH_DIM_W, Opcode.FETCH_DIM_RW})
_COPIES = frozenset({Opcode.QM_ASSIGN, Opcode.COPY})


def elements_with_room(function: Function, facts: Facts) -> set[Instr]:
    """The instructions of ``function`` that add an element without key to an array that surely has room for it."""
    adding = [
        instr
        for block in function.blocks
        for instr in block.instrs
        if instr.opcode in _ELEMENTS or instr.opcode == Opcode.ASSIGN_DIM
        if not instr.op2.is_const and not instr.op2.is_var
    ]
    if not adding:
        return set()
    has_small_keys = _small_keys(function, facts)
    return {
        instr
        for instr in adding
        if instr.opcode == Opcode.INIT_ARRAY
        or has_small_keys[instr.result_use if instr.opcode == Opcode.ADD_ARRAY_ELEMENT else instr.op1_use]
    }


def _small_keys(function: Function, facts: Facts) -> list[bool]:
    """For each name, whether a value that is an array has small keys only."""
    small = [True] * len(function.ssa_vars)
    targets: dict[int, list[int]] = {}
    for name, var in enumerate(function.ssa_vars):
        if var.definition_phi is not None:
            sources: list[int | None] = [*var.definition_phi.sources]
        elif not facts.types[name] & (MAY_BE_ARRAY | MAY_BE_REF | MAY_BE_INDIRECT):
            continue
        else:
            sources = [None] if var.definition is None else list(_history(function, facts, var.definition, name))
        for source in sources:
            if source is None:
                small[name] = False
            else:
                targets.setdefault(source, []).append(name)
    pending = [name for name, is_small in enumerate(small) if not is_small]
    while pending:
        for target in targets.get(pending.pop(), ()):
            if small[target]:
                small[target] = False
                pending.append(target)
    return small


def _history(function: Function, facts: Facts, instr: Instr, name: int) -> Iterator[int | None]:
    """The names of the arrays that ``name``, defined by ``instr``, goes on from; None if that is not known, or a key
    may be big."""
    opcode = instr.opcode
    if opcode in _COPIES and instr.result_def == name:
        yield from _copied(function, instr.op1, instr.op1_use)
    elif opcode == Opcode.ASSIGN:
        yield from _copied(function, instr.op2, instr.op2_use)
    elif opcode in _ELEMENTS and instr.result_def == name:
        if instr.result_use >= 0:
            yield instr.result_use
        if not _is_small_key(function, facts, instr.op2, instr.op2_use):
            yield None
    elif opcode in _WRITES and instr.op1_def == name:
        yield instr.op1_use if not facts.types[instr.op1_use] & MAY_BE_REF else None
        if not _is_small_key(function, facts, instr.op2, instr.op2_use):
            yield None
    elif opcode in (Opcode.UNSET_DIM, Opcode.FETCH_DIM_UNSET) and instr.op1_def == name:
        yield instr.op1_use
    else:
        yield None


def _copied(function: Function, operand: Operand, use: int) -> Iterator[int | None]:
    if not operand.is_const:
        yield use if use >= 0 else None
        return
    literal = function.op_array.literal(operand)
    entries = literal.entries if isinstance(literal, ArrayConst) else ()
    if not isinstance(literal, ArrayConst) or any(is_int(key) and key > SMALL for key, _ in entries):
        yield None


def _is_small_key(function: Function, facts: Facts, operand: Operand, use: int) -> bool:
    """Whether a key is an integer that is small, a string that is none, or missing."""
    if operand.is_const:
        key = key_of(literal_value(function.op_array.literal(operand)))
        return key is not None and not (is_int(key) and key > SMALL)
    if not operand.is_var:
        return True
    if use < 0:
        return False
    known = facts.long_range(use)
    if known is not None:
        return not known.flagged and known.max <= SMALL
    return not facts.types[use] & (MAY_BE_ANY | MAY_BE_UNDEF | MAY_BE_REF)
