"""``switch`` and ``match`` by table: SWITCH_LONG, SWITCH_STRING, MATCH, MATCH_ERROR.

Successors are the table's targets in order, then the default, then (not for MATCH) the chain of comparisons that PHP
keeps for subjects of another type. An int table is one LLVM switch. A string table is a switch on the hash, which
literals carry and strings cache, and then comparisons within equal hashes: any number of cases costs one hash and one
comparison. Of equal keys the first counts, as in PHP, where the table is a hash whose first insertion wins.
"""

from __future__ import annotations

from ssa2llvm.ir.function import Instr
from ssa2llvm.ir.literals import JumpTable, Key
from ssa2llvm.ir.opcode import Opcode
from ssa2llvm.ir.types import MAY_BE_LONG, MAY_BE_STRING
from ssa2llvm.llvm.function import FunctionLowering
from ssa2llvm.llvm.layouts import string_hash
from ssa2llvm.llvm.lower_jump import tag_in
from ssa2llvm.llvm.registry import lowers
from ssa2llvm.llvm.representation import Datum, Rep, convert
from ssa2llvm.llvm.seam import BlockText

__all__: list[str] = []


def _targets(fn: FunctionLowering, instr: Instr) -> dict[Key, BlockText]:
    """The blocks of the table's keys; the first of equal keys."""
    table = fn.literal(instr.op2)
    assert isinstance(table, JumpTable)
    targets: dict[Key, BlockText] = {}
    for index, (key, _) in enumerate(table.entries):
        targets.setdefault(key, fn.target(index))
    return targets


def _default(fn: FunctionLowering, instr: Instr) -> BlockText:
    table = fn.literal(instr.op2)
    assert isinstance(table, JumpTable)
    return fn.target(len(table.entries))


def _on_long(fn: FunctionLowering, datum: Datum, targets: dict[Key, BlockText], default: BlockText) -> None:
    cases = [(key, block) for key, block in targets.items() if isinstance(key, int)]
    fn.text.switch(convert(fn.text, datum, Rep.LONG).parts[0], default, cases)


def _signed(number: int) -> int:
    return number - (1 << 64) if number >> 63 else number


def _on_string(fn: FunctionLowering, datum: Datum, targets: dict[Key, BlockText], default: BlockText) -> None:
    string = convert(fn.text, datum, Rep.STRING).parts[0]
    by_hash: dict[int, list[tuple[bytes, BlockText]]] = {}
    for key, block in targets.items():
        if isinstance(key, bytes):
            by_hash.setdefault(string_hash(key), []).append((key, block))
    if not by_hash:
        fn.text.jump(default)
        return
    candidates = [(digest, fn.text.new_block("case")) for digest in by_hash]
    digest_value = fn.runtime("s2l_string_hash", string)
    fn.text.switch(digest_value, default, [(_signed(digest), block) for digest, block in candidates])
    for digest, block in candidates:
        fn.text.at(block)
        for key, target in by_hash[digest]:
            same = fn.runtime("s2l_string_is_identical", string, fn.module.string(key))
            other = fn.text.new_block("next_case")
            fn.text.branch(same, target, other)
            fn.text.at(other)
        fn.text.jump(default)


@lowers(Opcode.SWITCH_LONG, Opcode.SWITCH_STRING)
def _switch(fn: FunctionLowering, instr: Instr) -> None:
    """An undefined subject warns at the comparisons behind, not here."""
    datum = fn.peek(instr, "op1")
    wanted = MAY_BE_LONG if instr.opcode == Opcode.SWITCH_LONG else MAY_BE_STRING
    table = fn.text.new_block("table")
    targets, default = _targets(fn, instr), _default(fn, instr)
    fn.text.branch(tag_in(fn, datum, wanted), table, fn.target(len(fn.block.succs) - 1))
    fn.text.at(table)
    known = Datum(wanted, datum.rep, datum.parts)
    if not datum.may(wanted):
        fn.text.unreachable()
    elif instr.opcode == Opcode.SWITCH_LONG:
        _on_long(fn, known, targets, default)
    else:
        _on_string(fn, known, targets, default)


@lowers(Opcode.MATCH)
def _match(fn: FunctionLowering, instr: Instr) -> None:
    datum = fn.read(instr, "op1")
    targets, default = _targets(fn, instr), _default(fn, instr)
    for wanted, lower in ((MAY_BE_LONG, _on_long), (MAY_BE_STRING, _on_string)):
        kind = int if wanted == MAY_BE_LONG else bytes
        if datum.may(wanted) and any(isinstance(key, kind) for key in targets):
            table, other = fn.text.new_block("table"), fn.text.new_block("other")
            fn.text.branch(tag_in(fn, datum, wanted), table, other)
            fn.text.at(table)
            lower(fn, Datum(wanted, datum.rep, datum.parts), targets, default)
            fn.text.at(other)
    fn.text.jump(default)


@lowers(Opcode.MATCH_ERROR)
def _match_error(fn: FunctionLowering, instr: Instr) -> None:
    fn.framed("s2l_throw_unhandled_match", fn.read(instr, "op1"))
    fn.fail()
