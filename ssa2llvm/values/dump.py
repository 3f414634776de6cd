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

    def scalar(self, value: Value, mark: bytes) -> bytes:
        """Any value but an array or object."""
        raise NotImplementedError

    def opening(self, array: PhpArray, depth: int, mark: bytes) -> bytes:
        """Before the entries of an array."""
        raise NotImplementedError

    def opening_object(self, value: PhpObject, count: int, depth: int, mark: bytes) -> bytes:
        """Before the properties of an object."""
        raise NotImplementedError

    def label(self, name: str, visibility: str) -> bytes:
        """A property's name as ``before`` gets it in place of a key."""
        raise NotImplementedError

    def closing(self, depth: int, is_object: bool) -> bytes:
        """After the entries of an array or object."""
        raise NotImplementedError

    def recursion(self, value: Value, depth: int) -> bytes:
        """In place of an array or object that is open already."""
        raise NotImplementedError

    def before(self, key: Key, depth: int, is_label: bool) -> bytes:
        """Before the value of an entry; ``depth`` counts the entry's own array. ``is_label``: the key is a
        ``label``.
        """
        raise NotImplementedError

    def after(self) -> bytes:
        """After the value of an entry."""
        raise NotImplementedError


@dataclass(slots=True)
class _Open:
    """An array or object being printed, and the slot to go on with."""

    table: Table
    identity: int
    is_object: bool
    position: int = 0


def _print(value: Value, printer: _Printer) -> bytes:
    """Walk the value depth first."""
    out = bytearray()
    stack: list[_Open] = []
    open_ones: set[int] = set()

    def print_value(value: Value, mark: bytes) -> bool:
        """Print a scalar and return True, or open an array or object and return False."""
        depth = len(stack)
        if not isinstance(value, (PhpArray, PhpObject)):
            out.extend(printer.scalar(value, mark))
            return True
        is_object = isinstance(value, PhpObject)
        identity = id(value) if isinstance(value, PhpObject) else id(value.table_for_read())
        if identity in open_ones:
            out.extend(printer.recursion(value, depth))
            return True
        if isinstance(value, PhpObject):
            properties = [(printer.label(name, access), content) for name, access, content in value.debug_properties()]
            out.extend(printer.opening_object(value, len(properties), depth, mark))
            table = PhpArray.from_items(properties).table_for_read()
        else:
            out.extend(printer.opening(value, depth, mark))
            table = value.table_for_read()
        stack.append(_Open(table, identity, is_object))
        open_ones.add(identity)
        return False

    print_value(value, b"")
    while stack:
        innermost = stack[-1]
        table = innermost.table
        position = table.advance(innermost.position)
        if position == table.used:
            stack.pop()
            open_ones.remove(innermost.identity)
            out.extend(printer.closing(len(stack), innermost.is_object))
            if stack:
                out.extend(printer.after())
            continue
        innermost.position = position + 1
        out.extend(printer.before(table.key_at(position), len(stack), innermost.is_object))
        mark = b"&" if is_shared_cell(table, position) else b""
        element = table.element_at(position)
        if print_value(element.value if isinstance(element, Ref) else element, mark):
            out.extend(printer.after())
    return bytes(out)


class _VarDump(_Printer):
    def scalar(self, value: Value, mark: bytes) -> bytes:
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
        raise AssertionError(value)

    def opening_object(self, value: PhpObject, count: int, depth: int, mark: bytes) -> bytes:
        return mark + to_bytes(f"object({value.class_name})#{value.handle} ({count}) {{\n")

    def label(self, name: str, visibility: str) -> bytes:
        return to_bytes(f'"{name}":{visibility}' if visibility else f'"{name}"')

    def opening(self, array: PhpArray, depth: int, mark: bytes) -> bytes:
        return mark + b"array(%d) {\n" % len(array)

    def closing(self, depth: int, is_object: bool) -> bytes:
        return b"  " * depth + b"}\n"

    def recursion(self, value: Value, depth: int) -> bytes:
        return b"*RECURSION*\n"

    def before(self, key: Key, depth: int, is_label: bool) -> bytes:
        indent = b"  " * depth
        shown = b"%d" % key if isinstance(key, int) else key if is_label else b'"%s"' % key
        return indent + b"[%s]=>\n" % shown + indent

    def after(self) -> bytes:
        return b""


class _VarExport(_Printer):
    def scalar(self, value: Value, mark: bytes) -> bytes:
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
        raise AssertionError(value)

    def opening_object(self, value: PhpObject, count: int, depth: int, mark: bytes) -> bytes:
        lead = "\n" + "  " * depth if depth else ""
        return to_bytes(f"{lead}\\{value.class_name}::__set_state(array(\n")

    def label(self, name: str, visibility: str) -> bytes:
        return _quoted(to_bytes(name))

    def opening(self, array: PhpArray, depth: int, mark: bytes) -> bytes:
        return (b"\n" + b"  " * depth if depth else b"") + b"array (\n"

    def closing(self, depth: int, is_object: bool) -> bytes:
        return b"  " * depth + (b"))" if is_object else b")")

    def recursion(self, value: Value, depth: int) -> bytes:
        self.host.warning("var_export does not handle circular references")
        return b"NULL"

    def before(self, key: Key, depth: int, is_label: bool) -> bytes:
        shown = b"%d" % key if isinstance(key, int) else key if is_label else _quoted(key)
        return b"  " * depth + (b" " if is_label else b"") + shown + b" => "

    def after(self) -> bytes:
        return b",\n"


class _PrintR(_Printer):
    def scalar(self, value: Value, mark: bytes) -> bytes:
        return to_string(value, self.host)

    def opening_object(self, value: PhpObject, count: int, depth: int, mark: bytes) -> bytes:
        return to_bytes(f"{value.class_name} Object\n{' ' * 8 * depth}(\n")

    def label(self, name: str, visibility: str) -> bytes:
        return to_bytes(f"{name}:{visibility}".replace('"', "") if visibility else name)

    def opening(self, array: PhpArray, depth: int, mark: bytes) -> bytes:
        return b"Array\n" + b" " * 8 * depth + b"(\n"

    def closing(self, depth: int, is_object: bool) -> bytes:
        return b" " * 8 * depth + b")\n"

    def recursion(self, value: Value, depth: int) -> bytes:
        kind = to_bytes(f"{value.class_name} Object") if isinstance(value, PhpObject) else b"Array"
        return kind + b"\n *RECURSION*"

    def before(self, key: Key, depth: int, is_label: bool) -> bytes:
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
