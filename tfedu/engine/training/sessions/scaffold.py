"""The parts that start a training session: operations that initialize and check readiness, a saver, summaries.

State: a Scaffold's parts, passed in or created by `finalize`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...base import log
from ...base.errors import error_text
from ...graph.default_graph import get_default_graph
from ...graph.nodes import Operation
from ...lib.arrays import array
from ...lib.control.grouping import group
from ...lib.framework.graph_keys import GraphKeys
from ...lib.summaries.summary import merge_all
from ...lib.variables.initialization import (
    global_variables_initializer,
    local_variables_initializer,
    report_uninitialized_variables,
)
from ...lib.variables.resources import (
    initialize_resources,
    local_resources,
    report_uninitialized_resources,
    shared_resources,
    tables_initializer,
)  # fmt: skip
from ...lib.variables.variables import global_variables
from ..checkpoints.saver import saver_or_default
from .session_manager import SessionManager

_PARTS = ("init_op", "init_feed_dict", "ready_op", "ready_for_local_init_op", "local_init_op", "summary_op", "saver")


class Scaffold:
    """The parts of a model that sessions need to start; `finalize` creates those that are None.

    init_fn(scaffold, session): called after init_op. copy_from_scaffold: the source of parts that are None.
    """

    def __init__(
        self,
        init_op: Any = None,
        init_feed_dict: Any = None,
        init_fn: Callable[[Any, Any], Any] | None = None,
        ready_op: Any = None,
        ready_for_local_init_op: Any = None,
        local_init_op: Any = None,
        summary_op: Any = None,
        saver: Any = None,
        copy_from_scaffold: Scaffold | None = None,
    ) -> None:
        parts = (init_op, init_feed_dict, ready_op, ready_for_local_init_op, local_init_op, summary_op, saver)
        self._parts = dict(zip(_PARTS, parts, strict=True))
        if copy_from_scaffold is not None:
            if not isinstance(copy_from_scaffold, Scaffold):
                raise TypeError(error_text("copy_from_scaffold is not a Scaffold instance."))
            for name, part in self._parts.items():
                self._parts[name] = copy_from_scaffold._parts[name] if part is None else part
            init_fn = copy_from_scaffold._user_init_fn if init_fn is None else init_fn
        self._user_init_fn = init_fn
        self._init_fn = (lambda sess: init_fn(self, sess)) if init_fn else None

    def finalize(self) -> Scaffold:
        """Creates the missing parts and finalizes the graph."""
        for name, key, make in _DEFAULTS:
            if self._parts[name] is None:
                self._parts[name] = Scaffold.get_or_default(name, key, make)
        if self._parts["saver"] is None:
            self._parts["saver"] = saver_or_default()
        self._parts["saver"].build()
        get_default_graph().finalize()
        log.info("Graph was finalized.")
        return self

    @property
    def init_fn(self) -> Callable[[Any], Any] | None:
        """init_fn as a function of the session alone."""
        return self._init_fn

    @property
    def init_op(self) -> Any:
        return self._parts["init_op"]

    @property
    def init_feed_dict(self) -> Any:
        return self._parts["init_feed_dict"]

    @property
    def ready_op(self) -> Any:
        return self._parts["ready_op"]

    @property
    def ready_for_local_init_op(self) -> Any:
        return self._parts["ready_for_local_init_op"]

    @property
    def local_init_op(self) -> Any:
        return self._parts["local_init_op"]

    @property
    def summary_op(self) -> Any:
        return self._parts["summary_op"]

    @property
    def saver(self) -> Any:
        return self._parts["saver"]

    @staticmethod
    def get_or_default(arg_name: str, collection_key: str, default_constructor: Callable[[], Any]) -> Any:
        """The member of a collection; a new one if it is empty.

        Raises: RuntimeError when it has several.
        """
        graph = get_default_graph()
        items = graph.get_collection(collection_key)
        if len(items) > 1:
            text = f'More than one item in the collection "{collection_key}". Please indicate which one to use by passing it to '
            raise RuntimeError(
                error_text(f"{text}the tf.Scaffold constructor as:  tf.Scaffold({arg_name}=item to use)")
            )
        if items:
            return items[0]
        item = default_constructor()
        if item is not None:
            graph.add_to_collection(collection_key, item)
        return item

    @staticmethod
    def default_local_init_op() -> Operation:
        """Initializes local variables, tables and local resources."""
        return group(local_variables_initializer(), tables_initializer(), initialize_resources(local_resources()))


def _init_op() -> Operation:
    return group(global_variables_initializer(), initialize_resources(shared_resources()))


def _ready_op() -> Any:
    return array.concat([report_uninitialized_variables(), report_uninitialized_resources()], 0)


def _ready_for_local_init_op() -> Any:
    variables = report_uninitialized_variables(global_variables())
    return array.concat([variables, report_uninitialized_resources(shared_resources())], 0)


# the parts that finalize creates, in this order: name, collection, constructor
_DEFAULTS: tuple[tuple[str, str, Callable[[], Any]], ...] = (
    ("init_op", GraphKeys.INIT_OP, _init_op),
    ("ready_op", GraphKeys.READY_OP, _ready_op),
    ("ready_for_local_init_op", GraphKeys.READY_FOR_LOCAL_INIT_OP, _ready_for_local_init_op),
    ("local_init_op", GraphKeys.LOCAL_INIT_OP, Scaffold.default_local_init_op),
    ("summary_op", GraphKeys.SUMMARY_OP, merge_all),
)


class SessionCreator:
    """Creates the sessions of a monitored session, a new one after each abort."""

    def create_session(self) -> Any:
        raise NotImplementedError(error_text(f"create_session is not implemented for {self}."))


class _ScaffoldedCreator(SessionCreator):
    """A creator that finalizes its scaffold and has one SessionManager for all its sessions."""

    def __init__(self, scaffold: Scaffold | None, master: str, config: Any) -> None:
        self._scaffold = scaffold or Scaffold()
        self._manager: SessionManager | None = None
        self._master = master
        self._config = config

    def _session_manager(self) -> SessionManager:
        self._scaffold.finalize()
        if self._manager is None:
            self._manager = SessionManager(
                local_init_op=self._scaffold.local_init_op,
                ready_op=self._scaffold.ready_op,
                ready_for_local_init_op=self._scaffold.ready_for_local_init_op,
                graph=get_default_graph(),
            )
        return self._manager


class ChiefSessionCreator(_ScaffoldedCreator):
    """Creates sessions that restore the last checkpoint, or initialize."""

    def __init__(
        self,
        scaffold: Scaffold | None = None,
        master: str = "",
        config: Any = None,
        checkpoint_dir: Any = None,
        checkpoint_filename_with_path: Any = None,
    ) -> None:
        super().__init__(scaffold, master, config)
        self._checkpoint_dir = checkpoint_dir
        self._checkpoint_filename_with_path = checkpoint_filename_with_path

    def create_session(self) -> Any:
        """A session that is ready to train."""
        manager, scaffold = self._session_manager(), self._scaffold
        return manager.prepare_session(
            self._master,
            saver=scaffold.saver,
            checkpoint_dir=self._checkpoint_dir,
            checkpoint_filename_with_path=self._checkpoint_filename_with_path,
            config=self._config,
            init_op=scaffold.init_op,
            init_feed_dict=scaffold.init_feed_dict,
            init_fn=scaffold.init_fn,
        )


class WorkerSessionCreator(_ScaffoldedCreator):
    """Creates sessions that wait until the chief has made the model ready."""

    def __init__(
        self, scaffold: Scaffold | None = None, master: str = "", config: Any = None, max_wait_secs: float = 30 * 60
    ) -> None:
        super().__init__(scaffold, master, config)
        self._max_wait_secs = max_wait_secs

    def create_session(self) -> Any:
        """A session, once the model is ready."""
        return self._session_manager().wait_for_session(self._master, config=self._config, max_wait_secs=self._max_wait_secs)


__all__ = ["ChiefSessionCreator", "Scaffold", "SessionCreator", "WorkerSessionCreator"]
