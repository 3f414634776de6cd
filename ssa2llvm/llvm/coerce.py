"""Declared types of parameters and returns: checked where inference cannot prove them.

PHP checks a parameter in the callee (RECV). Here the caller does, in the order and with the strictness of PHP, before
it jumps to the typed direct entry: an argument whose type is known to fit costs nothing, one that may fit a test of
its tag, and only a misfit goes to the C runtime, which converts or throws with both functions in the trace.

An int given to a float parameter becomes a float in either mode, in registers.
"""

from __future__ import annotations

from collections.abc import Callable

from ssa2llvm.ir.op_array import TypeDecl
from ssa2llvm.ir.types import MAY_BE_ANY, MAY_BE_BOOL, MAY_BE_DOUBLE, MAY_BE_LONG, MAY_BE_VOID
from ssa2llvm.llvm.emitter import Emitter
from ssa2llvm.llvm.layouts import Tag
from ssa2llvm.llvm.lower_jump import tag_in
from ssa2llvm.llvm.numbers import as_double
from ssa2llvm.llvm.representation import Datum, Rep, convert, representation
from ssa2llvm.llvm.seam import LIKELY, integer

__all__ = ["allowed_types", "coerce"]


def allowed_types(decl: TypeDecl) -> int:
    """The mask of values that pass the declared type unchanged."""
    if decl.accepts_any:
        return MAY_BE_ANY
    mask = decl.mask & MAY_BE_ANY
    return mask | MAY_BE_BOOL if decl.mask & MAY_BE_BOOL == MAY_BE_BOOL else mask


def coerce(fn: Emitter, datum: Datum, decl: TypeDecl, misfit: Callable[[Datum], Datum]) -> Datum:
    """``datum`` (consumed, not UNDEF) as the declared type, owned. ``misfit`` writes the call that converts a value
    of another type, or throws; its result is a VALUE."""
    allowed = allowed_types(decl)
    if decl.mask & MAY_BE_VOID or datum.only(allowed):
        return datum
    if allowed & MAY_BE_DOUBLE and not allowed & MAY_BE_LONG and datum.only(MAY_BE_LONG | MAY_BE_DOUBLE):
        return Datum(MAY_BE_DOUBLE, Rep.DOUBLE, (as_double(fn, datum),))
    wanted = representation(allowed)

    def converted() -> Datum:
        result = misfit(datum)
        fn.fail_if(fn.text.compare("eq", result.parts[1], integer(Tag.ERROR)))
        return convert(fn.text, Datum(allowed, result.rep, result.parts), wanted)

    if not datum.may(allowed):
        return converted()

    def unchanged() -> Datum:
        return convert(fn.text, Datum(datum.mask & allowed, datum.rep, datum.parts), wanted)

    return fn.either(tag_in(fn, datum, allowed), unchanged, converted, LIKELY)
