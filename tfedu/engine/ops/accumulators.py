"""Accumulators of gradients, dense and sparse: the ops of tf.ConditionalAccumulator and tf.SparseConditionalAccumulator.

Those with a handle are what TF 1.15 makes of dense ones; the sparse ones, and older files, have a reference to a string in place
of the handle. State: the accumulators, in the session's store.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

import numpy as np

from ..base import dtypes
from ..base.dtypes import DType, runtime_name
from ..base.resources.accumulator import Accumulator, SparseAccumulator
from ..base.shapes import Shape
from ..op.define import Ref, ShapeAttr, Sym, op, typevar
from ..op.shape_checks import NUMBERS, as_array, invalid

Type = typevar("dtype", NUMBERS)
string = dtypes.string
Reduction = Literal["MEAN", "SUM"]


def _accumulator(run: Any, kind: type[Accumulator], dtype: DType, shape: Shape, container: str, name: str, how: str) -> Any:
    """The session's accumulator of this name. Raises: InvalidArgumentError for dtypes that none adds up."""
    if dtype not in (dtypes.float16, dtypes.float32, dtypes.float64):
        raise invalid(f"No kernel accumulates {runtime_name(dtype)}: half, float and double")

    def make(name: str) -> Accumulator:
        return kind(name, dtype, shape, how == "MEAN")

    if not name:
        return run.private_resource("queue", container, make)
    found = run.resource("queue", container, name, make)
    if type(found) is not kind:
        raise invalid(f"Expected {getattr(found, 'kind', 'another resource')}, found {kind.kind}")
    return found


def _behind(handle: Any) -> Accumulator:
    """The accumulator of a handle or reference. Raises: InvalidArgumentError for the handle of something else."""
    found = getattr(handle, "buffer", None)
    if not isinstance(found, Accumulator):
        raise invalid("Trying to access a handle's resource using the wrong type: it is no accumulator")
    return found


def _pair(**_: Any) -> Shape:
    return (2,)


@op("ResourceConditionalAccumulator", out="handle", shape=_pair, stateful=True, resource="queue")
def resource_conditional_accumulator(
    run: Any, *, dtype: Type, shape: ShapeAttr, container: str = "", shared_name: str = "", reduction_type: Reduction = "MEAN"
) -> dtypes.resource:
    """A handle of the session's accumulator of this name: [2]."""
    return run.handle(_accumulator(run, Accumulator, dtype, shape, container, shared_name, reduction_type))


@op("ConditionalAccumulator", out="handle", shape=_pair, stateful=True, resource="queue")
def conditional_accumulator(
    run: Any, *, dtype: Type, shape: ShapeAttr, container: str = "", shared_name: str = "", reduction_type: Reduction = "MEAN"
) -> Ref[string]:
    """A reference to the session's accumulator of this name: [2]."""
    found = _accumulator(run, Accumulator, dtype, shape, container, shared_name, reduction_type)
    return run.reference(container, found)  # type: ignore[no-any-return]


@op("SparseConditionalAccumulator", out="handle", shape=_pair, stateful=True, resource="queue")
def sparse_conditional_accumulator(
    run: Any, *, dtype: Type, shape: ShapeAttr, container: str = "", shared_name: str = "", reduction_type: Reduction = "MEAN"
) -> Ref[string]:
    """A reference to the session's accumulator of this name, of rows: [2]."""
    found = _accumulator(run, SparseAccumulator, dtype, shape, container, shared_name, reduction_type)
    return run.reference(container, found)  # type: ignore[no-any-return]


def _accessing(type: str, out: str = "output", access: str = "update", shape: Any = lambda *_, **__: []) -> Callable[..., Any]:
    is_stateful = type.startswith("Resource")  # TF counts the nodes with a reference as such, but not their types
    return op(type, out=out, stateful=is_stateful, access={"handle": access}, resource="queue", shape=shape)


def _scalar(*_: Sym, **__: Any) -> Shape:
    return ()


def _step(value: Any) -> int:
    return int(as_array(value).reshape(-1)[0])


# -- dense -------------------------------------------------------------------------------------------------------------


def _apply(handle: Any, local_step: Any, gradient: Any) -> Any:
    _behind(handle).apply(_step(local_step), gradient)
    return ()


@_accessing("ResourceAccumulatorApplyGradient")
def resource_accumulator_apply_gradient(
    run: Any, handle: dtypes.resource, local_step: dtypes.int64, gradient: Type
) -> None:
    """Adds a gradient, unless it is of an older step than the accumulator's: handle [2], local_step scalar, gradient [d...].

    Raises: InvalidArgumentError for a gradient of another shape.
    """
    return _apply(handle, local_step, gradient)  # type: ignore[no-any-return]


@_accessing("AccumulatorApplyGradient")
def accumulator_apply_gradient(run: Any, handle: Ref[string], local_step: dtypes.int64, gradient: Type) -> None:
    """Adds a gradient, unless it is of an older step than the accumulator's: handle [2], local_step scalar, gradient [d...].

    Raises: InvalidArgumentError for a gradient of another shape.
    """
    return _apply(handle, local_step, gradient)  # type: ignore[no-any-return]


def _take(run: Any, handle: Any, num_required: Any) -> Any:
    gradients = _behind(handle)
    return run.waited(gradients, lambda: gradients.take(_step(num_required))).result()[0]


@_accessing("ResourceAccumulatorTakeGradient", "average", shape=lambda handle, num_required, **_: None)
def resource_accumulator_take_gradient(
    run: Any, handle: dtypes.resource, num_required: dtypes.int32, *, dtype: Type
) -> "dtype":  # noqa: F821
    """The mean or sum of the gradients, once there are num_required: handle [2], num_required scalar -> [d...].

    Raises: InvalidArgumentError for a number that is not positive.
    """
    return _take(run, handle, num_required)[0]  # type: ignore[no-any-return]


@_accessing("AccumulatorTakeGradient", "average", shape=lambda handle, num_required, **_: None)
def accumulator_take_gradient(
    run: Any, handle: Ref[string], num_required: dtypes.int32, *, dtype: Type
) -> "dtype":  # noqa: F821
    """The mean or sum of the gradients, once there are num_required: handle [2], num_required scalar -> [d...].

    Raises: InvalidArgumentError for a number that is not positive.
    """
    return _take(run, handle, num_required)[0]  # type: ignore[no-any-return]


@_accessing("ResourceAccumulatorNumAccumulated", "num_accumulated", "read", _scalar)
def resource_accumulator_num_accumulated(run: Any, handle: dtypes.resource) -> dtypes.int32:
    """The number of gradients: handle [2] -> scalar."""
    return np.int32(_behind(handle).count)


@_accessing("AccumulatorNumAccumulated", "num_accumulated", "read", _scalar)
def accumulator_num_accumulated(run: Any, handle: Ref[string]) -> dtypes.int32:
    """The number of gradients: handle [2] -> scalar."""
    return np.int32(_behind(handle).count)


def _set_step(handle: Any, new_global_step: Any) -> Any:
    accumulator = _behind(handle)
    accumulator.step = _step(new_global_step)
    return ()


@_accessing("ResourceAccumulatorSetGlobalStep")
def resource_accumulator_set_global_step(run: Any, handle: dtypes.resource, new_global_step: dtypes.int64) -> None:
    """Sets the step, below which gradients are left out: handle [2], new_global_step scalar."""
    return _set_step(handle, new_global_step)  # type: ignore[no-any-return]


@_accessing("AccumulatorSetGlobalStep")
def accumulator_set_global_step(run: Any, handle: Ref[string], new_global_step: dtypes.int64) -> None:
    """Sets the step, below which gradients are left out: handle [2], new_global_step scalar."""
    return _set_step(handle, new_global_step)  # type: ignore[no-any-return]


# -- sparse ------------------------------------------------------------------------------------------------------------


@_accessing("SparseAccumulatorApplyGradient")
def sparse_accumulator_apply_gradient(
    run: Any,
    handle: Ref[string],
    local_step: dtypes.int64,
    gradient_indices: dtypes.int64,
    gradient_values: Type,
    gradient_shape: dtypes.int64,
    *,
    has_known_shape: bool,
) -> None:
    """Adds rows, unless they are of an older step: handle [2], local_step scalar, gradient_indices [n], gradient_values
    [n, d...].

    gradient_shape: [1 + d] where has_known_shape. Raises: InvalidArgumentError for rows that do not fit.
    """
    shape = as_array(gradient_shape) if has_known_shape else None
    rows = as_array(gradient_indices), as_array(gradient_values), shape
    _behind(handle).apply(_step(local_step), rows)
    return ()  # type: ignore[return-value]


@_accessing("SparseAccumulatorTakeGradient", "indices values shape", shape=lambda handle, num_required, **_: [None] * 3)
def sparse_accumulator_take_gradient(
    run: Any, handle: Ref[string], num_required: dtypes.int32, *, dtype: Type
) -> tuple[dtypes.int64, "dtype", dtypes.int64]:  # noqa: F821
    """The rows' means or sums, once there are num_required gradients: handle [2], num_required scalar -> indices [n], values
    [n, d...], shape [1 + d].

    Raises: InvalidArgumentError for a number that is not positive.
    """
    return _take(run, handle, num_required)  # type: ignore[no-any-return]


for _takes in (resource_accumulator_take_gradient, accumulator_take_gradient, sparse_accumulator_take_gradient):

    @_takes.ready("take")
    def _(run: Any, handle: Any, num_required: Any, **_: Any) -> bool:
        return _behind(handle).can_take(_step(num_required))


for _adds in (resource_accumulator_apply_gradient, accumulator_apply_gradient, sparse_accumulator_apply_gradient):

    @_adds.ready("put")
    def _(run: Any, *_: Any, **__: Any) -> bool:
        return True


__all__ = [
    "accumulator_apply_gradient", "accumulator_num_accumulated", "accumulator_set_global_step", "accumulator_take_gradient",
    "conditional_accumulator", "resource_accumulator_apply_gradient", "resource_accumulator_num_accumulated",
    "resource_accumulator_set_global_step", "resource_accumulator_take_gradient", "resource_conditional_accumulator",
    "sparse_accumulator_apply_gradient", "sparse_accumulator_take_gradient", "sparse_conditional_accumulator",
]  # fmt: skip
