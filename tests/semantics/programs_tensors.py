"""The methods of operations and tensors: inputs, attributes, consumers, reprs and errors."""

from harness import attempt, attr_text, program


@program
def inputs_of_an_operation(tf, np):
    a, b = tf.constant(1.0, name="a"), tf.constant(2.0, name="b")
    op = tf.add(a, b, name="c").op
    ins = op.inputs
    return [
        len(ins), ins[0] is a, ins[-1] is b, [t.name for t in ins], a in ins, [t.name for t in ins[:1]], bool(ins),
        bool(a.op.inputs), list(a.op.inputs) == [],
        [t.name for t in list(ins) + [a]], attempt(lambda: ins[5]).classes[0], attempt(lambda: ins[None]).classes[0],
    ]  # fmt: skip


@program
def outputs_of_an_operation(tf, np):
    parts = tf.split(tf.constant([1, 2, 3]), 3, name="p")
    op = parts[0].op
    nothing = tf.no_op(name="n")
    return [[t.name for t in op.outputs], len(op.outputs), op.outputs[1] is parts[1], [t.name for t in op.values()],
        nothing.outputs, nothing.values(), type(op.outputs).__name__]


@program
def control_inputs_of_an_operation(tf, np):
    a, b = tf.constant(1.0, name="a"), tf.constant(2.0, name="b")
    with tf.control_dependencies([a, b]):
        n = tf.no_op(name="n")
    return [sorted(x.name for x in n.control_inputs), a.op.control_inputs, [x.name for x in a.op._control_outputs]]


@program
def attributes_of_an_operation(tf, np):
    x = tf.placeholder(tf.float32, [None, 3], name="x")
    m = tf.matmul(x, x, transpose_b=True, name="m").op
    conv = tf.cast(x, tf.int32, name="c").op
    split = tf.split(tf.constant([1, 2]), 2, name="s")[0].op
    v = tf.Variable([1.0, 2.0], name="v").op
    r = tf.reduce_sum(x, 0, keepdims=True, name="r").op
    idn = tf.identity_n([x, tf.constant(1)], name="idn")[0].op
    return [
        m.get_attr("T"), m.get_attr("transpose_a"), m.get_attr("transpose_b"), conv.get_attr("SrcT"), conv.get_attr("DstT"),
        split.get_attr("num_split"),
        attr_text(v.get_attr("shape")), v.get_attr("dtype"), v.get_attr("container"), v.get_attr("shared_name"),
        r.get_attr("keep_dims"), r.get_attr("Tidx"),
        attr_text(x.op.get_attr("shape")), idn.get_attr("T"), attempt(lambda: m.get_attr("nothing")),
    ]  # fmt: skip


@program
def values_of_constants_as_attributes(tf, np):
    c = tf.constant([1.0, 2.0], name="c").op
    found = c.get_attr("value")
    return [tf.make_ndarray(found), c.get_attr("dtype"), found.dtype]


@program
def shapes_as_attributes(tf, np):
    x = tf.placeholder(tf.float32, [None, 3], name="x").op.get_attr("shape")
    u = tf.placeholder(tf.float32, name="u").op.get_attr("shape")
    s = tf.placeholder(tf.float32, [], name="s").op.get_attr("shape")
    return [[[d.size for d in p.dim], p.unknown_rank] for p in (x, u, s)]


@program
def texts_of_operations(tf, np):
    a = tf.constant(1.0, name="a")
    n = tf.no_op(name="s/n")
    return [repr(a.op), repr(n), a.op.name, a.op.type, n.name, n.type]


@program
def operations_know_their_graph(tf, np):
    a = tf.constant(1.0, name="a")
    b = tf.constant(1.0, name="b")
    return [a.op.graph is tf.get_default_graph(), a.graph is a.op.graph, a.op == a.op, a.op == b.op, a.op in [b.op, a.op],
        len({a.op, b.op, a.op}), a.op is b.op.graph.get_operation_by_name("a")]


@program
def operations_run(tf, np):
    v = tf.Variable(1.0, name="v")
    x = tf.placeholder(tf.float32, name="x")
    bump = tf.assign_add(v, x)
    with tf.Session() as sess:
        given = [v.initializer.run(), bump.op.run({x: 2.0}), v.eval(), bump.op.run(feed_dict={x: 3.0}, session=sess),
            v.eval(session=sess)]
    return [given, attempt(lambda: v.initializer.run()), attempt(lambda: v.eval())]


@program
def running_in_the_wrong_session(tf, np):
    c = tf.constant(1.0, name="c")
    n = tf.no_op(name="n")
    with tf.Session(graph=tf.Graph()) as sess:
        return [attempt(lambda: c.eval()), attempt(lambda: n.run()), attempt(lambda: c.eval(session=sess)),
            attempt(lambda: n.run(session=sess))]


@program
def consumers(tf, np):
    a = tf.constant(1.0, name="a")
    b = tf.square(a, name="b")
    tf.add(a, a, name="c")
    with tf.control_dependencies([a]):
        tf.no_op(name="d")
    return [[op.name for op in a.consumers()], [op.name for op in b.consumers()], isinstance(a.consumers(), list)]


@program
def texts_of_tensors(tf, np):
    made = [
        tf.constant(1.0, name="s"), tf.constant([[1, 2]], name="m"), tf.placeholder(tf.float32, [None, 2], name="p"),
        tf.placeholder(tf.string, name="u"),
        tf.constant(True, name="b"), tf.constant("x", name="t"), tf.constant(1j, name="z"), tf.unique([1, 1])[1],
    ]  # fmt: skip
    with tf.device("/job:w/cpu:0"):
        made.append(tf.constant(1.0, name="placed"))
        made.append(tf.placeholder(tf.float32, name="placed_unknown"))
    return [[str(t), repr(t), str.format("{}", t), f"{t}"] for t in made]


@program
def facts_of_tensors(tf, np):
    x = tf.placeholder(tf.float32, [None, 2], name="x")
    parts = tf.split(x, 2, axis=1, name="parts")
    return [
        x.name, x.dtype, x.shape, x.get_shape(), x.value_index, parts[1].value_index, parts[1].name, x.op.name, x.device,
        parts[1].op is parts[0].op,
        x.shape.as_list(), x.graph is tf.get_default_graph(), x._shape_tuple(), tf.placeholder(tf.int32)._shape_tuple(),
        x._rank(),
    ]  # fmt: skip


@program
def tensors_cannot_be_changed(tf, np):
    x = tf.constant(1.0, name="x")
    names = ("name", "shape", "graph", "device", "value_index")
    return [attempt(lambda n=n: setattr(x, n, None)).classes[0] for n in names]


@program
def tensors_compare_by_identity(tf, np):
    a, b = tf.constant(1.0, name="a"), tf.constant(1.0, name="b")
    return [
        a == a, a == b, a != b, a == 1.0, a in [b], a in (a, b), [b, a].index(a), {a: 1, b: 2}[b],
        a.experimental_ref() == a.experimental_ref(),
        a.experimental_ref() == b.experimental_ref(), a.experimental_ref().deref() is a,
        hash(a.experimental_ref()) == hash(a.experimental_ref()), len({a.experimental_ref(), a.experimental_ref()}),
        repr(a.experimental_ref()).startswith("<Reference wrapping <tf.Tensor 'a:0'"),
    ]  # fmt: skip


@program
def tensors_are_no_python_values(tf, np):
    a = tf.constant([1.0, 2.0], name="a")
    x = tf.placeholder(tf.float32, name="x")
    return {
        "float": attempt(lambda: float(a)).classes[0], "int": attempt(lambda: int(a)).classes[0],
        "index": attempt(lambda: [1, 2][a]).classes[0], "range": attempt(lambda: range(a)).classes[0],
        "iter": attempt(lambda: [(i,) for i in a]), "for": attempt(lambda: list(zip(a))), "len": attempt(lambda: len(x)),
        "bool": attempt(lambda: bool(x)), "while": attempt(lambda: not x),
        "array": attempt(lambda: np.asarray(a)), "sum": attempt(lambda: sum(a)), "max": attempt(lambda: max(a)),
        "in": attempt(lambda: 1.0 in a), "compare": attempt(lambda: 1 if a > x else 2),
        "chain": attempt(lambda: 0 < x < 1), "any": attempt(lambda: any([x])), "sorted": attempt(lambda: sorted([x, x])),
        "numpy": attempt(lambda: a.numpy).classes[0], "assign": attempt(lambda: a.__setitem__(0, 1.0)).classes[0],
    }  # fmt: skip


@program
def numpy_functions_refuse_tensors(tf, np):
    a = tf.constant([1.0, 2.0], name="a")
    return [attempt(lambda f=f: f(a)).classes[0] for f in (np.array, np.asarray, np.mean,
        np.sum)] + [attempt(lambda: np.array([a, a])).classes[0]]


@program
def operators_of_tensors(tf, np):
    listed = tf.Tensor.OVERLOADABLE_OPERATORS
    return [sorted(n for n in listed if hasattr(tf.Tensor, n)), sorted(set(listed) - {"__eq__", "__ne__"})]


@program
def reflected_operators(tf, np):
    x = tf.constant([4.0, 2.0], name="x")
    i = tf.constant([4, 3], name="i")
    b = tf.constant([True, False], name="b")
    made = [1 + x, 1 - x, 2 * x, 8 / x, 9 // x, 9 % x, 2**x, [1.0, 2.0] + x, (1.0, 2.0) * x, 7 / i, 7 // i, 7 % i, True & b,
        True | b, True ^ b, ~b, -x, abs(-x), 3 > x, 3 <= i]  # noqa: SIM300
    with tf.Session() as sess:
        return [made, sess.run(made)]


@program
def operators_among_foreign_classes(tf, np):
    class Friend:
        def __radd__(self, other):
            return "radd"

        def __rmul__(self, other):
            return "rmul"

    x = tf.constant(1.0, name="x")
    return [attempt(lambda: x + Friend()), attempt(lambda: x * Friend()), attempt(lambda: x - Friend()).classes[0],
        x.__add__(2.0).dtype, attempt(lambda: x + object()).classes[0]]


@program
def evaluating_tensors(tf, np):
    x = tf.placeholder(tf.float32, name="x")
    y = x * 2.0
    with tf.Session() as sess:
        given = [y.eval({x: 3.0}), y.eval(feed_dict={x: 4.0}), y.eval(session=sess, feed_dict={x: 5.0}), y.eval({"x:0": 6.0})]
        return [given, attempt(lambda: y.eval())]


@program
def traces_of_operations(tf, np):
    c = tf.constant(1.0, name="c")
    frames = c.op.traceback
    last = [f for f in frames if f[0].endswith("programs_tensors.py")][-1]
    return [last[0].endswith("programs_tensors.py"), type(last[1]).__name__, last[2], len(last)]


@program
def copies_of_tensors(tf, np):
    import copy

    a = tf.constant(1.0, name="a")
    return [copy.copy(a).name, type(attempt(lambda: copy.copy({a: [a]}))).__name__]


@program
def settings_of_an_operation(tf, np):
    a = tf.constant(1.0, name="a")
    b = tf.constant(2.0, name="b")
    n = tf.no_op(name="n")
    n._add_control_input(a.op)
    n._add_control_inputs([b.op, a.op])
    first = sorted(x.name for x in n.control_inputs)
    n._remove_all_control_inputs()
    c = tf.add(a, b, name="c")
    c.op._update_input(1, a)
    with tf.Session() as sess:
        value = sess.run(c)
    n._set_attr("_mark", tf.AttrValue(s=b"x"))
    mark = n.get_attr("_mark")
    n._clear_attr("_mark")
    return [first, list(n.control_inputs), [t.name for t in c.op.inputs], value, mark, attempt(lambda: n.get_attr("_mark")),
        a.op._id < b.op._id]


@program
def indexing_is_an_operator(tf, np):
    x = tf.constant([[1, 2, 3], [4, 5, 6]], name="x")
    made = [x[0], x[:, 1], x[..., -1], x[0, 1:], x[tf.newaxis], x[1][2], x[::-1]]
    with tf.Session() as sess:
        return [made, sess.run(made), attempt(lambda: x["a"]), attempt(lambda: x[1.5]), attempt(lambda: x[0, 0, 0])]


@program
def types_of_everything(tf, np):
    c = tf.constant(1.0)
    return [
        isinstance(c, tf.Tensor), isinstance(c.op, tf.Operation), isinstance(tf.Variable(1.0), tf.Tensor),
        isinstance(c.shape, tf.TensorShape), isinstance(c.dtype, tf.DType),
        isinstance(tf.get_default_graph(), tf.Graph), isinstance(c.shape, tuple), isinstance(tf.no_op(), tf.Operation),
        isinstance(tf.group(), tf.Operation),
    ]  # fmt: skip


@program
def dtypes_name_themselves(tf, np):
    kinds = [tf.float32, tf.int64, tf.string, tf.bool, tf.complex64, tf.qint8, tf.resource, tf.variant, tf.uint16,
    tf.Variable(1.0).dtype]
    return [[d.name, str(d), repr(d), d.is_floating, d.is_integer, d.is_unsigned, d.is_quantized, d.is_bool, d.is_complex,
        d.is_numpy_compatible, d.as_datatype_enum] for d in kinds]
