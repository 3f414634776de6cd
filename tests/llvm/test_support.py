"""What cannot be compiled is named, all of it, with its line, before anything is built."""

from __future__ import annotations

import pytest

from ssa2llvm.ir.diagnostics import CompileErrors
from ssa2llvm.llvm.driver import compile_program, unsupported
from ssa2llvm.php import compile_php

SOURCE = b"""<?php
function gen() { yield 1; }
$f = function () { return 1; };
class A {}
echo $$name;
include "x.php";
function ok(int $x) { return $x; }
new ok();
f(...[1, 2]);
"""


def test_everything_is_listed_with_its_line():
    errors = unsupported(compile_php(SOURCE, "many.php"))
    lines = {error.line for error in errors}
    assert {2, 3, 4, 5, 6, 8, 9} <= lines
    assert 7 not in lines
    assert all(error.file == "many.php" and error.message for error in errors)


def test_compiling_raises_them_all_at_once():
    with pytest.raises(CompileErrors) as raised:
        compile_program(compile_php(SOURCE, "many.php"))
    assert len(raised.value.errors) == len(unsupported(compile_php(SOURCE, "many.php")))
    assert "many.php:" in str(raised.value)


def test_nothing_to_say_about_what_is_compiled():
    assert unsupported(compile_php(b"<?php function f(array $a) { return $a[0] . 'x'; } echo f([1]);", "a.php")) == []


def test_each_construct_is_named_once_a_line_in_php_s_words():
    source = b"<?php\n$f = function ($x) use (&$y) { return $x; };\nfunction g() { yield 1; yield 2; }\n"
    errors = [str(error) for error in unsupported(compile_php(source, "w.php"))]
    assert len(errors) == len(set(errors))
    assert "w.php:2:6: error: closures are not compiled yet" in [error.splitlines()[0] for error in errors]
    assert not any("opcode" in error for error in errors)


def test_an_element_as_an_argument_needs_a_callee_that_is_known():
    source = b"<?php\nf($a[0]);\nnowhere($a[1]['x']);\n$g($a[2]);\nfunction f(&$x) {}\n"
    errors = [str(error) for error in unsupported(compile_php(source, "w.php"))]
    assert len(errors) == 1
    assert errors[0].startswith("w.php:4:4: error: an element as an argument of a function that is not known here")


def test_functions_declared_in_branches_may_agree_about_a_reference():
    declared = "if ($x) {{ function f({0}$x) {{}} }} else {{ function f({1}$y) {{}} }}"
    agreed = f"<?php\n{declared.format('&', '&')}\nf($a[0]);\n"
    assert unsupported(compile_php(agreed.encode(), "w.php")) == []
    differing = f"<?php\n{declared.format('&', '')}\nf($a[0]);\n"
    assert [error.line for error in unsupported(compile_php(differing.encode(), "w.php"))] == [3]


def test_a_reference_to_a_result_needs_a_callee_that_is_known():
    uses = b"<?php\n$x = &f();\n$y = &$g();\nh(f());\nh($g());\nk($g());\n"
    source = uses + b"function &f() {} function h(&$p) {} function k($p) {}"
    errors = [str(error) for error in unsupported(compile_php(source, "w.php"))]
    what = "error: a reference to the result of a function that is not known here is not compiled yet"
    assert [error.splitlines()[0] for error in errors] == [f"w.php:3:1: {what}", f"w.php:5:3: {what}"]


COLUMNS = """<?php
function gen() { yield 1; }
    class A {}
echo   $$name, ok(1, include "x.php");
function ok(int $x, Foo $y = FOO, ...$more) { return $x; }
$y = ["é", new ok()];
f(1,
  ...[1, 2]);
g(1, x: 5);
"""


def test_what_comes_from_php_source_has_a_column_and_a_caret():
    errors = unsupported(compile_php(COLUMNS.encode(), "c.php"))
    assert {(error.line, error.column) for error in errors} == {
        (2, 1),  # the generator
        (3, 5),  # the class
        (4, 8),  # $$name
        (4, 22),  # include
        (5, 1),  # the declared type Foo
        (5, 21),  # the default FOO
        (6, 12),  # new, behind a letter of two bytes
        (8, 3),  # the spread
        (9, 6),  # the named argument
    }
    include = next(error for error in errors if error.column == 22)
    assert str(include).splitlines()[1:] == ['echo   $$name, ok(1, include "x.php");', " " * 21 + "^"]


def test_an_error_exception_has_more_than_other_exceptions():
    source = b"<?php\nnew \\errorException('x');\nnew LogicException('x');\n"
    errors = [str(error).splitlines()[0] for error in unsupported(compile_php(source, "w.php"))]
    assert errors == ["w.php:2:1: error: objects of class ErrorException, which have a severity, are not compiled yet"]
