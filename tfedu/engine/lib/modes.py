"""Which TensorFlow this is: always the graph mode of 1.x. What turns that on does nothing, what would turn it off is refused."""

from __future__ import annotations

from typing import NoReturn


def executing_eagerly() -> bool:
    """False: operations are nodes of a graph, and a session runs them."""
    return False


def disable_v2_behavior() -> None:
    """Nothing: there is none to disable."""


def disable_eager_execution() -> None:
    """Nothing: there is none to disable."""


def enable_eager_execution(config: object = None, device_policy: object = None, execution_mode: object = None) -> NoReturn:
    """Raises: RuntimeError, for tfedu shows graphs."""
    raise RuntimeError("tfedu has TensorFlow's graph mode alone: eager execution cannot be enabled.")


__all__ = ["disable_eager_execution", "disable_v2_behavior", "enable_eager_execution", "executing_eagerly"]
