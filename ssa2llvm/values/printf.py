"""``sprintf`` formatting and ``number_format``.

Follows ext/standard/formatted_print.c:php_formatted_print and ext/standard/math.c:_php_math_number_format_ex.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from ssa2llvm.values.convert import to_float, to_int, to_string
from ssa2llvm.values.host import Host, PhpError
from ssa2llvm.values.number_format import general_format
from ssa2llvm.values.rounding import php_round
from ssa2llvm.values.types import Value

_INT_MAX = 2**31 - 1
_DEFAULT_PRECISION = 6
_MAX_PRECISION = 53
_DIGITS = b"0123456789"
_LETTERS = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
_BASES = {ord("x"): "x", ord("X"): "X", ord("o"): "o", ord("b"): "b"}


@dataclass(slots=True)
class _Directive:
    """One ``%`` directive, as far as it has been read."""

    argument: int | None = None
    left: bool = False
    padding: bytes = b" "
    plus: bool = False
    width: int = 0
    precision: int | None = None


class _Formatter:
    """The state of one ``sprintf``: position in the format, the next argument, the output."""

    def __init__(self, function: str, template: bytes, arguments: Sequence[Value], host: Host) -> None:
        self.function = function
        self.template = template
        self.arguments = arguments
        self.host = host
        self.position = 0
        self.next_argument = 0
        self.missing = -1
        self.out = bytearray()

    def run(self) -> None:
        """Read the whole format."""
        while True:
            percent = self.template.find(b"%", self.position)
            if percent < 0:
                self.out += self.template[self.position :]
                return
            self.out += self.template[self.position : percent]
            self.position = percent + 1
            if self._peek() == ord("%"):
                self.out += b"%"
                self.position += 1
            else:
                self._directive()

    def _peek(self) -> int:
        """The next byte of the format, 0 at its end (C's terminating NUL)."""
        return self.template[self.position] if self.position < len(self.template) else 0

    def _number(self) -> int | None:
        """Digits at the current position."""
        start = self.position
        while self._peek() in _DIGITS and self.position < len(self.template):
            self.position += 1
        return int(self.template[start : self.position]) if self.position > start else None

    def _argument_number(self) -> int | None:
        """``N$``: a zero-based argument number."""
        start = self.position
        number = self._number()
        if self._peek() != ord("$"):
            self.position = start
            return None
        self.position += 1
        if number is None or not 0 < number < _INT_MAX:
            raise PhpError(
                "ValueError", f"Argument number specifier must be greater than zero and less than {_INT_MAX}"
            )
        return number - 1

    def _take(self, number: int | None) -> int:
        """The index of the argument asked for, the next one if ``number`` is None; notes it if there is none."""
        if number is None:
            number = self.next_argument
            self.next_argument += 1
        if number >= len(self.arguments):
            self.missing = max(self.missing, number)
        return number

    def _star(self, word: str, least: int, range_text: str) -> int | None:
        """The value of ``*`` as width or precision; None if the argument is missing."""
        self.position += 1
        index = self._take(self._argument_number())
        if index >= len(self.arguments):
            return None
        value = self.arguments[index]
        if not isinstance(value, int) or isinstance(value, bool):
            raise PhpError("ValueError", f"{word} must be an integer")
        if not least <= value <= _INT_MAX:
            raise PhpError("ValueError", f"{word} must be {range_text} {_INT_MAX}")
        return value

    def _modifiers(self, directive: _Directive) -> None:
        while True:
            byte = self._peek()
            if byte in b" 0" and self.position < len(self.template):
                directive.padding = bytes([byte])
            elif byte == ord("-"):
                directive.left = True
            elif byte == ord("+"):
                directive.plus = True
            elif byte == ord("'"):
                self.position += 1
                if self.position >= len(self.template):
                    raise PhpError("ValueError", "Missing padding character")
                directive.padding = self.template[self.position : self.position + 1]
            else:
                return
            self.position += 1

    def _width_and_precision(self, directive: _Directive) -> bool:
        """Read both; False if an argument for one is missing."""
        if self._peek() == ord("*"):
            width = self._star("Width", 0, "greater than zero and less than")
            if width is None:
                return False
            directive.width = width
        else:
            directive.width = self._number() or 0
            if directive.width >= _INT_MAX:
                raise PhpError("ValueError", f"Width must be greater than zero and less than {_INT_MAX}")
        if self._peek() != ord("."):
            return True
        self.position += 1
        if self._peek() == ord("*"):
            directive.precision = self._star("Precision", -1, "between -1 and")
            return directive.precision is not None
        directive.precision = self._number()
        if directive.precision is not None and directive.precision >= _INT_MAX:
            raise PhpError("ValueError", f"Precision must be greater than zero and less than {_INT_MAX}")
        return True

    def _directive(self) -> None:
        directive = _Directive()
        if self._peek() not in _LETTERS or self.position >= len(self.template):
            directive.argument = self._argument_number()
            self._modifiers(directive)
            if not self._width_and_precision(directive):
                return
        if self._peek() == ord("l"):
            self.position += 1
        index = self._take(directive.argument)
        if index >= len(self.arguments):
            return
        letter = self._peek()
        if directive.precision == -1 and letter not in b"gGhH":
            raise PhpError("ValueError", "Precision -1 is only supported for %g, %G, %h and %H")
        if self.position >= len(self.template):
            raise PhpError("ValueError", "Missing format specifier at end of string")
        self.position += 1
        self._convert(letter, directive, self.arguments[index])

    def _convert(self, letter: int, directive: _Directive, value: Value) -> None:
        host = self.host
        if letter == ord("s"):
            text = to_string(value, host)
            self._pad(text if directive.precision is None else text[: directive.precision], directive)
        elif letter in b"du":
            number = to_int(value, host)
            if directive.left and directive.padding == b"0":
                directive.padding = b" "
            if letter == ord("u"):
                self._pad(b"%d" % (number % 2**64), directive)
            else:
                shown = b"+%d" % number if directive.plus and number >= 0 else b"%d" % number
                self._pad(shown, directive, number < 0 or directive.plus, number < 0)
        elif letter in b"eEfFgGhH":
            self._convert_float(chr(letter), directive, to_float(value, host))
        elif letter == ord("c"):
            self.out.append(to_int(value, host) & 0xFF)
        elif letter in _BASES:
            shown = format(to_int(value, host) % 2**64, _BASES[letter]).encode()
            # PHP takes a precision given here as "at most 0 characters".
            self._pad(b"" if directive.precision is not None else shown, directive)
        elif letter == ord("%"):
            self.out += b"%"
        else:
            raise PhpError("ValueError", f'Unknown format specifier "{chr(letter)}"')

    def _convert_float(self, letter: str, directive: _Directive, number: float) -> None:
        precision = _DEFAULT_PRECISION if directive.precision is None else directive.precision
        if precision > _MAX_PRECISION:
            self.host.notice(
                f"{self.function}(): Requested precision of {precision} digits was truncated to PHP maximum of "
                f"{_MAX_PRECISION} digits"
            )
            precision = _MAX_PRECISION
        if not math.isfinite(number):
            directive.width = 3
            self._pad(b"NaN" if math.isnan(number) else b"INF", directive, number < 0 or directive.plus, number < 0)
            return
        if letter in "eEfF" and number == 0:
            number = 0.0  # these never show the sign of -0.0; g and h do
        if letter in "fF":
            text = f"{number:.{precision}f}"
        elif letter in "eE":
            mantissa, exponent = f"{number:.{precision}e}".split("e")
            text = f"{mantissa}{letter}{exponent[0]}{int(exponent[1:])}"
        else:
            text = general_format(number, precision or 1, "E" if letter in "GH" else "e")
        if directive.plus and not text.startswith("-"):
            text = "+" + text
        self._pad(text.encode(), directive, text[0] in "+-", text[0] == "-")

    def _pad(self, text: bytes, directive: _Directive, signed: bool = False, negative: bool = False) -> None:
        """Append ``text`` padded to the width; zeros go between a sign and the digits (``php_sprintf_appendstring``).

        The sign takes the place of the first character, whatever that is: PHP prints ``-NF`` for the negative infinity.
        """
        fill = directive.padding * (directive.width - len(text))
        if directive.left:
            self.out += text + fill
        elif signed and directive.padding == b"0":
            self.out += (b"-" if negative else b"+") + fill + text[1:]
        else:
            self.out += fill + text


def sprintf(
    template: bytes, arguments: Sequence[Value], host: Host, function: str = "sprintf", fixed_arguments: int = 1
) -> bytes:
    """``sprintf($template, ...$arguments)``, on behalf of ``function``. Raises PHP's ValueError and ArgumentCountError.

    ``fixed_arguments`` counts the parameters before the formatted ones, which the error counts too; -1 for
    ``vsprintf``, whose arguments come in an array.
    """
    formatter = _Formatter(function, template, arguments, host)
    formatter.run()
    if formatter.missing >= 0:
        given = len(arguments)
        if fixed_arguments == -1:
            text = f"The arguments array must contain {formatter.missing + 1} items, {given} given"
            raise PhpError("ValueError", text)
        text = f"{formatter.missing + fixed_arguments + 1} arguments are required, {given + fixed_arguments} given"
        raise PhpError("ArgumentCountError", text)
    return bytes(formatter.out)


def number_format(number: float, decimals: int, point: bytes, separator: bytes) -> bytes:
    """``number_format($number, $decimals, $point, $separator)``."""
    decimals = max(decimals, 0)
    rounded = php_round(abs(number), decimals)
    if not math.isfinite(rounded):
        return b"nan" if math.isnan(rounded) else b"inf"
    whole, _, fraction = f"{rounded:.{decimals}f}".partition(".")
    first = len(whole) % 3 or 3
    groups = [whole[:first], *(whole[start : start + 3] for start in range(first, len(whole), 3))]
    text = separator.join(group.encode() for group in groups)
    if decimals:
        text += point + fraction.encode()
    return b"-" + text if number < 0 and rounded != 0 else text
