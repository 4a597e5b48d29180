"""SparseTensor and IndexedSlices."""
