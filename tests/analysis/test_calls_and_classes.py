"""The call map, callees, classes, escape analysis, and that inference stays linear."""

from __future__ import annotations

import time
from itertools import pairwise

import pytest

from ssa2llvm.analysis.call_graph import CallGraph
from ssa2llvm.analysis.calls import CallMap, Symbols
from ssa2llvm.analysis.classes import ClassTable
from ssa2llvm.analysis.facts import ClassFact, Escape
from ssa2llvm.analysis.infer import infer
from ssa2llvm.analysis.internals import InternalFunction, internal_class, internal_function
from ssa2llvm.formats.load import load_bytes
from ssa2llvm.ir.builder import FunctionBuilder
from ssa2llvm.ir.config import Config
from ssa2llvm.ir.function import Function
from ssa2llvm.ir.op_array import ClassDecl, FnFlags, OpArray, PropertyDecl, Script
from ssa2llvm.ir.opcode import Opcode
from ssa2llvm.ssa.build import SsaContext, build_ssa
from tests.analysis.programs import infer_php


def _main(source: str) -> tuple[Function, CallMap]:
    script = load_bytes(b"<?php " + source.encode(), "t.php")
    function = build_ssa(script.main, Config.SOUND, SsaContext(script))
    return function, CallMap(function, Symbols(script, Config.SOUND))


def test_nested_calls_across_blocks_keep_their_arguments() -> None:
    _, calls = _main("function f($a, $b) {} $c = 1; f(strlen('x' . $c), $c ? max(1, 2) : 3);")
    by_name = {info.callee.name: info for info in calls.calls if isinstance(info.callee, InternalFunction | OpArray)}
    assert by_name["f"].num_args == 2
    assert by_name["max"].num_args == 2
    assert by_name["f"].do is not None
    assert by_name["f"].do is not by_name["max"].do


def test_unpacking_and_names_lose_positions() -> None:
    _, calls = _main("function f($a, $b) {} f(...[1, 2]); f(b: 1, a: 2);")
    assert [info.positional for info in calls.calls] == [False, False]
    assert [info.unpack for info in calls.calls] == [True, False]


def test_forward_calls_resolve_only_in_the_sound_configuration() -> None:
    script = load_bytes(b"<?php later(1); function later($x) { return $x; }", "t.php")
    function = build_ssa(script.main, Config.SOUND)
    init = next(i for i in function.instructions() if i.opcode in (Opcode.INIT_FCALL, Opcode.INIT_FCALL_BY_NAME))
    if init.opcode == Opcode.INIT_FCALL_BY_NAME:
        assert Symbols(script, Config.ZEND).resolve(script.main, init) == (None, False)
    assert Symbols(script, Config.SOUND).resolve(script.main, init) == (script.functions[0], False)


def test_call_graph_and_recursion() -> None:
    source = (
        b"<?php function a($n) { return b($n); } function b($n) { return $n ? a($n - 1) : c(2); }"
        b"function c($n) { return $n ? c($n - 1) : 0; } function d() { return a(1) . c(2); } d();"
    )
    script = load_bytes(source, "t.php")
    functions = [build_ssa(op_array, Config.SOUND) for op_array in script.op_arrays()]
    symbols = Symbols(script, Config.SOUND)
    graph = CallGraph(functions, [CallMap(function, symbols) for function in functions])
    main, a, b, c, d = range(5)
    assert [graph.callers(number) for number in (main, a, b, c, d)] == [[], [b, d], [a], [b, c, d], [main]]
    assert [graph.is_directly_recursive(number) for number in (a, b, c, d)] == [False, False, True, False]
    assert [graph.is_indirectly_recursive(number) for number in (a, b, c, d)] == [True, True, False, False]
    recursive = [
        (site.caller, site.callee) for sites in graph.calls_of for site in sites if graph.is_recursive_call(site)
    ]
    assert recursive == [(a, b), (b, a), (c, c)]
    assert graph.never_called() == [main]


def test_functions_that_nothing_calls() -> None:
    script = load_bytes(b"<?php function f() { return g(); } function g() {} function h() { h(); } f();", "t.php")
    functions = [build_ssa(op_array, Config.SOUND) for op_array in script.op_arrays()]
    symbols = Symbols(script, Config.SOUND)
    assert CallGraph(functions, [CallMap(function, symbols) for function in functions]).never_called() == [0]


def test_conditional_functions_are_not_resolved() -> None:
    _, calls = _main("if ($argc) { function f() {} } f();")
    assert [info.callee for info in calls.calls] == [None]


def test_modes_of_internal_parameters() -> None:
    sort, push, multi = (internal_function(name) for name in ("sort", "array_push", "array_multisort"))
    assert sort is not None
    assert push is not None
    assert multi is not None
    assert [sort.mode(1), sort.mode(2)] == ["&", "-"]
    assert [push.mode(1), push.mode(9)] == ["&", "-"]
    assert multi.mode(3) == "~"
    assert internal_function("no_such_function") is None


def _script(*classes: ClassDecl) -> Script:
    return Script(FunctionBuilder("$_main").finish(), classes=list(classes))


def test_class_hierarchies_join_at_the_nearest_common_parent() -> None:
    table = ClassTable(_script(ClassDecl("A"), ClassDecl("B", "A"), ClassDecl("C", "A"), ClassDecl("D", "C")))
    assert table.join(ClassFact("B"), ClassFact("D")) == ClassFact("A", is_instanceof=True)
    assert table.join(ClassFact("D"), ClassFact("D")) == ClassFact("D")
    assert table.join(ClassFact("D", True), ClassFact("D")) == ClassFact("D", True)
    assert table.join(ClassFact("B"), None) is None
    assert table.is_subclass("D", "a")
    assert not table.is_subclass("B", "C")
    assert internal_class("exception") is not None
    assert table.is_subclass("RuntimeException", "Throwable")


def test_properties_respect_visibility() -> None:
    private = PropertyDecl("p", flags=FnFlags.PRIVATE)
    protected = PropertyDecl("q", flags=FnFlags.PROTECTED)
    table = ClassTable(_script(ClassDecl("A", properties=[private, protected]), ClassDecl("B", "A")))
    assert table.property("B", "p", "B") is None
    assert table.property("B", "p", "A") is private
    assert table.property("B", "q", "B") is protected
    assert table.property("B", "q", None) is None


def test_escape_analysis() -> None:
    source = (
        "function f($x) { $a = ['k' => 1]; $a['l'] = 2; $b = [$x]; g($b); return $a['k']; }"
        "function g($y) { return $y; }"
    )
    f = infer_php(source)["f"]
    slots = {name: slot for slot, name in enumerate(f.function.op_array.cvs)}
    local = {
        name: any(
            f.facts.no_escape(i) for i, var in enumerate(f.function.ssa_vars) if var.slot == slot and var.definition
        )
        for name, slot in slots.items()
    }
    assert local["a"]
    assert not local["b"]


@pytest.mark.parametrize(
    ("body", "state"),
    [
        ("$a = [$p]; return $a[0] . count($a);", Escape.NO_ESCAPE),
        ("$a[] = $p; $a['k']['l'] = 1; $a['k']['m']++; unset($a[0], $a['k']['l']); return 1;", Escape.NO_ESCAPE),
        ("$a = [$p]; foreach ($a as $x) { echo $x; } return $a == [1] && $a;", Escape.NO_ESCAPE),
        ("for ($i = 0; $i < 9; $i++) { $a = [$i, $p]; echo $a[0]; } return 1;", Escape.NO_ESCAPE),
        ("$a = [$p]; $b = [$a]; return strlen(implode('', $b)) + array_sum($a);", Escape.FUNCTION_ESCAPE),
        ("$a = [$p]; return h($a) + h($a);", Escape.FUNCTION_ESCAPE),
        ("$a = [$p]; return array_values($a)[0];", Escape.GLOBAL_ESCAPE),
        ("$a = [$p]; k(1, $a); return 1;", Escape.GLOBAL_ESCAPE),
        ("$a = [$p]; sort($a); return $a[0];", Escape.GLOBAL_ESCAPE),
        ("$a = [$p]; g($a); return 1;", Escape.GLOBAL_ESCAPE),
        ("$a = [$p]; $r = &$a[0]; return $r;", Escape.GLOBAL_ESCAPE),
        ("$a = [$p]; $b = [$a]; return $b;", Escape.GLOBAL_ESCAPE),
        ("$a = $p ? [1] : $q; return $a[0];", Escape.GLOBAL_ESCAPE),
    ],
)
def test_states_of_escape(body: str, state: Escape) -> None:
    """Under Config.SOUND; ``$a`` gets as far as the furthest of its names."""
    others = (
        "function g($y) { return $y; }"
        "function h(array $y) { $s = 0; foreach ($y as $x) { $s += $x; } return $s + $y[0] + count($y); }"
        "function k($x, $y) { return func_get_args(); }"
    )
    f = infer_php(f"function f(int $p, $q) {{ {body} }} {others}")["f"]
    slot = f.function.op_array.cvs.index("a")
    names = [name for name, var in enumerate(f.function.ssa_vars) if var.slot == slot and var.definition is not None]
    assert max(f.facts.escape[name] for name in names) is state


def _straight(size: int) -> OpArray:
    b = FunctionBuilder("straight", params=["x"])
    last = b.cv("x")
    for number in range(size):
        last = b.emit(Opcode.ADD, last, b.const(number))
    b.ret(last)
    return b.finish()


def _rotation(size: int) -> OpArray:
    """A loop in which ``size`` variables pass their values on: one component."""
    b = FunctionBuilder("rotate", params=["n"])
    names = [b.cv(f"v{number}") for number in range(size)]
    for number, name in enumerate(names):
        b.assign(name, b.const(number))
    body, test = b.label(), b.label()
    b.jump(test)
    b.place(body)
    for left, right in pairwise(names):
        b.assign(left, right)
    b.place(test)
    b.branch_nonzero(b.cv("n"), body)
    b.ret(names[0])
    return b.finish()


@pytest.mark.parametrize("config", [Config.ZEND, Config.SOUND])
@pytest.mark.parametrize(("make", "size"), [(_straight, 3000), (_rotation, 400)])
def test_time_grows_linearly(make: object, size: int, config: Config) -> None:
    assert callable(make)

    def seconds(count: int) -> float:
        function = build_ssa(make(count), config)
        start = time.process_time()
        infer(function)
        return time.process_time() - start

    seconds(50)
    small, large = min(seconds(size) for _ in range(2)), seconds(4 * size)
    assert large < 4 * small * 4 + 0.2, (small, large)
