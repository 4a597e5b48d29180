"""Bad calls of every op type, made from one good call: wrong dtypes, ranks, sizes, attributes, Python types, missing arguments.

``samples(tf)`` finds a good call of each op type in the rows of the op table; ``bad_calls(op_type, sample)`` lists the bad ones;
``answer(tf, op_type, call, …)`` says how a call is refused, or None where it is not. tests/golden/bad_input.json holds for each
op type its good call and the oracle's answers ("python tools/oracle/record.py bad_input").
"""

import csv
import inspect
import tempfile
from typing import Any

import cases
import numpy as np
from harness import Failure, attempt, attr_text, raw

REGISTRY = cases.REGISTRY
with (cases.SYMBOLS.parent / "op_areas.csv").open(encoding="utf-8", newline="") as rows:
    AREAS = {row["op"]: row["area"] for row in csv.DictReader(rows)}

_NAMES = {"float": "float32", "double": "float64", "half": "float16"}
_TOO_LONG = 256  # a sample with more elements would fill the golden file

# Op types of which no call can be recorded, with the reason.
NOT_ASKED = {
    "PyFunc": "its token names a Python function of one process",
    "PyFuncStateless": "the same",
    "Abort": "it ends the process",
    **dict.fromkeys(
        ("Enter", "RefEnter", "Exit", "RefExit", "NextIteration", "RefNextIteration"),
        "run by itself, without the rest of a loop, it ends the oracle's process",
    ),
}

# Bad calls that crash the oracle, or make it read foreign memory.
CRASHES = {
    *(
        (op_type, label)
        for op_type in (
            "ScatterNdAdd", "ScatterNdSub", "ScatterNdUpdate", "ResourceScatterNdAdd", "ResourceScatterNdSub",
            "ResourceScatterNdUpdate", "ScatterNdNonAliasingAdd",
        )
        for label in ("indices: a scalar", "updates: a scalar")
    ),
    ("GatherV2", "batch_dims: large"),
    ("RaggedGather", "OUTPUT_RAGGED_RANK: large"),
    ("RaggedGather", "params_nested_splits: one more"),
    ("RaggedGather", "indices: a scalar"),
    ("RaggedGather", "indices: one axis more"),
    ("SparseFillEmptyRows", "dense_shape: negative"),
    # The texts of these contain a number that TF reads beyond the end of the shape.
    ("DenseToSparseSetOperation", "set2_indices: a scalar"),
    ("SetSize", "set_indices: a scalar"),
    ("SparseReduceMax", "input_indices: a scalar"),
    ("SparseReduceMaxSparse", "input_indices: a scalar"),
    ("SparseReduceSum", "input_indices: a scalar"),
    ("SparseReduceSumSparse", "input_indices: a scalar"),
    ("SparseToSparseSetOperation", "set1_indices: a scalar"),
    ("SparseToSparseSetOperation", "set2_indices: a scalar"),
    ("ScatterNd", "indices: one axis more"),
    ("SplitV", "size_splits: a scalar"),
    ("SplitV", "size_splits: one axis more"),
    ("TensorArrayGradWithShape", "shape_to_prepend: a scalar"),
    ("UnicodeEncode", "input_splits: one axis more"),
}


# Kind of resource that lives for one run -> the attribute with the dtype of its elements.
OF_ONE_RUN = {"array": "dtype", "stack": "elem_type"}


def numpy_name(type_name: str) -> str:
    """A dtype of the registry as NumPy's name."""
    return _NAMES.get(type_name, type_name)


# -- good calls ----------------------------------------------------------------------------------------------------


def samples(tf: Any, wanted: set[str]) -> dict[str, Any]:
    """Op type -> a good call: {"in": {name: value or list of values}, "attrs": {name: value}} as JSON, for the types wanted.

    The first node of the type that any row makes is taken, if its inputs can be computed from what is fed.
    """
    found: dict[str, Any] = {}
    for rows in cases.load().values():
        for row in rows.values():
            with tf.Graph().as_default() as graph:
                tf.set_random_seed(1)  # the same sample each time
                fed = [tf.placeholder(cases.dtype_of(tf, i), i.shape) for i in row.inputs]
                if isinstance(attempt(lambda row=row, fed=fed: row.ready(tf)(*fed)), Failure):
                    continue
                feed = dict(zip(fed, row.inputs, strict=True))
                for op in graph.get_operations()[len(fed) :]:
                    if op.type in wanted and op.type not in found and op.type not in NOT_ASKED:
                        call = _call_of(tf, op, feed)
                        if call is not None:
                            found[op.type] = call
    return {op_type: found[op_type] for op_type in sorted(found)}


def _call_of(tf: Any, op: Any, feed: Any) -> Any:
    facts = REGISTRY[op.type]
    inputs: dict[str, Any] = {}
    at = 0
    for arg in facts.get("in", ()):
        if "number_attr" in arg or "type_list_attr" in arg:
            count = op.get_attr(arg["number_attr"]) if "number_attr" in arg else len(op.get_attr(arg["type_list_attr"]))
            inputs[arg["name"]] = [_value_of(tf, t, feed) for t in op.inputs[at : at + count]]
            at += count
        else:
            inputs[arg["name"]] = _value_of(tf, op.inputs[at], feed)
            at += 1
    flat = [v for value in inputs.values() for v in (value if isinstance(value, list) else [value])]
    if None in flat or any(isinstance(v, dict) and len(v["v"]) > _TOO_LONG for v in flat):
        return None
    attrs: dict[str, Any] = {}
    implied = _implied(facts)
    for attr in facts.get("attrs", ()):
        if attr["name"] in implied or attr["name"] in cases.LATER.get(op.type, ()):
            continue
        value = _attr_of(op, attr)
        if value is _UNUSABLE:
            return None
        attrs[attr["name"]] = value
    return {"in": inputs, "attrs": attrs}


_UNUSABLE = object()


def _attr_of(op: Any, attr: Any) -> Any:
    value = op.get_attr(attr["name"])
    kind = attr["type"]
    if kind in ("func", "list(func)", "list(tensor)"):
        return _UNUSABLE
    if kind == "tensor":
        return {"tensor": 1}
    if kind == "type":
        return value.name if hasattr(value, "name") else value
    if kind == "list(type)":
        return [v.name for v in value]
    if kind == "shape":
        text = attr_text(value)
        return None if text == "<unknown>" else [None if p == "?" else int(p) for p in text[1:-1].split(",") if p]
    if kind == "list(shape)":
        return [_shape_list(attr_text(v)) for v in value]
    if kind == "string":
        return value.decode() if isinstance(value, bytes) else value
    if kind == "list(string)":
        return [v.decode() if isinstance(v, bytes) else v for v in value]
    return value


def _shape_list(text: str) -> Any:
    return None if text == "<unknown>" else [None if p == "?" else int(p) for p in text[1:-1].split(",") if p]


def _implied(facts: Any) -> set[str]:
    """The attributes that the inputs fix."""
    return {arg[key] for arg in facts.get("in", ()) for key in ("type_attr", "number_attr", "type_list_attr") if key in arg}


def _value_of(tf: Any, tensor: Any, feed: Any) -> Any:
    """The tensor's value as JSON; a reference or a handle as the kind of node that makes it.

    None when it cannot be had, or names a file of this machine.
    """
    if tensor.dtype.name == "resource" or tensor.dtype.name.endswith("_ref"):
        kinds = {
            "VarHandleOp": "handle",
            "VariableV2": "reference",
            "Variable": "reference",
            "TensorArrayV3": "array",
            "StackV2": "stack",
        }
        kind = kinds.get(tensor.op.type)
        if kind is None:
            return None
        if kind in OF_ONE_RUN:
            return {kind: tensor.op.get_attr(OF_ONE_RUN[kind]).name, "shape": [2], "v": []}
        shape = tensor.shape.as_list() if kind == "reference" else _shape_list(attr_text(tensor.op.get_attr("shape")))
        dtype = tensor.dtype.base_dtype.name if kind == "reference" else tensor.op.get_attr("dtype").name
        return {kind: dtype, "shape": shape, "v": []}
    if tensor.dtype.name in ("variant", "bfloat16"):
        return None
    with tf.Session() as session:
        value = attempt(lambda: session.run(tensor, feed))
    if isinstance(value, Failure):
        return None
    array = np.asarray(value)
    if array.dtype == object and any(tempfile.gettempdir().encode() in text for text in array.flat):
        return None
    return {"dtype": tensor.dtype.name, "shape": list(array.shape), "v": [_json(x) for x in array.reshape(-1)]}


def _json(x: Any) -> Any:
    if isinstance(x, bytes):
        return x.decode("latin-1")
    if isinstance(x, (complex, np.complexfloating)):
        return [float(x.real), float(x.imag)]
    if isinstance(x, (bool, np.bool_)):
        return bool(x)
    if isinstance(x, np.integer):
        return int(x)
    value = float(np.format_float_scientific(x)) if np.isfinite(x) else str(float(x))
    return int(value) if isinstance(value, float) and value.is_integer() and abs(value) < 2**31 else value


def array_of(value: Any) -> Any:
    """The NumPy array of a sample."""
    dtype = value["dtype"]
    if dtype == "string":
        out = np.empty(len(value["v"]), object)
        out[:] = [v.encode("latin-1") for v in value["v"]]
        return out.reshape(value["shape"])
    if dtype.startswith("complex"):
        return np.array([complex(*v) for v in value["v"]], dtype).reshape(value["shape"])
    if dtype == "bfloat16":
        return np.array([float(v) for v in value["v"]], np.float32).reshape(value["shape"])
    if dtype.startswith(("float",)):
        return np.array([float(v) for v in value["v"]], dtype).reshape(value["shape"])
    return np.array(value["v"], dtype).reshape(value["shape"])


# -- bad calls -----------------------------------------------------------------------------------------------------

# An input of a call: ("value", array, dtype name), ("python", object), or a list of those.
_WRONG_TYPES = ("string", "complex64", "bool", "int32", "float32", "uint8", "int64", "float64", "qint8")


def bad_calls(op_type: str, sample: Any) -> dict[str, Any]:
    """label -> (inputs, attrs): each a good call with one thing changed; what is changed is in the label."""
    facts = REGISTRY[op_type]
    good = {name: _given(value) for name, value in sample["in"].items()}
    attrs = dict(sample["attrs"])
    calls: dict[str, Any] = {"good": (good, attrs)}

    def changed(label: str, name: str, value: Any) -> None:
        calls[label] = ({**good, name: value}, attrs)

    for arg in facts.get("in", ()):
        name, value = arg["name"], good[arg["name"]]
        if isinstance(value, list):
            changed(f"{name}: no list", name, value[0] if value else ("python", 3))
            changed(f"{name}: None", name, ("python", None))
            changed(f"{name}: empty list", name, [])
            if value:
                changed(f"{name}: one is None", name, [*value[:-1], ("python", None)])
                changed(f"{name}: one more", name, [*value, value[-1]])
                for label, bad in _bad_values(facts, arg, value[-1]):
                    changed(f"{name}: last {label}", name, [*value[:-1], bad])
            continue
        changed(f"{name}: None", name, ("python", None))
        changed(f"{name}: an object", name, ("python", {}))
        if value[0] == "value":
            for label, bad in _bad_values(facts, arg, value):
                changed(f"{name}: {label}", name, bad)
        else:
            changed(f"{name}: a value", name, ("value", np.zeros((2,), np.float32), "float32"))
        calls[f"{name}: missing"] = ({k: v for k, v in good.items() if k != name}, attrs)
    for attr in facts.get("attrs", ()):
        name = attr["name"]
        if name not in attrs or attr["type"] == "tensor":
            continue
        for label, bad in _bad_attrs(attr, attrs[name]):
            calls[f"{name}: {label}"] = (good, {**attrs, name: bad})
        if "default" not in attr:
            calls[f"{name}: missing"] = (good, {k: v for k, v in attrs.items() if k != name})
    calls["unexpected"] = (good, {**attrs, "no_such_argument": 1})
    return {label: call for label, call in calls.items() if (op_type, label) not in CRASHES}


def _given(value: Any) -> Any:
    if isinstance(value, list):
        return [_given(v) for v in value]
    for kind in ("handle", "reference", *OF_ONE_RUN):
        if kind in value:
            return (kind, value["shape"], value[kind])
    return ("value", array_of(value), value["dtype"])


def _bad_values(facts: Any, arg: Any, good: Any) -> list[tuple[str, Any]]:
    """One value, changed: (what is changed, the value)."""
    if good[0] != "value":
        return []
    _, array, dtype = good
    found = []
    wrong = _wrong_type(facts, arg, dtype)
    if wrong is not None:
        found.append((wrong, ("value", _as(array, wrong), wrong)))
    if array.ndim:
        first = array.reshape(-1)[:1].reshape(()) if array.size else _as(np.zeros(()), dtype)
        found.append(("a scalar", ("value", first, dtype)))
        found.append(("longer", ("value", np.concatenate([array, array[-1:]]), dtype)))
        found.append(("empty", ("value", array[:0], dtype)))
    else:
        found.append(("a vector", ("value", np.array([array[()], array[()]], array.dtype), dtype)))
    found.append(("one axis more", ("value", array[None], dtype)))
    if array.size and array.dtype.kind == "i":
        found.append(("negative", ("value", np.full_like(array, -7), dtype)))
        found.append(("large", ("value", np.full_like(array, 99), dtype)))
    return found


def _wrong_type(facts: Any, arg: Any, dtype: str) -> str | None:
    """A dtype that the argument must not have."""
    if "type_attr" in arg:
        attr = next(a for a in facts["attrs"] if a["name"] == arg["type_attr"])
        allowed = {numpy_name(t) for t in attr.get("allowed", ())}
        shared = sum(a.get("type_attr") == arg["type_attr"] for a in facts["in"]) > 1 or "number_attr" in arg
        if not allowed and not shared:
            return None
        return next((t for t in _WRONG_TYPES if t != dtype and t not in allowed), None) or (
            next(t for t in _WRONG_TYPES if t != dtype) if shared else None
        )
    if "dtype" in arg:
        return next(t for t in _WRONG_TYPES if t != dtype)
    return None


def _as(array: Any, dtype: str) -> Any:
    if dtype == "string":
        out = np.empty(array.shape, object)
        out[...] = b"a"
        return out
    if array.dtype == object:
        return np.ones(array.shape, "int8" if dtype.startswith("q") else dtype)
    with np.errstate(invalid="ignore"):
        return array.astype("int8" if dtype.startswith("q") else dtype)


def _bad_attrs(attr: Any, good: Any) -> list[tuple[str, Any]]:
    kind = attr["type"]
    found: list[tuple[str, Any]] = []
    if kind == "int":
        below = attr["min"] - 1 if "min" in attr else -9
        found = [("text", "text"), ("half", 1.5), ("None", None), ("below", below), ("large", 99)]
    elif kind == "float":
        found = [("text", "text"), ("None", None)]
    elif kind == "bool":
        found = [("text", "text"), ("two", 2), ("None", None)]
    elif kind == "string":
        found = [("number", 3), ("None", None)]
        if "allowed" in attr:
            found.append(("not allowed", "nothing"))
    elif kind == "type":
        found = [("text", "nothing"), ("None", None)]
        allowed = {numpy_name(t) for t in attr.get("allowed", ())}
        other = next((t for t in _WRONG_TYPES if t not in allowed), None) if allowed else None
        if other:
            found.append((f"not allowed {other}", other))
    elif kind == "shape":
        found = [("text", "text"), ("negative", [-2]), ("float", [1.5])]
    elif kind.startswith("list("):
        found = [("no list", 3), ("None", None), ("wrong items", [{}])]
        if "min" in attr:
            found.append(("too short", []))
    return found


# -- answers -------------------------------------------------------------------------------------------------------


class Refusal:
    """A caught error, whether it came up when the node was built or when it ran, and whether a failed call left anything."""

    def __init__(self, failure: Failure, when: str, untouched: bool) -> None:
        self.classes, self.text, self.op, self.whole = failure.classes, failure.text, failure.op, failure.whole
        self.when, self.untouched = when, untouched


def answer(tf: Any, op_type: str, call: Any, known: bool, function: Any) -> Refusal | None:
    """How the call is refused, or None where it is not.

    known: the inputs are constants, so that all can be known before a run; else they are fed, and nothing is known of them.
    function: what makes a node of the type: function(name=…, **inputs and attributes).
    """
    with tf.Graph().as_default() as graph:
        feed: dict[Any, Any] = {}
        inits: list[Any] = []
        inputs = {name: _made(tf, value, known, feed, inits) for name, value in call[0].items()}
        attrs = {k: _attr_given(tf, call, v) for k, v in call[1].items()}
        before = [op.name for op in graph.get_operations()]
        built = attempt(lambda: function(**inputs, **attrs, name="node"))
        if isinstance(built, Failure):
            untouched = [op.name for op in graph.get_operations()] == before
            return Refusal(built, "build", untouched and graph.unique_name("node", mark_as_used=False) == "node")
        if known:
            return None
        node = graph.get_operation_by_name("node")
        with tf.Session() as session:
            ran = attempt(lambda: (session.run(inits), session.run(node, feed)))
        return Refusal(ran, "run", True) if isinstance(ran, Failure) else None


def by_own_names(function: Any, op_type: str) -> Any:
    """A function of the oracle's raw_ops, called by the names of TF's op registry: the two differ in some ops, not in order."""
    facts = REGISTRY[op_type]
    own = [a["name"] for a in facts.get("in", ())] + [a["name"] for a in facts.get("attrs", ())]
    theirs = [p for p in inspect.signature(function).parameters if p != "name"]
    implied = _implied(facts)
    odd = [n for n in own if n not in theirs and n not in implied]
    renamed = dict(zip(odd, [p for p in theirs if p not in own], strict=True))

    def call(**arguments: Any) -> Any:
        return function(**{renamed.get(key, key): value for key, value in arguments.items()})

    call.renamed = renamed
    return call


def _made(tf: Any, value: Any, known: bool, feed: dict[Any, Any], inits: list[Any]) -> Any:
    if isinstance(value, list):
        return [_made(tf, v, known, feed, inits) for v in value]
    kind = value[0]
    if kind == "python":
        return value[1]
    if kind in OF_ONE_RUN:
        _, shape, dtype = value
        if kind == "stack":
            return raw(tf, "StackV2", "stack", max_size=2, elem_type=dtype)
        return raw(tf, "TensorArrayV3", "array", size=2, dtype=dtype, element_shape=shape)[0]
    if kind in ("reference", "handle"):
        _, shape, dtype = value
        name = f"v{len(inits)}"
        start = tf.zeros([2 if n is None else n for n in shape or ()], dtype, name=f"{name}/zeros")
        if kind == "reference":
            variable = raw(tf, "VariableV2", name, shape=shape, dtype=dtype, shared_name=name)
            inits.append(raw(tf, "Assign", f"{name}/init", ref=variable, value=start).op)
        else:
            variable = raw(tf, "VarHandleOp", name, shape=shape, dtype=dtype, shared_name=name)
            inits.append(raw(tf, "AssignVariableOp", f"{name}/init", resource=variable, value=start))
        return variable
    _, array, dtype = value
    if dtype.startswith("q") or dtype == "bfloat16":
        return tf.placeholder(dtype, array.shape)
    if known:
        return tf.constant(array, dtype)
    tensor = tf.placeholder(dtype)
    feed[tensor] = array
    return tensor


def _attr_given(tf: Any, call: Any, value: Any) -> Any:
    if isinstance(value, dict):
        with tf.Graph().as_default():
            return tf.constant(value["tensor"]).op.get_attr("value")
    return value


# -- the golden file -----------------------------------------------------------------------------------------------


def record(tf: Any, rewrite: Any) -> dict[str, Any]:
    """Op type -> its good call and the oracle's answers; what is not refused is left out."""
    found = {}
    types = {op for op, area in AREAS.items() if area in ("language", "control flow", "summary")}
    for op_type, sample in samples(tf, types & set(dir(tf.raw_ops))).items():
        function = by_own_names(getattr(tf.raw_ops, op_type), op_type)
        answers: dict[str, Any] = {}
        for label, call in bad_calls(op_type, sample).items():
            given = [answer(tf, op_type, call, known, function) for known in (True, False)]
            told = [None if g is None else _told(g, rewrite) for g in given]
            # One answer stands for both if they are equal.
            if told[0] == told[1]:
                if told[0]:
                    answers[label] = told[0]
            else:
                answers[label] = {"known": told[0], "fed": told[1]}
        found[op_type] = {"sample": sample, "answers": answers}
        if function.renamed:
            found[op_type]["renamed"] = function.renamed
    return found


def _told(refusal: Refusal, rewrite: Any) -> list[Any]:
    error = rewrite({"@error": [refusal.classes[0]], "text": refusal.text})
    return [error["@error"][0], error["text"], refusal.when]
