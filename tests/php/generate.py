"""Random PHP: expressions and statement lists, seeded, for comparison with PHP's own compiler.

Expressions are token soup with grammar: operators are joined without parentheses, so that about one in ten is what
PHP rejects (non-associative comparisons, nested ternaries, assignments to temporaries).  Statement lists hold every
construct of the language that the front end covers.
"""

from __future__ import annotations

import random

BINARY = [
    "+",
    "-",
    "*",
    "/",
    "%",
    "**",
    ".",
    "<<",
    ">>",
    "&",
    "|",
    "^",
    "&&",
    "||",
    "and",
    "or",
    "xor",
    "==",
    "!=",
    "===",
    "!==",
    "<>",
    "<=>",
    "<",
    "<=",
    ">",
    ">=",
    "??",
    "instanceof",
]
PREFIX = ["!", "-", "+", "~", "@", "(int)", "(float)", "(string)", "(bool)", "(array)", "print ", "clone ", "new A ?: "]
ASSIGN = ["=", "+=", "-=", "*=", "/=", ".=", "%=", "**=", "??=", "&=", "|=", "^=", "<<=", ">>="]
VARIABLES = ["$a", "$b", "$c", "$d"]
LITERALS = [
    "0", "1", "2", "7", "-1", "9223372036854775807", "9223372036854775808", "0x1F", "0b101", "017", "1_000", "1.5",
    ".5", "1e3", "0.0", "'a'", "'12'", "'1.5'", "' 3'", "'3x'", "''", '"q\\n"', "true", "false", "null", "NULL",
    "PHP_INT_MAX", "M_PI", "PHP_EOL", "FOO", "__LINE__", "__FUNCTION__", "[]", "[1, 2]", "['k' => 1, 3]", "E_ALL",
    "PHP_VERSION", "NAN", "INF",
]  # fmt: skip
FUNCTIONS = [
    "strlen", "is_int", "is_null", "intval", "strval", "count", "ord", "chr", "f", "g", "h", "abs", "max", "gettype",
    "sort", "in_array", "array_key_exists", "func_get_args", "func_num_args", "is_scalar", "boolval", "floatval",
    "preg_match", "call_user_func", "defined",
]  # fmt: skip


class Generator:
    """One stream of random programs."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.labels = 0
        self.loops = 0

    def pick(self, items: list[str]) -> str:
        return self.random.choice(items)

    # -- expressions --------------------------------------------------------------------------------------------------

    def expression(self, depth: int = 4) -> str:
        r = self.random.random()
        if depth <= 0 or r < 0.12:
            return self.atom()
        if r < 0.46:
            operator = self.pick(BINARY)
            if operator == "instanceof":
                return f"{self.expression(depth - 1)} instanceof {self.pick(['A', 'self2', '$a', 'B'])}"
            return f"{self.expression(depth - 1)} {operator} {self.expression(depth - 1)}"
        if r < 0.58:
            return f"{self.pick(PREFIX)}{self.expression(depth - 1)}"
        if r < 0.66:
            return f"{self.place(depth)} {self.pick(ASSIGN)} {self.expression(depth - 1)}"
        if r < 0.72:
            return self.ternary(depth)
        if r < 0.80:
            return f"({self.expression(depth - 1)})"
        if r < 0.85:
            operator = self.pick(["++", "--"])
            return f"{operator}{self.place(1)}" if self.random.random() < 0.5 else f"{self.place(1)}{operator}"
        return self.compound(depth)

    def ternary(self, depth: int) -> str:
        condition, other = self.expression(depth - 2), self.expression(depth - 2)
        if self.random.random() < 0.3:
            return f"{condition} ?: {other}"
        return f"{condition} ? {self.expression(depth - 2)} : {other}"

    def atom(self) -> str:
        return self.pick(VARIABLES) if self.random.random() < 0.55 else self.pick(LITERALS)

    def place(self, depth: int) -> str:
        r = self.random.random()
        if depth <= 0 or r < 0.6:
            return self.pick(VARIABLES)
        if r < 0.8:
            return f"{self.place(depth - 1)}[{self.expression(depth - 2)}]"
        if r < 0.85:
            return f"{self.place(depth - 1)}[]"
        if r < 0.93:
            return f"{self.place(depth - 1)}->p"
        return self.pick(["$$a", "$GLOBALS['x']", "A::$s", "$this->q", "${'v' . $a}"])

    def compound(self, depth: int) -> str:
        """The constructs with their own syntax."""
        inner = [self.expression(depth - 1) for _ in range(3)]
        place = self.place(depth - 1)
        choice = self.random.randrange(18)
        if choice < 6:
            name = self.pick(FUNCTIONS)
            count = self.random.randrange(4)
            arguments = [self.random.choice([place, *inner]) for _ in range(count)]
            return f"{name}({', '.join(arguments)})"
        return [
            f"isset({place})",
            f"empty({self.random.choice([place, inner[0]])})",
            f'"x{self.pick(VARIABLES)} y{{{self.pick(VARIABLES)}}}z"',
            f'"{self.pick(VARIABLES)}[0] {self.pick(VARIABLES)}[k]"',
            f'"{{{self.pick(VARIABLES)}[1]}}"',
            f"[{inner[0]}, 'k' => {inner[1]}]",
            f"match ({inner[0]}) {{ 1, 2 => {inner[1]}, default => {inner[2]} }}",
            f"match (true) {{ {inner[0]} => 1, {inner[1]} => 2 }}",
            f"[$a, $b] = {inner[0]}",
            f"fn($x) => $x + {inner[0]}",
            "function ($x) use ($a, &$b) { return $x . $a; }",
            f"{place} ?? {inner[0]}",
        ][choice - 6]

    # -- statements ---------------------------------------------------------------------------------------------------

    def statements(self, depth: int = 3, count: int | None = None) -> str:
        number = self.random.randrange(1, 5) if count is None else count
        return " ".join(self.statement(depth) for _ in range(number))

    def block(self, depth: int) -> str:
        return f"{{ {self.statements(depth - 1)} }}"

    def statement(self, depth: int) -> str:
        e = self.expression
        simple = [
            lambda: f"{e(3)};",
            lambda: f"echo {e(2)}, {e(2)};",
            lambda: f"{self.pick(VARIABLES)} = {e(3)};",
            lambda: f"return {e(2)};",
            lambda: f"unset({self.place(2)});",
            lambda: "global $g;",
            lambda: f"static $s{self.random.randrange(9)} = {self.pick(LITERALS)};",
            lambda: f"exit({e(1)});",
            lambda: f"throw {e(1)};",
            lambda: ";",
            lambda: f"?>text <?= {e(1)} ?>\n<?php ",
            lambda: f"$a = &{self.place(2)};",
        ]
        if depth <= 0 or self.random.random() < 0.4:
            return self.random.choice(simple)()
        return self.nested(depth)

    def jump(self) -> str:
        if self.loops and self.random.random() < 0.4:
            level = self.random.randrange(1, self.loops + 1)
            return f"if ({self.expression(1)}) {self.pick(['break', 'continue'])} {level};"
        return ""

    def loop_body(self, depth: int) -> str:
        self.loops += 1
        body = f"{{ {self.statements(depth - 1)} {self.jump()} {self.statements(depth - 1, 1)} }}"
        self.loops -= 1
        return body

    def nested(self, depth: int) -> str:
        e = self.expression
        choice = self.random.randrange(14)
        if choice == 0:
            return f"if ({e(2)}) {self.block(depth)} elseif ({e(2)}) {self.block(depth)} else {self.block(depth)}"
        if choice == 1:
            return f"if ({e(2)}): {self.statements(depth - 1)} else: {self.statements(depth - 1)} endif;"
        if choice == 2:
            return f"while ({e(2)}) {self.loop_body(depth)}"
        if choice == 3:
            return f"do {self.loop_body(depth)} while ({e(2)});"
        if choice == 4:
            return f"for ({e(1)}; {e(1)}, {e(1)}; {e(1)}) {self.loop_body(depth)}"
        if choice == 5:
            key = self.random.choice(["", "$k => ", "$k[0] => "])
            value = self.random.choice(["$v", "&$v", "[$x, $y]", "['a' => $x]", "$v[1]", "list(, $x)"])
            return f"foreach ({e(2)} as {key}{value}) {self.loop_body(depth)}"
        if choice == 6:
            return self.switch(depth)
        if choice == 7:
            return self.goto(depth)
        if choice == 8:
            return self.try_block(depth)
        if choice == 9:
            return f"while ({e(1)}): {self.statements(depth - 1)} endwhile;"
        if choice == 10:
            return self.block(depth)
        if choice == 11:
            return f"list($a, list($b), 'k' => $c) = {e(2)};" if self.random.random() < 0.1 else f"[$a, [$b]] = {e(2)};"
        if choice == 12:
            return f"$f = function () {self.block(depth)};" if not self.loops else f"{e(2)};"
        return f"if ({e(2)}) {self.statement(depth - 1)} else {self.statement(depth - 1)}"

    def switch(self, depth: int) -> str:
        labels = self.random.choice(
            [["1", "2", "3", "4", "5", "6"], ["'a'", "'b'", "'c'"], ["1", "'a'", self.expression(1)], ["1 + 1", "M_PI"]]
        )
        self.loops += 1
        cases = [
            f"case {label}: {self.statements(depth - 1)} {self.pick(['break;', '', self.jump()])}" for label in labels
        ]
        if self.random.random() < 0.7:
            cases.insert(self.random.randrange(len(cases) + 1), f"default: {self.statements(depth - 1)}")
        self.loops -= 1
        return f"switch ({self.expression(2)}) {{ {' '.join(cases)} }}"

    def goto(self, depth: int) -> str:
        self.labels += 1
        name = f"L{self.labels}"
        body = self.statements(depth - 1)
        if self.random.random() < 0.5:
            return f"{name}: {body} if ({self.expression(1)}) goto {name};"
        return f"if ({self.expression(1)}) goto {name}; {body} {name}: {self.statement(0)}"

    def try_block(self, depth: int) -> str:
        catches = self.random.choice(["catch (E $e) {}", "catch (E | F $e) { echo 1; } catch (G) { return 2; }", ""])
        final = f"finally {{ {self.expression(1)}; }}" if not catches or self.random.random() < 0.4 else ""
        return f"try {self.block(depth)} {catches} {final}"
