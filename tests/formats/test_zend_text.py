"""PHP's dump text: reading and printing are inverse on what PHP prints; damaged text gives one diagnostic."""

from __future__ import annotations

from pathlib import Path

import pytest

from ssa2llvm.formats.zend_printer import print_zend_text
from ssa2llvm.formats.zend_reader import read_zend_text
from ssa2llvm.ir.diagnostics import CompileError
from ssa2llvm.ir.literals import Inexact, JumpTable
from ssa2llvm.ir.op_array import FnFlags, LiveRange, LiveRangeKind, TryCatch
from ssa2llvm.ir.opcode import Opcode
from ssa2llvm.ir.operands import FREE_ON_RETURN, FREE_SWITCH, LAST_CATCH, THROW_IS_EXPR, Operand, OpKind
from tests.formats.programs import DECLARATIONS, QUIRKS
from tests.tools import php_dump

EXAMPLES = sorted((Path(__file__).parents[2] / "examples").glob("*.zend"))

HEADER = b"\n%s:\n     ; (lines=%d, args=0, vars=%d, tmps=%d)\n     ; (before optimizer)\n     ; t.php:1-9\n"


def dump(*lines: bytes, name: bytes = b"$_main", cvs: int = 1, temps: int = 9, tail: bytes = b"") -> bytes:
    """A dump of one function with these instructions."""
    body = b"".join(b"%04d %s\n" % (number, line) for number, line in enumerate(lines))
    return HEADER % (name, len(lines), cvs, temps) + body + tail


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.name)
def test_examples_print_as_they_were_read(path: Path) -> None:
    text = path.read_bytes()
    assert print_zend_text(read_zend_text(text, path.name)) == text


@pytest.mark.parametrize("source", [QUIRKS, DECLARATIONS])
def test_php_prints_the_same(tmp_path: Path, source: bytes) -> None:
    file = tmp_path / "quirks.php"
    file.write_bytes(source)
    text = php_dump(file)
    assert b"$_main:" in text
    assert print_zend_text(read_zend_text(text, "quirks")) == text


def test_a_string_may_hold_a_whole_dump() -> None:
    fake = b"x\n0001 RETURN int(1)\n\nf:\n     ; (lines=1, args=0, vars=0, tmps=0)\n"
    text = dump(b'ECHO string("' + fake + b'")', b"RETURN int(1)")
    script = read_zend_text(text, "d")
    assert [op.opcode for op in script.main.ops] == [Opcode.ECHO, Opcode.RETURN]
    assert script.main.literals == [fake, 1]
    assert script.functions == []


def test_empty_lines_in_a_string_do_not_end_a_function() -> None:
    text = dump(b'ASSIGN CV0($x) string("a = "()"\n\nb = "")', b"RETURN int(1)")
    assert read_zend_text(text, "d").main.literals[0] == b'a = "()"\n\nb = "'


def test_operands_of_every_kind() -> None:
    text = dump(
        b'T1 = CONCAT string("a") string("b")',
        b"T2 = IS_IDENTICAL CV0($a)b) int(-9223372036854775808)",
        b'INIT_FCALL 1 96 string("f")',
        b'SEND_VAL float(0.5) string("named")',
        b"V3 = DO_ICALL",
        b"T4 = INIT_ARRAY 3 (packed) (ref) CV0($a)b) NEXT",
        b"T5 = TYPE_CHECK TYPE [bool, long, double, string, array, object, resource] CV0($a)b)",
        b'SWITCH_STRING T1 "x": 0008, "y"": 0009, default: 0009',
        b"T6 = FETCH_CLASS (static) (exception)",
        b"RETURN float(1.23457e+08)",
    )
    script = read_zend_text(text, "d")
    ops, literals = script.main.ops, script.main.literals
    assert print_zend_text(script) == text
    assert script.main.cvs == ["a)b"]
    assert (ops[0].op1.kind, ops[0].op2.kind, ops[0].result) == (OpKind.CONST, OpKind.CONST, Operand(OpKind.TMP, 1))
    assert literals[ops[1].op2.num] == -(1 << 63)
    assert (ops[2].extended_value, ops[2].op1, literals[ops[2].op2.num]) == (1, Operand(OpKind.UNUSED, 96), b"f")
    assert literals[ops[3].op1.num] == 0.5
    assert ops[5].extended_value == 3 << 2 | 1
    assert ops[6].extended_value == 0x3FC
    assert literals[ops[7].op2.num] == JumpTable(((b"x", 8), (b'y"', 9)))
    assert ops[7].extended_value == 9
    assert ops[8].op1.num == 3 | 0x200
    assert literals[ops[9].op1.num] == Inexact(1.23457e08)


def test_the_last_catch_shows_no_target() -> None:
    text = dump(
        b"JMP 0003",
        b'CV0($e) = CATCH string("E") 0002',
        b'CATCH string("F")',
        b"RETURN int(1)",
        tail=b"EXCEPTION TABLE:\n     0000, 0001, -, -\n",
    )
    ops = read_zend_text(text, "d").main.ops
    assert (ops[1].op1.kind, ops[1].op2.num, ops[1].extended_value) == (OpKind.CONST, 2, 0)
    assert (ops[2].op1.kind, ops[2].extended_value) == (OpKind.CONST, LAST_CATCH)


def test_tables_and_phps_missing_newline() -> None:
    first = dump(
        b'V1 = NEW 0 string("A")',
        b"DO_FCALL",
        b"JMP 0004",
        b'CATCH string("E")',
        b"T2 = FAST_CALL 0005",
        b"FAST_RET T2",
        b"RETURN int(1)",
        tail=b"LIVE RANGES:\n     1: 0001 - 0002 (new)\nEXCEPTION TABLE:\n"
        b"     0000, 0003, -, -\n     0000, -, 0005, 0005     0001, -, 0005, 0005",
    )
    second = dump(b"RETURN null", name=b"f", cvs=0)
    script = read_zend_text(first + second, "d")
    assert print_zend_text(script) == first + second
    assert script.main.live_ranges == [LiveRange(1, LiveRangeKind.NEW, 1, 2)]
    assert script.main.try_catch == [TryCatch(0, 3, 0, 0), TryCatch(0, 0, 5, 5), TryCatch(1, 0, 5, 5)]
    assert FnFlags.HAS_FINALLY in script.main.flags
    assert [function.name for function in script.functions] == ["f"]


def test_functions_are_nested_by_order_and_by_class() -> None:
    text = (
        dump(b"T0 = DECLARE_LAMBDA_FUNCTION 0", b"RETURN int(1)", cvs=0)
        + dump(b'DECLARE_FUNCTION string("g") 0', b"RETURN null", name=b"{closure}", cvs=0)
        + dump(b"RETURN null", name=b"g", cvs=0)
        + dump(b"RETURN null", name=b"h", cvs=0)
        + dump(b"T0 = DECLARE_LAMBDA_FUNCTION 0", b"RETURN T0", name=b"N\\C::m", cvs=0)
        + dump(b"RETURN null", name=b"{closure}", cvs=0)
        + dump(b"RETURN null", name=b"N\\D::m", cvs=0)
    )
    script = read_zend_text(text, "d")
    closure = script.main.dynamic_defs[0]
    assert (closure.name, closure.dynamic_defs[0].name) == ("{closure}", "g")
    assert [function.name for function in script.functions] == ["h"]
    assert [(cls.name, [method.name for method in cls.methods]) for cls in script.classes] == [
        ("N\\C", ["m"]),
        ("N\\D", ["m"]),
    ]
    assert script.classes[0].methods[0].dynamic_defs[0].name == "{closure}"
    assert print_zend_text(script) == text


def test_parameters_are_told_by_recv() -> None:
    text = HEADER.replace(b"args=0", b"args=2") % (b"f", 4, 3, 0) + (
        b"0000 CV0($a) = RECV 1\n0001 CV1($b) = RECV_INIT 2 null\n0002 CV2($c) = RECV_VARIADIC 3\n0003 RETURN null\n"
    )
    function = read_zend_text(dump(b"RETURN int(1)", cvs=0) + text, "d").functions[0]
    assert [arg.name for arg in function.arg_info] == ["a", "b", "c"]
    assert (function.num_args, function.required_num_args, function.arg_info[2].variadic) == (2, 1, True)
    assert FnFlags.VARIADIC in function.flags
    assert not function.declarations_known


def test_hidden_flags_are_recovered() -> None:
    text = dump(
        b"T1 = CASE T2 int(1)",
        b"JMPZ T1 0004",
        b"FREE T2",
        b"RETURN int(1)",
        b"FREE T2",
        b"T3 = CONCAT CV0($a) CV0($a)",
        b"FREE T3",
        b"THROW CV0($a)",
        b"T4 = QM_ASSIGN bool(true)",
        b"V5 = FE_RESET_R CV0($a) 0014",
        b"FE_FETCH_R V5 CV0($a) 0014",
        b"FE_FREE V5",
        b"RETURN int(2)",
        b"JMP 0010",
        b"FE_FREE V5",
        b"THROW CV0($a)",
    )
    ops = read_zend_text(text, "d").main.ops
    assert [ops[number].extended_value for number in (2, 4, 6, 7, 11, 14, 15)] == [
        FREE_ON_RETURN, FREE_SWITCH, 0, THROW_IS_EXPR, FREE_ON_RETURN, 0, 0,
    ]  # fmt: skip


def test_what_the_text_cannot_tell_is_said() -> None:
    text = dump(b'ECHO string("a")', b"ECHO float(0.123457)", b"ECHO float(0.5)", b"ECHO array(...)", b"RETURN int(1)")
    sentences = " ".join(read_zend_text(text, "d").lossy)
    for word in ("NUL", "six digits", "1 floats", "1 constant arrays", "no declared types"):
        assert word in sentences


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        (b"", 1, "not a dump"),
        (b"<?php echo 1;", 1, "not a dump"),
        (b"\xff\xfe\x00garbage", 1, "not a dump"),
        (dump(b"RETURN int(1)")[:-8], 6, "cannot read instruction 0000"),
        (dump(b"NOP", b"RETURN int(1)").replace(b"0001", b"0002"), 6, "cannot read instruction 0000"),
        (dump(b"NOP", b"RETURN int(1)")[:-19], 6, "cannot read instruction 0000"),
        (dump(b"NOP", b"RETURN int(1)").replace(b"0000", b"0003"), 6, "expected instruction 0000"),
        (dump(b"FROBNICATE", b"RETURN int(1)"), 6, "cannot read instruction 0000"),
        (dump(b"ECHO CV7($x)", b"RETURN int(1)"), 6, "cannot read instruction 0000"),
        (dump(b"ECHO T88", b"RETURN int(1)"), 2, "no temporary 88"),
        (dump(b"JMP 0009", b"RETURN int(1)"), 2, "outside the function"),
        (dump(b"NOP"), 2, "runs off the end"),
        (dump(b"RETURN int(1)", tail=b"LIVE RANGES:\n     3: 0000 - 0007 (loop)\n"), 8, "live range outside"),
        (dump(b"RETURN int(1)", tail=b"EXCEPTION TABLE:\n     0009, -, -, -\n"), 8, "exception table"),
        (dump(b"RETURN int(1)", name=b"f"), 1, "does not start with the main script"),
        (dump(b"RETURN int(1)") + b"\nwarning: odd\n", 6, "cannot read instruction 0000"),
    ],
)
def test_damaged_text_gives_one_diagnostic(text: bytes, line: int, message: str) -> None:
    with pytest.raises(CompileError, match=message) as caught:
        read_zend_text(text, "bad.zend")
    assert (caught.value.file, caught.value.line) == ("bad.zend", line)


def test_every_truncation_is_diagnosed_or_whole() -> None:
    text = EXAMPLES[0].read_bytes()
    for length in range(0, len(text), 7):
        try:
            script = read_zend_text(text[:length], "cut")
        except CompileError:
            continue
        assert text.startswith(print_zend_text(script))
