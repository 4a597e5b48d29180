"""`tf.contrib.staging.StagingArea` and `MapStagingArea`: tensors that one run puts aside for a later one.

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
from ...ops import map_staging as keyed_ops
from ...ops import staging as ops


class _BaseStagingArea:
    """What both kinds of staging areas have: dtypes, shapes and names of the components, capacity and memory limit.

    Raises: ValueError for another number of shapes or names than of dtypes, and for a shared name that is no string.
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
        if shared_name is not None and not isinstance(shared_name, str):
            raise ValueError(error_text("shared_name must be a string"))
        self._name = get_default_graph().unique_name(type(self).__name__) if shared_name is None else shared_name
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

    def _listed(self, values: Any, indices: Sequence[int] | None) -> tuple[list[Any], Sequence[int]]:
        """Components of an element, and which they are. Raises: ValueError for names that are not the area's."""
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
            given = [(values[name], index) for index, name in enumerate(self._names) if name in values]
            return [value for value, _ in given], [index for _, index in given]
        if self._names:
            raise ValueError(error_text("You must enqueue a dictionary in a staging area with names"))
        if indices is None:
            raise ValueError(error_text("Indices must be supplied when inserting a list of tensors"))
        if len(indices) != len(values):
            raise ValueError(error_text(f"Number of indices '{len(indices)}' doesn't match number of values '{len(values)}'"))
        return list(values), indices

    def _tensors(self, values: Any, indices: Sequence[int] | None) -> tuple[list[Tensor], Sequence[int]]:
        """Raises: AttributeError for what is no tensor, ValueError for other dtypes, shapes or numbers than the area's."""
        listed, indices = self._listed(values, indices)
        if len(listed) > len(self._dtypes):
            raise ValueError(error_text(f"Unexpected number of inputs '{len(listed)}' vs '{len(self._dtypes)}'"))
        tensors = []
        for value, index in zip(listed, indices):
            dtype, shape = self._dtypes[index], self._shapes[index]
            if not hasattr(value, "dtype"):
                text = f"'{type(value).__name__}' object has no attribute 'dtype'"
                raise AttributeError(error_text(text, fix="put tensors: tf.constant(…)"))
            if value.dtype != dtype:
                raise ValueError(error_text(f"Datatypes do not match. '{value.dtype!s}' != '{dtype!s}'"))
            TensorShape(value.shape).assert_is_compatible_with(shape)
            tensors.append(convert_to_tensor(value, dtype=dtype, name=f"component_{index}"))
        return tensors, indices

    def _returned(self, results: Any, indices: Sequence[int]) -> Any:
        tensors: Sequence[Tensor] = list(results) if isinstance(results, (list, tuple)) else [results]
        for tensor, index in zip(tensors, indices):
            tensor.set_shape(self._shapes[index])
        no_op()  # TensorFlow asks such a node for the device of the surrounding block
        return {self._names[index]: tensor for tensor, index in zip(tensors, indices)} if self._names else tensors


class StagingArea(_BaseStagingArea):
    """A list of element tuples in the session, whose runs wait for an element, and for room.

    names: then elements are dictionaries. shared_name: areas of the same shared name are one. capacity: the most elements;
    memory_limit: the most bytes; 0: no limit.

    Raises: ValueError for another number of shapes or names than of dtypes, and for a shared name that is no string.
    """

    @atomic
    def put(self, values: Any, name: str | None = None) -> Operation:
        """Puts an element in, as soon as there is room: a tensor, a list of components, or a dictionary of named ones."""
        scope_values = list(values.values()) if isinstance(values, dict) else values
        with name_scope(name, f"{self._name}_put", scope_values if isinstance(scope_values, list) else None) as scope:
            listed = values if isinstance(values, (list, tuple, dict)) else [values]
            tensors, _ = self._tensors(listed, range(len(listed)))
            with colocate_with(self._place):
                result: Operation = ops.stage(tensors, **self._given(), name=scope)
        return result

    @atomic
    def get(self, name: str | None = None) -> Any:
        """Takes the oldest element out, as soon as there is one: a list, or a dictionary where the components have names."""
        name = f"{self._name}_get" if name is None else name
        with colocate_with(self._place):
            results = ops.unstage(dtypes=self._dtypes, **self._given(), name=name)
        return self._returned(results, range(len(self._dtypes)))

    @atomic
    def peek(self, index: Any, name: str | None = None) -> Any:
        """The element at this place, which stays there, as soon as there is one."""
        name = f"{self._name}_peek" if name is None else name
        with colocate_with(self._place):
            results = ops.stage_peek(index, dtypes=self._dtypes, **self._given(), name=name)
        return self._returned(results, range(len(self._dtypes)))

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


class MapStagingArea(_BaseStagingArea):
    """A dictionary of element tuples in the session, whose keys are whole numbers of int64; runs wait for an element.

    An element may come in, and go out, in parts: it can be taken out when it has all components, and is gone when all were
    taken. ordered: a take without a key gives the element of the least key; without, any: here the newest.
    names, shared_name, capacity, memory_limit: as in a `StagingArea`; elements that miss components count towards the bytes only.

    Raises: ValueError for another number of shapes or names than of dtypes, and for a shared name that is no string.
    """

    def __init__(
        self,
        dtypes: Any,
        shapes: Any = None,
        names: Any = None,
        shared_name: str | None = None,
        ordered: bool = False,
        capacity: int = 0,
        memory_limit: int = 0,
    ) -> None:
        super().__init__(dtypes, shapes, names, shared_name, capacity, memory_limit)
        self._ordered = bool(ordered)

    def _op(self, pair: tuple[Any, Any], *inputs: Any, dtypes: Any, name: str) -> Any:
        return pair[self._ordered](*inputs, dtypes=dtypes, **self._given(), name=name)

    @atomic
    def put(self, key: Any, vals: Any, indices: Any = None, name: str | None = None) -> Operation:
        """Puts components of the element of this key in, as soon as there is room: a dictionary of named ones, or a list.

        indices: which components a list has, in rising order. An element whose key is in the area already is dropped.

        Raises: ValueError for a list without indices, for other dtypes, shapes, numbers or names than the area's.
        """
        scope_values = list(vals.values()) if isinstance(vals, dict) else vals
        with name_scope(name, f"{self._name}_put", scope_values if isinstance(scope_values, list) else None) as scope:
            tensors, indices = self._tensors(vals, indices)
            with colocate_with(self._place):
                result: Operation = self._op(keyed_ops.map_stage, key, indices, tensors, dtypes=self._dtypes, name=scope)
        return result

    def _places(self, indices: Any) -> tuple[list[int], list[Any]]:
        """The numbers of these components, and their dtypes. Raises: TypeError, ValueError, IndexError for what names none."""
        if indices is None:
            indices = list(range(len(self._dtypes)))
        if not isinstance(indices, (tuple, list)):
            raise TypeError(error_text(f"Invalid indices type '{type(indices)}'"))
        if not indices:
            raise ValueError(error_text("Empty indices"))
        if all(isinstance(index, str) for index in indices):
            indices = self._places_of_names(indices)
        elif not all(isinstance(index, int) for index in indices):
            raise TypeError(error_text(f"Mixed types in indices '{indices}'. May only be str or int"))
        return list(indices), [self._dtypes[index] for index in indices]

    def _places_of_names(self, wanted: Sequence[str]) -> list[int]:
        if self._names is None:
            raise ValueError(error_text(f"String indices provided '{wanted}', but this Staging Area was not created with names."))
        for name in wanted:
            if name not in self._names:
                raise ValueError(error_text(f"Named index '{name}' not in Staging Area names '{self._names}'"))
        return [self._names.index(name) for name in wanted]

    @atomic
    def peek(self, key: Any, indices: Any = None, name: str | None = None) -> Any:
        """Components of the element of this key, which stay there, as soon as it is there: a list, or a dictionary by name.

        indices: which components, as numbers or names in the area's order; None: all.

        Raises: TypeError, ValueError or IndexError for indices that are no components.
        """
        places, dtypes = self._places(indices)
        with colocate_with(self._place):
            results = self._op(keyed_ops.map_peek, key, places, dtypes=dtypes, name=name or f"{self._name}_pop")
        return self._returned(results, places)

    @atomic
    def get(self, key: Any = None, indices: Any = None, name: str | None = None) -> tuple[Any, Any]:
        """Takes components of the element of this key out, as soon as it is there: (the key, what `peek` gives).

        key: None: any element, or that of the least key; the key is a tensor then. indices: as in `peek`.

        Raises: TypeError, ValueError or IndexError for indices that are no components.
        """
        places, dtypes = self._places(indices)
        with colocate_with(self._place):
            if key is not None:
                results = self._op(keyed_ops.map_unstage, key, places, dtypes=dtypes, name=name or f"{self._name}_get")
            else:
                name = name or f"{self._name}_get_nokey"
                taken, results = self._op(keyed_ops.map_unstage_no_key, places, dtypes=dtypes, name=name)
        if key is None:
            no_op()  # as in `_returned`, for the key
            key = taken
        return key, self._returned(results, places)

    @atomic
    def size(self, name: str | None = None) -> Tensor:
        """The number of elements that have all components: a scalar of int32."""
        result: Tensor = self._op(keyed_ops.map_size, dtypes=self._dtypes, name=name or f"{self._name}_size")
        return result

    @atomic
    def incomplete_size(self, name: str | None = None) -> Tensor:
        """The number of elements that miss components: a scalar of int32."""
        name = name or f"{self._name}_incomplete_size"
        result: Tensor = self._op(keyed_ops.map_incomplete_size, dtypes=self._dtypes, name=name)
        return result

    @atomic
    def clear(self, name: str | None = None) -> Operation:
        """Takes all elements out, those that miss components, too."""
        result: Operation = self._op(keyed_ops.map_clear, dtypes=self._dtypes, name=name or f"{self._name}_clear")
        return result


__all__ = ["MapStagingArea", "StagingArea"]
