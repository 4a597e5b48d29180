"""`tf.contrib.slim`'s nets: networks for pictures as functions of layers, with 1.15's names of variables and endpoints."""
