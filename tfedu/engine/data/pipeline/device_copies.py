"""`tf.data.experimental.copy_to_device` and `prefetch_to_device`: where the elements of a dataset go.

TF 1.15 makes an iterator on the target device that calls one on the source device for each element. Here datasets and their
iterators are on the host, whose elements go to the device of the node that uses them: the dataset passes its elements on.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...base.errors import error_text
from ...graph.atomic import atomic
from ...graph.device import DeviceSpec
from .dataset import Dataset
from .options import Options


def _check_device(device: Any) -> None:
    if device is not None and not isinstance(device, str):
        kind = type(device).__name__
        raise AttributeError(error_text(f"'{kind}' object has no attribute 'split'", fix='name a device: "/gpu:0"'))
    DeviceSpec.from_string(device)


def copy_to_device(target_device: str | None, source_device: str = "/cpu:0") -> Callable[[Dataset], Dataset]:
    """A transformation for `dataset.apply`: a dataset of the same elements, shapes and dtypes, for nodes of target_device.

    target_device, source_device: names of devices; the dataset makes its elements on the host whatever they are, and gives them
    to nodes of any device. Unlike TF 1.15, which refuses in a run a device that the session lacks, it adds no node on them. The
    default optimizations and autotuning are off behind it, as in TF 1.15.

    Raises, when it is applied: ValueError for what names no device, AttributeError for a target that is no string.
    """

    @atomic
    def applied(dataset: Dataset) -> Dataset:
        _check_device(target_device)
        _check_device(source_device)
        options = Options()
        options.experimental_optimization.apply_default_optimizations = False
        options.experimental_optimization.autotune = False
        return dataset.with_options(options)

    return applied


def prefetch_to_device(device: str | None, buffer_size: Any = None) -> Callable[[Dataset], Dataset]:
    """A transformation for `dataset.apply`: `copy_to_device(device)`, then `prefetch(buffer_size)`.

    buffer_size: a scalar of int64; None: as many elements as the pipeline finds good.

    Raises, when it is applied: what `copy_to_device` and `Dataset.prefetch` raise.
    """

    @atomic
    def applied(dataset: Dataset) -> Dataset:
        return dataset.apply(copy_to_device(device)).prefetch(buffer_size)

    return applied


__all__ = ["copy_to_device", "prefetch_to_device"]
