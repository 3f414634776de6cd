"""Random PHP programs of a few functions that call each other, themselves and others by name, with arguments of mixed
types: what specialisation can get wrong. ``Random`` decides everything, so a seed names a program.

Each function prints a line of its own when it is told to, recursion is bounded by a fuel parameter, and calls from the
main script are caught one by one, with the trace of what was thrown.
"""

from __future__ import annotations

from random import Random

_VALUES = [
    "1", "2", "-3", "7", "PHP_INT_MAX", "PHP_INT_MIN", "0.5", "2.0", "-1e19", "NAN", "'5'", "'1.5'", "'ab'", "''",
    "null", "true", "false", "[1, 2]", "[0.5]", "['k' => 'v', 3]", "[]",
]  # fmt: skip
_SCALARS = _VALUES[:17]
_TYPES = ["", "", "", "", "int ", "float ", "string ", "int|float ", "?int ", "array ", "bool "]
_BINARY = ["+", "-", "*", ".", "<", "==", "===", "%", "&", "<=>", "??"]
_CHECKS = ["is_int", "is_float", "is_string", "is_array", "is_null"]


class CallPrograms:
    """One program a seed."""

    def __init__(self, seed: int) -> None:
        self._random = Random(seed)
        self._functions: list[tuple[str, int, bool, bool]] = []

    def _pick(self, choices: list[str]) -> str:
        return self._random.choice(choices)

    def _atom(self) -> str:
        return self._pick(["$a", "$a", "$b", "$b", "$c", self._pick(_SCALARS)])

    def _expression(self, depth: int = 2) -> str:
        kind = self._random.randrange(8) if depth else 0
        if kind < 2:
            return self._atom()
        if kind < 5:
            return f"({self._expression(depth - 1)} {self._pick(_BINARY)} {self._expression(depth - 1)})"
        if kind == 5:
            return f"({self._pick(_CHECKS)}({self._atom()}) ? {self._expression(depth - 1)} : {self._atom()})"
        if kind == 6:
            return f"(is_array($a) ? ($a[0] ?? {self._atom()}) : {self._expression(depth - 1)})"
        return self._call("$fuel - 1")

    def _call(self, fuel: str) -> str:
        """A call of any function of the program: forwards, backwards and of itself."""
        name, count, has_default, by_reference = self._random.choice(self._functions)
        given = count - 1 if has_default and self._random.randrange(3) == 0 else count
        arguments = [self._atom() if fuel != "3" else self._pick(_VALUES) for _ in range(given)]
        if by_reference:
            return f"{name}({', '.join([fuel, *('$a', '$b')[:count]])})"
        if fuel == "3" and self._random.randrange(6) == 0:
            arguments += [self._pick(_SCALARS)]
        if fuel == "3" and self._random.randrange(12) == 0:
            arguments = arguments[:-1]
        if self._random.randrange(10) == 0 and fuel != "3":
            return f"array_map('{name}', [{fuel}], {', '.join(f'[{a}]' for a in arguments)})[0]"
        return f"{name}({', '.join([fuel, *arguments])})"

    def _statement(self, depth: int = 1) -> str:
        kind = self._random.randrange(9)
        if kind < 3:
            return f"$c = {self._expression()};"
        if kind == 3:
            return f"${self._pick(['a', 'b'])} = {self._expression()};"
        if kind == 4:
            return f"$c {self._pick(['+=', '.=', '-='])} {self._atom()};"
        if kind == 5:
            return "$c++;"
        if kind == 6 and depth:
            return f"if ({self._expression(1)}) {{ {self._statement(0)} }} else {{ {self._statement(0)} }}"
        if kind == 7 and depth:
            return f"for ($i = 0; $i < 2; $i++) {{ {self._statement(0)} }}"
        return f"echo gettype({self._atom()}), ' ';"

    def _function(self, name: str, count: int, has_default: bool, by_reference: bool) -> str:
        parameters = ["$fuel"]
        for number, letter in enumerate("ab"[:count]):
            kind = self._pick(_TYPES)
            ampersand = "&" if by_reference else ""
            default = f" = {self._pick(['1', '0.5', 'null'] if not kind else ['null'])}" if has_default else ""
            if default and kind:
                kind = ""
            default = default if number == count - 1 else ""
            parameters.append(f"{kind}{ampersand}${letter}{default}")
        body = ["$c = 0;" if self._random.randrange(3) else "$c = $a;"]
        if count < 2:
            body.append("$b = 2;")
        if self._random.randrange(4) == 0:
            body.append("static $calls = 0; $calls++; echo $calls, __FUNCTION__, ' ';")
        body.append("if ($fuel < 1) { return $a; }")
        body += [self._statement() for _ in range(self._random.randint(1, 3))]
        body.append(f"return {self._expression()};")
        return f"function {name}({', '.join(parameters)}) {{ {' '.join(body)} }}"

    def source(self) -> str:
        """The program."""
        names = ["f", "g", "h"]
        for name in names:
            count, choice = self._random.randint(1, 2), self._random.randrange(12)
            self._functions.append((name, count, choice < 3, choice == 3))
        lines = ["<?php", *(self._function(*function) for function in self._functions)]
        for number in range(6):
            called = self._call("3")
            lines.append(f"$a = {self._pick(_VALUES)}; $b = {self._pick(_VALUES)};")
            if number % 3 == 2:
                called = called.replace("(3, ", "(3, $a, ", 1)
            shown = 'echo get_class($e), ": ", $e->getMessage(), "\\n", $e->getTraceAsString(), "\\n";'
            lines.append(f"try {{ var_dump({called}); }} catch (Error $e) {{ {shown} }}")
        if self._random.randrange(2):
            lines.append(
                f"$name = '{self._pick(names)}'; try {{ var_dump($name(1, 2.5, 'x')); }} catch (Error $e) {{}}"
            )
        return "\n".join(lines) + "\n"


def call_program(seed: int) -> str:
    """The program of this seed."""
    return CallPrograms(seed).source()
