"""Ragged tensors are nested lists: indexing, masks and conversions give what Python gives for the lists."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tfedu as tf

SAMPLE = settings(max_examples=25)
LONG = settings(max_examples=2000, derandomize=False, deadline=None)
ROWS = st.lists(st.lists(st.integers(-9, 9), max_size=4), max_size=5)
DEEP = st.lists(ROWS, max_size=4)
BOUND = st.none() | st.integers(-6, 6)
SLICES = st.builds(slice, BOUND, BOUND, st.none() | st.integers(1, 3))


def made(lists, rank=1):
    return tf.ragged.constant(lists, dtype=tf.int32, ragged_rank=rank)


def listed(built):
    """The value as nested lists."""
    with tf.Session() as session:
        value = session.run(built)
    return value.to_list() if hasattr(value, "to_list") else value.tolist()


def rows_are_cut_as_lists_are(lists, outer, inner):
    x = made(lists)
    assert listed(x) == lists
    assert listed(x[outer]) == lists[outer]
    assert listed(x[:, inner]) == [row[inner] for row in lists]
    assert listed(x[outer, inner]) == [row[inner] for row in lists[outer]]


def deep_rows_are_cut_as_lists_are(lists, outer, middle, inner):
    x = made(lists, 2)
    assert listed(x) == lists
    assert listed(x[outer, middle]) == [rows[middle] for rows in lists[outer]]
    assert listed(x[:, :, inner]) == [[row[inner] for row in rows] for rows in lists]
    for i in range(len(lists)):
        assert listed(x[i]) == lists[i]


def other_forms_hold_the_same(lists):
    x = made(lists)
    lengths = [len(row) for row in lists]
    width = max(lengths, default=0)
    dense = x.to_tensor(-1)
    assert listed(dense) == [row + [-1] * (width - len(row)) for row in lists]
    assert listed(x.row_lengths()) == lengths
    assert listed(x.value_rowids()) == [i for i, row in enumerate(lists) for _ in row]
    assert listed(tf.RaggedTensor.from_sparse(x.to_sparse())) == lists
    dense.set_shape([None, None])
    assert listed(tf.RaggedTensor.from_tensor(dense, lengths=np.array(lengths, np.int64))) == lists
    assert listed(tf.RaggedTensor.from_value_rowids(x.values, x.value_rowids(), len(lists))) == lists
    assert listed(tf.RaggedTensor.from_row_lengths(x.values, x.row_lengths())) == lists


def masks_choose_as_comprehensions_do(lists):
    x = made(lists)
    assert listed(tf.ragged.boolean_mask(x, x > 0)) == [[n for n in row if n > 0] for row in lists]
    some = [i % 2 == 0 for i in range(len(lists))]
    assert listed(tf.ragged.boolean_mask(x, np.array(some, bool))) == lists[::2]
    assert listed(x * 2 + 1) == [[2 * n + 1 for n in row] for row in lists]


def stacks_hold_their_parts(lists, others):
    x, y = made(lists), made(others)
    assert listed(tf.ragged.stack([x, y])) == [lists, others]
    assert listed(tf.ragged.stack([x, x], axis=1)) == [[row, row] for row in lists]


LAWS = {
    rows_are_cut_as_lists_are: (ROWS, SLICES, SLICES),
    deep_rows_are_cut_as_lists_are: (DEEP, SLICES, SLICES, SLICES),
    other_forms_hold_the_same: (ROWS,),
    masks_choose_as_comprehensions_do: (ROWS,),
    stacks_hold_their_parts: (ROWS, ROWS),
}


def drawn(law, strategies, how):
    def once(arguments):
        with tf.Graph().as_default():
            law(*arguments)

    how(given(st.tuples(*strategies))(once))()


@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.__name__)
def test_ragged_tensors_are_nested_lists(law):
    drawn(law, LAWS[law], SAMPLE)


@pytest.mark.long
@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.__name__)
def test_ragged_tensors_are_nested_lists_in_many_more_examples(law):
    drawn(law, LAWS[law], LONG)


def test_a_single_string_splits_into_a_vector_as_in_1_15():
    assert listed(tf.strings.split("a,b", ",", result_type="RaggedTensor")) == [b"a", b"b"]
