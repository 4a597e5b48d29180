"""Event files that are still being written: `EventFollower(folder).new_events()` gives the events since the last call.

An incomplete record is read once it is complete. State: an EventFollower's position in each file.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

from ..base import errors, proto
from ..files import gfile
from ..files.tfrecord import PlainSource, records_of


class _Unfinished(Exception):
    """The file ends within a record."""


class _GrowingFile(PlainSource):
    def has(self, count: int) -> bool:
        if not super().has(count):
            raise _Unfinished
        return True


class _FollowedFile:
    """One event file, read up to `position`; `fault` is the error that ends reading."""

    def __init__(self, path: str) -> None:
        self.path, self.position, self.fault = path, 0, ""

    def new_events(self) -> Iterator[Any]:
        if self.fault:
            return
        try:
            with open(self.path, "rb", buffering=1 << 18) as file:
                size = os.fstat(file.fileno()).st_size
                start = file.seek(self.position)
                if size <= start:
                    return
                for offset, data in records_of(_GrowingFile(file, size)):
                    event = proto.Event.FromString(data)
                    self.position = start + offset + len(data) + 16
                    yield event
        except _Unfinished:
            return
        except (errors.DataLossError, proto.DecodeError, OSError) as error:
            self.fault = getattr(error, "message", "") or str(error)


class EventFollower:
    """The event files below a folder, or one event file; the folder may be created later.

    faults: the files that cannot be read further, and the errors.
    Raises: UnimplementedError for a scheme such as gs://, TypeError for anything but a path.
    """

    def __init__(self, path: Any) -> None:
        self.path = gfile.local(path)
        self._files: dict[str, _FollowedFile] = {}

    @property
    def faults(self) -> dict[str, str]:
        return {os.path.basename(path): file.fault for path, file in self._files.items() if file.fault}

    def new_events(self) -> Iterator[tuple[str, Any]]:
        """Pairs (run, event) of new events; a run is the folder of a file relative to `path`, "." for `path` itself."""
        for run, path in self._event_files():
            for event in self._files.setdefault(path, _FollowedFile(path)).new_events():
                yield run, event

    def _event_files(self) -> list[tuple[str, str]]:
        if os.path.isfile(self.path):
            return [(".", self.path)]
        return [
            (os.path.relpath(folder, self.path), os.path.join(folder, name))
            for folder, folders, names in os.walk(self.path)
            for name in (folders.sort(), sorted(names))[1]
            if "tfevents" in name
        ]


__all__ = ["EventFollower"]
