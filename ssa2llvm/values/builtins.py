"""THE builtin table, complete: importing this module enters every builtin. Each ``builtins_*`` file holds one
family.
"""

from __future__ import annotations

from ssa2llvm.values import (  # noqa: F401  (imported for what they enter)
    builtins_array,
    builtins_array_pointer,
    builtins_array_query,
    builtins_callback,
    builtins_math,
    builtins_range,
    builtins_run,
    builtins_sort,
    builtins_string,
    builtins_var,
)
from ssa2llvm.values.builtin_table import BUILTINS, Builtin, Does, Parameter, call_builtin

__all__ = ["BUILTINS", "Builtin", "Does", "Parameter", "call_builtin", "find_builtin"]


def find_builtin(name: str) -> Builtin | None:
    """The builtin of this name, in any case and with or without a leading backslash."""
    return BUILTINS.get(name.removeprefix("\\").lower())
