"""What the optimizer does to programs, and what it costs.

    python bench/passes.py [FILE…] [--growth]

For each program: opcodes before and after each level, beside what PHP's own optimizer leaves after its full pipeline
(if php with opcache is installed). Then the time of each pass over all programs as shares, the share of LLVM in the
whole compilation at -O2, and (``--growth``) time per opcode from 1,000 to 100,000 opcodes.

Opcodes are counted alike on both sides: instructions in reachable code without NOP and OP_DATA.
"""

from __future__ import annotations

import argparse
import gc
import re
import shutil
import subprocess
import time
from collections import Counter
from pathlib import Path

from ssa2llvm.cfg.build import build_cfg
from ssa2llvm.cfg.graph import reachable
from ssa2llvm.formats.load import load_any, load_bytes
from ssa2llvm.formats.zend_reader import read_zend_text
from ssa2llvm.ir.diagnostics import CompileError
from ssa2llvm.ir.function import Function
from ssa2llvm.ir.op_array import OpArray
from ssa2llvm.ir.opcode import Opcode
from ssa2llvm.opt.pipeline import Pipeline, level_names
from ssa2llvm.opt.reachable import reachable_units
from ssa2llvm.opt.standard import TABLE
from ssa2llvm.opt.unit import build_program

PROGRAMS = Path(__file__).parent / "programs"
FULL_PIPELINE = 0x7FFEBFFF
AFTER_OPTIMIZER = 0x20000
NOT_COUNTED = frozenset({Opcode.NOP, Opcode.OP_DATA})


def count(function: Function) -> int:
    alive = reachable([block.succs for block in function.blocks])
    return sum(
        instr.opcode not in NOT_COUNTED for block in function.blocks if alive[block.id] for instr in block.instrs
    )


def count_linear(op_arrays: list[OpArray]) -> int:
    return sum(count(build_cfg(op_array)) for op_array in op_arrays)


def zend_count(file: Path) -> int | None:
    """What PHP's optimizer leaves of the file."""
    php = shutil.which("php8.2") or shutil.which("php")
    if php is None:
        return None
    command = [
        php, "-n", "-d", "zend_extension=opcache", "-d", "opcache.enable_cli=1",
        "-d", "opcache.file_update_protection=0",
        "-d", "log_errors=0", "-d", f"opcache.optimization_level={FULL_PIPELINE:#x}",
        "-d", f"opcache.opt_debug_level={AFTER_OPTIMIZER:#x}", "-l", str(file),
    ]  # fmt: skip
    dump = subprocess.run(command, capture_output=True, check=False).stderr
    return count_linear(read_zend_text(dump, str(file)).op_arrays()) if dump else None


def left_at(file: Path, level: int, copies: bool = False) -> int:
    """Opcodes after the passes of a level: without ``specialize``, or with it in the functions that run."""
    program = build_program(load_any(str(file)))
    names = level_names(TABLE, level) if level else []
    Pipeline(TABLE, [name for name in names if copies or name != "specialize"]).run(program)
    return sum(count(unit.function) for unit in (reachable_units(program) if copies else program.units))


def print_counts(files: list[Path]) -> None:
    print(f"{'program':<24} {'opcodes':>8} {'-O1':>6} {'-O2':>6} {'-O3':>6} {'Zend':>6}  -O2/Zend  with copies")
    totals: Counter[str] = Counter()
    for file in files:
        before = left_at(file, 0)
        after = [left_at(file, level) for level in (1, 2, 3)]
        zend = zend_count(file)
        ratio = f"{after[1] / zend:8.2f}" if zend else "       -"
        copied = left_at(file, 2, copies=True)
        counts = f"{before:8} {after[0]:6} {after[1]:6} {after[2]:6} {zend or '-':>6}"
        print(f"{file.stem:<24} {counts}  {ratio} {copied:11}")
        totals.update({"before": before, "after": after[1], "zend": zend or 0, "copied": copied})
    if totals["zend"]:
        shares = {name: f"{total / totals['before']:.1%}" for name, total in totals.items()}
        print(f"all: -O2 leaves {shares['after']} of the opcodes, Zend {shares['zend']};", end=" ")
        print(f"copies of functions make it {shares['copied']}")


def print_times(files: list[Path]) -> None:
    seconds: Counter[str] = Counter()
    for file in files:
        program = build_program(load_any(str(file)))
        for step in Pipeline(TABLE, level_names(TABLE, 2)).run(program):
            seconds[step.pass_name] += step.seconds
    total = sum(seconds.values())
    print("\npass              share of the passes' time")
    for name, spent in seconds.most_common():
        print(f"{name:<16}  {spent / total:6.1%}")


def print_llvm_share(files: list[Path]) -> None:
    from ssa2llvm.llvm.backend import optimise, parse, target_machine
    from ssa2llvm.llvm.driver import lower_script, optimised_program, prepared_units

    ours = llvm = 0.0
    compiled = 0
    for file in files:
        machine = target_machine(None, 2)
        started = time.perf_counter()
        try:
            script = load_any(str(file))
            units = prepared_units(optimised_program(script, 2))
        except CompileError:
            continue
        text = lower_script(script, units, machine.triple, str(machine.target_data)).text
        lowered = time.perf_counter()
        module = parse(text)
        optimise(module, machine, 2)
        machine.emit_object(module)
        ours += lowered - started
        llvm += time.perf_counter() - lowered
        compiled += 1
    if compiled:
        print(f"\nLLVM's share of compiling {compiled} programs at -O2: {llvm / (ours + llvm):.0%}")


def generated(statements: int) -> bytes:
    """Case 099 without arrays: a function of about four opcodes a statement."""
    lines = ["<?php", "function big(int $x): int {", "$a = 0; $b = 1; $c = 2;"]
    for step in range(statements):
        lines.append(
            [
                f"$a = $a + $b * {step % 11};",
                f"if ($a > {step % 1000}) {{ $b = $c; }} else {{ $c = {step % 13}; }}",
                "$t = $b; $b = $c; $c = $t;",
                f"$a = $a % {997 + step % 50};",
                "$b = $b + 1;",
            ][step % 5]
        )
    lines += ["return $a * 1000 + $b + $c + $x;", "}", "echo big(1);"]
    return "\n".join(lines).encode()


def print_growth(sizes: list[int]) -> None:
    print(f"\n{'opcodes':>8}  {'opcodes/s':>10}  time per opcode against the smallest")
    base = 0.0
    for size in sizes:
        program = build_program(load_bytes(generated(int(size / 2.6)), "big.php"))
        opcodes = sum(count(unit.function) for unit in program.units)
        gc.collect()
        gc.disable()
        started = time.perf_counter()
        Pipeline(TABLE, level_names(TABLE, 2)).run(program)
        spent = time.perf_counter() - started
        gc.enable()
        base = base or spent / opcodes
        print(f"{opcodes:8}  {opcodes / spent:10.0f}  {spent / opcodes / base:6.2f}")


def main() -> None:
    parser = argparse.ArgumentParser(description=re.sub(r"\s+", " ", (__doc__ or "").split("\n\n")[0]))
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--growth", action="store_true")
    args = parser.parse_args()
    files = args.files or sorted(PROGRAMS.glob("*.php"))
    print_counts(files)
    print_times(files)
    print_llvm_share(files)
    if args.growth:
        print_growth([1_000, 10_000, 100_000])


if __name__ == "__main__":
    main()
