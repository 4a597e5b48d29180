"""What the adapters build records with: `Parts("The ONNX model")` collects nodes and edges, `record()` makes the record.

Names are paths, and the scopes follow from them, as in TensorFlow: the node "layer/add" is in the scope "layer", and a node with
the name of a scope is inside it. What comes in may be hostile: names are only text, and each node, output and attribute is taken
from the budget (`tf.io.Budget`) before it is kept. State of a Parts: what it has collected.
"""

from __future__ import annotations

import importlib
import linecache
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, NamedTuple

from ...engine.base import budget as budgets
from ...engine.base.site import place_of
from ..labels import shorten
from ..make.networks.repeated_blocks import LEAST, Edge, alike, groups_of
from ..make.programs.program_lines import code_records
from ..make.scope_paths import parents_of, scopes_of
from ..make.tensor_texts import shape_text
from ..records import (
    EdgeKind,
    EdgeRecord,
    GraphRecord,
    GroupRecord,
    LayerRecord,
    NodeRecord,
    NoticeRecord,
    OutputRecord,
    Role,
    ScopeRecord,
    SiteRecord,
    VariableRecord,
)

TEXT: Final = 200  # characters of an attribute's text
NAME: Final = 1000  # characters of a name
DEEPEST: Final = 100  # bodies inside bodies


class GraphReadError(ValueError):
    """A graph of another library, or its file, is damaged or says something that cannot be drawn."""


def library(name: str, what: str) -> Any:
    """The library that a kind of graph needs, imported now.

    Raises: ImportError that says how to install it.
    """
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as missing:
        if missing.name is None or missing.name.partition(".")[0] != name.partition(".")[0]:
            raise
        package = name.partition(".")[0]
        raise ImportError(
            f"{what} is read with {package}. This installs it:  pip install {package}", name=package
        ) from None


class Value(NamedTuple):
    """An output of a node, by the node's number."""

    node: int
    output: int = 0


class Typed(NamedTuple):
    """What is known of a value.

    shape: the sizes; the name of a size, or None, where it is unknown; None without a rank. text: what a picture writes, by
    default dtype and shape. name: by default that of the node with the number of the output.
    """

    dtype: str
    shape: Sequence[int | str | None] | None = None
    text: str | None = None
    name: str | None = None


TOKEN: Final = "token"
"""The dtype of what has no value, and stands for an order."""
UNKNOWN: Final = Typed("", None, "")


@dataclass(slots=True)
class _Node:
    name: str
    type: str
    role: Role
    outputs: Sequence[Typed]
    attrs: tuple[tuple[str, str], ...]
    site: SiteRecord | None
    device: str
    is_stateful: bool
    is_variable: bool


class Parts:
    """The nodes and edges of a graph that is being read. what: the graph as the subject of an error."""

    def __init__(self, what: str) -> None:
        self.what = what
        self.notices: list[NoticeRecord] = []
        self.layers: list[LayerRecord] = []
        self._account = budgets.current().account(what)
        self._nodes: list[_Node] = []
        self._edges: list[EdgeRecord] = []
        self._controls: set[tuple[int, int]] = set()
        self._taken: set[str] = set()
        self._uses: dict[Hashable, tuple[int | None, list[int]]] = {}
        self._sites: dict[tuple[str, int], SiteRecord] = {}

    # -- what an adapter adds --------------------------------------------------------------------------------------------

    def place(self, name: str, scope: str = "") -> str:
        """A path that nothing has yet: `name`, or name_1, … in the scope. Raises: ResourceExhaustedError beyond the budget."""
        self._account.take("nodes", 1)
        path = wanted = joined(scope, name)
        number = 0
        while path in self._taken:
            number += 1
            path = f"{wanted}_{number}"
        self._taken.add(path)
        return path

    def node(
        self,
        type: str,
        name: str = "",
        scope: str = "",
        *,
        role: Role = "op",
        outputs: Sequence[Typed] = (),
        attrs: Mapping[str, str] | Iterable[tuple[str, str]] = (),
        site: SiteRecord | None = None,
        device: str = "",
        stateful: bool = False,
        variable: bool = False,
        path: str | None = None,
    ) -> int:
        """Adds a node, and returns its number. path: one that `place` gave, instead of name and scope.

        Raises: ResourceExhaustedError beyond the budget.
        """
        texts = tuple([(str(key)[:TEXT], shorten(text, TEXT)) for key, text in dict(attrs).items()])
        self._account.take("outputs", len(outputs))
        self._account.take("attributes", len(texts))
        where = self.place(name or type, scope) if path is None else path
        self._nodes.append(_Node(where, type[:NAME], role, outputs, texts, site, device, stateful, variable))
        return len(self._nodes) - 1

    def edge(self, source: Value, target: int, input: int, kind: EdgeKind = "data") -> None:
        """Adds an edge from an output to an input; more inputs than outputs are no harm, so edges count as outputs do."""
        self._account.take("outputs", 1)
        text = type_text(self._nodes[source.node].outputs[source.output])
        self._edges.append(
            EdgeRecord(len(self._edges), kind, source.node, source.output, target, input, text)
        )

    def join(self, source: Value, target: int, input: int) -> None:
        """Adds an edge from an output to an input; a token, which has no value, makes it a control edge."""
        if self._nodes[source.node].outputs[source.output].dtype == TOKEN:
            self.control(source.node, target)
        else:
            self.edge(source, target, input)

    def control(self, source: int, target: int) -> None:
        """Adds an edge that is an order alone, once."""
        if source != target and (source, target) not in self._controls:
            self._account.take("outputs", 1)
            self._controls.add((source, target))
            self._edges.append(EdgeRecord(len(self._edges), "control", source, None, target, None, ""))

    def use(self, key: Hashable, node: int, writes: bool) -> None:
        """Notes that a node reads or writes what `key` stands for, and adds the order that this asks for.

        A read comes after the write before it, a write after that write and all reads since.
        """
        written, readers = self._uses.get(key, (None, []))
        for earlier in readers if writes and readers else [] if written is None else [written]:
            self.control(earlier, node)
        self._uses[key] = (node, []) if writes else (written, [*readers, node])

    def name(self, node: int) -> str:
        """The path of a node."""
        return self._nodes[node].name

    def become(self, node: int, role: Role) -> None:
        """Gives a node another role."""
        self._nodes[node].role = role

    def site(self, file: str, line: int, source: str | None = None) -> SiteRecord:
        """A line of the user's program. source: its text, None to read it where Python keeps it for tracebacks."""
        key = (file, line)
        if key not in self._sites:
            text = linecache.getline(file, line).strip() if source is None else source
            self._sites[key] = SiteRecord(f"{place_of(file)}, line {line}", text[:NAME], line)
        return self._sites[key]

    # -- the record ------------------------------------------------------------------------------------------------------

    def record(self, *, listing: bool = False) -> GraphRecord:
        """The record of all that was added. listing: whether the lines around the sites are read from their files."""
        # As in TensorFlow's graphs: by target, inputs in order, then what is only waited for.
        ordered = sorted(self._edges, key=lambda edge: (edge.target, edge.input is None, edge.input or 0))
        edges = tuple([replace(edge, id=number) for number, edge in enumerate(ordered)])
        scope_of = scopes_of([node.name for node in self._nodes])
        nodes = tuple(
            [self._node_record(number, node, scope_of[node.name]) for number, node in enumerate(self._nodes)]
        )
        parents = parents_of(dict.fromkeys(scope_of.values()))
        scopes = tuple([ScopeRecord(path, parents[path]) for path in sorted(parents)])
        variables = [
            VariableRecord(number, node.name, "reference", nodes[number].outputs[0].shape if node.outputs else None, True)
            for number, node in enumerate(self._nodes)
            if node.is_variable
        ]
        return GraphRecord(
            nodes=nodes,
            edges=edges,
            scopes=scopes,
            variables=tuple(variables),
            notices=tuple(self.notices),
            groups=grouped(nodes, edges, parents),
            codes=code_records([(file, site) for (file, _), site in self._sites.items()]) if listing else (),
            layers=tuple([layer for layer in self.layers if layer.scope in parents]),
        )

    def _node_record(self, number: int, node: _Node, scope: str) -> NodeRecord:
        outputs = []
        for place, known in enumerate(node.outputs):
            shape = (
                None
                if known.shape is None
                else tuple([size if type(size) is int else None for size in known.shape])
            )
            name = f"{node.name}:{place}" if known.name is None else known.name
            outputs.append(OutputRecord(name, known.dtype, shape, type_text(known)))
        return NodeRecord(
            id=number,
            name=node.name,
            type=node.type,
            scope=scope,
            role=node.role,
            device=node.device,
            stateful=node.is_stateful,
            site=node.site,
            attrs=node.attrs,
            outputs=tuple(outputs),
        )


def grouped(
    nodes: Sequence[NodeRecord], edges: Sequence[EdgeRecord], parents: Mapping[str, str]
) -> tuple[GroupRecord, ...]:
    """The repeated blocks and series among the nodes of a record, whose ids are their places."""
    if len(nodes) < LEAST:
        return ()
    return groups_of(
        alike(nodes),
        [Edge.of(edge.kind, edge.source, edge.output, edge.target, edge.input) for edge in edges],
        parents,
    )


def joined(scope: str, name: str) -> str:
    """A path of a scope and a name; empty parts are left out."""
    parts = [part for part in (*scope.split("/"), *name[:NAME].split("/")) if part]
    return "/".join(parts) or "_"


def type_text(known: Typed) -> str:
    """dtype and shape as pictures write them: `float32 (2, ?)`, with the names of sizes that have one."""
    if known.text is not None:
        return known.text
    return shorten(f"{known.dtype} {shape_text(known.shape)}", TEXT) if known.dtype else ""
