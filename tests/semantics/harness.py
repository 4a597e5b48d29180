"""Programs that run under tfedu and under the oracle, their results as JSON, and the comparison of the two.

A program is a function ``f(tf, np)`` that returns plain values, arrays, tensors, errors (``attempt``) and graphs (``graph_of``).
``tools/oracle/record.py`` runs it under the oracle and writes ``encode(result)`` to ``tests/golden``; a test runs it under tfedu
and hands both to ``differences``. State: ``PROGRAMS``, the table of all programs of the modules imported so far.
Programs of contrib run under TF 1.15.0 itself, so this module and theirs keep to the syntax and the library of Python 3.7.
"""

from __future__ import annotations

import inspect
import math
import os
import re
import tempfile
from collections import OrderedDict
from collections.abc import Callable
from typing import Any

import numpy as np

# Op types of contrib's own libraries, which 1.15 loads and the registry of no release holds; programs call them.
OF_CONTRIB = frozenset({"GatherTree", "SparseFeatureCross", "SparseFeatureCrossV2"})
# A run on several devices makes them. TensorFlow's two nodes of a pair have no edge between them, and tfedu's have.
OF_PARTITIONS = frozenset({"_HostRecv", "_HostSend", "_Recv", "_Send"})

PROGRAMS: dict[str, Callable[[Any, Any], Any]] = {}

TOLERANCE = {
    "float16": 2e-3,
    "bfloat16": 2e-2,
    "float32": 1e-5,
    "float64": 1e-10,
    "complex64": 1e-5,
    "complex128": 1e-10,
}


def program(f: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    """Registers f as module.name; the golden file is named after the module."""
    PROGRAMS[f"{f.__module__.rpartition('.')[2].replace('programs_', '')}.{f.__name__}"] = f
    return f


def run(name: str, tf: Any) -> Any:
    """The encoded result of one program on a fresh default graph."""
    tf.reset_default_graph()
    try:
        return encode(tf, PROGRAMS[name](tf, np))
    finally:
        tf.reset_default_graph()


# Parameters that tfedu adds at the end, and those that 2.15 has and 1.15 lacks.
NOT_IN_1_15 = {"schedule", "save_graph_def", "local_init_feed_dict", "fn_output_signature"}


def signature_text(f):
    """Parameters as text, without ``self`` and without those that 1.15 lacks."""
    parameters = list(inspect.signature(f).parameters.values())
    texts = []
    for p in parameters:
        if p.name in ("self", "cls") or p.name in NOT_IN_1_15:
            continue
        mark = {p.VAR_POSITIONAL: "*", p.VAR_KEYWORD: "**"}.get(p.kind, "")
        value = getattr(p.default, "__name__", None) or repr(p.default)
        default = "" if p.default is p.empty else f"={'object' if type(p.default) is object else value}"
        texts.append(f"{mark}{p.name}{default}")
    return ", ".join(texts)


class Near:
    """An array that is compared with a tolerance of its own."""

    def __init__(self, array: Any, within: float) -> None:
        self.array, self.within = array, within


class Failure:
    """A caught exception; ``classes`` are the names of its class and all base classes, ``whole`` its text."""

    def __init__(self, error: BaseException) -> None:
        self.classes = [
            c.__name__ for c in type(error).__mro__ if c not in (object, BaseException, Exception)
        ]
        text = getattr(error, "message", None)
        if not isinstance(text, str):
            text = error.args[0] if isinstance(error, KeyError) and error.args else error
        self.text, self.whole = first_line(str(text)), str(error)
        op = getattr(error, "op", None)
        self.op = op.name if op is not None else None


def attempt(f: Callable[[], Any]) -> Any:
    """The result of f(), or the Failure that it raises."""
    try:
        return f()
    except Exception as error:
        return Failure(error)


def in_folder(f: Callable[[str], Any]) -> Any:
    """The result of f(folder) in that working directory; texts have DIR instead of its name."""

    def shorn(value: Any, folder: str) -> Any:
        if isinstance(value, str):
            return value.replace(folder, "DIR")
        if isinstance(value, bytes):
            return value.replace(folder.encode(), b"DIR")
        if isinstance(value, (list, tuple)):
            return [shorn(v, folder) for v in value]
        if isinstance(value, dict):
            return {shorn(k, folder): shorn(v, folder) for k, v in value.items()}
        if isinstance(value, Failure):
            value.text, value.whole = shorn(value.text, folder), shorn(value.whole, folder)
        return value

    before = os.getcwd()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        try:
            return shorn(f(folder), folder)
        finally:
            os.chdir(before)


def raw(tf: Any, op_type: str, name: str | None = None, **arguments: Any) -> Any:
    """A node of that type: inputs and attributes by TF's own names. Returns its outputs as the generated caller does."""
    if hasattr(tf, "raw_ops") and hasattr(tf.raw_ops, op_type):
        return getattr(tf.raw_ops, op_type)(**arguments, name=name)
    from tfedu.engine.op.create import build
    from tfedu.engine.op.define import REGISTRY

    definition = REGISTRY[op_type]
    inputs = tuple(arguments.pop(a.name) for a in definition.inputs)
    return build(definition, inputs, {**definition.defaults, **arguments}, name)


def fresh(tf: Any, f: Callable[[], Any]) -> Any:
    """attempt(f) in a graph of its own, so that names and nodes of a failed call do not affect later calls."""
    with tf.Graph().as_default():
        return attempt(f)


def first_line(text: str) -> str:
    """The first line of TF's own text, without the frame that newer releases put around run-time errors.

    So are the numbers of what lives for one run, which depend on what ran before.
    """
    text = re.sub(
        r"\AGraph execution error:\s*(Detected at node.*?\nNode: '[^\n]*'\n)?", "", text, flags=re.S
    )
    # 1.15 puts the lines of a layer's `call` before its text.
    text = re.sub(r"\Ain converted code:\n.*\n\n    \w+: ", "", text, flags=re.S)
    line = text.strip().split("\n")[0].strip()
    return re.sub(r"\A(TensorArray \S+?|Stack\[\S+?|Wrong input container\. \S+?)_\d+(?=@|:|\]| has)", r"\1", line)


def graph_of(tf: Any, *attrs: str, since: int = 0) -> dict[str, Any]:
    """The default graph, a line a node: ``name = Type(inputs, ^controls) -> dtype [shape], … | attr=value``, and its collections.

    Args:
      attrs: attributes to write down (where a node has them).
      since: leave out that many of the first nodes.
    """
    graph = tf.get_default_graph()
    return {
        "nodes": [node_line(op, attrs) for op in graph.get_operations()[since:]],
        "collections": {
            str(key): [getattr(item, "name", str(type(item).__name__)) for item in graph.get_collection(key)]
            for key in sorted(map(str, graph.get_all_collection_keys()))
            if not str(key).startswith("__") and key != "cond_context"
        },
    }


def node_line(op: Any, attrs: tuple[str, ...] = ()) -> str:
    """One node as text."""
    # Control inputs are a set.
    inputs = [re.sub(":0$", "", t.name) for t in op.inputs] + sorted(f"^{c.name}" for c in op.control_inputs)
    outputs = [f"{t.dtype.name} {shape_text(t.shape)}" for t in op.outputs]
    line = f"{op.name} = {op.type}({', '.join(inputs)})"
    if outputs:
        line += f" -> {', '.join(outputs)}"
    if op.device:
        line += f" @{op.device}"
    groups = [g.decode() if isinstance(g, bytes) else g for g in op.colocation_groups()]
    if groups not in ([], [f"loc:@{op.name}"]):
        line += f" ~{','.join(groups)}"
    for name in attrs:
        try:
            line += f" | {name}={attr_text(op.get_attr(name))}"
        except ValueError:
            continue
    return line


def shape_text(shape: Any) -> str:
    """[2,?] or <unknown>."""
    if shape.ndims is None:
        return "<unknown>"
    return "[" + ",".join("?" if d is None else str(d) for d in shape.as_list()) + "]"


def attr_text(value: Any) -> str:
    """An attribute's value as text, from a message, a Python value or an object."""
    if isinstance(value, bytes):
        return value.decode("latin-1")
    if value is None:
        return "<unknown>"
    if isinstance(value, (list, tuple)):
        return "[" + ",".join("?" if v is None else attr_text(v) for v in value) + "]"
    if hasattr(value, "unknown_rank"):
        dims = ["?" if d.size < 0 else str(d.size) for d in value.dim]
        return "<unknown>" if value.unknown_rank else "[" + ",".join(dims) + "]"
    if hasattr(value, "ndims") and hasattr(value, "as_list"):
        return shape_text(value)
    if hasattr(value, "as_datatype_enum"):
        return str(value.name)
    return str(value)


def number(value: Any) -> Any:
    """One array element as JSON: the shortest text that reads back as the same number of that dtype."""
    if isinstance(value, bytes):
        return value.decode("latin-1")
    if isinstance(value, (str, bool, int)):
        return value
    if isinstance(value, np.bool_):
        return bool(value)
    if isinstance(value, np.integer):
        return int(value)
    if isinstance(value, (complex, np.complexfloating)):
        return [number(value.real), number(value.imag)]
    if isinstance(value, float) and not isinstance(value, np.floating):
        return value if math.isfinite(value) else str(value)
    if not np.isfinite(value):
        return str(float(value))
    short = float(np.format_float_scientific(value)) if isinstance(value, np.floating) else float(value)
    whole = short.is_integer() and abs(short) < 2**53 and str(short) != "-0.0"
    return int(short) if whole else short


def encode(tf: Any, value: Any) -> Any:
    """JSON of any result; other types than JSON's become objects with one key that begins with @."""
    if value is None or isinstance(value, (bool, str)):
        return value
    if isinstance(value, np.ndarray) or (
        isinstance(value, np.generic) and not isinstance(value, (bytes, str))
    ):
        kind = "@array" if isinstance(value, np.ndarray) else "@scalar"
        flat = [number(v) for v in np.asarray(value).reshape(-1)]
        return {kind: f"{value.dtype.name} {list(value.shape)}".replace(", ", ","), "v": flat}
    if isinstance(value, int):
        return int(value) if type(value) is int else {"@" + type(value).__name__: int(value)}
    if isinstance(value, float):
        return {"@float": number(value)}
    if isinstance(value, bytes):
        return {"@bytes": value.decode("latin-1")}
    if isinstance(value, Near):
        return {**encode(tf, value.array), "within": value.within}
    if isinstance(value, Failure):
        return {"@error": value.classes, "text": value.text, **({"op": value.op} if value.op else {})}
    if isinstance(value, tuple):
        kind = "@tuple" if type(value) is tuple else f"@{type(value).__name__}"
        return {kind: [encode(tf, v) for v in value]}
    if isinstance(value, list):
        return [encode(tf, v) for v in value]
    if isinstance(value, dict):
        if type(value) is dict and all(isinstance(k, str) and not k.startswith("@") for k in value):
            return {k: encode(tf, v) for k, v in value.items()}
        kind = "@OrderedDict" if isinstance(value, OrderedDict) else "@dict"
        return {kind: [[encode(tf, k), encode(tf, v)] for k, v in value.items()]}
    if isinstance(value, tf.Tensor):
        return {"@tensor": f"{value.name} {value.dtype.name} {shape_text(value.shape)}"}
    if isinstance(value, tf.Operation):
        return {"@op": f"{value.name} {value.type}"}
    if isinstance(value, tf.TensorShape):
        return {"@shape": shape_text(value)}
    if isinstance(value, tf.DType):
        return {"@dtype": value.name}
    if isinstance(value, tf.Dimension):
        return {"@dim": value.value}
    return {"@object": type(value).__name__}


def differences(expected: Any, got: Any, where: str = "") -> list[str]:
    """Every difference between `expected` and `got`; empty when they agree.

    Floats agree within TOLERANCE of their dtype (relative, with the largest finite value of the array as scale), NaN agrees with
    NaN; an error agrees if its class, or a base class of it, and its first line are the recorded ones (blanks count as one).
    """
    if isinstance(expected, dict) and isinstance(got, dict):
        if "@error" in expected and "@error" in got:
            return _error_differences(expected, got, where)
        array = next((k for k in ("@array", "@scalar") if k in expected), None)
        if array and array in got and expected[array] == got[array]:
            return _array_differences(expected[array].split()[0], expected["v"], got["v"], where, expected.get("within"))
        if list(expected) != list(got):
            return [f"{where}: expected {_brief(expected)}\n    got {_brief(got)}"]
        return [d for k in expected for d in differences(expected[k], got[k], f"{where}.{k}")]
    if isinstance(expected, list) and isinstance(got, list):
        found = [
            d
            for i, (e, g) in enumerate(zip(expected, got, strict=False))
            for d in differences(e, g, f"{where}[{i}]")
        ]
        if len(expected) != len(got):
            longer, sign = (expected, "missing") if len(expected) > len(got) else (got, "too many")
            found += [f"{where}: {sign}: {_brief(x)}" for x in longer[min(len(expected), len(got)) :]]
        return found
    if "@float" in where and isinstance(expected, (int, float)) and isinstance(got, (int, float)):
        return _array_differences("float64", [expected], [got], where)
    if type(expected) is not type(got) or expected != got:
        return [f"{where}: expected {_brief(expected)}\n    got {_brief(got)}"]
    return []


def _brief(value: Any) -> str:
    text = value if isinstance(value, str) else repr(value)
    return text if len(text) <= 600 else text[:600] + "…"


def _error_differences(expected: dict[str, Any], got: dict[str, Any], where: str) -> list[str]:
    found = []
    if expected["@error"][0] not in got["@error"]:
        found.append(
            f"{where}: expected a {expected['@error'][0]} ({expected['text']})\n    got {got['@error'][0]}: {got['text']}"
        )
    texts = expected["text"] if isinstance(expected["text"], list) else [expected["text"]]
    accepted = [_same_text(t) for t in texts]
    given = _same_text(got["text"])
    # If a shape function adds a context of its own, TF names the node on the next line.
    if given not in accepted and not any(given.startswith(f"{t} for '") for t in accepted):
        found.append(f"{where}: expected the text {' or '.join(texts)}\n    got {got['text']}")
    if "op" in expected and expected["op"] != got.get("op"):
        found.append(f"{where}: expected error.op {expected.get('op')}, got {got.get('op')}")
    return found


def _same_text(text: str) -> str:
    """The text with single blanks and no full stop at its end.

    The releases of TF differ in which dtypes an op allows, so that list is left out; those of NumPy in bool's name. Which
    inputs a shape function happened to look at is left out too.
    """
    text = re.sub(r"^Got an unexpected keyword", "got an unexpected keyword", text)  # from TF's own decorator
    text = re.sub(r"^\w+\(\) got an unexpected keyword", "got an unexpected keyword", text)
    text = " ".join(text.split()).partition("not in list of allowed values:")[0]
    text = re.split(
        r"\.? and with (computed input tensors|input tensors computed as partial shapes): ", text
    )[0]
    return text.replace("numpy.bool_", "numpy.bool").rstrip(".")


def _array_differences(
    dtype: str, expected: list[Any], got: list[Any], where: str, within: float | None = None
) -> list[str]:
    if len(expected) == len(got) and dtype in TOLERANCE:
        tolerance = within or TOLERANCE[dtype]
        close = np.allclose(
            _floats(got),
            _floats(expected),
            rtol=tolerance,
            atol=_scale(expected) * tolerance * 0.1,
            equal_nan=True,
        )
        return [] if close else [f"{where}: expected {dtype} {_brief(expected)}\n    got {_brief(got)}"]
    return [] if expected == got else [f"{where}: expected {dtype} {_brief(expected)}\n    got {_brief(got)}"]


def _floats(values: list[Any]) -> Any:
    flat = [part for v in values for part in (v if isinstance(v, list) else [v])]
    return np.array([float(v) for v in flat], np.float64)


def _scale(values: list[Any]) -> float:
    finite = _floats(values)
    finite = np.abs(finite[np.isfinite(finite)])
    return float(min(finite.max(), 1.0)) if finite.size else 0.0
