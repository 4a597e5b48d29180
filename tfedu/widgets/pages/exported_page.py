"""The text of a page that shows widgets without Python: `page(parts, title, lang)`, and its pieces for pages of other programs.

A page is one file: the front end of its widgets and their traits, compressed, and a script that shows them (widgets/src/page.ts).
Its Content-Security-Policy lets nothing else run and nothing be loaded. On a page of another program, `place` stands where a
widget is to be, and `front_end_of` once behind them. The same parts give the same text. No state.
"""

from __future__ import annotations

import zlib
from base64 import b64encode
from collections.abc import Sequence
from hashlib import sha256
from html import escape
from typing import Any, Final, NamedTuple

from ...view import messages
from ...view.labels import encodable
from ...view.whole_files import json_text
from .front_end_code import bundle, front_end_code

_PAGE_STYLE: Final = """
body { margin: 0 auto; max-width: 1040px; padding: 24px; font-family: system-ui, sans-serif; color-scheme: light dark; }
section { margin-block: 24px; }
figure { margin-inline: 0; }
"""
# Without blank lines, which would end the HTML in a Markdown file.
PLACE_STYLE: Final = """
[data-widget] > .paper img { max-width: 100%; height: auto; }
[data-widget].shown > .paper { display: none; }
@media print { [data-widget].shown > .running { display: none; } [data-widget].shown > .paper { display: block; } }
"""


class PagePart(NamedTuple):
    """A widget of a page. traits: as JSON; still: HTML, shown on paper and where no script runs."""

    traits: dict[str, Any]
    still: str


def page(parts: Sequence[PagePart], title: str, lang: str | None, asked: Sequence[int] = ()) -> str:
    """The page. Several widgets share one front end, which has no code and no texts of other kinds of widgets.

    asked: the numbers of the parts whose questions the page's own server answers.
    """
    policy = f'<meta http-equiv="Content-Security-Policy" content="{_policy(bundle("page.js"), bool(asked))}">'
    places = [place(part, i, lang, "section") for i, part in enumerate(parts)]
    return document("\n".join(places), parts, title, lang, policy, asked)


def document(
    body: str, parts: Sequence[PagePart], title: str, lang: str | None, head: str = "", asked: Sequence[int] = ()
) -> str:
    """A page with a body in which the places of its parts are. head: more for the page's head; asked: as for `page`."""
    lines = [
        "<!doctype html>",
        f'<html lang="{escape(lang or "en")}">',
        '<meta charset="utf-8">',
        *[head] * bool(head),
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{escape(encodable(title or 'tfedu'))}</title>",
        f"<style>{_PAGE_STYLE}</style>",
        "<main>",
        body,
        "</main>",
        *[front_end_of(parts, lang, asked)] * bool(parts),
        "</html>",
        "",
    ]
    return "\n".join(lines)


def place(
    part: PagePart, number: int, lang: str | None, element: str = "div", height: str | None = None
) -> str:
    """The element that becomes the widget: until then and on paper, its picture.

    number: its place in the parts; height: a CSS length, by default what the widget needs.
    """
    failed = escape(messages.message("page.failed", lang))
    running = f'class="running tfedu-place of-height" style="--tfedu-height:{escape(height)}"' if height else 'class="running"'
    return (
        f'<{element} data-widget="{number}"><div {running}></div><div class="paper">{part.still}</div>'
        f'<p class="failed" role="alert" hidden>{failed}</p></{element}>'
    )


def front_end_of(parts: Sequence[PagePart], lang: str | None, asked: Sequence[int] = ()) -> str:
    """What shows all the widgets of a page: a style, the compressed front end with their traits, and a script."""
    packed = json_text(
        {
            "code": front_end_code(part.traits["kind"] for part in parts),
            "css": bundle("widget.css"),
            "widgets": [part.traits for part in parts],
            "asked": list(asked),
            "noPython": messages.message("page.no_python", lang),
        },
        sort_keys=True,
    )
    return "\n".join((
        f"<style>{PLACE_STYLE}</style>",
        f'<script type="text/plain" id="packed">{_compressed(packed)}</script>',
        f"<script>{bundle('page.js')}</script>",
    ))  # fmt: skip


def _policy(script: str, asks: bool) -> str:
    """Returns the Content-Security-Policy: this script runs, and what it unpacks. asks: it may ask its own server, too."""
    digest = b64encode(sha256(script.encode()).digest()).decode()
    return "; ".join((
        "default-src 'none'",
        f"script-src 'sha256-{digest}' blob:",
        "worker-src blob:",
        "style-src 'unsafe-inline'",
        "img-src data: blob:",
        *["connect-src 'self'"] * asks,
        "base-uri 'none'",
        "form-action 'none'",
    ))  # fmt: skip


def _compressed(text: str) -> str:
    """gzip in base64: no letter of it can end a script element."""
    # Smaller blocks than usual (8), each with a Huffman code of its own, suit code, texts of three languages and records better.
    gzip = zlib.compressobj(9, zlib.DEFLATED, 16 + zlib.MAX_WBITS, 6)
    return b64encode(gzip.compress(text.encode()) + gzip.flush()).decode("ascii")


__all__ = ["PagePart", "document", "front_end_of", "page", "place"]
