"""PHP's operators: how tightly each binds, and what it compiles to (the %left/%right table of
Zend/zend_language_parser.y)."""

from __future__ import annotations

from ssa2llvm.ir.opcode import Opcode
from ssa2llvm.ir.operands import EvalKind
from ssa2llvm.ir.types import IS_ARRAY, IS_BOOL, IS_DOUBLE, IS_LONG, IS_NULL, IS_OBJECT, IS_STRING


class Level:
    """Binding strength, loosest first; only the order matters."""

    THROW, ARROW, INCLUDE, OR, XOR, AND, PRINT, YIELD, DOUBLE_ARROW, YIELD_FROM, ASSIGN, TERNARY, COALESCE = range(
        1, 14
    )
    BOOL_OR, BOOL_AND, BIT_OR, BIT_XOR, BIT_AND, EQUALITY, COMPARISON, CONCAT, SHIFT, ADDITIVE = range(14, 24)
    MULTIPLICATIVE, NOT, INSTANCEOF, UNARY, POWER, CLONE = range(24, 30)


LEVEL = {
    "or": Level.OR,
    "xor": Level.XOR,
    "and": Level.AND,
    "?": Level.TERNARY,
    "??": Level.COALESCE,
    "||": Level.BOOL_OR,
    "&&": Level.BOOL_AND,
    "|": Level.BIT_OR,
    "^": Level.BIT_XOR,
    "&": Level.BIT_AND,
    "&$": Level.BIT_AND,
    "==": Level.EQUALITY,
    "!=": Level.EQUALITY,
    "===": Level.EQUALITY,
    "!==": Level.EQUALITY,
    "<=>": Level.EQUALITY,
    "<": Level.COMPARISON,
    "<=": Level.COMPARISON,
    ">": Level.COMPARISON,
    ">=": Level.COMPARISON,
    ".": Level.CONCAT,
    "<<": Level.SHIFT,
    ">>": Level.SHIFT,
    "+": Level.ADDITIVE,
    "-": Level.ADDITIVE,
    "*": Level.MULTIPLICATIVE,
    "/": Level.MULTIPLICATIVE,
    "%": Level.MULTIPLICATIVE,
    "instanceof": Level.INSTANCEOF,
    "**": Level.POWER,
}
NON_ASSOCIATIVE = (Level.EQUALITY, Level.COMPARISON)
BINARY = {
    "xor": Opcode.BOOL_XOR,
    "|": Opcode.BW_OR,
    "^": Opcode.BW_XOR,
    "&": Opcode.BW_AND,
    "&$": Opcode.BW_AND,
    "==": Opcode.IS_EQUAL,
    "!=": Opcode.IS_NOT_EQUAL,
    "===": Opcode.IS_IDENTICAL,
    "!==": Opcode.IS_NOT_IDENTICAL,
    "<=>": Opcode.SPACESHIP,
    "<": Opcode.IS_SMALLER,
    "<=": Opcode.IS_SMALLER_OR_EQUAL,
    ".": Opcode.CONCAT,
    "<<": Opcode.SL,
    ">>": Opcode.SR,
    "+": Opcode.ADD,
    "-": Opcode.SUB,
    "*": Opcode.MUL,
    "/": Opcode.DIV,
    "%": Opcode.MOD,
    "**": Opcode.POW,
}
COMPOUND = {
    "+=": Opcode.ADD,
    "-=": Opcode.SUB,
    "*=": Opcode.MUL,
    "/=": Opcode.DIV,
    ".=": Opcode.CONCAT,
    "%=": Opcode.MOD,
    "&=": Opcode.BW_AND,
    "|=": Opcode.BW_OR,
    "^=": Opcode.BW_XOR,
    "<<=": Opcode.SL,
    ">>=": Opcode.SR,
    "**=": Opcode.POW,
}
CAST = {
    "(int)": IS_LONG,
    "(double)": IS_DOUBLE,
    "(string)": IS_STRING,
    "(array)": IS_ARRAY,
    "(object)": IS_OBJECT,
    "(bool)": IS_BOOL,
    "(unset)": IS_NULL,
}
INCLUDE_KINDS = {
    "include": EvalKind.INCLUDE,
    "include_once": EvalKind.INCLUDE_ONCE,
    "require": EvalKind.REQUIRE,
    "require_once": EvalKind.REQUIRE_ONCE,
}
