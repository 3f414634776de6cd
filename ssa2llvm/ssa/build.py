"""e-SSA form of a function: the whole construction in Zend's order (Zend/Optimizer/dfa_pass.c:zend_dfa_analyze_op_array
and zend_ssa.c:zend_build_ssa).

    blocks, dominators, loops      cfg.build
    liveness of slots              ssa.liveness
    jumps of && and ||             ssa.short_circuit (Config.SOUND)
    pis, then phis                 ssa.pi, ssa.phi_zend
    names                          ssa.rename
    chains, NOVAL, components      ssa.chains, ssa.no_val, ssa.sccs

Config.ZEND reproduces PHP: names, orders and numbers are those of its dumps, and a function that PHP refuses is
refused (``refusal``). Config.SOUND refuses nothing: exceptions have edges (``cfg.exceptions``), variables that may
change behind the instructions' backs are marked (``SsaVar.alias``; the rest are real locals, in main scripts too), and
pis say only what is true (``ssa.pi``).

``rc_inference`` makes the form that PHP's JIT builds for itself (ext/opcache/jit/zend_jit.c:
zend_jit_op_array_analyze1), in which each change of a reference count is a definition (``ssa.access``); under
Config.ZEND only. The JIT builds none of main scripts and generators.

Time is near-linear in instructions, edges and phi sources; the bit sets cost blocks * variables / 64 words.
"""

from __future__ import annotations

from collections.abc import Callable

from ssa2llvm.cfg.build import Flavour, build_cfg, tree_of
from ssa2llvm.cfg.dominators import DominatorTree
from ssa2llvm.ir.config import Config
from ssa2llvm.ir.diagnostics import CompileError
from ssa2llvm.ir.function import BlockFlags, Function, Phi
from ssa2llvm.ir.op_array import FnFlags, OpArray, Script
from ssa2llvm.ir.opcode import Opcode
from ssa2llvm.ssa.access import DATA_OWNERS, FETCHES
from ssa2llvm.ssa.aliases import accesses_indirectly, global_names
from ssa2llvm.ssa.chains import link_chains, mark_aliases
from ssa2llvm.ssa.class_names import ClassNames, early_bound_classes
from ssa2llvm.ssa.edit_graph import split_edge
from ssa2llvm.ssa.liveness import SlotLiveness, slot_liveness
from ssa2llvm.ssa.no_val import mark_no_val
from ssa2llvm.ssa.phi_zend import place_phis
from ssa2llvm.ssa.pi import place_pis
from ssa2llvm.ssa.rename import rename
from ssa2llvm.ssa.sccs import mark_sccs
from ssa2llvm.ssa.short_circuit import thread_short_circuits

MAX_CELLS = 4 * 1024 * 1024
"""PHP builds no SSA form if blocks times variables exceed this."""


class SsaContext:
    """What the rest of a script tells about each of its functions; made once a script, as it looks at all of it.
    ``settle`` rewrites the block form of a function before anything is built on it, where the script says more than
    PHP's compiler knew (``analysis.settled_arguments``)."""

    def __init__(self, script: Script | None = None, settle: Callable[[Function], None] | None = None) -> None:
        self.settle = settle
        self.classes = early_bound_classes(script) if script is not None else {}
        self.global_names = global_names(script) if script is not None else None


NO_CONTEXT = SsaContext()
"""A function on its own: no classes are known, and anything may reach the main script's variables."""


def refusal(op_array: OpArray, rc_inference: bool = False) -> str | None:
    """Why PHP (with ``rc_inference`` its JIT) builds no SSA form for this function; None if it does, unless it is too
    big (see ``build_ssa``)."""
    if rc_inference and op_array.is_main:
        return "main script"
    if rc_inference and FnFlags.GENERATOR in op_array.flags:
        return "generator"
    if op_array.try_catch:
        return "try/catch/finally"
    if accesses_indirectly(op_array):
        return "variables accessed indirectly"
    return None


def build_ssa(
    op_array: OpArray, config: Config = Config.SOUND, context: SsaContext = NO_CONTEXT, rc_inference: bool = False
) -> Function:
    """Return the e-SSA form of ``op_array``, with chains, NOVAL marks and components.

    Raises CompileError for a malformed op array, and under Config.ZEND for a function that PHP refuses.
    """
    check_pairs(op_array)
    if config is Config.ZEND:
        reason = refusal(op_array, rc_inference)
        if reason is not None:
            raise CompileError(f"PHP builds no SSA form for {op_array.name}: {reason}", file=op_array.filename)
    function = build_cfg(op_array, config, Flavour.JIT if rc_inference else Flavour.DFA)
    function.rc_inference = rc_inference
    if config is Config.ZEND and len(function.blocks) * op_array.num_slots > MAX_CELLS:
        raise CompileError(
            f"PHP builds no SSA form for {op_array.name}: {len(function.blocks)} blocks times {op_array.num_slots} "
            f"variables are more than {MAX_CELLS}",
            file=op_array.filename,
        )
    if config is Config.SOUND:
        separate_fetch_exits(function)
        if context.settle is not None:
            context.settle(function)
    live = slot_liveness(function)
    if config is Config.SOUND and thread_short_circuits(function, live):
        live = slot_liveness(function)
    tree = tree_of(function)
    forced = place_pis(function, tree, live, ClassNames(op_array, context.classes))
    insert_phis(function, live, phi_sets(function, tree, live, forced))
    rename(function)
    finish(function, context)
    return function


def separate_fetch_exits(function: Function) -> None:
    """Give the exit edge of an FE_FETCH a block of its own if it leads to where the other edge does, so that what is
    assigned on one only can be told apart. (PHP's compiler makes no such foreach, but others may.)"""
    for block in list(function.blocks):
        if block.instrs and block.instrs[-1].opcode in FETCHES and block.reachable and len(set(block.succs)) == 1:
            split_edge(function, block, 0)


def phi_sets(function: Function, tree: DominatorTree, live: SlotLiveness, forced: list[int]) -> list[int]:
    """Place phis by Zend's rule; under Config.SOUND without its flooding of irreducible loops."""
    zend = function.config is Config.ZEND
    return place_phis(
        [block.preds for block in function.blocks],
        tree,
        live.live_in,
        live.define,
        forced,
        [zend and BlockFlags.IRREDUCIBLE_LOOP in block.flags for block in function.blocks],
    )


def insert_phis(function: Function, live: SlotLiveness, phis: list[int]) -> None:
    """Put a phi for each slot in the sets behind its block's pis, ascending."""
    for block, mask in zip(function.blocks, phis, strict=True):
        if mask:
            block.phis += [Phi(slot, block.id, sources=[-1] * len(block.preds)) for slot in live.slots_in(mask)]


def finish(function: Function, context: SsaContext = NO_CONTEXT) -> None:
    """Derive all that follows from the names: chains, aliases, NOVAL, components."""
    op_array = function.op_array
    link_chains(function)
    if op_array.is_main and function.config is Config.SOUND:
        mark_aliases(function, context.global_names)
    elif accesses_indirectly(op_array):
        mark_aliases(function, None)
    else:
        mark_aliases(function, frozenset())
    mark_no_val(function)
    mark_sccs(function)


def check_pairs(op_array: OpArray) -> None:
    """Raise CompileError unless each instruction that needs an OP_DATA, and no other, is followed by one."""
    owner = False
    for number, op in enumerate(op_array.ops):
        is_data = op.opcode == Opcode.OP_DATA
        if is_data != owner:
            previous = op_array.ops[number - 1].opcode.name if number else "the start"
            what = f"OP_DATA after {previous}" if is_data else f"no OP_DATA after {previous}"
            raise CompileError(
                f"in {op_array.name}, instruction {number}: {what}", file=op_array.filename, line=op.line
            )
        owner = op.opcode in DATA_OWNERS
