"""Losses of tf.keras as objects: `MeanSquaredError()(y_true, y_pred, sample_weight)` is one number. No state."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any, Self

from ...base.errors import error_text
from ...graph.atomic import atomic
from ...lib.framework.scope_blocks import name_scope
from . import keras_losses
from .keras_objects import deserialize_keras_object, serialize_keras_object
from .weighted_losses import ReductionV2, compute_weighted_loss, of_one_rank


class Loss:
    """A loss; a subclass defines `call(y_true, y_pred)`, the losses of the samples.

    reduction: how they become one number, a key of `losses.Reduction`. Raises: ValueError for an unknown reduction.
    """

    def __init__(self, reduction: str = ReductionV2.AUTO, name: str | None = None) -> None:
        ReductionV2.validate(reduction)
        self.reduction, self.name = reduction, name

    @atomic
    def __call__(self, y_true: Any, y_pred: Any, sample_weight: Any = None) -> Any:
        """y_true [n, ...], y_pred [n, ...], sample_weight [n] or what broadcasts to the losses -> a scalar; NONE: [n, ...]."""
        scope = "lambda" if self.name == "<lambda>" else self.name
        with name_scope(scope or type(self).__name__):
            losses = self.call(y_true, y_pred)
            return compute_weighted_loss(losses, sample_weight, reduction=self.reduction)

    def call(self, y_true: Any, y_pred: Any) -> Any:
        """The losses of the samples, [n, ...]."""
        raise NotImplementedError(error_text("Must be implemented in subclasses."))

    def get_config(self) -> dict[str, Any]:
        """The arguments that construct an equal loss."""
        return {"reduction": self.reduction, "name": self.name}

    @classmethod
    def from_config(cls, config: dict[str, Any]) -> Self:
        """A loss from the result of `get_config`."""
        return cls(**config)


class LossFunctionWrapper(Loss):
    """The loss whose samples' losses a function (y_true, y_pred, **kwargs) gives."""

    def __init__(
        self, fn: Callable[..., Any], reduction: str = ReductionV2.AUTO, name: str | None = None, **kwargs: Any
    ) -> None:
        super().__init__(reduction=reduction, name=name)
        self.fn, self._fn_kwargs = fn, kwargs

    def call(self, y_true: Any, y_pred: Any) -> Any:
        """The losses of the samples, [n, ...]."""
        if hasattr(y_true, "shape") and hasattr(y_pred, "shape") and hasattr(y_true.shape, "ndims"):
            y_pred, y_true, _ = of_one_rank(y_pred, y_true)
        return self.fn(y_true, y_pred, **self._fn_kwargs)

    def get_config(self) -> dict[str, Any]:
        """The arguments that construct an equal loss."""
        return {**super().get_config(), **self._fn_kwargs}


def _loss_class(class_name: str, fn: Callable[..., Any], name: str | None = None) -> type[LossFunctionWrapper]:
    """The class of a loss function: its arguments are those of the function, then reduction and name."""
    options = [p for p in inspect.signature(fn).parameters.values() if p.default is not p.empty and p.name != "axis"]
    default = name or fn.__name__
    keyword = inspect.Parameter.POSITIONAL_OR_KEYWORD
    parameters = [
        inspect.Parameter("self", keyword),
        *options,
        inspect.Parameter("reduction", keyword, default=ReductionV2.AUTO),
        inspect.Parameter("name", keyword, default=default),
    ]
    signature = inspect.Signature(parameters)

    def __init__(self: Any, *args: Any, **kwargs: Any) -> None:
        try:
            bound = signature.bind(self, *args, **kwargs)
        except TypeError as error:
            raise TypeError(error_text(f"{class_name}: {error}")) from None
        bound.apply_defaults()
        arguments = dict(bound.arguments)
        arguments.pop("self")
        LossFunctionWrapper.__init__(self, fn, **arguments)

    __init__.__signature__ = signature  # type: ignore[attr-defined]
    members = {"__init__": __init__, "__doc__": inspect.getdoc(fn), "__module__": __name__}
    return type(class_name, (LossFunctionWrapper,), members)


MeanSquaredError = _loss_class("MeanSquaredError", keras_losses.mean_squared_error)
MeanAbsoluteError = _loss_class("MeanAbsoluteError", keras_losses.mean_absolute_error)
MeanAbsolutePercentageError = _loss_class("MeanAbsolutePercentageError", keras_losses.mean_absolute_percentage_error)
MeanSquaredLogarithmicError = _loss_class("MeanSquaredLogarithmicError", keras_losses.mean_squared_logarithmic_error)
BinaryCrossentropy = _loss_class("BinaryCrossentropy", keras_losses.binary_crossentropy)
CategoricalCrossentropy = _loss_class("CategoricalCrossentropy", keras_losses.categorical_crossentropy)
SparseCategoricalCrossentropy = _loss_class("SparseCategoricalCrossentropy", keras_losses.sparse_categorical_crossentropy)
Hinge = _loss_class("Hinge", keras_losses.hinge)
SquaredHinge = _loss_class("SquaredHinge", keras_losses.squared_hinge)
CategoricalHinge = _loss_class("CategoricalHinge", keras_losses.categorical_hinge)
Poisson = _loss_class("Poisson", keras_losses.poisson)
LogCosh = _loss_class("LogCosh", keras_losses.logcosh)
KLDivergence = _loss_class("KLDivergence", keras_losses.kullback_leibler_divergence)
Huber = _loss_class("Huber", keras_losses.huber_loss)


class CosineSimilarity(LossFunctionWrapper):
    """The cosine of the angle between the vectors along the axis, as in 1.15; later releases took its opposite."""

    def __init__(
        self, axis: int = -1, reduction: str = ReductionV2.AUTO, name: str = "cosine_similarity"
    ) -> None:
        super().__init__(keras_losses.cosine_similarity, reduction=reduction, name=name, axis=axis)


_CLASSES = {
    each.__name__: each
    for each in (
        MeanSquaredError, MeanAbsoluteError, MeanAbsolutePercentageError, MeanSquaredLogarithmicError, BinaryCrossentropy,
        CategoricalCrossentropy, SparseCategoricalCrossentropy, Hinge, SquaredHinge, CategoricalHinge, Poisson, LogCosh,
        KLDivergence, Huber, CosineSimilarity,
    )
}  # fmt: skip


def serialize(loss: Any) -> Any:
    """The name of a loss function, or class name and configuration of a loss."""
    return serialize_keras_object(loss)


def deserialize(name: Any, custom_objects: Any = None) -> Any:
    """The loss of a name or configuration.

    Raises: ValueError for an unknown one.
    """
    return deserialize_keras_object(
        name, {**keras_losses.FUNCTIONS, **_CLASSES}, custom_objects, printable_module_name="loss function"
    )


def get(identifier: Any) -> Any:
    """The loss of a name, a configuration or a function; None for None.

    Raises: ValueError for anything else.
    """
    if identifier is None or callable(identifier):
        return identifier
    if isinstance(identifier, (str, dict)):
        return deserialize(identifier)
    raise ValueError(error_text(f"Could not interpret loss function identifier: {identifier}"))


__all__ = [
    "BinaryCrossentropy", "CategoricalCrossentropy", "CategoricalHinge", "CosineSimilarity", "Hinge", "Huber", "KLDivergence",
    "LogCosh", "Loss", "LossFunctionWrapper", "MeanAbsoluteError", "MeanAbsolutePercentageError", "MeanSquaredError",
    "MeanSquaredLogarithmicError", "Poisson", "SparseCategoricalCrossentropy", "SquaredHinge", "deserialize", "get", "serialize",
]  # fmt: skip
