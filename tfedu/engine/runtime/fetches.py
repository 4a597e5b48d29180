"""Fetches: any nest of lists, tuples, dicts and the like, flattened to tensors and operations.

`Structure(graph, fetches)` lists each tensor once; `rebuild(values)` returns the same nest of values.
State: `_composites`, the classes that consist of several tensors.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from ..base.errors import InaccessibleTensorError, error_text
from ..graph.graph import Graph
from ..graph.nodes import Operation, Tensor
from ..op.definition import role_of
from .store import Handle
from .tensor_handle import TensorHandle

Rebuild = Callable[[Sequence[Any]], Any]

# Composite fetches (IndexedSlices, SparseTensor) add themselves: type -> (parts, rebuild).
_composites: list[tuple[type, Callable[[Any], Sequence[Any]], Callable[[Sequence[Any]], Any]]] = []


def register_composite(
    kind: type, parts: Callable[[Any], Sequence[Any]], rebuild: Callable[[Sequence[Any]], Any]
) -> None:
    """Lets `run` fetch instances of a class that consists of several tensors."""
    _composites.append((kind, parts, rebuild))


class Structure:
    """The flattened form of one `fetches` argument."""

    __slots__ = ("graph", "session", "tensors", "operations", "rebuild", "plain", "_index")

    def __init__(self, graph: Graph, fetches: Any, session: Any = None) -> None:
        self.graph = graph
        self.session = session
        self.plain = True  # whether rebuild() returns values unchanged: no session handles among them
        self.tensors: list[Tensor] = []
        self.operations: list[Operation] = []
        self._index: dict[Tensor, int] = {}
        try:
            self.rebuild: Rebuild = self._parse(fetches)
        except RecursionError:
            raise ValueError(error_text("The fetches are nested too deeply: a list of lists of … lists.")) from None

    @property
    def targets(self) -> list[Operation]:
        """The operations that must run."""
        return list(dict.fromkeys([*(t.op for t in self.tensors), *self.operations]))

    def _parse(self, fetch: Any) -> Rebuild:
        if fetch is None:
            raise TypeError(
                error_text(
                    "Fetch argument None has invalid type <class 'NoneType'>",
                    fix="a name in the fetches holds None, perhaps the answer of a function without `return`, or of a cell's "
                    "`x = sess.run(op)`: give the tensor or the operation itself",
                )
            )
        if isinstance(fetch, (list, tuple)):
            return self._parse_sequence(fetch)
        if isinstance(fetch, Mapping):
            keys = list(fetch)
            inner = [self._parse(fetch[key]) for key in keys]
            kind = type(fetch)

            def rebuild_mapping(values: Sequence[Any]) -> Any:
                pairs = [(key, part(values)) for key, part in zip(keys, inner)]
                build: Any = kind
                return (
                    build(fetch.default_factory, pairs) if hasattr(fetch, "default_factory") else build(pairs)
                )

            return rebuild_mapping
        fields = getattr(type(fetch), "__attrs_attrs__", None)
        if fields is not None:
            inner = [self._parse(getattr(fetch, f.name)) for f in fields]
            return lambda values: type(fetch)(*[part(values) for part in inner])
        for kind_, parts, build in _composites:
            if isinstance(fetch, kind_):
                inner = [self._parse(part) for part in parts(fetch)]
                return lambda values: build([part(values) for part in inner])
        return self._parse_leaf(fetch)

    def _parse_sequence(self, fetch: Sequence[Any]) -> Rebuild:
        inner = [self._parse(part) for part in fetch]
        kind = type(fetch)
        if kind is list:
            return lambda values: [part(values) for part in inner]
        if kind is tuple:
            return lambda values: tuple([part(values) for part in inner])
        if hasattr(fetch, "_fields"):
            return lambda values: kind(*[part(values) for part in inner])
        return lambda values: kind([part(values) for part in inner])  # type: ignore[call-arg]

    def _parse_leaf(self, fetch: Any) -> Rebuild:
        try:
            element = self.graph.as_graph_element(fetch, allow_tensor=True, allow_operation=True)
        except TypeError as error:
            raise TypeError(
                error_text(
                    f"Fetch argument {fetch!r} has invalid type {type(fetch)!r}, must be a string or Tensor. ({error})",
                    fix=_fix(fetch),
                )
            ) from None
        except (ValueError, KeyError) as error:
            # KeyError shows its text in quotes, and so does TF here.
            quoted = repr(fetch) if len(repr(fetch)) <= 200 else f"{repr(fetch)[:200]}…"
            text = f"Fetch argument {quoted} cannot be interpreted as a Tensor. ({error})"
            is_of_other_graph = getattr(fetch, "graph", self.graph) is not self.graph
            raise ValueError(error_text(text, fix=OTHER_GRAPH if is_of_other_graph else None)) from None
        if not self.graph.is_fetchable(element):
            op = element if isinstance(element, Operation) else element.op
            raise InaccessibleTensorError(error_text(f"Operation {op.name!r} {NOT_FETCHABLE}", fix=_instead(op)))
        if isinstance(element, Operation):
            self.operations.append(element)
            return lambda values: None
        at = self._index.get(element)
        if at is None:
            at = self._index[element] = len(self.tensors)
            self.tensors.append(element)
        if role_of(element.op) == "session_handle" and self.session is not None:
            return self._handle(element, at)
        return lambda values: values[at]

    def _handle(self, tensor: Tensor, at: int) -> Rebuild:
        self.plain = False
        dtype, session = tensor.op.inputs[0].dtype.base_dtype, self.session

        def rebuild_handle(values: Sequence[Any]) -> Any:
            value = values[at]
            return TensorHandle(value.buffer.name if isinstance(value, Handle) else value.decode(), dtype, session)

        return rebuild_handle


def _instead(op: Operation) -> str | None:
    """Advice: what to fetch instead of a node of a branch or a loop."""
    if op._context is None:
        return None
    if op._context.loop is None:
        return "it is made in a branch, which a run may not take: fetch what tf.cond returned"
    return "it is made in a loop, and anew in each iteration: let the body return it, and fetch what tf.while_loop returned"


NOT_FETCHABLE = (
    "has been marked as not fetchable. Typically this happens when it is defined in another function or code block. Use return "
    "values,explicit Python locals or TensorFlow collections to access it."
)

# Advice for fetches and feeds of another graph.
OTHER_GRAPH = (
    "it was made in another graph than this session's, as by an older run of the cell, before tf.reset_default_graph(): "
    "make it again, or the session in that graph: tf.Session(graph=x.graph)"
)


def _fix(fetch: Any) -> str | None:
    """Advice for a fetch that is no tensor: the common slips."""
    if isinstance(fetch, (bool, int, float, complex, np.ndarray, np.generic)):
        return "this is a value already, perhaps of a name that `x = sess.run(x)` gave away: fetch the tensor it came from"
    if inspect.isroutine(fetch):
        return f"this is a function: call it, `{fetch.__name__}()`, and fetch what it returns"
    return None
