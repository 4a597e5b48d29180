"""`Saver`: saves the variables of a session to checkpoints and loads them again.

    saver = Saver()
    saver.save(session, "/tmp/model/m.ckpt", global_step=100)
    saver.restore(session, latest_checkpoint("/tmp/model"))

`import_meta_graph` imports a graph from its file, with a Saver. State: a Saver's nodes and its list of checkpoints.
"""

from __future__ import annotations

import contextlib
import os
import time
from typing import Any

import numpy as np

from ...base import errors, log, proto, shapes
from ...base.errors import error_text
from ...files import bundle, gfile
from ...graph.atomic import atomic
from ...graph.default_graph import get_default_graph
from ...interop import collection_messages
from ...interop.meta_graph import export_meta_graph, import_scoped_meta_graph, read_meta_graph_file
from ...interop.scope_names import prepended, stripped
from ...lib.framework.graph_keys import GraphKeys
from ...runtime.session import BaseSession
from ..sessions.global_step import global_step as step_of
from . import checkpoint_state
from .saveables import ResourceVariableSaveable, SaveableObject, all_saveable_objects
from .saver_nodes import V2, BaseSaverBuilder, BulkSaverBuilder
from .trackable import graph_in


class Saver:
    """Saves variables to checkpoints and loads them.

    var_list: the variables, or a dict of them by names in the checkpoint; None: all. reshape: reshapes stored tensors to
    the variables' shapes. sharded: one file per device. max_to_keep: how many checkpoints are retained (None or 0: all);
    keep_checkpoint_every_n_hours: retains one more per n hours. name: the scope of the nodes. saver_def: uses existing
    nodes. defer_build: creates the nodes when `build` is called. allow_empty: accepts a graph without variables.
    pad_step_number: pads the step to eight digits. save_relative_paths: the file `checkpoint` stores relative paths.
    Raises: TypeError for a var_list of another type, ValueError when there are no variables or one comes twice.
    """

    @atomic
    def __init__(
        self,
        var_list: Any = None,
        reshape: bool = False,
        sharded: bool = False,
        max_to_keep: int | None = 5,
        keep_checkpoint_every_n_hours: float = 10000.0,
        name: str | None = None,
        restore_sequentially: bool = False,
        saver_def: Any = None,
        builder: BaseSaverBuilder | None = None,
        defer_build: bool = False,
        allow_empty: bool = False,
        write_version: int = V2,
        pad_step_number: bool = False,
        save_relative_paths: bool = False,
        filename: str | None = None,
    ) -> None:
        if defer_build and var_list:
            raise ValueError(
                error_text(
                    "If `var_list` is provided then build cannot be deferred. Either set defer_build=False or var_list=None."
                )
            )
        self._var_list = var_list
        self._reshape = reshape
        self._sharded = sharded
        self._max_to_keep = max_to_keep
        self._keep_checkpoint_every_n_hours = keep_checkpoint_every_n_hours
        self._name = name
        self._restore_sequentially = restore_sequentially
        self.saver_def = _copied(saver_def)
        self._builder = builder
        self._allow_empty = allow_empty
        self._write_version = write_version
        self._object_checkpoint_saver: Saver | None = None
        self._pad_step_number = pad_step_number
        self._save_relative_paths = save_relative_paths
        self._filename = filename
        self._is_built = False
        self._is_empty: bool | None = None
        self._saveables: list[SaveableObject] = []
        self._last_checkpoints: list[tuple[str, float]] = []
        self._checkpoints_to_be_deleted: list[tuple[str, float]] = []
        if not defer_build:
            self.build()
        if self.saver_def:
            _check(self.saver_def)
            self._write_version = self.saver_def.version

    def build(self) -> None:
        """Creates the nodes, if the constructor has not."""
        if self._is_built:
            return
        if not self.saver_def:
            variables = all_saveable_objects() if self._var_list is None else self._var_list
            # an empty collection is "no variables"; the builder refuses other types
            if not isinstance(variables, (dict, list, tuple, set)) or variables:
                builder = self._builder or BulkSaverBuilder(self._write_version)
                self.saver_def = builder.build(
                    variables,
                    reshape=self._reshape,
                    sharded=self._sharded,
                    max_to_keep=self._max_to_keep,
                    keep_checkpoint_every_n_hours=self._keep_checkpoint_every_n_hours,
                    name=self._name,
                    restore_sequentially=self._restore_sequentially,
                    filename=self._filename,
                )
                self._builder, self._var_list, self._is_empty = builder, variables, False
                self._saveables = builder.saveables
            elif self._allow_empty:
                self._is_empty = self._is_built = True
                return
            else:
                raise ValueError(error_text("No variables to save"))
        elif self._name:
            for field in ("filename_tensor_name", "save_tensor_name", "restore_op_name"):
                setattr(self.saver_def, field, prepended(getattr(self.saver_def, field), self._name))
        _check(self.saver_def)
        self._is_built = True
        self._next_checkpoint_time = time.time() + self.saver_def.keep_checkpoint_every_n_hours * 3600

    # -- as a message ----------------------------------------------------------------------------------------------

    def as_saver_def(self) -> Any:
        """The SaverDef that names the nodes."""
        return self.saver_def

    def to_proto(self, export_scope: str | None = None) -> Any:
        """The SaverDef with names relative to a scope; None when the nodes are not in the scope."""
        if export_scope is None:
            return self.saver_def
        message = proto.SaverDef()
        message.CopyFrom(self.saver_def)
        for field in ("filename_tensor_name", "save_tensor_name", "restore_op_name"):
            name = getattr(message, field)
            if not name.startswith(export_scope):
                return None
            setattr(message, field, stripped(name, export_scope))
        return message

    @staticmethod
    def from_proto(saver_def: Any, import_scope: str | None = None) -> Saver:
        """A Saver that uses existing nodes of the graph."""
        return Saver(saver_def=saver_def, name=import_scope)

    # -- retained checkpoints --------------------------------------------------------------------------------------

    @property
    def last_checkpoints(self) -> list[str]:
        """The retained checkpoints, oldest first."""
        return [path for path, _ in self._last_checkpoints]

    def set_last_checkpoints(self, last_checkpoints: list[str]) -> None:
        """Sets the retained checkpoints, with an infinite time: their files are never deleted."""
        _check_is_list(last_checkpoints)
        self._last_checkpoints = [(path, np.inf) for path in last_checkpoints]

    def set_last_checkpoints_with_time(self, last_checkpoints_with_time: list[tuple[str, float]]) -> None:
        """Sets the retained checkpoints and the times at which they were written, in seconds since 1970."""
        _check_is_list(last_checkpoints_with_time)
        self._last_checkpoints = last_checkpoints_with_time

    def recover_last_checkpoints(self, checkpoint_paths: Any) -> None:
        """Sets the retained checkpoints to those of the paths that exist, as after a crash."""
        times_by_path = [(path, checkpoint_state.get_checkpoint_mtimes([path])) for path in checkpoint_paths]
        self.set_last_checkpoints_with_time([(path, times[0]) for path, times in times_by_path if times])

    def _record(self, path: str) -> None:
        if not self.saver_def.max_to_keep:
            return
        self._last_checkpoints = [one for one in self._last_checkpoints if one[0] != path]
        self._last_checkpoints.append((path, time.time()))
        if len(self._last_checkpoints) > self.saver_def.max_to_keep:
            self._checkpoints_to_be_deleted.append(self._last_checkpoints.pop(0))

    def _delete_old(self, meta_graph_suffix: str) -> None:
        if not self._checkpoints_to_be_deleted:
            return
        path, written = self._checkpoints_to_be_deleted.pop(0)
        if written > self._next_checkpoint_time:
            self._next_checkpoint_time += self.saver_def.keep_checkpoint_every_n_hours * 3600
            return
        try:
            checkpoint_state.remove_checkpoint(path, self.saver_def.version, meta_graph_suffix)
        except errors.OpError as error:  # the new checkpoint is complete; an old file does no harm
            log.warn("Ignoring: %s", str(error))

    # -- saving ----------------------------------------------------------------------------------------------------

    def save(
        self,
        sess: Any,
        save_path: Any,
        global_step: Any = None,
        latest_filename: str | None = None,
        meta_graph_suffix: str = "meta",
        write_meta_graph: bool = True,
        write_state: bool = True,
        strip_default_attrs: bool = False,
        save_debug_info: bool = False,
    ) -> str | None:
        """Saves the variables' values in a session; returns the checkpoint's path for `restore`.

        global_step: a number, a tensor or its name; appended to the path. latest_filename: another name for the file
        `checkpoint`. write_meta_graph: writes the graph, too. write_state: adds the path to the file `checkpoint`.
        Raises: ValueError for a missing folder or two files of one name, TypeError for another sess than a Session,
        RuntimeError before `build`; ResourceExhaustedError when the disk is full: the old checkpoint remains.
        """
        if not self._is_built:
            raise RuntimeError(error_text("`build()` should be called before save if defer_build==True"))
        save_path = _text(save_path)
        if latest_filename is None:
            latest_filename = "checkpoint"
        if os.path.split(latest_filename)[0]:
            raise ValueError(error_text("'latest_filename' must not contain path components"))
        if global_step is not None:
            if not isinstance(global_step, (int, np.integer)):
                global_step = step_of(sess, global_step)
            path = f"{save_path}-{global_step:08d}" if self._pad_step_number else f"{save_path}-{global_step:d}"
        else:
            path = save_path
            if os.path.basename(save_path) == latest_filename and not self._sharded:
                raise ValueError(
                    error_text(f"'latest_filename' collides with 'save_path': '{latest_filename}' and '{save_path}'")
                )
        if not isinstance(sess, BaseSession):
            raise TypeError(error_text(f"'sess' must be a Session; {sess}"))
        folder = os.path.dirname(save_path)
        saved: str | None = None
        before = self._last_checkpoints, list(self._checkpoints_to_be_deleted)
        is_new = not checkpoint_state.checkpoint_exists(path)
        parts = checkpoint_state.folders_of_parts(path)
        try:
            if not self._is_empty:
                path_bytes = sess.run(self.saver_def.save_tensor_name, {self.saver_def.filename_tensor_name: path})
                saved = path_bytes.decode("utf-8", "surrogateescape")
            # The file `checkpoint` comes last: whenever the process dies, the checkpoints it names are complete.
            if write_meta_graph:
                with sess.graph.as_default():
                    self.export_meta_graph(
                        checkpoint_state.meta_graph_filename(path, meta_graph_suffix),
                        strip_default_attrs=strip_default_attrs,
                        save_debug_info=save_debug_info,
                    )
            if saved is not None and write_state:
                self._record(saved)
                checkpoint_state.write_state(
                    folder, saved, self.last_checkpoints, latest_filename, self._save_relative_paths
                )
                self._delete_old(meta_graph_suffix)
        except (errors.ResourceExhaustedError, OSError) as error:
            # What stays would belong to no checkpoint that a list names, and nobody would delete it.
            self._last_checkpoints, self._checkpoints_to_be_deleted = before
            with contextlib.suppress(errors.OpError):
                for part in checkpoint_state.folders_of_parts(path) - parts:
                    gfile.rmtree(part)
                if saved is not None and is_new:
                    checkpoint_state.remove_checkpoint(saved, self.saver_def.version, meta_graph_suffix)
            if isinstance(error, OSError):
                raise gfile.op_error(path, error) from None
            raise
        except (errors.FailedPreconditionError, errors.NotFoundError) as error:
            if not gfile.isdir(folder or "."):
                raise ValueError(
                    error_text(f"Parent directory of {save_path} doesn't exist, can't save.")
                ) from error
            raise
        return saved

    def export_meta_graph(
        self,
        filename: Any = None,
        collection_list: Any = None,
        as_text: bool = False,
        export_scope: str | None = None,
        clear_devices: bool = False,
        clear_extraneous_savers: bool = False,
        strip_default_attrs: bool = False,
        save_debug_info: bool = False,
    ) -> Any:
        """The default graph, its collections and this Saver as MetaGraphDef; writes it to `filename` if that is set."""
        return export_meta_graph(
            filename=filename,
            graph_def=get_default_graph().as_graph_def(add_shapes=True),
            saver_def=self.saver_def,
            collection_list=collection_list,
            as_text=as_text,
            export_scope=export_scope,
            clear_devices=clear_devices,
            clear_extraneous_savers=clear_extraneous_savers,
            strip_default_attrs=strip_default_attrs,
            save_debug_info=save_debug_info,
        )

    # -- loading ---------------------------------------------------------------------------------------------------

    def restore(self, sess: Any, save_path: Any) -> None:
        """Assigns the values in a checkpoint to the variables of a session.

        Differs from TF: a resource variable does not take a value of another shape, either.
        Raises: ValueError for a missing checkpoint; NotFoundError for a variable that it does not have,
        InvalidArgumentError for another dtype or shape, DataLossError when it is damaged.
        """
        if self._is_empty:
            return
        if save_path is None:
            raise ValueError(error_text("Can't load save_path when it is None."))
        path = _text(save_path)
        if not checkpoint_state.checkpoint_exists(path):
            raise ValueError(error_text(f"The passed save_path is not a valid checkpoint: {path}"))
        log.info("Restoring parameters from %s", path)
        try:
            self._check_resources(path)
            sess.run(self.saver_def.restore_op_name, {self.saver_def.filename_tensor_name: path})
        except errors.NotFoundError as error:
            if not self._restore_object_checkpoint(sess, path):
                raise self._restore_error(error, "a Variable name or other graph key that is missing", path) from error
        except errors.InvalidArgumentError as error:
            raise self._restore_error(error, "a mismatch between the current graph and the graph", path) from error

    def _restore_object_checkpoint(self, sess: Any, path: str) -> bool:
        """Loads a checkpoint of tf.train.Checkpoint by its variables' names; returns False for another checkpoint.

        Raises: NotFoundError for variables that it does not have.
        """
        message = graph_in(path)
        if message is None:
            return False
        keys = {a.full_name: a.checkpoint_key for node in message.nodes for a in node.attributes}
        missing = sorted({spec.name for one in self._saveables for spec in one.specs} - keys.keys())
        if missing:
            extra = ", ".join(sorted(keys.keys() - {spec.name for one in self._saveables for spec in one.specs}))
            text = f"Existing variables not in the checkpoint: {', '.join(missing)}"
            hint = f"Variables names when this checkpoint was written which don't exist now: {extra}"
            raise errors.NotFoundError(None, None, error_text(f"{text}\n\n{hint}"))
        log.warn(
            "Restoring an object-based checkpoint using a name-based saver. This may be somewhat fragile, and will re-build the "
            "Saver. Instead, consider loading object-based checkpoints using tf.train.Checkpoint()."
        )
        if self._object_checkpoint_saver is None:
            with sess.graph.as_default():
                self._object_checkpoint_saver = Saver({keys[one.name]: one.op for one in self._saveables})
        self._object_checkpoint_saver.restore(sess, path)
        return True

    def _check_resources(self, path: str) -> None:
        """Checks shapes of resource variables, as TF does not: AssignVariableOp accepts any shape.

        Raises: InvalidArgumentError for another shape.
        """
        resources = [one for one in self._saveables if isinstance(one, ResourceVariableSaveable)]
        if self._reshape or not resources:
            return
        with bundle.open_checkpoint(path) as checkpoint:
            for one in resources:
                (spec,) = one.specs
                name = spec.name.encode("utf-8", "surrogateescape")
                own_shape = one._var_shape.raw
                if spec.slice_spec or name not in checkpoint:
                    continue
                stored_shape = checkpoint.entry(name).shape
                if not shapes.is_compatible(own_shape, stored_shape):
                    raise errors.InvalidArgumentError(
                        None, one.handle_op.op,
                        "Assign requires shapes of both tensors to match. "
                        f"lhs shape= {shapes.fmt(own_shape)} rhs shape= {shapes.fmt(stored_shape)}",
                    )  # fmt: skip

    def _restore_error(self, error: Any, reason: str, path: str) -> errors.OpError:
        """The error of a restore in TF's words, with a line for each variable that does not fit."""
        text = (
            f"Restoring from checkpoint failed. This is most likely due to {reason} from the checkpoint. Please ensure that "
            f"you have not altered the graph expected based on the checkpoint. Original error:\n\n{error.message}"
        )
        for line in self._misfits(path):
            text += f"\n  {line}"
        restore_error: errors.OpError = type(error)(error._node_def, error.op, text)
        return restore_error

    def _misfits(self, path: str) -> list[str]:
        try:
            with bundle.open_checkpoint(path) as checkpoint:
                entries = {name: checkpoint.entry(name) for name in checkpoint.names()}
        except errors.OpError:
            return []
        lines = []
        for one in self._saveables:
            for spec in one.specs:
                entry = entries.get(spec.name.encode("utf-8", "surrogateescape"))
                if entry is None:
                    lines.append(f"variable {spec.name}: the checkpoint does not have it")
                    continue
                dtype = spec.dtype.base_dtype
                own_shape = None if spec.slice_spec or callable(spec._tensor) else spec._tensor.raw_shape
                misfit = not self._reshape and not shapes.is_compatible(own_shape, entry.shape)
                if misfit or dtype is not entry.dtype:
                    own_text = "" if own_shape is None else shapes.fmt(own_shape)
                    lines.append(
                        f"variable {spec.name}: the graph has {dtype.name}{own_text}, "
                        f"the checkpoint has {entry.dtype.name}{shapes.fmt(entry.shape)}"
                    )
        return lines


def _text(path: Any) -> str:
    try:
        return os.fsdecode(path)
    except TypeError:
        raise TypeError(error_text(f"Expected binary or unicode string, got {path!r}")) from None


def _copied(saver_def: Any) -> Any:
    """A copy of a SaverDef, also of one of TensorFlow's class; other objects as they are."""
    if isinstance(saver_def, proto.Message) and not isinstance(saver_def, proto.SaverDef):
        return proto.SaverDef.FromString(saver_def.SerializeToString())
    if isinstance(saver_def, proto.SaverDef):
        copy = proto.SaverDef()
        copy.CopyFrom(saver_def)
        return copy
    return saver_def


def _check(saver_def: Any) -> None:
    if not isinstance(saver_def, proto.SaverDef):
        raise ValueError(error_text(f"saver_def must be a saver_pb2.SaverDef: {saver_def}"))
    for field in ("save_tensor_name", "restore_op_name"):
        if not getattr(saver_def, field):
            raise ValueError(error_text(f"saver_def must specify the {field}: {saver_def}"))


def _check_is_list(checkpoints: Any) -> None:
    if not isinstance(checkpoints, list):
        raise AssertionError(error_text(f"Expected a list of checkpoints, got {checkpoints!r}"))


def import_meta_graph(
    meta_graph_or_file: Any, clear_devices: bool = False, import_scope: str | None = None, **kwargs: Any
) -> Saver | None:
    """Adds the nodes and collections of a MetaGraphDef (or of its file) to the default graph; returns a Saver for them.

    The Saver is the one that was saved with the graph, else one of all variables; None without variables.
    Raises: OSError for a missing file, DataLossError, InvalidArgumentError or ValueError for a graph that cannot be imported.
    """
    message = meta_graph_or_file
    if not isinstance(message, proto.Message):
        message = read_meta_graph_file(message)
    elif not isinstance(message, proto.MetaGraphDef):
        message = proto.MetaGraphDef.FromString(message.SerializeToString())
    # If the Saver does not fit the graph, nothing is imported.
    return get_default_graph().attempt(_imported, message, clear_devices, import_scope, kwargs)


def _imported(message: Any, clear_devices: bool, import_scope: str | None, options: dict[str, Any]) -> Saver | None:
    variables = import_scoped_meta_graph(message, clear_devices=clear_devices, import_scope=import_scope, **options)
    if message.HasField("saver_def"):
        scope = import_scope
        for name, variable in variables.items():
            # the scope may have been made unique by a number
            scope = variable.name[: -len(name)].rstrip("/")
            break
        return Saver(saver_def=message.saver_def, name=scope)
    if all_saveable_objects(scope=import_scope):
        try:
            return Saver()
        except (TypeError, AttributeError) as error:
            reason = str(error).split("\n", 1)[0]
            raise ValueError(
                error_text(f"Collection 'variables' does not fit the graph: {reason}")
            ) from None
    log.info("Saver not created because there are no variables in the graph to restore")
    return None


def saver_or_default() -> Saver:
    """The Saver of the collection SAVERS; a new sharded one of all variables if the collection is empty.

    Raises: RuntimeError when there are several.
    """
    graph = get_default_graph()
    savers = graph.get_collection(GraphKeys.SAVERS)
    if len(savers) > 1:
        raise RuntimeError(
            error_text(
                f"More than one item in collection {GraphKeys.SAVERS}. "
                "Please indicate which one to use by passing it to the constructor."
            )
        )
    if savers:
        return savers[0]  # type: ignore[no-any-return]
    saver = Saver(sharded=True, allow_empty=True)
    graph.add_to_collection(GraphKeys.SAVERS, saver)
    return saver


collection_messages.CODECS[GraphKeys.SAVERS] = collection_messages.Codec(proto.SaverDef, Saver.to_proto, Saver.from_proto)

__all__ = ["Saver", "import_meta_graph", "saver_or_default"]
