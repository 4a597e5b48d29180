"""Convolutions equal their definition, also where TF 1.15 has no kernel for processors: NCHW, dilated gradients, groups."""

import itertools

import numpy as np
import pytest

import tfedu as tf
from tfedu.engine.op import windows
from tfedu.engine.ops import correlation

RANDOM = np.random.RandomState(0)


def by_definition(image, filter, along):
    """The sum over the window of image [n, s..., c] times filter [k..., c, o], element by element of the window."""
    layout = windows.Layout(len(along) + 1, tuple(range(1, len(along) + 1)))
    out = np.zeros((len(image), *[s.places for s in along], filter.shape[-1]))
    window = itertools.product(*[range(s.window) for s in along])
    for at, (places, met) in zip(window, windows.elements(layout, along), strict=True):
        out[places] += image[met] @ filter[at]
    return out


def some(*shape):
    return RANDOM.randn(*shape)


@pytest.fixture
def small_parts(monkeypatch):
    """The kernels work on parts of a few lines."""
    monkeypatch.setattr(correlation, "PART", 2000)


@pytest.mark.parametrize("short", [1, 1 << 30], ids=["a product for each line of the window", "one product"])
@pytest.mark.parametrize("channels", [1, 3, 9])
@pytest.mark.parametrize("spatial", [1, 2, 3])
def test_correlation_and_its_gradients_are_what_the_definition_says(spatial, channels, short, small_parts, monkeypatch):
    monkeypatch.setattr(correlation, "SHORT", short)
    draw = np.random.RandomState(spatial * 10 + channels)
    for _ in range(60):
        sizes, window = draw.randint(4, 9, spatial), draw.randint(1, 4, spatial)
        strides, dilations = draw.randint(1, 5, spatial), draw.randint(1, 3, spatial)
        around = list(zip(draw.randint(0, 4, spatial), draw.randint(0, 4, spatial)))
        padding = draw.choice(["SAME", "EXPLICIT"])
        moves = [map(int, values) for values in (sizes, window, strides, dilations)]
        along = windows.slides(*map(tuple, moves), str(padding), [tuple(map(int, pair)) for pair in around])
        image, filter = draw.randn(2, *sizes, channels), draw.randn(*window, channels, 2)
        out = correlation.correlate(np, image, filter, along)
        np.testing.assert_allclose(out, by_definition(image, filter, along), 1e-10, 1e-10)
        # The op is linear in either factor, so its gradients are its adjoints.
        g, dx, df = draw.randn(*out.shape), draw.randn(*image.shape), draw.randn(*filter.shape)
        to_image = correlation.images_gradient(np, filter, g, along)
        to_filter = correlation.kernel_gradient(np, image, g, along)
        assert to_image.shape == image.shape
        np.testing.assert_allclose((to_image * dx).sum(), (g * by_definition(dx, filter, along)).sum(), 1e-9, 1e-9)
        np.testing.assert_allclose((to_filter * df).sum(), (g * by_definition(image, df, along)).sum(), 1e-9, 1e-9)


FIRST, LAST = {4: [0, 3, 1, 2], 5: [0, 4, 1, 2, 3]}, {4: [0, 2, 3, 1], 5: [0, 2, 3, 4, 1]}


def with_gradients(call, image, filter):
    """The value of a convolution, and the gradients of its squared sum."""
    with tf.Graph().as_default(), tf.Session() as session:
        x, f = tf.constant(image), tf.constant(filter)
        y = call(x, f)
        return session.run([y, *tf.gradients(tf.reduce_sum(y * y), [x, f])])


# Convolutions of an input in format d; m brings values for n, s..., c into the format's order.
CALLS = {
    "conv2d": (lambda x, f, m, d: tf.nn.conv2d(x, f, m(1, 2, 1, 1), "SAME", data_format=d), (2, 5, 6, 3), (3, 2, 3, 4)),
    "many channels": (
        lambda x, f, m, d: tf.nn.conv2d(x, f, m(1, 1, 3, 1), "VALID", data_format=d), (2, 5, 6, 9), (3, 2, 9, 4),
    ),
    "padding": (
        lambda x, f, m, d: tf.nn.conv2d(x, f, 1, m((0, 0), (1, 2), (0, 3), (0, 0)), data_format=d), (2, 4, 4, 2), (2, 2, 2, 3),
    ),
    "conv3d": (
        lambda x, f, m, d: tf.nn.conv3d(x, f, m(1, 1, 2, 1, 1), "SAME", data_format=d.replace("HW", "DHW")),
        (1, 3, 4, 5, 2), (2, 2, 3, 2, 3),
    ),
    "depthwise": (
        lambda x, f, m, d: tf.nn.depthwise_conv2d(x, f, m(1, 2, 2, 1), "SAME", data_format=d), (2, 5, 6, 3), (3, 2, 3, 2),
    ),
    "holes": (
        lambda x, f, m, d: tf.nn.convolution(x, f, "SAME", dilation_rate=[2, 2], data_format=d), (2, 5, 6, 3), (3, 2, 3, 4),
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", CALLS)
def test_channels_first_gives_what_channels_last_gives(name):
    call, image, filter = CALLS[name]
    image, filter = some(*image), some(*filter)
    first, last = FIRST[image.ndim], LAST[image.ndim]
    expected = with_gradients(lambda x, f: call(x, f, lambda *v: list(v), "NHWC"), image, filter)
    got = with_gradients(lambda x, f: call(x, f, lambda *v: [v[i] for i in first], "NCHW"), image.transpose(first), filter)
    for e, g in zip(expected, [got[0].transpose(last), got[1].transpose(last), got[2]], strict=True):
        np.testing.assert_allclose(g, e, 1e-9, 1e-9)


def test_a_dilated_filter_is_one_with_zeros_between():
    image, filter = some(2, 9, 8, 3), some(3, 2, 3, 4)
    wide = np.zeros((5, 4, 3, 4))
    wide[::2, ::3] = filter
    dilated = with_gradients(lambda x, f: tf.nn.conv2d(x, f, [2, 1], "SAME", dilations=[2, 3]), image, filter)
    plain = with_gradients(lambda x, f: tf.nn.conv2d(x, f, [2, 1], "SAME"), image, wide)
    plain[2] = plain[2][::2, ::3]
    for d, p in zip(dilated, plain, strict=True):
        np.testing.assert_allclose(d, p, 1e-9, 1e-9)


def test_groups_of_channels_are_convolutions_side_by_side():
    image, filter = some(2, 5, 6, 6), some(3, 2, 2, 9)

    def side_by_side(x, f):
        parts = zip(tf.split(x, 3, 3), tf.split(f, 3, 3))
        return tf.concat([tf.nn.conv2d(part, own, 2, "SAME") for part, own in parts], 3)

    grouped = with_gradients(lambda x, f: tf.nn.conv2d(x, f, 2, "SAME"), image, filter)
    for g, s in zip(grouped, with_gradients(side_by_side, image, filter), strict=True):
        np.testing.assert_allclose(g, s, 1e-9, 1e-9)


def test_a_filter_for_each_channel_is_a_group_for_each_channel():
    image, filter = some(2, 5, 6, 3), some(3, 2, 3, 2)
    depthwise = with_gradients(lambda x, f: tf.nn.depthwise_conv2d(x, f, [1, 2, 2, 1], "SAME"), image, filter)
    grouped = with_gradients(
        lambda x, f: tf.nn.conv2d(x, tf.reshape(f, [3, 2, 1, 6]), [1, 2, 2, 1], "SAME"), image, filter
    )
    for d, g in zip(depthwise, grouped, strict=True):
        np.testing.assert_allclose(d, g, 1e-9, 1e-9)


@pytest.mark.parametrize("rank", [2, 3])
def test_an_empty_filter_is_refused(rank):
    op = tf.nn.conv2d if rank == 2 else tf.nn.conv3d
    for empty in ([0, *[2] * (rank - 1), 3, 4], [*[2] * rank, 0, 4]):
        with tf.Graph().as_default(), tf.Session() as session:
            image, filter = (tf.placeholder(tf.float32) for _ in range(2))
            y = op(image, filter, [1] * (rank + 2), "SAME")
            feed = {image: np.zeros([1, *[5] * rank, empty[-2]]), filter: np.zeros(empty)}
            with pytest.raises(tf.errors.InvalidArgumentError, match="filter must not have zero elements"):
                session.run(y, feed)
    with tf.Graph().as_default(), pytest.raises(ValueError, match="Depth of filter must not be 0"):
        op(tf.zeros([1, *[5] * rank, 0]), tf.zeros([*[2] * rank, 0, 4]), [1] * (rank + 2), "SAME")


def test_no_images_give_a_gradient_of_zeros():
    for call, filter in ((tf.nn.conv2d, some(3, 2, 3, 4)), (tf.nn.depthwise_conv2d, some(3, 2, 3, 2))):
        y, dx, df = with_gradients(lambda x, f, call=call: call(x, f, [1, 1, 1, 1], "SAME"), some(0, 5, 6, 3), filter)
        assert len(y) == len(dx) == 0
        assert df.shape == filter.shape
        assert not df.any()


@pytest.mark.parametrize("channels", [1, 9])
def test_zeros_give_zeros_and_a_nan_stays_in_the_windows_that_meet_it(channels):
    image = np.zeros((1, 12, 12, channels), np.float32)
    image[0, 1:3, 1:3] = 1e30
    image[0, 8, 8] = np.nan
    filter = some(3, 3, channels, 4).astype(np.float32)
    out, dx, _ = with_gradients(lambda x, f: tf.nn.conv2d(x, f, 1, "SAME"), image, filter)
    assert np.isnan(out[0, 7:10, 7:10]).all()
    out[0, 7:10, 7:10] = 0
    assert np.isfinite(out).all()
    assert not out[0, 4:].any()
    assert not out[0, :, 4:].any()
    dx[0, 6:11, 6:11] = 0
    assert not np.isnan(dx).any()


IMAGES, FILTER = (None, 28, 28, 1), (5, 5, 1, 32)
MISTAKES = {
    "channels": (IMAGES, (5, 5, 3, 32), {}, "the filter's last size but one is the number of the input's channels: 1, not 3"),
    "format of the data": ((None, 3, 28, 28), (5, 5, 3, 32), {}, 'data_format="NCHW"'),
    "flat images": ((None, 784), FILTER, {}, "the input is [n, h, w, c]"),
    "rank of the filter": (IMAGES, (5, 5, 32), {}, "the filter is [kh, kw, c, o]"),
    "three strides": (IMAGES, FILTER, {"strides": [1, 1, 1]}, "strides=[1, h, w, 1]"),
    "stride 0": (IMAGES, FILTER, {"strides": 0}, "1 moves the window by one element"),
    "lower case": (IMAGES, FILTER, {"padding": "same"}, 'padding="SAME"'),
    "format": (IMAGES, FILTER, {"data_format": "NWHC"}, 'data_format="NHWC"'),
    "too large": ((None, 4, 4, 1), FILTER, {"padding": "VALID"}, "the window of 5 does not fit into 4"),
}


@pytest.mark.parametrize("name", MISTAKES)
def test_a_mistake_is_told_with_shapes_and_the_fix(name):
    image, filter, options, fix = MISTAKES[name]
    with tf.Graph().as_default():
        x, f = tf.placeholder(tf.float32, image), tf.zeros(filter)
        with pytest.raises(ValueError, match="where:") as error:
            tf.nn.conv2d(x, f, **{"strides": 1, "padding": "SAME", **options})
    assert fix in str(error.value).partition("\n  fix: ")[2]


def test_a_batch_that_differs_at_run_time_is_told_with_all_shapes():
    with tf.Graph().as_default(), tf.Session() as session:
        x = tf.placeholder(tf.float32, [None, 7, 7, 8])
        y = tf.nn.conv2d_transpose(x, tf.zeros([3, 3, 4, 8]), [64, 14, 14, 4], 2)
        with pytest.raises(tf.errors.InvalidArgumentError, match="same batch size") as error:
            session.run(y, {x: np.zeros([32, 7, 7, 8])})
    fix = str(error.value).partition("\n  fix: ")[2]
    assert "input [64,14,14,4], filter [3,3,4,8], out_backprop [32,7,7,8]" in fix
    assert "tf.shape(out_backprop)[0]" in fix


def test_integers_are_told_to_be_cast():
    with tf.Graph().as_default(), pytest.raises(TypeError, match=r"fix: tf.cast\(x, tf.float32\)"):
        tf.nn.conv2d(tf.placeholder(tf.uint8, IMAGES), tf.zeros(FILTER), 1, "SAME")


def test_dilations_of_the_native_depthwise_op_are_warned_of(caplog):
    with tf.Graph().as_default():
        image, filter = tf.zeros([1, 5, 5, 1]), tf.zeros([2, 2, 1, 1])
        tf.nn.depthwise_conv2d_native(image, filter, [1, 1, 1, 1], "SAME", dilations=[1, 2, 2, 1])
    assert "have no effect" in caplog.text
