"""The reader and the verifier against LLVM: they see what LLVM's own parser sees, and refuse what LLVM refuses."""

from __future__ import annotations

import random

import llvmlite.binding as llvm
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ssa2llvm.ir.diagnostics import CompileError
from ssa2llvm.llir.edit import TextEdits
from ssa2llvm.llir.graph import graph_of
from ssa2llvm.llir.lexer import TokenKind, tokenise
from ssa2llvm.llir.naming import name_everything
from ssa2llvm.llir.oracle import check_with_llvm
from ssa2llvm.llir.reader import read_module
from ssa2llvm.llir.verify import verify_module
from tests.llir.test_rewriting import EXAMPLES, PROGRAMS, clang


def sources() -> list[str]:
    texts = [path.read_text() for path in EXAMPLES]
    for path in PROGRAMS:
        texts += [clang(path, "-O0"), clang(path, "-O1"), clang(path, "-O2", "-g")]
    return texts


LOCAL = (llvm.ValueKind.instruction, llvm.ValueKind.argument, llvm.ValueKind.basic_block)


def as_llvm_sees_it(text: str) -> list[tuple]:
    """Functions, blocks, and of each instruction opcode, name and the local names among its operands."""
    seen: list[tuple] = []
    for function in llvm.parse_assembly(text).functions:
        if function.is_declaration:
            continue
        seen.append((function.name, [argument.name for argument in function.arguments]))
        for block in function.blocks:
            seen.append((block.name,))
            for instruction in block.instructions:
                local = [operand.name for operand in instruction.operands if operand.value_kind in LOCAL]
                if instruction.opcode == "phi":
                    local += [incoming.name for incoming in instruction.incoming_blocks]
                seen.append((instruction.opcode, instruction.name, sorted(local)))
    return seen


def as_we_see_it(text: str) -> list[tuple]:
    plain = lambda name: name[1:].strip('"')  # noqa: E731
    seen: list[tuple] = []
    for function in read_module(text).functions:
        seen.append((plain(function.name), [plain(parameter.name) for parameter in function.parameters]))
        for block in function.blocks:
            seen.append((plain(block.name),))
            for instruction in block.instructions:
                if instruction.is_debug_record:
                    continue
                local = [plain(token.text) for token in instruction.uses + instruction.labels]
                for incoming in instruction.incoming:
                    local.append(plain(incoming.block.text))
                    if incoming.name is not None:
                        local.append(plain(incoming.name.text))
                seen.append((instruction.opcode, plain(instruction.result or "%"), sorted(local)))
    return seen


def test_reader_sees_what_llvm_sees():
    for text in sources():
        named = name_everything(read_module(text)).text
        check_with_llvm(named, "named.ll")
        assert as_we_see_it(named) == as_llvm_sees_it(named)


def test_valid_modules_have_no_errors():
    for text in sources():
        assert [str(error) for error in verify_module(read_module(text)).errors] == []


def test_naming_leaves_named_text_alone():
    for path in EXAMPLES:
        module = read_module(path.read_text())
        assert name_everything(module) is module


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("define i32 @f(i32) {\n  ret i32 %0\n}\n", ["%v0", "%b1"]),
        (
            "define i32 @f(i32 %0, i32 %v0) {\nb1:\n  %2 = add i32 %0, 1\n  ret i32 %2\n}\n",
            ["%v0.", "%v0", "%b1", "%v2"],
        ),
        ("define void @f() { ret void }\n", ["%b0"]),
        ('define void @f() {\n  br label %"a b"\n"a b":\n  ret void\n}\n', ["%b0", '%"a b"']),
        ("define i32 @f() {\n  br label %1\n1:\n  ret i32 1\n}\n", ["%b0", "%b1"]),
    ],
)
def test_implied_numbers_are_counted_as_llvm_does(text, names):
    module = name_everything(read_module(text))
    check_with_llvm(module.text, "named.ll")
    function = module.functions[0]
    found = [parameter.name for parameter in function.parameters]
    for block in function.blocks:
        found += [block.name, *(i.result for i in block.instructions if i.result)]
    assert found == names


def test_tokens_know_their_places():
    text = '; comment\ndefine void @"f"() { ; more\n  call void @g(ptr @"a b", i8 1) #0\n}'
    for token in tokenise(text):
        line = text.split("\n")[token.line - 1]
        assert line[token.column - 1 :].startswith(text[token.start : token.end])
    assert [t.text for t in tokenise(text) if t.kind is TokenKind.GLOBAL] == ["@f", "@g", '@"a b"']


def test_a_function_that_is_not_closed_is_one_diagnostic():
    with pytest.raises(CompileError, match="the body of @f is not closed"):
        read_module("define void @f() {\n  ret void\n")
    with pytest.raises(CompileError, match="@f has no body"):
        read_module("define void @f()\n")


def test_unreachable_blocks_are_noted_but_allowed():
    text = "define void @f() {\nentry:\n  ret void\ndead:\n  %x = add i32 %x, 1\n  br label %dead\n}\n"
    report = verify_module(read_module(text, "f.ll"))
    check_with_llvm(text, "f.ll")
    assert report.errors == []
    assert [str(note).split("\n")[0] for note in report.notes] == ["f.ll:4:1: note: block %dead cannot be reached"]


# --- mutations ------------------------------------------------------------------------------------------------------


def refused_by_both(text: str) -> bool:
    errors = verify_module(read_module(text)).errors
    try:
        check_with_llvm(text, "mutated.ll")
    except CompileError:
        assert errors, f"LLVM refuses what we accept:\n{text}"
        return True
    assert not errors, f"we refuse what LLVM accepts: {errors[0]}\n{text}"
    return False


MODULES = [name_everything(read_module(clang(path, "-O1"))) for path in PROGRAMS]


@settings(max_examples=60)
@given(st.randoms(use_true_random=False))
def test_a_phi_without_one_of_its_inputs_is_refused(rng: random.Random):
    module = rng.choice(MODULES)
    phis = [i for f in module.functions for b in f.blocks for i in b.instructions if i.opcode == "phi"]
    phi = rng.choice([phi for phi in phis if len(phi.incoming) > 1])
    removed = rng.randrange(len(phi.incoming))
    edits = TextEdits(module.text)
    if removed:
        edits.replace(phi.incoming[removed - 1].end, phi.incoming[removed].end, "")
    else:
        edits.replace(phi.incoming[0].start, phi.incoming[1].start, "")
    assert refused_by_both(edits.apply())


@settings(max_examples=120)
@given(st.randoms(use_true_random=False))
def test_uses_that_are_not_dominated_are_refused_and_others_are_not(rng: random.Random):
    """Replace a use of a 64-bit value by a use of another one, anywhere: ours and LLVM agree about it."""
    module = rng.choice(MODULES)
    function = rng.choice(module.functions)
    graph = graph_of(function)
    defined = {
        i.result
        for b in function.blocks
        for i in b.instructions
        if i.opcode in ("add", "mul", "sub", "and", "or", "shl", "srem", "phi") and "i64" in [t.text for t in i.tokens]
    }
    uses = [
        token
        for number, b in enumerate(function.blocks)
        for i in b.instructions
        for token in [*i.uses, *(c.name for c in i.incoming if c.name is not None)]
        if token.text in defined and graph.reachable(number)
    ]
    if len(defined) < 2 or not uses:
        return
    use = rng.choice(uses)
    other = rng.choice(sorted(defined))
    edits = TextEdits(module.text)
    edits.replace(use.start, use.end, other)
    text = edits.apply()
    refused_by_both(text)


def test_the_mutations_above_are_refused_often_enough():
    """At least some uses must be wrong ones, or the test above says nothing."""
    module = next(m for m in MODULES if "@fibonacci" in m.text or "phi" in m.text)
    function = max(module.functions, key=lambda f: len(f.blocks))
    names = [i.result for b in function.blocks for i in b.instructions if i.opcode == "phi" and i.type == "i64"]
    first = next(i for i in function.blocks[0].instructions if i.uses)
    edits = TextEdits(module.text)
    edits.replace(first.uses[0].start, first.uses[0].end, names[0])
    assert refused_by_both(edits.apply())
