"""oracle: no"""
import numpy as np
import tensorflow as tf
from tensorflow.examples.tutorials.mnist import input_data

mnist = input_data.read_data_sets("/tmp/there-is-no-such-folder", one_hot=True)
x = tf.placeholder(tf.float32, [None, 784])
y_ = tf.placeholder(tf.float32, [None, 10])
W = tf.Variable(tf.zeros([784, 10]))
b = tf.Variable(tf.zeros([10]))
y = tf.nn.softmax(tf.matmul(x, W) + b)
cross_entropy = tf.reduce_mean(-tf.reduce_sum(y_ * tf.log(y), reduction_indices=[1]))
correct = tf.equal(tf.argmax(y, 1), tf.argmax(y_, 1))
accuracy = tf.reduce_mean(tf.cast(correct, tf.float32))
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    batches = int(mnist.train.num_examples / 100)
    for _ in range(batches + 2):
        xs, ys = mnist.train.next_batch(100)
        loss = sess.run(cross_entropy, feed_dict={x: xs, y_: ys})
    print(batches, mnist.train.epochs_completed, xs.shape, ys.shape, round(float(loss), 4))
    print(mnist.test.images.shape, mnist.validation.labels.shape, xs.min() >= 0.0 and xs.max() <= 1.0)
    print("%.3f" % sess.run(accuracy, {x: mnist.test.images, y_: mnist.test.labels}), np.sum(mnist.test.labels))
