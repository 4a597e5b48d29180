"""Learning rate decay and the global step."""

from harness import attempt, fresh, graph_of, program

STEPS = (0, 1, 7, 10, 25, 100)


def over_steps(tf, np, make, nodes=True):
    """Values, and the nodes where 2.15 still makes those of 1.15."""

    def run():
        step = tf.placeholder(tf.int64, [], name="step")
        rate = make(step)
        with tf.Session() as session:
            return [graph_of(tf)["nodes"] if nodes else None, rate.name, np.array([session.run(rate, {step: n}) for n in STEPS])]

    return fresh(tf, run)


@program
def schedules(tf, np):
    t = tf.train
    return {
        "exponential": over_steps(tf, np, lambda s: t.exponential_decay(0.1, s, 10, 0.96)),
        "staircase": over_steps(tf, np, lambda s: t.exponential_decay(0.1, s, 10, 0.5, staircase=True, name="mine")),
        "natural": over_steps(tf, np, lambda s: t.natural_exp_decay(0.1, s, 10, 0.5)),
        "inverse": over_steps(tf, np, lambda s: t.inverse_time_decay(0.1, s, 10, 0.5)),
        "inverse staircase": over_steps(tf, np, lambda s: t.inverse_time_decay(0.1, s, 10, 0.5, staircase=True)),
        "polynomial": over_steps(tf, np, lambda s: t.polynomial_decay(0.1, s, 20, 0.01, power=2.0), nodes=False),
        "polynomial cycle": over_steps(tf, np, lambda s: t.polynomial_decay(0.1, s, 20, 0.01, cycle=True), nodes=False),
        "cosine": over_steps(tf, np, lambda s: t.cosine_decay(0.1, s, 20, alpha=0.1)),
        "restarts": over_steps(tf, np, lambda s: t.cosine_decay_restarts(0.1, s, 8, t_mul=2.0, m_mul=0.5), nodes=False),
        "restarts even": over_steps(tf, np, lambda s: t.cosine_decay_restarts(0.1, s, 8, t_mul=1.0), nodes=False),
        "linear cosine": over_steps(tf, np, lambda s: t.linear_cosine_decay(0.1, s, 20)),
    }


@program
def rates_of_pieces(tf, np):
    t = tf.train

    def by_step():
        step = tf.Variable(0, trainable=False, dtype=tf.int64)
        rate = t.piecewise_constant(step, [5, 10, 20], [1.0, 0.5, 0.25, 0.1])
        train = tf.train.GradientDescentOptimizer(rate).minimize(tf.Variable(1.0) * 2.0, global_step=step)
        with tf.Session() as session:
            session.run(tf.global_variables_initializer())
            return [rate.dtype, rate.shape, [session.run([rate, train])[0] for _ in range(24)]]

    return {
        "values": over_steps(tf, np, lambda s: t.piecewise_constant(s, [1, 10], [0.1, 0.01, 0.001]), nodes=False)[2],
        "nodes": fresh(
            tf, lambda: [op.name for op in t.piecewise_constant(tf.constant(3), [1, 9], [0.3, 0.2, 0.1]).graph.get_operations()]
        ),
        "one boundary": over_steps(tf, np, lambda s: t.piecewise_constant_decay(s, [7], [1, 2], name="mine"), nodes=False)[1:],
        "floats": fresh(tf, lambda: tf.Session().run(t.piecewise_constant(1.5, [1.0, 2.0], [1.0, 2.0, 3.0]))),
        "of a variable": fresh(tf, by_step)[:2],
        "float boundaries": fresh(tf, lambda: t.piecewise_constant(tf.constant(1), [1.5], [1.0, 2.0])),
        "several dtypes": fresh(tf, lambda: t.piecewise_constant(tf.constant(1), [1], [1.0, 2])),
        "too few values": fresh(tf, lambda: t.piecewise_constant(tf.constant(1), [1, 2], [1.0, 2.0])),
        "boundaries that fall": fresh(tf, lambda: tf.Session().run(t.piecewise_constant(7, [10, 5], [1.0, 2.0, 3.0]))).classes[:1],
    }


@program
def the_global_step(tf, np):
    t = tf.train
    before = t.get_global_step()
    step = t.get_or_create_global_step()
    found = [before, step.name, step.dtype, t.get_global_step() is step, t.get_or_create_global_step() is step]
    again = attempt(t.create_global_step)
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        count = t.global_step(session, step)
    wrong = [
        attempt(lambda: t.assert_global_step(tf.constant(1.0))),
        attempt(lambda: t.assert_global_step(tf.constant([1, 2]))),
        attempt(lambda: t.assert_global_step(3)),
    ]
    return [found, again, count, wrong, [v.name for v in tf.get_collection(tf.GraphKeys.GLOBAL_STEP)]]
