"""Writes small files by the oracle: records, events and checkpoints of the older format, as TensorFlow itself leaves them.

Run with the oracle's interpreter: ``python tools/oracle/record_files.py``. The times in the events are put to zero, so that a
second run writes the same bytes; the checksums are TensorFlow's own.
"""

import os
import pathlib
import sys
import tempfile

import _oracle
import as_1_15

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tests" / "interop"))
import checkpoint_sets
import numpy as np

CHECKPOINTS = pathlib.Path(__file__).resolve().parents[2] / "tests" / "golden" / "checkpoints"
HERE = pathlib.Path(__file__).resolve().parents[2] / "tests" / "golden" / "events"
RECORDS = [b"abc", b"", bytes(range(256)), b"x" * 5000, "größer".encode()]


def main():
    tf = as_1_15.namespace(_oracle.load())
    HERE.mkdir(exist_ok=True)
    for name, kind in (("plain", None), ("zlib", "ZLIB"), ("gzip", "GZIP")):
        with tf.python_io.TFRecordWriter(str(HERE / f"{name}.tfrecord"), kind) as writer:
            for record in RECORDS:
                writer.write(record)
    with tempfile.TemporaryDirectory() as folder:
        write_events(tf, folder)
        (name,) = os.listdir(folder)
        with tf.python_io.TFRecordWriter(str(HERE / "all.tfevents")) as writer:
            for event in tf.train.summary_iterator(os.path.join(folder, name)):
                event.wall_time = 0
                for field, kind in (("graph_def", tf.GraphDef), ("meta_graph_def", tf.MetaGraphDef)):
                    if event.WhichOneof("what") == field:  # maps have no order
                        message = kind.FromString(getattr(event, field))
                        setattr(event, field, message.SerializeToString(deterministic=True))
                writer.write(event.SerializeToString(deterministic=True))
    checkpoint_sets.older(tf, np, str(CHECKPOINTS))
    with tf.Graph().as_default(), tf.Session() as session:
        checkpoint, made = checkpoint_sets.objects(tf, np)
        session.run(tf.global_variables_initializer())
        session.run(made["train"])
        session.run(checkpoint.save_counter.initializer)
        checkpoint.write(str(CHECKPOINTS / "objects"), session=session)
    for path in [*sorted(HERE.iterdir()), *sorted(CHECKPOINTS.glob("o*"))]:
        print(f"{path.name}: {path.stat().st_size} bytes")


def write_events(tf, folder):
    """One event of each kind."""
    with tf.Graph().as_default() as graph, tf.Session() as session:
        x = tf.placeholder(tf.float32, [3], name="x")
        tf.summary.scalar("mean", tf.reduce_mean(x))
        tf.summary.histogram("x", x)
        tf.summary.text("note", tf.constant("*three* numbers"))
        merged = tf.summary.merge_all()
        with tf.summary.FileWriter(folder, graph) as writer:
            for step in range(3):
                writer.add_summary(session.run(merged, {x: [step, 1, -2]}), step)
            writer.add_session_log(tf.SessionLog(status=tf.SessionLog.CHECKPOINT, checkpoint_path="model-3"), 3)
            metadata = tf.RunMetadata()
            metadata.step_stats.dev_stats.add(device="/cpu:0").node_stats.add(node_name="x", all_start_micros=7)
            writer.add_run_metadata(metadata, "run 3", 3)


if __name__ == "__main__":
    main()
