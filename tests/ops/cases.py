"""One row an op: a public function on sample inputs; what the oracle gave is in tests/golden/ops.json.

``CASES`` maps "symbol/what is special" to a Case; ``run(case, tf)`` gives the JSON of one case under the oracle or tfedu;
``REQUIRED`` names the symbols that tfedu must have (tests/golden/op_symbols.csv: the used symbols of the families).
"""

import csv
import json
import pathlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from harness import Failure, attempt, attr_text, encode, node_line, shape_text

SYMBOLS = pathlib.Path(__file__).resolve().parents[1] / "golden" / "op_symbols.csv"
with SYMBOLS.open(encoding="utf-8", newline="") as rows:
    REQUIRED = {row["symbol"]: row["family"] for row in csv.DictReader(rows)}

REGISTRY = json.loads((SYMBOLS.parent / "op_registry.json").read_text(encoding="utf-8"))["ops"]

FLOATS = ("float16", "float32", "float64")
INTS = ("int32", "int64")
SMALL_INTS = ("uint8", "int8", "int16")
REALS = FLOATS + INTS
nan, inf = float("nan"), float("inf")


@dataclass(frozen=True)
class Case:
    """A call of one public function.

    ``call(tf, *tensors)`` gets one tensor for each of ``inputs``; ``nodes``: the built nodes are compared too; ``shapes``:
    it is also built with partly known and unknown input shapes and with constants, and the static shapes are compared;
    ``ulps``: how many units in the last place floats may differ by (default: the tolerance of harness.differences).
    """

    symbol: str
    call: Callable[..., Any]
    inputs: tuple[Any, ...] = ()
    nodes: bool = False
    shapes: bool = False
    ulps: int | None = None


CASES: dict[str, Case] = {}


def case(symbol: str, label: str, call: Callable[..., Any], *inputs: Any, **options: Any) -> None:
    """Adds one row."""
    key = f"{symbol}/{label}"
    assert key not in CASES, key
    CASES[key] = Case("tf." + symbol, call, tuple(np.asarray(i) for i in inputs), **options)


def form(symbol: str, label: str, call: Callable[..., Any], *inputs: Any, **options: Any) -> None:
    """A row that compares nodes and static shapes too."""
    case(symbol, label, call, *inputs, nodes=True, shapes=True, **options)


def named(symbol: str) -> Callable[..., Any]:
    """The public function: tf.nn.relu for "nn.relu"."""

    def call(tf: Any, *args: Any, **kwargs: Any) -> Any:
        target = tf
        for part in symbol.split("."):
            target = getattr(target, part)
        return target(*args, **kwargs)

    return call


def run(c: Case, tf: Any) -> dict[str, Any]:
    """Values, and where the case asks for them nodes and static shapes."""
    result: dict[str, Any] = {}
    with tf.Graph().as_default() as graph:
        fed = [
            tf.placeholder(
                i.dtype.name if i.dtype.kind not in "SUO" else tf.string, i.shape, name="abcdefgh"[n]
            )
            for n, i in enumerate(c.inputs)
        ]
        built = attempt(lambda: c.call(tf, *fed))
        if isinstance(built, Failure):
            return {"build": encode(tf, built)}
        outputs = list(built) if isinstance(built, (list, tuple)) else [built]
        result["static"] = [f"{t.dtype.name} {shape_text(t.shape)}" for t in outputs]
        if c.nodes:
            result["nodes"] = [node_line(op) for op in graph.get_operations()[len(fed) :]]
            result["names"] = [t.name for t in outputs]
            result["attrs"] = {
                op.name: attributes_of(op)
                for op in graph.get_operations()
                if op.type not in ("Const", "Placeholder")
            }
        with tf.Session() as sess:
            values = attempt(lambda: sess.run(outputs, dict(zip(fed, c.inputs, strict=True))))
        result["values"] = encode(tf, values)
    if c.shapes and c.inputs:
        result["partial"] = _shapes(c, tf, lambda i, n: tf.placeholder(dtype_of(tf, i), [None] * i.ndim))
        result["unknown"] = _shapes(c, tf, lambda i, n: tf.placeholder(dtype_of(tf, i)))
        result["first unknown"] = _shapes(
            c, tf, lambda i, n: tf.placeholder(dtype_of(tf, i)) if n == 0 else tf.constant(i)
        )
        result["constants"] = _shapes(c, tf, lambda i, n: tf.constant(i))
    return result


def attributes_of(op: Any) -> dict[str, str]:
    """Every attribute that TF's registry names for the op's type, as text."""
    wanted = REGISTRY[op.type].get("attrs", ())
    return {
        a["name"]: attr_text(op.get_attr(a["name"])) for a in wanted if a["type"] not in ("tensor", "func")
    }


def dtype_of(tf: Any, i: Any) -> Any:
    """The dtype of a sample as the placeholder takes it."""
    return tf.string if i.dtype.kind in "SUO" else i.dtype.name


def _shapes(c: Case, tf: Any, make: Callable[[Any, int], Any]) -> Any:
    with tf.Graph().as_default():
        built = attempt(lambda: c.call(tf, *[make(i, n) for n, i in enumerate(c.inputs)]))
        if isinstance(built, Failure):
            return encode(tf, built)
        return [shape_text(t.shape) for t in (list(built) if isinstance(built, (list, tuple)) else [built])]


def array(dtype: str, *values: Any) -> Any:
    """A vector of that dtype; numbers that it cannot hold are left out."""
    if np.dtype(dtype).kind in "iu":
        info = np.iinfo(dtype)
        values = tuple(
            int(v)
            for v in values
            if v == v and abs(v) != inf and float(v).is_integer() and info.min <= v <= info.max
        )
    return np.array(values, dtype)


# -- elementwise: one input --------------------------------------------------------------------------------------

SAMPLE = (-3.5, -2.5, -1.5, -1, -0.5, -0.25, -0.0, 0, 0.25, 0.5, 1, 1.5, 2, 2.5, 7, 20, nan, inf, -inf)
WHOLE = (-7, -3, -2, -1, 0, 1, 2, 3, 7, 100)

UNARY = {
    "abs": REALS,
    "negative": REALS + SMALL_INTS[1:],
    "sign": REALS,
    "square": REALS,
    "sqrt": FLOATS,
    "exp": FLOATS,
    "log": FLOATS,
    "sin": FLOATS,
    "tanh": FLOATS,
    "sigmoid": FLOATS,
    "round": REALS,
    "nn.relu": REALS + SMALL_INTS,
    "nn.sigmoid": FLOATS,
    "nn.tanh": FLOATS,
    "nn.elu": FLOATS,
    "nn.relu6": REALS,
    "nn.softplus": FLOATS,
    "identity": (*REALS, "bool", "uint8"),
    "stop_gradient": REALS,
    "rsqrt": FLOATS,
    "expm1": FLOATS,
    "log1p": FLOATS,
    "cos": FLOATS,
    "tan": FLOATS,
    "asin": FLOATS,
    "acos": FLOATS,
    "atan": FLOATS,
    "sinh": FLOATS,
    "cosh": FLOATS,
    "asinh": FLOATS[1:],
    "acosh": FLOATS[1:],
    "atanh": FLOATS[1:],
    "ceil": FLOATS,
    "floor": FLOATS,
    "rint": FLOATS[1:],
    "reciprocal": FLOATS,
    "erf": FLOATS,
    "erfc": FLOATS,
    "lgamma": FLOATS[1:],
    "digamma": FLOATS[1:],
    "is_nan": FLOATS,
    "is_inf": FLOATS,
    "is_finite": FLOATS,
    "log_sigmoid": FLOATS,
    "nn.softsign": FLOATS,
    "nn.selu": FLOATS,
}
for symbol, dtypes in UNARY.items():
    for dtype in dtypes:
        whole = np.dtype(dtype).kind in "iub"
        case(symbol, dtype, named(symbol), array(dtype, *(WHOLE if whole else SAMPLE)))
    form(symbol, "form", named(symbol), np.ones((2, 3), np.float32))
    case(symbol, "empty", named(symbol), np.ones((0, 2), np.float32))
    case(symbol, "scalar", named(symbol), np.float32(0.5))
    case(symbol, "literal", lambda tf, symbol=symbol: named(symbol)(tf, 0.5), nodes=symbol != "sign")
    case(
        symbol,
        "name",
        lambda tf, x, symbol=symbol: named(symbol)(tf, x, name="mine"),
        np.float32(0.5),
        nodes=True,
    )
    if "int32" not in dtypes and symbol != "reciprocal":
        case(symbol, "wrong dtype", named(symbol), np.int32(1))
for symbol in ("abs", "negative", "square", "sign"):
    case(symbol, "integer limits", named(symbol), np.array([-(2**31), 2**31 - 1, 65536], np.int32))
for symbol in (
    "abs",
    "negative",
    "square",
    "sqrt",
    "exp",
    "log",
    "sin",
    "tanh",
    "sigmoid",
    "sign",
    "identity",
    "conj",
    "real",
    "imag",
    "angle",
):
    case(symbol, "complex64", named(symbol), np.array([1 + 2j, -0.5j, -1 + 0j], np.complex64))
for symbol in ("abs", "negative", "square", "sqrt", "identity"):
    case(symbol, "complex128", named(symbol), np.array([1 + 2j, -0.5j], np.complex128))
case("identity", "string", named("identity"), np.array([b"a", b"bc"], object))
case("negative", "wrong dtype", named("negative"), np.array([True]))
case("abs", "wrong dtype", named("abs"), np.array([True]))
case("logical_not", "bool", named("logical_not"), np.array([True, False]), nodes=True)
case("logical_not", "wrong dtype", named("logical_not"), np.array([1.0], np.float32))

# -- elementwise: two inputs -------------------------------------------------------------------------------------

X = (7, -7, 7, -7, 2.5, -2.5, 0, 1, 0.5, nan, inf, -inf, 3, -3)
Y = (2, 2, -2, -2, 0.5, 2, 3, 0.25, -0.0, 1, 2, inf, 3, 3)
XI = (7, -7, 7, -7, 2, -2, 0, 1, 100, 13)
YI = (2, 2, -2, -2, 5, 5, 3, 3, 7, 13)
XU, YU = (7, 3, 2, 0, 200, 255), (2, 5, 2, 3, 100, 16)

BINARY = {
    "add": REALS + SMALL_INTS,
    "subtract": REALS,
    "multiply": REALS + SMALL_INTS,
    "divide": REALS + SMALL_INTS,
    "div": REALS + SMALL_INTS,
    "truediv": REALS + SMALL_INTS,
    "mod": REALS,
    "pow": FLOATS,
    "maximum": REALS,
    "minimum": REALS,
    "squared_difference": REALS,
    "floordiv": REALS + SMALL_INTS,
    "floormod": REALS,
    "realdiv": FLOATS,
    "truncatediv": INTS + SMALL_INTS,
    "truncatemod": FLOATS[1:] + INTS,
    "atan2": FLOATS[1:],
    "div_no_nan": FLOATS[1:],
    "equal": REALS + SMALL_INTS,
    "not_equal": REALS,
    "less": REALS + SMALL_INTS,
    "less_equal": REALS,
    "greater": REALS,
    "greater_equal": REALS,
}
for symbol, dtypes in BINARY.items():
    for dtype in dtypes:
        kind = np.dtype(dtype).kind
        x, y = {"u": (XU, YU), "i": (XI, YI)}.get(kind, (X, Y))
        case(symbol, dtype, named(symbol), np.array(x, dtype), np.array(y, dtype))
    form(symbol, "form", named(symbol), np.ones((2, 3), np.float32), np.ones((2, 3), np.float32))
    form(symbol, "broadcast", named(symbol), np.ones((2, 1), np.float32), np.ones(3, np.float32))
    form(symbol, "broadcast scalar", named(symbol), np.float32(2), np.ones((1, 2), np.float32))
    case(symbol, "empty", named(symbol), np.ones((0, 2), np.float32), np.ones((1,), np.float32))
    case(symbol, "literal", lambda tf, x, symbol=symbol: named(symbol)(tf, x, 2), np.float32(3), nodes=True)
    case(symbol, "two literals", lambda tf, symbol=symbol: named(symbol)(tf, 7.0, 2.0), nodes=True)
    case(
        symbol,
        "name",
        lambda tf, x, symbol=symbol: named(symbol)(tf, x, x, name="mine"),
        np.float32(3),
        nodes=True,
    )
    case(symbol, "shapes differ", named(symbol), np.ones((2, 3), np.float32), np.ones((4,), np.float32))
    if symbol != "div_no_nan":
        case(symbol, "dtypes differ", named(symbol), np.ones(2, np.float32), np.ones(2, np.int32))
        case(symbol, "bool", named(symbol), np.array([True, False]), np.array([True, True]))
for symbol in ("add", "subtract", "multiply"):
    case(
        symbol,
        "int32 wraps",
        named(symbol),
        np.array([2**31 - 1, -(2**31), 65536], np.int32),
        np.array([1, 1, 65536], np.int32),
    )
    case(
        symbol,
        "int64 wraps",
        named(symbol),
        np.array([2**63 - 1, -(2**63)], np.int64),
        np.array([2, 1], np.int64),
    )
for symbol in ("div", "mod", "floordiv", "floormod"):
    case(symbol, "by zero", named(symbol), np.array([1, 0], np.int32), np.array([0, 0], np.int32))
for symbol in ("mod", "floordiv", "floormod", "truncatemod"):
    case(
        symbol,
        "float by zero",
        named(symbol),
        np.array([1, -1, 0], np.float32),
        np.array([0, 0, 0], np.float32),
    )
case("divide", "by zero", named("divide"), np.array([1, -1, 0], np.float32), np.zeros(3, np.float32))
case("truediv", "ints by zero", named("truediv"), np.array([1, -1, 0], np.int32), np.zeros(3, np.int32))
case(
    "pow", "int32", named("pow"), np.array([2, -3, 0, 7, 1], np.int32), np.array([10, 3, 0, 1, 30], np.int32)
)
case("pow", "int64", named("pow"), np.array([2, -3, 10], np.int64), np.array([40, 3, 18], np.int64))
case("pow", "int32 wraps", named("pow"), np.array([2, 3], np.int32), np.array([40, 30], np.int32))
case("pow", "negative exponent of an int", named("pow"), np.array([2], np.int32), np.array([-1], np.int32))
for symbol in ("add", "subtract", "multiply", "divide", "pow", "equal", "not_equal", "squared_difference"):
    case(
        symbol,
        "complex64",
        named(symbol),
        np.array([1 + 2j, -1j], np.complex64),
        np.array([2 - 1j, 2 + 0j], np.complex64),
    )
case("add", "string", named("add"), np.array([b"a", b"b"], object), np.array([b"x"], object))
for symbol in ("equal", "not_equal"):
    case(symbol, "string", named(symbol), np.array([b"a", b"b"], object), np.array([b"a", b"c"], object))
case("less", "string", named("less"), np.array([b"a"], object), np.array([b"b"], object))
for symbol in ("logical_and", "logical_or", "logical_xor"):
    form(symbol, "form", named(symbol), np.array([[True, False]]), np.array([[True], [False]]))
    case(
        symbol,
        "literal",
        lambda tf, x, symbol=symbol: named(symbol)(tf, x, True),
        np.array([True, False]),
        nodes=True,
    )
    case(symbol, "wrong dtype", named(symbol), np.ones(2, np.float32), np.ones(2, np.float32))
for dtype in REALS:
    case("clip_by_value", dtype, lambda tf, x: tf.clip_by_value(x, -2, 3), array(dtype, *SAMPLE))
form("clip_by_value", "form", lambda tf, x: tf.clip_by_value(x, -1.0, 1.0), np.ones((2, 3), np.float32))
form(
    "clip_by_value",
    "tensors",
    lambda tf, x, a, b: tf.clip_by_value(x, a, b),
    np.array([[-5.0, 0.5], [5, 2]], np.float32),
    np.float32(-1),
    np.array([0, 3], np.float32),
)
case(
    "clip_by_value",
    "name",
    lambda tf, x: tf.clip_by_value(x, 0.0, 1.0, name="mine"),
    np.float32(2),
    nodes=True,
)
for dtype in REALS:
    case(
        "add_n",
        dtype,
        lambda tf, *x: tf.add_n(x),
        np.array([1, 2], dtype),
        np.array([3, 4], dtype),
        np.array([5, -7], dtype),
    )
form("add_n", "form", lambda tf, *x: tf.add_n(x), np.ones((2, 3), np.float32), np.ones((2, 3), np.float32))
case("add_n", "one", lambda tf, x: tf.add_n([x]), np.ones(2, np.float32), nodes=True)
case("add_n", "one, named", lambda tf, x: tf.add_n([x], name="mine"), np.ones(2, np.float32), nodes=True)
case("add_n", "none", lambda tf: tf.add_n([]))
case("add_n", "shapes differ", lambda tf, *x: tf.add_n(x), np.ones(2, np.float32), np.ones(3, np.float32))
case("add_n", "no broadcast", lambda tf, *x: tf.add_n(x), np.ones(2, np.float32), np.float32(1))
case("add_n", "dtypes differ", lambda tf, *x: tf.add_n(x), np.ones(2, np.float32), np.ones(2, np.int32))
case("add_n", "literals", lambda tf: tf.add_n([1.0, 2.0]), nodes=True)
case(
    "accumulate_n", "form", lambda tf, *x: tf.accumulate_n(x), np.ones(2, np.float32), np.ones(2, np.float32)
)

# -- reductions --------------------------------------------------------------------------------------------------

NUMBERS = np.array([[1, -2, 3], [4, 5, -6]])
REDUCTIONS = {
    "reduce_sum": REALS + ("complex64",),
    "reduce_mean": REALS,
    "reduce_max": REALS + SMALL_INTS[:1],
    "reduce_min": REALS,
    "reduce_prod": REALS,
}
for symbol, dtypes in REDUCTIONS.items():
    f = named(symbol)
    for dtype in dtypes:
        values = np.abs(NUMBERS) if dtype == "uint8" else NUMBERS
        case(
            symbol, dtype, lambda tf, x, f=f: [f(tf, x), f(tf, x, 0), f(tf, x, 1, True)], values.astype(dtype)
        )
    case(
        symbol,
        "nan and inf",
        lambda tf, x, f=f: [f(tf, x), f(tf, x, 0)],
        np.array([[nan, 1], [inf, -inf], [1, 2]], np.float32),
    )
    case(
        symbol, "empty", lambda tf, x, f=f: [f(tf, x), f(tf, x, 0), f(tf, x, 1)], np.ones((0, 2), np.float32)
    )
    case(symbol, "wrong dtype", f, np.array([True]))
case("reduce_sum", "int32 wraps", named("reduce_sum"), np.array([2**31 - 1, 1], np.int32))
case(
    "reduce_mean",
    "integers round towards zero",
    lambda tf, x: [tf.reduce_mean(x), tf.reduce_mean(-x)],
    np.array([1, 2, 2, 2], np.int32),
)
case("reduce_mean", "int32 overflow", named("reduce_mean"), np.array([2**31 - 1, 2**31 - 1], np.int32))
case("reduce_mean", "float16 sums", named("reduce_mean"), np.full(4000, 30, np.float16))
for symbol in ("reduce_all", "reduce_any"):
    f = named(symbol)
    case(
        symbol,
        "bool",
        lambda tf, x, f=f: [f(tf, x), f(tf, x, 0), f(tf, x, [1], True)],
        np.array([[True, False], [True, True]]),
    )
    case(symbol, "empty", lambda tf, x, f=f: [f(tf, x), f(tf, x, 0)], np.ones((0, 2), bool))
    case(symbol, "wrong dtype", f, np.ones(2, np.float32))
for symbol in (*REDUCTIONS, "reduce_all", "reduce_any"):
    f = named(symbol)
    sample = np.ones((2, 3, 4), bool if symbol in ("reduce_all", "reduce_any") else np.float32)
    form(symbol, "all axes", f, sample)
    form(symbol, "axis", lambda tf, x, f=f: f(tf, x, 1), sample)
    form(symbol, "negative axis", lambda tf, x, f=f: f(tf, x, axis=-1, keepdims=True), sample)
    form(symbol, "axes", lambda tf, x, f=f: f(tf, x, [0, 2]), sample)
    case(symbol, "no axes", lambda tf, x, f=f: f(tf, x, []), sample)
    form(
        symbol,
        "old names",
        lambda tf, x, f=f: f(tf, x, reduction_indices=[1], keep_dims=True, name="mine"),
        sample,
    )
    form(symbol, "axis tensor", lambda tf, x, a, f=f: f(tf, x, a), sample, np.int32(1))
    form(
        symbol,
        "axis vector",
        lambda tf, x, a, f=f: f(tf, x, a, keepdims=True),
        sample,
        np.array([0, 1], np.int32),
    )
    form(symbol, "scalar", f, sample[0, 0, 0])
    case(symbol, "axis beyond", lambda tf, x, f=f: f(tf, x, 3), sample)
    case(symbol, "axis twice", lambda tf, x, f=f: f(tf, x, [0, 0]), sample)
    case(symbol, "float axis", lambda tf, x, f=f: f(tf, x, 0.5), sample)
    case(
        symbol, "two names of one argument", lambda tf, x, f=f: f(tf, x, axis=0, reduction_indices=0), sample
    )
case(
    "reduce_logsumexp",
    "form",
    lambda tf, x: tf.reduce_logsumexp(x, 1),
    np.array([[1.0, 2], [-1000, -1000]], np.float32),
)
form("count_nonzero", "form", lambda tf, x: tf.count_nonzero(x, 0), np.array([[1.0, 0], [2, 0]], np.float32))
for symbol in ("argmax", "argmin", "arg_max", "arg_min"):
    f = named(symbol)
    for dtype in (*REALS, "uint8"):
        case(
            symbol,
            dtype,
            lambda tf, x, f=f: [f(tf, x, 0), f(tf, x, 1)],
            np.array([[3, 1, 3], [3, 5, 0]], dtype),
        )
    case(symbol, "nan", lambda tf, x, f=f: f(tf, x, 0), np.array([1, nan, 3, 0], np.float32))
    form(symbol, "axis", lambda tf, x, f=f: f(tf, x, 1), np.array([[1.0, 2, 0], [0, 2, 2]], np.float32))
    form(symbol, "negative axis", lambda tf, x, f=f: f(tf, x, -1), np.ones((2, 3, 2), np.float32))
    form(
        symbol,
        "output type",
        lambda tf, x, f=f: f(tf, x, 0, output_type=tf.int32),
        np.ones((2, 3), np.float32),
    )
    form(symbol, "axis tensor", lambda tf, x, a, f=f: f(tf, x, a), np.ones((2, 3), np.float32), np.int32(0))
    case(symbol, "axis beyond", lambda tf, x, f=f: f(tf, x, 2), np.ones((2, 3), np.float32))
    case(symbol, "empty axis", lambda tf, x, f=f: f(tf, x, 0), np.ones((0, 3), np.float32))
    case(symbol, "name", lambda tf, x, f=f: f(tf, x, 0, name="mine"), np.ones(3, np.float32), nodes=True)
form("argmax", "default axis", lambda tf, x: tf.argmax(x), np.array([[1.0, 2], [3, 0]], np.float32))
form("argmax", "old name", lambda tf, x: tf.argmax(x, dimension=1), np.array([[1.0, 2], [3, 0]], np.float32))
case("nn.l2_loss", "form", named("nn.l2_loss"), np.array([[1.0, 2], [3, 4]], np.float32), nodes=True)
case("nn.zero_fraction", "form", named("nn.zero_fraction"), np.array([[1.0, 0], [3, 0]], np.float32))

# -- matmul ------------------------------------------------------------------------------------------------------

A, B = np.arange(6).reshape(2, 3), np.arange(12).reshape(3, 4)
for dtype in (*REALS, "complex64"):
    case("matmul", dtype, named("matmul"), A.astype(dtype), B.astype(dtype))
A, B = A.astype(np.float32), B.astype(np.float32)
form("matmul", "form", named("matmul"), A, B)
form("matmul", "transposed a", lambda tf, a, b: tf.matmul(a, b, transpose_a=True), A.T.copy(), B)
form("matmul", "transposed b", lambda tf, a, b: tf.matmul(a, b, False, True), A, B.T.copy())
form(
    "matmul",
    "both transposed",
    lambda tf, a, b: tf.matmul(a, b, transpose_a=True, transpose_b=True),
    A.T.copy(),
    B.T.copy(),
)
form("matmul", "batch", named("matmul"), np.stack([A, -A]), np.stack([B, B + 1]))
form("matmul", "batch broadcast", named("matmul"), np.stack([A, -A]), B)
form(
    "matmul",
    "batch transposed",
    lambda tf, a, b: tf.matmul(a, b, transpose_b=True),
    np.stack([A, A]),
    np.stack([B.T, B.T]),
)
form(
    "matmul",
    "adjoint",
    lambda tf, a, b: tf.matmul(a, b, adjoint_a=True),
    (A.T * 1j).astype(np.complex64),
    B.astype(np.complex64),
)
form("matmul", "sparse hints", lambda tf, a, b: tf.matmul(a, b, a_is_sparse=True, name="mine"), A, B)
case("matmul", "literal", lambda tf, a: tf.matmul(a, [[1.0], [2.0], [3.0]]), A, nodes=True)
case("matmul", "no rows", named("matmul"), A[:0], B)
case("matmul", "nothing to sum", named("matmul"), np.ones((2, 0), np.float32), np.ones((0, 3), np.float32))
case("matmul", "inner dimensions", named("matmul"), A, A)
case("matmul", "rank 1", named("matmul"), A[0], B)
case("matmul", "ranks differ", named("matmul"), np.stack([A, A]), np.stack([B, B, B]))
case("matmul", "dtypes differ", named("matmul"), A, B.astype(np.int32))
case("matmul", "bool", named("matmul"), np.ones((1, 1), bool), np.ones((1, 1), bool))
case(
    "matmul",
    "transpose and adjoint",
    lambda tf, a, b: tf.matmul(a, b, transpose_a=True, adjoint_a=True),
    A,
    A,
)
case("tensordot", "form", lambda tf, a, b: tf.tensordot(a, b, 1), A, B)
case("matrix_inverse", "form", named("matrix_inverse"), np.array([[2.0, 1], [1, 1]], np.float32))

# -- shapes ------------------------------------------------------------------------------------------------------

T = np.arange(24, dtype=np.float32).reshape(2, 3, 4)
for symbol in ("shape", "size", "rank"):
    f = named(symbol)
    form(symbol, "form", f, T)
    form(symbol, "scalar", f, np.float32(1))
    form(symbol, "empty", f, np.ones((0, 3), np.float32))
    case(symbol, "literal", lambda tf, f=f: f(tf, [[1.0, 2.0]]), nodes=True)
    case(symbol, "name", lambda tf, x, f=f: f(tf, x, name="mine"), T, nodes=True)
    form(
        symbol,
        "of a partly known shape",
        lambda tf, x, f=f: f(tf, tf.placeholder_with_default(x, [None, 3, None])),
        T,
    )
for symbol in ("shape", "size"):
    form(symbol, "int64", lambda tf, x, symbol=symbol: named(symbol)(tf, x, out_type=tf.int64), T)
case("shape_n", "form", lambda tf, a, b: tf.shape_n([a, b]), T, A)
RESHAPES: dict[str, Any] = {
    "flat": [-1],
    "two": [6, 4],
    "with -1": [2, -1],
    "middle -1": [4, -1, 2],
    "same": [2, 3, 4],
    "more ones": [1, 2, 3, 4, 1],
}
for label, target in RESHAPES.items():
    form("reshape", label, lambda tf, x, target=target: tf.reshape(x, target), T)
case("reshape", "to a scalar", lambda tf, x: tf.reshape(x, []), np.ones((1, 1), np.float32))
case("reshape", "int64 shape", lambda tf, x: tf.reshape(x, np.array([3, 8])), T)
form("reshape", "shape tensor", lambda tf, x, s: tf.reshape(x, s), T, np.array([4, -1], np.int32))
form(
    "reshape", "shape of another", lambda tf, x, y: tf.reshape(x, tf.shape(y)), T, np.ones((4, 6), np.float32)
)
form("reshape", "packed shape", lambda tf, x, n: tf.reshape(x, [n, 6]), T, np.int32(4))
form("reshape", "shape slice", lambda tf, x: tf.reshape(x, [tf.shape(x)[0], 12], name="mine"), T)
form("reshape", "empty", lambda tf, x: tf.reshape(x, [3, -1]), np.ones((0, 3), np.float32))
case("reshape", "tensor shape object", lambda tf, x: tf.reshape(x, tf.TensorShape([6, 4])), T, nodes=True)
case("reshape", "wrong size", lambda tf, x: tf.reshape(x, [5, 5]), T)
case("reshape", "not a multiple", lambda tf, x: tf.reshape(x, [5, -1]), T)
case("reshape", "two unknowns", lambda tf, x: tf.reshape(x, [-1, -1]), T)
case("reshape", "below -1", lambda tf, x: tf.reshape(x, [-2, 12]), T)
case("reshape", "float shape", lambda tf, x: tf.reshape(x, [6.0, 4.0]), T)
case("reshape", "wrong size at run time", lambda tf, x, s: tf.reshape(x, s), T, np.array([5, 5], np.int32))
case("reshape", "strings", lambda tf, x: tf.reshape(x, [2, 1]), np.array([b"a", b"b"], object))
form("transpose", "form", named("transpose"), T)
form("transpose", "permutation", lambda tf, x: tf.transpose(x, [1, 0, 2]), T)
form(
    "transpose",
    "permutation tensor",
    lambda tf, x, p: tf.transpose(x, p, name="mine"),
    T,
    np.array([2, 0, 1], np.int32),
)
form("transpose", "matrix", lambda tf, x: tf.transpose(x), A)
form(
    "transpose",
    "conjugate",
    lambda tf, x: tf.transpose(x, conjugate=True),
    np.array([[1 + 2j, 3]], np.complex64),
)
case("transpose", "scalar", named("transpose"), np.float32(1))
case("transpose", "int", named("transpose"), np.array([[1, 2]], np.int64))
case("transpose", "bool", named("transpose"), np.array([[True, False]]))
case("transpose", "wrong length", lambda tf, x: tf.transpose(x, [0, 1]), T)
case("transpose", "twice the same", lambda tf, x: tf.transpose(x, [0, 0, 1]), T)
case("transpose", "beyond", lambda tf, x: tf.transpose(x, [0, 1, 3]), T)
O = np.ones((1, 3, 1, 2), np.float32)
form("squeeze", "form", named("squeeze"), O)
form("squeeze", "axis", lambda tf, x: tf.squeeze(x, 2), O)
form("squeeze", "axes", lambda tf, x: tf.squeeze(x, [0, -2]), O)
form("squeeze", "old name", lambda tf, x: tf.squeeze(x, squeeze_dims=[0], name="mine"), O)
case("squeeze", "not one", lambda tf, x: tf.squeeze(x, [1]), O)
case("squeeze", "beyond", lambda tf, x: tf.squeeze(x, [4]), O)
for axis in (0, 1, 3, -1, -2, -4):
    form("expand_dims", f"axis {axis}", lambda tf, x, axis=axis: tf.expand_dims(x, axis), T)
form("expand_dims", "old name", lambda tf, x: tf.expand_dims(x, dim=1, name="mine"), T)
form("expand_dims", "axis tensor", lambda tf, x, a: tf.expand_dims(x, a), T, np.int32(1))
form("expand_dims", "scalar", lambda tf, x: tf.expand_dims(x, 0), np.float32(1))
case("expand_dims", "beyond", lambda tf, x: tf.expand_dims(x, 4), T)
case("expand_dims", "no axis", lambda tf, x: tf.expand_dims(x), T)

# -- concat, stack, unstack, slice -------------------------------------------------------------------------------

for axis in (0, 1, -1):
    form("concat", f"axis {axis}", lambda tf, x, y, axis=axis: tf.concat([x, y], axis), A, A + 10)
form("concat", "different lengths", lambda tf, x, y: tf.concat([x, y], 0), A, B.T.copy())
form("concat", "axis tensor", lambda tf, x, y, a: tf.concat([x, y], a), A, A, np.int32(1))
form("concat", "old order of names", lambda tf, x, y: tf.concat(axis=1, values=[x, y], name="mine"), A, A)
form("concat", "with an empty one", lambda tf, x, y: tf.concat([x, y], 0), A[:0], A)
form("concat", "three", lambda tf, x, y, z: tf.concat([x, y, z], 0), A, A, A)
case("concat", "one", lambda tf, x: tf.concat([x], 0), A, nodes=True)
case("concat", "one, no list", lambda tf, x: tf.concat(x, 0), A, nodes=True)
case("concat", "literals", lambda tf, x: tf.concat([x, [[1.0, 2.0, 3.0]]], 0), A, nodes=True)
case(
    "concat",
    "ints",
    lambda tf, x, y: tf.concat([x, y], 0),
    np.array([1], np.int64),
    np.array([2, 3], np.int64),
)
case(
    "concat",
    "strings",
    lambda tf, x, y: tf.concat([x, y], 0),
    np.array([b"a"], object),
    np.array([b"b"], object),
)
case("concat", "dimensions differ", lambda tf, x, y: tf.concat([x, y], 1), A, B)
case("concat", "ranks differ", lambda tf, x, y: tf.concat([x, y], 0), A, A[0])
case("concat", "scalars", lambda tf, x, y: tf.concat([x, y], 0), np.float32(1), np.float32(2))
case("concat", "beyond", lambda tf, x, y: tf.concat([x, y], 2), A, A)
case("concat", "dtypes differ", lambda tf, x, y: tf.concat([x, y], 0), A, A.astype(np.int32))
case("concat", "nothing", lambda tf: tf.concat([], 0))
for axis in (0, 1, 2, -1, -3):
    form("stack", f"axis {axis}", lambda tf, x, y, axis=axis: tf.stack([x, y], axis), A, A + 10)
form("stack", "scalars", lambda tf, x, y: tf.stack([x, y]), np.float32(1), np.float32(2))
form("stack", "one", lambda tf, x: tf.stack([x], name="mine"), A)
case("stack", "literals", lambda tf: tf.stack([1, 2, 3]), nodes=True)
case("stack", "tensor and literal", lambda tf, x: tf.stack([x, 2.0]), np.float32(1), nodes=True)
case("stack", "arrays", lambda tf: tf.stack([[1.0, 2.0], [3.0, 4.0]]), nodes=True)
case("stack", "a tensor", lambda tf, x: tf.stack(x), A, nodes=True)
case("stack", "strings", lambda tf, x, y: tf.stack([x, y]), np.array(b"a", object), np.array(b"b", object))
case("stack", "shapes differ", lambda tf, x, y: tf.stack([x, y]), A, B)
case("stack", "dtypes differ", lambda tf, x, y: tf.stack([x, y]), A, A.astype(np.int32))
case("stack", "beyond", lambda tf, x, y: tf.stack([x, y], 3), A, A)
for axis in (0, 1, -1, -2):
    form(
        "unstack",
        f"axis {axis}",
        lambda tf, x, axis=axis: tf.unstack(
            x, axis=axis, num=x.shape.as_list()[axis] if x.shape.ndims else 2
        ),
        A,
    )
form("unstack", "no number", lambda tf, x: tf.unstack(x), A)
case("unstack", "number", lambda tf, x: tf.unstack(x, 2, name="mine"), A, nodes=True)
case("unstack", "wrong number", lambda tf, x: tf.unstack(x, 3), A)
case("unstack", "beyond", lambda tf, x: tf.unstack(x, axis=2), A)
case("unstack", "scalar", lambda tf, x: tf.unstack(x), np.float32(1))
case("unstack", "literal", lambda tf: tf.unstack([1, 2]), nodes=True)
form("slice", "form", lambda tf, x: tf.slice(x, [0, 1, 1], [1, 2, -1]), T)
form(
    "slice",
    "tensors",
    lambda tf, x, b, s: tf.slice(x, b, s, name="mine"),
    T,
    np.array([1, 0, 2], np.int32),
    np.array([1, -1, 2], np.int32),
)
form("slice", "int64", lambda tf, x: tf.slice(x, np.array([0, 0, 0]), np.array([2, 1, 4])), T)
form("slice", "empty", lambda tf, x: tf.slice(x, [0, 0, 0], [0, 3, 4]), T)
case("slice", "too much", lambda tf, x: tf.slice(x, [0, 0, 0], [3, 3, 4]), T)
case("slice", "negative begin", lambda tf, x: tf.slice(x, [-1, 0, 0], [1, 1, 1]), T)
case("slice", "wrong rank", lambda tf, x: tf.slice(x, [0, 0], [1, 1]), T)
case("slice", "strings", lambda tf, x: tf.slice(x, [1], [1]), np.array([b"a", b"b"], object))
form("strided_slice", "form", lambda tf, x: tf.strided_slice(x, [0, 0, 3], [2, 3, 0], [1, 2, -1]), T)
form(
    "strided_slice",
    "masks",
    lambda tf, x: tf.strided_slice(x, [0, 1], [0, 2], begin_mask=1, end_mask=1, shrink_axis_mask=2),
    T,
)
form("split", "number", lambda tf, x: tf.split(x, 2, 2), T)
form("split", "negative axis", lambda tf, x: tf.split(x, 3, -2), T)
form("split", "sizes", lambda tf, x: tf.split(x, [1, 3], 2, name="mine"), T)
form("split", "sizes with -1", lambda tf, x: tf.split(x, [1, -1, 1], axis=2), T)
form("split", "names", lambda tf, x: tf.split(axis=0, num_or_size_splits=2, value=x), T)
form("split", "sizes tensor", lambda tf, x, s: tf.split(x, s, 2, num=2), T, np.array([1, 3], np.int32))
case("split", "uneven", lambda tf, x: tf.split(x, 2, 1), T)
case("split", "sizes that do not fit", lambda tf, x: tf.split(x, [1, 1], 2), T)
case("split", "beyond", lambda tf, x: tf.split(x, 2, 3), T)
form("gather", "form", lambda tf, x, i: tf.gather(x, i), T, np.array([1, 0, 1], np.int32))
form("gather", "axis", lambda tf, x, i: tf.gather(x, i, axis=2), T, np.array([[3, 0], [1, 1]], np.int32))
form("gather", "scalar index", lambda tf, x: tf.gather(x, 1, name="mine"), T)
form("gather", "int64", lambda tf, x, i: tf.gather(x, i), T, np.array([1], np.int64))
case("gather", "beyond", lambda tf, x, i: tf.gather(x, i), T, np.array([0, 2], np.int32))
case("gather", "negative", lambda tf, x, i: tf.gather(x, i), T, np.array([-1], np.int32))
case(
    "gather",
    "strings",
    lambda tf, x, i: tf.gather(x, i),
    np.array([b"a", b"b"], object),
    np.array([1], np.int32),
)
form("gather_nd", "form", lambda tf, x, i: tf.gather_nd(x, i), T, np.array([[0, 1], [1, 2]], np.int32))
form("tile", "form", lambda tf, x: tf.tile(x, [2, 1]), A)
form("tile", "multiples tensor", lambda tf, x, m: tf.tile(x, m, name="mine"), A, np.array([1, 2], np.int32))
form("tile", "zero", lambda tf, x: tf.tile(x, [0, 2]), A)
case("tile", "wrong length", lambda tf, x: tf.tile(x, [2]), A)
case("tile", "negative", lambda tf, x: tf.tile(x, [-1, 1]), A)
for mode in ("CONSTANT", "REFLECT", "SYMMETRIC"):
    form("pad", mode, lambda tf, x, mode=mode: tf.pad(x, [[1, 1], [0, 2]], mode), A)
form(
    "pad",
    "paddings tensor",
    lambda tf, x, p: tf.pad(x, p, name="mine"),
    A,
    np.array([[0, 1], [2, 0]], np.int32),
)
form("pad", "value", lambda tf, x: tf.pad(x, [[1, 0], [0, 1]], constant_values=7), A)
case("pad", "wrong shape", lambda tf, x: tf.pad(x, [[1, 1]]), A)
case("pad", "too much to reflect", lambda tf, x: tf.pad(x, [[2, 2], [0, 0]], "REFLECT"), A)
case("pad", "unknown mode", lambda tf, x: tf.pad(x, [[1, 1], [0, 2]], "NOTHING"), A)
form("reverse", "form", lambda tf, x: tf.reverse(x, [1]), A)
form("boolean_mask", "form", lambda tf, x, m: tf.boolean_mask(x, m), A, np.array([True, False]))

# -- cast, fill, where -------------------------------------------------------------------------------------------

CASTS = ("float16", "float32", "float64", "int8", "uint8", "int16", "int32", "int64", "bool")
for source in CASTS:
    for target in CASTS:
        if source != target:
            numbers = (
                (1, 0)
                if source == "bool"
                else (-1, 0, 1, 2.7, -2.7, 100, 0.5)
                if source.startswith("float")
                else (-1, 0, 1, 3, 100)
            )
            if target == "uint8":
                numbers = tuple(n for n in numbers if n >= 0)  # a float below zero has no defined uint8
            case(
                "cast",
                f"{source} to {target}",
                lambda tf, x, target=target: tf.cast(x, target),
                array(source, *numbers),
            )
case(
    "cast",
    "ints wrap",
    lambda tf, x: [tf.cast(x, tf.uint8), tf.cast(x, tf.int8), tf.cast(x, tf.int16)],
    np.array([300, -1, 128, 2**31 - 1], np.int32),
)
case(
    "cast",
    "int64 to int32 wraps",
    lambda tf, x: tf.cast(x, tf.int32),
    np.array([2**31, -(2**31) - 1, 2**40], np.int64),
)
case("cast", "nan to bool", lambda tf, x: tf.cast(x, tf.bool), np.array([nan, inf, 0, -0.0], np.float32))
case("cast", "to complex", lambda tf, x: tf.cast(x, tf.complex64), np.array([1, 2], np.float32))
case("cast", "from complex", lambda tf, x: tf.cast(x, tf.float32), np.array([1 + 2j], np.complex64))
case(
    "cast",
    "float64 to float32 overflow",
    lambda tf, x: tf.cast(x, tf.float32),
    np.array([1e300, -1e300, 1e-300], np.float64),
)
form("cast", "form", lambda tf, x: tf.cast(x, tf.int32), np.ones((2, 3), np.float32))
case("cast", "same dtype", lambda tf, x: tf.cast(x, tf.float32), np.float32(1), nodes=True)
case("cast", "literal", lambda tf: tf.cast([1.5, 2.5], tf.int32), nodes=True)
case("cast", "literal of the dtype", lambda tf: tf.cast([1.5, 2.5], tf.float32), nodes=True)
case("cast", "name", lambda tf, x: tf.cast(x, tf.float64, name="mine"), np.float32(1), nodes=True)
case("cast", "string", lambda tf, x: tf.cast(x, tf.float32), np.array([b"1"], object))
case("cast", "to string", lambda tf, x: tf.cast(x, tf.string), np.float32(1))
case("cast", "unknown dtype", lambda tf, x: tf.cast(x, "nothing"), np.float32(1))
for symbol in ("to_float", "to_int32", "to_int64", "to_double"):
    form(symbol, "form", named(symbol), np.array([1, 2], np.int16))
    case(
        symbol,
        "float",
        lambda tf, x, symbol=symbol: named(symbol)(tf, x, name="mine"),
        np.array([1.7, -1.7], np.float32),
        nodes=True,
    )
case("saturate_cast", "form", lambda tf, x: tf.saturate_cast(x, tf.uint8), np.array([-1.0, 300], np.float32))
for dtype in (*REALS, "bool", "uint8"):
    case("zeros", dtype, lambda tf, dtype=dtype: tf.zeros([2], dtype), nodes=True)
    case("ones", dtype, lambda tf, dtype=dtype: tf.ones([2], dtype), nodes=True)
case("zeros", "string", lambda tf: tf.zeros([2], tf.string), nodes=True)
case("ones", "string", lambda tf: tf.ones([2], tf.string))
for symbol in ("zeros", "ones"):
    f = named(symbol)
    case(symbol, "scalar", lambda tf, f=f: f(tf, []), nodes=True)
    case(symbol, "name", lambda tf, f=f: f(tf, (2, 3), name="mine"), nodes=True)
    case(symbol, "large", lambda tf, f=f: tf.reduce_sum(f(tf, [40, 40])), nodes=True)
    case(symbol, "large, one dimension", lambda tf, f=f: tf.reduce_sum(f(tf, 1000)), nodes=True)
    case(symbol, "empty", lambda tf, f=f: f(tf, [0, 3]), nodes=True)
    form(symbol, "shape tensor", lambda tf, s, f=f: f(tf, s), np.array([2, 3], np.int32))
    form(symbol, "packed shape", lambda tf, n, f=f: f(tf, [n, 2]), np.int32(3))
    form(symbol, "int64 shape", lambda tf, s, f=f: f(tf, s, tf.int32), np.array([2, 3], np.int64))
    case(symbol, "int", lambda tf, f=f: f(tf, 3), nodes=True)
    case(symbol, "tensor shape", lambda tf, f=f: f(tf, tf.TensorShape([2, 1])), nodes=True)
    case(symbol, "float shape", lambda tf, f=f: f(tf, [2.0]))
for symbol in ("zeros_like", "ones_like"):
    f = named(symbol)
    for dtype in (*REALS, "bool"):
        case(symbol, dtype, f, np.ones((2, 3), dtype), nodes=True)
    form(symbol, "form", f, T)
    form(symbol, "dtype", lambda tf, x, f=f: f(tf, x, tf.int32, name="mine"), T)
    form(symbol, "not optimized", lambda tf, x, f=f: f(tf, x, optimize=False), T)
    form(symbol, "partly known", lambda tf, x, f=f: f(tf, tf.placeholder_with_default(x, [None, 3, None])), T)
    case(symbol, "literal", lambda tf, f=f: f(tf, [1, 2]), nodes=True)
    case(symbol, "string", f, np.array([b"a"], object))
for dtype in (*REALS, "bool", "uint8"):
    case("fill", dtype, lambda tf, v: tf.fill([2, 2], v), np.ones((), dtype))
form("fill", "form", lambda tf, v: tf.fill([2, 3], v), np.float32(9))
form(
    "fill",
    "dims tensor",
    lambda tf, d, v: tf.fill(d, v, name="mine"),
    np.array([2, 3], np.int32),
    np.float32(9),
)
form("fill", "packed dims", lambda tf, n: tf.fill([n, 2], 1.0), np.int32(3))
case("fill", "string", lambda tf: tf.fill([2], "a"), nodes=True)
case("fill", "scalar", lambda tf: tf.fill([], 7))
case("fill", "empty", lambda tf: tf.fill([0, 2], 7), nodes=True)
case("fill", "negative", lambda tf: tf.fill([-2], 7))
case("fill", "negative at run time", lambda tf, d: tf.fill(d, 7), np.array([2, -2], np.int32))
case("fill", "value no scalar", lambda tf, v: tf.fill([2], v), np.ones(2, np.float32))
case("fill", "dims no vector", lambda tf: tf.fill(2, 7))
for args in ((5,), (1, 5), (1, 10, 3), (5, 1, -2), (3, 1), (0.0, 1.0, 0.25), (1.5,), (0, 5, 2.0)):
    case("range", f"{args}", lambda tf, args=args: tf.range(*args), nodes=True)
form("range", "limit tensor", lambda tf, n: tf.range(n), np.int32(4))
form(
    "range",
    "tensors",
    lambda tf, a, b, d: tf.range(a, b, d, name="mine"),
    np.int32(1),
    np.int32(8),
    np.int32(3),
)
form("range", "int64", lambda tf, n: tf.range(n), np.int64(4))
form("range", "mixed", lambda tf, n: tf.range(0, n, 0.5), np.int32(2))
case("range", "dtype", lambda tf: tf.range(4, dtype=tf.float32), nodes=True)
case("range", "no step", lambda tf: tf.range(0, 4, 0))
case("range", "wrong way", lambda tf: tf.range(0, 4, -1))
case("range", "wrong way up", lambda tf: tf.range(4, 0, 1))
case("range", "vector", lambda tf, x: tf.range(x), np.ones(2, np.int32))
case("range", "no step at run time", lambda tf, d: tf.range(0, 4, d), np.int32(0))
for args in ((0.0, 1.0, 5), (1.0, -1.0, 3), (2.0, 9.0, 1)):
    case("linspace", f"{args}", lambda tf, args=args: tf.linspace(*args), nodes=True)
form(
    "linspace",
    "tensors",
    lambda tf, a, b, n: tf.linspace(a, b, n, name="mine"),
    np.float64(0),
    np.float64(10),
    np.int32(4),
)
case("linspace", "none", lambda tf: tf.linspace(0.0, 1.0, 0))
case("linspace", "ints", lambda tf: tf.linspace(0, 1, 3))
case("linspace", "vector", lambda tf, a: tf.linspace(a, 1.0, 3), np.zeros(2, np.float32))
form("one_hot", "form", lambda tf, i: tf.one_hot(i, 3), np.array([0, 2, -1, 3], np.int32))
form(
    "one_hot",
    "values",
    lambda tf, i: tf.one_hot(i, depth=3, on_value=5.0, off_value=-1.0, axis=0, name="mine"),
    np.array([[0, 2], [1, 1]], np.int64),
)
form("one_hot", "dtype", lambda tf, i: tf.one_hot(i, 2, dtype=tf.int32), np.array([0, 1], np.uint8))
form("one_hot", "depth tensor", lambda tf, i, d: tf.one_hot(i, d), np.array([0, 1], np.int32), np.int32(4))
form("one_hot", "axis", lambda tf, i: tf.one_hot(i, 3, axis=1), np.array([[0, 2], [1, 1]], np.int32))
case("one_hot", "bools", lambda tf, i: tf.one_hot(i, 2, True, False), np.array([0, 1], np.int32), nodes=True)
case("one_hot", "scalar", lambda tf, i: tf.one_hot(i, 3), np.int32(1))
case("one_hot", "dtypes differ", lambda tf, i: tf.one_hot(i, 3, 1.0, 0), np.array([0], np.int32))
case(
    "one_hot",
    "dtype does not fit",
    lambda tf, i: tf.one_hot(i, 3, 1.0, 0.0, dtype=tf.int32),
    np.array([0], np.int32),
)
case("one_hot", "float indices", lambda tf, i: tf.one_hot(i, 3), np.array([0.0], np.float32))
case("one_hot", "negative depth", lambda tf, i: tf.one_hot(i, -1), np.array([0], np.int32))
C = np.array([[True, False, True], [False, False, True]])
for dtype in (*REALS, "bool", "uint8"):
    case("where", dtype, named("where"), C, np.ones((2, 3), dtype), np.zeros((2, 3), dtype))
form("where", "form", named("where"), C, A, -A)
form("where", "rows", named("where"), np.array([True, False]), A, -A)
form("where", "scalar condition", named("where"), np.array(True), A, -A)
form("where", "indices", lambda tf, c: tf.where(c), C)
form("where", "indices, name", lambda tf, c: tf.where(c, name="mine"), np.array([False, True]))
case("where", "nothing true", lambda tf, c: tf.where(c), np.zeros((2, 2), bool))
case("where", "indices of numbers", lambda tf, x: tf.where(x), np.array([[0.0, 1], [nan, 0]], np.float32))
case(
    "where",
    "strings",
    named("where"),
    np.array([True, False]),
    np.array([b"a", b"b"], object),
    np.array([b"c", b"d"], object),
)
case(
    "where",
    "literals",
    lambda tf, c: tf.where(c, [1.0, 2.0], [3.0, 4.0]),
    np.array([True, False]),
    nodes=True,
)
case("where", "no broadcast", named("where"), C, A, np.float32(0))
case("where", "one of two", lambda tf, c, x: tf.where(c, x), C, A)
case("where", "dtypes differ", named("where"), C, A, A.astype(np.int32))
case("where", "condition no bool", named("where"), A, A, A)
case("where", "shapes differ", named("where"), C, A, B)
case("where", "condition too short", named("where"), np.array([True]), A, A)
case(
    "where",
    "nan is not spread",
    named("where"),
    np.array([True, False]),
    np.array([1, nan], np.float32),
    np.array([nan, 2], np.float32),
)
form("diag", "form", named("diag"), np.array([1.0, 2], np.float32))
form("sequence_mask", "form", lambda tf, n: tf.sequence_mask(n, 4), np.array([1, 3], np.int32))
form(
    "unsorted_segment_sum",
    "form",
    lambda tf, x, i: tf.unsorted_segment_sum(x, i, 3),
    np.array([1.0, 2, 3], np.float32),
    np.array([0, 2, 0], np.int32),
)
form("cumsum", "form", lambda tf, x: tf.cumsum(x, 1), A)
form("broadcast_to", "form", lambda tf, x: tf.broadcast_to(x, [2, 3]), A[:1])
case("eye", "form", lambda tf: tf.eye(3))

# -- random ------------------------------------------------------------------------------------------------------

SEEDS = (
    (None, 1),
    (1, None),
    (1, 2),
    (0, 0),
    (None, 0),
    (0, None),
    (2**31 - 1, 7),
    (-5, 3),
    (123456789012, 98765432109),
)


def seeded(
    graph_seed: int | None, op_seed: int | None, draw: Callable[[Any, int | None], Any]
) -> Callable[..., Any]:
    def call(tf: Any) -> Any:
        if graph_seed is not None:
            tf.set_random_seed(graph_seed)
        return draw(tf, op_seed)

    return call


RANDOM: dict[str, dict[str, Callable[[Any, int | None], Any]]] = {
    "random_uniform": {"float32": lambda tf, s: tf.random_uniform([5], seed=s)},
    "random_normal": {"float32": lambda tf, s: tf.random_normal([5], seed=s)},
    "truncated_normal": {"float32": lambda tf, s: tf.truncated_normal([5], seed=s)},
    "set_random_seed": {"int32": lambda tf, s: tf.random_uniform([5], 0, 1000, tf.int32, seed=s)},
}
for symbol, forms in RANDOM.items():
    for label, draw in forms.items():
        for graph_seed, op_seed in SEEDS:
            case(
                symbol,
                f"{label}, seeds {graph_seed} and {op_seed}",
                seeded(graph_seed, op_seed, draw),
                ulps=2,
            )


def drawn(symbol: str, label: str, draw: Callable[[Any], Any], **options: Any) -> None:
    case(symbol, label, lambda tf: draw(tf), ulps=2, **options)


for dtype in ("float16", "float32", "float64"):
    drawn("random_uniform", f"{dtype} shape", lambda tf, d=dtype: tf.random_uniform([3, 7], dtype=d, seed=3))
    drawn("random_normal", f"{dtype} shape", lambda tf, d=dtype: tf.random_normal([3, 7], dtype=d, seed=3))
    drawn(
        "truncated_normal", f"{dtype} shape", lambda tf, d=dtype: tf.truncated_normal([3, 7], dtype=d, seed=3)
    )
for dtype in ("int32", "int64"):
    drawn(
        "random_uniform", f"{dtype} range", lambda tf, d=dtype: tf.random_uniform([3, 7], -5, 100, d, seed=3)
    )
    drawn(
        "random_uniform",
        f"{dtype} wide",
        lambda tf, d=dtype: tf.random_uniform([9], tf.as_dtype(d).min, tf.as_dtype(d).max, d, seed=3),
    )
    drawn("random_uniform", f"{dtype} one value", lambda tf, d=dtype: tf.random_uniform([3], 4, 5, d, seed=3))
    case(
        "random_uniform", f"{dtype} empty range", lambda tf, d=dtype: tf.random_uniform([3], 4, 4, d, seed=3)
    )
drawn(
    "random_uniform", "range", lambda tf: tf.random_uniform([4], -2.0, 3.0, seed=3, name="mine"), nodes=True
)
drawn("random_uniform", "form", lambda tf: tf.random_uniform([2, 2], seed=1), nodes=True)
drawn(
    "random_uniform",
    "int form",
    lambda tf: tf.random_uniform([2, 2], maxval=10, dtype=tf.int32, seed=1),
    nodes=True,
)
drawn("random_uniform", "scalar", lambda tf: tf.random_uniform([], seed=1), nodes=True)
drawn("random_uniform", "empty", lambda tf: tf.random_uniform([0, 2], seed=1))
drawn(
    "random_uniform",
    "range of vectors",
    lambda tf: tf.random_uniform([2, 3], [0.0, 10.0, 20.0], [1.0, 11.0, 21.0], seed=1),
    nodes=True,
)
drawn("random_normal", "form", lambda tf: tf.random_normal([2, 2], seed=1), nodes=True)
drawn(
    "random_normal",
    "mean and deviation",
    lambda tf: tf.random_normal([6], 5.0, 0.1, seed=1, name="mine"),
    nodes=True,
)
drawn(
    "random_normal",
    "odd",
    lambda tf: [tf.random_normal([1], seed=1), tf.random_normal([3], seed=1), tf.random_normal([17], seed=1)],
)
drawn("truncated_normal", "form", lambda tf: tf.truncated_normal([2, 2], seed=1), nodes=True)
drawn(
    "truncated_normal",
    "mean and deviation",
    lambda tf: tf.truncated_normal([6], 5.0, 0.1, seed=1, name="mine"),
    nodes=True,
)
drawn("truncated_normal", "many", lambda tf: tf.truncated_normal([40], seed=1))
for symbol in ("random_uniform", "random_normal", "truncated_normal"):
    f = named(symbol)
    case(
        symbol,
        "large, summed in bands",
        lambda tf, f=f: tf.reduce_mean(tf.reshape(f(tf, [4096], seed=5), [16, 256]), 1),
    )
    drawn(
        symbol,
        "two ops of one graph seed",
        lambda tf, f=f: [tf.set_random_seed(9), f(tf, [3]), f(tf, [3])][1:],
    )
    drawn(
        symbol, "node count matters", lambda tf, f=f: [tf.set_random_seed(9), tf.constant(1), f(tf, [3])][2]
    )
    form(symbol, "shape tensor", lambda tf, s, f=f: f(tf, s, seed=1), np.array([2, 3], np.int32), ulps=2)
    form(symbol, "int64 shape", lambda tf, s, f=f: f(tf, s, seed=1), np.array([2, 3], np.int64), ulps=2)
    case(symbol, "bool", lambda tf, f=f: f(tf, [2], dtype=tf.bool))
    case(symbol, "negative shape", lambda tf, f=f: f(tf, [-1], seed=1))
    case(symbol, "shape no vector", lambda tf, s, f=f: f(tf, s, seed=1), np.int32(2))
case("random_uniform", "int without a limit", lambda tf: tf.random_uniform([2], dtype=tf.int32))
case("random_normal", "int", lambda tf: tf.random_normal([2], dtype=tf.int32))
drawn("random_shuffle", "form", lambda tf: tf.random_shuffle(tf.range(10), seed=1), nodes=True)
drawn("random_shuffle", "matrix", lambda tf: tf.random_shuffle(tf.reshape(tf.range(10), [5, 2]), seed=2))
drawn(
    "random_crop",
    "form",
    lambda tf: tf.random_crop(tf.reshape(tf.range(24), [4, 6]), [2, 3], seed=1),
    nodes=True,
)
drawn("random_crop", "whole", lambda tf: tf.random_crop(tf.reshape(tf.range(6), [2, 3]), [2, 3], seed=1))
case("random_crop", "too large", lambda tf: tf.random_crop(tf.zeros([2, 3]), [3, 3], seed=1))
drawn("multinomial", "form", lambda tf: tf.multinomial([[0.0, 1.0, 2.0]], 12, seed=1), nodes=True)
