"""Folding rules as data: a pattern over PHP's operators, what it may be replaced by, and when.

Only rules that LLVM cannot find are here: those that depend on PHP's types and ranges, or that change the type of a
result (``(int) ($x / 2)`` is a float division until someone knows that ``$x`` is a small positive int).

A rule says: if every variable has the type given and the conditions hold, then ``pattern`` and ``result`` evaluate to
the same PHP value of the same type, without a diagnostic. Terms are built from variables, literals and operators, so
that three readers can share them: the pass that applies them (``opt.fold``), the prover that checks the integer ones
for all 64-bit values (z3, in the tests), and the table of edge values that checks the rest against ``values``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from ssa2llvm.ir.opcode import Opcode
from ssa2llvm.ir.types import IS_DOUBLE, IS_LONG, MAY_BE_BOOL, MAY_BE_DOUBLE, MAY_BE_LONG, MAY_BE_STRING


@dataclass(frozen=True, slots=True)
class Variable:
    """Any value of the rule's type for it; the same variable twice means the same SSA name."""

    name: str


@dataclass(frozen=True, slots=True)
class Parameter:
    """A literal of the program, known when the rule is applied; a term of parameters alone is computed then."""

    name: str


@dataclass(frozen=True, slots=True)
class Number:
    """A literal of the rule. ``0`` and ``0.0`` are different."""

    value: int | float | bytes | bool


@dataclass(frozen=True, slots=True)
class Apply:
    """An operator on terms. ``extended_value`` as in the instruction (the type of a CAST)."""

    opcode: Opcode
    operands: tuple[Term, ...]
    extended_value: int = 0


@dataclass(frozen=True, slots=True)
class Log2:
    """In results only: the exponent of a parameter that is a power of two."""

    subject: Parameter


Term: TypeAlias = Variable | Parameter | Number | Apply | Log2


@dataclass(frozen=True, slots=True)
class Within:
    """The integer variable or parameter lies in [low, high]; None is open."""

    subject: Variable | Parameter
    low: int | None = None
    high: int | None = None


@dataclass(frozen=True, slots=True)
class PowerOfTwo:
    """The parameter is 1, 2, 4, …, 2**62."""

    subject: Parameter


Condition: TypeAlias = Within | PowerOfTwo


@dataclass(frozen=True, slots=True)
class Rule:
    """``types`` gives the exact type mask of each variable. ``proof`` says how the tests check it: ``z3`` for all
    64-bit integers, ``table`` on edge values and random ones."""

    name: str
    pattern: Apply
    result: Term
    types: tuple[tuple[Variable, int], ...]
    where: tuple[Condition, ...] = ()
    proof: str = "z3"


X, K = Variable("x"), Parameter("k")
LONG = ((X, MAY_BE_LONG),)
DOUBLE = ((X, MAY_BE_DOUBLE),)

EXACT_IN_DOUBLE = 2**53
"""Integers up to this are floats without loss, so that dividing them rounds correctly."""


def _op(opcode: Opcode, *operands: Term) -> Apply:
    return Apply(opcode, operands)


RULES: tuple[Rule, ...] = (
    Rule("x + 0", _op(Opcode.ADD, X, Number(0)), X, LONG),
    Rule("0 + x", _op(Opcode.ADD, Number(0), X), X, LONG),
    Rule("x - 0", _op(Opcode.SUB, X, Number(0)), X, LONG),
    Rule("x - x", _op(Opcode.SUB, X, X), Number(0), LONG),
    Rule("x * 1", _op(Opcode.MUL, X, Number(1)), X, LONG),
    Rule("1 * x", _op(Opcode.MUL, Number(1), X), X, LONG),
    Rule("x * 0", _op(Opcode.MUL, X, Number(0)), Number(0), LONG),
    Rule("0 * x", _op(Opcode.MUL, Number(0), X), Number(0), LONG),
    Rule("x / 1", _op(Opcode.DIV, X, Number(1)), X, LONG),
    Rule("x % 1", _op(Opcode.MOD, X, Number(1)), Number(0), LONG),
    Rule("x % -1", _op(Opcode.MOD, X, Number(-1)), Number(0), LONG),
    Rule(
        "x % 2**n for x >= 0",
        _op(Opcode.MOD, X, K),
        _op(Opcode.BW_AND, X, _op(Opcode.SUB, K, Number(1))),
        LONG,
        (Within(X, low=0), PowerOfTwo(K)),
    ),
    Rule(
        "x % k for 0 <= x < k is x",
        _op(Opcode.MOD, X, Number(2**32)),
        X,
        LONG,
        (Within(X, low=0, high=2**32 - 1),),
    ),
    Rule("x & x", _op(Opcode.BW_AND, X, X), X, LONG),
    Rule("x & -1", _op(Opcode.BW_AND, X, Number(-1)), X, LONG),
    Rule("x & 0", _op(Opcode.BW_AND, X, Number(0)), Number(0), LONG),
    Rule(
        "x & 0xFFFFFFFF for an x of 32 bits",
        _op(Opcode.BW_AND, X, Number(2**32 - 1)),
        X,
        LONG,
        (Within(X, low=0, high=2**32 - 1),),
    ),
    Rule("x & 255 for an x of 8 bits", _op(Opcode.BW_AND, X, Number(255)), X, LONG, (Within(X, low=0, high=255),)),
    Rule("x | x", _op(Opcode.BW_OR, X, X), X, LONG),
    Rule("x | 0", _op(Opcode.BW_OR, X, Number(0)), X, LONG),
    Rule("x ^ 0", _op(Opcode.BW_XOR, X, Number(0)), X, LONG),
    Rule("x ^ x", _op(Opcode.BW_XOR, X, X), Number(0), LONG),
    Rule("x << 0", _op(Opcode.SL, X, Number(0)), X, LONG),
    Rule("x >> 0", _op(Opcode.SR, X, Number(0)), X, LONG),
    Rule("~~x", _op(Opcode.BW_NOT, _op(Opcode.BW_NOT, X)), X, LONG),
    Rule("(int) x", Apply(Opcode.CAST, (X,), IS_LONG), X, LONG),
    Rule(
        "(int) (x / 2**n) for 0 <= x <= 2**53",
        Apply(Opcode.CAST, (_op(Opcode.DIV, X, K),), IS_LONG),
        _op(Opcode.SR, X, Log2(K)),
        LONG,
        (Within(X, low=0, high=EXACT_IN_DOUBLE), PowerOfTwo(K)),
        "table",
    ),
    Rule("x ** 2", _op(Opcode.POW, X, Number(2)), _op(Opcode.MUL, X, X), LONG, (), "table"),
    Rule("x ** 1", _op(Opcode.POW, X, Number(1)), X, LONG, (), "table"),
    Rule("x ** 0", _op(Opcode.POW, X, Number(0)), Number(1), LONG, (), "table"),
    Rule("x - 0 (float)", _op(Opcode.SUB, X, Number(0)), X, DOUBLE, (), "table"),
    Rule("x - 0.0", _op(Opcode.SUB, X, Number(0.0)), X, DOUBLE, (), "table"),
    Rule("x * 1 (float)", _op(Opcode.MUL, X, Number(1)), X, DOUBLE, (), "table"),
    Rule("x * 1.0", _op(Opcode.MUL, X, Number(1.0)), X, DOUBLE, (), "table"),
    Rule("x / 1 (float)", _op(Opcode.DIV, X, Number(1)), X, DOUBLE, (), "table"),
    Rule("x / 1.0", _op(Opcode.DIV, X, Number(1.0)), X, DOUBLE, (), "table"),
    Rule("(float) x", Apply(Opcode.CAST, (X,), IS_DOUBLE), X, DOUBLE, (), "table"),
    Rule("x . ''", _op(Opcode.CONCAT, X, Number(b"")), X, ((X, MAY_BE_STRING),), (), "table"),
    Rule("'' . x", _op(Opcode.CONCAT, Number(b""), X), X, ((X, MAY_BE_STRING),), (), "table"),
    Rule("(bool) x", _op(Opcode.BOOL, X), X, ((X, MAY_BE_BOOL),), (), "table"),
    Rule("!!x", _op(Opcode.BOOL_NOT, _op(Opcode.BOOL_NOT, X)), X, ((X, MAY_BE_BOOL),), (), "table"),
    Rule("x === true", _op(Opcode.IS_IDENTICAL, X, Number(True)), X, ((X, MAY_BE_BOOL),), (), "table"),
    Rule("x == true", _op(Opcode.IS_EQUAL, X, Number(True)), X, ((X, MAY_BE_BOOL),), (), "table"),
)
"""All rules. For one opcode the first that matches is taken."""
