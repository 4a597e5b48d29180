import tensorflow as tf

tf.logging.set_verbosity(tf.logging.INFO)
print(tf.logging.get_verbosity(), tf.logging.DEBUG, tf.logging.INFO, tf.logging.WARN, tf.logging.ERROR, tf.logging.FATAL)
tf.logging.info("step %d of %s", 1, "ten")
tf.logging.debug("not shown")
tf.logging.warn("watch out")
tf.logging.warning("again")
tf.logging.error("bad")
tf.logging.fatal("worse")
tf.logging.log(tf.logging.INFO, "by level %s", "x")
tf.logging.vlog(tf.logging.INFO, "v")
for i in range(5):
    tf.logging.log_every_n(tf.logging.INFO, "every %d", 2, i)
tf.logging.log_if(tf.logging.INFO, "if", True)
tf.logging.log_if(tf.logging.INFO, "if not", False)
tf.logging.TaskLevelStatusMessage("status")
tf.logging.set_verbosity(tf.logging.ERROR)
tf.logging.info("not shown")
try:
    tf.logging.flush()
except NotImplementedError:
    print("flush is not implemented")
