"""`tf.gfile`: files of the local disk, with TF's errors instead of Python's.

`File` is `tf.gfile.GFile`; the functions are those of `tf.io.gfile`. Paths may be strings, bytes or path objects, and may
begin with "file://"; other schemes (gs://, hdfs://) raise UnimplementedError. Listings are sorted; TF does not define their
order. No state.
"""

from __future__ import annotations

import contextlib
import errno
import fnmatch
import os
import pathlib
import shutil
import stat as stats
from collections.abc import Callable, Iterable, Iterator
from types import TracebackType
from typing import Any, NamedTuple, NoReturn

from ..base import errors, log
from ..base import site as sites
from ..base.errors import error_text
from .atomic_write import replace_from

Path = str | bytes | os.PathLike[str]

_ERRORS: dict[int, type[errors.OpError]] = {
    errno.ENOENT: errors.NotFoundError,
    errno.ENOTDIR: errors.FailedPreconditionError,
    errno.EISDIR: errors.FailedPreconditionError,
    errno.ENOTEMPTY: errors.FailedPreconditionError,
    errno.EEXIST: errors.AlreadyExistsError,
    errno.EACCES: errors.PermissionDeniedError,
    errno.EPERM: errors.PermissionDeniedError,
    errno.EROFS: errors.PermissionDeniedError,
    errno.EINVAL: errors.InvalidArgumentError,
    errno.ENAMETOOLONG: errors.InvalidArgumentError,
    errno.ENOSPC: errors.ResourceExhaustedError,
    errno.EMFILE: errors.ResourceExhaustedError,
    errno.EDQUOT: errors.ResourceExhaustedError,
}
_MODES = ("r", "w", "a", "r+", "w+", "a+")


def _raise(error_class: type[errors.OpError], text: str) -> NoReturn:
    raise _located(error_class, text)


def op_error(path: str, cause: OSError) -> errors.OpError:
    """TF's error for an OSError: "name; No such file or directory"."""
    error_class = _ERRORS.get(cause.errno or 0, errors.UnknownError)
    return _located(error_class, f"{path}; {os.strerror(cause.errno or errno.EIO)}")


def _located(error_class: type[errors.OpError], text: str) -> errors.OpError:
    """The error with the user's line."""
    error = error_class(None, None, text)  # type: ignore[call-arg]
    error.line = sites.capture()
    return error


def local(path: Path) -> str:
    """The path on this machine.

    Raises: UnimplementedError for a scheme such as gs://, InvalidArgumentError for a null character, TypeError for anything but a
    path.
    """
    text = os.fsdecode(path) if isinstance(path, str | bytes | os.PathLike) else None
    if text is None:
        raise TypeError(f"Expected binary or unicode string, got {path!r}")
    if "\0" in text:
        _raise(errors.InvalidArgumentError, f"{text!r}; a path has no null characters")
    scheme, mark, rest = text.partition("://")
    if not mark or not scheme.isalnum():
        return text
    if scheme == "file":
        return rest
    _raise(errors.UnimplementedError, f"File system scheme '{scheme}' not implemented (file: '{text}')")


class File:
    """A file. The first read or write opens it, and raises NotFoundError when it is missing.

    mode: one of r, w, a, r+, w+, a+, and b for bytes. Raises: InvalidArgumentError for another mode.
    """

    def __init__(self, name: Path, mode: str = "r") -> None:
        self._name = name
        self._mode = mode
        plain = mode.replace("b", "")
        if plain not in _MODES:
            _raise(errors.InvalidArgumentError, "mode is not 'r' or 'w' or 'a' or 'r+' or 'w+' or 'a+'")
        self._is_binary = "b" in mode
        self._reads = plain in ("r", "r+", "w+", "a+")
        self._writes = plain != "r"
        self._plain = plain
        self._file: Any = None

    @property
    def name(self) -> Path:
        return self._name

    @property
    def mode(self) -> str:
        return self._mode

    def _opened(self) -> Any:
        if self._file is None:
            path = local(self._name)
            try:
                # as in TF: a handle for reading sees the newest content
                self._file = open(path, self._plain + "b", buffering=-1)  # noqa: SIM115 - `close` closes it
            except OSError as e:
                raise op_error(path, e) from None
        return self._file

    def _readable(self) -> Any:
        if not self._reads:
            _raise(errors.PermissionDeniedError, "File isn't open for reading")
        return self._opened()

    def _writable(self) -> Any:
        if not self._writes:
            _raise(errors.PermissionDeniedError, "File isn't open for writing")
        return self._opened()

    def _decoded(self, data: bytes) -> Any:
        return data if self._is_binary else data.decode("utf-8")

    def size(self) -> int:
        """The size of the file on the disk, in bytes."""
        return stat(self._name).length

    def write(self, file_content: str | bytes) -> None:
        """Writes a string (as UTF-8) or bytes. Raises: TypeError for another value."""
        if not isinstance(file_content, str | bytes | bytearray | memoryview):
            raise TypeError(error_text(f"Expected binary or unicode string, got {file_content!r}"))
        file = self._writable()
        try:
            file.write(file_content.encode("utf-8") if isinstance(file_content, str) else bytes(file_content))
        except OSError as e:
            self._give_up(e)

    def read(self, n: int = -1) -> Any:
        """The next n bytes, or the rest of the file."""
        file = self._readable()
        if n is None or n == -1:
            return self._decoded(file.read())
        if n < 0:
            _raise(errors.InvalidArgumentError, f"Can't read a negative number of bytes: {n}")
        return self._decoded(file.read(n))

    def seek(self, offset: int | None = None, whence: int = 0, position: int | None = None) -> None:
        """Moves to a byte offset from the start (0), the current position (1) or the end (2)."""
        file = self._readable()
        if offset is None and position is None:
            raise TypeError("seek(): offset argument required")
        if offset is not None and position is not None:
            raise TypeError("seek(): offset and position may not be set simultaneously.")
        if whence not in (0, 1, 2):
            _raise(errors.InvalidArgumentError, f"Invalid whence argument: {whence}. Valid values are 0, 1, or 2.")
        try:
            file.seek(position if offset is None else offset, whence)
        except (OSError, ValueError):
            place = position if offset is None else offset
            place += {0: 0, 1: file.tell(), 2: self.size()}[whence]
            _raise(errors.InvalidArgumentError, f"Seeking to a negative position: {place}")

    def seekable(self) -> bool:
        return True

    def readline(self) -> Any:
        """The next line with its end; empty at the end of the file."""
        return self._decoded(self._readable().readline())

    def readlines(self) -> list[Any]:
        """All remaining lines, each with its end."""
        return [self._decoded(line) for line in self._readable().readlines()]

    def tell(self) -> int:
        """The byte offset of the next read or write."""
        return int(self._opened().tell())

    def flush(self) -> None:
        """Passes buffered data to the operating system."""
        if self._file is not None and self._writes:
            try:
                self._file.flush()
            except OSError as e:
                self._give_up(e)

    def _give_up(self, cause: OSError) -> NoReturn:
        """Closes the file without a further attempt to write what it buffers. Raises: the error of the disk."""
        file, self._file = self._file, None
        with contextlib.suppress(OSError):
            file.close()
        raise op_error(local(self._name), cause) from None

    def close(self) -> None:
        """Closes the file; the next use opens it again."""
        if self._file is not None:
            file, self._file = self._file, None
            try:
                file.close()
            except OSError as e:
                raise op_error(local(self._name), e) from None

    def __enter__(self) -> File:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None) -> None:
        self.close()

    def __iter__(self) -> Iterator[Any]:
        return self

    def __next__(self) -> Any:
        line = self.readline()
        if not line:
            raise StopIteration
        return line

    def next(self) -> Any:
        return self.__next__()

    def __del__(self) -> None:
        if self.__dict__.get("_file") is not None:
            self.close()


class Statistics(NamedTuple):
    """A file's `length` in bytes, `mtime_nsec` of the last change, in ns since 1970, and `is_directory`."""

    length: int
    mtime_nsec: int
    is_directory: bool


def stat(path: Path) -> Statistics:
    """The Statistics of a file. Raises: NotFoundError."""
    name = local(path)
    try:
        status = os.stat(name)
    except OSError as e:
        raise op_error(name, e) from None
    # TF rounds down to seconds
    return Statistics(status.st_size, int(status.st_mtime) * 1_000_000_000, stats.S_ISDIR(status.st_mode))


def exists(path: Path) -> bool:
    """Whether there is a file or folder of that name."""
    return os.path.exists(local(path))


def isdir(path: Path) -> bool:
    """Whether there is a folder of that name."""
    return os.path.isdir(local(path))


def listdir(path: Path) -> list[str]:
    """The names in a folder, without "." and "..". Raises: NotFoundError."""
    name = local(path)
    if not os.path.isdir(name):
        _raise(errors.NotFoundError, f"Could not find directory {os.fsdecode(path)}")
    try:
        return sorted(os.listdir(name))
    except OSError as e:
        raise op_error(name, e) from None


def mkdir(path: Path) -> None:
    """Creates a folder, if it does not exist. Raises: NotFoundError when its parent is missing."""
    name = local(path)
    try:
        os.mkdir(name)
    except FileExistsError:
        if not os.path.isdir(name):
            _raise(errors.FailedPreconditionError, f"{name} is not a directory")
    except OSError as e:
        raise op_error(name, e) from None


def makedirs(path: Path) -> None:
    """Creates a folder and its parents, if they do not exist."""
    name = local(path)
    at = pathlib.Path(name)
    for part in reversed([at, *at.parents]):
        if part.exists() and not part.is_dir():
            _raise(errors.FailedPreconditionError, f"{part} is not a directory")
    try:
        os.makedirs(name, exist_ok=True)
    except OSError as e:
        raise op_error(name, e) from None


def remove(path: Path) -> None:
    """Deletes a file. Raises: NotFoundError, FailedPreconditionError for a folder."""
    name = local(path)
    try:
        if os.path.isdir(name) and not os.path.islink(name):
            raise IsADirectoryError(errno.EISDIR, name)
        os.remove(name)
    except OSError as e:
        raise op_error(name, e) from None


def rmtree(path: Path) -> None:
    """Deletes a folder with its content, or a file. Raises: NotFoundError."""
    name = local(path)
    if not os.path.lexists(name):
        _raise(errors.NotFoundError, f"{os.fsdecode(path)} not found")
    try:
        if os.path.isdir(name) and not os.path.islink(name):
            shutil.rmtree(name)
        else:
            os.remove(name)
    except OSError as e:
        raise op_error(name, e) from None


def copy(src: Path, dst: Path, overwrite: bool = False) -> None:
    """Copies a file. Raises: AlreadyExistsError when the target exists, unless `overwrite`."""
    source, target = local(src), local(dst)
    if not overwrite and os.path.exists(target):
        _raise(errors.AlreadyExistsError, "file already exists")
    if os.path.isdir(source):
        _raise(errors.InvalidArgumentError, f"{target}; Invalid argument")
    try:
        with open(source, "rb") as reading:
            try:
                replace_from(target, reading)
            except OSError as e:
                raise op_error(target, e) from None
    except OSError as e:
        raise op_error(source, e) from None


def rename(src: Path, dst: Path, overwrite: bool = False) -> None:
    """Renames a file or folder. Raises: AlreadyExistsError when the new name exists, unless `overwrite`."""
    source, target = local(src), local(dst)
    if not overwrite and os.path.exists(target):
        _raise(errors.AlreadyExistsError, "file already exists")
    try:
        os.replace(source, target)
    except OSError as e:
        raise op_error(source, e) from None


def glob(pattern: Path | Iterable[Path]) -> list[str]:
    """The paths that match a pattern, or any of several: `*` and `?` do not match "/", `[ab]` matches one of a set."""
    if isinstance(pattern, str | bytes | os.PathLike):
        return _matches(local(pattern))
    return [path for one in pattern for path in _matches(local(one))]


def _matches(pattern: str) -> list[str]:
    if not any(mark in pattern for mark in "*?["):
        return [pattern] if os.path.exists(pattern) else []
    is_rooted = pattern.startswith("/")
    parts = [p for p in pattern.split("/") if p]
    paths = ["/" if is_rooted else ("." if any(m in parts[0] for m in "*?[") else "")]
    for part in parts:
        if any(mark in part for mark in "*?["):
            paths = [
                os.path.join(folder, name)
                for folder in paths
                if os.path.isdir(folder)
                for name in sorted(os.listdir(folder))
                if fnmatch.fnmatchcase(name, part)
            ]
        else:
            paths = [path for folder in paths if os.path.lexists(path := os.path.join(folder, part))]
    return paths


def walk(
    top: Path, topdown: bool = True, onerror: Callable[[errors.OpError], object] | None = None
) -> Iterator[tuple[str, list[str], list[str]]]:
    """(path, names of its folders, names of its files) of each folder from `top` down, or from the bottom up."""
    name = os.fsdecode(top)
    try:
        names = listdir(top)
    except errors.NotFoundError as e:
        if onerror is not None:
            onerror(e)
        return
    folders = [n for n in names if isdir(os.path.join(name, n))]
    here = (name, folders, [n for n in names if n not in set(folders)])
    if topdown:
        yield here
    for folder in folders:
        yield from walk(os.path.join(name, folder), topdown, onerror)
    if not topdown:
        yield here


def join(path: Path, *paths: Path) -> str:
    """One path of several parts."""
    return os.path.join(os.fsdecode(path), *map(os.fsdecode, paths))


def get_registered_schemes() -> list[str]:
    """The supported schemes of paths."""
    return ["", "file"]


# -- tf.gfile: the older names and parameters --


class FastFile(File):
    """An open file. Deprecated in TF in favour of `tf.gfile.GFile`."""

    def __init__(self, name: Path, mode: str = "r") -> None:
        log.log_first_n(log.WARN, "tf.gfile.FastGFile is deprecated: use tf.gfile.GFile.", 1)
        super().__init__(name, mode)


def Exists(filename: Path) -> bool:
    """Whether there is a file or folder of that name."""
    return exists(filename)


def IsDirectory(dirname: Path) -> bool:
    """Whether there is a folder of that name."""
    return isdir(dirname)


def ListDirectory(dirname: Path) -> list[str]:
    """The names in a folder. Raises: NotFoundError."""
    return listdir(dirname)


def MkDir(dirname: Path) -> None:
    """Creates a folder."""
    mkdir(dirname)


def MakeDirs(dirname: Path) -> None:
    """Creates a folder and its parents."""
    makedirs(dirname)


def Remove(filename: Path) -> None:
    """Deletes a file. Raises: NotFoundError."""
    remove(filename)


def DeleteRecursively(dirname: Path) -> None:
    """Deletes a folder with its content. Raises: NotFoundError."""
    rmtree(dirname)


def Copy(oldpath: Path, newpath: Path, overwrite: bool = False) -> None:
    """Copies a file. Raises: AlreadyExistsError."""
    copy(oldpath, newpath, overwrite)


def Rename(oldname: Path, newname: Path, overwrite: bool = False) -> None:
    """Renames a file. Raises: AlreadyExistsError."""
    rename(oldname, newname, overwrite)


def Glob(filename: Path | Iterable[Path]) -> list[str]:
    """The paths that match a pattern, or any of several."""
    return glob(filename)


def Stat(filename: Path) -> Statistics:
    """The Statistics of a file. Raises: NotFoundError."""
    return stat(filename)


def Walk(top: Path, in_order: bool = True) -> Iterator[tuple[str, list[str], list[str]]]:
    """(path, names of its folders, names of its files) of each folder from `top` down."""
    return walk(top, in_order)
