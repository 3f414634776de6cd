"""Random op arrays and scripts for hypothesis: well formed by ``linear_check``, else anything the classes allow."""

from __future__ import annotations

import math

from hypothesis import strategies as st

from ssa2llvm.ir.literals import ArrayConst, ConstAst, Inexact, JumpTable, Literal
from ssa2llvm.ir.op_array import (
    NO_TYPE,
    ArgInfo,
    ClassDecl,
    FnFlags,
    LiveRange,
    LiveRangeKind,
    Op,
    OpArray,
    PropertyDecl,
    Script,
    StaticVar,
    TryCatch,
    TypeDecl,
)
from ssa2llvm.ir.opcode import Opcode
from ssa2llvm.ir.operands import UNUSED, Operand, OpKind
from ssa2llvm.ir.optable import ExtKind, Flow, WordKind, op_info
from ssa2llvm.ir.types import MAY_BE_ANY, MAY_BE_NULL, MAY_BE_NUMBER, MAY_BE_STRING, declaration_text

TABLES = (Opcode.SWITCH_LONG, Opcode.SWITCH_STRING, Opcode.MATCH)
NEEDS_DATA = [op for op in Opcode if op.name.startswith("ASSIGN_") and op.name not in ("ASSIGN_OP", "ASSIGN_REF")]
PLAIN_OPCODES = [op for op in Opcode if op not in TABLES and op not in NEEDS_DATA]

names = st.text(st.characters(min_codepoint=1, exclude_characters="\x7f", codec="utf-8"), min_size=1, max_size=6)
simple_names = st.from_regex(r"[a-z_][a-z0-9_]{0,5}", fullmatch=True)
any_name = st.one_of(simple_names, names, st.just("{closure}"), st.just("A\\{closure}"), st.just("caf\udce9"))
int64 = st.integers(-(1 << 63), (1 << 63) - 1)
floats = st.one_of(st.floats(), st.just(-math.nan), st.just(-0.0))
scalars: st.SearchStrategy[Literal] = st.one_of(st.none(), st.booleans(), int64, floats, st.binary(max_size=12))
keys = st.one_of(int64, st.binary(max_size=4))


@st.composite
def arrays(draw: st.DrawFn, items: st.SearchStrategy[Literal]) -> ArrayConst:
    entries = draw(st.dictionaries(keys, items, max_size=4))
    if draw(st.booleans()):
        return ArrayConst(tuple(enumerate(entries.values())), draw(st.booleans()))
    return ArrayConst(tuple(entries.items()), draw(st.booleans()))


literals: st.SearchStrategy[Literal] = st.recursive(
    st.one_of(
        scalars,
        st.builds(ConstAst, any_name),
        st.builds(Inexact, st.one_of(st.none(), floats, st.binary(max_size=5))),
    ),
    arrays,
    max_leaves=6,
)


@st.composite
def types(draw: st.DrawFn) -> TypeDecl:
    class_names = tuple(
        draw(st.lists(st.sampled_from(["A", "B\\C", "self", "class@anonymous\0/x.php:1$0"]), unique=True))
    )
    if len(class_names) > 1 and draw(st.booleans()):
        return TypeDecl(0, class_names, True, declaration_text(0, class_names, True))
    mask = draw(st.sampled_from([0, MAY_BE_NUMBER, MAY_BE_NULL | MAY_BE_STRING, MAY_BE_ANY, 1 << 14, 1 << 17, 0xF00]))
    if not mask and not class_names:
        return NO_TYPE
    text = declaration_text(mask, class_names)
    return TypeDecl(mask, class_names, False, draw(st.sampled_from([text, "(A&B)|null"])))


flags = st.sets(st.sampled_from(list(FnFlags)[1:])).map(lambda chosen: FnFlags(sum(chosen)))


class _Maker:
    """Draws the instructions of one function."""

    def __init__(self, draw: st.DrawFn, op_array: OpArray, count: int) -> None:
        self.draw = draw
        self.op_array = op_array
        self.count = count

    def target(self) -> int:
        return self.draw(st.integers(0, self.count - 1))

    def literal(self, value: Literal) -> Operand:
        self.op_array.literals.append(value)
        return Operand(OpKind.CONST, len(self.op_array.literals) - 1)

    def variable(self) -> Operand | None:
        if self.op_array.num_slots == 0:
            return None
        slot = self.draw(st.integers(0, self.op_array.num_slots - 1))
        if slot < len(self.op_array.cvs):
            return Operand(OpKind.CV, slot)
        return Operand(self.draw(st.sampled_from([OpKind.TMP, OpKind.VAR])), slot)

    def operand(self, kind: WordKind) -> Operand:
        if kind == WordKind.JMP_ADDR:
            return Operand(OpKind.UNUSED, self.target())
        choice = self.draw(st.integers(0, 3))
        if choice == 0:
            return self.literal(self.draw(literals))
        variable = self.variable() if choice == 1 else None
        if variable is not None:
            return variable
        return Operand(OpKind.UNUSED, self.draw(st.sampled_from([0, 0, 1, 3, 0x85, 0xFFFFFFFF])))

    def op(self, opcode: Opcode) -> Op:
        info = op_info(opcode)
        op = Op(opcode, line=self.draw(st.integers(0, 3)))
        op.op1 = self.operand(info.op1)
        op.op2 = self.operand(info.op2)
        op.result = self.variable() or UNUSED
        if ExtKind.JMP_ADDR in info.ext:
            op.extended_value = self.target()
        elif info.ext == ExtKind.OP:
            op.extended_value = self.draw(st.integers(Opcode.ADD, Opcode.POW))
        else:
            op.extended_value = self.draw(st.sampled_from([0, 1, 2, 3, 5, 8, 0x3FC, 0xFFFFFFFF, -1]))
        if opcode in TABLES:
            entries = self.draw(st.lists(keys, max_size=3))
            op.op2 = self.literal(JumpTable(tuple((key, self.target()) for key in entries)))
        return op


@st.composite
def op_arrays(draw: st.DrawFn, depth: int = 1) -> OpArray:
    """A well-formed op array: its last instruction ends it, targets, slots and literals exist."""
    op_array = OpArray(draw(any_name), filename=draw(st.sampled_from(["t.php", "/a b/é.php"])))
    op_array.cvs = draw(st.lists(any_name, max_size=4, unique=True))
    op_array.num_temps = draw(st.integers(0, 3))
    chosen = draw(st.lists(st.sampled_from([*PLAIN_OPCODES, *TABLES, *NEEDS_DATA]), max_size=6))
    opcodes: list[Opcode] = []
    for opcode in chosen:
        opcodes += [opcode, Opcode.OP_DATA] if opcode in NEEDS_DATA else [opcode]
    opcodes.append(draw(st.sampled_from([op for op in Opcode if op_info(op).flow in (Flow.RETURN, Flow.JUMP)])))
    maker = _Maker(draw, op_array, len(opcodes))
    op_array.ops = [maker.op(opcode) for opcode in opcodes]
    numbers = st.integers(0, len(opcodes) - 1)
    if op_array.num_temps:
        slots = st.integers(len(op_array.cvs), op_array.num_slots - 1)
        ranges = st.builds(LiveRange, slots, st.sampled_from(LiveRangeKind), numbers, numbers)
        op_array.live_ranges = draw(st.lists(ranges, max_size=2))
    op_array.try_catch = draw(st.lists(st.builds(TryCatch, numbers, numbers, numbers, numbers), max_size=2))
    info = st.builds(ArgInfo, any_name, types(), st.booleans(), st.booleans(), st.sampled_from(["", "1 + 2", 'a"b']))
    op_array.arg_info = draw(st.lists(info, max_size=3))
    op_array.num_args, op_array.required_num_args = draw(st.tuples(st.integers(0, 3), st.integers(0, 3)))
    op_array.return_type = draw(types())
    op_array.flags = draw(flags)
    op_array.static_vars = draw(st.lists(st.builds(StaticVar, any_name, literals), max_size=2))
    op_array.line_start, op_array.line_end = draw(st.tuples(st.integers(0, 9), st.integers(0, 9)))
    op_array.scope = draw(st.sampled_from([None, None, "C", "N\\C"]))
    op_array.declarations_known = draw(st.booleans())
    if depth > 0:
        op_array.dynamic_defs = draw(st.lists(op_arrays(depth - 1), max_size=2))
    return op_array


@st.composite
def scripts(draw: st.DrawFn) -> Script:
    main = draw(op_arrays())
    main.name, main.is_main = "$_main", True
    properties = st.builds(
        lambda name, declared, default, given: PropertyDecl(name, declared, default, FnFlags.STATIC in given, given),
        any_name,
        types(),
        literals,
        flags,
    )
    classes = st.builds(
        ClassDecl,
        any_name,
        st.one_of(st.none(), any_name),
        st.lists(any_name, max_size=2),
        st.lists(st.tuples(any_name, literals), max_size=2),
        st.lists(properties, max_size=2),
        st.lists(op_arrays(0), max_size=1),
        st.integers(0, 1 << 31),
        st.integers(0, 9),
        st.integers(0, 9),
    )
    return Script(
        main,
        draw(st.lists(op_arrays(), max_size=2)),
        draw(st.lists(classes, max_size=1)),
        draw(st.sampled_from(["", "t.php"])),
        draw(st.lists(any_name, max_size=1)),
    )
