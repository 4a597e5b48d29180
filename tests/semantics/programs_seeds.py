"""Programs in the style of the texts that taught control dependencies and identity."""

import itertools

from harness import attempt, graph_of, program

registered = itertools.count()  # a name can be registered once in a process


@program
def counter_without_identity(tf, np):
    x = tf.Variable(0.0)
    x_plus_1 = tf.assign_add(x, 1)
    with tf.control_dependencies([x_plus_1]):
        y = x
    init = tf.initialize_all_variables()
    with tf.Session():
        init.run()
        return [[y.eval() for _ in range(5)], y is x, graph_of(tf)]


@program
def counter_with_identity(tf, np):
    x = tf.Variable(0.0)
    x_plus_1 = tf.assign_add(x, 1)
    with tf.control_dependencies([x_plus_1]):
        y = tf.identity(x)
    init = tf.initialize_all_variables()
    with tf.Session():
        init.run()
        return [[y.eval() for _ in range(5)], y, graph_of(tf)]


@program
def counter_of_a_resource_variable(tf, np):
    out = []
    for with_identity in (False, True):
        tf.reset_default_graph()
        x = tf.Variable(0.0, use_resource=True)
        x_plus_1 = tf.assign_add(x, 1)
        with tf.control_dependencies([x_plus_1]):
            y = tf.identity(x) if with_identity else x
        g = graph_of(tf)
        with tf.Session() as session:
            session.run(tf.global_variables_initializer())
            out.append([[session.run(y) for _ in range(3)], g])
    return out


@program
def counter_with_an_add_in_the_block(tf, np):
    x = tf.Variable(0.0)
    x_plus_1 = tf.assign_add(x, 1)
    with tf.control_dependencies([x_plus_1]):
        y = x + 0.5
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        return [[session.run(y) for _ in range(3)], graph_of(tf)]


@program
def naming_a_tensor(tf, np):
    image = tf.zeros([2, 2])
    image = tf.identity(image, name="my_image")
    initial_state = tf.identity(input=tf.ones([1]), name="initial_state")
    g = tf.get_default_graph()
    with tf.Session() as session:
        return [
            image.name,
            initial_state.name,
            session.run("my_image:0"),
            g.get_tensor_by_name("my_image:0") is image,
        ]


@program
def assert_by_control_dependency(tf, np):
    image = tf.placeholder(tf.float32, [None, None, None], name="image")
    assertion = tf.assert_equal(tf.shape(image)[-1], 3, message="image must have 3 color channels")
    with tf.control_dependencies([assertion]):
        checked = tf.identity(image)
    with tf.Session() as session:
        return [
            session.run(checked, {image: np.zeros([1, 1, 3])}),
            attempt(lambda: session.run(checked, {image: np.zeros([1, 1, 4])})),
            graph_of(tf),
        ]


@program
def moving_average_by_control_dependency(tf, np):
    losses = tf.Variable([4.0, 2.0], name="losses")
    total_loss = tf.reduce_sum(losses, name="total_loss")
    averages = tf.train.ExponentialMovingAverage(0.9, name="avg")
    loss_averages_op = averages.apply([total_loss])
    with tf.control_dependencies([loss_averages_op]):
        gated = tf.identity(total_loss)
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        out = []
        for _ in range(3):
            out.append(
                [
                    session.run(total_loss),
                    session.run(averages.average(total_loss)),
                    session.run(gated),
                    session.run(averages.average(total_loss)),
                ]
            )
        return [out, graph_of(tf)]


@program
def activation_given_as_a_function(tf, np):
    def layer(x, act):
        with tf.name_scope("layer"):
            with tf.name_scope("weights"):
                weights = tf.Variable(tf.ones([2, 2]))
            with tf.name_scope("biases"):
                biases = tf.Variable(tf.zeros([2]))
            preactivate = tf.matmul(x, weights) + biases
            return act(preactivate, "activation")

    x = tf.constant([[1.0, -3.0]])
    plain, squashed = layer(x, tf.identity), layer(x, tf.sigmoid)
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        return [plain, squashed, session.run([plain, squashed]), graph_of(tf)]


@program
def duplicate_nodes_by_identity(tf, np):
    outputs = tf.split(tf.constant([1.0, 2.0]), 2)
    copies = [tf.identity(o, name=n) for o, n in zip(outputs, ("image", "label"), strict=True)]
    with tf.Session() as session:
        return [copies, session.run(copies), graph_of(tf)["nodes"]]


@program
def variables_have_unique_names(tf, np):
    with tf.name_scope("two"):
        d = tf.Variable(1, name="v", expected_shape=[1])
        e = tf.Variable(1, name="v")
    return [d.name, e.name, d is e, d == e, [v.name for v in tf.global_variables()]]


@program
def initialized_values_for_other_variables(tf, np):
    weights = tf.Variable(tf.random_normal([3, 2], stddev=0.35, seed=7), name="weights")
    w2 = tf.Variable(weights.initialized_value(), name="w2")
    w_twice = tf.Variable(weights.initialized_value() * 2.0, name="w_twice")
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        a, b, c = session.run([weights, w2, w_twice])
        return [a, bool((a == b).all()), bool((c == 2 * a).all())]


@program
def symbols_and_their_printed_form(tf, np):
    x, y = tf.random_normal([10, 10]), tf.random_normal([10, 10])
    z = tf.matmul(x, y)
    with tf.Session() as sess:
        return [str(z), sess.run(z).shape]


@program
def static_and_dynamic_shapes(tf, np):
    a = tf.placeholder(tf.float32, [None, 128])
    static = [a.shape.as_list()]
    dynamic = tf.shape(a)
    a.set_shape([32, 128])
    static.append(a.shape.as_list())
    b = tf.reshape(tf.placeholder(tf.float32, [None, 10, 32], name="b"), [-1, 320])

    def get_shape(tensor):
        static_shape = tensor.shape.as_list()
        dynamic_shape = tf.unstack(tf.shape(tensor))
        return [s[1] if s[0] is None else s[0] for s in zip(static_shape, dynamic_shape, strict=True)]

    c = tf.placeholder(tf.float32, [None, 10, 32], name="c")
    shape = get_shape(c)
    d = tf.reshape(c, [shape[0], shape[1] * shape[2]])
    with tf.Session() as sess:
        return [
            static,
            dynamic,
            b,
            d,
            shape[1:],
            sess.run(d, {c: np.zeros([2, 10, 32])}).shape,
            sess.run(dynamic, {a: np.zeros([32, 128])}),
            graph_of(tf)["nodes"],
        ]


@program
def reshape_by_a_list_of_dimensions(tf, np):
    def get_shape(tensor):
        static_shape = tensor.shape.as_list()
        dynamic_shape = tf.unstack(tf.shape(tensor))
        return [s[1] if s[0] is None else s[0] for s in zip(static_shape, dynamic_shape, strict=True)]

    def reshape(tensor, dims_list):
        shape = get_shape(tensor)
        dims_prod = []
        for dims in dims_list:
            if isinstance(dims, int):
                dims_prod.append(shape[dims])
            elif all(isinstance(shape[d], int) for d in dims):
                dims_prod.append(np.prod([shape[d] for d in dims]))
            else:
                dims_prod.append(tf.reduce_prod([shape[d] for d in dims]))
        return tf.reshape(tensor, dims_prod)

    b = tf.placeholder(tf.float32, [None, 10, 32], name="b")
    flat, other = reshape(b, [0, [1, 2]]), reshape(b, [[0, 1], 2])
    with tf.Session() as sess:
        return [flat, other, [v.shape for v in sess.run([flat, other], {b: np.zeros([2, 10, 32])})]]


@program
def names_and_scopes(tf, np):
    a = tf.constant(1)
    b = tf.Variable(1)
    c, d = tf.constant(1, name="a"), tf.Variable(1, name="b")
    with tf.name_scope("scope"):
        e, f = tf.constant(1, name="a"), tf.Variable(1, name="b")
    return [t.name for t in (a, b, c, d, e, f)]


@program
def broadcasting_good_and_bad(tf, np):
    a, b = tf.constant([[1.0, 2.0], [3.0, 4.0]]), tf.constant([[1.0], [2.0]])
    tiled = a + tf.tile(b, [1, 2])
    c = a + b
    wrong = tf.reduce_sum(tf.constant([[1.0], [2.0]]) + tf.constant([1.0, 2.0]))
    right = tf.reduce_sum(tf.constant([[1.0], [2.0]]) + tf.constant([1.0, 2.0]), 0)
    d = tf.concat([tf.ones([5, 3, 5]), tf.tile(tf.ones([5, 1, 6]), [1, 3, 1])], 2)
    with tf.Session() as sess:
        return [tiled, c, sess.run([tiled, c, wrong, right]), d]


@program
def seeded_random_values(tf, np):
    tf.set_random_seed(42)
    a = tf.random_uniform([2])
    b = tf.random_normal([2], seed=1)
    with tf.Session() as sess:
        first = [sess.run([a, b]), sess.run([a, b])]
    with tf.Session() as sess:
        second = sess.run([a, b])
    return [first, second, a.op.type, graph_of(tf, "seed", "seed2")["nodes"]]


def relu_of_python(tf, np, inputs, name):
    """ReLU as a Python function, whose gradient is a Python function too."""

    def gradient(op, grad):
        return grad * tf.py_func(lambda x: np.float32(x > 0), [op.inputs[0]], tf.float32)

    tf.RegisterGradient(name)(gradient)
    with tf.get_default_graph().gradient_override_map({"PyFunc": name}):
        return tf.py_func(lambda x: np.maximum(x, 0.0), [inputs], tf.float32)


@program
def relu_as_a_python_function(tf, np):
    x = tf.random_normal([10])
    y = relu_of_python(tf, np, x * x, f"MyReluGrad_{next(registered)}")
    z = relu_of_python(tf, np, x, f"MyReluGrad_{next(registered)}")
    np.random.seed(3)
    with tf.Session() as sess:
        diff = tf.test.compute_gradient_error(x, [10], y, [10])
        found = tf.test.compute_gradient(x, [10], z, [10], x_init_value=np.linspace(-2, 2, 10, dtype=np.float32))
        slope = sess.run(tf.gradients(z, x), {x: np.linspace(-2, 2, 10)})
    return [bool(diff < 2e-3), found[0], bool(np.abs(found[0] - found[1]).max() < 1e-3), slope]


def undefined_entropy(tf, logits):
    probs = tf.nn.softmax(logits)
    return tf.nn.softmax_cross_entropy_with_logits(labels=probs, logits=logits)


def entropy(tf, logits, dim=-1):
    probs = tf.nn.softmax(logits, dim)
    nplogp = probs * (tf.reduce_logsumexp(logits, dim, keep_dims=True) - logits)
    return tf.reduce_sum(nplogp, dim)


@program
def what_the_gradient_checker_finds(tf, np):
    w = tf.get_variable("w", shape=[5])
    start = np.array([0.5, -0.2, 0.1, 0.9, -0.7], np.float32)
    out = []
    with tf.Session():
        for f in (undefined_entropy, entropy):
            y = -f(tf, w)
            diff = tf.test.compute_gradient_error(w, [5], y, [], x_init_value=start)
            found = tf.test.compute_gradient([w], [[5]], y, [], x_init_value=[start])[0][0]
            out.append([w.get_shape(), y.get_shape(), bool(diff > 0.05), bool(diff < 1e-3), found])
    return out


@program
def checks_of_gradients(tf, np):
    x = tf.placeholder(tf.float32, [2, 3])
    z = tf.placeholder(tf.complex64, [2])
    params = tf.Variable(np.ones([3, 2], np.float32))
    start = np.array([[0.6, 1.2, 0.9], [1.4, 0.7, 1.1]], np.float32)
    rows = tf.gather(params, [2, 0, 2]) * 2.0
    c = tf.placeholder(tf.float32, [])
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        check = tf.test.compute_gradient
        pair = check([x, c], [[2, 3], []], x * c, [2, 3], [start, np.float32(2)], extra_feed_dict={x: start, c: np.float32(2)})
        complex_pair = check(z, [2], z * z, [2], np.array([1 + 2j, 3 - 1j], np.complex64), delta=0.01)
        return [
            [p[0] for p in pair],
            complex_pair[0],
            bool(np.abs(complex_pair[0] - complex_pair[1]).max() < 1e-2),
            check(params, [3, 2], rows, [3, 2])[0],
            check(x, [2, 3], x[:0], [0, 3], start)[0],
            attempt(lambda: check(tf.constant([1, 2]), [2], tf.constant([1.0]), [1])).classes,
            attempt(lambda: check(x, [2, 3], x * 2.0, [2, 3], start[:1])),
        ]
