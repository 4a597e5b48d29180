"""`tf.contrib.slim.data_provider` and `dataset_data_provider`: the items of records."""

from ...engine.models.contrib_records.providers import DataProvider, DatasetDataProvider

__all__ = [
    "DataProvider", "DatasetDataProvider",
]  # fmt: skip
