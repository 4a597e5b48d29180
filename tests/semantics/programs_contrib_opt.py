"""tf.contrib.opt.MovingAverageOptimizer: nodes, values, swapped checkpoints, refusals."""

from harness import attempt, graph_of, in_folder, program, signature_text


@program
def signatures(tf, np):
    made = tf.contrib.opt.MovingAverageOptimizer
    return [signature_text(made), signature_text(made.apply_gradients), signature_text(made.swapping_saver)]


def model(tf, **options):
    v, w = tf.Variable(1.0, name="v"), tf.Variable([2.0, 3.0], name="w")
    optimizer = tf.contrib.opt.MovingAverageOptimizer(tf.train.GradientDescentOptimizer(0.1), **options)
    return v, w, optimizer


def built(tf, **options):
    v, w, optimizer = model(tf, **options)
    step = optimizer.minimize(tf.reduce_sum(v * w), global_step=tf.train.get_or_create_global_step())
    return [step, optimizer.swapping_saver(), graph_of(tf)][2]


@program
def nodes(tf, np):
    return built(tf, average_decay=0.9)


@program
def nodes_side_by_side(tf, np):
    return built(tf, sequential_update=False, num_updates=3)


@program
def values_and_checkpoints(tf, np):
    def run(folder):
        v, w, optimizer = model(tf, average_decay=0.5)
        tf.Variable(7.0, name="other")
        step = optimizer.minimize(tf.reduce_sum(v * w))
        saver = optimizer.swapping_saver()
        with tf.Session() as session:
            session.run(tf.global_variables_initializer())
            found = []
            for _ in range(3):
                session.run(step)
                found.append(session.run(tf.global_variables()))
            path = saver.save(session, folder + "/m")
            reader = tf.train.NewCheckpointReader(path)
            found += [[name, reader.get_tensor(name)] for name in sorted(reader.get_variable_to_shape_map())]
            session.run(tf.global_variables_initializer())
            saver.restore(session, path)
            return [*found, session.run(tf.global_variables())]

    return in_folder(run)


@program
def refusals(tf, np):
    v, w, optimizer = model(tf)
    found = [attempt(optimizer.swapping_saver), attempt(lambda: optimizer.apply_gradients([]))]
    optimizer.minimize(tf.reduce_sum(v * w))
    return [*found, attempt(lambda: optimizer.swapping_saver([v]))]
