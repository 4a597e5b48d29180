"""Elementwise functions, products, reductions, segments, Fourier transforms and random numbers."""
