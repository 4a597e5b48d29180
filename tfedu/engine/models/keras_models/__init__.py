"""The models of tf.keras: layers connected, trained, saved."""
