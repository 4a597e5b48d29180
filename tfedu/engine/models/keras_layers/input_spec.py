"""`InputSpec(ndim=4, axes={3: 1})`: what a layer requires of its input, checked at each call. No state."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...base.dtypes import as_dtype
from ...base.errors import error_text
from ...base.shapes import TensorShape, as_shape
from ...lib.framework import nest


class InputSpec:
    """A required dtype, shape, rank (`ndim`, or at least `min_ndim` and at most `max_ndim`) and sizes of axes.

    axes: a dict from an axis, negative from the end, to its size.

    Raises: TypeError for axes that are no integers, ValueError for axes beyond the rank.
    """

    def __init__(
        self,
        dtype: Any = None,
        shape: Any = None,
        ndim: int | None = None,
        max_ndim: int | None = None,
        min_ndim: int | None = None,
        axes: Mapping[int, int | None] | None = None,
    ) -> None:
        self.dtype = None if dtype is None else as_dtype(dtype).name
        self.ndim = ndim if shape is None else len(shape)
        self.shape = shape
        self.max_ndim = max_ndim
        self.min_ndim = min_ndim
        try:
            self.axes = {int(axis): size for axis, size in (axes or {}).items()}
        except (ValueError, TypeError, AttributeError):
            raise TypeError(error_text("The keys in axes must be integers.")) from None
        limit = self.ndim or max_ndim
        if self.axes and limit is not None and max(self.axes) > limit - 1:
            raise ValueError(
                error_text(f"Axis {max(self.axes)} is greater than the maximum allowed value: {limit - 1}")
            )

    def __repr__(self) -> str:
        facts = {
            "dtype": self.dtype,
            "shape": None if self.shape is None else str(self.shape),
            "ndim": self.ndim,
            "max_ndim": self.max_ndim,
            "min_ndim": self.min_ndim,
            "axes": self.axes or None,
        }
        told = (f"{name}={value}" for name, value in facts.items() if value)
        return f"InputSpec({', '.join(told)})"

    def get_config(self) -> dict[str, Any]:
        """The arguments that construct an equal specification."""
        return {
            "dtype": self.dtype,
            "shape": self.shape,
            "ndim": self.ndim,
            "max_ndim": self.max_ndim,
            "min_ndim": self.min_ndim,
            "axes": self.axes,
        }

    @classmethod
    def from_config(cls, config: dict[str, Any]) -> InputSpec:
        """A specification from the result of `get_config`."""
        return cls(**config)


def checked_spec(value: Any) -> Any:
    """`value`, which must be None, an InputSpec or a structure of these.

    Raises: TypeError for anything else.
    """
    for spec in nest.flatten(value):
        if spec is not None and not isinstance(spec, InputSpec):
            raise TypeError(error_text(f"Layer input_spec must be an instance of InputSpec. Got: {spec}"))
    return value


def check_inputs(input_spec: Any, inputs: Any, layer_name: str) -> None:
    """Raises: ValueError for inputs that do not meet the specification, or more or fewer of them than it has."""
    if not input_spec:
        return
    specs, tensors = nest.flatten(input_spec), nest.flatten(inputs)
    if len(tensors) != len(specs):
        raise ValueError(
            error_text(
                f"Layer {layer_name} expects {len(specs)} inputs, but it received {len(tensors)} input tensors. "
                f"Inputs received: {tensors}"
            )
        )
    for index, (tensor, spec) in enumerate(zip(tensors, specs)):
        fault = None if spec is None else _fault(spec, tensor)
        if fault is not None:
            where = f"Input {index} of layer {layer_name} is incompatible with the layer: "
            if fault.startswith("expected shape="):
                where = f"Input {index} is incompatible with layer {layer_name}: "
            raise ValueError(error_text(where + fault, [tensor] if hasattr(tensor, "raw_shape") else ()))


def _fault(spec: InputSpec, tensor: Any) -> str | None:
    """What the input lacks, in TF's words."""
    shape: TensorShape = as_shape(tensor.shape)
    rank = shape.ndims
    if rank is None and (spec.ndim, spec.min_ndim, spec.max_ndim) != (None, None, None):
        return "its rank is undefined, but the layer requires a defined rank."
    if spec.ndim is not None and rank != spec.ndim:
        return f"expected ndim={spec.ndim}, found ndim={rank}. Full shape received: {shape.as_list()}"
    if spec.max_ndim is not None and rank is not None and rank > spec.max_ndim:
        return f"expected max_ndim={spec.max_ndim}, found ndim={rank}"
    if spec.min_ndim is not None and rank is not None and rank < spec.min_ndim:
        return f": expected min_ndim={spec.min_ndim}, found ndim={rank}. Full shape received: {shape.as_list()}"
    if spec.dtype is not None and tensor.dtype.base_dtype.name != spec.dtype:
        return f"expected dtype={spec.dtype}, found dtype={tensor.dtype}"
    if rank is None:
        return None
    sizes = shape.as_list()
    for axis, size in spec.axes.items():
        # An axis that the input lacks has no size at all.
        found = sizes[axis] if -rank <= axis < rank else "none"
        if size is not None and found not in (int(size), None):
            return f"expected axis {axis} of input shape to have value {size} but received input with shape {sizes}"
    if spec.shape is not None:
        required = as_shape(spec.shape).as_list()
        if any(a is not None and b is not None and a != b for a, b in zip(required, sizes)):
            return f"expected shape={spec.shape}, found shape={sizes}"
    return None


__all__ = ["InputSpec"]
