"""Tensor arrays and stacks live for one run, keep their elements unchanged, and are no other kind of resource."""

import gc

import numpy as np
import pytest

import tfedu as tf
from tfedu.engine.ops.tensor_array import Array
from tfedu.engine.ops.value_stacks import Stack


def live_arrays_and_stacks():
    """The tensor arrays and stacks that exist now, without a garbage collection."""
    return [resource for resource in gc.get_objects() if type(resource) in (Array, Stack)]


def loop(x):
    a = tf.TensorArray(tf.float32, 3)
    _, a = tf.while_loop(lambda i, a: i < 3, lambda i, a: (i + 1, a.write(i, x * x)), (0, a))
    return a.stack()


@pytest.mark.parametrize("interpreted", [False, True])
def test_no_array_or_stack_outlives_its_run(interpreted):
    x = tf.placeholder(tf.float32, [2])
    total = loop(x)
    slope = tf.gradients(total, x)[0]  # keeps the values of the loop on stacks
    broken = tf.TensorArray(tf.float32, 1).write(0, x).write(0, x).flow
    assert any(op.type == "StackPushV2" for op in tf.get_default_graph().get_operations())
    gc.collect()
    with tf.Session() as session:
        session.interpreted = interpreted
        for _ in range(3):
            session.run([total, slope], {x: [1.0, 2.0]})
            assert interpreted or live_arrays_and_stacks() == []
        for _ in range(2):
            with pytest.raises(tf.errors.InvalidArgumentError, match="already been written to"):
                session.run(broken, {x: [1.0, 2.0]})
    gc.collect()  # an error has the frames in which it came up
    assert live_arrays_and_stacks() == []


def test_the_sums_of_a_gradient_do_not_change_written_elements():
    x, y = tf.placeholder(tf.float32, [2]), tf.placeholder(tf.float32, [2])
    doubled = y * 2.0
    g = tf.TensorArray(tf.float32, 1).write(0, x).grad("gradients")
    g = g.write(0, doubled).write(0, doubled).write(0, doubled)
    with tf.Session() as session:
        for _ in range(3):
            total, part = session.run([g.read(0), doubled], {x: [0.0, 0.0], y: [1.0, -1.0]})
            assert total.tolist() == [6.0, -6.0]
            assert part.tolist() == [2.0, -2.0]


def test_a_fetched_element_belongs_to_the_caller():
    given = np.zeros(2, np.float32)
    x = tf.placeholder(tf.float32, [2])
    a = tf.TensorArray(tf.float32, 1, clear_after_read=False).write(0, x)
    with tf.Session() as session:
        for _ in range(3):
            first, second = session.run([a.read(0), a.read(0)], {x: given})
            first += 1
            assert second.tolist() == given.tolist() == [0.0, 0.0]


def test_a_handle_of_another_kind_is_refused():
    stack = tf.raw_ops.StackV2(max_size=2, elem_type=tf.float32)
    calls = {
        "tensorflow::Stack": tf.raw_ops.TensorArraySizeV3(handle=stack, flow_in=0.0),
        "tensorflow::TensorArray": tf.raw_ops.StackPopV2(handle=tf.TensorArray(tf.float32, 1).handle, elem_type=tf.float32),
    }
    with tf.Session() as session:
        for kind, call in calls.items():
            with pytest.raises(tf.errors.InvalidArgumentError) as raised:
                session.run(call)
            assert str(raised.value).startswith("Trying to access a handle's resource using the wrong type. The handle points")
            assert f"of type '{kind}' but you are trying to access" in str(raised.value)


def test_each_array_of_one_node_has_its_own_name():
    def inner(i):
        with tf.control_dependencies([tf.TensorArray(tf.int32, 1, tensor_array_name="row").write(i, 1).flow]):
            return tf.identity(i) + 1

    with tf.Session() as session, pytest.raises(tf.errors.InvalidArgumentError, match=r"^TensorArray row_1: Tried to write"):
        session.run(tf.while_loop(lambda i: i < 3, inner, [0]))


def test_the_error_of_a_wrong_use_has_the_line_and_a_fix():
    a = tf.TensorArray(tf.float32, 2)
    uses = {
        "each element is written once": a.write(0, 1.0).write(0, 2.0).flow,
        "give the array a size of 6 or more, or dynamic_size=True": a.write(5, 1.0).flow,
        "nothing was written there before": a.read(0),
    }
    with tf.Session() as session:
        for fix, use in uses.items():
            with pytest.raises(tf.errors.InvalidArgumentError) as raised:
                session.run(use)
            lines = str(raised.value).split("\n")
            assert lines[0].startswith("TensorArray TensorArray_")
            assert any(line.startswith("  where: File ") and "test_tensor_array.py" in line for line in lines)
            assert any(line.startswith("  input 0: TensorArray:0 resource[2]") for line in lines)
            assert lines[-1].startswith(f"  fix: {fix}")


def test_a_write_whose_result_is_not_used_is_logged(caplog):
    def broken(i, a):
        a = a.write(i, 1.0)
        return i + 1 / 0, a

    a = tf.TensorArray(tf.float32, 3)
    with caplog.at_level("ERROR", "tensorflow"):
        a.write(0, 1.0).mark_used()
        b = a.write(1, 1.0)
        b.stack()
        del b
        with pytest.raises(ZeroDivisionError):  # a call that fails leaves no node, so it logs nothing
            tf.while_loop(lambda i, a: i < 3, broken, (0, a))
        gc.collect()
        assert caplog.records == []
        a.write(2, 1.0)
    (record,) = caplog.records
    assert record.getMessage().startswith("Object was never used (type <class ")
    assert "test_tensor_array.py" in record.getMessage()
    assert "a.write(2, 1.0)" in record.getMessage()
