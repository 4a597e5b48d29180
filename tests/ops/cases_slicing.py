"""Rows of the op table: slices and strides, splits, stacks, and their bad forms."""

import numpy as np
from cases import case, form

A = np.arange(6, dtype=np.float32).reshape(2, 3)
T = np.arange(24, dtype=np.float32).reshape(2, 3, 4)


def i32(*values):
    return np.array(values, np.int32)


SLICES = {
    "0": lambda x: x[0],
    "-1": lambda x: x[-1],
    "0, 1": lambda x: x[0, 1],
    "all": lambda x: x[:],
    "dots": lambda x: x[...],
    "dots, 0": lambda x: x[..., 0],
    "0, dots": lambda x: x[0, ...],
    "a, dots, b": lambda x: x[1, ..., 1:3],
    "new first": lambda x: x[None],
    "new last": lambda x: x[..., None],
    "new between": lambda x: x[:, None, 1:],
    "backwards": lambda x: x[::-1],
    "backwards, all": lambda x: x[::-1, ::-2, 2:0:-1],
    "beyond the end": lambda x: x[1:9],
    "empty": lambda x: x[2:],
    "from the end": lambda x: x[:, -2:, :-1],
    "step": lambda x: x[:, ::2, 1::2],
}
for label, call in SLICES.items():
    form("Tensor.__getitem__", label, lambda tf, x, call=call: call(x), T)
form("Tensor.__getitem__", "tensor index", lambda tf, x, i: x[i], T, np.int32(1))
form("Tensor.__getitem__", "tensor index beside others", lambda tf, x, i: x[:, i, 1:], T, np.int32(1))
form("Tensor.__getitem__", "tensor bound", lambda tf, x, i: x[i:], T, np.int32(1))
form("Tensor.__getitem__", "tensor bound beside others", lambda tf, x, i: x[0, :i, 1:3], T, np.int32(1))
form("Tensor.__getitem__", "two tensor bounds", lambda tf, x, i, j: x[:, i:j], T, np.int32(1), np.int32(2))
form("Tensor.__getitem__", "int64 index", lambda tf, x, i: x[i], T, np.int64(1))
form("Tensor.__getitem__", "tensor step", lambda tf, x, i: x[::i], T, np.int32(1))
form("Tensor.__getitem__", "newaxis", lambda tf, x: x[tf.newaxis, ..., tf.newaxis], A)
case("Tensor.__getitem__", "beyond", lambda tf, x: x[2], A)
case("Tensor.__getitem__", "beyond at run time", lambda tf, x, i: x[i], A, np.int32(2))
case("Tensor.__getitem__", "too many", lambda tf, x: x[0, 0, 0], A)
case("Tensor.__getitem__", "two dots", lambda tf, x: x[..., ...], A)
case("Tensor.__getitem__", "step of none", lambda tf, x: x[::0], A)
case("Tensor.__getitem__", "float", lambda tf, x: x[0.5], A)
case("Tensor.__getitem__", "text", lambda tf, x: x["a"], A)
case("Tensor.__getitem__", "list", lambda tf, x: x[[0, 1]], A)
case("Tensor.__getitem__", "float tensor", lambda tf, x, i: x[i], A, np.float32(0))
form("strided_slice", "tensors", lambda tf, x, b, e, s: tf.strided_slice(x, b, e, s, name="mine"), T, i32(0, 1), i32(2, 3), i32(1, 2))
form("strided_slice", "no strides", lambda tf, x: tf.strided_slice(x, [0, 1], [2, 3]), T)
form("strided_slice", "new axis", lambda tf, x: tf.strided_slice(x, [0, 0], [1, 1], new_axis_mask=1), T)
form("strided_slice", "ellipsis", lambda tf, x: tf.strided_slice(x, [0, 0], [1, 2], ellipsis_mask=1), T)
case("strided_slice", "lengths differ", lambda tf, x: tf.strided_slice(x, [0, 1], [2]), T)
case("strided_slice", "matrix", lambda tf, x: tf.strided_slice(x, [[0]], [[1]]), T)
case("strided_slice", "dtypes differ", lambda tf, x: tf.strided_slice(x, i32(0), np.array([1])), T)
case("slice", "float begin", lambda tf, x: tf.slice(x, [0.0, 0.0, 0.0], [1, 1, 1]), T)
case("slice", "lengths differ", lambda tf, x: tf.slice(x, [0, 0, 0], [1, 1]), T)
case("slice", "too much at run time", lambda tf, x, s: tf.slice(x, [0, 0, 0], s), T, i32(3, 1, 1))
case("slice", "scalar", lambda tf, x: tf.slice(x, [], []), np.float32(1))
form("split", "one", lambda tf, x: tf.split(x, 1), A)
form("split", "axis tensor", lambda tf, x, a: tf.split(x, 2, a), T, np.int32(0))
form("split", "old order", lambda tf, x: tf.split(value=x, num_or_size_splits=[1, 2], axis=1), A)
case("split", "none", lambda tf, x: tf.split(x, 0), A)
case("split", "negative", lambda tf, x: tf.split(x, -1), A)
case("split", "uneven at run time", lambda tf, x: tf.split(tf.placeholder_with_default(x, None), 2, 1), A)
case("split", "float", lambda tf, x: tf.split(x, 2.0), A)
case("split", "two of -1", lambda tf, x: tf.split(x, [-1, -1], 1), A)
case("split", "vector axis", lambda tf, x: tf.split(x, 2, [0, 1]), A)
case("split", "sizes of unknown length", lambda tf, s, x: tf.split(x, s, 1), A, before=lambda tf: tf.placeholder(tf.int32))
form("unstack", "partly known", lambda tf, x: tf.unstack(tf.placeholder_with_default(x, [2, None])), A)
case("unstack", "unknown", lambda tf, p: tf.unstack(p), before=lambda tf: tf.placeholder(tf.float32))
case("unstack", "open size", lambda tf, p: tf.unstack(p), before=lambda tf: tf.placeholder(tf.float32, [None, 3]))
case("unstack", "negative", lambda tf, x: tf.unstack(x, -1), A)
for axis in (0, 1, 2, -1, -3):
    form("stack", f"axis {axis}", lambda tf, x, y, axis=axis: tf.stack([x, y], axis), A, -A)
case("stack", "axis far below", lambda tf, x: tf.stack([x, x], -4), A)
case("stack", "axis beyond of unknown", lambda tf, p, x: tf.stack([p, x], 3), A, before=lambda tf: tf.placeholder(tf.float32))
case("stack", "nothing", lambda tf: tf.stack([]))
case("stack", "ranks differ", lambda tf, x, y: tf.stack([x, y]), A, A[0])
case("stack", "shapes differ at run time", lambda tf, x, y: tf.stack([tf.placeholder_with_default(x, None), y]), A, A.T.copy())
form("parallel_stack", "form", lambda tf, x, y: tf.parallel_stack([x, y]), A, -A)
case("parallel_stack", "name", lambda tf, x: tf.parallel_stack([x, x], name="mine"), A, nodes=True)
case("parallel_stack", "axis", lambda tf, x: tf.parallel_stack([x, x], axis=1), A)
form("concat", "axis tensor", lambda tf, x, y, a: tf.concat([x, y], a), A, A, np.int32(1))
form("concat", "one", lambda tf, x: tf.concat([x], 0, name="mine"), A)
form("concat", "axis first by keyword", lambda tf, x, y: tf.concat(axis=1, values=[x, y]), A, A)
case("concat", "old order", lambda tf, x, y: tf.concat(1, [x, y]), A, A)
case("concat", "nothing", lambda tf: tf.concat([], 0))
case("concat", "shapes differ at run time", lambda tf, x, y: tf.concat([tf.placeholder_with_default(x, None), y], 0), A, A.T.copy())
case("concat", "float axis", lambda tf, x: tf.concat([x, x], 0.0), A)
case("concat", "vector axis", lambda tf, x: tf.concat([x, x], [0]), A)
