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


def of_tf_layers(*left_out: str, **defaults: Any) -> Callable[[L], L]:
    """A decorator of a class over a Keras layer and `Layer`: gives it the constructor of tf.layers.

    Its parameters are those of the Keras layer without the ones left out, with these defaults (`...` for none), then name.
    """

    def decorate(kind: L) -> L:
        keyword = inspect.Parameter.POSITIONAL_OR_KEYWORD
        told = inspect.signature(kind.__mro__[1]).parameters
        parameters = [p for name, p in told.items() if p.kind is keyword and name not in left_out]
        for name, default in defaults.items():
            if name not in told:
                parameters.append(inspect.Parameter(name, keyword, default=default))
        parameters = [
            p.replace(default=p.empty if defaults.get(p.name) is ... else defaults.get(p.name, p.default)) for p in parameters
        ]
        if "name" not in told:
            parameters.append(inspect.Parameter("name", keyword, default=None))
        rest = inspect.Parameter("kwargs", inspect.Parameter.VAR_KEYWORD)
        signature = inspect.Signature([*parameters, rest])

        def __init__(self: Any, *args: Any, **kwargs: Any) -> None:
            try:
                bound = signature.bind(*args, **kwargs)
            except TypeError as error:
                raise TypeError(error_text(f"__init__() {error}")) from None
            bound.apply_defaults()
            arguments = dict(bound.arguments)
            others = arguments.pop("kwargs")
            for name, default in defaults.items():
                # Keras takes None for its own default; a layer of tf.layers has none.
                if default is ... and told[name].default is None and arguments[name] is None:
                    raise ValueError(error_text(f"Argument `{name}` must not be None."))
            super(kind, self).__init__(**arguments, **others)

        kind.__init__ = __init__  # type: ignore[method-assign]
        kind.__signature__ = signature  # type: ignore[attr-defined]
        kind.__doc__ = kind.__doc__ or inspect.getdoc(kind.__mro__[1])
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
