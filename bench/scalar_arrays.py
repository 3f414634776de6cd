"""What scalar replacement of local arrays brings.

    python bench/scalar_arrays.py [--rounds N]

For each program: instructions on arrays without and with the pass at -O2, and processor time without and with it
(machine code in this process; the shortest of N runs that take turns), beside PHP with its tracing JIT if it is
installed.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import tempfile
import time
from pathlib import Path

from ssa2llvm.formats.load import load_bytes
from ssa2llvm.ir.opcode import Opcode
from ssa2llvm.llvm.driver import Program, compile_program
from ssa2llvm.opt.pipeline import Pipeline, level_names
from ssa2llvm.opt.standard import TABLE
from ssa2llvm.opt.unit import build_program

PASS = "scalar-arrays"
CASE = Path(__file__).parent.parent / "tests" / "cases" / "020_list_swap_in_loop.php"

LOOP = "for ($i = 0; $i < $n; $i++)"
PROGRAMS = {
    "list swap": f"""function f(int $n) {{ $a = 1; $b = 2;
        {LOOP} {{ [$a, $b] = [$b, ($a + $b) & 0xffff]; }} return $a; }}""",
    "vector": f"""function f(int $n) {{ $p = ['x' => 1.5, 'y' => 2.0]; $v = ['x' => 0.1, 'y' => 0.2];
        {LOOP} {{ $p['x'] += $v['x']; $p['y'] = $p['y'] * 0.5 + $v['y'];
            if ($p['x'] > 10.0) {{ $v['x'] = -$v['x']; $p['x'] = 1.0; }} }} return $p['x'] * $p['y']; }}""",
    "nested struct": f"""function f(int $n) {{ $s = ['pos' => ['x' => 1, 'y' => 2], 'count' => 0];
        {LOOP} {{ $s['pos']['x'] ^= $i; $s['pos']['y'] += $s['pos']['x'] & 3; $s['count'] = ($s['count'] + 1) & 1023; }}
        return $s['pos']['y'] + $s['count']; }}""",
    "two bodies": f"""function f(int $n) {{
        $a = ['x' => 0.0, 'y' => 1.0, 'vx' => 0.0, 'vy' => 0.1, 'm' => 1.0];
        $b = ['x' => 2.0, 'y' => 0.0, 'vx' => 0.1, 'vy' => 0.0, 'm' => 0.5];
        {LOOP} {{
            $dx = $a['x'] - $b['x']; $dy = $a['y'] - $b['y']; $d2 = $dx * $dx + $dy * $dy + 0.1;
            $g = 0.001 / ($d2 * sqrt($d2));
            $a['vx'] -= $dx * $b['m'] * $g; $a['vy'] -= $dy * $b['m'] * $g;
            $b['vx'] += $dx * $a['m'] * $g; $b['vy'] += $dy * $a['m'] * $g;
            $a['x'] += 0.001 * $a['vx']; $a['y'] += 0.001 * $a['vy'];
            $b['x'] += 0.001 * $b['vx']; $b['y'] += 0.001 * $b['vy']; }}
        return round($a['x'] + $b['y'], 9); }}""",
}
TURNS = 5_000_000

_ARRAY_WORK = frozenset(
    {
        *(Opcode.INIT_ARRAY, Opcode.ADD_ARRAY_ELEMENT, Opcode.ASSIGN_DIM, Opcode.ASSIGN_DIM_OP, Opcode.UNSET_DIM),
        *(Opcode.FETCH_DIM_R, Opcode.FETCH_DIM_W, Opcode.FETCH_DIM_RW, Opcode.FETCH_DIM_IS, Opcode.FETCH_LIST_R),
        *(Opcode.ISSET_ISEMPTY_DIM_OBJ, Opcode.COUNT),
    }
)


def compiled(source: str, names: list[str]) -> tuple[Program, int]:
    """The program after the passes ``names``, and its instructions on arrays."""
    script = load_bytes(source.encode(), "bench.php")
    program = build_program(script)
    Pipeline(TABLE, names).run(program)
    work = sum(instr.opcode in _ARRAY_WORK for unit in program.units for instr in unit.function.instructions())
    return compile_program(script, 2, optimised=program), work


def seconds(program: Program) -> float:
    """The time of one run, which prints to nowhere."""
    saved = os.dup(1)
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    started = time.process_time()
    try:
        program.run(["bench.php"])
    finally:
        spent = time.process_time() - started
        os.dup2(saved, 1)
        os.close(saved)
        os.close(nowhere)
    return spent


def php_seconds(source: str) -> float | None:
    """The time PHP's tracing JIT takes for the loop itself."""
    php = shutil.which("php8.2") or shutil.which("php")
    if php is None:
        return None
    options = ["-n", "-d", "zend_extension=opcache", "-d", "opcache.enable_cli=1", "-d", "opcache.jit=tracing"]
    used = "(fn($u) => $u['ru_utime.tv_sec'] + $u['ru_utime.tv_usec'] / 1e6)(getrusage())"
    timed = source.replace("echo f(", f"$start = {used}; f(") + f" echo {used} - $start;"
    with tempfile.NamedTemporaryFile("w", suffix=".php") as file:
        file.write(timed)
        file.flush()
        command = [php, *options, "-d", "opcache.jit_buffer_size=64M", file.name]
        return float(subprocess.run(command, capture_output=True, check=True).stdout)


def main() -> None:
    parser = argparse.ArgumentParser(description=re.sub(r"\s+", " ", (__doc__ or "").split("\n\n")[0]))
    parser.add_argument("--rounds", type=int, default=3)
    args = parser.parse_args()
    with_pass = level_names(TABLE, 2)
    without = [name for name in with_pass if name != PASS]
    sources = {name: f"<?php {body} echo f({TURNS});" for name, body in PROGRAMS.items()}
    print(f"{'program':<16} {'array instructions':>19} {'seconds':>17} {'ratio':>7} {'PHP JIT':>8}")
    for name, source in sources.items():
        (before, work_before), (after, work_after) = compiled(source, without), compiled(source, with_pass)
        turns = [(seconds(before), seconds(after)) for _ in range(args.rounds)]
        slow, fast = min(turn[0] for turn in turns), min(turn[1] for turn in turns)
        php = php_seconds(source)
        shown = f"{php:8.3f}" if php is not None else "       -"
        print(f"{name:<16} {work_before:9} -> {work_after:6} {slow:8.3f} -> {fast:5.3f} {slow / fast:6.1f}x {shown}")
    case = CASE.read_text()
    print(f"{CASE.stem}: {compiled(case, without)[1]} array instructions -> {compiled(case, with_pass)[1]}")


if __name__ == "__main__":
    main()
