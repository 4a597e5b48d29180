"""tf.while_loop node for node: names, inputs, frames, static shapes, and errors. Runs: programs_loops."""

import collections

from harness import attempt, fresh, graph_of, program

ATTRS = ("frame_name", "is_constant", "parallel_iterations")
Pair = collections.namedtuple("Pair", "first second")


def built(tf, make, *attrs):
    """What make() gives, and the graph with it."""
    return [make(), graph_of(tf, *ATTRS, *attrs)]


@program
def a_counter(tf, np):
    return built(tf, lambda: tf.while_loop(lambda i: i < 10, lambda i: i + 1, [tf.constant(0, name="start")]))


@program
def two_variables_a_name_and_what_is_passed_on(tf, np):
    x = tf.placeholder(tf.float32, [None, 3], name="x")
    return built(
        tf,
        lambda: tf.while_loop(
            lambda i, a: tf.less(i, 3),
            lambda i, a: (i + 1, a * 2.0),
            (0, x),
            parallel_iterations=1,
            back_prop=False,
            swap_memory=True,
            name="double",
        ),
    )


@program
def captures_are_constant_enters(tf, np):
    x, n = tf.constant([1.0, 2.0], name="x"), tf.constant(5, name="n")
    v, r = tf.Variable(2.0, name="v"), tf.Variable(3.0, name="r", use_resource=True)
    return built(
        tf, lambda: tf.while_loop(lambda i, a: i < n, lambda i, a: (i + 1, a * x + v + r), (tf.constant(0), tf.identity(x)))
    )


@program
def nodes_without_inputs_wait_for_the_pivots(tf, np):
    def body(i, a):
        c = tf.constant(2.0, name="c")
        z = tf.zeros([2], name="z")
        nothing = tf.no_op(name="nothing")
        draw = tf.random_uniform([2], name="draw", seed=1)
        with tf.control_dependencies([nothing, a]):
            return i + 1, tf.identity(a + c + z, name="end") + draw

    return built(tf, lambda: tf.while_loop(lambda i, a: i < tf.constant(3, name="limit"), body, [0, tf.ones([2])]))


@program
def maximum_iterations_makes_a_counter(tf, np):
    limit = tf.placeholder(tf.int64, [], name="limit")
    kinds = {
        "number": lambda: tf.while_loop(lambda i: i < 10, lambda i: i + 1, [0], maximum_iterations=3),
        "tensor": lambda: tf.while_loop(lambda i: i < 10, lambda i: i + 1, [0], maximum_iterations=limit, name="limited"),
        "two": lambda: tf.while_loop(lambda i, j: i < 10, lambda i, j: [i + 1, j], [0, 1.0], maximum_iterations=3),
        "same structure": lambda: tf.while_loop(
            lambda i: i < 10, lambda i: [i + 1], [0], maximum_iterations=3, return_same_structure=True
        ),
        "shapes": lambda: tf.while_loop(
            lambda x: tf.size(x) < 10,
            lambda x: tf.concat([x, x], 0),
            [tf.ones([1])],
            shape_invariants=tf.TensorShape([None]),
            maximum_iterations=3,
        ),
        "another list": lambda: attempt(
            lambda: tf.while_loop(lambda i, j: i < 10, lambda i, j: (i + 1, j), [0, 1], maximum_iterations=3)
        ),
        "vector": lambda: attempt(
            lambda: tf.while_loop(lambda i: i < 10, lambda i: i + 1, [0], maximum_iterations=[3])
        ),
    }
    return [built(tf, make) for make in list(kinds.values())[:5]] + [fresh(tf, make) for make in list(kinds.values())[5:]]


@program
def structures_come_back_as_the_body_gives_them(tf, np):
    def body(i, q):
        return [i + 1, Pair(q.second["y"], {"z": q.second["z"] * 2.0, "y": q.first})]

    start = [0, Pair(tf.ones([2]), {"y": tf.zeros([2]), "z": tf.ones([3])})]
    one = [
        tf.while_loop(lambda i: i < 3, given, [0], return_same_structure=same)
        for same in (False, True)
        for given in (lambda i: i + 1, lambda i: [i + 1], lambda i: (i + 1,))
    ]
    return [built(tf, lambda: tf.while_loop(lambda i, q: i < 3, body, start)), one]


@program
def a_list_of_one_in_a_loop_with_a_limit(tf, np):
    return [
        fresh(
            tf,
            lambda same=same, given=given: tf.while_loop(
                lambda i: i < 3, given, [0], return_same_structure=same, maximum_iterations=4
            ),
        )
        for same in (False, True)
        for given in (lambda i: i + 1, lambda i: [i + 1])
    ]


@program
def composites_go_round_as_their_parts(tf, np):
    sparse = tf.SparseTensor([[0, 1]], [1.0], [2, 3])
    slices = tf.IndexedSlices(tf.ones([2, 3]), tf.constant([0, 1]), tf.constant([4, 3]))

    def body(i, s, rows):
        twice = tf.IndexedSlices(tf.concat([rows.values] * 2, 0), tf.concat([rows.indices] * 2, 0), rows.dense_shape)
        return i + 1, tf.SparseTensor(s.indices, s.values * 2.0, s.dense_shape), twice

    shapes = [tf.TensorShape([]), tf.TensorShape([None]), tf.TensorShape([None, 3])]
    together = tf.while_loop(lambda i, s, rows: i < 3, body, [0, sparse, slices], shape_invariants=shapes)
    alone = tf.while_loop(
        lambda s: tf.reduce_sum(s.values) < 9.0,
        lambda s: [tf.SparseTensor(s.indices, s.values * 2.0, s.dense_shape)],
        [sparse],
        shape_invariants=[tf.SparseTensorSpec([2, 3], tf.float32)],
    )
    return [
        [part for value in (together[1], alone[0]) for part in (value.indices, value.values, value.dense_shape)],
        [together[2].values, together[2].indices, together[2].dense_shape],
        graph_of(tf, *ATTRS),
    ]


@program
def ragged_loop_variables(tf, np):
    rows = tf.ragged.constant([[1.0], [2.0, 3.0]])
    out = tf.while_loop(lambda i, r: i < 3, lambda i, r: (i + 1, r.with_flat_values(-r.flat_values)), [0, rows])[1]
    return [out.flat_values, out.row_splits, graph_of(tf)]


@program
def references_go_round_as_references(tf, np):
    v = tf.Variable(1.0, name="v")
    own = v.op.outputs[0]
    tf.while_loop(lambda i: i < 3.0, lambda i: tf.assign_add(i, 1.0), [own])
    tf.while_loop(lambda i, r: i < 3.0, lambda i, r: (i + r, r), [0.0, v], name="read")
    return graph_of(tf, *ATTRS)


@program
def loops_nest(tf, np):
    x, n = tf.constant(1.0, name="x"), tf.placeholder(tf.int32, [], name="n")

    def outer(i, a):
        b = tf.while_loop(lambda j, b: j < i, lambda j, b: (j + n, b * x + a), [0, a], name="inner")[1]
        c = tf.while_loop(lambda j: j < n, lambda j: j + i, [n])
        return i + c, b + x

    return built(tf, lambda: tf.while_loop(lambda i, a: i < n, outer, [0, x], name="outer"))


@program
def a_cond_in_a_loop(tf, np):
    x, v = tf.placeholder(tf.float32, [None], name="x"), tf.Variable(2.0, name="v")

    def body(i, a):
        return i + 1, tf.cond(i < 2, lambda: a + x, lambda: tf.cond(i < 3, lambda: a * v, lambda: tf.zeros_like(a)))

    return built(tf, lambda: tf.while_loop(lambda i, a: i < 5, body, [0, x]))


@program
def a_loop_in_a_cond(tf, np):
    x, p = tf.placeholder(tf.float32, [], name="x"), tf.placeholder(tf.bool, [], name="p")

    def yes():
        return tf.while_loop(lambda i, a: i < 3, lambda i, a: (i + 1, a + x), [0, x])[1]

    def no():
        return tf.while_loop(lambda a: a < x, lambda a: a + 1.0, [tf.constant(0.0)])

    return built(tf, lambda: tf.cond(p, yes, no))


@program
def loops_and_conds_under_control_dependencies(tf, np):
    x, p = tf.placeholder(tf.float32, [], name="x"), tf.placeholder(tf.bool, [], name="p")
    y, v = tf.constant(3.0, name="y"), tf.Variable(1.0, name="v")

    def up(a):
        return tf.cond(
            p, lambda: tf.while_loop(lambda k: k < a, lambda k: k + y, [x]), lambda: tf.constant(1.0, name="one")
        )

    def body(i, a):
        with tf.control_dependencies([a, tf.assign_add(v, 1.0)]):
            after = tf.cond(a > x, lambda: up(a), lambda: tf.while_loop(lambda k: k < 5.0, lambda k: k + 1.0, [2.0]))
            return i + 1, after

    with tf.control_dependencies([y, tf.no_op(name="nothing")]):
        out = tf.while_loop(lambda i, a: i < 3, body, [0, x])
    return [out, graph_of(tf, *ATTRS)]


@program
def gates_in_a_loop(tf, np):
    def body(i):
        k = tf.identity(i, name="k")
        with tf.control_dependencies([k]):
            c = tf.constant(1.0, name="c")
            with tf.control_dependencies([tf.group(c, k)]):
                return tf.tuple([i + c, tf.constant(2.0)])[0]

    return built(tf, lambda: tf.while_loop(lambda i: i < 3.0, body, [0.0]))


@program
def devices_and_scopes_around_and_inside(tf, np):
    def body(i):
        with tf.device("/gpu:1"), tf.name_scope("inside"):
            return i + 1.0

    with tf.device("/cpu:0"), tf.name_scope("around"), tf.variable_scope("vars"):
        return built(tf, lambda: tf.while_loop(lambda i: i < 3.0, body, [tf.constant(0.0)], name="go"))


@program
def variables_made_in_a_loop_are_initialized_outside(tf, np):
    def body(i):
        w = tf.get_variable("w", [], initializer=tf.ones_initializer())
        with tf.variable_scope("r", use_resource=True):
            u = tf.get_variable("w", [], initializer=tf.random_normal_initializer(seed=1))
        with tf.init_scope():
            c = tf.constant(2.0, name="c")
        return i + w + u + tf.Variable(lambda: c, name="late")

    return built(tf, lambda: tf.while_loop(lambda i: i < 3.0, body, [0.0]))


@program
def static_shapes_of_loops(tf, np):
    two, some = tf.ones([2, 2]), tf.placeholder(tf.float32, [None, 2])
    unknown = tf.placeholder(tf.float32)

    def loop(start, body, shape=None):
        shapes = None if shape is None else [tf.TensorShape([]), shape]
        return attempt(
            lambda: tf.while_loop(lambda i, x: i < 3, lambda i, x: (i + 1, body(x)), [0, start], shape_invariants=shapes)[1]
        )

    def seen(x):
        assert x.shape.as_list() == [None, 2]
        return tf.concat([x, x], 0)

    return [
        loop(two, lambda x: x * 2.0),
        loop(some, lambda x: tf.concat([x, x], 0)),
        loop(unknown, lambda x: tf.concat([x, x], 0)),
        loop(two, seen, tf.TensorShape([None, 2])),
        loop(two, lambda x: tf.concat([x, x], 1), tf.TensorShape(None)),
        loop(two, lambda x: x, tf.TensorShape([2, 2])),
        loop(two, lambda x: tf.placeholder_with_default(x, [2, 2]), tf.TensorSpec([2, None], tf.float32)),
        loop(unknown, lambda x: tf.ones([3])),
        graph_of(tf)["nodes"][-12:],
    ]


@program
def refused_shapes(tf, np):
    def loop(start, body, *shapes):
        def make():
            x = tf.ones(start, name="ones")
            return tf.while_loop(
                lambda i, x: i < 3, lambda i, x: (i + 1, body(x)), [0, x], shape_invariants=list(shapes) or None
            )

        return fresh(tf, make)

    scalar = tf.TensorShape([])
    return [
        loop([2, 2], lambda x: tf.concat([x, x], 0)),
        loop([2, 2], lambda x: tf.placeholder(tf.float32, [2, None])),
        loop([2, 2], lambda x: tf.placeholder(tf.float32)),
        loop([2, 2], lambda x: tf.reshape(x, [4])),
        loop([2, 2], lambda x: tf.concat([x, x], 1), scalar, tf.TensorShape([None, 2])),
        loop([2, 2], lambda x: x, scalar, tf.TensorShape([None, 3])),
        loop([2, 2], lambda x: x, scalar, tf.TensorShape([3])),
        loop([2, 2], lambda x: x, scalar),
        loop([2, 2], lambda x: x, scalar, [2, 2]),
        loop([2, 2], lambda x: x, scalar, tf.TensorSpec([2, 2], tf.int32)),
        loop([2, 2], lambda x: x, scalar, tf.SparseTensorSpec([2, 2], tf.float32)),
    ]


@program
def refused_loops(tf, np):
    i0 = [0]
    calls = {
        "no variables": lambda: tf.while_loop(lambda: True, lambda: 1, []),
        "cond no function": lambda: tf.while_loop(1, lambda i: i, i0),
        "body no function": lambda: tf.while_loop(lambda i: i < 3, 1, i0),
        "no iterations": lambda: tf.while_loop(lambda i: i < 3, lambda i: i, i0, parallel_iterations=0),
        "half iterations": lambda: tf.while_loop(lambda i: i < 3, lambda i: i, i0, parallel_iterations=1.5),
        "pred int": lambda: tf.while_loop(lambda i: i + 1, lambda i: i, i0),
        "pred float": lambda: tf.while_loop(lambda i: i, lambda i: i, [0.0]),
        "pred vector": lambda: tf.while_loop(lambda i: tf.less(i, [1, 2]), lambda i: i, i0),
        "pred unknown": lambda: tf.while_loop(lambda i: tf.placeholder(tf.bool), lambda i: i, i0),
        "pred python": lambda: tf.while_loop(lambda i: True, lambda i: i, i0),
        "pred none": lambda: tf.while_loop(lambda i: None, lambda i: i, i0),
        "body none": lambda: tf.while_loop(lambda i: i < 3, lambda i: None, i0),
        "body an operation": lambda: tf.while_loop(lambda i: i < 3, lambda i: tf.no_op(), i0),
        "too few": lambda: tf.while_loop(lambda i, j: i < 3, lambda i, j: [i], [0, 1]),
        "too many": lambda: tf.while_loop(lambda i: i < 3, lambda i: [i, i], i0),
        "one for two": lambda: tf.while_loop(lambda i, j: i < 3, lambda i, j: i, [0, 1]),
        "nested": lambda: tf.while_loop(lambda i, j: i < 3, lambda i, j: [i, [j]], [0, 1]),
        "another container": lambda: tf.while_loop(lambda i, j: i < 3, lambda i, j: [i, (j[0],)], [0, [1]]),
        "another key": lambda: tf.while_loop(lambda i, j: i < 3, lambda i, j: [i, {"b": 1}], [0, {"a": 1}]),
        "rows for a tensor": lambda: tf.while_loop(
            lambda i: i < 3, lambda i: [tf.SparseTensor([[0]], [1], [2])], i0
        ),
        "wrong arguments": lambda: tf.while_loop(lambda i: i < 3, lambda i, j: i, i0),
        "shapes do not fit": lambda: tf.while_loop(
            lambda x: tf.reduce_sum(x) < 3.0, lambda x: tf.matmul(x, tf.ones([3, 3])), [tf.ones([2, 2])]
        ),
    }
    return {name: fresh(tf, make) for name, make in calls.items()}


@program
def values_of_a_loop_stay_in_it(tf, np):
    kept = {}

    def body(i):
        kept["i"], kept["next"] = i, tf.add(i, 1, name="next")
        return kept["next"]

    end = tf.while_loop(lambda i: i < 10, body, [0])
    other = tf.while_loop(lambda j: j < 3, lambda j: j + 1, [5], name="other")
    calls = {
        "a switch": lambda: tf.cond(end > 3, lambda: kept["next"], lambda: end),
        "the end": lambda: tf.while_loop(lambda j: j < end, lambda j: j + other, [end]),
        "control": lambda: tf.group(kept["next"]).control_inputs,
        "outside": lambda: kept["next"] + 1,
        "two": lambda: tf.maximum(end, kept["i"]),
        "another loop": lambda: tf.while_loop(lambda j: j < 3, lambda j: j + kept["next"], [0]),
        "a branch": lambda: tf.cond(end > 3, lambda: kept["next"] * 2, lambda: end),
    }
    return {name: attempt(call) for name, call in calls.items()}


@program
def what_is_made_in_a_loop_can_be_neither_fetched_nor_fed(tf, np):
    kept = []

    def body(i):
        kept.append(tf.add(i, 1, name="next"))
        return kept[0]

    end = tf.while_loop(lambda i: i < 10, body, [tf.constant(0, name="start")])
    graph = tf.get_default_graph()
    with tf.Session() as sess:
        return [
            [(op.name, graph.is_fetchable(op), [graph.is_feedable(t) for t in op.outputs]) for op in graph.get_operations()],
            attempt(lambda: sess.run(kept[0])),
            attempt(lambda: sess.run(end, {kept[0]: 3})),
        ]


@program
def contexts_of_operations(tf, np):
    kept = []

    def body(i):
        kept.append(tf.get_default_graph()._get_control_flow_context())
        return i + tf.cond(i < 3, lambda: 1, lambda: 2)

    tf.while_loop(lambda i: i < 10, body, [0])
    graph = tf.get_default_graph()
    context = kept[0]
    return [
        [(op.name, str(op._get_control_flow_context())) for op in graph.get_operations()],
        [context.name, context.pivot.name, context.parallel_iterations, context.back_prop, context.swap_memory],
        [t.name for t in context.loop_enters] + [t.name for t in context.loop_exits],
        [str(context.outer_context), str(context.grad_state), str(graph._get_control_flow_context())],
        [c.name for c in tf.get_collection("while_context")],
        [c.name for c in tf.get_collection("cond_context")],
    ]


@program
def meta_graphs_keep_loops(tf, np):
    def fill():
        x, n = tf.constant(1.0, name="x"), tf.constant(5, name="n")

        def outer(i, a):
            b = tf.while_loop(lambda j, b: j < i, lambda j, b: (j + 1, tf.cond(b > 3.0, lambda: b * x + a, lambda: a)), [0, a])
            return [i + 1, b[1]]

        tf.while_loop(lambda i, a: i < n, outer, [0, x], maximum_iterations=7)

    with tf.Graph().as_default(), tf.name_scope("s"):
        fill()
        meta = tf.train.export_meta_graph()
    found = []
    for scope in (None, "again"):
        with tf.Graph().as_default() as graph:
            tf.train.import_meta_graph(meta, import_scope=scope)
            found.append([(op.name, str(op._get_control_flow_context())) for op in graph.get_operations()])
            found.append(graph_of(tf, *ATTRS))
            context = tf.get_collection("while_context")[0]
            found.append([context.pivot, context.loop_enters, context.loop_exits, context.maximum_iterations])
    return [sorted(meta.collection_def), found]


@program
def imported_graphs_in_loops_and_branches(tf, np):
    def definition(loop):
        with tf.Graph().as_default() as graph:
            x, c = tf.placeholder(tf.float32, [], name="x"), tf.constant(2.0, name="c")
            y = tf.while_loop(lambda i, a: i < 3, lambda i, a: (i + 1, a * c), [0, x])[1] if loop else x * c
            tf.identity(y, name="y")
        return graph.as_graph_def()

    p, k = tf.placeholder(tf.bool, [], name="p"), tf.constant(1.0, name="k")
    for loop in (False, True):
        wanted = definition(loop)
        tf.import_graph_def(wanted, name="plain")

        def imported(x, wanted=wanted):
            return tf.import_graph_def(wanted, name="b", input_map={"x": x}, return_elements=["y:0"])[0]

        tf.cond(p, lambda: imported(k), lambda: k)
        with tf.control_dependencies([k]):
            tf.while_loop(
                lambda i: i < 3.0, lambda i: i + imported(i), [0.0], shape_invariants=[tf.TensorShape(None)], name=f"loop{loop}"
            )
    return graph_of(tf, *ATTRS)


@program
def a_value_of_another_dtype_does_not_come_round(tf, np):
    def run(start, change):
        def make():
            with tf.Session() as sess:
                return sess.run(tf.while_loop(lambda i, x: i < 3, lambda i, x: (i + 1, change(x)), [0, start]))

        return fresh(tf, make)

    return [
        run(1, lambda x: tf.cast(x, tf.float32)),
        run(1.0, lambda x: tf.cast(x, tf.float64)),
        run("a", lambda x: tf.strings.length(x)),
        run(True, lambda x: tf.cast(x, tf.int64)),
    ]
