"""tf.layers: the layer classes and the functions that build one layer and call it."""
