"""Files of pictures, pages and records: written completely or not at all. No state."""

from __future__ import annotations

import os
from pathlib import Path

from ..engine.files.atomic_write import replace_file


def write_bytes(path: str | os.PathLike[str], data: bytes) -> Path:
    """Writes the bytes over the file, if there is one; returns its path. Raises: OSError, and the old file stays."""
    replace_file(os.fspath(path), data)
    return Path(path)


def write_text(path: str | os.PathLike[str], text: str) -> Path:
    """Writes the text as UTF-8, as write_bytes does."""
    return write_bytes(path, text.encode())


__all__ = ["write_bytes", "write_text"]
