"""One program, every form it takes: the interpreter prints the same in linear, SSA, owned and destructed form, after
the passes, with the counting that goes with them, in the very form that code is generated from, and so does the code.

The programs throw, catch, return out of finally and leave loops by all of these; the ledger of the owned form refuses
what is read without a count and what is left with one (``interp.ownership``).
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from ssa2llvm.interp.code import Code, destructed_code, ssa_code
from ssa2llvm.interp.ownership import Ledger, Owning
from ssa2llvm.interp.run import Outcome, make_machine, run_machine, run_script
from ssa2llvm.llvm.driver import optimised_program
from ssa2llvm.llvm.unit import prepare
from ssa2llvm.opt.unit import Program as OptProgram
from ssa2llvm.own.stage import make_owned
from ssa2llvm.php import compile_php
from tests.interp.random_php import Generator
from tests.llvm.harness import run_jit
from tests.ssa.random_php import random_program

OBJECTS = b"""<?php
function risky(array $a, $how) {
    foreach ($a as $k => $v) {
        try {
            if ($how === $k) { throw new RuntimeException("at $k", 7, new LogicException($v . "!")); }
            if ($how === $v) { $v->method(); }
            if ($how === "new") { new Exception([]); }
            echo $v, "\\n";
        } catch (LogicException | TypeError $e) {
            return [$e->getMessage(), $e->getLine()];
        } finally {
            echo "f$k";
            if ($how === "over") { throw new Exception("over"); }
        }
    }
    return new Exception("none");
}
foreach ([1, "b", "new", "over", "no"] as $how) {
    try {
        $r = risky(["a", "b"], $how);
        echo is_array($r) ? $r[0] : $r->getMessage() . $r->getCode(), "\\n";
    } catch (Exception $e) {
        echo get_class($e), $e->getMessage(), $e->getCode(), $e->getLine();
        echo $e->getPrevious() ? $e->getPrevious()->getMessage() : "", "\\n";
    } catch (Error $e) {
        echo $e->getMessage(), "\\n";
    }
}
"""

CALLBACKS = b"""<?php
function element(&$e) { $e = 1; }
element($made['a']);
$copy = $made;
$copy['a'] = 2;
print_r($made);
function throws($v) { throw new Exception("x"); }
function compares($a, $b) { return array_map('throws', [1]); }
function sorts($f) { $a = [2, 1]; usort($a, $f); }
try { sorts('compares'); } catch (Exception $e) { echo $e->getTraceAsString(), "\\n"; }
"""

PROGRAMS = {
    "objects": OBJECTS,
    "callbacks": CALLBACKS,
    **{
        f"ssa{seed}": random_program(seed, 3, runnable=True, exceptions=True, size=[15, 30][seed % 2]).encode()
        for seed in (3, 5, 22, 29)
    },
    **{f"interp{seed}": b"<?php\n" + Generator(seed).program(2).encode() for seed in (3, 7, 19)},
}


def run_optimised(program: OptProgram, codes: dict[int, Code], ledger: Ledger | None = None) -> Outcome:
    variants = [unit.function.op_array for unit in program.units if unit.function.op_array.variant]
    machine = make_machine(program.script, lambda op_array: codes[id(op_array)], ledger=ledger, variants=variants)
    return run_machine(machine)


def passed(source: bytes) -> Outcome:
    program = optimised_program(compile_php(source, "program.php"), 2, verify=True)
    return run_optimised(program, {id(unit.function.op_array): ssa_code(unit.function) for unit in program.units})


def passed_owned(source: bytes) -> Outcome:
    program = optimised_program(compile_php(source, "program.php"), 2, verify=True)
    codes, owning = {}, {}
    for unit in program.units:
        function = unit.function
        owned = make_owned(function, unit.get("facts"), program.context.symbols, verify=True, join_data=True)
        codes[id(function.op_array)] = ssa_code(function, owned.cells)
        owning[id(function.op_array)] = Owning.of(function, owned.owns)
    return run_optimised(program, codes, Ledger(owning))


def lowered(source: bytes) -> Outcome:
    program = optimised_program(compile_php(source, "program.php"), 2, verify=True)
    codes = {}
    for unit in program.units:
        made = prepare(unit.function, unit.get("facts"), program.context.symbols, verify=True)
        codes[id(unit.function.op_array)] = destructed_code(made.destructed)
    return run_optimised(program, codes)


def unpassed(form: str) -> Callable[[bytes], Outcome]:
    return lambda source: run_script(compile_php(source, "program.php"), form)


FORMS: dict[str, Callable[[bytes], Outcome]] = {
    **{form: unpassed(form) for form in ("ssa", "owned", "destructed")},
    "after the passes": passed,
    "owned after the passes": passed_owned,
    "what is lowered": lowered,
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_every_form(name):
    source = PROGRAMS[name]
    wanted = run_script(compile_php(source, "program.php"))
    assert len(wanted.stdout) > 20
    for form, run in FORMS.items():
        outcome = run(source)
        assert (outcome.stdout, outcome.exit_code) == (wanted.stdout, wanted.exit_code), form
    for level in (0, 2):
        made = run_jit(source, level=level)
        assert (made.output, made.exit_code, made.leaked) == (wanted.stdout, wanted.exit_code, 0), level
