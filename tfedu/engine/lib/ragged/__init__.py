"""Ragged tensors: rows of unequal lengths."""
