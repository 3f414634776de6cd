"""The destructed form as text: SSA form's own, with the locations in a table before it.

PHP has no such stage, so the form is ours: each instruction still shows its names, and the table says which names are
in which location, of what representation and storage class.
"""

from __future__ import annotations

from ssa2llvm.destruct.destruct import Destructed
from ssa2llvm.formats.zend_block_printer import print_ssa


def print_destructed(destructed: Destructed) -> bytes:
    """The locations and the code of one function."""
    function = destructed.function
    lines = [f'\nLOCATIONS for "{function.op_array.symbol}"']
    for location in destructed.locations:
        names = ", ".join(function.name_text(name) for name in location.names)
        kind = getattr(location.representation, "name", str(location.representation)).lower()
        lines.append(f"    L{location.id} {kind} ({location.storage.value}): {names}")
    statistics = destructed.statistics
    lines.append(f"    ; {statistics}")
    return ("\n".join(lines) + "\n").encode("utf-8", "surrogateescape") + print_ssa(function, "destructed")
