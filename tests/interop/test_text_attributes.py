"""Text attributes whose bytes are no UTF-8: the ops compute with these bytes, files and pictures keep them."""

import json

import pytest

import tfedu as tf
from tfedu.view.make.graph_records import graph_record
from tfedu.view.records.codec import to_json

BYTE = b"\xff"


@pytest.fixture
def joined():
    with tf.Graph().as_default():
        yield tf.strings.reduce_join(["a", "b"], 0, separator=BYTE, name="joined")


def test_the_ops_compute_with_the_bytes(joined):
    texts = {
        joined: b"a\xffb",
        tf.strings.join(["a", "b"], separator=BYTE): b"a\xffb",
        tf.strings.regex_replace("a", "a", BYTE): BYTE,
    }
    with tf.Session() as session:
        assert session.run(list(texts)) == list(texts.values())


def test_a_graph_file_has_the_bytes(joined):
    message = joined.graph.as_graph_def()
    assert next(node for node in message.node if node.name == joined.op.name).attr["separator"].s == BYTE
    with tf.Graph().as_default(), tf.Session() as session:
        (again,) = tf.import_graph_def(message, return_elements=[joined.name])
        assert session.run(again) == b"a\xffb"


def test_a_record_of_the_graph_is_text(joined):
    text = json.dumps(to_json(graph_record(joined.graph)), ensure_ascii=False)
    assert "separator" in text
    text.encode()


def test_an_encoding_that_is_no_text_is_refused():
    with tf.Session() as session, pytest.raises(tf.errors.InvalidArgumentError, match="input encoding"):
        session.run(tf.strings.unicode_decode(["a"], BYTE))
