import tfedu as tf

x = tf.Variable(0.0)
up = tf.assign_add(x, 1)
with tf.control_dependencies([up]):
    y = tf.identity(x)
