"""Activations, cross entropies, dropout, moments, and the weights of samples."""
