"""`tf.test`: test cases, benchmarks and stubs."""
