"""Graphs drawn at random, the same ones everywhere: names, scopes, control inputs, devices, colocation, shapes and values.

Each draw mixes ops, nested scopes, control dependencies (also None and []), devices, variables of both kinds, updates, groups,
conds, and calls by operator and by function. Values are compared for graphs without updates, whose order is free.
"""

import random

from harness import graph_of, program

NAMES = ["a", "b", "A", "layer", "x", "out", None]


class Draw:
    """One random graph; ``pool`` holds the [2, 2] tensors made so far."""

    def __init__(self, tf, seed):
        self.tf = tf
        self.random = random.Random(seed)
        self.updates = self.random.random() < 0.5
        self.pool = [
            tf.constant([[1.0, 2.0], [3.0, 4.0]], name="first"),
            tf.placeholder_with_default([[0.5, -1.0], [2.0, 0.0]], [2, 2]),
        ]
        self.operations = []
        self.variables = []

    def pick(self):
        return self.random.choice(self.pool)

    def name(self):
        return self.random.choice(NAMES)

    def keep(self, tensor):
        self.pool.append(tensor)
        return tensor

    def step(self, depth):
        tf, choose = self.tf, self.random.randrange(24 if depth < 3 else 17)
        x, y, name = self.pick(), self.pick(), self.name()
        if choose == 0:
            self.keep(x + y)
        elif choose == 1:
            self.keep(tf.multiply(x, y, name=name))
        elif choose == 2:
            self.keep(tf.matmul(x, y, name=name))
        elif choose == 3:
            self.keep(x * self.random.choice([2, 0.5, -1]))
        elif choose == 4:
            self.keep(tf.identity(x, name=name))
        elif choose == 5:
            self.keep(
                tf.reshape(tf.concat([x, y], self.random.randrange(2)), [2, 4])[
                    :, : self.random.choice([2, -2])
                ]
            )
        elif choose == 6:
            self.keep(tf.stack([x[0], y[1]], name=name or "stack"))
        elif choose == 7:
            self.keep(x - tf.reduce_mean(y, self.random.choice([None, 0, 1, -1]), keepdims=True))
        elif choose == 8:
            self.keep(tf.where(tf.greater(x, y), x, -y))
        elif choose == 9:
            self.keep(tf.transpose(x, name=name or "transpose"))
        elif choose == 10:
            self.keep(tf.maximum(1.0 - x, tf.zeros([2, 2])))
        elif choose == 11:
            self.keep(tf.cast(tf.argmax(x, 1), tf.float32)[:, tf.newaxis] + y)
        elif choose == 12:
            self.variables.append(
                tf.Variable(tf.ones([2, 2]) * 3.0, name=name, use_resource=self.random.random() < 0.3)
            )
            self.keep(self.variables[-1] + x)
        elif choose == 13 and self.variables:
            self.keep(tf.identity(self.random.choice(self.variables)))
        elif choose == 14 and self.variables and self.updates:
            made = self.random.choice([tf.assign, tf.assign_add, tf.assign_sub])(
                self.random.choice(self.variables), x
            )
            self.operations.append(made.op)
        elif choose == 15:
            self.operations.append(tf.group(x, y, *self.operations[-2:], name=name))
        elif choose == 16:
            self.keep(tf.tuple([x, y], name=name)[1])
        elif choose == 17:
            with tf.name_scope(self.random.choice(["scope", "s", "S", "layer", "", None, "a/"])):
                self.steps(depth + 1)
        elif choose == 18:
            with tf.control_dependencies(
                self.random.choice([[x], [x, y.op], [], None, self.operations[-2:], [x, x]])
            ):
                self.steps(depth + 1)
        elif choose == 19:
            with tf.device(self.random.choice(["/cpu:0", "/job:ps" if self.updates else "/cpu:0", None])):
                self.steps(depth + 1)
        elif choose == 20:
            with tf.colocate_with(x):
                self.steps(depth + 1)
        elif choose == 21:
            flag = tf.reduce_sum(x) > 1.0
            a, b = self.pick(), self.pick()
            self.keep(tf.cond(flag, lambda: a + y, lambda: tf.identity(b), name=name))
        elif choose == 22:
            with tf.control_dependencies([tf.assert_less(x, 1e9)]):
                self.keep(tf.identity(y))
        elif choose == 23:
            with tf.name_scope(name, "fallback", [x]) as scope:
                self.keep(tf.add(x, y, name=scope))

    def steps(self, depth):
        for _ in range(self.random.randrange(1, 4)):
            self.step(depth)


def drawn(tf, seed):
    d = Draw(tf, seed)
    for _ in range(9):
        d.step(0)
    graph = graph_of(tf)
    if d.updates:
        return [graph, []]
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        return [graph, sess.run(d.pool[-3:])]


@program
def graphs_drawn_at_random(tf, np):
    out = []
    for seed in range(40):
        with tf.Graph().as_default():
            out.append(drawn(tf, seed))
    return out
