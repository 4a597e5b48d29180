"""Graphs of Switch, Merge, arithmetic and control edges drawn at random: which nodes are dead, and which updates ran.

A Merge joins the two sides of one Switch, so that at most one of its inputs is alive and every run has one outcome.
"""

import random

from harness import Failure, attempt, program, raw


def drawn(tf, seed):
    """For each of four pairs of predicates: every tensor fetched alone (number or "dead"), and the counters after all updates."""
    r = random.Random(seed)
    flags = [tf.placeholder(tf.bool, []) for _ in range(2)]
    pool, switches, updates, counters = [tf.constant(1.0), tf.constant(2.0)], [], [], []
    for _ in range(r.randrange(4, 14)):
        choose, x, y = r.randrange(8), r.choice(pool), r.choice(pool)
        if choose <= 1:
            switches.append(list(raw(tf, "Switch", data=x, pred=r.choice(flags))))
            pool += switches[-1]
        elif choose == 2 and switches:
            no, yes = r.choice(switches)
            no, yes = r.choice([no, no * 2.0, tf.identity(no)]), r.choice([yes, yes + 1.0, tf.identity(yes)])
            pool.append(raw(tf, "Merge", inputs=r.choice([[no, yes], [yes, no]]))[0])
        elif choose == 3:
            pool.append(x + y)
        elif choose == 4:
            pool.append(tf.identity(x))
        elif choose == 5:
            with tf.control_dependencies([x]):
                pool.append(tf.constant(3.0) * 1.0)
        elif choose == 6:
            counters.append(tf.Variable(0.0))
            with tf.control_dependencies([x]):
                updates.append(tf.assign_add(counters[-1], 1.0).op)
        elif choose == 7:
            with tf.control_dependencies([x, y]):
                updates.append(tf.no_op())
    out = []
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        for n in range(4):
            feed = {flags[0]: bool(n & 1), flags[1]: bool(n & 2)}
            values = [attempt(lambda t=t, feed=feed: sess.run(t, feed)) for t in pool]
            shown = [
                "dead" if isinstance(v, Failure) and "does not have value" in v.text else float(v)
                for v in values
            ]
            sess.run(updates, feed)
            out.append([shown, [float(c) for c in sess.run(counters)]])
    return out


@program
def deaths_drawn_at_random(tf, np):
    out = []
    for seed in range(60):
        with tf.Graph().as_default():
            out.append(drawn(tf, seed))
    return out
