"""Rows of the op table: whole files, and sparse tensors on their way through a queue."""

from __future__ import annotations

import atexit
import os
import shutil
import tempfile
from typing import Any

import numpy as np
from cases import array, case
from harness import raw

FOLDER = os.path.join(tempfile.gettempdir(), "tfedu_rows_files")
atexit.register(shutil.rmtree, FOLDER, ignore_errors=True)
PLACE = np.array(os.path.join(FOLDER, "inside", "a.bin").encode(), object)
CONTENT = np.array(b"\x00abc\n", object)


def written(tf: Any, name: Any, content: Any) -> Any:
    with tf.control_dependencies([raw(tf, "WriteFile", filename=name, contents=content)]):
        return tf.identity(name)


case("raw_ops.ReadFile", "what was written", lambda tf, n, c: raw(tf, "ReadFile", filename=written(tf, n, c)), PLACE, CONTENT, nodes=True)
case("raw_ops.ReadFile", "no file", lambda tf, n: raw(tf, "ReadFile", filename=n), np.array(b"/no/such/file", object), shapes=True)
case("raw_ops.ReadFile", "two names", lambda tf, n: raw(tf, "ReadFile", filename=n), np.array([b"a", b"b"], object))
case(
    "raw_ops.MatchingFiles", "a pattern",
    lambda tf, n, c: raw(tf, "MatchingFiles", pattern=tf.strings.regex_replace(written(tf, n, c), "a.bin", "*.b?n")), PLACE, CONTENT,
)  # fmt: skip
case("raw_ops.MatchingFiles", "none", lambda tf, p: raw(tf, "MatchingFiles", pattern=p), np.array([b"/no/*"], object), shapes=True)

INDICES, VALUES, SHAPE = array("int64", 0, 1, 2).reshape(3, 1), array("float32", 5, 6, 7), array("int64", 4)
TWO = np.array([[0, 1], [2, 0], [2, 3]], np.int64)


def stored(tf: Any, indices: Any, values: Any, shape: Any) -> Any:
    """A sparse tensor that goes into the map twice, and comes out."""
    parts = {"sparse_indices": indices, "sparse_values": values, "sparse_shape": shape, "shared_name": "rows", "container": ""}
    numbers = tf.stack([raw(tf, "AddSparseToTensorsMap", **parts) for _ in range(2)])
    return tuple(raw(tf, "TakeManySparseFromTensorsMap", sparse_handles=numbers, dtype=tf.float32, shared_name="rows", container=""))


def parts_stored(tf: Any, indices: Any, values: Any, shape: Any) -> Any:
    numbers = raw(
        tf, "AddManySparseToTensorsMap", sparse_indices=indices, sparse_values=values, sparse_shape=shape, shared_name="rows",
        container="",
    )  # fmt: skip
    return tuple(raw(tf, "TakeManySparseFromTensorsMap", sparse_handles=numbers, dtype=tf.float32, shared_name="rows", container=""))


case("raw_ops.AddSparseToTensorsMap", "form", stored, INDICES, VALUES, SHAPE, nodes=True, shapes=True)
case("raw_ops.AddManySparseToTensorsMap", "form", parts_stored, TWO, VALUES, array("int64", 3, 4), nodes=True, shapes=True)
case("raw_ops.AddManySparseToTensorsMap", "a vector", parts_stored, INDICES, VALUES, SHAPE)
