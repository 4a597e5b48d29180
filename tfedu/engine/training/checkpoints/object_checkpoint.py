"""`tf.train.Checkpoint`: saves objects by the names of their attributes, and `CheckpointManager`, which keeps the newest few.

    checkpoint = Checkpoint(model=model, optimizer=optimizer)
    path = checkpoint.save("/tmp/model/ckpt", session=session)
    checkpoint.restore(path).assert_consumed().run_restore_ops(session)

State: a Checkpoint's own: its counter, and the nodes by which it saves and loads.
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
from .saver_nodes import restored


def _session(given: Any) -> Any:
    session = given or get_default_session()
    if session is None:
        text = "A session is needed to save and load in: there is no default session"
        raise RuntimeError(
            error_text(text, fix="give one, session=…, or work inside `with session.as_default():`")
        )
    return session


class Checkpoint(trackable.Checkpointable):
    """Saves the variables that hang on its attributes, and loads them by the same names.

    Raises: ValueError for an attribute that is no variable, optimizer, trackable.Checkpointable, or list or dict of these.
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
        """A variable that counts the calls of `save`."""
        nodes = self._nodes
        if nodes["counter"] is None:
            with get_default_graph().device("/cpu:0"):
                nodes["counter"] = Variable(0, name="save_counter", dtype=dtypes.int64, trainable=False)
            self.__dict__.setdefault("_dependencies", {})["save_counter"] = nodes["counter"]
        return nodes["counter"]

    def write(self, file_prefix: Any, session: Any = None) -> str:
        """Saves under exactly that name, and tells nobody; the name.

        Raises: RuntimeError without a session, FailedPreconditionError for variables without a value.
        """
        session, path = _session(session), os.fspath(file_prefix)
        found = trackable.object_graph(self)
        nodes = self._nodes
        if nodes["message"] != found.message:
            self._build(found)
        gfile.makedirs(os.path.dirname(path) or ".")
        feeds = {nodes["prefix"]: path, nodes["graph"]: found.message.SerializeToString()}
        return session.run(nodes["save"], feeds).decode("utf-8", "surrogateescape")  # type: ignore[no-any-return]

    def _make_inputs(self) -> None:
        """The constants in whose place a run gives the file's name and the object graph."""
        if self._nodes["prefix"] is None:
            self._nodes["graph"], self._nodes["prefix"] = constant("", dtypes.string), constant("model", dtypes.string)

    def _build(self, found: Any) -> None:
        nodes = self._nodes
        with get_default_graph().device("/cpu:0"):
            self._make_inputs()
            made = [one for key, variable in found.variables.items() for one in saveables_of(variable, key)]
            specs = [spec for one in made for spec in one.specs]
            names = [trackable.OBJECT_GRAPH, *(spec.name for spec in specs)]
            saved = saving.save_v2(
                nodes["prefix"], names, [""] * len(names), [nodes["graph"], *(spec.tensor for spec in specs)]
            )
            with waiting_for([saved]):
                nodes["save"], nodes["message"] = grouping.identity(nodes["prefix"]), found.message

    def save(self, file_prefix: Any, session: Any = None) -> str:
        """Saves under the name and the number of this call, and notes it in the folder's file `checkpoint`; the name.

        Raises: as `write`.
        """
        session, nodes, prefix = _session(session), self._nodes, os.fspath(file_prefix)
        if nodes["counter"] is None:
            session.run(self.save_counter.initializer)
        if nodes["count"] is None:
            with get_default_graph().colocate_with(self.save_counter):
                nodes["count"] = self.save_counter.assign_add(1, read_value=True)
        path = self.write(f"{prefix}-{session.run(nodes['count'])}", session=session)
        checkpoint_state.write_state(os.path.dirname(prefix), path, [path], save_relative_paths=True)
        return path

    def restore(self, save_path: Any) -> Any:
        """Matches a checkpoint with the objects by their names; its status loads the values, also of what is added later.

        save_path: None loads nothing, and its status initializes. A checkpoint of tf.train.Saver is loaded by names.
        Raises: NotFoundError where there is no checkpoint, DataLossError for a damaged one.
        """
        if save_path is None:
            return InitializationOnlyStatus(self)
        path = os.fsdecode(save_path)
        message = trackable.graph_in(path)
        self.save_counter  # noqa: B018 - what is restored has it
        if message is None:
            return NameBasedSaverStatus(self, path)
        return CheckpointLoadStatus(self, path, message)

    def _load(self, found: dict[str, Any]) -> list[Any]:
        """The nodes that give variables the values under keys."""
        nodes = self._nodes
        new = {key: variable for key, variable in found.items() if (key, id(variable)) not in nodes["loads"]}
        with get_default_graph().device("/cpu:0"):
            self._make_inputs()
            made = [one for key, variable in new.items() for one in saveables_of(variable, key)]
            if made:
                values = restored(nodes["prefix"], list(new), [""] * len(new), [v.dtype for v in new.values()])
                for one, value, (key, variable) in zip(made, values, new.items()):
                    nodes["loads"][key, id(variable)] = variable, one.restore([value], None)
        return [nodes["loads"][key, id(variable)][1] for key, variable in found.items()]


class _Status:
    """What `Checkpoint.restore` gives."""

    def __init__(self, root: Checkpoint) -> None:
        self._root = root

    def expect_partial(self) -> Any:
        """Says that parts of the checkpoint are not needed."""
        return self

    def _objects(self) -> list[Any]:
        return trackable.object_graph(self._root).objects


class CheckpointLoadStatus(_Status):
    """A checkpoint that is matched with objects."""

    def __init__(self, root: Checkpoint, path: str, message: Any) -> None:
        super().__init__(root)
        self._path, self._message = path, message

    def _matched(self) -> dict[int, Any]:
        return trackable.matched(self._message, self._root)

    def assert_consumed(self) -> CheckpointLoadStatus:
        """Raises: AssertionError where the checkpoint has what no object takes, or an object is not in it."""
        self.assert_existing_objects_matched()
        found = self._matched()
        for number, node in enumerate(self._message.nodes):
            if number not in found:
                raise AssertionError(
                    error_text(f"Unresolved object in checkpoint {self._name(number)}: {str(node).strip()}")
                )
        return self

    def assert_existing_objects_matched(self) -> CheckpointLoadStatus:
        """Raises: AssertionError where an object is not in the checkpoint."""
        self._refuse_unmatched(
            "Some Python objects were not bound to checkpointed values, likely due to changes in the Python program: "
        )
        return self

    def assert_nontrivial_match(self) -> CheckpointLoadStatus:
        """Raises: AssertionError where nothing but the root is in the checkpoint."""
        if len(self._matched()) <= 1:
            self._refuse_unmatched(
                "Nothing except the root object matched a checkpointed value. Typically this means that the checkpoint does not "
                "match the Python program. The following objects have no matching checkpointed value: "
            )
            raise AssertionError(
                error_text(f"Nothing to load. No trackable.dependencies have been added to {self._root} yet.")
            )
        return self

    def _refuse_unmatched(self, text: str) -> None:
        known = {id(one) for one in self._matched().values()}
        left = [
            one
            for one in self._objects()
            if id(one) not in known and (not isinstance(one, (list, dict)) or trackable.dependencies(one))
        ]
        if left:
            raise AssertionError(error_text(f"{text}{left}"))

    def _name(self, number: int) -> str:
        way: list[str] = []
        seen = {number}
        links = {c.node_id: (i, c.local_name) for i, node in enumerate(self._message.nodes) for c in node.children}
        while number:
            above = links.get(number)
            if above is None or above[0] in seen:
                return "(a slot)"
            number = above[0]
            seen.add(number)
            way.insert(0, above[1])
        return ".".join(["(root)", *way])

    def run_restore_ops(self, session: Any = None) -> None:
        """Gives the variables that were matched their values.

        Raises: RuntimeError without a session, InvalidArgumentError for another shape or dtype.
        """
        keys = {
            attribute.checkpoint_key: one
            for number, one in self._matched().items()
            for attribute in self._message.nodes[number].attributes
            if attribute.name == trackable.VALUE and isinstance(one, Variable)
        }
        session = _session(session)
        loads = self._root._load(keys)
        session.run(loads, {self._root._nodes["prefix"]: self._path})

    def initialize_or_restore(self, session: Any = None) -> None:
        """As `run_restore_ops`; the variables that the checkpoint does not have are initialized."""
        session = _session(session)
        known = {id(one) for one in self._matched().values()}
        self.run_restore_ops(session)
        session.run([one.initializer for one in self._objects() if isinstance(one, Variable) and id(one) not in known])


class InitializationOnlyStatus(_Status):
    """No checkpoint: there is nothing but initial values."""

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
        _session(session).run([one.initializer for one in self._objects() if isinstance(one, Variable)])


class NameBasedSaverStatus(_Status):
    """A checkpoint of tf.train.Saver, loaded by the variables' names."""

    def __init__(self, root: Checkpoint, path: str) -> None:
        super().__init__(root)
        self._path = path

    def _variables(self) -> list[Any]:
        counter = self._root._nodes["counter"]
        return [one for one in self._objects() if isinstance(one, Variable) and one is not counter]

    def assert_consumed(self) -> NameBasedSaverStatus:
        """Raises: AssertionError where a variable is not in the checkpoint."""
        there = {name for name, _ in list_variables(self._path)}
        for one in self._variables():
            if one.op.name not in there:
                raise AssertionError(error_text(f"Object not restored: {one}"))
        return self

    assert_existing_objects_matched = assert_nontrivial_match = assert_consumed

    def run_restore_ops(self, session: Any = None) -> None:
        """Gives the variables their values. Raises: RuntimeError without a session, what Saver.restore raises."""
        log.warn("Restoring a name-based tf.train.Saver checkpoint using the object-based restore API.")
        Saver(self._variables()).restore(_session(session), self._path)

    initialize_or_restore = run_restore_ops


class CheckpointManager:
    """Saves a Checkpoint again and again into a folder, and deletes the oldest.

    max_to_keep: how many are kept, None for all. keep_checkpoint_every_n_hours: of those that go, one is kept for so many hours.
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
        self._checkpoint, self._folder, self._most = checkpoint, os.fspath(directory), max_to_keep
        self._hours = keep_checkpoint_every_n_hours
        self._prefix = os.path.join(self._folder, checkpoint_name)
        self._count: Any = None
        self._kept: dict[str, float] = {}
        self._latest: str | None = None
        now = time.time()
        self._preserved = now - 1.0
        known = checkpoint_state.get_checkpoint_state(self._folder)
        if known is not None:
            self._latest = known.model_checkpoint_path
            self._preserved = min(known.last_preserved_timestamp, now)
            times = known.all_model_checkpoint_timestamps or [self._preserved] * len(known.all_model_checkpoint_paths)
            for path, when in zip(known.all_model_checkpoint_paths, times):
                if min(when, now) > self._preserved:
                    self._kept[path] = min(when, now)

    @property
    def latest_checkpoint(self) -> str | None:
        """The newest checkpoint, None before the first."""
        return self._latest

    @property
    def checkpoints(self) -> list[str]:
        """Those that are kept, the oldest first."""
        return list(self._kept)

    def save(self, checkpoint_number: Any = None) -> str:
        """Saves in the default session; the checkpoint's name.

        checkpoint_number: a number, or a variable that holds it; by default the count of the calls.
        Raises: as Checkpoint.write.
        """
        session = _session(None)
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
        self._kept.pop(path, None)
        self._kept[path] = time.time()
        self._latest = path
        self._note()
        while self._most and len(self._kept) > self._most:
            oldest = next(iter(self._kept))
            when = self._kept.pop(oldest)
            if self._hours and when - self._hours * 3600.0 >= self._preserved:
                self._preserved = when
            else:
                checkpoint_state.remove_checkpoint(oldest)
        self._note()
        return path

    def _note(self) -> None:
        checkpoint_state.write_state(
            self._folder,
            str(self._latest),
            list(self._kept),
            save_relative_paths=True,
            times=list(self._kept.values()),
            last_preserved_timestamp=self._preserved,
        )


__all__ = [
    "Checkpoint", "CheckpointLoadStatus", "CheckpointManager", "InitializationOnlyStatus", "NameBasedSaverStatus",
]  # fmt: skip
