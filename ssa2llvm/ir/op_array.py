"""The linear form: what PHP's compiler produces, what readers read and printers print.

An ``OpArray`` is one function (or the main script): instructions in order, a table of literals, variable names,
live ranges, the exception table, and what the source declared. Nothing here is derived; graphs are built from it
(``cfg``).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum, IntFlag

from ssa2llvm.ir.literals import Literal
from ssa2llvm.ir.opcode import Opcode
from ssa2llvm.ir.operands import UNUSED, Operand, OpKind
from ssa2llvm.ir.types import MAY_BE_ANY


@dataclass(slots=True)
class Op:
    """One instruction. ``extended_value`` is as in PHP, except that a jump target is an instruction number and
    cache slots are left out. ``line`` is 0 when unknown (the dump text has no lines). ``offset`` is where in the PHP
    source the construct begins, for diagnostics; -1 when unknown."""

    opcode: Opcode
    op1: Operand = UNUSED
    op2: Operand = UNUSED
    result: Operand = UNUSED
    extended_value: int = 0
    line: int = 0
    offset: int = field(default=-1, compare=False, repr=False, kw_only=True)


class FnFlags(IntFlag):
    """What a function was declared as (ours; the readers map PHP's ZEND_ACC_* to it)."""

    NONE = 0
    RETURNS_REFERENCE = 1 << 0
    GENERATOR = 1 << 1
    VARIADIC = 1 << 2
    STRICT_TYPES = 1 << 3
    CLOSURE = 1 << 4
    STATIC = 1 << 5
    HAS_RETURN_TYPE = 1 << 6
    HAS_TYPE_HINTS = 1 << 7
    HAS_FINALLY = 1 << 8
    ABSTRACT = 1 << 9
    FAKE_CLOSURE = 1 << 10
    ARENA_ALLOCATED_TRAIT_CLONE = 1 << 11
    FINAL = 1 << 12
    CTOR = 1 << 13
    PUBLIC = 1 << 14
    PROTECTED = 1 << 15
    PRIVATE = 1 << 16
    DEPRECATED = 1 << 17
    USES_THIS = 1 << 18
    DISPATCHER = 1 << 19
    """Made by the optimizer: chooses among variants of the function it is named after, and stands in no trace."""


@dataclass(frozen=True, slots=True)
class TypeDecl:
    """A declared type: a mask (``ir.types``) plus class names. ``mask`` 0 without names means "not declared".

    ``intersection`` says that the names are joined by ``&`` instead of ``|``. ``text`` is the type as written after
    PHP's own normalisation (``?int``, ``string|int|null``), used in error messages; "" lets the printer derive it.
    """

    mask: int = 0
    class_names: tuple[str, ...] = ()
    intersection: bool = False
    text: str = ""

    @property
    def is_set(self) -> bool:
        """Whether a type was declared at all."""
        return bool(self.mask) or bool(self.class_names)

    @property
    def accepts_any(self) -> bool:
        """Whether it is ``mixed`` or absent."""
        return not self.is_set or self.mask & MAY_BE_ANY == MAY_BE_ANY


NO_TYPE = TypeDecl()


@dataclass(frozen=True, slots=True)
class ArgInfo:
    """A declared parameter (or, with an empty name, the return value)."""

    name: str
    type: TypeDecl = NO_TYPE
    by_ref: bool = False
    variadic: bool = False
    default_text: str = ""


class LiveRangeKind(Enum):
    """Why a temporary must be freed when an exception unwinds through its range; the values are PHP's words."""

    TMPVAR = "tmp/var"
    LOOP = "loop"
    SILENCE = "silence"
    ROPE = "rope"
    NEW = "new"


@dataclass(frozen=True, slots=True)
class LiveRange:
    """Temporary ``slot`` is live in instructions [start, end)."""

    slot: int
    kind: LiveRangeKind
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class TryCatch:
    """An entry of the exception table; instruction numbers, 0 where absent (as in PHP, where 0 cannot be a handler)."""

    try_op: int
    catch_op: int
    finally_op: int
    finally_end: int


@dataclass(frozen=True, slots=True)
class StaticVar:
    """``static $name = value``, or a closure's ``use`` (value None)."""

    name: str
    value: Literal


@dataclass(slots=True)
class OpArray:
    """One function in linear form. Slots 0..len(cvs)-1 are the named variables, the next ``num_temps`` the
    temporaries."""

    name: str
    filename: str = ""
    line_start: int = 0
    line_end: int = 0
    ops: list[Op] = field(default_factory=list)
    literals: list[Literal] = field(default_factory=list)
    cvs: list[str] = field(default_factory=list)
    num_temps: int = 0
    num_args: int = 0
    required_num_args: int = 0
    arg_info: list[ArgInfo] = field(default_factory=list)
    return_type: TypeDecl = NO_TYPE
    flags: FnFlags = FnFlags.NONE
    live_ranges: list[LiveRange] = field(default_factory=list)
    try_catch: list[TryCatch] = field(default_factory=list)
    static_vars: list[StaticVar] = field(default_factory=list)
    dynamic_defs: list[OpArray] = field(default_factory=list)
    scope: str | None = None
    is_main: bool = False
    declarations_known: bool = True
    offset: int = field(default=-1, compare=False, repr=False, kw_only=True)
    """Where in the PHP source its declaration begins; -1 when unknown."""
    """False when the source was dump text, which tells neither declared types nor flags."""
    variant: str = ""
    """What a copy that the optimizer made of a function is made for (``{long,long}``); "" for what was read. PHP never
    sees it: messages and traces show ``name``."""

    @property
    def symbol(self) -> str:
        """The name by which calls in the code find the function: no variant's can be written in PHP."""
        return self.name + self.variant

    @property
    def num_slots(self) -> int:
        """Number of variable slots, CVs and temporaries together."""
        return len(self.cvs) + self.num_temps

    def literal(self, operand: Operand) -> Literal:
        """The value of a CONST operand."""
        assert operand.kind == OpKind.CONST
        return self.literals[operand.num]

    def slot_name(self, slot: int) -> str:
        """``$name`` of a CV, ``T5`` of a temporary: for diagnostics."""
        return f"${self.cvs[slot]}" if slot < len(self.cvs) else f"T{slot}"


@dataclass(slots=True)
class PropertyDecl:
    """A declared property of a class."""

    name: str
    type: TypeDecl = NO_TYPE
    default: Literal = None
    static: bool = False
    flags: FnFlags = FnFlags.PUBLIC


@dataclass(slots=True)
class ClassDecl:
    """A class as far as the readers know it. Methods are in declaration order, own ones only."""

    name: str
    parent: str | None = None
    interfaces: list[str] = field(default_factory=list)
    constants: list[tuple[str, Literal]] = field(default_factory=list)
    properties: list[PropertyDecl] = field(default_factory=list)
    methods: list[OpArray] = field(default_factory=list)
    flags: int = 0
    line_start: int = 0
    line_end: int = 0
    offset: int = field(default=-1, compare=False, repr=False, kw_only=True)


@dataclass(slots=True)
class Script:
    """One compiled file: the main script, its functions in declaration order, its classes."""

    main: OpArray
    functions: list[OpArray] = field(default_factory=list)
    classes: list[ClassDecl] = field(default_factory=list)
    filename: str = ""
    lossy: list[str] = field(default_factory=list)
    """What the input format could not tell, one sentence each (dump text only)."""
    reports: list[str] = field(default_factory=list)
    """What PHP prints while it compiles the file (deprecations, warnings), as it prints it."""
    source: bytes = field(default=b"", compare=False, repr=False)
    """The PHP source, if the script comes from that: for diagnostics."""

    def op_arrays(self) -> list[OpArray]:
        """Every op array in PHP's order (Zend/Optimizer/zend_optimizer.c:zend_foreach_op_array): main, then the
        functions, then the methods class by class; each is followed by the closures and conditional functions it
        defines, depth first."""
        pending = [self.main, *self.functions, *(method for cls in self.classes for method in cls.methods)]
        pending.reverse()
        ordered: list[OpArray] = []
        while pending:
            op_array = pending.pop()
            ordered.append(op_array)
            pending.extend(reversed(op_array.dynamic_defs))
        return ordered
