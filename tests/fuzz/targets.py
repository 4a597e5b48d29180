"""The fuzz targets: functions of bytes, each the law of one way into tfedu from outside.

`TARGETS[name].law(data)` returns a word for what happened ("" where the data was sound) and raises where the law does not hold:
an error of another class than the documented ones, a result that contradicts itself, something left behind. `seeds()` gives
sound inputs to begin with. `make fuzz` looks for inputs that break a law; test_fuzz_corpus.py runs the inputs that it kept.
"""

from __future__ import annotations

import ast
import copy
import functools
import gzip
import json
import pathlib
import random
import re
import struct
import tempfile
import warnings
import xml.etree.ElementTree as ElementTree
import zlib
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import numpy as np

import tfedu as tf
from tests.interop import fuzz as graphs
from tests.property.loops import _Looper
from tests.property.test_plan import compare
from tfedu.engine.base import proto
from tfedu.engine.files import bundle, example_wire, sounds, tfrecord
from tfedu.engine.files.bundle import checkpoint_v1, sorted_table
from tfedu.engine.files.event_files import summary_iterator
from tfedu.engine.ops import example_columns
from tfedu.engine.runtime import schedule as schedules
from tfedu.engine.runtime.plans.plan_loops import NotCompiled
from tfedu.legacy import python2
from tfedu.view.build import graph_record
from tfedu.view.make.scratch_runs import runs_record
from tfedu.view.record_kinds import KINDS, picture, text_of
from tfedu.view.records import RecordError, from_json, to_json

DEADLINE_MS = 300
MOST_NODES = 40  # a graph of which each node is run


class Target(NamedTuple):
    """A law over bytes, sound inputs, and a mutation that keeps the form, of which bits turned at random keep little."""

    law: Callable[[bytes], str]
    seeds: Callable[[], list[bytes]]
    mutate: Callable[[bytes, random.Random], bytes] | None = None


class Bytes:
    """Numbers and texts out of bytes; zeros when they are used up."""

    def __init__(self, data: bytes) -> None:
        self.data, self.at = data, 0

    def take(self, count: int) -> bytes:
        found = self.data[self.at : self.at + count]
        self.at += count
        return found

    def number(self, below: int) -> int:
        return int.from_bytes(self.take(2), "little") % below

    def part(self) -> bytes:
        """A text with its length before it."""
        return self.take(self.number(1 << 16))

    def parts(self) -> Iterator[bytes]:
        while self.at < len(self.data):
            yield self.part()


def joined(*parts: bytes) -> bytes:
    """What Bytes.parts() takes apart."""
    return b"".join(struct.pack("<H", len(part)) + part for part in parts)


class BytesRandom(random.Random):
    """Chooses by bytes, so that a fuzzer steers what a random program generator makes; zeros when they are used up."""

    def __init__(self, data: bytes) -> None:
        super().__init__(0)
        self.bytes = Bytes(data)

    def getrandbits(self, count: int) -> int:
        found = self.bytes.take((count + 7) // 8)
        return int.from_bytes(found, "little") & ((1 << count) - 1)

    def random(self) -> float:
        return self.getrandbits(8) / 256


@contextmanager
def folder() -> Iterator[pathlib.Path]:
    with tempfile.TemporaryDirectory() as path:
        yield pathlib.Path(path)


def drawn(record: Any) -> None:
    """The record's picture is well-formed and its text can be printed, whatever names it holds."""
    kind = KINDS[type(record)]
    if kind.picture is not None:
        ElementTree.fromstring(picture(record))
    if kind.text is not None:
        text_of(record).encode("utf-8")


# -- graphs --------------------------------------------------------------------------------------------------------------


def graph(data: bytes) -> str:
    """GraphDef, binary or text: refused in TF's words and nothing left behind, or exported again and drawn."""
    outcome = graphs.swallow(data)
    if not outcome:
        with tf.Graph().as_default() as made:
            tf.import_graph_def(tf.io.load_graph_def(data), name="")
            again = made.as_graph_def()
            if len(made.get_operations()) <= MOST_NODES:
                drawn(graph_record(made))
        with tf.Graph().as_default() as second:
            tf.import_graph_def(again, name="")
            assert second.as_graph_def() == again
    return outcome


def runs(data: bytes) -> str:
    """The nodes of a graph that is let in: each runs, or fails with an error of a node, within a deadline."""
    try:
        message = tf.io.load_graph_def(data)
        with tf.Graph().as_default() as made:
            tf.import_graph_def(message, name="")
    except graphs.ALLOWED as error:
        return type(error).__name__
    found = Counter()
    options = tf.RunOptions(timeout_in_ms=DEADLINE_MS)
    for op in made.get_operations()[:MOST_NODES]:
        with tf.Session(graph=made) as session:
            try:
                session.run(op, options=options)
                found["ran"] += 1
            except tf.errors.OpError as error:
                found[type(error).__name__] += 1
    assert "InternalError" not in found
    return min(found, default="")


def meta_graph(data: bytes) -> str:
    """MetaGraphDef: as for GraphDef, collections included."""
    return graphs.swallow_meta(data)


def distorted(data: bytes, draw: random.Random) -> bytes:
    """The GraphDef with a lie or two about its nodes; unreadable data as it is."""
    try:
        message = tf.io.load_graph_def(data)
        for _ in range(draw.randint(1, 3)):
            graphs.distort(draw, message)
        return message.SerializeToString(deterministic=True)
    except (*graphs.ALLOWED, UnicodeEncodeError):
        return data


def distorted_meta_graph(data: bytes, draw: random.Random) -> bytes:
    """The MetaGraphDef with a lie about a node or a collection; unreadable data as it is."""
    try:
        message = proto.MetaGraphDef.FromString(data)
        if draw.random() < 0.5:
            graphs.distort(draw, message.graph_def)
        else:
            graphs.distort_collection(draw, message)
        return message.SerializeToString(deterministic=True)
    except (proto.DecodeError, UnicodeEncodeError):
        return data


def sound_graphs() -> list[bytes]:
    text = proto.text_format.MessageToString
    made = graphs.seeds()
    return [*(g.SerializeToString(deterministic=True) for g in made), *(text(g).encode() for g in made)]


def sound_meta_graphs() -> list[bytes]:
    return [data for data in graphs.meta_cases(0, 3) if not graphs.swallow_meta(data)]


# -- checkpoints ---------------------------------------------------------------------------------------------------------

def checkpoint(data: bytes) -> str:
    """The index of a checkpoint of the second format; its data file is that of a sound one."""
    return read_checkpoint({"c.index": table_of(data), "c.data-00000-of-00001": sound_bundle()[1]})


def checkpoint_of_the_first_format(data: bytes) -> str:
    """A checkpoint of the first format, which is one table."""
    return read_checkpoint({"c": table_of(data)})


def table_of(data: bytes) -> bytes:
    """A table file: the bytes themselves after a first byte 0, else keys and values in a table with right checksums."""
    if data[:1] <= b"\0":
        return data[1:]
    parts = list(Bytes(data[1:]).parts())
    return sorted_table.table_bytes(sorted(dict(zip(parts[::2], parts[1::2])).items()))


def read_checkpoint(files: dict[str, bytes]) -> str:
    with folder() as path:
        for name, content in files.items():
            (path / name).write_bytes(content)
        try:
            with bundle.open_checkpoint(str(path / "c")) as found:
                for name in found.names():
                    found.read(name)
        except (tf.errors.OpError, ValueError) as error:
            return type(error).__name__
    return ""


@functools.cache
def sound_bundle() -> tuple[bytes, bytes]:
    """The index and the data of a checkpoint with two tensors."""
    with folder() as path:
        with bundle.Writer(str(path / "c")) as writer:
            writer.add(b"a", np.arange(6, dtype=np.float32).reshape(2, 3), tf.float32)
            writer.add(b"s", np.array([b"x", b"yz"], object), tf.string)
            writer.finish()
        return (path / "c.index").read_bytes(), (path / "c.data-00000-of-00001").read_bytes()


def sound_checkpoints() -> list[bytes]:
    return both_ways(sound_bundle()[0])


def sound_checkpoints_of_the_first_format() -> list[bytes]:
    with folder() as path:
        checkpoint_v1.write(str(path / "c"), [(b"a", None, np.arange(3, dtype=np.float32), tf.float32)])
        return both_ways((path / "c").read_bytes())


def both_ways(table: bytes) -> list[bytes]:
    """What table_of turns into this table: the file, and its keys and values."""
    return [b"\0" + table, b"\1" + joined(*(part for pair in sorted_table.read(table).items() for part in pair))]


def safetensors(data: bytes) -> str:
    """A safetensors file."""
    with folder() as path:
        (path / "x").write_bytes(data)
        try:
            loaded = tf.io.load_safetensors(path / "x")
            tf.io.save_safetensors(path / "y", loaded)
            again = tf.io.load_safetensors(path / "y")
            assert {k: v.tobytes() for k, v in again.items()} == {k: v.tobytes() for k, v in loaded.items()}
        except tf.errors.OpError as error:
            return type(error).__name__
    return ""


def sound_safetensors() -> list[bytes]:
    with folder() as path:
        tf.io.save_safetensors(path / "x", {"a": np.ones([2, 2], np.float32), "b": np.arange(3)})
        return [(path / "x").read_bytes()]


# -- records and events --------------------------------------------------------------------------------------------------

COMPRESSIONS: list[tuple[str, Callable[[bytes], bytes]]] = [("", bytes), ("GZIP", gzip.compress), ("ZLIB", zlib.compress)]


def tf_records(data: bytes) -> str:
    """A TFRecord file: the first byte chooses the compression, and whether the bytes are the file or the records in it."""
    kind, compress = COMPRESSIONS[data[0] % 3 if data else 0]
    framed = bool(data) and data[0] & 4
    plain = b"".join(map(tfrecord.record_bytes, Bytes(data[1:]).parts())) if framed else data[1:]
    with folder() as path:
        (path / "x").write_bytes(compress(plain) if framed or (data and data[0] & 8) else plain)
        try:
            found = list(tf.python_io.tf_record_iterator(str(path / "x"), tf.python_io.TFRecordOptions(kind)))
        except tf.errors.DataLossError:
            assert not framed
            return "DataLossError"
    assert not framed or found == list(Bytes(data[1:]).parts())
    return ""


def events(data: bytes) -> str:
    """An event file whose records have right checksums and any content."""
    with folder() as path:
        (path / "x").write_bytes(b"".join(map(tfrecord.record_bytes, Bytes(data).parts())))
        try:
            list(summary_iterator(str(path / "x")))
        except tf.errors.DataLossError:
            return "DataLossError"
    return ""


def example(data: bytes) -> str:
    """Examples: features or TF's errors, and of what protobuf reads the values that it reads."""
    try:
        message = proto.Example.FromString(data)
    except proto.DecodeError:
        return outcome_of_parsing(data)
    message.DiscardUnknownFields()
    row = example_wire.features(message.SerializeToString())
    for key, feature in message.features.feature.items():
        kind = feature.WhichOneof("kind")
        if kind is not None:
            dtype = {"bytes_list": tf.string, "float_list": tf.float32, "int64_list": tf.int64}[kind]
            values, counts = example_columns.column([row], key.encode(), dtype, "")
            np.testing.assert_array_equal(values, np.array(getattr(feature, kind).value, dtype.as_numpy_dtype))
            assert counts == [len(values)]
    return outcome_of_parsing(data)


EXAMPLE_FEATURES = {
    "x": tf.VarLenFeature(tf.int64), "y": tf.VarLenFeature(tf.float32), "z": tf.VarLenFeature(tf.string),
    "d": tf.FixedLenFeature([2], tf.int64, [1, 2]), "r": tf.FixedLenSequenceFeature([2], tf.float32, True),
}  # fmt: skip
SEQUENCE_FEATURES = {"x": tf.VarLenFeature(tf.int64), "d": tf.FixedLenSequenceFeature([2], tf.int64, True)}


def outcome_of_parsing(data: bytes) -> str:
    """What the three parsing functions do with these bytes, alone and in a batch."""
    found = []
    with tf.Graph().as_default(), tf.Session() as session:
        serialized = tf.constant(data)
        batch = tf.stack([serialized, tf.constant(b""), serialized])
        for parsed in (
            tf.parse_single_example(serialized, EXAMPLE_FEATURES), tf.parse_example(batch, EXAMPLE_FEATURES),
            tf.parse_single_sequence_example(serialized, None, SEQUENCE_FEATURES),
            tf.io.parse_sequence_example(batch, None, SEQUENCE_FEATURES),
        ):  # fmt: skip
            try:
                session.run(parsed)
            except tf.errors.InvalidArgumentError as error:
                found.append(type(error).__name__)
    return found[0] if len(found) == 4 else ""


def sound_examples() -> list[bytes]:
    message = proto.Example()
    message.features.feature["x"].int64_list.value.extend([1, -5, 300])
    message.features.feature["d"].int64_list.value.extend([1, 2])
    message.features.feature["y"].float_list.value.extend([0.5, 2.0])
    message.features.feature["z"].bytes_list.value.extend([b"a", b"bc"])
    sequence = proto.SequenceExample()
    for _ in range(2):
        sequence.feature_lists.feature_list["d"].feature.add().int64_list.value.extend([3, 400])
    return [message.SerializeToString(), sequence.SerializeToString(), b""]


def sound_records() -> list[bytes]:
    parts = joined(b"one", b"", b"three" * 9)
    return [bytes([4 + at]) + parts for at in range(3)] + [b"\x08" + tfrecord.record_bytes(b"a"), b"\0" + parts]


def sound_events() -> list[bytes]:
    event = proto.Event(wall_time=1.5, step=3)
    event.summary.value.add(tag="loss", simple_value=2.0)
    return [joined(proto.Event(file_version="brain.Event:2").SerializeToString(), event.SerializeToString())]


# -- records of the widgets ----------------------------------------------------------------------------------------------


def widget_record(data: bytes) -> str:
    """JSON that a saved notebook may hold: no record, or one that JSON restores, with a picture and a text."""
    try:
        record = from_json(json.loads(data))
    except (RecordError, json.JSONDecodeError, UnicodeDecodeError, RecursionError) as error:
        return type(error).__name__
    assert from_json(json.loads(json.dumps(to_json(record)))) == record
    drawn(record)
    return ""


ODD = [None, True, -1, 0, 3, 10**12, 1.5, "", "x:0", "<b>&amp;", "\ud800", [], [[]], {}, {"kind": "graph"}]


def changed_json(data: bytes, draw: random.Random) -> bytes:
    """The JSON text with one value exchanged, doubled, moved or lost; unreadable data as it is."""
    try:
        tree = json.loads(data)
    except (ValueError, RecursionError):
        return data
    places = []
    todo = [tree]
    while todo:
        item = todo.pop()
        if isinstance(item, dict | list):
            places += [(item, key) for key in (item if isinstance(item, dict) else range(len(item)))]
            todo += item.values() if isinstance(item, dict) else item
    if not places:
        return data
    (item, key), (other, there) = draw.choice(places), draw.choice(places)
    what = draw.randrange(5)
    if what == 0:
        item[key] = copy.deepcopy(draw.choice(ODD))
    elif what == 1:
        del item[key]
    elif what == 2:
        item[key] = copy.deepcopy(other[there])
    elif what == 3 and isinstance(item, list):
        item.append(copy.deepcopy(item[key]))
    elif isinstance(item[key], int):
        item[key] += draw.choice([-1, 1, 7])
    return json.dumps(tree).encode()


def sound_widget_records() -> list[bytes]:
    with tf.Graph().as_default() as made:
        x = tf.Variable(0.0, name="x")
        with tf.control_dependencies([tf.assign_add(x, 1.0)]):
            y = tf.identity(x)
        records = [graph_record(made), runs_record(y, runs=1)]
    return [json.dumps(to_json(record)).encode() for record in records]


# -- sounds --------------------------------------------------------------------------------------------------------------


def sound_file(data: bytes) -> str:
    """A WAV file is refused in TF's words, or has samples of its own bytes; written again, it gives the same samples."""
    try:
        samples, rate = sounds.from_wav(data)
    except sounds.BadSound as error:
        return re.sub(r"but .*", "", str(error))
    assert samples.nbytes <= len(data)
    written = sounds.to_wav(samples / np.float32(1 << 15), rate)
    again, same_rate = sounds.from_wav(written)
    assert np.array_equal(samples, again)
    assert rate == same_rate
    return ""


def sound_files() -> list[bytes]:
    samples = np.linspace(-1, 1, 12, dtype=np.float32)
    two = sounds.to_wav(samples.reshape(6, 2), 44100)
    longer = two[:16] + b"\x12" + two[17:36] + b"\0\0LIST\3\0\0\0abc" + two[36:]
    return [sounds.to_wav(samples.reshape(12, 1), 8000), two, longer]


# -- texts ---------------------------------------------------------------------------------------------------------------


def regular_expression(data: bytes) -> str:
    """pattern, rewrite, text: the ops of regular expressions answer within the deadline or refuse the pattern."""
    source = Bytes(data)
    pattern, rewrite, text = source.part(), source.part(), source.part()
    with tf.Graph().as_default():
        try:
            ops = [tf.strings.regex_full_match([text], pattern), tf.strings.regex_replace([text], pattern, rewrite)]
        except (ValueError, tf.errors.InvalidArgumentError) as error:
            return type(error).__name__
        found = ""
        for op in ops:
            with tf.Session() as session:
                try:
                    session.run(op, options=tf.RunOptions(timeout_in_ms=DEADLINE_MS))
                except tf.errors.InvalidArgumentError as error:
                    found = type(error).__name__
    return found


def sound_expressions() -> list[bytes]:
    return [
        joined(b"(a+)+$", b"\\1", b"a" * 10 + b"b"),
        joined(b"[0-9]{2,3}|\\bx\\b", b"<\\0>", b"x 12 345"),
        joined(b"(?i)h(.)llo", b"\\1", "h\u00e9llo".encode()),
    ]


def program_text(data: bytes) -> str:
    """The text of an old program: where Python 3 reads what its leftovers became, a second pass changes nothing."""
    try:
        changed, _ = python2.convert(data.decode("utf-8"))
        ast.parse(changed)
    except (UnicodeDecodeError, SyntaxError, ValueError, MemoryError, RecursionError) as error:
        return type(error).__name__
    again, _ = python2.convert(changed)
    assert again == changed
    return ""


def sound_texts() -> list[bytes]:
    return [b'print "a", 1,\nexcept E, e:\n  raise E, "x"\nexec "x" in y\nprint `a` <> 0777L\n', b"x = 1 / 2\nprint(x)\n"]


# -- schedules -----------------------------------------------------------------------------------------------------------


def schedule(data: bytes) -> str:
    """A program and an order that the bytes choose: the compiled plan does what the interpreter does."""
    source = BytesRandom(data)
    with tf.Graph().as_default(), warnings.catch_warnings():
        maker = _Looper(0, stateful=True)
        maker.source = source
        program = maker.build(1 + source.randrange(5))
    count: Counter[str] = Counter()
    try:
        compare(program, schedules.random(source.randrange(256)), source.random() < 0.5, count)
    except NotCompiled as reason:
        return type(reason).__name__
    return max(count, default="")


def sound_schedules() -> list[bytes]:
    draw = random.Random(5)
    return [draw.randbytes(300) for _ in range(6)]


TARGETS = {
    "graph": Target(graph, sound_graphs, distorted),
    "runs": Target(runs, sound_graphs, distorted),
    "meta_graph": Target(meta_graph, sound_meta_graphs, distorted_meta_graph),
    "checkpoint": Target(checkpoint, sound_checkpoints),
    "checkpoint_v1": Target(checkpoint_of_the_first_format, sound_checkpoints_of_the_first_format),
    "safetensors": Target(safetensors, sound_safetensors),
    "tf_records": Target(tf_records, sound_records),
    "example": Target(example, sound_examples),
    "events": Target(events, sound_events),
    "widget_record": Target(widget_record, sound_widget_records, changed_json),
    "sound_file": Target(sound_file, sound_files),
    "regular_expression": Target(regular_expression, sound_expressions),
    "program_text": Target(program_text, sound_texts),
    "schedule": Target(schedule, sound_schedules),
}
