"""Show a function's dominator tree, dominance frontiers and loops: `ll dom`.

One line a block, in the order of the text, so that an example can say in a comment what is expected of it.
"""

from __future__ import annotations

from ssa2llvm.cfg.frontiers import dominance_frontiers
from ssa2llvm.cfg.loops import Loops, identify_loops
from ssa2llvm.llir.graph import FunctionGraph, graph_of
from ssa2llvm.llir.module import ModuleText


def describe_dominance(module: ModuleText) -> list[str]:
    """For each function a headline and a line for each of its blocks."""
    lines: list[str] = []
    for function in module.functions:
        graph = graph_of(function)
        frontiers = dominance_frontiers(graph.preds, graph.tree)
        loops = identify_loops(graph.succs, graph.preds, graph.tree)
        lines.append(function.name)
        for number in range(len(function.blocks)):
            lines.append("  " + _describe_block(graph, frontiers[number], loops, number))
    return lines


def _describe_block(graph: FunctionGraph, frontier: list[int], loops: Loops, number: int) -> str:
    blocks = graph.function.blocks
    if not graph.reachable(number):
        return f"{blocks[number].name}: unreachable"
    idom = graph.tree.idom[number]
    parts = [f"idom {blocks[idom].name}" if idom >= 0 else "entry"]
    parts.append("frontier {" + ", ".join(blocks[block].name for block in frontier) + "}")
    if loops.is_header[number]:
        parts.append(f"header of a loop at depth {loops.depth[number]}")
    elif loops.header[number] >= 0:
        parts.append(f"in the loop of {blocks[loops.header[number]].name}")
    if loops.is_irreducible[number]:
        parts.append("entered by two ways: irreducible")
    return f"{blocks[number].name}: " + ", ".join(parts)
