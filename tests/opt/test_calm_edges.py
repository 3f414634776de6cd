from __future__ import annotations

from ssa2llvm.analysis.effects import effects_of
from ssa2llvm.analysis.infer import infer
from ssa2llvm.ir.function import BlockFlags, Function, Instr
from ssa2llvm.ir.opcode import Opcode
from ssa2llvm.ir.optable import Effects
from ssa2llvm.opt.calm_edges import remove_calm_edges
from ssa2llvm.opt.clean import clean_graph
from ssa2llvm.php import compile_php
from ssa2llvm.ssa.build import build_ssa
from ssa2llvm.ssa.edit import remove_instruction
from ssa2llvm.ssa.verifier import assert_valid


def calmed(source: str) -> tuple[Function, int]:
    function = build_ssa(compile_php(b"<?php " + source.encode(), "calm.php").functions[0])
    facts = infer(function)

    def may_throw(instr: Instr) -> bool:
        return bool(effects_of(function, instr, facts) & (Effects.WARNS | Effects.THROWS | Effects.OUTPUT))

    removed = remove_calm_edges(function, may_throw)
    assert_valid(function)
    return function, removed


def guarded(function: Function) -> list[str]:
    """Opcodes of the instructions with an edge to a handler."""
    return [
        function.blocks[block.succs[0]].instrs[0].opcode.name
        for block in function.blocks
        if BlockFlags.THROW_EDGE in block.flags
    ]


def test_arithmetic_on_small_integers_does_not_throw() -> None:
    function, removed = calmed(
        "function f(int $n) { $s = 0; try { $n = $n & 7; $s = $n + 1; $s = g($s); $n = $s % 3; }"
        " catch (E $e) { return $n; } return $s + $n; }"
    )
    # Only the call, and the modulo of who knows what, may.
    assert set(guarded(function)) == {"INIT_FCALL_BY_NAME", "SEND_VAR_EX", "DO_FCALL_BY_NAME", "ASSIGN", "MOD"}
    assert removed > 0
    clean_graph(function)
    assert_valid(function)


def test_a_handler_that_nothing_reaches_goes() -> None:
    function, removed = calmed(
        "function f(int $n) { try { $n = $n & 7; $m = $n + 1; } catch (E $e) { return 0; } return $m; }"
    )
    assert removed > 0
    assert guarded(function) == []
    assert not any(instr.opcode == Opcode.CATCH for instr in function.instructions())


def test_a_catch_that_does_not_match_still_throws_on() -> None:
    function, _ = calmed("function f() { try { try { g(); } catch (E $e) { return 1; } } catch (F $f) { return 2; } }")
    assert "CATCH" in guarded(function)


def test_a_place_held_by_a_nop_is_given_up() -> None:
    function = build_ssa(
        compile_php(b"<?php function f() { try { echo 1; g(); } catch (E $e) { return 1; } }", "calm.php").functions[0]
    )
    (echo,) = [instr for instr in function.instructions() if instr.opcode == Opcode.ECHO]
    (block,) = [block for block in function.blocks if echo in block.instrs]
    remove_instruction(function, block, echo)
    before = len(guarded(function))
    assert remove_calm_edges(function, lambda instr: instr.opcode != Opcode.NOP) == 1
    assert len(guarded(function)) == before - 1
    assert block.instrs == []
    assert_valid(function)
