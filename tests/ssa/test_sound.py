"""What Config.SOUND adds: exceptions, aliases, pis that only say what is true."""

from __future__ import annotations

import pytest

from ssa2llvm.ir.builder import FunctionBuilder, script_of
from ssa2llvm.ir.config import Config
from ssa2llvm.ir.diagnostics import CompileError
from ssa2llvm.ir.function import Alias, Function, RangeConstraint
from ssa2llvm.ir.op_array import OpArray
from ssa2llvm.ir.opcode import Opcode
from ssa2llvm.ir.operands import FETCH_GLOBAL, FETCH_LOCAL, OpKind, word
from ssa2llvm.php import compile_php
from ssa2llvm.ssa.aliases import accesses_indirectly, global_names
from ssa2llvm.ssa.build import SsaContext, build_ssa, refusal
from ssa2llvm.ssa.pi import LONG_MAX, LONG_MIN
from ssa2llvm.ssa.verifier import assert_valid
from tests.ssa.samples import caught, choose, instruction, returning_through_finally


def pis(function: Function) -> list[tuple[int, int, int]]:
    """Slot, edge and target of each pi."""
    return [(pi.slot, pi.pi, block.id) for block in function.blocks for pi in block.phis if pi.is_pi]


# Exceptions


def test_the_handler_sees_the_state_before_the_throwing_instruction() -> None:
    function = build_ssa(caught())
    assert_valid(function)
    # $x is 1 wherever the call or the assignment of its result throws.
    first, second = (instruction(function, Opcode.ASSIGN, which) for which in (0, 1))
    assert instruction(function, Opcode.ECHO).op1_use == first.op1_def
    (phi,) = [phi for phi in function.blocks[-1].phis if phi.slot == first.op1.num]
    assert sorted(phi.sources) == sorted([first.op1_def, second.op1_def])


def test_php_refuses_what_we_build() -> None:
    assert refusal(caught()) == "try/catch/finally"
    with pytest.raises(CompileError, match="PHP builds no SSA form for caught: try/catch/finally"):
        build_ssa(caught(), Config.ZEND)
    assert refusal(choose()) is None


def test_a_temporary_that_only_one_caller_of_a_finally_has() -> None:
    op_array = returning_through_finally()
    slot = len(op_array.cvs) + 1
    function = build_ssa(op_array)
    assert_valid(function)
    entry = next(block for block in function.blocks if len(block.preds) == 3)
    (phi,) = [phi for phi in entry.phis if phi.slot == slot]
    call = instruction(function, Opcode.DO_FCALL_BY_NAME).result_def
    assert call in phi.sources
    # The regular end of the try brings no value: null from the function's start.
    null = function.blocks[0].instrs[0]
    assert (null.opcode, null.op1.is_const, null.result.num) == (Opcode.QM_ASSIGN, True, slot)
    assert op_array.literal(null.op1) is None
    assert null.result_def in phi.sources
    assert instruction(function, Opcode.RETURN).op1_use == phi.result


# Pis


def compare_sum_with_increment() -> OpArray:
    """``if ($a + 1 < $a++) { echo $a; } return $a;``"""
    b = FunctionBuilder("sum", ["a"])
    end = b.label()
    left = b.emit(Opcode.ADD, b.cv("a"), b.const(1))
    right = b.emit(Opcode.POST_INC, b.cv("a"))
    b.branch_zero(b.emit(Opcode.IS_SMALLER, left, right), end)
    b.echo(b.cv("a"))
    b.place(end)
    b.ret(b.cv("a"))
    return b.finish()


def test_a_sum_says_nothing_about_a_variable_that_changed_since() -> None:
    zend, sound = (build_ssa(compare_sum_with_increment(), config) for config in (Config.ZEND, Config.SOUND))
    # PHP places pis as if both operands were about the same $a, one for each operand on each edge.
    assert len(pis(zend)) == 4
    # We trace only the right side to $a, which is one more now; the left side stands for itself.
    left = instruction(sound, Opcode.ADD).result.num
    constraints = [pi.constraint for block in sound.blocks for pi in block.phis if pi.is_pi]
    assert constraints == [
        RangeConstraint(2, LONG_MAX, min_var=2, min_slot=left, overflow=True),
        RangeConstraint(LONG_MIN, 1, max_var=2, max_slot=left, underflow=True),
    ]


def test_a_sum_of_an_unchanged_variable_counts() -> None:
    b = FunctionBuilder("sum", ["a"])
    end = b.label()
    left = b.emit(Opcode.ADD, b.cv("a"), b.const(1))
    b.branch_zero(b.emit(Opcode.IS_SMALLER, left, b.const(10)), end)
    b.echo(b.cv("a"))
    b.place(end)
    b.ret(b.const(0))
    function = build_ssa(b.finish())
    (pi,) = [pi for block in function.blocks for pi in block.phis if pi.is_pi]
    assert isinstance(pi.constraint, RangeConstraint)
    assert (pi.constraint.underflow, pi.constraint.max) == (True, 8)


def snippet(source: str, config: Config = Config.SOUND) -> Function:
    """The first function of a PHP snippet."""
    function = build_ssa(compile_php(b"<?php " + source.encode(), "snippet.php").functions[0], config)
    assert_valid(function)
    return function


def upper_bounds(function: Function, slot: int) -> list[tuple[int, int]]:
    """(bounding slot, offset) of each pi that limits the variable from above."""
    return [
        (phi.constraint.max_slot, phi.constraint.max)
        for block in function.blocks
        for phi in block.phis
        if phi.slot == slot and isinstance(phi.constraint, RangeConstraint) and phi.constraint.underflow
    ]


def test_a_temporary_bounds_the_variable_it_is_compared_with() -> None:
    source = "function f($a) { for ($i = 0; $i < count($a); $i++) { echo $i; } }"
    function = snippet(source)
    size = instruction(function, Opcode.COUNT).result.num
    assert upper_bounds(function, 1) == [(size, -1)]
    (pi,) = [phi for block in function.blocks for phi in block.phis if phi.slot == 1 and phi.is_pi]
    assert isinstance(pi.constraint, RangeConstraint)
    assert pi.constraint.max_var == instruction(function, Opcode.COUNT).result_def
    assert pis(snippet(source, Config.ZEND)) == []


@pytest.mark.parametrize(
    ("condition", "bound"),
    [
        ("$i * $i <= $n", (0, 0)),
        ("$i * $i < $n", (0, -1)),
        ("$n >= $i * $i", (0, 0)),
        ("$i * $i <= 99", (-1, 9)),
        ("$i * $i < 100", (-1, 9)),
        ("$i * $i <= 100", (-1, 10)),
        ("!($i * $i > $n)", (0, 0)),
        ("!($n <= $i * $i)", (0, -1)),
    ],
)
def test_a_square_bounds_its_root(condition: str, bound: tuple[int, int]) -> None:
    function = snippet(f"function f($n) {{ for ($i = 2; {condition}; $i++) {{ echo $i; }} return $n; }}")
    assert upper_bounds(function, 1) == [bound]


@pytest.mark.parametrize("condition", ["$i * $n < 9", "$i * $i < 1.5", "$i * $i < -4", "$i * $i == $n"])
def test_other_products_do_not(condition: str) -> None:
    function = snippet(f"function f($n) {{ for ($i = 2; {condition}; $i++) {{ echo $i; }} return $n; }}")
    assert upper_bounds(function, 1) == []


# Aliases


def main_with(*functions: OpArray, dynamic: bool = False, binds: bool = False) -> dict[str, Alias]:
    """The aliases of the variables of ``$x = 1; $y = 2;`` at top level, with these functions in the file."""
    b = FunctionBuilder("$_main")
    b.assign(b.cv("x"), b.const(1))
    b.assign(b.cv("y"), b.const(2))
    if dynamic:
        b.emit(Opcode.FETCH_W, b.cv("x"), result=OpKind.VAR, ext=FETCH_LOCAL)
    if binds:
        b.emit(Opcode.FETCH_R, b.const(b"y"), result=OpKind.VAR, ext=FETCH_GLOBAL)
    main = b.finish()
    function = build_ssa(main, Config.SOUND, SsaContext(script_of(main, list(functions))))
    assert_valid(function)
    return {name: function.ssa_vars[slot].alias for slot, name in enumerate(main.cvs)}


def global_x() -> OpArray:
    b = FunctionBuilder("g")
    b.emit(Opcode.BIND_GLOBAL, b.cv("x"), b.const(b"x"), result=None)
    return b.finish()


def all_globals() -> OpArray:
    b = FunctionBuilder("g")
    b.emit(Opcode.FETCH_GLOBALS)
    return b.finish()


def includes() -> OpArray:
    b = FunctionBuilder("g")
    b.emit(Opcode.INCLUDE_OR_EVAL, b.const(b"x.php"), ext=2)
    return b.finish()


def computed_global() -> OpArray:
    b = FunctionBuilder("g", ["n"])
    b.emit(Opcode.FETCH_R, b.cv("n"), result=OpKind.VAR, ext=FETCH_GLOBAL)
    return b.finish()


def extracting() -> OpArray:
    b = FunctionBuilder("e", ["a"])
    b.emit(Opcode.INIT_FCALL, word(96), b.const(b"extract"), result=None, ext=1)
    b.emit(Opcode.SEND_VAR, b.cv("a"), word(1), result=None)
    b.emit(Opcode.DO_ICALL, result=None)
    return b.finish()


def test_variables_of_the_main_script_that_nothing_names_are_locals() -> None:
    assert main_with(choose()) == {"x": Alias.NONE, "y": Alias.NONE}
    assert main_with(global_x()) == {"x": Alias.SYMTABLE, "y": Alias.NONE}
    assert main_with(binds=True) == {"x": Alias.NONE, "y": Alias.SYMTABLE}


@pytest.mark.parametrize("function", [all_globals, includes, computed_global])
def test_unknown_names_make_all_of_them_globals(function: object) -> None:
    assert callable(function)
    assert main_with(function()) == {"x": Alias.SYMTABLE, "y": Alias.SYMTABLE}


def test_a_variable_variable_reaches_all_of_its_own_function_only() -> None:
    assert main_with(dynamic=True) == {"x": Alias.SYMTABLE, "y": Alias.SYMTABLE}
    assert accesses_indirectly(extracting())
    assert refusal(extracting()) == "variables accessed indirectly"
    function = build_ssa(extracting())
    assert {ssa_var.alias for ssa_var in function.ssa_vars} == {Alias.SYMTABLE}
    assert main_with(extracting()) == {"x": Alias.NONE, "y": Alias.NONE}


def test_a_function_without_its_script_trusts_nothing_at_top_level() -> None:
    b = FunctionBuilder("$_main")
    b.assign(b.cv("x"), b.const(1))
    assert {ssa_var.alias for ssa_var in build_ssa(b.finish()).ssa_vars} == {Alias.SYMTABLE}


def test_the_http_wrapper_writes_one_variable_of_its_caller() -> None:
    b = FunctionBuilder("f")
    b.echo(b.cv("http_response_header"))
    assert build_ssa(b.finish()).ssa_vars[0].alias is Alias.HTTP_RESPONSE_HEADER


def test_global_names_of_a_script() -> None:
    assert global_names(script_of(None, [global_x(), choose()])) == frozenset({"x"})
    assert global_names(script_of(None, [all_globals()])) is None
