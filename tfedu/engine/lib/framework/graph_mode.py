"""Which TensorFlow this is: graph mode of 1.x, always. Functions that turn it on do nothing; those that turn it off
raise.
"""

from __future__ import annotations

from typing import NoReturn

from ...base.errors import error_text


def executing_eagerly() -> bool:
    """False: operations are nodes of a graph, and a session runs them."""
    return False


def disable_v2_behavior() -> None:
    """Nothing: there is none to disable."""


def disable_eager_execution() -> None:
    """Nothing: there is none to disable."""


def enable_eager_execution(config: object = None, device_policy: object = None, execution_mode: object = None) -> NoReturn:
    """Raises: RuntimeError, always: tfedu has graphs alone."""
    _refuse("eager execution cannot be enabled")


def executing_eagerly_outside_functions() -> bool:
    """False: nothing is eager here."""
    return False


def disable_control_flow_v2() -> None:
    """Nothing: there is none to disable."""


def control_flow_v2_enabled() -> bool:
    """False: cond builds Switch and Merge, while_loop builds Enter, Exit, NextIteration and LoopCond."""
    return False


def disable_tensor_equality() -> None:
    """Nothing: tensors are compared by identity."""


def disable_v2_tensorshape() -> None:
    """Nothing: a shape consists of Dimensions."""


def _refuse(refusal: str) -> NoReturn:
    raise RuntimeError(error_text(f"tfedu has TensorFlow's graph mode of 1.x alone: {refusal}."))


def enable_v2_behavior() -> NoReturn:
    """Raises: RuntimeError, always: tfedu builds the graphs of 1.x."""
    _refuse("the behavior of 2.x cannot be enabled")


def enable_control_flow_v2() -> NoReturn:
    """Raises: RuntimeError, always: branches and loops are built of the nodes of 1.x."""
    _refuse("the control flow of 2.x cannot be enabled")


def enable_tensor_equality() -> NoReturn:
    """Raises: RuntimeError, always: `==` of tensors is identity in 1.x."""
    _refuse("tensors are compared by identity, and this cannot be changed")


def enable_v2_tensorshape() -> NoReturn:
    """Raises: RuntimeError, always: shapes consist of Dimensions in 1.x."""
    _refuse("shapes consist of Dimensions, and this cannot be changed")


def function(*args: object, **kwargs: object) -> NoReturn:
    """Raises: RuntimeError, always: graphs of 1.x have no tf.function."""
    _refuse("tf.function belongs to 2.x; build the nodes in a plain Python function and run them in a tf.Session")


__all__ = [
    "control_flow_v2_enabled", "disable_control_flow_v2", "disable_eager_execution",
    "disable_tensor_equality", "disable_v2_behavior", "disable_v2_tensorshape",
    "enable_control_flow_v2", "enable_eager_execution", "enable_tensor_equality",
    "enable_v2_behavior", "enable_v2_tensorshape", "executing_eagerly",
    "executing_eagerly_outside_functions", "function",
]
