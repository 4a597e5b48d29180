"""`tf.keras.Input(shape)`: a placeholder that begins a model, as the output of a layer without inputs. No state."""

from __future__ import annotations

from typing import Any

from ...base.dtypes import as_dtype
from ...base.errors import error_text
from ...base.shapes import as_shape
from ...graph.atomic import atomic
from ...lib.framework.placeholders import placeholder
from ...lib.ragged.ragged_constants import placeholder as ragged_placeholder
from ...lib.sparse.composite_values import sparse_placeholder
from ..keras_parts.keras_config import floatx
from .base_layer import KerasLayer
from .layer_names import unique_layer_name


class InputLayer(KerasLayer):
    """The layer whose output is a placeholder [batch_size, input_shape...], or `input_tensor`.

    sparse: the placeholder is a SparseTensor; ragged: a RaggedTensor.

    Raises: ValueError for two shapes, or a dtype that `input_tensor` does not have.
    """

    def __init__(
        self,
        input_shape: Any = None,
        batch_size: int | None = None,
        dtype: Any = None,
        input_tensor: Any = None,
        sparse: bool = False,
        name: str | None = None,
        ragged: bool = False,
        **kwargs: Any,
    ) -> None:
        batch_shape = kwargs.pop("batch_input_shape", None)
        if batch_shape is not None and input_shape is not None:
            raise ValueError(
                error_text("Only provide the input_shape OR batch_input_shape argument to InputLayer, not both at the same time.")
            )
        if kwargs:
            raise ValueError(error_text(f"Unrecognized keyword arguments: {kwargs.keys()}"))
        if sparse and ragged:
            raise ValueError(error_text("Cannot set both sparse and ragged to True in a Keras input."))
        if batch_shape is None and input_shape is not None:
            sizes = as_shape([input_shape] if isinstance(input_shape, int) else input_shape).as_list()
            batch_shape = (batch_size, *sizes)
        if input_tensor is None:
            kind = as_dtype(dtype or floatx())
        else:
            kind = input_tensor.dtype.base_dtype
            if dtype is not None and as_dtype(dtype) != kind:
                raise ValueError(
                    error_text(f"`input_tensor.dtype` differs from `dtype`: {input_tensor.dtype!r} vs. {dtype}")
                )
            batch_shape = tuple(input_tensor.shape.as_list())
        super().__init__(name=name or unique_layer_name("input"), dtype=kind)
        self.built = True
        self.sparse, self.ragged = sparse, ragged
        self.batch_size = None if batch_shape is None else batch_shape[0]
        self.is_placeholder = input_tensor is None
        self.supports_masking = True
        self._batch_input_shape = None if batch_shape is None else tuple(batch_shape)
        if input_tensor is None:
            input_tensor = self._placeholder(kind, batch_shape)
        input_tensor._keras_mask = None
        self._add_node(input_tensor, input_tensor, {})

    def _placeholder(self, kind: Any, shape: Any) -> Any:
        if self.sparse:
            return sparse_placeholder(kind, shape=shape, name=self.name)
        if self.ragged:
            ragged_rank = max((axis for axis, size in enumerate(shape) if axis and size is None), default=0)
            return ragged_placeholder(kind, ragged_rank, shape[ragged_rank + 1 :], name=self.name)
        return placeholder(kind, shape=shape, name=self.name)

    @property
    def output_shape(self) -> Any:
        """The shape of the placeholder as a tuple, in a list."""
        return [super().output_shape]

    def get_config(self) -> dict[str, Any]:
        """The arguments that construct an equal layer."""
        return {
            "batch_input_shape": self._batch_input_shape,
            "dtype": self.dtype,
            "sparse": self.sparse,
            "ragged": self.ragged,
            "name": self.name,
        }


@atomic
def Input(
    shape: Any = None,
    batch_size: int | None = None,
    name: str | None = None,
    dtype: Any = None,
    sparse: bool = False,
    tensor: Any = None,
    ragged: bool = False,
    **kwargs: Any,
) -> Any:
    """A placeholder [batch_size, shape...] with which a model begins; `tensor`: that tensor instead of a placeholder.

    Raises: ValueError for neither shape nor tensor, two shapes, or an unknown keyword.
    """
    batch_shape = kwargs.pop("batch_shape", None)
    if shape is not None and batch_shape is not None:
        raise ValueError(
            error_text("Only provide the `shape` OR `batch_input_shape` argument to Input, not both at the same time.")
        )
    if shape is None and batch_shape is None and tensor is None:
        raise ValueError(
            error_text(
                "Please provide to Input either a `shape` or a `tensor` argument. Note that `shape` does not include the batch "
                "dimension."
            )
        )
    if kwargs:
        raise ValueError(error_text(f"('Unrecognized keyword arguments:', {kwargs.keys()})"))
    layer = InputLayer(
        None if batch_shape is not None else shape,
        batch_size,
        dtype=dtype,
        input_tensor=tensor,
        sparse=sparse,
        name=name,
        ragged=ragged,
        **({} if batch_shape is None else {"batch_input_shape": batch_shape}),
    )
    return layer.get_output_at(0)


__all__ = ["Input", "InputLayer"]
