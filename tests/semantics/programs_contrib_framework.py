"""tf.contrib.framework: arg_scope, variables of models, assignments from values and checkpoints."""

from harness import attempt, fresh, graph_of, in_folder, program, signature_text


@program
def signatures(tf, np):
    names = """
        VariableDeviceChooser add_arg_scope add_model_variable arg_scope arg_scoped_arguments assign_from_checkpoint
        assign_from_checkpoint_fn assign_from_values assign_from_values_fn current_arg_scope filter_variables get_local_variables
        get_model_variables get_trainable_variables get_unique_variable get_variable_full_name get_variables get_variables_by_name
        get_variables_by_suffix get_variables_to_restore global_variable has_arg_scope local_variable zero_initializer
        """
    return {name: signature_text(getattr(tf.contrib.framework, name)) for name in names.split()}


def scoped(tf):
    @tf.contrib.framework.add_arg_scope
    def f(x, a=1, b=2, **more):
        return [x, a, b, more]

    @tf.contrib.framework.add_arg_scope
    def g(x, a=0):
        return [x, a]

    return f, g


@program
def arg_scopes_nest_and_give_way_to_the_call(tf, np):
    f, g = scoped(tf)
    arg_scope = tf.contrib.framework.arg_scope
    said = [f(0)]
    with arg_scope([f, g], a=5) as outer:
        said += [f(0), g(0), f(0, b=3), f(0, a=7), f(x=1)]
        with arg_scope([f], b=6, c=7) as inner:
            said += [f(0), g(0), f(0, a=None), f(0, c=1)]
            with arg_scope(outer):
                said += [f(0), g(0)]
            with arg_scope([]):
                said += [f(0), inner == tf.contrib.framework.current_arg_scope()]
            with arg_scope({}):
                said += [f(0), tf.contrib.framework.current_arg_scope()]
        with arg_scope((f,), a=8):
            said += [f(0), g(0)]
    return said + [f(0), g(0), tf.contrib.framework.current_arg_scope()]


@program
def an_arg_scope_closes_when_its_block_fails(tf, np):
    f, _ = scoped(tf)

    def fail():
        with tf.contrib.framework.arg_scope([f], a=5):
            raise ValueError("mine")

    return [attempt(fail), f(0), tf.contrib.framework.current_arg_scope()]


@program
def an_arg_scope_decorates_a_function(tf, np):
    f, _ = scoped(tf)

    @tf.contrib.framework.arg_scope([f], a=5)
    def model():
        return f(0)

    return [model(), f(0), model.__name__]


@program
def functions_that_take_part(tf, np):
    f, _ = scoped(tf)
    has = tf.contrib.framework.has_arg_scope

    class Net:
        @tf.contrib.framework.add_arg_scope
        def layer(self, a=1):
            return a

    with tf.contrib.framework.arg_scope([Net.layer], a=4):
        within = Net().layer()
    return [
        has(f), has(len), has(tf.nn.relu), has(tf.contrib.framework.variable), has(tf.contrib.losses.add_loss), f.__name__, within,
    ]  # fmt: skip


@program
def wrong_arg_scopes(tf, np):
    f, g = scoped(tf)
    arg_scope = tf.contrib.framework.arg_scope

    def run(*args, **kwargs):
        with arg_scope(*args, **kwargs):
            return g(0)

    return {
        "a function": attempt(lambda: run(f, a=1)),
        "a number": attempt(lambda: run(3)),
        "a scope and arguments": attempt(lambda: run({}, a=1)),
        "an unknown argument": attempt(lambda: run([g], other=1)).classes,
        "an argument by place and by scope": attempt(lambda: arg_scope([g], a=1)(lambda: g(0, 2))()).classes,
    }


@program
def add_loss_takes_part(tf, np):
    with tf.contrib.framework.arg_scope([tf.contrib.losses.add_loss], loss_collection="mine"):
        tf.contrib.losses.mean_squared_error(tf.constant([1.0]), tf.constant([3.0]))
    return [tf.get_collection("mine"), tf.contrib.losses.get_losses()]


@program
def variables(tf, np):
    f = tf.contrib.framework
    zeros, l2 = tf.zeros_initializer(), tf.contrib.layers.l2_regularizer(0.5)
    f.variable("a", [2], initializer=zeros, collections=["mine", "mine"], device="/cpu:1", regularizer=l2)
    f.variable("b", [2], initializer=zeros, trainable=False)
    f.variable("c", [4, 2], tf.float64, zeros, partitioner=tf.fixed_size_partitioner(2))
    f.variable("r", [2], initializer=zeros, use_resource=True)
    f.variable("v", initializer=tf.constant([1.0, 2.0]))
    f.local_variable([1.0, 2.0], name="local")
    f.local_variable(lambda: 3.0, use_resource=True)
    f.global_variable(3.0, name="global", validate_shape=False)
    return graph_of(tf)


@program
def model_variables(tf, np):
    f = tf.contrib.framework
    zeros = tf.zeros_initializer()
    a = f.model_variable("a", [2], initializer=zeros, collections=["mine"])
    f.model_variable("b", [2], initializer=zeros, trainable=False)
    with f.arg_scope([f.variable], device="/cpu:3", trainable=False):
        f.model_variable("c", [2], initializer=zeros)
        f.variable("d", [2], initializer=zeros)
    with tf.variable_scope("m"), f.arg_scope([f.model_variable], device=f.VariableDeviceChooser(2, "worker", "GPU", 1, 3)):
        for name in "cde":
            f.model_variable(name, [2], initializer=zeros)
    with tf.variable_scope("m", reuse=True):
        again = f.model_variable("c", [2])
    f.add_model_variable(a)
    v = tf.Variable(1.0, name="plain")
    f.add_model_variable(v)
    return [again.name, [x.name for x in f.get_model_variables()], graph_of(tf)]


@program
def custom_getters(tf, np):
    said = []

    def getter(name, reuse=None, **kwargs):
        said.append([name, reuse, sorted(k for k in kwargs if kwargs[k] is not None), kwargs["shape"], kwargs["collections"]])
        return tf.get_variable("mine_" + name, kwargs["shape"], initializer=kwargs["initializer"])

    with tf.variable_scope("s"):
        made = tf.contrib.framework.variable("w", [3], initializer=tf.zeros_initializer(), custom_getter=getter)
    return [said, made.name]


@program
def device_choosers(tf, np):
    chooser = tf.contrib.framework.VariableDeviceChooser
    with tf.Graph().as_default():
        constant, variable = tf.constant(1.0).op, tf.get_variable("v", []).op
    three = chooser(3)
    return [
        chooser()(constant), chooser()(variable), chooser(device_type="")(variable), chooser(device_type="GPU", device_index=2, replica=1)(variable),
        [three(variable) for _ in range(4)], three(constant), chooser(2, job_name="worker")(constant),
    ]  # fmt: skip


@program
def chosen_variables(tf, np):
    f = tf.contrib.framework
    with tf.variable_scope("a"):
        for name in ("w", "b", "weights"):
            f.model_variable(name, [1])
        with tf.variable_scope("a"):
            f.variable("w", [1], trainable=False)
    f.variable("w", [1])
    f.local_variable(0.0, name="a/local")
    found = {
        "all": f.get_variables(), "a": f.get_variables("a"), "a/": f.get_variables("a/"), "w": f.get_variables("w"),
        "suffix": f.get_variables(suffix="w"), "a suffix": f.get_variables("a", "w"), "whole suffix": f.get_variables(suffix="w:0"),
        "by suffix": f.get_variables_by_suffix("b"), "by name": f.get_variables_by_name("w"), "by name in": f.get_variables_by_name("w", "a/a"),
        "local": f.get_local_variables(), "model": f.get_model_variables(), "trainable": f.get_trainable_variables("a"),
        "collection": f.get_variables("a", collection="model_variables"),
        "restore": f.get_variables_to_restore(), "include": f.get_variables_to_restore(["a/a", "w"]),
        "exclude": f.get_variables_to_restore(exclude=["a/w", "w"]), "both": f.get_variables_to_restore(["a"], ["a/a"]),
        "filter": f.filter_variables(f.get_variables(), ["w"], ["^a/a"]), "match": f.filter_variables(f.get_variables(), ["w"], reg_search=False),
    }  # fmt: skip
    return [
        {key: [v.name for v in found[key]] for key in sorted(found)},
        f.get_unique_variable("a/b").name, f.get_variable_full_name(f.get_unique_variable("a/b")),
        attempt(lambda: f.get_unique_variable("other")), attempt(lambda: f.get_unique_variable("a")),
        attempt(lambda: f.get_variables_to_restore("a")), attempt(lambda: f.get_variables_to_restore(exclude="a")),
    ]  # fmt: skip


@program
def assign_from_values(tf, np):
    f = tf.contrib.framework
    v, w = tf.Variable([1.0, 2.0], name="v"), tf.Variable([[1, 2], [3, 4]], name="w", use_resource=True)
    operation, feeds = f.assign_from_values({"v": np.array([3.0, 4.0]), "w": np.array([5, 6, 7, 8])})
    assign = f.assign_from_values_fn({"v": np.array([[5.0], [6.0]])})
    with tf.Session() as session:
        session.run(operation, feeds)
        values = session.run([v, w])
        assign(session)
        values.append(session.run(v))
    return [values, {k.name: feeds[k] for k in feeds}, graph_of(tf)]


@program
def wrong_values(tf, np):
    def assign(values):
        def run():
            tf.Variable([1.0, 2.0], name="v")
            return tf.contrib.framework.assign_from_values(values)

        return fresh(tf, run)

    return [assign({"q": np.ones(1)}), assign({"v": np.ones(3)}), assign({})]


def saved(tf, folder):
    """A checkpoint with v [2], s/w [4, 2] in two parts, z and i."""
    with tf.Graph().as_default():
        tf.Variable([1.0, 2.0], name="v")
        values = tf.constant([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0], [7.0, 8.0]])
        tf.get_variable("s/w", [4, 2], partitioner=tf.fixed_size_partitioner(2), initializer=lambda *a, **k: values[:2] * 1.0)
        tf.Variable(3.0, name="z", use_resource=True)
        tf.Variable(5, name="i")
        with tf.Session() as session:
            session.run(tf.global_variables_initializer())
            return tf.train.Saver().save(session, folder + "/model")


def loaded(tf, make, nodes=True):
    """What a graph of its own gives: the values after the assign, the feeds, the nodes."""

    def run():
        before = make()
        operation, feeds = before[1]
        with tf.Session() as session:
            session.run(operation, feeds)
            return [session.run(before[0]), {k.name: np_of(feeds[k]) for k in feeds}, graph_of(tf) if nodes else None]

    def np_of(value):
        return value.tolist() if hasattr(value, "tolist") else value

    return fresh(tf, run)


@program
def assign_from_checkpoint(tf, np):
    f = tf.contrib.framework

    def by_name(path):
        v, z = tf.Variable([0.0, 0.0], name="v"), tf.Variable(0.0, name="q", use_resource=True)
        return [v, z], f.assign_from_checkpoint(path, {"v": v, "z": z})

    def by_list(path):
        v = tf.Variable([0.0, 0.0], name="v")
        w = tf.get_variable("s/w", [4, 2], partitioner=tf.fixed_size_partitioner(4))
        return [v, tf.convert_to_tensor(w)], f.assign_from_checkpoint(path, [v] + list(w))

    def with_missing(path):
        v, missing = tf.Variable([0.0, 0.0], name="v"), tf.Variable(1.0, name="missing")
        return [v], f.assign_from_checkpoint(path, [v, missing], ignore_missing_vars=True)

    def run(folder):
        path = saved(tf, folder)
        return {
            "dict": loaded(tf, lambda: by_name(path)),
            "list": loaded(tf, lambda: by_list(path)),
            "missing": loaded(tf, lambda: with_missing(path)),
            "none": fresh(tf, lambda: f.assign_from_checkpoint(path, [])),
            "missing refused": fresh(tf, lambda: f.assign_from_checkpoint(path, [tf.Variable(1.0, name="missing")])),
            "another shape": fresh(tf, lambda: f.assign_from_checkpoint(path, [tf.Variable([[1.0], [2.0]], name="v")])),
            "another size": fresh(tf, lambda: f.assign_from_checkpoint(path, [tf.Variable([1.0, 2.0, 3.0], name="v")])),
            "no checkpoint": fresh(tf, lambda: f.assign_from_checkpoint("nowhere", [tf.Variable(1.0)])),
        }

    return in_folder(run)


@program
def assign_from_checkpoint_fn(tf, np):
    f = tf.contrib.framework

    def call(path, names, nodes=True, **options):
        def run():
            made = {key: tf.Variable(names[key], name=key) for key in names}
            load = f.assign_from_checkpoint_fn(path, [made[key] for key in made], **options)
            if load is None:
                return None
            with tf.Session() as session:
                session.run(tf.global_variables_initializer())
                said = attempt(lambda: load(session))
                return [said, session.run(made), graph_of(tf) if nodes else None]

        return fresh(tf, run)

    def run(folder):
        path = saved(tf, folder)
        return {
            "plain": call(path, {"v": [0.0, 0.0], "i": 0}),
            "missing": call(path, {"v": [0.0, 0.0], "x": 1.0}, ignore_missing_vars=True),
            "only missing": call(path, {"x": 1.0}, ignore_missing_vars=True),
            "reshape": call(path, {"v": [[0.0], [0.0]]}, reshape_variables=True),
            "missing refused": call(path, {"x": 1.0}, nodes=False),
            "none": fresh(tf, lambda: f.assign_from_checkpoint_fn(path, [])),
            "no checkpoint": fresh(tf, lambda: f.assign_from_checkpoint_fn("nowhere", [tf.Variable(1.0)], ignore_missing_vars=True)),
        }

    return in_folder(run)
