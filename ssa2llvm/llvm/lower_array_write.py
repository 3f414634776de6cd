"""Elements written: ``$a[$k] = v``, ``$a[] = v``, ``$a[$k] op= v``, ``++$a[$k]``, unset, and the way to nested ones.

The container is a variable in SSA form (its name is consumed and a new one defined, so that an array nobody else
counts changes in place), a variable in a cell, or the slot that an outer FETCH_DIM_W gave. The runtime's functions
for arrays take the address of the array pointer, those for any container the address of a value: a container in
registers is put into memory for the call and taken out again. A write that throws has consumed the container, so it
is dropped on that way.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from ssa2llvm.ir.function import Instr
from ssa2llvm.ir.opcode import Opcode
from ssa2llvm.ir.operands import Operand, OpKind
from ssa2llvm.ir.types import MAY_BE_ANY, MAY_BE_ARRAY, MAY_BE_NULL, MAY_BE_UNDEF
from ssa2llvm.llvm.frames import VALUE_TYPE
from ssa2llvm.llvm.function import FunctionLowering
from ssa2llvm.llvm.layouts import Tag
from ssa2llvm.llvm.lower_arith import binary_operation
from ssa2llvm.llvm.lower_array_make import load_array, store_array
from ssa2llvm.llvm.lower_string import append
from ssa2llvm.llvm.numbers import on_integer
from ssa2llvm.llvm.registry import lowers
from ssa2llvm.llvm.representation import Datum, Rep, convert, representation
from ssa2llvm.llvm.seam import FALSE, I1, LIKELY, PTR, TRUE, Val, integer
from ssa2llvm.values.string_offset import ASSIGN_OP_ON_OFFSET, wrong_write

__all__: list[str] = []


def _assign_slot(fn: FunctionLowering, slot: Val, value: Datum) -> None:
    """``slot = value`` (consumed), through a reference; what it held is dropped."""
    fn.text.call("void", "@s2l.slot.assign", [fn.context, slot, *convert(fn.text, value, Rep.VALUE).parts])


_QUIET_ON_UNDEFINED = frozenset({Opcode.ASSIGN_DIM, Opcode.FETCH_DIM_W})
"""These make an array of an undefined variable; the others warn about it first."""


_LEAVES_UNDEFINED = frozenset({Opcode.UNSET_DIM, Opcode.FETCH_DIM_UNSET})
"""These warn about an undefined variable and leave it so."""


class _Container:
    """op1 of an instruction that writes an element, as the address of a value in memory, which is no reference."""

    def __init__(self, fn: FunctionLowering, instr: Instr) -> None:
        self._fn = fn
        self._instr = instr
        self._in_registers = False
        quiet = instr.opcode in _QUIET_ON_UNDEFINED
        if fn.is_cell(instr.op1):
            self.address = fn.cell_target(instr.op1.num)
            if not quiet:
                fn.defined(fn.name(instr.op1_use), instr.op1)
            return
        datum = fn.name(instr.op1_use)
        if not quiet:
            known = fn.defined(datum, instr.op1)
            datum = datum if instr.opcode in _LEAVES_UNDEFINED else known
        if datum.rep is Rep.SLOT:
            self.address = fn.target_of(datum.parts[0])
            return
        self._in_registers = True
        self.address = fn.scratch(VALUE_TYPE)
        fn.store_value(datum, self.address)

    def drop(self) -> None:
        """The instruction fails: what it consumed is dropped."""
        if self._in_registers:
            self._fn.drop(self._fn.load_value(self.address))

    def finish(self) -> None:
        """The instruction is done: the container's new name gets what is in memory."""
        if self._in_registers:
            fn, name = self._fn, self._instr.op1_def
            mask = fn.mask_of(name)
            value = fn.load_value(self.address, mask)
            fn.define(name, convert(fn.text, value, representation(mask)))


def _known_array(fn: FunctionLowering, instr: Instr) -> Datum | None:
    """op1 if it is a variable in SSA form that surely holds an array, before and after."""
    if fn.is_cell(instr.op1) or instr.op1_def < 0:
        return None
    datum = fn.name(instr.op1_use)
    return datum if datum.rep is Rep.ARRAY and representation(fn.mask_of(instr.op1_def)) is Rep.ARRAY else None


def _has_key(instr: Instr) -> bool:
    return instr.op2.is_const or instr.op2.is_var


_PREPARE = "s2l_prepare_container"


def _key(fn: FunctionLowering, instr: Instr, container: _Container | None, prepare: str = _PREPARE) -> Datum | None:
    """The key in op2; None for ``[]``. Where it may be undefined, what is wrong with the container comes first, and
    ``$u[$u]`` finds as its key what has become of the container."""
    if not _has_key(instr):
        return None
    is_itself = instr.op2 == instr.op1
    if container is None or not instr.op2.is_cv or not (is_itself or fn.peek(instr, "op2").may(MAY_BE_UNDEF)):
        return fn.read(instr, "op2")
    if prepare == _PREPARE:
        _prepare(fn, container, scalars_throw=instr.opcode != Opcode.ASSIGN_DIM_OP)
    else:
        _check(fn, container, fn.framed(prepare, container.address))
    if prepare == _PREPARE and is_itself:
        return fn.load_value(fn.target_of(container.address), MAY_BE_ANY)
    return fn.read(instr, "op2")


def _prepare(fn: FunctionLowering, container: _Container, scalars_throw: bool) -> None:
    _check(fn, container, fn.framed(_PREPARE, container.address, TRUE if scalars_throw else FALSE))


def _check(fn: FunctionLowering, container: _Container, passed: Val) -> None:
    fn.fail_if(fn.text.negate(passed), container.drop)


def _value(fn: FunctionLowering, instr: Instr) -> Datum:
    """The value that ``opt.op_data`` has put into the instruction's arguments; a variable may be undefined."""
    name = instr.args[0]
    slot = fn.unit.slot_of[name]
    kind = OpKind.CV if slot < len(fn.op_array.cvs) else OpKind.TMP
    return fn.defined(fn.name(name), Operand(kind, slot))


@lowers(Opcode.ASSIGN_DIM)
def _assign_dim(fn: FunctionLowering, instr: Instr) -> None:
    array = _known_array(fn, instr)
    container = _Container(fn, instr) if array is None else None
    key = _key(fn, instr, container)
    if key is not None and key.rep not in (Rep.LONG, Rep.STRING) and fn.name(instr.args[0]).may(MAY_BE_UNDEF):
        # What is wrong with the container or the key comes before the warning of an undefined value.
        array, container = None, container or _Container(fn, instr)
        _prepare(fn, container, scalars_throw=True)
        _check(fn, container, fn.framed("s2l_check_dimension", container.address, key))
    value = _value(fn, instr)
    keeps = instr.result_def >= 0
    if keeps:
        fn.dup(value)
    with fn.releasing(lambda: fn.drop(value) if keeps else None):
        if array is None:
            assert container is not None
            _assign_to_container(fn, container, key, value)
        elif key is None or key.rep in (Rep.LONG, Rep.STRING):
            fn.define(instr.op1_def, _assign_to_array(fn, array, key, value))
        else:
            known, any_key = array, key

            def other() -> Datum:
                address = store_array(fn, known)
                done = fn.framed("s2l_array_set", address, any_key, value)
                fn.fail_if(fn.text.negate(done), lambda: fn.drop(load_array(fn, address)))
                return load_array(fn, address)

            fn.define(instr.op1_def, on_integer(fn, key, lambda k: _assign_to_array(fn, known, k, value), other))
    if keeps:
        fn.define(instr.result_def, value)


def _assign_to_container(fn: FunctionLowering, container: _Container, key: Datum | None, value: Datum) -> None:
    """``container[key] = value`` (consumed) for any container."""
    if key is None:
        done = fn.framed("s2l_append_dim", container.address, value)
    else:
        any_key = key

        def in_place(key: Datum) -> Datum:
            kind, parts = _stored(fn, value)
            context = [fn.context] if kind == "value" else []
            operands = [*context, container.address, key.parts[0], *parts]
            put = fn.text.call(I1, f"@s2l.container.put.{kind}", operands)
            return fn.either(put, lambda: fn.truth_datum(TRUE), anyhow, LIKELY)

        def anyhow() -> Datum:
            return fn.truth_datum(fn.framed("s2l_assign_dim", container.address, any_key, value))

        done = on_integer(fn, key, in_place, anyhow).parts[0]
    fn.fail_if(fn.text.negate(done), container.drop)
    container.finish()


_STORES = {Rep.LONG: "long", Rep.DOUBLE: "double", Rep.BOOL: "bool"}


def _stored(fn: FunctionLowering, value: Datum) -> tuple[str, tuple[Val, ...]]:
    """Which of the prelude's functions stores ``value``, and the operands that it takes for it."""
    kind = _STORES.get(value.rep)
    return (kind, value.parts) if kind is not None else ("value", convert(fn.text, value, Rep.VALUE).parts)


def _assign_to_array(fn: FunctionLowering, array: Datum, key: Datum | None, value: Datum) -> Datum:
    """``array`` (consumed) with ``value`` (consumed) at an int or string key, or at the next."""
    if key is not None and key.rep is Rep.STRING:
        address = store_array(fn, array)
        fn.runtime("s2l_array_set_string", address, key.parts[0], value)
        return load_array(fn, address)
    kind, parts = _stored(fn, value)
    if key is None:
        pushed = fn.text.call(I1, f"@s2l.array.push.{kind}", [array.parts[0], *parts])
        return fn.either(pushed, lambda: array, lambda: _push(fn, array, value), LIKELY)
    operands = [fn.context, array.parts[0], key.parts[0], *parts]
    return Datum(MAY_BE_ARRAY, Rep.ARRAY, (fn.text.call(PTR, f"@s2l.array.set.{kind}", operands),))


def _push(fn: FunctionLowering, array: Datum, value: Datum) -> Datum:
    address = store_array(fn, array)
    done = fn.framed("s2l_array_push", address, value)
    fn.fail_if(fn.text.negate(done), lambda: fn.drop(load_array(fn, address)))
    return load_array(fn, address)


@lowers(Opcode.ASSIGN_DIM_OP)
def _assign_dim_op(fn: FunctionLowering, instr: Instr) -> None:
    """``$a[$k] op= v``. An element with an int key is read and written; others, and strings that grow in place, are
    worked on in their slot."""
    opcode = Opcode(instr.extended_value)
    array = _known_array(fn, instr)
    container = _Container(fn, instr) if array is None else None
    key = _key(fn, instr, container)
    by_number = key is not None and key.rep is Rep.LONG and opcode != Opcode.CONCAT
    if array is not None and key is not None and by_number:
        fn.define(instr.op1_def, _operate_on_array(fn, instr, array, key))
    elif key is not None and by_number:
        _operate_on_container(fn, instr, container or _Container(fn, instr), key)
    else:
        _operate_on_slot(fn, instr, container or _Container(fn, instr), key)


def _operate_on_container(fn: FunctionLowering, instr: Instr, container: _Container, key: Datum) -> None:
    """``container[key] op= operand`` for an int key: the array keeps its kind, which slots would widen."""
    pair = fn.text.call(VALUE_TYPE, "@s2l.container.peek", [container.address, key.parts[0]])
    found = fn.unpack(pair, MAY_BE_ANY)

    def missing() -> Datum:
        done = fn.framed("s2l_fetch_dim_operand", container.address, key)
        fn.fail_if(fn.text.negate(done), lambda: _explain(fn, container, key, ASSIGN_OP_ON_OFFSET))
        return fn.constant(None)

    old = fn.either(fn.text.compare("ne", found.parts[1], integer(Tag.UNDEF)), lambda: found, missing, LIKELY)
    operand = _value(fn, instr)
    keeps = instr.result_def >= 0
    with fn.releasing(container.drop):
        new = binary_operation(fn, Opcode(instr.extended_value), old, operand, MAY_BE_ANY)
    if keeps:
        fn.dup(new)
    with fn.releasing(lambda: fn.drop(new) if keeps else None):
        _assign_to_container(fn, container, key, new)
    if keeps:
        fn.define(instr.result_def, new)


def _operate_on_slot(fn: FunctionLowering, instr: Instr, container: _Container, key: Datum | None) -> None:
    """The same on the element's slot, for any container and key."""
    opcode = Opcode(instr.extended_value)
    slot = _slot(fn, container, key, True, ASSIGN_OP_ON_OFFSET)
    target = fn.target_of(slot)
    old = fn.load_value(target)
    operand = _value(fn, instr)
    if opcode == Opcode.CONCAT:
        fn.store_value(fn.constant(None), target)  # so that nobody else counts the string and it grows in place
        new = append(fn, old, operand)
        fn.store_value(new, target)
    else:
        with fn.releasing(container.drop):
            new = binary_operation(fn, opcode, old, operand, MAY_BE_ANY)
        _assign_slot(fn, target, new)
    if instr.result_def >= 0:
        fn.dup(new)
        fn.define(instr.result_def, new)
    container.finish()


def _operate_on_array(fn: FunctionLowering, instr: Instr, array: Datum, key: Datum) -> Datum:
    """The array (consumed) with ``array[key] op= operand``; defines the result."""
    pair = fn.text.call(VALUE_TYPE, "@s2l.array.peek.value", [array.parts[0], key.parts[0]])
    found = fn.unpack(pair, MAY_BE_ANY)
    present = fn.text.compare("ne", found.parts[1], integer(Tag.UNDEF))

    def missing() -> Datum:
        return fn.unpack(fn.framed("s2l_array_read_long", array.parts[0], key.parts[0]), MAY_BE_NULL)

    old = fn.either(present, lambda: found, missing, LIKELY)
    operand = _value(fn, instr)
    with fn.releasing(lambda: fn.drop(array)):
        new = binary_operation(fn, Opcode(instr.extended_value), old, operand, MAY_BE_ANY)
    if instr.result_def >= 0:
        fn.dup(new)
        fn.define(instr.result_def, new)
    return _assign_to_array(fn, array, key, new)


@lowers(Opcode.FETCH_DIM_W, Opcode.FETCH_DIM_RW)
def _fetch_slot(fn: FunctionLowering, instr: Instr) -> None:
    """The slot of an element that the next instruction writes into, made if there is none."""
    container = _Container(fn, instr)
    key = _key(fn, instr, container)
    slot = _slot(fn, container, key, instr.opcode == Opcode.FETCH_DIM_RW, wrong_write(fn.op_array.ops, instr.number))
    container.finish()
    fn.define(instr.result_def, Datum(fn.mask_of(instr.result_def), Rep.SLOT, (slot,)))


def _explain(fn: FunctionLowering, container: _Container, key: Datum | None, on_string: str) -> None:
    """There is no slot: of a string nobody has said why yet."""
    if key is not None:
        fn.framed("s2l_throw_string_slot", key, fn.module.c_string(on_string))
    container.drop()


def _slot(fn: FunctionLowering, container: _Container, key: Datum | None, reads: bool, on_string: str) -> Val:
    """The slot of ``container[key]`` or ``container[]``, made if there is none; unwinds if it cannot be, with the error
    ``on_string`` if the container is a string."""
    fast: Callable[[], Val] | None = None
    if key is not None and key.rep is Rep.LONG:
        fast = partial(fn.text.call, PTR, "@s2l.slot.long", [container.address, key.parts[0]])
    elif key is not None and key.literal is not None:
        operands = [container.address, key.parts[0], fn.guess(key.literal)]
        fast = partial(fn.text.call, PTR, "@s2l.slot.guessed", operands)

    def made() -> Val:
        if key is None:
            slot = fn.framed("s2l_append_dim_slot", container.address)
        else:
            slot = fn.framed("s2l_fetch_dim_slot", container.address, key, TRUE if reads else FALSE)

        fn.fail_if(fn.text.compare("eq", slot, Val(PTR, "null")), lambda: _explain(fn, container, key, on_string))
        return slot

    return made() if fast is None else fn.unless_null(fast(), made)


@lowers(Opcode.FETCH_DIM_UNSET)
def _fetch_unset_slot(fn: FunctionLowering, instr: Instr) -> None:
    """The slot on the way to an unset; where there is nothing to unset, a scratch value that holds null."""
    container = _Container(fn, instr)
    key = _key(fn, instr, container, "s2l_check_unset")
    assert key is not None
    slot = fn.framed("s2l_fetch_dim_unset_slot", container.address, key)
    nothing = fn.text.compare("eq", slot, Val(PTR, "null"))
    pending = fn.text.compare("ne", fn.pending(), integer(0))
    fn.fail_if(fn.text.binary("and", nothing, pending), container.drop)
    container.finish()
    empty = fn.text.alloca(VALUE_TYPE, "nothing")
    fn.store_value(fn.constant(None), empty)
    fn.define(instr.result_def, Datum(fn.mask_of(instr.result_def), Rep.SLOT, (fn.text.select(nothing, empty, slot),)))


@lowers(Opcode.UNSET_DIM)
def _unset_dim(fn: FunctionLowering, instr: Instr) -> None:
    array = _known_array(fn, instr)
    container = _Container(fn, instr) if array is None else None
    key = fn.read(instr, "op2")
    if array is not None and key.rep in (Rep.LONG, Rep.STRING):
        address = store_array(fn, array)
        runtime = "s2l_array_unset_long" if key.rep is Rep.LONG else "s2l_array_unset_string"
        fn.runtime(runtime, address, key.parts[0])
        fn.define(instr.op1_def, load_array(fn, address))
        return
    container = container or _Container(fn, instr)
    done = fn.framed("s2l_unset_dim", container.address, key)
    fn.fail_if(fn.text.negate(done), container.drop)
    container.finish()
