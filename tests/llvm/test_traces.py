"""Which programs keep records of the calls under way; that the traces are right is in programs/traces.php."""

from __future__ import annotations

import pytest

from ssa2llvm.llvm.traces import needs_frames
from ssa2llvm.php import compile_php

CALLS_BACK = frozenset({"usort"})


@pytest.mark.parametrize(
    "body",
    [
        "throw new Exception('x');",
        "try { f(); } catch (Exception $e) { echo $e->getMessage(), $e->getLine(), get_class($e); throw $e; }",
        "try { f(); } finally { f(); }",
        "echo strlen('usort');",
    ],
)
def test_what_does_without(body):
    assert not needs_frames(compile_php(f"<?php function f() {{ {body} }} f();".encode(), "t.php"), CALLS_BACK)


@pytest.mark.parametrize(
    "body",
    [
        "try { f(); } catch (Exception $e) { echo $e->getTraceAsString(); }",
        "try { f(); } catch (Exception $e) { echo $e; }",
        "try { f(); } catch (Exception $e) { throw new Exception('y', 1, $e); }",
        "$e = new Exception('x'); throw $e;",
        "return new Exception('x');",
        "throw new Exception('x', 1, new Exception('y'));",
        "$a = [2, 1]; usort($a, 'f');",
    ],
)
def test_what_asks(body):
    assert needs_frames(compile_php(f"<?php function f() {{ {body} }} f();".encode(), "t.php"), CALLS_BACK)
