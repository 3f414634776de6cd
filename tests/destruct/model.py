"""A tiny language over `Body`: 64-bit integers, observations, switches.  Its interpreter runs a body at every stage of
destruction, so the stages can be compared without PHP and without LLVM.

Step tags:        ("const", k)  ("add",)  ("xor",)  ("mul3",)  ("observe",)  ("inputs",)
Terminator tags:  ("goto",)  ("switch", [targets])  ("switch_def", [targets])  ("fetch", on_target, exit)  ("return",)

A switch takes `targets[use % len]`; `switch_def` also defines a value; `fetch` goes to `on_target`, where a value
arrives, while its use is odd.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field

from ssa2llvm.destruct.body import Body, BodyBlock, BodyPhi, ParallelCopy, Step
from ssa2llvm.destruct.out_of_ssa import Move, OutOfSsa
from ssa2llvm.destruct.parallel_copy import Constant, Copy

MASK = (1 << 64) - 1
FUEL = 40
"""How many blocks of the original program are entered before a run ends."""


def compute(tag: tuple, values: list[int]) -> int:
    match tag[0]:
        case "const":
            return tag[1] & MASK
        case "add":
            return sum(values) & MASK
        case "xor":
            return values[0] ^ values[-1]
        case "mul3":
            return (values[0] * 3 + 1) & MASK
    raise AssertionError(tag)


@dataclass
class Run:
    observed: list[int] = field(default_factory=list)
    moves: int = 0


class Interpreter:
    """Runs a body; with an `OutOfSsa` the values live in its locations, otherwise each in its own."""

    def __init__(self, body: Body, result: OutOfSsa | None = None, block_limit: int | None = None):
        self.body = body
        self.cell = result.location_of if result else list(range(body.value_count))
        self.detour = {(edge.source, edge.target): edge.block for edge in result.split} if result else {}
        self.blocks_with_fuel = len(body.blocks) if block_limit is None else block_limit

    def run(self, inputs: list[int]) -> Run:
        run = Run()
        cells: dict[int, int] = {}
        read = lambda value: value.value & MASK if isinstance(value, Constant) else cells[self.cell[value]]  # noqa: E731

        def write_all(pairs):
            for target, value in [(self.cell[target], value) for target, value in pairs]:
                cells[target] = value

        block, source, fuel, arriving = 0, -1, FUEL, 0
        while True:
            content = self.body.blocks[block]
            if block < self.blocks_with_fuel:
                fuel -= 1
                if not fuel:
                    run.observed.append(-1)
                    return run
            write_all((value, arriving) for value in content.arrivals)
            write_all([(copy.dst, read(copy.src)) for copy in content.edge_copies.get(source, [])])
            arguments = [phi.args[content.preds.index(source)] for phi in content.phis]
            write_all([(phi.result, read(a)) for phi, a in zip(content.phis, arguments) if a is not None])
            for step in content.steps:
                if isinstance(step, ParallelCopy):
                    run.moves += len(step.copies)
                    write_all([(copy.dst, read(copy.src)) for copy in step.copies])
                elif isinstance(step, Move):
                    run.moves += 1
                    write_all([(step.copy.dst, read(step.copy.src))])
                elif step.tag[0] == "inputs":
                    write_all(zip(step.defs, inputs))
                elif step.tag[0] == "observe":
                    run.observed.extend(read(value) for value in step.uses)
                else:
                    write_all([(step.defs[0], compute(step.tag, [read(value) for value in step.uses]))])
            end = content.terminator
            source = block
            if end is None or end.tag[0] == "goto":
                block = content.succs[0]
                continue
            used = [read(value) for value in end.uses]
            if end.tag[0] == "return":
                run.observed.extend(used)
                return run
            if end.tag[0] == "fetch":
                arriving = (used[0] >> 1) & MASK
                target = end.tag[1] if used[0] & 1 else end.tag[2]
            else:
                targets = end.tag[1]
                target = targets[used[0] % len(targets)]
                if end.tag[0] == "switch_def":
                    write_all([(end.defs[0], (used[0] * 3 + 1) & MASK)])
            block = self.detour.get((source, target), target)


# --- random programs ------------------------------------------------------------------------------------------------


@dataclass
class Shape:
    """A random graph: `targets[b]` with repetitions; block 0 is the entry and nobody's target."""

    targets: list[list[int]]

    def succs(self, block: int) -> list[int]:
        return list(dict.fromkeys(self.targets[block]))


def random_shape(rng: random.Random, blocks: int) -> Shape:
    """Every block reachable (each is a target of an earlier one), otherwise anything: back edges into the middle of
    other cycles, critical edges, repeated edges, self loops."""
    targets: list[list[int]] = [[] for _ in range(blocks)]
    for block in range(1, blocks):
        targets[rng.randrange(block)].append(block)
    for block in range(blocks):
        for _ in range(rng.choice([0, 0, 1, 1, 2])):
            if blocks > 1:
                again = rng.random() < 0.15 and targets[block]
                targets[block].append(rng.choice(targets[block]) if again else rng.randrange(1, blocks))
        rng.shuffle(targets[block])
    return Shape(targets)


def dominators_by_removal(shape: Shape) -> list[set[int]]:
    """`result[b]`: the blocks without which b cannot be reached.  From the definition."""
    count = len(shape.targets)

    def reachable(without: int) -> set[int]:
        seen = {0} - {without}
        pending = list(seen)
        while pending:
            for succ in shape.targets[pending.pop()]:
                if succ != without and succ not in seen:
                    seen.add(succ)
                    pending.append(succ)
        return seen

    return [{d for d in range(count) if d == b or b not in reachable(d)} for b in range(count)]


class _Maker:
    """Fills the blocks of a shape with steps; what phis read is decided at the end, when all values are known."""

    def __init__(self, rng: random.Random, shape: Shape, inputs: int):
        self.rng = rng
        self.shape = shape
        self.body = Body([BodyBlock() for _ in shape.targets], [])
        for block in range(len(shape.targets)):
            for succ in shape.targets[block]:
                self.body.add_edge(block, succ)
        self.inputs = [self.value() for _ in range(inputs)]
        self.body.blocks[0].steps.append(Step([], list(self.inputs), ("inputs",)))

    def value(self) -> int:
        self.body.representation.append("int")
        self.body.origin.append(len(self.body.origin))
        return self.body.value_count - 1

    def step(self, block: int, pool: list[int]) -> int:
        kind = self.rng.choice(["const", "add", "xor", "mul3"])
        uses = [] if kind == "const" else [self.rng.choice(pool) for _ in range(1 if kind == "mul3" else 2)]
        tag = (kind, self.rng.randrange(-3, 9)) if kind == "const" else (kind,)
        result = self.value()
        self.body.blocks[block].steps.append(Step(uses, [result], tag))
        return result

    def end(self, block: int, pool: list[int]) -> list[int]:
        """Add the terminator; return the values it defines for every successor."""
        content = self.body.blocks[block]
        targets = self.shape.targets[block]
        if not targets:
            content.terminator = Step([self.rng.choice(pool)], [], ("return",))
        elif len(targets) == 1 and self.rng.random() < 0.5:
            content.terminator = None if self.rng.random() < 0.5 else Step([], [], ("goto",))
        else:
            arrival = targets[0]
            use = [self.rng.choice(pool)]
            if len(set(targets)) == len(targets) == 2 and self.body.blocks[arrival].preds == [block]:
                content.terminator = Step(use, [], ("fetch", targets[0], targets[1]))
            elif self.rng.random() < 0.25:
                content.terminator = Step(use, [self.value()], ("switch_def", targets))
            else:
                content.terminator = Step(use, [], ("switch", targets))
        return content.terminator.defs if content.terminator else []


def random_program(rng: random.Random, blocks: int = 6, inputs: int = 3) -> Body:
    """Phis that read anything that dominates their edge: as unconventional as SSA can be."""
    shape = random_shape(rng, blocks)
    maker = _Maker(rng, shape, inputs)
    body = maker.body
    dominators = dominators_by_removal(shape)
    defined: list[list[int]] = [[] for _ in body.blocks]  # usable in the block's own steps, and below
    at_end: list[list[int]] = [[] for _ in body.blocks]  # defined by the terminator
    for block, content in enumerate(body.blocks):
        if block and (len(content.preds) > 1 or rng.random() < 0.3):
            for _ in range(rng.choice([0, 1, 2, 2, 3])):
                content.phis.append(BodyPhi(maker.value(), []))
                defined[block].append(content.phis[-1].result)
    order = sorted(range(len(body.blocks)), key=lambda b: (len(dominators[b]), b))
    for block in order:
        content = body.blocks[block]
        above = [d for d in dominators[block] if d != block]
        pool = [value for d in sorted(above) for value in defined[d] + at_end[d]] + defined[block]
        if block == 0:
            pool += maker.inputs
            defined[0] += maker.inputs
        source = content.preds[0] if len(content.preds) == 1 else -1
        end = body.blocks[source].terminator if source >= 0 else None
        if end and end.tag[:2] == ("fetch", block):
            content.arrivals = [maker.value()]
            pool += content.arrivals
            defined[block] += content.arrivals
        for _ in range(rng.randrange(3)):
            result = maker.step(block, pool)
            pool.append(result)
            defined[block].append(result)
        if rng.random() < 0.6:
            content.steps.append(Step([rng.choice(pool)], [], ("observe",)))
        at_end[block] = list(maker.end(block, pool))
    for content in body.blocks:
        for source in content.preds:
            pool = [v for d in sorted(dominators[source]) for v in defined[d] + at_end[d]]
            if len(content.preds) == 1:
                pool += content.arrivals
            if rng.random() < 0.3:
                fresh = [maker.value() for _ in range(rng.choice([1, 2]))]
                content.edge_copies[source] = [Copy(value, rng.choice(pool)) for value in fresh]
                if len(content.preds) > 1:
                    pool = pool + fresh * 2
            phi_results = [phi.result for phi in content.phis if phi.result in pool]
            for phi in content.phis:
                prefer = phi_results if phi_results and rng.random() < 0.5 else pool
                phi.args.append(Constant(rng.randrange(5)) if rng.random() < 0.1 else rng.choice(prefer))
    return body


def propagated_program(rng: random.Random, blocks: int = 6, variables: int = 3) -> Body:
    """A program over variables with many copies between them, in SSA with a phi for each variable at each join, and
    the copies propagated: how swaps and lost copies come about in a compiler."""
    shape = random_shape(rng, blocks)
    maker = _Maker(rng, shape, variables)
    body = maker.body
    dominators = dominators_by_removal(shape)
    at_end: list[list[int]] = [[] for _ in body.blocks]
    for block in sorted(range(len(body.blocks)), key=lambda b: (len(dominators[b]), b)):
        content = body.blocks[block]
        if block == 0:
            current = list(maker.inputs)
        elif len(content.preds) == 1:
            current = list(at_end[content.preds[0]])
        else:
            content.phis = [BodyPhi(maker.value(), []) for _ in range(variables)]
            current = [phi.result for phi in content.phis]
        for _ in range(rng.randrange(5)):
            target, other = rng.randrange(variables), rng.randrange(variables)
            kind = rng.random()
            if kind < 0.3:
                current[target], current[other] = current[other], current[target]
            elif kind < 0.6:
                current[target] = current[other]
            else:
                current[target] = maker.step(block, current)
        if rng.random() < 0.7:
            content.steps.append(Step([rng.choice(current)], [], ("observe",)))
        for value in maker.end(block, current):
            current[rng.randrange(variables)] = value
        at_end[block] = current
    for content in body.blocks:
        for source in content.preds:
            for phi, value in zip(content.phis, at_end[source]):
                phi.args.append(value)
    return body


# --- which difficulties a program has -------------------------------------------------------------------------------


def live_at_end(body: Body) -> list[set[int]]:
    """The values needed after each block's own steps on some out-edge, by the textbook's data-flow equations.  What a
    phi or an edge copy reads counts in the predecessor."""
    reads: list[set[int]] = []
    writes: list[set[int]] = []
    for block in body.blocks:
        read: set[int] = set()
        written = {*block.arrivals, *(phi.result for phi in block.phis)}
        written.update(copy.dst for copies in block.edge_copies.values() for copy in copies)
        for step in [*block.steps, *([block.terminator] if block.terminator else [])]:
            read.update(value for value in step.uses if value not in written)
            written.update(step.defs)
        reads.append(read)
        writes.append(written)
    live: list[set[int]] = [set() for _ in body.blocks]
    changed = True
    while changed:
        changed = False
        for number, block in enumerate(body.blocks):
            after: set[int] = set()
            for succ in block.succs:
                entered = body.blocks[succ]
                on_edge = {copy.dst for copy in entered.edge_copies.get(number, [])}
                needed = reads[succ] | (live[succ] - writes[succ])
                needed.update(copy.src for copy in entered.edge_copies.get(number, []))
                needed.update(phi.args[entered.preds.index(number)] for phi in entered.phis)
                needed -= {*entered.arrivals, *on_edge}
                after.update(value for value in needed if isinstance(value, int))
            if after != live[number]:
                live[number] = after
                changed = True
    return live


def situations(body: Body) -> set[str]:
    """Which of the classical difficulties of out-of-SSA this program has."""
    found: set[str] = set()
    live = live_at_end(body)
    shape = Shape([list(block.succs) for block in body.blocks])
    dominators = dominators_by_removal(shape)
    for number, block in enumerate(body.blocks):
        results = [phi.result for phi in block.phis]
        if block.terminator and block.terminator.tag[0].startswith("switch"):
            if len(set(block.terminator.tag[1])) < len(block.terminator.tag[1]):
                found.add("repeated edge")
        for index, source in enumerate(block.preds):
            if len(block.preds) > 1 and len(body.blocks[source].succs) > 1:
                found.add("critical edge")
            arguments = [phi.args[index] for phi in block.phis]
            for one, result in enumerate(results):
                if arguments[one] in results and arguments[one] != result:
                    other = results.index(arguments[one])
                    if arguments[other] == result:
                        found.add("swap")
                # The edge brings a new value, but on another way out of the loop the old one is still needed.
                if number in dominators[source] and arguments[one] != result:
                    others = [succ for succ in body.blocks[source].succs if succ != number]
                    if any(result in needed_at_head(body, live, succ) for succ in others):
                        found.add("lost copy")
    if is_irreducible(shape, dominators):
        found.add("irreducible")
    return found


def needed_at_head(body: Body, live: list[set[int]], block: int) -> set[int]:
    """Values live at the head of a block, phis apart."""
    content = body.blocks[block]
    needed = set(live[block])
    for step in reversed([*content.steps, *([content.terminator] if content.terminator else [])]):
        needed -= set(step.defs)
        needed |= set(step.uses)
    return needed - {phi.result for phi in content.phis}


def is_irreducible(shape: Shape, dominators: list[set[int]]) -> bool:
    """Whether a cycle is left when all edges to dominators are taken away."""
    forward = [[succ for succ in shape.succs(b) if succ not in dominators[b]] for b in range(len(shape.targets))]
    waiting = [0] * len(forward)
    for succs in forward:
        for succ in succs:
            waiting[succ] += 1
    ready = [block for block, count in enumerate(waiting) if not count]
    done = 0
    while ready:
        done += 1
        for succ in forward[ready.pop()]:
            waiting[succ] -= 1
            if not waiting[succ]:
                ready.append(succ)
    return done < len(forward)
