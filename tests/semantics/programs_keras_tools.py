"""Seldom parts of tf.keras: CTC of the backend, rows of HDF5 files, the radial constraint."""

from harness import Near, attempt, fresh, in_folder, program
from programs_keras_layers import numbers


def of_sparse(x):
    return [x.indices, x.values, x.dense_shape]


@program
def ctc(tf, np):
    K = tf.keras.backend

    def made():
        scores = np.abs(numbers(np, 2, 5, 4)) + 0.1
        probabilities = tf.constant((scores / scores.sum(-1, keepdims=True)).astype("float32"))
        labels = tf.constant([[1, 2, 0], [0, 0, 0]])
        lengths, label_lengths = tf.constant([[5], [4]]), tf.constant([[2], [1]])
        cost = K.ctc_batch_cost(labels, probabilities, lengths, label_lengths)
        greedy, of_greedy = K.ctc_decode(probabilities, [5, 4])
        beams, of_beams = K.ctc_decode(probabilities, [5, 4], greedy=False, beam_width=6, top_paths=2)
        sparse = K.ctc_label_dense_to_sparse(labels, tf.constant([2, 1]))
        slope = tf.gradients(cost, probabilities)[0]
        fetched = tf.Session().run([cost, greedy, of_greedy, beams, of_beams, of_sparse(sparse), slope])
        cost, greedy, of_greedy, beams, of_beams, sparse, slope = fetched
        return [Near(cost, 1e-4), greedy, Near(of_greedy, 1e-4), beams, Near(of_beams, 1e-4), sparse, Near(slope, 1e-3)]

    return fresh(tf, made)


@program
def radial_constraint(tf, np):
    C = tf.keras.constraints

    def made(size):
        kernel = tf.constant(numbers(np, size, size, 2, 3))
        return tf.Session().run(C.RadialConstraint()(kernel))

    kinds = [type(C.get(name)).__name__ for name in ("radial_constraint", "RadialConstraint")]
    # For even sizes 1.15 reads a variable that nothing initializes.
    values = [fresh(tf, lambda n=n: made(n)) for n in (3, 5, 7)]
    return [values, kinds, C.RadialConstraint().get_config(), fresh(tf, lambda: C.RadialConstraint()(tf.ones([3, 3])))]


@program
def rows_of_files(tf, np):
    def made(folder):
        import h5py

        with h5py.File("a.h5", "w") as file:
            file["x"] = numbers(np, 8, 3)
            file["y"] = numbers(np, 8, 1)
        M = tf.keras.utils.HDF5Matrix
        x, y = M("a.h5", "x", 1, 7), M("a.h5", "y", 1, 7, lambda rows: rows * 2)
        model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(3,), kernel_initializer="ones")])
        model.compile(tf.keras.optimizers.SGD(0.1), "mse")
        history = model.fit(x, y, batch_size=4, epochs=2, shuffle=False, verbose=0)
        return [
            len(x), list(x.shape), str(x.dtype), x.ndim, int(x.size), x[0], x[1:3], x[[0, 2, 5]], x[np.array([1, 4])], y[2], x[:], x[4:],
            Near(np.array(history.history["loss"]), 1e-4), float(model.evaluate(x, y, verbose=0)), model.predict(x),
            [type(attempt(lambda k=k: x[k])).__name__ for k in (6, slice(0, 9), [0, 7])],
        ]  # fmt: skip

    return in_folder(made)
