"""Progress bars: how far a loop or a monitored session is, in a terminal; in a notebook tqdm draws the same as a widget."""

import subprocess
import sys

import pytest

import tfedu as tf

pytest.importorskip("tqdm", reason="progress bars need the packages of tfedu[lab]")


@pytest.fixture
def shown(capfd):
    """What the bars wrote since it was asked last: how they looked, one after the other."""
    return lambda: [look for look in capfd.readouterr().err.replace("\n", "\r").split("\r") if look.strip()]


def train(graph, hooks, steps, **settings):
    with graph.as_default():
        step = tf.train.get_or_create_global_step()
        loss = tf.cast(step, tf.float32) / 8.0
        more = tf.assign_add(step, 1)
        made = hooks(loss)
        with tf.train.MonitoredTrainingSession(hooks=made, summary_dir=None, log_step_count_steps=0, **settings) as session:
            for _ in range(steps):
                session.run(more)
    return made[0]


def test_a_loop_has_a_bar_that_counts_to_its_end(shown):
    assert list(tf.progress.track(range(5), "training")) == [0, 1, 2, 3, 4]
    last = shown()[-1]
    assert last.startswith("training: 100%")
    assert "5/5" in last


def test_a_bar_without_an_iterable_is_moved_by_hand(shown):
    with tf.progress.track(total=4) as bar:
        bar.update(3)
        bar.set_postfix(loss=0.25)
    last = shown()[-1]
    assert "3/4" in last
    assert "loss=0.25" in last


def test_a_hook_shows_the_global_step_and_values_to_the_end(shown):
    train(tf.Graph(), lambda loss: [tf.progress.ProgressHook(6, {"loss": loss}, "fit", every_secs=0)], 6)
    last = shown()[-1]
    assert last.startswith("fit: 100%")
    assert "6/6" in last
    assert "loss=0." in last


def test_the_values_of_the_last_step_are_shown_however_quick_the_training_was(shown):
    train(tf.Graph(), lambda loss: [tf.progress.ProgressHook(40, {"loss": loss})], 40)
    last = shown()[-1]
    assert "loss=4.875" in last or "loss=5" in last


def test_a_hook_goes_on_where_the_checkpoint_stands(shown, tmp_path):
    looks = []
    for steps in (3, 2):
        train(tf.Graph(), lambda loss: [tf.progress.ProgressHook(5)], steps, checkpoint_dir=str(tmp_path))
        looks.append(shown())
    assert "3/5" in looks[0][-1]
    assert "3/5" in looks[1][0]
    assert "5/5" in looks[1][-1]


def test_a_recovered_session_takes_the_bar_back_to_its_checkpoint(shown, tmp_path):
    class Failing(tf.train.SessionRunHook):
        left = 1

        def after_run(self, run_context, run_values):
            if self.left:
                self.left -= 1
                raise tf.errors.AbortedError(None, None, "a worker went away")

    with tf.Graph().as_default():
        step = tf.train.get_or_create_global_step()
        more = tf.assign_add(step, 1)
        hooks = [tf.progress.ProgressHook(4), Failing(), tf.train.StopAtStepHook(4)]
        with tf.train.MonitoredTrainingSession(hooks=hooks, checkpoint_dir=str(tmp_path), log_step_count_steps=0) as session:
            while not session.should_stop():
                session.run(more)
    assert "4/4" in shown()[-1]


def test_without_a_global_step_the_runs_are_counted(shown):
    with tf.Graph().as_default():
        one = tf.constant(1.0)
        with tf.train.SingularMonitoredSession(hooks=[tf.progress.ProgressHook(3)]) as session:
            for _ in range(3):
                session.run(one)
    assert "3/3" in shown()[-1]


@pytest.mark.parametrize(
    ("wrong", "error", "text"),
    [
        (lambda: tf.progress.ProgressHook("9"), TypeError, "last_step must be a whole number, not str"),
        (lambda: tf.progress.ProgressHook(True), TypeError, "last_step must be a whole number, not bool"),
        (lambda: tf.progress.ProgressHook(0), ValueError, "last_step must be 1 or more, not 0"),
        (lambda: tf.progress.ProgressHook(9, ["loss"]), TypeError, 'fix: tensors={"loss": loss}'),
    ],
)
def test_a_wrong_argument_says_what_to_do(wrong, error, text):
    with pytest.raises(error, match="where: ") as caught:
        wrong()
    assert text in str(caught.value)


def test_without_tqdm_the_message_names_what_brings_it():
    program = """
import sys
sys.modules["tqdm"] = None
import tfedu as tf
for wrong in (lambda: tf.progress.ProgressHook(5), lambda: tf.progress.track([])):
    try:
        wrong()
    except ModuleNotFoundError as error:
        print(error)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.count('pip install "tfedu[lab]"') == 2
