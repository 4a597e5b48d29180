"""Activations, cross entropies, dropout, moments, embeddings, and the weights of samples."""
