"""tf.train.Saver beyond what the oracle was asked: kills, damage, training that goes on, custom saveables, the user's line."""

import errno
import os
import pathlib
import random
import signal
import subprocess
import sys
import textwrap
import threading
import time

import numpy as np
import pytest

import tfedu as tf
from tfedu.engine.files import atomic_write
from tfedu.engine.training.checkpoints.saveables import SaveableObject, SaveSpec

ROOT = pathlib.Path(__file__).resolve().parents[2]


@pytest.fixture(autouse=True)
def fresh_graph():
    with tf.Graph().as_default():
        yield


def model():
    """Two layers' worth of variables with Adam, and the loss."""
    x = tf.constant(np.linspace(-1, 1, 24, dtype=np.float32).reshape(8, 3))
    w = tf.get_variable("w", [3, 2], initializer=tf.random_normal_initializer(seed=1))
    b = tf.get_variable("b", [2], initializer=tf.zeros_initializer(), use_resource=True)
    loss = tf.reduce_mean(tf.square(tf.matmul(x, w) + b - 0.5))
    step = tf.train.get_or_create_global_step()
    return loss, tf.train.AdamOptimizer(0.05).minimize(loss, global_step=step)


def test_training_goes_on_as_if_it_had_never_stopped(tmp_path):
    loss, train = model()
    saver = tf.train.Saver()
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        for _ in range(5):
            session.run(train)
        path = saver.save(session, tmp_path / "m", tf.train.get_global_step())
        expected = [session.run([loss, train])[0] for _ in range(5)]
    with tf.Graph().as_default(), tf.Session() as session:
        again = tf.train.import_meta_graph(f"{path}.meta")
        again.restore(session, tf.train.latest_checkpoint(tmp_path))
        got = [session.run([loss.name, train.name])[0] for _ in range(5)]
    assert got == expected
    assert path.endswith("m-5")


@pytest.mark.parametrize("resource", [False, True])
def test_another_shape_names_the_variable_and_both_shapes(resource, tmp_path):
    tf.Variable([1.0, 2.0], name="layer/w")
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        tf.train.Saver().save(session, tmp_path / "m")
    with tf.Graph().as_default(), tf.Session() as session:
        v = tf.Variable([[1.0, 2.0, 3.0]], name="layer/w", use_resource=resource)
        session.run(v.initializer)
        saver = tf.train.Saver()
        with pytest.raises(tf.errors.InvalidArgumentError) as caught:
            saver.restore(session, tmp_path / "m")
        assert "Restoring from checkpoint failed." in caught.value.message
        assert "Assign requires shapes of both tensors to match. lhs shape= [1,3] rhs shape= [2]" in caught.value.message
        assert "variable layer/w: the graph has float32[1,3], the checkpoint has float32[2]" in str(caught.value)
        assert session.run(v).tolist() == [[1.0, 2.0, 3.0]]


def test_a_missing_variable_is_named(tmp_path):
    tf.Variable(1.0, name="w")
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        tf.train.Saver().save(session, tmp_path / "m")
        tf.Variable(1.0, name="later")
        with pytest.raises(tf.errors.NotFoundError) as caught:
            tf.train.Saver().restore(session, tmp_path / "m")
    assert "Key later not found in checkpoint" in str(caught.value)
    assert "variable later: the checkpoint does not have it" in str(caught.value)


def test_damage_changes_no_variable(tmp_path):
    for i in range(6):
        tf.Variable(np.full(50, float(i)), name=f"v{i}")
    saver = tf.train.Saver()
    values = tf.global_variables()
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        saver.save(session, tmp_path / "m")
        session.run([v.assign(v + 100.0) for v in values])
        before = session.run(values)
        data = tmp_path / "m.data-00000-of-00001"
        content = bytearray(data.read_bytes())
        content[-3] ^= 4
        data.write_bytes(content)
        with pytest.raises(tf.errors.DataLossError, match="Checksum does not match"):
            saver.restore(session, tmp_path / "m")
        assert np.array_equal(session.run(values), before)


def test_errors_of_files_name_the_user_s_line(tmp_path):
    (tmp_path / "m.index").write_bytes(b"no table, but long enough to be one" * 3)
    for call in (
        lambda: tf.train.load_checkpoint(tmp_path / "m"),
        lambda: tf.train.load_variable(tmp_path / "none", "w"),
        lambda: tf.train.list_variables(tmp_path / "m"),
    ):
        with pytest.raises(tf.errors.OpError) as caught:
            call()
        assert "test_saver.py" in caught.value.message


def test_a_full_disk_keeps_the_old_checkpoint(tmp_path, monkeypatch):
    v = tf.Variable(np.arange(1000.0), name="v")
    saver = tf.train.Saver()
    with tf.Session() as session:
        session.run(v.initializer)
        saver.save(session, tmp_path / "m")
        session.run(v.assign(v * 2.0))

        def full(self):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

        with monkeypatch.context() as patched:
            patched.setattr(atomic_write.Pending, "finish", full)
            with pytest.raises(tf.errors.ResourceExhaustedError, match="No space left"):
                saver.save(session, tmp_path / "m")
        saver.restore(session, tf.train.latest_checkpoint(tmp_path))
        assert np.array_equal(session.run(v), np.arange(1000.0))
    assert sorted(os.listdir(tmp_path)) == ["checkpoint", "m.data-00000-of-00001", "m.index", "m.meta"]


def lines(since):
    """The nodes made after the first ones: name, type and inputs."""
    found = tf.get_default_graph().get_operations()[since:]
    return [
        f"{op.name} {op.type} " + " ".join([t.op.name for t in op.inputs] + sorted(f"^{c.name}" for c in op.control_inputs))
        for op in found
    ]


def test_the_parts_of_a_resource_are_read_as_in_1_15():
    """TensorFlow 2.15 makes a DisableCopyOnRead beside each read, which 1.15 has not."""
    tf.get_variable("q", [5, 2], use_resource=True, partitioner=tf.fixed_size_partitioner(2))
    since = len(tf.get_default_graph().get_operations())
    tf.train.Saver()
    assert lines(since)[3:10] == [
        "save/Read/ReadVariableOp ReadVariableOp q/part_0",
        "save/Identity Identity save/Read/ReadVariableOp",
        "save/Identity_1 Identity save/Identity",
        "save/Read_1/ReadVariableOp ReadVariableOp q/part_1",
        "save/Identity_2 Identity save/Read_1/ReadVariableOp",
        "save/Identity_3 Identity save/Identity_2",
        "save/SaveV2/tensor_names Const ",
    ]
    assert lines(since)[-5:] == [
        "save/Identity_4 Identity save/RestoreV2",
        "save/AssignVariableOp AssignVariableOp q/part_0 save/Identity_4",
        "save/Identity_5 Identity save/RestoreV2",
        "save/AssignVariableOp_1 AssignVariableOp q/part_1 save/Identity_5",
        "save/restore_all NoOp ^save/AssignVariableOp ^save/AssignVariableOp_1",
    ]


def test_shards_are_saved_in_a_folder_beside_as_in_1_15():
    """TensorFlow 2.15 asks of the name whether it is one of its own cloud's first."""
    tf.Variable(1.0, name="w")
    since = len(tf.get_default_graph().get_operations())
    tf.train.Saver(sharded=True)
    assert lines(since)[3:14] == [
        "save/StringJoin/inputs_1 Const ",
        "save/StringJoin StringJoin save/Const save/StringJoin/inputs_1",
        "save/num_shards Const ",
        "save/ShardedFilename/shard Const ",
        "save/ShardedFilename ShardedFilename save/StringJoin save/ShardedFilename/shard save/num_shards",
        "save/SaveV2/tensor_names Const ",
        "save/SaveV2/shape_and_slices Const ",
        "save/SaveV2 SaveV2 save/ShardedFilename save/SaveV2/tensor_names save/SaveV2/shape_and_slices w",
        "save/control_dependency Identity save/ShardedFilename ^save/SaveV2",
        "save/MergeV2Checkpoints/checkpoint_prefixes Pack save/ShardedFilename ^save/control_dependency",
        "save/MergeV2Checkpoints MergeV2Checkpoints save/MergeV2Checkpoints/checkpoint_prefixes save/Const",
    ]


class Halved(SaveableObject):
    """Saves half of a variable's value."""

    def __init__(self, variable, name):
        super().__init__(variable, [SaveSpec(variable / 2.0, "", name)], name)

    def restore(self, restored_tensors, restored_shapes):
        return self.op.assign(restored_tensors[0] * 2.0)


def test_a_program_s_own_saveable_is_saved_and_loaded(tmp_path):
    v = tf.Variable([4.0, 6.0], name="v")
    tf.add_to_collection(tf.GraphKeys.SAVEABLE_OBJECTS, Halved(v, "half"))
    saver = tf.train.Saver()
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        saver.save(session, tmp_path / "m")
        session.run(v.assign([0.0, 0.0]))
        tf.train.Saver([Halved(v, "half")]).restore(session, tmp_path / "m")
        assert session.run(v).tolist() == [4.0, 6.0]
    assert tf.train.load_variable(tmp_path, "half").tolist() == [2.0, 3.0]


def test_a_saver_that_fails_leaves_nothing_in_the_graph():
    v = tf.Variable(1.0)
    count = len(tf.get_default_graph().get_operations())
    for bad in ([v, v], {"a": v, "b": v}, [tf.constant(1)], {"a": 3}, [3], "v", v):
        before = len(tf.get_default_graph().get_operations())
        with pytest.raises((TypeError, ValueError)):
            tf.train.Saver(bad)
        assert len(tf.get_default_graph().get_operations()) == before
    assert before - count == 1


def test_a_saver_is_built_later_and_used_in_a_finished_graph(tmp_path):
    saver = tf.train.Saver(defer_build=True)
    v = tf.Variable([1.0, 2.0], name="v")
    saver.build()
    saver.build()
    double = v.assign(v * 2.0)
    init = tf.global_variables_initializer()
    tf.get_default_graph().finalize()
    with tf.Session() as session:
        session.run(init)
        path = saver.save(session, str(tmp_path / "m"), global_step=1)
        session.run(double)
        saver.restore(session, path)
        assert session.run(v).tolist() == [1.0, 2.0]
    names = [op.name for op in tf.get_default_graph().get_operations() if op.type == "SaveV2"]
    assert names == ["save/SaveV2"]


def test_a_checkpoint_is_loaded_while_another_thread_saves(tmp_path):
    """Whoever reads while the checkpoint of that name is replaced gets an old one, a new one or an error: never a mixture."""
    v = tf.Variable(np.zeros(3000), name="v")
    put = tf.placeholder(tf.float64, [])
    change = v.assign(tf.fill([3000], put))
    saver = tf.train.Saver()
    with tf.Session() as session:
        session.run(change, {put: 0.0})
        saver.save(session, tmp_path / "m", write_meta_graph=False)
        done = threading.Event()

        def save():
            try:
                for step in range(60):
                    session.run(change, {put: float(step)})
                    saver.save(session, tmp_path / "m", write_meta_graph=False)
            finally:
                done.set()

        thread = threading.Thread(target=save)
        thread.start()
        read = 0
        while not done.is_set() or not read:
            try:
                value = tf.train.load_variable(tmp_path / "m", "v")
            except (tf.errors.DataLossError, tf.errors.NotFoundError):
                continue
            assert (value == value[0]).all()
            read += 1
        thread.join()
    assert (tf.train.load_variable(tmp_path / "m", "v") == 59.0).all()


def test_checkpoints_of_the_older_format_come_and_go(tmp_path):
    v = tf.Variable(1.0, name="v")
    saver = tf.train.Saver(write_version=tf.train.SaverDef.V1, max_to_keep=2)
    with tf.Session() as session:
        for step in range(4):
            session.run(v.assign(float(step)))
            saver.save(session, tmp_path / "m", step)
        assert sorted(os.listdir(tmp_path)) == ["checkpoint", "m-2", "m-2.meta", "m-3", "m-3.meta"]
        newest = tf.train.latest_checkpoint(tmp_path)
        saver.restore(session, str(tmp_path / "m-2"))
        assert session.run(v) == 2.0
    assert tf.train.load_variable(newest, "v") == 3.0
    with tf.Graph().as_default(), tf.Session() as session:
        again = tf.train.import_meta_graph(f"{newest}.meta")
        again.restore(session, newest)
        assert session.run("v:0") == 3.0
        assert again.save(session, str(tmp_path / "again"))
    assert (tmp_path / "again").is_file()
    with pytest.raises(RuntimeError, match="Unexpected write_version: 7"):
        tf.train.Saver(write_version=7)


def test_devices_get_files_of_their_own(tmp_path):
    tf.Variable([1.0], name="a")
    with tf.device("/gpu:0"):
        tf.Variable([2.0], name="b")
    saver = tf.train.Saver(sharded=True)
    with tf.Session(config=tf.ConfigProto(allow_soft_placement=True)) as session:
        session.run(tf.global_variables_initializer())
        for _ in range(2):
            path = saver.save(session, tmp_path / "m", write_meta_graph=False)
        saver.restore(session, path)
    assert sorted(os.listdir(tmp_path)) == ["checkpoint", "m.data-00000-of-00002", "m.data-00001-of-00002", "m.index"]
    assert [tf.train.load_variable(path, name).tolist() for name in "ab"] == [[1.0], [2.0]]


def test_one_checkpoint_is_kept_for_so_many_hours(tmp_path, monkeypatch):
    tf.Variable(1.0)
    now = [1000.0]
    monkeypatch.setattr(time, "time", lambda: now[0])
    saver = tf.train.Saver(max_to_keep=1, keep_checkpoint_every_n_hours=2)
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        for step in range(10):
            now[0] += 3600
            saver.save(session, tmp_path / "m", step, write_meta_graph=False)
    kept = sorted(int(p.stem.partition("-")[2]) for p in tmp_path.glob("*.index"))
    assert kept == [2, 4, 6, 8, 9]


CHILD = """
import sys
import numpy as np
import tfedu as tf
folder, keep = sys.argv[1], sys.argv[2] == "steps"
v = tf.Variable(np.zeros(20_000), name="v")
names = tf.Variable(np.full([30], b"0", object), name="names")
value, text = tf.placeholder(tf.float64, []), tf.placeholder(tf.string, [])
put = tf.group(v.assign(tf.fill([20_000], value)), names.assign(tf.fill([30], text)))
saver = tf.train.Saver(max_to_keep=2)
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    step = 0
    while True:
        step += 1
        session.run(put, {value: float(step), text: str(step)})
        saver.save(session, folder + "/m", step if keep else None)
        if step == 1:
            print("ready", flush=True)
"""


def killed(folder, kind, draw):
    """Kills a process that saves again and again; the step of the newest checkpoint, read whole."""
    child = subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(CHILD), str(folder), kind], cwd=ROOT, stdout=subprocess.PIPE, text=True
    )
    with child:
        assert child.stdout.readline() == "ready\n"
        time.sleep(draw.random() * 0.2)
        child.send_signal(signal.SIGKILL)
    path = tf.train.latest_checkpoint(folder)
    reader = tf.train.load_checkpoint(path)
    v, names = reader.get_tensor("v"), reader.get_tensor("names")
    assert (v == v[0]).all()
    assert {bytes(n) for n in names} == {str(int(v[0])).encode()}
    if kind == "steps":
        assert path.endswith(f"m-{int(v[0])}")
    with tf.Graph().as_default():
        tf.train.import_meta_graph(f"{path}.meta")


def kills(folder, seed, count):
    draw = random.Random(seed)
    for i in range(count):
        place = folder / str(i % 2)
        place.mkdir(exist_ok=True)
        killed(place, ("one", "steps")[i % 2], draw)
    for kind, place in (("one", folder / "0"), ("steps", folder / "1")):
        # what the killed ones left behind goes with the next save
        with tf.Graph().as_default(), tf.Session() as session:
            tf.Variable(1.0, name="x").initializer.run(session=session)
            tf.train.Saver().save(session, place / "m", 10**9 if kind == "steps" else None)
        assert not [name for name in os.listdir(place) if ".tmp-" in name]


def test_a_kill_during_a_save_leaves_a_whole_checkpoint(tmp_path):
    kills(tmp_path, 0, 4)


@pytest.mark.long
def test_many_kills_leave_whole_checkpoints(tmp_path):
    kills(tmp_path, 1, 100)
