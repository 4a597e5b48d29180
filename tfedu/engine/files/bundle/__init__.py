"""TensorFlow's checkpoints: `opened` reads one, `Writer` writes format V2 ("tensor bundle"), `checkpoint_v1.write` V1."""

from . import checkpoint_v1
from .checkpoint_v1 import opened
from .reader import Bundle, Entry, data_path, index_path
from .tensor_slices import Part, parsed
from .writer import Writer, merge

__all__ = ["Bundle", "Entry", "Part", "Writer", "checkpoint_v1", "data_path", "index_path", "merge", "opened", "parsed"]
