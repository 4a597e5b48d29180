"""Bijectors of vectors, and of the shape of events: `SoftmaxCentered`, `Ordered`, `Permute`, `Reshape`. No state."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...base import dtypes
from ...base.errors import error_text
from ...base.shapes import TensorShape
from ...graph.atomic import atomic
from ...graph.nodes import Operation, Tensor
from ...op.constant import constant
from ...ops import gather as gather_ops
from ..arrays import array, constructors, selection, sequences
from ..checks import asserts
from ..control.grouping import with_dependencies
from ..framework.conversion import convert_to_tensor
from ..framework.scope_blocks import control_dependencies, name_scope
from ..framework.static_value import get_static_value
from ..math import math, reductions
from ..nn.activations import softmax, softplus
from .bijector import Bijector


class SoftmaxCentered(Bijector):
    """Vectors [..., n] as probabilities [..., n + 1]: the softmax of the vector with a 0 behind it.

    Raises: ValueError for a scalar and for a shape of one probability.
    """

    def __init__(self, validate_args: bool = False, name: str = "softmax_centered") -> None:
        super().__init__(forward_min_event_ndims=1, validate_args=validate_args, name=name)

    def _forward_event_shape(self, input_shape: TensorShape) -> TensorShape:
        if input_shape.rank is None or input_shape[-1].value is None:
            return input_shape
        return TensorShape([input_shape[-1].value + 1])

    def _forward_event_shape_tensor(self, input_shape: Tensor) -> Tensor:
        return (input_shape[-1] + 1)[..., None]  # type: ignore[no-any-return]

    def _inverse_event_shape(self, output_shape: TensorShape) -> TensorShape:
        if output_shape.rank is None or output_shape[-1].value is None:
            return output_shape
        count = output_shape[-1].value
        if count <= 1:
            raise ValueError(error_text(f"output_shape[-1] = {count} <= 1"))
        return TensorShape([count - 1])

    def _inverse_event_shape_tensor(self, output_shape: Tensor) -> Tensor:
        if self.validate_args:
            message = "Need last dimension greater than 1."
            check = asserts.assert_greater(output_shape[-1], 1, message=message)
            output_shape = with_dependencies([check], output_shape)
        return (output_shape[-1] - 1)[..., None]  # type: ignore[no-any-return]

    def _forward(self, x: Tensor) -> Tensor:
        shape = x.shape.with_rank_at_least(1)
        y = _with_zero_behind(x)
        if shape.rank is not None:
            last = shape[-1].value
            y.set_shape(shape[:-1].concatenate([None if last is None else last + 1]))
        return softmax(y)

    def _inverse(self, y: Tensor) -> Tensor:
        logits = math.log(y)
        of_last = (-logits[..., -1])[..., None]
        x = logits[..., :-1] + of_last
        if y.shape.rank is not None:
            last = y.shape[-1].value
            x.set_shape(y.shape[:-1].concatenate([None if last is None else last - 1]))
        return x  # type: ignore[no-any-return]

    def _inverse_log_det_jacobian(self, y: Tensor) -> Tensor:
        return -reductions.reduce_sum(math.log(y), axis=-1)

    def _forward_log_det_jacobian(self, x: Tensor) -> Tensor:
        # the sum of log_softmax of the vector with its 0
        total = softplus(reductions.reduce_logsumexp(x, axis=-1, keepdims=True))
        summed = -total + reductions.reduce_sum(x - total, axis=-1, keepdims=True)
        return array.squeeze(summed, axis=-1)


def _with_zero_behind(x: Tensor) -> Tensor:
    """x [..., n] with a 0 behind: [..., n + 1]."""
    with name_scope("pad", values=[x]):
        value = convert_to_tensor(0, dtype=x.dtype, name="value")
        count = convert_to_tensor(1, name="count")
        convert_to_tensor(-1, name="axis")  # 1.15 makes this node, too, and does not use it
        rank = x.shape.rank
        last = array.rank(x) - 1 if rank is None else rank - 1
        where = array.stack([-1, last]) if rank is None else convert_to_tensor([-1, last], name="stack")
        depth = array.rank(x) if rank is None else rank
        paddings = constructors.one_hot(where, depth=depth, axis=0, on_value=count, dtype=dtypes.int32)
        return array.pad(x, paddings, constant_values=value)


class Ordered(Bijector):
    """Vectors of growing numbers [..., n] as vectors of any numbers: the first one, and the logarithms of the steps.

    Raises: in the run, under validate_args, InvalidArgumentError for vectors that do not grow.
    """

    def __init__(self, validate_args: bool = False, name: str = "ordered") -> None:
        super().__init__(forward_min_event_ndims=1, validate_args=validate_args, name=name)

    def _shape(self, shape: TensorShape) -> TensorShape:
        return shape if shape.rank is None or shape[-1].value is None else TensorShape([shape[-1]])

    def _forward_event_shape(self, input_shape: TensorShape) -> TensorShape:
        return self._shape(input_shape)

    def _forward_event_shape_tensor(self, input_shape: Tensor) -> Tensor:
        return (input_shape[-1])[..., None]  # type: ignore[no-any-return]

    def _inverse_event_shape(self, output_shape: TensorShape) -> TensorShape:
        return self._shape(output_shape)

    def _inverse_event_shape_tensor(self, output_shape: Tensor) -> Tensor:
        if self.validate_args:
            message = "Need last dimension greater than 1."
            check = asserts.assert_greater(output_shape[-1], 1, message=message)
            output_shape = with_dependencies([check], output_shape)
        return (output_shape[-1])[..., None]  # type: ignore[no-any-return]

    def _grown(self, x: Tensor) -> Tensor:
        """x, checked under validate_args."""
        if not self.validate_args:
            return x
        message = "Forward transformation input must be strictly increasing."
        return with_dependencies([asserts.assert_positive(x[..., 1:] - x[..., :-1], message=message)], x)

    def _forward(self, x: Tensor) -> Tensor:
        x = self._grown(x)
        first = x[..., 0, None]
        return array.concat([first, math.log(x[..., 1:] - x[..., :-1])], axis=-1)

    def _inverse(self, y: Tensor) -> Tensor:
        first = y[..., 0, None]
        return sequences.cumsum(array.concat([first, math.exp(y[..., 1:])], axis=-1), axis=-1)

    def _inverse_log_det_jacobian(self, y: Tensor) -> Tensor:
        return reductions.reduce_sum(y[..., 1:], axis=-1)

    def _forward_log_det_jacobian(self, x: Tensor) -> Tensor:
        x = self._grown(x)
        return -reductions.reduce_sum(math.log(x[..., 1:] - x[..., :-1]), axis=-1)


class Permute(Bijector):
    """The elements of vectors [..., n] in another order: y[..., i] = x[..., permutation[i]].

    permutation: int [n]. Raises: TypeError for one that is not of integers, ValueError for one that is known not to hold
    each of 0 to n - 1 once; in the run, under validate_args, InvalidArgumentError.
    """

    @atomic
    def __init__(self, permutation: Any, validate_args: bool = False, name: str | None = None) -> None:
        with name_scope(name or "permute", values=[permutation]):
            permutation = convert_to_tensor(permutation, name="permutation")
            if not permutation.dtype.is_integer:
                raise TypeError(
                    error_text(f"permutation.dtype ({permutation.dtype.name}) should be `int`-like.", [permutation])
                )
            text = "Permutation over `d` must contain exactly one of each of `{0, 1, ..., d}`."
            known = get_static_value(permutation)
            if known is not None:
                if known.ndim != 1 or sorted(known.tolist()) != list(range(known.size)):
                    raise ValueError(error_text(text, [permutation]))
            elif validate_args:
                ordered = -selection.top_k(-permutation, k=array.shape(permutation)[-1], sorted=True)[0]
                check = asserts.assert_equal(ordered, sequences.range(array.size(ordered)), message=text)
                permutation = with_dependencies([check], permutation)
            self._permutation = permutation
            super().__init__(
                forward_min_event_ndims=1,
                is_constant_jacobian=True,
                validate_args=validate_args,
                name=name or "permute",
            )

    @property
    def permutation(self) -> Tensor:
        """The places [n] from which the elements come."""
        return self._permutation

    def _forward(self, x: Tensor) -> Tensor:
        return selection.gather(x, self.permutation, axis=-1)

    def _inverse(self, y: Tensor) -> Tensor:
        return selection.gather(y, gather_ops.invert_permutation(self.permutation), axis=-1)

    def _inverse_log_det_jacobian(self, y: Tensor) -> Tensor:
        return constant(0.0, dtype=y.dtype)

    def _forward_log_det_jacobian(self, x: Tensor) -> Tensor:
        return constant(0.0, dtype=x.dtype)


class Reshape(Bijector):
    """Events of shape event_shape_in as events of shape event_shape_out; one size of each may be -1, which is inferred.

    Raises: TypeError for shapes that are not of integers, ValueError for ones that are no vectors, and for events that do
    not fit; in the run, under validate_args, InvalidArgumentError.
    """

    @atomic
    def __init__(
        self,
        event_shape_out: Any,
        event_shape_in: Any = (-1,),
        validate_args: bool = False,
        name: str | None = None,
    ) -> None:
        with name_scope(name or "reshape", values=[event_shape_out, event_shape_in]):
            out = convert_to_tensor(event_shape_out, name="event_shape_out", preferred_dtype=dtypes.int32)
            into = convert_to_tensor(event_shape_in, name="event_shape_in", preferred_dtype=dtypes.int32)
            self._checks = [*_checks_of_shape(out, validate_args), *_checks_of_shape(into, validate_args)]
            self._event_shape_out, self._event_shape_in = out, into
            super().__init__(
                forward_min_event_ndims=0,
                is_constant_jacobian=True,
                validate_args=validate_args,
                name=name or "reshape",
            )

    def _forward(self, x: Tensor) -> Tensor:
        with control_dependencies(self._checks):
            return self._reshaped(x, self._event_shape_in, self._event_shape_out)

    def _inverse(self, y: Tensor) -> Tensor:
        with control_dependencies(self._checks):
            return self._reshaped(y, self._event_shape_out, self._event_shape_in)

    def _inverse_log_det_jacobian(self, y: Tensor) -> Tensor:
        with control_dependencies(self._checks):
            return constant(0.0, dtype=y.dtype)

    def _forward_log_det_jacobian(self, x: Tensor) -> Tensor:
        with control_dependencies(self._checks):
            return constant(0.0, dtype=x.dtype)

    def _forward_event_shape(self, input_shape: TensorShape) -> TensorShape:
        return _static_shape(input_shape, self._event_shape_in, self._event_shape_out)

    def _inverse_event_shape(self, output_shape: TensorShape) -> TensorShape:
        return _static_shape(output_shape, self._event_shape_out, self._event_shape_in)

    def _forward_event_shape_tensor(self, input_shape: Tensor) -> Tensor:
        return array.shape(self.forward(array.zeros(input_shape)))

    def _inverse_event_shape_tensor(self, output_shape: Tensor) -> Tensor:
        return array.shape(self.inverse(array.zeros(output_shape)))

    def _reshaped(self, x: Tensor, given: Tensor, wanted: Tensor) -> Tensor:
        """x [batch..., given...] as [batch..., wanted...]."""
        count = array.shape(given)[0]
        rank = array.rank(x)
        rank = rank if x.shape.rank is None else x.shape.rank
        shape = array.shape(x)
        outer = shape[: rank - math.abs(count)]
        axes = given.shape[0].value if given.shape.rank else None
        checks = []
        event: Any = None
        batch = TensorShape(None)
        if axes is not None and x.shape.rank is not None:
            first = len(x.shape.with_rank_at_least(axes)) - axes
            batch, event = x.shape[:first], x.shape[first:]
            _static_shape(event, given, wanted)
        if self.validate_args and not (event is not None and event.is_fully_defined()):
            checks = self._check_of_event(shape[rank - math.abs(count) :], given)
        with control_dependencies(checks):
            result = array.reshape(x, wanted if batch.rank == 0 else array.concat([outer, wanted], axis=0))
        wanted_static = _static_shape(TensorShape(None) if event is None else event, given, wanted)
        result.set_shape(batch.concatenate(wanted_static))
        return result

    def _check_of_event(self, event: Tensor, given: Tensor) -> list[Operation]:
        """The check that an event has the given shape, where that is not -1."""
        message = "Input `event_shape` does not match `event_shape_in`."
        expected = selection.where_v2(math.less(given, 0), event, given)
        return [asserts.assert_equal(event, expected, message=message)]


def _static_shape(event: TensorShape, given: Tensor, wanted: Tensor) -> TensorShape:
    """The static shape of events that are reshaped. Raises: ValueError for events of another shape than the given one."""
    from_sizes, to_sizes = get_static_value(given), get_static_value(wanted)
    outer = TensorShape([])
    if from_sizes is not None and event.is_fully_defined():
        outer = event[: max(0, len(event) - from_sizes.size)]
        event = event[len(outer) :]
        sizes = np.array(event.as_list(), np.int64)
        if sizes.size != from_sizes.size or np.any((from_sizes >= 0) & (from_sizes != sizes)):
            raise ValueError(
                error_text(f"Input `event_shape` does not match `event_shape_in` ({sizes} vs {from_sizes}).")
            )
    if to_sizes is None:
        return TensorShape(None)
    known = [None if size < 0 else int(size) for size in to_sizes]
    if known.count(None) == 1 and event.is_fully_defined():
        rest = int(np.prod([size for size in known if size is not None], dtype=np.int64))
        total = int(np.prod(event.as_list(), dtype=np.int64))
        if rest and total % rest == 0:
            known[known.index(None)] = total // rest
    return outer.concatenate(known)


def _checks_of_shape(shape: Tensor, is_checked: bool) -> list[Operation]:
    """Checks the shape of an event, a vector of sizes with at most one -1; returns the nodes that check it in the run.

    Raises: TypeError for one that is not of integers, ValueError for one of higher rank.
    """
    if not shape.dtype.is_integer:
        raise TypeError(error_text(f"{shape} dtype ({shape.dtype.name}) should be `int`-like."))
    rank = array.rank(shape)
    if shape.shape.rank is not None and shape.shape.rank > 1:
        raise ValueError(error_text(f"`{shape}` rank ({shape.shape.rank}) should be <= 1."))
    if not is_checked:
        return []
    checks = [asserts.assert_less_equal(rank, 1, message=f"`{shape}` rank should be <= 1.")]
    known = get_static_value(shape)
    if known is None or np.any(known < 0):
        unknown = reductions.reduce_sum(math.cast(math.equal(shape, -1), dtypes.int32))
        text = f"`{shape}` must have at most one `-1` (given {known})"
        checks.append(asserts.assert_less_equal(unknown, 1, message=text))
        text = f"`{shape}` elements must be either positive integers or `-1`."
        checks.append(asserts.assert_greater_equal(shape, -1, message=text))
    return checks
