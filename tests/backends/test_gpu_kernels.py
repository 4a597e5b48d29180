"""Every kernel of the op tables runs on arrays as strict as a GPU's, or the table of the GPU's kernels says why not."""

import collections
import contextlib

import kernel_calls
import numpy as np
import pytest
import strict_arrays as strict

import tfedu as tf
from tfedu.engine.op.definition import REGISTRY
from tfedu.engine.ops import gpu_kernels

_MOST = 60  # calls of one type: the forms of its arguments repeat


@pytest.fixture(scope="module")
def calls():
    """The calls of each type whose nodes compute on a GPU, one for each form of the arguments."""
    found = collections.defaultdict(dict)
    for call in kernel_calls.calls():
        if kernel_calls.computes_on_gpu(call):
            key = tuple([(np.asarray(v).dtype.char, np.ndim(v)) for v in call.values]), repr(call.attrs)[:200]
            found[call.type].setdefault(key, call)
    return {type: list(forms.values())[:_MOST] for type, forms in found.items()}


def of_other_dtypes(calls):
    """The calls of one type with numbers of each other dtype that its attributes allow, six of each; NumPy takes them."""
    made = collections.Counter()
    for call in calls:
        for attr in [attr for attr in call.op.definition.attrs if attr.kind == "type"]:
            for dtype in filter(gpu_kernels.has_memory, attr.allowed or ()):
                if made[attr.name, dtype] < 6 and (other := kernel_calls.recast(call, attr.name, dtype)) is not None:
                    made[attr.name, dtype] += 1
                    yield other


def failure(call):
    """What goes wrong when the kernel of the call runs on strict arrays; empty where it gives what NumPy gave."""
    d = call.op.definition
    with strict.reading() if d.type in gpu_kernels.READS else contextlib.nullcontext():
        try:
            results = kernel_calls.run_on(strict.xp, strict.wrap, call)
        except Exception as error:
            return f"{type(error).__name__}: {error}"
    return kernel_calls.difference(call, [r.host if isinstance(r, strict.Strict) else r for r in results])


def test_every_pure_kernel_runs_on_strict_arrays_or_is_listed(calls):
    wrong = {}
    for type, of_type in sorted(calls.items()):
        found = [(text, call.row) for call in of_type if (text := failure(call))]
        if found:
            wrong[type] = f"{len(found)} of {len(of_type)}, {found[0][1]}: {found[0][0]}"
    assert not wrong, "\n".join(f"{type}: {text}" for type, text in wrong.items())


def test_every_pure_kernel_runs_with_every_dtype_that_it_takes(calls):
    """The rows have few dtypes of each type, and CuPy's functions take fewer than NumPy's."""
    wrong, count = {}, 0
    for type, of_type in sorted(calls.items()):
        for call in of_other_dtypes(of_type):
            count += 1
            text = failure(call)
            if text:
                wrong[type] = f"{call.row}, {[np.asarray(v).dtype.name for v in call.values]}: {text}"
    assert count > 3000
    assert not wrong, "\n".join(f"{type}: {text}" for type, text in wrong.items())


def test_every_type_without_a_row_is_listed(calls):
    """A pure kernel that no row calls is not proved to run: it must be on the CPU."""
    pure = {d.type for d in REGISTRY.whole().values() if d.pure and gpu_kernels.why_on_cpu(d) is None}
    # test_cuda_philox.py has those that draw.
    assert sorted(pure - calls.keys() - gpu_kernels.FLOW - gpu_kernels.RANDOM.keys()) == []


def test_the_table_names_types_and_inputs_that_exist():
    types = REGISTRY.whole()
    listed = [type for text in gpu_kernels.ON_CPU.values() for type in text.split()]
    assert len(listed) == len(set(listed))
    of_gpus = [*gpu_kernels.FLOW, *gpu_kernels.STATEFUL, *gpu_kernels.RANDOM, *gpu_kernels.OVERRIDES]
    everywhere = [*listed, *gpu_kernels.READS, *of_gpus]
    assert [type for type in everywhere if type not in types] == []
    for type, inputs in gpu_kernels.HOST_INPUTS.items():
        assert inputs <= {a.name for a in types[type].inputs}, type


def test_the_table_lists_nothing_twice():
    on_cpu = {type for text in gpu_kernels.ON_CPU.values() for type in text.split()}
    of_gpus = gpu_kernels.FLOW, gpu_kernels.STATEFUL, gpu_kernels.RANDOM, gpu_kernels.OVERRIDES
    for part in (gpu_kernels.READS, gpu_kernels.HOST_INPUTS, *of_gpus):
        assert sorted(on_cpu & set(part)) == []


def test_each_type_that_is_said_to_read_back_does(calls):
    def reads(call):
        try:
            kernel_calls.run_on(strict.xp, strict.wrap, call)
        except strict.Refused as refused:
            return "implicit conversion" in str(refused)
        return False

    tried = {type: (*calls[type], *of_other_dtypes(calls[type])) for type in sorted(gpu_kernels.READS)}
    assert [type for type, of_type in tried.items() if not any(map(reads, of_type))] == []


def test_a_kernel_that_reads_back_is_found(calls):
    call = calls["CheckNumerics"][0]
    with pytest.raises(strict.Refused, match="bool"):
        kernel_calls.run_on(strict.xp, strict.wrap, call)


def kernel(type, *values, **attrs):
    """What the kernel of a GPU gives for NumPy's arrays, of which those that it reads on the host stay there."""
    d = REGISTRY[type]
    on_host = gpu_kernels.HOST_INPUTS.get(type, ())
    moved = [value if a.name in on_host else strict.wrap(value) for a, value in zip(d.inputs, values)]
    return gpu_kernels.kernel_of(d)(strict.xp, *moved, **attrs).host


def test_integers_that_float64_does_not_hold():
    x, y = np.array([2**62 + 3, -(2**62) - 3, -7, 7, 2**53 + 1], np.int64), np.array([5, 5, 3, -3, 2], np.int64)
    assert strict.xp.fmod(strict.wrap(x), strict.wrap(y)).host.tolist() != np.fmod(x, y).tolist()
    with strict.reading():
        for type in ("Mod", "TruncateMod"):
            assert kernel(type, x, y).tolist() == np.fmod(x, y).tolist()


def test_the_sign_of_nan_and_of_complex_numbers():
    x = np.array([np.nan, -2, 0, np.inf], np.float32)
    assert np.isnan(kernel("Sign", x)[0])
    assert kernel("Sign", x)[1:].tolist() == [-1, 0, 1]
    assert kernel("Sign", np.array([5, 0, -2j])).tolist() == [1, 0, -1j]


def test_numbers_that_are_no_bins_count_for_nothing():
    size, none = np.int32(3), np.zeros(0, np.float32)
    assert kernel("Bincount", np.array([-1, 0, 2, 2, 3], np.int32), size, none).tolist() == [1, 0, 2]
    assert kernel("Bincount", np.array([-1, 2, 2, 3], np.int32), size, np.float32([1, 2, 3, 4])).tolist() == [0, 0, 5]
    assert kernel("Bincount", np.zeros(0, np.int32), size, none).tolist() == [0, 0, 0]
    assert kernel("HistogramFixedWidth", none, np.float32([0, 1]), np.int32(2), dtype=tf.int32).tolist() == [0, 0]


def test_wrong_arguments_give_errors_of_tensorflow():
    number, matrix = np.float32(1), np.zeros((2, 3), np.float32)
    assert strict.wrap(matrix).transpose(()).shape == (3, 2)
    for text, type, *values in (
        ("expects a vector of size 2. But", "Transpose", matrix, np.zeros(0, np.int32)),
        ("Dimension -1 must be >= 0", "Fill", np.int32([2, -1]), number),
        ("dims must represent a vector", "Fill", np.int32([[2]]), number),
        ("value must represent a scalar", "Fill", np.int32([2]), np.float32([1, 2])),
    ):
        with pytest.raises(tf.errors.InvalidArgumentError, match=text):
            kernel(type, *values)
    with pytest.raises(tf.errors.InvalidArgumentError, match="Expected concatenating dimensions"):
        REGISTRY["ConcatV2"].kernel(strict.xp, [strict.wrap(number)] * 2, np.int32(0))


def test_an_axis_that_is_named_twice_is_squeezed_once():
    assert kernel("Squeeze", np.zeros((1, 3, 1)), squeeze_dims=[0, -3]).shape == (3, 1)


def test_what_tells_of_a_tensor_lies_on_the_host():
    x, v = tf.placeholder(tf.float32, [None]), tf.get_variable("v", [2], use_resource=True)
    w = tf.Variable([1.0])
    telling = [tf.shape(x, out_type=tf.int64), tf.size(x, out_type=tf.int64), *tf.shape_n([x, x], out_type=tf.int64),
               tf.is_variable_initialized(w), tf.is_variable_initialized(v),
               tf.raw_ops.VariableShape(input=v.handle, out_type=tf.int64)]  # fmt: skip
    assert not any(gpu_kernels.gives_there(t.op, t.index) for t in telling)
    assert gpu_kernels.gives_there(tf.sqrt(x).op, 0)
    assert gpu_kernels.gives_there(v.read_value().op, 0)


def test_results_whose_size_depends_on_the_values_wait():
    array, mask = strict.wrap(np.arange(3)), strict.wrap(np.array([True, False, True]))

    def write():
        array[mask] = 0

    waiting = [
        lambda: array[mask], write, lambda: array.nonzero(), lambda: strict.xp.nonzero(array), lambda: strict.xp.where(mask),
        lambda: strict.xp.bincount(array), lambda: strict.xp.choose(array, array), lambda: np.unique(array),
    ]  # fmt: skip
    for read in waiting:
        with pytest.raises(strict.Refused, match="implicit conversion"):
            read()
        with strict.reading():
            read()
    assert strict.xp.choose(strict.wrap(np.arange(3)), strict.wrap(np.eye(3)), mode="clip").host.tolist() == [1, 1, 1]


def test_a_numpy_array_beside_a_strict_one_is_refused():
    array = strict.wrap(np.ones(3, np.float32))
    for mixed in (
        lambda: array + np.ones(3, np.float32),
        lambda: np.ones(3, np.float32) + array,
        lambda: strict.xp.maximum(array, np.zeros(3)),
        lambda: np.asarray(array),
        lambda: array[np.arange(2)],
        lambda: float(array[0]),
        lambda: list(array),
    ):
        with pytest.raises(strict.Refused):
            mixed()
    assert (np.float32(2) * array).host.tolist() == [2, 2, 2]
    assert isinstance(np.sqrt(array), strict.Strict)
