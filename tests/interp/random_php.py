"""Random PHP programs: scalars, strings, arrays, control flow, calls, exceptions, references. Every program ends.

Loops run a handful of times, strings grow by literals only, functions call only functions written before them.
"""

from __future__ import annotations

import random

INTS = ["0", "1", "-1", "2", "3", "7", "63", "64", "255", "PHP_INT_MAX", "PHP_INT_MIN", "4294967296", "-8"]
FLOATS = ["0.0", "-0.0", "0.5", "1.5", "-2.5", "1e3", "1e18", "9.2233720368547758E18", "1e300", "NAN", "INF"]
STRINGS = ["''", "'0'", "'a'", "'abc'", "'12'", "'1.5'", "'3x'", "' 7'", "'1e2'", "'zz'"]
OTHERS = ["null", "true", "false"]
ARITHMETIC = ["+", "-", "*", "/", "%", "**"]
BITWISE = ["|", "&", "^", "<<", ">>"]
COMPARE = ["==", "!=", "===", "!==", "<", "<=", ">", ">=", "<=>"]
COMPOUND = ["+=", "-=", "*=", "/=", "%=", "|=", "&=", "^=", "<<=", ">>=", "**=", "??="]
BUILTINS = [
    "strlen",
    "is_int",
    "is_string",
    "gettype",
    "abs",
    "intval",
    "floatval",
    "boolval",
    "strrev",
    "ord",
    "is_numeric",
]
TYPES = ["", "", "", "int ", "?int ", "float ", "string ", "int|float ", "mixed ", "bool "]
REPORT = "echo get_class($e), ' ', $e->getMessage(), ' ', $e->getLine(), \"\\n\";"
ERRORS = ["Exception", "RuntimeException", "TypeError", "LogicException"]


class Generator:
    """Writes one program."""

    def __init__(self, seed: int, arrays: bool = True, exceptions: bool = True, references: bool = True) -> None:
        self.random = random.Random(seed)
        self.arrays = arrays
        self.exceptions = exceptions
        self.references = references
        self.functions: list[tuple[str, int]] = []
        self.variables: list[str] = []
        self.loop_depth = 0
        self.in_switch = False
        self.fresh = 0

    def chance(self, probability: float) -> bool:
        """Whether a thing with this probability happens."""
        return self.random.random() < probability

    def pick(self, options: list[str]) -> str:
        """One of the options."""
        return self.random.choice(options)

    def variable(self) -> str:
        """A variable, now and then one that nothing assigned."""
        return self.pick(self.variables)

    def literal(self) -> str:
        """A literal."""
        return self.pick(self.pick_list([INTS, INTS, FLOATS, STRINGS, OTHERS]))

    def pick_list(self, lists: list[list[str]]) -> list[str]:
        """One of the lists."""
        return self.random.choice(lists)

    def expression(self, depth: int) -> str:
        """An expression."""
        if depth <= 0 or self.chance(0.15):
            return self.variable() if self.chance(0.6) else self.literal()
        left = self.expression(depth - 1)
        right = self.expression(depth - 1)
        kind = self.random.randrange(19 if self.arrays else 16)
        if kind <= 3:
            return f"({left} {self.pick(ARITHMETIC)} {right})"
        if kind == 4:
            return f"({left} {self.pick(BITWISE)} {right})"
        if kind <= 6:
            return f"({left} {self.pick(COMPARE)} {right})"
        if kind == 7:
            return f"({left} {self.pick(['&&', '||', 'xor'])} {right})"
        if kind == 8:
            return f"({left} ? {right} : {self.expression(depth - 1)})"
        if kind == 9:
            return self.pick([f"({left} ?: {right})", f"({self.variable()} ?? {right})"])
        if kind == 10:
            return f"{self.pick(['-', '!', '~', '(int) ', '(float) ', '(string) ', '(bool) '])}({left})"
        if kind == 11:
            return f"({self.variable()} {self.pick(['=', *COMPOUND])} {right})"
        if kind == 12:
            name = self.variable()
            return self.pick([f"{name}++", f"{name}--", f"++{name}", f"--{name}"])
        if kind == 13:
            return f"{self.pick(BUILTINS)}({left})"
        if kind == 14:
            return self.pick([f"isset({self.variable()})", f"empty({self.variable()})", f'"<{self.variable()}>"'])
        if kind == 15:
            return self.call(depth) if self.functions else left
        if kind == 16:
            return f"[{left}, {right}, 'k' => {self.literal()}]"
        name = self.variable()
        key = self.pick(["0", "1", "'k'", "'0'", left])
        return self.pick([f"({name}[{key}] ?? {right})", f"@{name}[{key}]", f"isset({name}[{key}])"])

    def call(self, depth: int) -> str:
        """A call of a function written before."""
        name, count = self.random.choice(self.functions)
        return f"{name}({', '.join(self.expression(depth - 2) for _ in range(count))})"

    def block(self, depth: int, length: int) -> str:
        """Some statements."""
        return "\n".join(self.statement(depth) for _ in range(self.random.randint(1, length)))

    def statement(self, depth: int) -> str:
        """A statement."""
        kind = self.random.randrange(24)
        if kind <= 6 or depth <= 0:
            name = self.variable()
            operator = self.pick(["=", "=", "=", *COMPOUND])
            return f"{name} {operator} {self.expression(2)};"
        if kind == 7:
            return f"{self.variable()} .= {self.pick(STRINGS)};"
        if kind == 8:
            return f"echo {self.expression(2)}, ';';"
        if kind <= 11:
            other = f" else {{ {self.block(depth - 1, 2)} }}" if self.chance(0.5) else ""
            return f"if ({self.expression(2)}) {{ {self.block(depth - 1, 3)} }}{other}"
        if kind <= 13:
            return self.loop(depth)
        if kind == 14:
            return self.switch(depth)
        if kind == 15:
            if self.loop_depth:
                jump = "break" if self.in_switch else self.pick(["break", "continue"])
                return f"if ({self.expression(1)}) {{ {jump}; }}"
            return f"if ({self.expression(1)}) {{ return {self.expression(1)}; }}"
        if kind == 16:
            return f"unset({self.variable()});"
        if kind == 17:
            subject, first, second = (self.expression(1) for _ in range(3))
            arms = f"{self.literal()} => {first}, {self.literal()}, {self.literal()} => {second}"
            return f"{self.variable()} = match ({subject}) {{ {arms}, default => {self.literal()} }};"
        if kind == 18 and self.exceptions:
            return self.attempt(depth)
        if kind == 19 and self.references:
            return self.pick(
                [f"{self.variable()} = &{self.variable()};", f"static {self.pick(['$s1', '$s2'])} = {self.pick(INTS)};"]
            )
        if kind <= 22 and self.arrays:
            return self.array_statement(depth)
        return f"{self.expression(3)};"

    def loop(self, depth: int) -> str:
        """A loop that ends: its counter is its own."""
        self.fresh += 1
        counter = f"$i{self.fresh}"
        self.loop_depth += 1
        outer, self.in_switch = self.in_switch, False
        body = self.block(depth - 1, 3)
        self.in_switch = outer
        self.loop_depth -= 1
        count = self.random.randint(1, 4)
        kind = self.random.randrange(4)
        if kind == 0:
            return f"for ({counter} = 0; {counter} < {count}; {counter}++) {{ {body} }}"
        if kind == 1:
            return f"{counter} = {count}; while ({counter}-- > 0) {{ {body} }}"
        if kind == 2:
            return f"{counter} = 0; do {{ {counter}++; {body} }} while ({counter} < {count});"
        if not self.arrays:
            return f"for ({counter} = {count}; {counter}; --{counter}) {{ {body} }}"
        source = self.pick([self.variable(), f"[{self.literal()}, {self.literal()}, 'z' => {self.literal()}]"])
        target = self.pick(
            [f"$v{self.fresh}", f"$k{self.fresh} => $v{self.fresh}", f"$k{self.fresh} => {self.variable()}"]
        )
        return f"foreach ((array) {source} as {target}) {{ {body} }}"

    def switch(self, depth: int) -> str:
        """A switch, with and without fallthrough."""
        labels = self.random.sample(self.pick_list([INTS[:9], STRINGS[:8], INTS[:5] + STRINGS[:4] + OTHERS]), 4)
        self.loop_depth += 1
        outer, self.in_switch = self.in_switch, True
        arms = " ".join(f"case {label}: {self.statement(depth - 1)} {self.pick(['break;', ''])}" for label in labels)
        default = f"default: {self.statement(depth - 1)}"
        self.in_switch = outer
        self.loop_depth -= 1
        return f"switch ({self.expression(1)}) {{ {arms} {default} }}"

    def attempt(self, depth: int) -> str:
        """A try statement."""
        outer, self.loop_depth = self.loop_depth, 0
        body = self.block(depth - 1, 2)
        thrown = f"if ({self.expression(1)}) {{ throw new {self.pick(ERRORS)}({self.pick(STRINGS)}); }}"
        handler = f"catch ({self.pick([*ERRORS, 'Error'])} $e) {{ echo get_class($e); {self.statement(depth - 1)} }}"
        ending = f" finally {{ echo 'F'; {self.statement(0)} }}" if self.chance(0.5) else ""
        self.loop_depth = outer
        return f"try {{ {body} {thrown} }} {handler}{ending}"

    def array_statement(self, depth: int) -> str:
        """Writing to an array."""
        name = self.pick(["$a1", "$a2"])
        key = self.pick(["0", "1", "'k'", "'x'", self.variable(), ""])
        value = self.expression(1)
        operator = self.pick(["+=", ".=", "??="]) if key else "="
        return self.pick(
            [
                f"{name}[{key}] = {value};",
                f"{name}[{key or 2}] {operator} {value};",
                f"unset({name}[{key or 0}]);",
                f"[{self.variable()}, {self.variable()}] = [{value}, {self.variable()}];",
                f"{self.variable()} = {name};",
                f"{name} = [{value}];",
                f"{name}['n'][{key or 0}] = {value};",
            ]
        )

    def function(self, number: int) -> str:
        """A function and its calls."""
        count = self.random.randint(1, 3)
        self.variables = [f"$p{position}" for position in range(count)] + ["$x", "$y", "$z"]
        if self.arrays:
            self.variables += ["$a1"]
        self.loop_depth = 0
        types = [self.pick(TYPES) for _ in range(count)]
        parameters = ", ".join(f"{kind}$p{position}" for position, kind in enumerate(types))
        body = self.block(3, 6)
        text = (
            f"function f{number}({parameters}) {{\n$x = {self.literal()};\n{body}\nreturn {self.expression(2)};\n}}\n"
        )
        self.functions.append((f"f{number}", count))
        return text

    def program(self, count: int) -> str:
        """Functions, each called with several arguments."""
        text = []
        for number in range(count):
            text.append(self.function(number))
            for _ in range(4 if self.exceptions else 2):
                arguments = ", ".join(self.literal() for _ in range(self.functions[-1][1]))
                call = f"f{number}({arguments})"
                shown = f"echo 'f{number}: '; "
                if self.exceptions:
                    shown += f"try {{ var_dump({call}); }} catch (Throwable $e) {{ {REPORT} }}\n"
                else:
                    shown += f"var_dump({call});\n"
                text.append(shown)
        return "".join(text)
