"""What cannot be done, with a code: `raise ForkError("dead", tensor="x:0")`. No state.

Its text is English, as every error's is; who shows it to a reader has the same sentence in the reader's language, in the
catalogue of messages under `refused.<group>.<code>`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar


class Refusal(Exception):
    """code: which of `texts`, whose braces the params fill."""

    group: ClassVar[str]
    texts: ClassVar[Mapping[str, str]]

    def __init__(self, code: str, **params: object) -> None:
        self.code = code
        self.params = {name: str(param) for name, param in params.items()}
        super().__init__(self.texts[code].format(**self.params))


__all__ = ["Refusal"]
