"""safetensors files: the package of that name reads ours and we read its; damaged ones are refused."""

import json
import os
import random
import struct

import ml_dtypes
import numpy as np
import pytest
import safetensors.numpy

import tfedu as tf
from tfedu.engine.base import dtypes

NUMBERS = (
    "bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float16", "float32", "float64",
    "complex64",
)  # fmt: skip


def tensors():
    made = {f"layer/{kind}": (np.arange(6).reshape(2, 3) % 3).astype(kind) for kind in NUMBERS}
    base = np.arange(24, dtype=np.float32).reshape(2, 3, 4)
    return {**made, "scalar": np.float32(2.5), "empty": np.zeros((0, 4)), "turned": base.T, "ä": base[:, ::-1, ::2]}


def test_the_package_reads_what_is_written(tmp_path):
    path = tmp_path / "m.safetensors"
    tf.io.save_safetensors(path, tensors(), {"made by": "tfedu"})
    found = safetensors.numpy.load_file(path)
    assert found.keys() == tensors().keys()
    for name, value in tensors().items():
        assert found[name].dtype == value.dtype
        assert found[name].shape == value.shape
        assert np.array_equal(found[name], value), name
    with safetensors.safe_open(path, "numpy") as opened:
        assert opened.metadata() == {"made by": "tfedu"}
    assert os.listdir(tmp_path) == ["m.safetensors"]


def test_what_the_package_wrote_is_read(tmp_path):
    path = tmp_path / "m.safetensors"
    contiguous = {name: np.ascontiguousarray(v).reshape(np.shape(v)) for name, v in tensors().items()}
    contiguous["b"] = np.array([1.5, -2.0], ml_dtypes.bfloat16)
    safetensors.numpy.save_file(contiguous, path, {"a": "b"})
    found = tf.io.load_safetensors(path)
    assert found.keys() == contiguous.keys()
    assert dtypes.bfloat16_values(found.pop("b")).tolist() == [1.5, -2.0]
    for name, value in found.items():
        assert value.dtype == contiguous[name].dtype
        assert np.array_equal(value, contiguous[name]), name


def test_a_checkpoint_goes_out_and_comes_back(tmp_path):
    with tf.Graph().as_default(), tf.Session() as session:
        w = tf.Variable([[1.0, 2.0]], name="layer/w")
        h = tf.Variable(tf.cast([1.5, 2.5], tf.bfloat16), name="h")
        session.run(tf.global_variables_initializer())
        saver = tf.train.Saver()
        saver.save(session, tmp_path / "m", write_meta_graph=False)
        tf.io.export_safetensors(tmp_path / "m", tmp_path / "m.safetensors")
        tf.io.import_safetensors(tmp_path / "m.safetensors", tmp_path / "n")
        session.run(w.assign(w * 0.0))
        saver.restore(session, tmp_path / "n")
        assert session.run([w, tf.cast(h, tf.float32)])[0].tolist() == [[1.0, 2.0]]
    assert (tmp_path / "n.data-00000-of-00001").read_bytes() == (tmp_path / "m.data-00000-of-00001").read_bytes()
    with pytest.raises(tf.errors.NotFoundError) as caught:
        tf.io.export_safetensors(tmp_path / "none", tmp_path / "x")
    assert "test_safetensors.py" in str(caught.value)


@pytest.mark.parametrize("value", ["text", np.array([b"a"], object), np.zeros(2, np.complex128), np.array(["a"])])
def test_what_the_format_lacks_is_refused(value, tmp_path):
    with pytest.raises(tf.errors.UnimplementedError):
        tf.io.save_safetensors(tmp_path / "m", {"w": value})
    assert os.listdir(tmp_path) == []


def test_names_and_metadata_are_texts(tmp_path):
    for given in (({3: np.ones(1)},), ({"__metadata__": np.ones(1)},), ({"a": np.ones(1)}, {"a": 1})):
        with pytest.raises(TypeError):
            tf.io.save_safetensors(tmp_path / "m", *given)
    with pytest.raises(tf.errors.NotFoundError):
        tf.io.save_safetensors(tmp_path / "no" / "m", {})
    with pytest.raises(tf.errors.NotFoundError):
        tf.io.load_safetensors(tmp_path / "m")


def lying(path, header, data=b""):
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    path.write_bytes(struct.pack("<Q", len(text)) + text + data)
    return path


def told(shape=(1,), offsets=(0, 4), dtype="F32"):
    return {"dtype": dtype, "shape": shape, "data_offsets": offsets}


@pytest.mark.parametrize(
    "header",
    [
        b"", b"[]", b"nothing", b"[" * 5000, b'{"a":1,"a":2}', {"w": 1}, {"w": {}}, {"w": told(dtype="F99")},
        {"w": told(dtype=7)},
        {"w": told(shape=[-1])}, {"w": told(shape=[2])}, {"w": told(shape=[1 << 60])}, {"w": told(shape=[True])},
        {"w": told(shape=[0, 1 << 60], offsets=[0, 0])}, {"w": told(offsets=[4, 8])}, {"w": told(offsets=[4, 0])},
        {"w": told(), "v": told()}, {"w": told(shape=[1 << 40], offsets=[0, 1 << 42])}, {"w": told(shape=[1] * 70)},
        {"w": told(offsets=[0])}, {}, {"w": told(shape=[1.0])},
    ],
)  # fmt: skip
def test_a_lying_header_is_refused(header, tmp_path):
    with pytest.raises(tf.errors.DataLossError):
        tf.io.load_safetensors(lying(tmp_path / "m", header, bytes(4)))


def test_a_header_longer_than_its_file_is_refused(tmp_path):
    for content in (b"", b"abc", struct.pack("<Q", 1 << 62) + b"{}", struct.pack("<Q", 3) + b"{}"):
        (tmp_path / "m").write_bytes(content)
        with pytest.raises(tf.errors.DataLossError):
            tf.io.load_safetensors(tmp_path / "m")


def test_a_damaged_header_gives_a_clean_error_or_tensors_of_the_file_s_size(tmp_path):
    path = tmp_path / "m"
    tf.io.save_safetensors(path, tensors())
    whole = path.read_bytes()
    end = 8 + int.from_bytes(whole[:8], "little")
    draw = random.Random(3)
    refused = 0
    for _ in range(300):
        data = bytearray(whole)
        for _ in range(draw.choice([1, 1, 3])):
            data[draw.randrange(end)] ^= 1 << draw.randrange(8)
        path.write_bytes(data)
        try:
            found = tf.io.load_safetensors(path)
            assert sum(np.asarray(v).nbytes for v in found.values()) <= len(whole)
        except (tf.errors.DataLossError, tf.errors.UnimplementedError):
            refused += 1
    assert refused > 100
