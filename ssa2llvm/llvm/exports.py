"""A program as a C library: thin wrappers with C types round the direct entries.

    result NAME(parameters)                  one for each function of the script that C can express
    const char *LIBRARY_last_error(void)     what the last call failed with, or NULL
    int64_t LIBRARY_close(void)              drops everything the library owns

The first call opens the library: its context is made and its top-level code runs, once. A call that fails (an
uncaught error, exit, a fatal error) gives zero and leaves its text for ``last_error``; a library never ends its host.
Calls run on the library's own large stack, through ``s2l_library_call``, which wants a *thunk* and its arguments in
memory: each export is such a pair. A library serves one thread at a time.

C types follow the representations of the direct entry (``signature``): int64_t, double, bool, ``struct {int64_t bits;
uint8_t is_double;}`` for int|float, pointer and length for strings, payload and tag for everything else. A string
given to the library is copied. A string it returns belongs to the library and lives until the next call of a function
that returns one.
"""

from __future__ import annotations

from dataclasses import dataclass

from ssa2llvm.ir.types import MAY_BE_ANY
from ssa2llvm.llvm.coerce import allowed_types, coerce
from ssa2llvm.llvm.emitter import Emitter, forget_reference
from ssa2llvm.llvm.frames import VALUE_TYPE
from ssa2llvm.llvm.layouts import STRING
from ssa2llvm.llvm.mangle import c_identifier
from ssa2llvm.llvm.module import ModuleText
from ssa2llvm.llvm.representation import Datum, Rep, convert
from ssa2llvm.llvm.seam import FALSE, I32, I64, PTR, TRUE, BlockText, FunctionText, Val, integer, quoted, zero
from ssa2llvm.llvm.signature import Parameter, Signature

__all__ = ["C_TYPES", "Export", "export_library", "find_exports"]

C_TYPES: dict[Rep, tuple[str, ...]] = {
    Rep.NULL: (),
    Rep.BOOL: ("i1",),
    Rep.LONG: (I64,),
    Rep.DOUBLE: ("double",),
    Rep.NUMBER: (I64, "i8"),
    Rep.STRING: (PTR, I64),
    Rep.VALUE: (I64, I64),
}
"""LLVM types of the registers in which C passes each representation."""

_REGISTER_WORDS = 6
_CONTEXT = "@ssa2llvm.library"
_RESULT_STRING = "@ssa2llvm.result"


@dataclass(frozen=True, slots=True)
class Export:
    """A function that C can call, under ``name``."""

    name: str
    signature: Signature


def find_exports(signatures: list[Signature], library: str) -> tuple[list[Export], list[str]]:
    """The functions that C can call, and for the others a sentence each that says why not."""
    exports: list[Export] = []
    left_out: list[str] = []
    taken = {f"{library}_last_error", f"{library}_close"}
    for signature in signatures:
        name = c_identifier(signature.op_array.name)
        reps = [parameter.rep for parameter in signature.parameters]
        words = sum(0 if rep is Rep.DOUBLE else len(C_TYPES.get(rep, ())) for rep in reps)
        doubles = sum(rep is Rep.DOUBLE for rep in reps)
        if any(rep not in C_TYPES for rep in (*reps, signature.result_rep)):
            left_out.append(f"{signature.op_array.name}: takes or returns an array")
        elif any(rep is Rep.NULL for rep in reps):
            left_out.append(f"{signature.op_array.name}: a parameter can never be passed")
        elif words > _REGISTER_WORDS or doubles > 8:
            left_out.append(f"{signature.op_array.name}: too many parameters to pass in registers")
        elif name in taken:
            left_out.append(f"{signature.op_array.name}: the name {name} is taken")
        else:
            taken.add(name)
            exports.append(Export(name, signature))
    return exports, left_out


def export_library(module: ModuleText, exports: list[Export], library: str, program: str) -> None:
    """Define the wrappers of ``exports`` and the library's own functions in ``module``; ``program`` is the symbol of
    the program's descriptor."""
    module.define(f"{_CONTEXT} = internal global ptr null")
    module.define(f"{_RESULT_STRING} = internal global ptr null")
    for name in ("s2l_library_open", "s2l_library_call", "s2l_library_error", "s2l_library_close"):
        module.runtime(name)
    module.functions.append(_OPEN.replace("PROGRAM", program))
    for export in exports:
        module.functions.append(_Thunk(module, export).write())
        module.functions.append(_wrapper(export))
    module.functions.append(_LIBRARY.replace("LIBRARY", library))


_OPEN = """\
define internal ptr @ssa2llvm.open() nounwind {
  %known = load ptr, ptr @ssa2llvm.library
  %is_open = icmp ne ptr %known, null
  br i1 %is_open, label %done, label %open
open:
  %context = call ptr @s2l_library_open(ptr PROGRAM, ptr null)
  store ptr %context, ptr @ssa2llvm.library
  br label %done
done:
  %result = phi ptr [ %known, %0 ], [ %context, %open ]
  ret ptr %result
}
"""

_LIBRARY = """\
define ptr @"LIBRARY_last_error"() nounwind {
  %context = call ptr @ssa2llvm.open()
  %text = call ptr @s2l_library_error(ptr %context)
  ret ptr %text
}

define hidden ptr @"LIBRARY_context"() nounwind {
  %context = call ptr @ssa2llvm.open()
  ret ptr %context
}

define i64 @"LIBRARY_close"() nounwind {
  %context = load ptr, ptr @ssa2llvm.library
  %is_open = icmp ne ptr %context, null
  br i1 %is_open, label %close, label %done
close:
  %string = load ptr, ptr @ssa2llvm.result
  %held = icmp ne ptr %string, null
  br i1 %held, label %drop, label %end
drop:
  call void @s2l.drop.string(ptr %context, ptr %string)
  store ptr null, ptr @ssa2llvm.result
  br label %end
end:
  %leaked = call i64 @s2l_library_close(ptr %context)
  store ptr null, ptr @ssa2llvm.library
  ret i64 %leaked
done:
  ret i64 0
}
"""


def _slots(signature: Signature) -> list[int]:
    """Byte offsets of the parameters in the thunk's block of arguments, after 16 bytes for the result."""
    return [16 * (number + 1) for number in range(len(signature.parameters))]


class _Thunk(Emitter):
    """``bool thunk(context, arguments)``: arguments and result of one call are in memory, 16 bytes each, the result
    first."""

    def __init__(self, module: ModuleText, export: Export) -> None:
        text = FunctionText(
            f"define internal zeroext i1 {quoted('thunk.' + export.name)}(ptr %context, ptr %arguments) nounwind"
        )
        op_array = export.signature.op_array
        super().__init__(module, text, export.signature.info, op_array.line_start, op_array.filename)
        self._signature = export.signature
        self._failure: BlockText | None = None

    def write(self) -> str:
        """The text of the thunk."""
        passed: list[Datum] = []
        parameters = zip(self._signature.parameters, _slots(self._signature), strict=True)
        with self.releasing(lambda: self.drop_all(passed)):
            for number, (parameter, offset) in enumerate(parameters):
                self.line = parameter.line
                datum = self._argument(parameter, self.text.offset(Val(PTR, "%arguments"), offset), number)
                passed.append(convert(self.text, datum, parameter.rep))
        self._call(passed)
        return self.text.text()

    def _argument(self, parameter: Parameter, address: Val, number: int) -> Datum:
        """An argument out of memory, owned and of the declared type."""
        parts = [
            self.text.load(part, self.text.offset(address, 8 * index))
            for index, part in enumerate(C_TYPES[parameter.rep])
        ]
        if parameter.rep is Rep.STRING:
            return Datum(parameter.mask, Rep.STRING, (self.runtime("s2l_string_new", *parts),))
        if parameter.rep is Rep.NUMBER:
            is_double = self.text.compare("ne", parts[1], zero("i8"))
            return Datum(parameter.mask, Rep.NUMBER, (parts[0], is_double))
        if parameter.rep is not Rep.VALUE:
            return Datum(parameter.mask, parameter.rep, tuple(parts))
        given = Datum(MAY_BE_ANY, Rep.VALUE, tuple(parts))
        declared = parameter.info.type
        if allowed_types(declared) == MAY_BE_ANY:
            return given

        def misfit(datum: Datum) -> Datum:
            info = self.module.parameter_info(parameter.info.name, declared, number + 1)
            return self.unpack(self.framed("s2l_coerce_parameter", datum, info), MAY_BE_ANY)

        return coerce(self, given, declared, misfit)

    def _call(self, passed: list[Datum]) -> None:
        signature, text = self._signature, self.text
        arguments = [self.context, *(part for datum in passed for part in datum.parts)]
        result = text.call(signature.result_type, signature.symbol, arguments)
        parts = signature.result_parts
        values = (
            [text.extract(part, result, n) for n, part in enumerate(parts)]
            if len(parts) > 1
            else [result][: len(parts)]
        )
        if signature.may_throw:
            self.fail_if(
                values.pop(), lambda: self.runtime("s2l_trace_add", Val(PTR, "null"), integer(0, I32), self.info)
            )
        forget_reference(self, signature)
        self._store(Datum(signature.result_mask, signature.result_rep, tuple(values)))
        text.ret(TRUE)

    def _store(self, datum: Datum) -> None:
        text, address = self.text, Val(PTR, "%arguments")
        parts: list[Val] = list(datum.parts)
        if datum.rep is Rep.STRING:
            previous = text.load(PTR, Val(PTR, _RESULT_STRING))
            text.store(parts[0], Val(PTR, _RESULT_STRING))
            drop, kept = text.new_block("drop"), text.new_block("kept")
            text.branch(text.compare("eq", previous, Val(PTR, "null")), kept, drop)
            text.at(drop)
            text.call("void", "@s2l.drop.string", [self.context, previous])
            text.jump(kept)
            text.at(kept)
            length = text.load(I64, text.offset(parts[0], STRING.offset("length")))
            parts = [text.offset(parts[0], STRING.size), length]
        elif datum.rep is Rep.NUMBER:
            parts[1] = text.cast("zext", parts[1], "i8")
        for index, part in enumerate(parts):
            text.store(part, text.offset(address, 8 * index))

    def unwinder(self) -> BlockText:
        """The block that returns failure."""
        if self._failure is None:
            here = self.text.block
            self._failure = self.text.new_block("failure", cold=True)
            self.text.at(self._failure)
            self.text.ret(FALSE)
            self.text.at(here)
        return self._failure


def _c_type(rep: Rep) -> str:
    parts = C_TYPES[rep]
    if not parts:
        return "void"
    return parts[0] if len(parts) == 1 else "{ " + ", ".join(parts) + " }"


def _wrapper(export: Export) -> str:
    """The exported function: lays its arguments out in memory and calls the thunk on the library's stack."""
    signature = export.signature
    parameters: list[str] = []
    stores: list[tuple[Val, int]] = []
    for number, (parameter, offset) in enumerate(zip(signature.parameters, _slots(signature), strict=True)):
        for index, part in enumerate(C_TYPES[parameter.rep]):
            register = Val(part, f"%a{number}.{index}")
            attribute = "zeroext " if part in ("i1", "i8") else ""
            parameters.append(f"{part} {attribute}{register.ref}")
            stores.append((register, offset + 8 * index))
    result = _c_type(signature.result_rep)
    attribute = "zeroext " if result == "i1" else ""
    text = FunctionText(f"define {attribute}{result} {quoted(export.name)}({', '.join(parameters)}) nounwind")
    block = text.alloca(f"[{len(signature.parameters) + 1} x {VALUE_TYPE}]", "arguments")
    text.store(zero(VALUE_TYPE), block)
    for register, offset in stores:
        text.store(register, text.offset(block, offset))
    context = text.call(PTR, "@ssa2llvm.open", [])
    thunk = Val(PTR, quoted("thunk." + export.name))
    text.value("i1", f"call zeroext i1 @s2l_library_call({context}, {thunk}, {block})")
    if result == "void":
        text.ret()
    elif result.startswith("{"):
        whole = Val(result, "poison")
        for index, part in enumerate(C_TYPES[signature.result_rep]):
            whole = text.insert(whole, text.load(part, text.offset(block, 8 * index)), index)
        text.ret(whole)
    else:
        text.ret(text.load(result, block))
    return text.text()
