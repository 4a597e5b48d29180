"""Device names: `parse("/job:ps/gpu:1")` reads one, `str(spec)` writes the canonical form, `merge` fills what is open.

The canonical form is `/job:ps/replica:0/task:1/device:GPU:1`, each part optional (semantics.md, point 13).
"""

from __future__ import annotations

from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True)
class DeviceSpec:
    """A full or partial device name; a part that is None is open."""

    job: str | None = None
    replica: int | None = None
    task: int | None = None
    device_type: str | None = None
    device_index: int | None = None

    def to_string(self) -> str:
        """The canonical name; empty when every part is open."""
        parts = []
        if self.job is not None:
            parts.append(f"/job:{self.job}")
        if self.replica is not None:
            parts.append(f"/replica:{self.replica}")
        if self.task is not None:
            parts.append(f"/task:{self.task}")
        if self.device_type is not None:
            index = "*" if self.device_index is None else self.device_index
            parts.append(f"/device:{self.device_type}:{index}")
        return "".join(parts)

    __str__ = to_string

    def merged_under(self, inner: DeviceSpec) -> DeviceSpec:
        """This spec's parts where `inner` leaves them open."""
        typed = inner.device_type is not None
        return DeviceSpec(
            job=self.job if inner.job is None else inner.job,
            replica=self.replica if inner.replica is None else inner.replica,
            task=self.task if inner.task is None else inner.task,
            device_type=inner.device_type if typed else self.device_type,
            device_index=inner.device_index if typed or inner.device_index is not None else self.device_index,
        )

    def replace(self, **changes: object) -> DeviceSpec:
        return replace(self, **changes)  # type: ignore[arg-type]


def parse(name: str) -> DeviceSpec:
    """Reads a device name in any of TF's spellings.

    Raises: ValueError for an unknown part.
    """
    spec: dict[str, object] = {}
    for part in name.split("/"):
        if not part:
            continue
        key, *rest = part.split(":")
        if key in ("job",) and len(rest) == 1:
            spec["job"] = rest[0]
        elif key in ("replica", "task") and len(rest) == 1:
            spec[key] = int(rest[0])
        elif key.lower() in ("cpu", "gpu") and len(rest) <= 1:
            spec["device_type"] = key.upper()
            if rest and rest[0] != "*":
                spec["device_index"] = int(rest[0])
        elif key == "device" and len(rest) in (1, 2):
            spec["device_type"] = rest[0].upper() if rest[0].lower() in ("cpu", "gpu") else rest[0]
            if len(rest) == 2 and rest[1] != "*":
                spec["device_index"] = int(rest[1])
        else:
            raise ValueError(f"Unknown attribute: '{key}' in '{name}'")
    return DeviceSpec(**spec)  # type: ignore[arg-type]
