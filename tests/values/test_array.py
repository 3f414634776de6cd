"""Arrays: order, keys, next index, copies, references and layout."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from ssa2llvm.values.array import PhpArray
from ssa2llvm.values.array_key import offset_key, string_key
from ssa2llvm.values.host import Host, PhpError
from ssa2llvm.values.table import Iterator
from ssa2llvm.values.types import PHP_INT_MAX, PHP_INT_MIN, Ref, Value
from tests.values.oracle import assert_same, source


def _random_program(random_source: random.Random) -> tuple[str, Callable[[Host], Value]]:
    """The same random insertions and removals as PHP text and as a function; the result shows order, keys and next
    index.
    """
    text = "$a = [];"
    steps: list[Callable[[PhpArray], object]] = []
    for _ in range(random_source.randint(1, 40)):
        kind = random_source.random()
        key: Value = random_source.choice(
            [random_source.randint(-3, 20), b"k%d" % random_source.randint(0, 3), b"7", 2.0, True]
        )
        value = random_source.randint(0, 99)
        if kind < 0.45:
            text += f"$a[] = {value};"
            steps.append(lambda array, v=value: array.append(v))
        elif kind < 0.75:
            text += f"$a[{source(key)}] = {value};"
            steps.append(lambda array, k=key, v=value: array.set(offset_key(k, Host()), v))
        else:
            text += f"unset($a[{source(key)}]);"
            steps.append(lambda array, k=key: array.remove(offset_key(k, Host())))

    def run(host: Host) -> Value:
        array = PhpArray(0)
        for step in steps:
            step(array)
        array.append(-1)
        return array

    return f"(function () {{ {text} $a[] = -1; return $a; }})()", run


def test_random_insertions_and_removals() -> None:
    random_source = random.Random(3)
    assert_same([_random_program(random_source) for _ in range(400)])


def test_offsets_become_keys() -> None:
    offsets: list[Value] = [
        None,
        True,
        False,
        0,
        -5,
        1.0,
        1.7,
        -0.0,
        1e30,
        b"",
        b"0",
        b"-0",
        b"-1",
        b"007",
        b"1.0",
        b" 1",
        b"1 ",
    ]
    offsets += [
        b"9223372036854775807",
        b"9223372036854775808",
        b"-9223372036854775808",
        b"-9223372036854775809",
        PhpArray(),
    ]
    assert_same(
        [
            (
                f"(function ($k) {{ $a = []; $a[$k] = 1; return key($a); }})({source(offset)})",
                lambda host, o=offset: offset_key(o, host),
            )
            for offset in offsets
        ]
    )


def test_string_key_limits() -> None:
    assert string_key(b"9223372036854775807") == PHP_INT_MAX
    assert string_key(b"-9223372036854775808") == PHP_INT_MIN
    assert string_key(b"9223372036854775808") == b"9223372036854775808"


def test_append_after_the_largest_key_fails() -> None:
    array = PhpArray.from_items([(PHP_INT_MAX, 1)])
    with pytest.raises(PhpError, match="Cannot add element to the array as the next element is already occupied"):
        array.append(2)


def test_copy_is_independent_and_lazy() -> None:
    original = PhpArray.from_list([1, PhpArray.from_list([2])])
    copy = original.copy()
    assert original.is_shared
    assert copy.shares_table(original)
    copy.set(0, 9)
    assert not original.is_shared
    assert (original.get(0), copy.get(0)) == (1, 9)
    inner = copy.get(1)
    assert isinstance(inner, PhpArray)
    inner.append(3)
    untouched = original.get(1)
    assert isinstance(untouched, PhpArray)
    assert len(untouched) == 1
    del copy, inner
    original.set(0, 5)
    assert original.get(0) == 5


def test_a_reference_nobody_else_holds_is_a_value_in_the_copy() -> None:
    array = PhpArray.from_list([1, 2])
    held = array.reference(0)
    array.reference(1)
    copy = array.copy()
    copy.append(3)
    copy.set(0, 10)
    copy.set(1, 20)
    assert held.value == 10
    assert list(array.values()) == [10, 2]


def test_writing_while_iterating_leaves_the_iteration_alone() -> None:
    array = PhpArray.from_list([1, 2, 3])
    seen = []
    for key, value in array.items():
        seen.append(value)
        array.remove(key)
        array.append(value)
    assert seen == [1, 2, 3]
    assert list(array.keys()) == [3, 4, 5]


def test_iterator_follows_removals_and_sees_appended_entries() -> None:
    array = PhpArray.from_list([10, 11, 12])
    table = array.table_for_write()
    iterator = Iterator(1)
    table.iterators.append(iterator)
    table.remove(1)
    assert table.key_at(iterator.position) == 2
    table.remove(2)
    assert iterator.position == table.used == 1
    table.append(99)
    assert table.element_at(table.advance(iterator.position)) == 99


def test_packed_as_php_stores_it() -> None:
    """Cases worked out from zend_hash.c: gaps that fit the capacity stay packed; reuse of a hole, strings and far
    keys do not.
    """
    assert not PhpArray().is_packed
    assert PhpArray.from_list([1, 2, 3]).is_packed
    assert PhpArray.from_items([(0, 1), (2, 1)]).is_packed
    assert PhpArray.from_items([(7, 1)]).is_packed
    assert not PhpArray.from_items([(8, 1)]).is_packed
    assert not PhpArray.from_items([(1, 1), (0, 1)]).is_packed
    assert not PhpArray.from_items([(b"a", 1)]).is_packed
    assert not PhpArray.from_items([(-1, 1)]).is_packed
    assert PhpArray.from_items([(key, 0) for key in range(5)] + [(9, 0)]).is_packed
    assert not PhpArray.from_items([(key, 0) for key in range(4)] + [(9, 0)]).is_packed


def test_compaction_keeps_entries_and_pointer() -> None:
    array = PhpArray.from_items([(b"k%d" % number, number) for number in range(8)])
    table = array.table_for_write()
    table.pointer = 6
    for number in range(5):
        table.remove(b"k%d" % number)
    table.put(b"new", 8)
    assert table.used == 4
    assert table.key_at(table.pointer) == b"k6"
    assert list(array.values()) == [5, 6, 7, 8]


def test_references_are_written_through() -> None:
    cell = Ref(1)
    array = PhpArray.from_items([(b"x", cell)])
    array.set(b"x", 2)
    assert cell.value == 2
    array.put(b"x", 3)
    assert cell.value == 2
