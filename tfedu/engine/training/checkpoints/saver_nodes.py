"""The nodes of a Saver: `save/Const` takes the name, `save/control_dependency` saves, `save/restore_all` loads.

A builder makes them; programs may derive from BaseSaverBuilder. No state.
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
    """Makes the nodes; loads each saveable by a node of its own."""

    SaveSpec = saveable.SaveSpec
    SaveableObject = saveable.SaveableObject
    VariableSaveable = saveable.ReferenceVariableSaveable
    ResourceVariableSaveable = saveable.ResourceVariableSaveable

    def __init__(self, write_version: int = V2) -> None:
        self._write_version = write_version
        self.saveables: list[saveable.SaveableObject] = []

    def save_op(self, filename_tensor: Tensor, saveables: list[Any]) -> Operation:
        """The operation that writes them."""
        specs = [spec for one in saveables for spec in one.specs]
        names = [spec.name for spec in specs]
        tensors = [spec.tensor for spec in specs]
        parts = [spec.slice_spec for spec in specs]
        made: Operation
        if self._write_version == V1:
            made = saving.save_slices(filename_tensor, names, parts, tensors, name="save")
        elif self._write_version == V2:
            made = saving.save_v2(filename_tensor, names, parts, tensors)
        else:
            raise RuntimeError(error_text(f"Unexpected write_version: {self._write_version}"))
        return made

    def bulk_restore(
        self, filename_tensor: Tensor, saveables: list[Any], preferred_shard: int, restore_sequentially: bool
    ) -> list[Tensor]:
        """The tensors that are read, in the order of the saveables."""
        found: list[Tensor] = []
        for one in saveables:
            with get_default_graph().device(saveable.set_cpu0(one.device) if one.device else None):
                found.extend(self.restore_op(filename_tensor, one, preferred_shard))
        return found

    def restore_op(self, filename_tensor: Tensor, saveable: Any, preferred_shard: int) -> list[Tensor]:
        """The tensors of one saveable."""
        return [
            restored(filename_tensor, [spec.name], [spec.slice_spec], [spec.dtype])[0] for spec in saveable.specs
        ]

    def sharded_filename(self, filename_tensor: Tensor, shard: int, num_shards: Tensor) -> Tensor:
        """The name of one of several files."""
        made: Tensor = saving.sharded_filename(filename_tensor, shard, num_shards)
        return made

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
        """Makes the nodes; the SaverDef that names them.

        Raises: TypeError and ValueError, see `saveables`.
        """
        self.saveables = found = saveable.saveables(names_to_saveables)
        graph = get_default_graph()
        with name_scope(name, "save", [one.op for one in found]):
            filename_tensor = placeholder_with_default(filename or "model", shape=(), name="filename")
            filename_tensor = placeholder_with_default(filename_tensor, shape=(), name="Const")
            if sharded:
                groups = _by_device(found)
                save_tensor = self._save_sharded(filename_tensor, groups)
                loads = []
                for shard, (device, group) in enumerate(groups):
                    with graph.device(device):
                        loads.append(
                            self._restore(filename_tensor, group, restore_sequentially, reshape, shard, "restore_shard")
                        )
                restore_op = grouping.group(*loads, name="restore_all")
            else:
                save_tensor = self._save(filename_tensor, found)
                restore_op = self._restore(filename_tensor, found, restore_sequentially, reshape, -1, "restore_all")
        for key in graph.get_all_collection_keys():
            for item in graph.get_collection(key):
                # A collection that is written down names the whole, so it must be a node.
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

    def _save(self, filename_tensor: Tensor, found: list[Any]) -> Tensor:
        saved = self.save_op(filename_tensor, found)
        passed: Tensor = grouping.with_dependencies([saved], filename_tensor)
        return passed

    def _save_sharded(self, prefix: Tensor, groups: list[tuple[str, list[Any]]]) -> Tensor:
        """Each device's variables go into a checkpoint of their own, in a folder beside, which are then made one.

        The older format leaves several files, which a pattern names.
        """
        graph = get_default_graph()
        older = self._write_version == V1
        beside = prefix if older else strings.string_join([prefix, f"_temp_{uuid.uuid4().hex}/part"])
        count = constant(len(groups), name="num_shards")
        names, saves = [], []
        for shard, (device, group) in enumerate(groups):
            with graph.device(device if older else saveable.set_cpu0(device)):
                names.append(self.sharded_filename(beside, shard, count))
                saves.append(self._save(names[-1], group))
        with waiting_for([saved.op for saved in saves]):
            if older:
                made: Tensor = saving.sharded_filespec(prefix, count)
                return made
            with graph.device(saveable.set_cpu0(groups[-1][0])):
                merged = saving.merge_v2_checkpoints(names, prefix, delete_old_dirs=True)
                with waiting_for([merged]):
                    return grouping.identity(prefix)

    def _restore(
        self,
        filename_tensor: Tensor,
        found: list[Any],
        restore_sequentially: bool,
        reshape: bool,
        preferred_shard: int,
        name: str,
    ) -> Operation:
        tensors = iter(self.bulk_restore(filename_tensor, found, preferred_shard, restore_sequentially))
        loads = []
        for one in found:
            sizes = [_sizes(spec.tensor) for spec in one.specs] if reshape else None
            loads.append(one.restore([next(tensors) for _ in one.specs], sizes))
        return grouping.group(*loads, name=name)


class BulkSaverBuilder(BaseSaverBuilder):
    """Makes the nodes; loads all saveables by one node."""

    def bulk_restore(
        self, filename_tensor: Tensor, saveables: list[Any], preferred_shard: int, restore_sequentially: bool
    ) -> list[Tensor]:
        """The tensors that are read, in the order of the saveables."""
        specs = [spec for one in saveables for spec in one.specs]
        with get_default_graph().device("cpu:0"):
            return restored(
                filename_tensor, [s.name for s in specs], [s.slice_spec for s in specs], [s.dtype for s in specs]
            )


def restored(
    filename: Any, names: list[str], slices: list[str], kinds: list[Any], name: str | None = None
) -> list[Tensor]:
    """The tensors that a RestoreV2 node reads."""
    types = [dtypes.as_dtype(kind).base_dtype for kind in kinds]
    return list(saving.restore_v2(filename, names, slices, dtypes=types, name=name))


def _sizes(tensor: Any) -> Any:
    return tensor.shape if shapes.is_full(tensor.raw_shape) else array.shape(tensor)


def _by_device(found: list[Any]) -> list[tuple[str, list[Any]]]:
    groups: dict[str, list[Any]] = {}
    for one in found:
        devices = {DeviceSpec.from_string(spec.tensor.device).to_string() for spec in one.specs}
        if len(devices) != 1:
            raise ValueError(
                error_text(f"All tensors of a saveable object must be on the same device: {one.name}")
            )
        groups.setdefault(devices.pop(), []).append(one)
    return sorted(groups.items())


__all__ = ["V1", "V2", "BaseSaverBuilder", "BulkSaverBuilder", "restored"]
