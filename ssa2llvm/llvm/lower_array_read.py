"""Elements read: ``$a[$k]``, ``$a[$k] ?? …``, isset, empty, count, in_array, array_key_exists, list().

An int key is looked up by a fast path of the prelude, which knows the packed kinds; a string written in the program
where it was found last; everything else in C. The lookup gives UNDEF for what is not there, and the C runtime then
warns. What is read is owned: counted elements get a count, but for names that only look at them (``borrow``).
"""

from __future__ import annotations

from ssa2llvm.ir.function import Instr
from ssa2llvm.ir.literals import ArrayConst
from ssa2llvm.ir.opcode import Opcode
from ssa2llvm.ir.operands import ISEMPTY
from ssa2llvm.ir.types import (
    MAY_BE_ANY,
    MAY_BE_ARRAY,
    MAY_BE_BOOL,
    MAY_BE_DOUBLE,
    MAY_BE_LONG,
    MAY_BE_NULL,
    MAY_BE_OBJECT,
    MAY_BE_STRING,
)
from ssa2llvm.llvm.frames import VALUE_TYPE
from ssa2llvm.llvm.function import FunctionLowering
from ssa2llvm.llvm.layouts import ARRAY, Tag
from ssa2llvm.llvm.lower_jump import truth
from ssa2llvm.llvm.numbers import on_integer
from ssa2llvm.llvm.registry import lowers
from ssa2llvm.llvm.representation import Datum, Rep, convert, representation
from ssa2llvm.llvm.seam import ARRAY_HEADER, I32, I64, LIKELY, PTR, Val, integer

__all__: list[str] = []


def _peek(fn: FunctionLowering, array: Datum, key: Datum, mask: int) -> Datum:
    """``array[key]`` of an int or string key, borrowed; UNDEF for one that is not there."""
    operands = [array.parts[0], key.parts[0]]
    if key.rep is Rep.LONG:
        pair = fn.text.call(VALUE_TYPE, f"@s2l.array.peek.{_expected(mask)}", operands)
    elif key.literal is not None:
        pair = fn.text.call(VALUE_TYPE, "@s2l.array.peek.guessed", [*operands, fn.guess(key.literal)])
    else:
        pair = fn.text.call(VALUE_TYPE, "@s2l.array.peek.string", operands)
    return fn.unpack(pair, mask)


def _element(fn: FunctionLowering, array: Datum, key: Datum, mask: int, quiet: bool, borrows: bool) -> Datum:
    """``array[key]`` of type ``mask``, owned unless it ``borrows``; a missing element is null, with a warning unless
    ``quiet``."""
    slow = "s2l_array_read_long" if key.rep is Rep.LONG else "s2l_array_read_string"
    found = _peek(fn, array, key, mask)
    wanted = representation(mask)

    def present() -> Datum:
        element = convert(fn.text, found, wanted)
        if not borrows:
            fn.dup(element)
        return element

    def missing() -> Datum:
        if quiet:
            return convert(fn.text, fn.constant(None), wanted)
        return convert(fn.text, fn.unpack(fn.framed(slow, array.parts[0], key.parts[0]), mask), wanted)

    return fn.either(fn.text.compare("ne", found.parts[1], integer(Tag.UNDEF)), present, missing, LIKELY)


def _expected(mask: int) -> str:
    """Which kind of packed array a read should try first."""
    types = mask & MAY_BE_ANY & ~MAY_BE_NULL
    if types == MAY_BE_LONG:
        return "long"
    if types == MAY_BE_DOUBLE:
        return "double"
    return "bool" if types and not types & ~MAY_BE_BOOL else "value"


@lowers(Opcode.FETCH_DIM_R, Opcode.FETCH_DIM_IS, Opcode.FETCH_LIST_R)
def _fetch_dimension(fn: FunctionLowering, instr: Instr) -> None:
    """Of an array, an element; of a string, a byte; of null and numbers, null. list() takes null quietly from all but
    arrays."""
    quiet = instr.opcode == Opcode.FETCH_DIM_IS
    container = fn.peek(instr, "op1") if quiet else fn.read(instr, "op1")
    key = fn.read(instr, "op2")
    mask = fn.mask_of(instr.result_def) & MAY_BE_ANY | MAY_BE_NULL
    read = _Read(fn, instr, container, key, mask)
    if container.rep is Rep.ARRAY:
        result = read.of_array()
    elif container.rep is Rep.VALUE and container.may(MAY_BE_ARRAY):
        is_array = fn.text.compare("eq", container.parts[1], integer(Tag.ARRAY))
        result = fn.either(is_array, read.of_array, read.of_other, LIKELY)
    else:
        result = read.of_other()
    fn.define(instr.result_def, result)


class _Read:
    """One ``container[key]`` for reading: the result is of type ``mask``, owned unless it is one to be borrowed."""

    def __init__(self, fn: FunctionLowering, instr: Instr, container: Datum, key: Datum, mask: int) -> None:
        self._fn = fn
        self._opcode = instr.opcode
        self._container = container
        self._key = key
        self._mask = mask
        self._wanted = representation(mask)
        self._borrows = instr.result_def in fn.unit.borrowed

    def of_array(self) -> Datum:
        """The container is an array. Keys that are ints or strings go the fast way."""
        fn, quiet = self._fn, self._opcode == Opcode.FETCH_DIM_IS
        known = Datum(MAY_BE_ARRAY, self._container.rep, self._container.parts)
        array = convert(fn.text, known, Rep.ARRAY)

        def other() -> Datum:
            if self._key.rep is Rep.STRING:
                return _element(fn, array, self._key, self._mask, quiet, self._borrows)
            return self._general()

        def integer_case(key: Datum) -> Datum:
            return _element(fn, array, key, self._mask, quiet, self._borrows)

        return on_integer(fn, self._key, integer_case, other)

    def of_other(self) -> Datum:
        """The container is no array."""
        fn = self._fn
        if self._opcode == Opcode.FETCH_LIST_R:
            return fn.constant(None)
        if self._key.rep is Rep.LONG and self._opcode == Opcode.FETCH_DIM_R:
            if self._container.rep is Rep.STRING:
                return _byte(fn, self._container, self._key)
            if self._container.may(MAY_BE_STRING):
                string = Datum(MAY_BE_STRING, Rep.VALUE, self._container.parts)
                is_string = fn.text.compare("eq", self._container.parts[1], integer(Tag.STRING))
                return fn.either(
                    is_string,
                    lambda: convert(fn.text, _byte(fn, convert(fn.text, string, Rep.STRING), self._key), self._wanted),
                    self._general,
                )
        return self._general()

    def _general(self) -> Datum:
        runtime = "s2l_fetch_dim_is" if self._opcode == Opcode.FETCH_DIM_IS else "s2l_fetch_dim_read"
        result = self._fn.framed_value(runtime, self._container, self._key, mask=self._mask)
        if self._borrows:
            self._fn.drop(result)  # the container keeps it, or it is immortal
        return convert(self._fn.text, result, self._wanted)


def _byte(fn: FunctionLowering, string: Datum, offset: Datum) -> Datum:
    """``string[offset]`` of a string and an int: immortal."""
    arguments = [string.parts[0], offset.parts[0]]

    def present() -> Datum:
        return Datum(MAY_BE_STRING, Rep.STRING, (byte,))

    def missing() -> Datum:
        return Datum(MAY_BE_STRING, Rep.STRING, (fn.framed("s2l_string_read_offset", *arguments),))

    byte = fn.text.call(PTR, "@s2l.string.at", [fn.context, *arguments])
    return fn.either(fn.text.compare("ne", byte, Val(PTR, "null")), present, missing, LIKELY)


@lowers(Opcode.ISSET_ISEMPTY_DIM_OBJ)
def _isset_dimension(fn: FunctionLowering, instr: Instr) -> None:
    container = fn.peek(instr, "op1")
    key = fn.read(instr, "op2")
    empty = bool(instr.extended_value & ISEMPTY)
    if container.rep is Rep.ARRAY and key.rep in (Rep.LONG, Rep.STRING):
        element = _peek(fn, container, key, MAY_BE_ANY)
        if empty:
            condition = fn.text.negate(truth(fn, element))
        else:
            condition = fn.text.compare("ugt", element.parts[1], integer(Tag.NULL))
    else:
        condition = fn.framed("s2l_empty_dim" if empty else "s2l_isset_dim", container, key)
        if key.may(MAY_BE_ARRAY | MAY_BE_OBJECT):  # illegal as keys
            fn.fail_if(fn.text.compare("ne", fn.pending(), integer(0)))
    fn.define(instr.result_def, fn.truth_datum(condition))


@lowers(Opcode.COUNT)
def _count(fn: FunctionLowering, instr: Instr) -> None:
    datum = fn.read(instr, "op1")
    if datum.rep is Rep.ARRAY:
        fn.define(instr.result_def, _long(_length(fn, datum.parts[0])))
    elif datum.rep is Rep.VALUE and datum.may(MAY_BE_ARRAY):
        is_array = fn.text.compare("eq", datum.parts[1], integer(Tag.ARRAY))

        def length() -> Datum:
            array = convert(fn.text, Datum(MAY_BE_ARRAY, Rep.VALUE, datum.parts), Rep.ARRAY)
            return _long(_length(fn, array.parts[0]))

        def other() -> Datum:
            return convert(fn.text, fn.call_builtin("count", [datum], MAY_BE_LONG), Rep.LONG)

        fn.define(instr.result_def, fn.either(is_array, length, other, LIKELY))
    else:
        fn.define(instr.result_def, fn.call_builtin("count", [datum], MAY_BE_LONG))


def _long(value: Val) -> Datum:
    return Datum(MAY_BE_LONG, Rep.LONG, (value,), 0)


def _length(fn: FunctionLowering, array: Val) -> Val:
    return fn.text.load(I64, fn.text.offset(array, ARRAY.offset("count")), ARRAY_HEADER)


@lowers(Opcode.IN_ARRAY)
def _in_array(fn: FunctionLowering, instr: Instr) -> None:
    """in_array() with a constant array, whose values PHP's compiler has made the keys; ``extended_value`` says
    strict. An array is sure to be one: nothing can fail."""
    keyed = fn.literal(instr.op2)
    assert isinstance(keyed, ArrayConst)
    values = ArrayConst(tuple((place, value) for place, (value, _) in enumerate(keyed.entries)), packed=True)
    arguments = [fn.read(instr, "op1"), fn.constant(values), fn.constant(bool(instr.extended_value))]
    found = fn.framed("s2l_fn_in_array", integer(len(arguments), I32), fn.store_arguments(arguments))
    fn.define(instr.result_def, fn.unpack(found, MAY_BE_BOOL))


@lowers(Opcode.ARRAY_KEY_EXISTS)
def _array_key_exists(fn: FunctionLowering, instr: Instr) -> None:
    key, array = fn.read(instr, "op1"), fn.read(instr, "op2")
    fn.define(instr.result_def, fn.call_builtin("array_key_exists", [key, array], MAY_BE_BOOL))
