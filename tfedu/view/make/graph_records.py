"""From the engine's graphs to records: `graph_record(graph)`, `graph_record(tensor)` for the surroundings of a tensor.

A record is plain data: it does not change when the graph grows. State: caches of texts, since most texts of a large graph occur
many times.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, Final, Literal, NamedTuple, TypeAlias

import numpy as np

from ...engine.base.dtypes import DType, bfloat16, bfloat16_values
from ...engine.base.garbage_collection import collection_paused
from ...engine.base.shapes import TensorShape
from ...engine.base.site import Site
from ...engine.graph.graph import Graph
from ...engine.graph.nodes import Operation, Tensor
from ...engine.op.definition import definition_of
from ...engine.op.definition import role_of as declared_role
from ...engine.ops.transfers import PAIRS, sender
from ...engine.replay.tensor_array_accesses import Elements
from ...engine.runtime.store import Handle
from ..labels import leaf, shorten
from ..records import (
    BlockRecord,
    EdgeKind,
    EdgeRecord,
    GraphRecord,
    GroupRecord,
    NodeRecord,
    NoticeRecord,
    OutputRecord,
    Role,
    ScopeRecord,
    SiteRecord,
    TransferRecord,
    VariableRecord,
)
from .control_flow_boxes import boxes_of
from .drawn_places import places_of
from .gradient_nodes import gradient_records
from .loop_records import loops_of
from .networks.layer_records import layer_records, layers_of_repeats, parameters_of
from .networks.repeated_blocks import LEAST, Edge, Node, groups_of
from .programs.program_lines import code_records
from .programs.program_names import program_names
from .scope_paths import parents_of
from .tensor_texts import shape_text, tensor_text

# How a picture draws the roles that op types declare; all others are drawn as "op".
_DRAWN_AS: Final[dict[str, Role]] = {
    "constant": "constant",
    "placeholder": "placeholder",
    "placeholder_with_default": "placeholder",
    "variable": "variable",
    "temporary": "variable",
    "read": "read",
    "update": "update",
    "optimizer_step": "update",
    "noop": "noop",
    "switch": "control",
    "merge": "control",
    "enter": "control",
    "exit": "control",
    "next_iteration": "control",
    "loop_cond": "control",
    "select_reference": "control",
    "trigger": "control",
}
# An imported graph may have op types that tfedu lacks: only their names tell their roles.
_LACKING: Final[dict[str, Role]] = {"PlaceholderV2": "placeholder"}
EXPECTED: Final = (
    "a graph, a tensor, an operation or a list of them; a GraphDef, MetaGraphDef or SavedModel; an onnx.ModelProto, GraphProto "
    "or FunctionProto; a torch.fx.GraphModule or Graph; a torch.export.ExportedProgram; what jax.make_jaxpr(f)(x) gives "
    "(ClosedJaxpr, Jaxpr), jax.jit(f).trace(x) (Traced), .lower(x) (Lowered) or .compile() (Compiled), or its text; a Keras 3 "
    "Model; or a networkx.DiGraph"
)
"""What has a picture, for errors."""
_UPDATE_NAME: Final = re.compile(r"(Resource)?(Sparse)?(Assign|Apply|Scatter)")
_IPYTHON: Final = re.compile(r"^<ipython-input-\d+-")


AttrTexts: TypeAlias = tuple[tuple[str, str], ...]
Sites: TypeAlias = dict[tuple[str | int, int], SiteRecord]
"""Records of lines that were made already: by file and line, and by the ids of code objects and instructions."""


@dataclass(frozen=True, slots=True)
class Part:
    """The nodes of a graph that a record shows.

    is_complete: whether these are all nodes of the graph. focus: the ids of the nodes that the caller asked for. steps: how many
    edges before these a node may be.
    """

    graph: Graph
    operations: tuple[Operation, ...]
    is_complete: bool
    focus: tuple[int, ...] = ()
    steps: int = 0


def complete(graph: Graph) -> Part:
    """All nodes of a graph."""
    return Part(graph, tuple(graph.operations), is_complete=True)


@collection_paused()
def graph_record(target: Any, *, steps: int = 3) -> GraphRecord:
    """The record of a graph; of a tensor, operation, variable or a list of them: their surroundings.

    Surroundings are the ancestors within `steps` edges and the direct consumers; a notice counts what is left out.

    Raises: TypeError for what is neither, ValueError for nodes of different graphs.
    """
    return grouped_record(part_of(target, steps=steps))


def grouped_record(part: Part) -> GraphRecord:
    """The record of the chosen nodes, with groups around blocks that repeat and around series."""
    record = record_of(part)
    places = {node.id: place for place, node in enumerate(record.nodes)}
    edges = [
        Edge.of(edge.kind, places[edge.source], edge.output, places[edge.target], edge.input) for edge in record.edges
    ]
    scopes = [node.scope for node in record.nodes]
    groups_by_place = grouping(part.operations, scopes, edges, {scope.path: scope.parent for scope in record.scopes})
    ids = list(places)
    groups = tuple([replace(group, nodes=tuple([ids[place] for place in group.nodes])) for group in groups_by_place])
    return replace(record, groups=groups, layers=(*record.layers, *layers_of_repeats(groups, record.layers)))


def grouping(
    operations: Sequence[Operation], scopes: Sequence[str], edges: Sequence[Edge], parents: Mapping[str, str]
) -> tuple[GroupRecord, ...]:
    """The groups among the operations; nodes and edges name them by their places.

    scopes: for each operation its scope. parents: for each scope the scope around it.
    """
    if len(operations) < LEAST:
        return ()
    # Many nodes share one dict of attributes.
    known: dict[Hashable, int] = {}
    nodes = [Node(op.name, scope, signature_of(op, known)) for op, scope in zip(operations, scopes, strict=True)]
    return groups_of(nodes, edges, parents)


# Attributes that differ between copies of one block: names and seeds.
_OWN: Final = frozenset(("_class", "shared_name", "seed", "seed2"))


def signature_of(op: Operation, known: dict[Hashable, int]) -> Hashable:
    """Op type, device, attributes and outputs of a node, equal for copies of one block.

    known: the number of each dict of attributes, by its id and by its values.
    """
    attrs = known.get(id(op.attrs))
    if attrs is None:
        values = tuple([(key, _hashable(value)) for key, value in op.attrs.items() if key not in _OWN])
        attrs = known[id(op.attrs)] = known.setdefault(values, len(known))
    return op.type, op.device, attrs, tuple([(tensor.dtype.name, tensor.raw_shape) for tensor in op.outputs])


def _hashable(value: Any) -> Hashable:
    if isinstance(value, DType):
        return value.name
    if isinstance(value, (str, int)):
        return value
    if isinstance(value, np.ndarray):
        return value.dtype.str, value.shape, str(value.tolist()) if value.dtype.hasobject else value.tobytes()
    if isinstance(value, (list, tuple)):
        return tuple([_hashable(item) for item in value])
    return value if isinstance(value, Hashable) else attr_text(value)


def same_in(copy: Graph, target: Any) -> Any:
    """A target as a copy of its graph has it, whose nodes have the ids of the original."""
    return copy if isinstance(target, Graph) else [copy.operations[op.id] for op in _operations_of(target)]


def part_of(target: Any, *, steps: int = 3) -> Part:
    """The nodes that a picture of `target` shows.

    Raises: as graph_record.
    """
    if isinstance(target, Graph):
        return complete(target)
    centre = _operations_of(target)
    if not centre:
        raise TypeError("nothing to show: an empty list")
    graph = centre[0].graph
    assert isinstance(graph, Graph)
    for op in centre:
        if op.graph is not graph:
            raise ValueError(f"{op!r} must be from the same graph as {centre[0]!r}.")
    chosen = {op.id: op for op in centre}
    frontier = list(chosen.values())
    for _ in range(steps):
        sources: dict[int, Operation] = {}
        for op in frontier:
            for source in (*(tensor.op for tensor in op.inputs), *op.control_inputs):
                if source.id not in chosen:
                    sources[source.id] = source
        chosen.update(sources)
        frontier = list(sources.values())
    for op in centre:
        for consumer in _consumers(op):
            chosen.setdefault(consumer.id, consumer)
    total = len(graph.operations)
    operations = tuple(chosen[id] for id in sorted(chosen))
    return Part(graph, operations, len(operations) == total, focus=tuple([op.id for op in centre]), steps=steps)


def _operations_of(target: Any) -> list[Operation]:
    if isinstance(target, Operation):
        return [target]
    if isinstance(target, Tensor):
        return [target.op]
    convert = getattr(target, "_as_graph_element", None)
    if convert is not None:
        return _operations_of(convert())
    if isinstance(target, (list, tuple)):
        return list(dict.fromkeys(op for item in target for op in _operations_of(item)))
    inner = getattr(target, "op", None)
    if isinstance(inner, (Operation, Tensor)):
        return _operations_of(inner)
    raise TypeError(f"cannot show a {type(target).__name__}: expected {EXPECTED}")


def _consumers(op: Operation) -> Iterator[Operation]:
    for tensor in op.outputs:
        yield from tensor.consumers()
    yield from op.control_outputs


# -- from operations to a record -----------------------------------------------------------------------------------


def record_of(part: Part) -> GraphRecord:
    """The record of the chosen nodes and of the edges between them."""
    graph, operations = part.graph, part.operations
    ids = {op.id for op in operations}
    gradients = tuple(gradient_records(operations))
    scope_of, parts = places_of(operations, gradients, part.is_complete)
    sites: Sites = {}
    attrs: dict[int, AttrTexts] = {}
    reference_inputs_of = {op.id: reference_inputs(op) for op in operations}
    nodes = tuple([node_record(op, scope_of[op.name], sites, attrs) for op in operations])
    scopes = scope_records(nodes)
    edges, left_out = _edges(graph, ids, reference_inputs_of, part.is_complete)
    blocks = tuple(_blocks(graph, ids, part.is_complete, sites))
    notices = [*reruns(operations)]
    if not part.is_complete:
        params: dict[str, str | int] = {"nodes": len(graph.operations) - len(ids), **left_out}
        if part.focus:
            params |= {"steps": part.steps, "of": _listed([graph.operations[id].name for id in part.focus])}
        notices.append(NoticeRecord("part", params))
    return GraphRecord(
        nodes=nodes,
        edges=edges,
        scopes=scopes,
        blocks=blocks,
        variables=tuple(variable_records(graph, operations)),
        gradients=gradients,
        notices=tuple(notices),
        boxes=boxes_of(operations, scope_of),
        loops=loops_of(operations),
        codes=code_records(sites_by_file(sites)),
        parts=parts,
        layers=layer_records(graph, {scope.path for scope in scopes}),
        transfers=tuple(transfer_records(operations, edges)),
        names=tuple([(op.id, name) for op, name in program_names(graph.operations).items() if op.id in ids]),
    )


def _listed(names: Sequence[str]) -> str:
    """The first names; … stands for others."""
    return ", ".join([*[shorten(leaf(name), 24) for name in names[:2]], *["…"][: len(names) > 2]])


def sites_by_file(sites: Sites) -> list[tuple[str, SiteRecord]]:
    """The lines among the records, each once, with their files."""
    return [(file, record) for (file, _), record in sites.items() if isinstance(file, str)]


def node_record(op: Operation, scope: str, sites: Sites, attrs: dict[int, AttrTexts]) -> NodeRecord:
    """The record of a node. sites, attrs: lines and attribute texts of other nodes, which this one may share."""
    outputs = tuple(
        [
            OutputRecord(
                name=f"{op.name}:{tensor.index}",
                dtype=tensor.dtype.name,
                shape=tensor.raw_shape,
                text=tensor_text(tensor),
            )
            for tensor in op.outputs
        ]
    )
    texts = attrs.get(id(op.attrs))
    if texts is None:
        texts = attrs[id(op.attrs)] = tuple([(key, attr_text(value, key)) for key, value in op.attrs.items()])
    stateful = bool(getattr(op.definition, "stateful", False))
    return NodeRecord(
        id=op.id,
        name=op.name,
        type=op.type,
        scope=scope,
        role=role_of(op),
        device=op.device,
        stateful=stateful,
        site=_site_of(op, sites),
        attrs=texts,
        outputs=outputs,
    )


def _site_of(op: Operation, known: Sites) -> SiteRecord | None:
    """The line that created the node; nodes of one instruction share a record."""
    raw = op._site
    if raw is None:
        return None
    key = (id(raw[0]), raw[1])
    if key not in known:
        record = site_record(op.site, known)
        assert record is not None
        known[key] = record
    return known[key]


def role_of(op: Operation) -> Role:
    """The role of a node, which gives its outline in a picture."""
    d = definition_of(op)
    if d is None:
        return _LACKING.get(op.type) or ("update" if _UPDATE_NAME.match(op.type) else "op")
    if d.role == "identity" and op.inputs and op.inputs[0].dtype.is_ref and not d.has_reference_inputs:
        return "read"
    return _DRAWN_AS.get(d.role, "op")


def reference_inputs(op: Operation) -> frozenset[int]:
    """The inputs that take a variable itself, not its value: those that the op type declares as references."""
    for tensor in op.inputs:
        if tensor.dtype.is_ref:
            break
    else:
        return frozenset()
    declared = getattr(op.definition, "inputs", None)
    if declared is None:
        # An imported node of an op type that tfedu lacks: these types take references in TF.
        if op.type.startswith("Ref"):
            return frozenset(index for index, tensor in enumerate(op.inputs) if tensor.dtype.is_ref)
        return frozenset((0,)) if role_of(op) == "update" and op.inputs[0].dtype.is_ref else frozenset()
    reference_indices: list[int] = []
    index = 0
    for argument in declared:
        count = 1
        if argument.number_attr is not None:
            count = int(op.attrs[argument.number_attr])
        elif argument.type_list_attr is not None:
            count = len(op.attrs[argument.type_list_attr])
        if argument.is_ref:
            reference_indices.extend(i for i in range(index, index + count) if op.inputs[i].dtype.is_ref)
        index += count
    return frozenset(reference_indices)


class InEdge(NamedTuple):
    """An edge into a node; on a control edge output and input are None."""

    kind: EdgeKind
    source: Operation
    output: int | None
    input: int | None


def edges_of(op: Operation) -> Iterator[InEdge]:
    """The edges into a node: data inputs in order, then control inputs."""
    refs = reference_inputs(op)
    for index, tensor in enumerate(op.inputs):
        yield InEdge("reference" if index in refs else "data", tensor.op, tensor.index, index)
    for source in op.control_inputs:
        yield InEdge("control", source, None, None)


def _edges(
    graph: Graph, shown: set[int], refs: dict[int, frozenset[int]], is_complete: bool
) -> tuple[tuple[EdgeRecord, ...], dict[str, int]]:
    """The edges between nodes in `shown`, and how many edges of each kind are left out.

    The id of an edge is its place among all edges of the graph, so that records of one graph agree on it.
    """
    edges: list[EdgeRecord] = []
    left_out = {"data": 0, "control": 0, "reference": 0}
    id = 0
    for op in graph.operations:
        if op.id not in shown:
            if is_complete:
                continue
            for edge in edges_of(op):
                left_out[edge.kind] += 1
                id += 1
            continue
        references = refs[op.id]
        for index, tensor in enumerate(op.inputs):
            kind: EdgeKind = "reference" if index in references else "data"
            if tensor.op.id in shown:
                text = tensor_text(tensor)
                edges.append(EdgeRecord(id, kind, tensor.op.id, tensor.index, op.id, index, text))
            else:
                left_out[kind] += 1
            id += 1
        for source in op.control_inputs:
            if source.id in shown:
                edges.append(EdgeRecord(id, "control", source.id, None, op.id, None, ""))
            else:
                left_out["control"] += 1
            id += 1
    return tuple(edges), left_out


def _blocks(graph: Graph, shown: set[int], is_complete: bool, sites: Sites) -> Iterator[BlockRecord]:
    """The control_dependencies blocks; of a part, those whose control inputs are all in it."""
    for id, block in enumerate(graph.blocks):
        if block.cleared:
            continue
        waits = tuple(op.id for op in block.control_inputs if op.id in shown)
        created = tuple(op.id for op in block.created if op.id in shown)
        if not is_complete and (len(waits) < len(block.control_inputs) or (block.created and not created)):
            continue
        yield BlockRecord(
            id, site_record(block.site, sites), control_inputs=waits, created=created, empty=not block.created
        )


def variable_records(graph: Graph, operations: Iterable[Operation]) -> Iterator[VariableRecord]:
    """The nodes that hold variables."""
    variables = [op for op in operations if declared_role(op) == "variable"]
    parameters = parameters_of(graph, variables)
    for op in variables:
        # The output of a resource is a handle, whose own shape is ().
        kind: Literal["reference", "resource"] = "reference" if op.outputs[0].dtype.is_ref else "resource"
        shape = op.outputs[0].raw_shape if kind == "reference" else op.attrs["shape"]
        yield VariableRecord(op.id, op.name, kind, shape, op in parameters)


def transfer_records(operations: Iterable[Operation], edges: Iterable[EdgeRecord]) -> Iterator[TransferRecord]:
    """The edges that tensors take from one device to another."""
    senders = {op.id: op for op in operations if op.type in PAIRS}
    for edge in edges if senders else ():
        if edge.source in senders and edge.kind == "data":
            op = senders[edge.source]
            tensor = op.outputs[0]
            copies = op.type == sender(copies=True)
            size = 0 if not copies else tensor.shape.num_elements()
            yield TransferRecord(edge.id, None if size is None else size * tensor.dtype.size)


def reruns(operations: Sequence[Operation]) -> Iterator[NoticeRecord]:
    """Notices of variables that one line created again because its cell was run again: same line, another code object.

    A loop or function that creates several variables at one line does so from one code object, and gets no notice.
    """
    # file and line -> id of the code object -> variables
    created_by_line: dict[tuple[str, int], dict[int, list[Operation]]] = {}
    for op in operations:
        site = op.site if declared_role(op) == "variable" else None
        if site is None:
            continue
        file = _IPYTHON.sub("<ipython-input-", site.file)
        if file.startswith("<") and file == site.file:
            continue  # many programs are called "<string>" or "<stdin>"
        by_code = created_by_line.setdefault((file, site.line), {})
        created = by_code.setdefault(id(site.code), [])
        created.append(op)
        first_run = next(iter(by_code.values()))
        if created is not first_run and len(created) <= len(first_run):
            first = first_run[len(created) - 1]
            params: dict[str, str | int] = {"again": op.name, "first": first.name, "where": site.label}
            yield NoticeRecord("rerun", params)


# -- scopes --------------------------------------------------------------------------------------------------------


def scope_records(nodes: Iterable[NodeRecord]) -> tuple[ScopeRecord, ...]:
    """The scopes of the nodes and the scopes around them."""
    parents = parents_of(dict.fromkeys([node.scope for node in nodes]))
    return tuple([ScopeRecord(path, parents[path]) for path in sorted(parents)])


# -- texts ---------------------------------------------------------------------------------------------------------


def site_record(site: Site | None, known: Sites | None = None) -> SiteRecord | None:
    """The line of the user's program. known: lines that have a record already; keeps this one."""
    if site is None:
        return None
    key = (site.file, site.line)
    if known is not None and key in known:
        return known[key]
    record = SiteRecord(site.label, site.source, site.line)
    if known is not None:
        known[key] = record
    return record


def value_text(value: Any, limit: int = 200) -> str:
    """A value in one line of at most `limit` characters, the same in every process."""
    if isinstance(value, Handle):
        return shorten(f"<resource {value.buffer.name}>", limit)
    if isinstance(value, bytes):
        return shorten(repr(value[: limit + 1]), limit)
    if not isinstance(value, (np.ndarray, np.generic)):
        text = str(value)
        # The repr of an object without one of its own has its address, which differs in each process.
        return shorten(f"<{type(value).__name__}>" if " at 0x" in text else text, limit)
    array = np.asarray(value)
    if array.dtype.names is not None:  # a dtype that NumPy lacks: its bits in a field of that name
        array = bfloat16_values(array) if array.dtype == bfloat16.numpy else array[array.dtype.names[0]]
    if array.ndim == 0:
        item = array.item()
        return shorten(repr(item[: limit + 1]) if isinstance(item, (bytes, str)) else str(array), limit)
    if array.nbytes <= 4096 and not array.dtype.hasobject:
        return _array_text(array.tobytes(), array.dtype, array.shape, limit)
    return _shown(array, limit)


@lru_cache(4096)
def _array_text(data: bytes, dtype: np.dtype[Any], shape: tuple[int, ...], limit: int) -> str:
    return _shown(np.frombuffer(data, dtype).reshape(shape) if data else np.empty(shape, dtype), limit)


def _shown(array: Any, limit: int) -> str:
    text = np.array2string(array, threshold=12, edgeitems=2, separator=", ")
    return shorten(" ".join(text.split()).replace("[ ", "["), limit)


def element_text(value: Any, limit: int = 200) -> str:
    """An element of a TensorArray; a dash for one that was not written."""
    return "–" if value is None else value_text(value, limit)


def elements_text(array: Elements, limit: int = 200) -> str:
    """A TensorArray in one line; of more than 12 elements the first and last ones."""
    values = array.values
    texts = [element_text(value, 40) for value in (values if len(values) <= 12 else (*values[:4], *values[-2:]))]
    if len(values) > 12:
        texts.insert(4, "…")
    return shorten(f"{array.name} [{', '.join(texts)}]", limit)


def attr_text(value: Any, key: str = "") -> str:
    """An attribute's value as text; a tuple under "shape" is a shape."""
    if isinstance(value, DType):
        return value.name
    if isinstance(value, bytes):
        return _bytes_text(value[:400])
    if key == "shape" and (value is None or isinstance(value, (list, tuple))):
        return shape_text(None if value is None else tuple(value))
    if isinstance(value, (list, tuple)):
        items = ", ".join([attr_text(item) for item in value[:20]])
        return shorten(f"[{items}{', …' if len(value) > 20 else ''}]", 200)
    if isinstance(value, (bool, int)):
        return str(value)
    if isinstance(value, TensorShape):
        return shape_text(value.raw)
    if isinstance(value, str):
        return shorten(value[:400].encode("utf-8", "replace").decode(), 200)  # a lone surrogate is no text
    return value_text(value)


@lru_cache(4096)
def _bytes_text(value: bytes) -> str:
    return shorten(value.decode("utf-8", "replace"), 200)
