"""What can be called: user functions, builtins, closures, and methods of built-in exception classes."""

from __future__ import annotations

from dataclasses import dataclass, field

from ssa2llvm.interp.code import Code
from ssa2llvm.ir.op_array import ArgInfo, OpArray
from ssa2llvm.ir.opcode import Opcode
from ssa2llvm.ir.operands import BIND_REF
from ssa2llvm.values.array import PhpArray, copy_value
from ssa2llvm.values.builtin_table import Builtin
from ssa2llvm.values.types import PhpObject, Ref, Value, to_bytes


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

    def parameter(self, position: int) -> ArgInfo | None:
        """The parameter that takes the argument at ``position`` (from 0)."""
        infos = self.op_array.arg_info
        if position < len(infos):
            return infos[position]
        return infos[-1] if infos and infos[-1].variadic else None

    def shared_statics(self) -> set[str]:
        """Names of the statics and captured variables that the code binds by reference."""
        ops, names = self.op_array.ops, self.op_array.cvs
        return {names[op.op1.num] for op in ops if op.opcode == Opcode.BIND_STATIC and op.extended_value & BIND_REF}

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
        """As PHP's traces spell it: a method of an object with an arrow."""
        return self.row.name.replace("::", "->")

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

    __slots__ = ("function", "names_function")

    def __init__(self, function: UserFunction | BuiltinFunction, handle: int, names_function: bool = False) -> None:
        """``names_function``: it was made from a function that has a name, by ``f(...)``."""
        super().__init__("Closure", handle)
        self.function = function
        self.names_function = names_function

    def debug_properties(self) -> list[tuple[str, str, Value]]:
        """What it captured, and its parameters (Zend/zend_closures.c:zend_closure_get_debug_info)."""
        shown: list[tuple[str, str, Value]] = []
        if self.names_function:
            shown.append(("function", "", to_bytes(self.function.name)))
        if isinstance(self.function, BuiltinFunction):
            infos = [(p.name, p.by_ref, p.optional or p.variadic) for p in self.function.row.parameters]
        else:
            op_array = self.function.op_array
            required = op_array.required_num_args
            infos = [(info.name, info.by_ref, number >= required) for number, info in enumerate(op_array.arg_info)]
            if self.function.statics:
                shared = self.function.shared_statics()
                captured = PhpArray.from_items(
                    (to_bytes(name), cell if name in shared else copy_value(cell.value))
                    for name, cell in self.function.statics.items()
                )
                shown.append(("static", "", captured))
        if infos:
            parameters = PhpArray()
            for name, by_ref, optional in infos:
                parameters.put(to_bytes(("&$" if by_ref else "$") + name), b"<optional>" if optional else b"<required>")
            shown.append(("parameter", "", parameters))
        return shown
