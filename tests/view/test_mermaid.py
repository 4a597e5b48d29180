"""Mermaid source: the boxes and lines of the picture, and no name acts. Mermaid 11.17 drew these names unchanged."""

import re

import drawn_graphs as graphs
import hostile_names as hostile
import pytest
from test_svg import hostile_graph

from tfedu.view.build import graph_record
from tfedu.view.draw.folding import fold
from tfedu.view.draw.graph_drawing import box_lines
from tfedu.view.draw.mermaid import mermaid_source

# What is syntax in a chart, in an entity, in Markdown or in a formula.
ACTING = [
    "style: x #35;", "end", "1. one", "- two", "`md`", "**b**", "__init__", "a;b#quot;c", "%% comment",
    "[l](javascript:alert(1))", "&lt;b&gt;", "#lt;script#gt;", "a\nb", "fa:fa-car", "$$x^2$$",
    "click b0 href", 'quote" --> b0', "$$$",
]  # fmt: skip
LINES = (
    r"flowchart (TB|LR)",
    r" *subgraph [gb0-9]+\[\"LABEL\"\]",
    r" *end",
    r" *[gb0-9]+(\[|\(\[|\[/|\[\(|>|\[\[|\(\(|\{\{)\"LABEL\"(\]|\]\)|/\]|\)\]|\]\]|\)\)|\}\})",
    r" *style [gb0-9]+ stroke-dasharray:5 4",
    r" *[gb0-9]+ (-->|-\.->|==>|-\.-)(\|\"LABEL\"\|)? [gb0-9]+",
)
LABEL = r"(?:[\w (),?/.]|#\d+;|<br/>)*"
KNOWN = re.compile("|".join(line.replace("LABEL", LABEL) for line in LINES))


def shown(label):
    return re.sub(r"#(\d+);", lambda match: chr(int(match[1])), label).replace("\u2060", "")


def labels(source):
    return [[shown(part) for part in text.split("<br/>")] for text in re.findall(r'^ *b\d+\W+"(.*)"\W+$', source, re.M)]


@pytest.mark.parametrize("graph", [*graphs.ALL.values(), hostile_graph, lambda: hostile_graph(ACTING)])
def test_each_line_is_one_of_the_known_forms(graph):
    source = mermaid_source([("", graph_record(graph()))], "en")
    assert [line for line in source.splitlines() if not KNOWN.fullmatch(line)] == []


@pytest.mark.parametrize("names", [hostile.NAMES, ACTING])
def test_labels_are_those_of_the_picture(names):
    record = graph_record(hostile_graph(names))
    boxes = [box for box in fold(record).boxes() if box.kind != "scope"]
    drawn = [[line.text for line in box_lines(box, "en")] for box in boxes]
    assert sorted(labels(mermaid_source([("", record)], "en"))) == sorted(drawn)


def test_an_ordinary_name_is_written_as_it_is():
    source = mermaid_source([("", graph_record(graphs.counter(True)))], "en")
    assert '["initial_value<br/>Const 0.0"]' in source.replace("([", "[").replace("])", "]")
    assert '-->|"float32 ()"|' in source
    assert "-.->" in source
    assert "==>" in source


def test_closed_scopes_are_one_box_and_parallel_edges_one_line():
    record = graph_record(graphs.mlp())
    closed = mermaid_source([("", record)], "en", collapsed=["layer1", "layer2"], orientation="right")
    assert closed.startswith("flowchart LR\n")
    assert len(closed) < len(mermaid_source([("", record)], "en"))
    assert '["layer1<br/>' in closed
    assert '|"#215;2"|' in closed


def test_an_empty_block_is_dashed_and_has_its_inputs():
    source = mermaid_source([("", graph_record(graphs.counter(False)))], "en")
    assert "no node was made here" in source
    assert source.count("stroke-dasharray") == 1
    assert " -.- " in source


def test_two_graphs_have_frames_and_ids_of_their_own():
    record = graph_record(graphs.counter(True))
    source = mermaid_source([('"', record), ("b", record)], "en")
    assert '  subgraph g0["#34;"]\n' in source
    assert '  subgraph g1["b"]\n' in source
    ids = re.findall(r"^ *(?:subgraph )?(g\d+b\d+)[\[(>{]", source, re.M)
    assert len(ids) == len(set(ids)) > 10
    assert source.count("subgraph") == source.count("\n  end") + source.count("\n    end")
