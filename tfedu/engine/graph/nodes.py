"""Operation and Tensor: what a graph is made of, as plain data.

A tensor is one output of an operation; it holds a type and a partly known shape and never a value.
What higher layers give these classes (operators, `eval`, rich display) is attached there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager
from types import MappingProxyType
from typing import Any, NoReturn, Protocol

from ..base import shapes
from ..base import site as sites
from ..base.dtypes import DType
from ..base.errors import OperatorNotAllowedInGraphError, error_text, input_line, layout
from ..base.shapes import Shape, TensorShape
from ..base.site import RawSite, Site
from .stacks import get_default_session

UNKNOWN: Any = object()  # not inferred yet, where None means that there is no value


_NOT_IN_GRAPH = (
    "{} is not allowed in Graph execution. Use Eager execution or decorate this function with @tf.function."
)


def duplicate(name: str) -> str:
    """The words for a name that a node of the graph has already."""
    return f"Duplicate node name in graph: '{name}'"


class Owner(Protocol):
    """The graph of a node, as far as this module knows it; the class `Graph` builds on nodes."""

    mutations: int
    original: Any

    @property
    def operations(self) -> list[Operation]: ...
    def is_fetchable(self, tensor_or_op: Any) -> bool: ...
    def colocate_with(self, op: Any, ignore_existing: bool = False) -> AbstractContextManager[None]: ...
    def on_failure(self, step: Callable[..., Any], *args: Any) -> None: ...
    def add_control_input(self, op: Operation, waited: Operation) -> None: ...
    def remove_control_input(self, op: Operation, waited: Operation) -> None: ...
    def update_input(self, op: Operation, index: int, tensor: Tensor) -> None: ...


class Operation:
    """A node: an op type, its inputs, the nodes it waits for, its attributes and its outputs."""

    __slots__ = (
        "graph", "id", "type", "name", "inputs", "waits", "attrs", "outputs", "device", "_site", "definition", "_context",
        "_control_outputs", "__dict__", "__weakref__",
    )  # fmt: skip

    def __init__(
        self,
        graph: Owner,
        id: int,
        type: str,
        name: str,
        inputs: tuple[Tensor, ...],
        control_inputs: tuple[Operation, ...],
        attrs: Mapping[str, Any],
        device: str,
        site: RawSite | None,
        definition: Any,
    ) -> None:
        self.graph = graph
        self.id = id
        self.type = type
        self.name = name
        self.inputs = inputs
        self.waits = control_inputs
        self.attrs = attrs
        self.outputs: list[Tensor] = []
        self.device = device
        self._site = site
        self.definition = definition
        self._context: Any = None
        self._control_outputs: list[Operation] | None = None  # most nodes have none

    @property
    def site(self) -> Site | None:
        """The user's line that created the node."""
        return None if self._site is None else Site.of(self._site)

    def forget_site(self) -> None:
        """Forgets the line: that of a node from a file is of the program that wrote the file."""
        self._site = None

    @property
    def control_inputs(self) -> list[Operation]:
        """The operations that this one waits for without taking a value."""
        return list(self.waits)

    @property
    def control_outputs(self) -> list[Operation]:
        """The operations that wait for this one without taking a value."""
        return list(self._control_outputs or ())

    def add_control_output(self, op: Operation) -> None:
        """Notes that `op` waits for this operation."""
        if self._control_outputs is None:
            self._control_outputs = []
        self._control_outputs.append(op)

    def remove_control_output(self, op: Operation) -> None:
        """Takes back one `add_control_output`."""
        if self._control_outputs and op in self._control_outputs:
            self._control_outputs.remove(op)

    def get_attr(self, name: str) -> Any:
        """The attribute's value.

        Raises: ValueError when the operation has no such attribute.
        """
        try:
            value = self.attrs[name]
        except KeyError:
            raise ValueError(error_text(f"Operation '{self.name}' has no attr named '{name}'.")) from None
        return list(value) if isinstance(value, tuple) and name != "shape" else value

    def stand_alone(self) -> None:
        """Gives the node attributes of its own: nodes that share attributes have the same form (op/forms.py)."""
        if type(self.attrs) is MappingProxyType:
            self.attrs = dict(self.attrs)

    def put_attr(self, name: str, value: Any) -> None:
        """Sets an attribute of this node alone: other nodes may share its attributes."""
        self.attrs = {**self.attrs, name: value}

    def colocation_groups(self) -> list[bytes]:
        """The groups that must share a device with this operation; its own when it names no other."""
        groups = [g for g in self.attrs.get("_class", ()) if g.startswith(b"loc:@")]
        return groups or [b"loc:@" + self.name.encode()]

    def values(self) -> tuple[Tensor, ...]:
        return tuple(self.outputs)

    @property
    def traceback(self) -> list[tuple[str, int, str, str]]:
        """(file, line, function, text of the line) of the user's frame that created the node; no other frame is kept."""
        site = self.site
        return [] if site is None else [(site.file, site.line, site.function, site.source)]

    @property
    def _id(self) -> int:
        return self.id

    def _set_device(self, device: Any) -> None:
        """Moves the node to a device, given by name or DeviceSpec."""
        self.device = device if isinstance(device, str) else device.to_string()
        self.graph.mutations += 1

    def _clear_attr(self, attr_name: str) -> None:
        self.attrs = {name: value for name, value in self.attrs.items() if name != attr_name}

    def _get_control_flow_context(self) -> Any:
        return self._context

    def _set_control_flow_context(self, ctx: Any) -> None:
        self._context = ctx

    def _add_control_input(self, op: Operation) -> None:
        self.graph.add_control_input(self, op)

    def _add_control_inputs(self, ops: Iterable[Operation]) -> None:
        for op in ops:
            self.graph.add_control_input(self, op)

    def _remove_all_control_inputs(self) -> None:
        for op in self.waits:
            self.graph.remove_control_input(self, op)

    def _update_input(self, index: int, tensor: Tensor) -> None:
        self.graph.update_input(self, index, tensor)

    def run(self, feed_dict: Any = None, session: Any = None) -> None:
        """Runs the operation in the given or the default session; returns nothing."""
        _session_of(self.graph, session, "execute operation using `run()`", "run(session=sess)").run(
            self, feed_dict
        )

    def __repr__(self) -> str:
        return f"<tf.Operation '{self.name}' type={self.type}>"


class Tensor:
    """One output of an operation."""

    __slots__ = ("op", "index", "dtype", "raw_shape", "_consumers", "_constant", "__dict__", "__weakref__")

    def __init__(self, op: Operation, index: int, dtype: DType, raw_shape: Shape) -> None:
        self.op = op
        self.index = index
        self.dtype = dtype
        self.raw_shape = raw_shape
        self._consumers: list[Operation] = []
        self._constant: Any = UNKNOWN

    @property
    def name(self) -> str:
        return f"{self.op.name}:{self.index}"

    @property
    def graph(self) -> Owner:
        return self.op.graph

    @property
    def device(self) -> str:
        return self.op.device

    @property
    def value_index(self) -> int:
        return self.index

    @property
    def shape(self) -> TensorShape:
        """The shape as far as it is known before anything runs."""
        return TensorShape.of(self.raw_shape)

    def get_shape(self) -> TensorShape:
        return TensorShape.of(self.raw_shape)

    _shape = shape  # programs read it, as the next three

    def _shape_tuple(self) -> Shape:
        return self.raw_shape

    def _shape_as_list(self) -> list[int | None] | None:
        return None if self.raw_shape is None else list(self.raw_shape)

    def _rank(self) -> int | None:
        return None if self.raw_shape is None else len(self.raw_shape)

    def set_shape(self, shape: Any) -> None:
        """Adds what the caller knows about the shape.

        Raises: ValueError when it contradicts what is known.
        """
        try:
            merged = shapes.merge(self.raw_shape, shapes.as_raw(shape))
        except shapes.ShapeMismatch as mismatch:
            raise ValueError(
                layout(str(mismatch), sites.describe(sites.capture()), [input_line(self)])
            ) from None
        if merged != self.raw_shape:
            self.raw_shape = merged
            for op in (self.op, *self.consumers()):
                op.stand_alone()

    def consumers(self) -> list[Operation]:
        """The operations that take this tensor's value."""
        return list(self._consumers)

    def add_consumer(self, op: Operation) -> None:
        """Notes that `op` takes this tensor (once for each input that does)."""
        self._consumers.append(op)

    def settle_consumer(self, op: Operation, count: int) -> None:
        """Makes `op` take this tensor `count` times."""
        consumers = self._consumers
        for _ in range(count, consumers.count(op)):
            consumers.remove(op)
        while consumers.count(op) < count:
            consumers.append(op)

    def __repr__(self) -> str:
        return f"<tf.Tensor '{self.name}' shape={self.shape} dtype={self.dtype.name}>"

    def __str__(self) -> str:
        shape = f", shape={self.shape}" if self.raw_shape is not None else ""
        device = f", device={self.device}" if self.device else ""
        return f'Tensor("{self.name}"{shape}, dtype={self.dtype.name}{device})'

    # `==` and hash are object's own, by identity: a dictionary of tensors is on the hot path of every run.

    def experimental_ref(self) -> Reference:
        """A reference that is equal to other references to the same tensor, whatever `==` of tensors means."""
        return Reference(self)

    ref = experimental_ref

    def __copy__(self) -> Tensor:
        # A tensor is a place in a graph: a copy of the handle is the handle.
        return self

    def __iter__(self) -> Iterator[Tensor]:
        raise OperatorNotAllowedInGraphError(
            error_text(_NOT_IN_GRAPH.format("iterating over `tf.Tensor`"), fix="tf.unstack(x) gives its parts as a list")
        )

    def __bool__(self) -> NoReturn:
        raise OperatorNotAllowedInGraphError(
            error_text(
                _NOT_IN_GRAPH.format("using a `tf.Tensor` as a Python `bool`"),
                fix="its value is known only in a run: tf.cond(pred, f, g) and tf.where choose there; `x is None` asks for None",
            )
        )

    __nonzero__ = __bool__

    def __len__(self) -> NoReturn:
        raise TypeError(
            error_text(
                f"len is not well defined for symbolic Tensors. ({self.name}) Please call `x.shape` rather than "
                "`len(x)` for shape information."
            )
        )

    def __array__(self, *args: object, **kwargs: object) -> NoReturn:
        raise NotImplementedError(
            error_text(f"Cannot convert a symbolic Tensor ({self.name}) to a numpy array.", fix="session.run(x) gives an array")
        )

    # NumPy must leave `array + tensor` to the tensor's own operator.
    __array_priority__ = 100

    def eval(self, feed_dict: Any = None, session: Any = None) -> Any:
        """The tensor's value: `session.run(tensor)` in the given or the default session."""
        return _session_of(
            self.op.graph, session, "evaluate tensor using `eval()`", "eval(session=sess)"
        ).run(self, feed_dict)


class Reference:
    """An object by its identity, to be a key of dictionaries and sets; `deref()` gives it back."""

    __slots__ = ("_wrapped",)

    def __init__(self, wrapped: Any) -> None:
        self._wrapped = wrapped

    def deref(self) -> Any:
        return self._wrapped

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Reference) and self._wrapped is other._wrapped

    def __hash__(self) -> int:
        return id(self._wrapped)

    def __repr__(self) -> str:
        return f"<Reference wrapping {self._wrapped!r}>"


def _session_of(graph: Owner, session: Any, deed: str, call: str) -> Any:
    if session is None:
        session = get_default_session()
        if session is None:
            colon = ":" if "operation" in deed else ""
            raise ValueError(error_text(
                f"Cannot {deed}: No default session is registered. Use `with sess.as_default(){colon}` or pass an explicit "
                f"session to `{call}`"
            ))
        if session.graph is not graph:
            what = "tensor" if "tensor" in deed else "operation"
            quoted = f"`{call}`" if what == "tensor" else call
            raise ValueError(error_text(
                f"Cannot use the default session to {'evaluate' if what == 'tensor' else 'execute'} {what}: the "
                f"{what}'s graph is different from the session's graph. Pass an explicit session to {quoted}."
            ))
    elif session.graph is not graph:
        what = "tensor" if "tensor" in deed else "operation"
        raise ValueError(error_text(
            f"Cannot use the given session to {'evaluate' if what == 'tensor' else 'execute'} {what}: the {what}'s "
            "graph is different from the session's graph."
        ))
    return session
