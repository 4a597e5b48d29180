"""An exception that a kernel did not raise (Ctrl-C, a signal handler's) leaves the run unchanged, with a note of the node."""

import gc
import linecache
import os
import pathlib
import signal
import subprocess
import sys
import textwrap

import numpy as np
import pytest

import tfedu as tf

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "ops"))
sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "semantics"))
import cases
import harness


class Alarm(Exception):
    """An exception class of the user's."""


RAISED = [ValueError, IndexError, TypeError, OSError, TimeoutError, Alarm, KeyboardInterrupt, tf.errors.AbortedError]


def made(kind):
    return kind(None, None, "of the handler") if issubclass(kind, tf.errors.OpError) else kind("of the handler")


class Handler:
    """Raises an exception at the line `at` of the kernels, counted from 0; None: only counts the lines."""

    def __init__(self, at, kind=ValueError):
        self.at, self.kind, self.seen, self.error, self.where = at, kind, 0, None, None
        self.inside = set()  # the `with` lines whose blocks are running

    def __enter__(self):
        self.before = sys.gettrace()
        sys.settrace(self.call)
        return self

    def __exit__(self, *exc):
        sys.settrace(self.before)

    def call(self, frame, event, arg):
        return self.line if frame.f_globals.get("__name__", "").startswith("tfedu.engine.ops.") else None

    def leaves_with(self, frame):
        """Whether Python comes to the line of a `with` for the second time, as it leaves the block.

        The interpreter runs no signal handler between that line and the release of the lock, so an exception there tests
        nothing, and would keep the lock for ever.
        """
        if not linecache.getline(frame.f_code.co_filename, frame.f_lineno).lstrip().startswith("with "):
            return False
        self.inside ^= {(frame, frame.f_lineno)}
        return (frame, frame.f_lineno) not in self.inside

    def line(self, frame, event, arg):
        if event == "line" and not self.leaves_with(frame):
            if self.seen == self.at:
                self.error, self.where = made(self.kind), f"{frame.f_code.co_filename}:{frame.f_lineno}"
                raise self.error
            self.seen += 1
        return self.line


FAMILIES = cases.load()
SYMBOLS = {}  # the first row of each public function
for rows in FAMILIES.values():
    for row in rows.values():
        # A py_func calls a function of the user; the exceptions in it are that function's.
        if row.symbol not in ("tf.py_func", "tf.numpy_function"):
            SYMBOLS.setdefault(row.symbol, row)


def runner(row, interpreted):
    """A function that runs the row's call; None where it cannot be built."""
    with tf.Graph().as_default():
        fed = [tf.placeholder(cases.dtype_of(tf, i), i.shape) for i in row.inputs]
        built = harness.attempt(lambda: row.ready(tf)(*fed))
        if isinstance(built, harness.Failure):
            return None
        outputs = list(built) if isinstance(built, (list, tuple)) else [built]
        session = tf.Session()
        session.interpreted = interpreted
        return lambda: session.run(outputs, dict(zip(fed, row.inputs, strict=True)))


def check(row, places, interpreted=True):
    run = runner(row, interpreted)
    if run is None or any(isinstance(harness.attempt(run), harness.Failure) for _ in range(2)):
        return
    with Handler(None) as counted:
        harness.attempt(run)
    for number, at in enumerate(places(counted.seen)):
        with Handler(at, RAISED[(number + len(row.symbol)) % len(RAISED)]) as handler:
            try:
                run()
            except BaseException as error:
                caught = error
            else:
                caught = None
        if at and handler.error is None:  # a kernel that keeps something for the next run has fewer lines there
            assert caught is None
            continue
        assert caught is handler.error is not None, (row.symbol, handler.where, repr(caught))
        assert len(caught.__notes__) == 1
        assert caught.__notes__[0].startswith("This came while the node ")


@pytest.mark.parametrize("family", FAMILIES)
def test_an_exception_at_a_line_of_a_kernel_is_told_as_it_is(family):
    for symbol, row in SYMBOLS.items():
        if row in FAMILIES[family].values():
            check(row, lambda count: sorted({0, count // 2, count - 1} if count else ()), interpreted=len(symbol) % 2 == 0)


@pytest.mark.long
@pytest.mark.parametrize("symbol", SYMBOLS)
def test_an_exception_at_any_line_of_a_kernel_is_told_as_it_is(symbol):
    for interpreted in (True, False):
        check(SYMBOLS[symbol], lambda count: range(0, count, max(1, count // 200)), interpreted)


def matmul_of(size):
    a = tf.placeholder(tf.float32, [size, size])
    return tf.matmul(a, a, name="product"), {a: np.ones((size, size), np.float32)}


def many_runs(session, product, feeds, seconds):
    """Sets an alarm after `seconds`, then runs the product until the handler of the alarm raises."""
    signal.setitimer(signal.ITIMER_REAL, seconds)
    for _ in range(1000):
        session.run(product, feeds)


# A signal that strikes between an open() and its block leaves the file to the garbage collector, which warns.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize("interpreted", [True, False])
@pytest.mark.parametrize("kind", RAISED)
def test_a_matmul_under_a_signal_handler_names_the_node_and_no_shapes(kind, interpreted):
    with tf.Graph().as_default(), tf.Session() as session:
        session.interpreted = interpreted
        product, feeds = matmul_of(700)
        session.run(product, feeds)
        errors = []

        def handler(*_):
            errors.append(made(kind))
            raise errors[0]

        # Python drops an exception of a handler that it runs inside a callback of the garbage collector.
        gc.disable()
        before = signal.signal(signal.SIGALRM, handler)
        try:
            with pytest.raises(kind) as caught:
                many_runs(session, product, feeds, seconds=0.001)
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, before)
            gc.enable()
        assert caught.value is errors[0]
        assert "size-incompatible" not in f"{caught.value} {getattr(caught.value, '__notes__', '')}"
        assert session.run(product, feeds)[0, 0] == 700


def test_an_exception_that_was_under_handling_before_the_run_is_not_taken_for_the_kernels():
    with tf.Graph().as_default(), tf.Session() as session:
        bad = tf.check_numerics(tf.constant(np.nan), "bad")
        try:
            raise Alarm("earlier")
        except Alarm:
            with pytest.raises(tf.errors.InvalidArgumentError, match="bad"):
                session.run(bad)


def test_a_kernels_error_stays_the_nodes_error():
    x = np.zeros(3, np.float32)
    with tf.Graph().as_default(), tf.Session() as session:
        a, b = tf.placeholder(tf.float32), tf.placeholder(tf.float32)
        with pytest.raises(tf.errors.InvalidArgumentError, match=r"Incompatible shapes: \[3\] vs. \[2\]"):
            session.run(a + b, {a: x, b: x[:2]})
        with pytest.raises(tf.errors.InvalidArgumentError, match=r"Matrix size-incompatible: In\[0\]: \[1,3\], In\[1\]: \[1,3\]"):
            session.run(tf.matmul(a, b), {a: x[None], b: x[None]})


@pytest.mark.skipif(os.name != "posix", reason="sends SIGINT")
def test_ctrl_c_names_the_node_under_way():
    program = """
    import os, signal, threading, time
    import numpy as np
    import tfedu as tf
    a = tf.placeholder(tf.float32, [400, 400])
    slow = tf.while_loop(lambda i, p: i < 10**9, lambda i, p: (i + 1, tf.matmul(p, p)), [tf.constant(0), a])
    threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT)).start()
    tf.Session().run(slow, {a: np.zeros((400, 400), np.float32)})
    """
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(program)], capture_output=True, text=True, timeout=60)
    assert done.returncode != 0
    assert "KeyboardInterrupt\nThis came while the node while/" in done.stderr
    assert "\n  where: File <string>, line 6" in done.stderr
