"""`tf.train.Checkpoint` saves objects by the names of their attributes; `CheckpointManager` retains the newest checkpoints.

    checkpoint = Checkpoint(model=model, optimizer=optimizer)
    path = checkpoint.save("/tmp/model/ckpt", session=session)
    checkpoint.restore(path).assert_consumed().run_restore_ops(session)

State: a Checkpoint's counter and its nodes that save and load; a manager's list of retained checkpoints.
"""

from __future__ import annotations

import os
import time
from typing import Any

from ...base import dtypes, log
from ...base.errors import error_text
from ...files import gfile
from ...graph.default_graph import get_default_graph
from ...graph.stacks import get_default_session
from ...lib.control import grouping
from ...lib.framework.scope_blocks import waiting_for
from ...lib.variables.variables import Variable
from ...op.constant import constant
from ...ops import saving
from ..sessions.global_step import global_step as step_of
from . import checkpoint_state, trackable
from .checkpoint_reader import list_variables
from .saveables import saveables_of
from .saver import Saver
from .saver_nodes import restore_tensors


def _session_or_default(session: Any) -> Any:
    session = session or get_default_session()
    if session is None:
        text = "A session is needed to save and load in: there is no default session"
        raise RuntimeError(
            error_text(text, fix="give one, session=…, or work inside `with session.as_default():`")
        )
    return session


class Checkpoint(trackable.Checkpointable):
    """Saves the variables that its attributes reach, and loads them by the same names.

    Raises: ValueError for an attribute that is no variable, optimizer, Checkpointable, or list or dict of these.
    """

    def __init__(self, **kwargs: Any) -> None:
        hidden = {"counter": None, "count": None, "save": None, "message": None, "prefix": None, "graph": None, "loads": {}}
        object.__setattr__(self, "_nodes", hidden)
        for name, value in sorted(kwargs.items()):
            if not trackable.is_trackable(value):
                raise ValueError(
                    error_text(
                        "`Checkpoint` was expecting a trackable object (an object derived from `TrackableBase`), got "
                        f"{value}. If you believe this object should be trackable (i.e. it is part of the TensorFlow Python API "
                        "and manages state), please open an issue."
                    )
                )
            setattr(self, name, value)

    @property
    def save_counter(self) -> Any:
        """A variable that counts the calls of `save`: int64, a scalar."""
        nodes = self._nodes
        if nodes["counter"] is None:
            with get_default_graph().device("/cpu:0"):
                nodes["counter"] = Variable(0, name="save_counter", dtype=dtypes.int64, trainable=False)
            self.__dict__.setdefault("_dependencies", {})["save_counter"] = nodes["counter"]
        return nodes["counter"]

    def write(self, file_prefix: Any, session: Any = None) -> str:
        """Saves under exactly this prefix, without an entry in the file `checkpoint`; returns the prefix.

        Raises: RuntimeError without a session, FailedPreconditionError for variables without a value.
        """
        session, path = _session_or_default(session), os.fspath(file_prefix)
        objects = trackable.object_graph(self)
        nodes = self._nodes
        if nodes["message"] != objects.message:
            self._build(objects)
        gfile.makedirs(os.path.dirname(path) or ".")
        feeds = {nodes["prefix"]: path, nodes["graph"]: objects.message.SerializeToString()}
        return session.run(nodes["save"], feeds).decode("utf-8", "surrogateescape")  # type: ignore[no-any-return]

    def _make_inputs(self) -> None:
        """Creates the constants for the prefix and the object graph, which runs feed."""
        if self._nodes["prefix"] is None:
            self._nodes["graph"], self._nodes["prefix"] = constant("", dtypes.string), constant("model", dtypes.string)

    def _build(self, objects: trackable.ObjectGraph) -> None:
        nodes = self._nodes
        with get_default_graph().device("/cpu:0"):
            self._make_inputs()
            saveables = [one for key, variable in objects.variables.items() for one in saveables_of(variable, key)]
            specs = [spec for one in saveables for spec in one.specs]
            names = [trackable.OBJECT_GRAPH, *(spec.name for spec in specs)]
            save = saving.save_v2(
                nodes["prefix"], names, [""] * len(names), [nodes["graph"], *(spec.tensor for spec in specs)]
            )
            with waiting_for([save]):
                nodes["save"], nodes["message"] = grouping.identity(nodes["prefix"]), objects.message

    def save(self, file_prefix: Any, session: Any = None) -> str:
        """Saves under the prefix and the number of this call, with an entry in the file `checkpoint`; returns `prefix-number`.

        Raises: as `write`.
        """
        session, nodes, prefix = _session_or_default(session), self._nodes, os.fspath(file_prefix)
        if nodes["counter"] is None:
            session.run(self.save_counter.initializer)
        if nodes["count"] is None:
            with get_default_graph().colocate_with(self.save_counter):
                nodes["count"] = self.save_counter.assign_add(1, read_value=True)
        path = self.write(f"{prefix}-{session.run(nodes['count'])}", session=session)
        checkpoint_state.write_state(os.path.dirname(prefix), path, [path], save_relative_paths=True)
        return path

    def restore(self, save_path: Any) -> Any:
        """Matches a checkpoint with the objects by name; the returned status loads the values, also of objects added later.

        save_path: None loads nothing, and the status initializes. A checkpoint of tf.train.Saver is loaded by names.
        Raises: NotFoundError for a missing checkpoint, DataLossError for a damaged one.
        """
        if save_path is None:
            return InitializationOnlyStatus(self)
        path = os.fsdecode(save_path)
        message = trackable.graph_in(path)
        self.save_counter  # noqa: B018 - creates the counter: it is restored, too
        if message is None:
            return NameBasedSaverStatus(self, path)
        return CheckpointLoadStatus(self, path, message)

    def _load(self, variables: dict[str, Any]) -> list[Any]:
        """The nodes that assign to each variable the value under its key."""
        nodes = self._nodes
        new = {key: variable for key, variable in variables.items() if (key, id(variable)) not in nodes["loads"]}
        with get_default_graph().device("/cpu:0"):
            self._make_inputs()
            saveables = [one for key, variable in new.items() for one in saveables_of(variable, key)]
            if saveables:
                values = restore_tensors(nodes["prefix"], list(new), [""] * len(new), [v.dtype for v in new.values()])
                for one, value, (key, variable) in zip(saveables, values, new.items()):
                    nodes["loads"][key, id(variable)] = variable, one.restore([value], None)
        return [nodes["loads"][key, id(variable)][1] for key, variable in variables.items()]


class _Status:
    """The result of `Checkpoint.restore`."""

    def __init__(self, root: Checkpoint) -> None:
        self._root = root

    def expect_partial(self) -> Any:
        """Does nothing: unused parts of the checkpoint are no error here."""
        return self

    def _objects(self) -> list[Any]:
        return trackable.object_graph(self._root).objects


class CheckpointLoadStatus(_Status):
    """The status of an object-based checkpoint."""

    def __init__(self, root: Checkpoint, path: str, message: Any) -> None:
        super().__init__(root)
        self._path, self._message = path, message

    def _matches(self) -> dict[int, Any]:
        return trackable.matching_objects(self._message, self._root)

    def assert_consumed(self) -> CheckpointLoadStatus:
        """Raises: AssertionError for an object of the checkpoint without a match in the program, or the reverse."""
        self.assert_existing_objects_matched()
        matches = self._matches()
        for number, node in enumerate(self._message.nodes):
            if number not in matches:
                raise AssertionError(
                    error_text(f"Unresolved object in checkpoint {self._name(number)}: {str(node).strip()}")
                )
        return self

    def assert_existing_objects_matched(self) -> CheckpointLoadStatus:
        """Raises: AssertionError for an object of the program that is not in the checkpoint."""
        self._refuse_unmatched(
            "Some Python objects were not bound to checkpointed values, likely due to changes in the Python program: "
        )
        return self

    def assert_nontrivial_match(self) -> CheckpointLoadStatus:
        """Raises: AssertionError when no object but the root is in the checkpoint."""
        if len(self._matches()) <= 1:
            self._refuse_unmatched(
                "Nothing except the root object matched a checkpointed value. Typically this means that the checkpoint does not "
                "match the Python program. The following objects have no matching checkpointed value: "
            )
            raise AssertionError(
                error_text(f"Nothing to load. No trackable.dependencies have been added to {self._root} yet.")
            )
        return self

    def _refuse_unmatched(self, text: str) -> None:
        matched_ids = {id(one) for one in self._matches().values()}
        unmatched = [
            one
            for one in self._objects()
            if id(one) not in matched_ids and (not isinstance(one, (list, dict)) or trackable.dependencies(one))
        ]
        if unmatched:
            raise AssertionError(error_text(f"{text}{unmatched}"))

    def _name(self, number: int) -> str:
        """The path of attribute names from the root to a node."""
        path: list[str] = []
        visited = {number}
        links = {c.node_id: (i, c.local_name) for i, node in enumerate(self._message.nodes) for c in node.children}
        while number:
            parent = links.get(number)
            if parent is None or parent[0] in visited:
                return "(a slot)"
            number = parent[0]
            visited.add(number)
            path.insert(0, parent[1])
        return ".".join(["(root)", *path])

    def run_restore_ops(self, session: Any = None) -> None:
        """Loads the values of the matched variables.

        Raises: RuntimeError without a session, InvalidArgumentError for another shape or dtype.
        """
        keys = {
            attribute.checkpoint_key: one
            for number, one in self._matches().items()
            for attribute in self._message.nodes[number].attributes
            if attribute.name == trackable.VALUE and isinstance(one, Variable)
        }
        session = _session_or_default(session)
        loads = self._root._load(keys)
        session.run(loads, {self._root._nodes["prefix"]: self._path})

    def initialize_or_restore(self, session: Any = None) -> None:
        """As `run_restore_ops`; initializes the variables that the checkpoint does not have."""
        session = _session_or_default(session)
        matched_ids = {id(one) for one in self._matches().values()}
        self.run_restore_ops(session)
        session.run([one.initializer for one in self._objects() if isinstance(one, Variable) and id(one) not in matched_ids])


class InitializationOnlyStatus(_Status):
    """The status without a checkpoint: variables can only be initialized."""

    def _refuse(self) -> Any:
        raise AssertionError(
            error_text("No checkpoint specified (save_path=None); nothing is being restored.")
        )

    assert_consumed = assert_existing_objects_matched = assert_nontrivial_match = _refuse

    def run_restore_ops(self, session: Any = None) -> None:
        """Raises: AssertionError."""
        text = "No checkpoint specified, so no restore ops are available (save_path=None to Saver.restore)."
        raise AssertionError(error_text(text))

    def initialize_or_restore(self, session: Any = None) -> None:
        """Initializes all variables."""
        _session_or_default(session).run([one.initializer for one in self._objects() if isinstance(one, Variable)])


class NameBasedSaverStatus(_Status):
    """The status of a checkpoint of tf.train.Saver, loaded by the variables' names."""

    def __init__(self, root: Checkpoint, path: str) -> None:
        super().__init__(root)
        self._path = path

    def _variables(self) -> list[Any]:
        counter = self._root._nodes["counter"]
        return [one for one in self._objects() if isinstance(one, Variable) and one is not counter]

    def assert_consumed(self) -> NameBasedSaverStatus:
        """Raises: AssertionError for a variable that is not in the checkpoint."""
        names = {name for name, _ in list_variables(self._path)}
        for one in self._variables():
            if one.op.name not in names:
                raise AssertionError(error_text(f"Object not restored: {one}"))
        return self

    assert_existing_objects_matched = assert_nontrivial_match = assert_consumed

    def run_restore_ops(self, session: Any = None) -> None:
        """Loads the variables' values. Raises: RuntimeError without a session, and the errors of Saver.restore."""
        log.warn("Restoring a name-based tf.train.Saver checkpoint using the object-based restore API.")
        Saver(self._variables()).restore(_session_or_default(session), self._path)

    initialize_or_restore = run_restore_ops


class CheckpointManager:
    """Saves a Checkpoint repeatedly into a folder, and deletes the oldest checkpoints.

    max_to_keep: how many checkpoints are retained, None for all. keep_checkpoint_every_n_hours: retains one more per n hours.
    Raises: ValueError for max_to_keep below 1.
    """

    def __init__(
        self,
        checkpoint: Checkpoint,
        directory: Any,
        max_to_keep: int | None,
        keep_checkpoint_every_n_hours: float | None = None,
        checkpoint_name: str = "ckpt",
    ) -> None:
        if max_to_keep is not None and max_to_keep <= 0:
            text = f"Expected a positive integer or `None` for `max_to_max_to_keep`, got {max_to_keep}."
            raise ValueError(error_text(text))
        self._checkpoint, self._folder, self._max_to_keep = checkpoint, os.fspath(directory), max_to_keep
        self._hours = keep_checkpoint_every_n_hours
        self._prefix = os.path.join(self._folder, checkpoint_name)
        self._count: Any = None
        self._retained: dict[str, float] = {}
        self._latest: str | None = None
        now = time.time()
        self._last_preserved = now - 1.0
        state = checkpoint_state.get_checkpoint_state(self._folder)
        if state is not None:
            self._latest = state.model_checkpoint_path
            self._last_preserved = min(state.last_preserved_timestamp, now)
            times = state.all_model_checkpoint_timestamps or [self._last_preserved] * len(state.all_model_checkpoint_paths)
            for path, written in zip(state.all_model_checkpoint_paths, times):
                if min(written, now) > self._last_preserved:
                    self._retained[path] = min(written, now)

    @property
    def latest_checkpoint(self) -> str | None:
        """The newest checkpoint, None before the first."""
        return self._latest

    @property
    def checkpoints(self) -> list[str]:
        """The retained checkpoints, oldest first."""
        return list(self._retained)

    def save(self, checkpoint_number: Any = None) -> str:
        """Saves in the default session; returns the checkpoint's path.

        checkpoint_number: an int, or a variable; by default the count of the calls.
        Raises: as Checkpoint.write.
        """
        session = _session_or_default(None)
        if self._checkpoint._nodes["counter"] is None:
            session.run(self._checkpoint.save_counter.initializer)
        counter = self._checkpoint.save_counter
        if self._count is None:
            self._count = counter.assign_add(1, read_value=False)
        session.run(self._count)
        number = counter if checkpoint_number is None else checkpoint_number
        if not isinstance(number, int):
            number = step_of(session, number)
        path = self._checkpoint.write(f"{self._prefix}-{number}")
        self._retained.pop(path, None)
        self._retained[path] = time.time()
        self._latest = path
        self._write_state()
        while self._max_to_keep and len(self._retained) > self._max_to_keep:
            oldest = next(iter(self._retained))
            written = self._retained.pop(oldest)
            if self._hours and written - self._hours * 3600.0 >= self._last_preserved:
                self._last_preserved = written
            else:
                checkpoint_state.remove_checkpoint(oldest)
        self._write_state()
        return path

    def _write_state(self) -> None:
        checkpoint_state.write_state(
            self._folder,
            str(self._latest),
            list(self._retained),
            save_relative_paths=True,
            times=list(self._retained.values()),
            last_preserved_timestamp=self._last_preserved,
        )


__all__ = [
    "Checkpoint", "CheckpointLoadStatus", "CheckpointManager", "InitializationOnlyStatus", "NameBasedSaverStatus",
]  # fmt: skip
