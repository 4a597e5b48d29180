"""Event files that are still being written: `Followed(folder).news()` gives the events that came since it was asked last.

A record that is not whole yet is read when it is. State: each Followed's own.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

from ..base import errors, proto
from ..files import gfile
from ..files.tfrecord import _PIECE, _Plain, records_of


class _Unfinished(Exception):
    """The file ends within a record."""


class _Growing(_Plain):
    def has(self, count: int) -> bool:
        if not super().has(count):
            raise _Unfinished
        return True


class _File:
    """One event file, read up to `at`; `fault` says why it is read no further."""

    def __init__(self, path: str) -> None:
        self.path, self.at, self.fault = path, 0, ""

    def news(self) -> Iterator[Any]:
        if self.fault:
            return
        try:
            with open(self.path, "rb", buffering=_PIECE) as file:
                size = os.fstat(file.fileno()).st_size
                start = file.seek(self.at)
                if size <= start:
                    return
                for place, data in records_of(_Growing(file, size)):
                    event = proto.Event.FromString(data)
                    self.at = start + place + len(data) + 16
                    yield event
        except _Unfinished:
            return
        except (errors.DataLossError, proto.DecodeError, OSError) as error:
            self.fault = getattr(error, "message", "") or str(error)


class Followed:
    """The event files below a folder, or one event file; the folder may come later.

    faults: the files that are read no further, and why.
    Raises: UnimplementedError for a scheme such as gs://, TypeError for what is no path.
    """

    def __init__(self, place: Any) -> None:
        self.place = gfile.local(place)
        self._files: dict[str, _File] = {}

    @property
    def faults(self) -> dict[str, str]:
        return {os.path.basename(path): file.fault for path, file in self._files.items() if file.fault}

    def news(self) -> Iterator[tuple[str, Any]]:
        """The new events, each with its run: the folder of its file as seen from `place`, "." for that itself."""
        for run, path in self._found():
            for event in self._files.setdefault(path, _File(path)).news():
                yield run, event

    def _found(self) -> list[tuple[str, str]]:
        if os.path.isfile(self.place):
            return [(".", self.place)]
        return [
            (os.path.relpath(folder, self.place), os.path.join(folder, name))
            for folder, folders, names in os.walk(self.place)
            for name in (folders.sort(), sorted(names))[1]
            if "tfevents" in name
        ]


__all__ = ["Followed"]
