"""The classes of a script as PHP's optimizer can see them before anything runs.

PHP binds a class while compiling only if it stands at top level, implements nothing, uses no trait, and has no parent
or a user class of the same file as parent that is bound already (Zend/zend_compile.c:zend_compile_class_decl under
opcache's compiler options). Other classes are declared by an instruction, and the optimizer finds them by name only
from inside (Zend/Optimizer/zend_optimizer.c:zend_optimizer_get_class_entry). Internal classes are always there.

In the sound configuration the same rule holds: what is not bound might be declared otherwise at run time.
"""

from __future__ import annotations

from ssa2llvm.analysis.facts import ClassFact
from ssa2llvm.analysis.internals import internal_class
from ssa2llvm.ir.op_array import ClassDecl, FnFlags, PropertyDecl, Script
from ssa2llvm.ir.opcode import Opcode
from ssa2llvm.ir.operands import OpKind

STD_CLASS = ClassDecl("stdClass", flags=1 << 12)
"""Its flags say that its constants are final (ZEND_ACC_CONSTANTS_UPDATED)."""

_ACC_TRAIT = 1 << 1

_PLAIN_INTERNAL = frozenset({"stdclass", "php_user_filter", "directory", "allowdynamicproperties"})
"""Internal classes that code may extend and whose objects are made like those of any class."""

_DECLARES = frozenset({Opcode.DECLARE_CLASS, Opcode.DECLARE_CLASS_DELAYED})


def lower(name: str) -> str:
    """PHP's lower case: ASCII letters only."""
    return name.lower() if name.isascii() else "".join(char.lower() if char.isascii() else char for char in name)


class ClassTable:
    """Classes by lower-case name: those of the script, and PHP's own behind them."""

    def __init__(self, script: Script | None) -> None:
        classes = script.classes if script is not None else []
        unbound = _declared_at_run_time(script) if script is not None else set()
        self._all = {lower(decl.name): decl for decl in classes}
        self._bound = {name for name in self._all if name not in unbound}

    def bound(self, name: str) -> ClassDecl | None:
        """The class of this name that exists before anything runs; an internal one if the script has none."""
        key = lower(name)
        if key in self._bound:
            return self._all[key]
        internal = internal_class(key)
        return internal.decl if internal is not None else None

    def visible(self, name: str, scope: str | None) -> ClassDecl | None:
        """The class that code inside class ``scope`` means by ``name``."""
        found = self.bound(name)
        if found is None and scope is not None and lower(scope) == lower(name):
            return self._all.get(lower(name))
        return found

    def is_trait(self, name: str) -> bool:
        """Whether ``name`` is a trait, so that ``self`` in it means whatever class uses it."""
        decl = self._all.get(lower(name))
        return decl is not None and bool(decl.flags & _ACC_TRAIT)

    def simple(self, name: str, scope: str | None, magic: frozenset[str]) -> ClassDecl | None:
        """The class, if it has no parent, none of the ``magic`` methods and no creation of its own; of PHP's classes
        that is stdClass."""
        found = self.visible(name, scope)
        if found is None or found.parent is not None:
            return None
        if lower(found.name) not in self._all:
            return STD_CLASS if lower(found.name) == "stdclass" else None
        return None if any(lower(method.name) in magic for method in found.methods) else found

    def reads_plainly(self, name: str) -> bool:
        """Whether reading a property of such an object never runs code: there is no ``__get``, and no internal class
        that has objects of its own making stands behind it."""
        decl = self.decl(name)
        while decl is not None and lower(decl.name) in self._all:
            if any(lower(method.name) == "__get" for method in decl.methods):
                return False
            decl = self.parent(decl.name)
        return decl is None or lower(decl.name) in _PLAIN_INTERNAL

    def is_linked(self, name: str) -> bool:
        """Whether the parents of the class are known."""
        key = lower(name)
        if key in self._bound or (key not in self._all and internal_class(key) is not None):
            return True
        decl = self._all.get(key)
        return decl is not None and decl.parent is None and not decl.interfaces

    def decl(self, name: str) -> ClassDecl | None:
        """The declaration of a class that was found before, bound or not."""
        return self._all.get(lower(name)) or self.bound(name)

    def parent(self, name: str) -> ClassDecl | None:
        """The parent of a linked class."""
        decl = self.decl(name)
        if decl is None or decl.parent is None or not self.is_linked(name):
            return None
        return self.bound(decl.parent)

    def _ancestry(self, name: str) -> list[str]:
        """The class and its parents, nearest first."""
        chain: list[str] = []
        decl = self.decl(name)
        while decl is not None and decl.name not in chain:
            chain.append(decl.name)
            decl = self.parent(decl.name)
        return chain

    def is_subclass(self, name: str, ancestor: str) -> bool:
        """Whether objects of ``name`` are certainly instances of ``ancestor`` (zend_inference.c:safe_instanceof)."""
        if lower(name) == lower(ancestor):
            return True
        if not self.is_linked(name):
            return False
        wanted = lower(ancestor)
        for step in self._ancestry(name):
            decl = self.decl(step)
            names = [step] if decl is None else [step, *decl.interfaces]
            if wanted in map(lower, names):
                return True
        return False

    def join(self, left: ClassFact | None, right: ClassFact | None) -> ClassFact | None:
        """The least class that holds both (zend_inference.c:join_class_entries)."""
        if left is None or right is None:
            return None
        either = left.is_instanceof or right.is_instanceof
        if left.name == right.name:
            return ClassFact(left.name, either)
        theirs = self._ancestry(right.name)
        for name in self._ancestry(left.name):
            if name in theirs:
                return ClassFact(name, is_instanceof=True)
        return None

    def property(self, cls: str, name: str, scope: str | None) -> PropertyDecl | None:
        """The declared property that code in class ``scope`` reaches as ``name`` of an object of class ``cls``
        (zend_inference.c:lookup_prop_info)."""
        if not self.is_linked(cls) or (scope is not None and not self.is_linked(scope)):
            own = _own_property(self.decl(cls), name)
            if own is None:
                return None
            in_scope = scope is not None and lower(scope) == lower(cls)
            return own if in_scope or (scope is None and FnFlags.PUBLIC in own.flags) else None
        lineage = self._ancestry(cls)
        if scope is not None and scope in lineage and scope != cls:
            private = _own_property(self.decl(scope), name)
            if private is not None and FnFlags.PRIVATE in private.flags:
                return private
        for step in lineage:
            found = _own_property(self.decl(step), name)
            if found is not None:
                return found if self._accessible(found, step, scope) else None
        return None

    def _accessible(self, decl: PropertyDecl, owner: str, scope: str | None) -> bool:
        if FnFlags.PRIVATE in decl.flags:
            return scope == owner
        if FnFlags.PROTECTED in decl.flags:
            return scope is not None and (owner in self._ancestry(scope) or scope in self._ancestry(owner))
        return True


def _own_property(decl: ClassDecl | None, name: str) -> PropertyDecl | None:
    if decl is None:
        return None
    return next((prop for prop in decl.properties if prop.name == name), None)


def _declared_at_run_time(script: Script) -> set[str]:
    """Lower-case names that DECLARE_CLASS instructions declare."""
    names: set[str] = set()
    for op_array in script.op_arrays():
        for operation in op_array.ops:
            if operation.opcode in _DECLARES and operation.op1.kind == OpKind.CONST:
                value = op_array.literals[operation.op1.num]
                if isinstance(value, bytes):
                    names.add(lower(value.decode("utf-8", "surrogateescape")))
    return names
