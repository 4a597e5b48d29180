"""The recurrent layers of tf.keras, their cells, and the layer that runs them both ways."""
