"""`tfedu.coverage()` and `tfedu coverage`: what a program needs, read without running it."""

import os
import subprocess
import sys

import pytest
import sources

import tfedu as tf

PROGRAM = """\
import numpy as np
import tensorflow as tf
import tensorflow.contrib.timeseries as ts
from tensorflow.python.framework import ops
from tensorflow import matmul as mm, contrib
raise SystemExit("read, not run")
flags = tf.app.flags
flags.DEFINE_integer("steps", 1, "")
FLAGS = flags.FLAGS
x = tf.placeholder(tf.float32, [None, 2])
y = mm(x, tf.get_variable("w", [2, 2]))
ops.reset_default_graph()
tf.mul(x, x)
tf.mul(y, y)
ts.ARModel(3)
tf.contrib.timeseries.ARModel(4)
tf.reduce_men(x)
tf.GraphKeys.UPDATE_OPS
tf.app.flags.FLAGS.steps
np.float32(tf.float32.as_numpy_dtype)
contrib.kernel_methods.KernelLinearClassifier
"""


@pytest.fixture
def program(tmp_path):
    file = tmp_path / "program.py"
    file.write_text(PROGRAM, encoding="utf-8")
    return file


def test_a_program_is_told_what_it_needs(program, capsys):
    found = tf.coverage(program)
    here = {name.name: name.lines for name in found.here}
    assert here["tf.placeholder"] == (10,)
    assert here["tf.app.flags.FLAGS"] == (9, 19)
    assert here["tf.matmul"] == (5,)
    assert here["tf.GraphKeys.UPDATE_OPS"] == (18,)
    assert here["tf.python.framework.ops.reset_default_graph"] == (12,)
    assert not any(name.startswith("np") for name in here)
    missing = {name.name: name for name in found.missing}
    assert missing["tf.mul"].lines == (13, 14)
    assert missing["tf.mul"].advice == "tf.mul was renamed tf.multiply in TensorFlow 1.0."
    assert missing["tf.contrib.timeseries.ARModel"].lines == (15, 16)
    assert missing["tf.contrib.timeseries.ARModel"].area == "estimator"
    assert "Did you mean tf.reduce_mean?" in missing["tf.reduce_men"].advice
    assert missing["tf.contrib.kernel_methods.KernelLinearClassifier"].area == "estimator"
    text = capsys.readouterr().out
    assert "tf.mul  (line 13, 14)" in text
    assert text == f"{found}\n"


def test_all_of_1_15_is_counted_by_area(capsys):
    found = tf.coverage(show=False)
    assert capsys.readouterr().out == ""
    assert len(found.names) > 6000
    assert {name.area for name in found.here} >= {"language", "frame"}
    assert "not for tfedu" in str(found)


def test_a_program_for_python_2_is_read_too(tmp_path):
    file = tmp_path / "old.py"
    file.write_text("import tensorflow as tf\nprint tf.constant(1)\n")
    assert [name.name for name in tf.coverage(file, show=False).names] == ["tf.constant"]


@pytest.mark.parametrize(
    ("text", "status"),
    [
        ("import tensorflow as tf\ntf.constant(1)\n", 0),
        ("import tensorflow as tf\ntf.mul\n", 1),
        ("(\n", 1),
        ("a\0b", 1),
        ("(" * 20000, 1),
    ],
)
def test_the_command_says_by_its_status_whether_all_is_there(tmp_path, text, status):
    file = tmp_path / "p.py"
    file.write_text(text)
    environment = os.environ | {"PYTHONPATH": str(sources.ROOT)}
    done = subprocess.run([sys.executable, "-m", "tfedu", "coverage", str(file)], env=environment, capture_output=True, text=True)
    assert done.returncode == status, done.stderr
    assert "Traceback" not in done.stderr


def test_a_name_of_a_module_of_which_nothing_is_here_is_told_with_the_module(tmp_path, capsys):
    file = tmp_path / "forest.py"
    file.write_text(
        "from tensorflow.contrib.tensor_forest.python import tensor_forest\ntensor_forest.RandomForestGraphs(None)\n",
        encoding="utf-8",
    )
    found = tf.coverage(file)
    assert [name.lines for name in found.missing] == [(1,), (2,)]
    assert "has a module tensorflow.contrib.tensor_forest.python.tensor_forest" in found.missing[1].advice
    assert "RandomForestClassifier" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("examples.speech_commands.input_data.AudioProcessor", "tensorflow/examples/speech_commands"),
        ("models.rnn.ptb.reader.ptb_raw_data", "beside the program"),
        ("contrib.learn.monitors.ValidationMonitor", "no estimators"),
        ("contrib.boosted_trees.proto.learner_pb2.LearnerConfig", "GradientBoostingClassifier"),
        ("contrib.cudnn_rnn.CudnnLSTM", "CuDNNLSTM"),
        ("train.Server", "one process"),
        ("lite.experimental.microfrontend.python.ops.audio_microfrontend_op", "phones"),
        ("enable_eager_execution", "graphs alone"),
    ],
)
def test_what_is_missing_is_told_with_what_does_the_same(name, told, tmp_path):
    file = tmp_path / "program.py"
    file.write_text(f"import tensorflow as tf\ntf.{name}\n")
    (missing,) = tf.coverage(file, show=False).missing
    assert told in missing.advice


def test_keras_below_contrib_is_keras_as_in_1_0(tmp_path):
    file = tmp_path / "program.py"
    file.write_text(
        "from tensorflow.contrib.keras.python import keras\n"
        "from tensorflow.contrib.keras.python.keras.layers import Dense\n"
        "import tensorflow as tf\n"
        "assert keras is tf.keras and Dense is tf.keras.layers.Dense is tf.contrib.keras.python.keras.layers.Dense\n"
    )
    assert not tf.coverage(file, show=False).missing
    subprocess.run([sys.executable, "-m", "tfedu", "run", file], check=True)
