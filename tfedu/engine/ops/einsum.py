"""The Einsum op: sums of products over labelled axes, of one or two inputs. (`tf.einsum` builds 1.15's products instead.)"""

from __future__ import annotations

import string
from typing import Any

import numpy as np

from ..base import dtypes, shapes
from ..base.shapes import Shape, ShapeMismatch
from ..op.define import Many, Sym, op
from ..op.shape_checks import Any_, at_least, at_most, invalid, of_rank, same, text_of, unwrapped

# "..." means the axes without a label; the lists of labels contain it as one item.
_REST = "..."


def _labels(equation: str, count: int) -> tuple[list[list[str]], list[str]]:
    """The labels of each input's axes and of the output's.

    Raises: ShapeMismatch (a rule's error; it becomes ValueError) for a malformed equation.
    """
    inputs, arrow, output = equation.partition("->")
    if not arrow or "->" in output:
        raise ShapeMismatch(f"Expecting exactly one '->' in einsum equation: {equation}")
    terms = inputs.split(",")
    if len(terms) > 2:
        raise ShapeMismatch(f"Expecting 1 or 2 input subscripts in equation '{equation}' but got: {len(terms)}")
    if count > 2:
        raise ShapeMismatch(f"Expected either 1 or 2 inputs but got: {count}")
    if len(terms) != count:
        raise ShapeMismatch(f"Expected {len(terms)} inputs for equation {equation} but got: {count}")
    read = [_read(term, "input") for term in terms]
    wanted = _read(output, "output")
    for label in wanted:
        if label != _REST and not any(label in term for term in read):
            raise ShapeMismatch(
                f"Einsum output subscripts for equation '{equation}' has label '{label}' which is not present in the input "
                "subscripts"
            )
    return read, wanted


def _read(term: str, side: str) -> list[str]:
    periods = term.count(".")
    if periods and (periods != 3 or _REST not in term):
        raise ShapeMismatch(
            f"Expected at most one ellipsis (...), but found {periods} periods (.) in the {side} subscript: {term}"
        )
    before, rest, after = term.partition(_REST)
    return [*before, *([_REST] if rest else []), *after]


def _shape(inputs: tuple[Sym, ...], *, equation: str) -> Shape:
    terms, wanted = _labels(equation, len(inputs))
    sizes: dict[str, int | None] = {}
    rest: Shape = ()
    for term, sym in zip(terms, inputs):
        named = len(term) - (_REST in term)
        if _REST not in term:
            shape: Shape = of_rank(sym.shape, named)
        else:
            shape = at_least(sym.shape, named)
        if shape is None:
            rest = None
            continue
        at = term.index(_REST) if _REST in term else named
        behind = len(shape) - (named - at)
        for label, size in zip([label for label in term if label != _REST], (*shape[:at], *shape[behind:])):
            sizes[label] = same(sizes.get(label), size)
        rest = shapes.broadcast(rest, shape[at:behind])
    if _REST not in wanted:
        at_most(rest, 0)
        rest = ()
    if rest is None:
        return None
    return tuple(size for label in wanted for size in (rest if label == _REST else (sizes.get(label),)))


@op("Einsum", out="output", fresh=True, shape=_shape, multiplies=True)
def einsum(xp: Any, inputs: Many[Any_], *, equation: str) -> Any_:
    """Multiplies axes of one label pairwise and sums over labels that the output does not name: one or two inputs, e.g.
    "ij,jk->ik": [i, j], [j, k] -> [i, k]; a label that the output names twice gives a diagonal.

    Raises: InvalidArgumentError when one label has two sizes.
    """
    narrow = inputs[0].dtype == dtypes.bfloat16.numpy
    arrays = [dtypes.bfloat16_values(x) if narrow else x for x in inputs]
    terms, wanted = _labels(equation, len(arrays))
    sizes, rest = _sizes(terms, wanted, arrays)
    # NumPy takes only letters as labels, and no label of the output twice.
    letters = {_REST: _REST, **dict(zip(sizes, string.ascii_letters))}
    spelled = ["".join(letters[label] for label in term) for term in (*terms, dict.fromkeys(wanted), wanted)]
    *sources, distinct_term, output_term = spelled
    product = xp.einsum(f"{','.join(sources)}->{distinct_term}", *arrays, optimize=True)
    if len(arrays) == 1:
        product = xp.array(product)  # it may be a view of the input
    if distinct_term != output_term:
        shape = [size for label in wanted for size in (rest if label == _REST else (sizes[label],))]
        full = xp.zeros(shape, product.dtype)
        xp.einsum(f"{output_term}->{distinct_term}", full)[...] = product
        product = full
    return unwrapped(dtypes.bfloat16_bits(product) if narrow else xp.asarray(product, inputs[0].dtype))


def _sizes(terms: list[list[str]], wanted: list[str], arrays: list[Any]) -> tuple[dict[str, int], tuple[int, ...]]:
    """The size of each label, and the broadcast shape of the axes of "..."."""
    sizes: dict[str, int] = {}
    rests = []
    for at, (term, x) in enumerate(zip(terms, arrays)):
        named = len(term) - (_REST in term)
        if _REST not in term and x.ndim != named:
            raise invalid(f"Expected input {at} to have rank {named} but got: {x.ndim}")
        if x.ndim < named:
            raise invalid(f"Expected input {at} to have rank at least {named} but got: {x.ndim}")
        start = term.index(_REST) if _REST in term else named
        end = x.ndim - named + start
        rests.append(x.shape[start:end])
        axes = (*range(start), *range(end, x.ndim))
        for label, axis in zip([label for label in term if label != _REST], axes):
            size = sizes.setdefault(label, x.shape[axis])
            if size != x.shape[axis]:
                raise invalid(
                    f"Expected dimension {size} at axis {axis} of the input shaped {text_of(x.shape)} but got dimension "
                    f"{x.shape[axis]}"
                )
    count = max(map(len, rests))
    if count and _REST not in wanted:
        raise invalid(
            f"Output contains {count} broadcasting dimension(s) but no ellipsis (...) was found in the output subscripts."
        )
    try:
        return sizes, np.broadcast_shapes(*rests)
    except ValueError:
        first, second = (text_of(x.shape) for x in arrays)
        raise invalid(f"Invalid broadcasting dimensions: {first} vs. {second}") from None
