"""Tables and readers in copies of a session: orders of their nodes lead to all results, and the session stays as it was."""

import tfedu as tf
from tfedu import explain


def counted():
    """A table, two inserts under one key that no edge orders, and what a lookup finds after both."""
    table = tf.contrib.lookup.MutableHashTable(tf.string, tf.int64, 0)
    key = tf.constant(["n"])
    inserts = [table.insert(key, tf.constant([value], tf.int64)) for value in (1, 2)]
    with tf.control_dependencies(inserts):
        return table, table.lookup(key)


def test_the_order_of_two_inserts_decides_what_a_table_holds():
    with tf.Graph().as_default():
        table, found = counted()
        with tf.Session() as session:
            outcomes = explain.outcomes(found, session=session)
            assert sorted(int(result.values[0][0]) for result in outcomes) == [1, 2]
            assert session.run(table.size()) == 0


def test_a_copied_store_has_tables_of_its_own():
    with tf.Graph().as_default():
        table, found = counted()
        with tf.Session() as session:
            session.run(found)
            twin = session.store.copy()
            session.run(table.remove(tf.constant(["n"])))
            (copied,) = [each for (kind, _, _), each in twin.resources.items() if kind == "table"]
            assert [int(session.run(table.size())), copied.size()] == [0, 1]


def test_a_copied_reader_reads_on_where_the_first_one_was(tmp_path):
    path = tmp_path / "lines.txt"
    path.write_text("one\ntwo\nthree\n")
    with tf.Graph().as_default():
        queue = tf.FIFOQueue(3, [tf.string], [[]])
        _, line = tf.TextLineReader().read(queue)
        with tf.Session() as session:
            session.run(queue.enqueue(str(path)))
            session.run(line)
            (twin,) = [each for (kind, _, _), each in session.store.copy().resources.items() if kind == "reader"]
            assert [value for _, value in twin.read(2, lambda: b"")] == [b"two", b"three"]
            assert session.run(line) == b"two"
