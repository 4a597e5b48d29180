"""Sessions, fetches and feeds."""

import collections

from harness import attempt, fresh, graph_of, program

Pair = collections.namedtuple("Pair", "left right")


@program
def closed_session(tf, np):
    c = tf.constant(1.0)
    sess = tf.Session()
    before = sess.run(c)
    sess.close()
    return [before, attempt(lambda: sess.run(c)), attempt(lambda: sess.run([])), attempt(sess.close)]


@program
def empty_graph(tf, np):
    with tf.Session() as sess:
        return [attempt(lambda: sess.run([])), attempt(lambda: sess.run("x"))]


@program
def fetch_structures(tf, np):
    a, b = tf.constant(1.0, name="a"), tf.constant([1, 2], name="b")
    n = tf.no_op(name="n")
    v = tf.Variable(3.0, name="v")
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        return {
            "tensor": sess.run(a),
            "vector": sess.run(b),
            "op": sess.run(n),
            "variable": sess.run(v),
            "list": sess.run([a, b]),
            "tuple": sess.run((a, b)),
            "one in a list": sess.run([a]),
            "named": sess.run(Pair(a, b)),
            "nested in named": sess.run(Pair([a], {"b": (b, n)})),
            "dict": sess.run({"z": a, "a": b}),
            "int keys": sess.run({1: a, 0: b}),
            "ordered": sess.run(collections.OrderedDict([("z", a), ("a", b)])),
            "nested": sess.run([[a, [b]], (a, {"k": [n, v]})]),
            "same twice": sess.run([a, a, n, a]),
            "empty list": sess.run([]),
            "empty tuple": sess.run(()),
            "empty dict": sess.run({}),
            "empty inside": sess.run([a, [], {}, (), {"x": []}]),
            "by name": sess.run(["a:0", "n", {"b": "b:0"}]),
            "default dict": attempt(lambda: sess.run(collections.defaultdict(list, {"k": a}))),
            "types": [
                type(x).__name__.rstrip("_")
                for x in sess.run([a, b, tf.constant("s"), tf.constant(["s"]), tf.constant(True), n])
            ],
            "string scalar": sess.run(tf.constant("s")),
            "string vector": sess.run(tf.constant(["s", "tü"])),
            "bool": sess.run(tf.constant(True)),
        }


@program
def same_random_fetch_is_computed_once(tf, np):
    r = tf.random_uniform([3])
    with tf.Session() as sess:
        x, [y], z = sess.run([r, [r], {"r": r}])
    return [bool((x == y).all()), bool((x == z["r"]).all())]


@program
def refused_fetches(tf, np):
    a = tf.constant(1.0, name="a")
    with tf.Graph().as_default():
        other = tf.constant(1.0, name="elsewhere")
    with tf.Session() as sess:
        return {
            "none": attempt(lambda: sess.run(None)),
            "none in list": attempt(lambda: sess.run([a, None])),
            "none in dict": attempt(lambda: sess.run({"a": a, "n": None})),
            "int": attempt(lambda: sess.run(1)),
            "float in list": attempt(lambda: sess.run([1.5])),
            "unknown op": attempt(lambda: sess.run("b")),
            "unknown tensor": attempt(lambda: sess.run("b:0")),
            "bad index": attempt(lambda: sess.run("a:1")),
            "bad form": attempt(lambda: sess.run("a:x")),
            "other graph": attempt(lambda: sess.run(other)),
        }


@program
def indexed_slices_and_sparse_fetches(tf, np):
    slices = tf.IndexedSlices(tf.constant([[1.0, 2.0]]), tf.constant([1]), tf.constant([4, 2]))
    sparse = tf.SparseTensor(
        tf.constant([[0, 1]], tf.int64), tf.constant([5.0]), tf.constant([2, 3], tf.int64)
    )
    with tf.Session() as sess:
        return [sess.run(slices), sess.run(sparse), sess.run({"s": [slices]})]


@program
def sparse_placeholder_feeds(tf, np):
    p = tf.sparse_placeholder(tf.float32, name="p")
    with tf.Session() as sess:
        value = tf.SparseTensorValue(
            np.array([[0, 1]], np.int64), np.array([5.0], np.float32), np.array([2, 3], np.int64)
        )
        return [
            sess.run(p.values, {p: value}),
            sess.run(p, {p: (np.array([[1, 0]]), np.array([2.0]), np.array([2, 2]))}),
            graph_of(tf, "dtype", "shape"),
        ]


@program
def any_tensor_can_be_fed(tf, np):
    p = tf.placeholder(tf.float32, [2], name="p")
    c = tf.constant(2.0, name="c")
    mid = tf.multiply(p, c, name="mid")
    out = mid + 1.0
    flag = tf.constant(True, name="flag")
    chosen = tf.cond(flag, lambda: tf.constant("yes"), lambda: tf.constant("no"))
    v = tf.Variable(4.0, name="v")
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        return {
            "placeholder": sess.run(out, {p: [1, 2]}),
            "constant": sess.run(out, {p: [1, 2], c: 10}),
            "intermediate, placeholder unfed": sess.run(out, {mid: [5, 6]}),
            "by name": sess.run(out, {"mid:0": [5, 6]}),
            "fetched itself": sess.run([mid, out], {mid: [5, 6]}),
            "predicate": [sess.run(chosen), sess.run(chosen, {flag: False})],
            "read of a variable": sess.run(v + 1.0, {v.op.outputs[0].op.name + "/read:0": 9.0}),
            "variable": sess.run(v + 1.0, {v: 8.0}),
            "untouched": sess.run(v),
        }


@program
def feedable_and_fetchable(tf, np):
    c = tf.constant(2.0, name="c")
    d = c + 1.0
    graph = tf.get_default_graph()
    graph.prevent_feeding(c)
    graph.prevent_fetching(d.op)
    with tf.Session() as sess:
        return [
            graph.is_feedable(c),
            graph.is_feedable(d),
            graph.is_fetchable(d),
            attempt(lambda: sess.run(c, {c: 1.0})),
            attempt(lambda: sess.run(d)),
            sess.run(c),
        ]


@program
def feed_values(tf, np):
    x = tf.placeholder(tf.float32, [2, None], name="x")
    i = tf.placeholder(tf.int32, name="i")
    u8 = tf.placeholder(tf.uint8, [], name="u8")
    s = tf.placeholder(tf.string, name="s")
    b = tf.placeholder(tf.bool, name="b")
    with tf.Session() as sess:

        def run(t, value):
            return attempt(lambda: sess.run(tf.identity(t), {t: value}))

        return {
            "list": run(x, [[1], [2]]),
            "ints": run(x, np.array([[1, 2], [3, 4]])),
            "float64 array": run(x, np.ones([2, 1])),
            "no columns": run(x, np.zeros([2, 0])),
            "wrong shape": run(x, np.ones([3, 2])),
            "wrong rank": run(x, [1.0, 2.0]),
            "scalar for matrix": run(x, 1.0),
            "python float for int": run(i, 1.5),
            "numpy float for int": run(i, np.float32(1.5)),
            "too big": run(i, 2**40),
            "bool for int": run(i, True),
            "300 for uint8": run(u8, 300),
            "negative for uint8": run(u8, -1),
            "text": run(s, "abc"),
            "bytes": run(s, b"abc"),
            "texts": run(s, ["a", "bc"]),
            "number for string": run(s, 3),
            "int for bool": run(b, 2),
            "tensor": run(x, tf.ones([2, 2])),
            "none": run(b, None),
        }


@program
def refused_feed_keys(tf, np):
    x = tf.placeholder(tf.float32, [], name="x")
    y = x + 1.0
    n = tf.no_op(name="n")
    with tf.Graph().as_default():
        other = tf.placeholder(tf.float32, [], name="x")
    with tf.Session() as sess:
        return {
            "string": attempt(lambda: sess.run(y, {"x": 1.0})),
            "unknown": attempt(lambda: sess.run(y, {"z:0": 1.0})),
            "op": attempt(lambda: sess.run(y, {n: 1.0})),
            "int": attempt(lambda: sess.run(y, {3: 1.0})),
            "none": attempt(lambda: sess.run(y, {None: 1.0})),
            "other graph": attempt(lambda: sess.run(y, {other: 1.0})),
            "name": sess.run(y, {"x:0": 1.0}),
        }


@program
def unfed_placeholder(tf, np):
    x = tf.placeholder(tf.float32, name="x")
    y = tf.placeholder(tf.int32, [2, None], name="y")
    z = tf.placeholder_with_default([1.0, 2.0], [None], name="z")
    with tf.Session() as sess:
        errors = [
            attempt(lambda: sess.run(x)),
            attempt(lambda: sess.run(y * 2)),
            attempt(lambda: sess.run([tf.constant(1), x])),
        ]
        try:
            sess.run(x)
        except tf.errors.InvalidArgumentError as e:
            facts = [
                e.op.name,
                e.node_def.name,
                e.node_def.op,
                e.error_code,
                "[[{{node x}}]]" in e.message,
                isinstance(e, tf.OpError),
            ]
        return [
            errors,
            facts,
            sess.run(z),
            sess.run(z, {z: [5.0]}),
            attempt(lambda: sess.run(z, {z: [[5.0]]})),
        ]


@program
def sessions_nest_in_order(tf, np):
    c = tf.constant(1.0)
    a, b = tf.Session(), tf.Session()
    result = [tf.get_default_session() is None]
    with a:
        result.append(tf.get_default_session() is a)
        with b:
            result.append(tf.get_default_session() is b)
            result.append(c.eval())
        result.append(tf.get_default_session() is a)
    result.append(tf.get_default_session() is None)
    result.append(attempt(lambda: a.run(c)))
    d = tf.Session()
    with d.as_default():
        result.append(c.eval())
    result.append(d.run(c))
    d.close()
    with tf.Session() as e:
        with e.as_default():
            result.append(e.run(c))
    return result


@program
def sessions_are_not_reentrant(tf, np):
    tf.constant(1.0)
    sess = tf.Session()

    def twice():
        with sess:
            with sess:
                pass

    return attempt(twice)


@program
def session_of_another_graph_sets_the_graph(tf, np):
    g = tf.Graph()
    with tf.Session(graph=g) as sess:
        inside = tf.get_default_graph() is g
        c = tf.constant(1.0)
        value = sess.run(c)
    return [inside, tf.get_default_graph() is g, value, sess.graph is g]


@program
def eval_and_run_without_a_session(tf, np):
    c = tf.constant(1.0)
    n = tf.no_op()
    g = tf.Graph()
    with g.as_default():
        other = tf.constant(2.0)
    result = [attempt(c.eval), attempt(n.run)]
    with tf.Session():
        result += [c.eval(), attempt(n.run), attempt(other.eval)]
    result.append(other.eval(session=tf.Session(graph=g)))
    return result


@program
def interactive_session(tf, np):
    c = tf.constant([1.0, 2.0])
    v = tf.Variable(3.0)
    sess = tf.InteractiveSession()
    installed = tf.get_default_session() is sess
    v.initializer.run()
    result = [installed, c.eval(), v.eval(), (c * v).eval({c: [5.0, 6.0]})]
    sess.close()
    return [*result, tf.get_default_session() is None, attempt(c.eval)]


@program
def two_sessions_have_their_own_variables(tf, np):
    v = tf.Variable(1.0)
    up = tf.assign_add(v, 1.0)
    with tf.Session() as a, tf.Session() as b:
        a.run(v.initializer)
        first = [a.run(up), a.run(up), attempt(lambda: b.run(v))]
        b.run(v.initializer)
        return [first, b.run(up), a.run(v), b.run(v)]


@program
def callables(tf, np):
    x = tf.placeholder(tf.float32, [], name="x")
    y = x * 2.0
    v = tf.Variable(0.0)
    up = v.assign_add(1.0)
    with tf.Session() as sess:
        sess.run(v.initializer)
        f = sess.make_callable([y, {"x": x}], [x])
        g = sess.make_callable(up)
        h = sess.make_callable(up.op)
        return [
            f(3.0),
            f(4.0),
            g(),
            g(),
            h(),
            sess.run(v),
            attempt(lambda: sess.make_callable(y, x)),
            sess.make_callable((y, v), feed_list=[x])(1.0),
        ]


@program
def partial_shapes_in_feeds(tf, np):
    x = tf.placeholder(tf.float32, [None, 3], name="x")
    y = tf.reduce_sum(x, 1)
    with tf.Session() as sess:
        return [
            str(x.shape),
            str(y.shape),
            sess.run(y, {x: np.ones([2, 3])}),
            sess.run(y, {x: np.zeros([0, 3])}),
            attempt(lambda: sess.run(y, {x: np.ones([2, 4])})),
        ]


@program
def failing_run_leaves_the_session_usable(tf, np):
    x = tf.placeholder(tf.float32, name="x")
    y = tf.matmul(x, tf.ones([2, 2]), name="product")
    with tf.Session() as sess:
        bad = attempt(lambda: sess.run(y, {x: np.ones([3, 3])}))
        return [bad, sess.run(y, {x: np.ones([1, 2])})]


@program
def config_and_targets(tf, np):
    c = tf.constant(1.0)
    config = tf.ConfigProto(
        allow_soft_placement=True, log_device_placement=False, intra_op_parallelism_threads=1
    )
    config.gpu_options.allow_growth = True
    with tf.Session(config=config) as sess:
        return [
            sess.run(c),
            sess.graph is tf.get_default_graph(),
            config.allow_soft_placement,
            config.gpu_options.allow_growth,
        ]


@program
def graph_grows_between_runs(tf, np):
    a = tf.constant(1.0)
    with tf.Session() as sess:
        first = sess.run(a)
        b = a + 1.0
        return [first, sess.run(b), sess.run([a, b, b * b])]


@program
def run_time_errors(tf, np):
    x = tf.placeholder(tf.float32, name="x")
    i = tf.placeholder(tf.int32, name="i")
    nodes = {
        "add": (tf.add(x, tf.ones([3]), name="adding"), {x: np.ones([2])}),
        "matmul rank": (tf.matmul(x, x, name="m"), {x: np.ones([3])}),
        "reshape": (tf.reshape(x, [4], name="r"), {x: np.ones([3])}),
        "reshape -1": (tf.reshape(x, [2, -1], name="r2"), {x: np.ones([3])}),
        "divide": (tf.floordiv(i, 0, name="d"), {i: np.ones([2], np.int32)}),
        "mod": (tf.mod(i, tf.constant(0), name="md"), {i: np.ones([2], np.int32)}),
        "slice": (tf.slice(x, [1], [3], name="s"), {x: np.ones([2])}),
        "strided": (tf.identity(x)[4], {x: np.ones([2])}),
        "concat": (tf.concat([x, tf.ones([2, 2])], 1, name="c"), {x: np.ones([3, 2])}),
        "stack": (tf.stack([x, tf.ones([2])], name="p"), {x: np.ones([3])}),
        "transpose": (tf.transpose(x, [1, 0], name="t"), {x: np.ones([3])}),
        "reduce": (tf.reduce_sum(x, i, name="sum"), {x: np.ones([3]), i: 2}),
        "squeeze": (tf.squeeze(x, [0], name="q"), {x: np.ones([3])}),
        "expand": (tf.expand_dims(x, i, name="e"), {x: np.ones([3]), i: 3}),
        "gather": (tf.gather(x, i, name="g"), {x: np.ones([3]), i: [3]}),
        "fill": (tf.fill(i, 1.0, name="f"), {i: [-1]}),
        "tile": (tf.tile(x, i, name="tl"), {x: np.ones([3]), i: [2, 2]}),
        "where": (tf.where(tf.greater(x, 0.0), x, tf.ones([2]), name="w"), {x: np.ones([3])}),
        "range": (tf.range(0, 5, i, name="rg"), {i: 0}),
        "argmax": (tf.argmax(x, i, name="am"), {x: np.ones([3]), i: 1}),
        "split": (tf.split(x, 2, name="sp"), {x: np.ones([3])}),
        "unstack": (tf.unstack(x, 2, name="us"), {x: np.ones([3])}),
    }
    with tf.Session() as sess:
        return {
            key: attempt(lambda fetch=fetch, feed=feed: sess.run(fetch, feed))
            for key, (fetch, feed) in nodes.items()
        }


@program
def feed_keys_and_values_may_nest(tf, np):
    a, b = tf.placeholder(tf.float32, [], name="a"), tf.placeholder(tf.float32, [], name="b")
    s = tf.placeholder(tf.string, [None], name="s")
    with tf.Session() as sess:
        return {
            "tuple key": sess.run(a - b, {(a, b): (5.0, 3.0)}),
            "mixed": sess.run(a - b, {(a,): (5.0,), b: 1.0}),
            "lengths differ": attempt(lambda: sess.run(a - b, {(a, b): (5.0,)})).classes[0],
            "unicode array": sess.run(s, {s: np.array(["ab", "c"])}),
            "object array": sess.run(tf.identity(s), {s: np.array(["ab", b"c"], dtype=object)}),
            "no feeds": attempt(lambda: sess.run(tf.constant(1.0), {})),
            "not a dict": attempt(lambda: sess.run(tf.constant(1.0), [1])).classes[0],
            "same tensor by name too": sess.run(a + b, {a: 1.0, "b:0": 2.0}),
        }


@program
def feed_keys_nest_as_deep_as_states_of_cells_do(tf, np):
    import collections

    Pair = collections.namedtuple("Pair", "c h")
    p = [tf.placeholder(tf.float32, [], name=f"p{i}") for i in range(4)]
    values = tf.stack(p)
    state = (Pair(p[0], p[1]), Pair(p[2], p[3]))
    with tf.Session() as sess:
        twice = [sess.run(values, {state: (Pair(i, 1.0), Pair(2.0, 3.0))}) for i in (0.0, 5.0)]
        return [
            twice,
            sess.run(values, {state: ([1.0, 2.0], (3.0, 4.0))}),
            sess.run(values, {state: (1.0, 2.0, 3.0, 4.0)}),
            sess.run(values, {tuple(p): Pair((1.0, 2.0), {"b": 4.0, "a": 3.0})}),
            sess.run(values, {(p[0], (p[1], ())): (1.0, [2.0]), (): (), p[2]: 3.0, p[3]: 4.0}),
            attempt(lambda: sess.run(values, {state: (Pair(1.0, 2.0),)})).classes[0],
            attempt(lambda: sess.run(values, {state: (Pair([1.0, 2.0], 2.0), Pair(3.0, 4.0))})).classes[0],
            attempt(lambda: sess.run(values, {state: (Pair(1.0, 2.0), Pair(3.0, 4.0)), p[0]: 5.0})),
            attempt(lambda: sess.run(values, {(p[0], (p[0],)): (1.0, (2.0,))})),
        ]


@program
def fed_arrays_are_copied_or_left_alone(tf, np):
    x = tf.placeholder(tf.float32, [2], name="x")
    v = tf.Variable([0.0, 0.0], name="v")
    put = tf.assign(v, x)
    value = np.array([1.0, 2.0], np.float32)
    with tf.Session() as sess:
        sess.run(v.initializer)
        sess.run(put, {x: value})
        value[0] = 99.0
        first = sess.run(v)
        first_copy = first.copy()
        sess.run(tf.assign_add(v, [1.0, 1.0]))
        return [first_copy, first, sess.run(v), value]


@program
def defaults_are_per_thread(tf, np):
    import threading

    seen = []
    c = tf.constant(1.0, name="c")
    with tf.Session() as sess, tf.name_scope("s"), tf.device("/cpu:0"):

        def work():
            seen.append(tf.get_default_session() is None)
            seen.append(tf.get_default_graph() is c.graph)
            seen.append(attempt(c.eval).classes[0])
            seen.append(sess.run(c))
            with c.graph.as_default():
                d = tf.constant(2.0, name="d")
            seen.append([d.name, d.device])

        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
        seen.append([tf.get_default_session() is sess, tf.constant(1.0, name="e").name])
    return seen


@program
def threads_share_a_session(tf, np):
    import threading

    x = tf.placeholder(tf.float32, [], name="x")
    y = x * x
    out = {}
    with tf.Session() as sess:

        def work(n):
            out[n] = [float(sess.run(y, {x: float(n + i)})) for i in range(20)]

        threads = [threading.Thread(target=work, args=(n,)) for n in range(4)]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
    return [out[n] == [float((n + i) ** 2) for i in range(20)] for n in range(4)]


@program
def run_of_operations_and_initializers(tf, np):
    v = tf.Variable(1.0, name="v")
    up = tf.assign_add(v, 1.0)
    with tf.Session() as sess:
        tf.global_variables_initializer().run()
        out = [
            v.eval(),
            up.op.run(),
            v.eval(),
            up.eval(),
            v.initializer.run(session=sess),
            v.eval(session=sess),
        ]
        return [*out, attempt(lambda: up.op.run(feed_dict={v: 10.0})), v.eval()]


@program
def error_classes_and_codes(tf, np):
    e = tf.errors
    names = [
        "OK",
        "CANCELLED",
        "UNKNOWN",
        "INVALID_ARGUMENT",
        "DEADLINE_EXCEEDED",
        "NOT_FOUND",
        "ALREADY_EXISTS",
        "PERMISSION_DENIED",
        "UNAUTHENTICATED",
        "RESOURCE_EXHAUSTED",
        "FAILED_PRECONDITION",
        "ABORTED",
        "OUT_OF_RANGE",
        "UNIMPLEMENTED",
        "INTERNAL",
        "UNAVAILABLE",
        "DATA_LOSS",
    ]
    error = e.InvalidArgumentError(None, None, "text")
    general = e.OpError(None, None, "other", 7)
    return {
        "codes": [getattr(e, n) for n in names],
        "classes": [e.exception_type_from_error_code(code).__name__ for code in range(1, 17)],
        "back": [
            e.error_code_from_exception_type(e.exception_type_from_error_code(code)) for code in range(1, 17)
        ],
        "tree": [issubclass(e.exception_type_from_error_code(code), e.OpError) for code in range(1, 17)],
        "error": [error.message, error.error_code, error.op, error.node_def, str(error)],
        "general": [general.message, general.error_code],
        "exception": issubclass(e.OpError, Exception),
    }


class Field:
    def __init__(self, name):
        self.name = name


class Attrs:
    """What the attrs package makes of a class, as far as a fetch looks."""

    __attrs_attrs__ = (Field("x"), Field("y"))

    def __init__(self, x, y):
        self.x, self.y = x, y


@program
def attrs_classes_are_fetched(tf, np):
    a = tf.constant(1.0)
    with tf.Session() as sess:
        got = sess.run(Attrs(a, {"k": [a * 2.0]}))
        inside = sess.run([Attrs(a, a)])
    return [type(got).__name__, got.x, got.y, inside[0].y]


@program
def sessions_unwind_in_order(tf, np):
    import threading

    tf.constant(1.0)
    a, b = tf.Session(), tf.Session()
    seen = []

    def leave_the_outer_one_first():
        first, second = a.as_default(), b.as_default()
        first.__enter__()
        second.__enter__()
        wrong = attempt(lambda: first.__exit__(None, None, None))
        seen.extend(
            [wrong.classes[0] if wrong else None, "Nesting violated" in (wrong.text if wrong else "")]
        )

    # a thread has stacks of its own, and this one is left in disorder
    thread = threading.Thread(target=leave_the_outer_one_first)
    thread.start()
    thread.join()
    return seen


@program
def an_error_closes_the_block(tf, np):
    c = tf.constant(1.0)
    held = []

    def fail():
        with tf.Session() as sess:
            held.append(sess)
            raise KeyError("mine")

    error = attempt(fail)
    return [error, tf.get_default_session() is None, attempt(lambda: held[0].run(c))]


@program
def sessions_made_before_the_graph_grows(tf, np):
    sess = tf.Session()
    a = tf.constant(2.0)
    v = tf.Variable(a * 2.0)
    sess.run(tf.global_variables_initializer())
    out = [sess.run(v)]
    w = tf.Variable(v.initialized_value() + 1.0)
    sess.run(w.initializer)
    out.append(sess.run([v, w]))
    sess.close()
    return out


@program
def a_graph_with_nodes_that_no_device_runs(tf, np):
    def fetched(device, target, **options):
        def go():
            here = tf.constant(1.0, name="here")
            with tf.device(device):
                there = tf.identity(here, name="there")
            with tf.Session(config=tf.ConfigProto(**options)) as sess:
                return sess.run({"here": here, "there": there}[target])

        return fresh(tf, go)

    pruned = {"graph_options": tf.GraphOptions(place_pruned_graph=True)}
    return [
        [device, target, sorted(options), fetched(device, target, **options)]
        for device in ("/gpu:0", "/cpu:3", "/job:w/task:3", "/job:localhost/task:0", "/cpu:0")
        for target in ("here", "there")
        for options in ({}, {"allow_soft_placement": True}, pruned)
    ]


@program
def the_graph_that_a_run_executed(tf, np):
    x = tf.constant([1.0, 2.0], name="x")
    y = tf.placeholder(tf.float32, name="y")
    a, b = tf.unstack(x, name="un")
    v = tf.Variable(1.0, name="v")
    with tf.control_dependencies([v.initializer, y]):
        total = tf.add(b, tf.identity(y, name="id"), name="total")
    loop = tf.while_loop(lambda i: i < 3, lambda i: i + 1, [0], name="loop")
    tf.identity(x, name="unused")
    runs = [
        ([total, total, y], {y: 1.0}), ([total, v.initializer], {b: 2.0, y: 1.0}), ([a, b], {x: [1.0, 2.0]}), ([x], {x: [1.0, 2.0]}),
        (v.op, {}), (loop, {}),
    ]  # fmt: skip

    def executed(fetches, feeds, **options):
        metadata = tf.RunMetadata()
        with tf.Session() as sess:
            sess.run(fetches, feeds, options=tf.RunOptions(**options), run_metadata=metadata)
        return [
            sorted([n.name, n.op, list(n.input), n.device, n.attr["index"].i if n.op[0] == "_" else None] for n in part.node)
            for part in metadata.partition_graphs
        ]

    traced = executed(a, {}, trace_level=tf.RunOptions.FULL_TRACE)
    return [traced, *[executed(*run, output_partition_graphs=True) for run in runs]]


@program
def names_of_settings(tf, np):
    options, run = tf.OptimizerOptions, tf.RunOptions
    return [
        [options.DEFAULT, options.OFF, options.ON_1, options.ON_2, options.L0, options.L1, run.NO_TRACE, run.FULL_TRACE],
        [[sorted(e.items()), sorted(e.keys()), sorted(e.values())] for e in (options.Level, options.GlobalJitLevel, run.TraceLevel)],
        [options.Level.Name(-1), options.GlobalJitLevel.Value("ON_2"), run.TraceLevel.Name(3)],
        attempt(lambda: options.Level.Name(9)),
        attempt(lambda: run.TraceLevel.Value("x")),
    ]
