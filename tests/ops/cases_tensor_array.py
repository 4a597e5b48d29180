"""Rows of the op table: tensor arrays, their gradients' arrays, and stacks; what lives for one run."""

from typing import Any

import numpy as np
from cases import case, form
from harness import raw

PAIR = np.array([1.5, -2.0], np.float32)
OTHER = np.array([4.0, 0.25], np.float32)
ROWS = np.array([[1, 2], [3, 4], [5, 6]], np.float32)
INDEX = np.int32(1)


def array(size: int = 3, dtype: str = "float32", **given: Any) -> Any:
    """A call of a function of a new array and the tensors."""

    def of(f: Any) -> Any:
        return lambda tf, *tensors: f(tf.TensorArray(getattr(tf, dtype), size, **given), *tensors)

    return of


def refused(label: str, f: Any, *inputs: Any, **given: Any) -> None:
    """A row of a call that is refused while the graph is built: the array is there before it."""
    given = {"size": 3, **given}
    case("TensorArray", label, lambda tf, a, *tensors: f(a, *tensors), *inputs, before=lambda tf: tf.TensorArray(tf.float32, **given))


def kept(a: Any, x: Any) -> Any:
    """An element that is read twice."""
    a = a.write(0, x)
    return [a.read(0), a.read(0)]


# -- one element ---------------------------------------------------------------------------------------------------------

form("TensorArray", "write and read", array()(lambda a, x, i: a.write(i, x).read(i)), PAIR, INDEX)
form("TensorArray", "write, flow", array()(lambda a, x, i: a.write(i, x).flow), PAIR, INDEX)
form("TensorArray", "names", lambda tf, x: (
    tf.TensorArray(tf.float32, size=2, name="mine", tensor_array_name="own").write(0, x, name="w").read(0, name="r")
), PAIR)  # fmt: skip
form("TensorArray", "size", array()(lambda a, x: a.write(2, x).size()), PAIR)
form("TensorArray", "size of one that grows", array(0, dynamic_size=True)(lambda a, x, i: a.write(i, x).size()), PAIR, INDEX)
form("TensorArray", "read of nothing", array(element_shape=[2])(lambda a, i: a.read(i)), INDEX)
form("TensorArray", "read of nothing, partly known", array(element_shape=[None, 2])(lambda a, i: a.read(i)), INDEX)
form("TensorArray", "element shape that fits", array(element_shape=[None])(lambda a, x: a.write(0, x).read(0)), PAIR)
refused("element shape that does not fit", lambda a, x: a.write(0, x).read(0), PAIR, element_shape=[3])
case("TensorArray", "two shapes", lambda tf, a, y: a.write(1, y).read(1), ROWS, before=lambda tf: (
    tf.TensorArray(tf.float32, 3).write(0, [1.0, 2.0])
))  # fmt: skip
form(
    "TensorArray", "two shapes, not inferred", array(infer_shape=False)(lambda a, x, y: a.write(0, x).write(1, y).read(1)),
    PAIR, ROWS,
)  # fmt: skip
form("TensorArray", "identity", array()(lambda a, x: a.write(0, x).identity().read(0)), PAIR)
form("TensorArray", "not beside the first", array(colocate_with_first_write_call=False)(lambda a, x: a.write(0, x).read(0)), PAIR)
form("TensorArray", "kept after a read", array(clear_after_read=False)(kept), PAIR)
case("TensorArray", "another dtype", array()(lambda a, x: a.write(0, x).flow), np.int32([1, 2]))
case("TensorArray", "a number of another kind", array()(lambda a: a.write(0, 1).read(0)))
case("TensorArray", "a number that does not fit", array(dtype="int32")(lambda a: a.write(0, 1.5).flow))
for label, index in {"too large": 5, "negative": -1}.items():
    case("TensorArray", f"write, index {label}", array()(lambda a, i: a.write(i, 1.0).flow), np.int32(index))
    case("TensorArray", f"read, index {label}", array()(lambda a, i: a.write(0, 1.0).read(i)), np.int32(index))
    case("TensorArray", f"scatter, index {label}", array()(lambda a, i: a.scatter(i, [1.0]).flow), np.int32([index]))
    case("TensorArray", f"gather, index {label}", array()(lambda a, i: a.write(0, 1.0).gather(i)), np.int32([index]))
case("TensorArray", "write to a grown one, index negative", array(dynamic_size=True)(lambda a, i: a.write(i, 1.0).flow), np.int32(-1))
refused("index of rank 1", lambda a, i: a.write(i, 1.0).flow, np.int32([1]))
refused("index of float", lambda a, i: a.write(i, 1.0).flow, np.float32(1))
case("TensorArray", "written twice", array()(lambda a, x: a.write(0, x).write(0, x).flow), PAIR)

# -- many at once --------------------------------------------------------------------------------------------------------

form("TensorArray", "stack", array(2)(lambda a, x, y: a.write(0, x).write(1, y).stack()), PAIR, OTHER)
form("TensorArray", "stack, named", array(2)(lambda a, x, y: a.write(0, x).write(1, y).stack(name="all")), PAIR, OTHER)
form("TensorArray", "stack, one not written", array(2)(lambda a, x: a.write(1, x).stack()), PAIR)
case("TensorArray", "stack of none", array(0)(lambda a: a.stack()))
form("TensorArray", "stack of none, shape known", array(0, element_shape=[3])(lambda a: a.stack()))
case("TensorArray", "stack of two shapes", array(2, infer_shape=False)(lambda a, x, y: a.write(0, x).write(1, y).stack()), PAIR, ROWS)
form("TensorArray", "unstack", array()(lambda a, x: a.unstack(x).read(2)), ROWS)
form("TensorArray", "unstack, named", array()(lambda a, x: a.unstack(x, name="u").read(2)), ROWS)
form("TensorArray", "unstack and stack", array()(lambda a, x: a.unstack(x).stack()), ROWS)
form("TensorArray", "unstack of a list", array()(lambda a: a.unstack([[1.0], [2.0], [3.0]]).stack()))
case("TensorArray", "unstack more", array(2)(lambda a, x: a.unstack(x).stack()), ROWS)
case("TensorArray", "unstack more, growing", array(0, dynamic_size=True)(lambda a, x: a.unstack(x).stack()), ROWS)
case("TensorArray", "unstack less", array(4)(lambda a, x: a.unstack(x).stack()), ROWS)
refused("unstack a scalar", lambda a, x: a.unstack(x).flow, np.float32(1))
form("TensorArray", "gather", array()(lambda a, x, i: a.unstack(x).gather(i)), ROWS, np.int32([2, 0]))
form("TensorArray", "gather, named", array()(lambda a, x, i: a.unstack(x).gather(i, name="g")), ROWS, np.int32([2, 0]))
case("TensorArray", "gather one twice", array()(lambda a, x, i: a.unstack(x).gather(i)), ROWS, np.int32([1, 1]))
case(
    "TensorArray", "gather one twice, kept", array(clear_after_read=False)(lambda a, x, i: a.unstack(x).gather(i)), ROWS,
    np.int32([1, 1]),
)  # fmt: skip
case("TensorArray", "gather none", array()(lambda a, x, i: a.unstack(x).gather(i)), ROWS, np.zeros(0, np.int32))
refused("gather at a scalar", lambda a, i: a.gather(i), np.int32(1))
form("TensorArray", "scatter", array()(lambda a, x, i: a.scatter(i, x).stack()), ROWS, np.int32([2, 0, 1]))
form("TensorArray", "scatter, named", array()(lambda a, x, i: a.scatter(i, x, name="s").stack()), ROWS, np.int32([2, 0, 1]))
refused("scatter, too few indices", lambda a, x, i: a.scatter(i, x).flow, ROWS, np.int32([2, 0]))
case("TensorArray", "scatter one twice", array()(lambda a, x, i: a.scatter(i, x).flow), ROWS, np.int32([2, 0, 2]))
case("TensorArray", "scatter, growing", array(0, dynamic_size=True)(lambda a, x, i: a.scatter(i, x).stack()), ROWS, np.int32([4, 0, 2]))
case("TensorArray", "scatter none", array()(lambda a, x, i: a.scatter(i, x).size()), ROWS[:0], np.zeros(0, np.int32))
form("TensorArray", "split", array(2, infer_shape=False)(lambda a, x, n: a.split(x, n).read(1)), ROWS, np.int32([1, 2]))
form("TensorArray", "split into equals", array(3)(lambda a, x: a.split(x, [1, 1, 1]).read(1)), ROWS)
form("TensorArray", "split, named", array(3)(lambda a, x: a.split(x, [1, 1, 1], name="s").read(1)), ROWS)
form("TensorArray", "split, int64", array(2, infer_shape=False)(lambda a, x, n: a.split(x, n).read(0)), ROWS, np.array([0, 3]))
case("TensorArray", "split into unequals", array(2)(lambda a, x, n: a.split(x, n).flow), ROWS, np.int32([1, 2]))
case("TensorArray", "split, wrong sum", array(2)(lambda a, x, n: a.split(x, n).flow), ROWS, np.int32([1, 1]))
case("TensorArray", "split, wrong number", array(3)(lambda a, x, n: a.split(x, n).flow), ROWS, np.int32([1, 2]))
case("TensorArray", "split, growing", array(0, dynamic_size=True, infer_shape=False)(lambda a, x, n: a.split(x, n).size()), ROWS, np.int32([1, 2]))
case("TensorArray", "split of a scalar", array(1)(lambda a, x, n: a.split(x, n).flow), np.float32(1), np.int32([1]))
refused("split, lengths of rank 0", lambda a, x, n: a.split(x, n).flow, ROWS, np.int32(3))
case("TensorArray", "split into none", array(0)(lambda a, x, n: a.split(x, n).size()), ROWS[:0], np.zeros(0, np.int32))
form("TensorArray", "concat", array(2, infer_shape=False)(lambda a, x, y: a.write(0, x).write(1, y).concat()), ROWS, ROWS[:1])
form("TensorArray", "concat, named", array(2)(lambda a, x, y: a.write(0, x).write(1, y).concat(name="c")), PAIR, OTHER)
case("TensorArray", "concat of scalars", array(1, infer_shape=False)(lambda a, x: a.write(0, x).concat()), np.float32(1))
case("TensorArray", "concat of two shapes", array(2, infer_shape=False)(lambda a, x, y: a.write(0, x).write(1, y).concat()), PAIR, ROWS)
case("TensorArray", "concat of none", array(0)(lambda a: a.concat()))
form("TensorArray", "concat of none, shape known", array(0, element_shape=[None, 3])(lambda a: a.concat()))

for dtype, value in {
    "int32": 7, "float64": 1.5, "bool": True, "complex64": 1 + 2j, "uint8": 3, "string": b"text", "float16": 0.5,
}.items():  # fmt: skip
    given = np.array(value) if dtype == "string" else np.array(value, dtype)
    case("TensorArray", f"{dtype}, a scalar", array(2, dtype)(lambda a, x: a.write(1, x).read(1)), given)
    case("TensorArray", f"{dtype}, stacked", array(2, dtype)(lambda a, x: a.write(1, x).write(0, x).stack()), given)
    rows = np.array([given, given])
    case("TensorArray", f"{dtype}, unstacked", array(2, dtype)(lambda a, x: [a.unstack(x).read(1)]), rows)
    case("TensorArray", f"{dtype}, split and joined", array(2, dtype)(lambda a, x: a.split(x, [1, 1]).concat()), rows)
    if dtype != "string":
        case("TensorArray", f"{dtype}, nothing written", array(2, dtype, element_shape=[2])(lambda a: a.read(1)))
case("TensorArray", "string, nothing written", array(2, "string", element_shape=[2])(lambda a: a.read(1)))

# -- gradients' arrays, other ops ----------------------------------------------------------------------------------------


def added(a: Any, x: Any, y: Any) -> Any:
    """Two writes of one element of a gradient, and one of an element that nothing is written to."""
    a = a.unstack(x)
    g = a.grad("gradients").write(0, y).write(0, y).write(0, y)
    return [g.read(0), g.read(2), g.size()]


def after_reading(a: Any, x: Any) -> Any:
    """The gradient of an element that was let go, and one with a flow and a name given."""
    b = a.unstack(x)
    return [b.read(0), b.grad("gradients", flow=b.flow).read(0), b.grad("gradients", name="own").read(1)]


def apart(a: Any, x: Any, y: Any) -> Any:
    """Two sources."""
    b = a.unstack(x)
    return [b.grad("a").write(0, y).read(0), b.grad("b").write(0, y + y).read(0)]


form("TensorArray", "grad", array()(added), ROWS, OTHER)
form("TensorArray", "grad, what was read", array()(after_reading), ROWS)
case("TensorArray", "grad, another shape", lambda tf, g, y: g.write(0, y).flow, np.float32([1]), before=lambda tf: (
    tf.TensorArray(tf.float32, 3).unstack([[1.0, 2.0]]).grad("g")
))  # fmt: skip
case(
    "TensorArray", "grad, one for each source",
    array()(apart),
    ROWS, OTHER,
)  # fmt: skip
case("TensorArray", "grad of a sum", array()(
    lambda a, x, y: a.unstack(x).grad("a").write(0, y).write(0, y).grad("b").size()
), ROWS, OTHER)  # fmt: skip
case("TensorArray", "grad, bool", array(2, "bool", element_shape=[2])(
    lambda a, x: a.grad("a").write(0, x).write(0, x).read(0)
), np.array([True, False]))  # fmt: skip
form("TensorArray", "grad, gathered", array()(lambda a, x, y: a.unstack(x).grad("g").scatter([0, 0], y).gather([0, 1])), ROWS, ROWS[:2])
form("TensorArray", "grad, joined", array(2)(
    lambda a, x, y: a.split(x, [1, 1]).grad("g").split(y, [1, 1]).concat()
), ROWS[:2], ROWS[1:])  # fmt: skip


def with_shape(tf: Any, x: Any, shape: Any) -> Any:
    """The gradient's array with sizes in front."""
    handle, flow = raw(tf, "TensorArrayV3", size=2, dtype=tf.float32, identical_element_shapes=True)
    flow = raw(tf, "TensorArrayWriteV3", handle=handle, index=0, value=x, flow_in=flow)
    g, flow = raw(tf, "TensorArrayGradWithShape", handle=handle, flow_in=flow, shape_to_prepend=shape, source="g")
    return raw(tf, "TensorArrayReadV3", handle=g, index=0, flow_in=flow, dtype=tf.float32)


form("raw_ops.TensorArrayGradWithShape", "form", with_shape, PAIR, np.int32([3, 1]))


def other_dtype(tf: Any, x: Any) -> Any:
    handle, flow = raw(tf, "TensorArrayV3", size=2, dtype=tf.float32)
    return raw(tf, "TensorArrayReadV3", handle=handle, index=0, flow_in=flow, dtype=tf.int32)


case("raw_ops.TensorArrayReadV3", "another dtype", other_dtype, PAIR)
case("raw_ops.TensorArrayGatherV3", "another dtype", lambda tf, x: raw(
    tf, "TensorArrayGatherV3", handle=tf.TensorArray(tf.float32, 2).handle, indices=[0], flow_in=0.0, dtype=tf.int32
), PAIR)  # fmt: skip
case("raw_ops.TensorArrayConcatV3", "another dtype", lambda tf, x: raw(
    tf, "TensorArrayConcatV3", handle=tf.TensorArray(tf.float32, 2).handle, flow_in=0.0, dtype=tf.int32
)[0], PAIR)  # fmt: skip


def closed(tf: Any, x: Any) -> Any:
    a = tf.TensorArray(tf.float32, 2)
    with tf.control_dependencies([a.write(0, x).close()]):
        return a.identity().size()


form("raw_ops.TensorArrayCloseV3", "form", closed, PAIR)


def stack(tf: Any, *values: Any, count: int = 1, dtype: str = "float32", limit: int = 2) -> Any:
    """Pushes the values and pops as many as asked for, in that order."""
    handle = raw(tf, "StackV2", max_size=limit, elem_type=getattr(tf, dtype), stack_name="mine")
    waited: list[Any] = []
    for value in values:
        with tf.control_dependencies(waited):
            waited = [raw(tf, "StackPushV2", handle=handle, elem=value)]
    popped = []
    for _ in range(count):
        with tf.control_dependencies(waited):
            waited = [raw(tf, "StackPopV2", handle=handle, elem_type=getattr(tf, dtype))]
            popped += waited
    return popped


def closed_stack(tf: Any, x: Any) -> Any:
    handle = raw(tf, "StackV2", max_size=2, elem_type=tf.float32)
    with tf.control_dependencies([raw(tf, "StackPushV2", handle=handle, elem=x)]):
        end = raw(tf, "StackCloseV2", handle=handle)
    with tf.control_dependencies([end]):
        return raw(tf, "StackPopV2", handle=handle, elem_type=tf.float32)


form("raw_ops.StackV2", "push and pop", lambda tf, x, y: stack(tf, x, y, count=2), PAIR, ROWS)
case("raw_ops.StackV2", "full", lambda tf, x: stack(tf, x, x, x), PAIR)
case("raw_ops.StackV2", "never full", lambda tf, x: stack(tf, x, x, x, limit=-1), PAIR)
case("raw_ops.StackV2", "empty", lambda tf, x: stack(tf, x, count=2), PAIR)
case("raw_ops.StackV2", "another dtype", lambda tf, x: stack(tf, x, dtype="int32"), PAIR)
case("raw_ops.StackV2", "strings", lambda tf, x: stack(tf, x, dtype="string"), np.array("text"))
form("raw_ops.StackCloseV2", "form", closed_stack, PAIR)
