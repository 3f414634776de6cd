"""What the compiler keeps of a function, class or loop while it is being compiled (Zend/zend_compile.h:
zend_oparray_context, zend_brk_cont_element, zend_loop_var, zend_class_entry)."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import IntEnum

from ssa2llvm.ir.literals import Literal
from ssa2llvm.ir.op_array import NO_TYPE, ArgInfo, FnFlags, Op, OpArray, TypeDecl
from ssa2llvm.ir.opcode import Opcode
from ssa2llvm.ir.operands import UNUSED, Operand


class LoopVarKind(IntEnum):
    """What leaving a loop or try block has to do."""

    NONE = 0
    FREE = 1
    FAST_CALL = 2
    DISCARD_EXCEPTION = 3


@dataclass(slots=True)
class LoopVar:
    """An enclosing loop, switch or finally, innermost last (Zend's loop_var_stack)."""

    kind: LoopVarKind
    opcode: Opcode = Opcode.NOP
    operand: Operand = UNUSED
    try_catch: int = 0


@dataclass(slots=True)
class BreakTarget:
    """An entry of brk_cont_array; ``frees`` tells whether it has a temporary to free."""

    parent: int
    is_switch: bool
    frees: bool
    continue_at: int = 0
    break_at: int = 0


@dataclass(slots=True)
class JumpLabel:
    """A goto label."""

    break_target: int
    opnum: int


@dataclass(slots=True)
class TryElement:
    """An entry of the exception table under construction."""

    try_op: int
    catch_op: int = 0
    finally_op: int = 0
    finally_end: int = 0


@dataclass(slots=True)
class ClassScope:
    """The class being compiled, or compiled earlier in this file."""

    name: str
    kind: str
    modifiers: set[str]
    parent: str | None = None
    interfaces: list[str] = field(default_factory=list)
    traits: list[str] = field(default_factory=list)
    constants: dict[str, tuple[object, frozenset[str]]] = field(default_factory=dict)
    properties: set[str] = field(default_factory=set)
    methods: dict[str, UserFunction] = field(default_factory=dict)
    promoted: list[tuple[str, TypeDecl, frozenset[str]]] = field(default_factory=list)
    implicit_abstract: bool = False
    backed: bool = False

    def inherit(self, parent: ClassScope) -> None:
        """Add what the parent has and this class does not replace."""
        for key, method in parent.methods.items():
            self.methods.setdefault(key, method)
        for name, constant in parent.constants.items():
            if "private" not in constant[1]:
                self.constants.setdefault(name, constant)


@dataclass(slots=True)
class UserFunction:
    """A function of this file as calls see it; ``done`` once its frame size is known."""

    name: str
    params: list[ArgInfo]
    num_args: int
    variadic: bool
    line: int
    modifiers: frozenset[str] = frozenset()
    done: bool = False
    op_array: OpArray | None = None
    declared_in: str = ""

    def mode(self, number: int) -> str:
        """How argument ``number`` (from 1) is sent: "&" or ""."""
        if number <= self.num_args:
            return "&" if self.params[number - 1].by_ref else ""
        return "&" if self.variadic and self.params[-1].by_ref else ""


@dataclass(slots=True)
class FunctionState:
    """The op array being built, and its compile-time context (zend_oparray_context)."""

    name: str
    is_main: bool = False
    ops: list[Op] = field(default_factory=list)
    literals: list[Literal] = field(default_factory=list)
    cvs: dict[str, int] = field(default_factory=dict)
    temps: int = 0
    flags: FnFlags = FnFlags.NONE
    return_type: TypeDecl = NO_TYPE
    arg_info: list[ArgInfo] = field(default_factory=list)
    num_args: int = 0
    required_num_args: int = 0
    static_vars: dict[str, Literal] = field(default_factory=dict)
    dynamic_defs: list[OpArray] = field(default_factory=list)
    try_catch: list[TryElement] = field(default_factory=list)
    scope: ClassScope | None = None
    closure: bool = False
    break_targets: list[BreakTarget] = field(default_factory=list)
    current_break: int = -1
    loop_vars: list[LoopVar] = field(default_factory=list)
    labels: dict[str, JumpLabel] = field(default_factory=dict)
    pending_jumps: list[tuple[int, str]] = field(default_factory=list)
    fast_call_var: Operand = UNUSED
    try_offset: int = 0xFFFFFFFF
    line_start: int = 0
    line_end: int = 0
    offset: int = -1

    @property
    def has_finally(self) -> bool:
        """Whether a finally block stands in it."""
        return bool(self.flags & FnFlags.HAS_FINALLY)

    @property
    def next_op(self) -> int:
        """Number of the instruction emitted next."""
        return len(self.ops)
