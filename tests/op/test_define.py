"""@op can express every signature of TF: lists of one dtype or of several, outputs by attribute, shapes, functions."""

import numpy as np
import pytest

import tfedu as tf
from tfedu.engine.base import dtypes
from tfedu.engine.base.dtypes import DType
from tfedu.engine.base.shapes import ShapeMismatch
from tfedu.engine.op import define
from tfedu.engine.op.define import Each, FuncAttr, Many, ShapeAttr, op, typevar


@pytest.fixture(autouse=True)
def own_registry(monkeypatch):
    monkeypatch.setattr(define, "REGISTRY", dict(define.REGISTRY.whole()))


def test_a_list_of_any_dtypes_in_and_out_and_a_function_as_a_dataset_has_it():
    @op("TestCall", stateful=True)
    def call(run, input: Each["Tin"], *, f: FuncAttr, Tout: list[DType]) -> Each["Tout"]:  # noqa: F821
        """Doubles one thing and counts another up."""
        assert f is body
        return [np.asarray(input[0] * 2), np.asarray(input[1] + 1)]

    body = tf.Graph()
    a, b = call([tf.constant(2.0), tf.constant(3)], body, [tf.float32, tf.int32])
    with pytest.raises(TypeError, match="Expected a function for argument 'f' not 7"):
        call([tf.constant(2.0)], 7, [tf.float32])
    assert (a.dtype, b.dtype) == (tf.float32, tf.int32)
    assert a.op.attrs["Tin"] == [tf.float32, tf.int32]
    session = tf.Session()
    for _ in range(3):
        assert session.run([a, b]) == [4.0, 4]


def test_outputs_whose_types_and_shapes_are_attributes_as_iterator_get_next_has_it():
    @op("TestGetNext", out="components", shape=lambda iterator, *, output_types, output_shapes: output_shapes)
    def get_next(
        run, iterator: dtypes.int32, *, output_types: list[DType], output_shapes: list[ShapeAttr]
    ) -> Each["output_types"]:  # noqa: F821
        """Gives the next element."""
        return [np.zeros((2, 3), np.float32), b"x"]

    first, second = get_next(tf.constant(0), [tf.float32, tf.string], [[None, 3], []])
    assert first.shape.as_list() == [None, 3]
    assert (second.dtype, second.shape.as_list()) == (tf.string, [])
    session = tf.Session()
    for _ in range(3):
        got = session.run([first, second])
        assert got[0].shape == (2, 3)
        assert got[1] == b"x"


def test_a_list_of_one_dtype_is_counted_and_agrees():
    T = typevar("T", (dtypes.float32, dtypes.int32))

    @op("TestSum")
    def add_all(xp, inputs: Many[T], *, scale: int = 1) -> T:
        """Adds its inputs."""
        return sum(inputs) * type(inputs[0])(scale)

    y = add_all([tf.constant(1.0), 2.0, 3])
    assert y.op.attrs["N"] == 3
    assert [t.name for t in y.op.inputs] == ["Const:0", "TestSum/inputs_1:0", "TestSum/inputs_2:0"]
    assert tf.Session().run(y) == 6.0
    with pytest.raises(TypeError, match=r"don't all match|do not match"):
        add_all([tf.constant(1.0), tf.constant(1)])
    with pytest.raises(TypeError, match="not in list of allowed values: float32, int32"):
        add_all([tf.constant("a")])
    with pytest.raises(TypeError, match="Expected int for argument 'scale'"):
        add_all([tf.constant(1.0)], scale="x")


def test_a_shape_rule_speaks_of_the_node_and_the_users_line():
    T = typevar("T", (dtypes.float32,))

    @op("TestPick")
    def pick(xp, x: T, *, shape: ShapeAttr = None) -> T:
        """Gives x."""
        return x

    @pick.shape
    def _(x, *, shape):
        raise ShapeMismatch("No shape is good enough", fix="leave it")

    with pytest.raises(ValueError) as caught:
        pick(tf.constant([1.0]))
    lines = str(caught.value).splitlines()
    assert lines[0] == "No shape is good enough for 'TestPick' (op: 'TestPick') with input shapes: [1]."
    assert lines[1].endswith("pick(tf.constant([1.0]))")
    assert lines[-1] == "  fix: leave it"


def test_an_op_type_is_defined_once():
    @op("TestOnce")
    def once(xp) -> None:
        """Nothing."""

    with pytest.raises(ValueError, match="defined twice"):
        op("TestOnce")(once)
