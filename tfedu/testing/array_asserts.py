"""The assertions of `tf.test.TestCase` about arrays and tensors: near, close, equal, in a range, in a set. No state."""

from __future__ import annotations

import unittest
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ..engine.graph import Tensor
from ..engine.lib.sparse.composite_values import IndexedSlices, SparseTensor

_OF_GRAPHS = (Tensor, SparseTensor, IndexedSlices)


class ArrayAsserts(unittest.TestCase):
    """The assertions about arrays; tensors among them are evaluated first."""

    def evaluate(self, tensors: Any) -> Any:
        """The values of tensors, in the same structure."""
        raise NotImplementedError

    def assertNear(self, f1: float, f2: float, err: float, msg: str | None = None) -> None:
        self.assertTrue(
            f1 == f2 or abs(f1 - f2) <= err, f"{f1:f} != {f2:f} +/- {err:f}" + (f" ({msg})" if msg is not None else "")
        )

    def assertArrayNear(self, farray1: Sequence[float], farray2: Sequence[float], err: float, msg: str | None = None) -> None:
        self.assertEqual(len(farray1), len(farray2), msg=msg)
        for one, other in zip(farray1, farray2, strict=True):
            self.assertNear(float(one), float(other), err, msg=msg)

    def assertNDArrayNear(self, ndarray1: Any, ndarray2: Any, err: float, msg: str | None = None) -> None:
        """Whether the Euclidean distance of two arrays is below `err`."""
        one, other = np.asarray(ndarray1), np.asarray(ndarray2)
        self.assertEqual(one.shape, other.shape, msg)
        self.assertTrue(np.linalg.norm(one - other) < err, msg=msg)

    def _array(self, value: Any) -> np.ndarray:
        if isinstance(value, _OF_GRAPHS) or hasattr(value, "_as_graph_element"):
            value = self.evaluate(value)
        if isinstance(value, list | tuple) and any(isinstance(part, _OF_GRAPHS) for part in value):
            value = self.evaluate(list(value))
        array = np.asarray(value)
        return array.astype(object) if array.dtype.kind in "SU" else array

    def _same_shape(self, one: np.ndarray, other: np.ndarray, msg: str | None) -> None:
        shape = f"Shape mismatch: expected {one.shape}, got {other.shape} with contents {other}."
        self.assertEqual(one.shape, other.shape, shape if msg is None else f"{shape} {msg}")

    def _all_close(self, one: np.ndarray, other: np.ndarray, rtol: float, atol: float, msg: str) -> None:
        self._same_shape(one, other, msg)
        if np.allclose(one, other, rtol=rtol, atol=atol, equal_nan=True):
            return
        near = np.isclose(one, other, rtol=rtol, atol=atol, equal_nan=True)
        where = np.where(~near) if one.ndim else ()
        left, right = (one[where], other[where]) if one.ndim else (one, other)
        lines = [
            f"Not equal to tolerance rtol={rtol:g}, atol={atol:g}",
            msg,
            f"not close where = {where}",
            f"not close lhs = {left}",
            f"not close rhs = {right}",
            f"not close dif = {np.abs(left - right)}",
            f"not close tol = {atol + rtol * np.abs(right)}",
            f"dtype = {one.dtype}, shape = {one.shape}",
        ]
        self.fail("\n".join(["", *filter(None, lines)]))

    def assertAllClose(self, a: Any, b: Any, rtol: float = 1e-6, atol: float = 1e-6, msg: str | None = None) -> None:
        """Whether two arrays, or two structures of arrays, are equal within tolerances; NaN equals NaN."""
        self._close(a, b, rtol, atol, (), "" if msg is None else msg)

    def _close(self, a: Any, b: Any, rtol: float, atol: float, path: tuple[Any, ...], msg: str) -> None:
        at = "".join(f"[{part}]" for part in path)
        a, b = (v._asdict() if isinstance(v, tuple) and hasattr(v, "_asdict") else v for v in (a, b))
        if isinstance(a, Mapping) or isinstance(b, Mapping):
            self.assertTrue(
                isinstance(a, Mapping) and isinstance(b, Mapping), f"Can't compare dict to non-dict, a{at} vs b{at}. {msg}"
            )
            self.assertCountEqual(
                a.keys(), b.keys(), f"mismatched keys: a{at} has keys {a.keys()}, but b{at} has keys {b.keys()}. {msg}"
            )
            for key in a:
                self._close(a[key], b[key], rtol, atol, (*path, key), msg)
            return
        if isinstance(a, list | tuple):
            try:
                arrays = self._array(a), self._array(b)
            except (ValueError, TypeError):  # parts of different shapes: a structure, not an array
                arrays = None
            if arrays is None or any(array.dtype == object for array in arrays):
                lengths = f"Mismatched length: a{at} has {len(a)} items, but b{at} has {len(b)} items. {msg}"
                self.assertEqual(len(a), len(b), lengths)
                for i, (one, other) in enumerate(zip(a, b, strict=True)):
                    self._close(one, other, rtol, atol, (*path, i), msg)
                return
        self._all_close(self._array(a), self._array(b), rtol, atol, f"Mismatched value: a{at} is different from b{at}. {msg}")

    def assertAllCloseAccordingToType(
        self,
        a: Any,
        b: Any,
        rtol: float = 1e-6,
        atol: float = 1e-6,
        float_rtol: float = 1e-6,
        float_atol: float = 1e-6,
        half_rtol: float = 1e-3,
        half_atol: float = 1e-3,
        bfloat16_rtol: float = 1e-2,
        bfloat16_atol: float = 1e-2,
        msg: str | None = None,
    ) -> None:
        """`assertAllClose` with the tolerances of the coarser of the two dtypes."""
        one, other = self._array(a), self._array(b)
        names = {one.dtype.name, other.dtype.name}
        for name, wide_rtol, wide_atol in (
            ("float32", float_rtol, float_atol),
            ("complex64", float_rtol, float_atol),
            ("float16", half_rtol, half_atol),
            ("bfloat16", bfloat16_rtol, bfloat16_atol),
        ):
            if name in names:
                rtol, atol = max(rtol, wide_rtol), max(atol, wide_atol)
        self.assertAllClose(one, other, rtol=rtol, atol=atol, msg=msg)

    def assertNotAllClose(self, a: Any, b: Any, **kwargs: Any) -> None:
        try:
            self.assertAllClose(a, b, **kwargs)
        except AssertionError:
            return
        raise AssertionError(f"The two values are close at all elements. {kwargs.get('msg') or ''}")

    def assertAllEqual(self, a: Any, b: Any, msg: str | None = None) -> None:
        """Whether two arrays are equal; NaN equals NaN."""
        one, other = self._array(a), self._array(b)
        self._same_shape(one, other, msg)
        one, other = (_text(array) for array in (one, other))
        same = one == other
        if all(array.dtype.kind in "fc" or array.dtype.name == "bfloat16" for array in (one, other)):
            same = np.logical_or(same, np.logical_and(np.isnan(one), np.isnan(other)))
        if np.all(same):
            return
        where = np.where(~same) if one.ndim else ()
        lines = [
            "Arrays are not equal",
            msg or "",
            f"not equal where = {where}",
            f"not equal lhs = {one[where] if one.ndim else one!r}",
            f"not equal rhs = {other[where] if one.ndim else other!r}",
        ]
        self.fail("\n".join(["", *filter(None, lines)]))

    def assertNotAllEqual(self, a: Any, b: Any, msg: str | None = None) -> None:
        try:
            self.assertAllEqual(a, b)
        except AssertionError:
            return
        raise AssertionError(f"The two values are equal at all elements. {msg or ''}")

    def assertAllGreater(self, a: Any, comparison_target: Any) -> None:
        self.assertGreater(np.min(self._array(a)).item(), comparison_target)

    def assertAllLess(self, a: Any, comparison_target: Any) -> None:
        self.assertLess(np.max(self._array(a)).item(), comparison_target)

    def assertAllGreaterEqual(self, a: Any, comparison_target: Any) -> None:
        self.assertGreaterEqual(np.min(self._array(a)).item(), comparison_target)

    def assertAllLessEqual(self, a: Any, comparison_target: Any) -> None:
        self.assertLessEqual(np.max(self._array(a)).item(), comparison_target)

    def assertAllInRange(
        self,
        target: Any,
        lower_bound: Any,
        upper_bound: Any,
        open_lower_bound: bool = False,
        open_upper_bound: bool = False,
    ) -> None:
        array = self._array(target)
        low = array <= lower_bound if open_lower_bound else array < lower_bound
        high = array >= upper_bound if open_upper_bound else array > upper_bound
        outside = np.argwhere(np.logical_or(low, high))
        if len(outside):
            bounds = f"{'(['[not open_lower_bound]}{lower_bound}, {upper_bound}{')]'[not open_upper_bound]}"
            lines = [f"  {list(map(int, at))} : {array[tuple(at)]}" for at in outside[:10]]
            raise AssertionError(
                f"{len(outside)} of the {array.size} element(s) are outside the range {bounds}. "
                "Subscript(s) and value(s) of the offending elements:\n" + "\n".join(lines)
            )

    def assertAllInSet(self, target: Any, expected_set: set[Any]) -> None:
        others = sorted(set(self._array(target).ravel().tolist()) - set(expected_set))
        if others:
            raise AssertionError(f"{len(others)} unique element(s) are not in the set {expected_set}: {others}")

    def assertDTypeEqual(self, target: Any, expected_dtype: Any) -> None:
        self.assertEqual(self._array(target).dtype, np.dtype(getattr(expected_dtype, "as_numpy_dtype", expected_dtype)))


def _text(array: np.ndarray) -> np.ndarray:
    """Texts as bytes, as a session gives them, so that "a" equals b"a"."""
    if array.dtype != object:
        return array
    encode = np.frompyfunc(lambda v: v.encode() if isinstance(v, str) else v, 1, 1)
    return np.asarray(encode(array), object)
