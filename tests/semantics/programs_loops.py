"""The results of loops: iterations, captures, nesting, effects, dead loops, imported loops."""

from harness import attempt, program


@program
def counters_and_series(tf, np):
    n = tf.placeholder(tf.int32, [], name="n")
    count = tf.while_loop(lambda i: i < n, lambda i: i + 1, [0])
    fibonacci = tf.while_loop(lambda i, a, b: i < n, lambda i, a, b: (i + 1, b, a + b), [0, 0, 1])
    powers = tf.while_loop(lambda i, x: x < 1000.0, lambda i, x: (i + 1, x * 2.0), [0, tf.cast(n, tf.float32)])
    text = tf.while_loop(lambda i, s: i < n, lambda i, s: (i + 1, s + tf.as_string(i)), [0, "t"])
    with tf.Session() as sess:
        return [
            [sess.run([count, *fibonacci, *powers, text[1]], {n: k}) for k in (1, 2, 7)],
            [sess.run([count, fibonacci, text], {n: k}) for k in (0, -3)],
            sess.run(fibonacci[1], {n: 20}),
            sess.run({"two": fibonacci[2], "one": count}, {n: 3}),
        ]


@program
def collatz(tf, np):
    n = tf.placeholder(tf.int64, [], name="n")

    def body(x, steps):
        return tf.cond(tf.equal(x % 2, 0), lambda: x // 2, lambda: x * 3 + 1), steps + 1

    steps = tf.while_loop(lambda x, steps: x > 1, body, [n, 0])
    with tf.Session() as sess:
        return [sess.run(steps, {n: k}) for k in (1, 2, 6, 27)]


@program
def limits(tf, np):
    n, limit = tf.placeholder(tf.int32, [], name="n"), tf.placeholder(tf.int32, [], name="limit")
    one = tf.while_loop(lambda i: i < n, lambda i: i + 1, [0], maximum_iterations=limit)
    two = tf.while_loop(lambda i, j: i < n, lambda i, j: [i + 1, j * 2], [0, 1], maximum_iterations=limit)
    with tf.Session() as sess:
        return [sess.run([one, two], {n: a, limit: b}) for a, b in ((3, 5), (5, 3), (4, 4), (0, 2), (2, 0), (2, -1))]


@program
def captures(tf, np):
    x = tf.placeholder(tf.float32, [2], name="x")
    v, r = tf.Variable([1.0, 2.0], name="v"), tf.Variable(3.0, name="r", use_resource=True)
    out = tf.while_loop(lambda i, a: i < 3, lambda i, a: (i + 1, a * x + v * r), [0, x])
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        first = sess.run(out, {x: [1, 2]})
        sess.run([tf.assign(v, [0, 1]), tf.assign(r, -1.0)])
        return [first, sess.run(out, {x: [1, 2]})]


@program
def shapes_that_grow(tf, np):
    x = tf.placeholder(tf.float32, [None, 2], name="x")
    rows = tf.while_loop(
        lambda i, a: i < 3,
        lambda i, a: (i + 1, tf.concat([a, a + 10.0], 0)),
        [0, x],
        shape_invariants=[tf.TensorShape([]), tf.TensorShape([None, 2])],
    )[1]
    rank = tf.while_loop(
        lambda a: tf.rank(a) < 4, lambda a: tf.expand_dims(a, 0), [x], shape_invariants=[tf.TensorShape(None)]
    )
    with tf.Session() as sess:
        return [sess.run([rows, rank], {x: np.ones([k, 2])}) for k in (1, 0)]


@program
def loops_in_loops(tf, np):
    n = tf.placeholder(tf.int32, [], name="n")

    def row(i, total):
        def cell(j, t):
            return j + 1, t + i * j

        return i + 1, tf.while_loop(lambda j, t: j < i, cell, [0, total])[1]

    def three(i, t):
        return i + 1, tf.while_loop(lambda j, t: j < n, row, [0, t])[1]

    two = tf.while_loop(lambda i, t: i < n, row, [0, 0])
    deep = tf.while_loop(lambda i, t: i < 2, three, [0, 100])
    with tf.Session() as sess:
        return [sess.run([two, deep], {n: k}) for k in (0, 1, 2, 5)]


@program
def conds_and_loops_in_each_other(tf, np):
    p, n = tf.placeholder(tf.bool, [], name="p"), tf.placeholder(tf.int32, [], name="n")

    def walk(start):
        return tf.while_loop(
            lambda i, t: i < n,
            lambda i, t: (i + 1, tf.cond(tf.equal(i % 2, 0), lambda: t + start, lambda: -t)),
            [0, start],
        )[1]

    inner = tf.cond(p, lambda: walk(1), lambda: tf.cond(n > 3, lambda: walk(2) + walk(3), lambda: tf.constant(77)))

    def body(i, t):
        return i + 1, tf.cond(i < 2, lambda: tf.while_loop(lambda k: k < i * 3, lambda k: k + 2, [t]), lambda: t - 1)

    outer = tf.while_loop(lambda i, t: i < n, body, [0, 0])
    with tf.Session() as sess:
        return [sess.run([inner, outer], {p: q, n: k}) for q in (True, False) for k in (0, 1, 4, 5)]


@program
def effects_in_a_loop(tf, np):
    v, r = tf.Variable(0, name="v"), tf.Variable(10, name="r", use_resource=True)
    n = tf.placeholder(tf.int32, [], name="n")

    def body(i):
        with tf.control_dependencies([tf.assign_add(v, i), r.assign_sub(1)]):
            return i + 1

    def unused(i):
        tf.assign_add(v, 1000)
        return i + 1

    def chosen(i):
        with tf.control_dependencies([tf.cond(i > 1, lambda: tf.assign_add(v, 100), lambda: tf.identity(v))]):
            return tf.identity(i) + 1

    loops = [tf.while_loop(lambda i: i < n, make, [0]) for make in (body, unused, chosen)]
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        found = [[sess.run(loop, {n: k}), *sess.run([v, r])] for loop in loops for k in (0, 1, 4)]
        sess.run(loops[0].op, {n: 3})
        return [found, sess.run([v, r])]


@program
def what_waits_for_a_loop_and_what_it_waits_for(tf, np):
    v = tf.Variable(1.0, name="v")
    with tf.control_dependencies([tf.assign(v, 5.0)]):
        loop = tf.while_loop(lambda i: i < 20.0, lambda i: i + v, [0.0])
    with tf.control_dependencies([loop]):
        after = tf.assign(v, loop + 0.5)
    with tf.Session() as sess:
        sess.run(v.initializer)
        return [sess.run(after), sess.run(v), sess.run(tf.group(loop)), sess.run(v)]


@program
def a_loop_in_the_branch_not_taken_does_nothing(tf, np):
    p, v = tf.placeholder(tf.bool, [], name="p"), tf.Variable(0, name="v")

    def yes():
        def body(i):
            with tf.control_dependencies([tf.assign_add(v, 1)]):
                return i + 1

        return tf.while_loop(lambda i: i < 3, body, [0])

    r = tf.cond(p, yes, lambda: tf.constant(-1))
    with tf.Session() as sess:
        sess.run(v.initializer)
        return [[sess.run(r, {p: q}), sess.run(v)] for q in (False, True, False, True)]


@program
def what_fails_in_a_round(tf, np):
    n = tf.placeholder(tf.int32, [], name="n")
    x = tf.constant([10, 20, 30], name="x")
    picked = tf.while_loop(lambda i, t: i < n, lambda i, t: (i + 1, t + tf.gather(x, i, name="pick")), [0, 0])

    def checked(i):
        with tf.control_dependencies([tf.Assert(i < 2, [i, "too far"], name="check")]):
            return i + 1

    guarded = tf.while_loop(lambda i: i < n, checked, [0])
    unset = tf.Variable(1, name="unset")
    reading = tf.while_loop(lambda i: i < n, lambda i: i + unset, [0])
    pred = tf.placeholder(tf.bool, name="pred")
    vector = tf.while_loop(lambda i: tf.logical_and(i < n, pred), lambda i: i + 1, [0])
    with tf.Session() as sess:
        return [
            sess.run(picked, {n: 3}),
            attempt(lambda: sess.run(picked, {n: 4})),
            sess.run(picked, {n: 2}),
            sess.run(guarded, {n: 2}),
            attempt(lambda: sess.run(guarded, {n: 3})),
            attempt(lambda: sess.run(reading, {n: 2})),
            sess.run(vector, {n: 2, pred: False}),
        ]


@program
def composites_in_loops(tf, np):
    sparse = tf.SparseTensor([[0, 1], [1, 2]], [1.0, 2.0], [2, 3])
    rows = tf.IndexedSlices(tf.ones([1, 2]), tf.constant([3]), tf.constant([4, 2]))

    def body(i, s, r):
        more = tf.IndexedSlices(tf.concat([r.values, r.values], 0), tf.concat([r.indices, r.indices - 1], 0), r.dense_shape)
        return i + 1, tf.SparseTensor(s.indices, s.values * 3.0, s.dense_shape), more

    shapes = [tf.TensorShape([]), tf.TensorShape([2]), tf.TensorShape([None, 2])]
    out = tf.while_loop(lambda i, s, r: i < 2, body, [0, sparse, rows], shape_invariants=shapes)
    ragged = tf.while_loop(lambda i, r: i < 2, lambda i, r: (i + 1, r + 1), [0, tf.ragged.constant([[1], [2, 3]])])[1]
    with tf.Session() as sess:
        found = sess.run(out)
        return [found[0], list(found[1]), list(found[2]), sess.run([ragged.flat_values, ragged.row_splits])]


@program
def structures_in_loops(tf, np):
    n = tf.placeholder(tf.int32, [], name="n")
    start = (0, {"a": [1.0, (2, True)], "b": tf.ones([2])})

    def body(i, q):
        return i + 1, {"b": q["b"] * q["a"][0], "a": [q["a"][0] + 1.0, (q["a"][1][0] * 2, tf.logical_not(q["a"][1][1]))]}

    out = tf.while_loop(lambda i, q: i < n, body, start)
    with tf.Session() as sess:
        return [sess.run(out, {n: k}) for k in (0, 3)]


@program
def references_in_loops(tf, np):
    v = tf.Variable(1.0, name="v")
    out = tf.while_loop(lambda r: r < 6.0, lambda r: tf.assign_add(r, 2.0), [v.op.outputs[0]])
    with tf.Session() as sess:
        sess.run(v.initializer)
        return [sess.run(out), sess.run(v), sess.run(out), sess.run(v)]


@program
def imported_loops_need_no_contexts(tf, np):
    with tf.Graph().as_default() as graph:
        x, n = tf.placeholder(tf.float32, [], name="x"), tf.placeholder(tf.int32, [], name="n")

        def body(i, a):
            b = tf.while_loop(lambda j, b: j < i, lambda j, b: (j + 1, tf.cond(b > 9.0, lambda: b - 9.0, lambda: b + x)), [0, a])
            return i + 1, b[1]

        tf.identity(tf.while_loop(lambda i, a: i < n, body, [0, x])[1], name="y")
    definition = graph.as_graph_def()
    tf.import_graph_def(definition, name="one")
    fed = tf.placeholder(tf.int32, [], name="fed")
    two = tf.import_graph_def(definition, {"x": tf.constant(2.0), "n": fed}, ["y:0"], name="two")[0]
    three = tf.cond(
        fed > 3, lambda: tf.import_graph_def(definition, {"x": tf.constant(3.0), "n": fed}, ["y:0"])[0], lambda: tf.constant(0.0)
    )
    with tf.Session() as sess:
        return [
            [sess.run("one/y:0", {"one/x:0": x, "one/n:0": k}) for x, k in ((1.0, 0), (1.5, 3), (4.0, 5))],
            [[sess.run(two, {fed: k}), sess.run(three, {fed: k})] for k in (0, 2, 4)],
        ]


@program
def random_numbers_in_loops(tf, np):
    tf.set_random_seed(7)
    draws = tf.while_loop(
        lambda i, a: i < 3, lambda i, a: (i + 1, tf.concat([a, tf.random_uniform([2], seed=3)], 0)), [0, tf.zeros([1])],
        shape_invariants=[tf.TensorShape([]), tf.TensorShape([None])],
    )[1]  # fmt: skip
    with tf.Session() as sess:
        return [sess.run(draws), sess.run(draws)]


@program
def feeding_around_loops(tf, np):
    start = tf.constant(1.0, name="start")
    step = tf.constant(2.0, name="step")
    end = tf.while_loop(lambda a: a < 10.0, lambda a: a + step, [start], name="go")
    after = tf.add(end, 0.25, name="after")
    with tf.Session() as sess:
        return [
            sess.run(after),
            sess.run(after, {start: 9.5}),
            sess.run([end, after], {step: 20.0}),
            sess.run(after, {end: 3.0}),
            attempt(lambda: sess.run(after, {"go/Enter:0": 3.0})),
            attempt(lambda: sess.run("go/Merge:0")),
            attempt(lambda: sess.run("go/NextIteration")),
        ]


@program
def a_loaded_loop_goes_on_to_gradients(tf, np):
    with tf.Graph().as_default():
        x, n = tf.placeholder(tf.float32, [], name="x"), tf.placeholder(tf.int32, [], name="n")
        w = tf.Variable(1.5, name="w")

        def body(i, a):
            b = tf.while_loop(
                lambda j, b: j < i, lambda j, b: (j + 1, tf.cond(b > 3.0, lambda: b * w * 0.5 + a, lambda: a * b)), [0, a]
            )
            return [i + 1, b[1] * x]

        tf.identity(tf.while_loop(lambda i, a: i < n, body, [0, x], maximum_iterations=7)[1], name="y")
        meta = tf.train.export_meta_graph()
    found = []
    for scope in ("", "again/"):
        with tf.Graph().as_default() as graph, tf.Session() as sess:
            tf.train.import_meta_graph(meta, import_scope=scope)
            x, n, y = (graph.get_tensor_by_name(f"{scope}{name}:0") for name in "xny")
            slopes = tf.gradients(y, [x, tf.global_variables()[0]])
            sess.run(tf.global_variables_initializer())
            found.append([sess.run([y, *slopes], {x: 1.7, n: k}) for k in (0, 1, 3, 4)])
    return found


@program
def tensor_arrays_through_branches_and_loops(tf, np):
    p = tf.placeholder(tf.bool, [], name="p")
    start = tf.TensorArray(tf.float32, 3)
    either = tf.cond(p, lambda: start.write(0, 1.0), lambda: start.write(0, 2.0).write(1, 5.0))

    def body(i, a):
        return i + 1, tf.cond(i > 1, lambda: a.write(i, 1.0), lambda: a.write(i, tf.cast(i, tf.float32) + 0.5))

    filled = tf.while_loop(lambda i, a: i < 3, body, [0, tf.TensorArray(tf.float32, 3)])[1]
    with tf.Session() as sess:
        return [sess.run(tf.cond(p, lambda: either.read(0), lambda: either.read(1)), {p: q}) for q in (True, False)] + [
            sess.run(filled.stack())
        ]
