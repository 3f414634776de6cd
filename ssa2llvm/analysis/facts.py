"""What inference knows of each SSA name: its types, its class if it is an object, its range if it is an integer.

Dense lists indexed by SSA name; passes that invent names append. The facts of a name are
{types, class, range} in the sense of Zend/Optimizer/zend_ssa.h:zend_ssa_var_info.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import IntEnum

from ssa2llvm.analysis.lattice import ARRAY_PART
from ssa2llvm.analysis.ranges import Range
from ssa2llvm.analysis.reference_cells import Cell
from ssa2llvm.ir.function import Instr
from ssa2llvm.ir.opcode import Opcode
from ssa2llvm.ir.types import MAY_BE_LONG, type_text


@dataclass(frozen=True, slots=True)
class ClassFact:
    """Objects in the name are of class ``name``, or (``is_instanceof``) of it or a subclass."""

    name: str
    is_instanceof: bool = False


@dataclass(slots=True)
class ReturnFact:
    """What a function returns. ``types`` 0 means that it never returns, or that nothing is known yet."""

    types: int = 0
    cls: ClassFact | None = None
    range: Range | None = None
    nested: int = ARRAY_PART
    """See ``Facts.nested``."""
    printed_range: Range | None = field(default=None, compare=False)
    """What PHP prints as the range, even where it says itself that there is none (Config.ZEND)."""


class Escape(IntEnum):
    """How far the array or object in a name gets (zend_ssa.h:zend_ssa_escape_state; ``analysis.escape``)."""

    UNKNOWN = 0
    NO_ESCAPE = 1
    FUNCTION_ESCAPE = 2
    GLOBAL_ESCAPE = 3


@dataclass(slots=True)
class Facts:
    """The facts of one function. ``ranges[name]`` is None if nothing is known. ``escape`` says who can reach the array
    or object in a name, ``structure`` numbers the sets of names that may hold the same one (empty if the function
    allocates none)."""

    types: list[int]
    ranges: list[Range | None]
    classes: list[ClassFact | None]
    escape: list[Escape] = field(default_factory=list)
    structure: list[int] = field(default_factory=list)
    returns: ReturnFact = field(default_factory=ReturnFact)
    nested: list[int] = field(default_factory=list)
    """What is known of the arrays in the array in a name: the union of their kinds and of the types of their elements,
    as array bits of a mask (``lattice.ARRAY_PART`` without the outer array's own). Empty: nothing of any."""

    cells: dict[int, Cell] = field(default_factory=dict)
    """What the variables that may be references lead to, by slot, where that is known."""

    def nested_in(self, name: int) -> int:
        """What the arrays in the array in ``name`` may be; anything for no name."""
        return self.nested[name] if 0 <= name < len(self.nested) else ARRAY_PART

    def append(self, types: int, range_: Range | None = None, cls: ClassFact | None = None) -> int:
        """Add the facts of a new name, the next in order; return its number."""
        self.types.append(types)
        self.ranges.append(range_)
        self.classes.append(cls)
        self.escape.append(Escape.UNKNOWN)
        if self.nested:
            self.nested.append(ARRAY_PART)
        return len(self.types) - 1

    def mask_of(self, name: int) -> int:
        """The type mask, for printers (formats.zend_block_printer.VarFacts)."""
        return self.types[name]

    def class_of(self, name: int) -> tuple[str, bool] | None:
        """The class and whether subclasses count, for printers."""
        cls = self.classes[name]
        return (cls.name, cls.is_instanceof) if cls is not None else None

    def range_of(self, name: int) -> Range | None:
        """The range, for printers."""
        return self.ranges[name]

    def no_escape(self, name: int) -> bool:
        """Whether only this function can reach the array or object in it (Zend's NOESC)."""
        return self.escape[name] is Escape.NO_ESCAPE

    def may_overflow(self, instr: Instr) -> bool:
        """Whether integer arithmetic of ``instr`` (``+ - *``, ``++``, ``--`` and their assigning forms) may leave the
        64 bits, so that the result is a float."""
        name = instr.result_def
        if instr.opcode in _DEFINES_OP1:
            name = instr.op1_def
        known = self.ranges[name] if name >= 0 else None
        return known is None or known.flagged

    def text(self, name: int) -> str:
        """``[long] RANGE[0..9]`` as in PHP's dumps."""
        cls = self.classes[name]
        words = type_text(self.types[name], cls.name if cls else None, cls is not None and cls.is_instanceof)
        known = self.ranges[name]
        return f"{words} {known}".rstrip() if known is not None else words

    def long_range(self, name: int) -> Range | None:
        """The range of the name's integer values, if the name is an integer and nothing else."""
        return self.ranges[name] if self.types[name] == MAY_BE_LONG else None


_DEFINES_OP1 = frozenset({Opcode.ASSIGN_OP, Opcode.PRE_INC, Opcode.PRE_DEC, Opcode.POST_INC, Opcode.POST_DEC})
