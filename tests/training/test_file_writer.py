"""`tf.summary.FileWriter`: what is in its files, when, and under which name; TensorFlow's own files are read."""

import os
import pathlib
import threading
import warnings

import pytest

import tfedu as tf
from tfedu.engine.base import proto

GOLDEN = pathlib.Path(__file__).resolve().parents[1] / "golden" / "events" / "all.tfevents"


def events(folder):
    """All events of a folder's files, in the order of their names."""
    return [e for name in sorted(os.listdir(folder)) for e in tf.train.summary_iterator(os.path.join(folder, name))]


def number(tag, value):
    return tf.Summary(value=[tf.Summary.Value(tag=tag, simple_value=value)])


def write_events(folder):
    """The program that made the golden file."""
    with tf.Graph().as_default() as graph, tf.Session() as session:
        x = tf.placeholder(tf.float32, [3], name="x")
        tf.summary.scalar("mean", tf.reduce_mean(x))
        tf.summary.histogram("x", x)
        tf.summary.text("note", tf.constant("*three* numbers"))
        merged = tf.summary.merge_all()
        with tf.summary.FileWriter(folder, graph) as writer:
            for step in range(3):
                writer.add_summary(session.run(merged, {x: [step, 1, -2]}), step)
            writer.add_session_log(tf.SessionLog(status=tf.SessionLog.CHECKPOINT, checkpoint_path="model-3"), 3)
            metadata = proto.RunMetadata()
            metadata.step_stats.dev_stats.add(device="/cpu:0").node_stats.add(node_name="x", all_start_micros=7)
            writer.add_run_metadata(metadata, "run 3", 3)


def test_a_program_writes_what_it_writes_under_tensorflow(tmp_path):
    write_events(tmp_path)
    ours, theirs = events(tmp_path), list(tf.train.summary_iterator(GOLDEN))
    assert [e.WhichOneof("what") for e in ours] == [e.WhichOneof("what") for e in theirs]
    for mine, other in zip(ours, theirs, strict=True):
        assert mine.step == other.step
        if mine.WhichOneof("what") in ("graph_def", "meta_graph_def"):
            continue
        mine.wall_time = 0
        other.ClearField("source_metadata")  # newer than 1.15
        assert mine == other
    # maps have no order in the bytes
    for field, kind in (("graph_def", tf.GraphDef), ("meta_graph_def", tf.MetaGraphDef)):
        one, two = (
            next(kind.FromString(getattr(e, field)) for e in side if e.WhichOneof("what") == field) for side in (ours, theirs)
        )
        nodes, others = (m.node if field == "graph_def" else m.graph_def.node for m in (one, two))
        assert [(n.name, n.op, list(n.input)) for n in nodes] == [(n.name, n.op, list(n.input)) for n in others]
        assert [n.attr["_output_shapes"] for n in nodes] == [n.attr["_output_shapes"] for n in others]


def test_the_first_event_says_the_version_and_times_are_set(tmp_path):
    with tf.summary.FileWriter(tmp_path) as writer:
        writer.add_summary(number("a", 1), 5)
        writer.add_summary(number("a", 2).SerializeToString())
    version, first, second = events(tmp_path)
    assert version.file_version == "brain.Event:2"
    assert (first.step, first.summary.value[0].simple_value, second.step) == (5, 1.0, 0)
    assert version.wall_time <= first.wall_time <= second.wall_time
    assert second.wall_time - version.wall_time < 100


def test_the_file_is_made_by_the_first_event_or_at_once_with_a_suffix(tmp_path):
    logdir = tmp_path / "new" / "folder"
    writer = tf.summary.FileWriter(str(logdir))
    writer.flush()
    assert os.listdir(logdir) == []
    assert writer.get_logdir() == str(logdir)
    writer.add_summary(number("a", 1))
    (name,) = os.listdir(logdir)
    assert name.startswith("events.out.tfevents.")
    assert name.split(".")[3].isdigit()
    writer.close()
    with tf.summary.FileWriter(tmp_path / "b", filename_suffix=".eval"):
        (name,) = os.listdir(tmp_path / "b")
    assert name.endswith(".eval")


def test_the_first_event_is_on_the_disk_at_once_and_the_others_after_a_while(tmp_path):
    writer = tf.summary.FileWriter(tmp_path, flush_secs=1000)
    writer.add_summary(number("a", 1))
    assert len(events(tmp_path)) == 2
    writer.add_summary(number("a", 2))
    assert len(events(tmp_path)) == 2
    writer.flush()
    assert len(events(tmp_path)) == 3
    writer.close()
    eager = tf.summary.FileWriter(tmp_path / "eager", flush_secs=0)
    for n in range(3):
        eager.add_summary(number("a", n))
        assert len(events(tmp_path / "eager")) == 2 + n
    eager.close()


def test_a_closed_writer_warns_and_writes_nothing_until_it_is_reopened(tmp_path):
    writer = tf.summary.FileWriter(tmp_path)
    writer.add_summary(number("a", 1))
    writer.close()
    writer.close()
    for call in (lambda: writer.add_summary(number("a", 2)), writer.flush, lambda: writer.add_event(tf.Event(step=1))):
        with pytest.warns(UserWarning, match="closed FileWriter"):
            call()
    assert len(events(tmp_path)) == 2
    writer.reopen()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        writer.add_summary(number("a", 3))
    writer.close()
    assert len(os.listdir(tmp_path)) == 2  # a new file, also within the same second
    assert [v.simple_value for e in events(tmp_path) for v in e.summary.value] == [1.0, 3.0]


def test_two_writers_of_one_folder_do_not_write_over_each_other(tmp_path):
    writers = [tf.summary.FileWriter(tmp_path) for _ in range(3)]
    for n, writer in enumerate(writers):
        writer.add_summary(number("a", n))
    for writer in writers:
        writer.close()
    assert len(os.listdir(tmp_path)) == 3
    assert sorted(v.simple_value for e in events(tmp_path) for v in e.summary.value) == [0.0, 1.0, 2.0]


def test_threads_may_share_a_writer(tmp_path):
    with tf.summary.FileWriter(tmp_path) as writer:
        threads = [
            threading.Thread(target=lambda n=n: [writer.add_summary(number(f"t{n}", i), i) for i in range(100)])
            for n in range(8)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    found = [(v.tag, e.step) for e in events(tmp_path) for v in e.summary.value]
    assert sorted(found) == sorted((f"t{n}", i) for n in range(8) for i in range(100))


def test_only_a_tags_first_value_says_how_it_is_shown_and_the_given_summary_stays(tmp_path):
    given = tf.Summary(value=[tf.Summary.Value(tag="a", simple_value=1, metadata=tf.SummaryMetadata(display_name="A"))])
    with tf.summary.FileWriter(tmp_path) as writer:
        for step in range(3):
            writer.add_summary(given, step)
    assert [e.summary.value[0].HasField("metadata") for e in events(tmp_path)[1:]] == [True, False, False]
    assert given.value[0].HasField("metadata")


def test_graphs_in_every_form(tmp_path):
    with tf.Graph().as_default() as graph:
        tf.constant(1, name="one")
    with tf.summary.FileWriter(tmp_path) as writer:
        writer.add_graph(graph, 4)
        writer.add_graph(graph.as_graph_def())
        writer.add_graph(None, graph_def=graph.as_graph_def())
        writer.add_graph(None, graph_def=graph)
        with pytest.raises(ValueError, match="Please pass only graph, or graph_def"):
            writer.add_graph(graph, graph_def=graph)
        for wrong in (None, 3, "graph"):
            with pytest.raises(TypeError, match="must be an instance of `Graph`"):
                writer.add_graph(wrong)
        with pytest.raises(TypeError, match="meta_graph_def must be type MetaGraphDef"):
            writer.add_meta_graph(graph)
    found = events(tmp_path)[1:]
    assert [e.step for e in found] == [4, 0, 0, 0]
    assert [[n.name for n in tf.GraphDef.FromString(e.graph_def).node] for e in found] == [["one"]] * 4


def test_run_metadata_of_a_traced_run(tmp_path):
    with tf.Graph().as_default(), tf.Session() as session:
        y = tf.add(tf.constant([1.0, 2.0], name="x"), 1.0, name="y")
        metadata = tf.RunMetadata()
        session.run(y, options=tf.RunOptions(trace_level=tf.RunOptions.FULL_TRACE), run_metadata=metadata)
    with tf.summary.FileWriter(tmp_path) as writer:
        writer.add_run_metadata(metadata, "step 1", 1)
        with pytest.raises(ValueError, match="The provided tag was already used for this event type"):
            writer.add_run_metadata(metadata, "step 1", 2)
        writer.add_run_metadata(tf.RunMetadata(), "empty", 3)
        with pytest.raises(TypeError, match="expected a RunMetadata, got str"):
            writer.add_run_metadata("nothing", "wrong")
    traced, empty = (e.tagged_run_metadata for e in events(tmp_path)[1:])
    assert (traced.tag, empty.tag, empty.run_metadata) == ("step 1", "empty", b"")
    stats = proto.RunMetadata.FromString(traced.run_metadata).step_stats
    assert stats == metadata.step_stats
    (device,) = stats.dev_stats
    nodes = {n.node_name: n for n in device.node_stats}
    assert list(nodes)[-1] == "y"
    told = nodes["y"].output[0].tensor_description
    assert (told.dtype, [d.size for d in told.shape.dim]) == (proto.DT_FLOAT, [2])
    assert told.allocation_description.requested_bytes == 8


def test_wrong_arguments(tmp_path):
    writer = tf.summary.FileWriter(tmp_path)
    with tf.Graph().as_default():
        node = tf.summary.scalar("a", 1.0)
    with pytest.raises(AttributeError, match=r"'Tensor' object has no attribute 'value'(.|\n)*sess\.run"):
        writer.add_summary(node)
    with pytest.raises(AttributeError, match="'int' object has no attribute 'value'"):
        writer.add_summary(3)
    with pytest.raises(proto.DecodeError, match="Error parsing message"):
        writer.add_summary(b"\xff\xff")
    with pytest.raises(TypeError, match="takes Event messages, got int"):
        writer.add_event(3)
    with pytest.raises(ValueError, match="invalid literal for int"):
        writer.add_summary(number("a", 1), "x")
    with pytest.raises(AttributeError, match="'int' object has no attribute 'graph'"):
        tf.summary.FileWriter(tmp_path, session=3)
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(tf.errors.FailedPreconditionError, match="file is not a directory"):
        tf.summary.FileWriter(tmp_path / "file")
    writer.close()
    assert os.listdir(tmp_path) == ["file"]


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no full disk here")
def test_a_full_disk_is_said(tmp_path):
    writer = tf.summary.FileWriter(tmp_path, filename_suffix=".x")
    with open("/dev/full", "wb", buffering=0) as full:
        os.dup2(full.fileno(), writer.event_writer._file.fileno())

    def fill():
        for _ in range(10_000):
            writer.add_summary(number("a", 1))

    with pytest.raises(tf.errors.ResourceExhaustedError, match="No space left on device"):
        fill()
    with pytest.raises(tf.errors.ResourceExhaustedError, match="No space left on device"):
        writer.close()


def test_the_cache_gives_one_writer_a_folder(tmp_path):
    cache = tf.summary.FileWriterCache
    with tf.Graph().as_default():
        tf.constant(1, name="one")
        first = cache.get(str(tmp_path / "a"))
        assert cache.get(str(tmp_path / "a")) is first
    assert cache.get(str(tmp_path / "b")) is not first
    cache.clear()
    assert cache.get(str(tmp_path / "a")) is not first
    cache.clear()
    kinds = [e.WhichOneof("what") for e in events(tmp_path / "a")]
    assert kinds[:3] == ["file_version", "graph_def", "meta_graph_def"]


def test_a_record_that_is_no_event_is_data_loss(tmp_path):
    with tf.python_io.TFRecordWriter(tmp_path / "e") as file:
        file.write(b"\xff\xff\xff")
    with pytest.raises(tf.errors.DataLossError, match="a record is no Event"):
        list(tf.train.summary_iterator(tmp_path / "e"))


def test_what_was_added_is_on_the_disk_when_the_writer_is_forgotten(tmp_path):
    writer = tf.summary.FileWriter(tmp_path)
    for n in range(3):
        writer.add_summary(number("a", n), n)
    del writer
    assert [e.step for e in events(tmp_path)[1:]] == [0, 1, 2]


def test_the_projectors_vectors_are_named_in_the_writers_folder(tmp_path):
    projector = tf.contrib.tensorboard.plugins.projector
    config = projector.ProjectorConfig()
    embedding = config.embeddings.add(tensor_name="words", metadata_path="words.tsv")
    embedding.sprite.CopyFrom(projector.SpriteMetadata(image_path="sprite.png", single_image_dim=[28, 28]))
    writer = tf.summary.FileWriter(tmp_path)
    projector.visualize_embeddings(writer, config)
    text = (tmp_path / "projector_config.pbtxt").read_text(encoding="utf-8")
    assert text.splitlines()[:3] == ["embeddings {", '  tensor_name: "words"', '  metadata_path: "words.tsv"']
    assert proto.text_format.Parse(text, projector.ProjectorConfig()) == config
    with pytest.raises(TypeError, match="expected a ProjectorConfig, got Event"):
        projector.visualize_embeddings(writer, tf.Event())


def test_a_program_of_before_1_0_writes_its_summaries(tmp_path):
    with tf.Graph().as_default() as graph, tf.Session() as session:
        x = tf.placeholder(tf.float32, [3], name="x")
        tf.scalar_summary("mean of x", tf.reduce_mean(x))
        tf.histogram_summary("all of x", x)
        tf.image_summary("as a picture", tf.reshape(x, [1, 1, 3, 1]))
        merged = tf.merge_all_summaries()
        writer = tf.train.SummaryWriter(str(tmp_path), graph)
        writer.add_summary(session.run(merged, {x: [0.0, 0.5, 1.0]}), 7)
        writer.close()
    tags = [v.tag for e in events(tmp_path) for v in e.summary.value]
    assert tags == ["mean of x", "all of x", "as a picture/image/0"]
    assert "scalar_summary" not in tf.__all__
