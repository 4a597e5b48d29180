"""Timelines: a fork repeats what came before to the last bit, makes one change and goes on; what is impossible is refused."""

import numpy as np
import pytest

import tfedu as tf
from tfedu.explain import ForkError, timelines
from tfedu.view.records import BranchRecord, LeavesRecord, from_json, to_json


def race():
    """The seed's program: `c` reads the variable before or after it is assigned."""
    with tf.Graph().as_default():
        a = tf.Variable(1.0, name="a")
        c = tf.add(a, 2, name="c")
        update = tf.assign(a, 5, name="update")
    return [update, c]


def dice():
    """Numbers without a seed, a variable, and a loop that draws in each iteration."""
    with tf.Graph().as_default():
        x = tf.Variable(0.0, name="x")

        def body(i, total):
            with tf.control_dependencies([tf.assign_add(x, 1.0)]):
                return i + 1, total + tf.random_uniform([], name="draw") + x

        total = tf.while_loop(lambda i, t: i < 4, body, [0, tf.random_uniform([])], name="rolls")[1]
    return tf.identity(total, name="total")


def story(trace, run=0):
    return [
        (step.op.name, step.iteration, step.outcome, [str(output.value) for output in step.outputs], str(step.writes))
        for step in trace.runs[run].steps
        if step.outcome != "changed"
    ]


def step_of(line, name, run=0):
    """How many steps are over when the node has its first turn."""
    return line.tree.fed_steps + [step.op.name for step in line.trace.runs[run].steps].index(name)


def test_another_ready_node_gives_the_other_result():
    tree = timelines(race())
    first = tree.fork(0, step_of(tree[0], "c"), choose="update/value")
    second = first.fork(0, step_of(first, "c"), choose="update")
    assert [line.values for line in tree] == [[[5, 3]], [[5, 3]], [[5, 7]]]
    assert tree.parting(0, 2) == (0, step_of(tree[0], "c") + 1)
    assert second.parent is first
    assert second.order[0].index("update") < second.order[0].index("c")


@pytest.mark.parametrize("schedule", ["creation", "random(3)", "random(11)"])
def test_a_fork_that_changes_nothing_is_the_same_course_again(schedule):
    tree = timelines(dice(), runs=3, schedule=schedule)
    told = [story(tree[0].trace, run) for run in range(3)]
    total = len(tree[0].trace.runs[1].steps)
    for step in range(0, total + 1, 5):
        held = dict(tree[0].trace.runs[1].variables)
        for each in tree[0].trace.runs[1].steps[:step]:
            held.update({name: after for name, _, after in each.writes})
        made = tree.fork(1, step, set={"x": held["x"]})
        assert [story(made.trace, run) for run in range(3)] == told
    assert [story(tree[0].trace, run) for run in range(3)] == told


def test_only_what_comes_after_the_change_is_different():
    tree = timelines(dice(), runs=2)
    step = len(tree[0].trace.runs[0].steps) // 2
    made = tree.fork(0, step, set={"x": 100.0})
    assert story(made.trace)[:step] == story(tree[0].trace)[:step]
    assert made.trace.runs[0].steps[step].outcome == "changed"
    assert made.values[0] > 90
    assert tree[0].values[0] < 90
    assert made.variables["x"] > 100 > tree[0].variables["x"]


def test_a_fork_of_a_fork_keeps_both_changes():
    tree = timelines(race())
    step = step_of(tree[0], "c")
    one = tree.fork(0, step, set={"a": 10.0})
    two = one.fork(0, step + 1, set={"c/y": 100.0})
    assert [line.values[0][1] for line in tree] == [3, 12, 110]
    assert two.parent is one
    assert one.fork(0, step, set={"c/y": 100.0}).parent is tree[0], "before its fork a timeline is its parent"


def test_a_value_that_was_fed_can_be_changed_while_somebody_waits_for_it():
    with tf.Graph().as_default():
        x = tf.placeholder(tf.float32, [None], name="x")
        y = tf.reduce_sum(x, name="y")
    tree = timelines(y, {x: [1.0, 2.0]})
    assert tree.fork(0, 1, set={x: [10.0, 20.0, 30.0]}).values == [60]
    with pytest.raises(ForkError, match="taken by all that take it"):
        tree.fork(0, 3, set={x: [0.0]})


def test_a_value_of_one_iteration_goes_on_through_the_loop():
    with tf.Graph().as_default():
        limit = tf.constant(3.0, name="limit")
        y = tf.while_loop(lambda p: p < limit, lambda p: tf.add(p, 1.0, name="next"), [tf.constant(0.0)], name="loop")
    tree = timelines(y)
    assert tree[0].values == [3]
    after = [i for i, step in enumerate(tree[0].trace.runs[0].steps, 1) if step.op.name.endswith("next")]
    assert tree.fork(0, after[0], set={"loop/next": 2.5}).values == [3.5]
    assert tree.fork(0, after[0], set={"loop/next": 7.0}).values == [7]
    enter = tree[0].order[0].index("loop/Less/Enter") + 1
    assert tree.fork(0, enter, set={"loop/Less/Enter": 5.0}).values == [5], "a constant of the loop is new in every iteration"


def test_a_reference_is_the_variable():
    tree = timelines(race())
    made = tree.fork(0, step_of(tree[0], "c"), set={"a:0": 7.0})
    assert made.change.code == "value"
    assert made.values[0][1] == 9
    assert tree.fork(0, 0, set={tree.structure.tensors[0].graph.get_collection("variables")[0]: 7.0}).values[0][1] == 9


def test_an_added_edge_orders_and_a_cut_one_sets_free():
    update, c = race()
    tree = timelines([update, c])
    made = tree.fork(0, 0, add_control=(update, c))
    assert made.values == [[5, 7]]
    with made.trace.graph.as_default(), tf.Session() as session:
        session.run(tf.global_variables_initializer())
        assert session.run([e for _, e in made.trace.fetches]) == [5, 7], "the timeline's graph is a graph"
    with pytest.raises(ForkError, match="c waits for nothing"):
        made.fork(0, 0, cut_control=(update, c))  # before the edge was added
    later = made.fork(0, 1, cut_control=("update", "c"))
    assert later.values == [[5, 3]]
    assert later.parent is made
    assert not c.op.control_inputs, "the program's own graph is as it was"


def test_what_nothing_asks_for_once_an_edge_is_cut_does_not_run():
    with tf.Graph().as_default():
        x = tf.Variable(0.0, name="x")
        up = tf.assign_add(x, 1.0, name="up")
        with tf.control_dependencies([up]):
            y = tf.identity(x, name="y")
    tree = timelines(y, runs=2)
    made = tree.fork(0, 0, cut_control=(up, y))
    assert tree[0].values == [1, 2]
    assert made.values == [0, 0]
    assert "up" not in made.order[0]
    late = tree.fork(0, step_of(tree[0], "up"), cut_control=(up, y))
    assert ["up/value" in order for order in late.order] == [True, False], "what has run has run"


REFUSED = [
    ({"set": {"a": "many"}}, "a holds float32, and 'many' is none."),
    ({"set": {"a": [1.0, 2.0]}}, "a has the shape (), and [1.0, 2.0] has (2,)."),
    ({"set": {"c": 1.0}}, "c has not run yet, so it has no value."),
    ({"choose": "update"}, "update is not ready: it waits for update/value. Ready are: update/value, c."),
    ({"choose": "a/Assign"}, "a/Assign has no turn in this run: nothing that is fetched needs it."),
    ({"choose": "a"}, "a has run already. Ready are: update/value, c."),
    ({"add_control": ("c", "a/read")}, "a/read cannot wait for c: that would close a cycle, a/read → c → a/read."),
    ({"add_control": ("c", "c")}, "c cannot wait for c: that would close a cycle, c → c."),
    ({"add_control": ("update", "c/y")}, "That comes too late: c/y has run already.\n  fix: go back to a step before it"),
    ({"add_control": ("c/y", "update")}, "c/y has run already, so nothing waits for it any more."),
    ({"cut_control": ("update", "c")}, "No control edge goes from update to c; c waits for nothing."),
    ({"add_control": ("c", "init")}, "init is no part of this run: nothing that is fetched needs it."),
]


@pytest.mark.parametrize(("change", "words"), REFUSED)
def test_what_cannot_be_changed_is_refused_in_words(change, words):
    update, c = race()
    with c.graph.as_default():
        tf.global_variables_initializer()
    tree = timelines([update, c])
    with pytest.raises(ForkError) as refused:
        tree.fork(0, step_of(tree[0], "c"), **change)
    assert words in str(refused.value)
    assert len(tree) == 1


def test_wrong_arguments_are_named():
    tree = timelines(race())
    with pytest.raises(TypeError, match="a fork makes one change"):
        tree.fork(0, 0)
    with pytest.raises(TypeError, match="a fork makes one change"):
        tree.fork(0, 0, set={"a": 1.0}, choose="c")
    with pytest.raises(IndexError, match="no run 1"):
        tree.fork(1, 0, set={"a": 1.0})
    with pytest.raises(IndexError, match="run 0 has 6 steps, and no step 7"):
        tree.fork(0, 7, set={"a": 1.0})
    with pytest.raises(IndexError, match="no timeline 3"):
        tree.fork(0, 0, set={"a": 1.0}, timeline=3)


def test_a_dead_value_and_a_run_that_failed_cannot_go_on():
    with tf.Graph().as_default():
        x = tf.placeholder(tf.int32, [], name="x")
        y = tf.cond(x > 0, lambda: tf.add(x, 1, name="more"), lambda: tf.floordiv(1, x, name="less"))
    tree = timelines(y, {x: 0})
    assert isinstance(tree[0].error, tf.errors.InvalidArgumentError)
    total = tree.fed_steps + len(tree[0].trace.runs[0].steps)
    with pytest.raises(ForkError, match="ended by an error"):
        tree.fork(0, total, set={"x": 1})
    dead = step_of(tree[0], "cond/more") + 1
    with pytest.raises(ForkError, match="cond/more:0 is dead here"):
        tree.fork(0, dead, set={"cond/more": 1})
    saved = tree.fork(0, step_of(tree[0], "cond/less"), set={"cond/less/Switch:0": 1})
    assert saved.values == [1]
    assert saved.error is None


def test_what_no_session_can_repeat_is_refused():
    count = iter(range(100))
    with tf.Graph().as_default():
        x = tf.Variable(0.0, name="x")
        y = tf.add(tf.py_func(lambda: np.float32(next(count)), [], tf.float32, name="count"), x, name="y")
    tree = timelines(y)
    with pytest.raises(ForkError, match="gave something else the second time"):
        tree.fork(0, step_of(tree[0], "y"), set={"x": 1.0})


def test_runs_go_on_after_an_error_was_changed_away():
    with tf.Graph().as_default():
        x = tf.Variable(0, name="x")
        y = tf.floordiv(6, tf.assign_add(x, tf.constant(0, name="more")), name="y")
    tree = timelines(y, runs=3)
    assert len(tree[0].trace.runs) == 1
    assert tree.fork(0, 0, set={"x": 2}).values == [3, 3, 3]


def test_records_say_the_same_and_only_what_is_new():
    tree = timelines(race(), runs=2)
    made = tree.fork(0, 3, add_control=("update", "c"))
    tree.fork(0, 2, set={"a": 4.0}, timeline=made.number)
    for number in (1, 2):
        branch = tree.branch(number)
        assert from_json(to_json(branch), BranchRecord) == branch
        assert len(branch.runs) == 2
        assert len(branch.runs[0].steps) == len(tree[number].trace.runs[0].steps) - branch.step
        assert branch.runs[0].steps[0].change == branch.change
    assert tree.branch(1).rewired
    assert len(tree.branch(1).added) == 1
    assert not tree.branch(2).rewired
    leaves = tree.leaves
    assert from_json(to_json(leaves), LeavesRecord) == leaves
    c = next(row for row in leaves.rows if row.code == "fetched" and row.name == "c:0")
    assert c.texts == ("3.0", "7.0", "6.0")
    assert c.groups == (0, 1, 2)
    assert [leaf.parts for leaf in leaves.leaves] == [None, (0, 4), (0, 3)]
    order = next(row for row in leaves.rows if row.code == "order")
    assert order.texts[:2] == ("… → c/y → c → update/value → update", "… → c/y → update/value → update → c")


def test_equal_texts_of_unequal_values_are_told_apart():
    with tf.Graph().as_default():
        x = tf.Variable(np.zeros(100, np.float32), name="x")
        y = tf.identity(x + 0.0, name="y")
    tree = timelines(y)
    changed = np.zeros(100, np.float32)
    changed[50] = 1
    tree.fork(0, 0, set={"x": changed})
    row = next(row for row in tree.leaves.rows if row.code == "fetched")
    assert row.texts[0] == row.texts[1]
    assert row.groups == (0, 1)


def test_the_tree_is_told_in_words():
    tree = timelines(race())
    tree.fork(0, 3, choose="update/value")
    text = str(tree)
    assert text.startswith("Timeline 0: 5.0, 3.0\n  Timeline 1, from run 1, step 3: update/value runs next: 5.0, 3.0")
    assert "≠ run 1: order of the steps" in text
    assert "= run 1: c:0" in text
    assert "타임라인 1, 실행 1의 3단계부터" in tree.text("ko")
