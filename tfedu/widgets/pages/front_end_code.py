"""The built front end: `bundle("widget.css")` is the text of a file, `front_end_code({"compare"})` the code of those widgets.

The build (widgets/parts.mjs) writes the code in parts. Which parts go together is decided here: all of them for a notebook, and
those of its widgets for a page. Their texts come from the catalogue. State: what was read and joined before.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from functools import cache
from importlib.resources import files
from typing import Any, Final

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
    return "\n".join([built["head"], *_texts(named), *(part["code"] for part in parts), built["tail"], ""])


# A page has each key once: the texts of the other languages are in the order of the first one's keys.
_JOIN: Final = (
    "for(const[lang,own]of Object.entries(OTHERS))"
    "TEXTS[lang]=Object.fromEntries(Object.keys(TEXTS.{}).map((key,i)=>[key,own[i]]));"
)


def _texts(named: set[str]) -> list[str]:
    """The lines with the messages in each language, by what names them: a key, or the beginning of several with its dot."""
    families = tuple(text for text in named if text.endswith("."))
    first, *others = messages.LANGUAGES
    known = {key: text for key, text in messages.catalogue(first).items() if key in named or key.startswith(families)}
    translated = {lang: [messages.catalogue(lang)[key] for key in known] for lang in others}
    return [f"const TEXTS={_json({first: known})};", f"const OTHERS={_json(translated)};", _JOIN.format(first)]


def _json(data: Any) -> str:
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"))


__all__ = ["bundle", "front_end_code", "kinds"]
