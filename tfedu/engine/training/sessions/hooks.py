"""Hooks: objects whose methods a monitored session calls around each `run`. No state.

    begin() once, before the graph is finalized; after_create_session(session, coord) for each new session;
    before_run(context) -> SessionRunArgs to add fetches and feeds; after_run(context, values); end(session) on a clean exit
"""

from __future__ import annotations

from typing import Any, NamedTuple


class SessionRunHook:
    """A hook that does nothing: subclasses override the methods they need."""

    def begin(self) -> None:
        """Called once before the session is created; nodes can be added here for the last time."""

    def after_create_session(self, session: Any, coord: Any) -> None:
        """Called when a session has been created, also after a recovery; the graph is final."""

    def before_run(self, run_context: SessionRunContext) -> SessionRunArgs | None:
        """Called before each run; returns additional fetches and feeds."""
        return None

    def after_run(self, run_context: SessionRunContext, run_values: SessionRunValues) -> None:
        """Called after each run that succeeded, with the values of before_run's fetches."""

    def end(self, session: Any) -> None:
        """Called at the end, unless an error ended the loop."""


class _Args(NamedTuple):
    fetches: Any
    feed_dict: Any
    options: Any


class SessionRunArgs(_Args):
    """Additional fetches, feeds and options of a run."""

    __slots__ = ()

    def __new__(cls, fetches: Any, feed_dict: Any = None, options: Any = None) -> SessionRunArgs:
        return super().__new__(cls, fetches, feed_dict, options)


class SessionRunValues(NamedTuple):
    """Results of a run: the values of before_run's fetches, the options, the metadata."""

    results: Any
    options: Any
    run_metadata: Any


class SessionRunContext:
    """The run that a hook is called for: the program's arguments and the session; it can be made the last run."""

    def __init__(self, original_args: SessionRunArgs, session: Any) -> None:
        self._original_args = original_args
        self._session = session
        self._stop_requested = False

    @property
    def original_args(self) -> SessionRunArgs:
        """The arguments of the program's run()."""
        return self._original_args

    @property
    def session(self) -> Any:
        """The session, whose own run() calls no hooks."""
        return self._session

    @property
    def stop_requested(self) -> bool:
        """Whether a hook has requested that this run be the last."""
        return self._stop_requested

    def request_stop(self) -> None:
        """Makes this run the last one: the monitored session's should_stop() becomes True."""
        self._stop_requested = True


__all__ = ["SessionRunArgs", "SessionRunContext", "SessionRunHook", "SessionRunValues"]
