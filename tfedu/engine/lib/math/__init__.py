"""Elementwise mathematics, products, reductions, transforms and random numbers."""
