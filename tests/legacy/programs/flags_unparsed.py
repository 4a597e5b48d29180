"""arguments: --depth=3"""
import tensorflow as tf

tf.app.flags.DEFINE_integer("depth", 1, "How deep.")
print(tf.app.flags.FLAGS.depth)
try:
    tf.app.flags.DEFINE_integer("depth", 2, "Again.")
except tf.flags.DuplicateFlagError as e:
    print(type(e).__name__, "depth" in str(e))
try:
    tf.flags.FLAGS.nothing
except AttributeError as e:
    print("AttributeError", e)
