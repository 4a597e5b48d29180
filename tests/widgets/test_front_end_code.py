"""Python joins the parts of the front end: all for a notebook, and for a page those of its widgets."""

import pytest

from tfedu import widgets
from tfedu.view import messages
from tfedu.widgets.base import Widget
from tfedu.widgets.pages.front_end_code import bundle, front_end_code, kinds


def test_the_front_end_has_each_widget_of_python():
    classes = [one for one in vars(widgets).values() if isinstance(one, type) and issubclass(one, Widget)]
    assert {one.KIND for one in classes if one is not Widget} == kinds()


def test_the_whole_front_end_has_the_parts_of_all_kinds_once():
    whole = front_end_code()
    assert whole == front_end_code(sorted(kinds())) == front_end_code(kinds())
    for kind in kinds():
        lines = front_end_code([kind]).split("\n")
        assert all(line in whole for line in lines if not line.startswith(("const TEXTS=", "const OTHERS=")))
        assert len("\n".join(lines)) < 0.7 * len(whole)


def test_parts_of_several_kinds_are_there_once():
    both = front_end_code(["compare", "training"])
    assert both.count("const PART_0=") == 1
    assert len(both) < 1.2 * len(front_end_code(["training"]))


def test_the_texts_are_those_of_the_catalogue_of_the_day(monkeypatch):
    """A changed text needs no new build."""
    front_end_code.__globals__["_joined"].cache_clear()
    changed = {**messages.catalogue("en"), "action.step": "A step that nobody has built"}
    real = messages.catalogue
    monkeypatch.setattr(messages, "catalogue", lambda lang: changed if lang == "en" else real(lang))
    assert '"action.step":"A step that nobody has built"' in front_end_code(["step-through"])
    front_end_code.__globals__["_joined"].cache_clear()


def test_a_kind_that_was_not_built_and_a_file_that_is_missing_are_named():
    with pytest.raises(KeyError, match="no widget of the kind 'crossword'"):
        front_end_code(["compare", "crossword"])
    with pytest.raises(FileNotFoundError, match=r"static/nothing\.js is missing: the front end was not built"):
        bundle("nothing.js")
