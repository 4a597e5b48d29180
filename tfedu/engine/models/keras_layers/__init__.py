"""What all layers of tf.keras have in common, and the layers that neither slide over places nor loop over steps."""
