"""Rows of the op table: embedding lookups in one table or in parts, of dense and of sparse ids, and their gradients."""

import numpy as np
from cases import FLOATS, INTS, case, form, named

E = np.array([[0.5, -1.5], [3.0, 0.25], [-0.5, 1.0], [2.0, -2.0], [0.0, 4.0]], np.float32)
A, B = E[:3].copy(), E[3:].copy()
IDS = np.array([[1, 4, 0], [2, 1, 1]], np.int32)
LOOKUP, SPARSE, SAFE = "nn.embedding_lookup", "nn.embedding_lookup_sparse", "nn.safe_embedding_lookup_sparse"

# -- dense ids -----------------------------------------------------------------------------------------------------

for kind in FLOATS:
    case(LOOKUP, kind, named(LOOKUP), E.astype(kind), IDS)
    case(LOOKUP, f"{kind} max_norm", lambda tf, e, i: tf.nn.embedding_lookup(e, i, max_norm=1.5), E.astype(kind), IDS)
for kind in INTS:
    form(LOOKUP, f"{kind} ids", lambda tf, e, i: tf.nn.embedding_lookup(e, i, name="mine"), E, IDS.astype(kind))
    for how in ("mod", "div"):
        case(LOOKUP, f"{kind} ids, {how}", lambda tf, a, b, i, how=how: tf.nn.embedding_lookup([a, b], i, how), A, B, IDS.astype(kind))
case(LOOKUP, "max_norm of a matrix of ids", lambda tf, e, i: tf.nn.embedding_lookup(e, i, max_norm=2.0), E, IDS)
form(LOOKUP, "max_norm", lambda tf, e, i: tf.nn.embedding_lookup(e, i, max_norm=2.0), E, IDS)
for how in ("mod", "div"):
    form(LOOKUP, f"parts, {how}", lambda tf, a, b, i, how=how: tf.nn.embedding_lookup([a, b], i, how, name="mine"), A, B, IDS)
    form(LOOKUP, f"three parts, {how}", lambda tf, a, b, c, i, how=how: tf.nn.embedding_lookup([a, b, c], i, how, max_norm=1.5), E[:2].copy(), E[2:4].copy(), E[4:].copy(), IDS)
    case(LOOKUP, f"no ids, {how}", lambda tf, a, b, i, how=how: tf.nn.embedding_lookup([a, b], i, how), A, B, IDS[:, :0].copy())
    case(LOOKUP, f"a single id, {how}", lambda tf, a, b, i, how=how: tf.nn.embedding_lookup([a, b], i, how), A, B, np.int32(3))
form(LOOKUP, "rows of rank 2", lambda tf, e, i: tf.nn.embedding_lookup(e, i, max_norm=1.0), E.reshape(5, 2, 1), IDS)
form(LOOKUP, "rows of rank 0", lambda tf, a, b, i: tf.nn.embedding_lookup([a, b], i), A[:, 0].copy(), B[:, 0].copy(), IDS)
case(LOOKUP, "beyond the parts", lambda tf, a, b, i: tf.nn.embedding_lookup([a, b], i), A, B, np.array([1, 7]))
case(LOOKUP, "below the parts", lambda tf, a, b, i: tf.nn.embedding_lookup([a, b], i), A, B, np.array([1, -2]))
case(LOOKUP, "no ids", named(LOOKUP), E, IDS[:0])
case(LOOKUP, "beyond", named(LOOKUP), E, np.array([[0, 5]], np.int32))
case(LOOKUP, "below", named(LOOKUP), E, np.array(-1))
case(LOOKUP, "float ids", named(LOOKUP), E, E[0])
case(LOOKUP, "a scalar table", named(LOOKUP), E[0, 0], IDS)
case(LOOKUP, "no table", lambda tf, i: tf.nn.embedding_lookup(None, i), IDS)
case(LOOKUP, "no parts", lambda tf, i: tf.nn.embedding_lookup([], i), IDS)
case(LOOKUP, "unknown strategy", lambda tf, a, b, i: tf.nn.embedding_lookup([a, b], i, "none"), A, B, IDS)
case(LOOKUP, "parts of different widths", lambda tf, a, b, i: tf.nn.embedding_lookup([a, b], i), A, B[:, :1].copy(), IDS)

# -- sparse ids ----------------------------------------------------------------------------------------------------

COORDINATES = np.array([[0, 0], [0, 2], [2, 0], [2, 1], [2, 3]])
VALUES = np.array([1, 4, 0, 1, 1])
WEIGHTS = np.array([1.0, 0.5, 2.0, -1.0, 0.25], np.float32)


SHAPE = np.array([4, 4])


def looked_up(symbol, is_weighted=True, parts=1, **options):
    """A row's call: the parts of the table, then coordinates, ids and shape, and the weights if there are any."""

    def call(tf, *tensors):
        tables, (coordinates, values, shape, *weights) = list(tensors[:parts]), tensors[parts:]
        ids = tf.SparseTensor(coordinates, values, shape)
        weights = tf.SparseTensor(coordinates, weights[0], shape) if is_weighted else None
        return named(symbol)(tf, tables if parts > 1 or symbol == SAFE else tables[0], ids, weights, **options)

    return call


for combiner in ("sum", "mean", "sqrtn"):
    for kind in FLOATS:
        case(SPARSE, f"{combiner} {kind}", looked_up(SPARSE, combiner=combiner), E.astype(kind), COORDINATES, VALUES, SHAPE, WEIGHTS)
    form(SPARSE, combiner, looked_up(SPARSE, False, combiner=combiner), E, COORDINATES, VALUES, SHAPE)
    form(SPARSE, f"weighted {combiner}", looked_up(SPARSE, combiner=combiner, name="mine"), E, COORDINATES, VALUES, SHAPE, WEIGHTS)
    form(SPARSE, f"{combiner} with max_norm", looked_up(SPARSE, combiner=combiner, max_norm=1.0), E, COORDINATES, VALUES.astype(np.int32), SHAPE, WEIGHTS.astype(np.float64))
    case(SPARSE, f"{combiner} of no ids", looked_up(SPARSE, combiner=combiner), E, COORDINATES[:0], VALUES[:0], SHAPE, WEIGHTS[:0])
for how in ("mod", "div"):
    form(SPARSE, f"parts, {how}", looked_up(SPARSE, parts=2, partition_strategy=how, combiner="sum"), A, B, COORDINATES, VALUES, SHAPE, WEIGHTS)
form(SPARSE, "rows of rank 2", looked_up(SPARSE, combiner="mean"), E.reshape(5, 2, 1), COORDINATES, VALUES, SHAPE, WEIGHTS)
case(SPARSE, "default combiner", looked_up(SPARSE), E, COORDINATES, VALUES, SHAPE, WEIGHTS)
case(SPARSE, "unknown combiner", looked_up(SPARSE, combiner="max"), E, COORDINATES, VALUES, SHAPE, WEIGHTS)
case(SPARSE, "beyond", looked_up(SPARSE, combiner="sum"), E, COORDINATES, VALUES + 1, SHAPE, WEIGHTS)
case(SPARSE, "fewer weights", lambda tf, e, c, v, s, d, w: tf.nn.embedding_lookup_sparse(e, tf.SparseTensor(c, v, s), tf.SparseTensor(d, w, s), combiner="sum"), E, COORDINATES, VALUES, SHAPE, COORDINATES[:4].copy(), WEIGHTS[:4].copy())
case(SPARSE, "dense ids", lambda tf, e, v: tf.nn.embedding_lookup_sparse(e, v, None, combiner="sum"), E, VALUES)
case(SPARSE, "dense weights", lambda tf, e, c, v, s, w: tf.nn.embedding_lookup_sparse(e, tf.SparseTensor(c, v, s), w, combiner="sum"), E, COORDINATES, VALUES, SHAPE, WEIGHTS)

# -- rows that may be empty ----------------------------------------------------------------------------------------

SIGNED = np.array([1, -4, 0, 1, -1])
for combiner in ("sum", "mean", "sqrtn"):
    form(SAFE, combiner, looked_up(SAFE, False, combiner=combiner), E, COORDINATES, SIGNED, SHAPE)
    form(SAFE, f"weighted {combiner}", looked_up(SAFE, combiner=combiner, name="mine"), E, COORDINATES, SIGNED, SHAPE, WEIGHTS)
    form(SAFE, f"{combiner} with a default row", looked_up(SAFE, combiner=combiner, default_id=3, max_norm=2.0), E, COORDINATES, SIGNED, SHAPE, WEIGHTS)
    case(SAFE, f"{combiner} of no ids", looked_up(SAFE, combiner=combiner), E, COORDINATES[:0], SIGNED[:0], SHAPE, WEIGHTS[:0])
for how in ("mod", "div"):
    form(SAFE, f"parts, {how}", looked_up(SAFE, parts=2, partition_strategy=how), A, B, COORDINATES, SIGNED, SHAPE, WEIGHTS)
form(SAFE, "rank 3", looked_up(SAFE), E, np.array([[0, 0, 0], [0, 2, 3], [1, 1, 1]]), SIGNED[:3].copy(), np.array([2, 3, 4]), WEIGHTS[:3].copy())
form(SAFE, "rank 1", looked_up(SAFE), E, np.array([[0], [2], [5]]), SIGNED[:3].copy(), np.array([6]), WEIGHTS[:3].copy())
case(SAFE, "nothing positive", looked_up(SAFE), E, COORDINATES, SIGNED, SHAPE, -abs(WEIGHTS))
case(SAFE, "weights of another dtype", looked_up(SAFE), E, COORDINATES, SIGNED, SHAPE, WEIGHTS.astype(np.float64))
case(SAFE, "no table", lambda tf, c, v, s: tf.nn.safe_embedding_lookup_sparse(None, tf.SparseTensor(c, v, s)), COORDINATES, SIGNED, SHAPE)
case(SAFE, "no parts", lambda tf, c, v, s: tf.nn.safe_embedding_lookup_sparse([], tf.SparseTensor(c, v, s)), COORDINATES, SIGNED, SHAPE)
case(SAFE, "unknown combiner", looked_up(SAFE, combiner="max"), E, COORDINATES, SIGNED, SHAPE, WEIGHTS)

# -- gradients -----------------------------------------------------------------------------------------------------


def slope(call, of=(0,)):
    """The gradients of a call's squared result for the inputs of these positions; slices as (values, indices)."""

    def gradients(tf, *tensors):
        found = tf.gradients(call(tf, *tensors) ** 2, [tensors[i] for i in of])
        parts = [[g] if isinstance(g, tf.Tensor) else [g.values, g.indices] for g in found]
        return [part for group in parts for part in group]

    return gradients


def second_slope(call):
    """The gradient of the sum of a gradient's squares: of the second order."""

    def gradients(tf, *tensors):
        (first,) = tf.gradients(call(tf, *tensors) ** 3, [tensors[0]])
        (second,) = tf.gradients(tf.convert_to_tensor(first) ** 2, [tensors[0]])
        return tf.convert_to_tensor(second)

    return gradients


case(LOOKUP, "gradient", slope(named(LOOKUP)), E, IDS)
case(LOOKUP, "second gradient", second_slope(named(LOOKUP)), E, IDS)
case(LOOKUP, "gradient with max_norm", slope(lambda tf, e, i: tf.nn.embedding_lookup(e, i, max_norm=2.0)), E, IDS)
for how in ("mod", "div"):
    case(LOOKUP, f"gradient of parts, {how}", slope(lambda tf, a, b, i, how=how: tf.nn.embedding_lookup([a, b], i, how), (0, 1)), A, B, IDS)
    case(LOOKUP, f"second gradient of parts, {how}", second_slope(lambda tf, a, b, i, how=how: tf.nn.embedding_lookup([a, b], i, how)), A, B, IDS)
FULL = np.array([[0, 0], [0, 2], [1, 0], [2, 1], [2, 3]])
for combiner in ("sum", "mean", "sqrtn"):
    case(SPARSE, f"gradient of {combiner}", slope(looked_up(SPARSE, False, combiner=combiner)), E, FULL, VALUES, SHAPE)
    case(SPARSE, f"gradient of weighted {combiner}", slope(looked_up(SPARSE, combiner=combiner), (0, 4)), E, FULL, VALUES, SHAPE, WEIGHTS)
    case(SPARSE, f"second gradient of weighted {combiner}", second_slope(looked_up(SPARSE, combiner=combiner)), E, FULL, VALUES, SHAPE, WEIGHTS)
    case(SAFE, f"gradient of {combiner}", slope(looked_up(SAFE, combiner=combiner)), E, COORDINATES, SIGNED, SHAPE, WEIGHTS)
