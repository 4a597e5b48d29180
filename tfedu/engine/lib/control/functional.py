"""`map_fn`, `foldl`, `foldr` and `scan`: a function called for each part of tensors along their first axis, in a loop.

Each takes the parts out of a TensorArray, one an iteration, and `map_fn` and `scan` put the results in another (TF 1.15).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from ...base.errors import error_text
from ...base.shapes import TensorShape
from ...graph.atomic import atomic
from ...graph.conversion import convert_to_tensor
from ...graph.default_graph import get_default_graph
from ...graph.nodes import Tensor
from ...op.composites import SparseTensor
from ...op.constant import constant
from ..arrays import array
from ..framework import nest
from ..framework.scope_blocks import named
from ..variables.variable_scope import get_variable_scope
from .tensor_array import TensorArray
from .while_loop import assert_alike, while_loop


@atomic
def map_fn(
    fn: Callable[[Any], Any],
    elems: Any,
    dtype: Any = None,
    parallel_iterations: int | None = None,
    back_prop: bool = True,
    swap_memory: bool = False,
    infer_shape: bool = True,
    name: str | None = None,
) -> Any:
    """What `fn` gives for each part of `elems` [n, …] along the first axis, stacked [n, …].

    elems: a tensor, or a structure of them; `fn` gets that structure. dtype: the dtypes of what `fn` gives, in its structure,
    where it is not that of `elems`. infer_shape: all results have one shape.

    Raises: TypeError for what is not callable, a sparse tensor, and a result of another structure than dtype; ValueError
    for scalars.
    """
    _check_callable(fn)
    if isinstance(elems, SparseTensor):
        raise TypeError(
            error_text(
                "To perform a map on the values of a sparse tensor use either  SparseTensor(input.indices, fn(input.values), "
                "input.dense_shape) or  SparseTensor(input.indices, map_fn(fn, input.values), input.dense_shape)"
            )
        )
    with _block(name, "map", elems):
        flat = _converted(elems)
        dtype = dtype or nest.pack_sequence_as(elems, [elem.dtype for elem in flat])
        n = _length(flat)
        arrays = [TensorArray(elem.dtype, size=n, dynamic_size=False) for elem in flat]
        arrays = [parts.unstack(elem) for parts, elem in zip(arrays, flat)]
        start = constant(0)
        results = [
            TensorArray(each, size=n, dynamic_size=False, infer_shape=infer_shape) for each in nest.flatten(dtype)
        ]

        def body(i: Tensor, results: list[TensorArray]) -> tuple[Tensor, list[TensorArray]]:
            given = fn(nest.pack_sequence_as(elems, [parts.read(i) for parts in arrays]))
            assert_alike(dtype, given, fix="dtype= says the dtypes of what fn gives, nested as fn gives them")
            results = [result.write(i, value) for result, value in zip(results, nest.flatten(given))]
            return i + 1, results

        _, results = while_loop(
            lambda i, _: i < n, body, (start, results), parallel_iterations=parallel_iterations or 10,
            back_prop=back_prop, swap_memory=swap_memory, maximum_iterations=n,
        )  # fmt: skip
        return nest.pack_sequence_as(dtype, _stacked(results, flat))


@atomic
def vectorized_map(fn: Callable[[Any], Any], elems: Any) -> Any:
    """What `fn` gives for each part of `elems` [n, …] along the first axis, stacked [n, …]; its dtypes need not be said.

    `fn` is called twice, the first time to see what it gives.

    Raises: TypeError for what is not callable; ValueError for scalars.
    Differs from TF: the parts are taken in a loop, one after the other, which no function is refused in; TF makes nodes
    that take all parts at once, for the ops that it knows such nodes of.
    """
    _check_callable(fn)
    dtype: Any = None
    try:
        with get_default_graph().transaction():
            given = fn(nest.pack_sequence_as(elems, [elem[0] for elem in _converted(elems)]))
            dtype = nest.map_structure(lambda value: convert_to_tensor(value).dtype, given)
            raise _Seen
    except _Seen:
        return map_fn(fn, elems, dtype)


class _Seen(Exception):
    """Ends a call whose nodes were only to be looked at."""


@atomic
def foldl(
    fn: Callable[[Any, Any], Any],
    elems: Any,
    initializer: Any = None,
    parallel_iterations: int = 10,
    back_prop: bool = True,
    swap_memory: bool = False,
    name: str | None = None,
) -> Any:
    """fn(… fn(fn(initializer, elems[0]), elems[1]) …, elems[n - 1]); without initializer it begins with elems[0].

    elems: a tensor [n, …], or a structure of them. Raises: TypeError for what is not callable; ValueError for scalars.
    """
    return _folded(fn, elems, initializer, "foldl", parallel_iterations, back_prop, swap_memory, name)


@atomic
def foldr(
    fn: Callable[[Any, Any], Any],
    elems: Any,
    initializer: Any = None,
    parallel_iterations: int = 10,
    back_prop: bool = True,
    swap_memory: bool = False,
    name: str | None = None,
) -> Any:
    """fn(… fn(fn(initializer, elems[n - 1]), elems[n - 2]) …, elems[0]); without initializer it begins with elems[n - 1].

    elems: a tensor [n, …], or a structure of them. Raises: TypeError for what is not callable; ValueError for scalars.
    """
    return _folded(fn, elems, initializer, "foldr", parallel_iterations, back_prop, swap_memory, name)


def _folded(
    fn: Callable[[Any, Any], Any], elems: Any, initializer: Any, kind: str, parallel: int, back_prop: bool, swap: bool,
    name: str | None,
) -> Any:  # fmt: skip
    _check_callable(fn)
    leftwards = kind == "foldr"
    with _block(name, kind, elems):
        n = _length(_converted(elems))
        arrays = nest.map_structure(
            lambda elem: TensorArray(elem.dtype, size=n, dynamic_size=False).unstack(elem), elems
        )

        def parts(i: Any) -> Any:
            return nest.map_structure(lambda parts: parts.read(i), arrays)

        if leftwards:
            start = n if initializer is not None else n - 1
        total = parts(start if leftwards else 0) if initializer is None else initializer
        if not leftwards:
            start = constant(1 if initializer is None else 0)

        def body(i: Tensor, total: Any) -> list[Any]:
            if leftwards:
                i = i - 1
                return [i, fn(total, parts(i))]
            total = fn(total, parts(i))
            return [i + 1, total]

        _, total = while_loop(
            (lambda i, _: i > 0) if leftwards else (lambda i, _: i < n), body, [start, total],
            parallel_iterations=parallel, back_prop=back_prop, swap_memory=swap, maximum_iterations=n,
        )  # fmt: skip
        return total


@atomic
def scan(
    fn: Callable[[Any, Any], Any],
    elems: Any,
    initializer: Any = None,
    parallel_iterations: int = 10,
    back_prop: bool = True,
    swap_memory: bool = False,
    infer_shape: bool = True,
    reverse: bool = False,
    name: str | None = None,
) -> Any:
    """All that `foldl` has on its way, stacked [n, …]; without initializer the first of it is elems[0]. reverse: from the end.

    elems: a tensor [n, …], or a structure of them. infer_shape: all results have one shape.

    Raises: TypeError for what is not callable, and for a result of another structure than the initializer; ValueError
    for scalars.
    """
    _check_callable(fn)
    with _block(name, "scan", elems):
        flat = _converted(elems)
        n = _length(flat, even_none=True)
        arrays = [
            TensorArray(elem.dtype, size=n, dynamic_size=False, element_shape=elem.shape[1:]) for elem in flat
        ]
        arrays = [parts.unstack(elem) for parts, elem in zip(arrays, flat)]
        like = elems if initializer is None else initializer
        done = 0 if initializer is not None else 1
        if initializer is None:
            totals = [parts.read(n - 1 if reverse else 0) for parts in arrays]
        else:
            totals = [convert_to_tensor(part) for part in nest.flatten(initializer)]
        results = [
            TensorArray(
                total.dtype, size=n, dynamic_size=False, infer_shape=infer_shape,
                element_shape=total.shape if infer_shape else None,
            )
            for total in totals
        ]  # fmt: skip
        if initializer is None:
            results = [result.write(n - 1 if reverse else 0, total) for result, total in zip(results, totals)]

        def body(i: Tensor, totals: list[Tensor], results: list[TensorArray]) -> tuple[Any, ...]:
            part = nest.pack_sequence_as(elems, [parts.read(i) for parts in arrays])
            given = fn(nest.pack_sequence_as(like, totals), part)
            assert_alike(like, given, fix="fn must give what it gets first, the next such value, nested in the same way")
            totals = nest.flatten(given)
            results = [result.write(i, value) for result, value in zip(results, totals)]
            return i - 1 if reverse else i + 1, totals, results

        *_, results = while_loop(
            (lambda i, *_: i >= 0) if reverse else (lambda i, *_: i < n), body,
            (n - 1 - done if reverse else done, totals, results), parallel_iterations=parallel_iterations,
            back_prop=back_prop, swap_memory=swap_memory, maximum_iterations=n,
        )  # fmt: skip
        return nest.pack_sequence_as(like, _stacked(results, flat))


# -- what they share -------------------------------------------------------------------------------------------------


def _check_callable(fn: Any) -> None:
    if not callable(fn):
        raise TypeError(error_text("fn must be callable."))


@contextmanager
def _block(name: str | None, default: str, elems: Any) -> Iterator[None]:
    """The name scope; a variable that the function asks for is read once for the whole loop, where it is."""
    with named(name, default, [elem for elem in nest.flatten(elems) if isinstance(elem, Tensor)]):
        scope = get_variable_scope()
        if scope.caching_device is not None:
            yield
            return
        scope.set_caching_device(lambda op: op.device)
        try:
            yield
        finally:
            scope.set_caching_device(None)


def _converted(elems: Any) -> list[Tensor]:
    flat = [convert_to_tensor(elem, name="elem") for elem in nest.flatten(elems)]
    if not flat:
        raise ValueError(
            error_text(
                f"elems must be a Tensor or (possibly nested) sequence of Tensors. Got {elems}, which does not contain any "
                "Tensors."
            )
        )
    if flat[0].raw_shape == ():
        text = (
            "elems must be a 1+ dimensional Tensor, not a scalar"
            if len(flat) == 1
            else "elements in elems must be 1+ dimensional Tensors, not scalars"
        )
        raise ValueError(
            error_text(text, flat, fix="a Python list is a structure of scalars here: tf.constant([…]) is one tensor")
        )
    return flat


def _length(flat: Sequence[Tensor], even_none: bool = False) -> Any:
    """How many parts there are: a number where it is known (a 0 only with even_none), else a tensor."""
    shape = flat[0].raw_shape
    known = None if shape is None else shape[0]
    return known if known or (even_none and known == 0) else array.shape(flat[0])[0]


def _stacked(results: Sequence[TensorArray], flat: Sequence[Tensor]) -> list[Tensor]:
    """All elements of each result, which has as many as the first of `elems` has parts.

    Raises: ValueError when another one is known to have not as many.
    """
    stacked = [result.stack() for result in results]
    length, *others = [elem.shape.with_rank_at_least(1)[0] for elem in flat]
    for other in others:
        try:
            length.assert_is_compatible_with(other)
        except ValueError as error:
            raise ValueError(
                error_text(str(error), flat, fix="all of elems must have as many parts")
            ) from None
    for tensor in stacked:
        tensor.set_shape(TensorShape([length]).concatenate(tensor.shape[1:]))
    return stacked


__all__ = ["foldl", "foldr", "map_fn", "scan", "vectorized_map"]
