"""Crosses of features: SparseCross, and contrib's older SparseFeatureCross and SparseFeatureCrossV2.

A cross has, for each example, every combination of one feature from each input: as a text or as a hash. No state.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from ..base import hashing
from ..base.dtypes import DType
from ..base.shapes import Shape
from ..op.define import AtLeast, Each, Many, Sym, op, typevar
from ..op.gradient_rules import WHOLE_NUMBERS
from ..op.shape_checks import invalid, kinds, text_of
from .sparse import int64, must_be

Crossed = kinds("int64 string")
Join = Callable[[tuple[Any, ...]], Any]

_MASK = (1 << 64) - 1
_MUL = 0xC6A4A7935BD1E995
_OLDER_KEY = 0xDECAFCAFFE


# -- hashes --------------------------------------------------------------------------------------------------------


def _mixed(value: int) -> int:
    return value ^ (value >> 47)


def _after(mark: int, other: int) -> int:
    """The combination of two fingerprints. Source: FingerprintCat64 in TF's platform/fingerprint.h."""
    result = mark ^ _MUL
    result = (result ^ (_mixed(other * _MUL & _MASK) * _MUL)) & _MASK
    result = result * _MUL & _MASK
    result = _mixed(result) * _MUL & _MASK
    return _mixed(result)


def _combined(mark: int, other: int) -> int:
    """The older combination, of SparseFeatureCross. Source: HashCombine in contrib's sparse_feature_cross_kernel.cc."""
    signed = mark - (1 << 64) if mark >> 63 else mark
    return mark ^ ((other + 0x9E3779B97F4A7800 + (mark << 10) + (signed >> 4)) & _MASK)


def _hashed(key: int, buckets: int, combine: Callable[[int, int], int] = _after) -> Join:
    """A function from one feature of each input to their hash: below `buckets`, unless these are 0."""

    def join(features: tuple[Any, ...]) -> int:
        mark = key & _MASK
        for feature in features:
            own = hashing.fingerprint64(feature) if isinstance(feature, bytes) else feature & _MASK
            mark = combine(mark, own)
        return mark % (buckets if buckets > 0 else (1 << 63) - 1)

    return join


def _joined(features: tuple[Any, ...]) -> bytes:
    """Joins the features of a cross to one text, numbers as decimals."""
    return b"_X_".join(f if isinstance(f, bytes) else str(f).encode() for f in features)


# -- the cross -----------------------------------------------------------------------------------------------------


def _rows_of(indices: Any, values: Any, batch: int) -> list[list[Any]]:
    rows: list[list[Any]] = [[] for _ in range(batch)]
    for row, value in zip(indices[:, 0].tolist(), values.tolist()):
        # Entries outside the rows are left out.
        if 0 <= row < batch:
            rows[row].append(value)
    return rows


def _checked_batch(indices: Any, values: Any, shapes: Any, dense: Any) -> int:
    """The number of examples.

    Raises: InvalidArgumentError for parts of other ranks or sizes, and when the numbers of examples differ.
    """
    for what, group, rank, kind in (
        ("indices", indices, 2, "a matrix"), ("values", values, 1, "a vector"), ("shapes", shapes, 1, "a vector"),
    ):  # fmt: skip
        for i, part in enumerate(group):
            must_be(part, rank, f"Input {what} should be {kind} but received shape {{}} at position {i}")
    if len(values) != len(indices):
        raise invalid(f"Expected {len(indices)} input values, got {len(values)}")
    for i, (place, part) in enumerate(zip(indices, values)):
        if len(place) != len(part):
            raise invalid(f"Expected size of values to be {len(place)} got {len(part)} at position {i}")
    for i, part in enumerate(dense):
        must_be(part, 2, f"Dense inputs should be a matrix but received shape {{}} at position {i}")
    for i, sizes in enumerate(shapes):
        if len(sizes) != 2:
            raise invalid(f"shape should imply a 2D tensor, but got {text_of(sizes.shape)} at position {i}")
    batch = int(shapes[0][0]) if shapes else len(dense[0]) if dense else 0
    for i, sizes in enumerate(shapes):
        if sizes[0] != batch:
            raise invalid(f"Expected batch size {batch} got {sizes[0]} at position {i}")
    for i, part in enumerate(dense):
        if len(part) != batch:
            raise invalid(f"Expected batch size {batch} got {len(part)} at dense tensor {i}")
    return batch


def _cross(indices: Any, values: Any, shapes: Any, dense: Iterable[Any], out_type: DType, join: Join) -> tuple[Any, Any, Any]:
    """The parts of the sparse cross: indices [k, 2], values [k], shape [2]."""
    batch = _checked_batch(indices, values, shapes, dense)
    columns = [_rows_of(i, v, batch) for i, v in zip(indices, values)]
    columns += [[list(row) for row in part.tolist()] for part in dense]
    places: list[tuple[int, int]] = []
    crosses: list[Any] = []
    longest = 0
    for row in range(batch):
        row_crosses = [join(features) for features in itertools.product(*[column[row] for column in columns])]
        longest = max(longest, len(row_crosses))
        places.extend((row, i) for i in range(len(row_crosses)))
        crosses.extend(row_crosses)
    entries = np.empty(len(crosses), out_type.numpy)
    entries[:] = crosses
    return np.array(places, np.int64).reshape(-1, 2), entries, np.array([batch, longest], np.int64)


_OUTPUTS = "output_indices output_values output_shape"


def _shapes(*parts: list[Sym], **attributes: Any) -> list[Shape]:
    return [(None, 2), (None,), (2,)]


@op("SparseCross", out=_OUTPUTS, shape=_shapes, fresh=True)
def sparse_cross(
    xp: Any,
    indices: Many[int64, "N", 0],  # noqa: F821
    values: Each["sparse_types", 0],  # noqa: F821
    shapes: Many[int64, "N", 0],  # noqa: F821
    dense_inputs: Each["dense_types", 0],  # noqa: F821
    *,
    hashed_output: bool,
    num_buckets: AtLeast[0],
    hash_key: int,
    out_type: typevar("out_type", Crossed),
    internal_type: typevar("internal_type", Crossed),
) -> tuple[int64, "out_type", int64]:  # noqa: F821
    """Each row's combinations of one feature from every input, joined by `_X_` or hashed: lists indices [n, 2], values
    [n], shapes [2], and dense_inputs [rows, m] -> output_indices [k, 2], output_values [k], output_shape [2].

    Raises: InvalidArgumentError when the numbers of rows differ.
    """
    join = _hashed(hash_key, num_buckets) if hashed_output else _joined
    return _cross(indices, values, shapes, dense_inputs, out_type, join)


@op("SparseFeatureCross", out=_OUTPUTS, shape=_shapes, fresh=True, not_differentiable=WHOLE_NUMBERS)
def sparse_feature_cross(
    xp: Any,
    indices: Many[int64, "N", 0],  # noqa: F821
    values: Each["sparse_types", 0],  # noqa: F821
    shapes: Many[int64, "N", 0],  # noqa: F821
    dense: Each["dense_types", 0],  # noqa: F821
    *,
    hashed_output: bool,
    num_buckets: AtLeast[0],
    out_type: typevar("out_type", Crossed),
    internal_type: typevar("internal_type", Crossed),
) -> tuple[int64, "out_type", int64]:  # noqa: F821
    """`SparseCross` of contrib, with the hashes of TensorFlow before 1.0: lists indices [n, 2], values [n], shapes [2], and dense
    [rows, m] -> output_indices [k, 2], output_values [k], output_shape [2].

    Raises: InvalidArgumentError when the numbers of rows differ.
    """
    join = _hashed(_OLDER_KEY, num_buckets, _combined) if hashed_output else _joined
    return _cross(indices, values, shapes, dense, out_type, join)


@op("SparseFeatureCrossV2", out=_OUTPUTS, shape=_shapes, fresh=True, not_differentiable=WHOLE_NUMBERS)
def sparse_feature_cross_v2(
    xp: Any,
    indices: Many[int64, "N", 0],  # noqa: F821
    values: Each["sparse_types", 0],  # noqa: F821
    shapes: Many[int64, "N", 0],  # noqa: F821
    dense: Each["dense_types", 0],  # noqa: F821
    *,
    hashed_output: bool,
    num_buckets: AtLeast[0],
    hash_key: int,
    out_type: typevar("out_type", Crossed),
    internal_type: typevar("internal_type", Crossed),
) -> tuple[int64, "out_type", int64]:  # noqa: F821
    """`SparseCross` of contrib, with a key for the hashes: lists indices [n, 2], values [n], shapes [2], and dense [rows, m] ->
    output_indices [k, 2], output_values [k], output_shape [2].

    Raises: InvalidArgumentError when the numbers of rows differ.
    """
    join = _hashed(hash_key, num_buckets) if hashed_output else _joined
    return _cross(indices, values, shapes, dense, out_type, join)
