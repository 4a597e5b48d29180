"""The catalogue of messages in English, Korean and Chinese: `message("graph.empty")`, `use_language("ko")`.

Python and the front end share the JSON files beside this one. A message is a complete sentence with {params}.
State: `_language`, the language of pictures and texts without a lang argument (from TFEDU_LANG, else English).
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
    """The language of a tag such as "ko-KR"; English for a language that the catalogue lacks."""
    short = (tag or "").lower().replace("_", "-").split("-")[0]
    return short if short in LANGUAGES else "en"


_language = pick(os.environ.get("TFEDU_LANG"))


def language() -> str:
    """The language of pictures and texts without a lang argument."""
    return _language


def use_language(tag: str) -> None:
    """Sets the language of pictures and texts without a lang argument.

    Raises: ValueError for a language that the catalogue lacks.
    """
    global _language
    if pick(tag) != tag.lower().replace("_", "-").split("-")[0]:
        raise ValueError(f"language must be one of {', '.join(LANGUAGES)}, not {tag!r}")
    _language = pick(tag)


@cache
def catalogue(lang: str) -> dict[str, str]:
    """All messages of one language, by code."""
    texts: dict[str, str] = json.loads((files(__name__) / f"{lang}.json").read_text("utf-8"))
    return texts


def has(code: str) -> bool:
    """Whether the catalogue has a message of this code."""
    return code in catalogue("en")


def message(code: str, lang: str | None = None, /, **params: object) -> str:
    """The message of a code with its params, which are shortened; names that run from right to left are isolated.

    Raises: KeyError for a code that is not in the catalogue.
    """
    texts = catalogue(pick(lang) if lang is not None else _language)
    text = texts[code] if code in texts else catalogue("en")[code]
    return _PARAM.sub(lambda match: _param_text(params[match[1]]) if match[1] in params else match[0], text)


def _param_text(param: object) -> str:
    return ", ".join(map(_param_text, param)) if isinstance(param, list) else inline(str(param))
