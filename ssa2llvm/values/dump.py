"""The texts of ``var_dump``, ``var_export`` and ``print_r``.

Follows ext/standard/var.c (``php_var_dump``, ``php_var_export_ex``) and Zend/zend.c:print_hash. The three share one
walk over nested arrays, which keeps its own stack, so nesting may be deeper than Python's. An array that contains
itself through a reference is cut short where PHP cuts it.
"""

from __future__ import annotations

from dataclasses import dataclass

from ssa2llvm.ir.literals import Key
from ssa2llvm.values.array import PhpArray, is_shared_cell
from ssa2llvm.values.convert import to_string
from ssa2llvm.values.host import Host
from ssa2llvm.values.number_format import float_export, float_repr
from ssa2llvm.values.table import Table
from ssa2llvm.values.types import PHP_INT_MIN, PhpObject, Ref, Value, to_bytes


class _Printer:
    """What the three formats differ in. ``depth`` counts the arrays that are open around the value; ``mark`` is ``&``
    for an element that is a shared reference, else empty."""

    def __init__(self, host: Host) -> None:
        self.host = host

    def scalar(self, value: Value, depth: int, mark: bytes) -> bytes:
        """Any value but an array."""
        raise NotImplementedError

    def opening(self, array: PhpArray, depth: int, mark: bytes) -> bytes:
        """Before the entries of an array."""
        raise NotImplementedError

    def closing(self, depth: int) -> bytes:
        """After the entries of an array."""
        raise NotImplementedError

    def recursion(self, depth: int) -> bytes:
        """In place of an array that is open already."""
        raise NotImplementedError

    def before(self, key: Key, depth: int) -> bytes:
        """Before the value of an entry; ``depth`` counts the entry's own array."""
        raise NotImplementedError

    def after(self) -> bytes:
        """After the value of an entry."""
        raise NotImplementedError


@dataclass(slots=True)
class _Open:
    """An array being printed, and the slot to go on with."""

    table: Table
    position: int = 0


def _print(value: Value, printer: _Printer) -> bytes:
    """Walk the value depth first."""
    out = bytearray()
    stack: list[_Open] = []
    open_tables: set[int] = set()

    def print_value(value: Value, mark: bytes) -> bool:
        """Print a scalar and return True, or open an array and return False."""
        depth = len(stack)
        if not isinstance(value, PhpArray):
            out.extend(printer.scalar(value, depth, mark))
            return True
        table = value.table_for_read()
        if id(table) in open_tables:
            out.extend(printer.recursion(depth))
            return True
        out.extend(printer.opening(value, depth, mark))
        stack.append(_Open(table))
        open_tables.add(id(table))
        return False

    print_value(value, b"")
    while stack:
        innermost = stack[-1]
        table = innermost.table
        position = table.advance(innermost.position)
        if position == table.used:
            stack.pop()
            open_tables.remove(id(table))
            out.extend(printer.closing(len(stack)))
            if stack:
                out.extend(printer.after())
            continue
        innermost.position = position + 1
        out.extend(printer.before(table.key_at(position), len(stack)))
        mark = b"&" if is_shared_cell(table, position) else b""
        element = table.element_at(position)
        if print_value(element.value if isinstance(element, Ref) else element, mark):
            out.extend(printer.after())
    return bytes(out)


class _VarDump(_Printer):
    def scalar(self, value: Value, depth: int, mark: bytes) -> bytes:
        if value is None:
            return mark + b"NULL\n"
        if isinstance(value, bool):
            return mark + (b"bool(true)\n" if value else b"bool(false)\n")
        if isinstance(value, int):
            return mark + b"int(%d)\n" % value
        if isinstance(value, float):
            return mark + f"float({float_repr(value)})\n".encode()
        if isinstance(value, bytes):
            return mark + b'string(%d) "%s"\n' % (len(value), value)
        assert isinstance(value, PhpObject)
        return mark + to_bytes(f"object({value.class_name})#{value.handle} (0) {{\n{'  ' * depth}}}\n")

    def opening(self, array: PhpArray, depth: int, mark: bytes) -> bytes:
        return mark + b"array(%d) {\n" % len(array)

    def closing(self, depth: int) -> bytes:
        return b"  " * depth + b"}\n"

    def recursion(self, depth: int) -> bytes:
        return b"*RECURSION*\n"

    def before(self, key: Key, depth: int) -> bytes:
        indent = b"  " * depth
        label = b"[%d]=>\n" % key if isinstance(key, int) else b'["%s"]=>\n' % key
        return indent + label + indent

    def after(self) -> bytes:
        return b""


class _VarExport(_Printer):
    def scalar(self, value: Value, depth: int, mark: bytes) -> bytes:
        if value is None:
            return b"NULL"
        if isinstance(value, bool):
            return b"true" if value else b"false"
        if isinstance(value, int):
            # PHP's own text for the smallest int is an expression: as a literal it would read as a float.
            return b"%d-1" % (value + 1) if value == PHP_INT_MIN else b"%d" % value
        if isinstance(value, float):
            return float_export(value).encode()
        if isinstance(value, bytes):
            return _quoted(value)
        assert isinstance(value, PhpObject)
        lead = "\n" + "  " * depth if depth else ""
        return to_bytes(f"{lead}\\{value.class_name}::__set_state(array(\n{'  ' * depth}))")

    def opening(self, array: PhpArray, depth: int, mark: bytes) -> bytes:
        return (b"\n" + b"  " * depth if depth else b"") + b"array (\n"

    def closing(self, depth: int) -> bytes:
        return b"  " * depth + b")"

    def recursion(self, depth: int) -> bytes:
        self.host.warning("var_export does not handle circular references")
        return b"NULL"

    def before(self, key: Key, depth: int) -> bytes:
        return b"  " * depth + (b"%d" % key if isinstance(key, int) else _quoted(key)) + b" => "

    def after(self) -> bytes:
        return b",\n"


class _PrintR(_Printer):
    def scalar(self, value: Value, depth: int, mark: bytes) -> bytes:
        if isinstance(value, PhpObject):
            indent = " " * 8 * depth
            return to_bytes(f"{value.class_name} Object\n{indent}(\n{indent})\n")
        return to_string(value, self.host)

    def opening(self, array: PhpArray, depth: int, mark: bytes) -> bytes:
        return b"Array\n" + b" " * 8 * depth + b"(\n"

    def closing(self, depth: int) -> bytes:
        return b" " * 8 * depth + b")\n"

    def recursion(self, depth: int) -> bytes:
        return b"Array\n *RECURSION*"

    def before(self, key: Key, depth: int) -> bytes:
        return b" " * (8 * depth - 4) + (b"[%d] => " % key if isinstance(key, int) else b"[%s] => " % key)

    def after(self) -> bytes:
        return b"\n"


def _quoted(text: bytes) -> bytes:
    escaped = text.replace(b"\\", b"\\\\").replace(b"'", b"\\'")
    return b"'" + escaped.replace(b"\0", b"' . \"\\0\" . '") + b"'"


def var_dump(value: Value, host: Host) -> bytes:
    """What ``var_dump($value)`` prints."""
    return _print(value, _VarDump(host))


def var_export(value: Value, host: Host) -> bytes:
    """What ``var_export($value, true)`` returns."""
    return _print(value, _VarExport(host))


def print_r(value: Value, host: Host) -> bytes:
    """What ``print_r($value, true)`` returns."""
    return _print(value, _PrintR(host))
