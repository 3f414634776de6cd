"""Instructions and tables of one op array in an opcache image -> ir.

What ``zend_op`` packs into its words is unpacked here: variables are byte offsets into the frame, jumps are byte
distances from the instruction, jump tables hold such distances too. Cache slots, which PHP keeps in otherwise unused
words, are left out; what else those words say is kept (``_EXTENDED``, ``_OP2_CLASS_FETCH``).
"""

from __future__ import annotations

from ssa2llvm.formats.opcache_image import Image
from ssa2llvm.formats.opcache_layout import FIRST_SLOT, LAYOUTS
from ssa2llvm.ir.literals import ArrayConst, JumpTable, Literal
from ssa2llvm.ir.op_array import LiveRange, LiveRangeKind, Op, TryCatch
from ssa2llvm.ir.opcode import Opcode
from ssa2llvm.ir.operands import LAST_CATCH, UNUSED, Operand, OpKind
from ssa2llvm.ir.optable import ExtKind, OpInfo, WordKind, op_info

_OP_SIZE = LAYOUTS["op"].size
_TABLE_OPCODES = frozenset({Opcode.SWITCH_LONG, Opcode.SWITCH_STRING, Opcode.MATCH})
_OP2_CLASS_FETCH = frozenset(
    {
        Opcode.ASSIGN_STATIC_PROP, Opcode.ASSIGN_STATIC_PROP_OP, Opcode.ASSIGN_STATIC_PROP_REF,
        Opcode.PRE_INC_STATIC_PROP, Opcode.PRE_DEC_STATIC_PROP, Opcode.POST_INC_STATIC_PROP,
        Opcode.POST_DEC_STATIC_PROP, Opcode.UNSET_STATIC_PROP,
    }
)  # fmt: skip
"""Opcodes whose unused op2 says self, parent or static, although PHP's opcode flags do not declare it."""

_EXTENDED: dict[Opcode, int] = {
    Opcode.FREE: 3,
    Opcode.FE_FREE: 3,
    Opcode.THROW: 1,
    Opcode.EXIT: 1,
    Opcode.MATCH_ERROR: 1,
    Opcode.JMP_NULL: 7,
    Opcode.COUNT: 1,
    Opcode.DO_FCALL: 1,
    Opcode.BIND_STATIC: 7,
    Opcode.BIND_LEXICAL: 7,
}
"""Bits of extended_value that matter though PHP's dump does not show them."""

_WHOLE = ExtKind.NUM | ExtKind.OP | ExtKind.TYPE | ExtKind.TYPE_MASK | ExtKind.EVAL | ExtKind.ARRAY_INIT
_BITS: tuple[tuple[ExtKind, int], ...] = (
    (ExtKind.SRC, 3),
    (ExtKind.LAST_CATCH, LAST_CATCH),
    (ExtKind.VAR_FETCH, 0b1110),
    (ExtKind.ISSET, 1),
    (ExtKind.REF, 1),
    (ExtKind.FETCH_REF, 3),
    (ExtKind.DIM_WRITE, 3),
)
_LIVE_KINDS = (
    LiveRangeKind.TMPVAR,
    LiveRangeKind.LOOP,
    LiveRangeKind.SILENCE,
    LiveRangeKind.ROPE,
    LiveRangeKind.NEW,
)


class OpReader:
    """Reads the instructions of one op array."""

    def __init__(self, image: Image, opcodes: int, count: int, literals: list[Literal]) -> None:
        """``opcodes`` is where the ``count`` instructions stand; ``literals`` gets the jump tables."""
        image.check(opcodes, count * _OP_SIZE)
        self._image = image
        self._opcodes = opcodes
        self._count = count
        self._literals = literals

    def read(self) -> list[Op]:
        """All instructions, in order."""
        return [self._read_op(number) for number in range(self._count)]

    def _read_op(self, number: int) -> Op:
        at = self._opcodes + number * _OP_SIZE
        field = self._image.integer
        code = field("op", at, "opcode")
        try:
            opcode = Opcode(code)
        except ValueError:
            raise self._image.damaged(f"damaged: no opcode has the number {code}") from None
        info = op_info(opcode)
        extended = self._extended_value(info, number, field("op", at, "extended_value"))
        op = Op(opcode, extended_value=extended, line=field("op", at, "lineno"))
        op.op1 = self._operand(number, field("op", at, "op1_type"), field("op", at, "op1"), info.op1)
        if opcode == Opcode.CATCH and extended & LAST_CATCH:
            op.op2 = UNUSED
        else:
            word = WordKind.CLASS_FETCH if opcode in _OP2_CLASS_FETCH else info.op2
            op.op2 = self._operand(number, field("op", at, "op2_type"), field("op", at, "op2"), word)
        op.result = self._operand(number, field("op", at, "result_type"), field("op", at, "result"), WordKind.NONE)
        if opcode in _TABLE_OPCODES:
            self._make_jump_table(number, op)
        return op

    def _target(self, number: int, distance: int) -> int:
        """The instruction that lies ``distance`` bytes (32 bits, signed) from instruction ``number``."""
        distance = (distance & 0xFFFFFFFF) - ((distance & 0x80000000) << 1)
        target = number + distance // _OP_SIZE
        if distance % _OP_SIZE or not 0 <= target < self._count:
            raise self._image.damaged("damaged: a jump leads out of its function")
        return target

    def _operand(self, number: int, kind: int, value: int, word: WordKind) -> Operand:
        kind &= 0x0F
        if kind == OpKind.UNUSED:
            if word in (WordKind.NONE, WordKind.THIS, WordKind.NEXT, WordKind.CONSTRUCTOR):
                return UNUSED
            return Operand(OpKind.UNUSED, self._target(number, value) if word == WordKind.JMP_ADDR else value)
        if kind == OpKind.CONST:
            return Operand(OpKind.CONST, value)
        if kind not in (OpKind.TMP, OpKind.VAR, OpKind.CV) or value % 16:
            raise self._image.damaged("damaged: an operand that is none")
        return Operand(OpKind(kind), value // 16 - FIRST_SLOT)

    def _extended_value(self, info: OpInfo, number: int, value: int) -> int:
        if ExtKind.JMP_ADDR in info.ext:
            return self._target(number, value)
        if info.ext & _WHOLE:
            return value
        mask = _EXTENDED.get(info.opcode, 0)
        for kind, bits in _BITS:
            if kind in info.ext:
                mask |= bits
        return value & mask

    def _make_jump_table(self, number: int, op: Op) -> None:
        literal = op.op2.num
        table = self._literals[literal] if op.op2.is_const and literal < len(self._literals) else None
        if not isinstance(table, ArrayConst):
            raise self._image.damaged("damaged: a switch without a jump table")
        entries = []
        for key, distance in table.entries:
            if not isinstance(distance, int):
                raise self._image.damaged("damaged: a jump table holds something else")
            entries.append((key, self._target(number, distance)))
        self._literals[literal] = JumpTable(tuple(entries))


def read_live_ranges(image: Image, offset: int, count: int) -> list[LiveRange]:
    """The table of live temporaries."""
    size = LAYOUTS["live_range"].size
    image.check(offset, count * size)
    ranges = []
    for at in range(offset, offset + count * size, size):
        variable = image.integer("live_range", at, "var")
        if variable & 7 >= len(_LIVE_KINDS):
            raise image.damaged("damaged: a live range of no kind")
        slot = (variable & ~7) // 16 - FIRST_SLOT
        start, end = image.integer("live_range", at, "start"), image.integer("live_range", at, "end")
        ranges.append(LiveRange(slot, _LIVE_KINDS[variable & 7], start, end))
    return ranges


def read_try_catch(image: Image, offset: int, count: int, num_ops: int) -> list[TryCatch]:
    """The exception table."""
    size = LAYOUTS["try_catch"].size
    image.check(offset, count * size)
    fields = ("try_op", "catch_op", "finally_op", "finally_end")
    entries = []
    for at in range(offset, offset + count * size, size):
        numbers = [image.integer("try_catch", at, name) for name in fields]
        if max(numbers) >= num_ops:
            raise image.damaged("damaged: the exception table points outside its function")
        entries.append(TryCatch(*numbers))
    return entries
