"""What a valid function in SSA form is. Each invariant has a number, and a test that breaks just it.

Graph
  1  ``blocks[i].id`` is i; block 0 is the entry, is reachable and has no predecessors.
  2  Successors are blocks; unreachable blocks have no successors, predecessors or phis.
  3  ``preds`` names each reachable block that has this one among its successors, each once, and nothing else.
  4  REACHABLE is set exactly on what the entry reaches (may be late while ``stale``).
  5  A block ends as its last instruction says: as many successors as that has ways to go on. No instruction before
  the
     last transfers control (a throw used as an expression does not count).
  6  A block with THROW_EDGE leads to [next, handler], does not end in a branch, and is the only predecessor of
     ``next``, which starts with an instruction.
  7  Unless ``stale``: idom, level, children, loop headers and loop flags are those of the graph.
Names
  8  Every name that an instruction or phi mentions exists; instructions of unreachable blocks mention none.
  9  A variable operand has a name, read or defined, of its slot; another operand has none.
 10  A name has one definition, and ``definition`` or ``definition_phi`` points to it. The first names are the CVs at
     entry, in order, and have none.
 11  A phi has one source for each predecessor; a pi has one source and stands on an edge of its block; both know
     their block; pis stand before phis.
 12  A definition dominates its uses: an instruction's, in the block before it; a phi's or pi's, the end of the
     predecessor it comes from; a pi's bounds likewise. A phi may also take a pi of its own block from that pi's edge,
     as pis happen on the edge, before phis.
Chains
 13  ``uses`` of a name holds each instruction that reads it once, and nothing else.
 14  ``phi_uses`` holds each phi and pi with the name among its sources once, and nothing else.
 15  ``sym_uses`` holds each pi whose range is relative to the name once, and nothing else.
Pairs and marks
 16  OP_DATA follows an instruction that takes one in the same block, and those are followed by one.
 17  All names of a slot have the same ``alias``.

``verify`` reports every violation with function, block, instruction and variable; ``assert_valid`` raises if there is
any. Time is near-linear in the size of the function. (zend_ssa's ssa_integrity.c checks 3, 8 to 11, 13, 14; it does
not know dominance.)
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from ssa2llvm.cfg.dominators import DominatorTree, dominator_tree
from ssa2llvm.cfg.graph import predecessors, reachable
from ssa2llvm.cfg.loops import identify_loops
from ssa2llvm.ir.function import Alias, Block, BlockFlags, Function, Instr, Phi
from ssa2llvm.ir.literals import JumpTable
from ssa2llvm.ir.opcode import Opcode
from ssa2llvm.ir.operands import LAST_CATCH, THROW_IS_EXPR, Operand
from ssa2llvm.ir.optable import OPCODES, Flow
from ssa2llvm.ssa.access import DATA_OWNERS
from ssa2llvm.ssa.chains import bounding_name

_FLOW: dict[int, Flow] = {info.opcode: info.flow for info in OPCODES}


@dataclass(frozen=True, slots=True)
class Violation:
    """A broken invariant and where (-1 and "" where there is no block, instruction, variable)."""

    invariant: int
    function: str
    what: str
    block: int = -1
    instruction: int = -1
    opcode: str = ""
    variable: str = ""

    def __str__(self) -> str:
        place = f"function {self.function}"
        if self.block >= 0:
            place += f", block {self.block}"
        if self.opcode:
            place += f", instruction {self.instruction} ({self.opcode})"
        if self.variable:
            place += f", variable {self.variable}"
        return f"{place}: {self.what} [invariant {self.invariant}]"


class InvalidFunctionError(Exception):
    """A function that breaks invariants; a bug of the stage before."""

    def __init__(self, violations: list[Violation]) -> None:
        super().__init__("\n".join(map(str, violations)))
        self.violations = violations


def verify(function: Function) -> list[Violation]:
    """Return every invariant that ``function`` breaks. If the graph itself is broken, names are not looked at."""
    verifier = _Verifier(function)
    verifier.check_graph()
    if not verifier.violations:
        verifier.check_derived()
        verifier.check_names()
    return verifier.violations


def assert_valid(function: Function) -> None:
    """Raise InvalidFunctionError if ``function`` breaks an invariant."""
    violations = verify(function)
    if violations:
        raise InvalidFunctionError(violations)


def successor_count(function: Function, block: Block) -> int:
    """How many successors the end of ``block`` asks for; -1 if any number is right (the returns of a finally)."""
    if BlockFlags.THROW_EDGE in block.flags:
        return 2
    if not block.instrs:
        return 1
    last = block.instrs[-1]
    flow = _FLOW[last.opcode]
    if flow is Flow.THROW and last.extended_value == THROW_IS_EXPR:
        return min(len(block.succs), 1)  # what took its value may be gone, and the edge behind it still stand
    if flow is Flow.RETURN or flow is Flow.THROW:
        return 0
    if flow is Flow.BRANCH or flow is Flow.BRANCH_EXT or (flow is Flow.CATCH and not last.extended_value & LAST_CATCH):
        return 2
    if flow is Flow.SWITCH or flow is Flow.MATCH:
        table = function.op_array.literal(last.op2)
        entries = len(table.entries) if isinstance(table, JumpTable) else 0
        return entries + (2 if flow is Flow.SWITCH else 1)
    return -1 if flow is Flow.FAST_RET else 1


def transfers_control(instr: Instr) -> bool:
    """Whether ``instr`` can only stand at the end of a block."""
    flow = _FLOW[instr.opcode]
    return flow is not Flow.NEXT and not (flow is Flow.THROW and instr.extended_value == THROW_IS_EXPR)


class _Verifier:
    def __init__(self, function: Function) -> None:
        self.function = function
        self.violations: list[Violation] = []
        self.tree: DominatorTree | None = None
        # Where each name is defined: block, and position in it (-1: a phi or pi).
        self.defined_at: dict[int, tuple[int, int]] = {}

    def report(
        self, invariant: int, what: str, block: int = -1, instr: Instr | None = None, name: int | None = None
    ) -> None:
        variable = ""
        if name is not None:
            known = 0 <= name < len(self.function.ssa_vars)
            variable = self.function.name_text(name) if known else f"#{name}"
        self.violations.append(
            Violation(
                invariant,
                self.function.op_array.name,
                what,
                block,
                instr.number if instr is not None else -1,
                instr.opcode.name if instr is not None else "",
                variable,
            )
        )

    # Graph

    def check_graph(self) -> None:
        blocks = self.function.blocks
        for position, block in enumerate(blocks):
            if block.id != position:
                self.report(1, f"stands at position {position}", block.id)
        if not blocks or not blocks[0].reachable or blocks[0].preds:
            self.report(1, "the entry is unreachable or has predecessors", 0)
        for block in blocks:
            wrong = [succ for succ in block.succs if not 0 <= succ < len(blocks)]
            if wrong:
                self.report(2, f"has successors {wrong}, which are no blocks", block.id)
            if not block.reachable and (block.succs or block.preds or block.phis):
                self.report(2, "is unreachable but has successors, predecessors or phis", block.id)
        if self.violations:
            return
        expected = predecessors([block.succs for block in blocks])
        for block, preds in zip(blocks, expected, strict=True):
            if sorted(block.preds) != preds:
                self.report(3, f"has predecessors {block.preds}, but the edges say {preds}", block.id)
        for block, is_reached in zip(blocks, reachable([block.succs for block in blocks]), strict=True):
            if is_reached and not block.reachable:
                self.report(4, "is reached but not marked", block.id)
            elif block.reachable and not is_reached and not self.function.stale:
                self.report(4, "is marked reachable but nothing leads to it", block.id)
        for block in blocks:
            self.check_end(block)

    def check_end(self, block: Block) -> None:
        for instr in block.instrs[:-1]:
            if transfers_control(instr):
                self.report(5, "transfers control but is not the last instruction of its block", block.id, instr)
        if not block.reachable:
            return
        if BlockFlags.THROW_EDGE in block.flags:
            target = self.function.blocks[block.succs[0]] if block.succs else block
            if len(block.succs) != 2 or (block.instrs and transfers_control(block.instrs[-1])):
                self.report(6, "has a THROW_EDGE but not the two successors next and handler", block.id)
            elif target.preds != [block.id] or not target.instrs:
                self.report(6, f"has a THROW_EDGE for block {target.id}, which has other predecessors or is empty",
                            block.id)  # fmt: skip
            return
        wanted = successor_count(self.function, block)
        if wanted not in (-1, len(block.succs)):
            last = block.instrs[-1] if block.instrs else None
            self.report(5, f"has {len(block.succs)} successors, its end asks for {wanted}", block.id, last)

    def check_derived(self) -> None:
        function = self.function
        succs = [block.succs for block in function.blocks]
        preds = [block.preds for block in function.blocks]
        self.tree = tree = dominator_tree(succs, preds)
        if function.stale:
            return
        loops = identify_loops(succs, preds, tree)
        for block in function.blocks:
            number = block.id
            for what, stored, right in (
                ("idom", block.idom, tree.idom[number]),
                ("level", block.level, tree.level[number]),
                ("children", block.children, tree.children[number]),
                ("loop header", block.loop_header, loops.header[number]),
                ("loop header flag", BlockFlags.LOOP_HEADER in block.flags, loops.is_header[number]),
                ("irreducible flag", BlockFlags.IRREDUCIBLE_LOOP in block.flags, loops.is_irreducible[number]),
            ):
                if stored != right:
                    self.report(7, f"has {what} {stored}, the graph says {right}", number)

    # Names

    def check_names(self) -> None:
        assert self.tree is not None
        live_blocks = [block for block in self.function.blocks if self.tree.level[block.id] >= 0]
        for block in self.function.blocks:
            self.check_pairs(block)
            for instr in block.instrs:
                self.check_mentions(block, instr)
        for block in live_blocks:
            self.check_phi_shapes(block)
        if self.violations:
            return
        for block in live_blocks:
            for phi in block.phis:
                self.define(phi.result, block.id, -1, None, phi)
            for position, instr in enumerate(block.instrs):
                for name in instr.defs():
                    self.define(name, block.id, position, instr, None)
        self.check_definitions()
        for block in live_blocks:
            self.check_dominance(block)
        self.check_chains(live_blocks)
        self.check_aliases()

    def check_pairs(self, block: Block) -> None:
        takes_data = False
        for instr in block.instrs:
            is_data = instr.opcode == Opcode.OP_DATA
            if is_data != takes_data:
                self.report(16, "OP_DATA without owner" if is_data else "stands where OP_DATA is due", block.id, instr)
            takes_data = instr.opcode in DATA_OWNERS
        if takes_data:
            self.report(16, "has no OP_DATA behind it", block.id, block.instrs[-1])

    def check_mentions(self, block: Block, instr: Instr) -> None:
        names = [*instr.uses(), *instr.defs()]
        for name in names:
            if name >= len(self.function.ssa_vars):
                self.report(8, "mentions a name that does not exist", block.id, instr, name)
                return
        if not block.reachable:
            if names:
                self.report(8, "is unreachable but mentions a name", block.id, instr, names[0])
            return
        if self.tree is None or self.tree.level[block.id] < 0:
            return
        for which, operand, use, definition in (
            ("op1", instr.op1, instr.op1_use, instr.op1_def),
            ("op2", instr.op2, instr.op2_use, instr.op2_def),
            ("result", instr.result, instr.result_use, instr.result_def),
        ):
            self.check_operand(block, instr, which, operand, use, definition)

    def check_operand(
        self, block: Block, instr: Instr, which: str, operand: Operand, use: int, definition: int
    ) -> None:
        if not operand.is_var:
            if use >= 0 or definition >= 0:
                self.report(9, f"{which} is no variable but has a name", block.id, instr, max(use, definition))
            return
        if use < 0 and definition < 0:
            self.report(9, f"{which} ({self.function.slot_name(operand.num)}) has no name", block.id, instr)
        for name in (use, definition):
            if name >= 0 and self.function.ssa_vars[name].slot != operand.num:
                what = f"{which} is {self.function.slot_name(operand.num)} but has a name of another variable"
                self.report(9, what, block.id, instr, name)

    def check_phi_shapes(self, block: Block) -> None:
        names = range(len(self.function.ssa_vars))
        seen_phi = False
        for phi in block.phis:
            if phi.result not in names or any(source not in names for source in phi.sources):
                self.report(8, "a phi mentions a name that does not exist", block.id, name=phi.result)
                continue
            what = ""
            if phi.block != block.id:
                what = f"a phi claims to be in block {phi.block}"
            elif not phi.is_pi and len(phi.sources) != len(block.preds):
                what = f"a phi has {len(phi.sources)} sources for {len(block.preds)} predecessors"
            elif phi.is_pi and (len(phi.sources) != 1 or phi.pi not in block.preds):
                what = (
                    f"a pi for the edge from block {phi.pi} has sources {phi.sources}, predecessors are {block.preds}"
                )
            elif phi.is_pi and seen_phi:
                what = "a pi stands behind a phi"
            if what:
                self.report(11, what, block.id, name=phi.result)
            seen_phi |= not phi.is_pi

    def define(self, name: int, block: int, position: int, instr: Instr | None, phi: Phi | None) -> None:
        ssa_var = self.function.ssa_vars[name]
        if name in self.defined_at:
            self.report(10, "has a second definition", block, instr, name)
        if name < len(self.function.op_array.cvs):
            self.report(10, "is the variable at entry but is defined here", block, instr, name)
        if ssa_var.definition is not instr or ssa_var.definition_phi is not phi:
            self.report(10, "is defined here, but its definition points elsewhere", block, instr, name)
        self.defined_at[name] = (block, position)

    def check_definitions(self) -> None:
        cvs = len(self.function.op_array.cvs)
        for name, ssa_var in enumerate(self.function.ssa_vars):
            if name < cvs and ssa_var.slot != name:
                self.report(10, f"is the entry name of variable {name} but has slot {ssa_var.slot}", name=name)
            if name not in self.defined_at and (ssa_var.definition or ssa_var.definition_phi):
                self.report(10, "points to a definition that does not define it", name=name)

    def is_available(self, name: int, block: int, position: int) -> bool:
        """Whether the definition of ``name`` comes before ``position`` of ``block`` on every path."""
        assert self.tree is not None
        if name not in self.defined_at:
            return name < len(self.function.op_array.cvs)
        where, at = self.defined_at[name]
        return at < position if where == block else self.tree.dominates(where, block)

    def check_dominance(self, block: Block) -> None:
        for position, instr in enumerate(block.instrs):
            for name in instr.uses():
                if not self.is_available(name, block.id, position):
                    self.report(12, "is read where its definition has not come for sure", block.id, instr, name)
        for phi in block.phis:
            edges = [phi.pi] if phi.is_pi else block.preds
            for pred, name in zip(edges, phi.sources, strict=True):
                end = len(self.function.blocks[pred].instrs)
                pi = self.function.ssa_vars[name].definition_phi
                comes_with_edge = pi is not None and pi.pi == pred and pi.block == block.id
                if not (comes_with_edge and not phi.is_pi) and not self.is_available(name, pred, end):
                    what = f"is a source of {self.function.name_text(phi.result)} from block {pred}, at whose end it "
                    self.report(12, what + "has not been defined for sure", block.id, name=name)
            bound = bounding_name(phi)
            if bound >= 0 and not self.is_available(bound, phi.pi, len(self.function.blocks[phi.pi].instrs)):
                self.report(12, f"bounds {self.function.name_text(phi.result)} where it has not been defined for sure",
                            block.id, name=bound)  # fmt: skip

    # Chains

    def check_chains(self, live_blocks: list[Block]) -> None:
        count = len(self.function.ssa_vars)
        uses: list[list[int]] = [[] for _ in range(count)]
        phi_uses: list[list[int]] = [[] for _ in range(count)]
        sym_uses: list[list[int]] = [[] for _ in range(count)]
        for block in live_blocks:
            for instr in block.instrs:
                for name in instr.uses():
                    uses[name].append(id(instr))
            for phi in block.phis:
                for name in dict.fromkeys(phi.sources):
                    phi_uses[name].append(id(phi))
                bound = bounding_name(phi)
                if bound >= 0:
                    sym_uses[bound].append(id(phi))
        for name, ssa_var in enumerate(self.function.ssa_vars):
            self.check_chain(13, "uses", name, ssa_var.uses, uses[name])
            self.check_chain(14, "phi_uses", name, ssa_var.phi_uses, phi_uses[name])
            self.check_chain(15, "sym_uses", name, ssa_var.sym_uses, sym_uses[name])

    def check_chain(
        self, invariant: int, which: str, name: int, chain: Iterable[Instr | Phi], expected: list[int]
    ) -> None:
        found = Counter(map(id, chain))
        wanted = Counter(expected)
        if found != wanted:
            what = f"{which} has {found.total()} entries, {(found & wanted).total()} right ones of {wanted.total()}"
            self.report(invariant, what, name=name)

    def check_aliases(self) -> None:
        alias_of: dict[int, Alias] = {}
        for name, ssa_var in enumerate(self.function.ssa_vars):
            if alias_of.setdefault(ssa_var.slot, ssa_var.alias) != ssa_var.alias:
                self.report(17, "differs in alias from other names of its variable", name=name)
