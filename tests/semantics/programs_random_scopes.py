"""Programs drawn at random that nest scopes of all kinds, share variables and make nodes: each gives the same names and errors."""

import random

from harness import attempt, graph_of, program

NAMES = ["a", "b", "A", "a_1", "x/y", ""]


def drawn(tf, seed):
    """What a random tree of blocks gives, call by call, and the graph at its end."""
    r = random.Random(seed)
    scopes, said = [], []

    def block(depth):
        for _ in range(r.randrange(1, 4)):
            step(depth)

    def step(depth):
        choose = r.randrange(14)
        if depth and choose < 7:
            opened = attempt(lambda: enter(choose, depth))
            if opened is not None:
                said.append(["failed", opened])
        elif choose in (7, 8, 9):
            said.append(attempt(get))
        elif choose == 10:
            said.append(tf.Variable(1.0, name=r.choice(["a", "b", None]), use_resource=r.random() < 0.3).name)
        elif choose == 11:
            said.append(tf.constant(1.0, name=r.choice(["a", "b", "Const"])).name)
        elif choose == 12 and scopes:
            tf.get_variable_scope().reuse_variables() if r.random() < 0.2 else None
        else:
            said.append(tf.add(1.0, 2.0, name=r.choice(["a", None])).name)

    def get():
        shape = [r.choice([1, 1, 1, 2])]
        kind = r.choice([None, None, None, tf.float64])
        parts = tf.fixed_size_partitioner(2) if r.random() < 0.1 else None
        v = tf.get_variable(
            r.choice(["a", "b", "c", "a_1"]), shape, kind, tf.zeros_initializer(), partitioner=parts,
            trainable=r.random() < 0.8, use_resource=r.choice([None, None, True]),
        )  # fmt: skip
        return [v.name, v.dtype, v.shape]

    def enter(choose, depth):
        reuse = r.choice([None, None, None, False, True, tf.AUTO_REUSE, tf.AUTO_REUSE])
        if choose in (0, 1):
            opened = tf.variable_scope(r.choice(NAMES), reuse=reuse)
        elif choose == 2:
            opened = tf.variable_scope(None, r.choice(["a", "d"]), auxiliary_name_scope=r.random() < 0.7)
        elif choose == 3 and scopes:
            opened = tf.variable_scope(r.choice(scopes), reuse=reuse)
        elif choose == 4:
            opened = tf.variable_scope(r.choice(scopes or ["a"]), reuse=reuse, auxiliary_name_scope=False)
        elif choose == 5:
            opened = tf.name_scope(r.choice(["a", "b", "a/", None, "n"]))
        else:
            dtype = r.choice([None, tf.float64])
            opened = tf.variable_scope(r.choice(["a", "s"]), dtype=dtype, use_resource=r.choice([None, True]))
        with opened as scope:
            if isinstance(scope, str):
                said.append(scope)
            else:
                scopes.append(scope)
                said.append([scope.name, scope.original_name_scope, str(scope.reuse), scope.dtype, scope.use_resource])
            block(depth - 1)

    for _ in range(4):
        block(4)
    graph = graph_of(tf)
    return [said, [line.partition(" = ")[0] for line in graph["nodes"]], graph["collections"]]


def _make(group):
    def programs(tf, np):
        out = []
        for seed in range(15 * group, 15 * group + 15):
            with tf.Graph().as_default():
                out.append(drawn(tf, seed))
        return out

    programs.__name__ = f"random_scopes_{group}"
    return program(programs)


for _group in range(4):
    _make(_group)
