"""Functions of ragged tensors give what Python gives for the nested lists."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tfedu as tf

SAMPLE = settings(max_examples=15, deadline=None)
LONG = settings(max_examples=1000, derandomize=False, deadline=None)
NUMBER = st.integers(-9, 9)
ROW = st.lists(NUMBER, max_size=4)
ROWS = st.lists(ROW, min_size=1, max_size=5)
DEEP = st.lists(st.lists(ROW, max_size=3), min_size=1, max_size=4)
INDICES = st.lists(st.integers(0, 3), min_size=1, max_size=4)


def made(lists, rank=1):
    return tf.ragged.constant(lists, dtype=tf.int32, ragged_rank=rank)


def listed(*built):
    """The values as nested lists."""
    with tf.Session() as session:
        values = [v.to_list() if hasattr(v, "to_list") else v.tolist() for v in session.run(list(built))]
    return values if len(values) > 1 else values[0]


def arithmetic(lists, column):
    x, column = made(lists), [column[i % len(column)] for i in range(len(lists))]
    dense = tf.constant([[c] for c in column])
    unknown = tf.placeholder_with_default([[c] for c in column], [None, None])
    expected = [[n - c for n in row] for row, c in zip(lists, column)]
    assert listed(tf.subtract(x, dense), x - unknown, 0 - (dense - x)) == [expected] * 3
    assert listed(x * x, x + 1) == [[[n * n for n in row] for row in lists], [[n + 1 for n in row] for row in lists]]


def deep_arithmetic(lists, number):
    x = made(lists, 2)
    size = len(lists)
    by_block = tf.constant(np.arange(size).reshape(size, 1, 1), tf.int32)
    expected = [[[n + i for n in row] for row in rows] for i, rows in enumerate(lists)]
    assert listed(x + by_block) == expected
    again = made(lists, 2)
    assert listed(tf.maximum(x, again)) == lists
    assert listed(tf.multiply(number, x)) == [[[number * n for n in row] for row in rows] for rows in lists]


def whole_rows(lists, others):
    x, y = made(lists), made(others)
    assert listed(tf.concat([x, y], 0)) == lists + others
    paired = others[: len(lists)] + [[]] * (len(lists) - len(others))
    z = made(paired)
    assert listed(tf.concat([x, z, x], 1)) == [a + b + a for a, b in zip(lists, paired)]
    assert listed(tf.stack([x, y])) == [lists, others]
    assert listed(tf.stack([x, z], 1)) == [[a, b] for a, b in zip(lists, paired)]
    condition = [i % 2 == 0 for i in range(len(lists))]
    assert listed(tf.where(condition, x, z)) == [a if c else b for a, b, c in zip(lists, paired, condition)]


def tiles(lists, deep, rows, columns):
    assert listed(tf.tile(made(lists), [rows, columns])) == [row * columns for row in lists] * rows
    expected = [[row * columns for row in block] * rows for block in deep]
    assert listed(tf.tile(made(deep, 2), [1, rows, columns])) == expected


def axes_of_size_one(lists, deep):
    x, y = made(lists), made(deep, 2)
    assert listed(tf.expand_dims(x, 0), tf.expand_dims(x, 1)) == [[lists], [[row] for row in lists]]
    assert listed(tf.expand_dims(x, 2)) == [[[n] for n in row] for row in lists]
    for axis in range(4):
        assert listed(tf.squeeze(tf.expand_dims(y, axis), axis)) == deep
    assert listed(tf.rank(y), tf.size(y)) == [3, sum(len(row) for block in deep for row in block)]


def choices(lists, indices):
    x = made(lists)
    places = [i % len(lists) for i in indices]
    assert listed(tf.gather(x, places)) == [lists[i] for i in places]
    inside = [[i % len(row) for i in indices] if row else [] for row in lists]
    assert listed(tf.batch_gather(x, made(inside))) == [[row[i] for i in at] for row, at in zip(lists, inside)]
    pairs = [(i, j) for i, at in enumerate(inside) for j in at]
    if pairs:
        assert listed(tf.gather_nd(x, pairs)) == [lists[i][j] for i, j in pairs]
    assert listed(tf.where(x > 0)) == [[i, j] for i, row in enumerate(lists) for j, n in enumerate(row) if n > 0]
    assert listed(tf.gather([10, 20, 30, 40, 50], made(inside))) == [[10 * i + 10 for i in at] for at in inside]


def reductions(lists, deep):
    x, y = made(lists), made(deep, 2)
    by_position = [sum(n for n in column if n is not None) for column in itertools.zip_longest(*lists)]
    assert listed(tf.reduce_sum(x, 0), tf.reduce_sum(x, 1)) == [by_position, [sum(row) for row in lists]]
    assert listed(tf.reduce_sum(y, 2)) == [[sum(row) for row in block] for block in deep]
    assert listed(tf.reduce_sum(y, [1, 2]), tf.reduce_sum(y)) == [
        [sum(map(sum, block)) for block in deep], sum(n for block in deep for row in block for n in row),
    ]  # fmt: skip
    assert listed(tf.reduce_any(x > 0, 1), tf.reduce_all(x > 0, 1)) == [
        [any(n > 0 for n in row) for row in lists], [all(n > 0 for n in row) for row in lists],
    ]  # fmt: skip
    means = listed(tf.reduce_mean(x, 1))
    assert all(np.isnan(m) if not row else np.isclose(m, np.mean(row)) for m, row in zip(means, lists))


def segments(lists, numbers):
    x = made(lists)
    ids = [numbers[i % len(numbers)] for i in range(len(lists))]
    groups = [[row for row, i in zip(lists, ids) if i == k] for k in range(4)]
    expected = [[sum(n or 0 for n in column) for column in itertools.zip_longest(*group)] for group in groups]
    assert listed(tf.unsorted_segment_sum(x, ids, 4)) == expected
    assert listed(*tf.dynamic_partition(x, ids, 4)) == groups
    inside = [[abs(n) % 4 for n in row] for row in lists]
    values = [(n, abs(n) % 4) for row in lists for n in row]
    assert listed(tf.unsorted_segment_sum(x, made(inside), 4)) == [sum(n for n, i in values if i == k) for k in range(4)]


LAWS = {
    arithmetic: (ROWS, INDICES),
    deep_arithmetic: (DEEP, NUMBER),
    whole_rows: (ROWS, ROWS),
    tiles: (ROWS, DEEP, st.integers(0, 3), st.integers(0, 3)),
    axes_of_size_one: (ROWS, DEEP),
    choices: (ROWS, INDICES),
    reductions: (ROWS, DEEP),
    segments: (ROWS, INDICES),
}


def drawn(law, strategies, how):
    def once(arguments):
        with tf.Graph().as_default():
            law(*arguments)

    how(given(st.tuples(*strategies))(once))()


@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.__name__)
def test_functions_of_ragged_tensors_are_those_of_nested_lists(law):
    drawn(law, LAWS[law], SAMPLE)


@pytest.mark.long
@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.__name__)
def test_functions_of_ragged_tensors_are_those_of_nested_lists_in_many_more_examples(law):
    drawn(law, LAWS[law], LONG)
