"""The instructions that make up a call: one begins it, any number send its arguments, one makes it.

Zend/zend_opcode.c and zend_optimizer.c walk calls by these same groups; calls nest, so whoever pairs beginnings with
ends needs all of a group, and the groups stand here once. So does what the fetches of arguments become once it is known
who is called.
"""

from __future__ import annotations

from ssa2llvm.ir.opcode import Opcode

NAMED_INITS = frozenset({Opcode.INIT_FCALL, Opcode.INIT_FCALL_BY_NAME, Opcode.INIT_NS_FCALL_BY_NAME})
"""Beginnings of calls of a function that the instruction names."""

FUNCTION_INITS = NAMED_INITS | {Opcode.INIT_DYNAMIC_CALL}
"""Beginnings of calls of functions: named, or by a value."""

INITS = FUNCTION_INITS | {
    Opcode.INIT_USER_CALL,
    Opcode.INIT_METHOD_CALL,
    Opcode.INIT_STATIC_METHOD_CALL,
    Opcode.NEW,
}
"""All beginnings of calls."""

DO_CALLS = frozenset({Opcode.DO_FCALL, Opcode.DO_ICALL, Opcode.DO_UCALL, Opcode.DO_FCALL_BY_NAME})
"""The instructions that make a call."""

CALL_ENDS = DO_CALLS | {Opcode.CALLABLE_CONVERT}
"""What ends what INITS begin: the call, or a closure of it (``f(...)``)."""

SENDS = frozenset(
    {
        Opcode.SEND_VAL,
        Opcode.SEND_VAR,
        Opcode.SEND_VAL_EX,
        Opcode.SEND_VAR_EX,
        Opcode.SEND_FUNC_ARG,
        Opcode.SEND_REF,
        Opcode.SEND_VAR_NO_REF,
        Opcode.SEND_VAR_NO_REF_EX,
        Opcode.SEND_USER,
    }
)
"""The instructions that send one argument."""

READ_INSTEAD = {
    Opcode.FETCH_FUNC_ARG: Opcode.FETCH_R,
    Opcode.FETCH_DIM_FUNC_ARG: Opcode.FETCH_DIM_R,
    Opcode.FETCH_OBJ_FUNC_ARG: Opcode.FETCH_OBJ_R,
    Opcode.FETCH_STATIC_PROP_FUNC_ARG: Opcode.FETCH_STATIC_PROP_R,
}
"""What the fetch of an argument is if the callee takes it by value."""

WRITTEN_INSTEAD = {
    Opcode.FETCH_FUNC_ARG: Opcode.FETCH_W,
    Opcode.FETCH_DIM_FUNC_ARG: Opcode.FETCH_DIM_W,
    Opcode.FETCH_OBJ_FUNC_ARG: Opcode.FETCH_OBJ_W,
    Opcode.FETCH_STATIC_PROP_FUNC_ARG: Opcode.FETCH_STATIC_PROP_W,
}
"""What it is if the callee takes it by reference."""
