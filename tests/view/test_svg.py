"""Pictures: well-formed, harmless, bounded, deterministic, and readable without colour."""

import re
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import drawn_graphs as graphs
import hostile_names as hostile
import pytest
from hypothesis import given, settings
from test_fold import records

from tfedu.view.build import graph_record
from tfedu.view.draw.folding import fold
from tfedu.view.draw.graph_drawing import wrapped
from tfedu.view.draw.layout_levels import Rect
from tfedu.view.draw.marks import DARK, LIGHT, LINE_COLOURS, ROLE_COLOURS, head, outline, strokes
from tfedu.view.draw.svg import graph_svg
from tfedu.view.labels import width
from tfedu.view.messages import message
from tfedu.view.records import EDGE_KINDS, GraphRecord, MarksRecord

SVG = "{http://www.w3.org/2000/svg}"
GOLDEN = Path(__file__).parent / "golden"
ALLOWED = {"svg", "title", "desc", "style", "g", "path", "text"}


def parsed(svg):
    return ElementTree.fromstring(svg)


def counts(root):
    """What a reader of the SVG alone can count: drawn nodes and edges, and what badges hold."""
    found = {"nodes": 0, "folded nodes": 0, "edges": 0, "bundled edges": 0}
    for element in root.iter():
        found["nodes"] += "data-node" in element.attrib
        found["folded nodes"] += int(element.get("data-nodes", 0))
        found["edges"] += "data-edge" in element.attrib
        found["bundled edges"] += int(element.get("data-edges", 0))
    return found


def hostile_graph(names=hostile.NAMES):
    """Every name as a node, chained by data and control edges; the graph's own check of names is passed by."""
    b = graphs.Builder()
    before = None
    for name in names:
        op = b.graph.add_node(
            "Identity", name, (before.outputs[0],) if before else (), {"note": name}, [graphs.F], [()]
        )
        if before:
            b.graph.add_control_input(op, before)
        before = op
    return b.graph


@pytest.mark.parametrize("name", sorted(graphs.ALL))
def test_a_picture_is_well_formed_and_holds_shapes_and_texts_alone(name):
    root = parsed(graph_svg(graph_record(graphs.ALL[name]())))
    assert {element.tag.removeprefix(SVG) for element in root.iter()} <= ALLOWED
    assert root.get("role") == "img"
    assert root[0].tag == f"{SVG}title"
    assert root[0].text
    assert root[1].tag == f"{SVG}desc"
    assert root[1].text


@settings(max_examples=60, deadline=None)
@given(records())
def test_the_picture_draws_or_counts_every_node_and_edge(record):
    for collapsed in ((), [scope.path for scope in record.scopes]):
        shown = fold(record, collapsed)
        found = counts(parsed(graph_svg(record, collapsed=collapsed)))
        assert found["nodes"] + found["folded nodes"] == len(record.nodes)
        inside = sum(box.holds(kind) for box in shown.boxes() for kind in EDGE_KINDS)
        assert found["edges"] + found["bundled edges"] + inside == len(record.edges)


def test_the_counts_stand_on_the_picture_where_something_is_folded():
    svg = graph_svg(graph_record(graphs.chain(1000)))
    assert "Nodes: 1 drawn, 999 folded, 1000 in all" in svg
    assert "Identity … Identity_998 ×999" in svg


def test_boxes_without_room_are_counted_in_the_rest():
    b = graphs.Builder()
    nodes = [b.const(1.0) for _ in range(1001)]
    svg = graph_svg(graph_record(nodes[:1000]))  # a part of a graph, which has no lanes
    assert "Nodes: 119 drawn, 881 folded, 1000 in all" in svg
    assert "881 more nodes" in svg


@pytest.mark.parametrize("name", sorted(graphs.ALL))
def test_the_same_graph_gives_the_same_bytes(name):
    assert graph_svg(graph_record(graphs.ALL[name]())) == graph_svg(graph_record(graphs.ALL[name]()))


@pytest.mark.parametrize("name", ["without", "with"])
def test_the_pictures_of_the_counters_are_those_recorded(name):
    """After a wanted change of looks: write the new picture to the golden file and look at it."""
    svg = graph_svg(graph_record(graphs.ALL[name]()))
    assert svg + "\n" == (GOLDEN / f"{name}.svg").read_text("utf-8")


def test_hostile_names_are_text_and_nothing_else():
    graph = hostile_graph()
    svg = graph_svg(graph_record(graph))
    root = parsed(svg)
    assert {element.tag.removeprefix(SVG) for element in root.iter()} <= ALLOWED
    for element in root.iter():
        assert not any(key.startswith("on") or "href" in key for key in element.attrib)
    found = counts(root)
    assert found["nodes"] + found["folded nodes"] == len(hostile.NAMES)
    assert len(svg) < 400_000
    assert not re.search(
        "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066\u2067\ufffe\uffff\ud800-\udfff]",
        svg,
    )
    svg.encode("utf-8")


@pytest.mark.parametrize("name", hostile.NAMES)
def test_each_hostile_name_is_drawn_alone(name):
    found = counts(parsed(graph_svg(graph_record(hostile_graph([name])))))
    assert found["nodes"] + found["folded nodes"] == 1


def test_a_name_of_a_million_characters_makes_a_picture_of_the_usual_size():
    for name in ("x" * 1_000_000, "a/" * 500_000 + "a", "a\u0301" * 500_000, "\u202e" * 1_000_000):
        graph = hostile_graph([name])
        svg = graph_svg(graph_record(graph))
        assert len(svg) < 60_000


def test_hostile_titles_sources_and_notices_are_text():
    record = graph_record(graphs.counter(False))
    bad = "</title><script>alert('1')</script>\x00"
    block = record.blocks[0]
    site = type(block.site)(bad, bad, 3)
    record = GraphRecord(
        record.nodes, record.edges, record.scopes, (type(block)(0, site, block.control_inputs, (), True),)
    )
    assert "script" not in {element.tag for element in parsed(graph_svg(record, title=bad)).iter()}


def test_a_chain_of_100000_nodes_is_drawn():
    found = counts(parsed(graph_svg(graph_record(graphs.chain(100_000)))))
    assert found["nodes"] + found["folded nodes"] == 100_000


def test_kinds_of_edges_differ_by_their_line_and_by_their_head():
    points = [(0.0, 0.0), (0.0, 50.0)]
    assert len({"".join(strokes(kind, "M0 0V50")) for kind in EDGE_KINDS}) == 3
    assert len({re.sub(r"[\d. -]", "", head(kind, points)) for kind in EDGE_KINDS}) == 3


def test_roles_differ_by_outline():
    roles = ["constant", "placeholder", "variable", "read", "update", "noop", "control", "op"]
    assert len({outline(role, Rect(0, 0, 80, 30)) for role in roles}) == len(roles)


def test_types_and_shapes_stand_on_the_edges():
    texts = [element.text for element in parsed(graph_svg(graph_record(graphs.mlp()))).iter(f"{SVG}text")]
    assert "float32 (?, 16)" in texts
    assert "float32_ref (4, 16)" in texts


def test_constants_reads_and_noops_are_drawn():
    shown = set()
    for element in parsed(graph_svg(graph_record(graphs.counter(True)))).iter(f"{SVG}path"):
        shown.add(element.get("class"))
    assert {"tfedu-constant", "tfedu-read", "tfedu-noop", "tfedu-variable", "tfedu-update"} <= shown


def test_an_empty_block_is_shown_with_its_line_and_a_full_one_is_not():
    empty = graph_svg(graph_record(graphs.counter(False)))
    assert "no node was made here" in empty
    assert "with tf.control_dependencies([step]):" in empty
    assert "File counter.py, line 3" in empty
    assert "no node was made here" not in graph_svg(graph_record(graphs.counter(True)))


def test_the_legend_names_just_the_signs_on_the_picture():
    svg = graph_svg(graph_record(graphs.chain(3)))
    assert "data: a value flows" in svg
    assert "reference: the variable itself" not in svg
    assert "writes a variable" not in svg


@pytest.mark.parametrize("lang", ["ko", "zh"])
def test_pictures_speak_the_language_asked_for_and_names_stay(lang):
    svg = graph_svg(graph_record(graphs.counter(False)), lang=lang)
    assert message("block.empty", lang) in svg
    assert message("block.empty", "en") not in svg
    assert ">AssignAdd<" in svg


def test_an_empty_graph_says_so():
    assert "The graph has no nodes." in graph_svg(GraphRecord())


def test_marks_pruned_and_focus_are_seen():
    record = graph_record(graphs.counter(True))
    identity = next(node.id for node in record.nodes if node.name == "Identity")
    plain = graph_svg(record)
    marked = graph_svg(record, marks=MarksRecord((identity,), (record.edges[-1].id,)))
    assert 'class="tfedu-mark"' not in plain
    assert marked.count('class="tfedu-mark"') == 3  # the node, the edge, the legend
    assert 'opacity="0.4"' in graph_svg(record, pruned=[identity])
    assert 'stroke-width="2.5"' in graph_svg(record, focus=[identity])


def test_both_themes_have_a_paper_and_no_colour_is_named_outside_them():
    svg = graph_svg(graph_record(graphs.counter(True)))
    assert "@media (prefers-color-scheme:dark)" in svg
    assert svg.index("tfedu-paper") < svg.index("data-node")
    for rule in re.findall(r"<style>(.*?)</style>", svg):
        assert all(
            part.startswith(".tfedu-svg ")
            for part in re.findall(r"[{}]([^{}]+)\{", rule.replace("){", "){}", 1))[1:]
        )


def test_wrapped_lines_fit_and_lose_nothing():
    text = "This is a part of the graph. 这是图的一部分。未显示：节点、数据边、控制边、引用边。 " + "x" * 200
    lines = wrapped(text, 150, 10)
    assert all(width(line, 10) <= 150 for line in lines)
    assert "".join("".join(lines).split()) == "".join(text.split())


def luminance(colour):
    channels = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    red, green, blue = (c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in channels)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one, other):
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize(("theme", "fill", "stroke"), [(LIGHT, 0, 1), (DARK, 2, 3)])
def test_texts_and_lines_can_be_told_from_what_is_behind_them(theme, fill, stroke):
    papers = [theme["paper"], theme["scope"]]
    for paper in papers:
        assert contrast(theme["ink"], paper) >= 4.5
        assert contrast(theme["muted"], paper) >= 4.5
        assert contrast(theme["mark"], paper) >= 3
        for kind in EDGE_KINDS:
            assert contrast(LINE_COLOURS[kind][theme is DARK], paper) >= 3
        for colours in ROLE_COLOURS.values():
            assert contrast(colours[stroke], paper) >= 3
    for colours in ROLE_COLOURS.values():
        assert contrast(theme["ink"], colours[fill]) >= 4.5
        assert contrast(theme["muted"], colours[fill]) >= 4.5
    assert contrast(theme["alarm"], theme["alarm-fill"]) >= 4.5
    assert contrast(theme["muted"], theme["alarm-fill"]) >= 4.5


def css_colours(selector):
    """The colours of the front end in one theme, by name."""
    css = (Path(__file__).parents[2] / "widgets" / "src" / "theme" / "colours.css").read_text("utf-8")
    block = css.split(f"{selector} {{", 1)[1].split("}", 1)[0]
    return dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6});", block))


@pytest.mark.parametrize(
    ("selector", "at", "theme"), [(".tfedu", 0, LIGHT), ('.tfedu[data-theme="dark"]', 1, DARK)]
)
def test_the_static_picture_has_the_colours_of_the_front_end(selector, at, theme):
    css = css_colours(selector)
    assert {kind: colours[at] for kind, colours in LINE_COLOURS.items() if kind != "waits"} == {
        kind: css[kind] for kind in ("data", "control", "reference")
    }
    fills = {"constant": "node-constant", "variable": "node-variable"}
    for role, colours in ROLE_COLOURS.items():
        fill, stroke = colours[2 * at : 2 * at + 2]
        assert fill == css[fills.get(role, "node")]
        assert stroke == css["reference" if role == "variable" else "edge-line"]
    names = {
        "paper": "canvas",
        "ink": "ink",
        "muted": "soft",
        "frame": "rule",
        "alarm": "control",
        "mark": "mark",
        "active": "active",
    }
    assert {name: theme[name] for name in names} == {name: css[own] for name, own in names.items()}
