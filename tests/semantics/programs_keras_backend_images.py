"""The convolutions, poolings and sizes of tf.keras.backend: nodes and values."""

from harness import Near, attempt, fresh, graph_of, program
from programs_keras_layers import numbers

# 1.15 looks for a GPU in a session, for which it initializes variables: a node `init`
ATTRIBUTES = ("padding", "strides", "ksize", "data_format")


def built(tf, np, function, *shapes, **options):
    """The nodes and the value of function(x, y, …) of numbers of these shapes."""

    def made():
        inputs = [tf.constant(numbers(np, *shape), name=name) for shape, name in zip(shapes, "xyzw")]
        before = len(inputs)
        z = function(*inputs)
        graph = graph_of(tf, *ATTRIBUTES, since=before)
        graph["nodes"] = [line for line in graph["nodes"] if not line.startswith(("init =", "init_1 =", "group_deps"))]
        return [graph, Near(tf.Session().run(z), 1e-4)]

    return fresh(tf, made)


@program
def convolutions(tf, np):
    K = tf.keras.backend
    first = {"data_format": "channels_first"}
    return [
        built(tf, np, lambda x, k: K.conv1d(x, k), (2, 5, 3), (2, 3, 4)),
        built(tf, np, lambda x, k: K.conv1d(x, k, padding="causal", dilation_rate=2), (2, 5, 3), (2, 3, 4)),
        built(tf, np, lambda x, k: K.conv1d(x, k, 2, "same", **first), (2, 3, 5), (2, 3, 4)),
        built(tf, np, lambda x, k: K.conv2d(x, k, (2, 1), "same"), (2, 5, 5, 3), (2, 2, 3, 4)),
        built(tf, np, lambda x, k: K.conv2d(x, k, **first), (2, 3, 5, 5), (2, 2, 3, 4)),
        built(tf, np, lambda x, k: K.conv2d(x, k, dilation_rate=(2, 1)), (2, 5, 5, 3), (2, 2, 3, 4)),
        built(tf, np, lambda x, k: K.conv3d(x, k), (1, 3, 3, 4, 2), (2, 2, 2, 2, 3)),
        built(tf, np, lambda x, k: K.conv3d(x, k, **first), (1, 2, 3, 3, 4), (2, 2, 2, 2, 3)),
        built(tf, np, lambda x, k: K.conv2d_transpose(x, k, (2, 8, 8, 3), (2, 2), "same"), (2, 4, 4, 4), (3, 3, 3, 4)),
        built(tf, np, lambda x, k: K.conv2d_transpose(x, k, (2, 3, 8, 8), (2, 2), "same", **first), (2, 4, 4, 4), (3, 3, 3, 4)),
        built(tf, np, lambda x, k: K.conv2d_transpose(x, k, (2, 6, 6, 3), dilation_rate=(2, 2)), (2, 4, 4, 4), (2, 2, 3, 4)),
        built(tf, np, lambda x, d, p: K.separable_conv2d(x, d, p), (2, 5, 5, 3), (2, 2, 3, 2), (1, 1, 6, 4)),
        built(tf, np, lambda x, d, p: K.separable_conv2d(x, d, p, (2, 2), **first), (2, 3, 5, 5), (2, 2, 3, 2), (1, 1, 6, 4)),
        built(tf, np, lambda x, k: K.local_conv1d(x, k, (2,), (1,)), (2, 4, 2), (3, 4, 3)),
        built(tf, np, lambda x, k: K.local_conv2d(x, k, (2, 1), (1, 1), (2, 2)), (2, 3, 2, 2), (4, 4, 2)),
        built(tf, np, lambda x, k: K.local_conv2d(x, k, (2, 1), (1, 1), (2, 2), **first), (2, 2, 3, 2), (4, 4, 2)),
    ]


@program
def poolings(tf, np):
    K = tf.keras.backend
    first = {"data_format": "channels_first"}
    return [
        built(tf, np, lambda x: K.pool2d(x, (2, 2)), (2, 4, 4, 3)),
        built(tf, np, lambda x: K.pool2d(x, (2, 2), (2, 1), "same", pool_mode="avg", **first), (2, 3, 4, 4)),
        built(tf, np, lambda x: K.pool3d(x, (2, 2, 2)), (1, 3, 3, 3, 2)),
        built(tf, np, lambda x: K.pool3d(x, (2, 2, 2), pool_mode="avg", **first), (1, 2, 3, 3, 3)),
        built(tf, np, lambda x: K.resize_images(x, 2, 3, "channels_last"), (2, 2, 2, 3)),
        built(tf, np, lambda x: K.resize_images(x, 2, 2, "channels_first", interpolation="bilinear"), (2, 3, 2, 2)),
        built(tf, np, lambda x: K.resize_volumes(x, 1, 2, 2, "channels_last"), (1, 2, 2, 2, 1)),
        built(tf, np, lambda x: K.resize_volumes(x, 2, 1, 1, "channels_first"), (1, 1, 2, 2, 2)),
    ]


@program
def normalizations(tf, np):
    K = tf.keras.backend

    def positive(v):
        return v * v + 0.1

    def trained(*axes):
        return lambda *inputs: K.normalize_batch_in_training(*inputs, reduction_axes=list(axes))[0]

    return [
        built(tf, np, lambda x, m, v: K.batch_normalization(x, m, positive(v), None, None), (2, 3), (3,), (3,)),
        built(tf, np, lambda x, m, v, g: K.batch_normalization(x, m, positive(v), m, g, epsilon=0.1), (2, 3, 4), (4,), (4,), (4,)),
        built(tf, np, lambda x, m, v, g: K.batch_normalization(x, m, positive(v), g, m, axis=-1), (2, 4, 4, 3), (3,), (3,), (3,)),
        built(tf, np, lambda x, m, v: K.batch_normalization(x, m, positive(v), None, None, axis=3), (2, 4, 4, 3), (1, 1, 1, 3), (1, 1, 1, 3)),
        built(tf, np, trained(0), (4, 3), (3,), (3,)),
        built(tf, np, trained(0, 1, 2), (4, 2, 2, 3), (3,), (3,)),
        built(tf, np, lambda x: trained(0, 1, 2)(x, None, None), (4, 2, 2, 3)),
        built(tf, np, lambda x, g: trained(0, 2, 3)(x, g, None), (4, 3, 2, 2), (3,)),
        built(tf, np, trained(0, 2), (4, 3, 2), (3,), (3,)),
    ]


@program
def bad_images(tf, np):
    K = tf.keras.backend
    x, v, one = tf.zeros([1, 2, 2, 1]), tf.zeros([1, 2, 2, 2, 1]), tf.zeros([1, 1, 1, 1])
    return [
        attempt(lambda: K.pool2d(x, (2, 2), pool_mode="x")), attempt(lambda: K.pool2d(x, (2, 2), padding="x")),
        attempt(lambda: K.conv1d(tf.zeros([1, 2, 1]), tf.zeros([1, 1, 1]), data_format="x")),
        attempt(lambda: K.conv1d(tf.zeros([1, 2, 1]), tf.zeros([1, 1, 1]), padding="x")),
        attempt(lambda: K.resize_images(x, 2, 2, "x")), attempt(lambda: K.resize_images(x, 2, 2, "channels_last", "x")),
        attempt(lambda: K.resize_volumes(v, 2, 2, 2, "x")), attempt(lambda: K.conv2d_transpose(x, one, (1, 2, 2, 1), padding="x")),
        attempt(lambda: K.conv2d(x, one, data_format="x")), attempt(lambda: K.pool3d(v, (1, 1, 1), data_format="x")),
    ]  # fmt: skip
