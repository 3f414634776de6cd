"""LLVM code for the bodies of `model`: SSA form with LLVM's own phis, destructed form with a stack slot a location.

The emitted function is `i64 @f(ptr inputs, ptr trace)`: it stores what it observes and returns how much that was. It
counts its fuel down as the interpreter does, and ends with -1 in the trace if there is none left.
"""

from __future__ import annotations

import ctypes

import llvmlite.binding as llvm

from ssa2llvm.destruct.body import Body, Step
from ssa2llvm.destruct.out_of_ssa import Move, OutOfSsa
from ssa2llvm.destruct.parallel_copy import Constant
from tests.destruct.model import FUEL

TRACE_LENGTH = 4096


class Emitter:
    """Writes LLVM IR text for a body without edge copies (SSA form), or with an `OutOfSsa` (destructed)."""

    def __init__(self, body: Body, result: OutOfSsa | None, original_blocks: int):
        self.body = body
        self.result = result
        self.original_blocks = original_blocks
        self.detour = {(edge.source, edge.target): edge.block for edge in result.split} if result else {}
        self.lines: list[str] = []
        self.fresh = 0
        self.end_label: list[str] = []  # the label a block ends under, for phis

    def name(self) -> str:
        self.fresh += 1
        return f"%t{self.fresh}"

    def read(self, value: int | Constant) -> str:
        if isinstance(value, Constant):
            return str(value.value)
        if self.result is None:
            return f"%v{value}"
        name = self.name()
        self.lines.append(f"  {name} = load i64, ptr %slot{self.result.location_of[value]}")
        return name

    def write(self, value: int, text: str) -> None:
        """Define `value` by an instruction's right-hand side."""
        if self.result is None:
            self.lines.append(f"  %v{value} = {text}")
        else:
            name = self.name()
            self.lines.append(f"  {name} = {text}")
            self.lines.append(f"  store i64 {name}, ptr %slot{self.result.location_of[value]}")

    def observe(self, text: str) -> None:
        count, place, more = self.name(), self.name(), self.name()
        self.lines += [
            f"  {count} = load i64, ptr %count",
            f"  {place} = getelementptr i64, ptr %trace, i64 {count}",
            f"  store i64 {text}, ptr {place}",
            f"  {more} = add i64 {count}, 1",
            f"  store i64 {more}, ptr %count",
        ]

    def module(self) -> str:
        self.lines = ["define i64 @f(ptr %inputs, ptr %trace) {", "start:"]
        self.lines += ["  %count = alloca i64", "  %fuel = alloca i64", "  %arriving = alloca i64"]
        self.lines += ["  store i64 0, ptr %count", f"  store i64 {FUEL}, ptr %fuel"]
        for location in range(len(self.result.location_kinds) if self.result else 0):
            self.lines += [f"  %slot{location} = alloca i64", f"  store i64 0, ptr %slot{location}"]
        self.lines += ["  br label %b0", "empty:"]
        self.observe("-1")
        self.lines += ["  br label %out", "out:", "  %seen = load i64, ptr %count", "  ret i64 %seen"]
        for block in range(len(self.body.blocks)):
            self.block(block)
        return "\n".join([*self.lines, "}"])

    def block(self, number: int) -> None:
        content = self.body.blocks[number]
        self.lines.append(f"b{number}:")
        for phi in content.phis:
            pairs = [
                f"[ {self.read(a)}, %b{p}.body ]"
                for a, p in zip(phi.args, content.preds)
                for _ in self.edges(p, number)
            ]
            self.lines.append(f"  %v{phi.result} = phi i64 {', '.join(pairs)}")
        if number < self.original_blocks:
            left, less, none = self.name(), self.name(), self.name()
            self.lines += [
                f"  {left} = load i64, ptr %fuel",
                f"  {less} = sub i64 {left}, 1",
                f"  store i64 {less}, ptr %fuel",
                f"  {none} = icmp eq i64 {less}, 0",
                f"  br i1 {none}, label %empty, label %b{number}.body",
            ]
        else:
            self.lines.append(f"  br label %b{number}.body")
        self.lines.append(f"b{number}.body:")
        for value in content.arrivals:
            self.write(value, "load i64, ptr %arriving")
        for step in content.steps:
            self.step(step)
        self.terminator(number, content.terminator, content.succs)

    def edges(self, source: int, target: int) -> list[int]:
        """One entry for each LLVM edge between two blocks."""
        end = self.body.blocks[source].terminator
        if end is not None and end.tag[0] in ("switch", "switch_def"):
            return [to for to in end.tag[1] if to == target] + [to for to in end.tag[1][-1:] if to == target]
        return [target]

    def step(self, step: Step) -> None:
        if isinstance(step, Move):
            self.write(step.copy.dst, f"add i64 {self.read(step.copy.src)}, 0")
            return
        used = [self.read(value) for value in step.uses]
        match step.tag[0]:
            case "inputs":
                for index, value in enumerate(step.defs):
                    place = self.name()
                    self.lines.append(f"  {place} = getelementptr i64, ptr %inputs, i64 {index}")
                    self.write(value, f"load i64, ptr {place}")
            case "observe":
                for text in used:
                    self.observe(text)
            case "const":
                self.write(step.defs[0], f"add i64 {step.tag[1]}, 0")
            case "mul3":
                product = self.name()
                self.lines.append(f"  {product} = mul i64 {used[0]}, 3")
                self.write(step.defs[0], f"add i64 {product}, 1")
            case kind:
                self.write(step.defs[0], f"{kind} i64 {used[0]}, {used[1]}")

    def terminator(self, number: int, end: Step | None, succs: list[int]) -> None:
        label = lambda target: f"label %b{self.detour.get((number, target), target)}"  # noqa: E731
        if end is None or end.tag[0] == "goto":
            self.lines.append(f"  br label %b{succs[0]}")
            return
        used = [self.read(value) for value in end.uses]
        if end.tag[0] == "return":
            for text in used:
                self.observe(text)
            self.lines.append("  br label %out")
        elif end.tag[0] == "fetch":
            half, odd = self.name(), self.name()
            self.lines += [
                f"  {half} = lshr i64 {used[0]}, 1",
                f"  store i64 {half}, ptr %arriving",
                f"  {odd} = trunc i64 {used[0]} to i1",
                f"  br i1 {odd}, {label(end.tag[1])}, {label(end.tag[2])}",
            ]
        else:
            targets = end.tag[1]
            if end.defs:
                product = self.name()
                self.lines.append(f"  {product} = mul i64 {used[0]}, 3")
                self.write(end.defs[0], f"add i64 {product}, 1")
            index = self.name()
            self.lines.append(f"  {index} = urem i64 {used[0]}, {len(targets)}")
            cases = " ".join(f"i64 {case}, {label(target)}" for case, target in enumerate(targets))
            self.lines.append(f"  switch i64 {index}, {label(targets[-1])} [ {cases} ]")


class Compiled:
    """A module compiled in memory; `run` gives what the interpreter's `observed` is."""

    def __init__(self, text: str):
        llvm.initialize_native_target()
        llvm.initialize_native_asmprinter()
        module = llvm.parse_assembly(text)
        module.verify()
        machine = llvm.Target.from_default_triple().create_target_machine(opt=0)
        self.engine = llvm.create_mcjit_compiler(module, machine)
        self.engine.finalize_object()
        prototype = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p, ctypes.c_void_p)
        self.function = prototype(self.engine.get_function_address("f"))

    def run(self, inputs: list[int]) -> list[int]:
        given = (ctypes.c_int64 * len(inputs))(*inputs)
        trace = (ctypes.c_int64 * TRACE_LENGTH)()
        count = self.function(ctypes.addressof(given), ctypes.addressof(trace))
        return list(trace[:count])
