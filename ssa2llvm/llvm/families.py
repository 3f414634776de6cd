"""All families of opcodes: importing one registers its lowering functions."""

from __future__ import annotations

from importlib import import_module

__all__ = ["load"]

_FAMILIES = (
    "lower_arith",
    "lower_array_make",
    "lower_array_read",
    "lower_array_write",
    "lower_assign",
    "lower_call",
    "lower_cast",
    "lower_compare",
    "lower_constant",
    "lower_exception",
    "lower_fetch",
    "lower_foreach",
    "lower_function",
    "lower_jump",
    "lower_string",
    "lower_switch",
    "lower_variable",
)


def load() -> None:
    """Fill ``registry.LOWERERS``; cheap after the first time."""
    for family in _FAMILIES:
        import_module(f"ssa2llvm.llvm.{family}")
