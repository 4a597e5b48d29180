"""The rest of `tf.contrib.framework.nest`: leaves with their paths, and structures cut off where a shallower one
ends.

`flatten_up_to([0, 0], [[1, 2], 3])` returns `[[1, 2], 3]`; the path of `c` in `[a, (b, {"k": c})]` is `(1, 1, "k")`.
No state.
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
    """Whether `seq` is a list, tuple, dict or composite tensor."""
    return is_structure(seq, True)


def flatten_dict_items(dictionary: Any) -> dict[Any, Any]:
    """One entry for each leaf of a nested key: `{("a", "b"): (1, 2)}` becomes `{"a": 1, "b": 2}`.

    Raises: TypeError unless `dictionary` is a mapping, ValueError for a repeated key or a value with another number
    of leaves.
    """
    if not isinstance(dictionary, Mapping):
        raise TypeError(error_text("input must be a dictionary"))
    items_by_key: dict[Any, Any] = {}
    for key, value in dictionary.items():
        keys, values = (flatten(key), flatten(value)) if is_nested(key) else ([key], [value])
        if len(keys) != len(values):
            text = f"Key had {len(keys)} elements, but value had {len(values)} elements. Key: {keys}, value: {values}."
            raise ValueError(error_text(f"Could not flatten dictionary. {text}"))
        for single, item in zip(keys, values):
            if single in items_by_key:
                raise ValueError(error_text(f"Could not flatten dictionary: key {single} is not unique."))
            items_by_key[single] = item
    return items_by_key


def assert_shallow_structure(
    shallow_tree: Any,
    input_tree: Any,
    check_types: bool = True,
    expand_composites: bool = False,
    check_subtrees_length: bool = True,
) -> None:
    """Raises: TypeError or ValueError unless `input_tree` is nested like `shallow_tree` down to the latter's leaves.

    check_subtrees_length: corresponding containers must have equal lengths.
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
    length, wanted = len(parts_of(input_tree)), len(parts_of(shallow_tree))
    if check_subtrees_length and length != wanted:
        raise ValueError(
            error_text(
                f"The two structures don't have the same sequence length. Input structure has length {length}, while shallow "
                f"structure has length {wanted}."
            )
        )
    if length < wanted:
        raise ValueError(
            error_text(
                f"The input_tree has fewer elements than the shallow_tree. Input structure has length {length}, while shallow "
                f"structure has length {wanted}."
            )
        )
    if isinstance(shallow_tree, Mapping) and set(shallow_tree) - set(input_tree):
        raise ValueError(
            error_text(
                "The shallow_tree's keys are not a subset of the input_tree's keys. The shallow_tree has the following keys "
                f"that are not in the input_tree: {sorted(set(shallow_tree) - set(input_tree))}."
            )
        )
    input_parts = _by_key(input_tree)
    for key, part in _by_key(shallow_tree).items():
        assert_shallow_structure(part, input_parts[key], check_types, expand_composites, check_subtrees_length)


def _by_key(structure: Any) -> dict[Any, Any]:
    """The parts by their key in a path: an index, a dict's key or a field's name."""
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
    pairs = flatten_with_tuple_paths_up_to(
        shallow_tree, input_tree, check_types, expand_composites, check_subtrees_length
    )
    return [tree for _, tree in pairs]


def map_structure_with_tuple_paths_up_to(shallow_tree: Any, func: Callable[..., Any], *inputs: Any, **kwargs: Any) -> Any:
    """`shallow_tree` with each leaf replaced by `func(path, subtree of each input)`.

    kwargs: check_types (True), expand_composites (False), check_subtrees_length (True); all others are passed to
    func.

    Raises: ValueError without inputs; ValueError or TypeError when an input is nested differently.
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
    """The first structure with each leaf replaced by `func(path, leaf of each structure)`; paths are strings such as
    `1/1/k`.
    """
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
    """The leaves, each with its path joined into a string."""
    pairs = _leaves(structure, structure, expand_composites)
    return [(separator.join(map(str, path)), leaf) for path, leaf in pairs]


def get_traverse_shallow_structure(
    traverse_fn: Callable[[Any], Any], structure: Any, expand_composites: bool = False
) -> Any:
    """The shallow structure whose bools say which parts `traverse_fn` enters; it returns a bool for a part or one
    for each child.

    Raises: TypeError when `traverse_fn` returns anything else.
    """
    answer = traverse_fn(structure)
    if not is_structure(structure, expand_composites):
        if not isinstance(answer, bool):
            raise TypeError(
                error_text(f"traverse_fn returned structure: {answer} for non-structure: {structure}")
            )
        return answer
    parts = parts_of(structure)
    if isinstance(answer, bool):
        if not answer:
            return False
        return like(structure, [get_traverse_shallow_structure(traverse_fn, part, expand_composites) for part in parts])
    if not is_structure(answer, expand_composites):
        raise TypeError(
            error_text(f"traverse_fn returned a non-bool scalar: {answer} for input: {structure}")
        )
    assert_shallow_structure(answer, structure, expand_composites=expand_composites)
    levels = []
    for enters, part in zip(parts_of(answer), parts):
        if not isinstance(enters, bool):
            raise TypeError(
                error_text(
                    f"traverse_fn didn't return a depth=1 structure of bools.  saw: {answer}  for structure: {structure}"
                )
            )
        levels.append(get_traverse_shallow_structure(traverse_fn, part) if enters else False)
    return like(structure, levels)
