"""Statements."""

from __future__ import annotations

from dataclasses import dataclass

from ssa2llvm.php.ast.declarations import ConstElement
from ssa2llvm.php.ast.expressions import Name, Variable
from ssa2llvm.php.ast.node import Node


@dataclass(slots=True)
class Block(Node):
    """A statement list; None is an empty statement."""

    items: list[Node | None]


@dataclass(slots=True)
class Echo(Node):
    """``echo value``, or inline HTML."""

    value: Node


@dataclass(slots=True)
class IfBranch(Node):
    """A condition and its statement; ``else`` has no condition."""

    condition: Node | None
    body: Node | None


@dataclass(slots=True)
class If(Node):
    """if, elseif, else."""

    branches: list[IfBranch]


@dataclass(slots=True)
class While(Node):
    """``while``."""

    condition: Node
    body: Node | None


@dataclass(slots=True)
class DoWhile(Node):
    """``do … while``."""

    body: Node | None
    condition: Node


@dataclass(slots=True)
class For(Node):
    """``for (init; condition; step)``."""

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
    """``foreach (subject as key => value)``."""

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
    """``switch``."""

    subject: Node
    cases: list[SwitchCase]


@dataclass(slots=True)
class BreakContinue(Node):
    """``break`` or ``continue`` with an optional depth."""

    is_break: bool
    depth: Node | None


@dataclass(slots=True)
class Return(Node):
    """``return``."""

    value: Node | None


@dataclass(slots=True)
class Global(Node):
    """``global $x``."""

    variable: Variable


@dataclass(slots=True)
class StaticVar(Node):
    """``static $name = value``."""

    name: str
    value: Node | None


@dataclass(slots=True)
class Unset(Node):
    """``unset(variable)``."""

    variable: Node


@dataclass(slots=True)
class Goto(Node):
    """``goto label``."""

    label: str


@dataclass(slots=True)
class Label(Node):
    """``name:``."""

    name: str


@dataclass(slots=True)
class Catch(Node):
    """``catch (A | B $e)``."""

    classes: list[Name]
    variable: str | None
    body: Block


@dataclass(slots=True)
class Try(Node):
    """``try`` with its handlers."""

    body: Block
    catches: list[Catch]
    finally_: Block | None


@dataclass(slots=True)
class Declare(Node):
    """``declare(…);`` or, with a body, ``declare(…) { … }``."""

    items: list[ConstElement]
    body: Node | None


@dataclass(slots=True)
class ConstDecl(Node):
    """``const A = …;`` at the top level."""

    items: list[ConstElement]


@dataclass(slots=True)
class Namespace(Node):
    """``namespace name;`` or, with a body, ``namespace name { … }``."""

    name: str | None
    body: Block | None


@dataclass(slots=True)
class UseElement(Node):
    """One imported name."""

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
    """``__halt_compiler();``: ``position`` is the offset of the data behind it."""

    position: int
