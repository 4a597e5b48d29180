"""`tf.python_io`: TFRecord files, written and read by the program itself."""

# ruff: noqa: I001 - the names stand in paragraphs
from .engine.files.tfrecord import TFRecordCompressionType, TFRecordOptions, TFRecordWriter, tf_record_iterator

__all__ = [
    "TFRecordCompressionType", "TFRecordOptions", "TFRecordWriter", "tf_record_iterator",
]  # fmt: skip
