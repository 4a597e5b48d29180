"""Savers, object checkpoints and readers of checkpoints."""
