"""oracle: no"""
import tensorflow as tf

x = tf.placeholder(tf.float32, [2, 3], name="x")
v = tf.Variable(1.0, name="v")
with tf.Session() as sess:
    for attempt in (
        lambda: sess.run(x),
        lambda: sess.run(v),
        lambda: sess.run(x, {x: [[1.0]]}),
        lambda: tf.matmul(x, x),
        lambda: x + tf.constant(1),
        lambda: sess.run("nothing:0"),
        lambda: bool(x),
        lambda: sess.run(None),
        lambda: tf.reshape(x, [5]),
        lambda: list(x),
    ):
        try:
            attempt()
        except (tf.errors.OpError, ValueError, TypeError, KeyError) as e:
            print(type(e).__name__, str(getattr(e, "message", e)).split("\n")[0][:60])
