"""Every optimizer over 20 steps beside the oracle: losses, variables, slots and their names."""

import collections

from harness import Near, attempt, fresh, program

OPTIMIZERS = {
    "gradient descent": lambda tf, rate: tf.train.GradientDescentOptimizer(rate),
    "momentum": lambda tf, rate: tf.train.MomentumOptimizer(rate, 0.5),
    "nesterov": lambda tf, rate: tf.train.MomentumOptimizer(rate, 0.5, use_nesterov=True),
    "adam": lambda tf, rate: tf.train.AdamOptimizer(rate),
    "adagrad": lambda tf, rate: tf.train.AdagradOptimizer(rate),
    "adagrad da": lambda tf, rate: tf.train.AdagradDAOptimizer(
        rate, tf.Variable(0, trainable=False, dtype=tf.int64), l1_regularization_strength=0.01
    ),
    "adadelta": lambda tf, rate: tf.train.AdadeltaOptimizer(rate),
    "rmsprop": lambda tf, rate: tf.train.RMSPropOptimizer(rate, momentum=0.5),
    "rmsprop centered": lambda tf, rate: tf.train.RMSPropOptimizer(rate, centered=True),
    "ftrl": lambda tf, rate: tf.train.FtrlOptimizer(rate, l1_regularization_strength=0.01, l2_regularization_strength=0.02),
    "ftrl shrinkage": lambda tf, rate: tf.train.FtrlOptimizer(rate, l2_shrinkage_regularization_strength=0.1),
    "proximal gradient descent": lambda tf, rate: tf.train.ProximalGradientDescentOptimizer(rate, 0.01, 0.02),
    "proximal adagrad": lambda tf, rate: tf.train.ProximalAdagradOptimizer(rate, 0.1, 0.01, 0.02),
}
RATE = 0.02


def trained(tf, np, make, *, resource=False, rows=False, dtype="float32", rate=RATE, steps=20, shared=False, within=1e-5, factor=3.0):
    """What 20 steps of an optimizer leave behind.

    rows: of the variable, one of them twice. shared: the variable is used whole, too, and by two parts of the program.
    """
    w = tf.Variable(np.array([[1, 2], [3, -4], [0.5, 0.25]], dtype), name="w", use_resource=resource)
    b = tf.Variable(np.array([0.1, 0.2], dtype), name="b", use_resource=resource)
    x = tf.gather(w, [0, 2, 0]) if rows else w
    loss = tf.reduce_sum(tf.square(x * factor - 1.0)) + tf.reduce_sum(b * b)
    if shared:
        loss += tf.reduce_sum(w * tf.gather(w, [1, 1, 0])) + tf.reduce_sum(tf.matmul(w, tf.reshape(b, [2, 1])))
    optimizer = make(tf, rate(tf) if callable(rate) else rate)
    step = tf.Variable(0, trainable=False, name="step", use_resource=resource)
    train = optimizer.minimize(loss, global_step=step)
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        losses = []
        for _ in range(steps):  # apart: nothing says whether a loss that is fetched with the step is the one before it
            session.run(train)
            losses.append(session.run(loss))
        return {
            "losses": Near(np.array(losses), within),
            "variables": {v.name: Near(session.run(v), within) for v in tf.global_variables()},
            "slots": [optimizer.get_slot_names(), [v.name for v in optimizer.variables()]],
            "train": [train.name, train.type, tf.get_collection(tf.GraphKeys.TRAIN_OP)[0] is train],
        }


def all_of(tf, np, without=(), **options):
    return {
        name: fresh(tf, lambda make=make: trained(tf, np, make, **options))
        for name, make in OPTIMIZERS.items()
        if name not in without
    }


# TF takes no float16 and no float64 for the two proximal optimizers, and no float16 for the dual averaging.
PROXIMAL = ("proximal gradient descent", "proximal adagrad")


@program
def of_reference_variables(tf, np):
    return all_of(tf, np)


@program
def of_resource_variables(tf, np):
    return all_of(tf, np, resource=True)


@program
def of_rows_of_reference_variables(tf, np):
    return all_of(tf, np, rows=True)


@program
def of_rows_of_resource_variables(tf, np):
    return all_of(tf, np, rows=True, resource=True)


@program
def of_float64(tf, np):
    return all_of(tf, np, without=PROXIMAL, dtype="float64")


@program
def of_resource_variables_of_float64(tf, np):
    return all_of(tf, np, without=PROXIMAL, resource=True, dtype="float64")


@program
def of_rows_of_float64(tf, np):
    return [
        all_of(tf, np, without=PROXIMAL, dtype="float64", rows=True),
        all_of(tf, np, without=PROXIMAL, dtype="float64", rows=True, resource=True),
    ]


@program
def of_shared_variables(tf, np):
    return [all_of(tf, np, shared=True, rate=0.005), all_of(tf, np, shared=True, rows=True, resource=True, rate=0.005)]


@program
def with_a_tensor_as_rate(tf, np):
    return all_of(tf, np, rate=lambda tf: tf.constant(RATE) * 0.5)


@program
def of_rows_with_a_tensor_as_rate(tf, np):
    return [
        all_of(tf, np, rate=lambda tf: tf.constant(RATE) * 0.5, rows=True),
        all_of(tf, np, without=PROXIMAL, rate=lambda tf: tf.constant(RATE, tf.float64), rows=True, resource=True, dtype="float64"),
    ]


@program
def of_float16(tf, np):
    def some(**options):
        return all_of(tf, np, without=(*PROXIMAL, "adagrad da"), dtype="float16", within=1e-2, factor=0.5, **options)

    return [some(), some(rows=True), some(resource=True), some(rows=True, resource=True)]


@program
def refusals(tf, np):
    v = tf.Variable(1.0, name="v")
    n = tf.Variable(1, name="n")
    train = tf.train
    sgd = train.GradientDescentOptimizer(0.1)

    def without_variables():
        return sgd.minimize(tf.constant(1.0))

    return {
        "no variables": fresh(tf, without_variables),
        "no gradients": attempt(lambda: sgd.minimize(tf.constant(1.0), var_list=[v])).classes,
        "whole numbers": attempt(lambda: [g for g, _ in sgd.compute_gradients(v * v, var_list=[n])]),
        "gate": attempt(lambda: sgd.compute_gradients(v * v, gate_gradients=7)),
        "nothing": attempt(lambda: sgd.apply_gradients([])),
        "all none": attempt(lambda: sgd.apply_gradients([(None, v)])).classes,
        "a tensor": attempt(lambda: sgd.apply_gradients([(tf.constant(1.0), tf.constant(1.0))])).classes,
        "no name": attempt(lambda: train.GradientDescentOptimizer(0.1, name="")),
        "adagrad": attempt(lambda: train.AdagradOptimizer(0.1, initial_accumulator_value=0.0)),
        "gates": [train.Optimizer.GATE_NONE, train.Optimizer.GATE_OP, train.Optimizer.GATE_GRAPH],
    }


@program
def by_hand(tf, np):
    """Gradients taken, changed and applied; constraints; a variable used twice; two optimizers of one variable."""
    v = tf.Variable([1.0, -2.0], name="v", constraint=lambda x: tf.maximum(x, 0.0))
    loss = tf.reduce_sum(v * v) + tf.reduce_sum(tf.exp(v))
    adam, momentum = tf.train.AdamOptimizer(0.1), tf.train.MomentumOptimizer(0.1, 0.9)
    pairs = adam.compute_gradients(loss, gate_gradients=tf.train.Optimizer.GATE_GRAPH)
    clipped = [(tf.clip_by_norm(g, 1.0), v) for g, v in pairs]
    first, second = adam.apply_gradients(clipped), momentum.minimize(loss)
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        found = []
        for _ in range(3):
            session.run(first)
            found.append(session.run(v))
            session.run(second)
            found.append(session.run(v))
        return [found, [v.name for v in tf.global_variables()], first.name, second.name, adam.get_name()]


@program
def variables_in_other_containers(tf, np):
    def stepped(contained):
        def step():
            variables = {"a": tf.Variable(1.0), "b": tf.Variable(2.0)}
            train = tf.train.GradientDescentOptimizer(0.1).minimize(variables["a"] * variables["b"], var_list=contained(variables))
            with tf.Session() as sess:
                sess.run(tf.group(*(v.initializer for v in variables.values())))
                sess.run(train)
                return sess.run(list(variables.values()))

        return fresh(tf, step)

    containers = [
        lambda d: d.values(), lambda d: collections.OrderedDict(d).values(), lambda d: collections.deque(d.values()), lambda d: d,
        lambda d: tuple(d.values()), lambda d: [[d["a"]], d["b"]], lambda d: d["a"], lambda d: [], lambda d: {}.values(),
    ]  # fmt: skip
    return [stepped(contained) for contained in containers]
