import numpy as np
import tensorflow as tf

print(tf.compat.as_bytes("é"), tf.compat.as_text(b"\xc3\xa9"), tf.compat.as_str(b"a"), tf.compat.as_str_any(3), tf.compat.as_str_any(b"b"))
for wrong in (tf.compat.as_bytes, tf.compat.as_text):
    try:
        wrong(3)
    except TypeError as e:
        print(e)
print(isinstance(3, tf.compat.integral_types), isinstance(np.int8(3), tf.compat.integral_types))
print(isinstance(3.5, tf.compat.integral_types), isinstance(3.5, tf.compat.real_types), isinstance(3j, tf.compat.complex_types))
print(isinstance("a", tf.compat.bytes_or_text_types), tf.compat.path_to_str("x/y"))
print(tf.compat.v1.Session is tf.Session, tf.compat.dimension_value(tf.Dimension(3)))
