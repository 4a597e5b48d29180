"""Files of pictures, pages and records: written completely or not at all; and their JSON. No state."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import Any, Final

from ..engine.files.atomic_write import replace_file

_LONE: Final = re.compile("[\ud800-\udfff]")


def write_bytes(path: str | os.PathLike[str], data: bytes) -> Path:
    """Writes the bytes over the file, if there is one; returns its path. Raises: OSError, and the old file stays."""
    replace_file(os.fspath(path), data)
    return Path(path)


def write_text(path: str | os.PathLike[str], text: str) -> Path:
    """Writes the text as UTF-8, as write_bytes does."""
    return write_bytes(path, text.encode())


def json_text(data: Any, **options: Any) -> str:
    """Returns the data as JSON text that UTF-8 can encode, whatever its strings contain. options: those of json.dumps."""
    # Half a pair of UTF-16 has no UTF-8; its escape in a JSON string means the same.
    return _LONE.sub(lambda half: f"\\u{ord(half[0]):04x}", json.dumps(data, ensure_ascii=False, **options))


__all__ = ["json_text", "write_bytes", "write_text"]
