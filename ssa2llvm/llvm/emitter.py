"""What lowering code writes again and again: literals, counting, calls of the runtime, two-armed conditionals.

An `Emitter` is a function under construction together with the module it belongs to. It knows representations and the
runtime's interface but no instructions and no variables: those are `FunctionLowering`, which is one, as are the
writers of generic entries and exported wrappers.

Diagnostics go through *framed* calls, which tell the runtime function and line (see ``module``).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from ssa2llvm.ir.diagnostics import CompileError
from ssa2llvm.ir.literals import ArrayConst, Inexact, Literal
from ssa2llvm.ir.types import (
    MAY_BE_ANY,
    MAY_BE_DOUBLE,
    MAY_BE_FALSE,
    MAY_BE_LONG,
    MAY_BE_NULL,
    MAY_BE_STRING,
    MAY_BE_TRUE,
)
from ssa2llvm.llvm.array_constants import array_constant
from ssa2llvm.llvm.frames import VALUE_TYPE, llvm_type
from ssa2llvm.llvm.layouts import VALUE, Tag
from ssa2llvm.llvm.module import ModuleText
from ssa2llvm.llvm.representation import Datum, Rep, convert
from ssa2llvm.llvm.seam import (
    FALSE,
    I1,
    I32,
    I64,
    PTR,
    TRUE,
    UNLIKELY,
    VALUES,
    BlockText,
    FunctionText,
    Val,
    double,
    integer,
)
from ssa2llvm.llvm.signature import Signature

__all__ = ["Emitter", "forget_reference"]


class Emitter:
    """Writes into ``text``; ``context`` is the register of the context pointer, ``info`` the running function's info
    and ``line`` its current line, for diagnostics."""

    def __init__(self, module: ModuleText, text: FunctionText, info: Val, line: int, filename: str) -> None:
        self.module = module
        self.text = text
        self.context = Val(PTR, "%context")
        self.info = info
        self.line = line
        self.filename = filename
        self._releases: list[Callable[[], object]] = []
        self._areas: dict[int, Val] = {}

    def unsupported(self, what: str) -> CompileError:
        """The diagnostic for something at the current line that we do not compile."""
        return CompileError(what, self.filename, self.line)

    # ---- literals

    def constant(self, value: Literal) -> Datum:
        """A literal in registers, borrowed (of arrays, the cell keeps its count; strings are immortal)."""
        if isinstance(value, ArrayConst):
            return array_constant(self, value)
        if value is None:
            return Datum(MAY_BE_NULL, Rep.NULL)
        if isinstance(value, bool):
            return Datum(MAY_BE_TRUE if value else MAY_BE_FALSE, Rep.BOOL, (TRUE if value else FALSE,))
        if isinstance(value, int):
            return Datum(MAY_BE_LONG, Rep.LONG, (integer(value),), value, value)
        if isinstance(value, float):
            return Datum(MAY_BE_DOUBLE, Rep.DOUBLE, (double(value),))
        if isinstance(value, bytes):
            return Datum(MAY_BE_STRING, Rep.STRING, (self.module.string(value),), literal=value)
        if isinstance(value, Inexact):
            raise self.unsupported("the dump text does not tell this literal exactly; give the source or zir instead")
        raise self.unsupported(f"a constant of kind {type(value).__name__} is not compiled yet")

    def owned_constant(self, value: Literal) -> Datum:
        """A literal in registers, owned."""
        datum = self.constant(value)
        if isinstance(value, ArrayConst):
            self.dup(datum)
        return datum

    def truth_datum(self, condition: Val) -> Datum:
        """An i1 as a PHP bool."""
        assert condition.type == I1
        return Datum(MAY_BE_FALSE | MAY_BE_TRUE, Rep.BOOL, (condition,))

    # ---- values in memory

    def load_value(self, address: Val, mask: int = MAY_BE_ANY) -> Datum:
        """The value in 16 bytes of memory."""
        payload = self.text.load(I64, address, VALUES)
        tag = self.text.load(I64, self.text.offset(address, VALUE.offset("tag")), VALUES)
        return Datum(mask, Rep.VALUE, (payload, tag))

    def store_value(self, datum: Datum, address: Val) -> None:
        """Write a value to 16 bytes of memory."""
        payload, tag = convert(self.text, datum, Rep.VALUE).parts
        self.text.store(payload, address, VALUES)
        self.text.store(tag, self.text.offset(address, VALUE.offset("tag")), VALUES)

    def store_arguments(self, arguments: Sequence[Datum]) -> Val:
        """Lay arguments out for the uniform C signature; the address of the first, null for none."""
        count = len(arguments)
        if not count:
            return Val(PTR, "null")
        if count not in self._areas:
            self._areas[count] = self.text.alloca(f"[{count} x {VALUE_TYPE}]", "arguments")
        for number, argument in enumerate(arguments):
            self.store_value(argument, self.text.offset(self._areas[count], number * VALUE.size))
        return self._areas[count]

    # ---- counting

    def dup(self, datum: Datum) -> None:
        """One more owner of whatever ``datum`` is."""
        if datum.rep in (Rep.STRING, Rep.ARRAY):
            if not datum.parts[0].ref.startswith("@"):
                self.text.call("void", "@s2l.dup.counted", datum.parts)
        elif datum.rep is Rep.VALUE:
            self.text.call("void", "@s2l.dup.value", datum.parts)

    def drop(self, datum: Datum) -> None:
        """One owner fewer."""
        if datum.rep is Rep.STRING:
            if not datum.parts[0].ref.startswith("@"):
                self.text.call("void", "@s2l.drop.string", [self.context, *datum.parts])
        elif datum.rep.counted:
            self.text.call("void", "@s2l.drop.value", [self.context, *convert(self.text, datum, Rep.VALUE).parts])

    def drop_all(self, data: Sequence[Datum]) -> None:
        """One owner fewer of each."""
        for datum in data:
            self.drop(datum)

    # ---- the runtime

    def runtime(self, name: str, *arguments: Val | Datum) -> Val:
        """Call a runtime function that reads no frame (data are passed as values, the context is not named). Its
        result as LLVM has it: a pair for a value."""
        self.module.runtime(name)
        return self._call_runtime(name, f"@{name}", arguments, [])

    def framed(self, name: str, *arguments: Val | Datum) -> Val:
        """Call a runtime function that may warn or throw; see `runtime`."""
        return self._call_runtime(name, self.module.framed(name), arguments, [str(self.info), f"{I32} {self.line}"])

    def framed_in(self, name: str, callee: Signature, line: int, *arguments: Val | Datum) -> Val:
        """The same as if it happened in ``callee``, called from the current line; ``line`` is one of the callee's."""
        frames = [str(self.info), f"{I32} {self.line}", str(callee.info), f"{I32} {line}"]
        return self._call_runtime(name, self.module.framed(name, depth=2), arguments, frames)

    def _call_runtime(self, name: str, callee: str, arguments: Sequence[Val | Datum], frames: list[str]) -> Val:
        prototype = self.module.runtime(name)
        flat: list[Val] = []
        for argument in arguments:
            if isinstance(argument, Datum):
                flat += convert(self.text, argument, Rep.VALUE).parts
            else:
                flat.append(argument)
        flat.reverse()
        listed: list[str] = []
        for parameter, ctype in prototype.parameters:
            if parameter == "context":
                listed.append(str(self.context))
            elif ctype.llvm == "value":
                listed += [str(flat.pop()), str(flat.pop())]
            else:
                operand = flat.pop()
                attribute = "" if frames or not ctype.attribute else f"{ctype.attribute} "
                listed.append(f"{operand.type} {attribute}{operand.ref}")
        assert not flat, f"{name} got too many arguments"
        result = llvm_type(prototype.result.llvm)
        attribute = "" if frames or not prototype.result.attribute else f"{prototype.result.attribute} "
        text = f"call {attribute}{result} {callee}({', '.join(listed + frames)})"
        if result == "void":
            self.text.emit(text)
            return Val("void", "undef")
        return self.text.value(result, text)

    def unpack(self, pair: Val, mask: int) -> Datum:
        """The value that a runtime function returned."""
        return Datum(mask, Rep.VALUE, (self.text.extract(I64, pair, 0), self.text.extract(I64, pair, 1)))

    # ---- failure

    def unwinder(self) -> BlockText:
        """The block that leaves the function with failure from the current place."""
        raise NotImplementedError

    @contextmanager
    def releasing(self, release: Callable[[], object]) -> Iterator[None]:
        """While it is open, whoever fails first does ``release``: it drops what an instruction holds half-way."""
        self._releases.append(release)
        yield
        self._releases.pop()

    def fail_if(self, condition: Val, on_the_way: Callable[[], object] | None = None) -> None:
        """Unwind from the current instruction if ``condition`` holds; ``on_the_way`` writes what happens before."""
        if condition == FALSE:
            return
        go_on = self.text.new_block("ok")
        if on_the_way is None and not self._releases:
            self.text.branch(condition, self.unwinder(), go_on, UNLIKELY)
        else:
            failing = self.text.new_block("fail", cold=True)
            self.text.branch(condition, failing, go_on, UNLIKELY)
            self.text.at(failing)
            if on_the_way is not None:
                on_the_way()
            self.fail()
        self.text.at(go_on)

    def fail(self) -> None:
        """Unwind from the current instruction."""
        for release in reversed(self._releases):
            release()
        self.text.jump(self.unwinder())

    def framed_value(self, name: str, *arguments: Val | Datum, mask: int = MAY_BE_ANY) -> Datum:
        """Call a runtime function that fails by returning an ERROR; unwinds if it does."""
        return self.checked(self.framed(name, *arguments), mask)

    def checked(self, pair: Val, mask: int) -> Datum:
        """The value that a runtime function returned; unwinds if it is an ERROR."""
        result = self.unpack(pair, mask)
        self.fail_if(self.text.compare("eq", result.parts[1], integer(Tag.ERROR)))
        return result

    def call_builtin(self, name: str, arguments: list[Datum], mask: int = MAY_BE_ANY) -> Datum:
        """Call PHP's builtin ``name`` by the uniform C signature: arguments borrowed, the result owned."""
        area = self.store_arguments(arguments)
        return self.framed_value(f"s2l_fn_{name}", integer(len(arguments), "i32"), area, mask=mask)

    # ---- control inside an instruction

    def either(self, condition: Val, yes: Callable[[], Datum], no: Callable[[], Datum], weights: str = "") -> Datum:
        """``condition ? yes() : no()``, only one of which is executed; both results in the wider of their
        representations. Both arms must own (or both borrow) what they give. With weights the second arm is cold."""
        if condition.is_constant:
            return yes() if condition == TRUE else no()
        first, second = self.text.new_block("yes"), self.text.new_block("no", cold=bool(weights))
        self.text.branch(condition, first, second, weights)
        self.text.at(first)
        left = yes()
        first_end = self.text.block
        self.text.at(second)
        right = no()
        second_end = self.text.block
        rep = left.rep if left.rep is right.rep else _wider(left.rep, right.rep)
        join = self.text.new_block("join")
        self.text.at(first_end)
        left_parts = convert(self.text, left, rep).parts
        self.text.jump(join)
        self.text.at(second_end)
        right_parts = convert(self.text, right, rep).parts
        self.text.jump(join)
        self.text.at(join)
        parts = [
            self.text.phi(a.type, [(a, first_end), (b, second_end)])
            for a, b in zip(left_parts, right_parts, strict=True)
        ]
        return Datum(left.mask | right.mask, rep, tuple(parts))

    def unless_null(self, pointer: Val, otherwise: Callable[[], Val]) -> Val:
        """``pointer``, or what ``otherwise`` writes, on a cold path, where that is null."""
        before = self.text.block
        cold, join = self.text.new_block("null", cold=True), self.text.new_block("join")
        self.text.branch(self.text.compare("eq", pointer, Val(PTR, "null")), cold, join, UNLIKELY)
        self.text.at(cold)
        other = otherwise()
        end = self.text.block
        self.text.jump(join)
        self.text.at(join)
        return self.text.phi(PTR, [(pointer, before), (other, end)])


def forget_reference(emitter: Emitter, signature: Signature) -> None:
    """Behind a call whose value is wanted: let go of the reference that came with it."""
    if signature.returns_reference:
        emitter.runtime("s2l_forget_reference")


def _wider(left: Rep, right: Rep) -> Rep:
    numbers = (Rep.LONG, Rep.DOUBLE, Rep.NUMBER)
    return Rep.NUMBER if left in numbers and right in numbers else Rep.VALUE
