"""The values of gradients through loops and conds: for known and for unknown shapes, of float32 and float64."""

import warnings

from harness import fresh, program


def repeated(tf, step, start, times=3, **options):
    """The loop variable after some steps."""
    open_shape = [tf.TensorShape([]), tf.TensorShape(None)]
    loop = tf.while_loop(
        lambda i, y: i < times, lambda i, y: (i + 1, step(y)), [tf.constant(0), start], shape_invariants=open_shape, **options
    )
    return loop[1]


KINDS = (("float32", True), ("float32", False), ("float64", False))


def found(tf, np, make, kinds=KINDS, **values):
    """The gradients of make(*inputs, p) by its inputs, each for p true and false; rows as a whole tensor."""

    def run(dtype, known):
        inputs = {name: np.array(value, dtype) for name, value in values.items()}
        xs = [tf.placeholder(dtype, v.shape if known else None, name=name) for name, v in inputs.items()]
        p = tf.placeholder(tf.bool, [], name="p")
        with warnings.catch_warnings():  # rows become dense, which TF warns of where their shape is open
            warnings.simplefilter("ignore", UserWarning)
            gradients = [g if g is None else tf.convert_to_tensor(g) for g in tf.gradients(make(*xs, p), xs)]
        feed = dict(zip(xs, inputs.values(), strict=True))
        with tf.Session() as session:
            session.run(tf.global_variables_initializer())
            return [
                [None if g is None else session.run(g, {**feed, p: truth}) for g in gradients] for truth in (True, False)
            ]

    return [fresh(tf, lambda d=d, k=k: run(d, k)) for d, k in kinds]


X, C = [0.7, 1.2, 0.4], [0.5, 0.9, 1.1]


@program
def powers(tf, np):
    return [
        found(tf, np, lambda x, p: repeated(tf, lambda y: y * x, x), x=1.5),
        found(tf, np, lambda x, p: repeated(tf, lambda y: y * x, x, 0), x=1.5),
        found(tf, np, lambda x, p: repeated(tf, lambda y: tf.sin(y) * x, x, 5, parallel_iterations=1, swap_memory=True), x=X),
        found(tf, np, lambda x, p: repeated(tf, lambda y: y * x, x, back_prop=False) + x, x=1.5),
        found(tf, np, lambda x, c, p: repeated(tf, lambda y: tf.tanh(y * c) + x, tf.constant(0, x.dtype)), x=X, c=C),
    ]


@program
def as_often_as_the_value_wants(tf, np):
    loop = lambda x, p: tf.while_loop(lambda y: tf.reduce_sum(y) < 100.0, lambda y: y * y * x + 1.0, [x])
    limited = lambda x, p: tf.while_loop(lambda y: y < 100.0, lambda y: y * x, [x], maximum_iterations=4)
    return [found(tf, np, loop, x=[1.2, 1.1]), found(tf, np, limited, x=1.5)]


@program
def several_variables(tf, np):
    def swapped(x, c, p):
        return tf.while_loop(lambda i, a, b: i < 3, lambda i, a, b: (i + 1, b * x, a + tf.sin(b)), [0, x, c])[1:]

    def one_is_not_used(x, c, p):
        return tf.while_loop(lambda i, a, b: i < 4, lambda i, a, b: (i + 1, a * b, b + c), [0, x, tf.ones_like(x)])[1]

    def it_forgets(x, c, p):
        return tf.while_loop(lambda i, a: i < 3, lambda i, a: (i + 1, tf.sin(x) * tf.cast(i, x.dtype) * c), [0, c])[1]

    # the oracle has zeros of float32 for what is forgotten, whatever its dtype
    return [
        [found(tf, np, make, x=X, c=C) for make in (swapped, one_is_not_used)],
        found(tf, np, it_forgets, KINDS[:2], x=X, c=C),
    ]


@program
def nested(tf, np):
    def step(tf, x):
        return lambda y: repeated(tf, lambda z: z * x, y, 2) * tf.sin(y)

    def counted(x, p):
        body = lambda i, y: (i + 1, tf.while_loop(lambda j, z: j < i, lambda j, z: (j + 1, tf.sin(z) * x + 1.0), [0, y])[1])
        return tf.while_loop(lambda i, y: i < 4, body, [0, x])[1]

    def three(x, p):
        inner = lambda y: repeated(tf, lambda z: tf.sin(z) * x, y, 2)
        middle = lambda y: repeated(tf, lambda z: inner(z) + z, y, 2)
        return repeated(tf, lambda y: middle(y) * x, x, 2)

    def both_outside(x, c, p):
        def body(y):
            k = tf.tanh(y)
            return repeated(tf, lambda z: z * c + k * x, y, 2) + k

        return repeated(tf, body, x)

    def inner_exit_not_used(x, c, p):
        def body(y):
            return tf.while_loop(lambda j, z, q: j < 2, lambda j, z, q: (j + 1, z * q, tf.sin(q)), [0, y, c])[1]

        return repeated(tf, body, x, 2)

    return [
        found(tf, np, lambda x, p: repeated(tf, step(tf, x), x), x=X),
        found(tf, np, counted, x=X),
        found(tf, np, three, x=X),
        found(tf, np, both_outside, x=X, c=C),
        found(tf, np, inner_exit_not_used, x=X, c=C),
    ]


@program
def conds_in_loops(tf, np):
    def by_turns(x, p):
        body = lambda i, y: (i + 1, tf.cond(tf.equal(i % 2, 0), lambda: y * x, lambda: tf.sin(y) + 1.0))
        return tf.while_loop(lambda i, y: i < 5, body, [0, x])[1]

    def one_side_only(x, c, p):
        body = lambda i, y: (i + 1, tf.cond(i < 1, lambda: y + c, lambda: y * y))
        return tf.while_loop(lambda i, y: i < 3, body, [0, x])[1]

    def in_one_another(x, c, p):
        def step(y):
            s = tf.exp(-y)
            return tf.cond(tf.reduce_sum(y) < 2.0, lambda: tf.cond(p, lambda: s * x, lambda: s + y), lambda: tf.sin(y) * c)

        return repeated(tf, step, x, 4)

    return [found(tf, np, by_turns, x=X), found(tf, np, one_side_only, x=X, c=C), found(tf, np, in_one_another, x=X, c=C)]


@program
def loops_in_conds(tf, np):
    def one(x, p):
        return tf.cond(p, lambda: repeated(tf, lambda y: y * tf.cos(y) * x, x), lambda: x * 3.0)

    def two(x, p):
        inner = lambda y: repeated(tf, lambda z: z * tf.sin(x), y, 2)
        return tf.cond(p, lambda: repeated(tf, inner, x, 2), lambda: x * 3.0)

    def between(x, c, p):
        def step(y):
            return tf.cond(tf.reduce_sum(y) < 2.0, lambda: repeated(tf, lambda z: tf.sin(z) * x, y, 2), lambda: tf.cos(y) + c)

        return repeated(tf, step, x, 4)

    return [found(tf, np, one, x=X), found(tf, np, two, x=X), found(tf, np, between, x=X, c=C)]


@program
def dead_branches_give_zeros(tf, np):
    def variable(tf, resource):
        v = tf.get_variable("v", [2], initializer=tf.ones_initializer(), use_resource=resource)
        p = tf.placeholder(tf.bool, [], name="p")
        branches = tf.gradients(tf.cond(p, lambda: v * v, lambda: tf.constant([1.0, 2.0])), v)[0]
        with tf.Session() as session:
            session.run(v.initializer)
            return [session.run(branches, {p: truth}) for truth in (True, False)]

    return [
        found(tf, np, lambda x, p: tf.cond(p, lambda: x * x, lambda: tf.constant(1.0, x.dtype)), x=X),
        found(tf, np, lambda x, c, p: tf.cond(p, lambda: x * 2.0, lambda: c * c), x=X, c=C),
        [fresh(tf, lambda kind=kind: variable(tf, kind)) for kind in (False, True)],
    ]


@program
def variables_in_conds_in_loops(tf, np):
    def run(resource):
        v = tf.get_variable("v", [], initializer=tf.constant_initializer(2.0), use_resource=resource)
        x = tf.placeholder(tf.float32, [], name="x")
        y = repeated(tf, lambda y: tf.cond(tf.reduce_sum(y) < 3.0, lambda: y * v, lambda: y + v), x, 4)
        gradients = tf.gradients(y, [x, v])
        with tf.Session() as session:
            session.run(v.initializer)
            return [session.run(gradients, {x: value}) for value in (0.5, 4.0)]

    return [fresh(tf, lambda kind=kind: run(kind)) for kind in (False, True)]


@program
def rows(tf, np):
    w = np.arange(10.0).reshape(5, 2).tolist()

    def of_what_is_outside(w, p):
        body = lambda i, y: (i + 1, y + tf.reduce_sum(tf.gather(w, [i, i + 1]) * y))
        return tf.while_loop(lambda i, y: i < 3, body, [0, tf.constant(1.0, w.dtype)])[1]

    def of_a_loop_variable(w, p):
        body = lambda i, a, s: (i + 1, a * 2.0, s + tf.reduce_sum(tf.gather(a, [i, 0])))
        return tf.while_loop(lambda i, a, s: i < 3, body, [0, w, tf.constant(0.0, w.dtype)])[2]

    def of_a_branch(w, p):
        return tf.cond(p, lambda: tf.gather(w, [0, 1]), lambda: tf.gather(w, [2, 2]) * 2.0)

    def raw(tf, resource):
        v = tf.get_variable("w", [5, 2], initializer=tf.ones_initializer(), use_resource=resource)
        body = lambda i, y: (i + 1, y + tf.reduce_sum(tf.gather(v, [i, i + 1]) * y))
        slices = tf.gradients(tf.while_loop(lambda i, y: i < 3, body, [0, tf.constant(1.0)])[1], v)[0]
        with tf.Session() as session:
            session.run(v.initializer)
            return session.run([slices.values, slices.indices, slices.dense_shape])

    return [
        [found(tf, np, make, w=w) for make in (of_what_is_outside, of_a_loop_variable, of_a_branch)],
        [fresh(tf, lambda kind=kind: raw(tf, kind)) for kind in (False, True)],
    ]


@program
def training_in_a_loop(tf, np):
    def descent(x, c, p):
        step = lambda w: w - 0.1 * tf.gradients(tf.reduce_sum(tf.square(w * c - x)), w)[0]
        return repeated(tf, step, tf.zeros_like(x), 4)

    def trained():
        v = tf.Variable([1.0, -2.0], name="v")
        loss = tf.reduce_sum(repeated(tf, lambda y: tf.tanh(y * v) + 0.5, tf.constant([0.3, 0.4])))
        step = tf.train.GradientDescentOptimizer(0.5).minimize(loss)
        with tf.Session() as session:
            session.run(v.initializer)
            return [session.run([loss, step, v])[::2] for _ in range(5)]

    def hessian():
        x = tf.placeholder(tf.float32, [2], name="x")
        found = tf.hessians([tf.reduce_sum(x * x * x) + x[0] * x[1]], [x])
        with tf.Session() as session:
            return session.run(found, {x: [1.0, 2.0]})

    return [found(tf, np, descent, x=X, c=C), fresh(tf, trained), fresh(tf, hessian)]
