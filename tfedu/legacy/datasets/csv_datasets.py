"""`tf.contrib.learn.datasets`: small sets of examples, from the package or from files; nothing is downloaded. No state."""

from __future__ import annotations

import csv
import pathlib
from typing import Any, NamedTuple

import numpy as np

from ...engine.files.gfile import File, Path, local
from .mnist import Datasets, load_mnist

IRIS = pathlib.Path(__file__).with_name("data") / "iris.csv"


class Dataset(NamedTuple):
    """Features [n, …] and what is to be told from them [n]."""

    data: np.ndarray
    target: np.ndarray


def load_csv_with_header(filename: Path, target_dtype: Any, features_dtype: Any, target_column: int = -1) -> Dataset:
    """A table whose first line tells how many examples and features it has."""
    with File(filename) as file:
        rows = csv.reader(file)
        count, width = map(int, next(rows)[:2])
        data, target = _columns(rows, target_dtype, features_dtype, target_column)
    if data.shape[:1] != (count,) or (count and data.shape[1] != width):
        raise ValueError(f"{local(filename)} says that it holds {count} rows of {width} features, and holds {data.shape}")
    return Dataset(data, target)


def load_csv_without_header(filename: Path, target_dtype: Any, features_dtype: Any, target_column: int = -1) -> Dataset:
    """A table of examples, one a line."""
    with File(filename) as file:
        return Dataset(*_columns(csv.reader(file), target_dtype, features_dtype, target_column))


def _columns(rows: Any, target_dtype: Any, features_dtype: Any, column: int) -> tuple[np.ndarray, np.ndarray]:
    table = [row for row in rows if row]
    target = np.array([row.pop(column) for row in table]).astype(_numpy(target_dtype))
    return np.array(table).astype(_numpy(features_dtype)), target


def _numpy(dtype: Any) -> Any:
    return getattr(dtype, "as_numpy_dtype", dtype)


def load_iris(data_path: Path | None = None) -> Dataset:
    """Fisher's 150 flowers, four lengths each, of three species."""
    return load_csv_with_header(IRIS if data_path is None else data_path, int, float)


DATASETS = {"iris": load_iris, "mnist": load_mnist}


def load_dataset(name: str, size: str = "small", test_with_fake_data: bool = False) -> Dataset | Datasets:
    """A set by its name, "iris" or "mnist". Raises: ValueError."""
    if name not in DATASETS:
        raise ValueError(f"Name of dataset is not found: {name}. tfedu carries {', '.join(sorted(DATASETS))}.")
    return DATASETS[name]()


def maybe_download(filename: str, work_directory: str, source_url: str) -> str:
    """The path of a file that is there. Raises: FileNotFoundError for one that would have to be downloaded."""
    path = pathlib.Path(work_directory) / filename
    if not path.is_file():
        raise FileNotFoundError(f"{path} is not there, and tfedu downloads nothing. It is to be had from {source_url}")
    return str(path)
