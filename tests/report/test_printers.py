"""JSON and Graphviz of any stage."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest

from ssa2llvm.formats.load import load_any
from ssa2llvm.formats.zir_reader import read_zir
from ssa2llvm.ir.function import Function
from ssa2llvm.ir.op_array import FnFlags, Script
from ssa2llvm.report.graphviz import print_dot
from ssa2llvm.report.plain import print_json, to_plain
from ssa2llvm.ssa.build import build_ssa

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.fixture
def script() -> Script:
    return load_any(str(EXAMPLES / "ssa.zir"))


@pytest.fixture
def choose(script: Script) -> Function:
    return build_ssa(script.functions[0])


def test_a_script_is_json(script: Script) -> None:
    data = json.loads(print_json(script))
    assert [op_array["name"] for op_array in data["op_arrays"]] == ["$_main", "choose", "count_to"]
    choose = data["op_arrays"][1]
    assert choose["ops"][1]["opcode"] == "JMPZ"
    assert choose["ops"][1]["op1"] == {"class": "Operand", "kind": "CV", "num": 0}
    assert choose["flags"] == ["HAS_RETURN_TYPE", "HAS_TYPE_HINTS"]
    assert choose["arg_info"][0]["type"]["text"] == "int"


def test_nested_functions_are_referred_to() -> None:
    text = "; zir 1\nmain {\nRETURN 1\nfunction {closure}() {\nRETURN null\nfunction g() {\nRETURN null\n}\n}\n}\n"
    data = to_plain(read_zir(text + "class C {\nfunction m() {\nRETURN null\n}\n}\n"))
    assert [op_array["dynamic_defs"] for op_array in data["op_arrays"]] == [[1], [2], [], []]
    assert data["classes"][0]["methods"] == [3]


def test_a_function_names_its_instructions(choose: Function) -> None:
    data = json.loads(print_json(choose))
    block = next(block for block in data["blocks"] if block["phis"])
    phi = block["phis"][0]
    name = f"b{block['id']}.phi0"
    assert data["ssa_vars"][phi["result"]]["definition_phi"] == name
    assert all(name in data["ssa_vars"][source]["phi_uses"] for source in phi["sources"])
    parameter = data["blocks"][0]["instrs"][0]["result_def"]
    assert data["ssa_vars"][parameter]["definition"] == "b0.0"


def test_values_that_json_lacks() -> None:
    assert to_plain([math.nan, math.inf, -0.0, b"a\xff", FnFlags.STATIC | FnFlags.FINAL, {1: None}]) == [
        "nan", "inf", -0.0, "a\udcff", ["STATIC", "FINAL"], [[1, None]],
    ]  # fmt: skip
    assert json.loads(print_json([b"\xff"])) == ["\udcff"]


def test_a_graph_has_every_block_and_edge(choose: Function) -> None:
    text = print_dot([choose], with_dominators=True)
    assert 'label="choose";' in text
    for block in choose.blocks:
        assert f"f0b{block.id} [label=" in text
        for target in block.succs:
            assert f"f0b{block.id} -> f0b{target}" in text
        if block.idom >= 0:
            assert f"f0b{block.idom} -> f0b{block.id} [style=dotted" in text
    assert "Phi(" in text
    assert text == print_dot([choose], with_dominators=True)


def test_a_loop_is_marked(script: Script) -> None:
    count_to = build_ssa(script.functions[1])
    text = print_dot([count_to])
    (header,) = [block for block in count_to.blocks if block.loop_header < 0 and len(block.preds) > 1]
    (latch,) = [pred for pred in header.preds if count_to.blocks[pred].loop_header == header.id]
    assert f"f0b{latch} -> f0b{header.id} [penwidth=2];" in text


def test_strings_do_not_break_the_graph() -> None:
    script = read_zir('; zir 1\nmain {\nECHO "a\\"b\\\\ \\n c"\n' + "NOP\n" * 80 + "RETURN 1\n}\n")
    text = print_dot([build_ssa(script.main)])
    assert 'string(\\"a\\"b\\\\ \\n c\\")' in text
    assert "… 22 more" in text
    assert text.count("\n") == 8
