"""Functions that build one layer and call it: `conv2d = layer_function(Conv2D, "conv2d")` has the signature of tf.layers.conv2d.

No state.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any, TypeVar

from ...base.errors import error_text
from ...graph.atomic import atomic
from .layer import Layer

L = TypeVar("L", bound=type[Layer])


def with_defaults(**defaults: Any) -> Callable[[L], L]:
    """A decorator of a class: its signature tells these defaults, which mean the same as those of its base class."""

    def decorate(kind: L) -> L:
        signature = inspect.signature(kind)
        told = [p.replace(default=defaults.get(p.name, p.default)) for p in signature.parameters.values()]
        kind.__signature__ = signature.replace(parameters=told)  # type: ignore[attr-defined]
        return kind

    return decorate


def layer_function(kind: type[Layer], name: str, shares: bool = True) -> Callable[..., Any]:
    """The function `name(inputs, …)` with the arguments of the class, which calls a new layer on the inputs.

    shares: whether it has an argument `reuse`, and shares the variables of an earlier layer of its name.
    """
    parameters = [p for p in inspect.signature(kind).parameters.values() if p.kind is not p.VAR_KEYWORD]
    inputs = inspect.Parameter("inputs", inspect.Parameter.POSITIONAL_OR_KEYWORD)
    reuse = [inspect.Parameter("reuse", inspect.Parameter.POSITIONAL_OR_KEYWORD, default=None)] if shares else []
    signature = inspect.Signature([inputs, *parameters, *reuse])

    @atomic
    def function(*args: Any, **kwargs: Any) -> Any:
        try:
            arguments = signature.bind(*args, **kwargs).arguments
        except TypeError as error:
            raise TypeError(error_text(f"{name}() {error}")) from None
        values = arguments.pop("inputs")
        if shares:
            arguments["_reuse"], arguments["_scope"] = arguments.pop("reuse", None), arguments.get("name")
        return kind(**arguments).apply(values)

    function.__name__ = function.__qualname__ = name
    function.__module__ = kind.__module__
    function.__doc__ = inspect.getdoc(kind)
    function.__signature__ = signature  # type: ignore[attr-defined]
    return function
