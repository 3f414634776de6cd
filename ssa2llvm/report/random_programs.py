"""Random PHP programs that go where inference can be wrong: integers near their limits, null, bool, float and string
mixtures, NaN, odd steps, comparisons of unlike types, counters, arrays of mixed elements, references, statics, calls
between functions and to internal ones, exceptions and finally.

A program is a few functions with typed and untyped parameters, which may call the ones before them, and a main script
that calls them with edge values. It always ends (loops are bounded by fuel), prints little, and may throw: what it
throws is caught in a function or in the main script.
``Random`` decides everything, so a seed names a program, and hypothesis can drive it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random

_VALUES: dict[str, list[str]] = {
    "int": ["0", "1", "-1", "2", "5", "7", "63", "64", "-8", "1023", "PHP_INT_MAX", "PHP_INT_MIN", "PHP_INT_MAX - 1"],
    "float": ["0.0", "-0.0", "0.5", "1.5", "-2.5", "NAN", "INF", "-INF", "9.3e18", "1e300", "3.0"],
    "bool": ["true", "false"],
    "null": ["null"],
    "string": ['""', '"0"', '"7"', '"-9"', '"0.5"', '"abc"', '"1e3"', '" 4"', '"z"'],
    "array": ["[]", "[1, 2, 3]", "[1.5]", '["k" => 1]', "[3 => 2, 1 => null]", '[1, "x", null]'],
}
_TYPES: dict[str, list[str]] = {
    "": ["int", "float", "bool", "null", "string", "array"],
    "int": ["int"],
    "?int": ["int", "null"],
    "float": ["float", "int"],
    "?float": ["float", "null"],
    "bool": ["bool"],
    "?bool": ["bool", "null"],
    "string": ["string"],
    "int|float": ["int", "float"],
    "int|string": ["int", "string"],
    "array": ["array"],
}
_COMPARES = ["<", "<=", ">", ">=", "==", "!=", "===", "!=="]
_ARITHMETIC = ["+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>", "."]
_CHECKS = ["is_int", "is_float", "is_null", "is_bool", "is_string", "is_array"]
_SMALL = ["-3", "-1", "0", "1", "2", "3", "5", "10", "62", "100"]
_VARIABLES = ["$a", "$b", "$c", "$d"]
_CALLS = [
    "abs(%s)",
    "min(%s, %s)",
    "max(%s, %s)",
    "count((array) %s)",
    "strlen((string) %s)",
    "intdiv((int) %s, 7)",
    "array_slice((array) %s, 1)",
    "array_merge((array) %s, (array) %s)",
    "array_values((array) %s)",
    "array_reverse((array) %s)",
    "range(0, (int) %s & 3)",
    "array_fill(0, 2, %s)",
    "ord((string) %s)",
]


@dataclass
class _Function:
    name: str
    params: list[str]
    """Declared types, "" for none."""
    lines: list[str] = field(default_factory=list)


class ProgramMaker:
    """Makes one program out of a source of randomness."""

    def __init__(self, random: Random) -> None:
        self._random = random
        self._functions: list[_Function] = []
        self._lines: list[str] = []
        self._depth = 0
        self._variables = list(_VARIABLES)
        """What statements read and write."""

    def make(self) -> str:
        """The program's source."""
        for number in range(self._random.randint(1, 3)):
            self._functions.append(self._function(f"f{number}"))
        text = ["<?php"]
        for function in self._functions:
            params = ", ".join(
                f"{declared} {name}".strip() for declared, name in zip(function.params, _VARIABLES, strict=False)
            )
            text += [f"function {function.name}({params}) {{", *function.lines, "}"]
        for function in self._functions:
            for _ in range(self._random.randint(2, 6)):
                arguments = ", ".join(self._value_of(declared) for declared in function.params)
                call = f"{function.name}({arguments})"
                text.append(f'try {{ echo gettype({call}), "\\n"; }} catch (Error $e) {{ echo get_class($e), "\\n"; }}')
        return "\n".join(text) + "\n"

    def _pick(self, options: list[str]) -> str:
        return self._random.choice(options)

    def _value_of(self, declared: str) -> str:
        return self._pick(_VALUES[self._pick(_TYPES[declared])])

    def _function(self, name: str) -> _Function:
        params = [self._pick(list(_TYPES)) for _ in range(self._random.randint(1, 3))]
        self._lines = ["    $fuel = 20;"]
        if self._random.random() < 0.2:
            self._lines.append("    static $kept = 0;")
            self._lines.append(f"    $kept {self._pick(['=', '+=', '.='])} $d ?? 1;")
        for variable in _VARIABLES[len(params) :]:
            if self._random.random() < 0.8:
                self._lines.append(f"    {variable} = {self._value_of('')};")
        self._depth = 1
        for _ in range(self._random.randint(3, 8)):
            self._statement()
        self._emit(f"return {self._pick(self._variables)};")
        return _Function(name, params, self._lines)

    def _emit(self, line: str) -> None:
        self._lines.append("    " * self._depth + line)

    def _block(self, head: str, size: int = 2) -> None:
        self._emit(head + " {")
        self._depth += 1
        for _ in range(self._random.randint(1, size)):
            self._statement()
        self._depth -= 1
        self._emit("}")

    def _operand(self) -> str:
        kind = self._random.random()
        if kind < 0.6:
            return self._pick(self._variables)
        if kind < 0.9:
            return self._pick(_SMALL)
        return self._value_of("")

    def _compare(self) -> str:
        kind = self._random.random()
        variable = self._pick(self._variables)
        if kind < 0.15:
            return f"{self._pick(_CHECKS)}({variable})"
        if kind < 0.25:
            return f"{variable}{self._pick(['++', '--'])} {self._pick(_COMPARES)} {self._operand()}"
        if kind < 0.35:
            return f"{variable} {self._pick(['+', '-'])} {self._pick(_SMALL)} {self._pick(_COMPARES)} {self._operand()}"
        test = f"{variable} {self._pick(_COMPARES)} {self._operand()}"
        return f"!({test})" if kind > 0.85 else test

    def _expression(self) -> str:
        kind = self._random.random()
        if kind < 0.5:
            return f"{self._operand()} {self._pick(_ARITHMETIC)} {self._operand()}"
        if kind < 0.6:
            return f"({self._pick(['int', 'float', 'string', 'bool'])}) {self._pick(self._variables)}"
        if kind < 0.7:
            return f"{self._pick(self._variables)}{self._pick(['++', '--'])}"
        if kind < 0.75:
            return f"{self._operand()} ?? {self._operand()}"
        if kind < 0.8:
            return f"[{self._operand()}, {self._operand()}]"
        if kind < 0.87:
            return self._call()
        if kind < 0.9:
            return f"{self._compare()} ? {self._operand()} : {self._operand()}"
        if kind < 0.93:
            return f"match (true) {{ {self._compare()} => {self._operand()}, default => {self._operand()} }}"
        return self._operand()

    def _call(self) -> str:
        """A call of an internal function, or of one made before, if there is one: half of the time each."""
        if self._functions and self._random.random() < 0.5:
            callee = self._random.choice(self._functions)
            arguments = ", ".join(self._operand() for _ in callee.params)
            return f"{callee.name}({arguments})"
        template = self._pick(_CALLS)
        return template % tuple(self._operand() for _ in range(template.count("%s")))

    def _statement(self) -> None:
        kind = self._random.random()
        target = self._pick(self._variables)
        if kind < 0.3:
            self._emit(f"{target} = {self._expression()};")
        elif kind < 0.4:
            self._emit(f"{target} {self._pick(_ARITHMETIC)}= {self._operand()};")
        elif kind < 0.48:
            self._emit(f"{target}{self._pick(['++', '--'])};")
        elif kind < 0.56:
            self._emit(
                f"{target} = (array) {target}; {target}[{self._operand()}] {self._pick(['=', '+='])} {self._operand()};"
            )
        elif kind < 0.6:
            key = self._pick(["0", "1", '"k"'])
            self._emit(f"{target} = (array) {target}; {target}[{key}]++;")
        elif kind < 0.63:
            self._emit(f"{target} = (array) {target}; {target}[0] = (array) ({target}[0] ?? null);")
            self._emit(f"{target}[0][] = {self._operand()};")
        elif kind < 0.65:
            self._emit(f"{target} = &{self._pick(self._variables)};")
        elif kind < 0.67:
            self._emit(f"[{target}, {self._pick(self._variables)}] = [{self._operand()}, {self._operand()}];")
        elif kind < 0.68:
            self._emit(f"unset({target});")
        elif self._depth > 3:
            self._emit(f"{target} = {self._operand()};")
        elif kind < 0.71:
            self._guarded()
        elif kind < 0.73:
            self._switch()
        elif kind < 0.82:
            self._block(f"if ({self._compare()})")
        elif kind < 0.92:
            self._block(f"while ({self._compare()} && --$fuel > 0)")
        elif kind < 0.96:
            start, stop, step = self._pick(_SMALL), self._operand(), self._pick(["++", "--", " += 3", " -= 7"])
            self._block(
                f"for ({target} = {start}; {target} {self._pick(_COMPARES)} {stop} && --$fuel > 0; {target}{step})"
            )
        else:
            key = "$k => " if self._random.random() < 0.4 else ""
            self._block(f"foreach ((array) {self._pick(self._variables)} as {key}{target})")

    def _guarded(self) -> None:
        self._block("try")
        self._block("catch (Error $e)")
        if self._random.random() < 0.4:
            self._block("finally", size=1)

    def _switch(self) -> None:
        self._emit(f"switch ({self._operand()}) {{")
        self._depth += 1
        for _ in range(2):
            self._emit(f"case {self._pick(_SMALL)}:")
            self._statement()
            if self._random.random() < 0.6:
                self._emit("break;")
        self._emit("default:")
        self._statement()
        self._depth -= 1
        self._emit("}")


def random_program(seed: int) -> str:
    """The program that ``seed`` names."""
    return ProgramMaker(Random(seed)).make()
