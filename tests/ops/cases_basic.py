"""Rows of the op table: identities, packing, switches, asserts, and shapes that follow from constants."""

import numpy as np
from cases import case, form, named
from harness import raw

A = np.arange(6, dtype=np.float32).reshape(2, 3)
T = np.arange(24, dtype=np.float32).reshape(2, 3, 4)
YES, NO = np.array(True), np.array(False)


def i32(*values):
    return np.array(values, np.int32)


form("identity_n", "form", lambda tf, x, y: tf.identity_n([x, y], name="mine"), A, i32(1, 2))
case("identity_n", "literals", lambda tf: tf.identity_n([1, "a"]), nodes=True)
case("identity_n", "nothing", lambda tf: tf.identity_n([]))
case("identity_n", "a tensor", lambda tf, x: tf.identity_n(x), np.float32(1))


def after(tf, op, x):
    with tf.control_dependencies([op]):
        return tf.identity(x)


form("no_op", "form", lambda tf, x: after(tf, tf.no_op(name="mine"), x), A)
form("group", "form", lambda tf, x: after(tf, tf.group(x, tf.identity(x), name="mine"), x), A)
form("placeholder", "fed over", lambda tf, x: tf.identity(tf.placeholder_with_default(x, [None, 3], name="mine")), A)
form("placeholder_with_default", "form", lambda tf, x: tf.placeholder_with_default(x, [2, None]), A)
case("placeholder_with_default", "does not fit", lambda tf, x: tf.placeholder_with_default(x, [3, None]), A)
case("placeholder", "not fed", lambda tf: tf.placeholder(tf.int32, [None, 2], name="mine"), nodes=True)
case("placeholder", "not fed, scalar", lambda tf: tf.placeholder(tf.float64, []), nodes=True)
case("placeholder", "not fed, unknown", lambda tf: tf.placeholder(tf.string), nodes=True)
form("stop_gradient", "name", lambda tf, x: tf.stop_gradient(x, "mine"), A)
form("raw_ops.PreventGradient", "form", lambda tf, x: raw(tf, "PreventGradient", "mine", input=x, message="no"), A)
form("raw_ops.OnesLike", "form", lambda tf, x: raw(tf, "OnesLike", "mine", x=x), A)
form("raw_ops.ZerosLike", "form", lambda tf, x: raw(tf, "ZerosLike", "mine", x=x), i32(1, 2))
form("raw_ops.Concat", "form", lambda tf, x, y: raw(tf, "Concat", "mine", concat_dim=1, values=[x, y]), A, A)
case("raw_ops.Concat", "beyond", lambda tf, x, y: raw(tf, "Concat", concat_dim=2, values=[x, y]), A, A)
form("raw_ops.Print", "form", lambda tf, x, y: raw(tf, "Print", "mine", input=x, data=[x, y], message="m", first_n=0), A, i32(1))
form("Print", "form", lambda tf, x, y: tf.Print(x, [x, y], "said: ", first_n=0, summarize=2, name="mine"), A, i32(1))

# -- switch and merge ----------------------------------------------------------------------------------------------


def both(tf, x, p):
    no, yes = raw(tf, "Switch", data=x, pred=p)
    return raw(tf, "Merge", inputs=[tf.negative(no), tf.identity(yes)])


form("raw_ops.Switch", "taken", both, A, YES)
form("raw_ops.Switch", "not taken", both, A, NO)
case("raw_ops.Switch", "a dead output", lambda tf, x, p: raw(tf, "Switch", "mine", data=x, pred=p)[0], A, YES, nodes=True)
case("raw_ops.Switch", "vector", lambda tf, x, p: raw(tf, "Switch", data=x, pred=p)[0], A, np.array([True]))
form("raw_ops.Merge", "both alive", lambda tf, x, y: raw(tf, "Merge", "mine", inputs=[x, y]), A, -A)
form("rank", "of an unknown rank", lambda tf, x: tf.rank(tf.placeholder_with_default(x, None)), A)
form("raw_ops.Merge", "sizes differ", lambda tf, x, p: raw(tf, "Merge", "mine", inputs=[raw(tf, "Switch", data=x, pred=p)[1], A[0]]), A, NO)


def variable(tf, x):
    v = raw(tf, "VariableV2", "v", shape=[2, 3], dtype=tf.float32)
    return v, tf.assign(v, x)


def ref_switched(tf, x, p):
    v, init = variable(tf, x)
    with tf.control_dependencies([init]):
        no, yes = raw(tf, "RefSwitch", "switch", data=v, pred=p)
        merged, index = raw(tf, "RefMerge", "merge", inputs=[no, yes])
    return tf.identity(merged), index


form("raw_ops.RefSwitch", "taken", ref_switched, A, YES)
form("raw_ops.RefMerge", "not taken", ref_switched, A, NO)

# -- shapes that follow from constants -----------------------------------------------------------------------------

PARTLY = T.reshape(2, 12)


def open_batch(tf, x):
    return tf.placeholder_with_default(x, [None, *x.shape.as_list()[1:]] if x.shape.ndims else None)


CHAINS = {
    "reshape keeps what is constant": lambda tf, x: tf.reshape(x, [tf.shape(x)[0], 12]),
    "reshape of a slice": lambda tf, x: tf.reshape(x, tf.concat([tf.shape(x)[:1], [-1]], 0)),
    "reshape of a stack": lambda tf, x: tf.reshape(x, tf.stack([tf.shape(x)[0], 3, -1])),
    "reshape of -1 and a product": lambda tf, x: tf.reshape(x, [-1, x.shape.as_list()[1] * 1 if x.shape.ndims else 12]),
    "fill": lambda tf, x: tf.fill([tf.shape(x)[0], 5], 1.0),
    "zeros": lambda tf, x: tf.zeros([tf.shape(x)[0], 5]),
    "ones": lambda tf, x: tf.ones(tf.stack([tf.shape(x)[0], 7]), tf.int32),
    "zeros of a cast": lambda tf, x: tf.zeros(tf.cast(tf.shape(x), tf.int64)),
    "random": lambda tf, x: tf.shape(tf.random_uniform([tf.shape(x)[0], 4])),
    "tile": lambda tf, x: tf.tile(x, [1, 2]),
    "tile of a partly known": lambda tf, x: tf.tile(x, tf.stack([tf.size(x), 2])),
    "pad": lambda tf, x: tf.pad(x, [[0, 1], [2, 0]]),
    "expand_dims": lambda tf, x: tf.expand_dims(x, tf.constant(1)),
    "expand_dims twice": lambda tf, x: tf.expand_dims(tf.expand_dims(x, -1), 0),
    "range": lambda tf, x: tf.range(tf.rank(x)),
    "range of a size": lambda tf, x: tf.range(tf.shape(x)[1]),
    "transpose": lambda tf, x: tf.transpose(x, tf.range(tf.rank(x))[::-1]),
    "sum over constants": lambda tf, x: tf.reduce_sum(x, tf.constant([0])),
    "sum over a range": lambda tf, x: tf.reduce_sum(x, tf.range(1, 2)),
    "slice": lambda tf, x: tf.slice(x, [0, 2], tf.stack([tf.shape(x)[0], 4])),
    "slice to the end": lambda tf, x: tf.slice(x, [0, 2], [-1, -1]),
    "one_hot": lambda tf, x: tf.one_hot(tf.cast(x, tf.int32), tf.shape(x)[1]),
    "broadcast_to": lambda tf, x: tf.broadcast_to(x, tf.concat([[3], tf.shape(x)], 0)),
    "split": lambda tf, x: tf.split(x, [4, -1], tf.constant(1)),
    "concat": lambda tf, x: tf.concat([x, x], tf.constant(1)),
    "concat of open sizes": lambda tf, x: tf.concat([x, x], 0),
    "shape arithmetic": lambda tf, x: tf.reshape(x, [tf.shape(x)[0] * 2, 6]),
    "shape divided": lambda tf, x: tf.reshape(x, [-1, tf.shape(x)[1] // 2]),
    "shape of a shape": lambda tf, x: tf.zeros(tf.shape(tf.shape(x))),
    "negative slice of a shape": lambda tf, x: tf.zeros(tf.shape(x)[-1:]),
    "gather of a shape": lambda tf, x: tf.zeros(tf.gather(tf.shape(x), [1, 1])),
    "product of a shape": lambda tf, x: tf.zeros([tf.reduce_prod(tf.shape(x))]),
    "product of a part": lambda tf, x: tf.reshape(x, [-1, tf.reduce_prod(tf.shape(x)[1:])]),
    "identity of a shape": lambda tf, x: tf.zeros(tf.identity(tf.shape(x))),
    "maximum of sizes": lambda tf, x: tf.zeros([tf.maximum(tf.shape(x)[1], 3)]),
    "size as a length": lambda tf, x: tf.zeros([tf.size(x)]),
    "squeezed": lambda tf, x: tf.squeeze(tf.expand_dims(x, 0), [0]),
    "int64 shape": lambda tf, x: tf.reshape(x, tf.shape(x, out_type=tf.int64)),
    "where": lambda tf, x: tf.where(x > 0, x, tf.zeros_like(x)),
    "linspace": lambda tf, x: tf.linspace(0.0, 1.0, tf.shape(x)[1]),
    "sequence_mask": lambda tf, x: tf.sequence_mask(tf.shape(x), 12),
    "scatter_nd": lambda tf, x: tf.scatter_nd([[0]], [1.0], tf.shape(x)[1:]),
    "unstack": lambda tf, x: tf.unstack(x, axis=1, num=12)[0],
    "matmul": lambda tf, x: tf.matmul(x, x, transpose_b=True),
    "transpose by an open order": lambda tf, x: tf.transpose(x, tf.placeholder_with_default([1, 0], [2])),
    "transpose of a vector": lambda tf, x: tf.transpose(x[0], tf.placeholder_with_default([0], [1])),
    "reverse_sequence": lambda tf, x: tf.reverse_sequence(x, tf.constant([1, 2]), 1, 0),
    "expand_dims at an open place": lambda tf, x: tf.expand_dims(x, tf.placeholder_with_default(0, [])),
    "gather along an open axis": lambda tf, x: tf.gather(x, [0], axis=tf.placeholder_with_default(0, [])),
    "sum over open axes": lambda tf, x: tf.reduce_sum(x, tf.placeholder_with_default([0], [1]), keepdims=True),
    "argmax along an open axis": lambda tf, x: tf.argmax(x, tf.placeholder_with_default(1, [])),
    "concat along an open axis": lambda tf, x: tf.concat([x, x], tf.placeholder_with_default(0, [])),
    "split along an open axis": lambda tf, x: tf.split(x, 2, tf.placeholder_with_default(0, [])),
    "pad by an open table": lambda tf, x: tf.pad(x, tf.placeholder_with_default([[0, 0], [0, 1]], [2, 2])),
    "slice from an open begin": lambda tf, x: tf.slice(x, tf.placeholder_with_default([0, 1], [2]), [2, -1]),
    "slice with an open part": lambda tf, x: tf.slice(x, [0, tf.placeholder_with_default(1, [])], [2, -1]),
    "one_hot of an open depth": lambda tf, x: tf.one_hot(tf.cast(x, tf.int32), tf.placeholder_with_default(3, [])),
    "top_k of an open number": lambda tf, x: tf.nn.top_k(x, tf.placeholder_with_default(2, []))[0],
    "fill of open sizes": lambda tf, x: tf.fill(tf.placeholder_with_default([2, 3], [2]), 1.0),
    "where with a vector": lambda tf, x: tf.where(tf.placeholder_with_default([True, False], [None]), x, x),
    "argmax": lambda tf, x: tf.argmax(x, 1),
    "placeholder's open size": lambda tf, x: tf.reshape(tf.placeholder_with_default(x, None), [-1, 12]),
}
for label, call in CHAINS.items():
    form("shape", label, call, PARTLY)
    form("shape", f"{label}, open batch", lambda tf, x, call=call: call(tf, open_batch(tf, x)), PARTLY)

case("reshape", "partly known, cannot be", lambda tf, p: tf.reshape(p, [5, 5]), before=lambda tf: tf.placeholder(tf.float32, [2, None]))
case("reshape", "of nothing", lambda tf, p: tf.reshape(p, [3, 5]), before=lambda tf: tf.placeholder(tf.float32, [0, None]))

# -- old argument names --------------------------------------------------------------------------------------------

form("squeeze", "squeeze_dims", lambda tf, x: tf.squeeze(x, squeeze_dims=[0]), A[:1])
form("expand_dims", "dim", lambda tf, x: tf.expand_dims(x, dim=1), A)
case("expand_dims", "axis and dim", lambda tf, x: tf.expand_dims(x, axis=1, dim=1), A)
case("squeeze", "axis and squeeze_dims", lambda tf, x: tf.squeeze(x, axis=0, squeeze_dims=[0]), A[:1])
for symbol in ("reduce_sum", "reduce_mean", "reduce_max", "reduce_min", "reduce_prod", "reduce_logsumexp"):
    f = named(symbol)
    form(symbol, "old names", lambda tf, x, f=f: f(tf, x, reduction_indices=[1], keep_dims=True), A)
    case(symbol, "axis and reduction_indices", lambda tf, x, f=f: f(tf, x, axis=1, reduction_indices=1), A)
    case(symbol, "keepdims and keep_dims", lambda tf, x, f=f: f(tf, x, 1, keepdims=True, keep_dims=True), A)
for symbol in ("reduce_all", "reduce_any"):
    f = named(symbol)
    form(symbol, "old names", lambda tf, x, f=f: f(tf, x, reduction_indices=[1], keep_dims=True), A > 2)
for symbol in ("argmax", "argmin"):
    form(symbol, "dimension", lambda tf, x, symbol=symbol: named(symbol)(tf, x, dimension=1), A)
    case(symbol, "axis and dimension", lambda tf, x, symbol=symbol: named(symbol)(tf, x, axis=1, dimension=1), A)
for symbol in ("arg_max", "arg_min"):
    form(symbol, "dimension", lambda tf, x, symbol=symbol: named(symbol)(tf, x, dimension=1), A)
form("count_nonzero", "old names", lambda tf, x: tf.count_nonzero(x, reduction_indices=[1], keep_dims=True), A)
case("eye", "size of a shape", lambda tf, x: tf.eye(tf.shape(x)[1]), PARTLY, shapes=True)
case("eye", "batch of a shape", lambda tf, x: tf.eye(3, batch_shape=[tf.shape(x)[0]]), PARTLY, shapes=True)
case("nn.softmax", "dim", lambda tf, x: tf.nn.softmax(x, dim=0), A, nodes=True)
case("nn.log_softmax", "dim", lambda tf, x: tf.nn.log_softmax(x, dim=0), A, nodes=True)
case("concat", "concat_dim", lambda tf, x: tf.concat(concat_dim=0, values=[x, x]), A)
case("split", "split_dim", lambda tf, x: tf.split(split_dim=0, num_split=2, value=x), A)
