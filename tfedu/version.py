"""`tf.version`: which TensorFlow this is."""

# TF programs look at the beginning of the version; what follows the plus sign is tfedu's own.
VERSION = "1.15.0+tfedu.0.1"
GIT_VERSION = "v1.15.0-tfedu-0.1"
COMPILER_VERSION = "none: tfedu is Python and NumPy"
# what 1.15 writes into a GraphDef, and reads
GRAPH_DEF_VERSION = 134
GRAPH_DEF_VERSION_MIN_CONSUMER = 0
GRAPH_DEF_VERSION_MIN_PRODUCER = 0

__all__ = [
    "COMPILER_VERSION", "GIT_VERSION", "GRAPH_DEF_VERSION", "GRAPH_DEF_VERSION_MIN_CONSUMER",
    "GRAPH_DEF_VERSION_MIN_PRODUCER", "VERSION",
]  # fmt: skip
