"""Elements that are only looked at: which need no count of their own.

Problem: a fetched element is owned (``own``), because its array may be gone or changed by the time it is used. Mostly
it is not: ``$m[$i][$j]`` fetches a row only to look into it, ``$a[$i] < $x`` compares at once. Counting the row up and
down again then costs two memory operations a fetch, and hides from LLVM that nothing is written.

A name is *borrowed* when the array keeps its element alive for it: it is the result of a FETCH_DIM, exactly one other
instruction looks at it (and only borrows it), in the same block, and between the two there is nothing but instructions
that neither write an array nor drop anything that is not borrowed itself. Its DROPs do nothing then, nor do unwinders.
Nothing runs in between that PHP code could observe or change: there are no error handlers yet.

In: destructed form with explicit counting. Linear but for long chains of refusals.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

from ssa2llvm.ir.function import Block, Instr
from ssa2llvm.ir.opcode import Opcode
from ssa2llvm.own.operands import reads

__all__ = ["borrowed_names"]

_FETCHES = frozenset({Opcode.FETCH_DIM_R, Opcode.FETCH_DIM_IS})

_CALCULATES = frozenset(
    {
        Opcode.ADD,
        Opcode.SUB,
        Opcode.MUL,
        Opcode.DIV,
        Opcode.MOD,
        Opcode.POW,
        Opcode.SL,
        Opcode.SR,
        Opcode.BW_AND,
        Opcode.BW_OR,
        Opcode.BW_XOR,
        Opcode.CONCAT,
        Opcode.FAST_CONCAT,
        Opcode.IS_EQUAL,
        Opcode.IS_NOT_EQUAL,
        Opcode.IS_IDENTICAL,
        Opcode.IS_NOT_IDENTICAL,
        Opcode.IS_SMALLER,
        Opcode.IS_SMALLER_OR_EQUAL,
        Opcode.SPACESHIP,
        Opcode.BOOL,
        Opcode.BOOL_NOT,
        Opcode.COUNT,
        Opcode.STRLEN,
        Opcode.TYPE_CHECK,
        Opcode.ISSET_ISEMPTY_DIM_OBJ,
    }
)
"""Reads its operands and makes a new value of them."""

_QUIET = _FETCHES | _CALCULATES
_LOOKS = _QUIET | {Opcode.JMPZ, Opcode.JMPNZ, Opcode.JMPZ_EX, Opcode.JMPNZ_EX, Opcode.ECHO}


def borrowed_names(blocks: Sequence[Block], in_cell: Callable[[int], bool]) -> frozenset[int]:
    """The names that need no count; ``in_cell`` says whether a name's variable lives in memory."""
    looks: Counter[int] = Counter()
    for block in blocks:
        for instr in block.instrs:
            if instr.opcode != Opcode.DROP:
                looks.update(reads(instr))
    places = {
        instr.result_def: (block.instrs, index + 1)
        for block in blocks
        for index, instr in enumerate(block.instrs)
        if instr.opcode in _FETCHES and looks[instr.result_def] == 1 and not in_cell(instr.result_def)
    }
    # One's DROP may stand between another and its reader, so all are taken for borrowed until one turns out not to be.
    borrowed = set(places)
    settled = False
    while not settled:
        refused = {name for name in borrowed if not _is_looked_at(*places[name], name, borrowed)}
        borrowed -= refused
        settled = not refused
    return frozenset(borrowed)


def _is_looked_at(instrs: Sequence[Instr], start: int, name: int, borrowed: set[int]) -> bool:
    """Whether the one that reads ``name`` comes from ``start`` on before anything that may end it."""
    for index in range(start, len(instrs)):
        instr = instrs[index]
        if instr.opcode == Opcode.DROP:
            if instr.op1_use not in borrowed:
                return False
        elif name in reads(instr):
            return instr.opcode in _LOOKS and instr.op1_def < 0
        elif instr.opcode not in _QUIET or instr.op1_def >= 0:
            return False
    return False
