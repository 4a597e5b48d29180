"""Ctrl-C while a module is imported on its first use leaves a process in which the next use imports it again."""

import subprocess
import sys

import pytest

# Forks at each point: a child interrupts the import there, then uses the module twice.
PROGRAM = """
import os, random, sys
import tfedu as tf

def interrupted(use, at):
    '''Whether the import has a line `at`, counted from 0, at which it is interrupted.'''
    seen = -1

    def call(frame, event, arg):
        if frame.f_code.co_name == "<module>" and frame.f_globals["__name__"].startswith("tfedu."):
            return line

    def line(frame, event, arg):
        nonlocal seen
        seen += event == "line"
        if seen == at:
            raise KeyboardInterrupt
        return line

    sys.settrace(call)
    try:
        use()
        return seen
    except KeyboardInterrupt:
        return True
    finally:
        sys.settrace(None)

def in_child(work):
    reader, writer = os.pipe()
    if os.fork() == 0:
        try:
            os.write(writer, repr(work()).encode())
        finally:
            os._exit(0)
    os.close(writer)
    with open(reader) as answer:
        return answer.read()

def again(at):
    assert interrupted(use, at) is True
    use()
    use()
    return "usable"

use = lambda: USE
lines = int(in_child(lambda: interrupted(use, -2))) + 1
assert lines > 10, lines
for at in random.Random(0).sample(range(lines), 5):
    assert in_child(lambda: again(at)) == "'usable'", at
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="forks")
@pytest.mark.parametrize(
    "use", ["tf.train.Saver([tf.Variable(1.0)])", "tf.layers.dense(tf.zeros([1, 2]), 3)", "tf.linalg.inv(tf.eye(2))"]
)
def test_a_module_whose_import_was_interrupted_is_imported_again(use):
    program = PROGRAM.replace("USE", use)
    done = subprocess.run([sys.executable, "-W", "ignore", "-c", program], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr[-2000:]
