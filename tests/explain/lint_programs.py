"""For each rule of `lint` programs that it finds, and programs that look nearly the same and are sound (lint/*.txt).

A file is a theme: "=== late_seed" begins a rule, "--- found" or "--- sound" a program of it. lint/whole_programs.txt has sound
programs of the usual kinds. `tf`, `np` and `folder` (an empty one) are there. State: `FOUND`, `SOUND`, `WHOLE`.
"""

from __future__ import annotations

import linecache
import pathlib
import re

import numpy as np

import tfedu as tf

FOLDER = pathlib.Path(__file__).with_name("lint")
FOUND: dict[str, list[str]] = {}
SOUND: dict[str, list[str]] = {}
WHOLE: dict[str, str] = {}


def _read(file: pathlib.Path) -> None:
    for section in re.split(r"^=== ", file.read_text(encoding="utf-8"), flags=re.M)[1:]:
        code, _, text = section.partition("\n")
        if file.stem == "whole_programs":
            WHOLE[code] = text
            continue
        programs = re.split(r"^--- (found|sound)\n", text, flags=re.M)[1:]
        for kind, program in zip(programs[::2], programs[1::2], strict=True):
            (FOUND if kind == "found" else SOUND).setdefault(code, []).append(program)


for _file in sorted(FOLDER.glob("*.txt")):
    _read(_file)


def run(program: str, folder: pathlib.Path) -> None:
    """Runs a program as a file, on a fresh default graph."""
    tf.reset_default_graph()
    file = folder / "program.py"
    file.write_text(program, encoding="utf-8")
    linecache.checkcache(str(file))
    exec(compile(program, str(file), "exec"), {"tf": tf, "np": np, "folder": str(folder), "__name__": "program"})
