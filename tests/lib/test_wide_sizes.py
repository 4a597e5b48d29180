"""Sizes from 2^31 on stay what they are: a literal shape that does not fit int32 becomes int64, as in TensorFlow."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tfedu as tf

WIDE = [2**31, 2**32 + 2, 2**40]


def placeholder(*sizes):
    return tf.placeholder(tf.float32, sizes)


# each row: a function of a size n whose result has that size somewhere
ROWS = {
    "fill": (lambda n: tf.fill([n, 3], 1.0), lambda n: [n, 3]),
    "zeros": (lambda n: tf.zeros([n]), lambda n: [n]),
    "zeros of a TensorShape": (lambda n: tf.zeros(tf.TensorShape([n])), lambda n: [n]),
    "zeros of an array": (lambda n: tf.zeros(np.array([n])), lambda n: [n]),
    "ones": (lambda n: tf.ones((n, 2)), lambda n: [n, 2]),
    "zeros_like": (lambda n: tf.zeros_like(placeholder(n)), lambda n: [n]),
    "ones_like": (lambda n: tf.ones_like(placeholder(n)), lambda n: [n]),
    "tile": (lambda n: tf.tile([1.0, 2.0], [n]), lambda n: [2 * n]),
    "tile by an array": (lambda n: tf.tile([1.0, 2.0], np.array([n])), lambda n: [2 * n]),
    "broadcast_to": (lambda n: tf.broadcast_to(1.0, [n]), lambda n: [n]),
    "pad": (lambda n: tf.pad([1.0], [[0, n]]), lambda n: [n + 1]),
    "range": (lambda n: tf.range(n), lambda n: [n]),
    "random_uniform": (lambda n: tf.random_uniform([n]), lambda n: [n]),
    "random_normal": (lambda n: tf.random_normal([n, 2]), lambda n: [n, 2]),
    "reshape": (lambda n: tf.reshape(placeholder(n // 2, 2), [n]), lambda n: [n]),
    "reshape of -1": (lambda n: tf.reshape(placeholder(n // 2, 2), [-1]), lambda n: [n]),
    "slice": (lambda n: tf.slice(placeholder(2 * n), [n], [5]), lambda n: [5]),
    "strided_slice": (lambda n: placeholder(2 * n)[n:], lambda n: [n]),
    "concat": (lambda n: tf.concat([placeholder(n)] * 2, 0), lambda n: [2 * n]),
    "matmul": (lambda n: tf.matmul(placeholder(n, 2), placeholder(2, n)), lambda n: [n, n]),
    "unsorted_segment_sum": (lambda n: tf.unsorted_segment_sum([1.0], [0], np.int64(n)), lambda n: [n]),
    "sequence_mask": (lambda n: tf.sequence_mask([1], n), lambda n: [1, n]),
    "Variable": (lambda n: tf.Variable(tf.zeros([n])), lambda n: [n]),
}


@pytest.mark.parametrize("row", ROWS)
@pytest.mark.parametrize("size", WIDE)
def test_a_static_shape_keeps_a_wide_size(row, size):
    make, wanted = ROWS[row]
    with tf.Graph().as_default():
        assert make(size).shape.as_list() == wanted(size)


@settings(max_examples=100, deadline=None)
@given(st.lists(st.integers(0, 2**36) | st.integers(0, 9), min_size=1, max_size=3), st.sampled_from([list, tuple, np.array]))
def test_a_shape_is_int32_where_it_fits_and_int64_else(sizes, kind):
    with tf.Graph().as_default():
        x = tf.fill(kind(sizes), 1.0)
        assert x.shape.as_list() == sizes
        fits = max(sizes) < 2**31
        assert x.op.inputs[0].dtype is (tf.int32 if fits else tf.int64)
        assert tf.zeros(sizes).shape.as_list() == sizes


@pytest.mark.parametrize("sizes", [[2**32 + 2], [2**33, 0, 1], [2**31, 2]])
def test_a_reshape_that_does_not_fit_is_refused_at_build_and_at_run(sizes):
    count = int(np.prod(sizes, dtype=object))
    with tf.Graph().as_default(), tf.Session() as sess:
        with pytest.raises(ValueError, match=f"Cannot reshape a tensor with 2 elements to shape .* \\({count} elements\\)"):
            tf.reshape([1.0, 2.0], sizes)
        unknown = tf.placeholder_with_default([1.0, 2.0], None)
        for shape in (sizes, tf.placeholder_with_default(np.array(sizes), None)):
            y = tf.reshape(unknown, shape)
            for _ in range(3):
                with pytest.raises(tf.errors.InvalidArgumentError, match=f"with 2 values, but the requested shape has {count}"):
                    sess.run(y)


def test_more_elements_than_a_tensor_has_are_refused_in_tf_s_words():
    with tf.Graph().as_default(), tf.Session() as sess:
        sizes = tf.placeholder(tf.int64, [None])
        text = r"Shape \[4611686018427387904,4\] would have more than 2\*\*63 - 1 elements"
        for y in (tf.fill(sizes, 1.0), tf.broadcast_to(1.0, sizes), tf.random_uniform(sizes), tf.zeros(sizes)):
            for _ in range(3):
                with pytest.raises(tf.errors.InvalidArgumentError, match=text):
                    sess.run(y, {sizes: [2**62, 4]})
        with pytest.raises(tf.errors.InvalidArgumentError, match=r"Shape \[4294967296, 4294967296, -1\] has too many elements"):
            sess.run(tf.reshape([1.0, 2.0], sizes), {sizes: [2**32, 2**32, -1]})


def test_an_empty_value_may_have_a_wide_size():
    with tf.Graph().as_default(), tf.Session() as sess:
        assert sess.run(tf.zeros([0, 2**33])).shape == (0, 2**33)
        assert sess.run(tf.fill([2**33, 0], 1.0)).shape == (2**33, 0)
        assert sess.run(tf.broadcast_dynamic_shape(np.array([2**33, 1]), np.array([1, 2**33]))).tolist() == [2**33] * 2
