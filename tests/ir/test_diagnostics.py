"""One line a diagnostic, with what is known of its position."""

from __future__ import annotations

import pytest

from ssa2llvm.ir.diagnostics import CompileError, CompileErrors


def test_position_is_as_precise_as_known() -> None:
    assert str(CompileError("no", "a.php", 3, 7)) == "a.php:3:7: error: no"
    assert str(CompileError("no", "a.php", 3)) == "a.php:3: error: no"
    assert str(CompileError("no", "a.php")) == "a.php: error: no"
    assert str(CompileError("no")) == "error: no"


def test_caret_stands_under_the_column() -> None:
    assert str(CompileError("no", "a.php", 1, 3, source_line="ab cd")) == "a.php:1:3: error: no\nab cd\n  ^"


def test_several_diagnostics_keep_their_order() -> None:
    errors = CompileErrors([CompileError("one", "a.php", 1), CompileError("two", "a.php", 2)])
    assert str(errors) == "a.php:1: error: one\na.php:2: error: two"
    assert errors.line == 1


def test_the_caret_stands_below_its_column_behind_tabs():
    assert str(CompileError("no", "a.php", 1, 3, source_line="\té 2;")).splitlines()[1:] == ["\té 2;", "\t ^"]


@pytest.mark.parametrize("column", [1, 80, 500, 1000, 1001])
def test_of_a_long_line_only_the_place_is_shown(column):
    line = "".join(chr(0x100 + number) for number in range(1000))
    shown, caret = str(CompileError("no", "a.php", 1, column, source_line=line)).splitlines()[1:]
    assert len(shown) <= 162
    assert shown.startswith("…") == (column > 81)
    at = caret.index("^")
    assert (shown + "$")[at] == (line + "$")[column - 1]
