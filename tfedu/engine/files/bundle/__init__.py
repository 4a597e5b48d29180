"""TensorFlow's checkpoints: `open_checkpoint` reads them, `Writer` writes V2 ("tensor bundle"), `checkpoint_v1.write` V1."""

import os

from ..gfile import glob
from . import checkpoint_v1
from .bundle_reader import Bundle, data_path, index_path
from .bundle_writer import Writer, merge
from .checkpoint import Checkpoint, Entry
from .tensor_slices import Part, parse_spec


def open_checkpoint(prefix: str) -> Checkpoint:
    """Opens a checkpoint in either format.

    Raises: NotFoundError for a missing one, DataLossError for a damaged one and for other files.
    """
    paths = [] if os.path.exists(index_path(prefix)) else glob(prefix)
    return checkpoint_v1.CheckpointV1(prefix, paths) if paths else Bundle(prefix)


__all__ = [
    "Bundle", "Checkpoint", "Entry", "Part", "Writer", "checkpoint_v1", "data_path", "index_path", "merge", "open_checkpoint",
    "parse_spec",
]  # fmt: skip
