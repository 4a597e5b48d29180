"""A large graph in portions: what is sent and what is told by its numbers make the whole, until all of it is sent.

tests/golden/portions.json has the messages of one graph, which widgets/test/model/large-graph.test.ts opens one after the other;
after a wanted change of records, write it anew with `python tests/view/test_portions.py`.
"""

import json
import random
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import ClassVar

import pytest
from test_fold import assert_nothing_hidden

import tfedu as tf
from benchmarks.pictures.graphs import training
from tfedu.view.build import graph_record, part_of
from tfedu.view.draw.folding import fold
from tfedu.view.draw.svg import graph_svg
from tfedu.view.make.graph_portions import MOST, Portions
from tfedu.view.record_kinds import message_of
from tfedu.view.records import EDGE_KINDS, from_json, packing, to_json
from tfedu.widgets import GraphView

SHARED = Path(__file__).parents[1] / "golden" / "portions.json"


def counts(record):
    nodes = len(record.nodes) + sum(part.nodes for part in record.sealed)
    return nodes, {
        kind: sum(edge.kind == kind for edge in record.edges)
        + sum(getattr(part, kind) for part in record.sealed)
        + sum(bundle.count for bundle in record.bundles if bundle.kind == kind)
        for kind in EDGE_KINDS
    }


def drawn_counts(record):
    shown = fold(record)
    return sum(shown.count("nodes")), {kind: sum(shown.count(kind)) for kind in EDGE_KINDS}


@pytest.mark.parametrize(("most", "portion"), [(60, 20), (300, 50), (800, 400)])
def test_nodes_and_edges_that_are_left_out_are_counted(most, portion):
    graph = training(4)
    whole = graph_record(graph)
    record = Portions(part_of(graph), most, portion).record
    record.check()
    assert len(record.nodes) <= most < len(whole.nodes)
    assert record.sealed
    assert record.size() == (len(whole.nodes), len(whole.edges))
    assert counts(record) == counts(whole) == drawn_counts(record)
    assert from_json(json.loads(json.dumps(message_of(record)))) == record
    assert record.notices[-1].params["nodes"] == len(whole.nodes) - len(record.nodes)


def opened(graph, most, portion):
    """All messages until nothing is sealed: the first record, and for each opened path what it gave."""
    portions = Portions(part_of(graph), most, portion)
    first = portions.record
    sealed = [part.path for part in first.sealed]
    asked = []
    while sealed:
        path = sealed.pop(0)
        more = portions.more(path, list(asked))
        asked.append(path)
        sealed.extend(part.path for part in more.sealed)
        yield first, path, more


def test_all_portions_together_make_the_complete_graph():
    graph = training(3)
    whole = graph_record(graph)
    nodes, edges, groups = {}, {}, {}
    for first, _, more in opened(graph, 100, 40):
        for record in (first, more):
            nodes |= {node.id: node for node in record.nodes}
            edges |= {edge.id: edge for edge in record.edges}
            groups |= {group.path: group for group in record.groups}
        assert len(more.nodes) <= 60
    assert sorted(nodes.values(), key=lambda node: node.id) == list(whole.nodes)
    assert sorted(edges.values(), key=lambda edge: edge.id) == list(whole.edges)
    assert sorted(groups) == sorted(group.path for group in whole.groups)


def test_a_scope_with_too_many_nodes_is_sent_in_pieces():
    with tf.Graph().as_default() as graph, tf.name_scope("s"):
        for i in range(250):
            tf.placeholder(tf.float32, [], name=f"x{i}")
    portions = Portions(part_of(graph), 100, 40)
    assert [(part.path, part.kind, part.nodes) for part in portions.record.sealed] == [("s", "scope", 250)]
    more = portions.more("s", [])
    assert (len(more.nodes), [(part.path, part.kind, part.nodes) for part in more.sealed]) == (100, [("s/…", "rest", 150)])
    more = portions.more("s/…", ["s"])
    assert (len(more.nodes), [part.nodes for part in more.sealed]) == (100, [50])
    assert len(portions.more("s/…", ["s", "s/…"]).nodes) == 50
    with pytest.raises(ValueError, match="nothing is left out"):
        portions.more("s/…", ["s", "s/…", "s/…"])


@pytest.mark.parametrize("path", ["no such scope", "x", "model", ""])
def test_a_scope_that_is_not_sealed_cannot_be_opened(path):
    portions = Portions(part_of(training(3)), 1000, 40)
    with pytest.raises(ValueError, match="nothing is left out"):
        portions.more(path, [])


def test_an_empty_block_is_sent_even_if_its_control_inputs_are_sealed():
    graph = training(3)
    with graph.as_default(), tf.control_dependencies([graph.get_operation_by_name("model/block_1/layer_1/dense/affine/MatMul")]):
        pass
    record = Portions(part_of(graph), 60, 20).record
    (block,) = [block for block in record.blocks if block.empty]
    assert block.control_inputs[0] in {part.id for part in record.sealed}
    assert "data-block" in graph_svg(record)
    assert_counts_in(record)


def assert_counts_in(record):
    assert drawn_counts(record) == counts(record)


def test_a_message_of_ten_thousand_nodes_is_short():
    graph = training(49)
    record = graph_record(graph)
    control = sum(edge.kind == "control" for edge in record.edges)
    assert len(record.nodes) >= 9_700
    assert control >= 0.15 * len(record.edges)
    assert max(scope.path.count("/") for scope in record.scopes) >= 4
    assert len(json.dumps(message_of(record))) <= 2_000_000 * len(record.nodes) / 10_000
    assert from_json(message_of(record)) == record
    assert_nothing_hidden(record, fold(record))


def test_a_widget_of_a_large_graph_answers_for_what_it_left_out(monkeypatch):
    monkeypatch.setattr("tfedu.view.build.MOST", 500)
    monkeypatch.setattr("tfedu.view.build.Portions", partial(Portions, most=500, portion=100))
    view = GraphView(training(3))
    record = from_json(view.record)
    assert view.described() == f"a graph of {counts(record)[0]} nodes and {sum(counts(record)[1].values())} edges"
    path = record.sealed[0].path
    more = packing.unpacked(view.answer_to("portion", {"path": path, "opened": []}))
    assert path in {scope["path"] for scope in more["scopes"]}
    assert not {node["id"] for node in more["nodes"]} & {node.id for node in record.nodes}
    with pytest.raises(ValueError, match="nothing is left out"):
        GraphView(tf.Graph()).answer_to("portion", {"path": path, "opened": []})
    assert MOST == 20_000


@pytest.fixture
def small_pages(monkeypatch):
    """A graph is large when it has more than 500 nodes."""
    monkeypatch.setattr("tfedu.view.build.MOST", 500)
    monkeypatch.setattr("tfedu.view.build.Portions", partial(Portions, most=500, portion=100))


def test_a_program_opens_what_a_large_graph_leaves_out(small_pages):
    graph = training(3)
    plain = GraphView(graph)
    left_out = sorted({path for path in plain._portions.scopes if path not in plain._parents()}, key=lambda p: -p.count("/"))
    wanted = left_out[0]
    view = GraphView(graph, view={"expand": [wanted]})
    record = from_json(view.record)
    record.check()
    assert wanted in {scope.path for scope in record.scopes}
    assert counts(record) == counts(from_json(plain.record))
    assert view.view["expand"] == [wanted]
    assert plain.loaded == []
    assert view.loaded == plain._portions.way_to([wanted])
    # the reader goes on from there
    sealed = next(part.path for part in record.sealed)
    more = packing.unpacked(view.answer_to("portion", {"path": sealed, "opened": list(view.loaded)}))
    assert not {node["id"] for node in more["nodes"]} & {node.id for node in record.nodes}
    assert sealed.removesuffix("/…") in {"", *view._parents()}
    # and so can the program, later, with what the reader has opened
    plain.answer_to("portion", {"path": plain._portions.way_to([wanted])[0], "opened": []})
    plain.view = {"expand": [wanted]}
    assert plain.loaded == view.loaded
    assert wanted in {scope.path for scope in from_json(plain.record).scopes}


def test_names_that_a_large_graph_lacks_are_refused(small_pages):
    graph = training(3)
    with graph.as_default():
        tf.while_loop(lambda i: i < 3, lambda i: i + 1, [0])
    with pytest.raises(ValueError, match="has no boxes of conds and loops"):
        GraphView(graph, boxes=True)
    view = GraphView(graph)
    assert [notice.code for notice in from_json(view.record).notices] == ["no_boxes", "sealed"]
    with pytest.raises(ValueError, match="has no boxes"):
        view.boxes = True
    with pytest.raises(ValueError, match="no scope 'nowhere'"):
        GraphView(graph, view={"expand": ["nowhere"]})
    left_out = [path for path in view._portions.scopes if path not in view._parents()]
    with pytest.raises(ValueError, match="expand fewer scopes"):
        GraphView(graph, view={"expand": left_out})
    assert GraphView(tf.Graph(), boxes=True).boxes


HARD = [
    "", "plain", "plain too", "a\ud83d\ude00b", "a😀b", "a😀c", "é", "éa", "\x00", "\u202e",
    "__proto__", "constructor", '"', "\\u0041", "\n",
]


def queues(rounds, room):
    """What waits after each step: the first is taken, what it wakes comes before or behind the others, and some is not shown."""
    draw, queue, seen = random.Random(1), list(range(room)), []
    for i in range(rounds):
        new = [100 * i + n for n in range(draw.choice((0, 1, 1, 2, 6)))]
        queue = draw.choice((new + queue[1:], queue[1:] + new, queue[:2] + queue[3:] + new))
        seen.append(queue[:room])
    return seen


@pytest.mark.parametrize(
    "data",
    [
        {"queues": queues(200, 20), "short": queues(5, 40), "often the same": [[1, 2, 1, 2, 1], [2, 1, 2, 1]] * 9},
        {"flags for numbers": [[1, 0] * 8, [True, False] * 8] * 9, "none": [None] * 9, "zeros": [0] * 9, "yes": [True] * 9},
        {"texts": HARD, "more": HARD * 9},
        {"things": [{"n": i, "t": HARD[i % 15], "o": None if i % 3 else {"a": i % 2, "b": "x"}} for i in range(50)]},
        {"lists": [[1, 2], [], [3]] * 9, "mixed": [1, "a", None, True, [1]], "empty": [], "nested": [[["a"]], []]},
        {"ints": [5, 6, 7, 8, 9, 10, 11, 12, 13], "flags": [True, False] * 9, "maybe": [1, None, 3] * 9, "big": [-1, 2**40] * 9},
    ],
)
def test_unpacking_restores_packed_data(data):
    data = {"version": 1, "kind": "test", **data}
    message = json.loads(json.dumps(packing.packed(data)))
    assert packing.unpacked(message) == json.loads(json.dumps(data))


@dataclass(frozen=True)
class Named:
    name: str


@dataclass(frozen=True)
class Things:
    """What a record may hold, each told by many and by none of them."""

    KIND: ClassVar[str] = "things"
    named: tuple[Named | None, ...]
    shapes: tuple[tuple[int | None, ...] | None, ...]
    spans: tuple[tuple[float, float] | None, ...]
    params: tuple[dict[str, int | str], ...]


def test_a_record_is_packed_as_its_json_is():
    odd = Things(
        (*[Named(str(i)) for i in range(9)], None),
        (None, *[(i % 3, None) for i in range(9)]),
        (None, *[(0.0, float(i)) for i in range(4)], *[(-0.0, float(i)) for i in range(4)]),
        tuple([{"a": 1}, {"b": 1}, {"a": True}] * 4),
    )
    graph = training(3)
    for record in (odd, Things((), (), (), ()), graph_record(graph), *[more for _, _, more in opened(graph, 100, 60)]):
        message = json.loads(json.dumps(packing.packed(record)))
        assert json.dumps(packing.unpacked(message)) == json.dumps(to_json(record))


def test_a_queue_is_packed_as_its_changes():
    long = packing.packed({"version": 1, "kind": "test", "lists": queues(200, 64)})
    assert len(json.dumps(long)) < len(json.dumps(queues(200, 64))) / 8


DAMAGED = [{"fields": {}}, {"every": 1}, {"first": [0], "at": [0], "keep": [0], "last": [1], "of": []},
           {"sizes": [2], "of": [1]}, {"ints": "x"}, {"table": [], "at": [3]}, {"unknown": 1}]  # fmt: skip


@pytest.mark.parametrize("packed", DAMAGED)
def test_a_damaged_message_is_a_value_error(packed):
    with pytest.raises(ValueError):
        packing.unpacked({"version": 1, "kind": "graph", "packed": packed})


def shared():
    graph = training(3)
    whole = counts(graph_record(graph))
    messages = [(first, path, more) for first, path, more in opened(graph, 100, 60)]
    return {
        "nodes": whole[0],
        "edges": whole[1],
        "first": _message(messages[0][0]),
        "more": [{"path": path, "message": _message(more)} for _, path, more in messages],
    }


def _message(record):
    """A record's message without the text of the lines, which are named from the clone on."""
    text = json.dumps(to_json(record) | {"codes": []}).replace(f"{Path(__file__).parents[2]}/", "")
    return packing.packed(json.loads(text))


def test_the_shared_messages_are_the_ones_of_today():
    assert json.loads(SHARED.read_text("utf-8")) == json.loads(json.dumps(shared()))


if __name__ == "__main__":
    SHARED.write_text(json.dumps(shared(), sort_keys=True) + "\n", "utf-8")
