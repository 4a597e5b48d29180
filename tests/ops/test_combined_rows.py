"""Rows that are combined by place give the bits of `ufunc.at`, in rounds and by the compiled loop."""

import numpy as np
import pytest

import tfedu as tf
from tfedu.engine.backends import combined_rows, fused
from tfedu.engine.backends.combined_rows import combine_rows

RANDOM = np.random.default_rng(7)
# places: equally likely, a few with nearly all rows, one each
PLACES = {
    "even": RANDOM.integers(0, 50, 3000),
    "busy": np.minimum(RANDOM.zipf(1.3, 3000) - 1, 49),
    "one place": np.full(3000, 7),
    "each once": RANDOM.permutation(70000)[:3000],
}


def sample(width, dtype, places):
    """(the table, the rows) for 3000 places."""
    sizes = (3000, *width), (places.max() + 2, *width)
    if np.dtype(dtype).kind == "f":
        numbers, table = (RANDOM.standard_normal(size) for size in sizes)
    else:
        numbers, table = RANDOM.integers(0, 99, sizes[0]), np.ones(sizes[1])
    return table.astype(dtype), numbers.astype(dtype)


@pytest.fixture(autouse=True)
def _no_loop(monkeypatch):
    monkeypatch.setattr(combined_rows, "_summed", -(1 << 60))


@pytest.mark.parametrize("places", PLACES)
@pytest.mark.parametrize("width", [(), (1,), (2,), (3,), (8,), (64,), (5, 7)], ids=str)
@pytest.mark.parametrize("ufunc", [np.add, np.subtract, np.multiply, np.maximum, np.minimum], ids=lambda f: f.__name__)
def test_rounds_give_the_bits_of_one_row_after_another(ufunc, width, places, monkeypatch):
    monkeypatch.setattr(combined_rows, "_LEAST", 0)
    at = PLACES[places]
    for dtype in ("float32", "float64", "float16", "int32", "uint8"):
        table, rows = sample(width, dtype, at)
        wanted = table.copy()
        ufunc.at(wanted, at, rows)
        for kind in (np.int32, np.int64):
            found = table.copy()
            combine_rows(ufunc, found, at.astype(kind), rows)
            np.testing.assert_array_equal(found, wanted)


@pytest.mark.parametrize("places", PLACES)
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_the_compiled_loop_gives_the_bits_of_the_rounds(dtype, places, monkeypatch):
    pytest.importorskip("numba")
    at = PLACES[places]
    table, rows = sample((5, 3), dtype, at)
    wanted, found = table.copy(), table.copy()
    combine_rows(np.add, wanted, at, rows)
    monkeypatch.setattr(fused, "WORTH", -(1 << 61))
    combine_rows(np.add, found, at, rows)
    np.testing.assert_array_equal(found, wanted)


def test_no_rows_change_nothing():
    table = np.ones((3, 4), np.float32)
    combine_rows(np.add, table, np.zeros(0, np.int32), np.zeros((0, 4), np.float32))
    combine_rows(np.add, table[:0], np.zeros(0, np.int32), np.zeros((0, 4), np.float32))
    assert (table == 1).all()


@pytest.mark.parametrize("use_resource", [False, True])
def test_a_large_variable_whose_rows_change_is_not_copied(use_resource):
    with tf.Graph().as_default(), tf.Session() as session:
        table = tf.Variable(np.ones((6000, 8), np.float32), use_resource=use_resource, name="table")
        session.run(table.initializer)
        (buffer,) = session.store.buffers.values()
        places, rows = tf.placeholder(tf.int32, [None]), tf.ones([2, 8])
        add, scale = tf.scatter_add(table, places, rows).op, tf.scatter_mul(table, places, 3 * rows).op
        step = tf.train.MomentumOptimizer(1.0, 0.5).apply_gradients([(tf.IndexedSlices(rows, places), table)])
        session.run(tf.global_variables_initializer())
        before = buffer.value.ctypes.data
        for op in (add, scale, step):
            session.run(op, {places: [5, 5999]})
        assert buffer.value.ctypes.data == before
        kept = session.run(table)
        assert kept[5, 0] == kept[5999, 7] == 5
        assert kept[0, 0] == 1
        read = buffer.value
        session.run(add, {places: [5, 5999]})
        assert read[5, 0] == 5
        assert session.run(table)[5, 0] == 6
