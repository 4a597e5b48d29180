"""Runs on several CPUs: which device each node gets, the sends and receives between them, and what a variable's readers see.

A machine without a GPU has as many CPUs as the configuration says, in TF too. Transfers are numbered in an order of TF's own, so
the numbers are left out, and whether a small number travels by the memory of the host.
"""

import contextlib
import re

from harness import Failure, attempt, program


def configured(tf, soft=False):
    """Three CPUs, and no rewriting of the graph."""
    config = tf.ConfigProto(device_count={"CPU": 3}, allow_soft_placement=soft)
    config.graph_options.optimizer_options.opt_level = -1
    config.graph_options.rewrite_options.disable_meta_optimizer = True
    return config


def unnumbered(name):
    return re.sub(r"/_\d+$", "/_", name)


def partitions(tf, fetches, feed_dict=None, soft=False, runs=1):
    """What each run returns, and the nodes of each device with their inputs."""
    with tf.Session(config=configured(tf, soft)) as session:
        session.run(tf.global_variables_initializer())
        metadata = tf.RunMetadata()
        options = tf.RunOptions(output_partition_graphs=True)
        values = [session.run(fetches, feed_dict, options=options, run_metadata=metadata) for _ in range(runs)]
        nodes = [
            [node.device[-5:], node.op.replace("_Host", "_"), unnumbered(node.name), sorted(map(unnumbered, node.input))]
            for graph in metadata.partition_graphs
            for node in graph.node
        ]
    return [values, sorted(nodes)]


@program
def one_pair_for_each_tensor_and_device(tf, np):
    x = tf.Variable(1.0, name="x", use_resource=False)
    with tf.device("/cpu:1"):
        a, b = tf.add(x, 1.0, name="a"), tf.multiply(x, 2.0, name="b")
    with tf.device("/cpu:2"):
        c = tf.add(a, b, name="c")
    return partitions(tf, c, runs=2)


@program
def ten_identities_travel_ten_times(tf, np):
    x = tf.Variable(1.0, name="x", use_resource=False)
    identities = [tf.identity(x, name=f"i{k}") for k in range(10)]
    with tf.device("/cpu:1"):
        return partitions(tf, tf.add_n(identities, name="s"))


@program
def a_control_edge_carries_an_empty_tensor(tf, np):
    x = tf.Variable(1.0, name="x", use_resource=False)
    b = tf.assign_add(x, 1.0, name="b")
    with tf.device("/cpu:1"), tf.control_dependencies([b]):
        y = tf.identity(x, name="y")
    return partitions(tf, y, runs=2)


@program
def a_variable_is_one_buffer_for_all_cpus(tf, np):
    x = tf.Variable(1.0, name="x", use_resource=False)
    with tf.device("/cpu:1"):
        r = tf.identity(x, name="r")
    with tf.control_dependencies([r]):
        b = tf.assign_add(x, 1.0, name="b")
    with tf.device("/cpu:1"), tf.control_dependencies([b]):
        y = tf.identity(r, name="y")
    return partitions(tf, [y, r], runs=3)


@program
def an_update_follows_its_variable(tf, np):
    x = tf.Variable(1.0, name="x", use_resource=False)
    with tf.device("/cpu:1"):
        b = tf.assign_add(x, 1.0, name="b")
    return partitions(tf, b)


@program
def constants_go_to_their_consumers(tf, np):
    c, d, e = (tf.constant(v, name=n) for v, n in ((1.0, "c"), (2.0, "d"), (3.0, "e")))
    with tf.device("/cpu:1"):
        a = tf.add(c, d, name="a")
    with tf.device("/cpu:2"):
        b, f = tf.add(d, e, name="b"), tf.add(e, 1.0, name="f")
    return partitions(tf, [a, b, f])


@program
def a_shape_is_read_where_the_tensor_is(tf, np):
    with tf.device("/cpu:1"):
        a = tf.placeholder_with_default([1.0, 2.0], [None], name="a")
    return partitions(tf, [tf.shape(a, name="s"), tf.identity(a, name="i")])


@program
def a_resource_is_read_where_it_is(tf, np):
    with tf.device("/cpu:1"):
        x = tf.Variable(1.0, name="x", use_resource=True)
    y = tf.add(x, 1.0, name="y")
    with tf.device("/cpu:2"):
        z = tf.identity(x, name="z")
    return partitions(tf, [y, z, x])


@program
def soft_placement_leaves_missing_devices(tf, np):
    with tf.device("/cpu:7"):
        a = tf.constant(1.0, name="a")
    with tf.device("/gpu:1"):
        b = tf.add(a, a, name="b")
    with tf.device("/cpu:2"):
        c = tf.add(b, a, name="c")
    return [partitions(tf, c, soft=True), attempt(lambda: partitions(tf, c)).classes[0]]


@program
def feeds_and_fetches_are_on_the_first_device(tf, np):
    with tf.device("/cpu:1"):
        p = tf.placeholder(tf.float32, [], name="p")
        q = tf.add(p, 1.0, name="q")
    return partitions(tf, [q, p], {p: 2.0})


@program
def colocation_with_two_devices(tf, np):
    with tf.device("/cpu:1"):
        a = tf.constant(1.0, name="a")
    with tf.device("/cpu:2"):
        b = tf.constant(1.0, name="b")
    with tf.colocate_with(a), tf.colocate_with(b):
        c = tf.constant(1.0, name="c")
    with tf.colocate_with(b), tf.colocate_with(a):
        d = tf.constant(1.0, name="d")
    return [[t.device, t.op.colocation_groups()] for t in (c, d)]


@program
def colocated_nodes_cannot_ask_for_two_devices(tf, np):
    with tf.device("/cpu:1"):
        a = tf.constant(1.0, name="a")
    with tf.colocate_with(a):
        b = tf.add(2.0, 1.0, name="b")
    b.op._set_device("/device:CPU:2")
    found = attempt(lambda: partitions(tf, b))
    return [found.classes[0], "Cannot colocate nodes" in found.whole, "Cannot merge devices with incompatible ids" in found.whole]


@program
def a_colocation_that_cannot_be_names_both_nodes_and_their_devices(tf, np):
    def refused(*, groups, device=None):
        with tf.Graph().as_default():
            for number, name in enumerate("abc"):
                with tf.device(f"/cpu:{number}"):
                    tf.constant(1.0, name=name)
            made = {op.name: op for op in tf.get_default_graph().get_operations()}
            with contextlib.ExitStack() as blocks:
                for name in groups:
                    blocks.enter_context(tf.colocate_with(made[name]))
                x = tf.identity(made["a"].outputs[0], name="x")
                y = tf.negative(x, name="y")
            if device:
                y.op._set_device(device)
            with tf.Session(config=configured(tf)) as session:
                whole = attempt(lambda: session.run(y)).whole
        nodes = re.findall(r"(?:colocation_node|(?:nodes|and) node) (\w+)", whole)[:2]
        devices = re.search(r"incompatible (\w+): ('\S+' and '\S+')", whole)
        return [nodes, devices and list(devices.groups()), whole[:22]]

    return [
        refused(groups="ab"), refused(groups="ba"), refused(groups="b", device="/device:CPU:2"), refused(groups="abc"),
    ]  # fmt: skip


@program
def a_branch_across_devices(tf, np):
    x = tf.placeholder(tf.float32, [], name="x")
    with tf.device("/cpu:1"):
        y = tf.cond(x > 0, lambda: x + 1, lambda: x * 2)
    with tf.Session(config=configured(tf)) as session:
        return [session.run(y, {x: value}) for value in (3.0, -3.0, 3.0)]


@program
def a_loop_across_devices(tf, np):
    with tf.device("/cpu:1"):
        k = tf.constant(3.0, name="k")

    def body(i):
        with tf.device("/cpu:1"):
            return i + k

    loop = tf.while_loop(lambda i: i < 10.0, body, [0.0])
    with tf.Session(config=configured(tf)) as session:
        return [session.run(loop) for _ in range(3)]


@program
def towers_share_their_variables(tf, np):
    with tf.device("/cpu:0"):
        w = tf.Variable(2.0, name="w", use_resource=False)
    losses = []
    for k in range(2):
        with tf.device(f"/cpu:{k + 1}"), tf.name_scope(f"t{k}"):
            losses.append(tf.square(w - float(k), name="loss"))
    total = tf.add_n(losses, name="total")
    step = tf.train.GradientDescentOptimizer(0.1).minimize(total, colocate_gradients_with_ops=True)
    with tf.Session(config=configured(tf)) as session:
        session.run(tf.global_variables_initializer())
        return [session.run([step, total, w])[1:] for _ in range(4)]


def read_back(tf, fetches, **options):
    """What a run on three CPUs returns, or the class of its error."""
    config = configured(tf, **options)

    def ran():
        with tf.Session(config=config) as session:
            session.run(tf.global_variables_initializer())
            return session.run(fetches)

    found = attempt(ran)
    return found.classes[0] if isinstance(found, Failure) else found


@program
def what_takes_a_resource_goes_to_it(tf, np):
    with tf.device("/cpu:1"):
        v = tf.Variable(1.0, name="v", use_resource=True)
        q = tf.FIFOQueue(3, tf.float32, [[]], name="q")
    with tf.device("/cpu:2"):
        assigned = tf.assign(v, 2.0, name="b")
        enqueued = q.enqueue(1.0, name="e")
    with tf.control_dependencies([enqueued]):
        taken = q.dequeue(name="d")
    return [partitions(tf, assigned), partitions(tf, taken), read_back(tf, assigned), read_back(tf, assigned, soft=True)]


@program
def what_is_colocated_with_another_device_is_refused(tf, np):
    with tf.device("/cpu:1"):
        v = tf.Variable(1.0, name="v", use_resource=False)
    with tf.device("/cpu:2"):
        assigned = tf.assign(v, 2.0, name="b")
    with tf.device("/cpu:0"):
        a = tf.constant(1.0)
        b = tf.constant(2.0)
    b.op._set_attr("_class", tf.AttrValue(list=tf.AttrValue.ListValue(s=[b"loc:@" + v.op.name.encode()])))
    return [read_back(tf, assigned), read_back(tf, assigned, soft=True), read_back(tf, a + b), read_back(tf, a + b, soft=True)]


@program
def names_that_are_no_devices(tf, np):
    names = [
        "/cpu:-1", "/job:1a", "/job:a-b", "/job:_a", "/replica:-1", "/task:-1", "/device:1:0", "/device:A-B:0", "/gpu:-1", "/job:a",
        "/device:TPU:0", "/cpu:*", "/cpu:2", "/cpu:3",
    ]  # fmt: skip
    results = []
    for name in names:
        for soft in (False, True):
            with tf.Graph().as_default(), tf.device(name):
                results.append([name, soft, read_back(tf, tf.constant(1.0), soft=soft)])
    return results


@program
def a_node_for_a_missing_device_fails_the_later_runs(tf, np):
    y = tf.constant(1.0) + 1.0
    with tf.Session(config=configured(tf)) as session:
        before = [session.run(y) for _ in range(3)]
        with tf.device("/cpu:1"):
            there = tf.identity(y)
        between = [session.run(y), session.run(there)]
        with tf.device("/cpu:7"):
            tf.identity(y)
        after = [attempt(lambda t=t: session.run(t)).classes[0] for t in (y, there, y)]
    return [before, between, after]


@program
def an_error_names_a_node_with_inputs_before_a_constant(tf, np):
    def refused(make, gpu="/gpu:0"):
        with tf.Graph().as_default():
            y = tf.constant(1.0, name="first")
            with tf.device(gpu):
                make()
            with tf.Session(config=configured(tf)) as session:
                failed = attempt(lambda: session.run(y))
                return [failed.classes[0], re.search(r"for operation ([\w/]+)", failed.whole)[1]]

    return [
        refused(lambda: tf.add(tf.constant(1.0, name="a"), 2.0, name="b")),
        refused(lambda: tf.constant(1.0, name="a")),
        refused(lambda: tf.Variable(tf.zeros([2]), name="w", use_resource=False)),
        refused(lambda: tf.while_loop(lambda i: i < 3, lambda i: i + 1, [0])),
        refused(lambda: tf.identity(tf.placeholder(tf.float32, [], name="p"), name="q"), "/cpu:5"),
    ]


@program
def a_cost_graph_comes_as_often_as_the_session_asks(tf, np):
    with tf.device("/cpu:1"):
        y = tf.square(tf.placeholder(tf.float32, [2, 3], name="x"), name="y")
    with tf.control_dependencies([y]):
        z = tf.identity(tf.constant([1.0, 2.0, 3.0], name="c"), name="z")
    found = []
    for every, after in ((0, 0), (1, 0), (2, 0), (2, 1)):
        config = configured(tf)
        config.graph_options.build_cost_model = every
        config.graph_options.build_cost_model_after = after
        with tf.Session(config=config) as session:
            metadata = tf.RunMetadata()
            for turn in range(5):
                options = tf.RunOptions(trace_level=tf.RunOptions.SOFTWARE_TRACE) if turn == 3 else None
                session.run(z, {"x:0": np.ones([2, 3])}, options=options, run_metadata=metadata)
                found.append([every, after, turn, metadata.HasField("step_stats"), metadata.HasField("cost_graph")])
                nodes = {node.name: node for node in metadata.cost_graph.node}
                if "y" in nodes:
                    (out,) = nodes["y"].output_info
                    about = [out.size, out.dtype, [dim.size for dim in out.shape.dim], nodes["y"].compute_cost >= 0]
                    found.append([about, [[n, nodes[n].device[-5:], len(nodes[n].input_info)] for n in ("y", "z", "c")]])
    return found


@program
def counts_of_devices(tf, np):
    def listed(counts):
        devices = tf.Session(config=tf.ConfigProto(device_count=counts)).list_devices()
        return [device.name for device in devices if "XLA" not in device.name]

    def closed():
        session = tf.Session()
        session.close()
        return session.list_devices()

    counts = tf.ConfigProto().device_count
    read = counts["CPU"]
    wrong = ({"CPU": "2"}, {"CPU": 2.0}, {1: 2}, {"CPU": 1 << 40})
    return [
        listed({}), listed({"CPU": 2}), attempt(lambda: listed({"CPU": 0})), attempt(lambda: listed({"CPU": -1})), read, dict(counts),
        counts.get("GPU", 7), [attempt(lambda w=w: tf.ConfigProto(device_count=w)).classes for w in wrong],
        attempt(lambda: counts.update({"CPU": 1.5})).classes, attempt(closed),
    ]  # fmt: skip


@program
def pools_of_threads(tf, np):
    y = tf.constant(1.0) + 1.0

    def ran(pools, number):
        config = tf.ConfigProto()
        for _ in range(pools):
            config.session_inter_op_thread_pool.add(num_threads=1)
        with tf.Session(config=config) as session:
            return session.run(y, options=tf.RunOptions(inter_op_thread_pool=number))

    settings = tf.ConfigProto(gpu_options={"allow_growth": True}, device_count={"CPU": 2}, device_filters=["/job:a"])
    settings.experimental.collective_group_leader = "/job:a"
    settings.rpc_options.compression_level = 3
    settings.gpu_options.experimental.virtual_devices.add(memory_limit_mb=[100, 200])
    merged = tf.ConfigProto(allow_soft_placement=True, device_count={"GPU": 1}, device_filters=["/job:b"])
    merged.MergeFrom(settings)
    kept = [
        merged.allow_soft_placement, merged.gpu_options.allow_growth, sorted(merged.device_count.items()), list(merged.device_filters),
        merged.experimental.collective_group_leader, merged.rpc_options.compression_level,
        list(merged.gpu_options.experimental.virtual_devices[0].memory_limit_mb), merged == settings,
        attempt(lambda: merged.MergeFrom(tf.RunOptions())).classes, attempt(lambda: merged.ClearField("none")).classes,
    ]  # fmt: skip
    merged.ClearField("device_filters")
    merged.ClearField("allow_soft_placement")
    kept += [list(merged.device_filters), merged.allow_soft_placement]
    added = tf.ConfigProto().session_inter_op_thread_pool.add(num_threads=2, global_name="mine")
    return [
        [attempt(lambda p=p, n=n: ran(p, n)) for p in (0, 2) for n in (-2, -1, 0, 1, 2)], added.num_threads, added.global_name,
        attempt(lambda: tf.ConfigProto(session_inter_op_thread_pool=[3])).classes, kept,
    ]  # fmt: skip


@program
def a_session_gives_its_graph_with_shapes(tf, np):
    y = tf.add(tf.placeholder(tf.float32, [None, 2], name="p"), 1.0, name="y")
    found = []
    for on in (False, True):
        with tf.Session(config=tf.ConfigProto(graph_options=tf.GraphOptions(infer_shapes=on))) as session:
            found.append([[node.name, "_output_shapes" in node.attr] for node in session.graph_def.node])
    return [y.shape.as_list(), found]


@program
def partial_runs_at_their_limits(tf, np):
    p = tf.placeholder(tf.float32, [], name="p")
    y = tf.add(p, 1.0, name="y")
    z = tf.multiply(y, 2.0, name="z")
    with tf.Session() as session:

        def step(setup, fetches, feeds):
            return session.partial_run(session.partial_run_setup(*setup), fetches, feeds)

        return [
            attempt(lambda: session.partial_run_setup([], [])),
            attempt(lambda: session.partial_run_setup([y], [p, p])),
            attempt(lambda: step(([y, z], [p]), [y, p], {p: 3.0})),
            attempt(lambda: step(([y, z], [p]), p, {p: 3.0})),
            attempt(lambda: step(([y, z], [p]), [y, y], {p: 3.0})),
            attempt(lambda: session.partial_run(3, y)).classes,
        ]
