"""Graphs whose checkpoints go between tfedu and TensorFlow: each builds variables, gives them values, and says how it saves.

`SETS["adam"](tf, np)` builds a graph and returns a Set; tools/checkpoint_check.py runs them on both sides and keeps those that
TensorFlow wrote in tests/golden/checkpoints. State: SETS.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

SETS: dict[str, Callable[..., Any]] = {}

# every dtype that a checkpoint holds; values are given as int32 and cast (the quantized ones: their bits)
NUMBERS = (
    "float16", "bfloat16", "float32", "float64", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64",
    "complex64", "complex128", "bool",
)  # fmt: skip
QUANTIZED = {"qint8": "int8", "quint8": "uint8", "qint32": "int32"}


@dataclass
class Set:
    """What is saved: `before` runs give the variables their values; `values` are fetched and must come back."""

    values: dict[str, Any]
    before: list[Any] = field(default_factory=list)
    saver: Any = None
    save: Any = None  # (prefix) -> an operation, where there is no saver


def checkpoint_set(build: Callable[..., Any]) -> Callable[..., Any]:
    SETS[build.__name__] = build
    return build


@checkpoint_set
def dtypes(tf: Any, np: Any) -> Set:
    """Every dtype, as vector, matrix, scalar and empty."""
    tensors = {}
    for name in NUMBERS:
        kind = getattr(tf, name)
        tensors[f"vector/{name}"] = tf.cast(tf.constant([0, 1, 5, 0, 100]), kind)
        tensors[f"matrix/{name}"] = tf.cast(tf.constant([[1, 0, 3], [4, 5, 6]]), kind)
        tensors[f"scalar/{name}"] = tf.cast(tf.constant(7), kind)
        tensors[f"empty/{name}"] = tf.cast(tf.zeros([0, 3], tf.int32), kind)
    for name, plain in QUANTIZED.items():
        bits = tf.cast(tf.constant([[1, 2], [100, 4]]), getattr(tf, plain))
        tensors[f"matrix/{name}"] = tf.bitcast(bits, getattr(tf, name))
    tensors["vector/string"] = tf.constant([b"", b"a", "ä€".encode(), b"\x00\xff" * 100])
    tensors["matrix/string"] = tf.constant([[b"one", b"two"], [b"three", b"x" * 300]])
    tensors["scalar/string"] = tf.constant(b"alone")
    tensors["empty/string"] = tf.constant(np.zeros([2, 0], object), tf.string)
    return _by_ops(tf, tensors)


def _by_ops(tf: Any, tensors: dict[str, Any]) -> Set:
    names = sorted(tensors)
    prefix = tf.placeholder_with_default("unset", [], name="prefix")
    saved = tf.raw_ops.SaveV2(
        prefix=prefix, tensor_names=names, shape_and_slices=[""] * len(names), tensors=[tensors[n] for n in names]
    )
    kinds = [tensors[n].dtype for n in names]
    restored = tf.raw_ops.RestoreV2(
        prefix=prefix, tensor_names=names, shape_and_slices=[""] * len(names), dtypes=kinds
    )
    values = {}
    for name, tensor in zip(names, restored, strict=True):
        kind = name.partition("/")[2]
        if kind in QUANTIZED:
            tensor = tf.bitcast(tensor, getattr(tf, QUANTIZED[kind]))
        values[name] = tf.cast(tensor, tf.float32) if kind == "bfloat16" else tensor
    return Set(values, save=(prefix, saved))


@checkpoint_set
def adam(tf: Any, np: Any) -> Set:
    """Three steps of Adam and of a moving average, with all slots and the step."""
    x = tf.constant(np.arange(12, dtype=np.float32).reshape(4, 3) / 10)
    w = tf.Variable(tf.ones([3, 2]), name="layer/w")
    b = tf.get_variable("layer/b", [2], initializer=tf.zeros_initializer(), use_resource=True)
    step = tf.train.get_or_create_global_step()
    loss = tf.reduce_mean(tf.square(tf.matmul(x, w) + b - 1.0))
    train = tf.train.AdamOptimizer(0.1).minimize(loss, global_step=step)
    averages = tf.train.ExponentialMovingAverage(0.9, step)
    with tf.control_dependencies([train]):
        update = averages.apply([w])
    return Set({v.op.name: v for v in tf.global_variables()}, [update] * 3, tf.train.Saver())


@checkpoint_set
def partitioned(tf: Any, np: Any) -> Set:
    """Variables in parts along each axis, beside whole ones."""
    made = {}
    for kind, resource in (("ref", False), ("res", True)):
        made[f"{kind}/rows"] = tf.get_variable(
            f"{kind}/rows", [7, 2], initializer=tf.random_uniform_initializer(seed=1), use_resource=resource,
            partitioner=tf.fixed_size_partitioner(3),
        )  # fmt: skip
        made[f"{kind}/columns"] = tf.get_variable(
            f"{kind}/columns", [2, 5], dtype=tf.int64, initializer=tf.ones_initializer(), use_resource=resource,
            partitioner=tf.fixed_size_partitioner(2, axis=1),
        )  # fmt: skip
    whole = tf.Variable([[1.5]], name="whole")
    return Set({**{n: tf.convert_to_tensor(v) for n, v in made.items()}, "whole": whole}, saver=tf.train.Saver())


@checkpoint_set
def sharded(tf: Any, np: Any) -> Set:
    """A file for each device."""
    made = []
    for i in range(3):
        with tf.device("/gpu:0" if i == 1 else None):
            made.append(tf.Variable(np.arange(4 + i, dtype=np.float64), name=f"v{i}"))
    return Set({v.op.name: v for v in made}, saver=tf.train.Saver(sharded=True))


@checkpoint_set
def strings(tf: Any, np: Any) -> Set:
    """Variables of strings, under other names."""
    a = tf.Variable([[b"a", b""], [b"bc", b"\xff\x00"]], name="a")
    b = tf.Variable(b"scalar", name="b")
    c = tf.Variable(True, name="c")
    return Set({"a": a, "b": b, "c": c}, saver=tf.train.Saver({"other/a": a, "other/b": b, "c": c}))


def older(tf: Any, np: Any, folder: str) -> list[str]:
    """Saves in the older format: every dtype that it holds in one file, and parts in two. Gives the files' names."""
    values = {
        "f": np.array([[1.5, 2, 3], [4, 5, 6]], np.float32), "d": np.array([1.25]), "i": np.array([1, -2, 3], np.int32),
        "l": np.array([-1, 1 << 40]), "u8": np.array([1, 255], np.uint8), "i8": np.array([-1, 5], np.int8),
        "i16": np.array([-1, 5], np.int16), "u16": np.array([1, 65535], np.uint16), "b": np.array([True, False]),
        "s": np.array([b"ab", b"", b"\x00\xff"], object), "c": np.array([1 + 2j], np.complex64), "c128": np.array([3 - 1j]),
        "h": np.array([1.5, -2], np.float16), "scope/scalar": np.float32(7), "empty": np.zeros([0, 3], np.float32),
    }  # fmt: skip
    with tf.Graph().as_default(), tf.Session() as session:
        for name, value in values.items():
            tf.Variable(value, name=name)
        session.run(tf.global_variables_initializer())
        tf.train.Saver(write_version=tf.train.SaverDef.V1).save(
            session, f"{folder}/older.ckpt", write_meta_graph=False, write_state=False
        )
    with tf.Graph().as_default(), tf.Session() as session:

        def rows(shape, dtype=None, partition_info=None):
            first = partition_info.var_offset[0]
            return tf.constant(np.arange(10, dtype=np.float32).reshape(5, 2)[first : first + shape[0]])

        tf.get_variable("p", [5, 2], initializer=rows, partitioner=tf.fixed_size_partitioner(2))
        with tf.device("/cpu:0"):
            tf.get_variable("q", initializer=3.0)
        session.run(tf.global_variables_initializer())
        tf.train.Saver(write_version=tf.train.SaverDef.V1, sharded=True).save(
            session, f"{folder}/older_parts.ckpt", global_step=3, write_meta_graph=False, write_state=False
        )
    return ["older.ckpt", "older_parts.ckpt-3-00000-of-00002", "older_parts.ckpt-3-00001-of-00002"]


def objects(tf: Any, np: Any) -> tuple[Any, dict[str, Any]]:
    """A Checkpoint of objects, a list and an optimizer after a step, and its variables."""
    w = tf.Variable([1.0, 2.0], name="w")
    b = tf.get_variable("b", initializer=[[3.0]], use_resource=True)
    optimizer = tf.train.MomentumOptimizer(0.5, 0.5)
    train = optimizer.minimize(tf.reduce_sum(w) + tf.reduce_sum(b))
    return tf.train.Checkpoint(optimizer=optimizer, parts=[w, {"bias": b}]), {"train": train, "w": w, "b": b}
