"""TensorFlow's checkpoint format V2 ("tensor bundle"): `reader.Bundle` reads one, `writer.Writer` writes one. No state."""

from .reader import Bundle, Entry, data_path, index_path
from .slices import Part, parsed
from .writer import Writer, merge

__all__ = ["Bundle", "Entry", "Part", "Writer", "data_path", "index_path", "merge", "parsed"]
