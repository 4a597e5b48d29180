"""Switch and Merge, which make a part of the graph live and the rest dead; Assert and Print, which are run for their effect.

`Switch(data, pred)` gives its data on one output and DEAD on the other; `Merge` takes what is alive.
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

from ..base import dtypes, errors, shapes
from ..base.dead import DEAD
from ..base.shapes import Shape, ShapeMismatch
from .define import Each, Many, Ref, Sym, op, typevar
from .summaries import summary

T = typevar("T")


def _chosen(data: Any, pred: Any) -> tuple[Any, Any]:
    if np.ndim(pred):
        raise errors.InvalidArgumentError(
            None, None, f"The second input must be a scalar, but it has shape {shapes.fmt(np.shape(pred))}"
        )
    return (DEAD, data) if pred else (data, DEAD)


def _both(data: Sym, pred: Sym) -> list[Shape]:
    if pred.shape is not None and pred.shape != ():
        raise ShapeMismatch(f"Shape must be rank 0 but is rank {len(pred.shape)}")
    return [data.shape, data.shape]


@op("Switch", out="output_false output_true", aliases="data", shape=_both)
def switch(xp: Any, data: T, pred: dtypes.bool) -> tuple[T, T]:
    """The data on the output that `pred` names; the other output is dead."""
    return _chosen(data, pred)


@op("RefSwitch", out="output_false output_true", aliases="data", shape=_both, allows_uninitialized=True)
def ref_switch(xp: Any, data: Ref[T], pred: dtypes.bool) -> tuple[Ref[T], Ref[T]]:
    """The variable on the output that `pred` names; the other output is dead."""
    return _chosen(data, pred)


def _alive(inputs: list[Any]) -> tuple[Any, Any]:
    for index, value in enumerate(inputs):
        if value is not DEAD:
            return value, np.int32(index)
    return DEAD, DEAD


def _common(inputs: list[Sym]) -> list[Shape]:
    """What holds for every input's shape: a size in which they differ is open."""
    common = inputs[0].shape
    for sym in inputs[1:]:
        if common is None or sym.shape is None or len(sym.shape) != len(common):
            common = None
            break
        common = tuple(a if a == b else None for a, b in zip(common, sym.shape))
    return [common, ()]


@op("Merge", out="output value_index", aliases="inputs", shape=_common)
def merge(xp: Any, inputs: Many[T]) -> tuple[T, dtypes.int32]:
    """The live input, and which one it is."""
    return _alive(inputs)


@op("RefMerge", out="output value_index", aliases="inputs", shape=_common)
def ref_merge(xp: Any, inputs: Many[Ref[T]]) -> tuple[Ref[T], dtypes.int32]:
    """The live variable, and which one it is."""
    return _alive(inputs)


# -- run for their effect ---------------------------------------------------------------------------------------------


@op("Assert", stateful=True)
def assert_(run: Any, condition: dtypes.bool, data: Each["T"], *, summarize: int = 3) -> None:
    """Fails with the data in its message unless the condition holds."""
    if np.ndim(condition):
        raise errors.InvalidArgumentError(
            None, None, f"In[0] should be a scalar: {shapes.fmt(np.shape(condition))}"
        )
    if not condition:
        shown = " ".join(f"[{summary(value, summarize)}]" for value in data)
        raise errors.InvalidArgumentError(None, None, f"assertion failed: {shown}")
    return ()  # type: ignore[return-value]


class _Calls:
    """How often a Print node of a session has printed."""

    def __init__(self, count: int = 0) -> None:
        self.count = count

    def copy(self) -> _Calls:
        return _Calls(self.count)


@op("Print", aliases="input", shape=lambda input, data, **_: input.shape, stateful=True)
def print_(
    run: Any, input: T, data: Each["U", 0], *, message: str = "", first_n: int = -1, summarize: int = 3  # noqa: F821
) -> T:
    """The input itself; writes the message and the data to standard error, the first `first_n` times."""
    calls = run.generator(_Calls)
    if first_n < 0 or calls.count < first_n:
        calls.count += 1
        shown = "".join(f"[{summary(value, summarize)}]" for value in data)
        print(f"{message}{shown}", file=sys.stderr, flush=True)
    return input
