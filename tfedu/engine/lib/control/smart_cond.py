"""`cond` and `case` that choose in Python where the predicate is known: `tf.contrib.framework.smart_cond`. No state."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...base.errors import error_text
from ...graph.nodes import Tensor
from ...op.infer import constant_value
from .case import case_of
from .cond import cond


def smart_cond(
    pred: Any,
    true_fn: Callable[[], Any] | None = None,
    false_fn: Callable[[], Any] | None = None,
    name: str | None = None,
) -> Any:
    """The result of `true_fn()` or `false_fn()`; a `cond` of both only where `pred`, a bool scalar, is not known
    statically.

    Raises: TypeError for a function that is not callable, and for a predicate that is not a bool, 1, 0 or a tensor.
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
    """The predicate's value, or None where `pred`, a bool scalar tensor, is not known statically.

    Raises: TypeError for a predicate that is not a bool, 1, 0 or a tensor.
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
    """`case` without the pairs that are known not to be selected; a predicate may be a Python bool or a bool scalar.

    Raises: TypeError unless each item is a pair of a predicate and a function.
    """
    return case_of(smart_cond, pred_fn_pairs, default, exclusive, name, with_python_preds=True)

