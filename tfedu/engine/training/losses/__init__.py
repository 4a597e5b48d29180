"""Losses, and regularizers."""
