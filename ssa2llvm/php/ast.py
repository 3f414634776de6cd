"""The syntax tree: what a PHP file says, in the shapes PHP's own compiler uses.

One class per construct of Zend/zend_ast.h, so that each lowering function can be read beside its counterpart in
Zend/zend_compile.c.  Trees are built by the parser, and changed in two ways only: constant folding puts literals in place of
constant subtrees (zend_eval_const_expr does the same), and an arrow function's body is wrapped in a ``Return``.

``where`` is PHP's line for the node, which is what instructions and messages get: the line of its first child, or the
scanner's line when a node without children was recognised; and the byte offset of its first token, for columns.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from enum import Enum
from typing import Iterator, NamedTuple

from ssa2llvm.ir.opcode import Opcode


class Where(NamedTuple):
    """PHP's line of a node, and the byte offset of its first token."""

    line: int
    offset: int


@dataclass(slots=True)
class Node:
    """Any construct."""

    where: Where

    @property
    def line(self) -> int:
        return self.where.line

    def children(self) -> Iterator[Node]:
        """The nodes directly below, in source order."""
        for field in fields(self):
            value = getattr(self, field.name)
            if isinstance(value, Node):
                yield value
            elif isinstance(value, list):
                yield from (item for item in value if isinstance(item, Node))


class NameForm(Enum):
    """How a name was written: ``a\\b``, ``\\a\\b`` or ``namespace\\a\\b`` (the last two without their prefix)."""

    PLAIN = "plain"
    FULL = "full"
    RELATIVE = "relative"


class ArraySyntax(Enum):
    """``array()``, ``[]`` or ``list()``."""

    LONG = "array"
    SHORT = "[]"
    LIST = "list"


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
    name: Name


# -- variables ---------------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class Variable(Node):
    """``$name``: a Literal, or any expression for ``$$x`` and ``${x}``; ``dollar_curly`` for the deprecated string forms."""

    name: Node
    dollar_curly: str = ""


@dataclass(slots=True)
class Dim(Node):
    """``base[index]``; ``curly`` is the removed ``base{index}``; ``quiet`` marks the left side of ``??`` in constants."""

    base: Node
    index: Node | None
    curly: bool = False
    dollar_curly: str = ""
    inner: bool = False


@dataclass(slots=True)
class Prop(Node):
    base: Node
    name: Node
    nullsafe: bool
    inner: bool = False


@dataclass(slots=True)
class StaticProp(Node):
    class_: Node
    name: Node
    inner: bool = False


@dataclass(slots=True)
class Unpack(Node):
    """``...expr`` in arguments and array literals."""

    value: Node


@dataclass(slots=True)
class NamedArg(Node):
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
    base: Node
    name: Node
    args: Args
    nullsafe: bool
    inner: bool = False


@dataclass(slots=True)
class StaticCall(Node):
    class_: Node
    name: Node
    args: Args
    inner: bool = False


@dataclass(slots=True)
class New(Node):
    class_: Node
    args: Args


@dataclass(slots=True)
class Clone(Node):
    value: Node


@dataclass(slots=True)
class ClassConst(Node):
    class_: Node
    name: Node


@dataclass(slots=True)
class ClassName(Node):
    """``X::class``."""

    class_: Node


# -- operators ---------------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class Assign(Node):
    target: Node
    value: Node


@dataclass(slots=True)
class AssignRef(Node):
    target: Node
    source: Node


@dataclass(slots=True)
class AssignOp(Node):
    op: Opcode
    target: Node
    value: Node


@dataclass(slots=True)
class AssignCoalesce(Node):
    target: Node
    value: Node


@dataclass(slots=True)
class Binary(Node):
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
    condition: Node
    then: Node | None
    otherwise: Node
    parenthesized: bool = False


@dataclass(slots=True)
class Coalesce(Node):
    value: Node
    default: Node


@dataclass(slots=True)
class Silence(Node):
    value: Node


@dataclass(slots=True)
class InstanceOf(Node):
    value: Node
    class_: Node


@dataclass(slots=True)
class Print(Node):
    value: Node


@dataclass(slots=True)
class Exit(Node):
    value: Node | None


@dataclass(slots=True)
class Throw(Node):
    value: Node


@dataclass(slots=True)
class Yield(Node):
    value: Node | None
    key: Node | None


@dataclass(slots=True)
class YieldFrom(Node):
    value: Node


@dataclass(slots=True)
class Include(Node):
    """``include`` and its kin, and ``eval``; ``kind`` is an ir.operands.EvalKind."""

    kind: int
    value: Node


@dataclass(slots=True)
class Isset(Node):
    value: Node


@dataclass(slots=True)
class Empty(Node):
    value: Node


@dataclass(slots=True)
class ShellExec(Node):
    value: Node


@dataclass(slots=True)
class ArrayElement(Node):
    value: Node
    key: Node | None
    by_ref: bool


@dataclass(slots=True)
class Array(Node):
    """An array literal or a list() pattern; a None element is a hole. ``items`` is annotated for the pattern's sake."""

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
    subject: Node
    arms: list[MatchArm]


# -- declarations ------------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class TypeName(Node):
    """One name of a type declaration; ``array``, ``callable`` and ``static`` are keywords of the grammar."""

    text: str
    form: NameForm
    keyword: bool
    nullable: bool = False


@dataclass(slots=True)
class TypeList(Node):
    """A union or, if ``intersection``, an intersection."""

    items: list[Node]
    intersection: bool
    nullable: bool = False


@dataclass(slots=True)
class Attribute(Node):
    name: Name
    args: Args | None


@dataclass(slots=True)
class Param(Node):
    name: str
    type: Node | None
    default: Node | None
    by_ref: bool
    variadic: bool
    modifiers: frozenset[str]
    attributes: list[Attribute]


@dataclass(slots=True)
class ClosureUse(Node):
    name: str
    by_ref: bool


class FunctionKind(Enum):
    """What a FunctionDecl declares."""

    FUNCTION = "function"
    METHOD = "method"
    CLOSURE = "closure"
    ARROW = "arrow function"


@dataclass(slots=True)
class FunctionDecl(Node):
    """A function, method, closure or arrow function; ``body`` is None for an abstract method."""

    kind: FunctionKind
    name: str
    params: list[Param]
    uses: list[ClosureUse] | None
    return_type: Node | None
    body: Node | None
    by_ref: bool
    generator: bool
    end_line: int
    modifiers: frozenset[str] = frozenset()
    attributes: list[Attribute] | None = None


@dataclass(slots=True)
class ClassDecl(Node):
    """``kind`` is class, interface, trait or enum; ``name`` is empty for an anonymous class."""

    kind: str
    name: str
    modifiers: frozenset[str]
    extends: Name | None
    implements: list[Name]
    members: list[Node]
    backing: Node | None
    end_line: int
    attributes: list[Attribute] | None = None


@dataclass(slots=True)
class ConstElement(Node):
    name: str
    value: Node


@dataclass(slots=True)
class ClassConstGroup(Node):
    modifiers: frozenset[str]
    items: list[ConstElement]


@dataclass(slots=True)
class PropElement(Node):
    name: str
    default: Node | None


@dataclass(slots=True)
class PropGroup(Node):
    modifiers: frozenset[str]
    type: Node | None
    items: list[PropElement]


@dataclass(slots=True)
class EnumCase(Node):
    name: str
    value: Node | None


@dataclass(slots=True)
class MethodReference(Node):
    class_: Name | None
    name: str


@dataclass(slots=True)
class TraitPrecedence(Node):
    method: MethodReference
    excluded: list[Name]


@dataclass(slots=True)
class TraitAlias(Node):
    method: MethodReference
    modifier: str
    alias: str


@dataclass(slots=True)
class TraitUse(Node):
    names: list[Name]
    adaptations: list[TraitPrecedence | TraitAlias]


# -- statements --------------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class Block(Node):
    """A statement list; None is an empty statement."""

    items: list[Node | None]


@dataclass(slots=True)
class Echo(Node):
    value: Node


@dataclass(slots=True)
class IfBranch(Node):
    condition: Node | None
    body: Node | None


@dataclass(slots=True)
class If(Node):
    branches: list[IfBranch]


@dataclass(slots=True)
class While(Node):
    condition: Node
    body: Node | None


@dataclass(slots=True)
class DoWhile(Node):
    body: Node | None
    condition: Node


@dataclass(slots=True)
class For(Node):
    init: list[Node]
    condition: list[Node]
    step: list[Node]
    body: Node | None


@dataclass(slots=True)
class RefTarget(Node):
    """``&$x`` as a foreach target."""

    value: Node


@dataclass(slots=True)
class Foreach(Node):
    subject: Node
    value: Node
    key: Node | None
    body: Node | None


@dataclass(slots=True)
class SwitchCase(Node):
    """``condition`` is None for ``default``."""

    condition: Node | None
    body: Block


@dataclass(slots=True)
class Switch(Node):
    subject: Node
    cases: list[SwitchCase]


@dataclass(slots=True)
class BreakContinue(Node):
    is_break: bool
    depth: Node | None


@dataclass(slots=True)
class Return(Node):
    value: Node | None


@dataclass(slots=True)
class Global(Node):
    variable: Variable


@dataclass(slots=True)
class StaticVar(Node):
    name: str
    value: Node | None


@dataclass(slots=True)
class Unset(Node):
    variable: Node


@dataclass(slots=True)
class Goto(Node):
    label: str


@dataclass(slots=True)
class Label(Node):
    name: str


@dataclass(slots=True)
class Catch(Node):
    classes: list[Name]
    variable: str | None
    body: Block


@dataclass(slots=True)
class Try(Node):
    body: Block
    catches: list[Catch]
    finally_: Block | None


@dataclass(slots=True)
class Declare(Node):
    items: list[ConstElement]
    body: Node | None


@dataclass(slots=True)
class ConstDecl(Node):
    items: list[ConstElement]


@dataclass(slots=True)
class Namespace(Node):
    name: str | None
    body: Block | None


@dataclass(slots=True)
class UseElement(Node):
    name: str
    alias: str | None
    kind: str


@dataclass(slots=True)
class Use(Node):
    """``kind`` is class, function or const; empty for a group whose elements say it themselves."""

    kind: str
    prefix: str | None
    items: list[UseElement]


@dataclass(slots=True)
class HaltCompiler(Node):
    position: int
