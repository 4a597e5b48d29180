import tensorflow as tf

a, b = tf.constant([3.0, 4.0]), tf.constant([[0.0, 12.0]])
clipped, norm = tf.clip_by_global_norm([a, b], 6.5)
with tf.Session() as sess:
    one, two, total = sess.run(clipped + [norm])
    print(one, two, total, norm.name)
    print(sess.run(tf.clip_by_norm(a, 1.0)), sess.run(tf.clip_by_value(a, 3.5, 3.8)))
    print(sess.run(tf.nn.leaky_relu([-1.0, 2.0])), sess.run(tf.floor_div(-7, 2)), tf.floor_div(7, 2).op.type)
