"""Rows of the op table: writing parts of variables of both kinds, reading rows of a resource, temporary variables."""

from typing import Any

import numpy as np
from cases import case, form, named
from harness import raw

V = np.arange(12).reshape(4, 3).astype(np.float32)
ROWS = np.array([[1, 2, 3], [4, 5, 6]], np.float32)
TWICE = np.array([1, 1], np.int32)
KINDS = {"ref": False, "resource": True}


def variable(resource: bool, value: Any) -> Any:
    """What a row needs first."""
    return lambda tf: tf.Variable(value, use_resource=resource, name="v")


def on(f: Any) -> Any:
    """A call that does f to a variable that the very run initializes."""

    def call(tf: Any, v: Any, *tensors: Any) -> Any:
        with tf.control_dependencies([v.initializer]):
            return f(tf, v, *tensors)

    return call


def rows(symbol: str, label: str, value: Any, indices: Any, updates: Any, *, formed: bool = False, **given: Any) -> None:
    """A row for each kind of variable."""
    for kind, resource in KINDS.items():
        (form if formed else case)(
            symbol,
            f"{kind}, {label}",
            on(lambda tf, v, i, u: named(symbol)(tf, v, i, u, **given)),
            indices,
            updates,
            before=variable(resource, value),
        )


def literal(symbol: str, label: str, value: Any, f: Any, **options: Any) -> None:
    """A row for each kind of variable, of a call with literals."""
    for kind, resource in KINDS.items():
        case(
            symbol,
            f"{kind}, {label}",
            on(f),
            before=variable(resource, value),
            **options,
        )


NAMES = ["update", "add", "sub", "mul", "div", "min", "max"]
for name in NAMES:
    symbol = f"scatter_{name}"
    f = named(symbol)
    rows(symbol, "form", V, TWICE, ROWS, formed=True)
    rows(symbol, "one number for all", V, TWICE, np.float32(2), formed=True)
    rows(symbol, "one row", V, np.int32(2), ROWS[0])
    rows(symbol, "indices of rank 2", V, np.array([[0, 3]]), ROWS[None])
    rows(symbol, "no rows", V, np.zeros(0, np.int32), np.zeros((0, 3), np.float32))
    rows(symbol, "index too large", V, np.array([0, 4], np.int32), ROWS)
    rows(symbol, "negative index", V, np.array([[0], [-1]]), ROWS[:, None])
    rows(symbol, "scalar index too large", V, np.int32(9), ROWS[0])
    rows(symbol, "int32", np.array([7, -7, 5], np.int32), np.array([0, 1], np.int32), np.array([2, 2], np.int32))
    rows(symbol, "float16", V.astype(np.float16), TWICE, ROWS.astype(np.float16))
    literal(symbol, "literals", V, lambda tf, v, f=f: f(tf, v, [1, 1], ROWS.tolist(), name="mine"), nodes=True)
    literal(symbol, "rows of another length", V, lambda tf, v, f=f: f(tf, v, [1, 1], [[1.0, 2.0], [3.0, 4.0]]))
    literal(symbol, "rows of another rank", V, lambda tf, v, f=f: f(tf, v, [1, 1], [1.0]))
    literal(symbol, "float indices", V, lambda tf, v, f=f: f(tf, v, [1.0, 1.0], ROWS.tolist()))
    rows(symbol, "another dtype", V, TWICE, ROWS.astype(np.float64))
    literal(symbol, "bool", [True, False], lambda tf, v, f=f: f(tf, v, [0], [False]))
    literal(symbol, "strings", ["a", "b"], lambda tf, v, f=f: f(tf, v, [0], ["zz"]))
    case(symbol, "of a constant", lambda tf, c, f=f: f(tf, c, [0], [1.0]), before=lambda tf: tf.constant([1.0]))
    for kind, resource in KINDS.items():
        case(
            symbol,
            f"{kind}, not initialized",
            lambda tf, v, f=f: f(tf, v, [0], [[1.0] * 3]),
            before=variable(resource, V),
        )
case(
    "scatter_add",
    "ref, shapes that only the run knows",
    on(
        lambda tf, v, i, u: tf.scatter_add(
            v, tf.placeholder_with_default(i, None), tf.placeholder_with_default(u, None)
        )
    ),
    TWICE,
    ROWS[:, :2],
    before=variable(False, V),
)
literal("scatter_add", "a scalar variable", 1.0, lambda tf, v: tf.scatter_add(v, 0, 1.0))
literal(
    "scatter_max",
    "uint8",
    np.array([1, 2], np.uint8),
    lambda tf, v: tf.scatter_max(v, [0], np.array([3], np.uint8)),
)

ELEMENTS = np.array([[1, 1], [1, 1], [0, 0]], np.int32)
THREE = np.array([1, 2, 3], np.float32)
for name in ["update", "add", "sub"]:
    symbol = f"scatter_nd_{name}"
    f = named(symbol)
    rows(symbol, "rows", V, np.array([[1], [1]], np.int32), ROWS, formed=True)
    rows(symbol, "elements", V, ELEMENTS, THREE, formed=True)
    rows(symbol, "rows of no length", np.zeros((4, 0), np.float32), np.array([[1]], np.int32), np.zeros((1, 0), np.float32))
    rows(symbol, "a variable of no rows", np.zeros((0, 3), np.float32), np.array([[1]], np.int32), np.zeros((1, 3), np.float32))
    rows(symbol, "one index", V, np.array([1], np.int32), ROWS[0])
    rows(symbol, "one index of one update", np.arange(3, dtype=np.float32), np.array([1], np.int32), np.ones(1, np.float32))
    rows(symbol, "the whole", V, np.zeros((1, 0), np.int32), V[None])
    rows(symbol, "batch of indices", V, ELEMENTS[None], THREE[None])
    rows(symbol, "nothing", V, np.zeros((0, 1), np.int32), np.zeros((0, 3), np.float32))
    rows(symbol, "index too large", V, np.array([[1, 1], [1, 5], [0, 0]]), THREE)
    rows(symbol, "negative index in a batch", V, np.array([[[1, 1], [0, -1]]]), THREE[None, :2])
    literal(symbol, "literals", V, lambda tf, v, f=f: f(tf, v, ELEMENTS.tolist(), [1.0, 2.0, 3.0], name="mine"), nodes=True)
    literal(symbol, "fewer updates", V, lambda tf, v, f=f: f(tf, v, ELEMENTS.tolist(), [1.0, 2.0]))
    literal(symbol, "index too deep", V, lambda tf, v, f=f: f(tf, v, [[1, 1, 1]], [1.0]))
    literal(symbol, "index of rank 0", V, lambda tf, v, f=f: f(tf, v, 1, [1.0, 2.0, 3.0]))
    literal(symbol, "rows too long", V, lambda tf, v, f=f: f(tf, v, [[1]], [[1.0, 2.0, 3.0, 4.0]]))
    for kind, resource in KINDS.items():
        case(
            symbol,
            f"{kind}, fewer updates than only the run knows",
            on(
                lambda tf, v, i, u, f=f: f(
                    tf, v, tf.placeholder_with_default(i, None), tf.placeholder_with_default(u, None)
                )
            ),
            ELEMENTS,
            THREE[:2],
            before=variable(resource, V),
        )
        case(
            symbol,
            f"{kind}, rows too long that only the run knows",
            on(
                lambda tf, v, i, u, f=f: f(
                    tf, v, tf.placeholder_with_default(i, None), tf.placeholder_with_default(u, None)
                )
            ),
            np.array([[1]], np.int32),
            np.ones((1, 4), np.float32),
            before=variable(resource, V),
        )

BATCH = np.zeros((2, 3, 2), np.float32)
PAIRS = np.arange(8, dtype=np.float32).reshape(2, 2, 2)
literal(
    "batch_scatter_update", "form", BATCH, lambda tf, v: tf.batch_scatter_update(v, [[0, 1], [2, 0]], PAIRS), nodes=True
)
literal(
    "batch_scatter_update",
    "int64",
    BATCH,
    lambda tf, v: tf.batch_scatter_update(v, np.array([[0, 1], [2, 0]]), PAIRS, name="mine"),
    nodes=True,
)
literal(
    "batch_scatter_update",
    "a larger batch",
    BATCH,
    lambda tf, v: tf.batch_scatter_update(v, [[0, 1], [2, 0], [1, 1]], np.ones((3, 2, 2), np.float32)),
)

# what variables offer
for name in [*NAMES, "nd_update", "nd_add", "nd_sub"]:
    if name.startswith("nd"):
        literal(
            "Variable",
            f"scatter_{name}",
            V,
            lambda tf, v, name=name: getattr(v, f"scatter_{name}")([[1]], [[1.0, 2.0, 3.0]]),
            nodes=True,
        )
    else:
        literal(
            "Variable",
            f"scatter_{name}",
            V,
            lambda tf, v, name=name: getattr(v, f"scatter_{name}")(
                tf.IndexedSlices(tf.constant([[1.0, 2.0, 3.0]]), tf.constant([1]))
            ),
            nodes=True,
        )
literal(
    "Variable",
    "batch_scatter_update",
    BATCH,
    lambda tf, v: v.batch_scatter_update(tf.IndexedSlices(tf.constant(PAIRS), tf.constant([[0, 1], [2, 0]]))),
    nodes=True,
)
literal("Variable", "scatter_add of no slices", V, lambda tf, v: v.scatter_add(3.0))
case("Variable", "sparse_read", on(lambda tf, v: v.sparse_read([3, 0])), before=variable(True, V), nodes=True)
case(
    "Variable",
    "sparse_read with a name",
    on(lambda tf, v: v.sparse_read([[3]], name="mine")),
    before=variable(True, V),
    nodes=True,
)
case("Variable", "sparse_read too large", on(lambda tf, v: v.sparse_read([0, 9])), before=variable(True, V))
case("Variable", "sparse_read of a scalar", on(lambda tf, v: v.sparse_read([0])), before=variable(True, 1.0))
case("Variable", "gather_nd", on(lambda tf, v: v.gather_nd([[1, 0]])), before=variable(True, V), nodes=True)
case("Variable", "gather_nd too large", on(lambda tf, v: v.gather_nd([[1, 9]])), before=variable(True, V))
case("Variable", "gather_nd too deep", on(lambda tf, v: v.gather_nd([[1, 0, 0]])), before=variable(True, V))
for label, pick in {
    "of a resource": lambda tf, v: tf.gather(v, [1, 0]),
    "of a resource, axis 1": lambda tf, v: tf.gather(v, [1, 0], axis=1),
}.items():
    case("gather", label, on(pick), before=variable(True, V), nodes=True)
case("gather_nd", "of a resource", on(lambda tf, v: tf.gather_nd(v, [[1, 0]])), before=variable(True, V), nodes=True)

SLICES: dict[str, Any] = {
    "one row": (lambda v: v[1], [9.0, 9.0, 9.0]),
    "rows": (lambda v: v[1:3], [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]),
    "a row for all": (lambda v: v[1:3], [9.0, 9.0, 9.0]),
    "one number for all": (lambda v: v[1:3], 5.0),
    "backwards": (lambda v: v[::-2, :1], [[1.0], [2.0]]),
    "a new axis": (lambda v: v[1, ..., None], [[1.0], [2.0], [3.0]]),
    "an element": (lambda v: v[1, 2], 9.0),
    "ints": (lambda v: v[1], [1, 2, 3]),
    "nothing": (lambda v: v[2:2], np.zeros((0, 3), np.float32)),
    "too short": (lambda v: v[1:3], [[1.0, 2.0], [3.0, 4.0]]),
    "too many": (lambda v: v[1:3], np.ones((3, 3), np.float32)),
}
for label, (part, value) in SLICES.items():
    literal(
        "Variable", f"assign to {label}", V, lambda tf, v, part=part, value=value: part(v).assign(value), nodes=True
    )
literal("Variable", "assign to a part with a name", V, lambda tf, v: v[1].assign([1.0, 2.0, 3.0], name="mine"), nodes=True)
literal(
    "Variable",
    "assign to a row that only the run knows",
    V,
    lambda tf, v: v[tf.placeholder_with_default(9, [])].assign([1.0] * 3),
)
literal("Variable", "assign to a new axis of a scalar", 1.0, lambda tf, v: v[None].assign([2.0]), nodes=True)
literal(
    "strided_slice",
    "of a variable, assigned",
    V,
    lambda tf, v: tf.strided_slice(v, [1], [2], [1], name="part", var=v).assign([[1.0, 2.0, 3.0]]),
    nodes=True,
)

# ops without a public function
def temporary(tf: Any, var_name: str = "t") -> Any:
    """A temporary variable that is set, added to, and read for the last time."""
    ref = raw(tf, "TemporaryVariable", shape=[2], dtype=tf.float32, var_name=var_name)
    ref = tf.assign_add(tf.assign(ref, [1.0, 2.0]), [1.0, 1.0])
    return raw(tf, "DestroyTemporaryVariable", ref=ref, var_name="t")


case("raw_ops.TemporaryVariable", "read at the end", temporary, nodes=True)
case(
    "raw_ops.ScatterNdNonAliasingAdd",
    "form",
    lambda tf, x, i, u: raw(tf, "ScatterNdNonAliasingAdd", input=x, indices=i, updates=u),
    V, ELEMENTS, THREE, nodes=True, shapes=True,
)  # fmt: skip

# into zeros and into a copy
for symbol, f in {
    "tensor_scatter_nd_update": named("tensor_scatter_nd_update"),
    "tensor_scatter_nd_add": named("tensor_scatter_nd_add"),
    "scatter_nd": lambda tf, x, i, u: tf.scatter_nd(i, u, tf.shape(x)),
    "raw_ops.ScatterNdNonAliasingAdd": lambda tf, x, i, u: raw(
        tf, "ScatterNdNonAliasingAdd", input=x, indices=i, updates=u
    ),
}.items():
    WRONG: dict[str, tuple[Any, Any]] = {
        "too few updates": (ELEMENTS, THREE[:2]),
        "too few updates in a batch": (ELEMENTS[None], THREE[None, :2]),
        "rows too long": (np.array([[1]], np.int32), np.ones((1, 4), np.float32)),
        "index too deep": (np.array([[1, 1, 1]], np.int32), THREE[:1]),
        "rows of a higher rank": (np.array([[1]], np.int32), THREE[None, None]),
        "an index of no length": (np.zeros((1, 0), np.int32), V[None]),
        "index too large": (np.array([[1, 7]], np.int32), THREE[:1]),
        "index too large in a batch": (np.array([[[1, 2], [1, 7]]], np.int32), THREE[None, :2]),
    }
    if "NonAliasing" not in symbol:
        # There the oracle reads past the end of the shape.
        WRONG |= {"index of rank 0": (np.int32(1), THREE), "updates of rank 0": (np.array([[1]], np.int32), np.float32(1))}
    for label, (indices, updates) in WRONG.items():
        case(
            symbol,
            f"only the run knows: {label}",
            lambda tf, x, i, u, f=f: f(tf, *[tf.placeholder_with_default(t, None) for t in (x, i, u)]),
            V,
            indices,
            updates,
        )
for label, sizes in {"no sizes": [], "no rows": [0], "negative": [-3], "rank 2": [[3]]}.items():
    case(
        "scatter_nd",
        f"only the run knows: {label}",
        lambda tf, i, u, s: tf.scatter_nd(i, u, tf.placeholder_with_default(s, None)),
        np.array([[1]], np.int32),
        THREE[:1],
        np.array(sizes, np.int32),
    )
    case("scatter_nd", label, lambda tf, sizes=sizes: tf.scatter_nd([[1]], [1.0], np.array(sizes, np.int32)))
for symbol in ("tensor_scatter_nd_update", "tensor_scatter_nd_add", "tensor_scatter_nd_sub"):
    f = named(symbol)
    case(symbol, "too few updates", lambda tf, f=f: f(tf, V, ELEMENTS.tolist(), [1.0, 2.0]))
    case(symbol, "rows too long", lambda tf, f=f: f(tf, V, [[1]], [[1.0, 2.0, 3.0, 4.0]]))
    case(symbol, "index too deep", lambda tf, f=f: f(tf, V, [[1, 1, 1]], [1.0]))
    case(symbol, "index of rank 0", lambda tf, f=f: f(tf, V, 1, [1.0, 2.0, 3.0]))
    case(symbol, "negative index in a batch", f, V, np.array([[[1, 1], [0, -1]]], np.int32), THREE[None, :2])
case("scatter_nd", "too few updates", lambda tf: tf.scatter_nd([[1], [0]], [1.0], [4]))
case("scatter_nd", "rows too long", lambda tf: tf.scatter_nd([[1]], [[1.0, 2.0]], [4, 1]))
case("scatter_nd", "strings", lambda tf: tf.scatter_nd([[1], [3]], ["a", "b"], [4]))

# values that stay in the session
HANDLE = np.array(b"x;0;/job:localhost/replica:0/task:0/device:CPU:0", object)
form("get_session_handle", "form", lambda tf, x: tf.get_session_handle(x, name="mine"), V)
case("get_session_handle", "strings", named("get_session_handle"), np.array([b"a"], object), nodes=True)
case("get_session_handle", "no tensor", lambda tf: tf.get_session_handle([1.0]))
for symbol in ("get_session_tensor", "delete_session_tensor"):
    more = (np.float32,) if symbol == "get_session_tensor" else ()
    case(
        symbol,
        "nothing fed",
        lambda tf, symbol=symbol, more=more: named(symbol)(tf, HANDLE.item().decode(), *more, name="mine")[0],
        nodes=True,
    )
    case(symbol, "no handle", lambda tf, symbol=symbol, more=more: named(symbol)(tf, "no handle", *more))
case("raw_ops.GetSessionTensor", "unknown", lambda tf, h: raw(tf, "GetSessionTensor", handle=h, dtype=tf.float32), HANDLE, nodes=True, shapes=True)  # fmt: skip
case("raw_ops.GetSessionTensor", "rank 1", lambda tf, h: raw(tf, "GetSessionTensor", handle=h, dtype=tf.float32), HANDLE[None])
case("raw_ops.GetSessionTensor", "numbers", lambda tf, h: raw(tf, "GetSessionTensor", handle=h, dtype=tf.float32), np.float32(1))
case("raw_ops.GetSessionHandleV2", "form", lambda tf, x: tf.shape(raw(tf, "GetSessionHandleV2", value=x)), V, nodes=True, shapes=True)  # fmt: skip


def after_deletion(tf: Any, handle: Any) -> Any:
    """Something that runs after a kept value was let go."""
    with tf.control_dependencies([raw(tf, "DeleteSessionTensor", handle=handle)]):
        return tf.constant(1.0)


case("raw_ops.DeleteSessionTensor", "unknown", after_deletion, HANDLE, nodes=True, shapes=True)
case("raw_ops.DeleteSessionTensor", "rank 1", after_deletion, HANDLE[None])
