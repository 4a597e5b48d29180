"""Files of pictures, pages and records: written completely or not at all. No state."""

from __future__ import annotations

import os
from pathlib import Path

from ..engine.files.atomic_write import replace_file


def write_text(path: str | os.PathLike[str], text: str) -> Path:
    """Writes the text as UTF-8 over the file, if there is one; returns its path. Raises: OSError, and the old file stays."""
    replace_file(os.fspath(path), text.encode())
    return Path(path)


__all__ = ["write_text"]
