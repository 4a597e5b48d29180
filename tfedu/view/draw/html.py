"""A picture as an HTML image: `image(svg, alt)`, whose text is `alternative(alt)`.

JupyterLab shows it in untrusted notebooks, too. No state.
"""

from __future__ import annotations

from base64 import b64encode
from html import escape
from typing import Final

from ..labels import shorten

_ALT: Final = 600  # characters; nobody listens to more, and the picture's own description has the counts


def image(svg: str, alt: str) -> str:
    """An `<img>` with the SVG as its data: it can run no script and load nothing.

    JupyterLab drops plain SVG output of an untrusted notebook (one that was opened, but not run).
    """
    data = b64encode(svg.encode("utf-8")).decode("ascii")
    return f'<img alt="{escape(alternative(alt))}" src="data:image/svg+xml;base64,{data}">'


def alternative(words: str) -> str:
    """The words in place of a picture, on one line of moderate length."""
    return shorten("; ".join(words.splitlines()), _ALT)
