"""Folding loses nothing: with any scopes closed, drawn + folded = total, for nodes and each kind of edge."""

import itertools

import drawn_graphs as graphs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tfedu.view.build import graph_record
from tfedu.view.draw.folding import fold
from tfedu.view.make.graph_records import scope_records
from tfedu.view.make.scope_paths import scopes_of
from tfedu.view.records import EDGE_KINDS, EdgeRecord, GraphRecord, NodeRecord, OutputRecord


def assert_nothing_hidden(record, shown):
    drawn, folded = shown.count("nodes")
    assert drawn + folded == len(record.nodes)
    for kind in EDGE_KINDS:
        drawn, folded = shown.count(kind)
        assert drawn + folded == sum(edge.kind == kind for edge in record.edges)
    listed = [edge.id for line in shown.lines for edge in line.edges]
    assert len(listed) == len(set(listed))


@pytest.mark.parametrize("name", ["without", "with", "mlp", "cond"])
def test_every_state_of_collapse_hides_nothing(name):
    record = graph_record(graphs.ALL[name]())
    paths = [scope.path for scope in record.scopes]
    states = itertools.chain.from_iterable(itertools.combinations(paths, n) for n in range(len(paths) + 1))
    for closed in itertools.islice(states, 600):
        shown = fold(record, closed)
        assert_nothing_hidden(record, shown)
        assert not any(box.kind == "scope" and box.path in closed for box in shown.boxes())


@pytest.mark.parametrize("limit", [1, 2, 3, 5, 8, 13, 40, 120, 1000])
@pytest.mark.parametrize("name", sorted(graphs.ALL))
def test_every_limit_hides_nothing_and_is_kept(name, limit):
    record = graph_record(graphs.ALL[name]())
    shown = fold(record, None, limit)
    assert_nothing_hidden(record, shown)
    boxes = sum(box.kind != "scope" and box.kind != "block" for box in shown.boxes())
    assert boxes <= max(limit, 3)


@st.composite
def records(draw):
    names = draw(
        st.lists(st.from_regex(r"[ab](/[ab]){0,3}(_[0-9])?", fullmatch=True), max_size=14, unique=True)
    )
    scope_of = scopes_of(names)
    out = (OutputRecord("o", "float32", (), "float32 ()"),)
    nodes = tuple(
        NodeRecord(i, n, "Op", scope_of[n], "op", "", False, None, (), out) for i, n in enumerate(names)
    )
    ends = st.tuples(
        st.integers(0, len(nodes) - 1), st.integers(0, len(nodes) - 1), st.sampled_from(EDGE_KINDS)
    )
    pairs = draw(st.lists(ends, max_size=30)) if nodes else []
    edges = tuple(
        EdgeRecord(i, kind, a, None if kind == "control" else 0, b, None if kind == "control" else i, "t")
        for i, (a, b, kind) in enumerate(pairs)
    )
    return GraphRecord(nodes, edges, scope_records(nodes))


@settings(max_examples=60, deadline=None)
@given(records(), st.data())
def test_any_graph_in_any_state_hides_nothing(record, data):
    paths = [scope.path for scope in record.scopes]
    closed = data.draw(st.sets(st.sampled_from(paths))) if paths else set()
    assert_nothing_hidden(record, fold(record, closed, data.draw(st.integers(1, 20))))


def test_very_many_edges_between_two_nodes_are_one_line_with_their_number():
    b = graphs.Builder()
    one = b.const(1.0)
    b("AddN", *[one] * 5000)
    record = graph_record(b.graph)
    shown = fold(record)
    assert_nothing_hidden(record, shown)
    assert [len(line.edges) for line in shown.lines] == [5000]


def test_scopes_alike_open_together_or_not_at_all():
    record = graph_record(graphs.towers(8))
    for limit in (20, 40, 60, 120, 200):
        shown = fold(record, None, limit)
        kinds = {
            (box.depth, box.path.rpartition("/")[2][:5], box.kind)
            for box in shown.boxes()
            if box.node is None
        }
        assert len(kinds) == len({kind[:2] for kind in kinds})


def test_a_node_with_a_scopes_name_is_inside_it():
    assert scopes_of(["Variable", "Variable/read", "add"]) == {
        "Variable": "Variable",
        "Variable/read": "Variable",
        "add": "",
    }
