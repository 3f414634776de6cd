"""The machine itself, on op arrays built by hand: no PHP needed."""

from __future__ import annotations

import io

import pytest

from ssa2llvm.interp.code import ssa_code
from ssa2llvm.interp.ownership import Ledger, Owning
from ssa2llvm.interp.places import InterpreterBug
from ssa2llvm.interp.run import call_function, make_machine, run_machine, run_script
from ssa2llvm.interp.trace import BlockTracer
from ssa2llvm.interp.undefined import UNDEF
from ssa2llvm.ir.builder import FunctionBuilder, script_of
from ssa2llvm.ir.config import Config
from ssa2llvm.ir.diagnostics import CompileError
from ssa2llvm.ir.function import Instr
from ssa2llvm.ir.op_array import OpArray, Script
from ssa2llvm.ir.opcode import Opcode
from ssa2llvm.ir.operands import OpKind
from ssa2llvm.ir.types import MAY_BE_LONG, MAY_BE_STRING
from ssa2llvm.ssa.build import build_ssa

FORMS = ["linear", "ssa", "destructed"]


def sum_to() -> OpArray:
    """function sum_to($n) { $s = 0; for ($i = 1; $i <= $n; $i++) { $s += $i; } return $s; }"""
    b = FunctionBuilder("sum_to", params=["n"])
    n, s, i = b.cv("n"), b.cv("s"), b.cv("i")
    test, body = b.label(), b.label()
    b.assign(s, b.const(0))
    b.assign(i, b.const(1))
    b.jump(test)
    b.place(body)
    b.emit(Opcode.ASSIGN_OP, s, i, result=None, ext=Opcode.ADD)
    b.emit(Opcode.PRE_INC, i, result=None)
    b.place(test)
    b.branch_nonzero(b.emit(Opcode.IS_SMALLER_OR_EQUAL, i, n), body)
    b.ret(s)
    return b.finish()


def depth() -> OpArray:
    """function depth($n) { return $n ? depth($n - 1) + 1 : 0; }"""
    b = FunctionBuilder("depth", params=["n"])
    end = b.label()
    b.branch_zero(b.cv("n"), end)
    inner = b.call("depth", [b.emit(Opcode.SUB, b.cv("n"), b.const(1))])
    b.ret(b.emit(Opcode.ADD, inner, b.const(1)))
    b.place(end)
    b.ret(b.const(0))
    return b.finish()


@pytest.mark.parametrize("form", FORMS)
def test_a_loop(form: str) -> None:
    assert call_function(script_of(None, [sum_to()]), "SUM_TO", [10], form).result == 55


@pytest.mark.parametrize("form", FORMS)
def test_the_loop_swaps_its_variables(form: str) -> None:
    """while ($n-- > 0) { $t = $a; $a = $b; $b = $t; } return $a; -- in SSA form two phis that feed each other."""
    b = FunctionBuilder("swap", params=["n", "a", "b"])
    n, x, y, t = b.cv("n"), b.cv("a"), b.cv("b"), b.cv("t")
    test, body = b.label(), b.label()
    b.jump(test)
    b.place(body)
    b.assign(t, x)
    b.assign(x, y)
    b.assign(y, t)
    b.place(test)
    old = b.emit(Opcode.POST_DEC, n)
    b.branch_nonzero(b.emit(Opcode.IS_SMALLER, b.const(0), old), body)
    b.ret(x)
    script = script_of(None, [b.finish()])
    results = [call_function(script, "swap", [turns, b"one", b"two"], form).result for turns in range(4)]
    assert results == [b"one", b"two", b"one", b"two"]


@pytest.mark.parametrize("form", FORMS)
def test_recursion_is_not_pythons(form: str) -> None:
    assert call_function(script_of(None, [depth()]), "depth", [20_000], form).result == 20_000


def test_step_limit_stops_an_endless_loop() -> None:
    b = FunctionBuilder("$_main")
    again = b.label()
    b.place(again)
    b.echo(b.const(b"."))
    b.jump(again)
    outcome = run_script(script_of(b.finish()), step_limit=10)
    assert outcome.stopped
    assert outcome.stdout == b"....."


def test_an_opcode_the_interpreter_lacks_is_named() -> None:
    b = FunctionBuilder("$_main")
    b.line = 7
    b.emit(Opcode.INCLUDE_OR_EVAL, b.const(b"x.php"), ext=2)
    with pytest.raises(CompileError, match="does not run INCLUDE_OR_EVAL") as caught:
        run_script(script_of(b.finish()))
    assert (caught.value.file, caught.value.line) == ("builder.php", 7)


def test_warnings_go_to_the_output_and_to_the_reports() -> None:
    b = FunctionBuilder("$_main")
    b.line = 3
    b.echo(b.cv("nothing"))
    outcome = run_script(script_of(b.finish()))
    assert outcome.stdout == b"\nWarning: Undefined variable $nothing in builder.php on line 3\n"
    assert [report.message for report in outcome.reports] == ["Undefined variable $nothing"]
    assert outcome.exit_code == 0


def test_an_uncaught_error_has_a_trace() -> None:
    b = FunctionBuilder("f", params=[("x", MAY_BE_LONG)])
    b.line = 2
    b.ret(b.emit(Opcode.MOD, b.cv("x"), b.const(0)))
    function = b.finish()
    m = FunctionBuilder("$_main")
    m.line = 5
    m.call("f", [m.const(1)])
    outcome = run_script(script_of(m.finish(), [function]))
    assert outcome.exit_code == 255
    assert outcome.stdout == (
        b"\nFatal error: Uncaught DivisionByZeroError: Modulo by zero in builder.php:2\nStack trace:\n"
        b"#0 builder.php(5): f()\n#1 {main}\n  thrown in builder.php on line 2\n"
    )


class Recorder:
    """An observer that keeps all it is told."""

    def __init__(self) -> None:
        self.seen: list[tuple[str, int, object]] = []
        self.looked_at: list[tuple[int, object]] = []

    def defined(self, function: OpArray, name: int, value: object) -> None:
        """See machine.Observer."""
        self.seen.append((function.name, name, value))

    def used(self, function: OpArray, name: int, value: object) -> None:
        """See machine.Observer."""
        self.looked_at.append((name, value))


def _ssa_machine(script: Script, observer: Recorder | None = None, tracer: BlockTracer | None = None):
    codes = {id(op_array): ssa_code(build_ssa(op_array, Config.SOUND)) for op_array in script.op_arrays()}
    return make_machine(script, lambda op_array: codes[id(op_array)], observer, tracer)


def test_observer_sees_every_definition() -> None:
    """In SSA form each name is seen once a turn: the phi of $i takes 1, 2, 3."""
    op_array = sum_to()
    script = script_of(None, [op_array])
    recorder = Recorder()
    machine = _ssa_machine(script, recorder)
    assert machine.call_callee(machine.functions["sum_to"], [2]) == 3
    function = build_ssa(op_array, Config.SOUND)
    phi_of_i = next(
        phi.result
        for block in function.blocks
        for phi in block.phis
        if phi.slot == op_array.cvs.index("i") and not phi.is_pi
    )
    assert [value for _, name, value in recorder.seen if name == phi_of_i] == [1, 2, 3]
    assert all(value is not UNDEF for _, _, value in recorder.seen)
    assert {(phi_of_i, 1), (phi_of_i, 2), (phi_of_i, 3)} <= set(recorder.looked_at)


def test_trace_names_edges_and_phis() -> None:
    out = io.StringIO()
    machine = _ssa_machine(script_of(None, [sum_to()]), tracer=BlockTracer(out))
    machine.call_callee(machine.functions["sum_to"], [1])
    lines = out.getvalue().splitlines()
    assert lines[0] == "sum_to b0 -> b2"
    assert any(line.startswith("  v") and "($i) = phi from v" in line and line.endswith(": int(1)") for line in lines)
    assert sum(line == "sum_to b2 -> b1" for line in lines) == 1


def _append_twice() -> tuple[Script, object]:
    """function f($s) { $t = $s; return $t . $s; } in SSA form."""
    b = FunctionBuilder("f", params=[("s", MAY_BE_STRING)])
    b.assign(b.cv("t"), b.cv("s"))
    b.ret(b.emit(Opcode.CONCAT, b.cv("t"), b.cv("s")))
    op_array = b.finish()
    return script_of(None, [op_array]), build_ssa(op_array, Config.SOUND)


def _run_with_ledger(script: Script, function) -> object:
    owning = Owning.of(function, lambda name: function.ssa_vars[name].definition is not None)
    main = ssa_code(build_ssa(script.main, Config.SOUND))
    code = ssa_code(function)
    machine = make_machine(
        script,
        lambda op_array: code if op_array is function.op_array else main,
        ledger=Ledger({id(function.op_array): owning, id(script.main): Owning.of(main.function, lambda name: False)}),
    )
    return machine.call_callee(machine.functions["f"], [b"ab"])


def test_ledger_refuses_a_missing_dup_and_a_missing_drop() -> None:
    """ASSIGN consumes $s, which CONCAT reads again; then both names must be dropped."""
    script, function = _append_twice()
    with pytest.raises(InterpreterBug, match=r"CONCAT reads #\d+, which owns nothing"):
        _run_with_ledger(script, function)
    block = function.blocks[-1]
    assign = next(instr for instr in block.instrs if instr.opcode == Opcode.ASSIGN)
    concat = next(instr for instr in block.instrs if instr.opcode == Opcode.CONCAT)

    def counting(opcode: Opcode, operand: object, name: int) -> Instr:
        return Instr(opcode, operand, op1_use=name)

    block.instrs.insert(block.instrs.index(assign), counting(Opcode.DUP, assign.op2, assign.op2_use))
    with pytest.raises(InterpreterBug, match="still own something at the end"):
        _run_with_ledger(script, function)
    at = block.instrs.index(concat) + 1
    block.instrs[at:at] = [
        counting(Opcode.DROP, concat.op1, concat.op1_use),
        counting(Opcode.DROP, concat.op2, concat.op2_use),
    ]
    assert _run_with_ledger(script, function) == b"abab"


def test_main_runs_and_its_return_value_is_the_result() -> None:
    b = FunctionBuilder("$_main")
    t = b.emit(Opcode.CONCAT, b.const(b"a"), b.const(1.5), result=OpKind.TMP)
    b.echo(t)
    b.ret(b.const(7))
    outcome = run_machine(make_machine(script_of(b.finish())))
    assert (outcome.stdout, outcome.result) == (b"a1.5", 7)
