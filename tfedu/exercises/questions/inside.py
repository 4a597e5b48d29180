import tfedu as tf

x = tf.Variable(0.0)
take = tf.placeholder(tf.bool, [])
y = tf.cond(take, lambda: tf.assign_add(x, 1), lambda: x + 10)
