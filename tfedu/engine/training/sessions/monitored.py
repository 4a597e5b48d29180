"""Monitored sessions: they initialize or restore, save, call hooks, and start again after an abort.

    with tf.train.MonitoredTrainingSession(checkpoint_dir="model", hooks=[tf.train.StopAtStepHook(last_step=100)]) as sess:
        while not sess.should_stop():
            sess.run(train_op)

One `_Attempt` is one session with its coordinator; a session that recovers replaces an aborted attempt by another, which
starts from the last checkpoint. State: a monitored session's attempt; an attempt's request to stop.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

from ...base import errors, log
from ...base.errors import error_text
from ...graph.default_graph import get_default_graph
from ...lib.framework.graph_keys import GraphKeys
from ...runtime.config import RunMetadata, RunOptions
from .coordinator import Coordinator
from .hooks import SessionRunArgs, SessionRunContext, SessionRunHook, SessionRunValues
from .saving_hooks import CheckpointSaverHook, StepCounterHook, SummarySaverHook
from .scaffold import ChiefSessionCreator, Scaffold, SessionCreator, WorkerSessionCreator

# errors after which the same run may succeed in a new session
_PREEMPTED = (errors.AbortedError, errors.UnavailableError)
USE_DEFAULT: Final = object()


class StepContext:
    """The argument of a step function: the session without hooks, run_with_hooks and request_stop."""

    def __init__(self, session: Any, run_with_hooks_fn: Callable[..., Any]) -> None:
        self._session = session
        self._run_with_hooks = run_with_hooks_fn

    @property
    def session(self) -> Any:
        """The session, whose run() calls no hooks."""
        return self._session

    def run_with_hooks(self, *args: Any, **kwargs: Any) -> Any:
        """The monitored session's run(), with hooks."""
        return self._run_with_hooks(*args, **kwargs)

    def request_stop(self) -> None:
        """Ends the loop."""
        raise StopIteration("step_fn has requested the iterations to stop.")


class _Attempt:
    """One session from creation to close, with its threads; runs call the hooks."""

    def __init__(self, creator: SessionCreator, hooks: list[SessionRunHook], stop_grace_period_secs: float) -> None:
        self.session = creator.create_session()
        self.coord = Coordinator(clean_stop_exception_types=[])
        self._hooks = hooks
        self._stop_grace_period_secs = stop_grace_period_secs
        self.stopped = False
        for runner in get_default_graph().get_collection(GraphKeys.QUEUE_RUNNERS):
            runner.create_threads(self.session, coord=self.coord, daemon=True, start=True)
        for hook in hooks:
            hook.after_create_session(self.session, self.coord)

    def should_stop(self) -> bool:
        """Whether a thread or a hook has requested a stop. Raises: the error that a thread has reported."""
        self.coord.raise_requested_exception()
        return self.coord.should_stop() or self.stopped

    def run(self, fetches: Any, feed_dict: Any = None, options: Any = None, run_metadata: Any = None) -> Any:
        """The values of fetches. Raises: rather the abort that a thread has reported than the error that followed from it."""
        try:
            return self._run_with_hooks(fetches, feed_dict, options, run_metadata)
        except _PREEMPTED:
            raise
        except Exception as error:
            try:
                self.coord.raise_requested_exception()
            except _PREEMPTED:
                raise
            except Exception:
                raise error from None
            raise

    def _run_with_hooks(self, fetches: Any, feed_dict: Any, options: Any, run_metadata: Any) -> Any:
        if self.stopped:
            raise RuntimeError(error_text("Run called even after should_stop requested."))
        context = SessionRunContext(SessionRunArgs(fetches, feed_dict), self.session)
        options = RunOptions() if options is None else options
        run_metadata = RunMetadata() if run_metadata is None else run_metadata
        hook_fetches, feeds = self._requests(context, feed_dict, options)
        # without settings, Session.run recognizes a repeated run
        settings = {"options": options, "run_metadata": run_metadata} if options.trace_level else {}
        # one flat list: Session.run recognizes a repeated list of tensors, but no nested structure
        structures = [fetches, *hook_fetches.values()]
        parts = [_parts(each) for each in structures]
        values = iter(self.session.run([part for each in parts for part in each], feeds, **settings))
        result, *hook_results = [
            _packed_as(each, [next(values) for _ in part]) for each, part in zip(structures, parts, strict=True)
        ]
        results_by_hook = dict(zip(hook_fetches, hook_results, strict=True))
        for index, hook in enumerate(self._hooks):
            hook.after_run(context, SessionRunValues(results_by_hook.get(index), options, run_metadata))
        self.stopped = self.stopped or context.stop_requested
        return result

    def _requests(self, context: SessionRunContext, feed_dict: Any, options: Any) -> tuple[dict[int, Any], Any]:
        """(fetches by the hook's index, feeds of the hooks and the caller)."""
        hook_fetches: dict[int, Any] = {}
        fed: dict[Any, Any] = {}
        for index, hook in enumerate(self._hooks):
            request = hook.before_run(context)
            if request is None:
                continue
            if request.fetches is not None:
                hook_fetches[index] = request.fetches
            if request.feed_dict:
                _refuse_conflicts(fed, request.feed_dict, "Same tensor is fed by two hooks.")
                fed.update(request.feed_dict)
            if request.options:
                _merge_options(options, request.options)
        if not fed:
            return hook_fetches, feed_dict
        if feed_dict:
            _refuse_conflicts(feed_dict, fed, "Same tensor is fed by a SessionRunHook and user.")
            fed.update(feed_dict)
        return hook_fetches, fed

    def close(self) -> None:
        """Stops the threads and the session. Raises: the error that a thread has reported, unless that was an abort."""
        self.coord.request_stop()
        try:
            self.coord.join(stop_grace_period_secs=self._stop_grace_period_secs, ignore_live_threads=True)
        except _PREEMPTED as error:
            log.warning("An error occurred when attempting to close the session. Error: %s", error)
        finally:
            self.session.close()


def _parts(fetches: Any) -> list[Any]:
    """The elements of a list, tuple or dict; [fetches] for anything else."""
    structure = type(fetches)
    if structure is dict:
        return list(fetches.values())
    return list(fetches) if structure is list or structure is tuple else [fetches]


def _packed_as(fetches: Any, values: list[Any]) -> Any:
    """The values of `_parts(fetches)` in the structure of fetches."""
    structure = type(fetches)
    if structure is dict:
        return dict(zip(fetches, values, strict=True))
    return structure(values) if structure is list or structure is tuple else values[0]


def _refuse_conflicts(one: Mapping[Any, Any], other: Mapping[Any, Any], text: str) -> None:
    conflicts = [key for key in one if key in other]
    if conflicts:
        raise RuntimeError(error_text(f"{text} Conflict(s): {conflicts}"))


def _merge_options(options: Any, more: Any) -> None:
    """Raises each field of `options` to its value in `more`, if that is higher."""
    for field in type(options)._fields:
        setattr(options, field, max(getattr(options, field), getattr(more, field)))


class _MonitoredSession:
    """The base of both kinds: a session with hooks, closed at the end of its `with` block."""

    StepContext = StepContext
    _recovers = True

    def __init__(
        self, session_creator: SessionCreator | None, hooks: Iterable[SessionRunHook] | None, stop_grace_period_secs: float = 120
    ) -> None:
        self._attempt: _Attempt | None = None
        self._closed = False
        self._graph = get_default_graph()
        self._was_final = self._graph.finalized
        self._hooks = list(hooks or [])
        self._stop_grace_period_secs = stop_grace_period_secs
        for hook in self._hooks:
            hook.begin()
        self._creator = session_creator or ChiefSessionCreator()
        self._current()

    def _current(self) -> _Attempt:
        """The current attempt; a new one after an abort."""
        if self._closed:
            raise RuntimeError(error_text("Session is already closed."))
        while self._attempt is None:
            try:
                self._attempt = _Attempt(self._creator, self._hooks, self._stop_grace_period_secs)
            except _PREEMPTED as error:
                if not self._recovers:
                    raise
                log.info("The session could not be created; trying again. Error: %s", error)
        return self._attempt

    def _end_attempt(self, error: BaseException) -> None:
        """Closes an attempt that was aborted."""
        log.info("The run was aborted; a new session continues from the last checkpoint. Error: %s", error)
        attempt, self._attempt = self._attempt, None
        if attempt is not None:
            attempt.close()

    def _recovering(self, step: Callable[[_Attempt], Any]) -> Any:
        """step(attempt), repeated in a new attempt after each abort."""
        while True:
            try:
                return step(self._current())
            except _PREEMPTED as error:
                if not self._recovers:
                    raise
                self._end_attempt(error)

    @property
    def graph(self) -> Any:
        """The graph; None after close()."""
        return None if self._attempt is None else self._attempt.session.graph

    def run(self, fetches: Any, feed_dict: Any = None, options: Any = None, run_metadata: Any = None) -> Any:
        """As Session.run, with hooks; repeated in a new session after an abort.

        Raises: RuntimeError after close(), or after a hook has requested a stop.
        """
        return self._recovering(lambda attempt: attempt.run(fetches, feed_dict, options, run_metadata))

    def run_step_fn(self, step_fn: Callable[[StepContext], Any]) -> Any:
        """step_fn(step_context), which may run with or without hooks.

        Raises: ValueError for a function of other parameters.
        """
        names = tuple(inspect.signature(step_fn).parameters)
        if inspect.ismethod(step_fn):
            names = ("self", *names)
        if names not in (("step_context",), ("self", "step_context")):
            text = (
                "`step_fn` may either have one `step_context` argument, or `self` and `step_context` arguments if it's an "
                f"instance method. Got {names} instead."
            )
            raise ValueError(error_text(text))
        return self._recovering(lambda attempt: step_fn(StepContext(attempt.session, attempt.run)))

    def should_stop(self) -> bool:
        """Whether the loop should end: a hook or a thread has requested it, or the session is closed."""
        if self._closed:
            return True
        if not self._recovers:
            return self._current().should_stop()
        try:
            return self._current().should_stop()
        except _PREEMPTED as error:
            self._end_attempt(error)
            self._current()
            return False
        except Exception:
            # run() and close() raise the error
            return True

    def close(self) -> None:
        """Calls the hooks' `end` and closes the session. Raises: RuntimeError when it is already closed."""
        self._close(clean=True)

    def _is_closed(self) -> bool:
        return self._closed

    def _close(self, clean: bool) -> None:
        if self._closed:
            raise RuntimeError(error_text("Session is already closed."))
        try:
            if clean:
                session = self._current().session
                for hook in self._hooks:
                    hook.end(session)
        finally:
            attempt, self._attempt = self._attempt, None
            self._closed = True
            try:
                if attempt is not None:
                    attempt.close()
            finally:
                if not self._was_final:
                    self._graph._unsafe_unfinalize()

    def __enter__(self) -> Any:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, where: Any) -> bool:
        # OutOfRangeError and StopIteration mark the end of the input
        clean = kind in (None, errors.OutOfRangeError, StopIteration)
        self._close(clean=clean)
        return clean


class MonitoredSession(_MonitoredSession):
    """A session with hooks that starts again after an abort (AbortedError, UnavailableError).

    session_creator: by default a ChiefSessionCreator.
    """

    def __init__(
        self,
        session_creator: SessionCreator | None = None,
        hooks: Iterable[SessionRunHook] | None = None,
        stop_grace_period_secs: float = 120,
    ) -> None:
        super().__init__(session_creator, hooks, stop_grace_period_secs)


class SingularMonitoredSession(_MonitoredSession):
    """A session with hooks that does not recover; `raw_session` is the session without hooks."""

    _recovers = False

    def __init__(
        self,
        hooks: Iterable[SessionRunHook] | None = None,
        scaffold: Scaffold | None = None,
        master: str = "",
        config: Any = None,
        checkpoint_dir: Any = None,
        stop_grace_period_secs: float = 120,
        checkpoint_filename_with_path: Any = None,
    ) -> None:
        creator = ChiefSessionCreator(scaffold, master, config, checkpoint_dir, checkpoint_filename_with_path)
        super().__init__(creator, hooks, stop_grace_period_secs)

    def raw_session(self) -> Any:
        """The session without hooks; None after close()."""
        return None if self._attempt is None else self._attempt.session


def MonitoredTrainingSession(
    master: str = "",
    is_chief: bool = True,
    checkpoint_dir: Any = None,
    scaffold: Scaffold | None = None,
    hooks: Iterable[SessionRunHook] | None = None,
    chief_only_hooks: Iterable[SessionRunHook] | None = None,
    save_checkpoint_secs: Any = USE_DEFAULT,
    save_summaries_steps: Any = USE_DEFAULT,
    save_summaries_secs: Any = USE_DEFAULT,
    config: Any = None,
    stop_grace_period_secs: float = 120,
    log_step_count_steps: int | None = 100,
    max_wait_secs: float = 7200,
    save_checkpoint_steps: Any = USE_DEFAULT,
    summary_dir: Any = None,
) -> MonitoredSession:
    """A MonitoredSession that saves checkpoints (by default every 600 s) and summaries (every 100 steps).

    Raises: RuntimeError for a folder to save to in a graph without a global step.
    """
    summaries = _interval(save_summaries_steps, save_summaries_secs, (100, None))
    checkpoints = _interval(save_checkpoint_steps, save_checkpoint_secs, (None, 600))
    scaffold = scaffold or Scaffold()
    if not is_chief:
        creator: SessionCreator = WorkerSessionCreator(scaffold, master, config, max_wait_secs)
        return MonitoredSession(creator, hooks, stop_grace_period_secs)
    all_hooks: list[SessionRunHook] = list(chief_only_hooks or [])
    creator = ChiefSessionCreator(scaffold, master, config, checkpoint_dir)
    summary_dir = summary_dir or checkpoint_dir
    if summary_dir:
        if log_step_count_steps and log_step_count_steps > 0:
            all_hooks.append(StepCounterHook(output_dir=summary_dir, every_n_steps=log_step_count_steps))
        if _is_set(summaries):
            steps, secs = summaries
            all_hooks.append(SummarySaverHook(save_steps=steps, save_secs=secs, output_dir=summary_dir, scaffold=scaffold))
    if checkpoint_dir and _is_set(checkpoints):
        steps, secs = checkpoints
        all_hooks.append(CheckpointSaverHook(checkpoint_dir, save_steps=steps, save_secs=secs, scaffold=scaffold))
    all_hooks.extend(hooks or [])
    return MonitoredSession(creator, all_hooks, stop_grace_period_secs)


def _interval(steps: Any, secs: Any, default: tuple[Any, Any]) -> tuple[Any, Any]:
    """(steps, seconds): the default when neither is set."""
    if steps is USE_DEFAULT and secs is USE_DEFAULT:
        return default
    return (None if steps is USE_DEFAULT else steps), (None if secs is USE_DEFAULT else secs)


def _is_set(interval: tuple[Any, Any]) -> bool:
    return any(each is not None and each > 0 for each in interval)


__all__ = ["MonitoredSession", "MonitoredTrainingSession", "SingularMonitoredSession"]
