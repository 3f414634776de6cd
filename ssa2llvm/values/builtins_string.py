"""String builtins. Strings are bytes; case changes touch ASCII letters only, as PHP 8 does whatever the locale."""

from __future__ import annotations

import hashlib
import zlib

from ssa2llvm.ir import types as t
from ssa2llvm.values.array import PhpArray
from ssa2llvm.values.builtin_table import Does, builtin
from ssa2llvm.values.convert import to_string
from ssa2llvm.values.host import Host, PhpError
from ssa2llvm.values.types import PHP_INT_MAX, Ref, Value

_LENGTH = (0, PHP_INT_MAX)
_LIST_OF_STRINGS = (
    t.MAY_BE_ARRAY_PACKED | t.MAY_BE_ARRAY_EMPTY | t.MAY_BE_ARRAY_OF_ANY & t.MAY_BE_STRING << t.ARRAY_SHIFT
)


@builtin("strlen(string $string): int", range=_LENGTH)
def _strlen(host: Host, string: bytes) -> int:
    return len(string)


@builtin("str_repeat(string $string, int $times): string", does=Does.THROWS)
def _str_repeat(host: Host, string: bytes, times: int) -> bytes:
    if times < 0:
        raise PhpError("ValueError", "str_repeat(): Argument #2 ($times) must be greater than or equal to 0")
    return string * times


def slice_bounds(length: int, offset: int, count: int | None) -> tuple[int, int]:
    """Start and end of a ``substr``-like piece: negative numbers count from the end, all is clamped."""
    start = max(length + offset, 0) if offset < 0 else min(offset, length)
    if count is None:
        return start, length
    end = length + count if count < 0 else start + count
    return start, max(start, min(end, length))


@builtin("substr(string $string, int $offset, ?int $length = null): string", folds=True)
def _substr(host: Host, string: bytes, offset: int, length: int | None) -> bytes:
    start, end = slice_bounds(len(string), offset, length)
    return string[start:end]


def _search_start(function: str, string: bytes, offset: int) -> int:
    if not -len(string) <= offset <= len(string):
        raise PhpError(
            "ValueError", f"{function}(): Argument #3 ($offset) must be contained in argument #1 ($haystack)"
        )
    return offset + len(string) if offset < 0 else offset


@builtin(
    "strpos(string $haystack, string $needle, int $offset = 0): int|false", does=Does.THROWS, range=_LENGTH, folds=True
)
def _strpos(host: Host, haystack: bytes, needle: bytes, offset: int) -> Value:
    position = haystack.find(needle, _search_start("strpos", haystack, offset))
    return position if position >= 0 else False


@builtin(
    "stripos(string $haystack, string $needle, int $offset = 0): int|false", does=Does.THROWS, range=_LENGTH, folds=True
)
def _stripos(host: Host, haystack: bytes, needle: bytes, offset: int) -> Value:
    position = haystack.lower().find(needle.lower(), _search_start("stripos", haystack, offset))
    return position if position >= 0 else False


@builtin(
    "strrpos(string $haystack, string $needle, int $offset = 0): int|false", does=Does.THROWS, range=_LENGTH, folds=True
)
def _strrpos(host: Host, haystack: bytes, needle: bytes, offset: int) -> Value:
    if offset >= 0:
        _search_start("strrpos", haystack, offset)
        position = haystack.rfind(needle, offset)
    else:
        if -offset > len(haystack):
            _search_start("strrpos", haystack, offset)
        # The match may begin at most at this distance from the end.
        position = haystack.rfind(needle, 0, len(haystack) + offset + max(len(needle), 0))
    return position if position >= 0 else False


@builtin("strrev(string $string): string", folds=True)
def _strrev(host: Host, string: bytes) -> bytes:
    return string[::-1]


@builtin("strtoupper(string $string): string", folds=True)
def _strtoupper(host: Host, string: bytes) -> bytes:
    return string.upper()


@builtin("strtolower(string $string): string", folds=True)
def _strtolower(host: Host, string: bytes) -> bytes:
    return string.lower()


@builtin("ucfirst(string $string): string", folds=True)
def _ucfirst(host: Host, string: bytes) -> bytes:
    return string[:1].upper() + string[1:]


@builtin("lcfirst(string $string): string", folds=True)
def _lcfirst(host: Host, string: bytes) -> bytes:
    return string[:1].lower() + string[1:]


@builtin('ucwords(string $string, string $separators = " \\t\\r\\n\\f\\v"): string', folds=True)
def _ucwords(host: Host, string: bytes, separators: bytes) -> bytes:
    result = bytearray(string[:1].upper())
    for byte in string[1:]:
        result += bytes([byte]).upper() if result[-1] in separators else bytes([byte])
    return bytes(result)


def character_set(function: str, characters: bytes, host: Host) -> bytes:
    """The bytes that ``trim``'s list means: ``a..f`` is a range (``php_charmask``)."""
    result = bytearray()
    position = 0
    while position < len(characters):
        byte = characters[position]
        rest = characters[position + 1 :]
        if rest[:2] == b".." and len(rest) >= 3 and rest[2] >= byte:
            result += bytes(range(byte, rest[2] + 1))
            position += 4
            continue
        if rest[:1] == b"." and byte == ord("."):
            if position == 0:
                reason = ", no character to the left of '..'"
            elif position + 2 >= len(characters):
                reason = ", no character to the right of '..'"
            elif characters[position - 1] > characters[position + 2]:
                reason = ", '..'-range needs to be incrementing"
            else:
                reason = ""
            host.warning(f"{function}(): Invalid '..'-range{reason}")
            position += 1
            continue
        result.append(byte)
        position += 1
    return bytes(result)


@builtin('trim(string $string, string $characters = " \\n\\r\\t\\v\\x00"): string', does=Does.WARNS, folds=True)
def _trim(host: Host, string: bytes, characters: bytes) -> bytes:
    return string.strip(character_set("trim", characters, host))


@builtin('ltrim(string $string, string $characters = " \\n\\r\\t\\v\\x00"): string', does=Does.WARNS, folds=True)
def _ltrim(host: Host, string: bytes, characters: bytes) -> bytes:
    return string.lstrip(character_set("ltrim", characters, host))


@builtin('rtrim(string $string, string $characters = " \\n\\r\\t\\v\\x00"): string', does=Does.WARNS, folds=True)
def _rtrim(host: Host, string: bytes, characters: bytes) -> bytes:
    return string.rstrip(character_set("rtrim", characters, host))


@builtin("chr(int $codepoint): string", folds=True)
def _chr(host: Host, codepoint: int) -> bytes:
    return bytes([codepoint % 256])


@builtin("ord(string $character): int", range=(0, 255), folds=True)
def _ord(host: Host, character: bytes) -> int:
    return character[0] if character else 0


@builtin("bin2hex(string $string): string", folds=True)
def _bin2hex(host: Host, string: bytes) -> bytes:
    return string.hex().encode()


@builtin("md5(string $string, bool $binary = false): string")
def _md5(host: Host, string: bytes, binary: bool) -> bytes:
    digest = hashlib.md5(string, usedforsecurity=False)
    return digest.digest() if binary else digest.hexdigest().encode()


@builtin("sha1(string $string, bool $binary = false): string")
def _sha1(host: Host, string: bytes, binary: bool) -> bytes:
    digest = hashlib.sha1(string, usedforsecurity=False)
    return digest.digest() if binary else digest.hexdigest().encode()


@builtin("crc32(string $string): int", range=(0, 2**32 - 1), folds=True)
def _crc32(host: Host, string: bytes) -> int:
    return zlib.crc32(string)


def _byte_order(left: bytes, right: bytes) -> int:
    """C's ``memcmp`` as glibc answers it, the difference of the first bytes that differ; else -1, 0 or 1 by length."""
    for a, b in zip(left, right):
        if a != b:
            return a - b
    return (len(left) > len(right)) - (len(left) < len(right))


@builtin("strcmp(string $string1, string $string2): int", range=(-255, 255), folds=True)
def _strcmp(host: Host, string1: bytes, string2: bytes) -> int:
    return _byte_order(string1, string2)


@builtin("strcasecmp(string $string1, string $string2): int", range=(-255, 255), folds=True)
def _strcasecmp(host: Host, string1: bytes, string2: bytes) -> int:
    return _byte_order(string1.lower(), string2.lower())


@builtin("strncmp(string $string1, string $string2, int $length): int", does=Does.THROWS, range=(-255, 255), folds=True)
def _strncmp(host: Host, string1: bytes, string2: bytes, length: int) -> int:
    if length < 0:
        raise PhpError("ValueError", "strncmp(): Argument #3 ($length) must be greater than or equal to 0")
    return _byte_order(string1[:length], string2[:length])


@builtin("str_contains(string $haystack, string $needle): bool", folds=True)
def _str_contains(host: Host, haystack: bytes, needle: bytes) -> bool:
    return needle in haystack


@builtin("str_starts_with(string $haystack, string $needle): bool", folds=True)
def _str_starts_with(host: Host, haystack: bytes, needle: bytes) -> bool:
    return haystack.startswith(needle)


@builtin("str_ends_with(string $haystack, string $needle): bool", folds=True)
def _str_ends_with(host: Host, haystack: bytes, needle: bytes) -> bool:
    return haystack.endswith(needle)


@builtin(
    "substr_count(string $haystack, string $needle, int $offset = 0, ?int $length = null): int",
    does=Does.THROWS,
    range=_LENGTH,
)
def _substr_count(host: Host, haystack: bytes, needle: bytes, offset: int, length: int | None) -> int:
    if not needle:
        raise PhpError("ValueError", "substr_count(): Argument #2 ($needle) cannot be empty")
    start = _search_start("substr_count", haystack, offset)
    end = len(haystack)
    if length is not None:
        end = start + length if length >= 0 else end + length
        if not start <= end <= len(haystack):
            raise PhpError(
                "ValueError", "substr_count(): Argument #4 ($length) must be contained in argument #1 ($haystack)"
            )
    return haystack.count(needle, start, end)


@builtin(
    'str_pad(string $string, int $length, string $pad_string = " ", int $pad_type = 1): string',
    does=Does.THROWS,
)
def _str_pad(host: Host, string: bytes, length: int, pad_string: bytes, pad_type: int) -> bytes:
    missing = length - len(string)
    if missing <= 0:
        return string
    if not pad_string:
        raise PhpError("ValueError", "str_pad(): Argument #3 ($pad_string) must be a non-empty string")
    if not 0 <= pad_type <= 2:
        raise PhpError(
            "ValueError", "str_pad(): Argument #4 ($pad_type) must be STR_PAD_LEFT, STR_PAD_RIGHT, or STR_PAD_BOTH"
        )
    left = (missing, 0)[pad_type] if pad_type < 2 else missing // 2
    right = missing - left

    def padding(count: int) -> bytes:
        return (pad_string * (count // len(pad_string) + 1))[:count]

    return padding(left) + string + padding(right)


@builtin("str_split(string $string, int $length = 1): array", does=Does.THROWS, elements=_LIST_OF_STRINGS, folds=True)
def _str_split(host: Host, string: bytes, length: int) -> PhpArray:
    if length <= 0:
        raise PhpError("ValueError", "str_split(): Argument #2 ($length) must be greater than 0")
    return PhpArray.from_list(string[start : start + length] for start in range(0, len(string), length))


def join(separator: bytes, pieces: PhpArray, host: Host) -> bytes:
    """The pieces as strings with the separator between them."""
    return separator.join(to_string(piece, host) for piece in pieces.values())


@builtin("implode(string|array $separator, ?array $array = null): string", does=Does.WARNS | Does.THROWS, folds=True)
def _implode(host: Host, separator: bytes | PhpArray, array: PhpArray | None, function: str = "implode") -> bytes:
    if array is None:
        if not isinstance(separator, PhpArray):
            raise PhpError("TypeError", f"{function}(): Argument #1 ($array) must be of type array, string given")
        return join(b"", separator, host)
    if isinstance(separator, PhpArray):
        raise PhpError("TypeError", f"{function}(): Argument #1 ($separator) must be of type string, array given")
    return join(separator, array, host)


@builtin("join(string|array $separator, ?array $array = null): string", does=Does.WARNS | Does.THROWS)
def _join(host: Host, separator: bytes | PhpArray, array: PhpArray | None) -> bytes:
    return _implode(host, separator, array, "join")


@builtin(
    "explode(string $separator, string $string, int $limit = PHP_INT_MAX): array",
    does=Does.THROWS,
    elements=_LIST_OF_STRINGS,
    folds=True,
)
def _explode(host: Host, separator: bytes, string: bytes, limit: int) -> PhpArray:
    if not separator:
        raise PhpError("ValueError", "explode(): Argument #1 ($separator) cannot be empty")
    if limit > 0:
        return PhpArray.from_list(string.split(separator, limit - 1))
    pieces = string.split(separator)
    return PhpArray.from_list(pieces[:limit] if limit else [separator.join(pieces)])


def _replace_in(subject: bytes, search: Value, replace: Value, host: Host) -> tuple[bytes, int]:
    """All replacements in one subject, and how many there were."""
    if isinstance(search, bytes):
        pairs = [(search, to_string(replace, host))]
    else:
        assert isinstance(search, PhpArray)
        replacements = list(replace.values()) if isinstance(replace, PhpArray) else None
        pairs = []
        for position, needle in enumerate(search.values()):
            if replacements is None:
                by = to_string(replace, host)
            else:
                by = to_string(replacements[position], host) if position < len(replacements) else b""
            pairs.append((to_string(needle, host), by))
    count = 0
    for needle, by in pairs:
        if needle:
            count += subject.count(needle)
            subject = subject.replace(needle, by)
    return subject, count


@builtin(
    "str_replace(array|string $search, array|string $replace, array|string $subject, &$count = null): string|array",
    does=Does.WARNS | Does.THROWS,
    folds=True,
)
def _str_replace(host: Host, search: Value, replace: Value, subject: Value, count: Ref) -> Value:
    if isinstance(search, bytes) and isinstance(replace, PhpArray):
        raise PhpError(
            "TypeError",
            "str_replace(): Argument #2 ($replace) must be of type string when argument #1 ($search) is a string",
        )
    total = 0
    result: Value
    if isinstance(subject, PhpArray):
        replaced = PhpArray()
        for key, element in subject.items():
            text, found = _replace_in(to_string(element, host), search, replace, host)
            total += found
            replaced.put(key, text)
        result = replaced
    else:
        assert isinstance(subject, bytes)
        result, total = _replace_in(subject, search, replace, host)
    count.value = total
    return result
