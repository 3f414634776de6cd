"""Records PHP's answers for test_runtime.py: `python -m tests.runtime.record` (needs php)."""

from __future__ import annotations

from tests.runtime.test_runtime import GROUPS, RECORDED, php_answers

if __name__ == "__main__":
    for group, make in GROUPS.items():
        (RECORDED / f"{group}.txt").write_text("\n".join(php_answers(make())) + "\n")
