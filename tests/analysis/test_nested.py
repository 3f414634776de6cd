"""What is in the arrays in an array: ``$m[$i][$j]`` has a type."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ssa2llvm.analysis.context import ScriptContext
from ssa2llvm.analysis.facts import Facts
from ssa2llvm.analysis.lattice import ARRAY_PART
from ssa2llvm.analysis.nested import nested_defs
from ssa2llvm.analysis.type_steps import defined_by
from ssa2llvm.analysis.view import FunctionView
from ssa2llvm.ir.opcode import Opcode
from ssa2llvm.ir.types import ARRAY_SHIFT, MAY_BE_ANY, MAY_BE_ARRAY, MAY_BE_ARRAY_KEY_ANY, MAY_BE_ARRAY_OF_ANY
from tests.analysis.programs import infer_php


def _returned(source: str, name: str = "f") -> str:
    return infer_php(source)[name].returned()


def _of(body: str) -> str:
    """The type that ``return $m[0][1];`` has at the end of a function with this body."""
    return _returned(f"function f($n, $x) {{ {body} return $m[0][1]; }} f(3, 1.5);").split(" RANGE")[0]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("$m = [[1, 2], [3]];", "[null, long]"),
        ("$m = []; for ($i = 0; $i < 3; $i++) { $m[$i] = []; $m[$i][] = $x; }", "[null, double]"),
        ("$m = []; for ($i = 0; $i < 3; $i++) { for ($j = 0; $j < 3; $j++) { $m[$i][$j] = $i; } }", "[null, long]"),
        ("$m = array_fill(0, 3, array_fill(0, 3, 0.0)); $m[1][2] = $x;", "[null, double]"),
        ("$m = [[1]]; $m[0][1] = 'a';", "[null, long, string]"),
        ("$m = [[1]]; $m[0][1] += $x;", "[null, long, double]"),
        ("$m = [[1.5]]; $m[0][1] .= $x;", "[null, double, string]"),
        ("$m = [[true]]; $m[0][1]++;", "[null, true, long]"),
        ("$m = [[1.5]]; $m[0][1]--;", "[null, double]"),
        ("$row = [$x]; $m = [$row, $row];", "[null, double]"),
        ("$m = [[1], [2]]; $m = array_merge($m, [[$x]]);", "[null, long, double]"),
        ("$m = [[1], [2]]; sort($m); array_push($m, ['s']);", "[null, long, string]"),
        ("$m = [[1], [2]]; foreach ($m as &$r) { $r = [$x]; }", "[null, long, double]"),
        ("$m = [[1], 2];", "[null, long]"),
        ("$m = [[[1]]]; $m[0][1][2] = 5;", "[null, array of [any, ref]]"),
        ("$m = [[1]]; $r = &$m[0]; $r[1] = 's';", "[null, long, string]"),
    ],
)
def test_elements_of_elements(body: str, expected: str) -> None:
    assert _of(body) == expected


def test_nested_arrays_go_through_calls_statics_and_globals() -> None:
    source = """function make($n) { $m = []; for ($i = 0; $i < $n; $i++) { $m[] = [$i, $i]; } return $m; }
        function get($m, $i) { return $m[$i][0]; }
        function f() { static $s = [[1.5]]; global $g; $s[] = [2.5]; return get(make(3), 1) + $s[0][0] + $g[0][0]; }
        $g = [[true]]; f();"""
    functions = infer_php(source)
    assert functions["get"].returned() == "[null, long] RANGE[MIN..MAX]"
    fetches = [instr for instr in functions["f"].function.instructions() if instr.opcode == Opcode.FETCH_DIM_R]
    facts = functions["f"].facts
    assert [facts.text(fetch.result_def) for fetch in fetches if fetch.op1.is_temp] == [
        "[null, double]",
        "[null, true]",
    ]


def test_records_are_the_union_of_their_fields() -> None:
    source = """function f($list) { $s = 0.0; foreach ($list as $b) { $s += $b['x'] * $b['mass']; } return $s; }
        f([['x' => 1.5, 'mass' => 2.5], ['x' => 0.5, 'mass' => 1.0]]);"""
    assert _returned(source) == "[double]"


def test_arrays_of_which_nothing_is_known_may_hold_anything() -> None:
    source = "function f($m) { return $m[0][0]; } function g() { return f(json_decode('[]', true)); } g();"
    assert "any" in _returned(source)


@given(st.integers(0, MAY_BE_ANY), st.integers(0, MAY_BE_ANY))
def test_a_literal_tells_all_of_its_rows(first: int, second: int) -> None:
    """Of rows with every mixture of an int, a float, a string and true, the union comes out."""
    values = {16: "7", 32: "1.5", 64: "'s'", 8: "true"}
    rows = [[text for bit, text in values.items() if chosen & bit] for chosen in (first, second)]
    f = infer_php(f"function f() {{ return [{', '.join('[' + ', '.join(row) + ']' for row in rows)}]; }} f();")["f"]
    elements = f.facts.returns.nested >> ARRAY_SHIFT & MAY_BE_ANY
    assert elements == (first | second) & (8 | 16 | 32 | 64)
    assert f.facts.returns.types & MAY_BE_ARRAY
    assert f.facts.returns.nested & ~ARRAY_PART == 0


_EVERYTHING = """function f($m, $n, $k, $x) {
    $m[$k][$n] = $x; $m[$k][] = $x; $m[] = [$x]; $m[$k] = $n; $m[$k][$n] += $x; $m[$k][$n] .= $x; $m[$k][$n]++;
    --$m[$k][$n]; unset($m[$k][$n]); unset($m[$k]); $m[$k][$n][] = $x; $m[$k][$n][$x]++; $m = [...$m, $n]; $r = &$m[$k];
    $r[] = $x; sort($m); array_push($m, $n, $x);
    foreach ($m as &$row) { $row[] = $x; } foreach ($m as $row) { $n = $row; }
    $m = array_merge($m, $n); $m = array_fill(0, 2, $n); $m = (array) $n; [$n, [$x]] = $m; $m = $m ?: $n ?? $x;
    return $m + $n;
}"""


@given(st.data())
def test_more_types_inside_in_give_more_out(data: st.DataObject) -> None:
    """Monotone in the types and nested types of every operand, and of what is stored behind a fetch."""
    f = infer_php(_EVERYTHING, exported=None)["f"]
    view = FunctionView(f.function, ScriptContext())
    parts = st.integers(0, 2**30 - 1).map(lambda bits: bits & (MAY_BE_ARRAY_KEY_ANY | MAY_BE_ARRAY_OF_ANY))
    size = len(f.facts.types)

    def facts(masks: list[int], nested: list[int]) -> Facts:
        return Facts([mask | MAY_BE_ARRAY for mask in masks], f.facts.ranges, f.facts.classes, nested=nested)

    seeds = data.draw(st.lists(st.tuples(parts, parts, parts, parts), min_size=7, max_size=7))
    chosen = [seeds[name % len(seeds)] for name in range(size)]
    less = facts([a for a, _, _, _ in chosen], [c for _, _, c, _ in chosen])
    more = facts([a | b for a, b, _, _ in chosen], [c | d for _, _, c, d in chosen])
    for instr in f.function.instructions():
        if instr.opcode == Opcode.OP_DATA:
            continue
        defined = []
        for known in (less, more):
            view.types, view.ranges, view.nested = known.types, known.ranges, known.nested
            defs = defined_by(view, known, instr)
            assert defs is not None
            defined.append(nested_defs(view, known, instr, defs))
        small, large = defined
        for name in ("result", "op1", "op2"):
            assert not getattr(small, name) & ~getattr(large, name), (instr.opcode.name, name)
