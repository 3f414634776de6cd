"""Which globals may be unset when a function first binds them, so that the binding makes them null.

``global $n`` in a function gives null to a global that has no value yet. Main scripts set their globals up before they
call anybody who uses them, though; where that can be seen, null does not get into the cell of the global
(``reference_cells``) and ``$n`` stays a plain integer in every function.

A global is certainly set if each function that may come to its ``global`` statement, by whatever chain of calls, has
only known callers, and where the main script calls such a function, all paths to the call have set the variable: a
forward must-analysis over the main script's blocks, bits of variables. Linear but for the joins at loop heads.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ssa2llvm.analysis.call_graph import with_callers
from ssa2llvm.analysis.view import FunctionView
from ssa2llvm.cfg.graph import reverse_postorder
from ssa2llvm.ir.function import Function, Instr
from ssa2llvm.ir.op_array import OpArray
from ssa2llvm.ir.opcode import Opcode

_SETS_OP1 = frozenset(
    {
        Opcode.ASSIGN,
        Opcode.ASSIGN_OP,
        Opcode.ASSIGN_DIM,
        Opcode.ASSIGN_DIM_OP,
        Opcode.ASSIGN_REF,
        Opcode.PRE_INC,
        Opcode.PRE_DEC,
        Opcode.POST_INC,
        Opcode.POST_DEC,
        Opcode.BIND_GLOBAL,
    }
)


def possibly_unset_globals(views: Sequence[FunctionView], closed: Mapping[int, bool]) -> list[str]:
    """Names of the globals that some function binds and that may be unset then, ascending. ``closed`` says, by ``id``
    of the op array, of which functions all callers are known."""
    binders: dict[str, set[int]] = {}
    callers: dict[int, list[int]] = {}
    position = {id(view.op_array): number for number, view in enumerate(views)}
    for number, view in enumerate(views):
        if view.op_array.is_main:
            continue
        for instr in view.function.instructions():
            if instr.opcode == Opcode.BIND_GLOBAL:
                literal = view.op_array.literal(instr.op2)
                assert isinstance(literal, bytes)
                binders.setdefault(literal.decode("utf-8", "surrogateescape"), set()).add(number)
        for info in view.calls.calls if view.calls is not None else ():  # the main script itself is looked at below
            callee = position.get(id(info.callee))
            if callee is not None:
                callers.setdefault(callee, []).append(number)
    if not binders:
        return []
    main = next((view for view in views if view.op_array.is_main), None)
    if main is None:
        return sorted(binders)
    set_at = _Assigned(main.function)
    unset = []
    for name, functions in sorted(binders.items()):
        reaching = with_callers(functions, callers)
        known = all(closed[id(views[number].op_array)] for number in reaching)
        targets = {id(views[number].op_array) for number in reaching}
        if not known or not _set_at_calls(main, set_at, name, targets):
            unset.append(name)
    return unset


def _set_at_calls(main: FunctionView, set_at: _Assigned, name: str, targets: set[int]) -> bool:
    """Whether global ``name`` is set wherever the main script calls one of ``targets``."""
    cvs = main.op_array.cvs
    slot = cvs.index(name) if name in cvs else -1
    for info in main.calls.calls if main.calls is not None else ():
        if isinstance(info.callee, OpArray) and id(info.callee) in targets and info.do is not None:
            if slot < 0 or not set_at.before(info.do, slot):
                return False
    return True


class _Assigned:
    """Which variables of a function are certainly set, before each of its calls."""

    def __init__(self, function: Function) -> None:
        self._before: dict[Instr, int] = {}
        count = len(function.blocks)
        everything = (1 << len(function.op_array.cvs)) - 1
        out = [everything] * count
        order = reverse_postorder([block.succs for block in function.blocks])
        entries = {block.id for block in function.blocks if not block.preds} | {0}
        changed = True
        while changed:
            changed = False
            for number in order:
                block = function.blocks[number]
                known = 0 if number in entries else everything
                for pred in block.preds if number not in entries else ():
                    known &= out[pred]
                for instr in block.instrs:
                    self._before[instr] = known
                    known = _after(instr, known)
                if known != out[number]:
                    out[number] = known
                    changed = True

    def before(self, instr: Instr, slot: int) -> bool:
        """Whether the variable is set when ``instr`` runs, on every path to it."""
        return bool(self._before.get(instr, 0) >> slot & 1)


def _after(instr: Instr, known: int) -> int:
    if instr.opcode in _SETS_OP1 and instr.op1.is_cv and instr.op1_def >= 0:
        return known | 1 << instr.op1.num
    if instr.opcode == Opcode.UNSET_CV and instr.op1.is_cv:
        return known & ~(1 << instr.op1.num)
    if instr.result.is_cv and instr.result_def >= 0 and instr.opcode not in (Opcode.FE_FETCH_R, Opcode.FE_FETCH_RW):
        return known | 1 << instr.result.num
    return known
