"""Functions that nodes hold, in GraphDefs: written, read, and refused."""

import numpy as np
import pytest

import tfedu as tf


def pipeline():
    """Nested functions, captured tensors, and an iterator that holds its dataset."""
    rate, data = tf.constant(2.0, name="rate"), tf.data.Dataset
    mapped = data.range(6).map(lambda x: (tf.cast(x, tf.float32) * rate, x)).filter(lambda a, b: a > 2)
    flat = mapped.flat_map(lambda a, b: data.from_tensors(a).repeat(b).map(lambda q: q + rate)).shuffle(3, seed=4)
    return flat.batch(4).make_one_shot_iterator().get_next()


def results(x, count=2):
    with tf.Session(graph=x.graph) as sess:
        return [sess.run(x).tolist() for _ in range(count)]


def test_a_graph_from_a_message_calls_the_same_functions():
    with tf.Graph().as_default() as graph:
        expected = results(tf.identity(pipeline(), name="x"))
        message = graph.as_graph_def()
    names = {function.signature.name for function in message.library.function}
    assert len(names) == len(message.library.function) == 5
    with tf.Graph().as_default() as again:
        (x,) = tf.import_graph_def(message, return_elements=["x:0"], name="")
        assert results(x) == expected
        assert again.as_graph_def() == message


def test_a_graph_without_functions_has_no_library():
    with tf.Graph().as_default() as graph:
        tf.constant(1)
        assert not graph.as_graph_def().HasField("library")


def message_of(build):
    with tf.Graph().as_default() as graph:
        build()
        return graph.as_graph_def()


def test_a_function_that_the_library_lacks_is_named():
    message = message_of(lambda: tf.data.Dataset.range(3).map(lambda x: x))
    del message.library.function[:]
    with tf.Graph().as_default() as graph:
        with pytest.raises(tf.errors.NotFoundError, match=r"function '__inference_.*' of attribute f is not in the library"):
            tf.import_graph_def(message)
        assert not graph.get_operations()


def test_a_function_that_calls_itself_is_refused():
    message = message_of(lambda: tf.data.Dataset.range(3).flat_map(lambda x: tf.data.Dataset.range(x).map(lambda y: y)))
    outer = next(f for f in message.library.function if f.signature.name.startswith("__inference_Dataset_flat_map"))
    node = next(node for node in outer.node_def if node.op == "MapDataset")
    node.attr["f"].func.name = outer.signature.name
    with tf.Graph().as_default(), pytest.raises(ValueError, match="calls itself"):
        tf.import_graph_def(message)


def test_a_call_can_be_drawn_and_stepped_through():
    with tf.Graph().as_default():
        rate = tf.constant(3.0)
        (function,) = tf.data.Dataset.range(3).map(lambda x: tf.cast(x, tf.float32) * rate).functions
    assert "Mul" in [op.type for op in function.get_operations()]
    assert "mul" in tf.show(function)._repr_mimebundle_()["image/svg+xml"]
    feeds = {function.arguments[0]: np.int64(2), **dict.fromkeys(function.captures.values(), 3.0)}
    stepper = tf.widgets.StepThrough(function.outputs[0], feeds)
    assert "15 steps" in str(stepper)
