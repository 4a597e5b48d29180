"""`tf.gfile`: files and folders of this machine, with TF's errors."""

# ruff: noqa: I001 - the names stand in paragraphs
from .engine.files.gfile import (
    Copy, DeleteRecursively, Exists, FastFile as FastGFile, File as GFile, File as Open, Glob, IsDirectory, ListDirectory,
    MakeDirs, MkDir, Remove, Rename, Stat, Walk,
)  # fmt: skip

__all__ = [
    "Copy", "DeleteRecursively", "Exists", "FastGFile", "GFile", "Glob", "IsDirectory", "ListDirectory",
    "MakeDirs", "MkDir", "Open", "Remove", "Rename", "Stat", "Walk",
]  # fmt: skip
