"""Control flow of exceptions, made explicit for Config.SOUND (Zend builds no SSA form for functions with try at all).

The edge of a throw. Each instruction in a try region that may throw starts a block of its own, whose one predecessor
carries the edge to the handler:

    b3: ... ; THROW_EDGE, succs = [b4, handler]
    b4: the instruction that may throw ; what follows it

so the handler sees the variables as they were *before* that instruction defined anything, dominance and liveness mean
what they say, and copies on the edge b3 -> handler are executed when the first instruction of b4 throws. If it is
proved not to throw, removing the edge leaves two blocks to merge. Where the instruction stood first in a block, b3 is
empty and takes over that block's place.

Handlers (Zend/zend_vm_def.h:ZEND_HANDLE_EXCEPTION): the innermost region around the instruction; its catch if the
instruction lies before the catch, else its finally. A CATCH whose class does not match throws on: the last of its
chain to the region around it, another one to the next CATCH, so that its variable keeps its value there too. (In
block form every CATCH is therefore a LAST_CATCH, with one successor.) A finally is entered by exception through a
landing block, whose CATCH_ALL keeps the exception in the temporary that the finally's FAST_RET reads.

Finally as a subroutine: FAST_CALL leads only to the finally block; FAST_RET leads back behind each FAST_CALL of the
same finally, ascending, or throws the kept exception on.

A value to be returned waits in a temporary while a finally runs, so that liveness sees the temporary from where it is
begun through every way into the finally to every RETURN behind it. But an error frees what is half computed (Zend's
live ranges): at a handler the temporary is null, unless the handler stands in the finally that runs meanwhile.

What may throw without knowing types: opcodes that throw, warn (error handlers throw) or run user code; reads of CVs
that would warn when undefined; operands that may be the last owner of an object with a destructor.

Not shown: what an instruction leaves half done when it throws. PHP turns an undefined variable into null before
``$u += []`` throws, and into an array before ``$u[[]] = 1`` does; a handler that reads $u then sees that, where here
it finds it undefined, and PHP's second "Undefined variable" warning is one too many (docs/errata.md).

In: a Function from ``cfg.build`` with its exception table. Out: the same with blocks and edges as above, still in the
order of the linear form. O(instructions * nesting depth of try).
"""

from __future__ import annotations

from ssa2llvm.ir.diagnostics import CompileError
from ssa2llvm.ir.function import Block, BlockFlags, Function, Instr
from ssa2llvm.ir.op_array import Op, OpArray, TryCatch
from ssa2llvm.ir.opcode import Opcode
from ssa2llvm.ir.operands import LAST_CATCH, UNUSED, Operand, const
from ssa2llvm.ir.optable import OPCODES, QUIET_ON_UNDEF_OP1, QUIET_ON_UNDEF_OP2, Effects, Flow, op_info

_NO_HANDLER = -1

_MAY_FAIL: dict[int, bool] = {
    info.opcode: bool(info.effects & (Effects.WARNS | Effects.THROWS | Effects.OUTPUT)) for info in OPCODES
}
_TRUTH_TESTS = frozenset({Opcode.JMPZ, Opcode.JMPNZ, Opcode.JMPZ_EX, Opcode.JMPNZ_EX, Opcode.BOOL, Opcode.BOOL_NOT})
"""Opcodes that fail only by their operand: an undefined variable, an object."""

RETHROWS = frozenset({Opcode.CATCH, Opcode.FAST_RET})
"""Instructions that pass on an exception thrown elsewhere."""

_SCALAR_RESULT = frozenset(
    {
        Opcode.ARRAY_KEY_EXISTS,
        Opcode.BOOL,
        Opcode.BOOL_NOT,
        Opcode.BOOL_XOR,
        Opcode.CASE,
        Opcode.CASE_STRICT,
        Opcode.COUNT,
        Opcode.DEFINED,
        Opcode.FAST_CALL,
        Opcode.FAST_CONCAT,
        Opcode.FUNC_NUM_ARGS,
        Opcode.GET_TYPE,
        Opcode.INSTANCEOF,
        Opcode.IN_ARRAY,
        Opcode.ISSET_ISEMPTY_CV,
        Opcode.ISSET_ISEMPTY_DIM_OBJ,
        Opcode.ISSET_ISEMPTY_PROP_OBJ,
        Opcode.ISSET_ISEMPTY_STATIC_PROP,
        Opcode.ISSET_ISEMPTY_THIS,
        Opcode.ISSET_ISEMPTY_VAR,
        Opcode.IS_EQUAL,
        Opcode.IS_IDENTICAL,
        Opcode.IS_NOT_EQUAL,
        Opcode.IS_NOT_IDENTICAL,
        Opcode.IS_SMALLER,
        Opcode.IS_SMALLER_OR_EQUAL,
        Opcode.JMPNZ_EX,
        Opcode.JMPZ_EX,
        Opcode.SPACESHIP,
        Opcode.STRLEN,
        Opcode.TYPE_CHECK,
    }
)
"""Opcodes whose result never holds an object, so that freeing it runs no destructor."""


def add_exception_edges(function: Function) -> None:
    """Rewrite the blocks and edges of ``function`` as the module says. Predecessors and dominators are left to the
    caller. Raises CompileError for a FAST_CALL or FAST_RET of no finally block."""
    op_array = function.op_array
    handler_of = _handlers(op_array)
    may_throw = _MayThrow(op_array)
    cuts = [
        [
            position
            for position, instr in enumerate(block.instrs)
            if block.reachable
            and instr.opcode != Opcode.OP_DATA
            and (_has_next_catch(instr) or (handler_of[instr.number] != _NO_HANDLER and may_throw(instr)))
        ]
        for block in function.blocks
    ]
    finally_entry = {region.finally_op: entry for entry, region in enumerate(function.try_blocks) if region.finally_op}
    first_of, landing_of = _new_numbers(cuts, finally_entry)
    returns_of = _returns(function)
    freed = _FreedResults(op_array)
    pieces: list[Block] = []
    for block in function.blocks:
        if block.id in finally_entry:
            fast_ret = op_array.ops[op_array.try_catch[finally_entry[block.id]].finally_end]
            catch_all = Instr(Opcode.CATCH_ALL, result=fast_ret.op1, line=op_array.ops[block.start].line)
            landing = [catch_all, *freed(block.start)]
            pieces.append(Block(len(pieces), landing, succs=[first_of[block.id]], start=block.start))
        begin = 0
        flags = block.flags
        for cut in cuts[block.id]:
            instr = block.instrs[cut]
            entry, by_finally = divmod(handler_of[instr.number], 2)
            if _has_next_catch(instr):
                handler = first_of[block.succs[0]]
                instr.op2, instr.extended_value = UNUSED, LAST_CATCH
                block.succs = block.succs[1:]
            else:
                handler = landing_of[entry] if by_finally else first_of[function.try_blocks[entry].catch_op]
            piece = Block(len(pieces), block.instrs[begin:cut], flags=flags)
            if not (piece.instrs and op_info(piece.instrs[-1].opcode).flow is Flow.THROW):
                # (Behind a throw used as an expression nothing is reached.)
                piece.flags |= BlockFlags.THROW_EDGE
                piece.succs = [piece.id + 1, handler]
            piece.start, piece.length = block.start + begin, cut - begin
            pieces.append(piece)
            begin = cut
            flags = BlockFlags.FOLLOW
        piece = Block(len(pieces), block.instrs[begin:], flags=flags)
        piece.succs = [first_of[succ] for succ in _real_successors(function, block, returns_of)]
        piece.start, piece.length = block.start + begin, block.length - begin
        pieces.append(piece)

    function.blocks = pieces
    for region in function.try_blocks:
        if region.catch_op:
            catching = pieces[first_of[region.catch_op]]
            catching.instrs[:0] = freed(catching.start)
    function.try_blocks = [
        TryCatch(
            first_of[region.try_op],
            *(first_of[part] if part else 0 for part in (region.catch_op, region.finally_op, region.finally_end)),
        )
        for region in function.try_blocks
    ]
    _mark_reachable(function)


class _FreedResults:
    """What an error on its way to a handler frees of values to be returned: they become null."""

    def __init__(self, op_array: OpArray) -> None:
        self._op_array = op_array
        self._held_in: dict[Operand, list[range]] = {}
        """Each temporary that waits for a finally, and the instructions of that finally."""
        ends = {region.finally_op: region.finally_end for region in op_array.try_catch if region.finally_op}
        for op in op_array.ops:
            if op.opcode == Opcode.FAST_CALL and op.op2.is_temp and op.op1.num in ends:
                body = range(op.op1.num, ends[op.op1.num] + 1)
                self._held_in.setdefault(op.op2, []).append(body)

    def __call__(self, handler: int) -> list[Instr]:
        """Instructions for the head of the handler that starts at instruction ``handler``."""
        return [
            Instr(Opcode.QM_ASSIGN, self._null(), result=held, line=self._op_array.ops[handler].line)
            for held, bodies in self._held_in.items()
            if not any(handler in body and handler != body.start for body in bodies)
        ]

    def _null(self) -> Operand:
        literals = self._op_array.literals
        if not any(literal is None for literal in literals):
            literals.append(None)
        return const(next(index for index, literal in enumerate(literals) if literal is None))


def _has_next_catch(instr: Instr) -> bool:
    return instr.opcode == Opcode.CATCH and not instr.extended_value & LAST_CATCH


def _new_numbers(cuts: list[list[int]], finally_entry: dict[int, int]) -> tuple[list[int], dict[int, int]]:
    """Number the pieces: of each old block the new number of its first piece, of each finally (by its entry of the
    exception table) that of its landing block, which stands in front."""
    first_of = []
    landing_of = {}
    total = 0
    for number, cut in enumerate(cuts):
        if number in finally_entry:
            landing_of[finally_entry[number]] = total
            total += 1
        first_of.append(total)
        total += 1 + len(cut)
    return first_of, landing_of


def _handlers(op_array: OpArray) -> list[int]:
    """Return for each instruction 2 * entry of the exception table, plus 1 for its finally; _NO_HANDLER outside."""
    handler_of = [_NO_HANDLER] * len(op_array.ops)
    # Inner regions stand behind outer ones in the table and overwrite them.
    for entry, region in enumerate(op_array.try_catch):
        protected = region.try_op
        if region.catch_op:
            handler_of[protected : region.catch_op] = [2 * entry] * (region.catch_op - protected)
            protected = region.catch_op
        if region.finally_op:
            handler_of[protected : region.finally_op] = [2 * entry + 1] * (region.finally_op - protected)
    return handler_of


class _MayThrow:
    """Whether an instruction may throw, as far as its opcode and its operands' origins tell."""

    def __init__(self, op_array: OpArray) -> None:
        self._may_hold_object = [False] * op_array.num_slots
        for op in op_array.ops:
            if op.result.is_temp and op.opcode not in _SCALAR_RESULT:
                self._may_hold_object[op.result.num] = True

    def __call__(self, op: Op) -> bool:
        opcode = op.opcode
        if opcode in RETHROWS:
            return True
        if _MAY_FAIL[opcode] and opcode not in _TRUTH_TESTS:
            return True
        return self._operand_fails(op.op1, opcode in QUIET_ON_UNDEF_OP1) or self._operand_fails(
            op.op2, opcode in QUIET_ON_UNDEF_OP2
        )

    def _operand_fails(self, operand: Operand, quiet: bool) -> bool:
        if operand.is_cv:
            return not quiet
        return operand.is_temp and self._may_hold_object[operand.num]


def _returns(function: Function) -> dict[int, list[int]]:
    """Return for each FAST_RET that ends a finally block (by its number) the blocks behind the FAST_CALLs of it."""
    called_from: dict[int, list[int]] = {region.finally_op: [] for region in function.try_blocks if region.finally_op}
    for block in function.blocks:
        if block.reachable and block.instrs and block.instrs[-1].opcode == Opcode.FAST_CALL:
            if block.succs[0] not in called_from:
                raise _no_finally(function, block.instrs[-1], "calls")
            called_from[block.succs[0]].append(block.id + 1)
    return {
        region.finally_end: called_from[blocks.finally_op]
        for region, blocks in zip(function.op_array.try_catch, function.try_blocks, strict=True)
        if region.finally_op
    }


def _real_successors(function: Function, block: Block, returns_of: dict[int, list[int]]) -> list[int]:
    """Where ``block`` really leads, in old numbers: Zend's successors but for FAST_CALL and FAST_RET."""
    last = block.instrs[-1] if block.instrs else None
    if last is None or not block.reachable:
        return block.succs
    if last.opcode == Opcode.FAST_CALL:
        return block.succs[:1]
    if last.opcode == Opcode.FAST_RET:
        if last.number not in returns_of:
            raise _no_finally(function, last, "ends")
        return returns_of[last.number]
    return block.succs


def _no_finally(function: Function, instr: Instr, verb: str) -> CompileError:
    op_array = function.op_array
    return CompileError(
        f"in {op_array.name}, instruction {instr.number}: {instr.opcode.name} {verb} no finally of the exception table",
        file=op_array.filename,
        line=instr.line,
    )


def _mark_reachable(function: Function) -> None:
    """Set REACHABLE and EXIT anew, as the edges have changed; unreachable blocks have no successors, and a FAST_RET
    does not lead behind a FAST_CALL that is never made (a finally that always returns may keep another from being
    left)."""
    blocks = function.blocks
    is_reachable = _reached(blocks)
    for block in blocks:
        block.flags &= ~(BlockFlags.REACHABLE | BlockFlags.EXIT)
        if is_reachable[block.id]:
            block.succs = [succ for succ in block.succs if is_reachable[succ]]
            block.flags |= BlockFlags.REACHABLE if block.succs else BlockFlags.REACHABLE | BlockFlags.EXIT
            if BlockFlags.THROW_EDGE in block.flags:
                blocks[block.succs[1]].flags |= BlockFlags.TARGET
        else:
            block.succs = []
            block.flags &= ~BlockFlags.THROW_EDGE


def _reached(blocks: list[Block]) -> list[bool]:
    """Which blocks control reaches from the first; an edge back from a finally counts once both its FAST_CALL and its
    FAST_RET are reached. Linear."""
    is_reached = [False] * len(blocks)
    waiting: dict[int, list[int]] = {}
    """By the block of a FAST_CALL that is not reached yet: where the FAST_RETs that are would go on behind it."""
    work = [0]
    while work:
        number = work.pop()
        if is_reached[number]:
            continue
        is_reached[number] = True
        work += waiting.pop(number, [])
        block = blocks[number]
        if block.instrs and block.instrs[-1].opcode == Opcode.FAST_RET:
            for behind in block.succs:
                call = _call_before(blocks, behind)
                if is_reached[call]:
                    work.append(behind)
                else:
                    waiting.setdefault(call, []).append(behind)
        else:
            work += block.succs
    return is_reached


def _call_before(blocks: list[Block], behind: int) -> int:
    """The block of the FAST_CALL behind which block ``behind`` is where control comes back."""
    call = behind - 1
    while not (blocks[call].instrs and blocks[call].instrs[-1].opcode == Opcode.FAST_CALL):
        call -= 1  # a landing block may stand between
    return call
