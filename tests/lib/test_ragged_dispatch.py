"""Functions of dense tensors take ragged ones by the table of lib/ragged/ragged_dispatch.py, and nothing else does."""

import inspect

import pytest

import tfedu as tf
from tfedu.engine.lib.framework import dispatch
from tfedu.engine.lib.ragged import ragged_dispatch

# The functions that dispatch in TensorFlow 1.15, by the names under which it lists them.
TF_1_15 = [
    "tf.batch_gather", "tf.bitwise.bitwise_and", "tf.bitwise.bitwise_or", "tf.bitwise.bitwise_xor", "tf.bitwise.invert",
    "tf.bitwise.left_shift", "tf.bitwise.right_shift", "tf.cast", "tf.clip_by_value", "tf.concat",
    "tf.debugging.check_numerics", "tf.dtypes.complex", "tf.dtypes.saturate_cast", "tf.dynamic_partition", "tf.expand_dims",
    "tf.gather_nd", "tf.gather", "tf.identity", "tf.io.decode_base64", "tf.io.decode_compressed", "tf.io.encode_base64",
    "tf.math.abs", "tf.math.acos", "tf.math.acosh", "tf.math.add_n", "tf.math.add", "tf.math.angle", "tf.math.asin",
    "tf.math.asinh", "tf.math.atan2", "tf.math.atan", "tf.math.atanh", "tf.math.ceil", "tf.math.conj", "tf.math.cos",
    "tf.math.cosh", "tf.math.digamma", "tf.math.divide_no_nan", "tf.math.divide", "tf.math.equal", "tf.math.erf",
    "tf.math.erfc", "tf.math.exp", "tf.math.expm1", "tf.math.floor", "tf.math.floordiv", "tf.math.floormod",
    "tf.math.greater_equal", "tf.math.greater", "tf.math.imag", "tf.math.is_finite", "tf.math.is_inf", "tf.math.is_nan",
    "tf.math.less_equal", "tf.math.less", "tf.math.lgamma", "tf.math.log1p", "tf.math.log_sigmoid", "tf.math.log",
    "tf.math.logical_and", "tf.math.logical_not", "tf.math.logical_or", "tf.math.logical_xor", "tf.math.maximum",
    "tf.math.minimum", "tf.math.multiply", "tf.math.negative", "tf.math.not_equal", "tf.math.pow", "tf.math.real",
    "tf.math.reciprocal", "tf.math.reduce_any", "tf.math.reduce_max", "tf.math.reduce_mean", "tf.math.reduce_min",
    "tf.math.reduce_prod", "tf.math.reduce_sum", "tf.math.rint", "tf.math.round", "tf.math.rsqrt", "tf.math.sign",
    "tf.math.sin", "tf.math.sinh", "tf.math.sqrt", "tf.math.square", "tf.math.squared_difference", "tf.math.subtract",
    "tf.math.tan", "tf.math.truediv", "tf.math.unsorted_segment_max", "tf.math.unsorted_segment_mean",
    "tf.math.unsorted_segment_min", "tf.math.unsorted_segment_prod", "tf.math.unsorted_segment_sqrt_n",
    "tf.math.unsorted_segment_sum", "tf.one_hot", "tf.ones_like", "tf.rank", "tf.realdiv", "tf.reduce_all", "tf.size",
    "tf.squeeze", "tf.stack", "tf.strings.as_string", "tf.strings.join", "tf.strings.length", "tf.strings.reduce_join",
    "tf.strings.regex_full_match", "tf.strings.regex_replace", "tf.strings.strip", "tf.strings.substr",
    "tf.strings.to_hash_bucket_fast", "tf.strings.to_hash_bucket_strong", "tf.strings.unicode_script", "tf.tile",
    "tf.truncatediv", "tf.truncatemod", "tf.where", "tf.zeros_like",
]  # fmt: skip


def public(name):
    value = tf
    for part in name.removeprefix("tf.").split("."):
        value = getattr(value, part)
    return value


@pytest.fixture
def graph():
    with tf.Graph().as_default() as graph:
        yield graph


def rows():
    return tf.ragged.constant([[1, 2], [], [3]])


def message(call, kind):
    with pytest.raises(kind) as caught:
        call()
    return caught.value


def test_the_functions_of_tensorflow_take_ragged_tensors_and_no_others():
    assert {id(public(name)) for name in TF_1_15} == {id(f) for f in dispatch.rules}


def test_every_function_that_asks_for_a_rule_has_one():
    assert [f.__name__ for f in dispatch.takers if f not in dispatch.rules] == []
    assert all(any(f is taker for taker in dispatch.takers) for f in dispatch.rules)


@pytest.mark.parametrize("function", ragged_dispatch.OTHERS, ids=lambda f: f.__name__)
def test_a_ragged_form_takes_the_arguments_of_the_dense_one(function):
    ragged = ragged_dispatch.OTHERS[function][0]
    wanted, found = inspect.signature(function), inspect.signature(ragged)
    assert set(wanted.parameters) == set(found.parameters)
    positions = [name for name in wanted.parameters if name in ("values", "input", "data", "params", "indices", "condition")]
    assert positions == [name for name in found.parameters if name in positions]


@pytest.mark.parametrize("name", ["argmax", "nn.relu", "shape", "transpose", "tanh", "cumsum", "stop_gradient", "reverse"])
def test_a_function_without_a_rule_refuses_a_ragged_tensor(name, graph):
    x = rows()
    nodes = graph.get_operations()
    arguments = [x, 0] if name == "reverse" else [x]
    error = message(lambda: public(f"tf.{name}")(*arguments), TypeError)
    assert str(error).startswith("Failed to convert object of type <class")
    assert graph.get_operations() == nodes


def test_nodes_are_counted_as_in_tensorflow(graph):
    x = rows()
    names = [tf.add(x, 3), x + x, tf.square(x), tf.subtract(x, 1, name="mine"), tf.concat([x, x], 0, name="both")]
    assert [r.flat_values.op.name for r in names] == ["Add_1", "Add_3", "Square_1", "mine_1", "both_1/concat"]


def test_an_error_of_the_ragged_form_is_told_alone(graph):
    error = message(lambda: tf.concat([rows(), rows()], 5), ValueError)
    assert str(error).startswith("axis=5 out of bounds: expected -2<=axis<2")
    assert error.__context__ is None


def test_dense_arguments_are_refused_as_before(graph):
    error = message(lambda: tf.add(tf.constant(1), tf.constant(1.0)), TypeError)
    assert str(error).startswith("Input 'y' of 'Add' Op has type float32 that does not match type int32 of argument 'x'.")
    assert graph.get_operations()[-1].type == "Const"


def test_a_call_that_fails_leaves_nothing_behind(graph):
    x, y = rows(), tf.ragged.constant([[1.5], []])
    nodes = graph.get_operations()
    for call in (lambda: tf.add(x, y), lambda: tf.tile(x, [1.0, 2.0]), lambda: tf.stack([x, tf.zeros([2, 2, 2])])):
        message(call, (TypeError, ValueError))
        assert graph.get_operations()[: len(nodes)] == nodes
    assert tf.square(x).flat_values.op.name == "Square_1"


@pytest.mark.parametrize("other", [[[1], [2], [3]], [[1, 2], [3], []], [[1, 2], [], [3]]])
def test_rows_of_other_lengths_are_an_error_of_the_run_unless_they_agree(other, graph):
    total = rows() + tf.ragged.constant(other)
    with tf.Session() as session:
        if [len(row) for row in other] == [2, 0, 1]:
            assert session.run(total).to_list() == [[2, 4], [], [6]]
        else:
            error = message(lambda: session.run(total), tf.errors.InvalidArgumentError)
            assert "Unable to broadcast: dimension size mismatch in dimension" in str(error)


def test_a_gradient_passes_through_ragged_arithmetic(graph):
    x = tf.constant([1.0, 2.0, 3.0])
    r = tf.RaggedTensor.from_row_splits(x, [0, 2, 2, 3])
    column = tf.constant([[10.0], [20.0], [30.0]])
    total = tf.reduce_sum(tf.reduce_sum(tf.square(r) * column, axis=1))
    with tf.Session() as session:
        by_values, by_column = session.run(tf.gradients(total, [x, column]))
    assert by_values.tolist() == [20.0, 40.0, 180.0]
    assert by_column.tolist() == [[5.0], [0.0], [9.0]]


def test_the_op_gives_one_row_without_splits_for_a_scalar_index():
    """A graph file of TensorFlow 2 has such a node; 1.15's functions build none."""
    rows = tf.ragged.constant([[3], [1, 2]])
    found = tf.raw_ops.RaggedGather(
        params_nested_splits=[rows.row_splits], params_dense_values=rows.values, indices=1, OUTPUT_RAGGED_RANK=0
    )
    with tf.Session() as session:
        assert session.run(found.output_dense_values).tolist() == [1, 2]
