"""Rows of the op table: mutexes."""

from typing import Any

import numpy as np
from cases import array, case


def section(tf: Any) -> Any:
    return tf.CriticalSection(name="section")


case("CriticalSection", "a tensor", lambda tf, s, x: s.execute(lambda: x + 1.0), array("float32", 1, 2), nodes=True, before=section)
case("CriticalSection", "two tensors", lambda tf, s, x: s.execute(lambda: (x, tf.exp(x)), name="mine"), np.float64(0.0), nodes=True, before=section)
case("CriticalSection", "again", lambda tf, s, x: s.execute(lambda: s.execute(lambda: x)), array("float32", 1), before=section)
case("raw_ops.MutexLock", "in its graph", lambda tf, x: lock_and_unlock(tf, x), array("float32", 3))


def lock_and_unlock(tf: Any, x: Any) -> Any:
    lock = tf.raw_ops.MutexLock(mutex=tf.raw_ops.MutexV2(container="", shared_name="m"))
    with tf.control_dependencies([lock]):
        y = tf.negative(x)
    with tf.control_dependencies([y, tf.raw_ops.ConsumeMutexLock(mutex_lock=lock)]):
        return tf.identity(y)
