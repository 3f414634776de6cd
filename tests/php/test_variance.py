"""Early binding: a class is bound while compiling unless a type of it can only be judged at run time."""

from __future__ import annotations

from pathlib import Path

import pytest

from ssa2llvm.formats.zend_printer import print_zend_text
from ssa2llvm.ir.opcode import Opcode
from ssa2llvm.php import compile_php
from tests.tools import php_dump

CASES = {
    "same": ("class A { function f(int $x): ?A {} } class B extends A { function f(int $x): ?A {} }", False),
    "narrower return": ("class A { function f(): int|string {} } class B extends A { function f(): int {} }", False),
    "wider parameter": ("class A { function f(int $x) {} } class B extends A { function f(int|string $x) {} }", False),
    "mixed": ("class A { function f(): mixed {} } class B extends A { function f(): ?Unknown {} }", False),
    "never": ("class A { function f(): int {} } class B extends A { function f(): never {} }", False),
    "static for self": ("class A { function f(): self {} } class B extends A { function f(): static {} }", False),
    "self": ("class A { function f(): self {} } class B extends A { function f(): self {} }", False),
    "known subclass": (
        "class X {} class Y extends X {} class A { function f(): X {} } class B extends A { function f(): Y {} }",
        False,
    ),
    "unknown subclass": ("class A { function f(): X {} } class B extends A { function f(): Y {} }", True),
    "internal class": (
        "class A { function f(): Traversable {} } class B extends A { function f(): Iterator {} }",
        True,
    ),
    "object": ("class A { function f(): object {} } class B extends A { function f(): Unknown {} }", True),
    "own name in a parameter": (
        "class A { function f(B|int $x) {} } class B extends A { function f(A|int $x) {} }",
        True,
    ),
    "private": ("class A { private function f(): X {} } class B extends A { function f(): Y {} }", False),
    "constructor": (
        "class A { function __construct(X $x) {} } class B extends A { function __construct(Y $y) {} }",
        False,
    ),
    "abstract constructor": (
        "class X {} abstract class A { abstract function __construct(X $x); } class B extends A { "
        "function __construct(object $x) {} } class C extends B { function __construct(Y $x) {} }",
        True,
    ),
    "property": ("class X {} class A { public ?X $p; } class B extends A { public X|null $p; }", False),
    "unknown property": ("class A { public X $p; } class B extends A { public Y $p; }", True),
    "intersection": (
        "class X {} class A { function f(): X {} } class B extends A { function f(): X&Unknown {} }",
        False,
    ),
    "union with intersection": (
        "class A { function f(): (X&Y)|int {} } class B extends A { function f(): (X&Z)|int {} }",
        True,
    ),
}


@pytest.mark.parametrize(("source", "delayed"), CASES.values(), ids=CASES.keys())
def test_binding(source: str, delayed: bool, tmp_path: Path) -> None:
    file = tmp_path / "c.php"
    file.write_text(f"<?php {source}")
    script = compile_php(file.read_bytes(), str(file))
    assert any(op.opcode == Opcode.DECLARE_CLASS_DELAYED for op in script.main.ops) == delayed
    assert print_zend_text(script) == php_dump(file)
