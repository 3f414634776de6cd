"""The `ll` command: output, diagnostics, exit codes, and no partial files."""

from __future__ import annotations

from pathlib import Path

import pytest

from ssa2llvm.cli.main import main

EXAMPLES = Path(__file__).parents[2] / "ll_examples"


def test_verify_says_how_many_functions_are_valid(capsys):
    assert main(["ll", "verify", str(EXAMPLES / "ssa.ll")]) == 0
    assert capsys.readouterr().out.endswith("ssa.ll: 2 functions, all valid\n")


def test_dom_prints_a_line_for_each_block(capsys):
    assert main(["ll", "dom", str(EXAMPLES / "self-loop.ll")]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "@power_of_two_above",
        "  %entry: entry, frontier {}",
        "  %loop: idom %entry, frontier {%loop}, header of a loop at depth 1",
        "  %exit: idom %loop, frontier {}",
    ]


@pytest.mark.parametrize("action", ["verify", "dom", "construct", "destruct"])
def test_invalid_input_is_explained_and_nothing_is_written(action, tmp_path, capsys):
    output = tmp_path / "out.ll"
    source = EXAMPLES / "invalid" / "loop-value-in-entry.ll"
    assert main(["ll", action, str(source), "-o", str(output)]) == 1
    captured = capsys.readouterr()
    assert captured.out == ""
    first, line, caret = captured.err.splitlines()
    assert (
        first == f"{source}:6:20: error: %next is used in %entry, but defined in %body, which does not dominate %entry"
    )
    assert line == "  %start = sub i32 %next, 1"
    assert caret.index("^") == line.index("%next")
    assert list(tmp_path.iterdir()) == []


def test_what_only_llvm_knows_is_said_in_llvms_words(tmp_path, capsys):
    path = tmp_path / "types.ll"
    path.write_text("define i32 @f(i64 %x) {\nentry:\n  ret i32 %x\n}\n")
    assert main(["ll", "verify", str(path)]) == 1
    message = "LLVM: '%x' defined with type 'i64' but expected 'i32'"
    assert capsys.readouterr().err.splitlines()[0] == f"{path}:3:11: error: {message}"


@pytest.mark.parametrize("content", [b"hello\n", b"\xff\xfe\x00", b"BC\xc0\xde\x01\x02"])
def test_garbage_is_one_diagnostic(content, tmp_path, capsys):
    path = tmp_path / "garbage.ll"
    path.write_bytes(content)
    assert main(["ll", "verify", str(path)]) == 1
    assert capsys.readouterr().err.startswith(f"{path}:")


def test_missing_file_and_unwritable_output(tmp_path, capsys):
    assert main(["ll", "verify", str(tmp_path / "none.ll")]) == 1
    assert "cannot read: No such file or directory" in capsys.readouterr().err
    assert main(["ll", "destruct", str(EXAMPLES / "ssa.ll"), "-o", str(tmp_path / "no" / "out.ll")]) == 1
    assert "cannot write: No such file or directory" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_destruct_and_construct_write_modules_and_report(tmp_path, capsys):
    memory, values = tmp_path / "memory.ll", tmp_path / "values.ll"
    assert main(["ll", "destruct", str(EXAMPLES / "swap.ll"), "-o", str(memory)]) == 0
    assert "@swap_turns: 3 phis, 9 naive copies, 3 left, 1 temporary, 0 edges split" in capsys.readouterr().err
    assert " phi " not in memory.read_text()
    assert main(["ll", "construct", str(memory), "-o", str(values)]) == 0
    assert "promoted, 1 phi in %head" in capsys.readouterr().err
    assert "alloca" not in values.read_text()
    assert main(["ll", "destruct", "--naive", str(EXAMPLES / "swap.ll")]) == 0
    captured = capsys.readouterr()
    assert "9 left" in captured.err
    assert captured.out.startswith("; The swap problem")
