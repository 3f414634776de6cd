"""Random PHP programs in which values change behind instructions' backs: globals, statics, parameters by reference,
``=&`` between variables and elements, foreach by reference, internal functions that write their arguments, and arrays
in arrays. Each program has a few values of its own, and most do without arrays in arrays or without arrays at all, so
that types stay small enough to be wrong.

They are what ``random_programs`` makes, with other functions and further statements. Every program ends, and is named
by its seed.
"""

from __future__ import annotations

from random import Random

from ssa2llvm.report.random_programs import ProgramMaker

_GLOBALS = ["$g", "$h"]
_STATICS = ["$s", "$t"]
_KEYS = ["0", "1", "2", '"k"', '"m"']
_INITIAL = ["0", "1", "7", "1.5", "true", "null", '"5"', '"abc"', "[1, 2]", "PHP_INT_MAX"]
_LISTS = ["[3, 1, 2]", "[1.5, 0.5]", '["b", "a"]', "[[2, 1], [4]]", '[["k" => 1.5], ["k" => 2.5]]', "[7 => 1, 2 => 3]"]
_TABLES = [
    "[[1, 2], [3, 4]]",
    "[[1.5], [0.5, 2.5]]",
    '[["k" => 1], ["k" => 2]]',
    "[]",
    "[[]]",
    '["k" => [7], "m" => [8]]',
]
_NESTED = [
    "{0} = {t};",
    "{0}[{k}][{l}] = {v};",
    "{0}[{k}][] = {v};",
    "{0}[] = [{v}, {w}];",
    "{0}[{k}] = {1};",
    "{0}[{k}] = [{l} => {v}];",
    "{0}[{k}][{l}] += {v};",
    "{0}[{k}][{l}]++;",
    "{0}[{k}][{l}]--;",
    "{0}[{k}][{l}] .= {v};",
    "unset({0}[{k}][{l}]);",
    "unset({0}[{k}]);",
    "{1} = {0}[{k}] ?? {v};",
    "{2} = {0}[{k}][{l}] ?? {v};",
    "{2} = isset({0}[{k}][{l}]) ? {0}[{k}][{l}] + 1 : {v};",
    "foreach ({0} as $row) {{ {2} = $row; foreach ((array) $row as $x) {{ {2} = $x; }} }}",
    "foreach ({0} as $k => $row) {{ {0}[$k][] = {v}; }}",
    "{0} = array_merge((array) {0}, (array) {1});",
    "{0} = array_fill(0, 2, array_fill(0, 2, {v}));",
    "{0} = array_reverse((array) {0}); {1} = array_values((array) {0});",
    "{0} = (array) {0}; sort({0});",
    "{0} = (array) {0}; array_push({0}, {1}, [{v}]);",
    "{0} = (array) {0}; {1} = array_pop({0});",
    "{0} = [{1}, ...[{v}]];",
    "{0} = [...(array) {0}, [{v}]];",
    "{0} = (array) {0} + [[{v}]];",
    "[[{2}]] = {0};",
    "{0} = [[&{2}, {v}]]; {0}[0][0] = {w};",
    "{1} = &{0}[{k}]; {1}[{l}] = {v};",
    "{0} = [&{1}]; {0}[0][{k}] = {v}; {2} = {1}[{k}] ?? 1;",
    "{0} = (array) {0}; foreach ({0} as &$row) {{ $row = [{v}]; }} unset($row);",
    "{0}[{k}][{l}][] = {v};",
    "{0}[{k}] = {0};",
    "{2} = count({0}) + ({0} === {1} ? 1 : 0);",
]
"""Statements about arrays in arrays, which are in variables ``{0}`` and ``{1}``; ``{2}`` gets what is in these."""

_WRITERS = [
    "sort({0});",
    "rsort({0});",
    "asort({0});",
    "ksort({0});",
    "array_push({0}, {1}, {2});",
    "array_unshift({0}, {1});",
    "$c = array_pop({0});",
    "$d = array_shift({0});",
    "array_splice({0}, 0, 1, [{1}]);",
    "$c = end({0}); $d = reset({0});",
    '$a = str_replace("a", "b", "banana", {0});',
]


class ReferenceProgramMaker(ProgramMaker):
    """Makes one program out of a source of randomness."""

    def make(self) -> str:
        """The program's source."""
        random = self._random
        self._level = random.choice([0, 0, 1, 1, 2, 3, 3])
        self._values = random.sample(_INITIAL[:-1] if self._level == 0 else _INITIAL, random.randint(1, 3))
        self._writers, self._readers = random.randint(1, 2), random.randint(1, 3)
        functions = [self._by_reference(number) for number in range(self._writers)]
        functions += [self._reader(number) for number in range(self._readers)]
        text = ["<?php", *functions]
        for name in _GLOBALS:
            if random.random() < 0.6:
                text.append(f"{name} = {self._pick(self._values)};")
        self._variables = ["$a", "$b", *_GLOBALS]
        for number in range(random.randint(2, 5)):
            self._lines, self._depth = [], 1
            self._emit("$fuel = 6;")
            for _ in range(random.randint(0, 2)):
                self._statement()
            text += ["try {", *self._lines, f'    echo gettype({self._call()}), "\\n";']
            text.append('} catch (Error $e) { echo get_class($e), "\\n"; }')
            if number == 1 and random.random() < 0.5:
                text += [f"{name} = {self._pick(self._values)};" for name in _GLOBALS]
        text.append('echo gettype($g ?? 1), gettype($h ?? 1), "\\n";')
        return "\n".join(text) + "\n"

    def _list(self) -> str:
        return self._pick([_LISTS[:2], _LISTS, _TABLES][self._level - 1]) if self._level else self._pick(self._values)

    def _begin(self) -> None:
        """Declare what a function shares with others."""
        random = self._random
        self._lines, self._depth = ["    $fuel = 6;"], 1
        self._variables = ["$a", "$b", "$c", "$d"]
        for name in _GLOBALS:
            if random.random() < 0.5:
                self._emit(f"global {name};")
                self._variables.append(name)
        for name in _STATICS:
            if random.random() < 0.4:
                self._emit(
                    f"static {name} = {self._pick(self._values)};" if random.random() < 0.8 else f"static {name};"
                )
                self._variables.append(name)

    def _by_reference(self, number: int) -> str:
        """A function that writes its parameters."""
        declared = self._pick(["", "", "int ", "?array ", "int|string "])
        default = self._pick(["", " = 5", " = null"]) if not declared else ""
        optional = " = 1" if default else ""
        self._begin()
        for _ in range(self._random.randint(1, 4)):
            self._statement()
        head = f"function r{number}({declared}&$a{default}, &$b{optional}) {{"
        return "\n".join([head, *self._lines, f"    return {self._pick(self._variables)};", "}"])

    def _reader(self, number: int) -> str:
        """A function with parameters by value."""
        self._begin()
        for name in ("$c", "$d"):
            self._emit(f"{name} = {self._pick([*self._values, self._list()])};")
        for _ in range(self._random.randint(2, 6)):
            self._statement()
        result = self._pick(self._variables)
        return "\n".join([f"function v{number}($a, $b) {{", *self._lines, f"    return {result};", "}"])

    def _value_of(self, declared: str) -> str:
        return super()._value_of(declared) if self._level == 2 else self._pick(self._values)

    def _call(self) -> str:
        kind = self._random.random()
        if kind < 0.45:
            first, second = self._place(), self._place()
            callee = self._random.randrange(self._writers)
            return f"r{callee}({first}, {second})" if kind < 0.4 else f"r0({first})"
        if kind < 0.7:
            return f"v{self._random.randrange(self._readers)}({self._operand()}, {self._operand()})"
        return super()._call()

    def _place(self) -> str:
        """Something that can be passed by reference."""
        variable = self._pick(self._variables)
        return variable if self._random.random() < (1, 0.9, 0.8, 1)[self._level] else f"{variable}[{self._pick(_KEYS)}]"

    def _nested(self, target: str) -> str:
        values = {"v": self._operand(), "w": self._operand(), "k": self._pick(_KEYS[:4]), "l": self._pick(_KEYS[:4])}
        return self._pick(_NESTED).format(
            target, self._pick(self._variables), self._pick(self._variables), t=self._pick(_TABLES), **values
        )

    def _statement(self) -> None:
        random, target = self._random, self._pick(self._variables)
        kind = random.random() * (0.58, 0.76, 1, 1)[self._level]
        if self._level == 3 and kind < 0.85:
            self._emit(self._nested(target))
        elif kind < 0.3 and self._level == 0:
            assigned = self._pick(
                [self._operand(), f"{self._operand()} {self._pick(['+', '-', '*', '&'])} {self._operand()}"]
            )
            self._emit(f"{target} = {assigned};")
        elif kind < 0.4:
            super()._statement()
        elif kind < 0.5:
            self._emit(f"{self._call()};")
        elif kind < 0.58:
            self._emit(f"{target} = &{self._pick(self._variables)};")
        elif kind < 0.64:
            array, key = self._pick(self._variables), self._pick(_KEYS)
            pair = f"{target} = &{array}[{key}];" if random.random() < 0.5 else f"{array}[{key}] = &{target};"
            cast = "" if self._level == 1 else f"{array} = (array) {array}; "
            self._emit(cast + pair)
        elif kind < 0.7:
            self._emit(f"{target} = {self._list()};")
            self._block(f"foreach ({target} as $k => &{self._pick(['$c', '$d', '$e'])})", size=1)
        elif kind < 0.76:
            writer = self._pick(_WRITERS).format(target, self._operand(), self._operand())
            self._emit(f"{target} = {self._list()}; {writer}")
        elif kind < 0.79:
            self._emit(f"{target} = [&{self._pick(self._variables)}, {self._operand()}];")
        elif kind < 0.86:
            keys = f"[{self._pick(_KEYS)}][{self._pick(_KEYS)}]"
            self._emit(f"{target} = {self._list()}; {target}{keys} {self._pick(['=', '+='])} {self._operand()};")
        elif kind < 0.93:
            array = self._pick(self._variables)
            self._emit(f"{target} = {array}[{self._pick(_KEYS)}][{self._pick(_KEYS)}] ?? {self._operand()};")
        elif kind < 0.97:
            self._emit(f"{target} = {self._pick(self._variables)};")
        else:
            self._emit(f"unset({target});")


def random_reference_program(seed: int) -> str:
    """The program that ``seed`` names."""
    return ReferenceProgramMaker(Random(seed)).make()
