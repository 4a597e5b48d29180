"""A second seed for a sample that draws twice. No state."""

from __future__ import annotations

import hashlib


def derived_seed(seed: int | None, salt: str) -> int | None:
    """The seed that TF derives from `seed` and a word for the second draw of a sample; None stays None."""
    if seed is None:
        return None
    return int(hashlib.md5(f"{seed}{salt}".encode(), usedforsecurity=False).hexdigest()[:8], 16) & 0x7FFFFFFF
