"""The built front end: `bundle("widget.css")` is the text of a file, `front_end_code({"compare"})` the code of those widgets.

The build (widgets/parts.mjs) writes the code in parts. Which parts go together is decided here: all of them for a notebook, and
those of its widgets for a page. Their texts come from the catalogue. State: what was read and joined before.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from functools import cache
from importlib.resources import files
from typing import Any

from ...view import messages


@cache
def bundle(name: str) -> str:
    """The text of a file of the built front end, shared by all widgets.

    Raises: FileNotFoundError in a checkout whose front end was not built.
    """
    try:
        return (files("tfedu.widgets") / "static" / name).read_text("utf-8")
    except FileNotFoundError:
        raise FileNotFoundError(
            f"tfedu/widgets/static/{name} is missing: the front end was not built.\n"
            "  fix: in the clone, `cd widgets && npm ci && npm run build`; otherwise install tfedu again"
        ) from None


@cache
def _built() -> dict[str, Any]:
    built: dict[str, Any] = json.loads(bundle("parts.json"))
    return built


@cache
def kinds() -> frozenset[str]:
    """The kinds of widgets that the front end has."""
    return frozenset(kind for part in _built()["parts"] for kind in part["kinds"])


def front_end_code(wanted: Iterable[str] | None = None) -> str:
    """A module that shows widgets of the wanted kinds, by default of all.

    Raises: KeyError for a kind that the front end lacks; FileNotFoundError where it was not built.
    """
    own = kinds() if wanted is None else frozenset(wanted)
    for kind in sorted(own - kinds()):
        raise KeyError(f"the front end has no widget of the kind {kind!r}")
    return _joined(own)


@cache
def _joined(wanted: frozenset[str]) -> str:
    built = _built()
    parts = [part for part in built["parts"] if wanted.intersection(part["kinds"])]
    named = {text for part in parts for text in part["texts"]}
    texts = json.dumps(_texts(named), ensure_ascii=False, separators=(",", ":"))
    return "\n".join([built["head"], f"const TEXTS={texts};", *(part["code"] for part in parts), built["tail"], ""])


def _texts(named: set[str]) -> dict[str, dict[str, str]]:
    """The messages in each language, by what names them: a key, or the beginning of several with its dot."""
    families = tuple(text for text in named if text.endswith("."))
    return {
        lang: {key: text for key, text in messages.catalogue(lang).items() if key in named or key.startswith(families)}
        for lang in messages.LANGUAGES
    }


__all__ = ["bundle", "front_end_code", "kinds"]
