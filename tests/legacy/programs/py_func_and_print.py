import numpy as np
import tensorflow as tf


def double(a):
    return (a * 2).astype(np.float32)


x = tf.constant([1.0, 2.0])
y = tf.py_func(double, [x], tf.float32)
z = tf.where(y > 2.0, y, tf.zeros_like(x))
with tf.Session() as sess:
    print(sess.run([y, z]))
    print(sess.run(tf.cond(tf.reduce_any(y > 3.0), lambda: tf.constant("big"), lambda: tf.constant("small"))))
