"""What a checkpoint holds: `load_checkpoint("model.ckpt").get_tensor("w")`, `list_variables("/tmp/model")`.

`init_from_checkpoint` makes variables begin with what a checkpoint holds. No state.
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
from .saver_nodes import restored


@contextmanager
def _said() -> Iterator[None]:
    """An error of the files names the user's line."""
    try:
        yield
    except errors.OpError as error:
        told: errors.OpError = type(error)(None, None, error_text(error.message))  # type: ignore[call-arg]
        raise told from None


class CheckpointReader:
    """The tensors of a checkpoint, by name.

    Raises: NotFoundError when there is none of that name, DataLossError when it is damaged.
    """

    def __init__(self, filename: Any) -> None:
        with _said():
            self._bundle = bundle.opened(os.fsdecode(filename))

    def _entries(self) -> dict[str, bundle.Entry]:
        with _said():
            return {name.decode("utf-8", "surrogateescape"): self._bundle.entry(name) for name in self._bundle.names()}

    def has_tensor(self, tensor_str: str) -> bool:
        """Whether there is a tensor of that name."""
        return _bytes(tensor_str) in self._bundle

    def get_tensor(self, tensor_str: str) -> Any:
        """A tensor's value. Raises: NotFoundError, DataLossError."""
        with _said(), self._bundle:
            return unwrapped(self._bundle.read(_bytes(tensor_str)))

    def get_variable_to_shape_map(self) -> dict[str, list[int]]:
        """The shape of each tensor."""
        return {name: list(entry.shape) for name, entry in self._entries().items()}

    def get_variable_to_dtype_map(self) -> dict[str, DType]:
        """The dtype of each tensor."""
        return {name: entry.dtype for name, entry in self._entries().items()}

    def debug_string(self) -> bytes:
        """A line a tensor: name, type, shape."""
        from ...base import proto

        lines = [
            f"{name} ({proto.DATA_TYPES[entry.dtype.as_datatype_enum]}) [{','.join(map(str, entry.shape))}]\n"
            for name, entry in self._entries().items()
        ]
        return "".join(lines).encode("utf-8", "surrogateescape")


def _bytes(name: Any) -> bytes:
    return name if isinstance(name, bytes) else str(name).encode("utf-8", "surrogateescape")


def NewCheckpointReader(filepattern: Any) -> CheckpointReader:
    """A reader of the checkpoint of that name. Raises: NotFoundError, DataLossError."""
    return CheckpointReader(filepattern)


def load_checkpoint(ckpt_dir_or_file: Any) -> CheckpointReader:
    """A reader of a checkpoint, or of the newest one of a folder.

    Raises: ValueError for a folder without checkpoints, NotFoundError, DataLossError.
    """
    return CheckpointReader(found_checkpoint(ckpt_dir_or_file))


def found_checkpoint(ckpt_dir_or_file: Any) -> str:
    """The checkpoint of that name, or the newest one of that folder. Raises: ValueError for a folder without one."""
    path = os.fsdecode(ckpt_dir_or_file)
    newest = latest_checkpoint(path) if gfile.isdir(path) else path
    if newest is None:
        raise ValueError(
            error_text(f"Couldn't find 'checkpoint' file or checkpoints in given directory {path}")
        )
    return newest


def load_variable(ckpt_dir_or_file: Any, name: str) -> Any:
    """The value of a variable in a checkpoint, or in the newest one of a folder. Raises: see load_checkpoint."""
    return load_checkpoint(ckpt_dir_or_file).get_tensor(name.removesuffix(":0"))


def list_variables(ckpt_dir_or_file: Any) -> list[tuple[str, list[int]]]:
    """Name and shape of each variable in a checkpoint, or in the newest one of a folder. Raises: see load_checkpoint."""
    return sorted(load_checkpoint(ckpt_dir_or_file).get_variable_to_shape_map().items())


def init_from_checkpoint(ckpt_dir_or_file: Any, assignment_map: dict[str, Any]) -> None:
    """Makes variables begin with what a checkpoint holds: their initializers read it.

    assignment_map: from names in the checkpoint to variables, their names, or lists of slices; a name that ends in "/"
    stands for all in that scope, "/" for all.
    Raises: ValueError for a name that the checkpoint or the graph does not have, and for a shape that does not fit.
    """
    path = found_checkpoint(ckpt_dir_or_file)
    known = CheckpointReader(path).get_variable_to_shape_map()
    made = store_of(get_default_graph())._vars
    for name, target in sorted(assignment_map.items()):
        variable = target if _is_variable(target) else _stored(made, target)
        if variable is not None:
            if name not in known:
                raise ValueError(
                    error_text(f"Tensor {name} is not found in {ckpt_dir_or_file} checkpoint {known}")
                )
            _begin(variable, path, name, known)
            continue
        for own, theirs in _in_scope(made, name, target):
            if theirs not in known:
                short = own[len(target.rpartition("/")[0]) + 1 :]
                raise ValueError(
                    error_text(f"Tensor {theirs} ({short} in {name}) is not found in {ckpt_dir_or_file} checkpoint")
                )
            _begin(_stored(made, own), path, theirs, known, checked=False)


def _is_variable(item: Any) -> bool:
    return isinstance(item, Variable) or (isinstance(item, list) and all(isinstance(v, Variable) for v in item))


def _stored(made: dict[str, Any], name: str) -> Any:
    """The variable of that name, or the slices of one."""
    if name in made or f"{name}/part_0" not in made:
        return made.get(name)
    parts = []
    while f"{name}/part_{len(parts)}" in made:
        parts.append(made[f"{name}/part_{len(parts)}"])
    return parts


def _in_scope(made: dict[str, Any], name: str, target: str) -> list[tuple[str, str]]:
    """For each variable of the scope `target` its name, and the one that it has in the checkpoint's scope `name`."""
    scope = target.rpartition("/")[0]
    if not name.endswith("/"):
        raise ValueError(
            error_text(
                f"Assignment map with scope only name {scope} should map to scope only {name}. "
                "Should be 'scope/': 'other_scope/'."
            )
        )
    inside = {own.partition("/part_")[0] for own in made if not scope or own.startswith(f"{scope}/")}
    found = []
    for own in sorted(inside):
        rest = own[len(scope) :]
        if target != "/":
            rest = rest[1:]
        found.append((own, (rest if name == "/" else name + rest).removesuffix("/")))
    return found


def _begin(variable: Any, path: str, name: str, known: dict[str, list[int]], checked: bool = True) -> None:
    if isinstance(variable, list):
        wholes = {v._save_slice_info.full_name for v in variable}
        if len(wholes) > 1:
            first, other = sorted(wholes)[:2]
            raise ValueError(error_text(f"Slices must all be from the same tensor: {first} != {other}"))
        for part in variable:
            _set_initializer(part, path, name, part._save_slice_info.spec)
        return
    if checked and not variable.shape.is_compatible_with(known[name]):
        raise ValueError(
            error_text(
                f"Shape of variable {variable.name} ({variable.shape}) doesn't match with shape of tensor {name} "
                f"({known[name]}) from checkpoint reader."
            )
        )
    _set_initializer(variable, path, name, "")


def _set_initializer(variable: Any, path: str, name: str, spec: str) -> None:
    graph = get_default_graph()
    with graph.device(variable.device), graph.device("/cpu:0"):
        (value,) = restored(path, [name], [spec], [variable.dtype], name="checkpoint_initializer")
        ((own, item),) = saveables.by_name([variable]).items()
        (saveable,) = saveables.saveables_of(item, own)
    begin = saveable.restore([value], None)
    variable._initializer = getattr(begin, "op", begin)
    value.set_shape(variable.shape)
    variable._initial_value = value


__all__ = [
    "CheckpointReader", "NewCheckpointReader", "init_from_checkpoint", "list_variables", "load_checkpoint", "load_variable",
]  # fmt: skip
