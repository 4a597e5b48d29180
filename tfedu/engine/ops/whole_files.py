"""Whole files: ReadFile, WriteFile, and MatchingFiles, which lists those that match a pattern. No state: the files."""

from __future__ import annotations

import os
import re
from typing import Any

import numpy as np

from ..base import dtypes
from ..base.shapes import Shape
from ..files import contents, gfile
from ..files.atomic_write import replace_file
from ..op.define import Sym, op
from ..op.shape_checks import as_array, at_most, invalid, of_rank, text_of

string = dtypes.string


def _single(value: Any, label: str) -> str:
    array = as_array(value)
    if array.ndim:
        raise invalid(f"{label} tensor must be scalar, but had shape: {text_of(array.shape)}")
    return os.fsdecode(array[()])


@op("ReadFile", out="contents", stateful=False, resource="file", access={"filename": "read"}, role="op")
def read_file(run: Any, filename: string) -> string:
    """The bytes of a file: scalar -> scalar.

    Raises: NotFoundError for a missing file.
    """
    path = _single(filename, "Input filename")
    with gfile.File(path, "rb") as file:
        data: bytes = file.read()
    contents.note(data, path)
    return data


@read_file.shape
def _(filename: Sym) -> Shape:
    of_rank(filename.shape, 0)
    return ()


def _written_shape(filename: Sym, contents: Sym) -> list[Shape]:
    of_rank(filename.shape, 0)
    of_rank(contents.shape, 0)
    return []


@op(
    "WriteFile", stateful=True, resource="file", access={"filename": "write"}, role="op",
    shape=_written_shape,
)
def write_file(run: Any, filename: string, contents: string) -> None:
    """Writes the bytes of a file, and makes its folder if there is none: filename and contents scalars."""
    path = _single(filename, "Input filename")
    data = as_array(contents)
    if data.ndim:
        raise invalid(f"Contents tensor must be scalar, but had shape: {text_of(data.shape)}")
    folder = os.path.dirname(path)
    if folder:
        gfile.makedirs(folder)
    try:
        replace_file(gfile.local(path), data[()])
    except OSError as cause:
        raise gfile.op_error(path, cause) from None
    return ()  # type: ignore[return-value]


@op("MatchingFiles", out="filenames", resource="file", access={"pattern": "read"}, role="op")
def matching_files(run: Any, pattern: string) -> string:
    """The names of the files that match a pattern, or one of several, in order: scalar or [k] -> [n].

    Raises: NotFoundError where the folder is missing that a pattern names before its first wildcard.
    """
    found = [name for each in as_array(pattern).ravel() for name in _matches(os.fsdecode(each))]
    return np.array([os.fsencode(name) for name in sorted(found)], object)


_WILDCARD = re.compile(r"[*?\[\\]")


def _matches(pattern: str) -> list[str]:
    if not pattern or pattern.endswith("/"):
        return []
    first = _WILDCARD.search(pattern)
    folder = os.path.dirname(pattern if first is None else pattern[: first.start()])
    if folder:
        try:
            os.listdir(gfile.local(folder))
        except OSError as cause:
            raise gfile.op_error(folder, cause) from None
    return gfile.glob(pattern)


@matching_files.shape
def _(pattern: Sym) -> Shape:
    at_most(pattern.shape, 1)
    return (None,)
