"""Files as `tf.gfile` gives them: the local disk, with TF's errors instead of Python's.

`File` is what `tf.gfile.GFile` opens; the functions beside it are `tf.io.gfile`'s. Paths may be text, bytes or path
objects, and may begin with "file://"; other schemes (gs://, hdfs://) are UnimplementedError. Listings are sorted, where
TF leaves the order open. No state.
"""

from __future__ import annotations

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

Path = str | bytes | os.PathLike[str]

_KINDS: dict[int, type[errors.OpError]] = {
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
}
_MODES = ("r", "w", "a", "r+", "w+", "a+")


def _refuse(kind: type[errors.OpError], text: str) -> NoReturn:
    raise kind(None, None, text)  # type: ignore[call-arg]


def failed(path: str, cause: OSError) -> errors.OpError:
    """TF's error for one of the operating system's: "name; No such file or directory"."""
    kind = _KINDS.get(cause.errno or 0, errors.UnknownError)
    return kind(None, None, f"{path}; {os.strerror(cause.errno or errno.EIO)}")  # type: ignore[call-arg]


def local(path: Path) -> str:
    """The path on this machine. Raises: UnimplementedError for a scheme such as gs://, TypeError for what is no path."""
    text = os.fsdecode(path) if isinstance(path, str | bytes | os.PathLike) else None
    if text is None:
        raise TypeError(f"Expected binary or unicode string, got {path!r}")
    scheme, mark, rest = text.partition("://")
    if not mark or not scheme.isalnum():
        return text
    if scheme == "file":
        return rest
    _refuse(errors.UnimplementedError, f"File system scheme '{scheme}' not implemented (file: '{text}')")


class File:
    """An open file. The file itself is opened at the first read or write, and a missing one is said there.

    mode: one of r, w, a, r+, w+, a+, and b for bytes.
    """

    def __init__(self, name: Path, mode: str = "r") -> None:
        self._name = name
        self._mode = mode
        plain = mode.replace("b", "")
        if plain not in _MODES:
            _refuse(errors.InvalidArgumentError, "mode is not 'r' or 'w' or 'a' or 'r+' or 'w+' or 'a+'")
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
                # as TF: what was written last is what a reading handle sees
                self._file = open(path, self._plain + "b", buffering=-1)  # noqa: SIM115 - `close` closes it
            except OSError as e:
                raise failed(path, e) from None
        return self._file

    def _readable(self) -> Any:
        if not self._reads:
            _refuse(errors.PermissionDeniedError, "File isn't open for reading")
        return self._opened()

    def _writable(self) -> Any:
        if not self._writes:
            _refuse(errors.PermissionDeniedError, "File isn't open for writing")
        return self._opened()

    def _given(self, data: bytes) -> Any:
        return data if self._is_binary else data.decode("utf-8")

    def size(self) -> int:
        """Bytes in the file on the disk."""
        return stat(self._name).length

    def write(self, file_content: str | bytes) -> None:
        """Appends text (as UTF-8) or bytes to what was written."""
        file = self._writable()
        file.write(file_content.encode("utf-8") if isinstance(file_content, str) else bytes(file_content))

    def read(self, n: int = -1) -> Any:
        """The next n bytes, or all that is left."""
        file = self._readable()
        if n is None or n == -1:
            return self._given(file.read())
        if n < 0:
            _refuse(errors.InvalidArgumentError, f"Can't read a negative number of bytes: {n}")
        return self._given(file.read(n))

    def seek(self, offset: int | None = None, whence: int = 0, position: int | None = None) -> None:
        """Goes to a byte: counted from the start (0), from here (1), from the end (2)."""
        file = self._readable()
        if offset is None and position is None:
            raise TypeError("seek(): offset argument required")
        if offset is not None and position is not None:
            raise TypeError("seek(): offset and position may not be set simultaneously.")
        if whence not in (0, 1, 2):
            _refuse(errors.InvalidArgumentError, f"Invalid whence argument: {whence}. Valid values are 0, 1, or 2.")
        try:
            file.seek(position if offset is None else offset, whence)
        except OSError:
            _refuse(errors.OutOfRangeError, f"{local(self._name)}: offset {offset} is before the start of the file")

    def seekable(self) -> bool:
        return True

    def readline(self) -> Any:
        """The next line with its end; empty at the end of the file."""
        return self._given(self._readable().readline())

    def readlines(self) -> list[Any]:
        """All lines that are left, each with its end."""
        return [self._given(line) for line in self._readable().readlines()]

    def tell(self) -> int:
        """The byte at which the next read or write goes on."""
        return int(self._opened().tell())

    def flush(self) -> None:
        """Hands to the operating system what was written."""
        if self._file is not None and self._writes:
            self._file.flush()

    def close(self) -> None:
        """Closes the file; the next use opens it again."""
        if self._file is not None:
            file, self._file = self._file, None
            try:
                file.close()
            except OSError as e:
                raise failed(local(self._name), e) from None

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
    """What the disk knows of a file: `length` in bytes, `mtime_nsec` of the last change, `is_directory`."""

    length: int
    mtime_nsec: int
    is_directory: bool


def stat(path: Path) -> Statistics:
    """What the disk knows of a file. Raises: NotFoundError."""
    name = local(path)
    try:
        found = os.stat(name)
    except OSError as e:
        raise failed(name, e) from None
    # TF counts whole seconds here
    return Statistics(found.st_size, int(found.st_mtime) * 1_000_000_000, stats.S_ISDIR(found.st_mode))


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
        _refuse(errors.NotFoundError, f"Could not find directory {os.fsdecode(path)}")
    try:
        return sorted(os.listdir(name))
    except OSError as e:
        raise failed(name, e) from None


def mkdir(path: Path) -> None:
    """Makes a folder, or nothing where it is. Raises: NotFoundError where the folder around it is missing."""
    name = local(path)
    try:
        os.mkdir(name)
    except FileExistsError:
        if not os.path.isdir(name):
            _refuse(errors.FailedPreconditionError, f"{name} is not a directory")
    except OSError as e:
        raise failed(name, e) from None


def makedirs(path: Path) -> None:
    """Makes a folder and those around it, or nothing where it is."""
    name = local(path)
    at = pathlib.Path(name)
    for part in reversed([at, *at.parents]):
        if part.exists() and not part.is_dir():
            _refuse(errors.FailedPreconditionError, f"{part} is not a directory")
    try:
        os.makedirs(name, exist_ok=True)
    except OSError as e:
        raise failed(name, e) from None


def remove(path: Path) -> None:
    """Deletes a file. Raises: NotFoundError, FailedPreconditionError for a folder."""
    name = local(path)
    try:
        if os.path.isdir(name) and not os.path.islink(name):
            raise IsADirectoryError(errno.EISDIR, name)
        os.remove(name)
    except OSError as e:
        raise failed(name, e) from None


def rmtree(path: Path) -> None:
    """Deletes a folder with all that is in it, or a file. Raises: NotFoundError."""
    name = local(path)
    if not os.path.lexists(name):
        _refuse(errors.NotFoundError, f"{os.fsdecode(path)} not found")
    try:
        if os.path.isdir(name) and not os.path.islink(name):
            shutil.rmtree(name)
        else:
            os.remove(name)
    except OSError as e:
        raise failed(name, e) from None


def copy(src: Path, dst: Path, overwrite: bool = False) -> None:
    """Copies a file. Raises: AlreadyExistsError where the target is there and may not be overwritten."""
    source, target = local(src), local(dst)
    if not overwrite and os.path.exists(target):
        _refuse(errors.AlreadyExistsError, "file already exists")
    if os.path.isdir(source):
        _refuse(errors.InvalidArgumentError, f"{target}; Invalid argument")
    try:
        with open(source, "rb") as reading:
            try:
                with open(target, "wb") as writing:
                    shutil.copyfileobj(reading, writing)
            except OSError as e:
                raise failed(target, e) from None
    except OSError as e:
        raise failed(source, e) from None


def rename(src: Path, dst: Path, overwrite: bool = False) -> None:
    """Gives a file or folder another name. Raises: AlreadyExistsError where that name is taken and may not be overwritten."""
    source, target = local(src), local(dst)
    if not overwrite and os.path.exists(target):
        _refuse(errors.AlreadyExistsError, "file already exists")
    try:
        os.replace(source, target)
    except OSError as e:
        raise failed(source, e) from None


def glob(pattern: Path | Iterable[Path]) -> list[str]:
    """The paths that match a pattern, or any of several: `*` and `?` stay inside one folder, `[ab]` is one of a set."""
    if isinstance(pattern, str | bytes | os.PathLike):
        return _matches(local(pattern))
    return [found for one in pattern for found in _matches(local(one))]


def _matches(pattern: str) -> list[str]:
    if not any(mark in pattern for mark in "*?["):
        return [pattern] if os.path.exists(pattern) else []
    is_rooted = pattern.startswith("/")
    parts = [p for p in pattern.split("/") if p]
    found = ["/" if is_rooted else ("." if any(m in parts[0] for m in "*?[") else "")]
    for part in parts:
        if any(mark in part for mark in "*?["):
            found = [
                os.path.join(folder, name)
                for folder in found
                if os.path.isdir(folder)
                for name in sorted(os.listdir(folder))
                if fnmatch.fnmatchcase(name, part)
            ]
        else:
            found = [at for folder in found if os.path.lexists(at := os.path.join(folder, part))]
    return found


def walk(
    top: Path, topdown: bool = True, onerror: Callable[[errors.OpError], object] | None = None
) -> Iterator[tuple[str, list[str], list[str]]]:
    """Each folder below with the names of its folders and of its files, from the top or from the bottom."""
    name = os.fsdecode(top)
    try:
        listed = listdir(top)
    except errors.NotFoundError as e:
        if onerror is not None:
            onerror(e)
        return
    folders = [n for n in listed if isdir(os.path.join(name, n))]
    here = (name, folders, [n for n in listed if n not in set(folders)])
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
    """The beginnings of paths that this machine can open."""
    return ["", "file"]


# -- tf.gfile: the same under the names and parameters of the first days --


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
    """Makes a folder."""
    mkdir(dirname)


def MakeDirs(dirname: Path) -> None:
    """Makes a folder and those around it."""
    makedirs(dirname)


def Remove(filename: Path) -> None:
    """Deletes a file. Raises: NotFoundError."""
    remove(filename)


def DeleteRecursively(dirname: Path) -> None:
    """Deletes a folder with all that is in it. Raises: NotFoundError."""
    rmtree(dirname)


def Copy(oldpath: Path, newpath: Path, overwrite: bool = False) -> None:
    """Copies a file. Raises: AlreadyExistsError."""
    copy(oldpath, newpath, overwrite)


def Rename(oldname: Path, newname: Path, overwrite: bool = False) -> None:
    """Gives a file another name. Raises: AlreadyExistsError."""
    rename(oldname, newname, overwrite)


def Glob(filename: Path | Iterable[Path]) -> list[str]:
    """The paths that match a pattern, or any of several."""
    return glob(filename)


def Stat(filename: Path) -> Statistics:
    """What the disk knows of a file. Raises: NotFoundError."""
    return stat(filename)


def Walk(top: Path, in_order: bool = True) -> Iterator[tuple[str, list[str], list[str]]]:
    """Each folder below with the names of its folders and of its files."""
    return walk(top, in_order)
