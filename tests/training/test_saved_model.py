"""A saved model: what TensorFlow wrote loads here, a damaged one is refused by name, a refused call leaves nothing behind."""

import os
import pathlib
import shutil

import numpy as np
import pytest

import tfedu as tf

WRITTEN_BY_TF = pathlib.Path(__file__).resolve().parents[1] / "golden" / "saved_model"
FILE = "saved_model.pb"


@pytest.fixture(autouse=True)
def _fresh_graph():
    tf.reset_default_graph()
    yield
    tf.reset_default_graph()


def copied(tmp_path):
    return pathlib.Path(shutil.copytree(WRITTEN_BY_TF, tmp_path / "copy"))


@pytest.mark.parametrize(("tags", "key"), [(["serve"], "serving_default"), (["gpu", "train"], "again")])
@pytest.mark.parametrize("scope", [None, "imported"])
def test_a_model_of_tensorflow_loads(tags, key, scope):
    with tf.Session() as session:
        message = tf.saved_model.loader.load(session, tags, str(WRITTEN_BY_TF), import_scope=scope)
        signature = message.signature_def[key]
        found = tf.saved_model.utils.get_tensor_from_tensor_info
        x, y, word = (
            found(info, import_scope=scope) for info in (signature.inputs["x"], signature.outputs["y"], signature.outputs["word"])
        )
        np.testing.assert_array_equal(session.run(y, {x: [[1.0, 1.0], [0.0, 2.0]]}), [[6.0], [7.0]])
        if key == "serving_default":  # its main op fills the table from the file in the folder of assets
            assert session.run(word) == b"one"


def test_what_was_loaded_saves_and_loads_again(tmp_path):
    with tf.Session() as session:
        message = tf.saved_model.loader.load(session, ["serve"], str(WRITTEN_BY_TF))
        tf.get_collection_ref("saved_model_main_op").clear()  # its file is not copied
        session.run(tf.global_variables()[0].assign([[5.0], [5.0]]))
        builder = tf.saved_model.Builder(tmp_path / "again")
        builder.add_meta_graph_and_variables(session, ["serve"], dict(message.signature_def))
        builder.save(as_text=True)
    tf.reset_default_graph()
    with tf.Session() as session:
        tf.saved_model.loader.load(session, ["serve"], tmp_path / "again")
        np.testing.assert_array_equal(session.run("y:0", {"x:0": [[1.0, 1.0]]}), [[13.0]])


@pytest.mark.parametrize("data", [b"\x08\x01\x12\xff\xff\xff\xff\x0f", b"\xff" * 40])
def test_a_damaged_model_is_refused_by_its_name(tmp_path, data):
    (tmp_path / FILE).write_bytes(data)
    with pytest.raises(OSError, match=r"Cannot parse file .*saved_model\.pb"):
        tf.saved_model.loader.load(tf.Session(), ["serve"], tmp_path)
    assert not tf.get_default_graph().get_operations()


def test_a_model_cut_off_at_any_place_is_refused(tmp_path):
    whole = (WRITTEN_BY_TF / FILE).read_bytes()
    for length in range(3, len(whole) - 1, max(1, len(whole) // 40)):
        (tmp_path / FILE).write_bytes(whole[:length])
        with pytest.raises(OSError, match="Cannot parse file"):
            tf.saved_model.loader.load(tf.Session(), ["serve"], tmp_path)


def test_a_text_that_is_no_model_is_refused(tmp_path):
    (tmp_path / "saved_model.pbtxt").write_text("meta_graphs { nothing: 3 }")
    with pytest.raises(OSError, match=r"Cannot parse file .*pbtxt"):
        tf.saved_model.loader.load(tf.Session(), ["serve"], tmp_path)


def test_a_model_without_its_variables_is_refused(tmp_path):
    folder = copied(tmp_path)
    shutil.rmtree(folder / "variables")
    with pytest.raises((tf.errors.NotFoundError, ValueError), match="variables"):
        tf.saved_model.loader.load(tf.Session(), ["serve"], folder)


def test_an_asset_outside_the_folder_is_refused(tmp_path):
    folder = copied(tmp_path)
    data = (folder / FILE).read_bytes()
    assert b"words.txt" in data
    (folder / FILE).write_bytes(data.replace(b"words.txt", b"../../x.t"))
    with pytest.raises(tf.errors.InvalidArgumentError, match="outside the folder of assets"):
        tf.saved_model.loader.load(tf.Session(), ["serve"], folder)


def test_a_refused_call_leaves_graph_and_message_as_they_were(tmp_path):
    v = tf.Variable(1.0)
    with tf.Session() as session:
        session.run(v.initializer)
        builder = tf.saved_model.Builder(tmp_path / "m")
        before = len(tf.get_default_graph().get_operations())
        missing = tf.constant(str(tmp_path / "none.txt"))
        with pytest.raises(tf.errors.NotFoundError, match=r"none\.txt"):
            builder.add_meta_graph_and_variables(session, ["serve"], assets_collection=[missing], main_op=v.initializer)
        assert len(tf.get_default_graph().get_operations()) == before + 1  # the constant itself
        assert not tf.get_collection("saved_model_main_op")
        builder.add_meta_graph_and_variables(session, ["serve"], main_op=v.initializer)
    assert os.listdir(tmp_path / "m") == ["variables"]


def test_a_value_that_is_no_tensor_info_is_refused_with_advice():
    with pytest.raises(TypeError, match="build_tensor_info"):
        tf.saved_model.build_signature_def({"x": tf.constant(1)})


def test_frozen_from_a_model_of_tensorflow():
    from tfedu.legacy.modules.graph_freezing import freeze_graph

    graph_def = freeze_graph("", "", True, "", "y", "", "", "", True, "", input_saved_model_dir=str(WRITTEN_BY_TF))
    assert not [node.op for node in graph_def.node if node.op in ("VariableV2", "VarHandleOp")]
    tf.import_graph_def(graph_def, name="")
    with tf.Session() as session:
        np.testing.assert_array_equal(session.run("y:0", {"x:0": [[1.0, 1.0]]}), [[6.0]])
