"""A full disk: the error names file and line, the old content stays whole, and nothing is left behind."""

import errno
import io
import os
import subprocess
import sys

import numpy as np
import pytest

import tfedu as tf
from tfedu.engine.base import dtypes
from tfedu.engine.files import atomic_write, bundle

V1 = tf.train.SaverDef.V1


class Disk:
    """A disk whose n-th writing call fails: `calls` counts them."""

    def __init__(self, monkeypatch, limit):
        self.calls, self.limit = 0, limit
        disk, fdopen = self, os.fdopen

        class Raw(io.FileIO):
            def write(self, data):
                disk.count()
                return super().write(data)

        def opened(handle, mode="r", buffering=-1, **rest):
            return io.BufferedWriter(Raw(handle, mode), buffering) if mode == "wb" else fdopen(handle, mode, buffering, **rest)

        monkeypatch.setattr(atomic_write.os, "fdopen", opened)
        for name in ("fsync", "replace", "mkdir", "link"):
            monkeypatch.setattr(os, name, self.counted(getattr(os, name)))

    def count(self):
        self.calls += 1
        if self.calls > self.limit:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    def counted(self, call):
        def counted(*args, **keywords):
            self.count()
            return call(*args, **keywords)

        return counted


def graph_file(folder, number):
    tf.train.write_graph(tf.GraphDef(versions={"producer": number}), folder, "g.pb", as_text=False)


def graph_in(folder):
    return tf.io.load_graph_def(folder / "g.pb").versions.producer


def saved(folder, number, **settings):
    with tf.Graph().as_default(), tf.Session() as sess:
        v = tf.Variable(np.full(50_000, float(number)), name="v")
        w = tf.Variable(number, name="w")
        sess.run(tf.global_variables_initializer())
        tf.train.Saver([v, w], **settings).save(sess, str(folder / "m"))


def restored(folder):
    path = tf.train.latest_checkpoint(str(folder))
    value = tf.train.load_variable(path, "v")
    assert np.array_equal(value, np.full(50_000, value[0]))
    assert tf.train.load_variable(path, "w") == value[0]
    tf.train.import_meta_graph(f"{path}.meta")
    return value[0]


def tensors(folder, number):
    tf.io.save_safetensors(folder / "t", {"w": np.full(50_000, float(number))})


def tensors_in(folder):
    return tf.io.load_safetensors(folder / "t")["w"].mean()


def copied(folder, number):
    source = folder.with_suffix(".source")
    source.write_bytes(f"{number};".encode() * 100_000)
    tf.gfile.Copy(str(source), str(folder / "copy"), overwrite=True)


def copy_in(folder):
    numbers = (folder / "copy").read_text().split(";")
    assert numbers == [numbers[0]] * 100_000 + [""]
    return int(numbers[0])


WRITERS = {
    "copy": (copied, copy_in),
    "write_graph": (graph_file, graph_in),
    "saver": (saved, restored),
    "sharded saver": (lambda folder, number: saved(folder, number, sharded=True), restored),
    "V1 saver": (lambda folder, number: saved(folder, number, write_version=V1), restored),
    "safetensors": (tensors, tensors_in),
}


@pytest.mark.parametrize("kind", WRITERS)
def test_wherever_the_disk_is_full_the_old_file_is_whole(kind, tmp_path, monkeypatch):
    write, read = WRITERS[kind]
    write(tmp_path, 1)
    before = sorted(os.listdir(tmp_path))
    known, failures = 1, 0
    for limit in range(200):
        number = known + 1
        with monkeypatch.context() as patch, tf.Graph().as_default():
            disk, error = Disk(patch, limit), None
            try:
                write(tmp_path, number)
            except tf.errors.ResourceExhaustedError as caught:
                error = caught
        if error is not None:
            failures += 1
            assert "No space left on device" in error.message
            assert str(tmp_path) in error.message
            assert "\n  where: File " in str(error)
            assert "test_full_disk.py" in str(error)
        with tf.Graph().as_default():
            known = read(tmp_path)
        assert known in (number - 1, number)
        assert not [name for name in os.listdir(tmp_path) if ".tmp-" in name or "_temp_" in name]
        if disk.calls <= limit:
            break
    assert disk.calls <= limit, "the disk never sufficed"
    assert failures >= 3
    write(tmp_path, 99)
    with tf.Graph().as_default():
        assert read(tmp_path) == 99
    assert sorted(os.listdir(tmp_path)) == before


@pytest.mark.parametrize("kind", WRITERS)
def test_a_first_write_that_fails_leaves_nothing(kind, tmp_path, monkeypatch):
    write, _ = WRITERS[kind]
    for limit in range(200):
        folder = tmp_path / str(limit)
        folder.mkdir()
        with monkeypatch.context() as patch, tf.Graph().as_default():
            disk, failed = Disk(patch, limit), False
            try:
                write(folder, 1)
            except tf.errors.ResourceExhaustedError:
                failed = True
        assert not failed or os.listdir(folder) == [], (limit, [list(x) for x in os.walk(folder)])
        if disk.calls <= limit:
            return
    raise AssertionError("the disk never sufficed")


def test_a_copy_keeps_links_and_permissions_and_may_go_onto_itself(tmp_path):
    source, file, link = (tmp_path / name for name in ("source", "file", "link"))
    source.write_text("new")
    file.write_text("old")
    file.chmod(0o640)
    link.symlink_to(file)
    tf.gfile.Copy(str(source), str(link), overwrite=True)
    assert link.is_symlink()
    assert file.read_text() == "new"
    assert file.stat().st_mode & 0o777 == 0o640
    tf.gfile.Copy(str(file), str(file), overwrite=True)
    assert file.read_text() == "new"
    assert sorted(os.listdir(tmp_path)) == ["file", "link", "source"]


def test_an_orphan_of_a_killed_save_is_removed_by_the_next_save(tmp_path):
    saved(tmp_path, 1)
    (tmp_path / "old-5.data-00000-of-00002").write_bytes(b"x" * 1000)
    (tmp_path / "old-5.data-00001-of-00002").write_bytes(b"x" * 1000)
    saved(tmp_path, 2)
    assert not [name for name in os.listdir(tmp_path) if name.startswith("old")]
    with tf.Graph().as_default():
        assert restored(tmp_path) == 2


def test_a_data_file_of_a_save_under_way_is_no_orphan(tmp_path):
    path = str(tmp_path / "a.data-00000-of-00001")
    with bundle.Writer(str(tmp_path / "a")) as first:
        first.add(b"w", np.ones(3), dtypes.float64)
        first._data.commit(path)  # between the data and the index
        with bundle.Writer(str(tmp_path / "b")) as second:
            second.add(b"w", np.ones(3), dtypes.float64)
            second.finish()
        assert os.path.exists(path)
    with atomic_write.locked(path):
        bundle.Writer(str(tmp_path / "b")).__exit__(None, None, None)
        assert os.path.exists(path)
    bundle.Writer(str(tmp_path / "b")).__exit__(None, None, None)
    assert not os.path.exists(path)


# -- streams -----------------------------------------------------------------------------------------------------------------

FULL = pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full, a device on which no byte fits")


@FULL
@pytest.mark.parametrize("size", [10, 1 << 20])
def test_a_file_that_is_full_says_so_with_the_user_s_line(size):
    def by_close():
        with tf.gfile.GFile("/dev/full", "w") as file:
            file.write("x" * size)

    def by_flush():
        file = tf.gfile.GFile("/dev/full", "w")
        file.write("x" * size)
        file.flush()

    def by_records():
        with tf.python_io.TFRecordWriter("/dev/full") as writer:
            writer.write(b"x" * size)

    for call in (by_close, by_flush, by_records):
        with pytest.raises(tf.errors.ResourceExhaustedError, match="/dev/full; No space left on device") as caught:
            call()
        assert str(caught.value).count("\n  where: File ") == 1
        assert "test_full_disk.py" in str(caught.value)


def test_an_event_file_without_room_for_its_first_event_is_removed(tmp_path, monkeypatch):
    from tfedu.engine.files import event_files

    class Full(io.FileIO):
        def write(self, data):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as patch:
        patch.setattr(
            event_files, "open", lambda path, mode, buffering: io.BufferedWriter(Full(path, "xb"), buffering), raising=False
        )
        with tf.Graph().as_default(), pytest.raises(tf.errors.ResourceExhaustedError, match="No space left") as caught:
            tf.summary.FileWriter(str(tmp_path)).add_summary(tf.Summary(), 1)
    assert "test_full_disk.py" in str(caught.value)
    assert os.listdir(tmp_path) == []


def test_events_before_the_disk_was_full_stay_whole(tmp_path, monkeypatch):
    writer = tf.summary.FileWriter(str(tmp_path))
    for step in range(5):
        writer.add_summary(tf.Summary(), step)
    writer.flush()
    (name,) = os.listdir(tmp_path)
    real = writer.event_writer._file

    class Full:
        name = real.name

        def write(self, data):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

        flush = close = lambda self: None

    writer.event_writer._file = Full()
    with pytest.raises(tf.errors.ResourceExhaustedError, match="No space left") as caught:
        writer.add_summary(tf.Summary(), 6)
    assert "test_full_disk.py" in str(caught.value)
    writer.event_writer._file = real
    writer.close()
    steps = [event.step for event in tf.train.summary_iterator(str(tmp_path / name)) if event.HasField("summary")]
    assert steps == [0, 1, 2, 3, 4]


def test_a_small_file_system_that_fills_up(tmp_path):
    """A real full disk, where this process may mount one."""
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=1000k", "tmpfs", str(tmp_path)], capture_output=True, check=False
    ) if sys.platform == "linux" and os.geteuid() == 0 else None  # fmt: skip
    if mounted is None or mounted.returncode:
        pytest.skip("this process may not mount a file system")
    try:
        saved(tmp_path, 1)
        with pytest.raises(tf.errors.ResourceExhaustedError, match="No space left"):
            saved(tmp_path, 2)
        with tf.Graph().as_default():
            assert restored(tmp_path) == 1
        assert sorted(os.listdir(tmp_path)) == ["checkpoint", "m.data-00000-of-00001", "m.index", "m.meta"]
    finally:
        subprocess.run(["umount", str(tmp_path)], check=True)
