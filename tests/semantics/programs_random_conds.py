"""Conds drawn at random: nested, with several results, over outer tensors and variables, with scopes, asserts and control edges inside."""

import random

from harness import graph_of, program


class Draw:
    """One random program of one or two conds on three predicates; ``outer`` holds the tensors that all may use."""

    def __init__(self, tf, seed):
        self.tf = tf
        self.random = r = random.Random(seed)
        self.flags = [tf.placeholder(tf.bool, [], name=f"p{k}") for k in range(3)]
        self.variables = [tf.Variable(float(k), name="v", use_resource=r.random() < 0.4) for k in range(2)]
        self.outer = [tf.constant(1.0, name="k"), tf.cast(self.flags[0], tf.float32)]

    def expression(self, known, depth):
        tf, r = self.tf, self.random
        choose, x, y = r.randrange(13), r.choice(known), r.choice(known)
        if choose == 0:
            return x + y
        if choose == 1:
            return x * 2.0
        if choose == 2:
            return tf.identity(x, name=r.choice(["i", "I", None]))
        if choose == 3:
            return tf.constant(3.0)
        if choose == 4:
            return r.choice(self.variables) * 1.0
        if choose == 5:
            return tf.identity(r.choice(self.variables)) + 0.0
        if choose == 6:
            with tf.control_dependencies([x]):
                return tf.identity(y)
        if choose == 7 and depth < 4:
            with tf.name_scope(r.choice(["s", "t", "S"])):
                return self.expression(known, depth + 1) + 1.0
        if choose == 8:
            with tf.control_dependencies([tf.assert_less(x, 1e6)]):
                return tf.identity(y)
        if choose == 9 and depth < 3:
            return self.cond(known, depth + 1)
        if choose == 10 and depth < 3:
            a, b = tf.cond(
                r.choice(self.flags),
                lambda: (self.expression(known, depth + 1) + 0.0, self.expression(known, depth + 1) * 1.0),
                lambda: (self.expression(known, depth + 1) - 1.0, tf.constant(2.0)),
                name=r.choice(["two", None]),
            )
            return a + b
        if choose == 11:
            return tf.reduce_sum(tf.stack([x, y]))
        if choose == 12:
            return tf.tuple([x, y])[0]
        return tf.maximum(x, 0.0)

    def cond(self, known, depth):
        tf, r = self.tf, self.random

        def branch():
            mine = list(known)
            for _ in range(r.randrange(1, 3)):
                mine.append(self.expression(mine, depth))
            return r.choice(known) if r.random() < 0.3 else mine[-1]

        predicate = r.choice(
            [r.choice(self.flags), tf.logical_not(r.choice(self.flags)), r.choice(known) > 1.0]
        )
        return tf.cond(predicate, branch, branch, name=r.choice([None, "choose", "cond"]))


def drawn(tf, seed):
    """The graph, and the values under all eight feeds of the predicates."""
    d = Draw(tf, seed)
    fetches = []
    for _ in range(d.random.randrange(1, 3)):
        if d.random.random() < 0.3:
            with tf.control_dependencies([d.random.choice(d.outer)]):
                fetches.append(d.cond(d.outer, 0))
        else:
            fetches.append(d.cond(d.outer, 0))
        d.outer.append(fetches[-1])
    graph = graph_of(tf)
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        feeds = [{f: bool(n >> k & 1) for k, f in enumerate(d.flags)} for n in range(8)]
        return [graph["nodes"], [[float(v) for v in sess.run(fetches, feed)] for feed in feeds]]


@program
def conds_drawn_at_random(tf, np):
    out = []
    for seed in range(25):
        with tf.Graph().as_default():
            out.append(drawn(tf, seed))
    return out
