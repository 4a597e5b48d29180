"""`tf.einsum` as TF 1.15 builds it: transposes and reshapes around one product for each further input. No state."""

from __future__ import annotations

import re
import string
from typing import Any

from ...base.errors import error_text
from ...graph.atomic import atomic
from ...graph.conversion import convert_to_tensor
from ...graph.nodes import Tensor
from ..arrays import array
from ..framework.scope_blocks import named
from ..linalg import linalg
from . import math, products, reductions


@atomic
def einsum(equation: str, *inputs: Any, **kwargs: Any) -> Tensor:
    """Sums of products over named axes: `einsum("ij,jk->ik", a, b)` of a [i, j] and b [j, k] is a matrix product
    [i, k].

    "..." names any further axes.

    Raises: ValueError for an equation that does not fit the inputs, TypeError for unknown keywords.
    """
    name = kwargs.pop("name", None)
    if kwargs:
        raise TypeError("invalid keyword arguments for this function: " + ", ".join(sorted(kwargs)))
    with named(name, "einsum", [equation, inputs]):
        tensors = [convert_to_tensor(x) for x in inputs]
        terms, right = _letters(equation, tensors)
        if len(terms) == 1 and "->" not in equation and terms[0] == terms[0][::-1] and any(
            terms[0].count(c) == 2 for c in terms[0]
        ):
            return linalg.trace(tensors[0])
        for term in terms:
            if len(set(term)) != len(term):
                raise ValueError(
                    error_text(f"Subscript not supported: an axis appears more than once: {term}", tensors)
                )
        all_letters = "".join(terms)
        if any(sum(c in term for term in terms) > 2 for c in set(all_letters) - set(right)):
            return _product_of_all(terms, right, tensors)
        total, letters = tensors[0], terms[0]
        for other, term in zip(tensors[1:], terms[1:]):
            total, letters = _product(total, letters, other, term, (set(letters) & set(term)) - set(right))
        summed_axes = [i for i, c in enumerate(letters) if c not in right]
        if summed_axes:
            total = reductions.reduce_sum(total, axis=summed_axes)
            letters = "".join(c for c in letters if c in right)
        if sorted(letters) != sorted(right):
            raise ValueError(error_text(f"Invalid equation: {equation}", tensors))
        return _transpose(total, [letters.index(c) for c in right])


def _letters(equation: str, tensors: list[Tensor]) -> tuple[list[str], str]:
    """The letters of each input's axes and of the output's; "..." is replaced by unused letters."""
    text = equation.replace(" ", "")
    match = re.match(r"^([a-zA-Z,.]+)(->[a-zA-Z.]*)?$", text)
    if match is None:
        raise ValueError(error_text(f"Indices have incorrect format: {text}", tensors))
    terms = match[1].split(",")
    right = None if match[2] is None else match[2][2:]
    if len(terms) != len(tensors):
        raise ValueError(
            error_text(f'Got {len(tensors)} arguments for equation "{text}", expecting {len(terms)}', tensors)
        )
    ellipsis_letters = ""
    if "..." in text:
        unused_letters = "".join(c for c in string.ascii_letters if c not in match[1])
        for i, (term, tensor) in enumerate(zip(terms, tensors)):
            if "..." not in term:
                continue
            parts = term.split("...")
            if len(parts) != 2:
                raise ValueError(error_text("Unable to resolve ellipsis. Excess number found.", tensors))
            if tensor.raw_shape is None:
                raise ValueError(error_text("Unable to statically infer ellipsis axes.", tensors))
            count = len(tensor.raw_shape) - len(parts[0] + parts[1])
            if count < 0:
                raise ValueError(error_text("Ellipses lengths do not match.", tensors))
            if len(unused_letters) < count:
                raise ValueError(error_text("Unable to resolve ellipsis, too many distinct labels.", tensors))
            own_letters = unused_letters[-count:] if count else ""
            terms[i] = term.replace("...", own_letters)
            ellipsis_letters = max(ellipsis_letters, own_letters, key=len)
        if right is not None:
            right = right.replace("...", ellipsis_letters)
        if any("." in term for term in [*terms, right or ""]):
            raise ValueError(error_text('period "." found outside of ellipsis', tensors))
    if right is None:
        all_letters = "".join(terms)
        single = {c for c in all_letters if all_letters.count(c) == 1} - set(ellipsis_letters)
        right = ellipsis_letters + "".join(sorted(single))
    return terms, right


def _product(a: Tensor, a_letters: str, b: Tensor, b_letters: str, summed: set[str]) -> tuple[Tensor, str]:
    """One product of two tensors: common axes first; summed axes sit between each tensor's own axes."""
    for label, tensor, letters in (("t0", a, a_letters), ("t1", b, b_letters)):
        rank = len(tensor.shape)
        if rank != len(letters):
            raise ValueError(
                error_text(f"Tensor {label} of rank {rank} does not match einsum reduction of length {len(letters)}", [tensor])
            )
    common = (set(a_letters) & set(b_letters)) - summed
    a_own, b_own = set(a_letters) - common - summed, set(b_letters) - common - summed

    def ordered(letters: str, first: set[str]) -> list[str]:
        return sorted(letters, key=lambda c: (-1 if c in common else 0 if c in first else 1, c))

    a_order, b_order = ordered(a_letters, a_own), ordered(b_letters, summed)
    a = _transpose(a, [a_letters.index(c) for c in a_order])
    b = _transpose(b, [b_letters.index(c) for c in b_order])
    if not summed:
        for _ in b_own:
            a = array.expand_dims(a, -1)
        for _ in a_own:
            b = array.expand_dims(b, len(common))
        return math.multiply(a, b), "".join(a_order + b_order[len(common) :])
    batch, count = len(common), len(summed)
    a_sizes = _sizes(a)
    rows, inner = _count(a_sizes[batch:-count]), _count(a_sizes[-count:])
    a = _reshape(a, [*a_sizes[:batch], rows, inner])
    b_sizes = _sizes(b)
    columns = _count(b_sizes[batch + count :])
    b = _reshape(b, [*b_sizes[:batch], inner, columns])
    product = products.matmul(a, b)
    product = _reshape(product, a_sizes[: batch + len(a_own)] + b_sizes[len(b_sizes) - len(b_own) :])
    return product, "".join(a_order[: batch + len(a_own)] + b_order[len(b_order) - len(b_own) :])


def _transpose(tensor: Tensor, perm: list[int]) -> Tensor:
    return tensor if perm == list(range(len(perm))) else array.transpose(tensor, perm=perm)


def _sizes(tensor: Tensor) -> list[Any]:
    """The sizes of all axes: numbers, and scalar tensors for unknown ones."""
    known = tensor.raw_shape
    assert known is not None
    if None not in known:
        return list(known)
    dynamic_sizes: Any = array.shape(tensor)
    return [dynamic_sizes[i] if n is None else n for i, n in enumerate(known)]


def _count(sizes: list[Any]) -> Any:
    total: Any = 1
    for size in sizes:
        total = total * size
    return total


def _reshape(tensor: Tensor, sizes: list[Any]) -> Tensor:
    if not any(isinstance(n, Tensor) for n in sizes) and tensor.raw_shape == tuple(sizes):
        return tensor
    return array.reshape(tensor, tuple(sizes))


def _product_of_all(terms: list[str], right: str, tensors: list[Tensor]) -> Tensor:
    """One product of all inputs, each with every letter as an axis, then one sum: for a letter of three inputs."""
    summed_letters = [c for c in sorted(set("".join(terms)) | set(right)) if c not in right]
    order = [*summed_letters, *right]
    arranged: list[Tensor] = []
    sizes: list[list[Any]] = []
    for i, (term, tensor) in enumerate(zip(terms, tensors)):
        shape = tensor.raw_shape
        if shape is None or len(shape) != len(term):
            rank = None if shape is None else len(shape)
            raise ValueError(
                error_text(
                    f"Input {i} with axes {term} has incorrect number of dimensions (expected {len(term)}, got {rank})",
                    tensors,
                )
            )
        wanted = sorted(term, key=order.index)
        sizes.append([shape[term.index(c)] or -1 if c in term else 1 for c in order])
        perm = [term.index(c) for c in wanted]
        arranged.append(_transpose(tensor, perm))
    for position, letter in enumerate(order):
        if len({row[position] for row in sizes if row[position] > 1}) > 1:
            raise ValueError(error_text(f"Dimension mismatch on axis: {letter}", tensors))
    expanded = [array.reshape(tensor, row) for tensor, row in zip(arranged, sizes)]
    total: Any = 1
    for tensor in expanded:
        total = total * tensor
    return reductions.reduce_sum(total, list(range(len(summed_letters))))
