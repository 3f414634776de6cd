"""Who calls whom: the call graph over the functions of a script (Zend/Optimizer/zend_call_graph.c).

Nodes are functions by position; an edge is a call whose callee is one of them. What a call passes, and how, is in its
``CallInfo`` (``analysis.calls``): argument count, unpacking, named arguments, prototype. A function is directly
recursive if it calls itself, indirectly if it lies on a longer cycle; cycles are the strongly connected components of
the graph, so that the whole is linear in calls (Zend searches backwards from each function).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from ssa2llvm.analysis.calls import CallInfo, CallMap
from ssa2llvm.cfg.scc import strongly_connected_components
from ssa2llvm.ir.function import Function
from ssa2llvm.ir.op_array import OpArray


@dataclass(frozen=True, slots=True)
class CallSite:
    """A call in function ``caller`` of function ``callee``."""

    caller: int
    callee: int
    info: CallInfo


class CallGraph:
    """The graph over ``functions``, whose calls are in ``maps``."""

    def __init__(self, functions: Sequence[Function], maps: Sequence[CallMap]) -> None:
        index = {id(function.op_array): number for number, function in enumerate(functions)}
        self.calls_of: list[list[CallSite]] = [[] for _ in functions]
        self.callers_of: list[list[CallSite]] = [[] for _ in functions]
        for caller, calls in enumerate(maps):
            for info in calls.calls:
                if isinstance(info.callee, OpArray) and id(info.callee) in index:
                    site = CallSite(caller, index[id(info.callee)], info)
                    self.calls_of[caller].append(site)
                    self.callers_of[site.callee].append(site)
        certain = [[site.callee for site in sites if not site.info.is_prototype] for sites in self.calls_of]
        components = strongly_connected_components(certain)
        sizes = [len(members) for members in components.members()]
        self._component = components.of
        self._direct = [number in callees for number, callees in enumerate(certain)]
        self._indirect = [sizes[components.of[number]] > 1 for number in range(len(functions))]

    def callers(self, function: int) -> list[int]:
        """The functions that call ``function``, ascending."""
        return sorted({site.caller for site in self.callers_of[function]})

    def is_recursive_call(self, site: CallSite) -> bool:
        """Whether the call may come back to the function that makes it: directly, or through others (an argument or
        result may then depend on itself)."""
        if site.info.is_prototype:
            return False
        return site.caller == site.callee or self._component[site.caller] == self._component[site.callee]

    def never_called(self) -> list[int]:
        """The functions that no call names, ascending. (Something else may call them: see ``closed_world``.)"""
        return [number for number, sites in enumerate(self.callers_of) if not sites]

    def is_directly_recursive(self, function: int) -> bool:
        """Whether the function calls itself."""
        return self._direct[function]

    def is_indirectly_recursive(self, function: int) -> bool:
        """Whether the function may be called again through others while it runs."""
        return self._indirect[function]


def with_callers(functions: Iterable[int], callers: Mapping[int, Iterable[int]]) -> set[int]:
    """``functions`` and all that may call them, directly or not. ``callers`` gives the direct callers of each."""
    reached = set(functions)
    pending = list(reached)
    while pending:
        for caller in callers.get(pending.pop(), ()):
            if caller not in reached:
                reached.add(caller)
                pending.append(caller)
    return reached
