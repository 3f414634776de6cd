"""What is rejected points at its place; what is not supported is named."""

from __future__ import annotations

import pytest

from ssa2llvm.ir.diagnostics import CompileError
from ssa2llvm.php import compile_php, compile_php_reporting


def error_of(source: str) -> CompileError:
    with pytest.raises(CompileError) as caught:
        compile_php(source.encode(), "a.php")
    return caught.value


def test_column_and_source_line():
    error = error_of("<?php\n  echo 1 2;\n")
    assert (error.line, error.column, error.kind) == (2, 10, "PHP Parse error")
    assert str(error).splitlines() == [
        'a.php:2:10: PHP Parse error: syntax error, unexpected integer "2", expecting "," or ";"',
        "  echo 1 2;",
        "         ^",
    ]


def test_column_counts_characters_not_bytes():
    assert error_of("<?php\n'é' 2;").column == 5


def test_compile_error_points_at_the_statement():
    error = error_of("<?php\nfunction f() {\n    break;\n}")
    assert (error.line, error.column, error.kind) == (3, 5, "PHP Fatal error")


def test_unsupported_is_named():
    error = error_of("<?php\n assert(new class {});")
    assert error.message == "assert() without a message of an anonymous class is not supported"
    assert (error.kind, error.line) == ("error", 2)


def test_reports_of_the_compiler():
    source = b'<?php\nfunction f($a = 1, $b) {}\nwhile (1) { switch (1) { default: continue; } }\n"${a}";'
    _, reports = compile_php_reporting(source, "a.php")
    assert [(report.level.value, report.line) for report in reports] == [
        ("Deprecated", 2),
        ("Warning", 3),
        ("Deprecated", 4),
    ]
    assert reports[1].message == (
        '"continue" targeting switch is equivalent to "break". Did you mean to use "continue 2"?'
    )


def test_deep_nesting_is_legal():
    depth = 5000
    compile_php(b"<?php $a = " + b"(" * depth + b"1" + b")" * depth + b";", "a.php")
    script = compile_php(b"<?php $a = 1" + b" . $b" * depth + b";", "a.php")
    assert len(script.main.ops) == depth + 2


def test_names_need_not_be_utf8():
    script = compile_php(b"<?php function \xff($\xfe) { return $\xfe; }", "a.php")
    assert script.functions[0].name.encode("utf-8", "surrogateescape") == b"\xff"
    assert script.functions[0].cvs[0].encode("utf-8", "surrogateescape") == b"\xfe"


def test_octal_escapes_that_overflow_are_reported():
    source = b"<?php echo \"\\400\n\\777 \\377\", '\\400', <<<'A'\n\\400\nA, <<<B\n  a\n  \\501 $b\n  B;"
    _, reports = compile_php_reporting(source, "a.php")
    assert [(report.message, report.line) for report in reports] == [
        ("Octal escape sequence overflow \\400 is greater than \\377", 1),
        ("Octal escape sequence overflow \\777 is greater than \\377", 2),
        ("Octal escape sequence overflow \\501 is greater than \\377", 6),
    ]
