"""`KerasClassifier` and `KerasRegressor`: Keras models with the methods that scikit-learn calls. scikit-learn is not needed.

An estimator makes its model anew in each `fit`, so that cross validation and grid search begin from new weights.
"""

from __future__ import annotations

import copy
import importlib
import inspect
import types
from collections.abc import Callable, Mapping
from typing import Any, Final

import numpy as np

from ...base.errors import error_text
from ..keras_data.arrays_of_labels import to_categorical
from ..keras_parts.loss_objects import CategoricalCrossentropy
from .sequential import Sequential

_OF_LOSS: Final = "categorical_crossentropy"


class _Estimator:
    """What the estimators share. build_fn: a function, or an object with `__call__`, that returns a compiled model; None is a
    `__call__` of a subclass. sk_params: arguments of build_fn and of the model's fit, predict, predict_classes and evaluate.
    """

    model: Any

    def __init__(self, build_fn: Any = None, **sk_params: Any) -> None:
        self.build_fn = build_fn
        self.sk_params = sk_params
        self.check_params(sk_params)

    def _builder(self) -> tuple[Any, Any]:
        """(the callable that makes the model, the function whose parameters it takes)."""
        if self.build_fn is None:
            return self, self.__call__  # type: ignore[operator]
        if isinstance(self.build_fn, (types.FunctionType, types.MethodType)):
            return self.build_fn, self.build_fn
        return self.build_fn, self.build_fn.__call__

    def check_params(self, params: Mapping[str, Any]) -> None:
        """Raises: ValueError for a parameter that neither build_fn nor the model's methods take."""
        takers = [Sequential.fit, Sequential.predict, Sequential.predict_classes, Sequential.evaluate, self._builder()[1]]
        for name in params:
            if name != "nb_epoch" and not any(_takes(function, name) for function in takers):
                raise ValueError(error_text(f"{name} is not a legal parameter"))

    def get_params(self, **params: Any) -> dict[str, Any]:
        """The parameters by name, with build_fn. params: ignored."""
        return {**copy.deepcopy(self.sk_params), "build_fn": self.build_fn}

    def set_params(self, **params: Any) -> Any:
        """Changes parameters. Returns: the estimator. Raises: ValueError, as check_params."""
        self.check_params(params)
        self.sk_params.update(params)
        return self

    def filter_sk_params(self, fn: Callable[..., Any], override: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """The parameters that a function takes; those of override replace them or are added."""
        return {name: value for name, value in self.sk_params.items() if _takes(fn, name)} | dict(override or {})

    def fit(self, x: Any, y: Any, **kwargs: Any) -> Any:
        """Makes a model and trains it. kwargs: arguments of the model's fit. Returns: the history."""
        build, function = self._builder()
        self.model = build(**self.filter_sk_params(function))
        if _is_categorical(self.model.loss) and len(y.shape) != 2:
            y = to_categorical(y)
        return self.model.fit(x, y, **copy.deepcopy(self.filter_sk_params(Sequential.fit)) | kwargs)

    def __sklearn_tags__(self) -> Any:
        """What scikit-learn since 1.6 asks of an estimator; as in 1.15, it is neither a classifier nor a regressor to it."""
        utils = importlib.import_module("sklearn.utils")
        return utils.Tags(estimator_type=None, target_tags=utils.TargetTags(required=True))


class KerasClassifier(_Estimator):
    """A classifier of scikit-learn's kind, made of a Keras model. Attributes after fit: classes_, n_classes_, model."""

    classes_: Any
    n_classes_: int

    def fit(self, x: Any, y: Any, **kwargs: Any) -> Any:
        """Makes a model and trains it on labels of any values, or on one-hot rows. Raises: ValueError for another shape of y."""
        y = np.array(y)
        if y.ndim == 2 and y.shape[1] > 1:
            self.classes_ = np.arange(y.shape[1])
        elif y.ndim in (1, 2) and (y.ndim == 1 or y.shape[1] == 1):
            self.classes_ = np.unique(y)
            y = np.searchsorted(self.classes_, y)
        else:
            raise ValueError(error_text(f"Invalid shape for y: {y.shape}"))
        self.n_classes_ = len(self.classes_)
        return super().fit(x, y, **kwargs)

    def predict(self, x: Any, **kwargs: Any) -> Any:
        """The class of each sample. kwargs: arguments of the model's predict_classes."""
        found = self.model.predict_classes(x, **self.filter_sk_params(Sequential.predict_classes, kwargs))
        return self.classes_[found]

    def predict_proba(self, x: Any, **kwargs: Any) -> Any:
        """The probability of each class, [samples, classes]; two columns for a model with one output, too."""
        found = self.model.predict_proba(x, **self.filter_sk_params(Sequential.predict_proba, kwargs))
        return np.hstack([1 - found, found]) if found.shape[1] == 1 else found

    def score(self, x: Any, y: Any, **kwargs: Any) -> float:
        """The accuracy. kwargs: arguments of the model's evaluate. Raises: ValueError for a model without this metric."""
        y = np.searchsorted(self.classes_, y)
        kwargs = self.filter_sk_params(Sequential.evaluate, kwargs)
        if getattr(self.model.loss, "__name__", self.model.loss) == _OF_LOSS and y.ndim != 2:
            y = to_categorical(y)
        found = self.model.evaluate(x, y, **kwargs)
        for name, value in zip(self.model.metrics_names, found if isinstance(found, list) else [found]):
            if name in ("accuracy", "acc"):
                return value  # type: ignore[no-any-return]
        raise ValueError(
            error_text(
                'The model is not configured to compute accuracy. You should pass `metrics=["accuracy"]` to the '
                "`model.compile()` method."
            )
        )


class KerasRegressor(_Estimator):
    """A regressor of scikit-learn's kind, made of a Keras model. Attribute after fit: model."""

    def predict(self, x: Any, **kwargs: Any) -> Any:
        """The numbers for each sample. kwargs: arguments of the model's predict."""
        return np.squeeze(self.model.predict(x, **self.filter_sk_params(Sequential.predict, kwargs)))

    def score(self, x: Any, y: Any, **kwargs: Any) -> float:
        """The negative loss. kwargs: arguments of the model's evaluate."""
        found = self.model.evaluate(x, y, **self.filter_sk_params(Sequential.evaluate, kwargs))
        return -found[0] if isinstance(found, list) else -found  # type: ignore[no-any-return]


def _takes(function: Callable[..., Any], name: str) -> bool:
    """Whether a function has a parameter of a name that can be given by keyword."""
    parameter = inspect.signature(function).parameters.get(name)
    return parameter is not None and parameter.kind in (parameter.POSITIONAL_OR_KEYWORD, parameter.KEYWORD_ONLY)


def _is_categorical(loss: Any) -> bool:
    return isinstance(loss, CategoricalCrossentropy) or getattr(loss, "__name__", loss) == _OF_LOSS


__all__ = ["KerasClassifier", "KerasRegressor"]
