"""ONNX models as records: `record_of_model(onnx.load("model.onnx"))`, `record_of_file(path)`. No state.

Initializers are variables, graph inputs placeholders, and each output of the graph is a node. The subgraphs of an If, Loop or
Scan are scopes beside it; a call of a function of the model is the function's nodes in a scope. Weights are not read, and nothing
outside the file is opened.
"""

from __future__ import annotations

import pathlib
from collections import ChainMap
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final, NamedTuple, TypeAlias

from ..labels import shorten
from ..records import GraphRecord
from .record_parts import DEEPEST, UNKNOWN, GraphReadError, Parts, Typed, Value, library

_LISTED: Final = 16  # items of a list, or elements of a tensor, that an attribute's text names
_DTYPES: Final = {"FLOAT": "float32", "DOUBLE": "float64"}
# A value may have a new name in each function that it is handed to; a chain that is longer than this goes in a circle.
_MOST_NAMES: Final = 10_000


def record_of_file(path: pathlib.Path) -> GraphRecord:
    """The record of an .onnx file.

    Raises: ImportError without the onnx package; as record_of_model, also for a file that is damaged; OSError for one that cannot
    be read.
    """
    onnx = library("onnx", "An ONNX file")
    data = path.read_bytes()
    try:
        model = onnx.load_model_from_string(data)
    except Exception as error:  # DecodeError of the protobuf package, or what its parser in C raises
        raise GraphReadError(
            f"{path.name} is no ONNX model: {type(error).__name__} {str(error)[:200]}".rstrip()
        ) from None
    if not model.HasField("graph"):
        raise GraphReadError(f"{path.name} is no ONNX model: it has no graph")
    return record_of_model(model)


def record_of_model(model: Any) -> GraphRecord:
    """The record of a ModelProto, GraphProto or FunctionProto.

    Raises: GraphReadError for a node that takes what no node makes, and for functions that call themselves;
    ResourceExhaustedError for a model beyond the budget (tf.io.Budget).
    """
    reader = _Reader(getattr(model, "functions", ()))
    values: _Values = ChainMap()
    if hasattr(model, "output_type") or (
        not hasattr(model, "initializer") and not hasattr(model, "graph")
    ):  # a FunctionProto
        for name in model.input:
            values[name] = reader.input(name, UNKNOWN, "")
        reader.body(model, "", values, 0)
        names = list(model.output)
    else:
        graph = model.graph if hasattr(model, "graph") else model
        reader.graph(graph, "", values, 0)
        names = [output.name for output in graph.output]
    reader.outputs(names, values)
    reader.join()
    return reader.parts.record()


class _Alias(NamedTuple):
    """A value that has another name in another graph: an argument of a function, or its result. name: "" for an omitted one."""

    values: _Values
    name: str


_Values: TypeAlias = "ChainMap[str, Value | _Alias]"
"""The values of a graph by name; behind them those of the graphs around it."""


class _Input(NamedTuple):
    """An input to join once all nodes are known, since a file may list them in any order."""

    values: _Values
    name: str
    node: int
    place: int


class _Reader:
    """Adds graphs to `parts`; joins their inputs in the end."""

    def __init__(self, functions: Iterable[Any]) -> None:
        self.parts = Parts("The ONNX model")
        self._functions = {_key(function.domain, function.name, function): function for function in functions}
        self._inputs: list[_Input] = []

    # -- graphs ----------------------------------------------------------------------------------------------------------

    def graph(self, graph: Any, scope: str, values: _Values, depth: int) -> list[Value]:
        """Adds a GraphProto; answers its inputs that have no initializer."""
        for tensor in graph.initializer:
            values[tensor.name] = self._initializer(tensor.name, _tensor_type(tensor), scope)
        for sparse in graph.sparse_initializer:
            kind = Typed(_dtype(sparse.values.data_type), list(sparse.dims))
            values[sparse.values.name] = self._initializer(sparse.values.name, kind, scope)
        given: list[Value] = []
        for info in graph.input:
            if info.name not in values.maps[0]:
                values[info.name] = self.input(info.name, _type(info.type), scope)
                given.append(values[info.name])  # type: ignore[arg-type]
        self.body(graph, scope, values, depth)
        return given

    def body(self, graph: Any, scope: str, values: _Values, depth: int) -> None:
        """Adds the nodes of a GraphProto or FunctionProto."""
        if depth > DEEPEST:
            raise GraphReadError(
                f"graphs in the model are nested more than {DEEPEST} deep, or a function calls itself"
            )
        listed = [*graph.value_info, *(info for info in graph.output if hasattr(info, "type"))]
        types = {info.name: _type(info.type) for info in listed}
        for node in graph.node:
            function = self._functions.get(_key(node.domain, node.op_type, node))
            if function is None:
                self._node(node, scope, values, types, depth)
            else:
                self._call(node, function, scope, values, depth)

    def input(self, name: str, kind: Typed, scope: str) -> Value:
        """Adds an input of a graph."""
        return Value(
            self.parts.node("Input", name, scope, role="placeholder", outputs=[kind._replace(name=name)])
        )

    def outputs(self, names: Iterable[str], values: _Values) -> None:
        """Adds a node for each output of the whole graph."""
        for name in names:
            node = self.parts.node("Output", name, role="noop")
            self._inputs.append(_Input(values, name, node, 0))

    def join(self) -> None:
        """Joins all inputs to what makes them."""
        for values, name, node, place in self._inputs:
            source = self._resolved(values, name, node)
            if source is not None:
                self.parts.edge(source, node, place)

    def _resolved(self, values: _Values, name: str, node: int) -> Value | None:
        """What makes a value; None for an omitted input."""
        wanted = name
        for _ in range(_MOST_NAMES):
            if not name:
                return None
            found = values.get(name)
            if found is None:
                break
            if isinstance(found, Value):
                return found
            values, name = found
        reason = f"{self.parts.name(node)!r:.200} takes {wanted!r:.200}, which no node and no input of the graph gives"
        raise GraphReadError(f"the ONNX model is damaged: {reason}")

    def _initializer(self, name: str, kind: Typed, scope: str) -> Value:
        node = self.parts.node(
            "Initializer",
            name,
            scope,
            role="variable",
            outputs=[kind._replace(name=name)],
            stateful=True,
            variable=True,
        )
        return Value(node)

    # -- nodes -----------------------------------------------------------------------------------------------------------

    def _node(self, node: Any, scope: str, values: _Values, types: dict[str, Typed], depth: int) -> None:
        path = self.parts.place(node.name or node.op_type, scope)
        subgraphs = [
            (attr.name, graph)
            for attr in node.attribute
            for graph in ([attr.g] if attr.HasField("g") else attr.graphs)
        ]
        domain = "" if node.domain in ("", "ai.onnx") else f"{node.domain}."
        is_constant = not node.input and node.op_type == "Constant" and not domain
        number = self.parts.node(
            domain + node.op_type,
            path=path,
            role="constant" if is_constant else "control" if subgraphs else "op",
            outputs=[types.get(name, UNKNOWN)._replace(name=name or None) for name in node.output],
            attrs=[(attr.name, _attr_text(attr)) for attr in node.attribute],
        )
        for place, name in enumerate(node.output):
            if name:
                values[name] = Value(number, place)
        entering: set[int] = set()
        results = len(node.input)
        for name, graph in subgraphs:
            inner: _Values = values.new_child()
            inside = self.parts.place(name, path)
            given = self.graph(graph, inside, inner, depth + 1)
            entering |= self._enter(node, graph, given, values, inner)
            for output in graph.output:
                self._inputs.append(_Input(inner, output.name, number, results))
                results += 1
        for place, name in enumerate(node.input):
            if name and place not in entering:
                self._inputs.append(_Input(values, name, number, place))

    def _enter(
        self, node: Any, graph: Any, given: Sequence[Value], values: _Values, inner: _Values
    ) -> set[int]:
        """Joins the inputs of a node to those of its subgraph, and what a loop carries to the next pass.

        Answers which inputs of the node enter the subgraph.
        """
        if len(given) != len(node.input):
            return set()
        is_loop = node.op_type == "Loop"
        # A Loop's first input is the number of passes, and its graph's first input the number of the pass.
        entering = range(1 if is_loop else 0, len(given))
        for place in entering:
            self._inputs.append(_Input(values, node.input[place], given[place].node, 0))
        scanned = next((attr.i for attr in node.attribute if attr.name == "num_scan_inputs"), None)
        carried = (
            list(entering)
            if is_loop
            else []
            if scanned is None
            else list(entering)[: max(0, len(given) - scanned)]
        )
        for place, output in zip(carried, graph.output):
            self._inputs.append(_Input(inner, output.name, given[place].node, 1))
        return set(entering)

    def _call(self, node: Any, function: Any, scope: str, values: _Values, depth: int) -> None:
        """The nodes of a function in a scope of the call's name."""
        inside = self.parts.place(node.name or node.op_type, scope)
        inner: _Values = ChainMap()
        for place, name in enumerate(function.input):
            inner[name] = _Alias(values, node.input[place] if place < len(node.input) else "")
        self.body(function, inside, inner, depth + 1)
        for name, result in zip(node.output, function.output):
            if name:
                values[name] = _Alias(inner, result)


def _key(domain: str, name: str, proto: Any) -> tuple[str, str, str]:
    return ("" if domain == "ai.onnx" else domain, name, getattr(proto, "overload", ""))


# -- types and attributes --------------------------------------------------------------------------------------------------


def _dtype(number: int) -> str:
    from onnx import TensorProto

    names = {value: name for name, value in TensorProto.DataType.items()}
    name: str = names.get(number, f"type {number}")
    return _DTYPES.get(name, name.lower())


def _tensor_type(tensor: Any) -> Typed:
    return Typed(_dtype(tensor.data_type), list(tensor.dims))


def _type(proto: Any) -> Typed:
    """The type of a value; what is no tensor is told in words."""
    kind = proto.WhichOneof("value")
    if kind in ("tensor_type", "sparse_tensor_type"):
        tensor = getattr(proto, kind)
        dtype = _dtype(tensor.elem_type) if tensor.elem_type else ""
        if not tensor.HasField("shape"):
            return Typed(dtype)
        return Typed(dtype, [_size(dim) for dim in tensor.shape.dim])
    if kind is None:
        return UNKNOWN
    text = shorten(_type_words(proto), 100)
    return Typed(text, None, text)


def _type_words(proto: Any) -> str:
    kind = proto.WhichOneof("value")
    if kind in ("sequence_type", "optional_type"):
        return f"{kind.removesuffix('_type')}({_type_words(getattr(proto, kind).elem_type)})"
    if kind == "map_type":
        return f"map({_dtype(proto.map_type.key_type)}, {_type_words(proto.map_type.value_type)})"
    return str(_type(proto).dtype)


def _size(dim: Any) -> int | str | None:
    kind = dim.WhichOneof("value")
    return None if kind is None else getattr(dim, kind)


def _attr_text(attr: Any) -> str:
    if attr.ref_attr_name:
        return f"@{attr.ref_attr_name}"
    for field in ("t", "g", "tp", "sparse_tensor"):
        if attr.HasField(field):
            return _message_text(field, getattr(attr, field))
    for field in ("floats", "ints", "strings", "tensors", "graphs", "type_protos", "sparse_tensors"):
        items = getattr(attr, field)
        if items:
            return f"[{', '.join(_items(field, items))}]"
    for field in ("f", "i", "s"):
        if attr.HasField(field):
            return _scalar(getattr(attr, field))
    return "[]"


def _items(field: str, items: Sequence[Any]) -> Iterator[str]:
    for item in items[:_LISTED]:
        yield _scalar(item) if field in ("floats", "ints", "strings") else _message_text(field[:-1], item)
    if len(items) > _LISTED:
        yield f"… {len(items)} items"


def _scalar(value: Any) -> str:
    if isinstance(value, bytes):
        return shorten(repr(value[:201]))
    return f"{value:g}" if isinstance(value, float) else str(value)


def _message_text(field: str, message: Any) -> str:
    if field in ("t", "tensor"):
        kind = _tensor_type(message)
        values = "".join(f" {text}" for text in _values(message))
        return f"{kind.dtype} [{', '.join(map(str, kind.shape or ()))}]{values}"
    if field in ("g", "graph"):
        return message.name or "graph"
    if field in ("tp", "type_proto"):
        return _type_words(message)
    return f"sparse {_dtype(message.values.data_type)} [{', '.join(map(str, message.dims))}]"


def _values(tensor: Any) -> Iterator[str]:
    """The elements of a small tensor that the file itself holds."""
    from onnx import TensorProto, numpy_helper

    size = 1
    for dim in tensor.dims:
        size *= dim
    if not 0 < size <= _LISTED or tensor.data_location == TensorProto.EXTERNAL:
        return
    try:
        yield str(numpy_helper.to_array(tensor).tolist())
    except (ValueError, TypeError, KeyError) as error:
        raise GraphReadError(
            f"the ONNX model is damaged: tensor {tensor.name!r:.100}: {error}"[:400]
        ) from None


__all__ = ["record_of_file", "record_of_model"]
