"""The pass table and the pipeline, with made-up passes."""

from __future__ import annotations

import pytest

from ssa2llvm.ir.builder import FunctionBuilder, script_of
from ssa2llvm.ir.function import Function
from ssa2llvm.opt.pass_table import Order, Pass, PassTable, ProgramPass
from ssa2llvm.opt.pipeline import Pipeline, Step, first_bad_step, level_names, zend_names
from ssa2llvm.opt.unit import ANALYSES, Program, Unit


def program_of(*names: str) -> Program:
    program = Program(script_of(None))
    program.units = [Unit(Function(FunctionBuilder(name).finish()), program) for name in names]
    return program


def test_steps_are_numbered_function_by_function() -> None:
    table = PassTable([Pass("p", lambda unit: 1, "."), ProgramPass("q", lambda program: 2, ".")])
    steps = Pipeline(table, ["p", "q"]).run(program_of("f", "g"))
    assert [(s.number, s.pass_name, s.function, s.changes) for s in steps] == [
        (1, "p", "f", 1),
        (2, "p", "g", 1),
        (3, "q", "", 2),
    ]


def test_order_constraints_are_checked_with_their_reason() -> None:
    table = PassTable(
        [Pass("a", lambda unit: 0, "."), Pass("b", lambda unit: 0, ".")],
        [Order("a", "b", "b reads what a leaves")],
    )
    Pipeline(table, ["a", "b", "a"])
    with pytest.raises(ValueError, match="b reads what a leaves"):
        Pipeline(table, ["b", "a"])
    with pytest.raises(ValueError, match="no pass 'c'"):
        Pipeline(table, ["c"])


def test_analyses_are_kept_until_something_changes(monkeypatch: pytest.MonkeyPatch) -> None:
    computed: list[str] = []
    monkeypatch.setitem(ANALYSES, "first", lambda unit: computed.append("first"))
    monkeypatch.setitem(ANALYSES, "second", lambda unit: computed.append("second"))

    def use(changes: int) -> Pass:
        def run(unit: Unit) -> int:
            unit.get("first")
            unit.get("second")
            return changes

        return Pass(f"use{changes}", run, ".", preserves=frozenset({"first"}))

    table = PassTable([use(0), use(1)])
    Pipeline(table, ["use0", "use0", "use1", "use0"]).run(program_of("f"))
    assert computed == ["first", "second", "second"]


def test_a_user_pass_goes_where_it_is_told() -> None:
    table = PassTable([Pass("a", lambda unit: 0, "."), Pass("b", lambda unit: 0, ".")])
    mine = Pass("mine", lambda unit: 0, ".", level=3)
    table.register(mine, after="a")
    assert [row.name for row in table.passes] == ["a", "mine", "b"]
    assert level_names(table, 2) == ["a", "b"]
    with pytest.raises(ValueError, match="already"):
        table.register(mine)
    with pytest.raises(ValueError, match="unknown analyses: nonsense"):
        table.register(Pass("x", lambda unit: 0, ".", preserves=frozenset({"nonsense"})))
    table.unregister("mine")
    assert "mine" not in table


def test_zend_bits_need_all_their_bits() -> None:
    table = PassTable(
        [
            Pass("block", lambda unit: 0, ".", zend_bits=0x10),
            Pass("sccp", lambda unit: 0, ".", zend_bits=0xA0),
            Pass("ours", lambda unit: 0, "."),
        ]
    )
    assert zend_names(table, 0x10) == ["block"]
    assert zend_names(table, 0x80) == []
    assert zend_names(table, 0xB0) == ["block", "sccp"]


@pytest.mark.parametrize("culprit", [1, 2, 3, 7, 10])
def test_bisection_finds_the_first_bad_step(culprit: int) -> None:
    def run(limit: int) -> bool:
        table = PassTable([Pass("p", lambda unit: 1, ".")])
        steps = Pipeline(table, ["p"], limit=limit).run(program_of(*"abcdefghij"))
        return all(step.number != culprit for step in steps)

    assert first_bad_step(run, 10) == culprit


def test_bisection_without_a_culprit() -> None:
    assert first_bad_step(lambda limit: True, 10) is None
    with pytest.raises(ValueError, match="before any pass"):
        first_bad_step(lambda limit: False, 10)


def test_observers_see_every_step() -> None:
    seen: list[Step] = []
    table = PassTable([Pass("p", lambda unit: 0, ".")])
    pipeline = Pipeline(table, ["p"], observers=[lambda step, target: seen.append(step)])
    assert pipeline.run(program_of("f", "g")) == seen
