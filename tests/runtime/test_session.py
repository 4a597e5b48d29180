"""Sessions: results have the structure of the fetches, state stays in its session, and a failed run changes nothing."""

import collections
import signal
import threading

import numpy as np
import pytest

import tfedu as tf


@pytest.fixture(params=["interpreter", "plan"])
def session(request):
    """A session that runs everything by the interpreter, or everything by plans."""
    made = tf.Session()
    made.interpreted = request.param == "interpreter"
    return made


def thrice(session, fetches, feed_dict=None):
    """The result of the third of three equal runs: by then the plan runs, unless the session is interpreted."""
    for _ in range(2):
        session.run(fetches, feed_dict)
    return session.run(fetches, feed_dict)


def test_nests_come_back_as_they_were_given(session):
    a, b = tf.constant(1.0), tf.constant([2, 3])
    Pair = collections.namedtuple("Pair", "x y")
    got = thrice(session, {"p": Pair(a, [b, (a,)]), "e": [], "op": a.op})
    assert isinstance(got["p"], Pair)
    assert got["p"].x == 1.0
    assert isinstance(got["p"].y[1], tuple)
    np.testing.assert_array_equal(got["p"].y[0], [2, 3])
    assert got["e"] == []
    assert got["op"] is None
    assert isinstance(thrice(session, collections.OrderedDict(z=a, y=b)), collections.OrderedDict)


def test_equal_tuples_of_different_kinds_are_told_apart():
    a, b = tf.constant(1.0), tf.constant(2.0)
    P, Q = collections.namedtuple("P", "x y"), collections.namedtuple("Q", "x y")
    session = tf.Session()
    for fetches in (P(a, b), Q(a, b), (a, b), [a, b], {"k": P(a, b)}, {"k": Q(a, b)}, [P(a, b)], [(a, b)]):
        for _ in range(3):
            got = session.run(fetches)
        assert type(got) is type(fetches)
        if isinstance(fetches, (list, dict)):
            ours, theirs = (next(iter(n.values())) if isinstance(n, dict) else n[0] for n in (got, fetches))
            assert type(ours) is (np.float32 if theirs is a else type(theirs))


def test_a_repeated_call_returns_the_nest_of_its_own_fetches():
    P, Q = collections.namedtuple("P", "x y"), collections.namedtuple("Q", "x y")
    with tf.Graph().as_default(), tf.Session() as session:
        fed = tf.placeholder(tf.float32, [])
        a, b = fed + 1, fed * 2
        nests = [
            [[b, a], b], [(b, a), b], [P(b, a), b], [Q(b, a), b], ([b, a], b), ((b, a), b), {"x": [b, {"y": a}]},
            collections.OrderedDict(x=[b, {"y": a}]), {"x": (b, {"y": a})}, {"x": [a, {"y": b}]}, [[], [b]], [b, [b, b]],
        ]  # fmt: skip
        for value in range(4):
            values = {a: value + 1.0, b: value * 2.0}
            for fetches in nests:
                got = tf.nest.map_structure(float, session.run(fetches, {fed: value}))
                assert repr(got) == repr(tf.nest.map_structure(values.get, fetches))
        assert len(session._ready) == len(nests)
        rows = tf.SparseTensor([[0]], tf.stack([fed]), [3])
        for value in (1.0, 2.0, 3.0):
            (found, nothing), again = session.run([[rows, a.op], rows], {fed: value})
            assert found.values == again.values == value
            assert nothing is None


def test_scalars_are_numpy_scalars_and_arrays_the_callers_own(session):
    x = tf.Variable([1.0, 2.0])
    session.run(x.initializer)
    value = thrice(session, x)
    value[0] = 99
    np.testing.assert_array_equal(session.run(x), [1.0, 2.0])
    assert type(thrice(session, tf.reduce_sum(x))) is np.float32


def test_a_fed_array_changed_later_does_not_change_the_variable(session):
    x = tf.Variable([0.0, 0.0])
    p = tf.placeholder(tf.float32, [2])
    session.run(x.initializer)
    assign = tf.assign(x, p)
    given = np.ones(2, np.float32)
    for _ in range(3):
        session.run(assign, {p: given})
    given[:] = 7
    np.testing.assert_array_equal(session.run(x), [1, 1])


def test_feeding_prunes_the_nodes_above(session):
    p = tf.placeholder(tf.float32)
    y = p * 2.0
    assert thrice(session, y + 1.0, {y: 5.0}) == 6.0


def test_two_sessions_have_their_own_variables():
    x = tf.Variable(0.0)
    up = tf.assign_add(x, 1)
    one, two = tf.Session(), tf.Session()
    for session in (one, two):
        session.run(x.initializer)
    for _ in range(3):
        one.run(up)
    assert (one.run(x), two.run(x)) == (3.0, 0.0)


def test_an_uninitialized_variable_is_named(session):
    v = tf.Variable(1.0, name="v")
    for fetch in (v, v + 1.0, tf.assign_add(v, 1.0)):
        for _ in range(2):
            with pytest.raises(tf.errors.FailedPreconditionError, match="uninitialized value v"):
                session.run(fetch)
    session.run(v.initializer)
    assert session.run(v) == 1.0


def test_a_failing_run_says_class_node_and_line_the_same_in_both_ways():
    p = tf.placeholder(tf.float32)
    y = p + tf.constant([1.0, 2.0])
    session = tf.Session()
    texts = []
    for _ in range(3):
        with pytest.raises(tf.errors.InvalidArgumentError) as caught:
            session.run(y, {p: [1.0, 2.0, 3.0]})
        texts.append(str(caught.value))
        assert caught.value.op is y.op
    assert texts[0] == texts[1] == texts[2]
    assert texts[0].startswith("Incompatible shapes: [3] vs. [2]")
    assert "y = p + tf.constant([1.0, 2.0])" in texts[0]


def test_a_node_without_a_kernel_says_so(monkeypatch):
    # As on a machine without ml_dtypes.
    record = np.dtype([("bfloat16", np.uint16)])
    monkeypatch.setattr("tfedu.engine.base.dtypes._numpy_bfloat16", record)
    a = tf.constant([1.5, 2.5], tf.bfloat16)
    session = tf.Session()
    for _ in range(2):
        with pytest.raises(tf.errors.UnimplementedError, match="No kernel computes AddV2 with bfloat16: pip install ml_dtypes"):
            session.run(a + a)
    np.testing.assert_array_equal(session.run(tf.cast(a, tf.float32)), [1.5, 2.5])


def test_wrong_feeds_fail_before_anything_runs(session):
    x = tf.Variable(0.0)
    session.run(x.initializer)
    p = tf.placeholder(tf.float32, [2])
    bump = tf.assign_add(x, 1.0)
    for bad in ({p: [1.0]}, {p: "ab"}, {"nope:0": 1}, {p: p}, {3: 4}):
        with pytest.raises((ValueError, TypeError)):
            session.run([bump, p], bad)
    assert session.run(x) == 0.0


def test_a_closed_session_says_so():
    a = tf.constant(1)
    session = tf.Session()
    session.run(a)
    session.run(a)
    session.close()
    with pytest.raises(RuntimeError, match="Attempted to use a closed Session"):
        session.run(a)


def test_callables_run_like_run():
    p = tf.placeholder(tf.float32)
    with tf.Session() as session:
        double = session.make_callable(p * 2.0, [p])
        assert [double(v) for v in (1, 2, 3)] == [2.0, 4.0, 6.0]
        with pytest.raises(ValueError, match="expects 1 argument"):
            double()


def test_a_plan_is_made_anew_when_an_old_node_changes():
    a = tf.no_op(name="a")
    x = tf.Variable(0.0)
    y = tf.identity(x, name="y")
    session = tf.Session()
    session.run(x.initializer)
    bump = tf.assign_add(x, 1.0)
    for _ in range(3):
        assert session.run(y) == 0.0
    tf.get_default_graph().add_control_input(y.op, bump.op)
    assert session.run(y) == 1.0
    assert session.run(y) == 2.0
    assert a.type == "NoOp"


def test_locked_updates_from_many_threads_are_exact():
    x = tf.Variable(0.0)
    up = tf.assign_add(x, 1.0, use_locking=True)
    session = tf.Session()
    session.run(x.initializer)

    def work():
        for _ in range(300):
            session.run(up)

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert session.run(x) == 2400.0


def test_a_session_runs_while_its_graph_grows():
    x = tf.constant(1.0)
    graph = tf.get_default_graph()
    session = tf.Session()
    failures = []

    def grow():
        with graph.as_default():
            y = x
            for _ in range(500):
                y = y + 1.0

    def run():
        try:
            for _ in range(500):
                assert session.run(x) == 1.0
        except Exception as error:
            failures.append(error)

    threads = [threading.Thread(target=f) for f in (grow, run, grow, run)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    assert len(graph.get_operations()) == 1 + 2 * 1000


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="needs POSIX timers")
def test_an_interrupt_leaves_the_session_usable():
    x = tf.Variable(0.0)
    y = tf.assign_add(x, 1.0)
    z = tf.random_normal([200, 200])
    for _ in range(60):
        z = tf.matmul(z, z)
    session = tf.Session()
    session.run(x.initializer)
    session.run([y, z])

    def interrupt(*_):
        raise KeyboardInterrupt

    def run_forever():
        # The timer starts here, inside the block that expects the interrupt.
        signal.setitimer(signal.ITIMER_REAL, 0.01)
        while True:
            session.run([y, z])

    before = signal.signal(signal.SIGALRM, interrupt)
    try:
        for _ in range(5):
            with pytest.raises(KeyboardInterrupt):
                run_forever()
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    count = session.run(x)
    assert session.run(y) == count + 1


def test_with_blocks_of_sessions_must_unwind_in_order():
    outer, inner = tf.Session(), tf.Session()
    outer.__enter__()
    inner.__enter__()
    with pytest.raises(AssertionError, match="Nesting violated"):
        outer.__exit__(None, None, None)
    inner.__exit__(None, None, None)
    outer.__exit__(None, None, None)
    assert tf.get_default_session() is None


def test_100_000_chained_nodes_build_prune_and_run():
    y = tf.placeholder(tf.float32, [])
    start = y
    for _ in range(100_000):
        y = tf.add(y, 1.0)
    session = tf.Session()
    for _ in range(3):
        assert session.run(y, {start: 0.0}) == 100_000.0


def test_log_device_placement_prints_the_whole_graph_when_it_is_placed(capsys):
    tf.add(tf.constant(1.0, name="one"), tf.placeholder(tf.float32, name="fed"), name="sum")
    nothing = tf.no_op(name="nothing")
    tf.Variable(2.0, name="v")
    with tf.Session(config=tf.ConfigProto(log_device_placement=True)) as sess:
        assert capsys.readouterr().out == "Device mapping: no known devices.\n"
        sess.run(nothing)
        # As TF does: what others read and nothing feeds is placed last.
        kinds = {"sum": "Add", "nothing": "NoOp", "v": "VariableV2", "v/Assign": "Assign", "v/read": "Identity", "one": "Const",
                 "fed": "Placeholder", "v/initial_value": "Const"}  # fmt: skip
        lines = [f"{name}: ({kind}): /job:localhost/replica:0/task:0/device:CPU:0\n" for name, kind in kinds.items()]
        assert capsys.readouterr().out == "".join(lines)
        sess.run(nothing)
        assert capsys.readouterr().out == ""
        last = tf.identity(1.0, name="last")
        sess.run(last)
        assert len(capsys.readouterr().out.splitlines()) == len(lines) + 2
