"""Loops drawn at random, inside and around loops and conds, with captures, limits, control edges and effects in each iteration."""

from harness import graph_of, program
from programs_random_conds import Draw


class DrawLoops(Draw):
    """As Draw, but half of what it nests are loops; ``count`` counts rounds in which it stands."""

    def __init__(self, tf, seed):
        super().__init__(tf, seed)
        self.count = tf.Variable(0.0, name="count")

    def expression(self, known, depth):
        r = self.random
        if depth < 3 and r.random() < 0.3:
            return self.loop(known, depth + 1)
        if r.random() < 0.1:
            return self.counted(r.choice(known))
        return super().expression(known, depth)

    def counted(self, x):
        """x, after the count was raised."""
        with self.tf.control_dependencies([self.tf.assign_add(self.count, 1.0)]):
            return self.tf.identity(x)

    def loop(self, known, depth):
        tf, r = self.tf, self.random
        limit = r.choice([0, 1, 2, 3])
        if r.random() < 0.5:
            limit = tf.constant(limit, name="limit")
        given = {"name": r.choice([None, "go", "while"]), "parallel_iterations": r.choice([1, 10])}
        if r.random() < 0.2:
            given["maximum_iterations"] = r.choice([0, 1, 5])

        def body(i, x, *more):
            mine = [*known, x, *more]
            for _ in range(r.randrange(1, 3)):
                mine.append(self.expression(mine, depth))
            return [i + 1, mine[-1] + 0.0, *(r.choice([m, mine[-1], x, r.choice(known) + 0.0]) for m in more)]

        start = [0, r.choice(known), *(r.choice(known) for _ in range(r.randrange(3)))]
        end = tf.while_loop(lambda i, *_: i < limit, body, start, **given)
        return r.choice(end[1:])


def drawn(tf, seed):
    """The graph, and under all eight feeds of the predicates the values and how often something was counted."""
    d = DrawLoops(tf, seed)
    fetches = []
    for _ in range(d.random.randrange(1, 3)):
        if d.random.random() < 0.3:
            with tf.control_dependencies([d.random.choice(d.outer)]):
                fetches.append(d.loop(d.outer, 0))
        else:
            fetches.append(d.loop(d.outer, 0))
        d.outer.append(fetches[-1])
    graph = graph_of(tf, "frame_name", "is_constant", "parallel_iterations")
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        feeds = [{f: bool(n >> k & 1) for k, f in enumerate(d.flags)} for n in range(8)]
        return [graph["nodes"], [[*(float(v) for v in sess.run(fetches, f)), float(sess.run(d.count))] for f in feeds]]


@program
def loops_drawn_at_random(tf, np):
    out = []
    for seed in range(8):
        with tf.Graph().as_default():
            out.append(drawn(tf, seed))
    return out
