"""Graphs of torch.fx and torch.export as records: `record_of_module(symbolic_trace(f))`, `record_of_program(export(m, (x,)))`.

Scopes are the modules in which a node was made. Parameters and buffers are variables; a call that writes into a tensor is an
update, with a reference edge from what it writes into. A graph that a node runs (a branch of `torch.cond`, the body of a loop) is
a scope beside the node. torch runs the nodes in the order in which the graph lists them; control edges say where that matters,
between a write and other uses of the same tensor. No state.
"""

from __future__ import annotations

import operator
import os
import re
from collections.abc import Hashable, Iterator, Mapping
from typing import Any, Final, NamedTuple

from ..labels import shorten
from ..records import GraphRecord, Role, SiteRecord
from .record_parts import DEEPEST, UNKNOWN, GraphReadError, Parts, Typed, Value, type_text

_FRAME: Final = re.compile(
    r'^[ \t]*File "(?P<file>[^"\n]*)", line (?P<line>\d{1,9})[^\n]*\n?(?P<source>(?![ \t]*File ")[^\n]*)',
    re.M,
)
_LISTED: Final = 16  # items of an argument that are named
_STACK: Final = 20_000  # characters of a stack, from its end, in which the user's line is looked for
# Functions of Python's operator module that write into their first argument: iadd, imul, …, and setitem.
_IN_PLACE: Final = frozenset(
    function
    for name, function in vars(operator).items()
    if name.startswith("i") and hasattr(operator, f"__{name}__") and name[1:] in vars(operator)
) | {operator.setitem}


def record_of_module(module: Any) -> GraphRecord:
    """The record of a torch.fx.GraphModule.

    Raises: GraphReadError for graphs that are nested too deep; ResourceExhaustedError for one beyond the budget (tf.io.Budget).
    """
    reader = _Reader("The fx graph")
    reader.graph(module.graph, module, "", 0)
    return reader.parts.record(listing=True)


def record_of_graph(graph: Any) -> GraphRecord:
    """The record of a torch.fx.Graph. Raises: as record_of_module."""
    reader = _Reader("The fx graph")
    reader.graph(graph, graph.owning_module, "", 0)
    return reader.parts.record(listing=True)


def record_of_program(program: Any) -> GraphRecord:
    """The record of a torch.export.ExportedProgram. Raises: as record_of_module."""
    reader = _Reader("The exported program", program.graph_signature)
    reader.graph(program.graph, program.graph_module, "", 0)
    return reader.parts.record(listing=True)


class _Held(NamedTuple):
    """A tensor of a module: its path, and whether it is a "Parameter", a "buffer" or a "constant"."""

    path: str
    kind: str


class _Body(NamedTuple):
    """A graph that a node runs: its placeholders, and what it gives."""

    placeholders: list[int]
    results: list[Value]


class _Reader:
    """Adds graphs to `parts`. signature: of an exported program, which says what its inputs and results stand for."""

    def __init__(self, what: str, signature: Any = None) -> None:
        self.parts = Parts(what)
        self._held: dict[str, _Held] = {}
        self._written: list[str | None] = []
        self._changed: set[Hashable] = set()
        if signature is not None:
            for kind, held in (
                ("Parameter", signature.inputs_to_parameters),
                ("buffer", signature.inputs_to_buffers),
                ("constant", signature.inputs_to_lifted_tensor_constants),
            ):
                self._held |= {name: _Held(path, kind) for name, path in held.items()}
            self._written = [
                spec.target if spec.kind.name.endswith("_MUTATION") else None
                for spec in signature.output_specs
            ]

    def graph(self, graph: Any, module: Any, scope: str, depth: int) -> _Body:
        """Adds the nodes of a Graph. module: what its targets are attributes of, None for a graph without one."""
        if depth > DEEPEST:
            raise GraphReadError(f"torch's graphs are nested more than {DEEPEST} deep")
        for node in graph.nodes:
            operands = list(_sources((node.args, node.kwargs)))
            self._changed |= {self._state(operands[place]) for place in _written(node)}
        values: dict[Any, Value] = {}
        bodies: dict[Any, Any] = {}
        placeholders: list[int] = []
        results: list[Value] = []
        for node in graph.nodes:
            target = _attribute(module, node.target) if node.op in ("get_attr", "call_module") else None
            if node.op == "get_attr" and hasattr(target, "graph"):
                bodies[node] = target  # drawn where a node runs it
            elif node.op == "output" and depth:
                results = [values[source] for source in _sources(node.args) if source in values]
            else:
                number = self._node(node, target, scope, depth)
                values[node] = Value(number)
                if node.op == "placeholder":
                    placeholders.append(number)
                self._join(node, number, values, bodies, target, depth)
        return _Body(placeholders, results)

    def _node(self, node: Any, target: Any, scope: str, depth: int) -> int:
        held = self._held.get(node.name) if depth == 0 and node.op == "placeholder" else None
        if node.op == "get_attr":
            held = _Held(
                node.target, type(target).__name__ if type(target).__name__ == "Parameter" else "buffer"
            )
        is_state = held is not None and held.kind != "constant"
        role = _role(node) if held is None else "variable" if is_state else "constant"
        return self.parts.node(
            _type(node, target) if held is None else held.kind,
            node.name if held is None else held.path.replace(".", "/"),
            f"{scope}/{_module_of(node)}" if held is None else scope,
            role=role,
            outputs=() if node.op == "output" else (_typed(node, target),),
            attrs=self._attrs(node),
            site=self._site(node),
            device=_device(node),
            stateful=is_state or role == "update",
            variable=is_state,
        )

    def _state(self, node: Any) -> Hashable:
        """What a node's value stands for: a tensor of the module by its path, or the node's own value."""
        held = self._held.get(node.name)
        return node.target if node.op == "get_attr" else node if held is None else held.path

    def _attrs(self, node: Any) -> Iterator[tuple[str, str]]:
        """What the arguments say beside other nodes, by name or place."""
        for place, argument in enumerate(node.args):
            if node.op == "placeholder":
                yield "default", _text(argument)
            elif node.op != "output" and not _is_node(argument):
                yield str(place), _text(argument)
        for name, argument in node.kwargs.items():
            if not _is_node(argument):
                yield name, _text(argument)
        if node.op == "output":
            for place, name in enumerate(self._written):
                if name is not None:
                    yield f"{place} becomes", name

    def _join(
        self,
        node: Any,
        number: int,
        values: Mapping[Any, Value],
        bodies: Mapping[Any, Any],
        target: Any,
        depth: int,
    ) -> None:
        """The edges into a node; what enters a graph that it runs goes to that graph's placeholders."""
        sources = list(_sources((node.args, node.kwargs)))
        operands = [source for source in sources if source in values]
        inner = [(source.target, bodies[source]) for source in sources if source in bodies]
        if node.op == "call_module" and hasattr(target, "graph"):
            inner.append(("graph", target))
        taken = len(operands)
        entering: set[int] = set()
        for name, called in inner:
            inside = self.parts.place(name.replace(".", "/"), self.parts.name(number))
            body = self.graph(called.graph, called, inside, depth + 1)
            # The operands of the body come last: those of `cond` after the predicate.
            first = len(operands) - len(body.placeholders)
            if first >= 0:
                entering |= set(range(first, len(operands)))
                for place, placeholder in enumerate(body.placeholders):
                    self.parts.edge(values[operands[first + place]], placeholder, 0)
            for result in body.results:
                self.parts.edge(result, number, taken)
                taken += 1
        if inner:
            self.parts.become(number, "control")
        written = _written(node)
        changed = {self._state(operands[place]) for place in written}
        for state in dict.fromkeys(map(self._state, operands)):
            if state in self._changed:
                self.parts.use(state, number, writes=state in changed)
        for place, source in enumerate(operands):
            if place not in entering:
                self.parts.edge(values[source], number, place, "reference" if place in written else "data")

    def _site(self, node: Any) -> SiteRecord | None:
        """The innermost line of the stack that is in no file of torch."""
        import torch

        stack = node.stack_trace
        if not isinstance(stack, str):
            return None
        library = os.path.dirname(torch.__file__) + os.sep
        frames = [
            frame
            for frame in _FRAME.finditer(stack[-_STACK:])
            if not frame["file"].startswith((library, "<eval_with_key>"))
        ]
        return (
            self.parts.site(frames[-1]["file"], int(frames[-1]["line"]), frames[-1]["source"].strip())
            if frames
            else None
        )


def _sources(arguments: Any) -> Iterator[Any]:
    """The nodes among arguments, in order, each as often as it occurs."""
    if _is_node(arguments):
        yield arguments
    elif isinstance(arguments, (list, tuple)):
        for item in arguments:
            yield from _sources(item)
    elif isinstance(arguments, Mapping):
        yield from _sources(list(arguments.values()))
    elif isinstance(arguments, slice):
        yield from _sources((arguments.start, arguments.stop, arguments.step))


def _is_node(obj: Any) -> bool:
    from torch.fx import Node

    return isinstance(obj, Node)


def _attribute(module: Any, path: Any) -> Any:
    """The attribute that a target names; None where the graph has no module or the module no such attribute."""
    for part in str(path).split("."):
        module = getattr(module, part, None)
    return module


def _module_of(node: Any) -> str:
    """The path of the module in which a node was made; of a module that the node calls, the module around it."""
    stack = node.meta.get("nn_module_stack") or {}
    paths = [
        entry[0]
        for entry in stack.values()
        if isinstance(entry, tuple) and entry and isinstance(entry[0], str)
    ]
    if node.op == "call_module" and paths and paths[-1] == node.target:
        paths.pop()
    path = paths[-1] if paths else ""
    return re.sub(r"^L\['self'\]\.?", "", path).replace("_modules", "").replace(".", "/")


# -- what a node says of itself --------------------------------------------------------------------------------------------


def _type(node: Any, target: Any) -> str:
    if node.op == "call_module":
        return str(node.target) if target is None else type(target).__name__
    if node.op == "call_method":
        return f"Tensor.{node.target}"
    if node.op != "call_function":
        return str(node.op)
    if hasattr(node.target, "_schema") or not hasattr(node.target, "__name__"):
        return str(node.target)
    if type(node.target).__module__.startswith("torch._higher_order_ops"):
        return str(node.target.__name__)
    module = (getattr(node.target, "__module__", None) or "torch").lstrip("_")
    return f"{module}.{node.target.__name__}"


def _role(node: Any) -> Role:
    if node.op in ("placeholder", "output"):
        return "placeholder" if node.op == "placeholder" else "noop"
    return "update" if _written(node) else "op"


def _written(node: Any) -> frozenset[int]:
    """The places, among the nodes in the arguments, of those that the call writes into."""
    schema = getattr(node.target, "_schema", None)
    if schema is not None:
        named = dict(zip([argument.name for argument in schema.arguments], node.args)) | dict(node.kwargs)
        is_written = {a.name: a.alias_info is not None and a.alias_info.is_write for a in schema.arguments}
        marks = [is_written.get(name, False) for name, argument in named.items() for _ in _sources(argument)]
        return frozenset(place for place, is_marked in enumerate(marks) if is_marked)
    name = node.target if node.op == "call_method" else ""
    is_in_place = (
        node.target in _IN_PLACE
        if node.op == "call_function"
        else name.endswith("_") and not name.endswith("__")
    )
    return frozenset((0,)) if is_in_place and node.args and _is_node(node.args[0]) else frozenset()


def _typed(node: Any, target: Any) -> Typed:
    meta = node.meta
    value = next(
        (meta[key] for key in ("val", "example_value", "tensor_meta") if meta.get(key) is not None), None
    )
    return _typed_value(target if value is None and node.op == "get_attr" else value)


def _typed_value(value: Any) -> Typed:
    if value is None:
        return UNKNOWN
    if isinstance(value, (list, tuple)) and not hasattr(value, "dtype"):
        texts = [_typed_value(item) for item in value[:_LISTED]]
        more = ["…"] if len(value) > _LISTED else []
        return Typed(
            "tuple", None, shorten(f"({', '.join([*(type_text(known) for known in texts), *more])})", 100)
        )
    if hasattr(value, "dtype") and hasattr(value, "shape"):
        sizes = [size if type(size) is int else str(size)[:40] for size in value.shape]
        return Typed(str(value.dtype).removeprefix("torch."), sizes)
    return Typed(type(value).__name__, (), None)


def _device(node: Any) -> str:
    device = getattr(node.meta.get("val"), "device", None)
    return "" if device is None else str(device)


def _text(argument: Any) -> str:
    """An argument in a line; other nodes in it are dots, as edges tell them."""
    if _is_node(argument):
        return "·"
    if isinstance(argument, (list, tuple)):
        items = [_text(item) for item in argument[:_LISTED]] + (["…"] if len(argument) > _LISTED else [])
        return f"[{', '.join(items)}]" if isinstance(argument, list) else f"({', '.join(items)})"
    if isinstance(argument, slice):
        parts = (
            (argument.start, argument.stop)
            if argument.step is None
            else (argument.start, argument.stop, argument.step)
        )
        return ":".join("" if part is None else _text(part) for part in parts)
    if isinstance(argument, str):
        return shorten(repr(argument[:201]), 200)
    return shorten(str(argument).removeprefix("torch."), 200)


__all__ = ["record_of_graph", "record_of_module", "record_of_program"]
