"""A picture as an HTML image: `image(svg, alt)`. JupyterLab shows it also in a notebook that it does not trust. No state."""

from __future__ import annotations

from base64 import b64encode
from html import escape
from typing import Final

from ..labels import shorten

_ALT: Final = 600  # a longer text than this nobody listens to; the picture's own description has the counts


def image(svg: str, alt: str) -> str:
    """An `<img>` that holds the SVG itself; as an image it can run nothing and load nothing.

    A notebook's own SVG output is dropped where the notebook is not trusted (opened from elsewhere, not run here).
    """
    told = shorten("; ".join(alt.splitlines()), _ALT)
    data = b64encode(svg.encode("utf-8")).decode("ascii")
    return f'<img alt="{escape(told)}" src="data:image/svg+xml;base64,{data}">'
