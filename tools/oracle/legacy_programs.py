"""Runs the programs of tests/legacy/programs as TensorFlow 1.x would and keeps what they print: tests/golden/legacy_programs.json.

Run with the oracle's interpreter: ``python tools/oracle/legacy_programs.py``. In it ``import tensorflow`` gives
``tensorflow.compat.v1`` in graph mode. Programs that say ``oracle: no`` in their first string use what 2.15 has no more.
"""

import json
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAMS = ROOT / "tests" / "legacy" / "programs"
GOLDEN = ROOT / "tests" / "golden" / "legacy_programs.json"
SHIM = """
import runpy, sys, pathlib
sys.path.insert(0, {tools!r})
import _oracle
tf = _oracle.load()
tf.logging.set_verbosity(tf.logging.WARN)
sys.modules["tensorflow"] = tf
sys.modules["tensorflow.compat.v1"] = tf
import importlib.util
sys.argv = {argv!r}
sys.path.insert(0, str(pathlib.Path(sys.argv[0]).resolve().parent))
runpy.run_path(sys.argv[0], run_name="__main__")
"""


def options(file):
    """What a program's first string says: {"arguments": [...], "oracle": False, "py2": True}."""
    text = file.read_text(encoding="utf-8")
    head = text.split('"""')[1] if text.startswith('"""') else ""
    said = dict(line.split(": ", 1) for line in head.splitlines() if ": " in line)
    return {"arguments": said.get("arguments", "").split(), "oracle": said.get("oracle") != "no" and "py2" not in said, "py2": "py2" in said}


def main():
    found = {}
    for file in sorted(PROGRAMS.glob("*.py")):
        said = options(file)
        if not said["oracle"]:
            continue
        program = SHIM.format(tools=str(ROOT / "tools" / "oracle"), argv=[str(file.relative_to(ROOT)), *said["arguments"]])
        done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True)
        logged = [line for line in done.stderr.splitlines() if ":tensorflow:" in line and "is deprecated" not in line]
        found[file.stem] = {"status": done.returncode, "stdout": done.stdout.splitlines(), "log": logged}
        if done.returncode:
            last = (done.stderr.strip().splitlines() or [""])[-1]
            print(f"{file.stem}: {done.returncode} {last}")
            found[file.stem]["error"] = last if ": " in last and "Error" in last else ""
    GOLDEN.write_text(json.dumps(found, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
