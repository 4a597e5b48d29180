"""group and tuple are gates, identity is a node of its own, and nest keeps structures."""

from collections import OrderedDict, namedtuple

import pytest

import tfedu as tf

Point = namedtuple("Point", "x y")


def test_a_group_is_done_when_all_its_members_are():
    a, b = tf.Variable(0.0), tf.Variable(0.0, use_resource=True)
    both = tf.group(a.assign_add(1.0), [b.assign_add(2.0)], name="both")
    for seed in range(5):
        session = tf.Session(schedule=tf.schedule.random(seed))
        session.run(tf.global_variables_initializer())
        assert session.run(both) is None
        assert session.run([a, b]) == [1.0, 2.0]


def test_a_group_over_devices_has_one_gate_for_each():
    with tf.device("/cpu:0"):
        a = tf.constant(1.0)
    with tf.device("/gpu:0"):
        b = tf.constant(1.0)
    gates = tf.group(a, b, tf.constant(2.0)).control_inputs
    assert [gate.device for gate in gates] == ["", "/device:CPU:0", "/device:GPU:0"]


def test_no_part_of_a_tuple_comes_before_the_others_are_computed():
    v = tf.Variable(0.0)
    read, updated = tf.tuple([v.read_value() * 1.0, v.assign_add(1.0)])
    waits = [op.name for op in read.op.control_inputs]
    assert waits == ["tuple/group_deps"]
    assert [op.name for op in updated.op.control_inputs] == waits
    with tf.Session() as session:
        session.run(v.initializer)
        session.run(read)
        assert session.run(v) == 1.0


def test_an_identity_is_a_node_of_its_own():
    x = tf.constant(1.0)
    assert tf.identity(x).op is not x.op
    assert tf.identity(x, name="again").op.inputs == (x,)


@pytest.mark.parametrize(
    "structure",
    [
        1, [], [1, 2], (1, [2, (3,)]), {"b": 1, "a": [2, 3]}, Point(1, (2, 3)), OrderedDict([("b", 1), ("a", 2)]),
        {"k": Point([], ())},
    ],
)
def test_what_is_flattened_can_be_packed_again(structure):
    flat = tf.nest.flatten(structure)
    assert tf.nest.pack_sequence_as(structure, flat) == structure
    assert tf.nest.map_structure(lambda leaf: leaf, structure) == structure
    with pytest.raises(ValueError, match="Structure"):
        tf.nest.pack_sequence_as(structure, [*flat, 0])
