"""tf.keras.optimizers: nodes, variables, steps, hyperparameters, configurations and refusals."""

from harness import attempt, fresh, graph_of, in_folder, program, signature_text

CLASSES = ("SGD", "RMSprop", "Adagrad", "Adadelta", "Adam", "Adamax", "Nadam", "Ftrl")
VARIANTS = (
    ("SGD", {}),
    ("SGD", {"momentum": 0.9}),
    ("SGD", {"momentum": 0.5, "nesterov": True, "decay": 0.1}),
    ("RMSprop", {}),
    ("RMSprop", {"centered": True}),
    ("RMSprop", {"momentum": 0.5}),
    ("RMSprop", {"momentum": 0.5, "centered": True}),
    ("Adagrad", {}),
    ("Adadelta", {}),
    ("Adam", {}),
    ("Adam", {"amsgrad": True, "decay": 0.01}),
    ("Adamax", {}),
    ("Nadam", {}),
    ("Ftrl", {"l1_regularization_strength": 0.01}),
    ("Ftrl", {"l2_regularization_strength": 0.01, "l2_shrinkage_regularization_strength": 0.1}),
)


def kinds(tf):
    return [getattr(tf.keras.optimizers, name) for name in CLASSES]


def variables(tf):
    """A matrix and a vector."""
    w = tf.Variable([[1.0, -2.0], [3.0, 0.5], [0.25, 4.0]], name="w", use_resource=True)
    b = tf.Variable([0.1, 0.2], name="dense/b", use_resource=True)
    return w, b


def dense_loss(tf, w, b):
    x = tf.constant([[1.0, 2.0, 3.0], [0.5, -1.0, 2.0]], name="x")
    return tf.reduce_mean(tf.square(tf.matmul(x, w) + b), name="loss")


def sparse_loss(tf, w):
    """Reads row 0 twice and row 2 once."""
    return tf.reduce_sum(tf.square(tf.gather(w, tf.placeholder_with_default([0, 2, 0], [3], name="rows"))), name="loss")


def named(values):
    return [getattr(value, "name", value) for value in values]


def trained(tf, optimizer, step, others, steps=4):
    """The values of variables and of the optimizer's weights after each of some steps."""
    told = []
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        for _ in range(steps):
            for each in step if isinstance(step, list) else [step]:
                session.run(each)
        told.append([session.run(variable) for variable in others])
        told.append([session.run(weight) for weight in optimizer.weights])
        told.append(optimizer.get_weights())
    return told


@program
def signatures(tf, np):
    told = {}
    for kind in kinds(tf):
        told[kind.__name__] = signature_text(kind.__init__)
    schedules = tf.keras.optimizers.schedules
    for name in ("ExponentialDecay", "InverseTimeDecay", "PolynomialDecay", "PiecewiseConstantDecay"):
        told[name] = signature_text(getattr(schedules, name).__init__)
    base = tf.keras.optimizers.Optimizer
    for name in (
        "__init__", "add_slot", "add_weight", "apply_gradients", "get_gradients", "get_slot", "get_updates", "minimize",
        "set_weights", "from_config", "_prepare_local", "_resource_apply_dense", "_resource_apply_sparse",
        "_set_hyper", "_get_hyper", "_decayed_lr", "_serialize_hyperparameter",
    ):  # fmt: skip
        told["Optimizer." + name] = signature_text(getattr(base, name))
    for name in ("get", "serialize", "deserialize"):
        told[name] = signature_text(getattr(tf.keras.optimizers, name))
    for name in ("serialize", "deserialize"):
        told["schedules." + name] = signature_text(getattr(schedules, name))
    told["public"] = sorted(name for name in dir(tf.keras.optimizers) if name[0] != "_")
    told["public schedules"] = sorted(name for name in dir(schedules) if name[0] != "_")
    return told


def dense(name, options):
    def run(tf, np):
        w, b = variables(tf)
        optimizer = getattr(tf.keras.optimizers, name)(**options)
        before = len(tf.get_default_graph().get_operations())
        loss = dense_loss(tf, w, b)
        with tf.name_scope("training"):
            updates = optimizer.get_updates(loss, [w, b])
        told = [graph_of(tf, since=before), named(updates), named(optimizer.variables()), optimizer.get_slot_names()]
        return [told, trained(tf, optimizer, updates, [w, b])]

    return run


def sparse(name, options):
    def run(tf, np):
        w, _ = variables(tf)
        before = len(tf.get_default_graph().get_operations())
        optimizer = getattr(tf.keras.optimizers, name)(**options)
        step, = optimizer.get_updates(sparse_loss(tf, w), [w])
        return [graph_of(tf, since=before), step, trained(tf, optimizer, step, [w])]

    return run


for number, (kind_name, kind_options) in enumerate(VARIANTS):
    for of in (dense, sparse):
        each = of(kind_name, kind_options)
        each.__name__, each.__module__ = f"{of.__name__}_{kind_name}_{number}", __name__
        program(each)


@program
def apply_gradients_alone(tf, np):
    w, b = variables(tf)
    optimizer = tf.keras.optimizers.Adam()
    before = len(tf.get_default_graph().get_operations())
    step = optimizer.apply_gradients([(tf.ones_like(w), w), (None, b)], name="mine")
    again = optimizer.apply_gradients([(tf.ones_like(b), b)])
    return [step, again, graph_of(tf, since=before), trained(tf, optimizer, [step, again], [w, b])]


@program
def updates_in_scopes(tf, np):
    w, b = variables(tf)
    optimizer = tf.keras.optimizers.SGD(0.1, momentum=0.5, name="Mine")
    before = len(tf.get_default_graph().get_operations())
    loss = dense_loss(tf, w, b)
    with tf.name_scope("outer"):
        step = optimizer.get_updates(loss, [w])
    more = optimizer.get_updates(loss, [b])
    return [named(step + more), graph_of(tf, since=before), trained(tf, optimizer, [step, more], [w, b])]


@program
def minimize_calls_the_loss(tf, np):
    w, b = variables(tf)
    optimizer = tf.keras.optimizers.SGD(0.1, clipvalue=0.5, name="Mine")
    step = optimizer.minimize(lambda: dense_loss(tf, w, b), [w], grad_loss=tf.constant(0.125), name="given")
    more = optimizer.minimize(lambda: dense_loss(tf, w, b), lambda: [b])
    return [step, more, trained(tf, optimizer, [step, more], [w, b])]


@program
def optimizers_of_one_name(tf, np):
    w, b = variables(tf)
    loss = dense_loss(tf, w, b)
    told = []
    for _ in range(2):
        optimizer = tf.keras.optimizers.Adagrad()
        optimizer.get_updates(loss, [w, b])
        told.append(named(optimizer.variables()))
    return [told, graph_of(tf)]


@program
def constraints_follow_updates(tf, np):
    w = tf.Variable([1.0, -2.0], name="w", use_resource=True, constraint=lambda value: tf.nn.relu(value))
    optimizer = tf.keras.optimizers.SGD(0.5)
    before = len(tf.get_default_graph().get_operations())
    step, = optimizer.get_updates(tf.reduce_sum(w * [1.0, 2.0]), [w])
    return [graph_of(tf, since=before), trained(tf, optimizer, step, [w])]


@program
def constraints_of_rows(tf, np):
    w = tf.Variable([1.0, -2.0, 3.0], name="w", use_resource=True, constraint=lambda value: tf.nn.relu(value))
    optimizer = tf.keras.optimizers.SGD(0.5)
    return attempt(lambda: optimizer.get_updates(sparse_loss(tf, w), [w]))


@program
def clipped(tf, np):
    told = []
    for options in ({"clipnorm": 1.0}, {"clipvalue": 0.5}, {"clipnorm": 1.0, "clipvalue": 0.3}):
        with tf.Graph().as_default():
            w, b = variables(tf)
            optimizer = tf.keras.optimizers.SGD(0.1, **options)
            loss = dense_loss(tf, w, b)
            before = len(tf.get_default_graph().get_operations())
            step, = optimizer.get_updates(loss, [w, b])
            graph = graph_of(tf, since=before)
            updates = optimizer.get_updates(loss, [w, b])
            told.append([graph, named(updates), optimizer.get_config(), trained(tf, optimizer, step, [w, b])])
    return told


@program
def clipped_rows(tf, np):
    told = []
    for options in ({"clipnorm": 1.0}, {"clipvalue": 0.5}):
        with tf.Graph().as_default():
            w, _ = variables(tf)
            optimizer = tf.keras.optimizers.SGD(0.1, **options)
            before = len(tf.get_default_graph().get_operations())
            step = attempt(lambda w=w, optimizer=optimizer: optimizer.get_updates(sparse_loss(tf, w), [w]))
            told.append([step, graph_of(tf, since=before)])
    return told


@program
def hyperparameters(tf, np):
    w, b = variables(tf)
    optimizer = tf.keras.optimizers.SGD(0.25, momentum=0.5, decay=0.5)
    told = [optimizer.learning_rate, optimizer.lr, optimizer.momentum, optimizer.decay, attempt(lambda: optimizer.beta)]
    loss = dense_loss(tf, w, b)
    step, = optimizer.get_updates(loss, [w, b])
    told += [optimizer.iterations, optimizer.get_slot(w, "momentum"), optimizer.lr is optimizer.learning_rate]
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        session.run(step)
        told += session.run([optimizer.lr, optimizer.iterations])
        optimizer.lr = 0.125
        optimizer.momentum = 0.75
        told += session.run([optimizer.learning_rate, optimizer.momentum])
        told.append(optimizer.get_config())
        session.run(step)
        told += session.run([w, b])
        weights = optimizer.get_weights()
        told.append(weights)
        optimizer.set_weights([2 * weight for weight in weights])
        told.append(optimizer.get_weights())
        told.append(attempt(lambda: optimizer.set_weights(weights[:1])))
        told.append(attempt(lambda: optimizer.set_weights([weights[1], *weights[1:]])))
    return told


@program
def hyperparameters_before_the_graph(tf, np):
    optimizer = tf.keras.optimizers.Adam(learning_rate=0.5)
    optimizer.learning_rate = 0.25
    optimizer.beta_1 = 0.5
    told = [len(tf.get_default_graph().get_operations()), optimizer.epsilon]
    told += [optimizer.get_weights(), optimizer.weights, optimizer.variables()]
    told += [optimizer.beta_1, optimizer.lr]
    return [told, optimizer.iterations, graph_of(tf)]


@program
def hyperparameters_that_are_called_or_tensors(tf, np):
    w, b = variables(tf)
    rate = tf.placeholder_with_default(0.5, [], name="rate")
    told = []
    for options in ({"learning_rate": lambda: 0.25}, {"learning_rate": rate}, {"momentum": lambda: 0.5}, {"momentum": tf.constant(0.0)}):
        optimizer = tf.keras.optimizers.SGD(**options)
        before = len(tf.get_default_graph().get_operations())
        step, = optimizer.get_updates(dense_loss(tf, w, b), [b])
        told.append([graph_of(tf, since=before), named(optimizer.variables()), trained(tf, optimizer, step, [b])])
        told.append(attempt(lambda optimizer=optimizer: sorted(optimizer.get_config())))
    return told


@program
def schedules_in_optimizers(tf, np):
    schedules = tf.keras.optimizers.schedules
    rates = (
        schedules.ExponentialDecay(0.5, 2, 0.5),
        schedules.ExponentialDecay(0.5, 2, 0.5, staircase=True, name="mine"),
        schedules.InverseTimeDecay(0.5, 2, 0.5),
        schedules.InverseTimeDecay(0.5, 2, 0.5, staircase=True),
        schedules.PolynomialDecay(0.5, 3, 0.125, power=2.0),
        schedules.PolynomialDecay(0.5, 3, 0.125, cycle=True),
        schedules.PiecewiseConstantDecay([1, 3], [0.5, 0.25, 0.125]),
    )
    told = []
    for rate in rates:
        with tf.Graph().as_default():
            _, b = variables(tf)
            optimizer = tf.keras.optimizers.SGD(rate)
            before = len(tf.get_default_graph().get_operations())
            step, = optimizer.get_updates(tf.reduce_sum(b), [b])
            graph = graph_of(tf, since=before)
            config = optimizer.get_config()
            again = tf.keras.optimizers.SGD.from_config(dict(config))
            told.append([graph, trained(tf, optimizer, step, [b], 5), config, again.get_config() == config])
            told.append([type(again.learning_rate).__name__, optimizer.lr is rate])
    return told


@program
def schedules_alone(tf, np):
    schedules = tf.keras.optimizers.schedules
    told = []
    for rate in (
        schedules.ExponentialDecay(0.5, 2, 0.5),
        schedules.InverseTimeDecay(0.5, 2, 0.5, name="inverse"),
        schedules.PolynomialDecay(0.5, 3),
        schedules.PiecewiseConstantDecay([1, 3], [0.5, 0.25, 0.125]),
    ):
        config = schedules.serialize(rate)
        again = schedules.deserialize(config)
        told.append([config, schedules.serialize(again) == config])
        told.append(fresh(tf, lambda rate=rate: [rate(tf.constant(2)), graph_of(tf)]))
        told.append(fresh(tf, lambda rate=rate: tf.Session().run([rate(tf.constant(step)) for step in range(5)])))
    told.append(attempt(lambda: schedules.PiecewiseConstantDecay([1], [1.0])))
    told.append(attempt(lambda: schedules.deserialize({"class_name": "Other", "config": {}})))
    return told


@program
def own_schedules(tf, np):
    class Halves(tf.keras.optimizers.schedules.LearningRateSchedule):
        def __init__(self, first):
            self.first = first

        def __call__(self, step):
            return self.first / (step + 1.0)

        def get_config(self):
            return {"first": self.first}

    _, b = variables(tf)
    optimizer = tf.keras.optimizers.Adam(Halves(0.5))
    step, = optimizer.get_updates(tf.reduce_sum(b), [b])
    return [graph_of(tf), optimizer.get_config(), trained(tf, optimizer, step, [b])]


@program
def configurations(tf, np):
    optimizers = tf.keras.optimizers
    told = []
    for name, options in VARIANTS:
        optimizer = getattr(optimizers, name)(**options)
        config = optimizers.serialize(optimizer)
        again = optimizers.deserialize(dict(config))
        told.append([config, optimizers.serialize(again) == config, type(again).__name__])
    told.append(optimizers.SGD.from_config({"lr": 0.5}).get_config())
    told.append(optimizers.SGD(lr=0.5, decay=0.25).get_config())
    told.append(optimizers.Nadam(schedule_decay=0.5).get_config())
    told.append(attempt(lambda: optimizers.Optimizer("base")).classes)
    return told


@program
def got_by_name(tf, np):
    optimizers = tf.keras.optimizers
    told = []
    for name in ("sgd", "SGD", "adam", "Adam", "ADAM", "rmsprop", "RMSprop", "nadam", "adamax", "ftrl", "adagrad", "adadelta"):
        found = optimizers.get(name)
        told.append([name, type(found).__name__, found.get_config()])
    told.append(type(optimizers.get({"class_name": "Adam", "config": {"lr": 0.5}})).__name__)
    for wrong in ("other", 3, None, {"class_name": "Other", "config": {}}, {"config": {}}):
        told.append(attempt(lambda wrong=wrong: optimizers.get(wrong)))
    adam = optimizers.Adam()
    told.append(optimizers.get(adam) is adam)
    return told


@program
def wrapped(tf, np):
    w, b = variables(tf)
    before = len(tf.get_default_graph().get_operations())
    optimizer = tf.keras.optimizers.get(tf.train.AdamOptimizer(0.5))
    told = [type(optimizer).__name__, attempt(lambda: optimizer.weights).classes, attempt(optimizer.get_config).classes]
    told.append(isinstance(optimizer, tf.keras.optimizers.Optimizer))
    loss = dense_loss(tf, w, b)
    with tf.name_scope("training"):
        updates = optimizer.get_updates(loss, [w, b])
    told += [named(updates), optimizer.iterations, graph_of(tf, since=before)]
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        for _ in range(3):
            session.run(updates)
        told += session.run([w, b, optimizer.iterations])
    return told


@program
def refused(tf, np):
    optimizers = tf.keras.optimizers
    w, b = variables(tf)
    loss = dense_loss(tf, w, b)
    sgd = optimizers.SGD()
    trials = (
        lambda: optimizers.SGD(momentum=2.0),
        lambda: optimizers.SGD(momentum=-1),
        lambda: optimizers.SGD(other=1),
        lambda: optimizers.SGD(decay=-1.0),
        lambda: optimizers.SGD(clipnorm=-1.0),
        lambda: optimizers.SGD(lr=-1.0),
        lambda: optimizers.SGD(-1.0).get_config(),
        lambda: optimizers.RMSprop(momentum=2.0),
        lambda: optimizers.Adagrad(initial_accumulator_value=-1.0),
        lambda: optimizers.Ftrl(initial_accumulator_value=-1.0),
        lambda: optimizers.Ftrl(learning_rate_power=1.0),
        lambda: optimizers.Ftrl(l1_regularization_strength=-1.0),
        lambda: optimizers.Ftrl(l2_regularization_strength=-1.0),
        lambda: optimizers.Ftrl(l2_shrinkage_regularization_strength=-1.0),
        lambda: optimizers.Nadam(optimizers.schedules.ExponentialDecay(0.5, 2, 0.5)),
        lambda: sgd.apply_gradients([]),
        lambda: sgd.apply_gradients([(None, w)]),
        lambda: sgd.minimize(loss, [w]),
        lambda: sgd.minimize(lambda: tf.constant(1.0), [w]),
        lambda: sgd.get_updates(tf.constant(1.0), [w]),
        lambda: sgd.get_gradients(tf.constant(1.0), [w]),
        lambda: sgd.get_slot(w, "momentum"),
        lambda: setattr(sgd, "iterations", tf.Variable(0)),
    )
    return [[attempt(trial) for trial in trials], sgd.iterations, attempt(lambda: setattr(sgd, "iterations", w)), loss]


@program
def own_optimizer(tf, np):
    class Sums(tf.keras.optimizers.Optimizer):
        """Steps along a sum of gradients."""

        def __init__(self, learning_rate=0.5, gamma=0.25, name="Sums", **kwargs):
            super().__init__(name, **kwargs)
            self._set_hyper("learning_rate", kwargs.get("lr", learning_rate))
            self._set_hyper("decay", self._initial_decay)
            self._set_hyper("gamma", gamma)

        def _create_slots(self, var_list):
            for var in var_list:
                self.add_slot(var, "sum", initializer="ones")

        def _prepare_local(self, var_device, var_dtype, apply_state):
            super()._prepare_local(var_device, var_dtype, apply_state)
            apply_state[(var_device, var_dtype)]["gamma"] = tf.identity(self._get_hyper("gamma", var_dtype))

        def _resource_apply_dense(self, grad, var, apply_state=None):
            state = apply_state[var.device, var.dtype.base_dtype]
            total = self.get_slot(var, "sum")
            new = total.assign(total * state["gamma"] + grad)
            return var.assign_sub(state["lr_t"] * tf.negative(new))

        def _resource_apply_sparse(self, grad, var, indices, apply_state=None):
            rate = self._decayed_lr(var.dtype.base_dtype)
            return self._resource_scatter_add(var, indices, -rate * tf.sign(grad))

        def get_config(self):
            config = super().get_config()
            config["learning_rate"] = self._serialize_hyperparameter("learning_rate")
            return config

    w, b = variables(tf)
    optimizer = Sums(decay=0.5)
    before = len(tf.get_default_graph().get_operations())
    step, = optimizer.get_updates(dense_loss(tf, w, b), [w, b])
    sparse_step, = optimizer.get_updates(sparse_loss(tf, w), [w])
    told = [graph_of(tf, since=before), optimizer.get_config()]
    return [told, trained(tf, optimizer, [step, sparse_step], [w, b]), named(optimizer.variables())]


@program
def old_style_own_optimizer(tf, np):
    """Without apply_state, as such classes were written before 1.15."""

    class Slotless(tf.keras.optimizers.Optimizer):
        def get_config(self):
            return {}

    class Plain(tf.keras.optimizers.Optimizer):
        def _create_slots(self, var_list):
            pass

        def _resource_apply_dense(self, grad, var):
            return var.assign_sub(0.5 * grad)

        def _resource_apply_sparse(self, grad, var, indices):
            return self._resource_scatter_add(var, indices, -grad)

        def get_config(self):
            return {}

    w, b = variables(tf)
    optimizer = Plain("Plain")
    step, = optimizer.get_updates(dense_loss(tf, w, b), [w, b])
    sparse_step, = optimizer.get_updates(sparse_loss(tf, w), [w])
    slotless = fresh(tf, lambda: Slotless("Slotless").apply_gradients([(tf.ones([]), tf.Variable(1.0, use_resource=True))]))
    return [graph_of(tf), trained(tf, optimizer, [step, sparse_step], [w, b]), slotless]


@program
def keys_in_checkpoints(tf, np):
    """Of optimizers alone, of a model's optimizer, and the training that goes on from a checkpoint."""

    def keys(folder):
        told = []
        for make in (lambda: tf.keras.optimizers.RMSprop(momentum=0.5), lambda: tf.keras.optimizers.Nadam()):
            with tf.Graph().as_default(), tf.Session() as session:
                w, b = variables(tf)
                optimizer = make()
                optimizer.get_updates(dense_loss(tf, w, b), [w, b])
                session.run(tf.global_variables_initializer())
                saved = tf.train.Checkpoint(opt=optimizer, w=w, b=b).save(folder + "/alone", session=session)
                told.append(tf.train.list_variables(saved))
        return told

    return in_folder(keys)


@program
def models_go_on_from_checkpoints(tf, np):
    def trained_twice(folder):
        x, y = np.ones((2, 3), "float32"), np.ones((2, 2), "float32")
        told = []
        for begins in (True, False):
            with tf.Graph().as_default():
                dense = tf.keras.layers.Dense(2, input_shape=(3,), kernel_initializer="ones")
                model = tf.keras.Sequential([dense])
                model.compile("adam", "mse")
                model.fit(x, y, epochs=2 if begins else 1, verbose=0)
                if begins:
                    model.save_weights(folder + "/model", save_format="tf")
                else:
                    model.load_weights(folder + "/model")
                told.append([model.get_weights(), model.optimizer.get_weights()])
                model.fit(x, y, verbose=0)
                told.append([model.get_weights(), model.optimizer.get_weights()])
        return [told, tf.train.list_variables(folder + "/model")]

    return in_folder(trained_twice)
