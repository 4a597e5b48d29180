"""`tf.contrib.slim`'s data: records that several readers read at once, and what of them is an image, a label, a box."""
