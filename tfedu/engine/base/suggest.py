"""The known name nearest to an unknown one, for the `fix:` line of an error. No state."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches


def nearest(name: str, names: Iterable[str]) -> str | None:
    """The entry of `names` closest to `name`, or None where none is close.

    Upper and lower case count as equal at first, for that is the commonest slip.
    """
    known = list(names)
    folded: dict[str, str] = {}
    for candidate in known:
        folded.setdefault(candidate.casefold(), candidate)
    same = folded.get(name.casefold())
    if same is not None and same != name:
        return same
    sized = f"{name.casefold()}32"  # of a type without its size
    if sized in folded:
        return folded[sized]
    matches = get_close_matches(name.casefold(), list(folded), n=1, cutoff=0.75)
    return folded[matches[0]] if matches and folded[matches[0]] != name else None
