"""Writers of tf.contrib.summary belong to a session: what it holds is on the disk when it ends, and no search writes a file."""

import os
import threading

import pytest

import tfedu as tf
from tfedu.explain import outcomes

summary = tf.contrib.summary


@pytest.fixture
def graph():
    with tf.Graph().as_default() as graph:
        yield graph


def recorded(folder, **options):
    writer = summary.create_file_writer(str(folder), **options)
    with writer.as_default(), summary.always_record_summaries():
        return writer, summary.scalar("a", 1.0, step=1)


def steps(folder):
    return [
        event.step
        for name in sorted(os.listdir(folder))
        for event in tf.train.summary_iterator(os.path.join(folder, name))
        if event.summary.value
    ]


def test_a_session_that_ends_writes_what_it_holds(graph, tmp_path):
    _, node = recorded(tmp_path, flush_millis=10**8)
    with tf.Session() as session:
        session.run(summary.summary_writer_initializer_op())
        for _ in range(3):
            session.run(node)
    assert steps(tmp_path) == [1, 1, 1]


def test_a_search_over_orders_refuses_to_write(graph, tmp_path):
    _, node = recorded(tmp_path / "log")
    with pytest.raises(ValueError, match="writes"):
        outcomes([node])
    assert not (tmp_path / "log").exists()


def test_the_default_writer_is_that_of_its_thread(graph, tmp_path):
    writer, _ = recorded(tmp_path / "log")
    seen = []
    with writer.as_default():
        thread = threading.Thread(target=lambda: seen.append(tf.summary.initialize))
        thread.start()
        thread.join()
        with graph.as_default(), summary.always_record_summaries():
            assert summary.scalar("b", 1.0, step=1).dtype is tf.bool


def test_a_block_that_fails_gives_the_writer_back(graph, tmp_path):
    writer, _ = recorded(tmp_path / "log")
    with pytest.raises(KeyError), writer.as_default(), summary.always_record_summaries():
        raise KeyError("a")
    with pytest.raises(RuntimeError, match=r"No default tf\.contrib\.summary\.SummaryWriter found"):
        summary.initialize(session=tf.Session())


def test_a_failed_summary_leaves_nothing_behind(graph, tmp_path):
    writer, _ = recorded(tmp_path / "log")
    nodes, before = graph.get_operations(), summary.all_summary_ops()
    with writer.as_default(), summary.always_record_summaries():
        with pytest.raises(TypeError):
            summary.scalar("b", True, step=1)
    assert graph.get_operations()[: len(nodes)] == nodes
    assert summary.all_summary_ops() == before


def test_a_database_is_refused(graph):
    with pytest.raises(NotImplementedError, match="event files, not into databases"):
        summary.create_db_writer("db")


def test_a_folder_that_is_a_file_is_refused_in_the_run(graph, tmp_path):
    (tmp_path / "log").write_text("a file")
    recorded(tmp_path / "log")
    with tf.Session() as session, pytest.raises(tf.errors.FailedPreconditionError, match="is not a directory"):
        session.run(summary.summary_writer_initializer_op())


def test_a_writer_over_a_session_shares_the_file_of_its_folder(graph, tmp_path):
    _, node = recorded(tmp_path)
    with tf.Session() as session:
        session.run(summary.summary_writer_initializer_op())
        writer = tf.summary.FileWriter(str(tmp_path), session=session)
        session.run(node)
        writer.add_summary(tf.Summary(value=[tf.Summary.Value(tag="b", simple_value=2.0)]), 9)
        writer.close()
    assert steps(tmp_path) == [1, 9]
    assert len(os.listdir(tmp_path)) == 1
