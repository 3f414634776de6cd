"""The machine: a stack of frames and the loop that runs their steps.

PHP calls do not recurse in Python; only a builtin that calls back (``usort``) runs the loop inside itself. Exceptions
unwind frame by frame: in the linear form by the exception table as Zend/zend_vm_def.h:ZEND_HANDLE_EXCEPTION does, in
the block forms along the edge that the form gives the throwing instruction.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from ssa2llvm.interp.code import Code, Edge, Step, literal_value
from ssa2llvm.interp.errors import Exception_, Thrown, TraceEntry
from ssa2llvm.interp.frame import Frame
from ssa2llvm.interp.functions import BuiltinFunction, Callee, Closure, UserFunction
from ssa2llvm.interp.host import InterpreterHost
from ssa2llvm.interp.ownership import Ledger
from ssa2llvm.interp.places import CellPlace, InterpreterBug, Place, RefPlace, SymbolPlace
from ssa2llvm.interp.undefined import UNDEF, Undefined
from ssa2llvm.ir.diagnostics import CompileError
from ssa2llvm.ir.function import Instr
from ssa2llvm.ir.literals import ConstAst
from ssa2llvm.ir.op_array import FnFlags, LiveRangeKind, OpArray, Script
from ssa2llvm.ir.opcode import Opcode
from ssa2llvm.own.operands import edge_definitions
from ssa2llvm.values.array import copy_value
from ssa2llvm.values.builtins import call_builtin, find_builtin
from ssa2llvm.values.host import FatalError, PhpError
from ssa2llvm.values.types import Ref, Value, to_bytes, to_text

Handler = Callable[["Machine", Frame, Step], None]
Compile = Callable[[OpArray], Code]


class Observer(Protocol):
    """Told of every definition and every use of an SSA name; see ``run.run_script``."""

    def defined(self, function: OpArray, name: int, value: object) -> None:
        """``name`` of ``function`` was given ``value`` (UNDEF, a value, or a Ref)."""

    def used(self, function: OpArray, name: int, value: object) -> None:
        """An instruction is about to look at ``name``, which holds ``value`` by now: a reference may have changed
        since it was defined."""


class Tracer(Protocol):
    """Told of every arrival at a block."""

    def arrived(self, frame: Frame, edge: Edge) -> None:
        """Control went along ``edge``; its moves have been made."""


class StepLimit(Exception):
    """The program ran longer than it was allowed to."""


class Exit(Exception):
    """``exit``: unwinds everything, runs no handler."""

    def __init__(self, code: int) -> None:
        super().__init__(code)
        self.code = code


class Machine:
    """A running program."""

    def __init__(
        self,
        script: Script,
        compile_function: Compile,
        handlers: dict[Opcode, Handler],
        observer: Observer | None = None,
        tracer: Tracer | None = None,
        step_limit: int | None = None,
        ledger: Ledger | None = None,
        variants: Sequence[OpArray] = (),
    ) -> None:
        self.script = script
        self.compile_function = compile_function
        self.handlers = handlers
        self.observer = observer
        self.tracer = tracer
        self.steps_left = -1 if step_limit is None else step_limit
        self.host = InterpreterHost(self)
        self.frames: list[Frame] = []
        self.functions: dict[str, UserFunction] = {}
        self.globals: dict[str, Ref] = {}
        self.ledger = ledger
        self.handles = 0
        self.calling_builtin: list[str] = []
        for op_array in script.functions:
            self.declare(op_array)
        self._variants = {op_array.symbol: self.user_function(op_array) for op_array in variants}
        self._refuse_missing_builtins()
        self.main = self.user_function(script.main)
        self.returned: Value | Ref = None

    # ---- functions

    def declare(self, op_array: OpArray) -> None:
        """Make a function known by its name."""
        name = op_array.name.lower()
        if name in self.functions:
            earlier = self.functions[name].op_array
            where = f" (previously declared in {earlier.filename}:{earlier.line_start})"
            raise FatalError(f"Cannot redeclare {op_array.name}(){where}")
        if find_builtin(name) is not None:
            raise FatalError(f"Cannot redeclare {op_array.name}()")
        self.functions[name] = self.user_function(op_array)

    def _refuse_missing_builtins(self) -> None:
        """PHP's compiler uses INIT_FCALL only for functions that exist: one we do not know is a builtin we do not
        have.
        """
        own = {op_array.name.lower() for op_array in self.script.op_arrays()}
        for op_array in self.script.op_arrays():
            for op in op_array.ops:
                if op.opcode == Opcode.INIT_FCALL:
                    name = op_array.literal(op.op2)
                    assert isinstance(name, bytes)
                    if find_builtin(to_text(name)) is None and to_text(name).lower() not in own:
                        raise CompileError(
                            f"the interpreter has no builtin {to_text(name)}()", op_array.filename, op.line
                        )

    def user_function(self, op_array: OpArray) -> UserFunction:
        """A function of the program with its static variables at their first values."""
        function = UserFunction(op_array, self.compile_function(op_array))
        for variable in op_array.static_vars:
            value = literal_value(variable.value)
            if isinstance(value, Undefined):
                raise CompileError(
                    f"the interpreter cannot evaluate the initial value of static ${variable.name}", op_array.filename
                )
            function.statics[variable.name] = Ref(value)
        return function

    def find_function(self, name: str) -> UserFunction | BuiltinFunction | None:
        """The function of this name, in any case."""
        lower = name.removeprefix("\\").lower()
        user = self.functions.get(lower)
        if user is not None:
            return user
        row = find_builtin(lower)
        return None if row is None else BuiltinFunction(row)

    def find_symbol(self, symbol: str) -> UserFunction | BuiltinFunction | None:
        """What an INIT names: a function, or a variant of one, which only code can name."""
        return self._variants.get(symbol) or self.find_function(symbol)

    def find_callable(self, value: Value) -> Callee | None:
        """What a callable value calls."""
        if isinstance(value, Closure):
            return value.function
        return self.find_function(to_text(value)) if isinstance(value, bytes) else None

    def new_handle(self) -> int:
        """The number of a new object."""
        self.handles += 1
        return self.handles

    # ---- where we are

    def position(self) -> tuple[str, int]:
        """File and line of the instruction now running."""
        if not self.frames:
            return self.script.filename, 0
        frame = self.frames[-1]
        return frame.code.op_array.filename, frame.step.op.line

    def trace(self) -> list[TraceEntry]:
        """The calls under way, innermost first."""
        entries = []
        for name in reversed(self.calling_builtin):
            entries.append(TraceEntry(*self.position(), name))
        # A dispatcher is seen only where it stands for the function: while it receives its arguments.
        frames = [
            frame
            for frame in self.frames
            if frame is self.frames[-1] or FnFlags.DISPATCHER not in frame.code.op_array.flags
        ]
        for callee, caller in zip(reversed(frames), reversed(frames[:-1])):
            names = [callee.callee.name]
            if callee.builtins:
                entries.append(TraceEntry("", 0, callee.callee.name))
                names = callee.builtins[::-1]
            place = caller.code.op_array.filename, caller.step.op.line
            entries += [TraceEntry(*place, name) for name in names]
        return entries

    def make_exception(self, name: str, message: Value) -> Exception_:
        """An exception object with the trace of this moment."""
        file, line = self.position()
        exception = Exception_(name, self.new_handle(), file, line, self.trace())
        exception.message = message
        return exception

    # ---- globals

    def variable(self, frame: Frame, name: str) -> Place:
        """The variable of this name in a frame: one the code names, or one made at run time (then null)."""
        names = frame.code.op_array.cvs
        if name in names:
            return CellPlace(frame.cells, frame.code.slot_cells[names.index(name)])
        if name in frame.symbols:
            return RefPlace(frame.symbols[name])
        return SymbolPlace(frame.symbols, name)

    def forget_variable(self, frame: Frame, name: str) -> None:
        """``unset`` by name."""
        names = frame.code.op_array.cvs
        if name in names:
            frame.cells[frame.code.slot_cells[names.index(name)]] = UNDEF
        frame.symbols.pop(name, None)

    def global_cell(self, name: str) -> Ref:
        """The global variable of this name as a reference cell, made if there is none."""
        if self.frames[0].callee is not self.main:
            return self.globals.setdefault(name, Ref(None))
        return self.variable(self.frames[0], name).reference()

    def set_global(self, name: str, value: Value) -> None:
        """Give a global variable its value before the main script starts."""
        names = self.script.main.cvs
        if name not in names:
            self.frames[0].symbols[name] = Ref(value)
        elif (cell := self.main.code.entry_cells[names.index(name)]) >= 0:
            self.frames[0].cells[cell] = value

    def constant_operand2(self, frame: Frame, step: Step) -> Value:
        """The literal op2 (a default, a constant's value); of constant expressions, those of constants alone."""
        literal = frame.code.op_array.literals[step.op.op2.num]
        if not isinstance(literal, ConstAst):
            return copy_value(step.constant2)
        constant = self.host.constant(literal.text)
        if constant is not None:
            return copy_value(constant.value)
        from ssa2llvm.php.constants import constant_value

        try:
            value = literal_value(constant_value(literal, self.host.constants))
        except CompileError as error:
            raise CompileError(error.message, frame.code.op_array.filename, step.op.line) from None
        assert not isinstance(value, Undefined)
        return value

    # ---- ownership

    def count_owner(self, frame: Frame, step: Step) -> None:
        """DUP and DROP; counted by ``ownership.Ledger`` if there is one."""
        if self.ledger is not None:
            self.ledger.count(frame, step)

    # ---- running

    def enter(self, callee: UserFunction, args: list[Value | Ref], returns_to: Step | None) -> Frame:
        """Push an activation. In every form a parameter's cell gets its argument before the first instruction."""
        frame = Frame(self, callee.code, callee, args)
        frame.returns_to = returns_to
        self.frames.append(frame)
        return frame

    def call(self, callback: Value, args: list[Value | Ref]) -> Value:
        """Call a callable and run until it returns. Raises Thrown."""
        callee = self.find_callable(callback)
        if callee is None:
            raise PhpError("Error", "Value not callable")
        return self.call_callee(callee, args)

    def call_callee(self, callee: Callee, args: list[Value | Ref]) -> Value:
        """Call a function from outside its program's control flow and run until it returns."""
        if isinstance(callee, BuiltinFunction):
            return self.run_builtin(callee, args, strict=False)
        assert isinstance(callee, UserFunction)
        sent = [self._argument(callee, position, argument) for position, argument in enumerate(args)]
        depth = len(self.frames)
        outer, self.calling_builtin = self.calling_builtin, []
        self.enter(callee, sent, None).builtins = outer
        try:
            return self.run(depth)
        finally:
            self.calling_builtin = outer

    def _argument(self, callee: UserFunction, position: int, argument: Value | Ref) -> Value | Ref:
        """An argument that a builtin passes to a callback: by reference only if it has a reference to give."""
        if not callee.by_reference(position):
            return argument.value if isinstance(argument, Ref) else argument
        if isinstance(argument, Ref):
            return argument
        info = callee.parameter(position)
        label = f" (${info.name})" if info is not None and not info.variadic else ""
        self.host.warning(f"{callee.name}(): Argument #{position + 1}{label} must be passed by reference, value given")
        return Ref(argument)

    def run_builtin(self, callee: BuiltinFunction, args: list[Value | Ref], strict: bool) -> Value:
        """Run a builtin; what it throws carries its own line of trace."""
        self.calling_builtin.append(callee.name)
        try:
            return call_builtin(callee.row, args, strict, self.host)
        except PhpError as error:
            raise Thrown(self.make_exception(error.class_name, to_bytes(error.message))) from None
        finally:
            self.calling_builtin.pop()

    def run(self, depth: int) -> Value:
        """Run until only ``depth`` frames are left; the result of the frame that returned last."""
        frames, handlers = self.frames, self.handlers
        while len(frames) > depth:
            frame = frames[-1]
            step = frame.code.steps[frame.pc]
            frame.step = step
            frame.pc += 1
            if self.steps_left == 0:
                raise StepLimit
            self.steps_left -= 1
            handler = handlers.get(step.opcode)
            if handler is None:
                raise CompileError(
                    f"the interpreter does not run {step.opcode.name} yet", frame.code.op_array.filename, step.op.line
                )
            frame.jumped = False
            try:
                if self.ledger is not None:
                    self.ledger.before(frame, step)
                if self.observer is not None and isinstance(step.op, Instr):
                    self._using(frame, step, step.op)
                handler(self, frame, step)
            except PhpError as error:
                self._unwind(Thrown(self.make_exception(error.class_name, to_bytes(error.message))), depth)
            except Thrown as thrown:
                self._unwind(thrown, depth)
            else:
                if frame.code.function is not None:
                    frame.finish(step)
                    if not frame.jumped and frames and frames[-1] is frame:
                        self.defined(frame, step)
        result = self.returned
        return result.value if isinstance(result, Ref) else result

    def leave(self, value: Value | Ref) -> None:
        """Return from the innermost frame: give its caller ``value``."""
        frame = self.frames.pop()
        if self.ledger is not None:
            self.ledger.left(frame)
        self.returned = value
        step = frame.returns_to
        if step is not None:
            caller = self.frames[-1]
            caller.write_result(step, value)
            self.defined(caller, step)

    def defined(self, frame: Frame, step: Step, edge: int = -1) -> None:
        """A step has made its definitions, and leaves by the edge of this number: tell observer and ledger."""
        if self.ledger is not None:
            self.ledger.after(frame, step)
        if self.observer is not None and isinstance(step.op, Instr):
            only_on = edge_definitions(step.op)
            if only_on is not None and only_on[0] != edge:
                return
            for name, cell in ((step.name1, step.def1), (step.name2, step.def2), (step.name_result, step.result)):
                if name >= 0 and cell >= 0:
                    self.observer.defined(frame.code.op_array, name, frame.cells[cell])

    def _using(self, frame: Frame, step: Step, instr: Instr) -> None:
        """A step is about to look at its operands: tell the observer."""
        assert self.observer is not None
        uses = ((instr.op1_use, step.use1), (instr.op2_use, step.use2), (instr.result_use, step.use_result))
        for name, cell in uses:
            if name >= 0 and cell >= 0:
                self.observer.used(frame.code.op_array, name, frame.cells[cell])

    def arrived(self, frame: Frame, edge: Edge) -> None:
        """An edge was followed: tell everybody who wants to know."""
        if self.ledger is not None:
            self.ledger.along(frame, edge)
        if self.observer is not None:
            for move in (*edge.pis, *edge.phis):
                self.observer.defined(frame.code.op_array, move.name, frame.cells[move.target])
        if self.tracer is not None:
            self.tracer.arrived(frame, edge)

    # ---- exceptions

    def _unwind(self, thrown: Thrown, depth: int) -> None:
        """Find the handler of an exception; frames without one are left. Raises ``thrown`` if none down to ``depth``
        has.
        """
        while len(self.frames) > depth:
            frame = self.frames[-1]
            if frame.silenced and not self._covers_silence(frame):
                self.host.end_silence(frame.silenced[0])
                frame.silenced.clear()
            frame.pending.clear()
            if self.ledger is not None:
                self.ledger.unwound(frame, frame.step)
            if self._go_to_handler(frame, thrown.exception):
                return
            if frame.silenced:
                self.host.end_silence(frame.silenced[0])
            if self.ledger is not None:
                self.ledger.left(frame)
            self.frames.pop()
        raise thrown

    def _covers_silence(self, frame: Frame) -> bool:
        """Whether the try region that will handle the exception lies inside the silenced expression (it cannot)."""
        number = frame.step.number
        ranges = frame.code.op_array.live_ranges
        return not any(r.kind is LiveRangeKind.SILENCE and r.start <= number < r.end for r in ranges)

    def _go_to_handler(self, frame: Frame, exception: Exception_) -> bool:
        """Go to the innermost catch or finally around the running step, if there is one in this frame.

        An exception thrown inside a finally that was itself entered by one has that one as its first cause.
        """
        number = frame.step.number
        regions = frame.code.op_array.try_catch
        for index in range(len(regions) - 1, -1, -1):
            region = regions[index]
            if region.try_op > number:
                continue
            if region.catch_op and number < region.catch_op:
                self._handle(frame, exception, region.catch_op)
                return True
            if region.finally_op and number < region.finally_op:
                if frame.in_linear_form:
                    frame.cells[frame.code.op_array.ops[region.finally_end].op1.num] = exception
                frame.finally_causes[index] = exception
                self._handle(frame, exception, region.finally_op)
                return True
            if region.finally_end and number < region.finally_end and index in frame.finally_causes:
                chain_previous(exception, frame.finally_causes.pop(index))
        return False

    def pass_on(self, frame: Frame, handler: Edge) -> None:
        """A CATCH of another class: its exception goes on to the next CATCH, and nothing is defined."""
        if self.ledger is not None:
            self.ledger.unwound(frame, frame.step)
        frame.jumped = True
        frame.follow(handler)

    def _handle(self, frame: Frame, exception: Exception_, target: int) -> None:
        """Continue at a handler: instruction ``target`` of the linear form, or where the step's own edge leads."""
        frame.exception = exception
        if frame.in_linear_form:
            frame.pc = target
        elif frame.step.handler is not None:
            frame.follow(frame.step.handler)
        else:
            raise InterpreterBug(f"{frame.where()}: {frame.step.opcode.name} threw where its form has no edge for it")

    def undefined_function(self, name: str) -> PhpError:
        """The Error for calling what does not exist."""
        return PhpError("Error", f"Call to undefined function {name}()")


def chain_previous(exception: Exception_, previous: Exception_) -> None:
    """Hang ``previous`` at the end of the chain of causes, unless that would close a ring
    (``zend_exception_set_previous``)."""
    link: Exception_ | None = exception
    while link is not None and link is not previous and not _has_cause(previous, link):
        if link.previous is None:
            link.previous = previous
            return
        link = link.previous


def _has_cause(exception: Exception_, cause: Exception_) -> bool:
    link = exception.previous
    while link is not None and link is not cause:
        link = link.previous
    return link is cause


def is_strict(frame: Frame) -> bool:
    """Whether the frame's code was compiled with ``strict_types=1``."""
    return FnFlags.STRICT_TYPES in frame.code.op_array.flags
