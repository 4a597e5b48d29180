"""The directive `tfedu-graph` in documents that Sphinx really builds, in reStructuredText and in MyST Markdown."""

import base64
import gzip
import json
import re
import subprocess
import sys

import pytest

MARKDOWN = "md"
CONF = 'project = "A book"\nextensions = ["tfedu.sphinx", "myst_parser"]\n'
COUNTER = """\
   x = tf.Variable(0.0, name="x")
   with tf.control_dependencies([tf.assign_add(x, 1)]):
       y = tf.identity(x, name="y")
   open({ran!r}, "a").write("x")
   y
"""
INDEX = """\
A book
======

.. toctree::

   other

.. tfedu-graph::
   :widget: steps
   :live:
   :runs: 2
   :height: 30em
   :lang: ko
   :caption: The *counter*
   :name: fig-counter
   :show-code:

{counter}
.. tfedu-graph::
   :alt: A "sum" </script>

   tf.constant(1.0) + 2.0
"""
OTHER = """\
# Other

```{tfedu-graph}
:live:
:title: </script><b>
tf.constant(1.0) * 2.0
```

```{tfedu-graph}
:alt: fails

b = 2
1 / 0
```
"""


def build(folder, builder):
    command = [
        sys.executable,
        "-m",
        "sphinx",
        "-q",
        "-b",
        builder,
        "-d",
        folder / "doctrees",
        folder,
        folder / builder,
    ]
    return subprocess.run(command, capture_output=True, text=True)


@pytest.fixture(scope="module")
def book(tmp_path_factory):
    folder = tmp_path_factory.mktemp("book")
    (folder / "conf.py").write_text(CONF)
    (folder / "index.rst").write_text(INDEX.format(counter=COUNTER.format(ran=str(folder / "ran"))))
    (folder / f"other.{MARKDOWN}").write_text(OTHER)
    done = build(folder, "html")
    assert done.returncode == 0, done.stderr
    return folder, done.stderr


def packed(text):
    (found,) = re.findall(r'<script type="text/plain" id="packed">([A-Za-z0-9+/=]+)</script>', text)
    return json.loads(gzip.decompress(base64.b64decode(found)))


def test_a_live_figure_is_a_widget_with_a_caption(book):
    text = (book[0] / "html" / "index.html").read_text("utf-8")
    (traits,) = packed(text)["widgets"]
    assert (traits["kind"], traits["lang"], len(traits["record"]["runs"])) == ("step-through", "ko", 2)
    assert re.search(r'<figure[^>]* id="fig-counter">\s*<div data-widget="0">', text)
    assert "The <em>counter</em>" in text
    assert '<div class="running tfedu-place of-height" style="--tfedu-height:30em"></div>' in text
    assert "control_dependencies" in text


def test_another_figure_is_a_picture(book):
    text = (book[0] / "html" / "index.html").read_text("utf-8")
    (name,) = re.findall(r'<img alt="A &quot;sum&quot; &lt;/script&gt;" src="_images/(tfedu-\w+\.svg)"', text)
    assert (book[0] / "html" / "_images" / name).read_text("utf-8").startswith("<svg")


def test_markdown_has_figures_and_names_are_no_markup(book):
    text = (book[0] / "html" / "other.html").read_text("utf-8")
    assert packed(text)["widgets"][0]["kind"] == "graph-view"
    assert "</script><b>" not in text


def test_an_error_of_a_block_is_a_warning_with_its_line(book):
    (warning,) = book[1].strip().splitlines()
    assert f"other.{MARKDOWN}:13: WARNING: tfedu-graph: ZeroDivisionError: division by zero" in warning
    assert "tfedu-graph" not in (book[0] / "html" / "other.html").read_text("utf-8")


def test_a_block_runs_once_and_paper_has_its_picture(book):
    folder, _ = book
    (folder / "index.rst").write_text((folder / "index.rst").read_text() + "\nMore.\n")
    done = build(folder, "latex")
    assert done.returncode == 0, done.stderr
    assert (folder / "ran").read_text() == "x"
    (text,) = [path.read_text("utf-8") for path in (folder / "latex").glob("*.tex")]
    assert len(re.findall(r"\\sphinxincludegraphics.*tfedu-\w+", text)) == 3
    assert len([*(folder / "latex").glob("tfedu-*.pdf")]) == 3
