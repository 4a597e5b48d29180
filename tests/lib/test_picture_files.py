"""Pictures in files: what is damaged or too large is a typed error, and what tfedu writes is read again pixel by pixel."""

import contextlib
import io
import random
import re
import struct
import sys
import zlib

import numpy as np
import pytest
from PIL import Image

import tfedu as tf
from tfedu.engine.files import media, pictures

DRAWS = np.random.RandomState(3)


def decoded(data, **options):
    with tf.Graph().as_default(), tf.Session() as session:
        return session.run(tf.image.decode_image(data, **options))


def noise(height, width, channels, dtype):
    """Smooth rows, equal rows and noise: each filter of PNG suits some of them best."""
    top = np.iinfo(dtype).max
    y, x = np.mgrid[:height, :width]
    pixels = ((x * 7 + y * 3)[..., None] * (1 + np.arange(channels)) % (top + 1)).astype(dtype)
    pixels[height // 3 : height // 2] = DRAWS.randint(0, top, (1, 1, channels))
    pixels[height // 2 :: 3] = DRAWS.randint(0, top, pixels[height // 2 :: 3].shape)
    return pixels


@pytest.mark.parametrize("channels", [1, 2, 3, 4])
@pytest.mark.parametrize("dtype", [np.uint8, np.uint16])
def test_a_png_that_tfedu_writes_is_read_again(channels, dtype):
    for height, width in ((1, 1), (30, 17), (64, 3)):
        pixels = noise(height, width, channels, dtype)
        data = media.png(pixels)
        np.testing.assert_array_equal(pictures.from_png(data, 0, 8 * pixels.itemsize), pixels)
        if dtype == np.uint8 or channels == 1:  # another reader sees the same
            np.testing.assert_array_equal(np.array(Image.open(io.BytesIO(data))).reshape(pixels.shape), pixels)


def test_each_filter_of_png_is_chosen_somewhere():
    kinds = set()
    for channels in (1, 3):
        data = media.png(noise(90, 60, channels, np.uint8))
        start = data.index(b"IDAT") + 4
        rows = zlib.decompressobj().decompress(data[start:])
        kinds |= set(rows[:: 1 + 60 * channels])
    y, x = np.mgrid[:40, :40]
    sums = (x * x // 3 + y * y // 2)[..., None].astype(np.uint8)
    rows = zlib.decompressobj().decompress(media.png(sums)[41:])
    assert kinds | set(rows[::41]) == {0, 1, 2, 3, 4}


def huge(data, width, height):
    """The picture with another size in its header."""
    if data[:2] == b"BM":
        return data[:18] + struct.pack("<ii", width, height) + data[26:]
    if data[:3] == b"GIF":
        return data[:6] + struct.pack("<HH", width, height) + data[10:]
    if data[:2] == b"\xff\xd8":
        at = next(i for i in range(len(data)) if data[i : i + 2] in (b"\xff\xc0", b"\xff\xc2"))
        return data[: at + 5] + struct.pack(">HH", height, width) + data[at + 9 :]
    head = struct.pack(">II", width, height) + data[24:29]
    return data[:16] + head + struct.pack(">I", zlib.crc32(b"IHDR" + head)) + data[33:]


def samples():
    pixels = noise(20, 30, 3, np.uint8)
    made = {"PNG16": media.png(noise(20, 30, 3, np.uint16))}
    for kind in ("JPEG", "PNG", "GIF", "BMP"):
        out = io.BytesIO()
        Image.fromarray(pixels).save(out, kind)
        made[kind] = out.getvalue()
    return made


SAMPLES = samples()


@pytest.mark.parametrize("kind", SAMPLES)
def test_a_picture_that_claims_more_than_the_budget_is_refused_before_memory_is_taken(kind):
    with pytest.raises(tf.errors.ResourceExhaustedError, match=f"The {kind.rstrip('16')} picture"):
        decoded(huge(SAMPLES[kind], 12_000, 12_000))
    with pytest.raises((tf.errors.ResourceExhaustedError, tf.errors.InvalidArgumentError)):
        decoded(huge(SAMPLES[kind], 30_000, 30_000))  # Pillow refuses some of these itself


def test_a_larger_budget_lets_a_larger_picture_in():
    data = SAMPLES["PNG"]
    with tf.io.Budget(bytes=1000), pytest.raises(tf.errors.ResourceExhaustedError, match="The PNG picture"):
        decoded(data)
    with tf.io.Budget(bytes=10_000):
        assert decoded(data).shape == (20, 30, 3)


@pytest.mark.parametrize("kind", SAMPLES)
def test_a_damaged_picture_is_pixels_or_a_typed_error(kind):
    draws, data = random.Random(5), SAMPLES[kind]
    with tf.Graph().as_default(), tf.Session() as session, tf.io.Budget(bytes=1 << 22):
        contents = tf.placeholder(tf.string, [])
        pixels = tf.image.decode_image(contents)
        for _ in range(400):
            damaged = bytearray(data)
            for _ in range(draws.choice([1, 1, 2, 20])):
                damaged[draws.randrange(len(damaged))] = draws.randrange(256)
            if draws.random() < 0.3:
                del damaged[draws.randrange(len(damaged)) :]
            with contextlib.suppress(tf.errors.InvalidArgumentError, tf.errors.ResourceExhaustedError):
                assert session.run(pixels, {contents: bytes(damaged)}).dtype == np.uint8
        assert session.run(pixels, {contents: data}).shape[-3:-1] == (20, 30)


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "GIF"])
def test_without_pillow_the_error_names_the_extra(kind, monkeypatch):
    monkeypatch.setitem(sys.modules, "PIL", None)
    with pytest.raises(tf.errors.OpError, match="need Pillow") as raised:
        decoded(SAMPLES[kind])
    assert 'pip install "tfedu[images]"' in str(raised.value)


def test_bmp_and_deep_png_need_no_pillow(monkeypatch):
    monkeypatch.setitem(sys.modules, "PIL", None)
    assert decoded(SAMPLES["BMP"]).shape == (20, 30, 3)
    assert decoded(SAMPLES["PNG16"], dtype=tf.uint16).dtype == np.uint16


@pytest.mark.parametrize("contents", [b"\x89PNG\r\n\x1a\nxxxx", b"hello"])
def test_a_damaged_file_is_named(contents, tmp_path):
    path = tmp_path / "picture.png"
    path.write_bytes(contents)
    with tf.Graph().as_default(), tf.Session() as session:
        read = tf.read_file(str(path))
        assert session.run(read) == contents
        with pytest.raises(tf.errors.InvalidArgumentError, match=re.escape(str(path))):
            session.run(tf.image.decode_png(tf.identity(read)))
        images = tf.data.Dataset.from_tensors(str(path)).map(lambda name: tf.image.decode_png(tf.read_file(name)))
        with pytest.raises(tf.errors.InvalidArgumentError, match=re.escape(str(path))):
            session.run(images.make_one_shot_iterator().get_next())
