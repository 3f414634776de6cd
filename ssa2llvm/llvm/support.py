"""What of a script cannot be compiled yet: found before anything is built, all of it in one run.

Nothing is silently skipped: an opcode without a lowering, a declaration whose meaning the code would not keep, a
builtin that the runtime lacks, is a diagnostic with file, line and (for PHP source) column. One look at every
instruction; linear.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

from ssa2llvm.analysis.calls import Callee, CallMap, Symbols
from ssa2llvm.analysis.internals import InternalFunction, internal_class, internal_function
from ssa2llvm.analysis.reference_slots import by_reference
from ssa2llvm.analysis.settled_arguments import FETCHES_FOR_ARGUMENTS, settle_arguments
from ssa2llvm.cfg.build import build_cfg
from ssa2llvm.ir.call_opcodes import FUNCTION_INITS, NAMED_INITS
from ssa2llvm.ir.config import Config
from ssa2llvm.ir.diagnostics import CompileError, error_at_offset
from ssa2llvm.ir.literals import ConstAst, Inexact
from ssa2llvm.ir.op_array import FnFlags, Op, OpArray, Script
from ssa2llvm.ir.opcode import Opcode
from ssa2llvm.ir.operands import Operand
from ssa2llvm.ir.types import IS_OBJECT, MAY_BE_CALLABLE, MAY_BE_ITERABLE
from ssa2llvm.llvm import families
from ssa2llvm.llvm.mangle import fold_case
from ssa2llvm.llvm.registry import LOWERERS
from ssa2llvm.llvm.runtime_api import runtime_prototypes
from ssa2llvm.opt.known_defaults import known_value

__all__ = ["unsupported"]

families.load()

Place: TypeAlias = tuple[int, int]
"""Line, and offset in the PHP source (-1: unknown)."""

_FOLDED = frozenset(
    {
        *NAMED_INITS,
        Opcode.CHECK_UNDEF_ARGS,
        Opcode.OP_DATA,
        Opcode.DO_FCALL_BY_NAME,
        Opcode.DO_UCALL,
        Opcode.DO_ICALL,
        Opcode.DO_FCALL,
    }
)
"""Opcodes that never reach the lowering under their own name: ``opt.calls`` and ``opt.op_data`` fold them;
CHECK_UNDEF_ARGS comes with named or spread arguments, which are refused."""

_NAMING = frozenset({Opcode.NEW, Opcode.CATCH, Opcode.INSTANCEOF, Opcode.INIT_METHOD_CALL})
_FETCHES = frozenset({Opcode.FETCH_R, Opcode.FETCH_IS, Opcode.FETCH_W, Opcode.FETCH_RW})
_CLOSURES = "closures are not compiled yet"
_CLASSES = "classes are not compiled yet"
_OBJECTS = "properties, and objects of other classes than PHP's own exceptions, are not compiled yet"
_GENERATORS = "generators are not compiled yet"
_VARIABLES_BY_NAME = frozenset({Opcode.UNSET_VAR, Opcode.FETCH_UNSET, Opcode.ISSET_ISEMPTY_VAR})
_BY_NAME = "variables with computed names ($$x) are not compiled yet"
_REASONS = {
    Opcode.SEND_UNPACK: "argument unpacking (f(...$x)) is not compiled yet",
    Opcode.SEND_ARRAY: "call_user_func_array() is not compiled yet",
    Opcode.SEND_USER: "call_user_func() is not compiled yet",
    Opcode.INIT_USER_CALL: "call_user_func() is not compiled yet",
    Opcode.ASSERT_CHECK: "assert() is not compiled yet",
    Opcode.TICKS: "declare(ticks=1) is not compiled yet",
    Opcode.INCLUDE_OR_EVAL: "include, require and eval are not compiled: all code must be known",
    Opcode.DECLARE_CLASS: _CLASSES,
    Opcode.DECLARE_CLASS_DELAYED: _CLASSES,
    Opcode.DECLARE_ANON_CLASS: _CLASSES,
    Opcode.DECLARE_LAMBDA_FUNCTION: _CLOSURES,
    Opcode.BIND_LEXICAL: _CLOSURES,
    Opcode.CALLABLE_CONVERT: _CLOSURES,
    Opcode.FETCH_OBJ_R: _OBJECTS,
    Opcode.FETCH_OBJ_W: _OBJECTS,
    Opcode.FETCH_OBJ_IS: _OBJECTS,
    Opcode.FETCH_OBJ_RW: _OBJECTS,
    Opcode.FETCH_OBJ_UNSET: _OBJECTS,
    Opcode.ASSIGN_OBJ: _OBJECTS,
    Opcode.ASSIGN_OBJ_OP: _OBJECTS,
    Opcode.ASSIGN_OBJ_REF: _OBJECTS,
    Opcode.PRE_INC_OBJ: _OBJECTS,
    Opcode.PRE_DEC_OBJ: _OBJECTS,
    Opcode.POST_INC_OBJ: _OBJECTS,
    Opcode.POST_DEC_OBJ: _OBJECTS,
    Opcode.ISSET_ISEMPTY_PROP_OBJ: _OBJECTS,
    Opcode.UNSET_OBJ: _OBJECTS,
    Opcode.CLONE: _OBJECTS,
    Opcode.FETCH_THIS: _CLASSES,
    Opcode.ISSET_ISEMPTY_THIS: _CLASSES,
    Opcode.FETCH_CLASS: _CLASSES,
    Opcode.FETCH_CLASS_NAME: _CLASSES,
    Opcode.JMP_NULL: "the operator ?-> is not compiled yet",
    Opcode.INIT_STATIC_METHOD_CALL: "static methods are not compiled yet",
    Opcode.FETCH_CLASS_CONSTANT: "constants of classes are not compiled yet",
    Opcode.YIELD: _GENERATORS,
    Opcode.YIELD_FROM: _GENERATORS,
    Opcode.GENERATOR_CREATE: _GENERATORS,
    Opcode.GENERATOR_RETURN: _GENERATORS,
    Opcode.UNSET_VAR: _BY_NAME,
    Opcode.FETCH_UNSET: _BY_NAME,
    Opcode.ISSET_ISEMPTY_VAR: _BY_NAME,
    Opcode.FETCH_LIST_W: "references in list() and [] on the left of = are not compiled yet",
    Opcode.FETCH_GLOBALS: "$GLOBALS as a whole is not compiled yet",
    Opcode.FUNC_NUM_ARGS: "func_num_args() is not compiled yet",
    Opcode.FUNC_GET_ARGS: "func_get_args() is not compiled yet",
}
"""What an opcode without lowering stands for in PHP; others are named as they are."""

_RESULTS_WANTED = frozenset(
    {
        Opcode.ASSIGN_REF,
        Opcode.RETURN_BY_REF,
        Opcode.MAKE_REF,
        Opcode.SEND_VAR_NO_REF,
        Opcode.SEND_VAR_NO_REF_EX,
    }
)
"""These want the result of a function as a reference, if it is one."""

_UNKNOWN_RESULT = "a reference to the result of a function that is not known here is not compiled yet"
_UNSETTLED = (
    "an element as an argument of a function that is not known here, which may take it by reference, "
    "is not compiled yet"
)


def unsupported(script: Script) -> list[CompileError]:
    """Everything in ``script`` that code generation does not know, in order of files and lines; each once a line."""
    errors: list[CompileError] = []
    for declared in script.classes:
        what = f"class {declared.name}: classes are not compiled yet"
        errors.append(_error(script, script.filename, (declared.line_start, declared.offset), what))
    functions = {fold_case(op_array.name): op_array for op_array in script.functions}
    symbols = Symbols(script, Config.SOUND)
    for op_array in [script.main, *_with_nested(script)]:
        found = [*_of_function(op_array, functions), *_of_unknown_callees(op_array, symbols)]
        errors += [_error(script, op_array.filename, place, what) for place, what in found]
    unique: dict[tuple[str, int, str], CompileError] = {}
    for error in errors:
        unique.setdefault((error.file, error.line, error.message), error)
    return list(unique.values())


def _error(script: Script, file: str, place: Place, what: str) -> CompileError:
    line, offset = place
    return error_at_offset(script.source, file, offset, what) if offset >= 0 else CompileError(what, file, line)


def _with_nested(script: Script) -> list[OpArray]:
    """The functions of a script with those that they and the main script define; methods belong to their classes."""
    methods = {id(method) for declared in script.classes for method in declared.methods}
    return [op_array for op_array in script.op_arrays() if op_array is not script.main and id(op_array) not in methods]


def _of_function(op_array: OpArray, functions: dict[str, OpArray]) -> Iterator[tuple[Place, str]]:
    yield from _of_declaration(op_array)
    for op in op_array.ops:
        yield from (((op.line, op.offset), what) for what in _of_instruction(op_array, op, functions))


def _of_unknown_callees(op_array: OpArray, symbols: Symbols) -> Iterator[tuple[Place, str]]:
    """Where it matters whether a function takes or returns a reference, and nobody knows which function it is."""
    if not any(op.opcode in FETCHES_FOR_ARGUMENTS or op.opcode in _RESULTS_WANTED for op in op_array.ops):
        return
    function = build_cfg(op_array, Config.SOUND)
    settle_arguments(function, symbols)
    calls = CallMap(function, symbols)
    may_be_references: set[int] = set()
    for call in calls.calls:
        if call.do is not None and call.callee is None and call.init.opcode in FUNCTION_INITS:
            candidates = symbols.candidates(op_array, call.init)
            if candidates is None or any(_returns_reference(candidate) for candidate in candidates):
                may_be_references.add(call.do.result.num)
    for instr in function.instructions():
        if instr.opcode in FETCHES_FOR_ARGUMENTS:
            yield (instr.line, instr.offset), _UNSETTLED
        elif instr.opcode in _RESULTS_WANTED:
            wanted = instr.op2 if instr.opcode == Opcode.ASSIGN_REF else instr.op1
            is_send = instr.opcode not in (Opcode.ASSIGN_REF, Opcode.RETURN_BY_REF, Opcode.MAKE_REF)
            if wanted.is_temp and wanted.num in may_be_references and (not is_send or by_reference(calls, instr)):
                yield (instr.line, instr.offset), _UNKNOWN_RESULT


def _returns_reference(callee: Callee) -> bool:
    return isinstance(callee, OpArray) and FnFlags.RETURNS_REFERENCE in callee.flags


def _of_declaration(op_array: OpArray) -> Iterator[tuple[Place, str]]:
    place = (op_array.line_start, op_array.offset)
    if FnFlags.GENERATOR in op_array.flags:
        yield place, f"{op_array.name}() is a generator, which is not compiled yet"
    if FnFlags.CLOSURE in op_array.flags:
        yield place, "closures are not compiled yet"
    for info in op_array.arg_info:
        if info.by_ref and info.variadic:
            yield place, f"{op_array.name}() takes ...${info.name} by reference, which is not compiled yet"
        if info.type.class_names or info.type.mask & (MAY_BE_CALLABLE | MAY_BE_ITERABLE):
            yield place, f"the declared type of ${info.name} of {op_array.name}() is not compiled yet"
    if op_array.return_type.class_names or op_array.return_type.mask & (MAY_BE_CALLABLE | MAY_BE_ITERABLE):
        yield place, f"the declared return type of {op_array.name}() is not compiled yet"


def _of_instruction(op_array: OpArray, op: Op, functions: dict[str, OpArray]) -> Iterator[str]:
    if op.opcode in _VARIABLES_BY_NAME and op.op1.is_const:
        yield "unset() and isset() of $GLOBALS['x'] are not compiled yet"
    elif op.opcode in _REASONS:
        yield _REASONS[op.opcode]
    elif op.opcode not in LOWERERS and op.opcode not in _FOLDED and op.opcode not in FETCHES_FOR_ARGUMENTS:
        yield f"opcode {op.opcode.name} is not compiled yet"
    elif op.opcode == Opcode.FE_RESET_RW and not op.op1.is_cv:
        yield "foreach by reference over anything but a variable is not compiled yet"
    elif op.opcode == Opcode.FE_FETCH_RW and not op.op2.is_cv:
        yield "foreach by reference into anything but a variable is not compiled yet"
    elif op.opcode in _FETCHES and not op.op1.is_const:
        yield _BY_NAME
    elif op.opcode == Opcode.CAST and op.extended_value == IS_OBJECT:
        yield "a cast to object is not compiled yet"
    elif op.opcode == Opcode.NEW and not _is_throwable(op_array, op):
        yield "objects of other classes than PHP's own exceptions are not compiled yet"
    elif op.opcode == Opcode.NEW and _has_a_severity(op_array, op):
        yield "objects of class ErrorException, which have a severity, are not compiled yet"
    elif op.opcode in (
        Opcode.NEW,
        Opcode.CATCH,
        Opcode.INSTANCEOF,
        Opcode.INIT_METHOD_CALL,
    ) and not _names_are_constant(op):
        yield "classes and methods with computed names are not compiled yet"
    elif op.opcode in NAMED_INITS:
        yield from _of_call(op_array, op, functions)
    elif op.opcode.name.startswith("SEND_") and op.op2.is_const:
        yield "named arguments are not compiled yet"
    if known_value(op_array, op) is None:
        for operand in (op.op1, op.op2):
            yield from _of_operand(op_array, operand)


def _is_throwable(op_array: OpArray, op: Op) -> bool:
    value = op_array.literal(op.op1) if op.op1.is_const else None
    if not isinstance(value, bytes):
        return False
    seen: str | None = value.decode("utf-8", "surrogateescape")
    while seen is not None:
        known = internal_class(fold_case(seen))
        if known is None:
            return False
        if fold_case(known.decl.name) in ("error", "exception"):
            return True
        seen = known.decl.parent
    return False


def _has_a_severity(op_array: OpArray, op: Op) -> bool:
    """Whether an ErrorException is made: its third parameter is not the cause, and it has a method of its own."""
    value = op_array.literal(op.op1)
    return isinstance(value, bytes) and fold_case(value.decode("latin-1").lstrip("\\")) == "errorexception"


def _names_are_constant(op: Op) -> bool:
    """Whether the class (or for a method call the method) is written out."""
    named = {Opcode.INSTANCEOF: op.op2, Opcode.INIT_METHOD_CALL: op.op2}.get(op.opcode, op.op1)
    return named.is_const and (op.opcode != Opcode.INIT_METHOD_CALL or op.op1.is_var)


def _of_call(op_array: OpArray, op: Op, functions: dict[str, OpArray]) -> Iterator[str]:
    value = op_array.literal(op.op2)
    if not isinstance(value, bytes):
        return
    name = fold_case(value.decode("utf-8", "surrogateescape"))
    if op.opcode == Opcode.INIT_NS_FCALL_BY_NAME and name not in functions:
        name = name.rpartition("\\")[2]
    if name in functions:
        return
    builtin = internal_function(name)
    if isinstance(builtin, InternalFunction) and f"s2l_fn_{name}" not in runtime_prototypes():
        yield f"the builtin {name}() is not in the runtime yet"


def _of_operand(op_array: OpArray, operand: Operand) -> Iterator[str]:
    if not operand.is_const:
        return
    value = op_array.literal(operand)
    if isinstance(value, ConstAst):
        yield "a default value that must be evaluated at run time is not compiled yet"
    elif isinstance(value, Inexact):
        yield "the dump text does not tell this literal exactly; give the source, zir or the file cache instead"
