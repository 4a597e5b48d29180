"""`tf.contrib.slim.dataset`: where records are and what they mean."""

from ...engine.models.contrib_records.providers import Dataset

__all__ = [
    "Dataset",
]  # fmt: skip
