"""Graphs in files: what is written comes back, what is broken is refused as a whole, and size is no obstacle."""

import os
import stat
import time
import tracemalloc

import pytest

import tfedu as tf


def small_graph():
    with tf.Graph().as_default() as graph:
        x = tf.placeholder(tf.float32, [None, 2], name="x")
        tf.matmul(x, tf.constant([[1.0], [2.0]]), name="y")
    return graph


# -- write and load ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "as_text"), [("g.pb", False), ("g.pbtxt", True), ("odd name ü", True), ("noend", False)])
def test_a_graph_comes_back_from_its_file(tmp_path, name, as_text):
    graph = small_graph()
    path = tf.io.write_graph(graph, str(tmp_path / "new" / "folder"), name, as_text=as_text)
    assert path == str(tmp_path / "new" / "folder" / name)
    assert tf.io.load_graph_def(path) == graph.as_graph_def()
    assert tf.io.load_graph_def((tmp_path / "new" / "folder" / name).read_bytes()) == graph.as_graph_def()


def test_train_and_io_name_the_same_function():
    assert tf.train.write_graph is tf.io.write_graph


def test_a_message_is_written_as_it_is(tmp_path):
    message = small_graph().as_graph_def()
    path = tf.train.write_graph(message, str(tmp_path), "g.pb", False)
    assert open_bytes(path) == message.SerializeToString()


def open_bytes(path):
    with open(path, "rb") as file:
        return file.read()


def test_a_file_is_replaced_as_a_whole_and_nothing_else_is_left(tmp_path):
    path = tf.io.write_graph(small_graph(), str(tmp_path), "g.pb", False)
    before = open_bytes(path)

    class Breaks:
        def SerializeToString(self):
            raise RuntimeError("no")

    with pytest.raises(RuntimeError):
        tf.io.write_graph(Breaks(), str(tmp_path), "g.pb", False)
    assert open_bytes(path) == before
    assert os.listdir(tmp_path) == ["g.pb"]
    mask = os.umask(0)
    os.umask(mask)
    assert stat.S_IMODE(os.stat(path).st_mode) == 0o666 & ~mask


def test_meta_graphs_come_back_from_both_kinds_of_file(tmp_path):
    with tf.Graph().as_default():
        tf.get_variable("v", [2], initializer=tf.ones_initializer())
        tf.add_to_collection("n", 7)
        for name, as_text in (("m.meta", False), ("m.txt", True)):
            message = tf.train.export_meta_graph(str(tmp_path / name), as_text=as_text)
            with tf.Graph().as_default():
                tf.train.import_meta_graph(str(tmp_path / name))
                assert tf.get_collection("n") == [7]
                assert [v.name for v in tf.trainable_variables()] == ["v:0"]
                assert tf.train.export_meta_graph().collection_def["variables"] == message.collection_def["variables"]


# -- files that are broken -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("data", "kind"), [
    (b"\xff\xfe\x00", tf.errors.DataLossError),
    (b"\n\x05abc", tf.errors.DataLossError),
    (b"\x0a\xff\xff\xff\xff\x0f", tf.errors.DataLossError),
    (b"node { name: ", tf.errors.InvalidArgumentError),
    (b"node { name: 3 }", tf.errors.InvalidArgumentError),
    (b"nodes { }", tf.errors.InvalidArgumentError),
    (b"node { name: '\xc3' }", tf.errors.InvalidArgumentError),
    (b'node { name: "\\xff" }', tf.errors.InvalidArgumentError),
    (b"node { attr { value { func { " * 5000, tf.errors.InvalidArgumentError),
    (b"{" * 1_000_000, tf.errors.InvalidArgumentError),
    (b"node { attr { key: 'a' value { i: 99999999999999999999999 } } }", tf.errors.InvalidArgumentError),
    (b"node { attr { key: 'a' value { type: DT_NOPE } } }", tf.errors.InvalidArgumentError),
])  # fmt: skip
def test_what_is_no_message_is_refused_with_the_users_line(data, kind):
    with pytest.raises(kind, match="Can't parse GraphDef bytes") as caught:
        tf.io.load_graph_def(data)
    assert "test_files.py" in str(caught.value)


def test_a_binary_message_nested_too_deep_is_data_loss():
    nested = b""
    for _ in range(5000):
        nested = b"\x12" + varint(len(nested)) + nested  # a type in a type
    node = b"\x3a" + varint(len(nested)) + nested
    with pytest.raises(tf.errors.DataLossError):
        tf.io.load_graph_def(b"\x0a" + varint(len(node)) + node)


def varint(number):
    out = bytearray()
    while number > 127:
        out.append(number & 127 | 128)
        number >>= 7
    return bytes([*out, number])


def test_a_missing_file_is_not_found(tmp_path):
    with pytest.raises(tf.errors.NotFoundError, match="No such file or directory"):
        tf.io.load_graph_def(str(tmp_path / "nothing.pb"))
    with pytest.raises(OSError, match="does not exist"):
        tf.train.import_meta_graph(str(tmp_path / "nothing.meta"))


def test_a_broken_meta_graph_is_refused_and_leaves_nothing(tmp_path):
    with tf.Graph().as_default():
        tf.get_variable("v", [2], initializer=tf.ones_initializer())
        message = tf.train.export_meta_graph()
    for spoil in (
        lambda m: m.collection_def["variables"].bytes_list.value.append(b"\xff\xff"),
        lambda m: m.collection_def["cond_context"].bytes_list.value.append(b"\x12\x03zzz"),
        lambda m: m.collection_def["x"].node_list.value.append("nope:0"),
        lambda m: m.collection_def["variables"].bytes_list.value.append(b"\x0a\x06nope:0"),
        lambda m: m.graph_def.node.add(name="v", op="NoOp"),
    ):
        broken = tf.MetaGraphDef.FromString(message.SerializeToString())
        spoil(broken)
        with tf.Graph().as_default() as graph:
            with pytest.raises((ValueError, tf.errors.DataLossError)):
                tf.train.import_meta_graph(broken)
            assert graph.get_operations() == []
            assert graph.get_all_collection_keys() == []


# -- claims ----------------------------------------------------------------------------------------------------------------


def claiming(sizes, **values):
    message = tf.GraphDef()
    node = message.node.add(name="c", op="Const")
    node.attr["dtype"].type = 1
    tensor = node.attr["value"].tensor
    tensor.dtype = 1
    for size in sizes:
        tensor.tensor_shape.dim.add().size = size
    for field, value in values.items():
        getattr(tensor, field).extend(value)
    return message


@pytest.mark.parametrize("sizes", [[2**40], [2**31, 2**31], [2**62, 2**62], [2**20, 2**20, 0, 5], [2**63 - 1]])
@pytest.mark.parametrize("values", [{}, {"float_val": [1.0]}, {"float_val": [1.0, 2.0]}])
def test_a_small_file_that_claims_much_takes_little(sizes, values):
    tracemalloc.start()
    began = time.process_time()
    try:
        with tf.Graph().as_default():
            if 0 in sizes and values:
                with pytest.raises(ValueError, match="Cannot parse tensor"):
                    tf.import_graph_def(claiming(sizes, **values))
            elif 0 in sizes:
                tf.import_graph_def(claiming(sizes, **values))
            else:
                refused = ValueError, tf.errors.ResourceExhaustedError
                with pytest.raises(refused, match=r"is too large|bytes or more; its budget"):
                    tf.import_graph_def(claiming(sizes, **values))
        assert tracemalloc.get_traced_memory()[1] < 64 << 20
    finally:
        tracemalloc.stop()
    assert time.process_time() - began < 2


def test_a_node_that_claims_many_outputs_is_refused():
    message = tf.GraphDef()
    node = message.node.add(name="p", op="Placeholder")
    node.attr["dtype"].type = 1
    for op, count in (("Split", "num_split"), ("Unpack", "num")):
        node = message.node.add(name=op, op=op)
        node.input.extend(["p", "p"] if op == "Split" else ["p"])
        node.attr["T"].type = 1
        node.attr[count].i = 2**60
    message.node[1].input[0] = "z"
    zero = message.node.add(name="z", op="Const")
    zero.attr["dtype"].type = 3
    zero.attr["value"].tensor.CopyFrom(tf.make_tensor_proto(0))
    with tf.Graph().as_default(), pytest.raises(tf.errors.ResourceExhaustedError, match="outputs or more; its budget"):
        tf.import_graph_def(message)


# -- size ------------------------------------------------------------------------------------------------------------------


def chain(length):
    message = tf.GraphDef()
    message.node.add(name="n0", op="Placeholder").attr["dtype"].type = 1
    for at in range(1, length + 1):
        node = message.node.add(name=f"n{at}", op="Identity")
        node.input.append(f"n{at - 1}")
        node.attr["T"].type = 1
    return message


def test_a_chain_of_100_000_nodes_comes_in_and_goes_out():
    message = chain(100_000)
    with tf.Graph().as_default() as graph:
        (end,) = tf.import_graph_def(message, return_elements=["n100000:0"], name="")
        assert end.dtype == tf.float32
        assert len(graph.as_graph_def().node) == 100_001


def test_a_long_chain_is_cut_and_shortened():
    message = chain(20_000)
    assert len(tf.graph_util.extract_sub_graph(message, ["n20000"]).node) == 20_001
    assert [n.input for n in tf.graph_util.remove_training_nodes(message, ["n20000"]).node][-1] == ["n0"]


def test_a_cycle_of_10_000_nodes_is_refused():
    message = tf.GraphDef()
    for at in range(10_000):
        message.node.add(name=f"n{at}", op="NoOp").input.append(f"^n{(at + 1) % 10_000}")
    with tf.Graph().as_default(), pytest.raises(ValueError, match="10000 nodes in a cycle"):
        tf.import_graph_def(message)


# -- what an import leaves and tells -------------------------------------------------------------------------------------


def test_a_failed_import_leaves_no_node_no_name_and_no_device():
    message = small_graph().as_graph_def()
    message.node.add(name="last", op="Identity").input.append("y")
    with tf.Graph().as_default() as graph:
        with tf.name_scope("a"):
            tf.no_op(name="x")
        names = dict(graph._names)
        with graph.device("/gpu:0"), tf.control_dependencies([tf.no_op(name="first")]) as _:
            kept = (graph._device_stack, graph._control_stack)
            with pytest.raises(ValueError, match="NodeDef missing attr"):
                tf.import_graph_def(message, name="i")
            assert (graph._device_stack, graph._control_stack) == kept
        names["first"] = graph._names.pop("first")
        assert graph._names | {"first": 1} == names
        assert [op.name for op in graph.get_operations()] == ["a/x", "first"]
        tf.import_graph_def(small_graph().as_graph_def(), name="i")
        assert graph.get_operations()[-1].name == "i/y"


def test_an_unknown_op_says_what_is_near():
    message = tf.GraphDef()
    message.node.add(name="a", op="MatMull")
    with tf.Graph().as_default(), pytest.raises(tf.errors.NotFoundError) as caught:
        tf.import_graph_def(message)
    assert str(caught.value).startswith("Op type not registered 'MatMull' in binary running on")
    assert "did you mean 'MatMul'?" in str(caught.value)
    assert "test_files.py" in str(caught.value)


def test_a_function_of_the_file_is_named_as_such():
    message = tf.GraphDef()
    message.library.function.add().signature.name = "mine"
    message.node.add(name="a", op="mine")
    with tf.Graph().as_default(), pytest.raises(tf.errors.NotFoundError, match=r"tf\.function"):
        tf.import_graph_def(message)


def test_a_near_name_is_offered_for_a_missing_element():
    with tf.Graph().as_default(), pytest.raises(ValueError, match="did you mean 'x'"):
        tf.import_graph_def(small_graph().as_graph_def(), return_elements=["X:0"])


def test_an_op_without_kernel_loads_and_is_drawn_and_says_so_when_it_is_to_run():
    message = tf.GraphDef()
    message.node.add(name="r", op="RecordInput").attr["file_pattern"].s = b"*.records"
    message.node.add(name="n", op="SdcaFprint").input.append("r")
    with tf.Graph().as_default() as graph:
        tf.import_graph_def(message, name="")
        prints = graph.get_tensor_by_name("n:0")
        assert prints.dtype == tf.int64
        assert graph.get_operation_by_name("r").get_attr("file_random_seed") == 301
        assert "SdcaFprint" in tf.show(graph).svg
        with tf.Session() as session, pytest.raises(tf.errors.NotFoundError, match="Op type not registered 'RecordInput'"):
            session.run(prints)


def test_another_packages_message_is_read_too():
    """TensorFlow's or TensorBoard's own GraphDef has another class; its bytes are the same."""
    from google.protobuf import descriptor_pb2, descriptor_pool, message_factory

    pool = descriptor_pool.DescriptorPool()
    file = descriptor_pb2.FileDescriptorProto(name="other.proto", package="other", syntax="proto3")
    node = file.message_type.add(name="NodeDef")
    node.field.add(name="name", number=1, type=9, label=1)
    node.field.add(name="op", number=2, type=9, label=1)
    graph = file.message_type.add(name="GraphDef")
    graph.field.add(name="node", number=1, type=11, type_name=".other.NodeDef", label=3)
    pool.Add(file)
    other = message_factory.GetMessageClass(pool.FindMessageTypeByName("other.GraphDef"))()
    other.node.add(name="a", op="NoOp")
    with tf.Graph().as_default() as graph:
        tf.import_graph_def(other, name="")
        assert [op.type for op in graph.get_operations()] == ["NoOp"]


def test_a_producers_new_default_attributes_go():
    with tf.Graph().as_default() as graph:
        tf.no_op(name="a")
        message = graph.as_graph_def()
    message.node[0].attr["newer"].i = 3
    message.node[0].attr["other"].i = 4
    ops = tf.MetaGraphDef().meta_info_def.stripped_op_list
    op = ops.op.add(name="NoOp")
    for name in ("newer", "other"):
        op.attr.add(name=name, type="int").default_value.i = 3
    with tf.Graph().as_default() as graph:
        tf.import_graph_def(message, name="", producer_op_list=ops)
        assert sorted(graph.get_operations()[0].node_def.attr) == ["other"]


def test_errors_carry_the_node_as_a_message():
    with tf.Graph().as_default():
        x = tf.placeholder(tf.float32, name="x")
        with tf.Session() as session, pytest.raises(tf.errors.InvalidArgumentError) as caught:
            session.run(x)
    assert isinstance(caught.value.node_def, tf.NodeDef)
    assert (caught.value.node_def.name, caught.value.node_def.op) == ("x", "Placeholder")


def test_a_group_that_is_set_by_hand_is_bytes_as_all_groups_are():
    with tf.Graph().as_default() as graph:
        a, b = tf.constant(1.0, name="a"), tf.constant(2.0, name="b")
        value = tf.AttrValue()
        value.list.s.append(b"loc:@a")
        b.op._set_attr("_class", value)
        assert b.op.colocation_groups() == [b"loc:@a"]
        with tf.Graph().as_default() as other:
            tf.import_graph_def(graph.as_graph_def(), name="")
            assert other.get_operation_by_name("b").colocation_groups() == [b"loc:@a"]
        assert a.op.colocation_groups() == [b"loc:@a"]


def test_a_string_attribute_that_is_no_text_stays_as_it_is():
    with tf.Graph().as_default() as graph:
        tf.Variable(1.0, name="v")
        message = graph.as_graph_def()
    message.node[1].attr["container"].s = b"\xff\xfe"
    with tf.Graph().as_default() as graph:
        tf.import_graph_def(message, name="")
        assert graph.get_operation_by_name("v").get_attr("container") == b"\xff\xfe"
        assert graph.as_graph_def().node[1].attr["container"].s == b"\xff\xfe"
