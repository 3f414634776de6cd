"""Which variables of a closed script may be bound to each other, and to what unknown code reaches: the reference cells.

Every instruction that makes or passes on a reference unites the two ends (union-find, so near-linear in instructions):

    $x = &$y            the two variables
    global $x           the variable, and the global of that name (which is the main script's variable, too)
    static $x           the variable, and the function's static
    f($x), by reference the variable, and the parameter of f; if f's callers are not all known, unknown code
    foreach ($a as &$x) the variable, and the elements; the loop's temporary, and $a
    [&$x], $a[k] = &$x, $x = &$a[k], f($a[k])                               the variable, and the elements

What goes anywhere else by reference (properties, closures, generators, internal functions that are not in
``reference_writes``, results of functions) is united with unknown code. So are the elements, if unknown code may come
by an array and write through a reference in it: if it is not known what is called by value, or if a function that can
be called by value takes a parameter by reference.

There are no cells at all if code may come from elsewhere, or reach variables by computed names.
"""

from __future__ import annotations

from collections.abc import Sequence

from ssa2llvm.analysis.calls import CallInfo
from ssa2llvm.analysis.closed_world import ClosedWorld
from ssa2llvm.analysis.first_binding import possibly_unset_globals
from ssa2llvm.analysis.internals import InternalFunction, internal_function
from ssa2llvm.analysis.lattice import literal_nested, literal_type
from ssa2llvm.analysis.ranges import Range
from ssa2llvm.analysis.reference_cells import Cell, ReferenceCells
from ssa2llvm.analysis.reference_slots import ARGUMENT_VARIABLES
from ssa2llvm.analysis.reference_writes import WRITES
from ssa2llvm.analysis.references import REFERENCE_SENDS
from ssa2llvm.analysis.view import FunctionView
from ssa2llvm.ir.function import Alias, Instr
from ssa2llvm.ir.op_array import FnFlags, OpArray
from ssa2llvm.ir.opcode import Opcode
from ssa2llvm.ir.operands import (
    ARRAY_ELEMENT_REF,
    BIND_EXPLICIT,
    BIND_IMPLICIT,
    BIND_REF,
    FETCH_GLOBAL,
    FETCH_GLOBAL_LOCK,
    Operand,
)
from ssa2llvm.ir.types import (
    ARRAY_SHIFT,
    MAY_BE_ARRAY,
    MAY_BE_ARRAY_EMPTY,
    MAY_BE_ARRAY_PACKED,
    MAY_BE_LONG,
    MAY_BE_NULL,
    MAY_BE_STRING,
)
from ssa2llvm.ssa.aliases import global_names

Node = tuple[object, ...]

_UNKNOWN: Node = ("unknown",)
_ELEMENTS: Node = ("elements",)

ELEMENT_FETCHES = frozenset(
    {Opcode.FETCH_DIM_W, Opcode.FETCH_DIM_RW, Opcode.FETCH_DIM_FUNC_ARG, Opcode.FETCH_LIST_W, Opcode.FETCH_DIM_UNSET}
)
"""What gives the place of an element."""

CALLS = frozenset({Opcode.DO_FCALL, Opcode.DO_ICALL, Opcode.DO_UCALL, Opcode.DO_FCALL_BY_NAME})
_GLOBAL_WRITES = frozenset(
    {Opcode.FETCH_W, Opcode.FETCH_RW, Opcode.FETCH_FUNC_ARG, Opcode.FETCH_UNSET, Opcode.UNSET_VAR}
)
_OTHER_PLACES = _GLOBAL_WRITES | {
    Opcode.FETCH_OBJ_W,
    Opcode.FETCH_OBJ_RW,
    Opcode.FETCH_OBJ_FUNC_ARG,
    Opcode.FETCH_STATIC_PROP_W,
    Opcode.FETCH_STATIC_PROP_RW,
    Opcode.FETCH_STATIC_PROP_FUNC_ARG,
}
"""What gives the place of something that is no element."""

_REFERENCE_DATA = frozenset({Opcode.ASSIGN_OBJ_REF, Opcode.ASSIGN_STATIC_PROP_REF})
_WRITES_ELEMENTS = frozenset({"array_walk", "array_walk_recursive", "extract"})
"""Internal functions that let others write the elements of their array."""


def find_cells(views: Sequence[FunctionView], closed: Sequence[bool], world: ClosedWorld) -> ReferenceCells | None:
    """The cells of the script whose functions are ``views``, empty but for what they hold before any code runs;
    ``closed`` says of which functions all callers are known. None if references cannot be followed."""
    script = views[0].context.script if views else None
    if script is None or len(views) < len(script.op_arrays()) or any(_breaks_off(view) for view in views):
        return None
    return _Binder(views, closed, world.is_open).bind()


def _breaks_off(view: FunctionView) -> bool:
    """Whether the function reaches globals by computed names, or all at once."""
    op_array = view.op_array
    for instr in view.function.instructions():
        if instr.opcode in (Opcode.FETCH_GLOBALS, Opcode.INCLUDE_OR_EVAL):
            return True
        if instr.opcode == Opcode.BIND_GLOBAL and not instr.op2.is_const:
            return True
        if instr.opcode in _GLOBAL_WRITES and instr.extended_value & (FETCH_GLOBAL | FETCH_GLOBAL_LOCK):
            if not instr.op1.is_const:
                return True
    return view.calls is None or any(_calls_back_by_reference(op_array, info) for info in view.calls.calls)


def _calls_back_by_reference(op_array: OpArray, info: CallInfo) -> bool:
    """Whether an internal function is told by name to call another one that takes references: ``array_map('sort',
    …)``."""
    if not isinstance(info.callee, InternalFunction):
        return False
    for number, send in enumerate(info.sends, start=1):
        if info.callee.mode(number) == "c" and send.op1.is_const:
            name = op_array.literal(send.op1)
            called = (
                internal_function(name.decode("utf-8", "surrogateescape").lower()) if isinstance(name, bytes) else None
            )
            if called is not None and any(mode in "&~" for mode in called.modes):
                return True
    return False


class _Classes:
    """Union-find over nodes."""

    def __init__(self) -> None:
        self._parent: dict[Node, Node] = {_UNKNOWN: _UNKNOWN, _ELEMENTS: _ELEMENTS}

    def find(self, node: Node) -> Node:
        """The node that stands for the class of ``node``."""
        parent = self._parent
        root = parent.setdefault(node, node)
        while parent[root] is not root:
            root = parent[root]
        while node is not root:
            parent[node], node = root, parent[node]
        return root

    def unite(self, left: Node, right: Node) -> None:
        """Make two classes one; the class of unknown code is always stood for by itself."""
        left, right = self.find(left), self.find(right)
        if left is not right:
            keep, drop = (right, left) if right is self.find(_UNKNOWN) else (left, right)
            self._parent[drop] = keep

    def nodes(self) -> list[Node]:
        """All nodes, in the order in which they were first met."""
        return list(self._parent)


class _Binder:
    def __init__(self, views: Sequence[FunctionView], closed: Sequence[bool], calls_unknown: bool) -> None:
        self._views = views
        self._closed = {id(view.op_array): is_closed for view, is_closed in zip(views, closed, strict=True)}
        self._classes = _Classes()
        self._initial: list[tuple[Node, int, Range | None, int]] = []
        if calls_unknown:
            self._classes.unite(_ELEMENTS, _UNKNOWN)

    def bind(self) -> ReferenceCells:
        for view in self._views:
            self._declare(view)
            for instr in view.function.instructions():
                self._visit(view, instr)
            assert view.calls is not None
            for info in view.calls.calls:
                self._pass_unseen(view, info)
        for name in possibly_unset_globals(self._views, self._closed):
            self._initial.append((("global", name), MAY_BE_NULL, None, 0))
        return self._finish()

    def _finish(self) -> ReferenceCells:
        unknown = self._classes.find(_UNKNOWN)
        cells: dict[Node, Cell] = {}
        of_slot: dict[tuple[int, int], Cell] = {}
        position = {id(view.op_array): number for number, view in enumerate(self._views)}
        for node in self._classes.nodes():
            root = self._classes.find(node)
            if root is unknown:
                continue
            cell = cells.setdefault(root, Cell())
            if node[0] == "slot":
                op_array, slot = node[1], node[2]
                assert isinstance(op_array, int)
                assert isinstance(slot, int)
                of_slot[op_array, slot] = cell
                if op_array in position:
                    cell.users.add(position[op_array])
        for node, types, known, nested in self._initial:
            bound = cells.get(self._classes.find(node))
            if bound is not None:
                bound.join(types, known, nested)
                bound.initial = bound.types, bound.range, bound.nested
        elements = cells.get(self._classes.find(_ELEMENTS))
        if elements is not None:
            elements.users.update(range(len(self._views)))
        return ReferenceCells(of_slot, elements)

    # ---- nodes

    @staticmethod
    def _slot(op_array: OpArray, slot: int) -> Node:
        return ("slot", id(op_array), slot)

    def _behind(self, view: FunctionView, operand: Operand, use: int) -> Node | None:
        """The node of what a reference to ``operand`` leads to; None for a value that nobody else has."""
        if operand.is_cv:
            return self._slot(view.op_array, operand.num)
        if not operand.is_var:
            return None
        definition = view.function.ssa_vars[use].definition if use >= 0 else None
        while definition is not None and definition.opcode == Opcode.MAKE_REF and not definition.op1.is_cv:
            use = definition.op1_use
            definition = view.function.ssa_vars[use].definition if use >= 0 else None
        if definition is not None and definition.opcode == Opcode.MAKE_REF:
            return self._slot(view.op_array, definition.op1.num)
        if definition is not None and definition.opcode in ELEMENT_FETCHES:
            return _ELEMENTS
        if definition is not None and definition.opcode in CALLS:
            return None if _returns_value(view, definition) else _UNKNOWN
        if definition is None or definition.opcode not in _OTHER_PLACES:
            self._classes.unite(_ELEMENTS, _UNKNOWN)  # it may be the place of an element that went a longer way
        return _UNKNOWN

    def _unite(self, left: Node | None, right: Node | None) -> None:
        if left is not None and right is not None:
            self._classes.unite(left, right)

    # ---- functions

    def _declare(self, view: FunctionView) -> None:
        """Variables that are bound before any instruction, and parameters that unknown callers bind."""
        op_array = view.op_array
        names = global_names(view.context.script) if op_array.is_main and view.context.script is not None else None
        for var in view.function.ssa_vars[: len(op_array.cvs)]:
            if Alias.SYMTABLE in var.alias:
                node = self._slot(op_array, var.slot)
                if names is not None and op_array.cvs[var.slot] in names:
                    self._classes.unite(node, ("global", op_array.cvs[var.slot]))
                else:
                    self._classes.unite(node, _UNKNOWN)
                    self._classes.unite(_ELEMENTS, _UNKNOWN)
        if op_array.is_main:
            self._declare_arguments(op_array)
        for number, info in enumerate(op_array.arg_info):
            if info.by_ref and not self._closed[id(op_array)]:
                self._classes.unite(_ELEMENTS, _UNKNOWN)
                if not info.variadic:
                    self._classes.unite(self._slot(op_array, number), _UNKNOWN)

    def _declare_arguments(self, op_array: OpArray) -> None:
        strings = MAY_BE_ARRAY | MAY_BE_ARRAY_EMPTY | MAY_BE_ARRAY_PACKED | MAY_BE_STRING << ARRAY_SHIFT
        for name, types in zip(ARGUMENT_VARIABLES, (strings, MAY_BE_LONG), strict=True):
            node: Node = ("global", name)
            if name in op_array.cvs:
                self._classes.unite(self._slot(op_array, op_array.cvs.index(name)), node)
            self._initial.append((node, types, Range(0, 1 << 32) if types == MAY_BE_LONG else None, 0))

    def _pass_unseen(self, view: FunctionView, info: CallInfo) -> None:
        """Arguments that are not passed one by one may be references, to elements among others."""
        if info.positional:
            return
        callee = info.callee
        if isinstance(callee, OpArray):
            taken = [number for number, arg in enumerate(callee.arg_info) if arg.by_ref]
            for number in taken:
                self._classes.unite(self._slot(callee, number), _UNKNOWN)
            if not taken and not info.is_prototype:
                return
        elif isinstance(callee, InternalFunction) and not any(mode in "&~" for mode in callee.modes):
            return
        self._classes.unite(_ELEMENTS, _UNKNOWN)

    # ---- instructions

    def _visit(self, view: FunctionView, instr: Instr) -> None:
        opcode, op_array = instr.opcode, view.op_array
        if opcode == Opcode.ASSIGN_REF:
            target, source = self._behind(view, instr.op1, instr.op1_use), self._behind(view, instr.op2, instr.op2_use)
            self._unite(target, source if instr.op2.is_var else _UNKNOWN)
        elif opcode == Opcode.MAKE_REF:
            if any(user.opcode != Opcode.ASSIGN_REF for user in view.users_of_result(instr)):
                self._unite(self._behind(view, instr.op1, instr.op1_use), _UNKNOWN)
        elif opcode == Opcode.BIND_GLOBAL:
            name = op_array.literal(instr.op2)
            assert isinstance(name, bytes)
            self._classes.unite(
                self._slot(op_array, instr.op1.num), ("global", name.decode("utf-8", "surrogateescape"))
            )
        elif opcode == Opcode.BIND_STATIC:
            self._bind_static(view, instr)
        elif opcode == Opcode.BIND_LEXICAL:
            if instr.extended_value & BIND_REF:
                self._unite(self._behind(view, instr.op2, instr.op2_use), _UNKNOWN)
        elif opcode in REFERENCE_SENDS:
            self._send(view, instr)
        elif opcode == Opcode.FE_RESET_RW:
            self._unite(self._slot(op_array, instr.result.num), self._behind(view, instr.op1, instr.op1_use))
        elif opcode == Opcode.FE_FETCH_RW:
            if instr.op2.is_cv:
                self._classes.unite(self._slot(op_array, instr.op2.num), _ELEMENTS)
        elif opcode in (Opcode.INIT_ARRAY, Opcode.ADD_ARRAY_ELEMENT):
            if instr.extended_value & ARRAY_ELEMENT_REF:
                self._unite(self._behind(view, instr.op1, instr.op1_use), _ELEMENTS)
        else:
            self._visit_escape(view, instr)

    def _visit_escape(self, view: FunctionView, instr: Instr) -> None:
        """Instructions that hand a reference to where nobody follows it."""
        opcode, is_global = instr.opcode, instr.extended_value & (FETCH_GLOBAL | FETCH_GLOBAL_LOCK)
        if opcode == Opcode.YIELD:
            escapes = FnFlags.RETURNS_REFERENCE in view.op_array.flags
        elif opcode == Opcode.OP_DATA:
            escapes = view.sites[instr].owner.opcode in _REFERENCE_DATA
        else:
            escapes = opcode == Opcode.RETURN_BY_REF
        if escapes:
            self._unite(self._behind(view, instr.op1, instr.op1_use), _UNKNOWN)
        elif opcode in _GLOBAL_WRITES and is_global:
            name = view.op_array.literal(instr.op1)
            if isinstance(name, bytes):
                self._classes.unite(("global", name.decode("utf-8", "surrogateescape")), _UNKNOWN)

    def _bind_static(self, view: FunctionView, instr: Instr) -> None:
        flags, op_array = instr.extended_value, view.op_array
        if not flags & BIND_REF:
            return
        slot = self._slot(op_array, instr.op1.num)
        if flags & (BIND_IMPLICIT | BIND_EXPLICIT):
            self._classes.unite(slot, _UNKNOWN)
            return
        name = op_array.cvs[instr.op1.num]
        node: Node = ("static", id(op_array), name)
        self._classes.unite(slot, node)
        for static in op_array.static_vars:
            if static.name == name:
                value = static.value
                known = Range(value, value) if type(value) is int else None
                self._initial.append((node, literal_type(value), known, literal_nested(value)))

    def _send(self, view: FunctionView, send: Instr) -> None:
        source = self._behind(view, send.op1, send.op1_use)
        by_reference = True if send.opcode == Opcode.SEND_REF else view.sends_reference(send)
        if by_reference is False:
            return
        info = view.call_of(send)
        if info is None or by_reference is None or not info.positional:
            self._unite(source, _UNKNOWN)
            return
        if isinstance(info.callee, InternalFunction):
            if info.callee.name in WRITES:
                self._unite(source, source)  # it has a cell, with all its variable is given elsewhere
            else:
                self._unite(source, _UNKNOWN)
                if info.callee.name in _WRITES_ELEMENTS:
                    self._classes.unite(_ELEMENTS, _UNKNOWN)
            return
        assert info.callee is not None
        self._unite(source, self._parameter(info, info.callee, send.op2.num))

    def _parameter(self, info: CallInfo, callee: OpArray, number: int) -> Node:
        """The node of parameter ``number`` (from 1) of a function of the script."""
        if info.is_prototype or not self._closed.get(id(callee), False):
            return _UNKNOWN
        if number <= len(callee.arg_info) and not callee.arg_info[number - 1].variadic:
            return self._slot(callee, number - 1)
        return _ELEMENTS


def _returns_value(view: FunctionView, call: Instr) -> bool:
    """Whether a call gives a value of its own rather than a reference."""
    info = view.call_of(call)
    if info is None or info.is_prototype:
        return False
    if isinstance(info.callee, InternalFunction):
        return True
    return info.callee is not None and FnFlags.RETURNS_REFERENCE not in info.callee.flags
