"""The block form: one function as a control-flow graph whose instructions carry SSA names *beside* their slots.

Before SSA construction all names are -1; after it, ``op1_use`` is the name read through op1, ``op1_def`` the name
written through it, and so on (Zend/Optimizer/zend_ssa.h:zend_ssa_op). One instruction can define several names
(ASSIGN_REF defines op1 and op2; ``$a = f()`` with a used result defines op1 and the result), so "one definition an
instruction" does not hold here.

Ids are dense ints: blocks by position in ``blocks``, SSA names by position in ``ssa_vars``. Names 0..len(cvs)-1 are
the CVs at entry, before any definition. Lists keep Zend's order, on which its dumps depend: ``uses`` ascends by
instruction, ``phi_uses`` descends.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Flag, auto

from ssa2llvm.ir.config import Config
from ssa2llvm.ir.op_array import Op, OpArray, TryCatch
from ssa2llvm.ir.types import type_text


class BlockFlags(Flag):
    """Facts about a block; the printer knows their order in PHP's dumps."""

    NONE = 0
    START = auto()
    RECV_ENTRY = auto()
    ENTRY = auto()
    EXIT = auto()
    TARGET = auto()
    FOLLOW = auto()
    TRY = auto()
    CATCH = auto()
    FINALLY = auto()
    FINALLY_END = auto()
    UNREACHABLE_FREE = auto()
    REACHABLE = auto()
    LOOP_HEADER = auto()
    IRREDUCIBLE_LOOP = auto()
    THROW_EDGE = auto()
    """``succs`` is [next, handler]: the first instruction of ``next``, whose only predecessor this block is, goes to
    ``handler`` when it throws (``cfg.exceptions``). The edge thus leaves before that instruction defines anything."""


@dataclass(slots=True, eq=False)
class Instr(Op):
    """An instruction of the block form. ``number`` is its number in the linear form it came from (-1 for inserted
    ones).

    ``args`` are further SSA names it reads, in order: of a call after its SENDs were folded into it (see
    ``opt.calls``). ``unwind`` are the names to drop when it throws, put there by ``own``; each is read by the
    instruction or lives on after it, so liveness need not look at them. Two instructions are equal only if they are
    one and the same: equal words at two places are two instructions.
    """

    __eq__ = object.__eq__
    __hash__ = object.__hash__
    number: int = -1
    op1_use: int = -1
    op2_use: int = -1
    result_use: int = -1
    op1_def: int = -1
    op2_def: int = -1
    result_def: int = -1
    args: list[int] = field(default_factory=list)
    unwind: list[int] = field(default_factory=list)

    def uses(self) -> list[int]:
        """SSA names read, each once, in operand order."""
        names: list[int] = []
        for name in (self.op1_use, self.op2_use, self.result_use, *self.args):
            if name >= 0 and name not in names:
                names.append(name)
        return names

    def defs(self) -> list[int]:
        """SSA names defined, in Zend's numbering order where it matters to readers (op1, op2, result)."""
        return [name for name in (self.op1_def, self.op2_def, self.result_def) if name >= 0]


@dataclass(slots=True)
class RangeConstraint:
    """A pi's range: [min_var + min, max_var + max]; a variable of -1 means a plain number.
    ``underflow``/``overflow`` mark an open end; ``negative`` that the value is *not* in the range.
    ``min_slot``/``max_slot`` name the bounding variables before renaming."""

    min: int = 0
    max: int = 0
    min_var: int = -1
    max_var: int = -1
    min_slot: int = -1
    max_slot: int = -1
    underflow: bool = False
    overflow: bool = False
    negative: bool = False


@dataclass(slots=True)
class TypeConstraint:
    """A pi's type mask, with the class of an ``instanceof``."""

    mask: int
    class_name: str | None = None

    def __str__(self) -> str:
        return type_text(self.mask, self.class_name, is_instanceof=True)


@dataclass(slots=True, eq=False)
class Phi:
    """A phi (``pi`` < 0) with one source for each predecessor in their order, or a pi: a copy of ``sources[0]`` on
    the edge from block ``pi``, with what the branch taken there says about it. ``slot`` is the variable, ``result``
    the SSA name defined."""

    slot: int
    block: int
    result: int = -1
    sources: list[int] = field(default_factory=list)
    pi: int = -1
    constraint: RangeConstraint | TypeConstraint | None = None

    @property
    def is_pi(self) -> bool:
        """Whether it is a pi."""
        return self.pi >= 0


@dataclass(slots=True)
class Block:
    """A basic block. ``succs`` may name a block twice (``switch``, ``if ($x) {}``); ``preds`` names each
    predecessor once, ascending as long as no edit replaced one.

    ``start`` and ``length`` are the range of linear instructions it was built from. ``idom`` and ``loop_header``
    are -1 when there is none, ``level`` is the depth in the dominator tree (-1 unreachable), ``children`` the
    dominator-tree children, ascending.
    """

    id: int
    instrs: list[Instr] = field(default_factory=list)
    phis: list[Phi] = field(default_factory=list)
    succs: list[int] = field(default_factory=list)
    preds: list[int] = field(default_factory=list)
    flags: BlockFlags = BlockFlags.NONE
    start: int = 0
    length: int = 0
    idom: int = -1
    level: int = -1
    children: list[int] = field(default_factory=list)
    loop_header: int = -1

    @property
    def reachable(self) -> bool:
        """Whether control can arrive here."""
        return BlockFlags.REACHABLE in self.flags


class Alias(Flag):
    """Why a variable may change behind the instructions' backs (zend_ssa.h:zend_ssa_alias_kind)."""

    NONE = 0
    SYMTABLE = auto()
    HTTP_RESPONSE_HEADER = auto()


@dataclass(slots=True)
class SsaVar:
    """An SSA name: its slot, its one definition (instruction, or phi/pi, or neither for a CV at entry), and its uses.

    ``no_val`` says that nobody reads the value (a false dependency, zend_ssa.c:zend_ssa_find_false_dependencies).
    ``scc`` is its strongly connected component in the order PHP numbers them, -1 before or if it has none.
    """

    slot: int
    definition: Instr | None = None
    definition_phi: Phi | None = None
    uses: list[Instr] = field(default_factory=list)
    phi_uses: list[Phi] = field(default_factory=list)
    sym_uses: list[Phi] = field(default_factory=list)
    no_val: bool = False
    scc: int = -1
    scc_entry: bool = False
    alias: Alias = Alias.NONE


@dataclass(slots=True)
class Function:
    """A function in block form; ``ssa_vars`` is empty before SSA construction. ``op_array`` stays as it was read:
    literals, names and declarations are taken from it (passes may append literals)."""

    op_array: OpArray
    blocks: list[Block] = field(default_factory=list)
    ssa_vars: list[SsaVar] = field(default_factory=list)
    irreducible: bool = False
    has_loops: bool = False
    config: Config = Config.SOUND
    """How the graph and the SSA form were built; code is generated from SOUND alone."""
    try_blocks: list[TryCatch] = field(default_factory=list)
    """The exception table with block ids in place of instruction numbers (0: absent)."""
    rc_inference: bool = False
    """Whether the SSA form is that of PHP's JIT (``ssa.build``), in which an instruction defines also what it only
    shares; Config.ZEND alone."""
    stale: bool = False
    """Whether an edit changed edges since ``idom``, ``level``, ``children`` and the loops were computed
    (``cfg.build.refresh`` computes them again)."""
    extra_slots: int = 0
    """Slots beyond ``op_array.num_slots`` that later stages invented."""
    extra_names: dict[int, str] = field(default_factory=dict)
    """Those of them that are variables, with their names: elements of arrays that ``opt.scalar_arrays`` took apart.
    Operands name them as CVs; unlike PHP's own they have no name at entry."""

    @property
    def num_slots(self) -> int:
        """Number of variable slots, those of the op array and those added since."""
        return self.op_array.num_slots + self.extra_slots

    def is_variable(self, slot: int) -> bool:
        """Whether the slot is a variable's rather than a temporary's."""
        return slot < len(self.op_array.cvs) or slot in self.extra_names

    def slot_name(self, slot: int) -> str:
        """The variable's name for diagnostics."""
        name = self.extra_names.get(slot)
        return self.op_array.slot_name(slot) if name is None else f"${name}"

    def name_text(self, name: int) -> str:
        """``#12.$x`` for an SSA name: for diagnostics."""
        return f"#{name}.{self.slot_name(self.ssa_vars[name].slot)}" if name >= 0 else "#-"

    def instructions(self) -> list[Instr]:
        """All instructions in block order."""
        return [instr for block in self.blocks for instr in block.instrs]
