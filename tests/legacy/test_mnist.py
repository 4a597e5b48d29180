"""The reader of MNIST: its own files, the drawn digits, and files that lie."""

import gzip
import struct

import numpy as np
import pytest

import tfedu as tf
from tfedu import cli
from tfedu.legacy.datasets import csv_datasets, drawn_digits, mnist

RNG = np.random.RandomState(0)
TRAIN, TEST = RNG.randint(0, 256, (60, 28, 28)).astype(np.uint8), RNG.randint(0, 256, (10, 28, 28)).astype(np.uint8)
TRAIN_LABELS, TEST_LABELS = RNG.randint(0, 10, 60).astype(np.uint8), RNG.randint(0, 10, 10).astype(np.uint8)


def idx(array):
    magic = 2051 if array.ndim == 3 else 2049
    return struct.pack(f">{array.ndim + 1}I", magic, *array.shape) + array.tobytes()


@pytest.fixture(params=[True, False], ids=["gzipped", "plain"])
def folder(tmp_path, request):
    for name, array in zip(mnist.FILES, (TRAIN, TRAIN_LABELS, TEST, TEST_LABELS), strict=True):
        data = idx(array)
        (tmp_path / (f"{name}.gz" if request.param else name)).write_bytes(gzip.compress(data) if request.param else data)
    return tmp_path


def test_the_files_of_a_folder_are_read(folder, capsys):
    found = mnist.read_data_sets(str(folder), validation_size=10)
    assert capsys.readouterr().out.count("Extracting") == 4
    assert [part.num_examples for part in found] == [50, 10, 10]
    np.testing.assert_array_equal(found.validation.labels, TRAIN_LABELS[:10])
    np.testing.assert_array_equal(found.train.images, TRAIN[10:].reshape(50, 784).astype(np.float32) * np.float32(1 / 255))
    np.testing.assert_array_equal(found.test.labels, TEST_LABELS)


def test_options_of_the_reader(folder):
    found = mnist.read_data_sets(folder, one_hot=True, dtype=tf.uint8, reshape=False, validation_size=0)
    assert found.train.images.shape == (60, 28, 28, 1)
    assert found.train.images.dtype == np.uint8
    np.testing.assert_array_equal(found.train.labels, np.eye(10)[TRAIN_LABELS])
    with pytest.raises(ValueError, match="Validation size should be between 0 and 60"):
        mnist.read_data_sets(folder, validation_size=61)
    with pytest.raises(TypeError, match="Invalid image dtype"):
        mnist.read_data_sets(folder, dtype=tf.int32, validation_size=1)


def test_batches_go_through_all_examples_and_begin_anew(folder):
    train = mnist.read_data_sets(folder, dtype=tf.uint8, validation_size=0, seed=1).train
    seen = np.concatenate([train.next_batch(20)[0] for _ in range(3)])
    assert {row.tobytes() for row in seen} == {row.tobytes() for row in TRAIN.reshape(60, 784)}
    assert train.epochs_completed == 0
    train.next_batch(50)
    images, labels = train.next_batch(20)
    assert (images.shape, labels.shape, train.epochs_completed) == ((20, 784), (20,), 2)
    images, _ = train.next_batch(150)
    assert len(images) == 150


def test_without_shuffling_the_order_is_the_files(folder):
    test = mnist.read_data_sets(folder, dtype=tf.uint8, validation_size=0).test
    images, labels = test.next_batch(4, shuffle=False)
    np.testing.assert_array_equal(images, TEST[:4].reshape(4, 784))
    np.testing.assert_array_equal(labels, TEST_LABELS[:4])
    images, _ = test.next_batch(8, shuffle=False)
    np.testing.assert_array_equal(images, TEST[[4, 5, 6, 7, 8, 9, 0, 1]].reshape(8, 784))


def test_the_same_seed_gives_the_same_batches(folder):
    one, other = (mnist.read_data_sets(folder, validation_size=0, seed=3).train.next_batch(10)[1] for _ in range(2))
    np.testing.assert_array_equal(one, other)


def test_fake_data(folder):
    found = mnist.read_data_sets(folder, fake_data=True, one_hot=True)
    images, labels = found.train.next_batch(3, fake_data=True)
    assert (found.train.num_examples, images[0], labels[2]) == (10000, [1] * 784, [1] + [0] * 9)


@pytest.fixture(scope="module")
def drawn(tmp_path_factory):
    return mnist.read_data_sets(tmp_path_factory.mktemp("none"), one_hot=True)


def test_without_files_the_digits_are_drawn_and_the_output_says_so(drawn, tmp_path, capsys):
    again = mnist.read_data_sets(tmp_path, validation_size=600, dtype=tf.uint8, reshape=False)
    said = capsys.readouterr().out
    assert "digits in 300 hands that tfedu draws itself" in said
    assert "downloads nothing" in said
    assert [part.num_examples for part in drawn] == [22000, 2000, 6000]
    assert [part.images.shape for part in again] == [(23760, 28, 28, 1), (240, 28, 28, 1), (6000, 28, 28, 1)]
    np.testing.assert_array_equal(again.test.images.reshape(6000, 784) * np.float32(1 / 255), drawn.test.images)


def test_drawn_digits_are_like_those_of_mnist(drawn):
    images = drawn.test.images.reshape(-1, 28, 28)
    assert (images.min(), images.max()) == (0, 1)
    assert images.mean() == pytest.approx(0.12, abs=0.01)  # MNIST's: 0.13
    height = (images.max(2) > 0.3).sum(1)
    width = (images.max(1) > 0.3).sum(1)
    assert np.median(np.maximum(height, width)) == 20
    centres = (images * (np.arange(28) + 0.5)).sum((1, 2)) / images.sum((1, 2))
    assert np.abs(centres - 14).mean() < 0.2
    assert np.bincount(drawn.train.labels.argmax(1)).tolist() == [2200] * 10


def test_drawn_digits_can_be_told_apart_and_no_test_digit_was_trained(drawn):
    near = drawn.train.images[:3000]
    distances = (near**2).sum(-1) - 2 * drawn.test.images[:200] @ near.T
    right = drawn.train.labels[distances.argmin(1)].argmax(1) == drawn.test.labels[:200].argmax(1)
    assert right.mean() > 0.85
    rows = [{image.tobytes() for image in part.images} for part in drawn]
    assert [len(row) for row in rows] == [22000, 2000, 6000]
    assert not rows[0] & rows[2]
    assert not rows[1] & rows[2]


def test_drawn_digits_are_drawn_once_and_cannot_be_changed():
    images, labels = drawn_digits.drawn_digits("validation")
    assert drawn_digits.drawn_digits("validation")[0] is images
    with pytest.raises(ValueError, match="read-only"):
        images[0] = 0
    assert np.bincount(labels).tolist() == [200] * 10
    assert images.sum(dtype=np.int64) == pytest.approx(49381194, rel=1e-5)  # the same everywhere, but for the last bits of exp


def test_every_style_fits_its_box():
    for styles in drawn_digits._curves().values():
        for points, weights, connected in styles:
            assert len(points) <= drawn_digits.MOST_POINTS
            assert weights.shape == (drawn_digits.DOTS, len(points))
            np.testing.assert_allclose(weights.sum(1), 1)
            steps = np.hypot(*np.diff(weights @ points, axis=0).T)[connected]
            assert steps.max() < 8  # dots so near each other that a line has no gaps


def damaged(tmp_path, name, data):
    for file, array in zip(mnist.FILES, (TRAIN, TRAIN_LABELS, TEST, TEST_LABELS), strict=True):
        (tmp_path / file).write_bytes(idx(array))
    (tmp_path / name).write_bytes(data)
    mnist.read_data_sets(tmp_path, validation_size=0)


IMAGES, LABELS = mnist.FILES[:2]


@pytest.mark.parametrize(
    ("name", "data", "error", "text"),
    [
        (IMAGES, b"", ValueError, "Invalid magic number"),
        (IMAGES, idx(TRAIN_LABELS), ValueError, "Invalid magic number 2049 in MNIST image file"),
        (LABELS, idx(TRAIN), ValueError, "Invalid magic number 2051 in MNIST label file"),
        (IMAGES, idx(TRAIN)[:-1], tf.errors.DataLossError, "it holds others"),
        (IMAGES, idx(TRAIN) + b"x", tf.errors.DataLossError, "it holds others"),
        (IMAGES, struct.pack(">4I", 2051, 2**31, 2**16, 2**16), tf.errors.ResourceExhaustedError, "bytes or more; its budget is"),
        (IMAGES, b"\x1f\x8b" + b"\0" * 40, tf.errors.DataLossError, "is damaged"),
        (IMAGES, gzip.compress(idx(TRAIN))[:-20], tf.errors.DataLossError, "is damaged"),
        (LABELS, idx(TRAIN_LABELS[:5]), ValueError, "images.shape"),
    ],
)
def test_a_damaged_file_is_said(tmp_path, name, data, error, text):
    with pytest.raises(error, match=text):
        damaged(tmp_path, name, data)


def test_a_small_file_that_unpacks_to_gigabytes_is_not_unpacked(tmp_path):
    bomb = gzip.compress(struct.pack(">4I", 2051, 60, 28, 28) + bytes(50 << 20))
    (tmp_path / f"{IMAGES}.gz").write_bytes(bomb)
    with open(tmp_path / f"{IMAGES}.gz", "rb") as file, pytest.raises(tf.errors.DataLossError):
        mnist.extract_images(file)


def test_labels_beyond_the_classes_are_said():
    with pytest.raises(ValueError, match="is not one of 10 classes"):
        mnist.dense_to_one_hot(np.array([3, 10], np.uint8), 10)


def test_other_datasets(tmp_path):
    iris = csv_datasets.load_dataset("iris")
    assert (iris.data.shape, np.bincount(iris.target).tolist()) == ((150, 4), [50, 50, 50])
    with pytest.raises(ValueError, match="Name of dataset is not found: dbpedia"):
        csv_datasets.load_dataset("dbpedia")
    file = tmp_path / "t.csv"
    file.write_text("2,2,a,b\n1.0,2.0,0\n3.0,4.0,1\n")
    table = csv_datasets.load_csv_with_header(str(file), np.int32, tf.float32)
    np.testing.assert_array_equal(table.data, np.array([[1, 2], [3, 4]], np.float32))
    np.testing.assert_array_equal(table.target, [0, 1])
    file.write_text("3,2,a,b\n1.0,2.0,0\n")
    with pytest.raises(ValueError, match="says that it holds 3 rows"):
        csv_datasets.load_csv_with_header(str(file), np.int32, np.float32)
    with pytest.raises(FileNotFoundError, match="downloads nothing"):
        csv_datasets.maybe_download("x", str(tmp_path), "somewhere")


def test_the_folder_is_made_as_tensorflow_makes_it(tmp_path, monkeypatch):
    monkeypatch.setattr(mnist, "drawn_digits", lambda part: (TRAIN[:24], TRAIN_LABELS[:24]))
    folder = tmp_path / "data" / "mnist"
    mnist.read_data_sets(folder)
    assert folder.is_dir()
    (tmp_path / "file").write_text("")
    mnist.read_data_sets(tmp_path / "file" / "mnist")


def test_the_drawn_digits_are_written_as_the_files_of_mnist(tmp_path, monkeypatch, capsys):
    parts = {"validation": 2, "train": 4, "test": 3}
    monkeypatch.setattr(mnist, "drawn_digits", lambda part: (TRAIN[: parts[part]], TRAIN_LABELS[: parts[part]]))
    folder = tmp_path / "data" / "mnist"
    assert cli.main(["mnist", str(folder)]) == 0
    assert "not MNIST's" in capsys.readouterr().out
    names = {name + end for name in mnist.FILES for end in ("", ".gz")} | {"mnist.npz"}
    assert {file.name for file in folder.iterdir()} == names
    for plain in mnist.FILES:
        assert gzip.decompress((folder / f"{plain}.gz").read_bytes()) == (folder / plain).read_bytes()
    found = mnist.read_data_sets(folder, validation_size=2, dtype=tf.uint8)
    assert [part.num_examples for part in found] == [4, 2, 3]
    np.testing.assert_array_equal(found.train.images, TRAIN[:4].reshape(4, 784))
    np.testing.assert_array_equal(found.test.labels, TRAIN_LABELS[:3])
    (x, _), (_, labels) = tf.keras.datasets.mnist.load_data(str(folder / "mnist.npz"))
    np.testing.assert_array_equal(x[2:], TRAIN[:4].reshape(4, 28, 28))
    np.testing.assert_array_equal(labels, TRAIN_LABELS[:3])
    with pytest.raises(FileNotFoundError, match=f"tfedu mnist {tmp_path}"):
        tf.keras.datasets.mnist.load_data(str(tmp_path / "mnist.npz"))
    assert cli.main(["mnist", str(folder)]) == 1
    assert "File exists" in capsys.readouterr().err
