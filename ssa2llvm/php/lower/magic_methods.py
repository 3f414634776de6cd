"""What PHP asks of methods with two leading underscores (Zend/zend_API.c: zend_check_magic_method_implementation)."""

from __future__ import annotations

from dataclasses import dataclass

from ssa2llvm.ir.op_array import ArgInfo, FnFlags, TypeDecl
from ssa2llvm.ir.types import (
    MAY_BE_ARRAY,
    MAY_BE_BOOL,
    MAY_BE_NEVER,
    MAY_BE_NULL,
    MAY_BE_OBJECT,
    MAY_BE_STATIC,
    MAY_BE_STRING,
    MAY_BE_VOID,
    declaration_text,
)
from ssa2llvm.php.lower.compiler import Compiler
from ssa2llvm.php.lower.state import FunctionState
from ssa2llvm.values.host import Level


@dataclass(frozen=True, slots=True)
class _Rule:
    """``count`` None: any number of parameters; ``params``: what each must accept if typed; ``returns`` None: any
    type."""

    count: int | None
    static: bool = False
    params: tuple[int, ...] = ()
    returns: int | None = None
    public: bool = True
    untyped: bool = False


_RULES = {
    "__construct": _Rule(None, public=False, untyped=True),
    "__destruct": _Rule(0, public=False, untyped=True),
    "__clone": _Rule(0, public=False, returns=MAY_BE_VOID),
    "__get": _Rule(1, params=(MAY_BE_STRING,)),
    "__set": _Rule(2, params=(MAY_BE_STRING,), returns=MAY_BE_VOID),
    "__unset": _Rule(1, params=(MAY_BE_STRING,), returns=MAY_BE_VOID),
    "__isset": _Rule(1, params=(MAY_BE_STRING,), returns=MAY_BE_BOOL),
    "__call": _Rule(2, params=(MAY_BE_STRING, MAY_BE_ARRAY)),
    "__callstatic": _Rule(2, static=True, params=(MAY_BE_STRING, MAY_BE_ARRAY)),
    "__tostring": _Rule(0, returns=MAY_BE_STRING),
    "__debuginfo": _Rule(0, returns=MAY_BE_ARRAY | MAY_BE_NULL),
    "__serialize": _Rule(0, returns=MAY_BE_ARRAY),
    "__unserialize": _Rule(1, params=(MAY_BE_ARRAY,), returns=MAY_BE_VOID),
    "__set_state": _Rule(1, static=True, params=(MAY_BE_ARRAY,), returns=MAY_BE_OBJECT),
    "__invoke": _Rule(None),
    "__sleep": _Rule(0, returns=MAY_BE_ARRAY),
    "__wakeup": _Rule(0, returns=MAY_BE_VOID),
}


def check_magic_method(c: Compiler, class_name: str, key: str, function: FunctionState) -> None:
    """Check the method of lower-case name ``key``; other methods pass."""
    rule = _RULES.get(key)
    if rule is None:
        return
    name = f"{class_name}::{function.name}()"
    if rule.count is not None:
        _check_count(c, name, rule.count, function)
    is_static = bool(function.flags & FnFlags.STATIC)
    if is_static and not rule.static:
        c.error(f"Method {name} cannot be static")
    if rule.static and not is_static:
        c.error(f"Method {name} must be static")
    if rule.public and function.flags & (FnFlags.PRIVATE | FnFlags.PROTECTED):
        c.report(Level.WARNING, f"The magic method {name} must have public visibility")
    if rule.untyped and function.flags & FnFlags.HAS_RETURN_TYPE:
        c.error(f"Method {name} cannot declare a return type")
    for position, mask in enumerate(rule.params):
        _check_param(c, name, position, function.arg_info[position], mask)
    if rule.returns is not None and function.flags & FnFlags.HAS_RETURN_TYPE:
        _check_return(c, name, function.return_type, rule.returns)


def _check_count(c: Compiler, name: str, count: int, function: FunctionState) -> None:
    if function.num_args != count:
        if count == 0:
            c.error(f"Method {name} cannot take arguments")
        plural = "" if count == 1 else "s"
        c.error(f"Method {name} must take exactly {count} argument{plural}")
    if any(info.by_ref for info in function.arg_info[:count]):
        c.error(f"Method {name} cannot take arguments by reference")


def _check_param(c: Compiler, name: str, position: int, info: ArgInfo, mask: int) -> None:
    if info.type.is_set and not info.type.mask & mask:
        c.error(
            f"{name}: Parameter #{position + 1} (${info.name}) must be of type {declaration_text(mask)} when declared"
        )


def _check_return(c: Compiler, name: str, declared: TypeDecl, mask: int) -> None:
    if declared.mask & MAY_BE_NEVER:
        return
    extra = declared.mask & ~mask
    names_a_class = bool(declared.class_names) or bool(extra & MAY_BE_STATIC)
    if extra & ~MAY_BE_STATIC or (names_a_class and mask != MAY_BE_OBJECT):
        c.error(f"{name}: Return type must be {declaration_text(mask)} when declared")
