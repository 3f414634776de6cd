"""What a reader of LLVM IR text finds in it: functions, blocks, instructions, each with its tokens and its place.

Only local structure is kept: who defines and reads which local name, where control goes, what phis say.  Types are
text.  Names are spelled with their `%`.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from ssa2llvm.ir.diagnostics import CompileError
from ssa2llvm.llir.lexer import Token

TERMINATORS = frozenset(
    ["ret", "br", "switch", "indirectbr", "invoke", "callbr", "resume", "unreachable"]
    + ["catchswitch", "catchret", "cleanupret"]
)
"""Opcodes that end a block."""


@dataclass(slots=True)
class Incoming:
    """One `[ value, %block ]` of a phi.  `value` is its text; `name` the token of a local name, if it is one."""

    value: str
    block: Token
    name: Token | None
    start: int
    end: int


@dataclass(slots=True)
class Instruction:
    """One instruction.  `uses` are the local values it reads, `labels` the blocks it names as targets; for a phi both
    are empty and `incoming` tells."""

    tokens: list[Token]
    opcode: str
    result: str | None = None
    uses: list[Token] = field(default_factory=list)
    labels: list[Token] = field(default_factory=list)
    incoming: list[Incoming] = field(default_factory=list)
    type: str = ""
    """The type of a phi, alloca or load result; "" for others."""

    @property
    def first(self) -> Token:
        """Its first token: where a message points."""
        return self.tokens[0]

    @property
    def start(self) -> int:
        """Where its text begins."""
        return self.tokens[0].start

    @property
    def end(self) -> int:
        """Where its text ends."""
        return self.tokens[-1].end

    @property
    def is_terminator(self) -> bool:
        """Whether it ends its block."""
        return self.opcode in TERMINATORS

    @property
    def is_debug_record(self) -> bool:
        """Whether it only talks to a debugger (`#dbg_value` and the like)."""
        return self.opcode.startswith("#dbg_")


@dataclass(slots=True)
class BasicBlock:
    """A block.  `label` is the token that names it, None if its name is implied (an unnamed entry block)."""

    name: str
    label: Token | None
    start: int
    """Where its text begins: the label, or the first instruction."""
    instructions: list[Instruction] = field(default_factory=list)


@dataclass(slots=True)
class Parameter:
    """A parameter: its name and the token that declares it (None if the name is an implied number), and where its
    text ends."""

    name: str
    token: Token | None
    end: int


@dataclass(slots=True)
class FunctionText:
    """A function definition.  `body_start` is where the text after the opening brace begins, `end` that of the
    closing brace."""

    name: str
    first: Token
    parameters: list[Parameter] = field(default_factory=list)
    blocks: list[BasicBlock] = field(default_factory=list)
    body_start: int = 0
    end: int = 0


@dataclass(slots=True)
class ModuleText:
    """A file: its text and the functions defined in it; everything else stays text."""

    file: str
    text: str
    functions: list[FunctionText] = field(default_factory=list)
    lines: list[str] = field(init=False)
    """The lines of the text, for messages."""

    def __post_init__(self) -> None:
        self.lines = self.text.split("\n")

    def error(self, token: Token, message: str, kind: str = "error") -> CompileError:
        """A diagnostic that points at `token`."""
        source_line = self.lines[token.line - 1]
        return CompileError(message, self.file, token.line, token.column, kind, source_line)
