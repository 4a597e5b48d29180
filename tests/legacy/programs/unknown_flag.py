"""arguments: --unknown=3 --steps=5 word"""
import tensorflow as tf

tf.app.flags.DEFINE_integer("steps", 1, "Steps.")


def main(unused_argv):
    print(unused_argv[1:], tf.app.flags.FLAGS.steps)
    return 3


tf.app.run(main=main)
