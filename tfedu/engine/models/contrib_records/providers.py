"""`tf.contrib.slim.dataset`, `data_provider` and `dataset_data_provider`: the items of one record after another. No state."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from ...base.errors import error_text
from ...graph.atomic import atomic
from . import parallel_readers


class Dataset:
    """Where records are, what reads and decodes them, how many there are, and what each item means.

    Further arguments become attributes, too.
    """

    data_sources: Any
    reader: Any
    decoder: Any
    num_samples: Any
    items_to_descriptions: Any

    def __init__(
        self,
        data_sources: Any,
        reader: Any,
        decoder: Any,
        num_samples: Any,
        items_to_descriptions: Any,
        **kwargs: Any,
    ) -> None:
        self.__dict__.update(
            kwargs, data_sources=data_sources, reader=reader, decoder=decoder, num_samples=num_samples,
            items_to_descriptions=items_to_descriptions,
        )  # fmt: skip


class DataProvider:
    """Items by name: their tensors have new values in each run."""

    def __init__(self, items_to_tensors: Mapping[str, Any], num_samples: Any) -> None:
        self._items_to_tensors = items_to_tensors
        self._num_samples = num_samples

    def get(self, items: Iterable[str]) -> list[Any]:
        """The tensors of the items. Raises: ValueError for an item that is not there."""
        items = list(items)
        missing = [item for item in items if item not in self._items_to_tensors]
        if missing:
            raise ValueError(
                error_text(f"DataProvider has no items {missing}; it has {list(self._items_to_tensors)}")
            )
        return [self._items_to_tensors[item] for item in items]

    def list_items(self) -> Any:
        """The names of the items."""
        return self._items_to_tensors.keys()

    def num_samples(self) -> Any:
        """The number of records."""
        return self._num_samples


class DatasetDataProvider(DataProvider):
    """The items of a Dataset's records, which num_readers readers read at once, and record_key: where a record comes from.

    The other arguments are those of `parallel_read`. Raises: ValueError where an item has the name record_key, or where the
    data set has no file.
    """

    @atomic
    def __init__(
        self,
        dataset: Dataset,
        num_readers: int = 1,
        reader_kwargs: dict[str, Any] | None = None,
        shuffle: bool = True,
        num_epochs: int | None = None,
        common_queue_capacity: int = 256,
        common_queue_min: int = 128,
        record_key: str = "record_key",
        seed: int | None = None,
        scope: str | None = None,
    ) -> None:
        key, data = parallel_readers.parallel_read(
            dataset.data_sources, reader_class=dataset.reader, num_epochs=num_epochs, num_readers=num_readers,
            reader_kwargs=reader_kwargs, shuffle=shuffle, capacity=common_queue_capacity,
            min_after_dequeue=common_queue_min, seed=seed, scope=scope,
        )  # fmt: skip
        items = dataset.decoder.list_items()
        if record_key in items:
            raise ValueError(
                error_text(
                    f"The item name used for `record_key` cannot also be used for a dataset item: {record_key}"
                )
            )
        tensors = dict(zip(items, dataset.decoder.decode(data, items)))
        super().__init__({**tensors, record_key: key}, num_samples=dataset.num_samples)
