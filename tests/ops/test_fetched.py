"""What a run gave belongs to the caller: writing on it changes no later run, whichever op made it."""

import cases
import harness
import numpy as np
import pytest

import tfedu as tf

FAMILIES = cases.load()


def scribble(values):
    """Overwrites every array that can be overwritten."""
    for value in values:
        if isinstance(value, np.ndarray) and value.flags.writeable and value.size:
            value[...] = b"scribbled" if value.dtype == object else np.zeros((), value.dtype)


@pytest.mark.parametrize("family", FAMILIES)
def test_a_fetched_array_is_the_callers_own(family):
    for key, row in FAMILIES[family].items():
        with tf.Graph().as_default():
            fed = [tf.placeholder(cases.dtype_of(tf, i), i.shape) for i in row.inputs]
            built = harness.attempt(lambda row=row, fed=fed: row.call(tf, *fed))
            if isinstance(built, harness.Failure):
                continue
            several = built if isinstance(built, (list, tuple)) else [built]
            outputs = [t for t in several if isinstance(t, tf.Tensor) and t not in fed]
            stateful = any(op.definition.stateful for op in tf.get_default_graph().get_operations() if op.definition)
            feed = dict(zip(fed, [i.copy() for i in row.inputs], strict=True))
            with tf.Session() as session:
                for _ in range(2):  # the second run is compiled
                    first = harness.attempt(lambda o=outputs, f=feed, s=session: s.run(o, f))
                if isinstance(first, harness.Failure):
                    continue
                expected = harness.encode(tf, first)
                scribble(first)
                assert all(np.array_equal(feed[p], i, equal_nan=i.dtype.kind in "fc") for p, i in zip(fed, row.inputs)), key
                if not stateful:
                    assert harness.encode(tf, session.run(outputs, feed)) == expected, key


@pytest.mark.parametrize(("rows", "columns"), [(300, 301), (256, 1024), (1, 70_000), (70_000, 3)])
def test_a_large_transpose_is_copied_whole_however_its_rows_lie(rows, columns):
    given = np.arange(rows * columns, dtype=np.int32).reshape(rows, columns)
    with tf.Graph().as_default(), tf.Session() as session:
        x = tf.placeholder(tf.int32)
        turned = tf.transpose(x)
        for _ in range(2):  # the second run is compiled
            fetched = session.run(turned, {x: given})
            assert np.array_equal(fetched, given.T)
            assert fetched.flags.c_contiguous
            assert fetched.flags.owndata
