"""tf.io.decode_proto: broken messages, and a description of messages that is no text within a graph file."""

import random

import cases_parsing_messages as messages
import pytest

import tfedu as tf

NAMES = list(messages.FIELDS)
TYPES = [getattr(tf, messages.TYPES[kind].split()[0]) for _, kind, *_ in messages.FIELDS.values()]


def read(data):
    return tf.io.decode_proto(data, "my.M", NAMES, TYPES, descriptor_source=messages.SOURCE)


def test_mutated_messages_are_read_or_refused():
    data = tf.placeholder(tf.string, [])
    fields, draw, refused = read(data), random.Random(3), 0
    with tf.Session() as session:
        for _ in range(300):
            text = bytearray(messages.FULL)
            for _ in range(draw.randint(1, 4)):
                at = draw.randrange(len(text))
                text[at : at + draw.choice((0, 1, 5))] = draw.randbytes(draw.randint(0, 3))
            try:
                session.run(fields, {data: bytes(text)})
            except tf.errors.DataLossError:
                refused += 1
    assert 50 < refused < 300


def test_a_length_beyond_the_message_allocates_nothing():
    with pytest.raises(tf.errors.DataLossError), tf.Session() as session:
        session.run(read(b"\x2a\xff\xff\xff\xff\x7fabc"))


def test_the_description_goes_through_a_graph_file():
    with tf.Graph().as_default() as graph:
        made = read([messages.FULL])
    names = [made.sizes.name, made.values[4].name]
    copy = tf.GraphDef.FromString(graph.as_graph_def().SerializeToString())
    assert copy.node[-1].attr["descriptor_source"].s == messages.SOURCE
    with tf.Graph().as_default(), tf.Session() as session:
        sizes, texts = session.run(tf.import_graph_def(copy, return_elements=names))
    assert sizes.tolist()[0][:5] == [1, 2, 1, 2, 1]
    assert texts.tolist() == [[b"x"]]


def test_bytes_that_are_no_text_are_an_attribute():
    source = b"bytes://\x0a\xff\xfe"
    node = tf.io.decode_proto(["a"], "my.M", ["s"], [tf.string], descriptor_source=source).sizes.op
    assert node.get_attr("descriptor_source") == source
    with pytest.raises(tf.errors.InvalidArgumentError, match="file descriptor set"), tf.Session() as session:
        session.run(node.outputs[0])
