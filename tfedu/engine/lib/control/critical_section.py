"""`tf.CriticalSection`: functions whose nodes run as a whole, one after the other, while other nodes run in any order.

    section = tf.CriticalSection()
    total = section.execute(lambda: v.assign(v * 2 + 1))

State: two collections of the graph, of its sections and of their executions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

from ...base import dtypes
from ...base.errors import error_text
from ...graph.atomic import atomic
from ...graph.default_graph import get_default_graph
from ...graph.nodes import Operation, Tensor
from ...ops import mutex as ops
from ...ops.control_flow import SWITCHES
from ..framework import nest
from ..framework.collections import add_to_collection, get_collection
from ..framework.scope_blocks import colocate_with, control_dependencies, named
from .grouping import group, identity, tuple

# The collections, by TensorFlow's names.
_SECTIONS = "critical_sections"
_EXECUTIONS = "critical_section_executions"


class _ExecutionSignature(NamedTuple):
    """op: the lock. handle: the section's mutex. resources: the handles that the function's nodes use."""

    op: Operation
    handle: Tensor
    resources: list[Tensor]
    exclusive_resource_access: bool


class CriticalSection:
    """Nodes that no two executions run at the same time.

    shared_name: sections of the same shared name are one section in a session.

    Raises: ValueError for both critical_section_def and a name, NotImplementedError for critical_section_def, for which
    TensorFlow has no message.
    """

    def __init__(
        self,
        name: str | None = None,
        shared_name: str | None = None,
        critical_section_def: Any = None,
        import_scope: str | None = None,
    ) -> None:
        if critical_section_def is not None:
            if name is not None or shared_name is not None:
                raise ValueError(error_text("critical_section_def and shared_name are mutually exclusive."))
            raise NotImplementedError(error_text("Not yet implemented"))
        self._build(name, shared_name)

    @atomic
    def _build(self, name: str | None, shared_name: str | None) -> None:
        with named(name, "CriticalSection") as scope:
            assert scope is not None
            self._name = scope.removesuffix("/")
            self._handle: Tensor = ops.mutex(shared_name=shared_name or scope, name=scope)
        add_to_collection(_SECTIONS, self)

    @property
    def name(self) -> str:
        return self._name

    @atomic
    def execute(self, fn: Callable[[], Any], exclusive_resource_access: bool = True, name: str | None = None) -> Any:
        """What `fn()` returns, computed while no other execution of this section runs.

        exclusive_resource_access: whether no other section may use the resource variables that `fn` uses.

        Raises: ValueError when `fn` executes this section again, or uses a resource that another section uses and one of the two
        has to itself.
        """
        with named(name, "critical_section_execute"):
            graph = get_default_graph()
            lock: Tensor = ops.mutex_lock(self._handle)
            before = len(graph.operations)
            with control_dependencies([lock]):
                result = fn()
            created = set(graph.operations[before:])
            created.discard(lock.op)
            self._check_resources(created, lock.op, exclusive_resource_access)
            _wait_for_what_comes_in(created, lock.op)
            return self._after_the_section(result, nest.flatten(result), lock)

    def _after_the_section(self, result: Any, parts: Sequence[Any], lock: Tensor) -> Any:
        """The result, behind the node that gives the lock back when all of it is computed."""
        computed = [_passed_on(part) for part in parts]
        with control_dependencies(computed):
            with colocate_with(self._handle):
                unlock = ops.consume_mutex_lock(lock)
            gated = tuple(parts)
        with control_dependencies([unlock]):
            return nest.pack_sequence_as(result, [_passed_on(part) for part in gated])

    # -- what the function uses ------------------------------------------------------------------------------------------

    def _is_own_handle(self, tensor: Tensor) -> bool:
        return tensor is self._handle or (tensor.op.type in SWITCHES and tensor.op.inputs[0] is self._handle)

    def _check_resources(self, created: set[Operation], lock: Operation, exclusive: bool) -> None:
        used: dict[Tensor, None] = {}
        for op in sorted(created, key=lambda op: op.id):
            for tensor in op.inputs:
                if tensor.op not in created and tensor.dtype.base_dtype is dtypes.resource:
                    if self._is_own_handle(tensor):
                        raise ValueError(
                            error_text(
                                "The function fn attempts to directly access the CriticalSection in which it would be running.  "
                                "This is illegal and would cause deadlocks.",
                                [tensor],
                            )
                        )
                    used[tensor] = None
        for other in get_collection(_EXECUTIONS):
            if self._is_own_handle(other.handle) or not (exclusive or other.exclusive_resource_access):
                continue
            shared = [tensor for tensor in used if any(tensor is resource for resource in other.resources)]
            if shared:
                raise ValueError(error_text(self._conflict(shared, other), shared))
        add_to_collection(
            _EXECUTIONS, _ExecutionSignature(lock, self._handle, list(used), exclusive)
        )

    def _conflict(self, shared: Iterable[Tensor], other: _ExecutionSignature) -> str:
        names = ", ".join(f"<_ObjectIdentityWrapper wrapping {tensor!r}>" for tensor in shared)
        return (
            f"This execution would access resources: [{names}].  Either this lock (CriticalSection: {self._handle}) or lock "
            f"'{other}' (CriticalSection: {other.handle}) requested exclusive resource access of this resource.  Did you mean to "
            "call execute with keyword argument exclusive_resource_access=False?"
        )


def _passed_on(part: Any) -> Any:
    return group(part) if isinstance(part, Operation) else identity(part)


def _wait_for_what_comes_in(created: set[Operation], lock: Operation) -> None:
    """Lets the lock wait for all nodes outside of the section that nodes of the section wait for."""
    outside: dict[Operation, None] = {}
    for op in sorted(created, key=lambda op: op.id):
        for source in (*(tensor.op for tensor in op.inputs), *op.waits):
            if source not in created and source is not lock:
                outside[source] = None
    if outside:
        lock._add_control_input(group(*outside))


__all__ = ["CriticalSection"]
