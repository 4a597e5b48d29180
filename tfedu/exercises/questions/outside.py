import tfedu as tf

x = tf.Variable(0.0)
take = tf.placeholder(tf.bool, [])
up = tf.assign_add(x, 1)
y = tf.cond(take, lambda: tf.identity(up), lambda: x + 10)
