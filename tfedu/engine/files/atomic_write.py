"""Atomic writes: `replace_file("model.meta", data)`; a reader sees the old content or the new, never a part.

The new content is written to a temporary file in the same folder (`model.meta.tmp-…`), which is locked meanwhile;
`remove_leftovers(folder)` deletes the unlocked ones, which killed processes leave behind. No state.
"""

from __future__ import annotations

import contextlib
import errno
import os
import pathlib
import re
import shutil
import stat
import tempfile
from collections.abc import Callable, Iterator
from types import TracebackType
from typing import IO, Any

try:
    from fcntl import LOCK_EX, LOCK_NB, flock
except ImportError:  # not on Windows, nor in a browser, where JupyterLite has an empty fcntl
    flock = None  # type: ignore[assignment]

_LEFT = re.compile(r".\.tmp-[0-9a-z_]{8}\Z")


class Pending:
    """A temporary file that replaces another one on commit.

    `with Pending(path) as p: p.write(data); p.commit()`; without the commit it is deleted.
    """

    def __init__(self, path: str) -> None:
        folder, name = os.path.split(path)
        self.path = path
        if not os.path.isdir(folder or "."):
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), folder)
        # A file system limits the length of a name, and the temporary name is longer than the file's own.
        handle, self._temporary = tempfile.mkstemp(prefix=f"{name[:40]}.tmp-", dir=folder or ".")
        self._file = os.fdopen(handle, "wb", buffering=1 << 20)
        if flock is not None:
            with contextlib.suppress(OSError):  # some network disks do not support locks
                flock(handle, LOCK_EX | LOCK_NB)
        # An attribute, so that tests can simulate failing disks.
        self.write: Callable[[Any], Any] = self._file.write

    def finish(self) -> None:
        """Writes all buffered data to the disk."""
        self._file.flush()
        os.fsync(self._file.fileno())

    def commit(self, path: str | None = None) -> None:
        """Replaces the old file, or a file of another name in the same folder."""
        self.finish()
        # The permissions of a new file; mkstemp grants them to the owner only.
        mask = os.umask(0)
        os.umask(mask)
        os.chmod(self._temporary, 0o666 & ~mask)
        os.replace(self._temporary, path or self.path)

    def __enter__(self) -> Pending:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None
    ) -> None:
        pathlib.Path(self._temporary).unlink(missing_ok=True)
        with contextlib.suppress(OSError) if error is not None else contextlib.nullcontext():
            self._file.close()


def replace_file(path: str, data: bytes) -> None:
    """Replaces the content of a file by `data`, atomically."""
    with Pending(path) as pending:
        pending.write(data)
        pending.commit()


def replace_from(path: str, source: IO[bytes]) -> None:
    """Replaces the content of a file by what is left in an open one, atomically. A device or a pipe gets it as it comes."""
    there = os.stat(path) if os.path.exists(path) else None
    if there is not None and not stat.S_ISREG(there.st_mode):
        with open(path, "wb") as file:
            shutil.copyfileobj(source, file)
        return
    if there is not None and not os.access(path, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), path)
    path = os.path.realpath(path)  # the file that a link names is replaced, and not the link
    with Pending(path) as pending:
        shutil.copyfileobj(source, pending)
        pending.commit()
    if there is not None:
        os.chmod(path, stat.S_IMODE(there.st_mode))


def remove_leftovers(folder: str) -> None:
    """Deletes the temporary files in a folder that no process is writing."""
    for name in os.listdir(folder or "."):
        if _LEFT.search(name):
            remove_unlocked(os.path.join(folder, name), lambda: True)


def remove_unlocked(path: str, is_left: Callable[[], bool]) -> None:
    """Deletes a file that no process is writing. is_left: asked while the lock is held, whether the file is to go."""
    if flock is None:
        return
    # Another process may have deleted the file, or hold its lock.
    with contextlib.suppress(OSError):
        with open(path, "rb") as file:
            flock(file, LOCK_EX | LOCK_NB)
            if is_left():
                os.remove(path)


@contextlib.contextmanager
def locked(path: str) -> Iterator[None]:
    """Holds the lock of a file, also when it gets another name, so that `remove_unlocked` leaves it."""
    with open(path, "rb") as file:
        if flock is not None:
            with contextlib.suppress(OSError):
                flock(file, LOCK_EX | LOCK_NB)
        yield


def sync_folder(folder: str) -> None:
    """Writes a folder's entries to the disk, so that they survive a power failure."""
    with contextlib.suppress(OSError):
        handle = os.open(folder or ".", os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


__all__ = ["Pending", "locked", "remove_leftovers", "remove_unlocked", "replace_file", "replace_from", "sync_folder"]
