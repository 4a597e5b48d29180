"""Shapes in programs: TensorShape, Dimension, set_shape and values known before a run."""

import copy
import pickle

from harness import Failure, attempt, fresh, program


@program
def shapes_from_anything(tf, np):
    given = {
        "none": None, "empty": [], "list": [1, 2], "tuple": (3, None), "int": 4, "numpy int": np.int64(3),
        "dimension": tf.Dimension(3),
        "dimensions": [tf.Dimension(1), tf.Dimension(None)], "numpy": np.array([2, 3]), "range": range(3),
        "negative": [-1], "zero": [0], "dict": {1: 2}, "set of none": [None, None], "generator": (i for i in (1, 2)),
        "big": [2**40],
    }  # fmt: skip
    return {name: attempt(lambda v=v: repr(tf.TensorShape(v))) for name, v in given.items()}


@program
def texts_of_shapes(tf, np):
    made = [tf.TensorShape(s) for s in (None, [], [1], [None], [2, 3], [None, 3, None])]
    return [[str(s), repr(s)] for s in made]


@program
def parts_of_shapes(tf, np):
    def facts(s):
        return [s.ndims, s.rank, s.dims if s.dims is None else [d.value for d in s.dims], s.is_fully_defined(),
            s.num_elements(), bool(s)]

    return [facts(tf.TensorShape(s)) for s in (None, [], [1], [None], [2, 3], [0, 3], [None, 0])]


@program
def shapes_as_lists(tf, np):
    return [attempt(lambda s=s: tf.TensorShape(s).as_list()) for s in (None, [], [1, None])]


@program
def lengths_of_shapes(tf, np):
    return [attempt(lambda s=s: len(tf.TensorShape(s))) for s in (None, [], [1, None])]


@program
def iterating_over_shapes(tf, np):
    return [
        attempt(lambda: [d.value for d in tf.TensorShape([1, None])]),
        attempt(lambda: list(tf.TensorShape(None))),
        attempt(lambda: (lambda a, b: [a.value, b.value])(*tf.TensorShape([4, 5]))),
        [type(d).__name__ for d in tf.TensorShape([4])],
    ]


@program
def slices_of_shapes(tf, np):
    known, unknown = tf.TensorShape([1, None, 3, 4]), tf.TensorShape(None)
    keys = [0, 1, -1, slice(None), slice(1, None), slice(None, 2), slice(1, 3), slice(-2, None), slice(None, -1),
    slice(None, None, 2), slice(3, 1)]
    return [
        [attempt(lambda k=k: repr(known[k])) for k in keys],
        [attempt(lambda k=k: repr(unknown[k])) for k in keys],
        attempt(lambda: known[9]).classes,
        attempt(lambda: known["a"]).classes,
    ]


@program
def merging_shapes(tf, np):
    pairs = [
        (None, None), (None, [1, 2]), ([None, 2], [1, None]), ([1, 2], [1, 2]), ([1], [2]), ([1], [1, 1]), ([], None),
        ([], [1]),
        ([None, 3, 5], [2, None, 4]),
    ]  # fmt: skip
    return [attempt(lambda a=a, b=b: tf.TensorShape(a).merge_with(b)) for a, b in pairs]


@program
def joining_shapes(tf, np):
    t = tf.TensorShape
    return [
        t([1]).concatenate([2, None]),
        t([1]).concatenate(None),
        t(None).concatenate([1]),
        t([]).concatenate([]),
        t([1]).concatenate(tf.Dimension(4)),
    ]


@program
def adding_shapes(tf, np):
    t = tf.TensorShape
    return [attempt(lambda: t([1]) + [2, None]), attempt(lambda: [5] + t([1])), attempt(lambda: t([1]) + t(None)),
        attempt(lambda: t([1]) + 3)]


@program
def ranks_asked_of_shapes(tf, np):
    t = tf.TensorShape
    out = {}
    for method in ("with_rank", "with_rank_at_least", "with_rank_at_most", "assert_has_rank"):
        out[method] = [
            attempt(lambda s=s, r=r, method=method: getattr(t(s), method)(r)) for s in (None, [], [1, None]) for r in (0, 1, 2, 3)
        ]
    return out


@program
def compatible_shapes(tf, np):
    shapes = [None, [], [None], [1], [2], [None, 2], [1, 2]]
    t = tf.TensorShape
    return [
        [[t(a).is_compatible_with(b) for b in shapes] for a in shapes],
        attempt(lambda: t([1]).assert_is_compatible_with([2])),
        attempt(lambda: t([1, 2]).assert_is_compatible_with([2])),
        t([1]).assert_is_compatible_with([None]),
        attempt(lambda: t([1]).assert_same_rank([1, 2])),
        t([1]).assert_same_rank([3]),
        t([1]).assert_same_rank(None),
        attempt(lambda: t([1, None]).assert_is_fully_defined()),
        t([1]).assert_is_fully_defined(),
        attempt(lambda: t(None).assert_is_fully_defined()),
    ]


@program
def specific_shapes(tf, np):
    pairs = [([1, 2], [1, 3]), ([1], [1]), ([1], [1, 2]), (None, [1]), ([None], [1]), ([], [])]
    return [tf.TensorShape(a).most_specific_compatible_shape(tf.TensorShape(b)) for a, b in pairs]


@program
def equal_shapes(tf, np):
    t = tf.TensorShape
    return {
        "same": t([1, 2]) == t([1, 2]),
        "list": t([1, 2]) == [1, 2],
        "tuple": t([1, 2]) == (1, 2),
        "other": t([1, 2]) == [1, 3],
        "rank": t([1, 2]) == [1],
        "not": t([1, 2]) != [1, 3],
        "not equal": t([1, 2]) != [1, 2],
        "unknown itself": t(None) == t(None),
        "unknown known": t(None) == [1],
        "none": t([1]) == None,  # noqa: E711
        "text": attempt(lambda: t([1]) == "a"),
        "int": t([1]) == 1,
        "object": t([1]) == object(),
        "hash": hash(t([1, 2])) == hash(t([1, 2])),
        "in": t([1]) in [t([2]), t([1])],
    }


@program
def dimensions_from_anything(tf, np):
    given = [None, 3, np.int32(4), tf.Dimension(5), tf.Dimension(None), -1, np.int64(0)]
    return [attempt(lambda v=v: repr(tf.Dimension(v))) for v in given]


@program
def texts_of_dimensions(tf, np):
    return [[str(d), repr(d), d.value] for d in (tf.Dimension(3), tf.Dimension(None))]


@program
def arithmetic_of_dimensions(tf, np):
    import operator

    d, u = tf.Dimension(7), tf.Dimension(None)
    out = {}
    for name in ("add", "sub", "mul", "floordiv", "mod"):
        f = getattr(operator, name)
        out[name] = [attempt(lambda a=a, b=b, f=f: f(a, b)) for a,
        b in ((d, 2), (9, d), (d, tf.Dimension(3)), (d, u), (u, 2), (3, u), (d, None), (u, u))]
    return out


@program
def arithmetic_of_dimensions_refused(tf, np):
    d = tf.Dimension(7)
    return [
        attempt(lambda: d / 2),
        attempt(lambda: 2 / d),
        attempt(lambda: d + 2.5),
        attempt(lambda: d + "a"),
        attempt(lambda: d - 9),
        attempt(lambda: d * -1),
        attempt(lambda: d // 0),
        attempt(lambda: d % 0),
        attempt(lambda: -d),
        attempt(lambda: d**2),
    ]


@program
def comparing_dimensions(tf, np):
    import operator

    d, u = tf.Dimension(3), tf.Dimension(None)
    out = {}
    for name in ("eq", "ne", "lt", "le", "gt", "ge"):
        f = getattr(operator, name)
        out[name] = [
            attempt(lambda a=a, b=b, f=f: f(a, b))
            for a, b in ((d, 3), (d, 4), (d, tf.Dimension(3)), (d, u), (u, u), (u, 3), (d, None), (2, d))
        ]
    return out


@program
def dimensions_as_numbers(tf, np):
    d, u = tf.Dimension(3), tf.Dimension(None)
    return [
        int(d),
        [10, 20, 30, 40][d],
        list(range(d)),
        attempt(lambda: int(u)).classes,
        attempt(lambda: [1][u]).classes,
        attempt(lambda: hash(d)).classes,
        np.zeros([d, 2]).shape,
        attempt(lambda: {d: 1}).classes,
    ]


@program
def compatible_dimensions(tf, np):
    d, u = tf.Dimension(3), tf.Dimension(None)
    return [
        [a.is_compatible_with(b) for a in (d, u) for b in (3, 4, None, u)],
        attempt(lambda: d.assert_is_compatible_with(4)),
        d.assert_is_compatible_with(u),
        [d.merge_with(u), u.merge_with(4), u.merge_with(u), d.merge_with(3)],
        attempt(lambda: d.merge_with(4)),
    ]


@program
def old_names_for_dimensions(tf, np):
    s = tf.TensorShape([2, None])
    return [
        tf.dimension_value(s[0]),
        tf.dimension_value(s[1]),
        tf.dimension_value(5),
        tf.dimension_at_index(s, 0),
        tf.dimension_at_index(s, -1),
        tf.dimension_at_index(tf.TensorShape(None), 3),
        tf.dimension_value(s[0]),
        tf.dimension_at_index(s, 1),
    ]


@program
def a_tensor_learns_its_shape(tf, np):
    x = tf.placeholder(tf.float32, name="x")
    steps = [x.shape]
    x.set_shape([None, 3])
    steps.append(x.get_shape())
    y = tf.identity(x)
    x.set_shape([2, None])
    steps += [x.shape, y.shape, tf.identity(x).shape]
    x.set_shape(None)
    steps.append(x.shape)
    x.set_shape(tf.TensorShape([2, 3]))
    return [*steps, x.shape]


@program
def shapes_that_contradict(tf, np):
    x = tf.placeholder(tf.float32, [2, None], name="x")
    return [
        attempt(lambda: x.set_shape([3, None])),
        attempt(lambda: x.set_shape([2])),
        attempt(lambda: x.set_shape([])),
        attempt(lambda: x.set_shape([-1, 2])),
        x.shape,
    ]


@program
def what_set_shape_takes(tf, np):
    def with_(shape, given):
        x = tf.placeholder(tf.float32, given)
        x.set_shape(shape)
        return x.shape

    return [
        attempt(lambda: with_(3, [None])),
        attempt(lambda: with_(np.array([2, 3]), None)),
        attempt(lambda: with_((tf.Dimension(2), None), None)),
        attempt(lambda: with_(tf.Dimension(2), None)),
        attempt(lambda: with_([], None)),
    ]


@program
def broadcasting_shapes(tf, np):
    pairs = [([2, 1], [3]), ([2, None], [1]), ([None], [None]), ([2], [3]), (None, [1]), ([], [2, 2]), ([None, 1], [2, 5])]
    return [attempt(lambda a=a, b=b: tf.broadcast_static_shape(tf.TensorShape(a), tf.TensorShape(b))) for a, b in pairs]


@program
def shapes_become_tensors(tf, np):
    def value(x, **more):
        def make():
            t = tf.convert_to_tensor(x, **more)
            with tf.Session() as sess:
                return [t, sess.run(t)]

        return fresh(tf, make)

    return [
        value(tf.TensorShape([2, 3])),
        value(tf.TensorShape([])),
        value(tf.TensorShape([2, None])),
        value(tf.TensorShape(None)),
        value(tf.TensorShape([2]), dtype=tf.int64),
        value(tf.TensorShape([2]), dtype=tf.float32),
        value(tf.TensorShape([2**40])),
        value(tf.TensorShape([2**40]), dtype=tf.int32),
        value(tf.Dimension(4)),
        value(tf.Dimension(None)),
        value(tf.Dimension(4), dtype=tf.int64),
        value(tf.Dimension(4), dtype=tf.string),
        value([tf.Dimension(4), tf.Dimension(5)]),
        value([tf.Dimension(4), 3]),
        value(tf.TensorShape([2, 3]), name="mine"),
    ]


@program
def shapes_in_calls(tf, np):
    x = tf.placeholder(tf.float32, [None, 4], name="x")
    return [
        tf.reshape(x, [-1, x.shape[1]]),
        tf.zeros(x.shape[1:]),
        tf.ones([x.shape[1], 2]),
        tf.zeros([tf.shape(x)[0], x.shape[1]]),
        fresh(tf, lambda: tf.zeros(x.shape)),
        tf.zeros([x.get_shape()[1].value * 2]),
        tf.placeholder(tf.float32, x.shape),
        tf.fill([x.shape[1]], 2),
        tf.reshape(x, tf.TensorShape([2, 2])),
    ]


@program
def specs_of_tensors(tf, np):
    s = tf.TensorSpec([None, 3], tf.int32, name="s")
    t = tf.TensorSpec((2, 3), "int32")
    return [
        repr(s), repr(t), s.shape, s.dtype, s.name, t.name, s == t, s == tf.TensorSpec([None, 3], tf.int32, name="s"),
        hash(s) == hash(tf.TensorSpec([None, 3], tf.int32, name="s")),
        s.is_compatible_with(tf.zeros([2, 3], tf.int32)), s.is_compatible_with(tf.zeros([2, 3])), s.is_compatible_with(t),
        t.is_compatible_with(s), repr(tf.TensorSpec(None)), repr(tf.TensorSpec([])),
        repr(tf.TensorSpec.from_tensor(tf.zeros([2], name="z"))),
        repr(tf.TensorSpec.from_tensor(tf.zeros([2], name="y"), name="n")),
        repr(tf.TensorSpec.from_spec(s)), repr(tf.TensorSpec.from_spec(s, name="other")),
        attempt(lambda: tf.TensorSpec.from_tensor(3)),
        s.value_type is tf.Tensor,
        repr(t.most_specific_compatible_type(tf.TensorSpec([2, 4], tf.int32))),
        attempt(lambda: s.most_specific_compatible_type(tf.TensorSpec([2], tf.float32))).classes,
    ]  # fmt: skip


@program
def specs_of_composites(tf, np):
    s = tf.SparseTensorSpec([None, 3], tf.int32)
    i = tf.IndexedSlicesSpec([4, 2], tf.float32)
    st = tf.SparseTensor([[0, 1]], [1], [2, 3])
    sl = tf.IndexedSlices(tf.zeros([1, 2]), tf.constant([0]), tf.constant([4, 2]))
    return [
        repr(s), s.shape, s.dtype, s.value_type is tf.SparseTensor, s == tf.SparseTensorSpec([None, 3], tf.int32),
        s == tf.SparseTensorSpec([2, 3], tf.int32), s.is_compatible_with(st),
        s.is_compatible_with(tf.SparseTensorSpec([2, 2], tf.int32)),
        repr(i), i.value_type is tf.IndexedSlices, i.is_compatible_with(sl), repr(tf.SparseTensorSpec()),
        repr(tf.IndexedSlicesSpec()),
        isinstance(s, tf.TypeSpec), isinstance(tf.TensorSpec([]), tf.TypeSpec),
        attempt(lambda: tf.TypeSpec()).classes,
    ]  # fmt: skip


@program
def shapes_in_dictionaries(tf, np):
    seen = {tf.TensorShape([1, 2]): "a", tf.TensorShape([3]): "b"}
    return [seen[tf.TensorShape([1, 2])], seen.get(tf.TensorShape([3])), seen.get(tf.TensorShape([4]))]


@program
def what_shapes_reduce_to(tf, np):
    def reduced(value):
        kind, arguments = value.__reduce__()
        return [kind.__name__, repr(arguments), repr(pickle.loads(pickle.dumps(value))), repr(copy.copy(value))]

    shapes = [tf.TensorShape(s) for s in (None, [], [2, 3], [None, 3])]
    return [reduced(value) for value in (*shapes, tf.Dimension(3), tf.Dimension(None))]


@program
def shapes_compared_with_anything(tf, np):
    others = [2, [2], (2,), [2, 3], np.int64(2), np.array([2]), tf.Dimension(2), [tf.Dimension(2)], "a", object, None]
    shapes = [tf.TensorShape([]), tf.TensorShape([2]), tf.TensorShape([2, 3])]
    equal = [[attempt(lambda a=a, b=b: bool(a == b)) for b in (*others, *shapes)] for a in shapes]
    one = tf.placeholder(tf.float32, [None, 3])
    return [equal, bool(one.shape == one.shape), bool(one.shape != one.shape)]


@program
def lengths_and_what_is_no_length(tf, np):
    def attempts(other):
        n = tf.Dimension(7)
        calls = [
            lambda: n + other, lambda: other + n, lambda: n - other, lambda: n * other, lambda: other * n,
            lambda: n // other, lambda: n == other, lambda: n != other,
        ]  # fmt: skip
        return [e.classes[0] if isinstance(e := attempt(call), Failure) else repr(e) for call in calls]

    return [[str(other), attempts(other)] for other in (3, None, tf.Dimension(2), np.int64(4), 2.5, -1, [])]


@program
def paddings_that_are_known_in_part(tf, np):
    def padded(shape, paddings, mode):
        return fresh(tf, lambda: tf.pad(tf.placeholder(tf.float32, shape), paddings(), mode).shape)

    def unknown():
        return tf.placeholder(tf.int32, [])

    tables = [
        lambda: [[1, 1], [2, 2]],
        lambda: [[1, 1], [unknown(), 2]],
        lambda: [[0, unknown()], [1, 1]],
        lambda: tf.stack([[0, 1], tf.stack([1, unknown()])]),
        lambda: tf.concat([[[1, 1]], tf.placeholder(tf.int32, [1, 2])], 0),
        lambda: tf.placeholder(tf.int32, [2, 2]),
        lambda: tf.placeholder(tf.int32),
    ]
    return [
        [padded(shape, table, mode) for table in tables]
        for shape in (None, [None, 3], [2, None], [2, 3])
        for mode in ("CONSTANT", "SYMMETRIC")
    ]


@program
def ensured_shapes(tf, np):
    def built(before, after):
        return fresh(tf, lambda: tf.ensure_shape(tf.placeholder(tf.float32, before, name="x"), after))

    def run(value, after):
        def ensured():
            x = tf.placeholder(tf.float32, None, name="x")
            with tf.Session() as sess:
                return sess.run(tf.ensure_shape(x, after), {x: value})

        return fresh(tf, ensured)

    afters = (None, [], [2], [None], [3], [2, 4], [2, None], [None, 4])
    return [
        [[built(before, after) for after in afters] for before in (None, [], [2], [2, 3], [None, 3])],
        [[run(np.zeros(shape, np.float32), after) for after in afters] for shape in ([], [2], [2, 3])],
    ]
