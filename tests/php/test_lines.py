"""Lines of instructions where they are not those of the tokens that the instructions came from. The lines are those of
PHP's file cache."""

from __future__ import annotations

import pytest

from ssa2llvm.ir.opcode import Opcode
from ssa2llvm.php import compile_php


def sent_lines(source: str) -> list[int]:
    """The line of each SEND in the main script."""
    main = compile_php(source.encode(), "x.php").main
    return [op.line for op in main.ops if op.opcode in (Opcode.SEND_VAL, Opcode.SEND_VAL_EX)]


@pytest.mark.parametrize(
    ("argument", "line"),
    [
        ("__CLASS__\n\n", 4),
        ("__CLASS__\n\n. FOO", 4),
        ("(__CLASS__\n\n)", 2),
        ("[__CLASS__\n\n]", 2),
        ("a: __CLASS__\n\n", 2),
        ("1\n\n", 2),
    ],
)
def test_a_magic_constant_could_be_the_name_of_the_argument(argument: str, line: int) -> None:
    assert sent_lines(f"<?php\nf({argument});") == [line]


@pytest.mark.parametrize(
    ("text", "line"),
    [("<<<E\nE", 3), ("<<<E\n\n  E", 3), ("<<<'E'\n\nE", 3), ("<<<E\n\n\nE", 3), ("<<<E\na\nE", 3)],
)
def test_a_heredoc_stands_on_the_line_of_its_text(text: str, line: int) -> None:
    assert sent_lines(f"<?php\nf({text});") == [line]
