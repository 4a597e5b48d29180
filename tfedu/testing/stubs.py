"""`tf.test.StubOutForTesting`: attributes that a test replaces and restores."""

from __future__ import annotations

from typing import Any


class StubOutForTesting:
    """Replaces attributes of objects and restores them: at `CleanUp`, or at the end of a `with` block."""

    def __init__(self) -> None:
        self._replaced: list[tuple[Any, str, Any]] = []

    def __enter__(self) -> StubOutForTesting:
        return self

    def __exit__(self, *raised: object) -> None:
        self.CleanUp()

    def CleanUp(self) -> None:
        """Restores all attributes."""
        self.UnsetAll()

    def Set(self, parent: Any, child_name: str, new_child: Any) -> None:
        """Replaces `parent.child_name`."""
        self._replaced.append((parent, child_name, getattr(parent, child_name)))
        setattr(parent, child_name, new_child)

    SmartSet = Set

    def UnsetAll(self) -> None:
        """Restores all attributes, the newest first."""
        while self._replaced:
            parent, name, old = self._replaced.pop()
            setattr(parent, name, old)

    SmartUnsetAll = UnsetAll
