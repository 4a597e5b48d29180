"""tf.contrib.layers: layer_norm, instance_norm, group_norm."""

from harness import fresh, program, signature_text
from programs_contrib_layers import built, graph


def images(tf, np, dtype="float32", shape=(2, 2, 3, 6)):
    return tf.constant(np.random.RandomState(3).uniform(-2, 3, shape).astype(dtype), name="x")


@program
def signatures(tf, np):
    return {name: signature_text(getattr(tf.contrib.layers, name)) for name in ("group_norm", "instance_norm", "layer_norm")}


@program
def layer_norm(tf, np):
    norm = tf.contrib.layers.layer_norm
    ramps = tf.initializers.random_uniform(0.5, 2.0, seed=1)
    with tf.variable_scope("", initializer=ramps):
        pass
    return {
        "plain": built(tf, lambda: norm(images(tf, np))),
        "all": built(tf, lambda: norm(
            images(tf, np), activation_fn=tf.nn.relu, variables_collections={"beta": ["b"], "gamma": ["g"]}, outputs_collections="out",
            trainable=False, begin_norm_axis=2, begin_params_axis=2, scope="mine")),
        "no beta": built(tf, lambda: norm(images(tf, np), center=False, begin_norm_axis=-1, variables_collections=["v"])),
        "neither": built(tf, lambda: norm(images(tf, np), center=False, scale=False, begin_params_axis=1)),
        "float16": built(tf, lambda: norm(images(tf, np, "float16", (3, 4)), scale=False)),
        "float64": built(tf, lambda: norm(images(tf, np, "float64", (3, 4)))),
        "unknown batch": graph(tf, lambda: norm(tf.placeholder(tf.float32, [None, 4, 6]))),
    }  # fmt: skip


@program
def instance_norm(tf, np):
    norm = tf.contrib.layers.instance_norm
    initializers = {"beta": tf.constant_initializer(0.5), "gamma": tf.constant_initializer(2.0)}
    return {
        "plain": built(tf, lambda: norm(images(tf, np))),
        "all": built(tf, lambda: norm(
            images(tf, np), epsilon=0.5, activation_fn=tf.nn.relu, param_initializers=initializers, variables_collections={"beta": ["b"]},
            outputs_collections="out", scope="mine")),
        "NCHW": built(tf, lambda: norm(images(tf, np), data_format="NCHW", param_initializers=initializers)),
        "no beta": built(tf, lambda: norm(images(tf, np), center=False, trainable=False)),
        "rank 3": graph(tf, lambda: norm(tf.placeholder(tf.float32, [None, None, 6]))),
        "rank 5": graph(tf, lambda: norm(tf.placeholder(tf.float32, [None, 6, 2, 2, 2]), data_format="NCHW", scale=False)),
    }  # fmt: skip


@program
def group_norm(tf, np):
    norm = tf.contrib.layers.group_norm
    initializers = {"beta": tf.constant_initializer(0.5), "gamma": tf.constant_initializer(2.0)}
    first = {"channels_axis": -3, "reduction_axes": [-2, -1]}
    return {
        "plain": built(tf, lambda: norm(images(tf, np), 3)),
        "all": built(tf, lambda: norm(
            images(tf, np), 2, epsilon=0.5, activation_fn=tf.nn.relu, param_initializers=initializers, variables_collections={"beta": ["b"]},
            outputs_collections="out", scope="mine", trainable=False)),
        "channels first": built(tf, lambda: norm(images(tf, np, shape=(2, 6, 2, 3)), 2, mean_close_to_zero=True, scale=False, **first)),
        "no beta": built(tf, lambda: norm(images(tf, np), 6, center=False, mean_close_to_zero=True)),
        "rank 3": graph(tf, lambda: norm(tf.zeros([2, 5, 6]), 2, reduction_axes=[-2])),
        "over the batch": built(tf, lambda: norm(images(tf, np), 2, reduction_axes=[0])),
        "unknown batch": graph(tf, lambda: norm(tf.placeholder(tf.float32, [None, None, 4, 6]), 2, reduction_axes=[2])),
        "unknown size": fresh(tf, lambda: norm(tf.placeholder(tf.float32, [2, 4, None, 6]), 2)),
    }  # fmt: skip


@program
def wrong_arguments(tf, np):
    layers = tf.contrib.layers

    def unknown(*sizes):
        return tf.placeholder(tf.float32, list(sizes) or None, name="x")

    def x():
        return images(tf, np)

    return {
        "layer rank": fresh(tf, lambda: layers.layer_norm(unknown())),
        "layer params axis": fresh(tf, lambda: layers.layer_norm(x(), begin_params_axis=4)),
        "layer norm axis": fresh(tf, lambda: layers.layer_norm(x(), begin_norm_axis=4)),
        "layer sizes": fresh(tf, lambda: layers.layer_norm(unknown(2, None))),
        "layer vector": fresh(tf, lambda: layers.layer_norm(tf.zeros([3]))),
        "instance rank": fresh(tf, lambda: layers.instance_norm(unknown())),
        "instance format": fresh(tf, lambda: layers.instance_norm(x(), data_format="channels_first")),
        "instance channels": fresh(tf, lambda: layers.instance_norm(unknown(2, 3, None))),
        "group rank": fresh(tf, lambda: layers.group_norm(unknown())),
        "group channels": fresh(tf, lambda: layers.group_norm(unknown(2, 4, 4, None), 2)),
        "groups": fresh(tf, lambda: layers.group_norm(x(), 4)),
        "too many groups": fresh(tf, lambda: layers.group_norm(x())),
        "channels axis": fresh(tf, lambda: layers.group_norm(x(), 2, channels_axis=9)),
        "reduction axis": fresh(tf, lambda: layers.group_norm(x(), 2, reduction_axes=[9])),
        "axes": fresh(tf, lambda: layers.group_norm(x(), 2, reduction_axes=[3])),
    }


@program
def gradients(tf, np):
    def of(norm, **options):
        def run():
            x = images(tf, np)
            y = norm(x, **options)
            w = tf.constant(np.random.RandomState(5).uniform(-1, 1, (2, 2, 3, 6)).astype("f"))
            return tf.gradients(tf.reduce_sum(y * y * y * w), [x] + tf.trainable_variables())

        return built(tf, run)[1]

    layers = tf.contrib.layers
    return [of(layers.layer_norm), of(layers.instance_norm), of(layers.group_norm, groups=3), of(layers.group_norm, groups=2, mean_close_to_zero=True)]
