"""Internal functions that the compiler turns into instructions (Zend/zend_compile.c: zend_try_compile_special_func).

``strlen($x)`` becomes STRLEN, ``is_int($x)`` TYPE_CHECK, and so on; only calls with plain positional arguments of the
right number are converted, and in a namespace only fully qualified ones (the caller sees to that).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from ssa2llvm.ir.opcode import Opcode
from ssa2llvm.ir.operands import word
from ssa2llvm.ir.types import (
    IS_BOOL,
    IS_DOUBLE,
    IS_LONG,
    IS_STRING,
    MAY_BE_ARRAY,
    MAY_BE_BOOL,
    MAY_BE_DOUBLE,
    MAY_BE_LONG,
    MAY_BE_NULL,
    MAY_BE_OBJECT,
    MAY_BE_RESOURCE,
    MAY_BE_STRING,
)
from ssa2llvm.php import ast
from ssa2llvm.php.ast import Node
from ssa2llvm.php.lower import fold
from ssa2llvm.php.lower.callee import MAY_HAVE_EXTRA_NAMED_PARAMS, is_finished, known_function, used_stack
from ssa2llvm.php.lower.compiler import NOTHING, Compiler, Const, Fetch, ZNode
from ssa2llvm.php.lower.namespaces import lower
from ssa2llvm.values.array import PhpArray
from ssa2llvm.values.numeric import numeric_value
from ssa2llvm.values.types import is_int, to_bytes, to_text

_Special: TypeAlias = Callable[[Compiler, list[Node]], "ZNode | None"]
_TYPE_CHECKS = {
    "is_null": MAY_BE_NULL,
    "is_bool": MAY_BE_BOOL,
    "is_long": MAY_BE_LONG,
    "is_int": MAY_BE_LONG,
    "is_integer": MAY_BE_LONG,
    "is_float": MAY_BE_DOUBLE,
    "is_double": MAY_BE_DOUBLE,
    "is_string": MAY_BE_STRING,
    "is_array": MAY_BE_ARRAY,
    "is_object": MAY_BE_OBJECT,
    "is_resource": MAY_BE_RESOURCE,
    "is_scalar": MAY_BE_BOOL | MAY_BE_DOUBLE | MAY_BE_LONG | MAY_BE_STRING,
}
_CASTS = {
    "boolval": IS_BOOL,
    "intval": IS_LONG,
    "floatval": IS_DOUBLE,
    "doubleval": IS_DOUBLE,
    "strval": IS_STRING,
}
_MAX_INT32 = 0x7FFFFFFF


def compile_special(c: Compiler, name: str, args: ast.Args, fetch: Fetch) -> ZNode | None:
    """The result of the call if it is compiled specially, else None."""
    items = args.items
    if any(isinstance(item, (ast.Unpack, ast.NamedArg)) for item in items):
        return None
    if name in _TYPE_CHECKS and len(items) == 1:
        value = c.expr(items[0])
        return c.emit_tmp(Opcode.TYPE_CHECK, value, ext=_TYPE_CHECKS[name])
    if name in _CASTS and len(items) == 1:
        value = c.expr(items[0])
        if _CASTS[name] == IS_BOOL:
            return c.emit_tmp(Opcode.BOOL, value)
        return c.emit_tmp(Opcode.CAST, value, ext=_CASTS[name])
    if name in ("chr", "ord") and fetch != Fetch.R:
        return None
    if name in ("call_user_func", "call_user_func_array"):
        return _call_user_func(c, name, items)
    handler = _HANDLERS.get(name)
    return handler(c, items) if handler is not None else None


def _strlen(c: Compiler, items: list[Node]) -> ZNode | None:
    if len(items) != 1:
        return None
    value = c.expr(items[0])
    if isinstance(value, Const) and isinstance(value.value, bytes):
        return Const(len(value.value))
    return c.emit_tmp(Opcode.STRLEN, value)


def _defined(c: Compiler, items: list[Node]) -> ZNode | None:
    if len(items) != 1 or not isinstance(items[0], ast.Literal):
        return None
    name = to_text(fold.text(items[0].value))
    if "\\" in name or ":" in name:
        return None
    if fold.constant(c, name, False) is not None:
        return Const(True)
    return c.emit_tmp(Opcode.DEFINED, Const(to_bytes(name)))


def _chr(c: Compiler, items: list[Node]) -> ZNode | None:
    if len(items) == 1 and isinstance(items[0], ast.Literal):
        value = items[0].value
        if isinstance(value, int) and not isinstance(value, bool):
            return Const(bytes([value & 0xFF]))
    return None


def _ord(c: Compiler, items: list[Node]) -> ZNode | None:
    if len(items) == 1 and isinstance(items[0], ast.Literal) and isinstance(items[0].value, bytes):
        return Const(items[0].value[0] if items[0].value else 0)
    return None


def _in_array(c: Compiler, items: list[Node]) -> ZNode | None:
    strict = False
    if len(items) == 3:
        flag: Const | None
        if isinstance(items[2], ast.Literal):
            flag = Const(items[2].value)
        elif isinstance(items[2], ast.ConstFetch):
            flag = fold.constant(c, *c.names.constant(items[2].name))
        else:
            flag = None
        if flag is None:
            return None
        strict = fold.truth(flag.value)
    elif len(items) != 2:
        return None
    if not isinstance(items[1], ast.Array):
        return None
    haystack = fold.array(c, items[1])
    if haystack is None:
        return None
    assert isinstance(haystack.value, PhpArray)
    lookup = _lookup_table(haystack.value, strict)
    if lookup is None:
        return None
    needle = c.expr(items[0])
    return c.emit_tmp(Opcode.IN_ARRAY, needle, Const(lookup), int(strict))


def _lookup_table(haystack: PhpArray, strict: bool) -> PhpArray | None:
    """The values as keys of a hash, if a hash look-up compares as in_array() does."""
    if not len(haystack):
        return haystack
    table = PhpArray()
    for value in haystack.values():
        if isinstance(value, bytes) and (strict or numeric_value(value) is None):
            key: int | bytes = value
        elif strict and is_int(value):
            key = value
        else:
            return None
        if key not in table:
            table.put(key, True)
    return table


def _count(opcode_flag: int) -> _Special:
    def compile_count(c: Compiler, items: list[Node]) -> ZNode | None:
        if len(items) != 1:
            return None
        value = c.expr(items[0])
        return c.emit_tmp(Opcode.COUNT, value, ext=opcode_flag)

    return compile_count


def _get_class(c: Compiler, items: list[Node]) -> ZNode | None:
    if len(items) > 1:
        return None
    value = c.expr(items[0]) if items else NOTHING
    return c.emit_tmp(Opcode.GET_CLASS, value)


def _get_called_class(c: Compiler, items: list[Node]) -> ZNode | None:
    return None if items else c.emit_tmp(Opcode.GET_CALLED_CLASS)


def _gettype(c: Compiler, items: list[Node]) -> ZNode | None:
    if len(items) != 1:
        return None
    value = c.expr(items[0])
    return c.emit_tmp(Opcode.GET_TYPE, value)


def _func_num_args(c: Compiler, items: list[Node]) -> ZNode | None:
    return c.emit_tmp(Opcode.FUNC_NUM_ARGS) if not items and not c.function.is_main else None


def _func_get_args(c: Compiler, items: list[Node]) -> ZNode | None:
    return c.emit_tmp(Opcode.FUNC_GET_ARGS) if not items and not c.function.is_main else None


def _called_name(c: Compiler, node: Node) -> str | None:
    """The lower-case name of the function that ``node`` calls."""
    if not isinstance(node, ast.Call) or not isinstance(node.function, ast.Name) or node.args.convert:
        return None
    return lower(c.names.function(node.function)[0])


def _array_slice(c: Compiler, items: list[Node]) -> ZNode | None:
    """``array_slice(func_get_args(), n)``."""
    if c.function.is_main or len(items) != 2 or not isinstance(items[1], ast.Literal):
        return None
    skipped = items[1].value
    inner = items[0]
    if _called_name(c, inner) != "func_get_args" or not is_int(skipped) or skipped < 0:
        return None
    assert isinstance(inner, ast.Call)
    if inner.args.items:
        return None
    return c.emit_tmp(Opcode.FUNC_GET_ARGS, Const(skipped))


def _array_key_exists(c: Compiler, items: list[Node]) -> ZNode | None:
    if len(items) != 2:
        return None
    key = c.expr(items[0])
    array = c.expr(items[1])
    return c.emit_tmp(Opcode.ARRAY_KEY_EXISTS, key, array)


def _call_user_func(c: Compiler, name: str, items: list[Node]) -> ZNode | None:
    """call_user_func() and call_user_func_array()."""
    if name == "call_user_func":
        if not items:
            return None
        _init_user_call(c, items[0], len(items) - 1, name)
        for number, item in enumerate(items[1:], start=1):
            value = c.expr(item)
            c.emit(Opcode.SEND_USER, value).op2 = word(number)
        return c.emit_var(Opcode.DO_FCALL)
    if len(items) != 2:
        return None
    _init_user_call(c, items[0], 0, name)
    if _called_name(c, items[1]) == "array_slice":
        assert isinstance(items[1], ast.Call)
        inner = items[1].args.items
        plain = not any(isinstance(item, (ast.Unpack, ast.NamedArg)) for item in inner)
        if plain and len(inner) == 3 and isinstance(inner[1], ast.Literal):
            skipped = inner[1].value
            if is_int(skipped) and 0 <= skipped <= _MAX_INT32:
                array = c.expr(inner[0])
                length = c.expr(inner[2])
                c.emit(Opcode.SEND_ARRAY, array, length, skipped)
                return c.emit_var(Opcode.DO_FCALL)
    array = c.expr(items[1])
    c.emit(Opcode.SEND_ARRAY, array)
    c.emit(Opcode.CHECK_UNDEF_ARGS)
    return c.emit_var(Opcode.DO_FCALL, ext=MAY_HAVE_EXTRA_NAMED_PARAMS)


def _init_user_call(c: Compiler, callable_: Node, count: int, name: str) -> None:
    """INIT_FCALL if the callable is a string that names a known function, else INIT_USER_CALL."""
    if isinstance(callable_, ast.Literal) and isinstance(callable_.value, bytes):
        key = lower(to_text(callable_.value))
        callee = known_function(c, key)
        if callee is not None and is_finished(callee):
            op = c.emit(Opcode.INIT_FCALL, ext=count)
            op.op1 = word(used_stack(count, callee))
            op.op2 = c.string(key)
            return
    value = c.expr(callable_)
    op = c.emit(Opcode.INIT_USER_CALL, ext=count)
    op.op2 = c.operand(value)
    op.op1 = c.string(name)


_HANDLERS: dict[str, _Special] = {
    "strlen": _strlen,
    "defined": _defined,
    "chr": _chr,
    "ord": _ord,
    "in_array": _in_array,
    "count": _count(0),
    "sizeof": _count(1),
    "get_class": _get_class,
    "get_called_class": _get_called_class,
    "gettype": _gettype,
    "func_num_args": _func_num_args,
    "func_get_args": _func_get_args,
    "array_slice": _array_slice,
    "array_key_exists": _array_key_exists,
}
