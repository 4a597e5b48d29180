"""The functions of tf.keras.backend and tf.keras.activations: nodes and values, called by 1.15's names of arguments."""

from harness import Near, attempt, fresh, graph_of, program


def built(tf, np, function, shapes=None, run=True):
    """The nodes and the value of function(x, y, b): two matrices of numbers and one of bools; or of placeholders."""

    def made():
        if shapes:
            x, y = (tf.placeholder("float32", shapes[1], name=name) for name in "xy")
            b = tf.placeholder("bool", shapes[0], name="b")
        else:
            x = tf.constant([[1.0, -2.0, 3.0], [4.0, 5.0, -6.0]], name="x")
            y = tf.constant([[1.0, 2.0, 3.0], [2.0, 2.0, 2.0]], name="y")
            b = tf.constant([[True, False, True], [True] * 3], name="b")
        z = function(x, y, b)
        value = tf.Session().run(z) if run and not shapes else None
        if isinstance(value, np.ndarray) and value.dtype == np.float32:
            value = Near(value, 1e-5)
        return [graph_of(tf), value]

    return fresh(tf, made)


@program
def numbers(tf, np):
    K = tf.keras.backend
    alone = [K.abs, K.cos, K.exp, K.round, K.sigmoid, K.sign, K.sin, K.softplus, K.softsign, K.square, K.tanh, K.sqrt, K.elu,
             K.hard_sigmoid, K.relu, K.softmax]  # fmt: skip
    pairs = [K.equal, K.greater, K.greater_equal, K.less, K.less_equal, K.not_equal, K.maximum, K.minimum]
    return [
        [built(tf, np, lambda x, y, b, f=f: f(x=x)) for f in alone],
        [built(tf, np, lambda x, y, b, f=f: f(x=x, y=y)) for f in pairs],
        built(tf, np, lambda x, y, b: K.pow(x=x, a=2)),
        built(tf, np, lambda x, y, b: K.log(x=y)),
        built(tf, np, lambda x, y, b: K.softmax(x, axis=0)),
        built(tf, np, lambda x, y, b: K.relu(x, alpha=0.1, max_value=2, threshold=1)),
        built(tf, np, lambda x, y, b: K.clip(x, 2, 1)),
        built(tf, np, lambda x, y, b: K.l2_normalize(x, 1)),
    ]


@program
def reductions(tf, np):
    K = tf.keras.backend
    named = [K.sum, K.max, K.min, K.prod, K.mean, K.std, K.var]
    return [
        [[built(tf, np, lambda x, y, b, f=f: f(x=x)), built(tf, np, lambda x, y, b, f=f: f(x, 1, True))] for f in named],
        [[built(tf, np, lambda x, y, b, f=f: f(x=b)), built(tf, np, lambda x, y, b, f=f: f(x, axis=1, keepdims=True))] for f in (K.all, K.any)],
        [[built(tf, np, lambda x, y, b, f=f: f(x=x)), built(tf, np, lambda x, y, b, f=f: f(x, 0))] for f in (K.argmax, K.argmin)],
        [[built(tf, np, lambda x, y, b, f=f: f(x=x)), built(tf, np, lambda x, y, b, f=f: f(x, axis=1))] for f in (K.cumsum, K.cumprod)],
    ]


@program
def shapes(tf, np):
    K = tf.keras.backend
    functions = [
        lambda x, y, b: K.expand_dims(x=x), lambda x, y, b: K.expand_dims(x, 0), lambda x, y, b: K.ones_like(x=x),
        lambda x, y, b: K.zeros_like(x=x, dtype="int32", name="q"), lambda x, y, b: K.reshape(x=x, shape=(3, 2)),
        lambda x, y, b: K.shape(x=x), lambda x, y, b: K.stack(x=[x, y]), lambda x, y, b: K.stack([x, y], axis=-1),
        lambda x, y, b: K.transpose(x=x), lambda x, y, b: K.repeat_elements(x=x, rep=2, axis=1), lambda x, y, b: K.batch_flatten(x),
        lambda x, y, b: K.concatenate([x, y]), lambda x, y, b: K.concatenate([x, y], axis=-2), lambda x, y, b: K.arange(3),
        lambda x, y, b: K.arange(1, 5, 2, dtype="float32"), lambda x, y, b: K.cast(x=x, dtype="int32"),
        lambda x, y, b: K.in_top_k(predictions=x, targets=tf.constant([0, 1]), k=1), lambda x, y, b: K.repeat(x, 2),
        lambda x, y, b: K.permute_dimensions(x, (1, 0)), lambda x, y, b: K.tile(x, (1, 2)), lambda x, y, b: K.reverse(x, 1),
        lambda x, y, b: K.one_hot(tf.constant([0, 1]), 3), lambda x, y, b: K.gather(x, tf.constant([1])),
        lambda x, y, b: K.gradients(loss=K.sum(x * y), variables=[x]), lambda x, y, b: K.print_tensor(x, "m"),
        lambda x, y, b: K.sparse_categorical_crossentropy(target=tf.constant([0, 1]), output=y),
    ]  # fmt: skip
    unknown = ([2, 3], [None, 2, 3])
    return [
        [built(tf, np, f, run=number != 24) for number, f in enumerate(functions)],
        built(tf, np, lambda x, y, b: K.batch_flatten(x), unknown),
        built(tf, np, lambda x, y, b: K.repeat_elements(x, 2, 0), unknown),
        built(tf, np, lambda x, y, b: K.concatenate([x, y]), ([2], None)),
        attempt(lambda: K.argmax(tf.zeros([2, 3, 4])).shape.as_list()),
    ]


@program
def choices(tf, np):
    K = tf.keras.backend
    return [
        built(tf, np, lambda x, y, b: K.switch(b, x, y)),
        built(tf, np, lambda x, y, b: K.switch(b, x, y), ([], [2])),
        built(tf, np, lambda x, y, b: K.switch(b, lambda: x + 1, lambda: y * 2), ([], [2])),
        built(tf, np, lambda x, y, b: K.switch(b, x, y), ([2], [2, 3])),
        built(tf, np, lambda x, y, b: K.switch(b, lambda: x, lambda: y), ([2, 1], [2, 3])),
        built(tf, np, lambda x, y, b: K.switch(b, x, y), ([2, 1], [2, 1, 3])),
        built(tf, np, lambda x, y, b: K.switch(K.cast(b, "float32"), x, y), ([], [2, 3])),
        built(tf, np, lambda x, y, b: K.switch(b, x, y), ([2, 3], [2])),
        built(tf, np, lambda x, y, b: K.in_train_phase(x, y, training=b), ([], [3])),
        built(tf, np, lambda x, y, b: K.in_train_phase(lambda: x + 1, y, training=1), ([], [3])),
        built(tf, np, lambda x, y, b: K.in_test_phase(x, y, training=b), ([], [3])),
    ]


@program
def activations(tf, np):
    A = tf.keras.activations
    names = ("elu", "exponential", "hard_sigmoid", "linear", "relu", "selu", "sigmoid", "softmax", "softplus", "softsign", "tanh")
    return [
        [[name, built(tf, np, lambda x, y, b, name=name: getattr(A, name)(x=x)), A.serialize(activation=getattr(A, name))] for name in names],
        built(tf, np, lambda x, y, b: A.softmax(x), ([], [2, 3, 4])),
        built(tf, np, lambda x, y, b: A.softmax(x, axis=1), ([], [2, 3, 4])),
        built(tf, np, lambda x, y, b: A.softmax(x, axis=0)),
        built(tf, np, lambda x, y, b: A.softmax(x), ([], [2])),
        built(tf, np, lambda x, y, b: tf.keras.layers.Dense(2, activation="softmax", name="d")(x), ([], [2, 3, 4])),
        A.deserialize(name="relu").__name__, A.deserialize("mine", custom_objects={"mine": A.elu}).__name__, A.get(None).__name__,
        attempt(lambda: A.get("x")), attempt(lambda: A.get(3)),
        tf.keras.layers.Dense(2, activation=A.relu).get_config()["activation"],
        tf.keras.layers.Dense(2, activation=tf.nn.softmax).get_config()["activation"],
    ]  # fmt: skip


@program
def named_objects(tf, np):
    I, R, C = tf.keras.initializers, tf.keras.regularizers, tf.keras.constraints

    class Mine(R.Regularizer):
        def __call__(self, x):
            return tf.reduce_sum(x)

        def get_config(self):
            return {}

    return [
        I.serialize(initializer=I.Ones()), type(I.deserialize(config="zeros")).__name__,
        type(I.deserialize({"class_name": "M", "config": {}}, custom_objects={"M": I.Ones})).__name__,
        R.serialize(regularizer=R.l2(0.5)), R.deserialize({"class_name": "L1L2", "config": {"l1": 0.5}}).get_config(),
        R.serialize(Mine()), type(R.deserialize({"class_name": "Mine", "config": {}}, custom_objects={"Mine": Mine})).__name__,
        C.serialize(constraint=C.NonNeg()), type(C.deserialize("NonNeg")).__name__,
        isinstance(R.l1(), R.Regularizer), attempt(lambda: R.Regularizer().get_config()).classes[0],
    ]  # fmt: skip
