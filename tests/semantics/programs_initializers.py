"""Initializers: nodes, values, configs and errors; the random ones with seeds draw TensorFlow's own numbers."""

from harness import attempt, fresh, graph_of, program

SHAPES = ([], [3], [2, 3], [4, 3], [2, 2, 2, 3])


def drawn(tf, make, shapes=SHAPES, **call):
    """The numbers for each shape, in a graph with a seed; the nodes for the last one."""

    def one(shape):
        tf.set_random_seed(7)
        made = make()(shape, **call)
        with tf.Session() as sess:
            return [made, sess.run(made)]

    def nodes():
        made = attempt(lambda: make()(shapes[-1], **call))
        return [made, graph_of(tf, "seed", "seed2", "dtype")["nodes"]]

    return [[fresh(tf, lambda s=s: one(s)) for s in shapes], fresh(tf, nodes)]


@program
def zeros(tf, np):
    return [
        drawn(tf, tf.zeros_initializer),
        drawn(tf, lambda: tf.zeros_initializer(tf.int32)),
        drawn(tf, tf.zeros_initializer, dtype=tf.bool),
        drawn(tf, tf.zeros_initializer, [[2]], dtype=tf.string),
    ]


@program
def ones(tf, np):
    return [drawn(tf, tf.ones_initializer), drawn(tf, lambda: tf.ones_initializer(tf.int64)), drawn(tf, tf.ones_initializer, dtype=tf.float64)]


@program
def constants(tf, np):
    return [
        drawn(tf, lambda: tf.constant_initializer(3)),
        drawn(tf, tf.constant_initializer),
        drawn(tf, lambda: tf.constant_initializer([1, 2, 3, 4, 5, 6]), [[2, 3], [3, 2], [6], [7]]),
        drawn(tf, lambda: tf.constant_initializer(np.arange(4)), [[2, 2]], dtype=tf.int32),
        drawn(tf, lambda: tf.constant_initializer([1.0, 2.0, 3.0]), [[2]]),
        drawn(tf, lambda: tf.constant_initializer([1.0, 2.0], verify_shape=True), [[2], [3], [1, 2]]),
        drawn(tf, lambda: tf.constant_initializer([[1.0, 2.0]]), [[2, 1]], verify_shape=True),
        drawn(tf, lambda: tf.constant_initializer(True, tf.bool), [[2]]),
        drawn(tf, lambda: tf.constant_initializer("a", tf.string), [[2]]),
        attempt(lambda: tf.constant_initializer(None)),
        attempt(lambda: tf.constant_initializer({})),
    ]


@program
def random_uniform(tf, np):
    return [
        drawn(tf, lambda: tf.random_uniform_initializer(-1, 1, seed=3)),
        drawn(tf, tf.random_uniform_initializer),
        drawn(tf, lambda: tf.random_uniform_initializer(0, 10, seed=3, dtype=tf.int32)),
        drawn(tf, lambda: tf.random_uniform_initializer(dtype=tf.float64, seed=1)),
    ]


@program
def random_uniform_of_integers_needs_a_limit(tf, np):
    return fresh(tf, lambda: tf.random_uniform_initializer(dtype=tf.int32)([2]))


@program
def random_normal(tf, np):
    return [
        drawn(tf, lambda: tf.random_normal_initializer(1.0, 2.0, seed=3)),
        drawn(tf, tf.random_normal_initializer),
        drawn(tf, lambda: tf.random_normal_initializer(dtype=tf.float64, seed=1)),
        fresh(tf, lambda: tf.random_normal_initializer(dtype=tf.int32)),
    ]


@program
def truncated_normal(tf, np):
    return [
        drawn(tf, lambda: tf.truncated_normal_initializer(1.0, 2.0, seed=3)),
        drawn(tf, tf.truncated_normal_initializer),
        drawn(tf, lambda: tf.truncated_normal_initializer(stddev=0.1, dtype=tf.float16, seed=1), [[3]]),
        fresh(tf, lambda: tf.truncated_normal_initializer(dtype=tf.int32)),
    ]


@program
def uniform_unit_scaling(tf, np):
    return [
        drawn(tf, lambda: tf.uniform_unit_scaling_initializer(seed=3)),
        drawn(tf, lambda: tf.uniform_unit_scaling_initializer(1.43)),
        drawn(tf, lambda: tf.uniform_unit_scaling_initializer(2.0, 5, tf.float64), [[0, 2], [4, 2]]),
        fresh(tf, lambda: tf.uniform_unit_scaling_initializer(dtype=tf.int32)),
    ]


@program
def variance_scaling_modes(tf, np):
    return {
        mode: drawn(tf, lambda mode=mode: tf.variance_scaling_initializer(2.0, mode, seed=3))
        for mode in ("fan_in", "fan_out", "fan_avg")
    }


@program
def variance_scaling_distributions(tf, np):
    kinds = ("normal", "uniform", "truncated_normal", "untruncated_normal", "UNIFORM")
    return {
        kind: drawn(tf, lambda kind=kind: tf.variance_scaling_initializer(distribution=kind, seed=3), [[2, 3], [2, 2, 3, 4]])
        for kind in kinds
    }


@program
def variance_scaling_of_doubles(tf, np):
    return [
        drawn(tf, lambda: tf.variance_scaling_initializer(seed=3, dtype=tf.float64), [[2, 3]]),
        drawn(tf, lambda: tf.variance_scaling_initializer(seed=3), [[2, 3]], dtype=tf.float64),
    ]


@program
def variance_scaling_errors(tf, np):
    make = tf.variance_scaling_initializer
    return [
        fresh(tf, lambda: make(0.0)),
        fresh(tf, lambda: make(-1.0)),
        fresh(tf, lambda: make(mode="fan")).classes[0],
        fresh(tf, lambda: make(distribution="flat")).classes[0],
        fresh(tf, lambda: make(dtype=tf.int32)),
    ]


@program
def glorot(tf, np):
    return [
        drawn(tf, lambda: tf.glorot_uniform_initializer(seed=3)),
        drawn(tf, lambda: tf.glorot_normal_initializer(seed=3)),
        drawn(tf, tf.glorot_uniform_initializer),
        drawn(tf, tf.glorot_normal_initializer),
        drawn(tf, lambda: tf.glorot_uniform_initializer(4, tf.float64), [[2, 2]]),
    ]


@program
def he_and_lecun(tf, np):
    i = tf.initializers
    return {
        name: drawn(tf, lambda name=name: getattr(i, name)(seed=3))
        for name in ("he_normal", "he_uniform", "lecun_normal", "lecun_uniform")
    }


@program
def he_and_lecun_configs(tf, np):
    i = tf.initializers
    return [getattr(i, name)(5).get_config() for name in ("he_normal", "he_uniform", "lecun_normal", "lecun_uniform")]


@program
def orthogonal_matrices(tf, np):
    def product(shape):
        m = tf.orthogonal_initializer(seed=3)(shape)
        flat = tf.reshape(m, [-1, shape[-1]])
        tall = bool(np.prod(shape[:-1]) >= shape[-1])
        square = tf.matmul(flat, flat, transpose_a=tall, transpose_b=not tall)
        with tf.Session() as sess:
            return [m.shape, bool(np.allclose(sess.run(square), np.eye(min(np.prod(shape[:-1]), shape[-1])), atol=1e-5))]

    return [fresh(tf, lambda s=s: product(s)) for s in ([3, 3], [4, 2], [2, 4], [2, 3, 4], [2, 2, 2])]


@program
def orthogonal_nodes_and_errors(tf, np):
    return [
        fresh(tf, lambda: [tf.orthogonal_initializer(2.0, 3)([2, 4]), graph_of(tf)["nodes"]]),
        fresh(tf, lambda: [tf.orthogonal_initializer(2.0, 3)([4, 2]), graph_of(tf)["nodes"]]),
        fresh(tf, lambda: tf.orthogonal_initializer()([3])),
        fresh(tf, lambda: tf.orthogonal_initializer()([])),
        fresh(tf, lambda: tf.orthogonal_initializer(dtype=tf.int32)),
    ]


@program
def identity_matrices(tf, np):
    i = tf.initializers.identity
    return [
        drawn(tf, i, [[2, 2], [2, 3], [3, 2]])[0],
        drawn(tf, lambda: i(2.5), [[2, 2]])[0],
        drawn(tf, lambda: i(2.5, tf.float64), [[3, 3]])[0],
        fresh(tf, lambda: i(dtype=tf.int32)),
    ]


def every(tf):
    i = tf.initializers
    return {
        "zeros": i.zeros(tf.int32),
        "ones": i.ones(),
        "constant": i.constant([1.0, 2.0], tf.float64),
        "random_uniform": i.random_uniform(1.0, 2.0, 3),
        "random_normal": i.random_normal(1.0, 2.0, 3),
        "truncated_normal": i.truncated_normal(1.0, 2.0, 3, tf.float64),
        "uniform_unit_scaling": i.uniform_unit_scaling(2.0, 3),
        "variance_scaling": i.variance_scaling(2.0, "fan_out", "UNIFORM", 3),
        "glorot_uniform": i.glorot_uniform(3),
        "glorot_normal": i.glorot_normal(3, tf.float64),
        "orthogonal": i.orthogonal(2.0, 3),
        "identity": i.identity(2.0),
    }


@program
def configs(tf, np):
    return {k: i.get_config() for k, i in every(tf).items()}


@program
def from_configs(tf, np):
    out = {}
    for name, initializer in every(tf).items():
        again = type(initializer).from_config(initializer.get_config())
        out[name] = [again.get_config() == initializer.get_config(), again.dtype, type(again).__name__]
    return out


@program
def names_of_the_initializers(tf, np):
    i = tf.initializers
    return [
        i.zeros is tf.zeros_initializer,
        i.ones is tf.ones_initializer,
        i.constant is tf.constant_initializer,
        i.random_uniform is tf.random_uniform_initializer,
        i.random_normal is tf.random_normal_initializer,
        i.truncated_normal is tf.truncated_normal_initializer,
        i.uniform_unit_scaling is tf.uniform_unit_scaling_initializer,
        i.variance_scaling is tf.variance_scaling_initializer,
        i.glorot_uniform is tf.glorot_uniform_initializer,
        i.glorot_normal is tf.glorot_normal_initializer,
        i.orthogonal is tf.orthogonal_initializer,
        i.global_variables is tf.global_variables_initializer,
        i.local_variables is tf.local_variables_initializer,
        i.variables is tf.variables_initializer,
        [x.__name__ for x in (i.zeros, i.identity, i.variance_scaling, i.glorot_normal, i.random_uniform)],
    ]


@program
def initializers_of_variables(tf, np):
    made = {k: i for k, i in every(tf).items() if k not in ("zeros", "constant")}

    def one(initializer, resource):
        tf.set_random_seed(7)
        v = tf.get_variable("v", [2, 2], initializer=initializer, dtype=initializer.dtype, use_resource=resource)
        with tf.Session() as sess:
            sess.run(v.initializer)
            value = sess.run(v)
        return [v.initial_value, graph_of(tf, "seed", "seed2")["nodes"], value]

    return {
        f"{k} {r}": fresh(tf, lambda i=i, r=r: one(i, r)) for k, i in made.items() if k != "orthogonal" for r in (False, True)
    }


@program
def seeds_of_initializers(tf, np):
    def two():
        a = tf.get_variable("a", [3], initializer=tf.random_normal_initializer(seed=1))
        b = tf.get_variable("b", [3], initializer=tf.random_normal_initializer(seed=1))
        c = tf.get_variable("c", [3])
        d = tf.get_variable("d", [3])
        with tf.Session() as sess:
            sess.run(tf.global_variables_initializer())
            return [sess.run([a, b]), *([sess.run([c, d])] if tf.get_default_graph().seed is not None else [])]

    def seeded():
        tf.set_random_seed(3)
        return two()

    return [fresh(tf, two), fresh(tf, seeded), fresh(tf, seeded)]


@program
def two_sessions_with_a_seed(tf, np):
    tf.set_random_seed(5)
    v = tf.get_variable("v", [4])
    out = []
    for _ in range(2):
        with tf.Session() as sess:
            sess.run(v.initializer)
            first = sess.run(v)
            sess.run(v.initializer)
            out.append([first, sess.run(v)])
    return out


@program
def an_initializer_of_ones_own(tf, np):
    class Ramp(tf.zeros_initializer):
        def __call__(self, shape, dtype=None, partition_info=None):
            return tf.reshape(tf.cast(tf.range(int(np.prod(shape))), dtype or self.dtype), shape)

    v = tf.get_variable("v", [2, 3], initializer=Ramp())
    w = tf.get_variable("w", [2], initializer=Ramp)
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        return [sess.run([v, w]), graph_of(tf)]


@program
def initializers_in_parts(tf, np):
    def one(initializer):
        tf.set_random_seed(7)
        v = tf.get_variable("v", [4, 2], initializer=initializer, partitioner=tf.fixed_size_partitioner(2))
        with tf.Session() as sess:
            sess.run(tf.global_variables_initializer())
            return sess.run(list(v))

    return {
        "glorot": fresh(tf, lambda: one(tf.glorot_uniform_initializer(3))),
        "unit": fresh(tf, lambda: one(tf.uniform_unit_scaling_initializer(seed=3))),
        "identity": fresh(tf, lambda: one(tf.initializers.identity())),
        "zeros": fresh(tf, lambda: one(tf.zeros_initializer())),
    }
