"""What hooks do that no recording shows: log lines, files, listeners, and what a mistake in them says."""

import json
import logging
import os

import numpy as np
import pytest

import tfedu as tf

train = tf.train


@pytest.fixture
def lines(caplog):
    """What is logged."""
    caplog.set_level(logging.INFO, logger="tensorflow")
    return lambda: [record.getMessage() for record in caplog.records]


@pytest.fixture
def clock(monkeypatch):
    """The time that hooks see; it stands still unless a test moves it."""
    now = [1000.0]
    monkeypatch.setattr("tfedu.engine.training.sessions.basic_hooks.time.time", lambda: now[0])
    return now


def counted():
    step = train.get_or_create_global_step()
    return step, tf.assign_add(step, 1, name="count")


def events_of(folder):
    files = sorted(name for name in os.listdir(folder) if "tfevents" in name)
    return [event for name in files for event in train.summary_iterator(os.path.join(folder, name))]


def test_tensors_are_logged_every_so_many_runs(lines, clock):
    _, count = counted()
    tf.identity(tf.constant(2.5), name="loss")
    with train.MonitoredSession(hooks=[train.LoggingTensorHook({"b": "loss", "a": "global_step:0"}, every_n_iter=2)]) as sess:
        for _ in range(4):
            sess.run(count)
            clock[0] += 1.5
    logged = [line for line in lines() if line.startswith("a =")]
    assert [line.split(" (")[0].split(", ")[1] for line in logged] == ["b = 2.5", "b = 2.5"]
    assert logged[1].endswith("(3.000 sec)")


def test_tensors_are_logged_at_the_end_by_a_formatter(lines):
    _, count = counted()
    hook = train.LoggingTensorHook(["global_step"], at_end=True, formatter=lambda values: f"step {values['global_step']}!")
    with train.MonitoredSession(hooks=[hook]) as sess:
        sess.run(count)
        sess.run(count)
    assert [line for line in lines() if line.startswith("step")] == ["step 2!"]


def test_printing_options_are_as_before_after_a_log(lines):
    _, count = counted()
    before = np.get_printoptions()
    with train.MonitoredSession(hooks=[train.LoggingTensorHook(["global_step"], every_n_iter=1)]) as sess:
        sess.run(count)
    assert np.get_printoptions() == before


def test_a_tensor_to_log_must_be_of_this_graph_and_one():
    other = tf.Graph()
    with other.as_default():
        strange = tf.constant(1.0)
    tf.split(tf.constant([1.0, 2.0]), 2, name="two")
    with pytest.raises(ValueError, match="should have graph attribute that is equal to current graph"):
        train.MonitoredSession(hooks=[train.LoggingTensorHook([strange], every_n_iter=1)])
    with pytest.raises(ValueError, match="Name two is ambiguous"):
        train.MonitoredSession(hooks=[train.LoggingTensorHook(["two"], every_n_iter=1)])


def test_a_timer_by_seconds_waits_for_them(clock):
    timer = train.SecondOrStepTimer(every_secs=10.0)
    assert timer.should_trigger_for_step(1)
    assert timer.update_last_triggered_step(1) == (None, None)
    clock[0] += 9
    assert not timer.should_trigger_for_step(2)
    clock[0] += 1
    assert timer.should_trigger_for_step(2)
    assert not timer.should_trigger_for_step(1)
    assert timer.update_last_triggered_step(5) == (10.0, 4)


def test_checkpoints_are_written_at_the_beginning_at_steps_and_at_the_end(tmp_path):
    _, count = counted()
    folder = str(tmp_path / "model")
    tf.get_variable("v", initializer=1.0)
    saver = train.Saver(max_to_keep=None)
    with train.MonitoredSession(hooks=[train.CheckpointSaverHook(folder, save_steps=2, saver=saver)]) as sess:
        for _ in range(5):
            sess.run(count)
    kept = sorted(name for name in os.listdir(folder) if name.endswith(".index"))
    assert kept == [f"model.ckpt-{step}.index" for step in (0, 2, 4, 5)]
    assert os.path.exists(os.path.join(folder, "graph.pbtxt"))
    assert train.latest_checkpoint(folder).endswith("model.ckpt-5")
    tf.summary.FileWriterCache.clear()
    log = [e.session_log.checkpoint_path for e in events_of(folder) if e.WhichOneof("what") == "session_log"]
    assert log == [os.path.join(folder, "model.ckpt")] * 4


def test_a_listener_is_told_and_may_stop(tmp_path):
    _, count = counted()
    told = []

    class Listener(train.CheckpointSaverListener):
        def begin(self):
            told.append("begin")

        def before_save(self, session, global_step_value):
            told.append(f"before {global_step_value}")

        def after_save(self, session, global_step_value):
            told.append(f"after {global_step_value}")
            return global_step_value >= 2

        def end(self, session, global_step_value):
            told.append(f"end {global_step_value}")

    tf.add_to_collection(tf.GraphKeys.SAVERS, train.Saver())
    hook = train.CheckpointSaverHook(str(tmp_path), save_steps=1, listeners=[Listener()])
    with train.MonitoredSession(hooks=[hook]) as sess:
        while not sess.should_stop():
            sess.run(count)
    assert told == ["begin", "before 0", "after 0", "before 1", "after 1", "before 2", "after 2", "end 2"]


def test_a_saver_must_be_known(tmp_path):
    counted()
    hook = train.CheckpointSaverHook(str(tmp_path), save_steps=1)
    hook.begin()
    with pytest.raises(RuntimeError, match="No items in collection savers"):
        hook._chosen_saver()
    for _ in range(2):
        tf.add_to_collection(tf.GraphKeys.SAVERS, train.Saver())
    with pytest.raises(RuntimeError, match="More than one item in collection savers"):
        hook._chosen_saver()


def test_speed_is_logged_and_written(tmp_path, lines, clock):
    _, count = counted()
    with train.MonitoredSession(hooks=[train.StepCounterHook(every_n_steps=2, output_dir=str(tmp_path))]) as sess:
        for _ in range(5):
            sess.run(count)
            clock[0] += 0.25
    tf.summary.FileWriterCache.clear()
    assert [line for line in lines() if line.startswith("global_step/sec")] == ["global_step/sec: 4"] * 2
    written = [(v.tag, v.simple_value, e.step) for e in events_of(tmp_path) for v in e.summary.value]
    assert written == [("global_step/sec", 4.0, 3), ("global_step/sec", 4.0, 5)]


def test_a_step_that_stands_still_is_noticed(lines):
    train.get_or_create_global_step()
    nothing = tf.no_op()
    with train.MonitoredSession(hooks=[train.StepCounterHook(every_n_steps=2)]) as sess:
        for _ in range(3):
            sess.run(nothing)
    assert any("It seems that global step" in line for line in lines())


def test_summaries_are_written_every_so_many_steps(tmp_path):
    step, count = counted()
    summary = tf.summary.scalar("twice", 2 * step)
    hook = train.SummarySaverHook(save_steps=2, output_dir=str(tmp_path), summary_op=summary)
    with train.MonitoredSession(hooks=[hook]) as sess:
        for _ in range(5):
            sess.run(count)
    tf.summary.FileWriterCache.clear()
    assert [e.step for e in events_of(tmp_path) if e.WhichOneof("what") == "summary"] == [1, 3, 5]


def test_a_session_given_a_folder_writes_all_by_itself(tmp_path):
    step, count = counted()
    tf.summary.scalar("step", step)
    with train.MonitoredTrainingSession(checkpoint_dir=str(tmp_path), save_summaries_steps=1, log_step_count_steps=1) as sess:
        for _ in range(3):
            sess.run(count)
    tf.summary.FileWriterCache.clear()
    tags = {v.tag for e in events_of(tmp_path) for v in e.summary.value}
    assert tags == {"step", "global_step/sec"}
    assert train.latest_checkpoint(str(tmp_path)).endswith("model.ckpt-3")


def test_nan_is_told_before_it_stops(lines):
    x = tf.placeholder(tf.float32, [])
    with train.MonitoredSession(hooks=[train.NanTensorHook(x, fail_on_nan_loss=False)]) as sess:
        sess.run(x, {x: float("nan")})
        assert sess.should_stop()
    assert "Model diverged with loss = NaN." in lines()


def test_final_ops_that_take_a_batch_are_told_of(lines):
    def end():
        raise StopIteration

    batch = tf.py_func(end, [], tf.float32)
    with pytest.raises(tf.errors.OutOfRangeError):
        train.MonitoredSession(hooks=[train.FinalOpsHook(batch)]).close()
    assert any("end of the input" in line for line in lines())


def test_a_waiting_worker_begins_when_the_step_is_reached(monkeypatch):
    step, count = counted()
    hook = train.GlobalStepWaiterHook(2)
    with train.SingularMonitoredSession(hooks=[hook]) as sess:
        raw = sess.raw_session()
        monkeypatch.setattr("tfedu.engine.training.sessions.basic_hooks.time.sleep", lambda seconds: raw.run(count))
        assert sess.run(step) == 2


def test_a_timeline_is_written_every_so_many_steps(tmp_path, lines):
    _, count = counted()
    w = tf.get_variable("w", [2, 2], initializer=tf.ones_initializer())
    twice = tf.multiply(w, 2.0, name="twice")
    hook = train.ProfilerHook(save_steps=2, output_dir=str(tmp_path))
    with train.MonitoredSession(hooks=[hook]) as sess:
        for _ in range(5):
            sess.run([count, twice])
    assert sorted(path.name for path in tmp_path.glob("*.json")) == ["timeline-2.json", "timeline-4.json"]
    assert any("Saving timeline for 2 into" in line for line in lines())
    trace = json.loads((tmp_path / "timeline-2.json").read_text())["traceEvents"]
    nodes = {event["args"]["name"]: event for event in trace if event["ph"] == "X"}
    line = nodes["twice"]["args"].pop("line")
    assert line.endswith(':  twice = tf.multiply(w, 2.0, name="twice")')
    assert "test_hooks.py, line " in line
    assert nodes["twice"]["args"] == {"name": "twice", "op": "Mul", "input0": "w/read", "input1": "twice/y"}
    assert nodes["w/read"]["ts"] <= nodes["twice"]["ts"]
    assert nodes["twice"]["dur"] >= 0
    assert next(event["args"]["name"] for event in trace if event["ph"] == "M") == "Allocators"
    tf.summary.FileWriterCache.clear()
    tags = [e.tagged_run_metadata.tag for e in events_of(tmp_path) if e.WhichOneof("what") == "tagged_run_metadata"]
    assert tags == ["step_2", "step_4"]


def test_a_profiler_needs_a_step_and_one_of_steps_and_seconds(tmp_path):
    for wrong in ({}, {"save_steps": 1, "save_secs": 1.0}):
        with pytest.raises(ValueError):
            train.ProfilerHook(output_dir=str(tmp_path), **wrong)
    with pytest.raises(RuntimeError, match="Global step should be created to use ProfilerHook"):
        train.MonitoredSession(hooks=[train.ProfilerHook(save_steps=1, output_dir=str(tmp_path))])
