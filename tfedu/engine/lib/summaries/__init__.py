"""Nodes that serialize summaries for TensorBoard."""
