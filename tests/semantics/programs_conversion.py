"""Conversion to tensors: constants, registered conversions, slices, and values known before a run."""

from harness import attempt, fresh, graph_of, program


def value(tf, make):
    """The tensor and its value, in a graph of its own."""

    def both():
        t = make()
        with tf.Session() as sess:
            return [t, sess.run(t)]

    return fresh(tf, both)


def values(tf, table):
    return {name: value(tf, make) for name, make in table.items()}


@program
def constants_of_numpy_scalars(tf, np):
    kinds = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float16", "float32", "float64",
    "complex64", "complex128", "bool"]
    return {k: value(tf, lambda k=k: tf.constant(np.dtype(k).type(1))) for k in kinds}


@program
def constants_of_numpy_arrays(tf, np):
    kinds = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float16", "float32", "float64",
    "complex64", "complex128", "bool"]
    return {k: value(tf, lambda k=k: tf.constant(np.ones([1, 2], k))) for k in kinds}


@program
def constants_of_texts(tf, np):
    return values(tf, {
        "text": lambda: tf.constant("a"), "bytes": lambda: tf.constant(b"\xff"), "unicode": lambda: tf.constant("\u00fc\u4e2d"),
        "list": lambda: tf.constant(["a", b"b"]), "nested": lambda: tf.constant([["a"], ["bc"]]),
        "array": lambda: tf.constant(np.array(["a", "bc"])),
        "bytes array": lambda: tf.constant(np.array([b"a", b"bc"])),
        "object array": lambda: tf.constant(np.array(["a", b"b"], object)),
        "empty": lambda: tf.constant(""), "empty list": lambda: tf.constant([], tf.string),
        "shape": lambda: tf.constant("a", shape=[2]),
        "numpy text": lambda: tf.constant(np.str_("x")), "numpy bytes": lambda: tf.constant(np.bytes_(b"x")),
    })  # fmt: skip


@program
def constants_of_lists_of_numpy(tf, np):
    return values(tf, {
        "int64": lambda: tf.constant([np.int64(1), np.int64(2)]), "float64": lambda: tf.constant([np.float64(1.0)]),
        "mixed": lambda: tf.constant([np.float32(1.0), 2]), "arrays": lambda: tf.constant([np.ones(2), np.zeros(2)]),
        "float16": lambda: tf.constant([np.float16(1)]), "uint8": lambda: tf.constant([np.uint8(1)]),
        "bools": lambda: tf.constant([np.bool_(True), False]),
        "int32 arrays": lambda: tf.constant([np.ones(2, np.int32)]),
        "float32 arrays": lambda: tf.constant([np.ones(2, np.float32)]),
    })  # fmt: skip


@program
def constants_of_mixed_lists(tf, np):
    return {name: fresh(tf, make) for name, make in {
        "int and float": lambda: tf.constant([1, 2.5]), "float and int": lambda: tf.constant([2.5, 1]),
        "bool and int": lambda: tf.constant([True, 2]),
        "int and bool": lambda: tf.constant([2, True]), "complex": lambda: tf.constant([1, 2j]),
        "complex first": lambda: tf.constant([2j, 1.5]),
        "bool alone": lambda: tf.constant([True, False]), "tuple in list": lambda: tf.constant([(1, 2), (3, 4)]),
        "range": lambda: tf.constant(range(3)),
        "dimensions": lambda: tf.constant([tf.Dimension(2)]), "empty nested": lambda: tf.constant([[], []]),
        "empty in empty": lambda: tf.constant([[]]),
    }.items()}  # fmt: skip


@program
def constants_that_fit_badly(tf, np):
    return {name: fresh(tf, make) for name, make in {
        "float as int": lambda: tf.constant(1.5, tf.int32), "floats as int": lambda: tf.constant([1.5], tf.int32),
        "text as int": lambda: tf.constant("a", tf.int32),
        "int as text": lambda: tf.constant(1, tf.string), "none": lambda: tf.constant(None),
        "none as float": lambda: tf.constant(None, tf.float32),
        "complex as float": lambda: tf.constant(1j, tf.float32), "int as bool": lambda: tf.constant(1, tf.bool),
        "text as bool": lambda: tf.constant("a", tf.bool),
        "none in list": lambda: tf.constant([None], tf.float32), "text in list": lambda: tf.constant([1.0, "a"], tf.float32),
        "bool as int": lambda: tf.constant(True, tf.int32), "float in nested": lambda: tf.constant([[1], [2.5]], tf.int64),
    }.items()}  # fmt: skip


@program
def constants_of_ragged_lists(tf, np):
    return {name: fresh(tf, make).classes[0] for name, make in {
        "short": lambda: tf.constant([[1, 2], [3]]), "number beside list": lambda: tf.constant([1, [2]]),
        "deep": lambda: tf.constant([[[1], [2]], [[3]]]),
        "typed": lambda: tf.constant([[1, 2], [3]], tf.float32), "texts": lambda: tf.constant([["a"], ["b", "c"]]),
    }.items()}  # fmt: skip


@program
def constants_of_a_shape(tf, np):
    return values(tf, {
        "scalar spread": lambda: tf.constant(7, shape=[2, 2]), "list formed": lambda: tf.constant([1, 2, 3, 4], shape=[2, 2]),
        "last repeated": lambda: tf.constant([1, 2], shape=[2, 2]), "tuple": lambda: tf.constant(1.0, shape=(3,)),
        "int": lambda: tf.constant(1.0, shape=2),
        "tensor shape": lambda: tf.constant(1.0, shape=tf.TensorShape([2])), "empty": lambda: tf.constant(1.0, shape=[0]),
        "scalar": lambda: tf.constant([5], shape=[]),
        "array formed": lambda: tf.constant(np.arange(4), shape=[4, 1]), "too many": lambda: tf.constant([1, 2, 3], shape=[2]),
        "unknown": lambda: tf.constant(1.0, shape=[None]), "verified": lambda: tf.constant([1.0], shape=[1], verify_shape=True),
        "verify fails": lambda: tf.constant([1.0, 2.0], shape=[1], verify_shape=True),
        "verify list": lambda: tf.constant([[1, 2]], shape=[2, 1], verify_shape=True),
        "numpy shape": lambda: tf.constant(0, shape=np.array([2, 1])), "bool": lambda: tf.constant(False, shape=[2]),
        "typed": lambda: tf.constant(1, tf.float64, [2]),
    })  # fmt: skip


@program
def constants_keep_what_they_were_made_of(tf, np):
    a = np.array([1.0, 2.0])
    c = tf.constant(a)
    a[0] = 9.0
    with tf.Session() as sess:
        first = sess.run(c)
        attempt(lambda: first.__setitem__(0, 5.0))
        return [sess.run(c)]


@program
def constants_are_nodes(tf, np):
    tf.constant(1)
    tf.constant(1)
    tf.constant([1.0], name="given")
    with tf.name_scope("s"):
        tf.constant("x")
        tf.constant([True], name="b")
    return [graph_of(tf, "dtype"), attempt(lambda: tf.constant(1, name=3)).classes[0],
        attempt(lambda: tf.constant(1, "nothing"))]


@program
def large_integers(tf, np):
    return values(tf, {
        "at the edge": lambda: tf.constant(2**31 - 1), "beyond": lambda: tf.constant(2**31),
        "below": lambda: tf.constant(-(2**31) - 1), "wide": lambda: tf.constant(2**40, tf.int64),
        "wide as float": lambda: tf.constant(2**40, tf.float32), "list": lambda: tf.constant([2**40, 1]),
        "unsigned": lambda: tf.constant(2**63, tf.uint64),
    })  # fmt: skip


@program
def lists_with_tensors_are_packed(tf, np):
    a, b = tf.constant(1.0, name="a"), tf.constant(2.0, name="b")
    i = tf.constant(3, name="i")
    made = [
        tf.convert_to_tensor([a, b]), tf.convert_to_tensor([a, 5.0], name="mix"),
        tf.convert_to_tensor([[a, 1.0], [2.0, b]], name="deep"),
        tf.convert_to_tensor((a, b)), tf.convert_to_tensor([i, 4]), tf.convert_to_tensor([a, 5]),
        tf.convert_to_tensor([a, b], tf.int32), tf.convert_to_tensor([a, b], tf.float32),
    ]  # fmt: skip
    with tf.Session() as sess:
        good = [t for t in made if isinstance(t, tf.Tensor)]
        return [made, sess.run(good), graph_of(tf)]


@program
def lists_with_tensors_refused(tf, np):
    a, b = tf.constant(1.0, name="a"), tf.constant(2.0, name="b")
    i = tf.constant(3, name="i")
    return [
        attempt(lambda: tf.convert_to_tensor([i, 4.5])), attempt(lambda: tf.convert_to_tensor([a, i])),
        attempt(lambda: tf.convert_to_tensor([a, [b]])),
        attempt(lambda: tf.convert_to_tensor([a, "x"])), attempt(lambda: tf.constant([a, b])),
    ]  # fmt: skip


@program
def lists_with_variables_are_packed(tf, np):
    v = tf.Variable(1.0, name="v")
    r = tf.Variable(2.0, name="r", use_resource=True)
    return [tf.convert_to_tensor([v, 3.0]), tf.convert_to_tensor([r, v]), tf.stack([v, r]), graph_of(tf)]


@program
def conversion_of_tensors(tf, np):
    t = tf.constant([1.0], name="t")
    return [
        tf.convert_to_tensor(t) is t, tf.convert_to_tensor(t, tf.float32) is t, tf.convert_to_tensor(t, "float32") is t,
        tf.convert_to_tensor(t, name="n") is t,
        attempt(lambda: tf.convert_to_tensor(t, tf.float64)), tf.convert_to_tensor(t, preferred_dtype=tf.int32) is t,
        tf.convert_to_tensor(t, dtype_hint=tf.int32) is t,
    ]  # fmt: skip


@program
def conversion_by_preference(tf, np):
    return [
        tf.convert_to_tensor(3, preferred_dtype=tf.float64), tf.convert_to_tensor(3, dtype_hint=tf.int64),
        tf.convert_to_tensor(3.5, dtype_hint=tf.int64),
        tf.convert_to_tensor("a", dtype_hint=tf.int64), tf.convert_to_tensor([1, 2], dtype_hint=tf.float16),
        tf.convert_to_tensor(np.ones(1), dtype_hint=tf.float32),
        tf.convert_to_tensor(3, tf.int32, preferred_dtype=tf.float32), tf.convert_to_tensor(True, dtype_hint=tf.float32),
        tf.convert_to_tensor(1, dtype_hint=tf.bool),
    ]  # fmt: skip


@program
def conversion_of_variables(tf, np):
    v = tf.Variable(1.0, name="v")
    r = tf.Variable(1.0, name="r", use_resource=True)
    return [
        tf.convert_to_tensor(v), tf.convert_to_tensor(r), attempt(lambda: tf.convert_to_tensor(v, tf.int32)),
        attempt(lambda: tf.convert_to_tensor(r, tf.int32)),
        tf.convert_to_tensor(v, tf.float32), tf.identity(v), tf.square(r), names_of(tf),
    ]  # fmt: skip


def names_of(tf):
    return [op.name for op in tf.get_default_graph().get_operations()]


@program
def conversion_refused(tf, np):
    class Thing:
        def __repr__(self):
            return "a thing"

    return [
        attempt(lambda: tf.convert_to_tensor(None)), attempt(lambda: tf.convert_to_tensor({})).classes[0],
        attempt(lambda: tf.convert_to_tensor(Thing())).classes[0],
        attempt(lambda: tf.convert_to_tensor(tf.constant)).classes[0],
        attempt(lambda: tf.convert_to_tensor(tf.no_op())).classes[0],
        attempt(lambda: tf.convert_to_tensor(3, "nothing")), attempt(lambda: tf.convert_to_tensor(tf.float32)).classes[0],
    ]  # fmt: skip


@program
def registered_conversions(tf, np):
    class Metre:
        def __init__(self, n):
            self.n = n

    class Foot(Metre):
        pass

    class Inch(Metre):
        pass

    calls = []

    def of_metre(value, dtype=None, name=None, as_ref=False):
        calls.append(["metre", type(value).__name__, None if dtype is None else dtype.name, name, as_ref])
        return tf.constant(float(value.n), dtype or tf.float32, name=name or "metre")

    def of_foot(value, dtype=None, name=None, as_ref=False):
        calls.append(["foot", type(value).__name__])
        return NotImplemented

    tf.register_tensor_conversion_function(Metre, of_metre)
    tf.register_tensor_conversion_function(Foot, of_foot, priority=50)
    tf.register_tensor_conversion_function((Inch,), lambda v, dtype=None, name=None,
    as_ref=False: tf.constant(v.n / 2.0, name="inch"), 0)
    x = tf.constant(1.0)
    made = [
        tf.convert_to_tensor(Metre(2)), tf.convert_to_tensor(Foot(3), name="f"), tf.convert_to_tensor(Inch(3)), x + Metre(4),
        tf.square(Metre(5)),
        tf.convert_to_tensor(Metre(2), tf.float64), tf.convert_to_tensor(Metre(1), preferred_dtype=tf.float16),
        attempt(lambda: tf.convert_to_tensor(Inch(3), tf.int32)).classes[0],
    ]  # fmt: skip
    with tf.Session() as sess:
        return [made, sess.run(made[:-1]), calls]


@program
def conversion_functions_that_fail(tf, np):
    class A:
        def __repr__(self):
            return "an A"

    class B(A):
        pass

    class C(A):
        pass

    def bad(value, dtype=None, name=None, as_ref=False):
        return 3

    def refuses(value, dtype=None, name=None, as_ref=False):
        raise ValueError("not today")

    tf.register_tensor_conversion_function(A, bad)
    tf.register_tensor_conversion_function(B, refuses, 50)
    tf.register_tensor_conversion_function(C, lambda v, dtype=None, name=None, as_ref=False: tf.constant(1), 50)
    return [
        attempt(lambda: tf.convert_to_tensor(A())).text[:52], attempt(lambda: tf.convert_to_tensor(B())),
        attempt(lambda: tf.convert_to_tensor(C(), tf.float32)).classes[0],
    ]  # fmt: skip


@program
def registering_refused(tf, np):
    def f(value, dtype=None, name=None, as_ref=False):
        return NotImplemented

    return [
        attempt(lambda: tf.register_tensor_conversion_function(3, f)),
        attempt(lambda: tf.register_tensor_conversion_function((int, 3), f)),
        attempt(lambda: tf.register_tensor_conversion_function(dict, 3)),
    ]  # fmt: skip


@program
def slices_are_three_tensors(tf, np):
    full = tf.IndexedSlices(tf.constant([[1.0, 2.0]], name="v"), tf.constant([3], name="i"), tf.constant([4, 2], name="d"))
    open_ = tf.IndexedSlices(tf.constant([[1.0, 2.0]], name="w"), tf.constant([3], name="j"))
    return [
        str(full), str(open_), full.values.name, full.indices.name, full.dense_shape.name, open_.dense_shape, full.name,
        full.device, full.op.name, full.dtype,
        full.graph is tf.get_default_graph(), [c.name for c in full.consumers()],
    ]  # fmt: skip


@program
def slices_are_negated(tf, np):
    full = tf.IndexedSlices(tf.constant([[1.0, 2.0]], name="v"), tf.constant([1], name="i"), tf.constant([2, 2], name="d"))
    open_ = tf.IndexedSlices(tf.constant([1.0], name="w"), tf.constant([1], name="j"))
    a, b = -full, -open_
    with tf.Session() as sess:
        return [str(a), str(b), sess.run(a), sess.run(b), graph_of(tf)]


@program
def slices_become_dense(tf, np):
    full = tf.IndexedSlices(tf.constant([[1.0, 2.0], [3.0, 4.0]], name="v"), tf.constant([1, 1], name="i"),
    tf.constant([3, 2], name="d"))
    open_ = tf.IndexedSlices(tf.constant([[1.0, 2.0]], name="w"), tf.constant([1], name="j"))
    dense = tf.convert_to_tensor(full)
    with tf.Session() as sess:
        return [dense, sess.run(dense), attempt(lambda: tf.convert_to_tensor(full, tf.int32)),
            attempt(lambda: tf.convert_to_tensor(open_)), names_of(tf)]


@program
def slices_stay_slices(tf, np):
    full = tf.IndexedSlices(tf.constant([[1.0, 2.0]]), tf.constant([1]), tf.constant([3, 2]))
    convert = tf.convert_to_tensor_or_indexed_slices
    t = tf.constant([1.0], name="t")
    v = tf.Variable(1.0, name="v")
    return [
        convert(full) is full, convert(t) is t, convert(3), convert([1.0, 2.0], name="n"), convert(3, tf.float32), convert(v),
        attempt(lambda: convert(full, tf.int32)), attempt(lambda: convert(t, tf.int32)), convert(full, tf.float32) is full,
        attempt(lambda: convert(None)),
    ]  # fmt: skip


@program
def slices_as_values(tf, np):
    sl = tf.IndexedSlices(tf.placeholder(tf.float32, [None, 2], name="v"), tf.placeholder(tf.int32, [None], name="i"))
    total = tf.reduce_sum(sl.values)
    with tf.Session() as sess:
        given = sess.run(sl, {sl.values: [[1.0, 2.0]], sl.indices: [5]})
        return [given, sess.run(total, {sl: given}), type(given).__name__, given.dense_shape]


@program
def values_known_before_a_run(tf, np):
    known = tf.get_static_value
    x = tf.placeholder(tf.float32, [2, 3], name="x")
    u = tf.placeholder(tf.float32, [None, 3], name="u")
    n = tf.placeholder(tf.float32, name="n")
    made = {
        "const": tf.constant([1, 2]), "scalar": tf.constant(2.5), "text": tf.constant("a"), "placeholder": x,
        "shape": tf.shape(x), "shape of unknown": tf.shape(u),
        "shape of none": tf.shape(n), "size": tf.size(x), "size of unknown": tf.size(u), "rank": tf.rank(x),
        "rank of unknown": tf.rank(u), "rank of none": tf.rank(n),
        "range": tf.range(3), "range of": tf.range(2, 8, 3), "range unknown": tf.range(tf.shape(u)[0]),
        "cast": tf.cast(tf.constant([1.7, 2.0]), tf.int32),
        "cast of shape": tf.cast(tf.shape(x), tf.float32), "concat": tf.concat([[1], [2, 3]], 0),
        "concat of shapes": tf.concat([tf.shape(x), [4]], 0),
        "concat unknown": tf.concat([tf.shape(u), [4]], 0), "stack": tf.stack([1, 2]),
        "stack of shape": tf.stack([tf.size(x), 5]), "stack unknown": tf.stack([tf.shape(u)[0], 5]),
        "fill": tf.fill([2, 2], 3.0), "fill unknown": tf.fill([tf.shape(u)[0]], 3.0), "equal": tf.equal([1, 2], [1, 3]),
        "not equal": tf.not_equal([1, 2], [1, 3]),
        "equal unknown": tf.equal(x, x), "sum": tf.constant(1) + tf.constant(2), "product": tf.reduce_prod(tf.constant([2, 3])),
        "slice of shape": tf.shape(x)[0],
        "reshape": tf.reshape(tf.constant([1, 2]), [2, 1]), "variable": tf.Variable(1.0).value(), "zeros": tf.zeros([2]),
        "ones": tf.ones([2], tf.int32), "large": tf.zeros([2000]), "negative": tf.negative(tf.constant(1)),
        "stack of rows": tf.stack([[1, 2], [3, 4]]),
        "stack at one": tf.stack([[1, 2], [3, 4]], axis=1), "transpose": tf.transpose(tf.constant([[1, 2]])),
    }  # fmt: skip
    return {name: known(t) for name, t in made.items()}


@program
def values_of_what_is_no_tensor(tf, np):
    known = tf.get_static_value
    return [attempt(lambda x=x: known(x)).classes[0] if isinstance(attempt(lambda x=x: known(x)),
        type(attempt(lambda: 1 / 0))) else known(x) for x in (None, "a", [1, 2], 3, np.ones(2))]


@program
def partial_values(tf, np):
    known = tf.get_static_value
    u = tf.placeholder(tf.float32, [None, 3], name="u")
    packed = tf.stack([tf.shape(u)[0], 5])
    return [known(packed), attempt(lambda: [None if x is None else int(x) for x in known(packed, partial=True)])]


@program
def shapes_known_through_values(tf, np):
    u = tf.placeholder(tf.float32, [None, 3], name="u")
    x = tf.placeholder(tf.float32, [2, 3], name="x")
    n = tf.shape(u)[0]
    return [
        tf.reshape(u, [n, 3, 1]), tf.reshape(u, tf.concat([[n], [3]], 0)), tf.reshape(u, tf.stack([n, 3])),
        tf.zeros(tf.shape(u)), tf.zeros(tf.shape(u)[1:]),
        tf.zeros(tf.concat([tf.shape(u)[:1], [7]], 0)), tf.fill(tf.shape(x), 1.0),
        tf.zeros(tf.cast(tf.cast(tf.shape(u), tf.int64), tf.int32)), tf.reshape(x, [-1, tf.shape(x)[1]]),
        tf.placeholder_with_default(tf.zeros(tf.shape(x)), [None, 3]), tf.tile(x, [tf.shape(u)[1], 1]),
        tf.reshape(x, [tf.size(x)]), tf.zeros([tf.rank(u)]),
        tf.broadcast_to(1.0, [n, 4]), tf.random_uniform([n, 2]), tf.ones(tf.shape(u) * 2), tf.zeros([tf.shape(u)[1] + 1]),
        tf.zeros([n // 2, tf.shape(u)[-1]]),
        tf.zeros(tf.shape(u)[tf.newaxis][0]), tf.reshape(u, [-1]), tf.reshape(u, [tf.shape(u)[0], -1]),
    ]  # fmt: skip


@program
def contrib_names_for_known_values(tf, np):
    contrib = getattr(tf, "contrib", None)
    c = tf.constant([1, 2])
    known = contrib.util.constant_value if contrib is not None else tf.get_static_value
    is_tensor = contrib.framework.is_tensor if contrib is not None else tf.is_tensor
    return [known(c), is_tensor(c), is_tensor(3)]


@program
def fills(tf, np):
    return values(tf, {
        "int": lambda: tf.fill([2], 3), "float": lambda: tf.fill([1, 2], 1.5), "text": lambda: tf.fill([2], "a"),
        "scalar": lambda: tf.fill([], 1), "empty": lambda: tf.fill([0], 1),
        "name": lambda: tf.fill([1], 1, name="n"), "vector value": lambda: tf.fill([2], [1]),
        "matrix shape": lambda: tf.fill([[2]], 1), "negative": lambda: tf.fill([-1], 1),
        "float shape": lambda: tf.fill([1.5], 1), "bool": lambda: tf.fill([2], True),
    })  # fmt: skip


@program
def literals_take_the_dtype_beside_them(tf, np):
    kinds = ["float16", "float32", "float64", "int8", "int16", "int32", "int64", "uint8", "complex64"]
    out = {}
    for k in kinds:
        def make(k=k):
            x = tf.constant(2, k)
            return [x + 1, 1 + x, x * 3, (x + 1).op.inputs[1].name]

        out[k] = fresh(tf, make)
    return out


@program
def literals_that_do_not_fit(tf, np):
    i, f, s = tf.constant(1, name="i"), tf.constant(1.0, name="f"), tf.constant("s", name="s")
    return [attempt(lambda g=g: g()) if k not in (2, 8, 9) else g().dtype for k, g in enumerate((
        lambda: i + 1.5, lambda: 1.5 + i, lambda: f + 1, lambda: f + "a", lambda: i + None, lambda: f + None, lambda: s + 1,
        lambda: s * 2, lambda: i + True, lambda: i + 2**40,
    ))]  # fmt: skip


@program
def numpy_beside_tensors(tf, np):
    f = tf.constant([1.0, 2.0], name="f")
    with tf.Session() as sess:
        made = [f + np.float32(1), np.float32(1) + f, np.ones(2, np.float32) * f, f * np.ones(2), np.array([1, 2]) + f,
            f + np.int64(3), np.float64(2.0) * f]
        return [made, sess.run(made)]
