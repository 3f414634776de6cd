"""Any stage as JSON: one generic printer over the data classes.

A data class becomes an object of its fields (and ``"class"``, its name), an enumeration its name, a set of flags the
list of its names, a byte string text (bytes that are not UTF-8 as lone surrogates, which JSON escapes). NaN and the
infinities, which JSON lacks, become strings. Objects that are shared are written where they live and referred to
elsewhere: an instruction as ``"b3.2"`` (block, position), a phi as ``"b3.phi0"``; an op array's closures by their
position in the script's list, which is PHP's order.

No recursion over graphs: the nesting of the output is that of the data classes.
"""

from __future__ import annotations

import dataclasses
import json
import math
from collections.abc import Sequence
from enum import Enum, Flag
from typing import Any

from ssa2llvm.ir.function import Function
from ssa2llvm.ir.op_array import ClassDecl, OpArray, Script


def print_json(value: object) -> str:
    """``value`` (a Script, an OpArray, a Function, facts, …) as indented JSON, ending in a newline."""
    return json.dumps(to_plain(value), indent=1) + "\n"


def to_plain(value: object) -> Any:
    """``value`` in terms of dict, list, str, int, float, bool and None."""
    if isinstance(value, Script):
        return _plain_script(value)
    if isinstance(value, Function):
        return _plain_function(value)
    return _Encoder({}).plain(value)


def _plain_script(script: Script) -> dict[str, Any]:
    op_arrays = script.op_arrays()
    names = {id(op_array): number for number, op_array in enumerate(op_arrays)}
    encoder = _Encoder(names)
    return {
        "class": "Script",
        "filename": encoder.plain(script.filename),
        "lossy": encoder.plain(script.lossy),
        "op_arrays": [encoder.fields(op_array) for op_array in op_arrays],
        "classes": [encoder.fields(cls) for cls in script.classes],
    }


def _plain_function(function: Function) -> dict[str, Any]:
    names: dict[int, int | str] = {}
    for block in function.blocks:
        names.update((id(phi), f"b{block.id}.phi{position}") for position, phi in enumerate(block.phis))
        names.update((id(instr), f"b{block.id}.{position}") for position, instr in enumerate(block.instrs))
    encoder = _Encoder(names)
    plain = encoder.fields(function)
    for block, target in zip(function.blocks, plain["blocks"], strict=True):
        target["phis"] = [encoder.fields(phi) for phi in block.phis]
        target["instrs"] = [encoder.fields(instr) for instr in block.instrs]
    plain["op_array"] = {**encoder.fields(function.op_array), "ops": None}
    return plain


class _Encoder:
    """Writes values; objects in ``names`` are written as these names."""

    def __init__(self, names: dict[int, int] | dict[int, int | str]) -> None:
        self._names = names

    def plain(self, value: object) -> Any:
        if value is None or (isinstance(value, bool | int | str) and not isinstance(value, Enum)):
            return value
        if isinstance(value, float):
            return value if math.isfinite(value) else repr(value)
        if isinstance(value, bytes):
            return value.decode("utf-8", "surrogateescape")
        if isinstance(value, Flag):
            return [member.name for member in type(value) if member and member in value and member.name]
        if isinstance(value, Enum):
            return value.name
        if id(value) in self._names:
            return self._names[id(value)]
        if dataclasses.is_dataclass(value) and not isinstance(value, type):
            return self.fields(value)
        if isinstance(value, dict):
            return [[self.plain(key), self.plain(item)] for key, item in value.items()]
        if isinstance(value, Sequence):
            return [self.plain(item) for item in value]
        return str(value)

    def fields(self, value: Any) -> dict[str, Any]:
        """The fields of a data class, even if it has a name of its own."""
        result: dict[str, Any] = {"class": type(value).__name__}
        for field in dataclasses.fields(value):
            if not field.repr:
                continue
            item = getattr(value, field.name)
            is_methods = isinstance(value, ClassDecl) and field.name == "methods"
            if is_methods or (isinstance(value, OpArray) and field.name == "dynamic_defs"):
                result[field.name] = [self._names.get(id(op_array), op_array.name) for op_array in item]
            else:
                result[field.name] = self.plain(item)
        return result
