"""`tf.resource_loader`: files that lie beside a program."""

from __future__ import annotations

import inspect
import os
import pathlib
import sys


def get_data_files_path() -> str:
    """The folder of the file that calls this."""
    return os.path.dirname(inspect.getfile(sys._getframe(1)))


def get_root_dir_with_all_resources() -> str:
    """The folder of the file that calls this."""
    return os.path.dirname(inspect.getfile(sys._getframe(1)))


def get_path_to_datafile(path: str) -> str:
    """A path below the folder of the file that calls this."""
    return os.path.join(os.path.dirname(inspect.getfile(sys._getframe(1))), path)


def load_resource(path: str) -> bytes:
    """The bytes of a file of the package itself. Raises: OSError."""
    return (pathlib.Path(__file__).parent / path).read_bytes()


def readahead_file_path(path: str, readahead: str = "128M") -> str:
    """The path as it is: nothing is read ahead."""
    return path


__all__ = [
    "get_data_files_path", "get_path_to_datafile", "get_root_dir_with_all_resources", "load_resource",
    "readahead_file_path",
]  # fmt: skip
