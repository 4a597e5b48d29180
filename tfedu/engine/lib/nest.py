"""Nested structures: `flatten([a, (b, {"k": c})])` gives `[a, b, c]`, `pack_sequence_as` puts a flat list back in shape.

Lists, tuples, namedtuples and dicts (in the order of their sorted keys) are structure, all else is a leaf. No state.
"""

from __future__ import annotations

import builtins
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any


def is_nested(seq: Any) -> bool:
    """Whether `seq` is a list, tuple or dict rather than a leaf."""
    return isinstance(seq, (list, builtins.tuple, Mapping))


def _keys(structure: Mapping[Any, Any]) -> list[Any]:
    try:
        return sorted(structure)
    except TypeError:
        raise TypeError("nest only supports dicts with sortable keys.") from None


def _parts(structure: Any) -> list[Any]:
    return [structure[key] for key in _keys(structure)] if isinstance(structure, Mapping) else list(structure)


def _like(structure: Any, parts: Sequence[Any]) -> Any:
    """The parts in a container of the structure's own type."""
    if isinstance(structure, Mapping):
        values = dict(zip(_keys(structure), parts))
        items = [(key, values[key]) for key in structure]
        return OrderedDict(items) if isinstance(structure, OrderedDict) else type(structure)(items)  # type: ignore[call-arg]
    if hasattr(structure, "_fields"):
        return type(structure)(*parts)
    return type(structure)(parts)


def flatten(structure: Any) -> list[Any]:
    """The leaves, left to right."""
    if not is_nested(structure):
        return [structure]
    return [leaf for part in _parts(structure) for leaf in flatten(part)]


def map_structure(func: Callable[..., Any], *structures: Any, **kwargs: Any) -> Any:
    """The first structure with each leaf replaced by `func(leaf of each structure)`."""
    if kwargs:
        raise ValueError(f"Only valid keyword arguments are none; got {', '.join(map(repr, kwargs))}")
    if not callable(func):
        raise TypeError(f"func must be callable, got: {func}")
    if not structures:
        raise ValueError("Must provide at least one structure")
    for other in structures[1:]:
        assert_same_structure(structures[0], other)
    return pack_sequence_as(structures[0], [func(*leaves) for leaves in zip(*map(flatten, structures))])


def pack_sequence_as(structure: Any, flat_sequence: Iterable[Any]) -> Any:
    """`structure` with its leaves replaced by those of `flat_sequence`.

    Raises: ValueError when the numbers of leaves differ.
    """
    flat = list(flat_sequence)
    if not is_nested(structure):
        if len(flat) != 1:
            raise ValueError(f"Structure is a scalar but len(flat_sequence) == {len(flat)} > 1")
        return flat[0]
    wanted = len(flatten(structure))
    if wanted != len(flat):
        raise ValueError(
            f"Could not pack sequence. Structure had {wanted} elements, but flat_sequence had {len(flat)} elements.  "
            f"Structure: {structure}, flat_sequence: {flat}."
        )
    return _packed(structure, iter(flat))


def _packed(structure: Any, leaves: Iterator[Any]) -> Any:
    if not is_nested(structure):
        return next(leaves)
    return _like(structure, [_packed(part, leaves) for part in _parts(structure)])


def assert_same_structure(nest1: Any, nest2: Any, check_types: bool = True) -> None:
    """Raises: ValueError when the two are nested differently, TypeError when their containers' types differ."""
    problem = _difference(nest1, nest2, check_types)
    if problem is not None:
        kind, text = problem
        raise kind(
            f"The two structures don't have the same nested structure.\n\nFirst structure: type={type(nest1).__name__} "
            f"str={nest1}\n\nSecond structure: type={type(nest2).__name__} str={nest2}\n\nMore specifically: {text}"
        )


def _difference(a: Any, b: Any, check_types: bool) -> tuple[type[Exception], str] | None:
    if is_nested(a) != is_nested(b):
        nested, leaf = (a, b) if is_nested(a) else (b, a)
        return ValueError, (
            f'Substructure "type={type(nested).__name__} str={nested}" is a sequence, while substructure '
            f'"type={type(leaf).__name__} str={leaf}" is not'
        )
    if not is_nested(a):
        return None
    if check_types and type(a) is not type(b) and not (isinstance(a, Mapping) and isinstance(b, Mapping)):
        return TypeError, (
            "The two namedtuples don't have the same sequence type. "
            f"First structure has type {type(a)}, while second structure has type {type(b)}"
        )
    if isinstance(a, Mapping) and isinstance(b, Mapping) and set(a) != set(b):
        return ValueError, (
            "The two dictionaries don't have the same set of keys. "
            f"First structure has keys {list(a)}, while second structure has keys {list(b)}"
        )
    if len(a) != len(b):
        return ValueError, (
            f"The two structures don't have the same number of elements. First structure: {a}. Second structure: {b}"
        )
    for part, other in zip(_parts(a), _parts(b)):
        problem = _difference(part, other, check_types)
        if problem is not None:
            return problem
    return None


__all__ = ["assert_same_structure", "flatten", "is_nested", "map_structure", "pack_sequence_as"]
