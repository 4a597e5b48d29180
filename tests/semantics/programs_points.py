"""Small facts about sessions, names, control dependencies, dtypes and variables that no other program covers."""

import collections

from harness import attempt, fresh, graph_of, program

Pair = collections.namedtuple("Pair", "left right")


@program
def composites_are_fed_as_values_and_tuples(tf, np):
    def open_(value, dtype):
        return tf.placeholder_with_default(np.array(value, dtype), None)

    slices = tf.IndexedSlices(open_([[1.0, 2.0]], np.float32), open_([1], np.int32), open_([4, 2], np.int32))
    sparse = tf.SparseTensor(open_([[0, 1]], np.int64), open_([5.0], np.float32), open_([2, 3], np.int64))
    with tf.Session() as sess:
        again, sparse_again = sess.run(slices), sess.run(sparse)
        moved = again._replace(values=np.array([[3.0, 4.0]], np.float32))
        three = (np.array([[1, 2]]), np.array([7.0]), np.array([2, 3]))
        return {
            "slices by value": attempt(lambda: sess.run(slices.values * 2.0, {slices: moved})),
            "slices by tuple": attempt(lambda: sess.run(slices.indices, {slices: ([[5.0, 6.0]], [0], [4, 2])})),
            "sparse by value": attempt(lambda: sess.run(sparse.values * 2.0, {sparse: sparse_again})),
            "sparse by tuple": attempt(lambda: sess.run(sparse, {sparse: three})),
        }


@program
def an_update_fetched_twice_runs_once(tf, np):
    v = tf.Variable(1.0, name="v")
    up = tf.assign_add(v, 1.0)
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        return [sess.run([up, up, up.op, {"again": up}]), sess.run(v), sess.run([up.op, up.op]), sess.run(v)]


@program
def none_is_refused_wherever_it_stands(tf, np):
    a = tf.constant(1.0, name="a")
    with tf.Session() as sess:
        return [
            attempt(lambda: sess.run((a, None))),
            attempt(lambda: sess.run(Pair(None, a))),
            attempt(lambda: sess.run([[a], [None]])),
            attempt(lambda: sess.run({"k": {"l": None}})),
            attempt(lambda: sess.run(collections.OrderedDict(k=None))),
        ]


@program
def what_a_feed_covers_need_not_be_fed(tf, np):
    p, q = tf.placeholder(tf.float32, name="p"), tf.placeholder(tf.float32, name="q")
    checked = tf.check_numerics(tf.log(p), "no number")
    total = checked + q
    with tf.control_dependencies([tf.Assert(p > 0.0, [p])]):
        gated = tf.identity(total, name="gated")
    with tf.Session() as sess:
        return {
            "over the check": sess.run(total, {checked: 1.0, q: 2.0}),
            "over all": sess.run(total, {total: 7.0}),
            "what a control edge needs": attempt(lambda: sess.run(gated, {total: 7.0})),
            "the gated one itself": sess.run(gated, {gated: 7.0}),
            "the check": attempt(lambda: sess.run(total, {p: -1.0, q: 1.0})),
            "constant folded upstream": sess.run(tf.constant(2.0) * tf.constant(3.0)),
        }


@program
def a_feed_must_fit_the_static_shape_before_anything_runs(tf, np):
    v = tf.Variable(0.0, name="v")
    up = tf.assign_add(v, 1.0)
    x = tf.placeholder(tf.float32, [2, 3], name="x")
    y = tf.placeholder(tf.int32, [None, 2], name="y")
    s = tf.placeholder(tf.string, [], name="s")
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        return {
            "turned": attempt(lambda: sess.run([up, x], {x: np.zeros((3, 2))})),
            "rank": attempt(lambda: sess.run([up, x], {x: 1.0})),
            "open size": attempt(lambda: sess.run([up, y], {y: [[1, 2, 3]]})),
            "nothing ran": sess.run(v),
            "float for int": attempt(lambda: sess.run(y, {y: [[1.5, 2.0]]})),
            "int too large": attempt(lambda: sess.run(y, {y: 2**40})),
            "text for float": attempt(lambda: sess.run(x, {x: "abc"})),
            "ragged": attempt(lambda: sess.run(y, {y: [[1, 2], [3]]})),
            "text": sess.run(tf.identity(s), {s: "tü"}),
            "bytes": sess.run(tf.identity(s), {s: b"\xff\x00"}),
            "tensor": attempt(lambda: sess.run(x, {x: tf.zeros([2, 3])})),
            "tensor in a list": attempt(lambda: sess.run(x, {x: [tf.zeros([3]), tf.zeros([3])]})),
            "none": attempt(lambda: sess.run(x, {x: None})),
        }


@program
def parts_of_an_unfed_placeholders_error(tf, np):
    x = tf.placeholder(tf.float32, [2, None], name="scope/x")
    with tf.Session() as sess:
        error = None
        try:
            sess.run(x * 2.0)
        except tf.errors.InvalidArgumentError as caught:
            error = caught
        return [
            error.op.name,
            error.node_def.name,
            error.node_def.op,
            error.error_code,
            "[[{{node scope/x}}]]" in error.message,
            "You must feed a value for placeholder tensor 'scope/x' with dtype float and shape [2,?]" in error.message,
        ]


@program
def what_an_initializer_inside_control_flow_must_be(tf, np):
    p = tf.placeholder_with_default(True, [], name="p")

    def bad():
        return tf.Variable(tf.ones([2]) * 2.0).read_value()

    def good():
        return tf.Variable(lambda: tf.ones([2]) * 2.0, name="w").read_value()

    result = {"tensor": fresh(tf, lambda: tf.cond(tf.placeholder(tf.bool, []), bad, lambda: tf.zeros([2])))}
    value = tf.cond(p, good, lambda: tf.zeros([2]))
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        result["callable"] = [sess.run(value), sess.run(value, {p: False})]
    return result


@program
def counting_up_to_a_limit(tf, np):
    v = tf.Variable(1, name="v")
    r = tf.Variable(1, name="r", use_resource=True)
    step, other = tf.count_up_to(v, 3), r.count_up_to(3)
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        return [
            [attempt(lambda: sess.run(step)) for _ in range(3)],
            [attempt(lambda: sess.run(other)) for _ in range(3)],
            sess.run([v, r]),
            fresh(tf, lambda: tf.count_up_to(tf.Variable([1, 2]), 3)),
            fresh(tf, lambda: tf.count_up_to(tf.Variable(1.0), 3)),
            fresh(tf, lambda: tf.count_up_to(tf.constant(1), 3)),
        ]


@program
def uninitialized_variables_by_kind(tf, np):
    v = tf.Variable(1.0, name="v")
    r = tf.Variable(1.0, name="r", use_resource=True)
    with tf.Session() as sess:
        return [
            attempt(lambda: sess.run(r)),
            attempt(lambda: sess.run(r + 1.0)),
            attempt(lambda: sess.run(v)),
            attempt(lambda: sess.run(v + 1.0)),
            attempt(lambda: sess.run(tf.assign_add(v, 1.0))),
        ]


@program
def old_signatures_by_position_and_keyword(tf, np):
    x = tf.constant([[1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0]], name="x")
    built = [
        tf.concat([x, x], 1),
        tf.concat(axis=0, values=[x, x]),
        tf.split(x, 2, 1)[1],
        tf.split(value=x, num_or_size_splits=[1, 3], axis=1)[1],
        tf.reduce_sum(x, reduction_indices=[1]),
        tf.reduce_sum(x, 1, True),
        tf.reduce_mean(x, reduction_indices=0, keep_dims=True),
        tf.argmax(x, dimension=1),
        tf.arg_max(x, 1),
        tf.expand_dims(x, dim=0),
        tf.squeeze(tf.expand_dims(x, 0), squeeze_dims=[0]),
        tf.transpose(x, [1, 0]),
        tf.one_hot(tf.constant([0, 1]), 2, 1.0, 0.0),
        tf.range(0, 6, 2),
        tf.linspace(0.0, 1.0, 3),
        tf.cast(x, tf.int32),
        tf.to_int32(x),
        tf.reverse(x, [1]),
        tf.stack([x, x], 1),
        tf.unstack(x, 2, 1 - 1)[0],
        tf.gather(x, [1, 0]),
        tf.slice(x, [0, 1], [2, 2]),
        tf.pad(x, [[0, 0], [1, 1]]),
        tf.where(x > 2.0, x, -x),
        tf.fill([2], 3),
        tf.random_uniform([2], 0, 1, tf.float32, 3).shape,
    ]
    with tf.Session() as sess:
        return [sess.run(built[:-1]), built[-1], graph_of(tf)["nodes"]]


@program
def names_of_the_oldest_releases(tf, np):
    gone = ["mul", "sub", "neg", "pack", "unpack", "batch_matmul", "inv", "complex_abs", "listdiff", "select"]
    return {name: type(attempt(lambda name=name: getattr(tf, name))).__name__ == "Failure" for name in gone}


@program
def old_signatures_of_nn(tf, np):
    x = tf.constant([[1.0, 2.0], [3.0, 4.0]], name="x")
    labels = tf.constant([[0.0, 1.0], [1.0, 0.0]], name="labels")
    built = [
        tf.nn.dropout(x, 1.0),
        tf.nn.dropout(x, keep_prob=1.0),
        tf.nn.softmax_cross_entropy_with_logits(labels=labels, logits=x),
        tf.nn.softmax(x, 0),
    ]
    with tf.Session() as sess:
        return [
            sess.run(built),
            fresh(tf, lambda: tf.nn.softmax_cross_entropy_with_logits(tf.zeros([1, 2]), tf.zeros([1, 2]))),
            fresh(tf, lambda: tf.nn.sparse_softmax_cross_entropy_with_logits(tf.zeros([1, 2]), tf.zeros([1], tf.int32))),
            fresh(tf, lambda: tf.nn.dropout(tf.zeros([2]))),
            fresh(tf, lambda: tf.nn.dropout(tf.zeros([2]), 1.5)),
        ]


@program
def no_dtype_is_promoted_anywhere(tf, np):
    i, f, d, b = tf.constant(1), tf.constant(1.0), tf.constant(1.0, tf.float64), tf.constant(True)
    calls = {
        "add": lambda: i + f,
        "reflected": lambda: 1.5 + i,
        "float to int": lambda: i * 2.0,
        "int literal to float": lambda: f * 2,
        "double": lambda: f - d,
        "bool": lambda: b + i,
        "maximum": lambda: tf.maximum(i, f),
        "matmul": lambda: tf.matmul([[i]], [[f]]),
        "where": lambda: tf.where(b, i, f),
        "concat": lambda: tf.concat([[i], [f]], 0),
        "stack": lambda: tf.stack([i, f]),
        "equal": lambda: tf.equal(i, f),
        "numpy": lambda: f + np.float64(1.0),
        "numpy array": lambda: i + np.array([1, 2]),
        "float division of ints": lambda: i / 2,
        "floor division": lambda: i // 2,
        "power": lambda: f**2,
    }
    return {label: fresh_value(tf, call) for label, call in calls.items()}


def fresh_value(tf, call):
    made = attempt(call)
    return made if not isinstance(made, tf.Tensor) else [made.dtype, made.shape, made.op.type]
