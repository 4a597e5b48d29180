"""The rows of the op table on a GPU: `kernels()` runs every kernel that a GPU has, `sessions(until)` every row in a session, and
`generated()` the kernels that tfedu writes in CUDA C (gpu_generated.py).

All return what passed and what failed. The kernels are compared with NumPy in float64 where the inputs are float32, the
sessions with a session that has no GPU. CuPy compiles each kernel when it is first needed, a tenth of a second each, so several
processes divide the rows; they are forked, and the parent must not have called CUDA before. tools/gpu.py calls both.
State: `_work`, what the forked processes find.
"""

from __future__ import annotations

import collections
import logging
import multiprocessing
import os
import pathlib
import sys
import time
import warnings
from collections.abc import Callable
from typing import Any

CLONE = pathlib.Path(__file__).resolve().parents[1]
sys.path[:0] = [str(CLONE), *[str(CLONE / "tests" / room) for room in ("ops", "semantics", "backends")]]

import numpy as np

_MOST = 120  # calls of one type
# Their results depend on the dtype itself: its neighbours and its extremes.
_OF_THEIR_DTYPE = ("NextAfter", "Rint", "Cast", "UnsortedSegmentMax", "UnsortedSegmentMin", "Dilation2D", "MaxPool", "MaxPool3D")
_work: dict[str, Any] = {}


def _divided(work: Callable[[int, int], Any]) -> list[Any]:
    """`work(part, parts)` in as many processes as there are processors, twelve at most."""
    parts = min(os.cpu_count() or 1, 12)
    with multiprocessing.get_context("fork").Pool(parts) as pool:
        return pool.starmap(work, [(part, parts) for part in range(parts)], chunksize=1)


# -- kernels ---------------------------------------------------------------------------------------------------------


def _reference(call: Any) -> list[Any]:
    """What NumPy gives in float64, in the dtypes of the call; what it gave in float32 where an attribute names the dtype."""
    import kernel_calls

    values = [np.asarray(v) for v in call.values]
    named = any(hasattr(a, "as_datatype_enum") for a in call.attrs.values())
    if named or call.type in _OF_THEIR_DTYPE or all(v.dtype.char != "f" for v in values):
        return list(call.result)
    d = call.op.definition
    wide = [v.astype(np.float64)[()] if v.dtype.char == "f" else v for v in call.values]
    try:
        with np.errstate(all="ignore"):
            flat = kernel_calls.flat_results(d, d.kernel(np, *d.group(call.op, wide), **call.attrs))
            return [np.asarray(w).astype(np.asarray(r).dtype) for w, r in zip(flat, call.result, strict=True)]
    except Exception:  # a kernel that takes float32 alone
        return list(call.result)


def kernels() -> tuple[dict[str, int], dict[str, str], list[str]]:
    """(calls that passed by type, the first failure by type, types of which no call computes on a GPU)."""
    import kernel_calls

    _work["calls"], elsewhere = [], set()
    forms, count = set(), collections.Counter()
    for call in kernel_calls.calls():
        if not kernel_calls.computes_on_gpu(call):
            elsewhere.add(call.type)
            continue
        key = call.type, tuple([(np.asarray(v).dtype.char, np.shape(v)) for v in call.values]), repr(call.attrs)[:200]
        if key not in forms and count[call.type] < _MOST:
            forms.add(key)
            count[call.type] += 1
            _work["calls"].append(call)
    assert len(count) > 100, "hardly a row ran: the sessions of this machine fail"
    passed: dict[str, int] = collections.Counter()
    failed: dict[str, str] = {}
    for some_passed, some_failed in _divided(_some_kernels):
        passed.update(some_passed)
        failed.update(some_failed)
    return dict(passed), failed, sorted(elsewhere - passed.keys() - failed.keys())


def _some_kernels(part: int, parts: int) -> tuple[dict[str, int], dict[str, str]]:
    import cupy
    import kernel_calls

    passed: dict[str, int] = collections.Counter()
    failed: dict[str, str] = {}
    for call in _work["calls"][part::parts]:
        try:
            results = [r.get() if isinstance(r, cupy.ndarray) else r for r in kernel_calls.run_on(cupy, cupy.asarray, call)]
            text = kernel_calls.difference(call, results, _reference(call))
        except Exception as error:
            text = f"{type(error).__name__}: {error}"
        if text:
            failed.setdefault(call.type, f"{call.row}: {text[:300]}")
        else:
            passed[call.type] += 1
    return dict(passed), failed


# -- generated kernels -----------------------------------------------------------------------------------------------


def generated() -> tuple[int, dict[str, str]]:
    """(how many generated kernels gave what NumPy gives, what the others gave)."""
    found = _divided(_some_generated)
    return sum(passed for passed, _ in found), {name: text for _, failed in found for name, text in failed.items()}


def _some_generated(part: int, parts: int) -> tuple[int, dict[str, str]]:
    import gpu_generated

    from tfedu.engine.backends.cupy import gpu

    return gpu_generated.checked(gpu(), part, parts)


# -- sessions --------------------------------------------------------------------------------------------------------


def sessions(until: float) -> tuple[int, dict[str, str], int]:
    """(rows with equal results on GPU and CPU, the difference by row, rows that were not run because time was up).

    until: of time.monotonic().
    """
    import cases

    _work["rows"] = [(f"{family}/{key}", row) for family, rows in cases.load().items() for key, row in rows.items()]
    _work["until"] = until
    found = _divided(_some_sessions)
    different = {key: text for _, some, _ in found for key, text in some.items()}
    return sum(equal for equal, _, _ in found), different, sum(unrun for _, _, unrun in found)


def _some_sessions(part: int, parts: int) -> tuple[int, dict[str, str], int]:
    import harness

    logging.disable(logging.ERROR)
    warnings.simplefilter("ignore")
    equal, unrun = 0, 0
    different: dict[str, str] = {}
    for key, row in _work["rows"][part::parts]:
        if time.monotonic() > _work["until"]:
            unrun += 1
            continue
        expected, got = _values(row, 0), _values(row, 1)
        differences = harness.differences(expected, got)
        if differences and not _close(expected, got):
            different[key] = str(differences[0])[:300]
        else:
            equal += 1
    return equal, different, unrun


def _close(expected: Any, got: Any) -> bool:
    """Whether all are arrays of floats that differ by the rounding of sums in another order: 1e-5 of the largest number."""
    if not isinstance(expected, list) or not isinstance(got, list) or len(expected) != len(got):
        return False
    for one, other in zip(expected, got):
        if one.keys() != other.keys() or one.get("@array") != other.get("@array") or "@array" not in one:
            return False
        first, second = (np.array(part["v"], np.float64) for part in (one, other))
        if not np.allclose(first, second, rtol=0, atol=1e-5 * np.abs(first).max(initial=0), equal_nan=True):
            return False
    return True


def _values(row: Any, gpus: int) -> Any:
    """What the second run of a row's call gives, interpreted first and compiled then."""
    import cases
    import harness

    import tfedu as tf

    def build() -> Any:
        fed = [tf.placeholder(cases.dtype_of(tf, i), i.shape) for i in row.inputs]
        built = row.ready(tf)(*fed)
        return (list(built) if isinstance(built, list | tuple) else [built]), dict(zip(fed, row.inputs))

    with tf.Graph().as_default():
        built = harness.attempt(build)
        if isinstance(built, harness.Failure):
            return harness.encode(tf, built)
        with tf.Session(config=tf.ConfigProto(device_count={"GPU": gpus})) as session:
            values = harness.attempt(lambda: [session.run(*built) for _ in range(2)][1])
            if row.read is not None and not isinstance(values, harness.Failure):
                values = [row.read(tf, value) for value in values]
            return harness.encode(tf, values)


__all__ = ["generated", "kernels", "sessions"]
