"""Checks of the parameters and values of distributions, which `validate_args` puts into the graph. No state."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...base import dtypes
from ...base.dtypes import DType, as_dtype
from ...base.errors import error_text
from ...graph.nodes import Tensor
from ...op.constant import constant
from ..arrays import array
from ..checks import asserts, shape_asserts
from ..control.grouping import with_dependencies
from ..framework.conversion import convert_to_tensor
from ..framework.scope_blocks import name_scope
from ..math import math, reductions
from ..nn import activations


def logits_and_probs(
    logits: Any, probs: Any, validate_args: bool, multidimensional: bool = False
) -> tuple[Tensor, Tensor]:
    """(logits, probs), of which the caller passes one: [...], or [..., classes] for multidimensional parameters.

    Raises: ValueError unless just one is passed, TypeError when it is not floating.
    """
    if (logits is None) == (probs is None):
        raise ValueError(error_text("Must pass probs or logits, but not both."))
    if probs is None:
        logits = _floating(logits, "logits")
        if not multidimensional:
            return logits, math.sigmoid(logits, name="probs")
        if validate_args:
            logits = checked_categories(logits)
        return logits, activations.softmax(logits, name="probs")
    probs = _floating(probs, "probs")
    if validate_args:
        probs = _checked_probabilities(probs, multidimensional)
    with name_scope("logits"):
        return math.log(probs) if multidimensional else math.log(probs) - math.log1p(-1.0 * probs), probs


def _floating(parameter: Any, name: str) -> Tensor:
    tensor = convert_to_tensor(parameter, name=name)
    if not tensor.dtype.is_floating:
        raise TypeError(error_text(f"{name} must having floating type."))  # TF's own wording
    return tensor


def _checked_probabilities(probs: Tensor, multidimensional: bool) -> Tensor:
    with name_scope("validate_probs"):
        one = constant(1.0, probs.dtype)
        checks = [asserts.assert_non_negative(probs)]
        if multidimensional:
            probs = checked_categories(probs)
            total = reductions.reduce_sum(probs, -1)
            checks.append(asserts.assert_near(total, one, message="probs does not sum to 1."))
        else:
            checks.append(asserts.assert_less_equal(probs, one, message="probs has components greater than 1."))
        return with_dependencies(checks, probs)


def largest_integer(dtype: DType) -> int:
    """The integer up to which a dtype holds every integer."""
    if dtype.is_floating:
        return 2 ** (np.finfo(dtype.as_numpy_dtype).nmant + 1)
    return int(np.iinfo(dtype.as_numpy_dtype).max)


def checked_categories(parameter: Tensor) -> Tensor:
    """A parameter [..., classes] with at least 2 classes, and no more than its dtype can count.

    Raises: ValueError where the static shape tells that it is none.
    """
    with name_scope("embed_check_categorical_event_shape", values=[parameter]):
        limit = largest_integer(parameter.dtype.base_dtype)
        name, at_least_1, at_least_2 = (
            parameter.dtype.name,
            "A categorical-distribution parameter must have at least 1 dimension.",
            "A categorical-distribution parameter must have at least 2 events.",
        )
        shape = parameter.raw_shape
        if shape == ():
            raise ValueError(error_text(at_least_1, [parameter]))
        too_many = "Number of classes exceeds `dtype` precision, i.e., {} cannot exceed {}"
        if shape is not None and shape[-1] is not None:
            if shape[-1] < 2:
                raise ValueError(error_text(at_least_2, [parameter]))
            if shape[-1] > limit:
                raise ValueError(error_text(too_many.format(f"{name} implies shape ({shape[-1]})", f"{limit}."), [parameter]))
            return parameter
        count = array.shape(parameter, name="x_shape")[-1]
        checks = [
            shape_asserts.assert_rank_at_least(parameter, 1, message=at_least_1),
            asserts.assert_greater_equal(array.shape(parameter)[-1], 2, message=at_least_2),
            asserts.assert_less_equal(count, limit, message=too_many.format(f"{name} dtype", f"{limit} shape.")),
        ]
        return with_dependencies(checks, parameter)


def checked_castable(value: Tensor, target: Any, non_negative: bool = True) -> Tensor:
    """An integer value [...], which a cast to `target` and back would not change.

    Raises: TypeError for dtypes between which the check is not defined.
    """
    target = as_dtype(target)
    with name_scope("embed_check_casting_closed", values=[value]):
        source = value.dtype.base_dtype
        checks = []
        if non_negative:
            checks.append(asserts.assert_non_negative(value, message="Elements must be non-negative."))
        if source.is_floating:
            whole = "bool-equivalent" if target == dtypes.bool else f"{target.name}-equivalent"
            checks.append(checked_integer_form(value, f"Elements must be {whole}.", target))
        elif largest_integer(target) < largest_integer(source) if target != dtypes.bool else True:
            limit = 1 if target == dtypes.bool else largest_integer(target)
            checks.append(asserts.assert_less_equal(value, limit, message=f"Elements cannot exceed {limit}."))
        return with_dependencies(checks, value)


_WHOLE = {dtypes.float16: dtypes.int16, dtypes.float32: dtypes.int32, dtypes.float64: dtypes.int64}


def checked_integer_form(value: Tensor, message: str, target: DType | None = None) -> Any:
    """The check that a cast to `target`, by default the integers of equal size, and back does not change value [...]."""
    target = _WHOLE[value.dtype.base_dtype] if target is None else target
    with name_scope("assert_integer_form", values=[value]):
        back = math.cast(math.cast(value, target), value.dtype)
        return asserts.assert_equal(value, back, message=message, name="assert_integer_form")


def checked_whole(value: Tensor) -> Tensor:
    """A value [...] of whole numbers, none of them negative.

    Raises: InvalidArgumentError when a violation is known statically.
    """
    with name_scope("embed_check_nonnegative_integer_form", values=[value]):
        checks = [asserts.assert_non_negative(value, message=f"'{value}' must be non-negative.")]
        if not value.dtype.is_integer:
            checks.append(checked_integer_form(value, f"'{value}' cannot contain fractional components."))
        return with_dependencies(checks, value)
