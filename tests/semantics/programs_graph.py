"""Graphs, names, scopes, control dependencies, devices, collections, reprs, dtype rules."""

from functools import partial

from harness import attempt, fresh, graph_of, program


def names(tf):
    return [op.name for op in tf.get_default_graph().get_operations()]


@program
def names_are_unique_without_regard_to_case(tf, np):
    for name in ["a", "a", "A", "a_1", "a", "B", "b", "b", "B", "B_1"]:
        tf.constant(1.0, name=name)
    return names(tf)


@program
def default_names(tf, np):
    a, b = tf.constant(1.0), tf.constant(2.0)
    a + b
    a * b
    tf.add(a, b)
    tf.placeholder(tf.float32)
    tf.identity(a)
    tf.no_op()
    tf.group(a.op, b.op)
    tf.Variable(1.0)
    tf.Variable(1.0)
    tf.constant(3.0)
    tf.square(a)
    tf.square(a)
    tf.zeros([2])
    tf.ones([2])
    return names(tf)


@program
def scopes_and_ops_share_the_name_counter(tf, np):
    tf.constant(1, name="s")
    with tf.name_scope("s") as first:
        tf.constant(1, name="c")
        tf.constant(1, name="c")
        with tf.name_scope("t") as inner:
            tf.constant(1, name="c")
        with tf.name_scope("t") as inner_again:
            tf.constant(1)
    with tf.name_scope("s") as second:
        tf.constant(1, name="c")
    tf.constant(1, name="s_1/c")
    tf.constant(1, name="S_2")
    with tf.name_scope("s_2") as third:
        tf.constant(1)
    return [first, inner, inner_again, second, third, names(tf)]


@program
def scopes_reenter_and_reset(tf, np):
    with tf.name_scope("s") as s:
        tf.constant(1, name="c")
        with tf.name_scope(None) as none:
            tf.constant(1, name="c")
        with tf.name_scope("") as empty:
            tf.constant(1, name="c")
        with tf.name_scope("t/"):
            tf.constant(1, name="c")
    with tf.name_scope(s) as again:
        tf.constant(1, name="c")
        with tf.name_scope("u"):
            tf.constant(1, name="c")
    with tf.name_scope("s/u/") as deep:
        tf.constant(1, name="c")
        tf.constant(1, name="x/y")
    tf.constant(1, name="s/")
    return [s, none, empty, again, deep, names(tf)]


@program
def scope_default_names(tf, np):
    a = tf.constant(1.0, name="a")
    with tf.name_scope(None, "fallback", [a]) as scope:
        tf.identity(a)
    with tf.name_scope("given", "fallback", [a]) as given:
        tf.identity(a, name="x")
        with tf.name_scope(None, default_name="fallback") as inner:
            tf.identity(a)
    with tf.name_scope(name="keyword", values=[a]) as keyword:
        pass
    return [
        scope,
        given,
        inner,
        keyword,
        names(tf),
        attempt(lambda: tf.name_scope(None, None, [a]).__enter__()),
    ]


@program
def scope_of_another_graph(tf, np):
    g = tf.Graph()
    with g.as_default():
        other = tf.constant(1.0)
    here = tf.constant(1.0, name="here")

    def enter(values):
        with tf.name_scope("s", values=values):
            return tf.constant(1.0).graph is g

    return [
        enter([other]),
        enter([here]),
        attempt(lambda: enter([here, other])),
        attempt(lambda: tf.add(here, other)),
    ]


@program
def valid_and_invalid_names(tf, np):
    def make(name):
        return attempt(lambda: tf.constant(1, name=name).name)

    def scope(name):
        def enter():
            with tf.name_scope(name) as s:
                return [s, tf.constant(1, name="c").name]

        return attempt(enter)

    ops = ["a.b", "a-b", "a/b", "1a", ".a", "_a", "-a", "a b", "a:0", "ä", "", "/a", "a_", "A_1-.x/"]
    scopes = ["a.b", "_a", "-a", "a b", "a:0", "1", ".x", "ä", "a/b", "a//"]
    return [[(n, make(n)) for n in ops], [(n, scope(n)) for n in scopes]]


@program
def names_of_nodes_with_inputs_are_scopes_too(tf, np):
    makes = [
        lambda name: tf.add(1, 2, name=name).name,
        lambda name: tf.placeholder(tf.float32, name=name).name,
        lambda name: tf.reduce_sum([1], name=name).name,
        lambda name: tf.get_default_graph().create_op("NoOp", [], [], name=name).name,
    ]

    def inside(make, name):
        with tf.name_scope("s"):
            return make(name)

    given = ["a b", "a b/", "_a", "-a", "ä", "a:0", "/a", "a/"]
    made = [[fresh(tf, partial(make, name)) for make in makes] for name in [*given, "_a/"]]
    return [made, [[fresh(tf, partial(inside, make, name)) for make in makes] for name in given]]


@program
def inner_scopes_may_begin_with_underscore(tf, np):
    with tf.name_scope("outer"):
        with tf.name_scope("_inner") as s:
            c = tf.constant(1, name="_c")
    return [s, c.name]


@program
def unique_name(tf, np):
    g = tf.get_default_graph()
    first = [
        g.unique_name("u"),
        g.unique_name("u"),
        g.unique_name("u", mark_as_used=False),
        g.unique_name("u", mark_as_used=False),
    ]
    with g.name_scope("s"):
        return [
            *first,
            g.unique_name("u"),
            g.unique_name("U"),
            g.get_name_scope(),
            tf.constant(1, name="u").name,
        ]


@program
def control_dependencies_accumulate(tf, np):
    a, b, c = (tf.constant(1.0, name=n) for n in "abc")
    with tf.control_dependencies([a]):
        tf.constant(1.0, name="in_a")
        with tf.control_dependencies([b, c.op]):
            tf.constant(1.0, name="in_abc")
            with tf.control_dependencies(None):
                tf.constant(1.0, name="cleared")
                with tf.control_dependencies([c]):
                    tf.constant(1.0, name="afresh")
            with tf.control_dependencies([]):
                tf.constant(1.0, name="in_abc_too")
        tf.constant(1.0, name="in_a_again")
    tf.constant(1.0, name="outside")
    return graph_of(tf)


@program
def implied_dependencies_are_left_out(tf, np):
    a, b = tf.constant(1.0, name="a"), tf.constant(2.0, name="b")
    x = tf.placeholder(tf.float32, name="x")
    with tf.control_dependencies([a, b]):
        ia = tf.identity(a, name="ia")
        tf.identity(ia, name="iia")
        tf.add(x, 0.5, name="half")
        tf.add(x, a, name="xa")
        tf.add(a, b, name="ab")
        tf.identity(x, name="ix")
        with tf.control_dependencies([ia]):
            tf.identity(x, name="nested")
            tf.identity(ia, name="nested_ia")
            tf.no_op(name="nop")
    with tf.control_dependencies([a, a, b.op, a.op]):
        tf.no_op(name="repeated")
    with tf.control_dependencies([a]):
        y = x
    with tf.control_dependencies([ia]):
        tf.identity(a, name="late")
    return [y is x, graph_of(tf)]


@program
def dependency_made_under_the_dependency(tf, np):
    a = tf.constant(1.0, name="a")
    with tf.control_dependencies([a]):
        b = tf.constant(2.0, name="b")
        with tf.control_dependencies([b]):
            tf.constant(3.0, name="c")
            tf.identity(b, name="d")
    x = tf.identity(a, name="x")
    with tf.control_dependencies([x]):
        y = tf.identity(a, name="y")
        with tf.control_dependencies([a]):
            tf.identity(y, name="z")
    return graph_of(tf)


@program
def what_control_dependencies_accept(tf, np):
    a = tf.constant([1.0], name="a")
    v = tf.Variable(1.0, name="v")
    r = tf.Variable(1.0, name="r", use_resource=True)
    slices = tf.IndexedSlices(tf.constant([[1.0]], name="values"), tf.constant([0], name="indices"))

    def under(inputs):
        def make():
            with tf.control_dependencies(inputs):
                return [c.name for c in tf.no_op(name="n").control_inputs]

        return attempt(make)

    return {
        "tensor": under([a]),
        "op": under([a.op]),
        "variable": under([v]),
        "resource variable": under([r]),
        "slices": under([slices]),
        "tuple": under((a, v)),
        "int": under([3]),
        "name": under(["a"]),
        "none inside": under([None]),
        "not a list": under(a),
    }


@program
def only_ops_created_inside_are_touched(tf, np):
    a = tf.constant(1.0, name="a")
    before = tf.constant(2.0, name="before")
    with tf.control_dependencies([a]):
        after = tf.Variable(3.0, name="after")
        z = tf.zeros([2], name="z")
        f = tf.fill([2], 1.0, name="f")
    return [list(before.op.control_inputs) == [], graph_of(tf), after.name, z.name, f.name]


@program
def control_inputs_and_outputs(tf, np):
    a, b = tf.constant(1.0, name="a"), tf.constant(1.0, name="b")
    with tf.control_dependencies([a, b]):
        c = tf.no_op(name="c")
    d = tf.group(c, a, name="d")
    e = tf.tuple([a, b], name="e")
    f = tf.tuple([a, b], control_inputs=[c], name="f")
    return [
        [x.name for x in c.control_inputs],
        [x.name for x in a.op._control_outputs],
        [x.name for x in a.consumers()],
        d.name,
        [t.name for t in e + f],
        graph_of(tf),
    ]


@program
def groups(tf, np):
    a, b = tf.constant(1.0, name="a"), tf.constant(1.0, name="b")
    with tf.device("/cpu:0"):
        c = tf.constant(1.0, name="c")
    made = [
        tf.group(),
        tf.group(a),
        tf.group(a, [b, [a.op]]),
        tf.group([a, b], name="g"),
        tf.group(a, c, name="two_devices"),
    ]
    return [
        made,
        graph_of(tf),
        attempt(lambda: tf.group(3)),
        attempt(lambda: tf.group(a, None)),
        attempt(lambda: tf.group(a, nam="x")),
    ]


@program
def tuples(tf, np):
    a, b = tf.constant(1.0, name="a"), tf.constant(2, name="b")
    slices = tf.IndexedSlices(tf.constant([[1.0]], name="v"), tf.constant([0], name="i"))
    made = tf.tuple([a, None, b, slices], name="t")
    return [
        [None if m is None else m.name for m in made],
        attempt(lambda: tf.tuple([])),
        attempt(lambda: tf.tuple([None])),
        graph_of(tf),
    ]


@program
def with_dependencies_and_identity(tf, np):
    a = tf.constant([1.0, 2.0], name="a")
    i = tf.identity(a)
    return [
        i is a,
        tf.identity([1, 2]),
        tf.identity(3.0, name="three"),
        tf.identity("s"),
        tf.stop_gradient(a),
        graph_of(tf),
    ]


@program
def devices_merge(tf, np):
    made = []
    with tf.device("/cpu:0"):
        made.append(tf.constant(1.0))
        with tf.device("/job:w/task:1"):
            made.append(tf.constant(1.0))
            with tf.device("/gpu:1"):
                made.append(tf.constant(1.0))
            with tf.device(None):
                made.append(tf.constant(1.0))
                with tf.device("/job:ps"):
                    made.append(tf.constant(1.0))
            with tf.device(""):
                made.append(tf.constant(1.0))
    with tf.device("/device:CPU:0"):
        made.append(tf.constant(1.0))
    with tf.device(lambda op: "/job:f" if op.type == "Const" else "/job:other"):
        made.append(tf.constant(1.0))
        made.append(tf.identity(made[0]))
        with tf.device("/cpu:1"):
            made.append(tf.constant(1.0))
    return [[t.device for t in made], attempt(lambda: tf.device("nonsense:x").__enter__())]


@program
def colocation(tf, np):
    with tf.device("/cpu:0"):
        a = tf.constant(1.0, name="a")
    b = tf.constant(1.0, name="b")
    with tf.colocate_with(a):
        c = tf.constant(1.0, name="c")
        with tf.colocate_with(b):
            d = tf.constant(1.0, name="d")
            with tf.colocate_with(None, ignore_existing=True):
                tf.constant(1.0, name="e")
            with tf.colocate_with(a, ignore_existing=True):
                tf.constant(1.0, name="f")
    with tf.colocate_with(d):
        tf.constant(1.0, name="g")
    with tf.device("/gpu:0"):
        with tf.colocate_with(c.op):
            tf.constant(1.0, name="h")
    return [
        [
            (op.name, op.device, [g.decode() for g in op.colocation_groups()])
            for op in tf.get_default_graph().get_operations()
        ],
        attempt(lambda: tf.colocate_with(None).__enter__()),
        fresh(tf, lambda: tf.get_default_graph().colocate_with([tf.constant(1.0)]).__enter__()),
    ]


@program
def finalized_graph(tf, np):
    a = tf.constant(1.0)
    g = tf.get_default_graph()
    before = g.finalized
    g.finalize()
    count = len(g.get_operations())
    with tf.Session() as sess:
        value = sess.run(a)
    return [
        before,
        g.finalized,
        attempt(lambda: tf.constant(1.0)),
        attempt(lambda: a + a),
        attempt(lambda: tf.Variable(1.0)),
        value,
        len(g.get_operations()) == count,
    ]


@program
def default_graphs_nest(tf, np):
    outer = tf.get_default_graph()
    g, h = tf.Graph(), tf.Graph()
    with g.as_default() as entered:
        inside = [entered is g, tf.get_default_graph() is g]
        a = tf.constant(1.0)
        with h.as_default():
            b = tf.constant(1.0)
            inside.append(attempt(tf.reset_default_graph))
        c = tf.constant(1.0)
    return [
        inside,
        a.graph is g,
        b.graph is h,
        c.graph is g,
        tf.get_default_graph() is outer,
        a.name,
        b.name,
        c.name,
        attempt(lambda: tf.add(a, b)),
    ]


@program
def reset_default_graph_makes_a_new_one(tf, np):
    before = tf.get_default_graph()
    tf.constant(1.0, name="c")
    tf.reset_default_graph()
    c = tf.constant(1.0, name="c")
    return [tf.get_default_graph() is before, c.name, len(tf.get_default_graph().get_operations())]


@program
def elements_by_name(tf, np):
    a = tf.constant(1.0, name="a")
    with tf.name_scope("s"):
        parts = tf.split(tf.constant([1.0, 2.0]), 2, name="parts")
    g = tf.get_default_graph()
    with tf.Graph().as_default():
        foreign = tf.constant(1.0, name="foreign")
    v = tf.Variable(1.0, name="v")
    return {
        "tensor": g.get_tensor_by_name("a:0") is a,
        "second output": g.get_tensor_by_name("s/parts:1") is parts[1],
        "op": g.get_operation_by_name("a") is a.op,
        "tensor without index": attempt(lambda: g.get_tensor_by_name("a")),
        "missing tensor": attempt(lambda: g.get_tensor_by_name("b:0")),
        "bad index": attempt(lambda: g.get_tensor_by_name("a:1")),
        "no number": attempt(lambda: g.get_tensor_by_name("a:b")),
        "two colons": attempt(lambda: g.get_tensor_by_name("a:0:0")),
        "not a name": attempt(lambda: g.get_tensor_by_name(3)),
        "missing op": attempt(lambda: g.get_operation_by_name("b")),
        "tensor name as op": attempt(lambda: g.get_operation_by_name("a:0")),
        "op of an int": attempt(lambda: g.get_operation_by_name(3)),
        "element tensor": g.as_graph_element("a:0") is a,
        "element op": g.as_graph_element("a") is a.op,
        "element itself": [g.as_graph_element(a) is a, g.as_graph_element(a.op) is a.op],
        "element variable": g.as_graph_element(v).name,
        "element int": attempt(lambda: g.as_graph_element(3)),
        "foreign": attempt(lambda: g.as_graph_element(foreign)),
        "no ops wanted": attempt(lambda: g.as_graph_element("a", allow_operation=False)),
        "no tensors wanted": attempt(lambda: g.as_graph_element("a:0", allow_tensor=False)),
        "nothing wanted": attempt(lambda: g.as_graph_element("a", allow_tensor=False, allow_operation=False)),
        "tensor, no tensors wanted": attempt(lambda: g.as_graph_element(a, allow_tensor=False)),
        "op, no ops wanted": attempt(lambda: g.as_graph_element(a.op, allow_operation=False)),
    }


@program
def collections(tf, np):
    g = tf.get_default_graph()
    a = tf.constant(1.0, name="a")
    with tf.name_scope("s"):
        b = tf.constant(1.0, name="b")
    tf.add_to_collection("c", a)
    tf.add_to_collection("c", b)
    tf.add_to_collection("c", 3)
    tf.add_to_collections(["c", "d", "c"], a)
    copy = tf.get_collection("c")
    copy.append("lost")
    live = tf.get_collection_ref("e")
    live.append(a)
    g.clear_collection("d")
    return {
        "c": len(tf.get_collection("c")),
        "scope": [x.name for x in tf.get_collection("c", scope="s")],
        "scope is a match": [x.name for x in tf.get_collection("c", scope=".*b")],
        "scope a": [x.name for x in tf.get_collection("c", "a")],
        "d": tf.get_collection("d"),
        "e": [x.name for x in tf.get_collection("e")],
        "missing": tf.get_collection("nothing"),
        "keys": sorted(map(str, g.get_all_collection_keys())),
        "names": [
            tf.GraphKeys.GLOBAL_VARIABLES,
            tf.GraphKeys.TRAINABLE_VARIABLES,
            tf.GraphKeys.LOCAL_VARIABLES,
            tf.GraphKeys.UPDATE_OPS,
            tf.GraphKeys.MOVING_AVERAGE_VARIABLES,
            tf.GraphKeys.SUMMARIES,
            tf.GraphKeys.VARIABLES,
        ],
        "list key": attempt(lambda: tf.add_to_collections("cd", a)),
    }


@program
def tensors_are_symbols(tf, np):
    t = tf.constant([1.0, 2.0], name="t")
    s = tf.constant(1.0, name="s")
    x = tf.placeholder(tf.float32, name="x")
    return {
        "iter": attempt(lambda: list(t)),
        "iter scalar": attempt(lambda: list(s)),
        "iter unknown": attempt(lambda: iter(x)),
        "unpack": attempt(lambda: (lambda a, b: a)(*t)),
        "bool": attempt(lambda: bool(t)),
        "if": attempt(lambda: 1 if s > 0 else 2),
        "and": attempt(lambda: s and t),
        "not": attempt(lambda: not s),
        "len": attempt(lambda: len(t)),
        "array": attempt(lambda: np.array(t)),
        "eq": [t == t, t == s, t != s, t == 1.0, t == None, t in [s, t]],  # noqa: E711
        "hash": [hash(t) == hash(t), len({t, s, t})],
        "dict": {t: 1}[t],
        "attributes": [
            t.name,
            t.op.name,
            t.value_index,
            t.device,
            str(t.dtype),
            t.get_shape().as_list(),
            t.shape.ndims,
        ],
        "no attribute": attempt(lambda: t.nothing),
    }


@program
def reprs(tf, np):
    c = tf.constant([1.0], name="c")
    x = tf.placeholder(tf.int32, [None, 3], name="x")
    u = tf.placeholder(tf.bool, name="u")
    v = tf.Variable(1.0, name="v")
    i = tf.Variable([1, 2], name="i", trainable=False)
    r = tf.Variable(1.0, name="r", use_resource=True)
    with tf.device("/cpu:0"):
        d = tf.constant(1.0, name="d")
    things = [
        c,
        x,
        u,
        v,
        i,
        r,
        d,
        c.op,
        tf.float32,
        tf.int64,
        tf.bool,
        tf.string,
        v.dtype,
        c.shape,
        x.shape,
        u.shape,
        x.shape[0],
        x.shape[1],
        x.shape[1:],
        tf.TensorShape([]),
        tf.TensorShape(None),
        tf.TensorShape([1]),
        v.op,
        v.initializer,
        r.dtype,
        r.initializer,
    ]
    return [
        [repr(t) for t in things],
        [str(t) for t in things if t not in (c.op, v.op, v.initializer, r.initializer)],
    ]


@program
def node_defs(tf, np):
    c = tf.constant([1.0, 2.0], name="c")
    with tf.control_dependencies([c]):
        i = tf.identity(c, name="i")
    n = i.op.node_def
    return [
        n.name,
        n.op,
        list(n.input),
        n.device,
        i.op.type,
        i.op.name,
        [t.name for t in i.op.inputs],
        [t.name for t in i.op.outputs],
        i.op.graph is tf.get_default_graph(),
        i.op.get_attr("T"),
        attempt(lambda: i.op.get_attr("nothing")),
    ]


@program
def no_dtype_promotion(tf, np):
    i, f, d = tf.constant(1, name="i"), tf.constant(1.0, name="f"), tf.constant(1.0, tf.float64, name="d")
    b, s = tf.constant(True, name="b"), tf.constant("s", name="s")
    u8, h = tf.constant(1, tf.uint8, name="u8"), tf.constant(1.0, tf.float16, name="h")
    pairs = {
        "i+f": lambda: i + f,
        "f+i": lambda: f + i,
        "f+d": lambda: f + d,
        "i*f": lambda: i * f,
        "f-b": lambda: f - b,
        "f/i": lambda: f / i,
        "f//i": lambda: f // i,
        "f%i": lambda: f % i,
        "f**i": lambda: f**i,
        "f<i": lambda: f < i,
        "b&i": lambda: b & i,
        "s+f": lambda: s + f,
        "tf.add": lambda: tf.add(i, f),
        "tf.multiply": lambda: tf.multiply(f, i),
        "tf.equal": lambda: tf.equal(f, i),
        "tf.matmul": lambda: tf.matmul(tf.ones([1, 1]), tf.ones([1, 1], tf.int32)),
        "tf.maximum": lambda: tf.maximum(f, d),
        "tf.concat": lambda: tf.concat([tf.ones([1]), tf.ones([1], tf.int32)], 0),
        "tf.stack": lambda: tf.stack([f, i]),
        "tf.where": lambda: tf.where(b, f, i),
        "tf.add_n": lambda: tf.add_n([f, i]),
        "b+b": lambda: b + b,
        "-b": lambda: -b,
        "tf.sqrt(i)": lambda: tf.sqrt(i),
        "tf.reduce_mean(b)": lambda: tf.reduce_mean(b),
        "tf.log(i)": lambda: tf.log(i),
        "tf.logical_and(f, f)": lambda: tf.logical_and(f, f),
        "tf.sigmoid(i)": lambda: tf.sigmoid(i),
        "tf.argmax(b)": lambda: tf.argmax([True, False]),
        "u8+i": lambda: u8 + i,
        "h+f": lambda: h + f,
        "assign": lambda: tf.assign(tf.Variable(1.0, name="v"), i),
        "assign_add": lambda: tf.assign_add(tf.Variable(1.0, name="v"), i),
    }
    return {k: attempt(p) for k, p in pairs.items()}


@program
def literals_take_the_tensors_dtype(tf, np):
    i, f, d = tf.constant(1, name="i"), tf.constant(1.0, name="f"), tf.constant(1.0, tf.float64, name="d")
    u8, b, h = (
        tf.constant(1, tf.uint8, name="u8"),
        tf.constant(True, name="b"),
        tf.constant(1.0, tf.float16, name="h"),
    )
    made = {
        "f+1": lambda: f + 1,
        "1+f": lambda: 1 + f,
        "d*2": lambda: d * 2,
        "u8+1": lambda: u8 + 1,
        "h-0.5": lambda: h - 0.5,
        "i*True": lambda: i * True,
        "f+True": lambda: f + True,
        "f+[1, 2]": lambda: f + [1, 2],
        "f+np64": lambda: f + np.float64(2.0),
        "f+np32": lambda: f + np.float32(2.0),
        "i+np64": lambda: i + np.int64(2),
        "np64+f": lambda: np.float64(2.0) + f,
        "array+f": lambda: np.ones(2, np.float32) + f,
        "array64*f": lambda: np.ones(2) * f,
        "f/2": lambda: f / 2,
        "2/f": lambda: 2 / f,
        "i/2": lambda: i / 2,
        "i//2": lambda: i // 2,
        "i+2**40": lambda: i + 2**40,
        "u8+300": lambda: u8 + 300,
        "f<1": lambda: f < 1,
        "1<f": lambda: f > 1,
        "b&True": lambda: b & True,
        "f**2": lambda: f**2,
        "2**f": lambda: 2**f,
        "i%2": lambda: i % 2,
        "tf.add(f, 1)": lambda: tf.add(f, 1),
        "tf.add(1, 2)": lambda: tf.add(1, 2),
        "tf.equal(f, 1)": lambda: tf.equal(f, 1),
        "tf.concat": lambda: tf.concat([[1], [2, 3]], 0),
        "tf.stack": lambda: tf.stack([f, 1]),
        "tf.stack literals": lambda: tf.stack([1, 2.0]),
    }
    result = {k: attempt(m) for k, m in made.items()}
    refused = {
        "i+1.5": lambda: i + 1.5,
        "1.5+i": lambda: 1.5 + i,
        "i//2.0": lambda: i // 2.0,
        "f+'a'": lambda: f + "a",
        "f+None": lambda: f + None,
        "tf.add(1, f)": lambda: tf.add(1, f),
        "tf.add(1, 2.)": lambda: tf.add(1, 2.0),
        "tf.maximum(0, f)": lambda: tf.maximum(0, f),
        "tf.multiply(i, 0.5)": lambda: tf.multiply(i, 0.5),
        "tf.concat mixed": lambda: tf.concat([[1.0], [2, 3]], 0),
    }
    return [result, graph_of(tf), {k: attempt(m) for k, m in refused.items()}]


@program
def static_shape_errors(tf, np):
    def ph(*shape, dtype=tf.float32):
        return tf.placeholder(dtype, shape)

    bad = {
        "add": lambda: tf.ones([2, 3]) + tf.ones([4]),
        "tf.add": lambda: tf.add(ph(None, 3), ph(None, 4)),
        "matmul": lambda: tf.matmul(tf.ones([2, 3]), tf.ones([5, 4]), name="product"),
        "matmul rank": lambda: tf.matmul(tf.ones([2]), tf.ones([2, 2])),
        "matmul transposed": lambda: tf.matmul(tf.ones([2, 3]), tf.ones([3, 4]), transpose_a=True),
        "batch matmul": lambda: tf.matmul(tf.ones([2, 3, 4]), tf.ones([2, 3, 4])),
        "reshape": lambda: tf.reshape(tf.ones([6]), [4]),
        "reshape -1": lambda: tf.reshape(tf.ones([6]), [4, -1]),
        "reshape two -1": lambda: tf.reshape(tf.ones([6]), [-1, -1]),
        "concat rank": lambda: tf.concat([tf.ones([2]), tf.ones([2, 2])], 0),
        "concat dim": lambda: tf.concat([tf.ones([2, 3]), tf.ones([2, 2])], 0),
        "concat axis": lambda: tf.concat([tf.ones([2]), tf.ones([2])], 1),
        "stack": lambda: tf.stack([tf.ones([2]), tf.ones([3])]),
        "stack axis": lambda: tf.stack([tf.ones([2])], axis=2),
        "unstack": lambda: tf.unstack(tf.placeholder(tf.float32, [None])),
        "unstack rank": lambda: tf.unstack(tf.placeholder(tf.float32)),
        "unstack num": lambda: tf.unstack(tf.ones([3]), 2),
        "split": lambda: tf.split(tf.ones([3]), 2),
        "slice": lambda: tf.slice(tf.ones([3]), [1], [3]),
        "slice rank": lambda: tf.slice(tf.ones([3]), [1, 1], [1, 1]),
        "strided": lambda: tf.ones([3])[3],
        "strided rank": lambda: tf.ones([3])[0, 0],
        "strided zero step": lambda: tf.ones([3])[::0],
        "transpose": lambda: tf.transpose(tf.ones([2, 3]), [0, 0]),
        "transpose rank": lambda: tf.transpose(tf.ones([2, 3]), [0]),
        "squeeze": lambda: tf.squeeze(tf.ones([2, 1]), [0]),
        "expand": lambda: tf.expand_dims(tf.ones([2]), 3),
        "reduce": lambda: tf.reduce_sum(tf.ones([2]), 1),
        "gather": lambda: tf.gather(tf.ones([]), [0]),
        "where": lambda: tf.where(tf.constant([True, False]), tf.ones([3]), tf.ones([3])),
        "where operands": lambda: tf.where(tf.constant([True, False]), tf.ones([2]), tf.ones([3])),
        "where one": lambda: tf.where(tf.constant([True]), tf.ones([1])),
        "fill value": lambda: tf.fill([1], [1.0]),
        "tile": lambda: tf.tile(tf.ones([2]), [1, 1]),
        "pad": lambda: tf.pad(tf.ones([2]), [[1, 1], [1, 1]]),
        "range": lambda: tf.range(0, 5, 0),
        "range sign": lambda: tf.range(5, 0, 1),
        "add_n": lambda: tf.add_n([tf.ones([2]), tf.ones([3])]),
        "add_n empty": lambda: tf.add_n([]),
        "assign": lambda: tf.assign(tf.Variable(tf.zeros([2]), name="v"), tf.ones([3])),
        "assign_add": lambda: tf.assign_add(tf.Variable(tf.zeros([2]), name="w"), tf.ones([3])),
        "constant": lambda: tf.constant([1, 2, 3], shape=[2]),
        "set_shape": lambda: tf.ones([2]).set_shape([3]),
        "argmax": lambda: tf.argmax(tf.ones([2]), 1),
        "select broadcast": lambda: tf.where(True, tf.ones([2]), tf.ones([3])),
    }
    return {k: fresh(tf, f) for k, f in bad.items()}


@program
def shapes_merge(tf, np):
    x = tf.placeholder(tf.float32, [None, 3])
    x.set_shape([2, None])
    y = tf.placeholder(tf.float32)
    y.set_shape([None])
    u = tf.TensorShape
    return {
        "set": [x, y],
        "broadcast": [
            tf.placeholder(tf.float32, [None, 1]) + tf.placeholder(tf.float32, [3]),
            tf.placeholder(tf.float32, [None]) + tf.ones([3]),
            tf.placeholder(tf.float32, [None]) + tf.ones([1]),
            tf.placeholder(tf.float32) + tf.ones([3]),
            tf.placeholder(tf.float32, [None, 2]) + tf.placeholder(tf.float32, [None, 2]),
        ],
        "merge": [
            u([None, 3]).merge_with([2, None]),
            attempt(lambda: u([2]).merge_with([3])),
            attempt(lambda: u([2]).merge_with([3, 3])),
        ],
        "concatenate": [u([1, None]).concatenate([3]), u(None).concatenate([1])],
        "compatible": [
            u([None]).is_compatible_with([3]),
            u([2]).is_compatible_with([3]),
            u(None).is_compatible_with([1, 2]),
        ],
        "equal": [u([2]) == u([2]), u([2]) == [2], u([2]) != u([3]), u(None) == u(None)],
        "facts": [
            u([2, 3]).num_elements(),
            u([2, None]).num_elements(),
            u([2, None]).ndims,
            u(None).ndims,
            u([2]).is_fully_defined(),
            u([2, None]).is_fully_defined(),
            len(u([1, 2])),
            attempt(lambda: len(u(None))),
            u([1, 2])[0],
            u([1, 2, 3])[1:],
            u([1, 2])[-1],
        ],
        "as_list": [u([1, None]).as_list(), attempt(lambda: u(None).as_list())],
        "with_rank": [
            u(None).with_rank(2),
            attempt(lambda: u([1]).with_rank(2)),
            attempt(lambda: u([1]).with_rank_at_least(2)),
            u([1]).with_rank_at_most(3),
        ],
        "asserts": [
            attempt(lambda: u([1]).assert_has_rank(2)),
            attempt(lambda: u([None]).assert_is_fully_defined()),
            attempt(lambda: u([1]).assert_is_compatible_with([2])),
            attempt(lambda: u([1]).assert_same_rank([2, 3])),
        ],
        "dims": [
            u([2, None]).dims[0],
            u([2, None]).dims[1].value,
            list(u([2, 3])) == [2, 3],
            [d.value for d in u([2, None])],
        ],
        "from": [u(x.shape), u([tf.Dimension(2), None]), u((2, 3)), attempt(lambda: u([-1]))],
        "bool": [bool(u(None)), bool(u([])), bool(u([2]))],
    }


@program
def dimensions(tf, np):
    d, n = tf.Dimension(3), tf.Dimension(None)
    return {
        "arithmetic": [d + 1, 1 + d, d - 1, d * 2, d // 2, d % 2, n + 1, d + n, n * 2],
        "compare": [d == 3, d == n, n == n, n == None, d != 3, d < 4, d <= 3, d > n, n >= 1],  # noqa: E711
        "int": [int(d), attempt(lambda: int(n)), d.value, n.value, [0, 1, 2, 3, 4][d]],
        "text": [str(d), repr(d), str(n), repr(n)],
        "merge": [
            d.merge_with(3),
            d.merge_with(n),
            attempt(lambda: d.merge_with(4)),
            d.is_compatible_with(n),
        ],
        "bad": [attempt(lambda: tf.Dimension(-1))],
    }


@program
def dtypes(tf, np):
    every = [
        tf.float16,
        tf.float32,
        tf.float64,
        tf.bfloat16,
        tf.int8,
        tf.int16,
        tf.int32,
        tf.int64,
        tf.uint8,
        tf.uint16,
        tf.uint32,
        tf.uint64,
        tf.bool,
        tf.string,
        tf.complex64,
        tf.complex128,
        tf.resource,
        tf.variant,
        tf.qint8,
        tf.quint8,
        tf.qint32,
    ]
    return {
        "facts": [
            [
                d.name,
                repr(d),
                d.as_datatype_enum,
                None if d in (tf.string, tf.resource, tf.variant) else d.size,
                d.is_floating,
                d.is_integer,
                d.is_bool,
                d.is_complex,
                d.is_unsigned,
                d.is_quantized,
                d.is_numpy_compatible,
                str(d._is_ref_dtype),
                d.base_dtype.name,
                d._as_ref.name,
            ]
            for d in every
        ],
        "numpy": [
            np.dtype(d.as_numpy_dtype).name
            for d in every
            if d not in (tf.bfloat16, tf.resource, tf.variant, tf.qint8, tf.quint8, tf.qint32)
        ],
        "int limits": [
            [int(d.min), int(d.max)] for d in (tf.int8, tf.int16, tf.int32, tf.int64, tf.uint8, tf.uint16)
        ],
        "as_dtype": [
            tf.as_dtype(x).name
            for x in (
                "float32",
                "float",
                "double",
                "half",
                "int32",
                "string",
                np.float32,
                np.int64,
                bool,
                1,
                3,
                np.dtype("uint8"),
                tf.float32,
                object,
            )
        ],
        "bad": [
            attempt(lambda: tf.as_dtype("nothing")),
            attempt(lambda: tf.as_dtype(None)),
            attempt(lambda: tf.as_dtype([1])),
        ],
        "equal": [
            tf.float32 == "float32",
            tf.float32 == np.float32,
            tf.float32 != tf.int32,
            tf.float32 == None,  # noqa: E711
            tf.float32 == 1,
            tf.float32 == tf.Variable(1.0).dtype,
            hash(tf.float32) == hash(tf.as_dtype("float32")),
        ],
        "ref": [
            tf.Variable(1.0).dtype.name,
            tf.Variable(1.0).dtype.base_dtype.name,
            tf.Variable(1.0).dtype.is_compatible_with(tf.float32),
            tf.float32.is_compatible_with(tf.Variable(1.0).dtype),
            tf.float32.is_compatible_with(tf.int32),
        ],
    }


@program
def constants(tf, np):
    made = {
        "int": lambda: tf.constant(1),
        "float": lambda: tf.constant(1.0),
        "bool": lambda: tf.constant(True),
        "text": lambda: tf.constant("a"),
        "bytes": lambda: tf.constant(b"a"),
        "complex": lambda: tf.constant(1j),
        "list without room": lambda: tf.constant([1, 2], shape=[2, 0]),
        "array without room": lambda: tf.constant(np.ones(2), shape=[2, 0]),
        "empty array without room": lambda: tf.constant(np.ones(0), shape=[2, 0]),
        "without a name": lambda: tf.constant(1, name=None),
        "list": lambda: tf.constant([1, 2]),
        "nested": lambda: tf.constant([[1.0], [2.0]]),
        "mixed": lambda: tf.constant([1, 2.0]),
        "int mixed with text": lambda: tf.constant([1, "a"]),
        "big int": lambda: tf.constant(2**40),
        "big ints": lambda: tf.constant([1, 2**40]),
        "huge": lambda: tf.constant(2**70),
        "shape": lambda: tf.constant(1.0, shape=[2, 2]),
        "shape of list": lambda: tf.constant([1, 2, 3, 4], shape=[2, 2]),
        "fill": lambda: tf.constant([1, 2], shape=[4]),
        "dtype": lambda: tf.constant(1, tf.float32),
        "float as int": lambda: tf.constant(1.5, tf.int32),
        "int as uint8": lambda: tf.constant(300, tf.uint8),
        "array": lambda: tf.constant(np.arange(3)),
        "float array": lambda: tf.constant(np.ones([2, 1])),
        "array as int": lambda: tf.constant(np.ones(2), tf.int32),
        "empty": lambda: tf.constant([]),
        "empty int": lambda: tf.constant([], tf.int32),
        "empty 2d": lambda: tf.constant(np.zeros([0, 3])),
        "none": lambda: tf.constant(None),
        "none inside": lambda: tf.constant([1, None]),
        "tensor": lambda: tf.constant(tf.constant(1)),
        "verify": lambda: tf.constant(1.0, shape=[2], verify_shape=True),
        "tuple": lambda: tf.constant((1, 2)),
        "texts": lambda: tf.constant(["a", "bc"]),
        "unicode": lambda: tf.constant("ü"),
        "text as float": lambda: tf.constant("1", tf.float32),
        "bool as float": lambda: tf.constant(True, tf.float32),
        "float as bool": lambda: tf.constant(1.0, tf.bool),
        "int as string": lambda: tf.constant(1, tf.string),
        "half": lambda: tf.constant(1.1, tf.float16),
        "dtype name": lambda: tf.constant(1, "float64"),
        "negative uint8": lambda: tf.constant(-1, tf.uint8),
        "inf": lambda: tf.constant(float("inf")),
    }

    def both(make):
        t = make()
        with tf.Session() as sess:
            return [t, sess.run(t)]

    return {k: fresh(tf, lambda make=make: both(make)) for k, make in made.items()}


@program
def convert_to_tensor(tf, np):
    t = tf.constant([1.0])
    v = tf.Variable(1.0, name="v")
    return [
        tf.convert_to_tensor(t) is t,
        tf.convert_to_tensor([t[0], 2.0]),
        tf.convert_to_tensor(3, name="three"),
        tf.convert_to_tensor(3, tf.float32),
        tf.convert_to_tensor(3, preferred_dtype=tf.float32),
        tf.convert_to_tensor(3.5, preferred_dtype=tf.int32),
        tf.convert_to_tensor(v),
        attempt(lambda: tf.convert_to_tensor(t, tf.int32)),
        attempt(lambda: tf.convert_to_tensor(v, tf.int32)),
        attempt(lambda: tf.convert_to_tensor({})),
        tf.convert_to_tensor(tf.TensorShape([2, 3])),
        attempt(lambda: tf.convert_to_tensor(tf.TensorShape([2, None]))),
        tf.convert_to_tensor(tf.Dimension(3)),
        graph_of(tf),
    ]


@program
def placeholders(tf, np):
    made = [
        tf.placeholder(tf.float32),
        tf.placeholder("int32", [], "s"),
        tf.placeholder(tf.bool, [None, 2], name="p"),
        tf.placeholder(np.float64, shape=(3,)),
        tf.placeholder(tf.float32, tf.TensorShape([None])),
        tf.placeholder_with_default(1.0, []),
        tf.placeholder_with_default([1, 2], [None], name="d"),
        tf.placeholder_with_default(tf.zeros([2]), None, name="e"),
    ]
    return [
        made,
        graph_of(tf, "shape", "dtype"),
        attempt(lambda: tf.placeholder(tf.float32, [-1])),
        attempt(lambda: tf.placeholder("nothing")),
        fresh(tf, lambda: tf.placeholder_with_default([1.0, 2.0], [3])),
        type(attempt(lambda: tf.placeholder())).__name__,
    ]


@program
def create_op(tf, np):
    a = tf.constant([1.0, 2.0], name="a")
    g = tf.get_default_graph()
    op = g.create_op("Neg", [a], [tf.float32], name="made")
    with tf.Session() as sess:
        return [op.type, op.name, op.outputs[0], sess.run(op.outputs[0]), g.create_op("NoOp", [], []).name]


@program
def graph_facts(tf, np):
    g = tf.get_default_graph()
    v0 = g.version
    tf.constant(1.0)
    tf.constant(1.0)
    return [v0, g.version, g.seed, g.building_function, len(g.get_operations()), g.finalized]


@program
def graph_keys(tf, np):
    names = [
        "GLOBAL_VARIABLES",
        "LOCAL_VARIABLES",
        "MODEL_VARIABLES",
        "TRAINABLE_VARIABLES",
        "SUMMARIES",
        "QUEUE_RUNNERS",
        "TABLE_INITIALIZERS",
        "ASSET_FILEPATHS",
        "MOVING_AVERAGE_VARIABLES",
        "REGULARIZATION_LOSSES",
        "CONCATENATED_VARIABLES",
        "SAVERS",
        "WEIGHTS",
        "BIASES",
        "ACTIVATIONS",
        "UPDATE_OPS",
        "LOSSES",
        "SAVEABLE_OBJECTS",
        "RESOURCES",
        "LOCAL_RESOURCES",
        "TRAINABLE_RESOURCE_VARIABLES",
        "INIT_OP",
        "LOCAL_INIT_OP",
        "READY_OP",
        "READY_FOR_LOCAL_INIT_OP",
        "SUMMARY_OP",
        "GLOBAL_STEP",
        "EVAL_STEP",
        "TRAIN_OP",
        "COND_CONTEXT",
        "WHILE_CONTEXT",
        "METRIC_VARIABLES",
        "VARIABLES",
    ]
    return {n: getattr(tf.GraphKeys, n) for n in names}


@program
def methods_of_the_graph(tf, np):
    g = tf.Graph()
    with g.as_default(), g.device("/cpu:0"), g.name_scope("s") as scope:
        a = tf.constant(1.0, name="a")
        with g.control_dependencies([a]), g.colocate_with(a):
            b = tf.constant(1.0, name="b")
    g.add_to_collection("things", a)
    g.add_to_collections(["things", "more"], b)
    return [
        scope,
        a.name,
        b.device,
        [c.name for c in b.op.control_inputs],
        b.op.colocation_groups(),
        [t.name for t in g.get_collection("things")],
        g.get_collection_ref("more") == [b],
        sorted(g.get_all_collection_keys()),
        [o.name for o in g.get_operations()],
        a.graph is g,
        g is not tf.get_default_graph(),
        len(tf.get_default_graph().get_operations()),
    ]


@program
def parts_of_operations_and_tensors(tf, np):
    x = tf.placeholder(tf.float32, [2, None], name="x")
    parts = tf.split(x, 2, name="parts")
    y = parts[1] + parts[0]
    op = parts[0].op
    return [
        [t.name for t in op.outputs],
        [t.name for t in op.inputs],
        [t.name for t in op.values()],
        len(op.outputs),
        op.type,
        op.name,
        op.device,
        [c.name for c in parts[0].consumers()],
        [c.name for c in x.consumers()],
        parts[1].value_index,
        parts[1].op is op,
        y.op.inputs[0].name,
        op.graph is x.graph,
        x.shape.as_list() == x.get_shape().as_list(),
        x.dtype == tf.float32,
        x.shape.as_list(),
        x.get_shape().ndims,
        x in [y, x],
        str(op.name),
        list(op.control_inputs),
        y.op.get_attr("T"),
        op.get_attr("num_split"),
        [i is x for i in op.inputs],
    ]


@program
def more_of_tensor_shapes(tf, np):
    u = tf.TensorShape
    return {
        "index": [
            u(None)[0],
            u([1, 2])[0:1],
            u(None)[1:],
            attempt(lambda: u([1])[3]).classes[0],
            u([1, 2, 3])[-2:],
            u(None)[1:3],
        ],
        "iterate": [attempt(lambda: list(u(None))), [d.value for d in u([1, None])]],
        "dims": [u(None).dims, [d.value for d in u([1, None]).dims], u([]).dims],
        "text": [str(u([])), str(u([None])), str(u([1, None, 3])), str(u(None)), repr(u([None, 2]))],
        "equal": [u([1]) == (1,), u([1]) == u(None), u(None) == None, u([1]) == [2], u([1, 2]) != [1, 2]],  # noqa: E711
        "merge": [u(None).merge_with([1]), u([None, 2]).merge_with(u([1, None])), u([1]).merge_with(None)],
        "add": [u([1]).concatenate(u([2, None])), u([1]).concatenate(u(None))],
        "rank": [
            u([1, 2]).with_rank_at_least(1),
            attempt(lambda: u([1, 2]).with_rank_at_most(1)),
            u(None).with_rank_at_least(3),
        ],
        "specific": [
            u([1, 2]).most_specific_compatible_shape(u([1, 3])),
            u([1]).most_specific_compatible_shape(u([1, 2])),
        ],
        "compatible": [u([None, 2]).is_compatible_with([3, None]), u([1]).is_compatible_with([1, 1])],
        "elements": [u([]).num_elements(), u(None).num_elements(), u([0, 3]).num_elements()],
        "hash": attempt(lambda: hash(u([1, 2])) == hash(u([1, 2]))),
        "numpy": [u(np.array([1, 2])), u((np.int64(3), None))],
    }


@program
def device_strings(tf, np):
    texts = [
        "/cpu:0",
        "/gpu:1",
        "/CPU:0",
        "/device:GPU:*",
        "/job:worker",
        "/job:worker/replica:1/task:2/device:GPU:3",
        "/task:3",
        "/cpu:*",
        "cpu:0",
        "/device:CPU:0",
    ]
    out = []
    for text in texts:
        with tf.Graph().as_default(), tf.device(text):
            out.append([text, tf.constant(1.0).device])
    return out


@program
def collections_of_variables_by_scope(tf, np):
    with tf.name_scope("a"):
        v = tf.Variable(1.0, name="v")
    with tf.name_scope("ab"):
        w = tf.Variable(1.0, name="w", trainable=False)
    u = tf.Variable(1.0, name="u", collections=[tf.GraphKeys.LOCAL_VARIABLES])
    return [
        [x.name for x in tf.global_variables("a/")],
        [x.name for x in tf.global_variables("a")],
        [x.name for x in tf.trainable_variables()],
        [x.name for x in tf.local_variables()],
        [x.name for x in tf.get_collection(tf.GraphKeys.GLOBAL_VARIABLES, scope="ab")],
        v.name,
        w.name,
        u.trainable,
    ]


@program
def a_default_is_no_constant(tf, np):
    x = tf.placeholder(tf.int32, [4], name="x")
    p = tf.placeholder_with_default(2, [], name="p")
    q = p * 2
    made = [
        x[:p],
        x[p:],
        x[::p],
        tf.reshape(x, [p, -1]),
        tf.fill([p], 1),
        tf.zeros([q, 3]),
        tf.range(p),
        tf.tile(x, [p]),
        tf.one_hot(x, p),
    ]
    with tf.Session() as sess:
        feed = {x: [0, 1, 2, 3]}
        return [made, sess.run(made, feed), sess.run(made, {**feed, p: 1})]


@program
def names_in_bytes(tf, np):
    def variable_names():
        return [tf.Variable(1.0, name=b"v").name, tf.get_variable(b"w", [1]).name]

    calls = [
        lambda: tf.constant(1.0, name=b"c"), lambda: tf.placeholder(tf.float32, name=b"p"), lambda: tf.add(1.0, 2.0, name=b"a"),
        variable_names, lambda: tf.name_scope(b"s").__enter__(), lambda: tf.get_default_graph().name_scope(b"s").__enter__(),
        lambda: tf.reduce_sum([1.0], name=b"r"), lambda: tf.while_loop(lambda i: i < 3, lambda i: i + 1, [0], name=b"w"),
        lambda: tf.cond(tf.constant(True), lambda: 1, lambda: 2, name=b"co"), lambda: tf.group(tf.no_op(name=b"n"), name=b"g"),
        lambda: tf.get_default_graph().create_op("NoOp", [], [], name=b"op"), lambda: tf.convert_to_tensor(1.0, name=b"cv"),
        lambda: tf.constant(1.0, name=b"a b"), lambda: tf.constant(1.0, name=b"\xff"), lambda: tf.constant(1.0, name="\u00fc"),
        lambda: tf.get_default_graph().get_operation_by_name(b"c"),
    ]  # fmt: skip
    return [fresh(tf, call) for call in calls]
