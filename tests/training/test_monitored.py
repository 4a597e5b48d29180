"""Monitored sessions: what threads do to them, how they recover, and that nothing is left behind."""

import threading

import pytest

import tfedu as tf

train = tf.train


class Threads(train.SessionRunHook):
    """Starts a thread with each session."""

    def __init__(self, work):
        self.work = work
        self.coords = []

    def after_create_session(self, session, coord):
        self.coords.append(coord)
        thread = threading.Thread(target=self.work, args=(coord,), daemon=True)
        coord.register_thread(thread)
        thread.start()


def test_what_a_thread_raises_comes_out_at_the_end():
    def fail(coord):
        with coord.stop_on_exception():
            raise ValueError("in a thread")

    def use():
        with train.MonitoredSession(hooks=[hook]) as sess:
            hook.coords[0].wait_for_stop()
            assert sess.should_stop()

    tf.no_op()
    hook = Threads(fail)
    with pytest.raises(ValueError, match="in a thread"):
        use()


def test_the_end_stops_threads_that_ask():
    ended = threading.Event()

    def work(coord):
        coord.wait_for_stop()
        ended.set()

    value = tf.constant(1.0)
    with train.MonitoredSession(hooks=[Threads(work)]) as sess:
        sess.run(value)
        assert not ended.is_set()
    assert ended.is_set()


def test_an_abort_in_a_thread_makes_a_new_session():
    first = threading.Event()

    def abort_once(coord):
        if not first.is_set():
            first.set()
            coord.request_stop(tf.errors.AbortedError(None, None, "lost"))

    v = tf.get_variable("v", initializer=1.0)
    hook = Threads(abort_once)
    with train.MonitoredSession(hooks=[hook]) as sess:
        hook.coords[0].wait_for_stop()
        assert not sess.should_stop()
        assert sess.run(v) == 1.0
        assert len(hook.coords) == 2


def test_an_error_of_a_run_goes_before_an_error_of_a_thread():
    def fail(coord):
        coord.request_stop(ValueError("in a thread"))

    v = tf.Variable(1.0)
    bad = tf.check_numerics(v / 0.0, "broken")
    hook = Threads(fail)
    session = train.MonitoredSession(hooks=[hook])
    hook.coords[0].wait_for_stop()
    with pytest.raises(tf.errors.InvalidArgumentError, match="broken"):
        session.run(bad)
    with pytest.raises(ValueError, match="in a thread"):
        session.close()


def test_queue_runners_of_the_graph_are_started():
    started = []

    class Runner:
        def create_threads(self, sess, coord=None, daemon=False, start=False):
            started.append((sess, coord.should_stop(), daemon, start))
            return []

    value = tf.constant(1.0)
    tf.add_to_collection(tf.GraphKeys.QUEUE_RUNNERS, Runner())
    with train.SingularMonitoredSession() as sess:
        sess.run(value)
        assert started == [(sess.raw_session(), False, True, True)]


def test_creation_is_tried_again_after_an_abort():
    tries = []

    class Creator(train.SessionCreator):
        def create_session(self):
            tries.append(1)
            if len(tries) < 3:
                raise tf.errors.UnavailableError(None, None, "not yet")
            return tf.Session()

    value = tf.constant(3.0)
    with train.MonitoredSession(Creator()) as sess:
        assert sess.run(value) == 3.0
    assert len(tries) == 3


def test_a_hook_that_fails_at_the_end_still_leaves_all_closed():
    class Bad(train.SessionRunHook):
        def end(self, session):
            raise KeyError("mine")

    tf.no_op()
    session = train.SingularMonitoredSession(hooks=[Bad()])
    raw = session.raw_session()
    with pytest.raises(KeyError):
        session.close()
    with pytest.raises(RuntimeError, match="closed Session"):
        raw.run(tf.no_op())
    assert not tf.get_default_graph().finalized
    with pytest.raises(RuntimeError, match=r"^Session is already closed\."):
        session.close()
    with pytest.raises(RuntimeError, match=r"^Session is already closed\."):
        session.run(tf.no_op())
    assert session.should_stop()


def test_a_graph_that_was_final_stays_so():
    tf.no_op("n")
    scaffold = train.Scaffold()
    scaffold.finalize()
    with train.MonitoredSession(train.ChiefSessionCreator(scaffold)):
        pass
    assert tf.get_default_graph().finalized


def test_a_trace_asked_for_by_a_hook_reaches_it():
    found = []

    class Tracing(train.SessionRunHook):
        def before_run(self, run_context):
            return train.SessionRunArgs(None, options=tf.RunOptions(trace_level=tf.RunOptions.FULL_TRACE))

        def after_run(self, run_context, run_values):
            found.append((run_values.options.trace_level, run_values.run_metadata.trace))

    value = tf.constant(1.0) + 1.0
    mine = tf.RunMetadata()
    with train.MonitoredSession(hooks=[Tracing()]) as sess:
        sess.run(value, run_metadata=mine)
    assert found[0][0] == tf.RunOptions.FULL_TRACE
    assert found[0][1] is mine.trace is not None


def test_a_worker_waits_for_a_model_that_nobody_makes_ready():
    tf.get_variable("v", initializer=1.0)
    creator = train.WorkerSessionCreator(max_wait_secs=0)
    with pytest.raises(tf.errors.DeadlineExceededError, match="Session was not ready after waiting 0 secs"):
        train.MonitoredSession(creator)


def test_a_worker_begins_when_the_model_is_ready():
    value = tf.constant(1.0)
    with train.MonitoredTrainingSession(is_chief=False) as sess:
        assert sess.run(value) == 1.0


def test_training_goes_on_where_it_stopped(tmp_path):
    def more(steps):
        with tf.Graph().as_default():
            step = train.get_or_create_global_step()
            w = tf.get_variable("w", initializer=[1.0, -1.0])
            trained = train.AdamOptimizer(0.1).minimize(tf.reduce_sum(w * w), global_step=step)
            hooks = [train.StopAtStepHook(num_steps=steps)]
            with train.MonitoredTrainingSession(checkpoint_dir=folder, hooks=hooks, log_step_count_steps=None) as sess:
                while not sess.should_stop():
                    sess.run(trained)
            return train.load_variable(folder, "w").tolist(), train.load_variable(folder, "global_step")

    folder = str(tmp_path / "whole")
    at_once = more(6)
    folder = str(tmp_path / "parts")
    more(2)
    assert more(4) == at_once
    assert at_once[1] == 6


class Losing(train.SessionRunHook):
    """Loses the session's machine after some runs, once."""

    def __init__(self, runs):
        self.left = runs

    def after_run(self, run_context, run_values):
        self.left -= 1
        if self.left == 0:
            raise tf.errors.UnavailableError(None, None, "lost")


def test_a_lost_session_goes_on_from_the_last_checkpoint(tmp_path):
    step = train.get_or_create_global_step()
    w = tf.get_variable("w", initializer=[1.0, -1.0])
    trained = train.AdamOptimizer(0.1).minimize(tf.reduce_sum(w * w), global_step=step)
    seen = []
    with train.MonitoredTrainingSession(
        checkpoint_dir=str(tmp_path), save_checkpoint_steps=2, log_step_count_steps=None, save_summaries_steps=None,
        hooks=[train.StopAtStepHook(last_step=7), Losing(5)],
    ) as sess:  # fmt: skip
        while not sess.should_stop():
            sess.run(trained)
            if not sess.should_stop():
                seen.append((int(sess.run(step)), sess.run(w).tolist()))
    assert train.load_variable(str(tmp_path), "global_step") == 7

    with tf.Graph().as_default(), tf.Session() as plain:
        w = tf.get_variable("w", initializer=[1.0, -1.0])
        trained = train.AdamOptimizer(0.1).minimize(tf.reduce_sum(w * w))
        plain.run(tf.global_variables_initializer())
        straight = [plain.run(trained) or plain.run(w).tolist() for _ in range(7)]
    assert all(values == pytest.approx(straight[number - 1]) for number, values in seen)
    assert train.load_variable(str(tmp_path), "w").tolist() == pytest.approx(straight[6])
