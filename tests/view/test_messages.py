"""Messages: one catalogue, complete in every language."""

import json
import re
from importlib.resources import files

import pytest

from tfedu.view import messages

PARAM = re.compile(r"\{(\w+)\}")


def test_every_language_has_every_text_with_the_same_params():
    english = messages.catalogue("en")
    for lang in messages.LANGUAGES:
        texts = messages.catalogue(lang)
        assert set(texts) == set(english)
        for code, text in texts.items():
            assert set(PARAM.findall(text)) == set(PARAM.findall(english[code])), (lang, code)


@pytest.mark.parametrize("lang", messages.LANGUAGES)
def test_the_catalogue_is_sorted_so_that_two_hands_can_add_to_it(lang):
    raw = (files("tfedu.view.messages") / f"{lang}.json").read_text("utf-8")
    assert list(json.loads(raw)) == sorted(json.loads(raw))


def test_params_are_put_in_and_names_among_them_cut():
    text = messages.message("why.fed", "en", node="n" * 500)
    assert text.startswith("nnn")
    assert "…" in text
    assert len(text) < 200


def test_a_missing_param_stays_seen():
    assert "{node}" in messages.message("why.fed", "en")


def test_the_language_of_the_process_can_be_set_and_a_wrong_one_is_refused():
    before = messages.language()
    try:
        messages.use_language("ko-KR")
        assert messages.message("text.node") == "노드"
        with pytest.raises(ValueError, match="en, ko, zh"):
            messages.use_language("tlh")
    finally:
        messages.use_language(before)
