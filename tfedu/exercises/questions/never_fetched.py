import tfedu as tf

x = tf.Variable(0.0)
up = tf.assign_add(x, 1)
y = x * 10
