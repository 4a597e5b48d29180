"""arguments: --steps=many"""
import tensorflow as tf

tf.app.flags.DEFINE_integer("steps", 1, "Steps.")


def main(_):
    print("never")


tf.app.run()
