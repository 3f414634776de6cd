"""Whole modules: LLVM's own verifier, determinism, debug information, and what the code looks like where it
matters."""

from __future__ import annotations

import re
import subprocess

import pytest

from ssa2llvm.llvm.backend import HUGE_FUNCTION, module_level, optimise, parse, target_machine, with_calls_kept
from ssa2llvm.llvm.driver import emit, lower_script, optimised_program, prepared_units
from ssa2llvm.php import compile_php
from tests.llvm.harness import recorded
from tests.tools import need_tool

FIB = b"<?php function fib(int $n): int { return $n < 2 ? $n : fib($n - 1) + fib($n - 2); } echo fib(20);"


def module_text(source: bytes, level: int = 2) -> str:
    script = compile_php(source, "module.php")
    machine = target_machine(None, level)
    units = prepared_units(optimised_program(script, level, verify=True), verify=True)
    return lower_script(script, units, machine.triple, str(machine.target_data)).text


def optimised(source: bytes) -> str:
    machine = target_machine(None, 2)
    module = parse(module_text(source))
    optimise(module, machine, 2)
    return str(module)


def definition(text: str, name: str) -> str:
    found = re.search(rf'^define [^\n]*@"?{re.escape(name)}"?\(.*?^}}', text, re.MULTILINE | re.DOTALL)
    assert found, f"{name} is not in the module"
    return found.group(0)


@pytest.mark.parametrize("path", recorded(), ids=lambda path: path.stem)
def test_opt_accepts_what_we_emit(tmp_path, path):
    file = tmp_path / "module.ll"
    file.write_text(module_text(path.read_bytes()))
    subprocess.run([need_tool("opt"), "-passes=verify", "-disable-output", file], check=True)


def test_text_is_the_same_every_time():
    source = next(path for path in recorded() if path.stem == "arrays").read_bytes()
    assert module_text(source) == module_text(source)


def test_debug_information_is_kept(tmp_path):
    emit(compile_php(FIB, "fib.php"), str(tmp_path / "fib.ll"), 2, debug=True)
    text = (tmp_path / "fib.ll").read_text()
    assert 'DISubprogram(name: "fib"' in text
    assert 'DIFile(filename: "fib.php"' in text
    subprocess.run([need_tool("opt"), "-passes=verify", "-disable-output", tmp_path / "fib.ll"], check=True)


def test_proved_ranges_need_no_overflow_check():
    # $n >= 2 behind the test: $n - 1 cannot leave the integers, only the sum can.
    body = definition(module_text(FIB), "php.fib")
    assert body.count("sub nsw i64") == 2
    assert body.count("@s2l.number.add(") == 1
    assert "@s2l.number.sub(" not in body


def test_a_function_that_cannot_throw_has_no_status():
    body = definition(
        module_text(b"<?php function f(float $x): float { return $x * 2.0 + 1.0; } echo f(1.5);"), "php.f"
    )
    assert body.startswith('define internal double @"php.f"(ptr %context, double %a0.0)')


def test_slots_become_registers():
    body = definition(optimised(FIB), "php.fib")
    assert "alloca" not in body
    assert "load" not in body


def test_hot_code_keeps_no_shadow_frame():
    # The only mention of the context is to pass it on.
    body = definition(optimised(FIB), "php.fib")
    assert "store" not in body.split("common.ret")[0]


def test_literals_are_shared():
    text = module_text(b"<?php echo 'same', strlen($argv[0] . 'same'), 'same';")
    assert len(re.findall(r"c\"same\\00\"", text)) == 1


def test_huge_functions_are_optimised_less():
    body = "\n".join("  %x = add i64 1, 2" for _ in range(HUGE_FUNCTION + 1))
    assert module_level("define void @f() {\n" + body + "\n}\n", 3) == 1
    assert module_level("define void @f() {\n  ret void\n}\n", 3) == 3
    assert module_level("define void @f() {\n" + body + "\n}\n", 0) == 0


def test_huge_functions_call_the_prelude_without_optimization():
    small = module_text(b"<?php function f(array $a) { return $a[0]; } echo f([1]);")
    body = "\n".join("  %x = add i64 1, 2" for _ in range(HUGE_FUNCTION + 1))
    huge = small + "define void @huge() {\n" + body + "\n}\n"
    assert "attributes #10 = { alwaysinline nounwind" in small
    assert with_calls_kept(small, 0) == small
    assert with_calls_kept(huge, 1) == huge
    assert "alwaysinline" not in with_calls_kept(huge, 0)
    assert "attributes #10 = { nounwind" in with_calls_kept(huge, 0)
