"""tf.contrib.factorization.KMeans: the graphs of each way to begin and to train, and the clusters that runs find."""

from harness import Near, fresh, graph_of, program


def kmeans(tf, *args, **kwargs):
    return tf.contrib.factorization.KMeans(*args, **kwargs).training_graph()


def points(np, n=60):
    spread = np.sin(np.arange(n * 2) * 12.9).astype(np.float32).reshape(n, 2)
    return spread + np.array([[4, 0], [-4, 3], [0, -5]], np.float32)[np.arange(n) % 3]


def near(value):
    """Distances are differences of large numbers."""
    return Near(value, 1e-4) if value.dtype.kind == "f" else value


@program
def names(tf, np):
    names = "COSINE_DISTANCE KMEANS_PLUS_PLUS_INIT RANDOM_INIT SQUARED_EUCLIDEAN_DISTANCE"
    return {name: getattr(tf.contrib.factorization, name) for name in names.split()}


def form(**options):
    def run(tf, np):
        built = kmeans(tf, tf.placeholder(tf.float32, [None, 4]), 3, **options)
        return [list(map(list, built[:3])), built[3].op, built[4], built[5], graph_of(tf)]

    return run


FORMS = {
    "cosine": {"distance_metric": "cosine"}, "plain": {}, "mini": {"use_mini_batch": True},
    "mini_cosine": {"use_mini_batch": True, "distance_metric": "cosine"},
    "steps": {"use_mini_batch": True, "mini_batch_steps_per_iteration": 5, "initial_clusters": "kmeans_plus_plus"},
    "steps_cosine": {"use_mini_batch": True, "mini_batch_steps_per_iteration": 2, "distance_metric": "cosine"},
    "chains": {"initial_clusters": "kmc2"}, "chains_cosine": {"initial_clusters": "kmc2", "distance_metric": "cosine"},
    "given": {"initial_clusters": [[1.0, 2, 3, 4], [0, 0, 0, 1], [5, 6, 7, 8]]}, "function": {"initial_clusters": lambda inputs, n: inputs[0][:n]},
}  # fmt: skip
for label, options in FORMS.items():
    run = form(**options)
    run.__name__, run.__module__ = f"graph_{label}", __name__
    program(run)


@program
def two_inputs(tf, np):
    inputs = [tf.placeholder(tf.float32, [5, 4]), tf.placeholder(tf.float32, [None, 4])]
    built = kmeans(tf, inputs, 3, use_mini_batch=True)
    return [list(map(list, built[:3])), graph_of(tf)]


@program
def clusters_of_runs(tf, np):
    """Over all points: the counts of a mini-batch are read and added to in no order, and chains see centers as they come."""
    answers = {}
    for distance in ("cosine", "squared_euclidean"):
        for way in ("kmeans_plus_plus", "random"):
            with tf.Graph().as_default():
                x = tf.placeholder(tf.float32, [None, 2])
                all_scores, indices, scores, initialized, init_op, train_op = kmeans(tf, x, 3, way, distance, random_seed=5)
                fetched = [tf.global_variables()[0], all_scores[0], indices[0], scores[0]]
                feed = {x: points(np)}
                with tf.Session() as session:
                    session.run(tf.global_variables_initializer())
                    found = [session.run(init_op, feed), session.run(initialized)]
                    for _ in range(5):
                        found.append([near(value) for value in session.run(fetched, feed)])
                        session.run(train_op, feed)
                answers[f"{distance}, {way}"] = found
    return answers


@program
def init_op_is_run_again_while_there_are_too_few_points(tf, np):
    x = tf.placeholder(tf.float32, [None, 2])
    _, _, _, initialized, init_op, _ = kmeans(tf, x, 5)
    answers = []
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        for _ in range(2):
            session.run(init_op, {x: points(np)[:2]})
            answers.append(session.run([initialized, tf.global_variables()[0]]))
        session.run(init_op, {x: points(np)[:1]})
        answers += [session.run(initialized), session.run(init_op, {x: points(np)[:1]})]
    return answers


@program
def refused(tf, np):
    return {
        "a way": fresh(tf, lambda: kmeans(tf, tf.zeros([3, 2]), 2, "other")),
        "a distance": fresh(tf, lambda: kmeans(tf, tf.zeros([3, 2]), 2, distance_metric="other")),
    }
