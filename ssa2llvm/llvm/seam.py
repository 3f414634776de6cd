"""The seam to LLVM: one function of IR text, written instruction by instruction.

Problem: the lowering wants an IRBuilder. llvmlite's Python IR layer makes about 30,000 instructions a second
(measured, perf reference), so that a function of 100,000 opcodes would spend half a minute before LLVM sees it; the
same instructions as plain text take a second, and LLVM parses text at half a million instructions a second. So this
builder writes text. It is the only place that knows LLVM's syntax of instructions; what it writes is checked by
LLVM's parser and verifier before any pass runs.

Invariants: a block gets exactly one terminator, its last instruction; values are numbered in order of creation, so
that the text is the same in every run; cold blocks stand behind all others, in order of creation. Allocas go to the
entry block only, whose text is kept apart from the block in which the code begins: LLVM's SROA turns them into
registers.

Linear in the number of instructions.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

__all__ = [
    "ARRAY_HEADER",
    "F64",
    "FALSE",
    "I1",
    "I32",
    "I64",
    "INVARIANT",
    "LIKELY",
    "PTR",
    "STRING_HEADER",
    "TRUE",
    "UNLIKELY",
    "VALUES",
    "BlockText",
    "FunctionText",
    "Val",
    "byte_string",
    "double",
    "integer",
    "quoted",
    "zero",
]

I1, I8, I32, I64, F64, PTR = "i1", "i8", "i32", "i64", "double", "ptr"

UNLIKELY = ", !prof !0"
LIKELY = ", !prof !1"
"""Branch weights: the module defines !0 as {1, 2000} and !1 as {2000, 1}."""

ARRAY_HEADER = ", !tbaa !3"
VALUES = ", !tbaa !6"
STRING_HEADER = ", !tbaa !10"
INVARIANT = ", !invariant.load !13"
"""Kinds of memory (prelude_memory.ll): a write to one kind leaves the others as they are, and nothing writes what is
invariant while a function runs."""


class Val(NamedTuple):
    """A typed operand: its LLVM type and how the text names it (a register, a constant, a global)."""

    type: str
    ref: str

    def __str__(self) -> str:
        return f"{self.type} {self.ref}"

    @property
    def is_constant(self) -> bool:
        """Whether it is a number written in the text."""
        return self.ref[0] not in "%@"


TRUE, FALSE = Val(I1, "true"), Val(I1, "false")


def integer(number: int, type: str = I64) -> Val:
    """An integer constant."""
    return Val(type, str(number))


def double(number: float) -> Val:
    """A double constant, bit for bit."""
    return Val(F64, f"0x{struct.unpack('>Q', struct.pack('>d', number))[0]:016X}")


def zero(type: str) -> Val:
    """The constant of all zero bits of an integer, double, pointer or aggregate type."""
    if type == PTR:
        return Val(type, "null")
    if type == F64:
        return Val(type, "0x0000000000000000")
    if type == I1:
        return FALSE
    return Val(type, "0" if type.startswith("i") else "zeroinitializer")


_PLAIN = frozenset(b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 !#$%&'()*+,-./:;<=>?@[]^_`{|}~")


def byte_string(data: bytes) -> str:
    """``data`` between quotes, in LLVM's escapes (without the ``c`` of a constant array)."""
    return '"' + "".join(chr(byte) if byte in _PLAIN else f"\\{byte:02X}" for byte in data) + '"'


def quoted(name: str) -> str:
    """A global's name as LLVM text, quoted whatever it contains: ``@"php.main"``."""
    return "@" + byte_string(name.encode("utf-8", "surrogateescape"))


@dataclass(slots=True, eq=False)
class BlockText:
    """A basic block being written."""

    label: str
    lines: list[str] = field(default_factory=list)
    terminated: bool = False


class FunctionText:
    """One function definition. Instructions are appended to the current block, ``self.block``."""

    def __init__(self, header: str, entry: str = "entry") -> None:
        """``header`` is everything before the body: ``define internal i64 @"f"(ptr %ctx) #1``."""
        self.header = header
        self._allocas: list[str] = []
        self._blocks: list[BlockText] = []
        self._cold: list[BlockText] = []
        self._values = 0
        self._labels: dict[str, int] = {}
        self.location = ""
        """Debug location appended to every instruction, e.g. ``, !dbg !12``; "" for none."""
        self.block = self.new_block(entry)

    # ---- blocks

    def _label(self, name: str) -> str:
        count = self._labels.get(name, 0)
        self._labels[name] = count + 1
        return f"{name}.{count}" if count else name

    def new_block(self, name: str, cold: bool = False) -> BlockText:
        """A new empty block, behind the others of its kind; a number is added to a name already taken."""
        block = BlockText(self._label(name))
        (self._cold if cold else self._blocks).append(block)
        return block

    def at(self, block: BlockText) -> None:
        """Go on writing at the end of ``block``."""
        self.block = block

    # ---- instructions

    def emit(self, text: str) -> None:
        """Append an instruction without a result."""
        assert not self.block.terminated, f"instruction behind the terminator of {self.block.label}: {text}"
        self.block.lines.append(f"  {text}{self.location}")

    def value(self, type: str, text: str) -> Val:
        """Append an instruction with a result of ``type``."""
        self._values += 1
        result = Val(type, f"%v{self._values}")
        self.emit(f"{result.ref} = {text}")
        return result

    def _terminate(self, text: str) -> None:
        self.emit(text)
        self.block.terminated = True

    def alloca(self, type: str, name: str) -> Val:
        """A stack slot of the function's frame."""
        self._values += 1
        result = Val(PTR, f"%{name}.{self._values}" if name else f"%s{self._values}")
        self._allocas.append(f"  {result.ref} = alloca {type}, align 8")
        return result

    def binary(self, operation: str, left: Val, right: Val) -> Val:
        """``add``, ``fsub``, ``and``, ``sdiv exact`` … of two operands of one type."""
        return self.value(left.type, f"{operation} {left}, {right.ref}")

    def compare(self, predicate: str, left: Val, right: Val) -> Val:
        """``eq ne slt sle sgt sge ult`` … of integers and pointers."""
        return self.value(I1, f"icmp {predicate} {left}, {right.ref}")

    def compare_double(self, predicate: str, left: Val, right: Val) -> Val:
        """``oeq une olt ole`` … of doubles."""
        return self.value(I1, f"fcmp {predicate} {left}, {right.ref}")

    def negate(self, condition: Val) -> Val:
        """The other truth value."""
        if condition.is_constant:
            return FALSE if condition.ref == "true" else TRUE
        return self.value(I1, f"xor {condition}, true")

    def select(self, condition: Val, yes: Val, no: Val) -> Val:
        """``condition ? yes : no``, both computed already."""
        if condition.is_constant:
            return yes if condition.ref == "true" else no
        return self.value(yes.type, f"select {condition}, {yes}, {no}")

    def cast(self, operation: str, operand: Val, type: str) -> Val:
        """``zext trunc bitcast sitofp ptrtoint inttoptr`` …"""
        return self.value(type, f"{operation} {operand} to {type}")

    def load(self, type: str, address: Val, memory: str = "") -> Val:
        """Read memory; ``memory`` says of which kind it is (see `VALUES`)."""
        return self.value(type, f"load {type}, {address}{memory}")

    def store(self, operand: Val, address: Val, memory: str = "") -> None:
        """Write memory."""
        self.emit(f"store {operand}, {address}{memory}")

    def offset(self, base: Val, bytes_: int | Val) -> Val:
        """The address ``bytes_`` behind ``base``."""
        if isinstance(bytes_, int):
            if bytes_ == 0:
                return base
            bytes_ = integer(bytes_)
        return self.value(PTR, f"getelementptr inbounds i8, {base}, {bytes_}")

    def extract(self, type: str, aggregate: Val, index: int) -> Val:
        """A member of an aggregate."""
        return self.value(type, f"extractvalue {aggregate}, {index}")

    def insert(self, aggregate: Val, member: Val, index: int) -> Val:
        """``aggregate`` with one member replaced."""
        return self.value(aggregate.type, f"insertvalue {aggregate}, {member}, {index}")

    def call(self, type: str, callee: str, arguments: Sequence[Val], convention: str = "") -> Val:
        """Call a function (``callee`` as the text names it). The result is meaningless for ``void``."""
        listed = ", ".join(map(str, arguments))
        text = f"call {convention} {type} {callee}({listed})" if convention else f"call {type} {callee}({listed})"
        if type == "void":
            self.emit(text)
            return Val("void", "undef")
        return self.value(type, text)

    def phi(self, type: str, incoming: Sequence[tuple[Val, BlockText]]) -> Val:
        """Join values at the head of the current block, which must still be empty but for other phis."""
        listed = ", ".join(f"[ {operand.ref}, %{block.label} ]" for operand, block in incoming)
        return self.value(type, f"phi {type} {listed}")

    # ---- terminators

    def jump(self, target: BlockText) -> None:
        """Go to ``target``."""
        self._terminate(f"br label %{target.label}")

    def branch(self, condition: Val, yes: BlockText, no: BlockText, weights: str = "") -> None:
        """Go to one of two blocks; ``weights`` is LIKELY, UNLIKELY or ""."""
        if condition.is_constant:
            self.jump(yes if condition.ref == "true" else no)
            return
        self._terminate(f"br {condition}, label %{yes.label}, label %{no.label}{weights}")

    def switch(self, subject: Val, default: BlockText, cases: Sequence[tuple[int, BlockText]]) -> None:
        """Go to the block of the case equal to ``subject``; the cases must differ."""
        listed = " ".join(f"{subject.type} {number}, label %{block.label}" for number, block in cases)
        self._terminate(f"switch {subject}, label %{default.label} [ {listed} ]")

    def ret(self, operand: Val | None = None) -> None:
        """Return."""
        self._terminate(f"ret {operand}" if operand else "ret void")

    def unreachable(self) -> None:
        """Control cannot come here."""
        self._terminate("unreachable")

    # ---- text

    def text(self) -> str:
        """The whole definition. Every block must be terminated."""
        lines = [self.header + " {"]
        for number, block in enumerate(self._blocks + self._cold):
            assert block.terminated, f"{self.header}: block {block.label} has no terminator"
            lines.append(f"{block.label}:")
            if number == 0:
                lines += self._allocas
            lines += block.lines
        lines.append("}\n")
        return "\n".join(lines)
