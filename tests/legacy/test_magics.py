"""`%load_ext tfedu` in a notebook."""

import subprocess
import sys

import pytest
import sources

pytest.importorskip("IPython", reason="the magics need IPython, which tfedu[lab] brings")

SHELL = """
from IPython.core.interactiveshell import InteractiveShell
shell = InteractiveShell.instance()
{before}
for cell in {cells!r}:
    result = shell.run_cell(cell)
    if result.error_in_exec is not None:
        print("error:", result.error_in_exec)
"""


def cells(*texts, before=""):
    program = SHELL.format(cells=texts, before=before)
    done = subprocess.run([sys.executable, "-c", program], cwd=sources.ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_after_load_ext_tensorflow_is_tfedu():
    told = cells(
        "%load_ext tfedu",
        "%tensorflow_version 1.x",
        "import tensorflow as tf, tfedu\nprint(tf is tfedu)",
        "from tensorflow.examples.tutorials.mnist import input_data\nprint(input_data.__name__)",
        "%tensorflow_version 2.x",
    )
    assert "TensorFlow 1.x selected" in told
    assert "True\n" in told
    assert "there is no 2.x here" in told


def test_unload_ext_gives_tensorflow_back():
    told = cells("%load_ext tfedu", "import tensorflow", "%unload_ext tfedu", "import tensorflow")
    assert "error: No module named 'tensorflow'" in told


def test_an_imported_tensorflow_is_not_replaced_unasked():
    before = "import sys, types; sys.modules['tensorflow'] = types.ModuleType('tensorflow')"
    told = cells("%load_ext tfedu", "import tfedu; tfedu.install_as_tensorflow(force=True)",
                 "import tensorflow as tf; print(tf.__version__)",
                 before=before)  # fmt: skip
    assert "TensorFlow itself is imported already" in told
    assert "1.15.0" in told


def test_import_tfedu_needs_no_ipython():
    program = "import sys, tfedu; tfedu.load_ipython_extension; print('IPython' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], cwd=sources.ROOT, capture_output=True, text=True)
    assert done.stdout == "False\n", done.stderr
