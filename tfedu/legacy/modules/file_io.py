"""The functions of `tensorflow.python.lib.io.file_io` that `tf.io.gfile` has no name for. No state."""

from __future__ import annotations

from typing import Any

from ...engine.files.gfile import File, Path


def read_file_to_string(filename: Path, binary_mode: bool = False) -> Any:
    """The whole file, as text or as bytes. Raises: NotFoundError."""
    with File(filename, "rb" if binary_mode else "r") as file:
        return file.read()


def write_string_to_file(filename: Path, file_content: str | bytes) -> None:
    """Makes the file hold a text."""
    with File(filename, "w") as file:
        file.write(file_content)
