"""TFRecord files: the oracle's are read, ours are its bytes, and a broken one is a DataLossError, whatever is wrong with it."""

import pathlib
import random
import tracemalloc
import zlib

import pytest

import tfedu as tf
from tfedu.engine.files.crc32c import crc32c, masked, slow

GOLDEN = pathlib.Path(__file__).resolve().parents[1] / "golden" / "events"
RECORDS = [b"abc", b"", bytes(range(256)), b"x" * 5000, "größer".encode()]
KINDS = {"plain": None, "zlib": "ZLIB", "gzip": "GZIP"}


def written(path, records=RECORDS, options=None):
    with tf.python_io.TFRecordWriter(path, options) as writer:
        for record in records:
            writer.write(record)
    return path.read_bytes()


def read(path, options=None):
    return list(tf.python_io.tf_record_iterator(path, options))


def read_bytes(tmp_path, data, options=None):
    path = tmp_path / "given"
    path.write_bytes(data)
    return read(path, options)


@pytest.mark.parametrize("name", KINDS)
def test_files_of_tensorflow_are_read(name):
    assert read(GOLDEN / f"{name}.tfrecord", KINDS[name]) == RECORDS


def test_an_unpacked_file_is_tensorflows_byte_by_byte(tmp_path):
    assert written(tmp_path / "a") == (GOLDEN / "plain.tfrecord").read_bytes()


@pytest.mark.parametrize("name", ["zlib", "gzip"])
def test_a_packed_file_is_tensorflows_byte_by_byte(tmp_path, name):
    data = written(tmp_path / "a", options=KINDS[name])
    if zlib.ZLIB_RUNTIME_VERSION.replace(".", "").isdigit():  # a fork of zlib, as zlib-ng, packs in another way
        assert data == (GOLDEN / f"{name}.tfrecord").read_bytes()
    assert zlib.decompress(data, 47) == (GOLDEN / "plain.tfrecord").read_bytes()
    assert read(tmp_path / "a", KINDS[name]) == RECORDS


def test_options_in_every_form(tmp_path):
    io = tf.python_io
    for options in (io.TFRecordOptions("GZIP", compression_level=1), io.TFRecordCompressionType.GZIP, "GZIP",
                    io.TFRecordOptions(io.TFRecordCompressionType.GZIP)):  # fmt: skip
        written(tmp_path / "a", options=options)
        assert read(tmp_path / "a", options) == RECORDS
        assert io.TFRecordOptions.get_compression_type_string(options) == "GZIP"
    for none in (None, "", 0, io.TFRecordOptions()):
        assert io.TFRecordOptions.get_compression_type_string(none) == ""
    for call in (io.TFRecordOptions, lambda kind: io.TFRecordWriter(tmp_path / "b", kind)):
        with pytest.raises(ValueError, match='Not a valid compression_type: "bzip"'):
            call("bzip")


def test_flush_shows_what_was_written_so_far(tmp_path):
    modes = [tf.io.TFRecordOptions("GZIP", flush_mode=mode) for mode in range(6)]
    for options in (None, "GZIP", "ZLIB", *modes):
        with tf.io.TFRecordWriter(tmp_path / "a", options) as writer:
            writer.write(b"one")
            writer.flush()
            # the stream of a compressor has no end yet
            assert next(tf.io.tf_record_iterator(tmp_path / "a", options)) == b"one"
            writer.write(b"two")
        assert read(tmp_path / "a", options) == [b"one", b"two"]
    data = (tmp_path / "a").read_bytes()
    if zlib.ZLIB_RUNTIME_VERSION.replace(".", "").isdigit():  # TensorFlow's bytes, which another zlib need not make
        assert data[10:].hex().startswith("626680800d333df9f2f352191d42390002")


def test_a_closed_writer_refuses(tmp_path):
    writer = tf.python_io.TFRecordWriter(tmp_path / "a")
    for record, kind in ((3, "int"), ("a", "str"), (bytearray(b"a"), "bytearray"), (None, "NoneType")):
        with pytest.raises(TypeError, match=f"^expected bytes, {kind} found\n  where: "):
            writer.write(record)
    writer.close()
    writer.close()
    for call in (lambda: writer.write(b"a"), writer.flush):
        with pytest.raises(tf.errors.FailedPreconditionError, match="Writer not initialized or previously closed"):
            call()


def test_files_that_cannot_be_opened(tmp_path):
    with pytest.raises(tf.errors.NotFoundError, match="No such file or directory"):
        tf.python_io.TFRecordWriter(tmp_path / "no" / "file")
    with pytest.raises(tf.errors.NotFoundError, match="No such file or directory"):
        read(tmp_path / "none")
    with pytest.raises(tf.errors.FailedPreconditionError, match="Is a directory"):
        read(tmp_path)


# -- broken files ------------------------------------------------------------------------------------------------------

TWO = b"".join([b"\x03" + bytes(7), b"\xb0\x99I\x0e", b"abc", b"nW\xf1!"]) * 2


@pytest.mark.parametrize("size", range(len(TWO)))
def test_a_cut_off_file(tmp_path, size):
    """Cut off in the head of a record, the file ends there, as in TensorFlow; behind it, the record is lost."""
    begun, rest = divmod(size, len(TWO) // 2)
    if rest < 12:
        assert read_bytes(tmp_path, TWO[:size]) == [b"abc"] * begun
    else:
        with pytest.raises(tf.errors.DataLossError, match=f"truncated record at {19 * begun}"):
            read_bytes(tmp_path, TWO[:size])


@pytest.mark.parametrize("at", range(len(TWO)))
def test_one_wrong_bit(tmp_path, at):
    data = bytearray(TWO)
    data[at] ^= 1 << at % 8
    begun, rest = divmod(at, len(TWO) // 2)
    with pytest.raises(tf.errors.DataLossError, match=f"corrupted record at {19 * begun + (0 if rest < 12 else 12)}"):
        read_bytes(tmp_path, bytes(data))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("length", [1 << 20, 1 << 40, 1 << 62, (1 << 64) - 1])
def test_a_length_is_not_believed_beyond_the_files_end(tmp_path, kind, length):
    """Its checksum is right, as a hostile file's would be; no room is made for what is not there."""
    size = length.to_bytes(8, "little")
    data = size + masked(crc32c(size)).to_bytes(4, "little") + b"abc"
    data = {"plain": data, "zlib": zlib.compress(data), "gzip": zlib.compress(data, wbits=31)}[kind]
    (tmp_path / "given").write_bytes(data)
    tracemalloc.start()
    try:
        # The size of a compressed record cannot be compared with the file's: the budget limits it.
        is_cut = kind == "plain" or length < 1 << 28
        error = tf.errors.DataLossError if is_cut else tf.errors.ResourceExhaustedError
        with pytest.raises(error, match="truncated record at 0" if is_cut else "bytes or more; its budget is"):
            read(tmp_path / "given", KINDS[kind])
        assert tracemalloc.get_traced_memory()[1] < 4 << 20
    finally:
        tracemalloc.stop()


def test_a_packed_file_read_as_unpacked_and_the_other_way_round(tmp_path):
    for name in ("zlib", "gzip"):
        with pytest.raises(tf.errors.DataLossError, match="corrupted record at 0"):
            read(GOLDEN / f"{name}.tfrecord")
        with pytest.raises(tf.errors.DataLossError, match=r"inflate\(\) failed"):
            read(GOLDEN / "plain.tfrecord", KINDS[name])


@pytest.mark.parametrize("name", KINDS)
def test_a_changed_file_gives_data_loss_or_a_beginning_of_the_same_records(tmp_path, name):
    whole = (GOLDEN / f"{name}.tfrecord").read_bytes()
    rng = random.Random(7)
    for _ in range(200):
        data = bytearray(whole)
        for _ in range(rng.randint(1, 3)):
            at = rng.randrange(len(data))
            change = rng.choice(("bit", "cut", "insert", "remove"))
            if change == "bit":
                data[at] ^= 1 << rng.randrange(8)
            elif change == "cut":
                del data[at:]
            elif change == "insert":
                data[at:at] = rng.randbytes(rng.randint(1, 9))
            else:
                del data[at : at + rng.randint(1, 9)]
            if not data:
                break
        (tmp_path / "given").write_bytes(bytes(data))
        found = []
        try:
            for record in tf.python_io.tf_record_iterator(tmp_path / "given", KINDS[name]):
                found.append(record)
        except tf.errors.DataLossError:
            pass
        assert found == RECORDS[: len(found)], bytes(data)


# -- the checksum ------------------------------------------------------------------------------------------------------


def test_the_checksum_is_crc_32c():
    """The check value that catalogues of checksums give, and a sum of two parts."""
    for function in (crc32c, lambda data, crc=0: slow(crc, data)):
        assert function(b"123456789") == 0xE3069283
        assert function(b"6789", function(b"12345")) == 0xE3069283
        assert function(b"") == 0


# -- examples ----------------------------------------------------------------------------------------------------------


def test_examples_go_through_a_file(tmp_path):
    train = tf.train
    made = train.Example(
        features=train.Features(
            feature={
                "name": train.Feature(bytes_list=train.BytesList(value=[b"a"])),
                "size": train.Feature(int64_list=train.Int64List(value=[1, -2])),
                "weight": train.Feature(float_list=train.FloatList(value=[0.5])),
            }
        )
    )
    steps = train.SequenceExample(
        feature_lists=train.FeatureLists(feature_list={"x": train.FeatureList(feature=[made.features.feature["size"]])})
    )
    written(tmp_path / "a", [made.SerializeToString(), steps.SerializeToString()])
    first, second = read(tmp_path / "a")
    again = train.Example.FromString(first)
    assert list(again.features.feature["size"].int64_list.value) == [1, -2]
    assert again.features.feature["weight"].WhichOneof("kind") == "float_list"
    assert train.SequenceExample.FromString(second) == steps


def test_an_example_is_tensorflows_on_the_wire():
    """By hand, from the public field numbers."""
    feature = b"\x0a\x03\x0a\x01a"
    entry = b"\x0a\x01k\x12" + bytes([len(feature)]) + feature
    features = b"\x0a" + bytes([len(entry)]) + entry
    data = b"\x0a" + bytes([len(features)]) + features
    assert tf.train.Example.FromString(data).features.feature["k"].bytes_list.value == [b"a"]


# -- mutations of files ------------------------------------------------------------------------------------------------

MANY = [bytes(random.Random(at).randbytes(at % 90)) for at in range(40)]
STARTS = [sum(16 + len(record) for record in MANY[:at]) for at in range(len(MANY))]


def mutated(data, draw):
    """A file with some damage: cut off, bits turned, a length that promises too much, a part doubled or left out."""
    at, other = sorted(draw.randrange(len(data) + 1) for _ in "ab")
    kind = draw.randrange(5)
    if kind == 0:
        return data[:at]
    if kind == 1:
        out = bytearray(data)
        for _ in range(draw.randrange(1, 4)):
            out[draw.randrange(len(out))] ^= 1 << draw.randrange(8)
        return bytes(out)
    if kind == 2:
        size = draw.choice([1 << 20, 1 << 33, 1 << 62, (1 << 64) - 1]).to_bytes(8, "little")
        start = draw.choice(STARTS)
        return data[:start] + size + masked(crc32c(size)).to_bytes(4, "little") + data[start:]
    return data[:other] + data[at:] if kind == 3 else data[:at] + data[other:]


def check_mutations(tmp_path, count, seed):
    """Each damaged file gives some of the records, unharmed, and then ends or raises a typed error that names the file."""
    draw = random.Random(seed)
    path = tmp_path / "given"
    plain = written(path, MANY)
    packed = {None: plain, "ZLIB": zlib.compress(plain), "GZIP": zlib.compress(plain, wbits=31)}
    outcomes, texts = set(), []
    tracemalloc.start()
    try:
        for _ in range(count):
            # damage to what was packed, or to the packed file
            kind = draw.choice([None, None, "ZLIB", "GZIP"])
            inner = {"ZLIB": 15, "GZIP": 31}.get(kind)
            if inner and draw.random() < 0.5:
                data = zlib.compress(mutated(plain, draw), wbits=inner)
            else:
                data = mutated(packed[kind], draw)
            path.write_bytes(data)
            try:
                for record in tf.io.tf_record_iterator(path, kind):
                    # where a part is left out, the head of a record can stand as a record of 8 bytes
                    assert record in MANY or len(record) == 8
                outcomes.add("end")
            except (tf.errors.DataLossError, tf.errors.ResourceExhaustedError) as error:
                outcomes.add(type(error).__name__)
                if isinstance(error, tf.errors.DataLossError):
                    texts.append(str(error))
        assert tracemalloc.get_traced_memory()[1] < 8 << 20
    finally:
        tracemalloc.stop()
    assert outcomes == {"end", "DataLossError", "ResourceExhaustedError"}
    assert all(f"{path} is damaged at byte " in text for text in texts)


def test_damaged_files_give_whole_records_or_typed_errors(tmp_path):
    check_mutations(tmp_path, 300, 1)


@pytest.mark.long
def test_ten_thousand_damaged_files_give_whole_records_or_typed_errors(tmp_path):
    check_mutations(tmp_path, 10_000, 2)
