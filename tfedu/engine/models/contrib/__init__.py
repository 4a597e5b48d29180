"""`tf.contrib.layers`, `.slim`, `.framework` and `.losses`: layers as functions, and blocks that hold their defaults."""
