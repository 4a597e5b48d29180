"""What widgets keep: the runs of the newest ones, and of none whose cell has run again."""

import gc
import weakref
from types import SimpleNamespace

import numpy as np
import pytest

import tfedu as tf
from tests.widgets.test_ask import ask
from tfedu.widgets import Compare, OutcomeExplorer, Predict, StepThrough, kept_runs


@pytest.fixture(autouse=True)
def none_kept(monkeypatch):
    monkeypatch.setattr(kept_runs, "_kept", [])


@pytest.fixture
def cell(monkeypatch):
    """Says which run of which cell is under way."""

    def run(name, number):
        monkeypatch.setattr(kept_runs, "_running_cell", lambda: (name, f"{name}, run {number}"))

    return run


def counter(size=1000):
    with tf.Graph().as_default():
        x = tf.Variable(np.zeros(size, np.float32), name="x")
        return tf.assign_add(x, tf.ones([size]), name="y")


def why(widget):
    return ask(widget, {"ask": 1, "question": "why", "args": {"node": 0}})[-1]


def trace_of(steps):
    return weakref.ref(steps.timelines[0].trace)


WIDGETS = {
    "StepThrough": lambda: StepThrough(counter(), runs=2),
    "Compare": lambda: Compare({"a": counter(), "b": counter()}),
    "OutcomeExplorer": lambda: OutcomeExplorer(counter()),
}


@pytest.mark.parametrize("kind", WIDGETS)
def test_a_cell_that_runs_again_lets_the_runs_of_its_old_widgets_go(cell, kind):
    cell("a", 1)
    old, beside = WIDGETS[kind](), WIDGETS[kind]()
    cell("b", 1)
    other = WIDGETS[kind]()
    record, picture = old.record, old.svg()
    cell("a", 2)
    new = WIDGETS[kind]()
    assert [each.is_gone for each in (old, beside, other, new)] == [True, True, False, False]
    assert (old.record, old.svg()) == (record, picture)
    assert why(old)["code"] == "widget.gone"
    assert not set(vars(old)) & set(old.HELD)
    assert "value" in why(other)


def test_a_trace_that_was_let_go_is_freed(cell):
    cell("a", 1)
    old = StepThrough(counter())
    old.fork(0, 1, set={"x": np.ones(1000, np.float32)})
    held = trace_of(old), weakref.ref(old.timelines[1].trace), weakref.ref(old.programs[0])
    cell("a", 2)
    StepThrough(counter())
    gc.collect()
    assert [ref() for ref in held] == [None] * 3
    with pytest.raises(kept_runs.Gone, match="no longer has its runs"):
        old.fork(0, 1, choose="y")
    with pytest.raises(kept_runs.Gone):
        old.break_at("y")


def test_the_oldest_go_where_all_together_are_too_large(monkeypatch):
    sizes = []
    for _ in range(4):
        steps = StepThrough(counter(100_000), runs=2)
        sizes.append(steps.timelines[0].trace.size)
    size = sizes[0]
    assert sizes == [size] * 4
    assert 3 * 400_000 <= size <= 8 * 400_000
    monkeypatch.setattr(kept_runs, "_kept", [])
    monkeypatch.setattr(kept_runs, "MOST", int(2.5 * size))
    widgets = [StepThrough(counter(100_000), runs=2) for _ in range(4)]
    assert [each.is_gone for each in widgets] == [True, True, False, False]
    monkeypatch.setattr(kept_runs, "MOST", size // 2)
    assert not StepThrough(counter(100_000), runs=2).is_gone, "the newest stays, however large"


def test_a_locked_widget_that_was_let_go_still_opens(cell):
    cell("predict", 1)
    question = Predict({"y": counter(2)}, runs=1)
    cell("a", 1)
    old = StepThrough(counter(2), runs=1, breaks=["y"], after=question)
    cell("a", 2)
    new = StepThrough(counter(2), runs=1, breaks=["y"], after=question)
    question.reveal()
    assert [old.locked, new.locked] == [False, False]
    assert old.record == new.record


def test_the_running_cell_is_known_where_the_kernel_alone_tells_it(monkeypatch):
    request = {"metadata": {"cellId": "c1"}, "header": {"msg_id": "m1"}}  # as in JupyterLite
    shell = SimpleNamespace(kernel=SimpleNamespace(get_parent=lambda: request))
    monkeypatch.setattr(kept_runs, "get_ipython", lambda: shell)
    assert kept_runs._running_cell() == ("c1", "m1")
