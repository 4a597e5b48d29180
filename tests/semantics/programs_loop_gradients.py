"""Gradients through loops and conds, node for node: names, order, frames, stacks, control edges, and errors.

What the ys begin with is given (`seed`), and shapes are known and equal where numbers meet: there 1.15's rules and the oracle's
make the same nodes. Values: programs_loop_gradient_values.
"""

from harness import attempt, fresh, graph_of, program

ATTRS = ("frame_name", "is_constant", "parallel_iterations", "swap_memory", "elem_type", "_class")


def scalar(tf, name="x"):
    return tf.placeholder(tf.float32, [], name=name)


def repeated(tf, step, start, times=3, **options):
    """The loop variable after some steps."""
    return tf.while_loop(lambda i, y: i < times, lambda i, y: (i + 1, step(y)), [tf.constant(0), start], **options)[1]


def built(tf, y, xs, **options):
    """The gradients, and the nodes that are new with them."""
    before = len(tf.get_default_graph().get_operations())
    found = tf.gradients(y, xs, grad_ys=tf.constant(1.0, shape=y.shape, name="seed"), **options)
    names = [None if g is None else [p.name for p in parts(tf, g)] for g in found]
    return [names, graph_of(tf, *ATTRS, since=before)]


def parts(tf, g):
    return [g.values, g.indices, g.dense_shape] if isinstance(g, tf.IndexedSlices) else [g]


@program
def a_power(tf, np):
    x = scalar(tf)
    return built(tf, repeated(tf, lambda y: y * x, x), [x])


@program
def one_iteration_at_a_time(tf, np):
    x = scalar(tf)
    return built(tf, repeated(tf, lambda y: tf.sin(y) * x, x, parallel_iterations=1, swap_memory=True), [x])


@program
def a_limit_on_the_iterations(tf, np):
    x = scalar(tf)
    return built(tf, tf.while_loop(lambda y: y < 100.0, lambda y: y * x, [x], maximum_iterations=4), [x])


@program
def without_back_prop(tf, np):
    x = scalar(tf)
    return built(tf, repeated(tf, lambda y: y * x, x, back_prop=False) + x, [x])


@program
def what_nobody_uses_has_zeros(tf, np):
    x, w = (tf.placeholder(tf.float32, [2], name=name) for name in "xw")
    _, a, _ = tf.while_loop(lambda i, a, b: i < 4, lambda i, a, b: (i + 1, a * b, b + w), [0, x, tf.ones([2])])
    return built(tf, a, [x, w])


@program
def what_does_not_depend_on_the_iteration_before(tf, np):
    x = scalar(tf)
    return built(tf, repeated(tf, lambda y: tf.sin(x), x), [x])


@program
def what_the_loop_does_not_take(tf, np):
    x, z = scalar(tf), scalar(tf, "z")
    ints = tf.placeholder(tf.int32, [], name="n")
    return built(tf, repeated(tf, lambda y: y * 2.0 * tf.cast(ints, tf.float32), x), [x, z, ints])


@program
def nested(tf, np):
    x = scalar(tf)
    return built(tf, repeated(tf, lambda y: repeated(tf, lambda z: z * x, y, 2) * tf.sin(y), x), [x])


@program
def three_deep(tf, np):
    x = scalar(tf)
    inner = lambda y: repeated(tf, lambda z: tf.sin(z) * x, y, 2)
    middle = lambda y: repeated(tf, lambda z: inner(z) + z, y, 2)
    return built(tf, repeated(tf, lambda y: middle(y) * x, x, 2), [x])


@program
def an_inner_loop_takes_from_both_outside(tf, np):
    x, c = (tf.placeholder(tf.float32, [3], name=name) for name in "xc")

    def step(y):
        k = tf.tanh(y)
        return repeated(tf, lambda z: z * c + k * x, y, 2) + k

    return built(tf, repeated(tf, step, x), [x, c])


@program
def a_cond_in_a_loop(tf, np):
    x = scalar(tf)
    return built(tf, repeated(tf, lambda y: tf.cond(y < 2.0, lambda: y * x, lambda: tf.sin(y) + 1.0), x), [x])


@program
def a_cond_of_what_is_outside_of_it(tf, np):
    x = tf.placeholder(tf.float32, [2], name="x")

    def step(y):
        s = tf.exp(-y)
        return tf.cond(tf.reduce_sum(y) < 2.0, lambda: s * x, lambda: s + tf.sin(y))

    return built(tf, repeated(tf, step, x), [x])


@program
def a_cond_in_a_cond_in_a_loop(tf, np):
    x, p = scalar(tf), tf.placeholder(tf.bool, [], name="p")

    def step(y):
        return tf.cond(y < 2.0, lambda: tf.cond(p, lambda: y * x, lambda: tf.exp(-y)), lambda: tf.sin(y) + 1.0)

    return built(tf, repeated(tf, step, x), [x])


@program
def a_loop_in_a_cond(tf, np):
    x, p = scalar(tf), tf.placeholder(tf.bool, [], name="p")
    return built(tf, tf.cond(p, lambda: repeated(tf, lambda y: y * tf.cos(y) * x, x), lambda: x * 3.0), [x])


@program
def a_loop_in_a_cond_in_a_loop(tf, np):
    x = scalar(tf)

    def step(y):
        return tf.cond(y < 2.0, lambda: repeated(tf, lambda z: tf.sin(z) * x, y, 2), lambda: tf.cos(y) + x)

    return built(tf, repeated(tf, step, x), [x])


@program
def rows(tf, np):
    w = tf.placeholder(tf.float32, [5, 2], name="w")
    loop = tf.while_loop(
        lambda i, y: i < 3, lambda i, y: (i + 1, y + tf.reduce_sum(tf.gather(w, [i, i + 1]))), [0, tf.constant(1.0)]
    )
    return built(tf, loop[1], [w])


@program
def variables_of_both_kinds(tf, np):
    ref, resource = (tf.get_variable(name, [], initializer=tf.ones_initializer(), use_resource=name == "u") for name in "vu")
    found = [tf.gradients(repeated(tf, lambda y: tf.sin(y) * ref * resource, tf.constant(1.0)), [ref, resource.handle])]
    return [[g.name for g in found[0]], [op.name for op in tf.get_default_graph().get_operations() if "b_acc" in op.name]]


@program
def options(tf, np):
    def with_(**given):
        def run():
            x = scalar(tf)
            return built(tf, repeated(tf, lambda y: repeated(tf, lambda z: z * x, y, 2) * tf.sin(y), x), [x], **given)

        return fresh(tf, run)

    return [
        with_(colocate_gradients_with_ops=True),
        with_(gate_gradients=True),
        with_(aggregation_method=1),
        with_(name="mine"),
    ]


@program
def again(tf, np):
    x = scalar(tf)
    y = repeated(tf, lambda y: y * x, x)
    built(tf, y, [x])
    return built(tf, y, [x])


@program
def inside_a_body(tf, np):
    x, found = scalar(tf), []

    def step(w):
        found.append(tf.gradients(tf.square(w * x), w, grad_ys=tf.constant(1.0))[0])
        return w - 0.1 * found[0]

    return [repeated(tf, step, tf.constant(0.5)), found, graph_of(tf, *ATTRS)]


@program
def hessians(tf, np):
    x = tf.placeholder(tf.float32, [2], name="x")
    found = tf.hessians(tf.reduce_sum(tf.sin(x)), x)
    inner = [op.name for op in tf.get_default_graph().get_operations() if op.type in ("Enter", "Exit", "TensorArrayWriteV3")]
    return [found, inner, attempt(lambda: tf.hessians(tf.reduce_sum(x), tf.constant(1.0)))]


@program
def refusals(tf, np):
    def second_order():
        x = scalar(tf)
        first = tf.gradients(repeated(tf, lambda y: y * x, x), x)
        return attempt(lambda: tf.gradients(first, x))

    def through_what_a_loop_variable_begins_with():
        x = scalar(tf)
        return attempt(lambda: repeated(tf, lambda y: tf.gradients(y * 2.0, x)[0], x))

    def of_a_value_in_the_loop():
        x, found = scalar(tf), []
        repeated(tf, lambda y: found.append(y * 2.0) or found[0], x)
        return attempt(lambda: tf.gradients(found[0], x))

    def rows_of_a_loop_variable():
        x = tf.placeholder(tf.float32, [4, 2], name="x")
        return attempt(lambda: tf.gradients(tf.gather(repeated(tf, lambda y: y * y, x), [1, 1, 2]), x))

    return [
        fresh(tf, case)
        for case in (
            second_order,
            through_what_a_loop_variable_begins_with,
            of_a_value_in_the_loop,
            rows_of_a_loop_variable,
        )
    ]
