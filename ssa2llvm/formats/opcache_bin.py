"""A file of opcache's file cache -> ``Script``: PHP itself as a lossless front end.

    php -n -d zend_extension=opcache -d opcache.enable_cli=1 -d opcache.file_cache=DIR -d opcache.file_cache_only=1 \\
        -d opcache.optimization_level=0 -d opcache.file_update_protection=0 -l /abs/f.php

writes DIR/<system id>/abs/f.php.bin: the whole zend_persistent_script. Exact literals, argument info, types, flags,
lines, live ranges, exception tables, static variables, nested functions and classes are all there. The image itself
is ``opcache_image``'s business, instructions are ``opcache_ops``'.

Not kept: doc comments, attributes, trait uses. Constant expressions are kept as source (``opcache_ast``).
"""

from __future__ import annotations

from ssa2llvm.formats.linear_check import linear_problem
from ssa2llvm.formats.opcache_image import IS_INDIRECT, MAGIC, Image
from ssa2llvm.formats.opcache_layout import LAYOUTS, OBJECT_HEADER, TYPE_LIST_HEADER
from ssa2llvm.formats.opcache_ops import OpReader, read_live_ranges, read_try_catch
from ssa2llvm.ir.literals import ConstAst, Literal
from ssa2llvm.ir.op_array import (
    NO_TYPE,
    ArgInfo,
    ClassDecl,
    FnFlags,
    OpArray,
    PropertyDecl,
    Script,
    StaticVar,
    TypeDecl,
)
from ssa2llvm.ir.opcode import Opcode
from ssa2llvm.ir.types import declaration_text

__all__ = ["MAGIC", "read_opcache_bin"]

_ACC_STATIC, _ACC_ABSTRACT, _ACC_TRAIT_CLONE = 1 << 4, 1 << 6, 1 << 20
_ACC_HAS_RETURN_TYPE, _ACC_VARIADIC, _ACC_LINKED = 1 << 13, 1 << 14, 1 << 3
_FLAGS: tuple[tuple[int, FnFlags], ...] = (
    (1 << 0, FnFlags.PUBLIC),
    (1 << 1, FnFlags.PROTECTED),
    (1 << 2, FnFlags.PRIVATE),
    (_ACC_STATIC, FnFlags.STATIC),
    (1 << 5, FnFlags.FINAL),
    (_ACC_ABSTRACT, FnFlags.ABSTRACT),
    (1 << 8, FnFlags.HAS_TYPE_HINTS),
    (1 << 11, FnFlags.DEPRECATED),
    (1 << 12, FnFlags.RETURNS_REFERENCE),
    (_ACC_HAS_RETURN_TYPE, FnFlags.HAS_RETURN_TYPE),
    (_ACC_VARIADIC, FnFlags.VARIADIC),
    (1 << 15, FnFlags.HAS_FINALLY),
    (1 << 17, FnFlags.USES_THIS),
    (1 << 21, FnFlags.CTOR),
    (1 << 22, FnFlags.CLOSURE),
    (1 << 23, FnFlags.FAKE_CLOSURE),
    (1 << 24, FnFlags.GENERATOR),
    (1 << 31, FnFlags.STRICT_TYPES),
)
_PROPERTY_FLAGS = _FLAGS[:4]
_TYPE_NAME, _TYPE_LIST, _TYPE_INTERSECTION = 1 << 24, 1 << 22, 1 << 19
_TYPE_MASK = (1 << 18) - 1
_SEND_MODE_SHIFT, _VARIADIC_ARG = 25, 1 << 27
_MAX_TYPE_DEPTH = 4


def read_opcache_bin(data: bytes, filename: str = "<bin>") -> Script:
    """Read a cache file. ``filename`` is its own name, for diagnostics. Raises CompileError if it is damaged, or not
    PHP 8.2's."""
    return _ScriptReader(Image(data, filename)).read()


class _ScriptReader:
    def __init__(self, image: Image) -> None:
        self._image = image
        self._seen: set[int] = set()

    def read(self) -> Script:
        image, layout = self._image, LAYOUTS["script"]
        script = image.script_offset
        image.check(script, layout.size)
        main = self._read_tree(script + layout.offset("main_op_array"))
        main.is_main = True
        functions = [
            self._read_tree(image.integer("zval", at, "value"))
            for _, at in image.entries(script + layout.offset("function_table"))
        ]
        classes = []
        for key, at in image.entries(script + layout.offset("class_table")):
            entry = image.integer("zval", at, "value")
            name = image.string(image.integer("class_entry", entry, "name"))
            alias = isinstance(key, bytes) and key.lower() != name.lower()
            if not (alias and image.integer("class_entry", entry, "refcount") > 1):
                classes.append(self._read_class(entry))
        return Script(main, functions, classes, image.name(image.integer("script", script, "filename")))

    def _read_tree(self, offset: int) -> OpArray:
        """An op array and those it defines, without recursion."""
        top, pending = self._read_op_array(offset)
        while pending:
            parent, child = pending.pop()
            op_array, children = self._read_op_array(child)
            parent.dynamic_defs.append(op_array)
            pending += children
        return top

    def _read_op_array(self, offset: int) -> tuple[OpArray, list[tuple[OpArray, int]]]:
        """One op array, and (itself, offset) of each function it defines, last one first."""
        image = self._image
        image.check(offset, LAYOUTS["op_array"].size)
        if offset in self._seen:
            raise image.damaged("damaged: a function contains itself")
        self._seen.add(offset)

        def field(name: str) -> int:
            return image.integer("op_array", offset, name)

        literals = self._zvals(field("literals"), field("last_literal"))
        acc = field("fn_flags")
        name, scope = field("function_name"), field("scope")
        op_array = OpArray(
            name=image.name(name) if name else "$_main",
            filename=image.name(field("filename")),
            line_start=field("line_start"),
            line_end=field("line_end"),
            ops=OpReader(image, field("opcodes"), field("last"), literals).read(),
            literals=literals,
            cvs=[image.name(pointer) for pointer in image.pointers(field("vars"), field("last_var"))],
            num_temps=field("T"),
            num_args=field("num_args"),
            required_num_args=field("required_num_args"),
            flags=_flags(acc),
            live_ranges=read_live_ranges(image, field("live_range"), field("last_live_range")),
            try_catch=read_try_catch(image, field("try_catch_array"), field("last_try_catch"), field("last")),
            scope=image.name(image.integer("class_entry", scope, "name")) if scope else None,
        )
        problem = linear_problem(op_array)
        if problem is not None:
            raise image.damaged(f"damaged: {op_array.name}: {problem}")
        self._read_arg_info(op_array, field("arg_info"), acc)
        if field("static_variables"):
            op_array.static_vars = self._static_vars(field("static_variables"))
        definitions = image.pointers(field("dynamic_func_defs"), field("num_dynamic_func_defs"))
        return op_array, [(op_array, definition) for definition in reversed(definitions)]

    def _zvals(self, offset: int, count: int) -> list[Literal]:
        size = LAYOUTS["zval"].size
        self._image.check(offset, count * size)
        return [self._image.zval(at) for at in range(offset, offset + count * size, size)]

    def _static_vars(self, table: int) -> list[StaticVar]:
        return [StaticVar(_text(key), self._image.zval(at)) for key, at in self._image.entries(table)]

    def _read_arg_info(self, op_array: OpArray, offset: int, acc: int) -> None:
        size = LAYOUTS["arg_info"].size
        if acc & _ACC_HAS_RETURN_TYPE:
            op_array.return_type = self._type(offset - size + LAYOUTS["arg_info"].offset("type"))
        count = op_array.num_args + (1 if acc & _ACC_VARIADIC else 0)
        if count == 0:
            return
        self._image.check(offset, count * size)
        defaults = {
            op.op1.num: literal.text
            for op in op_array.ops
            if op.opcode == Opcode.RECV_INIT
            and op.op2.is_const
            and isinstance(literal := op_array.literal(op.op2), ConstAst)
        }
        for position, at in enumerate(range(offset, offset + count * size, size), start=1):
            type_offset = at + LAYOUTS["arg_info"].offset("type")
            bits = self._image.integer("type", type_offset, "mask")
            op_array.arg_info.append(
                ArgInfo(
                    self._image.name(self._image.integer("arg_info", at, "name")),
                    self._type(type_offset),
                    by_ref=bits >> _SEND_MODE_SHIFT & 3 != 0,
                    variadic=bits & _VARIADIC_ARG != 0,
                    default_text=defaults.get(position, ""),
                )
            )

    def _type(self, offset: int, depth: int = 0) -> TypeDecl:
        """The zend_type at ``offset``. In ``(A&B)|C`` the intersection counts as one name, parentheses included."""
        image = self._image
        bits = image.integer("type", offset, "mask")
        pointer = image.integer("type", offset, "ptr")
        mask, names = bits & _TYPE_MASK, []
        if bits & _TYPE_NAME:
            names = [image.name(pointer)]
        elif bits & _TYPE_LIST:
            if depth >= _MAX_TYPE_DEPTH:
                raise image.damaged("damaged: types nested too deeply")
            for member in self._type_list(pointer, depth):
                names += [f"({member.text})"] if member.intersection else member.class_names
        if not mask and not names:
            return NO_TYPE
        intersection = bool(bits & _TYPE_INTERSECTION)
        return TypeDecl(mask, tuple(names), intersection, declaration_text(mask, tuple(names), intersection))

    def _type_list(self, offset: int, depth: int) -> list[TypeDecl]:
        count = self._image.integer("type_list", offset, "num_types")
        size, start = LAYOUTS["type"].size, offset + TYPE_LIST_HEADER
        self._image.check(start, count * size)
        return [self._type(at, depth + 1) for at in range(start, start + count * size, size)]

    def _read_class(self, offset: int) -> ClassDecl:
        image, layout = self._image, LAYOUTS["class_entry"]
        image.check(offset, layout.size)
        flags = image.integer("class_entry", offset, "ce_flags")
        cls = ClassDecl(
            image.name(image.integer("class_entry", offset, "name")),
            flags=flags,
            line_start=image.integer("class_entry", offset, "line_start"),
            line_end=image.integer("class_entry", offset, "line_end"),
        )
        parent = image.integer("class_entry", offset, "parent")
        if parent:
            linked = flags & _ACC_LINKED
            cls.parent = image.name(image.integer("class_entry", parent, "name") if linked else parent)
        if not flags & _ACC_LINKED:
            cls.interfaces = self._class_names(offset)
        for key, at in image.entries(offset + layout.offset("constants_table")):
            constant = image.integer("zval", at, "value")
            if image.integer("class_constant", constant, "ce") == offset:
                cls.constants.append((_text(key), image.zval(constant)))
        for _, at in image.entries(offset + layout.offset("properties_info")):
            info = image.integer("zval", at, "value")
            if image.integer("property_info", info, "ce") == offset:
                cls.properties.append(self._read_property(offset, info))
        for _, at in image.entries(offset + layout.offset("function_table")):
            function = image.integer("zval", at, "value")
            own = image.integer("op_array", function, "scope") == offset
            if own and not image.integer("op_array", function, "fn_flags") & (_ACC_ABSTRACT | _ACC_TRAIT_CLONE):
                cls.methods.append(self._read_tree(function))
        return cls

    def _class_names(self, offset: int) -> list[str]:
        count = self._image.integer("class_entry", offset, "num_interfaces")
        if not count:
            return []
        pairs = self._image.pointers(self._image.integer("class_entry", offset, "interfaces"), 2 * count)
        return [self._image.name(pointer) for pointer in pairs[::2]]

    def _read_property(self, cls: int, info: int) -> PropertyDecl:
        image = self._image
        acc = image.integer("property_info", info, "flags")
        place = image.integer("property_info", info, "offset")
        static = bool(acc & _ACC_STATIC)
        table = "default_static_members_table" if static else "default_properties_table"
        size = LAYOUTS["zval"].size
        index = place if static else (place - OBJECT_HEADER) // size
        at = image.integer("class_entry", cls, table) + index * size
        image.check(at, size)
        inherited = image.integer("zval", at, "type_info") & 0xFF == IS_INDIRECT
        return PropertyDecl(
            image.name(image.integer("property_info", info, "name")).rpartition("\0")[2],
            self._type(info + LAYOUTS["property_info"].offset("type")),
            None if inherited else image.zval(at),
            static,
            _map_flags(acc, _PROPERTY_FLAGS),
        )


def _flags(acc: int) -> FnFlags:
    return _map_flags(acc, _FLAGS)


def _map_flags(acc: int, table: tuple[tuple[int, FnFlags], ...]) -> FnFlags:
    flags = FnFlags.NONE
    for bit, flag in table:
        if acc & bit:
            flags |= flag
    return flags


def _text(key: int | bytes) -> str:
    return str(key) if isinstance(key, int) else key.decode("utf-8", "surrogateescape")
