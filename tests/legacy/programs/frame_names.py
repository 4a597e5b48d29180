"""arguments: --size=3 --noshuffle --scale 0.5 --title=t"""
import os
import tempfile

import tensorflow as tf

tf.disable_eager_execution()
flags = tf.flags
logging = tf.logging
logging.set_verbosity(tf.logging.ERROR)
tf.flags.DEFINE_integer("size", 1, "Size.")
tf.flags.DEFINE_boolean("shuffle", True, "Shuffle.")
tf.app.flags.DEFINE_bool("deep", False, "Deep.")
tf.flags.DEFINE_float("scale", 1.0, "Scale.")
tf.flags.DEFINE_string("title", "", "Title.")


def main(_):
    f = flags.FLAGS
    print(f.size, f.shuffle, f.deep, f.scale, f.title)
    print(os.path.basename(tf.resource_loader.get_data_files_path()))
    folder = tempfile.mkdtemp()
    with tf.gfile.FastGFile(os.path.join(folder, "a"), "w") as file:
        file.write("text")
    print(tf.gfile.FastGFile(os.path.join(folder, "a")).read())
    print(tf.GraphKeys.LOSSES, tf.GraphKeys.QUEUE_RUNNERS, tf.GraphKeys.ASSET_FILEPATHS)
    x = tf.constant([3.0, 4.0], name="x")
    with tf.Session() as sess:
        options = tf.RunOptions(trace_level=tf.RunOptions.FULL_TRACE)
        metadata = tf.RunMetadata()
        print(sess.run(x * f.scale, options=options, run_metadata=metadata))
        tf.train.write_graph(sess.graph_def, folder, "graph.pbtxt")
    with open(os.path.join(folder, "graph.pbtxt")) as file:
        print('name: "x"' in file.read())
    print(issubclass(tf.test.Benchmark, object), tf.test.is_built_with_cuda(), repr(tf.test.gpu_device_name()))


tf.app.run()
