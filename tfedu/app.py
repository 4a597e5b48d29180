"""`tf.app`: the start of a program. `tf.app.run()` parses the flags, calls `main(argv)` and exits with what it returns."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import Any

from . import flags


def run(main: Callable[[list[str]], Any] | None = None, argv: Sequence[str] | None = None) -> None:
    """Calls `main` with the program's name and the arguments that are no flags, and exits.

    Flags that nobody defined are no error: they are handed to `main`, as in TF 1.15.
    """
    from absl import app as absl_app

    main = main or sys.modules["__main__"].main
    absl_app.define_help_flags()
    try:
        arguments = flags.FLAGS(list(sys.argv if argv is None else argv), known_only=True)
    except flags.Error as error:  # type: ignore[attr-defined]
        print(f"FATAL Flags parsing error:\n  {error}\nPass --helpshort or --helpfull to see help on flags.", file=sys.stderr)
        sys.exit(1)
    try:
        sys.exit(main(arguments))
    except absl_app.UsageError as error:
        absl_app.usage(shorthelp=True, detailed_error=error, exitcode=error.exitcode)
        sys.exit(error.exitcode)


__all__ = [
    "flags", "run",
]  # fmt: skip
