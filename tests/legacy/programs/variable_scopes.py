import tensorflow as tf


def layer(x, size, name):
    with tf.variable_scope(name, reuse=tf.AUTO_REUSE):
        w = tf.get_variable("w", [x.get_shape()[1].value, size], initializer=tf.constant_initializer(0.5))
        b = tf.get_variable("b", [size], initializer=tf.zeros_initializer())
        return tf.nn.relu(tf.matmul(x, w) + b)


x = tf.placeholder(tf.float32, [None, 3], name="x")
with tf.name_scope("tower"):
    first = layer(x, 2, "hidden")
    second = layer(x, 2, "hidden")
print([v.name for v in tf.trainable_variables()])
print(first.name, second.name, first.get_shape())
try:
    with tf.variable_scope("hidden"):
        tf.get_variable("w", [3, 2])
except ValueError as e:
    print(str(e).split("Originally")[0].strip())
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    one, two = sess.run([first, second], {x: [[1.0, 2.0, 3.0]]})
    print(one, (one == two).all())
