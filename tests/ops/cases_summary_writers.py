"""Rows: the ops that write summaries into event files. Each row opens a writer in a folder of the machine's own, and closes it."""

import atexit
import os
import shutil
import tempfile
from typing import Any

import numpy as np
from cases import array, case
from harness import raw

FOLDER = os.path.join(tempfile.gettempdir(), "tfedu_rows_summaries")
PLACE = np.array(FOLDER.encode(), object)
atexit.register(shutil.rmtree, FOLDER, ignore_errors=True)
STEP = np.int64(3)
PICTURES = np.arange(24, dtype=np.float32).reshape(1, 2, 4, 3)
SOUNDS = np.zeros((1, 5, 1), np.float32)


def written(tf: Any, folder: Any, type: str, **inputs: Any) -> Any:
    """The folder's name, when one op has written and the file is closed."""
    writer = raw(tf, "SummaryWriter", shared_name="rows", container="")
    opened = raw(
        tf, "CreateSummaryFileWriter", writer=writer, logdir=folder, max_queue=10, flush_millis=1000, filename_suffix=".rows"
    )
    with tf.control_dependencies([opened]):
        written_one = raw(tf, type, writer=writer, **inputs)
    with tf.control_dependencies([written_one]):
        flushed = raw(tf, "FlushSummaryWriter", writer=writer)
    with tf.control_dependencies([flushed]):
        closed = raw(tf, "CloseSummaryWriter", writer=writer)
    with tf.control_dependencies([closed]):
        return tf.identity(folder)


ROWS: dict[str, tuple[dict[str, Any], Any]] = {
    "WriteScalarSummary": ({"tag": "a"}, np.float32(1.5)),
    "WriteHistogramSummary": ({"tag": "a"}, array("float32", 1, 2, 2)),
    "WriteSummary": ({"tag": "a", "summary_metadata": ""}, array("int32", 1, 2)),
}
for name, (inputs, value) in ROWS.items():
    label = {"WriteScalarSummary": "value", "WriteHistogramSummary": "values", "WriteSummary": "tensor"}[name]

    def one(tf: Any, folder: Any, step: Any, x: Any, name: str = name, label: str = label, inputs: Any = inputs) -> Any:
        return written(tf, folder, name, step=step, **{label: x}, **inputs)

    case(f"raw_ops.{name}", "form", one, PLACE, STEP, value, nodes=True)
case(
    "raw_ops.WriteHistogramSummary", "not finite",
    lambda tf, f, s, x: written(tf, f, "WriteHistogramSummary", step=s, tag="a", values=x), PLACE, STEP, array("float32", np.nan),
)  # fmt: skip
case(
    "raw_ops.WriteImageSummary", "form",
    lambda tf, f, s, x, c: written(tf, f, "WriteImageSummary", step=s, tag="a", tensor=x, bad_color=c),
    PLACE, STEP, PICTURES, array("uint8", 255, 0, 0, 255), nodes=True,
)  # fmt: skip
case(
    "raw_ops.WriteImageSummary", "a matrix",
    lambda tf, f, s, x, c: written(tf, f, "WriteImageSummary", step=s, tag="a", tensor=x, bad_color=c),
    PLACE, STEP, PICTURES[0, 0], array("uint8", 255, 0, 0, 255),
)  # fmt: skip
case(
    "raw_ops.WriteAudioSummary", "form",
    lambda tf, f, s, x: written(tf, f, "WriteAudioSummary", step=s, tag="a", tensor=x, sample_rate=8000.0), PLACE, STEP, SOUNDS,
    nodes=True,
)  # fmt: skip
case(
    "raw_ops.WriteGraphSummary", "form", lambda tf, f, s, x: written(tf, f, "WriteGraphSummary", step=s, tensor=x), PLACE, STEP,
    np.array(b"", object), nodes=True,
)  # fmt: skip
case(
    "raw_ops.WriteGraphSummary", "no graph", lambda tf, f, s, x: written(tf, f, "WriteGraphSummary", step=s, tensor=x), PLACE, STEP,
    np.array(b"\xff", object),
)  # fmt: skip
case("raw_ops.ImportEvent", "form", lambda tf, f, x: written(tf, f, "ImportEvent", event=x), PLACE, np.array(b"", object), nodes=True)
case("raw_ops.ImportEvent", "no event", lambda tf, f, x: written(tf, f, "ImportEvent", event=x), PLACE, np.array(b"\xff", object))


def unready(tf: Any, folder: Any) -> Any:
    """A writer that was not opened."""
    writer = raw(tf, "SummaryWriter", shared_name="unready", container="")
    with tf.control_dependencies([raw(tf, "FlushSummaryWriter", writer=writer)]):
        return tf.identity(folder)


case("raw_ops.FlushSummaryWriter", "not open", unready, PLACE)
