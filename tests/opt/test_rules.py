"""Every folding rule is proved: integer rules by z3 for all 64-bit values, the rest on edge values and random ones.

Both provers are held against a rule that is wrong on purpose.
"""

from __future__ import annotations

import itertools
import random
from dataclasses import replace

import pytest
import z3

from ssa2llvm.ir import types as t
from ssa2llvm.ir.opcode import Opcode
from ssa2llvm.opt import evaluate
from ssa2llvm.opt.fold import fold, rules_by_opcode
from ssa2llvm.opt.lattice import Constant, LatticeValue, same_value
from ssa2llvm.opt.rules import (
    LONG,
    RULES,
    Apply,
    K,
    Log2,
    Number,
    Parameter,
    PowerOfTwo,
    Rule,
    Term,
    Variable,
    Within,
    X,
)
from ssa2llvm.values.operators import BINARY
from ssa2llvm.values.types import Value
from tests.opt.programs import function, opcodes, optimize, program

WIDTH = 64


class Z3Term:
    """A term over bit vectors: its value, and when PHP would give something else than that integer."""

    def __init__(self, value: z3.BitVecRef, leaves_int: z3.BoolRef) -> None:
        self.value = value
        self.leaves_int = leaves_int


def never() -> z3.BoolRef:
    return z3.BoolVal(False)


def translate(term: Term, variables: dict[object, z3.BitVecRef]) -> Z3Term:
    if isinstance(term, (Variable, Parameter)):
        return Z3Term(variables.setdefault(term, z3.BitVec(term.name, WIDTH)), never())
    if isinstance(term, Number):
        assert type(term.value) is int
        return Z3Term(z3.BitVecVal(term.value, WIDTH), never())
    assert isinstance(term, Apply)
    operands = [translate(operand, variables) for operand in term.operands]
    value, own = operation(term, [operand.value for operand in operands])
    return Z3Term(value, z3.Or(own, *[operand.leaves_int for operand in operands]))


def operation(term: Apply, v: list[z3.BitVecRef]) -> tuple[z3.BitVecRef, z3.BoolRef]:
    """The value of an operator on integers, and when it overflows, divides badly or throws."""
    opcode = term.opcode
    if opcode == Opcode.ADD:
        fine = z3.And(z3.BVAddNoOverflow(v[0], v[1], True), z3.BVAddNoUnderflow(v[0], v[1]))
        return v[0] + v[1], z3.Not(fine)
    if opcode == Opcode.SUB:
        fine = z3.And(z3.BVSubNoOverflow(v[0], v[1]), z3.BVSubNoUnderflow(v[0], v[1], True))
        return v[0] - v[1], z3.Not(fine)
    if opcode == Opcode.MUL:
        fine = z3.And(z3.BVMulNoOverflow(v[0], v[1], True), z3.BVMulNoUnderflow(v[0], v[1]))
        return v[0] * v[1], z3.Not(fine)
    minimum, minus_one = z3.BitVecVal(-(2**63), WIDTH), z3.BitVecVal(-1, WIDTH)
    if opcode == Opcode.DIV:
        bad = z3.Or(v[1] == 0, z3.And(v[0] == minimum, v[1] == minus_one), z3.SRem(v[0], v[1]) != 0)
        return v[0] / v[1], bad
    if opcode == Opcode.MOD:
        return z3.If(v[1] == minus_one, z3.BitVecVal(0, WIDTH), z3.SRem(v[0], v[1])), v[1] == 0
    if opcode in (Opcode.SL, Opcode.SR):
        shifted = v[0] << v[1] if opcode == Opcode.SL else v[0] >> v[1]
        return shifted, v[1] < 0
    if opcode == Opcode.BW_NOT:
        return ~v[0], never()
    if opcode == Opcode.CAST:
        assert term.extended_value == t.IS_LONG
        return v[0], never()
    bitwise = {Opcode.BW_AND: v[0] & v[1], Opcode.BW_OR: v[0] | v[1], Opcode.BW_XOR: v[0] ^ v[1]}
    return bitwise[opcode], never()


def z3_proves(rule: Rule) -> bool:
    variables: dict[object, z3.BitVecRef] = {}
    left, right = translate(rule.pattern, variables), translate(rule.result, variables)
    solver = z3.Solver()
    solver.set("timeout", 60_000)
    for condition in rule.where:
        subject = variables[condition.subject]
        if isinstance(condition, PowerOfTwo):
            solver.add(subject > 0, subject & (subject - 1) == 0)
        else:
            solver.add(*([] if condition.low is None else [subject >= condition.low]))
            solver.add(*([] if condition.high is None else [subject <= condition.high]))
    solver.add(z3.Or(left.leaves_int, right.leaves_int, left.value != right.value))
    return solver.check() == z3.unsat


RANDOM = random.Random(20)
VALUES: dict[int, list[Value]] = {
    t.MAY_BE_LONG: [0, 1, -1, 2, 3, 255, 256, -(2**63), 2**63 - 1, 2**53, 2**53 - 1, 3037000499, 3037000500]
    + [RANDOM.randrange(-(2**63), 2**63) >> RANDOM.randrange(63) for _ in range(300)],
    t.MAY_BE_DOUBLE: [0.0, -0.0, 1.5, -1.0, 1e308, 5e-324, float("inf"), float("-inf"), float("nan"), 2.0**53]
    + [RANDOM.uniform(-1e6, 1e6) for _ in range(50)],
    t.MAY_BE_STRING: [b"", b"0", b"abc", b"\0", b"1.5"],
    t.MAY_BE_BOOL: [True, False],
}
PARAMETERS: list[Value] = [2**n for n in range(63)]


def value_of(term: Term, names: dict[object, Value]) -> LatticeValue:
    if isinstance(term, (Variable, Parameter)):
        return Constant(names[term])
    if isinstance(term, Number):
        return Constant(term.value)
    if isinstance(term, Log2):
        exponent = names[term.subject]
        assert isinstance(exponent, int)
        return Constant(exponent.bit_length() - 1)
    operands = [value_of(operand, names) for operand in term.operands]
    if term.opcode == Opcode.CAST:
        result = evaluate.cast(term.extended_value, operands[0])
    elif term.opcode in BINARY:
        result = evaluate.binary(term.opcode, operands[0], operands[1])
    else:
        result = evaluate.unary(term.opcode, operands[0])
    assert result is not None, f"{term} reports or throws"
    return result


def table_proves(rule: Rule) -> bool:
    subjects: dict[object, list[Value]] = {variable: VALUES[mask] for variable, mask in rule.types}
    if any(isinstance(condition, PowerOfTwo) for condition in rule.where):
        subjects[K] = PARAMETERS
    for combination in itertools.product(*subjects.values()):
        names = dict(zip(subjects, combination, strict=True))
        if all(holds(condition, names) for condition in rule.where):
            if not same_value(value_of(rule.pattern, names), value_of(rule.result, names)):
                return False
    return True


def holds(condition: Within | PowerOfTwo, names: dict[object, Value]) -> bool:
    value = names[condition.subject]
    assert isinstance(value, int)
    if isinstance(condition, PowerOfTwo):
        return value > 0 and value & (value - 1) == 0
    return (condition.low is None or value >= condition.low) and (condition.high is None or value <= condition.high)


@pytest.mark.parametrize("rule", [rule for rule in RULES if rule.proof == "z3"], ids=lambda rule: rule.name)
def test_integer_rules_hold_for_all_values(rule: Rule) -> None:
    assert z3_proves(rule)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_rules_hold_on_the_table(rule: Rule) -> None:
    assert table_proves(rule)


def wrong_rules() -> list[Rule]:
    good = next(rule for rule in RULES if rule.name == "x % 2**n for x >= 0")
    return [
        replace(good, name="forgets that x may be negative", where=(PowerOfTwo(K),)),
        Rule("x - 1 is x", Apply(Opcode.SUB, (X, Number(1))), X, LONG),
        Rule("overflow forgotten", Apply(Opcode.MUL, (X, Number(2))), Apply(Opcode.SL, (X, Number(1))), LONG),
    ]


@pytest.mark.parametrize("rule", wrong_rules(), ids=lambda rule: rule.name)
def test_a_wrong_rule_is_caught_by_both(rule: Rule) -> None:
    assert not z3_proves(rule)
    assert not table_proves(rule)


def test_wrong_float_rules_are_caught() -> None:
    double = ((X, t.MAY_BE_DOUBLE),)
    assert not table_proves(Rule("x + 0.0 keeps -0.0", Apply(Opcode.ADD, (X, Number(0.0))), X, double, (), "table"))
    assert not table_proves(Rule("x - x is 0.0", Apply(Opcode.SUB, (X, X)), Number(0.0), double, (), "table"))


def folded(body: str, params: str = "int $a") -> list[str]:
    target = program(f"<?php function f({params}) {{ {body} }}")
    optimize(target, ["sccp", "fold", "dce"])
    names = opcodes(function(target, "f"))
    return names[names.count("RECV") :]


@pytest.mark.parametrize(
    ("body", "left"),
    [
        ("return $a * 1;", ["QM_ASSIGN", "RETURN"]),
        ("return $a - $a;", ["QM_ASSIGN", "RETURN"]),
        ("return ($a & 15) % 8;", ["BW_AND", "BW_AND", "RETURN"]),
        ("return (int) (($a & 1023) / 4);", ["BW_AND", "SR", "RETURN"]),
        ("return $a ** 2;", ["MUL", "RETURN"]),
    ],
)
def test_applied_where_types_and_ranges_allow(body: str, left: list[str]) -> None:
    assert folded(body) == left


@pytest.mark.parametrize(
    ("body", "params", "kept"),
    [
        ("return $a * 1;", "$a", "MUL"),
        ("return $a * 1;", "string $a", "MUL"),
        ("return $a % 8;", "int $a", "MOD"),
        ("return (int) ($a / 4);", "int $a", "DIV"),
        ("return $a + 0;", "float $a", "ADD"),
        ("return (int) (($a & 1023) / 3);", "int $a", "DIV"),
        ("return $a - $b;", "int $a, int $b", "SUB"),
    ],
)
def test_not_applied_otherwise(body: str, params: str, kept: str) -> None:
    assert kept in folded(body, params)


def test_a_user_can_bring_rules() -> None:
    target = program("<?php function f(int $a) { return $a + 41; }")
    mine = Rule("all sums are 42", Apply(Opcode.ADD, (X, Number(41))), Number(42), LONG)
    unit = next(unit for unit in target.units if unit.function.op_array.name == "f")
    assert fold(unit.function, unit.get("facts"), frozenset(), rules_by_opcode((mine,))) == 1
