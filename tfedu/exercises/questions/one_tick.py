import tfedu as tf

x = tf.Variable(0.0)
up = tf.assign_add(x, 1)
a = up * 1
b = up * 10
