"""tf.raw_ops.*: every op by its type, its inputs and attributes by keyword: `tf.raw_ops.Add(x=a, y=b)`. No state but a cache."""

from __future__ import annotations

from typing import Any

from .engine.op.definition import REGISTRY as _REGISTRY
from .engine.op.raw import raw as _raw


def __getattr__(name: str) -> Any:
    return _raw(name)


def __dir__() -> list[str]:
    return sorted(_REGISTRY.whole())
