"""Values that stay in a session between runs (handles), and runs in parts (partial_run)."""

import time

from harness import attempt, graph_of, program


def _doubled(tf):
    c = tf.constant([1.0, 2.0], name="c")
    return c, tf.get_session_handle(c * 2.0, name="h")


@program
def a_handle_is_read_in_a_later_run(tf, np):
    c, h = _doubled(tf)
    plain = tf.get_session_handle(c)
    with tf.Session() as sess:
        first = sess.run(h)
        many = sess.run({"a": [plain, c], "b": h})
        return [
            type(first).__name__,
            str(first),
            first.handle,
            first.eval(),
            first.eval(),
            [str(many["a"][0]), many["a"][1], str(many["b"])],
            [str(sess.run(h)) for _ in range(3)],
            [str(v) for v in sess.run([h])],
            sess.run([h, c])[1],
            graph_of(tf),
        ]


@program
def a_session_tensor_is_made_of_a_handle(tf, np):
    _, h = _doubled(tf)
    with tf.Session() as sess:
        kept = sess.run(h)
        holder, value = tf.get_session_tensor(kept.handle, tf.float32, name="mine")
        deleted_holder, deleter = tf.delete_session_tensor(kept.handle)
        wrong_holder, wrong = tf.get_session_tensor(kept.handle, tf.int32)
        out = [
            holder,
            value,
            deleted_holder,
            deleter,
            sess.run(value * 10.0, {holder: kept.handle}),
            attempt(lambda: sess.run(wrong, {wrong_holder: kept.handle})),
            attempt(lambda: sess.run(value, {holder: "x;0;/job:localhost/replica:0/task:0/device:CPU:0"})),
            sess.run(deleter, {deleted_holder: kept.handle}),
            attempt(lambda: sess.run(deleter, {deleted_holder: kept.handle})),
            attempt(lambda: sess.run(value, {holder: kept.handle})),
            attempt(kept.eval),
            graph_of(tf),
        ]
        kept.get_raw_handle()
        return out


@program
def a_handle_that_was_deleted_is_refused(tf, np):
    _, h = _doubled(tf)
    with tf.Session() as sess:
        kept = sess.run(h)
        return [kept.delete(), attempt(kept.delete), attempt(kept.eval)]


@program
def a_raw_handle_lives_on(tf, np):
    _, h = _doubled(tf)
    with tf.Session() as sess:
        kept = sess.run(h)
        raw = kept.get_raw_handle()
        holder, value = tf.get_session_tensor(raw, tf.float32)
        return [raw, attempt(kept.eval), sess.run(value, {holder: raw})]


@program
def a_handle_is_fed_in_the_place_of_its_value(tf, np):
    _, h = _doubled(tf)
    x = tf.placeholder(tf.float32, [2], name="x")
    y = tf.multiply(x, 3.0, name="y")
    z = tf.placeholder(tf.int32, [2], name="z")
    with tf.Session() as sess:
        kept = sess.run(h)
        return [
            [sess.run(y, {x: kept}) for _ in range(3)],
            sess.run([x, y], {x: kept}),
            attempt(lambda: sess.run(z + 1, {z: kept})),
            sess.run(tf.get_session_handle(y), {x: kept}).eval(),
        ]


@program
def handles_of_all_kinds_of_values(tf, np):
    v = tf.Variable([1.0, 2.0], name="v")
    texts = tf.get_session_handle(tf.constant(["a", "b"]))
    number = tf.get_session_handle(tf.constant(7))
    held = tf.get_session_handle(v.value())
    with tf.Session() as sess:
        sess.run(v.initializer)
        kept = sess.run(held)
        out = [sess.run(texts).eval(), sess.run(number).eval(), kept.eval()]
        return [*out, attempt(lambda: tf.get_session_handle(3.0)), attempt(lambda: tf.get_session_handle(v))]


@program
def a_handle_belongs_to_its_session(tf, np):
    _, h = _doubled(tf)
    with tf.Session() as sess:
        kept = sess.run(h)
        holder, value = tf.get_session_tensor(kept.handle, tf.float32)
        with tf.Session() as other:
            found = attempt(lambda: other.run(value, {holder: kept.handle}))
        return [found, attempt(lambda: tf.get_session_tensor("no handle", tf.float32))]


def _three(tf):
    a, b, e = (tf.placeholder(tf.float32, [], name=name) for name in "abe")
    first = tf.add(a, b, name="first")
    return a, b, e, first, tf.multiply(first, e, name="second")


@program
def a_run_in_two_parts(tf, np):
    a, b, e, first, second = _three(tf)
    with tf.Session() as sess:
        handle = sess.partial_run_setup([first, second], [a, b, e])
        out = [handle, sess.partial_run(handle, first, {a: 1.0, b: 2.0}), sess.partial_run(handle, second, {e: 5.0})]
        again = sess.partial_run_setup([first, second], [a, b, e])
        return [
            *out,
            attempt(lambda: sess.partial_run(handle, second, {e: 5.0})),
            again,
            sess.partial_run(again, [], {a: 1.0}),
            sess.partial_run(again, {"x": first}, {"b:0": 4.0}),
            sess.partial_run(again, ["second:0"], {e: 2.0}),
        ]


def _refusal(tf, fetches, feeds, *steps):
    """What the last of some steps of a fresh partial run gives; each is (fetch, feed), by name."""
    with tf.Graph().as_default():
        _three(tf)
        with tf.Session() as sess:
            handle = attempt(lambda: sess.partial_run_setup(fetches, feeds))
            if not isinstance(handle, str):
                return handle
            out = None
            for fetch, feed in steps:
                out = attempt(lambda fetch=fetch, feed=feed: sess.partial_run(handle, fetch, feed))
            return out


@program
def what_a_partial_run_refuses(tf, np):
    all_fetches, all_feeds = ["first:0", "second:0"], ["a:0", "b:0", "e:0"]
    both = {"a:0": 1.0, "b:0": 2.0}
    return {
        "too early": _refusal(tf, all_fetches, all_feeds, ("second:0", both)),
        "one feed missing": _refusal(tf, ["first:0"], all_feeds[:2], ("first:0", {"a:0": 1.0})),
        "fed twice": _refusal(tf, all_fetches, all_feeds, ("first:0", both), ("second:0", {"a:0": 5.0})),
        "fetched twice": _refusal(tf, all_fetches, all_feeds, ("first:0", both), ("first:0", {"e:0": 5.0})),
        "fetched twice at once": _refusal(tf, all_fetches, all_feeds, (["first:0", "first:0"], both)),
        "feed not declared": _refusal(tf, ["first:0"], all_feeds[:2], ("first:0", {**both, "e:0": 2.0})),
        "fetch not declared": _refusal(tf, ["first:0"], all_feeds[:2], ("second:0", both)),
        "nothing fed for a placeholder": _refusal(tf, all_fetches, all_feeds[:2], ("first:0", both)),
        "and then": _refusal(tf, all_fetches, all_feeds[:2], ("first:0", both), ("second:0", {})),
        "fed and fetched": _refusal(tf, ["a:0", "first:0"], all_feeds[:2]),
        "unknown fetch": _refusal(tf, ["zz:0"], all_feeds),
        "wrong shape": _refusal(tf, all_fetches, all_feeds, ("first:0", {"a:0": [1.0], "b:0": 2.0})),
        "an operation": _refusal(tf, [*all_fetches, "first"], all_feeds, ("first", both)),
        "one feed": _refusal(tf, "first:0", "a:0", ("first:0", {"a:0": 1.0})),
    }


@program
def a_partial_run_of_no_handle(tf, np):
    _, _, _, first, _ = _three(tf)
    sess = tf.Session()
    out = [attempt(lambda: sess.partial_run("no handle", first, {}))]
    sess.close()
    out.append(attempt(lambda: sess.partial_run("no handle", first, {})))
    out.append(attempt(lambda: sess.partial_run_setup([first], [])))
    with tf.Graph().as_default():
        out.append(attempt(lambda: tf.Session().partial_run_setup([], [])))
    return out


@program
def a_partial_run_goes_as_far_as_it_can(tf, np):
    a, b, e, first, second = _three(tf)
    n = tf.Variable(0.0, name="n")
    free = tf.assign_add(n, 1.0)
    with tf.control_dependencies([first]):
        bound = tf.assign_add(n, 10.0)
    with tf.Session() as sess:
        sess.run(n.initializer)
        handle = sess.partial_run_setup([second, free, bound], [a, b, e])
        # The oracle runs what it can in threads of its own.
        time.sleep(0.3)
        out = [sess.run(n)]
        sess.partial_run(handle, [], {a: 1.0, b: 2.0})
        time.sleep(0.3)
        out.append(sess.run(n))
        out.append(sess.partial_run(handle, [second, bound], {e: 2.0}))
        out.append(sess.run(n))
        return out


@program
def the_middle_of_a_graph_is_fed_in_a_partial_run(tf, np):
    _, _, e, first, second = _three(tf)
    with tf.Session() as sess:
        handle = sess.partial_run_setup([second], [first, e])
        return [sess.partial_run(handle, [], {first: 3.0}), sess.partial_run(handle, second, {e: 2.0})]


@program
def a_failing_node_ends_a_partial_run(tf, np):
    a, b, _, first, _ = _three(tf)
    bad = tf.check_numerics(tf.log(a), "wrong", name="bad")
    with tf.Session() as sess:
        handle = sess.partial_run_setup([bad, first], [a, b])
        return [
            attempt(lambda: sess.partial_run(handle, bad, {a: -1.0})),
            attempt(lambda: sess.partial_run(handle, first, {b: 1.0})),
        ]
