"""The op types with and without a gradient are those of TF's registry (tests/golden/op_registry.json), with the reasons."""

import importlib
import json
import pathlib
import re

import pytest

GOLDEN = pathlib.Path(__file__).resolve().parents[1] / "golden" / "op_registry.json"
OPS = json.loads(GOLDEN.read_text(encoding="utf-8"))["ops"]

# Gradients that only the oracle's release has, or only 1.15.
RULES_SINCE_1_15 = {"Einsum", "RaggedTensorFromVariant", "RaggedTensorToTensor", "RaggedTensorToVariant", "SegmentProd"}
NONE_IN_1_15 = {"EuclideanNorm"}  # declared so in 1.15; later releases differentiate it
RULES_OF_CONTRIB = {"GRUBlockCell", "LSTMBlockCell"}  # contrib.rnn of 1.15 has them
NONE_OF_CONTRIB = {"SparseFeatureCross", "SparseFeatureCrossV2"}  # contrib.layers of 1.15 declares them so
DECLARED_SINCE_1_15 = {"RaggedRange", "RandomShuffle", "StatelessRandomUniformFullInt"}


def registered():
    """Op type -> "function" or "none", as tfedu registers it."""
    importlib.import_module("tfedu")
    registry = importlib.import_module("tfedu.engine.autodiff").registry
    opdef = importlib.import_module("tfedu.engine.op.definition")
    kinds = {}
    for op_type in opdef.REGISTRY.whole():
        rule = registry.rule_named(op_type)
        kinds[op_type] = None if rule is None else "none" if isinstance(rule, registry.Undifferentiable) else "function"
    return kinds


@pytest.fixture(scope="module")
def ours():
    return registered()


def test_every_op_that_tf_differentiates_has_its_rule(ours):
    missing = {op for op, kind in ours.items() if OPS.get(op, {}).get("grad") == "function" and kind != "function"}
    assert missing == RULES_SINCE_1_15 | NONE_IN_1_15


def test_the_ops_without_a_gradient_are_those_of_tf(ours):
    from tfedu.engine.ops.transfers import CARRIERS

    declared = {op for op, kind in ours.items() if kind == "none"} - CARRIERS
    wanted = {op for op in ours if OPS.get(op, {}).get("grad") == "none"}
    assert declared == (wanted | NONE_IN_1_15 | NONE_OF_CONTRIB) - DECLARED_SINCE_1_15


def test_no_op_has_a_rule_that_tf_does_not_know(ours):
    functions = {op for op, kind in ours.items() if kind == "function"}
    assert {op for op in functions if OPS.get(op, {}).get("grad") != "function"} == RULES_OF_CONTRIB


def test_each_op_without_a_gradient_has_a_reason(ours):
    import tfedu as tf
    from tfedu.engine.autodiff.registry import reason_of
    from tfedu.view import messages

    assert reason_of(tf.one_hot([1], 3).op) == "whole_numbers"
    assert reason_of(tf.less(1.0, 2.0).op) == "true_or_false"
    assert reason_of(tf.exp(1.0).op) is None
    registry = importlib.import_module("tfedu.engine.autodiff").registry
    for op_type, kind in ours.items():
        if kind == "none":
            reason = f"flow.why.{registry.rule_named(op_type).reason}"
            assert all(reason in messages.catalogue(lang) for lang in messages.LANGUAGES), op_type


def test_every_type_that_is_declared_apart_has_no_gradient_in_tf_and_no_table_yet(ours):
    from tfedu.engine.autodiff.types_without_table import REASONS

    names = [name for types in REASONS.values() for name in types.split()]
    assert len(names) == len(set(names))
    assert {name for name in names if OPS[name].get("grad") != "none"} == set()
    assert set(names).isdisjoint(ours)


def test_a_node_that_a_rule_adds_is_of_a_type_that_a_table_describes(ours):
    root = pathlib.Path(importlib.import_module("tfedu").__file__).parent / "engine"
    sources = [path.read_text(encoding="utf-8") for room in ("op", "ops", "autodiff") for path in (root / room).glob("*.py")]
    added = {op_type for text in sources for op_type in re.findall(r"\bnodes\.([A-Z]\w*)", text)}
    assert len(added) > 90
    assert added <= set(ours)


def test_an_op_that_is_declared_not_differentiable_passes_no_gradient_on():
    import tfedu as tf

    x = tf.constant([1.0, 2.0])
    assert tf.gradients(tf.one_hot(tf.cast(x, tf.int32), 3), x) == [None]
    assert tf.gradients(tf.stop_gradient(x), x) == [None]


def test_an_op_without_a_rule_is_refused():
    import tfedu as tf

    x = tf.constant([1.0, 2.0])
    with pytest.raises(LookupError, match=r"No gradient defined for operation 'SegmentProd' \(op type: SegmentProd\)") as raised:
        tf.gradients(tf.segment_prod(x, [0, 0]), x)
    assert "fix: " in str(raised.value)


def test_a_rule_can_be_registered_once():
    import tfedu as tf

    for name in ("Exp", "Cholesky", "Less"):
        with pytest.raises(KeyError, match="Registering two gradient with name"):
            tf.RegisterGradient(name)(lambda op, g: g)
        with pytest.raises(KeyError, match="Registering two gradient with name"):
            tf.NotDifferentiable(name)


def test_the_error_of_an_unregistered_override_has_the_nearest_name():
    import tfedu as tf

    tf.RegisterGradient("TestsOwnIdentity")(lambda op, g: g)
    x = tf.constant(1.0)
    with tf.get_default_graph().gradient_override_map({"Identity": "TestsOwnIdentitie"}):
        y = tf.identity(x)
    with pytest.raises(LookupError, match="is it 'TestsOwnIdentity'"):
        tf.gradients(y, x)
