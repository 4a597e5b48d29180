import tfedu as tf

w = tf.Variable(1.0, use_resource=True)
loss = tf.square(w - 3.0)
train = tf.train.GradientDescentOptimizer(0.25).minimize(loss)
with tf.control_dependencies([train]):
    after = w.read_value()
