"""`raise ValueError(said("…"))`: TF's own words, then the user's line and, where it is sure, what helps. No state."""

from __future__ import annotations

from collections.abc import Iterable

from ..base import site as sites
from ..graph.nodes import Tensor
from ..ops.explain import explained


def said(first: str, inputs: Iterable[Tensor] = (), fix: str | None = None) -> str:
    """The message of an error that the line now running has caused; `inputs` are the tensors that it is about."""
    return explained(first, sites.capture(), inputs, fix)
