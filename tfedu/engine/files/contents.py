"""From which file bytes came, for errors about them: `note(data, path)` when a file is read, `named(data)` in the error.

A file is known by its length and its first and last bytes. State: the last files that were read, `_LIMIT` at most.
"""

from __future__ import annotations

_LIMIT = 4096
_files: dict[tuple[int, bytes, bytes], str] = {}


def _key(data: bytes) -> tuple[int, bytes, bytes]:
    return len(data), data[:64], data[-64:]


def note(data: bytes, path: str) -> None:
    """Remembers that these are the bytes of the file at a path."""
    if len(_files) >= _LIMIT:
        _files.clear()
    _files[_key(data)] = path


def named(data: bytes) -> str:
    """ " a.png" for the contents of a file that was read, "" for other bytes."""
    path = _files.get(_key(data))
    return f" {path}" if path else ""


__all__ = ["named", "note"]
