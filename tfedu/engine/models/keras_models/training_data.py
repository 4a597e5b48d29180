"""What `fit`, `evaluate` and `predict` are given, as lists of arrays in the order of a model's inputs and outputs. No state."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ...base.errors import error_text
from ..keras_layers.layer_nodes import static_shape
from ..keras_parts import keras_losses
from .hdf5_matrix import HDF5Matrix

_TO_CATEGORICAL = (
    "You are passing a target array of shape {} while using as loss `categorical_crossentropy`. `categorical_crossentropy` "
    "expects targets to be binary matrices (1s and 0s) of shape (samples, classes). If your targets are integer classes, you "
    "can convert them to the expected format via:\n```\nfrom keras.utils import to_categorical\n"
    "y_binary = to_categorical(y_int)\n```\n\nAlternatively, you can use the loss function "
    "`sparse_categorical_crossentropy` instead, which does expect integer targets."
)


def as_arrays(data: Any, names: list[str], what: str) -> list[Any]:
    """The arrays for the names, in their order: `data` is an array, a list, or a dict by name.

    Raises: ValueError for missing names and too many or few arrays.
    """
    if not names:
        return []
    if data is None:
        raise ValueError(error_text(f'No data provided for "{names[0]}". Need data for each key in: {names}'))
    if isinstance(data, Mapping):
        missing = [name for name in names if name not in data]
        if missing:
            raise ValueError(error_text(f'No data provided for "{missing[0]}". Need data for each key in: {names}'))
        found = [data[name] for name in names]
    elif isinstance(data, (list, tuple)) and len(data) == len(names) and all(map(_is_array_like, data)):
        found = list(data)
    elif isinstance(data, (list, tuple)) and len(names) > 1:
        raise ValueError(
            error_text(
                f"Error when checking model {what}: the list of Numpy arrays that you are passing to your model is not the size "
                f"the model expected. Expected to see {len(names)} array(s), but instead got {len(data)}"
            )
        )
    else:
        found = [data]
    return [_with_axis(value) for value in found]


def _is_array_like(value: Any) -> bool:
    return hasattr(value, "shape") or isinstance(value, (list, tuple))


def _with_axis(value: Any) -> Any:
    """A value as an array [n, ...]: numbers [n] become [n, 1]; tensors stay."""
    if hasattr(value, "op") or (isinstance(value, HDF5Matrix) and value.ndim > 1):
        return value
    array = np.asarray(value.values if type(value).__module__.startswith("pandas") else value)
    return array[:, None] if array.ndim == 1 else array


def check_shapes(arrays: list[Any], names: list[str], tensors: list[Any], what: str, by_batch: bool = False) -> None:
    """Raises: ValueError for arrays that do not fit the placeholders."""
    for array, name, tensor in zip(arrays, names, tensors):
        wanted = static_shape(tensor)
        if wanted is None:
            continue
        got = tuple(array.shape.as_list() if hasattr(array.shape, "as_list") else array.shape)
        if len(got) != len(wanted):
            raise ValueError(
                error_text(
                    f"Error when checking {what}: expected {name} to have {len(wanted)} dimensions, but got array with shape "
                    f"{got}"
                )
            )
        first = 0 if by_batch else 1
        if any(a is not None and b is not None and a != b for a, b in zip(wanted[first:], got[first:])):
            raise ValueError(
                error_text(
                    f"Error when checking {what}: expected {name} to have shape {wanted[1:]} but got array with shape {got[1:]}"
                )
            )


def check_targets(arrays: list[Any], endpoints: list[Any]) -> None:
    """Raises: ValueError for targets of a shape that the output's loss cannot take."""
    same_shape = {
        keras_losses.mean_squared_error: "mean_squared_error",
        keras_losses.binary_crossentropy: "binary_crossentropy",
        keras_losses.categorical_crossentropy: "categorical_crossentropy",
    }
    for array, endpoint in zip(arrays, endpoints):
        wanted = static_shape(endpoint.output)
        if hasattr(array, "op") or wanted is None:
            continue
        if endpoint.function is keras_losses.categorical_crossentropy and array.shape[-1] == 1 and wanted[-1] != 1:
            raise ValueError(error_text(_TO_CATEGORICAL.format(array.shape)))
        if endpoint.function in same_shape:
            pairs = zip(array.shape[1:], wanted[1:])
            if len(array.shape) != len(wanted) or any(b is not None and a != b for a, b in pairs):
                raise ValueError(
                    error_text(
                        f"A target array with shape {array.shape} was passed for an output of shape {wanted} while using as loss "
                        f"`{same_shape[endpoint.function]}`. This loss expects targets to have the same shape as the output."
                    )
                )


def number_of_samples(inputs: list[Any], targets: list[Any], weights: list[Any]) -> int | None:
    """The number of samples that all arrays have; None for tensors.

    Raises: ValueError for arrays of different lengths.
    """

    def lengths(arrays: list[Any]) -> set[int]:
        return {len(array) for array in arrays if array is not None and not hasattr(array, "op")}

    ours, theirs, other = lengths(inputs), lengths(targets), lengths(weights)
    for what, found in (("input arrays (x)", ours), ("target arrays (y)", theirs), ("sample_weight arrays", other)):
        if len(found) > 1:
            raise ValueError(
                error_text(f"All {what} should have the same number of samples. Got array lengths: {sorted(found)}")
            )
    if ours and theirs and ours != theirs:
        raise ValueError(
            error_text(
                f"Input arrays should have the same number of samples as target arrays. Found {min(ours)} input samples and "
                f"{min(theirs)} target samples."
            )
        )
    if theirs and other and theirs != other:
        raise ValueError(
            error_text(
                f"Sample_weight arrays should have the same number of samples as target arrays. Found {min(other)} "
                f"sample_weight samples and {min(theirs)} target samples."
            )
        )
    return min(ours | theirs, default=None)


def sample_weights_of(
    sample_weight: Any, class_weight: Any, endpoints: list[Any], targets: list[Any]
) -> list[Any]:
    """The weights [n] (or [n, steps]) of each output's samples, None where there are none."""
    names = [endpoint.name for endpoint in endpoints]
    weights, classes = (_by_name(value, names) for value in (sample_weight, class_weight))
    return [
        _weights(weight, by_class, target, endpoint)
        for weight, by_class, target, endpoint in zip(weights, classes, targets, endpoints)
    ]


def _by_name(value: Any, names: list[str]) -> list[Any]:
    if value is None or len(value) == 0:
        return [None] * len(names)
    if isinstance(value, Mapping) and any(name in value for name in names):
        return [value.get(name) for name in names]
    if len(names) == 1:
        return [value[0] if isinstance(value, list) and len(value) == 1 else value]
    if isinstance(value, (list, tuple)) and len(value) == len(names):
        return list(value)
    raise ValueError(
        error_text(f"The model has multiple outputs, so weights should be given as a list or dict by output: {names}")
    )


def _weights(weight: Any, by_class: Any, target: Any, endpoint: Any) -> Any:
    weight = None if weight is None else np.asarray(weight)
    if weight is not None and (weight.ndim > target.ndim or target.shape[: weight.ndim] != weight.shape):
        raise ValueError(
            error_text(
                f"Found a sample_weight array with shape {weight.shape} for an input with shape {target.shape}. sample_weight "
                "cannot be broadcast."
            )
        )
    if by_class is None:
        return weight
    if target.ndim > 2:
        raise ValueError(error_text("`class_weight` not supported for 3+ dimensional targets."))
    classes = target.argmax(axis=1) if target.shape[1] > 1 else target.reshape(-1)
    lacking = {each.item() for each in np.unique(classes)} - set(by_class)
    if lacking:
        raise ValueError(
            error_text(
                f"`class_weight` must contain all classes in the data. The classes {lacking} exist in the data but not in "
                "`class_weight`."
            )
        )
    found = np.asarray([by_class[each.item()] for each in classes])
    return found if weight is None else weight * found


def split(arrays: list[Any], at: int) -> tuple[list[Any], list[Any]]:
    """(the samples before, the samples from `at` on)."""
    first = [None if array is None else array[:at] for array in arrays]
    return first, [None if array is None else array[at:] for array in arrays]


def rows_of(arrays: list[Any], rows: Any) -> list[Any]:
    """The samples of these numbers."""
    return [array if array is None or hasattr(array, "op") else array[rows] for array in arrays]


__all__ = [
    "as_arrays", "check_shapes", "check_targets", "number_of_samples", "rows_of", "sample_weights_of", "split",
]  # fmt: skip
