"""Nested structures: `flatten([a, (b, {"k": c})])` returns `[a, b, c]`; `pack_sequence_as` rebuilds the structure
from a flat list.

Lists, tuples, namedtuples, views of a dict and dicts (in the order of their sorted keys) are structures; everything
else is a leaf.
With `expand_composites`, composite tensors (SparseTensor, IndexedSlices, …) are structures too. No state.
"""

from __future__ import annotations

import builtins
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Mapping, MappingView, Sequence
from typing import Any

from ...base.errors import error_text


def is_nested(seq: Any) -> bool:
    """Whether `seq` is a list, tuple, dict or the like (a deque, a view such as `d.values()`) rather than a leaf."""
    if isinstance(seq, (list, builtins.tuple, Mapping)):
        return True
    return isinstance(seq, (Sequence, MappingView)) and not isinstance(seq, (str, bytes))


def keys_of(structure: Mapping[Any, Any]) -> list[Any]:
    """The keys in the order in which flatten visits their values.

    Raises: TypeError for keys that cannot be sorted.
    """
    try:
        return sorted(structure)
    except TypeError:
        raise TypeError("nest only supports dicts with sortable keys.") from None


def is_composite(value: Any) -> bool:
    """Whether `value` is a composite tensor: one value made of several tensors."""
    return hasattr(type(value), "_with_parts")


def is_structure(value: Any, expand: bool) -> bool:
    """Whether `value` is not a leaf. expand: composite tensors count as structures."""
    return is_nested(value) or (expand and is_composite(value))


def parts_of(structure: Any) -> list[Any]:
    """The direct children of a structure."""
    if is_composite(structure):
        return list(structure._parts)
    return [structure[key] for key in keys_of(structure)] if isinstance(structure, Mapping) else list(structure)


def like(structure: Any, parts: Sequence[Any]) -> Any:
    """A container of the structure's own type that holds `parts`."""
    if is_composite(structure):
        return structure._with_parts(*parts)
    if isinstance(structure, Mapping):
        values = dict(zip(keys_of(structure), parts))
        items = [(key, values[key]) for key in structure]
        return OrderedDict(items) if isinstance(structure, OrderedDict) else type(structure)(items)  # type: ignore[call-arg]
    if hasattr(structure, "_fields"):
        return type(structure)(*parts)
    if isinstance(structure, MappingView):
        return list(parts)  # a view has no values of its own
    return type(structure)(parts)


def flatten(structure: Any, expand_composites: bool = False) -> list[Any]:
    """The leaves, left to right.

    Raises: TypeError for a dict whose keys cannot be sorted.
    """
    try:
        return _flattened(structure, expand_composites)
    except RecursionError:
        raise ValueError(error_text("The structure is nested too deeply: a list of lists of … lists.")) from None


def _flattened(structure: Any, expand_composites: bool) -> list[Any]:
    if not is_structure(structure, expand_composites):
        return [structure]
    return [leaf for part in parts_of(structure) for leaf in _flattened(part, expand_composites)]


def map_structure(func: Callable[..., Any], *structure: Any, **kwargs: Any) -> Any:
    """The first structure with each leaf replaced by `func(leaf of each structure)`.

    kwargs: check_types (True), expand_composites (False).

    Raises: ValueError or TypeError when the structures differ, TypeError for a `func` that is not callable.
    """
    if not callable(func):
        raise TypeError(f"func must be callable, got: {func}")
    if not structure:
        raise ValueError("Must provide at least one structure")
    check_types, expand = kwargs.pop("check_types", True), kwargs.pop("expand_composites", False)
    if kwargs:
        raise ValueError(
            f"Only valid keyword arguments are `check_types` and `expand_composites`, not: `{'`, `'.join(kwargs)}`"
        )
    for other in structure[1:]:
        assert_same_structure(structure[0], other, check_types, expand)
    leaves = zip(*[flatten(item, expand) for item in structure])
    return pack_sequence_as(structure[0], [func(*item) for item in leaves], expand)


def pack_sequence_as(structure: Any, flat_sequence: Iterable[Any], expand_composites: bool = False) -> Any:
    """`structure` with its leaves replaced by those of `flat_sequence`.

    Raises: ValueError when the numbers of leaves differ, TypeError when `flat_sequence` is not a list, tuple or dict.
    """
    if not is_nested(flat_sequence):
        raise TypeError("flat_sequence must be a sequence")
    flat = list(flat_sequence)
    if not is_structure(structure, expand_composites):
        if len(flat) != 1:
            raise ValueError(f"Structure is a scalar but len(flat_sequence) == {len(flat)} > 1")
        return flat[0]
    leaf_count = len(flatten(structure, expand_composites))
    if leaf_count != len(flat):
        raise ValueError(
            f"Could not pack sequence. Structure had {leaf_count} elements, but flat_sequence had {len(flat)} elements.  "
            f"Structure: {structure}, flat_sequence: {flat}."
        )
    return _pack(structure, iter(flat), expand_composites)


def _pack(structure: Any, leaves: Iterator[Any], expand: bool) -> Any:
    if not is_structure(structure, expand):
        return next(leaves)
    return like(structure, [_pack(part, leaves, expand) for part in parts_of(structure)])


def assert_same_structure(
    nest1: Any, nest2: Any, check_types: bool = True, expand_composites: bool = False
) -> None:
    """Raises: ValueError when the two are nested differently, TypeError when their containers' types differ."""
    difference = _difference(nest1, nest2, check_types, expand_composites)
    if difference is not None:
        kind, text = difference
        raise kind(
            f"The two structures don't have the same nested structure.\n\nFirst structure: {_description(nest1)}\n\n"
            f"Second structure: {_description(nest2)}\n\nMore specifically: {text}"
        )


def _description(structure: Any) -> str:
    return f"type={type(structure).__name__} str={structure}"


def _difference(a: Any, b: Any, check_types: bool, expand: bool) -> tuple[type[Exception], str] | None:
    if is_structure(a, expand) != is_structure(b, expand):
        nested, leaf = (a, b) if is_structure(a, expand) else (b, a)
        return ValueError, (
            f'Substructure "{_description(nested)}" is a sequence, while substructure "{_description(leaf)}" is not'
        )
    if not is_structure(a, expand):
        return None
    if expand and (is_composite(a) or is_composite(b)):
        kinds = [(type(value), [part.dtype for part in flatten(value, True)]) for value in (a, b)]
        return None if kinds[0] == kinds[1] else (ValueError, f"Incompatible CompositeTensor TypeSpecs: {a} vs. {b}")
    if check_types and not are_alike(a, b):
        kind = "namedtuples" if hasattr(a, "_fields") and hasattr(b, "_fields") else "structures"
        return TypeError, (
            f"The two {kind} don't have the same sequence type. "
            f"First structure has type {type(a)}, while second structure has type {type(b)}"
        )
    if check_types and isinstance(a, Mapping) and isinstance(b, Mapping) and set(a) != set(b):
        return ValueError, (
            "The two dictionaries don't have the same set of keys. "
            f"First structure has keys {list(a)}, while second structure has keys {list(b)}"
        )
    if len(a) != len(b):
        return ValueError, (
            f"The two structures don't have the same number of elements. First structure: {_description(a)}. "
            f"Second structure: {_description(b)}"
        )
    for part, other in zip(parts_of(a), parts_of(b)):
        difference = _difference(part, other, check_types, expand)
        if difference is not None:
            return difference
    return None


def are_alike(a: Any, b: Any) -> bool:
    """Whether two containers are of one kind: the same type, both mappings, or namedtuples with the same name and
    fields.
    """
    if type(a) is type(b) or (isinstance(a, Mapping) and isinstance(b, Mapping)):
        return True
    fields = getattr(a, "_fields", None)
    return fields is not None and fields == getattr(b, "_fields", None) and type(a).__name__ == type(b).__name__


__all__ = ["assert_same_structure", "flatten", "is_nested", "map_structure", "pack_sequence_as"]
