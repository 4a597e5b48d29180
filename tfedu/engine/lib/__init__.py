"""What builds graphs out of ops and holds no kernel: the functions and classes that `tf.` names."""
