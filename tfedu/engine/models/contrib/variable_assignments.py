"""`tf.contrib.framework.assign_from_checkpoint` and its relatives: variables take values from a dict or from a checkpoint.

    restore = assign_from_checkpoint_fn(path, get_variables_to_restore(exclude=["logits"]))
    restore(session)

No state.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...base import log
from ...base.errors import error_text
from ...graph.atomic import atomic
from ...graph.nodes import Operation
from ...lib.control.grouping import group
from ...lib.framework.placeholders import placeholder
from ...training.checkpoints.checkpoint_reader import NewCheckpointReader
from ...training.checkpoints.saver import Saver
from ...training.checkpoints.saver_nodes import V1
from .model_variables import get_unique_variable, get_variable_full_name, get_variables

Feeds = dict[Any, Any]


def _assigned(var: Any, value: np.ndarray, feeds: Feeds) -> Any:
    """An assign of a new placeholder, which is fed with the value in the variable's shape."""
    source = placeholder(var.dtype.base_dtype, shape=var.shape, name=f"placeholder/{var.op.name}")
    assign = var.assign(source)
    feeds[source] = value.reshape(var.shape.as_list())
    return assign


@atomic
def assign_from_values(var_names_to_values: dict[str, Any]) -> tuple[Operation, Feeds]:
    """(an operation, its feeds) that stores values [shape], of the variables' number of elements, in variables of these names.

    Raises: ValueError for a name of no variable, and for a value of another number of elements.
    """
    feeds: Feeds = {}
    assigns = []
    for name, value in var_names_to_values.items():
        if not get_variables(name):
            raise ValueError(error_text(f"Variable {name} wasn't found"))
        assigns.append(_assigned(get_unique_variable(name), np.asarray(value), feeds))
    return group(*assigns), feeds


def assign_from_values_fn(var_names_to_values: dict[str, Any]) -> Callable[[Any], Any]:
    """A function of a session that stores values in variables; its nodes are built at once. Raises: as `assign_from_values`."""
    operation, feeds = assign_from_values(var_names_to_values)
    return lambda session: session.run(operation, feeds)


def _by_stored_name(var_list: Any, in_one: bool) -> dict[str, Any]:
    """name in the checkpoint -> its variable, or its variables that are parts of one."""
    if isinstance(var_list, dict):
        return dict(var_list)
    named: dict[str, Any] = {}
    for var in var_list:
        if in_one:
            named.setdefault(get_variable_full_name(var), []).append(var)
        else:
            named[var.op.name] = var
    return named


@atomic
def assign_from_checkpoint(model_path: str, var_list: Any, ignore_missing_vars: bool = False) -> tuple[Operation, Feeds]:
    """(an operation, its feeds) that stores the values of a checkpoint, which is read at once, in variables.

    var_list: the variables, or a dict from names in the checkpoint to a variable or to the list of parts of a variable.
    ignore_missing_vars: leaves out what the checkpoint lacks.

    Raises: ValueError for a variable that the checkpoint lacks or has in another shape, NotFoundError for no checkpoint.
    """
    reader = NewCheckpointReader(model_path)
    feeds: Feeds = {}
    assigns = []
    for name, variables in _by_stored_name(var_list, in_one=True).items():
        if not reader.has_tensor(name):
            text = f"Checkpoint is missing variable [{name}]"
            if not ignore_missing_vars:
                raise ValueError(error_text(text))
            log.warn(text)
            continue
        stored = np.asarray(reader.get_tensor(name))
        for var in variables if isinstance(variables, (list, tuple)) else [variables]:
            value = _part_of(stored, var) if var._save_slice_info else stored
            if value.shape != tuple(var.shape.as_list()):
                shapes = f"lh_shape: [{value.shape}], rh_shape: [{tuple(var.shape.as_list())}]"
                raise ValueError(error_text(f"Total size of new array must be unchanged for {name} {shapes}"))
            assigns.append(_assigned(var, value, feeds))
    return group(*assigns), feeds


def _part_of(stored: np.ndarray, var: Any) -> np.ndarray:
    """The part of a stored variable that a part of a variable holds."""
    part = var._save_slice_info
    return stored[tuple(slice(start, start + size) for start, size in zip(part.var_offset, part.var_shape))]


def assign_from_checkpoint_fn(
    model_path: str, var_list: Any, ignore_missing_vars: bool = False, reshape_variables: bool = False
) -> Callable[[Any], None] | None:
    """A function of a session that loads variables from a checkpoint; None when the checkpoint has none of them.

    var_list: the variables, or a dict of them by names in the checkpoint. ignore_missing_vars: leaves out what the checkpoint
    lacks. reshape_variables: gives stored tensors the variables' shapes.

    Raises: ValueError for no variables, NotFoundError for no checkpoint.
    """
    if not var_list:
        raise ValueError(error_text("var_list cannot be empty"))
    if ignore_missing_vars:
        reader = NewCheckpointReader(model_path)
        wanted = _by_stored_name(var_list, in_one=False)
        var_list = {name: var for name, var in wanted.items() if reader.has_tensor(name)}
        for name in wanted.keys() - var_list.keys():
            log.warn(f"Variable {name} missing in checkpoint {model_path}")
    if not var_list:
        log.warn("No Variables to restore")
        return None
    saver = Saver(var_list, reshape=reshape_variables, write_version=V1)
    return lambda session: saver.restore(session, model_path)


__all__ = ["assign_from_checkpoint", "assign_from_checkpoint_fn", "assign_from_values", "assign_from_values_fn"]
