"""`case([(pred, fn), …], default)`: the first function whose predicate holds, made of one `cond` in another. No state."""

from __future__ import annotations

import functools
from collections import OrderedDict
from collections.abc import Callable, Sequence
from typing import Any

from ..base import dtypes, log
from ..graph.atomic import atomic
from ..graph.nodes import Operation, Tensor
from ..ops.convert import constant
from . import math, reductions
from .array import stack
from .asserts import Assert
from .cond import cond
from .failing import said
from .scope import named, waiting_for

Functions = Sequence[Callable[[], Any]]


@atomic
def case(
    pred_fn_pairs: Any,
    default: Callable[[], Any] | None = None,
    exclusive: bool = False,
    strict: bool = False,
    name: str = "case",
) -> Any:
    """What the function of the first predicate that holds gives, else what `default()` gives.

    pred_fn_pairs: a list of pairs, or a dictionary. exclusive: a run fails when several predicates hold; without a default
    it fails when none does. strict: keep a list of one tensor a list.

    Raises: TypeError for what is no pair of a bool tensor and a function.
    """
    return chosen(functools.partial(cond, strict=strict), pred_fn_pairs, default, exclusive, name)


def chosen(
    branch: Callable[..., Any],
    pred_fn_pairs: Any,
    default: Callable[[], Any] | None,
    exclusive: bool,
    name: str,
    with_python_preds: bool = False,
) -> Any:
    """`case` made of `branch(pred, true_fn=…, false_fn=…)`. with_python_preds: a predicate may be a Python bool."""
    preds, functions = _pairs(pred_fn_pairs, exclusive, name, with_python_preds)
    with named(name, "case", [pred for pred in preds if isinstance(pred, Tensor)]):
        if default is None:
            default, preds, functions = _last_as_default(preds, functions)
        chain = default
        for pred, function in reversed(list(zip(preds, functions))):
            chain = functools.partial(branch, pred, true_fn=function, false_fn=chain)
        if not exclusive:
            return chain()
        with waiting_for([_assert_at_most(preds, 1, "Input error: exclusive=True")]):
            return chain()


def _pairs(
    pred_fn_pairs: Any, exclusive: bool, name: str, with_python_preds: bool
) -> tuple[Sequence[Any], Functions]:
    if not isinstance(pred_fn_pairs, (list, tuple, dict)):
        raise TypeError(said("fns must be a list, tuple, or dict"))
    if isinstance(pred_fn_pairs, OrderedDict):
        pred_fn_pairs = list(pred_fn_pairs.items())
    elif isinstance(pred_fn_pairs, dict):
        pred_fn_pairs = sorted(pred_fn_pairs.items(), key=lambda pair: pair[0].name)
        if not exclusive:
            log.warn(
                f"{name}: An unordered dictionary of predicate/fn pairs was provided, but exclusive=False. The order of "
                "conditional tests is deterministic but not guaranteed."
            )
    for pair in pred_fn_pairs:
        if not isinstance(pair, tuple) or len(pair) != 2:
            raise TypeError(said("Each entry in pred_fn_pairs must be a 2-tuple"))
        pred, function = pair
        if isinstance(pred, Tensor):
            if pred.dtype is not dtypes.bool:
                raise TypeError(said(f"pred must be Tensor of type bool: {pred.name}", [pred]))
        elif not with_python_preds:
            raise TypeError(said(f"pred must be a Tensor, got: {pred}"))
        elif not isinstance(pred, bool):
            raise TypeError(said(f"pred must be a Tensor or bool, got: {pred}"))
        if not callable(function):
            raise TypeError(said(f"fn for pred {getattr(pred, 'name', pred)} must be callable."))
    if not pred_fn_pairs:
        raise ValueError(said("not enough values to unpack (expected 2, got 0)", fix="give one pair of predicate and function"))
    preds, functions = zip(*pred_fn_pairs)
    return preds, functions


def _last_as_default(preds: Sequence[Any], functions: Functions) -> tuple[Callable[[], Any], Sequence[Any], Functions]:
    """The last function as the default, which first checks that its own predicate holds; and the others."""
    last = len(preds) - 1

    def default() -> Any:
        none = ("Input error: None of conditions evaluated as True:", stack(preds, name="preds_c"))
        others = (
            f"Implementation error: selected default action #{last} was called, but some of other predicates are True: "
        )
        with waiting_for([_assert_at_most(preds[:last], 0, others), Assert(preds[last], none)]):
            return functions[last]()

    return default, preds[:last], functions[:last]


def _assert_at_most(preds: Sequence[Any], count: int, text: str) -> Operation:
    """An operation that fails when more than `count` of the predicates hold."""
    together = stack(preds, name="preds_c")
    holding = reductions.reduce_sum(math.cast(together, dtypes.int32), name="num_true_conds")
    few = math.less_equal(holding, constant(count, name="n_true_conds"))
    names = ", ".join(getattr(pred, "name", "?") for pred in preds)
    return Assert(
        few, [f"{text}: more than {count} conditions ({names}) evaluated as True:", together], summarize=len(preds)
    )


__all__ = ["case"]
