"""Pooling where TF 1.15's kernels for the processor refuse, crash or answer what memory holds; pooling by its definition."""

from itertools import product

import numpy as np
import pytest

import tfedu as tf
from tfedu.engine.op import pools
from tfedu.engine.ops.pooling import slides_along

IMAGE = (np.arange(2 * 7 * 6 * 3) * 7919 % 31).reshape(2, 7, 6, 3).astype(np.float32) / 4 - 3
WINDOWS = {"ksize": [1, 2, 2, 1], "strides": [1, 2, 2, 1], "padding": "VALID"}


def value(make):
    with tf.Graph().as_default(), tf.Session() as session:
        return session.run(make())


def first(order):
    """[n, h, w, c] in the order of "NHWC" or "NCHW"."""
    return (0, 1, 2, 3) if order == "NHWC" else (0, 3, 1, 2)


POOLS = {
    "max": lambda x, f: tf.nn.max_pool(x, [3, 2], [2, 1], "SAME", data_format=f),
    "average": lambda x, f: tf.nn.avg_pool(x, [3, 2], [2, 1], "SAME", data_format=f),
    "channels": lambda x, f: tf.nn.max_pool(x, *[[1, 1, 1, 3] if f == "NHWC" else [1, 3, 1, 1]] * 2, "SAME", f),
    "any": lambda x, f: tf.nn.pool(x, [2, 2], "MAX", "VALID", dilation_rate=[2, 1], data_format=f),
}  # fmt: skip


@pytest.mark.parametrize("pool", POOLS.values(), ids=POOLS)
def test_channels_first_gives_what_channels_last_gives(pool):
    with tf.Graph().as_default(), tf.Session() as session:
        last = pool(tf.constant(IMAGE), "NHWC")
        turned = pool(tf.constant(IMAGE.transpose(0, 3, 1, 2)), "NCHW")
        expected, found = session.run([last, turned])
        assert turned.shape.is_compatible_with(found.shape)
        np.testing.assert_array_equal(found.transpose(0, 2, 3, 1), expected)


@pytest.mark.parametrize("name", ["max", "average", "any"])
def test_gradients_of_both_orders_are_the_same_channels_first(name):
    def slopes(order):
        x = tf.constant(IMAGE.transpose(first(order)).copy())
        dx = tf.gradients(POOLS[name](x, order) ** 3, x)[0]
        return [dx, tf.gradients(dx**2, x)[0]]

    for expected, found in zip(value(lambda: slopes("NHWC")), value(lambda: slopes("NCHW")), strict=True):
        np.testing.assert_allclose(found.transpose(0, 2, 3, 1), expected, rtol=1e-6)


@pytest.mark.parametrize("pool", ["max_pool3d", "avg_pool3d"])
def test_volumes_channels_first(pool):
    x = IMAGE.reshape(2, 7, 2, 3, 3)

    def pooled(order):
        t = tf.constant(x if order == "NDHWC" else x.transpose(0, 4, 1, 2, 3))
        y = getattr(tf.nn, pool)(t, [3, 2, 2], [2, 1, 1], "SAME", data_format=order)
        return [y, tf.gradients(y**2, t)[0]]

    for expected, found in zip(value(lambda: pooled("NDHWC")), value(lambda: pooled("NCDHW")), strict=True):
        np.testing.assert_allclose(found.transpose(0, 2, 3, 4, 1), expected, rtol=1e-6)


def test_rows_channels_first():
    rows = IMAGE[:, :, 0]
    expected = value(lambda: tf.nn.max_pool1d(rows, 3, 2, "SAME"))
    found = value(lambda: tf.nn.max_pool1d(rows.transpose(0, 2, 1), 3, 2, "SAME", data_format="NCW"))
    np.testing.assert_array_equal(found.transpose(0, 2, 1), expected)


WRONG = {
    "MaxPoolGrad": (IMAGE, IMAGE[:, :3, :3], IMAGE[:, :3, :3]),
    "MaxPoolGradGrad": (IMAGE, IMAGE[:, :3, :3], IMAGE),
}


@pytest.mark.parametrize("op", WRONG)
@pytest.mark.parametrize(("place", "name"), [(1, "orig_output"), (2, "grad")])
def test_gradients_of_another_shape_are_refused(op, place, name):
    arguments = list(WRONG[op])
    wanted = "[" + ",".join(map(str, arguments[place].shape)) + "]"
    arguments[place] = arguments[place][:, :1]

    def make():
        x, y, g = map(late, arguments)
        return getattr(tf.raw_ops, op)(orig_input=x, orig_output=y, grad=g, **WINDOWS)

    with pytest.raises(tf.errors.InvalidArgumentError) as raised:
        value(make)
    assert raised.value.message.startswith(f"Expected {name} shape to be {wanted}, but got [2,1,")


def late(array):
    return tf.placeholder_with_default(array, None)


MEANINGLESS = {
    "Sliding window ksize for dimension 1 was zero.": lambda: tf.nn.avg_pool(IMAGE, [1, 0, 2, 1], 2, "VALID"),
    "Sliding window ksize field must have non-negative dimensions": lambda: tf.nn.max_pool3d(IMAGE[None], [0, 2, 2], 1, "SAME"),
    "Stride must be > 0, but got 0": lambda: tf.raw_ops.MaxPoolV2(
        input=IMAGE, ksize=[1, 2, 2, 1], strides=late([1, 0, 1, 1]), padding="SAME"
    ),
    "Default MaxPoolingOp only supports NHWC on device type CPU": lambda: tf.raw_ops.MaxPool(
        input=late(IMAGE), data_format="NCHW_VECT_C", **WINDOWS
    ),
    "Pooling ratio is higher than input dimension size for dimension 1. Input dim size: 7 pooling ratio: 9": lambda: (
        tf.nn.fractional_max_pool(IMAGE, [1, 9.0, 1, 1])[0]
    ),
    "Invalid input argmax index: 400 is not in [0, 252)": lambda: tf.raw_ops.MaxPoolGradWithArgmax(
        input=IMAGE, grad=IMAGE[:, :3, :3], argmax=np.full((2, 3, 3, 3), 400), **WINDOWS
    ),
}


@pytest.mark.parametrize("text", MEANINGLESS)
def test_what_has_no_meaning_is_refused_in_words(text):
    with pytest.raises(tf.errors.InvalidArgumentError) as raised:
        value(MEANINGLESS[text])
    assert raised.value.message.split("\n")[0] == text
    assert "where: " in str(raised.value)


OVER_BATCH_OR_CHANNELS = {
    "Fractional max pooling is not yet supported on the batch nor channel dimension.": lambda: (
        tf.nn.fractional_max_pool(IMAGE, [1.5, 1, 1, 1])[0]
    ),
    "MaxPoolWithArgmax is not yet supported on the depth dimension.": lambda: tf.nn.max_pool_with_argmax(
        IMAGE, [1, 1, 1, 3], [1, 1, 1, 3], "SAME"
    ),
}


@pytest.mark.parametrize("text", OVER_BATCH_OR_CHANNELS)
def test_pooling_over_batch_or_channels_is_refused(text):
    with pytest.raises(tf.errors.UnimplementedError, match=text):
        value(OVER_BATCH_OR_CHANNELS[text])


def test_a_ratio_below_1_is_refused_when_the_graph_is_built():
    with pytest.raises(ValueError, match=r"pooling_ratio cannot be smaller than 1, got: 0\.5"):
        value(lambda: tf.nn.fractional_avg_pool(IMAGE, [1, 0.5, 1, 1])[0])


def test_int32_positions_and_gradients_of_the_second_order_by_position():
    with tf.Graph().as_default(), tf.Session() as session:
        y, places = tf.nn.max_pool_with_argmax(IMAGE, [1, 3, 2, 1], [1, 2, 1, 1], "SAME", output_dtype=tf.int32)
        twice = tf.raw_ops.MaxPoolGradGradWithArgmax(
            input=IMAGE, grad=IMAGE, argmax=places, ksize=[1, 3, 2, 1], strides=[1, 2, 1, 1], padding="SAME"
        )
        largest, at, again = session.run([y, places, twice])
    assert at.dtype == np.int32
    np.testing.assert_array_equal(again, largest)
    np.testing.assert_array_equal(IMAGE.reshape(2, -1)[np.arange(2)[:, None], at.reshape(2, -1)].reshape(at.shape), largest)


def by_definition(x, ksize, strides, padding, reduce):
    """Pooling window by window, as the definition says."""
    sizes = x.shape[1:3]
    if padding == "SAME":
        counts = [-(-n // s) for n, s in zip(sizes, strides, strict=True)]
        before = [max((c - 1) * s + k - n, 0) // 2 for c, s, k, n in zip(counts, strides, ksize, sizes, strict=True)]
    else:
        counts, before = [(n - k) // s + 1 for n, k, s in zip(sizes, ksize, strides, strict=True)], [0, 0]
    out = np.empty((x.shape[0], *counts, x.shape[3]), x.dtype)
    for i in range(counts[0]):
        for j in range(counts[1]):
            top, left = i * strides[0] - before[0], j * strides[1] - before[1]
            window = x[:, max(top, 0) : top + ksize[0], max(left, 0) : left + ksize[1]]
            out[:, i, j] = reduce(window, axis=(1, 2))
    return out


@pytest.mark.parametrize("padding", ["SAME", "VALID"])
@pytest.mark.parametrize("seed", range(6))
def test_pooling_is_what_its_definition_says(padding, seed):
    random = np.random.default_rng(seed)
    sizes = random.integers(4, 12, 2)
    ksize, strides = random.integers(1, 5, 2).tolist(), random.integers(1, 5, 2).tolist()
    x = random.integers(-5, 6, (2, *sizes, 3)).astype(np.float64)
    for name, reduce in (("max_pool", np.max), ("avg_pool", np.mean)):
        found = value(lambda name=name: getattr(tf.nn, name)(x, ksize, strides, padding))
        np.testing.assert_allclose(found, by_definition(x, ksize, strides, padding, reduce), rtol=1e-12)


@pytest.mark.parametrize("dtype", ["float32", "float64", "float16", "int32", "uint8"])
@pytest.mark.parametrize("seed", range(8))
def test_a_gradient_goes_to_the_first_maximum_of_its_window(seed, dtype, monkeypatch):
    monkeypatch.setattr(pools, "PART", 500)  # bytes: the kernel works on an image or a few at a time
    random = np.random.default_rng(seed)
    sizes, ksize, strides = random.integers(4, 12, 2), random.integers(1, 5, 2).tolist(), random.integers(1, 5, 2).tolist()
    x = random.integers(0, 4, (5, *sizes, 3)).astype(dtype)
    if x.dtype.kind == "f":
        x[random.random(x.shape) < 0.3] = np.nan
        x[1:3][random.random(x[1:3].shape) < 0.8] = -np.inf
    layout, along = slides_along(x.shape, [1, *ksize, 1], [1, *strides, 1], "SAME" if seed % 2 else "VALID", "NHWC")
    g = random.integers(0, 3, pools.pooled_shape(x, layout, along)).astype(dtype)
    expected = np.zeros(x.shape, dtype)
    for place in np.ndindex(*g.shape):
        starts = [(i * s.stride - s.before, s.window) for i, s in zip(place[1:3], along, strict=True)]
        axes = [range(start, start + window) for start, window in starts]
        met = [(place[0], y, z, place[3]) for y, z in product(*axes) if 0 <= y < sizes[0] and 0 <= z < sizes[1]]
        best = met[0]
        for at in met:
            # A NaN at the first place of a window wins, one at another place never does.
            if not np.isnan(x[best]) and x[at] > x[best]:
                best = at
        expected[best] += g[place]
    np.testing.assert_array_equal(pools.routed_to_first_maximum(np, x, g, layout, along), expected)


def test_a_session_draws_its_fractional_cells_once():
    def cells(session, sequences):
        return [session.run(sequences) for _ in range(3)]

    with tf.Graph().as_default():
        sequences = tf.nn.fractional_max_pool(np.zeros([1, 60, 60, 1], np.float32), [1, 1.4, 1.4, 1])[1:]
        with tf.Session() as one, tf.Session() as other:
            runs = [cells(s, sequences) for s in (one, other)]
    for repeated in runs:
        for rows, columns in repeated[1:]:
            np.testing.assert_array_equal(rows, repeated[0][0])
            np.testing.assert_array_equal(columns, repeated[0][1])
    assert not np.array_equal(runs[0][0][0], runs[1][0][0])
