"""`tfedu coverage --course FOLDER`: what of a course runs here, file by file, as text, CSV and a page."""

import csv
import io
import json
import subprocess
import sys

import pytest
import sources

from tfedu.legacy import course

SESSION = "import tensorflow as tf\ntf.Session()\n"


@pytest.fixture
def folder(tmp_path):
    """A course in a folder: `folder(name=text, …)` writes its files and reports on them."""

    def write(files):
        for name, text in files.items():
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return course.course(tmp_path)

    return write


def notebook(*cells, nbformat=4):
    made = [{"cell_type": "code", "source" if nbformat == 4 else "input": text.splitlines(True)} for text in cells]
    made.insert(1, {"cell_type": "markdown", "source": ["tf.nothing"]})
    return json.dumps({"cells": made, "nbformat": 4} if nbformat == 4 else {"worksheets": [{"cells": made}], "nbformat": 3})


def only(report):
    (file,) = report.files
    return file


def found(file):
    return [(finding.kind, finding.what, finding.place) for finding in file.findings]


def test_a_program_whose_names_are_all_here_runs(folder):
    assert only(folder({"a.py": SESSION})) == course.File("a.py", course.RUNS)


def test_a_missing_name_is_told_with_its_lines_and_a_word_on_it(folder):
    file = only(folder({"a.py": SESSION + "tf.no_such_name(1)\ntf.no_such_name(2)\n"}))
    assert (file.verdict, file.summary, found(file)) == (
        course.LACKS, "lacks 1 name", [("name", "tf.no_such_name", "line 3, line 4")],
    )  # fmt: skip
    assert file.findings[0].advice


@pytest.mark.parametrize("nbformat", [3, 4])
def test_the_cells_of_a_notebook_are_counted_and_magics_do_nothing(folder, nbformat):
    cells = [
        "%matplotlib inline\n!pip install x\nimport tensorflow as tf",
        "%%bash\nrm -r x",
        "if True:\n    %time tf.no_such_name()\ntf.mean?\ntf.nope",
    ]
    file = only(folder({"a.ipynb": notebook(*cells, nbformat=nbformat)}))
    assert found(file) == [("name", "tf.nope", "cell 3, line 4")]


def test_only_the_python_code_of_a_text_is_read(folder):
    text = "# A text\n\ntf.prose\n```python\n>>> import tensorflow as tf\n>>> tf.nope\n```\n```sh\npython -c tensorflow\n```\n"
    assert found(only(folder({"README.md": text}))) == [("name", "tf.nope", "line 6")]


def test_a_file_without_tensorflow_is_counted_and_hidden_files_are_not(folder):
    report = folder({"a.py": "print(1)\n", "README.md": "words", ".git/b.py": SESSION, "data.csv": "tensorflow", "c.py": SESSION})
    assert ([file.path for file in report.files], report.others) == (["c.py"], 2)


def test_a_program_for_python_2_needs_its_option(folder):
    file = only(folder({"a.py": SESSION + "print 'one'\n"}))
    assert (file.verdict, file.options, file.summary) == (course.WITH_OPTIONS, ("--py2",), "runs with  --py2")


@pytest.mark.parametrize("line", ["tf.mul(1, 2)", "tf.concat(1, [a, b])", "tf.nn.seq2seq.rnn_decoder"])
def test_a_program_of_tensorflow_before_1_0_needs_its_option(folder, line):
    file = only(folder({"a.py": f"{SESSION}{line}\n"}))
    assert (file.verdict, file.options) == (course.WITH_OPTIONS, ("--legacy 0.x",))


def test_both_options_run_a_program_that_needs_both(folder, tmp_path):
    file = only(folder({"a.py": "import tensorflow as tf\nprint tf.Session().run(tf.mul(2, 3))\n"}))
    options = " ".join(file.options).split()
    assert options == ["--py2", "--legacy", "0.x"]
    command = [sys.executable, "-m", "tfedu", "run", *options, str(tmp_path / "a.py")]
    assert subprocess.run(command, cwd=sources.ROOT, capture_output=True, text=True).stdout == "6\n"


def test_names_that_numpy_removed_are_told(folder):
    file = only(folder({"a.py": "import numpy as np\n" + SESSION + "np.infty\nnp.zeros(2).tostring()\n"}))
    assert [f[:2] for f in found(file)] == [("numpy", "np.infty"), ("numpy", ".tostring()")]
    assert file.verdict == course.RUNS
    assert "np.inf" in file.findings[0].advice


def test_what_other_modules_have_lost_is_told(folder):
    text = "import scipy.misc, time\nfrom scipy import misc as m\nfrom scipy.signal import hann\n"
    text += "from collections import Iterable\n"
    file = only(folder({"a.py": text + SESSION + "scipy.misc.imread('a')\nm.imresize(1, 2)\ntime.clock()\ntime.time()\n"}))
    assert [f[:2] for f in found(file) if f[0] != "module"] == [
        ("numpy", "scipy.signal.hann"), ("python", "collections.Iterable"), ("numpy", "scipy.misc.imread"),
        ("numpy", "scipy.misc.imresize"), ("python", "time.clock"),
    ]  # fmt: skip


def test_modules_and_data_that_the_course_lacks_are_told(folder):
    program = "import os, helper, cPickle, no_such_module\n" + SESSION
    program += "import numpy as np\nnp.load('here.npy'); np.load('gone.npy')\nopen(os.path.join('d', 'gone.csv'))\n"
    program += "open('made.txt', 'w'); open('made.txt')\n"
    report = folder({"part/a.py": program, "part/helper.py": "", "here.npy": ""})
    assert [f[:2] for f in found(only(report))] == [("module", "no_such_module"), ("data", "gone.npy"), ("data", "d/gone.csv")]


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("a.ipynb", "{"),
        ("a.ipynb", "[]"),
        ("a.ipynb", "{}"),
        ("a.ipynb", '{"cells": 1}'),
        ("a.ipynb", '{"cells": [{"cell_type": "code"}]}'),
        ("a.ipynb", '{"cells": [1]}'),
        ("a.ipynb", '{"cells": [{"cell_type": "code", "source": [1]}]}'),
        ("a.ipynb", b"\xff\xfe"),
        ("a.ipynb", "[" * 100_000),
        ("a.py", b"# coding: no-such\nimport tensorflow"),
        ("a.py", b"import tensorflow\n\xff"),
        ("a.py", "import tensorflow\nx = = 1\n"),
        ("a.py", "import tensorflow\n\0"),
    ],
)  # fmt: skip
def test_a_damaged_file_is_told_and_the_others_are_read(folder, name, data):
    report = folder({name: data, "b.py": SESSION})
    assert [file.verdict for file in report.files] == [course.UNREADABLE, course.RUNS]
    assert report.files[0].findings[0].advice


def test_a_cell_of_the_table_is_no_formula(folder):
    rows = list(csv.reader(io.StringIO(folder({"=a.py": SESSION, "b.py": SESSION + "tf.nope"}).csv())))
    assert rows[0] == ["file", "verdict", "options", "kind", "what", "place", "advice"]
    assert rows[1] == ["'=a.py", "runs", "", "", "", "", ""]
    assert rows[2][:2] + rows[2][3:6] == ["b.py", "lacks names", "name", "tf.nope", "line 3"]


def test_a_name_is_never_markup_of_the_page(folder):
    page = folder({"<script>.py": SESSION + "tf.nope"}).html()
    assert "<script>" not in page
    assert "&lt;script&gt;.py" in page
    assert "tf.nope" in page


def command(*arguments):
    line = [sys.executable, "-m", "tfedu", "coverage", *arguments]
    return subprocess.run(line, cwd=sources.ROOT, capture_output=True, text=True)


def test_the_command_tells_writes_both_files_and_fails_if_a_program_lacks_a_name(folder, tmp_path):
    folder({"course/a.py": SESSION})
    table, page = tmp_path / "report.csv", tmp_path / "report.html"
    done = command("--course", str(tmp_path / "course"), "--csv", str(table), "--html", str(page))
    assert (done.returncode, done.stderr) == (0, "")
    assert "1 file with TensorFlow: 1 run as they are, 0 with an option, 0 lack names; 0 without." in done.stdout
    assert table.read_text().startswith("file,verdict")
    assert page.read_text().startswith("<!DOCTYPE html>")
    folder({"course/a.py": SESSION + "tf.nope"})
    assert command("--course", str(tmp_path / "course")).returncode == 1


@pytest.mark.parametrize("options", [["--course", "no-such-folder"], ["--course", "tests/legacy", "--csv", "no/such/folder.csv"]])
def test_the_command_says_what_it_cannot_read_or_write(options):
    done = command(*options)
    assert done.returncode == 1
    assert done.stderr.startswith("tfedu: ")
    assert "no" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("options", [["--csv", "a.csv"], ["--html", "a.html"], ["a.py", "--course", "."]])
def test_options_that_do_not_belong_together_are_refused(options):
    done = command(*options)
    assert done.returncode == 2
    assert "--course" in done.stderr
