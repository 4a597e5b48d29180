"""Ragged tensors in programs: fetched, fed, printed, and their errors."""

from harness import attempt, fresh, program


def value(tf, v):
    """A RaggedTensorValue as its parts and lists."""
    return [type(v).__name__, v.to_list(), v.values if v.ragged_rank == 1 else None, v.row_splits, v.flat_values, list(v.nested_row_splits), v.ragged_rank, v.shape, str(v.dtype)]


@program
def fetched(tf, np):
    a = tf.ragged.constant([[1, 2], [], [3]])
    b = tf.ragged.constant([[[1.5], []], [[2.5, 3.5]]])
    with tf.Session() as sess:
        one = sess.run(a)
        several = sess.run({"a": a, "b": [b, a.values]})
        again = [sess.run(a).to_list() for _ in range(3)]
    return [value(tf, one), str(one), value(tf, several["a"]), value(tf, several["b"][0]), str(several["b"][0]), several["b"][1], again]


@program
def fed(tf, np):
    p = tf.ragged.placeholder(tf.int32, 1)
    q = tf.ragged.placeholder(tf.float32, 2, [2], name="q")
    a = tf.ragged.constant([[1, 2], [], [3]])
    total = tf.reduce_sum(p.values)
    lengths = p.row_lengths()
    v = tf.ragged.constant_value([[5], [6, 7], []], dtype=np.int32)
    w = tf.ragged.constant_value([[[[1.0, 2.0]]], []], ragged_rank=2, dtype=np.float32)
    with tf.Session() as sess:
        return [
            value(tf, sess.run(p, {p: v})),
            sess.run([total, lengths], {p: v}),
            value(tf, sess.run(q, {q: w})),
            sess.run(a, {a: v}).to_list(),
            attempt(lambda: sess.run(p.values)),
            [p.shape, q.shape, p.values.op.name, q.row_splits.op.name, q.values.row_splits.op.name],
        ]


@program
def fed_again_and_again(tf, np):
    p = tf.ragged.placeholder(tf.int32, 1)
    q = tf.sparse_placeholder(tf.float32)
    total, twice = tf.reduce_sum(p.values), q.values * 2
    results = []
    with tf.Session() as sess:
        for i in range(5):
            v = tf.ragged.constant_value([[i], [6, 7], []], dtype=np.int32)
            w = tf.SparseTensorValue(np.zeros((1, 2), np.int64), np.full(1, i, np.float32), np.array([1, 1]))
            results.append([sess.run(total, {p: v}), sess.run([p], {p: v})[0].to_list(), sess.run(twice, {q: w}), sess.run({"a": total, "b": twice}, {p: v, q: w})])
        call = sess.make_callable([total, twice], feed_list=[p, q])
        results.append([call(v, w), call(v, w)])
    return results


@program
def values_without_a_graph(tf, np):
    rows = [[[1], [2, 3]], [[1, 2], [3, 4]], [], [[], []], [1, 2], [["a"], []], [[[1], []], []]]
    made = [tf.ragged.constant_value(r) for r in rows]
    R = tf.ragged.RaggedTensorValue
    return [
        [value(tf, m) if hasattr(m, "row_splits") else m for m in made],
        [str(m) for m in made],
        tf.ragged.constant_value([[1], []], row_splits_dtype="int32").row_splits,
        tf.ragged.constant_value([[1], []], dtype=np.float32).values,
        attempt(lambda: R([1, 2], np.array([0, 2]))),
        attempt(lambda: R(np.array([1, 2]), [0, 2])),
        attempt(lambda: tf.ragged.constant_value([[1], 2])),
    ]


@program
def what_can_be_asked(tf, np):
    a = tf.ragged.constant([[1, 2], [], [3]])
    b = tf.ragged.constant([[[1.5], []], [[2.5, 3.5]]])
    c = tf.ragged.constant([[[1, 2]], []], ragged_rank=1)
    return [
        [[x.dtype, x.shape, x.ragged_rank, x.values if x.ragged_rank == 1 else x.values.values, x.row_splits, x.flat_values, list(x.nested_row_splits)] for x in (a, b, c)],
        repr(a),
        str(b),
        [isinstance(a, tf.RaggedTensor), isinstance(a, tf.Tensor), a.get_shape() if hasattr(a, "get_shape") else None],
    ]


@program
def what_they_refuse(tf, np):
    a = lambda: tf.ragged.constant([[1, 2], [], [3]])
    return [
        fresh(tf, lambda: tf.RaggedTensor(a().values, a().row_splits)),
        fresh(tf, lambda: len(a())),
        fresh(tf, lambda: tf.RaggedTensor.from_row_splits([1, 2, 3], [0, 2, 3]).with_values(tf.constant([1]))),
        fresh(tf, lambda: tf.ragged.map_flat_values(tf.add, a(), a().with_row_splits_dtype(tf.int32))),
        fresh(tf, lambda: tf.reshape(a().values, [2, 2])),
    ]


@program
def splits_that_do_not_fit_end_the_run(tf, np):
    def outcome(make):
        def go():
            with tf.Session() as sess:
                return type(sess.run(make().row_splits)).__name__

        return fresh(tf, lambda: attempt(go).classes[0])

    R = tf.RaggedTensor
    v = lambda: tf.placeholder_with_default([1, 2, 3], [3])
    return [
        outcome(lambda: R.from_row_splits(v(), [1, 3])),
        outcome(lambda: R.from_row_splits(v(), [0, 2])),
        outcome(lambda: R.from_row_splits(v(), [0, 2, 1, 3])),
        outcome(lambda: R.from_row_lengths(v(), [1, 1])),
        outcome(lambda: R.from_row_lengths(v(), [4, -1])),
        outcome(lambda: R.from_value_rowids(v(), [0, 2, 1])),
        outcome(lambda: R.from_row_starts(v(), [1, 2])),
        outcome(lambda: R.from_row_limits(v(), [2, 1, 3])),
        outcome(lambda: R.from_sparse(tf.SparseTensor([[0, 1]], [1], [3, 2]))),
    ]
