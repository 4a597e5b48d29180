"""`tfedu coverage --course FOLDER`: what of a course runs here, file by file, as text, CSV and a page."""

import csv
import gzip
import io
import json
import subprocess
import sys

import pytest
import sources

import tfedu as tf
from tfedu.legacy import cached_data, course

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


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("tf.nn.rnn_cell.OutputProjectionWrapper", "tf.nn.rnn_cell.OutputProjectionWrapper"),
        ("tf.split(1, 2, a)", "tf.split(…)"),
        ("tf.nn.softmax_cross_entropy_with_logits(a, b)", "tf.nn.softmax_cross_entropy_with_logits(…)"),
        ("from tensorflow.python.ops.nn import sigmoid_cross_entropy_with_logits as f", None),
        ("tf.nn.softmax_cross_entropy_with_logits(logits=a, labels=b)", None),
        ("tf.nn.softmax_cross_entropy_with_logits_v2(a, b)", None),
        ("tf.split(a, 2, 1)", None),
        ("tf.concat([a, b], 1)", None),
    ],
)
def test_what_1_0_changed_is_told_with_its_line(line, told, folder):
    file = only(folder({"a.py": f"{SESSION}{line}\n"}))
    assert found(file) == ([("old", told, "line 3")] if told else [])
    assert file.options == (("--legacy 0.x",) if told else ())


def test_names_that_numpy_removed_are_told(folder):
    file = only(folder({"a.py": "import numpy as np\n" + SESSION + "np.infty\nnp.zeros(2).tostring()\n"}))
    assert [f[:2] for f in found(file)] == [("numpy", "np.infty"), ("numpy", ".tostring()")]
    assert file.verdict == course.RUNS
    assert "np.inf" in file.findings[0].advice


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("a.ptp(); a.ptp()", ".ptp()"),
        ("np.ptp(a)", None),
        ("np.reshape(a, newshape=[1])", "reshape(newshape=…)"),
        ("np.array(a, copy=False)", "np.array(copy=False)"),
        ("np.array(a, copy=True); b.array(copy=False)", None),
        ("np.fromstring(a, np.uint8)", "np.fromstring(bytes)"),
        ("np.fromstring(a, sep=' ')", None),
    ],
)
def test_what_numpy_no_longer_takes_in_a_call_is_told_once(line, told, folder):
    file = only(folder({"a.py": f"import numpy as np\n{SESSION}{line}\n"}))
    assert found(file) == ([("numpy", told, "line 4")] if told else [])


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
    ("lines", "summary"),
    [
        ("open('a.csv')", "runs, with 1 data file that is absent"),
        ("open('a.csv'); open('b.csv')", "runs, with 2 data files that are absent"),
        ("open('a.csv'); import no_such_module", "runs, with 1 data file and 1 module that are absent"),
        ("print 1; open('a.csv')", "runs with  --py2, with 1 data file that is absent"),
        ("open('a.csv'); tf.nope", "lacks 1 name"),
    ],
)
def test_a_verdict_says_what_the_program_needs_besides(lines, summary, folder):
    assert only(folder({"a.py": f"{SESSION}{lines}\n"})).summary == summary


def test_findings_stand_under_their_kind_and_the_absent_files_of_all_at_the_end(folder):
    report = folder({"a.py": SESSION + "open('x.csv')\ntf.nope\n", "b.py": SESSION + "import no_such_module\nopen('x.csv')\n"})
    text = str(report)
    places = [text.index(each) for each in (
        "a.py", "names that tfedu lacks:", "tf.nope", "data files that are absent:", "x.csv  (line 3)", "b.py",
        "modules that are absent:",
        "All data files that are absent:\n    x.csv  (a.py, b.py)", "All modules that are absent:\n    no_such_module  (b.py)",
    )]  # fmt: skip
    assert places == sorted(places)
    page = report.html()
    assert "<h3>Data files that are absent</h3><ul><li><code>x.csv</code> (line 3):" in page
    end = "<ul><li><code>x.csv</code>, for <code>a.py</code>, <code>b.py</code></li></ul>"
    assert f"<h2>All data files that are absent</h2>{end}" in page


def test_a_file_whose_name_is_a_constant_of_the_program_is_told(folder):
    program = SESSION + "DATA, FOLDER = 'x', 'd'\nFILE = 'gone.csv'\nopen(FILE)\nopen(DATA)\n"
    program += "import os\nBASE = 'd'\nopen(os.path.join(BASE, FILE))\nTWICE = 'a.csv'\nTWICE = 'b.csv'\nopen(TWICE)\n"
    program += "OTHER = 'c.csv'\ndef read(OTHER):\n    open(OTHER)\n"
    assert found(only(folder({"a.py": program}))) == [("data", "gone.csv", "line 5"), ("data", "d/gone.csv", "line 9")]


@pytest.mark.parametrize(
    "lines",
    [
        "model.save('m.h5'); tf.keras.models.load_model('m.h5')",
        "FILE = 'w.h5'; model.save_weights(FILE); model.load_weights(FILE)",
        "np.save('x', a); np.load('x.npy')",
        "np.savez(file='x', a=a); np.load('x.npz')",
        "tf.train.Saver().save(session, 'm.ckpt'); tf.train.import_meta_graph('m.ckpt.meta')",
        "tf.python_io.TFRecordWriter('a.tfrecord'); tf.data.TFRecordDataset(['a.tfrecord'])",
        "urllib.request.urlretrieve(url, 'a.csv'); open('a.csv')",
    ],
)
def test_a_file_that_the_program_writes_itself_is_not_absent(lines, folder):
    assert found(only(folder({"a.py": f"import numpy as np\n{SESSION}{lines}\n"}))) == []


@pytest.fixture
def cache(tmp_path, monkeypatch):
    """Keras' cache folder, empty."""
    monkeypatch.setenv("KERAS_HOME", str(tmp_path / "keras"))
    (tmp_path / "keras" / "datasets").mkdir(parents=True)
    return tmp_path / "keras"


@pytest.mark.parametrize("name", cached_data._FILES)
def test_the_absent_files_of_a_data_set_are_those_that_its_loader_asks_for(name, folder, cache):
    program = {"a.py": f"import tensorflow as tf\nload = tf.keras.datasets.{name}()\n"}
    file = only(folder(program))
    assert file.verdict == course.RUNS
    module, function = name.split(".")
    for finding, names in zip(file.findings, cached_data._FILES[name][0], strict=True):
        assert (finding.kind, finding.what, finding.place) == ("data", names[0], "line 2")
        assert str(cache / "datasets") in finding.advice
        with pytest.raises(FileNotFoundError) as raised:
            getattr(getattr(tf.keras.datasets, module), function)()
        assert any(f"{cache / 'datasets' / each} " in f"{raised.value} ".replace(";", " ") for each in names)
        (cache / "datasets" / finding.what).parent.mkdir(exist_ok=True)
        (cache / "datasets" / finding.what).write_bytes(gzip.compress(bytes(8 if "labels" in finding.what else 16)))
    assert not only(folder(program)).findings


@pytest.mark.parametrize(
    "program",
    [
        "import tensorflow as tf\nmnist = tf.keras.datasets.mnist\nmnist.load_data()",
        "from tensorflow.keras.datasets import mnist\nmnist.load_data()",
        "from tensorflow.python.keras.datasets.mnist import load_data\nload_data()",
        "from tensorflow import keras\n(x, y), _ = keras.datasets.mnist.load_data(path='mnist.npz')",
        "import tensorflow as tf\ntf.contrib.keras.datasets.mnist.load_data('mnist.npz')",
    ],
)
def test_a_data_set_is_found_under_each_name_that_programs_give_it(program, folder, cache):
    (finding,) = only(folder({"a.py": program})).findings
    assert finding.what == "mnist.npz"
    assert f"tfedu mnist {cache / 'datasets'}" in finding.advice
    assert "https://storage.googleapis.com/tensorflow/tf-keras-datasets/mnist.npz" in finding.advice


def test_files_that_get_file_would_fetch_are_told_with_their_folder(folder, cache):
    program = SESSION + "get = tf.keras.utils.get_file\nimport os\n"
    program += "tf.keras.utils.get_file('a.csv', 'http://x.org/a.csv')\n"
    program += "tf.keras.utils.get_file(fname=os.path.basename(url), origin=url)\n"
    program += "tf.keras.utils.get_file('b.h5', 'u', cache_subdir='models')\n"
    program += "tf.keras.utils.get_file('c.csv', 'u', cache_dir=home())\n"
    program += "tf.keras.utils.get_file('d.csv', 'u', cache_dir='.', cache_subdir='')\n"
    (cache / "models").mkdir()
    (cache / "models" / "b.h5").touch()
    first, second, third = only(folder({"a.py": program})).findings
    assert (first.what, first.place) == ("a.csv", "line 5")
    assert f"{cache / 'datasets'}" in first.advice
    assert "http://x.org/a.csv" in first.advice
    assert (second.what, second.place) == ("os.path.basename(url)", "line 6")
    assert third.what == "d.csv"


def test_the_weights_of_imagenet_are_told(folder, cache):
    program = SESSION + "from tensorflow.keras.applications.resnet50 import ResNet50, preprocess_input\npreprocess_input(x)\n"
    program += "ResNet50()\ntf.keras.applications.VGG16(False, 'imagenet')\ntf.keras.applications.VGG19(weights=None)\n"
    program += "tf.keras.applications.MobileNet((32, 32, 3))\ntf.keras.applications.InceptionV3(weights='imagenet')\n"
    (cache / "models").mkdir()
    for name in ("resnet50v2_weights_tf_dim_ordering_tf_kernels.h5", "inception_v3_weights_tf_dim_ordering_tf_kernels.h5"):
        (cache / "models" / name).touch()
    told = only(folder({"a.py": program})).findings
    assert [(finding.kind, finding.what, finding.place) for finding in told] == [
        ("data", "ImageNet's weights of ResNet50", "line 5"), ("data", "ImageNet's weights of VGG16", "line 6"),
        ("data", "ImageNet's weights of MobileNet", "line 8"),
    ]  # fmt: skip
    assert str(cache / "models") in told[0].advice


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
