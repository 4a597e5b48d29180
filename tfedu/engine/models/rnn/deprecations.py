"""TF 1.15's warnings of cells that Keras replaced. State: `_warned`, the names of which it has warned."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from ...base import log
from ...base import site as sites

_warned: set[str] = set()


def deprecated(name: str, instead: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """A constructor that logs at its first call that Keras has the same class. name: "GRUCell.__init__"."""

    def decorator(constructor: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(constructor)
        def warn_and_construct(*args: Any, **kwargs: Any) -> Any:
            if name not in _warned:
                _warned.add(name)
                line = sites.capture()
                log.warn(
                    "From %s: %s (from tensorflow.python.ops.rnn_cell_impl) is deprecated and will be removed in a future "
                    "version.\nInstructions for updating:\nThis class is equivalent as %s, and will be replaced by that in "
                    "Tensorflow 2.0.",
                    "?" if line is None else sites.describe(line),
                    name,
                    instead,
                )
            return constructor(*args, **kwargs)

        return warn_and_construct

    return decorator
