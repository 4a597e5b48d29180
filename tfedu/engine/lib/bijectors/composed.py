"""Bijectors made of functions and of other bijectors: `Identity`, `Inline`, `Invert`, `Chain`. No state."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from ...base.errors import error_text
from ...base.shapes import TensorShape
from ...graph.nodes import Tensor
from ...op.constant import constant
from ..arrays import array
from ..math import math
from .bijector import Bijector, ConditionalBijector


class Identity(Bijector):
    """y = x."""

    def __init__(self, validate_args: bool = False, name: str = "identity") -> None:
        super().__init__(
            forward_min_event_ndims=0, is_constant_jacobian=True, validate_args=validate_args, name=name
        )

    def _forward(self, x: Tensor) -> Tensor:
        return x

    def _inverse(self, y: Tensor) -> Tensor:
        return y

    def _inverse_log_det_jacobian(self, y: Tensor) -> Tensor:
        return constant(0.0, dtype=y.dtype)

    def _forward_log_det_jacobian(self, x: Tensor) -> Tensor:
        return constant(0.0, dtype=x.dtype)


class Inline(Bijector):
    """A bijector out of functions: each hook is the argument of its name, and is missing where that is None.

    Raises: as Bijector; NotImplementedError by the methods whose function is missing.
    """

    def __init__(
        self,
        forward_fn: Callable[..., Any] | None = None,
        inverse_fn: Callable[..., Any] | None = None,
        inverse_log_det_jacobian_fn: Callable[..., Any] | None = None,
        forward_log_det_jacobian_fn: Callable[..., Any] | None = None,
        forward_event_shape_fn: Callable[..., Any] | None = None,
        forward_event_shape_tensor_fn: Callable[..., Any] | None = None,
        inverse_event_shape_fn: Callable[..., Any] | None = None,
        inverse_event_shape_tensor_fn: Callable[..., Any] | None = None,
        is_constant_jacobian: bool = False,
        validate_args: bool = False,
        forward_min_event_ndims: int | None = None,
        inverse_min_event_ndims: int | None = None,
        name: str = "inline",
    ) -> None:
        super().__init__(
            forward_min_event_ndims=forward_min_event_ndims,
            inverse_min_event_ndims=inverse_min_event_ndims,
            is_constant_jacobian=is_constant_jacobian,
            validate_args=validate_args,
            name=name,
        )
        self._functions: dict[str, Callable[..., Any] | None] = {
            "forward": forward_fn,
            "inverse": inverse_fn,
            "inverse_log_det_jacobian": inverse_log_det_jacobian_fn,
            "forward_log_det_jacobian": forward_log_det_jacobian_fn,
        }
        self._shapes = {
            "forward": forward_event_shape_fn,
            "forward_tensor": forward_event_shape_tensor_fn,
            "inverse": inverse_event_shape_fn,
            "inverse_tensor": inverse_event_shape_tensor_fn,
        }

    def _call(self, which: str, value: Tensor, kwargs: dict[str, Any]) -> Any:
        function = self._functions[which]
        if not callable(function):
            raise NotImplementedError(error_text(f"{which}_fn is not a callable function."))
        return function(value, **kwargs)

    def _forward(self, x: Tensor, **kwargs: Any) -> Any:
        return self._call("forward", x, kwargs)

    def _inverse(self, y: Tensor, **kwargs: Any) -> Any:
        return self._call("inverse", y, kwargs)

    def _inverse_log_det_jacobian(self, y: Tensor, **kwargs: Any) -> Any:
        return self._call("inverse_log_det_jacobian", y, kwargs)

    def _forward_log_det_jacobian(self, x: Tensor, **kwargs: Any) -> Any:
        return self._call("forward_log_det_jacobian", x, kwargs)

    def _shaped(self, which: str, shape: Any) -> Any:
        function = self._shapes[which]
        return shape if function is None else function(shape)

    def _forward_event_shape(self, input_shape: TensorShape) -> Any:
        return self._shaped("forward", input_shape)

    def _forward_event_shape_tensor(self, input_shape: Tensor) -> Any:
        return self._shaped("forward_tensor", input_shape)

    def _inverse_event_shape(self, output_shape: TensorShape) -> Any:
        return self._shaped("inverse", output_shape)

    def _inverse_event_shape_tensor(self, output_shape: Tensor) -> Any:
        return self._shaped("inverse_tensor", output_shape)


class Invert(ConditionalBijector):
    """The inverse of a bijector: `forward` of the one is `inverse` of the other.

    Raises: NotImplementedError for a bijector that is not injective.
    """

    def __init__(self, bijector: Bijector, validate_args: bool = False, name: str | None = None) -> None:
        if not bijector._is_injective:
            raise NotImplementedError(error_text("Invert is not implemented for non-injective bijectors."))
        self._bijector = bijector
        super().__init__(
            graph_parents=bijector.graph_parents,
            forward_min_event_ndims=bijector.inverse_min_event_ndims,
            inverse_min_event_ndims=bijector.forward_min_event_ndims,
            is_constant_jacobian=bijector.is_constant_jacobian,
            validate_args=validate_args,
            dtype=bijector.dtype,
            name=name or f"invert_{bijector.name}",
        )

    @property
    def bijector(self) -> Bijector:
        """The bijector whose inverse this is."""
        return self._bijector

    def _forward_event_shape(self, input_shape: TensorShape) -> TensorShape:
        return self.bijector._inverse_event_shape(input_shape)

    def _forward_event_shape_tensor(self, input_shape: Tensor) -> Tensor:
        return self.bijector._inverse_event_shape_tensor(input_shape)

    def _inverse_event_shape(self, output_shape: TensorShape) -> TensorShape:
        return self.bijector._forward_event_shape(output_shape)

    def _inverse_event_shape_tensor(self, output_shape: Tensor) -> Tensor:
        return self.bijector._forward_event_shape_tensor(output_shape)

    def _forward(self, x: Tensor, **kwargs: Any) -> Any:
        return self.bijector._inverse(x, **kwargs)

    def _inverse(self, y: Tensor, **kwargs: Any) -> Any:
        return self.bijector._forward(y, **kwargs)

    def _inverse_log_det_jacobian(self, y: Tensor, **kwargs: Any) -> Any:
        return self.bijector._forward_log_det_jacobian(y, **kwargs)

    def _forward_log_det_jacobian(self, x: Tensor, **kwargs: Any) -> Any:
        return self.bijector._inverse_log_det_jacobian(x, **kwargs)


class Chain(Bijector):
    """Bijectors one after the other: `Chain([f, g]).forward(x)` is f(g(x)).

    The hooks take `name=dict(…)` for each conditional bijector of that name.

    Raises: NotImplementedError for a bijector that is not injective, ValueError for dtypes that do not agree.
    """

    def __init__(
        self, bijectors: Iterable[Bijector] | None = None, validate_args: bool = False, name: str | None = None
    ) -> None:
        self._bijectors = tuple(bijectors or ())
        for part in self._bijectors:
            if not part._is_injective:
                raise NotImplementedError(
                    error_text(f"Invert is not implemented for non-injective bijector ({part.name})")
                )
        kinds = list(dict.fromkeys(part.dtype for part in self._bijectors if part.dtype is not None))
        if len(kinds) > 1:
            raise ValueError(error_text(f"incompatible dtypes: {kinds}"))
        super().__init__(
            graph_parents=[parent for part in self._bijectors for parent in part.graph_parents],
            forward_min_event_ndims=_least_rank(
                [(b.forward_min_event_ndims, b.inverse_min_event_ndims) for b in reversed(self._bijectors)]
            ),
            inverse_min_event_ndims=_least_rank(
                [(b.inverse_min_event_ndims, b.forward_min_event_ndims) for b in self._bijectors]
            ),
            is_constant_jacobian=all(part.is_constant_jacobian for part in self._bijectors),
            validate_args=validate_args,
            dtype=kinds[0] if kinds else None,
            name=name or ("_of_".join(["chain", *(b.name for b in self._bijectors)]) if self._bijectors else "identity"),
        )

    @property
    def bijectors(self) -> tuple[Bijector, ...]:
        """The bijectors, the last one applied first."""
        return self._bijectors

    def _through(self, method: str, value: Any, kwargs: dict[str, Any] | None = None, backwards: bool = True) -> Any:
        """What becomes of a value that each bijector's method takes from the one before."""
        for part in reversed(self._bijectors) if backwards else self._bijectors:
            value = getattr(part, method)(value, **(kwargs or {}).get(part.name, {}))
        return value

    def _forward_event_shape(self, input_shape: TensorShape) -> TensorShape:
        return self._through("forward_event_shape", input_shape)

    def _forward_event_shape_tensor(self, input_shape: Tensor) -> Tensor:
        return self._through("forward_event_shape_tensor", input_shape)

    def _inverse_event_shape(self, output_shape: TensorShape) -> TensorShape:
        return self._through("inverse_event_shape", output_shape, backwards=False)

    def _inverse_event_shape_tensor(self, output_shape: Tensor) -> Tensor:
        return self._through("inverse_event_shape_tensor", output_shape, backwards=False)

    def _forward(self, x: Tensor, **kwargs: Any) -> Tensor:
        return self._through("forward", x, kwargs)

    def _inverse(self, y: Tensor, **kwargs: Any) -> Tensor:
        return self._through("inverse", y, kwargs, backwards=False)

    def _inverse_log_det_jacobian(self, y: Tensor, **kwargs: Any) -> Tensor:
        return self._sum("inverse", self._bijectors, y, self.inverse_min_event_ndims, kwargs)

    def _forward_log_det_jacobian(self, x: Tensor, **kwargs: Any) -> Tensor:
        return self._sum("forward", self._bijectors[::-1], x, self.forward_min_event_ndims, kwargs)

    def _sum(
        self, way: str, parts: Sequence[Bijector], value: Tensor, event_ndims: int, kwargs: dict[str, Any]
    ) -> Tensor:
        """The log-volumes of all bijectors, added up on the way of a value through them."""
        total: Any = math.cast(0.0, dtype=value.dtype.base_dtype)
        if not parts:
            return total
        count: Any = event_ndims
        static = value.shape.rank is not None
        if static:
            shape: Any = value.shape[value.shape.rank - count :]  # type: ignore[operator]
        else:
            shape = array.shape(value)[array.rank(value) - count :]
        for part in parts:
            given = kwargs.get(part.name, {})
            total += getattr(part, f"{way}_log_det_jacobian")(value, event_ndims=count, **given)
            if static:
                shape = getattr(part, f"{way}_event_shape")(shape)
                count = shape.rank
            else:
                shape = getattr(part, f"{way}_event_shape_tensor")(shape)
                count = array.size(shape)
            value = getattr(part, way)(value, **given)
        return total


def _least_rank(ranks: Sequence[tuple[int, int]]) -> int:
    """How many axes an event must have for each stage to find as many as it takes; stages: (axes in, axes out)."""
    least = gained = 0
    for taken, given in ranks:
        least = max(least, taken - gained)
        gained += given - taken
    return least
