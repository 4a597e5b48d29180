"""Shows that TensorFlow restores our checkpoints, and we restore TensorFlow's.

    .venv/bin/python tools/checkpoint_check.py --oracle /path/to/the/oracle/bin/python

Each graph of tests/interop/checkpoint_sets.py is saved by the one side and restored by the other, both ways; the values must be
the same to the last bit. What TensorFlow wrote is kept in tests/golden/checkpoints, with the values, the versions and
what was shown in result.json. Each side runs in a process of its own.
"""

from __future__ import annotations

import argparse
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
GOLDEN = ROOT / "tests" / "golden" / "checkpoints"


def side(name: str, task: str, folder: pathlib.Path) -> None:
    """Saves all sets to a folder with their values, or restores them and writes down the values."""
    sys.path[:0] = [str(ROOT), str(ROOT / "tests" / "semantics"), str(ROOT / "tests" / "interop"), str(ROOT / "tools" / "oracle")]
    if name == "oracle":
        import _oracle

        tf = _oracle.load()
    else:
        import tfedu as tf
    import checkpoint_sets
    import harness
    import numpy as np

    found = {}
    for key, build in checkpoint_sets.SETS.items():
        with tf.Graph().as_default():
            made = build(tf, np)
            prefix = str(folder / key)
            with tf.Session(config=tf.ConfigProto(allow_soft_placement=True)) as session:
                feed = {}
                if made.save:
                    feed = {made.save[0]: prefix}
                if task == "save":
                    session.run(tf.global_variables_initializer())
                    for step in made.before:
                        session.run(step)
                    if made.save:
                        session.run(made.save[1], feed)
                    else:
                        made.saver.save(session, prefix, write_meta_graph=False, write_state=False)
                elif not made.save:
                    made.saver.restore(session, prefix)
                values = session.run(made.values, feed)
            reader = tf.train.load_checkpoint(prefix)
            found[key] = {
                "values": {n: harness.encode(tf, v) for n, v in sorted(values.items())},
                "shapes": {n: list(s) for n, s in sorted(reader.get_variable_to_shape_map().items())},
                "dtypes": {n: d.name for n, d in sorted(reader.get_variable_to_dtype_map().items())},
            }
    print(json.dumps({"found": found, "version": tf.__version__, "numpy": np.__version__}))


def run(python: str, name: str, task: str, folder: pathlib.Path) -> dict:
    command = [python, str(pathlib.Path(__file__)), "--side", name, "--task", task, "--folder", str(folder)]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{name} could not {task}:\n{done.stderr}")
    return json.loads(done.stdout.splitlines()[-1])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--oracle", help="the oracle's Python")
    for hidden in ("--side", "--task", "--folder"):
        parser.add_argument(hidden, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.side:
        side(given.side, given.task, pathlib.Path(given.folder))
        return
    with tempfile.TemporaryDirectory() as place:
        ours, theirs = pathlib.Path(place, "ours"), pathlib.Path(place, "theirs")
        for folder in (ours, theirs):
            folder.mkdir()
        saved = {"ours": run(sys.executable, "ours", "save", ours), "theirs": run(given.oracle, "oracle", "save", theirs)}
        loaded = {"ours": run(given.oracle, "oracle", "load", ours), "theirs": run(sys.executable, "ours", "load", theirs)}
        differ = [
            f"{whose} {key} {part}"
            for whose in saved
            for key in saved[whose]["found"]
            for part in ("values", "shapes", "dtypes")
            if saved[whose]["found"][key][part] != loaded[whose]["found"][key][part]
        ]
        same_bytes = [
            name.name for name in sorted(ours.iterdir())
            if (theirs / name.name).exists() and name.read_bytes() == (theirs / name.name).read_bytes()
        ]  # fmt: skip
        print(f"differences: {differ or 'none'}; files that are the same to the last byte: {', '.join(same_bytes)}")
        shutil.rmtree(GOLDEN, ignore_errors=True)
        shutil.copytree(theirs, GOLDEN)
    result = {
        "made_with": {"tensorflow": saved["theirs"]["version"], "numpy": saved["theirs"]["numpy"]},
        "differences": differ,
        "same_bytes": same_bytes,
        "tensors": sum(len(found["dtypes"]) for found in saved["theirs"]["found"].values()),
        "sets": saved["theirs"]["found"],
    }
    (GOLDEN / "result.json").write_text(json.dumps(result, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    sys.exit(bool(differ))


if __name__ == "__main__":
    main()
