"""tf.nest and tf.contrib.framework.nest: flattening, packing, mapping, down to a shallower structure and with paths."""

import collections

from harness import attempt, program

Pair = collections.namedtuple("Pair", "first second")
DEEP = [1, (2, {"b": 3, "a": [4]}), Pair(5, [6, 7])]


def nest_of(tf):
    """The whole module; the oracle has it under a private path."""
    if hasattr(tf, "contrib"):
        return tf.contrib.framework.nest
    from tensorflow.python.util import nest

    return nest


@program
def flattening_and_packing(tf, np):
    ordered = collections.OrderedDict([("z", 1), ("a", (2, 3))])
    return [
        tf.nest.flatten(DEEP),
        tf.nest.flatten(7),
        tf.nest.flatten([]),
        tf.nest.flatten(ordered),
        tf.nest.pack_sequence_as(DEEP, list("abcdefg")),
        tf.nest.pack_sequence_as(ordered, [10, 20, 30]),
        tf.nest.pack_sequence_as(0, ["x"]),
        tf.nest.map_structure(lambda x, y: x + y, DEEP, DEEP),
        tf.nest.map_structure(lambda x: None, {"a": [1]}),
        [tf.nest.is_nested(x) for x in ([], (), {}, Pair(1, 2), "ab", 3, None, np.ones(2), {1})],
        attempt(lambda: tf.nest.pack_sequence_as([1, 2], [1])),
        attempt(lambda: tf.nest.pack_sequence_as([1, 2], "ab")),
        attempt(lambda: tf.nest.map_structure(3, [1])),
        attempt(lambda: tf.nest.map_structure(lambda: 1)),
        attempt(lambda: tf.nest.map_structure(lambda x: x, [1], other=3)).text.split(":")[0],
        attempt(lambda: tf.nest.map_structure(lambda x, y: x, [1], [1, 2])),
    ]


@program
def same_structures(tf, np):
    other = collections.namedtuple("Pair", "first second")
    pairs = [
        (DEEP, DEEP), ([1, 2], (1, 2)), ([1, 2], [1]), ({"a": 1}, {"a": 2}), ({"a": 1}, {"b": 1}), (1, [1]), ([1, [2]], [1, 2]),
        (Pair(1, 2), other(3, 4)), (Pair(1, 2), (3, 4)), ({"a": 1}, collections.OrderedDict(a=1)), ([], ()), (1, 2),
        (Pair(1, 2), collections.namedtuple("Pair", "a b")(1, 2)),
    ]  # fmt: skip

    def answer(a, b, check_types):
        return attempt(lambda: tf.nest.assert_same_structure(a, b, check_types))

    return [[answer(a, b, check_types) for check_types in (True, False)] for a, b in pairs]


@program
def composites_are_leaves_or_not(tf, np):
    def sparse(kind=tf.int32):
        return tf.SparseTensor([[0, 1]], tf.constant([1], kind), [2, 2])

    rows = tf.IndexedSlices(tf.ones([2]), tf.constant([0, 1]))
    both = [sparse(), rows, 3]
    flat = tf.nest.flatten(both, expand_composites=True)
    doubled = tf.nest.map_structure(lambda x: x * 2, both[:2], expand_composites=True)
    packed = tf.nest.pack_sequence_as(both, flat, expand_composites=True)
    return [
        len(tf.nest.flatten(both)),
        [part.name if hasattr(part, "name") else part for part in flat],
        [type(part).__name__ for part in [*doubled, *packed]],
        [doubled[0].values, doubled[1].indices, packed[0].indices],
        attempt(lambda: tf.nest.assert_same_structure(sparse(), sparse(), expand_composites=True)),
        attempt(lambda: tf.nest.assert_same_structure(sparse(), sparse(tf.float32), expand_composites=True)),
        attempt(lambda: tf.nest.assert_same_structure(sparse(), rows, expand_composites=True)),
        attempt(lambda: tf.nest.assert_same_structure(sparse(), 3, expand_composites=True)),
        attempt(lambda: tf.nest.assert_same_structure(sparse(), 3)),
    ]


@program
def down_to_a_shallower_structure(tf, np):
    nest = nest_of(tf)
    shallow = [0, (0, 0), Pair(0, 0)]
    return [
        nest.flatten_up_to(shallow, DEEP),
        nest.flatten_up_to(0, DEEP),
        nest.flatten_up_to({"a": 0}, {"a": [1, 2]}),
        nest.map_structure_up_to(shallow, lambda x, y: (x, y), DEEP, DEEP),
        nest.assert_shallow_structure([0, 0], (1, 2), check_types=False),
        *[
            attempt(call)
            for call in (
                lambda: nest.assert_shallow_structure([0, 0], (1, 2)),
                lambda: nest.assert_shallow_structure([0, 0], [1]),
                lambda: nest.assert_shallow_structure([0], [1, 2]),
                lambda: nest.assert_shallow_structure([0], 3),
                lambda: nest.assert_shallow_structure({"a": 0}, {"b": 0}),
                lambda: nest.map_structure_up_to([0], lambda: 1),
            )
        ],
    ]


@program
def paths(tf, np):
    nest = nest_of(tf)
    return [
        nest.flatten_with_joined_string_paths(DEEP),
        nest.flatten_with_joined_string_paths(DEEP, separator="."),
        nest.flatten_with_tuple_paths(DEEP),
        nest.flatten_with_tuple_paths(3),
        nest.flatten_with_tuple_paths_up_to([0, 0, 0], DEEP),
        list(nest.yield_flat_paths(DEEP)),
        nest.map_structure_with_paths(lambda path, x: f"{path}={x}", DEEP),
        nest.map_structure_with_tuple_paths(lambda path, x, y: (len(path), x + y), DEEP, DEEP),
        nest.map_structure_with_tuple_paths_up_to([0, 0, 0], lambda path, x: (path, x), DEEP),
    ]


@program
def what_is_gone_into(tf, np):
    nest = nest_of(tf)

    def lists(x):
        return isinstance(x, list)

    return [
        nest.get_traverse_shallow_structure(lists, DEEP),
        nest.get_traverse_shallow_structure(lists, [[1, (2, [3])], 4]),
        nest.get_traverse_shallow_structure(lambda x: [True, False] if x == [[1], [2]] else True, [[1], [2]]),
        attempt(lambda: nest.get_traverse_shallow_structure(lambda x: 3, [1])),
        attempt(lambda: nest.get_traverse_shallow_structure(lambda x: [[True]], [[1]])),
        attempt(lambda: nest.get_traverse_shallow_structure(lambda x: [True], 1)),
    ]


@program
def keys_that_are_structures(tf, np):
    nest = nest_of(tf)
    return [
        nest.flatten_dict_items({("a", ("b",)): (1, [2]), "c": 3}),
        attempt(lambda: nest.flatten_dict_items([1])),
        attempt(lambda: nest.flatten_dict_items({("a", "b"): (1,)})),
        attempt(lambda: nest.flatten_dict_items({("a",): (1,), "a": 2})),
    ]


@program
def views_and_other_sequences(tf, np):
    table = {"b": 1, "a": 2}
    values = [table.values(), table.keys(), table.items(), collections.deque([1, [2]]), range(3), b"ab", bytearray(b"ab"), {1, 2}]
    return [
        [tf.nest.is_nested(v) for v in values],
        [tf.nest.flatten(v) for v in values[:5]],
        [tf.nest.map_structure(lambda x: str(x), v) for v in (table.values(), collections.deque([1, 2]))],
    ]
