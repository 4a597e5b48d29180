"""tf.contrib.layers: spatial_softmax, images as sequences; the legacy layers."""

from functools import partial

from harness import fresh, program, signature_text
from programs_contrib_layers import built, graph, rows


def images(tf, np, *shape):
    return tf.constant(np.random.RandomState(3).uniform(-2, 3, shape or (2, 3, 4, 2)).astype("f"), name="x")


@program
def signatures(tf, np):
    layers = tf.contrib.layers
    partials = [getattr(layers, name) for name in ("linear", "relu", "relu6", "elu", "legacy_linear", "legacy_relu")]
    return [
        [signature_text(getattr(layers, name)) for name in ("images_to_sequence", "sequence_to_images", "spatial_softmax")],
        [[isinstance(f, partial), f.func.__name__, sorted(f.keywords), getattr(f.keywords["activation_fn"], "__name__", None)] for f in partials],
    ]


@program
def spatial_softmax(tf, np):
    softmax = tf.contrib.layers.spatial_softmax

    return {
        "plain": built(tf, lambda: softmax(images(tf, np))),
        "all": built(tf, lambda: softmax(images(tf, np), 2.0, "mine", ["v"], False)),
        "collections": built(tf, lambda: softmax(images(tf, np), variables_collections=["v"]))[2]["collections"],
        "NCHW": built(tf, lambda: softmax(images(tf, np), data_format="NCHW")),
        "unknown": graph(tf, lambda: softmax(tf.placeholder(tf.float32, [None, None, None, 2]))),
        "format": fresh(tf, lambda: softmax(images(tf, np), data_format="q")),
        "channels": fresh(tf, lambda: softmax(tf.placeholder(tf.float32, [2, 3, 3, None]))),
    }


@program
def sequences_of_images(tf, np):
    layers = tf.contrib.layers
    return {
        "there": built(tf, lambda: layers.images_to_sequence(images(tf, np), outputs_collections="out")),
        "first": built(tf, lambda: layers.images_to_sequence(images(tf, np), "NCHW", scope="mine")),
        "back": built(tf, lambda: layers.sequence_to_images(images(tf, np, 4, 6, 2), 3, outputs_collections="out")),
        "back first": built(tf, lambda: layers.sequence_to_images(images(tf, np, 4, 6, 2), tf.constant(2), "channels_first", scope="mine")),
        "unknown": graph(tf, lambda: layers.sequence_to_images(layers.images_to_sequence(tf.placeholder(tf.float32, [None, 2, 3, 4])), 2)),
        "format": fresh(tf, lambda: layers.images_to_sequence(images(tf, np), "channels_first")),
        "height": fresh(tf, lambda: layers.sequence_to_images(images(tf, np, 4, 6, 2), 4)),
    }


@program
def legacy(tf, np):
    layers = tf.contrib.layers
    return {
        "plain": built(tf, lambda: layers.legacy_fully_connected(rows(tf), 3, weight_regularizer=layers.l2_regularizer(0.1))),
        "rank 3": built(tf, lambda: layers.legacy_relu(tf.reshape(rows(tf), [2, 2, 2]), 3, name="mine", bias_init=tf.ones_initializer())),
        "linear": graph(tf, lambda: layers.legacy_linear(
            tf.placeholder(tf.float32, [None, None, 4]), 3, bias_init=None, trainable=False, weight_collections=["w"], output_collections=())),
        "rank": fresh(tf, lambda: layers.legacy_fully_connected(tf.zeros([4]), 3)),
        "size": fresh(tf, lambda: layers.legacy_fully_connected(tf.placeholder(tf.float32, [4, None]), 3)),
        "unknown": fresh(tf, lambda: layers.legacy_fully_connected(tf.placeholder(tf.float32), 3)),
    }  # fmt: skip
