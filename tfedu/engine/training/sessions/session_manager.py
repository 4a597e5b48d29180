"""Prepares sessions for training: restores the last checkpoint, or initializes, and checks that all is initialized.

State: a SessionManager's operations that check readiness and initialize.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np

from ...base import errors, log
from ...base.errors import error_text
from ...graph.default_graph import get_default_graph
from ...runtime.session import Session


class SessionManager:
    """Prepares sessions of a graph, for a chief (prepare, recover) or for a worker that waits for the chief.

    ready_op: the names of uninitialized variables and resources, string [n]; local_init_op: runs in each session once
    ready_for_local_init_op, of the same form, is empty.
    Raises: ValueError for ready_for_local_init_op without local_init_op.
    """

    def __init__(
        self,
        local_init_op: Any = None,
        ready_op: Any = None,
        ready_for_local_init_op: Any = None,
        graph: Any = None,
        recovery_wait_secs: float = 30,
        local_init_run_options: Any = None,
    ) -> None:
        self._graph = get_default_graph() if graph is None else graph
        self._local_init_op = local_init_op
        self._ready_op = ready_op
        self._ready_for_local_init_op = ready_for_local_init_op
        self._recovery_wait_secs = recovery_wait_secs
        self._local_init_run_options = local_init_run_options
        if ready_for_local_init_op is not None and local_init_op is None:
            raise ValueError(
                error_text(
                    "If you pass a ready_for_local_init_op you must also pass a local_init_op , "
                    f"ready_for_local_init_op [{ready_for_local_init_op}]"
                )
            )

    def prepare_session(
        self,
        master: str,
        init_op: Any = None,
        saver: Any = None,
        checkpoint_dir: Any = None,
        checkpoint_filename_with_path: Any = None,
        wait_for_checkpoint: bool = False,
        max_wait_secs: float = 7200,
        config: Any = None,
        init_feed_dict: Any = None,
        init_fn: Callable[[Any], Any] | None = None,
    ) -> Session:
        """A session that is ready: restored from a checkpoint if there is one, else initialized by init_op and init_fn.

        Raises: RuntimeError without anything that initializes, or when a variable remains uninitialized.
        """
        sess, restored = self._open_and_restore(
            master, saver, checkpoint_dir, checkpoint_filename_with_path, wait_for_checkpoint, max_wait_secs, config
        )
        if not restored:
            if init_op is None and not init_fn and self._local_init_op is None:
                text = "Model is not initialized and no init_op or init_fn or local_init_op was given"
                raise RuntimeError(error_text(text))
            if init_op is not None:
                sess.run(init_op, feed_dict=init_feed_dict)
            if init_fn:
                init_fn(sess)
        initializers = f"Init op: {_name(init_op)}, init fn: {init_fn}"
        missing = self._run_local_init(sess)
        if missing is not None:
            raise RuntimeError(
                error_text(f"Init operations did not make model ready for local_init.  {initializers}, error: {missing}")
            )
        missing = what_is_missing(self._ready_op, sess, "Model not ready")
        if missing is not None:
            local = f"local_init_op: {self._local_init_op}"
            raise RuntimeError(
                error_text(f"Init operations did not make model ready.  {initializers}, {local}, error: {missing}")
            )
        return sess

    def recover_session(
        self,
        master: str,
        saver: Any = None,
        checkpoint_dir: Any = None,
        checkpoint_filename_with_path: Any = None,
        wait_for_checkpoint: bool = False,
        max_wait_secs: float = 7200,
        config: Any = None,
    ) -> tuple[Session, bool]:
        """(session, whether it was restored from a checkpoint and is ready)."""
        sess, restored = self._open_and_restore(
            master, saver, checkpoint_dir, checkpoint_filename_with_path, wait_for_checkpoint, max_wait_secs, config
        )
        missing = self._run_local_init(sess)
        if not restored:
            return sess, False
        source = checkpoint_dir or checkpoint_filename_with_path
        if missing is not None:
            log.info("Restoring model from %s did not make model ready for local init: %s", source, missing)
            return sess, False
        missing = what_is_missing(self._ready_op, sess, "Model not ready")
        if missing is not None:
            log.info("Restoring model from %s did not make model ready: %s", source, missing)
            return sess, False
        log.info("Restored model from %s", source)
        return sess, True

    def wait_for_session(self, master: str, config: Any = None, max_wait_secs: float | None = float("inf")) -> Session:
        """A session, once another process has made the model ready; checks every recovery_wait_secs.

        Raises: DeadlineExceededError after max_wait_secs.
        """
        limit = float("inf") if max_wait_secs is None else max_wait_secs
        started = time.monotonic()
        while True:
            sess = Session(master, graph=self._graph, config=config)
            not_ready = None
            not_ready_for_local = self._run_local_init(sess)
            if not_ready_for_local is None:
                not_ready = what_is_missing(self._ready_op, sess, "Model not ready")
                if not_ready is None:
                    return sess
            sess.close()
            left = max(0.0, limit - (time.monotonic() - started))
            if left - self._recovery_wait_secs < 0:
                text = f"Session was not ready after waiting {limit:.0f} secs."
                raise errors.DeadlineExceededError(None, None, error_text(text))
            log.info(
                "Waiting for model to be ready.  Ready_for_local_init_op:  %s, ready: %s", not_ready_for_local, not_ready
            )
            time.sleep(self._recovery_wait_secs)

    def _open_and_restore(
        self, master: str, saver: Any, folder: Any, path: Any, wait: bool, max_wait_secs: float, config: Any
    ) -> tuple[Session, bool]:
        """(session, whether a checkpoint was restored)."""
        from ..checkpoints.checkpoint_state import get_checkpoint_state

        sess = Session(master, graph=self._graph, config=config)
        if folder and path:
            raise ValueError(
                error_text("Can not provide both checkpoint_dir and checkpoint_filename_with_path.")
            )
        if not saver or not (folder or path):
            return sess, False
        if path:
            saver.restore(sess, path)
            return sess, True
        waited = 0.0
        checkpoints = get_checkpoint_state(folder)
        while not checkpoints or not checkpoints.model_checkpoint_path:
            if not wait or waited >= max_wait_secs:
                return sess, False
            log.info("Waiting for checkpoint to be available.")
            time.sleep(self._recovery_wait_secs)
            waited += self._recovery_wait_secs
            checkpoints = get_checkpoint_state(folder)
        saver.restore(sess, checkpoints.model_checkpoint_path)
        saver.recover_last_checkpoints(checkpoints.all_model_checkpoint_paths)
        return sess, True

    def _run_local_init(self, sess: Session) -> str | None:
        """Runs local_init_op if the model is ready for it; else returns what is missing."""
        if self._local_init_op is None:
            return None
        missing = what_is_missing(self._ready_for_local_init_op, sess, "Model not ready for local init")
        if missing is None:
            log.info("Running local_init_op.")
            sess.run(self._local_init_op, options=self._local_init_run_options)
            log.info("Done running local_init_op.")
        return missing


def _name(op: Any) -> str:
    if op is None:
        return "None"
    return op.name if hasattr(op, "name") else f"<no name for {type(op)}>"


def what_is_missing(op: Any, sess: Session, log_prefix: str) -> str | None:
    """The message of what a ready op reports as uninitialized, None when it reports nothing."""
    if op is None:
        return None
    try:
        value = sess.run(op)
    except errors.FailedPreconditionError as error:
        if "uninitialized" not in str(error):
            log.warning("%s : error [%s]", log_prefix, str(error))
            raise
        return str(error)
    if value is None or value.dtype == np.int32 or value.size == 0:
        return None
    return "Variables not initialized: " + ", ".join(name.decode("utf-8") for name in value)


__all__ = ["SessionManager", "what_is_missing"]
