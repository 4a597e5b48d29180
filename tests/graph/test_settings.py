"""New nodes get the devices, attributes and containers of the blocks around them; each block restores the settings at its end."""

import threading

import numpy as np
import pytest

import tfedu as tf


def test_a_failed_call_inside_a_marking_block_leaves_nothing():
    graph = tf.get_default_graph()
    with graph._attr_scope({"_mark": lambda node: 1 / 0}), pytest.raises(ZeroDivisionError):
        tf.no_op(name="n")
    assert graph.get_operations() == []
    assert tf.no_op(name="n").name == "n"


def test_a_device_function_that_fails_leaves_no_node():
    with tf.device(lambda op: 1 / 0), pytest.raises(ZeroDivisionError):
        tf.no_op(name="n")
    assert tf.get_default_graph().get_operations() == []


@pytest.mark.parametrize("device", [3, 1.5, ["/cpu:0"]])
def test_a_device_is_a_name_a_spec_or_a_function(device):
    with pytest.raises(TypeError, match="A device is a name"), tf.device(device):
        pass


def test_two_types_in_one_device_name_are_refused():
    with pytest.raises(ValueError, match="Cannot specify multiple device types: /gpu:0/cpu:0\n  where:"):
        tf.DeviceSpec.from_string("/gpu:0/cpu:0")


def test_a_spec_that_changes_inside_its_block_is_not_read_twice():
    spec = tf.DeviceSpec(job="a")
    with tf.device(spec):
        first = tf.no_op()
        assert first.device == "/job:a"
    spec.job = "b"
    with tf.device(spec):
        assert tf.no_op().device == "/job:b"


def test_blocks_made_in_one_order_and_entered_in_another_nest_as_entered():
    outer, inner = tf.device("/cpu:0"), tf.device("/job:w")
    with inner, outer:
        assert tf.no_op().device == "/job:w/device:CPU:0"


def test_threads_share_devices_until_the_graph_is_switched():
    graph = tf.get_default_graph()
    seen = []

    def build():
        with graph.as_default():
            seen.append(tf.no_op().device)

    def in_a_thread():
        thread = threading.Thread(target=build)
        thread.start()
        thread.join()

    with graph.device("/cpu:0"):
        in_a_thread()
    graph.switch_to_thread_local()
    with graph.device("/cpu:0"):
        in_a_thread()
        assert tf.no_op().device == "/device:CPU:0"
    assert seen == ["/device:CPU:0", ""]


def test_blocks_of_one_thread_do_not_affect_nodes_of_another():
    graph = tf.get_default_graph()
    graph.switch_to_thread_local()
    a = tf.no_op(name="a")
    inside, done = threading.Event(), threading.Event()
    seen = []

    def build():
        with graph.as_default(), graph.control_dependencies([a]):
            inside.set()
            done.wait(5)
            seen.append([op.name for op in tf.no_op().control_inputs])

    thread = threading.Thread(target=build)
    thread.start()
    inside.wait(5)
    assert tf.no_op().control_inputs == []
    done.set()
    thread.join()
    assert seen == [["a"]]


def test_an_override_of_a_gradient_is_on_the_node_and_not_on_the_type():
    graph = tf.get_default_graph()
    with graph.gradient_override_map({"Identity": "Mine"}):
        marked = tf.identity(1.0)
    assert marked.op.get_attr("_gradient_op_type") == b"Mine"
    assert "_gradient_op_type" not in tf.identity(1.0).op.attrs


def test_a_copied_graph_keeps_marks_and_containers():
    from tfedu.engine.graph.copies import copied

    with tf.container("c"), tf.get_default_graph().gradient_override_map({"VariableV2": "Mine"}):
        v = tf.Variable(1.0)
    twin = copied(tf.get_default_graph()).of(v.op)
    assert (twin.attrs["container"], twin.attrs["_gradient_op_type"]) == ("c", b"Mine")


def test_a_tensor_whose_static_value_was_used_cannot_be_fed():
    c = tf.constant(3)
    assert tf.get_static_value(c) == 3
    with tf.Session() as sess, pytest.raises(ValueError, match="may not be fed"):
        sess.run(c, {c: 4})


def test_slices_of_unknown_extent_are_made_dense_with_a_warning():
    slices = tf.IndexedSlices(tf.zeros([1, 2]), tf.constant([0]), tf.placeholder(tf.int32, [2]))
    with pytest.warns(UserWarning, match="dense Tensor of unknown shape"):
        tf.convert_to_tensor(slices)


def test_a_conversion_to_another_than_the_preferred_dtype_is_refused():
    class Thing:
        pass

    tf.register_tensor_conversion_function(Thing, lambda value, dtype=None, name=None, as_ref=False: tf.constant(1))
    assert tf.convert_to_tensor(Thing()).dtype is tf.int32
    with pytest.raises(TypeError, match="convert_to_tensor did not convert to the preferred dtype"):
        tf.convert_to_tensor(Thing(), preferred_dtype=tf.float32)


def test_slices_must_live_in_one_graph():
    with tf.Graph().as_default():
        other = tf.zeros([1])
    with pytest.raises(ValueError, match="must be from the same graph as"):
        tf.IndexedSlices(other, tf.constant([0]))


@pytest.mark.parametrize(
    "enable",
    [tf.enable_v2_behavior, tf.enable_eager_execution, tf.enable_control_flow_v2, tf.enable_tensor_equality,
     tf.enable_v2_tensorshape, tf.function],
)  # fmt: skip
def test_a_feature_of_2_x_says_so(enable):
    with pytest.raises(RuntimeError, match=r"graph mode of 1\.x alone"):
        enable()


@pytest.mark.parametrize(
    "wrong",
    [
        lambda x: x.set_shape([3]), lambda x: bool(x), lambda x: iter(x), lambda x: len(x), lambda x: x.eval(),
        lambda x: x.op.run(), lambda x: tf.constant([[1], [2, 3]]), lambda x: tf.constant(None),
        lambda x: tf.convert_to_tensor(object()),
        lambda x: tf.convert_to_tensor(x, tf.int32), lambda x: tf.device("/what:1").__enter__(),
        lambda x: tf.name_scope("a b").__enter__(), lambda x: tf.get_default_graph().create_op("NoSuchOp", [], []),
        lambda x: tf.raw_ops.Neg(x), lambda x: tf.TensorSpec.from_tensor(3), lambda x: tf.colocate_with(None).__enter__(),
        lambda x: tf.control_dependencies([3]), lambda x: x.graph.get_tensor_by_name("x"),
        lambda x: x.graph.get_operation_by_name("x:0"),
        lambda x: tf.register_tensor_conversion_function(3, None), lambda x: x.op.get_attr("nothing"),
    ],
)  # fmt: skip
def test_every_refusal_names_the_users_line(wrong):
    x = tf.placeholder(tf.float32, [2, 2])
    with pytest.raises(Exception) as refused:
        wrong(x)
    assert "\n  where: " in str(refused.value)
    assert "test_settings.py" in str(refused.value)


def test_a_constant_of_more_than_two_gigabytes_is_refused():
    huge = np.broadcast_to(np.float32(0), (1 << 29,))  # takes four bytes
    with pytest.raises(ValueError, match=r"Cannot create a tensor proto whose content is larger than 2GB\.\n  where: "):
        tf.constant(huge)
