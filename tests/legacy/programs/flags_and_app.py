"""arguments: --steps 4 --name=x --noverbose left over"""
import tensorflow as tf

flags = tf.app.flags
FLAGS = flags.FLAGS
flags.DEFINE_integer("steps", 2, "How many steps.")
flags.DEFINE_string("name", "none", "A name.")
flags.DEFINE_float("rate", 0.5, "A rate.")
flags.DEFINE_boolean("verbose", True, "Say more.")
tf.flags.DEFINE_bool("quiet", False, "Say less.")
tf.flags.DEFINE_enum("mode", "train", ["train", "test"], "What to do.")
tf.flags.DEFINE_list("sizes", "1,2", "Sizes.")


def main(argv):
    print(argv[1:])
    print(FLAGS.steps, FLAGS.name, FLAGS.rate, FLAGS.verbose, FLAGS.quiet, FLAGS.mode, FLAGS.sizes)
    FLAGS.steps = 7
    print(FLAGS.steps, FLAGS["steps"].default)
    print(sorted(k for k in FLAGS.flag_values_dict() if k in ("steps", "name", "rate", "mode")))


if __name__ == "__main__":
    tf.app.run()
