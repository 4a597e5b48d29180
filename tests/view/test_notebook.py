"""In IPython: a graph shows its picture and its text, nodes name their cells, and a notice names a cell that was run again."""

import subprocess
import sys

PROGRAM = """
import sys, warnings
warnings.simplefilter("ignore")
from IPython.core.interactiveshell import InteractiveShell
shell = InteractiveShell.instance(colors="NoColor")
def run(cell):
    done = shell.run_cell(cell, store_history=True)
    assert done.success, done
    return done.result
run("import tfedu as tf")
run("y = 1\\nx = tf.Variable(0.0)")
run("with tf.control_dependencies([tf.assign_add(x, 1)]):\\n    y = x")
graph = run("graph = tf.get_default_graph()\\ngraph")
bundle, _ = shell.display_formatter.format(graph)
assert set(bundle) == {"image/svg+xml", "text/html", "text/plain"}, set(bundle)
assert "Cell In[3], line 1" in bundle["text/plain"], bundle["text/plain"]
assert "AssignAdd" in bundle["image/svg+xml"]
assert graph.get_operation_by_name("Variable").site.label == "Cell In[2], line 2"
bundle, _ = shell.display_formatter.format(run("tf.identity(x)"))
assert bundle["text/plain"].startswith("<tf.Tensor 'Identity:0'"), bundle["text/plain"]
assert "rerun" not in str(tf.show(graph).record.notices) if (tf := run("tf")) else None
run("y = 1\\nx = tf.Variable(0.0)")
(notice,) = tf.show(graph).record.notices
assert notice.params["again"] == "Variable_1", notice
assert notice.params["where"] == "Cell In[7], line 2", notice
assert "Variable_1" in tf.show(graph, lang="en").svg
print("done")
"""


def test_ipython_shows_graphs_and_cells_have_their_names(tmp_path, monkeypatch):
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path))
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.strip().endswith("done")
