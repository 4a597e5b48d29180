"""The layers of tf.keras, and what all layers have in common."""
