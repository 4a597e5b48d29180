"""tf.train.warm_start: which variables begin with a checkpoint's values, under which names, and errors."""

import os

from harness import fresh, in_folder, program


def saved(tf, folder):
    """A checkpoint of w, of a variable in parts and of a whole number; its folder."""
    with tf.Graph().as_default(), tf.Session() as session:
        tf.get_variable("net/w", initializer=[1.0, 2.0])
        tf.get_variable("net/parts", [4], initializer=tf.ones_initializer(), partitioner=tf.fixed_size_partitioner(2))
        tf.get_variable("steps", initializer=7, trainable=False)
        session.run(tf.global_variables_initializer())
        return tf.train.Saver().save(session, os.path.join(folder, "m"))


def started(tf, path, given=".*", names=None, objects=False, **more):
    """The values that variables begin with."""

    def call():
        w = tf.get_variable("net/w", [2], initializer=tf.zeros_initializer())
        tf.get_variable("net/parts", [4], initializer=tf.zeros_initializer(), partitioner=tf.fixed_size_partitioner(2))
        tf.get_variable("other/w", [2], initializer=tf.zeros_initializer(), use_resource=True)
        tf.get_variable("steps", initializer=0, trainable=False)
        tf.train.warm_start(path, [w] if objects else given, var_name_to_prev_var_name=names, **more)
        with tf.Session() as session:
            session.run(tf.global_variables_initializer())
            return {v.op.name: session.run(v) for v in tf.global_variables()}

    return fresh(tf, call)


@program
def what_begins_with_a_checkpoint(tf, np):
    def body(folder):
        path = saved(tf, folder)
        return {
            "by pattern": started(tf, path, "net/.*"),
            "of a folder": started(tf, folder, "net/"),
            "all but one": started(tf, path).classes,
            "another name": started(tf, path, "other/w", {"other/w": "net/w"}),
            "global ones": started(tf, path, ["steps", "net/w"]),
            "variables": started(tf, path, objects=True),
            "none": started(tf, path, None),
            "numbers": started(tf, path, [1, 2]),
            "a number": started(tf, path, 3),
            "unused names": started(tf, path, "net/w", {"net/v": "net/w"}),
            "no checkpoint": started(tf, os.path.join(folder, "gone"), "net/w"),
            "vocabulary": fresh(tf, lambda: tf.train.VocabInfo("new", 3, 0, "old", axis=2)),
            "a vocabulary": fresh(tf, lambda: list(tf.train.VocabInfo("new", 3, 1, "old"))),
        }

    return in_folder(body)
