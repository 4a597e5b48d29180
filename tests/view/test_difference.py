"""The difference of two graphs lists added, removed, renamed, rewired and changed nodes, and no unchanged ones."""

import json
import re
import xml.etree.ElementTree as ElementTree

import pytest

import tfedu as tf
from tfedu.explain import graph_diff
from tfedu.view.build import graph_record
from tfedu.view.make.graph_difference import near_changes, partners
from tfedu.view.records import EDGE_KINDS, from_json, to_json
from tfedu.view.words.difference_text import SIGNS, counts_text
from tfedu.widgets import GraphDiff


def chain(*nodes, control=()):
    """A graph of nodes (name, type, *inputs by name), with attributes in a dict at the end."""
    graph = tf.Graph()
    made = {}
    for name, kind, *rest in nodes:
        attrs = rest.pop() if rest and isinstance(rest[-1], dict) else {}
        waits = [made[each[1:]].op for each in rest if each.startswith("^")]
        inputs = [made[each] for each in rest if not each.startswith("^")]
        with graph.control_dependencies(waits):
            made[name] = graph.add_node(kind, name, inputs, attrs, [tf.float32], [()]).outputs[0]
    return graph


BASE = [("x", "Placeholder"), ("w", "Const", {"value": "1"}), ("mul", "Mul", "x", "w"), ("out", "Neg", "mul")]


def changes(before, after):
    record = graph_diff(before, after).record
    return {change.after or change.before: change for change in record.nodes}, record


def test_a_graph_does_not_differ_from_itself():
    found, record = changes(chain(*BASE), chain(*BASE))
    assert (found, record.edges, record.blocks) == ({}, (), ())
    assert repr(graph_diff(chain(*BASE), chain(*BASE))) == "The two graphs are the same."


def test_an_inserted_node_is_added_and_its_consumer_rewired():
    after = [*BASE[:3], ("drop", "Dropout", "mul"), ("out", "Neg", "drop")]
    found, record = changes(chain(*BASE), chain(*after))
    assert {name: change.changes for name, change in found.items()} == {"drop": ("added",), "out": ("rewired",)}
    (change,) = found["out"].inputs
    assert (change.kind, change.input, change.before, change.after) == ("data", 0, "mul:0", "drop:0")
    assert sorted(edge.change for edge in record.edges) == ["added", "added", "removed"]


def test_the_reverse_difference_is_the_opposite():
    after = [*BASE[:3], ("drop", "Dropout", "mul"), ("out", "Neg", "drop")]
    found, _ = changes(chain(*after), chain(*BASE))
    assert {name: change.changes for name, change in found.items()} == {"drop": ("removed",), "out": ("rewired",)}


def test_a_renamed_node_is_paired_by_its_ancestors():
    after = [("x", "Placeholder"), ("w", "Const", {"value": "1"}), ("product", "Mul", "x", "w"), ("out", "Neg", "product")]
    found, record = changes(chain(*BASE), chain(*after))
    assert {name: change.changes for name, change in found.items()} == {"product": ("renamed",)}
    assert found["product"].before == "mul"
    assert record.edges == ()


def test_a_renamed_scope_is_paired_though_its_inputs_changed():
    before = [("x", "Placeholder"), ("a/c", "Const", {"value": "7"}), ("a/mul", "Mul", "x", "a/c"), ("a/out", "Neg", "a/mul")]
    after = [("y", "Queue"), ("b/c", "Const", {"value": "7"}), ("b/mul", "Mul", "y", "b/c"), ("b/out", "Neg", "b/mul")]
    found, _ = changes(chain(*before), chain(*after))
    assert {name: change.changes for name, change in found.items()} == {
        "x": ("removed",), "y": ("added",), "b/c": ("renamed",), "b/mul": ("renamed", "rewired"), "b/out": ("renamed",)
    }  # fmt: skip


def test_changed_attributes_types_and_control_inputs_are_listed():
    after = [("x", "Placeholder"), ("w", "Const", {"value": "2"}), ("mul", "Add", "x", "w"), ("out", "Neg", "mul", "^x")]
    found, _ = changes(chain(*BASE), chain(*after))
    assert found["w"].attrs == (("value", "1", "2"),)
    assert found["mul"].attrs == (("type", "Mul", "Add"),)
    (change,) = found["out"].inputs
    assert (change.kind, change.input, change.before, change.after) == ("control", None, "", "^x")


def test_added_and_removed_empty_blocks_are_listed():
    def graph(block):
        graph = tf.Graph()
        with graph.as_default():
            x = tf.constant(1.0)
            if block:
                with tf.control_dependencies([x]):
                    pass
        return graph

    _, record = changes(graph(False), graph(True))
    assert [block.change for block in record.blocks] == ["added"]
    _, record = changes(graph(True), graph(False))
    assert [block.change for block in record.blocks] == ["removed"]
    assert [block.empty for block in record.graph.blocks] == [True]
    _, record = changes(graph(True), graph(True))
    assert record.blocks == ()


def training(decay):
    graph = tf.Graph()
    with graph.as_default():
        tf.set_random_seed(1)
        x = tf.placeholder(tf.float32, (None, 4), name="x")
        h = x
        for i in range(2):
            with tf.variable_scope(f"layer{i}"):
                w = tf.get_variable("w", (4, 4))
                h = tf.nn.relu(tf.matmul(h, w))
                if decay:
                    h = h + 0.1 * tf.nn.l2_loss(w)
        tf.train.AdamOptimizer().minimize(tf.reduce_mean(h))
    return graph


@pytest.mark.parametrize(("before", "after"), [(False, True), (True, False), (False, False)])
def test_the_union_has_every_node_and_edge_of_both_once(before, after):
    left, right = graph_record(training(before)), graph_record(training(after))
    record = graph_diff(left, right).record
    from_json(json.loads(json.dumps(to_json(record))))
    pairs = partners(left, right)
    assert len(set(pairs.values())) == len(pairs)
    assert len(record.graph.nodes) == len(left.nodes) + len(right.nodes) - len(pairs)
    added = [change for change in record.nodes if "added" in change.changes]
    removed = [change for change in record.nodes if "removed" in change.changes]
    assert len(record.graph.nodes) - len(removed) == len(right.nodes)
    assert len(record.graph.nodes) - len(added) == len(left.nodes)
    mark = {edge.edge: edge.change for edge in record.edges}
    for kind in EDGE_KINDS:
        all_of_kind = [edge for edge in record.graph.edges if edge.kind == kind]
        for side, gone in ((left, "added"), (right, "removed")):
            here = [edge for edge in all_of_kind if mark.get(edge.id) != gone]
            assert len(here) == sum(edge.kind == kind for edge in side.edges)
    if before == after:
        assert (record.nodes, record.edges) == ((), ())


def test_large_graphs_keep_the_changed_nodes_and_count_the_rest():
    whole = graph_diff(graph_record(training(False)), graph_record(training(True))).record
    assert near_changes(whole, 10_000) is whole
    changed = {change.node for change in whole.nodes}
    small = near_changes(whole, 2 * len(changed))
    from_json(json.loads(json.dumps(to_json(small))))
    assert (small.nodes, small.edges, small.blocks, small.same) == (whole.nodes, whole.edges, whole.blocks, whole.same)
    assert counts_text(small, "en") == counts_text(whole, "en")
    shown = {node.id for node in small.graph.nodes}
    assert changed <= shown
    assert len(shown) <= 2 * len(changed) < len(whole.graph.nodes)
    (part,) = [notice for notice in small.graph.notices if notice.code == "part"]
    assert part.params["nodes"] == len(whole.graph.nodes) - len(shown)
    assert sum(part.params[kind] for kind in EDGE_KINDS) == len(whole.graph.edges) - len(small.graph.edges)
    with pytest.raises(ValueError, match="a picture takes at most 5"):
        near_changes(whole, 5)


def test_a_widget_of_two_large_graphs_says_what_it_leaves_out(monkeypatch):
    before, after = training(False), training(True)
    whole = GraphDiff(before, after)
    monkeypatch.setattr("tfedu.widgets.graph_diff.MOST", 110)
    widget = GraphDiff(before, after)
    assert len(from_json(widget.record).graph.nodes) <= 110 < len(from_json(whole.record).graph.nodes)
    assert widget.described() == whole.described()
    assert from_json(widget.record).graph.notices[-1].code == "part"


def test_the_picture_has_a_sign_and_a_legend_for_each_change_and_none_for_others():
    after = [*BASE[:2], ("mul", "Add", "x", "w"), ("drop", "Dropout", "mul"), ("out", "Neg", "drop")]
    picture = graph_diff(chain(*BASE), chain(*after))
    ElementTree.fromstring(picture.svg)
    pills = re.findall(r'class="tfedu-pill"[^>]*/><text[^>]*>([^<]+)</text>', picture.svg)
    assert {SIGNS["added"], SIGNS["changed"], SIGNS["rewired"]} <= set(pills)
    assert SIGNS["renamed"] not in "".join(pills)
    assert "↷ out (Neg) has other inputs" in repr(picture)
    assert "input 0: mul:0 → drop:0" in repr(picture)
    assert "type: Mul → Add" in repr(picture)


@pytest.mark.parametrize(("lang", "words"), [("ko", "추가되었습니다"), ("zh", "新增了")])
def test_the_difference_has_a_text_in_each_language(lang, words):
    assert words in repr(graph_diff(chain(*BASE[:1]), chain(*BASE), lang=lang))


def test_a_target_that_is_no_graph_is_refused():
    with pytest.raises(TypeError, match="cannot show this text: expected StableHLO"):
        graph_diff("before", chain(*BASE))
