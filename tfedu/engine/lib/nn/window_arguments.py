"""`for_each_axis(2, "ksize", 2, "NHWC")` -> [1, 2, 2, 1]: window sizes and strides in the forms that TF takes. No state."""

from __future__ import annotations

from typing import Any

from ...base.errors import error_text
from ...graph.nodes import Tensor


def for_each_axis(value: Any, name: str, spatial: int, data_format: str | None) -> list[Any]:
    """The list with one entry for each axis of an image: of one number, of one for each of the `spatial` axes, or of all.

    Raises: ValueError for a list of another length, TypeError for a tensor.
    """
    if value is None:
        value = [1]
    elif isinstance(value, Tensor):
        raise TypeError(
            error_text(
                f"len is not well defined for symbolic Tensors. ({value.name}) Please call `x.shape` rather than `len(x)` for "
                "shape information.",
                [value],
                fix=f"{name} is known when the graph is built: a number or a list of numbers",
            )
        )
    values = list(value) if hasattr(value, "__len__") and not isinstance(value, (str, bytes)) else [value]
    if len(values) == spatial + 2:
        return values
    if len(values) == 1:
        values *= spatial
    elif len(values) != spatial:
        raise ValueError(
            error_text(f"{name} should be of length 1, {spatial} or {spatial + 2} but was {len(values)}")
        )
    return [1, 1, *values] if data_format is not None and data_format.startswith("NC") else [1, *values, 1]
