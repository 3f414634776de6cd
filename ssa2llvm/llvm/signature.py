"""How a PHP function is called in native code: its typed direct entry.

    <result> php.NAME(ptr context, registers of parameter 1, registers of parameter 2, …)

A parameter has the representation of the type that inference gives it at RECV; the caller brings it into that shape,
fills in defaults, and checks declared types (``lower_call``), so that the callee starts with its work. The callee
owns its arguments. The result has the representation of everything the function returns. If the function can throw,
an i1 stands behind the result's registers: true means that an error is pending and the rest is meaningless. A
function that cannot throw has no such register, and its callers no branch.
"""

from __future__ import annotations

from dataclasses import dataclass

from ssa2llvm.ir.literals import Literal
from ssa2llvm.ir.op_array import ArgInfo, FnFlags, OpArray
from ssa2llvm.llvm.representation import Rep
from ssa2llvm.llvm.seam import I1, PTR, Val

__all__ = ["Parameter", "Signature", "aggregate"]


def aggregate(parts: tuple[str, ...]) -> str:
    """The LLVM type that holds ``parts``: nothing, the only one, or a structure."""
    if not parts:
        return "void"
    return parts[0] if len(parts) == 1 else "{ " + ", ".join(parts) + " }"


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of a direct entry. ``has_default`` says that a call may leave it out and pass ``default``."""

    info: ArgInfo
    mask: int
    rep: Rep
    has_default: bool
    default: Literal
    line: int


@dataclass(slots=True, eq=False)
class Signature:
    """A user function as its callers see it. ``symbol`` and ``info`` are texts of global symbols; ``may_throw`` is
    what is assumed while the program is lowered (``program`` finds the fixed point)."""

    op_array: OpArray
    symbol: str
    info: Val
    parameters: list[Parameter]
    result_mask: int
    result_rep: Rep
    may_throw: bool = False

    @property
    def result_parts(self) -> tuple[str, ...]:
        """LLVM types of the result's registers, the status included."""
        return self.result_rep.parts + ((I1,) if self.may_throw else ())

    @property
    def returns_reference(self) -> bool:
        """Whether a reference may come with the result (``s2l_returned_reference``)."""
        return FnFlags.RETURNS_REFERENCE in self.op_array.flags

    @property
    def result_type(self) -> str:
        """The LLVM type of the result."""
        return aggregate(self.result_parts)

    @property
    def parameter_types(self) -> list[str]:
        """LLVM types of the parameters, the context first."""
        return [PTR, *(part for parameter in self.parameters for part in parameter.rep.parts)]

    @property
    def required(self) -> int:
        """Number of arguments that a call must give."""
        return self.op_array.required_num_args
