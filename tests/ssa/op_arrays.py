"""Random op arrays over any control-flow graph, irreducible ones included, which PHP source alone would never give."""

from __future__ import annotations

from hypothesis import strategies as st

from ssa2llvm.ir.builder import FunctionBuilder
from ssa2llvm.ir.op_array import OpArray
from ssa2llvm.ir.opcode import Opcode
from ssa2llvm.ir.operands import Operand

VARIABLES = ["x", "y", "z"]
COMPARISONS = [Opcode.IS_SMALLER, Opcode.IS_SMALLER_OR_EQUAL, Opcode.IS_EQUAL, Opcode.IS_NOT_EQUAL]


@st.composite
def op_arrays(draw: st.DrawFn, max_blocks: int = 7) -> OpArray:
    """A function of up to ``max_blocks`` blocks that ends each in a jump, a branch, a switch or a return to or from
    anywhere, with a few statements on three variables in between. Not every block need be reachable."""
    b = FunctionBuilder("random", ["x"])
    count = draw(st.integers(1, max_blocks))
    labels = [b.label() for _ in range(count)]
    anywhere = st.integers(0, count - 1)
    variables = st.sampled_from(VARIABLES)

    def value() -> Operand:
        return b.cv(draw(variables)) if draw(st.booleans()) else b.const(draw(st.integers(-2, 9)))

    for label in labels:
        b.place(label)
        b.emit(Opcode.NOP, result=None)  # so that every label has an instruction of its own
        for kind in draw(st.lists(st.sampled_from(["assign", "add", "inc", "echo"]), max_size=3)):
            target = b.cv(draw(variables))
            if kind == "assign":
                b.assign(target, value())
            elif kind == "add":
                b.emit(Opcode.ASSIGN_OP, target, value(), result=None, ext=Opcode.ADD)
            elif kind == "inc":
                b.emit(Opcode.PRE_INC, target, result=None)
            else:
                b.echo(target)
        kind = draw(st.sampled_from(["jump", "branch", "branch", "compare", "compare", "switch", "return", "on"]))
        if kind == "jump":
            b.jump(labels[draw(anywhere)])
        elif kind == "branch":
            b.branch_zero(b.cv(draw(variables)), labels[draw(anywhere)])
        elif kind == "compare":
            test = b.emit(draw(st.sampled_from(COMPARISONS)), value(), value())
            branch = draw(st.sampled_from([b.branch_zero, b.branch_nonzero]))
            branch(test, labels[draw(anywhere)])
        elif kind == "switch":
            table = [(key, labels[draw(anywhere)]) for key in range(draw(st.integers(1, 3)))]
            b.switch(Opcode.SWITCH_LONG, b.cv(draw(variables)), table, labels[draw(anywhere)])
        elif kind == "return":
            b.ret(b.cv(draw(variables)))
    b.ret(b.cv("x"))
    return b.finish()
