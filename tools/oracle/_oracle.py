"""Loads the oracle (TensorFlow's graph mode) quietly, and tells its versions.

It needs an environment of its own, Python 3.11 with ``tensorflow-cpu==2.15.1`` and ``numpy<2``, or, for contrib, Python 3.7 with
TensorFlow 1.15.0; no test needs it: what it said is kept in tests/golden. ``python tools/oracle/record.py`` there makes all
recordings anew, the same bytes each time.
"""

import os
import platform


def load():
    """TensorFlow's 1.x module, in graph mode, silent, with one thread an op and gradients registered."""
    os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
    os.environ["TF_ENABLE_ONEDNN_OPTS"] = "0"
    os.environ["CUDA_VISIBLE_DEVICES"] = ""
    import warnings

    warnings.filterwarnings("ignore")
    import tensorflow

    tf = tensorflow if is_1_15() else tensorflow.compat.v1  # contrib is an attribute of 1.15's own module alone
    tf.compat.v1.logging.set_verbosity(tf.compat.v1.logging.ERROR)
    tf.compat.v1.disable_v2_behavior()
    _switch_rewrites_off()
    return tf


def _switch_rewrites_off():
    """Sessions run the graph as it was built: a rewrite swaps inputs and folds nodes, and so changes error texts."""
    from tensorflow.core.protobuf import config_pb2, rewriter_config_pb2
    from tensorflow.python.client import session

    make = session.BaseSession.__init__

    def init(self, target="", graph=None, config=None):
        config = config or config_pb2.ConfigProto()
        options = config.graph_options
        options.rewrite_options.disable_meta_optimizer = True
        options.rewrite_options.constant_folding = rewriter_config_pb2.RewriterConfig.OFF
        options.optimizer_options.opt_level = config_pb2.OptimizerOptions.L0
        make(self, target, graph, config)

    session.BaseSession.__init__ = init


def is_1_15():
    """Whether the oracle is TensorFlow 1.15 itself, with contrib, and no later release that answers in its place."""
    import tensorflow

    return tensorflow.__version__.startswith("1.15.")


def versions():
    """What a golden file was made with."""
    import numpy
    import tensorflow as tf

    return {"tensorflow": tf.__version__, "numpy": numpy.__version__, "python": platform.python_version()}
