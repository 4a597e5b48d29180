"""The texts that people read, in English, Korean and Chinese: `message("graph.empty")`, `use_language("ko")`.

One catalogue for Python and the front end, the JSON files beside this one: whole sentences with {params}, never pieces.
State: `_language`, the language of pictures and texts whose caller names none (from TFEDU_LANG, else English).
"""

from __future__ import annotations

import json
import os
import re
from functools import cache
from importlib.resources import files
from typing import Final

from ..labels import inline

LANGUAGES: Final = ("en", "ko", "zh")

_PARAM: Final = re.compile(r"\{(\w+)\}")


def pick(tag: str | None) -> str:
    """The language of a tag as "ko-KR"; English where we do not speak it."""
    short = (tag or "").lower().replace("_", "-").split("-")[0]
    return short if short in LANGUAGES else "en"


_language = pick(os.environ.get("TFEDU_LANG"))


def language() -> str:
    """The language of pictures and texts whose caller names none."""
    return _language


def use_language(tag: str) -> None:
    """Sets the language of pictures and texts whose caller names none.

    Raises: ValueError for a language that the catalogue does not have.
    """
    global _language
    if pick(tag) != tag.lower().replace("_", "-").split("-")[0]:
        raise ValueError(f"language must be one of {', '.join(LANGUAGES)}, not {tag!r}")
    _language = pick(tag)


@cache
def catalogue(lang: str) -> dict[str, str]:
    """All texts of one language by code."""
    texts: dict[str, str] = json.loads((files(__name__) / f"{lang}.json").read_text("utf-8"))
    return texts


def has(code: str) -> bool:
    """Whether the catalogue has a text for a code that came with a record."""
    return code in catalogue("en")


def message(code: str, lang: str | None = None, /, **params: object) -> str:
    """The text of a code; params are put in its braces, names among them shortened and isolated, each name of a list.

    Raises: KeyError for a code that is not in the catalogue.
    """
    texts = catalogue(pick(lang) if lang is not None else _language)
    text = texts[code] if code in texts else catalogue("en")[code]
    return _PARAM.sub(lambda found: _written(params[found[1]]) if found[1] in params else found[0], text)


def _written(param: object) -> str:
    return ", ".join(map(_written, param)) if isinstance(param, list) else inline(str(param))
