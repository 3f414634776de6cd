"""Functions, classes, types and attributes."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from ssa2llvm.php.ast.expressions import Args, Name
from ssa2llvm.php.ast.node import NameForm, Node


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
    """``#[name(args)]``."""

    name: Name
    args: Args | None


@dataclass(slots=True)
class Param(Node):
    """A parameter; ``modifiers`` promote it to a property."""

    name: str
    type: Node | None
    default: Node | None
    by_ref: bool
    variadic: bool
    modifiers: frozenset[str]
    attributes: list[Attribute]


@dataclass(slots=True)
class ClosureUse(Node):
    """A variable in a closure's ``use``."""

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
    """``name = value`` of const, declare and class constants."""

    name: str
    value: Node


@dataclass(slots=True)
class ClassConstGroup(Node):
    """``const A = …, B = …;`` in a class."""

    modifiers: frozenset[str]
    items: list[ConstElement]


@dataclass(slots=True)
class PropElement(Node):
    """One property of a declaration."""

    name: str
    default: Node | None


@dataclass(slots=True)
class PropGroup(Node):
    """``public int $a, $b = 1;`` in a class."""

    modifiers: frozenset[str]
    type: Node | None
    items: list[PropElement]


@dataclass(slots=True)
class EnumCase(Node):
    """``case NAME`` or ``case NAME = value``."""

    name: str
    value: Node | None


@dataclass(slots=True)
class MethodReference(Node):
    """A method named in a trait's rules."""

    class_: Name | None
    name: str


@dataclass(slots=True)
class TraitPrecedence(Node):
    """``A::m insteadof B``."""

    method: MethodReference
    excluded: list[Name]


@dataclass(slots=True)
class TraitAlias(Node):
    """``m as protected n``."""

    method: MethodReference
    modifier: str
    alias: str


@dataclass(slots=True)
class TraitUse(Node):
    """``use T { … }`` in a class."""

    names: list[Name]
    adaptations: list[TraitPrecedence | TraitAlias]
