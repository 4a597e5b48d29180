"""tf.train.Checkpoint beyond what the oracle was asked: TensorFlow's files, damage, names, sessions, further classes."""

import pathlib

import checkpoint_sets
import numpy as np
import pytest

import tfedu as tf
from tfedu.engine.base import proto

GOLDEN = str(pathlib.Path(__file__).resolve().parents[1] / "golden" / "checkpoints" / "objects")


@pytest.fixture(autouse=True)
def fresh_graph():
    with tf.Graph().as_default():
        yield


def test_objects_that_tensorflow_saved_are_restored():
    checkpoint, made = checkpoint_sets.objects(tf, np)
    status = checkpoint.restore(GOLDEN)
    status.assert_consumed().assert_nontrivial_match()
    with tf.Session() as session:
        status.run_restore_ops(session)
        w, b = session.run([made["w"], made["b"]])
        session.run(made["train"])  # with the momentum that was saved
        after = session.run(made["w"])
    assert (w.tolist(), b.tolist(), after.tolist()) == ([0.5, 1.5], [[2.5]], [-0.25, 0.75])
    assert len(tf.contrib.checkpoint.object_metadata(GOLDEN).nodes) == 9


def test_variables_are_found_by_names_when_a_saver_reads_a_checkpoint_of_objects():
    w = tf.Variable([0.0, 0.0], name="w")
    with tf.Session() as session:
        saver = tf.train.Saver()
        saver.restore(session, GOLDEN)
        assert session.run(w).tolist() == [0.5, 1.5]
        size = len(tf.get_default_graph().get_operations())
        saver.restore(session, GOLDEN)
        assert len(tf.get_default_graph().get_operations()) == size
        other = tf.Variable(1.0, name="other")
        with pytest.raises(tf.errors.NotFoundError, match="Existing variables not in the checkpoint: other"):
            tf.train.Saver([other]).restore(session, GOLDEN)


def test_a_checkpoint_of_a_saver_is_loaded_by_names(tmp_path):
    w = tf.Variable([1.0, 2.0], name="w")
    checkpoint = tf.train.Checkpoint(anything=w)
    with tf.Session() as session:
        session.run(w.initializer)
        path = tf.train.Saver([w]).save(session, str(tmp_path / "m"))
        session.run(w.assign([9.0, 9.0]))
        checkpoint.restore(path).assert_consumed().run_restore_ops(session)
        assert session.run(w).tolist() == [1.0, 2.0]
    checkpoint.more = tf.Variable(1.0, name="more")
    with pytest.raises(AssertionError, match="Object not restored"):
        checkpoint.restore(path).assert_consumed()
    with pytest.raises(ValueError, match="does not appear to be object-based"):
        tf.contrib.checkpoint.object_metadata(path)


class Layer(tf.contrib.checkpoint.Checkpointable):
    def __init__(self, size):
        self.size = size
        self.w = tf.Variable(np.ones(size, np.float32))
        self.parts = [tf.Variable(2.0), "text", tf.Variable(3.0)]


def test_a_program_s_own_classes_are_saved_by_their_attributes(tmp_path):
    layer = Layer(2)
    checkpoint = tf.train.Checkpoint(layer=layer)
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        path = checkpoint.save(str(tmp_path / "c"), session)
        session.run(layer.parts[2].assign(8.0))
        second = checkpoint.save(str(tmp_path / "c"), session)
    names = [name for name, _ in tf.train.list_variables(path) if name.startswith("layer")]
    assert [name.partition("/.A")[0] for name in names] == ["layer/parts/0", "layer/parts/2", "layer/w"]
    assert tf.train.load_variable(second, names[1]) == 8.0
    del layer.w
    layer.parts = None
    assert tf.contrib.checkpoint.list_objects(layer) == [layer]


def test_a_session_is_needed_and_said(tmp_path):
    checkpoint = tf.train.Checkpoint(w=tf.Variable(1.0))
    for call in (
        lambda: checkpoint.save(str(tmp_path / "c")),
        lambda: checkpoint.restore(GOLDEN).run_restore_ops(),
        lambda: checkpoint.restore(None).initialize_or_restore(),
        lambda: tf.train.CheckpointManager(checkpoint, str(tmp_path), 1).save(),
    ):
        with pytest.raises(RuntimeError, match="there is no default session"):
            call()


def test_what_cannot_be_named_and_a_damaged_object_graph_are_refused(tmp_path):
    wrong = tf.train.Checkpoint(table={1: tf.Variable(1.0)})
    with tf.Session() as session, pytest.raises(ValueError, match="keys that are no text"):
        wrong.write(str(tmp_path / "c"), session)
    message = proto.TrackableObjectGraph()
    message.nodes.add().children.add(node_id=7, local_name="w")
    for text in (message.SerializeToString(), b"\xff\xff", b""):
        with tf.Graph().as_default(), tf.Session() as session:
            saved = tf.Variable(text)
            session.run(saved.initializer)
            path = tf.train.Saver({"_CHECKPOINTABLE_OBJECT_GRAPH": saved}).save(session, str(tmp_path / "m"))
            with pytest.raises(tf.errors.DataLossError, match="object graph"):
                tf.train.Checkpoint().restore(path)
