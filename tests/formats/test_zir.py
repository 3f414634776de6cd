"""zir: what is printed reads back the same, hand-written shorthand means what it says, errors point at the spot."""

from __future__ import annotations

import copy
from pathlib import Path

import pytest
from hypothesis import given, settings

from ssa2llvm.formats.linear_check import linear_problem
from ssa2llvm.formats.zend_printer import print_zend_text
from ssa2llvm.formats.zend_reader import read_zend_text
from ssa2llvm.formats.zir_printer import print_zir
from ssa2llvm.formats.zir_reader import read_zir
from ssa2llvm.ir.builder import FunctionBuilder, script_of
from ssa2llvm.ir.diagnostics import CompileError
from ssa2llvm.ir.literals import ArrayConst, JumpTable, Literal, literal_key
from ssa2llvm.ir.op_array import FnFlags, LiveRange, LiveRangeKind, OpArray, Script, StaticVar, TryCatch
from ssa2llvm.ir.opcode import Opcode
from ssa2llvm.ir.operands import FREE_SWITCH, JMP_NULL_IN_ISSET, LAST_CATCH, THROW_IS_EXPR, Operand, OpKind
from ssa2llvm.ir.types import MAY_BE_LONG, MAY_BE_NULL, MAY_BE_STRING
from tests.formats.programs import DECLARATIONS, QUIRKS
from tests.formats.strategies import scripts
from tests.tools import php_dump

EXAMPLES = Path(__file__).parents[2] / "examples"


def literal_text(value: Literal) -> str:
    """A literal so that equal texts mean the same value, NaN and -0.0 included."""
    if isinstance(value, ArrayConst):
        items = ", ".join(f"{key!r}: {literal_text(item)}" for key, item in value.entries)
        return f"{'packed' if value.packed else 'hash'}[{items}]"
    if isinstance(value, float):
        return f"float {literal_key(value)}"
    return repr(value)


def normal(script: Script) -> str:
    """Everything a script says, with literals in place of their numbers."""

    def describe(op_array: OpArray) -> str:
        clone = copy.deepcopy(op_array)
        shown = []
        for op in clone.ops:
            used = [literal_text(clone.literals[o.num]) for o in (op.op1, op.op2) if o.is_const]
            if op.op1.is_const:
                op.op1 = Operand(OpKind.CONST, 0)
            if op.op2.is_const:
                op.op2 = Operand(OpKind.CONST, 0)
            shown.append(f"{op} {used}")
        statics = [f"{var.name} {literal_text(var.value)}" for var in clone.static_vars]
        nested = [describe(inner) for inner in clone.dynamic_defs]
        clone.ops, clone.literals, clone.static_vars, clone.dynamic_defs = [], [], [], []
        return f"{clone} {shown} {statics} {nested}"

    classes = []
    for cls in copy.deepcopy(script.classes):
        constants = [f"{name} {literal_text(value)}" for name, value in cls.constants]
        properties = []
        for prop in cls.properties:
            default, prop.default = literal_text(prop.default), None
            properties.append(f"{prop} {default}")
        methods = [describe(method) for method in cls.methods]
        cls.constants, cls.properties, cls.methods = [], [], []
        classes.append(f"{cls} {constants} {properties} {methods}")
    functions = [describe(function) for function in script.functions]
    return "\n".join([script.filename, repr(script.lossy), describe(script.main), *functions, *classes])


@settings(max_examples=40)
@given(scripts())
def test_round_trip(script: Script) -> None:
    assert all(linear_problem(op_array) is None for op_array in script.op_arrays())
    text = print_zir(script)
    again = read_zir(text, "again.zir")
    assert normal(again) == normal(script)
    assert print_zir(again) == text


@pytest.mark.parametrize("source", [QUIRKS, DECLARATIONS])
def test_zir_of_phps_dump_prints_phps_dump(tmp_path: Path, source: bytes) -> None:
    file = tmp_path / "quirks.php"
    file.write_bytes(source)
    text = php_dump(file)
    again = read_zir(print_zir(read_zend_text(text, "dump")), "zir")
    assert print_zend_text(again) == text


def test_the_hand_written_example_is_what_the_builder_builds() -> None:
    script = read_zir((EXAMPLES / "ssa.zir").read_text(), "ssa.zir")
    choose = FunctionBuilder("choose", [("c", MAY_BE_LONG)], returns=MAY_BE_LONG)
    otherwise, done = choose.label(), choose.label()
    choose.branch_zero(choose.cv("c"), otherwise)
    choose.assign(choose.cv("result"), choose.const(3))
    choose.jump(done)
    choose.place(otherwise)
    choose.assign(choose.cv("result"), choose.const(2))
    choose.place(done)
    choose.ret(choose.cv("result"))
    built = print_zend_text(script_of(None, [choose.finish()]))
    read = print_zend_text(Script(script.main, script.functions[:1]))
    assert [line for line in read.split(b"\n") if not line.startswith(b" ")] == [
        line for line in built.split(b"\n") if not line.startswith(b" ")
    ]
    assert [function.name for function in script.functions] == ["choose", "count_to"]
    assert script.functions[1].arg_info[0].type.mask == MAY_BE_LONG
    assert script.functions[1].num_temps == 1


def read_body(*lines: str) -> OpArray:
    return read_zir("\n".join(["; zir 1", "main {", *lines, "}"]), "t.zir").main


def test_shorthand() -> None:
    body = read_body(
        "loop: ; a comment",
        "  T.sum = ADD $a 5 @7",
        '  ASSIGN $b "x\\x00\\n;" ; not an operand',
        "  ASSIGN $c 1.5",
        '  SWITCH_STRING $b "a": loop, "b": 0001, default: end',
        '  V.it = FE_RESET_R [1, "k" => [true, null]] end',
        "end:",
        "  RETURN T.sum",
    )
    ops, literals = body.ops, body.literals
    assert body.cvs == ["a", "b", "c"]
    assert body.num_temps == 2
    assert (ops[0].result, ops[0].line, ops[1].line) == (Operand(OpKind.TMP, 3), 7, 7)
    assert literals[ops[1].op2.num] == b"x\0\n;"
    assert literals[ops[2].op2.num] == 1.5
    assert (literals[ops[3].op2.num], ops[3].extended_value) == (JumpTable(((b"a", 0), (b"b", 1))), 5)
    assert ops[4].op2 == Operand(OpKind.UNUSED, 5)
    assert ops[4].result == Operand(OpKind.VAR, 4)
    assert literals[ops[4].op1.num] == ArrayConst(((0, 1), (b"k", ArrayConst(((0, True), (1, None)), True))), False)
    assert ops[5].op1 == ops[0].result


def test_words_for_what_php_does_not_show() -> None:
    ops = read_body(
        "FREE (switch) T0",
        "JMP_NULL (isset) T0 0002",
        'CATCH (last) "E"',
        "THROW (expr) T0",
        "T0 = FAST_CALL 0005",
        "FAST_RET T0",
        "TYPE_CHECK ext(12) T0",
        "ECHO _ T0",
        "RETURN 1",
    ).ops
    assert [op.extended_value for op in ops[:4]] == [FREE_SWITCH, JMP_NULL_IN_ISSET, LAST_CATCH, THROW_IS_EXPR]
    assert ops[5].op2.num == 0xFFFFFFFF
    assert ops[6].extended_value == 12
    assert (ops[7].op1.kind, ops[7].op2) == (OpKind.UNUSED, Operand(OpKind.TMP, 0))


def test_declarations() -> None:
    text = """; zir 1
file "lib.php"
function pick(?int $a, string &$b = "'x'", ...$rest): int|null {
    lines 3-9
    flags static has_type_hints
    args 2 required 1
    vars $a, $b, $rest
    static $cache = [1]
    RETURN $a @4
    live 4: 0000 - 0001 (rope)
    temps 2
    try 0000, 0000, -, -
    function {closure}() { ; nested
        RETURN null
    }
}
class N\\C extends \"odd name\" implements I {
    const K = 3
    property protected static : int|null $p = 5
    function m() {
        RETURN null
    }
}
"""
    script = read_zir(text, "lib.zir")
    pick, cls = script.functions[0], script.classes[0]
    assert [(arg.name, arg.type.mask, arg.by_ref, arg.variadic, arg.default_text) for arg in pick.arg_info] == [
        ("a", MAY_BE_LONG | MAY_BE_NULL, False, False, ""),
        ("b", MAY_BE_STRING, True, False, "'x'"),
        ("rest", 0, False, True, ""),
    ]
    assert (pick.return_type.text, pick.num_args, pick.required_num_args) == ("?int", 2, 1)
    assert pick.flags == FnFlags.STATIC | FnFlags.HAS_TYPE_HINTS
    assert pick.static_vars == [StaticVar("cache", ArrayConst(((0, 1),), True))]
    assert pick.live_ranges == [LiveRange(4, LiveRangeKind.ROPE, 0, 1)]
    assert pick.try_catch == [TryCatch(0, 0, 0, 0)]
    assert (pick.filename, pick.line_start, pick.ops[0].line) == ("lib.php", 3, 4)
    assert FnFlags.CLOSURE in pick.dynamic_defs[0].flags
    assert (cls.name, cls.parent, cls.interfaces, cls.constants) == ("N\\C", "odd name", ["I"], [("K", 3)])
    assert (cls.properties[0].static, cls.properties[0].flags, cls.properties[0].default) == (
        True,
        FnFlags.PROTECTED | FnFlags.STATIC,
        5,
    )
    assert (cls.methods[0].scope, pick.scope) == ("N\\C", None)
    assert script.main.ops[0].opcode == Opcode.RETURN


@pytest.mark.parametrize(
    ("body", "line", "column", "message"),
    [
        ("ECHO", 2, 1, "runs off the end"),
        ("FROB $a", 3, 1, "no opcode of PHP 8.2 is called FROB"),
        ("ASSIGN $a string(5)", 3, 18, "expected a quoted string"),
        ("ASSIGN $a 99999999999999999999", 3, 31, "does not fit in 64 bits"),
        ('ASSIGN $a "\\q"', 3, 12, "unknown escape"),
        ('ASSIGN $a "open', 3, 11, "expected a literal"),
        ("JMP nowhere", 3, 5, "no label nowhere"),
        ("JMP", 3, 4, "needs a jump target"),
        ("0007 NOP", 3, 1, "this is instruction 0000"),
        ("ASSIGN CV0($a) CV0($b)", 3, 23, "do not belong together"),
        ("ECHO CV2($a)", 2, 7, "variable CV0 of"),
        ("ECHO T5 5 5", 3, 11, "unexpected text"),
        ('INIT_FCALL string("f")', 3, 12, "INIT_FCALL needs its extended value"),
        ("SWITCH_LONG $a 1: 0000", 3, 23, "expected ','"),
        ("a:\na:\nNOP\na:", 6, 1, "label a stands twice"),
        ("ASSIGN $a [1, 0 => 2]", 3, 21, "array key used twice"),
        ("vars $a, $a", 3, 12, "do not belong together"),
        ("temps 0\nECHO T5\nRETURN 1", 2, 1, "no temporary 5"),
        ("RETURN 1\nfunction f() {\nRETURN 1", 6, 2, "not closed"),
        ("live 1: 0 - 0 (odd)", 3, 15, "expected"),
        ("flags sticky", 3, 7, "no flag is called sticky"),
        ("ASSIGN_DIM $a 1\nRETURN 1", 2, 1, "needs OP_DATA behind it"),
    ],
)
def test_errors_point_at_the_spot(body: str, line: int, column: int, message: str) -> None:
    with pytest.raises(CompileError, match=message) as caught:
        read_zir(f"; zir 1\nmain {{\n{body}\n}}", "bad.zir")
    assert (caught.value.file, caught.value.line, caught.value.column) == ("bad.zir", line, column)


@pytest.mark.parametrize(
    "text", ["", "main {", "; zir 2\nmain {\n}", "; zir 1\nmain {", "; zir 1\nfoo", "; zir 1\nmain {\n}\nmain {\n}"]
)
def test_broken_frames(text: str) -> None:
    with pytest.raises(CompileError):
        read_zir(text, "bad.zir")


def test_a_deep_array_is_an_error_not_a_crash() -> None:
    with pytest.raises(CompileError, match="nested too deeply"):
        read_body("ECHO " + "[" * 5000 + "]" * 5000, "RETURN 1")


def test_deeply_nested_closures() -> None:
    depth = 3000
    text = "; zir 1\nmain {\n" + "function {closure}() {\nRETURN null\n" * depth + "}\n" * depth + "RETURN 1\n}\n"
    script = read_zir(text, "deep.zir")
    assert len(script.op_arrays()) == depth + 1
    assert read_zir(print_zir(script), "deep.zir").op_arrays()[-1].name == "{closure}"
