"""Helpers of the pass tests: PHP or zir text to an optimized program, and what is left of it."""

from __future__ import annotations

from collections.abc import Sequence

from ssa2llvm.formats.load import load_bytes
from ssa2llvm.ir.function import Function
from ssa2llvm.opt.pipeline import Pipeline, Step
from ssa2llvm.opt.standard import TABLE
from ssa2llvm.opt.unit import Program, build_program


def program(source: str) -> Program:
    return build_program(load_bytes(source.encode(), "test.php"))


def optimize(target: Program, passes: Sequence[str]) -> list[Step]:
    """Run passes, verifying after each."""
    return Pipeline(TABLE, list(passes), verify=True).run(target)


def function(target: Program, name: str) -> Function:
    return next(unit.function for unit in target.units if unit.function.op_array.name == name)


def opcodes(target: Function) -> list[str]:
    """Names of the instructions that are left, block by block."""
    return [instr.opcode.name for block in target.blocks if block.reachable for instr in block.instrs]


def echoed(target: Function) -> list[object]:
    """The literals that ECHO instructions print; variables as ``...``."""
    return [
        target.op_array.literal(instr.op1) if instr.op1.is_const else ...
        for instr in target.instructions()
        if instr.opcode.name == "ECHO"
    ]
