"""Which instructions make up a call, and what is called: the call map of a function.

A call is an INIT, its SENDs and its DO; calls nest in their arguments (``f(g(1), $c ? 2 : 3)``), and an argument may
span blocks. The INITs that are open at a block's entry are the same on every path to it, so one walk over the graph
with a stack of open calls finds all of them in O(instructions) (Zend/Optimizer/zend_call_graph.c:zend_analyze_calls
walks the linear code, which loses its place when unreachable code was removed).

Callees are found as Zend/Optimizer/zend_optimizer.c:zend_optimizer_get_called_func does. The sound configuration also
resolves calls by name (INIT_FCALL_BY_NAME, INIT_NS_FCALL_BY_NAME), which Zend leaves to pass 4: a function at the top
level of the script exists from the start and cannot be replaced.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias

from ssa2llvm.analysis.classes import ClassTable, lower
from ssa2llvm.analysis.internals import InternalFunction, internal_function, internal_method
from ssa2llvm.ir.call_opcodes import CALL_ENDS, INITS, SENDS
from ssa2llvm.ir.config import Config
from ssa2llvm.ir.function import Function, Instr
from ssa2llvm.ir.op_array import FnFlags, Op, OpArray, Script
from ssa2llvm.ir.opcode import Opcode
from ssa2llvm.ir.operands import FETCH_CLASS_MASK, FETCH_CLASS_SELF, OpKind

Callee: TypeAlias = OpArray | InternalFunction

_UNPACKS = frozenset({Opcode.SEND_ARRAY, Opcode.SEND_UNPACK})


@dataclass(slots=True, eq=False)
class CallInfo:
    """One call. ``callee`` is None if it is not known. ``is_prototype``: an overriding method may run instead.
    ``sends`` are in the order they stand; ``do`` is None if the call never happens (an argument throws)."""

    init: Instr
    callee: Callee | None = None
    is_prototype: bool = False
    sends: list[Instr] = field(default_factory=list)
    do: Instr | None = None
    unpack: bool = False
    named: bool = False

    @property
    def num_args(self) -> int:
        """Arguments passed one by one."""
        return len(self.sends)

    @property
    def positional(self) -> bool:
        """Whether the n-th SEND is the n-th argument, for all of them."""
        return not self.unpack and not self.named

    def argument(self, number: int) -> Instr | None:
        """The SEND of argument ``number`` (from 1)."""
        return self.sends[number - 1] if number <= len(self.sends) else None


class Symbols:
    """The functions and classes that a script's code can name."""

    def __init__(self, script: Script | None, config: Config) -> None:
        self.script = script
        self.config = config
        self.classes = ClassTable(script)
        self._functions = {lower(op_array.name): op_array for op_array in (script.functions if script else ())}
        self._conditional: dict[str, list[OpArray]] = {}
        """Functions that are declared when control gets there, by name."""
        for op_array in script.op_arrays() if script else ():
            for nested in op_array.dynamic_defs:
                if FnFlags.CLOSURE not in nested.flags:
                    self._conditional.setdefault(lower(nested.name), []).append(nested)

    def add_variant(self, op_array: OpArray) -> None:
        """Make a copy that the optimizer made known by its symbol."""
        self._functions[lower(op_array.symbol)] = op_array

    def function(self, name: str) -> Callee | None:
        """The function of this name, from the script or PHP's own."""
        key = lower(name).lstrip("\\")
        return self._functions.get(key) or internal_function(key)

    def resolve(self, op_array: OpArray, init: Op) -> tuple[Callee | None, bool]:
        """The callee of ``init`` in ``op_array``, and whether it is only a prototype."""
        name = _literal_name(op_array, init)
        if name is None:
            return None, False
        opcode = init.opcode
        if opcode == Opcode.INIT_FCALL:
            return self.function(name), False
        if opcode == Opcode.INIT_STATIC_METHOD_CALL:
            return self._static_method(op_array, init, name), False
        if opcode == Opcode.INIT_METHOD_CALL:
            return self._own_method(op_array, init, name)
        if self.config is Config.SOUND:
            if opcode == Opcode.INIT_FCALL_BY_NAME and lower(name) not in self._conditional:
                return self.function(name), False
            if opcode == Opcode.INIT_NS_FCALL_BY_NAME and lower(name) not in self._conditional:
                short = name.rsplit("\\", 1)[-1]
                if lower(short) not in self._conditional:
                    return self.function(name) or self.function(short), False
        return None, False

    def candidates(self, op_array: OpArray, init: Op) -> list[Callee] | None:
        """All functions that a call by name may reach, in the sound configuration; none if it can only fail. None for
        calls of other kinds."""
        name = _literal_name(op_array, init)
        if name is None or init.opcode not in (Opcode.INIT_FCALL_BY_NAME, Opcode.INIT_NS_FCALL_BY_NAME):
            return None
        names = [name, name.rsplit("\\", 1)[-1]] if init.opcode == Opcode.INIT_NS_FCALL_BY_NAME else [name]
        found: list[Callee] = []
        for candidate in names:
            known = self.function(candidate)
            found += [known] if known is not None else []
            found += self._conditional.get(lower(candidate), [])
        return found

    def _method(self, cls: str, name: str) -> OpArray | None:
        """The method that class ``cls`` has, its own or inherited."""
        wanted = lower(name)
        decl = self.classes.decl(cls)
        seen: set[str] = set()
        while decl is not None and decl.name not in seen:
            seen.add(decl.name)
            for method in decl.methods:
                if lower(method.name) == wanted:
                    return method
            decl = self.classes.parent(decl.name)
        return None

    def constructor(self, op_array: OpArray, new: Op) -> OpArray | None:
        """The constructor that NEW calls, if its class is one of the script's."""
        name: str | None = None
        if new.op1.kind == OpKind.CONST:
            written = op_array.literals[new.op1.num]
            name = written.decode("utf-8", "surrogateescape") if isinstance(written, bytes) else None
        elif new.op1.kind == OpKind.UNUSED and new.op1.num & FETCH_CLASS_MASK == FETCH_CLASS_SELF:
            name = op_array.scope
        found = self.classes.visible(name, op_array.scope) if name is not None else None
        if found is None or self.classes.is_trait(found.name):
            return None
        return self._method(found.name, "__construct")

    def _static_method(self, op_array: OpArray, init: Op, name: str) -> Callee | None:
        cls: str | None = None
        if init.op1.kind == OpKind.CONST:
            written = op_array.literals[init.op1.num]
            if isinstance(written, bytes):
                found = self.classes.visible(written.decode("utf-8", "surrogateescape"), op_array.scope)
                cls = found.name if found is not None else None
        elif init.op1.kind == OpKind.UNUSED and init.op1.num & FETCH_CLASS_MASK == FETCH_CLASS_SELF:
            cls = op_array.scope
        if cls is None or self.classes.is_trait(cls):
            return None
        method = self._method(cls, name)
        if method is None:
            if self.config is Config.ZEND:  # whether there is an object to call it for is not asked
                return internal_method(lower(cls), lower(name))
            return internal_function(f"{lower(cls)}::{lower(name)}")
        return method if FnFlags.PUBLIC in method.flags or method.scope == op_array.scope else None

    def _own_method(self, op_array: OpArray, init: Op, name: str) -> tuple[OpArray | None, bool]:
        if init.op1.kind != OpKind.UNUSED or op_array.scope is None or self.classes.is_trait(op_array.scope):
            return None, False
        method = self._method(op_array.scope, name)
        if method is None:
            return None, False
        if FnFlags.PRIVATE in method.flags:
            return (method if method.scope == op_array.scope else None), False
        return method, FnFlags.FINAL not in method.flags


def symbol_of(callee: Callee) -> str:
    """The name by which code calls it."""
    return callee.symbol if isinstance(callee, OpArray) else callee.name


def _literal_name(op_array: OpArray, init: Op) -> str | None:
    if init.op2.kind != OpKind.CONST:
        return None
    name = op_array.literals[init.op2.num]
    return name.decode("utf-8", "surrogateescape") if isinstance(name, bytes) else None


class CallMap:
    """The calls of one function, by any of their instructions."""

    def __init__(self, function: Function, symbols: Symbols) -> None:
        self.calls: list[CallInfo] = []
        self._of: dict[Instr, CallInfo] = {}
        self._function = function
        self._symbols = symbols
        entry: tuple[CallInfo, ...] = ()
        open_at: list[tuple[CallInfo, ...] | None] = [None] * len(function.blocks)
        roots = [block.id for block in function.blocks if not block.preds and block.reachable] or [0]
        for root in roots:
            open_at[root] = entry
        pending = list(reversed(roots))
        while pending:
            block = function.blocks[pending.pop()]
            stack = list(open_at[block.id] or ())
            for instr in block.instrs:
                self._visit(instr, stack)
            for succ in reversed(block.succs):
                if open_at[succ] is None:
                    open_at[succ] = tuple(stack)
                    pending.append(succ)

    def _visit(self, instr: Instr, stack: list[CallInfo]) -> None:
        opcode = instr.opcode
        if opcode in (Opcode.CATCH, Opcode.CATCH_ALL):
            stack.clear()  # the calls that an exception cut short
        elif opcode in INITS:
            callee, is_prototype = (None, False)
            if opcode != Opcode.NEW:
                callee, is_prototype = self._symbols.resolve(self._function.op_array, instr)
            info = CallInfo(instr, callee, is_prototype)
            self.calls.append(info)
            self._of[instr] = info
            stack.append(info)
        elif not stack:
            return
        elif opcode in CALL_ENDS:
            info = stack.pop()
            info.do = instr
            self._of[instr] = info
        elif opcode in SENDS or opcode in _UNPACKS:
            info = stack[-1]
            self._of[instr] = info
            if opcode in _UNPACKS:
                info.unpack = True
            elif instr.op2.kind == OpKind.CONST:
                info.named = True
            else:
                info.sends.append(instr)

    def get(self, instr: Instr) -> CallInfo | None:
        """The call that an INIT, SEND or DO belongs to."""
        return self._of.get(instr)
