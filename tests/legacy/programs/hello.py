import tensorflow as tf

hello = tf.constant("Hello, TensorFlow!")
with tf.Session() as sess:
    print(sess.run(hello).decode())
    print(sess.run(hello))
