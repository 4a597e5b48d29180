"""The layers of tf.keras over windows and places: convolution, pooling, resizing."""
