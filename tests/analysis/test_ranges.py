"""The steps of the range solver and how ranges print."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from ssa2llvm.analysis.ranges import FULL, INT_MAX, INT_MIN, Range, clip, extend, meet, open_ends, union, widen
from ssa2llvm.analysis.worklist import LowestFirst, SweepList


def _ranges() -> st.SearchStrategy[Range]:
    ends = st.tuples(st.integers(INT_MIN, INT_MAX), st.integers(INT_MIN, INT_MAX))
    plain = ends.map(lambda pair: Range(min(pair), max(pair)))
    return st.builds(
        lambda known, low, high: open_ends(Range(known.min, known.max, low, high)), plain, st.booleans(), st.booleans()
    )


def _holds(outer: Range, inner: Range) -> bool:
    return outer.min <= inner.min and outer.max >= inner.max


@given(_ranges(), _ranges())
def test_union_holds_both_and_meet_lies_in_both(left: Range, right: Range) -> None:
    both = union(left, right)
    assert _holds(both, left)
    assert _holds(both, right)
    common = meet(left, right)
    assert common is not None
    assert _holds(left, common)


@given(_ranges(), st.lists(_ranges(), max_size=20))
def test_widening_moves_a_bound_at_most_once(start: Range, news: list[Range]) -> None:
    seen, grown = [start], start
    for new in news:
        grown = union(grown, new)  # the solver's ranges only grow while it widens
        seen.append(widen(seen[-1], grown))
        assert _holds(seen[-1], seen[-2])
        assert _holds(seen[-1], new)
    assert len(set(seen)) <= 3  # as it was, one end open, both


@given(_ranges(), _ranges())
def test_extend_never_loses_the_new_range(old: Range, new: Range) -> None:
    result = extend(old, new)
    assert _holds(result, new)
    assert result.underflow == new.underflow
    assert result.overflow == new.overflow


def test_clip_marks_what_it_cuts() -> None:
    assert clip(INT_MIN - 1, 5) == Range(INT_MIN, 5, True, False)
    assert clip(3, INT_MAX + 1) == Range(3, INT_MAX, False, True)


def test_printed_as_php_prints_them() -> None:
    assert str(Range(0, 9)) == "RANGE[0..9]"
    assert str(Range(INT_MIN, INT_MAX)) == "RANGE[MIN..MAX]"
    assert str(Range(INT_MIN, 4, True, False)) == "RANGE[--..4]"
    assert str(Range(0, INT_MAX, False, True)) == "RANGE[0..++]"
    assert str(FULL) == ""


def test_a_bool_is_no_integer() -> None:
    assert 1 in Range(0, 1)
    assert True not in Range(0, 1)


def test_sweeps_copy_a_word_when_they_reach_it() -> None:
    worklist = SweepList([1, 5, 70])
    worklist.add(1)
    order = []
    for name in worklist.drain():
        order.append(name)
        if name == 1 and len(order) == 1:
            worklist.add(5)  # the same word: only in the next sweep
            worklist.add(70)  # a later word: in this sweep
    assert order == [1, 70, 5]


def test_lowest_first_takes_names_added_below() -> None:
    worklist = LowestFirst([4, 9], 10)
    order = []
    for name in worklist.drain():
        order.append(name)
        if name == 9:
            worklist.add(2)
            worklist.add(2)
    assert order == [4, 9, 2]
