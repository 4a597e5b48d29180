"""The inputs that fuzzing kept, in the repository: corpus/TARGET.txt, one a line.

A line is the compressed input in base64, or a comment after #.
"""

from __future__ import annotations

import base64
import pathlib
import textwrap
import zlib
from collections.abc import Iterable

CORPUS = pathlib.Path(__file__).resolve().parent / "corpus"
MOST_BYTES = 24 << 10  # of one file: the repository stays small


def kept(target: str) -> list[bytes]:
    """The inputs of a target, in the file's order; none if it has no file."""
    path = CORPUS / f"{target}.txt"
    lines = path.read_text(encoding="ascii").splitlines() if path.exists() else []
    return [zlib.decompress(base64.b64decode(line, validate=True)) for line in lines if not line.startswith("#")]


def line_of(data: bytes) -> str:
    """The line of one input."""
    return base64.b64encode(zlib.compress(data, 9)).decode()


def keep(target: str, inputs: Iterable[bytes]) -> int:
    """Writes inputs, the shortest first, as far as the file's bound reaches; comments and what stands under them stay.

    Inputs under a comment are those that once broke the law. Returns how many inputs the file has.
    """
    path = CORPUS / f"{target}.txt"
    lines = path.read_text(encoding="ascii").splitlines() if path.exists() else []
    lines = lines[next((at for at, line in enumerate(lines) if line.startswith("#")), len(lines)) :]
    size = sum(map(len, lines))
    chosen = []
    for line in map(line_of, sorted(set(inputs), key=lambda data: (len(data), data))):
        size += len(line) + 1
        if size > MOST_BYTES:
            break
        if line not in lines:
            chosen.append(line)
    path.write_text("".join(f"{line}\n" for line in [*chosen, *lines]), encoding="ascii")
    return len(kept(target))


def remember(target: str, data: bytes, why: str) -> None:
    """Adds an input that broke the law, under a comment that says how."""
    CORPUS.mkdir(exist_ok=True)
    with open(CORPUS / f"{target}.txt", "a", encoding="ascii", errors="backslashreplace") as file:
        file.write(f"# {textwrap.shorten(why, 110)}\n{line_of(data)}\n")
