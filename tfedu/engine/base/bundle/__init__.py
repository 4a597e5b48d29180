"""TensorFlow's checkpoints: `opened` reads one, `Writer` writes format V2 ("tensor bundle"), `older.write` V1. No state."""

from . import older
from .older import opened
from .reader import Bundle, Entry, data_path, index_path
from .slices import Part, parsed
from .writer import Writer, merge

__all__ = ["Bundle", "Entry", "Part", "Writer", "data_path", "index_path", "merge", "older", "opened", "parsed"]
