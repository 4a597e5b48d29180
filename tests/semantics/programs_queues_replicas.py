"""tf.train.SyncReplicasOptimizer: its nodes, and steps of one and of several workers."""

import threading
import time

from harness import attempt, program


def built(tf, replicas, total=None, sparse=False, **options):
    x = tf.Variable([1.0, 2.0, 3.0] if sparse else 1.0, name="x")
    step = tf.train.get_or_create_global_step()
    inner = tf.train.MomentumOptimizer(0.1, 0.5)
    optimizer = tf.train.SyncReplicasOptimizer(inner, replicas_to_aggregate=replicas, total_num_replicas=total, **options)
    loss = tf.reduce_sum(tf.gather(x, [0, 0, 2])) if sparse else x * x
    return x, step, optimizer, optimizer.minimize(loss, global_step=step)


def nodes_of(tf):
    return [
        (op.name, op.type, [t.name for t in op.inputs], sorted(each.name for each in op.control_inputs))
        for op in tf.get_default_graph().get_operations()
        if "IsVariableInitialized" not in op.name and "report" not in op.name
    ]


@program
def nodes(tf, np):
    found = []
    for options in ({}, {"sparse": True}, {"total": 3}, {"name": "mine", "use_locking": True}):
        with tf.Graph().as_default() as graph:
            _, _, optimizer, train = built(tf, 2, **options)
            optimizer.get_init_tokens_op()
            runner = optimizer.get_chief_queue_runner()
            found.append([
                nodes_of(tf), train.name, [op.name for op in runner.enqueue_ops], runner.name, optimizer.chief_init_op.name,
                optimizer.local_step_init_op.name, optimizer.get_slot_names(), [v.name for v in optimizer.variables()],
                [op.get_attr("shared_name") for op in graph.get_operations() if "ccumulator" in op.type and not op.inputs],
            ])  # fmt: skip
    return found


@program
def one_worker(tf, np):
    found = []
    for sparse in (False, True):
        with tf.Graph().as_default():
            x, step, optimizer, train = built(tf, 1, sparse=sparse)
            hook = optimizer.make_session_run_hook(True)
            with tf.train.MonitoredTrainingSession(hooks=[hook], stop_grace_period_secs=1) as sess:
                for _ in range(4):
                    sess.run(train)
                found.append([np.round(sess.run(x), 5), sess.run(step) >= 4])
    return found


@program
def two_workers(tf, np):
    _, step, optimizer, train = built(tf, 2)
    tokens = optimizer.get_init_tokens_op()
    with tf.Session() as sess:
        sess.run([tf.global_variables_initializer(), tf.local_variables_initializer()])
        sess.run(optimizer.chief_init_op)
        sess.run(tokens)
        coordinator = tf.train.Coordinator()
        optimizer.get_chief_queue_runner().create_threads(sess, coord=coordinator, daemon=True, start=True)

        def work():
            try:
                while True:
                    sess.run(train)
            except (tf.errors.OpError, RuntimeError):  # the session is closed
                pass

        for _ in range(2):
            worker = threading.Thread(target=work)
            worker.daemon = True
            worker.start()
        while sess.run(step) < 5:
            time.sleep(0.01)
        coordinator.request_stop()
        return True


@program
def refusals(tf, np):
    inner = tf.train.GradientDescentOptimizer(0.1)

    def new(**options):
        return tf.train.SyncReplicasOptimizer(inner, **dict({"replicas_to_aggregate": 3, "total_num_replicas": 2}, **options))

    def applied():
        optimizer = new()
        optimizer.minimize(tf.Variable(1.0) * 2.0, global_step=tf.train.get_or_create_global_step())
        return optimizer

    return [
        attempt(call)
        for call in (
            lambda: new().minimize(tf.Variable(1.0) * 2.0), lambda: new().get_chief_queue_runner(),
            lambda: new().get_init_tokens_op(), lambda: applied().get_init_tokens_op(0), lambda: new().apply_gradients([]),
            lambda: new().make_session_run_hook(True).begin(),
        )
    ]  # fmt: skip
