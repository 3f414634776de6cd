"""Random PHP functions, dense in what SSA construction finds hard: nested loops, breaks and continues of several
levels, gotos (irreducible loops included), switches with fallthrough, comparisons of variables, constants and sums,
``++`` and ``--`` in conditions, type tests, references.

``random_program(seed)`` gives a whole file. With ``runnable`` every program ends: each loop and each backward goto
burns fuel, only variables that hold integers are calculated with, and each function prints what it ends with, so that
two ways to run the program can be compared. Otherwise functions are only meant to be compiled, and use more of PHP.
The same seed gives the same program.
"""

from __future__ import annotations

import random
from collections.abc import Callable

INTS = ["$a", "$b", "$c", "$d", "$i", "$j", "$n"]
NUMBERS = [0, 1, -1, 2, 3, 5, 7, 10, 64, 100, -8, 255, 1000]
EDGE_NUMBERS = ["PHP_INT_MAX", "PHP_INT_MIN", "-PHP_INT_MAX", "9223372036854775806"]
COMPARISONS = ["<", "<=", ">", ">=", "==", "!=", "===", "!==", "<=>"]
TYPE_TESTS = ["is_int", "is_null", "is_string", "is_array", "is_bool", "is_float", "is_object", "is_resource"]


class FunctionWriter:
    """Writes one function."""

    def __init__(self, rng: random.Random, name: str, runnable: bool, size: int, exceptions: bool = False) -> None:
        self.rng = rng
        self.name = name
        self.runnable = runnable
        self.exceptions = exceptions
        self.budget = size
        self.loops: list[str] = []
        self.labels: list[str] = []
        self.lines: list[str] = []
        self.indent = 1

    def write(self) -> str:
        labels = [f"L{number}" for number in range(self.rng.choice([0, 0, 1, 2, 3]))]
        self.labels = labels
        params = (
            "int $n, int $a = 3" if self.runnable else self.rng.choice(["$n", "$n, $a = null", "int $n, ?int $a", ""])
        )
        head = f"function {self.name}({params}) {{"
        if self.runnable:
            self.emit("$fuel = 60;")
            self.emit("$b = $n + 1; $c = 2; $d = 7; $i = 0; $j = 5; $x = [3, 1, 2]; $s = '';")
        elif self.rng.random() < 0.7:
            self.emit("$i = 0; $b = 10;")
        per_part = max(2, self.budget // (len(labels) + 1))
        # Gotos may only lead to labels at the outermost level, from anywhere inside.
        for part in [*labels, ""]:
            self.statements(per_part)
            if part:
                self.lines.append(f"{part}:")
        self.statements(3)
        if self.runnable:
            self.emit("echo $a, ',', $b, ',', $c, ',', $d, ',', $i, ',', $j, ',', count($x), ',', $s, \"\\n\";")
            self.emit("return $a ^ $b;")
        elif self.rng.random() < 0.7:
            self.emit(f"return {self.expression()};")
        return "\n".join([head, *self.lines, "}"])

    def emit(self, line: str) -> None:
        self.lines.append("    " * self.indent + line)

    def statements(self, count: int) -> None:
        for _ in range(count):
            if self.budget > 0:
                self.budget -= 1
                self.statement()

    def statement(self) -> None:
        rng = self.rng
        shallow = self.indent < 6
        kinds: list[tuple[int, Callable[[], None]]] = [(8, self.assignment), (3, self.incdec), (1, self.output)]
        if shallow:
            kinds += [(5, self.if_), (2, self.while_), (2, self.do_while), (2, self.for_), (1, self.foreach)]
            kinds += [(2, self.switch), (1, self.match)]
        if self.exceptions and shallow:
            kinds += [(4, self.try_), (2, self.throw)]
        if self.loops:
            kinds.append((3, self.leave))
        if self.labels:
            kinds.append((2, self.goto))
        kinds.append((1, self.array_write))
        if not self.runnable:
            kinds += [(1, self.odd), (1, self.return_)]
        total = sum(weight for weight, _ in kinds)
        pick = rng.randrange(total)
        for weight, kind in kinds:
            pick -= weight
            if pick < 0:
                kind()
                return

    def block(self, header: str, count: int, footer: str = "}", fuel: bool = False) -> None:
        self.emit(header)
        self.indent += 1
        if fuel and self.runnable:
            self.emit("if (--$fuel < 0) { break; }")
        self.statements(count)
        self.indent -= 1
        self.emit(footer)

    # Statements

    def assignment(self) -> None:
        target = self.variable()
        if self.rng.random() < 0.35:
            operator = self.rng.choice(["+=", "-=", "&=", "|=", "^="] + ([] if self.runnable else ["*=", ".=", "??="]))
            self.emit(f"{target} {operator} {self.simple()};")
        else:
            self.emit(f"{target} = {self.expression()};")

    def incdec(self) -> None:
        self.emit(self.rng.choice(["{}++;", "++{};", "{}--;", "--{};"]).format(self.variable()))

    def output(self) -> None:
        if self.runnable:
            self.emit(f"$s .= {self.simple()};")
        else:
            self.emit(f"echo {self.expression()};")

    def try_(self) -> None:
        catches = self.rng.choice([0, 1, 1, 2])
        self.block("try {", self.rng.choice([1, 2, 3, 4]))
        for class_name in self.rng.sample(["RuntimeException", "LogicException", "Exception", "Error"], catches):
            self.emit(f"catch ({class_name} $e) {{")
            self.indent += 1
            self.emit("$s .= 'C' . $e->getMessage();")
            self.statements(self.rng.choice([0, 1, 2]))
            self.indent -= 1
            self.emit("}")
        if catches == 0 or self.rng.random() < 0.4:
            self.emit("finally {")
            self.indent += 1
            self.emit("$s .= 'F';")
            # PHP forbids jumps out of a finally block.
            loops, labels, self.loops, self.labels = self.loops, self.labels, [], []
            self.statements(self.rng.choice([0, 1, 2]))
            self.loops, self.labels = loops, labels
            self.indent -= 1
            self.emit("}")

    def throw(self) -> None:
        class_name = self.rng.choice(["RuntimeException", "LogicException", "DomainException", "Error"])
        choice = self.rng.random()
        if choice < 0.5:
            self.emit(f"if ({self.condition()}) {{ throw new {class_name}('{self.rng.randrange(9)}'); }}")
        elif choice < 0.8:
            self.emit(f"{self.variable()} = thrower({self.simple()});")
        elif self.rng.random() < 0.3:
            self.emit(f"return {self.simple()};")
        else:
            self.emit(f"{self.variable()} = {self.variable()} % ({self.variable()} & 3);")

    def array_write(self) -> None:
        if self.runnable:
            self.emit(self.rng.choice([f"$x[] = {self.simple()};", f"$x[{self.variable()} & 7] = {self.simple()};"]))
        else:
            array = self.rng.choice(["$x", "$a"])
            forms = ["{0}[] = {1};", "{0}[{1}] = {1};", "{0}['k'] += {1};", "unset({0}[{1}]);", "{0}[1][2] = {1};"]
            self.emit(self.rng.choice(forms).format(array, self.simple()))

    def if_(self) -> None:
        self.block(f"if ({self.condition()}) {{", self.rng.choice([0, 1, 1, 2, 3]))
        while self.rng.random() < 0.2:
            self.lines[-1] += f" elseif ({self.condition()}) {{"
            self.indent += 1
            self.statements(self.rng.choice([1, 2]))
            self.indent -= 1
            self.emit("}")
        if self.rng.random() < 0.4:
            self.lines[-1] += " else {"
            self.indent += 1
            self.statements(self.rng.choice([0, 1, 2]))
            self.indent -= 1
            self.emit("}")

    def looped(self, header: str, footer: str = "}") -> None:
        self.loops.append("loop")
        self.block(header, self.rng.choice([0, 1, 2, 2, 3, 4]), footer, fuel=True)
        self.loops.pop()

    def while_(self) -> None:
        self.looped(f"while ({self.condition()}) {{")

    def do_while(self) -> None:
        self.looped("do {", f"}} while ({self.condition()});")

    def for_(self) -> None:
        variable = self.rng.choice(["$i", "$j"])
        step = self.rng.choice([f"{variable}++", f"++{variable}", f"{variable} += 2", f"{variable}--"])
        self.looped(f"for ({variable} = {self.simple()}; {self.condition()}; {step}) {{")

    def foreach(self) -> None:
        key = self.rng.choice(["", "$i => "])
        by_reference = "" if self.runnable or self.rng.random() < 0.8 else "&"
        self.looped(f"foreach ($x as {key}{by_reference}{self.rng.choice(['$v', '$d', '$c'])}) {{")
        if self.runnable:
            self.emit("$v = 0;")

    def switch(self) -> None:
        strings = self.rng.random() < 0.2 and not self.runnable
        cases = self.rng.sample(range(-3, 12), self.rng.choice([1, 2, 3, 6, 7]))
        self.emit(f"switch ({self.variable() if self.rng.random() < 0.7 else self.expression()}) {{")
        self.loops.append("switch")
        self.indent += 1
        default_at = self.rng.choice([-1, 0, len(cases)])
        for index, case in enumerate([*cases, None]):
            if index == default_at:
                self.emit("default:")
                self.statements(1)
            if case is not None:
                self.emit(f"case {repr(f'k{case}') if strings else case}:")
                self.statements(self.rng.choice([0, 1, 1, 2]))
                if self.rng.random() < 0.6:
                    self.emit("break;")
        self.indent -= 1
        self.loops.pop()
        self.emit("}")

    def match(self) -> None:
        arms = ", ".join(
            f"{', '.join(map(str, keys))} => {self.simple()}"
            for keys in ([0, 1], [2], [5, 7, 9], [3], [4])[: self.rng.choice([1, 3, 5])]
        )
        default = "default => 11" if self.runnable or self.rng.random() < 0.7 else ""
        self.emit(f"{self.variable()} = match ({self.variable()}) {{ {arms}, {default} }};")

    def leave(self) -> None:
        depth = self.rng.randint(1, len(self.loops))
        word = self.rng.choice(["break", "continue"])
        # PHP warns when "continue" means a switch.
        if word == "continue" and self.loops[-depth] == "switch":
            word = "break"
        jump = f"{word} {depth};" if depth > 1 else f"{word};"
        self.emit(f"if ({self.condition()}) {{ {jump} }}" if self.rng.random() < 0.85 else jump)

    def goto(self) -> None:
        fuel = "--$fuel > 0 && " if self.runnable else ""
        self.emit(f"if ({fuel}{self.condition()}) {{ goto {self.rng.choice(self.labels)}; }}")

    def return_(self) -> None:
        self.emit(f"if ({self.condition()}) {{ return {self.simple()}; }}")

    def odd(self) -> None:
        """Things that define variables in unusual ways."""
        one, two = self.rng.sample(INTS, 2)
        self.emit(
            self.rng.choice(
                [
                    f"{one} = &{two};",
                    "global $g; $g = $b;",
                    "static $st = 1; $st++;",
                    f"[{one}, {two}] = [{two}, {one}];",
                    f"['k' => {one}] = $x;",
                    f"unset({one});",
                    f"sort($x); {one} = count($x);",
                    f"foo({one}, {two});",
                    f"$x = [{one}, 'k' => &{two}, ...$x];",
                    f"$f = function () use ({one}, &{two}) {{ return {one}; }};",
                    f"{one} = $o?->p?->q({two});",
                    "$o->p = $a; $o->q->r[] = $b; $o->n++;",
                    f"{one} = isset($x[{two}], $o->p) || empty({two});",
                    f"{one} = $x[{two}] ?? $o->p ?? {two};",
                    f"{one} = {two} ?: 5;",
                    f"{one} = ({two} && {one}) || !{two};",
                    f'{one} = "a{{{two}}}b$c";',
                    f"$x[0] += $x; {one}[0] .= {one};",
                    f"@$x[{one}]++;",
                ]
            )
        )

    # Expressions

    def variable(self) -> str:
        return self.rng.choice(INTS)

    def number(self) -> str:
        if not self.runnable and self.rng.random() < 0.12:
            return self.rng.choice(EDGE_NUMBERS)
        return str(self.rng.choice(NUMBERS))

    def simple(self) -> str:
        return self.variable() if self.rng.random() < 0.5 else self.number()

    def expression(self) -> str:
        choice = self.rng.random()
        if choice < 0.3:
            return self.simple()
        if choice < 0.8:
            operator = self.rng.choice(
                ["+", "-", "+", "-", "&", "|", "^"] + ([] if self.runnable else ["*", ".", "<<"])
            )
            return f"{self.variable()} {operator} {self.simple()}"
        if choice < 0.9:
            return f"({self.condition()}) ? {self.simple()} : {self.variable()}"
        return self.rng.choice(["{}++", "++{}", "{}--", "--{}"]).format(self.variable())

    def condition(self) -> str:
        choice = self.rng.random()
        if choice < 0.4:
            return self.comparison(self.operand(), self.operand())
        if choice < 0.55:
            return self.rng.choice(["{}++", "++{}", "{}--", "--{}"]).format(self.variable())
        if choice < 0.65:
            return f"{self.rng.choice(['!', ''])}{self.variable()}"
        if choice < 0.72:
            return f"{self.condition()} {self.rng.choice(['&&', '||'])} {self.condition()}"
        if self.runnable or choice < 0.78:
            return self.comparison(self.variable(), self.number())
        if choice < 0.9:
            return f"{self.rng.choice(['!', ''])}{self.rng.choice(TYPE_TESTS)}({self.variable()})"
        if choice < 0.95:
            literal = self.rng.choice(["null", "true", "false"])
            sides = [self.variable(), literal]
            self.rng.shuffle(sides)
            return f"{sides[0]} {self.rng.choice(['===', '!=='])} {sides[1]}"
        class_name = self.rng.choice(["Exception", "ArrayAccess", "Unknown", "\\Countable"])
        return f"{self.variable()} instanceof {class_name}"

    def operand(self) -> str:
        return self.rng.choice(
            [
                self.variable(),
                self.variable(),
                self.number(),
                f"{self.variable()} + {self.number()}",
                f"{self.number()} + {self.variable()}",
                f"{self.variable()} - {self.number()}",
                f"{self.variable()}++",
                f"{self.variable()}--",
                f"--{self.variable()}",
            ]
        )

    def comparison(self, left: str, right: str) -> str:
        operator = self.rng.choice(COMPARISONS)
        return f"({left} {operator} {right}) > 0" if operator == "<=>" else f"{left} {operator} {right}"


THROWER = """function thrower($n) {
    if ($n % 3 == 0) { throw new RuntimeException("t$n"); }
    if ($n % 5 == 0) { throw new Error("u$n"); }
    return $n + 1;
}"""


def random_program(
    seed: int, functions: int = 1, runnable: bool = False, size: int = 25, exceptions: bool = False
) -> str:
    """Return a PHP file with so many functions of about ``size`` statements each (and calls of them if runnable).
    ``exceptions``: with try, catch, finally and throw; for runnable programs."""
    rng = random.Random(seed)
    parts = ["<?php"]
    parts += [FunctionWriter(rng, f"f{number}", runnable, size, exceptions).write() for number in range(functions)]
    if exceptions:
        parts.append(THROWER)
        calls = [f'echo f{number}({rng.choice(NUMBERS)}), "\\n";' for number in range(functions)]
        parts += [
            f'try {{ {call} }} catch (Throwable $e) {{ echo get_class($e), $e->getMessage(), "\\n"; }}'
            for call in calls
        ]
    elif runnable:
        parts += [f'echo f{number}({rng.choice(NUMBERS)}), "\\n";' for number in range(functions)]
    return "\n".join(parts) + "\n"
