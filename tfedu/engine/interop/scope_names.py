"""Names with a scope taken off or put before them.

`stripped("loc:@a/b", "a")` is "loc:@b", `prepended("^b", "a")` is "^a/b". No state.
"""

from __future__ import annotations


def _parts(name: str) -> tuple[str, str]:
    for mark in ("^", "loc:@"):
        if name.startswith(mark):
            return mark, name[len(mark) :]
    return "", name


def stripped(name: str, scope: str | None) -> str:
    """The name without the scope; unchanged when it is not in it."""
    if not scope:
        return name
    mark, rest = _parts(name)
    scope = scope.rstrip("/")
    return mark + rest[len(scope) :].lstrip("/") if rest.startswith(f"{scope}/") else name


def prepended(name: str, scope: str | None) -> str:
    """The name in the scope."""
    if not scope:
        return name
    mark, rest = _parts(name)
    return f"{mark}{scope.rstrip('/')}/{rest}"


def is_inside(name: str, scope: str | None) -> bool:
    """Whether the name begins with the scope's, as TF tells."""
    return scope is None or name.startswith(scope)
