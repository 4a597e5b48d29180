"""How many elements a dataset has, as far as its stages tell without a pass."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np

from ...base import dtypes
from ...op.define import op
from .sources import scalar
from .values import Dataset, as_dataset

INFINITE: Final = -1
UNKNOWN: Final = -2


def size_of(dataset: Dataset) -> int:
    """The number of elements, INFINITE or UNKNOWN."""
    rule = _RULES.get(dataset.node.type)
    return UNKNOWN if rule is None else rule(dataset.facts, *[size_of(input) for input in dataset.inputs])


def _same(facts: Any, size: int) -> int:
    return size


def _repeated(facts: Any, size: int) -> int:
    times = facts["count"]
    if times == 0 or size == 0:
        return 0
    if times < 0 or size == INFINITE:
        return INFINITE
    return UNKNOWN if size == UNKNOWN else size * times


def _taken(facts: Any, size: int) -> int:
    """A negative count takes all elements, and TF 1.15 gives that count as the size: INFINITE for `take(-1)`."""
    if size == UNKNOWN:
        return UNKNOWN
    return int(facts["count"] if size == INFINITE else min(size, facts["count"]))


def _skipped(facts: Any, size: int) -> int:
    """A negative count skips all elements; TF 1.15 knows that of a dataset whose size it knows."""
    count = facts["count"]
    if size < 0:
        return size
    return 0 if count < 0 else max(size - count, 0)


def _batched(facts: Any, size: int) -> int:
    if size < 0:
        return size
    whole, rest = divmod(size, facts["batch_size"])
    return whole + (rest > 0 and not facts.get("drop_remainder", False))


def _windows(facts: Any, size: int) -> int:
    length, shift, stride, drop = facts["window"]
    if size < 0:
        return size
    return max(0, (size - (length - 1) * stride - 1) // shift + 1) if drop else -(-size // shift)


def _shared(facts: Any, size: int) -> int:
    return size if size < 0 else len(range(facts["index"], size, facts["num_shards"]))


def _zipped(facts: Any, *sizes: int) -> int:
    if UNKNOWN in sizes:
        return UNKNOWN
    finite = [size for size in sizes if size != INFINITE]
    return min(finite) if finite else INFINITE


def _joined(facts: Any, *sizes: int) -> int:
    if INFINITE in sizes:
        return INFINITE
    return UNKNOWN if UNKNOWN in sizes else sum(sizes)


_RULES: Final[dict[str, Callable[..., int]]] = {
    "TensorDataset": lambda facts: 1,
    **dict.fromkeys(("RangeDataset", "TensorSliceDataset", "SparseTensorSliceDataset"), lambda facts: facts["count"]),
    **dict.fromkeys(("MapDataset", "ParallelMapDataset", "ShuffleDataset", "PrefetchDataset", "CacheDataset"), _same),
    **dict.fromkeys(("RepeatDataset", "ShuffleAndRepeatDataset"), _repeated),
    **dict.fromkeys(("BatchDataset", "BatchDatasetV2", "MapAndBatchDataset"), _batched),
    **dict.fromkeys(("PaddedBatchDataset", "PaddedBatchDatasetV2"), _batched),
    "TakeDataset": _taken, "SkipDataset": _skipped, "ShardDataset": _shared, "WindowDataset": _windows,
    "ZipDataset": _zipped, "ConcatenateDataset": _joined,
    "RandomDataset": lambda facts: INFINITE,
}  # fmt: skip


@op("DatasetCardinality", out="cardinality", shape=scalar, commutes=True)
def dataset_cardinality(run: Any, input_dataset: dtypes.variant) -> dtypes.int64:
    """The number of elements; -1 for a dataset without end, -2 where only a pass tells."""
    return np.int64(size_of(as_dataset(input_dataset)))


__all__ = ["INFINITE", "UNKNOWN", "size_of"]
