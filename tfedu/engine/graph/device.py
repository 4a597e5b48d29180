"""Device names: `DeviceSpec.from_string("/job:ps/gpu:1")` parses one, `to_string` writes the canonical form.

The canonical form is `/job:ps/replica:0/task:1/device:GPU:1`, each part optional. A
`with device(…)` block keeps its name as a `Merge`, which fills the parts that a node leaves open. No state but caches of texts.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from ..base.errors import error_text


def _text(value: Any) -> str | None:
    return None if value is None else str(value)


def _number(value: Any) -> int | None:
    return None if value is None else int(value)


def _kind(value: Any) -> str | None:
    """The type of a device; old programs write cpu and gpu in lower case."""
    return value.upper() if value in ("cpu", "gpu") else _text(value)


_PARTS = {"job": _text, "replica": _number, "task": _number, "device_type": _kind, "device_index": _number}


class DeviceSpec:
    """A full or partial device name; None marks an open part. The parts can be set.

    Raises: ValueError for a replica, task or index that is no number.
    """

    __slots__ = tuple(_PARTS)

    job: str | None
    replica: int | None
    task: int | None
    device_type: str | None
    device_index: int | None

    def __init__(
        self, job: Any = None, replica: Any = None, task: Any = None, device_type: Any = None, device_index: Any = None
    ) -> None:
        self.job = job
        self.replica = replica
        self.task = task
        self.device_type = device_type
        self.device_index = device_index

    def __setattr__(self, part: str, value: Any) -> None:
        read = _PARTS.get(part)
        object.__setattr__(self, part, value if read is None else read(value))

    def _parts(self) -> tuple[Any, ...]:
        return self.job, self.replica, self.task, self.device_type, self.device_index

    def to_string(self) -> str:
        """The canonical name; empty when every part is open."""
        return _written(*self._parts())

    @classmethod
    def from_string(cls, spec: str | None) -> DeviceSpec:
        """The parts of a name in any of TF's spellings.

        Raises: ValueError for an unknown part.
        """
        return cls(*_read(spec))

    def parse_from_string(self, spec: str | None) -> DeviceSpec:
        """Replaces all parts by those of the name."""
        self._set_parts(_read(spec))
        return self

    def make_merged_spec(self, dev: DeviceSpec) -> DeviceSpec:
        """A new spec: the parts of `dev`, and this spec's parts where those are open."""
        return type(self)(*[old if new is None else new for old, new in zip(self._parts(), dev._parts())])

    def merge_from(self, dev: DeviceSpec) -> None:
        """Replaces the parts that are not open in `dev`."""
        self._set_parts(self.make_merged_spec(dev)._parts())

    def replace(self, **kwargs: Any) -> DeviceSpec:
        """A new spec with some parts changed."""
        return type(self)(**{**dict(zip(_PARTS, self._parts())), **kwargs})

    def _set_parts(self, parts: tuple[Any, ...]) -> None:
        for part, value in zip(_PARTS, parts):
            setattr(self, part, value)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, DeviceSpec) and self.to_string() == other.to_string()

    def __hash__(self) -> int:
        return hash(self.to_string())


@lru_cache(maxsize=1024)
def _read(name: str | None) -> tuple[Any, ...]:
    job = replica = task = kind = index = None
    for part in (name or "").split("/"):
        key, *rest = part.split(":")
        if not key:
            continue
        if key in ("job", "replica", "task") and len(rest) == 1:
            if key == "job":
                job = rest[0]
            elif key == "replica":
                replica = rest[0]
            else:
                task = rest[0]
            continue
        short = key.upper() in ("CPU", "GPU") and len(rest) <= 1
        if not short and not (key == "device" and len(rest) == 2):
            raise ValueError(error_text(f"Unknown attribute: '{key}' in '{name}'"))
        if kind is not None:
            raise ValueError(error_text(f"Cannot specify multiple device types: {name}"))
        kind = key.upper() if short else rest[0]
        at = rest[-1] if rest else "*"
        index = None if at == "*" else int(at)
    return job, replica, task, kind, index


@lru_cache(maxsize=1024)
def _written(job: Any, replica: Any, task: Any, kind: Any, index: Any) -> str:
    named = zip(("job", "replica", "task"), (job, replica, task))
    text = "".join([f"/{part}:{value}" for part, value in named if value is not None])
    return text if kind is None else f"{text}/device:{kind}:{'*' if index is None else index}"


class Merge:
    """The device of a block: fills the open parts of a node's device."""

    __slots__ = ("spec", "merged")

    def __init__(self, spec: DeviceSpec) -> None:
        self.spec = spec
        self.merged: dict[str, str] = {}

    def __call__(self, device: str) -> str:
        """The node's device with its open parts filled."""
        merged = self.merged.get(device)
        if merged is None:
            merged = self.merged[device] = self.spec.make_merged_spec(DeviceSpec.from_string(device)).to_string()
        return merged


def entries(device: Any) -> tuple[Any, ...]:
    """The entries of a block on the device stack: a Merge, a function, None to ignore outer blocks, or none for an empty name.

    Raises: ValueError for an unknown part of a name, TypeError for a value that is no device.
    """
    if device is None or callable(device):
        return (device,)
    if not isinstance(device, str | DeviceSpec):
        raise TypeError(
            error_text(f"A device is a name, a DeviceSpec or a function of an operation, not {device!r}.")
        )
    spec = device if isinstance(device, DeviceSpec) else DeviceSpec.from_string(device)
    return (Merge(spec),) if spec.to_string() else ()


def device_name(chosen: Any) -> str:
    """The device name that a device function returned.

    Raises: TypeError for a value of another type.
    """
    if isinstance(chosen, DeviceSpec):
        return chosen.to_string()
    if isinstance(chosen, bytes):
        return chosen.decode()
    if not isinstance(chosen, str):
        raise TypeError(error_text(f"Expected binary or unicode string, got {chosen!r}"))
    return chosen
