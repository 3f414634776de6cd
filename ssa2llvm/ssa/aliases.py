"""Which variables may change, or be read, without an instruction that names them.

Inside a function: include and eval, ``$$x``, extract(), compact(), get_defined_vars() reach all its variables
(ZEND_FUNC_INDIRECT_VAR_ACCESS, found in zend_cfg.c:zend_build_cfg). PHP builds no SSA form for such a function.

In the main script, variables are globals, and functions reach them by name through ``global $x`` and ``$GLOBALS['x']``.
PHP therefore knows nothing about any of them. But a name that the whole script mentions in no such place, with no code
in it that could come from elsewhere or compute names, belongs to the main script alone: it is a local variable.
"""

from __future__ import annotations

from ssa2llvm.ir.op_array import Op, OpArray, Script
from ssa2llvm.ir.opcode import Opcode
from ssa2llvm.ir.operands import FETCH_GLOBAL, FETCH_GLOBAL_LOCK, FETCH_LOCAL

_NAMED_FETCHES = frozenset(
    {
        Opcode.FETCH_R,
        Opcode.FETCH_W,
        Opcode.FETCH_RW,
        Opcode.FETCH_FUNC_ARG,
        Opcode.FETCH_IS,
        Opcode.FETCH_UNSET,
        Opcode.UNSET_VAR,
        Opcode.ISSET_ISEMPTY_VAR,
    }
)
_CALLS_BY_CONSTANT_NAME = frozenset({Opcode.INIT_FCALL, Opcode.INIT_NS_FCALL_BY_NAME, Opcode.INIT_FCALL_BY_NAME})
_REACH_THE_CALLERS_VARIABLES = frozenset({b"extract", b"compact", b"get_defined_vars", b"db2_execute"})

_GLOBAL = FETCH_GLOBAL | FETCH_GLOBAL_LOCK


def accesses_indirectly(op_array: OpArray) -> bool:
    """Whether some instruction may read or write this function's variables by a computed name
    (zend_cfg.c: the cases that set ZEND_FUNC_INDIRECT_VAR_ACCESS)."""
    return any(_accesses_indirectly(op_array, op) for op in op_array.ops)


def _accesses_indirectly(op_array: OpArray, op: Op) -> bool:
    opcode = op.opcode
    if opcode == Opcode.INCLUDE_OR_EVAL:
        return True
    if opcode in _NAMED_FETCHES:
        return bool(op.extended_value & FETCH_LOCAL) or (op_array.is_main and bool(op.extended_value & _GLOBAL))
    return opcode in _CALLS_BY_CONSTANT_NAME and _called_name(op_array, op) in _REACH_THE_CALLERS_VARIABLES


def _called_name(op_array: OpArray, op: Op) -> bytes:
    """The function's name in lower case, without the namespace that INIT_NS_FCALL_BY_NAME tries first."""
    name = op_array.literal(op.op2) if op.op2.is_const else None
    return name.lower().rsplit(b"\\", 1)[-1] if isinstance(name, bytes) else b""


def global_names(script: Script) -> frozenset[str] | None:
    """Return the names of the main script's variables that anything besides the main script's own instructions may
    reach; None if that may be any name."""
    names: set[str] = set()
    if accesses_indirectly(script.main):
        # The main script's own $GLOBALS['x'] with a constant name only concerns x.
        for op in script.main.ops:
            if _accesses_indirectly(script.main, op):
                name = _named_global(script.main, op)
                if name is None:
                    return None
                names.add(name)
    for op_array in script.op_arrays():
        for op in op_array.ops:
            opcode = op.opcode
            if opcode == Opcode.INCLUDE_OR_EVAL or opcode == Opcode.FETCH_GLOBALS:
                return None
            if opcode == Opcode.BIND_GLOBAL:
                literal = op_array.literal(op.op2) if op.op2.is_const else None
                if not isinstance(literal, bytes):
                    return None
                names.add(literal.decode("utf-8", "surrogateescape"))
            elif opcode in _NAMED_FETCHES and op.extended_value & _GLOBAL:
                name = _named_global(op_array, op)
                if name is None:
                    return None
                names.add(name)
    return frozenset(names)


def _named_global(op_array: OpArray, op: Op) -> str | None:
    """The constant name in a fetch of a global, None if it is computed or the fetch is of another kind."""
    if op.opcode not in _NAMED_FETCHES or not op.extended_value & _GLOBAL or not op.op1.is_const:
        return None
    name = op_array.literal(op.op1)
    return name.decode("utf-8", "surrogateescape") if isinstance(name, bytes) else None
