"""Fences in Markdown become figures: `tfedu render`, and the filter of Pandoc, with documents as Pandoc writes them."""

import base64
import gzip
import json
import os
import pathlib
import re
import subprocess
import sys
from html.parser import HTMLParser

import pytest

from tfedu import cli
from tfedu.publishing import pandoc_filter
from tfedu.publishing.figure_options import OPTIONS, made_of_block, options_of_fence
from tfedu.publishing.figures import BlockError
from tfedu.publishing.markdown_pages import MarkdownError, render

# Files that the tests write.
PAGE_FILE, OUT_FILE = (f"{name}.{'md'}" for name in ("page", "out"))
HOSTILE = '</script><img src=x onerror="alert(1)">'
PAGE = """\
# A *page* & more

```{{tfedu-graph}}
:alt: [{hostile}](x)
:caption: The *sum*

open({ran!r}, "a").write("x")
tf.constant(1.0, name="one") + 2.0
```

1. In a list

   ~~~{{.tfedu-graph widget=steps live=true height=30em show-code=true}}
   x = tf.Variable(0.0, name="x")
   with tf.control_dependencies([tf.assign_add(x, 1)]):
       y = tf.identity(x, name="y")
   y
   ~~~

   > ```tfedu-graph
   > :width: 50%
   > tf.constant(1.0)
   > ```

````
```tfedu-graph
1 / 0
```
````
"""


class Elements(HTMLParser):
    """The start tags of a page, with their attributes."""

    def __init__(self, text):
        super().__init__()
        self.found = []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.found.append((tag, dict(attributes)))

    def __getitem__(self, tag):
        return [attributes for name, attributes in self.found if name == tag]


def packed(text):
    (found,) = re.findall(r'<script type="text/plain" id="packed">([A-Za-z0-9+/=]+)</script>', text)
    return json.loads(gzip.decompress(base64.b64decode(found)))


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder with a source, its page and its Markdown."""
    folder = tmp_path_factory.mktemp("markdown")
    (folder / PAGE_FILE).write_text(PAGE.format(hostile=HOSTILE, ran=str(folder / "ran")))
    assert render(folder / PAGE_FILE, folder / "page.html", "ko") == folder / "page.html"
    render(folder / PAGE_FILE, folder / OUT_FILE)
    return folder


def test_a_page_has_pictures_and_widgets(folder):
    text = (folder / "page.html").read_text("utf-8")
    page = Elements(text)
    assert page["html"] == [{"lang": "ko"}]
    assert "<title>A page &amp; more</title>" in text
    assert "<figcaption>The <em>sum</em></figcaption>" in text
    picture, still, narrow = page["img"]
    assert picture["alt"] == f"[{HOSTILE}](x)"
    assert all(each["src"].startswith("data:image/svg+xml;base64,") for each in page["img"])
    assert narrow["style"] == "width: 50%"
    assert still["alt"].startswith("StepThrough: ")
    (widget,) = packed(text)["widgets"]
    assert widget["kind"] == "step-through"
    assert [each for each in page["div"] if "of-height" in each.get("class", "")] == [
        {"class": "running tfedu-place of-height", "style": "--tfedu-height:30em"}
    ]
    assert '<li>\n<p>In a list</p>\n<pre><code class="language-python">x = tf.Variable(0.0, name=&quot;x&quot;)' in text
    assert "1 / 0" in text  # a fence in a fence is text


def test_markdown_has_pictures_beside_it(folder):
    from markdown_it import MarkdownIt

    text = (folder / OUT_FILE).read_text("utf-8")
    page = Elements(MarkdownIt("commonmark", {"html": True}).render(text))
    picture, still, narrow = page["img"]
    assert picture["alt"] == f"[{HOSTILE}](x)"
    assert narrow["style"] == "width: 50%"
    for each in (picture, narrow):
        assert (folder / each["src"]).read_text("utf-8").startswith("<svg")
    assert packed(text)["widgets"][0]["kind"] == "step-through"
    assert still["src"].startswith("data:")
    inside = text.splitlines()[text.splitlines().index("   ```python") :]
    assert inside[1] == '   x = tf.Variable(0.0, name="x")'
    assert [line for line in inside if line.startswith("   <div")]
    assert [line for line in inside if line.startswith("   > <img")]
    assert text.count("1 / 0") == 1


def test_a_block_runs_once(folder):
    assert (folder / "ran").read_text() == "x"


def test_all_fences_that_fail_are_told_with_their_lines(tmp_path, capsys):
    source = tmp_path / OUT_FILE
    source.write_text("# T\n\n```tfedu-graph\n:live:\n\na = 1\n1 / 0\n```\n\n```{tfedu-graph}\n:width: wide\n```\n")
    with pytest.raises(MarkdownError) as caught:
        render(source, tmp_path / "out.html")
    assert [line for line, _ in caught.value.problems] == [7, 11]
    assert cli.main(["render", str(source)]) == 1
    told = capsys.readouterr().err.splitlines()
    assert told[0] == f"{source}:7: ZeroDivisionError: division by zero"
    assert told[1].startswith(f"{source}:11: the option width must be a number of pixels or of px, em, ")
    assert sorted(path.name for path in tmp_path.iterdir()) == [OUT_FILE]


def test_the_command_refuses_what_it_would_overwrite_or_cannot_write(tmp_path, capsys):
    source = tmp_path / PAGE_FILE
    source.write_text("text\n")
    for target, told in ((PAGE_FILE, "is the source itself"), ("page.txt", "must end in .html or .md"), ("none/p.html", "none")):
        assert cli.main(["render", str(source), "-o", str(tmp_path / target)]) == 1
        assert told in capsys.readouterr().err
    assert cli.main(["render", str(tmp_path / OUT_FILE)]) == 1
    source.write_bytes(b"\xff\xfe")
    assert cli.main(["render", str(source)]) == 1
    source.write_text("# Only *text*\n")
    assert cli.main(["render", str(source)]) == 0
    assert "<script" not in (tmp_path / "page.html").read_text("utf-8")


@pytest.mark.parametrize(("info", "options"), [
    ("tfedu-graph", []), ("{tfedu-graph}", []), (" {.python .tfedu-graph} ", []), ("tfedu-graph live=true", [("live", "true")]),
    ("{.tfedu-graph #fig-a widget=steps title='a b' alt=\"c\"}", [("widget", "steps"), ("title", "a b"), ("alt", "c")]),
    ("python", None), ("", None), ("{python}", None), ("python tfedu-graph", None), ("tfedu-graphs", None),
])  # fmt: skip
def test_what_stands_behind_the_opening_of_a_fence(info, options):
    assert options_of_fence(info) == options


@pytest.mark.parametrize(("name", "text"), [
    ("widget", "film"), ("live", "maybe"), ("runs", "0"), ("runs", "1.5"), ("lang", "de"), ("width", "1e9"), ("height", "tall"),
    ("height", "1px;color:red"), ("nothing", HOSTILE),
])  # fmt: skip
def test_a_wrong_option_is_told(name, text, tmp_path):
    with pytest.raises(BlockError) as caught:
        made_of_block(f":live:\n:{name}: {text}\n\n1\n", [], tmp_path)
    assert caught.value.line == 2
    assert name in str(caught.value)
    assert not [*tmp_path.iterdir()]


def test_lengths_have_units():
    assert OPTIONS["width"]("480") == "480px"
    assert OPTIONS["height"](" 80 vh ") == "80vh"
    with pytest.raises(ValueError):
        OPTIONS["width"]("80vh")  # paper has none


# -- Pandoc ------------------------------------------------------------------------------------------------------------


def code_block(text, *attributes, identifier="", classes=("tfedu-graph",)):
    """As Pandoc 3 gives a fence."""
    return {"t": "CodeBlock", "c": [[identifier, list(classes), [list(each) for each in attributes]], text]}


def document(*blocks):
    return {"pandoc-api-version": [1, 23, 1], "meta": {}, "blocks": list(blocks)}


SUM = "tf.constant(1.0) + 2.0"


def through_pandoc(document, format, folder):
    command = [sys.executable, "-m", "tfedu.publishing.pandoc_filter", format]
    environment = {**os.environ, "PYTHONPATH": str(pathlib.Path(__file__).resolve().parents[2])}
    done = subprocess.run(command, input=json.dumps(document).encode(), cwd=folder, env=environment, capture_output=True)
    return done.returncode, json.loads(done.stdout), done.stderr.decode()


def test_pandoc_gets_a_widget_for_a_page(tmp_path):
    other = code_block("x", classes=["python"])
    item = {"t": "BulletList", "c": [[code_block(SUM, ("live", "true"), ("height", "300"))]]}
    code, made, told = through_pandoc(document(other, item), "html", tmp_path)
    assert (code, told) == (0, "")
    same, listed, end = made["blocks"]
    assert same == other
    assert made["pandoc-api-version"] == [1, 23, 1]
    (div,) = listed["c"][0]
    ((raw,),) = (div["c"][1],)
    assert raw["c"][0] == "html"
    assert 'style="--tfedu-height:300px"' in raw["c"][1]
    assert packed(end["c"][1])["widgets"][0]["kind"] == "graph-view"


@pytest.mark.parametrize(("format", "ending"), [("latex", "pdf"), ("docx", "png"), ("gfm+smart", "svg"), ("epub3", "svg")])
def test_pandoc_gets_a_picture_for_other_formats(tmp_path_factory, format, ending):
    folder = tmp_path_factory.getbasetemp() / "pandoc"  # one for all formats: the block runs once
    folder.mkdir(exist_ok=True)
    block = code_block(
        f":caption: The {HOSTILE}\n\n{SUM}", ("live", "true"), ("width", "50%"), ("show-code", ""), identifier="fig-sum"
    )
    made, problems = pandoc_filter.filtered(document(block), format, folder)
    assert problems == []
    (div,) = made["blocks"]
    listing, figure = div["c"][1]
    assert listing == code_block(SUM, classes=["python"])
    (identifier, _, _), (_, (caption,)), (shown,) = figure["c"]
    assert identifier == "fig-sum"
    assert "".join(each.get("c", " ") for each in caption["c"]) == f"The {HOSTILE}"
    (image,) = shown["c"]
    (_, _, attributes), alt, (target, _) = image["c"]
    assert attributes == [["width", "50%"]]
    assert alt[0]["c"] == "GraphView:"
    assert target.endswith(f".{ending}")
    assert (folder / target).is_file()


def test_pandoc_is_told_which_block_failed(tmp_path):
    code, made, told = through_pandoc(document(code_block(":live:\n\na = 1\n1 / 0")), "html", tmp_path)
    assert code == 1
    assert told == "block 1 of tfedu-graph, line 4: ZeroDivisionError: division by zero\n"
    assert made["blocks"][0]["t"] == "CodeBlock"
