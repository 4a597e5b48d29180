"""`tf.data.experimental.Optional`: an element, or that there is none; `get_next_as_optional` tells the end without an error."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...base import dtypes
from ...base.errors import error_text
from ...graph.atomic import atomic
from ...graph.nodes import Tensor
from ...lib.framework.scope_blocks import name_scope
from ...lib.framework.type_specs import TypeSpec
from ...op.callers import nodes
from . import structure
from .building import flat_facts
from .iterators import Iterator


class Optional:
    """A tensor that holds an element or nothing. value_structure: the structure of the element."""

    def __init__(self, variant: Tensor, value_structure: Any) -> None:
        self._variant_tensor = variant
        self.value_structure = value_structure

    @staticmethod
    @atomic
    def from_value(value: Any) -> Optional:
        """An optional that holds this nest of tensors."""
        with name_scope("optional") as scope:
            with name_scope("value"):
                if value is None:
                    raise TypeError(error_text("Could not build a TypeSpec for None with type NoneType"))
                spec = structure.spec_of(value)
                components = structure.to_tensors(spec, value)
            return Optional(nodes.OptionalFromValue(components, name=scope), spec)

    @staticmethod
    @atomic
    def none_from_structure(value_structure: Any) -> Optional:
        """An optional without an element. value_structure: the type specs of the element that it could hold."""
        return Optional(nodes.OptionalNone(), value_structure)

    @atomic
    def has_value(self, name: str | None = None) -> Tensor:
        """Whether there is an element: a boolean scalar."""
        return nodes.OptionalHasValue(self._variant_tensor, name=name)  # type: ignore[no-any-return]

    @atomic
    def get_value(self, name: str | None = None) -> Any:
        """The element, as tensors in its nest.

        Raises, in a run: InvalidArgumentError where there is none.
        """
        with name_scope(name, "OptionalGetValue", [self._variant_tensor]) as scope:
            flat = nodes.OptionalGetValue(self._variant_tensor, name=scope, **flat_facts(self.value_structure))
            return structure.from_tensors(self.value_structure, flat)

    def __repr__(self) -> str:
        return f"<Optional of {self.value_structure!r}>"


class OptionalSpec(TypeSpec):
    """The type of an optional that is itself a component: the structure of its element."""

    def __init__(self, value_structure: Any) -> None:
        self._value_structure = value_structure

    @property
    def value_type(self) -> type:
        return Optional

    def _serialize(self) -> tuple[Any, ...]:
        return (self._value_structure,)


def _slices(optional: Optional) -> tuple[TypeSpec, Sequence[Tensor]]:
    raise NotImplementedError(error_text("An Optional has no slices.", fix="tf.data.Dataset.from_tensors(optional)"))


def _batched(spec: Any, size: int | None) -> TypeSpec:
    raise NotImplementedError(error_text("Optionals cannot be batched.", fix="take their values first: optional.get_value()"))


structure.KINDS[OptionalSpec] = structure.Kind(
    Optional,
    lambda optional: OptionalSpec(optional.value_structure),
    lambda spec: [(dtypes.variant, ())],
    lambda spec, optional: [optional._variant_tensor],
    lambda spec, tensors: Optional(tensors[0], spec._value_structure),
    _slices,
    _batched,
)


@atomic
def get_next_as_optional(iterator: Iterator) -> Optional:
    """The next element of an iterator, or at its end an Optional without a value: one node, which takes it in each run."""
    flat = nodes.IteratorGetNextAsOptional(iterator._iterator_resource, **flat_facts(iterator.element_spec))
    return Optional(flat, iterator.element_spec)


__all__ = ["Optional", "OptionalSpec", "get_next_as_optional"]
