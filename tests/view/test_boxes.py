"""Conds and loops as boxes: every node is in at most one box, and closed boxes count all their nodes and edges."""

import itertools

import pytest
from test_fold import assert_nothing_hidden

import tfedu as tf
from tfedu.view.build import graph_record
from tfedu.view.draw.folding import fold
from tfedu.view.records import RecordError, from_json, to_json
from tfedu.view.show import show
from tfedu.view.words.box_titles import box_title, outer_boxes
from tfedu.view.words.terminal_text import graph_text


def one_cond():
    take = tf.placeholder(tf.bool, [], name="take")
    x = tf.constant(1.0, name="x")
    tf.cond(take, lambda: x + 1.0, lambda: x * 2.0)


def two_conds_of_one_condition():
    take = tf.placeholder(tf.bool, [], name="take")
    tf.cond(take, lambda: 1.0, lambda: 2.0)
    tf.cond(take, lambda: tf.no_op(), lambda: tf.group(tf.constant(1)))


def cond_in_cond():
    x = tf.constant(1.0)
    tf.cond(x > 0.0, lambda: tf.cond(x > 1.0, lambda: x, lambda: -x), lambda: x * 2.0, name="sign")


def cond_in_loop():
    with tf.name_scope("a"):
        tf.while_loop(lambda i: i < 3, lambda i: tf.cond(i > 1, lambda: i + 1, lambda: i + 2), [0])


def loop_in_cond_with_gradient():
    x = tf.constant(2.0)
    y = tf.cond(x > 1.0, lambda: tf.while_loop(lambda v: v < 9.0, lambda v: v * x, [x]), lambda: x)
    tf.gradients(y, x)


def scope_from_elsewhere():
    """The branch's nodes have names outside of the cond's scope."""
    take = tf.placeholder(tf.bool, [], name="take")

    def far():
        with tf.name_scope(None), tf.name_scope("far"):
            return tf.constant(1.0) + 1.0

    tf.cond(take, far, lambda: 2.0)


PROGRAMS = [
    one_cond, two_conds_of_one_condition, cond_in_cond, cond_in_loop, loop_in_cond_with_gradient, scope_from_elsewhere,
]  # fmt: skip


def recorded(program):
    with tf.Graph().as_default() as graph:
        program()
    return graph_record(graph)


def tree(record):
    """(title, titles inside) of the conds, branches and loops; scopes are passed by."""
    around = {box.path: box for box in record.boxes}

    def inside(path):
        found = []
        for box in around.values():
            if box.parent == path:
                found.extend(inside(box.path) if box.kind == "scope" else [(box_title(box, "en"), inside(box.path))])
        return found

    return inside("")


@pytest.mark.parametrize("program", PROGRAMS)
def test_every_node_is_in_the_box_of_its_context(program):
    record = recorded(program)
    held = [id for box in record.boxes for id in box.nodes]
    assert len(held) == len(set(held))
    assert from_json(to_json(record)) == record
    names = {node.id: node.name for node in record.nodes}
    around = {box.path: box for box in record.boxes}
    for box in record.boxes:
        for id in box.nodes:
            # An Enter is in the loop that it leads into, a Merge of a cond in the cond and in none of its branches.
            if names[id].endswith(("/Enter", "/Exit", "/LoopCond")):
                at = box
                while at.kind == "scope":
                    at = around[at.parent]
                assert at.kind == "loop"
            if names[id].endswith(("/pred_id", "cond/Switch")):
                assert box.kind == "cond"


@pytest.mark.parametrize("program", PROGRAMS)
def test_closed_boxes_count_all_nodes_and_edges(program):
    record = recorded(program)
    paths = [box.path for box in record.boxes]
    states = itertools.chain.from_iterable(itertools.combinations(paths, n) for n in (0, 1, 2, len(paths)))
    for closed in itertools.islice(states, 300):
        shown = fold(record, closed, boxes=True)
        assert_nothing_hidden(record, shown)
        assert not any(box.kind == "scope" and box.path in closed for box in shown.boxes())


def test_a_cond_has_its_branches_inside():
    assert tree(recorded(one_cond)) == [("If take", [("True", []), ("False", [])])]


def test_two_conds_of_one_condition_are_two_boxes():
    assert [title for title, _ in tree(recorded(two_conds_of_one_condition))] == ["If take", "If take"]


def test_scopes_in_a_branch_or_a_loop_are_in_its_box():
    assert tree(recorded(cond_in_cond)) == [
        ("If Greater", [("True", [("If Greater", [("True", []), ("False", [])])]), ("False", [])])
    ]
    assert tree(recorded(cond_in_loop)) == [("Loop while", [("If Greater", [("True", []), ("False", [])])])]


def test_a_branch_contains_the_nodes_created_in_it_whatever_their_names():
    record = recorded(scope_from_elsewhere)
    names = {node.id: node.name for node in record.nodes}
    (true,) = [box for box in record.boxes if box.label == "True"]
    inside = [names[id] for box in record.boxes if box.path.startswith(true.path) for id in box.nodes]
    assert {"far/Const", "far/add"} <= set(inside)


def test_a_part_of_a_graph_has_the_boxes_of_the_complete_graph():
    with tf.Graph().as_default():
        take = tf.placeholder(tf.bool, [], name="take")
        x = tf.constant(1.0)
        y = tf.cond(take, lambda: x + x, lambda: x * x)
        record = graph_record(y, steps=3)
    assert tree(record) == [("If take", [("True", []), ("False", [])])]
    assert {box.path for box in record.boxes} == {"cond", "cond/True", "cond/True/add", "cond/False", "cond/False/mul"}
    names = {node.id: node.name for node in record.nodes}
    # The pivots are left out, and what they tell is told by the context.
    assert "cond/switch_t" not in names.values()
    assert {names[id] for id in record.boxes[0].nodes} == {"cond/Merge", "cond/pred_id"}


def test_a_box_holds_nodes_of_its_record():
    with tf.Graph().as_default() as graph:
        tf.cond(tf.placeholder(tf.bool, []), lambda: 1.0, lambda: 2.0)
    data = to_json(graph_record(graph))
    data["boxes"][0]["nodes"] = [99]
    with pytest.raises(RecordError, match=r"boxes\[0\]\.nodes"):
        from_json(data)


def test_a_graph_without_conds_and_loops_has_no_boxes():
    with tf.Graph().as_default() as graph, tf.name_scope("a"):
        tf.constant(1.0)
    assert graph_record(graph).boxes == ()


def test_a_record_with_a_node_in_two_boxes_is_refused():
    data = to_json(recorded(one_cond))
    data["boxes"][0]["nodes"] = data["boxes"][1]["nodes"]
    with pytest.raises(RecordError, match="boxes"):
        from_json(data)


@pytest.mark.parametrize("lang", ["en", "ko", "zh"])
def test_the_picture_and_the_text_have_the_titles_of_boxes(lang):
    record = recorded(one_cond)
    opened = show(record, boxes=True, lang=lang).svg
    assert all(f">{title}<" in opened for title in ("If take", "True", "False"))
    closed = show(record, boxes=True, collapsed=outer_boxes(record), lang=lang).svg
    assert ">If take<" in closed
    assert ">True<" not in closed
    text = graph_text(record, lang)
    assert "If take: " in text
    assert "  True: cond/switch_t" in text
