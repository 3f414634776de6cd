"""What passes find out, compared as facts: once code has been edited, text says little (DESIGN.md, section 3).

A fact is a line of text that means the same on both sides: ``#9 = int(6)`` (SCCP proved that the name has this value)
or ``0010`` (DCE removed this instruction). Knowing all of PHP's facts and more is better, lacking one is worse. Both
sides start from the same SSA form, so that names and numbers agree.
"""

from __future__ import annotations

import re
from itertools import pairwise

from ssa2llvm.formats.zend_block_reader import read_block_sections
from ssa2llvm.formats.zend_names import c_string
from ssa2llvm.formats.zend_printer import const_text
from ssa2llvm.ir.literals import Literal
from ssa2llvm.ir.op_array import OpArray
from ssa2llvm.ir.opcode import Opcode
from ssa2llvm.ir.types import ARRAY_SHIFT, MAY_BE_ARRAY, MAY_BE_DOUBLE, MAY_BE_LONG, MAY_BE_OBJECT, MAY_BE_RESOURCE
from ssa2llvm.opt.constant_facts import ConstantFacts
from ssa2llvm.opt.lattice import TOP, Constant, LatticeValue, PartialArray
from ssa2llvm.opt.sccp import Sccp
from ssa2llvm.opt.standard import run_dce
from ssa2llvm.opt.unit import Program, Unit
from ssa2llvm.report.conform_subject import Subject
from ssa2llvm.values.array import PhpArray
from ssa2llvm.values.types import Value

_ENTRY = re.compile(rb"^    #(\d+)\.(?:CV\d+\(\$[^\n]*?\)|X\d+) =", re.MULTILINE)

OBJECTS = b"objects"
_WITH_KEY = frozenset({Opcode.ASSIGN_DIM, Opcode.INIT_ARRAY, Opcode.ADD_ARRAY_ELEMENT})
NEVER = b" never"
"""Stands for the value of a name that is defined in code that never runs, whatever PHP takes it for."""
_MAKES_ARRAYS = frozenset({Opcode.INIT_ARRAY, Opcode.ADD_ARRAY_ELEMENT, Opcode.ADD_ARRAY_UNPACK})
_ARRAY_FACT = re.compile(rb"(#\d+) = (?:partial )?\[(.*)\]")
_ELEMENT = re.compile(rb'(?:-?\d+|"(?:[^"\\]|\\.)*") => (?:string\("(?:[^"\\]|\\.)*"\)|[^,]*)')
_NESTED = b" => zval(type=253)"


def php_constants(section: bytes) -> bytes:
    """PHP's "SCCP Values" as facts. Of objects, whose properties only PHP tracks, is said that there are some."""
    starts = [*_ENTRY.finditer(section), None]
    lines = []
    for entry, following in pairwise(starts):
        assert entry is not None
        value = section[entry.end() : following.start() if following else len(section)].rstrip(b"\n")
        if value.startswith((b" {", b" partial {")):
            lines.append(OBJECTS)
        else:
            lines.append(b"#%s =%s" % (entry[1], value.replace(b"\n", b"\\n")))
    return b"\n".join(lines)


def lacking(ours: bytes, php: bytes) -> list[bytes]:
    """PHP's facts that we do not know.

    Of a partial array the constant elements count; that an element is itself a partial array is a fact about types.
    While PHP's SCCP builds an array element by element it moves the value along, and an intermediate name is left with
    null: where we know such a name's array, nothing is lacking.
    """
    known = set(ours.split(b"\n"))
    arrays = {name: elements for line in known for name, elements in _array_fact(line)}
    missing = []
    for line in php.split(b"\n"):
        if not line or line == OBJECTS or line in known:
            continue
        name = line.split(b" ", 1)[0]
        if name + b" =" + NEVER in known or (line.endswith(b" = null") and name in arrays):
            continue
        if b" = partial [" in line and all(elements <= arrays.get(name, set()) for _, elements in _array_fact(line)):
            continue
        missing.append(line)
    return missing


def zend_errs(stage: str, subject: Subject, missing: list[bytes], php: bytes) -> bool:
    """Whether ``missing`` follows from an error of PHP's that docs/zend-bugs.md lists."""
    if stage == "dce":
        return not lacking(_removed_by_mistake(subject.again()), php)
    return _unpacked_in_front(subject, missing) or _moved_along(subject, missing)


def _removed_by_mistake(subject: Subject) -> bytes:
    """What our DCE would remove if dropping an array never ran a destructor (so that objects in it die too early), and
    if no float used as a key was reported."""
    unit = _unit(subject)
    facts = unit.get("facts")
    held = (MAY_BE_OBJECT | MAY_BE_RESOURCE | MAY_BE_ARRAY) << ARRAY_SHIFT
    facts.types = [mask & ~held for mask in facts.types]
    for instr in unit.function.instructions():
        if instr.opcode in _WITH_KEY and instr.op2_use >= 0 and facts.types[instr.op2_use] & MAY_BE_DOUBLE:
            facts.types[instr.op2_use] = facts.types[instr.op2_use] & ~MAY_BE_DOUBLE | MAY_BE_LONG
    return _removed(unit)


def _unpacked_in_front(subject: Subject, missing: list[bytes]) -> bool:
    """Whether PHP put what is unpacked behind unknown elements in their place."""
    instrs = subject.ssa.instructions()
    wrong = {b"#%d" % instr.result_def for instr in instrs if instr.opcode == Opcode.ADD_ARRAY_UNPACK}
    return any(line.split(b" ", 1)[0] in wrong and b" = partial [" in line for line in missing)


def _moved_along(subject: Subject, missing: list[bytes]) -> bool:
    """Whether all that is missing are nulls which PHP left behind in names of arrays under construction."""
    made = {b"#%d" % instr.result_def for instr in subject.ssa.instructions() if instr.opcode in _MAKES_ARRAYS}
    return all(line.endswith(b" = null") and line.split(b" ", 1)[0] in made for line in missing)


def about_objects(op_array: OpArray, missing: list[bytes], php: bytes) -> bool:
    """Whether ``missing`` may follow from what PHP's passes know of an object that does not escape: SCCP follows its
    properties, DCE removes it. Ours track no objects."""
    if OBJECTS in php.split(b"\n"):
        return True
    return any(line.isdigit() and op_array.ops[int(line)].opcode == Opcode.NEW for line in missing)


def _array_fact(line: bytes) -> list[tuple[bytes, set[bytes]]]:
    """(name, its constant elements) if the fact is about an array; nothing otherwise."""
    fact = _ARRAY_FACT.fullmatch(line)
    if fact is None:
        return []
    elements = {element[0] for element in _ELEMENT.finditer(fact[2])}
    return [(fact[1], {element for element in elements if not element.endswith(_NESTED)})]


def our_constants(subject: Subject) -> bytes:
    """The same from our SCCP, on PHP's SSA form and with PHP's types."""
    unit = _unit(subject)
    sccp = Sccp(unit.function, ConstantFacts(unit.get("facts")), unit.get("pure_calls"))
    sccp.solve()
    shown = [(name, _shown(value)) for name, value in enumerate(sccp.values) if value is not TOP]
    shown += [(name, NEVER) for name, value in enumerate(sccp.values) if value is TOP]
    return b"\n".join(b"#%d =%s" % (name, text.replace(b"\n", b"\\n")) for name, text in shown if text)


def _shown(value: LatticeValue) -> bytes:
    if isinstance(value, PartialArray):
        return b" partial [%s]" % _entries(value.known)
    if not isinstance(value, Constant):
        return b""
    return b" [%s]" % _entries(value.value) if isinstance(value.value, PhpArray) else const_text(_literal(value.value))


def _entries(array: PhpArray) -> bytes:
    parts = []
    for key, value in array.items():
        shown = b" array(...)" if isinstance(value, PhpArray) else const_text(_literal(value))
        parts.append((b"%d" % key if isinstance(key, int) else b'"%s"' % c_string(key)) + b" =>" + shown)
    return b", ".join(parts)


def _literal(value: Value) -> Literal:
    assert value is None or isinstance(value, bool | int | float | bytes)
    return value


def php_removed(section: bytes) -> bytes:
    """The instructions that PHP's DCE turned into NOPs ("after dce pass")."""
    (read,) = read_block_sections(section, "after dce pass")
    return b"\n".join(
        b"%04d" % instr.number
        for block in read.function.blocks
        if block.reachable
        for instr in block.instrs
        if instr.opcode == Opcode.NOP
    )


def our_removed(subject: Subject) -> bytes:
    """The instructions that our DCE removes from PHP's SSA form with PHP's types."""
    return _removed(_unit(subject))


def _removed(unit: Unit) -> bytes:
    before = [instr.number for block in unit.function.blocks if block.reachable for instr in block.instrs]
    dead = {instr.number for instr in unit.function.instructions() if instr.opcode == Opcode.NOP}
    run_dce(unit)
    kept = {instr.number for instr in unit.function.instructions()} - dead
    return b"\n".join(b"%04d" % number for number in before if number not in kept)


def _unit(subject: Subject) -> Unit:
    program = Program(subject.script)
    unit = Unit(subject.ssa, program)
    program.units = [unit]
    unit.put("facts", subject.facts())
    return unit
