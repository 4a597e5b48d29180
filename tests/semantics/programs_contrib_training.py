"""tf.contrib.layers: optimize_loss, adaptive clipping, summaries of collections; whole networks that train."""

from harness import attempt, fresh, graph_of, program, signature_text


@program
def signatures(tf, np):
    names = "optimize_loss summarize_activation summarize_activations summarize_collection summarize_tensor summarize_tensors"
    layers = tf.contrib.layers
    return [
        {name: signature_text(getattr(layers, name)) for name in names.split()},
        sorted(layers.OPTIMIZER_CLS_NAMES), layers.OPTIMIZER_SUMMARIES,
        {name: signature_text(getattr(tf.contrib.slim, name)) for name in ("summarize_biases", "summarize_variables", "summarize_weights")},
        signature_text(tf.contrib.slim.adaptive_clipping_fn),
    ]  # fmt: skip


def trained(tf, make, nodes=True, steps=3):
    """Some steps of the training that make(loss, step, variable) builds: losses, variables, and the graph."""

    def run():
        tf.set_random_seed(4)
        v = tf.get_variable("w", [2], initializer=tf.constant_initializer([1.0, 2.0]))
        loss = tf.reduce_sum(tf.exp(v * [1.0, 0.5]), name="total")  # no update overtakes it: the gradient needs its exp
        step = tf.train.get_or_create_global_step()
        train = make(loss, step, v)
        with tf.Session() as session:
            session.run(tf.global_variables_initializer())
            losses = [session.run(train) for _ in range(steps)]
            values = session.run(tf.global_variables())
        return [train, losses, values, graph_of(tf) if nodes else [x.name for x in tf.get_collection("summaries")]]

    return fresh(tf, run)


@program
def optimize_loss(tf, np):
    layers = tf.contrib.layers
    optimize, every = layers.optimize_loss, layers.OPTIMIZER_SUMMARIES

    def with_updates(loss, step, v):
        counter = tf.get_variable("counter", [], initializer=tf.zeros_initializer(), trainable=False)
        tf.add_to_collection("update_ops", counter.assign_add(1.0))
        return optimize(
            loss, None, 0.1, tf.train.MomentumOptimizer(0.1, 0.9), clip_gradients=1.0, gradient_multipliers={v: 2.0}, summaries=every,
            learning_rate_decay_fn=lambda rate, at: tf.train.exponential_decay(rate, at, 10, 0.5), name="opt",
        )  # fmt: skip

    return {
        "plain": trained(tf, lambda loss, step, v: optimize(loss, step, 0.1, "SGD")),
        "all": trained(tf, with_updates),
        "no rate": trained(tf, lambda loss, step, v: optimize(
            loss, step, None, lambda: tf.train.AdamOptimizer(0.1), summaries=[], increment_global_step=False, update_ops=[], variables=[v])),
        "a tensor": trained(tf, lambda loss, step, v: optimize(
            loss, step, tf.constant(0.1), tf.train.AdagradOptimizer, summaries=["loss", "gradients"], clip_gradients=lambda pairs: pairs)),
        "names": trained(tf, lambda loss, step, v: optimize(loss, step, 0.1, "SGD", gradient_multipliers={"w:0": 0.5, "other": 3.0}), nodes=False),
        "noise": trained(tf, lambda loss, step, v: optimize(loss, step, 0.1, "SGD", gradient_noise_scale=0.5), nodes=False),
        "each": [
            trained(tf, lambda loss, step, v, n=n: optimize(loss, step, 0.1, n, summaries=[]), nodes=False)[1]
            for n in sorted(layers.OPTIMIZER_CLS_NAMES)
        ],
        "sparse": trained(tf, lambda loss, step, v: optimize(
            tf.reduce_sum(tf.gather(v, [0, 0])), step, 0.1, "SGD", clip_gradients=1.0, gradient_multipliers={v: 2.0}, summaries=every), nodes=False),
    }  # fmt: skip


@program
def adaptive_clipping(tf, np):
    clipping = tf.contrib.slim.adaptive_clipping_fn

    def make(loss, step, v):
        clip = clipping(static_max_norm=1.5, global_step=step, report_summary=True)
        return tf.contrib.layers.optimize_loss(loss, step, 0.1, "SGD", clip_gradients=clip)

    return [
        trained(tf, make),
        trained(tf, lambda loss, step, v: tf.contrib.layers.optimize_loss(loss, step, 0.1, "SGD", clip_gradients=clipping(1.0, 0.5, name="mine")), nodes=False),
    ]


@program
def wrong_arguments(tf, np):
    optimize = tf.contrib.layers.optimize_loss

    def wrong(*args, **kwargs):
        def run():
            v = tf.get_variable("w", [2], initializer=tf.ones_initializer())
            step = tf.train.get_or_create_global_step() if kwargs.pop("with_step", True) else None
            loss = kwargs.pop("loss", lambda v: tf.reduce_sum(v * v))(v)
            return optimize(loss, kwargs.pop("step", step), *args, **kwargs)

        return fresh(tf, run)

    return {
        "name": wrong(0.1, "q"), "no rate": wrong(None, "SGD"), "negative": wrong(-1.0, "SGD"), "text": wrong("x", "SGD"),
        "whole": wrong(1, "SGD"), "vector": wrong([0.1], "SGD"), "number": wrong(0.1, 3), "function": wrong(0.1, lambda rate: 3),
        "summary": wrong(0.1, "SGD", summaries=["q"]), "clip": wrong(0.1, "SGD", clip_gradients="s"), "clip int": wrong(0.1, "SGD", clip_gradients=5),
        "no variables": wrong(0.1, "SGD", variables=[]), "no gradients": wrong(0.1, "SGD", loss=lambda v: tf.constant(1.0)),
        "loss": wrong(0.1, "SGD", loss=lambda v: v), "step": wrong(0.1, "SGD", step=3),
        "no step": wrong(0.1, "SGD", with_step=False, learning_rate_decay_fn=lambda rate, step: rate),
        "class": attempt(lambda: wrong(None, tf.train.AdamOptimizer)).classes,
    }  # fmt: skip


@program
def summaries(tf, np):
    layers, slim = tf.contrib.layers, tf.contrib.slim
    x, c = tf.placeholder(tf.float32, [2, 3], name="x"), tf.constant(1.0, name="s/c")
    ys = [f(x, name=n) for f, n in ((tf.nn.relu, "r"), (tf.nn.relu6, "r6"), (tf.nn.softplus, "sp"), (tf.nn.tanh, "t"))]
    tf.add_to_collection("activations", ys[0])
    tf.add_to_collection("weights", tf.get_variable("w", [2]))
    said = [layers.summarize_tensor(x), layers.summarize_tensor(c), layers.summarize_tensor(c, "tag")]
    said += [layers.summarize_activation(y) for y in ys]
    said += [layers.summarize_tensors([x, c]), layers.summarize_activations(), layers.summarize_collection("activations")]
    said += [layers.summarize_activations(name_filter="zz"), slim.summarize_variables(), slim.summarize_weights(), slim.summarize_biases()]
    return [said, graph_of(tf)]


def digits(np, count=40):
    """Blurred pictures of a bar in one of four places, and the place."""
    random = np.random.RandomState(1)
    labels = np.arange(count) % 4
    images = 0.2 * random.uniform(size=(count, 8, 8, 1))
    for image, label in zip(images, labels):
        image[2 * label : 2 * label + 2] += 1.0
    return images.astype("f"), labels


def learned(tf, np, network, steps=5):
    """The losses of some steps, and the names of the variables."""

    def run():
        tf.set_random_seed(3)
        images, labels = digits(np)
        x, y = tf.placeholder(tf.float32, [None, 8, 8, 1]), tf.placeholder(tf.int64, [None])
        logits, end_points = network(x)
        tf.contrib.losses.sparse_softmax_cross_entropy(logits, y)
        loss = tf.contrib.losses.get_total_loss()
        train = tf.contrib.layers.optimize_loss(loss, tf.train.get_or_create_global_step(), 0.1, "SGD")
        with tf.Session() as session:
            session.run(tf.global_variables_initializer())
            losses = [session.run(train, {x: images, y: labels}) for _ in range(steps)]
        return [losses, [v.name for v in tf.contrib.framework.get_model_variables()], end_points, [x.name for x in tf.losses.get_regularization_losses()]]

    return fresh(tf, run)


@program
def lenet_of_slim(tf, np):
    slim = tf.contrib.slim

    def network(x):
        with slim.arg_scope([slim.conv2d, slim.fully_connected], weights_regularizer=slim.l2_regularizer(0.01), outputs_collections="end"):
            with slim.arg_scope([slim.max_pool2d], kernel_size=2):
                net = slim.conv2d(x, 4, 3, scope="conv1")
                net = slim.max_pool2d(net, scope="pool1")
                net = slim.repeat(net, 2, slim.conv2d, 6, 3, scope="conv2")
                net = slim.flatten(slim.max_pool2d(net, scope="pool2"))
                net = slim.dropout(slim.fully_connected(net, 16, scope="fc3"), 0.8, seed=7, scope="drop")
            logits = slim.fully_connected(net, 4, activation_fn=None, scope="fc4")
        return logits, sorted(slim.utils.convert_collection_to_dict("end"))

    return learned(tf, np, network)


@program
def batch_norm_in_an_arg_scope(tf, np):
    slim = tf.contrib.slim

    def network(x):
        with slim.arg_scope([slim.conv2d], normalizer_fn=slim.batch_norm, normalizer_params={"decay": 0.9, "scale": True}):
            with slim.arg_scope([slim.batch_norm], is_training=True):
                net = slim.separable_conv2d(slim.conv2d(x, 4, 3, stride=2), 6, 3, normalizer_fn=slim.batch_norm)
        net = tf.reduce_mean(net, [1, 2])
        return slim.linear(net, 4, scope="logits"), [v.name for v in slim.get_variables(suffix="moving_mean")]

    return learned(tf, np, network)


@program
def layers_by_themselves(tf, np):
    layers = tf.contrib.layers

    def network(x):
        net = layers.stack(layers.flatten(x), layers.fully_connected, [16, 8], activation_fn=tf.nn.elu, weights_initializer=layers.variance_scaling_initializer())
        net = layers.layer_norm(net)
        return layers.linear(layers.maxout(net, 4), 4, biases_initializer=None), len(tf.get_collection("model_variables"))

    return learned(tf, np, network)
