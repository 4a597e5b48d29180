"""Structures down to a shallower one, and with the path to each leaf: the rest of `tf.contrib.framework.nest`.

`flatten_up_to([0, 0], [[1, 2], 3])` gives `[[1, 2], 3]`; the path of `c` in `[a, (b, {"k": c})]` is `(1, 1, "k")`. No state.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from ...base.errors import error_text
from .nest import (
    are_alike,
    flatten,
    is_composite,
    is_nested,
    is_structure,
    keys_of,
    like,
    pack_sequence_as,
    parts_of,
)

Path = tuple[Any, ...]


def is_sequence_or_composite(seq: Any) -> bool:
    """Whether `seq` is a list, tuple or dict, or consists of several tensors."""
    return is_structure(seq, True)


def flatten_dict_items(dictionary: Any) -> dict[Any, Any]:
    """One entry for each leaf of a key: `{("a", "b"): (1, 2)}` gives `{"a": 1, "b": 2}`.

    Raises: TypeError for no dictionary, ValueError for a key that stands twice and for a value of another length.
    """
    if not isinstance(dictionary, Mapping):
        raise TypeError(error_text("input must be a dictionary"))
    found: dict[Any, Any] = {}
    for key, value in dictionary.items():
        keys, values = (flatten(key), flatten(value)) if is_nested(key) else ([key], [value])
        if len(keys) != len(values):
            text = f"Key had {len(keys)} elements, but value had {len(values)} elements. Key: {keys}, value: {values}."
            raise ValueError(error_text(f"Could not flatten dictionary. {text}"))
        for single, item in zip(keys, values):
            if single in found:
                raise ValueError(error_text(f"Could not flatten dictionary: key {single} is not unique."))
            found[single] = item
    return found


def assert_shallow_structure(
    shallow_tree: Any,
    input_tree: Any,
    check_types: bool = True,
    expand_composites: bool = False,
    check_subtrees_length: bool = True,
) -> None:
    """Raises: TypeError or ValueError unless `input_tree` is nested as `shallow_tree` is, as far down as that goes.

    check_subtrees_length: it may have no more elements either.
    """
    if not is_structure(shallow_tree, expand_composites):
        return
    if not is_structure(input_tree, expand_composites):
        text = "If shallow structure is a sequence, input must also be a sequence. Input has type: "
        raise TypeError(error_text(f"{text}{type(input_tree)}."))
    if check_types and not isinstance(input_tree, type(shallow_tree)) and not are_alike(shallow_tree, input_tree):
        raise TypeError(
            error_text(
                f"The two structures don't have the same sequence type. Input structure has type {type(input_tree)}, while "
                f"shallow structure has type {type(shallow_tree)}."
            )
        )
    have, want = len(parts_of(input_tree)), len(parts_of(shallow_tree))
    if check_subtrees_length and have != want:
        raise ValueError(
            error_text(
                f"The two structures don't have the same sequence length. Input structure has length {have}, while shallow "
                f"structure has length {want}."
            )
        )
    if have < want:
        raise ValueError(
            error_text(
                f"The input_tree has fewer elements than the shallow_tree. Input structure has length {have}, while shallow "
                f"structure has length {want}."
            )
        )
    if isinstance(shallow_tree, Mapping) and set(shallow_tree) - set(input_tree):
        raise ValueError(
            error_text(
                "The shallow_tree's keys are not a subset of the input_tree's keys. The shallow_tree has the following keys "
                f"that are not in the input_tree: {sorted(set(shallow_tree) - set(input_tree))}."
            )
        )
    given = _by_key(input_tree)
    for key, part in _by_key(shallow_tree).items():
        assert_shallow_structure(part, given[key], check_types, expand_composites, check_subtrees_length)


def _by_key(structure: Any) -> dict[Any, Any]:
    """The parts by what stands for them in a path: an index, a key or a field's name."""
    parts = parts_of(structure)
    if isinstance(structure, Mapping):
        return dict(zip(keys_of(structure), parts))
    if is_composite(structure) or not hasattr(structure, "_fields"):
        return dict(enumerate(parts))
    return dict(zip(structure._fields, parts))


def _leaves(shallow: Any, tree: Any, expand: bool, path: Path = ()) -> Iterator[tuple[Path, Any]]:
    if not is_structure(shallow, expand):
        yield path, tree
        return
    parts = _by_key(tree)
    for key, part in _by_key(shallow).items():
        yield from _leaves(part, parts[key], expand, (*path, key))


def flatten_with_tuple_paths_up_to(
    shallow_tree: Any,
    input_tree: Any,
    check_types: bool = True,
    expand_composites: bool = False,
    check_subtrees_length: bool = True,
) -> list[tuple[Path, Any]]:
    """The subtrees of `input_tree` where `shallow_tree` has its leaves, each with its path."""
    assert_shallow_structure(shallow_tree, input_tree, check_types, expand_composites, check_subtrees_length)
    return list(_leaves(shallow_tree, input_tree, expand_composites))


def flatten_up_to(
    shallow_tree: Any,
    input_tree: Any,
    check_types: bool = True,
    expand_composites: bool = False,
    check_subtrees_length: bool = True,
) -> list[Any]:
    """The subtrees of `input_tree` where `shallow_tree` has its leaves."""
    found = flatten_with_tuple_paths_up_to(
        shallow_tree, input_tree, check_types, expand_composites, check_subtrees_length
    )
    return [tree for _, tree in found]


def map_structure_with_tuple_paths_up_to(shallow_tree: Any, func: Callable[..., Any], *inputs: Any, **kwargs: Any) -> Any:
    """`shallow_tree` with each leaf replaced by `func(path, subtree of each input)`.

    kwargs: check_types (True), expand_composites (False), check_subtrees_length (True); the rest goes to func.
    """
    if not inputs:
        raise ValueError(error_text("Cannot map over no sequences"))
    check_types, expand = kwargs.pop("check_types", True), kwargs.pop("expand_composites", False)
    check_length = kwargs.pop("check_subtrees_length", True)
    flat = [flatten_with_tuple_paths_up_to(shallow_tree, tree, check_types, expand, check_length) for tree in inputs]
    results = [func(leaves[0][0], *[tree for _, tree in leaves], **kwargs) for leaves in zip(*flat)]
    return pack_sequence_as(shallow_tree, results, expand)


def map_structure_up_to(shallow_tree: Any, func: Callable[..., Any], *inputs: Any, **kwargs: Any) -> Any:
    """`shallow_tree` with each leaf replaced by `func(subtree of each input)`."""
    return map_structure_with_tuple_paths_up_to(shallow_tree, lambda _, *trees: func(*trees), *inputs, **kwargs)


def map_structure_with_tuple_paths(func: Callable[..., Any], *structure: Any, **kwargs: Any) -> Any:
    """The first structure with each leaf replaced by `func(path, leaf of each structure)`."""
    return map_structure_with_tuple_paths_up_to(structure[0], func, *structure, **kwargs)


def map_structure_with_paths(func: Callable[..., Any], *structure: Any, **kwargs: Any) -> Any:
    """The same with the path as text: `1/1/k`."""
    return map_structure_with_tuple_paths(
        lambda path, *leaves, **more: func("/".join(map(str, path)), *leaves, **more), *structure, **kwargs
    )


def yield_flat_paths(nest: Any, expand_composites: bool = False) -> Iterator[Path]:
    """The path of each leaf."""
    for path, _ in _leaves(nest, nest, expand_composites):
        yield path


def flatten_with_tuple_paths(structure: Any, expand_composites: bool = False) -> list[tuple[Path, Any]]:
    """The leaves, each with its path."""
    return list(_leaves(structure, structure, expand_composites))


def flatten_with_joined_string_paths(
    structure: Any, separator: str = "/", expand_composites: bool = False
) -> list[tuple[str, Any]]:
    """The leaves, each with its path as text."""
    found = _leaves(structure, structure, expand_composites)
    return [(separator.join(map(str, path)), leaf) for path, leaf in found]


def get_traverse_shallow_structure(
    traverse_fn: Callable[[Any], Any], structure: Any, expand_composites: bool = False
) -> Any:
    """The shallow structure of what `traverse_fn` says is to be gone into: a bool for a part, or one for each part of it.

    Raises: TypeError when it says anything else.
    """
    wanted = traverse_fn(structure)
    if not is_structure(structure, expand_composites):
        if not isinstance(wanted, bool):
            raise TypeError(
                error_text(f"traverse_fn returned structure: {wanted} for non-structure: {structure}")
            )
        return wanted
    parts = parts_of(structure)
    if isinstance(wanted, bool):
        if not wanted:
            return False
        return like(structure, [get_traverse_shallow_structure(traverse_fn, part, expand_composites) for part in parts])
    if not is_structure(wanted, expand_composites):
        raise TypeError(
            error_text(f"traverse_fn returned a non-bool scalar: {wanted} for input: {structure}")
        )
    assert_shallow_structure(wanted, structure, expand_composites=expand_composites)
    levels = []
    for enter, part in zip(parts_of(wanted), parts):
        if not isinstance(enter, bool):
            raise TypeError(
                error_text(
                    f"traverse_fn didn't return a depth=1 structure of bools.  saw: {wanted}  for structure: {structure}"
                )
            )
        levels.append(get_traverse_shallow_structure(traverse_fn, part) if enter else False)
    return like(structure, levels)
