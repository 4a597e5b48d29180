"""`map_fn`, `foldl`, `foldr` and `scan`: a function applied to each slice of tensors along their first axis, in a
loop.

Each iteration reads one slice from a TensorArray; `map_fn` and `scan` write the results to another (TF 1.15).
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
    """The results of `fn` for each slice of `elems` [n, ...] along the first axis, stacked [n, ...].

    elems: a tensor, or a structure of them; `fn` gets the same structure. dtype: the dtypes of fn's result in its
    structure, where they are not those of `elems`. infer_shape: all results have one shape.

    Raises: TypeError for a `fn` that is not callable, a sparse tensor, or a result whose structure differs from dtype;
    ValueError for scalars.
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
        flat = _flat_tensors(elems)
        dtype = dtype or nest.pack_sequence_as(elems, [elem.dtype for elem in flat])
        n = _length(flat)
        arrays = [TensorArray(elem.dtype, size=n, dynamic_size=False) for elem in flat]
        arrays = [elem_array.unstack(elem) for elem_array, elem in zip(arrays, flat)]
        start = constant(0)
        results = [
            TensorArray(result_dtype, size=n, dynamic_size=False, infer_shape=infer_shape)
            for result_dtype in nest.flatten(dtype)
        ]

        def body(i: Tensor, results: list[TensorArray]) -> tuple[Tensor, list[TensorArray]]:
            value = fn(nest.pack_sequence_as(elems, [elem_array.read(i) for elem_array in arrays]))
            assert_alike(dtype, value, fix="dtype= must list the dtypes of fn's result, nested like the result")
            results = [result.write(i, part) for result, part in zip(results, nest.flatten(value))]
            return i + 1, results

        _, results = while_loop(
            lambda i, _: i < n, body, (start, results), parallel_iterations=parallel_iterations or 10,
            back_prop=back_prop, swap_memory=swap_memory, maximum_iterations=n,
        )  # fmt: skip
        return nest.pack_sequence_as(dtype, _stack_results(results, flat))


@atomic
def vectorized_map(fn: Callable[[Any], Any], elems: Any) -> Any:
    """The results of `fn` for each slice of `elems` [n, ...] along the first axis, stacked [n, ...]; the dtypes are
    inferred.

    `fn` is called twice, the first time to infer its result's dtypes.

    Raises: TypeError for a `fn` that is not callable; ValueError for scalars.

    Differs from TF: the slices are processed by a loop, which accepts any function; TF builds nodes that process all
    slices at once, for the ops that it can convert.
    """
    _check_callable(fn)
    dtype: Any = None

    def infer() -> None:
        nonlocal dtype
        result = fn(nest.pack_sequence_as(elems, [elem[0] for elem in _flat_tensors(elems)]))
        dtype = nest.map_structure(lambda value: convert_to_tensor(value).dtype, result)
        raise _DtypesKnown

    try:
        get_default_graph().attempt(infer)
    except _DtypesKnown:
        return map_fn(fn, elems, dtype)


class _DtypesKnown(Exception):
    """Ends the transaction that called `fn` only to infer its result's dtypes."""


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
    """fn(… fn(fn(initializer, elems[0]), elems[1]) …, elems[n - 1]); without initializer it starts with elems[0].

    elems: a tensor [n, ...], or a structure of them. Raises: TypeError for a `fn` that is not callable; ValueError
    for scalars.
    """
    return _fold(fn, elems, initializer, "foldl", parallel_iterations, back_prop, swap_memory, name)


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
    """fn(… fn(fn(initializer, elems[n - 1]), elems[n - 2]) …, elems[0]); without initializer it starts with
    elems[n - 1].

    elems: a tensor [n, ...], or a structure of them. Raises: TypeError for a `fn` that is not callable; ValueError
    for scalars.
    """
    return _fold(fn, elems, initializer, "foldr", parallel_iterations, back_prop, swap_memory, name)


def _fold(
    fn: Callable[[Any, Any], Any], elems: Any, initializer: Any, kind: str, parallel: int, back_prop: bool, swap: bool,
    name: str | None,
) -> Any:  # fmt: skip
    _check_callable(fn)
    from_end = kind == "foldr"
    with _block(name, kind, elems):
        n = _length(_flat_tensors(elems))
        arrays = nest.map_structure(
            lambda elem: TensorArray(elem.dtype, size=n, dynamic_size=False).unstack(elem), elems
        )

        def slices(i: Any) -> Any:
            return nest.map_structure(lambda slices: slices.read(i), arrays)

        if from_end:
            start = n if initializer is not None else n - 1
        total = slices(start if from_end else 0) if initializer is None else initializer
        if not from_end:
            start = constant(1 if initializer is None else 0)

        def body(i: Tensor, total: Any) -> list[Any]:
            if from_end:
                i = i - 1
                return [i, fn(total, slices(i))]
            total = fn(total, slices(i))
            return [i + 1, total]

        _, total = while_loop(
            (lambda i, _: i > 0) if from_end else (lambda i, _: i < n), body, [start, total],
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
    """The intermediate values of `foldl`, stacked [n, ...]; without initializer the first is elems[0]. reverse: from
    the end.

    elems: a tensor [n, ...], or a structure of them. infer_shape: all results have one shape.

    Raises: TypeError for a `fn` that is not callable or a result whose structure differs from the initializer's;
    ValueError for scalars.
    """
    _check_callable(fn)
    with _block(name, "scan", elems):
        flat = _flat_tensors(elems)
        n = _length(flat, even_zero=True)
        arrays = [
            TensorArray(elem.dtype, size=n, dynamic_size=False, element_shape=elem.shape[1:]) for elem in flat
        ]
        arrays = [elem_array.unstack(elem) for elem_array, elem in zip(arrays, flat)]
        structure = elems if initializer is None else initializer
        done_count = 0 if initializer is not None else 1
        if initializer is None:
            totals = [elem_array.read(n - 1 if reverse else 0) for elem_array in arrays]
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
            part = nest.pack_sequence_as(elems, [elem_array.read(i) for elem_array in arrays])
            value = fn(nest.pack_sequence_as(structure, totals), part)
            assert_alike(structure, value, fix="fn must return the next value of its first argument, nested in the same way")
            totals = nest.flatten(value)
            results = [result.write(i, total) for result, total in zip(results, totals)]
            return i - 1 if reverse else i + 1, totals, results

        *_, results = while_loop(
            (lambda i, *_: i >= 0) if reverse else (lambda i, *_: i < n), body,
            (n - 1 - done_count if reverse else done_count, totals, results), parallel_iterations=parallel_iterations,
            back_prop=back_prop, swap_memory=swap_memory, maximum_iterations=n,
        )  # fmt: skip
        return nest.pack_sequence_as(structure, _stack_results(results, flat))


# -- shared steps -------------------------------------------------------------------------------------------------


def _check_callable(fn: Any) -> None:
    if not callable(fn):
        raise TypeError(error_text("fn must be callable."))


@contextmanager
def _block(name: str | None, default: str, elems: Any) -> Iterator[None]:
    """The name scope, in which a variable that the function uses is read once, outside of the loop, on its own
    device.
    """
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


def _flat_tensors(elems: Any) -> list[Tensor]:
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


def _length(flat: Sequence[Tensor], even_zero: bool = False) -> Any:
    """The number of slices: an int where it is known (0 only with even_none), else a scalar tensor."""
    shape = flat[0].raw_shape
    known = None if shape is None else shape[0]
    return known if known or (even_zero and known == 0) else array.shape(flat[0])[0]


def _stack_results(results: Sequence[TensorArray], flat: Sequence[Tensor]) -> list[Tensor]:
    """All elements of each result, with the number of slices of `elems` as their static length.

    Raises: ValueError when the tensors of elems have different numbers of slices.
    """
    stacked = [result.stack() for result in results]
    length, *others = [elem.shape.with_rank_at_least(1)[0] for elem in flat]
    for other in others:
        try:
            length.assert_is_compatible_with(other)
        except ValueError as error:
            raise ValueError(
                error_text(str(error), flat, fix="all tensors of elems must have the same first size")
            ) from None
    for tensor in stacked:
        tensor.set_shape(TensorShape([length]).concatenate(tensor.shape[1:]))
    return stacked


__all__ = ["foldl", "foldr", "map_fn", "scan", "vectorized_map"]
