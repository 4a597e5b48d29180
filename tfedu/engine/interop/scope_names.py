"""Names with a scope stripped or prepended.

`stripped("loc:@a/b", "a")` is "loc:@b", `prepended("^b", "a")` is "^a/b". No state.
"""

from __future__ import annotations


def _parts(name: str) -> tuple[str, str]:
    for mark in ("^", "loc:@"):
        if name.startswith(mark):
            return mark, name[len(mark) :]
    return "", name


def stripped(name: str, scope: str | None) -> str:
    """The name relative to the scope; unchanged when it is outside."""
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
    """Whether the name starts with the scope's: TF's test, without a "/"."""
    return scope is None or name.startswith(scope)
