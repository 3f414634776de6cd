"""The block form and its analyses as PHP's optimizer prints them, byte for byte.

One printer for each section of the dump (zend-reference 1.1 and 1.4), after the functions of the same purpose in
Zend/Optimizer/zend_dump.c:

======================  =====================================  =========================================
``print_cfg``           "dfa cfg"                              blocks, flags, edges
``print_dominators``    DOMINATORS-TREE                        idom, level, loop headers, children
``print_liveness``      Variable Liveness                      def, use, in, out of each block
``print_phi_placement``  SSA Phi() Placement                   slots that get a phi or pi, by block
``print_ssa``           "dfa ssa" and every later stage        SSA names beside the slots
``print_ssa_vars``      SSA Variable                           NOVAL, types, ranges, SCC numbers
``print_jit``           "JIT"                                  the JIT's own SSA form, with rc1 and rcn
======================  =====================================  =========================================

Everything is taken from the ``Function``; types and ranges come through ``VarFacts``, and are left out without it.
Each printer is linear in what it prints.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Protocol

from ssa2llvm.formats.zend_names import encode
from ssa2llvm.formats.zend_printer import SlotText, full_name, header_text, number_text, op_text
from ssa2llvm.ir.function import Block, BlockFlags, Function, Instr, Phi, RangeConstraint, TypeConstraint
from ssa2llvm.ir.operands import Operand
from ssa2llvm.ir.types import type_text

_FLAG_WORDS: tuple[tuple[BlockFlags, bytes], ...] = (
    (BlockFlags.START, b" start"),
    (BlockFlags.RECV_ENTRY, b" recv"),
    (BlockFlags.FOLLOW, b" follow"),
    (BlockFlags.TARGET, b" target"),
    (BlockFlags.EXIT, b" exit"),
    (BlockFlags.ENTRY | BlockFlags.RECV_ENTRY, b" entry"),
    (BlockFlags.TRY, b" try"),
    (BlockFlags.CATCH, b" catch"),
    (BlockFlags.FINALLY, b" finally"),
    (BlockFlags.FINALLY_END, b" finally_end"),
)
_LATE_FLAG_WORDS: tuple[tuple[BlockFlags, bytes], ...] = (
    (BlockFlags.UNREACHABLE_FREE, b" unreachable_free"),
    (BlockFlags.LOOP_HEADER, b" loop_header"),
    (BlockFlags.IRREDUCIBLE_LOOP, b" irreducible"),
)
_BEFORE_LOOPS = ~(BlockFlags.LOOP_HEADER | BlockFlags.IRREDUCIBLE_LOOP)
_MIN, _MAX = -(1 << 63), (1 << 63) - 1


class VarFacts(Protocol):
    """What inference knows of an SSA name, as far as PHP prints it."""

    def mask_of(self, name: int) -> int:
        """The type mask."""

    def class_of(self, name: int) -> tuple[str, bool] | None:
        """The class of the objects in it, and whether subclasses count (``instanceof``)."""

    def range_of(self, name: int) -> tuple[int, int, bool, bool] | None:
        """(min, max, underflow, overflow), or None if it has no range."""

    def no_escape(self, name: int) -> bool:
        """Whether the object or array in it is seen by nobody else."""


class SsaText:
    """How SSA names of one function print: ``#3.CV0($x) NOVAL [long] RANGE[0..9]``.

    ``with_vars`` says that PHP had built its variable table already, which it shows by NOVAL; ``show_rc`` that it shows
    reference counts.
    """

    def __init__(
        self, function: Function, facts: VarFacts | None = None, with_vars: bool = False, show_rc: bool = False
    ) -> None:
        self.slots = SlotText(function.op_array, function.extra_names)
        self._vars = function.ssa_vars
        self._facts = facts
        self._with_vars = with_vars or facts is not None
        self.show_rc = show_rc

    def name(self, name: int, slot: int) -> bytes:
        """An SSA name where PHP does not know the kind of temporary."""
        return self._text(name, self.slots.slot(slot))

    def name_at(self, name: int, operand: Operand) -> bytes:
        """An SSA name at an operand."""
        return self._text(name, self.slots.slot_like(operand))

    def _text(self, name: int, slot_text: bytes) -> bytes:
        if name < 0:
            return b"#?." + slot_text
        text = b"#%d.%s" % (name, slot_text)
        if self._with_vars and self._vars[name].no_val:
            text += b" NOVAL"
        if self._facts is not None:
            text += self._facts_text(self._facts, name)
        return text

    def _facts_text(self, facts: VarFacts, name: int) -> bytes:
        text = b" NOESC" if facts.no_escape(name) else b""
        class_name, is_instanceof = _class_words(facts.class_of(name))
        text += b" " + encode(type_text(facts.mask_of(name), class_name, is_instanceof, self.show_rc))
        found = facts.range_of(name)
        return text + range_text(*found) if found is not None else text


def _class_words(cls: tuple[str, bool] | None) -> tuple[str | None, bool]:
    """A class as printed: C cuts the names of anonymous ones at their NUL."""
    return (cls[0].split("\0")[0], cls[1]) if cls is not None else (None, False)


def range_text(low: int, high: int, underflow: bool, overflow: bool) -> bytes:
    """A range as PHP prints it, with the space before it; nothing for a range without bounds."""
    if underflow and overflow:
        return b""
    low_text = b"--" if underflow else b"MIN" if low == _MIN else b"%d" % low
    high_text = b"++" if overflow else b"MAX" if high == _MAX else b"%d" % high
    return b" RANGE[%s..%s]" % (low_text, high_text)


class _Targets:
    """Jump targets of one block's instructions: PHP prints the block's successors one after another.

    Blocks that cannot be reached have lost their successors; there the target is looked up.
    """

    def __init__(self, block: Block, block_of: dict[int, int]) -> None:
        self._block = block
        self._block_of = block_of
        self._next = 0

    def jump(self, target: int) -> bytes:
        if self._next < len(self._block.succs):
            self._next += 1
            return b" BB%d" % self._block.succs[self._next - 1]
        return b" BB%d" % self._block_of[target]


class _CfgStyle:
    def __init__(self, slots: SlotText, instr: Instr, targets: _Targets) -> None:
        self._slots = slots
        self._instr = instr
        self.jump = targets.jump

    def result_prefix(self) -> bytes:
        return self._slots.operand(self._instr.result) + b" = " if self._instr.result.is_var else b""

    def op1(self) -> bytes:
        return b" " + self._slots.operand(self._instr.op1)

    def op2(self) -> bytes:
        return b" " + self._slots.operand(self._instr.op2)

    def result_suffix(self) -> bytes:
        return b""


class _SsaStyle:
    def __init__(self, names: SsaText, instr: Instr, targets: _Targets) -> None:
        self._names = names
        self._instr = instr
        self.jump = targets.jump

    def result_prefix(self) -> bytes:
        instr = self._instr
        if instr.result_use >= 0 or not instr.result.is_var:
            return b""
        if instr.result_def >= 0:
            return self._names.name_at(instr.result_def, instr.result) + b" = "
        return self._names.slots.operand(instr.result) + b" = "

    def _use_and_def(self, operand: Operand, use: int, definition: int) -> bytes:
        text = b""
        if use >= 0:
            text = b" " + self._names.name_at(use, operand)
        elif definition < 0:
            text = b" " + self._names.slots.operand(operand)
        return text + b" -> " + self._names.name_at(definition, operand) if definition >= 0 else text

    def op1(self) -> bytes:
        return self._use_and_def(self._instr.op1, self._instr.op1_use, self._instr.op1_def)

    def op2(self) -> bytes:
        return self._use_and_def(self._instr.op2, self._instr.op2_use, self._instr.op2_def)

    def result_suffix(self) -> bytes:
        instr = self._instr
        if instr.result_use < 0:
            return b""
        return self._use_and_def(instr.result, instr.result_use, instr.result_def)


def _block_list(blocks: Iterable[int]) -> bytes:
    return b", ".join(b"BB%d" % block for block in blocks)


def _block_header(block: Block, flags: BlockFlags, with_tree: bool) -> bytes:
    lines = [b"\n" if block.id > 0 else b"", b"BB%d:\n     ;" % block.id]
    lines += [word for bits, word in _FLAG_WORDS if flags & bits]
    if not block.reachable:
        lines.append(b" unreachable")
    lines += [word for bits, word in _LATE_FLAG_WORDS if flags & bits]
    last = block.start + block.length - 1
    lines.append(b" lines=[%d-%d]\n" % (block.start, last) if block.length else b" empty\n")
    if block.preds:
        lines.append(b"     ; from=(%s)\n" % _block_list(block.preds))
    if block.succs:
        lines.append(b"     ; to=(%s)\n" % _block_list(block.succs))
    if with_tree:
        if block.idom >= 0:
            lines.append(b"     ; idom=BB%d\n" % block.idom)
        if block.level >= 0 or block.reachable:  # handlers, which no edge of PHP's leads to, are at level 0
            lines.append(b"     ; level=%d\n" % max(block.level, 0))
        if block.loop_header >= 0:
            lines.append(b"     ; loop_header=%d\n" % block.loop_header)
        if block.children:
            lines.append(b"     ; children=(%s)\n" % _block_list(block.children))
    return b"".join(lines)


def _block_of_start(function: Function) -> dict[int, int]:
    """The block at an instruction: one that passes have emptied too, for jumps that cannot be reached."""
    emptied = {block.start: block.id for block in function.blocks if not block.length}
    return emptied | {block.start: block.id for block in function.blocks if block.length}


def block_lines(
    function: Function, with_names: bool = True, facts: VarFacts | None = None, with_vars: bool = False
) -> list[list[bytes]]:
    """The lines inside each block: phis and instructions, with SSA names or (``with_names`` false) plain slots."""
    return _block_lines(function, SsaText(function, facts, with_vars), with_names)


def _block_lines(function: Function, names: SsaText, with_names: bool = True) -> list[list[bytes]]:
    op_array, block_of = function.op_array, _block_of_start(function)
    result = []
    for block in function.blocks:
        lines = [_phi_text(names, phi) for phi in block.phis] if with_names else []
        targets = _Targets(block, block_of)
        for instr in block.instrs:
            style = _SsaStyle(names, instr, targets) if with_names else _CfgStyle(names.slots, instr, targets)
            lines.append(number_text(instr.number) + op_text(op_array, instr, style) + b"\n")
        result.append(lines)
    return result


def print_cfg(function: Function, message: str = "dfa cfg") -> bytes:
    """Blocks with their edges, before dominators are known. Works on a Function at any later stage too."""
    parts = [header_text(function.op_array, message)]
    for block, lines in zip(function.blocks, block_lines(function, with_names=False), strict=True):
        parts += [_block_header(block, block.flags & _BEFORE_LOOPS, with_tree=False), *lines]
    return b"".join(parts)


def print_dominators(function: Function) -> bytes:
    """Headers of the reachable blocks, with dominator tree and loops."""
    parts = [b'\nDOMINATORS-TREE for "%s"\n' % full_name(function.op_array)]
    parts += [_block_header(block, block.flags, with_tree=True) for block in function.blocks if block.reachable]
    return b"".join(parts)


def print_liveness(
    function: Function, define: Sequence[int], use: Sequence[int], live_in: Sequence[int], live_out: Sequence[int]
) -> bytes:
    """The sets of every block, unreachable ones included. Each argument holds one bit mask of slots a block."""
    slots = SlotText(function.op_array, function.extra_names)
    parts = [b'\nVariable Liveness for "%s"\n' % full_name(function.op_array)]
    for block in function.blocks:
        parts.append(b"  BB%d:\n" % block.id)
        for word, masks in ((b"def", define), (b"use", use), (b"in ", live_in), (b"out", live_out)):
            names = b", ".join(slots.slot(slot) for slot in _bits(masks[block.id]))
            parts.append(b"    ; %s = {%s}\n" % (word, names))
    return b"".join(parts)


def _bits(mask: int) -> Iterator[int]:
    """Positions of the set bits, ascending."""
    digits = bin(mask)[:1:-1]
    position = digits.find("1")
    while position >= 0:
        yield position
        position = digits.find("1", position + 1)


def print_phi_placement(function: Function) -> bytes:
    """Slots that have a phi or pi, by block. The list is called by the kind of its first member."""
    slots = SlotText(function.op_array, function.extra_names)
    parts = [b'\nSSA Phi() Placement for "%s"\n' % full_name(function.op_array)]
    for block in function.blocks:
        if block.phis:
            word = b"pi" if block.phis[0].is_pi else b"phi"
            names = b", ".join(slots.slot(phi.slot) for phi in block.phis)
            parts.append(b"  BB%d:\n    ; %s={%s}\n" % (block.id, word, names))
    return b"".join(parts)


def _constraint_text(names: SsaText, constraint: RangeConstraint | TypeConstraint | None) -> bytes:
    if constraint is None:
        return b""
    if isinstance(constraint, TypeConstraint):
        return b" TYPE " + encode(
            type_text(constraint.mask, constraint.class_name, is_instanceof=True, show_rc=names.show_rc)
        )
    if constraint.underflow and constraint.overflow:
        return b""
    low = b"-- .. "
    if not constraint.underflow:
        low = _bound_text(names, constraint.min_var, constraint.min_slot, constraint.min) + b" .. "
    high = b"++"
    if not constraint.overflow:
        high = _bound_text(names, constraint.max_var, constraint.max_slot, constraint.max)
    return b" RANGE%s[%s%s]" % (b"~" if constraint.negative else b"", low, high)


def _bound_text(names: SsaText, name: int, slot: int, number: int) -> bytes:
    if name < 0:
        return b"%d" % number
    # PHP negates in 64 bits, so that the least number stays negative behind its minus sign.
    shift = b" + %d" % number if number > 0 else b" - %d" % (_MIN if number == _MIN else -number)
    return names.name(name, slot) + (shift if number else b"")


def _phi_text(names: SsaText, phi: Phi) -> bytes:
    result = names.name(phi.result, phi.slot)
    if not phi.is_pi:
        return b"     %s = Phi(%s)\n" % (result, b", ".join(names.name(source, phi.slot) for source in phi.sources))
    source = names.name(phi.sources[0] if phi.sources else -1, phi.slot)
    constraint = _constraint_text(names, phi.constraint)
    return b"     %s = Pi<BB%d>(%s &%s)\n" % (result, phi.pi, source, constraint)


def print_ssa(
    function: Function,
    message: str = "dfa ssa",
    facts: VarFacts | None = None,
    with_vars: bool = False,
    flags: str = "",
) -> bytes:
    """SSA form. PHP shows NOVAL from "before dfa pass" on (``with_vars``), and with inference done, facts at each name
    and a comment line for each CV at entry. ``flags`` goes into the head, e.g. ``", no_loops"``."""
    op_array = function.op_array
    parts = [header_text(op_array, message, len(function.ssa_vars), flags)]
    if facts is not None:
        names = SsaText(function, facts)
        parts += [b"     ; %s\n" % names.name(slot, slot) for slot in range(len(op_array.cvs))]
    for block, lines in zip(function.blocks, block_lines(function, True, facts, with_vars), strict=True):
        parts += [_block_header(block, block.flags, with_tree=True), *lines]
    return b"".join(parts)


def print_ssa_vars(function: Function, facts: VarFacts | None = None) -> bytes:
    """All SSA names, with NOVAL, facts and SCC numbers (``*`` marks an entry of its component)."""
    names = SsaText(function, facts, with_vars=True)
    parts = [b'\nSSA Variable for "%s"\n' % full_name(function.op_array)]
    for name, ssa_var in enumerate(function.ssa_vars):
        scc = b""
        if ssa_var.scc >= 0:
            scc = (b" *" if ssa_var.scc_entry else b"  ") + b"SCC=%d" % ssa_var.scc
        parts.append(b"    %s%s\n" % (names.name(name, ssa_var.slot), scc))
    return b"".join(parts)


def print_jit(
    function: Function,
    facts: VarFacts | None,
    flags: str,
    returned: int,
    returned_class: tuple[str, bool] | None,
    returned_range: tuple[int, int, bool, bool] | None,
) -> bytes:
    """The form that PHP's JIT builds of a function; without ``facts``, one that it builds no SSA form of: blocks alone.

    ``returned`` and what follows is known of the function's result; PHP prints a range of zero if there is none."""
    op_array = function.op_array
    class_name, is_instanceof = _class_words(returned_class)
    parts = [
        header_text(op_array, "JIT", len(function.ssa_vars), flags),
        b"     ; return  " + encode(type_text(returned, class_name, is_instanceof, show_rc=True)),
        range_text(*(returned_range or (0, 0, False, False))) + b"\n",
    ]
    names = SsaText(function, facts, show_rc=True)
    if facts is not None:
        parts += [b"     ; %s\n" % names.name(slot, slot) for slot in range(len(op_array.cvs))]
    for block, lines in zip(function.blocks, _block_lines(function, names, facts is not None), strict=True):
        if block.reachable:
            parts += [_block_header(block, block.flags, with_tree=True), *lines]
    if function.try_blocks:
        parts.append(b"EXCEPTION TABLE:\n")
    for region in function.try_blocks:
        handlers = (region.catch_op, region.finally_op, region.finally_end)
        places = b"".join(b", BB%d" % handler if handler else b", -" for handler in handlers)
        parts.append(b"        BB%d%s\n" % (region.try_op, places))
    return b"".join(parts)
