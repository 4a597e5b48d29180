"""Ctrl-C and time limits of a run or a session stop a run that never ends, and the session stays usable."""

import contextlib
import gc
import os
import re
import signal
import subprocess
import sys
import textwrap
import threading
import time
import warnings
import weakref

import pytest

import tfedu as tf

WORDS = r"^Timed out waiting for notification"
ENDLESS = """
import tfedu as tf

x = tf.Variable(0)

def body(i):
    with tf.control_dependencies([tf.assign_add(x, 1)]):
        return i + 0

endless = tf.while_loop(lambda i: i < 5, body, [tf.constant(0)])
session = tf.Session()
session.run(x.initializer)
"""


def endless():
    names = {}
    exec(ENDLESS, names)
    return names["session"], names["endless"], names["x"]


@pytest.fixture(params=["interpreter", "plan"])
def running(request):
    session, loop, x = endless()
    session.interpreted = request.param == "interpreter"
    return session, loop, x


def stays_usable(session, x):
    """Whether the session still runs; gives whether the stopped run had effects."""
    before = session.run(x)
    assert session.run(tf.assign_add(x, 1)) == before + 1
    assert session.run(tf.while_loop(lambda i: i < 5, lambda i: i + 1, [0])) == 5
    return before > 0


def test_a_run_ends_at_its_limit(running):
    session, loop, x = running
    start = time.monotonic()
    with pytest.raises(tf.errors.DeadlineExceededError, match=WORDS) as caught:
        session.run(loop, options=tf.RunOptions(timeout_in_ms=500))
    assert time.monotonic() - start >= 0.5
    assert caught.value.op is None
    assert "fix: the run took longer than 500 ms" in str(caught.value)
    assert stays_usable(session, x)


def test_a_session_limits_every_run_and_a_run_may_have_a_limit_of_its_own():
    _, loop, x = endless()
    session = tf.Session(config=tf.ConfigProto(operation_timeout_in_ms=50))
    session.run(x.initializer)
    for options in (None, tf.RunOptions(timeout_in_ms=20)):
        with pytest.raises(tf.errors.DeadlineExceededError, match=WORDS):
            session.run(loop, options=options)
    assert stays_usable(session, x)


def test_a_traced_run_ends_at_its_limit_too():
    session, loop, _ = endless()
    options = tf.RunOptions(timeout_in_ms=100, trace_level=tf.RunOptions.FULL_TRACE)
    with pytest.raises(tf.errors.DeadlineExceededError, match=WORDS):
        session.run(loop, options=options, run_metadata=tf.RunMetadata())


def test_a_slow_node_exceeds_the_limit_when_it_has_finished():
    session = tf.Session()
    slow = tf.py_func(lambda: time.sleep(0.2) or 1.0, [], tf.double)
    for _ in range(2):
        with pytest.raises(tf.errors.DeadlineExceededError, match=WORDS):
            session.run(slow, options=tf.RunOptions(timeout_in_ms=50))
    assert session.run(slow, options=tf.RunOptions(timeout_in_ms=60_000)) == 1
    assert session.run(slow, options=tf.RunOptions(timeout_in_ms=-1)) == 1


@pytest.mark.parametrize("interpreted", [False, True])
def test_a_python_function_that_never_returns_ends_at_the_limit(interpreted):
    leave = threading.Event()

    def endless():
        while not leave.is_set():  # swallows whatever would end it
            with contextlib.suppress(BaseException):
                leave.wait(20)
        return 1.0

    session = tf.Session()
    session.interpreted = interpreted
    y = tf.py_func(endless, [], tf.double, name="asking") + 1.0
    try:
        with pytest.raises(tf.errors.DeadlineExceededError, match=WORDS) as caught:
            session.run(y, options=tf.RunOptions(timeout_in_ms=100))
        told = r"fix: the function \S*endless, which node asking called at \d\d:\d\d:\d\d, has not returned"
        assert re.search(told, str(caught.value))
        assert session.run(tf.constant(2)) == 2
        assert any("endless" in text for text in session.store.unreturned())
    finally:
        leave.set()
    assert session.run(y, options=tf.RunOptions(timeout_in_ms=60_000)) == 2.0


def test_a_python_function_fails_within_a_limit_as_without_one():
    def fail():
        raise KeyError("lost")

    y = tf.py_func(fail, [], tf.double)
    texts = []
    for options in (None, tf.RunOptions(timeout_in_ms=60_000)):
        with tf.Session() as session, pytest.raises(tf.errors.UnknownError) as caught:
            session.run(y, options=options)
        texts.append(str(caught.value))
    assert texts[0] == texts[1]
    assert "KeyError: 'lost'" in texts[0]
    assert "engine" not in texts[0]


def test_a_limit_that_is_not_reached_changes_nothing(running):
    session, _, x = running
    loop = tf.while_loop(lambda i: i < 50, lambda i: i + x, [0])
    session.run(x.assign(1))
    for _ in range(3):
        assert session.run(loop, options=tf.RunOptions(timeout_in_ms=60_000)) == 50


@pytest.mark.skipif(sys.platform == "win32", reason="sends a signal to another process")
@pytest.mark.parametrize("interpreted", [False, True])
def test_ctrl_c_ends_a_loop_that_never_ends_and_the_session_goes_on(interpreted):
    program = ENDLESS + textwrap.dedent(f"""
        import time

        session.interpreted = {interpreted}
        try:
            print("begins", flush=True)
            session.run(endless)
        except KeyboardInterrupt as stopped:
            print(time.time(), type(stopped).__name__, flush=True)
        before = session.run(x)
        print(before > 0, session.run(tf.assign_add(x, 1)) == before + 1, flush=True)
    """)
    running = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        assert running.stdout.readline() == "begins\n"
        time.sleep(0.3)
        sent = time.time()
        os.kill(running.pid, signal.SIGINT)
        out, err = running.communicate(timeout=60)
    finally:
        running.kill()
    assert running.returncode == 0, err
    stopped, state = out.splitlines()
    at, kind = stopped.split()
    assert kind == "KeyboardInterrupt"
    # It takes milliseconds; a busy machine may need longer.
    assert float(at) - sent < 5
    assert state == "True True"


def ends_of(runs):
    """The errors by which the functions end, each in a thread of its own; None for one that returned."""
    ends = [None] * len(runs)

    def end(at):
        try:
            runs[at]()
        except Exception as error:
            ends[at] = error

    threads = [threading.Thread(target=end, args=(at,), daemon=True) for at in range(len(runs))]
    for thread in threads:
        thread.start()
    return threads, ends


def test_closing_the_session_cancels_a_loop_of_another_thread(running):
    session, loop, _ = running
    threads, ends = ends_of([lambda: session.run(loop)])
    time.sleep(0.2)
    session.close()
    threads[0].join(20)
    assert not threads[0].is_alive()
    assert type(ends[0]) is tf.errors.CancelledError
    assert ends[0].op is not None
    assert "fix: the session was closed during the run" in str(ends[0])


@pytest.mark.parametrize("interpreted", [True, False])
def test_runs_of_other_threads_never_find_a_closed_session_uninitialized(interpreted):
    for pause in (0, 0.002, 0.01, 0.03):
        with tf.Graph().as_default():
            x = tf.get_variable("x", [64, 64], initializer=tf.ones_initializer())
            y = x
            for _ in range(20):
                y = tf.matmul(y, x) / 64.0
            update = tf.assign_add(x, y * 0.0)
            fetches = [y, update, x + 1.0, [y, x], tf.assign(x, x)]
            session = tf.Session()
            session.interpreted = interpreted
            session.run(x.initializer)

            def many(fetch, session=session):
                while True:
                    session.run(fetch)

            threads, ends = ends_of([lambda fetch=fetch, many=many: many(fetch) for fetch in fetches])
            time.sleep(pause)
            session.close()
            for thread in threads:
                thread.join(20)
        for error in ends:
            # A run that begins after close() is refused as ever.
            closed = type(error) is RuntimeError and "closed Session" in str(error)
            assert closed or type(error) is tf.errors.CancelledError, repr(error)


@pytest.mark.parametrize("interpreted", [True, False])
def test_the_limits_error_names_where_the_run_stopped(interpreted):
    with tf.Graph().as_default(), tf.Session() as session:
        session.interpreted = interpreted
        loop = tf.while_loop(lambda i: i < 5, lambda i: i + 0, [tf.constant(0)], name="forever")
        with pytest.raises(tf.errors.DeadlineExceededError, match=WORDS) as caught:
            session.run(loop, options=tf.RunOptions(timeout_in_ms=60))
    assert re.search(r"and stopped at the (loop|node) forever\S* ?.*, File .*test_stopping.py, line \d+", str(caught.value))


def test_a_second_interactive_session_warns_while_the_first_is_open():
    """As TF does. The newest is the default one, and the one before it when that is closed, whatever is closed first."""
    first = tf.InteractiveSession()
    try:
        with pytest.warns(UserWarning, match="An interactive session is already active") as caught:
            second = tf.InteractiveSession()
        assert caught[0].filename == __file__
        assert tf.get_default_session() is second
        second.close()
        second.close()
        assert tf.get_default_session() is first
        with pytest.warns(UserWarning, match="already active"):
            third, fourth = tf.InteractiveSession(), tf.InteractiveSession()
        third.close()
        assert tf.get_default_session() is fourth
        fourth.close()
        assert tf.get_default_session() is first
    finally:
        first.close()
    assert tf.get_default_session() is None
    tf.InteractiveSession().close()


def test_interactive_sessions_that_nobody_holds_do_not_stay():
    """A cell that is run again and again opens one each time; the values of all would fill the memory."""
    held = tf.InteractiveSession()
    lost = []
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            for _ in range(20):
                lost.append(weakref.ref(tf.InteractiveSession()))
        gc.collect()
        assert [ref() for ref in lost[:-1]] == [None] * 19
        assert tf.get_default_session() is lost[-1]()
        lost[-1]().close()
        assert tf.get_default_session() is held
    finally:
        held.close()
