"""Deep and wide graphs: no recursion, one visit a node, one rule a node."""

import pytest


def chain(tf, count):
    x = tf.placeholder(tf.float32, [])
    y = x
    for _ in range(count):
        y = tf.negative(y)
    return x, y


def created_nodes(tf, count):
    x, y = chain(tf, count)
    graph = tf.get_default_graph()
    before = len(graph.get_operations())
    (dx,) = tf.gradients(y, x)
    assert dx is not None
    return len(graph.get_operations()) - before


def test_a_chain_of_ten_thousand_nodes_is_walked_without_recursion():
    import tfedu as tf

    # The ones for y, then one node for each node of the chain.
    assert created_nodes(tf, 10_000) == 10_000 + 3


@pytest.mark.long
def test_a_chain_of_a_hundred_thousand_nodes_is_walked_without_recursion():
    import tfedu as tf

    assert created_nodes(tf, 100_000) == 100_000 + 3


def test_each_node_has_one_turn_however_many_paths_lead_to_it(monkeypatch):
    import tfedu as tf
    from tfedu.engine.autodiff import sweep

    turns = []
    apply = sweep.Sweep._apply
    monkeypatch.setattr(sweep.Sweep, "_apply", lambda self, rule, op, gs: (turns.append(op), apply(self, rule, op, gs))[1])
    x = tf.placeholder(tf.float32, [])
    y = x
    for _ in range(60):  # 2^60 ways from the end to the beginning
        y = y + y
    tf.gradients(y, x)
    assert len(turns) == len(set(turns)) == 60


def test_a_failing_rule_adds_no_node():
    import tfedu as tf

    x = tf.constant(2.0)
    y = tf.segment_prod([x, x], [0, 0]) * x
    before = [op.name for op in tf.get_default_graph().get_operations()]
    with pytest.raises(LookupError):
        tf.gradients(y, x)
    assert [op.name for op in tf.get_default_graph().get_operations()] == before
    assert tf.gradients(x * x, x)[0].name == "gradients/AddN:0"


def test_new_nodes_have_the_line_that_called_gradients():
    import tfedu as tf

    x = tf.constant(2.0)
    y = tf.tanh(x * x)
    before = len(tf.get_default_graph().get_operations())
    tf.gradients(y, x)  # this line
    made = tf.get_default_graph().get_operations()[before:]
    assert {op.site.source for op in made} == {"tf.gradients(y, x)  # this line"}


def test_nodes_of_a_programs_own_rule_have_the_lines_of_the_rule():
    import tfedu as tf

    @tf.RegisterGradient("TestsThreefold")
    def threefold(op, g):
        return g * 3.0

    x = tf.constant(2.0)
    with tf.get_default_graph().gradient_override_map({"Identity": "TestsThreefold"}):
        y = tf.identity(x)
    (dx,) = tf.gradients(y, x)
    assert dx.op.site.source == "return g * 3.0"
