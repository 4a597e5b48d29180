"""`raise ValueError(said("…"))`: TF's own words, then the user's line and, where it is sure, what helps.

`with advised("…"):` adds what helps to what an op inside refuses. No state.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from ...base import site as sites
from ...graph.nodes import Tensor
from ...op.error_text import explained


def said(first: str, inputs: Iterable[Tensor] = (), fix: str | None = None) -> str:
    """The message of an error that the line now running has caused; `inputs` are the tensors that it is about."""
    return explained(first, sites.capture(), inputs, fix)


@contextmanager
def advised(fix: str) -> Iterator[None]:
    """Adds advice to a refusal that has none."""
    try:
        yield
    except (TypeError, ValueError) as error:
        if error.args and "\n  where: " in str(error.args[0]) and "\n  fix: " not in str(error.args[0]):
            error.args = (f"{error.args[0]}\n  fix: {fix}", *error.args[1:])
        raise
