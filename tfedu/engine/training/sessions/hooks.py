"""What a program hangs into a training loop: a hook is called around each `run` of a monitored session. No state.

    begin() once, before the graph is finalized; after_create_session(session, coord) for each new session;
    before_run(context) -> SessionRunArgs to add fetches and feeds; after_run(context, values); end(session) on a clean exit
"""

from __future__ import annotations

from typing import Any, NamedTuple


class SessionRunHook:
    """A hook that does nothing: override what is needed."""

    def begin(self) -> None:
        """Called once before the session is made; the last moment to add nodes."""

    def after_create_session(self, session: Any, coord: Any) -> None:
        """Called when a session was made, also after a recovery; the graph is final."""

    def before_run(self, run_context: SessionRunContext) -> SessionRunArgs | None:
        """Called before each run: what is to be fetched and fed besides."""
        return None

    def after_run(self, run_context: SessionRunContext, run_values: SessionRunValues) -> None:
        """Called after each run that succeeded, with what before_run asked for."""

    def end(self, session: Any) -> None:
        """Called at the end, unless an error ended the loop."""


class _Args(NamedTuple):
    fetches: Any
    feed_dict: Any
    options: Any


class SessionRunArgs(_Args):
    """What a run is to fetch and to be fed, and its options."""

    __slots__ = ()

    def __new__(cls, fetches: Any, feed_dict: Any = None, options: Any = None) -> SessionRunArgs:
        return super().__new__(cls, fetches, feed_dict, options)


class SessionRunValues(NamedTuple):
    """What a run gave: the values asked for by before_run, the options, the metadata."""

    results: Any
    options: Any
    run_metadata: Any


class SessionRunContext:
    """The run that a hook is called for: what the program asked, the session, and a way to stop after it."""

    def __init__(self, original_args: SessionRunArgs, session: Any) -> None:
        self._original_args = original_args
        self._session = session
        self._stop_requested = False

    @property
    def original_args(self) -> SessionRunArgs:
        """What the program gave to run()."""
        return self._original_args

    @property
    def session(self) -> Any:
        """The session, whose own run() calls no hooks."""
        return self._session

    @property
    def stop_requested(self) -> bool:
        """Whether a hook wants this run to be the last."""
        return self._stop_requested

    def request_stop(self) -> None:
        """Makes this run the last one: should_stop() of the monitored session is True then."""
        self._stop_requested = True


__all__ = ["SessionRunArgs", "SessionRunContext", "SessionRunHook", "SessionRunValues"]
