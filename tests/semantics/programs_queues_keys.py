"""Staging areas with keys: what they hold, in parts or whole, which comes out, and what they refuse."""

from harness import attempt, graph_of, program


def map_area(tf):
    """MapStagingArea, which has no public name."""
    if tf.__name__ == "tfedu":
        from tfedu.legacy.modules import data_flow_ops
    else:
        from tensorflow.python.ops import data_flow_ops

    return data_flow_ops.MapStagingArea


KINDS = (False, True)


@program
def the_nodes_of_each_kind(tf, np):
    results = []
    for ordered in KINDS:
        with tf.Graph().as_default():
            with tf.name_scope("scope"):
                area = map_area(tf)([tf.float32, tf.int32], shapes=[[2], []], ordered=ordered)
                key, pair = tf.constant(3, tf.int64), [tf.constant([1.0, 2.0]), tf.constant(3)]
                area.put(key, pair, [0, 1])
                area.put(4, pair[1:], [1], name="part")
                taken = [
                    area.get(key),
                    area.get(5),
                    area.get(key, [1], name="one"),
                    area.get(),
                    area.get(indices=[0]),
                ]
                looked = [area.peek(key), area.peek(key, (1,), name="look")]
                sizes = [area.size(), area.incomplete_size(), area.clear().name]
            named = map_area(tf)([tf.float32, tf.int32], names=["x", "y"], capacity=2, shared_name="mine", ordered=ordered)
            put = named.put(key, {"y": pair[1]}, name="put")
            some = [named.get(key, ["y"]), named.get(), named.peek(key, [1])]
            given = [
                area.name,
                named.name,
                named.names,
                named.capacity,
                named.memory_limit,
                str(named.dtypes),
                str(named.shapes),
            ]
            results.append([graph_of(tf), given, str(taken), str(looked), str(sizes), put.name, str(some)])
    return results


@program
def keys_in_order(tf, np):
    area = map_area(tf)([tf.int32], ordered=True)
    key = tf.placeholder(tf.int64, [])
    put, taken, size = area.put(key, [tf.constant(7) + tf.cast(key, tf.int32)], [0]), area.get(), area.size()
    with tf.Session() as sess:
        for each in (5, -3, 9, 1):
            sess.run(put, {key: each})
        return [sess.run(size), [sess.run(taken) for _ in range(4)], sess.run(size)]


def area_of_two(tf, ordered):
    """An area of pairs, and functions that run its nodes: put(key, a, b), part(key, index), get(key, indices)."""
    area = map_area(tf)([tf.float32, tf.int32], shapes=[[2], []], ordered=ordered)
    sess = tf.Session()

    def put(key, a, b):
        return sess.run(area.put(key, [tf.constant([a, a]), tf.constant(b)], [0, 1]))

    def part(key, index):
        return sess.run(area.put(key, [(tf.constant([5.0, 6.0]), tf.constant(9))[index]], [index]))

    def get(key, indices=None):
        return sess.run(area.get(tf.constant(key, tf.int64), indices))

    def sizes():
        return sess.run([area.size(), area.incomplete_size()])

    return area, sess, put, part, get, sizes


@program
def elements_in_parts(tf, np):
    results = []
    for ordered in KINDS:
        area, sess, put, part, get, sizes = area_of_two(tf, ordered)
        answers = [part(4, 1), sizes(), attempt(lambda part=part: part(4, 1)), part(4, 0), sizes()]
        answers += [sess.run(area.peek(4)), sizes(), get(4, [1]), sizes()]
        answers += [
            attempt(lambda get=get: get(4, [1])),
            attempt(lambda area=area, sess=sess: sess.run(area.peek(4))),
        ]
        answers += [
            get(4, [0]),
            sizes(),
            part(5, 0),
            put(6, 1.0, 2),
            sizes(),
            sess.run(area.clear()),
            sizes(),
        ]
        results.append(answers)
        sess.close()
    return results


@program
def a_key_that_is_there_already(tf, np):
    results = []
    for ordered in KINDS:
        _, sess, put, part, get, sizes = area_of_two(tf, ordered)
        results.append([put(3, 1.0, 7), put(3, 8.0, 8), sizes(), get(3), sizes()])
        results.append([part(4, 1), put(4, 0.0, 0), sizes(), part(4, 0), sizes(), get(4), sizes()])
        sess.close()
    return results


@program
def a_failed_take_keeps_what_it_took(tf, np):
    _, _, put, _, get, sizes = area_of_two(tf, True)
    put(3, 1.0, 7)
    return [get(3, [1]), attempt(lambda: get(3)), sizes(), attempt(lambda: get(3, [0])), sizes()]


@program
def indices_that_nodes_refuse(tf, np):
    results = []
    for ordered in KINDS:
        area, sess, put, _, _, sizes = area_of_two(tf, ordered)
        given = {"shared_name": area.name}
        stage = getattr(tf.raw_ops, "OrderedMapStage" if ordered else "MapStage")
        unstage = getattr(tf.raw_ops, "OrderedMapUnstage" if ordered else "MapUnstage")
        key, one = tf.constant(8, tf.int64), tf.constant(1)

        def staged(indices, key=key, stage=stage, sess=sess, one=one, given=given, area=area):
            return sess.run(stage(key=key, indices=indices, values=[one] * len(indices), dtypes=area.dtypes, **given))

        def unstaged(indices, dtypes, unstage=unstage, sess=sess, given=given):
            return sess.run(unstage(key=tf.constant(3, tf.int64), indices=indices, dtypes=dtypes, **given))

        put(3, 1.0, 7)
        calls = [lambda i=i, f=staged: f(i) for i in ([1, 0], [1, 1], [5], [-1])]
        calls += [lambda i=i, f=unstaged: f(i, [tf.int32]) for i in ([2], [-1])]
        calls += [lambda f=unstaged: f([1, 0], [tf.float32, tf.int32])]
        results.append([*map(attempt, calls), sizes()])
        sess.close()
    return results


@program
def outputs_of_other_dtypes_or_numbers(tf, np):
    """The texts name the node in other ways."""
    area, sess, put, *_ = area_of_two(tf, False)
    put(3, 1.0, 7)

    def unstage(indices, dtypes):
        key = tf.constant(3, tf.int64)
        return sess.run(tf.raw_ops.MapUnstage(key=key, indices=indices, dtypes=dtypes, shared_name=area.name))

    refused = [attempt(lambda: unstage([0], [tf.int32])), attempt(lambda: unstage([1], [tf.int32, tf.int32]))]
    return [failure.classes[0] for failure in refused]


@program
def areas_of_one_name(tf, np):
    areas = [map_area(tf)([tf.float32], shared_name="z", ordered=ordered) for ordered in KINDS]
    areas.append(tf.contrib.staging.StagingArea([tf.float32], shared_name="z"))
    with tf.Session() as sess:
        sess.run(areas[0].put(1, [tf.constant(1.0)], [0]))
        return [sess.run(area.size()) for area in areas]


@program
def what_they_refuse(tf, np):
    make = map_area(tf)
    area, named = (
        make([tf.float32, tf.int32], shapes=[[2], []]),
        make([tf.float32, tf.int32], names=["x", "y"]),
    )
    small, one, pair = (
        make([tf.float32], memory_limit=8),
        tf.constant(1),
        [tf.constant([1.0, 2.0]), tf.constant(3)],
    )
    with tf.Session() as sess:
        return [
            attempt(f)
            for f in (
                lambda: sess.run(small.put(1, [tf.constant([1.0, 2.0, 3.0])], [0])),
                lambda: area.put(1, pair),
                lambda: area.put(1, one, [1]),
                lambda: area.put(1, [*pair, one], [0, 1, 2]),
                lambda: area.put(1, pair[:1], [4]),
                lambda: area.put(1, [one], [0]),
                lambda: area.put(1, [tf.constant([1.0])], [0]),
                lambda: area.put(1, [], []),
                lambda: area.put(1, [[1.0, 2.0], 3], [0, 1]),
                lambda: area.put(one, pair, [0, 1]),
                lambda: area.put("k", pair, [0, 1]),
                lambda: area.put(1, {"a": one}),
                lambda: named.put(1, [one], [1]),
                lambda: named.put(1, {"z": one}),
                lambda: area.get(1, []),
                lambda: area.get(1, "x"),
                lambda: area.peek(1, ["x"]),
                lambda: named.get(1, ["x", 1]),
                lambda: area.get(1, [2]),
                lambda: make([tf.float32], shapes=[[], []]),
                lambda: make([tf.float32], names=["a", "b"]),
                lambda: make([tf.float32], shared_name=3),
            )
        ]
