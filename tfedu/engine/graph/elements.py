"""The nodes of a graph by name: `graph.as_graph_element("x:0")`, and which of them may be fed and fetched.

Operations, tensors and their names are elements, and so are objects that say so themselves: an object of a higher layer
(a variable) offers `_as_graph_element()`, and a composite (IndexedSlices, SparseTensor) has `.op`.
State: `_nodes` and `_by_name`, `_unfeedable` and `_unfetchable`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..base.errors import error_text
from ..base.suggest import nearest
from .collections import Collected
from .nodes import Operation, Tensor


class NodeTable(Collected):
    """The part of a graph that holds its nodes."""

    def __init__(self) -> None:
        super().__init__()
        self._nodes: list[Operation] = []
        self._by_name: dict[str, Operation] = {}
        self._unfeedable: set[Tensor] = set()
        self._unfetchable: set[Tensor | Operation] = set()

    @property
    def operations(self) -> list[Operation]:
        """The nodes in the order in which they were created; not a copy."""
        return self._nodes

    def get_operations(self) -> list[Operation]:
        """The nodes in the order in which they were created."""
        return list(self._nodes)

    def as_graph_element(self, obj: Any, allow_tensor: bool = True, allow_operation: bool = True) -> Any:
        """The tensor or operation that a name or object stands for.

        Raises: KeyError for a missing name, ValueError for a malformed one or another graph's, TypeError for the rest.
        """
        if allow_tensor and allow_operation:
            wanted = "Tensor or Operation"
        elif allow_tensor:
            wanted = "Tensor"
        elif allow_operation:
            wanted = "Operation"
        else:
            raise ValueError("allow_tensor and allow_operation can't both be False.")

        convert = getattr(obj, "_as_graph_element", None)
        if convert is not None:
            obj = convert()
        if isinstance(obj, bytes):
            obj = obj.decode("utf-8", "replace")
        if isinstance(obj, str):
            return self._element_named(obj, wanted, allow_tensor, allow_operation)
        if (isinstance(obj, Tensor) and allow_tensor) or (isinstance(obj, Operation) and allow_operation):
            owner: object = obj.graph
            if owner is not self:
                kind = "Tensor" if isinstance(obj, Tensor) else "Operation"
                raise ValueError(f"{kind} {obj} is not an element of this graph.")
            return obj
        raise TypeError(f"Can not convert a {type(obj).__name__} into a {wanted}.")

    def _element_named(self, name: str, wanted: str, allow_tensor: bool, allow_operation: bool) -> Any:
        quoted = name if len(name) <= 200 else f"{name[:200]}…"
        if ":" in name and allow_tensor:
            op_name, _, index_text = name.partition(":")
            if not (index_text.isascii() and index_text.isdigit()):
                raise ValueError(
                    f"The name {quoted!r} looks a like a Tensor name, but is not a valid one. "
                    'Tensor names must be of the form "<op_name>:<output_index>".'
                )
            op = self._by_name.get(op_name)
            if op is None:
                raise KeyError(
                    f"The name {quoted!r} refers to a Tensor which does not exist. The operation, "
                    f"{op_name[:200]!r}, does not exist in the graph.{self._near(op_name)}"
                )
            if int(index_text) >= len(op.outputs):
                raise KeyError(
                    f"The name {quoted!r} refers to a Tensor which does not exist. The operation, "
                    f"{op_name!r}, exists but only has {len(op.outputs)} outputs."
                )
            return op.outputs[int(index_text)]
        if ":" in name:
            raise ValueError(f"Name {quoted!r} appears to refer to a Tensor, not a {wanted}.")
        op = self._by_name.get(name)
        if allow_operation:
            if op is None:
                raise KeyError(f"The name {quoted!r} refers to an Operation not in the graph.{self._near(name)}")
            return op
        if op is not None:
            raise ValueError(
                f"The name {quoted!r} refers to an Operation, not a {wanted}. "
                'Tensor names must be of the form "<op_name>:<output_index>".'
            )
        raise ValueError(
            f"The name {quoted!r} looks like an (invalid) Operation name, not a {wanted}. "
            'Tensor names must be of the form "<op_name>:<output_index>".'
        )

    def _near(self, name: str) -> str:
        # In a huge graph the search for a similar name takes too long.
        if len(self._by_name) > 10_000 or len(name) > 200:
            return ""
        near = nearest(name, self._by_name)
        return f" Did you mean {near!r}?" if near else ""

    def get_operation_by_name(self, name: str) -> Operation:
        """Raises: KeyError when there is no such operation."""
        if not isinstance(name, str):
            raise TypeError(
                error_text(f"Operation names are strings (or similar), not {type(name).__name__}.")
            )
        op: Operation = located(self.as_graph_element, name, allow_tensor=False)
        return op

    def get_tensor_by_name(self, name: str) -> Tensor:
        """Raises: ValueError for a name without output index, KeyError when there is no such tensor."""
        if not isinstance(name, str):
            raise TypeError(error_text(f"Tensor names are strings (or similar), not {type(name).__name__}."))
        tensor: Tensor = located(self.as_graph_element, name, allow_operation=False)
        return tensor

    def prevent_feeding(self, tensor: Tensor) -> None:
        self.on_failure(self._unfeedable.discard, tensor)
        self._unfeedable.add(tensor)

    def is_feedable(self, tensor: Any) -> bool:
        return tensor not in self._unfeedable

    def prevent_fetching(self, op: Any) -> None:
        self.on_failure(self._unfetchable.discard, op)
        self._unfetchable.add(op)

    def is_fetchable(self, tensor_or_op: Any) -> bool:
        if tensor_or_op in self._unfetchable:
            return False
        return not (isinstance(tensor_or_op, Tensor) and tensor_or_op.op in self._unfetchable)


def as_operation(graph: NodeTable, obj: Any) -> Operation:
    """The operation to wait for: the object itself, a tensor's, a variable's or a composite's.

    An object may choose the operation with `_as_control_input()`: to wait for a variable is not to read it.
    """
    as_control_input = getattr(obj, "_as_control_input", None)
    if as_control_input is not None:
        obj = as_control_input()
    element = graph.as_graph_element(obj)
    return element.op if isinstance(element, Tensor) else element


def located(look_up: Callable[..., Any], *args: Any, **options: Any) -> Any:
    """`look_up(*args, **options)`; a refusal names the user's line (but a KeyError, which would show its text in quotes)."""
    try:
        return look_up(*args, **options)
    except (TypeError, ValueError) as error:
        raise type(error)(error_text(str(error))) from None
