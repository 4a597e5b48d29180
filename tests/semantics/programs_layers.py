"""tf.layers: the class Layer, its scopes, names, variables, losses, updates and checks."""

# ruff: noqa: B023 - each function is called in its turn of the loop

from harness import attempt, fresh, graph_of, program


def facts(layer):
    """What a layer tells of itself."""
    names = ("name", "scope_name", "dtype", "trainable", "built", "variables", "trainable_variables", "non_trainable_variables")
    told = {name: attempt(lambda: getattr(layer, name)) for name in names}
    told["config"] = attempt(lambda: sorted(layer.get_config()))
    told["parameters"] = attempt(layer.count_params)
    told["losses"], told["updates"] = layer.losses, layer.updates
    return {key: [getattr(item, "name", item) for item in value] if isinstance(value, list) else value for key, value in told.items()}


def inputs(tf, *shape, **kwargs):
    return tf.placeholder(kwargs.get("dtype", tf.float32), shape)


def mine(tf):
    """A layer with a weight of each kind, losses and updates."""

    class Mine(tf.layers.Layer):
        def build(self, shape):
            self.w = self.add_variable("w", [2], regularizer=tf.nn.l2_loss)
            self.v = self.add_weight("v", shape=[2], trainable=False, initializer=tf.zeros_initializer())
            self.own = tf.Variable(1.0, name="own")
            self.shape = shape
            super().build(shape)

        def call(self, x):
            g = tf.get_variable("g", [2], initializer=tf.ones_initializer())
            self.add_loss(tf.reduce_sum(x, name="of_inputs"), inputs=x)
            self.add_loss(tf.reduce_sum(self.w, name="of_weights"))
            self.add_update(tf.assign(self.v, self.w))
            self.add_update(tf.assign(self.v, x[0]))
            return tf.identity(x * self.w + g, name="out")

    return Mine


@program
def called_twice(tf, np):
    x = inputs(tf, None, 2)
    layer = mine(tf)(name="mine")
    before = facts(layer)
    first, second = layer(x), layer.apply(x)
    return [before, first, second, layer.shape, facts(layer), graph_of(tf)]


@program
def losses_and_updates_by_inputs(tf, np):
    x = inputs(tf, None, 2)
    layer = mine(tf)()
    layer(x)
    answers = []
    for of in (x, None, tf.constant(1.0)):
        answers += [[one.name for one in layer.get_losses_for(of)], [one.name for one in layer.get_updates_for(of)]]
    layer.trainable = False
    return [answers, facts(layer), layer.get_updates_for(None), [v.name for v in tf.trainable_variables()]]


@program
def names_of_instances(tf, np):
    class RNNCell(tf.layers.Layer):
        pass

    class DenseV2x(tf.layers.Layer):
        pass

    class _Private(tf.layers.Layer):
        pass

    class MaxPooling2D(tf.layers.Layer):
        pass

    names = [kind().name for kind in (RNNCell, DenseV2x, _Private, MaxPooling2D, RNNCell, tf.layers.Layer, tf.layers.Dropout)]
    with tf.Graph().as_default():
        names.append(RNNCell().name)
    names.append(RNNCell(name="").name)
    return names


@program
def scopes_of_instances(tf, np):
    x = inputs(tf, None, 2)
    told = []

    def tell(scope=None, **options):
        layer = tf.layers.Dense(2, **options)
        result = attempt(lambda: layer(x) if scope is None else layer(x, scope=scope))
        told.append([layer.name, attempt(lambda: layer.scope_name), getattr(result, "name", result)])

    tell()
    tell(name="a/b")
    tell(name="c", scope="d")
    tell(_scope="e")
    with tf.variable_scope("f") as f:
        pass
    tell(_scope=f, name="g")
    tell(name=f)
    tell(scope="h", name="own")
    tell(_reuse=True, name="d")
    tell(_reuse=True)
    tell(_reuse=tf.AUTO_REUSE, name="i")
    tell(_reuse=tf.AUTO_REUSE, name="i")
    with tf.name_scope("j"):
        tell()
        tell(name="k")
    with tf.variable_scope("f"):
        tell()
    with tf.variable_scope("f", reuse=True):
        tell()
    return [told, graph_of(tf)]


@program
def functions_share_by_name(tf, np):
    x = inputs(tf, None, 3)
    with tf.variable_scope("s"):
        made = [tf.layers.dense(x, 4), tf.layers.dense(x, 4)]
    with tf.variable_scope("s", reuse=True):
        made += [tf.layers.dense(x, 4), tf.layers.dense(x, 4), tf.layers.dense(x, 4, name="dense")]
    made += [tf.layers.dense(x, 4, name="d"), tf.layers.dense(x, 4, name="d", reuse=True)]
    with tf.name_scope("outer"):
        made.append(tf.layers.dense(x, 4, name="d", reuse=tf.AUTO_REUSE))
    clash = attempt(lambda: tf.layers.dense(x, 4, name="d"))
    missing = attempt(lambda: tf.layers.dense(x, 4, name="missing", reuse=True))
    other = attempt(lambda: tf.layers.dense(x, 5, name="d", reuse=True))
    return [made, clash, missing, other, [v.name for v in tf.global_variables()]]


@program
def scope_options_reach_the_weights(tf, np):
    x = inputs(tf, None, 2)
    asked = []

    def getter(getter, name, *args, **kwargs):
        asked.append([name, sorted(kwargs), kwargs["trainable"], kwargs["shape"], kwargs["dtype"]])
        return getter(name, *args, **kwargs)

    layer = tf.layers.Dense(3)
    with tf.variable_scope("ones", initializer=tf.ones_initializer(), regularizer=tf.nn.l2_loss, dtype=tf.float64, custom_getter=getter):
        layer(x)
    parts = tf.layers.Dense(4, name="parts", kernel_regularizer=tf.nn.l2_loss)
    with tf.variable_scope("parted", partitioner=tf.fixed_size_partitioner(2)):
        parts(x)
    with tf.variable_scope("resource", use_resource=True):
        tf.layers.dense(x, 2)
    frozen = tf.layers.Dense(2, trainable=False)
    frozen(x)
    shapes = [[w.shape.as_list() for w in one.weights] for one in (layer, parts, frozen)]
    return [asked, facts(layer), shapes, len(parts.trainable_weights), len(parts.losses), facts(frozen), graph_of(tf)]


@program
def regularizers_of_dense(tf, np):
    x = inputs(tf, None, 3)
    layer = tf.layers.Dense(2, kernel_regularizer=tf.nn.l2_loss, bias_regularizer=lambda b: None, activity_regularizer=tf.nn.l2_loss, name="d")
    layer(x)
    again = tf.layers.Dense(2, kernel_regularizer=tf.nn.l2_loss, name="d", _reuse=True)
    again(x)
    return [facts(layer), [t.name for t in layer.losses], facts(again), tf.losses.get_regularization_losses(), graph_of(tf)]


@program
def keywords_of_layers(tf, np):
    x = inputs(tf, None, 2)
    L = tf.layers.Layer
    return [
        attempt(lambda: L(name="x", foo=3)),
        L(name="x", input_shape=(3,), batch_input_shape=(2, 3)).name,
        L(True, "y", tf.float64).dtype,
        L(dtype="float16").dtype,
        attempt(lambda: L(True, "y", "no dtype")),
        attempt(lambda: L(name="_x")(x)),
        attempt(lambda: L(name="a b")(x)),
        attempt(lambda: setattr(L(), "name", "z")).classes,
        attempt(lambda: setattr(L(), "dtype", tf.float32)).classes,
        attempt(lambda: setattr(L(), "weights", [])).classes,
        attempt(lambda: tf.layers.Dense(3, foo=1)),
        attempt(lambda: tf.layers.Dropout(0.5, foo=1)),
        attempt(lambda: tf.layers.Flatten(foo=1)),
        attempt(lambda: tf.layers.InputSpec(axes=3)),
        attempt(lambda: tf.layers.InputSpec(ndim=2, axes={"a": 3})),
        attempt(lambda: tf.layers.InputSpec(ndim=2, axes={3: 3})),
        attempt(lambda: tf.layers.InputSpec(max_ndim=2, axes={4: 3})),
        attempt(lambda: tf.layers.InputSpec(dtype="foo")),
        repr(tf.layers.InputSpec(dtype=tf.float32, shape=(None, 3))),
        repr(tf.layers.InputSpec(min_ndim=2, axes={-1: 3})),
        tf.layers.InputSpec(ndim=3, max_ndim=4).get_config(),
    ]


@program
def never_connected(tf, np):
    layer = tf.layers.Dense(2, name="o")
    layer(inputs(tf, None, 2))
    names = ("input", "output", "input_shape", "output_shape", "input_mask", "output_mask", "inbound_nodes", "outbound_nodes")
    more = ("metrics", "activity_regularizer", "dynamic", "stateful", "supports_masking", "graph")
    at = ("get_input_at", "get_output_at", "get_input_shape_at", "get_output_shape_at", "get_input_mask_at", "get_output_mask_at")
    return [[attempt(lambda: getattr(layer, name)) for name in names + more], [attempt(lambda: getattr(layer, name)(0)) for name in at]]


@program
def default_methods(tf, np):
    x = inputs(tf, None, 2)
    layer = tf.layers.Layer(name="plain")

    class Own(tf.layers.Layer):
        def __init__(self, units, name=None):
            super().__init__(name=name)

    return [
        layer(x),
        attempt(lambda: type(layer.compute_output_shape((2, 3)))) if False else attempt(lambda: layer.compute_output_shape((2, 3))).classes,
        layer.compute_mask(x),
        attempt(lambda: layer.compute_mask(x, x)),
        tf.layers.Dropout().compute_mask(x, "mask"),
        layer.get_config(),
        tf.layers.Layer.from_config({"name": "q", "trainable": False}).get_config(),
        attempt(Own(3).get_config),
        attempt(lambda: tf.layers.Dense(2).count_params()),
        attempt(lambda: tf.layers.Dense(2, name="unused").scope_name),
        layer([x, x]),
        layer({"a": x}),
        layer(np.ones([2, 2], np.float32)),
        layer(3),
        tf.layers.Dense(2).compute_output_signature(tf.TensorSpec((5, 2))).shape,
    ]


@program
def input_specs(tf, np):
    P = tf.placeholder
    rows = [
        ({"ndim": 2}, (None, 2, 3)),
        ({"ndim": 2}, None),
        ({"min_ndim": 2}, (3,)),
        ({"max_ndim": 1}, (3, 2)),
        ({"dtype": tf.int32}, (3, 2)),
        ({"axes": {-1: 3}}, (3, 2)),
        ({"axes": {-1: 3}}, (3, None)),
        ({"axes": {1: 3, 0: 4}}, (3, 2)),
        ({"shape": (None, 3)}, (3, 2)),
        ({"shape": (None, 3)}, (3, 2, 1)),
        ({"shape": (None, 3)}, None),
        ({"shape": (2, None)}, (None, 2)),
        ({"min_ndim": 2}, None),
        ({"max_ndim": 2}, None),
        ({"ndim": 2, "dtype": "int32"}, (3,)),
    ]
    answers = []
    layer = tf.layers.Layer(name="sp")
    for options, shape in rows:
        layer.input_spec = tf.layers.InputSpec(**options)
        answers.append([repr(layer.input_spec), fresh(tf, lambda: layer(P(tf.float32, shape)).shape)])
    two = [tf.layers.InputSpec(ndim=2), tf.layers.InputSpec(ndim=3)]
    layer.input_spec = two
    for shapes in ([(1, 2)], [(1, 2), (1, 2)], [(1, 2), (1, 2, 3)]):
        answers.append(fresh(tf, lambda: layer([P(tf.float32, shape) for shape in shapes])))
    answers += [attempt(lambda: setattr(layer, "input_spec", 3)), attempt(lambda: setattr(layer, "input_spec", [3]))]
    return answers


@program
def weights_of_a_layer(tf, np):
    answers = []

    def ask(**options):
        def make():
            layer = tf.layers.Layer(name="own", dtype=options.pop("layer_dtype", None), trainable=options.pop("layer_trainable", True))
            arguments = {"name": "w", "shape": [4]}
            arguments.update(options)
            made = layer.add_weight(**arguments)
            kinds = [len(layer.trainable_weights), len(layer.non_trainable_weights)]
            return [made, made.dtype, made.shape, kinds, [t.name for t in layer.losses], layer.scope_name, graph_of(tf)]

        answers.append(fresh(tf, make))

    for dtype in (tf.int32, tf.bool, tf.string, tf.complex64, "float64", tf.float16):
        ask(dtype=dtype)
    for initializer in (3, "zeros", "nope", "uniform", "he_normal", tf.ones_initializer, np.ones(4), {"class_name": "Ones", "config": {}}, {"a": 3}):
        ask(initializer=initializer)
    ask(initializer={"class_name": "Foo", "config": {}})
    ask(regularizer=tf.nn.l2_loss)
    ask(regularizer=lambda w: None)
    ask(use_resource=True)
    ask(trainable=False)
    ask(layer_trainable=False)
    ask(layer_dtype=tf.float64)
    ask(trainable=True, synchronization=tf.VariableSynchronization.ON_READ)
    ask(synchronization=tf.VariableSynchronization.ON_READ, aggregation=tf.VariableAggregation.SUM)
    ask(partitioner=3)
    ask(name="deep/er")
    ask(name=None)
    ask(name=3)
    ask(foo=3)
    ask(getter=3)
    ask(collections=["a"])
    ask(experimental_autocast=True)
    ask(shape=[None, 2])
    ask(shape=[])
    ask(constraint=lambda w: w)
    return answers


@program
def weights_when_built(tf, np):
    layer = tf.layers.Layer(name="own")
    w = layer.add_weight("w", [2])
    layer(inputs(tf, 2))
    return [layer.add_weight("w", [2]) is w, attempt(lambda: layer.add_weight("v", [2])), attempt(lambda: layer.add_weight("w", [3])), facts(layer)]


@program
def losses_of_all_kinds(tf, np):
    layer = tf.layers.Layer(name="o")
    answers = []
    for loss in (tf.constant(1.0, name="a"), 3.0, None, [None, tf.constant(1.0, name="b")], "a", tf.placeholder(tf.int32, [3], name="i")):
        answers.append([attempt(lambda: layer.add_loss(loss)), layer.losses])
    layer.add_loss(lambda: tf.constant(2.0, name="called"))
    answers += [layer.losses, layer.losses, tf.losses.get_regularization_losses()]
    return answers


@program
def updates_of_all_kinds(tf, np):
    layer = tf.layers.Layer(name="o")
    answers = []
    for update in (tf.no_op(), [tf.no_op("n1"), tf.no_op("n2")], 3.0, None, lambda: tf.no_op("called")):
        answers.append([attempt(lambda: layer.add_update(update)), [u.name for u in layer.updates]])
    answers.append([u.name for u in tf.get_collection(tf.GraphKeys.UPDATE_OPS)])
    layer(inputs(tf, 2))
    answers.append([u.name for u in tf.get_collection(tf.GraphKeys.UPDATE_OPS)])
    return answers


@program
def training_reaches_inner_layers(tf, np):
    seen = []

    class Outer(tf.layers.Layer):
        def call(self, x, training=False):
            seen.append(training)
            return tf.layers.Dropout(0.5, seed=3, name="inner")(tf.layers.Dense(2)(x, training=True))

    class Blind(tf.layers.Layer):
        def call(self, x):
            return tf.layers.Dropout(0.5, seed=3, name="inner")(x)

    class Scoped(tf.layers.Layer):
        def call(self, x, scope=None):
            seen.append(scope.name)
            return x

    x = inputs(tf, None, 2)
    layer = Outer(name="o")
    made = [layer(x, training=True), layer(x), layer(x, True), layer(x, training=tf.placeholder(tf.bool, [], name="p")), layer(x, training=None)]
    made += [Blind(name="b")(x, training=True), Scoped(name="s")(x)]
    return [made, seen, graph_of(tf)]


@program
def regularizers_of_activity(tf, np):
    class Two(tf.layers.Layer):
        def call(self, x):
            return [x + 1.0, x + 2.0]

    layer = Two(activity_regularizer=tf.reduce_sum)
    made = layer(inputs(tf, None, 2))
    return [made, layer.losses, layer.get_losses_for(None), tf.losses.get_regularization_losses(), graph_of(tf)]


@program
def results_of_call(tf, np):
    class Nothing(tf.layers.Layer):
        def call(self, x):
            return None

    return attempt(lambda: Nothing(name="nothing")(inputs(tf, 2)))


@program
def copies(tf, np):
    import copy

    layer = tf.layers.Dense(3, kernel_initializer="ones")
    twin = copy.deepcopy(layer)
    x = inputs(tf, None, 2)
    made = [twin.name, twin(x), layer(x), facts(twin), facts(layer)]
    return [made, attempt(lambda: copy.deepcopy(layer)).classes]


@program
def values_by_session(tf, np):
    layer = tf.layers.Dense(2, kernel_initializer="ones", bias_initializer="zeros")
    layer(inputs(tf, None, 2))
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        count = len(tf.get_default_graph().get_operations())
        answers = [layer.get_weights()]
        layer.set_weights([np.full([2, 2], 3.0), np.array([1.0, 2.0])])
        answers.append(layer.get_weights())
        answers.append(attempt(lambda: layer.set_weights([np.ones([2, 2])])))
        answers.append(attempt(lambda: layer.set_weights([np.ones([2, 2]), np.zeros(3)])))
        layer.set_weights([np.ones([2, 2]), np.zeros(2)])
        return [answers, layer.get_weights(), graph_of(tf, since=count)]


@program
def inputs_of_another_graph(tf, np):
    x = inputs(tf, None, 2)
    layer = tf.layers.Dense(2)
    layer(x)
    with tf.Graph().as_default():
        return [attempt(lambda: layer(inputs(tf, None, 2))).classes, attempt(lambda: tf.layers.Dense(2)(x)).classes]


@program
def keras_style(tf, np):
    x = inputs(tf, None, 2)
    with tf.layers.experimental.keras_style_scope():
        first, named = tf.layers.Dense(2), tf.layers.Dense(2, name="n", kernel_regularizer=tf.nn.l2_loss)
        made = [first.name, first(x), named(x), named(x), attempt(lambda: first.scope_name)]
        with tf.variable_scope("v", reuse=True):
            inside = tf.layers.Dense(2)
            made.append(inside(x))
        refused = [attempt(lambda: first(x, scope="a")), attempt(lambda: tf.layers.Dense(2, _scope="s")), attempt(lambda: tf.layers.Dense(2, _reuse=True))]
        own = tf.layers.Layer(name="own")
        weights = [own.add_weight("z", [3]), own.add_weight("z", [3]), own.add_weight("i", [3], dtype=tf.int32, use_resource=False)]
        return [made, refused, weights, [w.name for w in first.weights + named.weights + inside.weights], graph_of(tf)]


@program
def signatures(tf, np):
    import inspect

    def text(f):
        told = []
        for p in inspect.signature(f).parameters.values():
            if p.name == "self":
                continue
            default = p.default
            if default is not p.empty and not isinstance(default, (bool, int, float, str, tuple, type(None))):
                default = getattr(default, "name", type(default).__name__)
            mark = {p.VAR_POSITIONAL: "*", p.VAR_KEYWORD: "**"}.get(p.kind, "")
            told.append(mark + p.name + ("" if default is p.empty else "=" + repr(default)))
        return ", ".join(told)

    names = sorted(name for name in dir(tf.layers) if not name.startswith("_") and name != "experimental")
    methods = (
        "add_loss", "add_update", "add_variable", "add_weight", "apply", "build", "call", "compute_mask", "compute_output_shape",
        "compute_output_signature", "count_params", "from_config", "get_config", "get_input_at", "get_losses_for", "get_updates_for",
        "get_weights", "set_weights",
    )  # fmt: skip
    functions = [[name, text(getattr(tf.layers, name))] for name in names]
    return [functions, [[name, text(getattr(tf.layers.Layer, name))] for name in methods], sorted(n for n in dir(tf.layers.experimental) if "keras" in n)]
