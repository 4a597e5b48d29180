"""`cond` and `case` that choose in Python where the predicate is known: `tf.contrib.framework.smart_cond`. No state."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...base.errors import error_text
from ...graph.nodes import Tensor
from ...op.infer import constant_value
from .case import chosen
from .cond import cond


def smart_cond(
    pred: Any,
    true_fn: Callable[[], Any] | None = None,
    false_fn: Callable[[], Any] | None = None,
    name: str | None = None,
) -> Any:
    """What `true_fn()` or `false_fn()` gives; a `cond` of both only where the predicate is not known by now.

    Raises: TypeError for what is not callable, and for a predicate that is neither bool, 1, 0 nor a tensor.
    """
    if not callable(true_fn):
        raise TypeError(error_text("`true_fn` must be callable."))
    if not callable(false_fn):
        raise TypeError(error_text("`false_fn` must be callable."))
    known = smart_constant_value(pred)
    if known is None:
        return cond(pred, true_fn=true_fn, false_fn=false_fn, name=name)
    return true_fn() if known else false_fn()


def smart_constant_value(pred: Any) -> Any:
    """The predicate's value, or None where only a run will tell.

    Raises: TypeError for a predicate that is neither bool, 1, 0 nor a tensor.
    """
    if isinstance(pred, Tensor):
        return constant_value(pred)
    if isinstance(pred, (bool, int, float)) and pred in (0, 1):
        return bool(pred)
    raise TypeError(
        error_text(f"`pred` must be a Tensor, or a Python bool, or 1 or 0. Found instead: {type(pred)}")
    )


def smart_case(
    pred_fn_pairs: Any, default: Callable[[], Any] | None = None, exclusive: bool = False, name: str = "smart_case"
) -> Any:
    """`case` that leaves out what is known not to be taken; a predicate may be a Python bool."""
    return chosen(smart_cond, pred_fn_pairs, default, exclusive, name, with_python_preds=True)

