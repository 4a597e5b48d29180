"""Arrays and files for tf.keras: preprocessing, datasets, labels."""
