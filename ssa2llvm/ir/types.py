"""PHP's type masks: a set of types as one int, so that union, meet and test are one operation each.

The bits are PHP's (Zend/zend_type_info.h). Low bits say which types a value may have; bits 11 to 20 say the same of
the elements of an array; bits 21 to 23 and 29 say which kinds of array. Printing follows
Zend/Optimizer/zend_dump.c:zend_dump_type_info.
"""

from __future__ import annotations

IS_UNDEF, IS_NULL, IS_FALSE, IS_TRUE, IS_LONG, IS_DOUBLE, IS_STRING, IS_ARRAY, IS_OBJECT, IS_RESOURCE = range(10)
IS_REFERENCE, IS_CONSTANT_AST, IS_CALLABLE, IS_ITERABLE, IS_VOID, IS_STATIC, IS_MIXED, IS_NEVER, IS_BOOL = range(10, 19)

MAY_BE_UNDEF = 1 << IS_UNDEF
MAY_BE_NULL = 1 << IS_NULL
MAY_BE_FALSE = 1 << IS_FALSE
MAY_BE_TRUE = 1 << IS_TRUE
MAY_BE_BOOL = MAY_BE_FALSE | MAY_BE_TRUE
MAY_BE_LONG = 1 << IS_LONG
MAY_BE_DOUBLE = 1 << IS_DOUBLE
MAY_BE_STRING = 1 << IS_STRING
MAY_BE_ARRAY = 1 << IS_ARRAY
MAY_BE_OBJECT = 1 << IS_OBJECT
MAY_BE_RESOURCE = 1 << IS_RESOURCE
MAY_BE_ANY = 0x3FE
MAY_BE_REF = 1 << IS_REFERENCE
# Only in declared types, where element bits cannot occur:
MAY_BE_CALLABLE = 1 << IS_CALLABLE
MAY_BE_ITERABLE = 1 << IS_ITERABLE
MAY_BE_VOID = 1 << IS_VOID
MAY_BE_NEVER = 1 << IS_NEVER
MAY_BE_STATIC = 1 << IS_STATIC

ARRAY_SHIFT = IS_REFERENCE
MAY_BE_ARRAY_OF_ANY = MAY_BE_ANY << ARRAY_SHIFT
MAY_BE_ARRAY_OF_REF = MAY_BE_REF << ARRAY_SHIFT
MAY_BE_ARRAY_PACKED = 1 << 21
MAY_BE_ARRAY_NUMERIC_HASH = 1 << 22
MAY_BE_ARRAY_STRING_HASH = 1 << 23
MAY_BE_ARRAY_EMPTY = 1 << 29
MAY_BE_ARRAY_KEY_LONG = MAY_BE_ARRAY_PACKED | MAY_BE_ARRAY_NUMERIC_HASH
MAY_BE_ARRAY_KEY_STRING = MAY_BE_ARRAY_STRING_HASH
MAY_BE_ARRAY_KEY_ANY = MAY_BE_ARRAY_KEY_LONG | MAY_BE_ARRAY_KEY_STRING | MAY_BE_ARRAY_EMPTY
MAY_BE_ANY_ARRAY = MAY_BE_ARRAY | MAY_BE_ARRAY_KEY_ANY | MAY_BE_ARRAY_OF_ANY | MAY_BE_ARRAY_OF_REF

MAY_BE_CLASS = 1 << 24
MAY_BE_INDIRECT = 1 << 25
MAY_BE_RC1 = 1 << 30
MAY_BE_RCN = 1 << 31

MAY_BE_NUMBER = MAY_BE_LONG | MAY_BE_DOUBLE
MAY_BE_COUNTED = MAY_BE_STRING | MAY_BE_ARRAY | MAY_BE_OBJECT | MAY_BE_RESOURCE | MAY_BE_REF
"""Types whose values the run time counts."""

_SCALAR_WORDS = (
    (MAY_BE_LONG, "long"),
    (MAY_BE_DOUBLE, "double"),
    (MAY_BE_STRING, "string"),
)
_ELEMENT_WORDS = (
    (MAY_BE_NULL, "null"),
    (MAY_BE_FALSE, "false"),
    (MAY_BE_TRUE, "true"),
    (MAY_BE_LONG, "long"),
    (MAY_BE_DOUBLE, "double"),
    (MAY_BE_STRING, "string"),
    (MAY_BE_ARRAY, "array"),
    (MAY_BE_OBJECT, "object"),
    (MAY_BE_RESOURCE, "resource"),
)


def _array_text(mask: int) -> str:
    text = ""
    kinds = mask & MAY_BE_ARRAY_KEY_ANY
    if kinds != MAY_BE_ARRAY_KEY_ANY and kinds:
        words = []
        if kinds & MAY_BE_ARRAY_EMPTY:
            words.append("empty")
        if kinds & MAY_BE_ARRAY_PACKED:
            words.append("packed")
        if kinds & (MAY_BE_ARRAY_NUMERIC_HASH | MAY_BE_ARRAY_STRING_HASH):
            words.append("hash")
        if len(words) == 1:
            text += words[0] + " "
        else:
            text += "[" + ", ".join(words) + "] "
    text += "array"
    keys = kinds & (MAY_BE_ARRAY_KEY_LONG | MAY_BE_ARRAY_KEY_STRING)
    if keys:
        if not keys & MAY_BE_ARRAY_KEY_STRING:
            text += " [long]"
        elif not keys & MAY_BE_ARRAY_KEY_LONG:
            text += " [string]"
    if mask & (MAY_BE_ARRAY_OF_ANY | MAY_BE_ARRAY_OF_REF):
        elements = mask >> ARRAY_SHIFT
        if elements & MAY_BE_ANY == MAY_BE_ANY:
            names = ["any"]
        else:
            names = [name for bit, name in _ELEMENT_WORDS if elements & bit]
        if mask & MAY_BE_ARRAY_OF_REF:
            names.append("ref")
        text += " of [" + ", ".join(names) + "]"
    return text


def type_text(mask: int, class_name: str | None = None, is_instanceof: bool = False, show_rc: bool = False) -> str:
    """Return ``mask`` as PHP prints it, brackets included: ``[ref, null, long, packed array [long] of [long]]``.

    ``class_name`` is the class fact of the variable, if any; ``show_rc`` adds ``rc1``/``rcn`` (the JIT's dumps).
    """
    class_text = ""
    if class_name is not None:
        class_text = f" (instanceof {class_name})" if is_instanceof else f" ({class_name})"
    words = []
    if mask & MAY_BE_UNDEF:
        words.append("undef")
    if mask & MAY_BE_INDIRECT:
        words.append("ind")
    if mask & MAY_BE_REF:
        words.append("ref")
    if show_rc and mask & MAY_BE_RC1:
        words.append("rc1")
    if show_rc and mask & MAY_BE_RCN:
        words.append("rcn")
    if mask & MAY_BE_CLASS:
        words.append("class" + class_text)
    elif mask & MAY_BE_ANY == MAY_BE_ANY:
        words.append("any")
    else:
        if mask & MAY_BE_NULL:
            words.append("null")
        if mask & MAY_BE_BOOL == MAY_BE_BOOL:
            words.append("bool")
        elif mask & MAY_BE_FALSE:
            words.append("false")
        elif mask & MAY_BE_TRUE:
            words.append("true")
        words += [word for bit, word in _SCALAR_WORDS if mask & bit]
        if mask & MAY_BE_ARRAY:
            words.append(_array_text(mask))
        if mask & MAY_BE_OBJECT:
            words.append("object" + class_text)
        if mask & MAY_BE_RESOURCE:
            words.append("resource")
    return "[" + ", ".join(words) + "]"


_DECLARATION_WORDS = (
    (MAY_BE_STATIC, "static"),
    (MAY_BE_CALLABLE, "callable"),
    (MAY_BE_OBJECT, "object"),
    (MAY_BE_ARRAY, "array"),
    (MAY_BE_STRING, "string"),
    (MAY_BE_LONG, "int"),
    (MAY_BE_DOUBLE, "float"),
    (MAY_BE_BOOL, "bool"),
    (MAY_BE_FALSE, "false"),
    (MAY_BE_TRUE, "true"),
    (MAY_BE_VOID, "void"),
    (MAY_BE_NEVER, "never"),
)


def declaration_text(mask: int, class_names: tuple[str, ...] = (), intersection: bool = False) -> str:
    """A declared type as PHP's messages show it (Zend/zend_compile.c:zend_type_to_string): classes first, the rest in
    fixed order, null as ``?`` if it stands beside one type only that is no ``(A&B)``."""
    words = ["&".join(class_names)] if intersection else list(class_names)
    if mask & MAY_BE_ANY == MAY_BE_ANY:
        return "|".join([*words, "mixed"])
    for bits, word in _DECLARATION_WORDS:
        if mask & bits == bits:
            words.append(word)
            mask &= ~bits
    if not mask & MAY_BE_NULL:
        return "|".join(words)
    lone = len(words) == 1 and not intersection and not words[0].startswith("(")
    return f"?{words[0]}" if lone else "|".join([*words, "null"])
