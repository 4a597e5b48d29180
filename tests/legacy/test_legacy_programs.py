"""Programs in the style of teaching repositories, run by `tfedu run`: they print what TensorFlow prints.

`tests/golden/legacy_programs.json` is TensorFlow's own output (tools/oracle/legacy_programs.py). What the oracle cannot run,
because 2.15 has no contrib and no examples, has its output beside it.
"""

import importlib.util
import json
import os
import subprocess
import sys

import pytest
import sources

spec = importlib.util.spec_from_file_location("legacy_programs", sources.ROOT / "tools" / "oracle" / "legacy_programs.py")
recorder = importlib.util.module_from_spec(spec)
spec.loader.exec_module(recorder)

GOLDEN = json.loads(recorder.GOLDEN.read_text(encoding="utf-8"))
PROGRAMS = sorted(recorder.PROGRAMS.glob("*.py"))


def tfedu(*arguments, cwd=sources.ROOT):
    environment = os.environ | {"PYTHONPATH": str(sources.ROOT), "PYTHONIOENCODING": "utf-8"}
    command = [sys.executable, "-m", "tfedu", *map(str, arguments)]
    return subprocess.run(command, cwd=cwd, env=environment, capture_output=True, text=True, encoding="utf-8")


@pytest.mark.parametrize("file", PROGRAMS, ids=lambda f: f.stem)
def test_program_prints_what_tensorflow_prints(file):
    said = recorder.options(file)
    py2 = ["--py2"] if said["py2"] else []
    done = tfedu("run", *py2, file.relative_to(sources.ROOT), *said["arguments"])
    if said["oracle"]:
        wanted = GOLDEN[file.stem]
        assert done.stdout.splitlines() == wanted["stdout"], done.stderr
        assert done.returncode == wanted["status"], done.stderr
        if file.stem != "square_case":  # the oracle's sessions also log what they raise
            assert [line for line in done.stderr.splitlines() if ":tensorflow:" in line] == wanted["log"]
    else:
        assert done.returncode == 0, done.stderr
        assert done.stdout == file.with_suffix(".out").read_text(encoding="utf-8")


def test_every_recording_has_its_program():
    assert GOLDEN.keys() == {file.stem for file in PROGRAMS if recorder.options(file)["oracle"]}


def test_a_traceback_begins_at_the_programs_own_lines():
    done = tfedu("run", "tests/legacy/programs/broken.py")
    lines = done.stderr.splitlines()
    assert lines[0] == "Traceback (most recent call last):"
    assert 'broken.py", line 8, in <module>' in lines[1]
    assert "running.py" not in done.stderr
    assert "cli.py" not in done.stderr
    assert "importlib" not in done.stderr


def test_trace_runs_programs_that_import_tensorflow(tmp_path):
    file = tmp_path / "p.py"
    file.write_text("import tensorflow as tf\nwith tf.Session() as sess:\n    print(sess.run(tf.identity(3)))\n")
    done = tfedu("trace", file)
    assert done.returncode == 0, done.stderr
    assert "Run 1" in done.stdout
    assert done.stdout.rstrip().endswith("3")


def test_a_program_leaves_no_compiled_copy_and_finds_its_neighbours(tmp_path):
    (tmp_path / "helper.py").write_text("import tensorflow as tf\nVALUE = tf.constant(2)\n")
    file = tmp_path / "p.py"
    file.write_text(f"import helper, os\nprint(helper.VALUE.name, os.getcwd() == {str(tmp_path)!r})\n")
    done = tfedu("run", file, cwd=tmp_path)
    assert done.stdout == "Const:0 True\n", done.stderr
    assert not list((tmp_path / "__pycache__").glob("p.*"))


def test_an_uncaught_exit_keeps_its_meaning(tmp_path):
    file = tmp_path / "p.py"
    file.write_text("import sys\nsys.exit('words')\n")
    done = tfedu("run", file)
    assert (done.returncode, done.stderr) == (1, "words\n")


def test_no_file_is_said(tmp_path):
    done = tfedu("run", tmp_path / "none.py")
    assert done.returncode == 1
    assert "there is no file" in done.stderr


def test_main_is_the_program_so_that_its_objects_can_be_pickled(tmp_path):
    file = tmp_path / "p.py"
    file.write_text(
        "import pickle, sys\nclass A:\n    pass\nprint(type(pickle.loads(pickle.dumps(A()))) is A, __spec__ is None)\n"
        "import __main__\nprint(__main__.A is A)\n"
    )
    done = tfedu("run", file)
    assert done.stdout == "True True\nTrue\n", done.stderr
