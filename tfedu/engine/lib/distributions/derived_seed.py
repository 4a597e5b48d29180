"""Further seeds for a sample that draws several times. State: each SeedStream counts its seeds."""

from __future__ import annotations

import hashlib


def derived_seed(seed: int | None, salt: str) -> int | None:
    """The seed that TF derives from `seed` and a word for the second draw of a sample; None stays None."""
    if seed is None:
        return None
    return int(hashlib.md5(f"{seed}{salt}".encode(), usedforsecurity=False).hexdigest()[:8], 16) & 0x7FFFFFFF


class SeedStream:
    """Seeds that follow from one: `seeds = SeedStream(1, salt="mine")`, then `seeds()` for each; of None all are None.

    salt: a word that keeps the seeds of two functions with the same seed apart.
    """

    def __init__(self, seed: int | SeedStream | None, salt: str) -> None:
        self._seed = seed.original_seed if isinstance(seed, SeedStream) else seed
        self._salt = salt
        self._count = 0

    def __call__(self) -> int | None:
        """The next seed."""
        self._count += 1
        if self._seed is None:
            return None
        return int(hashlib.sha512(str((self._seed, self._count, self._salt)).encode()).hexdigest(), 16)

    @property
    def original_seed(self) -> int | None:
        """The seed that the stream was made with."""
        return self._seed

    @property
    def salt(self) -> str:
        """The word that the stream was made with."""
        return self._salt
