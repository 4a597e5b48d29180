"""Switch, Merge, dead values, the forward half of cond, and the assert family."""

from harness import attempt, fresh, graph_of, program, raw


@program
def switch_and_merge(tf, np):
    from_data = tf.placeholder(tf.float32, [], name="data")
    pred = tf.placeholder(tf.bool, [], name="pred")
    no, yes = raw(tf, "Switch", data=from_data, pred=pred)
    left = tf.multiply(no, 10.0, name="left")
    right = tf.add(yes, 1.0, name="right")
    merged, index = raw(tf, "Merge", inputs=[left, right])
    after = tf.negative(merged, name="after")
    with tf.Session() as sess:
        return [
            graph_of(tf),
            [[sess.run([merged, index, after], {from_data: 2.0, pred: p})] for p in (True, False)],
            attempt(lambda: sess.run(left, {from_data: 2.0, pred: True})),
            attempt(lambda: sess.run(yes, {from_data: 2.0, pred: False})),
            sess.run(left, {from_data: 2.0, pred: False}),
        ]


@program
def death_travels_along_control_edges(tf, np):
    pred = tf.placeholder(tf.bool, [], name="pred")
    no, yes = raw(tf, "Switch", data=tf.constant(1.0), pred=pred)
    v = tf.Variable(0.0, name="v")
    with tf.control_dependencies([tf.identity(yes, name="only_if_true")]):
        up = tf.assign_add(v, 1.0)
    with tf.control_dependencies([tf.identity(no)]):
        down = tf.assign_sub(v, 10.0)
    both = tf.group(up, down)
    with tf.Session() as sess:
        sess.run(v.initializer)
        out = []
        for p in (True, True, False):
            sess.run(both, {pred: p})
            out.append(sess.run(v))
        return [out, attempt(lambda: sess.run(up, {pred: False})), sess.run(v)]


@program
def cond_builds_switches_and_a_merge(tf, np):
    x, y = tf.constant(1.0, name="x"), tf.constant(2.0, name="y")
    p = tf.placeholder(tf.bool, [], name="p")
    r = tf.cond(p, lambda: tf.add(x, y, name="sum"), lambda: tf.multiply(x, 3.0, name="product"))
    with tf.Session() as sess:
        return [r, graph_of(tf), sess.run(r, {p: True}), sess.run(r, {p: False})]


@program
def cond_with_several_results(tf, np):
    x = tf.constant([1.0, 2.0], name="x")
    p = tf.placeholder(tf.bool, name="p")
    pair = tf.cond(p, lambda: (x + 1.0, tf.constant(7)), lambda: (x - 1.0, tf.constant(8)), name="pair")
    listed = tf.cond(p, lambda: [x], lambda: [x * 2.0])
    strict = tf.cond(p, lambda: [x], lambda: [x * 2.0], strict=True)
    with tf.Session() as sess:
        return [
            pair,
            listed,
            strict,
            [sess.run([pair, listed, strict], {p: v}) for v in (True, False)],
            graph_of(tf),
        ]


@program
def cond_of_literals_ops_and_outer_tensors(tf, np):
    p = tf.placeholder(tf.bool, [], name="p")
    outer = tf.constant(5.0, name="outer")
    v = tf.Variable(0.0, name="v")
    literals = tf.cond(p, lambda: 1.0, lambda: 2.0)
    passed = tf.cond(p, lambda: outer, lambda: tf.constant(0.0))
    ops = tf.cond(p, lambda: tf.group(tf.assign(v, 3.0)), lambda: tf.no_op(name="nothing"))
    with tf.Session() as sess:
        sess.run(v.initializer)
        out = [sess.run([literals, passed], {p: value}) for value in (True, False)]
        out.append([sess.run(ops, {p: False}), sess.run(v), sess.run(ops, {p: True}), sess.run(v)])
        return [literals, passed, ops, out, graph_of(tf)]


@program
def only_the_taken_branch_has_effects(tf, np):
    p = tf.placeholder(tf.bool, [], name="p")
    a, b, c = (tf.Variable(0.0, name=n) for n in "abc")
    outside = tf.assign_add(c, 1.0)
    r = tf.cond(p, lambda: tf.assign_add(a, 1.0), lambda: tf.assign_add(b, 1.0) + outside * 0.0)
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        out = []
        for value in (True, True, False):
            sess.run(r, {p: value})
            out.append(sess.run([a, b, c]))
        return out


@program
def cond_nests(tf, np):
    p, q = tf.placeholder(tf.bool, [], name="p"), tf.placeholder(tf.bool, [], name="q")
    x = tf.constant(1.0, name="x")
    r = tf.cond(
        p,
        lambda: tf.cond(q, lambda: x + 1.0, lambda: x + 2.0),
        lambda: tf.cond(q, lambda: x + 3.0, lambda: x + 4.0),
    )
    with tf.Session() as sess:
        return [[sess.run(r, {p: a, q: b}) for a in (True, False) for b in (True, False)], graph_of(tf)]


@program
def cond_of_a_comparison_and_of_variables(tf, np):
    v = tf.Variable(1.0, name="v")
    r = tf.cond(v > 0.0, lambda: v * 2.0, lambda: tf.identity(v))
    with tf.Session() as sess:
        sess.run(v.initializer)
        first = sess.run(r)
        sess.run(tf.assign(v, -3.0))
        return [first, sess.run(r), graph_of(tf)]


@program
def cond_under_control_dependencies_and_scopes(tf, np):
    p = tf.placeholder(tf.bool, [], name="p")
    v = tf.Variable(0.0, name="v")
    with tf.name_scope("outer"), tf.control_dependencies([tf.assign_add(v, 1.0)]):
        r = tf.cond(p, lambda: tf.constant(1.0), lambda: tf.constant(2.0), name="choose")
    with tf.control_dependencies([r]):
        after = tf.no_op(name="after")
    with tf.Session() as sess:
        sess.run(v.initializer)
        return [sess.run(r, {p: True}), sess.run(v), sess.run(after, {p: False}), sess.run(v), graph_of(tf)]


@program
def refused_conds(tf, np):
    bad = {
        "python bool": lambda: tf.cond(True, lambda: 1, lambda: 2),
        "no function": lambda: tf.cond(tf.constant(True), 1, lambda: 2),
        "missing": lambda: tf.cond(tf.constant(True), lambda: 1),
        "none": lambda: tf.cond(tf.constant(True), lambda: None, lambda: tf.constant(1)),
        "dtypes": lambda: tf.cond(tf.constant(True), lambda: tf.constant(1), lambda: tf.constant(2.0)),
        "counts": lambda: tf.cond(
            tf.constant(True), lambda: (tf.constant(1), tf.constant(2)), lambda: tf.constant(2)
        ),
        "predicate dtype": lambda: tf.cond(tf.constant(1), lambda: tf.constant(1), lambda: tf.constant(2)),
    }
    return {k: fresh(tf, f) for k, f in bad.items()}


@program
def tensors_of_a_branch_cannot_be_fetched(tf, np):
    p = tf.placeholder(tf.bool, [], name="p")
    seen = []

    def branch():
        seen.append(tf.constant(1.0, name="inside"))
        return seen[0] + 1.0

    r = tf.cond(p, branch, lambda: tf.constant(3.0))
    with tf.Session() as sess:
        return [
            sess.run(r, {p: True}),
            attempt(lambda: sess.run(seen[0], {p: True})),
            attempt(lambda: sess.run(seen[0], {p: False})),
        ]


@program
def fetching_a_dead_tensor(tf, np):
    p = tf.placeholder(tf.bool, [], name="p")
    no, yes = raw(tf, "Switch", "s", data=tf.constant(1.0), pred=p)
    with tf.Session() as sess:
        return [
            sess.run(yes, {p: True}),
            attempt(lambda: sess.run(no, {p: True})),
            attempt(lambda: sess.run([yes, no], {p: True})).classes[0],
        ]


@program
def assert_op(tf, np):
    x = tf.placeholder(tf.float32, name="x")
    check = tf.Assert(tf.reduce_all(x > 0.0), [x, "is bad", tf.constant(3)], summarize=2, name="check")
    strings = tf.Assert(tf.reduce_all(x > 0.0), ["only text", "and more"])
    g = graph_of(tf, "summarize")
    with tf.control_dependencies([check]):
        y = tf.identity(x, name="y")
    with tf.Session() as sess:
        return [
            check,
            strings,
            g,
            sess.run(y, {x: [1.0, 2.0]}),
            attempt(lambda: sess.run(y, {x: [1.0, -2.0, 3.0]})),
            attempt(lambda: sess.run(strings, {x: -1.0})),
            sess.run(check, {x: 1.0}),
        ]


@program
def asserts_at_run_time(tf, np):
    x, y = tf.placeholder(tf.float32, name="x"), tf.placeholder(tf.float32, [None], name="y")
    i = tf.placeholder(tf.int32, name="i")
    checks = {
        "equal": (tf.assert_equal(x, y), {x: [1.0], y: [2.0]}, {x: [1.0], y: [1.0]}),
        "equal named": (
            tf.assert_equal(x, y, message="must be", name="eq", summarize=1),
            {x: [1.0, 2.0], y: [1.0, 1.0]},
            {x: [1.0], y: [1.0]},
        ),
        "equal data": (tf.assert_equal(x, y, data=[x, "data"]), {x: [1.0], y: [2.0]}, {x: 1.0, y: [1.0]}),
        "none equal": (tf.assert_none_equal(x, y), {x: [1.0], y: [1.0]}, {x: [1.0], y: [2.0]}),
        "less": (tf.assert_less(x, y), {x: [1.0], y: [1.0]}, {x: [1.0], y: [2.0]}),
        "less equal": (tf.assert_less_equal(x, y), {x: [3.0], y: [1.0]}, {x: [1.0], y: [1.0]}),
        "greater": (tf.assert_greater(x, y), {x: [1.0], y: [1.0]}, {x: [3.0], y: [2.0]}),
        "greater equal": (tf.assert_greater_equal(x, y), {x: [0.0], y: [1.0]}, {x: [1.0], y: [1.0]}),
        "positive": (tf.assert_positive(x), {x: [0.0]}, {x: [1.0]}),
        "negative": (tf.assert_negative(x), {x: [0.0]}, {x: [-1.0]}),
        "non negative": (tf.assert_non_negative(x), {x: [-1.0]}, {x: [0.0]}),
        "non positive": (tf.assert_non_positive(x), {x: [1.0]}, {x: [0.0]}),
        "rank": (tf.assert_rank(x, 1), {x: 1.0}, {x: [1.0]}),
        "rank tensor": (tf.assert_rank(x, i, message="rank!"), {x: 1.0, i: 2}, {x: [1.0], i: 1}),
        "rank at least": (tf.assert_rank_at_least(x, 1), {x: 1.0}, {x: [[1.0]]}),
        "rank in": (tf.assert_rank_in(x, [0, 2]), {x: [1.0]}, {x: [[1.0]]}),
        "int equal": (tf.assert_equal(i, 3), {i: [3, 4]}, {i: [3, 3]}),
    }
    with tf.Session() as sess:
        return {
            k: [
                op,
                attempt(lambda op=op, bad=bad: sess.run(op, bad)),
                attempt(lambda op=op, good=good: sess.run(op, good)),
            ]
            for k, (op, bad, good) in checks.items()
        }


@program
def asserts_as_graphs(tf, np):
    x = tf.placeholder(tf.float32, [2], name="x")
    tf.assert_equal(x, 1.0)
    tf.assert_equal(x, x)
    tf.assert_less(x, x, message="m", name="less")
    tf.assert_rank(x, 1)
    tf.assert_rank(tf.placeholder(tf.float32, name="u"), 2)
    tf.assert_positive(x)
    tf.assert_type(x, tf.float32)
    tf.assert_scalar(tf.constant(1.0))
    return graph_of(tf, "summarize")


@program
def asserts_at_construction(tf, np):
    c, d = tf.constant, tf.placeholder
    checks = {
        "equal": lambda: tf.assert_equal(c(1), 2),
        "equal vectors": lambda: tf.assert_equal(c([1, 2]), [1, 3], message="vectors"),
        "equal holds": lambda: tf.assert_equal(c(1), 1),
        "less": lambda: tf.assert_less(c(2.0), 1.0),
        "less holds": lambda: tf.assert_less(c(1.0), 2.0),
        "none equal": lambda: tf.assert_none_equal(c(1), 1),
        "greater": lambda: tf.assert_greater(c(1), 1),
        "positive": lambda: tf.assert_positive(c([1, 0])),
        "positive holds": lambda: tf.assert_positive(c([1, 2])),
        "negative": lambda: tf.assert_negative(c(1.5)),
        "non negative": lambda: tf.assert_non_negative(c(-1)),
        "rank": lambda: tf.assert_rank(c([1]), 2),
        "rank holds": lambda: tf.assert_rank(c([1]), 1),
        "rank message": lambda: tf.assert_rank(d(tf.float32, [None, 2]), 1, message="m"),
        "rank not scalar": lambda: tf.assert_rank(c([1]), c([1])),
        "rank at least": lambda: tf.assert_rank_at_least(c(1), 1),
        "rank float": lambda: tf.assert_rank(c([1]), 1.0),
        "type": lambda: tf.assert_type(c(1), tf.float32),
        "type holds": lambda: tf.assert_type(c(1), tf.int32),
        "scalar": lambda: tf.assert_scalar(c([1])),
        "scalar holds": lambda: tf.assert_scalar(c(1)),
        "dtypes differ": lambda: tf.assert_equal(c(1), c(1.0)),
        "shapes differ": lambda: tf.assert_equal(c([1, 2]), c([1, 2, 3])),
        "integer": lambda: tf.debugging.assert_integer(c(1.0)),
        "broadcast": lambda: tf.assert_equal(c([1, 1]), 1),
        "empty": lambda: tf.assert_equal(c([], tf.float32), 1.0),
        "equal data": lambda: tf.assert_equal(c(1), 2, data=["text", c(3)]),
        "Assert": lambda: tf.Assert(False, [1]),
        "Assert constant": lambda: tf.Assert(c(False), ["x"]),
    }
    return {k: fresh(tf, f) for k, f in checks.items()}


@program
def print_passes_its_input_on(tf, np):
    x = tf.constant([1.0, 2.0], name="x")
    p = tf.Print(x, [x], message="x is", name="p")
    with tf.Session() as sess:
        return [p, p.op.type, sess.run(p * 2.0)]


@program
def variables_in_a_branch_need_a_callable_initializer(tf, np):
    def make(initial):
        p = tf.placeholder(tf.bool, [], name="p")
        tf.cond(p, lambda: tf.identity(tf.Variable(initial(), name="v")), lambda: tf.constant(0.0))
        return graph_of(tf)

    return [
        fresh(tf, lambda: make(lambda: tf.constant(1.0))),
        fresh(tf, lambda: make(lambda: lambda: tf.constant(1.0))),
    ]
