"""tf.train.Checkpoint and CheckpointManager in graph mode: keys, object graphs, restored values, errors."""

import os

from harness import attempt, fresh, in_folder, program


def model(tf, steps=1, session=None):
    """(checkpoint, variables, train): a variable, a list with a dict, Adam with its slots."""
    w = tf.Variable([1.0, 2.0], name="w")
    b = tf.get_variable("b", initializer=[[3.0]], use_resource=True)
    deep = tf.Variable(5, name="scope/deep", trainable=False)
    optimizer = tf.train.AdamOptimizer(0.1)
    train = optimizer.minimize(tf.reduce_sum(w * w) + tf.reduce_sum(b * b))
    inner = tf.train.Checkpoint(b=b)
    checkpoint = tf.train.Checkpoint(optimizer=optimizer, w=w, parts=[inner, {"a/b": deep}])
    return checkpoint, [w, b, deep], train


def reading(tf, path):
    """Names and shapes, and the object graph without what is newer than 1.15."""
    reader = tf.train.NewCheckpointReader(path)
    names = sorted(reader.get_variable_to_shape_map().items())
    return names


def graph_of_objects(tf, path):
    text = tf.train.load_checkpoint(path).get_tensor("_CHECKPOINTABLE_OBJECT_GRAPH")
    if tf.__name__ == "tfedu":
        message = tf.legacy.modules.messages.TrackableObjectGraph.FromString(bytes(text))
    else:
        from tensorflow.core.protobuf import trackable_object_graph_pb2

        message = trackable_object_graph_pb2.TrackableObjectGraph.FromString(text)
    return [
        [
            [f"{c.local_name} {c.node_id}" for c in node.children],
            [f"{a.name} {a.full_name} {a.checkpoint_key}" for a in node.attributes],
            [f"{s.slot_name} of {s.original_variable_node_id}: {s.slot_variable_node_id}" for s in node.slot_variables],
        ]
        for node in message.nodes
    ]


@program
def what_is_saved(tf, np):
    def body(folder):
        checkpoint, _, train = model(tf)
        with tf.Session().as_default() as session:
            session.run(tf.global_variables_initializer())
            session.run(train)
            prefix = os.path.join(folder, "ckpt")
            found = [checkpoint.save(prefix), checkpoint.save(prefix, session=session), session.run(checkpoint.save_counter)]
            written = checkpoint.write(os.path.join(folder, "other"))
            last = tf.train.latest_checkpoint(folder)
            with open(os.path.join(folder, "checkpoint")) as file:
                state = file.read()
            return [found, written, last, state, sorted(os.listdir(folder)), reading(tf, last), graph_of_objects(tf, last)]

    return in_folder(body)


@program
def what_is_restored(tf, np):
    def body(folder):
        prefix = os.path.join(folder, "ckpt")

        def saved():
            checkpoint, variables, train = model(tf)
            with tf.Session().as_default() as session:
                session.run(tf.global_variables_initializer())
                for _ in range(3):
                    session.run(train)
                return [checkpoint.save(prefix), session.run(variables)]

        def whole():
            checkpoint, variables, train = model(tf)
            with tf.Session().as_default() as session:
                status = checkpoint.restore(tf.train.latest_checkpoint(folder))
                status.assert_consumed().run_restore_ops()
                before = session.run(variables)
                session.run(train)
                return [before, session.run(variables), session.run(checkpoint.save_counter), checkpoint.save(prefix)]

        def part():
            w, more = tf.Variable([0.0, 0.0]), tf.Variable(7.0)
            checkpoint = tf.train.Checkpoint(w=w, more=more)
            status = checkpoint.restore(tf.train.latest_checkpoint(folder))
            refused = [attempt(status.assert_consumed).classes, attempt(status.assert_existing_objects_matched).classes]
            status.assert_nontrivial_match()
            with tf.Session() as session:
                status.initialize_or_restore(session)
                return [refused, session.run([w, more])]

        def later():
            checkpoint = tf.train.Checkpoint()
            status = checkpoint.restore(tf.train.latest_checkpoint(folder))
            checkpoint.w = tf.Variable([0.0, 0.0])
            with tf.Session() as session:
                status.initialize_or_restore(session)
                return session.run(checkpoint.w)

        def nothing():
            checkpoint, variables, _ = model(tf)
            status = checkpoint.restore(None)
            calls = (status.assert_consumed, status.run_restore_ops, status.assert_nontrivial_match)
            refused = [attempt(call) for call in calls]
            with tf.Session() as session:
                status.initialize_or_restore(session)
                return [refused, session.run(variables)]

        def wrong_shape():
            checkpoint = tf.train.Checkpoint(w=tf.Variable([0.0, 0.0, 0.0]))
            with tf.Session() as session:
                checkpoint.restore(tf.train.latest_checkpoint(folder)).run_restore_ops(session)

        def by_a_saver():
            _, variables, _ = model(tf)
            with tf.Session() as session:
                saver = tf.train.Saver()
                saver.restore(session, prefix + "-1")
                return session.run(variables)

        calls = (saved, whole, part, later, nothing, wrong_shape, by_a_saver)
        return {call.__name__: fresh(tf, call) for call in calls}

    return in_folder(body)


@program
def what_is_refused(tf, np):
    def body(folder):
        checkpoint = tf.train.Checkpoint
        return {
            name: fresh(tf, call)
            for name, call in {
                "a number": lambda: checkpoint(a=3),
                "a tensor": lambda: attempt(lambda: checkpoint(a=tf.constant(1.0))).classes,
                "no checkpoint": lambda: checkpoint(w=tf.Variable(1.0)).restore(os.path.join(folder, "gone")),
                "keep": lambda: tf.train.CheckpointManager(checkpoint(), folder, 0),
            }.items()
        }

    return in_folder(body)


@program
def a_manager_keeps_the_newest(tf, np):
    def body(folder):
        w = tf.Variable(0.0, name="w")
        step = tf.train.get_or_create_global_step()
        checkpoint = tf.train.Checkpoint(w=w, step=step)
        manager = tf.train.CheckpointManager(checkpoint, folder, max_to_keep=2)
        with tf.Session().as_default() as session:
            session.run(tf.global_variables_initializer())
            found = [manager.latest_checkpoint, manager.checkpoints]
            for _ in range(3):
                session.run(w.assign_add(1.0))
                found.append(manager.save())
            session.run(step.assign(40))
            found.append(manager.save(step))
            found.append(manager.save(checkpoint_number=41))
            found += [manager.latest_checkpoint, manager.checkpoints, sorted(os.listdir(folder))]
            again = tf.train.CheckpointManager(checkpoint, folder, max_to_keep=2, checkpoint_name="other")
            found += [again.latest_checkpoint, again.checkpoints, again.save(), again.checkpoints]
            session.run(w.assign(0.0))
            checkpoint.restore(manager.latest_checkpoint).assert_consumed().run_restore_ops()
            return [*found, session.run(w)]

    return in_folder(body)
