"""`tf.contrib.staging.StagingArea`: tensors that one run puts aside for a later one.

    area = tf.contrib.staging.StagingArea([tf.float32])
    put, [batch] = area.put([next_batch]), area.get()

No state: the elements are in the session (ops/staging.py).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...base.errors import error_text
from ...base.shapes import TensorShape, unknown_shape
from ...graph.atomic import atomic
from ...graph.default_graph import get_default_graph
from ...graph.nodes import Operation, Tensor
from ...lib.control.grouping import no_op
from ...lib.framework.conversion import convert_to_tensor
from ...lib.framework.scope_blocks import colocate_with, name_scope
from ...ops import staging as ops


class StagingArea:
    """A list of element tuples in the session, whose runs wait for an element, and for room.

    names: then elements are dictionaries. shared_name: areas of the same shared name are one. capacity: the most elements;
    memory_limit: the most bytes; 0: no limit.

    Raises: ValueError for another number of shapes or names than of dtypes.
    """

    @atomic
    def __init__(
        self,
        dtypes: Any,
        shapes: Any = None,
        names: Any = None,
        shared_name: str | None = None,
        capacity: int = 0,
        memory_limit: int = 0,
    ) -> None:
        self._name = shared_name or get_default_graph().unique_name(type(self).__name__)
        self._dtypes = dtypes
        if shapes is not None and len(shapes) != len(dtypes):
            raise ValueError(error_text("StagingArea shapes must be the same length as dtypes"))
        self._shapes = [unknown_shape() for _ in dtypes] if shapes is None else [TensorShape(shape) for shape in shapes]
        if names is not None and len(names) != len(dtypes):
            raise ValueError(error_text("StagingArea names must be the same length as dtypes"))
        self._names = names
        self._capacity = capacity
        self._memory_limit = memory_limit
        with name_scope(f"{self._name}_root"):
            self._place = no_op()

    @property
    def name(self) -> str:
        return self._name

    @property
    def dtypes(self) -> Any:
        return self._dtypes

    @property
    def shapes(self) -> list[TensorShape]:
        return self._shapes

    @property
    def names(self) -> Any:
        return self._names

    @property
    def capacity(self) -> int:
        return self._capacity

    @property
    def memory_limit(self) -> int:
        return self._memory_limit

    def _given(self) -> dict[str, Any]:
        return {"capacity": self._capacity, "memory_limit": self._memory_limit, "shared_name": self._name}

    def _listed(self, values: Any) -> list[Any]:
        """The components of an element. Raises: ValueError for names that are not the area's."""
        if isinstance(values, dict):
            if not self._names:
                raise ValueError(error_text("Staging areas must have names to enqueue a dictionary"))
            if not set(values) <= set(self._names):
                raise ValueError(
                    error_text(
                        f"Keys in dictionary to put do not match names of staging area. Dictionary: ({sorted(values)}), Queue: "
                        f"({sorted(self._names)})"
                    )
                )
            return [values[name] for name in self._names if name in values]
        if self._names:
            raise ValueError(error_text("You must enqueue a dictionary in a staging area with names"))
        return list(values) if isinstance(values, (list, tuple)) else [values]

    def _tensors(self, values: Any) -> list[Tensor]:
        """Raises: AttributeError for what is no tensor, ValueError for other dtypes, shapes or numbers than the area's."""
        listed = self._listed(values)
        if len(listed) > len(self._dtypes):
            raise ValueError(error_text(f"Unexpected number of inputs '{len(listed)}' vs '{len(self._dtypes)}'"))
        tensors = []
        for position, (value, dtype, shape) in enumerate(zip(listed, self._dtypes, self._shapes)):
            if not hasattr(value, "dtype"):
                text = f"'{type(value).__name__}' object has no attribute 'dtype'"
                raise AttributeError(error_text(text, fix="put tensors: tf.constant(…)"))
            if value.dtype != dtype:
                raise ValueError(error_text(f"Datatypes do not match. '{value.dtype!s}' != '{dtype!s}'"))
            TensorShape(value.shape).assert_is_compatible_with(shape)
            tensors.append(convert_to_tensor(value, dtype=dtype, name=f"component_{position}"))
        return tensors

    @atomic
    def put(self, values: Any, name: str | None = None) -> Operation:
        """Puts an element in, as soon as there is room: a tensor, a list of components, or a dictionary of named ones."""
        scope_values = list(values.values()) if isinstance(values, dict) else values
        with name_scope(name, f"{self._name}_put", scope_values if isinstance(scope_values, list) else None) as scope:
            tensors = self._tensors(values)
            with colocate_with(self._place):
                result: Operation = ops.stage(tensors, **self._given(), name=scope)
        return result

    def _returned(self, results: Any) -> Any:
        tensors: Sequence[Tensor] = list(results) if isinstance(results, (list, tuple)) else [results]
        for tensor, shape in zip(tensors, self._shapes):
            tensor.set_shape(shape)
        no_op()  # TensorFlow asks such a node for the device of the surrounding block
        return dict(zip(self._names, tensors)) if self._names else tensors

    @atomic
    def get(self, name: str | None = None) -> Any:
        """Takes the oldest element out, as soon as there is one: a list, or a dictionary where the components have names."""
        name = f"{self._name}_get" if name is None else name
        with colocate_with(self._place):
            results = ops.unstage(dtypes=self._dtypes, **self._given(), name=name)
        return self._returned(results)

    @atomic
    def peek(self, index: Any, name: str | None = None) -> Any:
        """The element at this place, which stays there, as soon as there is one."""
        name = f"{self._name}_peek" if name is None else name
        with colocate_with(self._place):
            results = ops.stage_peek(index, dtypes=self._dtypes, **self._given(), name=name)
        return self._returned(results)

    @atomic
    def size(self, name: str | None = None) -> Tensor:
        """The number of elements."""
        name = f"{self._name}_size" if name is None else name
        result: Tensor = ops.stage_size(dtypes=self._dtypes, **self._given(), name=name)
        return result

    @atomic
    def clear(self, name: str | None = None) -> Operation:
        """Takes all elements out."""
        name = f"{self._name}_clear" if name is None else name
        result: Operation = ops.stage_clear(dtypes=self._dtypes, **self._given(), name=name)
        return result


__all__ = ["StagingArea"]
