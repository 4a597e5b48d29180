"""Supervisors: what their threads write, and that a session begins where the last one ended."""

import os

import pytest

import tfedu as tf
from tfedu.engine.training.sessions import supervisor_threads

train = tf.train


def counted():
    step = train.get_or_create_global_step()
    return step, tf.assign_add(step, 1, name="count")


def events_of(folder):
    files = sorted(name for name in os.listdir(folder) if "tfevents" in name)
    return [event for name in files for event in train.summary_iterator(os.path.join(folder, name))]


def test_its_threads_write_summaries_speed_and_checkpoints(tmp_path):
    folder = str(tmp_path)
    step, count = counted()
    tf.summary.scalar("twice", 2 * step)
    sv = train.Supervisor(logdir=folder)
    with sv.managed_session(start_standard_services=False) as sess:
        sess.run(count)
        supervisor_threads.SVSummaryThread(sv, sess).run_loop()
        speed = supervisor_threads.SVStepCounterThread(sv, sess)
        speed.start_loop()
        sess.run(count)
        speed.run_loop()
        supervisor_threads.SVTimerCheckpointThread(sv, sess).run_loop()
        sv.coord.clear_stop()
        sv.coord._threads.clear()  # they were never started
    events = events_of(folder)
    assert [(v.tag, e.step) for e in events for v in e.summary.value] == [("twice", 1), ("global_step/sec", 2)]
    paths = [e.session_log.checkpoint_path for e in events]
    assert [path for path in paths if path] == [os.path.join(folder, "model.ckpt")]
    assert os.path.exists(os.path.join(folder, "model.ckpt-2.index"))
    assert os.path.exists(os.path.join(folder, "graph.pbtxt"))


def test_its_services_are_started_and_stopped_with_the_session(tmp_path):
    step, count = counted()
    tf.summary.scalar("twice", 2 * step)
    sv = train.Supervisor(logdir=str(tmp_path), save_model_secs=1000, save_summaries_secs=1000)
    sess = sv.prepare_or_wait_for_session(start_standard_services=False)
    threads = sv.start_standard_services(sess)
    assert [type(thread).__name__ for thread in threads] == [
        "SVSummaryThread", "SVStepCounterThread", "SVTimerCheckpointThread",
    ]  # fmt: skip
    sess.run(count)
    sv.stop()
    assert not any(thread.is_alive() for thread in threads)
    logs = [e.session_log.status for e in events_of(tmp_path) if e.WhichOneof("what") == "session_log"]
    assert (logs[0], logs[-1]) == (1, 2)


def test_an_error_of_a_thread_ends_the_training():
    _, count = counted()

    def fail():
        raise KeyError("in a loop")

    def trained():
        sv = train.Supervisor()
        with sv.managed_session() as sess:
            sv.loop(None, fail)
            sv.wait_for_stop()
            sess.run(count)

    with pytest.raises(KeyError, match="in a loop"):
        trained()


def test_a_session_that_cannot_be_made_says_why():
    tf.get_variable("v", initializer=1.0)
    sv = train.Supervisor(init_op=tf.no_op("nothing"))
    text = r"(?s)Init operations did not make model ready.*Variables not initialized: v"
    with pytest.raises(RuntimeError, match=text), sv.managed_session():
        pass


def test_a_summary_of_the_programs_own_is_written_at_the_step(tmp_path):
    step, count = counted()
    mine = tf.summary.scalar("mine", step, collections=[])
    sv = train.Supervisor(logdir=str(tmp_path), save_summaries_secs=0, save_model_secs=0)
    with sv.managed_session() as sess:
        sess.run(count)
        sv.summary_computed(sess, sess.run(mine))
        sv.summary_computed(sess, sess.run(mine), global_step=7)
    assert [(v.tag, e.step) for e in events_of(tmp_path) for v in e.summary.value] == [("mine", 1), ("mine", 7)]


def test_only_a_chief_writes(tmp_path):
    tf.no_op()
    sv = train.Supervisor(is_chief=False, logdir=str(tmp_path))
    assert sv.summary_writer is None
    assert sv.save_path is None
    with sv.managed_session():
        pass
    assert os.listdir(tmp_path) == []


def test_a_replicas_variables_need_devices():
    tf.get_variable("v", initializer=1.0)
    with pytest.raises(ValueError, match=r"^When using replicas, all Variables must have their device set"):
        train.Supervisor(is_chief=False)
