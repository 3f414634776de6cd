"""Expressions."""

from __future__ import annotations

from dataclasses import dataclass

from ssa2llvm.ir.opcode import Opcode
from ssa2llvm.php.ast.node import ArraySyntax, NameForm, Node

# -- leaves ------------------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class Literal(Node):
    """A constant: null, bool, int, float, bytes, or an array or constant expression that folding made."""

    value: object


@dataclass(slots=True)
class Name(Node):
    """A name of a function, class or constant, unresolved."""

    text: str
    form: NameForm


@dataclass(slots=True)
class MagicConst(Node):
    """``__LINE__`` and its kin; ``kind`` is the lower-case spelling."""

    kind: str


@dataclass(slots=True)
class ConstFetch(Node):
    """A constant by name."""

    name: Name


# -- variables ---------------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class Variable(Node):
    """``$name``: a Literal, or any expression for ``$$x`` and ``${x}``; ``dollar_curly`` for the deprecated string
    forms."""

    name: Node
    dollar_curly: str = ""


@dataclass(slots=True)
class Dim(Node):
    """``base[index]``; ``curly`` is the removed ``base{index}``; ``inner``: the chain goes on outside."""

    base: Node
    index: Node | None
    curly: bool = False
    dollar_curly: str = ""
    inner: bool = False


@dataclass(slots=True)
class Prop(Node):
    """``base->name`` or ``base?->name``; ``inner``: the chain goes on outside."""

    base: Node
    name: Node
    nullsafe: bool
    inner: bool = False


@dataclass(slots=True)
class StaticProp(Node):
    """``class::$name``."""

    class_: Node
    name: Node
    inner: bool = False


@dataclass(slots=True)
class Unpack(Node):
    """``...expr`` in arguments and array literals."""

    value: Node


@dataclass(slots=True)
class NamedArg(Node):
    """``name: value`` in arguments."""

    name: str
    value: Node


@dataclass(slots=True)
class Args(Node):
    """An argument list; ``convert`` is the first-class callable ``f(...)``."""

    items: list[Node]
    convert: bool = False


@dataclass(slots=True)
class Call(Node):
    """A call of a function by Name, or of the value of an expression."""

    function: Node
    args: Args


@dataclass(slots=True)
class MethodCall(Node):
    """``base->name(args)`` or ``base?->name(args)``."""

    base: Node
    name: Node
    args: Args
    nullsafe: bool
    inner: bool = False


@dataclass(slots=True)
class StaticCall(Node):
    """``class::name(args)``."""

    class_: Node
    name: Node
    args: Args
    inner: bool = False


@dataclass(slots=True)
class New(Node):
    """``new class(args)``; an anonymous class stands as its ClassDecl."""

    class_: Node
    args: Args


@dataclass(slots=True)
class Clone(Node):
    """``clone value``."""

    value: Node


@dataclass(slots=True)
class ClassConst(Node):
    """``class::NAME``."""

    class_: Node
    name: Node


@dataclass(slots=True)
class ClassName(Node):
    """``X::class``."""

    class_: Node


# -- operators ---------------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class Assign(Node):
    """``target = value``; the target may be an Array pattern."""

    target: Node
    value: Node


@dataclass(slots=True)
class AssignRef(Node):
    """``target = &source``."""

    target: Node
    source: Node


@dataclass(slots=True)
class AssignOp(Node):
    """``target op= value``."""

    op: Opcode
    target: Node
    value: Node


@dataclass(slots=True)
class AssignCoalesce(Node):
    """``target ??= value``."""

    target: Node
    value: Node


@dataclass(slots=True)
class Binary(Node):
    """A binary operator that has an opcode."""

    op: Opcode
    left: Node
    right: Node


@dataclass(slots=True)
class Greater(Node):
    """``>`` and ``>=``, which have no opcode: the operands are swapped after both were evaluated."""

    or_equal: bool
    left: Node
    right: Node


@dataclass(slots=True)
class Unary(Node):
    """``!`` and ``~``."""

    op: Opcode
    value: Node


@dataclass(slots=True)
class Sign(Node):
    """Unary ``+`` and ``-``: a multiplication by 1 or -1."""

    factor: int
    value: Node


@dataclass(slots=True)
class Logical(Node):
    """``&&``/``and`` and ``||``/``or``."""

    conjunction: bool
    left: Node
    right: Node


@dataclass(slots=True)
class IncDec(Node):
    """``++`` or ``--`` before or after a place."""

    prefix: bool
    increment: bool
    target: Node


@dataclass(slots=True)
class Cast(Node):
    """``type`` is a type number of ir.types; IS_NULL for the removed ``(unset)``."""

    type: int
    value: Node


@dataclass(slots=True)
class Conditional(Node):
    """``condition ? then : otherwise``; without ``then`` it is ``?:``."""

    condition: Node
    then: Node | None
    otherwise: Node
    parenthesized: bool = False


@dataclass(slots=True)
class Coalesce(Node):
    """``value ?? default``."""

    value: Node
    default: Node


@dataclass(slots=True)
class Silence(Node):
    """``@value``."""

    value: Node


@dataclass(slots=True)
class InstanceOf(Node):
    """``value instanceof class``."""

    value: Node
    class_: Node


@dataclass(slots=True)
class Print(Node):
    """``print value``."""

    value: Node


@dataclass(slots=True)
class Exit(Node):
    """``exit`` or ``die``."""

    value: Node | None


@dataclass(slots=True)
class Throw(Node):
    """``throw value``."""

    value: Node


@dataclass(slots=True)
class Yield(Node):
    """``yield``, ``yield value`` or ``yield key => value``."""

    value: Node | None
    key: Node | None


@dataclass(slots=True)
class YieldFrom(Node):
    """``yield from value``."""

    value: Node


@dataclass(slots=True)
class Include(Node):
    """``include`` and its kin, and ``eval``; ``kind`` is an ir.operands.EvalKind."""

    kind: int
    value: Node


@dataclass(slots=True)
class Isset(Node):
    """``isset(value)``; several arguments are a conjunction of these."""

    value: Node


@dataclass(slots=True)
class Empty(Node):
    """``empty(value)``."""

    value: Node


@dataclass(slots=True)
class ShellExec(Node):
    """A command in backticks."""

    value: Node


@dataclass(slots=True)
class ArrayElement(Node):
    """``key => value`` or ``value`` in an array literal or pattern; ``by_ref`` with ``&``."""

    value: Node
    key: Node | None
    by_ref: bool


@dataclass(slots=True)
class Array(Node):
    """An array literal or a list() pattern; a None element is a hole."""

    items: list[ArrayElement | Unpack | None]
    syntax: ArraySyntax


@dataclass(slots=True)
class Encaps(Node):
    """An interpolated string: Literals and expressions."""

    parts: list[Node]


@dataclass(slots=True)
class MatchArm(Node):
    """``conditions`` is None for ``default``."""

    conditions: list[Node] | None
    body: Node


@dataclass(slots=True)
class Match(Node):
    """``match (subject) { arms }``."""

    subject: Node
    arms: list[MatchArm]
