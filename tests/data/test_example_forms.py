"""Examples in a batch whose forms differ, change and are damaged: each is read as it is read alone."""

import numpy as np
import pytest

import tfedu as tf
from tfedu.engine.files import example_wire as wire


def message(**features):
    kinds = {bytes: "bytes_list", float: "float_list", int: "int64_list"}
    example = tf.train.Example()
    for key, values in features.items():
        getattr(example.features.feature[key], kinds[type(values[0])]).value.extend(values)
    return example.SerializeToString()


def rows(messages):
    return [dict(row) for row in wire.Batch(messages)]


@pytest.fixture(autouse=True)
def _no_forms(monkeypatch):
    monkeypatch.setattr(wire, "_forms", {})


def test_messages_of_one_length_and_other_forms_are_told_apart():
    messages = [message(a=[b"xx"], b=[b"y"]), message(a=[b"x"], b=[b"yy"]), message(c=[b"xx"], b=[b"y"])]
    assert len(set(map(len, messages))) == 1
    assert rows(messages * 2) == [wire.features(each) for each in messages * 2]


def test_every_changed_byte_is_read_as_alone():
    whole = message(number=[3, 400], name=[b"n"], part=[1.5])
    wire.Batch([whole])
    for place in range(len(whole)):
        for bit in range(8):
            data = bytearray(whole)
            data[place] ^= 1 << bit
            batch = wire.Batch([whole, bytes(data), whole])
            try:
                alone = wire.features(bytes(data))
            except wire.Broken:
                assert batch.broken == bytes(data)
                assert len(batch) == 1
            else:
                assert batch.broken is None
                assert list(batch) == [wire.features(whole), alone, wire.features(whole)]


def test_the_last_of_two_features_with_one_key_counts():
    twice = message(a=[1]) + message(a=[2])
    batch = wire.Batch([twice, twice])
    assert batch.features(b"a") == (wire.features(twice)[b"a"],) * 2


def test_forms_are_bounded():
    for size in range(wire._MOST_FORMS + 10):
        wire.Batch([message(a=[bytes(size)])])
    assert len(wire._forms) <= wire._MOST_FORMS
    wire.Batch([message(**{"k" * 5000: [1]})])
    assert all(sum(map(len, form.between)) <= wire._LARGEST_FORM for form in wire._forms.values())


def test_features_that_are_missing_or_of_other_lengths_in_some_examples():
    messages = [
        message(n=[1], f=[0.5, 2.0]),
        message(f=[1.5]),
        message(n=[300, 2, 2**40]),
        message(n=[5], f=[2.5]),
    ]
    parsed = tf.parse_example(
        messages, {"n": tf.VarLenFeature(tf.int64), "f": tf.FixedLenSequenceFeature([], tf.float32, True)}
    )
    with tf.Session() as session:
        for _ in range(2):
            found = session.run(parsed)
            assert found["n"].values.tolist() == [1, 300, 2, 2**40, 5]
            assert found["n"].indices.tolist() == [[0, 0], [2, 0], [2, 1], [2, 2], [3, 0]]
            np.testing.assert_array_equal(found["f"], [[0.5, 2.0], [1.5, 0], [0, 0], [2.5, 0]])
