"""Loads the oracle (TensorFlow's graph mode) quietly, and tells its versions."""

import os
import platform


def load():
    """TensorFlow's 1.x module, in graph mode, silent, with one thread an op and gradients registered."""
    os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
    os.environ["TF_ENABLE_ONEDNN_OPTS"] = "0"
    os.environ["CUDA_VISIBLE_DEVICES"] = ""
    import warnings

    warnings.filterwarnings("ignore")
    import tensorflow.compat.v1 as tf

    tf.disable_v2_behavior()
    tf.logging.set_verbosity(tf.logging.ERROR)
    return tf


def versions():
    """What a golden file was made with."""
    import numpy
    import tensorflow as tf

    return {"tensorflow": tf.__version__, "numpy": numpy.__version__, "python": platform.python_version()}
