"""The session in which Keras reads and sets weights outside of `run`: `layer.get_weights()`.

It is the default session, else one of the graph's own. What layers made and no program initialized is initialized first.
State: the graph's collections `("__keras_session",)`, its own session, and `("__keras_variables",)`, the layers' variables.
"""

from __future__ import annotations

from typing import Any

from ...graph.default_graph import get_default_graph
from ...graph.stacks import get_default_session
from ...lib.variables.initialization import is_variable_initialized, variables_initializer
from ...runtime.session import Session

_SESSION_KEY = ("__keras_session",)
_VARIABLES_KEY = ("__keras_variables",)


def note_variable(variable: Any) -> None:
    """Lets `keras_session` initialize the variable."""
    get_default_graph().add_to_collection(_VARIABLES_KEY, variable)


def use_session(session: Any) -> None:
    """Makes a session that of the default graph."""
    get_default_graph().get_collection_ref(_SESSION_KEY)[:] = [session]


def forget_session() -> None:
    """Closes the default graph's own session, and notes its variables no more."""
    own: list[Any] = get_default_graph().get_collection_ref(_SESSION_KEY)
    for session in own:
        session.close()
    own.clear()
    get_default_graph().get_collection_ref(_VARIABLES_KEY).clear()


def keras_session() -> Any:
    """The session, in which the layers' variables have values."""
    graph = get_default_graph()
    session = get_default_session()
    if session is None:
        own: list[Any] = graph.get_collection_ref(_SESSION_KEY)
        if not own:
            own.append(Session(graph=graph))
        session = own[0]
    waiting = graph.get_collection_ref(_VARIABLES_KEY)
    if waiting:
        has_value = session.run([is_variable_initialized(variable) for variable in waiting])
        without = [variable for variable, known in zip(waiting, has_value) if not known]
        if without:
            session.run(variables_initializer(without))
        waiting.clear()
    return session
