"""Shapes, slices, indices, masks, blocks and sorting of arrays."""
