"""Scalar replacement of local arrays: what goes, what stays and why, and that no program notices."""

from __future__ import annotations

import time
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ssa2llvm.formats.load import load_bytes
from ssa2llvm.interp.run import run_script
from ssa2llvm.llvm.driver import compile_program
from ssa2llvm.opt.pipeline import Pipeline, level_names
from ssa2llvm.opt.standard import TABLE
from ssa2llvm.opt.unit import build_program
from ssa2llvm.report.bisect import run_program
from tests.cli.test_main import ssa2llvm
from tests.llvm.harness import run_caught
from tests.opt.array_programs import ArrayProgram, array_program
from tests.opt.programs import function, opcodes, optimize, program
from tests.tools import run_php

STEP_LIMIT = 200_000
_ARRAY_OPCODES = {
    "INIT_ARRAY",
    "ADD_ARRAY_ELEMENT",
    "ASSIGN_DIM",
    "ASSIGN_DIM_OP",
    "FETCH_DIM_R",
    "FETCH_DIM_W",
    "FETCH_DIM_RW",
    "FETCH_DIM_IS",
    "FETCH_DIM_UNSET",
    "FETCH_LIST_R",
    "UNSET_DIM",
    "ISSET_ISEMPTY_DIM_OBJ",
    "COUNT",
    "ARRAY_KEY_EXISTS",
}


def array_work(body: str, passes: tuple[str, ...] = ("sccp", "scalar-arrays")) -> list[str]:
    """The instructions on arrays that are left of a function with an int and a string parameter."""
    target = program(f"<?php function f($p, $q) {{ {body} }} f(rand(), 'a' . rand());")
    optimize(target, passes)
    return [name for name in opcodes(function(target, "f")) if name in _ARRAY_OPCODES]


@pytest.mark.parametrize("body", ["$v = [$p, [$q]]; $w = $v; unset($v);", "$v = ['k' => [[[1]]]]; $v['l'] = [$p];"])
def test_arrays_that_nobody_reads_are_left_to_dce(body: str) -> None:
    assert array_work(body) != []
    assert array_work(body, ("sccp", "scalar-arrays", "dce")) == []


@pytest.mark.parametrize(
    "body",
    [
        "[$p, $q] = [$q, $p]; return $p;",
        "$v = ['x' => $p, 'y' => 2]; $v['x'] += $v['y']; return $v['x'];",
        "$v = ['x' => $p]; $v['x']++; --$v['x']; return $v['x']--;",
        "$v = ['s' => $q]; $v['s'] .= 'more'; return $v['s'];",
        "$v = [$p]; $v[] = $q; $v['1'] = 5; return $v[0] . $v[1];",
        "$v[] = $p; $v['k'] = $q; return $v[0] . $v['k'];",
        "$v = null; $v['k'] = $p; return $v['k'];",
        "$v = [$p, $q]; $w = $v; $w[0] = 7; return $v[0] . $w[0];",
        "$v = ['a' => ['b' => ['c' => $p]]]; $v['a']['b']['c'] += 2; return $v['a']['b']['c'];",
        "$v = ['a' => []]; $v['a']['b'] = $p; $v['a'][] = $q; return $v['a']['b'] . $v['a'][0];",
        "$v = ['x' => 0, 'y' => $p]; for ($i = 0; $i < $p; $i++) { $v['x'] += $v['y']; } return $v['x'];",
        "$v = ['x' => $p]; if ($q) { $v['x'] = 1; } else { $v['x'] = $q; } return $v['x'];",
        "if ($q) { $v = [$p, 1]; } else { $v = [2, $p]; } return $v[0] . $v[1];",
        "for ($i = 0; $i < $p; $i++) { $v = [$i, $q]; $q .= $v[0] . $v[1]; } return $q;",
        "for ($i = 0; $i < $p; $i++) { $v = ['n' => $i]; $v['m'] = $q; $q = $v['m'] . $v['n']; } return $q;",
        "$v = ['x' => $p, 'y' => $q]; return isset($v['x']) . empty($v['y']) . isset($v['z']) . count($v);",
        "$v = ['x' => $p]; return ($v['x'] ?? 1) . ($v['y'] ?? 2) . array_key_exists('x', $v);",
        "$v = ['x' => $p, 'y' => $q]; unset($v['x']); return $v['y'] . count($v);",
        "$v = [true => $p, null => $q, 1.0 => 3]; return $v[1] . $v[''];",
        "$v = [$p]; $v = [$q, 1]; return $v[0];",
        "$v = ['x' => $p]; try { $v['x'] = intdiv($p, 2); } catch (Error $e) { return $v['x']; } return $v['x'] + 1;",
        "$v = ['x' => $p]; try { $v['x']++; $v['x'] %= $q; } catch (Error $e) { return $v['x']; } return 1;",
        "$v = [$p]; return ($v[0] = $q) . $v[0];",
        "['x' => $x, 'y' => $y] = ['y' => $p, 'x' => $q]; return $x . $y;",
    ],
)
def test_arrays_that_go(body: str) -> None:
    assert array_work(body, ("sccp", "scalar-arrays", "dce")) == []


@pytest.mark.parametrize(
    ("body", "why"),
    [
        ("$v = [$p, $q]; return $v;", "it is returned"),
        ("$v = [$p, $q]; print_r($v); return $v[0];", "somebody else sees it"),
        ("$v = [$p, $q]; foreach ($v as $x) { $p .= $x; } return $p;", "order is observed"),
        ("$v = [$p, $q]; return $v[$p];", "an unknown key is read"),
        ("$v = [$p, $q]; $v[$p] = 1; return $v[0];", "an unknown key is written"),
        ("$v = [$p]; if ($q) { $v[] = 1; } $v[] = 2; return $v[0];", "which index comes next depends on the way"),
        ("$v = [$p]; while ($p--) { $v[] = 1; } return $v[0];", "likewise"),
        ("$v = [$p]; if ($q) { $v['k'] = 1; } return $v['k'];", "whether the key is there depends on the way"),
        ("$v = [$p]; if ($q) { $v['k'] = 1; } return count($v);", "so does the number of elements"),
        ("$v = [$p]; $r = &$v[0]; $r = 2; return $v[0];", "an element is a reference"),
        ("$v = [&$p]; $p = 2; return $v[0];", "likewise"),
        ("$v = [$p]; $w = &$v; $w[0] = 2; return $v[0];", "the array is a reference"),
        ("$v = [new Exception($q), 1]; return $v[1];", "an object dies when the array does"),
        ("$v = [[[new Exception($q)]], 1]; return $v[1];", "likewise, however deep"),
        ("static $v = [1]; $v[0] = $p; return $v[0];", "it lives on"),
        ("global $v; $v = [1]; $v[0] = $p; return $v[0];", "others reach it"),
        ("$v = [1]; if ($q) { $v = $p; } return $v[0];", "it may be something else"),
        ("$v = $p; $v['k'] = 1; return $v['k'];", "it comes from elsewhere"),
        ("$v = [PHP_INT_MAX => $p]; $v[] = 1; return $v[0];", "no index is left"),
        ("$v = ['k' => $p]; try { $v['m'] += intdiv($p, $q); } catch (Error $e) {} return $v['k'];", "a handler"),
        ("return $p + [...[$p]][0];", "unpacking"),
        ("$v = [1.5 => $p]; return $v[1];", "the key is reported"),
    ],
)
def test_arrays_that_stay(body: str, why: str) -> None:
    assert array_work(body) != [], why


def test_a_missing_element_is_read_from_the_empty_array() -> None:
    assert array_work("$v = ['x' => $p]; return $v['nope'] . $v['x'];") == ["FETCH_DIM_R"]
    assert array_work("$v = ['x' => $p]; $v['n'] += 1; $v['m']++; return $v['n'];") == ["FETCH_DIM_R"] * 2


def test_a_long_array_stays() -> None:
    many = ", ".join("$p" for _ in range(40))
    assert array_work(f"$v = [{many}]; return $v[3];") != []


def test_names_of_elements_are_shown() -> None:
    target = program(
        "<?php function f($p) { $v = ['x' => $p, 3 => ['y' => 1]]; $v['x']++; return $v['x'] + $v[3]['y']; } f(rand());"
    )
    optimize(target, ["scalar-arrays"])
    f = function(target, "f")
    shown = {f.slot_name(slot) for slot in f.extra_names}
    assert {"$v['x']", "$v[3]['y']"} <= shown
    assert all(f.is_variable(slot) for slot in f.extra_names)


def test_variables_of_the_main_script_go_too() -> None:
    target = program(
        "<?php $v = ['x' => rand(), 'y' => 1]; for ($i = 0; $i < 9; $i++) { $v['x'] += $v['y']; } echo $v['x'];"
    )
    optimize(target, ["scalar-arrays"])
    assert not _ARRAY_OPCODES & set(opcodes(target.units[0].function))
    target = program("<?php $v = ['x' => rand()]; function f() { global $v; $v['x']++; } f(); echo $v['x'];")
    optimize(target, ["scalar-arrays"])
    assert "INIT_ARRAY" in opcodes(target.units[0].function)


def test_elements_get_types_of_their_own() -> None:
    target = program(
        "<?php function f(int $p) { $v = ['i' => $p, 'f' => 0.5]; $v['f'] += $v['i']; return $v['f']; } f(rand());"
    )
    optimize(target, ["scalar-arrays", "narrow", "copies", "dce", "clean"])
    f = function(target, "f")
    assert opcodes(f) == ["RECV", "QM_ASSIGN", "ADD", "RETURN"]
    facts = next(unit for unit in target.units if unit.function is f).get("facts")
    add = next(instr for instr in f.instructions() if instr.opcode.name == "ADD")
    assert facts.text(add.result_def) == "[double]"


def check(source: str, names: list[str]) -> int:
    """Compare the interpreter before and after passes; the number of changes scalar replacement made."""
    target = build_program(load_bytes(source.encode(), "test.php"))
    steps = Pipeline(TABLE, names, verify=True).run(target)
    expected = run_script(load_bytes(source.encode(), "test.php"), step_limit=STEP_LIMIT)
    got = run_program(target, STEP_LIMIT)
    if not expected.stopped and not got.stopped:
        assert got.stdout == expected.stdout
        assert got.exit_code == expected.exit_code
    return sum(step.changes for step in steps if step.pass_name == "scalar-arrays")


@settings(max_examples=40)
@given(st.randoms(use_true_random=False))
def test_nobody_notices(random: Random) -> None:
    source = ArrayProgram(random).make()
    check(source, ["scalar-arrays"])


@pytest.mark.parametrize("seed", range(12))
def test_nobody_notices_with_all_passes(seed: int) -> None:
    check(array_program(seed), level_names(TABLE, 3))


@pytest.mark.parametrize("seed", range(200, 202))
def test_every_prefix(seed: int) -> None:
    names, source = level_names(TABLE, 3), array_program(seed)
    for length in range(1, len(names) + 1):
        check(source, names[:length])


def test_random_programs_have_what_the_pass_is_for() -> None:
    assert sum(check(array_program(seed), ["scalar-arrays"]) > 0 for seed in range(20)) >= 15


@pytest.mark.parametrize("seed", range(300, 304))
def test_machine_code_prints_what_php_prints(seed: int, tmp_path: Path) -> None:
    source = array_program(seed, plain=True)
    file = tmp_path / "test.php"
    file.write_text(source)
    expected = run_php(file, cwd=tmp_path).stdout.replace(str(file).encode(), b"test.php")
    run = run_caught(compile_program(load_bytes(source.encode(), "test.php"), 2, verify=True), "test.php")
    assert run.output == expected
    assert run.leaked == 0


@pytest.mark.parametrize("seed", range(400, 410))
def test_a_second_run_changes_nothing(seed: int) -> None:
    target = program(array_program(seed))
    optimize(target, ["scalar-arrays"])
    assert [step.changes for step in optimize(target, ["scalar-arrays"])] == [0] * len(target.units)


def _big(statements: int) -> str:
    lines = ["$v = ['x' => $p, 'y' => 1, 'z' => ['w' => 0]];"]
    for number in range(statements):
        lines.append(f"if ($p > {number}) {{ $v['x'] += $v['y']; }} $v['z']['w'] = $v['x']; [$q, $p] = [$p, $q];")
    return f"<?php function f($p, $q) {{ {' '.join(lines)} return $v['z']['w']; }} f(rand(), rand());"


def test_growth_is_linear() -> None:
    seconds = []
    for statements in (60, 240):
        target = program(_big(statements))
        for unit in target.units:
            unit.get("facts")
        started = time.process_time()
        optimize(target, ["scalar-arrays"])
        seconds.append(time.process_time() - started)
        assert not _ARRAY_OPCODES & set(opcodes(function(target, "f")))
    assert seconds[1] < 10 * seconds[0] + 0.3


def test_the_command_line_shows_it() -> None:
    """After the pass, ``[$a, $b] = [$b, $a]`` of case 020 makes no array: names of its elements are what is left."""
    file = "tests/cases/020_list_swap_in_loop.php"
    result = ssa2llvm(
        "dump", file, "--stage", "opt", "--function", "gcd", "--dump-after=scalar-arrays", "--verify-each"
    )
    assert result.returncode == 0, result.stderr
    after = result.stderr.decode().partition("gcd:")[2].partition("fib:")[0]
    assert "CV8($T2[0]) [long] = QM_ASSIGN #5.CV1($q) [long]" in after
    assert not {word for word in after.split() if word in _ARRAY_OPCODES}
    whole = ssa2llvm("dump", file, "--stage", "opt", "--passes=sccp", "--function", "gcd").stdout.decode()
    assert "ADD_ARRAY_ELEMENT" in whole


def test_a_deep_literal_takes_no_longer_than_a_flat_one() -> None:
    """Rounds go as deep as accesses do, not as literals."""
    deep = "[" * 300 + "$p" + "]" * 300
    target = program(f"<?php function f($p) {{ $v = {deep}; return count($v[0]); }} f(rand());")
    optimize(target, ["sccp"])
    started = time.process_time()
    optimize(target, ["scalar-arrays"])
    assert time.process_time() - started < 3
    assert "COUNT" not in opcodes(function(target, "f"))
