"""Records of networks: their layers with shapes and parameters, and the blocks that they repeat."""
