"""Runs on several CPUs: which device each node gets, the sends and receives between them, and what a variable's readers see.

A machine without a GPU has as many CPUs as the configuration says, in TF too. Transfers are numbered in an order of TF's own, so
the numbers are left out, and whether a small number travels by the memory of the host.
"""

import re

from harness import attempt, program


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
def colocated_nodes_cannot_ask_for_two_devices(tf, np):
    with tf.device("/cpu:1"):
        a = tf.constant(1.0, name="a")
    with tf.colocate_with(a):
        b = tf.add(2.0, 1.0, name="b")
    b.op._set_device("/device:CPU:2")
    found = attempt(lambda: partitions(tf, b))
    return [found.classes[0], "Cannot colocate nodes" in found.whole, "Cannot merge devices with incompatible ids" in found.whole]


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
