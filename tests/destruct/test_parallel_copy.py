"""Parallel copies against two independent oracles: simultaneous assignment, and a breadth-first search."""

from __future__ import annotations

import itertools
from collections import deque

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ssa2llvm.destruct.parallel_copy import Constant, Copy, TwoWritersError, sequentialise


def run(moves: list[Copy[str]], state: dict[str, object]) -> dict[str, object]:
    """One move after the other."""
    state = dict(state)
    for move in moves:
        state[move.dst] = move.src.value if isinstance(move.src, Constant) else state[move.src]
    return state


def temporaries():
    """A supply of fresh names, and the list of those taken."""
    taken: list[str] = []

    def new_temporary(_: str) -> str:
        taken.append(f"tmp{len(taken)}")
        return taken[-1]

    return new_temporary, taken


def parse(text: str) -> list[Copy[str]]:
    copies = []
    for part in text.split(","):
        dst, src = part.strip().split("<-")
        copies.append(Copy(dst, Constant(int(src)) if src.isdigit() else src))
    return copies


# --- the cases of the project's bug list ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "wanted", "length"),
    [
        ("a<-b, b<-a", "a=B b=A", 3),
        ("a<-b, b<-c, c<-a", "a=B b=C c=A", 4),
        ("a<-b, b<-a, c<-d, d<-c", "a=B b=A c=D d=C", 6),
        ("a<-b, b<-a, c<-a, d<-b", "a=B b=A c=A d=B", 4),
        ("a<-b, b<-a, c<-a", "a=B b=A c=A", 3),
        ("a<-b, b<-c, c<-d", "a=B b=C c=D d=D", 3),
        ("a<-a, b<-b", "a=A b=B", 0),
        ("b<-a, c<-a, d<-a", "a=A b=A c=A d=A", 3),
        ("a<-b, b<-c, c<-a, d<-c, e<-d, f<-e, g<-f", "a=B b=C c=A d=C e=D f=E g=F", 7),
        ("a<-b, b<-a, c<-7, d<-c", "a=B b=A c=7 d=C", 5),
        ("a<-b, b<-c, c<-d, d<-a, e<-a, f<-f, g<-e", "a=B b=C c=D d=A e=A f=F g=E", 6),
    ],
)
def test_listed_cases(text, wanted, length):
    moves = sequentialise(parse(text), temporaries()[0])
    state = run(moves, {name: name.upper() for name in "abcdefg"})
    for equation in wanted.split():
        name, value = equation.split("=")
        assert str(state[name]) == value
    assert len(moves) == length


def test_affine_map_on_26_names():
    names = [chr(ord("a") + index) for index in range(26)]
    copies = [Copy(names[i], names[(i * 7 + 3) % 26]) for i in range(26)]
    state = run(sequentialise(copies, temporaries()[0]), {name: name.upper() for name in names})
    assert [state[name] for name in names] == [names[(i * 7 + 3) % 26].upper() for i in range(26)]


@pytest.mark.parametrize("text", ["a<-b, a<-c", "a<-b, a<-b", "a<-1, a<-b"])
def test_two_writers_of_one_name_are_refused(text):
    with pytest.raises(TwoWritersError, match="writes a twice"):
        sequentialise(parse(text), temporaries()[0])


def test_order_of_copies_is_kept_where_it_may_be():
    moves = sequentialise(parse("a<-x, b<-y, c<-z"), temporaries()[0])
    assert [str(move) for move in moves] == ["a <- x", "b <- y", "c <- z"]


# --- all functions {0..4} → {0..4} ----------------------------------------------------------------------------------


def shortest_lengths(names: int, spare: int) -> dict[tuple[int, ...], int]:
    """Fewest moves to each contents of `names` locations, with `spare` scratch ones, by breadth-first search."""
    start = tuple(range(names)) + (-1,) * spare
    places = range(names + spare)
    moves = [(dst, src) for dst in places for src in places if dst != src]
    seen = {start}
    best = {start[:names]: 0}
    queue = deque([(start, 0)])
    while queue:
        state, length = queue.popleft()
        for dst, src in moves:
            if state[src] == state[dst]:
                continue
            after = state[:dst] + (state[src],) + state[dst + 1 :]
            if after not in seen:
                seen.add(after)
                best.setdefault(after[:names], length + 1)
                queue.append((after, length + 1))
    return best


def cycles_that_no_copy_leaves(function: tuple[int, ...]) -> int:
    """Counted from the definition: longer than one, and no name outside the cycle reads from it."""
    count = 0
    seen: set[int] = set()
    for start in range(len(function)):
        orbit = [start]
        while function[orbit[-1]] not in orbit:
            orbit.append(function[orbit[-1]])
        if function[orbit[-1]] != start or len(orbit) == 1 or start in seen:
            continue
        seen.update(orbit)
        count += all(reader in orbit for reader in range(len(function)) if function[reader] in orbit)
    return count


def test_every_function_on_five_names_is_done_in_the_fewest_moves():
    shortest = shortest_lengths(5, spare=1)
    for function in itertools.product(range(5), repeat=5):
        new_temporary, taken = temporaries()
        copies = [Copy(str(dst), str(src)) for dst, src in enumerate(function)]
        moves = sequentialise(copies, new_temporary)
        state = run(moves, {str(index): index for index in range(5)})
        assert tuple(state[str(index)] for index in range(5)) == function
        changed = sum(dst != src for dst, src in enumerate(function))
        lonely = cycles_that_no_copy_leaves(function)
        assert len(moves) == shortest[function] == changed + lonely
        assert len(taken) == min(lonely, 1)


def test_a_second_scratch_location_would_not_make_it_shorter():
    assert shortest_lengths(4, spare=1) == shortest_lengths(4, spare=2)


# --- larger ones, constants, conversions ----------------------------------------------------------------------------

LADDER = ("int", "number", "value")  # every conversion goes up and loses nothing: number(5) is not int(5)


def convert(content: tuple[str, str], to: str) -> tuple[str, str]:
    kind, datum = content
    assert LADDER.index(kind) <= LADDER.index(to), f"no conversion from {kind} to {to}"
    return (to, datum)


@st.composite
def typed_parallel_copies(draw):
    count = draw(st.integers(1, 24))
    names = [f"n{index}" for index in range(count)]
    kinds = {name: draw(st.sampled_from(LADDER)) for name in names}
    copies: list[Copy[str]] = []
    for dst in names:
        below = [name for name in names if LADDER.index(kinds[name]) <= LADDER.index(kinds[dst])]
        choice = draw(st.integers(-2, len(below) - 1))
        if choice == -1:
            copies.append(Copy(dst, Constant((kinds[dst], f"constant for {dst}"))))
        elif choice >= 0:
            copies.append(Copy(dst, below[choice]))
    return kinds, draw(st.permutations(copies))


@settings(max_examples=400, deadline=None)
@given(typed_parallel_copies())
def test_conversions_and_constants(sample):
    kinds, copies = sample
    start = {name: (kind, name.upper()) for name, kind in kinds.items()}
    wanted = dict(start)
    for copy in copies:
        source = copy.src.value if isinstance(copy.src, Constant) else start[copy.src]
        wanted[copy.dst] = convert(source, kinds[copy.dst])

    kinds = dict(kinds)
    taken: list[str] = []

    def new_temporary(name: str) -> str:
        taken.append(f"tmp{len(taken)}")
        kinds[taken[-1]] = kinds[name]
        return taken[-1]

    moves = sequentialise(copies, new_temporary, kinds.__getitem__)
    state = dict(start)
    for move in moves:
        source = move.src.value if isinstance(move.src, Constant) else state[move.src]
        state[move.dst] = convert(source, kinds[move.dst])
        assert state[move.dst][0] == kinds[move.dst]
    assert {name: state[name] for name in start} == wanted
    assert len(taken) <= len(LADDER)


@settings(max_examples=200, deadline=None)
@given(st.integers(2, 40).flatmap(lambda n: st.lists(st.integers(0, n - 1), min_size=n, max_size=n)))
def test_larger_functions(function):
    copies = [Copy(f"n{dst}", f"n{src}") for dst, src in enumerate(function)]
    moves = sequentialise(copies, temporaries()[0])
    state = run(moves, {f"n{index}": index for index in range(len(function))})
    assert [state[f"n{index}"] for index in range(len(function))] == function
    changed = sum(dst != src for dst, src in enumerate(function))
    assert len(moves) == changed + cycles_that_no_copy_leaves(tuple(function))


def test_a_converting_leaf_does_not_stand_in_for_its_source():
    """`c` receives a converted `a`, so the cycle of `a` and `b` has no other copy of either and needs a temporary."""
    kinds = {"a": "int", "b": "int", "c": "value", "tmp0": "int"}
    moves = sequentialise(parse("a<-b, b<-a, c<-a"), temporaries()[0], kinds.__getitem__)
    assert len(moves) == 4
    assert all(move.src != "c" for move in moves)


def test_a_hundred_thousand_copies_in_one_cycle():
    size = 100_000
    moves = sequentialise([Copy(dst, (dst + 1) % size) for dst in range(size)], lambda _: size)
    assert len(moves) == size + 1
