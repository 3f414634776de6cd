"""Which functions have no callers but those one can see.

A function of the script can be called by its name in an INIT, which the call maps list, or by a *value* that names
it: a string or array given to ``$f()``, to call_user_func, or to an internal function that calls back. So a function
is closed if it stands at the script's top level, nothing loads other code (include, eval), it is not exported, and no
value that is called can name it:

* a literal callback names what it names, and opens that function;
* a value that inference shows to be an object only (a closure) names no function;
* any other callback may name anything, and opens all.

Methods, closures and conditionally declared functions are open always. O(instructions).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cache

from ssa2llvm.analysis.calls import CallInfo
from ssa2llvm.analysis.classes import lower
from ssa2llvm.analysis.internals import InternalFunction, internal_class
from ssa2llvm.analysis.view import FunctionView
from ssa2llvm.ir.function import Instr
from ssa2llvm.ir.literals import ArrayConst, Literal
from ssa2llvm.ir.op_array import OpArray, Script
from ssa2llvm.ir.opcode import Opcode
from ssa2llvm.ir.operands import OpKind
from ssa2llvm.ir.types import ARRAY_SHIFT, MAY_BE_ANY, MAY_BE_ARRAY, MAY_BE_NULL, MAY_BE_REF, MAY_BE_STRING

_CALLBACK_LAST = frozenset(
    {
        "array_udiff",
        "array_udiff_assoc",
        "array_udiff_uassoc",
        "array_diff_uassoc",
        "array_diff_ukey",
        "array_uintersect",
        "array_uintersect_assoc",
        "array_uintersect_uassoc",
        "array_intersect_uassoc",
        "array_intersect_ukey",
        "preg_replace_callback_array",
        "ob_start",
        "session_set_save_handler",
    }
)
"""Internal functions that call back through a parameter whose type does not say so."""


class ClosedWorld:
    """The closed functions of ``script``."""

    def __init__(
        self,
        script: Script,
        views: Sequence[FunctionView],
        types_of: Callable[[FunctionView], Sequence[int]],
        exported: Iterable[str] | None = (),
    ) -> None:
        """``views`` are all functions of the script. ``types_of`` infers the types of one on its own; it is asked
        only if something is called by value there. ``exported``: names that outsiders may call; None: all of them."""
        self._types_of = cache(types_of)
        self._open: set[str] = set()
        self._all_open = exported is None or len(views) < len(script.op_arrays())
        if not self._all_open:
            self._open = {lower(name) for name in exported or ()}
            for view in views:
                self._scan(view)
        self._top_level = {id(op_array) for op_array in script.functions}

    @property
    def is_open(self) -> bool:
        """Whether any function may be called from anywhere."""
        return self._all_open

    def is_closed(self, op_array: OpArray) -> bool:
        """Whether every caller of ``op_array`` is in some call map. No value can name a variant."""
        if op_array.variant:
            return True
        return not self._all_open and id(op_array) in self._top_level and lower(op_array.name) not in self._open

    def _scan(self, view: FunctionView) -> None:
        for instr in view.function.instructions():
            opcode = instr.opcode
            if opcode == Opcode.INCLUDE_OR_EVAL:
                self._all_open = True
            elif opcode == Opcode.INIT_DYNAMIC_CALL or opcode == Opcode.INIT_USER_CALL:
                self._calls_value(view, instr, instr.op2.kind, instr.op2.num, instr.op2_use)
            elif opcode == Opcode.NEW:
                self._creates(view, instr)
        for info in view.calls.calls if view.calls is not None else ():
            if info.do is not None and info.do.opcode == Opcode.CALLABLE_CONVERT and isinstance(info.callee, OpArray):
                self._open.add(lower(info.callee.name))  # f(...): a closure of it, called from who knows where
            if isinstance(info.callee, InternalFunction):
                self._calls_back(view, info, info.callee)
            elif info.callee is None:
                self._passes_to_unknown(view, info)

    def _calls_value(self, view: FunctionView, instr: Instr, kind: OpKind, num: int, use: int) -> None:
        if kind == OpKind.CONST:
            self._names(view.op_array.literals[num])
        elif use < 0 or _may_name(self._types_of(view)[use]):
            self._all_open = True

    def _names(self, value: Literal) -> None:
        """A literal that is called: open what it names."""
        if isinstance(value, bytes):
            self._open.add(lower(value.decode("utf-8", "surrogateescape")).lstrip("\\"))
        elif isinstance(value, ArrayConst):
            for _, element in value.entries:
                self._names(element)

    def _creates(self, view: FunctionView, instr: Instr) -> None:
        """Objects of PHP's own classes may call what they were given (CallbackFilterIterator, Reflection)."""
        name = view.literal_bytes(instr, "op1")
        if name is None:
            self._all_open = self._all_open or instr.op1.kind != OpKind.UNUSED
            return
        found = internal_class(lower(name.decode("utf-8", "surrogateescape")).lstrip("\\"))
        if found is not None and found.decl.name != "stdClass" and "Throwable" not in found.decl.interfaces:
            self._all_open = True

    def _calls_back(self, view: FunctionView, info: CallInfo, callee: InternalFunction) -> None:
        takes_any = callee.name in _CALLBACK_LAST
        if not takes_any and "c" not in callee.modes and callee.name != "closure::fromcallable":
            return
        if not info.positional:
            self._all_open = True
            return
        for number, send in enumerate(info.sends, start=1):
            if takes_any or callee.mode(number) == "c":
                self._calls_value(view, send, send.op1.kind, send.op1.num, send.op1_use)

    def _passes_to_unknown(self, view: FunctionView, info: CallInfo) -> None:
        """A function that is not known may be one of an extension, and call back whatever it is given. (Methods may
        too, but objects of PHP's own classes opened everything when they were made.)"""
        if info.init.opcode in (Opcode.INIT_FCALL_BY_NAME, Opcode.INIT_NS_FCALL_BY_NAME):
            for send in info.sends:
                self._calls_value(view, send, send.op1.kind, send.op1.num, send.op1_use)


def _may_name(mask: int) -> bool:
    """Whether a value of this type may name a function: a string, or an array with strings in it."""
    if mask & (MAY_BE_STRING | MAY_BE_REF):
        return True
    return bool(mask & MAY_BE_ARRAY) and bool(mask >> ARRAY_SHIFT & (MAY_BE_ANY & ~MAY_BE_NULL))
