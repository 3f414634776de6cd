"""Programs full of small arrays: literal keys of every kind, appends, nested writes, swaps, copies, unset, reads of
what is not there, loops, branches, and exceptions in the middle of it all.

Most arrays stay in their function, so that passes may take them apart; now and then one is printed whole. What a
program prints includes PHP's diagnostics. ``Random`` decides everything: a seed names a program, hypothesis can drive
it.
"""

from __future__ import annotations

from random import Random

_KEYS = ["0", "1", "2", "'x'", "'y'", "'x'", "'y'", "0", "1"]
_ODD_KEYS = ["-3", "'1'", "'01'", "true", "false", "null", "1.0", "1.5", "''", "PHP_INT_MAX", "'-3'"]
_VALUES = ["0", "1", "-7", "1.5", "-0.0", "'s'", "'12'", "null", "true", "PHP_INT_MAX", "$n", "$p", "$x", "$y"]
_ARRAYS = ["$a", "$b", "$c"]
_SCALARS = ["$x", "$y", "$z"]
_OPERATORS = ["+", "-", ".", "*", "%", "+", "."]


class ArrayProgram:
    """Makes one program. Without ``plain`` it reads undefined variables and catches what it throws."""

    def __init__(self, random: Random, plain: bool = False) -> None:
        self._random = random
        self._throws = not plain
        self._values = _VALUES if plain else [*_VALUES, "$u"]
        self._lines: list[str] = []
        self._depth = 0
        self._loops = 0

    def make(self) -> str:
        """The source: functions, and calls of them that print what they return."""
        text = ["<?php"]
        count = self._random.randint(1, 2)
        for number in range(count):
            text += [f"function f{number}(int $n, $p) {{", *self._function(), "}"]
        for number in range(count):
            for arguments in ("3, 'p'", "0, 2.5"):
                handler = "catch (Error $e) { echo get_class($e), $e->getMessage(); }"
                text.append(f"try {{ var_dump(f{number}({arguments})); }} {handler}")
        return "\n".join(text) + "\n"

    def _function(self) -> list[str]:
        self._lines, self._depth = [], 1
        for scalar in _SCALARS:
            self._line(f"{scalar} = {self._pick(['0', '1', '2.5', '$n', '$p'])};")
        for array in _ARRAYS:
            if self._random.random() < 0.85:
                self._line(f"{array} = {self._literal()};")
        for _ in range(self._random.randint(3, 10)):
            self._statement()
        for array in _ARRAYS:
            if self._random.random() < 0.5:
                self._line(f"$x .= {self._element(array)};")
        whole = self._random.random() < 0.1
        self._line(f"return [$x, $y, $z{', $a' if whole else ''}];")
        return self._lines

    def _pick(self, options: list[str]) -> str:
        return self._random.choice(options)

    def _line(self, text: str) -> None:
        self._lines.append("    " * self._depth + text)

    def _key(self) -> str:
        return self._pick(_ODD_KEYS) if self._random.random() < 0.12 else self._pick(_KEYS)

    def _value(self) -> str:
        return self._pick(self._values)

    def _literal(self, depth: int = 0) -> str:
        entries = []
        for _ in range(self._random.choice([0, 1, 2, 2, 2, 3])):
            nested = depth < 2 and self._random.random() < 0.2
            value = self._literal(depth + 1) if nested else self._value()
            keyed = self._random.random() < 0.6
            entries.append(f"{self._key()} => {value}" if keyed else value)
        return f"[{', '.join(entries)}]"

    def _element(self, array: str) -> str:
        return f"{array}[{self._key()}]"

    def _expression(self) -> str:
        kind = self._random.random()
        array = self._pick(_ARRAYS)
        if kind < 0.25:
            return self._element(array)
        if kind < 0.35:
            return f"{self._element(array)} ?? {self._value()}"
        if kind < 0.42:
            return f"isset({self._element(array)})"
        if kind < 0.47:
            return f"empty({self._element(array)})"
        if kind < 0.53:
            return f"count({array})"
        if kind < 0.57:
            return f"array_key_exists({self._pick(['0', '1', chr(39) + 'x' + chr(39), 'null'])}, {array})"
        if kind < 0.65:
            return f"{self._element(array)}[{self._key()}] ?? 'none'"
        if kind < 0.75:
            return f"{self._value()} {self._pick(_OPERATORS)} {self._value()}"
        if kind < 0.8:
            return f"({self._element(array)} = {self._value()})"
        if kind < 0.85:
            return f"{self._element(array)}{self._pick(['++', '--'])}"
        return self._value()

    def _write(self) -> None:
        kind = self._random.random()
        array = self._pick(_ARRAYS)
        if kind < 0.3:
            self._line(f"{self._element(array)} = {self._expression()};")
        elif kind < 0.45:
            self._line(f"{self._element(array)} {self._pick(_OPERATORS)}= {self._expression()};")
        elif kind < 0.55:
            self._line(f"{self._element(array)}{self._pick(['++', '--'])};")
        elif kind < 0.62:
            self._line(f"{array}[] = {self._expression()};")
        elif kind < 0.7:
            self._line(f"{self._element(array)}[{self._key()}] = {self._value()};")
        elif kind < 0.75:
            self._line(f"{self._element(array)}[{self._key()}] {self._pick(_OPERATORS)}= {self._value()};")
        elif kind < 0.8:
            self._line(f"{self._element(array)}[] = {self._value()};")
        elif kind < 0.85:
            self._line(f"unset({self._element(array)});")
        elif kind < 0.87:
            self._line(f"unset({self._element(array)}[{self._key()}]);")
        elif kind < 0.92:
            self._line(f"{self._element(array)} = {self._literal(1)};")
        else:
            self._line(f"{self._element(array)} = {self._pick(_ARRAYS)}[{self._key()}] ?? {self._literal(1)};")

    def _statement(self) -> None:
        kind = self._random.random()
        if kind < 0.38:
            self._write()
        elif kind < 0.5:
            self._line(f"{self._pick(_SCALARS)} = {self._expression()};")
        elif kind < 0.56:
            self._line(f"{self._pick(_ARRAYS)} = {self._literal()};")
        elif kind < 0.62:
            self._line(f"{self._pick(_ARRAYS)} = {self._pick(_ARRAYS)};")
        elif kind < 0.68:
            first, second = self._pick(_SCALARS), self._pick(_SCALARS)
            self._line(f"[{first}, {second}] = [{second}, {self._value()}];")
        elif kind < 0.71:
            array, first, second = self._pick(_ARRAYS), self._key(), self._key()
            self._line(f"[{array}[{first}], {array}[{second}]] = [{array}[{second}], {array}[{first}]];")
        elif kind < 0.73:
            self._line(f"['x' => {self._pick(_SCALARS)}] = {self._pick(_ARRAYS)};")
        elif kind < 0.76:
            self._line(f'echo {self._expression()}, "\\n";')
        elif kind < 0.77:
            self._line(f"var_dump({self._pick(_ARRAYS)});")
        elif kind < 0.78:
            self._line(f"unset({self._pick(_ARRAYS)});")
        elif self._depth > 3:
            self._write()
        elif kind < 0.86:
            self._block(f"if ({self._pick(['$n', '$p', '$x', 'isset($a[0])', '$y > 1', '$z'])})")
            if self._random.random() < 0.5:
                self._block("else")
        elif kind < 0.94:
            self._loops += 1
            self._block(
                f"for ($i{self._loops} = 0; $i{self._loops} < {self._pick(['$n', '3', '2'])}; $i{self._loops}++)"
            )
        elif self._throws:
            self._guarded()

    def _guarded(self) -> None:
        self._block("try", ["$x %= $z;", "throw new LogicException('thrown');", "$y = intdiv(7, $n);", ""])
        self._block("catch (Exception | Error $e)")
        if self._random.random() < 0.3:
            self._block("finally")

    def _block(self, head: str, endings: list[str] | None = None) -> None:
        self._line(head + " {")
        self._depth += 1
        for _ in range(self._random.randint(1, 3)):
            self._statement()
        if endings:
            self._line(self._pick(endings))
            if self._random.random() < 0.5:
                self._statement()
        self._depth -= 1
        self._line("}")


def array_program(seed: int, plain: bool = False) -> str:
    """The program that ``seed`` names."""
    return ArrayProgram(Random(seed), plain).make()
