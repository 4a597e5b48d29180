"""`named(name, "Mean", values)`: the name scope of a function that makes several nodes. No state."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import AbstractContextManager
from typing import Any

from ..base.errors import error_text
from ..base.foreign import foreign
from ..graph.default_graph import get_default_graph, graph_for
from ..graph.nodes import Tensor
from ..graph.scopes import ControlBlock
from ..graph.stacks import Entry


class name_scope:
    """`with name_scope("layer") as scope:` names of nodes built inside begin with `layer/`; `name_scope(scope)`
    re-enters the scope.

    name wins over default_name. values: tensors whose graph becomes the default graph inside.

    Raises: TypeError for a name that is not a string, ValueError when neither name is set and `values` is.
    """

    def __init__(
        self, name: str | None, default_name: str | None = None, values: Iterable[Any] | None = None
    ) -> None:
        if isinstance(name, bytes):
            name = name.decode()
        if name is not None and not isinstance(name, str):
            raise TypeError(error_text(f"name for name_scope must be a string. Received: {name!r}"))
        if default_name is not None and not isinstance(default_name, str):
            raise TypeError(
                error_text(
                    f"`default_name` type ({type(default_name)}) is not a string type. You likely meant to pass this into "
                    "the `values` kwarg."
                )
            )
        self._name = default_name if name is None else name
        self._values = values
        self._entered: list[AbstractContextManager[Any]] = []

    @property
    def name(self) -> str | None:
        return self._name

    def __enter__(self) -> str:
        if self._name is None and self._values is not None:
            raise ValueError(
                error_text(f"At least one of name ({self._name}) and default_name ({self._name}) must be provided.")
            )
        values = None if self._values is None else list(self._values)
        self._graph = graph_for(values) if values else get_default_graph()
        self._outside = self._graph.open_blocks()
        return self._graph.attempt(self._enter)

    def _enter(self) -> str:
        self._entered = [] if self._graph is get_default_graph() else [Entry("graphs", self._graph)]
        self._entered.append(self._graph.name_scope(self._name))
        scope = ""
        for block in self._entered:
            scope = block.__enter__()
        return scope

    def __exit__(self, *exc: Any) -> None:
        try:
            for block in reversed(self._entered):
                block.__exit__(*exc)
            self._entered = []
        except BaseException as error:
            if foreign(error) is not None:
                self._graph.settle(self._outside)
            raise



def named(name: str | None, default: str, values: Iterable[Any] = ()) -> AbstractContextManager[str]:
    """The name scope of a public function: `name` or `default`, in the graph of the tensors among `values`."""
    graph = get_default_graph()
    for value in values:
        if type(value) is not Tensor or value.op.graph is not graph:
            return name_scope(name, default, values)
    return graph.name_scope(default if name is None else name)


def waiting_for(control_inputs: Iterable[Any] | None) -> ControlBlock:
    """`control_dependencies` for this library's own functions: pictures do not draw it as a block of the user's program."""
    return get_default_graph()._control_block(control_inputs)
