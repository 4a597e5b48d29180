"""oracle: no"""
import os
import tempfile

import tensorflow as tf
from tensorflow.python import pywrap_tensorflow
from tensorflow.python.tools.inspect_checkpoint import print_tensors_in_checkpoint_file
from tensorflow.python.training import checkpoint_management, saver as saver_lib

folder = tempfile.mkdtemp()
x = tf.placeholder(tf.float32, [None, 2], name="x")
w = tf.Variable([[1.0], [2.0]], name="w")
b = tf.Variable(0.5, name="b")
y = tf.add(tf.matmul(x, w), b, name="y")
saver = tf.train.Saver(max_to_keep=2)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for step in range(3):
        sess.run(tf.assign_add(b, 1.0))
        saved = saver.save(sess, os.path.join(folder, "model.ckpt"), global_step=step)
print(os.path.basename(saved), sorted(name for name in os.listdir(folder) if name.endswith(".index")))

ckpt = tf.train.get_checkpoint_state(folder)
if ckpt and ckpt.model_checkpoint_path:
    with tf.Session() as sess:
        saver.restore(sess, ckpt.model_checkpoint_path)
        print(sess.run(y, {x: [[1.0, 1.0]]}).tolist())
tf.reset_default_graph()
with tf.Session() as sess:
    again = tf.train.import_meta_graph(tf.train.latest_checkpoint(folder) + ".meta")
    again.restore(sess, checkpoint_management.latest_checkpoint(folder))
    print(sess.run("y:0", {"x:0": [[0.0, 1.0]]}).tolist(), isinstance(again, saver_lib.Saver))
reader = pywrap_tensorflow.NewCheckpointReader(tf.train.latest_checkpoint(folder))
for name in sorted(reader.get_variable_to_shape_map()):
    print(name, reader.get_tensor(name).tolist())
print_tensors_in_checkpoint_file(tf.train.latest_checkpoint(folder), tensor_name="", all_tensors=False)
print_tensors_in_checkpoint_file(tf.train.latest_checkpoint(folder), tensor_name="w", all_tensors=False)
