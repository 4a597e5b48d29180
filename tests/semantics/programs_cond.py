"""tf.cond: structures, shapes, side effects, errors, and smart_cond; see also programs_control_flow."""

from harness import attempt, fresh, graph_of, program


def one(tf):
    return tf.constant(1.0, name="one")


def conds(tf, table, **kwargs):
    """What each pair of branches gives, or how it is refused; each in a graph of its own."""

    def made(yes, no, **more):
        return tf.cond(tf.placeholder(tf.bool, [], name="p"), lambda: yes(tf), lambda: no(tf), **{**kwargs, **more})

    return {name: fresh(tf, lambda row=row: [made(*row), graph_of(tf)]) for name, row in table.items()}


@program
def structures(tf, np):
    return conds(
        tf,
        {
            "tuples": (lambda tf: (one(tf), (1, "a")), lambda tf: (one(tf), (2, "b"))),
            "dictionaries": (lambda tf: {"a": one(tf), "b": [1]}, lambda tf: {"b": [2], "a": 2.0}),
            "a list of one": (lambda tf: [one(tf)], lambda tf: [2.0]),
            "a list of one and one": (lambda tf: [one(tf)], one),
            "arrays": (lambda tf: np.ones(2, np.float32), lambda tf: [1.0, 2.0]),
            "operations": (lambda tf: tf.no_op(name="a"), lambda tf: tf.group(tf.no_op(name="b"), tf.no_op(name="c"))),
            "operation and bool": (lambda tf: tf.no_op(), lambda tf: tf.constant(True)),
            "list and tuple": (lambda tf: [1, 2], lambda tf: (1, 2)),
            "deeper": (lambda tf: [1, [2]], lambda tf: [1, 2]),
            "keys": (lambda tf: {"a": 1}, lambda tf: {"b": 1}),
            "counts": (lambda tf: [1, 2, 3], lambda tf: [1, 2]),
            "nothing": (lambda tf: [], lambda tf: []),
            "none": (lambda tf: None, one),
            "none in false": (one, lambda tf: None),
            "none inside": (lambda tf: [1, None], lambda tf: [1, None]),
            "operation and number": (lambda tf: tf.no_op(), one),
            "dtypes": (lambda tf: 1, one),
        },
    )


@program
def strict_structures(tf, np):
    return conds(
        tf,
        {
            "a list of one": (lambda tf: [one(tf)], lambda tf: [2.0]),
            "a tuple of one": (lambda tf: (one(tf),), lambda tf: (2.0,)),
            "a list of one and one": (lambda tf: [one(tf)], one),
            "nothing": (lambda tf: [], lambda tf: []),
        },
        strict=True,
    )


@program
def static_shapes(tf, np):
    return conds(
        tf,
        {
            "equal": (lambda tf: tf.ones([2, 3]), lambda tf: tf.zeros([2, 3])),
            "a size": (lambda tf: tf.ones([2, 3]), lambda tf: tf.ones([2, 4])),
            "rank": (lambda tf: tf.ones([2, 3]), lambda tf: tf.ones([2])),
            "open": (lambda tf: tf.ones([2, 3]), lambda tf: tf.placeholder(tf.float32, [None, 3])),
            "unknown": (lambda tf: tf.ones([2, 3]), lambda tf: tf.placeholder(tf.float32)),
        },
    )


def slices(tf, kind, dense=None):
    return tf.IndexedSlices(tf.ones([2, 3]), tf.constant([0, 1], kind), None if dense is None else tf.constant([4, 3], dense))


@program
def composites(tf, np):
    def sparse(tf, kind):
        return tf.SparseTensor([[0, 1]], tf.constant([1], kind), [2, 2])

    table = {
        "sparse": (lambda tf: sparse(tf, tf.int32), lambda tf: sparse(tf, tf.int32)),
        "rows": (lambda tf: slices(tf, tf.int32), lambda tf: slices(tf, tf.int32)),
        "rows in a list": (lambda tf: [1, slices(tf, tf.int32)], lambda tf: [2, slices(tf, tf.int64)]),
        "rows with indices of two kinds": (lambda tf: slices(tf, tf.int32), lambda tf: slices(tf, tf.int64)),
        "rows with a shape": (lambda tf: slices(tf, tf.int32), lambda tf: slices(tf, tf.int32, tf.int32)),
        "shapes of two kinds": (lambda tf: slices(tf, tf.int32, tf.int64), lambda tf: slices(tf, tf.int32, tf.int32)),
        "rows and a tensor": (lambda tf: slices(tf, tf.int32), one),
        "sparse of two kinds": (lambda tf: sparse(tf, tf.int32), lambda tf: sparse(tf, tf.float32)),
        "ragged": (lambda tf: tf.ragged.constant([[1], [2, 3]]), lambda tf: tf.ragged.constant([[1], [2, 3]])),
    }
    return conds(tf, table)


@program
def predicates(tf, np):
    def chosen(pred):
        return fresh(tf, lambda: [tf.cond(pred(), lambda: one(tf), lambda: 2.0), graph_of(tf)])

    return [
        chosen(lambda: tf.placeholder(tf.bool)),
        chosen(lambda: tf.placeholder(tf.bool, [2])),
        chosen(lambda: tf.placeholder(tf.int32, [])),
        chosen(lambda: np.bool_(True)),
        chosen(lambda: 1),
        chosen(lambda: None),
        chosen(lambda: "x"),
        chosen(lambda: [True]),
        chosen(lambda: False),
        chosen(lambda: tf.Variable(True, name="v")),
    ]


@program
def arguments(tf, np):
    p = tf.placeholder(tf.bool, [], name="p")
    yes, no = (lambda: one(tf)), (lambda: 2.0)
    made = [
        tf.cond(p, fn1=yes, fn2=no),
        tf.cond(p, yes, no, name="mine"),
        tf.cond(p, yes, no, name="a/b"),
        tf.cond(p, yes, no, name=""),
        tf.cond(pred=p, true_fn=yes, false_fn=no, strict=False),
    ]
    return [
        made,
        graph_of(tf),
        *[
            attempt(call)
            for call in (
                lambda: tf.cond(p, yes, no, fn1=yes),
                lambda: tf.cond(p, yes, no, fn2=yes),
                lambda: tf.cond(p, yes),
                lambda: tf.cond(p, false_fn=no),
                lambda: tf.cond(p, 1, no),
                lambda: tf.cond(p, yes, tf.constant(1.0)),
                lambda: tf.cond(p, lambda x: x, no),
            )
        ],
    ]


@program
def outer_tensors_given_and_given_again(tf, np):
    x, p = one(tf), tf.placeholder(tf.bool, [], name="p")
    a = tf.cond(p, lambda: x, lambda: x)
    b = tf.cond(p, lambda: [a, x, x], lambda: [x, x, a])
    c = tf.cond(p, lambda: tf.cond(p, lambda: x, lambda: a), lambda: tf.cond(a > x, lambda: x, lambda: x))
    return [a, b, c, graph_of(tf)]


@program
def a_branch_that_fails_leaves_only_what_was_there(tf, np):
    p = tf.placeholder(tf.bool, [], name="p")

    def wrong():
        raise KeyError("mine")

    return [
        attempt(lambda: tf.cond(p, wrong, lambda: 1)),
        attempt(lambda: tf.cond(p, lambda: 1, wrong)),
        str(tf.get_default_graph()._get_control_flow_context()),
    ]


@program
def variables_made_in_a_branch(tf, np):
    p, v = tf.placeholder(tf.bool, [], name="p"), tf.Variable(1.0, name="v")

    def yes():
        w = tf.get_variable("w", [], initializer=tf.ones_initializer())
        late = tf.Variable(lambda: tf.ones([]), name="late")
        return tf.assign_add(v, w + late)

    with tf.control_dependencies([v.initializer]):
        r = tf.cond(p, yes, lambda: tf.identity(v))
    nodes = graph_of(tf)
    refused = attempt(lambda: tf.cond(p, lambda: tf.Variable(tf.ones([]), name="u") + 1.0, lambda: 1.0))
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        return [r, refused, nodes, sess.run(r, {p: True}), sess.run(r, {p: False})]


@program
def control_dependencies_between_branches_and_around(tf, np):
    p, v = tf.placeholder(tf.bool, [], name="p"), tf.Variable(0.0, name="v")
    before = tf.assign(v, 1.0)
    with tf.control_dependencies([before]):
        r = tf.cond(p, lambda: tf.assign_add(v, 10.0), lambda: tf.assign_sub(v, 10.0))
    with tf.control_dependencies([r]):
        after = tf.cond(p, lambda: tf.no_op(), lambda: tf.group(tf.assign(v, 7.0)))
    with tf.Session() as sess:
        return [graph_of(tf), [[sess.run([r, after], {p: q}), sess.run(v)] for q in (True, False)]]


@program
def a_branch_uses_the_other_branchs_tensor(tf, np):
    p, kept = tf.placeholder(tf.bool, [], name="p"), []

    def yes():
        kept.append(tf.constant(1.0) + 2.0)
        return kept[0]

    r = tf.cond(p, yes, lambda: kept[0] * 2.0)
    with tf.Session() as sess:
        return [
            graph_of(tf),
            attempt(lambda: sess.run(r, {p: True})),
            attempt(lambda: sess.run(r, {p: False})),
            attempt(lambda: sess.run(kept[0], {p: True})),
        ]


@program
def a_branchs_tensor_used_outside(tf, np):
    p, kept = tf.placeholder(tf.bool, [], name="p"), []

    def yes():
        kept.append(tf.constant(1.0) + 2.0)
        return kept[0]

    tf.cond(p, yes, lambda: 1.0)
    outside = tf.add(kept[0], 1.0, name="outside")
    with tf.Session() as sess:
        return [
            graph_of(tf),
            attempt(lambda: sess.run(outside, {p: True})),
            attempt(lambda: sess.run(outside, {p: False})),
        ]


def smart(tf):
    """tf.contrib.framework's functions; the oracle has them elsewhere."""
    if hasattr(tf, "contrib"):
        return tf.contrib.framework
    from tensorflow.python.framework import smart_cond

    return smart_cond


@program
def smart_conds(tf, np):
    f, p, yes, no = smart(tf), tf.placeholder(tf.bool, [], name="p"), (lambda: one(tf)), (lambda: 2.0)
    known = tf.logical_and(tf.constant(True), tf.constant(False))
    made = [
        [f.smart_cond(pred, yes, no) for pred in (True, False, 1, 0, known, tf.constant(True), tf.less(1, 2), p)],
        f.smart_case([(True, yes), (p, no)], lambda: 3.0),
        f.smart_case([(False, yes), (p, no)], lambda: 3.0, exclusive=False, name="clever"),
    ]
    return [
        made,
        graph_of(tf),
        [attempt(lambda pred=pred: f.smart_constant_value(pred)) for pred in (True, 0, known, p)],
        attempt(lambda: f.smart_cond(True, 1, no)),
        attempt(lambda: f.smart_cond(True, yes)),
        attempt(lambda: f.smart_cond("x", yes, no)),
        attempt(lambda: f.smart_cond(2, yes, no)),
        attempt(lambda: f.smart_cond(None, yes, no)),
        attempt(lambda: f.smart_case([(1, yes)], no)),
    ]
