"""Into SSA: promote stack slots to SSA values, `ll construct`.

Source
    Cytron, Ferrante, Rosen, Wegman, Zadeck, "Efficiently Computing Static Single Assignment Form and the Control
    Dependence Graph" (TOPLAS 1991): phis at the iterated dominance frontier of the stores, then one walk over the
    dominator tree that knows the current value of each slot.  Pruned (Choi, Cytron, Ferrante, POPL 1991): only where
    the slot is live.  LLVM's mem2reg does the same, and then simplifies; where every path stores a value that nothing
    simplifies, the phis are equal.

In
    A module that `verify` accepts, with names for everything (`naming`).
Out
    The text without the promoted slots, their loads and stores; and a line about each slot.  A slot that is read
    before it was written reads `undef`, as it did in memory.

O(slots × (blocks + edges)) at worst, as for every phi placement by variables; linear in the text otherwise.
"""

from __future__ import annotations

from ssa2llvm.cfg.frontiers import iterated_frontier
from ssa2llvm.cfg.liveness import liveness
from ssa2llvm.llir.edit import TextEdits
from ssa2llvm.llir.graph import FunctionGraph, graph_of
from ssa2llvm.llir.lexer import TokenKind
from ssa2llvm.llir.module import FunctionText, Instruction, ModuleText
from ssa2llvm.llir.naming import fresh_name, names_in
from ssa2llvm.llir.slots import Slot, find_slots, store_operands


def construct(module: ModuleText) -> tuple[str, list[str]]:
    """Promote what can be promoted.  Returns the new text and one line for each slot of each function."""
    edits = TextEdits(module.text)
    report: list[str] = []
    for function in module.functions:
        graph = graph_of(function)
        slots = find_slots(function)
        _Promotion(function, graph, [slot for slot in slots if not slot.reason], edits).run()
        for slot in slots:
            fate = f"left in memory: {slot.reason}" if slot.reason else _describe_phis(function, slot)
            report.append(f"{function.name}: {slot.name} {fate}")
    return edits.apply(), report


def _describe_phis(function: FunctionText, slot: Slot) -> str:
    if not slot.phi_names:
        return "promoted, no phis"
    blocks = ", ".join(function.blocks[block].name for block in sorted(slot.phi_names))
    return f"promoted, {len(slot.phi_names)} phi{'s' if len(slot.phi_names) > 1 else ''} in {blocks}"


_UNDEFINED = "undef"


class _Promotion:
    """Promotes the slots of one function.  Slots are named by their index in `slots`."""

    def __init__(self, function: FunctionText, graph: FunctionGraph, slots: list[Slot], edits: TextEdits) -> None:
        self.function = function
        self.graph = graph
        self.slots = slots
        self.edits = edits
        self.number = {slot.name: index for index, slot in enumerate(slots)}
        self.replacement: dict[str, str] = {}  # result of a removed load → the value it was
        self.phis: list[dict[int, dict[int, str]]] = [{} for _ in function.blocks]  # block → slot → pred → value

    def run(self) -> None:
        """Place phis, rename, rewrite the text."""
        if not self.slots:
            return
        self._place_phis()
        self._rename()
        self._forget_unreachable()
        self._rewrite()

    # --- phis ---

    def _slot_access(self, instruction: Instruction) -> int:
        """The slot that a load or store accesses, -1 if it is none of ours."""
        if instruction.opcode == "load" and instruction.uses:
            return self.number.get(instruction.uses[-1].text, -1)
        if instruction.opcode == "store" and instruction.uses:
            return self.number.get(store_operands(instruction)[2].text, -1)
        return -1

    def _place_phis(self) -> None:
        """A phi for each slot at the iterated frontier of the blocks that store to it, where it is live."""
        count = len(self.function.blocks)
        reads, writes = [0] * count, [0] * count
        stored_in: list[list[int]] = [[0] for _ in self.slots]  # the entry defines all of them, as undef
        for number, block in enumerate(self.function.blocks):
            for instruction in block.instructions:
                slot = self._slot_access(instruction)
                if slot < 0:
                    continue
                bit = 1 << slot
                if instruction.opcode == "store":
                    if not writes[number] & bit:
                        stored_in[slot].append(number)
                    writes[number] |= bit
                elif not writes[number] & bit:
                    reads[number] |= bit
        graph = self.graph
        reachable = [graph.reachable(block) for block in range(count)]
        live_in, _ = liveness(graph.succs, graph.preds, reads, writes, reachable)
        taken = names_in(self.function)
        for index, promoted in enumerate(self.slots):
            for join in iterated_frontier(graph.succs, graph.tree, stored_in[index]):
                if live_in[join] >> index & 1:
                    promoted.phi_names[join] = fresh_name(promoted.name, f".{len(promoted.phi_names)}", taken)
                    self.phis[join][index] = {}

    # --- renaming ---

    def _rename(self) -> None:
        """Walk the dominator tree with the current value of each slot; undo on the way back."""
        current = [_UNDEFINED] * len(self.slots)
        undo: list[tuple[int, str]] = []
        # (block, -1): enter; (-1, mark): leave, restoring what was saved since.
        work = [(0, -1)]
        while work:
            block, mark = work.pop()
            if block < 0:
                while len(undo) > mark:
                    slot, value = undo.pop()
                    current[slot] = value
                continue
            work.append((-1, len(undo)))
            for slot in self.phis[block]:
                undo.append((slot, current[slot]))
                current[slot] = self.slots[slot].phi_names[block]
            for instruction in self.function.blocks[block].instructions:
                slot = self._slot_access(instruction)
                if slot >= 0 and instruction.opcode == "store":
                    value = store_operands(instruction)[1]
                    undo.append((slot, current[slot]))
                    current[slot] = self.replacement.get(value, value)
                elif slot >= 0:
                    assert instruction.result is not None
                    self.replacement[instruction.result] = current[slot]
            for succ in self.graph.succs[block]:
                for slot, inputs in self.phis[succ].items():
                    inputs[block] = current[slot]
            work += [(child, -1) for child in reversed(self.graph.tree.children[block])]

    def _forget_unreachable(self) -> None:
        """Loads that are never executed give nothing; edges that are never taken bring nothing."""
        for number, block in enumerate(self.function.blocks):
            if not self.graph.reachable(number):
                for instruction in block.instructions:
                    if instruction.opcode == "load" and self._slot_access(instruction) >= 0:
                        assert instruction.result is not None
                        self.replacement[instruction.result] = _UNDEFINED

    # --- text ---

    def _rewrite(self) -> None:
        for slot in self.slots:
            self.edits.delete_lines(slot.alloca.start, slot.alloca.end)
            for access in slot.accesses:
                self.edits.delete_lines(access.start, access.end)
        for number, block in enumerate(self.function.blocks):
            lines = "".join(self._phi_line(number, slot) for slot in self.phis[number])
            if lines:
                self.edits.insert_line(block.instructions[0].start, lines)
            for instruction in block.instructions:
                for token in instruction.tokens[1 if instruction.result else 0 :]:
                    if token.kind is TokenKind.LOCAL and token.text in self.replacement:
                        self.edits.replace(token.start, token.end, self.replacement[token.text])

    def _phi_line(self, block: int, slot: int) -> str:
        inputs = self.phis[block][slot]
        pairs = ", ".join(
            f"[ {inputs.get(pred, _UNDEFINED)}, {self.function.blocks[pred].name} ]"
            for pred in self.graph.preds[block]
            for succ in self.graph.succs[pred]
            if succ == block
        )
        promoted = self.slots[slot]
        return f"  {promoted.phi_names[block]} = phi {promoted.alloca.type} {pairs}\n"
