"""Ask PHP what an operation does: result, diagnostics and exception as one comparable line.

A test gives PHP snippets and the same operations in Python; one PHP process answers all of them.
"""

from __future__ import annotations

import math
import struct
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

from ssa2llvm.values.array import PhpArray
from ssa2llvm.values.host import Host, PhpError
from ssa2llvm.values.types import Value, to_bytes
from tests.tools import run_php

PREAMBLE = r"""<?php
$reports = [];
set_error_handler(function ($level, $message) use (&$reports) {
    $words = [E_WARNING => 'Warning', E_NOTICE => 'Notice', E_DEPRECATED => 'Deprecated'];
    $reports[] = $words[$level] . ': ' . $message;
    return true;
});
function enc($v) {
    if ($v === null) return 'N';
    if (is_bool($v)) return $v ? 'T' : 'F';
    if (is_int($v)) return 'i' . $v;
    if (is_float($v)) return 'f' . (is_nan($v) ? 'nan' : bin2hex(pack('E', $v)));
    if (is_string($v)) return 's' . bin2hex($v);
    if (is_object($v)) return 'o' . get_class($v);
    $parts = [];
    foreach ($v as $key => $element) $parts[] = enc($key) . '=' . enc($element);
    return 'a[' . implode(',', $parts) . ']';
}
function ask($f) {
    global $reports;
    $reports = [];
    ob_start();
    try {
        $answer = enc($f());
    } catch (Throwable $e) {
        $answer = '!' . get_class($e) . ': ' . bin2hex($e->getMessage());
    }
    $printed = ob_get_clean();
    echo $answer, '|', bin2hex($printed), '|', bin2hex(implode("\n", $reports)), "\n";
}
"""


def encode(value: Value) -> str:
    """The Python twin of PHP's ``enc``."""
    if value is None:
        return "N"
    if isinstance(value, bool):
        return "T" if value else "F"
    if isinstance(value, int):
        return f"i{value}"
    if isinstance(value, float):
        return "fnan" if math.isnan(value) else "f" + struct.pack(">d", value).hex()
    if isinstance(value, bytes):
        return "s" + value.hex()
    assert isinstance(value, PhpArray)
    return "a[" + ",".join(f"{encode(key)}={encode(element)}" for key, element in value.items()) + "]"


def ask_python(operation: Callable[[Host], Value]) -> str:
    """The Python twin of PHP's ``ask``."""
    host = Host()
    try:
        answer = encode(operation(host))
    except PhpError as error:
        answer = f"!{error.class_name}: {to_bytes(error.message).hex()}"
    reports = "\n".join(f"{report.level.value}: {report.message}" for report in host.reports)
    return f"{answer}|{bytes(host.output).hex()}|{to_bytes(reports).hex()}"


def readable(line: str) -> str:
    """An answer line for a failure message."""
    answer, printed, reports = line.split("|")
    if answer.startswith("!"):
        name, _, message = answer.partition(": ")
        answer = f"{name}: {bytes.fromhex(message)!r}"
    if answer.startswith("s"):
        answer = repr(bytes.fromhex(answer[1:]))
    return f"{answer} printed={bytes.fromhex(printed)!r} reports={bytes.fromhex(reports)!r}"


def php_answers(body: str) -> list[str]:
    """Run ``body`` after the preamble; its lines, one for each ``ask``."""
    with tempfile.TemporaryDirectory() as directory:
        file = Path(directory) / "ask.php"
        file.write_bytes(to_bytes(PREAMBLE + body))
        result = run_php(file)
    lines = result.stdout.decode().split("\n")
    assert lines.pop() == "", result.stdout[-2000:]
    return lines


def source(value: Value) -> str:
    """PHP source for a value."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return "PHP_INT_MIN" if value == -(2**63) else f"({value})"
    if isinstance(value, float):
        return f"unpack('E', hex2bin('{struct.pack('>d', value).hex()}'))[1]"
    if isinstance(value, bytes):
        return f"hex2bin('{value.hex()}')"
    assert isinstance(value, PhpArray)
    return "[" + ", ".join(f"{source(key)} => {source(element)}" for key, element in value.items()) + "]"


def assert_same(questions: Sequence[tuple[str, Callable[[Host], Value]]], setup: str = "") -> None:
    """Each question is (PHP expression, the same in Python); all answers must agree."""
    body = setup + "".join(f"ask(fn() => {expression});\n" for expression, _ in questions)
    answers = php_answers(body)
    assert len(answers) == len(questions), answers[-3:]
    differences = [
        f"{expression}\n  php:  {readable(theirs)}\n  ours: {readable(ours)}"
        for (expression, operation), theirs in zip(questions, answers, strict=True)
        for ours in [ask_python(operation)]
        if ours != theirs
    ]
    assert not differences, f"{len(differences)} of {len(questions)} differ:\n" + "\n".join(differences[:20])
