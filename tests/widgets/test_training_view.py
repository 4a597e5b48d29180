"""TrainingView over the mock comm: what is sent while a training runs is small, and always adds up to what there is."""

import copy
import gc
import json
import threading
import time
import xml.etree.ElementTree as ElementTree

import pytest

import tfedu as tf
from tfedu.view.records import from_json
from tfedu.widgets import TrainingView, training_view


def number(tag, value):
    return tf.Summary(value=[tf.Summary.Value(tag=tag, simple_value=value)])


@pytest.fixture
def at_once(monkeypatch):
    """Each `add` is sent."""
    monkeypatch.setattr(training_view, "PACE", 0.0)


def train(steps, take, folder=None):
    with tf.Graph().as_default(), tf.Session() as session:
        w = tf.Variable(4.0)
        loss = tf.square(w)
        tf.summary.scalar("loss", loss)
        tf.summary.histogram("w", w)
        merged = tf.summary.merge_all()
        step = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
        session.run(tf.global_variables_initializer())
        for i in range(steps):
            take(session.run([merged, step])[0], i)


def values(view):
    """What a reader of the two traits sees of the first curve."""
    base, news = view.record["curves"], view.news["curves"]
    pieces = base[0]["pieces"] if base else []
    if news:
        pieces = pieces[: news[0]["at"]] + news[0]["pieces"]
    return [point[2] for piece in pieces for point in piece["points"]]


def test_a_view_opens_with_what_there_is_and_the_bundle(tmp_path, wire):
    with tf.summary.FileWriter(str(tmp_path / "run")) as writer:
        train(5, writer.add_summary)
    view = TrainingView(str(tmp_path), live=False, title="MLP", lang="ko", smoothing=0.5)
    state = wire(view).opened
    assert state["kind"] == state["record"]["kind"] == "training"
    assert (state["title"], state["lang"], state["smoothing"], state["axis"]) == ("MLP", "ko", 0.5, "step")
    from_json(copy.deepcopy(state["record"]))
    from_json(copy.deepcopy(state["news"]))
    assert values(view)[0] == 16.0
    assert len(values(view)) == 5
    assert "1 runs with 1 curves, 1 histograms" in repr(view)


def test_a_loop_feeds_a_view_and_only_what_is_new_is_sent(wire, at_once):
    view = TrainingView(live=False)
    train(1000, view.add)
    assert len(values(view)) == 1000
    updates = wire(view).updates
    news = [len(json.dumps(update)) for update in updates if "record" not in update]
    wholes = [update for update in updates if "record" in update]
    assert len(news) > 900
    assert len(wholes) < 40
    # a quarter of what the whole is at the end would be much for one step of it
    assert max(news) < len(json.dumps(view.record)) / 4
    assert all(set(update) <= {"record", "news"} for update in updates)


def test_between_two_messages_a_loop_may_add_what_it_likes(wire):
    view = TrainingView(live=False)
    for step in range(500):
        view.add(number("loss", step), step)
    assert len(wire(view).updates) <= 1 + 0.4 // training_view.PACE
    assert view.refresh()
    assert len(values(view)) == 500
    assert not view.refresh()


def test_a_live_view_follows_a_folder_that_another_thread_writes(tmp_path):
    view = TrainingView(str(tmp_path / "later"), every=0.02)
    with tf.summary.FileWriter(str(tmp_path / "later"), flush_secs=0) as writer:
        for step in range(20):
            writer.add_summary(number("loss", step), step)
            writer.flush()
    deadline = time.monotonic() + 20
    while len(values(view)) < 20 and time.monotonic() < deadline:
        time.sleep(0.02)
    view.close()
    assert len(values(view)) == 20


def test_a_live_view_shows_the_last_that_a_loop_added():
    view = TrainingView(every=0.02)
    for step in range(50):
        view.add(number("loss", step), step)
    deadline = time.monotonic() + 20
    while len(values(view)) < 50 and time.monotonic() < deadline:
        time.sleep(0.02)
    assert len(values(view)) == 50
    view.stop()
    assert not view.live


def test_a_stopped_view_has_no_thread_and_takes_what_it_is_given():
    before = set(threading.enumerate())
    view = TrainingView(every=0.02)
    (follower,) = set(threading.enumerate()) - before
    view.stop()
    follower.join(20)
    assert not follower.is_alive()
    view.add(number("loss", 1.0), 1)
    view.refresh()
    assert values(view) == [1.0]


def test_a_view_that_is_gone_leaves_no_thread():
    before = set(threading.enumerate())
    view = TrainingView(every=0.02)
    (follower,) = set(threading.enumerate()) - before
    view.close()
    del view
    gc.collect()
    follower.join(20)
    assert not follower.is_alive()


def test_a_monitored_session_writes_into_a_view_as_into_a_writer():
    view = TrainingView(live=False)
    with tf.Graph().as_default():
        step = tf.train.get_or_create_global_step()
        more = tf.assign_add(step, 1)
        loss = tf.summary.scalar("loss", tf.cast(step, tf.float32))
        hook = tf.train.SummarySaverHook(save_steps=2, summary_writer=view, summary_op=loss)
        with tf.train.SingularMonitoredSession(hooks=[hook]) as session:
            for _ in range(6):
                session.run(more)
    assert len(values(view)) == 3
    view.add_summary(number("loss", 9.0), global_step=7)
    view.flush()
    assert len(values(view)) == 4


def test_several_sources_are_several_runs(tmp_path):
    for name in ("a", "b"):
        with tf.summary.FileWriter(str(tmp_path / name)) as writer:
            train(3, writer.add_summary)
    view = TrainingView({"first": str(tmp_path / "a"), "second": str(tmp_path / "b")}, live=False)
    assert [run["name"] for run in view.record["runs"]] == ["first", "second"]
    view.add(number("loss", 1.0), 1, run="third")
    view.refresh()
    assert [run["name"] for run in view.news["runs"]] == ["first", "second", "third"]


def test_the_picture_is_of_now_and_needs_no_kernel(at_once):
    view = TrainingView(live=False)
    assert "Nothing has been written yet" in view.svg()
    train(4, view.add)
    data, _ = view._repr_mimebundle_()
    ElementTree.fromstring(data["image/svg+xml"])
    assert "loss" in data["image/svg+xml"]
    assert "4" in data["image/svg+xml"]
    assert data["text/html"].startswith("<img")


def test_what_was_shown_before_the_training_is_of_its_end_once_it_stops(monkeypatch, at_once):
    """A saved notebook, and a page made of it, have the outputs and no kernel."""
    outputs = {}
    display = lambda data, raw, display_id, update, metadata: outputs.setdefault(display_id, []).append((update, data))
    monkeypatch.setattr("IPython.display.display", display)
    view = TrainingView(live=False)
    view.stop()
    assert outputs == {}
    view._ipython_display_()
    train(3, view.add)
    view.stop()
    (shown,) = outputs.values()
    assert [update for update, _ in shown] == [False, True]
    before, after = (data["image/svg+xml"] for _, data in shown)
    assert "Nothing has been written yet" in before
    assert "loss" in after
    assert all("application/vnd.jupyter.widget-view+json" in data for _, data in shown)


def test_settings_travel_both_ways(wire):
    view = TrainingView(number("loss", 1.0), live=False)
    wire(view).receive(smoothing=0.7, axis="wall", log=True, hidden=["a"], bands=True)
    assert (view.smoothing, view.axis, view.log, view.hidden, view.bands) == (0.7, "wall", True, ["a"], True)
    view.axis = "relative"
    assert wire(view).updates[-1] == {"axis": "relative"}


@pytest.mark.parametrize(
    ("make", "error", "text"),
    [
        (lambda: TrainingView(3), TypeError, "cannot show the training of a int"),
        (lambda: TrainingView(every=0), ValueError, "every must be a number of seconds above 0"),
        (lambda: TrainingView(every="fast"), TypeError, "every must be a number of seconds, not str"),
        (lambda: TrainingView(lang="de", live=False), ValueError, "en, ko, zh"),
        (lambda: TrainingView(live=False).add("loss", 1), TypeError, "sess.run"),
    ],
)
def test_a_wrong_argument_is_an_error_that_says_what_to_do(make, error, text):
    before = threading.active_count()
    with pytest.raises(error, match=text):
        make()
    assert threading.active_count() == before
