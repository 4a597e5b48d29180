import tfedu as tf

calls = tf.Variable(0.0)
take = tf.placeholder(tf.bool, [])
v = tf.constant(5.0)
count = tf.assign_add(calls, 1)
with tf.control_dependencies([count]):
    counted = v * 2
y = tf.cond(take, lambda: counted + 0, lambda: v)
