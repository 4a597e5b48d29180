"""`case([(pred, fn), …], default)`: the first function whose predicate holds, built of nested `cond`s. No state."""

from __future__ import annotations

import functools
from collections import OrderedDict
from collections.abc import Callable, Sequence
from typing import Any

from ...base import dtypes, log
from ...base.errors import error_text
from ...graph.atomic import atomic
from ...graph.nodes import Operation, Tensor
from ...op.constant import constant
from ..arrays.array import stack
from ..checks.asserts import Assert
from ..framework.scope_blocks import named, waiting_for
from ..math import math, reductions
from .cond import cond

Functions = Sequence[Callable[[], Any]]


@atomic
def case(
    pred_fn_pairs: Any,
    default: Callable[[], Any] | None = None,
    exclusive: bool = False,
    strict: bool = False,
    name: str = "case",
) -> Any:
    """The result of the function of the first predicate (a bool scalar) that holds, else the result of `default()`.

    pred_fn_pairs: a list of pairs, or a dictionary. exclusive: a run fails when several predicates hold; without a
    default it fails when none does. strict: a list of one tensor is returned as a list.

    Raises: TypeError unless each item is a pair of a bool tensor and a function.
    """
    return case_of(functools.partial(cond, strict=strict), pred_fn_pairs, default, exclusive, name)


@atomic
def switch_case(
    branch_index: Any, branch_fns: Any, default: Callable[[], Any] | None = None, name: str = "switch_case"
) -> Any:
    """The result of the function at branch_index, an integer scalar; for any other number that of `default()` or the
    last function.

    branch_fns: a list of functions, or pairs or a dictionary of numbers (0, 1, …) and functions.

    Raises: TypeError for an index that is not an integer tensor or an item that is not callable, ValueError for
    missing numbers.

    Differs from TF: the choice is built of nested `cond`s; 1.15 builds a node that calls functions.
    """
    functions = _functions_by_number(branch_index, branch_fns)
    chain = functions.pop() if default is None else default
    with named(name, "case", [branch_index]):
        for number, function in reversed(list(enumerate(functions))):
            chain = functools.partial(_cond_on_number, branch_index, number, function, chain)
        return chain()


def _cond_on_number(index: Tensor, number: int, function: Callable[[], Any], other: Callable[[], Any]) -> Any:
    return cond(math.equal(index, number), function, other, strict=True)


def _functions_by_number(branch_index: Any, branch_fns: Any) -> list[Callable[[], Any]]:
    """The functions in the order of their numbers."""
    if not isinstance(branch_index, Tensor):
        raise TypeError(error_text(f"branch_index must a Tensor, got {type(branch_index)}"))
    if not branch_index.dtype.is_integer:
        raise TypeError(
            error_text(f"branch_index must an integer Tensor, got {branch_index.dtype}", [branch_index])
        )
    if not branch_fns:
        raise ValueError(error_text("Must provide at least one item in branch_fns"))
    if not isinstance(branch_fns, (list, tuple, dict)):
        raise TypeError(error_text("branch_fns must be a list, tuple, or dict"))
    pairs = list(branch_fns.items() if isinstance(branch_fns, dict) else branch_fns)
    if all(callable(function) for function in pairs):
        return pairs
    for pair in pairs:
        if not isinstance(pair, tuple) or len(pair) != 2:
            raise TypeError(error_text("Each entry in branch_fns must be a 2-tuple"))
        if not isinstance(pair[0], int):
            raise TypeError(error_text(f"key must be a Python `int`, got {type(pair[0])}"))
        if not callable(pair[1]):
            raise TypeError(error_text(f"fn for key {pair[0]} must be callable."))
    numbers = sorted(number for number, _ in pairs)
    if numbers != list(range(len(pairs))):
        listed = ",".join(map(str, numbers))
        raise ValueError(
            error_text(f"branch indices (keys) must form contiguous range of [0 to {len(pairs)}) but found {{{listed}}}")
        )
    return [function for _, function in sorted(pairs, key=lambda pair: pair[0])]


def case_of(
    branch: Callable[..., Any],
    pred_fn_pairs: Any,
    default: Callable[[], Any] | None,
    exclusive: bool,
    name: str,
    with_python_preds: bool = False,
) -> Any:
    """`case` built of `branch(pred, true_fn=…, false_fn=…)`. with_python_preds: a predicate may be a Python bool."""
    preds, functions = _pairs(pred_fn_pairs, exclusive, name, with_python_preds)
    with named(name, "case", [pred for pred in preds if isinstance(pred, Tensor)]):
        if default is None:
            default, preds, functions = _with_last_as_default(preds, functions)
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
        raise TypeError(error_text("fns must be a list, tuple, or dict"))
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
            raise TypeError(error_text("Each entry in pred_fn_pairs must be a 2-tuple"))
        pred, function = pair
        if isinstance(pred, Tensor):
            if pred.dtype is not dtypes.bool:
                raise TypeError(error_text(f"pred must be Tensor of type bool: {pred.name}", [pred]))
        elif not with_python_preds:
            raise TypeError(error_text(f"pred must be a Tensor, got: {pred}"))
        elif not isinstance(pred, bool):
            raise TypeError(error_text(f"pred must be a Tensor or bool, got: {pred}"))
        if not callable(function):
            raise TypeError(error_text(f"fn for pred {getattr(pred, 'name', pred)} must be callable."))
    if not pred_fn_pairs:
        raise ValueError(
            error_text("not enough values to unpack (expected 2, got 0)", fix="pass at least one (predicate, function) pair")
        )
    preds, functions = zip(*pred_fn_pairs)
    return preds, functions


def _with_last_as_default(preds: Sequence[Any], functions: Functions) -> tuple[Callable[[], Any], Sequence[Any], Functions]:
    """A default that calls the last function after a check of its predicate; the other predicates; the other
    functions.
    """
    last = len(preds) - 1

    def default() -> Any:
        none_data = ("Input error: None of conditions evaluated as True:", stack(preds, name="preds_c"))
        others_text = (
            f"Implementation error: selected default action #{last} was called, but some of other predicates are True: "
        )
        with waiting_for([_assert_at_most(preds[:last], 0, others_text), Assert(preds[last], none_data)]):
            return functions[last]()

    return default, preds[:last], functions[:last]


def _assert_at_most(preds: Sequence[Any], count: int, text: str) -> Operation:
    """An operation that fails in runs where more than `count` of the predicates hold."""
    stacked = stack(preds, name="preds_c")
    count_true = reductions.reduce_sum(math.cast(stacked, dtypes.int32), name="num_true_conds")
    is_within = math.less_equal(count_true, constant(count, name="n_true_conds"))
    names = ", ".join(getattr(pred, "name", "?") for pred in preds)
    return Assert(
        is_within, [f"{text}: more than {count} conditions ({names}) evaluated as True:", stacked], summarize=len(preds)
    )


__all__ = ["case", "switch_case"]
