"""Labels: a name is shown with all its characters visible, short, and no wider than the room reserved for it."""

import hostile_names as hostile
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tfedu.view.labels import cells, fit, inline, leaf, shorten, visible, width


@given(st.text())
def test_a_shown_name_has_no_character_that_acts(text):
    shown = visible(text)
    assert not any(ord(c) < 32 or 127 <= ord(c) < 160 or 0xD800 <= ord(c) < 0xE000 for c in shown)
    assert not set(shown) & set(
        "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u2028\u2029\ufffe\uffff"
    )


@pytest.mark.parametrize("name", hostile.NAMES)
def test_a_shortened_name_is_short(name):
    assert len(shorten(name, 24)) <= 24 * 9
    assert width(shorten(name, 24), 10) < 24 * 10 * 9


def test_a_long_name_keeps_both_ends():
    assert shorten("layer_1/weights/" + "x" * 100 + "/read", 24) == "layer_1/weights…xxx/read"
    assert len(shorten("x" * 100, 24)) == 24


def test_a_short_name_is_not_touched():
    assert shorten("Variable/read", 24) == "Variable/read"


def test_control_characters_and_direction_marks_are_seen():
    assert visible("a\x00b\x7f") == "a␀b␡"
    assert visible("\u202egnp") == "⟨U+202E⟩gnp"


def test_a_name_from_right_to_left_is_isolated_in_a_sentence():
    assert inline("\u05e9\u05dc") == "\u2068\u05e9\u05dc\u2069"


def test_chinese_and_korean_take_two_places():
    assert cells("变量") == 4
    assert width("变量", 10) == pytest.approx(21)
    assert cells("e\u0301") == 1


@given(st.text(max_size=60), st.floats(20, 200))
def test_a_fitted_text_fits(text, room):
    assert fit(text, room, 10) == "…" or width(fit(text, room, 10), 10) <= room


@pytest.mark.parametrize(("name", "last"), [("a/b/c", "c"), ("a", "a"), ("a/", "a/"), ("", "")])
def test_the_leaf_is_the_last_part(name, last):
    assert leaf(name) == last
