import tfedu as tf

x = tf.Variable(0.0)
one = tf.assign_add(x, 1)
ten = tf.assign_add(x, 10)
