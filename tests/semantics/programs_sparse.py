"""SparseTensor: creation, repr, feeds, fetches, eval, control dependencies; and programs with several of them."""

from harness import attempt, graph_of, program


def _value(tf, np):
    return tf.SparseTensorValue(np.array([[0, 1], [1, 2]]), np.array([3.0, 4.0], np.float32), np.array([2, 4]))


@program
def what_a_sparse_tensor_says_of_itself(tf, np):
    sp = tf.SparseTensor([[0, 1], [1, 2]], [3.0, 4.0], [2, 4])
    part = tf.identity(sp.values)
    held = tf.SparseTensor(tf.placeholder(tf.int64), tf.placeholder(tf.string, [None]), tf.placeholder(tf.int64, [3]))
    return [
        str(sp),
        sp.dtype,
        sp.shape,
        sp.get_shape(),
        sp.op.name,
        sp.graph is tf.get_default_graph(),
        [sp.indices, sp.values, sp.dense_shape],
        [op.name for op in sp.consumers()],
        part,
        held.get_shape(),
        held.dtype,
        attempt(lambda: setattr(sp, "values", part)) is not None,
        graph_of(tf),
    ]


@program
def a_sparse_tensor_is_fetched_and_evaluated(tf, np):
    sp = tf.SparseTensor.from_value(_value(tf, np))
    with tf.Session() as sess:
        return [
            sess.run(sp),
            sess.run({"sp": sp, "dense": tf.sparse.to_dense(sp)}),
            sess.run([sp, [sp.values]]),
            sp.eval(),
            sp.eval(session=sess),
            sp.eval({sp.values: [7.0, 8.0]}),
        ]


@program
def a_sparse_tensor_is_fed(tf, np):
    x = tf.sparse.placeholder(tf.float32, name="x")
    y = tf.sparse_placeholder(tf.float32, shape=[2, 4])
    total = tf.sparse.reduce_sum(x)
    value = _value(tf, np)
    with tf.Session() as sess:
        return [
            str(x),
            x.get_shape(),
            sess.run(total, {x: value}),
            sess.run(total, {x: tuple(value)}),
            sess.run(x, {x: value}),
            y.get_shape(),
            attempt(lambda: sess.run(total)).classes[0],
            attempt(lambda: sess.run(total, {x: 3.0})),
            attempt(lambda: sess.run(total, {x: (value.indices, value.values)})),
            attempt(lambda: sess.run(total, {x: tf.SparseTensorValue([[0]], [[1.0]], [2])})),
            graph_of(tf),
        ]


@program
def a_sparse_tensor_is_waited_for(tf, np):
    v = tf.Variable([0.0, 0.0], name="v")
    update = tf.assign_add(v, [1.0, 2.0])
    sp = tf.SparseTensor([[0], [1]], update, [2])
    with tf.control_dependencies([sp.op]):
        after = tf.constant(1.0, name="after")
    done = tf.group(sp.values)
    with tf.Session() as sess:
        sess.run(v.initializer)
        return [sess.run(after), sess.run(v), sess.run(done), sess.run(v), [op.name for op in after.op.control_inputs]]


@program
def sparse_features_are_multiplied_with_weights(tf, np):
    x = tf.sparse.placeholder(tf.float32, shape=[None, 4], name="x")
    w = tf.Variable(np.arange(8, dtype=np.float32).reshape(4, 2), name="w")
    y = tf.sparse.sparse_dense_matmul(x, w, name="y")
    scaled = tf.sparse.to_dense(tf.sparse.reorder(x * 2.0))
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        return [y, scaled, sess.run([y, scaled], {x: _value(tf, np)}), graph_of(tf)]


@program
def a_conversion_of_a_sparse_tensor_is_refused(tf, np):
    sp = tf.SparseTensor([[0, 1]], [3.0], [2, 4])
    return [
        attempt(lambda: tf.convert_to_tensor(sp)).classes[0],
        attempt(lambda: tf.add(sp, 1.0)).classes[0],
        attempt(lambda: sp + 1.0).classes[0],
        attempt(lambda: tf.constant(1.0) + sp).classes[0],
    ]


@program
def parts_of_two_graphs_are_refused(tf, np):
    with tf.Graph().as_default():
        indices = tf.constant([[0, 1]], tf.int64, name="indices")
    values = tf.constant([3.0], name="values")
    return attempt(lambda: tf.SparseTensor(indices, values, [2, 4])).classes[0]
