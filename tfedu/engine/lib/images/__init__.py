"""`tf.image`: functions of images [h, w, channels] and of batches of them [n, h, w, channels]."""
