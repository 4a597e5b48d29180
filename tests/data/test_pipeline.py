"""Pipelines: what PipelineView is told, batches computed at once, errors with their element, copies of iterators."""

import concurrent.futures
import contextlib
import sqlite3
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tfedu as tf
from tfedu.engine.data.pipeline.flow import record_flow
from tfedu.engine.models.contrib import older_datasets as older
from tfedu.engine.ops.pipeline.values import Walk
from tfedu.engine.runtime.store import World

Data = tf.data.Dataset


@pytest.fixture(autouse=True)
def _graph():
    with tf.Graph().as_default():
        yield


def passed(dataset, whole=True, most=100):
    """The elements of a pass, an error as its first line."""
    with tf.Session(graph=dataset.graph) as sess:
        value = sess.run(dataset._variant_tensor)
        walk = Walk(World(dataset._variant_tensor.op, sess.store))
        walk.takes_whole_batches = whole
        found = [element for _, element in zip(range(most), walk(value))]
        return [each if isinstance(each, tuple) else str(each.error).split("\n")[0] for each in found]


FUNCTIONS = {
    "scaled": lambda x: x * 2.0 + 1.0,
    "twice": lambda x: tf.sqrt(tf.abs(x)) - x,
    "cast": lambda x: tf.cast(x > 1.0, tf.int32),
    "several": lambda x: (x, x - 3.0),
    "constant": lambda x: (x, tf.constant(1.0)),
    "vector": lambda x: x + tf.constant([1.0, 2.0]),
    "sum": lambda x: tf.reduce_sum(x),
    "shape": lambda x: tf.cast(tf.shape(x), tf.float32),
    "random": lambda x: x + tf.random_uniform([], seed=3),
    "refused": lambda x: tf.check_numerics(1.0 / (x - 1.0), "oops"),
}


@settings(max_examples=60, deadline=None)
@given(
    names=st.lists(st.sampled_from([*FUNCTIONS]), min_size=1, max_size=2),
    shape=st.sampled_from([(), (2,), (2, 2)]),
    size=st.integers(1, 4),
    drop=st.booleans(),
)
def test_a_batch_computed_at_once_has_the_same_values(names, shape, size, drop):
    with tf.Graph().as_default():
        values = np.arange(7 * int(np.prod(shape)), dtype=np.float32).reshape(7, *shape)
        dataset = Data.from_tensor_slices(values)
        for name in names:
            dataset = dataset.map(FUNCTIONS[name]) if not isinstance(dataset.output_types, tuple) else dataset
        dataset = dataset.batch(size, drop)
        for plain, whole in zip(passed(dataset, whole=False), passed(dataset), strict=True):
            assert type(plain) is type(whole)
            for one, other in zip(plain, whole, strict=True) if isinstance(plain, tuple) else ():
                assert one.dtype == other.dtype
                np.testing.assert_array_equal(one, other)


def test_an_error_names_the_line_in_the_function_and_the_element():
    def inverse(x):
        return tf.check_numerics(1.0 / (tf.cast(x, tf.float32) - 2.0), "not a number")

    x = Data.range(5).map(inverse).make_one_shot_iterator().get_next()
    with tf.Session() as sess:
        sess.run([x])
        sess.run([x])
        with pytest.raises(tf.errors.InvalidArgumentError) as raised:
            sess.run(x)
        text = str(raised.value)
        assert 'return tf.check_numerics(1.0 / (tf.cast(x, tf.float32) - 2.0), "not a number")' in text
        assert "during: element 2 (the first one is 0) of MapDataset" in text
        assert sess.run(x) == 1.0


def test_a_flow_tells_the_sources_of_every_element():
    flow = record_flow(Data.range(6).shuffle(3, seed=1).map(lambda x: x * 10).batch(4), 10)
    labels = ["range(count=6)", "shuffle(buffer_size=3)", "map(<lambda>)", "batch(batch_size=4)"]
    assert [stage.label for stage in flow.stages] == labels
    assert flow.ended
    elements = {element.id: element for element in flow.elements}
    for element in flow.elements:
        if element.stage == 3:
            assert [elements[source].value[0] for source in element.sources] == element.value[0].tolist()
        elif element.stage == 2:
            (source,) = element.sources
            assert elements[source].value[0] * 10 == element.value[0]
    assert sorted(e.value[0] for e in flow.elements if e.stage == 1) == list(range(6))
    held, most = set(), 0
    for event in flow.events:
        if event.stage == 1 and event.kind == "buffer_in":
            held.add(event.element)
        if event.stage == 1 and event.kind == "buffer_out":
            held.remove(event.element)
        most = max(most, len(held))
    assert (most, held) == (3, set())


def test_a_flow_shows_the_epochs_that_a_shuffle_after_repeat_mixes():
    def epochs(dataset):
        flow = record_flow(dataset, 100)
        return [element.epoch for element in flow.elements if element.stage == flow.stages[-1].id]

    apart = epochs(Data.range(5).shuffle(4, seed=1).repeat(2))
    mixed = epochs(Data.range(5).repeat(2).shuffle(4, seed=1))
    assert apart == [0] * 5 + [1] * 5
    assert sorted(mixed) == apart != mixed


def test_a_copied_iterator_goes_on_where_the_original_was():
    iterator = Data.range(9).shuffle(5).make_initializable_iterator()
    x = iterator.get_next()
    with tf.Session() as sess:
        sess.run(iterator.initializer)
        [sess.run(x) for _ in range(4)]
        twin = sess.store.copy()
        rest = [sess.run(x) for _ in range(5)]
        (resource,) = twin.resources.values()
        assert [resource.next(World(x.op, twin))[0] for _ in range(5)] == rest


def test_two_nodes_that_take_elements_have_no_order():
    iterator = Data.from_tensor_slices([10, 20, 30, 40]).make_one_shot_iterator()
    a, b = iterator.get_next(), iterator.get_next()
    assert [str(each) for each in tf.explain.outcomes([a, b])] == ["<Possible [10, 20]>", "<Possible [20, 10]>"]
    with tf.control_dependencies([a]):
        c = iterator.get_next()
    assert [str(each) for each in tf.explain.outcomes([a, c])] == ["<Possible [10, 20]>"]


def test_a_generator_is_closed_when_its_pass_is_given_up():
    log = []

    def numbers():
        try:
            yield from range(5)
        finally:
            log.append("closed")

    iterator = Data.from_generator(numbers, tf.int64).make_initializable_iterator()
    x = iterator.get_next()
    with tf.Session() as sess:
        sess.run(iterator.initializer)
        sess.run(x)
        sess.run(iterator.initializer)
        assert log == ["closed"]
        sess.run(x)
    assert log == ["closed", "closed"]


def test_an_optional_tells_the_end_of_a_pass():
    raw = tf.raw_ops
    iterator = Data.range(2).make_one_shot_iterator()
    facts = {"output_types": [tf.int64], "output_shapes": [[]]}
    optional = raw.IteratorGetNextAsOptional(iterator=iterator._iterator_resource, **facts)
    has, value = raw.OptionalHasValue(optional=optional), raw.OptionalGetValue(optional=optional, **facts)
    with tf.Session() as sess:
        assert [sess.run([has, value]) for _ in range(2)] == [[True, [0]], [True, [1]]]
        assert not sess.run(has)
        with pytest.raises(tf.errors.InvalidArgumentError, match="The given optional does not have a value"):
            sess.run(value)
        one = raw.OptionalFromValue(components=[tf.constant(3)])
        assert sess.run([raw.OptionalHasValue(optional=each) for each in (one, raw.OptionalNone())]) == [True, False]


def test_a_saved_iterator_goes_on_in_the_middle_of_a_shuffle():
    iterator, other = (Data.range(8).shuffle(4).make_initializable_iterator() for _ in range(2))
    x, y = iterator.get_next(), other.get_next()
    saved = tf.raw_ops.SerializeIterator(resource_handle=iterator._iterator_resource)
    restored = tf.raw_ops.DeserializeIterator(resource_handle=other._iterator_resource, serialized=saved)
    with tf.Session() as sess:
        sess.run([iterator.initializer, other.initializer])
        [sess.run(x) for _ in range(3)]
        sess.run(restored)
        assert [sess.run(y) for _ in range(5)] == [sess.run(x) for _ in range(5)]


PASS_OVER_A_GIGABYTE = """
import resource, sys
import tfedu as tf
start = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
records = tf.data.TFRecordDataset(sys.argv[1]).shuffle(16, seed=1).map(tf.strings.length).batch(8).prefetch(2)
lengths = records.make_one_shot_iterator().get_next()
total = 0
with tf.Session() as session:
    while True:
        try:
            total += int(session.run(lengths).sum())
        except tf.errors.OutOfRangeError:
            break
print(total, (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - start) // 1024)
"""


@pytest.mark.long
def test_a_file_of_a_gigabyte_takes_the_memory_of_the_buffers_alone(tmp_path):
    record = bytes(1 << 20)
    path = tmp_path / "large.tfrecord"
    with tf.python_io.TFRecordWriter(str(path)) as writer:
        for _ in range(1024):
            writer.write(record)
    done = subprocess.run([sys.executable, "-c", PASS_OVER_A_GIGABYTE, path], capture_output=True, text=True, check=True)
    total, grown = map(int, done.stdout.split())
    assert total == 1 << 30
    # A shuffle's 16 records of 1 MB, and those of the batches of 8 on their way.
    assert grown < 64


def test_threads_take_rows_of_one_database_in_turn(tmp_path):
    path = str(tmp_path / "rows.db")
    with contextlib.closing(sqlite3.connect(path)) as database, database:
        database.execute("create table t(a)")
        database.executemany("insert into t values(?)", [(i,) for i in range(4)])
    row = tf.data.experimental.SqlDataset("sqlite", path, "select a from t", (tf.int32,)).make_one_shot_iterator().get_next()
    with tf.Session() as session, concurrent.futures.ThreadPoolExecutor(1) as pool:
        assert session.run(row) == (0,)
        assert pool.submit(session.run, row).result() == (1,)
        assert session.run(row) == (2,)


def test_a_csv_dataset_that_is_refused_adds_no_node(tmp_path):
    (tmp_path / "a.csv").write_text("a,b\n1,2\n")
    with pytest.raises(ValueError, match="label_name"):
        tf.data.experimental.make_csv_dataset(str(tmp_path / "a.csv"), 2, label_name="c")
    assert tf.get_default_graph().get_operations() == []


def test_a_program_named_csv_leaves_the_library_whole(tmp_path):
    """Python takes the program itself for the standard library's csv."""
    program = "import tfedu as tf\nprint(tf.data.experimental.unique.__name__, tf.keras.callbacks.History.__name__)\n"
    (tmp_path / "csv.py").write_text(program)
    done = subprocess.run([sys.executable, tmp_path / "csv.py"], capture_output=True, text=True, check=False)
    assert (done.stdout, done.returncode) == ("unique History\n", 0), done.stderr


def test_a_ragged_tensor_of_strings_passes_through_a_dataset():
    rows = tf.ragged.constant([["a", "bc"], [], ["d"]])
    x = tf.data.Dataset.from_tensor_slices(rows).batch(2).make_one_shot_iterator().get_next()
    with tf.Session() as session:
        assert [session.run(x).to_list() for _ in range(2)] == [[[b"a", b"bc"], []], [[b"d"]]]


def test_every_source_has_a_one_shot_iterator(tmp_path):
    """The classes of sources take other arguments than Dataset itself."""
    path, database = str(tmp_path / "lines"), str(tmp_path / "rows.db")
    (tmp_path / "lines").write_bytes(b"12\n")
    with tf.python_io.TFRecordWriter(path + ".tfrecord") as writer:
        writer.write(b"12")
    with contextlib.closing(sqlite3.connect(database)) as opened:
        opened.execute("create table t(a)")
    experimental = tf.data.experimental
    sources = {
        tf.data.TextLineDataset(path): b"12", tf.data.TFRecordDataset(path + ".tfrecord"): b"12",
        tf.data.FixedLengthRecordDataset(path, 3): b"12\n", experimental.CsvDataset(path, [tf.int32]): (12,),
        experimental.SqlDataset("sqlite", database, "select count(*) from t", (tf.int32,)): (0,), experimental.Counter(12): 12,
    }  # fmt: skip
    with tf.Session() as session:
        for source, first in sources.items():
            assert session.run(source.make_one_shot_iterator().get_next()) == first
        assert session.run(experimental.RandomDataset(1).make_one_shot_iterator().get_next()) >= 0


def next_error(dataset, good=1):
    """The text of the error in place of the element after so many good ones."""
    x = dataset.make_one_shot_iterator().get_next()
    with tf.Session() as sess:
        for _ in range(good):
            sess.run(x)
        with pytest.raises(tf.errors.OpError) as caught:
            sess.run(x)
    return str(caught.value)


def test_an_error_of_a_generator_shows_its_own_lines_and_the_number_of_the_element():
    def numbers():
        yield 1
        raise ValueError("boom")

    text = next_error(Data.from_generator(numbers, tf.int32))
    assert 'raise ValueError("boom")' in text
    assert "sources.py" not in text
    assert "during: element 1 (the first one is 0) of GeneratorDataset" in text


def test_an_element_of_a_generator_that_does_not_fit_is_told_without_a_traceback():
    def rows():
        yield [1, 2]
        yield [1, 2, 3]

    text = next_error(Data.from_generator(rows, tf.int32, [2]))
    assert "`generator` yielded an element of shape (3,) where an element of shape (2,) was expected." in text
    assert "Traceback" not in text
    assert "during: element 1 (the first one is 0) of GeneratorDataset" in text


def test_an_error_of_a_csv_file_names_the_file_and_the_line(tmp_path):
    path = tmp_path / "rows.csv"
    path.write_text('a,b\n"1\n",2\n3,x\n')
    text = next_error(tf.data.experimental.CsvDataset(str(path), [tf.string, tf.int32], header=True))
    assert "Field 1 in record is not a valid int32: x" in text
    assert f"fix: correct line 4 of {path}" in text


def test_an_error_of_a_damaged_record_tells_file_offset_and_node_once(tmp_path):
    path = str(tmp_path / "records")
    with tf.python_io.TFRecordWriter(path) as writer:
        writer.write(b"one")
        writer.write(b"two")
    data = bytearray((tmp_path / "records").read_bytes())
    data[-6] ^= 1
    (tmp_path / "records").write_bytes(data)
    text = next_error(tf.data.TFRecordDataset(path))
    assert text.startswith("corrupted record at 31\n\t [[{{node IteratorGetNext")
    assert text.count("where: ") == 1
    assert f"fix: {path} is damaged at byte 31" in text


def test_datasets_of_files_can_be_concatenated(tmp_path):
    (tmp_path / "a").write_text("1\n2\n")
    lines = tf.data.TextLineDataset(str(tmp_path / "a"))
    rows = tf.data.experimental.CsvDataset(str(tmp_path / "a"), [tf.int32])
    assert passed(lines.concatenate(lines)) == [(b"1",), (b"2",), (b"1",), (b"2",)]
    assert passed(rows.concatenate(rows)) == [(1,), (2,), (1,), (2,)]


def test_older_datasets_stay_what_they_are(tmp_path):
    """`map(num_threads=, output_buffer_size=)` is there behind each source and transformation."""
    (tmp_path / "a").write_text("1\n2\n")
    lines = older.OlderTextLineDataset(str(tmp_path / "a"))
    assert isinstance(lines, tf.data.Dataset)
    numbered = lines.cache().repeat(2).apply(tf.data.experimental.enumerate_dataset())
    mapped = numbered.map(lambda i, line: i, num_threads=8, output_buffer_size=4).concatenate(older.Dataset.range(1))
    assert passed(mapped.map(lambda i: i, num_threads=2)) == [(0,), (1,), (2,), (3,), (0,)]
    names = older.Dataset.list_files(str(tmp_path / "*")).map(lambda name: name, num_threads=2)
    assert passed(names) == [(str(tmp_path / "a").encode(),)]


def test_a_function_with_other_arguments_is_told_which_it_gets():
    pairs, named = Data.from_tensor_slices(([1], [2])), Data.from_tensor_slices({"b": [1], "a": [2]})
    with pytest.raises(TypeError, match="takes 1 positional argument but 2 were given") as caught:
        pairs.map(lambda x: x)
    assert "fix: Dataset.map() calls the function with 2 arguments, the parts of an element's tuple" in str(caught.value)
    with pytest.raises(TypeError, match="missing 1 required positional argument: 'b'") as caught:
        named.filter(lambda a, b: a > b)
    assert "calls the function with one dict with the keys ['a', 'b']" in str(caught.value)
    with pytest.raises(TypeError, match="calls the function with one argument, the element"):
        Data.range(2).map(lambda x, y: x)
    with pytest.raises(TypeError) as caught:
        Data.range(2).map(lambda x: len())
    assert "fix" not in str(caught.value)
