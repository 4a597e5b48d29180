"""Rows: the ops that write and read checkpoints. Each row writes what it reads into a folder of the machine's own."""

import atexit
import os
import pathlib
import shutil
import tempfile

import numpy as np
from cases import case
from harness import raw

FOLDER = os.path.join(tempfile.gettempdir(), "tfedu_rows_saving")
PREFIX = np.array(os.path.join(FOLDER, "row").encode(), object)
GOLDEN = np.array(str(pathlib.Path(__file__).resolve().parents[1] / "golden" / "checkpoints" / "adam").encode(), object)
atexit.register(shutil.rmtree, FOLDER, ignore_errors=True)

N = np.array([b"w", b"b"], object)
WHOLE = np.array([b"", b""], object)
W, B = np.array([1.5, 2.5], np.float32), np.array([[1, 2, 3]], np.int64)


def saved(tf, prefix, names, slices, *tensors):
    """The prefix, when everything is saved."""
    with tf.control_dependencies([raw(tf, "SaveV2", prefix=prefix, tensor_names=names, shape_and_slices=slices, tensors=list(tensors))]):
        return tf.identity(prefix)


def loaded(tf, prefix, names, slices, *tensors):
    """What was saved, from the checkpoint."""
    place = saved(tf, prefix, names, slices, *tensors)
    return list(raw(tf, "RestoreV2", prefix=place, tensor_names=names, shape_and_slices=slices, dtypes=[t.dtype for t in tensors]))


case("raw_ops.SaveV2", "form", lambda tf, *g: tf.shape(saved(tf, *g)), PREFIX, N, WHOLE, W, B, nodes=True, shapes=True)
case("raw_ops.RestoreV2", "form", loaded, PREFIX, N, WHOLE, W, B, nodes=True, shapes=True)
case("raw_ops.RestoreV2", "slices", lambda tf, p: raw(tf, "RestoreV2", prefix=p, tensor_names=["layer/w"], shape_and_slices=["3 2 1,2:-"], dtypes=[tf.float32]), GOLDEN, nodes=True, shapes=True)  # fmt: skip
case("raw_ops.RestoreV2", "one tensor", lambda tf, p: raw(tf, "RestoreV2", prefix=p, tensor_names=["global_step"], shape_and_slices=[""], dtypes=[tf.int64]), GOLDEN)  # fmt: skip
case("raw_ops.RestoreV2", "no types", lambda tf, p: raw(tf, "RestoreV2", prefix=p, tensor_names=[], shape_and_slices=[], dtypes=[]), GOLDEN)  # fmt: skip
case("raw_ops.RestoreV2", "another type", lambda tf, p: raw(tf, "RestoreV2", prefix=p, tensor_names=["layer/w"], shape_and_slices=[""], dtypes=[tf.int32]), GOLDEN)  # fmt: skip
case("raw_ops.RestoreV2", "another shape", lambda tf, p: raw(tf, "RestoreV2", prefix=p, tensor_names=["layer/w"], shape_and_slices=["4 2 1,2:-"], dtypes=[tf.float32]), GOLDEN)  # fmt: skip
case("raw_ops.RestoreV2", "unknown name", lambda tf, p: raw(tf, "RestoreV2", prefix=p, tensor_names=["x"], shape_and_slices=[""], dtypes=[tf.float32]), GOLDEN)  # fmt: skip
case("raw_ops.SaveV2", "a name twice", lambda tf, *g: saved(tf, *g), PREFIX, N[[0, 0]], WHOLE, W, B)
case("raw_ops.SaveV2", "too few names", lambda tf, *g: saved(tf, *g), PREFIX, N[:1], WHOLE, W, B)
case("raw_ops.SaveV2", "too few slices", lambda tf, *g: saved(tf, *g), PREFIX, N, WHOLE[:1], W, B)
case("raw_ops.SaveV2", "numbers as names", lambda tf, *g: saved(tf, *g), PREFIX, np.array([1, 2]), WHOLE, W, B)


def merged(tf, prefix, names, slices, *tensors):
    """Two checkpoints made one, and read again."""
    r = [saved(tf, tf.strings.join([prefix, f"_{i}"]), names[i : i + 1], slices[i : i + 1], t) for i, t in enumerate(tensors)]
    with tf.control_dependencies([raw(tf, "MergeV2Checkpoints", checkpoint_prefixes=tf.stack(r), destination_prefix=prefix)]):
        place = tf.identity(prefix)
    return list(raw(tf, "RestoreV2", prefix=place, tensor_names=names, shape_and_slices=slices, dtypes=[t.dtype for t in tensors]))


def merge(tf, prefixes, destination):
    """Something that runs after the merge."""
    with tf.control_dependencies([raw(tf, "MergeV2Checkpoints", checkpoint_prefixes=prefixes, destination_prefix=destination)]):
        return tf.constant(1.0)


case("raw_ops.MergeV2Checkpoints", "two", merged, PREFIX, N, WHOLE, W, B, shapes=True)
case("raw_ops.MergeV2Checkpoints", "rank 0", merge, PREFIX, PREFIX)
case("raw_ops.MergeV2Checkpoints", "rank 1", merge, PREFIX[None], PREFIX[None])

NAME, THREE, SEVEN = np.array(b"a/b", object), np.int32(3), np.int32(7)
case("raw_ops.ShardedFilename", "form", lambda tf, a, i, n: raw(tf, "ShardedFilename", basename=a, shard=i, num_shards=n), NAME, THREE, SEVEN, nodes=True, shapes=True)  # fmt: skip
case("raw_ops.ShardedFilename", "rank 1", lambda tf, a, i, n: raw(tf, "ShardedFilename", basename=a, shard=i, num_shards=n), NAME[None], THREE, SEVEN)  # fmt: skip
case("raw_ops.ShardedFilename", "int64", lambda tf, a, i, n: raw(tf, "ShardedFilename", basename=a, shard=i, num_shards=n), NAME, np.int64(3), SEVEN)  # fmt: skip
case("raw_ops.ShardedFilespec", "form", lambda tf, a, n: raw(tf, "ShardedFilespec", basename=a, num_shards=n), NAME, SEVEN, nodes=True, shapes=True)  # fmt: skip
case("raw_ops.ShardedFilespec", "rank 1", lambda tf, a, n: raw(tf, "ShardedFilespec", basename=a, num_shards=n), NAME, SEVEN[None])
