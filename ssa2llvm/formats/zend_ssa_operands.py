"""Instructions of PHP's dumps in block form: ``0005 #16.T8 [bool] = IS_EQUAL #15.CV3($i) NOVAL int(3)``.

Same grammar as the linear form (``zend_operands``) with two differences: a variable is an SSA name beside its slot, or
two of them (``#2.CV2($s) -> #8.CV2($s)``: read, then defined), and a jump goes to a block. What PHP shows of a name
beside its number is collected in ``ReadFacts``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from ssa2llvm.formats.zend_names import decode
from ssa2llvm.formats.zend_operands import OpContext, OpParser, Reading
from ssa2llvm.formats.zend_types import read_type
from ssa2llvm.ir.function import Instr
from ssa2llvm.ir.opcode import Opcode
from ssa2llvm.ir.operands import Operand, OpKind
from ssa2llvm.ir.optable import OpInfo

_NUMBER = re.compile(rb"#(\d+|\?)\.")
_TEMP = re.compile(rb"([TVX])(\d+)")
_FACTS = re.compile(
    rb"(?P<no_val> NOVAL)?(?P<no_escape> NOESC)?"
    rb"(?: (?P<types>\[(?:[^\[\]]|\[(?:[^\[\]]|\[[^\[\]]*\])*\])*\]))?"
    rb"(?: RANGE\[(?P<low>[^\].]+)\.\.(?P<high>[^\]]+)\])?"
)
_BLOCK = re.compile(rb" BB(\d+)(?![^ ,])")
_ACCUMULATES = (Opcode.ADD_ARRAY_ELEMENT, Opcode.ADD_ARRAY_UNPACK)
_MIN, _MAX = -(1 << 63), (1 << 63) - 1


@dataclass(frozen=True, slots=True)
class SsaName:
    """A name as it stands in the text: its number (-1 for ``#?``), its variable, its facts."""

    number: int
    variable: Reading
    facts: re.Match[bytes]


@dataclass(frozen=True, slots=True)
class SsaReading(Reading):
    """An operand with names beside it."""

    use: SsaName | None = None
    definition: SsaName | None = None


@dataclass(slots=True)
class ReadFacts:
    """What the dump shows of each name; a ``VarFacts`` for the printers."""

    slots: dict[int, int] = field(default_factory=dict)
    no_val: set[int] = field(default_factory=set)
    types: dict[int, tuple[int, bytes | None, bool]] = field(default_factory=dict)
    ranges: dict[int, tuple[int, int, bool, bool]] = field(default_factory=dict)
    unescaped: set[int] = field(default_factory=set)

    def mask_of(self, name: int) -> int:
        """The type mask."""
        return self.types[name][0]

    def class_of(self, name: int) -> tuple[str, bool] | None:
        """The class, and whether subclasses count."""
        _, class_name, is_instanceof = self.types[name]
        return None if class_name is None else (decode(class_name), is_instanceof)

    def range_of(self, name: int) -> tuple[int, int, bool, bool] | None:
        """(min, max, underflow, overflow)."""
        return self.ranges.get(name)

    def no_escape(self, name: int) -> bool:
        """Whether PHP shows NOESC."""
        return name in self.unescaped

    def record(self, name: SsaName) -> int:
        """Enter a name that was read; return its number."""
        number, facts = name.number, name.facts
        if number < 0:
            return number
        self.slots[number] = name.variable.operand.num
        if facts["no_val"]:
            self.no_val.add(number)
        if facts["no_escape"]:
            self.unescaped.add(number)
        types = read_type(facts["types"]) if facts["types"] else None
        if types is not None:
            self.types[number] = types
        if facts["low"]:
            self.ranges[number] = _range(facts["low"], facts["high"])
        return number


class BlockOpParser(OpParser):
    """Reads instructions whose jumps go to blocks and whose variables may carry names. Jump targets are block ids until
    ``zend_block_reader`` has seen all blocks."""

    def __init__(self, context: OpContext, facts: ReadFacts) -> None:
        super().__init__(context)
        self.facts = facts

    def target(self, text: bytes, position: int) -> tuple[int, int] | None:
        """A block and where its number ends."""
        match = _BLOCK.match(text, position)
        return (int(match[1]), match.end()) if match else None

    def variables(self, text: bytes, position: int) -> Iterator[tuple[Reading, int]]:
        """``#use.$x -> #def.$x``, either of them alone, or a plain variable."""
        if text.startswith(b" #", position):
            for use, end in self.names(text, position + 1):
                if text.startswith(b" -> #", end):
                    for definition, after in self.names(text, end + 4):
                        if definition.variable.operand.num == use.variable.operand.num:
                            yield _reading(use, definition), after
                yield _reading(use, None), end
        elif text.startswith(b" -> #", position):
            for definition, end in self.names(text, position + 4):
                yield _reading(None, definition), end
        else:
            yield from super().variables(text, position)

    def names(self, text: bytes, position: int) -> Iterator[tuple[SsaName, int]]:
        """Every way to read one SSA name with its facts."""
        match = _NUMBER.match(text, position)
        if match is None:
            return
        number = -1 if match[1] == b"?" else int(match[1])
        temp = _TEMP.match(text, match.end())
        if temp is not None:
            kind = OpKind.TMP if temp[1] == b"T" else OpKind.VAR
            variables = iter([(Reading(Operand(kind, int(temp[2]))), temp.end())])
        else:
            variables = self.cvs(text, match.end())
        for variable, end in variables:
            facts = _FACTS.match(text, end)
            assert facts is not None
            yield SsaName(number, variable, facts), facts.end()

    def enter(self, name: SsaName) -> int:
        """Take note of a name that was read in a phi; return its number."""
        self.commit(name.variable)
        return self.facts.record(name)

    def results(self, text: bytes) -> Iterator[tuple[Reading, int]]:
        """``#5.T8 = ``: the name is a definition."""
        for reading, end in super().results(text):
            if isinstance(reading, SsaReading):
                yield _reading(None, reading.use), end
            else:
                yield reading, end

    def read_operands(
        self, info: OpInfo, text: bytes, position: int, extended_value: int, result: Reading
    ) -> Instr | None:
        """Operands, and for opcodes that add to their result, the result behind them."""
        op = None
        if info.opcode in _ACCUMULATES and not result.operand.is_var:
            start = text.rfind(b" #", position)
            while start >= 0 and op is None:
                for reading, end in self.variables(text, start):
                    if end == len(text) and isinstance(reading, SsaReading) and reading.definition:
                        op = super().read_operands(info, text[:start], position, extended_value, reading)
                start = text.rfind(b" #", position, start)
        else:
            op = super().read_operands(info, text, position, extended_value, result)
        assert op is None or isinstance(op, Instr)
        return op

    def build(self, opcode: Opcode, op1: Reading, op2: Reading, result: Reading, extended_value: int) -> Instr:
        """The instruction with its names."""
        instr = Instr(opcode, self.commit(op1), self.commit(op2), self.commit(result), extended_value)
        instr.op1_use, instr.op1_def = self._numbers(op1)
        instr.op2_use, instr.op2_def = self._numbers(op2)
        instr.result_use, instr.result_def = self._numbers(result)
        return instr

    def _numbers(self, reading: Reading) -> tuple[int, int]:
        if not isinstance(reading, SsaReading):
            return -1, -1
        use = self.facts.record(reading.use) if reading.use else -1
        return use, self.facts.record(reading.definition) if reading.definition else -1


def _reading(use: SsaName | None, definition: SsaName | None) -> SsaReading:
    name = definition or use
    assert name is not None
    return SsaReading(name.variable.operand, cv_name=name.variable.cv_name, use=use, definition=definition)


def _range(low: bytes, high: bytes) -> tuple[int, int, bool, bool]:
    bounds = {b"MIN": _MIN, b"MAX": _MAX, b"--": _MIN, b"++": _MAX}
    return (
        bounds[low] if low in bounds else int(low),
        bounds[high] if high in bounds else int(high),
        low == b"--",
        high == b"++",
    )
