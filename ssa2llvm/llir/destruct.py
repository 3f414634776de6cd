"""Out of SSA: phis become copies between stack slots, `ll destruct`.

The same algorithms that take PHP's functions out of SSA (`ssa2llvm.destruct`) work here on LLVM IR.  A location that a
phi has to do with becomes an `alloca`; its values are stored when they are computed and loaded where they are used,
copies are a load and a store, on edges that are split where they must be.  All other values stay what they were.
What comes out is valid LLVM IR without phis, which `ll construct` (or LLVM's mem2reg) turns back.

In: a module that `verify` accepts, with names for everything (`naming`).  Out: the text without phis, and a line about
each function that had some.  Unreachable blocks are removed: what they read may be gone.  A function whose copies
would have no place (`body.obstacle`) stays as it is, and the line says so.

Near-linear in the size of the text.
"""

from __future__ import annotations

from ssa2llvm.destruct.body import Step
from ssa2llvm.destruct.out_of_ssa import Move, OutOfSsa, Statistics, leave_ssa
from ssa2llvm.destruct.parallel_copy import Constant
from ssa2llvm.llir.body import NamedBody, body_of, obstacle
from ssa2llvm.llir.edit import TextEdits, without_predecessor_comments
from ssa2llvm.llir.graph import FunctionGraph, graph_of
from ssa2llvm.llir.module import BasicBlock, FunctionText, Instruction, ModuleText
from ssa2llvm.llir.naming import fresh_name, names_in


def destruct(module: ModuleText, coalesce: bool = True) -> tuple[str, list[str]]:
    """Remove all phis.  Returns the new text and one line for each function that had phis.  With `coalesce=False`
    every phi input and result gets a copy (the naive translation)."""
    edits = TextEdits(module.text)
    report: list[str] = []
    for function in module.functions:
        if not any(one.opcode == "phi" for block in function.blocks for one in block.instructions):
            continue
        reason = obstacle(function)
        if reason:
            report.append(f"{function.name}: left in SSA form: {reason}")
            continue
        graph = graph_of(function)
        named = body_of(function, graph)
        result = leave_ssa(named.body, coalesce=coalesce)
        _Rewriter(function, graph, named, result, edits).run()
        report.append(f"{function.name}: {describe(result.statistics)}")
    return without_predecessor_comments(edits.apply()), report


def describe(statistics: Statistics) -> str:
    """One line: what there was, what it takes."""
    return ", ".join(
        [
            _count(statistics.phis, "phi"),
            _count(statistics.copies_before, "naive copy", "naive copies"),
            f"{statistics.copies_after} left",
            _count(statistics.temporaries, "temporary", "temporaries"),
            f"{_count(statistics.edges_split, 'edge')} split",
        ]
    )


def _count(number: int, one: str, many: str = "") -> str:
    return f"{number} {one if number == 1 else many or one + 's'}"


class _Rewriter:
    """Rewrites one function.  Lines that belong before the next instruction wait in `pending`."""

    def __init__(
        self, function: FunctionText, graph: FunctionGraph, named: NamedBody, result: OutOfSsa, edits: TextEdits
    ) -> None:
        self.function = function
        self.graph = graph
        self.named = named
        self.result = result
        self.edits = edits
        self.taken = names_in(function)
        self.pending: list[str] = []
        self.loads: dict[int, int] = {}  # how many loads of a value there are, for their names
        self.block_names = [block.name for block in function.blocks]
        for block in result.body.blocks[len(function.blocks) :]:
            source, target = self.block_names[block.preds[0]], self.block_names[block.succs[0]]
            plain = target[1:].strip('"') if '"' in source else target[1:].replace('"', "")
            self.block_names.append(fresh_name(source, f".{plain}", self.taken))
        self.phi_results = {
            one.result for block in function.blocks for one in block.instructions if one.opcode == "phi"
        }
        self.slot_of = self._choose_slots()

    def _choose_slots(self) -> list[str]:
        """For each location the name of its stack slot, "" for those that need none: one value, written by no move."""
        location_of = self.result.location_of
        members: list[list[int]] = [[] for _ in self.result.location_kinds]
        for value, location in enumerate(location_of):
            if location >= 0:
                members[location].append(value)
        moved_to = {
            location_of[step.copy.dst]
            for block in self.result.body.blocks
            for step in block.steps
            if isinstance(step, Move)
        }
        slots: list[str] = []
        for location, values in enumerate(members):
            needed = len(values) > 1 or location in moved_to
            names = [self.named.names[self.result.body.origin[value]] for value in values]
            name = next((name for name in names if name in self.phi_results), names[0])
            slots.append(fresh_name(name, ".slot", self.taken) if needed else "")
        return slots

    def run(self) -> None:
        """Rewrite all blocks."""
        for location, slot in enumerate(self.slot_of):
            if slot:
                self.pending.append(f"{slot} = alloca {self.result.location_kinds[location]}")
        for index, block in enumerate(self.function.blocks):
            if self.graph.reachable(index):
                self._rewrite_block(index, block)
            else:
                self.edits.delete_lines(block.start, block.instructions[-1].end)
        for index in range(len(self.function.blocks), len(self.block_names)):
            self._add_block(index)

    def _rewrite_block(self, index: int, block: BasicBlock) -> None:
        content = self.result.body.blocks[index]
        for instruction in block.instructions:
            about_phi = instruction.is_debug_record and any(use.text in self.phi_results for use in instruction.uses)
            if instruction.opcode == "phi" or about_phi:
                self.edits.delete_lines(instruction.start, instruction.end)
        for value in content.arrivals:
            self._store(value)
        for step in content.steps:
            if isinstance(step, Move):
                self._move(step)
            else:
                assert isinstance(step, Step)
                self._rewrite_instruction(step)
        if content.terminator is not None:
            self._rewrite_instruction(content.terminator)
            self._redirect(index, content.terminator)

    def _rewrite_instruction(self, step: Step) -> None:
        instruction = step.tag
        assert isinstance(instruction, Instruction)
        now: dict[str, str] = {}
        for value in dict.fromkeys(step.uses):
            if self._slot(value):
                now[self.named.names[value]] = self._load(value)
        if self.pending:
            self.edits.insert_line(instruction.start, "".join(f"  {line}\n" for line in self.pending))
            self.pending = []
        for token in instruction.uses:
            if token.text in now:
                self.edits.replace(token.start, token.end, now[token.text])
        for value in step.defs:
            self._store(value)

    def _redirect(self, index: int, terminator: Step) -> None:
        """Lead the terminator's labels to the blocks that now stand on its edges."""
        instruction = terminator.tag
        assert isinstance(instruction, Instruction)
        blocks = self.result.body.blocks
        detour = {blocks[succ].succs[0]: succ for succ in blocks[index].succs if succ >= len(self.function.blocks)}
        for label in instruction.labels:
            target = self.graph.index[label.text]
            if target in detour:
                self.edits.replace(label.start, label.end, self.block_names[detour[target]])

    def _add_block(self, index: int) -> None:
        """Write a block that splits an edge, at the end of the function."""
        content = self.result.body.blocks[index]
        for value in content.arrivals:
            self._store(value)
        for step in content.steps:
            assert isinstance(step, Move)
            self._move(step)
        lines = [f"\n{self.block_names[index][1:]}:\n"]
        lines += [f"  {line}\n" for line in [*self.pending, f"br label {self.block_names[content.succs[0]]}"]]
        self.pending = []
        self.edits.insert_line(self.function.end, "".join(lines))

    # --- single lines ---

    def _slot(self, value: int) -> str:
        return self.slot_of[self.result.location_of[value]]

    def _type(self, value: int) -> object:
        return self.result.location_kinds[self.result.location_of[value]]

    def _load(self, value: int) -> str:
        """Load `value` from its slot before the next instruction; return the name it has there."""
        origin = self.result.body.origin[value]
        self.loads[origin] = self.loads.get(origin, 0) + 1
        name = fresh_name(self.named.names[origin], f".{self.loads[origin]}", self.taken)
        self.pending.append(f"{name} = load {self._type(value)}, ptr {self._slot(value)}")
        return name

    def _store(self, value: int) -> None:
        """Store `value`, just computed, into its slot if it has one."""
        if self._slot(value):
            self.pending.append(f"store {self._type(value)} {self.named.names[value]}, ptr {self._slot(value)}")

    def _move(self, move: Move) -> None:
        source = move.copy.src
        if isinstance(source, Constant):
            text = str(source.value)
        elif self._slot(source):
            text = self._load(source)
        else:
            text = self.named.names[source]
        self.pending.append(f"store {self._type(move.copy.dst)} {text}, ptr {self._slot(move.copy.dst)}")
