"""Every recorded program compiles to the very text PHP printed, or is rejected with PHP's message and line."""

from __future__ import annotations

import pytest

from tests.php.record import FILENAME, programs, recorded
from tests.php.reference import our_outcome

_RECORDED = recorded()


@pytest.mark.parametrize("name", _RECORDED)
def test_program(name):
    source, theirs = _RECORDED[name]
    assert our_outcome(source, FILENAME) == theirs


def test_recording_is_current():
    assert {name: source for name, (source, _) in _RECORDED.items()} == programs()
    assert len(_RECORDED) >= 150
