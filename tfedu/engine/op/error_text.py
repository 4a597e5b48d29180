"""What an error says after TF's own line: where the user was, and where the inputs come from. No state."""

from __future__ import annotations

from collections.abc import Iterable

from ..base import errors, shapes
from ..base import site as sites
from ..graph.nodes import Tensor


def explained(
    first: str, site: sites.Site | None, inputs: Iterable[Tensor] = (), fix: str | None = None
) -> str:
    """TF's own line, then where it happened and where the inputs come from (design.md, section 5)."""
    described = [
        f"{t.name} {t.dtype.name}{shapes.fmt(t.raw_shape)}  from {sites.describe(t.op.site)}" for t in inputs
    ]
    return errors.layout(first, None if site is None else sites.describe(site), described, fix)
