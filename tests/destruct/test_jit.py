"""LLVM as a second machine for the same programs: its own phis, and our two ways out of SSA."""

from __future__ import annotations

import copy

from hypothesis import given, settings
from hypothesis import strategies as st

from ssa2llvm.destruct.out_of_ssa import leave_ssa
from tests.destruct.jit import Compiled, Emitter
from tests.destruct.model import Interpreter, propagated_program, random_program


def signed(values: list[int]) -> list[int]:
    return [value - (1 << 64) if value >> 63 == 1 else value for value in values]


@settings(max_examples=40)
@given(st.randoms(use_true_random=False))
def test_interpreter_and_jit_agree_on_every_form(rng):
    for make in (random_program, propagated_program):
        body = make(rng, blocks=rng.randrange(2, 8))
        blocks = len(body.blocks)
        runs = [[rng.randrange(20) for _ in range(3)] for _ in range(3)]
        wanted = [signed(Interpreter(body).run(inputs).observed) for inputs in runs]
        forms = []
        if not any(block.edge_copies for block in body.blocks):  # LLVM has nothing like a pi
            forms.append(Emitter(body, None, blocks).module())
        for coalesce in (False, True):
            destructed = copy.deepcopy(body)
            result = leave_ssa(destructed, coalesce=coalesce)
            forms.append(Emitter(destructed, result, blocks).module())
        for text in forms:
            compiled = Compiled(text)
            assert [compiled.run(inputs) for inputs in runs] == wanted
