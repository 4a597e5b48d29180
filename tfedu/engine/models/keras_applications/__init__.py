"""tf.keras.applications: networks for pictures, as tables of their layers."""
