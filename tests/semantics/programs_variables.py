"""Variables of both kinds, their graphs and errors; initializers; moving averages."""

from harness import attempt, fresh, graph_of, program


@program
def reference_variable(tf, np):
    v = tf.Variable([1.0, 2.0])
    w = tf.Variable(0, name="w", trainable=False)
    g = graph_of(tf, "dtype", "shape", "container", "shared_name", "validate_shape", "use_locking")
    return {
        "graph": g,
        "facts": [
            v.name,
            v.op.name,
            v.dtype,
            v.shape,
            v.initializer,
            v.initial_value,
            v.value(),
            v.graph is tf.get_default_graph(),
            v.device,
            v.get_shape(),
            v.trainable,
            w.trainable,
            v._ref() if hasattr(v, "_ref") else None,
            v.eval is not None,
            type(v.op).__name__,
        ],
        "collections": [
            tf.global_variables() == [v, w],
            tf.trainable_variables() == [v],
            tf.all_variables() == [v, w],
            tf.local_variables() == [],
        ],
        "same": [v == v, v == w, hash(v) == hash(v), v in [w, v]],
    }


@program
def resource_variable(tf, np):
    v = tf.Variable([1.0, 2.0], use_resource=True)
    w = tf.Variable(0, name="w", trainable=False, use_resource=True)
    g = graph_of(tf, "dtype", "shape", "container", "shared_name")
    reads = [v.value(), v.read_value(), tf.identity(v), v + 1.0]
    return {
        "graph": g,
        "reads": [reads, graph_of(tf, since=len(g["nodes"]))["nodes"]],
        "facts": [
            v.name,
            v.op.name,
            v.dtype,
            v.shape,
            v.initializer,
            v.initial_value,
            v.graph is tf.get_default_graph(),
            v.device,
            v.trainable,
            w.trainable,
        ],
    }


@program
def variables_under_scopes_and_devices(tf, np):
    with tf.name_scope("s"):
        a = tf.Variable(1.0, name="v")
        b = tf.Variable(1.0, name="v")
        with tf.device("/cpu:0"):
            c = tf.Variable(1.0, name="c")
    with tf.device("/job:ps"), tf.control_dependencies([tf.constant(1.0, name="k")]):
        d = tf.Variable(tf.zeros([2]), name="d")
        e = tf.Variable(2.0, name="e", use_resource=True)
    return [[x.name for x in (a, b, c, d, e)], graph_of(tf)]


@program
def initial_values(tf, np):
    made = {
        "list": lambda: tf.Variable([1, 2]),
        "float": lambda: tf.Variable(1.5),
        "bool": lambda: tf.Variable(True),
        "text": lambda: tf.Variable("a"),
        "array": lambda: tf.Variable(np.ones([2, 1])),
        "dtype": lambda: tf.Variable(1, dtype=tf.float32),
        "tensor": lambda: tf.Variable(tf.zeros([2, 3])),
        "random": lambda: tf.Variable(tf.random_normal([2, 3], seed=1)),
        "callable": lambda: tf.Variable(lambda: tf.constant(3.0)),
        "callable value": lambda: tf.Variable(lambda: 3.0),
        "variable": lambda: tf.Variable(tf.Variable(1.0).initialized_value()),
        "none": lambda: tf.Variable(None),
        "nothing": lambda: tf.Variable(),
        "no shape": lambda: tf.Variable(tf.placeholder(tf.float32)),
        "partial shape": lambda: tf.Variable(tf.placeholder(tf.float32, [None])),
        "no validation": lambda: tf.Variable(tf.placeholder(tf.float32), validate_shape=False),
        "expected shape": lambda: tf.Variable([1.0], expected_shape=[1]),
        "wrong dtype": lambda: tf.Variable(1.5, dtype=tf.int32),
        "callable and dtype": lambda: tf.Variable(lambda: 3, dtype=tf.float32),
        "collections": lambda: tf.Variable(1.0, collections=["mine"]),
        "collections no list": lambda: tf.Variable(1.0, collections="mine"),
        "name": lambda: tf.Variable(1.0, name="a/b"),
    }

    def describe(make):
        v = make()
        return [repr(v), v.initial_value, graph_of(tf)]

    return {k: fresh(tf, lambda make=make: describe(make)) for k, make in made.items()}


@program
def assignments_of_a_reference_variable(tf, np):
    v = tf.Variable([1.0, 2.0], name="v")
    start = len(tf.get_default_graph().get_operations())
    made = [
        tf.assign(v, [3.0, 4.0]),
        tf.assign_add(v, [1.0, 1.0]),
        tf.assign_sub(v, [2.0, 0.0], name="down"),
        v.assign([5.0, 6.0]),
        v.assign_add(tf.constant([1.0, 1.0])),
        v.assign_sub([1.0, 1.0], use_locking=True),
        tf.assign(v, [0.0, 0.0], validate_shape=False),
    ]
    text = [repr(m) for m in made]
    with tf.Session() as sess:
        sess.run(v.initializer)
        values = [sess.run(m) for m in made] + [sess.run(v), sess.run(v.read_value())]
    return [text, values, graph_of(tf, "use_locking", "validate_shape", since=start)]


@program
def assignments_of_a_resource_variable(tf, np):
    v = tf.Variable([1.0, 2.0], name="v", use_resource=True)
    start = len(tf.get_default_graph().get_operations())
    made = [
        tf.assign(v, [3.0, 4.0]),
        tf.assign_add(v, [1.0, 1.0]),
        tf.assign_sub(v, [2.0, 0.0], name="down"),
        v.assign([5.0, 6.0]),
        v.assign_add(tf.constant([1.0, 1.0])),
        v.assign_sub([1.0, 1.0]),
    ]
    kinds = [[isinstance(m, tf.Tensor), isinstance(m, tf.Operation), m.op.type, m.name] for m in made]
    with tf.Session() as sess:
        sess.run(v.initializer)
        values = [sess.run(m) for m in made] + [sess.run(v), sess.run(v.read_value()), sess.run(made[0].op)]
    return [kinds, values, graph_of(tf, since=start)]


@program
def assign_of_a_new_shape(tf, np):
    v = tf.Variable([1.0, 2.0], name="v", validate_shape=False)
    w = tf.Variable([1.0, 2.0], name="w")
    bigger = tf.assign(v, [1.0, 2.0, 3.0], validate_shape=False)
    p = tf.placeholder(tf.float32, name="p")
    late = tf.assign(w, p)
    add = tf.assign_add(w, p)
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        return [
            v.shape,
            bigger.shape,
            sess.run(bigger),
            sess.run(v),
            attempt(lambda: sess.run(late, {p: np.ones(3)})),
            sess.run(w),
            attempt(lambda: sess.run(add, {p: np.ones(3)})),
            sess.run(late, {p: np.ones(2)}),
        ]


@program
def variables_compute(tf, np):
    v, r = tf.Variable(3.0, name="v"), tf.Variable(3.0, name="r", use_resource=True)
    m = tf.Variable([[1.0, 2.0], [3.0, 4.0]], name="m")
    start = len(tf.get_default_graph().get_operations())
    made = [
        v + 1.0,
        1.0 - v,
        v * r,
        r / 2.0,
        -v,
        abs(r),
        v**2.0,
        v < r,
        m[0],
        m[:, 1],
        m @ m,
        tf.square(v),
        tf.add(v, r),
        v + v,
        2.0 * r,
        v % 2.0,
        v // 2.0,
        tf.identity(r),
        tf.convert_to_tensor(v),
        tf.stack([v, r]),
    ]
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        return [made, sess.run(made), graph_of(tf, since=start)["nodes"]]


@program
def uninitialized_variables(tf, np):
    v = tf.Variable(1.0, name="v")
    r = tf.Variable(1.0, name="r", use_resource=True)
    add, plus = tf.assign_add(v, 1.0, name="up"), v + 1.0
    with tf.Session() as sess:
        errors = [
            attempt(lambda f=f: sess.run(f))
            for f in (v, add, plus, tf.is_variable_initialized(v), tf.report_uninitialized_variables())
        ]
        resource = [attempt(lambda f=f: sess.run(f)).classes[0] for f in (r, r + 1.0)]
        try:
            sess.run(r)
        except tf.errors.FailedPreconditionError as e:
            resource.append([e.error_code, e.op.name, "r" in e.message])
        sess.run(v.initializer)
        return [errors, resource, sess.run([v, plus]), sess.run(tf.report_uninitialized_variables())]


@program
def initialized_value(tf, np):
    v = tf.Variable([1.0, 2.0], name="v")
    start = len(tf.get_default_graph().get_operations())
    i = v.initialized_value()
    g = graph_of(tf, since=start)
    w = tf.Variable(i * 2.0, name="w")
    with tf.Session() as sess:
        before = sess.run(i)
        sess.run(w.initializer)
        middle = [sess.run(w), attempt(lambda: sess.run(v))]
        sess.run(v.initializer)
        sess.run(tf.assign(v, [5.0, 6.0]))
        return [i, g, before, middle, sess.run(i)]


@program
def initializing_in_order_of_dependence(tf, np):
    a = tf.Variable(2.0, name="a")
    b = tf.Variable(a.initialized_value() * 3.0, name="b")
    c = tf.Variable(b.initialized_value() + a.initialized_value(), name="c")
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        return sess.run([a, b, c])


@program
def initializing_from_an_uninitialized_variable_is_guarded(tf, np):
    a = tf.Variable(2.0, name="a")
    b = tf.Variable(a * 3.0, name="b")
    g = graph_of(tf)
    with tf.Session() as sess:
        sess.run(b.initializer)
        return [sess.run(b), g]


@program
def initializer_ops(tf, np):
    a = tf.Variable(1.0, name="a")
    b = tf.Variable(2.0, name="b", trainable=False, collections=[tf.GraphKeys.LOCAL_VARIABLES])
    start = len(tf.get_default_graph().get_operations())
    made = [
        tf.global_variables_initializer(),
        tf.initialize_all_variables(),
        tf.local_variables_initializer(),
        tf.initialize_local_variables(),
        tf.variables_initializer([a, b]),
        tf.variables_initializer([a], name="one"),
        tf.initialize_variables([b]),
        tf.variables_initializer([]),
    ]
    with tf.Session() as sess:
        results = [sess.run(m) for m in made]
        return [made, results, sess.run([a, b]), graph_of(tf, since=start)]


@program
def report_uninitialized_variables(tf, np):
    a = tf.Variable(1.0, name="a")
    tf.Variable([2], name="b")
    tf.Variable(3.0, name="c", use_resource=True)
    start = len(tf.get_default_graph().get_operations())
    report = tf.report_uninitialized_variables()
    g = graph_of(tf, since=start)
    some = tf.report_uninitialized_variables([a], name="some")
    none = tf.report_uninitialized_variables([])
    with tf.Session() as sess:
        before = sess.run([report, some, none])
        sess.run(a.initializer)
        middle = sess.run([report, some])
        sess.run(tf.global_variables_initializer())
        return [report, before, middle, sess.run(report), g]


@program
def assert_variables_initialized(tf, np):
    a = tf.Variable(1.0, name="a")
    b = tf.Variable(1.0, name="b", use_resource=True)
    ok = tf.assert_variables_initialized([a])
    flags = [tf.is_variable_initialized(a), tf.is_variable_initialized(b)]
    with tf.Session() as sess:
        before = [attempt(lambda: sess.run(ok)), sess.run(flags)]
        sess.run(tf.global_variables_initializer())
        return [before, attempt(lambda: sess.run(ok)), sess.run(flags)]


@program
def load_and_eval(tf, np):
    v = tf.Variable([1.0, 2.0], name="v")
    with tf.Session() as sess:
        sess.run(v.initializer)
        v.load([3.0, 4.0], sess)
        return [v.eval(), sess.run(v), v.eval(sess)]


@program
def count_up_to(tf, np):
    v = tf.Variable(0, name="v")
    up = v.count_up_to(3)
    with tf.Session() as sess:
        sess.run(v.initializer)
        return [[sess.run(up) for _ in range(3)], attempt(lambda: sess.run(up)), sess.run(v)]


@program
def variables_iterate_and_convert(tf, np):
    v = tf.Variable([1.0, 2.0], name="v")
    return [
        attempt(lambda: bool(v > 0)),
        attempt(lambda: tf.convert_to_tensor(v, tf.int32)),
        attempt(lambda: v.assign(1)),
        tf.convert_to_tensor(v, tf.float32),
    ]


@program
def exponential_moving_average(tf, np):
    v = tf.Variable(10.0, name="v")
    start = len(tf.get_default_graph().get_operations())
    ema = tf.train.ExponentialMovingAverage(0.9)
    op = ema.apply([v])
    average = ema.average(v)
    g = graph_of(tf, since=start)
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        first = sess.run([v, average])
        sess.run(tf.assign(v, 20.0))
        sess.run(op)
        second = sess.run([v, average])
        sess.run(op)
        third = sess.run(average)
    return [
        op,
        repr(average),
        ema.average_name(v),
        g,
        first,
        second,
        third,
        ema.average(tf.Variable(1.0)) is None,
    ]


@program
def exponential_moving_average_of_tensors_and_steps(tf, np):
    x = tf.placeholder(tf.float32, [2], name="x")
    t = tf.multiply(x, 2.0, name="t")
    step = tf.Variable(0, name="step", trainable=False)
    start = len(tf.get_default_graph().get_operations())
    ema = tf.train.ExponentialMovingAverage(0.9, step, zero_debias=False, name="Avg")
    op = ema.apply([t])
    g = graph_of(tf, since=start)
    average = ema.average(t)
    out = []
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        for i in range(4):
            sess.run(op, {x: [i + 1.0, 1.0]})
            sess.run(tf.assign_add(step, 10))
            out.append(sess.run(average))
    return [repr(average), out, g]


@program
def exponential_moving_average_default_variables(tf, np):
    a, b = tf.Variable(1.0, name="a"), tf.Variable([2.0], name="b")
    tf.Variable(3.0, name="frozen", trainable=False)
    ema = tf.train.ExponentialMovingAverage(decay=0.5)
    op = ema.apply()
    restored = ema.variables_to_restore()
    again = attempt(lambda: ema.apply([a]))
    return [
        op,
        [ema.average(x).name for x in (a, b)],
        {k: x.name for k, x in sorted(restored.items())},
        again,
        [x.name for x in tf.moving_average_variables()],
        attempt(lambda: tf.train.ExponentialMovingAverage(0.5).apply([tf.constant(1)])),
    ]


@program
def exponential_moving_average_of_a_resource_variable(tf, np):
    v = tf.Variable(10.0, name="v", use_resource=True)
    ema = tf.train.ExponentialMovingAverage(0.9)
    op = ema.apply([v])
    average = ema.average(v)
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        sess.run(tf.assign(v, 20.0))
        sess.run(op)
        return [sess.run([v, average]), average.name]


@program
def assignments_without_reading(tf, np):
    v, r = tf.Variable(1.0, name="v"), tf.Variable(1.0, name="r", use_resource=True)
    made = [
        v.assign(2.0, read_value=False),
        v.assign_add(2.0, read_value=False),
        r.assign(2.0, read_value=False),
        r.assign_add(5.0, read_value=False),
    ]
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        return [[m.name for m in made], [sess.run(m) for m in made], sess.run([v, r])]


@program
def exponential_moving_average_without_bias(tf, np):
    x = tf.placeholder(tf.float32, [], name="x")
    t = x * 1.0
    ema = tf.train.ExponentialMovingAverage(0.5, zero_debias=True)
    op = ema.apply([t])
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        out = []
        for value in (1.0, 2.0, 4.0):
            sess.run(op, {x: value})
            out.append(sess.run(ema.average(t)))
    return out


@program
def many_kinds_of_dtypes_are_stored(tf, np):
    values = {
        "float64": 1.5,
        "int32": 3,
        "int64": 2**40,
        "bool": True,
        "string": "a",
        "complex64": 1 + 2j,
        "uint8": 200,
        "float16": 0.5,
    }
    made = {name: tf.Variable(tf.constant(value, name), name=name) for name, value in values.items()}
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        return [sess.run(made), {k: v.dtype.name for k, v in made.items()}]


@program
def control_dependencies_on_updates(tf, np):
    x = tf.Variable(0.0, name="x")
    y = tf.Variable(10.0, name="y")
    with tf.control_dependencies([tf.assign_add(x, 1.0)]):
        first = tf.assign(y, x * 2.0)
        with tf.control_dependencies([first]):
            second = tf.identity(y)
            third = tf.group(tf.assign_add(x, 100.0))
    with tf.control_dependencies([third]):
        last = x.read_value()
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        return [sess.run(second), sess.run([x, y]), sess.run(last), sess.run([x, y]), graph_of(tf)]
