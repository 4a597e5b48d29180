"""Sessions that look after themselves: initialize, restore, save, call hooks, and start anew after an abort.

    with tf.train.MonitoredTrainingSession(checkpoint_dir="model", hooks=[tf.train.StopAtStepHook(last_step=100)]) as sess:
        while not sess.should_stop():
            sess.run(train_op)

One `_Attempt` is one session with its coordinator; where the session recovers, an attempt that was aborted is followed by
another, from the last checkpoint. State: of a monitored session, its attempt; of an attempt, whether a hook wants to stop.
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

# errors after which the same may succeed in a new session
_PREEMPTED = (errors.AbortedError, errors.UnavailableError)
USE_DEFAULT: Final = object()


class StepContext:
    """What a step function is given: the bare session, a way to run with hooks, a way to stop."""

    def __init__(self, session: Any, run_with_hooks_fn: Callable[..., Any]) -> None:
        self._session = session
        self._run_with_hooks = run_with_hooks_fn

    @property
    def session(self) -> Any:
        """The session, whose run() calls no hooks."""
        return self._session

    def run_with_hooks(self, *args: Any, **kwargs: Any) -> Any:
        """run() with hooks, as that of the monitored session."""
        return self._run_with_hooks(*args, **kwargs)

    def request_stop(self) -> None:
        """Ends the loop."""
        raise StopIteration("step_fn has requested the iterations to stop.")


class _Attempt:
    """A session from its making to its end, with its threads; runs call the hooks."""

    def __init__(self, creator: SessionCreator, hooks: list[SessionRunHook], grace: float) -> None:
        self.session = creator.create_session()
        self.coord = Coordinator(clean_stop_exception_types=[])
        self._hooks = hooks
        self._grace = grace
        self.stopped = False
        for runner in get_default_graph().get_collection(GraphKeys.QUEUE_RUNNERS):
            runner.create_threads(self.session, coord=self.coord, daemon=True, start=True)
        for hook in hooks:
            hook.after_create_session(self.session, self.coord)

    def should_stop(self) -> bool:
        """Raises: what a thread has reported."""
        self.coord.raise_requested_exception()
        return self.coord.should_stop() or self.stopped

    def run(self, fetches: Any, feed_dict: Any = None, options: Any = None, run_metadata: Any = None) -> Any:
        """The values of fetches; an abort that a thread reported goes before the error that it led to."""
        try:
            return self._hooked(fetches, feed_dict, options, run_metadata)
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

    def _hooked(self, fetches: Any, feed_dict: Any, options: Any, run_metadata: Any) -> Any:
        if self.stopped:
            raise RuntimeError(error_text("Run called even after should_stop requested."))
        context = SessionRunContext(SessionRunArgs(fetches, feed_dict), self.session)
        options = RunOptions() if options is None else options
        run_metadata = RunMetadata() if run_metadata is None else run_metadata
        wanted, feeds = self._requests(context, feed_dict, options)
        # without settings a repeated run takes the session's short way
        settings = {"options": options, "run_metadata": run_metadata} if options.trace_level else {}
        # one flat list, for a session knows that again at once, and a nest of nests it does not
        asked = [fetches, *wanted.values()]
        parts = [_parts(each) for each in asked]
        values = iter(self.session.run([part for each in parts for part in each], feeds, **settings))
        caller, *results = [_whole(each, [next(values) for _ in part]) for each, part in zip(asked, parts, strict=True)]
        found = dict(zip(wanted, results, strict=True))
        for index, hook in enumerate(self._hooks):
            hook.after_run(context, SessionRunValues(found.get(index), options, run_metadata))
        self.stopped = self.stopped or context.stop_requested
        return caller

    def _requests(self, context: SessionRunContext, feed_dict: Any, options: Any) -> tuple[dict[int, Any], Any]:
        """What each hook fetches, and the feeds of all together."""
        wanted: dict[int, Any] = {}
        fed: dict[Any, Any] = {}
        for index, hook in enumerate(self._hooks):
            request = hook.before_run(context)
            if request is None:
                continue
            if request.fetches is not None:
                wanted[index] = request.fetches
            if request.feed_dict:
                _refuse_both(fed, request.feed_dict, "Same tensor is fed by two hooks.")
                fed.update(request.feed_dict)
            if request.options:
                _merge(options, request.options)
        if not fed:
            return wanted, feed_dict
        if feed_dict:
            _refuse_both(feed_dict, fed, "Same tensor is fed by a SessionRunHook and user.")
            fed.update(feed_dict)
        return wanted, fed

    def close(self) -> None:
        """Stops the threads and the session. Raises: what a thread has reported, unless that was an abort."""
        self.coord.request_stop()
        try:
            self.coord.join(stop_grace_period_secs=self._grace, ignore_live_threads=True)
        except _PREEMPTED as error:
            log.warning("An error occurred when attempting to close the session. Error: %s", error)
        finally:
            self.session.close()


def _parts(fetches: Any) -> list[Any]:
    """What a list, tuple or dict consists of; anything else as it is."""
    kind = type(fetches)
    if kind is dict:
        return list(fetches.values())
    return list(fetches) if kind is list or kind is tuple else [fetches]


def _whole(fetches: Any, values: list[Any]) -> Any:
    """The values of `_parts` in the form of the fetches."""
    kind = type(fetches)
    if kind is dict:
        return dict(zip(fetches, values, strict=True))
    return kind(values) if kind is list or kind is tuple else values[0]


def _refuse_both(one: Mapping[Any, Any], other: Mapping[Any, Any], text: str) -> None:
    both = [key for key in one if key in other]
    if both:
        raise RuntimeError(error_text(f"{text} Conflict(s): {both}"))


def _merge(options: Any, more: Any) -> None:
    """The stronger of two settings of a run."""
    for field in type(options)._fields:
        setattr(options, field, max(getattr(options, field), getattr(more, field)))


class _MonitoredSession:
    """What both kinds are: a session with hooks, closed at the end of its `with` block."""

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
        self._grace = stop_grace_period_secs
        for hook in self._hooks:
            hook.begin()
        self._creator = session_creator or ChiefSessionCreator()
        self._current()

    def _current(self) -> _Attempt:
        """The attempt that goes on; a new one where there is none."""
        if self._closed:
            raise RuntimeError(error_text("Session is already closed."))
        while self._attempt is None:
            try:
                self._attempt = _Attempt(self._creator, self._hooks, self._grace)
            except _PREEMPTED as error:
                if not self._recovers:
                    raise
                log.info("The session could not be made, and is tried again. Error: %s", error)
        return self._attempt

    def _over(self, error: BaseException) -> None:
        """Ends an attempt that was aborted."""
        log.info("The run was aborted; a new session goes on from the last checkpoint. Error: %s", error)
        attempt, self._attempt = self._attempt, None
        if attempt is not None:
            attempt.close()

    def _recovering(self, step: Callable[[_Attempt], Any]) -> Any:
        while True:
            try:
                return step(self._current())
            except _PREEMPTED as error:
                if not self._recovers:
                    raise
                self._over(error)

    @property
    def graph(self) -> Any:
        """The graph; None after close()."""
        return None if self._attempt is None else self._attempt.session.graph

    def run(self, fetches: Any, feed_dict: Any = None, options: Any = None, run_metadata: Any = None) -> Any:
        """As Session.run, with the hooks; where it was aborted, once more in a new session.

        Raises: RuntimeError after close(), or after a hook wanted to stop.
        """
        return self._recovering(lambda attempt: attempt.run(fetches, feed_dict, options, run_metadata))

    def run_step_fn(self, step_fn: Callable[[StepContext], Any]) -> Any:
        """step_fn(step_context), whose runs may be with or without hooks.

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
        """Whether the loop is to end: a hook or a thread wants it, or the session is closed."""
        if self._closed:
            return True
        if not self._recovers:
            return self._current().should_stop()
        try:
            return self._current().should_stop()
        except _PREEMPTED as error:
            self._over(error)
            self._current()
            return False
        except Exception:
            # run() and close() raise it
            return True

    def close(self) -> None:
        """Calls the hooks' `end` and closes the session. Raises: RuntimeError when it is closed already."""
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
        # these two are how a loop over an input ends
        quiet = kind in (None, errors.OutOfRangeError, StopIteration)
        self._close(clean=quiet)
        return quiet


class MonitoredSession(_MonitoredSession):
    """A session with hooks that starts anew where a run was aborted (AbortedError, UnavailableError).

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
    """A session with hooks that does not recover, and can be had bare."""

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
        """The session itself."""
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
    """A MonitoredSession that saves checkpoints (each 10 minutes) and summaries (each 100 steps) by itself.

    Raises: RuntimeError where there is a folder to save to and no global step.
    """
    summaries = _when(save_summaries_steps, save_summaries_secs, (100, None))
    checkpoints = _when(save_checkpoint_steps, save_checkpoint_secs, (None, 600))
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
        if _asked(summaries):
            steps, secs = summaries
            all_hooks.append(SummarySaverHook(save_steps=steps, save_secs=secs, output_dir=summary_dir, scaffold=scaffold))
    if checkpoint_dir and _asked(checkpoints):
        steps, secs = checkpoints
        all_hooks.append(CheckpointSaverHook(checkpoint_dir, save_steps=steps, save_secs=secs, scaffold=scaffold))
    all_hooks.extend(hooks or [])
    return MonitoredSession(creator, all_hooks, stop_grace_period_secs)


def _when(steps: Any, secs: Any, default: tuple[Any, Any]) -> tuple[Any, Any]:
    """(steps, seconds): the default where neither is given, else what is given."""
    if steps is USE_DEFAULT and secs is USE_DEFAULT:
        return default
    return (None if steps is USE_DEFAULT else steps), (None if secs is USE_DEFAULT else secs)


def _asked(when: tuple[Any, Any]) -> bool:
    return any(each is not None and each > 0 for each in when)


__all__ = ["MonitoredSession", "MonitoredTrainingSession", "SingularMonitoredSession"]
