"""`tf.nn.ctc_loss_v2`: connectionist temporal classification for dense labels, as nodes with a gradient of their own. No state.

The places of a path are [n, places]: a start, a blank, the first label, a blank, the second label, … At each time step a path
stays, goes on to the next place, or passes over a blank between different labels. log of a probability that is zero in theory
is `_NEVER` in TF, so that a row with too many labels has a large loss, not an infinite one.
Source: Graves et al., "Connectionist temporal classification" (2006).
"""

from __future__ import annotations

import math as numbers
from collections.abc import Callable
from typing import Any, Final

import numpy as np

from ..autodiff.custom import custom_gradient
from ..base import dtypes
from ..base.errors import error_text
from ..graph.atomic import atomic
from ..graph.conversion import convert_to_tensor
from ..graph.nodes import Tensor
from ..lib.arrays import array, constructors, selection
from ..lib.control.functional import scan
from ..lib.framework.scope_blocks import named
from ..lib.math import math, products, reductions
from ..lib.nn import activations
from ..lib.nn.ctc import loss_with_blank
from ..op.callers import nodes
from ..op.composites import SparseTensor

_NEVER: Final = numbers.log(1e-307)


@atomic
def ctc_loss_v2(
    labels: Any,
    logits: Any,
    label_length: Any,
    logit_length: Any,
    logits_time_major: bool = True,
    unique: Any = None,
    blank_index: int | None = None,
    name: str | None = None,
) -> Tensor:
    """-log of the probability of each row's labels, summed over all ways to spread them over the time steps: labels
    [n, longest], logits [time, n, classes] ([n, time, classes] where logits_time_major is false), lengths [n] -> [n].

    labels: sparse labels need blank_index and ignore label_length and name. blank_index: default 0; below 0 from the end.
    unique: what `ctc_unique_labels` returned; unused, for it does not change the loss.

    Raises: ValueError for sparse labels without blank_index.
    Differs from TF: dense labels may go with logits of any float type. Labels of width 0 are counted once (TF: twice).
    """
    if isinstance(labels, SparseTensor):
        if blank_index is None:
            raise ValueError(error_text("blank_index must be given when using SparseTensor labels."))
        return loss_with_blank(labels, logits, logit_length, logits_time_major, blank_index)
    with named(name, "ctc_loss_dense", [logits, labels, label_length, logit_length]):
        logits = convert_to_tensor(logits, name="logits")
        labels = convert_to_tensor(labels, name="labels")
        label_length = convert_to_tensor(label_length, name="label_length")
        logit_length = convert_to_tensor(logit_length, name="logit_length")
        if not logits_time_major:
            logits = array.transpose(logits, perm=[1, 0, 2])
        blank = blank_index or 0
        if blank < 0:
            blank += array.size_along(logits, 2)

        @custom_gradient
        def loss_of(logits: Tensor) -> tuple[Tensor, Callable[[Tensor], Tensor]]:
            loss, gradient = _loss_and_gradient(labels, logits, label_length, logit_length, blank)
            return loss, lambda g: array.reshape(g, [1, -1, 1]) * gradient

        return loss_of(logits)  # type: ignore[no-any-return]


def _loss_and_gradient(labels: Tensor, logits: Tensor, label_length: Tensor, logit_length: Tensor, blank: Any) -> tuple[Any, Any]:
    """The loss [n], and its gradient for the logits [time, n, classes]: softmax less the share of the paths in each class."""
    steps, classes = array.size_along(logits, 0), array.size_along(logits, 2)
    places, may_pass = _places(labels, blank)
    class_of_place = constructors.one_hot(places, classes, dtype=logits.dtype)  # [n, places, classes]; none for the start
    number = array.size_along(places, 1)

    def choice(index: Any, chosen: float, others: float) -> Tensor:
        kind = logits.dtype.as_numpy_dtype
        return constructors.one_hot(index, number, kind(chosen), kind(others), dtype=logits.dtype)

    first = choice(array.zeros_like(label_length), 0.0, _NEVER)
    last = math.maximum(choice(2 * label_length, 0.0, _NEVER), choice(2 * label_length + 1, 0.0, _NEVER))
    logs = array.transpose(activations.log_softmax(logits), [1, 0, 2])
    at_places = array.transpose(products.matmul(logs, class_of_place, transpose_b=True), [1, 0, 2])
    at_places += choice(0, -np.inf, 0.0)  # a path leaves the start at once
    is_run = array.transpose(constructors.sequence_mask(logit_length, steps))
    log_pass = math.log(math.cast(may_pass, logits.dtype))

    def ahead(before: Tensor, at_place: Tensor) -> Tensor:
        ways = [before, _moved(before, 1), _moved(before, 2) + log_pass]
        return _shares(reductions.reduce_logsumexp(ways, 0) + at_place)[0]

    def back(after: tuple[Tensor, Tensor], step: tuple[Tensor, Tensor]) -> tuple[Tensor, Tensor]:
        (logs, total), (at_place, is_run) = after, step
        there = logs + at_place
        ways = [there, _moved(there, -1), _moved(there + log_pass, -2)]
        now, sum_now = _shares(reductions.reduce_logsumexp(ways, 0))
        return selection.where(is_run, now, logs), selection.where(is_run, total + sum_now, total)

    forward = scan(ahead, at_places, first)
    no_total = array.zeros_like(last[:, 0])
    backward, totals = scan(back, (at_places, is_run), (last, no_total), reverse=True)
    backward, totals = array.concat([backward, [last]], 0), array.concat([totals, [no_total]], 0)
    # Over all places at a time step the shares are 1 together, so what `_shares` took off does not matter.
    share = activations.softmax(forward + backward[1:])
    shares = array.transpose(products.matmul(array.transpose(share, [1, 0, 2]), class_of_place), [1, 0, 2])
    shares *= math.cast(array.expand_dims(is_run, 2), logits.dtype)
    gradient = nodes.PreventGradient(activations.softmax(logits) - shares, message="ctc_loss_v2 has no second derivative")
    loss = -(backward[0, :, 0] + totals[0])
    loss.set_shape([None])
    return loss, gradient


def _shares(logs: Tensor) -> tuple[Tensor, Tensor]:
    """logs [n, places] less log of their sum, so that many time steps lose no precision; and that [n]."""
    total = reductions.reduce_logsumexp(logs, 1)
    return logs - array.expand_dims(total, 1), total


def _places(labels: Tensor, blank: Any) -> tuple[Tensor, Tensor]:
    """The class of each place, none (-1) for the start, and whether a path may come from two places before: [n, places]."""
    none = array.fill([array.size_along(labels, 0), 1], labels.dtype.as_numpy_dtype(-1))
    blank = math.cast(blank, labels.dtype)
    places = array.concat([none, array.zeros_like(none) + blank, _in_turn(labels, array.zeros_like(labels) + blank)], 1)
    differs = math.not_equal(labels, array.concat([none, labels], 1)[:, :-1])
    no = array.zeros_like(none, dtypes.bool)
    return places, array.concat([no, no, _in_turn(differs, array.zeros_like(differs))], 1)


def _in_turn(x: Tensor, y: Tensor) -> Tensor:
    """x [n, k] and y [n, k] -> [n, 2 k], an entry of each in turn."""
    return array.reshape(array.stack([x, y], 2), [array.size_along(x, 0), 2 * array.size_along(x, 1)])


def _moved(logs: Tensor, by: int) -> Tensor:
    """logs [n, places] moved to later places; log 0 comes in."""
    log_0 = logs.dtype.as_numpy_dtype(-np.inf)
    if by > 0:
        return array.pad(logs[:, :-by], [[0, 0], [by, 0]], constant_values=log_0)
    return array.pad(logs[:, -by:], [[0, 0], [0, -by]], constant_values=log_0)


__all__ = ["ctc_loss_v2"]
