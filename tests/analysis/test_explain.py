"""Explanations name the steps that matter, and follow the program's own words."""

from __future__ import annotations

from ssa2llvm.analysis.explain import explain, names_at
from ssa2llvm.ir.opcode import Opcode
from tests.analysis.programs import infer_php

_SUM = """
function f(int $n) {
    $s = 0;
    for ($i = 0; $i < $n; $i++) {
        $s += $i;
    }
    return $s;
}
"""


def test_a_sum_is_explained_by_its_overflow_and_its_start() -> None:
    f = infer_php(_SUM, exported=None)["f"]
    names = names_at(f.function, "$s", 5)
    steps = explain(f.function, f.facts, names[0])
    assert steps[0].fact == "[long, double] RANGE[0..++]"
    assert steps[0].reason.startswith("line 5: ASSIGN_OP of ")
    assert "may leave the 64 bits" in steps[0].reason
    reasons = [step.reason for step in steps]
    assert "line 3: ASSIGN of 0" in reasons
    assert any("pi of" in reason and "$n" in reason for reason in reasons)
    assert len({step.name for step in steps}) == len(steps)


def test_a_step_without_overflow_is_not_blamed() -> None:
    f = infer_php(_SUM, exported=None)["f"]
    first = explain(f.function, f.facts, names_at(f.function, "i", 4)[0])
    assert not any("64 bits" in step.reason for step in first if "PRE_INC" in step.reason)


def test_names_at_knows_only_what_stands_there() -> None:
    f = infer_php(_SUM, exported=None)["f"].function
    assert names_at(f, "$s", 4) == []
    assert names_at(f, "$nothing", 5) == []
    assert all(f.slot_name(f.ssa_vars[name].slot) == "$s" for name in names_at(f, "$s", 7))


def test_references_and_undefined_variables_are_named_as_causes() -> None:
    f = infer_php("function f() { $x = &$y; return $x; }", exported=None)["f"]
    assert any("reference" in step.reason for step in explain(f.function, f.facts, names_at(f.function, "x", 1)[0]))
    g = infer_php("function g() { return $u; }", exported=None)["g"]
    assert explain(g.function, g.facts, names_at(g.function, "u", 1)[0])[0].reason == "not assigned yet"


def test_a_reference_names_the_stores_behind_it() -> None:
    source = """$n = 0;
        function add($by) { global $n; $n += $by; }
        function get() { global $n; return $n; }
        add(1.5); get();"""
    get = infer_php(source)["get"]
    steps = explain(get.function, get.facts, get.instr(Opcode.BIND_GLOBAL).op1_def)
    assert steps[0].fact.startswith("[ref, long, double]")
    assert steps[0].reason.endswith("the union of these stores: $_main line 1; add line 2")
