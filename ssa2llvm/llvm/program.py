"""A whole program as one LLVM module.

In: the units of a script (``unit.prepare``). Out: the module's text: functions, their infos, the table of cells, the
program descriptor from which the runtime starts, and what the kind of output asks for (``main``, exported wrappers).

*Who can throw?* A function that cannot pays no status register, and its callers no branch. The lowering itself is the
oracle: every function is lowered under the assumption that nothing throws; it tells whether it wrote a failing exit
of its own and whom it calls. The closure of that over the call graph is the least fixed point, and only functions
whose own or whose callees' signature changed are lowered again. Text is cheap; a second model of every opcode's
failures would not be.

Linear in the program, but for the second lowering.
"""

from __future__ import annotations

import os
from collections.abc import Sequence

from ssa2llvm.analysis.call_graph import with_callers
from ssa2llvm.analysis.lattice import literal_type
from ssa2llvm.ir.function import Instr
from ssa2llvm.ir.op_array import NO_TYPE, ArgInfo, FnFlags, OpArray, Script
from ssa2llvm.ir.opcode import Opcode
from ssa2llvm.ir.types import MAY_BE_ANY, MAY_BE_ARRAY, MAY_BE_INDIRECT, MAY_BE_NULL, MAY_BE_UNDEF, MAY_BE_VOID
from ssa2llvm.llvm import families
from ssa2llvm.llvm.coerce import allowed_types
from ssa2llvm.llvm.debug import NoDebugInfo
from ssa2llvm.llvm.entry import generic_entry
from ssa2llvm.llvm.function import FunctionLowering
from ssa2llvm.llvm.layouts import PROGRAM, FunctionFlag
from ssa2llvm.llvm.mangle import fold_case, symbol
from ssa2llvm.llvm.module import ModuleText
from ssa2llvm.llvm.representation import Rep, representation
from ssa2llvm.llvm.seam import PTR, Val, quoted
from ssa2llvm.llvm.signature import Parameter, Signature
from ssa2llvm.llvm.traces import needs_frames
from ssa2llvm.llvm.unit import FunctionUnit

__all__ = ["PROGRAM_SYMBOL", "ProgramLowering"]

PROGRAM_SYMBOL = "ssa2llvm.program"
_MAIN_ENTRY = "@ssa2llvm.main"

families.load()


class ProgramLowering:
    """The program under construction, as its functions see it."""

    def __init__(self, script: Script, units: Sequence[FunctionUnit], module: ModuleText, debug: NoDebugInfo) -> None:
        self.script = script
        self.module = module
        self.debug = debug
        self.cells = module.cells
        module.keeps_frames = needs_frames(script, _CALLS_BACK)
        self._units = list(units)
        self._declared = {id(op_array) for op_array in script.functions}
        self._signatures: dict[int, Signature] = {}
        self._by_name: dict[str, Signature] = {}
        self._taken: set[str] = set()
        for unit in self._units:
            self._add_signature(unit)
        self._has_entries = any(
            _may_call_by_value(unit.op_array, instr)
            for unit in self._units
            for block in unit.blocks
            for instr in block.instrs
        )

    # ---- what functions ask

    def signature(self, name: str) -> Signature:
        """The declared function or variant of this symbol (folded)."""
        return self._by_name[name]

    def signature_of(self, op_array: OpArray) -> Signature:
        """The signature of a unit."""
        return self._signatures[id(op_array)]

    def global_cell(self, op_array: OpArray, slot: int) -> int | None:
        """The number of the cell of a main script's variable; None for variables of functions."""
        is_global = op_array.is_main and slot < len(op_array.cvs)
        return self.cells.of_global(op_array.cvs[slot]) if is_global else None

    def conditional(self, op_array: OpArray, instr: Instr) -> Val:
        """The info of the function that a DECLARE_FUNCTION declares."""
        return self._signatures[id(op_array.dynamic_defs[instr.op2.num])].info

    # ---- signatures

    def _unique_name(self, op_array: OpArray) -> str:
        """The function's symbol, with a number if another function has it too."""
        name, count = op_array.symbol, 1
        while name in self._taken:
            count += 1
            name = f"{op_array.symbol}#{count}"
        self._taken.add(name)
        return name

    def _add_signature(self, unit: FunctionUnit) -> None:
        op_array = unit.op_array
        name = self._unique_name(op_array)
        result_mask = MAY_BE_NULL if op_array.is_main else _result_mask(unit)
        signature = Signature(
            op_array,
            quoted(symbol("php", name)),
            Val(PTR, quoted(symbol("info", name))),
            _parameters(unit),
            result_mask,
            Rep.NULL if op_array.is_main else representation(result_mask),
        )
        self._signatures[id(op_array)] = signature
        if id(op_array) in self._declared or op_array.variant:
            self._by_name[fold_case(op_array.symbol)] = signature

    # ---- lowering

    def lower(self) -> None:
        """Lower every function, and define everything they share."""
        texts: dict[int, str] = {}
        throwers: set[int] = set()
        callers: dict[int, set[int]] = {}
        for unit in self._units:
            lowering = self._lower(unit, texts)
            if lowering.threw:
                throwers.add(id(unit.op_array))
            for callee in sorted(lowering.callees):
                callers.setdefault(id(self._by_name[callee].op_array), set()).add(id(unit.op_array))
        again = with_callers(throwers, callers)
        for op_array in again:
            self._signatures[op_array].may_throw = True
        for unit in self._units:
            if id(unit.op_array) in again:
                self._lower(unit, texts)
        self.module.functions += [texts[id(unit.op_array)] for unit in self._units]
        self._define_infos()
        self._define_program()

    def _lower(self, unit: FunctionUnit, texts: dict[int, str]) -> FunctionLowering:
        lowering = FunctionLowering(self, unit, self._signatures[id(unit.op_array)])
        texts[id(unit.op_array)] = lowering.lower()
        return lowering

    # ---- what the runtime reads

    def _define_infos(self) -> None:
        for unit in self._units:
            signature = self._signatures[id(unit.op_array)]
            op_array = unit.op_array
            entry = "null"
            if self._has_entries and not op_array.is_main and not op_array.variant:
                entry = signature.symbol.replace('@"php.', '@"entry.', 1)
                self.module.functions.append(generic_entry(self.module, signature, entry))
            flags = FunctionFlag.STRICT if FnFlags.STRICT_TYPES in op_array.flags else 0
            name = None if op_array.is_main else op_array.name
            self.module.function_info(
                signature.info.ref, name, op_array.filename, entry, int(flags), op_array.line_start
            )

    def _listed_infos(self) -> list[Val]:
        """The infos of all functions that PHP code can find by name, sorted by it. Those without code, as nobody calls
        them, exist all the same."""
        infos: dict[str, Val] = {}
        for op_array in self.script.functions:
            key = fold_case(op_array.name)
            if key in self._by_name:
                infos[key] = self._by_name[key].info
            else:
                infos[key] = Val(PTR, quoted(symbol("info", self._unique_name(op_array))))
                self.module.function_info(
                    infos[key].ref, op_array.name, op_array.filename, "null", 0, op_array.line_start
                )
        return [infos[name] for name in sorted(infos, key=os.fsencode)]

    def _define_program(self) -> None:
        module = self.module
        main = self._signatures[id(self.script.main)]
        status = "true"
        lines = [f"define internal zeroext i1 {_MAIN_ENTRY}(ptr %context) nounwind {{"]
        if main.may_throw:
            lines += [f"  %threw = call i1 {main.symbol}(ptr %context)", "  %status = xor i1 %threw, true"]
            status = "%status"
        else:
            lines.append(f"  call void {main.symbol}(ptr %context)")
        module.functions.append("\n".join([*lines, f"  ret i1 {status}", "}\n"]))
        listed = self._listed_infos()
        module.define(f"@ssa2llvm.functions = internal constant [{len(listed)} x ptr] [{', '.join(map(str, listed))}]")
        module.define(self.cells.definition("@ssa2llvm.cells"))
        file = module.c_string(self.script.filename or self.script.main.filename)
        module.define(
            f"{quoted(PROGRAM_SYMBOL)} = hidden constant {PROGRAM.llvm_body()} {{ {file}, ptr {_MAIN_ENTRY}, "
            f"ptr @ssa2llvm.cells, i64 {len(self.cells)}, ptr @ssa2llvm.functions, i64 {len(listed)} }}"
        )
        if self.debug.text():
            module.define(self.debug.text())


_CALLS_BACK = frozenset(
    (  # noqa: SIM905 - a table of words, not of literals
        "array_filter array_map array_reduce array_walk array_walk_recursive call_user_func "
        "call_user_func_array usort uasort uksort is_callable array_udiff array_uintersect array_diff_ukey "
        "array_intersect_ukey preg_replace_callback register_shutdown_function ob_start iterator_apply "
        "function_exists"
    ).split()
)


def _may_call_by_value(op_array: OpArray, instr: Instr) -> bool:
    """Whether the instruction may call a function that it does not name: then functions need generic entries."""
    if instr.opcode == Opcode.DO_ICALL:
        name = op_array.literal(instr.op2)
        return isinstance(name, bytes) and fold_case(name.decode("utf-8", "surrogateescape")) in _CALLS_BACK
    return instr.opcode in (Opcode.DO_FCALL, Opcode.DECLARE_FUNCTION)


def _result_mask(unit: FunctionUnit) -> int:
    """Everything the function returns: null for undefined variables, which warn; a declared type has been
    verified."""
    mask = 0
    for block in unit.blocks:
        for instr in block.instrs:
            if instr.opcode in (Opcode.RETURN, Opcode.RETURN_BY_REF) and block.reachable:
                if instr.op1.is_const:
                    mask |= literal_type(unit.op_array.literal(instr.op1))
                else:
                    mask |= unit.types[instr.op1_use]
    if mask & MAY_BE_INDIRECT:
        mask = MAY_BE_ANY
    if mask & MAY_BE_UNDEF:
        mask = (mask & ~MAY_BE_UNDEF) | MAY_BE_NULL
    declared = unit.op_array.return_type
    if declared.is_set and not declared.mask & MAY_BE_VOID:
        mask &= allowed_types(declared)
    return mask & MAY_BE_ANY


def _parameters(unit: FunctionUnit) -> list[Parameter]:
    """The parameters in order; one that is never received (a function that cannot run) may be anything."""
    op_array = unit.op_array
    received = {instr.op1.num: instr for instr in unit.receives}
    parameters = []
    is_variadic = bool(op_array.arg_info) and op_array.arg_info[-1].variadic
    for number in range(1, op_array.num_args + is_variadic + 1):
        instr = received.get(number)
        info = op_array.arg_info[number - 1] if number <= len(op_array.arg_info) else ArgInfo("", NO_TYPE)
        if instr is None:
            mask = MAY_BE_ARRAY if info.variadic else MAY_BE_ANY
            parameters.append(Parameter(info, mask, representation(mask), False, None, op_array.line_start))
            continue
        mask = unit.types[instr.result_def] & ~MAY_BE_UNDEF if instr.result_def >= 0 else MAY_BE_ANY
        if info.variadic:
            mask = MAY_BE_ARRAY
        elif info.by_ref:
            mask = MAY_BE_ANY
        has_default = instr.opcode == Opcode.RECV_INIT
        default = op_array.literal(instr.op2) if has_default else None
        parameters.append(Parameter(info, mask, representation(mask), has_default, default, instr.line))
    return parameters
