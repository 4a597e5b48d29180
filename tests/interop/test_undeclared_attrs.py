"""An attribute that an op type does not declare survives import, export, MetaGraph and Saver as the very message that it was."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tfedu as tf

INTS = st.integers(-(2**63), 2**63 - 1)
FLOATS = st.floats(width=32, allow_nan=False)


def filled(field, value):
    message = tf.AttrValue()
    target = getattr(message, field)
    if hasattr(target, "CopyFrom"):
        target.CopyFrom(value)
    else:
        setattr(message, field, value)
    return message


def listed(field, values):
    message = tf.AttrValue()
    message.list.SetInParent()
    getattr(message.list, field).extend(values)
    return message


@st.composite
def shape_protos(draw):
    shape = tf.AttrValue().shape
    if draw(st.booleans()):
        shape.unknown_rank = True
    for size in draw(st.lists(st.integers(-3, 2**40), max_size=3)):
        shape.dim.add().size = size
    return shape


@st.composite
def tensor_protos(draw):
    values = draw(st.lists(FLOATS, min_size=1, max_size=4) | st.lists(st.binary(max_size=4), min_size=1, max_size=4))
    sizes = draw(st.sampled_from([[len(values)], [5, 7], [2**40], []]))
    message = tf.make_tensor_proto(values)
    if draw(st.booleans()):
        message.ClearField("tensor_shape")
        for size in sizes:
            message.tensor_shape.dim.add().size = size
        message.tensor_shape.unknown_rank = draw(st.booleans())
    return message


@st.composite
def functions(draw):
    function = tf.NameAttrList(name=draw(st.sampled_from(["", "f", "ü"])))
    if draw(st.booleans()):
        function.attr["T"].type = draw(st.integers(0, 130))
        function.attr["inner"].func.name = "g"
    return function


def of(field, values):
    return st.builds(filled, st.just(field), values) | st.builds(listed, st.just(field), st.lists(values, max_size=3))


ATTRS = st.one_of(
    of("s", st.binary(max_size=5)), of("i", INTS), of("f", FLOATS), of("b", st.booleans()), of("type", st.integers(0, 140)),
    of("shape", shape_protos()), of("tensor", tensor_protos()), of("func", functions()),
    st.builds(filled, st.just("placeholder"), st.just("x")), st.builds(tf.AttrValue),
    st.just(tf.AttrValue(list=tf.AttrValue.ListValue(i=[1], s=[b"q"]))),
)  # fmt: skip


def data(message):
    return message.SerializeToString(deterministic=True)


@settings(max_examples=150, deadline=None)
@given(ATTRS, st.sampled_from(["_s", "_shape", "_XlaCompile", "undeclared"]))
def test_an_undeclared_attribute_survives_as_it_was(attr, key):
    sent = tf.GraphDef()
    node = sent.node.add(name="n", op="Placeholder")
    node.attr["dtype"].type = 1
    node.attr[key].CopyFrom(attr)
    with tf.Graph().as_default() as graph:
        tf.import_graph_def(sent, name="")
        op = graph.get_operation_by_name("n")
        tf.identity(op.outputs[0])  # the node is of use
        meta = tf.train.export_meta_graph()
        found = [op.node_def, graph.as_graph_def().node[0], graph.as_graph_def(add_shapes=True).node[0], meta.graph_def.node[0]]
    with tf.Graph().as_default() as graph:
        tf.train.import_meta_graph(meta)
        found.append(graph.as_graph_def().node[0])
        tf.import_graph_def(graph.as_graph_def(), name="again")
        found.append(graph.get_operation_by_name("again/n").node_def)
    for node in found:
        assert data(node.attr[key]) == data(attr)


def test_an_undeclared_tensor_is_never_expanded():
    sent = tf.GraphDef()
    node = sent.node.add(name="n", op="NoOp")
    node.attr["_s"].tensor.CopyFrom(tf.make_tensor_proto(1.0))
    node.attr["_s"].tensor.tensor_shape.dim.add().size = 2**40
    with tf.Graph().as_default() as graph:
        tf.import_graph_def(sent, name="")
        assert graph.as_graph_def().node[0] == node


def test_a_saver_s_meta_graph_has_them(tmp_path):
    shape = filled("shape", tf.TensorShape([3, None]).as_proto())
    with tf.Graph().as_default() as graph, tf.Session() as sess:
        v = tf.Variable(1.0, name="v")
        v.op._set_attr("_s", shape)
        sess.run(v.initializer)
        path = tf.train.Saver().save(sess, str(tmp_path / "m"))
    with tf.Graph().as_default() as graph, tf.Session() as sess:
        tf.train.import_meta_graph(f"{path}.meta").restore(sess, path)
        assert data(graph.get_operation_by_name("v").node_def.attr["_s"]) == data(shape)
        assert sess.run("v:0") == 1.0


@pytest.mark.parametrize(
    ("attr", "value"),
    [
        (listed("i", [1, 2]), [1, 2]), (filled("s", b"\xff"), b"\xff"), (filled("type", 1), tf.float32),
        (listed("type", [3]), [tf.int32]), (tf.AttrValue(), []), (listed("b", []), []), (filled("f", 1.5), 1.5),
    ],
)  # fmt: skip
def test_get_attr_gives_its_value(attr, value):
    with tf.Graph().as_default():
        op = tf.no_op()
        op._set_attr("_s", attr)
        assert op.get_attr("_s") == value


def test_get_attr_gives_shapes_and_tensors_as_messages():
    with tf.Graph().as_default():
        op = tf.no_op()
        shape = tf.TensorShape([3, None]).as_proto()
        op._set_attr("_s", filled("shape", shape))
        assert op.get_attr("_s") == shape
        op._set_attr("_s", listed("shape", [shape, shape]))
        assert op.get_attr("_s") == [shape, shape]
        tensor = tf.make_tensor_proto(1.0, shape=[5])
        op._set_attr("_s", filled("tensor", tensor))
        assert op.get_attr("_s") == tensor
