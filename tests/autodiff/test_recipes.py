"""A gradient made after a recipe is, node for node, the one that the rules make."""

import random
from collections import Counter

import pytest
from samples import ONE_ORDER, SAMPLES
from test_numeric import one_number, tensors

import tfedu as tf
from tfedu.engine.autodiff import recipes, sweep
from tfedu.engine.graph import patterns

STAMPED = Counter()


def stamps(monkeypatch):
    """Counts the op types whose gradients are stamped."""
    found = Counter()

    def counted(graph, pattern, scope, *rest):
        found["nodes"] += len(pattern.nodes)
        found["stamps"] += 1
        return patterns.stamp(graph, pattern, scope, *rest)

    monkeypatch.setattr(sweep, "stamp", counted)
    return found


def told(graph):
    """Everything that a graph says of its nodes."""
    nodes = []
    for op in graph.get_operations():
        nodes.append((
            op.name, op.type, [t.name for t in op.inputs], [w.name for w in op.control_inputs],
            [w.name for w in op.control_outputs], {name: repr(value) for name, value in op.attrs.items()}, op.device,
            [(t.name, t.dtype.name, t.raw_shape, [c.name for c in t.consumers()]) for t in op.outputs],
            op.traceback, op.definition is not None, type(op._context).__name__,
        ))  # fmt: skip
    return nodes, dict(graph._names)


def both_ways(build, monkeypatch):
    """What `build()` makes by the rules alone, and with recipes; how much of the latter was stamped."""
    found = []
    for alone in (True, False):
        with monkeypatch.context() as patch, tf.Graph().as_default() as graph:
            if alone:
                patch.setattr(recipes.Recipes, "suit", staticmethod(lambda graph: False))
            count = stamps(patch)
            build()
            found.append(told(graph))
            assert not (alone and count)
    return found[0], found[1], count


@pytest.mark.parametrize("op_type", sorted(SAMPLES))
def test_recipes_give_what_the_rules_give(op_type, monkeypatch):
    sample = SAMPLES[op_type]

    def build():
        given, xs, _ = tensors(tf, sample.inputs)
        numbers = []
        for seed in range(4):
            outputs = sample.call(tf, *given)
            numbers.append(one_number(tf, outputs if isinstance(outputs, (list, tuple)) else [outputs], seed))
        if xs:
            first = tf.gradients(tf.add_n(numbers), xs)
            tf.gradients(tf.add_n(numbers), xs, gate_gradients=True)
            if op_type not in ONE_ORDER:
                tf.gradients([g for g in first if g is not None] or numbers, xs)

    by_rules, by_recipes, count = both_ways(build, monkeypatch)
    assert by_recipes == by_rules
    STAMPED.update(count)


def test_most_of_it_was_stamped():
    assert STAMPED["nodes"] > 1_000


def random_build(seed):
    def build():
        pick = random.Random(seed)
        shapes = [[], [3], [2, 3], [2, 1], [None, 3], None]
        pool = [tf.placeholder(tf.float32, pick.choice(shapes[:4])) for _ in range(3)]
        pool += [tf.placeholder(tf.float32, pick.choice(shapes)), tf.constant(2.0), tf.constant([1.0, 2.0, 3.0])]
        xs = pool[:4]
        unary = [tf.tanh, tf.square, tf.exp, tf.nn.relu, tf.sigmoid, tf.identity, tf.negative, lambda x: tf.reduce_sum(x)]
        unary += [lambda x: x * 2.0, lambda x: x * x, tf.stop_gradient, lambda x: tf.reshape(x, [-1])]
        unary += [lambda x: tf.reduce_mean(x, -1), lambda x: tf.concat(tf.split(x, 3, -1)[::-1], -1)]
        unary += [lambda x: tf.add_n([x, x, x]), lambda x: tf.stack([x, x])[pick.randrange(2)]]
        binary = [tf.add, tf.subtract, tf.multiply, tf.maximum, lambda x, y: x / y, tf.squared_difference]
        for _ in range(60):
            if pick.random() < 0.1:
                with tf.control_dependencies([pick.choice(pool)]):
                    pool.append(tf.tanh(pick.choice(pool)))
                continue
            try:
                with tf.device(pick.choice([None, None, None, "/cpu:0", "/gpu:0"])):
                    if pick.random() < 0.6:
                        pool.append(pick.choice(unary)(pick.choice(pool)))
                    else:
                        pool.append(pick.choice(binary)(pick.choice(pool), pick.choice(pool)))
            except ValueError:
                continue  # shapes that do not go together
            if pick.random() < 0.05 and pool[-1].shape.ndims is None:
                pool[-1].set_shape([2, 3])
        ys = pool[-4:]
        with tf.name_scope(pick.choice([None, "training"])):
            found = tf.gradients(ys, xs, name=pick.choice(["gradients", "Again"]), gate_gradients=pick.random() < 0.5)
        tf.gradients([g for g in found if g is not None] or ys, xs, gate_gradients=pick.random() < 0.5)

    return build


@pytest.mark.parametrize("seed", range(40))
def test_recipes_give_what_the_rules_give_in_random_graphs(seed, monkeypatch):
    by_rules, by_recipes, _ = both_ways(random_build(seed), monkeypatch)
    assert by_recipes == by_rules


@pytest.mark.parametrize("resource", [False, True])
@pytest.mark.parametrize("device", [None, "/gpu:0"])
def test_a_network_is_trained_by_the_same_nodes(resource, device, monkeypatch):
    """Gates, variables that are read, biases that are broadcast, a mean over an axis, the parts of a split."""

    def build():
        x = tf.placeholder(tf.float32, [None, 6])
        with tf.device(device), tf.variable_scope("net", use_resource=resource):
            shared = tf.get_variable("shared", [6, 12])
            for i in range(5):
                wide = tf.matmul(x, shared) + tf.get_variable(f"b{i}", [12])
                left, right = tf.split(wide - tf.reduce_mean(wide, 1, keepdims=True), 2, 1)
                x = tf.concat([tf.tanh(left) * tf.sigmoid(right), tf.reshape(tf.nn.relu(left), [-1, 6])], 1)[:, :6]
        tf.train.AdamOptimizer().minimize(tf.reduce_mean(x))

    by_rules, by_recipes, count = both_ways(build, monkeypatch)
    assert by_recipes == by_rules
    assert count["nodes"] > 100


def chain(count):
    x = tf.placeholder(tf.float32, [3])
    w = tf.placeholder(tf.float32, [3])
    y = x
    for _ in range(count):
        y = tf.tanh(y * w)
    return x, w, y


def test_a_rule_of_the_program_is_asked_for_each_node():
    asked = []

    @tf.RegisterGradient("MyTanhOfRecipes")
    def rule(op, g):
        asked.append(op.name)
        return g * (1 - op.outputs[0] ** 2)

    with tf.get_default_graph().gradient_override_map({"Tanh": "MyTanhOfRecipes"}):
        x, w, y = chain(6)
    tf.gradients(y, [x, w])
    assert asked == ["Tanh_5", "Tanh_4", "Tanh_3", "Tanh_2", "Tanh_1", "Tanh"]


def test_a_failed_call_takes_back_what_was_stamped(monkeypatch):
    x, w, y = chain(6)
    with tf.get_default_graph().gradient_override_map({"Tanh": "NobodyRegisteredThis"}):
        z = tf.tanh(x)
    for _ in range(6):
        z = tf.tanh(z * w)
    count = stamps(monkeypatch)
    before = told(tf.get_default_graph())
    with pytest.raises(LookupError):
        tf.gradients([z, y], [x, w])
    assert count["stamps"] > 5
    assert told(tf.get_default_graph()) == before


def test_a_taken_name_inside_a_scope_is_kept_clear_of(monkeypatch):
    def build():
        x, w, y = chain(6)
        tf.no_op(name="gradients/Tanh_2_grad/tanhgrad")
        tf.gradients(y, [x, w])

    by_rules, by_recipes, count = both_ways(build, monkeypatch)
    assert by_recipes == by_rules
    assert count["stamps"] > 5


def test_blocks_around_the_call_are_heeded(monkeypatch):
    def build():
        x, w, y = chain(6)
        other = tf.no_op(name="other")
        with tf.device("/cpu:0"), tf.control_dependencies([other]):
            tf.gradients(y, [x, w])

    by_rules, by_recipes, count = both_ways(build, monkeypatch)
    assert by_recipes == by_rules
    assert not count


def test_collection_of_garbage_goes_on_afterwards():
    import gc

    x, w, y = chain(3)
    tf.gradients(y, [x, w])
    assert gc.isenabled()
    gc.disable()
    try:
        tf.gradients(y, [x, w])
        assert not gc.isenabled()
    finally:
        gc.enable()


def test_a_name_that_is_taken_where_a_recipe_is_noted_is_none_of_the_recipe(monkeypatch):
    def build():
        x, w, y = chain(6)
        tf.no_op(name="gradients/Tanh_4_grad/TanhGrad")
        tf.no_op(name="gradients/mul_4_grad/mul_1")
        tf.gradients(y, [x, w])

    by_rules, by_recipes, _ = both_ways(build, monkeypatch)
    assert by_recipes == by_rules


def test_a_scope_that_is_taken_gets_another_name(monkeypatch):
    def build():
        x, w, y = chain(6)
        tf.no_op(name="gradients/TANH_2_grad")
        tf.gradients(y, [x, w])

    by_rules, by_recipes, count = both_ways(build, monkeypatch)
    assert by_recipes == by_rules
    assert count["stamps"] > 5


def test_a_stamped_node_has_all_that_a_made_one_has():
    x, _, y = chain(6)
    (g,) = tf.gradients(y, x)
    for kind, made, stamped in ((tf.Operation, x.op, g.op), (tf.Tensor, x, g)):
        slots = [slot for slot in kind.__slots__ if slot not in ("__dict__", "__weakref__")]
        assert [hasattr(made, slot) for slot in slots] == [hasattr(stamped, slot) for slot in slots] == [True] * len(slots)
