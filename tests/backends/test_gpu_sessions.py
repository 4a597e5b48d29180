"""Sessions with a GPU, whose place strict arrays take: placement, transfers, results; and with a real one, where it is."""

import contextlib
import dataclasses
import importlib.machinery
import sys
import threading
import types
import weakref

import numpy as np
import pytest
import strict_arrays as strict
from stand_in_gpu import Pool, on_both

import tfedu as tf
from tfedu.engine.backends import cupy
from tfedu.engine.base.memory_use import MemoryUse
from tfedu.engine.runtime.devices.gpu_values import GpuValues
from tfedu.widgets import StepThrough


def error_of(module, name, base):
    """An exception class with the name of one of CuPy's."""
    return type(name, (base,), {"__module__": module})


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
            there, back = [tuple(pair) for pair in session.transfers]
            assert there == (*devices, run, 4000 * run, 0)
            assert back == (*devices[::-1], run, 4000 * run, 0)
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


def read_before_and_after(change, of_read, size=4):
    """A run's reads of a variable before and after a change, each through `of_read`, which computes in the other memory."""
    v = tf.get_variable("v", initializer=np.zeros(size, np.float32), use_resource=True)
    before = of_read(v.read_value())
    with tf.control_dependencies([before]):
        changed = change(v)
    with tf.control_dependencies([changed]):
        after = of_read(v.read_value())
    with tf.Session() as session:
        session.run(v.initializer)
        for run in range(4):
            one, other = session.run([before, after])
            assert (one[0], other[0]) == (10 * run, 10 * run + 10)


@pytest.mark.parametrize("kind", ["gpu", "fusing_gpu"])
def test_what_a_step_changes_in_place_travels_to_the_host_again(request, kind):
    machine = request.getfixturevalue(kind)

    def step(v):
        return tf.train.GradientDescentOptimizer(1.0).apply_gradients([(-tf.ones([4]), v)])

    def on_host(value):
        with tf.device("/cpu:0"):
            return value * 10.0

    read_before_and_after(step, on_host)
    assert bool(machine.launches) == (kind == "fusing_gpu")


def test_what_the_host_changes_in_place_travels_to_the_gpu_again(gpu):
    def scatter(v):
        return tf.raw_ops.ResourceScatterAdd(resource=v.handle, indices=[0], updates=[1.0])

    read_before_and_after(scatter, lambda value: value * 10.0, size=100_000)


def test_copies_of_a_run_in_another_thread_are_dropped_too(gpu):
    """A step changes the array in place while a run of another thread, which has copied it, waits for that step."""
    v = tf.get_variable("v", initializer=np.zeros(4, np.float32), use_resource=True)
    step = tf.train.GradientDescentOptimizer(1.0).apply_gradients([(-tf.ones([4]), v)])
    with tf.device("/cpu:0"):
        before = tf.identity(v.read_value() * 10.0)

    def wait(value):
        threading.Thread(target=lambda: (session.run(step), done.set())).start()
        assert done.wait(10)
        return value

    waited = tf.py_func(wait, [before], tf.float32)
    with tf.control_dependencies([waited]):
        after = v.read_value()
    with tf.device("/cpu:0"):
        after *= 10.0
    with tf.Session() as session:
        session.run(v.initializer)
        for run in range(3):
            done = threading.Event()
            assert [value.tolist()[0] for value in session.run([before, after])] == [10 * run, 10 * run + 10]


def test_a_kernel_that_no_gpu_has_is_refused_under_hard_placement(gpu):
    with tf.device("/gpu:0"):
        y = tf.unique(tf.placeholder(tf.float32, [3], name="x"), name="u").y
    with tf.Session() as session, pytest.raises(tf.errors.InvalidArgumentError) as raised:
        session.run(y, {"x:0": [1, 1, 2]})
    assert str(raised.value).startswith("Cannot assign a device for operation")
    assert "no supported kernel for GPU devices is available" in str(raised.value)
    with tf.Session(config=tf.ConfigProto(allow_soft_placement=True)) as session:
        assert session.run(y, {"x:0": [1, 1, 2]}).tolist() == [1, 2]


def test_memory_that_the_gpu_has_not_is_an_error_with_the_tensor_and_its_device(gpu):
    def exhausted(array):
        raise error_of("cupy.cuda.memory", "OutOfMemoryError", MemoryError)("Out of memory allocating 512 bytes")

    x = tf.placeholder(tf.float32, [None, 20])
    y = tf.sqrt(x, name="roots")
    with tf.Session() as session:
        sends, gpu.send = gpu.send, exhausted
        for _ in range(2):  # interpreted and compiled
            with pytest.raises(tf.errors.ResourceExhaustedError) as raised:
                session.run(y, {x: np.ones([30, 20])})
            assert "OOM when allocating tensor with shape[30,20] and type float on" in str(raised.value)
            assert "device:GPU:0 by allocator GPU_0_bfc" in str(raised.value)
            assert "[[{{node roots}}]]" in raised.value.message
        gpu.send = sends
        assert session.run(y, {x: np.ones([30, 20])}).shape == (30, 20)


@pytest.mark.parametrize("text", ["CUBLAS_STATUS_ALLOC_FAILED", "cudaErrorMemoryAllocation: out of memory"])
def test_memory_that_a_library_of_cuda_lacks_is_an_error_with_the_tensor(gpu, text):
    def exhausted(array):
        raise error_of("cupy_backends.cuda.libs.cublas", "CUBLASError", RuntimeError)(text)

    gpu.send = exhausted
    y = tf.sqrt(tf.placeholder(tf.float32, [2], name="x"), name="roots")
    with tf.Session() as session, pytest.raises(tf.errors.ResourceExhaustedError, match=r"shape\[2\][\s\S]*GPU:0 by") as raised:
        session.run(y, {"x:0": [1, 2]})
    assert text in str(raised.value)


def test_an_error_that_the_gpu_tells_at_the_end_of_a_run_is_one_of_tensorflow(gpu):
    """A GPU computes later than the host asks, and what fails there fails where the host waits for it."""
    def failing(array):
        raise error_of("cupy_backends.cuda.api.runtime", "CUDARuntimeError", RuntimeError)("cudaErrorLaunchFailure")

    y = tf.sqrt(tf.placeholder(tf.float32, [2], name="x"), name="roots")
    with tf.Session() as session:
        gpu.fetch = failing
        for _ in range(2):  # interpreted and compiled
            with pytest.raises(tf.errors.InternalError, match="cudaErrorLaunchFailure") as raised:
                session.run(y, {"x:0": [1, 2]})
            assert raised.value.op.name == "roots"


def test_a_value_that_the_host_has_already_is_not_sent_again_for_a_fetch(gpu):
    root = tf.sqrt(tf.placeholder(tf.float32, [2], name="x"))
    with tf.device("/cpu:0"):
        doubled = root * 2.0
    with tf.Session() as session:
        for run in range(1, 4):
            got = session.run([root, doubled], {"x:0": [4, 9]})
            assert [value.tolist() for value in got] == [[2, 3], [4, 6]]
            assert [pair.tensors for pair in session.transfers] == [run, run]


def test_the_host_waits_once_for_all_that_a_run_fetches(gpu, monkeypatch):
    sent = []

    def fetch_all(arrays):
        sent.append(len(arrays))
        if sent[-1] == 3:
            raise error_of("cupy_backends.cuda.api.runtime", "CUDARuntimeError", RuntimeError)("cudaErrorLaunchFailure")
        return [array.host.copy() for array in arrays]

    found = dataclasses.replace(cupy.gpu(), fetch_all=fetch_all)
    monkeypatch.setattr(cupy, "_found", lambda: (found, ""))
    monkeypatch.setattr(strict.Strict, "get", None)
    x, p = tf.placeholder(tf.float32, [2]), tf.placeholder(tf.bool, [])
    v = tf.Variable([1.0, 2.0])
    total, root, count = tf.reduce_sum(x), tf.sqrt(x, name="roots"), tf.size(x)
    branch = tf.cond(p, lambda: x * 2.0, lambda: x)
    taken = tf.raw_ops.Switch(data=x, pred=p)[1]
    with tf.Session() as session:
        session.run(v.initializer)
        for _ in range(3):  # interpreted and compiled
            got = session.run([total, count, v, root, branch], {x: [4, 9], p: True})
            assert [np.asarray(value).tolist() for value in got] == [13, 2, [1, 2], [2, 3], [8, 18]]
            assert type(got[0]) is np.float32
        assert sent == [4] * 3
        for _ in range(2):
            with pytest.raises(tf.errors.InternalError, match="cudaErrorLaunchFailure") as raised:
                session.run([count, root, total, v], {x: [4, 9]})
            assert raised.value.op.name == "roots"
            with pytest.raises(tf.errors.InvalidArgumentError, match="does not have value"):
                session.run([total, taken], {x: [4, 9], p: False})


def test_the_copy_of_a_constant_is_freed_with_it(gpu):
    """A session whose graph grows makes ever new plans, with constants of their own."""
    values, constant = GpuValues(cupy.gpu()), np.arange(3, dtype=np.float32)
    values.keep(constant)
    copy = values.to_gpu(constant)
    assert values.to_gpu(constant) is copy
    held = weakref.ref(copy)
    del copy
    assert held() is not None
    del constant
    assert held() is None


def test_errors_of_cuda_are_errors_of_the_node(gpu):
    def failing(array):
        raise error_of("cupy_backends.cuda.api.runtime", "CUDARuntimeError", RuntimeError)("cudaErrorIllegalAddress")

    gpu.send = failing
    with tf.Session() as session, pytest.raises(tf.errors.InternalError, match=r"cudaErrorIllegalAddress[\s\S]*node roots"):
        session.run(tf.sqrt(tf.placeholder(tf.float32, [2], name="x"), name="roots"), {"x:0": [1, 2]})


def test_the_share_of_the_memory_limits_the_pool(gpu):
    options = tf.GPUOptions(per_process_gpu_memory_fraction=0.25)
    with tf.Session(config=tf.ConfigProto(gpu_options=options)) as session:
        assert session.list_devices()[-1].memory_limit_bytes == 1 << 28
    with pytest.raises(tf.errors.InvalidArgumentError, match="per_process_gpu_memory_fraction must be 0 or more"):
        tf.Session(config=tf.ConfigProto(gpu_options=tf.GPUOptions(per_process_gpu_memory_fraction=-0.5)))


def test_the_copies_of_a_loop_are_freed_as_it_goes_on(gpu):
    alive, most = weakref.WeakSet(), [0]

    def fetch(array):
        copy = array.host.copy().view(Noted)
        alive.add(copy)
        most[0] = max(most[0], len(alive))
        return copy

    gpu.fetch = fetch
    _, x = tf.while_loop(lambda i, x: i < 50, lambda i, x: (i + 1, tf.erf(x) + 1.0), [0, tf.ones([10])])
    with tf.Session() as session:
        for _ in range(2):
            assert session.run(x).shape == (10,)
    assert 0 < most[0] < 5


def test_what_explains_a_run_works_beside_a_gpu(gpu):
    """The tools repeat runs on the host, with the values that the session has on the GPU."""
    x = tf.Variable([1.0, 4.0], name="x")
    y = tf.reduce_sum(tf.sqrt(x), name="y")
    update = tf.assign_add(x, [8.0, 5.0])
    with tf.Session() as session:
        session.run(x.initializer)
        results = tf.explain.outcomes([update, y], session=session)
        assert sorted(float(result.value[1]) for result in results) == [3, 6]
        steps = StepThrough(y, session=session)
        assert steps.record == StepThrough(y).record
        assert tf.explain.why(update, y, session=session).code == "pruned"
        assert session.run(x).tolist() == [1, 4]


def test_a_traced_run_has_its_values_and_devices(gpu):
    x = tf.placeholder(tf.float32, [3], name="x")
    with tf.device("/cpu:0"):
        y = tf.sqrt(x, name="there")
    z = tf.reduce_sum(tf.square(y, name="here"), name="z")
    metadata = tf.RunMetadata()
    with tf.Session() as session:
        assert session.run(z, {x: [1, 4, 9]}, tf.RunOptions(trace_level=tf.RunOptions.FULL_TRACE), metadata) == 14
    (run,) = metadata.trace.runs
    values = [output.value for step in run.steps for output in step.outputs]
    assert [type(value) for value in values if isinstance(value, strict.Strict)] == []
    assert {step.op.name: np.asarray(step.outputs[0].value).tolist() for step in run.steps}["here"] == [1, 4, 9]
    stats = {d.device[-5:]: {node.node_name for node in d.node_stats} for d in metadata.step_stats.dev_stats}
    assert "there" in stats["CPU:0"]
    assert {"here", "z"} <= stats["GPU:0"]


def test_a_traced_run_has_the_memory_that_its_nodes_took(gpu, monkeypatch):
    uses = iter([(512 * n, 600 * n, 512 * n - 1024, 5000 + n) for n in range(1, 10)])

    @contextlib.contextmanager
    def counted():
        yield lambda: MemoryUse(cupy.DEVICE, *next(uses))

    found = dataclasses.replace(cupy.gpu(), counted=counted)
    monkeypatch.setattr(cupy, "_found", lambda: (found, ""))
    y = tf.exp(tf.sqrt(tf.placeholder(tf.float32, [3], name="x"), name="roots"), name="y")
    metadata = tf.RunMetadata()
    with tf.Session() as session:
        session.run(y, {"x:0": [1, 4, 9]}, tf.RunOptions(trace_level=tf.RunOptions.FULL_TRACE), metadata)
    stats = {node.node_name: node for d in metadata.step_stats.dev_stats for node in d.node_stats}
    for name, n in (("roots", 1), ("y", 2)):
        (use,) = stats[name].memory
        assert use.allocator_name == "GPU_0_bfc"
        assert (use.total_bytes, use.peak_bytes, use.allocator_bytes_in_use) == (512 * n, 600 * n, 5000 + n)
        assert use.live_bytes == 0
    # The first node found 5001 + 512 bytes in use, and took 600.
    assert metadata.device_memory == {cupy.DEVICE: (5002, 6202)}


class Noted(np.ndarray):
    """An array that a set of weak references can hold."""

    def __hash__(self):
        return id(self)

    def __eq__(self, other):
        return self is other


class Entered:
    """A device or a stream of CuPy, which a block makes the current one."""

    depth = 0

    def __enter__(self):
        self.depth += 1
        return self

    def __exit__(self, *error):
        self.depth -= 1


class OneDevice(Entered):
    pci_bus_id = "0000:01:00.0"

    def __init__(self, number):
        assert number == 0


def loaded_as_cupy(monkeypatch, driver=13000, count=1, nvrtc=(13, 0), cublas=True, pinned=(), compiles=""):
    """Puts a module in the place of CuPy. A number of devices or a version may be an error. pinned: where pinned arrays lie."""

    class CUDARuntimeError(RuntimeError):
        pass

    def kernel(source, name):
        return types.SimpleNamespace(compile=lambda: told(compiles))

    def library(name):
        if name != "cublas":
            raise AttributeError(name)
        if not cublas:
            raise ImportError("libcublas.so.13: cannot open shared object file")
        return types.ModuleType("cupy_backends.cuda.libs.cublas")

    def told(value):
        if isinstance(value, str):
            if value:
                raise (CUDARuntimeError if value.startswith("cuda") else RuntimeError)(value)
        return value

    module = types.ModuleType("cupy")
    module.__spec__ = importlib.machinery.ModuleSpec("cupy", None, is_package=True)
    module.__path__ = []
    properties = {"name": b"Card", "major": 9, "minor": 0, "totalGlobalMem": 1 << 30}
    runtime = types.SimpleNamespace(
        CUDARuntimeError=CUDARuntimeError, driverGetVersion=lambda: driver, getDeviceCount=lambda: told(count),
        getDeviceProperties=lambda number: properties,
    )  # fmt: skip
    module.cuda = types.ModuleType("cupy.cuda")
    # As in CuPy 13 and 14: there is no module of this name, and the attribute loads the library.
    module.cuda.__getattr__ = library
    module.cuda.runtime, module.cuda.nvrtc = runtime, types.SimpleNamespace(getVersion=lambda: told(nvrtc))
    module.cuda.Device, module.cuda.Stream = OneDevice, types.SimpleNamespace(null=Entered())
    module.cuda.pinned_memory = types.SimpleNamespace(is_memory_pinned=lambda address: address in pinned)
    module.cuda.MemoryHook, module.RawKernel = Entered, kernel
    module.ndarray, module.array, module.asnumpy, module.get_default_memory_pool = np.ndarray, np.asarray, np.asarray, Pool
    monkeypatch.setitem(sys.modules, "cupy", module)
    return module


@pytest.mark.parametrize(
    ("machine", "words"),
    [
        ({"driver": 0}, ["NVIDIA's driver is not installed"]),
        ({"count": 0}, ["CUDA has no device"]),
        ({"count": "cudaErrorNoDevice: no CUDA-capable device is detected"}, ["cudaErrorNoDevice"]),
        ({"count": "cudaErrorInsufficientDriver: it is insufficient"}, ["the driver is older than CuPy's CUDA", "tfedu[gpu12]"]),
        ({"nvrtc": 'Failure finding "libnvrtc.so.13"'}, ["a library of CUDA is missing", "libnvrtc.so.13", "tfedu[gpu]"]),
        ({"compiles": "Failed to find CUDA headers."}, ["no kernel can be compiled", "CUDA headers", "tfedu[gpu]"]),
        ({"cublas": False}, ["a library of CUDA is missing", "libcublas.so.13", "tfedu[gpu]"]),
    ],
)
def test_what_a_machine_lacks_is_said(monkeypatch, machine, words):
    loaded_as_cupy(monkeypatch, **machine)
    found, why = cupy._found.__wrapped__()
    assert found is None
    assert [word for word in words if word not in why] == []


def test_a_gpu_is_described_as_tensorflow_does(monkeypatch):
    loaded_as_cupy(monkeypatch)
    found, why = cupy._found.__wrapped__()
    assert not why
    assert found.description == "device: 0, name: Card, pci bus id: 0000:01:00.0, compute capability: 9.0"


def test_a_pinned_array_is_copied_before_it_is_sent(monkeypatch):
    """CuPy reads the memory of such an array later, when its owner may have changed it; of others it makes a pinned copy."""
    array, plain = np.ones(3), np.ones(3)
    loaded_as_cupy(monkeypatch, pinned={array.ctypes.data})
    found, _ = cupy._found.__wrapped__()
    assert not np.shares_memory(found.send(array), array)
    assert np.shares_memory(found.send(plain), plain)
    # In unified memory a GPU goes on to use the arrays of the host.
    monkeypatch.setenv("CUPY_ENABLE_UMP", "1")
    found, _ = cupy._found.__wrapped__()
    assert not np.shares_memory(found.send(plain), plain)


def test_what_a_thread_takes_of_the_pool_is_counted(monkeypatch):
    """By the methods that CuPy calls when memory is taken and given back."""
    loaded_as_cupy(monkeypatch)
    monkeypatch.setattr(Pool, "used_bytes", lambda pool: 1000 + pool.used, raising=False)
    monkeypatch.setattr(Pool, "used", 0, raising=False)
    found, _ = cupy._found.__wrapped__()

    def take(size):
        hook.malloc_postprocess(device_id=0, size=size - 1, mem_size=size, mem_ptr=64, pmem_id=1)
        found.pool.used += size

    def free(size):
        hook.free_postprocess(device_id=0, mem_size=size, mem_ptr=64, pmem_id=1)
        found.pool.used -= size

    with found.counted() as since:
        hook = since.__self__
        assert hook.depth == 1
        take(512)
        take(1024)
        free(512)
        take(256)
        hook.malloc_postprocess(device_id=0, size=9, mem_size=512, mem_ptr=0, pmem_id=0)  # it found no memory
        assert since() == (cupy.DEVICE, 1792, 1536, 1280, 2280)
        free(1024)
        assert since() == (cupy.DEVICE, 0, 0, -1024, 1256)
    assert hook.depth == 0


def test_small_arrays_travel_through_pinned_memory_and_the_host_waits_once(monkeypatch):
    module, done = loaded_as_cupy(monkeypatch), []
    module.cuda.Stream.null.synchronize = lambda: done.append("wait")
    module.cuda.alloc_pinned_memory = lambda size: bytearray(512)  # CuPy gives more than was asked for
    monkeypatch.setattr(cupy, "_MOST_STAGED", 100)

    class Array:
        def __init__(self, size):
            self.shape, self.dtype, self.nbytes = (size,), np.dtype(np.float32), 4 * size

        def get(self, stream=None, out=None, blocking=True):
            done.append(f"{self.shape[0]}, {'waits' if blocking else 'goes on'}")
            assert blocking or stream is module.cuda.Stream.null
            out = np.empty(self.shape, self.dtype) if out is None else out
            out[...] = self.shape[0]
            return out

    found, _ = cupy._found.__wrapped__()
    got = found.fetch_all([Array(3), Array(1000), Array(0), Array(5)])
    assert [(array.size, array.tolist()[:1]) for array in got] == [(3, [3]), (1000, [1000]), (0, []), (5, [5])]
    assert done == ["3, goes on", "5, goes on", "1000, waits", "0, waits", "wait"]


def test_a_run_computes_on_the_first_device_and_the_stream_of_all_threads(monkeypatch):
    """Another device or stream may be the current one of the thread, by the program's choice."""
    module = loaded_as_cupy(monkeypatch)
    found, _ = cupy._found.__wrapped__()
    stream = module.cuda.Stream.null
    with GpuValues(found).run():
        assert stream.depth == 1
    assert stream.depth == 0


def test_a_cupy_that_cannot_be_loaded_is_as_none(monkeypatch, tmp_path):
    (tmp_path / "cupy.py").write_text('raise ValueError("numpy.dtype size changed")')
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "cupy", raising=False)
    found, why = cupy._found.__wrapped__()
    assert found is None
    assert "cannot be loaded (numpy.dtype size changed)" in why
    assert "tfedu[gpu]" in why


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
