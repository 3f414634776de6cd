"""Dumps in block form: reading PHP's sections and printing them again is the identity, facts included."""

from __future__ import annotations

from pathlib import Path

import pytest

from ssa2llvm.formats.zend_block_printer import print_cfg, print_dominators, print_liveness, print_ssa, range_text
from ssa2llvm.formats.zend_block_reader import read_block_sections
from ssa2llvm.formats.zend_stream import SectionKind, split_sections
from ssa2llvm.formats.zend_types import read_type_mask
from ssa2llvm.ir.diagnostics import CompileError
from ssa2llvm.ir.function import BlockFlags, RangeConstraint, TypeConstraint
from ssa2llvm.ir.literals import JumpTable
from ssa2llvm.ir.types import MAY_BE_NULL, MAY_BE_OBJECT, type_text
from tests.tools import php_dump

RECORDED = sorted((Path(__file__).parents[1] / "conform" / "programs").glob("*.recorded/*.dump"))


def sections(dump: bytes, message: bytes) -> list[bytes]:
    """PHP's own text of each section with this message."""
    found = [section for section in split_sections(dump) if section.header and section.header.message == message]
    return [dump[section.start : section.end] for section in found]


@pytest.mark.parametrize("path", RECORDED, ids=lambda path: f"{path.parent.stem}-{path.stem}")
def test_recorded_graphs_and_ssa_print_as_they_were_read(path: Path) -> None:
    dump = path.read_bytes()
    read = read_block_sections(dump, path.name)
    graphs = [print_cfg(section.function) for section in read if section.header.message == b"dfa cfg"]
    assert graphs == sections(dump, b"dfa cfg")
    ssa = [section.function for section in read if section.header.message == b"dfa ssa"]
    assert [print_ssa(function) for function in ssa] == sections(dump, b"dfa ssa")
    dominators = [dump[s.start : s.end] for s in split_sections(dump) if s.kind is SectionKind.DOMINATORS]
    assert [print_dominators(function) for function in ssa] == dominators
    assert len(ssa) > 1


def test_facts_are_read(tmp_path: Path) -> None:
    file = tmp_path / "facts.php"
    file.write_text(
        "<?php class A {} function f(int $n, ?A $a) { $s = [1]; for ($i = 0; $i < 10; $i++) { $s[] = $i; $n += $i; } "
        "if ($a !== null) { $o = new A; $o->x = $n; return [$n, -$i]; } return $s ? [...$s, 'k' => $n] : $n / 2; }"
    )
    dump = php_dump(file, 0x20, 0x200000)
    read = read_block_sections(dump, "facts")
    assert [section.header.name for section in read] == [b"$_main", b"f"]
    for section, text in zip(read, sections(dump, b"before dfa pass"), strict=True):
        flags = section.header.flags.decode()
        assert print_ssa(section.function, "before dfa pass", section.facts, True, flags) == text
    facts = read[1].facts
    assert any(facts.range_of(name) == (0, 10, False, False) for name in facts.slots)
    assert any(facts.class_of(name) == ("A", True) for name in facts.slots)
    assert facts.no_val


def test_what_a_function_in_block_form_says() -> None:
    text = rb"""
f:
     ; (lines=5, args=1, vars=2, tmps=2, ssa_vars=9)
     ; (dfa ssa)
     ; t.php:1-2
BB0:
     ; start lines=[0-1]
     ; to=(BB2, BB1)
     ; level=0
     ; children=(BB1, BB2)
0000 #4.T2 = IS_SMALLER #0.CV0($n) int(5)
0001 JMPZ #4.T2 BB2

BB1:
     ; follow lines=[2-2]
     ; from=(BB0)
     ; to=(BB2, BB2, BB2)
     ; idom=BB0
     ; level=1
     #5.CV0($n) = Pi<BB0>(#0.CV0($n) & RANGE~[#1.CV1($k) - 2 .. 4])
0002 SWITCH_LONG #5.CV0($n) 1: BB2, default: BB2

BB2:
     ; follow target exit loop_header lines=[3-4]
     ; from=(BB0, BB1)
     ; idom=BB0
     ; level=1
     #6.CV0($n) = Pi<BB0>(#0.CV0($n) & TYPE [null, object (instanceof A)])
     #7.CV0($n) = Phi(#6.CV0($n), #?.CV0($n))
0003 ADD_ARRAY_ELEMENT int(1) string("#1.CV1($k) -> #2") #4.T2 -> #8.T2
0004 RETURN #7.CV0($n)
"""
    (section,) = read_block_sections(text, "t")
    function = section.function
    entry, switch, last = function.blocks
    assert (entry.succs, entry.children, entry.level, entry.idom) == ([2, 1], [1, 2], 0, -1)
    assert last.flags == (
        BlockFlags.FOLLOW | BlockFlags.TARGET | BlockFlags.EXIT | BlockFlags.LOOP_HEADER | BlockFlags.REACHABLE
    )
    assert function.op_array.literals[switch.instrs[0].op2.num] == JumpTable(((1, 3),))
    assert (entry.instrs[1].op2.num, switch.instrs[0].extended_value) == (3, 3)
    assert switch.phis[0].constraint == RangeConstraint(-2, 4, min_var=1, min_slot=1, negative=True)
    assert last.phis[0].constraint == TypeConstraint(MAY_BE_NULL | MAY_BE_OBJECT, "A")
    assert (last.phis[1].sources, last.phis[1].pi) == ([6, -1], -1)
    add = last.instrs[0]
    assert (add.result_use, add.result_def, add.op2_use) == (4, 8, -1)
    assert [ssa_var.slot for ssa_var in function.ssa_vars] == [0, 1, 2, 3, 2, 0, 0, 0, 2]
    assert print_ssa(function) == text


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (b"BB1:", b"BB7:", "expected block 1"),
        (b"to=(BB1)", b"to=(BB9)", "an edge to a block that does not exist"),
        (b"JMP BB1", b"JMP BB9", "there is no block 9"),
        (b"JMP BB1", b"JMP 0001", "cannot read instruction 0000"),
        (b"start lines", b"begin lines", "no block flag is called begin"),
        (b"0001 RETURN", b"0009 RETURN", "expected instruction 0001"),
        (b"#0.CV0($n)", b"#5.CV0($n)", "a name beyond the number of names"),
    ],
)
def test_damage_is_diagnosed(old: bytes, new: bytes, message: str) -> None:
    text = (
        b"\nf:\n     ; (lines=2, args=0, vars=1, tmps=0, ssa_vars=1)\n     ; (dfa ssa)\n     ; t.php:1-2\n"
        b"BB0:\n     ; start lines=[0-0]\n     ; to=(BB1)\n0000 JMP BB1\n"
        b"\nBB1:\n     ; target exit lines=[1-1]\n0001 RETURN #0.CV0($n)\n"
    )
    assert len(read_block_sections(text, "t")) == 1
    assert old in text
    with pytest.raises(CompileError, match=message):
        read_block_sections(text.replace(old, new), "t")


def test_liveness_prints_bit_masks() -> None:
    dump = (
        b"\nf:\n     ; (lines=1, args=0, vars=1, tmps=70)\n     ; (dfa cfg)\n     ; t.php:1-2\n"
        b"BB0:\n     ; start exit lines=[0-0]\n0000 RETURN CV0($n)\n"
    )
    (section,) = read_block_sections(dump, "t")
    text = print_liveness(section.function, [1 << 70 | 1], [0], [0b11], [1 << 64])
    assert text == (
        b'\nVariable Liveness for "f"\n  BB0:\n    ; def = {CV0($n), X70}\n    ; use = {}\n'
        b"    ; in  = {CV0($n), X1}\n    ; out = {X64}\n"
    )


@pytest.mark.parametrize(
    "text",
    [
        "[undef, ref, any]",
        "[null, bool, long, double, string, array of [any, ref], object (instanceof N\\C)]",
        "[packed array [long] of [long, array]]",
        "[[empty, packed] array [long] of [false, true]]",
        "[hash array [string] of [string]]",
        "[empty array]",
        "[class (A)]",
        "[]",
    ],
)
def test_type_lists_are_read(text: str) -> None:
    mask = read_type_mask(text.encode())
    assert mask is not None
    name = "N\\C" if "N\\C" in text else "A" if "(A)" in text else None
    assert type_text(mask, name, "instanceof" in text) == text


def test_ranges() -> None:
    low, high = -(1 << 63), (1 << 63) - 1
    assert range_text(0, 9, False, False) == b" RANGE[0..9]"
    assert range_text(low, high, False, False) == b" RANGE[MIN..MAX]"
    assert range_text(low, 3, True, False) == b" RANGE[--..3]"
    assert range_text(low, high, True, True) == b""
