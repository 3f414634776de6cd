"""Generic entries: how a function is called by someone who does not know it.

    s2l_value entry.NAME(context, argc, argv)        (layouts: s2l_entry)

``$f(…)``, callbacks of builtins and functions declared at run time go through it. It does what a direct call site
does (``lower_call``), with counts and types that are known only now: takes its own count of each argument, converts
it to the declared type, fills in defaults, calls the direct entry, and boxes the result. The caller's frame is on
``context->frame`` when it is entered, for diagnostics; while the function runs there is none, as always.
"""

from __future__ import annotations

from ssa2llvm.ir.types import MAY_BE_ANY, MAY_BE_ARRAY
from ssa2llvm.llvm.coerce import coerce
from ssa2llvm.llvm.emitter import Emitter, forget_reference
from ssa2llvm.llvm.frames import VALUE_TYPE
from ssa2llvm.llvm.layouts import CONTEXT, FRAME, VALUE, Tag
from ssa2llvm.llvm.module import ModuleText
from ssa2llvm.llvm.representation import Datum, Rep, convert
from ssa2llvm.llvm.seam import FALSE, I32, I64, PTR, TRUE, BlockText, FunctionText, Val, integer
from ssa2llvm.llvm.signature import Parameter, Signature

__all__ = ["generic_entry"]

_ARGC, _ARGV = Val(I32, "%argc"), Val(PTR, "%argv")


def generic_entry(module: ModuleText, signature: Signature, symbol: str) -> str:
    """The text of the generic entry ``symbol`` of a function."""
    return _Entry(module, signature, symbol).write()


class _Entry(Emitter):
    def __init__(self, module: ModuleText, signature: Signature, symbol: str) -> None:
        header = f"define internal {VALUE_TYPE} {symbol}(ptr %context, i32 zeroext %argc, ptr %argv) nounwind"
        op_array = signature.op_array
        super().__init__(module, FunctionText(header), signature.info, op_array.line_start, op_array.filename)
        self._signature = signature
        self._failure: BlockText | None = None

    def write(self) -> str:
        passed: list[Datum] = []
        with self.releasing(lambda: self.drop_all(passed)):
            for number, parameter in enumerate(self._signature.parameters):
                self.line = parameter.line
                gathers = parameter.info.variadic
                datum = self._rest(number, parameter) if gathers else self._argument(number, parameter)
                passed.append(convert(self.text, datum, parameter.rep))
        self._call(passed)
        return self.text.text()

    def _argument(self, number: int, parameter: Parameter) -> Datum:
        """Argument ``number`` of the call, owned and converted, or the parameter's default."""
        missing = self.text.compare("ule", _ARGC, integer(number, I32))
        if not parameter.has_default:
            self.fail_if(missing, self._too_few)
            return self._given(number * VALUE.size, number, parameter)
        return self.either(
            missing,
            lambda: self.owned_constant(parameter.default),
            lambda: self._given(number * VALUE.size, number, parameter),
        )

    def _rest(self, first: int, parameter: Parameter) -> Datum:
        """The array that a variadic parameter is: a loop over the arguments from number ``first`` on."""
        text = self.text
        array, number = text.alloca(PTR, "rest"), text.alloca(I32, "number")
        text.store(self.runtime("s2l_array_new", integer(0), integer(0, I32)), array)
        text.store(integer(first, I32), number)
        loop, body, done = text.new_block("loop"), text.new_block("body"), text.new_block("gathered")
        text.jump(loop)
        text.at(loop)
        current = text.load(I32, number)
        text.branch(text.compare("ult", current, _ARGC), body, done)
        text.at(body)
        wide = text.cast("zext", current, I64)
        rest = Datum(MAY_BE_ARRAY, Rep.ARRAY, (text.load(PTR, array),))
        with self.releasing(lambda: self.drop(rest)):
            element = self._given(text.binary("mul", wide, integer(VALUE.size)), first, parameter)
        self.runtime("s2l_array_set_long", array, text.binary("sub", wide, integer(first)), element)
        text.store(text.binary("add", current, integer(1, I32)), number)
        text.jump(loop)
        text.at(done)
        return Datum(MAY_BE_ARRAY, Rep.ARRAY, (text.load(PTR, array),))

    def _given(self, offset: int | Val, number: int, parameter: Parameter) -> Datum:
        """The argument ``offset`` bytes behind the first, owned and converted."""
        given = self.load_value(self.text.offset(_ARGV, offset), MAY_BE_ANY)
        self.dup(given)
        if parameter.info.by_ref:
            return given

        def misfit(datum: Datum) -> Datum:
            name = None if parameter.info.variadic else parameter.info.name
            info = self.module.parameter_info(name, parameter.info.type, number + 1)
            return self.unpack(self.framed("s2l_coerce_parameter", datum, info), MAY_BE_ANY)

        return coerce(self, given, parameter.info.type, misfit)

    def _too_few(self) -> None:
        required = self._signature.required
        exactly = TRUE if required == len(self._signature.parameters) else FALSE
        self.framed("s2l_throw_too_few_arguments", _ARGC, integer(required, I32), exactly)

    def _call(self, passed: list[Datum]) -> None:
        signature, text = self._signature, self.text
        link = text.offset(self.context, CONTEXT.offset("frame"))
        caller = text.load(PTR, link)
        keeps = self.module.keeps_frames
        if not keeps:
            text.store(Val(PTR, "null"), link)
        arguments = [self.context, *(part for datum in passed for part in datum.parts)]
        result = text.call(signature.result_type, signature.symbol, arguments)
        text.store(caller, link)
        parts = signature.result_parts
        values = (
            [text.extract(part, result, n) for n, part in enumerate(parts)]
            if len(parts) > 1
            else [result][: len(parts)]
        )
        if signature.may_throw:
            self.fail_if(values.pop(), None if keeps else lambda: self._trace(caller))
        forget_reference(self, signature)
        payload, tag = convert(text, Datum(signature.result_mask, signature.result_rep, tuple(values)), Rep.VALUE).parts
        whole = text.insert(text.insert(Val(VALUE_TYPE, "poison"), payload, 0), tag, 1)
        text.ret(whole)

    def _trace(self, caller: Val) -> None:
        """The call site's part of the trace; a host has no frame."""
        text = self.text
        has_frame, host, done = (
            text.new_block("caller", cold=True),
            text.new_block("host", cold=True),
            text.new_block("traced"),
        )
        text.branch(text.compare("eq", caller, Val(PTR, "null")), host, has_frame)
        text.at(has_frame)
        info = text.load(PTR, text.offset(caller, FRAME.offset("function")))
        line = text.load(I32, text.offset(caller, FRAME.offset("line")))
        self.runtime("s2l_trace_add", info, line, self.info)
        text.jump(done)
        text.at(host)
        self.runtime("s2l_trace_add", Val(PTR, "null"), integer(0, I32), self.info)
        text.jump(done)
        text.at(done)

    def unwinder(self) -> BlockText:
        if self._failure is None:
            here = self.text.block
            self._failure = self.text.new_block("failure", cold=True)
            self.text.at(self._failure)
            self.text.ret(Val(VALUE_TYPE, f"{{ i64 0, i64 {int(Tag.ERROR)} }}"))
            self.text.at(here)
        return self._failure
