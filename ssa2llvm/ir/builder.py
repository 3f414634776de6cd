"""Op arrays by hand from Python, in the manner of llvmlite's IRBuilder: name variables, emit instructions, place
labels.

    b = FunctionBuilder("add", params=[("a", MAY_BE_LONG), ("b", MAY_BE_LONG)], returns=MAY_BE_LONG)
    t = b.emit(Opcode.ADD, b.cv("a"), b.cv("b"))
    b.ret(t)
    op_array = b.finish()

Labels may be used before they are placed. ``finish`` checks that all are placed, resolves them and closes the function.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ssa2llvm.ir.literals import JumpTable, Key, Literal, literal_key
from ssa2llvm.ir.op_array import NO_TYPE, ArgInfo, FnFlags, Op, OpArray, Script, TypeDecl
from ssa2llvm.ir.opcode import Opcode
from ssa2llvm.ir.operands import UNUSED, Operand, OpKind, const, word


@dataclass(eq=False, slots=True)
class Label:
    """A place in the code; ``target`` is the instruction number once placed."""

    target: int = -1


class FunctionBuilder:
    """Builds one OpArray. Temporaries are numbered from 0 while building and moved behind the CVs by ``finish``."""

    def __init__(
        self,
        name: str,
        params: Sequence[tuple[str, int] | str] = (),
        returns: int = 0,
        filename: str = "builder.php",
        flags: FnFlags = FnFlags.NONE,
    ) -> None:
        """``params`` are names, or (name, type mask); ``returns`` is a type mask (0: not declared). RECVs are
        emitted."""
        self._op_array = OpArray(name=name, filename=filename, line_start=1, line_end=1, flags=flags)
        self._op_array.is_main = name == "$_main"
        self._cv_of: dict[str, int] = {}
        self._literal_of: dict[tuple[object, ...], int] = {}
        self._temps = 0
        self._labels: list[tuple[Op, str, Label]] = []
        self._tables: list[tuple[Op, list[tuple[Key, Label]]]] = []
        self.line = 1
        for position, param in enumerate(params, start=1):
            param_name, mask = param if isinstance(param, tuple) else (param, 0)
            self._op_array.arg_info.append(ArgInfo(param_name, TypeDecl(mask) if mask else NO_TYPE))
            if mask:
                self._op_array.flags |= FnFlags.HAS_TYPE_HINTS
            self.emit(Opcode.RECV, word(position), result=self.cv(param_name))
        self._op_array.num_args = self._op_array.required_num_args = len(params)
        if returns:
            self._op_array.return_type = TypeDecl(returns)
            self._op_array.flags |= FnFlags.HAS_RETURN_TYPE

    def cv(self, name: str) -> Operand:
        """The named variable ``name`` (without ``$``), declared at its first use."""
        if name not in self._cv_of:
            self._cv_of[name] = len(self._op_array.cvs)
            self._op_array.cvs.append(name)
        return Operand(OpKind.CV, self._cv_of[name])

    def const(self, value: Literal) -> Operand:
        """A literal; equal scalars share an entry."""
        key = literal_key(value)
        if key not in self._literal_of:
            self._literal_of[key] = len(self._op_array.literals)
            self._op_array.literals.append(value)
        return const(self._literal_of[key])

    def temp(self, kind: OpKind = OpKind.TMP) -> Operand:
        """A fresh temporary."""
        self._temps += 1
        return Operand(kind, self._temps - 1)

    def label(self) -> Label:
        """A new label, not placed yet."""
        return Label()

    def place(self, label: Label) -> None:
        """Place ``label`` before the next instruction. Raises ValueError if it has a place already."""
        if label.target >= 0:
            raise ValueError("label placed twice")
        label.target = len(self._op_array.ops)

    def emit(
        self,
        opcode: Opcode,
        op1: Operand | Label = UNUSED,
        op2: Operand | Label = UNUSED,
        result: Operand | OpKind | None = OpKind.TMP,
        ext: int | Label = 0,
    ) -> Operand:
        """Append an instruction; return its result operand. ``result`` is an operand, a kind for a fresh temporary
        (opcodes that have no result need ``None``), or ``None``. A Label may stand in any jump position."""
        if isinstance(result, OpKind):
            result = self.temp(result)
        operation = Op(opcode, result=result or UNUSED, line=self.line)
        for field, operand in (("op1", op1), ("op2", op2), ("extended_value", ext)):
            if isinstance(operand, Label):
                self._labels.append((operation, field, operand))
            else:
                setattr(operation, field, operand)
        self._op_array.ops.append(operation)
        return operation.result

    def jump(self, target: Label) -> None:
        """Unconditional jump."""
        self.emit(Opcode.JMP, target, result=None)

    def branch_zero(self, condition: Operand, target: Label) -> None:
        """Jump to ``target`` if ``condition`` is falsy (JMPZ)."""
        self.emit(Opcode.JMPZ, condition, target, result=None)

    def branch_nonzero(self, condition: Operand, target: Label) -> None:
        """Jump to ``target`` if ``condition`` is truthy (JMPNZ)."""
        self.emit(Opcode.JMPNZ, condition, target, result=None)

    def switch(self, opcode: Opcode, subject: Operand, table: Sequence[tuple[Key, Label]], default: Label) -> None:
        """SWITCH_LONG, SWITCH_STRING or MATCH."""
        self._op_array.literals.append(None)
        operation = Op(opcode, subject, const(len(self._op_array.literals) - 1), line=self.line)
        self._labels.append((operation, "extended_value", default))
        self._tables.append((operation, list(table)))
        self._op_array.ops.append(operation)

    def assign(self, target: Operand, value: Operand) -> None:
        """``target = value`` as a statement."""
        self.emit(Opcode.ASSIGN, target, value, result=None)

    def echo(self, value: Operand) -> None:
        """``echo value``."""
        self.emit(Opcode.ECHO, value, result=None)

    def call(self, name: str, args: Sequence[Operand]) -> Operand:
        """Call a function by name: INIT_FCALL_BY_NAME, SENDs, DO_FCALL_BY_NAME; return the result."""
        callee = self.const(name.encode("utf-8", "surrogateescape"))
        self.emit(Opcode.INIT_FCALL_BY_NAME, op2=callee, result=None, ext=len(args))
        for position, argument in enumerate(args, start=1):
            opcode = Opcode.SEND_VAR_EX if argument.is_var and argument.kind != OpKind.TMP else Opcode.SEND_VAL_EX
            self.emit(opcode, argument, word(position), result=None)
        return self.emit(Opcode.DO_FCALL_BY_NAME, result=OpKind.VAR)

    def ret(self, value: Operand | None = None) -> None:
        """Return ``value`` (null if absent), through VERIFY_RETURN_TYPE if a type was declared."""
        operand = self.const(None) if value is None else value
        if self._op_array.return_type.is_set:
            result = self.temp() if operand.is_const else None
            self.emit(Opcode.VERIFY_RETURN_TYPE, operand, result=result)
            operand = result or operand
        self.emit(Opcode.RETURN, operand, result=None)

    def finish(self) -> OpArray:
        """Resolve labels, move temporaries behind the CVs, and return the op array. Raises ValueError for an
        unplaced label."""
        op_array = self._op_array
        if not op_array.ops or op_array.ops[-1].opcode not in (Opcode.RETURN, Opcode.JMP, Opcode.THROW):
            self.emit(Opcode.RETURN, self.const(1 if op_array.is_main else None), result=None)
        for label in [entry[2] for entry in self._labels] + [lab for _, table in self._tables for _, lab in table]:
            if not 0 <= label.target < len(op_array.ops):
                raise ValueError("label used but not placed before an instruction")
        first_temp = len(op_array.cvs)
        for operation in op_array.ops:
            for field in ("op1", "op2", "result"):
                operand: Operand = getattr(operation, field)
                if operand.is_temp:
                    setattr(operation, field, Operand(operand.kind, operand.num + first_temp))
        for operation, field, label in self._labels:
            setattr(operation, field, label.target if field == "extended_value" else word(label.target))
        for operation, table in self._tables:
            op_array.literals[operation.op2.num] = JumpTable(tuple((key, label.target) for key, label in table))
        op_array.num_temps = self._temps
        return op_array


def script_of(main: OpArray | None, functions: Sequence[OpArray] = ()) -> Script:
    """Wrap op arrays into a Script; without ``main`` the main script does nothing."""
    if main is None:
        main = FunctionBuilder("$_main").finish()
    return Script(main=main, functions=list(functions), filename=main.filename)
