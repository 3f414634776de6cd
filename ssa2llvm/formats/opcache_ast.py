"""Constant expressions in opcache's cache file -> PHP source, as our own front end writes them (``ConstAst.text``).

PHP keeps what it cannot evaluate while compiling (``self::A . "x"``, ``PHP_INT_MAX``, ``new Foo(1)``) as a piece of
syntax tree with all names resolved (Zend/zend_compile.c:zend_compile_const_expr; the kinds of nodes are those that
zend_ast.c:zend_ast_evaluate knows). Every operator is put in parentheses: reading the text needs no precedence.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ssa2llvm.formats.zend_names import decode
from ssa2llvm.ir.literals import ArrayConst, ConstAst, Inexact, JumpTable, Literal
from ssa2llvm.ir.opcode import Opcode
from ssa2llvm.values.source_text import fallback_constant_source, scalar_source

if TYPE_CHECKING:
    from ssa2llvm.formats.opcache_image import Image

_MAX_DEPTH = 100
# Zend/zend_ast.h; the bits above 8 tell how many children a node has.
_ZVAL, _CONSTANT, _ARG_LIST, _ARRAY, _CONSTANT_CLASS = 64, 65, 128, 129, 2
_UNPACK, _UNARY_PLUS, _UNARY_MINUS, _UNARY_OP, _CLASS_NAME = 258, 259, 260, 270, 276
_DIM, _PROP, _NULLSAFE_PROP, _CLASS_CONST, _BINARY_OP, _GREATER, _GREATER_EQUAL = 512, 513, 514, 517, 521, 522, 523
_AND, _OR, _ARRAY_ELEM, _NEW, _COALESCE, _NAMED_ARG, _CONDITIONAL, _ENUM_INIT = 524, 525, 526, 527, 530, 550, 771, 777
_INFIX = {_GREATER: ">", _GREATER_EQUAL: ">=", _AND: "&&", _OR: "||", _COALESCE: "??"}
_UNQUALIFIED_IN_NAMESPACE = 0x800
_CLASS_WORDS = {1: "self", 2: "parent", 3: "static"}
_REFCOUNT_HEADER = 8
_ZVAL_AT, _CHILDREN_AT, _LIST_CHILDREN_AT = 8, 8, 16
_SIGNS = {
    Opcode.ADD: "+", Opcode.SUB: "-", Opcode.MUL: "*", Opcode.DIV: "/", Opcode.MOD: "%", Opcode.POW: "**",
    Opcode.SL: "<<", Opcode.SR: ">>", Opcode.CONCAT: ".", Opcode.BW_OR: "|", Opcode.BW_AND: "&", Opcode.BW_XOR: "^",
    Opcode.BOOL_XOR: "xor", Opcode.IS_IDENTICAL: "===", Opcode.IS_NOT_IDENTICAL: "!==", Opcode.IS_EQUAL: "==",
    Opcode.IS_NOT_EQUAL: "!=", Opcode.IS_SMALLER: "<", Opcode.IS_SMALLER_OR_EQUAL: "<=", Opcode.SPACESHIP: "<=>",
    Opcode.BOOL_NOT: "!", Opcode.BW_NOT: "~",
}  # fmt: skip


def expression_source(image: Image, reference: int) -> str:
    """The source of the constant expression whose zend_ast_ref stands at ``reference``."""
    return _AstReader(image).source(reference + _REFCOUNT_HEADER)


class _AstReader:
    def __init__(self, image: Image) -> None:
        self._image = image
        self._depth = 0

    def source(self, node: int) -> str:
        self._depth += 1
        if self._depth > _MAX_DEPTH:
            raise self._image.damaged("damaged: a constant expression nested too deeply")
        text = self._source(node)
        self._depth -= 1
        return text

    def _source(self, node: int) -> str:
        kind, attr = self._image.integer("ast", node, "kind"), self._image.integer("ast", node, "attr")
        if kind == _ZVAL:
            return literal_source(self._zval(node))
        if kind == _CONSTANT:
            name = self._name(node)
            return fallback_constant_source(name) if attr & _UNQUALIFIED_IN_NAMESPACE else f"\\{name}"
        if kind == _CONSTANT_CLASS:
            return "self::class"
        if kind in (_ARRAY, _ARG_LIST):
            items = ", ".join(self.source(child) for child in self._list(node))
            return f"[{items}]" if kind == _ARRAY else items
        if kind == _CLASS_NAME:
            return f"{self._class_word(attr)}::class"
        children = self._image.pointers(node + _CHILDREN_AT, kind >> 8)
        if kind in (_UNPACK, _UNARY_PLUS, _UNARY_MINUS, _UNARY_OP):
            sign = {_UNPACK: "...", _UNARY_PLUS: "+", _UNARY_MINUS: "-"}.get(kind) or self._sign(attr)
            text = f"{sign}{self.source(children[0])}"
            return text if kind == _UNPACK else f"({text})"
        if kind == _BINARY_OP or kind in _INFIX:
            sign = _INFIX.get(kind) or self._sign(attr)
            return f"({self.source(children[0])} {sign} {self.source(children[1])})"
        return self._other_source(kind, children)

    def _other_source(self, kind: int, children: list[int]) -> str:
        if kind == _CONDITIONAL:
            then = self.source(children[1]) if children[1] else ""
            return f"({self.source(children[0])} ?{then}: {self.source(children[2])})"
        if kind == _ARRAY_ELEM:
            key = f"{self.source(children[1])} => " if children[1] else ""
            return key + self.source(children[0])
        if kind == _DIM:
            return f"{self.source(children[0])}[{self.source(children[1])}]"
        if kind in (_PROP, _NULLSAFE_PROP):
            arrow = "->" if kind == _PROP else "?->"
            return f"{self.source(children[0])}{arrow}{{{self.source(children[1])}}}"
        if kind in (_CLASS_CONST, _ENUM_INIT):
            return f"{self._class(children[0])}::{self._name(children[1])}"
        if kind == _NEW:
            return f"(new {self._class(children[0])}({self.source(children[1])}))"
        if kind == _NAMED_ARG:
            return f"{self._name(children[0])}: {self.source(children[1])}"
        raise self._image.damaged(f"damaged: a constant expression of kind {kind}")

    def _list(self, node: int) -> list[int]:
        count = self._image.integer("ast_list", node, "children")
        return self._image.pointers(node + _LIST_CHILDREN_AT, count)

    def _sign(self, opcode: int) -> str:
        sign = _SIGNS.get(Opcode(opcode)) if opcode in Opcode._value2member_map_ else None
        if sign is None:
            raise self._image.damaged("damaged: a constant expression with an operator that is none")
        return sign

    def _class_word(self, fetch: int) -> str:
        if fetch not in _CLASS_WORDS:
            raise self._image.damaged("damaged: a class name that is none")
        return _CLASS_WORDS[fetch]

    def _class(self, node: int) -> str:
        name = self._name(node)
        return name if name.lower() in _CLASS_WORDS.values() else f"\\{name}"

    def _zval(self, node: int) -> Literal:
        return self._image.zval(node + _ZVAL_AT)

    def _name(self, node: int) -> str:
        value = self._zval(node)
        if not isinstance(value, bytes):
            raise self._image.damaged("damaged: a name that is no string")
        return decode(value)


def literal_source(value: Literal) -> str:
    """A literal as PHP source that gives it back."""
    if isinstance(value, ConstAst):
        return value.text
    if isinstance(value, ArrayConst):
        return f"[{', '.join(f'{literal_source(key)} => {literal_source(item)}' for key, item in value.entries)}]"
    assert not isinstance(value, (JumpTable, Inexact)), "no literal of a constant expression"
    return scalar_source(value)
