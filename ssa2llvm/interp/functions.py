"""What can be called: user functions, builtins, closures, and methods of built-in exception classes."""

from __future__ import annotations

from dataclasses import dataclass, field

from ssa2llvm.interp.code import Code
from ssa2llvm.ir.op_array import ArgInfo, FnFlags, OpArray
from ssa2llvm.values.builtin_table import Builtin
from ssa2llvm.values.types import PhpObject, Ref


@dataclass(slots=True, eq=False)
class UserFunction:
    """A function of the program. ``statics`` are its static variables, one cell each for all activations."""

    op_array: OpArray
    code: Code
    statics: dict[str, Ref] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """As declared."""
        return self.op_array.name

    @property
    def returns_reference(self) -> bool:
        """Whether it was declared ``function &f``."""
        return FnFlags.RETURNS_REFERENCE in self.op_array.flags

    def parameter(self, position: int) -> ArgInfo | None:
        """The parameter that takes the argument at ``position`` (from 0)."""
        infos = self.op_array.arg_info
        if position < len(infos):
            return infos[position]
        return infos[-1] if infos and infos[-1].variadic else None

    def by_reference(self, position: int) -> bool:
        """Whether the argument at ``position`` is passed by reference."""
        info = self.parameter(position)
        return info is not None and info.by_ref


@dataclass(slots=True, eq=False)
class BuiltinFunction:
    """A builtin as a callee."""

    row: Builtin

    @property
    def name(self) -> str:
        """As PHP spells it."""
        return self.row.name

    def by_reference(self, position: int) -> bool:
        """Whether the argument at ``position`` is passed by reference."""
        parameter = self.row.parameter(position)
        return parameter is not None and parameter.by_ref


@dataclass(slots=True, eq=False)
class BoundMethod:
    """A method of a built-in class, with its object. ``name`` is as PHP shows it in traces."""

    object: PhpObject
    name: str
    method: str

    def by_reference(self, position: int) -> bool:
        """No method of the built-in classes takes references."""
        return False


Callee = UserFunction | BuiltinFunction | BoundMethod


class Closure(PhpObject):
    """A closure: a function with its own statics, which hold what it captured."""

    __slots__ = ("function",)

    def __init__(self, function: UserFunction | BuiltinFunction, handle: int) -> None:
        super().__init__("Closure", handle)
        self.function = function
