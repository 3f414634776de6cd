"""What a call knows of the function it calls (Zend/zend_compile.c: fbc_is_finalized; Zend/zend_execute.h:
zend_vm_calc_used_stack)."""

from __future__ import annotations

from typing import TypeAlias

from ssa2llvm.ir.operands import Operand
from ssa2llvm.php.internals import InternalFunction, internal_function
from ssa2llvm.php.lower.compiler import Compiler
from ssa2llvm.php.lower.namespaces import lower
from ssa2llvm.php.lower.state import UserFunction

Callee: TypeAlias = UserFunction | InternalFunction | None
MAY_HAVE_EXTRA_NAMED_PARAMS = 1  # extended_value of DO_FCALL
_FRAME_SLOTS = 5
_SLOT_SIZE = 16


def known_function(c: Compiler, name: str) -> Callee:
    """The function of this lower-case name, if a call may rely on it."""
    user = c.functions.get(name)
    return user if user is not None else internal_function(name)


def is_finished(callee: Callee) -> bool:
    """Whether the size of the callee's frame is known."""
    return callee is not None and (isinstance(callee, InternalFunction) or callee.done)


def used_stack(count: int, callee: Callee) -> int:
    """Bytes of the callee's frame (zend_vm_calc_used_stack)."""
    slots = _FRAME_SLOTS + count
    if isinstance(callee, UserFunction):
        assert callee.op_array is not None
        slots += callee.op_array.num_slots - min(callee.num_args, count)
    return slots * _SLOT_SIZE


def name_literals(c: Compiler, name: str) -> Operand:
    """A function name as a literal, followed by its lower-case form."""
    operand = c.string(name)
    c.string(lower(name))
    return operand
