"""One model has the front end for all widgets of a Jupyter kernel; elsewhere each widget brings it."""

from types import SimpleNamespace

import programs
import pytest

from tfedu.widgets import GraphView, base
from tfedu.widgets.pages.front_end_code import bundle, front_end_code


@pytest.fixture
def kernel(monkeypatch):
    monkeypatch.setattr(base, "get_ipython", lambda: SimpleNamespace(kernel=object()))
    monkeypatch.setattr(base, "_front_end", None)


def view():
    return GraphView(programs.with_identity().graph)


def test_in_a_kernel_widgets_lead_to_one_front_end(kernel, wire):
    one, two = wire(view()).opened, wire(view()).opened
    assert one["front_end"] == two["front_end"] == f"anywidget:{base.front_end().model_id}"
    assert len(one["_esm"]) + len(one["_css"]) < 1_000
    shared = wire(base.front_end()).opened
    assert shared["code"] == front_end_code()
    assert shared["_css"] == bundle("widget.css")
    assert shared["_esm"] == one["_esm"] == bundle("loader.js")


def test_the_front_end_is_sent_before_the_record_is_made(kernel, monkeypatch):
    def broken(target):
        assert base._front_end is not None
        raise ZeroDivisionError

    monkeypatch.setattr("tfedu.widgets.graph_view.build.part_of", broken)
    with pytest.raises(ZeroDivisionError):
        view()


def test_after_all_widgets_were_closed_the_next_one_brings_a_new_front_end(kernel, wire):
    first = wire(view()).opened["front_end"]
    base.front_end().close()
    assert wire(view()).opened["front_end"] == f"anywidget:{base.front_end().model_id}" != first


@pytest.mark.parametrize("shell", [None, SimpleNamespace()], ids=["no IPython", "IPython without a kernel"])
def test_elsewhere_a_widget_brings_the_front_end_itself(monkeypatch, wire, shell):
    monkeypatch.setattr(base, "get_ipython", lambda: shell)
    opened = wire(view()).opened
    assert opened["front_end"] is None
    assert opened["_esm"] == front_end_code()
    assert opened["_css"] == bundle("widget.css")
