"""Errors with a code: `raise ForkError("dead", tensor="x:0")`. No state.

The text is English; the catalogue of messages has the same sentence in the reader's language under `refused.<group>.<code>`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar


class Refusal(Exception):
    """code: the key of a text in `texts`; params: the values of its braces."""

    group: ClassVar[str]
    texts: ClassVar[Mapping[str, str]]

    def __init__(self, code: str, **params: object) -> None:
        self.code = code
        self.params = {name: str(param) for name, param in params.items()}
        super().__init__(self.texts[code].format(**self.params))


__all__ = ["Refusal"]
