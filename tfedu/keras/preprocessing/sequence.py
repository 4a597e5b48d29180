"""`tf.keras.preprocessing.sequence`: lists of numbers as arrays."""
from ...engine.models.keras_data.sequences_of_numbers import (
    TimeseriesGenerator,
    make_sampling_table,
    pad_sequences,
    skipgrams,
)

__all__ = [
    "TimeseriesGenerator", "make_sampling_table", "pad_sequences", "skipgrams",
]  # fmt: skip
