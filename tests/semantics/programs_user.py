"""Programs in the style of tutorials, notebooks and forum questions, and the mistakes of learners."""

from harness import attempt, fresh, program


def started(tf):
    session = tf.Session()
    session.run(tf.global_variables_initializer())
    return session


@program
def a_line_is_fitted(tf, np):
    xs = np.arange(12, dtype=np.float32).reshape(4, 3) / 12
    x, y = tf.placeholder("float", [None, 3]), tf.placeholder("float")
    w, b = tf.Variable(tf.zeros([3, 1]), name="weight"), tf.Variable(0.0, name="bias")
    missed = tf.add(tf.matmul(x, w), b) - y
    cost = tf.reduce_sum(tf.pow(missed, 2)) / (2 * 4)
    with tf.control_dependencies([cost]):
        slope = tf.matmul(x, missed, transpose_a=True) / 4
        shift = tf.reduce_mean(missed)
    with tf.control_dependencies([slope, shift]):
        step = tf.group(w.assign_sub(0.5 * slope), b.assign_sub(0.5 * shift))
    session = started(tf)
    fed = {x: xs, y: xs @ np.float32([[1], [2], [3]])}
    costs = [session.run([cost, step], fed)[0] for _ in range(30)]
    return [costs[0], costs[-1], session.run([w, b])]


@program
def points_are_grouped(tf, np):
    points = tf.constant(np.float32([[0, 0], [0, 1], [5, 5], [6, 5], [1, 0], [5, 6]]))
    centres = tf.Variable(tf.slice(points, [0, 0], [2, -1]))
    apart = tf.reduce_sum(tf.square(tf.expand_dims(points, 0) - tf.expand_dims(centres, 1)), 2)
    nearest = tf.argmin(apart, 0)
    means = [
        tf.reduce_mean(
            tf.gather(points, tf.reshape(tf.where(tf.equal(nearest, c)), [1, -1])), reduction_indices=[1]
        )
        for c in range(2)
    ]
    moved = tf.assign(centres, tf.concat(means, 0))
    session = started(tf)
    for _ in range(4):
        session.run(moved)
    return [session.run([centres, nearest]), nearest, apart, means]


@program
def cells_live_and_die(tf, np):
    board = tf.placeholder(tf.int32, [5, 5], name="board")
    around = sum(tf.manip.roll(board, [i, j], [0, 1]) for i in (-1, 0, 1) for j in (-1, 0, 1) if i or j)
    alive = tf.logical_or(tf.equal(around, 3), tf.logical_and(tf.equal(around, 2), tf.equal(board, 1)))
    state = np.zeros((5, 5), int)
    state[1:4, 2] = 1
    session, states = tf.Session(), []
    for _ in range(2):
        state = session.run(tf.cast(alive, tf.int32), {board: state})
        states.append(state)
    return [states, around]


@program
def what_is_fetched_by_mistake(tf, np):
    x = tf.constant(1.0, name="x")
    run = tf.Session().run
    return [
        attempt(lambda: run(None)),
        attempt(lambda: run([x, None])),
        attempt(lambda: run(5)),
        attempt(lambda: run([x, 2.5])),
        attempt(lambda: run("x")),
        attempt(lambda: run("y")),
        attempt(lambda: run("y:0")),
        attempt(lambda: run("x:1")),
        attempt(lambda: tf.Session(graph=tf.Graph()).run(x)),
    ]


@program
def what_sessions_are_made_of_by_mistake(tf, np):
    return [attempt(lambda: tf.Session(graph=3)), attempt(lambda: tf.Session(5))]


@program
def what_is_grouped_by_mistake(tf, np):
    return [
        attempt(lambda: tf.group(3)),
        attempt(lambda: tf.tuple([])),
        attempt(lambda: tf.control_dependencies([3]).__enter__()),
    ]


@program
def operations_print_their_node(tf, np):
    x, done = tf.constant([1, 2], name="x"), tf.no_op(name="done")
    return [str(x.op), str(done), repr(x.op), f"{done}"]


@program
def a_class_without_probability_costs_nothing(tf, np):
    logits = tf.constant([[3.0, 4.0], [0.0, 0.0]])
    cost = tf.nn.softmax_cross_entropy_with_logits_v2(labels=tf.zeros([2, 2]), logits=logits)
    return [np.signbit(tf.Session().run(cost)).tolist()]


@program
def lengths_that_are_not_there(tf, np):
    x = tf.placeholder(tf.float32, [None, 3])
    return [
        attempt(lambda: x.shape[5]),
        attempt(lambda: len(tf.placeholder(tf.float32).shape)),
        x.shape.as_list(),
        x.shape[1:].num_elements(),
        attempt(lambda: tf.zeros(x.shape)),
        attempt(lambda: tf.assert_same_float_dtype([x, tf.constant(1)])),
    ]


@program
def a_network_shared_by_scope(tf, np):
    def net(x, reuse=None):
        with tf.variable_scope("net", reuse=reuse):
            for i, n in enumerate([4, 3]):
                with tf.variable_scope(f"layer{i}"):
                    w = tf.get_variable(
                        "weights",
                        [x.get_shape()[1], n],
                        initializer=tf.truncated_normal_initializer(stddev=0.1, seed=1),
                    )
                    b = tf.get_variable("biases", n, initializer=tf.zeros_initializer())
                    x = tf.nn.relu(tf.nn.xw_plus_b(x, w, b), name="act")
            return x

    x = tf.placeholder(tf.float32, [None, 2])
    first, second = net(tf.ones([5, 2])), net(x, reuse=True)
    session = started(tf)
    return [
        session.run([first, second], {x: np.ones((1, 2))}),
        [v.name for v in tf.trainable_variables("net/layer0")],
        int(sum(np.prod(v.shape.as_list()) for v in tf.trainable_variables())),
        attempt(lambda: net(x)),
        attempt(lambda: net(tf.ones([2, 3]), reuse=True)),
        fresh(tf, lambda: net(tf.ones([2, 2]), reuse=True)),
    ]
