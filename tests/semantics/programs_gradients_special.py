"""Gradients of special functions, sparse and ragged tensors, segments of picked rows and random numbers beside the oracle."""

from harness import program, raw
from orders import X, Y, both_orders

INDICES = [[0, 1], [1, 0], [2, 2]]
VALUES = [0.5, 1.5, 2.5]


@program
def special_functions(tf, np):
    mean = (np.array(X) / 2).tolist()
    return {
        "digamma": both_orders(tf, np, tf.digamma, X),
        "bessel_i0e": both_orders(tf, np, tf.math.bessel_i0e, X),
        "bessel_i1e": both_orders(tf, np, tf.math.bessel_i1e, X),
        "igamma by x": both_orders(tf, np, lambda x: tf.igamma([0.7, 1.5, 6.0], x), X),
        "igammac by x": both_orders(tf, np, lambda x: tf.igammac([0.7, 1.5, 6.0], x), X),
        "betainc": both_orders(tf, np, lambda x: tf.betainc(2.0, 3.0, x), mean),
        "zeta": both_orders(tf, np, lambda q: tf.zeta(3.0, q), X),
        "polygamma": both_orders(tf, np, lambda x: tf.polygamma(2.0, x), X),
        "where_v2": both_orders(tf, np, lambda x, y: tf.where_v2(tf.less(x, 1.0), x * x, y**3), X, Y),
        "cumulative_logsumexp": both_orders(tf, np, lambda x: tf.math.cumulative_logsumexp(x, 0) ** 2, X),
        "cumulative reversed": both_orders(
            tf, np, lambda x: tf.math.cumulative_logsumexp(x, 0, reverse=True) * [1.0, -1.0, 2.0], Y
        ),
        "space_to_batch": both_orders(
            tf, np, lambda x: tf.space_to_batch(tf.reshape(x[:4], [1, 2, 2, 3]), [[0, 0], [2, 0]], 2) ** 2, X
        ),
    }


@program
def functions_with_one_order(tf, np):
    a, x = tf.constant(X), tf.constant(Y)
    small = tf.constant([0.0, 1e-9, -0.5])
    u, v = tf.constant(X), tf.constant(np.transpose(X).tolist())
    ys = {
        "igamma": (tf.igamma(a, x), [a, x]),
        "igammac": (tf.igammac(a, x), [a, x]),
        "bessel_i1e": (tf.math.bessel_i1e(small), [small]),
        "nextafter": (tf.math.nextafter(a, x), [a, x]),
        "sparse product": (tf.matmul(u, v, a_is_sparse=True), [u, v]),
        "turned": (tf.matmul(u, u, transpose_a=True, b_is_sparse=True), [u]),
        "turned twice": (tf.matmul(u, v, transpose_a=True, transpose_b=True, a_is_sparse=True), [u, v]),
    }
    with tf.Session() as session:
        return {name: session.run(tf.gradients(y, xs)) for name, (y, xs) in ys.items()}


def entries(tf, values, indices=INDICES, shape=(3, 3)):
    return tf.SparseTensor(tf.constant(indices, tf.int64), values, tf.constant(list(shape), tf.int64))


@program
def sparse_tensors(tf, np):
    dense = [[1.0, 2.0, 3.0], [0.5, 1.5, 2.5], [3.0, 1.0, 2.0]]
    other = [[0, 1], [2, 0]]

    def through(f):
        """Both orders of f, made to have a second one."""
        return both_orders(tf, np, lambda v: f(entries(tf, v)) ** 2, VALUES)

    def with_dense(f, y=dense):
        return both_orders(tf, np, lambda v, d: f(entries(tf, v), d) ** 2, VALUES, y)

    return {
        "reorder": through(lambda s: tf.sparse.reorder(tf.SparseTensor(s.indices[::-1], s.values, s.dense_shape)).values),
        "add": both_orders(
            tf, np, lambda v, w: tf.sparse.add(entries(tf, v), entries(tf, w, other)).values, VALUES, [1.0, 2.0]
        ),
        "add with a threshold": both_orders(
            tf, np, lambda v, w: tf.sparse.add(entries(tf, v), entries(tf, w, other), 0.9).values, VALUES, [0.1, 2.0]
        ),
        "add dense": with_dense(tf.sparse.add),
        "sum": through(lambda s: tf.sparse.reduce_sum(s, 1)),
        "sum kept": through(lambda s: tf.sparse.reduce_sum(s, 0, keepdims=True)),
        "slice": both_orders(tf, np, lambda v: tf.sparse.slice(entries(tf, v), [0, 0], [2, 2]).values, VALUES),
        "to_dense": through(tf.sparse.to_dense),
        "default": both_orders(
            tf, np, lambda v, d: tf.sparse.to_dense(entries(tf, v), default_value=d) ** 2, VALUES, 0.5
        ),
        "matmul": with_dense(tf.sparse_tensor_dense_matmul),
        "matmul turned": with_dense(lambda s, d: tf.sparse_tensor_dense_matmul(s, d, adjoint_a=True, adjoint_b=True)),
        "times": with_dense(lambda s, d: (s * d).values),
        "times a row": with_dense(lambda s, d: (s * d).values, [1.0, 2.0, 4.0]),
        "over a row": with_dense(lambda s, d: (s / d).values, [1.0, 2.0, 4.0]),
        "filled": both_orders(
            tf, np,
            lambda v: tf.sparse.fill_empty_rows(entries(tf, v[:2], INDICES[:2], (4, 3)), v[2])[0].values * [1.0, 2.0, 3.0, 4.0],
            VALUES,
        ),
    }  # fmt: skip


@program
def sparse_tensors_with_one_order(tf, np):
    v = tf.constant(VALUES)
    s = entries(tf, v, [[0, 0], [0, 1], [1, 2]])
    with tf.Session() as session:
        return {
            "softmax": session.run(tf.gradients(tf.sparse.softmax(s).values * [1.0, 2.0, 3.0], v)),
            "concat": tf.gradients(tf.sparse.concat(0, [s, s]).values, v),
        }


@program
def segments_of_picked_rows(tf, np):
    indices, ids = [0, 3, 1, 0], [0, 0, 2, 2]
    result = {}
    for name in ("sparse_segment_sum", "sparse_segment_mean", "sparse_segment_sqrt_n"):
        f = getattr(tf, name)
        for label, options in (("", {}), (" sized", {"num_segments": 4})):
            y = tf.constant(X)
            with tf.Session() as session:
                result[name + label] = session.run(tf.gradients(f(y, indices, ids, **options) ** 2, y))
    return result


@program
def ragged_tensors(tf, np):
    values = tf.constant([0.5, 1.5, 2.5, 3.5, 4.5])
    rows = tf.RaggedTensor.from_row_splits(values, [0, 2, 2, 5])
    picked = raw(
        tf, "RaggedGather", "g", params_nested_splits=[rows.row_splits], params_dense_values=values,
        indices=tf.constant([2, 0, 2]), OUTPUT_RAGGED_RANK=1,
    )  # fmt: skip
    found = tf.gradients(picked[-1] ** 2, values)[0]
    with tf.Session() as session:
        return {
            "gather": session.run(tf.convert_to_tensor(found)),
            "to_sparse": session.run(tf.gradients(rows.to_sparse().values ** 2, values)),
        }


@program
def random_numbers(tf, np):
    alpha = tf.constant([0.5, 2.0, 9.0])
    tf.set_random_seed(3)
    sample = tf.random_gamma([4], alpha, seed=5)
    (found,) = tf.gradients(sample, alpha)
    with tf.Session() as session:
        return [session.run(found), tf.gradients(tf.random_normal([2]) * alpha[:2], alpha) is not None]
