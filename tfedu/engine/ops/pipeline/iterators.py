"""Iterators: a resource of the session that passes over a dataset; `IteratorGetNext` gives its next element.

State: the iterators, in the session's store; of each, its dataset, its pass and how many elements it has given.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Sequence
from itertools import islice
from typing import Any, Final

import numpy as np

from ...base import dtypes, errors
from ...base.dtypes import DType, runtime_name
from ...base.shapes import Shape, fmt, is_compatible
from ...base.text_bytes import as_bytes
from ...op.callers import nodes
from ...op.define import Each, FuncAttr, ShapeAttr, Sym, op
from ...op.shape_checks import invalid
from .sources import Shapes, Types, scalar
from .values import Dataset, Element, Failure, Seeds, Walk, as_dataset

resource, string, variant = dtypes.resource, dtypes.string, dtypes.variant

_UNINITIALIZED: Final = (
    "GetNext() failed because the iterator has not been initialized. Ensure that you have run the initializer operation for this "
    "iterator before getting the next element."
)


class IteratorResource:
    """An iterator: its dataset, None before it is initialized, and how many elements it has given in this pass.

    kinds, shapes: of the components of its elements. seeds: those that the pass draws. The pass begins with the first element
    that is asked for, and again where a copy or a restored iterator goes on: then it passes over those given before.
    """

    kind: Final = "tensorflow::data::IteratorResource"

    def __init__(self, name: str, kinds: Sequence[DType], shapes: Sequence[Shape]) -> None:
        self.name = name
        self.kinds = tuple(kinds)
        self.shapes = tuple(shapes)
        self.dataset: Dataset | None = None
        self.seeds = Seeds()
        self.given = 0
        self._walk: Walk | None = None
        self._elements: Any = None
        self._lock = threading.RLock()

    def start(self, dataset: Dataset | None, seeds: Seeds | None = None, given: int = 0) -> None:
        """Sets the dataset of the next element. seeds, given: where an earlier pass was."""
        with self._lock:
            self._give_up()
            self.dataset, self.seeds, self.given = dataset, seeds or Seeds(), given

    def next(self, run: Any) -> Element:
        """The next element.

        Raises: OutOfRangeError at the end, FailedPreconditionError before it is initialized, the error of an element that cannot
        be made; the one after it comes with the next call.
        """
        with self._lock:
            if self.dataset is None:
                error = errors.FailedPreconditionError(None, None, _UNINITIALIZED)
                error.fix = "session.run(iterator.initializer), or what make_initializer(dataset) returned, comes first"
                raise error
            if self._walk is None:
                self._walk = Walk(run, self.seeds)
                self._elements = self._walk(self.dataset)
                for _ in islice(self._elements, self.given):
                    pass
            self._walk.run = run
            element = next(self._elements, None)
            if element is None:
                raise errors.OutOfRangeError(None, None, "End of sequence")
            self.given += 1
        if type(element) is Failure:
            raise element.error
        return element  # type: ignore[no-any-return]

    def copied(self) -> IteratorResource:
        """An iterator at the same place, whose next elements are the same."""
        twin = IteratorResource(self.name, self.kinds, self.shapes)
        twin.restore(self.state())
        return twin

    def content_text(self) -> str:
        """Where the iterator is, in the notation of its attributes."""
        return "dataset=None" if self.dataset is None else f"taken={self.given}"

    def state(self) -> tuple[Any, ...]:
        """Where the iterator is: equal states give equal elements."""
        return self.dataset, self.seeds, self.given

    def restore(self, state: tuple[Any, ...] | None) -> None:
        """Goes back to an earlier `state`; None: that of a new iterator."""
        if state != self.state():
            self.start(*state or (None,))

    def close(self) -> None:
        """Gives the pass up; a generator of the program ends."""
        self.start(None)

    def _give_up(self) -> None:
        elements, self._walk, self._elements = self._elements, None, None
        if hasattr(elements, "close"):
            elements.close()

    def __repr__(self) -> str:
        return f"<Iterator {self.name}>"


def iterator_of(handle: Any) -> IteratorResource:
    """Raises: InvalidArgumentError for the handle of something else."""
    found = getattr(handle, "buffer", None)
    if not isinstance(found, IteratorResource):
        raise invalid("The handle is not that of an iterator.")
    return found


@op("IteratorV2", out="handle", shape=scalar, stateful=True, resource="iterator")
def iterator_v2(
    run: Any, *, shared_name: str, container: str, output_types: Types, output_shapes: Shapes
) -> resource:
    """The handle of the session's iterator of this name: scalar."""
    found = run.resource("iterator", container, shared_name, lambda name: IteratorResource(name, output_types, output_shapes))
    return run.handle(found)


@op("MakeIterator", shape=lambda *_: [], stateful=True, access={"iterator": "write"}, resource="iterator")
def make_iterator(run: Any, dataset: variant, iterator: resource) -> None:
    """Begins a pass over the dataset: two scalars."""
    iterator_of(iterator).start(as_dataset(dataset))
    return ()


@op("OneShotIterator", out="handle", shape=scalar, stateful=True, resource="iterator")
def one_shot_iterator(
    run: Any, *, dataset_factory: FuncAttr, output_types: Types, output_shapes: Shapes, container: str = "",
    shared_name: str = "",
) -> resource:  # fmt: skip
    """The handle of an iterator that begins its only pass by itself, over what `dataset_factory` returns: scalar."""
    found = run.resource("iterator", container, shared_name, lambda name: IteratorResource(name, output_types, output_shapes))
    if found.dataset is None:
        call, explain, _ = run.function_call(dataset_factory)
        try:
            dataset = call()
        except Exception as raised:
            raise explain(raised)  # noqa: B904 - it has its cause
        found.start(as_dataset(dataset))
    return run.handle(found)


def _components(source: Sym, *, output_types: Any, output_shapes: Any) -> list[Any]:
    return list(output_shapes)


_NEXT: Any = {
    "out": "components", "shape": _components, "stateful": True, "access": {"iterator": "update"}, "resource": "iterator",
}  # fmt: skip


@op("IteratorGetNext", **_NEXT)
def iterator_get_next(
    run: Any, iterator: resource, *, output_types: Types, output_shapes: Shapes
) -> Each["output_types"]:  # noqa: F821
    """The components of the next element: handle scalar -> components of any shapes.

    Raises: OutOfRangeError at the end, again in each run; FailedPreconditionError before the iterator is initialized; the error
    of an element that cannot be made.
    """
    return iterator_of(iterator).next(run)


@op("IteratorGetNextSync", **_NEXT)
def iterator_get_next_sync(
    run: Any, iterator: resource, *, output_types: Types, output_shapes: Shapes
) -> Each["output_types"]:  # noqa: F821
    """As IteratorGetNext: handle scalar -> components of any shapes."""
    return iterator_of(iterator).next(run)


# -- handles as strings ---------------------------------------------------------------------------------------------------

_HANDLE: Final = b"tfedu iterator"


@op(
    "IteratorToStringHandle", out="string_handle", shape=scalar, stateful=True, access={"resource_handle": "look"},
    resource="iterator",
)  # fmt: skip
def iterator_to_string_handle(run: Any, resource_handle: resource) -> string:
    """A text that stands for the iterator in feeds: scalar -> scalar."""
    wanted = iterator_of(resource_handle)
    for (_, container, name), found in list(run.store.resources.items()):
        if found is wanted:
            return b"\0".join((_HANDLE, as_bytes(container), as_bytes(name)))
    raise invalid("The iterator is not one of this session.")


@op("IteratorFromStringHandleV2", out="resource_handle", shape=scalar, stateful=True, resource="iterator")
def iterator_from_string_handle_v2(
    run: Any, string_handle: string, *, output_types: list[DType] = (), output_shapes: list[ShapeAttr] = ()
) -> resource:
    """The iterator of a text from IteratorToStringHandle: scalar -> scalar.

    Raises: InvalidArgumentError for another text, and for an iterator of other dtypes or shapes; NotFoundError for one that is
    not of this session.
    """
    parts = bytes(np.asarray(string_handle, object)[()]).split(b"\0")
    if len(parts) != 3 or parts[0] != _HANDLE:
        raise invalid(
            "Could not parse string_handle as a valid ResourceHandle",
            fix="a string handle is what session.run(iterator.string_handle()) returned",
        )
    container, name = parts[1].decode(), parts[2].decode()
    found = run.store.resources.get(("iterator", container, name))
    if found is None:
        raise errors.NotFoundError(
            None, None, f"Resource {container or 'localhost'}/{name}/N10tensorflow4data16IteratorResourceE does not exist."
        )
    check_components(output_types, output_shapes, found.kinds, found.shapes)
    return run.handle(found)


def check_components(
    kinds: Sequence[DType], shapes: Sequence[Shape], found_kinds: Sequence[DType], found_shapes: Sequence[Shape]
) -> None:
    """Raises: InvalidArgumentError for components of other dtypes or shapes than the expected ones."""
    if kinds and len(kinds) != len(found_kinds):
        raise invalid(f"Number of components does not match: expected {len(kinds)} types but got {len(found_kinds)}.")
    for i, (expected, got) in enumerate(zip(kinds, found_kinds)):
        if expected is not got:
            names = runtime_name(expected), runtime_name(got)
            raise invalid(f"Data type mismatch at component {i}: expected {names[0]} but got {names[1]}.")
    for i, (wanted, has) in enumerate(zip(shapes, found_shapes)):
        if not is_compatible(wanted, has):
            texts = [fmt(shape).replace(" ", "") for shape in (wanted, has)]
            raise invalid(f"Incompatible shapes at component {i}: expected {texts[0]} but got {texts[1]}.")


# -- Optional -------------------------------------------------------------------------------------------------------------


class OptionalValue:
    """An element, or that there is none (None)."""

    __slots__ = ("element",)

    def __init__(self, element: Element | None) -> None:
        self.element = element


def _optional(value: Any) -> OptionalValue:
    if not isinstance(value, OptionalValue):
        raise invalid("Input is not an optional value.")
    return value


@op("OptionalFromValue", out="optional", shape=scalar, commutes=True)
def optional_from_value(run: Any, components: Each["Toutput_types"]) -> variant:  # noqa: F821
    """An optional that has these components: of any shapes -> scalar."""
    return OptionalValue(tuple(components))


@optional_from_value.grad
def _(op: Any, g: Any) -> Any:
    return nodes.OptionalGetValue(g, [t.dtype.base_dtype for t in op.inputs], [t.get_shape() for t in op.inputs])


@op("OptionalNone", out="optional", shape=scalar, commutes=True)
def optional_none(run: Any) -> variant:
    """An optional without a value: scalar."""
    return OptionalValue(None)


@op("OptionalHasValue", out="has_value", shape=scalar, commutes=True)
def optional_has_value(run: Any, optional: variant) -> dtypes.bool:
    """Whether there is a value: scalar -> scalar."""
    return np.bool_(_optional(optional).element is not None)


@op("OptionalGetValue", out="components", shape=_components, commutes=True)
def optional_get_value(
    run: Any, optional: variant, *, output_types: Types, output_shapes: Shapes
) -> Each["output_types"]:  # noqa: F821
    """The components: scalar -> of any shapes.

    Raises: InvalidArgumentError where there is no value, or one of other dtypes.
    """
    element = _optional(optional).element
    if element is None:
        fix = "optional.has_value() tells; tf.cond takes the other branch"
        raise invalid("The given optional does not have a value.", fix=fix)
    return element


@optional_get_value.grad
def _(op: Any, *gs: Any) -> Any:
    return nodes.OptionalFromValue(list(gs))


@op(
    "IteratorGetNextAsOptional", out="optional", shape=scalar, stateful=True, access={"iterator": "update"}, resource="iterator"
)
def iterator_get_next_as_optional(
    run: Any, iterator: resource, *, output_types: Types, output_shapes: Shapes
) -> variant:
    """The next element as an optional, without a value at the end: scalar -> scalar.

    Raises: FailedPreconditionError before the iterator is initialized; the error of an element that cannot be made.
    """
    try:
        return OptionalValue(iterator_of(iterator).next(run))
    except errors.OutOfRangeError:
        return OptionalValue(None)


# -- saving, single elements ------------------------------------------------------------------------------------------------


@op("SerializeIterator", out="serialized", shape=scalar, stateful=True, access={"resource_handle": "read"}, resource="iterator")
def serialize_iterator(run: Any, resource_handle: resource, *, external_state_policy: int = 0) -> variant:
    """Where the iterator stands, as a variant that holds text: scalar -> scalar.

    Differs from TF: the text has the number of elements given and the seeds drawn, not the stages' buffers. To restore it passes
    over as many elements.

    Raises: FailedPreconditionError before the iterator is initialized.
    """
    iterator = iterator_of(resource_handle)
    if iterator.dataset is None:
        raise errors.FailedPreconditionError(None, None, "The iterator has not been initialized.")
    return json.dumps([iterator.given, iterator.seeds.drawn]).encode()


@op("DeserializeIterator", shape=lambda *_: [], stateful=True, access={"resource_handle": "update"}, resource="iterator")
def deserialize_iterator(run: Any, resource_handle: resource, serialized: variant) -> None:
    """Goes on where a text from SerializeIterator says: two scalars.

    Raises: FailedPreconditionError before the iterator is initialized, InvalidArgumentError for another text.
    """
    iterator = iterator_of(resource_handle)
    if iterator.dataset is None:
        text = (
            "Restore() failed because the iterator has not been initialized. Ensure that you have run the initializer operation "
            "for this iterator before restoring it."
        )
        raise errors.FailedPreconditionError(None, None, text)
    try:
        given, seeds = json.loads(bytes(np.asarray(serialized, object)[()]))
        given, seeds = int(given), Seeds(int(seed) for seed in seeds)
    except (ValueError, TypeError):
        raise invalid("The text is not a saved iterator.") from None
    iterator.start(iterator.dataset, seeds, given)
    return ()


@op("DatasetToSingleElement", out="components", shape=_components, stateful=True, commutes=True)
def dataset_to_single_element(
    run: Any, dataset: variant, *, output_types: Types, output_shapes: Shapes
) -> Each["output_types"]:  # noqa: F821
    """The components of the only element: scalar -> of any shapes.

    Raises: InvalidArgumentError for a dataset of no element, or of several.
    """
    elements = Walk(run)(as_dataset(dataset))
    element = next(elements, None)
    if element is None:
        raise invalid("Dataset was empty.")
    if type(element) is Failure:
        raise element.error
    if next(elements, None) is not None:
        raise invalid("Dataset had more than one element.")
    return element


__all__ = ["IteratorResource", "OptionalValue", "check_components", "iterator_of"]
