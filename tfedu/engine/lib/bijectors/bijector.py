"""`Bijector` is the base class of transformations y = g(x) of events, which know their inverse and log-determinant; programs
write subclasses.

A public method opens the scope `name/method`, remembers what it computed for a tensor, and calls a hook: `forward` calls
`_forward`. State: each bijector remembers which x, y and log-determinants belong together.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import numpy as np

from ...base import dtypes
from ...base.dtypes import DType, as_dtype
from ...base.errors import error_text
from ...base.shapes import TensorShape
from ...graph.atomic import atomic
from ...graph.default_graph import get_default_graph
from ...graph.nodes import Operation, Tensor
from ..arrays import array
from ..arrays.sequences import range as range_of
from ..checks import asserts, type_asserts
from ..framework.conversion import convert_to_tensor, is_tensor
from ..framework.scope_blocks import control_dependencies, name_scope
from ..framework.static_value import get_static_value
from ..math import reductions


class _Fiber:
    """What a bijector knows of one event: x, y = g(x), and log|dx/dy| by the number of event axes."""

    def __init__(self) -> None:
        self.x: Tensor | None = None
        self.y: Tensor | None = None
        self.log_volumes: dict[Any, Tensor] = {}


class Bijector:
    """A differentiable, invertible transformation y = g(x) of events.

    graph_parents: tensors that it is made of. is_constant_jacobian: whether the derivative is the same at each x. dtype: of
    the events; None: any. forward_min_event_ndims, inverse_min_event_ndims: how many last axes of x, of y, one call of g
    mixes; by default the one equals the other. name: prefix of the nodes' names; by default the class, in snake case.

    A derived class writes the hooks that it can: `_forward`, `_inverse`, `_forward_log_det_jacobian` or
    `_inverse_log_det_jacobian`, and, where the shape of an event changes, `_forward_event_shape`,
    `_forward_event_shape_tensor` and the two of the inverse.

    Raises: ValueError for a graph parent that is no tensor, and without a number of axes; TypeError for one that is no int.
    """

    def __init__(
        self,
        graph_parents: Iterable[Any] | None = None,
        is_constant_jacobian: bool = False,
        validate_args: bool = False,
        dtype: Any = None,
        forward_min_event_ndims: int | None = None,
        inverse_min_event_ndims: int | None = None,
        name: str | None = None,
    ) -> None:
        self._graph_parents = list(graph_parents or ())
        if forward_min_event_ndims is None and inverse_min_event_ndims is None:
            raise ValueError(
                error_text(
                    "Must specify at least one of `forward_min_event_ndims` and `inverse_min_event_ndims`."
                )
            )
        if inverse_min_event_ndims is None:
            inverse_min_event_ndims = forward_min_event_ndims
        elif forward_min_event_ndims is None:
            forward_min_event_ndims = inverse_min_event_ndims
        self._forward_min_event_ndims = _checked_count(forward_min_event_ndims, "forward_min_event_ndims")
        self._inverse_min_event_ndims = _checked_count(inverse_min_event_ndims, "inverse_min_event_ndims")
        self._is_constant_jacobian = is_constant_jacobian
        self._validate_args = validate_args
        self._dtype = None if dtype is None else as_dtype(dtype)
        self._name = name or _snake_case(type(self).__name__).lstrip("_")
        for i, parent in enumerate(self._graph_parents):
            if not is_tensor(parent):
                raise ValueError(error_text(f"Graph parent item {i} is not a Tensor; {parent}."))
        self._by_tensor: dict[Any, _Fiber] = {}
        self._constant_log_volumes: dict[Any, Tensor] = {}

    # -- what it is ------------------------------------------------------------------------------------------------

    @property
    def graph_parents(self) -> list[Any]:
        """The tensors that the bijector is made of."""
        return self._graph_parents

    @property
    def forward_min_event_ndims(self) -> int:
        """How many last axes of x the transformation mixes."""
        return self._forward_min_event_ndims

    @property
    def inverse_min_event_ndims(self) -> int:
        """How many last axes of y the inverse mixes."""
        return self._inverse_min_event_ndims

    @property
    def is_constant_jacobian(self) -> bool:
        """Whether the derivative is the same at each x."""
        return self._is_constant_jacobian

    @property
    def _is_injective(self) -> bool:
        """Whether an y has one x; where it has several, the hooks of the inverse return a tuple."""
        return True

    @property
    def validate_args(self) -> bool:
        """Whether runs check parameters and values."""
        return self._validate_args

    @property
    def dtype(self) -> DType | None:
        """The dtype of the events; None: any."""
        return self._dtype

    @property
    def name(self) -> str:
        """The prefix of its nodes' names."""
        return self._name

    # -- hooks -----------------------------------------------------------------------------------------------------

    def _forward(self, x: Tensor) -> Tensor:
        raise NotImplementedError(error_text("forward not implemented."))

    def _inverse(self, y: Tensor) -> Any:
        raise NotImplementedError(error_text("inverse not implemented"))

    def _forward_log_det_jacobian(self, x: Tensor) -> Any:
        raise NotImplementedError(error_text("forward_log_det_jacobian not implemented."))

    def _inverse_log_det_jacobian(self, y: Tensor) -> Any:
        raise NotImplementedError(error_text("inverse_log_det_jacobian not implemented."))

    def _forward_event_shape(self, input_shape: TensorShape) -> TensorShape:
        return input_shape

    def _forward_event_shape_tensor(self, input_shape: Tensor) -> Tensor:
        return input_shape

    def _inverse_event_shape(self, output_shape: TensorShape) -> TensorShape:
        return output_shape

    def _inverse_event_shape_tensor(self, output_shape: Tensor) -> Tensor:
        return output_shape

    # -- shapes ----------------------------------------------------------------------------------------------------

    @atomic
    def forward_event_shape_tensor(self, input_shape: Any, name: str = "forward_event_shape_tensor") -> Tensor:
        """The shape of an event y, for that of an event x, as int32 vectors."""
        with self._name_scope(name, [input_shape]):
            return self._forward_event_shape_tensor(
                convert_to_tensor(input_shape, dtype=dtypes.int32, name="input_shape")
            )

    def forward_event_shape(self, input_shape: Any) -> TensorShape:
        """The static shape of an event y, for that of an event x; what is not known stays open."""
        return self._forward_event_shape(TensorShape(input_shape))

    @atomic
    def inverse_event_shape_tensor(self, output_shape: Any, name: str = "inverse_event_shape_tensor") -> Tensor:
        """The shape of an event x, for that of an event y, as int32 vectors."""
        with self._name_scope(name, [output_shape]):
            return self._inverse_event_shape_tensor(
                convert_to_tensor(output_shape, dtype=dtypes.int32, name="output_shape")
            )

    def inverse_event_shape(self, output_shape: Any) -> TensorShape:
        """The static shape of an event x, for that of an event y; what is not known stays open."""
        return self._inverse_event_shape(TensorShape(output_shape))

    # -- methods ---------------------------------------------------------------------------------------------------

    def forward(self, x: Any, name: str = "forward") -> Tensor:
        """y = g(x) for x [..., event...].

        Raises: TypeError for another dtype, NotImplementedError where the class has no `_forward`.
        """
        return self._call_forward(x, name)

    def inverse(self, y: Any, name: str = "inverse") -> Any:
        """x with g(x) = y for y [..., event...]; a tuple of them where g is not injective.

        Raises: TypeError for another dtype, NotImplementedError where the class has no `_inverse`.
        """
        return self._call_inverse(y, name)

    def inverse_log_det_jacobian(
        self, y: Any, event_ndims: Any, name: str = "inverse_log_det_jacobian"
    ) -> Any:
        """log|det dx/dy| at y [..., event...], whose last event_ndims axes are an event: [...].

        Raises: TypeError for another dtype, ValueError for fewer event_ndims than the transformation mixes,
        NotImplementedError where the class has no hook for it.
        """
        return self._call_inverse_log_det_jacobian(y, event_ndims, name)

    def forward_log_det_jacobian(
        self, x: Any, event_ndims: Any, name: str = "forward_log_det_jacobian"
    ) -> Tensor:
        """log|det dy/dx| at x [..., event...], whose last event_ndims axes are an event: [...].

        Raises: as `inverse_log_det_jacobian`; NotImplementedError for a transformation that is not injective.
        """
        return self._call_forward_log_det_jacobian(x, event_ndims, name)

    # -- how the methods compute -----------------------------------------------------------------------------------

    @contextmanager
    def _name_scope(self, name: str | None = None, values: Iterable[Any] = ()) -> Iterator[str]:
        with name_scope(self.name), name_scope(name, values=[*values, *self.graph_parents]) as scope:
            yield scope

    def _event(self, value: Any, label: str) -> Tensor:
        tensor = convert_to_tensor(value, name=label)
        if self.dtype is not None and self.dtype.base_dtype != tensor.dtype.base_dtype:
            raise TypeError(error_text(f"Input had dtype {self.dtype} but expected {tensor.dtype}."))
        return tensor

    @atomic
    def _call_forward(self, x: Any, name: str, **kwargs: Any) -> Tensor:
        with self._name_scope(name, [x]):
            x = self._event(x, "x")
            if not self._is_injective:
                return self._forward(x, **kwargs)
            fiber = self._recalled("x", x, kwargs)
            if fiber.y is None:
                fiber.y = self._forward(x, **kwargs)
                self._remember(fiber, kwargs)
            return fiber.y

    @atomic
    def _call_inverse(self, y: Any, name: str, **kwargs: Any) -> Any:
        with self._name_scope(name, [y]):
            y = self._event(y, "y")
            if not self._is_injective:
                return self._inverse(y, **kwargs)
            fiber = self._recalled("y", y, kwargs)
            if fiber.x is None:
                fiber.x = self._inverse(y, **kwargs)
                self._remember(fiber, kwargs)
            return fiber.x

    @atomic
    def _call_inverse_log_det_jacobian(self, y: Any, event_ndims: Any, name: str, **kwargs: Any) -> Any:
        with self._name_scope(name, [y]):
            if (known := self._constant(event_ndims)) is not None:
                return known
            y = self._event(y, "y")
            with control_dependencies(self._checks_of(event_ndims, self.inverse_min_event_ndims)):
                if not self._is_injective:
                    return self._log_volumes_of_fibers(y, event_ndims, kwargs)
                fiber = self._recalled("y", y, kwargs)
                if event_ndims not in fiber.log_volumes:
                    self._keep(fiber, event_ndims, kwargs, self._from_y(fiber, y, event_ndims, kwargs))
                return fiber.log_volumes[event_ndims]

    @atomic
    def _call_forward_log_det_jacobian(self, x: Any, event_ndims: Any, name: str, **kwargs: Any) -> Tensor:
        if not self._is_injective:
            raise NotImplementedError(
                error_text("forward_log_det_jacobian cannot be implemented for non-injective transforms.")
            )
        with self._name_scope(name, [x]):
            with control_dependencies(self._checks_of(event_ndims, self.forward_min_event_ndims)):
                if (known := self._constant(event_ndims)) is not None:
                    return -1.0 * known
                x = self._event(x, "x")
                fiber = self._recalled("x", x, kwargs)
                if event_ndims not in fiber.log_volumes:
                    self._keep(fiber, event_ndims, kwargs, self._from_x(fiber, x, event_ndims, kwargs))
                return -fiber.log_volumes[event_ndims]

    def _from_y(self, fiber: _Fiber, y: Tensor, event_ndims: Any, kwargs: dict[str, Any]) -> Tensor:
        """log|det dx/dy|, by the hook of the inverse, else by that of the forward transformation."""

        def by_inverse() -> Tensor:
            found = self._inverse_log_det_jacobian(y, **kwargs)
            return self._summed(found, y, self.inverse_min_event_ndims, event_ndims)

        def by_forward() -> Tensor:
            fiber.x = self._inverse(y, **kwargs) if fiber.x is None else fiber.x
            found = -self._forward_log_det_jacobian(fiber.x, **kwargs)
            return self._summed(found, fiber.x, self.forward_min_event_ndims, event_ndims)

        return _one_of(by_inverse, by_forward)

    def _from_x(self, fiber: _Fiber, x: Tensor, event_ndims: Any, kwargs: dict[str, Any]) -> Tensor:
        """log|det dx/dy|, by the hook of the forward transformation, else by that of the inverse."""

        def by_forward() -> Tensor:
            found = -self._forward_log_det_jacobian(x, **kwargs)
            return self._summed(found, x, self.forward_min_event_ndims, event_ndims)

        def by_inverse() -> Tensor:
            fiber.y = self._forward(x, **kwargs) if fiber.y is None else fiber.y
            found = self._inverse_log_det_jacobian(fiber.y, **kwargs)
            return self._summed(found, fiber.y, self.inverse_min_event_ndims, event_ndims)

        return _one_of(by_forward, by_inverse)

    def _log_volumes_of_fibers(self, y: Tensor, event_ndims: Any, kwargs: dict[str, Any]) -> tuple[Tensor, ...]:
        def by_inverse() -> tuple[Tensor, ...]:
            found = self._inverse_log_det_jacobian(y, **kwargs)
            return tuple(self._summed(one, y, self.inverse_min_event_ndims, event_ndims) for one in found)

        def by_forward() -> tuple[Tensor, ...]:
            x = self._inverse(y, **kwargs)
            found = self._forward_log_det_jacobian(x, **kwargs)
            return tuple(self._summed(-one, x, self.forward_min_event_ndims, event_ndims) for one in found)

        return _one_of(by_inverse, by_forward)

    def _summed(self, log_volume: Tensor, at: Tensor, min_event_ndims: int, event_ndims: Any) -> Tensor:
        """The sum of a log-volume [...], broadcast to them, over those axes of an event that the transformation does not mix."""
        count = _known_count(event_ndims)
        rank = array.rank(at)
        over = array.shape(at)[rank - event_ndims : rank - min_event_ndims]
        spread = array.ones(over, log_volume.dtype) * log_volume
        if count is None:
            axes: Any = range_of(-(event_ndims - min_event_ndims), 0)
        else:
            axes = [-i for i in range(1, count - min_event_ndims + 1)]
        total = reductions.reduce_sum(spread, axis=axes)
        if count is not None and at.shape.rank is not None and log_volume.shape.rank is not None:
            outer = at.shape[at.shape.rank - count : at.shape.rank - min_event_ndims]
            whole = array.broadcast_static_shape(outer, log_volume.shape)
            total.set_shape(whole[: (whole.rank or 0) - (count - min_event_ndims)])
        return total

    def _checks_of(self, event_ndims: Any, min_event_ndims: int) -> list[Operation]:
        """Checks of the run that event_ndims is a scalar of at least min_event_ndims.

        Raises: ValueError where that is known not to hold, and for a number that is no integer.
        """
        count = convert_to_tensor(event_ndims, name="event_ndims")
        known = get_static_value(count)
        checks = []
        if not count.dtype.is_integer:
            raise ValueError(error_text(f"Expected integer dtype, got dtype {count.dtype}"))
        if known is not None:
            if count.shape.rank != 0:
                raise ValueError(error_text(f"Expected scalar event_ndims, got shape {count.shape}"))
            if min_event_ndims > known:
                raise ValueError(
                    error_text(f"event_ndims ({known}) must be larger than min_event_ndims ({min_event_ndims})")
                )
        elif self.validate_args:
            checks.append(asserts.assert_greater_equal(count, min_event_ndims))
        if count.shape.is_fully_defined():
            if count.shape.rank != 0:
                raise ValueError(error_text(f"Expected scalar shape, got ndims {count.shape.rank}"))
        elif self.validate_args:
            checks.append(type_asserts.assert_rank(count, 0, message="Expected scalar."))
        return checks

    # -- memory ----------------------------------------------------------------------------------------------------

    def _constant(self, event_ndims: Any) -> Tensor | None:
        """The log-volume of a constant derivative, if it is known in the graph that is being built."""
        known = self._constant_log_volumes.get(_frozen(event_ndims))
        return known if known is not None and _stands(known) else None

    def _keep(self, fiber: _Fiber, event_ndims: Any, kwargs: dict[str, Any], log_volume: Tensor) -> None:
        fiber.log_volumes[event_ndims] = log_volume
        self._remember(fiber, kwargs)
        if self.is_constant_jacobian:
            self._constant_log_volumes[_frozen(event_ndims)] = log_volume

    def _recalled(self, side: str, tensor: Tensor, kwargs: dict[str, Any]) -> _Fiber:
        """What is known of the event whose x, or y, is this tensor."""
        found = self._by_tensor.get((side, tensor, _frozen(kwargs)), _Fiber())
        fiber = _Fiber()
        # what a failed call has built is no longer in the graph
        fiber.x, fiber.y = (part if part is not None and _stands(part) else None for part in (found.x, found.y))
        fiber.log_volumes = {count: part for count, part in found.log_volumes.items() if _stands(part)}
        setattr(fiber, side, tensor)
        return fiber

    def _remember(self, fiber: _Fiber, kwargs: dict[str, Any]) -> None:
        key = _frozen(kwargs)
        for side, tensor in (("x", fiber.x), ("y", fiber.y)):
            if tensor is not None:
                self._by_tensor[side, tensor, key] = fiber


class ConditionalBijector(Bijector):
    """A bijector whose methods pass further arguments by name on to the hooks."""

    def forward(self, x: Any, name: str = "forward", **condition_kwargs: Any) -> Tensor:
        """y = g(x) for x [..., event...]."""
        return self._call_forward(x, name, **condition_kwargs)

    def inverse(self, y: Any, name: str = "inverse", **condition_kwargs: Any) -> Any:
        """x with g(x) = y for y [..., event...]."""
        return self._call_inverse(y, name, **condition_kwargs)

    def inverse_log_det_jacobian(
        self, y: Any, event_ndims: Any, name: str = "inverse_log_det_jacobian", **condition_kwargs: Any
    ) -> Any:
        """log|det dx/dy| at y [..., event...], whose last event_ndims axes are an event: [...]."""
        return self._call_inverse_log_det_jacobian(y, event_ndims, name, **condition_kwargs)

    def forward_log_det_jacobian(
        self, x: Any, event_ndims: Any, name: str = "forward_log_det_jacobian", **condition_kwargs: Any
    ) -> Tensor:
        """log|det dy/dx| at x [..., event...], whose last event_ndims axes are an event: [...]."""
        return self._call_forward_log_det_jacobian(x, event_ndims, name, **condition_kwargs)


def _checked_count(count: Any, label: str) -> int:
    if not isinstance(count, int):
        raise TypeError(error_text(f"Expected {label} to be of type int, got {type(count).__name__}"))
    if count < 0:
        raise ValueError(error_text(f"{label} must be a non-negative integer."))
    return count


def _one_of(first: Callable[[], Any], second: Callable[[], Any]) -> Any:
    """The result of the first way that is implemented. Raises: NotImplementedError of the first when none is."""
    try:
        return first()
    except NotImplementedError as missing:
        try:
            return second()
        except NotImplementedError:
            raise missing from None


def _known_count(event_ndims: Any) -> int | None:
    known = get_static_value(event_ndims)
    return None if known is None else int(known)


def _stands(part: Any) -> bool:
    """Whether a tensor is in the default graph."""
    return part.graph is get_default_graph() and part.graph._by_name.get(part.op.name) is part.op


def _frozen(value: Any) -> Any:
    """A value as a key of a dictionary."""
    if isinstance(value, Mapping):
        return tuple((key, _frozen(value[key])) for key in sorted(value))
    if isinstance(value, (list, tuple)):
        return tuple(_frozen(part) for part in value)
    if isinstance(value, np.ndarray):
        return value.shape, value.dtype.str, value.tobytes()
    return value


def _snake_case(name: str) -> str:
    """"SoftmaxCentered" -> "softmax_centered"."""
    words = [name[0]]
    for before, letter in itertools.pairwise(name):
        if letter.isupper() and not before.isupper():
            words.append("_")
        words.append(letter)
    return "".join(words).lower()
