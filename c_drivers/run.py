"""Link every example with its C driver and run it, as it is and after our algorithms changed it, on two machines.

    python c_drivers/run.py drivers [--arch x86_64] [--arch aarch64]
    python c_drivers/run.py verify
    python c_drivers/run.py jit-aarch64                      (see jit_aarch64.py)

`drivers` takes each ll_examples/NAME.ll with c_drivers/NAME-main.c. The module is linked as written, and after
construct, destruct (coalesced and naive), and both in either order; a driver returns the number of its failed
assertions. AArch64 objects are made by clang, linked by the cross compiler and run under qemu. Then ssa-main.c is
linked against the object that `compile` makes from examples/ssa.zir: the same two functions as PHP opcodes.

`verify` writes all these modules, and those that `compile` makes of the programs in examples/, and has opt of LLVM's
matching version verify each. Returns the number of failures, at most 1.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from c_drivers.jit_aarch64 import run_examples  # noqa: E402
from ssa2llvm.llir.construct import construct  # noqa: E402
from ssa2llvm.llir.destruct import destruct  # noqa: E402
from ssa2llvm.llir.module import ModuleText  # noqa: E402
from ssa2llvm.llir.naming import name_everything  # noqa: E402
from ssa2llvm.llir.reader import read_module  # noqa: E402

EXAMPLES = ROOT / "ll_examples"
DRIVERS = ROOT / "c_drivers"
PROGRAMS = ROOT / "examples"


def read(text: str) -> ModuleText:
    """A module ready for rewriting."""
    return name_everything(read_module(text))


VARIANTS: dict[str, Callable[[str], str]] = {
    "as written": lambda text: text,
    "construct": lambda text: construct(read(text))[0],
    "destruct": lambda text: destruct(read(text))[0],
    "destruct --naive": lambda text: destruct(read(text), coalesce=False)[0],
    "construct after destruct": lambda text: construct(read(destruct(read(text))[0]))[0],
    "destruct after construct": lambda text: destruct(read(construct(read(text))[0]))[0],
}


@dataclass(frozen=True)
class Machine:
    """How to build for a machine and how to run there."""

    triple: str
    compiler: tuple[str, ...]
    linker: tuple[str, ...]
    runner: tuple[str, ...]


MACHINES = {
    "x86_64": Machine("x86_64-linux-gnu", ("clang-22",), ("clang-22",), ()),
    "aarch64": Machine(
        "aarch64-linux-gnu",
        ("aarch64-linux-gnu-gcc",),
        ("aarch64-linux-gnu-gcc", "-static"),
        ("qemu-aarch64",),
    ),
}


def run(*command: str | Path) -> subprocess.CompletedProcess[str]:
    """Run a command to its end; its output is captured."""
    return subprocess.run([str(part) for part in command], capture_output=True, text=True, timeout=120, check=False)


class Failures:
    """Counts and prints what went wrong."""

    def __init__(self) -> None:
        self.count = 0

    def check(self, what: str, done: subprocess.CompletedProcess[str]) -> bool:
        """Note a command that did not return 0."""
        if done.returncode:
            self.count += 1
            print(f"FAILED ({done.returncode}): {what}\n{done.stdout}{done.stderr}".rstrip(), file=sys.stderr)
        return not done.returncode


def modules() -> Iterator[tuple[str, str, str]]:
    """Every example in every variant: (name, variant, text)."""
    for path in sorted(EXAMPLES.glob("*.ll")):
        text = path.read_text()
        for variant, transform in VARIANTS.items():
            yield path.stem, variant, transform(text)


def run_drivers(architectures: list[str], failures: Failures) -> int:
    """Link and run everything; return how many drivers ran."""
    ran = 0
    with tempfile.TemporaryDirectory() as name:
        directory = Path(name)
        for architecture in architectures:
            machine = MACHINES[architecture]
            driver_of: dict[str, Path] = {}
            for example, variant, text in modules():
                what = f"{example}, {variant}, {architecture}"
                if example not in driver_of:
                    driver_of[example] = directory / f"{example}-{architecture}.o"
                    source = DRIVERS / f"{example}-main.c"
                    compiled = run(*machine.compiler, "-std=c11", "-Wall", "-c", source, "-o", driver_of[example])
                    failures.check(f"compiling {source.name} for {architecture}", compiled)
                module = directory / "module.ll"
                module.write_text(text)
                target = ("clang-22", f"--target={machine.triple}", "-Wno-override-module", "-O1")
                if failures.check(f"{what}: compiling", run(*target, "-c", module, "-o", directory / "module.o")):
                    ran += link_and_run(machine, [directory / "module.o", driver_of[example]], what, failures)
            ran += run_compiled_program(machine, directory, driver_of["ssa"], architecture, failures)
    return ran


def link_and_run(machine: Machine, objects: list[Path], what: str, failures: Failures) -> int:
    """Make an executable and run it; 1 if it could be run."""
    executable = objects[0].parent / "driver"
    libraries = ["-lm", "-lpthread"]
    if not failures.check(f"{what}: linking", run(*machine.linker, *objects, *libraries, "-o", executable)):
        return 0
    failures.check(what, run(*machine.runner, executable))
    return 1


def run_compiled_program(machine: Machine, directory: Path, driver: Path, architecture: str, failures: Failures) -> int:
    """The same driver against the object that we compile from PHP opcodes."""
    what = f"examples/ssa.zir, compiled, {architecture}"
    compiled = directory / "program.o"
    command = [sys.executable, "-m", "ssa2llvm", "compile", PROGRAMS / "ssa.zir", "--target", machine.triple]
    if not failures.check(f"{what}: compiling", run(*command, "-o", compiled)):
        return 0
    return link_and_run(machine, [compiled, driver], what, failures)


def verify_modules(failures: Failures) -> int:
    """Have opt verify every module that we emit; return how many there were."""
    count = 0
    with tempfile.TemporaryDirectory() as name:
        path = Path(name) / "module.ll"
        for example, variant, text in modules():
            path.write_text(text)
            failures.check(f"{example}, {variant}", run("opt-22", "-passes=verify", "-disable-output", path))
            count += 1
        for program in sorted([*PROGRAMS.glob("*.zir"), *PROGRAMS.glob("*.zend"), *PROGRAMS.glob("*.php")]):
            for level in ("-O0", "-O2"):
                command = [sys.executable, "-m", "ssa2llvm", "compile", program, level, "-o", path]
                if failures.check(f"{program.name} {level}: compiling", run(*command)):
                    verified = run("opt-22", "-passes=verify", "-disable-output", path)
                    failures.check(f"{program.name} {level}", verified)
                    count += 1
    return count


def main() -> int:
    """Parse the command line and run one action."""
    parser = argparse.ArgumentParser(
        description="run the C drivers, verify every emitted module, or run the JIT on AArch64"
    )
    parser.add_argument("action", choices=["drivers", "verify", "jit-aarch64"])
    parser.add_argument("--arch", action="append", choices=sorted(MACHINES), help="default: all")
    args = parser.parse_args()
    if args.action == "jit-aarch64":
        return min(run_examples(), 1)
    failures = Failures()
    if args.action == "drivers":
        count = run_drivers(args.arch or list(MACHINES), failures)
        print(f"{count} drivers run, {failures.count} failures")
    else:
        count = verify_modules(failures)
        print(f"{count} modules verified, {failures.count} failures")
    return 1 if failures.count else 0


if __name__ == "__main__":
    sys.exit(main())
