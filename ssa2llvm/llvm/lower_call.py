"""Calls: typed direct calls of user functions, builtins by the uniform C signature, dynamic calls through generic
entries.

``opt.calls`` has folded INIT and SENDs away: a DO lists its arguments as SSA names. A call of a user function checks
and completes them (``coerce``), passes them in registers and tests the status that comes back, if there is one. While
an error unwinds through a call site, the site adds its line to the error's trace: hot calls keep no shadow frame,
unless the program may look at traces before that (``traces``).
"""

from __future__ import annotations

from collections.abc import Callable

from ssa2llvm.ir.function import Instr
from ssa2llvm.ir.op_array import FnFlags, TypeDecl
from ssa2llvm.ir.opcode import Opcode
from ssa2llvm.ir.types import MAY_BE_ANY, MAY_BE_ARRAY
from ssa2llvm.llvm.coerce import allowed_types, coerce
from ssa2llvm.llvm.emitter import forget_reference
from ssa2llvm.llvm.frames import VALUE_TYPE
from ssa2llvm.llvm.function import FunctionLowering
from ssa2llvm.llvm.layouts import FUNCTION_INFO, STRING, Tag
from ssa2llvm.llvm.lower_array_make import array_kind
from ssa2llvm.llvm.lower_builtin import lower_natively
from ssa2llvm.llvm.lower_jump import tag_in
from ssa2llvm.llvm.lower_variable import reference_datum
from ssa2llvm.llvm.mangle import fold_case
from ssa2llvm.llvm.registry import lowers
from ssa2llvm.llvm.representation import Datum, Rep, convert
from ssa2llvm.llvm.seam import FALSE, I32, PTR, TRUE, Val, integer
from ssa2llvm.llvm.signature import Parameter, Signature

__all__: list[str] = []


def _callee_name(fn: FunctionLowering, instr: Instr) -> str:
    value = fn.literal(instr.op2)
    assert isinstance(value, bytes)
    return value.decode("utf-8", "surrogateescape")


@lowers(Opcode.DO_UCALL)
def _call_user(fn: FunctionLowering, instr: Instr) -> None:
    signature = fn.program.signature(fold_case(_callee_name(fn, instr)))
    passed = _Arguments(fn, signature, [fn.name(name) for name in instr.args]).complete()
    if passed is None:
        return
    result = call_direct(fn, signature, passed)
    if signature.returns_reference and fn.is_cell(instr.result):
        _hold_reference(fn, instr, result)
        return
    forget_reference(fn, signature)
    fn.define(instr.result_def, result)


def _hold_reference(fn: FunctionLowering, instr: Instr, result: Datum) -> None:
    """The result's cell gets the reference that the function returned (or its value, if it returned none), for the
    instruction that wants it."""
    reference = fn.runtime("s2l_returned_reference")

    def returned() -> Datum:
        fn.drop(result)
        return reference_datum(fn, reference)

    present = fn.text.compare("ne", reference, Val(PTR, "null"))
    fn.hold(instr.result.num, fn.either(present, returned, lambda: result))


class _Arguments:
    """The owned arguments of one call on their way to the callee's representation."""

    def __init__(self, fn: FunctionLowering, signature: Signature, data: list[Datum]) -> None:
        self._fn = fn
        self._signature = signature
        self._owned: list[Datum | None] = list(data)

    def complete(self) -> list[Datum] | None:
        """Check and convert in the order of the parameters; None if the call cannot happen, as a required argument is
        missing. Surplus arguments are dropped."""
        fn, parameters = self._fn, self._signature.parameters
        given = len(self._owned)
        with fn.releasing(self._drop_all):
            for number, parameter in enumerate(parameters):
                if parameter.info.variadic:
                    self._gather(number, parameter)
                elif number < given:
                    self._owned[number] = self._coerced(number, parameter)
                elif parameter.has_default:
                    self._owned.append(fn.owned_constant(parameter.default))
                else:
                    self._too_few(given, parameter)
                    return None
        for number, parameter in enumerate(parameters):
            datum = self._owned[number]
            assert datum is not None
            self._owned[number] = convert(fn.text, datum, parameter.rep)
        for surplus in self._owned[len(parameters) :]:
            assert surplus is not None
            fn.drop(surplus)
        return [datum for datum in self._owned[: len(parameters)] if datum is not None]

    def _gather(self, first: int, parameter: Parameter) -> None:
        """Put the arguments from number ``first`` on into the array that a variadic parameter is."""
        fn, count = self._fn, len(self._owned) - first
        for number in range(first, first + count):
            self._owned[number] = self._coerced(number, parameter)
        address = fn.text.alloca(PTR, "rest")
        fn.text.store(fn.runtime("s2l_array_new", integer(max(count, 0)), integer(array_kind(0), I32)), address)
        for number in range(count):
            datum = self._owned[first + number]
            assert datum is not None
            fn.runtime("s2l_array_set_long", address, integer(number), datum)
        self._owned[first:] = [Datum(MAY_BE_ARRAY, Rep.ARRAY, (fn.text.load(PTR, address),))]

    def _coerced(self, number: int, parameter: Parameter) -> Datum:
        datum = self._owned[number]
        assert datum is not None
        self._owned[number] = None  # consumed by the conversion, whatever comes of it
        declared = parameter.info.type

        def misfit(given: Datum) -> Datum:
            name = None if parameter.info.variadic else parameter.info.name
            info = self._fn.module.parameter_info(name, declared, number + 1)
            pair = self._fn.framed_in("s2l_coerce_parameter", self._signature, parameter.line, given, info)
            return self._fn.unpack(pair, MAY_BE_ANY)

        if not parameter.info.by_ref:
            return coerce(self._fn, datum, declared, misfit)
        self._owned[number] = datum
        self._check_reference(datum, declared, misfit)
        return datum

    def _check_reference(self, datum: Datum, declared: TypeDecl, misfit: Callable[[Datum], Datum]) -> None:
        """Check the value behind a reference; one that is converted is written back."""
        fn, allowed = self._fn, allowed_types(declared)
        if allowed == MAY_BE_ANY:
            return
        address = fn.scratch(VALUE_TYPE)
        fn.store_value(datum, address)
        target = fn.target_of(address)
        value = fn.load_value(target)
        good, bad = fn.text.new_block("good"), fn.text.new_block("bad", cold=True)
        fn.text.branch(tag_in(fn, value, allowed), good, bad)
        fn.text.at(bad)
        fn.dup(value)
        converted = misfit(value)
        fn.fail_if(fn.text.compare("eq", converted.parts[1], integer(Tag.ERROR)))
        fn.store_value(converted, target)
        fn.drop(value)
        fn.text.jump(good)
        fn.text.at(good)

    def _too_few(self, given: int, parameter: Parameter) -> None:
        fn, required = self._fn, self._signature.required
        exactly = TRUE if required == len(self._signature.parameters) else FALSE
        counts = integer(given, I32), integer(required, I32)
        fn.framed_in("s2l_throw_too_few_arguments", self._signature, parameter.line, *counts, exactly)
        fn.fail()

    def _drop_all(self) -> None:
        for datum in self._owned:
            if datum is not None:
                self._fn.drop(datum)


def call_direct(fn: FunctionLowering, signature: Signature, passed: list[Datum]) -> Datum:
    """Call a direct entry with arguments of its representations; the owned result."""
    fn.callees.add(fold_case(signature.op_array.symbol))
    arguments = [fn.context, *(part for datum in passed for part in datum.parts)]
    shown = FnFlags.DISPATCHER not in fn.op_array.flags  # else its own caller is what the trace shows
    linked = fn.link_frame() if signature.may_throw and shown and fn.module.keeps_frames else None
    result = fn.text.call(signature.result_type, signature.symbol, arguments)
    if linked is not None:
        fn.text.store(linked[1], linked[0])
    parts = signature.result_parts
    if len(parts) > 1:
        values = [fn.text.extract(part, result, index) for index, part in enumerate(parts)]
    else:
        values = [result] if parts else []
    if signature.may_throw:
        if not shown or fn.module.keeps_frames:
            fn.fail_if(values.pop())
        else:
            line = integer(fn.line, I32)
            fn.fail_if(values.pop(), lambda: fn.runtime("s2l_trace_add", fn.info, line, signature.info))
    return Datum(signature.result_mask, signature.result_rep, tuple(values))


@lowers(Opcode.DO_ICALL)
def _call_builtin(fn: FunctionLowering, instr: Instr) -> None:
    name = fold_case(_callee_name(fn, instr))
    arguments = [fn.name(argument) for argument in instr.args]
    mask = fn.mask_of(instr.result_def)
    native = lower_natively(fn, name, arguments)
    fn.define(instr.result_def, native if native is not None else fn.call_builtin(name, arguments, mask))


@lowers(Opcode.INIT_FCALL, Opcode.INIT_FCALL_BY_NAME, Opcode.INIT_NS_FCALL_BY_NAME)
def _find_by_name(fn: FunctionLowering, instr: Instr) -> None:
    """A function that is not known at compile time: declared later at run time, or missing."""
    value = fn.literal(instr.op2)
    assert isinstance(value, bytes)
    name = value.decode("utf-8", "surrogateescape")
    names = [name]
    if instr.opcode == Opcode.INIT_NS_FCALL_BY_NAME:
        names.append(name.rpartition("\\")[2])
    fn.fail_if(
        fn.text.compare("eq", _find(fn, names), Val(PTR, "null")),
        lambda: fn.framed("s2l_throw_undefined_function", fn.module.c_string(name)),
    )


def _find(fn: FunctionLowering, names: list[str]) -> Val:
    """The info of the first of the named functions that exists, or null."""
    found = fn.runtime("s2l_function_find", fn.module.string(names[0].encode("utf-8", "surrogateescape")))
    for name in names[1:]:
        missing = fn.text.compare("eq", found, Val(PTR, "null"))
        other = fn.runtime("s2l_function_find", fn.module.string(name.encode("utf-8", "surrogateescape")))
        found = fn.text.select(missing, other, found)
    return found


@lowers(Opcode.INIT_DYNAMIC_CALL)
def _find_by_value(fn: FunctionLowering, instr: Instr) -> None:
    """``$f(…)``: only names of functions can be called so far."""
    name = fn.read(instr, "op2")
    string = _name_string(fn, name)
    fn.fail_if(
        fn.text.compare("eq", fn.runtime("s2l_function_find", string), Val(PTR, "null")),
        lambda: fn.framed("s2l_throw_undefined_function", fn.text.offset(string, STRING.size)),
    )


def _name_string(fn: FunctionLowering, name: Datum) -> Val:
    """The string of a callable; a value of another type cannot be called."""
    if name.rep is Rep.STRING:
        return name.parts[0]
    payload, tag = convert(fn.text, name, Rep.VALUE).parts

    def throw() -> None:
        error, message = fn.module.c_string("Error"), fn.module.c_string("Value not callable")
        fn.framed("s2l_throw", error, message)

    fn.fail_if(fn.text.compare("ne", tag, integer(Tag.STRING)), throw)
    return fn.text.cast("inttoptr", payload, PTR)


@lowers(Opcode.DO_FCALL)
def _call_found(fn: FunctionLowering, instr: Instr) -> None:
    """Call what the INIT found, through its generic entry; arguments are borrowed."""
    if instr.op2.is_const:
        value = fn.literal(instr.op2)
        assert isinstance(value, bytes)
        name = value.decode("utf-8", "surrogateescape")
        info = _find(fn, [name, name.rpartition("\\")[2]] if "\\" in name else [name])
    else:
        info = fn.runtime("s2l_function_find", _name_string(fn, fn.read(instr, "op2")))
    arguments = [fn.name(argument) for argument in instr.args]
    area = fn.store_arguments(arguments)
    entry = fn.text.load(PTR, fn.text.offset(info, FUNCTION_INFO.offset("entry")))
    line = integer(fn.line, I32)
    operands = [fn.context, entry, integer(len(arguments), I32), area, fn.info, line]
    pair = fn.text.call(VALUE_TYPE, fn.module.call_entry(), operands)
    result = fn.unpack(pair, MAY_BE_ANY)
    fn.fail_if(fn.text.compare("eq", result.parts[1], integer(Tag.ERROR)))
    fn.define(instr.result_def, result)


@lowers(Opcode.CANNOT_PASS)
def _cannot_pass(fn: FunctionLowering, instr: Instr) -> None:
    message = fn.literal(instr.op1)
    assert isinstance(message, bytes)
    fn.framed("s2l_throw", fn.module.c_string("Error"), fn.module.c_string(message))
    fn.fail()


@lowers(Opcode.DECLARE_FUNCTION)
def _declare(fn: FunctionLowering, instr: Instr) -> None:
    """A conditional declaration is reached."""
    info = fn.program.conditional(fn.op_array, instr)
    fn.framed("s2l_function_declare", info)
