"""`bias_add(x, bias)` of tf.keras.backend: a bias for each channel, or for each element of a sample. No state."""

from __future__ import annotations

from typing import Any

from ...base.errors import error_text
from ...graph.atomic import atomic
from ...lib.arrays import array
from ...lib.nn import nn
from .image_arguments import checked_data_format


@atomic
def bias_add(x: Any, bias: Any, data_format: str | None = None) -> Any:
    """x + bias [...]: for x [n, s..., c] of rank k, bias [c] or [s..., c]; data_format "channels_first": for x [n, c, s...].

    The bias of a sample is [s..., c] under both data formats, and its elements are read in the order in which x has them.

    Raises: ValueError for an unknown data_format, and for a bias of a rank other than 1 and k - 1.
    """
    first = checked_data_format(data_format) == "channels_first"
    rank, sizes = x.shape.ndims, bias.shape.as_list()
    if len(sizes) != 1 and rank is not None and len(sizes) != rank - 1:
        raise ValueError(error_text(f"Unexpected bias dimensions {len(sizes)}, expect to be 1 or {rank} dimensions"))
    if rank not in (3, 4, 5) or (rank == 4 and len(sizes) == 1 and not first):
        return nn.bias_add(x, bias)
    return x + array.reshape(bias, _broadcast(sizes, rank, first))


def _broadcast(sizes: list[Any], rank: int, first: bool) -> tuple[Any, ...]:
    """The shape in which a bias joins x of that rank."""
    if len(sizes) > 1:
        return (1, sizes[-1], *sizes[:-1]) if first else (1, *sizes)
    if first:
        return (1, sizes[0], *(1,) * (rank - 2))
    # TF 1.15 gives a bias for volumes four axes, whose broadcast is the same as that of five.
    return (*(1,) * (min(rank, 4) - 1), sizes[0])


__all__ = ["bias_add"]
