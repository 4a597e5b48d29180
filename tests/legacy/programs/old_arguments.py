import tensorflow as tf

x = tf.constant([[1.0, 2.0], [3.0, 4.0]])
with tf.Session() as sess:
    print(sess.run(tf.reduce_sum(x, reduction_indices=[1])), sess.run(tf.reduce_mean(x, 0, keep_dims=True)))
    print(sess.run(tf.concat([x, x], 1)), [t.shape.as_list() for t in tf.split(x, 2, 1)])
    print(sess.run(tf.expand_dims(x, dim=0)).shape, sess.run(tf.argmax(x, dimension=1)))
    print(sess.run(tf.squeeze(tf.ones([1, 2, 1]), squeeze_dims=[0])).shape)
    print(sess.run(tf.to_float(3)), sess.run(tf.div(7, 2)), sess.run(tf.random_uniform([2], seed=1)).shape)
    print(sess.run(tf.one_hot([0, 2], 3)).tolist(), tf.initialize_all_variables().type)
