"""Sessions with simulated devices: memories of their own, transfers, the clock; the results are those of one device."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tfedu as tf
from tfedu.engine.runtime import partition as partitions
from tfedu.explain import outcomes
from tfedu.widgets import BeTheExecutor, GraphView


def devices(cpus=1, gpus=2, **settings):
    return tf.ConfigProto(device_count={"CPU": cpus, "GPU": gpus}, **settings)


@pytest.fixture
def session():
    """A session with two GPUs, of whose runs nothing is counted yet."""
    with tf.Session(config=devices()) as session:
        yield session


def started(session):
    session.run(tf.global_variables_initializer())
    session.transfers.clear()
    return session


def pairs(session):
    return {(p.source[-5:], p.target[-5:]): (p.tensors, p.bytes, p.signals) for p in session.transfers}


def on_cpu_with_readers(read):
    """A variable on the CPU and what ten nodes of a GPU give that read it through `read(x)`."""
    with tf.device("/cpu:0"):
        x = tf.Variable(np.ones(100, np.float32), name="x")
        reads = [read(x) for _ in range(10)]
    with tf.device("/gpu:0"):
        return tf.add_n([r * float(i) for i, r in enumerate(reads)])


@pytest.mark.parametrize(("read", "copies"), [(lambda x: x, 1), (tf.identity, 10)])
def test_a_tensor_travels_once_to_a_device_and_each_identity_again(session, read, copies):
    y = on_cpu_with_readers(read)
    started(session).run(y.op)
    assert pairs(session) == {("CPU:0", "GPU:0"): (copies, 400 * copies, 0)}


def test_a_gpu_reads_a_copy_and_a_second_cpu_the_buffer():
    """y is read after the update: on the second CPU it shows the update, on a GPU what was sent before it."""
    for device, expected in (("/cpu:1", [2.0, 2.0]), ("/gpu:0", [1.0, 1.0])):
        with tf.Graph().as_default(), tf.Session(config=devices(cpus=2)) as session:
            with tf.device("/cpu:0"):
                x = tf.Variable(1.0)
            with tf.device(device):
                r = tf.identity(x)
            with tf.control_dependencies([r]):
                b = tf.assign_add(x, 1.0)
            with tf.device(device), tf.control_dependencies([b]):
                y = tf.identity(r)
            started(session)
            assert [value.values for value in outcomes([y, r], session=session)] == [[expected]]
            assert [value.values for value in outcomes(y, session=session)] == [expected[:1]]
            assert session.transfers.tensors == 0  # an explanation runs in a session of its own
            assert session.run([y, r]) == expected
            assert session.run([y, r]) == [value + 1 for value in expected]


def test_a_control_edge_sends_a_signal(session):
    with tf.device("/gpu:0"):
        first = tf.constant(1.0)
    with tf.device("/gpu:1"), tf.control_dependencies([first]):
        second = tf.constant(2.0)
    assert session.run(second) == 2.0
    assert pairs(session) == {("GPU:0", "GPU:1"): (0, 0, 1), ("GPU:1", "CPU:0"): (1, 4, 0)}


def test_shapes_and_counters_stay_in_the_memory_of_the_host(session):
    with tf.device("/gpu:0"):
        x = tf.ones([6])
        y = tf.reshape(x, tf.stack([tf.constant(2), tf.constant(3)]))
    session.run(y.op)
    assert pairs(session) == {}


def test_a_node_that_would_read_another_memory_is_an_error(session, monkeypatch):
    with tf.device("/cpu:0"):
        x = tf.placeholder(tf.float32, [], name="x")
    with tf.device("/gpu:0"):
        y = tf.square(x, name="y")
    monkeypatch.setattr(partitions._Work, "connect", lambda self, op: None)
    with pytest.raises(tf.errors.InternalError, match="Input 0 of node y lies in the memory of another device"):
        session.run(y, {x: 1.0})
    monkeypatch.undo()
    assert session.run(y, {x: 3.0}) == 9.0


def test_an_error_names_the_node_and_the_line_of_the_program(session):
    with tf.device("/gpu:0"):
        x = tf.placeholder(tf.float32, [None, 3], name="x")
    with tf.device("/gpu:1"):
        y = tf.matmul(x, tf.placeholder(tf.float32, [None, 2], name="w"), name="y")
    for _ in range(2):
        with pytest.raises(tf.errors.InvalidArgumentError, match="Matrix size-incompatible") as raised:
            session.run(y, {x: np.ones((2, 3)), "w:0": np.ones((4, 2))})
        assert raised.value.op is y.op
        assert "input 0: x:0" in str(raised.value)


def test_gpus_exist_as_configured_and_others_do_not(session):
    assert [d.name[-5:] for d in session.list_devices()] == ["CPU:0", "GPU:0", "GPU:1"]
    with tf.device("/gpu:2"):
        y = tf.constant(1.0)
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"available devices are \[ .*CPU:0, .*GPU:0, .*GPU:1 \]"):
        session.run(y)
    with tf.Session(config=devices(allow_soft_placement=True)) as soft:
        assert soft.run(y) == 1.0
        assert soft.partition(y).placed.device_of(soft.partition(y).copy.of(y.op)).endswith("GPU:0")
    with tf.Session() as plain:
        with pytest.raises(tf.errors.InvalidArgumentError, match="simulates a GPU"):
            plain.run(y)
        with tf.Graph().as_default(), tf.Session() as plain, pytest.raises(ValueError, match="one device"):
            plain.partition(tf.constant(1.0))


def test_the_runs_after_the_first_are_compiled(session):
    y = on_cpu_with_readers(lambda x: x)
    started(session)
    first = session.run(y)
    assert "for" not in session.stages(y)[3].source
    np.testing.assert_array_equal(session.run(y), first)


def test_a_program_on_one_device_pays_nothing():
    """Its plan is the one that it has without devices, to the letter."""

    def plan(outer, inner, config):
        with tf.Graph().as_default():
            with tf.device(outer):
                x = tf.Variable([1.0, 2.0])
                with tf.control_dependencies([tf.assign_add(x, [1.0, 1.0])]), tf.device(inner):
                    y = tf.reduce_sum(tf.sqrt(x) * 2.0)
            with tf.Session(config=config) as session:
                started(session)
                return str(session.stages(y)[3])

    without = plan(None, None, None)
    counted = tf.ConfigProto(device_count={"CPU": 1, "GPU": 0})
    assert plan("/cpu:0", "/device:CPU:0", counted) == without
    assert plan("/job:localhost/task:0", None, tf.ConfigProto(allow_soft_placement=True)) == without
    assert plan("/cpu:0", "/cpu:0", devices(gpus=1)) == without


def test_an_assignment_of_another_shape_reaches_the_plans(session):
    with tf.device("/cpu:0"):
        x = tf.Variable([1.0, 2.0], validate_shape=False)
    with tf.device("/gpu:0"):
        y = x * 2.0
    new = tf.assign(x, [1.0, 2.0, 3.0], validate_shape=False)
    started(session)
    assert [session.run(y).tolist() for _ in range(3)] == [[2.0, 4.0]] * 3
    session.run(new)
    assert session.run(y).tolist() == [2.0, 4.0, 6.0]


def test_two_towers_train_as_one_device_does():
    draw = np.random.RandomState(0)
    images, labels = draw.randn(32, 5).astype(np.float32), draw.randint(0, 3, 32)

    def losses(towers):
        tf.reset_default_graph()
        x, y = tf.placeholder(tf.float32, [None, 5]), tf.placeholder(tf.int32, [None])
        optimizer = tf.train.MomentumOptimizer(0.1, 0.9)
        with tf.device("/cpu:0"):
            w, b = tf.Variable(tf.zeros([5, 3])), tf.Variable(tf.zeros([3]))
        gradients, of_towers = [], []
        for k, (part, answers) in enumerate(zip(tf.split(x, towers), tf.split(y, towers))):
            with tf.device(f"/gpu:{k}" if towers > 1 else None):
                logits = tf.matmul(part, w) + b
                loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=answers, logits=logits))
                of_towers.append(loss)
                gradients.append(optimizer.compute_gradients(loss, colocate_gradients_with_ops=True))
        with tf.device("/cpu:0"):
            means = [(tf.add_n([g for g, _ in each]) / towers, each[0][1]) for each in zip(*gradients)]
            step, mean = optimizer.apply_gradients(means), tf.add_n(of_towers) / towers
        with tf.Session(config=devices(gpus=2 if towers > 1 else 0)) as session:
            started(session)
            return [session.run([mean, step], {x: images, y: labels})[0] for _ in range(5)]

    np.testing.assert_allclose(losses(2), losses(1), rtol=1e-6)


def test_the_clock_lets_two_devices_work_at_the_same_time(session):
    x = tf.placeholder(tf.float32, [300, 300])
    products = []
    for k in range(2):
        with tf.device(f"/gpu:{k}"):
            products.append(tf.matmul(x, x))
    with tf.device("/cpu:0"):
        total = tf.add_n(products)
    metadata = tf.RunMetadata()
    options = tf.RunOptions(trace_level=tf.RunOptions.FULL_TRACE)
    session.run(total, {x: np.ones((300, 300))}, options=options, run_metadata=metadata)
    clock = metadata.device_times
    assert clock.lanes[:4] == ["CPU:0", "GPU:0", "GPU:1", "CPU:0 -> GPU:0"]
    by_node = {span.node: span for span in clock.spans}
    one, other = (by_node[p.op.name] for p in products)
    assert one.begin == other.begin
    sent = by_node[next(name for name, span in by_node.items() if span.lane == "CPU:0 -> GPU:0" and span.bytes)]
    assert sent.bytes == 360_000
    assert sent.end - sent.begin == pytest.approx(10e-6 + 360_000 / 16e9)
    assert one.begin >= sent.end
    work = 5e-6 + max(3 * 360_000 / 500e9, 2 * 300**3 / 10e12)
    assert one.end - one.begin == pytest.approx(work)
    assert clock.seconds == pytest.approx(by_node[total.op.name].end)
    stats = {d.device[-5:]: {n.node_name: n for n in d.node_stats} for d in metadata.step_stats.dev_stats}
    assert set(stats) == {"CPU:0", "GPU:0", "GPU:1"}
    assert stats["GPU:1"][products[1].op.name].all_start_micros == int(one.begin * 1e6)
    assert "GPU:0 -> CPU:0" in str(clock)


@pytest.mark.parametrize(
    ("rate", "value"),
    [("bandwidth", 0.0), ("gpu_flops", -1.0), ("cpu_memory_bandwidth", float("nan")), ("latency", -1.0), ("launch", -1.0)],
)
def test_a_rate_that_no_device_can_have_is_refused(rate, value):
    with pytest.raises(tf.errors.InvalidArgumentError, match=f"{rate} of simulated devices must be (above 0|0 or more), not"):
        tf.Session(config=devices(simulated_devices={rate: value}))
    tf.Session(config=devices(simulated_devices={"latency": 0.0, "launch": 0.0, "bandwidth": float("inf")})).close()


def test_costs_of_simulated_devices_are_those_of_their_clock(session):
    with tf.device("/gpu:0"):
        x = tf.ones([1000, 100], name="x")
        y = tf.matmul(x, x, transpose_b=True, name="y")
    config = devices(graph_options=tf.GraphOptions(build_cost_model=1))
    metadata = tf.RunMetadata()
    with tf.Session(config=config) as costed:
        costed.run(y.op, run_metadata=metadata)
        (cost,) = [node for node in metadata.cost_graph.node if node.name == "y"]
        spent = {span.node: span.end - span.begin for span in metadata.device_times.spans}
        assert cost.compute_cost == round(spent["y"] * 1e6) > 0
        assert [[out.size, [dim.size for dim in out.shape.dim]] for out in cost.output_info] == [[4_000_000, [1000, 1000]]]
        ids = {node.id: node.name for node in metadata.cost_graph.node}
        assert [ids[read.preceding_node] for read in cost.input_info] == ["x", "x"]
        read = type(metadata.cost_graph).FromString(metadata.cost_graph.SerializeToString())
        assert read == metadata.cost_graph
        assert 'name: "y"' in str(metadata)
        options = tf.RunOptions(output_partition_graphs=True)
        costed.run(y.op, options=options, run_metadata=metadata)
        assert metadata.SerializeToString().count(b"MatMul") > 1, "the graphs of the devices are part of the message"
    session.run(y.op, run_metadata=metadata)
    assert not metadata.HasField("step_stats"), "a run without a trace leaves nothing of the one before"
    assert not metadata.HasField("cost_graph")
    assert len(metadata.partition_graphs) == 0


def test_a_traced_run_tells_what_a_memory_with_a_limit_holds():
    with tf.device("/gpu:0"):
        v = tf.Variable(tf.zeros([1 << 18]), name="v")
        y = tf.add(v * 2.0, 1.0, name="y")
    metadata = tf.RunMetadata()
    with tf.Session(config=devices(simulated_devices=tf.SimulatedDevices(gpu_memory_mb=8))) as session:
        session.run(tf.global_variables_initializer())
        session.run(y, options=tf.RunOptions(trace_level=tf.RunOptions.FULL_TRACE), run_metadata=metadata)
    (name,) = metadata.device_memory
    used, peak = metadata.device_memory[name]
    assert name.endswith("GPU:0")
    assert 3 << 20 == used <= peak
    nodes = {node.node_name: node for d in metadata.step_stats.dev_stats for node in d.node_stats}
    (use,) = nodes["y"].memory
    assert (use.allocator_name, use.total_bytes, use.allocator_bytes_in_use) == ("GPU_0_bfc", 1 << 20, 3 << 20)
    assert [use.total_bytes for use in nodes["v"].memory] == [0]


def test_a_simulated_memory_has_a_limit_and_the_session_goes_on():
    speeds = tf.SimulatedDevices(gpu_memory_mb=4)
    with tf.device("/cpu:0"):
        x = tf.placeholder(tf.float32, [None], name="x")
    with tf.device("/gpu:0"):
        v = tf.Variable(tf.zeros([1 << 18]), name="v")
        y = tf.add(x * 2.0, 1.0, name="y")
    with tf.device("/gpu:1"):
        z = tf.reduce_sum(x)
    with tf.Session(config=devices(simulated_devices=speeds)) as session:
        session.run(tf.global_variables_initializer())
        for _ in range(2):
            large = np.ones(1 << 19, np.float32)  # 2 MiB: the copy, and what comes of it, beside the variable's 1 MiB
            told = r"shape\[524288\].*GPU:0 by allocator GPU_0_bfc.*GPU:0 holds"
            with pytest.raises(tf.errors.ResourceExhaustedError, match=told):
                session.run(y, {x: large})
            assert session.run(z, {x: large}) == 1 << 19
            assert session.run(y, {x: large[:100]})[0] == 3.0
    half = {"per_process_gpu_memory_fraction": 0.25}
    with tf.Session(config=devices(simulated_devices=speeds, gpu_options=half)) as session:
        with pytest.raises(tf.errors.ResourceExhaustedError, match="GPU:0 holds 0 of its 1048576 bytes"):
            session.run(x * 1.0 + tf.stop_gradient(v), {x: np.ones(1 << 19)})
    with pytest.raises(tf.errors.InvalidArgumentError, match="gpu_memory_mb"):
        tf.Session(config=devices(simulated_devices={"gpu_memory_mb": -1}))


def test_messages_in_collections_stay_as_they_are(session):
    tf.add_to_collection("notes", tf.train.Feature(int64_list=tf.train.Int64List(value=[1])))
    with tf.device("/gpu:0"):
        y = tf.constant(2.0)
    assert session.run(y) == 2.0
    assert session.partition(y).graph.get_collection("notes")[0].int64_list.value == [1]


def test_partial_runs_go_on_where_their_tensors_arrive(session):
    x, z = tf.placeholder(tf.float32, [None], name="x"), tf.placeholder(tf.float32, [], name="z")
    with tf.device("/gpu:0"):
        y = tf.multiply(x, 2.0, name="y")
    with tf.device("/gpu:1"):
        q = tf.add(tf.reduce_sum(y), z, name="q")
    handle = session.partial_run_setup([y, q], [x, z])
    with pytest.raises(tf.errors.InvalidArgumentError, match="Fetch z:0 can't be computed from the feeds"):
        session.partial_run(handle, q, {x: [1.0, 2.0]})
    assert session.partial_run(handle, y, {x: [1.0, 2.0]}).tolist() == [2.0, 4.0]
    with pytest.raises(tf.errors.InvalidArgumentError, match="y:0 has already been fetched"):
        session.partial_run(handle, y)
    assert session.partial_run(handle, q, {z: 5.0}) == 11.0
    with tf.device("/gpu:1"):
        failing = tf.check_numerics(x, "not a number", name="failing")
    handle = session.partial_run_setup([failing], [x])
    with pytest.raises(tf.errors.InvalidArgumentError, match="not a number") as caught:
        session.partial_run(handle, failing, {x: [np.nan]})
    assert caught.value.op is failing.op, "the node of the program, not its copy"


def test_list_devices_tells_the_memory_that_simulated_gpus_have():
    with tf.Session(config=devices(simulated_devices={"gpu_memory_mb": 64})) as limited:
        sizes = {d.device_type: d.memory_limit_bytes for d in limited.list_devices()}
    assert sizes == {"CPU": 1 << 28, "GPU": 64 << 20}


def test_what_threads_may_give_is_the_same_on_devices(session):
    with tf.device("/cpu:0"):
        v = tf.Variable(0.0, name="v")
        ends = []
        for i, factor in enumerate((2.0, 3.0)):
            read = tf.identity(v, name=f"read_{i}")
            with tf.device(f"/gpu:{i}"):
                new = read * factor + 1.0
            ends.append(tf.assign(v, new))
    session.run(v.initializer)
    found = tf.explain.outcomes(ends, session=session, threads=True)
    with tf.Session(config=tf.ConfigProto(allow_soft_placement=True)) as plain:
        plain.run(v.initializer)
        expected = tf.explain.outcomes(ends, session=plain, threads=True)
    assert {each.words("en") for each in found} == {each.words("en") for each in expected}


def test_why_names_the_transfers_that_a_node_waits_for(session):
    with tf.device("/cpu:0"):
        x = tf.placeholder(tf.float32, [None], name="x")
    with tf.device("/gpu:0"):
        y = tf.multiply(x, 2.0, name="y")
    reason = tf.explain.why(y, y, {x: [1.0, 2.0, 3.0]}, session=session)
    assert "y waits for a transfer: x/_1 on GPU:0 gets 12 bytes that x/_0 sends from CPU:0." in str(reason)
    for lang in ("ko", "zh"):
        assert "12" in reason.text(lang)
    with tf.device("/gpu:1"), tf.control_dependencies([y]):
        after = tf.constant(1.0, name="after")
    assert "after waits for a signal without a value" in str(tf.explain.why(after, after, {x: [1.0]}, session=session))
    unknown = tf.explain.on_devices(y, gpus=1)
    assert "gets what x/_0 sends from CPU:0" in str(tf.explain.why("y", unknown))


def test_widgets_that_ask_about_a_run_show_its_devices(session):
    with tf.device("/gpu:1"):
        y = tf.square(tf.constant(3.0, name="x"), name="y")
    view = GraphView(tf.get_default_graph(), fetches=y, session=session)
    assert {node["type"] for node in view.record["nodes"]} >= {"_Send", "_Recv"}
    near = GraphView(y, run=y, session=session)
    assert {node["type"] for node in near.record["nodes"]} >= {"_Send"}
    game = BeTheExecutor(y, session=session)
    assert {node["type"] for node in game.record["graph"]["nodes"]} >= {"_Send", "_Recv"}


@given(st.data())
def test_a_graph_gives_the_same_on_any_devices(data):
    """Random sums and products, branches and a loop, each node on a device of its own."""
    names = st.sampled_from(["/cpu:0", "/cpu:1", "/gpu:0", "/gpu:1", None])
    with tf.Graph().as_default():
        x = tf.placeholder(tf.float32, [], name="x")
        with tf.device(data.draw(names)):
            v = tf.Variable(3.0)
        nodes = [x, v.read_value(), tf.constant(2.0)]
        for _ in range(data.draw(st.integers(1, 8))):
            a, b = (data.draw(st.sampled_from(nodes)) for _ in range(2))
            with tf.device(data.draw(names)):
                kind = data.draw(st.sampled_from(["add", "maximum", "cond", "loop", "after"]))
                if kind == "cond":
                    nodes.append(tf.cond(a > b, lambda a=a, b=b: a - b, lambda a=a, b=b: b + 1.0))
                elif kind == "loop":
                    nodes.append(tf.while_loop(lambda i, s: i < 3, lambda i, s, b=b: (i + 1, s * 0.5 + b), [0, a])[1])
                elif kind == "after":
                    with tf.control_dependencies([a]):
                        nodes.append(tf.identity(b))
                else:
                    nodes.append(getattr(tf, kind)(a, b))
        results = []
        for config in (devices(gpus=0, allow_soft_placement=True), devices(cpus=2)):
            with tf.Session(config=config) as session:
                session.run(tf.global_variables_initializer())
                results.append([session.run(nodes, {x: 1.5}) for _ in range(2)])
        assert results[0] == results[1]


def test_the_devices_of_the_process_are_those_of_a_session():
    from tfedu.legacy.modules.device_lib import list_local_devices

    config = tf.ConfigProto(device_count={"CPU": 2, "GPU": 1}, log_device_placement=True)
    assert [(d.name, d.device_type) for d in list_local_devices(config)] == [
        ("/device:CPU:0", "CPU"), ("/device:CPU:1", "CPU"), ("/device:GPU:0", "GPU"),
    ]  # fmt: skip
    assert [d.name for d in list_local_devices()] == ["/device:CPU:0"]
    with pytest.raises(tf.errors.NotFoundError, match="No CPU devices are available in this process"):
        list_local_devices(tf.ConfigProto(device_count={"CPU": 0}))
    with pytest.raises(TypeError, match="session_config must be a tf"):
        list_local_devices({"CPU": 2})


@pytest.mark.parametrize(
    ("optimizer", "rate"), [(tf.train.GradientDescentOptimizer, 0.5), (tf.train.AdamOptimizer, 0.1)], ids=["descent", "adam"]
)
# The sums of several devices have another order. In 32 bits, that changes losses of 26 by more than 1e-6, those of 1 by less.
@pytest.mark.parametrize(("dtype", "size"), [(tf.float64, 1.0), (tf.float32, 0.2)], ids=["float64", "float32"])
def test_a_model_made_parallel_by_a_function_trains_as_on_one_device(optimizer, rate, dtype, size):
    """The function that tutorials have: it splits its inputs, and gives each GPU a part of them."""

    def in_parallel(function, count, **inputs):
        parts = {name: tf.split(value, count) for name, value in inputs.items()}
        results = []
        for k in range(count):
            with tf.device(tf.DeviceSpec(device_type="GPU", device_index=k)):
                with tf.variable_scope(tf.get_variable_scope(), reuse=k > 0):
                    results.append(function(**{name: of_all[k] for name, of_all in parts.items()}))
        return tf.concat(results, axis=0)

    def model(x, y):
        w = tf.get_variable("w", [3, 1], dtype, tf.zeros_initializer())
        predicted = tf.squeeze(tf.matmul(tf.stack([tf.square(x), x, tf.ones_like(x)], 1), w), 1)
        return tf.square(predicted - y)

    def losses(count, gpus):
        tf.reset_default_graph()
        x, y = tf.placeholder(dtype, [None]), tf.placeholder(dtype, [None])
        loss = tf.reduce_mean(in_parallel(model, count, x=x, y=y) if gpus else model(x, y))
        train = optimizer(rate).minimize(loss, colocate_gradients_with_ops=True)
        draw = np.random.RandomState(1)
        found = []
        with tf.Session(config=devices(gpus=gpus)) as session:
            started(session)
            for _ in range(20):
                numbers = draw.uniform(-1, 1, 40)
                found.append(session.run([loss, train], {x: numbers, y: size * (5 * numbers**2 + 3)})[0])
            assert bool(session.transfers.tensors) == bool(gpus)
        return found

    alone = losses(1, gpus=0)
    for count in (2, 4):
        np.testing.assert_allclose(losses(count, gpus=count), alone, rtol=1e-6, atol=1e-6)


def test_towers_that_share_averaged_gradients_train_as_one_device():
    """As in the CIFAR tutorial: a loss for each tower from a collection, the mean of the gradients, variables on the CPU."""

    def tower_loss(scope, images, labels):
        with tf.variable_scope("net"):
            hidden = tf.nn.relu(tf.matmul(images, tf.get_variable("w", [6, 8])) + tf.get_variable("b", [8]))
            logits = tf.matmul(hidden, tf.get_variable("v", [8, 3]))
        crossed = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits)
        tf.add_to_collection("losses", tf.reduce_mean(crossed))
        tf.add_to_collection("losses", 0.01 * tf.nn.l2_loss(tf.get_default_graph().get_tensor_by_name("net/w:0")))
        return tf.add_n(tf.get_collection("losses", scope), name="total")

    def average_gradients(of_towers):
        return [(tf.reduce_mean(tf.stack([g for g, _ in each]), 0), each[0][1]) for each in zip(*of_towers)]

    draw = np.random.RandomState(2)
    images, labels = draw.randn(24, 6).astype(np.float32), draw.randint(0, 3, 24)

    def losses(towers):
        tf.reset_default_graph()
        tf.set_random_seed(3)
        optimizer, of_towers, all_losses = tf.train.GradientDescentOptimizer(0.3), [], []
        with tf.device("/cpu:0"), tf.variable_scope("", initializer=tf.glorot_uniform_initializer(seed=4)):
            for k, (x, y) in enumerate(zip(np.split(images, towers), np.split(labels, towers))):
                with tf.device(f"/gpu:{k}" if towers > 1 else None), tf.name_scope(f"tower_{k}") as scope:
                    with tf.variable_scope(tf.get_variable_scope(), reuse=k > 0):
                        all_losses.append(tower_loss(scope, tf.constant(x), tf.constant(y)))
                        of_towers.append(optimizer.compute_gradients(all_losses[-1]))
            step = optimizer.apply_gradients(average_gradients(of_towers))
            mean = tf.add_n(all_losses) / towers
        with tf.Session(config=devices(gpus=towers if towers > 1 else 0)) as running:
            started(running)
            return [running.run([mean, step])[0] for _ in range(10)]

    alone = losses(1)
    assert alone[-1] < alone[0]
    for towers in (2, 3):
        np.testing.assert_allclose(losses(towers), alone, rtol=1e-6, atol=1e-6)
