"""oracle: no"""
from __future__ import print_function

import numpy as np
import tensorflow as tf
from tensorflow.examples.tutorials.mnist import input_data

mnist = input_data.read_data_sets("/tmp/data/there-is-none/", one_hot=True)
Xtr, Ytr = mnist.train.next_batch(1000)
Xte, Yte = mnist.test.next_batch(50)
xtr = tf.placeholder("float", [None, 784])
xte = tf.placeholder("float", [784])
distance = tf.reduce_sum(tf.abs(tf.add(xtr, tf.negative(xte))), reduction_indices=1)
pred = tf.arg_min(distance, 0)
accuracy = 0.0
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for i in range(len(Xte)):
        nn_index = sess.run(pred, feed_dict={xtr: Xtr, xte: Xte[i, :]})
        if np.argmax(Ytr[nn_index]) == np.argmax(Yte[i]):
            accuracy += 1.0 / len(Xte)
print("Done!", accuracy > 0.7)
