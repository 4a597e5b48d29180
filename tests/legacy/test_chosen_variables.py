"""`tf.contrib.framework` chooses among variables by their names, as programs that restore a part of a model do."""

import pytest

import tfedu as tf
from tfedu.legacy.modules_of_contrib import contrib_framework as chosen


@pytest.fixture
def variables():
    with tf.variable_scope("net"):
        w = tf.get_variable("w", [2])
        raw = tf.get_variable("raw", [2], trainable=False)
    return w, raw, tf.get_variable("w", [1])


def test_a_scope_is_the_beginning_of_the_name_and_a_suffix_its_end(variables):
    w, raw, outer = variables
    assert chosen.get_variables() == [w, raw, outer]
    assert chosen.get_variables("net") == [w, raw]
    with tf.variable_scope("net") as scope:
        assert chosen.get_variables(scope, "w") == [w, raw]
    assert chosen.get_variables_by_suffix("raw") == [raw]
    assert chosen.get_trainable_variables("net") == [w]
    assert chosen.get_local_variables() == []


def test_by_name_only_the_whole_last_part_counts(variables):
    w, _, outer = variables
    assert chosen.get_variables_by_name("w") == [w, outer]
    assert chosen.get_variables_by_name("w", "net") == [w, outer]  # as in 1.15: a variable outside all scopes is found always
    assert chosen.get_unique_variable("net/w") is w
    with pytest.raises(ValueError, match="Couldn't find variable other"):
        chosen.get_unique_variable("other")
    with pytest.raises(ValueError, match="does not uniquely identify"):
        chosen.get_unique_variable("ne")


def test_scopes_and_patterns_leave_out(variables):
    w, _, outer = variables
    assert chosen.get_variables_to_restore(["net"], ["net/raw"]) == [w]
    assert chosen.get_variables_to_restore(exclude=["net"]) == [outer]
    with pytest.raises(TypeError, match="not a list or a tuple"):
        chosen.get_variables_to_restore("net")
    assert chosen.filter_variables(variables, ["w"], ["^net"]) == [outer]
    assert chosen.filter_variables(variables, ["aw"], reg_search=False) == []


def test_a_part_has_the_name_of_the_whole():
    whole = tf.get_variable("e", [4, 2], partitioner=tf.fixed_size_partitioner(2))
    assert [chosen.get_variable_full_name(part) for part in whole] == ["e", "e"]


def test_the_models_variables_and_the_step_are_kept(variables):
    chosen.add_model_variable(variables[0])
    chosen.add_model_variable(variables[0])
    assert chosen.get_model_variables() == [variables[0]]
    assert chosen.assert_or_get_global_step() is None
    step = tf.train.create_global_step()
    assert chosen.assert_or_get_global_step() is step
    assert chosen.assert_or_get_global_step(global_step_tensor=step) is step
