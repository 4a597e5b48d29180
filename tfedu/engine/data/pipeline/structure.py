"""Structures of elements: a nest of tuples and dicts whose leaves are type specs; its flat form is a list of tensors.

`spec_of(value)` is the structure of a value, `to_tensors` and `from_tensors` go between a value and its flat form. A list is no
structure here, as in TF: it becomes one tensor. Other kinds of components (sparse, ragged, datasets) have a row of `KINDS`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from ...base.dtypes import DType, as_dtype
from ...base.errors import error_text
from ...base.shapes import Shape, TensorShape
from ...graph.conversion import convert_to_tensor
from ...graph.nodes import Tensor
from ...lib.framework import nest
from ...lib.framework.scope_blocks import name_scope
from ...lib.framework.type_specs import TensorSpec, TypeSpec


class Kind(NamedTuple):
    """How components of one spec class become tensors: value_type, the class that `output_classes` names."""

    value_type: type
    spec_of: Callable[[Any], TypeSpec]
    flat: Callable[[Any], Sequence[tuple[DType, Shape]]]
    to_tensors: Callable[[Any, Any], Sequence[Tensor]]
    from_tensors: Callable[[Any, Sequence[Tensor]], Any]
    slices: Callable[[Any], tuple[TypeSpec, Sequence[Tensor]]]  # of a batched value: one element's spec, and its tensors
    batched: Callable[[Any, int | None], TypeSpec]
    of_legacy: Callable[[DType, TensorShape], TypeSpec] | None = None


def _slices_of_tensor(tensor: Tensor) -> tuple[TypeSpec, Sequence[Tensor]]:
    if tensor.raw_shape == ():
        raise ValueError(error_text(f"Value {tensor} has insufficient rank for batching.", [tensor], fix=_SLICES))
    return TensorSpec(tensor.shape[1:], tensor.dtype), [tensor]


_SLICES = "from_tensor_slices takes tensors with a first axis to slice along; from_tensors makes one element of a scalar"

KINDS: dict[type, Kind] = {
    TensorSpec: Kind(
        Tensor,
        lambda tensor: TensorSpec(tensor.shape, tensor.dtype),
        lambda spec: [(spec.dtype, spec.shape.raw)],
        lambda spec, value: [value],
        lambda spec, tensors: tensors[0],
        _slices_of_tensor,
        lambda spec, size: TensorSpec(TensorShape([size]).concatenate(spec.shape), spec.dtype),
        lambda dtype, shape: TensorSpec(shape, dtype),
    )
}


def kind_of(spec: Any) -> Kind:
    """The row of KINDS for a leaf.

    Raises: TypeError for a leaf that is no spec of a component.
    """
    kind = KINDS.get(type(spec))
    if kind is None:
        raise TypeError(error_text(f"{spec!r} is not the type of a dataset's component."))
    return kind


def _kind_of_value(value: Any) -> Kind | None:
    """The row of KINDS for a component, None for what is to become a tensor."""
    return next((kind for kind in KINDS.values() if isinstance(value, kind.value_type)), None)


def is_structure(value: Any) -> bool:
    """Whether `value` is a tuple or a mapping, and no leaf."""
    return isinstance(value, (tuple, Mapping))


def mapped(function: Callable[[Any], Any], structure: Any) -> Any:
    """The structure with `function(leaf)` in place of each leaf, left to right."""
    if not is_structure(structure):
        return function(structure)
    return nest.like(structure, [mapped(function, part) for part in nest.parts_of(structure)])


def flatten(structure: Any) -> list[Any]:
    """The leaves, left to right."""
    if not is_structure(structure):
        return [structure]
    return [leaf for part in nest.parts_of(structure) for leaf in flatten(part)]


def normalized(element: Any) -> Any:
    """The element of a source with a tensor for each leaf that no component of another kind is."""
    count = -1

    def component(value: Any) -> Any:
        nonlocal count
        count += 1
        known = _kind_of_value(value)
        if known is not None and not isinstance(value, Tensor):
            return value
        return convert_to_tensor(value, name=f"component_{count}")

    with name_scope("normalize_element"):
        return mapped(component, _with_composites(element))


def _with_composites(element: Any) -> Any:
    """The element, with sparse and other composite *values* (what a run returned) as tensors."""
    composite = getattr(element, "_as_composite", None)
    return element if composite is None else composite()


def spec_of(value: Any) -> Any:
    """The structure of a value.

    Raises: TypeError for a leaf that no component can hold.
    """

    def spec(leaf: Any) -> TypeSpec:
        kind = _kind_of_value(leaf)
        if kind is None:
            leaf = convert_to_tensor(leaf)
            kind = KINDS[TensorSpec]
        return kind.spec_of(leaf)

    return mapped(spec, value)


def flat_types(spec: Any) -> list[DType]:
    """The dtypes of the flat form."""
    return [dtype for leaf in flatten(spec) for dtype, _ in kind_of(leaf).flat(leaf)]


def flat_shapes(spec: Any) -> list[Shape]:
    """The shapes of the flat form, None for an unknown rank."""
    return [shape for leaf in flatten(spec) for _, shape in kind_of(leaf).flat(leaf)]


def to_tensors(spec: Any, value: Any) -> list[Tensor]:
    """The flat form of a value of this structure."""
    flat: list[Tensor] = []
    for leaf, part in zip(flatten(spec), flatten(value), strict=True):
        plain = convert_to_tensor(part, leaf.dtype) if isinstance(leaf, TensorSpec) else part
        flat += kind_of(leaf).to_tensors(leaf, plain)
    return flat


def from_tensors(spec: Any, tensors: Sequence[Tensor]) -> Any:
    """The value whose flat form is `tensors`."""
    at = 0

    def value(leaf: Any) -> Any:
        nonlocal at
        kind = kind_of(leaf)
        count = len(kind.flat(leaf))
        at += count
        return kind.from_tensors(leaf, tensors[at - count : at])

    return mapped(value, spec)


def slices(value: Any) -> tuple[Any, list[Tensor]]:
    """For a value whose components are batches: the structure of one element, and the tensors whose slices are its flat form."""
    flat: list[Tensor] = []

    def slices_of(leaf: Any) -> TypeSpec:
        spec, tensors = (_kind_of_value(leaf) or KINDS[TensorSpec]).slices(leaf)
        flat.extend(tensors)
        return spec

    return mapped(slices_of, value), flat


def batched(spec: Any, size: int | None) -> Any:
    """The structure of batches. size: None for an unknown number of elements."""
    return mapped(lambda leaf: kind_of(leaf).batched(leaf, size), spec)


def widened(spec: Any, other: Any) -> Any:
    """The structure that has elements of both: of the same dtypes, with the sizes that differ unknown."""
    theirs = iter(flatten(other))
    return mapped(lambda leaf: _common(leaf, next(theirs)), spec)


def _common(spec: Any, other: Any) -> Any:
    return spec.most_specific_compatible_type(other) if type(spec) in LEGACY else spec


# -- the older form: nests of dtypes, shapes and classes ----------------------------------------------------------------


def types(spec: Any) -> Any:
    """The nest of dtypes."""
    return mapped(lambda leaf: leaf.dtype if type(leaf) in LEGACY else leaf, spec)


def shapes(spec: Any) -> Any:
    """The nest of shapes."""
    return mapped(lambda leaf: leaf.shape if type(leaf) in LEGACY else leaf, spec)


def classes(spec: Any) -> Any:
    """The nest of the components' classes; a component whose kind has no older form keeps its spec."""
    return mapped(lambda leaf: leaf if kind_of(leaf).of_legacy is None else kind_of(leaf).value_type, spec)


# Spec classes whose older form has a dtype and a shape.
LEGACY: set[type] = {TensorSpec}


def of_legacy(output_types: Any, output_shapes: Any = None, output_classes: Any = None) -> Any:
    """The structure for nests of dtypes, shapes (None: unknown) and classes (None: tensors).

    Raises: TypeError, ValueError for nests that differ.
    """
    kinds = mapped(as_dtype, output_types)
    leaves = flatten(kinds)
    if output_shapes is None:
        flat: list[Any] = [TensorShape(None)] * len(leaves)
    else:
        flat = flat_shapes_like(kinds, output_shapes)
    of = [Tensor] * len(leaves) if output_classes is None else flatten(output_classes)
    by_class = {kind.value_type: kind for kind in KINDS.values() if kind.of_legacy is not None}
    specs = []
    for dtype, shape, value_type in zip(leaves, flat, of, strict=True):
        kind = by_class.get(value_type)
        if kind is None or kind.of_legacy is None:
            specs.append(value_type)
        else:
            specs.append(kind.of_legacy(dtype, shape))
    parts = iter(specs)
    return mapped(lambda _: next(parts), kinds)


def flat_shapes_like(structure: Any, given: Any) -> list[TensorShape]:
    """The shapes of a nest as `structure`, whose leaves may be lists of sizes.

    Raises: ValueError, TypeError for a nest that differs.
    """
    return [TensorShape(shape) for shape in flatten_up_to(structure, given)]


def flatten_up_to(structure: Any, given: Any) -> list[Any]:
    """The parts of `given` that stand where `structure` has its leaves.

    Raises: ValueError, TypeError for a nest that differs.
    """
    if not is_structure(structure):
        return [given]
    if not is_structure(given):
        text = f"If shallow structure is a sequence, input must also be a sequence. Input has type: {type(given)}."
        raise TypeError(error_text(text))
    if not isinstance(given, type(structure)):
        text = (
            f"The two structures don't have the same sequence type. Input structure has type {type(given)}, while shallow "
            f"structure has type {type(structure)}."
        )
        raise TypeError(error_text(text))
    if len(given) != len(structure):
        text = (
            f"The two structures don't have the same sequence length. Input structure has length {len(given)}, while shallow "
            f"structure has length {len(structure)}."
        )
        raise ValueError(error_text(text))
    if isinstance(structure, Mapping) and set(given) != set(structure):
        text = (
            f"The two structures don't have the same keys. Input structure has keys {list(given)}, while shallow structure has "
            f"keys {list(structure)}."
        )
        raise ValueError(error_text(text))
    return [leaf for a, b in zip(nest.parts_of(structure), nest.parts_of(given)) for leaf in flatten_up_to(a, b)]


__all__ = [
    "KINDS", "Kind", "LEGACY", "batched", "classes", "flat_shapes", "flat_shapes_like", "flat_types", "flatten",
    "flatten_up_to", "from_tensors",
    "is_structure", "kind_of", "mapped", "nest", "normalized", "of_legacy", "shapes", "slices",
    "spec_of", "to_tensors", "types", "widened",
]  # fmt: skip
