"""Sources of datasets: tensors, slices of tensors, ranges of numbers, generators of the program."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np

from ...base import dtypes, errors
from ...base.dtypes import DType
from ...op.define import AtLeast, Each, FuncAttr, ShapeAttr, op, typevar
from ...op.define import always_scalar as scalar
from ...op.shape_checks import invalid, scalars_at
from .values import Dataset, Elements, Failure, Walk, of_element

int64, variant = dtypes.int64, dtypes.variant
T = typevar("Tvalues")
Types, Shapes = AtLeast[1, list[DType]], AtLeast[1, list[ShapeAttr]]


@op("TensorDataset", out="handle", shape=scalar, stateful=True, commutes=True)
def tensor_dataset(
    run: Any, components: Each["Toutput_types"], *, output_shapes: Shapes  # noqa: F821
) -> variant:
    """A dataset of one element: components of any shapes -> scalar."""
    element = tuple(components)

    def elements(walk: Walk) -> Elements:
        yield element

    return Dataset(run, elements)


@op("TensorSliceDataset", out="handle", shape=scalar, stateful=True, commutes=True)
def tensor_slice_dataset(
    run: Any, components: Each["Toutput_types"], *, output_shapes: Shapes  # noqa: F821
) -> variant:
    """A dataset of the slices of its components along their first axis: [n, ...] each -> scalar.

    Raises: InvalidArgumentError for components of different lengths.
    """
    lengths = [np.shape(component)[0] for component in components]
    if len(set(lengths)) > 1:
        raise invalid(
            "All components must have the same size in the 0th dimension",
            fix=f"the components have {', '.join(map(str, lengths))} slices",
        )

    def elements(walk: Walk) -> Elements:
        return zip(*components)

    return Dataset(run, elements, count=lengths[0])


@op("SparseTensorSliceDataset", out="handle", shape=scalar, stateful=True, commutes=True)
def sparse_tensor_slice_dataset(
    run: Any, indices: int64, values: T, dense_shape: int64
) -> variant:
    """A dataset of the rows of a sparse tensor, each as (indices, values, dense_shape): [n, rank], [n], [rank] -> scalar.

    Raises: InvalidArgumentError for indices that are not in order.
    """
    rows = np.asarray(indices)[:, 0]
    if np.any(np.diff(rows) < 0):
        raise errors.UnimplementedError(
            None,
            None,
            "The SparseTensor must be ordered in the batch dimension; handling arbitrarily ordered input is not currently "
            "supported.",
        )
    starts = np.searchsorted(rows, np.arange(int(dense_shape[0]) + 1))

    def elements(walk: Walk) -> Elements:
        for first, last in zip(starts[:-1].tolist(), starts[1:].tolist()):
            yield indices[first:last, 1:], values[first:last], dense_shape[1:]

    return Dataset(run, elements, count=int(dense_shape[0]))


@op("RangeDataset", out="handle", shape=scalars_at(0, 1, 2), stateful=True, commutes=True)
def range_dataset(
    run: Any, start: int64, stop: int64, step: int64, *, output_types: Types, output_shapes: Shapes
) -> variant:
    """A dataset of the numbers from start to before stop: three scalars -> scalar.

    Raises: InvalidArgumentError for a step of 0.
    """
    if not step:
        raise invalid("step must be a non-zero integer.")
    numbers = range(int(start), int(stop), int(step))
    kind = output_types[0].as_numpy_dtype

    def elements(walk: Walk) -> Elements:
        for number in numbers:
            yield (kind(number),)

    # len() refuses the numbers of enumerate(start=-1), which end at the largest int64.
    count = max(0, -((numbers.start - numbers.stop) // numbers.step))
    return Dataset(run, elements, count=count)


@op("GeneratorDataset", out="handle", shape=scalar, stateful=True, commutes=True)
def generator_dataset(
    run: Any,
    init_func_other_args: Each["Tinit_func_args", 0],  # noqa: F821
    next_func_other_args: Each["Tnext_func_args", 0],  # noqa: F821
    finalize_func_other_args: Each["Tfinalize_func_args", 0],  # noqa: F821
    *,
    init_func: FuncAttr,
    next_func: FuncAttr,
    finalize_func: FuncAttr,
    output_types: Types,
    output_shapes: Shapes,
) -> variant:
    """A dataset of what `next_func` returns for the state of `init_func`, until it ends by OutOfRangeError; then, and when the
    pass is given up, `finalize_func` runs.
    """

    def elements(walk: Walk) -> Elements:
        count = len(init_func.arguments)
        state = walk.function(init_func, init_func_other_args[count:])(tuple(init_func_other_args[:count]))
        if isinstance(state, Failure):
            yield state
            return
        produce = walk.function(next_func, next_func_other_args)
        try:
            for number in itertools.count():
                element = produce(state)
                if isinstance(element, Failure):
                    if isinstance(element.error, errors.OutOfRangeError):
                        return
                    of_element(element, run, number)
                yield element
        finally:
            walk.function(finalize_func, finalize_func_other_args)(state)

    return Dataset(run, elements)


__all__ = ["Shapes", "Types", "scalar"]
