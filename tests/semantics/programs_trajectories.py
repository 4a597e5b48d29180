"""Five steps of every training example beside the oracle: the seeds' programs, networks of every kind that the engine trains.

The loss is computed in a run of its own after each step: nothing says whether a loss that is fetched with the step reads the
variables before or after it (the seed's 0.1 * l2_loss(w) waits for no update, and no update waits for it).
"""

import itertools

from harness import fresh, program

STEPS = 5
registered = itertools.count()  # a gradient's name can be registered once in a process


def numbers(np, *shape, seed=0):
    return np.random.RandomState(seed).uniform(-1.0, 1.0, shape).astype(np.float32)


def features(tf, x):
    return tf.stack([tf.square(x), x, tf.ones_like(x)], 1)


def polynomial(tf, np):
    """The seed's: three weights of a parabola."""
    x, y = tf.placeholder(tf.float32), tf.placeholder(tf.float32)
    w = tf.get_variable("w", initializer=numbers(np, 3, 1))
    yhat = tf.squeeze(tf.matmul(features(tf, x), w), 1)
    loss = tf.nn.l2_loss(yhat - y) + 0.1 * tf.nn.l2_loss(w)
    values = [10.0 * numbers(np, 100, seed=step) for step in range(STEPS)]
    return loss, tf.train.AdamOptimizer(0.1).minimize(loss), lambda step: {x: values[step], y: 5 * values[step] ** 2 + 3}


def parallel(tf, np):
    """The seed's, on two devices whose halves of the batch share the weights."""

    def model(x, y):
        w = tf.get_variable("w", initializer=numbers(np, 3, 1))
        return tf.square(tf.squeeze(tf.matmul(features(tf, x), w), 1) - y)

    x, y = tf.placeholder(tf.float32), tf.placeholder(tf.float32)
    halves = []
    for i, (a, b) in enumerate(zip(tf.split(x, 2), tf.split(y, 2), strict=True)):
        with tf.device(f"/gpu:{i}"), tf.variable_scope(tf.get_variable_scope(), reuse=i > 0):
            halves.append(model(a, b))
    loss = tf.reduce_mean(tf.concat(halves, 0))
    train = tf.train.AdamOptimizer(0.1).minimize(loss, colocate_gradients_with_ops=True)
    values = 10.0 * numbers(np, 100)
    return loss, train, lambda step: {x: values, y: 5 * values**2 + 3}


def entropy(tf, np):
    """The seed's: the logits of most entropy."""
    w = tf.get_variable("w", initializer=3.0 * numbers(np, 5))
    probs = tf.nn.softmax(w, -1)
    loss = -tf.reduce_sum(probs * (tf.reduce_logsumexp(w, -1, keep_dims=True) - w), -1)
    return loss, tf.train.AdamOptimizer(0.1).minimize(loss), None


def undefined_entropy(tf, np):
    """The seed's, by a cross entropy that has no gradient for its labels."""
    w = tf.get_variable("w", initializer=numbers(np, 5))
    loss = -tf.nn.softmax_cross_entropy_with_logits(labels=tf.nn.softmax(w), logits=w)
    return loss, tf.train.AdamOptimizer().minimize(loss), None


def relu_of_python(tf, np):
    """The seed's: a network whose ReLU and its gradient are Python functions."""
    name = f"TrajectoryRelu_{next(registered)}"

    def gradient(op, grad):
        return grad * tf.py_func(lambda x: np.float32(x > 0), [op.inputs[0]], tf.float32)

    tf.RegisterGradient(name)(gradient)

    def relu(x):
        with tf.get_default_graph().gradient_override_map({"PyFunc": name}):
            made = tf.py_func(lambda a: np.maximum(a, 0.0), [x], tf.float32)
        made.set_shape(x.shape)
        return made

    return network(tf, np, relu, tf.train.GradientDescentOptimizer(0.2))


def network(tf, np, activation, optimizer, resource=False, labels="sparse"):
    x = tf.constant(numbers(np, 16, 6))
    with tf.variable_scope("net", use_resource=resource):
        hidden = x
        for layer, (m, n) in enumerate(((6, 8), (8, 5), (5, 3))):
            w = tf.get_variable(f"w{layer}", initializer=numbers(np, m, n, seed=layer))
            b = tf.get_variable(f"b{layer}", [n], initializer=tf.zeros_initializer())
            hidden = tf.matmul(hidden, w) + b
            hidden = activation(hidden) if layer < 2 else hidden
    right = tf.constant(np.arange(16) % 3)
    if labels == "sparse":
        loss = tf.losses.sparse_softmax_cross_entropy(right, hidden)
    else:
        loss = tf.losses.sigmoid_cross_entropy(tf.one_hot(right, 3), hidden, weights=2.0)
    step = tf.train.get_or_create_global_step()
    return loss, optimizer.minimize(loss, global_step=step), None


def mlp(tf, np):
    return network(tf, np, tf.nn.relu, tf.train.AdamOptimizer(0.01))


def mlp_of_resources(tf, np):
    return network(tf, np, tf.nn.elu, tf.train.MomentumOptimizer(0.1, 0.9, use_nesterov=True), resource=True)


def mlp_of_sigmoids(tf, np):
    return network(tf, np, tf.sigmoid, tf.train.RMSPropOptimizer(0.01, centered=True), labels="dense")


def falling_rate(tf, np):
    step = tf.train.get_or_create_global_step()
    rate = tf.train.exponential_decay(0.5, step, 2, 0.5, staircase=True)
    return network(tf, np, tf.tanh, tf.train.GradientDescentOptimizer(rate))


def averaged(tf, np):
    """The moving averages are updated after each step, by control dependency."""
    loss, train, feeds = network(tf, np, tf.nn.softplus, tf.train.AdagradOptimizer(0.1))
    averages = tf.train.ExponentialMovingAverage(0.5)
    with tf.control_dependencies([train]):
        train = averages.apply(tf.trainable_variables())
    total = tf.add_n([tf.reduce_sum(averages.average(v)) for v in tf.trainable_variables()])
    return tf.stack([loss, total]), train, feeds


def clipped_and_regularized(tf, np):
    tf.train.create_global_step()  # a whole number, which no regularizer takes
    with tf.variable_scope("", regularizer=lambda v: 0.01 * tf.nn.l2_loss(v)):
        loss, _, _ = network(tf, np, tf.nn.leaky_relu, tf.train.GradientDescentOptimizer(0.0))
    loss = tf.losses.get_total_loss()
    optimizer = tf.train.FtrlOptimizer(0.3, l1_regularization_strength=0.001)
    gradients, variables = zip(*optimizer.compute_gradients(loss), strict=True)
    clipped, _ = tf.clip_by_global_norm(gradients, 0.5)
    return loss, optimizer.apply_gradients(zip(clipped, variables, strict=True)), None


def embeddings(tf, np):
    """Rows of a table, some of them several times in a batch."""
    table = tf.get_variable("table", initializer=numbers(np, 6, 4))
    w = tf.get_variable("w", initializer=numbers(np, 4, 6, seed=1))
    words = tf.placeholder(tf.int32, [None])
    logits = tf.matmul(tf.gather(table, words), w)
    loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=(words + 1) % 6, logits=logits))
    batches = [np.array(b) for b in ([0, 1, 0], [2, 2, 2, 5], [3], [4, 1, 0, 1, 4], [5, 0])]
    return loss, tf.train.AdagradOptimizer(0.5).minimize(loss), lambda step: {words: batches[step]}


def lenet(tf, np):
    """Strokes on a black ground: with biases of 0, the ground's zeros must pass two convolutions as zeros."""
    layer = tf.constant(np.maximum(numbers(np, 6, 8, 8, 1) - 0.7, 0))
    for i, (m, n) in enumerate(((1, 4), (4, 6))):
        filters = tf.get_variable(f"filters{i}", initializer=0.4 * numbers(np, 3, 3, m, n, seed=i))
        bias = tf.get_variable(f"offsets{i}", [n], initializer=tf.zeros_initializer())
        layer = tf.nn.relu(tf.nn.bias_add(tf.nn.conv2d(layer, filters, [1, 1, 1, 1], "SAME"), bias))
        layer = tf.nn.max_pool(layer, [1, 2, 2, 1], [1, 2, 2, 1], "SAME")
    w = tf.get_variable("w", initializer=numbers(np, 24, 3, seed=2))
    logits = tf.matmul(tf.reshape(layer, [-1, 24]), w)
    right = tf.constant(np.arange(6) % 3)
    loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=right, logits=logits))
    return loss, tf.train.MomentumOptimizer(0.2, 0.9).minimize(loss), None


def autoencoder(tf, np):
    """A convolution with strides and the transposed one that makes images as large as before."""
    images = tf.constant(numbers(np, 4, 6, 6, 2))
    filters = tf.get_variable("filters", initializer=0.4 * numbers(np, 3, 3, 2, 5))
    code = tf.nn.elu(tf.nn.conv2d(images, filters, [1, 2, 2, 1], "SAME"))
    back = tf.get_variable("back", initializer=0.4 * numbers(np, 3, 3, 2, 5, seed=1))
    shown = tf.nn.conv2d_transpose(code, back, tf.shape(images), [1, 2, 2, 1])
    loss = tf.reduce_mean(tf.square(shown - images))
    return loss, tf.train.AdamOptimizer(0.05).minimize(loss), None


def two_players(tf, np):
    """Two optimizers, each of its own variables, in turn."""
    a = tf.get_variable("a", initializer=numbers(np, 3))
    b = tf.get_variable("b", initializer=numbers(np, 3, seed=1))
    value = tf.reduce_sum(a * b) + 0.1 * (tf.reduce_sum(a * a) - tf.reduce_sum(b * b))
    first = tf.train.GradientDescentOptimizer(0.3).minimize(value, var_list=[a])
    with tf.control_dependencies([first]):
        pairs = tf.train.AdamOptimizer(0.1).compute_gradients(-value, [b])
        second = tf.train.AdamOptimizer(0.1).apply_gradients(pairs)
    return value, second, None


EXAMPLES = (
    polynomial, parallel, entropy, undefined_entropy, relu_of_python, mlp, mlp_of_resources, mlp_of_sigmoids, falling_rate,
    averaged, clipped_and_regularized, embeddings, lenet, autoencoder, two_players,
)  # fmt: skip


def trajectory(tf, np, example, **settings):
    """The losses after each of five steps, and what the variables are then."""
    np.random.seed(0)
    tf.set_random_seed(1)
    loss, train, feeds = example(tf, np)
    with tf.Session(**settings) as session:
        session.run(tf.global_variables_initializer())
        losses = []
        for step in range(STEPS):
            feed = feeds(step) if feeds else {}
            session.run(train, feed)
            losses.append(session.run(loss, feed))
        # a gradient that is rounding alone moves Adam's weights by as much as any other
        kept = [] if example is undefined_entropy else tf.global_variables()
        return [np.array(losses), {v.name: session.run(v) for v in kept}]


@program
def of_every_training_example(tf, np):
    config = tf.ConfigProto(allow_soft_placement=True)  # the seed's two GPUs
    return {e.__name__: fresh(tf, lambda e=e: trajectory(tf, np, e, config=config)) for e in EXAMPLES}
