"""Staging areas with keys: takes of several threads wait for their own keys; copies; what nodes without the class are given."""

import threading

import pytest

import tfedu as tf
from tfedu.engine.base.resources.keyed_staging import KeyedStaging
from tfedu.legacy.modules.data_flow_ops import MapStagingArea


def test_a_take_does_not_wait_for_one_before_it_that_waits_for_another_key():
    area = KeyedStaging("a", ordered=False, capacity=0, memory_limit=0)
    first, second = area.get(1, [0]), area.get(2, [0])
    area.put(2, 1, [0], [("b", 1)])
    assert not first.done
    assert list(second.result()) == [(2, "b")]
    area.put(1, 1, [0], [("a", 1)])
    assert list(first.result()) == [(1, "a")]


def test_a_put_waits_for_room_and_a_copy_has_the_same_elements():
    area = KeyedStaging("a", ordered=True, capacity=1, memory_limit=4)
    assert area.put(1, 2, [0], [("a", 3)]).done
    late = area.put(2, 1, [0], [("b", 2)])
    assert not late.done
    twin = area.copied()
    area.clear()
    assert late.done
    assert twin.put(1, 2, [1], [("c", 1)]).done
    assert list(twin.peek(1, [0, 1]).result()) == [(1, "a", "c")]
    assert not twin.put(5, 1, [0], [("d", 0)]).done  # the capacity
    assert list(area.get(None, [0]).result()) == [(2, "b")]


def test_runs_of_two_threads_meet_at_a_key():
    area = MapStagingArea([tf.int32])
    put, (_, taken) = area.put(7, [tf.constant(3)], [0]), area.get(tf.constant(7, tf.int64))
    found = []
    with tf.Session() as sess:
        thread = threading.Thread(target=lambda: found.append(sess.run(taken)))
        thread.start()
        sess.run(put)
        thread.join(10)
    assert found == [[3]]


def test_a_key_is_a_scalar_and_values_have_an_index_each():
    raw = {"dtypes": [tf.int32], "shared_name": "z"}
    with tf.Session() as sess:
        with pytest.raises(tf.errors.InvalidArgumentError, match="key must be a scalar"):
            sess.run(tf.raw_ops.MapStage(key=tf.constant([1], tf.int64), indices=[0], values=[tf.constant(1)], **raw))
        with pytest.raises(tf.errors.InvalidArgumentError, match="There are 2 indices for 1 values"):
            sess.run(tf.raw_ops.MapStage(key=tf.constant(1, tf.int64), indices=[0, 1], values=[tf.constant(1)], **raw))


def test_a_name_that_no_component_has_is_an_error():
    area = MapStagingArea([tf.int32], names=["x"])
    with pytest.raises(ValueError, match="Named index 'z' not in Staging Area names"):
        area.get(tf.constant(1, tf.int64), ["z"])
