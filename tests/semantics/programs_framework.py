"""Programs that work on the graph: scopes, overrides, collections, create_op, default graphs, names."""

from harness import attempt, fresh, graph_of, program


def names(tf):
    return [op.name for op in tf.get_default_graph().get_operations()]


@program
def gradient_override_map_marks_new_nodes(tf, np):
    g = tf.get_default_graph()
    a = tf.constant(1.0, name="a")
    with g.gradient_override_map({"Identity": "Mine", "Square": "Other"}):
        i = tf.identity(a, name="i")
        s = tf.square(a, name="s")
        with g.gradient_override_map({"Identity": "Inner"}):
            j = tf.identity(a, name="j")
            t = tf.square(a, name="t")
        k = tf.identity(a, name="k")
        n = tf.negative(a, name="n")
    after = tf.identity(a, name="after")
    return [attempt(lambda t=t: t.op.get_attr("_gradient_op_type")) for t in (i, s, j, t, k, n, after)]


@program
def gradient_override_map_wants_texts(tf, np):
    g = tf.get_default_graph()

    def enter(given):
        with g.gradient_override_map(given):
            return "entered"

    return [attempt(lambda v=v: enter(v)) for v in ([], {"Identity": 3}, {3: "x"}, "Identity", {}, None)]


@program
def gradient_override_map_ends_with_its_block(tf, np):
    g = tf.get_default_graph()

    def fail():
        with g.gradient_override_map({"Identity": "Mine"}):
            raise KeyError("inside")

    attempt(fail)
    return attempt(lambda: tf.identity(1.0).op.get_attr("_gradient_op_type"))


@program
def attribute_scopes(tf, np):
    g = tf.get_default_graph()
    from_proto = tf.AttrValue

    def attr(op, name):
        return attempt(lambda: op.get_attr(name))

    with g._attr_scope({"_mine": from_proto(s=b"x")}):
        a = tf.constant(1.0, name="a").op
        with g._attr_scope({"_mine": None, "_more": from_proto(i=3)}):
            b = tf.constant(1.0, name="b").op
        with g._attr_scope({"_mine": from_proto(b=True)}):
            c = tf.constant(1.0, name="c").op
    d = tf.constant(1.0, name="d").op
    return [[attr(op, "_mine"), attr(op, "_more")] for op in (a, b, c, d)]


@program
def attribute_scopes_of_functions(tf, np):
    g = tf.get_default_graph()
    with g._attr_scope({"_kind": lambda node: tf.AttrValue(s=node.op.encode())}):
        a = tf.constant(1.0, name="a").op
        b = tf.no_op(name="b")
    return [a.get_attr("_kind"), b.get_attr("_kind")]


@program
def attribute_scopes_keep_what_a_node_has(tf, np):
    g = tf.get_default_graph()
    a = tf.constant(1.0, name="a")
    with g._attr_scope({"T": tf.AttrValue(type=3), "_class": tf.AttrValue(s=b"x")}):
        i = tf.identity(a, name="i").op
        with tf.colocate_with(a):
            j = tf.identity(a, name="j").op
    return [i.get_attr("T"), i.get_attr("_class"), j.get_attr("T"), j.get_attr("_class")]


@program
def attribute_scopes_refused(tf, np):
    g = tf.get_default_graph()

    def enter(given):
        with g._attr_scope(given):
            return "entered"

    return [attempt(lambda: enter([])), attempt(lambda: enter({3: None})), attempt(lambda: enter({"_a": "text"}))]


@program
def kernel_labels(tf, np):
    g = tf.get_default_graph()
    with g._kernel_label_map({"Identity": "v2"}):
        i = tf.identity(1.0, name="i").op
        n = tf.negative(1.0, name="n").op
        with g._kernel_label_map({"Neg": "x", "Identity": ""}):
            j = tf.identity(1.0, name="j").op
            m = tf.negative(1.0, name="m").op

    def enter(given):
        with g._kernel_label_map(given):
            return "entered"

    return [
        [attempt(lambda op=op: op.get_attr("_kernel")) for op in (i, n, j, m)],
        attempt(lambda: enter([])),
        attempt(lambda: enter({"a": 3})),
    ]


@program
def containers(tf, np):
    g = tf.get_default_graph()

    def of(x):
        return attempt(lambda: x.op.get_attr("container"))

    with tf.container("first"):
        v = tf.Variable(1.0, name="v")
        with g.container("second"):
            w = tf.Variable(1.0, name="w")
            r = tf.Variable(1.0, name="r", use_resource=True)
        with tf.container(""):
            x = tf.Variable(1.0, name="x")
        c = tf.constant(1.0)
    u = tf.Variable(1.0, name="u")
    return [of(v), of(w), r.handle.op.get_attr("container"), of(x), of(c), of(u)]


@program
def a_container_keeps_a_value_of_its_own(tf, np):
    with tf.container("one"):
        a = tf.Variable(1.0, name="a")
    b = tf.Variable(5.0, name="b")
    with tf.Session() as sess:
        sess.run([a.initializer, b.initializer])
        sess.run(a.assign_add(1.0))
        return sess.run([a, b])


@program
def init_scope_lifts(tf, np):
    a = tf.constant(1.0, name="a")
    with tf.name_scope("s"), tf.control_dependencies([a]):
        with tf.init_scope():
            b = tf.constant(2.0, name="b")
            inside = tf.get_default_graph() is a.graph
        c = tf.constant(3.0, name="c")
    return [inside, [x.name for x in b.op.control_inputs], [x.name for x in c.op.control_inputs], names(tf)]


@program
def init_scope_and_devices(tf, np):
    with tf.device("/cpu:0"), tf.init_scope():
        return tf.constant(1.0).device


@program
def modes(tf, np):
    return [
        tf.executing_eagerly(),
        tf.executing_eagerly_outside_functions(),
        tf.control_flow_v2_enabled(),
        tf.disable_control_flow_v2(),
        tf.disable_tensor_equality(),
        tf.disable_v2_tensorshape(),
        tf.resource_variables_enabled(),
    ]


@program
def what_is_a_tensor(tf, np):
    v = tf.Variable(1.0)
    r = tf.Variable(1.0, use_resource=True)
    given = [
        tf.constant(1), v, r, tf.SparseTensor([[0]], [1], [1]), tf.IndexedSlices(tf.zeros([1]), tf.constant([0])), 3, [1],
        np.ones(2),
        None, "a", tf.no_op(), tf.constant, tf.TensorShape([1]),
    ]  # fmt: skip
    return [tf.is_tensor(x) for x in given]


@program
def create_op_with_attributes(tf, np):
    g = tf.get_default_graph()
    a = tf.constant([1.0, 2.0], name="a")
    made = g.create_op("Cast", [a], [tf.int32], name="c", attrs={
        "SrcT": tf.AttrValue(type=1), "DstT": tf.AttrValue(type=3)})
    with tf.Session() as sess:
        return [made.type, made.outputs[0], sess.run(made.outputs[0]), made.get_attr("DstT"), made.get_attr("Truncate")]


@program
def create_op_names(tf, np):
    g = tf.get_default_graph()
    made = [g.create_op("NoOp", [], []).name, g.create_op("NoOp", [], [], name="n").name,
        g.create_op("NoOp", [], [], name="n").name]
    with tf.name_scope("s"):
        made += [g.create_op("NoOp", [], [], name="n").name, g.create_op("NoOp", [], [], name="exact/").name]
    return [made, attempt(lambda: g.create_op("NoOp", [], [], name="a b"))]


@program
def create_op_takes_the_settings_in_force(tf, np):
    g = tf.get_default_graph()
    a = tf.constant(1.0, name="a")
    with tf.device("/cpu:0"), tf.control_dependencies([a]):
        n = g.create_op("NoOp", [], [], name="n")
    return [n.device, [x.name for x in n.control_inputs]]


@program
def create_op_refuses(tf, np):
    g = tf.get_default_graph()
    a = tf.constant([1.0, 2.0], name="a")
    return [
        fresh(tf, lambda: tf.get_default_graph().create_op("NoSuchOp", [], [])).text[:35],
        attempt(lambda: g.create_op("Neg", [3.0], [tf.float32])),
        attempt(lambda: g.create_op("Neg", a, [tf.float32])),
        names(tf),
    ]


@program
def default_graph_blocks(tf, np):
    g, h = tf.Graph(), tf.Graph()
    first = tf.get_default_graph()

    def fail():
        with g.as_default():
            raise KeyError("x")

    attempt(fail)
    after = tf.get_default_graph() is first
    with g.as_default(), h.as_default(), g.as_default() as inner:
        nested = [inner is g, tf.get_default_graph() is g, attempt(tf.reset_default_graph)]
    with g.as_default():
        pass
    with g.as_default():
        again = tf.get_default_graph() is g
    return [after, nested, again, tf.get_default_graph() is first]


@program
def a_default_graph_is_new_after_reset(tf, np):
    tf.constant(1.0, name="x")
    old = tf.get_default_graph()
    tf.add_to_collection("c", 1)
    tf.set_random_seed(3)
    tf.reset_default_graph()
    new = tf.get_default_graph()
    return [old is new, new.seed, tf.get_collection("c"), names(tf), new.version, len(old.get_operations()), old.seed]


@program
def default_sessions(tf, np):
    none = tf.get_default_session()
    a = tf.Session()
    b = tf.Session()
    with a.as_default() as entered:
        inside = [entered is a, tf.get_default_session() is a]
        with b.as_default():
            inside.append(tf.get_default_session() is b)
        inside.append(tf.get_default_session() is a)
    c = tf.constant(3.0)
    with a:
        value = c.eval()
    return [none, inside, tf.get_default_session() is None, value, attempt(lambda: a.run(c)), b.run(c)]


@program
def sessions_have_a_graph(tf, np):
    g = tf.Graph()
    with g.as_default():
        tf.constant(1.0, name="c")
    with tf.Session(graph=g) as sess:
        inside = [sess.graph is g, tf.get_default_graph() is g]
    return [inside, tf.Session().graph is tf.get_default_graph(), tf.Session().sess_str,
        attempt(lambda: tf.Session(graph=3)).classes, attempt(lambda: tf.Session(3)).classes]


@program
def closing_sessions(tf, np):
    c = tf.constant(1.0)
    sess = tf.Session()
    sess.run(c)
    return [sess.close(), sess.close(), attempt(lambda: sess.run(c)), attempt(lambda: c.eval(session=sess))]


@program
def collections_of_lists(tf, np):
    g = tf.get_default_graph()
    g.add_to_collection("a", 1)
    g.add_to_collections(("a", "b", "a"), 2)
    g.add_to_collections("b", 3)
    g.add_to_collections([], 4)
    g.add_to_collection(("t", 1), 5)
    ref = g.get_collection_ref("new")
    ref.append(6)
    g.clear_collection("b")
    g.clear_collection("nothing")
    return [
        g.get_collection("a"), g.get_collection("b"), g.get_collection(("t", 1)), g.get_collection("new"),
        g.get_collection_ref("a") is g.get_collection_ref("a"), g.get_collection("a") is g.get_collection("a"),
        sorted(map(str, g.get_all_collection_keys())), sorted(map(str, g.collections)),
    ]  # fmt: skip


@program
def collections_by_scope(tf, np):
    class Named:
        def __init__(self, name):
            self.name = name

    for item in (Named("s/a"), Named("t/s/b"), 3, Named("s_1/c"), Named("S/d")):
        tf.add_to_collection("k", item)
    found = {scope: [x.name for x in tf.get_collection("k", scope)] for scope in ("s", "s/", ".*/b", "", "[sS]", "x")}
    return [found, len(tf.get_collection("k", None)), attempt(lambda: tf.get_collection("k", "(")).classes[-1]]


@program
def collections_of_a_finalized_graph(tf, np):
    g = tf.get_default_graph()
    g.add_to_collection("a", 1)
    g.finalize()
    return [
        attempt(lambda: g.add_to_collection("a", 2)),
        attempt(lambda: g.clear_collection("a")),
        g.get_collection("a"),
        attempt(lambda: g.get_collection_ref("a")),
        attempt(lambda: g.prevent_feeding(None)),
        attempt(lambda: g.unique_name("x")),
        attempt(lambda: tf.set_random_seed(1)),
        g.seed,
    ]


@program
def what_a_finalized_graph_refuses(tf, np):
    g = tf.get_default_graph()
    a = tf.constant(1.0, name="a")
    v = tf.Variable(1.0, name="v")
    g.finalize()

    def scoped():
        with tf.name_scope("s"), tf.device("/cpu:0"), tf.control_dependencies([a]):
            return tf.constant(1.0)

    return [
        attempt(scoped), attempt(lambda: tf.placeholder(tf.float32)), attempt(lambda: v.assign(2.0)), attempt(lambda: -a),
        attempt(lambda: g.create_op("NoOp", [], [])), attempt(lambda: tf.no_op()), attempt(lambda: tf.group()), g.finalized,
        names(tf),
    ]  # fmt: skip


@program
def feeding_and_fetching_prevented(tf, np):
    g = tf.get_default_graph()
    a, b = tf.constant(1.0, name="a"), tf.constant(2.0, name="b")
    before = [g.is_feedable(a), g.is_fetchable(a), g.is_fetchable(a.op)]
    g.prevent_feeding(a)
    g.prevent_fetching(b.op)
    return [
        before, g.is_feedable(a), g.is_fetchable(a), g.is_fetchable(b), g.is_fetchable(b.op), g.is_feedable(b),
        g.is_feedable("x"),
    ]  # fmt: skip


@program
def unique_names(tf, np):
    g = tf.Graph()
    made = [g.unique_name(n) for n in ("a", "a", "b/c", "b/c", "B/C", "a_1", "a", "A")]
    unmarked = [g.unique_name("z", mark_as_used=False), g.unique_name("z", False), g.unique_name("z")]
    with g.name_scope("s"):
        inside = [g.unique_name("a"), g.unique_name("a"), g.unique_name("t/u")]
        with g.name_scope("t"):
            inside.append(g.unique_name("u"))
    return [made, unmarked, inside, g.get_name_scope()]


@program
def name_scopes_of_a_graph(tf, np):
    g = tf.Graph()
    seen = []
    with g.name_scope("a") as a:
        seen += [a, g.get_name_scope()]
        with g.name_scope("b") as b:
            seen += [b, g.get_name_scope()]
        with g.name_scope("b") as b2:
            seen.append(b2)
        with g.name_scope(None) as top:
            seen += [top, g.get_name_scope()]
            with g.name_scope("a") as other:
                seen.append(other)
        with g.name_scope(a) as back:
            seen += [back, g.get_name_scope()]
    return [*seen, g.get_name_scope()]


@program
def a_name_scope_opens_when_it_is_entered(tf, np):
    g = tf.get_default_graph()
    later = g.name_scope("s")
    with g.name_scope("s") as first:
        pass
    with later as second:
        inside = tf.constant(1.0, name="c").name
    return [first, second, inside]


@program
def a_scope_object_has_its_name(tf, np):
    scope = tf.name_scope("s")
    return [scope.name, tf.name_scope(None, "d").name, tf.name_scope("n", "d", []).name,
        attempt(lambda: tf.name_scope(3).__enter__()).classes, attempt(lambda: tf.name_scope()).classes]


@program
def op_scope_by_values_first(tf, np):
    a = tf.constant(1.0, name="a")

    def enter(*args):
        with tf.op_scope(*args) as scope:
            return [scope, tf.constant(1.0, name="c").name]

    return [enter([a], "given", "fallback"), enter([a], None, "fallback"), enter([a], "given"),
        attempt(lambda: enter([a], None))]


@program
def scopes_and_threads(tf, np):
    import threading

    g = tf.get_default_graph()
    found = []

    def other():
        with g.as_default():
            found.append([g.get_name_scope(), tf.constant(1.0, name="c").name, tf.constant(1.0, name="c").device])

    with g.name_scope("s"), g.device("/cpu:0"):
        thread = threading.Thread(target=other)
        thread.start()
        thread.join()
    return found


@program
def settings_after_switching_to_thread_local(tf, np):
    import threading

    g = tf.get_default_graph()
    g.switch_to_thread_local()
    a = tf.constant(1.0, name="a")
    found = []

    def other():
        with g.as_default():
            c = tf.constant(1.0, name="c")
            found.append([c.device, c.name, [x.name for x in c.op.control_inputs]])

    with g.device("/cpu:0"), g.control_dependencies([a]), g.colocate_with(a):
        thread = threading.Thread(target=other)
        thread.start()
        thread.join()
        d = tf.constant(1.0, name="d")
    return [found, d.op.colocation_groups()]


@program
def elements_of_a_graph(tf, np):
    g = tf.get_default_graph()
    a = tf.constant(1.0, name="s/a")
    return {
        "by bytes": attempt(lambda: g.get_tensor_by_name(b"s/a:0")),
        "caret": attempt(lambda: g.as_graph_element("^s/a")).classes,
        "large index": attempt(lambda: g.get_tensor_by_name("s/a:10")),
        "scope": attempt(lambda: g.get_operation_by_name("s")),
        "case": attempt(lambda: g.get_operation_by_name("S/a")).classes,
        "empty": attempt(lambda: g.get_operation_by_name("")),
        "none": attempt(lambda: g.as_graph_element(None)),
        "list": attempt(lambda: g.as_graph_element([a])),
        "graph": attempt(lambda: g.as_graph_element(g)),
        "shape": attempt(lambda: g.as_graph_element(a.shape)),
    }


@program
def control_dependencies_accept(tf, np):
    a = tf.constant([1.0], name="a")
    v = tf.Variable(1.0, name="v")
    sparse = tf.SparseTensor([[0]], [1.0], [1])
    slices = tf.IndexedSlices(tf.zeros([1, 1], name="z"), tf.constant([0], name="i"))

    def under(inputs):
        def make():
            with tf.control_dependencies(inputs):
                return [c.name for c in tf.no_op(name="n").control_inputs]

        return attempt(make)

    return {
        "empty": under([]), "generator": under(x for x in (a, v)), "set": sorted(under({a})), "sparse": under([sparse]),
        "slices": under([slices]),
        "initializer": under([v.initializer]), "assign": under([v.assign(2.0)]), "float": under([1.5]),
        "list in list": under([[a]]),
        "shape": under([a.shape]), "by name": under(["a:0"]), "dict": under({"a": 1}),
        "session": under([tf.Session]).classes[0],
    }  # fmt: skip


@program
def control_dependencies_of_another_graph(tf, np):
    with tf.Graph().as_default():
        other = tf.constant(1.0, name="other")

    def make():
        with tf.control_dependencies([other]):
            return tf.no_op()

    return attempt(make)


@program
def control_dependencies_take_no_function(tf, np):
    def make():
        with tf.control_dependencies(lambda: [tf.constant(1.0)]):
            return tf.no_op()

    return attempt(make)


@program
def control_dependencies_of_a_graph(tf, np):
    g = tf.Graph()
    with g.as_default():
        a = tf.constant(1.0, name="a")
        block = g.control_dependencies([a])
        with block:
            b = tf.constant(1.0, name="b")
        c = tf.constant(1.0, name="c")
    return [[x.name for x in t.op.control_inputs] for t in (b, c)]


@program
def graph_keys_are_texts(tf, np):
    keys = [k for k in dir(tf.GraphKeys) if k.isupper() and not k.startswith("_")]
    return {k: getattr(tf.GraphKeys, k) for k in keys}


@program
def seeds_of_a_graph(tf, np):
    g = tf.Graph()
    before = g.seed
    g.seed = 4
    with g.as_default():
        tf.set_random_seed(7)
        inside = g.seed
        seeds = [tf.get_seed(None), tf.get_seed(3)]
    return [before, inside, seeds, tf.get_default_graph().seed, tf.get_seed(None), tf.get_seed(2)]


@program
def versions_count_nodes(tf, np):
    g = tf.Graph()
    steps = [g.version]
    with g.as_default():
        a = tf.constant(1.0)
        steps.append(g.version)
        tf.add(a, 2.0)
        steps.append(g.version)
    return [steps, g.building_function, g.finalized]


@program
def operations_are_given_as_a_copy(tf, np):
    g = tf.get_default_graph()
    tf.constant(1.0, name="a")
    found = g.get_operations()
    found.append("lost")
    return [[op.name for op in g.get_operations()], len(found)]


@program
def raw_ops(tf, np):
    r = tf.raw_ops
    a, b = tf.constant([1.0, 2.0]), tf.constant([3.0, 4.0])
    made = [
        r.Add(x=a, y=b), r.Add(x=a, y=b, name="sum"), r.Neg(x=a), r.MatMul(a=[[1.0]], b=[[2.0]], transpose_a=True),
        r.ConcatV2(values=[a, b], axis=0), r.Sum(input=a, axis=0, keep_dims=True), r.Cast(x=a, DstT=tf.int32),
        r.Identity(input=3),
        r.Unique(x=[1, 1, 2]).y, r.Split(axis=0, value=a, num_split=2), r.NoOp(),
    ]  # fmt: skip
    with tf.Session() as sess:
        return [made, sess.run(made[:-1]), graph_of(tf)]


@program
def raw_ops_take_keywords_alone(tf, np):
    r = tf.raw_ops
    a = tf.constant(1.0)
    return [
        attempt(lambda: r.Neg(a)),
        attempt(lambda: r.Add(a, a)).classes[0],
        attempt(lambda: r.Add(x=a)).classes[0],
        attempt(lambda: r.Neg(x=a, nothing=1)).classes[0],
        fresh(tf, lambda: r.Add(x=1.0, y=tf.constant(2))),
        "AttributeError" in attempt(lambda: r.NoSuchOp).classes,
        r.Neg.__name__,
    ]


@program
def names_of_raw_ops(tf, np):
    found = dir(tf.raw_ops)
    return [n in found for n in ("Add", "AddV2", "MatMul", "Const", "Switch", "VariableV2", "Placeholder", "NoSuchOp")]


@program
def nested_blocks_of_every_kind_unwind(tf, np):
    g = tf.get_default_graph()
    a = tf.constant(1.0, name="a")

    def fail():
        with g.name_scope("s"), g.device("/cpu:0"), g.control_dependencies([a]), g.colocate_with(a), g.container("c"):
            raise ValueError("inside")

    attempt(fail)
    v = tf.Variable(1.0, name="v")
    return [g.get_name_scope(), v.device, [c.name for c in v.op.control_inputs], v.op.get_attr("container"),
        v.op.colocation_groups()]


@program
def tensors_of_two_graphs(tf, np):
    with tf.Graph().as_default():
        other = tf.constant(1.0, name="other")
    here = tf.constant(1.0, name="here")

    def mix(f):
        found = attempt(f)
        return [found.classes[0], found.text.partition(" (graphs are")[0].rstrip(".")]

    return [mix(lambda: tf.add(other, here)), mix(lambda: tf.add_n([here, other])), mix(lambda: tf.stack([here, other])),
        mix(lambda: tf.group(here, other))]


@program
def ops_go_where_their_inputs_are(tf, np):
    g = tf.Graph()
    with g.as_default():
        a = tf.constant(1.0, name="a")
    return [(a + 1.0).graph is g, tf.identity(a).graph is g, tf.square(a, name="sq").name, names(tf), (2.0 * a).graph is g]
