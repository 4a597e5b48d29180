"""oracle: no"""
import tensorflow as tf
from tensorflow.contrib import timeseries

forest = tf.contrib.tensor_forest

for attempt in (
    lambda: forest.client.random_forest,
    lambda: timeseries.ARModel,
    lambda: tf.mul,
    lambda: tf.pack,
    lambda: tf.contrib.tpu.TPUEstimator,
    lambda: tf.optimizers,
    lambda: tf.reduce_men,
):
    try:
        attempt()
    except AttributeError as e:
        print(e)
try:
    from tensorflow import mul
except ImportError as e:
    print(e)
try:
    from tensorflow.contrib.kernel_methods import KernelLinearClassifier
except ImportError as e:
    print(e)
try:
    from tensorflow.contrib.timeseries import ARModel
except ImportError as e:
    print(e)
try:
    import tensorflow.nothing_like_that
except ImportError as e:
    print(e)
