"""Programs drawn at random in which every read and write of a variable waits for the one before: each has one outcome.

All computed values are fetched at once, three times, in one session, and then the variables. (Fetched aliases are left out: whether
one that was read before an Assign shows the old buffer or the new is a matter of TF's memory, not of its order.)
"""

import random

from harness import program


def drawn(tf, seed, **session):
    """The values of three runs; the first is interpreted under tfedu, the others are compiled."""
    r = random.Random(seed)
    variables = [
        tf.Variable([float(n), 1.0], name=f"v{n}", use_resource=r.random() < 0.4)
        for n in range(r.randrange(1, 4))
    ]
    flag = tf.placeholder_with_default(True, [])
    fetches, last = [], [tf.no_op()]
    for _ in range(r.randrange(3, 12)):
        v = r.choice(variables)
        choose = r.randrange(10)
        with tf.control_dependencies(last):
            if choose == 0:
                made = tf.assign_add(v, [1.0, 10.0])
            elif choose == 1:
                made = tf.assign(v, [float(r.randrange(5)), -1.0])
            elif choose == 2:
                made = tf.identity(v) * 1.0
            elif choose == 3:
                made = v.read_value() * 1.0
            elif choose == 4:
                made = v * 2.0 + 0.5 * tf.identity(v)
            elif choose == 5:
                made = tf.assign_sub(v, tf.identity(r.choice(variables)) * 0.5)
            elif choose == 6:
                made = tf.reshape(tf.identity(v), [1, 2]) * 1.0
            elif choose == 7:
                made = tf.cond(
                    r.choice([flag, tf.logical_not(flag)]),
                    lambda v=v: tf.identity(v) + 1.0,
                    lambda v=v: tf.identity(v) * 3.0,
                )
            elif choose == 8:
                made = tf.cond(
                    flag,
                    lambda v=v: tf.identity(tf.assign_add(v, [1.0, 1.0])) + 0.0,
                    lambda v=v: tf.identity(v) + 0.0,
                )
            else:
                made = tf.tuple([tf.identity(v) + 1.0, tf.identity(r.choice(variables)) * 1.0])[1]
        # what reads in more than one place is waited for as a whole
        with tf.control_dependencies([made]):
            last = [tf.no_op()]
        fetches.append(made.op if choose in (0, 1, 5) else made)
    with tf.Session(**session) as sess:
        sess.run(tf.global_variables_initializer())
        return [sess.run(fetches, {flag: value}) for value in (True, False, True)] + [sess.run(variables)]


@program
def updates_drawn_at_random(tf, np):
    out = []
    for seed in range(30):
        with tf.Graph().as_default():
            out.append(drawn(tf, seed))
    return out
