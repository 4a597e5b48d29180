"""`get_variable` with all its arguments, its errors, partitioned variables, and other methods of variables."""

from harness import attempt, fresh, graph_of, program


def names(tf):
    return [v.name for v in tf.global_variables()]


def ops(tf):
    return [op.name for op in tf.get_default_graph().get_operations()]


def each(tf, made):
    """What each call makes in a graph of its own: the variable and the graph."""

    def describe(make):
        v = make()
        return [repr(v), v.initial_value, graph_of(tf, "dtype", "shape", "container", "shared_name")]

    return {k: fresh(tf, lambda make=make: describe(make)) for k, make in made.items()}


KINDS = {"reference": False, "resource": True}


@program
def the_usual_call(tf, np):
    return {
        kind: each(tf, {"matrix": lambda resource=resource: tf.get_variable("v", [2, 3], use_resource=resource)})
        for kind, resource in KINDS.items()
    }


@program
def default_initializers_by_dtype(tf, np):
    kinds = ["float16", "float32", "float64", "int32", "int64", "uint8", "int8", "bool", "string", "complex64"]
    return each(tf, {k: lambda k=k: tf.get_variable("v", [2], dtype=getattr(tf, k)) for k in kinds})


@program
def initializers_of_many_forms(tf, np):
    return each(
        tf,
        {
            "object": lambda: tf.get_variable("v", [2], initializer=tf.ones_initializer()),
            "class": lambda: tf.get_variable("v", [2], initializer=tf.ones_initializer),
            "function": lambda: tf.get_variable(
                "v", [2], initializer=lambda shape, dtype, partition_info=None: tf.fill(shape, tf.cast(7, dtype))
            ),
            "function of two": lambda: tf.get_variable("v", [2], initializer=lambda shape, dtype: tf.zeros(shape, dtype)),
            "function of none": lambda: tf.get_variable("v", initializer=lambda: tf.constant([1.0, 2.0])),
            "tensor": lambda: tf.get_variable("v", initializer=tf.constant([1.0, 2.0])),
            "number": lambda: tf.get_variable("v", initializer=3.0),
            "int": lambda: tf.get_variable("v", initializer=3),
            "bool": lambda: tf.get_variable("v", initializer=True),
            "text": lambda: tf.get_variable("v", initializer="abc"),
            "list": lambda: tf.get_variable("v", initializer=[1.0, 2.0]),
            "array": lambda: tf.get_variable("v", initializer=np.ones([2, 2])),
            "small array": lambda: tf.get_variable("v", initializer=np.float32([1, 2])),
            "number and dtype": lambda: tf.get_variable("v", initializer=3.0, dtype=tf.float32),
            "array and dtype": lambda: tf.get_variable("v", initializer=np.float32([1, 2]), dtype=tf.float32),
            "random tensor": lambda: tf.get_variable("v", initializer=tf.random_normal([2], seed=1)),
        },
    )


@program
def resource_initializers_of_many_forms(tf, np):
    def get(**kwargs):
        return tf.get_variable("v", use_resource=True, **kwargs)

    return each(
        tf,
        {
            "object": lambda: get(shape=[2], initializer=tf.ones_initializer()),
            "class": lambda: get(shape=[2], initializer=tf.zeros_initializer),
            "function of none": lambda: get(initializer=lambda: tf.constant([1.0, 2.0])),
            "tensor": lambda: get(initializer=tf.constant([1.0, 2.0])),
            "number": lambda: get(initializer=3.0),
            "array": lambda: get(initializer=np.ones([2, 2])),
        },
    )


@program
def initializer_errors(tf, np):
    def get(*args, **kwargs):
        return fresh(tf, lambda: tf.get_variable("v", *args, **kwargs).name)

    return [
        get(),
        get([None]),
        get([None, 3]),
        get(None, initializer=tf.zeros_initializer()),
        get([None], initializer=tf.zeros_initializer()),
        get([2], initializer=3.0),
        get([2], initializer=[1.0, 2.0]),
        get(initializer=3.0, dtype=tf.int32),
        get(initializer=3, dtype=tf.float32),
        get(initializer=np.ones([2]), dtype=tf.float32),
        get([2], dtype=tf.complex64),
        get([2], initializer=tf.constant_initializer([1.0, 2.0, 3.0])),
        get([2], initializer=lambda shape, dtype: tf.zeros(shape, tf.int32)),
        get([2, 2], initializer="zeros"),
        get([2], dtype=tf.int32, initializer=tf.random_normal_initializer()),
    ]


@program
def an_initializer_of_another_shape(tf, np):
    return [
        fresh(tf, lambda r=r: tf.get_variable("v", [3], initializer=lambda shape, dtype: tf.zeros([2]), use_resource=r).name)
        for r in (False, True)
    ]


@program
def an_initializer_of_unknown_shape(tf, np):
    def get(**kwargs):
        return fresh(tf, lambda: repr(tf.get_variable("v", initializer=tf.placeholder(tf.float32), **kwargs)))

    def part(**kwargs):
        return fresh(tf, lambda: repr(tf.get_variable("v", initializer=tf.placeholder(tf.float32, [None, 2], name="p"), **kwargs)))

    return [get(), get(validate_shape=False), part(), part(validate_shape=False)]


@program
def shapes_of_many_forms(tf, np):
    forms = {
        "list": [2, 3],
        "tuple": (2, 3),
        "number": 3,
        "scalar": [],
        "shape": tf.TensorShape([2, 3]),
        "dimensions": [tf.Dimension(2), 3],
        "array": np.array([2, 3]),
        "numpy numbers": [np.int64(2), np.int32(3)],
        "zero": [0, 3],
    }
    return {k: fresh(tf, lambda s=s: repr(tf.get_variable("v", s))) for k, s in forms.items()}


@program
def a_name_that_is_taken(tf, np):
    out = {}
    for kind, resource in KINDS.items():
        tf.get_variable(kind, [1], use_resource=resource)
        with tf.variable_scope("s"):
            tf.get_variable(kind, [1], use_resource=resource)
            inside = attempt(lambda kind=kind: tf.get_variable(kind, [1]))
        out[kind] = [attempt(lambda kind=kind: tf.get_variable(kind, [1])), inside]
    return [out, names(tf)]


@program
def a_name_that_is_missing(tf, np):
    tf.Variable(1.0, name="v")
    with tf.variable_scope("", reuse=True):
        one = attempt(lambda: tf.get_variable("v"))
    with tf.variable_scope("s", reuse=True):
        two = attempt(lambda: tf.get_variable("v", [1]))
        three = attempt(lambda: tf.get_variable("w", initializer=1.0))
    return [one, two, three, ops(tf)]


@program
def sharing_what_does_not_fit(tf, np):
    tf.get_variable("v", [1])
    tf.get_variable("r", [2, 3], use_resource=True)
    with tf.variable_scope("", reuse=True):
        return [
            attempt(lambda: tf.get_variable("v", [2])),
            attempt(lambda: tf.get_variable("v", [1, 1])),
            attempt(lambda: tf.get_variable("v", [])),
            attempt(lambda: tf.get_variable("v", [None]).name),
            attempt(lambda: tf.get_variable("v", dtype=tf.float64)),
            attempt(lambda: tf.get_variable("v", [1], dtype=tf.int32)),
            attempt(lambda: tf.get_variable("v", [2], dtype=tf.int32)),
            attempt(lambda: tf.get_variable("r", [3, 2])),
            attempt(lambda: tf.get_variable("r", dtype=tf.float64)),
            attempt(lambda: tf.get_variable("r", [2, 3]).name),
            attempt(lambda: tf.get_variable("v", initializer=[1.0, 2.0]).name),
            attempt(lambda: tf.get_variable("v", initializer=1).name),
            attempt(lambda: tf.get_variable("v", [1], initializer=3.0).name),
        ]


@program
def an_int_value_shared_under_the_default_dtype(tf, np):
    with tf.variable_scope("s", reuse=tf.AUTO_REUSE):
        v = tf.get_variable("v", initializer=3)
        again = attempt(lambda: tf.get_variable("v", initializer=3))
        right = tf.get_variable("v", dtype=tf.int32)
    return [v.name, again, right is v]


@program
def trainable_and_collections(tf, np):
    tf.get_variable("a", [1])
    tf.get_variable("b", [1], trainable=False)
    tf.get_variable("c", [1], collections=["mine"])
    tf.get_variable("d", [1], collections=["mine", tf.GraphKeys.GLOBAL_VARIABLES], trainable=False)
    tf.get_variable("e", [1], collections=("mine",), trainable=True, use_resource=True)
    tf.get_variable("f", [1], collections=[tf.GraphKeys.TRAINABLE_VARIABLES])
    wrong = attempt(lambda: tf.get_variable("g", [1], collections="mine"))
    return [wrong, graph_of(tf)["collections"]]


@program
def synchronization_and_aggregation(tf, np):
    on_read = tf.VariableSynchronization.ON_READ
    v = tf.get_variable("v", [1], synchronization=on_read, aggregation=tf.VariableAggregation.SUM)
    w = tf.get_variable("w", [1], synchronization=tf.VariableSynchronization.ON_WRITE)
    u = tf.get_variable("u", [1])
    return [
        [[x.trainable, str(x.synchronization), str(x.aggregation)] for x in (v, w, u)],
        attempt(lambda: tf.get_variable("x", [1], synchronization="often")),
        attempt(lambda: tf.get_variable("y", [1], aggregation="all")),
    ]


@program
def regularizers(tf, np):
    def l2(v):
        return tf.reduce_sum(v * v, name="l2") * 0.5

    with tf.variable_scope("s", regularizer=l2):
        a = tf.get_variable("a", [2], initializer=tf.ones_initializer())
        b = tf.get_variable("b", [2], regularizer=tf.no_regularizer)
        c = tf.get_variable("c", [2], regularizer=lambda v: None)
        with tf.variable_scope("t"):
            d = tf.get_variable("d", [2], use_resource=True)
    losses = tf.get_collection(tf.GraphKeys.REGULARIZATION_LOSSES)
    with tf.variable_scope("s", regularizer=l2, reuse=True):
        tf.get_variable("a", [2])
    again = tf.get_collection(tf.GraphKeys.REGULARIZATION_LOSSES)
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        return [[x.name for x in (a, b, c, d)], losses, len(again), sess.run(losses[0]), graph_of(tf)]


@program
def a_regularizer_under_name_scopes_and_dependencies(tf, np):
    k = tf.constant(1.0, name="k")
    with tf.name_scope("n"), tf.control_dependencies([k]), tf.device("/cpu:0"):
        tf.get_variable("v", [2], regularizer=lambda v: tf.reduce_sum(v, name="loss"))
    return graph_of(tf)


@program
def caching_devices(tf, np):
    for kind, resource in KINDS.items():
        v = tf.get_variable(kind, [1], caching_device="/cpu:0", use_resource=resource)
        v + 1.0
    with tf.device("/job:ps"):
        w = tf.get_variable("w", [1], caching_device=lambda op: "/job:worker")
        w + 1.0
    return graph_of(tf)


@program
def constraints(tf, np):
    keep = lambda x: tf.clip_by_value(x, 0.0, 1.0)
    v = tf.get_variable("v", [1], constraint=keep)
    w = tf.Variable(1.0, constraint=keep)
    return [
        v.constraint is keep,
        w.constraint is keep,
        tf.get_variable("u", [1]).constraint,
        attempt(lambda: tf.get_variable("x", [1], constraint=3)),
        attempt(lambda: tf.Variable(1.0, constraint=3)),
    ]


@program
def devices_and_colocation(tf, np):
    with tf.device("/job:ps/task:1"):
        a = tf.get_variable("a", [1], initializer=tf.zeros_initializer())
        b = tf.get_variable("b", [1], initializer=tf.zeros_initializer(), use_resource=True)
    with tf.colocate_with(a), tf.control_dependencies([tf.constant(1.0)]):
        tf.get_variable("c", [1], initializer=tf.zeros_initializer())
        tf.get_variable("d", [1], initializer=tf.zeros_initializer(), use_resource=True)
    return [a.device, b.device, graph_of(tf)]


@program
def local_variables(tf, np):
    v = tf.get_local_variable("v", [2])
    w = tf.get_local_variable("w", initializer=1.0, trainable=True)
    u = tf.get_local_variable("u", [1], collections=["mine"], use_resource=True)
    with tf.variable_scope("s", reuse=tf.AUTO_REUSE):
        x = tf.get_local_variable("x", [1])
        y = tf.get_variable("x", [1])
    with tf.Session() as sess:
        sess.run(tf.local_variables_initializer())
        sess.run(u.initializer)
        return [
            [a.trainable for a in (v, w, u)],
            x is y,
            sess.run(w),
            attempt(lambda: tf.get_local_variable("v", [2])),
            graph_of(tf)["collections"],
        ]


@program
def inside_a_cond(tf, np):
    p = tf.placeholder(tf.bool, [], name="p")

    def yes():
        return tf.get_variable("v", [2], initializer=tf.ones_initializer()) * 2.0

    def no():
        return tf.get_variable("w", [2], initializer=tf.zeros_initializer(), use_resource=True) + 0.5

    out = tf.cond(p, yes, no)
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        return [sess.run(out, {p: True}), sess.run(out, {p: False}), graph_of(tf)]


@program
def a_value_made_in_a_cond(tf, np):
    p = tf.placeholder(tf.bool, [], name="p")
    out = []
    for i, kind in enumerate(KINDS.values()):
        wrong = lambda: tf.get_variable(f"w{i}", initializer=tf.constant(1.0) * 2.0, use_resource=kind).value()  # noqa: B023
        out.append(attempt(lambda: tf.cond(p, wrong, lambda: tf.constant(0.0))))  # noqa: B023
    return out


@program
def variables_from_variables(tf, np):
    a = tf.get_variable("a", initializer=2.0)
    b = tf.get_variable("b", initializer=a.initialized_value() * 3.0)
    c = tf.get_variable("c", initializer=lambda: b.initialized_value() + 1.0)
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        return [sess.run([a, b, c]), graph_of(tf)]


@program
def the_two_stores(tf, np):
    v = tf.get_variable("v", [1])
    with tf.variable_scope("s"):
        w = tf.get_variable("w", [1])
    store = tf.get_collection_ref(("__variable_store",))[0]
    keys = tf.get_default_graph().collections
    return [
        sorted(store._vars),
        store._vars["v"] is v,
        store._vars["s/w"] is w,
        ("__varscope",) in keys,
        sorted(tf.get_default_graph().get_all_collection_keys()),
    ]


@program
def training_by_hand(tf, np):
    x = tf.placeholder(tf.float32, [None], name="x")
    with tf.variable_scope("line"):
        w = tf.get_variable("w", [], initializer=tf.constant_initializer(1.0))
        b = tf.get_variable("b", [], initializer=tf.zeros_initializer())
    y = w * x + b
    error = y - 3.0 * x
    step = tf.group(w.assign_sub(0.1 * tf.reduce_mean(2.0 * error * x)), b.assign_sub(0.1 * tf.reduce_mean(2.0 * error)))
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        for _ in range(5):
            sess.run(step, {x: [1.0, 2.0]})
        return sess.run([w, b])


# -- in parts ------------------------------------------------------------------------------------------------------


@program
def a_variable_in_parts(tf, np):
    v = tf.get_variable("v", [5, 2], partitioner=tf.fixed_size_partitioner(2), initializer=tf.constant_initializer(1.5))
    parts = list(v)
    whole = tf.convert_to_tensor(v)
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        value = sess.run(whole)
    return [
        type(v).__name__,
        v.name,
        v.dtype,
        v.shape,
        v.get_shape(),
        len(v),
        [repr(p) for p in parts],
        [p._get_save_slice_info().spec for p in parts],
        [p._get_save_slice_info().full_name for p in parts],
        whole,
        value,
        graph_of(tf),
    ]


@program
def parts_with_random_values(tf, np):
    tf.set_random_seed(1)
    with tf.variable_scope("s", partitioner=tf.fixed_size_partitioner(3)):
        tf.get_variable("v", [4, 2])
        tf.get_variable("r", [3], initializer=tf.random_normal_initializer(), use_resource=True)
        scalar = tf.get_variable("scalar", [])
        one = tf.get_variable("one", [1])
    return [scalar.name, type(one).__name__, graph_of(tf, "seed", "seed2")]


@program
def parts_of_values(tf, np):
    made = {
        "tensor": lambda: tf.get_variable("v", initializer=tf.constant([[1.0], [2.0], [3.0]]), partitioner=tf.fixed_size_partitioner(2)),
        "list and shape": lambda: tf.get_variable("v", [3], initializer=[1.0, 2.0, 3.0], partitioner=tf.fixed_size_partitioner(2)),
        "list": lambda: tf.get_variable("v", initializer=[1.0, 2.0, 3.0], partitioner=tf.fixed_size_partitioner(2)),
        "ints": lambda: tf.get_variable("v", initializer=tf.constant([1, 2, 3]), partitioner=tf.fixed_size_partitioner(2)),
        "function": lambda: tf.get_variable(
            "v", [4], partitioner=tf.fixed_size_partitioner(2),
            initializer=lambda shape, dtype, partition_info=None: tf.fill(shape, float(partition_info.var_offset[0])),
        ),
    }  # fmt: skip

    def describe(make):
        v = make()
        with tf.Session() as sess:
            sess.run(tf.global_variables_initializer())
            return [v.name, v.dtype, v.shape, sess.run(list(v)), graph_of(tf)]

    return {k: fresh(tf, lambda make=make: describe(make)) for k, make in made.items()}


@program
def along_other_axes(tf, np):
    v = tf.get_variable("v", [2, 5], partitioner=tf.fixed_size_partitioner(3, axis=1), initializer=tf.ones_initializer())
    whole = v.as_tensor()
    return [[p.shape for p in v], [p._get_save_slice_info().spec for p in v], whole, graph_of(tf)]


@program
def partitioners(tf, np):
    shape = tf.TensorShape
    fixed, size, span = tf.fixed_size_partitioner, tf.variable_axis_size_partitioner, tf.min_max_variable_partitioner
    return [
        fixed(3)(shape([10, 2]), dtype=tf.float32),
        fixed(30)(shape([10, 2])),
        fixed(3, axis=1)(shape([10, 2])),
        size(16)(shape([10, 2]), tf.float32),
        size(4)(shape([10, 2]), tf.float32),
        size(1000)(shape([10, 2]), tf.float32),
        size(16, max_shards=2)(shape([10, 2]), tf.float32),
        size(64, axis=1)(shape([10, 20]), tf.float64),
        size(64, bytes_per_string_element=8)(shape([10, 2]), tf.string),
        attempt(lambda: size(16)([10, 2], tf.float32)),
        attempt(lambda: size(16)(shape([None, 2]), tf.float32)),
        attempt(lambda: size(16)(shape([3, 2]), "float32")),
        attempt(lambda: size(0)),
        attempt(lambda: size(4, max_shards=-1)),
        span()(shape([1024, 1024]), tf.float32),
        span(max_partitions=16)(shape([1024, 1024]), tf.float32),
        span(max_partitions=100)(shape([1024, 1024]), tf.float32),
        span(max_partitions=100, min_slice_size=4)(shape([10, 2]), tf.float32),
        span(max_partitions=3, axis=1, min_slice_size=4)(shape([10, 2]), tf.float32),
        attempt(lambda: span(axis=2)(shape([10, 2]), tf.float32)),
    ]


@program
def partitioner_errors(tf, np):
    def get(partitioner, shape=(4, 2), **kwargs):
        return fresh(tf, lambda: tf.get_variable("v", shape, partitioner=partitioner, **kwargs).name)

    return [
        get(3),
        get(lambda shape, dtype: 2),
        get(lambda shape, dtype: [2]),
        get(lambda shape, dtype: [0, 1]),
        get(lambda shape, dtype: [2, 2]),
        get(lambda shape, dtype: [1, 1]),
        get(lambda shape, dtype: [5, 1]),
        get(lambda shape, dtype: [1, 1], [0, 2]),
        get(tf.fixed_size_partitioner(5)),
        get(tf.fixed_size_partitioner(2), [None, 2]),
        get(tf.fixed_size_partitioner(2), []),
        get(tf.fixed_size_partitioner(2), None),
    ]


@program
def sharing_parts(tf, np):
    two, three = tf.fixed_size_partitioner(2), tf.fixed_size_partitioner(3)
    v = tf.get_variable("v", [6], partitioner=two)
    tf.get_variable("w", [6])
    errors = [
        attempt(lambda: tf.get_variable("v", [6], partitioner=two)),
        attempt(lambda: tf.get_variable("v", [6])),
        attempt(lambda: tf.get_variable("w", [6], partitioner=two)),
    ]
    with tf.variable_scope("", reuse=True):
        same = [tf.get_variable("v", [6], partitioner=two) is v, tf.get_variable("v") is v]
        errors += [
            attempt(lambda: tf.get_variable("v", [6], partitioner=three)),
            attempt(lambda: tf.get_variable("v", [4], partitioner=two)),
            attempt(lambda: tf.get_variable("v", [6], dtype=tf.float64, partitioner=two)),
            attempt(lambda: tf.get_variable("u", [6], partitioner=two)),
        ]
    return [same, errors, names(tf)]


@program
def changing_parts(tf, np):
    v = tf.get_variable("v", [5], partitioner=tf.fixed_size_partitioner(2), initializer=tf.zeros_initializer())
    made = [v.assign(tf.constant([1.0, 2.0, 3.0, 4.0, 5.0])), v.assign_add(tf.ones([5])), v.assign_sub(v)]
    lists = v.assign([tf.zeros([3]), tf.ones([2])])
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        return [[sess.run(m) for m in (*made, lists)]]


@program
def parts_are_saved_and_trained_one_by_one(tf, np):
    tf.get_variable("v", [4], partitioner=tf.fixed_size_partitioner(2))
    tf.get_variable("f", [4], partitioner=tf.fixed_size_partitioner(2), trainable=False, regularizer=tf.reduce_sum)
    return graph_of(tf)["collections"]


@program
def create_partitioned_variables(tf, np):
    a = tf.create_partitioned_variables([4, 3], [2, 1], tf.constant_initializer(2.0))
    b = tf.create_partitioned_variables([4, 3], [1, 3], tf.ones([4, 3]), name="named")
    c = tf.create_partitioned_variables([4], [2], tf.zeros_initializer(), dtype=tf.int32, trainable=False, collections=["mine"])
    with tf.variable_scope("s"):
        d = tf.create_partitioned_variables([4], [1], tf.zeros_initializer(), name="d")
    again = tf.create_partitioned_variables([4, 3], [1, 3], tf.ones([4, 3]), name="named", reuse=True)
    return [
        [[repr(v) for v in x] for x in (a, b, c, d)],
        all(x is y for x, y in zip(again, b)),
        attempt(lambda: tf.create_partitioned_variables([4, 3], [2], tf.zeros_initializer())),
        attempt(lambda: tf.create_partitioned_variables([], [], tf.zeros_initializer())),
        attempt(lambda: tf.create_partitioned_variables([4, 3], [2, 3], tf.zeros_initializer())),
        graph_of(tf)["collections"],
    ]


@program
def slots_of_averages_in_scopes(tf, np):
    with tf.variable_scope("s"):
        v = tf.get_variable("v", [2], initializer=tf.zeros_initializer())
        parts = tf.get_variable("p", [4], partitioner=tf.fixed_size_partitioner(2), initializer=tf.zeros_initializer())
        ema = tf.train.ExponentialMovingAverage(0.9)
        ema.apply([v, *parts])
        second = tf.train.ExponentialMovingAverage(0.5)
        second.apply([v])
    return [
        [ema.average(x).name for x in (v, *parts)],
        second.average(v).name,
        [ema.average(x)._get_save_slice_info().full_name for x in parts],
        graph_of(tf),
    ]


# -- Variable ------------------------------------------------------------------------------------------------------


@program
def wrong_arguments_of_variable(tf, np):
    return [
        attempt(lambda: tf.Variable(1.0, dtype="nothing").name),
        attempt(lambda: tf.Variable([[1.0], [1.0, 2.0]]).name).classes[0],
        attempt(lambda: tf.Variable(object()).name).classes[0],
        attempt(lambda: tf.Variable(1.0, collections=3)),
        attempt(lambda: tf.Variable(1.0, name="a b")),
        attempt(lambda: tf.Variable(1.0, variable_def="x", expected_shape=[]).name).classes[0],
    ]


@program
def shape_of_variable(tf, np):
    def make(**kwargs):
        return fresh(tf, lambda: repr(tf.Variable([1.0, 2.0], **kwargs)))

    return [
        make(shape=[2]),
        make(shape=[None]),
        make(shape=tf.TensorShape(None)),
        make(shape=tf.TensorShape(None), use_resource=True),
        make(shape=[None], use_resource=True),
        make(validate_shape=False),
        make(validate_shape=False, use_resource=True),
    ]


@program
def set_shape_of_variable(tf, np):
    p = tf.placeholder(tf.float32)
    v = tf.Variable(p, validate_shape=False)
    v.set_shape([2, None])
    return [repr(v), v.value(), v.read_value(), v.get_shape(), attempt(lambda: v.set_shape([3, 3])).classes[0]]


@program
def reprs_of_variables(tf, np):
    made = [
        tf.Variable(1.0),
        tf.Variable([1, 2], name="ints"),
        tf.Variable("text", name="s"),
        tf.Variable(1.0, use_resource=True, name="r"),
        tf.get_variable("g", [2, 3], tf.float64),
        tf.get_variable("h", [2, 3], tf.float64, use_resource=True),
    ]
    return [[repr(v), str(v), v.name, v.dtype, v.shape, v.op.name, v.device] for v in made]


@program
def is_initialized(tf, np):
    r = tf.get_variable("r", [1], use_resource=True)
    v = tf.get_variable("v", [1])
    made = [r.is_initialized(), r.is_initialized("mine"), tf.is_variable_initialized(v), tf.is_variable_initialized(r)]
    with tf.Session() as sess:
        before = sess.run(made)
        sess.run([v.initializer, r.initializer])
        return [made, before, sess.run(made)]


@program
def in_place_operators(tf, np):
    v, r = tf.Variable(1.0, name="v"), tf.Variable(1.0, name="r", use_resource=True)

    def add(x):
        x += 1.0
        return x

    def sub(x):
        x -= 1.0
        return x

    def mul(x):
        x *= 2.0
        return x

    def div(x):
        x /= 2.0
        return x

    return [[attempt(lambda f=f, x=x: f(x)) for f in (add, sub, mul, div)] for x in (v, r)]


@program
def assignments_with_names(tf, np):
    out = []
    for resource in KINDS.values():
        v = tf.get_variable(f"v{resource}", initializer=[1.0, 2.0], use_resource=resource)
        out.append([
            v.assign([3.0, 4.0], name="one").name,
            v.assign_add([3.0, 4.0], name="two").name,
            v.assign_sub([3.0, 4.0], True, "three").name,
            v.assign([3.0, 4.0], name="four", read_value=False).name,
            tf.assign(v, [0.0, 0.0], name="five").name,
        ])
    return [out, ops(tf)]


@program
def assignments_that_do_not_fit(tf, np):
    out = []
    for resource in KINDS.values():
        v = tf.get_variable(f"v{resource}", initializer=[1.0, 2.0], use_resource=resource)
        out.append([
            attempt(lambda v=v: v.assign([1.0], name="a")),
            attempt(lambda v=v: v.assign_add([1.0, 2.0, 3.0])).classes[0],
            attempt(lambda v=v: v.assign(["a", "b"])).classes[0],
            attempt(lambda v=v: v.assign(tf.constant([1, 2]))).classes[0],
            attempt(lambda v=v: v.assign(None)),
            attempt(lambda v=v: tf.assign(v, 1.0, name="c")),
        ])
    return [out, attempt(lambda: tf.assign(tf.constant(1.0), 2.0)).classes[0]]


@program
def count_up_to_of_both_kinds(tf, np):
    out = []
    for resource in KINDS.values():
        v = tf.get_variable(f"v{resource}", initializer=0, use_resource=resource)
        made = [v.count_up_to(2), tf.count_up_to(v, 2, name=f"named{resource}")]
        with tf.Session() as sess:
            sess.run(v.initializer)
            out.append([made, [sess.run(made[0]) for _ in range(2)], attempt(lambda made=made: sess.run(made[0])), attempt(lambda made=made: sess.run(made[1]))])
    return out


@program
def loading_values(tf, np):
    out = []
    for resource in KINDS.values():
        v = tf.get_variable(f"v{resource}", initializer=[1.0, 2.0], use_resource=resource)
        no_session = attempt(lambda v=v: v.load([3.0, 4.0]))
        with tf.Session() as sess:
            v.load([3.0, 4.0])
            first = v.eval()
            v.load([5.0, 6.0], sess)
            out.append([no_session, first, v.eval(), attempt(lambda v=v: v.load([1.0]))])
        out.append(attempt(lambda v=v: v.eval()))
    return out


@program
def variables_as_keys_and_feeds(tf, np):
    out = []
    for resource in KINDS.values():
        v = tf.get_variable(f"v{resource}", initializer=[1.0, 2.0], use_resource=resource)
        y = v * 2.0
        with tf.Session() as sess:
            sess.run(v.initializer)
            out.append([
                {v: 1}[v],
                v in {v},
                attempt(lambda v=v, y=y: sess.run(y, {v: [3.0, 4.0]})),
            ])
    return out


@program
def variables_in_lists_and_math(tf, np):
    a, b = tf.get_variable("a", initializer=1.0), tf.get_variable("b", initializer=2.0, use_resource=True)
    made = [tf.stack([a, b]), tf.add_n([a, b]), a + b, [a, b][0] * 3.0, tf.concat([[a], [b]], 0), tf.convert_to_tensor([a, b])]
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        return [made, sess.run(made)]


@program
def report_and_assert_with_both_kinds(tf, np):
    tf.get_variable("a", [1])
    tf.get_variable("b", [1], use_resource=True)
    tf.get_local_variable("c", [1])
    report = tf.report_uninitialized_variables()
    check = attempt(lambda: tf.assert_variables_initialized())
    with tf.Session() as sess:
        before = [sess.run(report), attempt(lambda: sess.run(check)).classes[0]]
        sess.run([tf.global_variables_initializer(), tf.local_variables_initializer()])
        return [before, sess.run(report), attempt(lambda: sess.run(check)), graph_of(tf)["nodes"][-12:]]


@program
def cells_run_again(tf, np):
    def cell():
        with tf.variable_scope("model"):
            w = tf.get_variable("w", [1])
        return w.name

    def other_cell():
        return tf.Variable(1.0, name="w").name

    return [attempt(cell), attempt(cell), other_cell(), other_cell(), names(tf), ops(tf)]


@program
def slice_infos(tf, np):
    info = tf.Variable.SaveSliceInfo("full", [4, 3], [2, 0], [2, 3])
    v = tf.Variable(1.0)
    before = v._get_save_slice_info()
    v._set_save_slice_info(info)
    return [info.spec, info.full_name, info.full_shape, info.var_offset, info.var_shape, before, v._get_save_slice_info() is info]


@program
def colocated_variables_and_their_devices(tf, np):
    v = tf.Variable(1.0, name="v")
    with tf.device("/job:ps/task:1"):
        u = tf.Variable(1.0, name="u")
    for i, w in enumerate((v, u)):
        with tf.colocate_with(w), tf.device("/device:CPU:1"):
            tf.constant(1.0, name=f"inside{i}")
            tf.Variable(1.0, name=f"a{i}")
            tf.get_variable(f"b{i}", [2], use_resource=True, initializer=tf.zeros_initializer())
        with tf.device("/device:CPU:1"):
            with tf.colocate_with(w):
                tf.constant(1.0, name=f"outside{i}")
            tf.train.ExponentialMovingAverage(0.5).apply([w])
    return graph_of(tf)


@program
def a_kept_copy_is_read_before_the_variable_changes(tf, np):
    v = tf.get_variable("v", initializer=1.0, caching_device="/cpu:0", use_resource=True)
    w = tf.get_variable("w", initializer=lambda: v + 1.0, caching_device="/cpu:0")
    v.assign(2.0)
    v.assign_add(3.0)
    v.assign_sub(tf.constant(4.0))
    w.assign_add(5.0)
    return graph_of(tf)


@program
def changing_again_what_was_changed(tf, np):
    v = tf.get_variable("v", initializer=1.0, use_resource=True)
    start = len(tf.get_default_graph().get_operations())
    changed = v.assign_add(2.0)
    again = changed.assign_add(10.0)
    changed.assign(0.0, read_value=False)
    tf.identity(again)
    w = tf.get_variable("w", initializer=1.0)
    w.assign_add(2.0)
    return graph_of(tf, since=start)


@program
def initial_values_that_read_resource_variables(tf, np):
    with tf.device("/cpu:0"):
        r = tf.get_variable("r", initializer=2.0, use_resource=True)
    v = tf.get_variable("v", initializer=lambda: r * 3.0)
    w = tf.get_variable("w", initializer=lambda: r + v, use_resource=True)
    u = tf.Variable(r.read_value() + 1.0, name="u")
    with tf.Session() as sess:
        sess.run(r.initializer)
        sess.run(v.initializer)
        sess.run([w.initializer, u.initializer])
        return [sess.run([v, w, u]), graph_of(tf)]


@program
def bad_arguments_of_get_variable(tf, np):
    def get(*args, **kwargs):
        return fresh(tf, lambda: tf.get_variable(*args, **kwargs).name)

    return [
        get("v", [-1]),
        get("v", [2], dtype="nothing"),
        get("v", [2], dtype=3.5),
        get("v", [2], initializer=object()),
        get("v", [2], regularizer=3),
        get("v", [2], tf.float32, tf.zeros_initializer, None, None, 3),
        get("v", [2], constraint=3),
        get("v", initializer=lambda x: x),
        get("v", initializer=None),
        get("v", initializer=np.array(["a"])),
        get("v", initializer={}),
        get("v*", [1]),
        get("_v", [1]),
        get("v:0", [1]),
        get("v", tf.TensorShape(None)),
        get("v", {}),
    ]


@program
def bad_arguments_of_scopes(tf, np):
    def enter(*args, **kwargs):
        def inside():
            with tf.variable_scope(*args, **kwargs) as scope:
                return [scope.name, tf.get_variable("v", [1]).name]

        return fresh(tf, inside)

    return [
        enter("s", initializer=3),
        enter("s", dtype="nothing"),
        enter("s", custom_getter=3),
        enter("s", partitioner=3),
        enter("s", regularizer=3),
        enter("s", use_resource="yes"),
        enter("s", constraint=3),
        enter("s", values=3),
        enter("s", values=[3, None, "a"]),
        enter("s", None, None),
        enter(b"s"),
        enter(["s"]),
        enter(tf.constant_initializer()),
        enter("s/"),
        enter("_s"),
        enter("s$"),
        enter(None, "d/"),
        enter(None, ""),
        enter("", "d"),
        enter("s", reuse=1),
        enter("s", reuse=0),
        enter("s", auxiliary_name_scope=1),
    ]


@program
def bad_arguments_of_templates_and_creators(tf, np):
    def with_creator(creator):
        def inside():
            with tf.variable_creator_scope(creator):
                return tf.Variable(1.0)

        return fresh(tf, inside)

    return [
        with_creator(lambda next_creator, **kwargs: next_creator(initial_value=2.0).name),
        attempt(lambda: tf.make_template("t", None)()).classes[0],
        attempt(lambda: tf.make_template("", lambda: tf.get_variable("v", [1]).name)()),
        attempt(lambda: tf.make_template("t/u", lambda: tf.get_variable("v", [1]).name)()),
        attempt(lambda: tf.fixed_size_partitioner(2)(tf.TensorShape([]), dtype=tf.float32)).classes[0],
        attempt(lambda: tf.fixed_size_partitioner(2, 3)(tf.TensorShape([1]), dtype=tf.float32)).classes[0],
    ]


@program
def what_a_variable_is_asked_in_vain(tf, np):
    v, r = tf.get_variable("v", [2]), tf.get_variable("r", [2], use_resource=True)
    return [
        bool(v),
        attempt(lambda: bool(r)),
        attempt(lambda: 1 if r else 0),
        attempt(lambda: r.numpy()),
        attempt(lambda: len(v)).classes,
        attempt(lambda: len(r)).classes,
        attempt(lambda: float(v)).classes,
        attempt(lambda: [1, 2][v]).classes,
        hasattr(v, "numpy"),
        [hasattr(r, name) for name in ("handle", "create", "is_initialized", "op", "graph", "device", "constraint")],
        [hasattr(v, name) for name in ("handle", "create", "op", "graph", "device", "constraint", "initial_value")],
    ]


@program
def caching_by_a_function_of_the_node(tf, np):
    with tf.device("/job:ps"), tf.variable_scope("s", caching_device=lambda op: op.device):
        v = tf.get_variable("v", [1])
        w = tf.get_variable("w", [1], use_resource=True)
    with tf.device("/job:worker"):
        made = [v + 1.0, w + 1.0]
    return [made, graph_of(tf)]
