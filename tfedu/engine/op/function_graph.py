"""Functions: a node can hold a graph of its own as an attribute, which its kernel calls. `MapDataset` holds one for each element.

A `FunctionGraph` is built like any graph, and drawn and stepped into like one. A tensor of the graph around it that a node
inside uses is *captured*: a placeholder inside stands for it, and the node that holds the function gets it as a further
input. State: a FunctionGraph's arguments, captures, outputs and name.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from ..base import site as sites
from ..base.dtypes import DType
from ..base.shapes import Shape
from ..base.site import Site
from ..graph.elements import as_operation, located
from ..graph.graph import Graph
from ..graph.nodes import Operation, Tensor
from ..graph.scopes import ControlBlock
from .definition import REGISTRY


class FunctionGraph(Graph):
    """The body of a function, whose nodes may use tensors of the graph around it (`outer`)."""

    takes_foreign_tensors = True

    def __init__(self, name: str, outer: Graph, site: Site | None = None) -> None:
        super().__init__()
        self.name = name
        self.outer = outer
        self.site = site
        self._seed = outer.seed
        self._collections = outer._collections  # get_variable finds the variables of the graph around it
        self.arguments: list[Tensor] = []
        self.captures: dict[Tensor, Tensor] = {}  # tensor outside -> the placeholder that stands for it
        self._outside: dict[Tensor, Tensor] = {}  # the same, from the placeholders on
        self.outputs: list[Tensor] = []

    @property
    def building_function(self) -> bool:
        return True

    @property
    def parameters(self) -> list[Tensor]:
        """The placeholders of a call's values: of the captured tensors, then of the arguments."""
        return [*self.captures.values(), *self.arguments]

    def add_argument(self, dtype: DType, shape: Shape, name: str | None = None) -> Tensor:
        """A further argument, in the order of the calls' values."""
        argument = self.placeholder(name or f"args_{len(self.arguments)}", dtype, shape)
        self.arguments.append(argument)
        return argument

    def placeholder(self, name: str, dtype: DType, shape: Shape) -> Tensor:
        """A value that each call gives."""
        d = REGISTRY["Placeholder"]
        attrs = {"dtype": dtype, "shape": shape}
        op = self.add_node(d.type, self.unique_name(name), (), attrs, [dtype], [shape], d, sites.here())
        return op.outputs[0]

    def capture(self, tensor: Tensor) -> Tensor:
        """The placeholder that stands for a tensor outside."""
        inside = self.captures.get(tensor)
        if inside is None:
            outside = tensor
            if tensor.graph is not self.outer and isinstance(self.outer, FunctionGraph):
                outside = self.outer.capture(tensor)  # a function in a function gets it through the one around it
            if outside.graph is not self.outer:
                raise ValueError(f"{tensor} must be from the same graph as {self.outer}.")
            inside = self.captures.get(outside)
            if inside is None:
                stack, context = self._control_stack, self._context
                self._control_stack, self._context = (), None  # an input of the function waits for nothing
                try:
                    inside = self.placeholder(tensor.op.name, tensor.dtype.base_dtype, tensor.raw_shape)
                finally:
                    self._control_stack, self._context = stack, context
                self.captures[outside] = inside
                self._outside[inside] = outside
        return inside

    def outside(self, tensor: Tensor) -> Tensor:
        source = self._outside.get(tensor)
        return tensor if source is None else self.outer.outside(source)

    def taken_in(self, values: Iterable[Any]) -> tuple[Any, ...]:
        """The values, with tensors of other graphs captured, also those in lists."""
        return tuple([self._one(value) for value in values])

    def _one(self, value: Any) -> Any:
        if isinstance(value, Tensor):
            return value if value.graph is self else self.capture(value)
        return list(map(self._one, value)) if type(value) in (list, tuple) else value

    def _control_block(self, control_inputs: Iterable[Any] | None, site: Site | None = None) -> ControlBlock:
        if control_inputs is None:
            return super()._control_block(None, site)
        inside = []
        for item in control_inputs:
            # A call cannot wait for a node outside: it comes whenever an element is asked for.
            element = getattr(item, "_as_graph_element", lambda item=item: item)()
            if not isinstance(element, (Operation, Tensor)) or element.graph is self:
                inside.append(located(as_operation, self, item))
        return super()._control_block(inside, site)

    def close(self, outputs: Sequence[Tensor]) -> None:
        """Ends the construction: a call returns these tensors."""
        self.outputs = list(outputs)
        self.finalize()

    def __str__(self) -> str:
        return self.name


__all__ = ["FunctionGraph"]
