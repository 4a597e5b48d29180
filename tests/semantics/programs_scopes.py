"""Variable scopes: names, reuse, inherited settings, custom getters, creators and templates."""

from harness import attempt, fresh, graph_of, program


def names(tf):
    return [v.name for v in tf.global_variables()]


def ops(tf):
    return [op.name for op in tf.get_default_graph().get_operations()]


def described(tf, scope):
    return [
        scope.name,
        scope.original_name_scope,
        str(scope.reuse),
        scope.dtype,
        scope.use_resource,
        scope.caching_device,
        scope.initializer is None,
        scope.regularizer is None,
        scope.partitioner is None,
        scope.custom_getter is None,
        scope.constraint is None,
    ]


@program
def the_outermost_scope(tf, np):
    scope = tf.get_variable_scope()
    return [described(tf, scope), scope is tf.get_variable_scope(), type(scope).__name__]


@program
def variables_and_nodes_in_nested_scopes(tf, np):
    with tf.variable_scope("a") as a:
        v = tf.get_variable("v", [1])
        x = tf.constant(1.0, name="x")
        with tf.variable_scope("b") as b:
            w = tf.get_variable("w", [1])
            y = tf.constant(1.0, name="y")
    return [v.name, x, w.name, y, described(tf, a), described(tf, b), graph_of(tf)]


@program
def scope_entered_again_by_name(tf, np):
    with tf.variable_scope("s"):
        tf.get_variable("v", [1])
        tf.constant(1.0)
    with tf.variable_scope("s") as again:
        tf.get_variable("w", [1])
        tf.constant(1.0)
    return [names(tf), ops(tf), described(tf, again)]


@program
def scope_entered_again_by_object(tf, np):
    with tf.variable_scope("s") as s:
        tf.get_variable("v", [1])
        tf.constant(1.0)
    with tf.variable_scope(s) as again:
        tf.get_variable("w", [1])
        tf.constant(1.0)
    with tf.variable_scope("other"), tf.variable_scope(s, reuse=True) as inside:
        v = tf.get_variable("v")
        tf.constant(1.0)
    return [names(tf), ops(tf), v.name, again is s, described(tf, again), described(tf, inside)]


@program
def scope_without_a_name_scope(tf, np):
    with tf.variable_scope("s") as s:
        tf.constant(1.0)
    with tf.name_scope("n"):
        with tf.variable_scope(s, auxiliary_name_scope=False) as again:
            tf.get_variable("v", [1])
            tf.constant(1.0)
        with tf.variable_scope("t", auxiliary_name_scope=False) as t:
            tf.get_variable("v", [1])
            tf.constant(1.0)
    with tf.variable_scope("u", auxiliary_name_scope=False) as u:
        tf.constant(1.0)
    with tf.variable_scope(None, "d", auxiliary_name_scope=False) as d:
        tf.constant(1.0)
    return [names(tf), ops(tf), [described(tf, x) for x in (again, t, u, d)]]


@program
def original_name_scope_is_entered_again(tf, np):
    with tf.variable_scope("s") as s:
        tf.constant(1.0)
    with tf.variable_scope(s, auxiliary_name_scope=False), tf.name_scope(s.original_name_scope):
        tf.constant(1.0)
        tf.get_variable("v", [1])
    return [names(tf), ops(tf)]


@program
def default_names_are_unique(tf, np):
    made = []
    for _ in range(3):
        with tf.variable_scope(None, "layer") as scope:
            tf.get_variable("v", [1])
            tf.constant(1.0)
            made.append(described(tf, scope))
    with tf.variable_scope("named", "layer") as scope:
        made.append(described(tf, scope))
    return [made, names(tf), ops(tf)]


@program
def default_names_inside_scopes(tf, np):
    made = []
    for _ in range(2):
        with tf.variable_scope("outer"):
            for _ in range(2):
                with tf.variable_scope(None, "inner") as scope:
                    made.append([scope.name, scope.original_name_scope])
    with tf.variable_scope("outer") as outer:
        pass
    with tf.variable_scope(outer):
        with tf.variable_scope(None, "inner") as scope:
            made.append([scope.name, scope.original_name_scope])
        with tf.variable_scope(None, "inner") as scope:
            made.append([scope.name, scope.original_name_scope])
    return made


@program
def a_name_scope_does_not_name_variables_of_get_variable(tf, np):
    with tf.name_scope("n"):
        a = tf.get_variable("a", [1])
        b = tf.Variable(1.0, name="b")
        with tf.variable_scope("s"):
            c = tf.get_variable("c", [1])
            d = tf.Variable(1.0, name="d")
            e = a + c
    return [[v.name for v in (a, b, c, d)], e, graph_of(tf)]


@program
def a_name_that_a_node_has_already(tf, np):
    tf.constant(1.0, name="v")
    v = tf.get_variable("v", [1])
    with tf.variable_scope("", reuse=True):
        again = tf.get_variable("v", [1])
    return [v.name, again is v, ops(tf)]


@program
def scope_names_with_slashes(tf, np):
    with tf.variable_scope("a/b") as s:
        v = tf.get_variable("c/d", [1])
        tf.constant(1.0)
    with tf.variable_scope(s):
        tf.constant(1.0)
    with tf.variable_scope("a"):
        w = tf.get_variable("b/w", [1])
    return [v.name, w.name, ops(tf), described(tf, s)]


@program
def empty_scope_names(tf, np):
    with tf.variable_scope("") as s:
        v = tf.get_variable("v", [1])
        tf.constant(1.0)
    with tf.variable_scope("a"), tf.variable_scope("") as inside:
        w = tf.get_variable("w", [1])
    with tf.variable_scope(tf.get_variable_scope()) as root:
        u = tf.get_variable("u", [1])
    with tf.variable_scope("a"), tf.variable_scope(root) as out:
        t = tf.get_variable("t", [1])
    return [[x.name for x in (v, w, u, t)], ops(tf), [described(tf, x) for x in (s, inside, root, out)]]


@program
def sharing_by_reuse(tf, np):
    with tf.variable_scope("s"):
        v = tf.get_variable("v", [1])
    with tf.variable_scope("s", reuse=True) as scope:
        w = tf.get_variable("v", [1])
        x = tf.get_variable("v")
    return [v is w, v is x, names(tf), described(tf, scope)]


@program
def sharing_by_reuse_variables(tf, np):
    with tf.variable_scope("s") as scope:
        v = tf.get_variable("v", [1])
        scope.reuse_variables()
        w = tf.get_variable("v", [1])
        inside = tf.get_variable_scope().reuse
    with tf.variable_scope("s"):
        after = attempt(lambda: tf.get_variable("v", [1]))
    tf.get_variable_scope().reuse_variables()
    missing = attempt(lambda: tf.get_variable("w", [1]))
    return [v is w, inside, after, missing, tf.get_variable_scope().reuse]


@program
def sharing_by_auto_reuse(tf, np):
    made = []
    for _ in range(2):
        with tf.variable_scope("s", reuse=tf.AUTO_REUSE) as scope:
            made.append(tf.get_variable("v", [1]))
            with tf.variable_scope("inner") as inner:
                made.append(tf.get_variable("v", [1]))
    return [made[0] is made[2], made[1] is made[3], names(tf), described(tf, scope), described(tf, inner), ops(tf)]


@program
def reuse_is_inherited_and_cannot_be_turned_off(tf, np):
    with tf.variable_scope("s"):
        v = tf.get_variable("v", [1])
        with tf.variable_scope("t"):
            w = tf.get_variable("w", [1])
    out = []
    with tf.variable_scope("s", reuse=True):
        for reuse in (None, False, True, tf.AUTO_REUSE):
            with tf.variable_scope("t", reuse=reuse) as t:
                out.append([str(t.reuse), tf.get_variable("w", [1]) is w])
                out.append(attempt(lambda: tf.get_variable("new", [1]).name))
    with tf.variable_scope("s", reuse=tf.AUTO_REUSE), tf.variable_scope("t", reuse=False) as t:
        out.append([str(t.reuse), tf.get_variable("w", [1]) is w])
    return [out, v.name]


@program
def reuse_of_a_scope_object(tf, np):
    with tf.variable_scope("s") as s:
        v = tf.get_variable("v", [1])
        s.reuse_variables()
    out = []
    for reuse in (None, False, True, tf.AUTO_REUSE):
        with tf.variable_scope(s, reuse=reuse) as t:
            out.append([str(t.reuse), tf.get_variable("v", [1]) is v])
    return out


@program
def wrong_reuse_and_names(tf, np):
    def enter(*args, **kwargs):
        with tf.variable_scope(*args, **kwargs) as scope:
            return scope.name

    return [
        attempt(lambda: enter(None)),
        attempt(lambda: enter(3)),
        attempt(lambda: enter("s", reuse=3)),
        attempt(lambda: enter("s", reuse="yes")),
        attempt(lambda: enter(None, "d", reuse=True)),
        attempt(lambda: enter("s", auxiliary_name_scope=None)),
        attempt(lambda: enter("s s")),
        attempt(lambda: enter("/s")),
        attempt(lambda: tf.get_variable("v v", [1])),
        tf.get_variable_scope().name,
        ops(tf),
    ]


@program
def a_scope_object_is_entered_twice(tf, np):
    block = tf.variable_scope("s")
    with block as one:
        tf.get_variable("v", [1])
        tf.constant(1.0)
    with block as two:
        tf.get_variable("w", [1])
        tf.constant(1.0)
    return [names(tf), one.name, two.name, [n for n in ops(tf) if n.endswith("Const")]]


@program
def a_scope_is_left_by_an_error(tf, np):
    def wrong():
        with tf.variable_scope("s"):
            raise ValueError("mine")

    failed = attempt(wrong)
    with tf.variable_scope("t") as t:
        pass
    return [failed, tf.get_variable_scope().name, t.name]


@program
def settings_of_a_scope(tf, np):
    with tf.variable_scope(
        "s",
        initializer=tf.constant_initializer(4.0),
        dtype=tf.float64,
        caching_device="/cpu:0",
        use_resource=True,
        constraint=lambda x: x,
    ) as s:
        v = tf.get_variable("v", [2])
        with tf.variable_scope("t") as t:
            w = tf.get_variable("w", [])
            with tf.variable_scope("u", initializer=tf.zeros_initializer, dtype=tf.float32, use_resource=False) as u:
                x = tf.get_variable("x", [])
    return [
        [described(tf, a) for a in (s, t, u)],
        [repr(a) for a in (v, w, x)],
        [a.constraint is None for a in (v, w, x)],
        graph_of(tf, "dtype"),
    ]


@program
def settings_pass_on_through_scope_objects(tf, np):
    with tf.variable_scope("s", initializer=tf.ones_initializer(), dtype=tf.float64, use_resource=True) as s:
        pass
    with tf.variable_scope("other", dtype=tf.float16), tf.variable_scope(s) as again:
        v = tf.get_variable("v", [1])
    with tf.variable_scope(s, dtype=tf.float32, initializer=tf.zeros_initializer()) as changed:
        w = tf.get_variable("w", [1])
    return [described(tf, again), described(tf, changed), repr(v), repr(w)]


@program
def setters_of_a_scope(tf, np):
    with tf.variable_scope("s") as s:
        s.set_initializer(tf.constant_initializer(2))
        s.set_dtype(tf.int32)
        s.set_use_resource(True)
        s.set_regularizer(lambda v: tf.identity(v, name="loss"))
        s.set_caching_device("/cpu:0")
        s.set_partitioner(None)
        s.set_custom_getter(None)
        v = tf.get_variable("v", [2])
    return [described(tf, s), repr(v), graph_of(tf)]


@program
def collections_of_a_scope(tf, np):
    with tf.variable_scope("a") as a:
        tf.get_variable("v", [1])
        tf.get_variable("f", [1], trainable=False)
        tf.get_local_variable("l", [1])
        with tf.variable_scope("b") as b:
            tf.get_variable("v", [1])
    with tf.variable_scope("ab") as ab:
        tf.get_variable("v", [1])
    out = []
    for scope in (a, b, ab, tf.get_variable_scope()):
        out.append([
            [v.name for v in found]
            for found in (
                scope.trainable_variables(),
                scope.global_variables(),
                scope.local_variables(),
                scope.get_collection(tf.GraphKeys.GLOBAL_VARIABLES),
            )
        ])
    return out


@program
def lists_of_variables_by_scope(tf, np):
    with tf.variable_scope("a"):
        tf.get_variable("v", [1])
        tf.get_variable("f", [1], trainable=False)
        tf.get_local_variable("l", [1])
    with tf.variable_scope("ab"):
        v = tf.get_variable("v", [1])
    tf.add_to_collection(tf.GraphKeys.MODEL_VARIABLES, v)
    lists = (tf.trainable_variables, tf.global_variables, tf.local_variables, tf.model_variables, tf.moving_average_variables)
    return [
        [[v.name for v in f(scope)] for f in lists]
        for scope in (None, "", "a", "a/", ".*v", "v", "ab")
    ]


@program
def variable_in_a_scope_with_use_resource(tf, np):
    with tf.variable_scope("s", use_resource=True):
        a = tf.Variable(1.0)
        b = tf.get_variable("b", [])
        c = tf.Variable(1.0, use_resource=False)
        d = tf.get_variable("d", [], use_resource=False)
    e = tf.Variable(1.0)
    return [[type(v).__name__ for v in (a, b, c, d, e)], [v.name for v in (a, b, c, d, e)]]


@program
def resource_variables_everywhere(tf, np):
    tf.enable_resource_variables()
    try:
        a = tf.Variable(1.0)
        b = tf.get_variable("b", [])
        with tf.variable_scope("s", use_resource=False):
            c = tf.get_variable("c", [])
            d = tf.Variable(1.0)
        enabled = tf.resource_variables_enabled()
    finally:
        tf.disable_resource_variables()
    return [[type(v).__name__ for v in (a, b, c, d)], enabled, tf.resource_variables_enabled()]


@program
def values_choose_the_graph(tf, np):
    other = tf.Graph()
    with other.as_default():
        x = tf.constant(1.0)
    with tf.variable_scope("s", values=[x]):
        v = tf.get_variable("v", [1])
    y = tf.constant(1.0)
    with tf.variable_scope(None, "d", [y]):
        w = tf.get_variable("w", [1])
    mixed = attempt(lambda: tf.variable_scope("t", values=[x, y]))
    return [v.graph is other, w.graph is tf.get_default_graph(), names(tf), type(mixed).__name__]


@program
def variable_op_scope_and_op_scope(tf, np):
    x = tf.constant(1.0)
    with tf.variable_op_scope([x], "s", "d") as s:
        v = tf.get_variable("v", [1])
    with tf.variable_op_scope([x], None, "d", reuse=None) as d:
        w = tf.get_variable("w", [1])
    with tf.op_scope([x], "n") as n:
        tf.constant(1.0)
    with tf.op_scope([x], None, "m") as m:
        tf.constant(1.0)
    return [v.name, w.name, s.name, d.name, n, m, ops(tf)]


@program
def threads_have_scopes_of_their_own(tf, np):
    import threading

    graph, seen = tf.get_default_graph(), []

    def inside():
        with graph.as_default():
            seen.append(tf.get_variable_scope().name)
            with tf.variable_scope("t") as t:
                seen.append([t.name, tf.get_variable("v", [1]).name])

    with tf.variable_scope("s"):
        thread = threading.Thread(target=inside)
        thread.start()
        thread.join()
        seen.append(tf.get_variable("v", [1]).name)
    return seen


# -- custom getters ------------------------------------------------------------------------------------------------


@program
def a_custom_getter_sees_the_arguments(tf, np):
    seen = []

    def getter(getter, name, *args, **kwargs):
        seen.append([name, list(args), sorted(kwargs)])
        seen.append({k: v for k, v in kwargs.items() if k in ("shape", "reuse", "trainable", "collections", "validate_shape", "use_resource", "dtype")})
        return getter(name, *args, **kwargs)

    with tf.variable_scope("s", custom_getter=getter):
        v = tf.get_variable("v", [1], dtype=tf.float64)
    tf.get_variable("w", [1], custom_getter=getter, trainable=False)
    tf.get_variable("x", initializer=1, custom_getter=getter, collections=["mine"], use_resource=True)
    return [seen, v.name, names(tf)]


@program
def a_custom_getter_without_constraint(tf, np):
    seen = []

    def getter(
        getter, name, shape, dtype, initializer, regularizer, reuse, trainable, collections, caching_device,
        partitioner, validate_shape, use_resource, synchronization, aggregation,
    ):  # fmt: skip
        seen.append([name, shape, dtype, str(reuse), trainable])
        return getter(name, shape=[3], dtype=dtype, initializer=tf.zeros_initializer())

    v = tf.get_variable("v", [1], custom_getter=getter)
    return [seen, repr(v), attempt(lambda: tf.get_variable("w", [1], custom_getter=3))]


@program
def custom_getters_compose(tf, np):
    seen = []

    def says(label):
        def getter(getter, name, *args, **kwargs):
            seen.append(label)
            return tf.identity(getter(name, *args, **kwargs), name=label)

        return getter

    with tf.variable_scope("a", custom_getter=says("outer")) as a:
        with tf.variable_scope("b", custom_getter=says("inner")):
            v = tf.get_variable("v", [1])
            seen.append("-")
            w = tf.get_variable("w", [1], custom_getter=says("own"))
            seen.append("-")
    with tf.variable_scope(a, custom_getter=says("again")):
        x = tf.get_variable("x", [1])
    with tf.variable_scope(a):
        y = tf.get_variable("y", [1])
    return [seen, v, w, x, y, names(tf)]


@program
def a_custom_getter_shares_and_renames(tf, np):
    def getter(getter, name, *args, **kwargs):
        return getter(name.replace("b", "a"), *args, **kwargs)

    with tf.variable_scope("", custom_getter=getter, reuse=tf.AUTO_REUSE):
        a = tf.get_variable("a", [1])
        b = tf.get_variable("b", [1])
    return [a is b, names(tf)]


@program
def a_custom_getter_for_weight_norm(tf, np):
    def getter(getter, name, *args, **kwargs):
        v = getter(name + "/v", *args, **kwargs)
        g = getter(name + "/g", shape=[], initializer=tf.ones_initializer())
        return g * v / tf.norm(v)

    with tf.variable_scope("layer", custom_getter=getter):
        w = tf.get_variable("w", [2], initializer=tf.constant_initializer([3.0, 4.0]))
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        return [sess.run(w), names(tf), w]


# -- creators ------------------------------------------------------------------------------------------------------


@program
def a_creator_sees_the_arguments(tf, np):
    seen = []

    def creator(next_creator, **kwargs):
        seen.append(sorted(k for k in kwargs if k != "distribute_strategy" and not k.startswith("experimental")))
        seen.append([kwargs["name"], kwargs["trainable"], kwargs["validate_shape"], kwargs["use_resource"]])
        return next_creator(**kwargs)

    with tf.variable_creator_scope(creator):
        v = tf.Variable(1.0, name="v", trainable=False)
        w = tf.get_variable("w", [1])
    tf.Variable(2.0)
    return [seen[1::2], v.name, w.name]


@program
def creators_compose_and_change(tf, np):
    seen = []

    def says(label, **change):
        def creator(next_creator, **kwargs):
            seen.append(label)
            kwargs.update(change)
            return next_creator(**kwargs)

        return creator

    with tf.variable_creator_scope(says("outer", use_resource=True)):
        with tf.variable_creator_scope(says("inner", name="named")):
            v = tf.Variable(1.0)
        w = tf.get_variable("w", [1], trainable=True)
    with tf.variable_creator_scope(lambda next_creator, **kwargs: 7):
        x = tf.Variable(1.0)
    return [seen, repr(v), repr(w), x]


@program
def creators_by_priority(tf, np):
    seen = []

    def says(label):
        def creator(next_creator, **kwargs):
            seen.append(label)
            return next_creator(**kwargs)

        return creator

    graph = tf.get_default_graph()
    with graph._variable_creator_scope(says("high"), priority=200):
        with graph._variable_creator_scope(says("low"), priority=50):
            with tf.variable_creator_scope(says("usual")):
                tf.Variable(1.0)
    return seen


# -- templates -----------------------------------------------------------------------------------------------------


def layer(tf):
    def f(x, size=1):
        v = tf.get_variable("v", [size], initializer=tf.ones_initializer())
        return x * v

    return f


@program
def a_template_shares_its_variables(tf, np):
    t = tf.make_template("layer", layer(tf))
    x = tf.constant([2.0])
    a, b = t(x), t(x)
    u = tf.make_template("layer", layer(tf))
    c = u(x)
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        return [a, b, c, sess.run([a, b, c]), names(tf), t.name, t.variable_scope_name, u.variable_scope_name, ops(tf)]


@program
def a_template_inside_scopes(tf, np):
    t = tf.make_template("t", layer(tf))
    x = tf.constant([2.0])
    with tf.variable_scope("a"):
        a = t(x)
    with tf.variable_scope("b"):
        b = t(x)
    return [a, b, names(tf), t.variable_scope.name]


@program
def a_template_whose_scope_is_made_now(tf, np):
    with tf.variable_scope("s"):
        t = tf.make_template("t", layer(tf), create_scope_now_=True)
        u = tf.make_template("t", layer(tf), create_scope_now_=True)
    x = tf.constant([2.0])
    before = [t.variable_scope_name, u.variable_scope_name, names(tf)]
    with tf.variable_scope("other"):
        a, b = t(x), t(x)
        c = u(x)
    return [before, a, b, c, names(tf)]


@program
def a_template_with_a_unique_name(tf, np):
    t = tf.make_template("t", layer(tf), unique_name_="one")
    u = tf.make_template("t", layer(tf), unique_name_="one")
    x = tf.constant([2.0])
    t(x)
    return [names(tf), attempt(lambda: u(x)), t.variable_scope_name]


@program
def a_template_with_arguments_and_getter(tf, np):
    def getter(getter, name, *args, **kwargs):
        return getter(name + "_mine", *args, **kwargs)

    t = tf.make_template("t", layer(tf), size=3, custom_getter_=getter)
    y = t(tf.constant([1.0, 2.0, 3.0]))
    t(1.0)
    return [y, names(tf), t.var_scope.name]


@program
def lists_of_a_template(tf, np):
    def f():
        tf.get_variable("v", [1])
        tf.get_variable("f", [1], trainable=False)
        tf.get_local_variable("l", [1])

    t = tf.make_template("t", f)
    before = [t.variables, t.trainable_variables, t.variable_scope is None, t.variable_scope_name]
    t()
    return [
        before,
        [
            [v.name for v in found]
            for found in (
                t.variables, t.trainable_variables, t.non_trainable_variables, t.global_variables,
                t.local_variables, t.weights, t.trainable_weights, t.non_trainable_weights,
            )
        ],
    ]  # fmt: skip


@program
def a_template_may_not_train_more_later(tf, np):
    t = tf.make_template("t", lambda: tf.Variable(1.0))
    t()
    return [attempt(t), attempt(lambda: tf.make_template(None, layer(tf)))]


@program
def a_template_that_fails_is_not_called_yet(tf, np):
    calls = []

    def f():
        calls.append(tf.get_variable_scope().reuse)
        if len(calls) == 1:
            raise ValueError("mine")
        return tf.get_variable("v", [1]).name

    t = tf.make_template("t", f)
    return [attempt(t), attempt(t), attempt(t), [bool(c) for c in calls]]


@program
def templates_in_templates(tf, np):
    inner = tf.make_template("inner", layer(tf))

    def f(x):
        return inner(x) + layer(tf)(x)

    outer = tf.make_template("outer", f)
    x = tf.constant([1.0])
    return [outer(x), outer(x), names(tf)]


@program
def scopes_of_graphs_are_apart(tf, np):
    def make():
        with tf.variable_scope(None, "s") as s:
            return [s.name, tf.get_variable("v", [1]).name]

    return [make(), fresh(tf, make), make()]


@program
def a_model_is_built_twice(tf, np):
    def model(x, reuse):
        with tf.variable_scope("model", reuse=reuse):
            for i in range(2):
                with tf.variable_scope(f"layer{i}"):
                    w = tf.get_variable("w", [2, 2], initializer=tf.constant_initializer(0.5))
                    b = tf.get_variable("b", [2], initializer=tf.zeros_initializer())
                    x = tf.nn.relu(tf.matmul(x, w) + b)
        return x

    x = tf.constant([[1.0, 2.0]])
    one, two = model(x, False), model(x, True)
    again = attempt(lambda: model(x, False))
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        return [sess.run([one, two]), again, graph_of(tf)]


@program
def a_template_scope_made_now_does_not_know_the_outer_dtype(tf, np):
    made = []
    with tf.variable_scope("s", dtype=tf.float64, initializer=tf.ones_initializer()):
        for now in (True, False):
            template = tf.make_template("t", lambda: tf.get_variable("v", [1]), create_scope_now_=now)
            made.append([repr(template()), template.variable_scope.dtype, template.variable_scope.initializer is None])
    return made


@program
def scopes_left_in_the_wrong_order(tf, np):
    outer, inner = tf.variable_scope("a"), tf.variable_scope("b")
    outer.__enter__()
    inner.__enter__()
    steps = []
    for scope in (outer, inner):
        failed = attempt(lambda s=scope: s.__exit__(None, None, None) and None)
        steps.append([failed or None, tf.get_variable_scope().name, tf.constant(1.0).op.name])
    return steps
