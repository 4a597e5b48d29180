"""Checks and conversions of the arguments of `import_graph_def`. No state."""

from __future__ import annotations

from typing import Any

from ..base.errors import error_text
from ..graph.conversion import convert_to_tensor
from ..graph.nodes import Tensor
from ..lib.framework.scope_blocks import name_scope


def checked_map(input_map: Any) -> dict[str, Any]:
    if input_map is None:
        return {}
    if not isinstance(input_map, dict):
        raise TypeError(
            error_text(f"Argument `input_map` must be a dictionary. Obtained {type(input_map).__name__}")
        )
    if not all(isinstance(key, str | bytes) for key in input_map):
        raise TypeError(
            error_text(f"All keys for argument `input_map` must be strings. Obtained keys: {list(input_map)}")
        )
    return {k.decode("utf-8", "replace") if isinstance(k, bytes) else k: v for k, v in input_map.items()}


def checked_elements(elements: Any) -> list[str] | None:
    if elements is None:
        return None
    if isinstance(elements, str | bytes):
        elements = [elements]
    names = tuple(elements)
    if not all(isinstance(name, str | bytes) for name in names):
        raise TypeError(
            error_text(f"Argument `return_elements` must be a list of strings. Obtained {elements}.")
        )
    return [name.decode("utf-8", "replace") if isinstance(name, bytes) else name for name in names]


def as_tensors(mapped: dict[str, Any], name: str | None) -> dict[tuple[str, int], Tensor]:
    """The map with keys (node, output), output -1 for "^node"; other values than tensors become constants under `_inputs`."""
    replacements = dict(mapped)
    if not all(isinstance(value, Tensor) for value in replacements.values()):
        if name == "":
            raise ValueError(
                error_text(
                    "tf.import_graph_def() requires a non-empty `name` if `input_map` contains non-Tensor values. Try calling "
                    "tf.convert_to_tensor() on `input_map` values before calling tf.import_graph_def()."
                )
            )
        with name_scope("_inputs"):
            replacements = {key: convert_to_tensor(value) for key, value in replacements.items()}
    return {
        (key[1:], -1) if key.startswith("^") else tensor_name(key): tensor for key, tensor in replacements.items()
    }


def tensor_name(name: str) -> tuple[str, int]:
    """("x", 1) of "x:1", ("x", 0) of "x". Raises: ValueError for an invalid tensor name."""
    node, *rest = name.split(":")
    if not rest:
        return node, 0
    if len(rest) > 1:
        raise ValueError(
            error_text(
                f"Cannot convert {name!r} to a tensor name. Tensor names should not contain more than 1 `:`. Obtained {len(rest)}"
            )
        )
    if not (rest[0].isascii() and rest[0].isdigit() and len(rest[0]) < 10):
        raise ValueError(
            error_text(
                f"Cannot convert {name!r} to a tensor name. Second component of the name following the `:` should be an int. "
                f"Got {rest[0]}."
            )
        )
    return node, int(rest[0])
