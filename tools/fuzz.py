"""`make fuzz`: looks for inputs that break a law of tests/fuzz/targets.py, guided by the coverage of tfedu's code (atheris).

    python tools/fuzz.py                         every target, a minute each
    python tools/fuzz.py graph events            two of them
    python tools/fuzz.py --seconds 600 --keep    ten minutes each; then the repository's corpus is chosen anew
    python tools/fuzz.py graph --input FILE      the law on one input, with its traceback

An input that breaks a law is written to .fuzz/found, with the command that repeats it, and the exit status is 1. Once the law
holds again, `--remember FILE --why TEXT` adds the input to the repository's corpus, which `make test` runs. Between runs the
inputs that reach new code lie in .fuzz, which git ignores.
"""

from __future__ import annotations

import argparse
import os
import pathlib
import random
import shlex
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))
WORK = ROOT / ".fuzz"
SECONDS_AN_INPUT = 20
MEGABYTES = 3072
LONGEST_INPUT = 16 << 10  # bytes


def main() -> int:
    from tests.fuzz.targets import TARGETS

    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("targets", nargs="*", metavar="TARGET", help=f"of {', '.join(TARGETS)}; by default all")
    parser.add_argument("--seconds", type=int, default=60, help="for each target (default: 60; 0: none)")
    parser.add_argument("--keep", action="store_true", help="choose the repository's corpus anew, from what reached new code")
    parser.add_argument("--input", type=pathlib.Path, help="run the law on this file's bytes")
    parser.add_argument("--remember", type=pathlib.Path, help="add this file's bytes to the repository's corpus")
    parser.add_argument("--why", default="broke the law", help="the comment over what --remember adds")
    arguments = parser.parse_args()
    names = arguments.targets or list(TARGETS)
    unknown = set(names) - set(TARGETS)
    if unknown:
        parser.error(f"no target {', '.join(sorted(unknown))}; there are {', '.join(TARGETS)}")
    if arguments.input or arguments.remember:
        if len(names) != 1:
            parser.error("--input and --remember are for one target")
        return one_input(names[0], arguments)
    broken = [name for name in names if arguments.seconds and not fuzz(name, arguments.seconds)]
    if arguments.keep:
        for name in names:
            choose(name)
    print(f"broken laws: {', '.join(broken)}; see .fuzz/found" if broken else "every law held")
    return 1 if broken else 0


def one_input(name: str, arguments: argparse.Namespace) -> int:
    from tests.fuzz import corpora
    from tests.fuzz.targets import TARGETS

    path = arguments.input or arguments.remember
    print(TARGETS[name].law(path.read_bytes()) or "sound")
    if arguments.remember:
        corpora.remember(name, path.read_bytes(), arguments.why)
    return 0


def fuzz(name: str, seconds: int) -> bool:
    """Fuzzes one target in a process of its own; whether its law held."""
    from tests.fuzz import corpora
    from tests.fuzz.targets import TARGETS

    inputs, found = WORK / name, WORK / "found"
    inputs.mkdir(parents=True, exist_ok=True)
    found.mkdir(exist_ok=True)
    before = set(found.iterdir())
    with tempfile.TemporaryDirectory() as seeds:
        for at, data in enumerate([*TARGETS[name].seeds(), *corpora.kept(name)]):
            pathlib.Path(seeds, str(at)).write_bytes(data)
        known, earlier = len(os.listdir(seeds)), len(os.listdir(inputs))
        print(f"== {name}: {seconds} s, from {known} inputs and {earlier} of earlier runs", flush=True)
        options = [f"-max_total_time={seconds}", f"-artifact_prefix={found}/{name}-", "-print_final_stats=1"]
        done = in_process(name, [*options, str(inputs), seeds])
    for path in sorted(set(found.iterdir()) - before):
        print(f"{path.relative_to(ROOT)} breaks the law: python tools/fuzz.py {name} --input {path.relative_to(ROOT)}")
    return done == 0


def choose(name: str) -> None:
    """The repository's corpus: the fewest inputs that reach all code which the fuzzer's inputs reach, within its bound."""
    from tests.fuzz import corpora

    corpora.CORPUS.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as least, tempfile.TemporaryDirectory() as known:
        for at, data in enumerate(corpora.kept(name)):
            pathlib.Path(known, str(at)).write_bytes(data)
        if in_process(name, ["-merge=1", least, known, str(WORK / name)]):
            raise SystemExit(f"{name}: the merge failed; its corpus is as it was")
        count = corpora.keep(name, [path.read_bytes() for path in pathlib.Path(least).iterdir()])
    print(f"{name}: {count} inputs kept")


def in_process(name: str, options: list[str]) -> int:
    """libFuzzer in a process of its own, which starts itself again to merge: as a program, so it gets a file to start."""
    WORK.mkdir(exist_ok=True)
    program = WORK / f"{name}.sh"
    again = f"import sys; sys.path.insert(0, {str(ROOT)!r}); from tools import fuzz; fuzz.child({name!r}, {str(program)!r})"
    program.write_text(f'#!/bin/sh\nexec {shlex.join([sys.executable, "-W", "ignore", "-c", again])} "$@"\n', encoding="utf-8")
    program.chmod(0o755)
    bounds = [f"-timeout={SECONDS_AN_INPUT}", f"-rss_limit_mb={MEGABYTES}", f"-max_len={LONGEST_INPUT}"]
    return subprocess.run([program, *bounds, *options], cwd=ROOT).returncode


def child(name: str, program: str) -> None:
    """Runs libFuzzer over one target; the code of tfedu alone is instrumented."""
    import atheris

    with atheris.instrument_imports(include=["tfedu"]):
        from tests.fuzz.targets import TARGETS
    import tfedu as tf

    target = TARGETS[name]

    def law(data: bytes) -> None:
        target.law(data)

    def mutate(data: bytes, longest: int, seed: int) -> bytes:
        draw = random.Random(seed)
        changed = target.mutate(data, draw) if target.mutate and draw.random() < 0.7 else data
        return atheris.Mutate(data, longest) if changed == data or len(changed) > longest else changed

    tf.logging.set_verbosity(tf.logging.FATAL)
    atheris.Setup([program, *sys.argv[1:]], law, custom_mutator=mutate)
    atheris.Fuzz()


if __name__ == "__main__":
    sys.exit(main())
