"""Gradients of first and second order: values, which of them are None, and errors.

The nodes are TF 1.15's, whose names the oracle no longer gives: `test_gradient_graph.py` holds them.
"""

import itertools

from harness import attempt, program
from orders import X, Y, both_orders

numbers = itertools.count()  # a name can be registered once in a process


@program
def one_input(tf, np):
    names = (
        "exp expm1 log log1p sin cos tan sinh cosh asinh tanh sigmoid lgamma square atan erf erfc abs negative sign sqrt rsqrt "
        "reciprocal floor ceil rint"
    )
    return {name: both_orders(tf, np, getattr(tf.math, name), X) for name in names.split()}


@program
def one_input_of_a_smaller_domain(tf, np):
    small = (np.array(X) / 2).tolist()
    large = (np.array(X) + 1).tolist()
    result = {name: both_orders(tf, np, getattr(tf.math, name), small) for name in ("asin", "acos", "atanh")}
    result["acosh"] = both_orders(tf, np, tf.math.acosh, large)
    return result


@program
def two_inputs_with_broadcasting(tf, np):
    names = "add subtract multiply divide maximum minimum squared_difference pow floormod xlogy xdivy multiply_no_nan"
    result = {name: both_orders(tf, np, getattr(tf.math, name), X, Y) for name in names.split()}
    result |= {f"{name} of a column": both_orders(tf, np, getattr(tf, name), [[y] for y in Y], Y) for name in ("add", "multiply")}
    result["scalar"] = both_orders(tf, np, tf.multiply, X, 2.0)
    return result


@program
def reductions(tf, np):
    return {
        f"{name} {axis}": both_orders(tf, np, lambda x, n=name, a=axis: getattr(tf, n)(x, a), X)
        for name in ("reduce_sum", "reduce_mean", "reduce_max", "reduce_min", "reduce_prod")
        for axis in (None, 0, 1, -1, [0, 1])
    }


@program
def products_and_sums(tf, np):
    w = np.linspace(0.1, 1.3, 12).reshape(3, 4).tolist()
    turned = {"transpose_a": True, "transpose_b": True}
    return {
        "matmul": both_orders(tf, np, tf.matmul, X, w),
        "matmul turned": both_orders(tf, np, lambda a, b: tf.matmul(a, b, **turned), np.transpose(X).tolist(), np.transpose(w).tolist()),
        "matmul batch": both_orders(tf, np, tf.matmul, [X, X], [w, w]),
        "cumsum": both_orders(tf, np, lambda x: tf.cumsum(x, 1) * x, X),
        "cumsum reverse": both_orders(tf, np, lambda x: tf.cumsum(x, 0, exclusive=True, reverse=True) ** 2, X),
        "cumprod": both_orders(tf, np, lambda x: tf.cumprod(x, 0), X),
        "add_n": both_orders(tf, np, lambda x, y: tf.add_n([x, x * x, x]), X, Y),
    }


@program
def shapes_and_choices(tf, np):
    return {
        "stack": both_orders(tf, np, lambda x: tf.stack([x, x * x], 1), X),
        "tile": both_orders(tf, np, lambda x: tf.tile(x, [2, 3]) ** 2, X),
        "transpose": both_orders(tf, np, lambda x: tf.transpose(x) ** 2, X),
        "reshape": both_orders(tf, np, lambda x: tf.reshape(x, [-1]) ** 2, X),
        "expand_dims": both_orders(tf, np, lambda x: tf.expand_dims(x, 1) ** 2, X),
        "where": both_orders(tf, np, lambda x, y: tf.where(tf.less(x, 1.0), x * x, x**3), X, Y),
        "stop_gradient": both_orders(tf, np, lambda x: x * tf.stop_gradient(x), X),
        "cast": both_orders(tf, np, lambda x: tf.cast(tf.cast(x, tf.float64) ** 2, tf.float32), X),
    }


@program
def what_the_ys_do_not_depend_on(tf, np):
    x, y = tf.constant(2.0), tf.constant(3.0)
    z = x * x
    zero = tf.UnconnectedGradients.ZERO
    with tf.Session() as session:
        return [
            tf.gradients(z, [y]),
            session.run(tf.gradients(z, [x, y], unconnected_gradients=zero)),
            session.run(tf.gradients(z, [x, y], unconnected_gradients="zero")),
            tf.gradients(tf.cast(z, tf.int32), [x]),
            attempt(lambda: tf.gradients(z, [x], unconnected_gradients="nonsense")),
        ]


@program
def several_ys_and_their_weights(tf, np):
    x = tf.constant([1.0, 2.0])
    ys = [x * x, tf.exp(x)]
    with tf.Session() as session:
        return {
            "both": session.run(tf.gradients(ys, x)),
            "weights": session.run(tf.gradients(ys, x, grad_ys=[tf.constant([1.0, 10.0]), None])),
            "count": attempt(lambda: tf.gradients(ys, x, grad_ys=[None])),
            "kind": attempt(lambda: tf.gradients(ys[0], x, grad_ys=[tf.constant([True, False])])),
            "complex": attempt(lambda: tf.gradients(tf.complex(x, x), x)),
        }


@program
def stops_and_sums(tf, np):
    a = tf.constant(2.0)
    b = a * 3.0
    c = a * b
    methods = [getattr(tf.AggregationMethod, m) for m in ("ADD_N", "EXPERIMENTAL_TREE", "EXPERIMENTAL_ACCUMULATE_N")]
    many = a * a + a * b + a
    with tf.Session() as session:
        return {
            "whole": session.run(tf.gradients(c, [a, b])),
            "stopped": session.run(tf.gradients(c, [a, b], stop_gradients=[a, b])),
            "methods": [session.run(tf.gradients(many, a, aggregation_method=m)) for m in methods],
            "method": attempt(lambda: tf.gradients(many, a, aggregation_method=7)),
            "gated": session.run(tf.gradients(c, [a, b], gate_gradients=True)),
            "colocated": session.run(tf.gradients(c, [a, b], colocate_gradients_with_ops=True)),
        }


@program
def variables_and_rows(tf, np):
    v = tf.Variable([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
    r = tf.Variable([1.0, 2.0], use_resource=True)
    rows = tf.gather(v, [0, 2, 0]) ** 2
    (found,) = tf.gradients(rows, v)
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        return [
            type(found).__name__,
            session.run([found.values, found.indices, found.dense_shape]),
            session.run(tf.gradients(v * v, v)),
            session.run(tf.gradients(r * r, r)),
            session.run(tf.gradients(r * r, [r.value(), v])[0]) if tf.gradients(r * r, [r.value(), v])[0] is not None else None,
        ]


@program
def rules_of_the_programs_own(tf, np):
    @tf.custom_gradient
    def log1pexp(x):
        e = tf.exp(x)

        def grad(dy):
            return dy * (1 - 1 / (1 + e))

        return tf.log(1 + e), grad

    name = f"TwiceTheGradient{next(numbers)}"

    @tf.RegisterGradient(name)
    def twice(op, g):
        return 2.0 * g

    x = tf.constant(100.0)
    graph = tf.get_default_graph()
    with graph.gradient_override_map({"Identity": name}):
        y = tf.identity(x)
    with graph.gradient_override_map({"Identity": "NobodyWroteThis"}):
        z = tf.identity(x)
    with tf.Session() as session:
        return {
            "custom": session.run(tf.gradients(log1pexp(x), x)),
            "override": session.run(tf.gradients(y, x)),
            "missing": attempt(lambda: tf.gradients(z, x)),
                "twice": attempt(lambda: tf.RegisterGradient(name)(twice)).classes,
            "no text": attempt(lambda: tf.RegisterGradient(3)),
            "keywords": attempt(lambda: log1pexp(x=x)),
        }


@program
def joining_and_cutting(tf, np):
    double = (np.array(X) * 2).tolist()
    return {
        "concat": both_orders(tf, np, lambda a, b: tf.concat([a, b, a], 0) ** 2, X, double),
        "concat columns": both_orders(tf, np, lambda a, b: tf.concat([a, b], -1) ** 2, X, double),
        "concat of many": both_orders(tf, np, lambda a: tf.concat([a] * 17, 0) ** 2, X),
        "pad": both_orders(tf, np, lambda x: tf.pad(x, [[1, 2], [0, 1]]) ** 2, X),
        "pad reflect": both_orders(tf, np, lambda x: tf.pad(x, [[1, 2], [2, 1]], mode="REFLECT") ** 2, X),
        "pad symmetric": both_orders(tf, np, lambda x: tf.pad(x, [[1, 2], [2, 1]], mode="SYMMETRIC") ** 2, X),
        "strides": both_orders(tf, np, lambda x: x[1:4:2, ::-1] ** 2, X),
        "new axis": both_orders(tf, np, lambda x: x[..., tf.newaxis, 1] ** 2, X),
        "slice": both_orders(tf, np, lambda x: tf.slice(x, [1, 1], [2, 2]) ** 2, X),
        "split": both_orders(tf, np, lambda x: tf.split(x, [1, 4], 0)[1] ** 2, X),
        "unstack": both_orders(tf, np, lambda x: tf.unstack(tf.ensure_shape(x, [5, 3]))[1] ** 2, X),
        "broadcast_to": both_orders(tf, np, lambda x: tf.broadcast_to(x, [2, 5, 3]) ** 2, X),
        "reverse": both_orders(tf, np, lambda x: tf.reverse(x, [0]) * x, X),
        "roll": both_orders(tf, np, lambda x: tf.roll(x, 1, 0) * x, X),
        "space_to_depth": both_orders(tf, np, lambda x: tf.space_to_depth(tf.reshape(x[:4], [1, 2, 2, 3]), 2) ** 2, X),
    }


@program
def picking_and_placing(tf, np):
    return {
        "gather columns": both_orders(tf, np, lambda x: tf.gather(x, [2, 0, 2], axis=1) ** 2, X),
        "gather batch": both_orders(
            tf, np, lambda x: tf.gather(x, [[0, 1], [2, 2], [1, 0], [0, 0], [1, 2]], axis=1, batch_dims=1) ** 2, X
        ),
        "gather_nd": both_orders(tf, np, lambda x: tf.gather_nd(x, [[0, 1], [4, 2], [0, 1]]) ** 2, X),
        "scatter_nd": both_orders(tf, np, lambda x: tf.scatter_nd([[1], [3], [1], [0], [2]], x, [6, 3]) ** 2, X),
        "scatter update": both_orders(tf, np, lambda x: tf.tensor_scatter_update(x, [[1], [3]], x[:2] * 3.0) ** 2, X),
        "scatter add": both_orders(tf, np, lambda x: tf.tensor_scatter_add(x, [[1], [3]], x[:2] * 3.0) ** 2, X),
        "top_k": both_orders(tf, np, lambda x: tf.nn.top_k(x, 2).values ** 2, X),
        "boolean_mask": both_orders(tf, np, lambda x: tf.boolean_mask(x, [True, False, True, True, False]) ** 2, X),
        "partition": both_orders(tf, np, lambda x: tf.dynamic_partition(x, [0, 1, 0, 1, 1], 2)[1] ** 2, X),
        "stitch": both_orders(tf, np, lambda x: tf.dynamic_stitch([[0, 2], [1, 3, 4]], [x[:2], x[2:]]) ** 2, X),
        "segment_sum": both_orders(tf, np, lambda x: tf.segment_sum(x, [0, 0, 1, 1, 2]) ** 2, X),
        "segment_mean": both_orders(tf, np, lambda x: tf.segment_mean(x, [0, 0, 1, 1, 2]) ** 2, X),
        "segment_max": both_orders(tf, np, lambda x: tf.segment_max(x, [0, 0, 1, 1, 2]) ** 2, X),
        "unsorted sum": both_orders(tf, np, lambda x: tf.unsorted_segment_sum(x, [0, -1, 1, 1, 2], 3) ** 2, X),
        "unsorted max": both_orders(tf, np, lambda x: tf.unsorted_segment_max(x, [0, 0, 1, 1, 2], 3) ** 2, X),
        "unsorted prod": both_orders(tf, np, lambda x: tf.unsorted_segment_prod(x, [0, 0, 1, 1, 2], 3) ** 2, X),
    }


@program
def networks(tf, np):
    shifted = (np.array(X) - 1).tolist()
    labels = np.eye(3)[[0, 1, 2, 0, 1]].tolist()
    soft = (np.array(labels) * 0.8 + 0.1).tolist()
    names = "relu relu6 elu selu leaky_relu softplus softmax log_softmax l2_loss"
    result = {name: both_orders(tf, np, getattr(tf.nn, name), shifted) for name in names.split()}
    entropy = tf.nn.softmax_cross_entropy_with_logits_v2
    sigmoid = tf.nn.sigmoid_cross_entropy_with_logits
    return result | {
        "softmax entropy": both_orders(tf, np, lambda x: entropy(labels=labels, logits=x), X),
        "and its labels": both_orders(tf, np, lambda x, l: entropy(labels=l, logits=x), X, soft),
        "sigmoid entropy": both_orders(tf, np, lambda x: sigmoid(labels=labels, logits=x), X),
        "bias": both_orders(tf, np, lambda x, b: tf.nn.bias_add(x, b) ** 2, X, Y),
        "logsumexp": both_orders(tf, np, lambda x: tf.reduce_logsumexp(x, 1), X),
        "norm": both_orders(tf, np, tf.norm, X),
        "clip": both_orders(tf, np, lambda x: tf.clip_by_value(x, 0.7, 1.2) * x, X),
        "clip norm": both_orders(tf, np, lambda x: tf.clip_by_norm(x, 1.0), X),
        "einsum": both_orders(tf, np, lambda x: tf.einsum("ij,kj->ik", x, x), X),
        "tensordot": both_orders(tf, np, lambda x: tf.tensordot(x, x, [[0], [0]]), X),
    }


@program
def branches(tf, np):
    def taken(x):
        return tf.cond(tf.reduce_sum(x) > 0, lambda: x * x, lambda: x * 3.0)

    def other(x):
        return tf.cond(tf.reduce_sum(x) < 0, lambda: x * x, lambda: x * 3.0 + 1.0) * x

    def nested(x):
        def inner():
            return tf.cond(tf.reduce_max(x) > 100, lambda: x, lambda: x * x * x)

        return tf.cond(tf.reduce_sum(x) > 0, inner, lambda: x)

    return {f.__name__: both_orders(tf, np, f, X) for f in (taken, other, nested)}


@program
def what_is_computed_again(tf, np):
    x = tf.constant([0.5, 1.5])
    v = tf.Variable([2.0, 3.0], use_resource=True)

    @tf.recompute_grad
    def f(x):
        return tf.sin(x) * tf.exp(x)

    @tf.recompute_grad
    def g(x):
        return tf.sin(x) * v

    y, z = f(x), g(x)
    before = [op.type for op in tf.get_default_graph().get_operations()].count("Sin")
    found = [*tf.gradients(y, x), *tf.gradients(z, [x, v])]
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        again = [op.type for op in tf.get_default_graph().get_operations()].count("Sin")
        return [session.run(found), before, again]
