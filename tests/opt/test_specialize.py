"""Variants of functions: which are made, who calls them, what their parameters are, and that PHP sees none of it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ssa2llvm.analysis.facts import Facts
from ssa2llvm.formats.load import load_bytes
from ssa2llvm.interp.run import run_script
from ssa2llvm.ir.op_array import OpArray, Script
from ssa2llvm.ir.opcode import Opcode
from ssa2llvm.opt.argument_kinds import MIXED, joined, kind_of, kind_text
from ssa2llvm.opt.pipeline import Pipeline, level_names
from ssa2llvm.opt.reachable import reachable_units
from ssa2llvm.opt.specialize import MAX_VARIANTS
from ssa2llvm.opt.standard import TABLE
from ssa2llvm.opt.unit import Program, build_program
from ssa2llvm.report.bisect import run_program
from tests.llvm.harness import run_jit
from tests.opt.call_programs import call_program

FIB = "function fib($n) { return $n < 2 ? $n : fib($n - 1) + fib($n - 2); } "


def script(source: str) -> Script:
    return load_bytes(source.encode(), "test.php")


def specialized(source: str, exported: tuple[str, ...] | None = ()) -> Program:
    program = build_program(script("<?php " + source), exported)
    Pipeline(TABLE, ["specialize"], verify=True).run(program)
    return program


def running(program: Program) -> list[str]:
    return [unit.function.op_array.symbol for unit in reachable_units(program)]


def calls(program: Program, caller: str) -> list[str]:
    """The symbols that ``caller`` calls, in order."""
    unit = next(unit for unit in program.units if unit.function.op_array.symbol == caller)
    return [info.callee.symbol for info in unit.get("calls").calls if isinstance(info.callee, OpArray)]


def parameters(program: Program, symbol: str) -> list[str]:
    unit = next(unit for unit in program.units if unit.function.op_array.symbol == symbol)
    facts: Facts = unit.get("facts")
    received = [i for i in unit.function.instructions() if i.opcode in (Opcode.RECV, Opcode.RECV_INIT)]
    return [facts.text(instr.result_def) for instr in received]


def test_a_function_called_with_two_types_is_copied_for_each() -> None:
    program = specialized("function add($a, $b) { return $a + $b; } echo add(1, 2), add(1.5, 2.5);")
    assert running(program) == ["$_main", "add{long,long}", "add{double,double}"]
    assert calls(program, "$_main") == ["add{long,long}", "add{double,double}"]
    assert parameters(program, "add{double,double}") == ["[double]", "[double]"]


def test_a_function_always_called_alike_is_left_alone() -> None:
    assert running(specialized(FIB + "echo fib(5), fib(30);")) == ["$_main", "fib"]


def test_a_recursive_variant_calls_itself() -> None:
    program = specialized(FIB + "echo fib(30), fib('9');")
    assert running(program) == ["$_main", "fib", "fib{long}", "fib{string}", "fib{long|double}?"]
    assert calls(program, "fib{long}") == ["fib{long}", "fib{long}"]
    assert parameters(program, "fib{long}")[0].startswith("[long] ")
    assert parameters(program, "fib{string}") == ["[string]"]


def test_an_int_that_may_overflow_is_dispatched() -> None:
    source = "function ack($m, $n) { if ($m === 0) { return $n + 1; } "
    source += "return $n === 0 ? ack($m - 1, 1) : ack($m - 1, ack($m, $n - 1)); }"
    program = specialized(source + " echo ack(2, 3);")
    assert running(program) == ["$_main", "ack", "ack{long,long}", "ack{long,long|double}?"]
    assert parameters(program, "ack{long,long}") == ["[long] RANGE[0..2]", "[long] RANGE[0..MAX]"]
    assert calls(program, "ack{long,long|double}?") == ["ack", "ack{long,long}"]
    assert parameters(program, "ack")[1] == "[double]"


def test_a_dispatcher_passes_references_on_and_stands_in_no_trace() -> None:
    source = b"""<?php
function log_to($n, &$log) {
    if ($n > 1e20) { $log .= gettype($n); return 1 % ($log === ""); }
    $log .= ".";
    return log_to($n * 8, $log);
}
$log = "";
try { log_to(9, $log); } catch (Error $e) { echo $log, $e->getTraceAsString(), "\n"; }
"""
    assert any(symbol.endswith("?") for symbol in running(specialized(source.decode()[5:])))
    expected = run_script(load_bytes(source, "test.php")).stdout
    assert expected.count(b"log_to()") == 23
    program = build_program(load_bytes(source, "test.php"))
    Pipeline(TABLE, level_names(TABLE, 2), verify=True).run(program)
    assert run_program(program).stdout == expected
    run = run_jit(source, "test.php", 2)
    assert (run.output, run.leaked) == (expected, 0)


def test_functions_that_nothing_calls_do_not_run() -> None:
    source = "function f() { return g(); } function g() {} function h() { h(); } function i() {} f(); "
    assert running(build_program(script("<?php " + source))) == ["$_main", "f", "g"]
    assert running(build_program(script("<?php " + source + "array_map('i', []);"))) == ["$_main", "f", "g", "i"]
    assert running(build_program(script("<?php " + source), None)) == ["$_main", "f", "g", "h", "i"]


def test_mutual_recursion() -> None:
    source = "function a($n) { return $n > 0 ? b($n - 1) : $n; } function b($n) { return $n > 0 ? a($n - 1) : $n; } "
    program = specialized(source + "echo a(5), a('x');")
    assert {"a{long}", "b{long}"} <= set(running(program))
    assert calls(program, "a{long}") == ["b{long}"]
    assert calls(program, "b{long}") == ["a{long}"]


@pytest.mark.parametrize("exported", [None, ("fib",)])
def test_an_exported_function_has_variants_for_its_direct_calls(exported: tuple[str, ...] | None) -> None:
    program = specialized(FIB + "echo fib(30);", exported)
    assert running(program)[:3] == ["$_main", "fib", "fib{long}"]
    assert parameters(program, "fib") == ["[any] RANGE[MIN..MAX]"]
    assert calls(program, "fib{long}") == ["fib{long}", "fib{long}"]


def test_a_function_called_by_value_keeps_its_original() -> None:
    program = specialized(FIB + "$f = 'fib'; echo $f('7'), fib(30);")
    assert "fib" in running(program)
    assert calls(program, "$_main") == ["fib{long}"]


def test_a_default_counts_as_an_argument() -> None:
    program = specialized("function f($a, $b = 1.5) { return $a * $b; } echo f(2), f(3, 'x'), f(4, 2.5);")
    assert calls(program, "$_main") == ["f{long,double}", "f{long,string}", "f{long,double}"]


def test_a_flag_makes_two_functions_without_its_tests() -> None:
    source = "function f($x, $loud = false) { if ($loud) { $x .= '!'; } return $x . $x; } $y = $argc . 'y'; "
    program = build_program(script("<?php " + source + "echo f($y, true), f($y, false), f($y);"))
    Pipeline(TABLE, level_names(TABLE, 2), verify=True).run(program)
    assert running(program) == ["$_main", "f{string,true}", "f{string,false}"]
    for symbol in running(program)[1:]:
        unit = next(unit for unit in program.units if unit.function.op_array.symbol == symbol)
        assert not any(instr.opcode in (Opcode.JMPZ, Opcode.JMPNZ) for instr in unit.function.instructions())


def test_elements_of_arrays_are_told_apart() -> None:
    source = "function sum($a) { $s = 0; foreach ($a as $v) { $s += $v; } return $s; } "
    program = specialized(source + "echo sum([1, 2]), sum([1.5, 2.5]), sum([4, 5]);")
    assert calls(program, "$_main") == ["sum{array[long]}", "sum{array[double]}", "sum{array[long]}"]


@pytest.mark.parametrize(
    "declaration",
    [
        "function f($a) { static $n = 0; $n++; return $a . $n; }",
        "function f($a) { function g() { return 1; } return $a; }",
        "function f($a) { yield $a; }",
        "function f(&$a) { return 1; }",
        "function f(...$a) { return 1; }",
        "function f($a) { return 1; }",
    ],
    ids=["statics", "declarations", "generator", "reference", "variadic", "unread"],
)
def test_functions_that_are_not_copied(declaration: str) -> None:
    program = specialized(declaration + " $x = 1; f($x); $y = 1.5; f($y); $z = 'z'; f($z);")
    assert not any(unit.function.op_array.variant for unit in program.units)


def test_growth_is_bounded() -> None:
    values = ["1", "1.5", "'x'", "null", "true", "[1]", "[1.5]", "['x']"]
    program = specialized("function f($a) { return [$a]; }" + "".join(f"f({value});" for value in values))
    assert sum(bool(unit.function.op_array.variant) for unit in program.units) == MAX_VARIANTS
    many = "".join(f"function f{i}($a) {{ {'$a .= $a;' * 40} return $a; }} f{i}(1); f{i}('x');" for i in range(60))
    program = specialized(many)
    read = sum(len(op_array.ops) for op_array in program.script.op_arrays())
    assert sum(len(unit.function.op_array.ops) for unit in program.units) <= 2 * read


def test_running_it_again_changes_nothing() -> None:
    for seed in range(20):
        program = build_program(script(call_program(seed)))
        first, second = Pipeline(TABLE, ["specialize", "specialize"], verify=True).run(program)
        assert second.changes == 0, f"seed {seed}: {first.changes}, then {second.changes}"


def test_chains_of_calls_are_followed_to_their_end() -> None:
    functions = "".join(f"function f{n}($a) {{ return f{n + 1}($a); }} " for n in range(30))
    program = specialized(functions + "function f30($a) { return $a . 'x'; } echo f0(1), f0('a');")
    assert calls(program, "f29{long}") == ["f30{long}"]
    assert calls(program, "f29{string}") == ["f30{string}"]
    assert len(running(program)) == 1 + 2 * 31


def test_what_php_shows_of_a_variant_is_the_original() -> None:
    source = b"""<?php
function name($x) { return __FUNCTION__ . gettype($x) . $undefined; }
function bad($x) { return 1 % ($x - $x); }
function typed(int $x) { return $x; }
echo name(1), name("x"), name(1.5);
foreach ([0, 1] as $i) {
    try { echo $i ? bad(2) : bad(2.5); } catch (Error $e) { echo $e->getMessage(), $e->getTraceAsString(); }
}
try { echo typed(1), typed("x"); } catch (TypeError $e) { echo $e->getMessage(), $e->getTraceAsString(); }
echo function_exists("name{long}") ? "seen" : "unseen";
bad(3);
"""
    expected = run_script(load_bytes(source, "test.php"))
    assert b"name{" not in expected.stdout
    assert b"unseen" in expected.stdout
    run = run_jit(source, "test.php", 2)
    assert (run.output, run.exit_code, run.leaked) == (expected.stdout, 255, 0)
    assert any(unit.function.op_array.variant for unit in specialized(source.decode()[5:]).units)


@pytest.mark.parametrize("seed", range(15))
def test_random_programs_by_the_interpreter(seed: int) -> None:
    source = call_program(seed)
    expected = run_script(script(source))
    for names in (["specialize"], level_names(TABLE, 3)):
        program = build_program(script(source))
        Pipeline(TABLE, names, verify=True).run(program)
        assert run_program(program).stdout == expected.stdout


@given(st.integers(0, 1 << 32), st.integers(0, 1 << 32))
def test_kinds_are_a_lattice(left: int, right: int) -> None:
    a, b = kind_of(left), kind_of(right)
    assert kind_of(a) == a
    assert kind_text(a)
    (both,) = joined((a,), (b,))
    assert kind_of(both | a) == both == kind_of(both | b)
    assert joined((both,), (MIXED,)) == (MIXED,)


def test_a_function_without_code_may_have_a_namesake() -> None:
    run = run_jit(b"<?php function f() { function f() {} } echo function_exists('f') ? 1 : 0;", "test.php", 2)
    assert (run.output, run.exit_code) == (b"1", 0)
