"""Lines that are longer than the buffer: read whole, and in a compressed file only as far as the budget allows."""

import gzip

import pytest

import tfedu as tf

LINE = b"a" * 3_000_000
READERS = {
    "text": lambda path, kind: tf.data.TextLineDataset(path, kind),
    "csv": lambda path, kind: tf.data.experimental.CsvDataset(path, [""], compression_type=kind, buffer_size=1 << 18),
}


def first(dataset):
    element = dataset.make_one_shot_iterator().get_next()
    with tf.Session() as session:
        value = session.run(element)
    return value[0] if isinstance(value, tuple) else value


@pytest.mark.parametrize("reader", READERS)
def test_a_long_line_comes_whole(tmp_path, reader):
    path = tmp_path / "lines"
    path.write_bytes(LINE + b"\nrest")
    assert first(READERS[reader](str(path), "")) == LINE


@pytest.mark.parametrize("reader", READERS)
def test_a_long_line_of_a_compressed_file_needs_the_budget(tmp_path, reader):
    path = tmp_path / "lines.gz"
    path.write_bytes(gzip.compress(LINE + b"\nrest"))
    dataset = READERS[reader](str(path), "GZIP")
    assert first(dataset) == LINE
    with tf.io.Budget(bytes=1_000_000), pytest.raises(tf.errors.ResourceExhaustedError, match=r"lines\.gz needs"):
        first(dataset)
