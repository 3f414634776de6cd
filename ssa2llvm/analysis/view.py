"""One function as inference sees it: its instructions with their neighbours, its calls, its literals, and answers to
the questions that transfer functions ask (``transfer.core.Env``).

Built once per function and shared by all rounds of inference; only ``types`` and ``ranges`` change from round to
round.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from ssa2llvm.analysis.calls import CallInfo, CallMap
from ssa2llvm.analysis.comparisons import Comparisons
from ssa2llvm.analysis.context import ScriptContext
from ssa2llvm.analysis.copy_webs import CopyWebs
from ssa2llvm.analysis.facts import ClassFact, ReturnFact
from ssa2llvm.analysis.handler_states import HandlerStates
from ssa2llvm.analysis.internal_results import (
    internal_nested,
    internal_range,
    internal_type,
    range_result,
    taken_element,
)
from ssa2llvm.analysis.internals import InternalFunction
from ssa2llvm.analysis.lattice import (
    ANY_REF,
    ARRAY_PART,
    UNKNOWN,
    array_part,
    declared_mask,
    literal_nested,
    literal_type,
    null_for_undef,
)
from ssa2llvm.analysis.ranges import ANY_INT, Range
from ssa2llvm.analysis.reference_cells import Cell
from ssa2llvm.analysis.reference_writes import written
from ssa2llvm.analysis.sites import Sites
from ssa2llvm.ir.config import Config
from ssa2llvm.ir.function import Function, Instr
from ssa2llvm.ir.op_array import OpArray, PropertyDecl
from ssa2llvm.ir.opcode import Opcode
from ssa2llvm.ir.operands import OpKind
from ssa2llvm.ir.types import (
    ARRAY_SHIFT,
    MAY_BE_ANY,
    MAY_BE_ARRAY,
    MAY_BE_ARRAY_OF_ANY,
    MAY_BE_ARRAY_OF_REF,
    MAY_BE_LONG,
    MAY_BE_RC1,
    MAY_BE_REF,
    MAY_BE_STRING,
)

_PLACES = frozenset({Opcode.FETCH_DIM_W, Opcode.FETCH_DIM_RW, Opcode.FETCH_LIST_W, Opcode.FETCH_DIM_UNSET})

Argument: TypeAlias = Callable[[Instr], tuple[int, Range | None]]


class FunctionView:
    """See the module."""

    def __init__(self, function: Function, context: ScriptContext) -> None:
        self.function = function
        self.context = context
        self.sound = context.config is Config.SOUND
        self.counts = context.counts
        self.sites = Sites(function)
        self.webs = CopyWebs(function)
        self.comparisons = Comparisons(function)
        self.handlers = HandlerStates(function)
        self.calls = CallMap(function, context.symbols) if context.options.interprocedural else None
        self.types: Sequence[int] = ()
        self.ranges: Sequence[Range | None] = ()
        self.nested: Sequence[int] = ()
        self._fed = self._find_fed() if self.sound else {}
        self._masks: dict[int, int] = {}
        self._nested: dict[int, int] = {}

    @property
    def op_array(self) -> OpArray:
        """The function being inferred."""
        return self.function.op_array

    # Literals and neighbours

    def literal_mask(self, index: int) -> int:
        """The mask of a literal; long arrays are looked at once."""
        mask = self._masks.get(index)
        if mask is None:
            mask = literal_type(self.op_array.literals[index])
            if mask & (MAY_BE_STRING | MAY_BE_ARRAY):
                mask |= self.counts
                if self.context.options.counts_references:  # the JIT finds literals shared by all who read them
                    mask &= ~MAY_BE_RC1
            self._masks[index] = mask
        return mask

    def literal_nested(self, index: int) -> int:
        """What the arrays in a literal array are (``Facts.nested``)."""
        nested = self._nested.get(index)
        if nested is None:
            nested = self._nested[index] = literal_nested(self.op_array.literals[index])
        return nested

    def literal_bytes(self, instr: Instr, which: str) -> bytes | None:
        """The string literal in operand ``which``, None if it is not one."""
        operand = instr.op1 if which == "op1" else instr.op2
        if operand.kind != OpKind.CONST:
            return None
        value = self.op_array.literals[operand.num]
        return value if isinstance(value, bytes) else None

    def users_of_result(self, instr: Instr) -> list[Instr]:
        """The instructions that read what ``instr`` defines as its result, in order."""
        return self.function.ssa_vars[instr.result_def].uses if instr.result_def >= 0 else []

    def follower(self, instr: Instr) -> Instr | None:
        """The next instruction of the block."""
        return self.sites[instr].next

    # Classes

    def class_named(self, name: str) -> str | None:
        """The class of this name in its declared spelling, if the optimizer can see it."""
        found = self.context.symbols.classes.visible(name, self.op_array.scope)
        return found.name if found is not None else None

    def declared_class(self, name: str) -> str | None:
        """The same for a name in a declared type, which is looked up outside of the function's own class."""
        found = self.context.symbols.classes.bound(name)
        return found.name if found is not None else None

    def is_trait(self, name: str) -> bool:
        """Whether the class is a trait."""
        return self.context.symbols.classes.is_trait(name)

    def parent_of(self, name: str) -> str | None:
        """Its parent, if it is linked and has one."""
        found = self.context.symbols.classes.parent(name)
        return found.name if found is not None else None

    def property_of(self, cls: str, name: str, static: bool) -> PropertyDecl | None:
        """A declared property that the function may access."""
        found = self.context.symbols.classes.property(cls, name, self.op_array.scope)
        return found if found is not None and found.static == static else None

    # Calls

    def call_of(self, instr: Instr) -> CallInfo | None:
        """The call that ``instr`` belongs to, if its callee is known."""
        info = self.calls.get(instr) if self.calls is not None else None
        return info if info is not None and info.callee is not None else None

    def returned_by(self, instr: Instr) -> ReturnFact | None:
        """What the call ``instr`` gives (zend_func_info.c:zend_get_func_info), None if the callee is unknown."""
        info = self.call_of(instr)
        if info is None:
            return None
        if isinstance(info.callee, InternalFunction):
            return self._internal_result(info, info.callee)
        assert info.callee is not None
        known = None if info.is_prototype else self.context.returned(info.callee)
        if known is not None and (known.types or self.sound):
            return known
        declared = self.context.signature_returned(info.callee)
        if info.is_prototype:
            return ReturnFact(declared.types | MAY_BE_REF)
        return declared

    def _internal_result(self, info: CallInfo, callee: InternalFunction) -> ReturnFact:
        mask = callee.returns
        if callee.name == "range":
            mask = range_result([self._sent_mask(send) for send in info.sends], info.positional)
        elif self.sound and info.positional:
            mask = internal_type(callee.name, mask, [self._sent(send) for send in info.sends])
        mask |= self.counts & callee.counts
        cls = ClassFact(callee.cls, is_instanceof=True) if callee.cls is not None else None
        nested = ARRAY_PART
        if self.sound and info.positional:
            masks = [self._sent_mask(send) for send in info.sends]
            inside = [self._sent_nested(send) for send in info.sends]
            nested = internal_nested(callee.name, masks, inside)
            if len(masks) == 1:
                element = taken_element(callee.name, masks[0], inside[0])
                mask = element if element is not None else mask
        return ReturnFact(mask, cls, nested=nested)

    def _sent_nested(self, send: Instr) -> int:
        if send.op1.kind == OpKind.CONST:
            return self.literal_nested(send.op1.num)
        return self.nested[send.op1_use] if 0 <= send.op1_use < len(self.nested) else ARRAY_PART

    def _sent(self, send: Instr) -> tuple[int, Range | None]:
        use = send.op1_use
        return self._sent_mask(send), self.ranges[use] if send.op1.kind != OpKind.CONST and use >= 0 else None

    def results_fed_by(self, name: int) -> list[int]:
        """Results of calls of internal functions that ``name`` is an argument of, and what these leave in their
        arguments by reference: types that depend on it, though no chain leads there."""
        return self._fed.get(name, [])

    def _find_fed(self) -> dict[int, list[int]]:
        fed: dict[int, list[int]] = {}
        for info in self.calls.calls if self.calls is not None else ():
            if isinstance(info.callee, InternalFunction) and info.do is not None and info.do.result_def >= 0:
                for send in info.sends:
                    if send.op1_use >= 0:
                        fed.setdefault(send.op1_use, []).append(info.do.result_def)
            if isinstance(info.callee, InternalFunction) and any(mode in "&~" for mode in info.callee.modes):
                for target in info.sends:
                    if target.op1_def >= 0:
                        for send in info.sends:
                            if send.op1_use >= 0 and send is not target:
                                fed.setdefault(send.op1_use, []).append(target.op1_def)
        for instr in self.function.instructions():
            if instr.opcode in _PLACES and instr.op1_def >= 0:  # what is stored in the element that it fetches
                for user in self.users_of_result(instr):
                    data = self.sites[user].data
                    for name in (user.op2_use, data.op1_use if data is not None else -1):
                        if name >= 0:
                            fed.setdefault(name, []).append(instr.op1_def)
        return fed

    def _sent_mask(self, send: Instr) -> int:
        if send.op1.kind == OpKind.CONST:
            return self.literal_mask(send.op1.num)
        return self.types[send.op1_use] if send.op1_use >= 0 else UNKNOWN

    def returned_range(self, instr: Instr, argument: Argument) -> Range | None:
        """The integers that the call ``instr`` returns, given what its arguments are."""
        info = self.call_of(instr)
        if info is None or info.is_prototype:
            return ANY_INT
        if isinstance(info.callee, InternalFunction):
            arguments = [argument(send) for send in info.sends] if info.positional else []
            return internal_range(info.callee.name, arguments)
        assert info.callee is not None
        known = self.context.returned(info.callee)
        return known.range if known is not None and known.range is not None else ANY_INT

    def zend_returned_range(self, instr: Instr) -> Range | None:
        """The same as Zend knows it: user functions analysed before."""
        info = self.call_of(instr)
        if info is None or info.is_prototype or isinstance(info.callee, InternalFunction):
            return None
        assert info.callee is not None
        known = self.context.returned(info.callee)
        return known.range if known is not None else None

    def sends_reference(self, send: Instr) -> bool | None:
        """Whether the callee takes the argument of ``send`` by reference; None if it is not known."""
        info, number = self.call_of(send), send.op2.num
        if info is None or send.op2.kind == OpKind.CONST:
            return None
        if isinstance(info.callee, InternalFunction):
            return info.callee.mode(number) in "&~"
        assert info.callee is not None
        infos = info.callee.arg_info
        if number <= len(infos):
            return infos[number - 1].by_ref
        if infos and infos[-1].variadic:
            return infos[-1].by_ref
        return None if info.is_prototype else False

    # References

    def cell_of(self, name: int) -> Cell | None:
        """The cell behind ``name`` where it is a reference; None if that may be anything."""
        cells = self.context.cells
        if cells is None:
            return None
        var = self.function.ssa_vars[name]
        if var.slot >= len(self.op_array.cvs):
            definition = var.definition
            if definition is None or definition.opcode != Opcode.FE_RESET_RW:
                return None
        return cells.cell_of(self.op_array, var.slot)

    def known_cells(self) -> dict[int, Cell]:
        """The cells of the function's variables, by slot."""
        cells = self.context.cells
        if cells is None:
            return {}
        found = ((slot, cells.cell_of(self.op_array, slot)) for slot in range(len(self.op_array.cvs)))
        return {slot: cell for slot, cell in found if cell is not None}

    @property
    def element_cell(self) -> Cell | None:
        """The cell of what arrays hold by reference."""
        cells = self.context.cells
        return cells.elements if cells is not None and id(self.op_array) not in cells.dead else None

    def behind_reference(self, name: int) -> int | None:
        """The types that ``name`` may lead to where it is a reference; None if these may be any."""
        cell = self.cell_of(name)
        return cell.types if cell is not None else None

    def range_behind(self, name: int) -> Range | None:
        """The integers that ``name`` may lead to where it is a reference."""
        cell = self.cell_of(name)
        return cell.range if cell is not None else ANY_INT

    def widened(self, name: int, mask: int) -> int:
        """``mask`` of ``name`` with all that others may put there: behind a reference, and behind references in
        arrays."""
        if mask & MAY_BE_REF:
            behind = self.behind_reference(name)
            mask |= ANY_REF if behind is None else behind
        if mask & MAY_BE_ARRAY_OF_REF:
            cell = self.element_cell
            mask |= MAY_BE_ARRAY_OF_ANY if cell is None else (cell.types & MAY_BE_ANY) << ARRAY_SHIFT
        return mask

    def nested_widened(self, name: int, mask: int, nested: int) -> int:
        """``nested`` of ``name`` (``Facts.nested``), whose types are ``mask``, with all that others may put there."""
        if mask & MAY_BE_REF:
            cell = self.cell_of(name)
            nested |= ARRAY_PART if cell is None else cell.nested
        elements = self.element_cell
        if mask & MAY_BE_ARRAY_OF_REF:
            nested |= ARRAY_PART if elements is None else array_part(elements.types)
        if nested & MAY_BE_ARRAY_OF_REF:
            nested |= MAY_BE_ARRAY_OF_ANY if elements is None else (elements.types & MAY_BE_ANY) << ARRAY_SHIFT
        return nested

    def written_by_reference(self, send: Instr, old: int) -> int | None:
        """What the callee, if it is an internal function, may leave in the variable that ``send`` passes by
        reference, ``old`` before; None if that may be anything. (What functions of the script store is in the
        variable's cell.)"""
        info = self.call_of(send)
        if info is None or not info.positional:
            return None
        if not isinstance(info.callee, InternalFunction):
            return 0
        return written(info.callee.name, send.op2.num, old, [self._sent_mask(other) for other in info.sends])

    # Parameters and return values

    def argument(self, number: int) -> int | None:
        """The union of what all callers pass as parameter ``number`` (from 1), or leave to its default; None if not all
        are known."""
        facts = self.context.arguments(self.op_array)
        return facts[number - 1].types if facts is not None and number <= len(facts) else None

    def argument_nested(self, number: int) -> int | None:
        """What the arrays in the arrays that arrive in parameter ``number`` are, None if not all callers are known."""
        facts = self.context.arguments(self.op_array)
        return facts[number - 1].nested if facts is not None and number <= len(facts) else None

    def argument_range(self, recv: Instr) -> Range | None:
        """The integers that arrive in the parameter of ``recv``."""
        facts, number = self.context.arguments(self.op_array), recv.op1.num
        if facts is None or number > len(facts):
            return ANY_INT
        passed, known = facts[number - 1].types, facts[number - 1].range
        infos = self.op_array.arg_info
        declared = declared_mask(infos[number - 1].type) if number <= len(infos) else MAY_BE_ANY
        if passed & MAY_BE_ANY & ~declared:
            return ANY_INT
        return known if passed & MAY_BE_LONG else None

    def return_converts(self, mask: int) -> bool:
        """Whether a value of this type may be converted by the declared return type."""
        declared = declared_mask(self.op_array.return_type)
        return bool(null_for_undef(mask) & (MAY_BE_ANY | MAY_BE_REF) & ~declared)
