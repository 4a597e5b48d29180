"""Files that are replaced as a whole: `write_whole("model.meta", data)`; a reader sees the old content or the new.

The new content stands in a file beside (`model.meta.tmp-…`), which is locked while it is written; `remove_leftovers(folder)`
deletes those that nobody writes any more, which a process that was killed leaves behind. No state.
"""

from __future__ import annotations

import contextlib
import os
import pathlib
import re
import tempfile
from collections.abc import Callable
from types import TracebackType
from typing import Any

try:
    import fcntl
except ImportError:  # not on Windows
    fcntl = None  # type: ignore[assignment]

_LEFT = re.compile(r".\.tmp-[0-9a-z_]{8}\Z")


class Pending:
    """A file that is being written beside the one that it will replace.

    `with Pending(path) as p: p.write(data); p.commit()`; without the commit nothing remains of it.
    """

    def __init__(self, path: str) -> None:
        folder, name = os.path.split(path)
        self.path = path
        handle, self._beside = tempfile.mkstemp(prefix=f"{name}.tmp-", dir=folder or ".")
        self._file = os.fdopen(handle, "wb", buffering=1 << 20)
        if fcntl is not None:
            with contextlib.suppress(OSError):  # some network disks know no locks
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        # How a write to the file goes: tests put failing disks in its place.
        self.write: Callable[[Any], Any] = self._file.write

    def finish(self) -> None:
        """Brings all that was written to the disk."""
        self._file.flush()
        os.fsync(self._file.fileno())

    def commit(self, path: str | None = None) -> None:
        """Puts the file in the place of the old one, or under another name of the same folder."""
        self.finish()
        # As a new file would have it; mkstemp lets nobody else read.
        mask = os.umask(0)
        os.umask(mask)
        os.chmod(self._beside, 0o666 & ~mask)
        os.replace(self._beside, path or self.path)

    def __enter__(self) -> Pending:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None
    ) -> None:
        pathlib.Path(self._beside).unlink(missing_ok=True)
        with contextlib.suppress(OSError) if error is not None else contextlib.nullcontext():
            self._file.close()


def write_whole(path: str, data: bytes) -> None:
    """Puts `data` into the file: a reader sees the old content or the new, never a part of it."""
    with Pending(path) as pending:
        pending.write(data)
        pending.commit()


def remove_leftovers(folder: str) -> None:
    """Deletes the files beside that no process writes any more."""
    if fcntl is None:
        return
    for name in os.listdir(folder or "."):
        if not _LEFT.search(name):
            continue
        path = os.path.join(folder, name)
        # Another process may be faster, or not let go of it.
        with contextlib.suppress(OSError):
            with open(path, "rb") as file:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                os.remove(path)


def sync_folder(folder: str) -> None:
    """Brings a folder's names to the disk, so that they outlast a loss of power."""
    with contextlib.suppress(OSError):
        handle = os.open(folder or ".", os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


__all__ = ["Pending", "remove_leftovers", "sync_folder", "write_whole"]
