"""Functions whose first two parameters stood the other way round before TensorFlow 1.0. No state."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any


def turned(function: Callable[..., Any], name: str) -> Callable[..., Any]:
    """The function with its first two parameters the other way round."""
    first, second, *rest = inspect.signature(function).parameters.values()

    @functools.wraps(function)
    def swapped(*args: Any, **kwargs: Any) -> Any:
        kwargs.update(zip((second.name, first.name), args, strict=False))
        return function(kwargs.pop(first.name, None), kwargs.pop(second.name, None), *args[2:], **kwargs)

    swapped.__name__ = swapped.__qualname__ = name
    vars(swapped)["__signature__"] = inspect.Signature([second, first, *rest])
    return swapped
