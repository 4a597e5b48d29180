"""`get_file` and the datasets of tf.keras: files in ~/.keras/datasets. Nothing is ever fetched. No state."""

from __future__ import annotations

import gzip
import hashlib
import os
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Callable
from typing import Any

import numpy as np

from ...base.errors import DataLossError, error_text


def cache_folder(cache_dir: str | None = None, cache_subdir: str = "datasets") -> str:
    """The folder in which Keras keeps files."""
    home = os.environ.get("KERAS_HOME") or os.path.join(os.path.expanduser("~"), ".keras")
    return os.path.join(cache_dir or home, cache_subdir)


def get_file(
    fname: str, origin: str = "", untar: bool = False, md5_hash: str | None = None, file_hash: str | None = None,
    cache_subdir: str = "datasets", hash_algorithm: str = "auto", extract: bool = False, archive_format: str = "auto",
    cache_dir: str | None = None,
) -> str:  # fmt: skip
    """The path of a file in the cache folder. origin: where TF would fetch it; tfedu fetches nothing.

    Raises: FileNotFoundError for a file that is not there, with where to put it; DataLossError for one with another hash.
    """
    path = os.path.join(cache_folder(cache_dir, cache_subdir), fname)
    if not os.path.exists(path):
        raise missing(path, origin, "put the file there")
    expected = file_hash or md5_hash
    if expected is not None:
        kind = "sha256" if hash_algorithm == "sha256" or len(expected) == 64 else "md5"
        with open(path, "rb") as file:
            found = hashlib.file_digest(file, lambda: hashlib.new(kind, usedforsecurity=False)).hexdigest()
        if found != expected:
            raise DataLossError(None, None, error_text(f"{path} is another file: its {kind} is {found}, not {expected}"))
    return path


def missing(path: str, origin: str, fix: str) -> FileNotFoundError:
    wanted = f" (TensorFlow would fetch it from {origin})" if origin else ""
    return FileNotFoundError(error_text(f"There is no file {path}{wanted}; tfedu fetches nothing", fix=fix))


def told(path: str, read: Callable[[], Any]) -> Any:
    """What `read` gives; a damaged file is a DataLossError."""
    try:
        return read()
    except (OSError, EOFError, KeyError, ValueError, zlib.error, struct.error, zipfile.BadZipFile, tarfile.TarError) as error:
        if isinstance(error, (FileNotFoundError, DataLossError)):
            raise
        raise DataLossError(None, None, error_text(f"{path} is damaged: {error}")) from None


def _arrays(path: str, *names: str) -> list[Any]:
    def read() -> list[Any]:
        with np.load(path, allow_pickle=False) as file:
            return [file[name] for name in names]

    found: list[Any] = told(path, read)
    return found


def load_mnist(path: str = "mnist.npz") -> Any:
    """((x_train [60000, 28, 28], y_train), (x_test [10000, 28, 28], y_test)) of handwritten digits, from mnist.npz."""
    file = path if os.path.isabs(path) else os.path.join(cache_folder(), path)
    if not os.path.exists(file):
        fix = f"put the file there, or let tfedu draw such digits:  tfedu mnist {os.path.dirname(file)}"
        raise missing(file, "https://storage.googleapis.com/tensorflow/tf-keras-datasets/mnist.npz", fix)
    x_train, y_train, x_test, y_test = _arrays(file, "x_train", "y_train", "x_test", "y_test")
    return (x_train, y_train), (x_test, y_test)


def load_fashion_mnist() -> Any:
    """((x_train [60000, 28, 28], y_train), (x_test [10000, 28, 28], y_test)) of clothes, from four files of the IDX format."""
    folder = os.path.join("datasets", "fashion-mnist")
    found = []
    for part in ("train", "t10k"):
        labels = get_file(f"{part}-labels-idx1-ubyte.gz", cache_subdir=folder)
        images = get_file(f"{part}-images-idx3-ubyte.gz", cache_subdir=folder)
        y = told(labels, lambda path=labels: _idx(path, 8))
        x = told(images, lambda path=images: _idx(path, 16))
        found.append((x.reshape(len(y), 28, 28), y))
    return tuple(found)


def _idx(path: str, offset: int) -> Any:
    with gzip.open(path, "rb") as file:
        return np.frombuffer(file.read(), np.uint8, offset=offset)


def load_boston_housing(path: str = "boston_housing.npz", test_split: float = 0.2, seed: int = 113) -> Any:
    """((x_train [n, 13], y_train), (x_test, y_test)) of house prices, shuffled by the seed."""
    file = path if os.path.isabs(path) else get_file(path, "https://storage.googleapis.com/tensorflow/tf-keras-datasets/boston_housing.npz")
    x, y = _arrays(file, "x", "y")
    order = np.arange(len(x))
    np.random.RandomState(seed).shuffle(order)
    x, y = x[order], y[order]
    at = int(len(x) * (1 - test_split))
    return (np.array(x[:at]), np.array(y[:at])), (np.array(x[at:]), np.array(y[at:]))


__all__ = ["cache_folder", "get_file", "load_boston_housing", "load_fashion_mnist", "load_mnist", "missing", "told"]
