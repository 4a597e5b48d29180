"""Records of a file as tensors: examples, lines of comma-separated values, JSON, serialized tensors."""
