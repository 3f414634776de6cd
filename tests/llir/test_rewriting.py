"""construct and destruct on LLVM IR of all origins: LLVM accepts what they write, it computes the same, and the phis
are mem2reg's where they have to be."""

from __future__ import annotations

import ctypes
import random
import re
import subprocess
from pathlib import Path

import llvmlite.binding as llvm
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ssa2llvm.llir.construct import construct
from ssa2llvm.llir.destruct import destruct
from ssa2llvm.llir.module import ModuleText
from ssa2llvm.llir.naming import name_everything
from ssa2llvm.llir.reader import read_module
from ssa2llvm.llir.verify import verify_module
from tests.destruct.model import random_shape
from tests.tools import need_tool

EXAMPLES = sorted((Path(__file__).parents[2] / "ll_examples").glob("*.ll"))
PROGRAMS = sorted((Path(__file__).parent / "c").glob("*.c"))
LEVELS = ("-O0", "-O1")


def read(text: str) -> ModuleText:
    return name_everything(read_module(text))


WAYS = {
    "naming": lambda text: read(text).text,
    "construct": lambda text: construct(read(text))[0],
    "destruct": lambda text: destruct(read(text))[0],
    "naive destruct": lambda text: destruct(read(text), coalesce=False)[0],
    "construct, destruct": lambda text: destruct(read(construct(read(text))[0]))[0],
    "destruct, construct": lambda text: construct(read(destruct(read(text))[0]))[0],
}


def opt_verifies(text: str) -> None:
    opt = need_tool("opt")
    done = subprocess.run(
        [opt, "-passes=verify", "-disable-output"], input=text, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


def count(text: str, opcode: str) -> int:
    module = read_module(text)
    return sum(i.opcode == opcode for f in module.functions for b in f.blocks for i in b.instructions)


def clang(path: Path, level: str, *more: str) -> str:
    command = [need_tool("clang"), level, "-S", "-emit-llvm", *more, str(path), "-o", "-"]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


class Compiled:
    """A module compiled in memory."""

    def __init__(self, text: str):
        llvm.initialize_native_target()
        llvm.initialize_native_asmprinter()
        module = llvm.parse_assembly(text)
        module.verify()
        machine = llvm.Target.from_default_triple().create_target_machine(opt=1)
        self.engine = llvm.create_mcjit_compiler(module, machine)
        self.engine.finalize_object()

    def results(self) -> list[int]:
        test = ctypes.CFUNCTYPE(ctypes.c_long, ctypes.c_long)(self.engine.get_function_address("test"))
        return [test(n) for n in [*range(25), 97, 1000]]


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
@pytest.mark.parametrize("way", WAYS)
def test_examples_stay_valid(path, way):
    """What they compute is checked by the C drivers (c_drivers/run.py)."""
    text = WAYS[way](path.read_text())
    assert verify_module(read_module(text)).errors == []
    opt_verifies(text)
    if way.endswith("destruct"):
        assert count(text, "phi") == 0


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.stem)
def test_c_programs_compute_the_same(path, level):
    original = clang(path, level)
    wanted = Compiled(original).results()
    assert len(set(wanted)) > 10
    for way, change in WAYS.items():
        text = change(original)
        assert verify_module(read_module(text)).errors == [], way
        opt_verifies(text)
        assert Compiled(text).results() == wanted, way
        if way.endswith("destruct"):
            assert count(text, "phi") == 0


def test_c_programs_have_something_to_rewrite():
    """-O0 code has slots to promote, -O1 code has phis to remove; debug records do not disturb."""
    for path in PROGRAMS:
        slots = clang(path, "-O0", "-g")
        text, report = construct(read(slots))
        opt_verifies(text)
        assert count(text, "alloca") < count(slots, "alloca")
        assert sum(" promoted" in line for line in report) == count(slots, "alloca") - count(text, "alloca")
        phis = clang(path, "-O1", "-g")
        assert count(phis, "phi") > 3
        opt_verifies(destruct(read(phis))[0])


def test_an_invoke_that_defines_a_phi_input():
    """Its result exists on the edge to its normal destination only; the copy for a phi stands there."""
    text = """
declare i32 @may_throw(i32)
declare i32 @__gxx_personality_v0(...)

define i32 @f(i32 %x, i1 %c) personality ptr @__gxx_personality_v0 {
entry:
  br i1 %c, label %call, label %join

call:
  %r = invoke i32 @may_throw(i32 %x)
          to label %join unwind label %failed

join:
  %v = phi i32 [ %x, %entry ], [ %r, %call ]
  ret i32 %v

failed:
  %pad = landingpad { ptr, i32 }
          cleanup
  resume { ptr, i32 } %pad
}
"""
    for coalesce in (False, True):
        changed, report = destruct(read(text), coalesce=coalesce)
        opt_verifies(changed)
        assert count(changed, "phi") == 0
        assert "left" not in report[0].replace("1 left", "").replace("3 left", "").replace("0 left", "")
        opt_verifies(construct(read(changed))[0])


def test_a_phi_that_is_entered_by_unwinding_is_left_and_said():
    text = """
declare void @may_throw()
declare i32 @__gxx_personality_v0(...)

define void @f() personality ptr @__gxx_personality_v0 {
entry:
  invoke void @may_throw()
          to label %again unwind label %failed

again:
  invoke void @may_throw()
          to label %done unwind label %failed

done:
  ret void

failed:
  %where = phi i32 [ 1, %entry ], [ 2, %again ]
  %pad = landingpad { ptr, i32 }
          cleanup
  resume { ptr, i32 } %pad
}
"""
    changed, report = destruct(read(text))
    assert changed == text
    assert report == [
        "@f: left in SSA form: %failed has phis and is entered by unwinding, where no copy can be put before it"
    ]


# --- the same phis as mem2reg ---------------------------------------------------------------------------------------


def random_slots(rng: random.Random) -> str:
    """A function over a random graph whose slots get an opaque value first thing and then here and there."""
    shape = random_shape(rng, rng.randrange(2, 10))
    slots = [f"%{letter}" for letter in "xyz"[: rng.randint(1, 3)]]
    lines = ["declare i32 @opaque()", "declare void @use(i32)", "", "define void @f() {"]
    fresh = iter(range(10_000))

    def opaque() -> str:
        name = f"%o{next(fresh)}"
        lines.append(f"  {name} = call i32 @opaque()")
        return name

    for block, targets in enumerate(shape.targets):
        lines.append(f"b{block}:")
        if block == 0:
            lines += [f"  {slot} = alloca i32" for slot in slots]
            for slot in slots:
                lines.append(f"  store i32 {opaque()}, ptr {slot}")
        for _ in range(rng.randrange(4)):
            slot = rng.choice(slots)
            if rng.random() < 0.5:
                lines.append(f"  store i32 {opaque()}, ptr {slot}")
            else:
                name = f"%l{next(fresh)}"
                lines += [f"  {name} = load i32, ptr {slot}", f"  call void @use(i32 {name})"]
        if not targets:
            lines.append("  ret void")
        elif len(targets) == 1:
            lines.append(f"  br label %b{targets[0]}")
        else:
            cases = " ".join(f"i32 {case}, label %b{target}" for case, target in enumerate(targets))
            lines.append(f"  switch i32 {opaque()}, label %b{targets[-1]} [ {cases} ]")
    return "\n".join([*lines, "}", ""])


def phis(text: str) -> set[tuple[str, str, tuple[tuple[str, str], ...]]]:
    """Every phi: what it is called, its type, and its inputs in a fixed order. A phi of slot %x in block %b is called
    `%x in %b`: the numbers in LLVM's names depend on the order in which it met the blocks."""
    result = set()
    for function in read_module(text).functions:
        found = [(b, i) for b in function.blocks for i in b.instructions if i.opcode == "phi"]
        called = {i.result: f"{i.result.rsplit('.', 1)[0]} in {b.name} of {function.name}" for b, i in found}
        for _, phi in found:
            inputs = sorted((called.get(c.value, c.value), c.block.text) for c in phi.incoming)
            result.add((called[phi.result], phi.type, tuple(inputs)))
    return result


def mem2reg(text: str) -> str:
    command = [need_tool("opt"), "-passes=mem2reg", "-S"]
    return subprocess.run(command, input=text, capture_output=True, text=True, check=True).stdout


@settings(max_examples=40)
@given(st.randoms(use_true_random=False))
def test_phis_are_those_of_mem2reg(rng):
    text = random_slots(rng)
    ours, report = construct(read(text))
    assert all(" promoted" in line for line in report)
    assert phis(ours) == phis(mem2reg(text))


def test_phis_of_c_programs_are_those_of_mem2reg():
    for path in PROGRAMS:
        text = read(clang(path, "-O0", "-Xclang", "-disable-O0-optnone")).text
        assert phis(construct(read(text))[0]) == phis(mem2reg(text))


def test_report_names_every_slot_once():
    text = Path(EXAMPLES[0].parent / "escape.ll").read_text()
    _, report = construct(read(text))
    slots = re.findall(r"(%\w+) = alloca", text)
    assert sorted(line.split()[1] for line in report) == sorted(slots)
