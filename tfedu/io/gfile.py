"""`tf.io.gfile`: files and folders of this machine, with TF's errors."""

# ruff: noqa: I001 - the names stand in paragraphs
from ..engine.files.gfile import (
    File as GFile, copy, exists, get_registered_schemes, glob, isdir, join, listdir, makedirs, mkdir, remove, rename, rmtree,
    stat, walk,
)  # fmt: skip

__all__ = [
    "GFile", "copy", "exists", "get_registered_schemes", "glob", "isdir", "join", "listdir", "makedirs",
    "mkdir", "remove", "rename", "rmtree", "stat", "walk",
]  # fmt: skip
