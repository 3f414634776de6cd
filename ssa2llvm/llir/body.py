"""A function of LLVM IR text, seen as a `Body` for out-of-SSA.

Values are the parameters and results, numbered in the order of the text.  A value that meets a phi has the phi's type
for its representation; no other can be in a copy, so the others get one of their own.  `undef` and `poison` inputs
are nothing to copy.  The result of an invoke arrives on the edge to the normal destination.

Unreachable blocks are empty, and phi inputs from them are left out.  Some edges can hold no code: `obstacle` names
the reason for which a function cannot leave SSA here.  Linear in the size of the function.
"""

from __future__ import annotations

from dataclasses import dataclass

from ssa2llvm.destruct.body import Argument, Body, BodyBlock, BodyPhi, Step
from ssa2llvm.destruct.critical_edges import split_edge
from ssa2llvm.destruct.parallel_copy import Constant
from ssa2llvm.llir.graph import FunctionGraph
from ssa2llvm.llir.module import FunctionText, Incoming, Instruction

_PADS = frozenset(["landingpad", "catchswitch", "catchpad", "cleanuppad"])


@dataclass(slots=True)
class NamedBody:
    """A body, and the names of its values.  The tags of its steps and phis are `Instruction`s."""

    body: Body
    names: list[str]
    parameters: list[int]


def obstacle(function: FunctionText) -> str:
    """Why the copies of this function's phis would have no place; "" if they have."""
    has_phis = False
    for block in function.blocks:
        phis = [instruction for instruction in block.instructions if instruction.opcode == "phi"]
        has_phis |= bool(phis)
        first = next((one for one in block.instructions if one.opcode != "phi" and not one.is_debug_record), None)
        if phis and first is not None and first.opcode in _PADS:
            return f"{block.name} has phis and is entered by unwinding, where no copy can be put before it"
    for block in function.blocks:
        last = block.instructions[-1].opcode
        if has_phis and last in ("indirectbr", "callbr"):
            return f"the edges of the {last} that ends {block.name} cannot be split"
    return ""


def body_of(function: FunctionText, graph: FunctionGraph) -> NamedBody:
    """Build the body of a function without `obstacle`, in SSA form and with names for everything."""
    number: dict[str, int] = {}
    names = [parameter.name for parameter in function.parameters]
    for block in function.blocks:
        names += [instruction.result for instruction in block.instructions if instruction.result is not None]
    for name in names:
        number[name] = len(number)
    body = Body([BodyBlock() for _ in function.blocks], list(range(len(names))))
    parameters = [number[parameter.name] for parameter in function.parameters]
    body.blocks[0].arrivals = list(parameters)
    for index, block in enumerate(function.blocks):
        if graph.reachable(index):
            _fill(body, graph, index, block.instructions, number)
    for index, block in enumerate(function.blocks):
        last = block.instructions[-1]
        if last.opcode == "invoke" and last.result is not None and graph.reachable(index):
            normal = graph.index[last.labels[0].text]
            if len(body.blocks[normal].preds) > 1:
                normal = split_edge(body, index, normal)
            body.blocks[normal].arrivals.append(number[last.result])
    return NamedBody(body, names, parameters)


def _fill(
    body: Body, graph: FunctionGraph, index: int, instructions: list[Instruction], number: dict[str, int]
) -> None:
    """Translate one block."""
    content = body.blocks[index]
    content.preds = [pred for pred in graph.preds[index] if graph.reachable(pred)]
    content.succs = list(dict.fromkeys(graph.succs[index]))
    for instruction in instructions:
        if instruction.is_debug_record:
            continue
        if instruction.opcode == "phi":
            content.phis.append(_phi(body, graph, content.preds, instruction, number))
            continue
        defs = [number[instruction.result]] if instruction.result and instruction.opcode != "invoke" else []
        step = Step([number[token.text] for token in instruction.uses], defs, instruction)
        if instruction.is_terminator:
            content.terminator = step
        else:
            content.steps.append(step)


def _phi(body: Body, graph: FunctionGraph, preds: list[int], phi: Instruction, number: dict[str, int]) -> BodyPhi:
    assert phi.result is not None
    of_block = {graph.index[incoming.block.text]: incoming for incoming in phi.incoming}
    args = [_argument(of_block[pred], number) for pred in preds]
    for value in [number[phi.result], *(argument for argument in args if isinstance(argument, int))]:
        body.representation[value] = phi.type
    return BodyPhi(number[phi.result], args, phi)


def _argument(incoming: Incoming, number: dict[str, int]) -> Argument:
    if incoming.name is not None:
        return number[incoming.name.text]
    return None if incoming.value in ("undef", "poison") else Constant(incoming.value)
