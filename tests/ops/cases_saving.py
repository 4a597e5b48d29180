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


# -- the older format --

OLDER = np.array(str(pathlib.Path(__file__).resolve().parents[1] / "golden" / "checkpoints" / "older.ckpt").encode(), object)
PARTS = np.array(OLDER.item().replace(b"older", b"older_parts") + b"-3-?????-of-00002", object)
SAVED = np.array(PREFIX.item() + b"_older", object)
TAG = {"f": np.array(b"f", object), "p": np.array(b"p", object)}


def after_older(tf, kind, prefix, **more):
    """The name, when everything is saved."""
    with tf.control_dependencies([raw(tf, kind, filename=prefix, **more)]):
        return tf.identity(prefix)


def older(tf, prefix, names, *tensors):
    """What was saved by Save, and one of it by Restore."""
    place = after_older(tf, "Save", prefix, tensor_names=names, data=list(tensors))
    first = raw(tf, "Restore", file_pattern=place, tensor_name=names[0], dt=tensors[0].dtype)
    return [first, *raw(tf, "RestoreV2", prefix=place, tensor_names=names, shape_and_slices=WHOLE, dtypes=[t.dtype for t in tensors])]


def older_slices(tf, prefix, names, slices, *tensors):
    place = after_older(
        tf, "SaveSlices", prefix, tensor_names=names, shapes_and_slices=slices, data=list(tensors)
    )
    return [raw(tf, "RestoreSlice", file_pattern=place, tensor_name=names[i], shape_and_slice=slices[i], dt=t.dtype) for i, t in enumerate(tensors)]  # fmt: skip


def restore(tf, pattern, name, dt="float32"):
    return raw(tf, "Restore", file_pattern=pattern, tensor_name=name, dt=getattr(tf, dt))


def restore_slice(tf, pattern, name, spec, dt="float32"):
    return raw(tf, "RestoreSlice", file_pattern=pattern, tensor_name=name, shape_and_slice=spec, dt=getattr(tf, dt))


case("raw_ops.Save", "form", lambda tf, *g: older(tf, *g), SAVED, N, W, B, nodes=True, shapes=True)
case("raw_ops.SaveSlices", "form", lambda tf, *g: older_slices(tf, *g), SAVED, N, np.array([b"4 1,2", b""], object), W, B, nodes=True)
case("raw_ops.Save", "a name twice", lambda tf, *g: older(tf, *g), SAVED, N[[0, 0]], W, B)
case("raw_ops.Save", "too few names", lambda tf, *g: older(tf, *g), SAVED, N[:1], W, B)
case("raw_ops.SaveSlices", "a slice of another shape", lambda tf, *g: older_slices(tf, *g), SAVED, N, np.array([b"4 1,3", b""], object), W, B)  # fmt: skip
case("raw_ops.SaveSlices", "too few slices", lambda tf, *g: older_slices(tf, *g), SAVED, N, WHOLE[:1], W, B)
case("raw_ops.Restore", "form", restore, OLDER, TAG["f"], nodes=True, shapes=True)
case("raw_ops.Restore", "parts", restore, PARTS, TAG["p"])
case("raw_ops.Restore", "another type", lambda tf, *g: restore(tf, *g, dt="int32"), OLDER, TAG["f"])
case("raw_ops.RestoreSlice", "form", lambda tf, *g: restore_slice(tf, *g, "2 3 -:1,2"), OLDER, TAG["f"], nodes=True, shapes=True)
case("raw_ops.RestoreSlice", "over parts", lambda tf, *g: restore_slice(tf, *g, "5 2 1,3:-"), PARTS, TAG["p"])
case("raw_ops.RestoreSlice", "another shape", lambda tf, *g: restore_slice(tf, *g, "4 2 1,2:-"), PARTS, TAG["p"])
case("raw_ops.RestoreSlice", "no slice", lambda tf, *g: restore_slice(tf, *g, "five"), PARTS, TAG["p"])
case("raw_ops.RestoreSlice", "rank 1", lambda tf, *g: restore_slice(tf, *g, ["5 2 -:-"]), PARTS, TAG["p"])
case("raw_ops.RestoreV2", "the older format", lambda tf, p: raw(tf, "RestoreV2", prefix=p, tensor_names=["f", "h"], shape_and_slices=["2 3 -:1,2", ""], dtypes=[tf.float32, tf.float16]), OLDER)  # fmt: skip
case("raw_ops.RestoreV2", "the older format, another type", lambda tf, p: raw(tf, "RestoreV2", prefix=p, tensor_names=["f"], shape_and_slices=[""], dtypes=[tf.int32]), OLDER)  # fmt: skip
case("raw_ops.RestoreV2", "the older format, another shape", lambda tf, p: raw(tf, "RestoreV2", prefix=p, tensor_names=["f"], shape_and_slices=["4 2 1,2:-"], dtypes=[tf.float32]), OLDER)  # fmt: skip
