import numpy as np
import tensorflow as tf

rng = np.random.RandomState(0)
data = rng.rand(6, 2).astype(np.float32)
x = tf.placeholder(tf.float32, [None, 2], name="x")
step = tf.Variable(0, trainable=False, name="global_step")
mean = tf.Variable(tf.zeros([2]), name="mean")
update = tf.group(tf.assign(mean, mean * 0.5 + tf.reduce_mean(x, 0) * 0.5), tf.assign_add(step, 1))
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for i in range(0, 6, 2):
        sess.run(update, feed_dict={x: data[i : i + 2]})
    print(sess.run(step), np.round(sess.run(mean), 4))
print([v.op.name for v in tf.global_variables()], [v.op.name for v in tf.trainable_variables()])
