"""The reader of MNIST that TF 1.x programs import from `tensorflow.examples.tutorials.mnist.input_data`.

    mnist = input_data.read_data_sets("MNIST_data/", one_hot=True)
    images, labels = mnist.train.next_batch(100)

It reads MNIST's own four files where the folder has them. It downloads nothing: elsewhere it gives digits that the package
draws (drawn_digits.py), with the same interface, and prints that it does. Batches are drawn from NumPy's global random state,
as TensorFlow's are. No state.
"""

from __future__ import annotations

import contextlib
import gzip
import pathlib
import zlib
from typing import Any, BinaryIO, NamedTuple

import numpy as np

from ...engine.base import budget, errors
from ...engine.base.dtypes import as_dtype, float32
from ...engine.lib.math.random import get_seed
from .drawn_digits import drawn_digits

DEFAULT_SOURCE_URL = "https://storage.googleapis.com/cvdf-datasets/mnist/"
FILES = ("train-images-idx3-ubyte", "train-labels-idx1-ubyte", "t10k-images-idx3-ubyte", "t10k-labels-idx1-ubyte")


class DataSet:
    """Images [n, 784] (or [n, 28, 28, 1]) with their labels, given in batches.

    dtype: uint8 keeps pixels of 0 to 255, float32 makes them 0 to 1.
    """

    def __init__(
        self,
        images: np.ndarray,
        labels: np.ndarray,
        fake_data: bool = False,
        one_hot: bool = False,
        dtype: Any = float32,
        reshape: bool = True,
        seed: int | None = None,
    ) -> None:
        graph_seed, op_seed = get_seed(seed)
        np.random.seed(graph_seed if seed is None else op_seed)
        dtype = as_dtype(dtype).base_dtype
        if dtype.name not in ("uint8", "float32"):
            raise TypeError(f"Invalid image dtype {dtype!r}, expected uint8 or float32")
        self.one_hot = one_hot
        self._is_fake = fake_data
        if fake_data:
            self._num_examples = 10000
        else:
            if images.shape[0] != labels.shape[0]:
                raise ValueError(f"images.shape: {images.shape} labels.shape: {labels.shape}")
            self._num_examples = images.shape[0]
            if reshape:
                images = images.reshape(images.shape[0], int(np.prod(images.shape[1:])))
            if dtype.name == "float32":
                images = images.astype(np.float32) * np.float32(1.0 / 255.0)
        self._images, self._labels = images, labels
        self._epochs_completed = 0
        self._index = 0

    @property
    def images(self) -> np.ndarray:
        return self._images

    @property
    def labels(self) -> np.ndarray:
        return self._labels

    @property
    def num_examples(self) -> int:
        return self._num_examples

    @property
    def epochs_completed(self) -> int:
        return self._epochs_completed

    def next_batch(self, batch_size: int, fake_data: bool = False, shuffle: bool = True) -> tuple[Any, Any]:
        """The next images and labels; after the last ones the first come again, in another order."""
        if fake_data:
            label: Any = [1] + [0] * 9 if self.one_hot else 0
            return [[1] * 784 for _ in range(batch_size)], [label for _ in range(batch_size)]
        if self._index == 0 and self._epochs_completed == 0 and shuffle:
            self._shuffle()
        images, labels = [], []
        left = batch_size
        while self._index + left > self._num_examples:
            images.append(self._images[self._index :])
            labels.append(self._labels[self._index :])
            left -= self._num_examples - self._index
            self._epochs_completed += 1
            self._index = 0
            if shuffle:
                self._shuffle()
        images.append(self._images[self._index : self._index + left])
        labels.append(self._labels[self._index : self._index + left])
        self._index += left
        if len(images) == 1:
            return images[0], labels[0]
        return np.concatenate(images), np.concatenate(labels)

    def _shuffle(self) -> None:
        order = np.arange(self._num_examples)
        np.random.shuffle(order)
        self._images, self._labels = self._images[order], self._labels[order]


class Datasets(NamedTuple):
    """Three parts of one set of examples."""

    train: DataSet
    validation: DataSet
    test: DataSet


def read_data_sets(
    train_dir: Any,
    fake_data: bool = False,
    one_hot: bool = False,
    dtype: Any = float32,
    reshape: bool = True,
    validation_size: int = 5000,
    seed: int | None = None,
    source_url: str = DEFAULT_SOURCE_URL,
) -> Datasets:
    """MNIST from the files in a folder, which is made; without them, the 30,000 digits that the package draws.

    validation_size: how many of the 60,000 training images are set apart; of the drawn digits, as large a part of their 24,000.

    Raises: ValueError for a size that there is not, DataLossError for a damaged file.
    Differs from TF: nothing is downloaded, `source_url` is not used.
    """
    if fake_data:

        def fake() -> DataSet:
            return DataSet(np.empty(0), np.empty(0), fake_data=True, one_hot=one_hot, dtype=dtype, seed=seed)

        return Datasets(fake(), fake(), fake())

    files = [_find(pathlib.Path(train_dir), name) for name in FILES]
    if all(files):
        train_images, test_images = (_images(file) for file in (files[0], files[2]))
        train_labels, test_labels = (_labels(file, one_hot) for file in (files[1], files[3]))
        apart = validation_size
    else:
        with contextlib.suppress(OSError):  # TF makes the folder to download into it, and programs write beside the files
            pathlib.Path(train_dir).mkdir(parents=True, exist_ok=True)
        train_images, train_labels, test_images, test_labels = _digits(one_hot)
        apart = round(len(train_images) * validation_size / 60000)
    if not 0 <= apart <= len(train_images):
        raise ValueError(f"Validation size should be between 0 and {len(train_images)}. Received: {validation_size}.")
    options: dict[str, Any] = {"dtype": dtype, "reshape": reshape, "seed": seed}
    found = Datasets(
        DataSet(train_images[apart:], train_labels[apart:], **options),
        DataSet(train_images[:apart], train_labels[:apart], **options),
        DataSet(test_images, test_labels, **options),
    )
    if not all(files):
        sizes = " + ".join(f"{part.num_examples} {name}" for name, part in found._asdict().items())
        print(
            f"tfedu: {train_dir} does not hold the files of MNIST, and tfedu downloads nothing. These are digits in 300 hands "
            f"that tfedu draws itself, 28×28 pixels as MNIST's: {sizes}."
        )
    return found


def write_files(folder: Any) -> list[pathlib.Path]:
    """The drawn digits as the four files of MNIST, gzipped and plain, for programs that read the files themselves, and as
    `mnist.npz`, which tf.keras.datasets.mnist reads.

    Raises: FileExistsError for a file that is there, and OSError.
    """
    train_images, train_labels, test_images, test_labels = _digits(one_hot=False)
    parts = (train_images[..., 0], train_labels, test_images[..., 0], test_labels)
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for name, part in zip(FILES, parts, strict=True):
        head = np.array([2049 if part.ndim == 1 else 2051, *part.shape], ">u4")
        data = head.tobytes() + part.astype(np.uint8).tobytes()
        for file, content in ((folder / f"{name}.gz", gzip.compress(data, 6, mtime=0)), (folder / name, data)):
            with open(file, "xb") as opened:
                opened.write(content)
            written.append(file)
    file = folder / "mnist.npz"
    with open(file, "xb") as opened:
        np.savez_compressed(opened, **dict(zip(("x_train", "y_train", "x_test", "y_test"), parts, strict=True)))
    return [*written, file]


def load_mnist(train_dir: Any = "MNIST-data") -> Datasets:
    """`read_data_sets` of a folder."""
    return read_data_sets(train_dir)


def _find(folder: pathlib.Path, name: str) -> pathlib.Path | None:
    return next((file for file in (folder / f"{name}.gz", folder / name) if file.is_file()), None)


def _images(file: pathlib.Path | None) -> np.ndarray:
    assert file is not None
    with open(file, "rb") as opened:
        return extract_images(opened)


def _labels(file: pathlib.Path | None, one_hot: bool) -> np.ndarray:
    assert file is not None
    with open(file, "rb") as opened:
        return extract_labels(opened, one_hot)


def extract_images(f: BinaryIO) -> np.ndarray:
    """Images [n, rows, columns, 1] of uint8 from an idx3 file, gzipped or not.

    Raises: ValueError, DataLossError; ResourceExhaustedError for a file that claims to hold more than the budget (tf.io.Budget).
    """
    data, (count, rows, columns) = _idx(f, 2051, 3)
    return data.reshape(count, rows, columns, 1)


def extract_labels(f: BinaryIO, one_hot: bool = False, num_classes: int = 10) -> np.ndarray:
    """Labels [n] of uint8, or [n, num_classes] of 0 and 1, from an idx1 file. Raises: ValueError, DataLossError."""
    data, _ = _idx(f, 2049, 1)
    return dense_to_one_hot(data, num_classes) if one_hot else data


def dense_to_one_hot(labels_dense: np.ndarray, num_classes: int) -> np.ndarray:
    """Labels [n] as rows [n, num_classes] of 0 with a single 1. Raises: ValueError."""
    labels = labels_dense.ravel()
    if labels.size and labels.max() >= num_classes:
        raise ValueError(f"label {labels.max()} is not one of {num_classes} classes")
    return np.eye(num_classes)[labels]


def _idx(f: BinaryIO, magic: int, rank: int) -> tuple[np.ndarray, tuple[int, ...]]:
    """The bytes of an idx file and its shape. A file is never believed: what it says it holds is compared with what it has."""
    name = getattr(f, "name", "file")
    print("Extracting", name)
    zipped = f.read(2) == b"\x1f\x8b"
    f.seek(0)
    try:
        with gzip.GzipFile(fileobj=f) if zipped else _Plain(f) as stream:
            head = np.frombuffer(stream.read(4 * (rank + 1)), ">u4")
            if len(head) != rank + 1 or head[0] != magic:
                kind = "image" if rank == 3 else "label"
                said = int(head[0]) if len(head) else "nothing"
                raise ValueError(f"Invalid magic number {said} in MNIST {kind} file: {name}")
            shape = tuple(int(size) for size in head[1:])
            wanted = int(np.prod([int(size) for size in shape], dtype=object))
            budget.current().account(name).take("bytes", wanted)
            data = stream.read(wanted + 1)
    except (EOFError, OSError, zlib.error) as e:
        raise errors.DataLossError(None, None, f"{name} is damaged: {e}") from None
    if len(data) != wanted:
        raise errors.DataLossError(None, None, f"{name} says that it holds {wanted} bytes after its head, and it holds others")
    return np.frombuffer(data, np.uint8), shape


class _Plain:
    """A file that is not gzipped, to be used like one that is."""

    def __init__(self, file: BinaryIO) -> None:
        self.read = file.read

    def __enter__(self) -> _Plain:
        return self

    def __exit__(self, *raised: object) -> None:
        pass


def _digits(one_hot: bool) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """The drawn digits as MNIST has its own: to train (those of the writers of the validation part first), and to test."""
    validation, train, test = (drawn_digits(part) for part in ("validation", "train", "test"))
    labels, test_labels = np.concatenate([validation[1], train[1]]), test[1]
    if one_hot:
        labels, test_labels = dense_to_one_hot(labels, 10), dense_to_one_hot(test_labels, 10)
    return np.concatenate([validation[0], train[0]])[..., None], labels, test[0][..., None], test_labels
