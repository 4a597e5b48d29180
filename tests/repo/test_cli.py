"""The command line: the errors of `tfedu lab`, and the output and exit status of `tfedu trace`."""

import os
import re
import socket
import subprocess
import sys

import pytest
import sources

from tfedu import cli

COUNTER = """\
import sys
import tfedu as tf

x = tf.Variable(0.0)
with tf.control_dependencies([tf.assign_add(x, 1.0)]):
    y = tf.identity(x)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for _ in range(3):
        print("printed", sess.run(y), sys.argv[1:])
"""


def tfedu(*arguments: object, cwd=sources.ROOT) -> subprocess.CompletedProcess:
    environment = os.environ | {"PYTHONPATH": str(sources.ROOT), "PYTHONIOENCODING": "utf-8"}
    command = [sys.executable, "-m", "tfedu", *map(str, arguments)]
    return subprocess.run(command, cwd=cwd, env=environment, capture_output=True, text=True, encoding="utf-8")


@pytest.fixture
def program(tmp_path):
    def write(text: str):
        file = tmp_path / "program.py"
        file.write_text(text, encoding="utf-8")
        return file

    return write


def test_trace_prints_each_run_beside_the_programs_own_output(program):
    done = tfedu("trace", program(COUNTER), "an argument", "--flag")
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    printed = [line for line in done.stdout.splitlines() if line.startswith("printed")]
    assert printed == [f"printed {n}.0 ['an argument', '--flag']" for n in (1, 2, 3)]
    for n, (before, after) in enumerate([(0, 1), (1, 2), (2, 3)], 1):
        assert re.search(rf"^Run {n}\b", done.stdout, re.M), done.stdout
        assert f"{before}.0 → {after}.0" in done.stdout
        assert f"  Identity:0 = {after}.0\n" in done.stdout
    assert "program.py, line 10" in done.stdout


def test_trace_speaks_the_languages_of_the_catalogue(program):
    file = program(COUNTER)
    texts = {lang: tfedu("trace", "--lang", lang, file).stdout for lang in ("en", "ko", "zh")}
    assert len(set(texts.values())) == 3
    assert all("AssignAdd" in text and "printed 3.0 []" in text for text in texts.values())


def test_trace_prints_no_more_runs_than_asked_for(program):
    text = tfedu("trace", "--runs", 2, program(COUNTER)).stdout
    assert "Run 1" in text
    assert "Run 2" not in text  # the first of the two was the initializer's
    assert "printed 3.0 []" in text


def test_trace_of_a_failing_program_shows_the_steps_and_the_error(program):
    done = tfedu("trace", program("import tfedu as tf\nx = tf.Variable(1.0)\ntf.Session().run(x + 1.0)\n"))
    assert done.returncode == 1
    assert "Attempting to use uninitialized value Variable" in done.stderr
    assert "FailedPreconditionError" in done.stderr
    assert "cli.py" not in done.stderr
    assert "Run 1" in done.stdout


def test_trace_exits_with_the_programs_status(program):
    assert tfedu("trace", program("raise SystemExit(7)")).returncode == 7


def test_trace_of_a_missing_file_says_so(tmp_path):
    done = tfedu("trace", tmp_path / "none.py")
    assert done.returncode == 1
    assert "there is no file" in done.stderr


def test_a_port_in_use_is_an_error():
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        done = tfedu("lab", "--port", port)
    assert done.returncode == 1
    assert f"Port {port} cannot be used" in done.stderr


@pytest.mark.parametrize("port", [70000, -1])
def test_an_impossible_port_is_an_error(port):
    done = tfedu("lab", f"--port={port}")
    assert done.returncode == 1
    assert "cannot be used" in done.stderr


def test_without_a_port_lab_uses_the_first_free_one(monkeypatch):
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        monkeypatch.setattr(cli, "FIRST_PORT", other.getsockname()[1])
        assert cli._port(None) > cli.FIRST_PORT


def test_in_a_clone_the_course_is_the_clones_own():
    assert cli.course_folder() == sources.ROOT / "notebooks"


def test_a_browser_is_opened_only_where_there_is_a_window(monkeypatch):
    monkeypatch.setattr(sys, "platform", "linux")
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER"):
        monkeypatch.delenv(name, raising=False)
    assert not cli._has_browser()
    monkeypatch.setenv("DISPLAY", ":0")
    monkeypatch.setattr(cli.webbrowser, "get", lambda: None)
    assert cli._has_browser()


def test_doctor_names_settings_that_slow_the_machine_down(monkeypatch, capsys):
    monkeypatch.delenv("OPENBLAS_L2_SIZE", raising=False)
    monkeypatch.setenv("OPENBLAS_CORETYPE", "Haswell")
    assert cli.main(["doctor"]) == 0
    told = [line for line in capsys.readouterr().out.splitlines() if line.startswith("look")]
    assert len(told) == 1
    assert "OPENBLAS_CORETYPE=Haswell" in told[0]
    assert "Unset it" in told[0]


def test_doctor_says_how_to_install_an_extra_that_is_missing(monkeypatch, capsys):
    monkeypatch.setattr("tfedu.doctor.EXTRAS", {"fast": ("no_such_package", "faster steps")})
    assert cli.main(["doctor"]) == 0
    assert 'none  the extra fast, faster steps:  pip install "tfedu[fast]"' in capsys.readouterr().out
