import tfedu as tf

x = tf.Variable(0.0)
take = tf.placeholder(tf.bool, [])
one = tf.assign_add(x, 1)
ten = tf.assign_add(x, 10)
y = tf.cond(take, lambda: tf.identity(one), lambda: tf.identity(ten))
