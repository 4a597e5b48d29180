"""The nodes of a Saver: `save/Const` is fed the path, `save/control_dependency` saves, `save/restore_all` loads.

A builder creates them; programs may subclass BaseSaverBuilder. No state.
"""

from __future__ import annotations

import uuid
from typing import Any

from ...base import dtypes, proto, shapes
from ...base.errors import error_text
from ...graph.default_graph import get_default_graph
from ...graph.device import DeviceSpec
from ...graph.nodes import Operation, Tensor
from ...lib.arrays import array
from ...lib.control import grouping
from ...lib.framework.placeholders import placeholder_with_default
from ...lib.framework.scope_blocks import name_scope, waiting_for
from ...lib.strings import strings
from ...lib.variables.partitioned import PartitionedVariable
from ...op.constant import constant
from ...ops import saving
from . import saveables as saveable

V1, V2 = proto.SaverDef.V1, proto.SaverDef.V2


class BaseSaverBuilder:
    """Creates the nodes; loads each saveable by a RestoreV2 node of its own."""

    SaveSpec = saveable.SaveSpec
    SaveableObject = saveable.SaveableObject
    VariableSaveable = saveable.ReferenceVariableSaveable
    ResourceVariableSaveable = saveable.ResourceVariableSaveable

    def __init__(self, write_version: int = V2) -> None:
        self._write_version = write_version
        self.saveables: list[saveable.SaveableObject] = []

    def save_op(self, filename_tensor: Tensor, saveables: list[Any]) -> Operation:
        """The operation that writes the saveables."""
        specs = [spec for one in saveables for spec in one.specs]
        names = [spec.name for spec in specs]
        tensors = [spec.tensor for spec in specs]
        slices = [spec.slice_spec for spec in specs]
        save: Operation
        if self._write_version == V1:
            save = saving.save_slices(filename_tensor, names, slices, tensors, name="save")
        elif self._write_version == V2:
            save = saving.save_v2(filename_tensor, names, slices, tensors)
        else:
            raise RuntimeError(error_text(f"Unexpected write_version: {self._write_version}"))
        return save

    def bulk_restore(
        self, filename_tensor: Tensor, saveables: list[Any], preferred_shard: int, restore_sequentially: bool
    ) -> list[Tensor]:
        """The tensors that are read, in the order of the saveables."""
        tensors: list[Tensor] = []
        for one in saveables:
            with get_default_graph().device(saveable.set_cpu0(one.device) if one.device else None):
                tensors.extend(self.restore_op(filename_tensor, one, preferred_shard))
        return tensors

    def restore_op(self, filename_tensor: Tensor, saveable: Any, preferred_shard: int) -> list[Tensor]:
        """The tensors that are read for one saveable."""
        return [
            restore_tensors(filename_tensor, [spec.name], [spec.slice_spec], [spec.dtype])[0] for spec in saveable.specs
        ]

    def sharded_filename(self, filename_tensor: Tensor, shard: int, num_shards: Tensor) -> Tensor:
        """The path of one shard."""
        path: Tensor = saving.sharded_filename(filename_tensor, shard, num_shards)
        return path

    def build(
        self,
        names_to_saveables: Any,
        reshape: bool = False,
        sharded: bool = False,
        max_to_keep: int | None = 5,
        keep_checkpoint_every_n_hours: float = 10000.0,
        name: str | None = None,
        restore_sequentially: bool = False,
        filename: str | None = "model",
    ) -> Any:
        """Creates the nodes; returns the SaverDef that names them.

        Raises: TypeError and ValueError, see `saveables`.
        """
        self.saveables = saveables = saveable.saveables(names_to_saveables)
        graph = get_default_graph()
        with name_scope(name, "save", [one.op for one in saveables]):
            filename_tensor = placeholder_with_default(filename or "model", shape=(), name="filename")
            filename_tensor = placeholder_with_default(filename_tensor, shape=(), name="Const")
            if sharded:
                groups = _by_device(saveables)
                save_tensor = self._save_sharded(filename_tensor, groups)
                loads = []
                for shard, (device, group) in enumerate(groups):
                    with graph.device(device):
                        loads.append(
                            self._restore(filename_tensor, group, restore_sequentially, reshape, shard, "restore_shard")
                        )
                restore_op = grouping.group(*loads, name="restore_all")
            else:
                save_tensor = self._save(filename_tensor, saveables)
                restore_op = self._restore(filename_tensor, saveables, restore_sequentially, reshape, -1, "restore_all")
        for key in graph.get_all_collection_keys():
            for item in graph.get_collection(key):
                # An exported collection names the concatenated variable, so that must be a node.
                if isinstance(item, PartitionedVariable) and item.name not in graph._by_name:
                    item.as_tensor()
        return proto.SaverDef(
            filename_tensor_name=filename_tensor.name,
            save_tensor_name=save_tensor.name,
            restore_op_name=restore_op.name,
            max_to_keep=max_to_keep or 0,
            sharded=sharded,
            keep_checkpoint_every_n_hours=keep_checkpoint_every_n_hours,
            version=self._write_version,
        )

    def _save(self, filename_tensor: Tensor, saveables: list[Any]) -> Tensor:
        """The path, as a tensor that saves when it is computed."""
        path: Tensor = grouping.with_dependencies([self.save_op(filename_tensor, saveables)], filename_tensor)
        return path

    def _save_sharded(self, prefix: Tensor, groups: list[tuple[str, list[Any]]]) -> Tensor:
        """Saves the variables of each device to a temporary checkpoint, and merges these into one.

        Format V1 keeps one file per device; the result is their common pattern.
        """
        graph = get_default_graph()
        is_v1 = self._write_version == V1
        shard_prefix = prefix if is_v1 else strings.string_join([prefix, f"_temp_{uuid.uuid4().hex}/part"])
        count = constant(len(groups), name="num_shards")
        names, saves = [], []
        for shard, (device, group) in enumerate(groups):
            with graph.device(device if is_v1 else saveable.set_cpu0(device)):
                names.append(self.sharded_filename(shard_prefix, shard, count))
                saves.append(self._save(names[-1], group))
        with waiting_for([saved.op for saved in saves]):
            if is_v1:
                pattern: Tensor = saving.sharded_filespec(prefix, count)
                return pattern
            with graph.device(saveable.set_cpu0(groups[-1][0])):
                merged = saving.merge_v2_checkpoints(names, prefix, delete_old_dirs=True)
                with waiting_for([merged]):
                    return grouping.identity(prefix)

    def _restore(
        self,
        filename_tensor: Tensor,
        saveables: list[Any],
        restore_sequentially: bool,
        reshape: bool,
        preferred_shard: int,
        name: str,
    ) -> Operation:
        tensors = iter(self.bulk_restore(filename_tensor, saveables, preferred_shard, restore_sequentially))
        loads = []
        for one in saveables:
            shapes_of_specs = [_shape(spec.tensor) for spec in one.specs] if reshape else None
            loads.append(one.restore([next(tensors) for _ in one.specs], shapes_of_specs))
        return grouping.group(*loads, name=name)


class BulkSaverBuilder(BaseSaverBuilder):
    """Creates the nodes; loads all saveables by one RestoreV2 node."""

    def bulk_restore(
        self, filename_tensor: Tensor, saveables: list[Any], preferred_shard: int, restore_sequentially: bool
    ) -> list[Tensor]:
        """The tensors that are read, in the order of the saveables."""
        specs = [spec for one in saveables for spec in one.specs]
        with get_default_graph().device("cpu:0"):
            return restore_tensors(
                filename_tensor, [s.name for s in specs], [s.slice_spec for s in specs], [s.dtype for s in specs]
            )


def restore_tensors(
    filename: Any, names: list[str], slices: list[str], dtypes_of_tensors: list[Any], name: str | None = None
) -> list[Tensor]:
    """The outputs of a new RestoreV2 node."""
    types = [dtypes.as_dtype(dtype).base_dtype for dtype in dtypes_of_tensors]
    return list(saving.restore_v2(filename, names, slices, dtypes=types, name=name))


def _shape(tensor: Any) -> Any:
    return tensor.shape if shapes.is_full(tensor.raw_shape) else array.shape(tensor)


def _by_device(saveables: list[Any]) -> list[tuple[str, list[Any]]]:
    """The saveables by device, sorted by its name."""
    groups: dict[str, list[Any]] = {}
    for one in saveables:
        devices = {DeviceSpec.from_string(spec.tensor.device).to_string() for spec in one.specs}
        if len(devices) != 1:
            raise ValueError(
                error_text(f"All tensors of a saveable object must be on the same device: {one.name}")
            )
        groups.setdefault(devices.pop(), []).append(one)
    return sorted(groups.items())


__all__ = ["V1", "V2", "BaseSaverBuilder", "BulkSaverBuilder", "restore_tensors"]
