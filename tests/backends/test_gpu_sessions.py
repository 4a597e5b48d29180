"""Sessions with a GPU, whose place strict arrays take: placement, transfers, results; and with a real one, where it is."""

import numpy as np
import pytest
import strict_arrays as strict

import tfedu as tf
from tfedu.engine.backends import cupy


@pytest.fixture
def gpu(monkeypatch):
    """A GPU of strict arrays."""
    monkeypatch.setattr(strict.Strict, "__cuda_array_interface__", property(lambda self: None), raising=False)
    monkeypatch.setattr(strict.Strict, "get", lambda self: self.host.copy())
    found = cupy.Gpu(
        strict.xp, strict.Strict, lambda a: strict.wrap(np.array(a)), lambda a: a.host.copy(), "strict", (9, 0), 1 << 30
    )
    monkeypatch.setattr(cupy, "_found", lambda: (found, ""))
    return found


def on_both(make, runs=3, feed=None):
    """What a session without and one with the GPU give, each in as many runs, interpreted and compiled."""
    results = []
    for gpus in (0, 1):
        tf.reset_default_graph()
        fetches, feed_dict = make()
        with tf.Session(config=tf.ConfigProto(device_count={"GPU": gpus})) as session:
            session.run(tf.global_variables_initializer())
            results.append([session.run(fetches, feed_dict) for _ in range(runs)])
            assert (session.store.gpu is not None) == bool(gpus)
    return results


def device_of(session, tensor):
    return session.stages(tensor)[1].device_of(tensor.op)[-5:]


@pytest.mark.parametrize("optimizer", [
    lambda: tf.train.GradientDescentOptimizer(0.5),
    lambda: tf.train.MomentumOptimizer(0.1, 0.9),
    lambda: tf.train.AdamOptimizer(0.01),
    lambda: tf.train.RMSPropOptimizer(0.01),
])  # fmt: skip
def test_training_gives_the_same_on_the_gpu(gpu, optimizer):
    def make():
        draw = np.random.RandomState(0)
        x, y = tf.placeholder(tf.float32, [None, 6]), tf.placeholder(tf.int32, [None])
        w = tf.Variable(draw.randn(6, 8).astype(np.float32))
        v = tf.get_variable("v", initializer=draw.randn(8, 3).astype(np.float32), use_resource=True)
        logits = tf.matmul(tf.nn.relu(tf.matmul(x, w) + tf.Variable(tf.zeros([8]))), v)
        loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=logits))
        step = optimizer().minimize(loss, tf.train.get_or_create_global_step())
        return [loss, step], {x: draw.randn(5, 6), y: [0, 1, 2, 1, 0]}

    on_cpu, on_gpu = on_both(make, runs=4)
    np.testing.assert_allclose([r[0] for r in on_gpu], [r[0] for r in on_cpu], rtol=1e-6)


def test_loops_and_branches_give_the_same(gpu):
    def make():
        _, x = tf.while_loop(lambda i, x: i < 5, lambda i, x: (i + 1, x * 2.0 + tf.reduce_sum(tf.ones([3]))), [0, 1.0])
        return [x, tf.cond(x > 0.5, lambda: x * 3.0, lambda: x), tf.gather(tf.ones([4]), [3, 0])[0]], None

    on_cpu, on_gpu = on_both(make)
    assert on_gpu == on_cpu
    assert all(type(value) is np.float32 for run in on_gpu for value in run[:2])


def test_nodes_are_placed_as_tensorflow_places_them(gpu):
    x = tf.placeholder(tf.float32, [2])
    with tf.device("/cpu:0"):
        pinned = x * 2.0
    free, text = pinned + 1.0, tf.as_string(x)
    counter, weights = tf.Variable(1), tf.Variable([1.0, 2.0])
    scattered = tf.Variable([1.0, 2.0])
    tf.scatter_add(scattered, [0], [1.0])
    with tf.Session() as session:
        expected = {pinned: "CPU:0", free: "GPU:0", text: "CPU:0", weights: "GPU:0", counter: "CPU:0", scattered: "CPU:0"}
        assert {t: device_of(session, t._variable if hasattr(t, "_variable") else t) for t in expected} == expected
        assert [d.name[-5:] for d in session.list_devices()] == ["CPU:0", "GPU:0"]
    assert tf.test.is_gpu_available()
    assert not tf.test.is_gpu_available(min_cuda_compute_capability=(12, 0))
    assert tf.test.gpu_device_name() == "/device:GPU:0"


def test_a_value_travels_once_however_many_read_it(gpu):
    x = tf.placeholder(tf.float32, [1000])
    total = tf.add_n([tf.sqrt(x), tf.exp(x), tf.square(x)])
    with tf.Session() as session:
        devices = [device.name for device in session.list_devices()]
        for run in range(1, 4):
            value = session.run(total, {x: np.ones(1000)})
            assert [tuple(pair) for pair in session.transfers] == [(*devices, run, 4000 * run, 0)]
    assert type(value) is np.ndarray


def test_a_variable_stays_on_the_gpu_and_its_fetched_value_does_not_change(gpu):
    v = tf.Variable(tf.zeros([3]))
    step = tf.train.GradientDescentOptimizer(1.0).minimize(tf.reduce_sum(v))
    with tf.Session() as session:
        session.run(v.initializer)
        before = session.run(v)
        session.run(step)
        assert before.tolist() == [0, 0, 0]
        assert session.run(v).tolist() == [-1, -1, -1]
        (buffer,) = session.store.buffers.values()
        assert type(buffer.value) is strict.Strict


def test_a_kernel_that_no_gpu_has_is_refused_under_hard_placement(gpu):
    with tf.device("/gpu:0"):
        y = tf.unique(tf.placeholder(tf.float32, [3], name="x"), name="u").y
    with tf.Session() as session, pytest.raises(tf.errors.InvalidArgumentError) as raised:
        session.run(y, {"x:0": [1, 1, 2]})
    assert str(raised.value).startswith("Cannot assign a device for operation")
    assert "no supported kernel for GPU devices is available" in str(raised.value)
    with tf.Session(config=tf.ConfigProto(allow_soft_placement=True)) as session:
        assert session.run(y, {"x:0": [1, 1, 2]}).tolist() == [1, 2]


def test_without_cupy_the_error_names_the_extra(monkeypatch):
    monkeypatch.setattr(cupy, "_found", lambda: (None, f"CuPy is not installed: {cupy.EXTRAS}"))
    with tf.device("/gpu:0"):
        y = tf.constant(1.0) + 1.0
    with tf.Session() as session, pytest.raises(tf.errors.InvalidArgumentError, match="CUDA is not enabled") as raised:
        session.run(y)
    assert "pip install tfedu[gpu]" in str(raised.value)
    assert "tfedu[gpu12]" in str(raised.value)


@pytest.mark.skipif(cupy.gpu() is None, reason=f"needs a GPU: {cupy.why_none()}")
def test_the_real_gpu_computes_what_the_cpu_does():
    def make():
        x = tf.Variable(np.random.RandomState(0).randn(64, 64).astype(np.float32))
        return tf.reduce_sum(tf.nn.softmax(tf.matmul(x, x)), 0), None

    on_cpu, on_gpu = on_both(make)
    np.testing.assert_allclose(on_gpu, on_cpu, rtol=1e-4)
