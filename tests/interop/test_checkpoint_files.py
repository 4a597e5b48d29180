"""Checkpoint files: what TensorFlow wrote is read, what is written comes back, and nothing else ever comes out of them."""

import errno
import json
import os
import pathlib
import random
import shutil

import checkpoint_sets
import harness
import numpy as np
import pytest

import tfedu as tf
from tfedu.engine.base import dtypes, errors, proto
from tfedu.engine.base.budget import Budget
from tfedu.engine.files import atomic_write, bundle, crc32c, gfile
from tfedu.engine.files.bundle import bundle_writer, snappy, sorted_table, tensor_slices, varint

GOLDEN = pathlib.Path(__file__).resolve().parents[1] / "golden" / "checkpoints"
RESULT = json.loads((GOLDEN / "result.json").read_text(encoding="utf-8"))


def save(prefix, tensors):
    with bundle.Writer(str(prefix)) as made:
        for name, value in tensors.items():
            is_text = isinstance(value, bytes) or value.dtype == object
            made.add(name.encode(), value, dtypes.string if is_text else dtypes.as_dtype(value.dtype))
        made.finish()


def load(prefix):
    with bundle.open_checkpoint(str(prefix)) as found:
        return {name.decode(): found.read(name) for name in found.names()}


def same(a, b):
    return (
        a.keys() == b.keys()
        and all(np.asarray(a[k]).dtype == np.asarray(b[k]).dtype and np.shape(a[k]) == np.shape(b[k]) for k in a)
        and all(a[k].tobytes() == b[k].tobytes() if a[k].dtype != object else a[k].tolist() == b[k].tolist() for k in a)
    )


# -- TensorFlow's files ----------------------------------------------------------------------------------------------


def test_every_difference_between_the_two_was_none():
    assert RESULT["differences"] == []
    assert set(RESULT["made_with"]) == {"tensorflow", "numpy"}
    assert RESULT["tensors"] == sum(len(one["dtypes"]) for one in RESULT["sets"].values()) >= 70
    assert set(RESULT["sets"]) == set(checkpoint_sets.SETS)


@pytest.mark.parametrize("name", sorted(RESULT["sets"]))
def test_a_checkpoint_that_tensorflow_wrote_is_restored(name):
    expected = RESULT["sets"][name]
    with tf.Graph().as_default():
        made = checkpoint_sets.SETS[name](tf, np)
        prefix = str(GOLDEN / name)
        with tf.Session(config=tf.ConfigProto(allow_soft_placement=True)) as session:
            if made.save is None:
                made.saver.restore(session, prefix)
            values = session.run(made.values, {made.save[0]: prefix} if made.save else {})
    found = {n: harness.encode(tf, v) for n, v in values.items()}
    assert found == expected["values"]
    reader = tf.train.load_checkpoint(prefix)
    assert reader.get_variable_to_shape_map() == expected["shapes"]
    assert {n: d.name for n, d in reader.get_variable_to_dtype_map().items()} == expected["dtypes"]


@pytest.mark.parametrize("name", ["dtypes", "partitioned", "strings", "adam", "sharded"])
def test_what_is_saved_is_the_same_to_the_last_byte_as_tensorflow_s(name, tmp_path):
    with tf.Graph().as_default():
        made = checkpoint_sets.SETS[name](tf, np)
        prefix = str(tmp_path / name)
        with tf.Session(config=tf.ConfigProto(allow_soft_placement=True)) as session:
            session.run(tf.global_variables_initializer())
            for step in made.before:
                session.run(step)
            if made.save:
                session.run(made.save[1], {made.save[0]: prefix})
            else:
                made.saver.save(session, prefix, write_meta_graph=False, write_state=False)
    written = sorted(os.listdir(tmp_path))
    assert written == sorted(p.name for p in GOLDEN.glob(f"{name}.*"))
    for file in written:
        if file in RESULT["same_bytes"] and name != "adam":  # sums may differ in the last place on another machine
            assert (tmp_path / file).read_bytes() == (GOLDEN / file).read_bytes(), file


def test_the_older_format_is_read_and_written_to_the_last_byte(tmp_path):
    for file in checkpoint_sets.older(tf, np, str(tmp_path)):
        assert (tmp_path / file).read_bytes() == (GOLDEN / file).read_bytes(), file
    reader = tf.train.load_checkpoint(str(GOLDEN / "older.ckpt"))
    assert len(reader.get_variable_to_shape_map()) == 15
    assert reader.get_variable_to_shape_map()["empty"] == [0, 3]
    assert reader.get_variable_to_dtype_map()["h"] is tf.float16
    assert reader.get_tensor("s").tolist() == [b"ab", b"", b"\x00\xff"]
    assert reader.get_tensor("l").tolist() == [-1, 1 << 40]
    assert reader.get_tensor("c128").tolist() == [3 - 1j]
    assert reader.get_tensor("scope/scalar") == 7.0
    parts = tf.train.load_checkpoint(str(GOLDEN / "older_parts.ckpt-3-?????-of-00002"))
    assert parts.get_tensor("p").tolist() == [[0, 1], [2, 3], [4, 5], [6, 7], [8, 9]]
    with tf.Graph().as_default(), tf.Session() as session:
        p = tf.get_variable("p", [5, 2], partitioner=tf.fixed_size_partitioner(3))
        q = tf.get_variable("q", [], use_resource=True)
        tf.train.Saver().restore(session, str(GOLDEN / "older_parts.ckpt-3-?????-of-00002"))
        assert session.run([p.as_tensor()[3], q])[0].tolist() == [6, 7]
        other = tf.Variable(0.0, name="other")
        with pytest.raises(tf.errors.NotFoundError, match='Tensor name "other" not found in checkpoint files'):
            tf.train.Saver([other]).restore(session, str(GOLDEN / "older.ckpt"))


def test_a_damaged_file_of_the_older_format_is_refused_or_gives_what_was_saved(tmp_path):
    whole = (GOLDEN / "older.ckpt").read_bytes()
    with bundle.open_checkpoint(str(GOLDEN / "older.ckpt")) as found:
        expected = {name: found.read(name) for name in found.names()}
    source = random.Random(5)
    for _ in range(150):
        data = bytearray(whole)
        if source.random() < 0.2:
            del data[source.randrange(len(data)) :]
        else:
            data[source.randrange(len(data))] ^= 1 << source.randrange(8)
        (tmp_path / "m").write_bytes(data)
        try:
            with bundle.open_checkpoint(str(tmp_path / "m")) as found:
                got = {name: found.read(name) for name in found.names()}
        except errors.DataLossError:
            continue
        assert same(got, expected)


def test_a_table_that_says_what_cannot_be_is_refused(tmp_path):
    """Soundly written tables, with checksums, of unsound content."""
    stored = sorted_table.read((GOLDEN / "older.ckpt").read_bytes())

    def refused_with(change):
        items = {key: proto.SavedTensorSlices.FromString(value) for key, value in stored.items()}
        change(items)
        (tmp_path / "m").write_bytes(sorted_table.table_bytes((key, one.SerializeToString()) for key, one in items.items()))
        refused(tmp_path / "m")

    key = tensor_slices.key(b"u8", tensor_slices.full_slice(1))
    refused_with(lambda items: items.pop(b""))
    refused_with(lambda items: items.pop(key))
    refused_with(lambda items: items[key].data.data.int_val.append(3))
    refused_with(lambda items: items[key].data.data.int_val.__setitem__(0, 300))
    refused_with(lambda items: items[b""].meta.tensor[0].shape.dim[0].__setattr__("size", -1))
    refused_with(lambda items: items[b""].meta.tensor[0].shape.dim[0].__setattr__("size", 1 << 60))
    refused_with(lambda items: items[b""].meta.tensor[0].__setattr__("type", 99))
    refused_with(lambda items: items[b""].meta.tensor[0].ClearField("slice"))
    refused_with(lambda items: items[b""].meta.tensor[0].slice[0].extent.add(start=1, length=1))


# -- our own ---------------------------------------------------------------------------------------------------------


def test_an_array_of_any_strides_comes_back(tmp_path):
    base = np.arange(720, dtype=np.float32).reshape(6, 4, 5, 6)
    tensors = {
        "turned": base.T, "every other": base[::2, ::-1], "a column": base[:, :, 1],
        "spread": np.broadcast_to(base[0], (3, 4, 5, 6)),
        "fortran": np.asfortranarray(base), "big end first": base.astype(">f4"),
    }  # fmt: skip
    save(tmp_path / "m", tensors)
    for name, value in load(tmp_path / "m").items():
        assert np.array_equal(value, tensors[name]), name


def test_names_of_all_kinds_and_a_long_index_come_back(tmp_path):
    names = ["a", "ä/€", "with blank", "x" * 5000, "same/beginning" * 20, *[f"layer_{i:06d}/weights" for i in range(12000)]]
    tensors = {name: np.int32(i) * np.ones((), np.int32) for i, name in enumerate(names)}
    save(tmp_path / "m", tensors)
    assert os.path.getsize(tmp_path / "m.index") > 310_000  # several blocks
    assert same(load(tmp_path / "m"), tensors)


@pytest.mark.parametrize("shape", [(), (0,), (3, 0, 2), (1, 1, 1, 1), (7,)])
def test_every_shape_comes_back(shape, tmp_path):
    tensors = {"f": np.ones(shape), "s": np.full(shape, b"text", object)}
    save(tmp_path / "m", tensors)
    assert same(load(tmp_path / "m"), tensors)


def test_slices_are_put_together_in_any_way(tmp_path):
    whole_value = np.arange(60, dtype=np.int64).reshape(5, 12)
    specs = ["5 12 0,2:-", "5 12 2,3:0,5", "5 12 2,3:5,7"]
    with bundle.Writer(str(tmp_path / "m")) as made:
        for spec in specs:
            part = bundle.parse_spec(spec)
            (a, b), (c, d) = tensor_slices.bounds(part.slice, part.full_shape)
            made.add(b"w", whole_value[a:b, c:d], dtypes.int64, part)
        made.finish()
    draw = random.Random(4)
    with bundle.Bundle(str(tmp_path / "m")) as found:
        assert np.array_equal(found.read(b"w"), whole_value)
        for _ in range(50):
            a, c = draw.randrange(5), draw.randrange(12)
            h, w = draw.randint(1, 5 - a), draw.randint(1, 12 - c)
            assert np.array_equal(found.read(b"w", ((a, h), (c, w))), whole_value[a : a + h, c : c + w])


def test_the_keys_of_slices_sort_as_their_numbers_do():
    numbers = sorted({sign * (1 << bit) + off for sign in (1, -1) for bit in range(63) for off in (-1, 0, 1)})
    keys = [tensor_slices._signed(n) for n in numbers]
    assert keys == sorted(keys)
    assert len(set(keys)) == len(keys)
    assert tensor_slices._signed(-1) == b"\x7f"
    assert tensor_slices._signed(64) == b"\xc0\x40"


def test_both_ways_to_compute_a_checksum_agree():
    data = bytes(random.Random(1).randrange(256) for _ in range(3000))
    assert crc32c.crc32c(b"123456789") == crc32c.slow(0, b"123456789") == 0xE3069283
    assert crc32c.crc32c(data) == crc32c.slow(0, data)
    assert crc32c.crc32c(data) == crc32c.crc32c(np.frombuffer(data, np.uint8)) == crc32c.crc32c(bytearray(data))
    assert crc32c.crc32c(data[9:], crc32c.crc32c(data[:9])) == crc32c.crc32c(data)
    assert crc32c.crc32c(np.zeros(0)) == 0


def test_a_packed_index_is_read():
    # abcd, five from 4 back, three from 8 back
    packed = bytes([12]) + b"\x0cabcd" + bytes([(5 - 4) << 2 | 1, 4]) + bytes([(3 - 1) << 2 | 2, 8, 0])
    assert snappy.decompress(packed, Budget().account("it")) == b"abcd" + b"abcda" + b"bcd"
    long = b"q" * 200
    assert snappy.decompress(varint.as_varint(200) + b"\xf0\xc7" + long, Budget().account("it")) == long
    for broken in (b"", b"\x05", b"\x05\x0cabcd", b"\x04\x01\x04", b"\xff\xff\xff\xff\x0f\x00a", packed[:-1], packed + b"\x00"):
        with pytest.raises(ValueError):
            snappy.decompress(broken, Budget().account("it"))


def packed_table(items):
    """A table whose blocks say that they are packed: each byte stands for itself."""
    data = sorted_table.table_bytes(items)
    out, handles = bytearray(), []
    footer, at = data[-48:-8], 0
    places = []
    for _ in range(2):
        offset, at = varint.varint(footer, at)
        size, at = varint.varint(footer, at)
        places.append((offset, size))

    def put(content):
        stored = varint.as_varint(len(content))
        for i in range(0, len(content), 60):
            piece = content[i : i + 60]
            stored += bytes([(len(piece) - 1) << 2]) + piece
        handles.append(varint.as_varint(len(out)) + varint.as_varint(len(stored)))
        out.extend(stored + b"\x01" + crc32c.masked(crc32c.crc32c(stored + b"\x01")).to_bytes(4, "little"))
        return handles[-1]

    index = sorted_table._Block(restart=1)
    for key, handle in sorted_table._entries(sorted_table._block(memoryview(data), *places[1], Budget().account("it"))):
        offset, at = varint.varint(handle, 0)
        size, _ = varint.varint(handle, at)
        index.add(key, put(data[offset : offset + size]))
    end = put(sorted_table._Block().content()) + put(index.content())
    return bytes(out) + end.ljust(40, b"\x00") + sorted_table.MAGIC.to_bytes(8, "little")


def test_a_checkpoint_with_a_packed_index_is_read(tmp_path):
    shutil.copy(GOLDEN / "dtypes.data-00000-of-00001", tmp_path)
    items = sorted_table.read((GOLDEN / "dtypes.index").read_bytes())
    (tmp_path / "dtypes.index").write_bytes(packed_table(items.items()))
    assert same(load(tmp_path / "dtypes"), load(GOLDEN / "dtypes"))


# -- damaged and foreign files ---------------------------------------------------------------------------------------


def refused(prefix, kind=errors.DataLossError):
    with pytest.raises(kind) as caught:
        load(prefix)
    return str(caught.value)


@pytest.mark.parametrize("content", [b"", b"x", b"hello" * 100, b"\x00" * 4096, b"PK\x03\x04" + b"z" * 600, b"\x80\x04." * 90])
def test_a_foreign_file_is_no_index(content, tmp_path):
    (tmp_path / "m.index").write_bytes(content)
    (tmp_path / "m.data-00000-of-00001").write_bytes(content)
    assert "m.index" in refused(tmp_path / "m")
    # and none is a checkpoint of the first format
    (tmp_path / "v1").write_bytes(content)
    assert "v1" in refused(tmp_path / "v1")


def test_a_missing_or_short_file_of_data_is_said(tmp_path):
    save(tmp_path / "m", {"w": np.arange(9.0)})
    data = tmp_path / "m.data-00000-of-00001"
    data.write_bytes(data.read_bytes()[:-1])
    assert "too short" in refused(tmp_path / "m")
    data.unlink()
    refused(tmp_path / "m", errors.NotFoundError)


@pytest.mark.parametrize("end", [".index", ".data-00000-of-00001", ".meta"])
def test_the_name_of_a_file_is_not_the_name_of_the_checkpoint(end, tmp_path):
    save(tmp_path / "m.ckpt", {"w": np.arange(9.0)})
    (tmp_path / "m.ckpt.meta").write_bytes(b"graph" * 20)
    text = refused(f"{tmp_path}/m.ckpt{end}")
    assert text.startswith(f"Unable to open table file {tmp_path}/m.ckpt{end}: Data loss: ")
    assert text.endswith(f"fix: a checkpoint is named without the end of its files: {tmp_path}/m.ckpt")


def test_the_data_of_another_checkpoint_are_refused(tmp_path):
    save(tmp_path / "a", {"w": np.arange(9.0)})
    save(tmp_path / "b", {"w": np.arange(9.0) + 1})
    os.replace(tmp_path / "b.data-00000-of-00001", tmp_path / "a.data-00000-of-00001")
    assert "Checksum does not match" in refused(tmp_path / "a")


def entry(**given):
    return proto.BundleEntryProto(**{"dtype": 1, "size": 4, **given})


def lying(tmp_path, made, header=None):
    stored = proto.BundleHeaderProto(num_shards=1) if header is None else header
    made = made if isinstance(made, dict) else {b"w": made}
    items = {b"": stored.SerializeToString(), **{k: v.SerializeToString() for k, v in made.items()}}
    (tmp_path / "m.index").write_bytes(sorted_table.table_bytes(sorted(items.items())))
    (tmp_path / "m.data-00000-of-00001").write_bytes(bytes(8))
    return tmp_path / "m"


def shape(*sizes):
    return {"dim": [{"size": size} for size in sizes]}


def test_sizes_are_checked_before_anything_is_allocated(tmp_path):
    for made in (
        entry(shape=shape(1 << 40, 1 << 20), size=(1 << 62)),
        entry(shape=shape(1 << 40), size=4),
        entry(shape=shape(0, 1 << 60), size=0),
        entry(shape=shape(-5), size=4),
        entry(shape={"unknown_rank": True}),
        entry(shape=shape(*[1] * 70)),
        entry(shape=shape(), offset=-1),
        entry(shape=shape(), offset=6),
        entry(shape=shape(), offset=1 << 62),
        entry(shape=shape(), shard_id=7),
        entry(shape=shape(), dtype=99),
        entry(shape=shape(), dtype=101),
        entry(shape=shape(), dtype=20),
        entry(shape=shape(1 << 40), dtype=7, size=8),
        entry(shape=shape(4), dtype=7, size=8),
        entry(shape=shape(2), slices=[{"extent": []}]),
        entry(shape=shape(2), slices=[{"extent": [{"start": -1, "length": 2}]}]),
        entry(shape=shape(2), slices=[{"extent": [{"start": 1, "length": 2}]}]),
        entry(shape=shape(2), slices=[{"extent": [{"start": 0, "length": 2}]}]),
        entry(shape=shape(2), slices=[{"extent": [{"start": 0, "length": 1}]}] * 2),
    ):
        refused(lying(tmp_path, made))
    half = {b"w": entry(shape=shape(2), slices=[{"extent": [{"start": 0, "length": 1}]}])}
    refused(lying(tmp_path, half), errors.InvalidArgumentError)
    twice = {
        b"w": entry(shape=shape(2), slices=[{"extent": [{"start": 0, "length": 2}]}]),
        tensor_slices.key(b"w", ((0, 2),)): entry(shape=shape(2), size=8, dtype=3),
    }
    refused(lying(tmp_path, twice))


def test_an_unknown_form_of_the_format_is_unimplemented(tmp_path):
    big_end = proto.BundleHeaderProto(num_shards=1, endianness=1)
    newer = proto.BundleHeaderProto(num_shards=1)
    newer.version.min_consumer = 9
    for header in (big_end, newer):
        refused(lying(tmp_path, entry(shape=shape()), header), errors.UnimplementedError)
    refused(lying(tmp_path, entry(shape=shape()), proto.BundleHeaderProto(num_shards=-1)))


def mutated(data, draw):
    """The bytes with some flipped, cut off, doubled, moved or replaced."""
    data = bytearray(data)
    for _ in range(draw.choice([1, 1, 1, 2, 5])):
        kind = draw.randrange(6)
        at = draw.randrange(len(data) or 1)
        size = draw.choice([1, 2, 4, 8, 30])
        if kind <= 1 and data:
            data[at] ^= 1 << draw.randrange(8)
        elif kind == 2:
            del data[at:]
        elif kind == 3:
            del data[at : at + size]
        elif kind == 4:
            data[at:at] = bytes(draw.randrange(256) for _ in range(size))
        else:
            source = draw.randrange(len(data) or 1)
            data[at : at + size] = data[source : source + size]
    return bytes(data)


def outcomes(seed, count, folder):
    """How many damaged checkpoints were refused, and how many gave what was saved; anything else fails."""
    draw = random.Random(seed)
    sets = {name: load(GOLDEN / name) for name in ("adam", "dtypes", "partitioned", "sharded", "strings")}
    lost = 0
    for _ in range(count):
        name = draw.choice(list(sets))
        paths = sorted(GOLDEN.glob(f"{name}.*"))
        broken = draw.choice(paths)
        for path in paths:
            data = path.read_bytes()
            (folder / path.name).write_bytes(mutated(data, draw) if path == broken else data)
        got, failed = {}, 0
        try:
            with bundle.Bundle(str(folder / name)) as found:
                names = found.names()
                for key in names:
                    try:
                        got[key.decode()] = found.read(key)
                    except (errors.DataLossError, errors.UnimplementedError):
                        failed += 1
        except (errors.DataLossError, errors.UnimplementedError):
            lost += 1
            continue
        assert len(names) == len(sets[name])
        assert same(got, {key: sets[name][key] for key in got})
        lost += failed > 0
    return lost


def test_a_damaged_checkpoint_is_refused_or_gives_what_was_saved(tmp_path):
    assert 100 < outcomes(0, 150, tmp_path) <= 150


@pytest.mark.long
def test_many_damaged_checkpoints_are_refused_or_give_what_was_saved(tmp_path):
    assert 1000 < outcomes(1, 1500, tmp_path) <= 1500


# -- a save that is cut short ----------------------------------------------------------------------------------------


class Killed(BaseException):
    pass


STEPS = ("replace", "link", "remove", "fsync", "chmod")


def killed_at(monkeypatch, at):
    """The process dies before its at-th step on the disk; gives what tells whether it did."""
    count = [0]

    def dies(real):
        def step(*args, **kwargs):
            count[0] += 1
            if count[0] > at:
                raise Killed
            return real(*args, **kwargs)

        return step

    for name in STEPS:
        monkeypatch.setattr(os, name, dies(getattr(os, name)))
    # what would tidy up does not run
    monkeypatch.setattr(pathlib.Path, "unlink", lambda *args, **kwargs: None)
    return count


@pytest.mark.parametrize("before", [0, 1, 2])
def test_a_save_that_dies_at_any_step_leaves_the_old_or_the_new_checkpoint(before, tmp_path, monkeypatch):
    olds = [{"w": np.arange(9.0) + i, "s": np.array([b"x" * (i + 1)], object)} for i in range(before)]
    new = {"w": np.arange(5.0), "other": np.ones(3)}
    at = ended = 0
    while not ended:
        folder = tmp_path / str(at)
        folder.mkdir()
        for old in olds:
            save(folder / "m", old)
        with monkeypatch.context() as patched:
            count = killed_at(patched, at)
            try:
                save(folder / "m", new)
                ended = count[0]
            except Killed:
                pass
        allowed = [*olds[-1:], new]
        if before or (folder / "m.index").exists():
            found = load(folder / "m")
            assert any(same(found, one) for one in allowed), at
        # the next save works, and leaves nothing but a checkpoint
        save(folder / "m", new)
        assert same(load(folder / "m"), new)
        assert sorted(os.listdir(folder)) == ["m.data-00000-of-00001", "m.index"], at
        at += 1
    assert at > 5


def test_a_disk_without_links_keeps_the_new_checkpoint_under_other_names(tmp_path, monkeypatch):
    def no_links(*args):
        raise OSError(errno.EPERM, "no links here")

    monkeypatch.setattr(os, "link", no_links)
    for i in range(4):
        save(tmp_path / "m", {"w": np.arange(3.0) + i})
        assert np.array_equal(load(tmp_path / "m")["w"], np.arange(3.0) + i)
        assert len(os.listdir(tmp_path)) == 2


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EIO])
def test_a_full_or_broken_disk_loses_nothing(number, tmp_path, monkeypatch):
    save(tmp_path / "m", {"w": np.arange(9.0)})
    steps = ((atomic_write.Pending, "finish", 0), (os, "replace", 0), (os, "replace", 1), (os, "fsync", 0), (os, "fsync", 1))
    for place, name, at in steps:
        real, count = getattr(place, name), [0]

        def fails(*args, at=at, count=count, real=real, **kwargs):
            count[0] += 1
            if count[0] > at:
                raise OSError(number, os.strerror(number))
            return real(*args, **kwargs)

        with monkeypatch.context() as patched:
            patched.setattr(place, name, fails)
            with pytest.raises(errors.OpError) as caught:
                save(tmp_path / "m", {"w": np.zeros(4)})
        assert isinstance(caught.value, errors.ResourceExhaustedError) == (number == errno.ENOSPC)
        found = load(tmp_path / "m")["w"]
        assert np.array_equal(found, np.arange(9.0))
        assert not [n for n in os.listdir(tmp_path) if ".tmp-" in n]


def test_a_save_that_is_under_way_is_not_tidied_up(tmp_path):
    first = bundle.Writer(str(tmp_path / "a"))
    with first:
        first.add(b"w", np.ones(3), dtypes.float64)
        save(tmp_path / "b", {"v": np.zeros(2)})
        first.finish()
    assert np.array_equal(load(tmp_path / "a")["w"], np.ones(3))


def test_several_checkpoints_become_one(tmp_path):
    for i in range(3):
        save(tmp_path / f"part{i}/p", {f"w{i}": np.arange(3.0) + i})
    for _ in range(2):
        bundle.merge([str(tmp_path / f"part{i}/p") for i in range(3)], str(tmp_path / "m"))
        assert sorted(os.listdir(tmp_path)) == [*[f"m.data-0000{i}-of-00003" for i in range(3)], "m.index"]
        found = load(tmp_path / "m")
        assert [found[f"w{i}"][0] for i in range(3)] == [0.0, 1.0, 2.0]
        for i in range(3):
            save(tmp_path / f"part{i}/p", {f"w{i}": np.arange(3.0) + i})
    save(tmp_path / "part0/q", {"w1": np.ones(1)})
    with pytest.raises(errors.InvalidArgumentError, match="Duplicate tensor keyed by w1"):
        bundle.merge([str(tmp_path / "part1/p"), str(tmp_path / "part0/q")], str(tmp_path / "n"))


def test_what_no_checkpoint_holds_is_refused(tmp_path):
    with bundle.Writer(str(tmp_path / "m")) as made:
        made.add(b"w", np.ones(2), dtypes.float64)
        with pytest.raises(errors.InvalidArgumentError, match="duplicate key: w"):
            made.add(b"w", np.ones(2), dtypes.float64)
        with pytest.raises(errors.UnimplementedError):
            made.add(b"r", np.ones(2), dtypes.resource)
    assert os.listdir(tmp_path) == []
    with pytest.raises(errors.NotFoundError):
        bundle.Writer(str(tmp_path / "a" / "b" / "m"))
    assert gfile.listdir(str(tmp_path)) == []
    assert bundle_writer.make_folder(str(tmp_path / "new" / "m")) is None
