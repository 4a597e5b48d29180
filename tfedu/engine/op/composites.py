"""`IndexedSlices` and `SparseTensor`: several tensors that represent one, and the `*Value`s that a run returns. No state."""

from __future__ import annotations

from typing import Any, NamedTuple

from ..base import dtypes
from ..base.dtypes import DType
from ..base.shapes import TensorShape
from ..graph.atomic import atomic
from ..graph.conversion import convert_to_tensor
from ..graph.default_graph import graph_for
from ..graph.nodes import Operation, Owner, Tensor, _session_of
from .infer import constant_value_as_shape


class IndexedSlicesValue(NamedTuple):
    """The value of an IndexedSlices."""

    values: Any
    indices: Any
    dense_shape: Any


class SparseTensorValue(NamedTuple):
    """The value of a SparseTensor."""

    indices: Any
    values: Any
    dense_shape: Any


class IndexedSlices:
    """Rows `values` [n, …] of a larger tensor, at `indices` [n]; a row that occurs twice counts twice."""

    def __init__(self, values: Tensor, indices: Tensor, dense_shape: Tensor | None = None) -> None:
        graph_for([values, indices, dense_shape])
        self.values = values
        self.indices = indices
        self.dense_shape = dense_shape

    @property
    def name(self) -> str:
        return self.values.name

    @property
    def device(self) -> str:
        return self.values.device

    @property
    def op(self) -> Operation:
        return self.values.op

    @property
    def dtype(self) -> DType:
        return self.values.dtype

    @property
    def graph(self) -> Owner:
        return self.values.graph

    @property
    def _parts(self) -> tuple[Tensor, ...]:
        dense = () if self.dense_shape is None else (self.dense_shape,)
        return (self.values, self.indices, *dense)

    def _with_parts(self, *parts: Tensor) -> IndexedSlices:
        return IndexedSlices(*parts)

    def _as_control_input(self) -> Operation:
        return self.op

    def consumers(self) -> list[Operation]:
        """The operations that take one of the three tensors."""
        return [op for part in (self.values, self.indices, self.dense_shape) if part is not None for op in part.consumers()]

    def __neg__(self) -> IndexedSlices:
        return IndexedSlices(-self.values, self.indices, self.dense_shape)  # type: ignore[operator]

    def __str__(self) -> str:
        dense = "" if self.dense_shape is None else f", dense_shape={self.dense_shape}"
        return f"IndexedSlices(indices={self.indices}, values={self.values}{dense})"


class SparseTensor:
    """A tensor that is 0 except for `values` [n] at `indices` [n, rank].

    Raises: ValueError when the shapes of the three parts do not match.
    """

    @atomic
    def __init__(self, indices: Any, values: Any, dense_shape: Any) -> None:
        tensors = [part for part in (indices, values, dense_shape) if isinstance(part, Tensor)]
        graph = graph_for(tensors)
        with graph.as_default(), graph.name_scope("SparseTensor"):
            self._indices = convert_to_tensor(indices, dtypes.int64, name="indices")
            self._values = convert_to_tensor(values, name="values")
            self._dense_shape = convert_to_tensor(dense_shape, dtypes.int64, name="dense_shape")
        rows = self._indices.shape.with_rank(2)
        count = self._values.shape.with_rank(1)
        rank = self._dense_shape.shape.with_rank(1)
        rows[0].merge_with(count[0])
        rows[1].merge_with(rank[0])

    @classmethod
    def from_value(cls, sparse_tensor_value: Any) -> SparseTensor:
        """The SparseTensor of a SparseTensorValue.

        Raises: TypeError for anything else.
        """
        if not isinstance(sparse_tensor_value, (SparseTensor, SparseTensorValue)):
            raise TypeError(f"Neither a SparseTensor nor SparseTensorValue: {sparse_tensor_value}.")
        return cls(
            sparse_tensor_value.indices, sparse_tensor_value.values, sparse_tensor_value.dense_shape
        )

    @property
    def indices(self) -> Tensor:
        """The indices [n, rank] of the entries."""
        return self._indices

    @property
    def values(self) -> Tensor:
        """The entries [n]."""
        return self._values

    @property
    def dense_shape(self) -> Tensor:
        """The shape [rank] of the represented tensor."""
        return self._dense_shape

    @property
    def shape(self) -> TensorShape:
        return TensorShape.of(constant_value_as_shape(self.dense_shape))

    def get_shape(self) -> TensorShape:
        return self.shape

    @property
    def op(self) -> Operation:
        return self.values.op

    @property
    def dtype(self) -> DType:
        return self.values.dtype

    @property
    def graph(self) -> Owner:
        return self.indices.graph

    @property
    def _parts(self) -> tuple[Tensor, ...]:
        return (self.indices, self.values, self.dense_shape)

    def _with_parts(self, *parts: Tensor) -> SparseTensor:
        return SparseTensor(*parts)

    def consumers(self) -> list[Operation]:
        """The operations that take one of the three parts."""
        return list(dict.fromkeys(op for part in self._parts for op in part.consumers()))

    def eval(self, feed_dict: Any = None, session: Any = None) -> SparseTensorValue:
        """The value in the given or the default session."""
        session = _session_of(self.graph, session, "evaluate tensor using `eval()`", "eval(session=sess)")
        return session.run(self, feed_dict)

    def __str__(self) -> str:
        return f"SparseTensor(indices={self.indices}, values={self.values}, dense_shape={self.dense_shape})"


__all__ = ["IndexedSlices", "IndexedSlicesValue", "SparseTensor", "SparseTensorValue"]
