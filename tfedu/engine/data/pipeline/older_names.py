"""Functions of `tf.data` that do what methods of datasets and iterators did before them: `tf.data.get_output_types(dataset)`."""

from __future__ import annotations

from typing import Any

from .dataset import Dataset
from .iterators import Iterator


def make_one_shot_iterator(dataset: Dataset) -> Iterator:
    """`dataset.make_one_shot_iterator()`."""
    return dataset.make_one_shot_iterator()


def make_initializable_iterator(dataset: Dataset, shared_name: str | None = None) -> Iterator:
    """`dataset.make_initializable_iterator(shared_name)`."""
    return dataset.make_initializable_iterator(shared_name)


def get_output_types(dataset_or_iterator: Any) -> Any:
    """The dtypes of an element's components, in its nest."""
    return dataset_or_iterator.output_types


def get_output_shapes(dataset_or_iterator: Any) -> Any:
    """The shapes of an element's components, in its nest."""
    return dataset_or_iterator.output_shapes


def get_output_classes(dataset_or_iterator: Any) -> Any:
    """The classes of an element's components, in its nest."""
    return dataset_or_iterator.output_classes


__all__ = [
    "get_output_classes", "get_output_shapes", "get_output_types", "make_initializable_iterator", "make_one_shot_iterator",
]  # fmt: skip
