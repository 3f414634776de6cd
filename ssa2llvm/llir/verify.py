"""Is this LLVM IR in SSA form, and if not, why not: every violation with its place and its reason.

LLVM's verifier answers for the whole language, but stops at the first error of syntax, says "Instruction does not
dominate all uses!" and leaves the rest to the reader.  Here the rules of SSA and of control flow are checked on the
text (Cytron et al., TOPLAS 1991, section 2, and the LLVM Language Reference), each with a sentence that names the
blocks involved; LLVM is asked afterwards for all the rest.

Rules
    * every name is defined once; every name read is defined;
    * a block ends with a terminator, at its first; branches lead to blocks that exist, never to the entry;
    * phis stand before everything else; a phi has an input for each predecessor and for nothing else, and several
      edges from one block bring the same value;
    * a definition dominates each use; what a phi reads counts at the end of the predecessor.  The result of an invoke
      exists on the edge to its normal destination only.

Blocks that control cannot reach are allowed, with a note, as in LLVM; nothing in them is checked for dominance.

Linear in the size of the text, but for the dominator tree (`cfg.dominators`).
"""

from __future__ import annotations

from dataclasses import dataclass, field

from ssa2llvm.ir.diagnostics import CompileError
from ssa2llvm.llir.graph import FunctionGraph, graph_of
from ssa2llvm.llir.lexer import Token
from ssa2llvm.llir.module import FunctionText, Instruction, ModuleText


@dataclass(slots=True)
class Report:
    """What was found.  `notes` are things that are strange but allowed."""

    errors: list[CompileError] = field(default_factory=list)
    notes: list[CompileError] = field(default_factory=list)


def verify_module(module: ModuleText) -> Report:
    """Check every function of `module`.  Errors and notes are in the order of the text."""
    report = Report()
    for function in module.functions:
        _Verifier(module, function, report).run()
    report.errors.sort(key=lambda error: (error.line, error.column))
    return report


@dataclass(slots=True)
class _Definition:
    """Where a name is defined: position -1 of block 0 for parameters."""

    block: int
    position: int
    token: Token | None
    instruction: Instruction | None = None


class _Verifier:
    """Checks one function."""

    def __init__(self, module: ModuleText, function: FunctionText, report: Report) -> None:
        self.module = module
        self.function = function
        self.report = report
        self.definitions: dict[str, _Definition] = {}

    def run(self) -> None:
        """All checks; those that need a graph only if there is one."""
        if not self.function.blocks:
            self._error(self.function.first, f"{self.function.name} has no blocks; a body needs at least one")
            return
        self._collect_names()
        self._check_blocks()
        graph = graph_of(self.function)
        self._check_edges(graph)
        for number, block in enumerate(self.function.blocks):
            for position, instruction in enumerate(block.instructions):
                if instruction.opcode == "phi":
                    self._check_phi(graph, number, instruction)
                elif not instruction.is_debug_record:
                    for use in instruction.uses:
                        self._check_use(graph, number, position, use)

    # --- names and blocks ---

    def _collect_names(self) -> None:
        for parameter in self.function.parameters:
            self._define(parameter.name, _Definition(0, -1, parameter.token))
        labels: dict[str, Token | None] = {}
        for number, block in enumerate(self.function.blocks):
            if block.name in labels and block.label is not None:
                where = self._where(labels[block.name])
                self._error(block.label, f"block {block.name} is defined a second time{where}")
            labels.setdefault(block.name, block.label)
            for position, instruction in enumerate(block.instructions):
                if instruction.result is not None:
                    self._define(instruction.result, _Definition(number, position, instruction.first, instruction))

    def _define(self, name: str, definition: _Definition) -> None:
        earlier = self.definitions.setdefault(name, definition)
        if earlier is not definition and definition.token is not None:
            self._error(definition.token, f"{name} is defined a second time{self._where(earlier.token)}")

    def _where(self, token: Token | None) -> str:
        return f"; it was defined in line {token.line}" if token is not None else ""

    def _check_blocks(self) -> None:
        for block in self.function.blocks:
            code = [instruction for instruction in block.instructions if not instruction.is_debug_record]
            if not code or not code[-1].is_terminator:
                place = block.instructions[-1].first if block.instructions else block.label
                assert place is not None
                self._error(place, f"block {block.name} ends without a terminator")
            before_phis: Instruction | None = None
            for instruction in code:
                if instruction.opcode != "phi":
                    before_phis = before_phis or instruction
                elif before_phis is not None:
                    what = before_phis.result or f"'{before_phis.opcode}'"
                    self._error(instruction.first, f"phi {instruction.result} stands after {what}, which is no phi")

    def _check_edges(self, graph: FunctionGraph) -> None:
        entry = self.function.blocks[0].name
        for number, block in enumerate(self.function.blocks):
            for instruction in block.instructions:
                for label in instruction.labels if instruction.is_terminator else []:
                    if label.text not in graph.index:
                        self._error(label, f"branch to {label.text}, which is no block of {self.function.name}")
                    elif graph.index[label.text] == 0:
                        self._error(label, f"branch to the entry block {entry}")
            if not graph.reachable(number):
                place = block.label or (block.instructions[0].first if block.instructions else self.function.first)
                self._note(place, f"block {block.name} cannot be reached")

    # --- phis and uses ---

    def _check_phi(self, graph: FunctionGraph, number: int, phi: Instruction) -> None:
        block = self.function.blocks[number].name
        seen: dict[str, str] = {}
        preds = [self.function.blocks[pred].name for pred in graph.preds[number]]
        is_pred = set(preds)
        for incoming in phi.incoming:
            source = incoming.block.text
            if source not in graph.index:
                self._error(incoming.block, f"phi {phi.result} has an input for {source}, which is no block")
            elif source not in is_pred:
                self._error(
                    incoming.block, f"phi {phi.result} in {block} has an input for {source}, which is not a predecessor"
                )
            elif seen.setdefault(source, incoming.value) != incoming.value:
                inputs = f"different inputs, {seen[source]} and {incoming.value}, for the edges from {source}"
                self._error(incoming.block, f"phi {phi.result} has {inputs}")
            elif incoming.name is not None:
                self._check_phi_use(graph, phi, incoming.name, source, number)
        for pred in preds:
            if pred not in seen:
                self._error(phi.first, f"phi {phi.result} in {block} has no input for predecessor {pred}")

    def _check_phi_use(self, graph: FunctionGraph, phi: Instruction, use: Token, source: str, number: int) -> None:
        definition = self._definition(use)
        at = graph.index[source]
        if definition is None or not graph.reachable(at):
            return
        by = definition.instruction
        if by is not None and by.opcode == "invoke" and definition.block == at:
            if by.labels[0].text != self.function.blocks[number].name:
                self._error(use, f"phi {phi.result} reads {use.text} on an edge on which its invoke has not returned")
        elif not graph.tree.dominates(definition.block, at):
            self._error(
                use,
                f"phi {phi.result} reads {use.text} on the edge from {source}, but {use.text} is defined in "
                f"{self.function.blocks[definition.block].name}, which does not dominate {source}",
            )

    def _check_use(self, graph: FunctionGraph, number: int, position: int, use: Token) -> None:
        definition = self._definition(use)
        if definition is None or not graph.reachable(number):
            return
        if definition.block == number and definition.position >= position:
            assert definition.token is not None
            if definition.position == position:
                self._error(use, f"{use.text} is used in its own definition; only a phi can be")
            else:
                self._error(use, f"{use.text} is used before line {definition.token.line} defines it")
        elif not self._dominates(graph, definition, number):
            here = self.function.blocks[number].name
            there = self.function.blocks[definition.block].name
            self._error(use, f"{use.text} is used in {here}, but defined in {there}, which does not dominate {here}")

    def _dominates(self, graph: FunctionGraph, definition: _Definition, block: int) -> bool:
        """Whether `definition` is made on every path to `block`."""
        by = definition.instruction
        if by is None or by.opcode != "invoke" or not by.labels or by.labels[0].text not in graph.index:
            return graph.tree.dominates(definition.block, block)
        # The edge to the normal destination is passed if that block dominates and no other way leads into it.
        normal = graph.index[by.labels[0].text]
        others = [pred for pred in graph.preds[normal] if pred != definition.block]
        return graph.tree.dominates(normal, block) and all(graph.tree.dominates(normal, pred) for pred in others)

    def _definition(self, use: Token) -> _Definition | None:
        definition = self.definitions.get(use.text)
        if definition is None:
            self._error(use, f"{use.text} is used, but nothing in {self.function.name} defines it")
        return definition

    # --- messages ---

    def _error(self, token: Token, message: str) -> None:
        self.report.errors.append(self.module.error(token, message))

    def _note(self, token: Token, message: str) -> None:
        self.report.notes.append(self.module.error(token, message, "note"))
