"""Reads the tensors of a checkpoint: `load_checkpoint("model.ckpt").get_tensor("w")`, `list_variables("/tmp/model")`.

`init_from_checkpoint` takes the initial values of variables from a checkpoint. No state.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from ...base import errors
from ...base.dtypes import DType
from ...base.errors import error_text
from ...files import bundle, gfile
from ...graph.default_graph import get_default_graph
from ...lib.variables.variable_store import store_of
from ...lib.variables.variables import Variable
from ...op.shape_checks import unwrapped
from . import saveables
from .checkpoint_state import latest_checkpoint
from .saver_nodes import restore_tensors


@contextmanager
def _errors_with_line() -> Iterator[None]:
    """Adds the user's line to the errors of the files."""
    try:
        yield
    except errors.OpError as error:
        raise type(error)(None, None, error_text(error.message)) from None  # type: ignore[call-arg]


class CheckpointReader:
    """The tensors of a checkpoint, by name.

    Raises: NotFoundError for a missing checkpoint, DataLossError for a damaged one.
    """

    def __init__(self, filename: Any) -> None:
        with _errors_with_line():
            self._bundle = bundle.open_checkpoint(os.fsdecode(filename))

    def _entries(self) -> dict[str, bundle.Entry]:
        with _errors_with_line():
            return {name.decode("utf-8", "surrogateescape"): self._bundle.entry(name) for name in self._bundle.names()}

    def has_tensor(self, tensor_str: str) -> bool:
        """Whether the checkpoint has a tensor of this name."""
        return _bytes(tensor_str) in self._bundle

    def get_tensor(self, tensor_str: str) -> Any:
        """A tensor's value [...]. Raises: NotFoundError, DataLossError."""
        with _errors_with_line(), self._bundle:
            return unwrapped(self._bundle.read(_bytes(tensor_str)))

    def get_variable_to_shape_map(self) -> dict[str, list[int]]:
        """The shape of each tensor."""
        return {name: list(entry.shape) for name, entry in self._entries().items()}

    def get_variable_to_dtype_map(self) -> dict[str, DType]:
        """The dtype of each tensor."""
        return {name: entry.dtype for name, entry in self._entries().items()}

    def debug_string(self) -> bytes:
        """One line per tensor: name, dtype, shape."""
        from ...base import proto

        lines = [
            f"{name} ({proto.DATA_TYPES[entry.dtype.as_datatype_enum]}) [{','.join(map(str, entry.shape))}]\n"
            for name, entry in self._entries().items()
        ]
        return "".join(lines).encode("utf-8", "surrogateescape")


def _bytes(name: Any) -> bytes:
    return name if isinstance(name, bytes) else str(name).encode("utf-8", "surrogateescape")


def NewCheckpointReader(filepattern: Any) -> CheckpointReader:
    """A reader of a checkpoint. Raises: NotFoundError, DataLossError."""
    return CheckpointReader(filepattern)


def load_checkpoint(ckpt_dir_or_file: Any) -> CheckpointReader:
    """A reader of a checkpoint, or of the newest one of a folder.

    Raises: ValueError for a folder without checkpoints, NotFoundError, DataLossError.
    """
    return CheckpointReader(found_checkpoint(ckpt_dir_or_file))


def found_checkpoint(ckpt_dir_or_file: Any) -> str:
    """The path of a checkpoint, or of the newest one of a folder. Raises: ValueError for a folder without checkpoints."""
    path = os.fsdecode(ckpt_dir_or_file)
    newest = latest_checkpoint(path) if gfile.isdir(path) else path
    if newest is None:
        raise ValueError(
            error_text(f"Couldn't find 'checkpoint' file or checkpoints in given directory {path}")
        )
    return newest


def load_variable(ckpt_dir_or_file: Any, name: str) -> Any:
    """The value [...] of a variable in a checkpoint, or in the newest one of a folder. Raises: see load_checkpoint."""
    return load_checkpoint(ckpt_dir_or_file).get_tensor(name.removesuffix(":0"))


def list_variables(ckpt_dir_or_file: Any) -> list[tuple[str, list[int]]]:
    """Name and shape of each variable in a checkpoint, or in the newest one of a folder. Raises: see load_checkpoint."""
    return sorted(load_checkpoint(ckpt_dir_or_file).get_variable_to_shape_map().items())


def init_from_checkpoint(ckpt_dir_or_file: Any, assignment_map: dict[str, Any]) -> None:
    """Makes the initializers of variables read their values from a checkpoint.

    assignment_map: from names in the checkpoint to variables, their names, or lists of slices; a name that ends in "/"
    means all variables of that scope, "/" all variables.
    Raises: ValueError for a name that the checkpoint or the graph does not have, and for an incompatible shape.
    """
    path = found_checkpoint(ckpt_dir_or_file)
    stored_shapes = CheckpointReader(path).get_variable_to_shape_map()
    variables = store_of(get_default_graph())._vars
    for name, target in sorted(assignment_map.items()):
        variable = target if _is_variable(target) else _variable_or_slices(variables, target)
        if variable is not None:
            if name not in stored_shapes:
                raise ValueError(
                    error_text(f"Tensor {name} is not found in {ckpt_dir_or_file} checkpoint {stored_shapes}")
                )
            _read_initially(variable, path, name, stored_shapes)
            continue
        for own, theirs in _names_in_scope(variables, name, target):
            if theirs not in stored_shapes:
                short = own[len(target.rpartition("/")[0]) + 1 :]
                raise ValueError(
                    error_text(f"Tensor {theirs} ({short} in {name}) is not found in {ckpt_dir_or_file} checkpoint")
                )
            _read_initially(_variable_or_slices(variables, own), path, theirs, stored_shapes, check_shape=False)


def _is_variable(item: Any) -> bool:
    return isinstance(item, Variable) or (isinstance(item, list) and all(isinstance(v, Variable) for v in item))


def _variable_or_slices(variables: dict[str, Any], name: str) -> Any:
    """The variable of this name, the list of its slices, or None."""
    if name in variables or f"{name}/part_0" not in variables:
        return variables.get(name)
    parts = []
    while f"{name}/part_{len(parts)}" in variables:
        parts.append(variables[f"{name}/part_{len(parts)}"])
    return parts


def _names_in_scope(variables: dict[str, Any], name: str, target: str) -> list[tuple[str, str]]:
    """Pairs (name of a variable in the scope `target`, its name in the checkpoint's scope `name`)."""
    scope = target.rpartition("/")[0]
    if not name.endswith("/"):
        raise ValueError(
            error_text(
                f"Assignment map with scope only name {scope} should map to scope only {name}. "
                "Should be 'scope/': 'other_scope/'."
            )
        )
    inside = {own.partition("/part_")[0] for own in variables if not scope or own.startswith(f"{scope}/")}
    pairs = []
    for own in sorted(inside):
        rest = own[len(scope) :]
        if target != "/":
            rest = rest[1:]
        pairs.append((own, (rest if name == "/" else name + rest).removesuffix("/")))
    return pairs


def _read_initially(
    variable: Any, path: str, name: str, stored_shapes: dict[str, list[int]], check_shape: bool = True
) -> None:
    if isinstance(variable, list):
        full_names = {v._save_slice_info.full_name for v in variable}
        if len(full_names) > 1:
            first, other = sorted(full_names)[:2]
            raise ValueError(error_text(f"Slices must all be from the same tensor: {first} != {other}"))
        for part in variable:
            _set_initializer(part, path, name, part._save_slice_info.spec)
        return
    if check_shape and not variable.shape.is_compatible_with(stored_shapes[name]):
        raise ValueError(
            error_text(
                f"Shape of variable {variable.name} ({variable.shape}) doesn't match with shape of tensor {name} "
                f"({stored_shapes[name]}) from checkpoint reader."
            )
        )
    _set_initializer(variable, path, name, "")


def _set_initializer(variable: Any, path: str, name: str, spec: str) -> None:
    graph = get_default_graph()
    with graph.device(variable.device), graph.device("/cpu:0"):
        (value,) = restore_tensors(path, [name], [spec], [variable.dtype], name="checkpoint_initializer")
        ((own, item),) = saveables.by_name([variable]).items()
        (saveable,) = saveables.saveables_of(item, own)
    assign = saveable.restore([value], None)
    variable._initializer = getattr(assign, "op", assign)
    value.set_shape(variable.shape)
    variable._initial_value = value


__all__ = [
    "CheckpointReader", "NewCheckpointReader", "init_from_checkpoint", "list_variables", "load_checkpoint", "load_variable",
]  # fmt: skip
