"""`tf.contrib.slim.parallel_reader`: several readers fill one queue."""

from ...engine.models.contrib_records.parallel_readers import (
    ParallelReader,
    get_data_files,
    parallel_read,
    single_pass_read,
)  # fmt: skip

__all__ = [
    "ParallelReader", "get_data_files", "parallel_read", "single_pass_read",
]  # fmt: skip
