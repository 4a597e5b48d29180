"""Graphs as messages: the output of as_graph_def, and import_graph_def of valid and invalid files.

``written(message)`` is a message as text, without what came after 1.15: the attributes LATER and the producer's number.
"""

from google.protobuf import text_format
from harness import attempt, fresh, node_line, program

LATER = {
    "VarHandleOp": ("allowed_devices", "debug_name"),
    "AssignVariableOp": ("validate_shape",),
    "*": ("_has_manual_control_dependencies",),
}


def without_later(node):
    """Takes off a node what 1.15 does not write."""
    for name in (*LATER.get(node.op, ()), *LATER["*"]):
        if name in node.attr:
            del node.attr[name]
    return node


def written(message):
    copy = type(message)()
    copy.CopyFrom(message)
    if hasattr(copy, "node"):
        copy.ClearField("versions")
        for node in copy.node:
            without_later(node)
    else:
        without_later(copy)
    return text_format.MessageToString(copy).split("\n")


def whole(tf, **options):
    return written(tf.get_default_graph().as_graph_def(**options))


def parsed(tf, text):
    message = tf.GraphDef()
    text_format.Merge(text, message)
    return message


def nodes(graph):
    return [node_line(op) for op in graph.get_operations()]


def plain(result):
    """An error without the name of the machine; anything else as it is."""
    if hasattr(result, "text"):
        result.text = result.text.partition(" in binary running on")[0]
    return result


# -- out -------------------------------------------------------------------------------------------------------------


@program
def constants_of_all_dtypes(tf, np):
    for value, dtype in [
        ([1.5, 2.5], tf.float32), ([1.5, -2.5], tf.float64), ([1, -2], tf.int32), ([1, 2], tf.uint8), ([1, -2], tf.int16),
        ([1, -2], tf.int8), ([1, 2**40], tf.int64), ([1, 2], tf.uint16), ([1, 2], tf.uint32), ([1, 2], tf.uint64),
        (["a", "bc"], tf.string), ([True, False], tf.bool), ([1 + 2j, 3j], tf.complex64), ([1 + 2j, 3j], tf.complex128),
    ]:  # fmt: skip
        tf.constant(value, dtype)
    return whole(tf)


@program
def scalar_constants_of_all_dtypes(tf, np):
    for value, dtype in [
        (1.5, tf.float32), (-2.5, tf.float64), (-2, tf.int32), (2, tf.uint8), (-2, tf.int16), (-2, tf.int8), (2**40, tf.int64),
        (2, tf.uint16), (2, tf.uint32), (2, tf.uint64), ("bc", tf.string), (True, tf.bool), (1 + 2j, tf.complex64),
        (1 + 2j, tf.complex128), (1.5, tf.float16), (1.5, tf.bfloat16), (0, tf.int32), (0.0, tf.float32),
    ]:  # fmt: skip
        tf.constant(value, dtype)
    return whole(tf)


@program
def constants_that_are_filled_up(tf, np):
    tf.constant(3.0, shape=[2, 3])
    tf.constant([1, 2], shape=[5])
    tf.constant([1, 2, 3, 4], shape=[2, 2])
    tf.constant("a", shape=[2])
    tf.constant(True, shape=[3])
    tf.constant([], shape=[0, 2])
    tf.constant(0.0, shape=[])
    return whole(tf)


@program
def constants_of_numpy_arrays(tf, np):
    tf.constant(np.zeros([0, 2], np.float32))
    tf.constant(np.full([3], 2, np.uint8))
    tf.constant(np.arange(6, dtype=np.int64).reshape(2, 3))
    tf.constant(np.array([[1, 2], [3, 4]], order="F"))
    tf.constant(np.array([[1.0, 2], [3, 4]])[:, ::-1])
    tf.constant(np.array(["x", "yz"]))
    tf.constant(np.float64(2.5))
    return whole(tf)


@program
def zeros_and_ones(tf, np):
    tf.zeros([2, 3])
    tf.ones([4], tf.int32)
    tf.zeros([])
    tf.zeros([2], tf.string)
    tf.zeros([2], tf.bool)
    tf.fill([2, 2], 7)
    return whole(tf)


@program
def arithmetic(tf, np):
    x = tf.placeholder(tf.float32, [None, 3], name="x")
    tf.nn.relu(tf.matmul(x, tf.ones([3, 2]), transpose_b=False) + 1.0, name="y")
    return whole(tf)


@program
def arithmetic_with_shapes(tf, np):
    x = tf.placeholder(tf.float32, [None, 3], name="x")
    y = tf.placeholder(tf.float32, name="y")
    tf.matmul(x, tf.ones([3, 2]))
    tf.add_n([x, y])
    tf.split(x, 3, axis=1)
    tf.group(x)
    return whole(tf, add_shapes=True)


@program
def reference_variable(tf, np):
    tf.Variable([1.0, 2.0], name="v")
    return whole(tf)


@program
def resource_variable(tf, np):
    tf.Variable([1.0, 2.0], name="v", use_resource=True)
    return whole(tf)


@program
def variable_from_a_function(tf, np):
    tf.get_variable("v", [2, 2], initializer=tf.ones_initializer())
    return whole(tf, add_shapes=True)


@program
def devices_and_colocation(tf, np):
    with tf.device("/job:ps/task:1"):
        a = tf.constant(1.0, name="a")
    with tf.device("/gpu:0"), tf.colocate_with(a):
        tf.identity(a, name="b")
    with tf.device("/cpu:0"):
        tf.identity(a, name="c")
    return whole(tf)


@program
def control_inputs_stand_in_order_of_their_names(tf, np):
    z, a, m = tf.no_op(name="z"), tf.no_op(name="a"), tf.no_op(name="m")
    x = tf.constant(1.0, name="x")
    with tf.control_dependencies([z, m, a]):
        tf.identity(x, name="y")
    return whole(tf)


@program
def outputs_beside_the_first(tf, np):
    a, b = tf.split(tf.constant([1, 2, 3, 4], name="x"), 2)
    tf.add(b, a, name="sum")
    u = tf.unique(tf.constant([1, 1, 2]))
    tf.identity(u.idx)
    return whole(tf)


@program
def cond_as_a_graph(tf, np):
    p = tf.placeholder(tf.bool, [], name="p")
    x = tf.constant(1.0, name="x")
    tf.cond(p, lambda: x + 1.0, lambda: x * 2.0)
    return whole(tf)


@program
def attributes_of_all_kinds(tf, np):
    x = tf.constant([[1.0, 2.0], [3.0, 4.0]], name="x")
    tf.placeholder(tf.int32, [None, 2])
    tf.placeholder(tf.int32)
    tf.placeholder_with_default(x, [None, 2])
    x[0, ::-1, tf.newaxis]
    tf.squeeze(x, [])
    tf.reduce_sum(x, [0], keepdims=True)
    tf.argmax(x, 1, output_type=tf.int32)
    tf.cast(x, tf.int64)
    tf.transpose(x)
    tf.one_hot(tf.constant([1]), 3)
    tf.random_uniform([2], seed=3)
    tf.Print(x, [x], "message: ", 2, 7)
    tf.Assert(tf.constant(True), [x])
    return whole(tf)


@program
def strings_that_are_no_text(tf, np):
    tf.constant(b"\xff\xfe\x00", name="bytes")
    tf.constant(["\u00fc\u65e5", b"a\nb\"c'"], name="mixed")
    return whole(tf)


@program
def numbers_at_the_edge(tf, np):
    tf.constant([np.nan, np.inf, -np.inf], name="odd")
    tf.constant(float("nan"), name="nan")
    tf.constant(-float("inf"), name="inf")
    tf.constant(-0.0, name="zero")
    tf.constant(1e-45, name="tiny")
    tf.constant([2**31 - 1, -(2**31)], name="ints")
    tf.constant(-(2**63), tf.int64, name="least")
    return whole(tf)


@program
def from_version_changes_nothing(tf, np):
    tf.constant(1.0)
    at = tf.get_default_graph().version
    tf.constant(2.0)
    return [n.name for n in tf.get_default_graph().as_graph_def(from_version=at).node]


@program
def versions_and_library(tf, np):
    tf.constant(1.0)
    message = tf.get_default_graph().as_graph_def()
    versions = tf.get_default_graph().graph_def_versions
    return [message.HasField("library"), message.versions == versions, versions.min_consumer, versions.producer > 0]


@program
def versions_of_a_graph_that_was_loaded(tf, np):
    found = []
    for text in ("versions { producer: 21 }", "versions { producer: 27 min_consumer: 12 bad_consumers: 5 bad_consumers: 3 }", ""):
        with tf.Graph().as_default() as graph:
            tf.no_op()
            tf.import_graph_def(parsed(tf, text))
            found.append(text_format.MessageToString(graph.as_graph_def().versions))
            tf.import_graph_def(parsed(tf, "versions { producer: 24 min_consumer: 7 bad_consumers: 4 }"))
            found.append(text_format.MessageToString(graph.graph_def_versions))
    return found


@program
def node_and_op_messages(tf, np):
    x = tf.placeholder(tf.float32, [2], name="x")
    with tf.control_dependencies([tf.no_op(name="b"), tf.no_op(name="a")]):
        y = tf.identity(x, name="y")
    definition = y.op.op_def
    return [
        written(y.op.node_def),
        type(y.op.node_def).__name__,
        definition.name,
        [(a.name, a.type_attr) for a in definition.input_arg],
        [(a.name, a.type) for a in definition.attr],
        type(definition).__name__,
    ]


@program
def op_messages_tell_defaults_and_flags(tf, np):
    v = tf.Variable(1.0, name="v")
    found = {}
    for op in (v.op, v.initializer, tf.concat([[1], [2]], 0).op, tf.random_uniform([2]).op):
        d = op.op_def
        found[d.name] = [
            [(a.name, a.type, a.type_attr, a.number_attr, a.type_list_attr, a.is_ref) for a in d.input_arg],
            [(a.name, a.type, a.type_attr, a.number_attr, a.type_list_attr, a.is_ref) for a in d.output_arg],
            sorted((a.name, a.type, a.HasField("default_value")) for a in d.attr),
            d.is_stateful,
            d.allows_uninitialized_input,
        ]
    return found


@program
def attributes_by_get_attr(tf, np):
    c = tf.constant([1.0, 2.0], name="c").op
    p = tf.placeholder(tf.int32, [None, 2]).op
    s = tf.squeeze(tf.zeros([1, 2]), [0]).op
    b = tf.identity(c.outputs[0]).op
    a = tf.Assert(tf.constant(True), [c.outputs[0], tf.constant("x")])
    return [
        type(c.get_attr("value")).__name__,
        tf.make_ndarray(c.get_attr("value")),
        c.get_attr("dtype"),
        type(p.get_attr("shape")).__name__,
        [d.size for d in p.get_attr("shape").dim],
        s.get_attr("squeeze_dims"),
        b.get_attr("T"),
        (a.op if hasattr(a, "op") else a).get_attr("T"),
        attempt(lambda: c.get_attr("nope")),
    ]


@program
def set_attr_of_an_operation(tf, np):
    x = tf.constant(1.0, name="x")
    x.op._set_attr("_mine", tf.AttrValue(s=b"yes"))
    x.op._set_attr("_count", tf.AttrValue(i=3))
    return [x.op.get_attr("_mine"), x.op.get_attr("_count"), written(x.op.node_def)]


# -- tensors as messages ---------------------------------------------------------------------------------------------


@program
def tensor_messages(tf, np):
    return [
        text_format.MessageToString(tf.make_tensor_proto(value, **options)).split("\n")
        for value, options in [
            (1.0, {}), ([1, 2], {}), ([[1.0], [2.0]], {"dtype": tf.float64}), ("abc", {}), ([b"a", b"b"], {}), (7, {"dtype": tf.int64}),
            (3.0, {"shape": [2, 2]}), ([1, 2], {"shape": [2, 2]}), (np.float64([1, 2]), {}), (np.int64(3), {}), ([True], {}),
            ([], {}), ([], {"dtype": tf.string}), ([[], []], {}), (1j, {}), (np.zeros([2, 0]), {}), ([1, 2], {"dtype": tf.float32}),
        ]
    ]  # fmt: skip


@program
def tensor_messages_refused(tf, np):
    return [
        attempt(lambda value=value, options=options: tf.make_tensor_proto(value, **options))
        for value, options in [
            (None, {}),
            ([1, 2, 3], {"shape": [2]}),
            ([1, 2], {"shape": [2, 1], "verify_shape": True}),
        ]
    ]


@program
def tensor_messages_back(tf, np):
    found = []
    for value, dtype in [
        ([1.5, 2.5], tf.float32), ([1, 2], tf.uint8), (["a", "bc"], tf.string), ([True, False], tf.bool), ([1 + 2j], tf.complex64),
        (1.5, tf.float16), (2**40, tf.int64), ([], tf.float32), (3, tf.uint64), ([[1], [2]], tf.int16), (2j, tf.complex128),
    ]:  # fmt: skip
        found.append(tf.make_ndarray(tf.make_tensor_proto(value, dtype)))
    found.append(tf.make_ndarray(tf.make_tensor_proto(3.0, shape=[2, 2])))
    found.append(tf.make_ndarray(tf.make_tensor_proto([1, 2], shape=[2, 2])))
    return found


@program
def shapes_as_messages(tf, np):
    return [
        text_format.MessageToString(tf.TensorShape(s).as_proto()).split("\n") for s in (None, [], [2, None], [0, 3])
    ] + [tf.TensorShape(tf.TensorShape(s).as_proto()) for s in (None, [], [2, None])]


@program
def dtypes_by_number(tf, np):
    return [tf.as_dtype(n) for n in (1, 3, 7, 101, 20, 14)] + [tf.float32.as_datatype_enum, tf.AttrValue(type=3).type]


# -- in --------------------------------------------------------------------------------------------------------------

BASE = """
node { name: "a" op: "Placeholder" attr { key: "dtype" value { type: DT_FLOAT } } attr { key: "shape" value { shape { dim { size: 2 } } } } }
node { name: "b" op: "Const" attr { key: "dtype" value { type: DT_FLOAT } }
  attr { key: "value" value { tensor { dtype: DT_FLOAT tensor_shape { dim { size: 2 } } float_val: 1 float_val: 2 } } } }
node { name: "c" op: "Add" input: "a" input: "b" attr { key: "T" value { type: DT_FLOAT } } }
node { name: "d" op: "Identity" input: "b" input: "^c" attr { key: "T" value { type: DT_FLOAT } } }
node { name: "s" op: "Split" input: "zero" input: "c" attr { key: "T" value { type: DT_FLOAT } } attr { key: "num_split" value { i: 2 } } }
node { name: "zero" op: "Const" attr { key: "dtype" value { type: DT_INT32 } }
  attr { key: "value" value { tensor { dtype: DT_INT32 tensor_shape { } int_val: 0 } } } }
node { name: "e" op: "Identity" input: "s:1" attr { key: "T" value { type: DT_FLOAT } } }
"""


@program
def import_under_a_name(tf, np):
    found = []
    for name in (None, "", "x", "x/", "deep/er", "x"):
        with tf.Graph().as_default() as graph:
            tf.no_op(name="x")
            tf.import_graph_def(parsed(tf, BASE), name=name)
            found.append(nodes(graph))
    return found


@program
def import_in_a_name_scope(tf, np):
    with tf.name_scope("outer"):
        tf.import_graph_def(parsed(tf, BASE))
        tf.import_graph_def(parsed(tf, BASE), name="in")
        tf.import_graph_def(parsed(tf, BASE), name="")
    tf.no_op(name="outer/import/a")
    tf.no_op(name="a")
    with tf.name_scope("outer"):
        tf.no_op(name="again")
    return nodes(tf.get_default_graph())


@program
def import_twice(tf, np):
    tf.import_graph_def(parsed(tf, BASE), name="")
    tf.import_graph_def(parsed(tf, BASE), name="")
    tf.import_graph_def(parsed(tf, BASE))
    tf.import_graph_def(parsed(tf, BASE))
    return nodes(tf.get_default_graph())


@program
def names_that_are_taken(tf, np):
    tf.no_op(name="a/inner")
    tf.no_op(name="B")
    tf.no_op(name="c_1")
    tf.no_op(name="c")
    tf.import_graph_def(parsed(tf, BASE), name="")
    tf.no_op(name="d")
    tf.no_op(name="E")
    return nodes(tf.get_default_graph())


@program
def values_of_an_imported_graph(tf, np):
    a, c, d, e, s = tf.import_graph_def(
        parsed(tf, BASE), return_elements=["a:0", "c:0", "d:0", "e:0", "s"], name=""
    )
    with tf.Session() as sess:
        return [a, c, d, e, s, sess.run([c, d, e], {a: [10.0, 20.0]}), sess.run(list(s.outputs), {a: [1.0, 2.0]})]


@program
def return_elements(tf, np):
    def get(elements):
        return fresh(tf, lambda: tf.import_graph_def(parsed(tf, BASE), return_elements=elements))

    return [
        get(e)
        for e in (
            [], ["a"], ["a:0", "s:1", "s"], "a", ("a", "b:0"), ["zz"], ["zz:0"], ["c:3"], ["^a"], ["a:b"], ["a:0:0"], [""], [1], [b"a"], None,
        )
    ]  # fmt: skip


def mapping(tf, make, **options):
    """What an import gives with an input_map made of tensors of the graph; its nodes where it succeeds."""
    with tf.Graph().as_default() as graph:
        z = tf.placeholder(tf.float32, [2], name="z")
        i = tf.placeholder(tf.int32, [2], name="i")
        result = attempt(lambda: tf.import_graph_def(parsed(tf, BASE), input_map=make(z, i), **options))
        return [result, nodes(graph)[2:] if result is None or isinstance(result, list) else None]


@program
def input_map_of_tensors(tf, np):
    return [
        mapping(tf, lambda z, i: {"a": z}),
        mapping(tf, lambda z, i: {"a:0": z}, name="foo"),
        mapping(tf, lambda z, i: {"c:0": z}, return_elements=["c:0", "a:0", "c"]),
        mapping(tf, lambda z, i: {"s:1": z}, name=""),
        mapping(tf, lambda z, i: {"^c": z}),
        mapping(tf, lambda z, i: {"^c": z, "c": z}),
        mapping(tf, lambda z, i: {"b": z}),
        mapping(tf, lambda z, i: {}),
        mapping(tf, lambda z, i: None),
        mapping(tf, lambda z, i: {b"a:0": z}),
        mapping(tf, lambda z, i: {"d:0": z}),
    ]


@program
def input_map_of_values(tf, np):
    return [
        mapping(tf, lambda z, i: {"a:0": [1.0, 3.0]}),
        mapping(tf, lambda z, i: {"a:0": np.float32([1, 3]), "b:0": z}, name="foo"),
        mapping(tf, lambda z, i: {"a:0": [1.0, 3.0]}, name=""),
        mapping(tf, lambda z, i: {"a:0": tf.Variable([1.0, 2.0])})[1],
    ]


@program
def input_map_refused(tf, np):
    return [
        mapping(tf, make)[0]
        for make in (
            lambda z, i: 3,
            lambda z, i: {1: z},
            lambda z, i: {"a:0": i},
            lambda z, i: {"nope": z},
            lambda z, i: {"nope:0": z, "a": z},
            lambda z, i: {"^nope": z},
            lambda z, i: {"b:4": z},
            lambda z, i: {"a:0:1": z},
            lambda z, i: {"a:x": z},
            lambda z, i: {"": z},
        )
    ]


@program
def arguments_refused(tf, np):
    return [
        fresh(tf, lambda: tf.import_graph_def("x")),
        fresh(tf, lambda: tf.import_graph_def(None)),
        fresh(tf, lambda: tf.import_graph_def(tf.NodeDef())),
        fresh(tf, lambda: tf.import_graph_def(tf.GraphDef(), name="a b")),
        fresh(tf, lambda: tf.import_graph_def(tf.GraphDef())),
    ]


@program
def a_finalized_graph_takes_no_import(tf, np):
    with tf.Graph().as_default() as graph:
        graph.finalize()
        return attempt(lambda: tf.import_graph_def(parsed(tf, BASE)))


@program
def nodes_in_any_order(tf, np):
    message = parsed(tf, BASE)
    turned = tf.GraphDef()
    turned.node.extend(reversed(message.node))
    found = []
    for given in (message, turned):
        with tf.Graph().as_default() as graph:
            tf.import_graph_def(given, name="")
            found.append([op.name for op in graph.get_operations()])
    return found


@program
def import_inside_blocks(tf, np):
    first = tf.no_op(name="first")
    with tf.device("/job:w/gpu:1"), tf.control_dependencies([first]):
        tf.import_graph_def(
            parsed(
                tf,
                'node { name: "D" op: "NoOp" } node { name: "E" op: "NoOp" device: "/cpu:0" } '
                'node { name: "F" op: "NoOp" attr { key: "_class" value { list { s: "loc:@E" } } } } '
                'node { name: "G" op: "NoOp" device: "/job:ps" }' + BASE,
            ),
            name="i",
        )
    return nodes(tf.get_default_graph())


@program
def import_inside_a_cond(tf, np):
    p = tf.placeholder(tf.bool, [], name="p")
    z = tf.constant([3.0, 4.0], name="z")

    def branch():
        return tf.import_graph_def(parsed(tf, BASE), input_map={"a:0": z}, return_elements=["e:0"])[0]

    out = tf.cond(p, branch, lambda: tf.constant([0.0]))
    with tf.Session() as sess:
        return [nodes(tf.get_default_graph()), sess.run(out, {p: True}), sess.run(out, {p: False})]


@program
def colocation_goes_along(tf, np):
    text = (
        'node { name: "A" op: "NoOp" device: "/gpu:0" } node { name: "A_1" op: "NoOp" } '
        'node { name: "B" op: "NoOp" input: "^A" attr { key: "_class" value { list { s: "loc:@A" s: "other" } } } }'
    )
    tf.no_op(name="A")
    tf.import_graph_def(parsed(tf, text), name="")
    tf.import_graph_def(parsed(tf, text), name="p")
    return nodes(tf.get_default_graph())


@program
def shapes_that_the_file_tells(tf, np):
    told = """node { name: "A" op: "Placeholder" attr { key: "dtype" value { type: DT_FLOAT } } %s
        attr { key: "_output_shapes" value { %s } } }"""
    known = 'attr { key: "shape" value { shape { dim { size: 3 } } } }'
    found = []
    for shape, claim in (
        ("", "list { shape { dim { size: -1 } dim { size: 3 } } }"), (known, "list { shape { dim { size: 3 } } }"),
        (known, "list { shape { unknown_rank: true } }"), (known, "list { shape { dim { size: 2 } } }"), ("", "list { }"), ("", "i: 3"),
        ("", "list { shape { } shape { } }"),
    ):  # fmt: skip
        with tf.Graph().as_default() as graph:
            error = attempt(lambda text=told % (shape, claim): tf.import_graph_def(parsed(tf, text), name=""))
            found.append([error, nodes(graph) if error is None else None])
    return found


@program
def attributes_that_nobody_declared(tf, np):
    text = """node { name: "A" op: "NoOp" attr { key: "_mine" value { s: "x" } } attr { key: "_n" value { list { i: 1 i: 2 } } }
        attr { key: "_t" value { type: DT_INT32 } } attr { key: "_b" value { b: true } } attr { key: "_f" value { f: 0.5 } } }"""
    tf.import_graph_def(parsed(tf, text), name="")
    op = tf.get_default_graph().get_operation_by_name("A")
    return [[op.get_attr(n) for n in ("_mine", "_n", "_t", "_b", "_f")], whole(tf)]


@program
def defaults_are_filled_in(tf, np):
    text = """node { name: "A" op: "Placeholder" attr { key: "dtype" value { type: DT_FLOAT } } }
        node { name: "M" op: "MatMul" input: "A" input: "A" attr { key: "T" value { type: DT_FLOAT } } }
        node { name: "V" op: "VariableV2" attr { key: "dtype" value { type: DT_FLOAT } } attr { key: "shape" value { shape { } } } }"""
    tf.import_graph_def(parsed(tf, text), name="")
    return whole(tf)


@program
def a_graph_goes_out_and_in_unchanged(tf, np):
    p = tf.placeholder(tf.bool, [], name="p")
    v = tf.Variable([1.0, 2.0], name="v")
    tf.cond(p, lambda: v + 1.0, lambda: tf.constant([7.0, 8.0]), name="c")
    tf.constant(3.5, shape=[2, 2])
    tf.random_uniform([3], seed=4)
    first = tf.get_default_graph().as_graph_def()
    with tf.Graph().as_default() as graph:
        tf.import_graph_def(first, name="")
        second = graph.as_graph_def()
        return [list(first.node) == list(second.node), nodes(graph)]


@program
def an_imported_cond_runs(tf, np):
    p = tf.placeholder(tf.bool, [], name="p")
    x = tf.constant(3.0)
    tf.cond(p, lambda: x + 1.0, lambda: x * 4.0, name="c")
    message = tf.get_default_graph().as_graph_def()
    with tf.Graph().as_default():
        tf.import_graph_def(message, name="")
        with tf.Session() as sess:
            return [sess.run("c/Merge:0", {"p:0": True}), sess.run("c/Merge:0", {"p:0": False})]


@program
def an_imported_variable_runs(tf, np):
    for resource in (False, True):
        v = tf.Variable([1.0, 2.0], name="v", use_resource=resource)
        tf.assign_add(v, [1.0, 1.0], name="up")
    message = tf.get_default_graph().as_graph_def()
    with tf.Graph().as_default() as graph:
        tf.import_graph_def(message, name="i")
        with tf.Session() as sess:
            sess.run(["i/v/Assign", "i/v_1/Assign"])
            return [
                sess.run(["i/up:0", "i/v:0"]),
                sess.run("i/v_1/Read/ReadVariableOp:0"),
                [t for t in graph.get_all_collection_keys() if not t.startswith("__")],
            ]


LOOP = """
node { name: "one" op: "Const" attr { key: "dtype" value { type: DT_INT32 } }
  attr { key: "value" value { tensor { dtype: DT_INT32 tensor_shape { } int_val: 1 } } } }
node { name: "w/Next" op: "NextIteration" input: "w/Add" attr { key: "T" value { type: DT_INT32 } } }
node { name: "w/Exit" op: "Exit" input: "w/Switch" attr { key: "T" value { type: DT_INT32 } } }
node { name: "w/Merge" op: "Merge" input: "w/Enter" input: "w/Next" attr { key: "T" value { type: DT_INT32 } }
  attr { key: "N" value { i: 2 } } }
node { name: "w/Enter" op: "Enter" input: "one" attr { key: "T" value { type: DT_INT32 } } attr { key: "frame_name" value { s: "w" } } }
node { name: "w/Less" op: "Less" input: "w/Merge" input: "w/ten" attr { key: "T" value { type: DT_INT32 } } }
node { name: "w/ten" op: "Const" input: "^w/Merge" attr { key: "dtype" value { type: DT_INT32 } }
  attr { key: "value" value { tensor { dtype: DT_INT32 tensor_shape { } int_val: 10 } } } }
node { name: "w/Cond" op: "LoopCond" input: "w/Less" }
node { name: "w/Switch" op: "Switch" input: "w/Merge" input: "w/Cond" attr { key: "T" value { type: DT_INT32 } } }
node { name: "w/Add" op: "Add" input: "w/Switch:1" input: "w/Switch:1" attr { key: "T" value { type: DT_INT32 } } }
"""


@program
def a_loop_is_stored_in_tfs_order(tf, np):
    tf.import_graph_def(parsed(tf, LOOP), name="")
    graph = tf.get_default_graph()
    return [
        [op.name for op in graph.get_operations()],
        [t.name for t in graph.get_operation_by_name("w/Merge").inputs],
        [op.name for op in graph.get_tensor_by_name("w/Enter:0").consumers()],
        [op.name for op in graph.get_tensor_by_name("w/Next:0").consumers()],
        graph.get_operation_by_name("w/Enter").get_attr("frame_name"),
        graph.get_operation_by_name("w/Enter").get_attr("parallel_iterations"),
    ]


# -- files that are no sound graphs ----------------------------------------------------------------------------------

A = 'node { name: "A" op: "Placeholder" attr { key: "dtype" value { type: DT_FLOAT } } } '
T = 'attr { key: "T" value { type: DT_FLOAT } } '
UNSOUND = {
    "an_unknown_input": 'node { name: "A" op: "Identity" input: "B" ' + T + "}",
    "an_unknown_control_input": 'node { name: "A" op: "NoOp" input: "^B" }',
    "an_empty_input": 'node { name: "A" op: "NoOp" input: "" }',
    "a_missing_input": 'node { name: "A" op: "Identity" ' + T + "}",
    "too_many_inputs": A + 'node { name: "B" op: "Identity" input: "A" input: "A" ' + T + "}",
    "a_name_twice": 'node { name: "A" op: "NoOp" } node { name: "A" op: "NoOp" }',
    "an_output_that_is_not_there": A + 'node { name: "B" op: "Identity" input: "A:1" ' + T + "}",
    "an_input_of_another_dtype": A
    + 'node { name: "B" op: "Identity" input: "A:0" attr { key: "T" value { type: DT_INT32 } } }',
    "an_attribute_of_another_kind": 'node { name: "A" op: "Placeholder" attr { key: "dtype" value { i: 3 } } }',
    "a_shape_that_is_a_string": A[:-2] + 'attr { key: "shape" value { s: "x" } } }',
    "an_attribute_without_value": 'node { name: "A" op: "Placeholder" attr { key: "dtype" value { } } }',
    "a_missing_attribute": 'node { name: "A" op: "Placeholder" }',
    "an_invalid_dtype": 'node { name: "A" op: "Placeholder" attr { key: "dtype" value { type: DT_INVALID } } }',
    "a_dtype_that_is_not_allowed": 'node { name: "B" op: "Placeholder" attr { key: "dtype" value { type: DT_STRING } } } '
    'node { name: "A" op: "Floor" input: "B" attr { key: "T" value { type: DT_STRING } } }',
    "a_count_below_its_least": 'node { name: "A" op: "AddN" ' + T + 'attr { key: "N" value { i: -1 } } }',
    "a_blank_in_a_name": 'node { name: "A b" op: "NoOp" }',
    "an_empty_name": 'node { name: "" op: "NoOp" }',
    "a_name_that_begins_with_a_dash": 'node { name: "-a" op: "NoOp" }',
    "an_empty_op": 'node { name: "A" op: "" }',
    "a_node_that_waits_for_itself": 'node { name: "A" op: "NoOp" input: "^A" }',
    "a_node_that_takes_itself": 'node { name: "A" op: "Identity" input: "A" ' + T + "}",
    "two_nodes_in_a_cycle": 'node { name: "A" op: "NoOp" input: "^B" } node { name: "B" op: "NoOp" input: "^A" }',
    "a_control_input_first": 'node { name: "A" op: "NoOp" input: "^B" input: "B" } node { name: "B" op: "NoOp" }',
    "a_device_that_is_none": 'node { name: "A" op: "NoOp" device: "foo bar" }',
    "a_group_of_an_unknown_node": 'node { name: "A" op: "NoOp" attr { key: "_class" value { list { s: "loc:@B" } } } }',
    "a_constant_of_unknown_size": 'node { name: "A" op: "Const" attr { key: "dtype" value { type: DT_FLOAT } } '
    'attr { key: "value" value { tensor { dtype: DT_FLOAT tensor_shape { dim { size: -5 } } } } } }',
    "a_size_below_minus_one": A[:-2] + 'attr { key: "shape" value { shape { dim { size: -7 } } } } }',
    "shapes_that_do_not_fit": """
        node { name: "A" op: "Placeholder" attr { key: "dtype" value { type: DT_FLOAT } } attr { key: "shape" value { shape { dim { size: 2 } } } } }
        node { name: "C" op: "Placeholder" attr { key: "dtype" value { type: DT_FLOAT } } attr { key: "shape" value { shape { dim { size: 3 } } } } }
        node { name: "B" op: "Add" input: "A" input: "C" attr { key: "T" value { type: DT_FLOAT } } }""",
    "a_value_where_a_variable_belongs": """
        node { name: "A" op: "VariableV2" attr { key: "dtype" value { type: DT_FLOAT } } attr { key: "shape" value { shape { } } } }
        node { name: "C" op: "Identity" input: "A" attr { key: "T" value { type: DT_FLOAT } } }
        node { name: "B" op: "Assign" input: "C" input: "A" attr { key: "T" value { type: DT_FLOAT } } }""",
    "a_consumer_that_is_forbidden": "versions { producer: 99999 bad_consumers: 1645 }",
    "an_unknown_op": 'node { name: "A" op: "Foo" }',
    "an_index_after_a_control_mark": 'node { name: "A" op: "NoOp" input: "^B:0" } node { name: "B" op: "NoOp" }',
    "waiting_twice": 'node { name: "A" op: "NoOp" input: "^B" input: "^B" } node { name: "B" op: "NoOp" }',
    "names_of_later_releases": 'node { name: "A>b" op: "NoOp" } node { name: "a.b-c/D_e" op: "NoOp" }',
    "no_nodes": "",
}


def _unsound(name, text):
    def run(tf, np):
        with tf.Graph().as_default() as graph:
            error = plain(attempt(lambda: tf.import_graph_def(parsed(tf, text), name="")))
            return error if error is not None else nodes(graph)

    run.__name__ = name
    run.__module__ = __name__
    program(run)



for _name, _text in UNSOUND.items():
    _unsound(_name, _text)


# -- work on messages ------------------------------------------------------------------------------------------------


@program
def a_part_is_cut_out(tf, np):
    message = parsed(tf, BASE)
    return [
        [n.name for n in tf.graph_util.extract_sub_graph(message, ["d"]).node],
        [n.name for n in tf.graph_util.extract_sub_graph(message, ["e", "b"]).node],
        attempt(lambda: tf.graph_util.extract_sub_graph(message, "d")),
        attempt(lambda: tf.graph_util.extract_sub_graph("d", ["d"])),
        attempt(lambda: tf.graph_util.extract_sub_graph(message, ["zz"])).classes,
    ]


@program
def variables_are_frozen(tf, np):
    v = tf.Variable([1.0, 2.0], name="v")
    w = tf.Variable(3.0, name="w", use_resource=True)
    tf.add(v * w, 1.0, name="y")
    init = tf.global_variables_initializer()
    with tf.Session() as sess:
        sess.run(init)
        frozen = tf.graph_util.convert_variables_to_constants(sess, tf.get_default_graph().as_graph_def(), ["y"])
        some = tf.graph_util.convert_variables_to_constants(
            sess, tf.get_default_graph().as_graph_def(), ["y"], variable_names_whitelist=["w"]
        )
    with tf.Graph().as_default():
        (y,) = tf.import_graph_def(frozen, return_elements=["y:0"])
        with tf.Session() as sess:
            value = sess.run(y)
    return [[(n.name, n.op) for n in frozen.node], [(n.name, n.op) for n in some.node], value]


@program
def training_nodes_are_taken_out(tf, np):
    x = tf.placeholder(tf.float32, [2], name="x")
    a = tf.identity(x, name="a")
    tf.check_numerics(a, "bad", name="b")
    c = tf.identity(a, name="c")
    with tf.control_dependencies([a]):
        tf.identity(c, name="d")
    tf.identity(tf.identity(c, name="e") + 1.0, name="f")
    message = tf.get_default_graph().as_graph_def()
    found = []
    for protected in (None, ["c", "f"]):
        left = tf.graph_util.remove_training_nodes(message, protected)
        found.append([(n.name, n.op, list(n.input)) for n in left.node])
    return found


@program
def what_must_run_on_the_cpu(tf, np):
    v = tf.Variable(1.0)
    ops = [tf.constant("a").op, tf.constant(1).op, tf.constant(1.0).op, v.op, v.initializer, tf.cast(tf.constant([1]), tf.float32).op]
    return [[tf.graph_util.must_run_on_cpu(op, pin) for op in ops] for pin in (False, True)] + [
        tf.graph_util.must_run_on_cpu(ops[0].node_def)
    ]


@program
def shape_by_a_nodes_input(tf, np):
    tf.placeholder(tf.float32, [2, None], name="x")
    graph = tf.get_default_graph()
    return [tf.graph_util.tensor_shape_from_node_def_name(graph, n) for n in ("x", "x:0")] + [
        attempt(lambda: tf.graph_util.tensor_shape_from_node_def_name(graph, "nope"))
    ]


# -- with collections ------------------------------------------------------------------------------------------------


def collections_of(message):
    found = {
        key: text_format.MessageToString(message.collection_def[key]).split("\n")
        for key in sorted(message.collection_def)
    }
    # the order of a map's entries in bytes is nobody's
    for key in {"cond_context"} & set(found):
        found[key] = [
            "".join(sorted(value.decode("latin-1"))) for value in message.collection_def[key].bytes_list.value
        ]
    return found


@program
def collections_in_a_message(tf, np):
    v = tf.get_variable("v", [2], initializer=tf.zeros_initializer())
    tf.get_variable("w", [2], initializer=tf.ones_initializer(), use_resource=True, trainable=False)
    tf.get_variable("part", [4], partitioner=tf.fixed_size_partitioner(2), initializer=tf.zeros_initializer())
    tf.Variable(1, trainable=False, collections=[tf.GraphKeys.LOCAL_VARIABLES], name="local")
    for key, value in (
        ("ints", 3), ("ints", 4), ("floats", 0.5), ("texts", "x"), ("bytes", b"\xff"), ("ops", v.op), ("tensors", v.value()),
    ):  # fmt: skip
        tf.add_to_collection(key, value)
    tf.cond(tf.constant(True), lambda: tf.constant(1) + 2, lambda: tf.constant(2))
    return collections_of(tf.train.export_meta_graph())


@program
def collections_of_a_nested_cond(tf, np):
    x = tf.constant(1.0, name="x")
    p = tf.placeholder(tf.bool, [], name="p")
    tf.cond(p, lambda: tf.cond(p, lambda: x + 1.0, lambda: x), lambda: x * 2.0)
    # the inner branches stand in the outer ones
    message = tf.train.export_meta_graph()
    return [list(message.collection_def), len(message.collection_def["cond_context"].bytes_list.value)]


@program
def chosen_collections(tf, np):
    tf.add_to_collection("a", 1)
    tf.add_to_collection("b", 2)
    tf.add_to_collection("mixed", 2)
    tf.add_to_collection("mixed", "x")
    tf.add_to_collection("object", object())
    tf.add_to_collection(("tuple",), 3)
    return [
        collections_of(tf.train.export_meta_graph(collection_list=keys)) for keys in (["a"], [], None, ["a", "nope"])
    ]


@program
def a_meta_graph_comes_back(tf, np):
    v = tf.get_variable("v", [2], initializer=tf.ones_initializer())
    w = tf.get_variable("w", [], initializer=tf.zeros_initializer(), use_resource=True)
    tf.get_variable("part", [4], partitioner=tf.fixed_size_partitioner(2), initializer=tf.zeros_initializer())
    tf.add_to_collection("out", v * 2.0)
    tf.add_to_collection("init", tf.global_variables_initializer())
    tf.add_to_collection("n", 3)
    tf.add_to_collection("text", "abc")
    tf.assign_add(w, 1.0, name="up")
    message = tf.train.export_meta_graph()
    with tf.Graph().as_default() as graph:
        tf.train.import_meta_graph(message)
        with tf.Session() as sess:
            sess.run(tf.get_collection("init")[0])
            values = sess.run(tf.global_variables() + tf.get_collection("out"))
        return [
            [str(v) for v in tf.global_variables()],
            [v.name for v in tf.trainable_variables()],
            [x is y for x, y in zip(tf.global_variables(), tf.trainable_variables())],
            tf.get_collection("n"),
            tf.get_collection("text"),
            values,
            [k for k in graph.get_all_collection_keys() if k != "saved"],
            collections_of(tf.train.export_meta_graph()),
        ]


@program
def a_meta_graph_under_a_scope(tf, np):
    v = tf.get_variable("v", [2], initializer=tf.ones_initializer())
    tf.add_to_collection("out", v * 2.0)
    tf.add_to_collection("text", "abc")
    tf.cond(tf.placeholder(tf.bool, [], name="p"), lambda: v + 1.0, lambda: v + 2.0)
    message = tf.train.export_meta_graph()
    with tf.Graph().as_default():
        tf.train.import_meta_graph(message, import_scope="in")
        tf.train.import_meta_graph(message, import_scope="in")
        return [
            [v.name for v in tf.global_variables()],
            tf.get_collection("out"),
            tf.get_collection("text"),
            collections_of(tf.train.export_meta_graph()),
        ]


@program
def a_scope_goes_out_alone(tf, np):
    x = tf.constant([1.0, 2.0], name="x")
    with tf.variable_scope("s"):
        v = tf.get_variable("v", [2], initializer=tf.ones_initializer())
        tf.add(v, x, name="y")
    tf.get_variable("outside", [], initializer=tf.zeros_initializer())
    message = tf.train.export_meta_graph(export_scope="s")
    return [
        [(n.name, n.op, list(n.input), list(n.attr["_class"].list.s) if "_class" in n.attr else None) for n in message.graph_def.node],
        collections_of(message),
    ]


@program
def devices_and_defaults_are_left_out(tf, np):
    with tf.device("/gpu:0"):
        x = tf.placeholder(tf.float32, [2, 2], name="x")
        tf.matmul(x, x, name="y")
    message = tf.train.export_meta_graph(clear_devices=True, strip_default_attrs=True)
    return [
        [(n.name, n.device, sorted(n.attr)) for n in message.graph_def.node],
        message.meta_info_def.stripped_default_attrs,
        [op.name for op in message.meta_info_def.stripped_op_list.op],
    ]


@program
def meta_graph_arguments_refused(tf, np):
    return [
        attempt(lambda: tf.train.export_meta_graph(graph_def=3)).classes,
        attempt(lambda: tf.train.import_meta_graph("/nowhere/at/all.meta")).classes,
    ]


@program
def variable_messages(tf, np):
    v = tf.Variable([1.0], name="v")
    w = tf.Variable(1.0, name="w", use_resource=True, trainable=False)
    with tf.name_scope("s"):
        s = tf.Variable(2.0, name="s")
    found = [text_format.MessageToString(x.to_proto()).split("\n") for x in (v, w, s)]
    again = tf.Variable.from_proto(v.to_proto())
    return [
        *found,
        text_format.MessageToString(s.to_proto("s")).split("\n"),
        v.to_proto("s"),
        str(again),
        again.op is v.op,
        again.initializer is v.initializer,
        again.trainable,
        str(tf.Variable(variable_def=v.to_proto())),
        attempt(lambda: tf.Variable(1.0, variable_def=v.to_proto())),
    ]
