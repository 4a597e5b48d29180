"""tfedu runs without the package protobuf; what needs messages says so."""

import subprocess
import sys

import pytest

PROLOGUE = """
import sys
sys.modules["google.protobuf"] = None
import tfedu as tf
"""


def run(program: str) -> subprocess.CompletedProcess:
    return subprocess.run([sys.executable, "-c", PROLOGUE + program], capture_output=True, text=True, check=False)


def test_a_graph_is_built_and_run_without_protobuf():
    done = run("x = tf.Variable(1.0)\nwith tf.Session() as s:\n    s.run(x.initializer)\n    print(s.run(x + 1))")
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == "2.0"


@pytest.mark.parametrize("program", [
    "tf.GraphDef()",
    "tf.get_default_graph().as_graph_def()",
    "tf.import_graph_def(None)",
    "tf.constant(1).op.node_def",
    "tf.train.write_graph(tf.Graph(), '.', 'x.pbtxt')",
])  # fmt: skip
def test_what_needs_messages_says_which_package_is_missing(program):
    done = run(program)
    assert done.returncode != 0
    assert "need the package protobuf" in done.stderr
    assert "pip install protobuf" in done.stderr
