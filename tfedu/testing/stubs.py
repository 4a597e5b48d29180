"""`tf.test.StubOutForTesting`: attributes that a test replaces and puts back."""

from __future__ import annotations

from typing import Any


class StubOutForTesting:
    """Replaces attributes of objects and puts them back: at `CleanUp`, or at the end of a `with` block."""

    def __init__(self) -> None:
        self._kept: list[tuple[Any, str, Any]] = []

    def __enter__(self) -> StubOutForTesting:
        return self

    def __exit__(self, *raised: object) -> None:
        self.CleanUp()

    def CleanUp(self) -> None:
        """Puts everything back."""
        self.UnsetAll()

    def Set(self, parent: Any, child_name: str, new_child: Any) -> None:
        """Replaces `parent.child_name`."""
        self._kept.append((parent, child_name, getattr(parent, child_name)))
        setattr(parent, child_name, new_child)

    SmartSet = Set

    def UnsetAll(self) -> None:
        """Puts everything back, the newest first."""
        while self._kept:
            parent, name, old = self._kept.pop()
            setattr(parent, name, old)

    SmartUnsetAll = UnsetAll
