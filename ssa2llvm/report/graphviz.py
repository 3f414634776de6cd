"""Functions in block form as Graphviz graphs: a box for each block, an arrow for each edge.

``dot -Tsvg`` draws them. Blocks show what PHP's dump shows of them; with SSA names if the function has any. A thick
arrow runs back to a loop's header, dotted lines are the dominator tree (if asked for). The output is the same for the
same function, byte for byte.
"""

from __future__ import annotations

from collections.abc import Sequence

from ssa2llvm.formats.zend_block_printer import VarFacts, block_lines
from ssa2llvm.formats.zend_printer import full_name
from ssa2llvm.ir.function import Block, BlockFlags, Function
from ssa2llvm.ir.optable import Flow, op_info

_MAX_LINES = 60
"""Lines of a block that are shown; the rest is counted."""


def print_dot(
    functions: Sequence[Function], facts: Sequence[VarFacts] | None = None, with_dominators: bool = False
) -> str:
    """One graph with a cluster for each function. ``facts``, one for each function, adds types and ranges."""
    lines = ["digraph program {", '    node [shape=box, fontname="monospace", fontsize=9];', "    edge [fontsize=8];"]
    for number, function in enumerate(functions):
        lines += [f"    subgraph cluster_{number} {{", f"        label={_quoted(_text(full_name(function.op_array)))};"]
        contents = block_lines(function, bool(function.ssa_vars), facts[number] if facts else None, True)
        for block, content in zip(function.blocks, contents, strict=True):
            lines.append(f"        {_node(number, block.id)} [{_attributes(block, content)}];")
        for block in function.blocks:
            lines += _edges(number, function, block)
            if with_dominators and block.idom >= 0:
                lines.append(
                    f"        {_node(number, block.idom)} -> {_node(number, block.id)} "
                    "[style=dotted, arrowhead=none, constraint=false];"
                )
        lines.append("    }")
    return "\n".join([*lines, "}"]) + "\n"


def _node(function: int, block: int) -> str:
    return f"f{function}b{block}"


def _text(data: bytes) -> str:
    return data.decode("utf-8", "replace")


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'


def _attributes(block: Block, content: list[bytes]) -> str:
    head = f"BB{block.id}" + (f"  loop of BB{block.loop_header}" if block.loop_header >= 0 else "")
    shown = [_text(line).rstrip("\n").strip() for line in content[:_MAX_LINES]]
    if len(content) > _MAX_LINES:
        shown.append(f"… {len(content) - _MAX_LINES} more")
    # \l ends a line that is set flush left; newlines inside strings are shown as such.
    label = "".join(_quoted(line)[1:-1] + "\\l" for line in [head, *shown])
    style = "" if block.reachable else ", style=dashed, color=gray"
    if BlockFlags.LOOP_HEADER in block.flags:
        style = ", penwidth=2"
    return f'label="{label}"{style}'


def _edges(number: int, function: Function, block: Block) -> list[str]:
    lines = []
    for position, target in enumerate(block.succs):
        attributes = [f'label="{label}"'] if (label := _edge_label(block, position)) else []
        if _is_back_edge(function, block.id, target):
            attributes.append("penwidth=2")
        shown = f" [{', '.join(attributes)}]" if attributes else ""
        lines.append(f"        {_node(number, block.id)} -> {_node(number, target)}{shown};")
    return lines


def _edge_label(block: Block, position: int) -> str:
    """Which way a branch goes: ``jump`` or ``next``; the position in a switch's table."""
    flow = op_info(block.instrs[-1].opcode).flow if block.instrs else Flow.NEXT
    if flow in (Flow.BRANCH, Flow.BRANCH_EXT) and len(block.succs) > 1:
        return ("jump", "next")[position] if position < 2 else ""
    return str(position) if flow in (Flow.SWITCH, Flow.MATCH) else ""


def _is_back_edge(function: Function, source: int, target: int) -> bool:
    """Whether ``target`` dominates ``source``."""
    block = source
    while function.blocks[block].level > function.blocks[target].level >= 0:
        block = function.blocks[block].idom
    return block == target
