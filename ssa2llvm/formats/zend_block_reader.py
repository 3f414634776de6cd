"""PHP's dumps in block form -> ``Function``: "dfa cfg", "dfa ssa" and every later stage, for comparison and teaching.

The inverse of ``zend_block_printer``: blocks with flags, edges and dominator tree, phis and pis with their constraints,
instructions with names. What follows from these (use chains) is not in the text and is not filled in. As in the linear
reader, where an instruction ends is decided by the number of the next one and by whether its text reads as a whole.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from ssa2llvm.formats.zend_names import MAIN_NAME, decode
from ssa2llvm.formats.zend_operands import OpContext
from ssa2llvm.formats.zend_ssa_operands import BlockOpParser, ReadFacts, SsaName
from ssa2llvm.formats.zend_stream import Header, error_at, is_section_start, match_header, next_section_start
from ssa2llvm.formats.zend_types import read_type
from ssa2llvm.ir.diagnostics import CompileError
from ssa2llvm.ir.function import Block, BlockFlags, Function, Instr, Phi, RangeConstraint, SsaVar, TypeConstraint
from ssa2llvm.ir.literals import JumpTable
from ssa2llvm.ir.op_array import OpArray
from ssa2llvm.ir.operands import Operand, OpKind
from ssa2llvm.ir.optable import ExtKind, WordKind, op_info

_FLAGS = {
    b"start": BlockFlags.START,
    b"recv": BlockFlags.RECV_ENTRY,
    b"follow": BlockFlags.FOLLOW,
    b"target": BlockFlags.TARGET,
    b"exit": BlockFlags.EXIT,
    b"entry": BlockFlags.ENTRY,
    b"try": BlockFlags.TRY,
    b"catch": BlockFlags.CATCH,
    b"finally": BlockFlags.FINALLY,
    b"finally_end": BlockFlags.FINALLY_END,
    b"unreachable": BlockFlags.NONE,
    b"unreachable_free": BlockFlags.UNREACHABLE_FREE,
    b"loop_header": BlockFlags.LOOP_HEADER,
    b"irreducible": BlockFlags.IRREDUCIBLE_LOOP,
}
_BLOCK = re.compile(rb"\n?BB(\d+):\n     ;((?: [a-z_]+)*?)(?: lines=\[(\d+)-(\d+)\]| empty)\n")
_EDGES = re.compile(rb"     ; (from|to|children)=\(((?:BB\d+(?:, )?)+)\)\n")
_NUMBER = re.compile(rb"     ; (?:(idom)=BB|(level)=|(loop_header)=)(\d+)\n")
_CV_FACTS = b"     ; #"
_PI = re.compile(rb" = Pi<BB(\d+)>\(")
_CONSTRAINT = re.compile(rb" &(?: (RANGE~?)\[| TYPE( \[.*\]))?")
_BOUND = re.compile(rb"(-?\d+)")
_LEAST = -(1 << 63)
_OFFSET = re.compile(rb" ([-+]) (-?\d+)")


@dataclass(slots=True)
class BlockSection:
    """A function at one stage. ``facts`` is what the names' text says besides numbers."""

    header: Header
    function: Function
    facts: ReadFacts


def read_block_sections(text: bytes, filename: str) -> list[BlockSection]:
    """Every section in block form, in order. Raises CompileError for damaged text."""
    sections = []
    position = next_section_start(text, 0)
    while position < len(text):
        matched = match_header(text, position)
        if matched is not None and text.startswith((b"BB", _CV_FACTS), matched[1]):
            reader = _SectionReader(text, matched[1], filename, matched[0])
            sections.append(reader.read())
            position = reader.position
            if position < len(text) and not is_section_start(text, position):
                raise error_at(text, position, filename, "text after the end of a function")
        else:
            position = next_section_start(text, position + 1)
    return sections


class _SectionReader:
    def __init__(self, data: bytes, position: int, filename: str, header: Header) -> None:
        self._data = data
        self._filename = filename
        self._header = header
        self.position = position
        self._context = OpContext(header.num_cvs, {}, [])
        self._facts = ReadFacts()
        self._parser = BlockOpParser(self._context, self._facts)

    def _error(self, message: str) -> CompileError:
        return error_at(self._data, self.position, self._filename, message)

    def read(self) -> BlockSection:
        while self._data.startswith(_CV_FACTS, self.position):
            self.position += len(_CV_FACTS) - 1
            self._parser.enter(self._name())
            self._expect(b"\n")
        blocks: list[Block] = []
        while (match := _BLOCK.match(self._data, self.position)) is not None:
            self.position = match.end()
            blocks.append(self._read_block(match, blocks))
        header = self._header
        scope, _, name = header.name.rpartition(b"::")
        op_array = OpArray(
            name=decode(name),
            filename=decode(header.filename),
            line_start=header.line_start,
            line_end=header.line_end,
            ops=[instr for block in blocks for instr in block.instrs],
            literals=self._context.literals,
            cvs=self._context.names(),
            num_temps=header.num_temps,
            num_args=header.num_args,
            scope=decode(scope) if scope else None,
            is_main=header.name == MAIN_NAME,
            declarations_known=False,
        )
        self._resolve_targets(op_array, blocks)
        function = Function(op_array, blocks, self._names_table(header.num_ssa_vars or 0))
        function.has_loops = any(BlockFlags.LOOP_HEADER in block.flags for block in blocks)
        return BlockSection(header, function, self._facts)

    def _names_table(self, count: int) -> list[SsaVar]:
        slots = self._facts.slots
        if any(name >= count for name in slots):
            raise self._error("a name beyond the number of names in the header")
        return [SsaVar(slots.get(name, name), no_val=name in self._facts.no_val) for name in range(count)]

    def _read_block(self, match: re.Match[bytes], blocks: list[Block]) -> Block:
        if int(match[1]) != len(blocks):
            raise self._error(f"expected block {len(blocks)}")
        block = Block(len(blocks))
        words = match[2].split()
        for word in words:
            if word not in _FLAGS:
                raise self._error(f"no block flag is called {decode(word)}")
            block.flags |= _FLAGS[word]
        if b"unreachable" not in words:
            block.flags |= BlockFlags.REACHABLE
        block.start = blocks[-1].start + blocks[-1].length if blocks else 0
        if match[3] is not None:
            block.start = int(match[3])
            block.length = int(match[4]) - block.start + 1
        self._read_edges(block)
        while self._data.startswith(b"     #", self.position):
            block.phis.append(self._read_phi(block))
        for number in range(block.start, block.start + block.length):
            block.instrs.append(self._read_instruction(number, number == block.start + block.length - 1))
        return block

    def _read_edges(self, block: Block) -> None:
        while True:
            edges = _EDGES.match(self._data, self.position)
            if edges is not None:
                self.position = edges.end()
                ids = [int(word[2:]) for word in edges[2].split(b", ")]
                if edges[1] == b"from":
                    block.preds = ids
                elif edges[1] == b"to":
                    block.succs = ids
                else:
                    block.children = ids
                continue
            number = _NUMBER.match(self._data, self.position)
            if number is None:
                return
            self.position = number.end()
            if number[1]:
                block.idom = int(number[4])
            elif number[2]:
                block.level = int(number[4])
            else:
                block.loop_header = int(number[4])

    def _expect(self, token: bytes) -> None:
        if not self._data.startswith(token, self.position):
            raise self._error(f"expected {decode(token)!r}")
        self.position += len(token)

    def _name(self) -> SsaName:
        for name, end in self._parser.names(self._data, self.position):
            self.position = end
            return name
        raise self._error("expected an SSA name")

    def _read_phi(self, block: Block) -> Phi:
        self.position += 5
        result = self._name()
        phi = Phi(result.variable.operand.num, block.id, self._parser.enter(result))
        pi = _PI.match(self._data, self.position)
        if pi is not None:
            self.position = pi.end()
            phi.pi = int(pi[1])
            phi.sources = [self._parser.enter(self._name())]
            phi.constraint = self._read_constraint()
            self._expect(b")\n")
            return phi
        self._expect(b" = Phi(")
        while not self._data.startswith(b")", self.position):
            if phi.sources:
                self._expect(b", ")
            phi.sources.append(self._parser.enter(self._name()))
        self._expect(b")\n")
        return phi

    def _read_constraint(self) -> RangeConstraint | TypeConstraint:
        match = _CONSTRAINT.match(self._data, self.position)
        if match is None:
            raise self._error("expected a constraint")
        self.position = match.end()
        if match[2]:
            found = read_type(match[2])
            if found is None:
                raise self._error("expected a list of types")
            return TypeConstraint(found[0], None if found[1] is None else decode(found[1]))
        constraint = RangeConstraint()
        if match[1] is None:  # PHP shows nothing of a range that is open at both ends
            constraint.underflow = constraint.overflow = True
            return constraint
        constraint.negative = match[1].endswith(b"~")
        if self._data.startswith(b"-- .. ", self.position):
            constraint.underflow = True
            self.position += len(b"--")
        else:
            constraint.min_var, constraint.min_slot, constraint.min = self._read_bound()
        self._expect(b" .. ")
        if self._data.startswith(b"++]", self.position):
            constraint.overflow = True
            self.position += len(b"++")
        else:
            constraint.max_var, constraint.max_slot, constraint.max = self._read_bound()
        self._expect(b"]")
        return constraint

    def _read_bound(self) -> tuple[int, int, int]:
        """(name, slot, number) of a bound."""
        number = _BOUND.match(self._data, self.position)
        if number is not None:
            self.position = number.end()
            return -1, -1, int(number[1])
        name = self._name()
        offset = _OFFSET.match(self._data, self.position)
        value = 0
        if offset is not None:
            self.position = offset.end()
            # PHP negates in 64 bits: the least number is shown as "- -9223372036854775808".
            value = int(offset[2]) if offset[1] == b"+" or offset[2] == b"%d" % _LEAST else -int(offset[2])
        return self._parser.enter(name), name.variable.operand.num, value

    def _read_instruction(self, number: int, is_last: bool) -> Instr:
        head = b"%04d " % number
        if not self._data.startswith(head, self.position):
            raise self._error(f"expected instruction {number:04d}")
        begin = self.position + len(head)
        following = b"\n" if is_last else b"\n%04d " % (number + 1)
        end = self._data.find(following, begin)
        while end >= 0:
            if not is_last or self._can_end_block(end + 1):
                instr = self._parser.parse(self._data[begin:end])
                if isinstance(instr, Instr):
                    instr.number = number
                    self.position = end + 1
                    return instr
            end = self._data.find(following, end + 1)
        raise self._error(f"cannot read instruction {number:04d}")

    def _can_end_block(self, position: int) -> bool:
        data = self._data
        return (
            position == len(data)
            or data.startswith((b"LIVE RANGES:\n", b"EXCEPTION TABLE:\n"), position)
            or (data.startswith(b"\n", position) and is_section_start(data, position))
            or _BLOCK.match(data, position) is not None
        )

    def _resolve_targets(self, op_array: OpArray, blocks: list[Block]) -> None:
        """Turn block ids into numbers of instructions, as ``Instr`` keeps them."""

        def start(block: int) -> int:
            if not 0 <= block < len(blocks):
                raise self._error(f"there is no block {block}")
            return blocks[block].start

        for block in blocks:
            if any(not 0 <= other < len(blocks) for other in (*block.succs, *block.preds, *block.children)):
                raise self._error(f"block {block.id} has an edge to a block that does not exist")
            for instr in block.instrs:
                info = op_info(instr.opcode)
                if info.op1 == WordKind.JMP_ADDR and instr.op1.kind == OpKind.UNUSED:
                    instr.op1 = Operand(OpKind.UNUSED, start(instr.op1.num))
                if info.op2 == WordKind.JMP_ADDR and instr.op2.kind == OpKind.UNUSED:
                    instr.op2 = Operand(OpKind.UNUSED, start(instr.op2.num))
                if ExtKind.JMP_ADDR in info.ext:
                    instr.extended_value = start(instr.extended_value)
                table = op_array.literals[instr.op2.num] if instr.op2.is_const else None
                if isinstance(table, JumpTable):
                    entries = tuple((key, start(target)) for key, target in table.entries)
                    op_array.literals[instr.op2.num] = JumpTable(entries)
