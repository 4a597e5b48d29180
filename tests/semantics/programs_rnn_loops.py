"""The recurrent loops: dynamic_rnn, static_rnn, raw_rnn and the bidirectional ones, with cells that are plain objects."""

from harness import attempt, fresh, graph_of, program


class Counter:
    """Adds its input to a state of one tensor [n, size]; the output is twice the new state."""

    def __init__(self, tf, size, scope="counter"):
        self.tf, self.scope = tf, scope
        self.state_size = self.output_size = size

    def zero_state(self, batch_size, dtype):
        return self.tf.zeros(self.tf.stack([batch_size, self.state_size]), dtype)

    def __call__(self, x, state, scope=None):
        with self.tf.variable_scope(scope or self.scope):
            w = self.tf.get_variable("w", [self.state_size], initializer=self.tf.constant_initializer([0.5, 2.0, -1.0]))
            new = state + x * w
            return new * 2.0, new


class Nested(Counter):
    """Two inputs and a state of a dict and a tensor; the output is a tuple."""

    def __init__(self, tf, size):
        Counter.__init__(self, tf, size)
        self.state_size = {"sum": size, "last": (size, [])}
        self.output_size = (size, 1)

    def zero_state(self, batch_size, dtype):
        tf, size = self.tf, self.output_size[0]
        return {"sum": tf.zeros([batch_size, size], dtype), "last": (tf.ones([batch_size, size], dtype), tf.zeros([], dtype))}

    def __call__(self, x, state, scope=None):
        a, b = (x["a"], x["b"]) if isinstance(x, dict) else x
        total = state["sum"] + a * b
        before, count = state["last"]
        output = (total - before, self.tf.reduce_sum(a, 1, keepdims=True))
        return output, {"sum": total, "last": (a, count + 1.0)}


def sequences(np, n=2, t=4, d=3):
    return (np.arange(n * t * d, dtype=np.float32).reshape(n, t, d) % 7 - 3) / 2


def values(tf, fetches, feed=None):
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        return sess.run(fetches, feed)


@program
def dynamic_graph(tf, np):
    x = tf.placeholder(tf.float32, [2, 4, 3], name="x")
    made = tf.nn.dynamic_rnn(Counter(tf, 3), x, dtype=tf.float32)
    return [made, graph_of(tf, "tensor_array_name", "element_shape", "parallel_iterations", "size", "frame_name"), values(tf, made, {x: sequences(np)})]


@program
def dynamic_graph_with_lengths(tf, np):
    x = tf.placeholder(tf.float32, [None, None, 3], name="x")
    n = tf.placeholder(tf.int32, [None], name="n")
    made = tf.nn.dynamic_rnn(Counter(tf, 3), x, n, dtype=tf.float32, swap_memory=True, parallel_iterations=5)
    fed = [{x: sequences(np), n: lengths} for lengths in ([4, 1], [0, 0], [2, 2], [7, 3], [-1, 4])]
    return [made, graph_of(tf, "tensor_array_name", "element_shape", "parallel_iterations"), [values(tf, made, f) for f in fed]]


@program
def dynamic_time_major_and_its_gradient(tf, np):
    x = tf.placeholder(tf.float32, [None, None, 3], name="x")
    outputs, state = tf.nn.dynamic_rnn(
        Counter(tf, 3), x, sequence_length=[3, 1], dtype=tf.float32, time_major=True, scope="back"
    )
    loss = tf.reduce_sum(outputs * outputs) + tf.reduce_sum(state)
    w = tf.trainable_variables()[0]
    gradients = tf.gradients(loss, [w, x])
    fed = {x: sequences(np, 4, 2)}
    return [outputs, state, graph_of(tf), values(tf, [loss, gradients], fed)]


@program
def dynamic_with_initial_states(tf, np):
    x = tf.constant(sequences(np))
    first = tf.placeholder(tf.float32, [None, 3], name="first")
    one = tf.nn.dynamic_rnn(Counter(tf, 3), x, initial_state=first)
    with tf.variable_scope("other"):
        two = tf.nn.dynamic_rnn(Counter(tf, 3), x, [1, 0], initial_state=first, scope="deep/er")
    return [one, two, values(tf, [one, two], {first: [[1, 2, 3], [4, 5, 6]]}), graph_of(tf)["collections"]]


@program
def dynamic_with_nested_inputs_and_states(tf, np):
    x = {"a": tf.constant(sequences(np)), "b": tf.constant(sequences(np) + 1)}
    one = tf.nn.dynamic_rnn(Nested(tf, 3), x, dtype=tf.float32)
    two = tf.nn.dynamic_rnn(Nested(tf, 3), x, tf.constant([3, 1], tf.int64), dtype=tf.float32)
    return [one, two, values(tf, [one, two]), graph_of(tf)]


@program
def dynamic_on_empty_batches_and_no_steps(tf, np):
    x = tf.placeholder(tf.float32, [None, None, 3], name="x")
    n = tf.placeholder(tf.int32, [None], name="n")
    made = tf.nn.dynamic_rnn(Counter(tf, 3), x, dtype=tf.float32)
    with tf.variable_scope("b"):
        cut = tf.nn.dynamic_rnn(Counter(tf, 3), x, n, dtype=tf.float32)
    nobody, nothing = np.zeros([0, 4, 3], np.float32), np.zeros([2, 0, 3], np.float32)
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        return [
            sess.run(made, {x: nobody}),
            attempt(lambda: sess.run(made, {x: nothing})),
            attempt(lambda: sess.run(cut, {x: nobody, n: []})),
            attempt(lambda: sess.run(cut, {x: nothing, n: [0, 0]})),
            attempt(lambda: sess.run(cut, {x: nothing, n: [1, 0]})),
        ]


@program
def dynamic_in_a_loop_and_in_a_branch(tf, np):
    x = tf.constant(sequences(np))
    p = tf.placeholder(tf.bool, [], name="p")

    def body(i, total):
        outputs, _ = tf.nn.dynamic_rnn(Counter(tf, 3), x * total, dtype=tf.float32)
        return i + 1, tf.reduce_sum(outputs) / 50.0

    with tf.variable_scope("v", reuse=tf.AUTO_REUSE):
        looped = tf.while_loop(lambda i, _: i < 3, body, [0, 1.0])[1]
        chosen = tf.cond(
            p, lambda: tf.nn.dynamic_rnn(Counter(tf, 3), x, [2, 3], dtype=tf.float32)[0], lambda: tf.zeros([2, 4, 3])
        )
    return [values(tf, [looped, chosen], {p: q}) for q in (True, False)]


@program
def bidirectional_dynamic(tf, np):
    x = tf.placeholder(tf.float32, [None, None, 3], name="x")
    cells = Counter(tf, 3), Counter(tf, 3)
    made = tf.nn.bidirectional_dynamic_rnn(cells[0], cells[1], x, [3, 1], dtype=tf.float32)
    whole = tf.nn.bidirectional_dynamic_rnn(cells[0], cells[1], x, dtype=tf.float32, time_major=True, scope="whole")
    variables = [v.name for v in tf.global_variables()]
    fed = {x: sequences(np)}
    return [made, whole, variables, values(tf, made, fed), values(tf, whole, fed), graph_of(tf)]


@program
def static_graph(tf, np):
    xs = [tf.placeholder(tf.float32, [2, 3], name=f"x{i}") for i in range(3)]
    made = tf.nn.static_rnn(Counter(tf, 3), xs, dtype=tf.float32)
    fed = {x: sequences(np)[:, i] for i, x in enumerate(xs)}
    return [made, graph_of(tf), values(tf, made, fed)]


@program
def static_graph_with_lengths(tf, np):
    x = tf.placeholder(tf.float32, [None, 4, 3], name="x")
    n = tf.placeholder(tf.int64, [None], name="n")
    made = tf.nn.static_rnn(Counter(tf, 3), tf.unstack(x, axis=1), sequence_length=n, dtype=tf.float32, scope="cut")
    loss = tf.add_n([tf.reduce_sum(o * o) for o in made[0]]) + tf.reduce_sum(made[1])
    gradients = tf.gradients(loss, [tf.trainable_variables()[0], x])
    fed = [{x: sequences(np), n: lengths} for lengths in ([4, 1], [0, 0], [2, 2], [7, 3], [-1, 4])]
    graph = graph_of(tf)
    return [made, graph, [values(tf, [made, gradients], f) for f in fed]]


@program
def static_second_order(tf, np):
    x = tf.constant(sequences(np))
    outputs, _ = tf.nn.static_rnn(Counter(tf, 3), tf.unstack(x, axis=1), dtype=tf.float32)
    w = tf.trainable_variables()[0]
    first = tf.gradients(tf.reduce_sum(outputs[-1] ** 3.0), [w])[0]
    second = tf.gradients(first, [w])[0]
    return values(tf, [first, second])


@program
def static_with_nested_inputs_and_initial_state(tf, np):
    x, more = sequences(np), sequences(np) + 1
    steps = [(tf.constant(x[:, i]), tf.constant(more[:, i])) for i in range(3)]
    cell = Nested(tf, 3)
    first = {"sum": tf.ones([2, 3]), "last": (tf.zeros([2, 3]), tf.constant(5.0))}
    one = tf.nn.static_rnn(cell, steps, first)
    two = tf.nn.static_rnn(cell, steps, first, sequence_length=[3, 2])
    three = tf.nn.static_rnn(Counter(tf, 3), [tf.constant([1.0, 2.0, 3.0])], initial_state=tf.zeros([3]))
    return [one, two, three, values(tf, [one, two, three]), graph_of(tf)]


@program
def static_bidirectional(tf, np):
    x = tf.placeholder(tf.float32, [None, 3, 3], name="x")
    steps = tf.unstack(x, axis=1)
    one = tf.nn.static_bidirectional_rnn(Counter(tf, 3), Counter(tf, 3), steps, dtype=tf.float32)
    two = tf.nn.static_bidirectional_rnn(
        Counter(tf, 3), Counter(tf, 3), steps, dtype=tf.float32, sequence_length=[3, 1], scope="cut"
    )
    fed = {x: sequences(np, 2, 3)}
    return [one, two, values(tf, [one, two], fed), graph_of(tf)]


class Saver:
    """Keeps states in variables."""

    def __init__(self, tf, n, size):
        self.tf = tf
        self.kept = {
            name: tf.get_variable(name, [n, size], initializer=tf.ones_initializer(), trainable=False) for name in ("s", "t")
        }

    def state(self, name):
        return self.kept[name] * 1.0

    def save_state(self, name, value):
        return self.tf.assign(self.kept[name], value)


class Pair(Counter):
    def __init__(self, tf, size):
        Counter.__init__(self, tf, size)
        self.state_size = (size, size)

    def __call__(self, x, state, scope=None):
        a, b = state
        return a + b + x, (b + x, a)


@program
def static_state_saving(tf, np):
    saver = Saver(tf, 2, 3)
    steps = [tf.constant(sequences(np)[:, i]) for i in range(2)]
    one = tf.nn.static_state_saving_rnn(Counter(tf, 3), steps, saver, "s")
    with tf.control_dependencies([one[1]]):
        two = tf.nn.static_state_saving_rnn(Pair(tf, 3), steps, saver, ("s", "t"), sequence_length=[2, 1])
    graph = graph_of(tf)
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        found = [sess.run(one), sess.run(one), sess.run(list(saver.kept.values()))]
        return [one, two, graph, found, sess.run(two), sess.run(list(saver.kept.values()))]


@program
def raw_graph(tf, np):
    x = tf.placeholder(tf.float32, [None, None, 3], name="x")
    lengths = tf.placeholder(tf.int32, [None], name="lengths")
    source = tf.TensorArray(tf.float32, size=tf.shape(x)[0]).unstack(x)

    def loop_fn(time, output, state, loop_state):
        finished = time >= lengths
        following = tf.cond(
            tf.reduce_all(finished), lambda: x[0] * 0.0, lambda: source.read(time)
        )
        following.set_shape([None, 3])
        if output is None:
            return finished, following, x[0], None, None
        return finished, following, state, output, None

    arrays, state, loop_state = tf.nn.raw_rnn(Counter(tf, 3), loop_fn)
    made = [arrays.stack(), state]
    fed = [{x: sequences(np, 4, 2), lengths: n} for n in ([4, 1], [1, 0], [2, 3])]
    return [made, loop_state, graph_of(tf, "element_shape", "dynamic_size"), [values(tf, made, f) for f in fed]]


@program
def raw_that_emits_and_carries(tf, np):
    def loop_fn(time, output, state, loop_state):
        finished = tf.stack([time >= 2, time >= 3])
        if output is None:
            emitted = {"time": tf.constant(0), "wide": tf.placeholder(tf.float64, [None])}
            emitted = {"time": tf.zeros([], tf.int32), "wide": tf.zeros([4], tf.float64)}
            return finished, tf.ones([2, 3]), tf.ones([2, 3]), emitted, (tf.constant(0.0), tf.constant("s"))
        emitted = {"time": tf.fill([2], time), "wide": tf.fill([2, 4], tf.cast(time, tf.float64))}
        total, text = loop_state
        return finished, output, state, emitted, (total + tf.reduce_sum(output), text + "x")

    arrays, state, loop_state = tf.nn.raw_rnn(Counter(tf, 3), loop_fn, parallel_iterations=3, scope="raw")
    made = [{key: array.stack() for key, array in arrays.items()}, state, loop_state]
    return [made, values(tf, made), graph_of(tf, "element_shape")]


class Halved:
    """A cell of which one part is missing."""

    def __init__(self, *parts):
        for part in parts:
            setattr(self, part, 3)

    def __repr__(self):
        return "Halved"


@program
def bad_calls(tf, np):
    x, cell = np.zeros([2, 4, 3], np.float32), lambda: Counter(tf, 3)

    def steps(*shapes):
        return [tf.placeholder(tf.float32, shape) for shape in shapes]

    def ends(time):
        return tf.fill([2], time > 1)

    def zeros(n):
        return tf.zeros([n, 3])

    dynamic, static = tf.nn.dynamic_rnn, tf.nn.static_rnn
    calls = [
        lambda: dynamic(3, x, dtype=tf.float32),
        lambda: dynamic(Halved("state_size"), x, dtype=tf.float32),
        lambda: dynamic(Halved("state_size", "output_size"), x, dtype=tf.float32),
        lambda: tf.nn.bidirectional_dynamic_rnn(cell(), None, x, dtype=tf.float32),
        lambda: dynamic(cell(), x),
        lambda: dynamic(cell(), x, sequence_length=[[1, 2]], dtype=tf.float32),
        lambda: dynamic(cell(), x, sequence_length=3, dtype=tf.float32),
        lambda: dynamic(cell(), x, sequence_length=["a", "b"], dtype=tf.float32),
        lambda: dynamic(cell(), tf.placeholder(tf.float32, [None, None, None]), dtype=tf.float32),
        lambda: dynamic(cell(), tf.placeholder(tf.float32, [2, 3]), dtype=tf.float32),
        lambda: dynamic(cell(), tf.placeholder(tf.float32, [2]), dtype=tf.float32),
        lambda: dynamic(cell(), (x, x[:, :3]), dtype=tf.float32),
        lambda: dynamic(cell(), (x, x[:1]), dtype=tf.float32),
        lambda: dynamic(cell(), x, initial_state=np.zeros([2, 4], np.float32)),
        lambda: dynamic(cell(), x, initial_state=(tf.zeros([2, 3]),)),
        lambda: dynamic(cell(), x, initial_state=tf.zeros([2, 3], tf.float64)),
        lambda: static(cell(), x, dtype=tf.float32),
        lambda: static(cell(), tf.constant(x), dtype=tf.float32),
        lambda: static(cell(), [], dtype=tf.float32),
        lambda: static(cell(), steps([2, 3])),
        lambda: static(cell(), steps([2, 3], [3, 3]), dtype=tf.float32),
        lambda: static(cell(), steps([2, None]), dtype=tf.float32),
        lambda: static(cell(), steps([2, 3], []), dtype=tf.float32),
        lambda: static(cell(), steps([]), dtype=tf.float32),
        lambda: static(cell(), steps([2, 3]), sequence_length=[[1, 2]], dtype=tf.float32),
        lambda: static(None, steps([2, 3]), dtype=tf.float32),
        lambda: tf.nn.static_bidirectional_rnn(cell(), cell(), steps([2, 3])[0], dtype=tf.float32),
        lambda: tf.nn.static_bidirectional_rnn(cell(), cell(), [], dtype=tf.float32),
        lambda: tf.nn.static_state_saving_rnn(cell(), steps([2, 3]), Saver(tf, 2, 3), ("s",)),
        lambda: tf.nn.static_state_saving_rnn(Pair(tf, 3), steps([2, 3]), Saver(tf, 2, 3), ("s",)),
        lambda: tf.nn.raw_rnn(cell(), 5),
        lambda: tf.nn.raw_rnn(7, 5),
        lambda: tf.nn.raw_rnn(cell(), lambda *_: (tf.zeros([2], tf.bool), tf.zeros([2, 3]), (1.0,), None, None)),
        lambda: tf.nn.raw_rnn(cell(), lambda time, o, *_: (ends(time), zeros(2), zeros(2), None if o is None else (o,), None)),
        lambda: tf.nn.raw_rnn(cell(), lambda time, o, *_: (ends(time), (zeros(2), zeros(1)), zeros(2), o, None)),
    ]
    return [fresh(tf, call) for call in calls]


@program
def bad_runs(tf, np):
    x = tf.placeholder(tf.float32, [None, None, 3], name="x")
    n = tf.placeholder(tf.int32, name="n")
    first = tf.placeholder(tf.float32, name="first")
    made = tf.nn.dynamic_rnn(Counter(tf, 3), x, n, initial_state=tf.placeholder_with_default(tf.zeros([2, 3]), [None, 3]))
    started = tf.nn.dynamic_rnn(Counter(tf, 3), x, initial_state=first, scope="started")
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        return [
            attempt(lambda: sess.run(made, {x: sequences(np), n: [1, 2, 3]})),
            attempt(lambda: sess.run(made, {x: sequences(np), n: 2})),
            attempt(lambda: sess.run(made, {x: sequences(np, 3), n: [1, 2, 3]})),
            attempt(lambda: sess.run(started, {x: sequences(np), first: np.zeros([3, 3])})),
        ]


@program
def second_order_of_a_loop_is_refused(tf, np):
    x = tf.constant(sequences(np))
    outputs, _ = tf.nn.dynamic_rnn(Counter(tf, 3), x, dtype=tf.float32)
    w = tf.trainable_variables()[0]
    first = tf.gradients(tf.reduce_sum(outputs ** 3.0), [w])[0]
    return attempt(lambda: tf.gradients(first, [w]))
