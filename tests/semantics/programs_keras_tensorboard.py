"""The callback TensorBoard of tf.keras: the events that it writes, their tags and steps, and the nodes of its summaries."""

import os

from harness import Near, in_folder, node_line, program
from programs_keras_layers import numbers


def events(tf, np, folder):
    """The events of the folder's one file: what they are, and of summaries step, tag and value."""
    told = []
    for name in sorted(name for name in os.listdir(folder) if "tfevents" in name):
        for event in tf.train.summary_iterator(os.path.join(folder, name)):
            kind = event.WhichOneof("what")
            if kind != "summary":
                told.append(kind)
            for value in event.summary.value:
                what = value.WhichOneof("value")
                shown = Near(np.array([value.simple_value]), 1e-4) if what == "simple_value" else None
                if what == "image":
                    shown = [value.image.height, value.image.width, value.image.colorspace]
                if what == "histo":
                    shown = [value.histo.num, len(value.histo.bucket) == len(value.histo.bucket_limit)]
                told.append([event.step, value.tag, what, shown, value.metadata.plugin_data.plugin_name])
    return told


def trained(tf, np, layers, shape, epochs=2, fits=1, validates=True, compile_with=(), **options):
    """The events of `fit` with the callback, and the nodes that the callback made."""

    def run(folder):
        model = tf.keras.Sequential(layers)
        model.compile("sgd", "mse", metrics=list(compile_with))
        model.set_weights([np.abs(numbers(np, *weight.shape)) * 0.3 + 0.01 for weight in model.get_weights()])
        x = numbers(np, 8, *shape)
        y = numbers(np, 8, *model.output_shape[1:])
        before = len(tf.get_default_graph().get_operations())
        callback = tf.keras.callbacks.TensorBoard("logs", profile_batch=0, **options)
        arguments = {"validation_data": (x, y)} if validates else {}
        for _ in range(fits):
            model.fit(x, y, epochs=epochs, batch_size=4, verbose=0, shuffle=False, callbacks=[callback], **arguments)
        made = tf.get_default_graph().get_operations()[before:]
        kinds = ("HistogramSummary", "ImageSummary", "MergeSummary")
        kept = {op for op in made if op.type in kinds}
        near = {t.op for op in kept for t in op.inputs} | {t.op for op in kept for one in op.inputs for t in one.op.inputs}
        near = {op for op in near if op.type not in ("VarHandleOp",) and "gradients" not in op.name}
        return [events(tf, np, "logs"), [node_line(op) for op in made if op in kept or (op in near and op in made)]]

    return in_folder(run)


def small(tf):
    return [tf.keras.layers.Dense(2, input_shape=(3,), name="a"), tf.keras.layers.Dense(1, name="b")]


def on(tf, layers, *args, **kwargs):
    import numpy as np

    with tf.Graph().as_default(), tf.Session():
        return trained(tf, np, layers(), *args, **kwargs)


@program
def values_of_epochs_and_batches(tf, np):
    return [
        on(tf, lambda: small(tf), (3,), compile_with=["mae"]),
        on(tf, lambda: small(tf), (3,), validates=False, write_graph=False),
        on(tf, lambda: small(tf), (3,), update_freq="batch", compile_with=["mae"]),
        on(tf, lambda: small(tf), (3,), update_freq=5),
    ]


@program
def distributions(tf, np):
    L = tf.keras.layers
    return [
        on(tf, lambda: small(tf), (3,), histogram_freq=1),
        on(tf, lambda: small(tf), (3,), histogram_freq=2, epochs=3, write_graph=False),
        on(tf, lambda: small(tf), (3,), histogram_freq=1, epochs=1, write_grads=True),
        on(tf, lambda: [L.Dense(2, input_shape=(3,)), L.BatchNormalization()], (3,), histogram_freq=1, epochs=1, write_grads=True),
    ]


@program
def images(tf, np):
    L = tf.keras.layers
    layers = lambda: [
        L.Conv2D(2, (2, 3), input_shape=(4, 4, 3), name="c"), L.Conv2D(3, 2, use_bias=False, name="d"), L.Conv2D(2, 1, name="p"),
        L.Reshape((2, 2)), L.Conv1D(2, 2, name="e"), L.Flatten(name="f"), L.Dense(1, name="g"), L.Dense(4, name="h"),
    ]  # fmt: skip
    return on(tf, layers, (4, 4, 3), histogram_freq=1, epochs=1, write_images=True)


@program
def two_trainings(tf, np):
    def layers():
        tf.summary.scalar("mine", tf.constant(3.0))
        return small(tf)

    return on(tf, layers, (3,), fits=2, histogram_freq=1, epochs=1, write_graph=False)[1]
