"""tf.layers' pooling, in one to three dimensions."""

# ruff: noqa: B023 - each function is called in its turn of the loop

from harness import attempt, fresh, graph_of, program

NAMES = ("max_pooling1d", "max_pooling2d", "max_pooling3d", "average_pooling1d", "average_pooling2d", "average_pooling3d")


def inputs(rank, first=False):
    return (None, 3, *(9, 8, 7)[:rank]) if first else (None, *(9, 8, 7)[:rank], 3)


def built(tf, function, shape, *args, **options):
    def build():
        made = getattr(tf.layers, function)(tf.placeholder(options.pop("dtype", tf.float32), shape, name="x"), *args, **options)
        return [made, graph_of(tf, "ksize", "strides", "padding", "data_format")]

    return fresh(tf, build)


@program
def graphs(tf, np):
    made = []
    for name in NAMES:
        rank = int(name[-2])
        made.append(built(tf, name, inputs(rank), 2, 2))
        made.append(built(tf, name, inputs(rank, True), 2, 3, "same", "channels_first", name="mine"))
        made.append(built(tf, name, (None,) * (rank + 2), (2,) * rank, (1,) * rank))
    made.append(built(tf, "max_pooling2d", inputs(2, True), (3, 2), (2, 1), data_format="channels_first"))
    return made


@program
def dtypes(tf, np):
    kinds = (tf.int32, tf.float16, tf.float64)
    return [built(tf, name, (None, 9, 8, 3), 2, 2, dtype=kind) for name in ("max_pooling2d", "average_pooling2d") for kind in kinds]


@program
def bad_arguments(tf, np):
    rows = [
        {"pool_size": (2,)}, {"pool_size": None}, {"strides": None}, {"padding": "foo"}, {"data_format": "x"}, {"pool_size": 20},
        {"pool_size": 2.5}, {"strides": (1, 2, 3)},
    ]  # fmt: skip

    def shape_of(options):
        arguments = {"pool_size": 2, "strides": 2}
        arguments.update(options)
        return tf.layers.max_pooling2d(tf.placeholder(tf.float32, (None, 9, 8, 3)), **arguments).shape

    made = [fresh(tf, lambda: shape_of(options)) for options in rows]
    shapes = ((None, 9, 8), None)
    return made + [fresh(tf, lambda: tf.layers.average_pooling2d(tf.placeholder(tf.float32, shape), 2, 2)) for shape in shapes]


@program
def as_objects(tf, np):
    answers = []
    for name in ("MaxPooling1D", "MaxPooling2D", "MaxPooling3D", "AveragePooling1D", "AveragePooling2D", "AveragePooling3D"):
        kind = getattr(tf.layers, name)
        layer = kind(2, 3, name="own")
        rank = int(name[-2])
        first = kind(2, 3, data_format="channels_first", padding="same")
        config = layer.get_config()
        answers.append(
            [
                [[key, config[key]] for key in sorted(config)],
                layer.compute_output_shape((None,) + (9,) * rank + (3,)),
                layer.compute_output_shape((None,) * (rank + 2)),
                attempt(lambda: layer.compute_output_shape(None)),
                first.compute_output_shape((None, 3) + (9,) * rank),
                repr(layer.input_spec),
                kind(2, 3).name,
            ]
        )
    return answers


@program
def values(tf, np):
    def value(name, first):
        rank = int(name[-2])
        shape = (2, 2, *(5, 4, 3)[:rank]) if first else (2, *(5, 4, 3)[:rank], 2)
        x = tf.constant((np.arange(np.prod(shape), dtype=np.float32).reshape(shape) * 7 % 11 - 5) / 5.0)
        out = getattr(tf.layers, name)(x, 2, 2, padding="same", data_format="channels_first" if first else "channels_last")
        with tf.Session() as sess:
            return sess.run([out, tf.gradients(out, x)[0]])

    # TF pools images with the channels first on GPUs only.
    return [fresh(tf, lambda: value(name, first)) for name in NAMES for first in (False, True) if not (first and "2d" in name)]
