"""No two executions of a critical section overlap: in any schedule, in a loop, in several threads, in a search over all orders.

    v  -> MutexLock -> read -> assign -> ConsumeMutexLock     twice: without the section, one addition can be lost
"""

import threading

import numpy as np
import pytest

import tfedu as tf
from tfedu.engine.replay.trace import record
from tfedu.explain import outcomes


@pytest.fixture
def graph():
    with tf.Graph().as_default() as graph:
        yield graph


def add_slowly(v, amount):
    """v + amount by a read and a write, between which another node may write."""
    read = v.read_value()
    with tf.control_dependencies([read]):
        pause = tf.no_op()
    with tf.control_dependencies([pause]):
        return tf.identity(v.assign(read + amount))


def two_additions(in_section):
    v = tf.get_variable("v", [], initializer=tf.zeros_initializer(), use_resource=True)
    section = tf.CriticalSection()
    run = section.execute if in_section else (lambda f: f())
    return v, run(lambda: add_slowly(v, 1.0)), run(lambda: add_slowly(v, 10.0))


@pytest.mark.parametrize("seed", range(12))
def test_no_schedule_loses_an_update_of_a_section(seed, graph):
    v, one, ten = two_additions(True)
    with tf.Session(schedule=f"random({seed})") as session:
        session.run(v.initializer)
        for total in (11.0, 22.0):  # by the interpreter, then by the plan
            session.run([one, ten])
            assert session.run(v) == total


def test_without_the_section_some_schedule_loses_one(graph):
    v, one, ten = two_additions(False)
    found = set()
    for seed in range(40):
        with tf.Session(schedule=f"random({seed})") as session:
            session.run(v.initializer)
            session.run([one, ten])
            found.add(float(session.run(v)))
    assert found & {1.0, 10.0}


def test_a_search_over_all_orders_finds_the_two_that_a_section_allows(graph):
    v, one, ten = two_additions(True)
    with tf.Session() as session:
        session.run(v.initializer)
        found = outcomes([one, ten], session=session)
    assert found.exact
    assert {tuple(map(float, o.values[0])) for o in found} == {(1.0, 11.0), (11.0, 10.0)}


def test_the_search_finds_more_without_the_section(graph):
    v, one, ten = two_additions(False)
    with tf.Session() as session:
        session.run(v.initializer)
        found = outcomes([one, ten], session=session)
    assert {tuple(map(float, o.values[0])) for o in found} > {(1.0, 11.0), (11.0, 10.0)}


def test_a_node_of_a_section_that_no_result_needs_may_run_after_its_end(graph):
    v = tf.get_variable("v", [], initializer=tf.zeros_initializer(), use_resource=True)
    section, late = tf.CriticalSection(), []

    def leaves_an_update_behind():
        late.append(v.assign(5.0, read_value=False))
        return tf.constant(0.0)

    first = section.execute(leaves_an_update_behind)
    second = section.execute(lambda: v.read_value())
    with tf.Session() as session:
        session.run(v.initializer)
        found = outcomes([first, second, late[0]], session=session)
    assert {float(o.values[0][1]) for o in found} == {0.0, 5.0}


def test_sections_in_a_loop_and_outside_exclude_each_other(graph):
    v = tf.get_variable("v", [], initializer=tf.zeros_initializer(), use_resource=True)
    section = tf.CriticalSection()
    outside = section.execute(lambda: add_slowly(v, 100.0))

    def body(i):
        with tf.control_dependencies([section.execute(lambda: add_slowly(v, 1.0))]):
            return i + 1

    loop = tf.while_loop(lambda i: i < 6, body, [0])
    for schedule in ("creation", "random(3)", "random(7)"):
        with tf.Session(schedule=schedule) as session:
            for total in (106.0, 212.0):
                session.run(v.initializer) if total == 106.0 else None
                session.run([loop, outside])
                assert session.run(v) == total


def test_threads_wait_for_each_other(graph):
    v = tf.get_variable("v", [], initializer=tf.zeros_initializer(), use_resource=True)
    inside, most = [], []

    def note(value):
        inside.append(threading.get_ident())
        most.append(len(inside))
        threading.Event().wait(0.002)
        inside.remove(threading.get_ident())
        return np.float32(value)

    section = tf.CriticalSection()
    total = section.execute(lambda: v.assign(tf.reshape(tf.py_func(note, [v.read_value() + 1.0], tf.float32), [])))
    with tf.Session() as session:
        session.run(v.initializer)
        threads = [threading.Thread(target=lambda: [session.run(total) for _ in range(5)]) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert session.run(v) == 20.0
    assert max(most) == 1


def test_a_failed_section_gives_its_lock_back(graph):
    section, x = tf.CriticalSection(), tf.placeholder(tf.float32, [])
    checked = section.execute(lambda: tf.check_numerics(x, "no number"))
    with tf.Session() as session:
        kept = []
        for _ in range(3):
            with pytest.raises(tf.errors.InvalidArgumentError) as caught:
                session.run(checked, {x: float("nan")})
            kept.append(caught.value)  # with the frames of the run
        other = threading.Thread(target=lambda: kept.append(session.run(checked, {x: 2.0})), daemon=True)
        other.start()
        other.join(20)
        assert kept[-1] == 2.0


def test_a_closed_session_ends_a_run_that_waits_for_a_lock(graph):
    entered, leave = threading.Event(), threading.Event()

    def stay():
        entered.set()
        leave.wait(20)
        return np.float32(1)

    section, errors = tf.CriticalSection(), []
    long = section.execute(lambda: tf.py_func(stay, [], tf.float32))
    short = section.execute(lambda: tf.constant(1.0))
    session = tf.Session()

    def run(fetch):
        try:
            session.run(fetch)
        except tf.errors.OpError as error:
            errors.append((fetch, error))

    threads = [threading.Thread(target=run, args=[fetch], daemon=True) for fetch in (long, short)]
    threads[0].start()
    assert entered.wait(20)
    threads[1].start()
    session.close()
    threads[1].join(20)
    assert isinstance(dict(errors)[short], tf.errors.CancelledError)
    leave.set()
    threads[0].join(20)


def test_a_trace_shows_one_section_after_the_other(graph):
    _, one, ten = two_additions(True)
    for seed in range(4):
        run = record([one, ten], policy=tf.schedule.random(seed)).runs[0]
        ends = [step.op.type for step in run.steps if step.op.type in ("MutexLock", "ConsumeMutexLock")]
        assert ends == ["MutexLock", "ConsumeMutexLock"] * 2


def test_a_graph_with_a_section_goes_out_and_comes_back(graph):
    _, one, ten = two_additions(True)
    message = graph.as_graph_def()
    with tf.Graph().as_default(), tf.Session() as session:
        tf.import_graph_def(message, name="")
        session.run("v/Assign")
        assert sum(session.run([one.name, ten.name])) in (12.0, 21.0)
