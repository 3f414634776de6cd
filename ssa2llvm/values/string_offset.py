"""String offsets: ``$s[$i]`` read, tested and written.

Follows Zend/zend_execute.c (``zend_check_string_offset``, ``zend_fetch_dimension_address_read``,
``zend_assign_to_string_offset``, ``zend_isset_dim_slow``).
"""

from __future__ import annotations

from collections.abc import Sequence

from ssa2llvm.ir.op_array import Op
from ssa2llvm.ir.opcode import Opcode
from ssa2llvm.values.array import PhpArray
from ssa2llvm.values.convert import float_to_int_checked, to_int, to_string
from ssa2llvm.values.host import Host, PhpError
from ssa2llvm.values.numeric import parse_numeric
from ssa2llvm.values.types import PhpObject, Value, to_text, type_name

ASSIGN_OP_ON_OFFSET = "Cannot use assign-op operators with string offsets"
REFERENCE_TO_OFFSET = "Cannot create references to/from string offsets"
_WRONG_WRITES = {
    Opcode.ASSIGN_OP: ASSIGN_OP_ON_OFFSET,
    **dict.fromkeys(
        (Opcode.PRE_INC, Opcode.PRE_DEC, Opcode.POST_INC, Opcode.POST_DEC),
        "Cannot increment/decrement string offsets",
    ),
    **dict.fromkeys(
        (
            Opcode.ASSIGN_REF,
            Opcode.MAKE_REF,
            Opcode.SEND_REF,
            Opcode.SEND_FUNC_ARG,
            Opcode.RETURN_BY_REF,
            Opcode.FE_RESET_RW,
        ),
        REFERENCE_TO_OFFSET,
    ),
}


def wrong_write(ops: Sequence[Op], number: int) -> str:
    """What PHP says where instruction ``number`` of ``ops`` fetches an offset of a string for writing: it depends on
    the next instruction, which wants the slot (``zend_wrong_string_offset_error``)."""
    following = ops[number + 1].opcode if 0 <= number < len(ops) - 1 else Opcode.NOP
    return _WRONG_WRITES.get(Opcode(following), "Cannot use string offset as an array")


def _illegal(offset: Value) -> PhpError:
    return PhpError("TypeError", f"Cannot access offset of type {type_name(offset)} on string")


def string_offset(offset: Value, host: Host) -> int:
    """An offset into a string as an int, with PHP's warnings. Raises TypeError."""
    if isinstance(offset, int) and not isinstance(offset, bool):
        return offset
    if isinstance(offset, bytes):
        parsed = parse_numeric(offset)
        if parsed is None or not isinstance(parsed.value, int):
            raise _illegal(offset)
        if parsed.trailing:
            host.warning(f'Illegal string offset "{to_text(offset)}"')
        return parsed.value
    if isinstance(offset, (PhpArray, PhpObject)):
        raise _illegal(offset)
    host.warning("String offset cast occurred")
    return to_int(offset, host)


def read_offset(text: bytes, offset: Value, host: Host) -> bytes:
    """``$text[$offset]``."""
    position = string_offset(offset, host)
    if not -len(text) <= position < len(text):
        host.warning(f"Uninitialized string offset {position}")
        return b""
    return text[position : position + 1] if position >= 0 else text[len(text) + position :][:1]


def read_offset_quietly(text: bytes, offset: Value, host: Host) -> bytes | None:
    """``$text[$offset] ?? …``: null where there is nothing."""
    if isinstance(offset, bytes):
        parsed = parse_numeric(offset)
        if parsed is None or not isinstance(parsed.value, int):
            return None
        if parsed.trailing:
            host.warning(f'Illegal string offset "{to_text(offset)}"')
        position = parsed.value
    elif isinstance(offset, (PhpArray, PhpObject)):
        raise _illegal(offset)
    else:
        position = to_int(offset, host)
    if not -len(text) <= position < len(text):
        return None
    return text[position : position + 1] if position >= 0 else text[len(text) + position :][:1]


def tested_offset(text: bytes, offset: Value, host: Host) -> bytes | None:
    """The byte that ``isset($text[$offset])`` and ``empty`` look at, None if there is none."""
    if isinstance(offset, (PhpArray, PhpObject)):
        return None
    if isinstance(offset, bytes):
        parsed = parse_numeric(offset)
        if parsed is None or parsed.trailing or not isinstance(parsed.value, int):
            return None
        position = parsed.value
    else:
        position = float_to_int_checked(offset, host) if isinstance(offset, float) else to_int(offset, host)
    position += len(text) if position < 0 else 0
    return text[position : position + 1] if 0 <= position < len(text) else None


def write_offset(text: bytes, offset: Value, value: Value, host: Host) -> tuple[bytes, bytes | None]:
    """``$text[$offset] = $value``: the new string and the byte assigned (None if nothing was)."""
    position = string_offset(offset, host)
    if position < -len(text):
        host.warning(f"Illegal string offset {position}")
        return text, None
    position += len(text) if position < 0 else 0
    byte = to_string(value, host)
    if not byte:
        raise PhpError("Error", "Cannot assign an empty string to a string offset")
    if len(byte) > 1:
        host.warning("Only the first byte will be assigned to the string offset")
        byte = byte[:1]
    padded = text + b" " * (position - len(text))
    return padded[:position] + byte + padded[position + 1 :], byte
